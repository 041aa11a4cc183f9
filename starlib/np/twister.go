package np

import (
	"crypto/rand"
	"encoding/binary"
	"math"
	"math/bits"
)

// A twister is NumPy's legacy generator: the Mersenne twister MT19937 (Matsumoto and
// Nishimura, 1998), with the ways to make numbers of other kinds from its 32-bit words
// that numpy.random.RandomState has promised never to change. Published results that
// name a seed can be repeated.
type twister struct {
	key [twisterWords]uint32
	pos int // of the next word of key; twisterWords: make new ones

	gauss    float64 // normal numbers come in pairs: the second
	hasGauss bool
}

const (
	twisterWords = 624
	twisterShift = 397
)

// Seed sets the state from one number: what RandomState(n) does.
func (t *twister) Seed(n uint32) {
	for i := range t.key {
		t.key[i] = n
		n = 1812433253*(n^n>>30) + uint32(i) + 1
	}
	t.pos, t.hasGauss = twisterWords, false
}

// seedBy sets the state from several numbers.
func (t *twister) seedBy(numbers []uint32) {
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

// seedAnew sets the state from the operating system's randomness.
func (t *twister) seedAnew() {
	var raw [4 * 8]byte
	rand.Read(raw[:]) // never fails: it ends the program instead
	numbers := make([]uint32, len(raw)/4)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	t.seedBy(numbers)
}

func (t *twister) renew() {
	mix := func(i, next, far int) {
		y := t.key[i]&0x80000000 | t.key[next]&0x7fffffff
		t.key[i] = t.key[far] ^ y>>1 ^ -(y&1)&0x9908b0df
	}
	for i := range t.key {
		mix(i, (i+1)%twisterWords, (i+twisterShift)%twisterWords)
	}
	t.pos = 0
}

func (t *twister) uint32() uint32 {
	if t.pos == twisterWords {
		t.renew()
	}
	y := t.key[t.pos]
	t.pos++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (t *twister) uint64() uint64 {
	high := uint64(t.uint32())
	return high<<32 | uint64(t.uint32())
}

// Float64 is uniform in [0, 1), a multiple of 2**-53.
func (t *twister) Float64() float64 {
	a, b := t.uint32()>>5, t.uint32()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}

// normal is from the standard normal distribution, by Marsaglia's polar method. The
// conversions to float64 keep products from being fused with sums on other machines.
func (t *twister) normal() float64 {
	if t.hasGauss {
		t.hasGauss = false
		return t.gauss
	}
	for {
		x, y := 2*t.Float64()-1, 2*t.Float64()-1
		r := float64(x*x) + float64(y*y)
		if r >= 1 || r == 0 {
			continue
		}
		f := math.Sqrt(-2 * roundedLog(r) / r)
		t.gauss, t.hasGauss = f*x, true
		return f * y
	}
}

// interval is uniform in [0, most].
func (t *twister) interval(most uint64) uint64 {
	if most == 0 {
		return 0
	}
	mask := uint64(1)<<bits.Len64(most) - 1
	for {
		var v uint64
		if most <= math.MaxUint32 {
			v = uint64(t.uint32()) & mask
		} else {
			v = t.uint64() & mask
		}
		if v <= most {
			return v
		}
	}
}

// A narrow source cuts each 32-bit word into several numbers, the lowest bits first:
// where randint's result is of 16 or fewer bits.
type narrowSource struct {
	t    *twister
	bits int
	word uint32
	left int // numbers that word still holds
}

func (s *narrowSource) next() uint64 {
	if s.left == 0 {
		s.word, s.left = s.t.uint32(), 32/s.bits
	} else {
		s.word >>= s.bits
	}
	s.left--
	return uint64(s.word) & (1<<s.bits - 1)
}

// interval is uniform in [0, most], which fits the source's bits.
func (s *narrowSource) interval(most uint64) uint64 {
	if most == 0 {
		return 0
	}
	mask := uint64(1)<<bits.Len64(most) - 1
	for {
		if v := s.next() & mask; v <= most {
			return v
		}
	}
}

// roundedLog is the logarithm of x > 0, correctly rounded but for the rarest x. Go's
// math.Log differs from the C library's in the last bit too often for published normal
// numbers to be repeated. Of the first million numbers of RandomState(123).randn, 368
// differ in the last bit from NumPy's with glibc 2.36, whose log is not quite correctly
// rounded.
//
// It is computed to twice the precision: x = 2**e * m with m in [√½, √2), and
// log m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + ...) for s = (m-1)/(m+1), |s| < 0.172.
func roundedLog(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	up, down := m-1, m+1 // up is exact
	downLow := m - (down - 1)
	s := double{hi: up / down}
	s.lo = (math.FMA(-s.hi, down, up) - s.hi*downLow) / down
	z := s.times(s)
	// The far terms matter less than 2**-53 of the result: plain arithmetic will do.
	const exactTerms, terms = 9, 33
	tail := 0.0
	for k := terms; k > exactTerms; k -= 2 {
		tail = 1/float64(k) + z.hi*tail
	}
	sum := double{hi: tail}
	for k := exactTerms; k > 0; k -= 2 {
		sum = sum.times(z).plus(reciprocal(float64(k)))
	}
	log := s.times(sum)
	log = double{2 * log.hi, 2 * log.lo}
	const ln2, ln2Low = 0.693147180559945309417232121458, 2.319046813846299615494855463875e-17
	return log.plus(double{ln2, ln2Low}.times(double{hi: float64(e)})).hi
}

// A double is a number as the unevaluated sum of two, |lo| at most half an ulp of hi.
type double struct{ hi, lo float64 }

func (a double) times(b double) double {
	p := a.hi * b.hi
	low := math.FMA(a.hi, b.hi, -p) + (float64(a.hi*b.lo) + float64(a.lo*b.hi))
	return quickSum(p, low)
}

func (a double) plus(b double) double {
	s := a.hi + b.hi
	t := s - a.hi
	low := (a.hi - (s - t)) + (b.hi - t)
	return quickSum(s, low+(a.lo+b.lo))
}

// quickSum is a + b for |a| >= |b|.
func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func reciprocal(x float64) double {
	q := 1 / x
	return double{q, math.FMA(-q, x, 1) / x}
}
