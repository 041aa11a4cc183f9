package array

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Fit is a polynomial with the least sum of squares of its distances from points, or several, in
// columns.
type Fit struct {
	Coefficients, Residuals, SingularValues *tensor.Dense // of coefficients, the highest power first
	Rank                                    int
	RCond                                   float64

	points  linalg.Matrix // the powers of x; columns have length 1
	scale   []float64     // the lengths that the columns had
	columns int
}

// Polyfit fits polynomials of a degree to points: x is a vector, y a vector or a matrix of columns,
// and w, if it is not nil, weights of the distances. Singular values below rcond times the largest
// count as 0; a nil rcond is that for so many points.
func Polyfit(x, y *tensor.Dense, degree int, w []float64, rcond *float64) (*Fit, error) {
	switch {
	case degree < 0:
		return nil, fmt.Errorf("for parameter deg: got %d, want at least 0", degree)
	case x.Rank() != 1 || x.Size() == 0:
		return nil, fmt.Errorf("for parameter x: got shape %s, want a vector with elements", tensor.ShapeString(x.Shape()))
	case y.Rank() < 1 || y.Rank() > 2 || y.Dim(0) != x.Size():
		return nil, fmt.Errorf("for parameter y: got shape %s, want a vector or a matrix of %d rows", tensor.ShapeString(y.Shape()),
			x.Size())
	}
	n, terms := x.Size(), degree+1
	if err := checkShape([]int{n, terms}); err != nil {
		return nil, fmt.Errorf("for parameter deg: %w", err)
	}
	if w != nil && len(w) != n {
		return nil, fmt.Errorf("for parameter w: got %d weights, want %d", len(w), n)
	}
	f := &Fit{points: powers(x.Floats(), terms), scale: make([]float64, terms), columns: y.Size() / n, RCond: float64(n) * 0x1p-52}
	if rcond != nil {
		f.RCond = *rcond
	}
	b := linalg.Matrix{Rows: n, Cols: f.columns, Data: slices.Clone(y.Floats())}
	for i, w := range w {
		multiplyBy(f.points.Data[i*terms:(i+1)*terms], w)
		multiplyBy(b.Data[i*f.columns:(i+1)*f.columns], w)
	}
	f.normalize()
	fit, err := linalg.Lstsq(f.points, b, f.RCond)
	if err != nil {
		return nil, err
	}
	for i := range fit.X.Data {
		fit.X.Data[i] /= f.scale[i/f.columns]
	}
	f.Coefficients = tensor.From(fit.X.Data, append([]int{terms}, y.Shape()[1:]...)...)
	f.Residuals = tensor.From(fit.Residuals, len(fit.Residuals))
	f.SingularValues = tensor.From(fit.SingularValues, len(fit.SingularValues))
	f.Rank = fit.Rank
	return f, nil
}

// powers is a row of powers for each x, the highest first.
func powers(x []float64, terms int) linalg.Matrix {
	a := linalg.New(len(x), terms)
	for i, x := range x {
		power := 1.0
		for k := terms - 1; k >= 0; k-- {
			a.Data[i*terms+k] = power
			power *= x
		}
	}
	return a
}

func multiplyBy(x []float64, factor float64) {
	for i := range x {
		x[i] *= factor
	}
}

// normalize gives columns the length 1, which makes the singular values comparable.
func (f *Fit) normalize() {
	terms := len(f.scale)
	for i, v := range f.points.Data {
		f.scale[i%terms] += v * v
	}
	for k := range f.scale {
		f.scale[k] = math.Sqrt(f.scale[k])
	}
	for i := range f.points.Data {
		f.points.Data[i] /= f.scale[i%terms]
	}
}

// Covariances is the covariances of the coefficients: the inverse of aᵀa, of the powers a of x,
// times the sum of squares by the degrees of freedom, or 1 if unscaled.
func (f *Fit) Covariances(unscaled bool) (*tensor.Dense, error) {
	a, terms := f.points, len(f.scale)
	square := linalg.New(terms, terms)
	for r := range a.Rows {
		row := a.Data[r*terms : (r+1)*terms]
		for i, x := range row {
			for j, y := range row {
				square.Data[i*terms+j] += x * y
			}
		}
	}
	inverse, err := linalg.Inv(square)
	if err == nil && !unscaled && a.Rows <= terms {
		err = errors.New("got as many points as coefficients or fewer: their covariances are not known; use cov=\"unscaled\"")
	}
	if err != nil {
		return nil, err
	}
	shape := []int{terms, terms}
	factors := []float64{1}
	if !unscaled {
		if f.Coefficients.Rank() > 1 {
			shape = append(shape, f.columns)
		}
		factors = slices.Repeat([]float64{math.NaN()}, f.columns)
		for k, residual := range f.Residuals.Floats() {
			factors[k] = residual / float64(a.Rows-terms)
		}
	}
	out := make([]float64, 0, terms*terms*len(factors))
	for i, v := range inverse.Data {
		for _, factor := range factors {
			out = append(out, v/(f.scale[i/terms]*f.scale[i%terms])*factor)
		}
	}
	return tensor.From(out, shape...), nil
}

// Roots is the roots of a polynomial, the highest power first, which are to be real: the
// eigenvalues of its companion matrix.
func Roots(p []float64) (*tensor.Dense, error) {
	first, end := 0, len(p)
	for first < end && p[first] == 0 {
		first++
	}
	for end > first && p[end-1] == 0 {
		end--
	}
	zeros := make([]float64, len(p)-end)
	if first == end {
		zeros = nil
	}
	p = p[first:end]
	if len(p) < 2 {
		return tensor.From(zeros, len(zeros)), nil
	}
	n := len(p) - 1
	if err := checkShape([]int{n, n}); err != nil {
		return nil, err
	}
	companion := linalg.New(n, n)
	for k := range n {
		companion.Data[k] = -p[k+1] / p[0]
		if k > 0 {
			companion.Data[k*n+k-1] = 1
		}
	}
	w, err := linalg.Eigvals(companion)
	if errors.Is(err, linalg.ErrComplex) {
		err = errors.New("got a polynomial whose roots are not all real: complex roots are not there yet")
	}
	if err != nil {
		return nil, err
	}
	w = append(w, zeros...)
	return tensor.From(w, len(w)), nil
}

// Polydiv is the quotient and the remainder of two polynomials, the highest power first.
func Polydiv(poll *tensor.Poll, u, v []float64) (quotient, rest *tensor.Dense, err error) {
	if len(u) == 0 || len(v) == 0 || v[0] == 0 {
		return nil, nil, errors.New("got a divisor without a highest coefficient, want one that is not 0")
	}
	left := slices.Clone(u)
	q := make([]float64, max(len(u)-len(v)+1, 1))
	for k := 0; k <= len(u)-len(v); k++ {
		poll.Ask(len(v))
		d := left[k] * (1 / v[0])
		q[k] = d
		for j, c := range v {
			left[k+j] -= d * c
		}
	}
	for len(left) > 1 && math.Abs(left[0]) <= 1e-8 {
		left = left[1:]
	}
	return tensor.From(q, len(q)), tensor.From(left, len(left)), nil
}
