package linalg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// errNoElements is NumPy's refusal of the largest and the smallest of no numbers.
var errNoElements = errors.New("got no elements, want at least one for a largest or smallest value")

// A power takes as long as moving powerWork elements, and askEvery of them are taken between two
// questions.
const powerWork, askEvery = 16, 1 << 12

// VectorNorm returns the norm of x: (Σ |x|^ord)^(1/ord), with ord = Inf the largest |x|, -Inf the
// smallest, and 0 the number of elements that are not 0. The Euclidean norm does not overflow on
// the way. ask, if it is not nil, is told of work before it is done, in elements that are moved:
// where it panics the computation ends.
func VectorNorm(x []float64, ord float64, ask func(n int)) (float64, error) {
	switch {
	case math.IsInf(ord, 0) && len(x) == 0:
		return 0, errNoElements
	case math.IsInf(ord, 0):
		return largest(magnitudes(x), ord), nil
	case ord == 2:
		return euclidean(x), nil
	}
	sum := 0.0
	for i, v := range x {
		if i%askEvery == 0 && ask != nil {
			ask(powerWork * min(askEvery, len(x)-i))
		}
		switch {
		case ord == 1:
			sum += math.Abs(v)
		case ord != 0:
			sum += math.Pow(math.Abs(v), ord)
		case v != 0:
			sum++
		}
	}
	if ord == 0 || ord == 1 {
		return sum, nil
	}
	return math.Pow(sum, 1/ord), nil
}

// euclidean sums squares as NumPy does, for the same last digit, unless they are too large or too
// small for it.
func euclidean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	if sum > 0x1p-900 && sum <= math.MaxFloat64 || len(x) == 0 {
		return math.Sqrt(sum)
	}
	return blas64.Nrm2(blas64.Vector{N: len(x), Inc: 1, Data: x})
}

func magnitudes(x []float64) []float64 {
	abs := make([]float64, len(x))
	for i, v := range x {
		abs[i] = math.Abs(v)
	}
	return abs
}

// largest returns the largest value, or the smallest where sign is negative; NaN where there is
// one.
func largest(values []float64, sign float64) float64 {
	if sign < 0 {
		return slices.Min(values)
	}
	return slices.Max(values)
}

// NormOrder names a matrix norm: one of the keys of NumPy's table, with numbers written as Python
// does.
type NormOrder string

const (
	Frobenius NormOrder = "fro" // the root of the sum of squares
	Nuclear   NormOrder = "nuc" // the sum of the singular values
)

// Singular reports whether the norm is one of the singular values, which a decomposition finds.
func (o NormOrder) Singular() bool { return o == Nuclear || o == "2" || o == "-2" }

// normOrders are the matrix norms: sums along an axis, or singular values, of which one is taken.
var normOrders = map[NormOrder]func(a Matrix) (float64, error){
	Frobenius: func(a Matrix) (float64, error) { return euclidean(a.Data), nil },
	Nuclear:   nuclear,
	"1":       func(a Matrix) (float64, error) { return extreme(columnSums(a), 1) },
	"-1":      func(a Matrix) (float64, error) { return extreme(columnSums(a), -1) },
	"inf":     func(a Matrix) (float64, error) { return extreme(columnSums(a.T()), 1) },
	"-inf":    func(a Matrix) (float64, error) { return extreme(columnSums(a.T()), -1) },
	"2":       func(a Matrix) (float64, error) { return spectral(a, 1) },
	"-2":      func(a Matrix) (float64, error) { return spectral(a, -1) },
}

// MatrixNorm returns a norm of a: [m,n]: "fro", "nuc", "1" and "-1" (the largest and the smallest
// sum of |a| over a column), "inf" and "-inf" (over a row), "2" and "-2" (the largest and the
// smallest singular value).
func MatrixNorm(a Matrix, ord NormOrder) (float64, error) {
	norm, ok := normOrders[ord]
	if !ok {
		return 0, fmt.Errorf("got order %s, want 1, -1, 2, -2, inf, -inf, fro or nuc for a matrix", ord)
	}
	return norm(a)
}

func nuclear(a Matrix) (float64, error) {
	s, err := SVDVals(a)
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum, err
}

func spectral(a Matrix, sign float64) (float64, error) {
	s, err := SVDVals(a)
	if err != nil {
		return 0, err
	}
	return extreme(s, sign)
}

func extreme(values []float64, sign float64) (float64, error) {
	if len(values) == 0 {
		return 0, errNoElements
	}
	return largest(values, sign), nil
}

func columnSums(a Matrix) []float64 {
	sums := make([]float64, a.Cols)
	for i, v := range a.Data {
		sums[i%a.Cols] += math.Abs(v)
	}
	return sums
}

// Cond returns the condition number of a: the ratio of the largest to the smallest singular value
// for ord "2" (NumPy's default), its inverse for "-2", and otherwise the product of the norms of a:
// [n,n] and of its inverse, which is Inf where there is none.
func Cond(a Matrix, ord NormOrder) (float64, error) {
	if a.empty() {
		return 0, fmt.Errorf("got a matrix of shape (%d, %d), want one with elements", a.Rows, a.Cols)
	}
	c, err := cond(a, ord)
	if math.IsNaN(c) && !hasNaN(a.Data) {
		c = math.Inf(1)
	}
	return c, err
}

func cond(a Matrix, ord NormOrder) (float64, error) {
	if ord == "2" || ord == "-2" {
		s, err := SVDVals(a)
		if err != nil {
			return 0, err
		}
		if ord == "2" {
			return s[0] / s[len(s)-1], nil
		}
		return s[len(s)-1] / s[0], nil
	}
	norm, err := MatrixNorm(a, ord)
	if err != nil {
		return 0, err
	}
	inverse, err := Inv(a)
	if err == ErrSingular {
		return math.Inf(1), nil
	}
	if err != nil {
		return 0, err
	}
	of, err := MatrixNorm(inverse, ord)
	return norm * of, err
}
