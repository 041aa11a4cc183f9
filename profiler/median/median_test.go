package median_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/profiler/median"
)

// TestOf: the interval holds the true median as often as it says, whatever the values are drawn
// from, and is infinite where they are too few to say anything.
func TestOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{"normal": r.NormFloat64, "skewed": func() float64 { return math.Exp(2 * r.NormFloat64()) }} {
		truth := map[string]float64{"normal": 0, "skewed": 1}[name]
		const tried = 2000
		held := 0
		for range tried {
			values := make([]float64, 20)
			for i := range values {
				values[i] = draw()
			}
			before := slices.Clone(values)
			if x := median.Of(values, 0.95); x.Lo <= truth && truth <= x.Hi && x.Lo <= x.Center && x.Center <= x.Hi {
				held++
			}
			if !slices.Equal(values, before) {
				t.Fatal("the values are in another order")
			}
		}
		if share := float64(held) / tried; share < 0.94 || share > 0.99 {
			t.Errorf("%s: %.3f of the intervals hold the median, want 0.95", name, share)
		}
	}
	if x := median.Of([]float64{1, 2, 3}, 0.95); x.Center != 2 || !math.IsInf(x.Lo, -1) || !math.IsInf(x.Hi, 1) {
		t.Errorf("three values have the interval %+v", x)
	}
}
