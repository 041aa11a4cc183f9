package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

func (s spec) formatInt(v starlark.Int) (string, error) {
	switch {
	case s.precision >= 0:
		return "", fmt.Errorf("format %q: got a precision for an int, want none", s.written)
	case s.zero:
		return "", fmt.Errorf("format %q: got z for an int, want a float", s.written)
	case s.verb == 'c' && (s.sign != 0 || s.alternate):
		return "", fmt.Errorf("format %q: got a sign or # with type c, want none", s.written)
	}
	x := v.BigInt()
	abs := new(big.Int).Abs(x)
	digits, prefix, every := "", "", 4
	switch s.verb {
	case 'b':
		digits, prefix = abs.Text(2), "0b"
	case 'o':
		digits, prefix = abs.Text(8), "0o"
	case 'x':
		digits, prefix = abs.Text(16), "0x"
	case 'X':
		digits, prefix = strings.ToUpper(abs.Text(16)), "0X"
	case 'c':
		if !x.IsInt64() || x.Int64() < 0 || x.Int64() > utf8.MaxRune {
			return "", fmt.Errorf("format: got %s, want a code point for c", x)
		}
		return s.pad("", string(rune(x.Int64())), '>'), nil
	default:
		digits, every = decimal(s.poll, starlark.MakeBigInt(abs)), 3
	}
	if !s.alternate {
		prefix = ""
	}
	sign := s.signOf(x.Sign() < 0) + prefix
	return s.pad(sign, s.grouped(digits, every, len(sign)), '>'), nil
}

// grouped puts s.group between every n digits. Zeros that fill the width take part: others is what
// of the width is not digits.
func (s spec) grouped(digits string, n, others int) string {
	if s.group == "" || digits == "" {
		return digits
	}
	if s.fill == '0' && s.align == '=' {
		have := len(digits)
		for have+(have-1)/n < s.width-others {
			have++
		}
		digits = strings.Repeat("0", have-len(digits)) + digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%n == 0 {
			b.WriteString(s.group)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// formatFloat formats x, which users know as a typ, and whose own format (of no type) is an int's
// if isInt.
func (s spec) formatFloat(x float64, typ string, isInt bool) (string, error) {
	if s.verb == 's' || s.verb != 0 && strings.IndexByte("dboxXc", s.verb) >= 0 {
		want := "one of e f g n %"
		if isInt {
			want = "one of b c d o x X e f g n %"
		}
		return "", fmt.Errorf("format %q: got type %c for a %s, want %s", s.written, s.verb, typ, want)
	}
	negative := math.Signbit(x) && !math.IsNaN(x)
	out := s.digits(math.Abs(x))
	if s.zero && negative && !strings.ContainsAny(strings.SplitN(out, "e", 2)[0], "123456789in") {
		negative = false
	}
	sign := s.signOf(negative)
	whole := strings.IndexFunc(out, func(r rune) bool { return r < '0' || r > '9' })
	if whole < 0 {
		whole = len(out)
	}
	out = s.grouped(out[:whole], 3, len(sign)+len(out)-whole) + out[whole:]
	if s.verb != 0 && strings.IndexByte("FEG", s.verb) >= 0 {
		out = strings.ToUpper(out)
	}
	return s.pad(sign, out, '>'), nil
}

// digits writes x, which is not negative.
func (s spec) digits(x float64) string {
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	percent := ""
	if s.verb == '%' {
		x, percent = x*100, "%"
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return strings.TrimPrefix(FormatFloat(x), "-") + percent
	}
	var out string
	switch s.verb {
	case 0:
		if s.precision < 0 {
			out = FormatFloat(x)
		} else {
			out = general(x, precision, true, s.alternate)
		}
	case 'f', 'F', '%':
		out = strconv.FormatFloat(x, 'f', precision, 64)
	case 'e', 'E':
		out = strconv.FormatFloat(x, 'e', precision, 64)
	default:
		out = general(x, precision, false, s.alternate)
	}
	if s.alternate && !strings.Contains(out, ".") {
		mantissa, exponent, ok := strings.Cut(out, "e")
		out = mantissa + "."
		if ok {
			out += "e" + exponent
		}
	}
	return out + percent
}

// general formats like %g of C and Python: precision counts significant digits, and trailing zeros
// go unless they are to stay. point is for what must look like a float: it has a digit after the
// point, and turns to exponents one digit earlier. (Go's %g differs in where it does.)
func general(x float64, precision int, point, zeros bool) string {
	precision = max(precision, 1)
	out := strconv.FormatFloat(x, 'e', precision-1, 64)
	mantissa, exponent, _ := strings.Cut(out, "e")
	exp, _ := strconv.Atoi(exponent)
	limit := precision
	if point {
		limit--
	}
	scientific := exp < -4 || exp >= limit
	if !scientific {
		mantissa = strconv.FormatFloat(x, 'f', precision-1-exp, 64)
	}
	if !zeros && strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if scientific {
		return mantissa + "e" + exponent
	}
	if point && !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	return mantissa
}

func (s spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == '+' || s.sign == ' ':
		return string(rune(s.sign))
	}
	return ""
}
