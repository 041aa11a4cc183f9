package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Hyp2f1 is Gauss's hypergeometric function, the sum of (a)_k (b)_k z**k/((c)_k k!) for |z| < 1 and
// what continues it for z up to 1; inf above, where it is complex, and where c is a whole number up
// to 0 and the sum does not end before. Where a sum would leave no digits it is nan.
//
// The function of two other parameters at z/(z-1), or at z, gives it too, times a power of 1-z
// (Pfaff, Euler), so that an operand between 0 and 1 is left. From where the sum has its digits the
// differential equation is followed to there, by Taylor's series around one point after the other.
// Formulas with the gamma function are shorter where differences of the parameters are far from
// whole, and useless where they are not; this does not ask, and what holds for the function holds
// for its derivatives with respect to a, b and c, which are carried along.
func Hyp2f1(a, b, c, z float64) float64 {
	h := hyper{a: a, b: b, c: c}
	n := h.degree()
	switch {
	case a != a || b != b || c != c || z != z:
		return nan
	case n == 0 || z == 0 || c == inf && z <= 1:
		return 1
	case !h.isFinite() || z == inf:
		return nan
	case isPole(c) && n > -c || z > 1 && n == inf:
		return inf
	case z == 1 && n == inf:
		if y, ok := h.gauss(); ok {
			return y
		}
	}
	f, _ := h.value(z)
	return f
}

// Hyp2f1A is the derivative of hyp2f1 with respect to a. As a and b may be exchanged, that with
// respect to b is Hyp2f1A(b, a, c, z).
func Hyp2f1A(a, b, c, z float64) float64 { return hyper{a: a, b: b, c: c, da: 1}.slope(z) }

// Hyp2f1C is the derivative with respect to c.
func Hyp2f1C(a, b, c, z float64) float64 { return hyper{a: a, b: b, c: c, dc: 1}.slope(z) }

const (
	hyperTerms = 20000 // that are taken at most, of all series; one of twice the digits counts as 8
	hyperNear  = 0.75  // up to where sums are tried
	hyperLoss  = 8     // how many times larger than a result a term may be
)

// hyper is a hypergeometric function: its parameters, and how these move where a derivative is
// asked for.
type hyper struct {
	a, b, c    float64
	da, db, dc float64
	taken      int // terms
}

// hyperAt is such a function at a point: value and slope, and how both move.
type hyperAt struct{ f, g, df, dg float64 }

var hyperLost = hyperAt{nan, nan, nan, nan}

// isPole reports whether x is a whole number up to 0.
func isPole(x float64) bool { return x <= 0 && isWhole(x) }

// degree is that of the polynomial, for a parameter that does not move; inf if it is none.
func (h hyper) degree() float64 {
	n := inf
	if isPole(h.a) && h.da == 0 {
		n = -h.a
	}
	if isPole(h.b) && h.db == 0 {
		n = min(n, -h.b)
	}
	return n
}

func (h hyper) isFinite() bool { return h.a-h.a == 0 && h.b-h.b == 0 && h.c-h.c == 0 }

// still reports whether no parameter moves.
func (h hyper) still() bool { return h.da == 0 && h.db == 0 && h.dc == 0 }

// power is the exponent of 1-z in what grows next to 1.
func (h hyper) power() float64 { return h.c - h.a - h.b }

// gauss is the function at 1, which is no polynomial, and whether it is known.
func (h hyper) gauss() (y float64, ok bool) {
	s, p, q := h.power(), h.c-h.a, h.c-h.b
	switch {
	case !(s > 0):
		return math.Copysign(inf, gammaSign(h.a)*gammaSign(h.b)*gammaSign(h.c)), true
	case isPole(p) || isPole(q):
		return 0, true
	case max(h.c, s, p, q) < 170 && min(h.c, p, q) > -170:
		return Gamma(h.c) / Gamma(p) * (Gamma(s) / Gamma(q)), true
	}
	return 0, false
}

// gammaSign is the sign of gamma(x).
func gammaSign(x float64) float64 {
	if n := math.Floor(x); n < 0 && n != 2*math.Floor(n/2) {
		return -1
	}
	return 1
}

// slope is the derivative in the direction of h.
func (h hyper) slope(z float64) float64 {
	n := h.degree()
	switch {
	case !h.isFinite() || z != z || z == inf || isPole(h.c) && n > -h.c || n == inf && (z > 1 || z == 1 && !(h.power() > 0)):
		return nan
	case z == 0 || h.b == 0 || h.a == 0 && h.da == 0:
		return 0
	}
	_, d := h.value(z)
	return d
}

// value is the function at z, and its derivative in the direction of h.
func (h hyper) value(z float64) (f, df float64) {
	if n := h.degree(); n < inf || math.Abs(z) <= hyperNear {
		at, ok := h.sum(z)
		if !ok && n < inf && (z > 1 || isPole(h.c)) {
			if at, ok = h.sumTwice(z); !ok {
				return nan, nan
			}
		}
		if ok {
			return at.f, at.df
		}
	}
	return h.continued(z)
}

// continued is the function at z up to 1, as y**e times one at w, from 0 to 1, where y = 1-w.
func (h hyper) continued(z float64) (f, df float64) {
	w, y := z, 1-z
	e, de := 0.0, 0.0
	if z < 0 { // Pfaff
		y = 1 / (1 - z)
		w = float64(-z * y)
		if z == -inf {
			w = 1
		}
		if h.b < h.a { // a power that is not negative next to 1
			h.a, h.b, h.da, h.db = h.b, h.a, h.db, h.da
		}
		e, de = h.a, h.da
		h.b, h.db = h.c-h.b, h.dc-h.db
	}
	// Euler's form is better where it ends, or where the power is negative and terms change their
	// signs.
	other := hyper{h.c - h.a, h.c - h.b, h.c, h.dc - h.da, h.dc - h.db, h.dc, h.taken}
	s, ends := h.power(), h.degree() < inf
	if other.degree() < inf && !(ends && s < 0) || !ends && s < 0 && !(h.a > 0 && h.b > 0) {
		e, de = e+s, de+h.dc-h.da-h.db
		h = other
	}
	if y == 0 && e > 0 {
		return 0, 0
	}
	p := libm.Pow(y, e)
	var at hyperAt
	if w > 0.5 && h.reflects() {
		p *= h.reflect()
		at = h.follow(y, w)
	} else {
		at = h.follow(w, y)
	}
	if de != 0 {
		at.df += float64(de * libm.Log(y) * at.f)
	}
	return p * at.f, p * at.df
}

// reflects reports whether h is a polynomial that is to be found as one of 1-z: another solution of
// its equation grows next to 1.
func (h hyper) reflects() bool {
	return h.degree() < hyperTerms && h.power() < 0 && h.still()
}

// reflect makes of h the polynomial of 1-z, and returns the factor that this one lacks.
func (h *hyper) reflect() float64 {
	n := h.degree()
	if h.b == -n {
		h.a, h.b = h.b, h.a
	}
	factor := 1.0
	for k := 0.0; k < n; k++ {
		factor *= (h.c - h.b + k) / (h.c + k)
	}
	h.c = 1 - h.power()
	return factor
}

// sum is the sum at z, and whether it has its digits: no term is much larger than it.
func (h *hyper) sum(z float64) (at hyperAt, ok bool) {
	past := max(-h.a, -h.b, -h.c) // up to where terms may grow again
	t, dt, largest := 1.0, 0.0, 1.0
	still := h.still()
	at.f = 1
	for k := 0.0; at.f == at.f; k++ {
		n, m := (h.a+k)*(h.b+k), (h.c+k)*(k+1)
		if n == 0 && (still || h.da == 0 && h.db == 0 && dt == 0) {
			break
		}
		if h.taken++; h.taken > hyperTerms {
			return at, false
		}
		r := n / m * z
		if !still {
			dt = float64((float64((float64(h.da*(h.b+k))+float64(h.db*(h.a+k)))/m*z)-float64(r*(h.dc/(h.c+k))))*t) + float64(r*dt)
		}
		t = float64(t * r)
		at.f += t
		at.g += float64((k + 1) * t)
		at.df += dt
		at.dg += float64((k + 1) * dt)
		largest = max(largest, math.Abs(t))
		if k > past && (k+1)*math.Abs(t) <= 0x1p-55*math.Abs(at.f) && (k+1)*math.Abs(dt) <= 0x1p-55*math.Abs(at.df) {
			break
		}
	}
	ok = largest <= hyperLoss*max(math.Abs(at.f), math.Abs(at.g))
	at.g /= z
	at.dg /= z
	return at, ok
}

// sumTwice is sum with twice the digits.
func (h *hyper) sumTwice(z float64) (at hyperAt, ok bool) {
	past := max(-h.a, -h.b, -h.c)
	t, dt, largest := twice{high: 1}, twice{}, 1.0
	f, g, df, dg := t, twice{}, twice{}, twice{}
	for k := 0.0; largest < inf; k++ {
		a, b, c := sumOf(h.a, k), sumOf(h.b, k), sumOf(h.c, k)
		if (a.high == 0 || b.high == 0) && h.da == 0 && h.db == 0 && dt.high == 0 {
			break
		}
		if h.taken += 8; h.taken > hyperTerms {
			return at, false
		}
		r := twice{high: z}.over(c.by(k + 1))
		n := a.times(b)
		dt = n.times(dt).plus(b.by(h.da).plus(a.by(h.db)).times(t)).times(r)
		t = n.times(t).times(r)
		dt = dt.plus(t.by(-h.dc).over(c))
		f, g = f.plus(t), g.plus(t.by(k+1))
		df, dg = df.plus(dt), dg.plus(dt.by(k+1))
		largest = max(largest, math.Abs(t.high))
		if k > past && (k+1)*math.Abs(t.high) <= 0x1p-58*math.Abs(f.high) && (k+1)*math.Abs(dt.high) <= 0x1p-58*math.Abs(df.high) {
			break
		}
	}
	ok = largest <= 0x1p45*max(math.Abs(f.high), math.Abs(g.high))
	return hyperAt{f.high, g.high / z, df.high, dg.high / z}, ok
}

// first is the function at some x up to w. Another solution is like x**(1-c): where that grows,
// what the sum has lost at a small x is multiplied with its growth, so that the digits have to be
// had before.
func (h *hyper) first(w float64) (at hyperAt, x float64) {
	x = w
	if h.power() < 20 { // else the sum ends soon, even at 1
		x = min(w, hyperNear)
	}
	for h.taken <= hyperTerms {
		at, ok := h.sum(x)
		if !ok && h.c < 0.5 {
			at, ok = h.sumTwice(x)
		}
		if ok {
			return at, x
		}
		if x *= 0.5; h.c < 1 && libm.Pow(w/x, 1-h.c) > 0x1p24 {
			break
		}
	}
	return hyperLost, w
}

// follow is the function at w from 0 to 1, where y = 1-w. Next to 1 distances from there are what
// is known best.
func (h *hyper) follow(w, y float64) hyperAt {
	at, x := h.first(w)
	if x == w {
		return at
	}
	rest := 1 - x
	for at.f-at.f == 0 {
		if rest < 0x1p-56/(1+math.Abs(h.a*h.b)) {
			return h.end(at, rest, y)
		}
		away := w - x
		if x >= 0.5 {
			away = rest - y
		}
		for step := min(away, 0.5*min(x, rest)); ; step *= 0.5 {
			if h.taken > hyperTerms {
				return hyperLost
			}
			next, ok := h.step(at, x, rest, step)
			if !ok {
				continue
			}
			if step == away {
				return next
			}
			at = next
			if x < 0.5 {
				x += step
				rest = 1 - x
			} else {
				rest -= step
				x = 1 - rest
			}
			break
		}
	}
	return at
}

// step is the function at x+step, by the series around x = 1-y, whose terms obey the differential
// equation; and whether it has its digits.
func (h *hyper) step(at hyperAt, x, y, step float64) (next hyperAt, ok bool) {
	by := step / (x * y)
	q, dq := float64((1-h.power())*x)-float64(h.c*y), float64((h.da+h.db)*x)-h.dc
	u, v, du, dv := at.f, float64(at.g*step), at.df, float64(at.dg*step)
	next = hyperAt{u + v, v, du + dv, dv}
	largest, small, still := max(math.Abs(u), math.Abs(v)), 0, h.still()
	for k := 0.0; small < 3 && largest < inf; k++ {
		if h.taken++; h.taken > hyperTerms {
			return next, false
		}
		p, r := (q+float64(k*(x-y)))*(by/(k+2)), by*step/((k+1)*(k+2))
		a, b := h.a+k, h.b+k
		if !still {
			du, dv = dv, float64(p*dv)+float64(dq*(by/(k+2))*v)+float64(r*(float64(a*b*du)+float64((float64(h.da*b)+float64(h.db*a))*u)))
		}
		u, v = v, float64(p*v)+float64(r*(a*b)*u)
		next.f += v
		next.g += float64((k + 2) * v)
		next.df += dv
		next.dg += float64((k + 2) * dv)
		largest = max(largest, math.Abs(v))
		if (k+2)*math.Abs(v) <= 0x1p-55*math.Abs(next.f) && (k+2)*math.Abs(dv) <= 0x1p-55*math.Abs(next.df) {
			small++
		} else {
			small = 0
		}
	}
	ok = largest <= hyperLoss*max(math.Abs(next.f), math.Abs(next.g))
	next.g /= step
	next.dg /= step
	return next, ok
}

// end is the function so close to 1 that it is A + B y**s, from where y is rest.
func (h *hyper) end(at hyperAt, rest, y float64) hyperAt {
	s, ds := h.power(), h.dc-h.da-h.db
	l := libm.Log(y / rest)
	e, de := l, 0.5*l*l // (y/rest)**s - 1 over s, and its derivative
	switch {
	case s == 0:
	case y == 0:
		e = libm.Expm1(s*l) / s
		de = -e / s
	case math.Abs(s*l) < 1e-3:
		e = libm.Expm1(s*l) / s
		de = l * l * (0.5 + float64(s*l*(1./3+float64(s*l*0.125))))
	default:
		e = libm.Expm1(s*l) / s
		de = (float64(l*libm.Exp(s*l)) - e) / s
	}
	at.df -= float64(rest * (float64(at.dg*e) + float64(at.g*de*ds)))
	at.f -= float64(rest * at.g * e)
	return at
}
