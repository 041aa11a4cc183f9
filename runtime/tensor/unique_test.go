package tensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestDistinct: values and counts are those of Unique, the sign of zero too, for every type, few
// and many different elements, and any order of memory.
func TestDistinct(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}
	for d := kernels.Bool; d < kernels.NumDTypes; d++ {
		for _, n := range []int{0, 1, 2, 3, 17, 100, 5000, 70000} {
			for _, different := range []int{1, 5, 1 << 20} {
				x := make([]float64, n)
				for i := range x {
					x[i] = float64(rnd.IntN(different) - different/2)
					if d.IsFloat() && rnd.IntN(4) == 0 {
						x[i] = special[rnd.IntN(len(special))]
					}
				}
				all := From(x, n).AsType(d)
				for name, a := range map[string]*Dense{"plain": all, "turned": all.view([]int{n / 2, 2}, []int{2 * d.Size(), d.Size()}, all.offset).Transpose(),
					"back": all.view([]int{n}, []int{-d.Size()}, all.offset+max(0, n-1)*d.Size())} {
					want, err := Unique(a, nil)
					if err != nil {
						t.Fatal(err)
					}
					got, err := Distinct(a, nil)
					if err != nil || !Equal(got.Values, want.Values) || !Equal(got.Counts, want.Counts) {
						t.Errorf("%v %s of %d, %d different: got %v, want %v", d, name, n, different, got, want)
						continue
					}
					if d.IsFloat() {
						for i, v := range got.Values.Floats() {
							if v == 0 && math.Signbit(v) != math.Signbit(want.Values.Floats()[i]) {
								t.Errorf("%v %s of %d: zero has the sign of another one than the first", d, name, n)
							}
						}
					}
				}
			}
		}
	}
	stop := new(uint32)
	*stop = 1
	if _, err := Distinct(From(make([]float64, 1<<16), 1<<16), stop); err != ErrStopped {
		t.Errorf("got %v, want ErrStopped", err)
	}
}
