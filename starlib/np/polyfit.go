package np

import (
	"errors"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// polyfitTable is the functions of polynomials that solve equations.
var polyfitTable = []value.Builtin{
	evalRow("np.", "polyfit", "The polynomial of a degree with the least sum of squares of its distances from points (x, y): its "+
		"coefficients, the highest power first.", "np.polyfit([0, 1, 2, 3], [1, 3, 5, 7], 1).round(6) # array([2., 1.])", polyfit,
		"x: a vector", "y: a vector, or a matrix of several in its columns", "deg: the degree",
		"rcond=None: which singular values count as 0, by the largest; len(x) * 2e-16 if not given",
		"full=False: return a tuple of coefficients, residuals, rank, singular values and rcond", "w=None: weights of the distances",
		"cov=False: return a tuple of coefficients and their covariances; \"unscaled\" for those of weights that are 1/sigma"),
	npRow("roots", "The roots of a polynomial, which are to be real: the eigenvalues of its companion matrix.",
		"np.roots([1, -3, 2]) # array([2., 1.])", roots, "p: coefficients, the highest power first"),
	evalRow("np.", "polydiv", "The quotient and the remainder of two polynomials, as a tuple.",
		"np.polydiv([1, 0, -1], [1, 1]) # (array([ 1., -1.]), array([0.]))", polydiv, "u: coefficients, the highest power first",
		"v: coefficients of the divisor"),
}

func polyfit(e *eval) starlark.Value {
	x, y, degree := asReal(e.array(0)).AsType(kernels.Float64), asReal(e.array(1)).AsType(kernels.Float64), e.int(2, 0)
	switch {
	case e.failed():
		return nil
	case degree < 0:
		e.failAt(2, "got %d, want at least 0", degree)
	case x.Rank() != 1 || x.Size() == 0:
		e.failAt(0, "got shape %s, want a vector with elements", tensor.ShapeString(x.Shape()))
	case y.Rank() < 1 || y.Rank() > 2 || y.Dim(0) != x.Size():
		e.failAt(1, "got shape %s, want a vector or a matrix of %d rows", tensor.ShapeString(y.Shape()), x.Size())
	}
	if e.failed() {
		return nil
	}
	n, terms := x.Size(), degree+1
	if err := checkShape([]int{n, terms}); err != nil {
		e.failAt(2, "%w", err)
		return nil
	}
	a := linalg.New(n, terms)
	for i, x := range x.Floats() {
		power := 1.0
		for k := degree; k >= 0; k-- {
			a.Data[i*terms+k] = power
			power *= x
		}
	}
	columns := y.Size() / n
	b := linalg.Matrix{Rows: n, Cols: columns, Data: slices.Clone(y.Floats())}
	if e.given(5) {
		w := e.floats(5)
		if len(w) != n {
			e.failAt(5, "got %d weights, want %d", len(w), n)
			return nil
		}
		for i, w := range w {
			scaleBy(a.Data[i*terms:(i+1)*terms], w)
			scaleBy(b.Data[i*columns:(i+1)*columns], w)
		}
	}
	// Columns of length 1 make the singular values comparable.
	scale := make([]float64, terms)
	for i, v := range a.Data {
		scale[i%terms] += v * v
	}
	for k := range scale {
		scale[k] = math.Sqrt(scale[k])
	}
	for i := range a.Data {
		a.Data[i] /= scale[i%terms]
	}
	rcond := e.float(3, float64(n)*0x1p-52)
	fit, err := linalg.Lstsq(a, b, rcond)
	if keep(e, fit, err, fit); e.failed() {
		return nil
	}
	for i := range fit.X.Data {
		fit.X.Data[i] /= scale[i/columns]
	}
	c := NewArray(e.session, tensor.From(fit.X.Data, append([]int{terms}, y.Shape()[1:]...)...))
	if e.bool(4, false) {
		return starlark.Tuple{c, NewArray(e.session, tensor.From(fit.Residuals, len(fit.Residuals))), starlark.MakeInt(fit.Rank),
			NewArray(e.session, tensor.From(fit.SingularValues, len(fit.SingularValues))), starlark.Float(rcond)}
	}
	if e.given(6) && e.v[6] != starlark.False {
		return e.covariances(c, a, fit, scale, columns)
	}
	return c
}

// covariances returns the coefficients c of polyfit and their covariances: the inverse of aᵀa, without the scales of a's columns,
// times the sum of squares by the degrees of freedom.
func (e *eval) covariances(c *Array, a linalg.Matrix, fit linalg.LeastSquares, scale []float64, columns int) starlark.Value {
	terms := len(scale)
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
	unscaled := e.v[6] == starlark.String("unscaled")
	if err == nil && !unscaled && a.Rows <= terms {
		err = errors.New("got as many points as coefficients or fewer: their covariances are not known; use cov=\"unscaled\"")
	}
	if keep(e, inverse, err, inverse); e.failed() {
		return nil
	}
	shape := []int{terms, terms}
	factors := []float64{1}
	if !unscaled {
		if columns > 1 || c.d.Rank() > 1 {
			shape = append(shape, columns)
		}
		factors = slices.Repeat([]float64{math.NaN()}, columns)
		for k := range fit.Residuals {
			factors[k] = fit.Residuals[k] / float64(a.Rows-terms)
		}
	}
	out := make([]float64, 0, terms*terms*len(factors))
	for i, v := range inverse.Data {
		for _, f := range factors {
			out = append(out, v/(scale[i/terms]*scale[i%terms])*f)
		}
	}
	return starlark.Tuple{c, NewArray(e.session, tensor.From(out, shape...))}
}

func scaleBy(x []float64, factor float64) {
	for i := range x {
		x[i] *= factor
	}
}

func roots(e *eval) *tensor.Dense {
	p := e.vector(0).Floats()
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
	if len(p) < 2 || e.failed() {
		return tensor.From(zeros, len(zeros))
	}
	n := len(p) - 1
	if err := checkShape([]int{n, n}); err != nil {
		return e.got(nil, err)
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
		e.fail("got a polynomial whose roots are not all real: complex numbers are not in Arignote")
	}
	w = append(keep(e, w, err, nil), zeros...)
	return tensor.From(w, len(w))
}

func polydiv(e *eval) starlark.Value {
	u, v := e.vector(0).Floats(), e.vector(1).Floats()
	if !e.failed() && (len(u) == 0 || len(v) == 0 || v[0] == 0) {
		e.fail("got a divisor without a highest coefficient, want one that is not 0")
	}
	if e.failed() {
		return nil
	}
	rest := slices.Clone(u)
	quotient := make([]float64, max(len(u)-len(v)+1, 1))
	for k := 0; k <= len(u)-len(v); k++ {
		d := rest[k] * (1 / v[0])
		quotient[k] = d
		for j, c := range v {
			rest[k+j] -= d * c
		}
	}
	for len(rest) > 1 && math.Abs(rest[0]) <= 1e-8 {
		rest = rest[1:]
	}
	return e.tuple(tensor.From(quotient, len(quotient)), tensor.From(rest, len(rest)))
}
