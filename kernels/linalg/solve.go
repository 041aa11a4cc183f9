package linalg

import (
	"math"
)

// lu returns the LU factors of a nonempty square matrix with the rows that were exchanged, and
// whether no pivot is zero.
func lu(a Matrix) (f Matrix, pivots []int, ok bool) {
	f, pivots = a.own(), make([]int, a.Rows)
	ok = a.product().factorLU(f.view(), pivots)
	return f, pivots, ok
}

// Solve returns x with a x = b, for a: [n,n] and b, x: [n,k]. It gives ErrSingular where a pivot is
// exactly zero.
func Solve(a, b Matrix) (Matrix, error) {
	if err := a.square(); err != nil {
		return Matrix{}, err
	}
	if err := a.fits(b); err != nil {
		return Matrix{}, err
	}
	x := b.own()
	if a.empty() {
		return x, nil
	}
	f, pivots, ok := lu(a)
	if !ok {
		x.give()
		return Matrix{}, ErrSingular
	}
	if !b.empty() {
		exchange(x.view(), pivots)
		a.product().solve(f.view(), Lower, true, x.view())
		a.product().solve(f.view(), Upper, false, x.view())
	}
	f.give()
	return x, nil
}

// Inv returns the inverse of a: [n,n], or ErrSingular.
func Inv(a Matrix) (Matrix, error) {
	if err := a.square(); err != nil {
		return Matrix{}, err
	}
	one := Identity(a.Rows)
	defer one.give()
	return Solve(a, one)
}

// Det returns the determinant of a: [n,n], the product of the pivots, which does not overflow on
// the way. (NumPy takes the exponential of the sum of their logarithms, which differs in the last
// digits: 7.999999999999998 for twice the identity.)
func Det(a Matrix) (float64, error) {
	if err := a.square(); err != nil {
		return 0, err
	}
	if a.empty() {
		return 1, nil
	}
	f, pivots, ok := lu(a)
	if !ok {
		return 0, nil
	}
	defer f.give()
	det, exponent := 1.0, 0
	for i, p := range pivots {
		if p != i {
			det = -det
		}
		fraction, e := math.Frexp(f.At(i, i))
		exponent += e
		det, e = math.Frexp(det * fraction)
		exponent += e
	}
	return math.Ldexp(det, exponent), nil
}

// SLogDet returns the sign of the determinant of a: [n,n], which is 1, -1 or 0, and the logarithm
// of its absolute value, -Inf for 0.
func SLogDet(a Matrix) (sign, logdet float64, err error) {
	if err := a.square(); err != nil {
		return 0, 0, err
	}
	if a.empty() {
		return 1, 0, nil
	}
	f, pivots, ok := lu(a)
	if !ok {
		return 0, math.Inf(-1), nil
	}
	defer f.give()
	sign = 1
	for i, p := range pivots {
		d := f.At(i, i)
		if (p != i) != (d < 0) {
			sign = -sign
		}
		logdet += math.Log(math.Abs(d))
	}
	return sign, logdet, nil
}

// Cholesky returns the lower triangular l with l lᵀ = a, for a: [n,n] symmetric, of which only the
// lower triangle is read. It gives ErrNotPositiveDefinite where there is none.
func Cholesky(a Matrix) (Matrix, error) {
	if err := a.square(); err != nil {
		return Matrix{}, err
	}
	if a.empty() {
		return a.clone(), nil
	}
	l := a.own()
	n := l.Rows
	if !a.product().factorCholesky(l.view()) {
		return Matrix{}, ErrNotPositiveDefinite
	}
	for i := range n {
		clear(l.Data[i*n+i+1 : (i+1)*n])
	}
	return l, nil
}
