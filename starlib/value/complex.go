package value

import (
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels/complexes"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Complex is a complex number, as 1 + 2j makes it.
type Complex complex128

var (
	_ ComplexNumber       = Complex(0)
	_ Comparer            = Complex(0)
	_ starlark.Comparable = Complex(0)
	_ starlark.HasBinary  = Complex(0)
	_ starlark.HasUnary   = Complex(0)
	_ Absolute            = Complex(0)
	_ Formatter           = Complex(0)
	_ Tabled              = Complex(0)
)

// A ComplexNumber is a complex number of the language's or of an array. It compares itself with
// other numbers, also as a key and in containers.
type ComplexNumber interface {
	Comparer
	Complex() complex128
	KeyHash() (int64, error) // hash(x), that of the float it equals if there is one
}

func init() {
	slot.Hooks.Complex = func(c complex128) starlark.Value { return Complex(c) }
}

func (z Complex) Type() string         { return "complex" }
func (z Complex) Freeze()              {}
func (z Complex) Truth() starlark.Bool { return z != 0 }
func (z Complex) String() string       { return FormatComplex(complex128(z)) }
func (z Complex) Complex() complex128  { return complex128(z) }

// Hash is for Starlark's own containers.
func (z Complex) Hash() (uint32, error) {
	h, err := z.KeyHash()
	return uint32(h), err
}

// KeyHash is hash(z) of CPython.
func (z Complex) KeyHash() (int64, error) { return HashComplex(complex128(z)), nil }

// HashComplex is hash(z) of CPython, that of the real part plus that of the imaginary one times
// 1000003.
func HashComplex(z complex128) int64 {
	const factor = 1000003
	re, _ := slot.Hash(slot.Float(real(z)))
	im, _ := slot.Hash(slot.Float(imag(z)))
	if imag(z) == 0 {
		return re
	}
	h := re + factor*im
	if h == -1 {
		h = -2
	}
	return h
}

// FormatComplex is z as Python's repr(z): an imaginary number alone if the real part is 0, else in
// parentheses.
func FormatComplex(z complex128) string {
	if real(z) == 0 && !math.Signbit(real(z)) {
		return shortFloat(imag(z)) + "j"
	}
	im := shortFloat(imag(z))
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + shortFloat(real(z)) + im + "j)"
}

// shortFloat is FormatFloat without the ".0" of a whole number.
func shortFloat(x float64) string { return strings.TrimSuffix(FormatFloat(x), ".0") }

// AsComplex is a number of the language's as a complex one; ok is false of others, and of an int
// that is too large for a float.
func AsComplex(v starlark.Value) (z complex128, ok bool) {
	switch v := v.(type) {
	case Complex:
		return complex128(v), true
	case starlark.Float:
		return complex(float64(v), 0), true
	case starlark.Int:
		f, err := finite(v)
		return complex(f, 0), err == nil
	case starlark.Bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// Binary computes z op y, or y op z, for + - * and /.
func (z Complex) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	w, ok := AsComplex(y)
	if !ok {
		if n, isInt := y.(starlark.Int); isInt {
			_, err := finite(n)
			return nil, classed{"OverflowError", err.Error()}
		}
		return nil, nil
	}
	a, b := complex128(z), w
	if side == starlark.Right {
		a, b = b, a
	}
	switch op {
	case syntax.PLUS:
		return Complex(a + b), nil
	case syntax.MINUS:
		return Complex(a - b), nil
	case syntax.STAR:
		return Complex(complexes.Mul(a, b)), nil
	case syntax.SLASH:
		quotient, ok := complexes.Quotient(a, b)
		if !ok {
			return nil, classed{"ZeroDivisionError", "complex division by zero"}
		}
		return Complex(quotient), nil
	}
	return nil, nil
}

// complexPower is x to the power y, as Python's ** computes it.
func complexPower(x, y complex128) (starlark.Value, error) {
	z, zero, overflow := complexes.Power(x, y)
	switch {
	case zero:
		return nil, classed{"ZeroDivisionError", "0.0 to a negative or complex power"}
	case overflow:
		return nil, classed{"OverflowError", "complex exponentiation"}
	}
	return Complex(z), nil
}

// Unary computes -z and +z.
func (z Complex) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.MINUS:
		return -z, nil
	case syntax.PLUS:
		return z, nil
	}
	return nil, nil
}

// Abs is abs(z).
func (z Complex) Abs() (starlark.Value, error) {
	size := complexes.Abs(complex128(z))
	if math.IsInf(size, 0) && complexes.IsFinite(complex128(z)) {
		return nil, classed{"OverflowError", "absolute value too large"}
	}
	return starlark.Float(size), nil
}

// CompareBy finds z equal to numbers; it refuses an order.
func (z Complex) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op != syntax.EQL && op != syntax.NEQ {
		switch y.(type) {
		case Complex, starlark.Float, starlark.Int, starlark.Bool:
		case Comparer, Typed: // which may know an order
			return nil, nil
		}
		x, y := "complex", TypeName(y)
		if side == starlark.Right {
			x, y = y, x
		}
		return nil, classed{"TypeError", "'" + op.String() + "' not supported between instances of '" + x + "' and '" + y + "'"}
	}
	equal := false
	switch y := y.(type) {
	case Complex:
		equal = z == y
	case starlark.Float, starlark.Int, starlark.Bool:
		holds, known := compareNumbers(syntax.EQL, starlark.Float(real(z)), y)
		if !known {
			var err error
			if holds, err = starlark.Equal(starlark.Float(real(z)), y); err != nil {
				return nil, err
			}
		}
		equal = imag(z) == 0 && holds
	case Typed:
		return z.CompareBy(op, y.Plain(), side)
	default:
		return nil, nil
	}
	return starlark.Bool(equal == (op == syntax.EQL)), nil
}

// CompareSameType is CompareBy for Starlark's own comparisons.
func (z Complex) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := z.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

// FormatSpec is format(z, text): both parts by one specification, in parentheses if it has no type.
func (z Complex) FormatSpec(text string) (string, error) {
	s, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	switch {
	case s.fill == '0' && s.align == 0:
		return "", Failure("ValueError", "%s", "Zero padding is not allowed in complex format specifier")
	case s.align == '=':
		return "", Failure("ValueError", "%s", "'=' alignment flag is not allowed in complex format specifier")
	case s.verb != 0 && strings.IndexByte("eEfFgGn", s.verb) < 0:
		return "", Failure("ValueError", "%s", "Unknown format code '"+string(rune(s.verb))+"' for object of type 'complex'")
	}
	part := s
	part.width, part.align, part.fill = 0, 0, ' '
	bare := s.verb == 0
	alone := bare && real(z) == 0 && !math.Signbit(real(z))
	if bare && s.precision >= 0 {
		part.verb = 'g'
	}
	write := func(x float64) (string, error) {
		out, err := part.formatFloat(x, "complex", false)
		if bare && s.precision < 0 && !s.alternate {
			out = strings.TrimSuffix(out, ".0")
		}
		return out, err
	}
	re, err := write(real(z))
	if err != nil {
		return "", err
	}
	if !alone {
		part.sign = '+'
	}
	im, err := write(imag(z))
	if err != nil {
		return "", err
	}
	switch {
	case alone:
		return s.pad("", im+"j", '>'), nil
	case bare:
		return s.pad("", "("+re+im+"j)", '>'), nil
	}
	return s.pad("", re+im+"j", '>'), nil
}

// complexTable is the methods of complex numbers.
var complexTable = []Builtin{
	ours("conjugate", "The number with the other sign of the imaginary part.", "(1 + 2j).conjugate() # (1-2j)",
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			return Complex(complexes.Conj(complex128(b.recv.(Complex)))), nil
		}),
}

// complexFields are the attributes of complex numbers.
var complexFields = []Field{
	FieldOf("real", "The real part, a float.", "(1 + 2j).real # 1.0", func(z Complex) starlark.Value { return starlark.Float(real(z)) }),
	FieldOf("imag", "The imaginary part, a float.", "(1 + 2j).imag # 2.0", func(z Complex) starlark.Value { return starlark.Float(imag(z)) }),
}

func (z Complex) Table() *Methods                          { return methodTables["complex"] }
func (z Complex) AttrNames() []string                      { return z.Table().Names() }
func (z Complex) Attr(name string) (starlark.Value, error) { return z.Table().Attr(z, name) }

// makeComplex is complex(real, imag), or that of a text, or of what has __complex__.
func makeComplex(b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	if text, ok := v[0].(starlark.String); ok {
		if v[1] != nil {
			return nil, classed{"TypeError", "complex() can't take second arg if first is a string"}
		}
		return parseComplex(string(text))
	}
	if _, ok := v[1].(starlark.String); ok {
		return nil, classed{"TypeError", "complex() second arg can't be a string"}
	}
	var parts [2]complex128
	for i, x := range v {
		if x == nil {
			continue
		}
		if parts[i], err = complexOf(x, i); err != nil {
			return nil, err
		}
	}
	re, im := parts[0], parts[1]
	if v[1] == nil {
		return Complex(re), nil
	}
	_, isComplex := v[0].(ComplexNumber)
	_, turns := v[1].(ComplexNumber)
	z := complex(real(re), real(im))
	if turns { // real + imag * 1j
		z -= complex(imag(im), 0)
	}
	if isComplex {
		z += complex(0, imag(re))
	}
	return Complex(z), nil
}

// complexOf is an argument of complex as a number.
func complexOf(x starlark.Value, i int) (complex128, error) {
	if n, ok := x.(ComplexNumber); ok {
		return n.Complex(), nil
	}
	args := starlark.Tuple{x}
	for _, way := range []struct{ typ, method string }{{"complex", "__complex__"}, {"float", "__float__"}, {"int", "__index__"}} {
		if way.typ == "complex" && i > 0 {
			continue
		}
		v, err := converted(way.typ, args, way.method)
		if err != nil {
			return 0, err
		}
		if v != nil {
			x = v
			break
		}
	}
	x = ScalarOf(x)
	if z, ok := AsComplex(x); ok {
		return z, nil
	}
	if n, ok := x.(starlark.Int); ok {
		_, err := finite(n)
		return 0, classed{"OverflowError", err.Error()}
	}
	which := [2]string{"first argument must be a string or a number", "second argument must be a number"}[i]
	return 0, classed{"TypeError", "complex() " + which + ", not '" + TypeName(x) + "'"}
}

// parseComplex reads a number as repr writes it, with spaces around it and parentheses or not.
func parseComplex(text string) (starlark.Value, error) {
	malformed := classed{"ValueError", "complex() arg is a malformed string"}
	s := strings.TrimSpace(text)
	if strings.HasPrefix(s, "(") {
		if !strings.HasSuffix(s, ")") {
			return nil, malformed
		}
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	if s == "" {
		return nil, malformed
	}
	body, imaginary := strings.CutSuffix(strings.ToLower(s), "j")
	if !imaginary {
		x, ok := parsePart(body)
		if !ok {
			return nil, malformed
		}
		return Complex(complex(x, 0)), nil
	}
	split := 0 // where the imaginary part begins: the last sign that is no exponent's
	for i := len(body) - 1; i > 0; i-- {
		if (body[i] == '+' || body[i] == '-') && body[i-1] != 'e' {
			split = i
			break
		}
	}
	re, im := 0.0, body[split:]
	if split > 0 {
		var ok bool
		if re, ok = parsePart(body[:split]); !ok {
			return nil, malformed
		}
	}
	switch im {
	case "", "+":
		im = "1"
	case "-":
		im = "-1"
	}
	x, ok := parsePart(im)
	if !ok {
		return nil, malformed
	}
	return Complex(complex(re, x)), nil
}

// parsePart reads a float of decimal digits, inf or nan.
func parsePart(s string) (float64, bool) {
	if strings.Contains(s, "x") || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return 0, false
	}
	s = strings.ReplaceAll(s, "_", "")
	if strings.TrimLeft(s, "+-") == "nan" && len(s) <= len("-nan") {
		return math.NaN(), true
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil || math.IsInf(x, 0)
}
