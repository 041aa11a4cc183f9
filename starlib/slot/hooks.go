package slot

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Hooks is what is asked of values of which this package knows nothing. It is set before programs
// run. Any of them may run code of the program, which may change the container that asks.
var Hooks struct {
	// Double is the value of a double.
	Double func(f float64) starlark.Value
	// Complex is the value of a complex number that is written.
	Complex func(c complex128) starlark.Value
	// Hash is hash(v) as in Python: values that equal an int or float have its Hash.
	Hash func(v starlark.Value) (int64, error)
	// Equal is x == y, for keys and for what is looked for in lists.
	Equal func(x, y starlark.Value) (bool, error)
	// Compare is x op y inside of a comparison of containers, down to the given depth.
	Compare func(op syntax.Token, x, y starlark.Value, depth int) (bool, error)
	// Call calls a function on a thread.
	Call func(thread *starlark.Thread, fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
		starlark.Value, error)
	// Repr is repr(v) of a container.
	Repr func(v starlark.Value) string
}

func init() {
	Hooks.Hash = starlarkHash
	Hooks.Call = starlark.Call
	Hooks.Equal = func(x, y starlark.Value) (bool, error) {
		return compare(syntax.EQL, x, y, starlark.CompareLimit)
	}
	Hooks.Compare = compare
	Hooks.Repr = repr
}

// starlarkHash undoes what Starlark makes of a small int n to hash it, 12582917 * (n + 3) modulo
// 2^32: a value whose Hash is that of an int to Starlark is found by the int.
func starlarkHash(v starlark.Value) (int64, error) {
	const inverse = 2920074445 // of 12582917 modulo 2^32
	h, err := v.Hash()
	return int64(int32(h*inverse - 3)), err
}

// compare is Starlark's comparison with numbers and tuples compared as in Python.
func compare(op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
	if holds, known := compareBasic(op, Of(x), Of(y)); known {
		return holds, nil
	}
	if a, ok := x.(starlark.Tuple); ok {
		if b, ok := y.(starlark.Tuple); ok {
			return compareSequences(op, tuple(a), tuple(b), depth)
		}
	}
	return starlark.CompareDepth(op, x, y, depth)
}
