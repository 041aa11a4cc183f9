package format

import (
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/parse"
)

const indentation = 4

// A physical is a line of output, which a string may extend over several.
type physical struct {
	code    string
	comment string
	column  int32 // of the comment in the source
}

// A printer writes lines.
type printer struct {
	text   string
	magics map[int32]string
	out    []physical
	cur    strings.Builder // the physical line that is being written
	width  int             // of cur, after its last line ending
	indent int             // of cur
}

// A bracket is one that is open.
type bracket struct {
	indent  int   // of the physical line that it stands on
	column  int   // of what follows it on that line, or -1
	written int32 // that column in the source
}

func (p *printer) write(text string) {
	p.cur.WriteString(text)
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.width, text = 0, text[i+1:]
	}
	p.width += utf8.RuneCountInString(text)
}

// flush ends a physical line.
func (p *printer) flush(comment string, column int32) {
	p.out = append(p.out, physical{p.cur.String(), comment, column})
	p.cur.Reset()
	p.width = 0
}

// begin starts a physical line.
func (p *printer) begin(indent int) {
	p.indent = indent
	p.write(strings.Repeat(" ", indent))
}

func (p *printer) textOf(t parse.Token) string {
	if magic, ok := p.magics[t.Start.Offset]; ok && t.Kind == parse.Ident {
		return magic
	}
	text := t.Text(p.text)
	if t.Kind == parse.Comment {
		return comment(text)
	}
	return text
}

// comment puts a space behind the # of a comment, unless what follows is a sign of another use: #!,
// ##, #%%, #:.
func comment(text string) string {
	text = strings.TrimRight(text, " \t")
	if len(text) > 1 && !strings.ContainsRune(" \t!#%:", rune(text[1])) && !strings.HasPrefix(text[1:], "arignote:") {
		return "# " + text[1:]
	}
	return text
}

// line writes a logical line.
func (p *printer) line(l line) {
	for range l.blank {
		p.flush("", 0)
	}
	first := l.toks[0]
	if first.Kind == parse.Comment {
		start := strings.LastIndexAny(p.text[:first.Start.Offset], "\r\n") + 1
		if whole := p.text[start:first.End.Offset]; cellMagic(whole) != "" || isMark(whole) {
			p.write(strings.TrimRight(whole, " \t")) // at its place: elsewhere it would mean something else
			p.flush("", 0)
			return
		}
	}
	p.begin(l.level * indentation)
	if first.Kind == parse.Comment {
		p.write(p.textOf(first))
		p.flush("", 0)
		return
	}
	p.tokens(l.toks, l.level*indentation)
}

// tokens writes the tokens of a logical line, broken where the source is.
func (p *printer) tokens(toks []parse.Token, indent int) {
	var open []bracket
	ended := false // a comment ended the physical line
	space := spaces(toks)
	for i, t := range toks {
		breaks := i > 0 && (ended || t.Start.Line > toks[i-1].End.Line)
		switch {
		case breaks && t.Kind == parse.Comment && len(open) == 0: // after a backslash
			breaks = false
		case breaks && len(open) == 0:
			p.write(" \\")
			p.flush("", 0)
			p.begin(indent + indentation)
		case breaks:
			if !ended {
				p.flush("", 0)
			}
			if t.Start.Line-toks[i-1].End.Line > 1 && !isOpen(toks[i-1].Kind) && !isClose(t.Kind) {
				p.flush("", 0)
			}
			p.begin(open[len(open)-1].inside(t))
		case space[i] && t.Kind != parse.Comment:
			p.write(" ")
		}
		ended = false
		switch {
		case t.Kind == parse.Comment && !breaks && i > 0:
			p.flush(p.textOf(t), t.Start.Col)
			ended = true
			continue
		case isClose(t.Kind):
			open = open[:len(open)-1]
		}
		p.write(p.textOf(t))
		if isOpen(t.Kind) {
			b := bracket{indent: p.indent, column: -1}
			if next := toks[i+1]; next.Start.Line == t.End.Line && next.Kind != parse.Comment {
				b.column, b.written = p.width, next.Start.Col
			}
			open = append(open, b)
		}
	}
	if !ended {
		p.flush("", 0)
	}
}

// inside returns the indentation of a physical line that begins with t in the bracket: aligned with
// what follows the bracket if it was, or one level deeper than the line of the bracket. A closing
// bracket stands below that line.
func (b bracket) inside(t parse.Token) int {
	switch {
	case b.column >= 0 && t.Start.Col == b.written:
		return b.column
	case isClose(t.Kind):
		return b.indent
	}
	return b.indent + indentation
}

// String returns the lines, with comments that followed code two columns behind it: those of
// consecutive lines that were aligned, behind the longest of these.
func (p *printer) String() string {
	var b strings.Builder
	for i := 0; i < len(p.out); {
		n, width := i, 0
		for n < len(p.out) && p.out[n].comment != "" && p.out[n].column == p.out[i].column {
			width = max(width, p.out[n].width())
			n++
		}
		for n = max(n, i+1); i < n; i++ {
			l := p.out[i]
			b.WriteString(l.code)
			if l.comment != "" {
				b.WriteString(strings.Repeat(" ", width-l.width()+2))
				b.WriteString(l.comment)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (l physical) width() int {
	return utf8.RuneCountInString(l.code[strings.LastIndexByte(l.code, '\n')+1:])
}
