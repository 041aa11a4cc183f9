package np

import (
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var (
	_ value.Recyclable = (*Array)(nil)
	_ value.Operation  = ufuncValue{}
)

// Own is the array's place among registers.
func (a *Array) Own() *slot.Own {
	a.own.Of = a
	return &a.own
}

// Reads reports whether an attribute holds no part of the array but as views do.
func (a *Array) Reads(name string) bool {
	switch name {
	case "T", "shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides":
		return true
	}
	return false
}

// Reduced is what a method without arguments makes of all elements, if that is a number.
func (a *Array) Reduced(method string) (starlark.Value, bool) {
	switch method {
	case "sum", "mean", "max", "min", "std", "var", "prod":
	default:
		return nil, false
	}
	f, err := a.Attr(method)
	if err != nil || a.D.Size() == 0 || a.session == nil {
		return nil, false
	}
	z, err := f.(starlark.Callable).CallInternal(a.session.Current(), nil, nil)
	return z, err == nil
}

// BinaryInto is Binary, whose result may be into: an array that nobody has when it is there. What
// takes long enough to be interrupted goes elsewhere.
func (a *Array) BinaryInto(op syntax.Token, y starlark.Value, side starlark.Side, into value.Recyclable) (
	starlark.Value, error) {
	z, ok := into.(*Array)
	if !ok || z.D.Rank() == 0 || z.IsFrozen() || !z.D.IsUnique() || !z.D.IsContiguous() {
		z = nil
	}
	return a.operate(operators[op], op, y, side, z)
}

// Lend returns the array's elements for the time of a call, which keeps nothing of them.
func (a *Array) Lend() *tensor.Dense { return a.D }

// Apart reports whether z, which was just taken from a, is an array with memory of its own.
func (a *Array) Apart(z starlark.Value) bool {
	b, ok := z.(*Array)
	return ok && b.base == nil && b.D.Buffer() != a.D.Buffer() && b.D.IsUnique()
}

// Take returns the elements of an array that was computed for the call that takes it, for a value
// that lasts; nil if others have the memory too, or a is of any other array.
func Take(v starlark.Value) *tensor.Dense {
	a, ok := v.(*Array)
	if !ok || !a.temporary || a.IsFrozen() || !a.D.IsUnique() || !a.D.IsContiguous() {
		return nil
	}
	a.temporary, a.own.By = false, slot.Nobody
	return a.D
}

// Pin says that others than values of the language may refer to the elements.
func (a *Array) Pin() {
	a.temporary = false
	a.D.Buffer().Pin()
}

// MarkDying says that the operation that takes the array next is the last that does.
func (a *Array) MarkDying() { a.temporary = true }

// Release gives the memory back, unless views or others refer to it. Nobody refers to a any more.
func (a *Array) Release() {
	a.own.By = slot.Nobody
	if a.IsFrozen() || !a.D.IsUnique() {
		return
	}
	a.D.Recycle()
	if !tensor.Poison {
		*a = Array{} // which is not used again: registers that nobody reads any more may still refer to its Own
	}
}

// releaseTemporaries gives back the memory of operands of an operation that no other takes; z is
// its result.
func releaseTemporaries(args []starlark.Value, z starlark.Value) {
	for _, x := range args {
		if a, ok := x.(*Array); ok && a.temporary {
			if z, ok := z.(*Array); !ok || z.D.Buffer() != a.D.Buffer() {
				a.Release()
			}
		}
	}
}

// RetainsNone reports whether a call keeps no argument and its result is new.
func (v ufuncValue) RetainsNone(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	return len(kwargs) == 0 && len(args) == v.u.arity()
}

// Operate is a call with arrays and numbers, as operators are.
func (v ufuncValue) Operate(args starlark.Tuple) starlark.Value {
	if len(args) != v.u.arity() {
		return nil
	}
	var session value.Host
	for _, x := range args {
		switch x := x.(type) {
		case *Array:
			session = x.session
		case Scalar, starlark.Int, starlark.Float:
		default:
			return nil
		}
	}
	if session == nil {
		return nil
	}
	z, err := v.u.asOperator(session, args, nil)
	if err != nil {
		return nil
	}
	return z
}

// NonRetaining has functions and methods forget arrays that they were given: see
// value.NonRetaining. What they did with them holds the memory no longer. An array that was
// computed for the call is given back.
func NonRetaining(rows []value.Builtin) []value.Builtin {
	for i := range rows {
		row := &rows[i]
		row.RetainsNone = true
		fn := row.Fn
		row.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var few [4]lent
			list := few[:0]
			if self, ok := b.Receiver().(*Array); ok {
				list = append(list, lend(self))
			}
			for _, x := range args {
				if a, ok := x.(*Array); ok {
					list = append(list, lend(a))
				}
			}
			z, err := fn(thread, b, args, kwargs)
			if err != nil || len(list) == 0 || !(value.Callable{Builtin: b}).RetainsNone(args, kwargs) {
				return z, err
			}
			var of *tensor.Buffer
			switch z := z.(type) {
			case *Array:
				of = z.D.Buffer()
			case Scalar, starlark.Int, starlark.Float, starlark.Bool:
			default: // it may be made of them
				return z, nil
			}
			for _, x := range list {
				if x.buffer != of {
					x.buffer.Unpin(x.claims)
				}
			}
			for i, x := range list {
				if x.temporary && x.buffer != of && !slices.ContainsFunc(list[:i], func(y lent) bool { return y.array == x.array }) {
					x.array.Release()
				}
			}
			return z, nil
		}
	}
	return rows
}

// lent is an array for a call, with the claims that its memory had before. The function may take it
// more than once, so that it is no temporary meanwhile.
type lent struct {
	array     *Array
	buffer    *tensor.Buffer
	claims    int32
	temporary bool
}

func lend(a *Array) lent {
	x := lent{a, a.D.Buffer(), a.D.Buffer().Claims(), a.temporary}
	a.temporary = false
	return x
}
