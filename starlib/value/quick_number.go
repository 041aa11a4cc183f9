package value

import (
	"math"
	"strconv"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

func quickAbs(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsFloat() {
		return slot.Float(math.Abs(x.Float())), true
	}
	return slot.Int(max(x.Int(), -x.Int())), x.IsInt() && x.Int() != math.MinInt64
}

// quickExtreme is max or min of ints, of floats that are none of them nan, or of texts: of the
// arguments, or of the elements of one.
func quickExtreme(sign int) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) == 1 {
			var ok bool
			if args, ok = quickSlots(&args[0]); !ok {
				return slot.Slot{}, false
			}
		}
		if len(args) == 0 {
			return slot.Slot{}, false
		}
		return bestOf(args, sign)
	}
}

func quickInt(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if (x.IsFloat() || x.IsDouble()) && math.Abs(x.Float()) < 1<<62 {
		return slot.Int(int64(x.Float())), true
	}
	if text, ok := x.Ref().(starlark.String); ok {
		return intOfText(string(text))
	}
	return *x, x.IsInt()
}

// intOfText is the int of a text of a few digits, perhaps with a sign.
func intOfText(text string) (slot.Slot, bool) {
	digits := text
	if len(digits) > 1 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if digits == "" || len(digits) > 18 {
		return slot.Slot{}, false
	}
	n := int64(0)
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return slot.Slot{}, false
		}
		n = 10*n + int64(digits[i]-'0')
	}
	if text[0] == '-' {
		n = -n
	}
	return slot.Int(n), true
}

func quickFloat(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsInt() {
		return slot.Float(float64(x.Int())), true
	}
	if x.IsDouble() {
		return slot.Float(x.Float()), true
	}
	if text, ok := x.Ref().(starlark.String); ok {
		return floatOfText(string(text))
	}
	return *x, x.IsFloat()
}

// floatOfText is the float of a text of digits, points, signs and an e.
func floatOfText(text string) (slot.Slot, bool) {
	if len(text) > 40 {
		return slot.Slot{}, false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c), c == '.', c == '-', c == '+', c == 'e':
		default:
			return slot.Slot{}, false
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return slot.Float(f), err == nil
}

func quickBool(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	truth, known := TruthOf(&args[0])
	return slot.Bool(truth), known
}

func quickDivmod(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 || !args[0].IsInt() || !args[1].IsInt() || args[1].Int() < 1 {
		return slot.Slot{}, false
	}
	quo, rem := args[0].Int()/args[1].Int(), args[0].Int()%args[1].Int()
	if rem < 0 {
		quo, rem = quo-1, rem+args[1].Int()
	}
	return slot.Ref(starlark.Tuple{starlark.MakeInt64(quo), starlark.MakeInt64(rem)}), true
}

// quickRound is round(x) of a float that fits an int.
func quickRound(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsInt() {
		return *x, true
	}
	if !(x.IsFloat() || x.IsDouble()) || !(math.Abs(x.Float()) < 1<<62) {
		return slot.Slot{}, false
	}
	return slot.Int(int64(math.RoundToEven(x.Float()))), true
}
