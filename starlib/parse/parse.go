package parse

import (
	"go.starlark.net/syntax"
)

// Options say how a text is to be read.
type Options struct {
	Dialect   *syntax.FileOptions // put in the File's Options
	FirstLine int                 // number of the text's first line; 0 means 1
	FirstCol  int                 // column that it begins at; 0 means 1
	all       bool                // see All
}

// maxDepth bounds the nesting of expressions and blocks, since parser, resolver and compiler
// recurse. Upstream's bound is the same, but it counts more: several levels for a pair of
// parentheses.
const maxDepth = 1000

type parser struct {
	file    *string
	text    string
	scanner *scanner
	toks    []Token
	i       int   // index of tok
	tok     Token // the current token
	last    Token // the token before
	depth   int
	dialect *syntax.FileOptions
	used    uint64   // the constructs that were met, a bit each
	named   bool     // a walrus may stand here
	all     bool     // go on behind a statement that is refused
	refused []*Error // what was wrong with such statements
	inline  []int32  // see Inline
	// ownAssert is what hasOwnAssert says, once it is known.
	ownAssert *bool
	// starred are the tuples in parentheses with star elements, not yet known to be targets or
	// values.
	starred []*syntax.ParenExpr

	generators []syntax.Expr // comprehensions that are no lists in Python

	inClass   bool // directly in the body of a class
	annotates bool // an annotation was met in that body
	postponed bool // annotations are kept as text
}

// File parses a text as a sequence of statements. Its errors are of type *Error.
func File(name, text string, o Options) (*syntax.File, error) {
	return newParser(name, text, o).parseFile()
}

// Inline is File, and also returns the offsets of the colons that have the statements of their
// blocks behind them on the same line, in their order.
func Inline(name, text string, o Options) (*syntax.File, []int32, error) {
	p := newParser(name, text, o)
	f, err := p.parseFile()
	return f, p.inline, err
}

func (p *parser) parseFile() (f *syntax.File, err error) {
	defer p.recover(&err)
	p.next()
	f = &syntax.File{Path: *p.file, Options: p.dialect}
	f.Stmts = p.statements(EOF)
	return f, nil
}

// Expr parses a text as one expression, which may be a tuple without parentheses. Its errors are of
// type *Error.
func Expr(name, text string, o Options) (x syntax.Expr, err error) {
	p := newParser(name, text, o)
	defer p.recover(&err)
	p.next()
	x = p.expr(false)
	p.settle()
	if p.tok.Kind == Newline {
		p.next()
	}
	if p.tok.Kind != EOF {
		p.failEnd("got %s after expression, want end of file", p.describe())
	}
	return x, nil
}

func newParser(name, text string, o Options) *parser {
	file := new(string)
	*file = name
	s := newScanner(file, text, o.FirstLine, o.FirstCol)
	if o.all {
		s.all, s.mistakes = true, map[int]*Error{}
	}
	s.run()
	return &parser{file: file, text: text, scanner: s, toks: s.toks, i: -1, all: o.all, dialect: o.Dialect}
}

// recover turns the panic of fail into an error.
func (p *parser) recover(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		p.explain(e)
		*err = e
	default:
		panic(e)
	}
}

// fail ends parsing with a mistake at a place.
func (p *parser) fail(pos Place, format string, args ...any) {
	if p.tok.Kind == Mistake {
		panic(p.scanner.mistakes[p.i])
	}
	panic(errorAt(p.file, pos, p.tok.Start, format, args...))
}

// failEnd reports the current token where another was expected: at its end, as upstream does.
func (p *parser) failEnd(format string, args ...any) { p.fail(p.tok.End, format, args...) }

// failAt reports a mistake that began with an earlier token.
func (p *parser) failAt(t Token, format string, args ...any) {
	panic(errorAt(p.file, t.Start, t.Start, format, args...))
}

// next moves on to the next token.
func (p *parser) next() {
	p.last = p.tok
	p.i++
	if p.i == len(p.toks) {
		panic(p.scanner.err)
	}
	p.tok = p.toks[p.i]
}

// peek returns the kind of the token n after the current one.
func (p *parser) peek(n int) Kind {
	if p.i+n < len(p.toks) {
		return p.toks[p.i+n].Kind
	}
	return EOF
}

// textOf returns the text of a token.
func (p *parser) textOf(t Token) string { return p.text[t.Start.Offset:t.End.Offset] }

// isWord says whether a token is a certain identifier or reserved word.
func (p *parser) isWord(t Token, word string) bool {
	return (t.Kind == Ident || t.Kind == Reserved) && p.textOf(t) == word
}

// atEnd says whether the current token is the end of the text, and not only of a field of an
// f-string.
func (p *parser) atEnd() bool {
	return p.tok.Kind == EOF && int(p.tok.Start.Offset) == len(p.text) && p.i < len(p.toks)
}

// describe names the current token for a message.
func (p *parser) describe() string {
	switch {
	case p.tok.Kind == Reserved:
		return p.textOf(p.tok)
	case p.tok.Kind == EOF && !p.atEnd():
		return "end of the field"
	}
	return p.tok.Kind.String()
}

// expect moves past a token of the given kind, and returns it.
func (p *parser) expect(kind Kind) Token {
	if p.tok.Kind != kind {
		p.failEnd("got %s, want %s", p.describe(), kind)
	}
	t := p.tok
	p.next()
	return t
}

// accept moves past a token if it is of the given kind.
func (p *parser) accept(kind Kind) bool {
	if p.tok.Kind != kind {
		return false
	}
	p.next()
	return true
}

// enter goes one level deeper, and leave comes back.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok.Start, "nested more than %d levels deep", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) pos(t Token) syntax.Position { return position(p.file, t.Start) }

// ident moves past an identifier.
func (p *parser) ident() *syntax.Ident {
	switch {
	case p.tok.Kind == Load:
		p.extends(LoadName)
		return p.name()
	case p.tok.Kind != Ident:
		p.failEnd("got %s, want an identifier", p.describe())
	}
	return p.name()
}

// name is the token that is there, as a name.
func (p *parser) name() *syntax.Ident {
	x := &syntax.Ident{NamePos: p.pos(p.tok), Name: p.textOf(p.tok)}
	p.next()
	return x
}
