//go:build !linux

package memory

// adviseHuge does nothing: the system has no way to ask.
func adviseHuge([]byte) {}
