package linalg

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// smallEigen is up to how many rows NumPy's LAPACK takes the QR algorithm, and not divide and conquer: dsyevd's SMLSIZ.
const smallEigen = 25

// maxSweeps bounds the iterations for one eigenvalue. Two or three are the rule.
const maxSweeps = 60

// eigenvectors overwrites the symmetric m, whose upper half is read, with its eigenvectors, in columns, and w with its eigenvalues, ascending. It
// reports whether the iteration converged.
//
// Of small matrices it is Gonum's Dsyev, whose vectors have LAPACK's signs, as NumPy's have. Of larger ones it is that but for the last step, which turns pairs of vectors: here these lie in rows while they are turned, one after the other in memory.
// Dsteqr goes down the columns, with which 500 rows take 0.28 s of one processor's time instead of 0.17 s (go test ./kernels/linalg -run - -bench Eigh).
func eigenvectors(m Matrix, w []float64) bool {
	n := m.Rows
	if n <= smallEigen {
		return symmetricEigen(lapack.EVCompute, m, w)
	}
	routines, off, tau := gonum.Implementation{}, make([]float64, n), make([]float64, n)
	work(func(space []float64, lwork int) {
		routines.Dsytrd(blas.Upper, n, m.Data, n, w, off[:n-1], tau[:n-1], space, lwork)
	})
	work(func(space []float64, lwork int) { routines.Dorgtr(blas.Upper, n, m.Data, n, tau[:n-1], space, lwork) })
	vectors := m.T()
	rows, order := make([][]float64, n), make([]int, n)
	for i := range rows {
		rows[i], order[i] = vectors.Data[i*n:(i+1)*n], i
	}
	if math.Abs(w[n-1]) < math.Abs(w[0]) { // small eigenvalues come out first, and exactly
		slices.Reverse(w)
		slices.Reverse(off[:n-1])
		slices.Reverse(rows)
	}
	if !implicitQL(w, off, rows) {
		return false
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(w[i], w[j]) })
	sorted := make([]float64, n)
	for k, i := range order {
		sorted[k] = w[i]
		for j, v := range rows[i] {
			m.Data[j*n+k] = v
		}
	}
	copy(w, sorted)
	return true
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
