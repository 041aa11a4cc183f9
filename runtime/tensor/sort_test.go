package tensor

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestSortLengths sorts lines of all lengths around those where one way of sorting follows another, with few and many equal
// elements, one after the other and strided, and compares with the standard library's stable sort.
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
