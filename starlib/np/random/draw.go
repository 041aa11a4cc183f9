package random

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sizeArg says how many numbers are drawn.
type sizeArg struct {
	Size np.NewShape `arg:"size=None: a shape; one number if not given"`
}

const sizeParam = "size=None: a shape; one number if not given"

// drawn returns an array of a shape, filled by fill, or one number if there is no shape.
func drawn[E tensor.Number](e *np.Eval, shape np.NewShape, fill func(dst []E)) starlark.Value {
	if shape == nil {
		one := make([]E, 1)
		fill(one)
		return np.Number(tensor.From(one))
	}
	z := tensor.Empty(np.DtypeFor[E](), shape...)
	return e.Array1(z, fillChunks(e.Call, z, fill))
}

// fillChunks fills a C-contiguous array.
func fillChunks[E tensor.Number](c *np.Call, z *tensor.Dense, fill func(dst []E)) error {
	values := tensor.Elements[E](z)
	return c.InChunks(len(values), func(first, end int) error {
		fill(values[first:end])
		return nil
	})
}

// A filler draws numbers of one type.
type filler = func(s random.Source, dst []float64)

// drawnSize is a row of a function of a shape.
func drawnSize(where, name, doc, example string, results [2]string, fill filler) randomRow {
	return draws(where, name, doc, example, results, func(e *np.Eval, s random.Source, a *sizeArg) starlark.Value {
		return drawn(e, a.Size, func(dst []float64) { fill(s, dst) })
	})
}

// drawnLengths is a row of a function of lengths that are given one by one.
func drawnLengths(name, doc, example, result string, fill filler) randomRow {
	return draws("sm", name, doc, example, [2]string{result}, func(e *np.Eval, s random.Source, a *struct {
		Lengths np.NewShape `arg:"*lengths: of the axes"`
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
	np.OutArg
}

// drawReal draws numbers of the type float64 or float32, into out if there is one.
func drawReal(e *np.Eval, s random.Source, a *realArgs, out np.OutArg, fill func(g *random.Generator, dst []float64),
	fill32 func(g *random.Generator, dst []float32)) starlark.Value {
	g := s.(*random.Generator)
	if out.Out != nil {
		return drawnInto(e, out.Out, a, func(z *tensor.Dense) error {
			if z.DType() == kernels.Float32 {
				return fillChunks(e.Call, z, func(dst []float32) { fill32(g, dst) })
			}
			return fillChunks(e.Call, z, func(dst []float64) { fill(g, dst) })
		})
	}
	switch a.DType {
	case kernels.Invalid, kernels.Float64:
		return drawn(e, a.Size, func(dst []float64) { fill(g, dst) })
	case kernels.Float32:
		return drawn(e, a.Size, func(dst []float32) { fill32(g, dst) })
	}
	e.FailFor("dtype", "got %v, want float64 or float32", a.DType)
	return nil
}

// drawnInto has an array filled, which must be of the type and shape that were asked for and
// C-contiguous.
func drawnInto(e *np.Eval, out starlark.Value, a *realArgs, fill func(z *tensor.Dense) error) starlark.Value {
	to, err := e.WritableOut(out)
	if np.Keep(e, to, err, nil); e.Failed() {
		return nil
	}
	switch want := cmp.Or(a.DType, kernels.Float64); {
	case want != kernels.Float64 && want != kernels.Float32:
		e.FailFor("dtype", "got %v, want float64 or float32", want)
	case to.D.DType() != want:
		e.FailFor("out", "got %v, want %v", to.D.DType(), want)
	case a.Size != nil && !slices.Equal(a.Size, to.D.Shape()):
		e.FailFor("out", "got shape %s, want %s", tensor.ShapeString(to.D.Shape()), tensor.ShapeString(a.Size))
	case !to.D.IsContiguous():
		e.FailFor("out", "got an array that is not contiguous; draw into a new one, and assign it to out[:]")
	default:
		np.Keep(e, to, fill(to.D), nil)
	}
	if e.Failed() {
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
		func(e *np.Eval, s random.Source, a *drawnArgs) starlark.Value {
			return drawReal(e, s, &a.realArgs, a.OutArg, (*random.Generator).FillUniform, (*random.Generator).FillUniform32)
		}),
	drawnSize("sm", "random_sample", "Numbers uniform in [0, 1).", "{}.random_sample()", [2]string{"0.5488135039273248"},
		random.Source.FillUniform),
	drawnSize("m", "ranf", "Numbers uniform in [0, 1).", "{}.ranf()", [2]string{}, random.Source.FillUniform),
	drawnSize("m", "sample", "Numbers uniform in [0, 1).", "{}.sample()", [2]string{}, random.Source.FillUniform),
	drawnSize("sm", "standard_normal", "Numbers of the standard normal distribution.", "{}.standard_normal()",
		[2]string{"1.764052345967664"}, random.Source.FillNormal),
	draws("g", "standard_normal", "Numbers of the standard normal distribution.", "{}.standard_normal()",
		[2]string{1: "0.1257302210933933"}, func(e *np.Eval, s random.Source, a *drawnArgs) starlark.Value {
			return drawReal(e, s, &a.realArgs, a.OutArg, (*random.Generator).FillNormal, (*random.Generator).FillNormal32)
		}),
	drawnSize("sm", "standard_exponential", "Numbers of the exponential distribution of mean 1.", "{}.standard_exponential(2)",
		[2]string{"array([0.79587451, 1.25593076])"}, random.Source.FillExponential),
	draws("g", "standard_exponential", "Numbers of the exponential distribution of mean 1.", "{}.standard_exponential(2)",
		[2]string{1: "array([0.6799319, 1.0195971])"}, standardExponential),
}

func standardExponential(e *np.Eval, s random.Source, a *struct {
	realArgs
	Method starlark.Value `arg:"method=\"zig\": zig for the ziggurat method, inv for logarithms of uniform numbers"`
	np.OutArg
}) starlark.Value {
	switch a.Method {
	case nil, starlark.String("zig"):
		return drawReal(e, s, &a.realArgs, a.OutArg, (*random.Generator).FillExponential, (*random.Generator).FillExponential32)
	case starlark.String("inv"):
		return drawReal(e, s, &a.realArgs, a.OutArg, func(g *random.Generator, dst []float64) {
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
	e.FailFor("method", "got %s, want \"zig\" or \"inv\"", value.Repr(a.Method))
	return nil
}

// row is the function of a row of random.Distributions, whose parameters are those of that table
// and then the size.
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
			return np.EvalRow(prefix, doc.name, doc.doc, example, func(e *np.Eval) starlark.Value {
				z := drawFrom(e, source, func(s random.Source) starlark.Value { return drawDistribution(e, s, d) })
				e.Err = withoutName(e.Err, doc.name)
				return z
			}, params...)
		}}
}

// drawDistribution draws numbers whose parameters are the first arguments of the call, and whose
// size is the last.
func drawDistribution(e *np.Eval, s random.Source, d *random.Distribution) starlark.Value {
	n := len(d.Parameters)
	given := make([]*tensor.Dense, n)
	parameters := make([]float64, n)
	single := true
	for i, p := range d.Parameters {
		given[i] = tensor.Scalar(kernels.Float64, p.Default)
		if v := e.V[i]; v != nil {
			x, err := np.ToDense(v)
			if err != nil {
				e.FailFor(p.Name, "%w", err)
				return nil
			}
			given[i] = x.AsType(kernels.Float64)
		}
		if single = single && given[i].Rank() == 0; single {
			parameters[i] = np.First[float64](given[i])
		}
	}
	var size np.NewShape
	if v := e.V[n]; v != nil {
		var err error
		if size, err = np.ReadShape(nil, v); err != nil {
			e.FailFor("size", "%w", err)
			return nil
		}
	}
	if !single {
		z, err := drawEach(e, s, d, given, size)
		return e.Array1(z, err)
	}
	sampler, err := d.Sampler(s, parameters...)
	switch {
	case err != nil:
		e.Fail("%w", err)
		return nil
	case d.Counts:
		return drawn(e, size, sampler.FillInt64)
	}
	return drawn(e, size, sampler.Fill)
}

// drawEach draws numbers with parameters of their own, which broadcast.
func drawEach(e *np.Eval, s random.Source, d *random.Distribution, given []*tensor.Dense, size np.NewShape) (*tensor.Dense, error) {
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
	if err := e.InChunks(n, func(first, end int) error {
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
	return z, e.InChunks(n, func(first, end int) error {
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

// broadcastSize returns the shape of what is drawn with arrays as parameters, which the size or
// they tell, and copies of the arrays in that shape.
func broadcastSize(size np.NewShape, given []*tensor.Dense) (shape []int, all []*tensor.Dense, err error) {
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
