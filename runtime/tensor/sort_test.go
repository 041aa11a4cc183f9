package tensor

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestSortLengths sorts lines of all lengths around those where one way of sorting follows another,
// with few and many equal elements, one after the other and strided, and compares with the standard
// library's stable sort.
func TestSortLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range fewKeys + 3*inserted {
		for _, different := range []int64{1, 5, 1 << 40} {
			columns := Empty(kernels.Int64, n, 2)
			for i := range Elements[int64](columns) {
				Elements[int64](columns)[i] = r.Int64N(different) - different/2
			}
			lines, err := columns.DimShuffle([]int{1, 0})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range []*Dense{lines, lines.Copy()} {
				order, err := ArgSort(a, 1)
				if err != nil {
					t.Fatal(err)
				}
				sorted, err := Sort(a, 1)
				if err != nil {
					t.Fatal(err)
				}
				values := a.Ints()
				for line := range 2 {
					x := values[line*n : (line+1)*n]
					places := make([]int64, n)
					for i := range places {
						places[i] = int64(i)
					}
					slices.SortStableFunc(places, func(i, j int64) int { return cmp.Compare(x[i], x[j]) })
					if got := order.Ints()[line*n : (line+1)*n]; !slices.Equal(got, places) {
						t.Fatalf("argsort of %v: got %v, want %v", x, got, places)
					}
					x = slices.Sorted(slices.Values(x))
					if got := sorted.Ints()[line*n : (line+1)*n]; !slices.Equal(got, x) {
						t.Fatalf("sort: got %v, want %v", got, x)
					}
				}
			}
		}
	}
}

// TestSortZeros: zeros of both signs are equal, so that they keep their order, as the positions do:
// of lines of all lengths, one after the other and strided, and of different elements, whose first
// one it is.
func TestSortZeros(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
		for n := range fewKeys + 3*inserted {
			a := Empty(kernels.Float64, 3, n, 2)
			for i := range Elements[float64](a) {
				Elements[float64](a)[i] = []float64{math.Copysign(0, -1), 0, 1, -1, math.NaN()}[r.IntN(min(5, 2+n%7))]
			}
			a = a.AsType(d)
			for axis := range 3 {
				sorted, err := Sort(a, axis)
				if err != nil {
					t.Fatal(err)
				}
				order, err := ArgSort(a, axis)
				if err != nil {
					t.Fatal(err)
				}
				want, err := TakeAlongAxis(a, order, axis, nil)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := fmt.Sprint(sorted.Floats()), fmt.Sprint(want.Floats()); got != want {
					t.Fatalf("%v of %v along axis %d: got %s, want %s", d, a, axis, got, want)
				}
			}
			u, err := Distinct(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Unique(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(u.Values.Floats()), fmt.Sprint(v.Values.Floats()); got != want {
				t.Fatalf("different ones of %v: got %s, want %s", a, got, want)
			}
		}
	}
}
