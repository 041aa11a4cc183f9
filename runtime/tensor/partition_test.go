package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// patterns are lines that make selection hard: in order, equal, of few values, with NaN, infinities
// and zeros of both signs.
var patterns = map[string]func(r *rand.Rand, i, n int) float64{
	"random":  func(r *rand.Rand, _, _ int) float64 { return r.NormFloat64() * 100 },
	"up":      func(_ *rand.Rand, i, _ int) float64 { return float64(i) },
	"down":    func(_ *rand.Rand, i, n int) float64 { return float64(n - i) },
	"pipe":    func(_ *rand.Rand, i, n int) float64 { return float64(min(i, n-i)) },
	"equal":   func(*rand.Rand, int, int) float64 { return 7 },
	"two":     func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(2)) },
	"few":     func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(5)) },
	"periods": func(_ *rand.Rand, i, _ int) float64 { return float64(i % 32) },
	"special": func(r *rand.Rand, _, _ int) float64 {
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, math.MaxFloat64}[r.IntN(7)]
	},
	"nan": func(*rand.Rand, int, int) float64 { return math.NaN() },
}

// TestPartitioned compares the elements at kth with those of a whole sort, and the sets on both
// sides of them, for every type and pattern, as lines and as columns.
func TestPartitioned(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, pattern := range patterns {
		for _, n := range []int{1, 2, 3, fewSelected, fewSelected + 1, 100, 700, 1000, 20000} {
			list := make([]float64, n)
			for i := range list {
				list[i] = pattern(r, i, n)
			}
			for dtype := kernels.Bool; dtype < kernels.NumDTypes; dtype++ {
				if !dtype.IsFloat() && (name == "special" || name == "nan") || loopsOf[dtype].encode == nil {
					continue
				}
				line := From(list, n).AsType(dtype)
				columns := Empty(dtype, n, 2)
				for i := range 2 {
					CopyTo(columns.view([]int{n}, columns.strides[:1], i*dtype.Size()), line)
				}
				for range 3 {
					kth := []int{r.IntN(n), r.IntN(n) - n, r.IntN(n)}[:1+r.IntN(3)]
					checkPartition(t, name, line, kth, 0)
					checkPartition(t, name, columns, kth, 0)
				}
			}
		}
	}
}

func checkPartition(t *testing.T, name string, a *Dense, kth []int, axis int) {
	t.Helper()
	sorted, err := Sort(a, axis)
	if err != nil {
		t.Fatal(err)
	}
	part, err := Partition(a, kth, axis, nil)
	if err != nil {
		t.Fatal(err)
	}
	order, err := ArgPartition(a, kth, axis, nil)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := TakeAlongAxis(a, order, axis, nil)
	if err != nil {
		t.Fatal(err)
	}
	places, _ := placesOf(a, kth, axis)
	n := a.shape[axis]
	for what, z := range map[string]*Dense{"partition": part, "argpartition": taken} {
		for first, end := 0, 0; first < n; first = end { // between two places stand the same elements as in the sorted one
			for end = first + 1; end < n && !slices.Contains(places, end) && !slices.Contains(places, end-1); {
				end++
			}
			want, _ := Sort(sorted.part(axis, first, end), axis)
			got, _ := Sort(z.part(axis, first, end), axis)
			if !Equal(got, want) {
				t.Fatalf("%s of %s %v, length %d, kth %v: from %d to %d got %v, want %v", what, name, a.dtype, n, kth, first, end, got.Floats(), want.Floats())
			}
		}
	}
}

// TestSelectWithoutLuck: a line that outwits every sample is sorted.
func TestSelectWithoutLuck(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for divided := range 4 {
		x := make([]uint64, 1000)
		for i := range x {
			x[i] = r.Uint64N(500)
		}
		want := slices.Sorted(slices.Values(x))[300]
		selectKey(x, 300, divided, nil)
		if x[300] != want || slices.Max(x[:300]) > want || slices.Min(x[300:]) < want {
			t.Errorf("after %d divisions: got %d, want %d", divided, x[300], want)
		}
	}
}

// TestRanked compares with a whole sort: equal numbers, but that zeros of both signs have no order.
func TestRanked(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for name, pattern := range patterns {
		for _, n := range []int{0, 1, 2, 40, 3000} {
			list := make([]float64, n)
			for i := range list {
				list[i] = pattern(r, i, n)
			}
			sorted, err := Sort(From(list, n), 0)
			if err != nil {
				t.Fatal(err)
			}
			ranked := NewRanked(n)
			ranked.Read(list, nil)
			numbers := len(slices.DeleteFunc(slices.Clone(list), math.IsNaN))
			if ranked.Numbers != numbers {
				t.Errorf("%s: got %d numbers, want %d", name, ranked.Numbers, numbers)
			}
			if numbers == 0 {
				continue
			}
			places := []int{0, numbers / 3, numbers - 1}
			ranked.Rank(slices.Compact(slices.Clone(places)), nil)
			for _, k := range places {
				if got, want := ranked.At(k), sorted.Floats()[k]; got != want {
					t.Errorf("%s, length %d, place %d: got %v, want %v", name, n, k, got, want)
				}
			}
		}
	}
}

// TestSelectStopped: selecting hears a Stop, and leaves the array as it was.
func TestSelectStopped(t *testing.T) {
	raised := uint32(1)
	a := Empty(kernels.Float64, 100)
	a.Fill(3)
	ranked := NewRanked(100)
	_, part := Partition(a, []int{50}, 0, &raised)
	_, order := ArgPartition(a, []int{50}, 0, &raised)
	if part != ErrStopped || order != ErrStopped || ranked.Read(a.Floats(), &raised) || !ranked.Read(a.Floats(), nil) || ranked.Rank([]int{50}, &raised) {
		t.Errorf("stopped: got %v and %v, and numbers were ranked", part, order)
	}
	for divided := range 4 {
		x := make([]uint64, 1000)
		if selectKey(x, 300, divided, &raised) {
			t.Errorf("stopped after %d divisions, it ran to its end", divided)
		}
	}
}
