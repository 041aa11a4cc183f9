package random

import (
	"fmt"
	"math/big"
	"slices"
)

const poolWords = 4

// A SeedSequence makes of a seed, however poor, good states of bit generators (O'Neill's seed_seq,
// as in numpy.random.SeedSequence with its pool of 128 bits).
type SeedSequence struct {
	entropy  []uint32
	spawnKey []uint32
	children uint32
	pool     [poolWords]uint32
}

// NewSeedSequence mixes the words of entropy, which it copies. None at all are taken from the
// operating system.
func NewSeedSequence(words ...uint32) *SeedSequence {
	if len(words) == 0 {
		words = entropy(poolWords)
	}
	return newSeedSequence(slices.Clone(words), nil)
}

// SeedWords are the words of integers, the lowest of each first, as a SeedSequence takes a seed
// that is an integer of any size, or a list of them. It is an error if one is negative.
func SeedWords(seeds ...*big.Int) ([]uint32, error) {
	var words []uint32
	low := big.NewInt(1<<32 - 1)
	for _, seed := range seeds {
		if seed.Sign() < 0 {
			return nil, fmt.Errorf("seed: got %v, want an integer that is not negative", seed)
		}
		n := new(big.Int).Set(seed)
		for first := true; first || n.Sign() > 0; first = false {
			words = append(words, uint32(new(big.Int).And(n, low).Uint64()))
			n.Rsh(n, 32)
		}
	}
	return words, nil
}

func newSeedSequence(entropy, spawnKey []uint32) *SeedSequence {
	s := &SeedSequence{entropy: entropy, spawnKey: spawnKey}
	words := slices.Clone(entropy)
	if len(spawnKey) > 0 {
		// A child's key must not stand where more words of a parent's entropy would.
		for len(words) < poolWords {
			words = append(words, 0)
		}
		words = append(words, spawnKey...)
	}
	hash := hasher{0x43b0d7e5, 0x931e8875}
	for i := range s.pool {
		if i < len(words) {
			s.pool[i] = hash.next(words[i])
		} else {
			s.pool[i] = hash.next(0)
		}
	}
	for from := range s.pool {
		for to := range s.pool {
			if from != to {
				s.pool[to] = mix(s.pool[to], hash.next(s.pool[from]))
			}
		}
	}
	for _, word := range words[min(poolWords, len(words)):] {
		for to := range s.pool {
			s.pool[to] = mix(s.pool[to], hash.next(word))
		}
	}
	return s
}

// A hasher is a multiplicative hash whose constant changes with every word.
type hasher struct{ constant, factor uint32 }

func (h *hasher) next(word uint32) uint32 {
	word ^= h.constant
	h.constant *= h.factor
	word *= h.constant
	return word ^ word>>16
}

func mix(x, y uint32) uint32 {
	z := 0xca01f9dd*x - 0x4973f715*y
	return z ^ z>>16
}

// Entropy is a copy of the words that the sequence was made of, without what tells children apart.
func (s *SeedSequence) Entropy() []uint32 { return slices.Clone(s.entropy) }

// Uint32s is the first n words of state.
func (s *SeedSequence) Uint32s(n int) []uint32 {
	hash := hasher{0x8b51f9dd, 0x58f38ded}
	words := make([]uint32, n)
	for i := range words {
		words[i] = hash.next(s.pool[i%poolWords])
	}
	return words
}

// Uint64s is the first n double words of state, each of two words, the low one first.
func (s *SeedSequence) Uint64s(n int) []uint64 {
	words := s.Uint32s(2 * n)
	doubles := make([]uint64, n)
	for i := range doubles {
		doubles[i] = uint64(words[2*i+1])<<32 | uint64(words[2*i])
	}
	return doubles
}

// Spawn is n sequences that are independent of one another, of s, and of those that were spawned
// before.
func (s *SeedSequence) Spawn(n int) []*SeedSequence {
	list := make([]*SeedSequence, n)
	for i := range list {
		list[i] = newSeedSequence(s.entropy, append(slices.Clone(s.spawnKey), s.children))
		s.children++
	}
	return list
}
