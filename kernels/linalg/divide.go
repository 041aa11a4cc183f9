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
			rows[i] = vectors.Data[i*n : (i+1)*n]
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
	m := merger{Product: p, d: slices.Clone(d), z: make([]float64, n), reach: make([]uint8, n), vectors: New(n, n), n1: n1}
	for i := range n1 {
		m.z[i], m.reach[i] = above.Data[i*n1+n1-1]/math.Sqrt2, 1
		copy(m.row(i), above.Data[i*n1:(i+1)*n1])
	}
	n2 := n - n1
	for i := range n2 {
		m.z[n1+i], m.reach[n1+i] = math.Copysign(1, beside)*below.Data[i*n2]/math.Sqrt2, 2
		copy(m.row(n1 + i)[n1:], below.Data[i*n2:(i+1)*n2])
	}
	kept, gone := m.deflate(2 * rho)
	vectors, ok = m.combine(2*rho, kept, gone, d)
	return vectors, ok
}

// sortRows puts d into ascending order, and the rows of m with it.
func sortRows(d []float64, m Matrix) Matrix {
	order := ascending(d)
	z, w := New(m.Rows, m.Cols), make([]float64, len(d))
	for k, i := range order {
		w[k] = d[i]
		copy(z.Data[k*m.Cols:(k+1)*m.Cols], m.Data[i*m.Cols:(i+1)*m.Cols])
	}
	copy(d, w)
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

// A merger is the matrix diag(d) + rho z zᵀ, whose coordinates are the rows of vectors.
type merger struct {
	Product
	d, z    []float64
	vectors Matrix
	n1      int
	reach   []uint8 // in which columns a row has elements: 1 for those before n1, 2 for the others
}

func (m *merger) row(i int) []float64 { return m.vectors.Data[i*m.vectors.Cols:][:m.vectors.Cols] }

// deflate finds the coordinates that are eigenvectors already, but for rounding: those without a part of z, and of two with nearly one value the one that is
// turned so that it has none. It returns the others in ascending order of d, and these.
func (m *merger) deflate(rho float64) (kept, gone []int) {
	most := 0.0
	for i := range m.d {
		most = max(most, math.Abs(m.d[i]), math.Abs(m.z[i]))
	}
	tiny := 4 * eps * most
	last := -1
	for _, i := range ascending(m.d) {
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
		turn(m.row(last), m.row(i), c, s)
		m.reach[i] |= m.reach[last]
		m.reach[last] = m.reach[i]
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
	n, k := len(m.d), len(kept)
	pole, z := make([]float64, k), make([]float64, k)
	for j, i := range kept {
		pole[j], z[j] = m.d[i], m.z[i]
	}
	roots, mix := make([]float64, k, n), New(k, k)
	for j := range k {
		var ok bool
		if roots[j], ok = secularRoot(j, pole, z, rho, mix.Data[j*k:(j+1)*k]); !ok {
			return Matrix{}, false
		}
	}
	exactVectors(pole, z, mix)
	result := New(n, n)
	// A row has elements in the columns of its halves only, so each half is a product of its own.
	for _, part := range []struct {
		reach      uint8
		first, end int
	}{{1, 0, m.n1}, {2, m.n1, n}} {
		var from []int
		for j, i := range kept {
			if m.reach[i]&part.reach != 0 {
				from = append(from, j)
			}
		}
		factors, rows := New(k, len(from)), New(len(from), part.end-part.first)
		for c, j := range from {
			copy(rows.Data[c*rows.Cols:(c+1)*rows.Cols], m.row(kept[j])[part.first:part.end])
			for i := range k {
				factors.Data[i*len(from)+c] = mix.Data[i*k+j]
			}
		}
		m.add(1, factors.view(), rows.view(), result.view().part(0, part.first, k, part.end-part.first))
	}
	for c, i := range gone {
		roots = append(roots, m.d[i])
		copy(result.Data[(k+c)*n:(k+c+1)*n], m.row(i))
	}
	copy(w, roots)
	return sortRows(w, result), true
}

// exactVectors makes of the distances of the poles from each root, in its row of mix, the eigenvector of the root: not with z, but with the z for which the
// roots are exact.
func exactVectors(pole, z []float64, mix Matrix) {
	k := len(pole)
	for i := range k {
		square := -mix.Data[i*k+i]
		for j := range k {
			if j != i {
				square *= mix.Data[j*k+i] / (pole[i] - pole[j])
			}
		}
		z[i] = math.Copysign(math.Sqrt(math.Abs(square)), z[i])
	}
	for j := range k {
		row := mix.Data[j*k : (j+1)*k]
		sum := 0.0
		for i, distance := range row {
			row[i] = z[i] / distance
			sum += row[i] * row[i]
		}
		scaleBy(1/math.Sqrt(sum), row)
	}
}
