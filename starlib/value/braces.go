package value

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// FormatBraces formats as Python's text.format(args, kwargs): fields {}, {0} and {name}, each with
// .attributes and [indexes], an optional !r or !s, and an optional :spec that may have fields of
// its own.
func FormatBraces(thread *starlark.Thread, text string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	b := &bracer{thread: thread, args: args, kwargs: kwargs}
	return b.format(text, 2)
}

// A bracer formats the fields of one text.
type bracer struct {
	thread *starlark.Thread
	args   starlark.Tuple
	kwargs []starlark.Tuple
	next   int // the number of the next field without name, or -1 once fields have been numbered
}

// format replaces the fields of text. depth is how deep fields may nest.
func (b *bracer) format(text string, depth int) (string, error) {
	if depth == 0 {
		return "", errors.New("format: got a field inside a field of a format, want one level")
	}
	out := builder{op: "format", poll: PollOf(b.thread)}
	for i := 0; i < len(text) && out.err == nil; i++ {
		c := text[i]
		if c != '{' && c != '}' {
			out.WriteByte(c)
			continue
		}
		if i+1 < len(text) && text[i+1] == c && depth == 2 {
			out.WriteByte(c)
			i++
			continue
		}
		if c == '}' {
			return "", errors.New(`format: single "}" in format`)
		}
		n := fieldEnd(text[i:])
		if n < 0 {
			return "", errors.New(`format: single "{" in format`)
		}
		s, err := b.field(text[i+1:i+n], depth)
		if err != nil {
			return "", err
		}
		out.WriteString(s)
		i += n
	}
	return out.String(), out.err
}

// fieldEnd returns the index of the brace that closes the one that text begins with, or -1.
func fieldEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// field formats what is between braces.
func (b *bracer) field(text string, depth int) (string, error) {
	name, spec, conversion := splitField(text)
	v, err := b.lookup(name)
	if err != nil {
		return "", err
	}
	switch conversion {
	case "":
	case "!r":
		v = starlark.String(ReprOn(b.thread, v))
	case "!s":
		v = starlark.String(StrOn(b.thread, v))
	default:
		return "", fmt.Errorf("format: unknown conversion %q, want !r or !s", conversion)
	}
	if strings.ContainsAny(spec, "{}") {
		if spec, err = b.format(spec, depth-1); err != nil {
			return "", err
		}
	}
	return FormatValue(b.thread, v, spec)
}

// splitField splits name[!conversion][:spec]; a ! or : inside brackets belongs to the name.
func splitField(text string) (name, spec, conversion string) {
	bracket := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case bracket:
		case c == ':':
			return text[:i], text[i+1:], ""
		case c == '!':
			conversion, spec, _ := strings.Cut(text[i:], ":")
			return text[:i], spec, conversion
		}
	}
	return text, "", ""
}

// lookup returns the value that a field names: an argument, then attributes and indexes of it.
func (b *bracer) lookup(name string) (starlark.Value, error) {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	v, err := b.argument(name[:end])
	for rest := name[end:]; rest != "" && err == nil; {
		var part string
		if rest[0] == '.' {
			n := strings.IndexAny(rest[1:], ".[")
			if n < 0 {
				n = len(rest) - 1
			}
			part, rest = rest[1:n+1], rest[n+1:]
			if part == "" {
				return nil, fmt.Errorf("format: got an empty attribute in %q", name)
			}
			v, err = Attr(v, part)
			continue
		}
		n := strings.IndexByte(rest, ']')
		if rest[0] != '[' || n < 2 {
			return nil, fmt.Errorf("format: got field %q, want .name or [index] after the argument", name)
		}
		part, rest = rest[1:n], rest[n+1:]
		v, err = element(v, part)
	}
	return v, err
}

// element returns v[key] for a key written without quotes; digits are an int.
func element(v starlark.Value, key string) (starlark.Value, error) {
	var k starlark.Value = starlark.String(key)
	i, err := strconv.Atoi(key)
	isIndex := err == nil && key[0] != '-' && key[0] != '+'
	if isIndex {
		k = starlark.MakeInt(i)
	}
	if m, ok := v.(starlark.Mapping); ok {
		x, found, err := m.Get(k)
		if err == nil && !found {
			err = fmt.Errorf("format: key %s is not in the %s", k, v.Type())
		}
		return x, err
	}
	if text, ok := v.(starlark.String); ok {
		v = CharsOf(nil, text)
	}
	seq, ok := v.(starlark.Indexable)
	if !ok || !isIndex {
		return nil, fmt.Errorf("format: got [%s] of a %s, which has no such element", key, v.Type())
	}
	if i >= seq.Len() {
		return nil, fmt.Errorf("format: got index %d, want at most %d", i, seq.Len()-1)
	}
	return seq.Index(i), nil
}

// argument returns the argument that a field begins with.
func (b *bracer) argument(name string) (starlark.Value, error) {
	n, err := strconv.Atoi(name)
	numbered := err == nil && name[0] != '-' && name[0] != '+'
	switch {
	case name == "" && b.next < 0, numbered && b.next > 0:
		return nil, errors.New("format: got both {} and {0} fields, want one kind")
	case name == "":
		n = b.next
		b.next++
	case numbered:
		b.next = -1
	default:
		for _, kv := range b.kwargs {
			if kv[0] == starlark.String(name) {
				return kv[1], nil
			}
		}
		return nil, slot.KeyFault{Key: starlark.String(name), Text: "format: keyword " + name + " not found"}
	}
	if n >= len(b.args) {
		return nil, fmt.Errorf("format: got %d arguments, want at least %d", len(b.args), n+1)
	}
	return b.args[n], nil
}
