package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Numeric value takes part in the built-in functions abs, sum, min, max, pow, round
// and len: whichever argument comes first and is Numeric does the work.
type Numeric interface {
	starlark.Value
	// CallNumeric answers the call name(args, kwargs), in which the receiver is one of args.
	CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
}

// NumericTable is the functions of numbers that arrays and symbols take part in.
var NumericTable = []Builtin{
	numeric("abs", "Absolute value.", "abs(-2) # 2", abs, Param{Name: "x", Doc: "a number or array"}),
	numeric("sum", "Sum of the elements, added to start.", "sum([1, 2, 3]) # 6", sum,
		Param{Name: "x", Doc: "an iterable of numbers, or an array"}, Param{Name: "start", Default: "0", Doc: "where to begin"}),
	numeric("min", "Smallest of the arguments, or of the elements of the only one.", "min(3, 1) # 1", minMax("min"),
		Param{Name: "*args", Doc: "values, or one iterable"},
		Param{Name: "key", Default: "None", Doc: "function of a value by which to compare"}),
	numeric("max", "Largest of the arguments, or of the elements of the only one.", "max([1, 3]) # 3", minMax("max"),
		Param{Name: "*args", Doc: "values, or one iterable"},
		Param{Name: "key", Default: "None", Doc: "function of a value by which to compare"}),
	numeric("pow", "x to the power y; exact for integers with y >= 0, a float otherwise.", "pow(2, 10) # 1024", pow,
		Param{Name: "x", Doc: "a number or array"}, Param{Name: "y", Doc: "a number or array"}),
	numeric("round", "x rounded to ndigits digits after the point, ties to even; an int if ndigits is not given.", "round(2.5) # 2",
		round,
		Param{Name: "x", Doc: "a number or array"}, Param{Name: "ndigits", Default: "None", Doc: "digits after the point"}),
	numeric("len", "Number of elements.", "len([1, 2]) # 2", length,
		Param{Name: "x", Doc: "a string, sequence, dict, set or array"}),
}

type builtinFunc = func(*starlark.Thread, *Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

func numeric(name, doc, example string, fn builtinFunc, params ...Param) Builtin {
	return Builtin{Name: name, Params: params, Doc: doc, Example: example,
		Fn: func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			for _, a := range args {
				if n, ok := a.(Numeric); ok {
					return n.CallNumeric(thread, name, args, kwargs)
				}
			}
			return fn(thread, b, args, kwargs)
		}}
}

func abs(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	if err := b.Unpack(args, kwargs, &x); err != nil {
		return nil, err
	}
	switch x := x.(type) {
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

func sum(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Iterable
	var total starlark.Value = starlark.MakeInt(0)
	if err := b.Unpack(args, kwargs, &x, &total); err != nil {
		return nil, err
	}
	it := x.Iterate()
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		var err error
		if total, err = starlark.Binary(syntax.PLUS, total, e); err != nil {
			return nil, fmt.Errorf("sum: %w", err)
		}
	}
	return total, nil
}

// minMax asks Starlark's own function, unless an element of the only argument is
// Numeric: that one is asked about them all.
func minMax(name string) builtinFunc {
	return func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 1 && len(kwargs) == 0 {
			if seq, ok := args[0].(starlark.Indexable); ok {
				for i := range seq.Len() {
					n, ok := seq.Index(i).(Numeric)
					if !ok {
						continue
					}
					all := make(starlark.Tuple, seq.Len())
					for j := range all {
						all[j] = seq.Index(j)
					}
					return n.CallNumeric(thread, name, all, nil)
				}
			}
		}
		return starlark.Universe[name].(*starlark.Builtin).CallInternal(thread, args, kwargs)
	}
}

func pow(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y starlark.Value
	if err := b.Unpack(args, kwargs, &x, &y); err != nil {
		return nil, err
	}
	base, ok1 := x.(starlark.Int)
	exp, ok2 := y.(starlark.Int)
	if ok1 && ok2 && exp.Sign() >= 0 {
		n, ok := exp.Int64()
		if bits := int64(base.BigInt().BitLen()); !ok || bits > 1 && n > 1<<20/bits {
			return nil, fmt.Errorf("pow: got exponent %s, want a result of at most %d bits", exp, 1<<20)
		}
		return starlark.MakeBigInt(new(big.Int).Exp(base.BigInt(), big.NewInt(n), nil)), nil
	}
	f, ok1 := starlark.AsFloat(x)
	g, ok2 := starlark.AsFloat(y)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("pow: got %s and %s, want numbers", x.Type(), y.Type())
	}
	if f == 0 && g < 0 {
		return nil, fmt.Errorf("pow: got 0 to a negative power")
	}
	return starlark.Float(math.Pow(f, g)), nil
}

func round(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	digits, whole := 0, v[1] == nil || v[1] == starlark.None
	if !whole {
		if digits, err = starlark.AsInt32(v[1]); err != nil {
			return nil, fmt.Errorf("round: for parameter ndigits: %w", err)
		}
	}
	switch x := v[0].(type) {
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

func length(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value
	if err := b.Unpack(args, kwargs, &x); err != nil {
		return nil, err
	}
	n := starlark.Len(x)
	if n < 0 {
		return nil, fmt.Errorf("len: value of type %s has no len", x.Type())
	}
	return starlark.MakeInt(n), nil
}
