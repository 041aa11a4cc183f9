package array

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestQuantileOfSorted: what is found by selecting is bit for bit what the elements of a whole sort
// say, for each method, with nan and infinities.
func TestQuantileOfSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q := []float64{0, 0.001, 0.1, 0.25, 0.5, 0.7, 0.9, 1}
	for _, n := range []int{1, 2, 3, 4, 33, 50, 999, 5000} {
		for _, special := range []float64{1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			list := make([]float64, 2*n)
			for i := range list {
				if list[i] = math.Round(r.NormFloat64() * 50); r.IntN(n) == 0 {
					list[i] = special
				}
			}
			a := tensor.From(list, 2, n)
			for _, skip := range []bool{false, true} {
				lanes := Lanes{Axes: tensor.AxesOf(1), SkipNaN: skip}
				for line := range 2 {
					sorted := slices.Clone(list[line*n : (line+1)*n])
					bad := slices.ContainsFunc(sorted, math.IsNaN) && !skip
					sorted = slices.DeleteFunc(sorted, math.IsNaN)
					slices.Sort(sorted)
					check := func(what string, got float64, want func() float64) {
						w := math.NaN()
						if !bad && len(sorted) > 0 {
							w = want()
						}
						if got != w && !(got != got && w != w) {
							t.Errorf("%s of %d with %v, skip %v: got %v, want %v", what, n, special, skip, got, w)
						}
					}
					z, err := Median(Calculator{}, a, lanes)
					if err != nil {
						t.Fatal(err)
					}
					check("median", z.Floats()[line], func() float64 {
						if k := len(sorted); k%2 == 1 {
							return sorted[k/2]
						}
						return (sorted[len(sorted)/2-1] + sorted[len(sorted)/2]) / 2
					})
					for name, m := range quantileMethods {
						z, err := Quantile(Calculator{}, a, tensor.From(q, len(q)), name, lanes)
						if err != nil {
							t.Fatal(err)
						}
						for i, q := range q {
							check(name, z.Floats()[2*i+line], func() float64 {
								p := m.place(len(sorted), q)
								if m.elements {
									return sorted[p.low]
								}
								return between(sorted[p.low], sorted[p.high], p)
							})
						}
					}
				}
			}
		}
	}
	if z, err := Median(Calculator{}, tensor.New(kernels.Float64, 0), Lanes{Axes: tensor.AllAxes(1)}); err != nil || !math.IsNaN(z.Floats()[0]) {
		t.Errorf("median of nothing: got %v, %v, want nan", z, err)
	}
}
