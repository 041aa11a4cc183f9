package value

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Starlark's "..." % x and "...".format(x) refuse widths and precisions, and write floats as Go does. Cells get Python's.

// A Formatter is a value with a format of its own, for numbers that are not Starlark's:
// spec is Python's, such as ".3f".
type Formatter interface {
	FormatSpec(spec string) (string, error)
}

// FormatPercent formats as Python's text % arg.
func FormatPercent(text string, arg starlark.Value) (string, error) {
	values, ok := arg.(starlark.Tuple)
	if !ok {
		values = starlark.Tuple{arg}
	}
	var b strings.Builder
	next, named := 0, false
	for {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		if strings.HasPrefix(text, "%") {
			b.WriteByte('%')
			text = text[1:]
			continue
		}
		var v starlark.Value
		if strings.HasPrefix(text, "(") {
			key, rest, ok := strings.Cut(text[1:], ")")
			m, isMap := arg.(starlark.Mapping)
			if !ok || !isMap {
				return "", errors.New("format: got %( without a closing parenthesis, or no dict for it")
			}
			x, found, err := m.Get(starlark.String(key))
			if err != nil {
				return "", err
			}
			if !found {
				return "", fmt.Errorf("format: key %q is not in the dict", key)
			}
			v, text, named = x, rest, true
		}
		s, rest, err := percentSpec(text)
		if err != nil {
			return "", err
		}
		text = rest
		if v == nil {
			if next >= len(values) {
				return "", errors.New("not enough arguments for format string")
			}
			v = values[next]
			next++
		}
		out, err := s.percent(v)
		if err != nil {
			return "", err
		}
		b.WriteString(out)
	}
	if next < len(values) && !named {
		return "", errors.New("too many arguments for format string")
	}
	return b.String(), nil
}

// percentSpec reads [flags][width][.precision]verb off the front of text.
func percentSpec(text string) (s spec, rest string, err error) {
	s = spec{fill: ' ', align: '>', sign: '-', precision: -1}
	i := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '-':
			s.align, s.fill = '<', ' '
			continue
		case '0':
			if s.align == '>' {
				s.align, s.fill = '=', '0'
			}
			continue
		case '+':
			s.sign = '+'
			continue
		case ' ':
			if s.sign == '-' {
				s.sign = ' '
			}
			continue
		case '#':
			s.alternate = true
			continue
		}
		break
	}
	if s.width, rest, err = number(text[i:], 0); err != nil {
		return s, "", err
	}
	if strings.HasPrefix(rest, ".") {
		if s.precision, rest, err = number(rest[1:], 0); err != nil {
			return s, "", err
		}
	}
	if rest == "" {
		return s, "", errors.New("incomplete format: text ends after %")
	}
	s.verb = rest[0]
	return s, rest[1:], nil
}

// percent formats one value of a % format.
func (s spec) percent(v starlark.Value) (string, error) {
	switch s.verb {
	case 's', 'r':
		out := Repr(v)
		if s.verb == 's' {
			out = Str(v)
		}
		if r := []rune(out); s.precision >= 0 && len(r) > s.precision {
			out = string(r[:s.precision])
		}
		if s.align == '=' {
			s.align, s.fill = '>', ' '
		}
		return s.pad("", out, '>'), nil
	case 'd', 'i', 'o', 'x', 'X', 'c':
		if str, ok := v.(starlark.String); ok && s.verb == 'c' {
			return s.pad("", string(str), '>'), nil
		}
		if f, ok := v.(Formatter); ok {
			return f.FormatSpec(s.text())
		}
		n, err := starlark.NumberToInt(v)
		if err != nil {
			return "", fmt.Errorf("%%%c format requires integer: %w", s.verb, err)
		}
		if s.verb == 'i' {
			s.verb = 'd'
		}
		if s.precision >= 0 { // digits at least, as in C
			s.width, s.fill, s.align = max(s.width, s.precision), '0', '='
			s.precision = -1
		}
		return s.formatInt(n)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if f, ok := v.(Formatter); ok {
			return f.FormatSpec(s.text())
		}
		f, ok := starlark.AsFloat(v)
		if !ok {
			return "", fmt.Errorf("%%%c format requires float, not %s", s.verb, v.Type())
		}
		return s.formatFloat(f, v.Type())
	}
	return "", fmt.Errorf("unknown conversion %%%c", s.verb)
}

// text returns s in Python's mini-language.
func (s spec) text() string {
	var b strings.Builder
	if s.width > 0 {
		b.WriteString(string(s.fill) + string(s.align))
	}
	if s.sign != '-' {
		b.WriteByte(s.sign)
	}
	if s.width > 0 {
		b.WriteString(strconv.Itoa(s.width))
	}
	if s.precision >= 0 {
		b.WriteString("." + strconv.Itoa(s.precision))
	}
	b.WriteByte(s.verb)
	return b.String()
}

// FormatBraces formats as Python's text.format(args, kwargs): {}, {0}, {name}, each with
// an optional !r or !s and an optional :spec.
func FormatBraces(text string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	var b strings.Builder
	next := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '{' && c != '}' {
			b.WriteByte(c)
			continue
		}
		if i+1 < len(text) && text[i+1] == c {
			b.WriteByte(c)
			i++
			continue
		}
		end := strings.IndexByte(text[i:], '}')
		if c == '}' || end < 0 {
			return "", fmt.Errorf("format: single %q in format", string(c))
		}
		field, spec, _ := strings.Cut(text[i+1:i+end], ":")
		field, conversion, converted := strings.Cut(field, "!")
		v, err := fieldArgument(field, &next, args, kwargs)
		if err != nil {
			return "", err
		}
		switch {
		case converted && conversion == "r":
			v = starlark.String(Repr(v))
		case converted && conversion == "s":
			v = starlark.String(Str(v))
		case converted:
			return "", fmt.Errorf("format: unknown conversion %q", conversion)
		}
		out, err := FormatValue(v, spec)
		if err != nil {
			return "", err
		}
		b.WriteString(out)
		i += end
	}
	return b.String(), nil
}

// FormatValue is Format, with values that format themselves.
func FormatValue(v starlark.Value, spec string) (string, error) {
	if f, ok := v.(Formatter); ok && spec != "" {
		return f.FormatSpec(spec)
	}
	return Format(v, spec)
}

// fieldArgument returns the argument that a replacement field names. next is the number of
// the next one without name, or -1 once fields have been numbered.
func fieldArgument(field string, next *int, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n, err := strconv.Atoi(field)
	switch {
	case field == "" && *next < 0, err == nil && *next > 0:
		return nil, errors.New("format: got both {} and {0} fields, want one kind")
	case field == "":
		n = *next
		*next++
	case err == nil:
		*next = -1
	default:
		for _, kv := range kwargs {
			if kv[0] == starlark.String(field) {
				return kv[1], nil
			}
		}
		return nil, fmt.Errorf("format: keyword %s not found", field)
	}
	if n < 0 || n >= len(args) {
		return nil, fmt.Errorf("format: got %d arguments, want at least %d", len(args), n+1)
	}
	return args[n], nil
}
