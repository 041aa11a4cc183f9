package numeric

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// functionalTable is the functions that call functions of the user's.
var functionalTable = []functions.Function{
	np.Function("np.apply_along_axis", "What a function gives for each vector along axis: numbers, or arrays that take the axis's place.",
		"apply_along_axis(lambda v: v.max(), 1, [[1, 5], [7, 2]]) # array([5, 7])", applyAlong),
	np.Function("np.apply_over_axes", "An array to which a function of an array and an axis was applied for one axis after the other; "+
		"an axis that it drops is kept with length 1.",
		"apply_over_axes(np.sum, [[1, 2], [3, 4]], [0, 1]) # array([[10]])", func(e *np.Eval, a *struct {
			Func starlark.Callable `arg:"func: a function of an array and an axis"`
			np.ArrayArg
			Axes []int `arg:"axes: an axis or several"`
		}) starlark.Value {
			for _, axis := range e.EachAxis("axes", a.Axes, a.A.D.Rank()) {
				d := e.Dense(np.OrNone(e.Callback(a.Func, starlark.Tuple{np.NewArray(e.Session, a.A.D), starlark.MakeInt(axis)})))
				if !e.Failed() && d.Rank() == a.A.D.Rank()-1 {
					d = e.Permute(d, np.WithNewAxis(d.Rank(), axis))
				}
				if !e.Failed() && d.Rank() != a.A.D.Rank() {
					e.Fail("got %d dimensions from the function, want %d or %d", d.Rank(), a.A.D.Rank()-1, a.A.D.Rank())
				}
				a.A.D = d
			}
			return e.Result(a.A.D)
		}),
	np.Function("np.vectorize", "A function of arrays that calls a function of numbers for all their elements, which broadcast.",
		"vectorize(lambda x, y: x + 2 * y)([1, 2], 10) # array([21, 22])", func(e *np.Eval, a *struct {
			Pyfunc starlark.Callable `arg:"pyfunc: a function of numbers"`
			Otypes kernels.DType     `arg:"otypes=None: the type of the results; that of all of them together if not given"`
		}) starlark.Value {
			vectorized := np.Function("np.vectorized", "np.vectorize of "+a.Pyfunc.Name()+".", "", func(e *np.Eval, args *struct {
				Args starlark.Tuple `arg:"*args: arrays and numbers; they broadcast"`
			}) starlark.Value {
				return vectorized(e, a.Pyfunc, a.Otypes, args.Args)
			})
			row := np.RowOf("np", "vectorized", &vectorized)
			return row.Value()
		}),
}

// applyAlongArgs are the arguments of np.apply_along_axis.
type applyAlongArgs struct {
	Func1d starlark.Callable `arg:"func1d: a function of a vector, and of args"`
	Axis   int               `arg:"axis: the axis"`
	Arr    *tensor.Dense     `arg:"arr: an array"`
	Args   starlark.Tuple    `arg:"*args: more arguments for func1d"`
}

func applyAlong(e *np.Eval, a *applyAlongArgs) starlark.Value {
	axis := e.AxisOf(a.Axis, a.Arr.Rank())
	if e.Failed() {
		return nil
	}
	order := append(without(a.Arr.Rank(), []int{axis}), axis)
	lead := dimsOf(a.Arr, order[:a.Arr.Rank()-1])
	count := tensor.Size(lead)
	if count == 0 || a.Arr.Rank() == 0 {
		e.Fail("got an array without vectors along axis %d", axis)
		return nil
	}
	rows := e.Reshape(e.Permute(a.Arr, order), count, a.Arr.Dim(axis))
	results := make([]starlark.Value, count)
	for i := range results {
		args := append(starlark.Tuple{e.Result(e.At(rows, 0, i))}, a.Args...)
		if results[i] = np.OrNone(e.Callback(a.Func1d, args)); e.Failed() {
			return nil
		}
	}
	d, err := np.ToDense(slot.NewList(results))
	if d = e.Got(d, err); e.Failed() {
		return nil
	}
	each := d.Shape()[1:]
	z := e.Reshape(d, append(slices.Clone(lead), each...)...)
	if e.Failed() {
		return nil
	}
	// The axes of a result stand where axis was.
	pattern := np.CountTo(axis)
	for i := range each {
		pattern = append(pattern, len(lead)+i)
	}
	for i := axis; i < len(lead); i++ {
		pattern = append(pattern, i)
	}
	return e.Result(e.Permute(z, pattern).Copy())
}

// vectorized calls fn for each element. Results that are tuples become a tuple of arrays.
func vectorized(e *np.Eval, fn starlark.Callable, otype kernels.DType, args starlark.Tuple) starlark.Value {
	list := e.Broadcast(e.Denses(args)...)
	if len(args) == 0 {
		e.Fail("got no arguments, want at least one")
	}
	if e.Failed() {
		return nil
	}
	shape, n := list[0].Shape(), list[0].Size()
	for i, d := range list {
		list[i] = e.Reshape(d, n)
	}
	var columns [][]starlark.Value
	isTuple, poll := false, e.Poll()
	for k := range n {
		poll.Ask(np.PerFunction)
		each := make(starlark.Tuple, len(list))
		for i, d := range list {
			each[i] = e.Result(e.At(d, 0, k))
		}
		v := np.OrNone(e.Callback(fn, each))
		t, ok := v.(starlark.Tuple)
		if !ok {
			t = starlark.Tuple{v}
		}
		if k == 0 {
			columns, isTuple = make([][]starlark.Value, len(t)), ok
		}
		if len(t) != len(columns) || ok != isTuple {
			e.Fail("got %d results for element %d, want %d as for the first", len(t), k, len(columns))
		}
		if e.Failed() {
			return nil
		}
		for i, v := range t {
			columns[i] = append(columns[i], v)
		}
	}
	if n == 0 {
		if otype == kernels.Invalid {
			e.Fail("got no elements: the type of the result is not known; use otypes=")
			return nil
		}
		return e.Result(tensor.New(otype, shape...))
	}
	results := make([]*tensor.Dense, len(columns))
	for i, column := range columns {
		d, err := np.ToDenseIn(e.Session, slot.NewList(column))
		if err == nil && otype != kernels.Invalid {
			d = d.AsType(otype)
		}
		if d = e.Got(d, err); !e.Failed() && d.Rank() != 1 {
			e.Fail("got results that are no numbers")
		}
		results[i] = e.Reshape(d, shape...)
	}
	if !isTuple {
		return e.Result(results[0])
	}
	return tuple(e, results...)
}
