package npy

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxWidth bounds widths and precisions: a format is a few characters that ask for memory.
const maxWidth = 1000

// directive is one % of a format, as Python's % operator reads it, with the text after it.
type directive struct {
	left, plus, space, zero bool
	width, precision        int // precision is -1 where not given
	verb                    byte
	after                   string
}

// parseFormat splits a format into the text before the first directive, and the directives.
func parseFormat(format string) (before string, directives []directive, err error) {
	var text strings.Builder
	flush := func() {
		if len(directives) == 0 {
			before = text.String()
		} else {
			directives[len(directives)-1].after = text.String()
		}
		text.Reset()
	}
	for rest := format; rest != ""; {
		plain, spec, found := strings.Cut(rest, "%")
		text.WriteString(plain)
		if !found {
			break
		}
		if strings.HasPrefix(spec, "%") {
			text.WriteByte('%')
			rest = spec[1:]
			continue
		}
		flush()
		var d directive
		if d, rest, err = parseDirective(spec); err != nil {
			return "", nil, fmt.Errorf("got format %q: %w", clip(format), err)
		}
		directives = append(directives, d)
	}
	flush()
	return before, directives, nil
}

// parseDirective parses what follows a %, and returns the rest.
func parseDirective(spec string) (d directive, rest string, err error) {
	flags := map[byte]*bool{'-': &d.left, '+': &d.plus, ' ': &d.space, '0': &d.zero}
	for spec != "" && flags[spec[0]] != nil {
		*flags[spec[0]] = true
		spec = spec[1:]
	}
	d.precision = -1
	if d.width, spec, err = parseWidth(spec); err != nil {
		return d, "", err
	}
	if strings.HasPrefix(spec, ".") {
		if d.precision, spec, err = parseWidth(spec[1:]); err != nil {
			return d, "", err
		}
	}
	spec = strings.TrimLeft(spec, "hlL") // C's sizes, which Python ignores
	if spec == "" || verbs[spec[0]] == nil {
		return d, "", errors.New("want %d, %i, %u, %e, %f, %g, %s or %r, with flags -, +, 0 and space, a width and a precision")
	}
	d.verb = spec[0]
	return d, spec[1:], nil
}

// parseWidth parses digits, which may be absent.
func parseWidth(spec string) (n int, rest string, err error) {
	digits := len(spec) - len(strings.TrimLeft(spec, "0123456789"))
	if digits > 0 {
		if n, err = strconv.Atoi(spec[:digits]); err != nil || n > maxWidth {
			return 0, "", fmt.Errorf("want a width and a precision of at most %d", maxWidth)
		}
	}
	return n, spec[digits:], nil
}

// element is an element to write: its value, and its text where it is no float.
type element struct {
	value float64
	exact string // the digits of an integer; True or False
	bits  int    // of a float
}

// verbs are the conversions: the text of an element with its sign, without padding.
var verbs = map[byte]func(d directive, e element) (string, error){
	'd': integerText, 'i': integerText, 'u': integerText,
	'e': floatText, 'f': floatText, 'g': floatText, 'E': upperText, 'F': upperText, 'G': upperText,
	's': plainText, 'r': plainText,
}

func integerText(d directive, e element) (string, error) {
	text := e.exact
	switch {
	case text == "True":
		text = "1"
	case text == "False":
		text = "0"
	case text == "" && (math.IsNaN(e.value) || math.IsInf(e.value, 0)):
		return "", fmt.Errorf("got %s, want a number that %%%c can write", pythonFloat(e), d.verb)
	case text == "":
		text = strconv.FormatFloat(math.Trunc(e.value)+0, 'f', 0, 64) // 0 takes the sign from -0
	}
	digits := strings.TrimPrefix(text, "-")
	if short := d.precision - len(digits); short > 0 {
		text = text[:len(text)-len(digits)] + strings.Repeat("0", short) + digits
	}
	return text, nil
}

func floatText(d directive, e element) (string, error) {
	if math.IsNaN(e.value) || math.IsInf(e.value, 0) {
		return pythonFloat(e), nil
	}
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	return strconv.FormatFloat(e.value, d.verb, precision, 64), nil
}

func upperText(d directive, e element) (string, error) {
	d.verb += 'a' - 'A'
	text, err := floatText(d, e)
	return strings.ToUpper(text), err
}

func plainText(d directive, e element) (string, error) {
	text := e.exact
	if text == "" {
		text = pythonFloat(e)
	}
	if d.precision >= 0 && d.precision < len(text) {
		text = text[:d.precision]
	}
	return text, nil
}

// pythonFloat writes a float as str does of NumPy's.
func pythonFloat(e element) string {
	switch abs := math.Abs(e.value); {
	case math.IsNaN(e.value):
		return "nan"
	case math.IsInf(e.value, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(e.value, 'g', -1, 64), "+"))
	case abs != 0 && (abs < 1e-4 || abs >= 1e16):
		return strconv.FormatFloat(e.value, 'e', -1, e.bits)
	}
	text := strconv.FormatFloat(e.value, 'f', -1, e.bits)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// format writes an element: its text, a sign if asked for, and padding.
func (d directive) format(e element) (string, error) {
	text, err := verbs[d.verb](d, e)
	if err != nil {
		return "", err
	}
	numeric := d.verb != 's' && d.verb != 'r'
	sign := ""
	if numeric {
		switch {
		case strings.HasPrefix(text, "-"):
			sign, text = "-", text[1:]
		case d.plus:
			sign = "+"
		case d.space:
			sign = " "
		}
	}
	padding := max(d.width-len(sign)-len(text), 0)
	switch {
	case d.left:
		return sign + text + strings.Repeat(" ", padding), nil
	case d.zero && numeric:
		return sign + strings.Repeat("0", padding) + text, nil
	}
	return strings.Repeat(" ", padding) + sign + text, nil
}
