package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
)

// bidiagonalVectors returns the singular values, in no order, of the matrix b: [n,w] with the diagonal d: [n] and the elements e beside it, which has one column
// more than rows where e is as long as d, and its singular vectors as rows: u b = diag(s) v. The last row of v: [w,w] is what b has no part of if w is n + 1. It
// overwrites d and e, and reports whether all iterations converged.
//
// Without one row, b is two smaller ones. With their vectors as coordinates it is a diagonal and that row, and its singular values are the square roots of the
// roots of a secular equation (M. Gu and S. Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", SIAM J. Matrix Anal. Appl. 16(1), 1995).
func (p Product) bidiagonalVectors(d, e []float64) (u, v Matrix, s []float64, ok bool) {
	n, w := len(d), len(e)+1
	if n <= smallEigen {
		u, v, ok = smallBidiagonal(d, e)
		return u, v, d, ok
	}
	k := n / 2
	u1, v1, s1, ok1 := p.bidiagonalVectors(d[:k], e[:k])
	u2, v2, s2, ok2 := p.bidiagonalVectors(d[k+1:], e[k+1:])
	if !ok1 || !ok2 {
		return u, v, s, false
	}
	// Coordinate 0 is that of the row between on the left, and on the right the columns that the smaller matrices have more than rows.
	left, right, z := newBasis(New(n, n), 0, k, k+1, n), newBasis(New(w, w), 0, k+1, w), make([]float64, n)
	left.set(0, 1, []float64{1})
	right.set(0, 0, v1.row(k))
	z[0] = d[k] * v1.row(k)[k]
	for i := range k {
		left.set(1+i, 0, u1.row(i))
		right.set(1+i, 0, v1.row(i))
		z[1+i] = d[k] * v1.row(i)[k]
	}
	for i := range n - k - 1 {
		left.set(k+1+i, 2, u2.row(i))
		right.set(k+1+i, 1, v2.row(i))
		z[k+1+i] = e[k] * v2.row(i)[0]
	}
	if w > n {
		last := v2.row(n - k - 1)
		right.set(n, 1, last)
		z[0] = right.away(n, 0, e[k]*last[0], z[0])
	}
	m := merger{p, slices.Concat([]float64{0}, s1, s2), z, []basis{left, right}}
	return m.singular()
}

// away turns rows i and j so that row i has no part of a vector of which they had f and g, and returns the part that row j has.
func (b basis) away(i, j int, f, g float64) float64 {
	if f == 0 {
		return g
	}
	r := math.Hypot(f, g)
	b.turn(i, j, g/r, f/r)
	return r
}

// singular returns the singular values and vectors of diag(d) with z as its row 0, where d is 0, in bases on the left and on the right.
func (m *merger) singular() (u, v Matrix, s []float64, ok bool) {
	// What is nothing beside the others may be 0, and then its column is turned into column 0.
	right, tiny := m.bases[1], m.tiny()
	var order, gone []int
	for _, i := range ascending(m.d[1:]) {
		if i++; m.d[i] > tiny || math.Abs(m.z[i]) <= tiny {
			order = append(order, i)
			continue
		}
		m.z[0] = right.away(i, 0, m.z[i], m.z[0])
		m.z[i], m.d[i] = 0, 0
		gone = append(gone, i)
	}
	others, without := m.deflate(1, order)
	kept, gone := append([]int{0}, others...), append(gone, without...)
	if len(others) > 0 && math.Abs(m.z[0]) <= tiny {
		m.z[0] = tiny
	}
	d, z := pick(m.d, kept), pick(m.z, kept)
	roots, mixRight, ok := secularRoots(poles{d, true}, z, 1)
	if !ok {
		return u, v, s, false
	}
	mixLeft := New(len(kept), len(kept))
	for j, r := range roots {
		o := d[r.origin]
		s = append(s, math.Sqrt(o*o+r.x))
		right, left := mixRight.row(j), mixLeft.row(j)
		for i, f := range right {
			left[i] = d[i] * f
		}
		left[0] = -1
		if len(kept) == 1 {
			right[0] = -math.Copysign(1, z[0])
		}
		normalize(left)
		normalize(right)
	}
	s = append(s, pick(m.d, gone)...)
	u = m.mixed(mixLeft, m.bases[0], kept, gone)
	if right.rows.Rows > len(s) {
		gone = append(gone, len(s))
	}
	return u, m.mixed(mixRight, right, kept, gone), s, true
}

// smallBidiagonal is bidiagonalVectors by the QR algorithm. It leaves the values in d.
func smallBidiagonal(d, e []float64) (u, v Matrix, ok bool) {
	n, w := len(d), len(e)+1
	u, v = Identity(n), Identity(w)
	if w > n {
		// The last column is turned into the one that has the diagonal of its row, which leaves an element above, until there is no row.
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
	ok = attempt(func() bool {
		return gonum.Implementation{}.Dbdsqr(blas.Upper, n, w, 0, n, d, e[:max(n-1, 0)], v.Data, w, nil, 1, u.Data, n, make([]float64, 4*n))
	})
	return u, v, ok
}
