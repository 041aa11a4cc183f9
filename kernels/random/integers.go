package random

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"
)

// An Integer is a type that Ranges can draw.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Ranges draws integers from one range after another: randint and integers. The sequence hangs on
// the type: integers of 8 and 16 bits are cut from words of 32 bits. Ranges keeps the rest of a
// word in between, so that a sequence may be drawn in parts, or from ranges of one number each; the
// next Ranges starts with a new word.
type Ranges[T Integer] struct {
	s    Source
	bits int // of a word, at most 32
	cut  cutter
	// Words are made some at a time, but never more than there are numbers left to draw: each makes
	// one at most, and what comes after the last number begins with the word after its own.
	words  []uint32
	double []uint64
}

// wordsAtOnce is how many words are made at a time: few enough to stay in the fastest cache.
const wordsAtOnce = 512

// NewRanges is Ranges of numbers of T.
func NewRanges[T Integer](s Source) *Ranges[T] {
	bits := min(32, 8*int(unsafe.Sizeof(T(0))))
	return &Ranges[T]{s: s, bits: bits, cut: cutter{s: s, bits: bits}}
}

// NewBoolRanges is Ranges of the numbers 0 and 1, of single bits.
func NewBoolRanges(s Source) *Ranges[uint8] {
	return &Ranges[uint8]{s: s, bits: 1, cut: cutter{s: s, bits: 1}}
}

// Fill fills dst with integers that are uniform in [low, high], both included. It is an error if
// low is above high.
func (r *Ranges[T]) Fill(dst []T, low, high T) error {
	if low > high {
		return fmt.Errorf("integers: got low %d above high %d, want low <= high", low, high)
	}
	size := 8 * int(unsafe.Sizeof(low))
	most := (uint64(high) - uint64(low)) << (64 - size) >> (64 - size) // wraps alike in all types
	mask := uint64(1)<<bits.Len64(most) - 1
	n := most + 1
	switch {
	case most == 0:
		for i := range dst {
			dst[i] = low
		}
	case most > math.MaxUint32:
		draw := func(dst []T, words []uint64) int { return takeMasked(dst, words, low, mask, most) }
		if n != 0 && !r.s.legacy() {
			least := -n % n
			draw = func(dst []T, words []uint64) int { return takeWideProducts(dst, words, low, n, least) }
		}
		fill(dst, &r.double, r.s.fill64, draw)
	default:
		draw := func(dst []T, words []uint32) int { return takeMasked(dst, words, low, uint32(mask), uint32(most)) }
		if !r.s.legacy() {
			all := uint64(1)<<r.bits - 1
			least := (all - most) % n
			draw = func(dst []T, words []uint32) int { return takeProducts(dst, words, low, n, least, r.bits) }
		}
		words := r.s.fill32
		if r.bits < 32 {
			words = r.cut.fill
		}
		fill(dst, &r.words, words, draw)
	}
	return nil
}

// fill draws numbers by take, which makes some of words and says how many.
func fill[T Integer, W uint32 | uint64](dst []T, room *[]W, fresh func([]W), take func(dst []T, words []W) int) {
	if most := min(len(dst), wordsAtOnce); len(*room) < most {
		*room = make([]W, most)
	}
	for len(dst) > 0 {
		words := (*room)[:min(len(dst), len(*room))]
		fresh(words)
		dst = dst[take(dst, words):]
	}
}

// takeMasked is masked: of each word the bits of mask, if they are a number of at most most.
func takeMasked[T Integer, W uint32 | uint64](dst []T, words []W, low T, mask, most W) int {
	n := 0
	for _, w := range words {
		v := w & mask
		dst[n] = low + T(v) // the next number is written over one that is none: no processor could foresee a jump
		if v <= most {
			n++
		}
	}
	return n
}

// takeProducts is lemire of words of so many bits, n numbers, and the least low half that has not
// had its share.
func takeProducts[T Integer](dst []T, words []uint32, low T, n, least uint64, bits int) int {
	all := uint64(1)<<bits - 1
	i := 0
	for _, w := range words {
		m := uint64(w) * n
		dst[i] = low + T(m>>(bits&63))
		if m&all >= least {
			i++
		}
	}
	return i
}

// takeWideProducts is takeProducts of words of 64 bits.
func takeWideProducts[T Integer](dst []T, words []uint64, low T, n, least uint64) int {
	i := 0
	for _, w := range words {
		high, m := bits.Mul64(w, n)
		dst[i] = low + T(high)
		if m >= least {
			i++
		}
	}
	return i
}

// words are what integers are made of.
type words interface {
	Uint32() uint32
	Uint64() uint64
}

// masked is uniform in [0, most]: numbers of as many bits, until one is small enough.
func masked[S words](s S, most uint64) uint64 {
	if most == 0 {
		return 0
	}
	mask := uint64(1)<<bits.Len64(most) - 1
	if most <= math.MaxUint32 {
		for {
			if v := uint64(s.Uint32()) & mask; v <= most {
				return v
			}
		}
	}
	for {
		if v := s.Uint64() & mask; v <= most {
			return v
		}
	}
}

// lemire is uniform in [0, most], by multiplication (Lemire, 2019): the high half of the product of
// a word and the number of values, drawn again where the low half shows that a value has had its
// share.
func lemire[S words](s S, most uint64) uint64 {
	switch {
	case most == 0:
		return 0
	case most == math.MaxUint32:
		return uint64(s.Uint32())
	case most == math.MaxUint64:
		return s.Uint64()
	case most < math.MaxUint32:
		n := most + 1
		m := uint64(s.Uint32()) * n
		if uint64(uint32(m)) < n {
			for least := (math.MaxUint32 - most) % n; uint64(uint32(m)) < least; {
				m = uint64(s.Uint32()) * n
			}
		}
		return m >> 32
	}
	n := most + 1
	high, low := bits.Mul64(s.Uint64(), n)
	if low < n {
		for least := (math.MaxUint64 - most) % n; low < least; {
			high, low = bits.Mul64(s.Uint64(), n)
		}
	}
	return high
}

// A cutter cuts each 32-bit word into several numbers, the lowest bits first.
type cutter struct {
	s    Source
	bits int
	word uint32
	left int // numbers that word still holds
}

func (c *cutter) fill(dst []uint32) {
	mask := uint32(1)<<c.bits - 1
	for i := range dst {
		if c.left == 0 {
			c.word, c.left = c.s.Uint32(), 32/c.bits
		}
		dst[i] = c.word & mask
		c.word >>= c.bits
		c.left--
	}
}

// Bytes fills dst with random bytes: those of 32-bit words, the lowest first.
func Bytes(s Source, dst []byte) {
	var word uint32
	for i := range dst {
		if i%4 == 0 {
			word = s.Uint32()
		}
		dst[i] = byte(word)
		word >>= 8
	}
}

// TomaxInt is uniform over the integers that are not negative: RandomState.tomaxint.
func (s *RandomState) TomaxInt() int64 { return int64(s.Uint64() >> 1) }
