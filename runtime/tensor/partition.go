package tensor

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Selecting puts what sorting would put at a few places there, in time in proportion to the number
// of keys. It is SELECT of Floyd and Rivest (1975): the first pivot comes from a sample, so that
// the wanted key is probably on the smaller side and near its end, and the next one from that end,
// so that little is left between the two. Keys are divided without a branch that depends on them.

const (
	fewSelected = 32   // up to which keys are inserted one by one
	sampledOf   = 32   // of how many keys one is sampled
	maxSampled  = 255  // keys, of however many
	fewSorted   = 2048 // up to which keys are sorted where a kernel does that in no more time
	manyDivided = 64   // times, after which a line that outwits the samples is sorted: a million keys take 15
)

// selectAll puts what sorting would put at places, which ascend, into x there; what is less stands
// before it and what is more after it. first is the place of x[0]. It reports whether it ran to its
// end.
func selectAll[R record](x []R, first int, places []int, stop kernels.Stop) bool {
	if len(places) == 0 {
		return true
	}
	half := len(places) / 2
	k := places[half] - first
	return selectKey(x, k, manyDivided, stop) && selectAll(x[:k], first, places[:half], stop) && selectAll(x[k+1:], first+k+1, places[half+1:], stop)
}

// selectKey is selectAll for one place, dividing x at most so many times.
func selectKey[R record](x []R, k, most int, stop kernels.Stop) bool {
	for ; len(x) > fewSelected; most-- {
		if most == 0 {
			return sortKeys(x, make([]R, len(x)), stop)
		}
		pivot := samplePivot(x, k)
		n, done := divide(x, pivot, stop)
		switch {
		case !done:
			return false
		case k < n:
			x = x[:n]
			continue
		case pivot == math.MaxUint64:
			return true
		}
		x, k = x[n:], k-n
		if n, done = divide(x, pivot+1, stop); !done || k < n { // all of them are the pivot
			return done
		}
		x, k = x[n:], k-n
	}
	insert(x)
	return true
}

// samplePivot chooses a key of x that is probably on the far side of the k-th, by two standard
// deviations of the place of a sampled key.
func samplePivot[R record](x []R, k int) uint64 {
	var sample, tmp [maxSampled]uint64
	n := min(maxSampled, max(len(x)/sampledOf, 3))
	const golden = 0x9e3779b97f4a7c15 // multiples of it, as fractions of 2^64, are spread evenly, and with no period
	for i := range n {
		at, _ := bits.Mul64(uint64(i)*golden, uint64(len(x)))
		sample[i] = keyOf(&x[at])
	}
	mergeSort(sample[:n], tmp[:n])
	place, apart := int(float64(k)/float64(len(x))*float64(n)), int(math.Sqrt(float64(n)))
	if n < 16 {
		apart = 0
	}
	if k >= len(x)/2 {
		apart = -apart
	}
	return sample[min(max(place+apart, 0), n-1)]
}

// divide puts what is less than a key before the rest, and returns how many these are, and whether
// it ran to its end.
func divide[R record](x []R, key uint64, stop kernels.Stop) (less int, done bool) {
	done = inBlocks(len(x), stop, func(first, end int) {
		n := less
		for i := first; i < end; i++ {
			v := x[i]
			x[i] = x[n]
			x[n] = v
			_, borrow := bits.Sub64(keyOf(&v), key, 0)
			n += int(borrow)
		}
		less = n
	})
	return less, done
}

// Partition returns a copy of a whose elements at the places kth along axis are those that sorting
// puts there, NaN last: what is less stands before them and what is more after them, in no order.
// The error is ErrStopped if stop was raised.
func Partition(a *Dense, kth []int, axis int, stop kernels.Stop) (*Dense, error) {
	places, err := placesOf(a, kth, axis)
	if err != nil {
		return nil, err
	}
	if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := a.Copy()
	axis, err = checkLanes[uint64](z, axis)
	if err != nil || z.Size() == 0 {
		return z, err
	}
	if run, ok := Movement.Sort(kernels.SortKey{In: z.dtype}); ok && z.shape[axis] <= fewSorted {
		return z, z.SortBy(run, axis, stop)
	}
	keys, memory := scratch[uint64](z.shape[axis])
	defer memory.Release()
	stride, loops := z.strides[axis], loopsOf[z.dtype]
	if !eachLane(z, axis, func(_ int, offset int64) bool {
		p := unsafe.Add(z.Pointer(), offset)
		if !loops.encode.keys(keys, p, stride, stop) || !selectAll(keys, 0, places, stop) {
			return false
		}
		loops.decode(p, stride, keys)
		return true
	}) {
		return nil, ErrStopped
	}
	return z, nil
}

// ArgPartition returns the positions, int64 in a's shape, that partition a along axis.
func ArgPartition(a *Dense, kth []int, axis int, stop kernels.Stop) (*Dense, error) {
	places, err := placesOf(a, kth, axis)
	if err != nil {
		return nil, err
	}
	if err := CheckSize(8, a.shape); err != nil {
		return nil, err
	}
	z := Empty(kernels.Int64, a.shape...)
	return z, argOrder(z, a, axis, 1, stop, func(keys []keyed) bool { return selectAll(keys, 0, places, stop) })
}

// placesOf are the places kth from the beginning of an axis, each once, in their order.
func placesOf(a *Dense, kth []int, axis int) ([]int, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	n := a.shape[axis]
	places := slices.Clone(kth)
	for i, k := range kth {
		if k < -n || k >= n {
			return nil, fmt.Errorf("kth=%d is out of bounds for axis %d with size %d", k, axis, n)
		}
		if k < 0 {
			places[i] += n
		}
	}
	slices.Sort(places)
	return slices.Compact(places), nil
}

// Ranked is float64 numbers of which one may ask what sorting them would put where.
type Ranked struct {
	keys    []uint64
	memory  *Dense
	Numbers int // how many are not NaN, which come last
}

// NewRanked has room for n numbers, until it is released.
func NewRanked(n int) *Ranked {
	r := new(Ranked)
	r.keys, r.memory = scratch[uint64](n)
	return r
}

// Release gives the memory back.
func (r *Ranked) Release() { r.memory.Release() }

// Read takes as many numbers as there is room for. It reports whether it ran to its end.
func (r *Ranked) Read(x []float64, stop kernels.Stop) bool {
	r.Numbers = 0
	if !encoder(encodeFloat[float64]).keys(r.keys, unsafe.Pointer(unsafe.SliceData(x)), 8, stop) {
		return false
	}
	for _, v := range x {
		if v == v {
			r.Numbers++
		}
	}
	return true
}

// Rank finds the numbers at places, which ascend; At then gives them. It reports whether it ran to
// its end.
func (r *Ranked) Rank(places []int, stop kernels.Stop) bool {
	if run, ok := Movement.Sort(kernels.SortKey{In: kernels.Uint64}); ok && len(r.keys) <= fewSorted && len(r.keys) > fewSelected {
		room, memory := scratch[uint64](len(r.keys))
		defer memory.Release()
		if sorted, done := run(len(r.keys), unsafe.Pointer(&r.keys[0]), unsafe.Pointer(&room[0]), nil, nil, stop); sorted || !done {
			return done
		}
	}
	return selectAll(r.keys, 0, places, stop)
}

// At is the number at a place that was ranked.
func (r *Ranked) At(place int) (x float64) {
	decodeFloat[float64](unsafe.Pointer(&x), 8, r.keys[place:place+1])
	return x
}
