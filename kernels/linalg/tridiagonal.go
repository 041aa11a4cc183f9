package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack"
)

// smallEigen is up to how many rows NumPy's LAPACK takes the QR algorithm, and not divide and conquer: dsyevd's SMLSIZ.
const smallEigen = 25

// maxSweeps bounds the iterations for one eigenvalue. Two or three are the rule.
const maxSweeps = 60

// eigenvectors overwrites the symmetric m, whose upper half is read, with its eigenvectors, in columns, and w with its eigenvalues, ascending. It
// reports whether the iteration converged.
//
// Of small matrices it is Gonum's Dsyev, whose vectors have LAPACK's signs, as NumPy's have. Larger ones are made tridiagonal, divided and put together
// again, so that most of the work is in products.
func eigenvectors(m Matrix, w []float64) bool {
	n, p := m.Rows, m.product()
	if n <= smallEigen {
		return symmetricEigen(lapack.EVCompute, m, w)
	}
	d, e, list := p.tridiagonal(m.mirrored(Upper).view())
	exponent := commonExponent(d, e)
	scale(d, -exponent)
	scale(e, -exponent)
	rows, ok := p.divideAndConquer(d, e)
	if !ok {
		return false
	}
	scale(d, exponent)
	copy(w, d)
	vectors := rows.T()
	for _, h := range slices.Backward(list) {
		p.multiply(h.v, h.t, vectors.view().part(h.first, 0, n-h.first, n))
	}
	copy(m.Data, vectors.Data)
	return true
}

// commonExponent is the power of two above all of the values.
func commonExponent(values ...[]float64) int {
	most := 0.0
	for _, part := range values {
		for _, v := range part {
			most = max(most, math.Abs(v))
		}
	}
	_, exponent := math.Frexp(most)
	return exponent
}

// tridiagonal overwrites the symmetric a: [n,n], of which both halves are read, and returns the diagonal d: [n] and the elements e: [n-1] beside it of the
// tridiagonal matrix t with q t qᵀ = a, and the reflectors whose product is q. Half of the work is in products of the rest of the matrix with a vector, and
// half in products of matrices (J. Dongarra, D. Sorensen, S. Hammarling, "Block reduction of matrices to condensed forms for eigenvalue computations", J.
// Comput. Appl. Math. 27, 1989).
func (p Product) tridiagonal(a View) (d, e []float64, list []reflectors) {
	n := a.Rows
	d, e = make([]float64, n), make([]float64, max(n-1, 0))
	for first := 0; first < n-1; first += reflectBlock {
		nb, m := min(reflectBlock, n-1-first), n-1-first
		h := reflectors{v: New(m, nb).view(), first: first + 1}
		w := New(m, nb).view()
		tau := make([]float64, nb)
		for k := range nb {
			p.tridiagonalColumn(a, h.v, w, tau, d, e, first, k)
		}
		h.t = p.triangle(h.v, tau)
		rest := a.part(first+nb, first+nb, n-first-nb, n-first-nb)
		v, w2 := h.v.part(nb-1, 0, m-nb+1, nb), w.part(nb-1, 0, m-nb+1, nb)
		p.add(-1, v, w2.T(), rest)
		p.add(-1, w2, v.T(), rest)
		list = append(list, h)
	}
	d[n-1] = a.Data[a.at(n-1, n-1)]
	return d, e, list
}

// tridiagonalColumn makes column k of a block that begins at first: the reflector, and what it does to the rest of the matrix, which is v wᵀ + w vᵀ less.
func (p Product) tridiagonalColumn(a, v, w View, tau, d, e []float64, first, k int) {
	n := a.Rows
	j := first + k
	// Row j, which is column j, less what the reflectors before it have done. Their rows begin at first+1.
	row := a.Data[a.at(j, j):][:n-j]
	if k > 0 {
		vj, wj := v.row(k - 1)[:k], w.row(k - 1)[:k]
		for i := range row {
			vi, wi := v.row(k - 1 + i)[:k], w.row(k - 1 + i)[:k]
			s := 0.0
			for c, f := range vj {
				s += f*wi[c] + wj[c]*vi[c]
			}
			row[i] -= s
		}
	}
	d[j] = row[0]
	below := row[1:]
	e[j], tau[k] = reflector(below)
	for i, f := range below {
		v.Data[v.at(k+i, k)] = f
	}
	m := len(below)
	wk := w.part(k, k, m, 1)
	x := View{m, 1, 1, 1, below}
	y := p.of(a.part(j+1, j+1, m, m), x)
	if k > 0 {
		before, results := v.part(k, 0, m, k), w.part(k, 0, m, k)
		p.add(-1, before, p.of(results.T(), x).view(), y.view())
		p.add(-1, results, p.of(before.T(), x).view(), y.view())
	}
	s := 0.0
	for i, f := range below {
		s += f * y.Data[i]
	}
	t := tau[k]
	s *= t * t / 2
	for i, f := range below {
		wk.Data[i*wk.Row] = t*y.Data[i] - s*f
	}
}

// implicitQL makes the symmetric tridiagonal matrix with the diagonal d and the elements e beside it, which have one more place at the end, diagonal,
// and turns rows as it goes. (H. Bowdler et al., The QR and QL Algorithms for Symmetric Matrices, Numer. Math. 11, 1968; A. Dubrulle et al., The Implicit QL
// Algorithm, Numer. Math. 12, 1968.)
func implicitQL(d, e []float64, rows [][]float64) bool {
	n := len(d)
	for l := range d {
		for sweep := 0; ; sweep++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > eps/2*math.Sqrt(math.Abs(d[m]))*math.Sqrt(math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if sweep == maxSweeps {
				return false
			}
			e[m] = 0
			// The shift is an eigenvalue of the first two rows.
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
			s, c, p := 1.0, 1.0, 0.0
			split := false
			for i := m - 1; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				r := math.Hypot(f, g)
				if e[i+1] = r; r == 0 {
					d[i+1] -= p
					split = true
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = (d[i]-g)*s + 2*c*b
				p = s * r
				d[i+1] = g + p
				g = c*r - b
				turn(rows[i], rows[i+1], c, s)
			}
			if e[m] = 0; !split {
				d[l] -= p
				e[l] = g
			}
		}
	}
	return true
}

// turn replaces x by c·x - s·y and y by s·x + c·y.
func turn(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for k, v := range x {
		u := y[k]
		x[k], y[k] = c*v-s*u, s*v+c*u
	}
}
