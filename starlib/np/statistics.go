package np

import (
	"math"
	"slices"
	"sort"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// statisticsTable is averages, covariances and histograms.
var statisticsTable = []value.Builtin{
	evalRow("np.", "average", "The mean along axis, each element counted by its weight.",
		"np.average([1, 2, 6], weights=[1, 1, 2]) # 3.75", averaged, arrayParam, "axis=None: the axis or axes; all of them if not given",
		"weights=None: weights of a's shape, or a vector of them along axis; the same for all if not given",
		"returned=False: return a tuple of the average and the sum of the weights", "*:",
		"keepdims=False: keep the reduced axes with length 1"),
	arrayRow("cov",
		"The covariances of variables, whose observations are the rows of m: sums of products of distances from the means, by N - 1.",
		"np.cov([[1, 2, 3], [6, 4, 2]]) # array([[ 1., -2.],\n       [-2.,  4.]])", func(e *eval) *tensor.Dense {
			ddof := 1
			if e.bool(3, false) {
				ddof = 0
			}
			return e.covariance(e.variables(2), e.int(4, ddof), 5)
		}, covParams("m", "bias=False: divide by N instead of N - 1", "ddof=None: divide by N - ddof",
			"fweights=None: how often each observation counts", "aweights=None: weights of the observations")...),
	npRow("corrcoef", "The correlations of variables, whose observations are the rows of x: covariances by the standard deviations.",
		"np.corrcoef([[1, 2, 3], [6, 4, 2]]) # array([[ 1., -1.],\n       [-1.,  1.]])", func(e *eval) *tensor.Dense {
			c := e.covariance(e.variables(2), 1, -1)
			if c.Rank() == 0 {
				return e.do("divide", c, c)
			}
			spread := e.do("sqrt", e.diagonal(c))
			c = e.do("divide", c, e.permute(spread, []int{0, tensor.NewAxis}))
			c = e.do("divide", c, spread)
			return e.do("minimum", e.do("maximum", c, -1.0), 1.0)
		}, covParams("x")...),
	evalRow("np.", "histogram",
		"How many elements lie in each of a number of bins, and the bins' edges: a tuple. The last bin has both its edges.",
		"np.histogram([1, 2, 2, 5], bins=2) # (array([3, 1]), array([1., 3., 5.]))", func(e *eval) starlark.Value {
			a := e.array(0)
			edges := e.binEdges(a, 1, 2)
			density := e.bool(3, false)
			weights := e.arrayOr(4, nil)
			if weights != nil && !slices.Equal(weights.Shape(), a.Shape()) {
				e.failAt(4, "got shape %s, want that of a, %s", tensor.ShapeString(weights.Shape()), tensor.ShapeString(a.Shape()))
			}
			if e.failed() {
				return nil
			}
			counts := binned(a.Floats(), edges, weights)
			z := tensor.From(counts, len(counts))
			switch {
			case density:
				widths, total := make([]float64, len(counts)), 0.0
				for i, n := range counts {
					widths[i], total = edges[i+1]-edges[i], total+n
				}
				z = e.do("divide", e.do("divide", z, tensor.From(widths, len(counts))), total)
			case weights == nil:
				z = z.AsType(kernels.Int64)
			case weights.DType().IsInteger():
				z = z.AsType(weights.DType())
			}
			return starlark.Tuple{NewArray(e.session, z), e.edgesValue(1, edges, a)}
		}, arrayParam, "bins=10: the number of bins, or their edges", "range=None: a tuple of the first and the last edge",
		"density=False: divide by the number of elements and the width of the bin", "weights=None: how much each element counts"),
	evalRow("np.", "histogram_bin_edges", "The edges of the bins of np.histogram.",
		"np.histogram_bin_edges([1, 5], bins=2) # array([1., 3., 5.])",
		func(e *eval) starlark.Value {
			a := e.array(0)
			return e.edgesValue(1, e.binEdges(a, 1, 2), a)
		}, arrayParam, "bins=10: the number of bins, or their edges", "range=None: a tuple of the first and the last edge"),
	evalRow("np.", "histogram2d", "How many points (x, y) lie in each cell of a grid, and the edges along both axes: a tuple.",
		"np.histogram2d([1, 2], [1, 5], bins=2)[0] # array([[1., 0.],\n       [0., 1.]])", func(e *eval) starlark.Value {
			x, y := e.array(0), e.array(1)
			if x.Rank() != 1 || y.Rank() != 1 || x.Size() != y.Size() {
				e.fail("got shapes %s, want two vectors of one length", shapesOf([]*tensor.Dense{x, y}))
			}
			axes := [2]*eval{}
			for i := range axes { // bins and range may be pairs
				axes[i] = &eval{call: &call{Builtin: e.Builtin, session: e.session, v: slices.Clone(e.v)}}
				for _, at := range []int{2, 3} {
					if pair, ok := e.v[at].(starlark.Indexable); ok && pair.Len() == 2 {
						axes[i].v[at] = pair.Index(i)
					}
				}
			}
			weights := e.arrayOr(5, nil)
			if e.failed() {
				return nil
			}
			ex, ey := axes[0].binEdges(x, 2, 3), axes[1].binEdges(y, 2, 3)
			for _, a := range axes {
				e.got(x, a.err)
			}
			if e.failed() {
				return nil
			}
			rows, columns := len(ex)-1, len(ey)-1
			counts := make([]float64, rows*columns)
			w := weightsOf(weights, x.Size())
			if len(w) != x.Size() {
				e.failAt(5, "got %d weights, want %d", len(w), x.Size())
				return nil
			}
			xs, ys := x.Floats(), y.Floats()
			total := 0.0
			for i := range xs {
				r, c := binOf(xs[i], ex), binOf(ys[i], ey)
				if r >= 0 && c >= 0 {
					counts[r*columns+c] += w[i]
					total += w[i]
				}
			}
			if e.bool(4, false) {
				for i := range counts {
					r, c := i/columns, i%columns
					counts[i] /= (ex[r+1] - ex[r]) * (ey[c+1] - ey[c]) * total
				}
			}
			return starlark.Tuple{NewArray(e.session, tensor.From(counts, rows, columns)),
				axes[0].edgesValue(2, ex, x), axes[1].edgesValue(2, ey, y)}
		}, "x: a vector", "y: a vector", "bins=10: the number of bins, or edges, or a pair of such",
		"range=None: a pair of the first and the last edge of both axes",
		"density=False: divide by the weights' sum and the area of the cell",
		"weights=None: how much each point counts"),
}

func averaged(e *eval) starlark.Value {
	a := e.real(0)
	axes := e.axes(1, a.Rank())
	var weights *tensor.Dense
	if e.given(2) {
		weights = e.array(2)
		if !slices.Equal(weights.Shape(), a.Shape()) {
			if !e.given(1) || weights.Rank() != 1 || axes.Len() != 1 || weights.Dim(0) != a.Dim(axes.List()[0]) {
				e.failAt(2, "got shape %s, want that of a, %s, or a vector along axis", tensor.ShapeString(weights.Shape()),
					tensor.ShapeString(a.Shape()))
				return nil
			}
			shape := slices.Repeat([]int{1}, a.Rank())
			shape[axes.List()[0]] = weights.Size()
			weights = e.reshape(weights, shape...)
		}
		weights = e.broadcast(weights.AsType(kernels.Promote(weights.DType(), a.DType())), a)[0]
	}
	var mean, total *tensor.Dense
	if weights == nil {
		mean = e.reduce("mean", a, axes)
		if e.failed() {
			return nil
		}
		total = e.do("add", e.do("multiply", mean, 0.0), float64((&reduceCall{x: a, axes: axes}).size()))
	} else {
		total = e.reduce("sum", weights, axes)
		if e.failed() {
			return nil
		}
		if slicesHas(total, 0) {
			e.fail("got weights whose sum is 0")
			return nil
		}
		mean = e.do("divide", e.reduce("sum", e.do("multiply", a, weights), axes), total)
	}
	if e.bool(5, false) {
		pattern := op.Restore(axes, a.Rank())
		mean, total = e.permute(mean, pattern), e.permute(total, pattern)
	}
	if e.bool(3, false) {
		return e.tuple(mean, total)
	}
	return e.value(mean)
}

func covParams(x string, more ...string) []string {
	return append([]string{x + ": a vector, or a matrix whose rows are variables", "y=None: more variables",
		"rowvar=True: False if the columns are the variables"}, more...)
}

// variables reads the arguments of cov: observations of variables, in rows.
func (e *eval) variables(rowvar int) *tensor.Dense {
	byRow := e.bool(rowvar, true)
	list := []*tensor.Dense{e.array(0)}
	if e.given(1) {
		list = append(list, e.array(1))
	}
	for i, d := range list {
		if d.Rank() > 2 {
			e.fail("got %d dimensions, want at most 2", d.Rank())
		}
		rows := e.leadTo(d, 2)
		if !byRow && rows.Dim(0) != 1 {
			rows = rows.Transpose()
		}
		list[i] = rows.AsType(kernels.Float64)
	}
	return e.concatenate(0, list...)
}

// covariance is that of the rows of x. Weights are the arguments at and at+1.
func (e *eval) covariance(x *tensor.Dense, ddof, at int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	n := x.Dim(1)
	var w *tensor.Dense
	var squares float64 // of aweights by weights
	for i := at; at >= 0 && i < at+2; i++ {
		if !e.given(i) {
			continue
		}
		v := e.array(i)
		if v.Rank() != 1 || v.Size() != n {
			e.failAt(i, "got shape %s, want a weight for each of %d observations", tensor.ShapeString(v.Shape()), n)
			return meaningless()
		}
		if v = asReal(v); w != nil {
			v = e.do("multiply", w, v)
		}
		w = v
	}
	total := float64(n)
	mean := tensor.AxesOf(1)
	centre := e.reduce("mean", x, mean)
	if w != nil {
		total = e.reduce("sum", w, tensor.AxesOf(0)).Floats()[0]
		centre = e.do("divide", e.reduce("sum", e.do("multiply", x, w), mean), total)
	}
	factor := total - float64(ddof)
	if at >= 0 && e.given(at+1) && ddof != 0 {
		squares = e.reduce("sum", e.do("multiply", w, asReal(e.array(at+1))), tensor.AxesOf(0)).Floats()[0]
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

// binEdges reads bins and range, arguments at and rangeAt.
func (e *eval) binEdges(a *tensor.Dense, at, rangeAt int) []float64 {
	if e.given(at) {
		if text, ok := starlark.AsString(e.v[at]); ok {
			e.failAt(at, "got %q: choosing the number of bins is not in Arignote yet; give a number", text)
		} else if _, isInt := asInt(e.v[at]); !isInt {
			edges := e.array(at)
			list := edges.Floats()
			if edges.Rank() != 1 || !slices.IsSorted(list) || len(list) == 0 {
				e.failAt(at, "got edges that are no ascending vector")
			}
			return list
		}
	}
	bins := e.count(at, 10)
	if bins < 1 {
		e.failAt(at, "got %d, want at least 1", bins)
	}
	low, high := 0.0, 1.0
	if e.given(rangeAt) {
		ends := e.array(rangeAt).Floats()
		if len(ends) != 2 || !(ends[0] <= ends[1]) || math.IsInf(ends[1]-ends[0], 0) {
			e.failAt(rangeAt, "got %s, want the first and the last edge, both finite, in order", value.Repr(e.v[rangeAt]))
		} else {
			low, high = ends[0], ends[1]
		}
	} else if a.Size() > 0 && !e.failed() {
		x := a.Floats()
		low, high = slices.Min(x), slices.Max(x)
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
	edges, _ := spaced(low, high, bins+1, true)
	if a.DType() == kernels.Float32 {
		return tensor.From(edges, len(edges)).AsType(kernels.Float32).Floats()
	}
	return edges
}

// edgesValue returns edges as the array that argument at gave, if it did, and otherwise in the type that bins of a have.
func (e *eval) edgesValue(at int, edges []float64, a *tensor.Dense) starlark.Value {
	if e.given(at) {
		if d := e.array(at); d.Rank() == 1 {
			return e.view(at, d)
		}
	}
	z := tensor.From(edges, len(edges))
	if a.DType() == kernels.Float32 {
		z = z.AsType(kernels.Float32)
	}
	return NewArray(e.session, z)
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
