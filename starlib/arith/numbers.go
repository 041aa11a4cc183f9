package arith

import (
	"math"
	"math/bits"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// exact is the largest int up to which all are floats.
const exact = 1 << 53

// Numbers is x op y of ints and floats; ok is false of others, and where the result is no int of 64
// bits or is not exact. z may be x or y.
func Numbers(op code.Op, x, y, z *slot.Slot) (ok bool) {
	var a, b float64
	switch {
	case x.IsInt():
		if y.IsInt() {
			return ints(op, x.Int(), y.Int(), z)
		}
		a = float64(x.Int())
		ok = x.Int() <= exact && x.Int() >= -exact && y.IsFloat()
		b = y.Float()
	case !x.IsFloat():
		return false
	case y.IsInt():
		a, b = x.Float(), float64(y.Int())
		ok = y.Int() <= exact && y.Int() >= -exact
	default:
		a, b = x.Float(), y.Float()
		ok = y.IsFloat()
	}
	return ok && floats(op, a, b, z)
}

// floats is x op y of floats.
func floats(op code.Op, a, b float64, z *slot.Slot) (ok bool) {
	switch op {
	case code.Add:
		z.SetFloat(a + b)
	case code.Sub:
		z.SetFloat(a - b)
	case code.Mul:
		z.SetFloat(a * b)
	case code.Div:
		if b == 0 {
			return false
		}
		z.SetFloat(a / b)
	case code.Lt:
		z.SetBool(a < b)
	case code.Le:
		z.SetBool(a <= b)
	case code.Gt:
		z.SetBool(a > b)
	case code.Ge:
		z.SetBool(a >= b)
	case code.Eq:
		z.SetBool(a == b)
	case code.Ne:
		z.SetBool(a != b)
	case code.Pow:
		p, ok := value.Power(a, b)
		if ok {
			z.SetFloat(p)
		}
		return ok
	default:
		return false
	}
	return true
}

// Doubles is x op y of which one is a double at least. Of comparisons it gives bools, as of floats.
func Doubles(op code.Op, x, y, z *slot.Slot) (ok bool) {
	a, okA := asDouble(x)
	b, okB := asDouble(y)
	if !okA || !okB {
		return false
	}
	switch op {
	case code.Add:
		*z = slot.Double(a + b)
	case code.Sub:
		*z = slot.Double(a - b)
	case code.Mul:
		*z = slot.Double(a * b)
	case code.Div:
		*z = slot.Double(a / b)
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		return floats(op, a, b, z)
	default:
		return false
	}
	return true
}

func asDouble(x *slot.Slot) (f float64, ok bool) {
	if x.IsInt() {
		return float64(x.Int()), true
	}
	return x.Float(), x.IsFloat() || x.IsDouble()
}

// ints is x op y of ints.
func ints(op code.Op, a, b int64, z *slot.Slot) (ok bool) {
	switch op {
	case code.Mul:
		p := a * b
		if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
			return false
		}
		z.SetInt(p)
	case code.Div:
		if b == 0 || max(a, -a) > exact || max(b, -b) > exact || a == math.MinInt64 || b == math.MinInt64 {
			return false
		}
		z.SetFloat(float64(a) / float64(b))
	case code.FloorDiv:
		if b == 0 || b == -1 {
			return false
		}
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		z.SetInt(q)
	case code.Mod:
		if b == 0 || b == -1 {
			return false
		}
		rem := a % b
		if rem != 0 && (rem < 0) != (b < 0) {
			rem += b
		}
		z.SetInt(rem)
	case code.And:
		z.SetInt(a & b)
	case code.Or:
		z.SetInt(a | b)
	case code.Xor:
		z.SetInt(a ^ b)
	case code.Shl:
		if b < 0 || b > 62 || a<<b>>b != a {
			return false
		}
		z.SetInt(a << b)
	case code.Shr:
		if b < 0 {
			return false
		}
		z.SetInt(a >> min(b, 63))
	case code.Pow:
		return power(a, b, z)
	default:
		return false
	}
	return true
}

// power is a ** b of small ints.
func power(a, b int64, z *slot.Slot) bool {
	if b < 0 || b > 64 || bits.Len64(uint64(max(a, -a)))*int(b) > 62 {
		return false
	}
	p := int64(1)
	for range b {
		p *= a
	}
	z.SetInt(p)
	return true
}

// Sum is a + b, if that is an int of 64 bits.
func Sum(a, b int64, z *slot.Slot) (ok bool) {
	s := a + b
	if (s^a)&(s^b) < 0 {
		return false
	}
	z.SetInt(s)
	return true
}

// bools is x op y of numbers of which one is a bool at least; ok is false of others.
func bools(op code.Op, x, y, z *slot.Slot) (ok bool) {
	a, isX := x.Ref().(starlark.Bool)
	b, isY := y.Ref().(starlark.Bool)
	if !isX && !isY {
		return false
	}
	switch {
	case op >= code.Add && op <= code.Mod:
	case isX && isY && op == code.And:
		*z = slot.Bool(bool(a && b))
		return true
	case isX && isY && op == code.Or:
		*z = slot.Bool(bool(a || b))
		return true
	case isX && isY && op == code.Xor:
		*z = slot.Bool(a != b)
		return true
	default:
		return false
	}
	u, v := *x, *y
	if isX {
		u = AsInt(a)
	}
	if isY {
		v = AsInt(b)
	}
	if op == code.Add && u.IsInt() && v.IsInt() { // the loop has the other sums of ints
		return Sum(u.Int(), v.Int(), z)
	}
	if op == code.Sub && u.IsInt() && v.IsInt() {
		return v.Int() > -2 && Sum(u.Int(), -v.Int(), z)
	}
	return Numbers(op, &u, &v, z)
}

// AsInt is a bool as an int.
func AsInt(b starlark.Bool) slot.Slot {
	if b {
		return slot.Int(1)
	}
	return slot.Int(0)
}
