package value

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Tupled is a value that is a tuple with something to it, such as names of its elements.
type Tupled interface{ AsTuple() starlark.Tuple }

// FormatBytes formats as Python's bytes % arg: as a text whose characters are the bytes. %b is %s.
func FormatBytes(thread *starlark.Thread, text starlark.Bytes, arg starlark.Value) (starlark.Value, error) {
	out, err := formatPercent(percenter{thread: thread, text: latin(string(text)), values: starlark.Tuple{arg}, bytes: true}, arg)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(out))
	for _, r := range out {
		b = append(b, byte(r))
	}
	return starlark.Bytes(b), nil
}

// latin is the text whose characters are the bytes of s.
func latin(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// bytesOf is what %s and %b of a bytes make of a value.
func bytesOf(v starlark.Value) (starlark.Value, error) {
	if b, ok := v.(starlark.Bytes); ok {
		return starlark.String(latin(string(b))), nil
	}
	return nil, classed{"TypeError", "%b requires a bytes-like object, or an object that implements __bytes__, not '" + TypeName(v) + "'"}
}

// FormatPercent formats as Python's text % arg, where Starlark's refuses widths and precisions.
func FormatPercent(thread *starlark.Thread, text string, arg starlark.Value) (string, error) {
	return formatPercent(percenter{thread: thread, text: text, values: starlark.Tuple{arg}}, arg)
}

func formatPercent(p percenter, arg starlark.Value) (string, error) {
	thread := p.thread
	values, isTuple := arg.(starlark.Tuple)
	if named, ok := arg.(Tupled); ok {
		values, isTuple = named.AsTuple(), true
	}
	if isTuple {
		p.values = values
	}
	_, isText := arg.(starlark.String)
	if _, isBytes := arg.(starlark.Bytes); isBytes && p.bytes {
		isText = true
	}
	// A dict or list need not be mentioned, as in Python: it may be what %(name)s looks into.
	mapping, _ := arg.(starlark.Mapping)
	if i, ok := arg.(Instance); ok && !i.HasMethod("__getitem__") {
		mapping = nil
	}
	_, isSequence := arg.(starlark.Indexable)
	isSequence = isSequence && !isTuple && !isText
	b := builder{op: "%", poll: PollOf(thread)}
	for b.err == nil {
		before, rest, found := strings.Cut(p.text, "%")
		b.WriteString(before)
		if !found {
			break
		}
		p.text = rest
		out, err := p.conversion(mapping)
		if err != nil {
			return "", err
		}
		b.WriteString(out)
	}
	if b.err == nil && p.next < len(p.values) && mapping == nil && !isSequence {
		return "", errors.New("too many arguments for format string")
	}
	return b.String(), b.err
}

// A percenter reads conversions off the front of text.
type percenter struct {
	thread *starlark.Thread
	text   string
	values starlark.Tuple
	next   int
	bytes  bool // the characters are bytes
}

// take returns the next argument.
func (p *percenter) take() (starlark.Value, error) {
	if p.next >= len(p.values) {
		return nil, errors.New("not enough arguments for format string")
	}
	p.next++
	return p.values[p.next-1], nil
}

// conversion formats one conversion, after its %: [(key)][flags][width][.precision][hlL]type.
func (p *percenter) conversion(mapping starlark.Mapping) (string, error) {
	var v starlark.Value
	if strings.HasPrefix(p.text, "(") {
		key, rest, ok := closeParen(p.text)
		if !ok || mapping == nil {
			return "", errors.New("format: got %( without a closing parenthesis, or no dict for it")
		}
		var name starlark.Value = starlark.String(key)
		if p.bytes {
			name = starlark.Bytes(key)
		}
		x, found, err := mapping.Get(name)
		if err != nil {
			return "", err
		}
		if !found {
			return "", slot.KeyFault{Key: starlark.String(key), Text: fmt.Sprintf("format: key %q is not in the dict", key)}
		}
		v, p.text = x, rest
	}
	s := spec{fill: ' ', precision: -1}
	p.flags(&s)
	var err error
	if s.width, err = p.size(0); err != nil {
		return "", err
	}
	if s.width < 0 {
		s.align, s.width = '<', -s.width
	}
	if strings.HasPrefix(p.text, ".") {
		p.text = p.text[1:]
		if s.precision, err = p.size(0); err != nil {
			return "", err
		}
		s.precision = max(s.precision, 0)
	}
	if p.text != "" && strings.IndexByte("hlL", p.text[0]) >= 0 {
		p.text = p.text[1:]
	}
	if p.text == "" {
		return "", errors.New("incomplete format: text ends after %")
	}
	r, n := utf8.DecodeRuneInString(p.text)
	p.text = p.text[n:]
	if r == '%' {
		return "%", nil
	}
	if r == 'b' && p.bytes {
		r = 's'
	}
	if r >= utf8.RuneSelf || strings.IndexByte("srdiuoxXceEfFgG", byte(r)) < 0 {
		return "", fmt.Errorf("unknown conversion %%%c", r)
	}
	s.verb, s.poll = byte(r), PollOf(p.thread)
	if v == nil {
		if v, err = p.take(); err != nil {
			return "", err
		}
	}
	if p.bytes && s.verb == 's' {
		if v, err = bytesOf(v); err != nil {
			return "", err
		}
	}
	return s.percent(p.thread, v)
}

// closeParen splits "(key)rest"; the key may have parentheses of its own.
func closeParen(text string) (key, rest string, ok bool) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

func (p *percenter) flags(s *spec) {
	for p.text != "" {
		switch p.text[0] {
		case '-':
			s.align = '<'
		case '0':
			s.fill = '0'
		case '+':
			s.sign = '+'
		case ' ':
			if s.sign == 0 {
				s.sign = ' '
			}
		case '#':
			s.alternate = true
		default:
			return
		}
		p.text = p.text[1:]
	}
}

// size reads a width or precision: digits, or * for the next argument.
func (p *percenter) size(absent int) (n int, err error) {
	if !strings.HasPrefix(p.text, "*") {
		n, p.text, err = number(p.text, absent)
		return n, err
	}
	p.text = p.text[1:]
	v, err := p.take()
	if err != nil {
		return 0, err
	}
	if n, err = starlark.AsInt32(Plain(v)); err != nil || n > maxWidth || n < -maxWidth {
		return 0, fmt.Errorf("format: got %s for *, want an int of at most %d", Repr(v), maxWidth)
	}
	return n, nil
}

// percent formats one value of a % format.
func (s spec) percent(thread *starlark.Thread, v starlark.Value) (string, error) {
	if s.align == '<' || strings.IndexByte("src", s.verb) >= 0 { // zeros are before digits only
		s.fill = ' '
	}
	switch s.verb {
	case 's':
		return s.pad("", s.cut(StrOn(thread, v)), '>'), nil
	case 'r':
		return s.pad("", s.cut(ReprOn(thread, v)), '>'), nil
	}
	if str, ok := v.(starlark.String); ok && s.verb == 'c' && utf8.RuneCountInString(string(str)) == 1 {
		return s.pad("", string(str), '>'), nil
	}
	if f, ok := v.(Formatter); ok {
		return f.FormatSpec(s.text())
	}
	x := ScalarOf(v)
	if b, ok := x.(starlark.Bool); ok {
		x = wholeOf(b)
	}
	s = s.forNumber()
	if strings.IndexByte("eEfFgG", s.verb) >= 0 {
		switch x := x.(type) {
		case starlark.Float:
			return s.formatFloat(float64(x), v.Type(), false)
		case starlark.Int:
			f, err := finite(x)
			if err != nil {
				return "", err
			}
			return s.formatFloat(f, v.Type(), false)
		}
		return "", fmt.Errorf("%%%c format requires float, not %s", s.verb, v.Type())
	}
	if f, ok := x.(starlark.Float); ok && strings.IndexByte("diu", s.verb) >= 0 {
		if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
			kind := "infinity"
			if f != f {
				kind = "NaN"
			}
			return "", fmt.Errorf("%%%c format: cannot convert float %s to integer", s.verb, kind)
		}
		x, _ = starlark.NumberToInt(f)
	}
	n, ok := x.(starlark.Int)
	if !ok {
		return "", fmt.Errorf("%%%c format requires integer: got %s", s.verb, v.Type())
	}
	return s.percentInt(n)
}

// percentInt formats an int, of which precision is the digits at least, as in C.
func (s spec) percentInt(n starlark.Int) (string, error) {
	if s.verb == 'c' {
		s.sign, s.alternate, s.precision = 0, false, -1
		return s.formatInt(n)
	}
	if s.verb == 'i' || s.verb == 'u' {
		s.verb = 'd'
	}
	if s.precision < 0 {
		return s.formatInt(n)
	}
	inner := s
	inner.fill, inner.align, inner.width, inner.precision = ' ', 0, 0, -1
	text, err := inner.formatInt(n)
	if err != nil {
		return "", err
	}
	signs := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) })
	if s.alternate && s.verb != 'd' {
		signs += 2 // the prefix
	}
	digits := text[signs:]
	digits = strings.Repeat("0", max(0, s.precision-len(digits))) + digits
	return s.pad(text[:signs], digits, '>'), nil
}

// text returns s in Python's mini-language.
func (s spec) text() string {
	var b strings.Builder
	if s.width > 0 {
		align := s.forNumber().align
		if align == 0 {
			align = '>'
		}
		b.WriteString(string(s.fill) + string(rune(align)))
	}
	if s.sign != 0 {
		b.WriteByte(s.sign)
	}
	if s.alternate {
		b.WriteByte('#')
	}
	if s.width > 0 {
		fmt.Fprintf(&b, "%d", s.width)
	}
	if s.precision >= 0 {
		fmt.Fprintf(&b, ".%d", s.precision)
	}
	b.WriteByte(s.verb)
	return b.String()
}
