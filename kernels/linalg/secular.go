package linalg

import "math"

// secularRoot returns root j of 1/rho + sum(z²/(pole - x)), which lies between poles j and j+1, or behind the last one, and writes to distance how far each
// pole lies from it. The poles ascend. It reports whether the iteration converged.
//
// Distances are kept from the pole that is closer, since their digits decide over the vectors. A step solves the equation in which all other poles are those
// two, with values and slopes as they are (R.-C. Li, "Solving secular equations stably and efficiently", LAPACK Working Note 89, 1993); it never leaves the
// interval in which the sign changes.
func secularRoot(j int, pole, z []float64, rho float64, distance []float64) (root float64, ok bool) {
	k := len(pole)
	if k == 1 {
		distance[0] = -rho * z[0] * z[0]
		return pole[0] - distance[0], true
	}
	s := secular{pole: pole, z: z, rho: rho, left: j, distance: distance}
	origin, low, high := j, 0.0, 0.0
	if j == k-1 {
		for _, v := range z {
			high += v * v
		}
		high *= rho
		s.left = k - 2
		s.at(origin, high/2)
	} else {
		gap := pole[j+1] - pole[j]
		high = gap / 2
		if s.at(origin, gap/2); s.value < 0 { // the root is closer to the right pole
			origin, low, high = j+1, -gap/2, 0
			s.at(origin, -gap/2)
		}
	}
	x := s.x
	for range maxSecular {
		if math.Abs(s.value) <= eps*s.bound {
			return pole[origin] + x, true
		}
		if s.value < 0 {
			low = max(low, x)
		} else {
			high = min(high, x)
		}
		next := x + s.step(j == k-1)
		if !(next > low && next < high) {
			next = low/2 + high/2
		}
		if next == x || next == low || next == high { // no number lies between
			return pole[origin] + x, true
		}
		x = next
		s.at(origin, x)
	}
	return 0, false
}

// maxSecular bounds the steps of one root. Three to six are the rule; halving alone takes as many as a number has bits.
const maxSecular = 200

// secular is the equation at a point: the parts of poles up to left, and of those behind.
type secular struct {
	pole, z, distance []float64
	rho               float64
	left              int

	x                     float64
	value, bound          float64 // and how far rounding may have taken it, in units of eps
	leftSlope, rightSlope float64
}

// at evaluates where x is counted from the pole origin.
func (s *secular) at(origin int, x float64) {
	s.x = x
	o := s.pole[origin]
	sum := func(from, to int) (value, slope float64) {
		z, distance := s.z[from:to], s.distance[from:to]
		for i, p := range s.pole[from:to] {
			d := (p - o) - x
			distance[i] = d
			t := z[i] / d
			value += z[i] * t
			slope += t * t
		}
		return value, slope
	}
	var left, right float64
	left, s.leftSlope = sum(0, s.left+1)
	right, s.rightSlope = sum(s.left+1, len(s.pole))
	s.value = 1/s.rho + left + right
	s.bound = 8*(math.Abs(left)+math.Abs(right)) + 1/s.rho + math.Abs(x)*(s.leftSlope+s.rightSlope)
}

// step is how far the root of c + p/(distance of the left pole) + q/(that of the right one) is away, with p and q so that values and slopes are the
// equation's.
func (s *secular) step(last bool) float64 {
	l, r := s.distance[s.left], s.distance[s.left+1]
	a := (l+r)*s.value - l*r*(s.leftSlope+s.rightSlope)
	b := l * r * s.value
	c := s.value - l*s.leftSlope - r*s.rightSlope
	root := math.Sqrt(max(a*a-4*b*c, 0))
	// Of the two roots of c h² - a h + b the one between the poles, or behind both.
	if last {
		if a >= 0 {
			return (a + root) / (2 * c)
		}
		return 2 * b / (a - root)
	}
	if a <= 0 {
		return (a - root) / (2 * c)
	}
	return 2 * b / (a + root)
}
