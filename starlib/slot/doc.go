// Package slot is how a running program holds values: see Slot.
package slot
