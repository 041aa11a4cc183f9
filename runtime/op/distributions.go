package op

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Distribution is a row of what Draw draws.
type Distribution struct {
	Name   string
	Params []DrawParam
	Counts bool // what is drawn are int64, otherwise float64
	// Vector: one draw is a vector, otherwise a number.
	Vector bool
	// Joint: all numbers come from one draw, as those of a choice without replacement do, which has
	// one set of parameters.
	Joint bool
	Flops float64 // about how many it takes to make one number

	// single is what package random knows of the distribution of single numbers.
	single *random.Distribution
	// length of the vectors, of a Vector.
	length func(p []*tensor.Dense) int
	// prepare makes what fills a vector, or any number of numbers, for one set of parameters.
	prepare func(s random.Source, p []params) (filler, error)
}

// A DrawParam is a parameter of a distribution.
type DrawParam struct {
	Name    string
	Rank    int  // 0, of a number; 1, of a vector; 2, of a matrix
	Integer bool // int64; otherwise float64
	Single  bool // one for all draws
}

// params is one set of the values of a parameter, in C order: floats, or ints of an Integer.
type params struct {
	floats []float64
	ints   []int64
	shape  []int
}

// A filler draws: floats, or ints of a distribution of counts.
type filler struct {
	floats func(dst []float64) error
	ints   func(dst []int64) error
}

// Distributions lists what Draw draws, NumPy's under NumPy's names. A name of package random's
// tables needs no more here than its costs.
var Distributions = []Distribution{
	single("uniform", 4), single("normal", 20), single("lognormal", 40), single("exponential", 20), single("gamma", 60), single("beta", 100),
	single("standard_t", 80), single("pareto", 40), single("weibull", 60), single("laplace", 30), single("gumbel", 50), single("logistic", 30), single("rayleigh", 30),
	single("wald", 50), single("vonmises", 100), single("triangular", 15), single("binomial", 60), single("negative_binomial", 100), single("poisson", 60), single("geometric", 30),
	single("hypergeometric", 60), single("power", 60), single("standard_cauchy", 40), single("chisquare", 60), single("zipf", 80), single("logseries", 60),
	single("halfnorm", 20), single("cauchy", 40), single("halfcauchy", 40), single("gumbel_r", 50), single("pareto_type1", 50), single("truncexpon", 30), single("t", 80),
	single("gengamma", 100), single("invgamma", 60), single("bernoulli", 20), single("betabinom", 160),
	{Name: "integers", Params: []DrawParam{{Name: "low", Integer: true}, {Name: "high", Integer: true}}, Counts: true, Flops: 5, prepare: integers(false)},
	{Name: "random_integers", Params: []DrawParam{{Name: "low", Integer: true}, {Name: "high", Integer: true}}, Counts: true, Flops: 5, prepare: integers(true)},
	{Name: "categorical", Params: []DrawParam{{Name: "p", Rank: 1}}, Counts: true, Flops: 20, prepare: categorical},
	{Name: "choice", Params: []DrawParam{{Name: "a", Integer: true}}, Counts: true, Flops: 5, prepare: chooses(random.Choose)},
	{Name: "choice_distinct", Params: []DrawParam{{Name: "a", Integer: true, Single: true}}, Counts: true, Joint: true, Flops: 10,
		prepare: chooses(func(s random.Source, n, size int) ([]int, error) { return random.ChooseDistinct(s, n, size, true, nil) })},
	{Name: "choice_by", Params: []DrawParam{{Name: "p", Rank: 1}}, Counts: true, Flops: 20, prepare: choosesBy(random.ChooseBy)},
	{Name: "choice_distinct_by", Params: []DrawParam{{Name: "p", Rank: 1, Single: true}}, Counts: true, Joint: true, Flops: 40, prepare: choosesBy(random.ChooseDistinctBy)},
	{Name: "permutation", Params: []DrawParam{{Name: "n", Integer: true, Single: true}}, Counts: true, Vector: true, Flops: 5, prepare: permutation,
		length: func(p []*tensor.Dense) int { return int(p[0].Ints()[0]) }},
	{Name: "multinomial", Params: []DrawParam{{Name: "n", Integer: true}, {Name: "pvals", Rank: 1}}, Counts: true, Vector: true, Flops: 60, prepare: multinomial, length: lastLength(1)},
	{Name: "dirichlet", Params: []DrawParam{{Name: "alpha", Rank: 1}}, Vector: true, Flops: 60, prepare: dirichlet, length: lastLength(0)},
	{Name: "multivariate_normal", Params: []DrawParam{{Name: "mean", Rank: 1}, {Name: "cov", Rank: 2}}, Vector: true, Flops: 40, prepare: multivariateNormal, length: lastLength(0)},
}

// LookupDistribution is the row of Distributions with the name, or nil.
func LookupDistribution(name string) *Distribution {
	for i := range Distributions {
		if Distributions[i].Name == name {
			return &Distributions[i]
		}
	}
	return nil
}

// DType is that of what is drawn, before it is converted.
func (d *Distribution) DType() kernels.DType {
	if d.Counts {
		return kernels.Int64
	}
	return kernels.Float64
}

// single is the row of a distribution of single numbers, which package random knows.
func single(name string, flops float64) Distribution {
	row := random.Lookup(name)
	d := Distribution{Name: name, Counts: row.Counts, Flops: flops, single: row, prepare: func(s random.Source, p []params) (filler, error) {
		values := make([]float64, len(p))
		for i := range p {
			values[i] = p[i].floats[0]
		}
		z, err := row.Sampler(s, values...)
		if err != nil {
			return filler{}, err
		}
		return filler{
			floats: func(dst []float64) error {
				z.Fill(dst)
				return nil
			},
			ints: func(dst []int64) error {
				z.FillInt64(dst)
				return nil
			},
		}, nil
	}}
	for _, p := range row.Parameters {
		d.Params = append(d.Params, DrawParam{Name: p.Name})
	}
	return d
}

// lastLength is the length of parameter i along its last axis.
func lastLength(i int) func(p []*tensor.Dense) int {
	return func(p []*tensor.Dense) int { return p[i].Dim(p[i].Rank() - 1) }
}

// ints is a filler of counts.
func ints(fill func(dst []int64) error) filler { return filler{ints: fill} }

// integers draws from low to high, which is one of them if closed.
func integers(closed bool) func(s random.Source, p []params) (filler, error) {
	return func(s random.Source, p []params) (filler, error) {
		low, high := p[0].ints[0], p[1].ints[0]
		switch {
		case closed && low > high:
			return filler{}, fmt.Errorf("random_integers: got low %d and high %d, want low <= high", low, high)
		case !closed && low >= high:
			return filler{}, fmt.Errorf("integers: got low %d and high %d, want low < high", low, high)
		case !closed:
			high--
		}
		ranges := random.NewRanges[int64](s)
		return ints(func(dst []int64) error { return ranges.Fill(dst, low, high) }), nil
	}
}

// categorical is the first place up to which the probabilities add up to a uniform number, or more:
// PyTensor's way. Where they do not reach it, that is no place.
func categorical(s random.Source, p []params) (filler, error) {
	list := p[0].floats
	sums := make([]float64, len(list))
	total := 0.0
	for i, x := range list {
		if !(x >= 0 && x <= 1) {
			return filler{}, fmt.Errorf("categorical: got probability %v at %d, want a number from 0 to 1", x, i)
		}
		total += x
		sums[i] = total
	}
	const slack = 1e-5 // of sums of float32
	if !(total >= 1-slack && total <= 1+slack) {
		return filler{}, fmt.Errorf("categorical: got probabilities with the sum %v, want 1: divide them by their sum", total)
	}
	return ints(func(dst []int64) error {
		for i := range dst {
			dst[i] = min(firstReaching(sums, s.Float64()), int64(len(sums)-1))
		}
		return nil
	}), nil
}

// firstReaching is the first place whose number is not below u.
func firstReaching(sums []float64, u float64) int64 {
	low, high := 0, len(sums)
	for low < high {
		if mid := (low + high) / 2; sums[mid] < u {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return int64(low)
}

func chooses(choose func(s random.Source, n, size int) ([]int, error)) func(s random.Source, p []params) (filler, error) {
	return func(s random.Source, p []params) (filler, error) {
		n := int(p[0].ints[0])
		return ints(func(dst []int64) error {
			list, err := choose(s, n, len(dst))
			return putInts(dst, list, err)
		}), nil
	}
}

func choosesBy(choose func(s random.Source, p []float64, size int) ([]int, error)) func(s random.Source, p []params) (filler, error) {
	return func(s random.Source, p []params) (filler, error) {
		return ints(func(dst []int64) error {
			list, err := choose(s, p[0].floats, len(dst))
			return putInts(dst, list, err)
		}), nil
	}
}

func putInts(dst []int64, list []int, err error) error {
	for i, n := range list {
		dst[i] = int64(n)
	}
	return err
}

func permutation(s random.Source, p []params) (filler, error) {
	n := int(p[0].ints[0])
	return ints(func(dst []int64) error { return putInts(dst, random.Permutation(s, n, nil), nil) }), nil
}

// multinomial draws counts. Of a RandomState, probabilities whose sum is rounded above 1, or the
// last of which is near 0, are made a little smaller, as Theano does.
func multinomial(s random.Source, p []params) (filler, error) {
	n, list := p[0].ints[0], p[1].floats
	if _, old := s.(*random.RandomState); old && len(list) > 0 {
		sum := 0.0
		for _, x := range list {
			sum += x
		}
		const nearly = 5e-5
		if sum > 1 && sum < 1+1e-5 || list[len(list)-1] < nearly {
			scaled := make([]float64, len(list))
			for i, x := range list {
				scaled[i] = x * (1 - nearly)
			}
			list = scaled
		}
	}
	return ints(func(dst []int64) error { return random.Multinomial(s, dst, n, list) }), nil
}

func dirichlet(s random.Source, p []params) (filler, error) {
	return filler{floats: func(dst []float64) error { return random.Dirichlet(s, dst, p[0].floats) }}, nil
}

// multivariateNormal is a z + mean, for standard normal z and the Cholesky factor a of the
// covariances: PyTensor's way.
func multivariateNormal(s random.Source, p []params) (filler, error) {
	mean, n := p[0].floats, p[1].shape[0]
	if len(mean) != n || p[1].shape[1] != n {
		return filler{}, fmt.Errorf("multivariate_normal: got a mean of %d numbers and covariances of shape %s, want a matrix of %d by %d", len(mean), tensor.ShapeString(p[1].shape), len(mean), len(mean))
	}
	a, err := linalg.Cholesky(linalg.Matrix{Rows: n, Cols: n, Data: p[1].floats})
	if err != nil {
		return filler{}, fmt.Errorf("multivariate_normal: for parameter cov: %w", err)
	}
	z := make([]float64, n)
	return filler{floats: func(dst []float64) error {
		s.FillNormal(z)
		for i := range dst {
			sum := 0.0
			for k := range i + 1 {
				sum += a.At(i, k) * z[k]
			}
			dst[i] = sum + mean[i]
		}
		return nil
	}}, nil
}
