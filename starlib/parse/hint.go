package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/habits"
)

// explain adds to an error what can be said of its cause: a hint, and whether more text could mend
// it.
func (p *parser) explain(e *Error) {
	atEnd := p.atEnd() && int(e.offset) == len(p.text)
	e.Incomplete = e.Incomplete || atEnd || p.onlyOutdents()
	if e.Hint == "" {
		e.Hint = p.hint(e, atEnd)
	}
	if !e.Incomplete {
		e.Modern, _ = Modern(p.statementAt(int(e.offset)))
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
	case strings.HasSuffix(e.Msg, "want ':'") && c.At.Kind == "LINE" && c.First.Is("if elif else for while def"):
		return "the first line of a block ends with a colon"
	case strings.Contains(e.Msg, "indent") && c.mixed:
		return "lines are indented with tabs and with spaces; use one of them"
	case strings.HasPrefix(e.Msg, "got indent"):
		return "the line is indented more than the one before, which opens no block"
	case strings.HasSuffix(e.Msg, "want indent"):
		return "the lines of a block are indented; write pass where it does nothing"
	}
	r, _ := utf8.DecodeRuneInString(p.text[e.offset:])
	return cmp.Or(habits.OfCharacter(r), habits.OfTokens(c.Tokens))
}

// A context is what stands around a mistake.
type context struct {
	habits.Tokens
	startsLine bool    // the token at fault is the first of its line
	closes     bool    // it is a closing bracket
	open       []int32 // the tokens that are brackets open there
	mixed      bool    // lines up to there are indented with tabs, and with spaces
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
	at := func(i int) habits.Token {
		if i < 0 || i > len(toks) {
			return habits.Token{}
		}
		if i == len(toks) { // where scanning ended
			r, _ := utf8.DecodeRuneInString(p.text[min(int(e.offset), len(p.text)):])
			return habits.Token{Text: string(r)}
		}
		return p.token(toks[i])
	}
	c.First, c.Prev2, c.Prev, c.At, c.Next = at(start), at(n-2), at(n-1), at(n), at(n+1)
	c.startsLine = n == 0 || n <= len(toks) && toks[n-1].End.Line < e.Start.Line
	c.closes = n < len(toks) && (toks[n].Kind == Rparen || toks[n].Kind == Rbrack || toks[n].Kind == Rbrace)
	c.mixed = mixed(p.text[:min(int(e.offset), len(p.text))])
	return c
}

// token is a token as a habit sees it.
func (p *parser) token(t Token) habits.Token {
	l := habits.Token{Text: p.textOf(t)}
	switch t.Kind {
	case Ident:
		l.Kind = "NAME"
	case Int, Float:
		l.Kind = "NUMBER"
	case String, Bytes, FString:
		l.Kind = "STRING"
	case Newline, EOF:
		l.Kind = "LINE"
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

// statementAt is the line of tokens, of one or several lines of text, that holds an offset.
func (p *parser) statementAt(offset int) string {
	from, end := -1, len(p.text)
	for _, t := range p.scanner.toks {
		switch {
		case t.Kind == Newline && int(t.Start.Offset) < offset:
			from = -1
		case t.Kind == Newline:
			end = int(t.Start.Offset)
		case t.Kind == Indent || t.Kind == Outdent:
		case from < 0:
			from = int(t.Start.Offset)
		}
		if end < len(p.text) {
			break
		}
	}
	if from < 0 || from > offset {
		from = offset
	}
	if len(p.scanner.toks) > 0 && !p.all && p.scanner.err != nil { // where scanning ended the line goes on
		if n := strings.IndexByte(p.text[min(offset, len(p.text)):], '\n'); n >= 0 && end == len(p.text) {
			end = offset + n
		}
	}
	return p.text[from:max(from, end)]
}
