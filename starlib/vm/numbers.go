package vm

import (
	"math"
	"math/bits"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
)

// exact is the largest int up to which all are floats.
const exact = 1 << 53

// numbers is x op y of numbers that the loop leaves; ok is false of others, and of what needs care.
// z may be x or y.
func numbers(op code.Op, x, y *slot.Slot, z *slot.Slot) (ok bool) {
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

// doubles is x op y of which one is a double at least. Of a comparison only its truth is known
// here.
func (m *Machine) doubles(op code.Op, x, y, z *slot.Slot, ip int) (ok bool) {
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
	default:
		next := m.fr.fn.code.Code[ip+1].Op
		if next != code.Unless && next != code.When || op < code.Lt || op > code.Ne {
			return false
		}
		u, v := slot.Float(a), slot.Float(b)
		return numbers(op, &u, &v, z)
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
