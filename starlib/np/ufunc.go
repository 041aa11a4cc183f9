package np

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A ufuncValue is an elementwise function as users have it: a function with methods, np.add.reduce.
type ufuncValue struct {
	value.Callable
	u *ufunc
}

var (
	_ starlark.Callable = ufuncValue{}
	_ value.Tabled      = ufuncValue{}
)

func (v ufuncValue) Type() string   { return "ufunc" }
func (v ufuncValue) String() string { return "<ufunc '" + v.u.name + "'>" }

func (v ufuncValue) Table() *value.Methods { return ufuncMethods() }
func (v ufuncValue) AttrNames() []string   { return ufuncMethods().Names() }

func (v ufuncValue) Attr(name string) (starlark.Value, error) { return ufuncMethods().Attr(v, name) }

// ufuncFields are the attributes that are no methods.
var ufuncFields = []value.Field{
	value.FieldOf("nin", "The number of operands.", "np.add.nin # 2",
		func(v ufuncValue) starlark.Value { return starlark.MakeInt(v.u.arity()) }),
	value.FieldOf("nout", "The number of results: 1.", "np.add.nout # 1",
		func(ufuncValue) starlark.Value { return starlark.MakeInt(1) }),
	value.FieldOf("identity", "What it gives of no operands; None if there is no such value.", "np.multiply.identity # 1",
		func(v ufuncValue) starlark.Value {
			return OrNone(v.u.identity())
		}),
}

// identity is what u gives of no operands, nil if that is not defined.
func (u *ufunc) identity() starlark.Value {
	x := u.op.Row().Identity
	switch {
	case x == nil:
		return nil
	case u.typing == op.Truths:
		return starlark.Bool(*x != 0)
	case math.IsInf(*x, 0):
		return starlark.Float(*x)
	}
	return starlark.MakeInt(int(*x))
}

// reduction is the reduction with kernels that reduces as u does.
func (u *ufunc) reduction() (op.Reduction, bool) {
	for kind := range op.Reductions {
		if kind.Fold() == u.op && kind.Bools() == (u.typing == op.Truths) {
			return kind, true
		}
	}
	return 0, false
}

var ufuncMethods = sync.OnceValue(func() *value.Methods { return value.NewMethods("ufunc", ufuncTable).With(ufuncFields...) })

var ufuncTable = []value.Builtin{
	EvalRow("ufunc.", "reduce", "The function applied to the elements along an axis, one after the other.",
		"np.subtract.reduce([10, 2, 3]) # 5", ufuncReduce, arrayParam, "axis=0: an axis, several for a function of which the order does "+
			"not matter, or None for all", "dtype=None: the type to compute in", "out=None: an array for the result",
		"keepdims=False: keep the reduced axes with length 1", "initial=None: what to begin with"),
	EvalRow("ufunc.", "accumulate", "The results of applying the function to the first elements along an axis, to one more each time.",
		"np.maximum.accumulate([1, 3, 2, 5]) # array([1, 3, 3, 5])", func(e *Eval) starlark.Value {
			u, x := e.binary(), e.array(0)
			axis := e.axis(1, 0, x.Rank())
			x = e.summed(u, x, 2)
			if kind, ok := u.reduction(); ok && !kind.Bools() && !e.Failed() {
				return e.stored(3, e.Got(tensor.Scan(kind.String(), x, axis, x.DType(), StopOf(e.Session))))
			}
			var parts []*tensor.Dense
			poll := e.Poll()
			for i := 0; !e.Failed() && i < x.Dim(axis); i++ {
				poll.Ask(callWork)
				part := e.At(x, axis, i)
				if i > 0 {
					part = e.Do(u.name, parts[i-1], part)
				}
				parts = append(parts, part)
			}
			if len(parts) == 0 {
				return e.stored(3, x)
			}
			return e.stored(3, e.Stack(axis, parts...))
		}, arrayParam, "axis=0: the axis", "dtype=None: the type to compute in", "out=None: an array for the result"),
	EvalRow("ufunc.", "outer", "The function of every element of A with every element of B.",
		"np.multiply.outer([1, 2], [3, 4]) # array([[3, 4],\n       [6, 8]])", func(e *Eval) starlark.Value {
			u, a, b := e.binary(), e.array(0), e.array(1)
			column := e.Reshape(a, append(slices.Clone(a.Shape()), slices.Repeat([]int{1}, b.Rank())...)...)
			if e.Failed() {
				return nil
			}
			return e.Result(e.Do(u.name, column, b))
		}, "A: an array or number", "B: an array or number"),
	EvalRow("ufunc.", "reduceat",
		"The function applied to the elements along an axis from each index up to the next, one after the other: of an index that the "+
			"next does not exceed, only the element there.",
		"np.add.reduceat([1, 2, 3, 4], [0, 2]) # array([3, 7])", ufuncReduceAt, arrayParam, "indices: positions where parts begin",
		"axis=0: the axis", "dtype=None: the type to compute in", "out=None: an array for the result"),
	EvalRow("ufunc.", "at", "Applies the function to elements of a in place, for one index after the other: a repeated index counts "+
		"every time.", "np.add.at(np.zeros(3), [0, 0, 2], 1)", ufuncAt,
		"a: an array", "indices: an index for each application, or a tuple of such for the axes", "b=None: the second operand"),
}

// self returns the function that a method was called on.
func (e *Eval) ufunc() *ufunc { return e.Receiver().(ufuncValue).u }

// binary is ufunc for methods of functions of two operands.
func (e *Eval) binary() *ufunc {
	u := e.ufunc()
	if u.arity() != 2 {
		e.Fail("got np.%s, a function of %d operands, want one of 2", u.name, u.arity())
	}
	return u
}

// summed gives x the type of argument i, or that which sums and products of integers have.
func (e *Eval) summed(u *ufunc, x *tensor.Dense, i int) *tensor.Dense {
	to := x.DType()
	if kind, ok := u.reduction(); ok {
		to = kind.Result(to)
	}
	if to = e.dtype(i, to); to != x.DType() {
		return x.AsType(to)
	}
	return x
}

func (e *Eval) stored(i int, d *tensor.Dense) starlark.Value {
	if e.Failed() {
		return nil
	}
	v, err := e.store(i, d, nil)
	return Keep(e, v, err, nil)
}

func ufuncReduce(e *Eval) starlark.Value {
	u, x := e.binary(), e.array(0)
	axes := tensor.AllAxes(x.Rank())
	switch {
	case e.V[1] == starlark.None:
	case e.given(1):
		var err error
		axes, err = e.reducedAxes(1, x.Rank())
		Keep(e, axes, err, tensor.Axes{})
	case x.Rank() == 0:
	default:
		axes = tensor.AxesOf(0)
	}
	x = e.summed(u, x, 2)
	keepDims := e.bool(4, false)
	if e.Failed() {
		return nil
	}
	z := x
	if kind, ok := u.reduction(); ok {
		z = e.Reduce(kind.String(), x, axes)
	} else {
		list := axes.List()
		for i := len(list) - 1; i >= 0; i-- {
			z = e.foldAlong(u, z, list[i])
		}
	}
	if e.given(5) {
		z = e.Do(u.name, e.V[5], z)
	}
	if keepDims {
		z = e.Permute(z, op.Restore(axes, x.Rank()))
	}
	return e.stored(3, z)
}

// foldAlong applies u to the elements along an axis from the first on.
func (e *Eval) foldAlong(u *ufunc, x *tensor.Dense, axis int) *tensor.Dense {
	if e.Failed() {
		return x
	}
	if x.Dim(axis) == 0 {
		first := u.identity()
		if first == nil {
			e.Fail("got no elements: np.%s has no identity", u.name)
			return x
		}
		z := tensor.New(x.DType(), withoutAxes(x.Shape(), tensor.AxesOf(axis))...)
		return e.Do(u.name, e.Do("multiply", z, 0), first)
	}
	z := e.At(x, axis, 0)
	poll := e.Poll()
	for i := 1; i < x.Dim(axis); i++ {
		poll.Ask(callWork)
		z = e.Do(u.name, z, e.At(x, axis, i))
	}
	return z
}

func ufuncReduceAt(e *Eval) starlark.Value {
	u, x, at := e.binary(), e.array(0), e.array(1)
	axis := e.axis(2, 0, x.Rank())
	if at.Rank() != 1 || !at.DType().IsInteger() && at.Size() > 0 {
		e.failAt(1, "got %v of shape %s, want a vector of integers", at.DType(), tensor.ShapeString(at.Shape()))
	}
	x = e.summed(u, x, 3)
	if e.Failed() {
		return nil
	}
	n, starts := x.Dim(axis), at.Ints()
	parts := []*tensor.Dense{}
	poll := e.Poll()
	for i, start := range starts {
		poll.Ask(callWork)
		if start < 0 || start >= int64(n) {
			e.failAt(1, "index %d is out of bounds for axis %d of length %d", start, axis, n)
			return nil
		}
		end := n
		if i+1 < len(starts) {
			end = int(max(min(starts[i+1], int64(n)), start+1))
		}
		parts = append(parts, e.foldAlong(u, e.Part(x, axis, int(start), end), axis))
	}
	if len(parts) == 0 {
		return e.stored(4, e.Part(x, axis, 0, 0))
	}
	return e.stored(4, e.Stack(axis, parts...))
}

var errAt = errors.New("got indices that are no integers; at takes integers, a list of them, or a tuple of such for the axes")

// callWork is the work of a call that computes one element, in elements that are moved.
const callWork = 1 << 8

func ufuncAt(e *Eval) starlark.Value {
	u := e.ufunc()
	a, ok := e.V[0].(*Array)
	if !ok {
		e.Err = e.wrong(0, "ndarray")
		return nil
	}
	if u.arity() > 2 || e.given(2) != (u.arity() == 2) {
		e.Fail("got np.%s, a function of %d operands: want b for one of 2 and none for one of 1", u.name, u.arity())
	}
	e.Got(a.D, a.Writable())
	parts, ok := e.V[1].(starlark.Tuple)
	if !ok {
		parts = starlark.Tuple{e.V[1]}
	}
	indices := make([]*tensor.Dense, len(parts))
	for i, p := range parts {
		d, err := ToDense(p)
		if err == nil && !d.DType().IsInteger() {
			err = errAt
		}
		indices[i] = e.Got(d, err)
	}
	indices = e.Broadcast(indices...)
	if e.Failed() {
		return nil
	}
	at := make([][]int64, len(indices))
	for i, d := range indices {
		at[i] = d.Ints()
	}
	if len(at) == 0 || len(at) > a.D.Rank() {
		e.Fail("got %d indices, want 1 to %d", len(at), a.D.Rank())
		return nil
	}
	var b *tensor.Dense
	if u.arity() == 2 {
		shape := append(slices.Clone(indices[0].Shape()), a.D.Shape()[len(at):]...)
		d, err := ToDense(e.V[2])
		if err == nil {
			d, err = FitShape(d, shape)
		}
		if d = e.Got(d, err); e.Failed() {
			return nil
		}
		d, _ = d.BroadcastTo(shape)
		b = e.Reshape(d, append([]int{len(at[0])}, a.D.Shape()[len(at):]...)...)
	}
	poll := e.Poll()
	for k := 0; k < len(at[0]) && !e.Failed(); k++ {
		poll.Ask(callWork)
		index := make([]tensor.Index, len(at))
		for i := range at {
			n := int(at[i][k])
			index[i] = tensor.Index{At: &n}
		}
		place := e.Got(a.D.Subscript(index...))
		args := []any{place}
		if b != nil {
			args = append(args, e.At(b, 0, k))
		}
		z := e.Do(u.name, args...)
		if !e.Failed() && !sameKind(z.DType(), a.D.DType()) {
			e.Fail("got %v, which an array of %v does not hold", z.DType(), a.D.DType())
		}
		if !e.Failed() {
			tensor.CopyTo(place, z)
		}
	}
	return starlark.None
}

// ufuncParams are the parameters that elementwise functions have after their operands.
var ufuncParams = []string{"out=None: an array for the result", "*:",
	"where=True: bools; where they are False out keeps its elements",
	"dtype=None: the type to compute in"}

// arity is the number of operands.
func (u *ufunc) arity() int { return u.op.Kernel().Arity }

// isComparison reports whether u compares: the operands then keep their types.
func (u *ufunc) isComparison() bool { return u.op >= op.Eq && u.op <= op.Ge }

// callWith is call with the parameters of ufuncParams.
func (u *ufunc) callWith(c *Call) (starlark.Value, error) {
	n := u.arity()
	args, out, where, dtype := c.V[:n], c.V[n], c.V[n+2], c.V[n+3]
	if where == starlark.True {
		where = nil
	}
	if out == nil && where == nil && dtype == nil {
		return u.call(c.Session, args)
	}
	operands, err := operandsOf(args)
	if err != nil {
		return nil, err
	}
	if dtype != nil {
		d, err := DtypeArg(dtype)
		if err != nil {
			return nil, err
		}
		for i := u.op.Row().From; i < n; i++ {
			if x := operands[i]; x.d == nil {
				operands[i].d, err = weakAs(x.Weak, d)
			} else {
				operands[i].d = x.d.AsType(d)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	var into *tensor.Dense
	to, ok := out.(*Array)
	if ok && where == nil && to.Writable() == nil {
		into = to.D
	}
	z, err := u.applyInto(into, false, c.Session, operands)
	switch {
	case err != nil:
		return nil, err
	case z == into:
		return to, nil
	}
	return c.store(n, z, where)
}

// store is stored for argument i.
func (c *Call) store(i int, z *tensor.Dense, where starlark.Value) (starlark.Value, error) {
	return c.stored(c.V[i], z, where)
}

// stored returns z or, if it is given, the array out with the elements of z in it where the mask is
// true.
func (c *Call) stored(out starlark.Value, z *tensor.Dense, where starlark.Value) (starlark.Value, error) {
	if out == nil {
		if where != nil {
			mask, err := ToDenseAs(where, kernels.Bool)
			if err != nil {
				return nil, fmt.Errorf("for parameter where: %w", err)
			}
			if slices.Contains(tensor.Elements[uint8](mask.Copy()), 0) {
				return nil, fmt.Errorf("got where without out: elements where it is False would be undefined; use out=, or np.where")
			}
			shape, err := tensor.CommonShape(z, mask)
			if err != nil {
				return nil, fmt.Errorf("for parameter where: %w", err)
			}
			if wide, _ := z.BroadcastTo(shape); len(shape) > z.Rank() || !slices.Equal(shape, z.Shape()) {
				z = wide.Copy()
			}
		}
		return FromDenseIn(c.Session, z), nil
	}
	to, err := c.WritableOut(out)
	if err != nil {
		return nil, err
	}
	if !sameKind(z.DType(), to.D.DType()) {
		return nil, fmt.Errorf("for parameter out: got %v, want a type that holds %v; use dtype=, or .astype of the result",
			to.D.DType(), z.DType())
	}
	wide, ok := z.BroadcastTo(to.D.Shape())
	if !ok {
		return nil, fmt.Errorf("for parameter out: got shape %s, want %s", tensor.ShapeString(to.D.Shape()),
			tensor.ShapeString(z.Shape()))
	}
	if where != nil {
		mask, err := ToDenseAs(where, kernels.Bool)
		if err != nil {
			return nil, fmt.Errorf("for parameter where: %w", err)
		}
		if wide, err = ufuncs["where"].on(c.Session, mask, wide.AsType(to.D.DType()), to.D); err != nil {
			return nil, err
		}
		if wide.Rank() != to.D.Rank() {
			return nil, fmt.Errorf("for parameter where: shape %s does not broadcast to that of out, %s",
				tensor.ShapeString(mask.Shape()), tensor.ShapeString(to.D.Shape()))
		}
	}
	poll := c.Poll()
	poll.CopyTo(to.D, wide)
	return to, nil
}

// WritableOut is the array that a result is to be put into, or the only one of a tuple.
func (c *Call) WritableOut(out starlark.Value) (*Array, error) {
	if t, ok := out.(starlark.Tuple); ok && len(t) == 1 {
		out = t[0]
	}
	to, ok := out.(*Array)
	if !ok {
		return nil, fmt.Errorf("for parameter out: got %s, want ndarray", out.Type())
	}
	return to, to.Writable()
}

// SameKind reports whether an array may be stored as another type of its kind; a number if that
// type holds it.
func SameKind(d *tensor.Dense, to kernels.DType) bool { return sameKind(smallestType(d), to) }

// sameKind reports whether NumPy converts from one type to another without being asked to: never
// from a float to an integer, nor from either to bool, nor from a signed integer to an unsigned
// one.
func sameKind(from, to kernels.DType) bool {
	rank := func(d kernels.DType) int {
		switch {
		case d.IsBool():
			return 0
		case d.IsFloat():
			return 3
		case d.IsSigned():
			return 2
		}
		return 1
	}
	return rank(from) <= rank(to)
}
