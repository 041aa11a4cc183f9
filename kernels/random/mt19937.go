package random

import (
	"crypto/rand"
	"encoding/binary"
	"slices"
)

const (
	twisterWords = 624
	twisterShift = 397
)

// MT19937 is the Mersenne Twister (Matsumoto and Nishimura, 1998): a generator of 32-bit words with
// a period of 2**19937-1. Its zero value must be seeded. A copy of it is another generator in the
// same state.
type MT19937 struct {
	key [twisterWords]uint32
	pos int // of the next word of key; twisterWords: make new ones
}

// Seed sets the state from one number.
func (t *MT19937) Seed(n uint32) {
	for i := range t.key {
		t.key[i] = n
		n = 1812433253*(n^n>>30) + uint32(i) + 1
	}
	t.pos = twisterWords
}

// SeedArray sets the state from several numbers, which is init_by_array of the authors. No numbers
// are as one zero.
func (t *MT19937) SeedArray(numbers []uint32) {
	if len(numbers) == 0 {
		numbers = []uint32{0}
	}
	t.Seed(19650218)
	key := &t.key
	i, j := 1, 0
	step := func() {
		i++
		if i == twisterWords {
			key[0] = key[twisterWords-1]
			i = 1
		}
	}
	for range max(twisterWords, len(numbers)) {
		key[i] = (key[i] ^ (key[i-1]^key[i-1]>>30)*1664525) + numbers[j] + uint32(j)
		step()
		j = (j + 1) % len(numbers)
	}
	for range twisterWords - 1 {
		key[i] = (key[i] ^ (key[i-1]^key[i-1]>>30)*1566083941) - uint32(i)
		step()
	}
	key[0] = 1 << 31
}

// SeedEntropy sets the state from the operating system's randomness.
func (t *MT19937) SeedEntropy() { t.SeedArray(entropy(8)) }

// entropy is n words of the operating system's randomness.
func entropy(n int) []uint32 {
	raw := make([]byte, 4*n)
	rand.Read(raw) // never fails: it ends the program instead
	words := make([]uint32, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return words
}

// renew makes the next words: key[i] from itself, its neighbour and one far away, all modulo the
// length.
func (t *MT19937) renew() {
	key := &t.key
	for i := range twisterWords - twisterShift {
		key[i] = twist(key[i], key[i+1]) ^ key[i+twisterShift]
	}
	for i := twisterWords - twisterShift; i < twisterWords-1; i++ {
		key[i] = twist(key[i], key[i+1]) ^ key[i+twisterShift-twisterWords]
	}
	key[twisterWords-1] = twist(key[twisterWords-1], key[0]) ^ key[twisterShift-1]
	t.pos = 0
}

func twist(a, b uint32) uint32 {
	y := a&0x80000000 | b&0x7fffffff
	return y>>1 ^ -(y&1)&0x9908b0df
}

// State is the key, of 624 words, and the place in it of the next word, from 0 to 624.
func (t *MT19937) State() (key []uint32, pos int) { return slices.Clone(t.key[:]), t.pos }

// SetState goes on from what State returned. It reports whether that is a state.
func (t *MT19937) SetState(key []uint32, pos int) bool {
	if len(key) != twisterWords || pos < 0 || pos > twisterWords {
		return false
	}
	copy(t.key[:], key)
	t.pos = pos
	return true
}

// Uint32 is uniform over all values.
func (t *MT19937) Uint32() uint32 {
	if t.pos == twisterWords {
		t.renew()
	}
	t.pos++
	return temper(t.key[t.pos-1])
}

// temper makes a word of the state into one that is uniform in all its bits.
func temper(y uint32) uint32 {
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (t *MT19937) fill32(dst []uint32) {
	for len(dst) > 0 {
		if t.pos == twisterWords {
			t.renew()
		}
		key := t.key[t.pos:]
		n := min(len(dst), len(key))
		for i, y := range key[:n] {
			dst[i] = temper(y)
		}
		dst = dst[n:]
		t.pos += n
	}
}

func (t *MT19937) fill64(dst []uint64) {
	for i := range dst {
		dst[i] = t.Uint64()
	}
}

// Uint64 is two words, the high one first.
func (t *MT19937) Uint64() uint64 {
	high := uint64(t.Uint32())
	return high<<32 | uint64(t.Uint32())
}

// Float64 is uniform in [0, 1), a multiple of 2**-53.
func (t *MT19937) Float64() float64 {
	if i := uint(t.pos); i < twisterWords-1 { // without calls: nearly always
		t.pos += 2
		return join(temper(t.key[i]), temper(t.key[i+1]))
	}
	high := t.Uint32()
	return join(high, t.Uint32())
}

func join(high, low uint32) float64 {
	return float64(uint64(high>>5)<<26|uint64(low>>6)) * 0x1p-53
}
