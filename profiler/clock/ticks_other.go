//go:build purego || (!amd64 && !arm64)

package clock

// There is no counter.
func ticks() int64 { return 0 }
func steady() bool { return false }
