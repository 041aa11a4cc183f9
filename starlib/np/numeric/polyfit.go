package numeric

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// polyfitTable is the functions of polynomials that solve equations.
var polyfitTable = []functions.Function{
	np.Function("np.polyfit", "The polynomial of a degree with the least sum of squares of its distances from points (x, y): its "+
		"coefficients, the highest power first.", "polyfit([0, 1, 2, 3], [1, 3, 5, 7], 1).round(6) # array([2., 1.])", polyfit),
	np.Function("np.roots", "The roots of a polynomial, which are to be real: the eigenvalues of its companion matrix.",
		"roots([1, -3, 2]) # array([2., 1.])", func(e *np.Eval, a *struct {
			P *tensor.Dense `arg:"p: coefficients, the highest power first"`
		}) starlark.Value {
			p := polynomial(e, "p", a.P)
			if e.Failed() {
				return nil
			}
			var z *tensor.Dense
			n := float64(len(p))
			err := op.Interruptible(np.StopOf(e.Session), 25*n*n*n, func() (err error) {
				z, err = array.Roots(p)
				return err
			})
			return e.Result(e.Got(z, err))
		}),
	np.Function("np.polydiv", "The quotient and the remainder of two polynomials, as a tuple.",
		"polydiv([1, 0, -1], [1, 1]) # (array([ 1., -1.]), array([0.]))", func(e *np.Eval, a *struct {
			U *tensor.Dense `arg:"u: coefficients, the highest power first"`
			V *tensor.Dense `arg:"v: coefficients of the divisor"`
		}) starlark.Value {
			u, v := polynomial(e, "u", a.U), polynomial(e, "v", a.V)
			if e.Failed() {
				return nil
			}
			poll := e.Poll()
			quotient, rest, err := array.Polydiv(&poll, u, v)
			if e.Got(quotient, err); e.Failed() {
				return nil
			}
			return tuple(e, quotient, rest)
		}),
}

// polynomial is an argument that is coefficients.
func polynomial(e *np.Eval, param string, d *tensor.Dense) []float64 {
	if d.Rank() > 1 {
		e.FailFor(param, "got %d dimensions, want a vector", d.Rank())
		return nil
	}
	return d.Floats()
}

func polyfit(e *np.Eval, a *struct {
	X      *tensor.Dense  `arg:"x: a vector"`
	Y      *tensor.Dense  `arg:"y: a vector, or a matrix of several in its columns"`
	Degree int            `arg:"deg: the degree"`
	RCond  *float64       `arg:"rcond=None: which singular values count as 0, by the largest; len(x) * 2e-16 if not given"`
	Full   bool           `arg:"full=False: return a tuple of coefficients, residuals, rank, singular values and rcond"`
	W      *tensor.Dense  `arg:"w=None: weights of the distances"`
	Cov    starlark.Value `arg:"cov=False: return a tuple of coefficients and their covariances; \"unscaled\" for those of weights that are 1/sigma"`
}) starlark.Value {
	var w []float64
	if a.W != nil {
		w = append([]float64{}, a.W.Floats()...)
	}
	poll := e.Poll()
	x, y := poll.AsType(array.AsReal(a.X), kernels.Float64), poll.AsType(array.AsReal(a.Y), kernels.Float64)
	var fit *array.Fit
	work := float64(x.Size()) * float64(a.Degree+1) * float64(a.Degree+1)
	err := op.Interruptible(np.StopOf(e.Session), work, func() (err error) {
		fit, err = array.Polyfit(x, y, a.Degree, w, a.RCond)
		return err
	})
	if np.Keep(e, fit, err, nil); e.Failed() {
		return nil
	}
	c := np.NewArray(e.Session, fit.Coefficients)
	switch {
	case a.Full:
		return starlark.Tuple{c, np.NewArray(e.Session, fit.Residuals), starlark.MakeInt(fit.Rank),
			np.NewArray(e.Session, fit.SingularValues), starlark.Float(fit.RCond)}
	case a.Cov != nil && a.Cov != starlark.False:
		covariances := e.Array1(fit.Covariances(a.Cov == starlark.String("unscaled")))
		return starlark.Tuple{c, covariances}
	}
	return c
}
