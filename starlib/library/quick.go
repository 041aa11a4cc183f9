package library

import (
	"math"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
)

// real is the number in a slot as a float.
func real(x *slot.Slot) (f float64, ok bool) {
	if x.IsInt() {
		return float64(x.Int()), true
	}
	return x.Float(), x.IsFloat() || x.IsDouble()
}

// quick1 is a function of one number as the machine asks for it: where the result is finite,
// nothing is refused.
func quick1(fn func(float64) float64) value.Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 1 {
			return slot.Slot{}, false
		}
		x, ok := real(&args[0])
		if !ok {
			return slot.Slot{}, false
		}
		y := fn(x)
		return slot.Float(y), y-y == 0
	}
}

// quick2 is quick1 of a function of two numbers.
func quick2(fn func(x, y float64) float64) value.Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return slot.Slot{}, false
		}
		x, ok := real(&args[0])
		y, also := real(&args[1])
		if !ok || !also {
			return slot.Slot{}, false
		}
		z := fn(x, y)
		return slot.Float(z), z-z == 0
	}
}

// quickWhole is quick1 of a function whose result is an int.
func quickWhole(fn func(float64) float64) value.Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 1 {
			return slot.Slot{}, false
		}
		if args[0].IsInt() {
			return args[0], true
		}
		x, ok := real(&args[0])
		if !ok || !(math.Abs(x) < 1<<62) {
			return slot.Slot{}, false
		}
		return slot.Int(int64(fn(x))), true
	}
}

// quickIs is quick1 of a question.
func quickIs(is func(float64) bool) value.Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 1 {
			return slot.Slot{}, false
		}
		x, ok := real(&args[0])
		return slot.Bool(ok && is(x)), ok
	}
}
