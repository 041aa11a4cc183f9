package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// chooseTable is the functions that choose elements by conditions, and those that write where a condition holds.
var chooseTable = []value.Builtin{
	npRow("select", "For each element the choice of the first condition that holds there.",
		"np.select([[True, False], [True, True]], [[1, 2], [10, 20]], 0) # array([ 1, 20])", func(e *eval) *tensor.Dense {
			conditions, choices := e.arrays(0), e.valuesOf(1)
			if len(conditions) != len(choices) {
				e.fail("got %d conditions and %d choices, want as many", len(conditions), len(choices))
			}
			for _, d := range conditions {
				if !d.DType().IsBool() {
					e.failAt(0, "got %v, want bools", d.DType())
				}
			}
			if e.failed() {
				return nil
			}
			otherwise := e.v[2]
			if otherwise == nil {
				otherwise = starlark.MakeInt(0)
			}
			operands, err := operandsOf(append(slices.Clone(choices), otherwise))
			if keep(e, operands, err, nil); e.failed() {
				return nil
			}
			d := commonType(operands, false)
			parts := make([]*tensor.Dense, len(operands))
			for i, x := range operands {
				if parts[i] = x.d; x.d == nil {
					parts[i] = e.got(weakAs(x.weak, d))
				}
			}
			n := len(conditions)
			wide := e.broadcast(append(slices.Clone(conditions), parts...)...)
			z := wide[len(wide)-1]
			for i := n - 1; i >= 0; i-- {
				z = e.do("where", wide[i], wide[n+i], z)
			}
			return z
		}, "condlist: a list of arrays of bools", "choicelist: a list of arrays or numbers", "default=0: the element where none holds"),
	npRow("choose", "For each element of a, a number of a choice, the element of that choice.",
		"np.choose([1, 0, 1], [[1, 2, 3], [10, 20, 30]]) # array([10,  2, 30])", func(e *eval) *tensor.Dense {
			return e.choose(e.array(0), e.arrays(1), e.text(2, "raise", "raise", "wrap", "clip"))
		}, "a: an array of integers", "choices: a list of arrays", "mode=\"raise\": what to do with other numbers: raise, wrap or clip"),
	evalRow("np.", "piecewise", "For each element of x the value, or the function, of the last condition that holds there.",
		"np.piecewise(np.array([-2.0, 3.0]), [[True, False], [False, True]], [-1, lambda x: 2 * x]) # array([-1.,  6.])", piecewise,
		"x: an array", "condlist: a list of arrays of bools",
		"funclist: a value or function for each condition, and one more for the rest"),
	npRow("extract", "The elements where a condition holds, as a vector.",
		"np.extract([True, False, True], [1, 2, 3]) # array([1, 3])",
		func(e *eval) *tensor.Dense {
			condition, a := e.flat(e.array(0)), e.flat(e.array(1))
			return e.filter(a, e.maskFor(condition, a))
		}, "condition: an array", "arr: an array"),
	evalRow("np.", "place", "Writes values, one after the other and from the first again, where a mask is true.",
		"np.place(np.zeros(3), [True, False, True], [7, 8])", func(e *eval) starlark.Value {
			e.putWhere(e.array(1), e.array(2), true)
			return starlark.None
		}, "arr: the array to write to", "mask: bools", "vals: values"),
	evalRow("np.", "putmask", "Writes values where a mask is true: the one at the element's position, from the first again.",
		"np.putmask(np.zeros(3), [True, False, True], [7, 8, 9])", func(e *eval) starlark.Value {
			e.putWhere(e.array(1), e.array(2), false)
			return starlark.None
		}, "a: the array to write to", "mask: bools", "values: values"),
	npRow("compress", "The slices along axis for which a condition holds; the elements if there is no axis.",
		"np.compress([False, True], [[1, 2], [3, 4]], axis=0) # array([[3, 4]])",
		func(e *eval) *tensor.Dense { return e.compressed(e.array(0), e.array(1), 2) },
		"condition: a vector of bools", arrayParam, flatAxis),
}

// compressed returns the slices of a, along the axis that argument i gives, for which a condition holds.
func (e *eval) compressed(condition, a *tensor.Dense, i int) *tensor.Dense {
	a, axis := e.flatOr(a, i)
	if condition.Rank() != 1 {
		e.fail("for parameter condition: got %d dimensions, want a vector", condition.Rank())
	}
	if e.failed() {
		return nil
	}
	var at []int
	for _, i := range nonZero(condition)[0].Ints() {
		if at = append(at, int(i)); int(i) >= a.Dim(axis) {
			e.fail("index %d is out of bounds for axis %d of length %d", i, axis, a.Dim(axis))
			return nil
		}
	}
	return e.gather(a, axis, at)
}

// valuesOf returns the elements of argument i, a list.
func (e *eval) valuesOf(i int) []starlark.Value {
	seq, ok := e.v[i].(starlark.Iterable)
	if !ok {
		if e.err == nil {
			e.err = e.wrong(i, "a list")
		}
		return nil
	}
	var list []starlark.Value
	it := seq.Iterate()
	defer it.Done()
	var v starlark.Value
	for it.Next(&v) {
		list = append(list, v)
	}
	return list
}

// maskFor returns a mask as long as a vector; a longer one must be false beyond.
func (e *eval) maskFor(mask, a *tensor.Dense) *tensor.Dense {
	if e.failed() {
		return mask
	}
	z := tensor.New(kernels.Bool, a.Size())
	bits := tensor.Elements[uint8](z)
	for i, b := range tensor.Elements[uint8](mask.AsType(kernels.Bool)) {
		switch {
		case i < len(bits):
			bits[i] = b
		case b != 0:
			e.fail("got a condition of %d elements that holds at %d, want at most %d elements", mask.Size(), i, a.Size())
		}
	}
	return z
}

func (e *eval) choose(a *tensor.Dense, choices []*tensor.Dense, mode string) *tensor.Dense {
	if a.DType().IsFloat() {
		e.failAt(0, "got %v, want integers", a.DType())
	}
	wide := e.broadcast(append([]*tensor.Dense{a}, choices...)...)
	if e.failed() {
		return nil
	}
	to, n := kernels.Bool, len(choices)
	for _, d := range choices {
		to = kernels.Promote(to, d.DType())
	}
	at := wide[0].Ints()
	for i, k := range at {
		switch {
		case k >= 0 && int(k) < n:
		case mode == "wrap":
			at[i] = int64(modulo(int(k), n))
		case mode == "clip":
			at[i] = min(max(k, 0), int64(n-1))
		default:
			e.fail("got choice %d, want 0 to %d", k, n-1)
			return nil
		}
	}
	index := tensor.From(at, wide[0].Shape()...)
	z := tensor.New(to, wide[0].Shape()...)
	for k, d := range wide[1:] {
		z = e.do("where", e.do("equal", index, k), d.AsType(to), z)
	}
	return z
}

// putWhere writes values to the array that is argument 0 where mask is true.
func (e *eval) putWhere(mask, values *tensor.Dense, inTurn bool) {
	a, ok := e.v[0].(*Array)
	if !ok && e.err == nil {
		e.err = e.wrong(0, "ndarray")
	}
	if e.failed() {
		return
	}
	e.got(a.d, a.writable())
	if mask.Size() != a.d.Size() {
		e.failAt(1, "got %d elements, want %d", mask.Size(), a.d.Size())
	}
	if e.failed() {
		return
	}
	z := a.d.Copy()
	values = e.flat(values.AsType(a.d.DType()))
	flat := e.flat(z)
	next := 0
	for i, b := range tensor.Elements[uint8](mask.AsType(kernels.Bool)) {
		if b == 0 {
			continue
		}
		if values.Size() == 0 {
			e.failAt(2, "got no values, want at least one")
			return
		}
		from := i
		if inTurn {
			from = next
			next++
		}
		from %= values.Size()
		tensor.CopyTo(e.part(flat, 0, i, i+1), e.part(values, 0, from, from+1))
	}
	tensor.CopyTo(a.d, z)
}

func piecewise(e *eval) starlark.Value {
	x, conditions, pieces := e.array(0), e.arrays(1), e.valuesOf(2)
	if n := len(conditions); n > 0 && !e.failed() && slices.Equal(conditions[0].Shape(), nil) && x.Rank() > 0 {
		conditions = []*tensor.Dense{e.array(1)} // one condition, not in a list
	}
	if len(pieces) != len(conditions) && len(pieces) != len(conditions)+1 {
		e.fail("got %d conditions and %d functions, want as many or one more", len(conditions), len(pieces))
	}
	if e.failed() {
		return nil
	}
	if len(pieces) > len(conditions) {
		var any *tensor.Dense = tensor.New(kernels.Bool, x.Shape()...)
		for _, d := range conditions {
			any = e.do("logical_or", any, d)
		}
		conditions = append(conditions, e.do("logical_not", any))
	}
	z := e.flat(tensor.New(x.DType(), x.Shape()...))
	flat := e.flat(x)
	for i, piece := range pieces {
		if conditions[i].Size() != x.Size() {
			e.failAt(1, "got shape %s, want that of x, %s", tensor.ShapeString(conditions[i].Shape()), tensor.ShapeString(x.Shape()))
		}
		if e.failed() {
			return nil
		}
		at := nonZero(e.flat(conditions[i]))[0].Ints()
		v := piece
		if fn, ok := piece.(starlark.Callable); ok {
			v = e.callback(fn, starlark.Tuple{NewArray(e.session, e.filter(flat, e.flat(conditions[i])))})
		}
		if e.failed() {
			return nil
		}
		d, err := ToDense(v)
		wide, ok := e.got(d, err).BroadcastTo([]int{len(at)})
		if !ok {
			e.failAt(2, "function %d: got shape %s for %d elements", i, tensor.ShapeString(d.Shape()), len(at))
		}
		for k, to := range at {
			if e.failed() {
				return nil
			}
			tensor.CopyTo(e.part(z, 0, int(to), int(to)+1), e.part(wide, 0, k, k+1))
		}
	}
	return e.value(e.reshape(z, x.Shape()...))
}
