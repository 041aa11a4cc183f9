package profiler

import "testing"

// BenchmarkCalls is what counting a call costs that takes that long.
func BenchmarkCalls(b *testing.B) {
	c := NewCalls()
	for range 100 { // as of calls of 500 ns
		c.cell.measured++
		c.sample.Traced(500, countNS)
		c.mean = 500
	}
	for b.Loop() {
		c.End(c.Begin(), nil)
		c.mean = 500
	}
}
