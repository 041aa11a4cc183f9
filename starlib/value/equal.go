package value

import (
	"errors"
	"math"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A comparing is a comparison of containers as Starlark's, with scalars as the numbers they hold,
// which asks at each element: a list that holds another a thousand times, which holds another a
// thousand times, is short.
type comparing struct{ poll tensor.Poll }

var errTooDeep = errors.New("comparison exceeded maximum recursion depth") // Starlark's words

// compare is x op y down to the given depth.
func (c *comparing) compare(op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
	c.poll.Ask(PerElement)
	if (op == syntax.EQL || op == syntax.NEQ) && (isArray(x) || isObject(x)) && x == y {
		return op == syntax.EQL, nil // whatever __eq__ says
	}
	if isObject(x) || isObject(y) || isComplex(x) || isComplex(y) || elementwise(x, y) || elementwise(y, x) {
		if v, err := compareThemselves(op, x, y); v != nil || err != nil {
			return err == nil && bool(v.Truth()), err
		}
	}
	x, y = untyped(x), untyped(y)
	if isBool(x) || isBool(y) { // as keys, and as in Python: True is 1
		x, y = Whole(x), Whole(y)
	}
	switch a := x.(type) {
	case *slot.List:
		if b, ok := y.(*slot.List); ok {
			return c.sequences(op, a, b, depth)
		}
	case starlark.Tuple:
		if b, ok := y.(starlark.Tuple); ok {
			return c.sequences(op, a, b, depth)
		}
	case *slot.Dict:
		if b, ok := y.(*slot.Dict); ok && (op == syntax.EQL || op == syntax.NEQ) {
			same, err := c.dicts(a, b, depth)
			return same == (op == syntax.EQL) && err == nil, err
		}
	case Callable, NamedType:
		if _, isText := y.(starlark.String); !isText && (op == syntax.EQL || op == syntax.NEQ) && SameType(x, y) {
			return op == syntax.EQL, nil
		}
	}
	return starlark.CompareDepth(op, x, y, depth)
}

func isBool(v starlark.Value) bool { _, ok := v.(starlark.Bool); return ok }

func isObject(v starlark.Value) bool { _, ok := v.(*Object); return ok }

func isComplex(v starlark.Value) bool { _, ok := v.(ComplexNumber); return ok }

// elementwise is whether x is an array that compares itself with the numbers of y. Symbolic
// variables and the like are no numbers, and equal none.
func elementwise(x, y starlark.Value) bool {
	_, isScalar := y.(Typed)
	_, isOther := y.(Comparer)
	return isArray(x) && (isArray(y) || isScalar || !isOther)
}

func isArray(v starlark.Value) bool { _, ok := v.(slot.Owned); return ok }

func init() {
	compare := func(op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
		return new(comparing).compare(op, x, y, depth)
	}
	slot.Hooks.Compare = compare
	slot.Hooks.Equal = func(x, y starlark.Value) (bool, error) {
		return compare(syntax.EQL, x, y, starlark.CompareLimit)
	}
	known := slot.Hooks.Hash
	slot.Hooks.Hash = func(v starlark.Value) (int64, error) {
		switch v := v.(type) {
		case *Object:
			return v.KeyHash()
		case ComplexNumber:
			return v.KeyHash()
		case Typed:
			return slot.Hash(slot.Of(v.Plain()))
		}
		return known(v)
	}
}

// In is x in y, or x not in y, for Items y.
func In(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch x.(type) {
	case Callable, NamedType: // type(v) in (int, float), or in ("int", "float")
		switch y.(type) {
		case starlark.Tuple, *slot.List:
			for v := range starlark.Elements(y.(starlark.Iterable)) {
				if SameType(x, v) {
					return starlark.Bool(op == syntax.IN), nil
				}
			}
		}
	}
	if xs, ok := y.(starlark.Indexable); ok && (isArray(x) || isObject(x)) {
		switch y.(type) {
		case starlark.Tuple, *slot.List:
			at, err := indexOf(tensor.Poll{}, xs, x, 0, xs.Len())
			return starlark.Bool((at >= 0) == (op == syntax.IN)), err
		}
	}
	if d, ok := y.(*slot.Dict); ok { // Starlark hides that a key cannot be hashed
		_, found, err := d.Get(x)
		return starlark.Bool(found == (op == syntax.IN)), err
	}
	if set, ok := y.(*slot.Set); ok {
		if key, isSet := x.(*slot.Set); isSet && !key.IsConstant() { // looked for as a frozenset
			x = key.Copy().Constant()
		}
		found, err := set.Has(x)
		return starlark.Bool(found == (op == syntax.IN)), err
	}
	switch y := y.(type) {
	case starlark.Bytes:
		if err := partOfBytes(x); err != nil {
			return nil, err
		}
		x = Whole(x)
	case starlark.Indexable:
		if y.Type() == "range" {
			n, err := starlark.NumberToInt(Whole(x))
			f, isFloat := x.(starlark.Float)
			if err != nil || isFloat && starlark.Float(math.Trunc(float64(f))) != f {
				return starlark.Bool(op == syntax.NOT_IN), nil
			}
			x = n
		}
	}
	if _, isTuple := y.(starlark.Tuple); isTuple { // of numbers, text and the like: Items sees to bools
		x = Whole(x)
	}
	return starlark.Binary(op, x, y)
}

// partOfBytes is why bytes cannot have x in them.
func partOfBytes(x starlark.Value) error {
	switch x := Whole(x).(type) {
	case starlark.Bytes:
	case starlark.Int:
		if n, ok := x.Int64(); !ok || n < 0 || n > math.MaxUint8 {
			return classed{"ValueError", "byte must be in range(0, 256)"}
		}
	default:
		return classed{"TypeError", "a bytes-like object is required, not '" + TypeName(x) + "'"}
	}
	return nil
}

// untyped is what a scalar holds, and any other value.
func untyped(v starlark.Value) starlark.Value {
	if t, ok := v.(Typed); ok {
		return t.Plain()
	}
	return v
}

// sequences compares by the first elements that differ, or by length.
func (c *comparing) sequences(op syntax.Token, x, y starlark.Indexable, depth int) (bool, error) {
	if depth < 1 {
		return false, errTooDeep
	}
	if equality := op == syntax.EQL || op == syntax.NEQ; equality && x.Len() != y.Len() {
		return op == syntax.NEQ, nil
	}
	for i := 0; i < x.Len() && i < y.Len(); i++ { // an element's __eq__ may change them
		p, q := x.Index(i), y.Index(i)
		same, err := c.compare(syntax.EQL, p, q, depth-1)
		switch {
		case err != nil:
			return false, err
		case same:
		case op == syntax.EQL || op == syntax.NEQ:
			return op == syntax.NEQ, nil
		default:
			return c.compare(op, p, q, depth-1)
		}
	}
	return ordered(op, int64(x.Len()), int64(y.Len())), nil
}

func (c *comparing) dicts(x, y *slot.Dict, depth int) (bool, error) {
	if depth < 1 {
		return false, errTooDeep
	}
	if x.Len() != y.Len() {
		return false, nil
	}
	for k, v := range x.Entries() {
		w, found, err := y.Get(k)
		if err != nil || !found {
			return false, err
		}
		if same, err := c.compare(syntax.EQL, v, w, depth-1); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// equalTo returns whether values equal x, as count and `in` ask.
func equalTo(poll tensor.Poll, x starlark.Value) func(starlark.Value) (bool, error) {
	c := &comparing{poll}
	return func(y starlark.Value) (bool, error) { return c.compare(syntax.EQL, y, x, starlark.CompareLimit) }
}

// A sought is a list or tuple in which `in` looks for a value, and asks meanwhile.
type sought struct {
	starlark.Indexable
	host Host
}

var _ starlark.Container = sought{}

func (s sought) Has(x starlark.Value) (found bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Recovered(p)
		}
	}()
	at, err := indexOf(tensor.Poll{Stop: s.host.Stop()}, s.Indexable, x, 0, s.Len())
	return at >= 0, err
}

// indexOf is the index of the first element that equals x, from first on and before end, -1 if
// there is none.
func indexOf(poll tensor.Poll, xs starlark.Indexable, x starlark.Value, first, end int) (int, error) {
	same := equalTo(poll, x)
	for i := first; i < min(end, xs.Len()); i++ {
		if yes, err := same(xs.Index(i)); err != nil {
			return -1, err
		} else if yes {
			return i, nil
		}
	}
	return -1, nil
}
