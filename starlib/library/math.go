package library

import (
	"fmt"
	"math"
	"math/big"

	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Math is Python's math, with mod and round of Starlark's.
var Math = value.NewModule("math", "Functions of numbers. For arrays use np, for symbols T.",
	append(value.Builtins(mathTable()),
		value.Member{Name: "e", Value: starlark.Float(math.E), Doc: "Base of the natural logarithm."},
		value.Member{Name: "pi", Value: starlark.Float(math.Pi), Doc: "Circumference of a circle of diameter 1."},
		value.Member{Name: "tau", Value: starlark.Float(2 * math.Pi), Doc: "Circumference of a circle of radius 1."},
		value.Member{Name: "inf", Value: starlark.Float(math.Inf(1)), Doc: "Infinity."},
		value.Member{Name: "nan", Value: starlark.Float(math.NaN()), Doc: "Not a number."},
	)...)

func mathTable() []value.Builtin {
	const unit, finite = "a number between -1 and 1", "a finite number"
	return append([]value.Builtin{
		real1("acos", "Arc cosine, in radians.", "math.acos(1) # 0.0", unit, acos),
		real1("acosh", "Inverse hyperbolic cosine.", "math.acosh(1) # 0.0", "a number >= 1", math.Acosh),
		real1("asin", "Arc sine, in radians.", "math.asin(0) # 0.0", unit, asin),
		real1("asinh", "Inverse hyperbolic sine.", "math.asinh(0) # 0.0", finite, math.Asinh),
		real1("atan", "Arc tangent, in radians.", "math.atan(0) # 0.0", finite, math.Atan),
		real1("atanh", "Inverse hyperbolic tangent.", "math.atanh(0) # 0.0", "a number > -1 and < 1", math.Atanh),
		real1("cbrt", "Cube root.", "math.cbrt(27) # 3.0", finite, math.Cbrt),
		real1("cos", "Cosine of x radians.", "math.cos(0) # 1.0", finite, cos),
		real1("cosh", "Hyperbolic cosine.", "math.cosh(0) # 1.0", "a number between -710.47 and 710.47", cosh),
		real1("degrees", "Radians to degrees.", "math.degrees(math.pi) # 180.0", "",
			func(x float64) float64 { return x * (180 / math.Pi) }),
		real1("erf", "Error function.", "math.erf(0) # 0.0", finite, math.Erf),
		real1("erfc", "1 - erf(x), accurate where that is small.", "math.erfc(0) # 1.0", finite, math.Erfc),
		real1("exp", "e to the power x.", "math.exp(0) # 1.0", "a number <= 709.78", libm.Exp),
		real1("exp2", "2 to the power x.", "math.exp2(3) # 8.0", "a number < 1024", math.Exp2),
		real1("expm1", "exp(x) - 1, accurate for small x.", "math.expm1(0) # 0.0", "a number <= 709.78", libm.Expm1),
		real1("fabs", "Absolute value, as a float.", "math.fabs(-2) # 2.0", finite, math.Abs),
		real1("gamma", "Gamma function: (x-1)! for whole x.", "math.gamma(5) # 24.0",
			"a number up to 171.62, not 0 or a negative integer",
			gamma),
		real1("lgamma", "Logarithm of the absolute value of the Gamma function.", "math.lgamma(1) # 0.0",
			"a number that is not 0 or a negative integer", lgamma),
		logarithm("log10", "Logarithm to base 10.", "math.log10(1000) # 3.0", log10),
		real1("log1p", "log(1 + x), accurate for small x.", "math.log1p(0) # 0.0", "a number > -1", log1p),
		logarithm("log2", "Logarithm to base 2.", "math.log2(8) # 3.0", log2),
		real1("radians", "Degrees to radians.", "math.radians(180) # 3.141592653589793", finite,
			func(x float64) float64 { return x * (math.Pi / 180) }),
		real1("round", "Nearest whole number, as a float; ties away from zero. round(x) without math has ties to even.",
			"math.round(2.5) # 3.0", finite, math.Round),
		real1("sin", "Sine of x radians.", "math.sin(0) # 0.0", finite, sin),
		real1("sinh", "Hyperbolic sine.", "math.sinh(0) # 0.0", "a number between -710.47 and 710.47", sinh),
		real1("sqrt", "Square root.", "math.sqrt(9) # 3.0", "a number >= 0", math.Sqrt),
		real1("tan", "Tangent of x radians.", "math.tan(0) # 0.0", finite, tan),
		real1("tanh", "Hyperbolic tangent.", "math.tanh(0) # 0.0", finite, math.Tanh),
		real1("ulp", "Distance to the next float that is larger in size.", "math.ulp(1) # 2.220446049250313e-16", finite, ulp),

		real2("atan2", "Angle of the point (x, y), between -pi and pi.", "math.atan2(0, 1) # 0.0", finite, math.Atan2, "y: a number",
			"x: a number"),
		real2("copysign", "Size of x with the sign of y.", "math.copysign(2, -0.0) # -2.0", finite, math.Copysign),
		real2("fmod", "Remainder of x / y with the sign of x.", "math.fmod(-7, 3) # -1.0", "a finite x, and a y that is not 0", math.Mod),
		value.Bound("ldexp", "x times 2 to the power i.", "math.ldexp(0.75, 2) # 3.0", ldexp, "x: a number", "i: an int"),
		real2("mod", "Remainder of x / y with the sign of y.", "math.mod(-7, 3) # 2.0", "a finite x, and a y that is not 0",
			func(x, y float64) float64 {
				z := math.Mod(x, y)
				if z != 0 && (z < 0) != (y < 0) {
					z += y
				}
				return z
			}),
		real2("nextafter", "The float after x in the direction of y.", "math.nextafter(1, 2) # 1.0000000000000002", "", nextafter),
		real2("pow", "x to the power y, as a float.", "math.pow(2, 3) # 8.0", "a result that is real and fits a float", func(x,
			y float64) float64 {
			if x == 0 && y < 0 && !math.IsInf(y, 0) {
				return math.NaN()
			}
			return libm.Pow(x, y)
		}),
		real2("remainder", "x minus the multiple of y that is nearest, ties to even.", "math.remainder(7, 4) # -1.0",
			"a finite x, and a y that is not 0", math.Remainder),
		value.Bound("log", "Logarithm: the natural one, or to a base.", "math.log(8, 2) # 3.0", func(v []starlark.Value) (starlark.Value,
			error) {
			x, err := logOf("log", v[0], libm.Log)
			if err != nil || v[1] == nil {
				return starlark.Float(x), err
			}
			base, err := logOf("log", v[1], libm.Log)
			if err == nil && base == 0 {
				err = fmt.Errorf("math.log: got base 1, want another")
			}
			return starlark.Float(x / base), err
		}, "x: a number > 0", "base=e: a number > 0 that is not 1").Quickly(quick1(libm.Log)),
	}, append(append(wholeTable, testTable...), severalTable...)...)
}

// realArg reads a number as a float. name is that of a function of math.
func realArg(name string, v starlark.Value) (float64, error) {
	switch x := value.ScalarOf(v).(type) {
	case starlark.Float:
		return float64(x), nil
	case starlark.Bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case starlark.Int:
		f, _ := new(big.Float).SetInt(x.BigInt()).Float64()
		if math.IsInf(f, 0) {
			return 0, fmt.Errorf("math.%s: got an int of %d bits, which is too large for a float", name, x.BigInt().BitLen())
		}
		return f, nil
	}
	if n, err := value.AsReal(v); err != nil {
		return 0, err
	} else if n != nil {
		return realArg(name, n)
	}
	if v.Type() == "ndarray" {
		return 0, fmt.Errorf("math.%s: got ndarray, want a number; np has functions of arrays", name)
	}
	if _, ok := v.(value.Numeric); ok {
		return 0, fmt.Errorf("math.%s: got %s, want a number; T has functions of symbols", name, v.Type())
	}
	return 0, fmt.Errorf("math.%s: got %s, want a number", name, v.Type())
}

// real1 is the row of a function of one number. Where its result is not a number, or infinite for a
// finite x, want says what x must be; without it nothing is refused.
func real1(name, doc, example, want string, fn func(float64) float64) value.Builtin {
	return value.Bound(name, doc, example, func(v []starlark.Value) (starlark.Value, error) {
		x, err := realArg(name, v[0])
		if err != nil {
			return nil, err
		}
		y := fn(x)
		if want != "" && (math.IsNaN(y) && !math.IsNaN(x) || math.IsInf(y, 0) && !math.IsInf(x, 0)) {
			return nil, fmt.Errorf("math.%s: got %s, want %s", name, value.FormatFloat(x), want)
		}
		return starlark.Float(y), nil
	}, "x: a number").Quickly(quick1(fn))
}

// real2 is the row of a function of two numbers.
func real2(name, doc, example, want string, fn func(x, y float64) float64, params ...string) value.Builtin {
	if params == nil {
		params = []string{"x: a number", "y: a number"}
	}
	return value.Bound(name, doc, example, func(v []starlark.Value) (starlark.Value, error) {
		x, err := realArg(name, v[0])
		if err != nil {
			return nil, err
		}
		y, err := realArg(name, v[1])
		if err != nil {
			return nil, err
		}
		z := fn(x, y)
		isInf := math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0)
		if want != "" && (math.IsNaN(z) && !math.IsNaN(x) && !math.IsNaN(y) || isInf) {
			return nil, fmt.Errorf("math.%s: got %s and %s, want %s", name, value.FormatFloat(x), value.FormatFloat(y), want)
		}
		return starlark.Float(z), nil
	}, params...).Quickly(quick2(fn))
}

// logarithm is the row of a logarithm, which takes ints of any size.
func logarithm(name, doc, example string, fn func(float64) float64) value.Builtin {
	return value.Bound(name, doc, example, func(v []starlark.Value) (starlark.Value, error) {
		y, err := logOf(name, v[0], fn)
		return starlark.Float(y), err
	}, "x: a number > 0").Quickly(quick1(fn))
}

func logOf(name string, v starlark.Value, fn func(float64) float64) (float64, error) {
	if n, ok := v.(starlark.Int); ok && n.Sign() > 0 && n.BigInt().BitLen() > 1023 {
		mantissa := new(big.Float)
		exp := new(big.Float).SetInt(n.BigInt()).MantExp(mantissa)
		m, _ := mantissa.Float64()
		return fn(m) + float64(exp)*fn(2), nil
	}
	x, err := realArg(name, v)
	if err != nil {
		return 0, err
	}
	if x <= 0 {
		return 0, fmt.Errorf("math.%s: got %s, want a number > 0", name, value.FormatFloat(x))
	}
	return fn(x), nil
}

func ldexp(v []starlark.Value) (starlark.Value, error) {
	x, err := realArg("ldexp", v[0])
	if err != nil {
		return nil, err
	}
	i, err := intArg("ldexp", v[1])
	if err != nil {
		return nil, err
	}
	const most = 1 << 12 // beyond that all but 0, inf and nan are too large, or 0
	if i.CmpAbs(big.NewInt(most)) > 0 {
		i = big.NewInt(int64(i.Sign()) * most)
	}
	y := math.Ldexp(x, int(i.Int64()))
	if math.IsInf(y, 0) && !math.IsInf(x, 0) {
		return nil, fmt.Errorf("math.ldexp: got %s and %s, want a result that fits a float", value.FormatFloat(x), value.Repr(v[1]))
	}
	return starlark.Float(y), nil
}

func ulp(x float64) float64 {
	x = math.Abs(x)
	if math.IsInf(x, 0) {
		return x
	}
	if y := math.Nextafter(x, math.Inf(1)); !math.IsInf(y, 0) {
		return y - x
	}
	return x - math.Nextafter(x, 0)
}
