package slot

import (
	"errors"
	"math"
	"reflect"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var errTooDeep = errors.New("comparison exceeded maximum recursion depth") // Starlark's words

// identical is x is y, as far as that can be known of numbers and texts, which are identical if
// they have the same bits.
func identical(x, y Slot) bool {
	switch a := x.ref.(type) {
	case nil:
		return y.ref == nil
	case intTag:
		return y.IsInt() && x.bits == y.bits
	case floatTag:
		return y.IsFloat() && x.bits == y.bits
	case doubleTag:
		return y.IsDouble() && x.bits == y.bits
	case starlark.String:
		b, ok := y.ref.(starlark.String)
		return ok && a == b
	case starlark.Bool:
		b, ok := y.ref.(starlark.Bool)
		return ok && a == b
	case starlark.NoneType:
		_, ok := y.ref.(starlark.NoneType)
		return ok
	case starlark.Tuple:
		b, ok := y.ref.(starlark.Tuple)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	}
	return reflect.TypeOf(x.ref).Kind() == reflect.Pointer && x.ref == y.ref
}

// Identity is a number that is the same for slots that are identical. Two others that both exist
// have different ones, but for numbers and texts, of which some have the same.
func Identity(x Slot) uint64 {
	t, isTuple := x.ref.(starlark.Tuple)
	if v := reflect.ValueOf(x.ref); v.Kind() == reflect.Pointer || isTuple && len(t) > 0 {
		return uint64(v.Pointer())
	}
	h, _ := hashOf(x)
	return h * golden
}

// A kind is what a slot is to comparisons.
type kind uint8

const (
	other kind = iota // known to Hooks
	small             // an int of 64 bits, or a bool
	float
	large // another int
	text
	data // bytes
	none
)

// kindOf returns the kind of a slot, and the int if it is small.
func kindOf(s Slot) (kind, int64) {
	switch v := s.ref.(type) {
	case intTag:
		return small, int64(s.bits)
	case floatTag:
		return float, 0
	case starlark.String:
		return text, 0
	case starlark.Bool:
		if v {
			return small, 1
		}
		return small, 0
	case starlark.Int:
		return large, 0
	case starlark.Bytes:
		return data, 0
	case starlark.NoneType:
		return none, 0
	}
	return other, 0
}

func (k kind) isNumber() bool { return small <= k && k <= large }

// compareBasic is x op y if that is known here: of two numbers, texts or bytes, and whether
// values of different kinds are equal.
func compareBasic(op syntax.Token, x, y Slot) (holds, known bool) {
	k, i := kindOf(x)
	l, j := kindOf(y)
	switch {
	case k == other || l == other:
		return false, false
	case k == small && l == small:
		return ordered(op, compareInts(i, j)), true
	case k.isNumber() && l.isNumber():
		c, isOrdered := compareNumbers(x, y, k, l)
		if !isOrdered {
			return op == syntax.NEQ, true
		}
		return ordered(op, c), true
	case k == text && l == text:
		a, b := x.ref.(starlark.String), y.ref.(starlark.String)
		if op == syntax.EQL {
			return a == b, true
		}
		return orderedTexts(op, string(a), string(b)), true
	case k == data && l == data:
		return orderedTexts(op, string(x.ref.(starlark.Bytes)), string(y.ref.(starlark.Bytes))), true
	}
	return (k == l) == (op == syntax.EQL), op == syntax.EQL || op == syntax.NEQ
}

func compareInts(i, j int64) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

// compareNumbers is the sign of x - y, exactly; not ordered if one of them is nan.
func compareNumbers(x, y Slot, k, l kind) (c int, isOrdered bool) {
	f, fExact := asFloat(x, k)
	g, gExact := asFloat(y, l)
	if f != f || g != g {
		return 0, false
	}
	if fExact && gExact {
		switch {
		case f < g:
			return -1, true
		case f > g:
			return 1, true
		}
		return 0, true
	}
	switch {
	case math.IsInf(f, 0):
		return int(math.Copysign(1, f)), true
	case math.IsInf(g, 0):
		return -int(math.Copysign(1, g)), true
	}
	less, _ := starlark.Compare(syntax.LT, number(x), number(y))
	more, _ := starlark.Compare(syntax.GT, number(x), number(y))
	switch {
	case less:
		return -1, true
	case more:
		return 1, true
	}
	return 0, true
}

// asFloat is a number as a float, and whether it is exact; of large ints it is 0.
func asFloat(s Slot, k kind) (f float64, exact bool) {
	const most = 1 << 53 // floats hold all smaller ints
	switch k {
	case float:
		return s.Float(), true
	case small:
		_, i := kindOf(s)
		return float64(i), -most <= i && i <= most
	}
	return 0, false
}

// number is a number as an int or float of Starlark's.
func number(s Slot) starlark.Value {
	if k, i := kindOf(s); k == small {
		return starlark.MakeInt64(i)
	}
	return s.Value()
}

// ordered is whether a comparison of sign c is op.
func ordered(op syntax.Token, c int) bool {
	switch op {
	case syntax.EQL:
		return c == 0
	case syntax.NEQ:
		return c != 0
	case syntax.LT:
		return c < 0
	case syntax.LE:
		return c <= 0
	case syntax.GT:
		return c > 0
	}
	return c >= 0
}

func orderedTexts(op syntax.Token, a, b string) bool {
	switch op {
	case syntax.EQL:
		return a == b
	case syntax.NEQ:
		return a != b
	case syntax.LT:
		return a < b
	case syntax.LE:
		return a <= b
	case syntax.GT:
		return a > b
	}
	return a >= b
}

// equalHere is whether x is y or x == y, if that is known here.
func equalHere(x, y Slot) (same, known bool) {
	if identical(x, y) {
		return true, true
	}
	return compareBasic(syntax.EQL, x, y)
}

// equal is whether x is y or x == y, inside of a container.
func equal(x, y Slot, depth int) (bool, error) {
	if same, known := equalHere(x, y); known {
		return same, nil
	}
	return Hooks.Compare(syntax.EQL, x.Value(), y.Value(), depth)
}

// Equal is whether x is y or x == y, as `in` and index ask of elements.
func Equal(x, y Slot) (bool, error) {
	if same, known := equalHere(x, y); known {
		return same, nil
	}
	return Hooks.Equal(x.Value(), y.Value())
}

// Less is x < y, as lists are sorted by.
func Less(x, y Slot) (bool, error) {
	if less, known := compareBasic(syntax.LT, x, y); known {
		return less, nil
	}
	return Hooks.Compare(syntax.LT, x.Value(), y.Value(), starlark.CompareLimit)
}

// A sequence is a list or tuple to compareSequences.
type sequence interface {
	Len() int
	slot(i int) Slot
}

type tuple starlark.Tuple

func (t tuple) Len() int        { return len(t) }
func (t tuple) slot(i int) Slot { return Of(t[i]) }

// compareSequences compares by the first elements that differ, or by length. What compares
// elements may change the sequences.
func compareSequences(op syntax.Token, x, y sequence, depth int) (bool, error) {
	if depth < 1 {
		return false, errTooDeep
	}
	equality := op == syntax.EQL || op == syntax.NEQ
	if equality && x.Len() != y.Len() {
		return op == syntax.NEQ, nil
	}
	for i := 0; i < x.Len() && i < y.Len(); i++ {
		p, q := x.slot(i), y.slot(i)
		same, err := equal(p, q, depth-1)
		switch {
		case err != nil:
			return false, err
		case same:
			continue
		case equality:
			return op == syntax.NEQ, nil
		}
		if holds, known := compareBasic(op, p, q); known {
			return holds, nil
		}
		return Hooks.Compare(op, p.Value(), q.Value(), depth-1)
	}
	return ordered(op, x.Len()-y.Len()), nil
}
