package printing

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// floatTextArgs are the arguments of functions that write one float.
type floatTextArgs struct {
	X         starlark.Value `arg:"x: a number"`
	Precision starlark.Value `arg:"precision=None: the most digits after the point"`
	Unique    bool           `arg:"unique=True: whether digits end where they tell the number from others of its type"`
	Trim      starlark.Value `arg:"trim=\"k\": what becomes of zeros at the end: \"k\" they stay, \".\" go, \"0\" go but one, \"-\" go and the point too"`
	Sign      bool           `arg:"sign=False: whether numbers that are not negative have a sign"`
	PadLeft   starlark.Value `arg:"pad_left=None: columns before the point, filled with blanks"`
	MinDigits starlark.Value `arg:"min_digits=None: the fewest digits after the point"`
}

// formatFloatTable is the functions that write one float.
var formatFloatTable = []functions.Function{
	np.Function("np.format_float_positional", "A float as text, without an exponent.",
		"format_float_positional(1 / 3, precision=4) # \"0.3333\"", func(e *np.Eval, a *struct {
			floatTextArgs
			PadRight starlark.Value `arg:"pad_right=None: columns after the point, filled with blanks"`
		}) starlark.Value {
			return floatText(e, &a.floatTextArgs, array.FloatText{PadRight: columns(e, "pad_right", a.PadRight)})
		}),
	np.Function("np.format_float_scientific", "A float as text, with an exponent.",
		"format_float_scientific(12345.678, precision=3) # \"1.235e+04\"", func(e *np.Eval, a *struct {
			floatTextArgs
			ExpDigits starlark.Value `arg:"exp_digits=None: the fewest digits of the exponent, up to 5; else 2"`
		}) starlark.Value {
			return floatText(e, &a.floatTextArgs, array.FloatText{Exponent: true, ExpDigits: columns(e, "exp_digits", a.ExpDigits)})
		}),
}

// columns is a number of digits or blanks, nil if it is not given.
func columns(e *np.Eval, param string, v starlark.Value) *int {
	if v == nil {
		return nil
	}
	n := new(int)
	if err := setInt(n, v, 0, array.MaxPrecision); err != nil {
		e.FailFor(param, "%w", err)
	}
	return n
}

// floatText writes the number of a; f has the parameters that a lacks.
func floatText(e *np.Eval, a *floatTextArgs, f array.FloatText) starlark.Value {
	x, ok := starlark.AsFloat(value.NumberOf(a.X))
	if !ok {
		e.FailFor("x", "got %s, want a number", a.X.Type())
	}
	f.Bits, f.Unique, f.Plus, f.Trim = 64, a.Unique, a.Sign, array.Trims[0]
	if x, ok := a.X.(*np.Array); ok && x.D.DType() == kernels.Float32 {
		f.Bits = 32
	}
	if a.Trim != nil {
		if err := setString(&f.Trim, a.Trim, array.Trims...); err != nil {
			e.FailFor("trim", "%w", err)
		}
	}
	f.Precision, f.MinDigits = columns(e, "precision", a.Precision), columns(e, "min_digits", a.MinDigits)
	if n := columns(e, "pad_left", a.PadLeft); n != nil {
		f.PadLeft = *n
	}
	if e.Failed() {
		return nil
	}
	text, err := f.Format(x)
	return np.Keep[starlark.Value](e, starlark.String(text), err, nil)
}
