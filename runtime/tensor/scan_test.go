package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestScanShapes compares scans with loops over indices: any number of lines, lines longer than a
// look at the Stop lasts, along each axis, of an array, of its transpose, of another type, and in
// place.
func TestScanShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	of := map[string]func(a, b float64) float64{
		"sum":  func(a, b float64) float64 { return a + b },
		"prod": func(a, b float64) float64 { return a * b },
		"max":  func(a, b float64) float64 { return max(a, b) },
		"min":  func(a, b float64) float64 { return min(a, b) },
	}
	shapes := [][]int{{pollEvery + 3}, {3, pollEvery + 1}, {pollEvery/2 + 1, 3}, {0, 3}, {3, 0}}
	for outer := range 10 {
		for n := 1; n < 5; n++ {
			shapes = append(shapes, []int{outer, n, 1}, []int{outer, n, 3})
		}
	}
	for _, shape := range shapes {
		a := Empty(kernels.Float64, shape...)
		for i := range Elements[float64](a) {
			Elements[float64](a)[i] = 1 + r.NormFloat64()/64
		}
		if a.Size() > 2 {
			Elements[float64](a)[1], Elements[float64](a)[2] = math.NaN(), math.Copysign(0, -1)
		}
		reversed := make([]int, len(shape))
		for i := range reversed {
			reversed[i] = len(shape) - 1 - i
		}
		turned, err := a.DimShuffle(reversed)
		if err != nil {
			t.Fatal(err)
		}
		single := a.AsType(kernels.Float32)
		for _, x := range []*Dense{a, turned, single} {
			for axis := range x.Rank() {
				for op, f := range of {
					want := x.Copy().Floats()
					outer, n, inner := around(x.shape, axis)
					for o := range outer {
						for i := o*n*inner + inner; i < (o+1)*n*inner; i++ {
							want[i] = f(want[i-inner], want[i])
							if x == single {
								want[i] = float64(float32(want[i]))
							}
						}
					}
					got, err := Scan(op, x, axis, x.dtype, nil)
					if err != nil {
						t.Fatal(err)
					}
					inPlace := x.Copy()
					if err := ScanTo(inPlace, op, inPlace, axis, nil); err != nil {
						t.Fatal(err)
					}
					for _, z := range []*Dense{got, inPlace} {
						if !slices.EqualFunc(z.Floats(), want, func(a, b float64) bool {
							return a != a && b != b || math.Float64bits(a) == math.Float64bits(b)
						}) {
							t.Fatalf("%s of %v along %d: got %v, want %v", op, x.shape, axis, z.Floats(), want)
						}
					}
				}
			}
		}
	}
}
