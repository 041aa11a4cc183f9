package tensor

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// indexInts returns the elements of an index array in C order; they may be its own memory.
func indexInts(index *Dense, axis, n int) ([]int64, error) {
	if err := CheckSize(8, index.shape); err != nil {
		return nil, err
	}
	if index.dtype == kernels.Uint64 {
		for _, v := range Elements[uint64](index.flat()) {
			if v > math.MaxInt64 {
				return nil, outOfBounds(v, axis, int64(n))
			}
		}
	}
	if index.dtype == kernels.Int64 {
		return Elements[int64](index.flat()), nil
	}
	return index.Ints(), nil
}

// offsetsOf returns, in the shape of an integer array, how many bytes from the first element of an
// axis its positions lie.
func (a *Dense) offsetsOf(axis int, index *Dense) (*Dense, error) {
	if !index.dtype.IsInteger() {
		return nil, fmt.Errorf("arrays used as indices must be of integer or bool type: got %v", index.dtype)
	}
	n, stride := int64(a.shape[axis]), int64(a.strides[axis])
	list, err := indexInts(index, axis, a.shape[axis])
	if err != nil {
		return nil, err
	}
	z := Empty(kernels.Int64, index.shape...)
	out := Elements[int64](z)[:len(list)]
	for i, v := range list {
		v += n & (v >> 63) // without a branch: signs may be random
		if uint64(v) >= uint64(n) {
			return nil, outOfBounds(list[i], axis, n)
		}
		out[i] = v * stride
	}
	return z, nil
}

// where returns how many bytes from the first element of its axes, which begin at axis, the true
// elements of a bool array lie. One of rank 0 stands for no axis, and chooses once or never.
func (a *Dense) where(axis int, mask *Dense) (*Dense, error) {
	for k, got := range mask.shape {
		if want := a.shape[axis+k]; got != want {
			return nil, fmt.Errorf("boolean index did not match along axis %d: got length %d, want %d", axis+k, got, want)
		}
	}
	if err := CheckSize(1, mask.shape); err != nil {
		return nil, err
	}
	rank := mask.Rank()
	bytes := Elements[uint8](mask.flat())
	count := countBools(bytes)
	if err := CheckSize(8, []int{count + 1}); err != nil {
		return nil, err
	}
	z := Empty(kernels.Int64, count)
	list := Elements[int64](z)
	shape, strides := mergeAxes(mask.shape, a.strides[axis:axis+rank])
	last := len(shape) - 1
	n, stride := shape[last], int64(strides[last])
	find := Movement.NonZero()
	for row, first := range offsets(shape[:last], strides[:last]) {
		list = list[find(list, bytes[row*n:(row+1)*n], first, stride):]
	}
	return z, nil
}

// mergeAxes makes one axis of neighbours that lie as one, and at least one of all: long rows are
// quick.
func mergeAxes(shape, strides []int) ([]int, []int) {
	ns, by := []int{1}, []int{0}
	for i, n := range shape {
		last := len(ns) - 1
		switch {
		case n == 1:
		case ns[last] == 1 || by[last] == n*strides[i]:
			ns[last], by[last] = ns[last]*n, strides[i]
		default:
			ns, by = append(ns, n), append(by, strides[i])
		}
	}
	return ns, by
}

// countBools counts the ones of bytes that are 0 or 1.
func countBools(bytes []uint8) int {
	count := 0
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		count += bits.OnesCount64(binary.NativeEndian.Uint64(bytes))
	}
	for _, b := range bytes {
		count += int(b)
	}
	return count
}

// CountNonZero counts the elements that are not 0; NaN is not.
func CountNonZero(a *Dense) (int, error) {
	mask, err := new(Poll).truths(a)
	if err != nil {
		return 0, err
	}
	return countBools(Elements[uint8](mask)), nil
}

// truths returns a contiguous array that says which elements are not 0.
func (p *Poll) truths(a *Dense) (*Dense, error) {
	if err := CheckSize(1, a.shape); err != nil {
		return nil, err
	}
	if a.dtype.IsBool() {
		return a.flat(), nil
	}
	return p.AsType(a, kernels.Bool), nil
}

// ArgWhere returns the indices of the elements that are not 0, in C order: int64 [CountNonZero,
// rank], in an array that alloc makes; Empty does if it is nil.
func ArgWhere(a *Dense, alloc func(shape ...int) *Dense) (*Dense, error) {
	return new(Poll).ArgWhere(a, alloc)
}

// ArgWhere is ArgWhere, and asks as it goes on.
func (p *Poll) ArgWhere(a *Dense, alloc func(shape ...int) *Dense) (*Dense, error) {
	mask, err := p.truths(a)
	if err != nil {
		return nil, err
	}
	bytes := Elements[uint8](mask)
	n, rank := 0, len(a.shape)
	p.Each(len(bytes), func(first, end int) { n += countBools(bytes[first:end]) })
	if err := CheckSize(8, []int{n, max(rank, 1)}); err != nil {
		return nil, err
	}
	if alloc == nil {
		alloc = func(shape ...int) *Dense { return Empty(kernels.Int64, shape...) }
	}
	z := alloc(n, rank)
	list := Elements[int64](z)
	if rank == 1 {
		p.nonZero(list, bytes)
		return z, nil
	}
	flat := make([]int64, n)
	p.nonZero(flat, bytes)
	for axis := rank - 1; axis > 0; axis-- {
		length := int64(a.shape[axis])
		p.Each(n, func(first, end int) {
			for i := first; i < end; i++ {
				list[i*rank+axis], flat[i] = flat[i]%length, flat[i]/length
			}
		})
	}
	if rank > 0 {
		for i, v := range flat {
			list[i*rank] = v
		}
	}
	return z, nil
}

// nonZero writes the positions of the ones of a mask to list.
func (p *Poll) nonZero(list []int64, mask []uint8) {
	find := Movement.NonZero()
	p.Each(len(mask), func(first, end int) {
		list = list[find(list, mask[first:end], int64(first), 1):]
	})
}

// NonZero returns ArgWhere as one vector for each axis. They share memory. An array of rank 0
// counts as one of rank 1.
func NonZero(a *Dense) ([]*Dense, error) { return new(Poll).NonZero(a) }

// NonZero is NonZero, and asks as it goes on.
func (p *Poll) NonZero(a *Dense) ([]*Dense, error) {
	if len(a.shape) == 0 {
		a = a.view([]int{1}, []int{0}, a.offset)
	}
	z, err := p.ArgWhere(a, nil)
	if err != nil {
		return nil, err
	}
	axes := make([]*Dense, len(a.shape))
	for axis := range axes {
		axes[axis] = z.view([]int{z.shape[0]}, z.strides[:1], z.offset+axis*8)
	}
	return axes, nil
}

// TakeAlongAxis returns z[i, ..., j, ...] = a[i, ..., indices[i, ..., j, ...], ...]: indices has
// a's rank, and the axes but one broadcast.
func TakeAlongAxis(a, indices *Dense, axis int, stop kernels.Stop) (*Dense, error) {
	s, err := alongAxis(a, indices, axis)
	if err != nil {
		return nil, err
	}
	s.Stop = stop
	return s.Get()
}

// PutAlongAxis sets the elements that TakeAlongAxis gets; values broadcast.
func PutAlongAxis(a, indices, values *Dense, axis int, stop kernels.Stop) error {
	s, err := alongAxis(a, indices, axis)
	if err != nil {
		return err
	}
	s.Stop = stop
	return s.Set(values)
}

func alongAxis(a, indices *Dense, axis int) (*Selection, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	if indices.Rank() != a.Rank() {
		return nil, fmt.Errorf("indices: got rank %d, want %d", indices.Rank(), a.Rank())
	}
	if !indices.dtype.IsInteger() {
		return nil, fmt.Errorf("indices: got %v, want an integer type", indices.dtype)
	}
	items := make([]Item, len(a.shape))
	for i, n := range a.shape {
		if i == axis {
			items[i].Array = indices
			continue
		}
		shape := slices.Repeat([]int{1}, len(a.shape))
		shape[i] = n
		if err := CheckSize(8, shape); err != nil {
			return nil, err
		}
		items[i].Array = positions(n).view(shape, slices.Repeat([]int{8}, len(shape)), 0)
	}
	return a.Select(items...)
}

// positions are 0, 1, ..., n-1.
func positions(n int) *Dense {
	z := Empty(kernels.Int64, n)
	list := Elements[int64](z)
	for i := range list {
		list[i] = int64(i)
	}
	return z
}
