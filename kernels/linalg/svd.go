package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
)

// SVD returns u, s, vt with u diag(s) vt = a, for a: [m,n] and k = min(m, n): s: [k] falls from the
// largest singular value to the smallest, u: [m,k] has orthonormal columns and vt: [k,n]
// orthonormal rows. With full, u is [m,m] and vt is [n,n].
func SVD(a Matrix, full bool) (u Matrix, s []float64, vt Matrix, err error) {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	if k == 0 {
		if full {
			return Identity(m), nil, Identity(n), nil
		}
		return New(m, 0), nil, New(0, n), nil
	}
	negative := math.Signbit(a.Data[0])
	f, err := a.decompose(true)
	if err != nil {
		return u, nil, vt, err
	}
	if full {
		u, vt = f.left.vectors(m), f.right.transposed(n)
	} else {
		u, vt = f.left.vectors(k), f.right.transposed(k)
	}
	if k == 1 {
		signOfOne(u, f.values[0], vt, negative)
	}
	return u, f.values, vt, nil
}

// signOfOne gives the vectors of the only singular value the signs that LAPACK's have: of a column
// vt is 1, and of zeros u has the sign of the first.
func signOfOne(u Matrix, s float64, vt Matrix, negative bool) {
	flip := func() {
		for i := range u.Rows {
			u.Data[i*u.Cols] = -u.Data[i*u.Cols]
		}
	}
	switch {
	case s == 0 && negative:
		flip()
	case vt.Cols == 1 && vt.Data[0] < 0:
		flip()
		vt.Data[0] = -vt.Data[0]
	}
}

// SVDVals returns the singular values of a: [m,n], min(m, n) of them, falling.
func SVDVals(a Matrix) ([]float64, error) {
	if a.empty() {
		return nil, nil
	}
	f, err := a.decompose(false)
	return f.values, err
}

// LeastSquares is the result of Lstsq for a: [m,n] and b: [m,k].
type LeastSquares struct {
	X              Matrix    // [n,k], the shortest of the solutions
	Residuals      []float64 // [k], the squared length of each column of b - a x; empty where Rank < n or m <= n
	Rank           int       // how many singular values are larger than rcond times the first
	SingularValues []float64 // [min(m, n)], falling
}

// Lstsq minimizes |b - a x| by the singular values of a: [m,n], for b: [m,k]. Singular values of at
// most rcond times the largest count as 0; a negative rcond means the precision of float64, 2⁻⁵²,
// which is NumPy 1.24's default. (Its rcond=None is 2⁻⁵² times the larger of m and n.)
func Lstsq(a, b Matrix, rcond float64) (LeastSquares, error) {
	m, n := a.Rows, a.Cols
	if err := a.fits(b); err != nil {
		return LeastSquares{}, err
	}
	if err := b.finite(); err != nil {
		return LeastSquares{}, err
	}
	if rcond < 0 {
		rcond = eps
	}
	result := LeastSquares{X: New(n, b.Cols)}
	if !a.empty() {
		f, err := a.decompose(true)
		if err != nil {
			return LeastSquares{}, err
		}
		rank := countAbove(f.values, rcond)
		result = LeastSquares{X: f.solve(f.left.project(b, rank)), Rank: rank, SingularValues: f.values}
	}
	if result.Rank < n || m <= n {
		return result, nil
	}
	fit := mul(blas.NoTrans, a, result.X)
	result.Residuals = make([]float64, b.Cols)
	for i, v := range b.Data {
		d := v - fit.Data[i]
		result.Residuals[i%b.Cols] += d * d
	}
	return result, nil
}

// countAbove counts the singular values above rcond times the first.
func countAbove(s []float64, rcond float64) int {
	for i, v := range s {
		if !(v > rcond*s[0]) {
			return i
		}
	}
	return len(s)
}

// Pinv returns the Moore-Penrose inverse [n,m] of a: [m,n]. Singular values of at most rcond
// (NumPy's default is 1e-15) times the largest count as 0.
func Pinv(a Matrix, rcond float64) (Matrix, error) {
	if a.empty() {
		return New(a.Cols, a.Rows), nil
	}
	f, err := a.decompose(true)
	if err != nil {
		return Matrix{}, err
	}
	// As Lstsq of the identity matrix, whose parts are the vectors. Of a tall matrix it is the
	// transpose of that of the transpose, so that no vectors on the long side are written but in
	// the result.
	rank, tall := countAbove(f.values, rcond), a.Rows > a.Cols
	if tall {
		f.left, f.right = f.right, f.left
	}
	z := f.solve(f.left.transposed(len(f.values)).rows(rank))
	if tall {
		z = z.T()
	}
	return z, nil
}

// MatrixRank counts the singular values of a: [m,n] above tol. A negative tol is NumPy's default:
// the largest singular value times the larger of m and n times 2⁻⁵². A matrix without elements has
// rank 0. (NumPy fails there.)
func MatrixRank(a Matrix, tol float64) (int, error) {
	s, err := SVDVals(a)
	if err != nil || len(s) == 0 {
		return 0, err
	}
	if tol < 0 {
		tol = s[0] * float64(max(a.Rows, a.Cols)) * eps
	}
	rank := 0
	for _, v := range s {
		if v > tol {
			rank++
		}
	}
	return rank, nil
}
