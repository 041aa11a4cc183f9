//go:build !purego

package clock

// ticks reads the time stamp counter (RDTSC).
func ticks() int64

// steady reports whether the counter goes on at one rate whatever the processor does: bit 8 of EDX
// of CPUID 80000007H, "invariant TSC".
func steady() bool
