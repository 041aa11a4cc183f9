package random

import (
	"fmt"
	"math"
)

// The lengths of states as words.
const (
	RandomStateWords = twisterWords + 4
	GeneratorWords   = 10
)

// A Stateful source writes its state as words, of which SourceOf makes a source again.
type Stateful interface {
	Source
	// Words is how many words the state has.
	Words() int
	// Store writes the state to as many words.
	Store(dst []uint32)
}

var (
	_ Stateful = (*RandomState)(nil)
	_ Stateful = (*Generator)(nil)
)

func (s *RandomState) Words() int { return RandomStateWords }

// Store writes the words of the twister, the position, and the normal number that is left over:
// whether there is one, and its bits.
func (s *RandomState) Store(dst []uint32) {
	copy(dst, s.key[:])
	bits := math.Float64bits(s.gauss)
	dst[twisterWords] = uint32(s.pos)
	dst[twisterWords+1] = word(s.hasGauss)
	dst[twisterWords+2], dst[twisterWords+3] = uint32(bits), uint32(bits>>32)
}

func (s *Generator) Words() int { return GeneratorWords }

// Store writes the state and the increment, the low words first, and the half of a double word that
// is left over. The seeds of Spawn are no part of it.
func (s *Generator) Store(dst []uint32) {
	for i, n := range []uint64{s.low, s.high, s.incLow, s.incHigh} {
		dst[2*i], dst[2*i+1] = uint32(n), uint32(n>>32)
	}
	dst[8], dst[9] = word(s.hasHalf), s.half
}

// IsState reports whether a state has so many words.
func IsState(words int) bool { return words == RandomStateWords || words == GeneratorWords }

func word(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// SourceOf is a source in the state that Store wrote, whose kind the number of words tells. A
// Generator of it has no seeds to spawn others from.
func SourceOf(words []uint32) (Stateful, error) {
	switch len(words) {
	case RandomStateWords:
		s := new(RandomState)
		copy(s.key[:], words)
		s.pos = int(words[twisterWords])
		if s.pos > twisterWords {
			return nil, fmt.Errorf("got position %d in the state of a RandomState, want one from 0 to %d", s.pos, twisterWords)
		}
		s.hasGauss = words[twisterWords+1] != 0
		s.gauss = math.Float64frombits(uint64(words[twisterWords+2]) | uint64(words[twisterWords+3])<<32)
		return s, nil
	case GeneratorWords:
		var n [4]uint64
		for i := range n {
			n[i] = uint64(words[2*i]) | uint64(words[2*i+1])<<32
		}
		return &Generator{PCG64: PCG64{low: n[0], high: n[1], incLow: n[2] | 1, incHigh: n[3], hasHalf: words[8] != 0, half: words[9]}}, nil
	}
	return nil, fmt.Errorf("got a state of %d words, want %d of a RandomState or %d of a Generator", len(words), RandomStateWords, GeneratorWords)
}
