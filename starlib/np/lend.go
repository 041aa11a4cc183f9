package np

import (
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var (
	_ value.Lender    = (*Array)(nil)
	_ value.Forgetful = ufuncValue{}
)

// Lend returns the array's elements for the time of a call, which keeps nothing of them.
func (a *Array) Lend() *tensor.Dense { return a.d }

// Hold says that others than values of the language may refer to the elements.
func (a *Array) Hold() { a.d.Buffer().Hold() }

// Temporary says that the operation that takes the array next is the last that does.
func (a *Array) Temporary() { a.temporary = true }

// Release gives the memory back, unless views or others refer to it. Nobody refers to a any more.
func (a *Array) Release() {
	if !a.isFrozen() {
		a.d.Release()
	}
}

// releaseTemporaries gives back the memory of operands of an operation that no other takes; z is its result.
func releaseTemporaries(args []starlark.Value, z starlark.Value) {
	for _, x := range args {
		if a, ok := x.(*Array); ok && a.temporary {
			if z, ok := z.(*Array); !ok || z.d.Buffer() != a.d.Buffer() {
				a.Release()
			}
		}
	}
}

// Forgets reports whether a call keeps no argument and its result is new.
func (v ufuncValue) Forgets(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	return len(kwargs) == 0 && len(args) == v.u.arity()
}

// forgetful says of rows that they keep no argument: see value.Forgetful.
func forgetful(rows []value.Builtin) []value.Builtin {
	for i := range rows {
		rows[i].Forgets = true
	}
	return rows
}

// releases has a method give back the memory of an array that was computed for it.
func releases(row *value.Builtin) {
	fn := row.Fn
	row.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		z, err := fn(thread, b, args, kwargs)
		if a, ok := b.Receiver().(*Array); ok && a.temporary && err == nil {
			releaseTemporaries([]starlark.Value{a}, z)
		}
		return z, err
	}
}
