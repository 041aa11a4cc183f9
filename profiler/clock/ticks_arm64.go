//go:build !purego

package clock

// ticks reads the virtual counter (CNTVCT_EL0), which systems let programs read because their own
// clocks are made of it.
func ticks() int64

// steady is so by the architecture.
func steady() bool { return true }
