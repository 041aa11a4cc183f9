package tensor

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

func atItem(i int) Item { return Item{Index: Index{At: &i}} }

func indexItem(values ...int64) Item { return Item{Array: From(values, len(values))} }

func TestSelectErrors(t *testing.T) {
	a, _ := arange(2, 3)
	zero := 0
	bools := func(n int) Item { return Item{Array: New(kernels.Bool, n)} }
	for _, c := range []struct {
		items []Item
		want  string
	}{
		{[]Item{atItem(2)}, "index 2 is out of bounds for axis 0 with size 2"},
		{[]Item{atItem(math.MinInt)}, "index -9223372036854775808 is out of bounds for axis 0 with size 2"},
		{[]Item{{Ellipsis: true}, atItem(-4)}, "index -4 is out of bounds for axis 1 with size 3"},
		{[]Item{{}, indexItem(0, 5)}, "index 5 is out of bounds for axis 1 with size 3"},
		{[]Item{{NewAxis: true}, indexItem(0, -3)}, "index -3 is out of bounds for axis 0 with size 2"},
		{[]Item{indexItem(math.MinInt64)}, "index -9223372036854775808 is out of bounds for axis 0 with size 2"},
		{[]Item{{Array: From([]uint64{1, math.MaxUint64}, 2)}},
			"index 18446744073709551615 is out of bounds for axis 0 with size 2"},
		{[]Item{{Array: IntScalar(kernels.Int8, 9)}}, "index 9 is out of bounds for axis 0 with size 2"},
		{[]Item{bools(4)}, "boolean index did not match along axis 0: got length 4, want 2"},
		{[]Item{atItem(0), bools(4)}, "boolean index did not match along axis 1: got length 4, want 3"},
		{[]Item{{Array: New(kernels.Bool, 2, 2)}}, "boolean index did not match along axis 1: got length 2, want 3"},
		{[]Item{{}, {Array: New(kernels.Bool, 2, 3)}}, "too many indices: got 3, want at most 2 for shape (2, 3)"},
		{[]Item{{Ellipsis: true}, {Ellipsis: true}}, "an index can only have a single ellipsis: got 2"},
		{[]Item{{Array: New(kernels.Float32, 2)}}, "arrays used as indices must be of integer or bool type: got float32"},
		{[]Item{indexItem(0, 1), indexItem(0, 1, 2)},
			"shape mismatch: indexing arrays could not be broadcast together with shapes (2,) (3,)"},
		{[]Item{{Index: Index{Step: &zero}}}, "slice step of axis 0 is 0"},
		{slices.Repeat([]Item{{NewAxis: true}}, 7), "got 9 dimensions, want at most 8"},
		{[]Item{{Array: New(kernels.Int64, 1, 1, 1, 1, 1, 1, 1, 1)}}, "got 9 dimensions, want at most 8"},
	} {
		if s, err := a.Select(c.items...); err == nil || err.Error() != c.want {
			t.Errorf("got %v, error %v; want error %q", s, err, c.want)
		}
	}
	s, err := a.Select(indexItem(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	want := "could not broadcast values of shape (2,) into shape (2, 3)"
	for name, put := range map[string]func(*Dense) error{"Set": s.Set, "Add": s.Add} {
		if err := put(From([]int64{1, 2}, 2)); err == nil || err.Error() != want {
			t.Errorf("%s: got error %v, want %q", name, err, want)
		}
	}
	if got := a.Ints(); !slices.Equal(got, []int64{0, 1, 2, 3, 4, 5}) {
		t.Errorf("what failed wrote %v", got)
	}
}

// TestSelectOverlap: values and indices may lie in the array that is written.
func TestSelectOverlap(t *testing.T) {
	one, last := 1, -1
	for _, c := range []struct {
		name string
		item Item
		src  Index
		want []int64
		sum  []int64
	}{
		{"shift up", Item{Index: Index{Start: &one}}, Index{Stop: &last}, []int64{0, 0, 1, 2}, []int64{0, 1, 3, 5}},
		{"shift down", Item{Index: Index{Stop: &last}}, Index{Start: &one}, []int64{1, 2, 3, 3}, []int64{1, 3, 5, 3}},
		{"reverse", indexItem(0, 1, 2, 3), Index{Step: &last}, []int64{3, 2, 1, 0}, []int64{3, 3, 3, 3}},
		{"one element", indexItem(1, 1, 1), Index{Start: &one}, []int64{0, 3, 2, 3}, []int64{0, 7, 2, 3}},
	} {
		for name, want := range map[string][]int64{"Set": c.want, "Add": c.sum} {
			a, _ := arange(4)
			src, err := a.Subscript(c.src)
			if err != nil {
				t.Fatal(err)
			}
			s, err := a.Select(c.item)
			if err != nil {
				t.Fatal(err)
			}
			put := map[string]func(*Dense) error{"Set": s.Set, "Add": s.Add}[name]
			if err := put(src); err != nil || !slices.Equal(a.Ints(), want) {
				t.Errorf("%s: %s: got %v, %v; want %v", c.name, name, a.Ints(), err, want)
			}
		}
	}
	a := From([]int64{3, 2, 1, 0}, 4)
	s, err := a.Select(Item{Array: a})
	if err != nil {
		t.Fatal(err)
	}
	for i := range Elements[int64](a) { // what the index holds now is of no matter
		Elements[int64](a)[i] += 10
	}
	if got, err := s.Get(); err != nil || !slices.Equal(got.Ints(), []int64{10, 11, 12, 13}) {
		t.Errorf("a[a]: got %v, want 10 to 13", got)
	}
}

// TestSizesAreChecked: no size that a user gives is allocated before it is known to fit. What is
// too large here is never there: a view repeats one element.
func TestSizesAreChecked(t *testing.T) {
	const huge = 1 << 46
	repeated := func(dtype kernels.DType) *Dense {
		z, _ := New(dtype, 1).BroadcastTo([]int{huge})
		return z
	}
	ints, floats, bools := repeated(kernels.Int64), repeated(kernels.Float64), repeated(kernels.Bool)
	matrix, _ := ints.BroadcastTo([]int{2, huge})
	small, _ := arange(3)
	list := func(f func() (*Dense, error)) error { _, err := f(); return err }
	for name, err := range map[string]error{
		"select":       list(func() (*Dense, error) { _, err := small.Select(Item{Array: ints}); return nil, err }),
		"mask":         list(func() (*Dense, error) { _, err := bools.Select(Item{Array: bools}); return nil, err }),
		"rows":         list(func() (*Dense, error) { _, err := matrix.Select(indexItem(0)); return nil, err }),
		"take":         list(func() (*Dense, error) { return Take(small, ints, 0, Clip, nil) }),
		"sort":         list(func() (*Dense, error) { return Sort(floats, 0) }),
		"argsort":      list(func() (*Dense, error) { return ArgSort(bools, 0) }),
		"lexsort":      list(func() (*Dense, error) { return LexSort([]*Dense{bools}, 0, nil) }),
		"unique":       list(func() (*Dense, error) { _, err := Unique(bools, nil); return nil, err }),
		"searchsorted": list(func() (*Dense, error) { return SearchSorted(small, bools, false, nil, nil) }),
		"sorted":       list(func() (*Dense, error) { return SearchSorted(bools, small, false, nil, nil) }),
		"digitize":     list(func() (*Dense, error) { return Digitize(bools, small, false, nil) }),
		"interp":       list(func() (*Dense, error) { return Interp(bools, small, small, nil, nil, nil) }),
		"scan":         list(func() (*Dense, error) { return Scan("sum", bools, 0, kernels.Int64, nil) }),
		"diff":         list(func() (*Dense, error) { return Diff(bools, 1, 0) }),
		"bincount":     list(func() (*Dense, error) { return BinCount(From([]int64{huge}, 1), nil, 0, nil) }),
		"bincount most": list(func() (*Dense, error) {
			return BinCount(From([]int64{math.MaxInt64}, 1), nil, 0, nil)
		}),
		"minlength":    list(func() (*Dense, error) { return BinCount(small, nil, math.MaxInt, nil) }),
		"countnonzero": list(func() (*Dense, error) { _, err := CountNonZero(bools); return nil, err }),
		"argwhere":     list(func() (*Dense, error) { return ArgWhere(bools, nil) }),
		"nonzero":      list(func() (*Dense, error) { _, err := NonZero(floats); return nil, err }),
		"repeat":       list(func() (*Dense, error) { return Repeat(small, IntScalar(kernels.Int64, huge), 0, nil) }),
		"repeat sum":   list(func() (*Dense, error) { return Repeat(small, IntScalar(kernels.Int64, math.MaxInt64/2), 0, nil) }),
		"tile":         list(func() (*Dense, error) { return Tile(small, huge) }),
		"tile square":  list(func() (*Dense, error) { return Tile(small, 1<<24, 1<<24) }),
		"tile rank":    list(func() (*Dense, error) { return Tile(small, 1, 1, 1, 1, 1, 1, 1, 1, 1) }),
		"tile -1":      list(func() (*Dense, error) { return Tile(small, -1) }),
		"roll":         list(func() (*Dense, error) { return Roll(bools, 1, 0) }),
		"tri":          list(func() (*Dense, error) { return Tri(math.MaxInt, math.MaxInt, 0) }),
		"tri -1":       list(func() (*Dense, error) { return Tri(-1, 1, 0) }),
		"tril":         list(func() (*Dense, error) { return Tril(matrix, 0) }),
		"along axis":   list(func() (*Dense, error) { return TakeAlongAxis(bools, ints, 0, nil) }),
	} {
		if size := new(*SizeError); !errors.As(err, size) {
			t.Errorf("%s: got error %v, want a *SizeError", name, err)
		}
	}
}

// TestArgumentErrors holds the text of what does not come from NumPy.
func TestArgumentErrors(t *testing.T) {
	a, _ := arange(2, 3)
	v, _ := arange(3)
	f := New(kernels.Float64, 3)
	minus := From([]int64{0, -1, 0}, 3)
	list := func(_ any, err error) string { return fmt.Sprint(err) }
	for _, c := range []struct{ got, want string }{
		{list(Sort(a, 2)), "axis 2 is out of bounds for 2 dimensions, want -2 to 1"},
		{list(ArgSort(IntScalar(kernels.Int8, 1), 0)), "axis 0 is out of bounds for 0 dimensions: a scalar has no axes"},
		{list(Partition(a, []int{1, 3}, 1, nil)), "kth=3 is out of bounds for axis 1 with size 3"},
		{list(ArgPartition(a, []int{-3}, 0, nil)), "kth=-3 is out of bounds for axis 0 with size 2"},
		{list(LexSort(nil, 0, nil)), "lexsort: got no keys, want at least one"},
		{list(LexSort([]*Dense{v, a}, 0, nil)), "lexsort: got key 1 of shape (2, 3), want (3,)"},
		{list(SearchSorted(a, v, false, nil, nil)), "searchsorted: got a sorted array of rank 2, want 1"},
		{list(SearchSorted(v, v, false, New(kernels.Int64, 2), nil)), "searchsorted: got a sorter of shape (2,), want (3,)"},
		{list(SearchSorted(v, v, false, From([]int64{0, 1, 3}, 3), nil)),
			"searchsorted: sorter: index 3 is out of bounds for axis 0 with size 3"},
		{list(Digitize(v, a, false, nil)), "digitize: got bins of rank 2, want 1"},
		{list(Digitize(v, From([]int64{1, 3, 2}, 3), false, nil)), "digitize: bins must be monotonically increasing or decreasing"},
		{list(Interp(v, v, New(kernels.Float64, 2), nil, nil, nil)),
			"interp: got xp of shape (3,) and fp of shape (2,), want vectors of one length from 1"},
		{list(Scan("mean", a, 0, kernels.Int64, nil)), `scan: got "mean", want sum, prod, max or min`},
		{list(Diff(a, -1, 0)), "diff: got order -1, want at least 0"},
		{list(BinCount(f, nil, 0, nil)), "bincount: got float64 of rank 1, want integers of rank 1"},
		{list(BinCount(minus, nil, 0, nil)), "bincount: got -1, want no negative number"},
		{list(BinCount(v, New(kernels.Float64, 2), 0, nil)), "bincount: got weights of shape (2,), want (3,)"},
		{list(BinCount(v, nil, -1, nil)), "bincount: got minlength -1, want at least 0"},
		{list(Repeat(a, minus, 1, nil)), "repeat: got count -1, want no negative number"},
		{list(Repeat(a, v, 0, nil)), "repeat: got counts of shape (3,) and type int64, want one integer or 2"},
		{list(Repeat(a, f, 1, nil)), "repeat: got counts of shape (3,) and type float64, want one integer or 3"},
		{list(Take(a, f, 0, Raise, nil)), "indices: got float64, want an integer type"},
		{list(Take(a, v, 0, Raise, nil)), "index 2 is out of bounds for axis 0 with size 2"},
		{list(Take(New(kernels.Int8, 0), v, 0, Wrap, nil)), "cannot take 3 elements from an axis of length 0"},
		{list(TakeAlongAxis(a, v, 0, nil)), "indices: got rank 1, want 2"},
		{list(nil, PutAlongAxis(f, f, f, 0, nil)), "indices: got float64, want an integer type"},
		{list(Flip(v, AxesOf(0, 1))), "axis 1 is out of bounds for 1 dimensions, want -1 to 0"},
		{list(Diagonal(a, 0, 1, -1)), "diagonal: got axis 1 twice, want two axes"},
		{list(Tril(v, 0)), "triangle: got rank 1, want at least 2"},
	} {
		if c.got != c.want {
			t.Errorf("got error %q, want %q", c.got, c.want)
		}
	}
}

// TestExtremes: numbers at the ends of their types, which sums and shifts would overflow.
func TestExtremes(t *testing.T) {
	signed := From([]int64{math.MaxInt64, 0, math.MinInt64, -1}, 4)
	unsigned := From([]uint64{math.MaxUint64, 0, 1 << 63, 1}, 4)
	floats := From([]float64{math.NaN(), math.Inf(1), math.Copysign(math.NaN(), -1), 0, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, math.Inf(-1)}, 7)
	for _, c := range []struct {
		a    *Dense
		want []int64
	}{
		{signed, []int64{2, 3, 1, 0}},
		{unsigned, []int64{1, 3, 2, 0}},
		{floats, []int64{6, 4, 3, 5, 1, 0, 2}},
	} {
		order, err := ArgSort(c.a, 0)
		if err != nil || !slices.Equal(order.Ints(), c.want) {
			t.Fatalf("argsort of %v: got %v, %v; want %v", c.a.Floats(), order.Ints(), err, c.want)
		}
		sorted, err := Sort(c.a, 0)
		if want, _ := Take(c.a, order, 0, Raise, nil); err != nil || !Equal(sorted, want) {
			t.Errorf("sort: got %v, %v; want %v", sorted.Floats(), err, want.Floats())
		}
	}
	zeros := From([]float64{0, math.Copysign(0, -1), 0}, 3)
	if order, err := ArgSort(zeros, 0); err != nil || !slices.Equal(order.Ints(), []int64{0, 1, 2}) {
		t.Errorf("zeros: got order %v, %v", order.Ints(), err)
	}
	if u, err := Unique(zeros, nil); err != nil || u.Values.Size() != 1 {
		t.Errorf("zeros: got %v, %v, want one", u, err)
	}
	if sorted, err := Sort(zeros, 0); err != nil || fmt.Sprint(sorted.Floats()) != "[0 -0 0]" {
		t.Errorf("zeros do not keep their order: %v, %v", sorted.Floats(), err)
	}
	a, _ := arange(4)
	for _, shift := range []int{math.MinInt, math.MaxInt} {
		z, err := Roll(a, shift, 0)
		if want := int64(-shift) & 3; err != nil || z.Ints()[0] != want {
			t.Errorf("roll by %d: got %v, %v; want %d first", shift, z.Ints(), err, want)
		}
	}
	square, _ := arange(2, 2)
	for _, k := range []int{math.MinInt, math.MaxInt} {
		want := []int64{0, 0, 0, 0}
		if k > 0 {
			want = []int64{0, 1, 2, 3}
		}
		lower, err := Tril(square, k)
		if err != nil || !slices.Equal(lower.Ints(), want) {
			t.Errorf("tril %d: got %v, %v; want %v", k, lower.Ints(), err, want)
		}
		upper, err := Triu(square, -k-1)
		if err != nil || !slices.Equal(upper.Ints(), want) {
			t.Errorf("triu %d: got %v, %v; want %v", -k-1, upper.Ints(), err, want)
		}
		if mask, err := Tri(2, 2, k); err != nil || slices.Contains(mask.Ints(), 1) != (k > 0) {
			t.Errorf("tri %d: got %v, %v", k, mask.Ints(), err)
		}
		if d, err := Diagonal(square, k, 0, 1); err != nil || d.Size() != 0 {
			t.Errorf("diagonal %d: got %v, %v, want nothing", k, d.Shape(), err)
		}
	}
}

// TestPartition: what stands at kth is what sorting puts there, and nothing before it is larger.
func TestPartition(t *testing.T) {
	a := From([]int64{5, 1, 4, 1, 3, 9, 2}, 7)
	for k := range 7 {
		z, err := Partition(a, []int{k}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		order, err := ArgPartition(a, []int{k}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := Take(a, order, 0, Raise, nil)
		for _, list := range [][]int64{z.Ints(), x.Ints()} {
			if slices.Max(list[:k+1]) != list[k] || slices.Min(list[k:]) != list[k] {
				t.Errorf("kth=%d: got %v", k, list)
			}
		}
	}
	if !slices.Equal(a.Ints(), []int64{5, 1, 4, 1, 3, 9, 2}) {
		t.Errorf("the operand has become %v", a.Ints())
	}
}
