package linalg

import (
	"cmp"
	"math"
	"slices"
)

// divideAndConquer computes the eigenvalues of the symmetric tridiagonal matrix with the diagonal
// d: [n] and the elements e: [n-1] beside it, in no order, in d, and returns its eigenvectors as
// rows. It reports whether all iterations converged.
//
// The matrix is two smaller ones and one of rank 1. The eigenvalues of their sum are the roots of
// an equation, and its vectors are those of the smaller ones times a matrix, which is what takes
// time (J. Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", Numer.
// Math. 36, 1981). That the vectors are orthogonal is due to M. Gu and S. Eisenstat, "A stable and
// efficient algorithm for the rank-one modification of the symmetric eigenproblem", SIAM J. Matrix
// Anal. Appl. 15(4), 1994.
func (p Product) divideAndConquer(d, e []float64) (vectors Matrix, ok bool) {
	vectors = Identity(len(d))
	division := newDivision(p, len(d))
	ok = division.eigen(d, e, vectors.view())
	division.give()
	return vectors, ok
}

// eigen is divideAndConquer. The rows of v are those of the identity matrix before.
func (p *division) eigen(d, e []float64, v View) bool {
	n := len(d)
	if n <= smallEigen {
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = v.row(i)
		}
		return implicitQL(d, append(slices.Clone(e), 0), rows)
	}
	n1 := n / 2
	beside := e[n1-1]
	rho := math.Abs(beside)
	d[n1-1] -= rho
	d[n1] -= rho
	if !p.eigen(d[:n1], e[:n1-1], v.part(0, 0, n1, n1)) || !p.eigen(d[n1:], e[n1:], v.part(n1, n1, n-n1, n-n1)) {
		return false
	}
	z := make([]float64, n)
	for i := range n1 {
		z[i] = v.row(i)[n1-1] / math.Sqrt2
	}
	for i := n1; i < n; i++ {
		z[i] = math.Copysign(1, beside) * v.row(i)[n1] / math.Sqrt2
	}
	m := merger{p, d, z, []basis{newBasis(v, 0, n1, n)}}
	return m.eigen(2 * rho)
}

// inOrder returns the rows of m in an order.
func (m Matrix) inOrder(order []int) Matrix {
	z := undefined(len(order), m.Cols)
	for k, i := range order {
		copy(z.row(k), m.row(i))
	}
	return z
}

// columnsInOrder writes the rows of m in an order to the columns of z.
func (m Matrix) columnsInOrder(order []int, z Matrix) {
	// Some rows at a time, which become whole lines of a cache.
	for first := 0; first < len(order); first += 8 {
		some := order[first:min(first+8, len(order))]
		for j := range m.Cols {
			to := z.Data[j*z.Cols+first:]
			for k, i := range some {
				to[k] = m.Data[i*m.Cols+j]
			}
		}
	}
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

// A division is what the steps of one share: memory for a matrix each.
type division struct {
	Product
	mix, other, factors, rows []float64
}

func newDivision(p Product, n int) *division {
	matrix := func() []float64 { return take(n * n) }
	return &division{p, matrix(), matrix(), matrix(), matrix()}
}

func (p *division) give() {
	for _, x := range [][]float64{p.mix, p.other, p.factors, p.rows} {
		Give(x)
	}
}

// A basis is vectors in rows, most of which have elements in some ranges of columns only.
type basis struct {
	rows   View
	bounds []int   // range i is from bound i up to bound i+1
	reach  []uint8 // bit i: row has elements in range i
}

// newBasis is of rows whose elements are in squares on the diagonal.
func newBasis(rows View, bounds ...int) basis {
	b := basis{rows, bounds, make([]uint8, rows.Rows)}
	place := 0
	for i := range b.reach {
		if i == bounds[place+1] {
			place++
		}
		b.reach[i] = 1 << place
	}
	return b
}

// turn is turn of rows i and j.
func (b basis) turn(i, j int, c, s float64) {
	turn(b.rows.row(i), b.rows.row(j), c, s)
	b.reach[i] |= b.reach[j]
	b.reach[j] = b.reach[i]
}

// replace replaces the first rows of b by mix times those that are kept, and behind them those that
// are gone. Each range is a product of its own, of the rows that have elements there.
func (p *division) replace(b basis, mix Matrix, kept, gone []int) {
	k := len(kept)
	for place, first := range b.bounds[:len(b.bounds)-1] {
		var from []int
		for j, i := range kept {
			if b.reach[i]>>place&1 != 0 {
				from = append(from, j)
			}
		}
		columns := b.rows.part(0, first, b.rows.Rows, b.bounds[place+1]-first)
		factors, rows := Matrix{Rows: k, Cols: len(from), Data: p.factors}, Matrix{Rows: b.rows.Rows, Cols: columns.Cols, Data: p.rows}
		for c, j := range from {
			copy(rows.row(c), columns.row(kept[j]))
		}
		for c, i := range gone {
			copy(rows.row(k+c), columns.row(i))
		}
		for i := range k {
			row, all := factors.row(i), mix.row(i)
			for c, j := range from {
				row[c] = all[j]
			}
			if len(from) == 0 {
				clear(columns.row(i))
			}
		}
		if len(from) > 0 {
			p.Product(1, factors.view(), rows.rows(len(from)).view(), 0, columns.part(0, 0, k, columns.Cols))
		}
		for c := range gone {
			copy(columns.row(k+c), rows.row(k+c))
		}
	}
}

// A merger is the matrix diag(d) + rho z zᵀ, whose coordinates are the rows of each of the bases.
type merger struct {
	*division
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

// deflate finds the coordinates that are eigenvectors already, but for rounding: those without a
// part of z, and of two with nearly one value the one that is turned so that it has none. It
// returns the others in ascending order of d, and these. Coordinates come in that order.
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
		length := hypot(m.z[i], m.z[last])
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

// eigen replaces d by the eigenvalues, and the basis by the eigenvectors.
func (m *merger) eigen(rho float64) bool {
	kept, gone := m.deflate(rho, ascending(m.d))
	pole, z := pick(m.d, kept), pick(m.z, kept)
	mix := Matrix{Rows: len(kept), Cols: len(kept), Data: m.mix}
	roots, ok := secularRoots(poles{pole, false}, z, rho, mix)
	if !ok {
		return false
	}
	copy(m.d[len(kept):], pick(m.d, gone))
	for j, r := range roots {
		m.d[j] = pole[r.origin] + r.x
		normalize(mix.row(j))
	}
	m.replace(m.bases[0], mix, kept, gone)
	return true
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
	scaleBy(1/math.Sqrt(dot(x, x)), x)
}
