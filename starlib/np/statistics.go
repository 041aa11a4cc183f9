package np

import (
	"math"
	"slices"
	"sort"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
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

// binsArgs are the arguments of np.histogram_bin_edges.
type binsArgs struct {
	arrayArg
	Bins  starlark.Value `arg:"bins=10: the number of bins, or their edges"`
	Range starlark.Value `arg:"range=None: a tuple of the first and the last edge"`
}

// statisticsTable is averages, covariances and histograms.
var statisticsTable = []functions.Function{
	function("np.average", "The mean along axis, each element counted by its weight.",
		"average([1, 2, 6], weights=[1, 1, 2]) # 3.75", averaged),
	function("np.cov",
		"The covariances of variables, whose observations are the rows of m: sums of products of distances from the means, by N - 1.",
		"cov([[1, 2, 3], [6, 4, 2]]) # array([[ 1., -2.],\n       [-2.,  4.]])", func(e *eval, a *struct {
			M functions.Operand `arg:"m: a vector, or a matrix whose rows are variables"`
			moreVariables
			Bias bool `arg:"bias=False: divide by N instead of N - 1"`
			Ddof *int `arg:"ddof=None: divide by N - ddof"`
			weightsArgs
		}) starlark.Value {
			ddof := 1
			if a.Bias {
				ddof = 0
			}
			return e.array1(e.covariance(e.variables(a.M.D, &a.moreVariables), or(a.Ddof, ddof), a.weightsArgs), nil)
		}),
	function("np.corrcoef", "The correlations of variables, whose observations are the rows of x: covariances by the standard deviations.",
		"corrcoef([[1, 2, 3], [6, 4, 2]]) # array([[ 1., -1.],\n       [-1.,  1.]])", func(e *eval, a *struct {
			X functions.Operand `arg:"x: a vector, or a matrix whose rows are variables"`
			moreVariables
		}) starlark.Value {
			c := e.covariance(e.variables(a.X.D, &a.moreVariables), 1, weightsArgs{})
			if c.Rank() == 0 {
				return e.value(e.do("divide", c, c))
			}
			spread := e.do("sqrt", e.diagonal(c))
			c = e.do("divide", c, e.permute(spread, []int{0, tensor.NewAxis}))
			c = e.do("divide", c, spread)
			return e.value(e.do("minimum", e.do("maximum", c, -1.0), 1.0))
		}),
	function("np.histogram",
		"How many elements lie in each of a number of bins, and the bins' edges: a tuple. The last bin has both its edges.",
		"histogram([1, 2, 2, 5], bins=2) # (array([3, 1]), array([1., 3., 5.]))", func(e *eval, a *struct {
			binsArgs
			Density bool          `arg:"density=False: divide by the number of elements and the width of the bin"`
			Weights *tensor.Dense `arg:"weights=None: how much each element counts"`
		}) starlark.Value {
			x := a.A.D
			edges := e.binEdges(x, a.Bins, a.Range)
			if a.Weights != nil && !slices.Equal(a.Weights.Shape(), x.Shape()) {
				e.failFor("weights", "got shape %s, want that of a, %s", tensor.ShapeString(a.Weights.Shape()), tensor.ShapeString(x.Shape()))
			}
			if e.failed() {
				return nil
			}
			counts := binned(x.Floats(), edges, a.Weights)
			z := tensor.From(counts, len(counts))
			switch {
			case a.Density:
				widths, total := make([]float64, len(counts)), 0.0
				for i, n := range counts {
					widths[i], total = edges[i+1]-edges[i], total+n
				}
				z = e.do("divide", e.do("divide", z, tensor.From(widths, len(counts))), total)
			case a.Weights == nil:
				z = z.AsType(kernels.Int64)
			case a.Weights.DType().IsInteger():
				z = z.AsType(a.Weights.DType())
			}
			return starlark.Tuple{NewArray(e.session, z), e.edgesValue(a.Bins, edges, x)}
		}),
	function("np.histogram_bin_edges", "The edges of the bins of np.histogram.",
		"histogram_bin_edges([1, 5], bins=2) # array([1., 3., 5.])", func(e *eval, a *binsArgs) starlark.Value {
			return e.edgesValue(a.Bins, e.binEdges(a.A.D, a.Bins, a.Range), a.A.D)
		}),
	function("np.histogram2d", "How many points (x, y) lie in each cell of a grid, and the edges along both axes: a tuple.",
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

func histogram2d(e *eval, a *histogram2dArgs) starlark.Value {
	x, y := a.X, a.Y
	if x.Rank() != 1 || y.Rank() != 1 || x.Size() != y.Size() {
		e.fail("got shapes %s, want two vectors of one length", tensor.ShapesOf(x, y))
	}
	side := func(v starlark.Value, i int) starlark.Value { // bins and range may be pairs
		if pair, ok := v.(starlark.Indexable); ok && pair.Len() == 2 {
			return pair.Index(i)
		}
		return v
	}
	if e.failed() {
		return nil
	}
	ex, ey := e.binEdges(x, side(a.Bins, 0), side(a.Range, 0)), e.binEdges(y, side(a.Bins, 1), side(a.Range, 1))
	w := weightsOf(a.Weights, x.Size())
	if len(w) != x.Size() {
		e.failFor("weights", "got %d weights, want %d", len(w), x.Size())
	}
	if e.failed() {
		return nil
	}
	rows, columns := len(ex)-1, len(ey)-1
	counts := make([]float64, rows*columns)
	xs, ys := x.Floats(), y.Floats()
	total := 0.0
	for i := range xs {
		r, c := binOf(xs[i], ex), binOf(ys[i], ey)
		if r >= 0 && c >= 0 {
			counts[r*columns+c] += w[i]
			total += w[i]
		}
	}
	if a.Density {
		for i := range counts {
			r, c := i/columns, i%columns
			counts[i] /= (ex[r+1] - ex[r]) * (ey[c+1] - ey[c]) * total
		}
	}
	return starlark.Tuple{NewArray(e.session, tensor.From(counts, rows, columns)),
		e.edgesValue(side(a.Bins, 0), ex, x), e.edgesValue(side(a.Bins, 1), ey, y)}
}

type averageArgs struct {
	arrayArg
	Axis     functions.Axes    `arg:"axis=None: the axis or axes; all of them if not given"`
	Weights  functions.Operand `arg:"weights=None: weights of a's shape, or a vector of them along axis; the same for all if not given"`
	Returned bool              `arg:"returned=False: return a tuple of the average and the sum of the weights"`
	KeywordOnly
	keepDimsArg
}

func averaged(e *eval, a *averageArgs) starlark.Value {
	x, weights := asReal(a.A.D), a.Weights.D
	axes := e.axisSet(a.Axis, x.Rank())
	if weights != nil {
		if !slices.Equal(weights.Shape(), x.Shape()) {
			if !a.Axis.Given || weights.Rank() != 1 || axes.Len() != 1 || weights.Dim(0) != x.Dim(axes.List()[0]) {
				e.failFor("weights", "got shape %s, want that of a, %s, or a vector along axis", tensor.ShapeString(weights.Shape()),
					tensor.ShapeString(x.Shape()))
				return nil
			}
			shape := slices.Repeat([]int{1}, x.Rank())
			shape[axes.List()[0]] = weights.Size()
			weights = e.reshape(weights, shape...)
		}
		weights = e.broadcast(weights.AsType(kernels.Promote(weights.DType(), x.DType())), x)[0]
	}
	if e.failed() {
		return nil
	}
	var mean, total *tensor.Dense
	if weights == nil {
		mean = e.reduce("mean", x, axes)
		total = e.do("add", e.do("multiply", mean, 0.0), float64((&reduceCall{x: x, axes: axes}).size()))
	} else {
		total = e.reduce("sum", weights, axes)
		if slicesHas(total, 0) {
			e.fail("got weights whose sum is 0")
			return nil
		}
		mean = e.do("divide", e.reduce("sum", e.do("multiply", x, weights), axes), total)
	}
	if a.KeepDims {
		pattern := op.Restore(axes, x.Rank())
		mean, total = e.permute(mean, pattern), e.permute(total, pattern)
	}
	if a.Returned {
		return e.tuple(mean, total)
	}
	return e.value(mean)
}

// variables returns observations of variables, in rows.
func (e *eval) variables(x *tensor.Dense, more *moreVariables) *tensor.Dense {
	list := []*tensor.Dense{x}
	if more.Y.Given() {
		list = append(list, more.Y.D)
	}
	for i, d := range list {
		if d.Rank() > 2 {
			e.fail("got %d dimensions, want at most 2", d.Rank())
			return meaningless()
		}
		rows := e.leadTo(d, 2)
		if !more.Rowvar && rows.Dim(0) != 1 {
			rows = rows.Transpose()
		}
		list[i] = rows.AsType(kernels.Float64)
	}
	return e.concatenate(0, list...)
}

// covariance is that of the rows of x.
func (e *eval) covariance(x *tensor.Dense, ddof int, weights weightsArgs) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	n := x.Dim(1)
	weight := func(parameter string, v functions.Operand, w *tensor.Dense) *tensor.Dense {
		if !v.Given() {
			return w
		}
		if v.D.Rank() != 1 || v.D.Size() != n {
			e.failFor(parameter, "got shape %s, want a weight for each of %d observations", tensor.ShapeString(v.D.Shape()), n)
			return w
		}
		if w == nil {
			return asReal(v.D)
		}
		return e.do("multiply", w, asReal(v.D))
	}
	w := weight("aweights", weights.Aweights, weight("fweights", weights.Fweights, nil))
	if e.failed() {
		return meaningless()
	}
	total := float64(n)
	mean := tensor.AxesOf(1)
	centre := e.reduce("mean", x, mean)
	if w != nil {
		total = e.reduce("sum", w, tensor.AxesOf(0)).Floats()[0]
		centre = e.do("divide", e.reduce("sum", e.do("multiply", x, w), mean), total)
	}
	factor := total - float64(ddof)
	if weights.Aweights.Given() && ddof != 0 {
		squares := e.reduce("sum", e.do("multiply", w, asReal(weights.Aweights.D)), tensor.AxesOf(0)).Floats()[0]
		factor = total - float64(ddof)*squares/total
	}
	x = e.do("subtract", x, e.permute(centre, []int{0, tensor.NewAxis}))
	weighted := x
	if w != nil {
		weighted = e.do("multiply", x, w)
	}
	c := e.do("multiply", e.dot(x, weighted.Transpose()), 1/max(factor, 0))
	if c.Size() == 1 {
		return e.reshape(c)
	}
	return c
}

// binEdges are the edges of bins of x, from the arguments bins and range.
func (e *eval) binEdges(x *tensor.Dense, bins, ends starlark.Value) []float64 {
	n := 10
	if bins != nil {
		text, isText := starlark.AsString(bins)
		number, isInt := asInt(bins)
		switch {
		case isText:
			e.failFor("bins", "got %q: choosing the number of bins is not in Arignote yet; give a number", text)
		case isInt:
			n = number
		default:
			edges := e.dense(bins)
			list := edges.Floats()
			if edges.Rank() != 1 || !slices.IsSorted(list) || len(list) == 0 {
				e.failFor("bins", "got edges that are no ascending vector")
			}
			return list
		}
	}
	if n < 1 {
		e.failFor("bins", "got %d, want at least 1", n)
	}
	e.newShape("bins", []int{n})
	low, high := 0.0, 1.0
	if ends != nil {
		list := e.dense(ends).Floats()
		if len(list) != 2 || !(list[0] <= list[1]) || math.IsInf(list[1]-list[0], 0) {
			e.failFor("range", "got %s, want the first and the last edge, both finite, in order", value.Repr(ends))
		} else {
			low, high = list[0], list[1]
		}
	} else if x.Size() > 0 && !e.failed() {
		list := x.Floats()
		low, high = slices.Min(list), slices.Max(list)
		if math.IsNaN(high-low) || math.IsInf(high-low, 0) {
			e.fail("got elements that are not finite; use range=")
		}
	}
	if e.failed() {
		return []float64{0, 1}
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	edges, _ := spaced(low, high, n+1, true)
	if x.DType() == kernels.Float32 {
		return tensor.From(edges, len(edges)).AsType(kernels.Float32).Floats()
	}
	return edges
}

// edgesValue returns edges as the array that was given, if one was, and otherwise in the type that bins of x have.
func (e *eval) edgesValue(bins starlark.Value, edges []float64, x *tensor.Dense) starlark.Value {
	if bins != nil && !e.failed() {
		if d, err := ToDense(bins); err == nil && d.Rank() == 1 {
			return e.viewOf(bins, d)
		}
	}
	z := tensor.From(edges, len(edges))
	if x.DType() == kernels.Float32 {
		z = z.AsType(kernels.Float32)
	}
	return e.array1(z, nil)
}

// binOf returns the bin of x, or -1 if it lies in none.
func binOf(x float64, edges []float64) int {
	last := len(edges) - 1
	switch {
	case !(x >= edges[0] && x <= edges[last]) || last == 0:
		return -1
	case x == edges[last]:
		return last - 1
	}
	return sort.Search(len(edges), func(i int) bool { return edges[i] > x }) - 1
}

func weightsOf(w *tensor.Dense, n int) []float64 {
	if w == nil {
		return slices.Repeat([]float64{1}, n)
	}
	return w.Floats()
}

func binned(x, edges []float64, weights *tensor.Dense) []float64 {
	counts := make([]float64, len(edges)-1)
	w := weightsOf(weights, len(x))
	for i, x := range x {
		if b := binOf(x, edges); b >= 0 {
			counts[b] += w[i]
		}
	}
	return counts
}
