package np

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// Parameters of functions of sorted elements.
type (
	quantileAxisArg struct {
		Axis functions.Axes `arg:"axis=None: the axis or axes; all of them if not given"`
	}
	quantileEnd struct {
		quantileAxisArg
		KeywordOnly
		Method string `arg:"method=\"linear\": how a value between two elements is chosen: linear, lower, higher, midpoint, nearest, or one of the methods of Hyndman and Fan by its name in NumPy"`
		keepDimsArg
	}
	percentileArgs struct {
		arrayArg
		Q functions.Operand `arg:"q: percentages from 0 to 100: a number or an array, whose axes come first in the result"`
		quantileEnd
	}
	quantileArgs struct {
		arrayArg
		Q functions.Operand `arg:"q: fractions from 0 to 1: a number or an array, whose axes come first in the result"`
		quantileEnd
	}
	medianArgs struct {
		arrayArg
		quantileAxisArg
		KeywordOnly
		keepDimsArg
	}
)

// quantileTable is the functions of sorted elements.
var quantileTable = []functions.Function{
	function("np.median", "The middle element along axis, or the mean of the two; nan if one is.",
		"median([3, 1, 2, 9]) # 2.5", median(false)),
	function("np.nanmedian", "The middle element along axis of what is not nan.", "nanmedian([3, 1, np.nan]) # 2.0", median(true)),
	function("np.percentile", "The values below which percentages of the elements along axis lie.",
		"percentile([1, 2, 3, 4], [25, 50]) # array([1.75, 2.5 ])", percentile(false)),
	function("np.quantile", "The values below which fractions of the elements along axis lie.",
		"quantile([1, 2, 3, 4], 0.5) # 2.5", quantile(false)),
	function("np.nanpercentile", "The values below which percentages of the elements along axis lie that are not nan.",
		"nanpercentile([1, 3, np.nan], 50) # 2.0", percentile(true)),
	function("np.nanquantile", "The values below which fractions of the elements along axis lie that are not nan.",
		"nanquantile([1, 3, np.nan], 0.5) # 2.0", quantile(true)),
}

func percentile(nan bool) func(e *eval, a *percentileArgs) starlark.Value {
	return func(e *eval, a *percentileArgs) starlark.Value {
		return e.quantile(a.A.D, e.do("divide", asReal(a.Q.D), 100.0), &a.quantileEnd, nan)
	}
}

func quantile(nan bool) func(e *eval, a *quantileArgs) starlark.Value {
	return func(e *eval, a *quantileArgs) starlark.Value {
		return e.quantile(a.A.D, asReal(a.Q.D), &a.quantileEnd, nan)
	}
}

func median(nan bool) func(e *eval, a *medianArgs) starlark.Value {
	return func(e *eval, a *medianArgs) starlark.Value {
		half := tensor.Scalar(kernels.Float64, 0.5)
		return e.quantile(a.A.D, half, &quantileEnd{quantileAxisArg: a.quantileAxisArg, Method: "median", keepDimsArg: a.keepDimsArg}, nan)
	}
}

// positionsOf are the methods by their names: each returns where, among n sorted elements counted from 0, the quantile q lies, as a
// position whose fraction says how much of the next element counts. R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, 1996, number them as here.
var positionsOf = map[string]func(n, q float64) float64{
	"linear":                    func(n, q float64) float64 { return (n - 1) * q }, // 7
	"lower":                     func(n, q float64) float64 { return math.Floor((n - 1) * q) },
	"higher":                    func(n, q float64) float64 { return math.Ceil((n - 1) * q) },
	"nearest":                   func(n, q float64) float64 { return math.RoundToEven((n - 1) * q) },
	"midpoint":                  func(n, q float64) float64 { return 0.5 * (math.Floor((n-1)*q) + math.Ceil((n-1)*q)) },
	"inverted_cdf":              func(n, q float64) float64 { return discrete(n*q - 1) },           // 1
	"averaged_inverted_cdf":     func(n, q float64) float64 { return halves(n*q - 1) },             // 2
	"closest_observation":       func(n, q float64) float64 { return closest(n*q - 1 - 0.5) },      // 3
	"interpolated_inverted_cdf": func(n, q float64) float64 { return hyndman(n, q, 0, 1) },         // 4
	"hazen":                     func(n, q float64) float64 { return hyndman(n, q, 0.5, 0.5) },     // 5
	"weibull":                   func(n, q float64) float64 { return hyndman(n, q, 0, 0) },         // 6
	"median_unbiased":           func(n, q float64) float64 { return hyndman(n, q, 1.0/3, 1.0/3) }, // 8
	"normal_unbiased":           func(n, q float64) float64 { return hyndman(n, q, 3.0/8, 3.0/8) }, // 9
}

func hyndman(n, q, alpha, beta float64) float64 { return n*q + (alpha + q*(1-alpha-beta)) - 1 }

// discrete takes the next element wherever there is a fraction.
func discrete(at float64) float64 { return math.Ceil(at) }

// halves takes the mean of two elements where there is no fraction.
func halves(at float64) float64 {
	if at == math.Floor(at) {
		return at + 0.5
	}
	return math.Ceil(at)
}

// closest takes the element at an even position, counted from 0 as NumPy does, where there is no fraction, and else the next.
func closest(at float64) float64 {
	if low := math.Floor(at); at == low && math.Mod(low, 2) == 0 {
		return low
	}
	return math.Floor(at) + 1
}

// quantile sorts the elements along axes and interpolates.
func (e *eval) quantile(a, q *tensor.Dense, end *quantileEnd, nan bool) starlark.Value {
	method := end.Method
	position := positionsOf[method]
	if method == "median" {
		position = positionsOf["linear"]
	}
	if position == nil {
		e.failFor("method", "got %q, want linear, lower, higher, midpoint, nearest, or a method by its name in NumPy", method)
	}
	axes := e.axisSet(end.Axis, a.Rank())
	rows := e.rows(a, axes)
	if e.failed() {
		return nil
	}
	fractions := q.Floats()
	for _, p := range fractions {
		if !(p >= 0 && p <= 1) {
			e.failFor("q", "got the quantile %v, want 0 to 1, or percentages from 0 to 100", p)
			return nil
		}
	}
	kept := withoutAxes(a.Shape(), axes)
	if err := checkShape(append(slices.Clone(q.Shape()), kept...)); err != nil {
		return e.array1(nil, err)
	}
	count := tensor.Size(kept)
	out := make([]float64, len(fractions)*count)
	for r := range count {
		x := rows.row(r)
		bad := false
		if nan {
			x = slices.DeleteFunc(x, math.IsNaN)
		} else {
			bad = slices.ContainsFunc(x, math.IsNaN)
		}
		slices.Sort(x)
		for i, p := range fractions {
			switch {
			case bad || len(x) == 0:
				out[i*count+r] = math.NaN()
			case method == "median":
				out[i*count+r] = middle(x)
			default:
				out[i*count+r] = between(x, position(float64(len(x)), p))
			}
		}
	}
	z := tensor.From(out, append(slices.Clone(q.Shape()), kept...)...)
	to := kernels.Float64
	if a.DType() == kernels.Float32 || method == "lower" || method == "higher" || method == "nearest" || method == "inverted_cdf" ||
		method == "closest_observation" {
		to = a.DType() // elements, of which none is new
	}
	if to != kernels.Float64 {
		z = z.AsType(to)
	}
	if end.KeepDims {
		pattern := countTo(q.Rank())
		for _, axis := range op.Restore(axes, a.Rank()) {
			if axis >= 0 {
				axis += q.Rank()
			}
			pattern = append(pattern, axis)
		}
		z = e.permute(z, pattern)
	}
	if method == "median" && end.KeepDims {
		return e.array1(z, nil)
	}
	return e.value(z)
}

func middle(x []float64) float64 {
	n := len(x)
	if n%2 == 1 {
		return x[n/2]
	}
	return (x[n/2-1] + x[n/2]) / 2
}

// between interpolates between sorted elements, from the nearer of the two.
func between(x []float64, at float64) float64 {
	last := len(x) - 1
	at = min(max(at, 0), float64(last))
	i := int(at)
	t := at - float64(i)
	low, high := x[i], x[min(i+1, last)]
	d := high - low
	if t >= 0.5 {
		return high - d*(1-t)
	}
	return low + d*t
}

// realRows is an array cut into vectors along axes that come last, as float64.
type realRows struct {
	data []float64
	n    int
}

// row returns a copy of vector i.
func (r realRows) row(i int) []float64 { return slices.Clone(r.data[i*r.n : (i+1)*r.n]) }

// rows cuts an array into vectors of the elements along axes.
func (e *eval) rows(a *tensor.Dense, axes tensor.Axes) realRows {
	var order []int
	n := 1
	for axis := range a.Rank() {
		if !axes.Has(axis) {
			order = append(order, axis)
		}
	}
	for _, axis := range axes.List() {
		order = append(order, axis)
		n *= a.Dim(axis)
	}
	return realRows{e.permute(a, order).Floats(), n}
}
