package np

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// arrayMethods is the table of methods of arrays.
var arrayMethods = sync.OnceValue(func() *value.Methods {
	return value.NewMethods("ndarray", methodRows()).With(arrayFields...)
})

// methodRows are all methods: those of this file and the functions that are methods too.
func methodRows() []value.Builtin {
	return NonRetaining(slices.Concat(methodTable, methodsOf(Functions()), added.Methods))
}

var methodTable = []value.Builtin{
	ArrayMethod("astype", "A copy with the elements converted; floats are cut to integers, and what is not 0 is True. A float that no integer of the type is "+
		"near becomes the nearest end of its range, and nan 0; NumPy's results depend on the processor there.",
		"np.array([1.5, -2.5]).astype(\"int64\") # array([ 1, -2])", func(e *Eval, self *Array, a *struct {
			DType kernels.DType `arg:"dtype: the new type"`
			MemoryArg
			Casting string `arg:"casting=\"unsafe\": which conversions are allowed: see np.can_cast"`
			Subok   bool   `arg:"subok=True: accepted: there are no other arrays"`
			Copy    bool   `arg:"copy=True: False to return the array itself where that can be"`
		}) starlark.Value {
			d := self.D
			if allowed := castings[a.Casting]; allowed == nil {
				e.FailFor("casting", "got %q, want no, equiv, safe, same_kind or unsafe", a.Casting)
			} else if !allowed(d.DType(), a.DType) {
				e.Fail("got %v, which cannot be converted to %v by the rule %q; use casting=%q", d.DType(), a.DType, a.Casting, "unsafe")
			}
			if e.Failed() {
				return nil
			}
			fortran, same, poll := a.Order.Fortran(d), a.DType == d.DType(), e.Poll()
			switch {
			case !a.Copy && same && (a.Order == 0 || fortran == !d.IsContiguous()):
				return self
			case !same && !fortran:
				return NewArray(e.Session, poll.AsType(d, a.DType))
			}
			return NewArray(e.Session, e.CopyIn(poll.AsType(d, a.DType), fortran))
		}),
	ArrayMethod("copy", "A copy.", "np.zeros(2).copy() # array([0., 0.])", func(e *Eval, self *Array, a *struct {
		Order Order `arg:"order=\"C\": how the elements are to lie in memory: C, F, or A and K for as they do"`
	}) starlark.Value {
		return NewArray(e.Session, e.CopyIn(self.D, a.Order.Fortran(self.D)))
	}),
	ArrayMethod("fill", "Sets every element to a value.", "np.zeros(2).fill(3)", func(e *Eval, self *Array, a *struct {
		Value starlark.Value `arg:"value: a number"`
	}) starlark.Value {
		if _, ok := a.Value.(starlark.Sequence); ok {
			if d, err := ToDense(a.Value); err != nil || d.Rank() > 0 {
				e.WrongType("value", a.Value, "a number")
				return nil
			}
		}
		poll := e.Poll() // before it begins
		poll.Ask(self.D.Size())
		if err := self.SetKey(value.Ellipsis, a.Value); err != nil {
			e.Fail("%w", err)
		}
		return starlark.None
	}),
	ArrayMethod("tolist", "The elements as nested lists of Starlark numbers.",
		"np.array([[1, 2], [3, 4]]).tolist() # [[1, 2], [3, 4]]", func(e *Eval, self *Array, _ *struct{}) starlark.Value {
			return nested(e.Poll(), self.D)
		}),
	ArrayMethod("item", "An element as a Starlark number: the only one, or that of the given position or index.",
		"np.array([[1, 2], [3, 4]]).item(1, 0) # 3", func(e *Eval, self *Array, a *struct {
			Index starlark.Tuple `arg:"*index: a position in C order, or an index for each axis"`
		}) starlark.Value {
			d := self.D
			index, err := IntsArgs(a.Index)
			if Keep(e, index, err, nil); e.Failed() {
				return nil
			}
			switch {
			case len(index) == 0 && d.Size() != 1:
				e.Fail("got an array of %d elements, want 1; give an index", d.Size())
			case len(index) == 0:
				return Number(scalarOf(d))
			case len(index) == 1:
				d = e.Flat(d)
			case len(index) != d.Rank():
				e.Fail("got %d indices, want %d", len(index), d.Rank())
			}
			if e.Failed() {
				return nil
			}
			at := make([]tensor.Index, len(index))
			for i := range index {
				at[i].At = &index[i]
			}
			if d = e.Got(d.Subscript(at...)); e.Failed() {
				return nil
			}
			return Number(d)
		}),
}

// nested returns the elements as lists of lists.
func nested(poll tensor.Poll, d *tensor.Dense) starlark.Value {
	if d.Rank() == 0 {
		return Number(d)
	}
	if !d.IsContiguous() {
		d = d.Copy()
	}
	return nestedLists(d.Shape(), plainElements[d.DType()](d), 0, &poll)
}

// askedElements is how many values are made between two looks at whether the cell is to end.
const askedElements = 1 << 13

// nestedLists returns the lists of the elements of a shape from position first on.
func nestedLists(shape []int, plain plainFill, first int, poll *tensor.Poll) starlark.Value {
	list := make([]starlark.Value, shape[0])
	if len(shape) == 1 {
		for at := 0; at < len(list); at += askedElements {
			part := list[at:min(at+askedElements, len(list))]
			poll.Ask(8 * len(part))
			plain(part, first+at)
		}
		return slot.NewList(list)
	}
	step := tensor.Size(shape[1:])
	for i := range list {
		list[i] = nestedLists(shape[1:], plain, first+i*step, poll)
	}
	return slot.NewList(list)
}

// A plainFill sets values to the elements of an array from position first on, as Starlark's own
// numbers.
type plainFill func(values []starlark.Value, first int)

func plainElementsOf[E tensor.Number](plain func(E) starlark.Value) func(*tensor.Dense) plainFill {
	return func(d *tensor.Dense) plainFill {
		elements := tensor.Elements[E](d)
		return func(values []starlark.Value, first int) {
			for i, x := range elements[first:][:len(values)] {
				values[i] = plain(x)
			}
		}
	}
}

func plainInt[E int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](x E) starlark.Value {
	return starlark.MakeInt64(int64(x))
}

// plainElements read arrays that are C-contiguous.
var plainElements = [kernels.NumDTypes]func(*tensor.Dense) plainFill{
	kernels.Bool:    plainElementsOf(func(x uint8) starlark.Value { return starlark.Bool(x != 0) }),
	kernels.Int8:    plainElementsOf(plainInt[int8]),
	kernels.Int16:   plainElementsOf(plainInt[int16]),
	kernels.Int32:   plainElementsOf(plainInt[int32]),
	kernels.Int64:   plainElementsOf(plainInt[int64]),
	kernels.Uint8:   plainElementsOf(plainInt[uint8]),
	kernels.Uint16:  plainElementsOf(plainInt[uint16]),
	kernels.Uint32:  plainElementsOf(plainInt[uint32]),
	kernels.Uint64:  plainElementsOf(func(x uint64) starlark.Value { return starlark.MakeUint64(x) }),
	kernels.Float32: plainElementsOf(func(x float32) starlark.Value { return starlark.Float(x) }),
	kernels.Float64: plainElementsOf(func(x float64) starlark.Value { return starlark.Float(x) }),
}
