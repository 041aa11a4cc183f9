package arith

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Plain is x op y of texts, bools and containers where that is known without a call; ok is false of
// others. What a key of the program's fails with is the error. z may be one of the operands.
func Plain(op code.Op, x, y, z *slot.Slot, flags int32, texts *Texts) (ok bool, err error) {
	switch op {
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		holds, known := slot.Compared(code.Tokens[op], *x, *y)
		if known {
			z.SetBool(holds)
		}
		return known, nil
	case code.In, code.NotIn:
		found, known, err := in(x, y)
		if known {
			z.SetBool(found == (op == code.In))
		}
		return known, err
	case code.Mod:
		if text, ok := value.QuickPercent(x, y); ok {
			*z = text
			return true, nil
		}
	case code.Add:
		if ok, err := texts.add(x, y, z, flags); ok {
			return true, err
		}
		if joins(x, y, z, flags) {
			return true, nil
		}
	case code.Mul:
		if flags&code.Changes == 0 && (y.IsInt() && repeats(x, y.Int(), z) || x.IsInt() && repeats(y, x.Int(), z)) {
			return true, nil
		}
	}
	return bools(op, x, y, z), nil
}

// longestText is in how many bytes a text is looked for at once.
const longestText = 1 << 12

// in is x in y, and whether that is known here.
func in(x, y *slot.Slot) (found, known bool, err error) {
	switch c := y.Ref().(type) {
	case *slot.Dict:
		if v, known := c.Value(x); known {
			return v != nil, true, nil
		}
		if !x.IsPlainKey() {
			return false, false, nil
		}
		_, found, err = c.Lookup(*x)
		return found, true, err
	case *slot.Set:
		if has, known := c.Holds(x); known {
			return has, true, nil
		}
		if !x.IsPlainKey() {
			return false, false, nil
		}
		found, err = c.Contains(*x)
		return found, true, err
	case *slot.List:
		at, known := c.Place(*x, 0, c.Len())
		return at >= 0, known, nil
	case starlark.Tuple:
		at, known := slot.PlaceIn(c, *x)
		return at >= 0, known, nil
	case starlark.String:
		part, ok := x.Ref().(starlark.String)
		if !ok || len(c) > longestText {
			return false, false, nil
		}
		return strings.Contains(string(c), string(part)), true, nil
	}
	return false, false, nil
}

// maxJoined is how many elements a sum or a product has that is made at once.
const maxJoined = 1 << 9

// joins is x + y of short lists or tuples.
func joins(x, y, z *slot.Slot, flags int32) bool {
	switch a := x.Ref().(type) {
	case *slot.List:
		b, ok := y.Ref().(*slot.List)
		switch {
		case !ok || b.Len() > maxJoined:
			return false
		case flags&code.Changes != 0:
			if a.Splice(a.Len(), a.Len(), b.Slots()) != nil {
				return false
			}
			*z = *x
			return true
		case a.Len() > maxJoined:
			return false
		}
		z.SetRef(slot.Make(slices.Concat(a.Slots(), b.Slots())))
		return true
	case starlark.Tuple:
		b, ok := y.Ref().(starlark.Tuple)
		if !ok || len(a)+len(b) > maxJoined {
			return false
		}
		z.SetRef(slices.Concat(a, b))
		return true
	}
	return false
}

// repeats is x * n of a short list or text.
func repeats(x *slot.Slot, n int64, z *slot.Slot) bool {
	switch a := x.Ref().(type) {
	case *slot.List:
		if n < 0 || n > maxJoined || int64(a.Len())*n > maxJoined {
			return false
		}
		z.SetRef(a.Repeat(int(n)))
		return true
	case starlark.String:
		if n < 0 || n > maxJoined || int64(len(a))*n > maxJoined {
			return false
		}
		*z = value.TextSlot(strings.Repeat(string(a), int(n)))
		return true
	}
	return false
}

// Has is whether a dict or a set has a key that is an int or a text, and whether that is
// known.
func Has(of, key *slot.Slot) (has, known bool) {
	switch c := of.Ref().(type) {
	case *slot.Dict:
		v, known := c.Value(key)
		return v != nil, known
	case *slot.Set:
		return c.Holds(key)
	}
	return false, false
}
