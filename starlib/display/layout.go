package display

import (
	"strings"
	"unicode/utf8"
)

// lineWidth is how many characters a line of text/plain has before its groups are broken.
const lineWidth = 79

// A layout breaks text into lines. What may stand on one line is a group; where a line becomes too
// long, the outermost group that still can be broken has a line for each of its parts. Text is held
// from the first place where a line may end until it is known whether it ends there.
type layout struct {
	out    strings.Builder
	column int // of the end of out
	held   []piece
	width  int // of held
	groups []*group
	indent int
}

// A group is broken as a whole.
type group struct {
	depth  int
	open   int // places in held where it may be broken
	broken bool
}

// A piece is text, or with a group a place where the line may end; then text is what stands there
// if it does not.
type piece struct {
	text   string
	of     *group
	indent int
}

func newLayout() *layout { return &layout{groups: []*group{{}}} }

func (l *layout) inner() *group { return l.groups[len(l.groups)-1] }

// write adds text.
func (l *layout) write(text string) {
	n := utf8.RuneCountInString(text)
	if len(l.held) == 0 {
		l.out.WriteString(text)
		l.column += n
		return
	}
	l.held = append(l.held, piece{text: text})
	l.width += n
	l.fit()
}

// breakable is a place where the line may end, else sep stands there.
func (l *layout) breakable(sep string) {
	g := l.inner()
	if g.broken {
		l.flush()
		l.newline(l.indent)
		return
	}
	l.held = append(l.held, piece{sep, g, l.indent})
	l.width += utf8.RuneCountInString(sep)
	g.open++
	l.fit()
}

// end ends the line.
func (l *layout) end() {
	if g := l.outermost(); g != nil {
		l.breakGroup(g)
	}
	l.flush()
	l.newline(l.indent)
}

func (l *layout) begin(indent int, open string) {
	if open != "" {
		l.write(open)
	}
	l.groups = append(l.groups, &group{depth: len(l.groups)})
	l.indent += indent
}

func (l *layout) close(dedent int, text string) {
	l.indent = max(l.indent-dedent, 0)
	if len(l.groups) > 1 {
		l.groups = l.groups[:len(l.groups)-1]
	}
	if text != "" {
		l.write(text)
	}
}

func (l *layout) newline(indent int) {
	indent = min(max(indent, 0), lineWidth)
	l.out.WriteString("\n" + strings.Repeat(" ", indent))
	l.column = indent
}

// fit breaks groups until the line is short enough, or there is nothing to break.
func (l *layout) fit() {
	for l.column+l.width > lineWidth {
		g := l.outermost()
		if g == nil {
			return
		}
		l.breakGroup(g)
	}
}

// outermost is the group to be broken next, nil if there is none. Groups around it that have no
// place yet where they could be broken will be at each that comes.
func (l *layout) outermost() *group {
	var found *group
	for _, p := range l.held {
		if p.of != nil && (found == nil || p.of.depth <= found.depth) {
			found = p.of
		}
	}
	for _, g := range l.groups {
		g.broken = g.broken || found == nil || g.depth < found.depth
	}
	return found
}

// breakGroup writes what is held up to the last place of a group, with a new line at each.
func (l *layout) breakGroup(g *group) {
	g.broken = true
	for g.open > 0 {
		l.release()
	}
	for len(l.held) > 0 && l.held[0].of == nil {
		l.release()
	}
}

// release writes the first piece that is held.
func (l *layout) release() {
	p := l.held[0]
	l.held = l.held[1:]
	n := utf8.RuneCountInString(p.text)
	l.width -= n
	if p.of != nil {
		p.of.open--
		if p.of.broken {
			l.newline(p.indent)
			return
		}
	}
	l.out.WriteString(p.text)
	l.column += n
}

func (l *layout) flush() {
	for len(l.held) > 0 {
		l.release()
	}
}

func (l *layout) text() string {
	l.flush()
	return l.out.String()
}
