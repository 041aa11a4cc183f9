package tensor

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// eachLane calls f with the offset of the first element of each line of a along axis, in C order of
// the other axes, until it returns false.
func eachLane(a *Dense, axis int, f func(lane int, offset int64) bool) bool {
	if len(a.shape) == 1 {
		return f(0, 0)
	}
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

// Sort sorts in place: see the function Sort. If stop is raised the error is ErrStopped, and every
// line is sorted or as it was.
func (a *Dense) Sort(axis int, stop kernels.Stop) error {
	run, _ := Movement.Sort(kernels.SortKey{In: a.dtype})
	return a.SortBy(run, axis, stop)
}

// SortBy is Sort with a kernel for its type, if any.
func (a *Dense) SortBy(run kernels.SortFunc, axis int, stop kernels.Stop) error {
	axis, err := checkLanes[uint64](a, axis)
	if err != nil || a.Size() == 0 {
		return err
	}
	return a.sortPanels(run, axis, stop)
}

// panelElements is about how many elements are sorted in memory of their own at once: they lie in a
// cache.
const panelElements = 1 << 15

// sortPanels sorts in parts, a line at least, which are copied, and back when they are sorted: a
// kernel takes lines whose elements are next to each other, and loses them if it is stopped.
func (a *Dense) sortPanels(run kernels.SortFunc, axis int, stop kernels.Stop) error {
	if len(a.shape) == 1 {
		return a.sortPart(run, stop)
	}
	cut := 0 // the longest of the other axes
	pattern := make([]int, 0, MaxRank)
	for k, length := range a.shape {
		if k != axis {
			pattern = append(pattern, k)
			if length > a.shape[pattern[cut]] {
				cut = len(pattern) - 1
			}
		}
	}
	lines, err := a.DimShuffle(append(pattern, axis))
	if err != nil {
		return err
	}
	length := lines.shape[cut]
	each := a.Size() / length
	per := min(length, max(1, panelElements/each))
	if !kernels.InChunks((length+per-1)/per, kernels.NsPerSorted*float64(a.Size()), stop, func(i int) bool {
		first := i * per
		end := min(first+per, length)
		index := make([]Index, cut+1)
		index[cut] = Index{Start: &first, Stop: &end}
		part, e := lines.Subscript(index...)
		return e == nil && part.sortPart(run, stop) == nil
	}) {
		return ErrStopped
	}
	return nil
}

// sortPart sorts lines along the last axis in a panel of the same shape.
func (a *Dense) sortPart(run kernels.SortFunc, stop kernels.Stop) error {
	panel, room := Empty(a.dtype, a.shape...), Empty(a.dtype, a.shape[len(a.shape)-1])
	defer panel.Release()
	defer room.Release()
	if err := a.sortInto(panel, run, room, stop); err != nil {
		return err
	}
	move, _ := Movement.Copy(a.dtype.Size())
	move(a.shape, a.Operand(), panel.Operand(), nil)
	return nil
}

// sortInto gives a contiguous array z of the same shape the lines of a along the last axis, sorted
// by a kernel, if any, with room for one line. Elements that are equal keep their order, which
// shows in the signs of zeros. If stop is raised the error is ErrStopped, and z is lost.
func (a *Dense) sortInto(z *Dense, run kernels.SortFunc, room *Dense, stop kernels.Stop) error {
	axis := len(a.shape) - 1
	size, n, stride := a.dtype.Size(), a.shape[axis], a.strides[axis]
	move, _ := Movement.Copy(size)
	if !move(a.shape, z.Operand(), a.Operand(), stop) {
		return ErrStopped
	}
	if n == 0 {
		return nil
	}
	order := loopsOf[a.dtype].zeros
	if !eachLane(a, axis, func(lane int, offset int64) bool {
		p := unsafe.Add(z.Pointer(), lane*n*size)
		sorted, done := false, true
		if run != nil {
			sorted, done = run(n, p, room.Pointer(), nil, nil, stop)
		}
		if done && !sorted {
			done = sortLine(a.dtype, p, n, stop)
		}
		return done && (order == nil || order(p, n, unsafe.Add(a.Pointer(), offset), stride, stop))
	}) {
		return ErrStopped
	}
	return nil
}

// sortLine sorts a line of n elements by their keys.
func sortLine(d kernels.DType, p unsafe.Pointer, n int, stop kernels.Stop) bool {
	room, memory := scratch[uint64](2 * n)
	defer memory.Release()
	keys, loops := room[:n], &loopsOf[d]
	if !loops.encode.keys(keys, p, d.Size(), stop) || !sortKeys(keys, room[n:], stop) {
		return false
	}
	loops.decode(p, d.Size(), keys)
	return true
}

// orderZeros puts the zeros of a sorted line, of which the negative ones come first, into the order
// that they had in the line before, whose elements lie stride bytes apart. It reports whether it
// was not stopped.
func orderZeros[T float](p unsafe.Pointer, n int, before unsafe.Pointer, stride int, stop kernels.Stop) bool {
	x := vec[T](p, n)
	first := sort.Search(n, func(i int) bool { return !(x[i] < 0) }) // NaN is last
	zeros := x[first : first+sort.Search(n-first, func(i int) bool { return !(x[first+i] <= 0) })]
	if len(zeros) == 0 || math.Signbit(float64(zeros[0])) == math.Signbit(float64(zeros[len(zeros)-1])) {
		return true
	}
	return inBlocks(n, stop, func(first, end int) {
		for i := first; i < end; i++ {
			if v := *at[T](before, i*stride); v == 0 {
				zeros[0], zeros = v, zeros[1:]
			}
		}
	})
}

// checkLanes checks what it takes to sort along an axis, and returns that: for the records of a
// line, twice, and for each line 8 bytes.
func checkLanes[R record](a *Dense, axis int) (int, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return 0, err
	}
	n := a.shape[axis]
	if err := CheckSize(2*int(unsafe.Sizeof(*new(R))), []int{n}); err != nil {
		return 0, err
	}
	if a.Size() > 0 {
		err = CheckSize(8, []int{a.Size() / n})
	}
	return axis, err
}

// ArgSort returns the positions, int64 in a's shape, that sort a along axis, with NaN last. It is
// stable.
func ArgSort(a *Dense, axis int) (*Dense, error) { return argSorted(a, axis, nil) }

func argSorted(a *Dense, axis int, stop kernels.Stop) (*Dense, error) {
	if err := CheckSize(8, a.shape); err != nil {
		return nil, err
	}
	z := Empty(kernels.Int64, a.shape...)
	return z, ArgSortTo(z, a, axis, stop)
}

// ArgSortTo is ArgSort into z, which is int64 in a's shape. The error is ErrStopped if stop was
// raised.
func ArgSortTo(z, a *Dense, axis int, stop kernels.Stop) error {
	run, _ := Movement.Sort(PlacesKey)
	return ArgSortBy(run, z, a, axis, stop)
}

// PlacesKey names the kernel that ArgSortBy takes.
var PlacesKey = kernels.SortKey{In: kernels.Uint64, Positions: true}

// ArgSortBy is ArgSortTo with a kernel, if any.
func ArgSortBy(run kernels.SortFunc, z, a *Dense, axis int, stop kernels.Stop) error {
	if run == nil {
		return argOrder(z, a, axis, 2, stop, func(both []keyed) bool { return sortKeys(both[:len(both)/2], both[len(both)/2:], stop) })
	}
	axis, err := checkLanes[keyed](a, axis)
	if err != nil || a.Size() == 0 {
		return err
	}
	n := a.shape[axis]
	offsets := func(x *Dense) []int64 {
		list := make([]int64, 0, a.Size()/n)
		eachLane(x, axis, func(_ int, offset int64) bool {
			list = append(list, offset)
			return true
		})
		return list
	}
	from, to := offsets(a), offsets(z)
	per := max(1, panelElements/n)
	if !kernels.InChunks((len(to)+per-1)/per, kernels.NsPerSorted*float64(a.Size()), stop, func(i int) bool {
		room, memory := scratch[uint64](4 * n)
		defer memory.Release()
		for lane := i * per; lane < min((i+1)*per, len(to)); lane++ {
			if !argSortLine(run, unsafe.Add(z.Pointer(), to[lane]), z.strides[axis], unsafe.Add(a.Pointer(), from[lane]), a.strides[axis], a.dtype, room, stop) {
				return false
			}
		}
		return true
	}) {
		return ErrStopped
	}
	return nil
}

// argSortLine sorts the elements of a line of a type, with room for four words of each, and writes
// their positions to z. It reports whether it was not stopped.
func argSortLine(run kernels.SortFunc, z unsafe.Pointer, stride int, x unsafe.Pointer, step int, d kernels.DType, room []uint64, stop kernels.Stop) bool {
	n := len(room) / 4
	keys, t, u := room[:n], room[n:2*n], room[2*n:3*n]
	places := unsafe.Slice((*int64)(unsafe.Pointer(&room[3*n])), n)
	if stride == 8 {
		places = unsafe.Slice((*int64)(z), n)
	}
	if !encodeEqual(d).keys(keys, x, step, stop) {
		return false
	}
	if !inBlocks(n, stop, func(first, end int) {
		for i := first; i < end; i++ {
			places[i] = int64(i)
		}
	}) {
		return false
	}
	sorted, done := run(n, unsafe.Pointer(&keys[0]), unsafe.Pointer(&t[0]), unsafe.Pointer(&places[0]), unsafe.Pointer(&u[0]), stop)
	if done && !sorted {
		done = sortPlaces(keys, places, stop)
	}
	if done && stride != 8 {
		for i, place := range places {
			*at[int64](z, i*stride) = place
		}
	}
	return done
}

// sortPlaces sorts keys that a kernel has given up, with their positions.
func sortPlaces(keys []uint64, places []int64, stop kernels.Stop) bool {
	both, memory := scratch[keyed](2 * len(keys))
	defer memory.Release()
	x := both[:len(keys)]
	for i, key := range keys {
		x[i] = keyed{key, places[i]}
	}
	if !sortKeys(x, both[len(keys):], stop) {
		return false
	}
	for i, r := range x {
		places[i] = r.at
	}
	return true
}

// argOrder writes to z the positions of a's elements along axis in the order into which their keys
// are put, which have memory for several times as many. The error is ErrStopped if stop was raised.
func argOrder(z, a *Dense, axis, several int, stop kernels.Stop, order func(keys []keyed) bool) error {
	axis, err := checkLanes[keyed](a, axis)
	if err != nil || a.Size() == 0 {
		return err
	}
	all, memory := scratch[keyed](several * a.shape[axis])
	defer memory.Release()
	keys := all[:a.shape[axis]]
	stride := z.strides[axis]
	from := make([]unsafe.Pointer, 0, a.Size()/len(keys))
	eachLane(a, axis, func(_ int, offset int64) bool {
		from = append(from, unsafe.Add(a.Pointer(), offset))
		return true
	})
	write := encodeEqual(a.dtype)
	if !eachLane(z, axis, func(lane int, offset int64) bool {
		if !write.keyed(keys, from[lane], a.strides[axis], stop) || !order(all) {
			return false
		}
		p := unsafe.Add(z.Pointer(), offset)
		for i, k := range keys {
			*at[int64](p, i*stride) = k.at
		}
		return true
	}) {
		return ErrStopped
	}
	return nil
}

// LexSort returns the positions, int64 in the keys' shape, that sort by the last key along axis,
// and where that is equal by the one before, and so on. It is stable. The keys have one shape.
func LexSort(keys []*Dense, axis int, stop kernels.Stop) (*Dense, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("lexsort: got no keys, want at least one")
	}
	for i, key := range keys {
		if !slices.Equal(key.shape, keys[0].shape) {
			return nil, fmt.Errorf("lexsort: got key %d of shape %s, want %s",
				i, ShapeString(key.shape), ShapeString(keys[0].shape))
		}
	}
	order, err := argSorted(keys[0], axis, stop)
	for _, key := range keys[1:] {
		if err != nil {
			return nil, err
		}
		var sorted, next *Dense
		if sorted, err = TakeAlongAxis(key, order, axis, stop); err != nil {
			return nil, err
		}
		if next, err = argSorted(sorted, axis, stop); err != nil {
			return nil, err
		}
		order, err = TakeAlongAxis(order, next, axis, stop)
	}
	return order, err
}
