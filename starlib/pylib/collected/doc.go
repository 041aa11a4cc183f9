// Package collected has the modules about memory that nothing refers to: gc, and the part of
// weakref that is in Go.
package collected
