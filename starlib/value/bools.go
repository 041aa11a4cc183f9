package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// BoolsAsInts are the operands of x op y with 1 and 0 for bools, where they are ints in Python and
// not in Starlark: beside numbers and other bools, and where a sequence is repeated.
func BoolsAsInts(op syntax.Token, x, y starlark.Value) (starlark.Value, starlark.Value) {
	a, isX := x.(starlark.Bool)
	b, isY := y.(starlark.Bool)
	if !isX && !isY || !isX && !meetsInts(op, x) || !isY && !meetsInts(op, y) {
		return x, y
	}
	if isX {
		x = wholeOf(a)
	}
	if isY {
		y = wholeOf(b)
	}
	return x, y
}

// meetsInts reports whether x is an operand that takes a bool for an int.
func meetsInts(op syntax.Token, x starlark.Value) bool {
	switch x := x.(type) {
	case operand:
		return meetsInts(op, x.Value)
	case starlark.Int, starlark.Float, Complex:
		return true
	case starlark.String, starlark.Bytes, starlark.Tuple:
		return op == syntax.STAR
	}
	_, isList := x.(*slot.List)
	return isList && op == syntax.STAR
}

// Bits is x op y of two bools for &, | and ^, which is a bool; ok is false of other operations.
func Bits(op syntax.Token, x, y starlark.Value) (z starlark.Bool, ok bool) {
	a, isX := x.(starlark.Bool)
	b, isY := y.(starlark.Bool)
	if !isX || !isY {
		return false, false
	}
	switch op {
	case syntax.AMP:
		return a && b, true
	case syntax.PIPE:
		return a || b, true
	case syntax.CIRCUMFLEX:
		return a != b, true
	}
	return false, false
}
