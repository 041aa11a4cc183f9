package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// smallEigen is up to how many rows NumPy's LAPACK takes the QR algorithm, and not divide and
// conquer: dsyevd's SMLSIZ.
const smallEigen = 25

// maxSweeps bounds the iterations for one eigenvalue. Two or three are the rule.
const maxSweeps = 60

// eigenvectors overwrites the symmetric m with its eigenvectors, in columns, and w with its
// eigenvalues, ascending. It reports whether the iteration converged.
//
// Of small matrices it is Gonum's Dsyev, whose vectors have LAPACK's signs, as NumPy's have. Larger
// ones are made tridiagonal, divided and put together again, so that most of the work is in
// products.
func eigenvectors(m Matrix, w []float64) bool {
	n, p := m.Rows, m.product()
	if n <= smallEigen {
		return symmetricEigen(lapack.EVCompute, m, w)
	}
	d, e, list := p.tridiagonal(m.view(), true)
	exponent := even(d, e)
	rows, ok := p.divideAndConquer(d, e)
	if !ok {
		return false
	}
	scale(d, exponent)
	order := ascending(d)
	copy(w, pick(d, order))
	rows.columnsInOrder(order, m)
	rows.give()
	for _, h := range slices.Backward(list) {
		p.multiply(h.v, h.t, m.view().part(h.first, 0, n-h.first, n))
	}
	giveAll(list)
	return true
}

// eigenvaluesOf is eigenvalues, which leaves m as it is.
func eigenvaluesOf(m Matrix, w []float64) bool {
	copied := m.clone()
	defer copied.give()
	return eigenvalues(copied, w)
}

// eigenvalues overwrites w with the eigenvalues of the symmetric m, ascending, and m. Those of
// small matrices are Gonum's too.
func eigenvalues(m Matrix, w []float64) bool {
	if len(w) <= smallValues {
		return symmetricEigen(lapack.EVNone, m, w)
	}
	d, e, _ := m.product().tridiagonal(m.view(), false)
	copy(w, d)
	return gonum.Implementation{}.Dsterf(len(w), w, e)
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

// tridiagonal overwrites the symmetric a: [n,n], of which the upper half is read, and returns the
// diagonal d: [n] and the elements e: [n-1] beside it of the tridiagonal matrix t with q t qᵀ = a,
// and the reflectors whose product is q if they are to be kept. Half of the work is in products of
// the rest of the matrix with a vector, and half in products of matrices (J. Dongarra, D. Sorensen,
// S. Hammarling, "Block reduction of matrices to condensed forms for eigenvalue computations", J.
// Comput. Appl. Math. 27, 1989).
func (p Product) tridiagonal(a View, keep bool) (d, e []float64, list []reflectors) {
	n := a.Rows
	d, e = make([]float64, n), make([]float64, n-1)
	for first := 0; first < n-1; first += reflectBlock {
		nb, size := min(reflectBlock, n-1-first), n-first
		b := p.condensedBlock(a.part(first, first, size, size), nb)
		b.a.Symmetric = true
		tau := make([]float64, nb)
		for k := range nb {
			d[first+k], e[first+k], tau[k] = b.symmetric(k)
			b.next(k+1, nb)
		}
		if !keep {
			b.give()
			continue
		}
		v := View{Rows: size - 1, Cols: nb, Row: 1, Col: 2 * size, Data: b.l.Data[1:]}
		list = append(list, reflectors{v, p.triangle(v, tau), first + 1, b.l.Data})
		Give(b.r.Data)
	}
	d[n-1] = a.Data[a.at(n-1, n-1)]
	return d, e, list
}

// even scales values by a power of two so that the largest is about 1, makes 0 of those that are
// too small for digits of their rotations, and returns the exponent that undoes it.
func even(values ...[]float64) int {
	exponent := commonExponent(values...)
	for _, part := range values {
		scale(part, -exponent)
		for i, v := range part {
			if math.Abs(v) < 0x1p-960 {
				part[i] = 0
			}
		}
	}
	return exponent
}

// symmetric makes the reflector of column k, for the rows behind k, of a symmetric matrix, and
// returns what is left of the column, and its factor.
func (b *condensedBlock) symmetric(k int) (d, e, tau float64) {
	a, n, count := b.a, b.a.Rows-k, 2*(k-b.done)
	x := column(behind(b.l.row(2*k), k))
	copy(x.Data, a.row(k)[k:])
	b.subtract(b.r.part(2*b.done, k, count, n), b.l.part(2*b.done, k, count, 1), x)
	d, x.Data[0] = x.Data[0], 0
	v := x.part(1, 0, n-1, 1)
	e, tau = reflector(v.Data)
	image := b.l.row(2*k + 1)[k+1:]
	rest := a.part(k+1, k+1, n-1, n-1)
	rest.Symmetric = true
	b.image(tau, rest, b.l.part(2*b.done, k+1, count, n-1), b.r.part(2*b.done, k+1, count, n-1), v, image)
	// From both sides it is v imageᵀ + image vᵀ less, with half of what v has of its image taken
	// off.
	axpy(-tau/2*dot(v.Data, image), v.Data, image)
	copy(b.r.row(2 * k)[k+1:], image)
	copy(b.r.row(2*k + 1)[k+1:], v.Data)
	return d, e, tau
}

// implicitQL makes the symmetric tridiagonal matrix with the diagonal d and the elements e beside
// it, which have one more place at the end, diagonal, and turns rows as it goes. (H. Bowdler et
// al., The QR and QL Algorithms for Symmetric Matrices, Numer. Math. 11, 1968; A. Dubrulle et al.,
// The Implicit QL Algorithm, Numer. Math. 12, 1968.)
func implicitQL(d, e []float64, rows [][]float64) bool {
	n := len(d)
	// What is so small beside the others that it is nothing, even where the diagonal is smaller.
	nothing := math.Ldexp(eps*eps, commonExponent(d, e))
	for l := range d {
		for sweep := 0; ; sweep++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > max(nothing, eps/2*math.Sqrt(math.Abs(d[m]))*math.Sqrt(math.Abs(d[m+1]))) {
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
			g = d[m] - d[l] + e[l]/(g+math.Copysign(hypot(g, 1), g))
			s, c, p := 1.0, 1.0, 0.0
			split := false
			for i := m - 1; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				r := hypot(f, g)
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

// hypot is math.Hypot, which takes several times as long where squares are in range.
func hypot(x, y float64) float64 {
	if square := x*x + y*y; square > 0x1p-900 && square < 0x1p900 {
		return math.Sqrt(square)
	}
	return math.Hypot(x, y)
}

// turn replaces x by c·x - s·y and y by s·x + c·y.
func turn(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for k, v := range x {
		u := y[k]
		x[k], y[k] = c*v-s*u, s*v+c*u
	}
}
