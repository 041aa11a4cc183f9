package value

import (
	"fmt"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Overwriter is an InPlacer that takes the result of x op y into its memory where it does not
// compute x op= y itself, as arrays do for @.
type Overwriter interface {
	InPlacer
	// Overwrite returns the receiver, or z if that is a value of another kind.
	Overwrite(op syntax.Token, z starlark.Value) (starlark.Value, error)
}

// InPlace returns what x is after x op= y, for the operators of Starlark: x itself, changed, if it
// is an InPlacer or a list, dict or set, as in Python.
func InPlace(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	return inPlace(nil, op, x, y)
}

// inPlace is InPlace with an ear for interrupts of the host's cell.
func inPlace(host Host, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case InPlacer:
		if z, err := x.InPlace(op, y); z != nil || err != nil {
			return z, err
		}
	case *slot.List:
		if z, err := listInPlace(host, op, x, y); z != nil || err != nil {
			return z, err
		}
	case *slot.Dict:
		if op == syntax.PIPE {
			return x, MergeInto(host, x, y)
		}
	case *slot.Set:
		if other, ok := y.(*slot.Set); ok && !x.IsConstant() {
			if z, err := setInPlace(host, op, x, other); z != nil || err != nil {
				return z, err
			}
		}
	case starlark.String:
		if op == syntax.PERCENT {
			out, err := FormatPercent(nil, string(x), y)
			return starlark.String(out), err
		}
	}
	return Operate(op, x, y)
}

// listInPlace is list += y or list *= y; nil for other operators, and where y says itself what list
// + y and list * y are, as arrays do: Python asks these first.
func listInPlace(host Host, op syntax.Token, x *slot.List, y starlark.Value) (starlark.Value, error) {
	method := map[syntax.Token]string{syntax.PLUS: "__radd__", syntax.STAR: "__rmul__"}[op]
	if method == "" {
		return nil, nil
	}
	if _, ok := y.(Numeric); ok {
		count, isInt := Plain(y).(starlark.Int)
		if !isInt || op != syntax.STAR {
			return nil, nil
		}
		return x, repeat(host, x, count)
	}
	if z, err := special(y, method, x); z != nil || err != nil {
		return z, err
	}
	if op == syntax.PLUS {
		return x, extend(host, x, y)
	}
	n, err := Index(Whole(y))
	if err != nil {
		return nil, err
	}
	count, ok := n.(starlark.Int)
	if !ok {
		return nil, nil
	}
	return x, repeat(host, x, count)
}

// extend is list += y.
func extend(host Host, x *slot.List, y starlark.Value) error {
	from, err := Iterable(y)
	if err != nil {
		return fmt.Errorf("+=: %w", err)
	}
	if seq, ok := from.(starlark.Sequence); ok {
		if err := AskList("+=", seq); err != nil {
			return err
		}
	}
	if err := checkEnd("+=", from); err != nil {
		return err
	}
	return appendAll(host, x, collect(host, from, slot.Of))
}

// repeat is list *= n.
func repeat(host Host, x *slot.List, n starlark.Int) error {
	n = countOf(n, x.Len())
	if err := askResult(syntax.STAR, x, n); err != nil {
		return err
	}
	if n.Sign() == 0 {
		return x.Clear()
	}
	times, err := starlark.AsInt32(n)
	if err != nil {
		return fmt.Errorf("*=: got %s, want a list of fewer elements", n)
	}
	if times == 1 {
		return nil
	}
	if !x.Mutable() {
		return x.Push(slot.None) // says why not
	}
	x.MoveTo(repeated(host, x.Slots(), times*x.Len()))
	return nil
}

// MergeInto is dict |= y, for a mapping y or pairs.
func MergeInto(host Host, x *slot.Dict, y starlark.Value) error {
	if from, ok := y.(starlark.Sequence); ok {
		n := x.Len() + from.Len()
		if err := Ask("|=", describe("dict", n), tableBytes(n)); err != nil {
			return err
		}
	}
	if err := checkEnd("|=", y); err != nil {
		return err
	}
	return paced(host, x, lengthOf(y), func() error { return x.UpdateFrom(plainPairs(nil, heardIn(host, starlark.Tuple{y}))[0]) })
}

// setInPlace is an operator of sets; nil for others.
func setInPlace(host Host, op syntax.Token, x, y *slot.Set) (starlark.Value, error) {
	change := func(of *slot.Set, fn func(e starlark.Value) error) (starlark.Value, error) {
		elements, poll := collect(host, of, asItIs), pollIn(host)
		return x, paced(host, x, len(elements), func() error {
			for _, e := range elements {
				poll.Ask(PerElement)
				if err := fn(e); err != nil {
					return err
				}
			}
			return nil
		})
	}
	remove := func(e starlark.Value) error { _, err := x.Delete(e); return err }
	switch op {
	case syntax.PIPE:
		if err := Ask("|=", describe("set", x.Len()+y.Len()), tableBytes(x.Len()+y.Len())); err != nil {
			return nil, err
		}
		return change(y, x.Insert)
	case syntax.MINUS:
		return change(y, remove)
	case syntax.AMP:
		return change(x, func(e starlark.Value) error {
			if has, err := y.Has(e); has || err != nil {
				return err
			}
			return remove(e)
		})
	case syntax.CIRCUMFLEX:
		return change(y, func(e starlark.Value) error {
			if had, err := x.Delete(e); had || err != nil {
				return err
			}
			return x.Insert(e)
		})
	}
	return nil, nil
}

// Operate is x op y, for the operators of Starlark, where x may be a sequence that asks for memory
// first.
func Operate(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.PLUS, syntax.STAR:
		return operand{Value: x}.Binary(op, y, starlark.Left)
	case syntax.LTLT, syntax.GTGT:
		return Shift(op, x, y)
	}
	return Divide(nil, op, x, y)
}

// Shift is x << y or x >> y. Starlark fails for an int x before it asks y, and shifts by 511 bits
// at most.
func Shift(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	a, isInt := x.(starlark.Int)
	if b, ok := y.(starlark.Int); ok && isInt {
		return shiftInt(op, a, b)
	}
	if other, ok := y.(starlark.HasBinary); ok && isInt {
		if z, err := other.Binary(op, x, starlark.Right); z != nil || err != nil {
			return z, err
		}
	}
	return starlark.Binary(op, x, y)
}

// shiftInt is x << n or x >> n of ints.
func shiftInt(op syntax.Token, x, n starlark.Int) (starlark.Value, error) {
	if n.Sign() < 0 {
		return nil, fmt.Errorf("negative shift count: %s", n)
	}
	by, _ := Near(n)
	if small, ok := x.Int64(); ok && op == syntax.GTGT {
		return starlark.MakeInt64(small >> min(by, 63)), nil
	} else if ok && by < 63 && small<<by>>by == small {
		return starlark.MakeInt64(small << by), nil
	}
	big := x.BigInt()
	if op == syntax.GTGT {
		return starlark.MakeBigInt(big.Rsh(big, uint(by))), nil
	}
	if x.Sign() == 0 {
		return x, nil
	}
	if by+big.BitLen() > maxBits {
		return nil, fmt.Errorf("<<: got a shift by %s, want a result of at most %d bits", n, maxBits)
	}
	return starlark.MakeBigInt(big.Lsh(big, uint(by))), nil
}

// Update is what x is after x op= y, with an ear for interrupts of the host's cell.
func Update(host Host, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if z, err := LargeInts(host, op, x, y); z != nil || err != nil {
		return z, err
	}
	return inPlace(host, op, x, y)
}
