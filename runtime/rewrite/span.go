package rewrite

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"strings"
)

// A TextError is what is wrong with a rule as text, and where.
type TextError struct {
	At  int // the first byte that is wrong, from the start of the text
	Msg string
}

func (e *TextError) Error() string { return e.Msg }

// A span is a part of a text, and where in it the part begins.
type span struct {
	text string
	at   int
}

// cut is strings.Cut.
func (s span) cut(sep string) (before, after span, found bool) {
	left, right, found := strings.Cut(s.text, sep)
	if !found {
		return s, span{"", s.at + len(s.text)}, false
	}
	return span{left, s.at}, span{right, s.at + len(left) + len(sep)}, true
}

func (s span) trim() span {
	left := strings.TrimLeft(s.text, " \t\r\n")
	return span{strings.TrimSpace(left), s.at + len(s.text) - len(left)}
}

func (s span) fail(format string, args ...any) error {
	return &TextError{s.at, fmt.Sprintf(format, args...)}
}

// failAt is fail at a node of the expression that s is.
func (s span) failAt(n ast.Node, format string, args ...any) error {
	return &TextError{s.at + int(n.Pos()) - 1, fmt.Sprintf(format, args...)}
}

// short is the text, if that is not too long for a message.
func (s span) short() string {
	const most = 80
	if r := []rune(s.text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s.text
}

// spellings are operators of other languages, which Go's parser takes for something else, and how
// rules say the same.
var spellings = []struct{ operator, instead string }{
	{"**", "there is no operator **; write pow(x, y)"},
	{"//", "there is no operator //; write int_div(x, y)"},
	{"@", "there is no operator @; write dot(x, y)"},
	{" and ", "there is no operator and; write && between predicates, and x & y for bools"},
	{" or ", "there is no operator or; write x | y for bools, and two rules of one name where either predicate will do"},
	{"not ", "there is no operator not; write ! before a predicate, and ^x for bools"},
}

// syntax is the error for an expression that Go's parser does not accept, or accepts as what the
// user cannot mean.
func (s span) syntax(err error) error {
	for _, o := range spellings {
		if i := strings.Index(s.text, o.operator); i >= 0 {
			return &TextError{s.at + i + strings.Index(o.operator, strings.TrimSpace(o.operator)), o.instead}
		}
	}
	if strings.Count(s.text, "(") > strings.Count(s.text, ")") {
		return &TextError{s.at + len(s.text), fmt.Sprintf("%q: want )", s.short())}
	}
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return &TextError{s.at + min(list[0].Pos.Offset, len(s.text)), fmt.Sprintf("%q: %s", s.short(), list[0].Msg)}
	}
	return s.fail("%q: %v", s.short(), err)
}
