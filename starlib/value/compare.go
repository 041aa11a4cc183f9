package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Compare returns x op y: True or False, or what a Comparer makes of it.
func Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return CompareIn(nil, op, x, y)
}

// CompareIn is Compare in the cell of a thread, which may end it.
func CompareIn(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if holds, ok := compareNumbers(op, x, y); ok {
		return starlark.Bool(holds), nil
	}
	if v, err := compareThemselves(op, x, y); v != nil || err != nil {
		return v, err
	}
	// To Starlark NaN equals itself and is the largest float; to Python it is neither equal,
	// smaller nor larger.
	if isNaN(x) || isNaN(y) {
		if _, ok := starlark.AsFloat(x); ok {
			if _, ok := starlark.AsFloat(y); ok {
				return starlark.Bool(op == syntax.NEQ), nil
			}
		}
	}
	switch x.(type) {
	case *slot.List, starlark.Tuple, *slot.Dict:
		c := comparing{PollOf(thread)}
		holds, err := c.compare(op, x, y, starlark.CompareLimit)
		return starlark.Bool(holds), err
	}
	holds, err := starlark.Compare(op, x, y)
	return starlark.Bool(holds), err
}

// compareThemselves is what x or y makes of x op y, nil if neither makes anything of it.
func compareThemselves(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if c, ok := x.(Comparer); ok {
		if v, err := c.CompareBy(op, y, starlark.Left); v != nil || err != nil {
			return v, err
		}
	}
	if c, ok := y.(Comparer); ok {
		return c.CompareBy(op, x, starlark.Right)
	}
	return nil, nil
}

// compareNumbers is x op y of Starlark's own numbers, of which True is 1, as in Python. Starlark
// makes fractions of an int and a float, which takes half a microsecond; what is not exact as a
// float is left to it.
func compareNumbers(op syntax.Token, x, y starlark.Value) (holds, ok bool) {
	x, y = Whole(x), Whole(y)
	switch x := x.(type) {
	case starlark.Float:
		switch y := y.(type) {
		case starlark.Float:
			return ordered(op, x, y), true
		case starlark.Int:
			b, ok := exactFloat(y)
			return ordered(op, x, b), ok
		}
	case starlark.Int:
		switch y := y.(type) {
		case starlark.Float:
			a, ok := exactFloat(x)
			return ordered(op, a, y), ok
		case starlark.Int:
			a, small := x.Int64()
			b, also := y.Int64()
			return ordered(op, a, b), small && also
		}
	}
	return false, false
}

// exactFloat is an int as a float, if no other int is it too.
func exactFloat(i starlark.Int) (f starlark.Float, ok bool) {
	const most = 1 << 53
	n, ok := i.Int64()
	return starlark.Float(n), ok && -most < n && n < most
}

func ordered[T int64 | starlark.Float](op syntax.Token, x, y T) bool {
	switch op {
	case syntax.LT:
		return x < y
	case syntax.LE:
		return x <= y
	case syntax.GT:
		return x > y
	case syntax.GE:
		return x >= y
	case syntax.EQL:
		return x == y
	}
	return x != y
}

func isNaN(x starlark.Value) bool {
	f, ok := x.(starlark.Float)
	return ok && f != f
}
