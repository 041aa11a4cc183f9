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

// spec is a parsed format specification of Python's mini-language:
//
//	[[fill]align][sign][#][0][width][,|_][.precision][type]
type spec struct {
	fill      rune
	align     byte // '<' '>' '^' '='; 0 is the kind's own: left for text, right for numbers
	sign      byte // '+' '-' ' '
	alternate bool
	width     int
	group     string
	precision int // -1 if not given
	verb      byte
}

func parseSpec(text string) (spec, error) {
	s := spec{fill: ' ', sign: '-', precision: -1}
	rest := text
	if r, n := utf8.DecodeRuneInString(rest); n > 0 && len(rest) > n && strings.IndexByte("<>^=", rest[n]) >= 0 {
		s.fill, s.align, rest = r, rest[n], rest[n+1:]
	} else if rest != "" && strings.IndexByte("<>^=", rest[0]) >= 0 {
		s.align, rest = rest[0], rest[1:]
	}
	if rest != "" && strings.IndexByte("+- ", rest[0]) >= 0 {
		s.sign, rest = rest[0], rest[1:]
	}
	if strings.HasPrefix(rest, "#") {
		s.alternate, rest = true, rest[1:]
	}
	if strings.HasPrefix(rest, "0") {
		if s.align == 0 {
			s.fill, s.align = '0', '='
		}
		rest = rest[1:]
	}
	var err error
	if s.width, rest, err = number(rest, 0); err != nil {
		return s, err
	}
	if rest != "" && (rest[0] == ',' || rest[0] == '_') {
		s.group, rest = rest[:1], rest[1:]
	}
	if strings.HasPrefix(rest, ".") {
		if s.precision, rest, err = number(rest[1:], -1); err != nil {
			return s, err
		}
		if s.precision < 0 {
			return s, fmt.Errorf("format %q has no digits after the point", text)
		}
	}
	if len(rest) == 1 && strings.IndexByte("sdboxXcnfFeEgG%", rest[0]) >= 0 {
		s.verb, rest = rest[0], ""
	}
	if rest != "" {
		return s, fmt.Errorf("bad format %q: got %q, want [[fill]align][sign][#][0][width][,][.precision][type]", text, rest)
	}
	return s, nil
}

// number reads digits off the front of text. Widths are limited so that a typing
// mistake cannot ask for gigabytes.
func number(text string, absent int) (n int, rest string, err error) {
	i := 0
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	if i == 0 {
		return absent, text, nil
	}
	n, err = strconv.Atoi(text[:i])
	if err != nil || n > 10_000 {
		return 0, "", fmt.Errorf("format: got width or precision %s, want at most 10000", text[:i])
	}
	return n, text[i:], nil
}

// Format returns v formatted by a Python format specification such as ".3f".
func Format(v starlark.Value, text string) (string, error) {
	if text == "" {
		return Str(v), nil
	}
	s, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case starlark.Int:
		if s.verb == 0 || strings.IndexByte("dboxXcn", s.verb) >= 0 {
			return s.formatInt(v)
		}
		return s.formatFloat(float64(v.Float()), v.Type())
	case starlark.Float:
		return s.formatFloat(float64(v), v.Type())
	}
	if s.verb != 0 && s.verb != 's' {
		return "", fmt.Errorf("format %q: got %s, want a number", text, v.Type())
	}
	out := Str(v)
	if s.precision >= 0 && utf8.RuneCountInString(out) > s.precision {
		out = string([]rune(out)[:s.precision])
	}
	return s.pad("", out, '<'), nil
}

func (s spec) formatInt(v starlark.Int) (string, error) {
	if s.precision >= 0 {
		return "", fmt.Errorf("format: got a precision for an int, want none")
	}
	x := v.BigInt()
	digits, prefix := "", ""
	abs := new(big.Int).Abs(x)
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
		return s.pad("", string(rune(x.Int64())), '<'), nil
	default:
		digits = group(abs.Text(10), s.group, 3)
	}
	if prefix != "" {
		digits = group(digits, s.group, 4)
		if !s.alternate {
			prefix = ""
		}
	}
	return s.pad(s.signOf(x.Sign() < 0)+prefix, digits, '>'), nil
}

func (s spec) formatFloat(x float64, typ string) (string, error) {
	negative := math.Signbit(x) && !math.IsNaN(x)
	x = math.Abs(x)
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	var out string
	switch s.verb {
	case 0:
		if s.precision < 0 {
			out = FormatFloat(x)
			break
		}
		out = general(x, precision)
		if !strings.ContainsAny(out, ".en") {
			out += ".0"
		}
	case 'f', 'F':
		out = strconv.FormatFloat(x, 'f', precision, 64)
	case 'e', 'E':
		out = strconv.FormatFloat(x, 'e', precision, 64)
	case 'g', 'G', 'n':
		out = general(x, precision)
	case '%':
		out = strconv.FormatFloat(x*100, 'f', precision, 64) + "%"
	default:
		return "", fmt.Errorf("format: got %c for a %s, want one of f e g %%", s.verb, typ)
	}
	switch {
	case math.IsInf(x, 0):
		out = "inf"
	case math.IsNaN(x):
		out = "nan"
	case s.group != "":
		whole := len(out)
		if i := strings.IndexAny(out, ".e%"); i >= 0 {
			whole = i
		}
		out = group(out[:whole], s.group, 3) + out[whole:]
	}
	if s.verb != 0 && strings.IndexByte("FEG", s.verb) >= 0 {
		out = strings.ToUpper(out)
	}
	return s.pad(s.signOf(negative), out, '>'), nil
}

// general formats like %g of C and Python: precision counts significant digits, and
// trailing zeros go. (Go's %g differs in where it turns to exponents.)
func general(x float64, precision int) string {
	precision = max(precision, 1)
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return FormatFloat(x)
	}
	e := strconv.FormatFloat(x, 'e', precision-1, 64)
	mantissa, exponent, _ := strings.Cut(e, "e")
	exp, _ := strconv.Atoi(exponent)
	if exp < -4 || exp >= precision {
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + exponent
	}
	out := strconv.FormatFloat(x, 'f', precision-1-exp, 64)
	if strings.Contains(out, ".") {
		out = strings.TrimRight(strings.TrimRight(out, "0"), ".")
	}
	return out
}

func (s spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == '-':
		return ""
	}
	return string(s.sign)
}

// pad fills sign+body up to the width; '=' puts the fill between the two.
func (s spec) pad(sign, body string, align byte) string {
	if s.align != 0 {
		align = s.align
	}
	missing := s.width - utf8.RuneCountInString(sign) - utf8.RuneCountInString(body)
	if missing <= 0 {
		return sign + body
	}
	fill := string(s.fill)
	switch align {
	case '<':
		return sign + body + strings.Repeat(fill, missing)
	case '^':
		return strings.Repeat(fill, missing/2) + sign + body + strings.Repeat(fill, missing-missing/2)
	case '=':
		return sign + strings.Repeat(fill, missing) + body
	}
	return strings.Repeat(fill, missing) + sign + body
}

// group puts sep between every n digits, counted from the right.
func group(digits, sep string, n int) string {
	if sep == "" {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%n == 0 {
			b.WriteString(sep)
		}
		b.WriteRune(d)
	}
	return b.String()
}
