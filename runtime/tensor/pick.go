package tensor

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// Take is Select of whole axes but one, which the integers of any rank index, with mode for those
// out of bounds: a: [..., n, ...] → [..., indices.Shape()..., ...]. The error is ErrStopped if stop
// was raised.
func Take(a, indices *Dense, axis int, mode Bounds, stop kernels.Stop) (*Dense, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	if !indices.dtype.IsInteger() {
		return nil, fmt.Errorf("indices: got %v, want an integer type", indices.dtype)
	}
	if indices, err = mode.apply(indices, a.shape[axis]); err != nil {
		return nil, err
	}
	if z, err := a.takeRuns(indices, axis, stop); z != nil || err != nil {
		return z, err
	}
	items := append(make([]Item, axis), Item{Array: indices})
	s, err := a.Select(items...)
	if err != nil {
		return nil, err
	}
	s.Stop = stop
	z, err := s.Get()
	if s.IsView() { // of an integer
		return z.Copy(), nil
	}
	return z, err
}

// takeRuns is Take by a kernel, which reads the positions once; nil where operands do not lie as it
// wants them.
func (a *Dense) takeRuns(indices *Dense, axis int, stop kernels.Stop) (*Dense, error) {
	if indices.dtype != kernels.Int64 || indices.Size() == 0 || a.Size() == 0 || !indices.IsContiguous() || !a.IsContiguous() {
		return nil, nil
	}
	run, ok := Movement.Take(a.dtype.Size())
	if !ok {
		return nil, nil
	}
	shape := slices.Concat(a.shape[:axis], indices.shape, a.shape[axis+1:])
	if err := CheckSize(max(a.dtype.Size(), 8), shape); err != nil {
		return nil, err
	}
	z := Empty(a.dtype, shape...)
	outer, n, inner := around(a.shape, axis)
	list := Elements[int64](indices)
	switch bad, done := run(outer, n, inner, z.Pointer(), a.Pointer(), list, stop); {
	case bad >= 0:
		return nil, outOfBounds(list[bad], axis, int64(n))
	case !done:
		return nil, ErrStopped
	}
	return z, nil
}

// Pick is a[index] for the most common index arrays, without a list of places: int64 positions
// along the first axis, and bools for each element. It is nil where Select is for others, of other
// types or an order of memory of their own. The errors are those of Select, and ErrStopped.
func (a *Dense) Pick(index *Dense, stop kernels.Stop) (*Dense, error) {
	switch {
	case len(a.shape) == 0 || len(index.shape) == 0:
		return nil, nil
	case !index.dtype.IsBool():
		return a.takeRuns(index, 0, stop)
	case !a.IsContiguous() || !index.IsContiguous() || !slices.Equal(a.shape, index.shape):
		return nil, nil
	}
	mask := Elements[uint8](index)
	z := Empty(a.dtype, countBools(mask))
	if !ofSize[a.dtype.Size()].compress(z, a, mask, stop) {
		return nil, ErrStopped
	}
	return z, nil
}

// PickItems is a[items] where one array of int64 positions chooses among whole axes, as in a[:,
// columns]. It is nil where Select is for others. The errors are those of Pick.
func (a *Dense) PickItems(items []Item, stop kernels.Stop) (*Dense, error) {
	var positions *Dense
	for _, it := range items {
		switch {
		case it.NewAxis, it.Index != Index{}:
			return nil, nil
		case it.Array == nil:
		case positions != nil, it.Array.dtype.IsBool(), len(it.Array.shape) == 0:
			return nil, nil
		default:
			positions = it.Array
		}
	}
	if positions == nil {
		return nil, nil
	}
	whole, items, err := a.wholeAxes(items)
	if err != nil {
		return nil, err
	}
	axis := 0
	for _, it := range items {
		if it.Array != nil {
			break
		}
		if it.Ellipsis {
			axis += whole
		} else {
			axis++
		}
	}
	return a.takeRuns(positions, axis, stop)
}

// FillAt gives the elements a[index] one value, whose bits are given as for SetBits, for index
// arrays as Pick takes them. It reports whether they were such: it does nothing for others, nor
// where a position is out of bounds. The error is ErrStopped: some elements have the value then.
func (a *Dense) FillAt(index *Dense, bits uint64, stop kernels.Stop) (bool, error) {
	if !a.isSimple(index) {
		return false, nil
	}
	if a.dtype == kernels.Float32 {
		bits = uint64(math.Float32bits(float32(math.Float64frombits(bits))))
	}
	if !ofSize[a.dtype.Size()].fillAt(a, index, bits, stop) {
		return true, ErrStopped
	}
	return true, nil
}

// PutAt is FillAt at positions with the elements of src, which has the type of a, the shape of
// a[index], and lies in C order.
func (a *Dense) PutAt(index, src *Dense, stop kernels.Stop) (bool, error) {
	if index.dtype.IsBool() || src.dtype != a.dtype || !src.IsContiguous() || !a.isSimple(index) || SharesMemory(a, src) {
		return false, nil
	}
	i := len(index.shape)
	if len(src.shape) != i+len(a.shape)-1 || !slices.Equal(src.shape[:i], index.shape) || !slices.Equal(src.shape[i:], a.shape[1:]) {
		return false, nil
	}
	run, ok := Movement.Put(kernels.PutKey{Op: "set", In: a.dtype})
	if !ok {
		return false, nil
	}
	if _, done := run(1, a.shape[0], Size(a.shape[1:]), a.Pointer(), src.Pointer(), Elements[int64](index), stop); !done {
		return true, ErrStopped
	}
	return true, nil
}

// isSimple reports whether index is what FillAt takes.
func (a *Dense) isSimple(index *Dense) bool {
	if a.Size() == 0 || index.Size() == 0 || !a.IsContiguous() || !index.IsContiguous() || SharesMemory(a, index) {
		return false
	}
	if index.dtype.IsBool() {
		return slices.Equal(a.shape, index.shape)
	}
	if index.dtype != kernels.Int64 {
		return false
	}
	n := int64(a.shape[0])
	wrong := uint64(0)
	for _, i := range Elements[int64](index) {
		i += n & (i >> 63)
		wrong |= uint64(i) | uint64(n-1-i)
	}
	return wrong>>63 == 0
}

// sized are the loops that need to know of a type only how many bytes it has. They report whether
// they ran to their end.
type sized struct {
	compress func(z, a *Dense, mask []uint8, stop kernels.Stop) bool
	fillAt   func(a, index *Dense, bits uint64, stop kernels.Stop) bool
}

var ofSize = [...]sized{1: sizedLoops[uint8](), 2: sizedLoops[uint16](), 4: sizedLoops[uint32](), 8: sizedLoops[uint64]()}

func sizedLoops[T integer]() sized { return sized{compress[T], fillAt[T]} }

// compress writes the elements of a where mask, of bytes that are 0 or 1, is 1.
func compress[T integer](z, a *Dense, mask []uint8, stop kernels.Stop) bool {
	dst, src := vec[T](z.Pointer(), z.Size()), vec[T](a.Pointer(), len(mask))
	k := 0
	return inBlocks(len(mask), stop, func(i, end int) {
		for ; i+8 <= end && k+8 <= len(dst); i += 8 { // as in kernels.NonZeroFunc
			word := binary.LittleEndian.Uint64(mask[i:])
			ones, from, to := &kernels.OnesOf[kernels.BitsOf(word)], (*[8]T)(src[i:]), (*[8]T)(dst[k:])
			for j := range to {
				to[j] = from[ones[j]&7]
			}
			k += bits.OnesCount64(word)
		}
		for ; i < end && k < len(dst); i++ {
			if mask[i] != 0 {
				dst[k] = src[i]
				k++
			}
		}
	})
}

// fillAt is FillAt.
func fillAt[T integer](a, index *Dense, bits uint64, stop kernels.Stop) bool {
	list, v := vec[T](a.Pointer(), a.Size()), T(bits)
	if index.dtype.IsBool() {
		mask := Elements[uint8](index)
		return inBlocks(len(mask), stop, func(first, end int) {
			part := list[first:end]
			for i, m := range mask[first:end] { // no branch depends on what may be random
				part[i] ^= (part[i] ^ v) & -T(m)
			}
		})
	}
	at, n, inner := Elements[int64](index), int64(a.shape[0]), Size(a.shape[1:])
	if inner == 1 {
		return inBlocks(len(at), stop, func(first, end int) {
			for _, i := range at[first:end] {
				list[i+n&(i>>63)] = v
			}
		})
	}
	often := max(movedAtOnce/inner, 1)
	for k, i := range at {
		if k%often == 0 && kernels.Stopped(stop) {
			return false
		}
		row := list[int(i+n&(i>>63))*inner:][:inner]
		for j := range row {
			row[j] = v
		}
	}
	return true
}

// Bounds is what becomes of a position that is out of bounds.
type Bounds int

const (
	Raise Bounds = iota // is an error; negative positions count from the end
	Wrap                // goes round
	Clip                // becomes the nearest; negative positions become 0
)

// apply makes positions of an axis of length n right; Raise leaves that to Select.
func (b Bounds) apply(indices *Dense, n int) (*Dense, error) {
	if b == Raise || indices.Size() == 0 {
		return indices, nil
	}
	if n == 0 {
		return nil, fmt.Errorf("cannot take %d elements from an axis of length 0", indices.Size())
	}
	if err := CheckSize(8, indices.shape); err != nil {
		return nil, err
	}
	z := indices.AsType(kernels.Int64)
	list, length := Elements[int64](z), int64(n)
	for i, v := range list {
		switch {
		case b == Clip:
			list[i] = min(max(v, 0), length-1)
		case v < 0 || v >= length:
			list[i] = (v%length + length) % length
		}
	}
	return z, nil
}
