package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds a text, so that offsets fit in 32 bits.
const maxText = 1 << 30

// A scanner cuts a text into tokens. A scanning error ends the tokens: the parser reports it
// only when it gets there, since an earlier mistake matters more.
type scanner struct {
	file   *string
	text   string // only up to where scanning ends
	off    int
	line   int32
	origin int // offset at which column 1 of the line would be if all its runes so far were single bytes
	toks   []Token
	depth  int // of brackets
	open   []int32
	// indents are the columns of the blocks around, outermost first.
	indents   []int
	lineStart bool // only white space so far on this line
	comments  bool // keep comments
	err       *Error
	// all asks for the tokens behind a mistake too; each is a token Mistake, and mistakes has what
	// is wrong with it, by its index.
	all      bool
	mistakes map[int]*Error
}

// Scan returns the tokens of a text, comments included. After a mistake it returns those before it,
// and an *Error.
func Scan(name, text string) ([]Token, error) {
	s := newScanner(&name, text, 1, 1)
	s.comments = true
	s.run()
	if s.err != nil {
		return s.toks, s.err
	}
	return s.toks, nil
}

func newScanner(file *string, text string, firstLine, firstCol int) *scanner {
	return &scanner{file: file, text: text, line: int32(max(firstLine, 1)), origin: min(1-firstCol, 0), toks: make([]Token, 0, len(text)/3+4),
		indents: []int{0}, lineStart: firstCol <= 1}
}

func (s *scanner) place() Place { return Place{s.line, int32(s.off - s.origin + 1), int32(s.off)} }

// fail ends scanning with a mistake at a place; what was wrong began at start.
func (s *scanner) fail(pos, start Place, msg string, args ...any) bool {
	s.err = errorAt(s.file, pos, start, msg, args...)
	return false
}

func (s *scanner) add(kind Kind, start Place) { s.toks = append(s.toks, Token{kind, start, s.place()}) }

// peek returns the byte n after the current one, or 0 at the end.
func (s *scanner) peek(n int) byte {
	if s.off+n < len(s.text) {
		return s.text[s.off+n]
	}
	return 0
}

// newline moves past a line ending: \n, \r\n or \r.
func (s *scanner) newline() {
	if s.text[s.off] == '\r' && s.peek(1) == '\n' {
		s.off++
	}
	s.off++
	s.line++
	s.origin = s.off
}

// wide moves past a rune of several bytes, which counts as one column.
func (s *scanner) wide() {
	_, n := utf8.DecodeRuneInString(s.text[s.off:])
	s.off += n
	s.origin += n - 1
}

// run scans the whole text.
func (s *scanner) run() {
	if len(s.text) > maxText {
		s.fail(s.place(), s.place(), "text of %d bytes, want at most %d", len(s.text), maxText)
		return
	}
	for s.next() || s.resume() {
	}
}

// resume goes on behind a mistake, if all are asked for.
func (s *scanner) resume() bool {
	e := s.err
	if e == nil || !s.all {
		return false
	}
	s.err = nil
	if s.off <= int(e.offset) && s.off < len(s.text) {
		s.wide()
	}
	s.mistakes[len(s.toks)] = e
	s.add(Mistake, Place{e.Start.Line, e.Start.Col, e.offset})
	return true
}

// next scans up to the next token, and says whether there is more.
func (s *scanner) next() bool {
	if s.lineStart && !s.indentation() {
		return false
	}
	for s.off < len(s.text) {
		switch c := s.text[s.off]; c {
		case ' ', '\t':
			s.off++
		case '#':
			s.comment()
		case '\n', '\r':
			if s.depth > 0 {
				s.newline()
				continue
			}
			start := s.place()
			s.newline()
			s.lineStart = true
			s.add(Newline, start)
			return true
		case '\\':
			start := s.place()
			s.off++
			if c := s.peek(0); c != '\n' && c != '\r' {
				s.fail(s.place(), start, "stray backslash in program")
				s.err.Incomplete = s.off == len(s.text)
				return false
			}
			s.newline()
		default:
			return s.token(c)
		}
	}
	return s.end()
}

// comment moves past a comment, up to the end of the line.
func (s *scanner) comment() {
	start := s.place()
	for s.off < len(s.text) {
		switch c := s.text[s.off]; {
		case c == '\n' || c == '\r':
			if s.comments {
				s.add(Comment, start)
			}
			return
		case c < utf8.RuneSelf:
			s.off++
		default:
			s.wide()
		}
	}
	if s.comments {
		s.add(Comment, start)
	}
}

const tabStop = 8

// indentation scans the white space before a statement, and the blank lines before that. It
// reports whether to go on.
func (s *scanner) indentation() bool {
	col := 0
	for s.off < len(s.text) {
		switch s.text[s.off] {
		case ' ':
			col++
			s.off++
		case '\t':
			col += tabStop - int(s.place().Col-1)%tabStop // upstream counts tabs before this one as one each
			s.off++
		case '#':
			s.comment()
			continue
		case '\n', '\r':
			s.newline()
			col = 0
		default:
			s.lineStart = false
			return s.block(col)
		}
	}
	return true
}

// block opens a block or closes some, at a statement in column col.
func (s *scanner) block(col int) bool {
	top := s.indents[len(s.indents)-1]
	if col == top {
		return true
	}
	here := s.place()
	if col > top {
		s.indents = append(s.indents, col)
		s.add(Indent, here)
		return true
	}
	for top > col {
		s.indents = s.indents[:len(s.indents)-1]
		top = s.indents[len(s.indents)-1]
		s.add(Outdent, here)
	}
	if top < col {
		s.toks = s.toks[:len(s.toks)-1]
		s.indents = append(s.indents, col)
		return s.fail(here, here, "unindent does not match any outer indentation level")
	}
	return true
}

// end closes the blocks that are open at the end of the text.
func (s *scanner) end() bool {
	here := s.place()
	if len(s.indents) > 1 && !s.lineStart {
		s.add(Newline, here)
	}
	for range s.indents[1:] {
		s.add(Outdent, here)
	}
	s.add(EOF, here)
	return false
}

// signs are the operators and brackets; of those that begin alike the longest counts.
var signs = func() (by [utf8.RuneSelf][]Kind) {
	for k := Plus; k <= AtEq; k++ {
		c := kinds[k].name[0]
		i := 0
		for i < len(by[c]) && len(kinds[by[c][i]].name) >= len(kinds[k].name) {
			i++
		}
		by[c] = append(by[c][:i], append([]Kind{k}, by[c][i:]...)...)
	}
	return by
}()

func (s *scanner) token(c byte) bool {
	start := s.place()
	switch {
	case isLetter(c) || c >= utf8.RuneSelf:
		return s.word(start)
	case isDigit(c) || c == '.' && isDigit(s.peek(1)):
		return s.number(start)
	case c == '"' || c == '\'':
		return s.str(start, String, false)
	}
	for _, k := range signs[c] {
		if name := kinds[k].name; len(name) == 1 || strings.HasPrefix(s.text[s.off:], name) {
			return s.sign(k, start)
		}
	}
	if c == 0 {
		return s.fail(start, start, "unexpected NUL character")
	}
	return s.fail(start, start, "unexpected input character '%c'", c)
}

func (s *scanner) sign(k Kind, start Place) bool {
	switch k {
	case Lparen, Lbrack, Lbrace:
		s.depth++
		s.open = append(s.open, int32(len(s.toks)))
	case Rparen, Rbrack, Rbrace:
		if s.depth == 0 {
			return s.fail(start, start, "unexpected %s", k)
		}
		s.depth--
		s.open = s.open[:len(s.open)-1]
	}
	s.off += len(kinds[k].name)
	s.add(k, start)
	return true
}

// prefixes of strings in small letters, each with the kind of its string, whether that is raw, and
// how standard Starlark spells it; it has no f-strings.
var prefixes = map[string]struct {
	kind     Kind
	raw      bool
	standard string
}{
	"": {String, false, ""}, "r": {String, true, "r"}, "u": {String, false, ""}, "b": {Bytes, false, "b"}, "br": {Bytes, true, "rb"}, "rb": {Bytes, true, "rb"},
	"f": {kind: FString}, "fr": {kind: FString, raw: true}, "rf": {kind: FString, raw: true},
}

// maxPrefix is the length of the longest of them.
const maxPrefix = 2

// word scans an identifier, a keyword, or a string with a prefix.
func (s *scanner) word(start Place) bool {
	for s.off < len(s.text) {
		c := s.text[s.off]
		if isLetter(c) || isDigit(c) {
			s.off++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		if r, _ := utf8.DecodeRuneInString(s.text[s.off:]); !unicode.IsLetter(r) {
			break
		}
		s.wide()
	}
	name := s.text[start.Offset:s.off]
	if name == "" {
		r, _ := utf8.DecodeRuneInString(s.text[s.off:])
		return s.fail(start, start, "unexpected input character '%c'", r)
	}
	if c := s.peek(0); c == '"' || c == '\'' {
		if p, ok := prefixes[strings.ToLower(name[:min(len(name), maxPrefix+1)])]; ok {
			return s.str(start, p.kind, p.raw)
		}
	}
	kind := Ident
	if len(name) <= len("continue") {
		if k, ok := words[name]; ok {
			kind = k
		}
	}
	s.add(kind, start)
	return true
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
