package array

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/runtime/tensor"
)

// TestBinner: computed bins are those that a search finds, for edges and their neighbours, numbers
// between and beyond them, and what is none.
func TestBinner(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 49, 1000} {
		for _, ends := range [][2]float64{{0, 1}, {0.1, 0.9}, {-1e-300, 1e-300}, {1e15, 1e15 + 100}, {-5, 7}, {0, 5e-324}, {0, 1e-309}, {-1e308, 1e308}, {1, 2e8}} {
			for _, scattered := range []bool{false, true} {
				edges, _ := Spaced(new(tensor.Poll), ends[0], ends[1], n+1, true)
				list := tensor.Elements[float64](edges)
				if scattered && n > 1 {
					list[1] = list[0]
				}
				bin := binner(list)
				try := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}
				for _, edge := range list {
					try = append(try, edge, math.Nextafter(edge, math.Inf(1)), math.Nextafter(edge, math.Inf(-1)))
				}
				for range 100 {
					try = append(try, ends[0]+r.Float64()*(ends[1]-ends[0]))
				}
				for _, x := range try {
					if got, want := bin(x), binOf(x, list); got != want {
						t.Fatalf("%d bins from %g to %g: %g is in %d, want %d", n, ends[0], ends[1], x, got, want)
					}
				}
			}
		}
	}
}
