package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Bessel functions of any order, as float64. Orders from 50 on have Debye's expansions of I and K,
// which are good for any argument; smaller ones have the series of small and of large arguments,
// and recurrences between.

const largeOrder = 50

// Iv is the modified Bessel function of the first kind of order v; of x < 0 it is nan where v is
// not whole.
func Iv(v, x float64) float64 { return modified(v, x, false) }

// Ive is exp(-|x|) iv(v, x).
func Ive(v, x float64) float64 { return modified(v, x, true) }

func modified(v, x float64, scaled bool) float64 {
	sign := 1.0
	switch {
	case v != v || x != x || math.Abs(v) == inf:
		return nan
	case isWhole(v):
		v = math.Abs(v)
		if x < 0 && v != 2*math.Floor(v/2) {
			sign = -1
		}
		x = math.Abs(x)
	case x < 0:
		return nan
	}
	switch {
	case x == 0 && v == 0:
		return 1
	case x == 0 && v > 0:
		return 0
	case x == 0:
		return math.Copysign(inf, negativeGamma(v))
	case x == inf && scaled:
		return 0
	case x == inf:
		return sign * inf
	}
	if v < 0 { // I(-v) = I(v) + 2/pi sin(pi v) K(v)
		u, k := -v, kScaled(-v, x)
		if scaled {
			return iScaled(u, x) + 2/math.Pi*sinPiAny(u)*expTimes(-2*x, k)
		}
		return expTimes(x, iScaled(u, x)) + 2/math.Pi*sinPiAny(u)*expTimes(-x, k)
	}
	if scaled {
		return sign * iScaled(v, x)
	}
	return sign * expTimes(x, iScaled(v, x))
}

// negativeGamma has the sign of gamma(1+v) for v < 0 that is not whole.
func negativeGamma(v float64) float64 {
	if n := math.Floor(v); n == 2*math.Floor(n/2) {
		return -1
	}
	return 1
}

// iScaled is exp(-x) I(x) of order v >= 0, for finite x > 0.
func iScaled(v, x float64) float64 {
	switch {
	case v >= largeOrder:
		return debyeI(v, x)
	case x <= 60:
		return libm.Pow(0.5*x, v) / gammaNext(v) * powerSeries(v, 0.25*x*x) * libm.Exp(-x)
	case x > 2*v*v:
		return farI(v, x)
	}
	// Down from two orders that are large, in which direction the recurrence is stable.
	n := math.Ceil(largeOrder - v)
	above, here := debyeI(v+n+1, x), debyeI(v+n, x)
	for ; n > 0; n-- {
		above, here = here, above+2*(v+n)/x*here
	}
	return here
}

// powerSeries is the sum of z**k/(k! (v+1)...(v+k)).
func powerSeries(v, z float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; k < most && math.Abs(term) > 0x1p-56*math.Abs(sum); k++ {
		term *= z / (k * (v + k))
		sum += term
	}
	return sum
}

// farI is Hankel's expansion of exp(-x) I(x).
func farI(v, x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; k < 60; k++ {
		term *= (2*k - 1 - 2*v) * (2*k - 1 + 2*v) / (8 * k * x)
		sum += term
		if math.Abs(term) < 0x1p-56*sum {
			break
		}
	}
	return sum / (sqrt2Pi * math.Sqrt(x))
}

// debyeI is exp(-x) I(x) and debyeK exp(x) K(x) of a large order v.
func debyeI(v, x float64) float64 {
	exponent, root, t := debyeParts(v, x)
	return libm.Exp(exponent) / (sqrt2Pi * math.Sqrt(v) * math.Sqrt(root)) * debyeSum(1/v, t)
}

func debyeK(v, x float64) float64 {
	exponent, root, t := debyeParts(v, x)
	return libm.Exp(-exponent) * math.Sqrt(math.Pi/2) / (math.Sqrt(v) * math.Sqrt(root)) * debyeSum(-1/v, t)
}

// debyeParts is v (root + log(z/(1+root))) - x and root = sqrt(1+z*z), for z = x/v, and t = 1/root.
func debyeParts(v, x float64) (exponent, root, t float64) {
	z := x / v
	root = math.Sqrt(1 + z*z)
	if z > 1e8 {
		root = z
	}
	less := 1 / (root + z)
	log := 0.0
	if z > 0.5 {
		log = -libm.Log1p((1 + less) / z)
	} else {
		log = libm.Log(z / (1 + root))
	}
	return v * (less + log), root, 1 / root
}

// debyeSum is the sum of u_k(t) r**k.
func debyeSum(r, t float64) float64 {
	sum, z, power := 0.0, t*t, 1.0
	for k, i := 0, 0; i < len(debyeTerms); k++ {
		sum += power * value(z, debyeTerms[i:i+k+1])
		power *= r * t
		i += k + 1
	}
	return sum
}

// Kv is the modified Bessel function of the second kind of order v, for x >= 0.
func Kv(v, x float64) float64 {
	k := Kve(v, x)
	if x > 0 && x < inf && k < inf {
		return expTimes(-x, k)
	}
	return k
}

// Kve is exp(x) kv(v, x).
func Kve(v, x float64) float64 {
	v = math.Abs(v)
	switch {
	case v != v || !(x >= 0) || v == inf:
		return nan
	case x == 0:
		return inf
	case x == inf:
		return 0
	}
	return kScaled(v, x)
}

// kScaled is exp(x) K(x) of order v >= 0, for finite x > 0: up from two orders between -1/2 and
// 3/2, in which direction the recurrence is stable.
func kScaled(v, x float64) float64 {
	if v >= largeOrder {
		return debyeK(v, x)
	}
	n := math.Floor(v + 0.5)
	mu := v - n
	here, above := 0.0, 0.0
	if x <= 2 {
		here, above = temmeK(mu, x)
		e := libm.Exp(x)
		here, above = here*e, above*e
	} else {
		here, above = fractionK(mu, x)
	}
	for k := 1.0; k <= n; k++ {
		here, above = above, here+2*(mu+k)/x*above
	}
	return here
}

// temmeK is K of the orders mu and mu+1, for |mu| <= 1/2 and x <= 2: Temme's series (1975).
func temmeK(mu, x float64) (here, above float64) {
	odd, even := value(mu*mu, gammaOddTerms[:]), value(mu*mu, gammaEvenTerms[:])
	plus, minus := even-mu*odd, even+mu*odd // 1/gamma(1+mu) and 1/gamma(1-mu)
	log := libm.Log(2 / x)
	if x < 1e-300 {
		log = math.Ln2 - libm.Log(x)
	}
	sigma := mu * log
	// sinh(sigma)/sigma and cosh(sigma)
	e := libm.Exp(sigma)
	ratio, cosh := 1.0, 0.5*(e+1/e)
	if math.Abs(sigma) < 0.5 {
		ratio = powerSeries(0.5, 0.25*sigma*sigma)
	} else {
		ratio = 0.5 * (e - 1/e) / sigma
	}
	pole := 1.0
	if mu != 0 {
		pole = math.Pi * mu / sinPi(mu)
	}
	f := pole * (cosh*odd + ratio*log*even)
	p, q := 0.5*e/plus, 0.5/(e*minus)
	z := 0.25 * x * x
	c := 1.0
	here, above = f, p
	for k := 1.0; k < 60; k++ {
		f = (k*f + p + q) / (k*k - mu*mu)
		p /= k - mu
		q /= k + mu
		c *= z / k
		here += c * f
		above += c * (p - k*f)
		if math.Abs(c*f) < 0x1p-56*math.Abs(here) && math.Abs(c*(p-k*f)) < 0x1p-56*math.Abs(above) {
			break
		}
	}
	return here, above * (2 / x)
}

// fractionK is exp(x) K of the orders mu and mu+1, for x > 2: Steed's evaluation of the continued
// fraction for K(mu+1)/K(mu), and of the sum that the same terms give.
func fractionK(mu, x float64) (here, above float64) {
	first := 0.25 - mu*mu
	a, b := -first, 2*(1+x)
	d := 1 / b
	h, step := d, d
	before, last := 0.0, 1.0
	c, q := first, first
	sum := 1 + q*step
	for i := 2.0; i < most; i++ {
		a -= 2 * (i - 1)
		c = -a * c / i
		before, last = last, (before-b*last)/a
		q += c * last
		b += 2
		d = 1 / (b + a*d)
		step *= b*d - 1
		h += step
		more := q * step
		sum += more
		if math.Abs(more) < 0x1p-55*math.Abs(sum) {
			break
		}
	}
	here = math.Sqrt(math.Pi/2) / math.Sqrt(x) / sum
	return here, here * (mu + x + 0.5 - first*h) / x
}

// Jv is the Bessel function of the first kind of order v; of x < 0 it is nan where v is not whole.
// Orders above a million have a value only where its power series converges at once: x*x < 10(v+1);
// elsewhere it is nan.
func Jv(v, x float64) float64 {
	sign := 1.0
	switch {
	case v != v || x != x || math.Abs(v) == inf:
		return nan
	case isWhole(v):
		if (x < 0) != (v < 0) && v != 2*math.Floor(v/2) && x != 0 {
			sign = -1
		}
		v, x = math.Abs(v), math.Abs(x)
	case x < 0:
		return nan
	}
	switch {
	case x == 0 && v == 0:
		return 1
	case x == 0 && v > 0, x == inf:
		return 0
	case x == 0:
		return math.Copysign(inf, negativeGamma(v))
	case v == 0:
		return J0(x)
	case v == 1:
		return sign * J1(x)
	case v < 0:
		return jBelow(v, x)
	}
	return sign * jAbove(v, x)
}

// jBelow is J of an order below 0 that is not whole: down from two orders between 0 and 2, or by
// the series, of which no term is singular.
func jBelow(v, x float64) float64 {
	if x*x < 10*math.Abs(v+1) && v > -100 {
		return libm.Pow(0.5*x, v) / Gamma(v+1) * powerSeries(v, -0.25*x*x)
	}
	if v < -1e6 {
		return nan
	}
	n := math.Floor(v)
	u := v - n
	here, above := jAbove(u, x), jAbove(u+1, x)
	for ; n < 0; n++ {
		here, above = 2*u/x*here-above, here
		u--
	}
	return here
}

// jAbove is J of order v >= 0, for finite x > 0.
func jAbove(v, x float64) float64 {
	switch {
	case x*x < 10*(v+1):
		if v > 1e6 { // (18.5/v)**(v/2) at most, which underflows
			return 0
		}
		if v < 100 {
			return libm.Pow(0.5*x, v) / gammaNext(v) * powerSeries(v, -0.25*x*x)
		}
		return libm.Exp(v*libm.Log(0.5*x)-Gammaln(v+1)) * powerSeries(v, -0.25*x*x)
	case x >= 26 && x > v*v/2:
		return farJ(v, x)
	case v > 1e6:
		return nan
	}
	n := math.Floor(v)
	u := v - n
	if x >= 26 && v <= x { // up, where the recurrence is stable
		here, above := farJ(u, x), farJ(u+1, x)
		for k := 0.0; k < n; k++ {
			here, above = above, 2*(u+k+1)/x*above-here
		}
		return here
	}
	return millerJ(u, n, x)
}

// farJ is Hankel's expansion of J, for large x.
func farJ(v, x float64) float64 {
	p, q, term := 1.0, 0.0, 1.0
	for k := 1.0; k < 80; k++ {
		next := term * ((2*v - 2*k + 1) * (2*v + 2*k - 1)) / (8 * k * x)
		if k > v && math.Abs(next) > math.Abs(term) {
			break
		}
		term = next
		switch int(k) % 4 {
		case 0:
			p += term
		case 1:
			q += term
		case 2:
			p -= term
		case 3:
			q -= term
		}
		if math.Abs(term) < 0x1p-56 {
			break
		}
	}
	s, c := math.Sincos(x)
	turn := 0.5*v + 0.25
	sine, cosine := sinPiAny(turn), cosPiAny(turn)
	return (p*(c*cosine+s*sine) - q*(s*cosine-c*sine)) * math.Sqrt(2/math.Pi) / math.Sqrt(x)
}

// millerJ is J of order u+n, for u from 0 to 1: the recurrence down from an order where J is as
// good as 0, with any factor, which is known where it ends: from J of order u or u+1 where x is
// large, else from the sum of (u+2k) gamma(u+k)/k! J(u+2k), which is (x/2)**u.
func millerJ(u, n, x float64) float64 {
	top := math.Max(n, math.Ceil(x))
	top += 20 + 6*math.Ceil(libm.Pow(top, 1.0/3)) + math.Floor(top/50)
	top = 2 * math.Ceil(top/2)
	above, here, wanted := 0.0, 1e-300, 0.0
	sum := 0.0
	weight := 0.0 // gamma(u+k)/k!, of which the first is found by going down from a ratio of gammas
	if x < 26 {
		k := top / 2
		weight = libm.Exp((u - 1) * libm.Log(k))
		if k < 160 {
			weight = Gamma(u+k) / Gamma(k+1)
		}
	}
	for m := top; ; m-- {
		if m == n {
			wanted = here
		}
		if x < 26 && math.Mod(m, 2) == 0 && m > 0 {
			k := m / 2
			sum += (u + m) * weight * here
			weight *= k / (u + k - 1)
		}
		if m == 0 {
			break
		}
		here, above = 2*(u+m)/x*here-above, here
		if math.Abs(here) > 1e280 {
			here, above, wanted, sum = here*1e-280, above*1e-280, wanted*1e-280, sum*1e-280
		}
	}
	if x < 26 {
		return wanted / (sum + Gamma(u+1)*here) * libm.Pow(0.5*x, u)
	}
	if math.Abs(here) > math.Abs(above) {
		return wanted / here * farJ(u, x)
	}
	return wanted / above * farJ(u+1, x)
}
