package linalg

import "math"

// poles are where a secular equation has its poles, ascending: at d, or at the squares of a d that
// is not negative.
type poles struct {
	d       []float64
	squared bool
}

// gap is how far pole j lies before pole i. That of squares has all its digits.
func (p poles) gap(i, j int) float64 {
	g := p.d[i] - p.d[j]
	if p.squared {
		g *= p.d[i] + p.d[j]
	}
	return g
}

// A secularRoot lies x behind pole origin.
type secularRoot struct {
	origin int
	x      float64
}

// secularRoots returns the roots of 1/rho + sum(z²/(pole - x)), which ascend, and writes z/(pole -
// root) for each root to a row of vectors: not with z, which it overwrites, but with the z for
// which the roots are exact. It reports whether all iterations converged.
func secularRoots(p poles, z []float64, rho float64, vectors Matrix) (roots []secularRoot, ok bool) {
	k := len(z)
	s := secular{poles: p, z: z, rho: rho, gaps: make([]float64, k)}
	for j := range k {
		s.distance = vectors.row(j)
		root, ok := s.root(j)
		if !ok {
			return nil, false
		}
		roots = append(roots, root)
	}
	// The products of all distances of a pole from the roots, over those from the other poles, are
	// the squares.
	squares := make([]float64, k)
	for i := range k {
		squares[i] = -vectors.At(i, i)
	}
	for j := range k {
		for i, distance := range vectors.row(j) {
			if i != j {
				squares[i] *= distance / p.gap(i, j)
			}
		}
	}
	for i, square := range squares {
		z[i] = math.Copysign(math.Sqrt(math.Abs(square)), z[i])
	}
	for j := range k {
		for i, distance := range vectors.row(j) {
			vectors.Data[j*k+i] = z[i] / distance
		}
	}
	return roots, true
}

// root returns root j, which lies between poles j and j+1, or behind the last one, and leaves in
// distance how far each pole lies from it. It reports whether the iteration converged.
//
// Distances are kept from the pole that is closer, since their digits decide over the vectors. A
// step solves the equation in which all other poles are those two, with values and slopes as they
// are (R.-C. Li, "Solving secular equations stably and efficiently", LAPACK Working Note 89, 1993);
// it never leaves the interval in which the sign changes.
func (s *secular) root(j int) (root secularRoot, ok bool) {
	k := len(s.z)
	s.left = j
	low, high := 0.0, 0.0
	s.from(j)
	if k == 1 {
		x := s.rho * s.z[0] * s.z[0]
		s.distance[0] = -x
		return secularRoot{0, x}, true
	}
	if j == k-1 {
		for _, v := range s.z {
			high += v * v
		}
		high *= s.rho
		s.left = k - 2
		s.at(high / 2)
	} else {
		gap := s.gap(j+1, j)
		high = gap / 2
		if s.at(gap / 2); s.value < 0 { // the root is closer to the right pole, from which this is -gap/2
			low, high = -gap/2, 0
			s.from(j + 1)
			s.x = low
		}
	}
	x := s.x
	for range maxSecular {
		if math.Abs(s.value) <= eps*s.bound {
			return secularRoot{s.origin, x}, true
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
			return secularRoot{s.origin, x}, true
		}
		x = next
		s.at(x)
	}
	return secularRoot{}, false
}

// maxSecular bounds the steps of one root. Three to six are the rule; halving alone takes as many
// as a number has bits.
const maxSecular = 200

// secular is the equation at a point, with the parts of poles up to left, and of those behind.
type secular struct {
	poles
	z, distance []float64
	rho         float64
	left        int

	origin                int
	gaps                  []float64 // how far the poles lie behind the origin
	x                     float64
	value, bound          float64 // and how far rounding may have taken it, in units of eps
	leftSlope, rightSlope float64
}

// from makes a pole the one from which x is counted.
func (s *secular) from(origin int) {
	s.origin = origin
	for i := range s.gaps {
		s.gaps[i] = s.gap(i, origin)
	}
}

// at evaluates at x.
func (s *secular) at(x float64) {
	s.x = x
	sum := func(from, to int) (value, slope float64) {
		gaps := s.gaps[from:to]
		z, distance := s.z[from:to][:len(gaps)], s.distance[from:to][:len(gaps)]
		for i, gap := range gaps {
			d := gap - x
			distance[i] = d
			t := z[i] / d
			value += z[i] * t
			slope += t * t
		}
		return value, slope
	}
	var left, right float64
	left, s.leftSlope = sum(0, s.left+1)
	right, s.rightSlope = sum(s.left+1, len(s.z))
	s.value = 1/s.rho + left + right
	s.bound = 8*(math.Abs(left)+math.Abs(right)) + 1/s.rho + math.Abs(x)*(s.leftSlope+s.rightSlope)
}

// step is how far the root of c + p/(distance of the left pole) + q/(that of the right one) is
// away, with p and q so that values and slopes are the equation's.
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
