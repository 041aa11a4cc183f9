package np

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sizeArg says how many numbers are drawn.
type sizeArg struct {
	Size newShape `arg:"size=None: a shape; one number if not given"`
}

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
	if tensor.Stopped(stopOf(c.session)) {
		return tensor.ErrStopped
	}
	return nil
}

// perFunction is the work of an element for which an array is made, or a function of many steps computed, in elements that are moved.
const perFunction = 256

// poll is how a loop of the call asks whether it is to end.
func (c *call) poll() tensor.Poll { return tensor.Poll{Stop: stopOf(c.session)} }

func (c *call) context() context.Context { return contextOf(c.session) }

// contextOf is the context of what runs in a session, or outside of any.
func contextOf(s value.Host) context.Context {
	if s == nil {
		return context.Background()
	}
	return s.Context()
}

// drawn returns an array of a shape, filled by fill, or one number if there is no shape.
func drawn[E tensor.Number](e *eval, shape newShape, fill func(dst []E)) starlark.Value {
	if shape == nil {
		one := make([]E, 1)
		fill(one)
		return number(tensor.From(one))
	}
	z := tensor.Empty(dtypeFor[E](), shape...)
	return e.array1(z, fillChunks(e.call, z, fill))
}

// fillChunks fills a C-contiguous array.
func fillChunks[E tensor.Number](c *call, z *tensor.Dense, fill func(dst []E)) error {
	values := tensor.Elements[E](z)
	return c.inChunks(len(values), func(first, end int) error {
		fill(values[first:end])
		return nil
	})
}

// A filler draws numbers of one type.
type filler = func(s random.Source, dst []float64)

// drawnSize is a row of a function of a shape.
func drawnSize(where, name, doc, example string, results [2]string, fill filler) randomRow {
	return draws(where, name, doc, example, results, func(e *eval, s random.Source, a *sizeArg) starlark.Value {
		return drawn(e, a.Size, func(dst []float64) { fill(s, dst) })
	})
}

// drawnLengths is a row of a function of lengths that are given one by one.
func drawnLengths(name, doc, example, result string, fill filler) randomRow {
	return draws("sm", name, doc, example, [2]string{result}, func(e *eval, s random.Source, a *struct {
		Lengths newShape `arg:"*lengths: of the axes"`
	}) starlark.Value {
		if len(a.Lengths) == 0 {
			a.Lengths = nil
		}
		return drawn(e, a.Lengths, func(dst []float64) { fill(s, dst) })
	})
}

// realArgs are the arguments of functions of a shape and an element type.
type realArgs struct {
	sizeArg
	DType kernels.DType `arg:"dtype=None: float64 or float32, float64 if not given"`
}

// drawnArgs are realArgs of functions that can draw into an array.
type drawnArgs struct {
	realArgs
	outArg
}

// drawReal draws numbers of the type float64 or float32, into out if there is one.
func drawReal(e *eval, s random.Source, a *realArgs, out outArg, fill func(g *random.Generator, dst []float64),
	fill32 func(g *random.Generator, dst []float32)) starlark.Value {
	g := s.(*random.Generator)
	if out.Out != nil {
		return e.drawnInto(out.Out, a, func(z *tensor.Dense) error {
			if z.DType() == kernels.Float32 {
				return fillChunks(e.call, z, func(dst []float32) { fill32(g, dst) })
			}
			return fillChunks(e.call, z, func(dst []float64) { fill(g, dst) })
		})
	}
	switch a.DType {
	case kernels.Invalid, kernels.Float64:
		return drawn(e, a.Size, func(dst []float64) { fill(g, dst) })
	case kernels.Float32:
		return drawn(e, a.Size, func(dst []float32) { fill32(g, dst) })
	}
	e.failFor("dtype", "got %v, want float64 or float32", a.DType)
	return nil
}

// drawnInto has an array filled, which must be of the type and shape that were asked for and C-contiguous.
func (e *eval) drawnInto(out starlark.Value, a *realArgs, fill func(z *tensor.Dense) error) starlark.Value {
	to, err := e.writableOut(out)
	if keep(e, to, err, nil); e.failed() {
		return nil
	}
	switch want := cmp.Or(a.DType, kernels.Float64); {
	case want != kernels.Float64 && want != kernels.Float32:
		e.failFor("dtype", "got %v, want float64 or float32", want)
	case to.d.DType() != want:
		e.failFor("out", "got %v, want %v", to.d.DType(), want)
	case a.Size != nil && !slices.Equal(a.Size, to.d.Shape()):
		e.failFor("out", "got shape %s, want %s", tensor.ShapeString(to.d.Shape()), tensor.ShapeString(a.Size))
	case !to.d.IsContiguous():
		e.failFor("out", "got an array that is not contiguous; draw into a new one, and assign it to out[:]")
	default:
		keep(e, to, fill(to.d), nil)
	}
	if e.failed() {
		return nil
	}
	return to
}

// continuousRows is the uniform, normal and exponential numbers that have no parameters.
var continuousRows = []randomRow{
	drawnLengths("rand", "Numbers uniform in [0, 1), in an array of the given lengths.", "{}.rand()", "0.5488135039273248",
		random.Source.FillUniform),
	drawnLengths("randn", "Numbers of the standard normal distribution, in an array of the given lengths.", "{}.randn()",
		"1.764052345967664", random.Source.FillNormal),
	drawnSize("sm", "random", "Numbers uniform in [0, 1).", "{}.random(2)", [2]string{"array([0.5488135 , 0.71518937])"},
		random.Source.FillUniform),
	draws("g", "random", "Numbers uniform in [0, 1).", "{}.random(2)", [2]string{1: "array([0.63696169, 0.26978671])"},
		func(e *eval, s random.Source, a *drawnArgs) starlark.Value {
			return drawReal(e, s, &a.realArgs, a.outArg, (*random.Generator).FillUniform, (*random.Generator).FillUniform32)
		}),
	drawnSize("sm", "random_sample", "Numbers uniform in [0, 1).", "{}.random_sample()", [2]string{"0.5488135039273248"},
		random.Source.FillUniform),
	drawnSize("m", "ranf", "Numbers uniform in [0, 1).", "{}.ranf()", [2]string{}, random.Source.FillUniform),
	drawnSize("m", "sample", "Numbers uniform in [0, 1).", "{}.sample()", [2]string{}, random.Source.FillUniform),
	drawnSize("sm", "standard_normal", "Numbers of the standard normal distribution.", "{}.standard_normal()",
		[2]string{"1.764052345967664"}, random.Source.FillNormal),
	draws("g", "standard_normal", "Numbers of the standard normal distribution.", "{}.standard_normal()",
		[2]string{1: "0.1257302210933933"}, func(e *eval, s random.Source, a *drawnArgs) starlark.Value {
			return drawReal(e, s, &a.realArgs, a.outArg, (*random.Generator).FillNormal, (*random.Generator).FillNormal32)
		}),
	drawnSize("sm", "standard_exponential", "Numbers of the exponential distribution of mean 1.", "{}.standard_exponential(2)",
		[2]string{"array([0.79587451, 1.25593076])"}, random.Source.FillExponential),
	draws("g", "standard_exponential", "Numbers of the exponential distribution of mean 1.", "{}.standard_exponential(2)",
		[2]string{1: "array([0.6799319, 1.0195971])"}, standardExponential),
}

func standardExponential(e *eval, s random.Source, a *struct {
	realArgs
	Method starlark.Value `arg:"method=\"zig\": zig for the ziggurat method, inv for logarithms of uniform numbers"`
	outArg
}) starlark.Value {
	switch a.Method {
	case nil, starlark.String("zig"):
		return drawReal(e, s, &a.realArgs, a.outArg, (*random.Generator).FillExponential, (*random.Generator).FillExponential32)
	case starlark.String("inv"):
		return drawReal(e, s, &a.realArgs, a.outArg, func(g *random.Generator, dst []float64) {
			g.FillUniform(dst)
			for i, u := range dst {
				dst[i] = -math.Log1p(-u)
			}
		}, func(g *random.Generator, dst []float32) {
			g.FillUniform32(dst)
			for i, u := range dst {
				dst[i] = float32(-math.Log1p(-float64(u)))
			}
		})
	}
	e.failFor("method", "got %s, want \"zig\" or \"inv\"", value.Repr(a.Method))
	return nil
}

// row is the function of a row of random.Distributions, whose parameters are those of that table and then the size.
func (doc distributionDoc) row() randomRow {
	d := random.Lookup(doc.name)
	var params []string
	for i, text := range strings.Split(doc.params, "; ")[:len(d.Parameters)] {
		p := d.Parameters[i]
		name := p.Name
		if !math.IsNaN(p.Default) {
			name += "=" + value.FormatFloat(p.Default)
		}
		params = append(params, name+": "+text+"; a number, or an array for as many numbers")
	}
	params = append(params, sizeParam)
	return randomRow{"smg", "{}." + doc.name + doc.args, [2]string{doc.old, doc.new},
		func(prefix, example string, source *Random) value.Builtin {
			return evalRow(prefix, doc.name, doc.doc, example, func(e *eval) starlark.Value {
				z := drawFrom(e, source, func(s random.Source) starlark.Value { return drawDistribution(e, s, d) })
				e.err = withoutName(e.err, doc.name)
				return z
			}, params...)
		}}
}

// drawDistribution draws numbers whose parameters are the first arguments of the call, and whose size is the last.
func drawDistribution(e *eval, s random.Source, d *random.Distribution) starlark.Value {
	n := len(d.Parameters)
	given := make([]*tensor.Dense, n)
	parameters := make([]float64, n)
	single := true
	for i, p := range d.Parameters {
		given[i] = tensor.Scalar(kernels.Float64, p.Default)
		if v := e.v[i]; v != nil {
			x, err := ToDense(v)
			if err != nil {
				e.failFor(p.Name, "%w", err)
				return nil
			}
			given[i] = x.AsType(kernels.Float64)
		}
		if single = single && given[i].Rank() == 0; single {
			parameters[i] = first[float64](given[i])
		}
	}
	var size newShape
	if v := e.v[n]; v != nil {
		var err error
		if size, err = readShape(nil, v); err != nil {
			e.failFor("size", "%w", err)
			return nil
		}
	}
	if !single {
		z, err := drawEach(e, s, d, given, size)
		return e.array1(z, err)
	}
	sampler, err := d.Sampler(s, parameters...)
	switch {
	case err != nil:
		e.fail("%w", err)
		return nil
	case d.Counts:
		return drawn(e, size, sampler.FillInt64)
	}
	return drawn(e, size, sampler.Fill)
}

// drawEach draws numbers with parameters of their own, which broadcast.
func drawEach(e *eval, s random.Source, d *random.Distribution, given []*tensor.Dense, size newShape) (*tensor.Dense, error) {
	shape, all, err := broadcastSize(size, given)
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
	if err := e.inChunks(n, func(first, end int) error {
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
	return z, e.inChunks(n, func(first, end int) error {
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
	})
}

// broadcastSize returns the shape of what is drawn with arrays as parameters, which the size or they tell, and copies of the
// arrays in that shape.
func broadcastSize(size newShape, given []*tensor.Dense) (shape []int, all []*tensor.Dense, err error) {
	if shape, err = tensor.CommonShape(given...); err != nil {
		return nil, nil, err
	}
	if size != nil {
		shape = size
	}
	for _, x := range given {
		wide, ok := x.BroadcastTo(shape)
		if !ok {
			return nil, nil, fmt.Errorf("for parameter size: got %s, want a shape that the parameters' %s broadcasts to",
				tensor.ShapeString(shape), tensor.ShapesOf(given...))
		}
		all = append(all, wide.Copy())
	}
	return shape, all, nil
}
