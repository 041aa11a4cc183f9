//go:build !linux

package memory

const hasHugePages = false

// adviseHuge does nothing: the system has no way to ask.
func adviseHuge([]byte) {}
