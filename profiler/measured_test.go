package profiler_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
)

// TestMeasureLeavesNothingOver: where spots have all of a cell's time, its rows have all of it too
// when the functions have the times of their calls.
func TestMeasureLeavesNothingOver(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		c := &profiler.Cell{Name: "In[1]"}
		for i := range 2 + r.IntN(20) {
			s := profiler.Spot{Kind: profiler.Starlark, File: "In[1]", Line: 1 + i, Time: time.Duration(1 + r.IntN(1e8))}
			if r.IntN(3) == 0 {
				s.Kind, s.Name = profiler.CompiledFunctions, "f"
			}
			c.Spots = append(c.Spots, s)
			c.Wall += s.Time
		}
		c.Measure([]*profiler.Stats{{Functions: []*profiler.Function{{Name: "f", Calls: 3, CallTime: r.Float64() * float64(c.Wall)}}}})
		var sum time.Duration
		for _, row := range c.Rows() {
			if sum += row.Time; row.Kind == profiler.Rest {
				t.Fatalf("%v of %v are nobody's", row.Time, c.Wall)
			}
		}
		if sum != c.Wall {
			t.Fatalf("rows have %v of %v", sum, c.Wall)
		}
	}
}
