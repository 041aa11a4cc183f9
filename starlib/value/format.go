package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// Formats are Python's. A spec is one of its mini-language:
//
//	[[fill]align][sign][z][#][0][width][,|_][.precision][type]
//
// The same struct serves the % operator, whose specs are read by a percenter. formatnumber.go
// writes numbers.

// A spec is a parsed format specification.
type spec struct {
	poll      tensor.Poll // of what formats long ints
	fill      rune
	align     byte // '<' '>' '^' '='; 0 is the kind's own: left for text, right for numbers
	sign      byte // '+' '-' ' '; 0 if not given, which is '-'
	zero      bool // z: no minus sign before what is rounded to 0
	alternate bool
	width     int
	group     string
	precision int // -1 if not given
	verb      byte
	written   string // the whole, for messages
}

const specForm = "[[fill]align][sign][z][#][0][width][,|_][.precision][type]"

func isAlign(c byte) bool { return strings.IndexByte("<>^=", c) >= 0 }

func parseSpec(text string) (spec, error) {
	s := spec{fill: ' ', precision: -1, written: text}
	rest, filled := text, false
	if r, n := utf8.DecodeRuneInString(rest); n > 0 && len(rest) > n && isAlign(rest[n]) {
		s.fill, s.align, rest, filled = r, rest[n], rest[n+1:], true
	} else if rest != "" && isAlign(rest[0]) {
		s.align, rest = rest[0], rest[1:]
	}
	if rest != "" && strings.IndexByte("+- ", rest[0]) >= 0 {
		s.sign, rest = rest[0], rest[1:]
	}
	if strings.HasPrefix(rest, "z") {
		s.zero, rest = true, rest[1:]
	}
	if strings.HasPrefix(rest, "#") {
		s.alternate, rest = true, rest[1:]
	}
	zeros := !filled && strings.HasPrefix(rest, "0")
	if zeros {
		s.fill, rest = '0', rest[1:]
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
			return s, fmt.Errorf("bad format %q: got no digits after the point", text)
		}
	}
	if len(rest) == 1 && strings.IndexByte("sdboxXcnfFeEgG%", rest[0]) >= 0 {
		s.verb, rest = rest[0], ""
	}
	if rest != "" {
		return s, fmt.Errorf("bad format %q: got %q, want %s", text, rest, specForm)
	}
	if s.group != "" && s.verb != 0 && strings.IndexByte("sncboxX", s.verb) >= 0 && (s.group == "," || strings.IndexByte("snc",
		s.verb) >= 0) {
		return s, fmt.Errorf("bad format %q: got %s with type %c, which does not take it", text, s.group, s.verb)
	}
	return s, nil
}

// forNumber returns s as numbers read it: the zeros of a width that begins with 0 go after the
// sign.
func (s spec) forNumber() spec {
	if s.fill == '0' && s.align == 0 {
		s.align = '='
	}
	return s
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
	if err != nil || n > maxWidth {
		return 0, "", fmt.Errorf("format: got width or precision %s, want at most %d", text[:i], maxWidth)
	}
	return n, text[i:], nil
}

const maxWidth = 10_000

// ScalarOf returns the number that v stands for, or v itself.
func ScalarOf(v starlark.Value) starlark.Value {
	if s, ok := v.(Scalar); ok {
		if x := s.Scalar(); x != nil {
			return x
		}
	}
	return v
}

// FormatValue returns v formatted by a specification of Python's mini-language such as ".3f", as
// format(v, text) and f"{v:.3f}" do. An empty one is Str(v). Values that are not bools, numbers or
// text take no other, unless they are Formatters.
func FormatValue(thread *starlark.Thread, v starlark.Value, text string) (string, error) {
	if z, err := special(v, "__format__", starlark.String(text)); z != nil || err != nil {
		out, isText := z.(starlark.String)
		if err == nil && !isText {
			err = fmt.Errorf("__format__ must return a str, not %s", z.Type())
		}
		return string(out), err
	}
	if text == "" {
		return StrOn(thread, Plain(v)), nil // format(np.float32(0.1)) is that of the float, as NumPy's
	}
	if f, ok := v.(Formatter); ok {
		return f.FormatSpec(text)
	}
	s, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	s.poll = PollOf(thread)
	v = ScalarOf(v)
	switch x := v.(type) {
	case starlark.Bool:
		return s.formatNumber(wholeOf(x), "bool")
	case starlark.Int, starlark.Float:
		return s.formatNumber(x, x.Type())
	case starlark.String:
		return s.formatText(string(x))
	}
	return "", fmt.Errorf("format %q: got %s, which takes none: use str(x)", text, v.Type())
}

// formatNumber formats x, an int or float; typ is the type that the user knows it as.
func (s spec) formatNumber(x starlark.Value, typ string) (string, error) {
	s = s.forNumber()
	n, isInt := x.(starlark.Int)
	if isInt && (s.verb == 0 || strings.IndexByte("dboxXcn", s.verb) >= 0) {
		return s.formatInt(n)
	}
	f, _ := starlark.AsFloat(x)
	if isInt && s.verb != 0 && strings.IndexByte("eEfFgG%", s.verb) >= 0 {
		var err error
		if f, err = finite(n); err != nil {
			return "", err
		}
	}
	return s.formatFloat(f, typ, isInt)
}

// finite returns n as a float, or an error if it is too large for one.
func finite(n starlark.Int) (float64, error) {
	f, _ := new(big.Float).SetInt(n.BigInt()).Float64()
	if math.IsInf(f, 0) {
		return 0, fmt.Errorf("got an int of %d bits, which is too large for a float", n.BigInt().BitLen())
	}
	return f, nil
}

func (s spec) formatText(text string) (string, error) {
	for _, wrong := range []struct {
		is   bool
		what string
	}{
		{s.verb != 0 && s.verb != 's', "type " + string(rune(s.verb))},
		{s.sign != 0, "a sign"}, {s.zero, "z"}, {s.alternate, "#"}, {s.align == '=', "alignment ="}, {s.group != "", s.group},
	} {
		if wrong.is {
			return "", fmt.Errorf("format %q: got %s for a string, want a number", s.written, wrong.what)
		}
	}
	return s.pad("", s.cut(text), '<'), nil
}

// cut shortens text to precision characters.
func (s spec) cut(text string) string {
	if c := newChars(text); s.precision >= 0 && c.n > s.precision {
		return text[:c.at(s.precision)]
	}
	return text
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
