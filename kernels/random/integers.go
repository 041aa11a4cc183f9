package random

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"
)

// An Integer is a type that Ranges can draw.
type Integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Ranges draws integers from one range after another: randint and integers. The sequence hangs on the type: integers of 8 and 16
// bits are cut from words of 32 bits. Ranges keeps the rest of a word in between, so that a sequence may be drawn in parts, or from
// ranges of one number each; the next Ranges starts with a new word.
type Ranges[T Integer] struct {
	s    Source
	bits int // of a number; of those of 32 and more, all
	cut  cutter
}

// NewRanges is Ranges of numbers of T.
func NewRanges[T Integer](s Source) *Ranges[T] {
	bits := 8 * int(unsafe.Sizeof(T(0)))
	return &Ranges[T]{s: s, bits: bits, cut: cutter{s: s, bits: bits}}
}

// NewBoolRanges is Ranges of the numbers 0 and 1, of single bits.
func NewBoolRanges(s Source) *Ranges[uint8] {
	return &Ranges[uint8]{s: s, bits: 1, cut: cutter{s: s, bits: 1}}
}

// Fill fills dst with integers that are uniform in [low, high], both included. It is an error if low is above high.
func (r *Ranges[T]) Fill(dst []T, low, high T) error {
	if low > high {
		return fmt.Errorf("integers: got low %d above high %d, want low <= high", low, high)
	}
	size := 8 * int(unsafe.Sizeof(low))
	most := (uint64(high) - uint64(low)) << (64 - size) >> (64 - size) // wraps alike in all types
	switch {
	case most == 0:
		for i := range dst {
			dst[i] = low
		}
	case r.bits < 32:
		if r.s.legacy() {
			fill(dst, low, func() uint64 { return r.cut.masked(most) })
		} else {
			fill(dst, low, func() uint64 { return r.cut.lemire(most) })
		}
	default:
		switch s := r.s.(type) { // of known types, calls are faster
		case *RandomState:
			fill(dst, low, func() uint64 { return masked(s, most) })
		case *Generator:
			fill(dst, low, func() uint64 { return lemire(s, most) })
		}
	}
	return nil
}

func fill[T Integer](dst []T, low T, draw func() uint64) {
	for i := range dst {
		dst[i] = low + T(draw())
	}
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

// lemire is uniform in [0, most], by multiplication (Lemire, 2019): the high half of the product of a word and the number
// of values, drawn again where the low half shows that a value has had its share.
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

func (c *cutter) next() uint64 {
	if c.left == 0 {
		c.word, c.left = c.s.Uint32(), 32/c.bits
	} else {
		c.word >>= c.bits
	}
	c.left--
	return uint64(c.word) & (1<<c.bits - 1)
}

func (c *cutter) masked(most uint64) uint64 {
	mask := uint64(1)<<bits.Len64(most) - 1
	for {
		if v := c.next() & mask; v <= most {
			return v
		}
	}
}

func (c *cutter) lemire(most uint64) uint64 {
	all := uint64(1)<<c.bits - 1
	if most == all {
		return c.next()
	}
	n := most + 1
	m := c.next() * n
	if m&all < n {
		for least := (all - most) % n; m&all < least; {
			m = c.next() * n
		}
	}
	return m >> c.bits
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
