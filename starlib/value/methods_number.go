package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// intTable is the methods of int, which bools have too.
var intTable = []Builtin{
	ofInt("as_integer_ratio", "The int and 1, of which it is the quotient.", "(3).as_integer_ratio() # (3, 1)",
		func(n starlark.Int) starlark.Value { return starlark.Tuple{n, one} }),
	ofInt("bit_count", "How many bits of the absolute value are 1.", "(7).bit_count() # 3",
		func(n starlark.Int) starlark.Value {
			return starlark.MakeInt(strings.Count(new(big.Int).Abs(n.BigInt()).Text(2), "1"))
		}),
	ofInt("bit_length", "How many bits the absolute value takes.", "(255).bit_length() # 8",
		func(n starlark.Int) starlark.Value { return starlark.MakeInt(n.BigInt().BitLen()) }),
	ofInt("conjugate", "The int itself.", "(3).conjugate() # 3", func(n starlark.Int) starlark.Value { return n }),
	ofType("from_bytes", "The int that bytes are the digits of.", `int.from_bytes(b"\x01\x02", "big") # 258`, fromBytes,
		"bytes: bytes, or an iterable of ints", `byteorder="big": big, the first byte counts most, or little`,
		"*:", "signed=False: whether the first bit is the sign"),
	ofInt("is_integer", "True.", "(3).is_integer() # True", func(starlark.Int) starlark.Value { return starlark.True }),
	ours("to_bytes", "The digits of the int as bytes.", `(258).to_bytes(2, "big") # b"\x01\x02"`, toBytes,
		"length=1: how many", `byteorder="big": big, the first byte counts most, or little`,
		"*:", "signed=False: whether the first bit is the sign"),
}

// intFields are the attributes of ints, as numbers of which all kinds have the same.
var intFields = []Field{
	intField("real", "The int itself.", "(3).real # 3", func(n starlark.Int) starlark.Value { return n }),
	intField("imag", "0.", "(3).imag # 0", func(starlark.Int) starlark.Value { return zero }),
	intField("numerator", "The int itself.", "(3).numerator # 3", func(n starlark.Int) starlark.Value { return n }),
	intField("denominator", "1.", "(3).denominator # 1", func(starlark.Int) starlark.Value { return one }),
}

// floatTable is the methods of float.
var floatTable = []Builtin{
	ours("as_integer_ratio", "Two ints of which the float is the quotient, the second positive.",
		"(0.75).as_integer_ratio() # (3, 4)",
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			f := float64(b.recv.(starlark.Float))
			switch {
			case math.IsNaN(f):
				return nil, classed{"ValueError", "cannot convert NaN to integer ratio"}
			case math.IsInf(f, 0):
				return nil, classed{"OverflowError", "cannot convert Infinity to integer ratio"}
			}
			r := new(big.Rat).SetFloat64(f)
			return starlark.Tuple{starlark.MakeBigInt(r.Num()), starlark.MakeBigInt(r.Denom())}, nil
		}),
	ofFloat("conjugate", "The float itself.", "(0.5).conjugate() # 0.5", func(f float64) starlark.Value { return starlark.Float(f) }),
	ofType("fromhex", "The float of a text as hex writes it.", `float.fromhex("0x1.8p+1") # 3.0`, fromHex, "string: a text"),
	ofFloat("hex", "The float as text in base 16, which is exact.", `(3.0).hex() # "0x1.8000000000000p+1"`,
		func(f float64) starlark.Value { return starlark.String(hexText(f)) }),
	ofFloat("is_integer", "True if the float is finite and has no fraction.", "(2.0).is_integer() # True",
		func(f float64) starlark.Value { return starlark.Bool(math.Trunc(f) == f && !math.IsInf(f, 0)) }),
}

// floatFields are the attributes of floats.
var floatFields = []Field{
	FieldOf("real", "The float itself.", "(0.5).real # 0.5", func(f starlark.Float) starlark.Value { return f }),
	FieldOf("imag", "0.0.", "(0.5).imag # 0.0", func(starlark.Float) starlark.Value { return starlark.Float(0) }),
}

// A classed is an error of a class of Python's.
type classed struct{ class, text string }

func (e classed) FaultClass() string { return e.class }
func (e classed) Error() string      { return e.text }

var _ Fault = classed{}

// ofInt is the row of a method of an int without arguments.
func ofInt(name, doc, example string, of func(starlark.Int) starlark.Value) Builtin {
	return ours(name, doc, example, func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
		return of(Whole(b.recv).(starlark.Int)), nil
	})
}

func intField(name, doc, example string, of func(starlark.Int) starlark.Value) Field {
	return FieldOf(name, doc, example, func(x starlark.Value) starlark.Value { return of(Whole(x).(starlark.Int)) })
}

// ofFloat is the row of a method of a float without arguments.
func ofFloat(name, doc, example string, of func(float64) starlark.Value) Builtin {
	return ours(name, doc, example, func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
		return of(float64(b.recv.(starlark.Float))), nil
	})
}

// ofType is the row of a function that is a method of the type, and of its values.
func ofType(name, doc, example string, fn func(*Builtin, []starlark.Value) (starlark.Value, error), params ...string) Builtin {
	b := ours(name, doc, example, fn, params...)
	b.OfType = true
	return b
}

// bytesOrder reads byteorder and signed; turns reports that the last byte counts most.
func bytesOrder(b *Builtin, order, sign starlark.Value) (turns, signed bool, err error) {
	if order != nil {
		switch name, ok := starlark.AsString(order); {
		case !ok:
			return false, false, fmt.Errorf("%s: for parameter byteorder: got %s, want string", b.Name, order.Type())
		case name != "big" && name != "little":
			return false, false, classed{"ValueError", b.Name + ": for parameter byteorder: got " + Repr(order) + `, want "little" or "big"`}
		default:
			turns = name == "little"
		}
	}
	return turns, sign != nil && bool(sign.Truth()), nil
}

func fromBytes(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	turns, signed, err := bytesOrder(b, v[1], v[3])
	if err != nil {
		return nil, err
	}
	var digits []byte
	switch x := v[0].(type) {
	case starlark.Bytes:
		digits = []byte(x)
	case starlark.Iterable:
		for e := range starlark.Elements(x) {
			n, err := Int(e)
			if err == nil && (n < 0 || n > math.MaxUint8) {
				err = classed{"ValueError", b.Name + ": bytes must be in range(0, 256)"}
			}
			if err != nil {
				return nil, err
			}
			digits = append(digits, byte(n))
		}
	default:
		return nil, classed{"TypeError", b.Name + ": for parameter bytes: got " + v[0].Type() + ", want bytes"}
	}
	if turns {
		turnBytes(digits)
	}
	n := new(big.Int).SetBytes(digits)
	if signed && len(digits) > 0 && digits[0] > math.MaxInt8 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(digits))))
	}
	return starlark.MakeBigInt(n), nil
}

func toBytes(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	turns, signed, err := bytesOrder(b, v[1], v[3])
	length := 1
	if err == nil && v[0] != nil {
		if length, err = Int(v[0]); err == nil && length < 0 {
			err = classed{"ValueError", b.Name + ": length argument must be non-negative"}
		}
	}
	if err == nil {
		err = Ask(b.Name, "bytes", int64(length))
	}
	if err != nil {
		return nil, err
	}
	n := new(big.Int).Set(Whole(b.recv).(starlark.Int).BigInt())
	bits := n.BitLen()
	switch {
	case n.Sign() < 0 && !signed:
		return nil, classed{"OverflowError", b.Name + ": can't convert negative int to unsigned"}
	case n.Sign() < 0:
		bits = new(big.Int).Not(n).BitLen() + 1
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*length)))
	case signed && bits > 0:
		bits++
	}
	if bits > 8*length {
		return nil, classed{"OverflowError", b.Name + ": int too big to convert"}
	}
	digits := n.FillBytes(make([]byte, length))
	if turns {
		turnBytes(digits)
	}
	return starlark.Bytes(digits), nil
}

func turnBytes(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// hexText is a float in base 16, with all digits.
func hexText(f float64) string {
	switch {
	case math.IsInf(f, 0), math.IsNaN(f):
		return FormatFloat(f)
	case f == 0:
		return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 0, 64), "0") + "0x0.0p+0"
	}
	const digits, least = 52, -1022
	bits := math.Float64bits(f)
	exponent, sign := int(bits>>digits&0x7ff)+least-1, ""
	if math.Signbit(f) {
		sign = "-"
	}
	whole := 1
	if exponent < least {
		whole, exponent = 0, least
	}
	return fmt.Sprintf("%s0x%d.%013xp%+d", sign, whole, bits&(1<<digits-1), exponent)
}

func fromHex(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	text, ok := starlark.AsString(v[0])
	if !ok {
		return nil, fmt.Errorf("%s: got %s, want string", b.Name, v[0].Type())
	}
	s := strings.ToLower(stripBoth(text))
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	if s != "inf" && s != "infinity" && s != "nan" {
		s = strings.TrimPrefix(s, "0x")
		if !strings.ContainsRune(s, 'p') {
			s += "p0"
		}
		s = "0x" + s
	}
	f, err := strconv.ParseFloat(sign+s, 64)
	switch {
	case strings.ContainsRune(s, '_') || err != nil && !math.IsInf(f, 0):
		return nil, classed{"ValueError", b.Name + ": invalid hexadecimal floating-point string: " + Repr(v[0])}
	case err != nil:
		return nil, classed{"OverflowError", b.Name + ": hexadecimal value too large to represent as a float: " + Repr(v[0])}
	}
	return starlark.Float(f), nil
}
