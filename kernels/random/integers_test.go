package random_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels/random"
)

// A slowRange draws numbers from 0 to most one by one, of words of so many bits that are cut from
// those of 32 bits, the lowest first: NumPy's loops as they stand in its distributions.c.
type slowRange struct {
	s      random.Source
	legacy bool
	bits   int
	word   uint32
	left   int
}

func (r *slowRange) next() uint64 {
	if r.left == 0 {
		r.word, r.left = r.s.Uint32(), 32/r.bits
	}
	v := uint64(r.word) & (1<<r.bits - 1)
	r.word >>= r.bits
	r.left--
	return v
}

func (r *slowRange) draw(most uint64) uint64 {
	next, width := r.next, r.bits
	if most > math.MaxUint32 {
		next, width = r.s.Uint64, 64
	}
	mask := uint64(1)<<bits.Len64(most) - 1
	for {
		v := next()
		if r.legacy {
			if v&mask <= most {
				return v & mask
			}
			continue
		}
		if width == 64 && most == math.MaxUint64 {
			return v
		}
		// The product with the number of values has its high part before the word, and its low part
		// within it.
		high, low := bits.Mul64(v, most+1)
		all := uint64(math.MaxUint64)
		if width < 64 {
			all = 1<<width - 1
			high, low = high<<(64-width)|low>>width, low&all
		}
		if low >= (all-most)%(most+1) {
			return high
		}
	}
}

// ranged compares Fill with draws one by one: in one part and in several, from words and from
// halves of words, and what comes after it.
func ranged[T random.Integer](t *testing.T, name string, width int, fresh func(random.Source) *random.Ranges[T], pairs [][2]T) {
	for _, legacy := range []bool{false, true} {
		for _, pair := range pairs {
			for _, n := range []int{0, 1, 2, 3, 511, 512, 513, 1500} {
				for odd := range 2 {
					sources := [2]random.Source{}
					for i := range sources {
						if sources[i] = random.NewGenerator(7, uint32(n)); legacy {
							sources[i] = random.NewRandomState(uint32(n))
						}
						for range odd * 3 {
							sources[i].Uint32()
						}
					}
					low := pair[0]
					most := uint64(pair[1]) - uint64(low)
					if width < 64 {
						most &= 1<<width - 1
					}
					slow := &slowRange{s: sources[0], legacy: legacy, bits: min(width, 32)}
					want, got := make([]T, n), make([]T, n)
					for i := range want {
						want[i] = low
						if most > 0 {
							want[i] += T(slow.draw(most))
						}
					}
					r := fresh(sources[1])
					for _, part := range [][]T{got[:n/3], got[n/3:][:min(1, n-n/3)], got[min(n, n/3+1):]} {
						if err := r.Fill(part, pair[0], pair[1]); err != nil {
							t.Fatal(err)
						}
					}
					what := fmt.Sprintf("%s, legacy %v, %d from %v to %v after %d words", name, legacy, n, pair[0], pair[1], odd*3)
					if !slices.Equal(got, want) {
						t.Errorf("%s: the numbers are others than one by one", what)
					}
					if a, b := sources[1].Uint32(), sources[0].Uint32(); a != b {
						t.Errorf("%s: got %d as the next word, want %d", what, a, b)
					}
				}
			}
		}
	}
}

func TestRangesOneByOne(t *testing.T) {
	ranged(t, "bool", 1, random.NewBoolRanges, [][2]uint8{{0, 1}, {1, 1}})
	ranged(t, "int8", 8, random.NewRanges[int8], [][2]int8{{-128, 127}, {-3, 4}, {0, 4}, {-100, 100}, {5, 5}})
	ranged(t, "uint16", 16, random.NewRanges[uint16], [][2]uint16{{0, math.MaxUint16}, {0, 40000}, {7, 8}})
	ranged(t, "int32", 32, random.NewRanges[int32], [][2]int32{{math.MinInt32, math.MaxInt32}, {-5, 1}, {0, 1<<30 + 1}, {math.MinInt32, 1}})
	ranged(t, "uint32", 32, random.NewRanges[uint32], [][2]uint32{{0, math.MaxUint32}, {0, 1<<31 + 1}, {9, 1 << 20}})
	ranged(t, "int64", 64, random.NewRanges[int64], [][2]int64{{math.MinInt64, math.MaxInt64}, {0, math.MaxUint32}, {0, math.MaxUint32 + 1}, {0, 99}, {-1 << 62, 1<<62 + 5}})
	ranged(t, "uint64", 64, random.NewRanges[uint64], [][2]uint64{{0, math.MaxUint64}, {1, math.MaxUint64}, {0, 1<<63 + 1}, {3, 3}})
}
