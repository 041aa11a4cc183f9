package np

import (
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const sizeParam = "size=None: a shape; one number if not given"

// chunk is how many numbers are drawn between looks for an interrupt: less than a millisecond's.
const chunk = 1 << 13

// inChunks calls f for the parts of the n numbers from 0 on, until the cell is interrupted.
func (c *call) inChunks(n int, f func(first, end int) error) error {
	for first := 0; first < n; first += chunk {
		if err := c.interrupted(); err != nil {
			return err
		}
		if err := f(first, min(n, first+chunk)); err != nil {
			return err
		}
	}
	return nil
}

// interrupted is the error for a cell that is to end.
func (c *call) interrupted() error {
	if c.session == nil {
		return nil
	}
	return c.session.Context().Err()
}

// drawn returns an array of the shape that argument i is, filled by fill, or one number if there is no argument.
func drawn[E tensor.Number](c *call, i int, fill func(dst []E)) (starlark.Value, error) {
	if c.v[i] == nil {
		one := make([]E, 1)
		fill(one)
		return number(tensor.From(one)), nil
	}
	shape, err := c.newShape(i)
	if err != nil {
		return nil, err
	}
	z := tensor.Empty(dtypeFor[E](), shape...)
	values := tensor.Elements[E](z)
	return c.made(z, c.inChunks(len(values), func(first, end int) error {
		fill(values[first:end])
		return nil
	}))
}

// drawnSize is a function of a shape, argument i.
func drawnSize(i int, fill func(s random.Source, dst []float64)) randomFunc {
	return func(c *call, s random.Source) (starlark.Value, error) {
		return drawn(c, i, func(dst []float64) { fill(s, dst) })
	}
}

// drawnLengths is a function of lengths that are given one by one.
func drawnLengths(fill func(s random.Source, dst []float64)) randomFunc {
	return func(c *call, s random.Source) (starlark.Value, error) {
		if c.v[0].(starlark.Tuple).Len() == 0 {
			c.v[0] = nil
		}
		return drawn(c, 0, func(dst []float64) { fill(s, dst) })
	}
}

// drawnType is a function of a shape and an element type, float64 or float32.
func drawnType(fill func(g *random.Generator, dst []float64), fill32 func(g *random.Generator, dst []float32)) randomFunc {
	return func(c *call, s random.Source) (starlark.Value, error) {
		dtype, err := c.dtype(1, kernels.Float64)
		g := s.(*random.Generator)
		switch {
		case err != nil:
			return nil, err
		case dtype == kernels.Float64:
			return drawn(c, 0, func(dst []float64) { fill(g, dst) })
		case dtype == kernels.Float32:
			return drawn(c, 0, func(dst []float32) { fill32(g, dst) })
		}
		return nil, fmt.Errorf("for parameter dtype: got %v, want float64 or float32", dtype)
	}
}

const realParam = "dtype=None: float64 or float32, float64 if not given"

// continuousRows is the uniform, normal and exponential numbers that have no parameters.
var continuousRows = []randomRow{
	{"sm", "rand", "Numbers uniform in [0, 1), in an array of the given lengths.", "{}.rand()", [2]string{"0.5488135039273248"},
		drawnLengths(random.Source.FillUniform), []string{"*lengths: of the axes"}},
	{"sm", "randn", "Numbers of the standard normal distribution, in an array of the given lengths.", "{}.randn()",
		[2]string{"1.764052345967664"}, drawnLengths(random.Source.FillNormal), []string{"*lengths: of the axes"}},
	{"sm", "random", "Numbers uniform in [0, 1).", "{}.random(2)", [2]string{"array([0.5488135 , 0.71518937])"},
		drawnSize(0, random.Source.FillUniform), []string{sizeParam}},
	{"g", "random", "Numbers uniform in [0, 1).", "{}.random(2)", [2]string{1: "array([0.63696169, 0.26978671])"},
		drawnType((*random.Generator).FillUniform, (*random.Generator).FillUniform32), []string{sizeParam, realParam}},
	{"sm", "random_sample", "Numbers uniform in [0, 1).", "{}.random_sample()", [2]string{"0.5488135039273248"},
		drawnSize(0, random.Source.FillUniform), []string{sizeParam}},
	{"m", "ranf", "Numbers uniform in [0, 1).", "{}.ranf()", [2]string{}, drawnSize(0, random.Source.FillUniform),
		[]string{sizeParam}},
	{"m", "sample", "Numbers uniform in [0, 1).", "{}.sample()", [2]string{}, drawnSize(0, random.Source.FillUniform),
		[]string{sizeParam}},
	{"sm", "standard_normal", "Numbers of the standard normal distribution.", "{}.standard_normal()",
		[2]string{"1.764052345967664"}, drawnSize(0, random.Source.FillNormal), []string{sizeParam}},
	{"g", "standard_normal", "Numbers of the standard normal distribution.", "{}.standard_normal()",
		[2]string{1: "0.1257302210933933"},
		drawnType((*random.Generator).FillNormal, (*random.Generator).FillNormal32), []string{sizeParam, realParam}},
	{"sm", "standard_exponential", "Numbers of the exponential distribution of mean 1.", "{}.standard_exponential(2)",
		[2]string{"array([0.79587451, 1.25593076])"}, drawnSize(0, random.Source.FillExponential), []string{sizeParam}},
	{"g", "standard_exponential", "Numbers of the exponential distribution of mean 1.", "{}.standard_exponential(2)",
		[2]string{1: "array([0.6799319, 1.0195971])"}, standardExponential, []string{sizeParam, realParam,
			"method=\"zig\": zig for the ziggurat method, inv for logarithms of uniform numbers"}},
}

func standardExponential(c *call, s random.Source) (starlark.Value, error) {
	method := starlark.Value(starlark.String("zig"))
	if c.v[2] != nil {
		method = c.v[2]
	}
	switch method {
	case starlark.String("zig"):
		return drawnType((*random.Generator).FillExponential, (*random.Generator).FillExponential32)(c, s)
	case starlark.String("inv"):
		return drawnType(func(g *random.Generator, dst []float64) {
			g.FillUniform(dst)
			for i, u := range dst {
				dst[i] = -math.Log1p(-u)
			}
		}, func(g *random.Generator, dst []float32) {
			g.FillUniform32(dst)
			for i, u := range dst {
				dst[i] = float32(-math.Log1p(-float64(u)))
			}
		})(c, s)
	}
	return nil, fmt.Errorf("for parameter method: got %s, want \"zig\" or \"inv\"", value.Repr(method))
}

// row is the function of a row of random.Distributions.
func (doc distributionDoc) row() randomRow {
	d := random.Lookup(doc.name)
	row := randomRow{"smg", doc.name, doc.doc, "{}." + doc.name + doc.args, [2]string{doc.old, doc.new}, drawDistribution(d), nil}
	for i, text := range strings.Split(doc.params, "; ")[:len(d.Parameters)] {
		p := d.Parameters[i]
		name := p.Name
		if !math.IsNaN(p.Default) {
			name += "=" + value.FormatFloat(p.Default)
		}
		row.params = append(row.params, name+": "+text+"; a number, or an array for as many numbers")
	}
	row.params = append(row.params, sizeParam)
	return row
}

// drawDistribution draws numbers whose parameters are the first arguments, and then the size.
func drawDistribution(d *random.Distribution) randomFunc {
	size := len(d.Parameters)
	return func(c *call, s random.Source) (starlark.Value, error) {
		given := make([]*tensor.Dense, size)
		single := true
		for i, p := range d.Parameters {
			given[i] = tensor.Scalar(kernels.Float64, p.Default)
			if c.v[i] != nil {
				x, err := c.array(i)
				if err != nil {
					return nil, err
				}
				given[i] = x.AsType(kernels.Float64)
			}
			single = single && given[i].Rank() == 0
		}
		if !single {
			return drawEach(c, s, d, given)
		}
		parameters := make([]float64, size)
		for i, x := range given {
			parameters[i] = first[float64](x)
		}
		sampler, err := d.Sampler(s, parameters...)
		switch {
		case err != nil:
			return nil, err
		case d.Counts:
			return drawn(c, size, sampler.FillInt64)
		}
		return drawn(c, size, sampler.Fill)
	}
}

// drawEach draws numbers with parameters of their own, which broadcast.
func drawEach(c *call, s random.Source, d *random.Distribution, given []*tensor.Dense) (starlark.Value, error) {
	shape, all, err := c.broadcastSize(len(given), given)
	if err != nil {
		return nil, err
	}
	n := tensor.Size(shape)
	parameters := make([]float64, len(all))
	lists := make([][]float64, len(all))
	for i, x := range all {
		lists[i] = tensor.Elements[float64](x)
	}
	at := func(k int) []float64 {
		for i := range lists {
			parameters[i] = lists[i][k]
		}
		return parameters
	}
	// All are checked before the first is drawn.
	if err := c.inChunks(n, func(first, end int) error {
		for k := first; k < end; k++ {
			if err := d.Check(s, at(k)...); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	dtype := kernels.Float64
	if d.Counts {
		dtype = kernels.Int64
	}
	z := tensor.Empty(dtype, shape...)
	return c.made(z, c.inChunks(n, func(first, end int) error {
		for k := first; k < end; k++ {
			sampler, err := d.Sampler(s, at(k)...)
			switch {
			case err != nil:
				return err
			case d.Counts:
				tensor.Elements[int64](z)[k] = sampler.Int64()
			default:
				tensor.Elements[float64](z)[k] = sampler.Float64()
			}
		}
		return nil
	}))
}

// broadcastSize returns the shape of what is drawn with arrays as parameters, which argument i or they tell, and copies of the
// arrays in that shape.
func (c *call) broadcastSize(i int, given []*tensor.Dense) (shape []int, all []*tensor.Dense, err error) {
	if shape, err = broadcastShapes(given); err != nil {
		return nil, nil, err
	}
	if c.v[i] != nil {
		if shape, err = c.newShape(i); err != nil {
			return nil, nil, err
		}
	}
	for _, x := range given {
		wide, ok := x.BroadcastTo(shape)
		if !ok {
			return nil, nil, fmt.Errorf("for parameter size: got %s, want a shape that the parameters' %s broadcasts to",
				tensor.ShapeString(shape), shapesOf(given))
		}
		all = append(all, wide.Copy())
	}
	return shape, all, nil
}
