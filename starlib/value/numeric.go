package value

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/starlib/value/bigint"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Multiplier is a Numeric that makes products with values that are Numeric too and do not know
// it, such as a sparse matrix with arrays.
type Multiplier interface {
	Numeric
	Multiplies()
}

// NumericTable is the functions of numbers that arrays and symbols take part in. True is 1.
var NumericTable = []Builtin{
	numeric("abs", "Absolute value.", "abs(-2) # 2", abs, "x: a number or array"),
	numeric("divmod", "The pair of x // y and x % y.", "divmod(7, 2) # (3, 1)", divmod, "x: a number or array",
		"y: a number or array"),
	numeric("sum", "Sum of the elements, added to start one by one.", "sum([1, 2, 3]) # 6", sum,
		"x: an iterable of numbers, or an array",
		"start=0: where to begin"),
	numeric("min", "Smallest of the arguments, or of the elements of the only one.", "min(3, 1) # 1", minMax("min"), extremeParams...),
	numeric("max", "Largest of the arguments, or of the elements of the only one.", "max([1, 3]) # 3", minMax("max"),
		extremeParams...),
	numeric("pow", "x to the power y; exact for integers with y >= 0, a float otherwise. With mod, the remainder of it by mod.",
		"pow(2, 10) # 1024", pow, "x: a number or array", "y: a number or array", "mod=None: an int; then x and y are ints"),
	row("matmul", "The matrix product, x @ y in the extended syntax.", "matmul(np.array([1, 2]), np.array([3, 4])) # 11", matmul,
		"x: an array or symbolic variable", "y: an array or symbolic variable"),
	numeric("round", "x rounded to ndigits digits after the point, ties to even; an int if ndigits is not given.", "round(2.5) # 2",
		round,
		"x: a number or array", "ndigits=None: digits after the point"),
	numeric("len",
		"Number of elements; of a string, of its characters, which indexes and slices count too.", `len("π²") # 2`, length, "x: a string, sequence, dict, set or array"),
}

var extremeParams = []string{"*args: values, or one iterable", "key=None: function of a value by which to compare",
	"default=None: instead of an error, if the iterable is empty"}

func numeric(name, doc, example string, fn builtinFunc, params ...string) Builtin {
	b := row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			for _, a := range args {
				if n, ok := a.(Numeric); ok && !asksKey(kwargs) {
					_, typed := a.(Typed)
					if name == "divmod" || typed && !computes[name] { // operators and comparisons do it
						continue
					}
					if typed && (name == "round" && len(args)+len(kwargs) == 1 || name == "pow" && len(args)+len(kwargs) == 3) {
						return fn(thread, b, Plain(args).(starlark.Tuple), kwargs) // an int, as in Python
					}
					return n.CallNumeric(thread, name, args, kwargs)
				}
			}
			return fn(thread, b, args, kwargs)
		}, params...)
	b.RetainsNone, b.Quick = computes[name], quickFunctions[name]
	return b
}

// asksKey reports whether arguments have a key by which values are compared: what they are does not
// matter then.
func asksKey(kwargs []starlark.Tuple) bool {
	return slices.ContainsFunc(kwargs, func(kv starlark.Tuple) bool { return kv[0] == starlark.String("key") && kv[1] != starlark.None })
}

// computes are the functions of numbers that a Typed does itself.
var computes = map[string]bool{"abs": true, "pow": true, "round": true}

func abs(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	if err := b.Unpack(args, kwargs, &x); err != nil {
		return nil, err
	}
	if x, ok := x.(Absolute); ok {
		return x.Abs()
	}
	if v, err := special(x, "__abs__"); v != nil || err != nil {
		return v, err
	}
	switch x := Whole(x).(type) {
	case starlark.Int:
		if x.Sign() < 0 {
			return starlark.MakeInt(0).Sub(x), nil
		}
		return x, nil
	case starlark.Float:
		return starlark.Float(math.Abs(float64(x))), nil
	}
	return nil, fmt.Errorf("abs: got %s, want a number", x.Type())
}

// Divide is x op y for operators of Starlark. Where // and % are of floats they are as in Python: x
// % y is the exact remainder with the sign of y, also where it is zero, and x // y the quotient of
// x less that; Starlark's // rounds x / y before it takes the floor, and 1.0 // 0.1 would be 10.0.
func Divide(host Host, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	floors := op == syntax.SLASHSLASH || op == syntax.PERCENT
	if a, ok := x.(starlark.Float); ok && floors {
		if b, ok := y.(starlark.Float); ok && b != 0 {
			return floored(op, float64(a), float64(b)), nil
		}
	}
	if z, err := LargeInts(host, op, x, y); z != nil || err != nil {
		return z, err
	}
	z, err := starlark.Binary(op, x, y)
	if _, isFloat := z.(starlark.Float); err != nil || !isFloat || !floors {
		return z, err
	}
	a, isNumber := starlark.AsFloat(x)
	b, also := starlark.AsFloat(y)
	if !isNumber || !also {
		return z, nil // what a value of another type gives
	}
	return floored(op, a, b), nil
}

// floored is a // b or a % b, for b that is not 0.
func floored(op syntax.Token, a, b float64) starlark.Float {
	rem := math.Mod(a, b)
	quo := (a - rem) / b
	switch {
	case rem == 0:
		rem = math.Copysign(0, b)
	case (rem < 0) != (b < 0):
		rem += b
		quo--
	}
	if op == syntax.PERCENT {
		return starlark.Float(rem)
	}
	if quo == 0 {
		return starlark.Float(math.Copysign(0, a/b))
	}
	return starlark.Float(math.RoundToEven(quo)) // it is whole but for its own rounding
}

func divmod(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y starlark.Value
	if err := b.Unpack(args, kwargs, &x, &y); err != nil {
		return nil, err
	}
	x, y = Whole(x), Whole(y)
	if v, err := special(x, "__divmod__", y); v != nil || err != nil {
		return v, err
	}
	if v, err := special(y, "__rdivmod__", x); v != nil || err != nil {
		return v, err
	}
	if x.Type() == "string" || y.Type() == "string" { // % of a string is something else
		return nil, fmt.Errorf("divmod: got %s and %s, want numbers", x.Type(), y.Type())
	}
	quo, err := Divide(HostOf(thread), syntax.SLASHSLASH, x, y)
	if err != nil {
		return nil, fmt.Errorf("divmod: %w", err)
	}
	rem, err := Divide(HostOf(thread), syntax.PERCENT, x, y)
	return starlark.Tuple{quo, rem}, err
}

func sum(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	var total starlark.Value = starlark.MakeInt(0)
	if err := b.Unpack(args, kwargs, &v, &total); err != nil {
		return nil, err
	}
	x, err := Iterable(v)
	if err != nil {
		return nil, fmt.Errorf("sum: for parameter x: %w", err)
	}
	if total.Type() == "string" {
		return nil, fmt.Errorf(`sum: got a string to begin with, want a number: "".join(x) joins strings`)
	}
	if err := CheckLen("sum", x); err != nil {
		return nil, err
	}
	total = Whole(total)
	it := x.Iterate()
	defer it.Done()
	var e starlark.Value
	for poll := PollOf(thread); it.Next(&e); {
		poll.Ask(PerElement)
		var err error
		if total, err = starlark.Binary(syntax.PLUS, total, Whole(e)); err != nil {
			return nil, fmt.Errorf("sum: %w", err)
		}
	}
	return total, nil
}

// minMax compares by Extreme, unless a value is Numeric and there is no key: that one is asked
// about them all.
func minMax(name string) builtinFunc {
	return func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		if len(args) == 0 {
			return nil, Failure("TypeError", "%s expected at least 1 argument, got 0", name)
		}
		if v[2] != nil && len(args) != 1 {
			return nil, fmt.Errorf("%s: got default with %d values, want one iterable", name, len(args))
		}
		if len(args) == 1 {
			x, err := Iterable(args[0])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if err := CheckLen(name, x); err != nil {
				return nil, err
			}
			args = ElementsHeard(thread, x)
			if len(args) == 0 && v[2] != nil {
				return v[2], nil
			}
			if len(args) == 0 {
				return nil, fmt.Errorf("%s: got an empty %s, want one element at least, or default=", name, x.Type())
			}
			poll := PollOf(thread)
			for _, e := range args {
				poll.Ask(1)
				if _, typed := e.(Typed); typed {
					continue
				}
				if n, ok := e.(Numeric); ok && v[1] == nil {
					return n.CallNumeric(thread, name, args, nil)
				}
			}
		}
		return Extreme(thread, name, args, v[1])
	}
}

// A Powerer is a value that says what pow(x, y, mod) is.
type Powerer interface {
	starlark.Value
	Power(y, mod starlark.Value) (starlark.Value, error)
}

// maxBits is how many bits an int has at most that a power or a shift makes.
const maxBits = 1 << 20

func pow(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y, mod starlark.Value
	if err := b.Unpack(args, kwargs, &x, &y, &mod); err != nil {
		return nil, err
	}
	if p, ok := x.(Powerer); ok && mod != nil {
		return p.Power(y, mod)
	}
	x, y = Whole(x), Whole(y)
	base, ok1 := x.(starlark.Int)
	exp, ok2 := y.(starlark.Int)
	if mod != nil && (isComplex(x) || isComplex(y)) {
		return nil, classed{"ValueError", "complex modulo"}
	}
	if mod != nil {
		m, ok3 := Whole(mod).(starlark.Int)
		if !ok1 || !ok2 || !ok3 {
			return nil, fmt.Errorf("pow: got %s, %s and %s, want ints where there is a mod", x.Type(), y.Type(), mod.Type())
		}
		return powMod(thread, base.BigInt(), exp.BigInt(), m.BigInt())
	}
	if ok1 && ok2 && exp.Sign() >= 0 {
		n, ok := exp.Int64()
		if bits := int64(base.BigInt().BitLen()); bits > 1 && (!ok || n > maxBits/bits) {
			return nil, fmt.Errorf("pow: got exponent %s, want a result of at most %d bits", exp, maxBits)
		}
		return starlark.MakeBigInt(new(big.Int).Exp(base.BigInt(), exp.BigInt(), nil)), nil
	}
	if isComplex(x) || isComplex(y) {
		a, ok1 := AsComplex(x)
		b, ok2 := AsComplex(y)
		if ok1 && ok2 {
			return complexPower(a, b)
		}
	}
	f, ok1 := starlark.AsFloat(x)
	g, ok2 := starlark.AsFloat(y)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("pow: got %s and %s, want numbers", x.Type(), y.Type())
	}
	z, ok := Power(f, g)
	if ok {
		return starlark.Float(z), nil
	}
	if f == 0 && g < 0 {
		return nil, fmt.Errorf("pow: got 0 to a negative power")
	}
	if f < 0 && g != math.Trunc(g) && !math.IsInf(f, 0) {
		return complexPower(complex(f, 0), complex(g, 0))
	}
	return nil, fmt.Errorf("pow: the result is too large: got %s to the power %s; of arrays it is inf: np.array(x) ** y", FormatFloat(f), FormatFloat(g))
}

// Power is x to the power y, NumPy's bits. ok is false where Python raises an error, or makes a
// complex number.
func Power(x, y float64) (z float64, ok bool) {
	if x == 0 && y < 0 && !math.IsInf(y, 0) || x < 0 && y == y && y != math.Trunc(y) && !math.IsInf(x, 0) {
		return 0, false
	}
	z = libm.Pow(x, y)
	return z, !math.IsInf(z, 0) || math.IsInf(x, 0) || math.IsInf(y, 0)
}

// powMod returns x to the power y modulo m, with the sign of m.
func powMod(thread *starlark.Thread, x, y, m *big.Int) (starlark.Value, error) {
	if m.Sign() == 0 {
		return nil, fmt.Errorf("pow: got mod 0")
	}
	abs := new(big.Int).Abs(m)
	var z *big.Int
	if ar := (bigint.Arithmetic{Poll: PollOf(thread)}); y.Sign() > 0 && y.BitLen()+m.BitLen() > 1<<12 {
		z = ar.PowMod(x, y, abs)
	} else {
		z = new(big.Int).Exp(x, y, abs)
	}
	if z == nil {
		return nil, fmt.Errorf("pow: got %s to a negative power, which has no inverse modulo %s", x, m)
	}
	if m.Sign() < 0 && z.Sign() != 0 {
		z.Add(z, m)
	}
	return starlark.MakeBigInt(z), nil
}

func matmul(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y starlark.Value
	if err := b.Unpack(args, kwargs, &x, &y); err != nil {
		return nil, err
	}
	if f, ok := y.(Multiplier); ok {
		return f.CallNumeric(thread, "matmul", starlark.Tuple{x, y}, nil)
	}
	for _, v := range []starlark.Value{x, y} {
		if n, ok := v.(Numeric); ok {
			return n.CallNumeric(thread, "matmul", starlark.Tuple{x, y}, nil)
		}
	}
	return nil, fmt.Errorf("@: got %s and %s, want arrays or symbolic variables", x.Type(), y.Type())
}

func round(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	digits, whole := 0, v[1] == nil || v[1] == starlark.None
	if i, ok := v[0].(Instance); ok {
		more := starlark.Tuple{}
		if !whole {
			more = starlark.Tuple{v[1]}
		}
		if z, err := special(i, "__round__", more...); z != nil || err != nil {
			return z, err
		}
	}
	if !whole {
		if digits, err = starlark.AsInt32(Plain(v[1])); err != nil {
			return nil, fmt.Errorf("round: for parameter ndigits: %w", err)
		}
	}
	switch x := Whole(v[0]).(type) {
	case starlark.Int:
		if digits >= 0 {
			return x, nil
		}
		return roundInt(x, -digits), nil
	case starlark.Float:
		f := float64(x)
		if whole {
			n, err := starlark.NumberToInt(starlark.Float(math.RoundToEven(f)))
			if err != nil {
				return nil, fmt.Errorf("round: %w", err)
			}
			return n, nil
		}
		return starlark.Float(roundFloat(f, digits)), nil
	}
	return nil, fmt.Errorf("round: got %s, want a number", v[0].Type())
}

// roundFloat rounds to digits after the point by way of the shortest decimal text, which
// is correct where multiplying by a power of ten is not: round(2.675, 2) is 2.67.
func roundFloat(f float64, digits int) float64 {
	if digits >= 0 {
		if digits > 323 || math.IsInf(f, 0) || math.IsNaN(f) {
			return f
		}
		r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		if err != nil {
			return f
		}
		return r
	}
	if digits < -308 {
		return math.Copysign(0, f)
	}
	scale := math.Pow10(-digits)
	return math.RoundToEven(f/scale) * scale
}

// roundInt rounds to a multiple of 10 to the power zeros, ties to even.
func roundInt(x starlark.Int, zeros int) starlark.Value {
	if zeros > x.BigInt().BitLen() { // 10^zeros is more than twice |x|
		return starlark.MakeInt(0)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(zeros)), nil)
	quo, rem := new(big.Int).QuoRem(x.BigInt(), unit, new(big.Int))
	twice := new(big.Int).Abs(rem)
	twice.Lsh(twice, 1)
	if c := twice.Cmp(unit); c > 0 || c == 0 && quo.Bit(0) == 1 {
		quo.Add(quo, big.NewInt(int64(rem.Sign())))
	}
	return starlark.MakeBigInt(quo.Mul(quo, unit))
}

func length(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	if err := b.Unpack(args, kwargs, &x); err != nil {
		return nil, err
	}
	if s, ok := x.(starlark.String); ok {
		return starlark.MakeInt(charsOf(thread, string(s)).n), nil
	}
	n := starlark.Len(x)
	if n < 0 {
		return nil, fmt.Errorf("len: value of type %s has no len", x.Type())
	}
	return starlark.MakeInt(n), nil
}
