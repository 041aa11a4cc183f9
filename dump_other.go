//go:build !linux

package main

// limitMemory does nothing: no limit of memory is known.
func limitMemory() (done bool, status int) { return false, 0 }
