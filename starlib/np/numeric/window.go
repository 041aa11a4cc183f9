package numeric

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/creation"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sequenceTable is the functions that make sequences of numbers, windows among them.
var sequenceTable = []functions.Function{
	np.Function("np.logspace T.logspace", "num numbers whose logarithms are at equal distances: base**start to base**stop.",
		"logspace(0, 2, 3) # array([  1.,  10., 100.])", func(e *np.Eval, a *logspaceArgs) starlark.Value {
			x, _ := creation.Linspaced(e, a.Start.D, a.Stop.D, int(a.Num), a.Endpoint)
			return e.Result(e.FirstAxisTo(a.Axis, e.As(a.DType, e.Do("power", a.Base, x))))
		}, functions.Builds(func(g *functions.Graph, a *logspaceArgs) (functions.V, error) {
			x, err := formula.Linspace(g.Builder, a.Start.V, a.Stop.V, int(a.Num), a.Endpoint, kernels.Float64)
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, g.Apply(op.Pow, g.Like(x, a.Base), x), cmp.Or(a.DType, g.FloatX)), nil
		})),
	np.Function("np.geomspace T.geomspace", "num numbers from start to stop, each the same multiple of the one before.",
		"geomspace(1, 8, 4) # array([1., 2., 4., 8.])", geomspace,
		functions.Builds(func(g *functions.Graph, a *geomspaceArgs) (functions.V, error) {
			z, err := formula.Geomspace(g.Builder, a.Start.V, a.Stop.V, int(a.Num), a.Endpoint)
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, z, cmp.Or(a.DType, g.FloatX)), nil
		})),
	windowRow("np.bartlett T.bartlett", "The triangle that is 0 at both ends.",
		"bartlett(5) # array([0. , 0.5, 1. , 0.5, 0. ])",
		func(x float64) float64 { return 1 - math.Abs(x) },
		func(a formula.Arithmetic, x functions.V) functions.V { return a.Do(op.Sub, 1.0, a.Do(op.Abs, x)) }),
	windowRow("np.hanning T.hanning", "The raised cosine 0.5 + 0.5 cos(pi x).",
		"hanning(3) # array([0., 1., 0.])",
		func(x float64) float64 { return 0.5 + 0.5*math.Cos(math.Pi*x) }, formula.Cosines(0.5, 0.5)),
	windowRow("np.hamming T.hamming", "The raised cosine 0.54 + 0.46 cos(pi x).",
		"hamming(3) # array([0.08, 1.  , 0.08])",
		func(x float64) float64 { return 0.54 + 0.46*math.Cos(math.Pi*x) }, formula.Cosines(0.54, 0.46)),
	windowRow("np.blackman T.blackman", "The sum of cosines 0.42 + 0.5 cos(pi x) + 0.08 cos(2 pi x).",
		"blackman(1) # array([1.])",
		func(x float64) float64 { return 0.42 + 0.5*math.Cos(math.Pi*x) + 0.08*math.Cos(2*math.Pi*x) },
		formula.Cosines(0.42, 0.5, 0.08)),
	np.Function("np.kaiser T.kaiser", "The window I0(beta sqrt(1 - x*x)) / I0(beta), for x from -1 to 1.",
		"kaiser(3, 0.0) # array([1., 1., 1.])", func(e *np.Eval, a *kaiserArgs) starlark.Value {
			values := window(e, &a.windowLength)
			half := float64(len(values)-1) / 2
			poll := e.Poll()
			for i := range values {
				poll.Ask(np.PerFunction)
				if x := (float64(i) - half) / half; half > 0 {
					values[i] = besselI0(a.Beta*math.Sqrt(1-x*x)) / besselI0(a.Beta)
				}
			}
			return e.Result(tensor.From(values, len(values)))
		}, functions.Builds(func(g *functions.Graph, a *kaiserArgs) (functions.V, error) {
			return formula.Window(g.Builder, a.M.V, formula.Kaiser(a.Beta)), nil
		})),
	np.Function("np.vander T.vander", "The matrix of the powers of x: those of each element are a row, from N-1 down to 0.",
		"vander([2, 3], 3) # array([[4, 2, 1],\n       [9, 3, 1]])", func(e *np.Eval, a *vanderArgs) starlark.Value {
			if a.X.D.Rank() != 1 {
				e.FailFor("x", "got %d dimensions, want a vector", a.X.D.Rank())
			}
			n := int(np.OrElse(a.N, np.Count(a.X.D.Size())))
			if err := np.CheckShape([]int{a.X.D.Size(), n}); err != nil {
				return e.Result(e.Got(nil, err))
			}
			if !a.X.D.DType().IsFloat() {
				a.X.D = a.X.D.AsType(kernels.Promote(a.X.D.DType(), kernels.Int64))
			}
			column := e.Reshape(a.X.D, a.X.D.Size(), 1)
			z := tensor.New(a.X.D.DType(), a.X.D.Size(), n)
			for k := 0; k < n && !e.Failed(); k++ {
				power := e.Constant(a.X.D.DType(), []int{a.X.D.Size(), 1}, 1)
				at := n - 1 - k
				if a.Increasing {
					at = k
				}
				if k > 0 {
					last := at + 1
					if a.Increasing {
						last = at - 1
					}
					power = e.Do("multiply", e.Part(z, 1, last, last+1), column)
				}
				tensor.CopyTo(e.Part(z, 1, at, at+1), power)
			}
			return e.Result(z)
		}, functions.Builds(func(g *functions.Graph, a *vanderArgs) (functions.V, error) {
			n := op.Lengths(g.Builder, a.X.V)
			if a.N != nil {
				n = []functions.V{formula.Int(g.Builder, int(*a.N))}
			}
			if len(n) == 0 {
				return nil, fmt.Errorf("got %s, want a vector", graph.Mention(a.X.V))
			}
			return formula.Vander(g.Builder, a.X.V, n[0], a.Increasing)
		})),
	np.Function("np.fromfunction", "The array of a shape that a function gives for its arrays of indices.",
		"fromfunction(lambda i, j: i + 10 * j, (2, 2), dtype=int) # array([[ 0, 10],\n       [ 1, 11]])", func(e *np.Eval, a *struct {
			Function starlark.Callable `arg:"function: a function of as many arrays as there are axes"`
			Shape    np.NewShape       `arg:"shape: a shape"`
			DType    kernels.DType     `arg:"dtype=float: the type of the indices"`
		}) starlark.Value {
			dtype := cmp.Or(a.DType, kernels.Float64)
			args := make(starlark.Tuple, len(a.Shape))
			for axis, n := range a.Shape {
				d, ok := e.Counted(n, axis, len(a.Shape)).AsType(dtype).BroadcastTo(a.Shape)
				if e.Failed() || !ok {
					return nil
				}
				args[axis] = np.NewArray(e.Session, d.Copy())
			}
			return e.Callback(a.Function, args)
		}),
	np.Function("np.fromiter", "The vector of the numbers of an iterable.",
		"fromiter(range(3), float) # array([0., 1., 2.])", func(e *np.Eval, a *struct {
			Iter  starlark.Value `arg:"iter: an iterable of numbers"`
			DType kernels.DType  `arg:"dtype: the elements' type"`
			Count int            `arg:"count=-1: how many to read; all if negative"`
		}) starlark.Value {
			seq, ok := a.Iter.(starlark.Iterable)
			dtype := cmp.Or(a.DType, kernels.Float64)
			if !ok {
				e.WrongType("iter", a.Iter, "an iterable")
				return nil
			}
			if err := value.CheckEnd(seq); err != nil && a.Count < 0 {
				e.FailFor("iter", "%w", err)
				return nil
			}
			var list []starlark.Value
			it := seq.Iterate()
			defer it.Done()
			var v starlark.Value
			for poll := e.Poll(); (a.Count < 0 || len(list) < a.Count) && it.Next(&v); {
				poll.Ask(8)
				list = append(list, v)
			}
			if len(list) < a.Count {
				e.Fail("got %d numbers, want %d", len(list), a.Count)
			}
			d, err := np.ToDenseAs(slot.NewList(list), dtype)
			if d = e.Got(d, err); d.Rank() != 1 {
				e.Fail("got elements that are no numbers")
			}
			return e.Result(d)
		}),
}

// kaiserArgs are the arguments of np.kaiser, and vanderArgs those of np.vander.
type kaiserArgs struct {
	windowLength
	Beta float64 `arg:"beta: the shape: 0 for a rectangle"`
}

type vanderArgs struct {
	X          functions.Operand `arg:"x: a vector"`
	N          *np.Count         `arg:"N=None: the number of columns; as many as elements if not given"`
	Increasing bool              `arg:"increasing=False: the powers from 0 up"`
}

// windowLength is how many numbers a window has.
type windowLength struct {
	M functions.Integer `arg:"M: how many numbers"`
}

// windowRow is a window of M numbers: f of x from -1 to 1, which of vectors is all.
func windowRow(name, doc, example string, f func(x float64) float64, all func(a formula.Arithmetic, x functions.V) functions.V) functions.Function {
	return np.Function(name, "A window for sequences. "+doc+" x goes from -1 to 1.", example, func(e *np.Eval, a *windowLength) starlark.Value {
		values, poll := window(e, a), e.Poll()
		for i, m := 0, len(values); m > 1 && i < m; i++ {
			poll.Ask(np.PerFunction)
			values[i] = f(float64(2*i+1-m) / float64(m-1))
		}
		return e.Result(tensor.From(values, len(values)))
	}, functions.Builds(func(g *functions.Graph, a *windowLength) (functions.V, error) {
		return formula.Window(g.Builder, a.M.V, all), nil
	}))
}

// window returns ones, as many as a window has numbers.
func window(e *np.Eval, a *windowLength) []float64 {
	n := max(a.M.N, 0)
	if len(e.NewShape("M", []int{n})) == 0 {
		return nil
	}
	return slices.Repeat([]float64{1}, n)
}

// logspaceArgs are the arguments of np.logspace.
type logspaceArgs struct {
	Start    functions.Operand `arg:"start: the exponent of the first number, or an array"`
	Stop     functions.Operand `arg:"stop: the exponent of the last, or an array"`
	Num      np.Count          `arg:"num|steps=50: how many"`
	Endpoint bool              `arg:"endpoint|end=True: False to leave the last out"`
	Base     float64           `arg:"base=10.0: the base"`
	np.TypeArg
	Axis int `arg:"axis=0: of arrays, the axis that the numbers lie along" eager:"their ends are scalars"`
}

type geomspaceArgs struct {
	Start    functions.Operand `arg:"start: the first number"`
	Stop     functions.Operand `arg:"stop: the last number"`
	Num      np.Count          `arg:"num=50: how many"`
	Endpoint bool              `arg:"endpoint=True: False to leave stop out"`
	np.TypeArg
}

// geomspace divides both ends by the first number, so that integers come out as such where they
// can.
func geomspace(e *np.Eval, a *geomspaceArgs) starlark.Value {
	first, last := e.Number("start", a.Start.Value), e.Number("stop", a.Stop.Value)
	if first == 0 || last == 0 {
		e.Fail("got %v to %v, want no 0", first, last)
	}
	if first*last < 0 {
		e.Fail("got %v to %v, want numbers of one sign", first, last)
	}
	if e.Failed() {
		return nil
	}
	num, sign := int(a.Num), math.Copysign(1, first)
	poll := e.Poll()
	exponents, _ := array.Spaced(&poll, math.Log10(first*sign), math.Log10(last*sign), num, a.Endpoint)
	z := e.Do("power", 10.0, exponents)
	if e.Failed() {
		return nil
	}
	values := slices.Clone(tensor.Elements[float64](z))
	if num > 0 {
		values[0] = first * sign
		if a.Endpoint && num > 1 {
			values[num-1] = last * sign
		}
	}
	for i := range values {
		values[i] *= sign
	}
	return e.Result(e.As(a.DType, tensor.From(values, num)))
}
