package value

import (
	"math"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Of x + y and x * y numbers and what is small are taken as they are, others (Term, Factor) as
// operands that ask for memory before anything is computed.

// An operand is a sequence that asks for the memory of a sum or a repetition before that is
// computed.
type operand struct {
	starlark.Value
	host Host // that is asked whether a product is to end, if it is not nil
}

// On returns an operand that asks the host whether it is to end, and other values as they are.
func On(host Host, v starlark.Value) starlark.Value {
	switch x := v.(type) {
	case operand:
		x.host = host
		return x
	case sought:
		x.host = host
		return x
	}
	return v
}

var _ starlark.HasBinary = operand{}

// Term is an operand of +.
func Term(v starlark.Value) starlark.Value {
	switch x := v.(type) {
	case starlark.Int, starlark.Float: // at once, since loops do it
	case starlark.String:
		if len(x) > smallGrowth {
			return operand{Value: v}
		}
	case *slot.List:
		if x.Len() > smallGrowth/slotBytes {
			return operand{Value: v}
		}
	case starlark.Tuple:
		if len(x) > smallGrowth/elementBytes {
			return operand{Value: v}
		}
	case starlark.Bytes:
		if len(x) > smallGrowth {
			return operand{Value: v}
		}
	}
	return v
}

// Factor is an operand of *.
func Factor(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case starlark.Int: // at once if it is small, since loops do it
		if IsLarge(v) {
			return operand{Value: v}
		}
	case starlark.Float:
	case starlark.String, *slot.List, starlark.Tuple, starlark.Bytes:
		return operand{Value: v}
	}
	return v
}

// Spread is an iterable whose elements become arguments, if there is memory for them: of text, its
// characters.
func Spread(v starlark.Value) (starlark.Value, error) {
	switch x := v.(type) {
	case starlark.String, starlark.Bytes:
		n, _, _ := sizeOf(v)
		if err := Ask("*", describe(v.Type(), 0), n); err != nil {
			return nil, err
		}
		if text, ok := x.(starlark.String); ok {
			return Iterable(text)
		}
		return v, nil
	case starlark.Sequence:
		return v, AskList("*", x)
	}
	return v, checkEnd("*", v)
}

// Binary is x op y, or y op x, of what the operands are.
func (x operand) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if other, ok := y.(operand); ok {
		y = other.Value
	}
	seq, other := x.Value, y
	if _, isInt := seq.(starlark.Int); isInt {
		seq, other = other, seq
	}
	if z, err := LargeInts(x.host, op, x.Value, y); z != nil || err != nil {
		return z, err
	}
	if err := askResult(op, seq, other); err != nil {
		return nil, err
	}
	if n, isInt := other.(starlark.Int); isInt && op == syntax.STAR {
		if _, length, ok := sizeOf(seq); ok {
			return x.repeated(seq, countOf(n, length))
		}
	}
	l, r := x.Value, y
	if side == starlark.Right {
		l, r = y, x.Value
	}
	if a, ok := l.(*slot.List); ok && op == syntax.PLUS {
		if b, ok := r.(*slot.List); ok && a.Len()+b.Len() >= roomBeside {
			return slot.Make(joined(x.host, a.Slots(), b.Slots())), nil
		}
	}
	return starlark.Binary(op, l, r)
}

// repeated is seq * n, with an ear for interrupts where that is a large list.
func (x operand) repeated(seq starlark.Value, n starlark.Int) (starlark.Value, error) {
	list, ok := seq.(*slot.List)
	count, err := starlark.AsInt32(n)
	if !ok || err != nil || count < 2 || times(int64(list.Len()), int64(count)) < roomBeside {
		return starlark.Binary(syntax.STAR, seq, n)
	}
	once := list.Slots()
	return slot.Make(repeated(x.host, once[:len(once):len(once)], count*len(once))), nil
}

// askResult asks for the memory of x + y or x * y, of which x is a sequence.
func askResult(op syntax.Token, x, y starlark.Value) error {
	bytes, n, ok := sizeOf(x)
	if !ok {
		return nil
	}
	switch op {
	case syntax.PLUS:
		if x.Type() != y.Type() {
			return nil
		}
		more, m, _ := sizeOf(y)
		bytes, n = bytes+more, n+m
	case syntax.STAR:
		count, isInt := y.(starlark.Int)
		times64, small := count.Int64()
		if !isInt || !small || times64 < 1 || n == 0 {
			return nil // nothing, or what is refused
		}
		bytes = times(bytes, times64)
		n = int(min(times(int64(n), times64), math.MaxInt))
	}
	if bytes <= smallGrowth {
		return nil
	}
	return Ask(op.String(), describe(x.Type(), n), bytes)
}

// countOf is how often a sequence of so many elements is repeated by n: not at all for what is
// negative, and nothing is as long repeated.
func countOf(n starlark.Int, elements int) starlark.Int {
	if _, small := n.Int64(); n.Sign() < 0 || elements == 0 && small {
		return starlark.MakeInt(0)
	}
	return n
}
