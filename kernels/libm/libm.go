package libm

import "math"

const ln2Hi, ln2Lo = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45 // ln 2; the high part times an exponent is exact

// split is k, z and i of x = 2**k z > 0: first are the bits of the smallest z, which is below twice
// that, and i says in which of 128 equal steps of its bits it is.
func split(x float64, first uint64) (k, z float64, i uint64) {
	bits := math.Float64bits(x)
	if x < 0x1p-1022 {
		bits = math.Float64bits(x*0x1p52) - 52<<52
	}
	from := bits - first
	return float64(int64(from) >> 52), math.Float64frombits(bits - from&^(1<<52-1)), from >> 45 & 127
}

// Log is log x. For x = 2**k z and r = z/c - 1, with c near z, it is k ln 2 + log c + log(1+r).
func Log(x float64) float64 {
	if x >= 1-0x1p-4 && x < 1+0x1.09p-4 {
		return logNear(x - 1)
	}
	if !(x > 0) || x > math.MaxFloat64 {
		return math.Log(x)
	}
	k, z, i := split(x, logFirst)
	entry := &logTable[i]
	r := math.FMA(z, entry.inverse, -1)
	w := math.FMA(k, ln2Hi, entry.log)
	hi := w + r
	lo := math.FMA(k, ln2Lo, w-hi+r)

	r2 := float64(r * r)
	lo = math.FMA(r2, -0x1.0000000000001p-1, lo)
	p := math.FMA(r, -0x1.55575e506c89fp-3, 0x1.999b324f10111p-3)
	p = math.FMA(p, r2, math.FMA(r, -0x1.fffffffeb459p-3, 0x1.555555551305bp-2))
	return math.FMA(float64(r*r2), p, lo) + hi
}

// logNear is log(1+r) for small r, of whose series the term -r²/2 needs more bits than a number
// has.
func logNear(r float64) float64 {
	r2 := float64(r * r)
	r3 := float64(r * r2)
	p := math.FMA(r, -0x1.999eb43b068ffp-4, 0x1.c7184282ad6cap-4)
	p = math.FMA(r3, -0x1.5521375d145cdp-4, math.FMA(r2, 0x1.78182f7afd085p-4, p))
	q := math.FMA(r, 0x1.24924a344de3p-3, -0x1.55555556745a7p-3)
	p = math.FMA(p, r3, math.FMA(r2, -0x1.fffffa4423d65p-4, q))
	q = math.FMA(r, -0x1.ffffffffffdcbp-3, 0x1.5555555555577p-2)
	p = math.FMA(p, r3, math.FMA(r2, 0x1.999999995dd0cp-3, q))

	upper := math.FMA(-0x1p27, r, math.FMA(r, 0x1p27, r)) // the upper half of r's bits
	square := float64(upper * upper)
	hi := math.FMA(square, -0.5, r)
	lo := math.FMA(square, -0.5, r-hi)
	lo = math.FMA(float64(-0.5*(r-upper)), r+upper, lo)
	return hi + math.FMA(p, r3, lo)
}

// logPair is log x for finite x > 0 in two numbers, to about 2**-68 of it.
func logPair(x float64) (y, rest float64) {
	k, z, i := split(x, powFirst)
	entry := &powTable[i]
	r := math.FMA(z, entry.inverse, -1)
	t := math.FMA(k, ln2Hi, entry.log)
	s := t + r
	lo := math.FMA(k, ln2Lo, entry.rest) + (t - s + r)

	half := float64(-0.5 * r)
	square := float64(r * half)
	hi := s + square
	lo += math.FMA(half, r, -square)
	lo += s - hi + square
	p := math.FMA(r, 0x1.0002b8b263fc3p+0, -0x1.2495b9b4845e9p+0)
	p = math.FMA(p, square, math.FMA(r, -0x1.555555529a47ap-1, 0x1.999999959554ep-1))
	p = math.FMA(square, p, math.FMA(r, 0x1.0000000000006p-1, -0x1.555555555556p-1))
	lo = math.FMA(float64(r*square), p, lo)
	y = hi + lo
	return y, hi - y + lo
}

// Exp is exp x.
func Exp(x float64) float64 { return expPair(x, 0) }

// Pow is x to the power y.
func Pow(x, y float64) float64 {
	if x < 0 && y == math.Trunc(y) && !math.IsInf(y, 0) {
		z := Pow(-x, y)
		if math.Mod(y, 2) != 0 {
			z = -z
		}
		return z
	}
	if size := math.Abs(y); !(x > 0) || x > math.MaxFloat64 || !(size >= 0x1p-65 && size < 0x1p63) {
		return math.Pow(x, y)
	}
	z, rest := logPair(x)
	product := float64(y * z)
	return expPair(product, math.FMA(y, rest, math.FMA(y, z, -product)))
}

// expPair is exp(x+rest), for a rest that is small beside x or 0. For x = k ln 2 / 128 + r it is
// 2**(k/128) exp r.
func expPair(x, rest float64) float64 {
	size := math.Abs(x)
	if size < 0x1p-54 {
		return 1 + x
	}
	if !(size < 1024) {
		return math.Exp(x)
	}
	const toInteger = 0x1.8p52
	sum := math.FMA(x, 0x1.71547652b82fep+7, toInteger)
	k := math.Float64bits(sum) // in its lower bits
	sum -= toInteger
	r := math.FMA(sum, -0x1.cf79abc9e3b3ap-47, math.FMA(sum, -0x1.62e42fefap-8, x)) + rest

	entry := &expTable[k%128]
	r2 := float64(r * r)
	p := math.FMA(r, 0x1.555555555543cp-3, 0x1.ffffffffffdbdp-2)
	p = math.FMA(p, r2, entry.rest+r)
	p = math.FMA(float64(r2*r2), math.FMA(r, 0x1.1111167a4d017p-7, 0x1.55555cf172b91p-5), p)
	bits := entry.bits + k<<45
	if size < 512 {
		scale := math.Float64frombits(bits)
		return math.FMA(scale, p, scale)
	}
	return expFar(bits, p, int32(k) < 0)
}

// expFar is s(1+p) for bits of s that may be beyond those of normal numbers.
func expFar(bits uint64, p float64, small bool) float64 {
	if !small {
		s := math.Float64frombits(bits - 1009<<52)
		return 0x1p1009 * math.FMA(s, p, s)
	}
	s := math.Float64frombits(bits + 1022<<52)
	more := float64(s * p)
	y := s + more
	if y < 1 { // subnormal: rounded once, as it will be
		lost := s - y + more
		hi := 1 + y
		y = hi + (1 - hi + y + lost) - 1
	}
	return 0x1p-1022 * y
}
