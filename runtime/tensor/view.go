package tensor

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// NewAxis in a DimShuffle pattern inserts an axis of length 1.
const NewAxis = -1

// view returns an array over the same memory.
func (a *Dense) view(shape, strides []int, offset int) *Dense {
	return &Dense{dtype: a.dtype, shape: shape, strides: strides, offset: offset, buf: a.buf}
}

// viewOf is view with lengths and strides that the caller fills in, in one allocation where there
// are few.
func (a *Dense) viewOf(rank, offset int) *Dense {
	if rank > ownedRank {
		dims := make([]int, 2*rank)
		return a.view(dims[:rank:rank], dims[rank:], offset)
	}
	v := &struct {
		array Dense
		dims  [2 * ownedRank]int
	}{array: Dense{dtype: a.dtype, offset: offset, buf: a.buf}}
	v.array.shape, v.array.strides = v.dims[:rank:rank], v.dims[ownedRank:ownedRank+rank:ownedRank+rank]
	return &v.array
}

// View returns an array over a's memory with other strides (bytes) and offset (bytes from the
// buffer's start). The caller vouches that it stays within the buffer.
func (a *Dense) View(dtype kernels.DType, shape, strides []int, offset int) *Dense {
	v := a.viewOf(len(shape), offset)
	v.dtype = dtype
	copy(v.shape, shape)
	copy(v.strides, strides)
	return v
}

// A View is where one view after the other is described, by who makes many and keeps none: what it
// returned before changes. The zero View is ready.
type View struct {
	array          Dense
	shape, strides [MaxRank]int
}

func (v *View) of(a *Dense, shape, strides []int, offset int) *Dense {
	v.array = Dense{dtype: a.dtype, shape: shape, strides: strides, offset: offset, buf: a.buf}
	return &v.array
}

// DimShuffle permutes, drops and inserts axes: the result's axis i is a's axis pattern[i], or a new
// one of length 1 where pattern[i] is NewAxis. Axes left out must have length 1.
func (a *Dense) DimShuffle(pattern []int) (*Dense, error) { return new(View).DimShuffle(a, pattern) }

// DimShuffle is a.DimShuffle, described in v.
func (v *View) DimShuffle(a *Dense, pattern []int) (*Dense, error) {
	shape, strides := v.shape[:0], v.strides[:0]
	var used uint
	for _, p := range pattern {
		if p == NewAxis {
			shape, strides = append(shape, 1), append(strides, 0)
			continue
		}
		shape, strides = append(shape, a.shape[p]), append(strides, a.strides[p])
		used |= 1 << p
	}
	for i, n := range a.shape {
		if used>>i&1 == 0 && n != 1 {
			return nil, fmt.Errorf("cannot drop axis %d of shape %s: its length is %d, want 1", i, ShapeString(a.shape), n)
		}
	}
	return v.of(a, shape, strides, a.offset), nil
}

// Transpose reverses the axes.
func (a *Dense) Transpose() *Dense {
	v := a.View(a.dtype, a.shape, a.strides, a.offset)
	slices.Reverse(v.shape)
	slices.Reverse(v.strides)
	return v
}

// ReverseAxes replaces operands of elementwise operations by views with the axes in reverse, where
// the result, with its axes in reverse again, had better lie in memory as they do: those that have
// its shape lie there with the first axis moving fastest, and some not in C order too. An operand
// may be nil. It reports whether it did.
func ReverseAxes(operands []*Dense) bool {
	turned := func(a *Dense) bool { return a != nil && len(a.shape) > 1 && a.isFortran() && !a.IsContiguous() }
	first := slices.IndexFunc(operands, turned)
	if first < 0 {
		return false
	}
	shape := operands[first].shape
	views := slices.Clone(operands)
	for i, a := range operands {
		switch {
		case a == nil || len(a.shape) == 0:
		case slices.Equal(a.shape, shape):
			if !a.isFortran() {
				return false
			}
			views[i] = a.Transpose()
		default:
			b, ok := a.BroadcastTo(shape)
			if !ok {
				return false
			}
			views[i] = b.Transpose()
		}
	}
	copy(operands, views)
	return true
}

// BroadcastTo views a with NumPy's broadcasting rules: axes of length 1, and axes added on the
// left, repeat. It reports false if the shapes do not fit.
func (a *Dense) BroadcastTo(shape []int) (*Dense, bool) {
	if len(shape) < len(a.shape) {
		return nil, false
	}
	v := a.viewOf(len(shape), a.offset)
	copy(v.shape, shape)
	return v, a.broadcastStrides(v.strides, shape)
}

// broadcastStrides sets strides to those of a broadcast to a shape of as many axes, and reports
// whether it can be.
func (a *Dense) broadcastStrides(strides, shape []int) bool {
	lead := len(shape) - len(a.shape)
	clear(strides)
	for i, d := range a.shape {
		switch {
		case d == 1:
		case d != shape[lead+i]:
			return false
		default:
			strides[lead+i] = a.strides[i]
		}
	}
	return true
}

// OperandIn describes the array, broadcast to a shape that it broadcasts to, to a kernel. strides
// is memory for that.
func (a *Dense) OperandIn(shape []int, strides *[MaxRank]int) kernels.Operand {
	if slices.Equal(a.shape, shape) {
		return a.Operand()
	}
	to := strides[:len(shape)]
	a.broadcastStrides(to, shape)
	return kernels.Operand{Data: a.Pointer(), Strides: to}
}

// Reshape gives the elements another shape in C order, as a view if a is contiguous and as a copy
// otherwise. One length may be -1 and is then what the others leave.
func (a *Dense) Reshape(shape ...int) (*Dense, error) {
	full, err := ResolveShape(a.shape, shape)
	if err != nil {
		return nil, err
	}
	src := a.flat()
	return src.view(full, CStrides(full, a.dtype.Size()), src.offset), nil
}

// ResolveShape replaces a -1 in want by the length that makes it as large as have.
func ResolveShape(have, want []int) ([]int, error) {
	full, hole, rest := slices.Clone(want), -1, 1
	for i, d := range want {
		switch {
		case d == -1 && hole < 0:
			hole = i
		case d < 0:
			return nil,
				fmt.Errorf("cannot reshape to %s: got length %d on axis %d, want at most one -1 and no other negative length",
					ShapeString(want), d, i)
		case d > 0 && rest > math.MaxInt/d:
			rest = math.MaxInt // larger than any array
		default:
			rest *= d
		}
	}
	size := Size(have)
	if hole >= 0 && rest > 0 {
		full[hole] = size / rest
		rest *= full[hole]
	}
	if rest != size || slices.Contains(full, -1) {
		return nil, ShapeErrorf("cannot reshape %s of %d elements to %s", ShapeString(have), size, ShapeString(want))
	}
	return full, nil
}

// Index is a basic subscript of one axis: an integer, which drops the axis, or a slice.
// Absent bounds of a slice are nil. Negative numbers count from the end.
type Index struct {
	At                *int // an integer subscript, or nil for a slice
	Start, Stop, Step *int
}

// SliceBounds applies Python's rules for start:stop:step to an axis of length n. It returns the
// first position, the number of positions and the step. step must not be 0.
func SliceBounds(n int, start, stop, step *int) (first, count, by int) {
	by = 1
	if step != nil {
		by = *step
	}
	clamp := func(p *int, absent int) int {
		if p == nil {
			return absent
		}
		v := *p
		if v < 0 {
			v += n
		}
		if by > 0 {
			return min(max(v, 0), n)
		}
		return min(max(v, -1), n-1)
	}
	if by > 0 {
		first = clamp(start, 0)
		if left := clamp(stop, n) - first; left > 0 {
			count = 1 + (left-1)/by // rounding up by adding by-1 would overflow
		}
	} else {
		first = clamp(start, n-1)
		if left := first - clamp(stop, -1); left > 0 {
			count = 1 - (left-1)/by
		}
	}
	return first, count, by
}

// Subscript applies basic subscripts to the leading axes and returns a view.
func (a *Dense) Subscript(index ...Index) (*Dense, error) {
	var shape, strides [MaxRank]int
	rank, offset, err := a.subscript(&shape, &strides, index)
	if err != nil {
		return nil, err
	}
	return a.View(a.dtype, shape[:rank], strides[:rank], offset), nil
}

// Subscript is a.Subscript, described in v.
func (v *View) Subscript(a *Dense, index ...Index) (*Dense, error) {
	rank, offset, err := a.subscript(&v.shape, &v.strides, index)
	if err != nil {
		return nil, err
	}
	return v.of(a, v.shape[:rank], v.strides[:rank], offset), nil
}

// subscript finds what describes a view.
func (a *Dense) subscript(shape, strides *[MaxRank]int, index []Index) (rank, offset int, err error) {
	if len(index) > len(a.shape) {
		return 0, 0, fmt.Errorf("too many indices: got %d, want at most %d for shape %s", len(index), len(a.shape), ShapeString(a.shape))
	}
	offset = a.offset
	for axis, ix := range index {
		n, stride := a.shape[axis], a.strides[axis]
		if ix.At != nil {
			at := *ix.At
			if at < 0 {
				at += n
			}
			if at < 0 || at >= n {
				return 0, 0, fmt.Errorf("index %d is out of bounds for axis %d of length %d", *ix.At, axis, n)
			}
			offset += at * stride
			continue
		}
		if ix.Step != nil && *ix.Step == 0 {
			return 0, 0, fmt.Errorf("slice step of axis %d is 0", axis)
		}
		first, count, by := SliceBounds(n, ix.Start, ix.Stop, ix.Step)
		if count > 0 {
			offset += first * stride
		}
		shape[rank], strides[rank] = count, stride*by
		rank++
	}
	for axis := len(index); axis < len(a.shape); axis++ {
		shape[rank], strides[rank] = a.shape[axis], a.strides[axis]
		rank++
	}
	return rank, offset, nil
}

// Row is the part of a at position i of its first axis: a view without that axis.
func (a *Dense) Row(i int) *Dense {
	return a.view(a.shape[1:], a.strides[1:], a.offset+i*a.strides[0])
}

// Rows is the part of a from position i of its first axis to before j: a view.
func (a *Dense) Rows(i, j int) *Dense {
	shape := slices.Clone(a.shape)
	shape[0] = j - i
	return a.view(shape, a.strides, a.offset+i*a.strides[0])
}

// Alias is a view of all of a, with a description of its own: it stays where it is when a is moved
// along.
func (a *Dense) Alias() *Dense { return a.view(a.shape, a.strides, a.offset) }

// A Cursor is a view of one row of an array after the other: the same description is moved along,
// so that walking over rows allocates nothing.
type Cursor struct {
	row   Dense
	start int // the offset of row 0
	step  int
}

// Over puts the cursor over a, which has an axis or more; nil lets go of the array before.
func (c *Cursor) Over(a *Dense) {
	if a == nil {
		*c = Cursor{}
		return
	}
	c.row = Dense{dtype: a.dtype, shape: a.shape[1:], strides: a.strides[1:], offset: a.offset, buf: a.buf}
	c.start, c.step = a.offset, a.strides[0]
}

// At is row i, until the next call of the cursor's.
func (c *Cursor) At(i int) *Dense {
	c.row.offset = c.start + i*c.step
	return &c.row
}

// Step is the distance from one row to the next, in bytes.
func (c *Cursor) Step() int { return c.step }
