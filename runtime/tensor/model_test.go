package tensor

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// A model is an array as plain lists: what a view must show.
type model struct {
	shape  []int
	values []int64 // in C order
}

// arange returns 0, 1, 2, ... both ways.
func arange(shape ...int) (*Dense, model) {
	values := make([]int64, Size(shape))
	for i := range values {
		values[i] = int64(i)
	}
	return From(values, shape...), model{slices.Clone(shape), values}
}

// indices yields all indices of a shape in C order; the slice is reused.
func indices(shape []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		index := make([]int, len(shape))
		for range Size(shape) {
			if !yield(index) {
				return
			}
			for axis := len(shape) - 1; axis >= 0; axis-- {
				if index[axis]++; index[axis] < shape[axis] {
					break
				}
				index[axis] = 0
			}
		}
	}
}

func (m model) at(index []int) int64 {
	flat := 0
	for axis, i := range index {
		flat = flat*m.shape[axis] + i
	}
	return m.values[flat]
}

// pick makes the model of a view whose element index is m's element from(index).
func (m model) pick(shape []int, from func(index []int) []int) model {
	z := model{shape: slices.Clone(shape)}
	for index := range indices(shape) {
		z.values = append(z.values, m.at(from(index)))
	}
	return z
}

// elements reads a by the definition of strides, without the kernels.
func elements(a *Dense) []int64 {
	var values []int64
	for index := range indices(a.shape) {
		p := a.offset
		for axis, i := range index {
			p += i * a.strides[axis]
		}
		values = append(values, *(*int64)(unsafe.Pointer(&a.buf.data[p])))
	}
	return values
}

func (m model) check(t *testing.T, a *Dense) {
	t.Helper()
	if !slices.Equal(a.shape, m.shape) {
		t.Fatalf("got shape %v, want %v", a.shape, m.shape)
	}
	if got := elements(a); !slices.Equal(got, m.values) {
		t.Fatalf("shape %v: got %v, want %v", a.shape, got, m.values)
	}
	// The kernels must see what the strides say.
	if got := a.Ints(); !slices.Equal(got, m.values) {
		t.Fatalf("shape %v: Ints: got %v, want %v", a.shape, got, m.values)
	}
	if a.IsContiguous() {
		if got := Elements[int64](a); !slices.Equal(got, m.values) {
			t.Fatalf("shape %v: Elements: got %v, want %v", a.shape, got, m.values)
		}
	}
}

// TestRandomViews composes views of views and compares each with the model.
func TestRandomViews(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = r.IntN(4)
			if r.IntN(2) == 0 {
				shape[i]++
			}
		}
		a, m := arange(shape...)
		buf := a.buf
		for step := range 6 {
			name := ""
			name, a, m = randomView(t, r, a, m)
			if name != "reshape" && a.buf != buf {
				t.Fatalf("seed %d, step %d: %s copied", seed, step, name)
			}
			buf = a.buf
			m.check(t, a)
			if t.Failed() {
				t.Fatalf("seed %d, step %d: %s", seed, step, name)
			}
		}
	}
}

func randomView(t *testing.T, r *rand.Rand, a *Dense, m model) (string, *Dense, model) {
	t.Helper()
	rank := len(m.shape)
	var z *Dense
	var err error
	switch r.IntN(5) {
	case 0:
		back := slices.Clone(m.shape)
		slices.Reverse(back)
		return "transpose", a.Transpose(), m.pick(back, func(index []int) []int {
			from := slices.Clone(index)
			slices.Reverse(from)
			return from
		})
	case 1:
		pattern := randomPattern(r, m.shape)
		shape := make([]int, len(pattern))
		for i, p := range pattern {
			shape[i] = 1
			if p != NewAxis {
				shape[i] = m.shape[p]
			}
		}
		z, err = a.DimShuffle(pattern)
		m = m.pick(shape, func(index []int) []int {
			from := make([]int, rank)
			for i, p := range pattern {
				if p != NewAxis {
					from[p] = index[i]
				}
			}
			return from
		})
		if err != nil {
			t.Fatalf("dimshuffle %v: %v", pattern, err)
		}
		return "dimshuffle", z, m
	case 2:
		shape := slices.Clone(m.shape)
		for i, d := range shape {
			if d == 1 {
				shape[i] = r.IntN(4)
			}
		}
		lead := r.IntN(MaxRank + 1 - rank)
		for range min(lead, 2) {
			shape = append([]int{r.IntN(3)}, shape...)
		}
		z, ok := a.BroadcastTo(shape)
		if !ok {
			t.Fatalf("%v does not broadcast to %v", m.shape, shape)
		}
		return "broadcast", z, m.pick(shape, func(index []int) []int {
			from := slices.Clone(index[len(shape)-rank:])
			for i, d := range m.shape {
				if d == 1 {
					from[i] = 0
				}
			}
			return from
		})
	case 3:
		shape := []int{-1}
		if n := len(m.values); n%2 == 0 && n > 0 {
			shape = []int{2, -1}
		}
		z, err = a.Reshape(shape...)
		if err != nil {
			t.Fatalf("reshape %v to %v: %v", m.shape, shape, err)
		}
		if n := len(m.values); len(shape) == 2 {
			return "reshape", z, model{[]int{2, n / 2}, m.values}
		}
		return "reshape", z, model{[]int{len(m.values)}, m.values}
	}
	index, shape, from := randomSubscripts(r, m.shape)
	if z, err = a.Subscript(index...); err != nil {
		t.Fatalf("subscript of %v: %v", m.shape, err)
	}
	return "subscript", z, m.pick(shape, from)
}

// randomPattern permutes the axes, drops some of length 1 and inserts new ones.
func randomPattern(r *rand.Rand, shape []int) []int {
	var pattern []int
	for _, axis := range r.Perm(len(shape)) {
		if shape[axis] == 1 && r.IntN(2) == 0 {
			continue
		}
		if r.IntN(4) == 0 && len(shape) < 5 {
			pattern = append(pattern, NewAxis)
		}
		pattern = append(pattern, axis)
	}
	return pattern
}

// randomSubscripts also returns the positions that they take, found by enumeration.
func randomSubscripts(r *rand.Rand, dims []int) (index []Index, shape []int, from func([]int) []int) {
	taken := make([][]int, len(dims)) // of each axis, the positions; nil for all
	single := make([]bool, len(dims))
	for axis := range r.IntN(len(dims) + 1) {
		n := dims[axis]
		if n > 0 && r.IntN(3) == 0 {
			at := r.IntN(2*n) - n
			index, single[axis], taken[axis] = append(index, Index{At: &at}), true, []int{(at + n) % n}
			continue
		}
		bound := func() *int {
			v := r.IntN(2*n+5) - n - 2
			if r.IntN(3) == 0 {
				return nil
			}
			return &v
		}
		ix := Index{Start: bound(), Stop: bound()}
		if step := r.IntN(7) - 3; step != 0 {
			ix.Step = &step
		}
		index = append(index, ix)
		taken[axis] = append([]int{}, pythonSlice(n, ix.Start, ix.Stop, ix.Step)...)
	}
	for axis, d := range dims {
		switch {
		case single[axis]:
		case taken[axis] != nil:
			shape = append(shape, len(taken[axis]))
		default:
			shape = append(shape, d)
		}
	}
	return index, shape, func(index []int) []int {
		full, next := make([]int, len(dims)), 0
		for axis := range dims {
			switch {
			case single[axis]:
				full[axis] = taken[axis][0]
				continue
			case taken[axis] != nil:
				full[axis] = taken[axis][index[next]]
			default:
				full[axis] = index[next]
			}
			next++
		}
		return full
	}
}

// TestModelFindsWrongViews: the comparison of the other tests must be able to fail.
func TestModelFindsWrongViews(t *testing.T) {
	a, m := arange(2, 3)
	if got := elements(a.Transpose()); slices.Equal(got, m.values) {
		t.Error("a transpose has the elements of the array in the same order")
	}
	if got := elements(a.View(kernels.Int64, []int{2, 3}, []int{24, 8}, 0)); !slices.Equal(got, m.values) {
		t.Errorf("got %v, want %v", got, m.values)
	}
}
