package np

import (
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Overloads are what computes calls that functions of real arrays refuse, of arguments that these
// do not know: complex numbers. They are asked after an error only, so that calls of real arrays
// are what they are without them.
type Overloads struct {
	// Type is the name of the element type of a value that is for them, "" of any other.
	Type func(v starlark.Value) string
	// Call is a call of a function, "np.exp", or of a method, "ndarray.sum"; known is false if no
	// argument is for them.
	Call func(thread *starlark.Thread, name string, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (z starlark.Value, known bool, err error)
	// Array is complex numbers in pairs, along a last axis of 2, as an array.
	Array func(s value.Host, pairs *tensor.Dense) starlark.Value
	// Operator is the elementwise function of an operator; nil if no operand is for them.
	Operator func(s value.Host, name string, x, y starlark.Value) (starlark.Value, error)
}

var overloads Overloads

// Overload gives np what computes calls that it refuses, when the program starts.
func Overload(o Overloads) bool {
	overloads = o
	return true
}

// overloaded is a call that has failed with err.
func overloaded(thread *starlark.Thread, name string, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, err error) (starlark.Value, error) {
	if overloads.Call != nil {
		if z, known, otherwise := overloads.Call(thread, name, b, args, kwargs); known {
			return z, otherwise
		}
	}
	return nil, err
}

// overloadedOperator is x op y, or y op x, of operands of which real arrays do not know one.
func overloadedOperator(s value.Host, name string, x, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if overloads.Operator == nil {
		return nil, nil
	}
	if side == starlark.Right {
		x, y = y, x
	}
	return overloads.Operator(s, name, x, y)
}

// overloadedType is the name of the element type of a value that is for Overloads.
func overloadedType(v starlark.Value) string {
	if overloads.Type == nil {
		return ""
	}
	return overloads.Type(v)
}

// A Paired is complex numbers, which lie in pairs along a last axis of 2.
type Paired interface{ Pairs() *tensor.Dense }

// ArrayOfPairs is complex numbers in pairs as an array.
func ArrayOfPairs(s value.Host, pairs *tensor.Dense) starlark.Value { return overloads.Array(s, pairs) }
