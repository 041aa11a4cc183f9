package tensor

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Sorting turns elements into keys: unsigned integers of the same order, with NaN last. Keys are sorted digit by digit, which is
// stable and takes time in proportion to their number; digits that all keys share are skipped, so narrow types are quick. A few
// keys are inserted one by one.

// keyed is the key of an element and its position.
type keyed struct {
	key uint64
	at  int64
}

// An encoder writes the keys of elements that lie stride bytes apart, and their positions from first on; a decoder writes elements back.
type (
	encoder func(dst []keyed, p unsafe.Pointer, stride, first int)
	decoder func(p unsafe.Pointer, stride int, src []keyed)
)

func encodeInteger[T integer](bias uint64) encoder {
	return func(dst []keyed, p unsafe.Pointer, stride, first int) {
		for i := range dst {
			dst[i] = keyed{uint64(*at[T](p, i*stride)) + bias, int64(first + i)}
		}
	}
}

func decodeInteger[T integer](bias uint64) decoder {
	return func(p unsafe.Pointer, stride int, src []keyed) {
		for i := range src {
			*at[T](p, i*stride) = T(src[i].key - bias)
		}
	}
}

const sign = 1 << 63

// encodeFloat orders floats by their bits: of negative numbers all bits are inverted. -0 comes before 0.
func encodeFloat[T float](dst []keyed, p unsafe.Pointer, stride, first int) {
	for i := range dst {
		v := float64(*at[T](p, i*stride))
		key := math.Float64bits(v)
		switch {
		case v != v:
			key = math.MaxUint64
		case key&sign != 0:
			key = ^key
		default:
			key |= sign
		}
		dst[i] = keyed{key, int64(first + i)}
	}
}

func decodeFloat[T float](p unsafe.Pointer, stride int, src []keyed) {
	for i := range src {
		key := src[i].key
		if key&sign != 0 {
			key ^= sign
		} else {
			key = ^key
		}
		*at[T](p, i*stride) = T(math.Float64frombits(key)) // the key of NaN is one
	}
}

// encode writes the keys and positions of elements. It reports whether it ran to its end.
func encode(write encoder, dst []keyed, p unsafe.Pointer, stride int, stop kernels.Stop) bool {
	for first := 0; first < len(dst); first += pollEvery {
		if stopped(stop) {
			return false
		}
		write(dst[first:min(first+pollEvery, len(dst))], unsafe.Add(p, first*stride), stride, first)
	}
	return true
}

// encodeEqual is the encoder where elements that compare equal have equal keys: -0 is 0.
func encodeEqual(dtype kernels.DType) encoder {
	write := loopsOf[dtype].encode
	if !dtype.IsFloat() {
		return write
	}
	return func(dst []keyed, p unsafe.Pointer, stride, first int) {
		write(dst, p, stride, first)
		zeroOnce(dst)
	}
}

// zeroOnce gives -0 the key of 0.
func zeroOnce(dst []keyed) {
	for i := range dst {
		if dst[i].key == sign-1 {
			dst[i].key = sign
		}
	}
}

// fewKeys is the number from which counting digits pays (BenchmarkOrder).
const fewKeys = 64

// sortKeys sorts x by key; tmp is as long. It reports whether it ran to its end: x is undefined if not.
func sortKeys(x, tmp []keyed, stop kernels.Stop) bool {
	if len(x) < fewKeys {
		for i, v := range x {
			k := i
			for ; k > 0 && x[k-1].key > v.key; k-- {
				x[k] = x[k-1]
			}
			x[k] = v
		}
		return true
	}
	var counts [digits][256]int
	sorted := true
	for first := 0; first < len(x); first += pollEvery {
		if stopped(stop) {
			return false
		}
		part := x[first:min(first+pollEvery, len(x))]
		sorted = tally(part, &counts) && sorted && (first == 0 || x[first-1].key <= part[0].key)
	}
	if sorted {
		return true
	}
	src, dst := x, tmp[:len(x)]
	for d := range digits {
		count, shift := &counts[d], 8*d
		if count[src[0].key>>shift&255] == len(src) {
			continue
		}
		next := 0
		for i, n := range count {
			count[i] = next
			next += n
		}
		for first := 0; first < len(src); first += pollEvery {
			if stopped(stop) {
				return false
			}
			deal(dst, src[first:min(first+pollEvery, len(src))], count, shift)
		}
		src, dst = dst, src
	}
	if &src[0] != &x[0] {
		copy(x, src)
	}
	return true
}

// digits are the bytes of a key.
const digits = 8

// tally counts the digits of x, and reports whether x is sorted.
//
//go:noinline // as deal
func tally(x []keyed, counts *[digits][256]int) bool {
	sorted := true
	for i := range x {
		key := x[i].key
		sorted = sorted && (i == 0 || x[i-1].key <= key)
		for d := range digits {
			counts[d][key>>(8*d)&255]++
		}
	}
	return sorted
}

// deal puts each key at the next place for its digit, which next counts on.
//
//go:noinline // inside of sortKeys the loop takes a fifth longer
func deal(dst, src []keyed, next *[256]int, shift int) {
	for _, v := range src {
		to := &next[v.key>>shift&255]
		dst[*to] = v
		*to++
	}
}

// eachLane calls f with the offset of the first element of each line of a along axis, in C order of the other axes, until it returns false.
func eachLane(a *Dense, axis int, f func(lane int, offset int64) bool) bool {
	shape, strides := slices.Delete(slices.Clone(a.shape), axis, axis+1), slices.Delete(slices.Clone(a.strides), axis, axis+1)
	for lane, offset := range offsets(shape, strides) {
		if !f(lane, offset) {
			return false
		}
	}
	return true
}

// Sort returns a copy of a whose elements ascend along axis, with NaN last.
func Sort(a *Dense, axis int) (*Dense, error) {
	if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := a.Copy()
	return z, z.Sort(axis, nil)
}

// Sort sorts in place: see the function Sort. If stop is raised the error is ErrStopped, and every line is sorted or as it was.
func (a *Dense) Sort(axis int, stop kernels.Stop) error {
	axis, keys, err := lanes(a, axis)
	if err != nil || a.Size() == 0 {
		return err
	}
	stride, n := a.strides[axis], len(keys)/2
	loops := loopsOf[a.dtype]
	if !eachLane(a, axis, func(_ int, offset int64) bool {
		p := unsafe.Add(a.Pointer(), offset)
		if !encode(loops.encode, keys[:n], p, stride, stop) || !sortKeys(keys[:n], keys[n:], stop) {
			return false
		}
		loops.decode(p, stride, keys[:n])
		return true
	}) {
		return ErrStopped
	}
	return nil
}

// lanes checks what it takes to sort along an axis, and returns memory for the keys of a line, twice.
func lanes(a *Dense, axis int) (int, []keyed, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return 0, nil, err
	}
	n := a.shape[axis]
	if err := CheckSize(32, []int{n}); err != nil {
		return 0, nil, err
	}
	if a.Size() > 0 { // each line takes 8 bytes
		err = CheckSize(8, []int{a.Size() / n})
	}
	return axis, make([]keyed, 2*n), err
}

// ArgSort returns the positions, int64 in a's shape, that sort a along axis, with NaN last. It is stable.
func ArgSort(a *Dense, axis int) (*Dense, error) {
	if err := CheckSize(8, a.shape); err != nil {
		return nil, err
	}
	z := Empty(kernels.Int64, a.shape...)
	return z, ArgSortTo(z, a, axis, nil)
}

// ArgSortTo is ArgSort into z, which is int64 in a's shape. The error is ErrStopped if stop was raised.
func ArgSortTo(z, a *Dense, axis int, stop kernels.Stop) error {
	axis, keys, err := lanes(a, axis)
	if err != nil || a.Size() == 0 {
		return err
	}
	n, stride := len(keys)/2, z.strides[axis]
	from := make([]unsafe.Pointer, 0, a.Size()/n)
	eachLane(a, axis, func(_ int, offset int64) bool {
		from = append(from, unsafe.Add(a.Pointer(), offset))
		return true
	})
	write := encodeEqual(a.dtype)
	if !eachLane(z, axis, func(lane int, offset int64) bool {
		if !encode(write, keys[:n], from[lane], a.strides[axis], stop) || !sortKeys(keys[:n], keys[n:], stop) {
			return false
		}
		p := unsafe.Add(z.Pointer(), offset)
		for i := range n {
			*at[int64](p, i*stride) = keys[i].at
		}
		return true
	}) {
		return ErrStopped
	}
	return nil
}

// Partition is Sort, which is one way of having the elements at kth where sorting puts them, and checks kth.
func Partition(a *Dense, kth []int, axis int) (*Dense, error) {
	if err := checkKth(a, kth, axis); err != nil {
		return nil, err
	}
	return Sort(a, axis)
}

// ArgPartition is ArgSort, with kth checked.
func ArgPartition(a *Dense, kth []int, axis int) (*Dense, error) {
	if err := checkKth(a, kth, axis); err != nil {
		return nil, err
	}
	return ArgSort(a, axis)
}

func checkKth(a *Dense, kth []int, axis int) error {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return err
	}
	for _, k := range kth {
		if n := a.shape[axis]; k < -n || k >= n {
			return fmt.Errorf("kth=%d is out of bounds for axis %d with size %d", k, axis, n)
		}
	}
	return nil
}

// LexSort returns the positions, int64 in the keys' shape, that sort by the last key along axis, and where that is equal by the one
// before, and so on. It is stable. The keys have one shape.
func LexSort(keys []*Dense, axis int) (*Dense, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("lexsort: got no keys, want at least one")
	}
	for i, key := range keys {
		if !slices.Equal(key.shape, keys[0].shape) {
			return nil, fmt.Errorf("lexsort: got key %d of shape %s, want %s",
				i, ShapeString(key.shape), ShapeString(keys[0].shape))
		}
	}
	order, err := ArgSort(keys[0], axis)
	for _, key := range keys[1:] {
		if err != nil {
			return nil, err
		}
		var sorted, next *Dense
		if sorted, err = TakeAlongAxis(key, order, axis); err != nil {
			return nil, err
		}
		if next, err = ArgSort(sorted, axis); err != nil {
			return nil, err
		}
		order, err = TakeAlongAxis(order, next, axis)
	}
	return order, err
}
