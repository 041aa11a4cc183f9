package np

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// diagonalArgs are the arguments of np.diagonal.
type diagonalArgs struct {
	A      functions.Operand `arg:"a|x|X: an array"`
	Offset int               `arg:"offset=0: the diagonal; above the main one if positive"`
	Axis1  int               `arg:"axis1=0: the rows"`
	Axis2  int               `arg:"axis2=1: the columns"`
}

// traceArgs are the arguments of np.trace.
type traceArgs struct {
	diagonalArgs
	DType kernels.DType `arg:"dtype=None: the type to add in"`
	OutArg
}

// swapArgs are the arguments of np.swapaxes.
type swapArgs struct {
	A     functions.Operand `arg:"a|x|y: an array"`
	Axis1 int               `arg:"axis1: an axis"`
	Axis2 int               `arg:"axis2: the axis to exchange it with"`
}

// chooseArgs are the arguments of np.choose.
type chooseArgs struct {
	A       functions.Operand   `arg:"a: an array of integers"`
	Choices []functions.Operand `arg:"choices: a list of arrays"`
	OutArg
	Mode string `arg:"mode=\"raise\": what to do with other numbers: raise, wrap or clip"`
}

// sharedMethods are the methods that np has as functions, too, with other examples.
var sharedMethods = []functions.Function{
	Function("ndarray.squeeze", "A view without axes of length 1: the given ones, or all.",
		"np.zeros((1, 3)).squeeze().shape # (3,)", squeezed),
	Function("ndarray.swapaxes", "A view with two axes exchanged.", "np.zeros((2, 3)).swapaxes(0, 1).shape # (3, 2)", swapped),
	Function("ndarray.trace", "The sum along a diagonal.", "np.eye(3).trace() # 3.0", Traced),
	Function("ndarray.diagonal", "A view of a diagonal, as the last axis.", "np.eye(2).diagonal() # array([1., 1.])", diagonal),
	Function("ndarray.conj", "The complex conjugate: of real numbers, themselves.", "np.eye(1).conj() # array([[1.]])",
		func(e *Eval, a *ArrayArg) starlark.Value {
			return e.Viewed(a.A.Value, e.Permute(a.A.D, CountTo(a.A.D.Rank())))
		}),
	Function("ndarray.choose", "For each element, a number of a choice, the element of that choice.",
		"np.array([1, 0]).choose([[1, 2], [10, 20]]) # array([10,  2])", chosen),
	Function("ndarray.view", "A view of the array.", "np.arange(2).view() # array([0, 1])", func(e *Eval, a *struct {
		ArrayArg
		DType kernels.DType `arg:"dtype=None: another type to see the same bytes as"`
	}) starlark.Value {
		return e.Viewed(a.A.Value, e.seenAs(a.A.D, cmp.Or(a.DType, a.A.D.DType())))
	}),
	Function("ndarray.tobytes", "The elements in C order as bytes.",
		"np.array([1, 2], dtype=\"uint8\").tobytes() # b\"\\x01\\x02\"", func(e *Eval, a *ArrayArg) starlark.Value {
			d := a.A.D.Copy()
			return starlark.Bytes(tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset())))
		}),
	Function("ndarray.itemset", "Sets an element: the only one, or that of a position or an index.",
		"np.zeros(2).itemset(1, 5)", itemSet),
}

// diagonalFor is the diagonal that arguments name.
func (e *Eval) diagonalFor(a *diagonalArgs) *tensor.Dense {
	rank := a.A.D.Rank()
	return e.diagonalOf(a.A.D, a.Offset, e.AxisOf(a.Axis1, rank), e.AxisOf(a.Axis2, rank))
}

func diagonal(e *Eval, a *diagonalArgs) starlark.Value { return e.Viewed(a.A.Value, e.diagonalFor(a)) }

// diagonalVariable is the symbolic half of diagonal.
func diagonalVariable(g *functions.Graph, a *diagonalArgs) (functions.V, error) {
	return formula.Diagonal(g.Builder, a.A.V, a.Offset, a.Axis1, a.Axis2)
}

// Traced is the sum along a diagonal.
func Traced(e *Eval, a *traceArgs) starlark.Value {
	if a.A.D.Rank() < 2 {
		e.Fail("got %d dimensions, want at least 2", a.A.D.Rank())
		return nil
	}
	d := e.As(a.DType, e.diagonalFor(&a.diagonalArgs))
	if e.Failed() {
		return nil
	}
	return e.Result(e.As(a.DType, e.Reduce("sum", d, tensor.AxesOf(d.Rank()-1))))
}

// TracedVariable is the symbolic half of traced.
func TracedVariable(g *functions.Graph, a *traceArgs) (functions.V, error) {
	d, err := diagonalVariable(g, &a.diagonalArgs)
	if err != nil {
		return nil, err
	}
	d = formula.Cast(g.Builder, d, a.DType)
	return formula.Cast(g.Builder, g.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(d.Type.Rank() - 1)}, d), a.DType), nil
}

// swappedVariable is the symbolic half of swapped.
func swappedVariable(g *functions.Graph, a *swapArgs) (functions.V, error) {
	return formula.SwapAxes(g.Builder, a.A.V, a.Axis1, a.Axis2)
}

// seenAs is a view of the same bytes as another type.
func (e *Eval) seenAs(d *tensor.Dense, to kernels.DType) *tensor.Dense {
	if to == d.DType() {
		return e.Permute(d, CountTo(d.Rank()))
	}
	last, have, want := d.Rank()-1, d.DType().Size(), to.Size()
	if have != want && (last < 0 || d.Strides()[last] != have || d.Dim(last)*have%want != 0) {
		e.Fail("elements of %d bytes cannot be seen as %v along the last axis", have, to)
	}
	if to.IsBool() { // any byte but 0 and 1 is no bool
		e.Fail("bytes cannot be seen as bool; use a != 0")
	}
	if e.Failed() {
		return nil
	}
	shape, strides := slices.Clone(d.Shape()), slices.Clone(d.Strides())
	if have != want {
		shape[last], strides[last] = shape[last]*have/want, want
	}
	return d.View(to, shape, strides, d.Offset())
}

type itemSetArgs struct {
	ArrayArg
	Args starlark.Tuple `arg:"*args: an index and a number"`
}

func itemSet(e *Eval, a *itemSetArgs) starlark.Value {
	self, args := a.A.Value.(*Array), a.Args
	if len(args) == 0 || len(args) > 1+self.D.Rank() {
		e.Fail("got %d arguments, want an index and a number", len(args))
		return nil
	}
	index, v := starlark.Value(args[:len(args)-1]), args[len(args)-1]
	if len(args) == 2 {
		position, ok := AsInt(args[0])
		n := self.D.Size()
		switch t, isTuple := args[0].(starlark.Tuple); {
		case isTuple:
			index = t
		case !ok || position < -n || position >= n:
			e.Fail("got %s, want a position of %d elements", value.Repr(args[0]), n)
			return nil
		default:
			at := make(starlark.Tuple, self.D.Rank())
			rest := modulo(position, n)
			for axis := len(at) - 1; axis >= 0; axis-- {
				at[axis] = starlark.MakeInt(rest % self.D.Dim(axis))
				rest /= self.D.Dim(axis)
			}
			index = at
		}
	}
	if err := self.SetKey(index, v); err != nil {
		e.Fail("%w", err)
	}
	return starlark.None
}

// setShape is a.shape = v: the same memory in another shape.
func (a *Array) setShape(v starlark.Value) error {
	if a.isFrozen() {
		return a.Writable()
	}
	shape, err := IntsOf(v)
	if err != nil {
		return fmt.Errorf("ndarray.shape: %w", err)
	}
	z, err := reshape(a.D, shape)
	if err != nil {
		return fmt.Errorf("ndarray.shape: %w", err)
	}
	if !tensor.SharesMemory(z, a.D) {
		return errors.New("ndarray.shape: the elements do not lie in C order; use a.reshape(shape), which copies")
	}
	a.D = z
	return nil
}

// setFlat is a.flat = v: the elements in C order, from v's first again if they do not suffice.
func (a *Array) setFlat(v starlark.Value) error {
	if err := a.Writable(); err != nil {
		return err
	}
	src, err := ToDenseAs(v, a.D.DType())
	switch {
	case err != nil:
		return fmt.Errorf("ndarray.flat: %w", err)
	case src.Size() == 0 && a.D.Size() > 0:
		return fmt.Errorf("ndarray.flat: got no values, want at least one")
	case a.D.Size() == 0:
		return nil
	}
	if src, err = src.Reshape(src.Size()); err != nil {
		return err
	}
	at := make([]int64, a.D.Size())
	for i := range at {
		at[i] = int64(i % src.Size())
	}
	if src, err = tensor.Take(src, tensor.From(at, a.D.Shape()...), 0, tensor.Raise, StopOf(a.session)); err == nil {
		tensor.CopyTo(a.D, src)
	}
	return err
}

// flagsValue is a.flags: truths by the names that NumPy has, as attributes in small letters and as
// keys in capitals.
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
	c, fortran := a.D.IsContiguous(), a.D.Transpose().IsContiguous()
	return flagsValue{&limitsValue{"flags", map[string]starlark.Value{
		"c_contiguous": starlark.Bool(c), "f_contiguous": starlark.Bool(fortran), "contiguous": starlark.Bool(c),
		"forc": starlark.Bool(c || fortran), "fnc": starlark.Bool(fortran && !c), "owndata": starlark.Bool(a.base == nil),
		"writeable": starlark.Bool(!a.isFrozen()), "aligned": starlark.True,
	}}}
}

// flat is the elements as a vector. If they do not lie in C order it is a copy, and frozen: what is
// assigned would be lost.
func (a *Array) flat() (starlark.Value, error) {
	z, err := a.D.Reshape(a.D.Size())
	if err != nil {
		return nil, err
	}
	if tensor.SharesMemory(z, a.D) {
		return a.view(z), nil
	}
	v := NewArray(a.session, z)
	v.Freeze()
	return v, nil
}
