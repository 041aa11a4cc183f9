package parse

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A habit is something people write out of habit from another language, or by mistake. It is
// told by the tokens around the one at fault; each field lists texts of which one must match,
// and an empty field matches all. NAME, NUMBER, STRING, LINE stand for any token of the kind;
// LINE is the end of a line or of the text.
type habit struct {
	first string // the first token of the statement
	prev2 string
	prev  string
	at    string // the token at fault
	next  string
	hint  string
}

const (
	noExceptions = "there are no exceptions; fail(msg) ends the cell, and what may go wrong is checked before with if"
	noScope      = "globals can be read everywhere and are assigned at top level; keep changing state in a list or dict"
	noAsync      = "there are no coroutines; a function is called and returns"
	noWalrus     = "there is no := operator; assign in a statement of its own before"
	noTernary    = "a conditional is written: a if condition else b"
	noIncrement  = "there is no ++ or --; write x += 1 or x -= 1"
	noUnpacking  = "there is no ** in a display; write dict(a, **b) or a | b"
	noDeclare    = "a variable is not declared; write x = value"
	noBraces     = "a block begins with a colon and is indented"
)

// habits is searched from the top; the first row that matches is the hint.
var habits = []habit{
	{at: "class", hint: "there are no classes; use struct(...) and functions"},
	{at: "try except finally raise", hint: noExceptions},
	{at: "with", hint: "there is no with; write profile(lambda: ...), or put flags of the cell in its first line: %%flags name=value"},
	{at: "yield", hint: "there are no generators; collect the results in a list and return it"},
	{at: "async await", hint: noAsync},
	{at: "global nonlocal", hint: noScope},
	{at: "del", hint: "there is no del; write d.pop(k) for an entry of a dict, xs.pop(i) for an element of a list"},
	{at: "import from", hint: `import begins a statement of its own; load("file.star", "name") loads a file`},
	{first: "def", at: "-", next: ">", hint: "a return annotation stands after the closing parenthesis"},
	{at: "as", hint: "as stands only in import a as b"},

	{first: "print", prev: "print", at: "NAME NUMBER STRING not lambda {", hint: "print is a function: print(x)"},
	{first: "exec", prev: "exec", at: "NAME STRING", hint: "there is no exec; load(\"file.star\", \"name\") loads a file"},
	{first: "switch match case", prev: "switch match case", at: "NAME NUMBER STRING",
		hint: "there is no switch; write if, elif, else, or look it up in a dict"},
	{first: "let var const", prev: "let var const", at: "NAME", hint: noDeclare},
	{first: "int float double bool string char auto", prev: "int float double bool string char auto", at: "NAME", hint: noDeclare},
	{first: "func function fn fun proc", prev: "func function fn fun proc", at: "NAME", hint: "a function begins with def: def f(x):"},
	{first: "elsif elseif unless until do then foreach", at: "NAME NUMBER STRING : (",
		hint: "blocks begin with if, elif, else, for, while or def"},
	{first: "else", prev: "else", at: "if", hint: "write elif"},
	{first: "else", at: "else", hint: "else belongs to an if; after a loop, keep in a variable whether it was left by break"},
	{first: "elif", at: "elif", hint: "elif belongs to an if in the same column"},
	{first: "catch throw", prev: "catch throw", at: "NAME STRING (", hint: noExceptions},
	{first: "end", prev: "end", at: "NAME", hint: "a block ends where its indentation ends"},

	{at: "?", hint: noTernary + "; help(x) tells about x"},
	{prev: "&", at: "&", hint: "write and"},
	{prev: "|", at: "|", hint: "write or"},
	{at: "!", next: "=", hint: "write !="},
	{first: "!", at: "!", hint: "there are no shell commands here; the negation of x is not x"},
	{at: "!", hint: "write not x"},
	{prev: "<", at: ">", hint: "write !="},
	{prev: "==", at: "=", hint: "write =="},
	{prev: "!=", at: "=", hint: "write !="},
	{prev: "=", at: ">", hint: "greater or equal is written >=; a function without a name is lambda x: ..."},
	{prev: "=", at: "<", hint: "less or equal is written <="},
	{prev: "-", at: ">", hint: "there is no -> here; an attribute is x.name, a function without a name lambda x: ..."},
	{prev2: "+", prev: "+", at: "LINE ; )", hint: noIncrement},
	{prev2: "-", prev: "-", at: "LINE ; )", hint: noIncrement},
	{at: ":", next: "=", hint: noWalrus},
	{prev: ":", at: "=", hint: noWalrus},
	{first: "if elif while", at: "=", hint: "a comparison is written =="},
	{at: "`", hint: "there are no backticks; write repr(x)"},
	{at: "$", hint: "a name begins with a letter or _"},
	{prev: "NUMBER", at: "L l", hint: "integers are as long as they need; write them without L"},
	{prev: "NUMBER", at: "j J", hint: "there are no complex numbers; keep real and imaginary parts apart"},
	{prev: "NUMBER", at: "f F d", hint: "a float is written without a suffix: 1.0"},
	{prev: "NUMBER", at: "NAME", hint: "a multiplication is written with *, and a name begins with a letter or _"},
	{prev: "lambda def", at: "(",
		hint: "parameters of a lambda stand without parentheses, and a pair as one parameter: lambda p: p[0] + p[1]"},
	{first: "def lambda", prev: "( ,", at: "(", hint: "a tuple is no parameter; take it apart in the body: a, b = p"},
	{prev: "{ ,", at: "**", hint: noUnpacking},
	{first: "//", at: "//", hint: "a comment begins with #"},
	{first: "/", at: "/", hint: "a comment begins with #"},
	{first: "%", at: "%", next: "%", hint: "a line with %% must be the first of its cell"},
	{first: "%", at: "%", hint: "magics stand in cells, outside of brackets, not in files that are loaded"},
	{prev: "=", at: "%", hint: "a magic stands at the beginning of its line: %time x = f()"},
	{first: "}", at: "}", hint: noBraces},
	{first: "if elif else for while def", at: "{", hint: noBraces},
	{prev: "STRING", at: "NAME",
		hint: `inside a string a quote is written \" or differs from those around the string`},
	{prev: "NAME", at: "STRING", hint: "strings may begin with r, b, f or u; to call a function write f(\"...\")"},
}

// strayRunes are characters of other keyboards and of text processors, with what to type.
var strayRunes = []struct{ runes, hint string }{
	{"“”„«»", `a string has straight quotes: "..."`},
	{"‘’‚", "a string has straight quotes: '...'"},
	{"\u00a0\u2002\u2003\u2009\u202f\u3000", "it looks like a space and is none; type a plain space"},
	{"\u200b\u200c\u200d\u2060\ufeff\f\v", "it cannot be seen; delete it"},
	{"−–—", "a minus is written -"},
	{"×·⋅", "a product is written x * y"},
	{"÷", "a quotient is written x / y"},
	{"≤", "write <="},
	{"≥", "write >="},
	{"≠", "write !="},
	{"…", "an ellipsis is three dots: ..."},
	{"²", "a square is written x ** 2"},
	{"∞", `infinity is float("inf")`},
	{"（）［］｛｝，：；", "it is wider than the plain sign; type that"},
}

// explain adds to an error what can be said of its cause: a hint, and whether more text could mend it.
func (p *parser) explain(e *Error) {
	atEnd := p.atEnd() && int(e.offset) == len(p.text)
	e.Incomplete = e.Incomplete || atEnd || p.onlyOutdents()
	if e.Hint == "" {
		e.Hint = p.hint(e, atEnd)
	}
}

// onlyOutdents reports whether blocks end here because the text does.
func (p *parser) onlyOutdents() bool {
	i := p.i
	for i < len(p.toks) && p.toks[i].Kind == Outdent {
		i++
	}
	return i > p.i && i < len(p.toks) && p.toks[i].Kind == EOF && int(p.toks[i].Start.Offset) == len(p.text)
}

func (p *parser) hint(e *Error, atEnd bool) string {
	switch {
	case strings.HasPrefix(e.Msg, "unexpected newline in string"):
		return "the string that begins here is not closed on its line; over several lines it needs three quotes"
	case strings.HasPrefix(e.Msg, "unexpected EOF in string"):
		return "the string that begins here is never closed"
	case e.Msg == "unexpected ')'" || e.Msg == "unexpected ']'" || e.Msg == "unexpected '}'":
		return "no bracket is open here"
	case strings.HasPrefix(e.Msg, "unparenthesized tuple"):
		return "write (x,), or leave the comma out"
	case strings.Contains(e.Msg, "levels deep"):
		return ""
	}
	if strings.Contains(e.Msg, "got end of the field") || strings.Contains(e.Msg, "got end of string") {
		return "strings in the braces of an f-string take the other kind of quotes"
	}
	c := p.around(e)
	if n := len(c.open) - 1; n >= 0 {
		bracket := p.toks[c.open[n]]
		what := fmt.Sprintf("'%s' at line %d", p.textOf(bracket), bracket.Start.Line)
		if slices.Contains(p.scanner.open, c.open[n]) && (atEnd || c.startsLine) {
			return what + " was never closed"
		}
		if c.closes {
			return what + " is still open here"
		}
	}
	switch {
	case strings.HasSuffix(e.Msg, "want ':'") && c.at.kind == "LINE" && c.first.is("if elif else for while def"):
		return "the first line of a block ends with a colon"
	case strings.Contains(e.Msg, "indent") && c.mixed:
		return "lines are indented with tabs and with spaces; use one of them"
	case strings.HasPrefix(e.Msg, "got indent"):
		return "the line is indented more than the one before, which opens no block"
	case strings.HasSuffix(e.Msg, "want indent"):
		return "the lines of a block are indented; write pass where it does nothing"
	}
	r, _ := utf8.DecodeRuneInString(p.text[e.offset:])
	for _, stray := range strayRunes {
		if strings.ContainsRune(stray.runes, r) {
			return stray.hint
		}
	}
	for _, h := range habits {
		if c.first.is(h.first) && c.prev2.is(h.prev2) && c.prev.is(h.prev) && c.at.is(h.at) && c.next.is(h.next) {
			return h.hint
		}
	}
	return ""
}

// A lexeme is a token as a habit sees it.
type lexeme struct {
	text string
	kind string // NAME, NUMBER, STRING, LINE, or ""
}

// is says whether the lexeme is one of those listed.
func (l lexeme) is(list string) bool {
	if list == "" {
		return true
	}
	for w := range strings.FieldsSeq(list) {
		if w == l.text || w == l.kind {
			return true
		}
	}
	return false
}

// A context is what stands around a mistake.
type context struct {
	first, prev2, prev, at, next lexeme
	startsLine                   bool    // the token at fault is the first of its line
	closes                       bool    // it is a closing bracket
	open                         []int32 // the tokens that are brackets open there
	mixed                        bool    // lines up to there are indented with tabs, and with spaces
}

// around finds the context of an error.
func (p *parser) around(e *Error) (c context) {
	toks := p.toks
	n := 0
	start := 0
	for n < len(toks) && toks[n].Start.Offset < e.offset {
		switch toks[n].Kind {
		case Newline, Indent, Outdent, Semi:
			start = n + 1
		case Lparen, Lbrack, Lbrace:
			c.open = append(c.open, int32(n))
		case Rparen, Rbrack, Rbrace:
			if len(c.open) > 0 {
				c.open = c.open[:len(c.open)-1]
			}
		}
		n++
	}
	for n < len(toks) && (toks[n].Kind == Indent || toks[n].Kind == Outdent) && toks[n].Start.Offset == e.offset {
		n++
		start = n
	}
	at := func(i int) lexeme {
		if i < 0 || i > len(toks) {
			return lexeme{}
		}
		if i == len(toks) { // where scanning ended
			r, _ := utf8.DecodeRuneInString(p.text[min(int(e.offset), len(p.text)):])
			return lexeme{text: string(r)}
		}
		return p.lexeme(toks[i])
	}
	c.first, c.prev2, c.prev, c.at, c.next = at(start), at(n-2), at(n-1), at(n), at(n+1)
	c.startsLine = n == 0 || n <= len(toks) && toks[n-1].End.Line < e.Start.Line
	c.closes = n < len(toks) && (toks[n].Kind == Rparen || toks[n].Kind == Rbrack || toks[n].Kind == Rbrace)
	c.mixed = mixed(p.text[:min(int(e.offset), len(p.text))])
	return c
}

func (p *parser) lexeme(t Token) lexeme {
	l := lexeme{text: p.textOf(t)}
	switch t.Kind {
	case Ident:
		l.kind = "NAME"
	case Int, Float:
		l.kind = "NUMBER"
	case String, Bytes, FString:
		l.kind = "STRING"
	case Newline, EOF:
		l.kind = "LINE"
	}
	return l
}

// mixed says whether some lines of a text begin with a tab and others with a space.
func mixed(text string) bool {
	tabs, spaces := false, false
	for line := range strings.Lines(text) {
		tabs = tabs || line[0] == '\t'
		spaces = spaces || line[0] == ' '
	}
	return tabs && spaces
}
