package tensor

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Sorting turns elements into keys: unsigned integers of the same order, with NaN last. Many keys
// are sorted digit by digit, which is stable and takes time in proportion to their number; digits
// that all keys share are skipped, so narrow types are quick. A few are merged. Neither has a
// branch that depends on keys, which a processor would guess wrong half of the time. Where there is
// a kernel for it, it sorts in vectors instead.

// keyed is the key of an element and its position.
type keyed struct {
	key uint64
	at  int64
}

// A record is a key, or begins with one.
type record interface{ uint64 | keyed }

func keyOf[R record](r *R) uint64 { return *(*uint64)(unsafe.Pointer(r)) }

// scratch is memory for n records, which are undefined, until it is released.
func scratch[R record](n int) (x []R, memory *Dense) {
	memory = Empty(kernels.Uint8, n*int(unsafe.Sizeof(*new(R))))
	return unsafe.Slice((*R)(memory.Pointer()), n), memory
}

// An encoder writes the keys of elements that lie stride bytes apart; a decoder writes elements
// back.
type (
	encoder func(dst []uint64, p unsafe.Pointer, stride int)
	decoder func(p unsafe.Pointer, stride int, src []uint64)
)

func encodeInteger[T integer](bias uint64) encoder {
	return func(dst []uint64, p unsafe.Pointer, stride int) {
		for i := range dst {
			dst[i] = uint64(*at[T](p, i*stride)) + bias
		}
	}
}

func decodeInteger[T integer](bias uint64) decoder {
	return func(p unsafe.Pointer, stride int, src []uint64) {
		for i, key := range src {
			*at[T](p, i*stride) = T(key - bias)
		}
	}
}

const sign = 1 << 63

// encodeFloat orders floats by their bits: of negative numbers all bits are inverted. -0 comes
// before 0.
func encodeFloat[T float](dst []uint64, p unsafe.Pointer, stride int) {
	for i := range dst {
		v := float64(*at[T](p, i*stride))
		key := math.Float64bits(v)
		key ^= uint64(int64(key)>>63) | sign // without a branch, since nobody can guess signs
		if v != v {
			key = math.MaxUint64
		}
		dst[i] = key
	}
}

func decodeFloat[T float](p unsafe.Pointer, stride int, src []uint64) {
	for i, key := range src {
		key ^= (key>>63 - 1) | sign
		*at[T](p, i*stride) = T(math.Float64frombits(key)) // the key of NaN is one
	}
}

// encodeEqual is the encoder where elements that compare equal have equal keys: -0 is 0.
func encodeEqual(dtype kernels.DType) encoder {
	write := loopsOf[dtype].encode
	if !dtype.IsFloat() {
		return write
	}
	return func(dst []uint64, p unsafe.Pointer, stride int) {
		write(dst, p, stride)
		for i, key := range dst {
			if key == sign-1 {
				dst[i] = sign
			}
		}
	}
}

// number writes the keys of elements, and their positions from first on.
func (write encoder) number(dst []keyed, p unsafe.Pointer, stride, first int) {
	if len(dst) == 0 {
		return
	}
	// The keys wait in the second half of dst's memory: each is read before its place is written.
	keys := unsafe.Slice((*uint64)(unsafe.Pointer(&dst[0])), 2*len(dst))[len(dst):]
	write(keys, p, stride)
	for i, key := range keys {
		dst[i] = keyed{key, int64(first + i)}
	}
}

// keys writes the keys of elements. It reports whether it ran to its end.
func (write encoder) keys(dst []uint64, p unsafe.Pointer, stride int, stop kernels.Stop) bool {
	return inBlocks(len(dst), stop, func(first, end int) {
		write(dst[first:end], unsafe.Add(p, first*stride), stride)
	})
}

// keyed writes the keys and positions of elements. It reports whether it ran to its end.
func (write encoder) keyed(dst []keyed, p unsafe.Pointer, stride int, stop kernels.Stop) bool {
	return inBlocks(len(dst), stop, func(first, end int) {
		write.number(dst[first:end], unsafe.Add(p, first*stride), stride, first)
	})
}

// inBlocks calls f for parts of n, and looks at stop before each. It reports whether it came to the
// end.
func inBlocks(n int, stop kernels.Stop, f func(first, end int)) bool {
	for first := 0; first < n; first += pollEvery {
		if kernels.Stopped(stop) {
			return false
		}
		f(first, min(first+pollEvery, n))
	}
	return true
}

const (
	fewKeys  = 256 // from which counting digits pays (BenchmarkOrder)
	inserted = 8   // how many keys are inserted one by one before runs of as many are merged
)

// sortKeys sorts x by key, and leaves equal ones in their order; tmp is as long. It reports whether
// it ran to its end: x is undefined if not.
func sortKeys[R record](x, tmp []R, stop kernels.Stop) bool {
	if len(x) < fewKeys {
		mergeSort(x, tmp)
		return true
	}
	var counts [digits][256]int
	sorted := true
	if !inBlocks(len(x), stop, func(first, end int) {
		sorted = tally(x[first:end], &counts) && sorted && (first == 0 || keyOf(&x[first-1]) <= keyOf(&x[first]))
	}) {
		return false
	}
	if sorted {
		return true
	}
	src, dst := x, tmp[:len(x)]
	for d := range digits {
		count, shift := &counts[d], 8*d
		if count[keyOf(&src[0])>>shift&255] == len(src) {
			continue
		}
		next := 0
		for i, n := range count {
			count[i] = next
			next += n
		}
		if !inBlocks(len(src), stop, func(first, end int) { deal(dst, src[first:end], count, shift) }) {
			return false
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
func tally[R record](x []R, counts *[digits][256]int) bool {
	sorted, last := true, uint64(0)
	for i := range x {
		key := keyOf(&x[i])
		sorted, last = sorted && last <= key, key
		for d := range digits {
			counts[d][key>>(8*d)&255]++
		}
	}
	return sorted
}

// deal puts each key at the next place for its digit, which next counts on.
//
//go:noinline // inside of sortKeys the loop takes a fifth longer
func deal[R record](dst, src []R, next *[256]int, shift int) {
	for _, v := range src {
		to := &next[keyOf(&v)>>shift&255]
		dst[*to] = v
		*to++
	}
}

// mergeSort sorts x by key, and leaves equal ones in their order; tmp is as long.
func mergeSort[R record](x, tmp []R) {
	n := len(x)
	for first := 0; first < n; first += inserted {
		insert(x[first:min(first+inserted, n)])
	}
	src, dst := x, tmp[:n]
	for length := inserted; length < n; length *= 2 {
		for first := 0; first < n; first += 2 * length {
			end := min(first+2*length, n)
			merge(dst[first:end], src[first:end], min(length, end-first))
		}
		src, dst = dst, src
	}
	if n > 0 && &src[0] != &x[0] {
		copy(x, src)
	}
}

func insert[R record](x []R) {
	for i, v := range x {
		for ; i > 0 && keyOf(&x[i-1]) > keyOf(&v); i-- {
			x[i] = x[i-1]
		}
		x[i] = v
	}
}

// merge merges the sorted src[:mid] and src[mid:] into dst. If they are as long it begins at both
// ends: two chains of loads that do not wait for each other.
func merge[R record](dst, src []R, mid int) {
	i, j := 0, mid
	if 2*mid == len(src) {
		p, q := mid-1, len(src)-1
		for k := range mid {
			m := less(&src[j], &src[i])
			dst[k] = src[i^(i^j)&m]
			i, j = i+1+m, j-m
			m = less(&src[q], &src[p])
			dst[len(dst)-1-k] = src[q^(p^q)&m]
			p, q = p+m, q-1-m
		}
		return
	}
	k := 0
	for ; i < mid && j < len(src); k++ {
		m := less(&src[j], &src[i])
		dst[k] = src[i^(i^j)&m]
		i, j = i+1+m, j-m
	}
	k += copy(dst[k:], src[i:mid])
	copy(dst[k:], src[j:])
}

// less is -1, all bits of which are set, where a's key is less than b's, and 0 elsewhere.
func less[R record](a, b *R) int {
	_, borrow := bits.Sub64(keyOf(a), keyOf(b), 0)
	return -int(borrow)
}
