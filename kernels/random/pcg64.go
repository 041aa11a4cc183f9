package random

import "math/bits"

// PCG64 is O'Neill's permuted congruential generator: a linear congruence of 128 bits whose output
// is the exclusive or of its halves, rotated by its highest bits (XSL-RR). Its zero value must be
// seeded. A copy of it is another generator in the same state.
type PCG64 struct {
	high, low       uint64 // the state
	incHigh, incLow uint64 // the increment, odd, which tells streams apart

	half    uint32 // of the last double word that was halved: the high half
	hasHalf bool
}

// A PCG64State is all that determines what a PCG64 makes.
type PCG64State struct {
	State, Inc [2]uint64 // high and low
	HasUint32  bool      // whether Uint32 is the next word
	Uint32     uint32
}

// Seed sets the state from s.
func (p *PCG64) Seed(s *SeedSequence) {
	words := s.Uint64s(4)
	*p = PCG64{incHigh: words[2]<<1 | words[3]>>63, incLow: words[3]<<1 | 1}
	p.step()
	var carry uint64
	p.low, carry = bits.Add64(p.low, words[1], 0)
	p.high, _ = bits.Add64(p.high, words[0], carry)
	p.step()
}

// State is the state.
func (p *PCG64) State() PCG64State {
	return PCG64State{[2]uint64{p.high, p.low}, [2]uint64{p.incHigh, p.incLow}, p.hasHalf, p.half}
}

// SetState sets the state. The increment's lowest bit is set whatever it says.
func (p *PCG64) SetState(s PCG64State) {
	*p = PCG64{s.State[0], s.State[1], s.Inc[0], s.Inc[1] | 1, s.Uint32, s.HasUint32}
}

func (p *PCG64) step() {
	const factorHigh, factorLow = 0x2360ed051fc65da4, 0x4385df649fccf645
	high, low := bits.Mul64(p.low, factorLow)
	high += p.high*factorLow + p.low*factorHigh
	low, carry := bits.Add64(low, p.incLow, 0)
	high, _ = bits.Add64(high, p.incHigh, carry)
	p.high, p.low = high, low
}

// Advance goes n words of 64 bits on, n being high and low and a number modulo 2**128, and drops a
// half of a word that is kept: in the steps that n has bits, since twice a linear step is one
// (Brown, Random number generation with arbitrary strides, 1994).
func (p *PCG64) Advance(n [2]uint64) {
	const factorHigh, factorLow = 0x2360ed051fc65da4, 0x4385df649fccf645
	factor, plus := [2]uint64{factorHigh, factorLow}, [2]uint64{p.incHigh, p.incLow}
	state := [2]uint64{p.high, p.low}
	for n != [2]uint64{} {
		if n[1]&1 == 1 {
			state = add128(mul128(state, factor), plus)
		}
		plus = add128(mul128(factor, plus), plus)
		factor = mul128(factor, factor)
		n = [2]uint64{n[0] >> 1, n[1]>>1 | n[0]<<63}
	}
	p.high, p.low = state[0], state[1]
	p.half, p.hasHalf = 0, false
}

func mul128(x, y [2]uint64) [2]uint64 {
	high, low := bits.Mul64(x[1], y[1])
	return [2]uint64{high + x[0]*y[1] + x[1]*y[0], low}
}

func add128(x, y [2]uint64) [2]uint64 {
	low, carry := bits.Add64(x[1], y[1], 0)
	high, _ := bits.Add64(x[0], y[0], carry)
	return [2]uint64{high, low}
}

// Uint64 is uniform over all values.
func (p *PCG64) Uint64() uint64 {
	p.step()
	return bits.RotateLeft64(p.high^p.low, -int(p.high>>58))
}

// Uint32 is half a double word: the low one, and the next time the high one.
func (p *PCG64) Uint32() uint32 {
	if p.hasHalf {
		p.hasHalf = false
		return p.half
	}
	double := p.Uint64()
	p.half, p.hasHalf = uint32(double>>32), true
	return uint32(double)
}

func (p *PCG64) fill32(dst []uint32) {
	if p.hasHalf && len(dst) > 0 {
		dst[0], dst = p.Uint32(), dst[1:]
	}
	q := *p // in registers
	for ; len(dst) > 1; dst = dst[2:] {
		double := q.Uint64()
		dst[0], dst[1] = uint32(double), uint32(double>>32)
	}
	p.high, p.low = q.high, q.low
	if len(dst) > 0 {
		dst[0] = p.Uint32()
	}
}

func (p *PCG64) fill64(dst []uint64) {
	q := *p // in registers
	for i := range dst {
		dst[i] = q.Uint64()
	}
	p.high, p.low = q.high, q.low
}

// Float64 is uniform in [0, 1), a multiple of 2**-53.
func (p *PCG64) Float64() float64 { return float64(p.Uint64()>>11) * 0x1p-53 }

// Float32 is uniform in [0, 1), a multiple of 2**-24.
func (p *PCG64) Float32() float32 { return float32(p.Uint32()>>8) * 0x1p-24 }
