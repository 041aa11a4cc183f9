package manipulation

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// selectArgs are the arguments of np.select.
type selectArgs struct {
	Condlist   []functions.Operand `arg:"condlist: a list of arrays of bools"`
	Choicelist []functions.Operand `arg:"choicelist: a list of arrays or numbers"`
	Default    functions.Operand   `arg:"default=0: the element where none holds"`
}

// chooseTable is the functions that choose elements by conditions, and those that write where a
// condition holds.
var chooseTable = []functions.Function{
	np.Function("np.select T.select", "For each element the choice of the first condition that holds there.",
		"select([[True, False], [True, True]], [[1, 2], [10, 20]], 0) # array([ 1, 20])", func(e *np.Eval, a *selectArgs) starlark.Value {
			conditions, choices := np.DensesOf(a.Condlist), a.Choicelist
			if len(conditions) != len(choices) {
				e.Fail("got %d conditions and %d choices, want as many", len(conditions), len(choices))
			}
			for _, d := range conditions {
				if !d.DType().IsBool() {
					e.FailFor("condlist", "got %v, want bools", d.DType())
				}
			}
			if e.Failed() {
				return nil
			}
			if a.Default.Value == nil {
				a.Default.Value = starlark.MakeInt(0)
			}
			values := make([]starlark.Value, len(choices))
			for i, x := range choices {
				values[i] = x.Value
			}
			parts := e.Parts(append(values, a.Default.Value))
			if e.Failed() {
				return nil
			}
			n := len(conditions)
			wide := e.Broadcast(append(slices.Clone(conditions), parts...)...)
			z := wide[len(wide)-1]
			for i := n - 1; i >= 0; i-- {
				z = e.Do("where", wide[i], wide[n+i], z)
			}
			return e.Result(z)
		}, functions.Builds(func(g *functions.Graph, a *selectArgs) (functions.V, error) {
			return formula.Select(g.Builder, np.VariablesOf(a.Condlist), np.VariablesOf(a.Choicelist), a.Default.V)
		})),
	np.Function("np.choose T.choose", "For each element of a, a number of a choice, the element of that choice.",
		"choose([1, 0, 1], [[1, 2, 3], [10, 20, 30]]) # array([10,  2, 30])", chosen,
		functions.Builds(func(g *functions.Graph, a *chooseArgs) (functions.V, error) {
			choices := make([]functions.V, len(a.Choices))
			for i, x := range a.Choices {
				choices[i] = x.V
			}
			return formula.Choose(g.Builder, a.A.V, choices, a.Mode)
		})),
	np.Function("np.piecewise", "For each element of x the value, or the function, of the last condition that holds there.",
		"piecewise(np.array([-2.0, 3.0]), [[True, False], [False, True]], [-1, lambda x: 2 * x]) # array([-1.,  6.])", piecewise),
	np.Function("np.extract", "The elements where a condition holds, as a vector.",
		"extract([True, False, True], [1, 2, 3]) # array([1, 3])", func(e *np.Eval, a *struct {
			Condition functions.Operand `arg:"condition: an array"`
			Arr       functions.Operand `arg:"arr: an array"`
		}) starlark.Value {
			condition, x := e.Flat(a.Condition.D), e.Flat(a.Arr.D)
			return e.Result(e.Filter(x, maskFor(e, condition, x)))
		}),
	np.Function("np.place", "Writes values, one after the other and from the first again, where a mask is true.",
		"place(np.zeros(3), [True, False, True], [7, 8])", func(e *np.Eval, a *struct {
			Arr  starlark.Value `arg:"arr: the array to write to"`
			Mask *tensor.Dense  `arg:"mask: bools"`
			Vals *tensor.Dense  `arg:"vals: values"`
		}) starlark.Value {
			putWhere(e, "arr", a.Arr, a.Mask, "vals", a.Vals, true)
			return starlark.None
		}),
	np.Function("np.putmask", "Writes values where a mask is true: the one at the element's position, from the first again.",
		"putmask(np.zeros(3), [True, False, True], [7, 8, 9])", func(e *np.Eval, a *struct {
			A      starlark.Value `arg:"a: the array to write to"`
			Mask   *tensor.Dense  `arg:"mask: bools"`
			Values *tensor.Dense  `arg:"values: values"`
		}) starlark.Value {
			putWhere(e, "a", a.A, a.Mask, "values", a.Values, false)
			return starlark.None
		}),
	np.Function("np.compress T.compress", "The slices along axis for which a condition holds; the elements if there is no axis.",
		"compress([False, True], [[1, 2], [3, 4]], axis=0) # array([[3, 4]])", func(e *np.Eval, a *compressArgs) starlark.Value {
			return e.Result(compressed(e, a.Condition.D, a.A.D, a.Axis))
		}, functions.Builds(func(g *functions.Graph, a *compressArgs) (functions.V, error) {
			return formula.Compress(g.Builder, a.Condition.V, a.A.V, a.Axis)
		})),
}

// compressArgs are the arguments of np.compress.
type compressArgs struct {
	Condition functions.Operand `arg:"condition: a vector of bools"`
	np.ArrayArg
	np.FlatAxisArg
	np.OutArg
}

// compressed returns the slices of a along an axis for which a condition holds.
func compressed(e *np.Eval, condition, a *tensor.Dense, along *int) *tensor.Dense {
	a, axis := flatOr(e, a, along)
	if condition.Rank() != 1 {
		e.Fail("for parameter condition: got %d dimensions, want a vector", condition.Rank())
	}
	if e.Failed() {
		return nil
	}
	if condition.DType().IsBool() && slices.Equal(condition.Shape(), a.Shape()) {
		return e.Filter(a, condition)
	}
	at := e.NonZero(condition)[0]
	list := tensor.Elements[int64](at)
	if k, _ := slices.BinarySearch(list, int64(a.Dim(axis))); k < len(list) {
		e.Fail("index %d is out of bounds for axis %d of length %d", list[k], axis, a.Dim(axis))
		return nil
	}
	return e.Got(tensor.Take(a, at, axis, tensor.Raise, np.StopOf(e.Session)))
}

// valuesOf returns the elements of a list.
func valuesOf(e *np.Eval, parameter string, v starlark.Value) []starlark.Value {
	seq, ok := v.(starlark.Iterable)
	if !ok {
		e.WrongType(parameter, v, "a list")
		return nil
	}
	if err := value.CheckEnd(seq); err != nil {
		e.FailFor(parameter, "%w", err)
		return nil
	}
	var list []starlark.Value
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		list = append(list, x)
	}
	return list
}

// maskFor returns a mask as long as a vector; a longer one must be false beyond.
func maskFor(e *np.Eval, mask, a *tensor.Dense) *tensor.Dense {
	if e.Failed() {
		return mask
	}
	z := tensor.New(kernels.Bool, a.Size())
	bits, poll := tensor.Elements[uint8](z), e.Poll()
	for i, b := range tensor.Elements[uint8](mask.AsType(kernels.Bool)) {
		poll.Ask(1)
		switch {
		case i < len(bits):
			bits[i] = b
		case b != 0:
			e.Fail("got a condition of %d elements that holds at %d, want at most %d elements", mask.Size(), i, a.Size())
		}
	}
	return z
}

func chosen(e *np.Eval, a *chooseArgs) starlark.Value {
	return e.Result(choose(e, a.A.D, np.DensesOf(a.Choices), e.Word("mode", a.Mode, "raise", "wrap", "clip")))
}

func choose(e *np.Eval, a *tensor.Dense, choices []*tensor.Dense, mode string) *tensor.Dense {
	if a.DType().IsFloat() {
		e.FailFor("a", "got %v, want integers", a.DType())
	}
	wide := e.Broadcast(append([]*tensor.Dense{a}, choices...)...)
	if e.Failed() {
		return nil
	}
	to, n := kernels.Bool, len(choices)
	for _, d := range choices {
		to = kernels.Promote(to, d.DType())
	}
	at, poll := wide[0].Ints(), e.Poll()
	for i, k := range at {
		poll.Ask(1)
		switch {
		case k >= 0 && int(k) < n:
		case mode == "wrap":
			at[i] = int64(np.Modulo(int(k), n))
		case mode == "clip":
			at[i] = min(max(k, 0), int64(n-1))
		default:
			e.Fail("got choice %d, want 0 to %d", k, n-1)
			return nil
		}
	}
	index := tensor.From(at, wide[0].Shape()...)
	z := tensor.New(to, wide[0].Shape()...)
	for k, d := range wide[1:] {
		z = e.Do("where", e.Do("equal", index, k), d.As(to), z)
	}
	return z
}

// putWhere writes values to the array that is argument v where mask is true.
func putWhere(e *np.Eval, name string, v starlark.Value, mask *tensor.Dense, from string, values *tensor.Dense, inTurn bool) {
	a := e.Target(name, v)
	if mask.Size() != a.D.Size() {
		e.FailFor("mask", "got %d elements, want %d", mask.Size(), a.D.Size())
	}
	if e.Failed() {
		return
	}
	z := a.D.Copy()
	values = e.Flat(values.As(a.D.DType()))
	flat := e.Flat(z)
	next, poll := 0, e.Poll()
	for i, b := range tensor.Elements[uint8](mask.AsType(kernels.Bool)) {
		if b == 0 {
			continue
		}
		poll.Ask(np.PerFunction)
		if values.Size() == 0 {
			e.FailFor(from, "got no values, want at least one")
			return
		}
		k := i
		if inTurn {
			k = next
			next++
		}
		k %= values.Size()
		tensor.CopyTo(e.Part(flat, 0, i, i+1), e.Part(values, 0, k, k+1))
	}
	tensor.CopyTo(a.D, z)
}

// piecewiseArgs are the arguments of np.piecewise.
type piecewiseArgs struct {
	X        *tensor.Dense  `arg:"x: an array"`
	Condlist starlark.Value `arg:"condlist: a list of arrays of bools"`
	Funclist starlark.Value `arg:"funclist: a value or function for each condition, and one more for the rest"`
}

func piecewise(e *np.Eval, a *piecewiseArgs) starlark.Value {
	conditions, err := np.ReadArrays(e.Session, a.Condlist)
	if err != nil {
		e.FailFor("condlist", "%w", err)
	}
	pieces := valuesOf(e, "funclist", a.Funclist)
	if n := len(conditions); n > 0 && !e.Failed() && slices.Equal(conditions[0].Shape(), nil) && a.X.Rank() > 0 {
		conditions = []*tensor.Dense{e.Dense(a.Condlist)} // one condition, not in a list
	}
	if len(pieces) != len(conditions) && len(pieces) != len(conditions)+1 {
		e.Fail("got %d conditions and %d functions, want as many or one more", len(conditions), len(pieces))
	}
	if e.Failed() {
		return nil
	}
	if len(pieces) > len(conditions) {
		var any *tensor.Dense = tensor.New(kernels.Bool, a.X.Shape()...)
		for _, d := range conditions {
			any = e.Do("logical_or", any, d)
		}
		conditions = append(conditions, e.Do("logical_not", any))
	}
	z := e.Flat(tensor.New(a.X.DType(), a.X.Shape()...))
	flat := e.Flat(a.X)
	for i, piece := range pieces {
		if conditions[i].Size() != a.X.Size() {
			e.FailFor("condlist", "got shape %s, want that of x, %s", tensor.ShapeString(conditions[i].Shape()), tensor.ShapeString(a.X.Shape()))
		}
		if e.Failed() {
			return nil
		}
		at := e.NonZero(e.Flat(conditions[i]))[0].Ints()
		v := piece
		if fn, ok := piece.(starlark.Callable); ok {
			v = e.Callback(fn, starlark.Tuple{np.NewArray(e.Session, e.Filter(flat, e.Flat(conditions[i])))})
		}
		if e.Failed() {
			return nil
		}
		d, err := np.ToDense(v)
		wide, ok := e.Got(d, err).BroadcastTo([]int{len(at)})
		if !ok {
			e.FailFor("funclist", "function %d: got shape %s for %d elements", i, tensor.ShapeString(d.Shape()), len(at))
		}
		poll := e.Poll()
		for k, to := range at {
			if e.Failed() {
				return nil
			}
			poll.Ask(np.PerFunction)
			tensor.CopyTo(e.Part(z, 0, int(to), int(to)+1), e.Part(wide, 0, k, k+1))
		}
	}
	return e.Result(e.Reshape(z, a.X.Shape()...))
}

// chooseArgs are the arguments of np.choose.
type chooseArgs struct {
	A       functions.Operand   `arg:"a: an array of integers"`
	Choices []functions.Operand `arg:"choices: a list of arrays"`
	np.OutArg
	Mode string `arg:"mode=\"raise\": what to do with other numbers: raise, wrap or clip"`
}
