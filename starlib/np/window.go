package np

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
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sequenceTable is the functions that make sequences of numbers, windows among them.
var sequenceTable = []functions.Function{
	function("np.logspace T.logspace", "num numbers whose logarithms are at equal distances: base**start to base**stop.",
		"logspace(0, 2, 3) # array([  1.,  10., 100.])", func(e *eval, a *logspaceArgs) starlark.Value {
			x, _ := e.linspaced(a.Start.D, a.Stop.D, int(a.Num), a.Endpoint)
			return e.value(e.firstAxisTo(a.Axis, e.as(a.DType, e.do("power", a.Base, x))))
		}, functions.Builds(func(g *functions.Graph, a *logspaceArgs) (functions.V, error) {
			x, err := formula.Linspace(g.Builder, a.Start.V, a.Stop.V, int(a.Num), a.Endpoint, kernels.Float64)
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, g.Apply(op.Pow, g.Like(x, a.Base), x), cmp.Or(a.DType, g.FloatX)), nil
		})),
	function("np.geomspace T.geomspace", "num numbers from start to stop, each the same multiple of the one before.",
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
	function("np.kaiser T.kaiser", "The window I0(beta sqrt(1 - x*x)) / I0(beta), for x from -1 to 1.",
		"kaiser(3, 0.0) # array([1., 1., 1.])", func(e *eval, a *kaiserArgs) starlark.Value {
			values := e.window(&a.windowLength)
			half := float64(len(values)-1) / 2
			poll := e.poll()
			for i := range values {
				poll.Ask(perFunction)
				if x := (float64(i) - half) / half; half > 0 {
					values[i] = besselI0(a.Beta*math.Sqrt(1-x*x)) / besselI0(a.Beta)
				}
			}
			return e.value(tensor.From(values, len(values)))
		}, functions.Builds(func(g *functions.Graph, a *kaiserArgs) (functions.V, error) {
			return formula.Window(g.Builder, a.M.V, formula.Kaiser(a.Beta)), nil
		})),
	function("np.vander T.vander", "The matrix of the powers of x: those of each element are a row, from N-1 down to 0.",
		"vander([2, 3], 3) # array([[4, 2, 1],\n       [9, 3, 1]])", func(e *eval, a *vanderArgs) starlark.Value {
			if a.X.D.Rank() != 1 {
				e.failFor("x", "got %d dimensions, want a vector", a.X.D.Rank())
			}
			n := int(or(a.N, count(a.X.D.Size())))
			if err := checkShape([]int{a.X.D.Size(), n}); err != nil {
				return e.value(e.got(nil, err))
			}
			if !a.X.D.DType().IsFloat() {
				a.X.D = a.X.D.AsType(kernels.Promote(a.X.D.DType(), kernels.Int64))
			}
			column := e.reshape(a.X.D, a.X.D.Size(), 1)
			z := tensor.New(a.X.D.DType(), a.X.D.Size(), n)
			for k := 0; k < n && !e.failed(); k++ {
				power := e.constant(a.X.D.DType(), []int{a.X.D.Size(), 1}, 1)
				at := n - 1 - k
				if a.Increasing {
					at = k
				}
				if k > 0 {
					last := at + 1
					if a.Increasing {
						last = at - 1
					}
					power = e.do("multiply", e.part(z, 1, last, last+1), column)
				}
				tensor.CopyTo(e.part(z, 1, at, at+1), power)
			}
			return e.value(z)
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
	function("np.fromfunction", "The array of a shape that a function gives for its arrays of indices.",
		"fromfunction(lambda i, j: i + 10 * j, (2, 2), dtype=int) # array([[ 0, 10],\n       [ 1, 11]])", func(e *eval, a *struct {
			Function starlark.Callable `arg:"function: a function of as many arrays as there are axes"`
			Shape    newShape          `arg:"shape: a shape"`
			DType    kernels.DType     `arg:"dtype=float: the type of the indices"`
		}) starlark.Value {
			dtype := cmp.Or(a.DType, kernels.Float64)
			args := make(starlark.Tuple, len(a.Shape))
			for axis, n := range a.Shape {
				d, ok := e.counted(n, axis, len(a.Shape)).AsType(dtype).BroadcastTo(a.Shape)
				if e.failed() || !ok {
					return nil
				}
				args[axis] = NewArray(e.session, d.Copy())
			}
			return e.callback(a.Function, args)
		}),
	function("np.fromiter", "The vector of the numbers of an iterable.",
		"fromiter(range(3), float) # array([0., 1., 2.])", func(e *eval, a *struct {
			Iter  starlark.Value `arg:"iter: an iterable of numbers"`
			DType kernels.DType  `arg:"dtype: the elements' type"`
			Count int            `arg:"count=-1: how many to read; all if negative"`
		}) starlark.Value {
			seq, ok := a.Iter.(starlark.Iterable)
			dtype := cmp.Or(a.DType, kernels.Float64)
			if !ok {
				e.wrongType("iter", a.Iter, "an iterable")
				return nil
			}
			if err := value.CheckEnd(seq); err != nil && a.Count < 0 {
				e.failFor("iter", "%w", err)
				return nil
			}
			var list []starlark.Value
			it := seq.Iterate()
			defer it.Done()
			var v starlark.Value
			for poll := e.poll(); (a.Count < 0 || len(list) < a.Count) && it.Next(&v); {
				poll.Ask(8)
				list = append(list, v)
			}
			if len(list) < a.Count {
				e.fail("got %d numbers, want %d", len(list), a.Count)
			}
			d, err := ToDenseAs(slot.NewList(list), dtype)
			if d = e.got(d, err); d.Rank() != 1 {
				e.fail("got elements that are no numbers")
			}
			return e.value(d)
		}),
}

// kaiserArgs are the arguments of np.kaiser, and vanderArgs those of np.vander.
type kaiserArgs struct {
	windowLength
	Beta float64 `arg:"beta: the shape: 0 for a rectangle"`
}

type vanderArgs struct {
	X          functions.Operand `arg:"x: a vector"`
	N          *count            `arg:"N=None: the number of columns; as many as elements if not given"`
	Increasing bool              `arg:"increasing=False: the powers from 0 up"`
}

// windowLength is how many numbers a window has.
type windowLength struct {
	M functions.Integer `arg:"M: how many numbers"`
}

// windowRow is a window of M numbers: f of x from -1 to 1, which of vectors is all.
func windowRow(name, doc, example string, f func(x float64) float64, all func(a formula.Arithmetic, x functions.V) functions.V) functions.Function {
	return function(name, "A window for sequences. "+doc+" x goes from -1 to 1.", example, func(e *eval, a *windowLength) starlark.Value {
		values, poll := e.window(a), e.poll()
		for i, m := 0, len(values); m > 1 && i < m; i++ {
			poll.Ask(perFunction)
			values[i] = f(float64(2*i+1-m) / float64(m-1))
		}
		return e.value(tensor.From(values, len(values)))
	}, functions.Builds(func(g *functions.Graph, a *windowLength) (functions.V, error) {
		return formula.Window(g.Builder, a.M.V, all), nil
	}))
}

// window returns ones, as many as a window has numbers.
func (e *eval) window(a *windowLength) []float64 {
	n := max(a.M.N, 0)
	if len(e.newShape("M", []int{n})) == 0 {
		return nil
	}
	return slices.Repeat([]float64{1}, n)
}

// logspaceArgs are the arguments of np.logspace.
type logspaceArgs struct {
	Start    functions.Operand `arg:"start: the exponent of the first number, or an array"`
	Stop     functions.Operand `arg:"stop: the exponent of the last, or an array"`
	Num      count             `arg:"num|steps=50: how many"`
	Endpoint bool              `arg:"endpoint|end=True: False to leave the last out"`
	Base     float64           `arg:"base=10.0: the base"`
	dtypeArg
	Axis int `arg:"axis=0: of arrays, the axis that the numbers lie along" eager:"their ends are scalars"`
}

type geomspaceArgs struct {
	Start    functions.Operand `arg:"start: the first number"`
	Stop     functions.Operand `arg:"stop: the last number"`
	Num      count             `arg:"num=50: how many"`
	Endpoint bool              `arg:"endpoint=True: False to leave stop out"`
	dtypeArg
}

// geomspace divides both ends by the first number, so that integers come out as such where they can.
func geomspace(e *eval, a *geomspaceArgs) starlark.Value {
	first, last := e.number("start", a.Start.Value), e.number("stop", a.Stop.Value)
	if first == 0 || last == 0 {
		e.fail("got %v to %v, want no 0", first, last)
	}
	if first*last < 0 {
		e.fail("got %v to %v, want numbers of one sign", first, last)
	}
	if e.failed() {
		return nil
	}
	num, sign := int(a.Num), math.Copysign(1, first)
	poll := e.poll()
	exponents, _ := array.Spaced(&poll, math.Log10(first*sign), math.Log10(last*sign), num, a.Endpoint)
	z := e.do("power", 10.0, exponents)
	if e.failed() {
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
	return e.value(e.as(a.DType, tensor.From(values, num)))
}

// callback calls a function of the user's.
func (e *eval) callback(fn starlark.Callable, args starlark.Tuple) starlark.Value {
	if e.failed() {
		return nil
	}
	v, err := value.Call(e.thread, fn, args, nil)
	return keep(e, v, err, nil)
}
