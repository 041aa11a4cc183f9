package tensor

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
)

func TestAlignment(t *testing.T) {
	for n := range 200 {
		b := EmptyBuffer(n)
		if b.Len() != n || cap(b.data) != n {
			t.Fatalf("buffer of %d bytes: got %d of %d", n, b.Len(), cap(b.data))
		}
		a := Over(b, kernels.Uint8, n)
		if n == 0 {
			if a.Pointer() != nil {
				t.Errorf("an empty array points to %v", a.Pointer())
			}
			continue
		}
		if p := uintptr(a.Pointer()); n > Alignment && p%Alignment != 0 {
			t.Errorf("buffer of %d bytes at %#x, want a multiple of %d", n, p, Alignment)
		}
	}
}

// TestScalarsAndEmpty: arrays of one and of no elements have no special cases.
func TestScalarsAndEmpty(t *testing.T) {
	s := Scalar(kernels.Float32, 2.5)
	if s.Rank() != 0 || s.Size() != 1 || s.NBytes() != 4 || s.Item() != 2.5 || !s.IsContiguous() {
		t.Errorf("scalar: rank %d, %d elements, %d bytes, %v", s.Rank(), s.Size(), s.NBytes(), s.Item())
	}
	if v, err := s.Reshape(1, 1); err != nil || v.buf != s.buf || fmt.Sprint(v.shape) != "[1 1]" {
		t.Errorf("reshape of a scalar: %v, %v", v, err)
	}
	if v, err := s.DimShuffle([]int{NewAxis}); err != nil || v.Item() != 2.5 {
		t.Errorf("dimshuffle of a scalar: %v, %v", v, err)
	}
	if v := s.Transpose(); v.Item() != 2.5 {
		t.Errorf("transpose of a scalar: %v", v)
	}
	for _, shape := range [][]int{{0}, {0, 3}, {3, 0}, {2, 0, 4}} {
		a := New(kernels.Float64, shape...)
		views := []*Dense{a, a.Transpose(), a.Copy(), subscript(a, nil, nil, -1)}
		for i, v := range views {
			if v.Size() != 0 || v.NBytes() != 0 || v.Pointer() != nil || !v.IsContiguous() || len(v.Floats()) != 0 || len(Elements[float64](v)) != 0 {
				t.Errorf("shape %v, view %d: %d elements, contiguous %v", shape, i, v.Size(), v.IsContiguous())
			}
		}
		a.Fill(1)
		if v, err := a.Reshape(5, 0); err != nil || fmt.Sprint(v.shape) != "[5 0]" {
			t.Errorf("reshape of %v: %v, %v", shape, v, err)
		}
	}
}

func TestItems(t *testing.T) {
	for _, d := range kernels.DTypes() {
		var want any = int64(1)
		switch {
		case d.IsBool():
			want = true
		case d.IsFloat():
			want = 1.0
		case d == kernels.Uint64:
			want = uint64(1)
		}
		if got := Scalar(d, 1).Item(); got != want {
			t.Errorf("%v: got %T %v, want %T %v", d, got, got, want, want)
		}
		// A reversed view of one element need not look contiguous.
		if got := subscript(Scalar(d, 1).view([]int{1}, []int{d.Size()}, 0), nil, nil, -1).Item(); got != want {
			t.Errorf("%v, strided: got %v, want %v", d, got, want)
		}
	}
}

func TestMaxRank(t *testing.T) {
	shape := slices.Repeat([]int{1}, MaxRank)
	if a := New(kernels.Bool, shape...); a.Rank() != MaxRank {
		t.Errorf("got rank %d, want %d", a.Rank(), MaxRank)
	}
	wantPanic(t, "BUG: tensor of rank 9, the most is 8", func() { New(kernels.Bool, append(shape, 1)...) })
}

// TestMisuse: what only a bug of ours can do panics, and says what it got.
func TestMisuse(t *testing.T) {
	a, _ := arange(2, 3)
	wantPanic(t, "BUG: 2 values for shape [3]", func() { From([]int8{1, 2}, 3) })
	wantPanic(t, "BUG: int64 array read as float64", func() { Elements[float64](a) })
	wantPanic(t, "BUG: strided array read as a slice", func() { Elements[int64](a.Transpose()) })
	wantPanic(t, "BUG: item of an array of 6 elements", func() { a.Item() })
}

func wantPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); fmt.Sprint(r) != want {
			t.Errorf("got panic %v, want %q", r, want)
		}
	}()
	f()
}

// TestContiguity compares IsContiguous with the addresses of the elements.
func TestContiguity(t *testing.T) {
	a, _ := arange(4, 1, 3)
	for name, v := range map[string]*Dense{
		"whole": a, "rows": subscript(a, nil, nil, 2), "first rows": subscript(a, nil, new(2), 1),
		"one row": subscript(a, new(1), new(2), 1), "one row, backwards": subscript(a, new(1), new(2), -1),
		"backwards":  subscript(a, nil, nil, -1),
		"transposed": a.Transpose(), "a new axis": must(a.DimShuffle([]int{0, NewAxis, 1, 2})),
		"a column": must(a.Subscript(Index{}, Index{}, Index{At: new(0)})),
	} {
		want := true
		next := v.offset
		for index := range indices(v.shape) {
			p := v.offset
			for axis, i := range index {
				p += i * v.strides[axis]
			}
			want = want && p == next
			next += 8
		}
		if got := v.IsContiguous(); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		// Reshape copies exactly where the elements are not in order.
		r, err := v.Reshape(-1)
		if err != nil || SharesMemory(r, v) != want || !slices.Equal(r.Ints(), v.Ints()) {
			t.Errorf("%s: reshape shares memory %v, want %v (%v)", name, SharesMemory(r, v), want, err)
		}
	}
}

func must(a *Dense, err error) *Dense {
	if err != nil {
		panic(err)
	}
	return a
}

func TestResolveShape(t *testing.T) {
	for _, c := range []struct {
		have, want []int
		got        string // the shape, or a part of the error
	}{
		{[]int{2, 3}, []int{6}, "[6]"},
		{[]int{2, 3}, []int{-1}, "[6]"},
		{[]int{2, 3}, []int{3, -1, 1}, "[3 2 1]"},
		{nil, nil, "[]"},
		{nil, []int{1, -1}, "[1 1]"},
		{[]int{1}, nil, "[]"},
		{[]int{0, 3}, []int{-1, 3}, "[0 3]"},
		{[]int{0, 3}, []int{0}, "[0]"},
		{[]int{2, 3}, []int{4}, "cannot reshape (2, 3) of 6 elements to (4,)"},
		{[]int{2, 3}, []int{4, -1}, "cannot reshape (2, 3) of 6 elements to (4, -1)"},
		{[]int{2, 3}, []int{-1, -1}, "cannot reshape to (-1, -1): got length -1 on axis 1, want at most one -1"},
		{[]int{2, 3}, []int{-6, -1}, "cannot reshape to (-6, -1): got length -6 on axis 0"},
		{[]int{0, 3}, []int{0, -1}, "cannot reshape (0, 3) of 0 elements to (0, -1)"},
		{[]int{2, 3}, []int{0, -1}, "cannot reshape (2, 3) of 6 elements to (0, -1)"},
		{[]int{2, 3}, nil, "cannot reshape (2, 3) of 6 elements to ()"},
		{[]int{0}, []int{1 << 32, 1 << 32}, "cannot reshape (0,) of 0 elements"},
	} {
		got, err := ResolveShape(c.have, c.want)
		text := fmt.Sprint(got)
		if err != nil {
			text = err.Error()
		}
		if !strings.HasPrefix(text, c.got) {
			t.Errorf("%v to %v: got %s, want %s", c.have, c.want, text, c.got)
		}
	}
}

func TestBroadcastToFails(t *testing.T) {
	a, _ := arange(2, 3)
	for _, shape := range [][]int{{3}, {3, 3}, {2, 1}, {2, 3, 1}, {}, {0, 3}} {
		if v, ok := a.BroadcastTo(shape); ok {
			t.Errorf("(2, 3) broadcasts to %v: got %v", shape, v.shape)
		}
	}
}

func TestDimShuffleDrops(t *testing.T) {
	a, _ := arange(2, 1)
	if v, err := a.DimShuffle([]int{0}); err != nil || fmt.Sprint(v.shape) != "[2]" {
		t.Errorf("got %v, %v", v, err)
	}
	_, err := a.DimShuffle([]int{1})
	if err == nil || err.Error() != "cannot drop axis 0 of shape (2, 1): its length is 2, want 1" {
		t.Errorf("got error %v", err)
	}
}

func TestShapeString(t *testing.T) {
	for want, shape := range map[string][]int{"()": nil, "(3,)": {3}, "(2, 3)": {2, 3}} {
		if got := ShapeString(shape); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestBriefArraysRead: the elements of a few are those of many.
func TestBriefArraysRead(t *testing.T) {
	values := []float64{1, 0, math.Copysign(0, -1), -1, 2.5, math.NaN(), math.Inf(1), 1e300, -3e9, 1 << 63, 255, 65535.75}
	for _, from := range kernels.DTypes() {
		all := From(values, len(values)).AsType(from)
		floats, ints := all.Floats(), all.Ints()
		for i := range values {
			one := all.Rows(i, i+1)
			if got, want := one.Floats()[0], floats[i]; math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%v: got %v, want %v", from, got, want)
			}
			if got := one.Ints()[0]; got != ints[i] {
				t.Errorf("%v: got %v, want %v", from, got, ints[i])
			}
		}
	}
}
