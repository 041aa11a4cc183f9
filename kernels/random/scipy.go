package random

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// SciPyDistributions lists distributions that PyTensor draws by scipy.stats from a Generator, under
// scipy.stats' names: uniform numbers through the inverse of the distribution function, or another
// distribution's numbers, and those times scale plus loc. The bits are SciPy's but where a tangent,
// or a logarithm of NumPy's own, rounds otherwise.
var SciPyDistributions = []Distribution{
	{Name: "halfnorm", Parameters: locScale, real: func(s Source, p []float64) func() float64 {
		return located(p, func() float64 { return math.Abs(s.StandardNormal()) })
	}},
	{Name: "cauchy", Parameters: locScale, real: func(s Source, p []float64) func() float64 {
		return located(p, func() float64 { return math.Tan(float64(math.Pi*s.Float64()) - math.Pi/2) })
	}},
	{Name: "halfcauchy", Parameters: locScale, real: func(s Source, p []float64) func() float64 {
		return located(p, func() float64 { return math.Tan(math.Pi / 2 * s.Float64()) })
	}},
	{Name: "gumbel_r", Parameters: locScale, real: func(s Source, p []float64) func() float64 {
		return located(p, func() float64 { return -libm.Log(-libm.Log(s.Float64())) })
	}},
	{Name: "pareto_type1", Parameters: []Parameter{{"b", none, Positive}, {"scale", 1, Positive}}, real: func(s Source, p []float64) func() float64 {
		return located([]float64{0, p[1]}, func() float64 { return libm.Pow(1-s.Float64(), -1/p[0]) })
	}},
	{Name: "truncexpon", Parameters: []Parameter{{"b", none, Positive}, {"loc", 0, Any}, {"scale", 1, Positive}}, real: func(s Source, p []float64) func() float64 {
		full := libm.Expm1(-p[0])
		return located(p[1:], func() float64 { return -libm.Log1p(float64(s.Float64() * full)) })
	}},
	{Name: "t", Parameters: []Parameter{{"df", none, Positive}, {"loc", 0, Any}, {"scale", 1, Positive}}, real: func(s Source, p []float64) func() float64 {
		return located(p[1:], standardT(s, p[:1]))
	}},
	{Name: "gengamma", Parameters: []Parameter{{"alpha", 1, Positive}, {"p", 1, Positive}, {"lambd", 1, Positive}}, real: func(s Source, p []float64) func() float64 {
		draw := standardGamma(s, []float64{p[0] / p[1]})
		return located([]float64{0, p[2]}, func() float64 { return libm.Pow(draw(), 1/p[1]) })
	}},
	{Name: "invgamma", Parameters: []Parameter{{"shape", none, Positive}, {"scale", none, Positive}}, real: func(s Source, p []float64) func() float64 {
		draw := gamma(s, []float64{p[0], 1 / p[1]})
		return func() float64 { return 1 / draw() }
	}},
	{Name: "bernoulli", Parameters: []Parameter{{"p", none, Probability}}, Counts: true, count: func(s Source, p []float64) func() int64 {
		return binomial(s, []float64{1, p[0]})
	}},
	{Name: "betabinom", Parameters: []Parameter{{"n", none, Count}, {"a", none, Positive}, {"b", none, Positive}}, Counts: true, count: func(s Source, p []float64) func() int64 {
		share := beta(s, p[1:])
		return func() int64 { return binomial(s, []float64{p[0], share()})() }
	}},
}

var locScale = []Parameter{{"loc", 0, Any}, {"scale", 1, Positive}}

// located is draw's numbers times scale plus loc, p's two.
func located(p []float64, draw func() float64) func() float64 {
	loc, scale := p[0], p[1]
	return func() float64 { return float64(draw()*scale) + loc }
}
