package random

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A drawRow is a function that draws: in T.random, as a method of RandomStream and of states, or as
// one of RandomStreams.
type drawRow struct {
	name   string
	params []value.Param // the distribution's own
	doc    string
	args   string // of the example, without a size
	// build draws with the values of params, nil for those that were not given.
	build func(d *drawing, v []starlark.Value) (*graph.Variable, error)
}

// own reads the parameters of a row: "low=0.0: the least; high=1.0: what they stay below".
func own(text string) []value.Param {
	var params []value.Param
	for _, p := range strings.Split(text, "; ") {
		if p == "" {
			continue
		}
		name, doc, _ := strings.Cut(p, ": ")
		name, otherwise, _ := strings.Cut(name, "=")
		params = append(params, value.Param{Name: name, Default: otherwise, Doc: doc})
	}
	return params
}

// from is the row of a distribution whose parameters are those of its row in package op, in that
// order.
func from(name, dist, params, doc, args string) drawRow {
	row := drawRow{name: name, params: own(params), doc: doc, args: args}
	row.build = func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		in, err := row.variables(d, v)
		if err != nil {
			return nil, err
		}
		return d.draw(dist, kernels.Invalid, in...)
	}
	return row
}

// custom is a row that builds by itself.
func custom(name, params, doc, args string, build func(d *drawing, v []starlark.Value) (*graph.Variable, error)) drawRow {
	return drawRow{name, own(params), doc, args, build}
}

// variables are the values of the parameters, or what they are if they are not given.
func (r *drawRow) variables(d *drawing, v []starlark.Value) (in []*graph.Variable, err error) {
	in = make([]*graph.Variable, len(r.params))
	for i, p := range r.params {
		x := v[i]
		if x == nil {
			x = defaultOf(p.Default)
		}
		if in[i], err = d.param(p.Name, x); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// defaultOf is the number that is written as a default.
func defaultOf(text string) starlark.Value {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("BUG: a default that is no number: " + text)
	}
	if strings.Contains(text, ".") {
		return starlark.Float(x)
	}
	return starlark.MakeInt(int(x))
}

// generatorRows are PyTensor's distributions, in the order of its documentation.
var generatorRows = []drawRow{
	from("bernoulli", "bernoulli", "p: the probability of 1", "1 with the probability p, otherwise 0.", "0.5"),
	from("beta", "beta", "alpha: the first shape; beta: the second shape", "Numbers of a beta distribution.", "2.0, 3.0"),
	from("betabinom", "betabinom", "n: how many trials; a: the first shape of the probability's beta distribution; b: its second shape", "How many of n trials succeed, whose probability is of a beta distribution.", "5, 2.0, 3.0"),
	from("binomial", "binomial", "n: how many trials; p: the probability of success", "How many of n trials succeed.", "10, 0.5"),
	from("categorical", "categorical", "p: probabilities of the outcomes, along the last axis", "Which of several outcomes comes about.", "[0.2, 0.5, 0.3]"),
	from("cauchy", "cauchy", "loc=0.0: the median; scale=1.0: the half width at half the height", "Numbers of a Cauchy distribution.", ""),
	custom("chisquare", "df: degrees of freedom", "Numbers of a chi-square distribution.", "3.0", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		df, err := d.param("df", v[0])
		if err != nil {
			return nil, err
		}
		half := d.b.Apply(op.TrueDiv, df, d.b.Number(kernels.Float64, 2))
		return d.draw("gamma", kernels.Invalid, half, d.b.Number(kernels.Float64, 2))
	}),
	custom("choice", "a: an integer for the integers below it, or an array, of whose first axis elements are chosen; replace=True: whether an element may come twice; p=None: the probabilities of the elements",
		"Elements of an array, or integers below a.", "10", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
			a, err := d.param("a", v[0])
			if err != nil {
				return nil, err
			}
			var p *graph.Variable
			if !symbolic.Absent(v[2]) {
				if p, err = d.param("p", v[2]); err != nil {
					return nil, err
				}
			}
			replace := v[1] == nil || bool(v[1].Truth())
			return d.chosen(a, p, replace, kernels.Invalid, "categorical")
		}),
	from("dirichlet", "dirichlet", "alphas: a number above 0 for each share, along the last axis", "Shares, whose sum is 1, of a Dirichlet distribution.", "[1.0, 2.0, 3.0]"),
	from("exponential", "exponential", "scale=1.0: the mean", "Numbers of an exponential distribution.", "2.0"),
	custom("gamma", "shape: the shape; rate=None: 1/scale, under its older name; scale=None: what the numbers are multiplied with", "Numbers of a gamma distribution.", "2.0, scale=1.0",
		func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
			if symbolic.Absent(v[1]) == symbolic.Absent(v[2]) {
				return nil, fmt.Errorf("want scale= or rate=, one of them")
			}
			shape, err := d.param("shape", v[0])
			if err != nil {
				return nil, err
			}
			if !symbolic.Absent(v[2]) {
				scale, err := d.param("scale", v[2])
				if err != nil {
					return nil, err
				}
				return d.draw("gamma", kernels.Invalid, shape, scale)
			}
			rate, err := d.param("rate", v[1])
			if err != nil {
				return nil, err
			}
			return d.draw("gamma", kernels.Invalid, shape, d.b.Apply(op.TrueDiv, d.b.Number(kernels.Float64, 1), rate))
		}),
	from("gengamma", "gengamma", "alpha=1.0: the first shape; p=1.0: the second shape; lambd=1.0: what the numbers are multiplied with", "Numbers of a generalized gamma distribution.", ""),
	from("geometric", "geometric", "p: the probability of success", "At which trial the first success comes.", "0.5"),
	from("gumbel", "gumbel_r", "loc: the mode; scale=1.0: the width", "Numbers of a Gumbel distribution, as the largest of many are.", "0.0"),
	from("halfcauchy", "halfcauchy", "loc=0.0: the least; scale=1.0: the width", "Numbers of the upper half of a Cauchy distribution.", ""),
	from("halfnormal", "halfnorm", "loc=0.0: the least; scale=1.0: the width", "Numbers of the upper half of a normal distribution.", ""),
	from("hypergeometric", "hypergeometric", "ngood: how many things are good; nbad: how many are not; nsample: how many are drawn", "How many of the things that are drawn, without replacement, are good.", "10, 5, 6"),
	custom("integers", "low: the least, or with one argument what the integers, which begin at 0, stay below; high=None: what they stay below", "Integers that are all as likely.", "10",
		func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
			low, err := d.param("low", v[0])
			if err != nil {
				return nil, err
			}
			if symbolic.Absent(v[1]) {
				return d.draw("integers", kernels.Invalid, formula.Int(d.b, 0), low)
			}
			high, err := d.param("high", v[1])
			if err != nil {
				return nil, err
			}
			return d.draw("integers", kernels.Invalid, low, high)
		}),
	from("invgamma", "invgamma", "shape: the shape; scale: what the numbers are multiplied with", "Numbers whose inverses are of a gamma distribution.", "2.0, 1.0"),
	from("laplace", "laplace", "loc=0.0: the mean; scale=1.0: the mean distance from it", "Numbers of a Laplace distribution.", ""),
	from("logistic", "logistic", "loc=0.0: the mean; scale=1.0: the width", "Numbers of a logistic distribution.", ""),
	from("lognormal", "lognormal", "mean=0.0: the mean of the logarithms; sigma=1.0: their standard deviation", "Numbers whose logarithms are of a normal distribution.", ""),
	from("multinomial", "multinomial", "n: how many trials; p: probabilities of the outcomes, along the last axis", "How often each of several outcomes comes about in n trials.", "20, [0.2, 0.3, 0.5]"),
	from("multivariate_normal", "multivariate_normal", "mean: vectors along the last axis; cov: matrices of covariances along the last two", "Vectors of a normal distribution, by the Cholesky factor of the covariances.", "[0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]]"),
	from("nbinom", "negative_binomial", "n: how many successes; p: the probability of success", "How many failures come before n successes.", "3, 0.5"),
	from("negative_binomial", "negative_binomial", "n: how many successes; p: the probability of success", "How many failures come before n successes.", "3, 0.5"),
	from("normal", "normal", "loc=0.0: the mean; scale=1.0: the standard deviation", "Numbers of a normal distribution.", ""),
	from("pareto", "pareto_type1", "b: the exponent; scale=1.0: the least", "Numbers of a Pareto distribution, from scale on.", "3.0"),
	custom("permutation", "x: an integer for the integers below it, or an array", "The integers below x, or x along its first axis, in a random order.", "4", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		x, err := d.param("x", v[0])
		if err != nil {
			return nil, err
		}
		return d.permuted(x)
	}),
	from("poisson", "poisson", "lam=1.0: the mean", "Counts of a Poisson distribution.", "3.0"),
	custom("rayleigh", "scale=1.0: the mode", "Numbers of a Rayleigh distribution.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		if v[0] == nil {
			v[0] = starlark.Float(1)
		}
		scale, err := d.param("scale", v[0])
		if err != nil {
			return nil, err
		}
		if symbolic.Absent(d.size) && scale.Type.Rank() > 0 {
			d.size = symbolic.Symbol{S: d.s, V: op.ShapeOf(d.b, scale)}
		}
		x, err := d.draw("gamma", kernels.Invalid, d.b.Number(kernels.Float64, 1), d.b.Number(kernels.Float64, 2))
		if err != nil {
			return nil, err
		}
		return d.b.Apply(op.Mul, d.b.Apply(op.Sqrt, x), symbolic.Agreed(d.b, scale, x)), nil
	}),
	custom("standard_normal", "", "Numbers of the normal distribution of mean 0 and standard deviation 1.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		return d.draw("normal", kernels.Invalid, d.b.Number(kernels.Float64, 0), d.b.Number(kernels.Float64, 1))
	}),
	from("t", "t", "df: degrees of freedom; loc=0.0: the mean; scale=1.0: the width", "Numbers of Student's t distribution.", "4.0"),
	from("triangular", "triangular", "left: the least; mode: the likeliest; right: the greatest", "Numbers of a triangular distribution.", "0.0, 1.0, 3.0"),
	from("truncexpon", "truncexpon", "b: where the exponential distribution ends; loc=0.0: the least; scale=1.0: the width", "Numbers of an exponential distribution that ends.", "2.0"),
	from("uniform", "uniform", "low=0.0: the least; high=1.0: what they stay below", "Numbers that are all as likely.", ""),
	from("vonmises", "vonmises", "mu: the likeliest angle; kappa: how near the angles are to it", "Angles of a von Mises distribution.", "0.0, 2.0"),
	from("wald", "wald", "mean=1.0: the mean; scale=1.0: the shape", "Numbers of a Wald, or inverse Gaussian, distribution.", ""),
	from("weibull", "weibull", "shape: the shape", "Numbers of a Weibull distribution.", "2.0"),
}

// streamRows are Theano's distributions, whose size comes first.
var streamRows = []drawRow{
	real2("uniform", "uniform", "low=0.0: the least; high=1.0: what they stay below", "Numbers that are all as likely."),
	real2("normal", "normal", "avg=0.0: the mean; std=1.0: the standard deviation", "Numbers of a normal distribution."),
	custom("binomial", "n=1: how many trials; p=0.5: the probability of success; prob=None: p, under its older name", "How many of n trials succeed.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		p := orElse(v[1], starlark.Float(0.5))
		if !symbolic.Absent(v[2]) {
			p = v[2]
		}
		return d.counts("binomial", []string{"n", "p"}, orElse(v[0], starlark.MakeInt(1)), p)
	}),
	custom("random_integers", "low=0: the least; high=1: the greatest", "Integers that are all as likely, the greatest included.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		return d.counts("random_integers", []string{"low", "high"}, orElse(v[0], starlark.MakeInt(0)), orElse(v[1], starlark.MakeInt(1)))
	}),
	custom("choice", "a=2: an integer for the integers below it, or a vector of elements; replace=True: whether an element may come twice; p=None: the probabilities of the elements",
		"Elements of a vector, or integers below a.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
			a, err := d.param("a", orElse(v[0], starlark.MakeInt(2)))
			if err != nil {
				return nil, err
			}
			if a.Type.Rank() > 1 {
				return nil, fmt.Errorf("for parameter a: got %v, want an integer or a vector", a.Type)
			}
			var p *graph.Variable
			if !symbolic.Absent(v[2]) {
				if p, err = d.param("p", v[2]); err != nil {
					return nil, err
				}
			}
			return d.chosen(a, p, v[1] == nil || bool(v[1].Truth()), kernels.Int64, "choice_by")
		}),
	custom("poisson", "lam=1.0: the mean", "Counts of a Poisson distribution.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		return d.counts("poisson", []string{"lam"}, orElse(v[0], starlark.Float(1)))
	}),
	custom("permutation", "n=1: how many", "The integers below n in a random order, along the last axis: as many orders as size says.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		return d.counts("permutation", []string{"n"}, orElse(v[0], starlark.MakeInt(1)))
	}),
	custom("multinomial", "n=1: how many trials; pvals=[0.5, 0.5]: probabilities of the outcomes, along the last axis", "How often each of several outcomes comes about in n trials.", "", func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		half := starlark.Float(0.5)
		return d.counts("multinomial", []string{"n", "pvals"}, orElse(v[0], starlark.MakeInt(1)), orElse(v[1], slot.NewList([]starlark.Value{half, half})))
	}),
}

// orElse is v, or another value if it was not given.
func orElse(v, otherwise starlark.Value) starlark.Value {
	if symbolic.Absent(v) {
		return otherwise
	}
	return v
}

// counts draws from a distribution of counts, of any element type.
func (d *drawing) counts(dist string, names []string, values ...starlark.Value) (*graph.Variable, error) {
	in := make([]*graph.Variable, len(values))
	for i, v := range values {
		var err error
		if in[i], err = d.param(names[i], v); err != nil {
			return nil, err
		}
	}
	return d.draw(dist, kernels.Int64, in...)
}

// real2 is a row of floats whose type, if it is not given, is at least as precise as those of the
// parameters and floatX.
func real2(name, dist, params, doc string) drawRow {
	row := from(name, dist, params, doc, "")
	row.build = func(d *drawing, v []starlark.Value) (*graph.Variable, error) {
		in, err := row.variables(d, v)
		if err != nil {
			return nil, err
		}
		return d.draw(dist, widest(d.s, in), in...)
	}
	return row
}

// widest is the float type that holds floatX and the types of variables, of which those of numbers
// do not count.
func widest(s *symbolic.Session, in []*graph.Variable) kernels.DType {
	t := s.FloatX()
	for _, v := range in {
		if !v.Weak {
			t = kernels.Promote(t, v.Type.DType)
		}
	}
	return t
}

const sizeDoc = "an int, a tuple of lengths that may be symbolic, or a symbolic vector, instead of what the parameters broadcast to"

// beforeSize and afterSize are the parameters around a distribution's own, as Theano orders them.
var (
	sizeFirst   = []value.Param{{Name: "size", Default: "None", Doc: sizeDoc}}
	ndimAndType = []value.Param{{Name: "ndim", Default: "None", Doc: "how many dimensions there are, of a symbolic size that does not tell"},
		{Name: "dtype", Default: "None", Doc: "name of the element type"}}
)

// streamBuiltin is the row as Theano has it: size, the parameters, ndim and dtype. state gives
// where to draw from, and finish what to return.
func (r drawRow) streamBuiltin(first []value.Param, begin func(thread *starlark.Thread, b *value.Builtin, v []starlark.Value) (*drawing, error),
	finish func(b *value.Builtin, d *drawing, x *graph.Variable) starlark.Value) value.Builtin {
	params := slices.Concat(first, sizeFirst, r.params, ndimAndType)
	return value.Builtin{Name: r.name, Params: params, Doc: r.doc, Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		d, err := begin(thread, b, v[:len(first)])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		v = v[len(first):]
		n := len(r.params)
		d.size, d.ndim, d.dtype = v[0], v[1+n], v[2+n]
		x, err := r.run(d, v[1:1+n])
		if err != nil {
			return nil, d.s.Locate(named(b.Name, err))
		}
		return finish(b, d, x), nil
	}}
}

// run builds, and returns the errors of nodes.
func (r drawRow) run(d *drawing, v []starlark.Value) (x *graph.Variable, err error) {
	defer graph.Catch(&err)
	return r.build(d, v)
}

// named puts a function's name before an error that has no place of its own.
func named(name string, err error) error {
	if _, placed := err.(*graph.Error); placed {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

var afterSize = []value.Param{{Name: "size", Default: "None", Doc: sizeDoc}, {Name: "*"}, {Name: "rng", Default: "None", Doc: "the state to draw from: shared(np.random.default_rng(seed)), or one that a draw has left; a new one if not given"},
	{Name: "dtype", Default: "None", Doc: "name of the element type"}, {Name: "name", Default: "None", Doc: "what the numbers are called in errors and profiles"},
	{Name: "return_next_rng", Default: "False", Doc: "return a pair: the state after the draw, and the numbers"}}

// generatorBuiltin is the row as PyTensor has it: the parameters, size, and by keyword the rest.
// The receiver's kind says where the state comes from: see begin.
func (r drawRow) generatorBuiltin(keywords []value.Param, begin func(thread *starlark.Thread, b *value.Builtin, rng starlark.Value) (*drawing, error),
	finish func(b *value.Builtin, d *drawing, x *graph.Variable, pair bool) starlark.Value) value.Builtin {
	params := slices.Concat(r.params, keywords)
	if i := slices.IndexFunc(r.params, func(p value.Param) bool { return p.Name == "replace" }); i > 0 { // of choice, whose size comes before
		params = slices.Concat(r.params[:i], keywords[:1], r.params[i:], keywords[1:])
	}
	at := func(v []starlark.Value, name string) starlark.Value {
		if i := slices.IndexFunc(params, func(p value.Param) bool { return p.Name == name }); i >= 0 {
			return v[i]
		}
		return nil
	}
	return value.Builtin{Name: r.name, Params: params, Doc: r.doc, Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		d, err := begin(thread, b, at(v, "rng"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		d.size, d.dtype = at(v, "size"), at(v, "dtype")
		values := make([]starlark.Value, len(r.params))
		for i, p := range r.params {
			values[i] = at(v, p.Name)
		}
		x, err := r.run(d, values)
		if err != nil {
			return nil, d.s.Locate(named(b.Name, err))
		}
		if x.Name, err = symbolic.OptionalString("name", at(v, "name")); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		pair := at(v, "return_next_rng")
		return finish(b, d, x, pair != nil && bool(pair.Truth())), nil
	}}
}
