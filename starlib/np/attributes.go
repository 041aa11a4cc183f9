package np

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// methodOf is a row for a method that computes with an eval. Its result is a view where it lies in the receiver's memory.
func methodOf(name, doc, example string, fn func(e *eval, a *tensor.Dense) *tensor.Dense, params ...string) value.Builtin {
	return evalRow("ndarray.", name, doc, example, func(e *eval) starlark.Value {
		a := e.self()
		z := fn(e, a.d)
		if e.failed() {
			return nil
		}
		if z.Rank() == 0 && !tensor.SharesMemory(a.d, z) {
			return e.value(z)
		}
		return e.repeated(a, z)
	}, params...)
}

// sharedMethods are the methods that np has as functions, too.
var sharedMethods = []value.Builtin{
	methodOf("swapaxes", "A view with two axes exchanged.", "np.zeros((2, 3)).swapaxes(0, 1).shape # (3, 2)",
		func(e *eval, a *tensor.Dense) *tensor.Dense { return e.swapped(a, 0) }, "axis1: an axis", "axis2: the axis to exchange it with"),
	methodOf("trace", "The sum along a diagonal.", "np.eye(3).trace() # 3.0",
		func(e *eval, a *tensor.Dense) *tensor.Dense { return e.trace(a, 0) }, traceParams...),
	methodOf("diagonal", "A view of a diagonal, as the last axis.", "np.eye(2).diagonal() # array([1., 1.])",
		func(e *eval, a *tensor.Dense) *tensor.Dense {
			return e.diagonalOf(a, e.int(0, 0), e.axis(1, 0, a.Rank()), e.axis(2, 1, a.Rank()))
		}, traceParams...),
	methodOf("conj", "The complex conjugate: of real numbers, themselves.", "np.eye(1).conj() # array([[1.]])",
		func(e *eval, a *tensor.Dense) *tensor.Dense { return e.permute(a, countTo(a.Rank())) }),
	methodOf("choose", "For each element, a number of a choice, the element of that choice.",
		"np.array([1, 0]).choose([[1, 2], [10, 20]]) # array([10,  2])", func(e *eval, a *tensor.Dense) *tensor.Dense {
			return e.choose(a, e.arrays(0), e.text(1, "raise", "raise", "wrap", "clip"))
		}, "choices: a list of arrays", "mode=\"raise\": what to do with other numbers: raise, wrap or clip"),
	methodOf("view", "A view of the array.", "np.arange(2).view() # array([0, 1])", func(e *eval, a *tensor.Dense) *tensor.Dense {
		to := e.dtype(0, a.DType())
		z := e.permute(a, countTo(a.Rank()))
		have, want := a.DType().Size(), to.Size()
		if to == a.DType() || e.failed() {
			return z
		}
		last := a.Rank() - 1
		if have != want && (last < 0 || a.Strides()[last] != have || a.Dim(last)*have%want != 0) {
			e.fail("elements of %d bytes cannot be seen as %v along the last axis", have, to)
		}
		if to.IsBool() || e.failed() { // any byte but 0 and 1 is no bool
			e.fail("bytes cannot be seen as bool; use a != 0")
			return nil
		}
		shape, strides := slices.Clone(a.Shape()), slices.Clone(a.Strides())
		if have != want {
			shape[last], strides[last] = shape[last]*have/want, want
		}
		return a.View(to, shape, strides, a.Offset())
	}, "dtype=None: another type to see the same bytes as"),
	evalRow("ndarray.", "nonzero", "The indices of the elements that are not 0, along each axis, as a tuple.",
		"np.array([0, 5, 7]).nonzero() # (array([1, 2]),)", func(e *eval) starlark.Value { return e.positions(e.self().d) }),
	evalRow("ndarray.", "tobytes", "The elements in C order as bytes.",
		"np.array([1, 2], dtype=\"uint8\").tobytes() # b\"\\x01\\x02\"",
		func(e *eval) starlark.Value {
			d := e.self().d.Copy()
			return starlark.Bytes(tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset())))
		}),
	evalRow("ndarray.", "itemset", "Sets an element: the only one, or that of a position or an index.",
		"np.zeros(2).itemset(1, 5)", func(e *eval) starlark.Value {
			a, args := e.self(), e.v[0].(starlark.Tuple)
			if len(args) == 0 || len(args) > 1+a.d.Rank() {
				e.fail("got %d arguments, want an index and a number", len(args))
				return nil
			}
			index, v := starlark.Value(args[:len(args)-1]), args[len(args)-1]
			if len(args) == 2 {
				position, ok := asInt(args[0])
				n := a.d.Size()
				switch t, isTuple := args[0].(starlark.Tuple); {
				case isTuple:
					index = t
				case !ok || position < -n || position >= n:
					e.fail("got %s, want a position of %d elements", value.Repr(args[0]), n)
					return nil
				default:
					at := make(starlark.Tuple, a.d.Rank())
					rest := modulo(position, n)
					for axis := len(at) - 1; axis >= 0; axis-- {
						at[axis] = starlark.MakeInt(rest % a.d.Dim(axis))
						rest /= a.d.Dim(axis)
					}
					index = at
				}
			}
			if err := a.SetKey(index, v); err != nil {
				e.fail("%w", err)
			}
			return starlark.None
		}, "*args: an index and a number"),
}

// setShape is a.shape = v: the same memory in another shape.
func (a *Array) setShape(v starlark.Value) error {
	if a.mem.frozen {
		return a.writable()
	}
	shape, err := intsOf(v)
	if err != nil {
		return fmt.Errorf("ndarray.shape: %w", err)
	}
	z, err := reshape(a.d, shape)
	if err != nil {
		return fmt.Errorf("ndarray.shape: %w", err)
	}
	if !tensor.SharesMemory(z, a.d) {
		return errors.New("ndarray.shape: the elements do not lie in C order; use a.reshape(shape), which copies")
	}
	a.d = z
	return nil
}

// setFlat is a.flat = v: the elements in C order, from v's first again if they do not suffice.
func (a *Array) setFlat(v starlark.Value) error {
	if err := a.writable(); err != nil {
		return err
	}
	src, err := ToDenseAs(v, a.d.DType())
	switch {
	case err != nil:
		return fmt.Errorf("ndarray.flat: %w", err)
	case src.Size() == 0 && a.d.Size() > 0:
		return fmt.Errorf("ndarray.flat: got no values, want at least one")
	case a.d.Size() == 0:
		return nil
	}
	if src, err = src.Reshape(src.Size()); err != nil {
		return err
	}
	at := make([]int64, a.d.Size())
	for i := range at {
		at[i] = int64(i % src.Size())
	}
	if src, err = tensor.Take(src, tensor.From(at, a.d.Shape()...), 0, tensor.Raise); err == nil {
		tensor.CopyTo(a.d, src)
	}
	return err
}

// flagsValue is a.flags: truths by the names that NumPy has, as attributes in small letters and as keys in capitals.
type flagsValue struct{ *limitsValue }

var _ starlark.Mapping = flagsValue{}

func (v flagsValue) Get(k starlark.Value) (starlark.Value, bool, error) {
	name, _ := starlark.AsString(k)
	x, ok := v.fields[strings.ToLower(name)]
	if !ok {
		return nil, false, value.NoAttr("flags", name, v.AttrNames())
	}
	return x, true, nil
}

func flagsOf(a *Array) starlark.Value {
	c, fortran := a.d.IsContiguous(), a.d.Transpose().IsContiguous()
	return flagsValue{&limitsValue{"flags", map[string]starlark.Value{
		"c_contiguous": starlark.Bool(c), "f_contiguous": starlark.Bool(fortran), "contiguous": starlark.Bool(c),
		"forc": starlark.Bool(c || fortran), "fnc": starlark.Bool(fortran && !c), "owndata": starlark.Bool(a.base == nil),
		"writeable": starlark.Bool(!a.mem.frozen), "aligned": starlark.True,
	}}}
}

// flat is the elements as a vector. If they do not lie in C order it is a copy, and frozen: what is assigned would be lost.
func (a *Array) flat() (starlark.Value, error) {
	z, err := a.d.Reshape(a.d.Size())
	if err != nil {
		return nil, err
	}
	if tensor.SharesMemory(z, a.d) {
		return a.view(z), nil
	}
	v := NewArray(a.session, z)
	v.Freeze()
	return v, nil
}
