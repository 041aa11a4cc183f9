package format

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
)

// A line is a logical line: a small statement, the header of a block with or without what stands
// behind it, or a comment of its own.
type line struct {
	toks  []parse.Token
	level int
	blank int // blank lines before it
}

// A liner cuts tokens into lines.
type liner struct {
	text    string
	inline  []int32 // offsets of the colons that have the statements of a block behind them, of those that are to come
	columns []int   // of the blocks around, outermost first
	out     []line
	end     int32 // line on which the last one ended
	// comments wait for the statement after them, which tells what blocks they may belong to.
	comments []parse.Token
	around   []int // columns when the first of them was met
}

// maxBlank bounds the blank lines between statements.
const maxBlank = 2

// lines cuts the tokens of a text into logical lines.
func lines(text string, toks []parse.Token, inline []int32) []line {
	l := &liner{text: text, inline: inline, columns: []int{0}}
	var stmt []parse.Token
	for _, t := range toks {
		switch t.Kind {
		case parse.Indent:
			l.columns = append(l.columns, l.column(t))
		case parse.Outdent:
			l.columns = l.columns[:len(l.columns)-1]
		case parse.Newline, parse.EOF:
			if len(stmt) > 0 {
				l.statement(stmt)
			}
			stmt = nil
			if t.Kind == parse.EOF {
				l.flush()
			}
		case parse.Comment:
			if len(stmt) > 0 {
				stmt = append(stmt, t)
				continue
			}
			if len(l.comments) == 0 {
				l.around = slices.Clone(l.columns)
			}
			l.comments = append(l.comments, t)
		default:
			if len(stmt) == 0 {
				l.flush()
			}
			stmt = append(stmt, t)
		}
	}
	return l.out
}

func (l *liner) level() int { return len(l.columns) - 1 }

// column returns the column that a token at the head of its line is indented to.
func (l *liner) column(t parse.Token) int {
	start := strings.LastIndexAny(l.text[:t.Start.Offset], "\r\n") + 1
	col := 0
	for i, r := range []rune(l.text[start:t.Start.Offset]) {
		col++
		if r == '\t' {
			col += 7 - i%8
		}
	}
	return col
}

// flush puts the waiting comments into the blocks that their columns say, of those that end before
// what follows them.
func (l *liner) flush() {
	for _, c := range l.comments {
		level := l.level()
		for col := l.column(c); level+1 < len(l.around) && l.around[level+1] <= col; {
			level++
		}
		l.add([]parse.Token{c}, level)
	}
	l.comments = nil
}

func (l *liner) add(toks []parse.Token, level int) {
	blank := 0
	if l.out != nil {
		blank = min(max(int(toks[0].Start.Line-l.end)-1, 0), maxBlank)
	}
	l.out = append(l.out, line{toks, level, blank})
	l.end = toks[len(toks)-1].End.Line
}

// statement adds what stands on a line: several small statements, or the header of a block and what
// follows it there.
func (l *liner) statement(toks []parse.Token) {
	level := l.level()
	colon := l.headerEnd(toks)
	small := statements(toks[colon+1:])
	if colon >= 0 {
		if len(small) == 1 {
			small = [][]parse.Token{slices.Concat(toks[:colon+1], small[0])}
		} else {
			l.add(toks[:colon+1], level)
			level++
		}
	}
	for _, s := range small {
		l.add(s, level)
	}
}

// headerEnd returns the index of the colon that has the statements of a block behind it, or -1 if
// the line has none.
func (l *liner) headerEnd(toks []parse.Token) int {
	if len(l.inline) == 0 || l.inline[0] >= toks[len(toks)-1].End.Offset {
		return -1
	}
	colon := l.inline[0]
	l.inline = l.inline[1:]
	return slices.IndexFunc(toks, func(t parse.Token) bool { return t.Start.Offset == colon })
}

// statements cuts tokens at semicolons. A comment at the end belongs to the last statement.
func statements(toks []parse.Token) (list [][]parse.Token) {
	var stmt []parse.Token
	depth := 0
	for _, t := range toks {
		switch {
		case isOpen(t.Kind):
			depth++
		case isClose(t.Kind):
			depth--
		case t.Kind == parse.Semi && depth == 0:
			list = append(list, stmt)
			stmt = nil
			continue
		case t.Kind == parse.Comment && depth == 0 && stmt == nil && list != nil:
			last := len(list) - 1
			list[last] = append(list[last], t)
			continue
		}
		stmt = append(stmt, t)
	}
	if stmt != nil {
		list = append(list, stmt)
	}
	return list
}

func isOpen(k parse.Kind) bool  { return k == parse.Lparen || k == parse.Lbrack || k == parse.Lbrace }
func isClose(k parse.Kind) bool { return k == parse.Rparen || k == parse.Rbrack || k == parse.Rbrace }
