package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
)

// undivided is up to how many rows a part of a bidiagonal matrix is not divided: about where both
// ways take as long.
const undivided = 13

// bidiagonalVectors returns the singular vectors, as rows, of the square matrix b with the diagonal
// d: [n] and the elements e: [n-1] above it: u b = diag(s) v. The singular values s fall, and
// replace d. It reports whether all iterations converged.
//
// Without one row, b is two smaller ones. With their vectors as coordinates it is a diagonal and
// that row, and its singular values are the square roots of the roots of a secular equation (M. Gu
// and S. Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", SIAM J. Matrix Anal.
// Appl. 16(1), 1995).
func (p Product) bidiagonalVectors(d, e []float64) (u, v Matrix, ok bool) {
	n := len(d)
	u, v = Identity(n), Identity(n)
	s := slices.Clone(d)
	division := newDivision(p, n)
	ok = division.singular(s, slices.Clone(e), u.view(), v.view())
	division.give()
	if !ok { // which no matrix is known to need
		u, v, s = Identity(n), Identity(n), slices.Clone(d)
		if !smallBidiagonal(s, e, u.view(), v.view()) {
			return u, v, false
		}
	}
	order := ascending(s)
	slices.Reverse(order)
	copy(d, pick(s, order))
	left, right := u.inOrder(order), v.inOrder(order)
	u.give()
	v.give()
	return left, right, true
}

// singular is bidiagonalVectors, in no order, for b: [n,w], which has one column more than rows
// where e is as long as d. The last row of v: [w,w] is what b has no part of then. It overwrites e.
// The rows of u and v are those of the identity matrix before.
func (p *division) singular(d, e []float64, u, v View) bool {
	n, w := u.Rows, v.Rows
	if n <= undivided {
		return smallBidiagonal(d, e, u, v)
	}
	k := n / 2
	alpha, beta := d[k], e[k]
	if !p.singular(d[:k], e[:k], u.part(0, 0, k, k), v.part(0, 0, k+1, k+1)) ||
		!p.singular(d[k+1:], e[k+1:], u.part(k+1, k+1, n-k-1, n-k-1), v.part(k+1, k+1, w-k-1, w-k-1)) {
		return false
	}
	// Coordinate k is that of the row between on the left, and on the right the columns that the
	// smaller matrices have more than rows.
	left, right, z := newBasis(u, 0, k, k+1, n), newBasis(v, 0, k+1, w), make([]float64, w)
	for i := range k + 1 {
		z[i] = alpha * v.row(i)[k]
	}
	for i := k + 1; i < w; i++ {
		z[i] = beta * v.row(i)[k+1]
	}
	if w > n {
		z[k] = right.away(n, k, z[n], z[k])
	}
	d[k] = 0
	m := merger{p, d, z[:n], []basis{left, right}}
	return m.singular(k)
}

// away turns rows i and j so that row i has no part of a vector of which they had f and g, and
// returns the part that row j has.
func (b basis) away(i, j int, f, g float64) float64 {
	if f == 0 {
		return g
	}
	r := math.Hypot(f, g)
	b.turn(i, j, g/r, f/r)
	return r
}

// singular replaces d by the singular values of diag(d) with z as its row k, where d is 0, and the
// bases on the left and on the right by their vectors.
func (m *merger) singular(k int) bool {
	// A part may be nothing beside the others, but its squares are not to underflow.
	exponent := commonExponent(m.d, m.z)
	scale(m.d, -exponent)
	scale(m.z, -exponent)
	// What is nothing beside the others may be 0, and then its column is turned into column k.
	left, right, tiny := m.bases[0], m.bases[1], m.tiny()
	var order, zeros []int
	for _, i := range ascending(m.d) {
		switch {
		case i == k:
		case m.d[i] > tiny || math.Abs(m.z[i]) <= tiny:
			order = append(order, i)
		default:
			m.z[k] = right.away(i, k, m.z[i], m.z[k])
			m.z[i], m.d[i] = 0, 0
			zeros = append(zeros, i)
		}
	}
	others, gone := m.deflate(1, order)
	kept, gone := append([]int{k}, others...), append(gone, zeros...)
	if len(others) > 0 && math.Abs(m.z[k]) <= tiny {
		m.z[k] = tiny // without a part of z, pole 0 would have no root behind it
	}
	d, z := pick(m.d, kept), pick(m.z, kept)
	mixLeft, mixRight := Matrix{Rows: len(kept), Cols: len(kept), Data: m.other}, Matrix{Rows: len(kept), Cols: len(kept), Data: m.mix}
	roots, ok := secularRoots(poles{d, true}, z, 1, mixRight)
	if !ok {
		return false
	}
	copy(m.d[len(kept):], pick(m.d, gone))
	for j, r := range roots {
		o := d[r.origin]
		m.d[j] = math.Sqrt(o*o + r.x)
		x, y := mixLeft.row(j), mixRight.row(j)
		for i, f := range y {
			x[i] = d[i] * f
		}
		x[0] = -1
		if len(kept) == 1 { // z may be 0
			y[0] = -math.Copysign(1, z[0])
		}
		normalize(x)
		normalize(y)
	}
	scale(m.d, exponent)
	m.replace(left, mixLeft, kept, gone)
	m.replace(right, mixRight, kept, gone)
	return true
}

// smallBidiagonal is singular by the QR algorithm.
func smallBidiagonal(d, e []float64, u, v View) bool {
	n, w := u.Rows, v.Rows
	if w > n {
		// The last column is turned into the one that has the diagonal of its row, which leaves an
		// element above, until there is no row.
		f := e[n-1]
		for i := n - 1; i >= 0 && f != 0; i-- {
			r := math.Hypot(d[i], f)
			c, s := d[i]/r, f/r
			turn(v.row(n), v.row(i), c, s)
			if d[i] = r; i > 0 {
				f = -s * e[i-1]
				e[i-1] *= c
			}
		}
	}
	return attempt(func() bool {
		return gonum.Implementation{}.Dbdsqr(blas.Upper, n, w, 0, n, d, e[:max(n-1, 0)], v.Data, v.Row, nil, 1, u.Data, u.Row, make([]float64, 4*n))
	})
}
