package random

import (
	"fmt"
	"math"
	"slices"
)

// A Parameter is a number that a distribution has.
type Parameter struct {
	Name    string
	Default float64 // NaN if it must be given
	Limit   Limit
}

// A Limit is what a parameter must be.
type Limit int

// The limits. Where NaN would come to no end, it is refused.
const (
	Any         Limit = iota
	Finite            // neither infinite nor NaN
	Scale             // not negative, not -0; or NaN, of which NaN comes
	NonNegative       // and not -0
	Positive
	Probability         // from 0 to 1
	PositiveProbability // above 0, up to 1
	BelowOne            // from 0 to below 1
	AboveOne
	Count // a whole number from 0 to 2**63
	Rate  // from 0 to what a Poisson distribution's counts have room for in an int64
)

// maxRate is a mean whose counts stay below 2**63: ten standard deviations below it.
var maxRate = math.MaxInt64 - 10*math.Sqrt(math.MaxInt64)

var limits = [...]struct {
	want string
	ok   func(x float64) bool
}{
	Any:                 {"a number", func(float64) bool { return true }},
	Scale:               {"a number that is not negative", func(x float64) bool { return !math.Signbit(x) || x != x }},
	Finite:              {"a finite number", func(x float64) bool { return !math.IsInf(x, 0) && x == x }},
	NonNegative:         {"a number that is not negative", func(x float64) bool { return x >= 0 && !math.Signbit(x) }},
	Positive:            {"a number above 0", func(x float64) bool { return x > 0 }},
	Probability:         {"a number from 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 }},
	PositiveProbability: {"a number above 0, up to 1", func(x float64) bool { return x > 0 && x <= 1 }},
	BelowOne:            {"a number from 0 to below 1", func(x float64) bool { return x >= 0 && x < 1 }},
	AboveOne:            {"a number above 1", func(x float64) bool { return x > 1 }},
	Count:               {"a whole number that is not negative", func(x float64) bool { return x >= 0 && whole(x) }},
	Rate:                {"a number from 0 to 9.22e18", func(x float64) bool { return x >= 0 && x <= maxRate }},
}

func whole(x float64) bool { return x == math.Trunc(x) && math.Abs(x) < 1<<63 }

// A Distribution is a distribution of numbers, under NumPy's name.
type Distribution struct {
	Name       string
	Parameters []Parameter // at most three
	Counts     bool        // whether the numbers are integers

	valid func(s Source, p []float64) error // what limits of single parameters do not say
	real  func(s Source, p []float64) func() float64
	fill  func(s Source, p, dst []float64) // a faster way than real, or nil
	count func(s Source, p []float64) func() int64
}

// Distributions lists what a Sampler can draw. Both kinds of Source draw all of them, each in its
// way.
var Distributions = []Distribution{
	{Name: "uniform", Parameters: []Parameter{{"low", 0, Any}, {"high", 1, Any}}, valid: uniformValid, real: uniform,
		fill: fillUniform},
	{Name: "normal", Parameters: []Parameter{{"loc", 0, Any}, {"scale", 1, Scale}}, real: normal, fill: fillNormal},
	{Name: "lognormal", Parameters: []Parameter{{"mean", 0, Any}, {"sigma", 1, Scale}}, real: lognormal},
	{Name: "exponential", Parameters: []Parameter{{"scale", 1, Scale}}, real: exponential, fill: fillExponential},
	{Name: "standard_gamma", Parameters: []Parameter{{"shape", none, NonNegative}}, real: standardGamma},
	{Name: "gamma", Parameters: []Parameter{{"shape", none, NonNegative}, {"scale", 1, Scale}}, real: gamma},
	{Name: "beta", Parameters: []Parameter{{"a", none, Positive}, {"b", none, Positive}}, real: beta},
	{Name: "chisquare", Parameters: []Parameter{{"df", none, Positive}}, real: chisquare},
	{Name: "noncentral_chisquare", Parameters: []Parameter{{"df", none, Positive}, {"nonc", none, Rate}},
		real: noncentralChisquare},
	{Name: "f", Parameters: []Parameter{{"dfnum", none, Positive}, {"dfden", none, Positive}}, real: fRatio},
	{Name: "noncentral_f", Parameters: []Parameter{{"dfnum", none, Positive}, {"dfden", none, Positive}, {"nonc", none, Rate}},
		real: noncentralF},
	{Name: "standard_t", Parameters: []Parameter{{"df", none, Positive}}, real: standardT},
	{Name: "standard_cauchy", real: standardCauchy},
	{Name: "pareto", Parameters: []Parameter{{"a", none, Positive}}, real: pareto},
	{Name: "weibull", Parameters: []Parameter{{"a", none, NonNegative}}, real: weibull},
	{Name: "power", Parameters: []Parameter{{"a", none, Positive}}, real: power},
	{Name: "laplace", Parameters: []Parameter{{"loc", 0, Any}, {"scale", 1, Scale}}, real: laplace},
	{Name: "gumbel", Parameters: []Parameter{{"loc", 0, Any}, {"scale", 1, Scale}}, real: gumbel},
	{Name: "logistic", Parameters: []Parameter{{"loc", 0, Any}, {"scale", 1, Scale}}, real: logistic},
	{Name: "rayleigh", Parameters: []Parameter{{"scale", 1, Scale}}, real: rayleigh},
	{Name: "wald", Parameters: []Parameter{{"mean", none, Positive}, {"scale", none, Positive}}, real: wald},
	{Name: "vonmises", Parameters: []Parameter{{"mu", none, Any}, {"kappa", none, NonNegative}}, real: vonmises},
	{Name: "triangular", Parameters: []Parameter{{"left", none, Finite}, {"mode", none, Finite}, {"right", none, Finite}},
		valid: triangularValid, real: triangular},
	{Name: "binomial", Parameters: []Parameter{{"n", none, Count}, {"p", none, Probability}}, Counts: true, count: binomial},
	{Name: "negative_binomial", Parameters: []Parameter{{"n", none, Positive}, {"p", none, PositiveProbability}},
		Counts: true, valid: negativeBinomialValid, count: negativeBinomial},
	{Name: "poisson", Parameters: []Parameter{{"lam", 1, Rate}}, Counts: true, count: poisson},
	{Name: "geometric", Parameters: []Parameter{{"p", none, PositiveProbability}}, Counts: true, count: geometric},
	{Name: "logseries", Parameters: []Parameter{{"p", none, BelowOne}}, Counts: true, count: logseries},
	{Name: "zipf", Parameters: []Parameter{{"a", none, AboveOne}}, Counts: true, count: zipf},
	{Name: "hypergeometric", Parameters: []Parameter{{"ngood", none, Count}, {"nbad", none, Count}, {"nsample", none, Count}},
		Counts: true, valid: hypergeometricValid, count: hypergeometric},
}

var none = math.NaN()

// Lookup is the row of Distributions or SciPyDistributions with the name, or nil.
func Lookup(name string) *Distribution {
	for _, table := range [][]Distribution{Distributions, SciPyDistributions} {
		for i := range table {
			if table[i].Name == name {
				return &table[i]
			}
		}
	}
	return nil
}

// Check reports as an error what is wrong with the parameters' number, their values, or the values
// together.
func (d *Distribution) Check(s Source, parameters ...float64) error {
	if len(parameters) != len(d.Parameters) {
		return fmt.Errorf("%s: got %d parameters, want %d", d.Name, len(parameters), len(d.Parameters))
	}
	for i, p := range d.Parameters {
		if limit := &limits[p.Limit]; !limit.ok(parameters[i]) {
			return fmt.Errorf("%s: for parameter %s: got %v, want %s", d.Name, p.Name, parameters[i], limit.want)
		}
	}
	if d.valid != nil {
		if err := d.valid(s, parameters); err != nil {
			return fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return nil
}

// DrawFloat64 is one number with these parameters, which is quicker than a Sampler's first.
func (d *Distribution) DrawFloat64(s Source, parameters []float64) (float64, error) {
	if err := d.Check(s, parameters...); err != nil {
		return 0, err
	}
	if d.Counts {
		return float64(d.count(s, parameters)()), nil
	}
	return d.real(s, parameters)(), nil
}

// DrawInt64 is DrawFloat64 of a distribution of counts.
func (d *Distribution) DrawInt64(s Source, parameters []float64) (int64, error) {
	if err := d.Check(s, parameters...); err != nil {
		return 0, err
	}
	return d.count(s, parameters)(), nil
}

// A Sampler draws the numbers of a distribution with certain parameters from a source. It holds
// what need not be computed for every number, and nothing that changes: samplers of one source may
// take turns.
type Sampler struct {
	Distribution *Distribution

	fill  func(dst []float64)
	real  func() float64
	count func() int64
}

// Sampler prepares to draw from s, with all parameters given.
func (d *Distribution) Sampler(s Source, parameters ...float64) (*Sampler, error) {
	if err := d.Check(s, parameters...); err != nil {
		return nil, err
	}
	z := &Sampler{Distribution: d}
	if d.Counts {
		z.count = d.count(s, parameters)
	} else {
		z.real = d.real(s, parameters)
		if d.fill != nil {
			parameters = slices.Clone(parameters)
			z.fill = func(dst []float64) { d.fill(s, parameters, dst) }
		}
	}
	return z, nil
}

// Float64 is the next number.
func (z *Sampler) Float64() float64 {
	if z.count != nil {
		return float64(z.count())
	}
	return z.real()
}

// Int64 is the next number, cut to an integer if the distribution is not of counts.
func (z *Sampler) Int64() int64 {
	if z.count != nil {
		return z.count()
	}
	return int64(z.real())
}

// Fill fills dst with the next numbers.
func (z *Sampler) Fill(dst []float64) {
	if z.fill != nil {
		z.fill(dst)
		return
	}
	for i := range dst {
		dst[i] = z.Float64()
	}
}

// FillInt64 fills dst with the next numbers, cut to integers if the distribution is not of counts.
func (z *Sampler) FillInt64(dst []int64) {
	for i := range dst {
		dst[i] = z.Int64()
	}
}
