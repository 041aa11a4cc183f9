package np

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// arrayMethods is the table of methods of arrays: those below and the reductions.
var arrayMethods = sync.OnceValue(func() *value.Methods {
	return value.NewMethods("ndarray", methodRows(), laterMethods).With(arrayFields...)
})

// laterMethods are attributes of NumPy's arrays that are not built.
const laterMethods = `byteswap conjugate ctypes dump dumps getfield newbyteorder setfield setflags tostring`

// methodRows are all methods.
func methodRows() []value.Builtin {
	return slices.Concat(reductionRows("ndarray."), methodTable, sharedMethods,
		inPlaceMethods, dualRows("ndarray."), fileMethods)
}

// self is the array a method is called on.
func (c *call) self() *Array { return c.Receiver().(*Array) }

func method(name, doc, example string, fn npFunc, params ...string) value.Builtin {
	return numpyRow("ndarray.", name, doc, example, fn, params...)
}

// selfView returns d as an array, in the memory of the receiver where it lies there.
func (c *call) selfView(d *tensor.Dense, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	if a := c.self(); tensor.SharesMemory(a.d, d) {
		return a.view(d), nil
	}
	return NewArray(c.session, d), nil
}

var methodTable = []value.Builtin{
	method("astype", "A copy with the elements converted; floats are cut to integers, and what is not 0 is True. A float that no integer of the type is "+
		"near becomes the nearest end of its range, and nan 0; NumPy's results depend on the processor there.",
		"np.array([1.5, -2.5]).astype(\"int64\") # array([ 1, -2])", func(c *call) (starlark.Value, error) {
			dtype, err := c.dtype(0, 0)
			if err != nil {
				return nil, err
			}
			d := c.self().d
			casting, _ := starlark.AsString(c.v[2])
			if allowed := castings[casting]; allowed == nil && c.v[2] != nil {
				return nil, fmt.Errorf("for parameter casting: got %s, want no, equiv, safe, same_kind or unsafe", value.Repr(c.v[2]))
			} else if allowed != nil && !allowed(d.DType(), dtype) {
				return nil, fmt.Errorf("got %v, which cannot be converted to %v by the rule %q; use casting=%q", d.DType(), dtype, casting,
					"unsafe")
			}
			fortran, err := c.fortran(1, d)
			if err != nil {
				return nil, err
			}
			copied, err := c.bool(4, true)
			if err != nil {
				return nil, err
			}
			if !copied && dtype == d.DType() && (c.v[1] == nil || fortran == !d.IsContiguous()) {
				return c.self(), nil
			}
			if dtype != d.DType() && !fortran {
				return c.made(d.AsType(dtype), nil)
			}
			return c.made(copyIn(d.AsType(dtype), fortran), nil)
		}, "dtype: the new type", memoryParam, "casting=\"unsafe\": which conversions are allowed: see np.can_cast",
		"subok=True: accepted: there are no other arrays", "copy=True: False to return the array itself where that can be"),
	method("reshape", "The elements in another shape: a view where that can be. One length may be -1.",
		"np.arange(4).reshape(2, 2) # array([[0, 1],\n       [2, 3]])", func(c *call) (starlark.Value, error) {
			shape, err := shapeArgs(c)
			if err != nil {
				return nil, err
			}
			fortran, err := c.fortran(1, c.self().d)
			if err != nil {
				return nil, err
			}
			return c.selfView(reshapeIn(c.self().d, shape, fortran))
		}, "*shape: the lengths, or one tuple of them", layoutParam),
	method("ravel", "The elements as a vector: a view where that can be.",
		"np.eye(2).ravel() # array([1., 0., 0., 1.])", func(c *call) (starlark.Value, error) {
			return c.selfView(c.raveled(0, c.self().d))
		}, layoutParam),
	method("flatten", "A copy of the elements as a vector.",
		"np.array([[1, 2], [3, 4]]).flatten(\"F\") # array([1, 3, 2, 4])", func(c *call) (starlark.Value, error) {
			d, err := c.raveled(0, c.self().d)
			if err != nil {
				return nil, err
			}
			return c.made(d.Copy(), nil)
		}, layoutParam),
	method("transpose", "A view with the axes in another order, reversed if none is given.",
		"np.zeros((2, 3)).transpose().shape # (3, 2)", func(c *call) (starlark.Value, error) {
			order, err := shapeArgs(c)
			if err != nil {
				return nil, err
			}
			if len(order) == 0 && c.self().d.Rank() > 0 {
				order = nil
			}
			return c.selfView(transposed(c.self().d, order))
		}, "*axes: all axes, or one tuple of them"),
	method("squeeze", "A view without axes of length 1: the given ones, or all.",
		"np.zeros((1, 3)).squeeze().shape # (3,)", func(c *call) (starlark.Value, error) {
			a := c.self()
			c.v = append(c.v, a)
			return squeezed(c, 1, a.d, 0)
		}, "axis=None: an axis or several"),
	method("copy", "A copy.", "np.zeros(2).copy() # array([0., 0.])", func(c *call) (starlark.Value, error) {
		d := c.self().d
		fortran, err := c.fortran(0, d)
		return c.made(copyIn(d, fortran), err)
	}, "order=\"C\": how the elements are to lie in memory: C, F, or A and K for as they do"),
	resizeMethod,
	method("fill", "Sets every element to a value.", "np.zeros(2).fill(3)", func(c *call) (starlark.Value, error) {
		a := c.self()
		if _, ok := c.v[0].(starlark.Sequence); ok {
			if d, err := ToDense(c.v[0]); err != nil || d.Rank() > 0 {
				return nil, c.wrong(0, "a number")
			}
		}
		return starlark.None, a.SetKey(value.Ellipsis, c.v[0])
	}, "value: a number"),
	method("tolist", "The elements as nested lists of Starlark numbers.",
		"np.array([[1, 2], [3, 4]]).tolist() # [[1, 2], [3, 4]]", func(c *call) (starlark.Value, error) {
			return nested(c.self().d), nil
		}),
	method("item", "An element as a Starlark number: the only one, or that of the given position or index.",
		"np.array([[1, 2], [3, 4]]).item(1, 0) # 3", func(c *call) (starlark.Value, error) {
			d := c.self().d
			index, err := shapeArgs(c)
			switch {
			case err != nil:
				return nil, err
			case len(index) == 0 && d.Size() != 1:
				return nil, fmt.Errorf("got an array of %d elements, want 1; give an index", d.Size())
			case len(index) == 0:
				return number(scalarOf(d)), nil
			case len(index) == 1:
				if d, err = d.Reshape(d.Size()); err != nil {
					return nil, err
				}
			case len(index) != d.Rank():
				return nil, fmt.Errorf("got %d indices, want %d", len(index), d.Rank())
			}
			at := make([]tensor.Index, len(index))
			for i := range index {
				at[i].At = &index[i]
			}
			if d, err = d.Subscript(at...); err != nil {
				return nil, err
			}
			return number(d), nil
		}, "*index: a position in C order, or an index for each axis"),
	method("dot", "The product of vectors and matrices: np.dot(a, b).",
		"np.eye(2).dot([3, 4]) # array([3., 4.])", func(c *call) (starlark.Value, error) {
			return dotOf(c, c.self(), c.v[0])
		}, "b: an array or number"),
	method("round", "The elements rounded to decimals digits after the point, halves to the even digit.",
		"np.array([0.5, 1.5]).round() # array([0., 2.])", func(c *call) (starlark.Value, error) {
			decimals, err := c.int(0, 0)
			if err != nil {
				return nil, err
			}
			return c.result(rounded(c.session, c.self().d, decimals))
		}, "decimals=0: digits after the point"),
	method("clip", "The elements limited to a range.",
		"np.arange(4).clip(1, 2) # array([1, 1, 2, 2])", func(c *call) (starlark.Value, error) {
			return clipped(c, c.self(), 0)
		}, "min=None: the least value", "max=None: the greatest value", "out=None: an array for the result"),
	evalRow("ndarray.", "compress", "The slices along axis for which a condition holds; the elements if there is no axis.",
		"np.array([1, 2, 3]).compress([False, True, True]) # array([2, 3])", func(e *eval) starlark.Value {
			return e.value(e.compressed(e.array(0), e.self().d, 1))
		}, "condition: bools", flatAxis),
}

// shapeArgs reads ints given one by one or as one tuple.
func shapeArgs(c *call) ([]int, error) {
	args := c.v[0].(starlark.Tuple)
	if len(args) == 1 {
		if args[0] == starlark.None {
			return nil, nil
		}
		ints, err := intsOf(args[0])
		return ints, err
	}
	return intsOf(args)
}

// nested returns the elements as lists of lists.
func nested(d *tensor.Dense) starlark.Value {
	if d.Rank() == 0 {
		return number(d)
	}
	elems := make([]starlark.Value, d.Dim(0))
	for i := range elems {
		e, err := d.Subscript(tensor.Index{At: &i})
		if err != nil {
			panic("BUG: " + err.Error())
		}
		elems[i] = nested(e)
	}
	return starlark.NewList(elems)
}
