package parse

import (
	"strings"

	"go.starlark.net/syntax"
)

// literal parses a number, or strings side by side.
func (p *parser) literal() syntax.Expr {
	t := p.tok
	raw := p.textOf(t)
	var value any
	switch t.Kind {
	case Int:
		value = intValue(raw)
	case Float:
		if value = floatValue(raw); isImaginary(raw) {
			p.extends(Imaginary)
		}
	default:
		return p.strings()
	}
	p.next()
	if strings.Contains(raw, "_") {
		p.extends(DigitGroups)
	}
	return &syntax.Literal{Token: kinds[t.Kind].tok, TokenPos: p.pos(t), Raw: raw, Value: value}
}

// str moves past a string or bytes literal without fields.
func (p *parser) str() *syntax.Literal {
	t := p.tok
	raw := p.textOf(t)
	p.next()
	if !isStandardPrefix(raw) {
		p.extends(StringPrefix)
	}
	if hasExtendedEscape(raw) {
		p.extends(UnknownEscape)
	}
	return p.stringLit(t, raw)
}

// stringLit makes the node of a string or bytes literal.
func (p *parser) stringLit(t Token, raw string) *syntax.Literal {
	return &syntax.Literal{Token: kinds[t.Kind].tok, TokenPos: p.pos(t), Raw: clean(raw), Value: stringValue(raw)}
}

// strings parses strings side by side, which make one.
func (p *parser) strings() syntax.Expr {
	first := p.i
	t := p.tok
	if t.Kind != FString && !isString(p.peek(1)) {
		return p.str()
	}
	bytes := t.Kind == Bytes
	var parts []syntax.Expr
	for isString(p.tok.Kind) {
		if p.i > first {
			p.extends(AdjacentStrings)
			if (p.tok.Kind == Bytes) != bytes {
				p.failAt(p.tok, "got %s beside %s, want strings of one kind", p.describe(), kinds[t.Kind].name)
			}
		}
		if p.tok.Kind == FString {
			parts = append(parts, p.fstring()...)
		} else {
			parts = append(parts, p.str())
		}
	}
	start, end := p.pos(t), position(p.file, p.last.End)
	parts = merge(parts)
	if len(parts) == 0 {
		return &syntax.Literal{Token: syntax.STRING, TokenPos: start, Raw: clean(p.text[t.Start.Offset:p.last.End.Offset]), Value: ""}
	}
	if lit, ok := parts[0].(*syntax.Literal); ok && len(parts) == 1 {
		lit.TokenPos, lit.Raw = start, clean(p.text[t.Start.Offset:p.last.End.Offset])
		return lit
	}
	return call(NameFString, start, start, end, parts...)
}

func isString(k Kind) bool { return k == String || k == Bytes || k == FString }

// merge joins literals that follow each other.
func merge(parts []syntax.Expr) (out []syntax.Expr) {
	for i := 0; i < len(parts); {
		first, ok := parts[i].(*syntax.Literal)
		out = append(out, parts[i])
		i++
		if !ok {
			continue
		}
		var value, raw strings.Builder
		for lit := first; ok; i++ {
			value.WriteString(lit.Value.(string))
			raw.WriteString(lit.Raw)
			if i == len(parts) {
				break
			}
			if lit, ok = parts[i].(*syntax.Literal); !ok {
				break
			}
		}
		first.Value, first.Raw = value.String(), raw.String()
	}
	return out
}

// A template is the text between the quotes of an f-string, while it is parsed.
type template struct {
	*parser
	raw bool
	at  Place // of what comes next
	end int   // offset of the closing quote
}

// fstring moves past an f-string and returns its parts.
func (p *parser) fstring() []syntax.Expr {
	p.extends(FormattedString)
	t := p.tok
	prefix, body, _ := unquote(p.textOf(t))
	quote := (len(p.textOf(t)) - len(prefix) - len(body)) / 2
	at := t.Start
	at.Col += int32(len(prefix) + quote)
	at.Offset += int32(len(prefix) + quote)
	f := &template{parser: p, raw: prefixes[strings.ToLower(prefix)].raw, at: at, end: int(t.End.Offset) - quote}
	parts := f.parts(0)
	p.next()
	return parts
}

// wrong reports a mistake at a place inside an f-string.
func (f *template) wrong(at Place, format string, args ...any) {
	panic(errorAt(f.file, at, at, format, args...))
}

// advance moves past n bytes, which may hold line endings.
func (f *template) advance(n int) {
	s := scanner{text: f.text, off: int(f.at.Offset), line: f.at.Line, origin: int(f.at.Offset) - int(f.at.Col) + 1}
	for stop := s.off + n; s.off < stop; {
		switch c := s.text[s.off]; {
		case c == '\n' || c == '\r':
			s.newline()
		case c < 0x80:
			s.off++
		default:
			s.wide()
		}
	}
	f.at = s.place()
}

// parts parses text and fields up to the end, or in the spec of a field up to its closing brace.
// depth counts the fields around.
func (f *template) parts(depth int) (parts []syntax.Expr) {
	for {
		rest := f.text[f.at.Offset:f.end]
		n := strings.IndexAny(rest, "{}")
		if n < 0 {
			n = len(rest)
		}
		doubled := depth == 0 && n+1 < len(rest) && rest[n+1] == rest[n]
		if n > 0 || doubled {
			from := f.at
			text := rest[:n]
			f.advance(n)
			if doubled {
				text += rest[n : n+1]
				f.advance(2)
			}
			parts = append(parts, f.piece(from, text))
			if doubled {
				continue
			}
		}
		switch {
		case n == len(rest) && depth > 0:
			f.wrong(f.at, "f-string: got end of string, want '}'")
		case n == len(rest):
			return merge(parts)
		case rest[n] == '}' && depth == 0:
			f.wrong(f.at, "f-string: single '}'; a brace in the text is written }}")
		case rest[n] == '}':
			return merge(parts)
		}
		parts = append(parts, f.field(depth)...)
	}
}

// piece makes the literal of text between fields.
func (f *template) piece(from Place, text string) *syntax.Literal {
	value := clean(text)
	if !f.raw {
		var msg string
		if value, msg = unescape(value, false); msg != "" {
			f.wrong(from, "f-string: %s", msg)
		}
	}
	return &syntax.Literal{Token: syntax.STRING, TokenPos: position(f.file, from), Raw: clean(text), Value: value}
}

// field parses a replacement field: {expr}, {expr=}, {expr!r}, {expr:spec}.
func (f *template) field(depth int) []syntax.Expr {
	open := f.at
	if depth > 1 {
		f.wrong(open, "f-string: fields nested too deep, want at most a field in the spec of a field")
	}
	f.advance(1)
	x, stop, source := f.expression(open)
	var out []syntax.Expr
	conversion := ""
	if stop.Kind == Eq {
		out = append(out, &syntax.Literal{Token: syntax.STRING, TokenPos: position(f.file, open), Raw: source, Value: clean(source)})
	}
	pos := position(f.file, open)
	if f.byte() == '!' {
		f.advance(1)
		c := f.byte()
		if c != 'r' && c != 's' && c != 'a' {
			f.wrong(f.at, "f-string: got %s, want !r, !s or !a after an expression", f.here())
		}
		conversion = string(c)
		f.advance(1)
	}
	if stop.Kind == Eq && conversion == "" && f.byte() != ':' {
		conversion = "r"
	}
	spec := f.spec(depth)
	if f.byte() != '}' {
		f.wrong(f.at, "f-string: got %s, want '}'", f.here())
	}
	f.advance(1)
	return append(out, call(NameField, pos, pos, position(f.file, f.at), x, stringLit(pos, conversion), spec))
}

// spec parses the spec of a field, which may be left out.
func (f *template) spec(depth int) syntax.Expr {
	at := position(f.file, f.at)
	if f.byte() != ':' {
		return &syntax.Literal{Token: syntax.STRING, TokenPos: at, Value: ""}
	}
	f.advance(1)
	parts := f.parts(depth + 1)
	if len(parts) == 0 {
		return &syntax.Literal{Token: syntax.STRING, TokenPos: at, Value: ""}
	}
	if lit, ok := parts[0].(*syntax.Literal); ok && len(parts) == 1 {
		return lit
	}
	return call(NameFString, at, at, position(f.file, f.at), parts...)
}

// byte returns the current byte, or 0 at the end of the f-string.
func (f *template) byte() byte {
	if int(f.at.Offset) < f.end {
		return f.text[f.at.Offset]
	}
	return 0
}

// here names what stands at the current place.
func (f *template) here() string {
	if c := f.byte(); c != 0 {
		return "'" + string([]rune(f.text[f.at.Offset:f.end])[0]) + "'"
	}
	return "end of string"
}

// expression parses the expression of a field that was opened at a place. stop is the sign after it
// if that is =, and source the text up to behind that sign.
func (f *template) expression(open Place) (x syntax.Expr, stop Token, source string) {
	from := f.at
	s := &scanner{file: f.file, text: f.text[:f.end], off: int(from.Offset), line: from.Line,
		origin: int(from.Offset) - int(from.Col) + 1, depth: 1, open: []int32{-1}, indents: []int{0}}
	s.field()
	if s.err != nil {
		s.err.Incomplete = false // the f-string has its end
	}
	p := f.parser
	outer := *p
	p.toks, p.i, p.scanner = s.toks, -1, s
	p.next()
	if p.tok.Kind == EOF && s.err == nil {
		f.wrong(p.tok.Start, "f-string: got no expression in braces")
	}
	p.enter()
	x = p.expr(true)
	stop = p.tok
	if stop.Kind == Eq && p.peek(1) == EOF {
		p.next()
	} else if stop.Kind != EOF {
		p.failAt(stop, "f-string: got %s, want '}'", p.describe())
	}
	end := p.tok.Start
	p.toks, p.i, p.scanner, p.tok, p.last, p.depth = outer.toks, outer.i, outer.scanner, outer.tok, outer.last, outer.depth
	f.at = end
	return x, stop, f.text[from.Offset:end.Offset]
}

// field scans the expression of a field: up to a closing brace, a conversion or a spec.
func (s *scanner) field() {
	for {
		c := s.peek(0)
		for c == ' ' || c == '\t' {
			s.off++
			c = s.peek(0)
		}
		if c == '\n' || c == '\r' {
			s.newline()
			continue
		}
		if s.depth == 1 && (c == '}' || c == ':' || c == '!' && s.peek(1) != '=') || s.off >= len(s.text) {
			break
		}
		n := len(s.toks)
		if !s.next() {
			if s.err == nil { // the end, after white space
				s.toks = s.toks[:n]
				break
			}
			return
		}
	}
	s.add(EOF, s.place())
}
