package sre

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Template makes the text that replaces a match: texts with what groups have taken between them.
type Template struct {
	texts []string // one more than refs
	refs  []int
}

// A NameError is that of a group's name which a pattern does not have: in Python an IndexError.
type NameError string

func (e NameError) Error() string { return "unknown group name " + quoted(string(e)) }

// NewTemplate reads a template for a pattern.
func NewTemplate(p *Program, text string) (*Template, error) {
	r := &reader{parser: parser{src: text, flags: p.Flags}, program: p}
	if r.text = []rune(text); p.Flags.bytes() {
		r.text = r.text[:0]
		for i := range len(text) {
			r.text = append(r.text, rune(text[i]))
		}
	}
	r.read()
	if r.missing != "" {
		return nil, r.missing
	}
	if r.err != nil {
		return nil, r.err
	}
	r.end(-1)
	return &r.Template, nil
}

// A reader reads a template.
type reader struct {
	parser
	Template
	program *Program
	b       []byte
	missing NameError
}

func (r *reader) put(c rune) {
	if r.flags.bytes() {
		r.b = append(r.b, byte(c))
	} else {
		r.b = utf8.AppendRune(r.b, c)
	}
}

// end ends a text, which a group follows, or with -1 nothing.
func (r *reader) end(group int) {
	r.texts = append(r.texts, string(r.b))
	if r.b = r.b[:0]; group >= 0 {
		r.refs = append(r.refs, group)
	}
}

// group ends a text with a group, whose number stands at a place.
func (r *reader) group(n, at int) {
	if n > r.program.Groups {
		r.fail(at, "invalid group reference %d", n)
		return
	}
	r.end(n)
}

func (r *reader) read() {
	for r.err == nil && r.missing == "" && r.peek() >= 0 {
		from := r.pos
		c := r.next()
		if c != '\\' {
			r.put(c)
			continue
		}
		if c = r.peek(); c < 0 {
			r.fail(from, "bad escape (end of pattern)")
			return
		}
		r.pos++
		switch char, known := escapes[c]; {
		case c == 'g':
			r.named()
		case c == '0':
			r.while(2, octal)
			r.put(number(string(r.text[from+1:r.pos]), 8) & 0xff)
		case '1' <= c && c <= '9':
			r.numbered(from)
		case known && c != '\\':
			r.put(char)
		case isLetter(c):
			r.fail(from, `bad escape \%c`, c)
		case c == '\\':
			r.put(c)
		default:
			r.put('\\')
			r.put(c)
		}
	}
}

// numbered reads \1, or a character in three octal digits.
func (r *reader) numbered(from int) {
	if c := r.peek(); '0' <= c && c <= '9' {
		r.pos++
		if strings.ContainsRune(octal, r.text[from+1]) && strings.ContainsRune(octal, c) && strings.ContainsRune(octal, r.peek()) {
			r.put(r.octals(from, 1))
			return
		}
	}
	r.group(int(number(string(r.text[from+1:r.pos]), 10)), from+1)
}

// named reads \g<name>.
func (r *reader) named() {
	if !r.take('<') {
		r.fail(r.pos, "missing <")
		return
	}
	name := r.until('>')
	at := r.pos - len([]rune(name)) - 1
	if r.err != nil {
		return
	}
	n, ok := r.program.Names[name]
	if !ok && isIdentifier(name) {
		r.missing = NameError(name)
		return
	}
	if !ok {
		var err error
		if n, err = strconv.Atoi(strings.TrimSpace(name)); err != nil || n < 0 {
			r.fail(at, "bad character in group name %s", quoted(name))
			return
		}
	}
	r.group(n, at)
}

// Plain is the text of a template without groups.
func (t *Template) Plain() (text string, ok bool) { return t.texts[0], len(t.refs) == 0 }

// Append appends what a match in a text is replaced by.
func (t *Template) Append(dst []byte, text string, m *Match) []byte {
	dst = append(dst, t.texts[0]...)
	for i, n := range t.refs {
		if from, to := m.Places[2*n], m.Places[2*n+1]; from >= 0 {
			dst = append(dst, text[from:to]...)
		}
		dst = append(dst, t.texts[i+1]...)
	}
	return dst
}
