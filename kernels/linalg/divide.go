package linalg

import (
	"cmp"
	"math"
	"slices"
)

// divideAndConquer computes the eigenvalues of the symmetric tridiagonal matrix with the diagonal d: [n] and the elements e: [n-1] beside it, ascending, in
// d, and returns its eigenvectors as rows. It reports whether all iterations converged.
//
// The matrix is two smaller ones and one of rank 1. The eigenvalues of their sum are the roots of an equation, and its vectors are those of the smaller ones
// times a matrix, which is what takes time (J. Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", Numer. Math. 36, 1981). That
// the vectors are orthogonal is due to M. Gu and S. Eisenstat, "A stable and efficient algorithm for the rank-one modification of the symmetric
// eigenproblem", SIAM J. Matrix Anal. Appl. 15(4), 1994.
func (p Product) divideAndConquer(d, e []float64) (vectors Matrix, ok bool) {
	n := len(d)
	if n <= smallEigen {
		vectors = Identity(n)
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = vectors.row(i)
		}
		if !implicitQL(d, append(slices.Clone(e), 0), rows) {
			return vectors, false
		}
		return sortRows(d, vectors), true
	}
	n1 := n / 2
	beside := e[n1-1]
	rho := math.Abs(beside)
	d[n1-1] -= rho
	d[n1] -= rho
	above, ok1 := p.divideAndConquer(d[:n1], e[:n1-1])
	below, ok2 := p.divideAndConquer(d[n1:], e[n1:])
	if !ok1 || !ok2 {
		return vectors, false
	}
	z, v := make([]float64, n), newBasis(New(n, n), 0, n1, n)
	for i := range n1 {
		z[i] = above.Data[i*n1+n1-1] / math.Sqrt2
		v.set(i, 0, above.row(i))
	}
	for i := range n - n1 {
		z[n1+i] = math.Copysign(1, beside) * below.row(i)[0] / math.Sqrt2
		v.set(n1+i, 1, below.row(i))
	}
	m := merger{Product: p, d: slices.Clone(d), z: z, bases: []basis{v}}
	kept, gone := m.deflate(2*rho, ascending(d))
	vectors, ok = m.combine(2*rho, kept, gone, d)
	return vectors, ok
}

// sortRows puts d into ascending order, and the rows of m with it.
func sortRows(d []float64, m Matrix) Matrix {
	order := ascending(d)
	copy(d, pick(d, order))
	return m.inOrder(order)
}

// inOrder returns the rows of m in an order.
func (m Matrix) inOrder(order []int) Matrix {
	z := New(len(order), m.Cols)
	for k, i := range order {
		copy(z.row(k), m.row(i))
	}
	return z
}

// ascending is the order in which values ascend.
func ascending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	return order
}

// A basis is vectors in rows, most of which have elements in some ranges of columns only.
type basis struct {
	rows   Matrix
	bounds []int   // range i is from bound i up to bound i+1
	reach  []uint8 // bit i: row has elements in range i
}

func newBasis(rows Matrix, bounds ...int) basis { return basis{rows, bounds, make([]uint8, rows.Rows)} }

// set writes row i, whose elements are in one range of columns.
func (b basis) set(i, place int, elements []float64) {
	copy(b.rows.row(i)[b.bounds[place]:], elements)
	b.reach[i] |= 1 << place
}

// turn is turn of rows i and j.
func (b basis) turn(i, j int, c, s float64) {
	turn(b.rows.row(i), b.rows.row(j), c, s)
	b.reach[i] |= b.reach[j]
	b.reach[j] = b.reach[i]
}

// mixed writes the rows of mix times the rows of b that are kept to z, and behind them those that are gone. Each range is a product of its own, of the rows that
// have elements there.
func (p Product) mixed(mix Matrix, b basis, kept, gone []int) Matrix {
	k, z := len(kept), New(b.rows.Rows, b.rows.Cols)
	for place, first := range b.bounds[:len(b.bounds)-1] {
		var from []int
		for j, i := range kept {
			if b.reach[i]>>place&1 != 0 {
				from = append(from, j)
			}
		}
		width := b.bounds[place+1] - first
		factors, rows := New(k, len(from)), New(len(from), width)
		for c, j := range from {
			copy(rows.row(c), b.rows.row(kept[j])[first:])
		}
		for i := range k {
			row, all := factors.row(i), mix.row(i)
			for c, j := range from {
				row[c] = all[j]
			}
		}
		p.add(1, factors.view(), rows.view(), z.view().part(0, first, k, width))
	}
	for c, i := range gone {
		copy(z.row(k+c), b.rows.row(i))
	}
	return z
}

// A merger is the matrix diag(d) + rho z zᵀ, whose coordinates are the rows of each of the bases.
type merger struct {
	Product
	d, z  []float64
	bases []basis
}

// tiny is what is nothing beside the largest of the elements.
func (m *merger) tiny() float64 {
	most := 0.0
	for i := range m.d {
		most = max(most, math.Abs(m.d[i]), math.Abs(m.z[i]))
	}
	return 4 * eps * most
}

// deflate finds the coordinates that are eigenvectors already, but for rounding: those without a part of z, and of two with nearly one value the one that is
// turned so that it has none. It returns the others in ascending order of d, and these. Coordinates come in that order.
func (m *merger) deflate(rho float64, order []int) (kept, gone []int) {
	tiny := m.tiny()
	last := -1
	for _, i := range order {
		if rho*math.Abs(m.z[i]) <= tiny {
			gone = append(gone, i)
			continue
		}
		if last < 0 {
			last = i
			continue
		}
		length := math.Hypot(m.z[i], m.z[last])
		c, s := m.z[i]/length, m.z[last]/length
		apart := m.d[i] - m.d[last]
		if math.Abs(apart*c*s) > tiny {
			kept = append(kept, last)
			last = i
			continue
		}
		m.z[i], m.z[last] = length, 0
		for _, b := range m.bases {
			b.turn(last, i, c, s)
		}
		m.d[last], m.d[i] = m.d[last]*c*c+m.d[i]*s*s, m.d[last]*s*s+m.d[i]*c*c
		gone = append(gone, last)
		last = i
	}
	if last >= 0 {
		kept = append(kept, last)
	}
	return kept, gone
}

// combine returns the eigenvectors, and writes the eigenvalues to w, in ascending order.
func (m *merger) combine(rho float64, kept, gone []int, w []float64) (Matrix, bool) {
	pole, z := pick(m.d, kept), pick(m.z, kept)
	roots, mix, ok := secularRoots(poles{pole, false}, z, rho)
	if !ok {
		return Matrix{}, false
	}
	for j, r := range roots {
		w[j] = pole[r.origin] + r.x
	}
	copy(w[len(kept):], pick(m.d, gone))
	for j := range kept {
		normalize(mix.row(j))
	}
	return sortRows(w, m.mixed(mix, m.bases[0], kept, gone)), true
}

// pick returns the values at places.
func pick(values []float64, places []int) []float64 {
	z := make([]float64, len(places))
	for j, i := range places {
		z[j] = values[i]
	}
	return z
}

// normalize makes the length of x 1.
func normalize(x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	scaleBy(1/math.Sqrt(sum), x)
}
