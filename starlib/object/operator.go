package object

import (
	"fmt"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// methodsOf are the special methods of binary operators: of the left operand, and of the right one.
var methodsOf = map[syntax.Token][2]string{
	syntax.PLUS: {"__add__", "__radd__"}, syntax.MINUS: {"__sub__", "__rsub__"}, syntax.STAR: {"__mul__", "__rmul__"},
	syntax.SLASH: {"__truediv__", "__rtruediv__"}, syntax.SLASHSLASH: {"__floordiv__", "__rfloordiv__"},
	syntax.PERCENT: {"__mod__", "__rmod__"}, syntax.STARSTAR: {"__pow__", "__rpow__"}, syntax.AMP: {"__and__", "__rand__"},
	syntax.PIPE: {"__or__", "__ror__"}, syntax.CIRCUMFLEX: {"__xor__", "__rxor__"}, syntax.LTLT: {"__lshift__", "__rlshift__"},
	syntax.GTGT: {"__rshift__", "__rrshift__"}, MatMul: {"__matmul__", "__rmatmul__"},
}

// MatMul stands for @, for which package syntax has no token.
const MatMul = syntax.Token(127)

// inPlaceOf are the special methods of x op= y.
var inPlaceOf = map[syntax.Token]string{
	syntax.PLUS: "__iadd__", syntax.MINUS: "__isub__", syntax.STAR: "__imul__", syntax.SLASH: "__itruediv__", syntax.SLASHSLASH: "__ifloordiv__",
	syntax.PERCENT: "__imod__", syntax.STARSTAR: "__ipow__", syntax.AMP: "__iand__", syntax.PIPE: "__ior__", syntax.CIRCUMFLEX: "__ixor__",
	syntax.LTLT: "__ilshift__", syntax.GTGT: "__irshift__", MatMul: "__imatmul__",
}

// comparisons are the special methods of comparisons: of the left operand, and of the right one.
var comparisons = map[syntax.Token][2]string{
	syntax.EQL: {"__eq__", "__eq__"}, syntax.NEQ: {"__ne__", "__ne__"}, syntax.LT: {"__lt__", "__gt__"}, syntax.LE: {"__le__", "__ge__"},
	syntax.GT: {"__gt__", "__lt__"}, syntax.GE: {"__ge__", "__le__"},
}

var _ value.Being = (*Instance)(nil)

// NotImplemented is what a special method returns that leaves the operation to the other operand.
var NotImplemented starlark.Value = notImplemented{}

type notImplemented struct{}

func (notImplemented) String() string        { return "NotImplemented" }
func (notImplemented) Type() string          { return "NotImplementedType" }
func (notImplemented) Freeze()               {}
func (notImplemented) Truth() starlark.Bool  { return true }
func (notImplemented) Hash() (uint32, error) { return 1, nil }

// try calls a special method; nil says that it left the operation to others.
func (i *Instance) try(name string, args ...starlark.Value) (starlark.Value, error) {
	v, ok, err := i.call(name, args...)
	if !ok || err != nil || v == NotImplemented {
		return nil, err
	}
	return v, nil
}

// HasMethod says whether the class has a special method.
func (i *Instance) HasMethod(name string) bool { return i.has(name) != nil }

// Binary is i op y, or y op i. A sequence is repeated by an instance that has no method for it and
// is an integer by __index__.
func (i *Instance) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	v, err := i.binary(op, y, side)
	if v != nil || err != nil || op != syntax.STAR {
		return v, err
	}
	switch y.(type) {
	case starlark.String, starlark.Bytes, *slot.List, starlark.Tuple:
		n, err := value.Index(i.Value())
		if err != nil || n == starlark.Value(i.Value()) {
			return nil, err
		}
		return starlark.Binary(op, value.Factor(y), n)
	}
	return nil, nil
}

func (i *Instance) binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op == syntax.IN || op == syntax.NOT_IN {
		return nil, nil
	}
	names, ok := methodsOf[op]
	if !ok {
		return nil, nil
	}
	if other, ok := InstanceOf(y); ok && side == starlark.Left && other.class != i.class && other.class.IsSubclass(i.class) {
		// A derived class that has the method anew is asked first.
		theirs, _ := other.class.find(names[1])
		mine, _ := i.class.find(names[1])
		if theirs != mine {
			if v, err := other.try(names[1], i.Value()); v != nil || err != nil {
				return v, err
			}
		}
	}
	if side == starlark.Left {
		return i.try(names[0], y)
	}
	if other, ok := InstanceOf(y); ok && other.class == i.class {
		return nil, nil // it was asked for the left one's
	}
	return i.try(names[1], y)
}

// Power is pow(i, y, mod).
func (i *Instance) Power(y, mod starlark.Value) (starlark.Value, error) {
	v, ok, err := i.call("__pow__", y, mod)
	if !ok {
		return nil, typeError("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s': class %s has no __pow__", i.class.short(), typeName(y), typeName(mod), i.class.name)
	}
	return v, err
}

// Unary is -i, +i or ~i.
func (i *Instance) Unary(op syntax.Token) (starlark.Value, error) {
	name := map[syntax.Token]string{syntax.MINUS: "__neg__", syntax.PLUS: "__pos__", syntax.TILDE: "__invert__"}[op]
	v, ok, err := i.call(name)
	if !ok {
		return nil, typeError("bad operand type for unary %s: '%s': class %s has no %s", op, i.class.short(), i.class.name, name)
	}
	return v, err
}

// InPlace is i op= y, nil if the class has no method for it.
func (i *Instance) InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	return i.try(inPlaceOf[op], y)
}

// CompareBy is i op y, or y op i.
func (i *Instance) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if _, both := InstanceOf(y); side == starlark.Right && both {
		return nil, nil // it was asked already, as the other operand of the left one
	}
	return i.compareRest(op, y, side, false)
}

// compareRest is CompareBy; asked says that the method of i was asked already.
func (i *Instance) compareRest(op syntax.Token, y starlark.Value, side starlark.Side, asked bool) (starlark.Value, error) {
	other, both := InstanceOf(y)
	names := comparisons[op]
	var order []func() (starlark.Value, error)
	if !asked {
		order = append(order, func() (starlark.Value, error) { return i.compared(op, names[side2(side)], y) })
	}
	if both {
		theirs := func() (starlark.Value, error) { return other.compared(op, names[1], i.Value()) }
		if other.class != i.class && other.class.IsSubclass(i.class) {
			order = append([]func() (starlark.Value, error){theirs}, order...)
		} else {
			order = append(order, theirs)
		}
	}
	for _, f := range order {
		if v, err := f(); v != nil || err != nil {
			return v, err
		}
	}
	switch op {
	case syntax.EQL:
		return starlark.Bool(starlark.Value(i.Value()) == y), nil
	case syntax.NEQ:
		return starlark.Bool(starlark.Value(i.Value()) != y), nil
	}
	if !both {
		if _, ok := y.(value.Comparer); ok {
			return nil, nil
		}
	}
	x, z := starlark.Value(i.Value()), y
	if side == starlark.Right {
		x, z = y, i.Value()
	}
	return nil, typeError("'%s' not supported between instances of '%s' and '%s'", op, typeName(x), typeName(z))
}

// declined is i op y after the method of i returned NotImplemented.
func (i *Instance) declined(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	if _, compares := comparisons[op]; compares {
		v, err := i.compareRest(op, y, starlark.Left, true)
		if c, ok := y.(value.Comparer); ok && v == nil && err == nil {
			v, err = c.CompareBy(op, i.Value(), starlark.Right)
		}
		if v == nil && err == nil {
			holds, failed := starlark.Compare(op, i.Value(), y)
			return starlark.Bool(holds), failed
		}
		return v, err
	}
	if b, ok := y.(starlark.HasBinary); ok {
		if v, err := b.Binary(op, i.Value(), starlark.Right); v != nil || err != nil {
			return v, err
		}
	}
	return nil, fmt.Errorf("unknown binary op: %s %s %s", i.Type(), op, y.Type())
}

func side2(side starlark.Side) int {
	if side == starlark.Right {
		return 1
	}
	return 0
}

// compared calls the method of a comparison; != is the opposite of __eq__ where there is no __ne__.
func (i *Instance) compared(op syntax.Token, name string, y starlark.Value) (starlark.Value, error) {
	if op == syntax.NEQ && i.has("__ne__") == nil {
		v, err := i.try("__eq__", y)
		if v == nil || err != nil {
			return nil, err
		}
		return !v.Truth(), nil
	}
	return i.try(name, y)
}

// CompareSameType compares instances that are elements of containers.
func (i *Instance) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	if (op == syntax.EQL || op == syntax.NEQ) && starlark.Value(i.Value()) == y {
		return op == syntax.EQL, nil
	}
	v, err := i.CompareBy(op, y, starlark.Left)
	if err != nil {
		return false, err
	}
	return bool(v.Truth()), nil
}

// Has is x in i.
func (i *Instance) Has(x starlark.Value) (bool, error) {
	if v, ok, err := i.call("__contains__", x); ok {
		return err == nil && bool(v.Truth()), err
	}
	it := i.Iterate()
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		same, err := value.Compare(syntax.EQL, e, x)
		if err != nil {
			return false, err
		}
		if same.Truth() {
			return true, nil
		}
	}
	return false, nil
}

// typeName is what Python calls the type of a value.
func typeName(v starlark.Value) string {
	switch v.Type() {
	case "string":
		return "str"
	}
	return v.Type()
}
