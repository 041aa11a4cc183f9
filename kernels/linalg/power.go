package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
)

// pade13 are the coefficients of the numerator of the diagonal Padé approximant of degree 13 of
// exp.
var pade13 = [14]float64{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
	670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}

// theta13 is the 1-norm up to which the approximant is as precise as float64.
const theta13 = 5.371920351148152

// Expm returns the exponential of a: [n,n] by scaling and squaring (N. Higham, The Scaling and
// Squaring Method for the Matrix Exponential Revisited, SIAM J. Matrix Anal. Appl. 26(4), 2005).
func Expm(a Matrix) (Matrix, error) {
	if err := a.square(); err != nil {
		return Matrix{}, err
	}
	if a.empty() {
		return a.clone(), nil
	}
	if err := a.finite(); err != nil {
		return Matrix{}, err
	}
	squarings := 0
	if norm, _ := MatrixNorm(a, "1"); norm > theta13 {
		// A norm that overflows is smaller than 2¹⁰²⁴ times the order.
		_, exponent := math.Frexp(min(norm, math.MaxFloat64) / theta13)
		squarings = exponent
	}
	x := a.clone()
	scale(x.Data, -squarings)
	x2 := mul(blas.NoTrans, x, x)
	x4 := mul(blas.NoTrans, x2, x2)
	x6 := mul(blas.NoTrans, x2, x4)
	one := Identity(a.Rows)
	// Even and odd powers apart: the numerator is v+u and the denominator v-u.
	half := func(from int) Matrix {
		c := func(i int) float64 { return pade13[from+2*i] }
		high := mul(blas.NoTrans, x6, combine([]float64{c(6), c(5), c(4)}, x6, x4, x2))
		return combine([]float64{1, c(3), c(2), c(1), c(0)}, high, x6, x4, x2, one)
	}
	v, u := half(0), mul(blas.NoTrans, x, half(1))
	result, err := Solve(combine([]float64{1, -1}, v, u), combine([]float64{1, 1}, v, u))
	for range squarings {
		result = mul(blas.NoTrans, result, result)
	}
	return result, err
}

// combine returns the sum of the matrices, each times its factor.
func combine(factors []float64, matrices ...Matrix) Matrix {
	sum := New(matrices[0].Rows, matrices[0].Cols)
	for k, m := range matrices {
		for i, v := range m.Data {
			sum.Data[i] += factors[k] * v
		}
	}
	return sum
}
