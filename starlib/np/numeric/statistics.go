package numeric

import (
	"errors"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// moreVariables are parameters of np.cov and np.corrcoef.
type moreVariables struct {
	Y      functions.Operand `arg:"y=None: more variables"`
	Rowvar bool              `arg:"rowvar=True: False if the columns are the variables"`
}

// weightsArgs are the weights of np.cov.
type weightsArgs struct {
	Fweights functions.Operand `arg:"fweights=None: how often each observation counts"`
	Aweights functions.Operand `arg:"aweights=None: weights of the observations"`
}

// covArgs are the arguments of np.cov.
type covArgs struct {
	M functions.Operand `arg:"m: a vector, or a matrix whose rows are variables"`
	moreVariables
	Bias bool `arg:"bias=False: divide by N instead of N - 1"`
	Ddof *int `arg:"ddof=None: divide by N - ddof"`
	weightsArgs
}

// taken is what is taken off the number of observations.
func (a *covArgs) taken() int {
	if a.Bias {
		return np.OrElse(a.Ddof, 0)
	}
	return np.OrElse(a.Ddof, 1)
}

// corrcoefArgs are the arguments of np.corrcoef.
type corrcoefArgs struct {
	X functions.Operand `arg:"x: a vector, or a matrix whose rows are variables"`
	moreVariables
}

// observations are the variables as rows.
func (more *moreVariables) observations(m *formula.Algebra, x functions.Operand) (formula.Array, error) {
	list := []formula.Array{x.Array()}
	if more.Y.Given() {
		list = append(list, more.Y.Array())
	}
	return formula.Observations(m, list, !more.Rowvar)
}

// binsArgs are the arguments of np.histogram_bin_edges.
type binsArgs struct {
	np.ArrayArg
	Bins  starlark.Value `arg:"bins=10: the number of bins, their edges, or a rule: 'auto', 'fd', 'doane', 'scott', 'rice', 'sturges' or 'sqrt'"`
	Range starlark.Value `arg:"range=None: a tuple of the first and the last edge"`
}

// statisticsTable is averages, covariances and histograms.
var statisticsTable = []functions.Function{
	np.Function("np.average T.average", "The mean along axis, each element counted by its weight.",
		"average([1, 2, 6], weights=[1, 1, 2]) # 3.75", averaged, functions.BuildsSeveral(func(g *functions.Graph, a *averageArgs) ([]functions.V, error) {
			mean, total, err := a.averages(formula.Symbolic(g.Builder))
			if err != nil || !a.Returned {
				return formula.Variables([]formula.Array{mean}), err
			}
			return formula.Variables([]formula.Array{mean, total}), nil
		})),
	np.Formula("np.cov T.cov",
		"The covariances of variables, whose observations are the rows of m: sums of products of distances from the means, by N - 1.",
		"cov([[1, 2, 3], [6, 4, 2]]) # array([[ 1., -2.],\n       [-2.,  4.]])", func(m *formula.Algebra, a *covArgs) (formula.Array, error) {
			x, err := a.observations(m, a.M)
			if err != nil {
				return nil, err
			}
			return formula.Covariance(m, x, float64(a.taken()), formula.Weights{Frequencies: a.Fweights.Array(), Importances: a.Aweights.Array()})
		}, np.AsArray),
	np.Formula("np.corrcoef T.corrcoef", "The correlations of variables, whose observations are the rows of x: covariances by the standard deviations.",
		"corrcoef([[1, 2, 3], [6, 4, 2]]) # array([[ 1., -1.],\n       [-1.,  1.]])", func(m *formula.Algebra, a *corrcoefArgs) (formula.Array, error) {
			x, err := a.observations(m, a.X)
			if err != nil {
				return nil, err
			}
			return formula.Correlation(m, x)
		}, (*np.Eval).Result),
	np.Function("np.histogram",
		"How many elements lie in each of a number of bins, and the bins' edges: a tuple. The last bin has both its edges.",
		"histogram([1, 2, 2, 5], bins=2) # (array([3, 1]), array([1., 3., 5.]))", func(e *np.Eval, a *struct {
			binsArgs
			Density bool          `arg:"density=False: divide by the number of elements and the width of the bin"`
			Weights *tensor.Dense `arg:"weights=None: how much each element counts"`
		}) starlark.Value {
			x := a.A.D
			if rule, ok := starlark.AsString(a.Bins); ok && a.Weights != nil {
				e.FailFor("bins", "got %q: rules do not know weights; give a number", rule)
			}
			edges := binEdges(e, x, a.Bins, a.Range)
			z := e.Compute(func(c array.Calculator) (*tensor.Dense, error) {
				return array.Histogram(c.Stop, x, edges, a.Weights, a.Density)
			})
			return starlark.Tuple{np.NewArray(e.Session, z), edgesValue(e, a.Bins, edges, x)}
		}),
	np.Function("np.histogram_bin_edges", "The edges of the bins of np.histogram.",
		"histogram_bin_edges([1, 5], bins=2) # array([1., 3., 5.])", func(e *np.Eval, a *binsArgs) starlark.Value {
			return edgesValue(e, a.Bins, binEdges(e, a.A.D, a.Bins, a.Range), a.A.D)
		}),
	np.Function("np.histogram2d", "How many points (x, y) lie in each cell of a grid, and the edges along both axes: a tuple.",
		"histogram2d([1, 2], [1, 5], bins=2)[0] # array([[1., 0.],\n       [0., 1.]])", histogram2d),
}

type histogram2dArgs struct {
	X       *tensor.Dense  `arg:"x: a vector"`
	Y       *tensor.Dense  `arg:"y: a vector"`
	Bins    starlark.Value `arg:"bins=10: the number of bins, or edges, or a pair of such"`
	Range   starlark.Value `arg:"range=None: a pair of the first and the last edge of both axes"`
	Density bool           `arg:"density=False: divide by the weights' sum and the area of the cell"`
	Weights *tensor.Dense  `arg:"weights=None: how much each point counts"`
}

func histogram2d(e *np.Eval, a *histogram2dArgs) starlark.Value {
	x, y := a.X, a.Y
	if x.Rank() != 1 || y.Rank() != 1 || x.Size() != y.Size() {
		e.Fail("got shapes %s, want two vectors of one length", tensor.ShapesOf(x, y))
	}
	side := func(v starlark.Value, i int) starlark.Value { // bins and range may be pairs
		if pair, ok := v.(starlark.Indexable); ok && pair.Len() == 2 {
			return pair.Index(i)
		}
		return v
	}
	if e.Failed() {
		return nil
	}
	ex, ey := binEdges(e, x, side(a.Bins, 0), side(a.Range, 0)), binEdges(e, y, side(a.Bins, 1), side(a.Range, 1))
	z := e.Compute(func(c array.Calculator) (*tensor.Dense, error) {
		return array.Histogram2D(c.Stop, x, y, ex, ey, a.Weights, a.Density)
	})
	return starlark.Tuple{np.NewArray(e.Session, z), edgesValue(e, side(a.Bins, 0), ex, x), edgesValue(e, side(a.Bins, 1), ey, y)}
}

type averageArgs struct {
	np.ArrayArg
	Axis     functions.Axes    `arg:"axis=None: the axis or axes; all of them if not given"`
	Weights  functions.Operand `arg:"weights=None: weights of a's shape, or a vector of them along axis; the same for all if not given"`
	Returned bool              `arg:"returned=False: return a tuple of the average and the sum of the weights"`
	np.KeywordOnly
	np.KeepDimsArg
}

// averages are the average and, if they are wanted, the sums of the weights.
func (a *averageArgs) averages(m *formula.Algebra) (mean, total formula.Array, err error) {
	x := a.A.Array()
	axes, err := a.Axis.Of(x.Rank())
	if err != nil {
		return nil, nil, err
	}
	if mean, total, err = formula.Average(m, x, a.Weights.Array(), axes, a.Returned); err != nil {
		return nil, nil, err
	}
	if d, ok := total.(*tensor.Dense); ok && a.Weights.Given() && slices.Contains(d.Floats(), 0) {
		return nil, nil, errors.New("got weights whose sum is 0")
	}
	if a.KeepDims {
		mean = m.Permute(mean, op.Restore(axes, x.Rank())...)
		if total != nil {
			total = m.Permute(total, op.Restore(axes, x.Rank())...)
		}
	}
	return mean, total, nil
}

func averaged(e *np.Eval, a *averageArgs) starlark.Value {
	var total formula.Array
	mean := e.Apply(func(m *formula.Algebra) (mean formula.Array, err error) {
		mean, total, err = a.averages(m)
		return mean, err
	})
	if a.Returned && !e.Failed() {
		return tuple(e, mean, total.(*tensor.Dense))
	}
	return e.Result(mean)
}

// binEdges are the edges of bins of x, from the arguments bins and range.
func binEdges(e *np.Eval, x *tensor.Dense, bins, ends starlark.Value) []float64 {
	n := 10
	rule, isRule := starlark.AsString(bins)
	if bins != nil {
		number, isInt := np.AsInt(bins)
		switch {
		case isRule:
		case isInt:
			n = number
		default:
			edges := e.Dense(bins)
			list := edges.Floats()
			if edges.Rank() != 1 || !slices.IsSorted(list) || len(list) == 0 {
				e.FailFor("bins", "got edges that are no ascending vector")
			}
			return list
		}
	}
	if n < 1 {
		e.FailFor("bins", "got %d, want at least 1", n)
	}
	var limits []float64
	if ends != nil {
		limits = e.Dense(ends).Floats()
		if len(limits) != 2 || !(limits[0] <= limits[1]) || math.IsInf(limits[1]-limits[0], 0) {
			e.FailFor("range", "got %s, want the first and the last edge, both finite, in order", value.Repr(ends))
		}
	}
	poll := e.Poll()
	if isRule && !e.Failed() {
		count, err := array.BinCount(&poll, x, rule, limits)
		n = np.Keep(e, count, err, 1)
	}
	e.NewShape("bins", []int{n})
	if e.Failed() {
		return []float64{0, 1}
	}
	edges, err := array.BinEdges(&poll, x, n, limits)
	return np.Keep(e, edges, err, []float64{0, 1})
}

// edgesValue returns edges as the array that was given, if one was, and otherwise in the type that
// bins of x have.
func edgesValue(e *np.Eval, bins starlark.Value, edges []float64, x *tensor.Dense) starlark.Value {
	if bins != nil && !e.Failed() {
		if d, err := np.ToDense(bins); err == nil && d.Rank() == 1 {
			return e.ViewOf(bins, d)
		}
	}
	z := tensor.From(edges, len(edges))
	if x.DType() == kernels.Float32 {
		z = z.AsType(kernels.Float32)
	}
	return e.Array1(z, nil)
}
