package progress

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/session"
)

// A screen is the bars of a session that are open, the outermost first.
type screen struct {
	s    *session.Session
	open []*bar
	cell *session.Cell // whose end closes what is open
	free []string      // outputs of the cell whose bars have left nothing
}

type screenKey struct{}

func screenOf(s *session.Session) *screen {
	return s.Local(screenKey{}, func() any { return &screen{s: s} }).(*screen)
}

// enter opens a bar. The end of the cell closes it, whatever became of its loop.
func (c *screen) enter(b *bar) {
	if cell := c.s.Cell(); cell != c.cell {
		c.cell, c.open, c.free = cell, nil, nil
		if cell != nil {
			cell.AtEnd(c.leaveAll)
		}
	}
	c.open = append(c.open, b)
	b.where = c.s.Screen()
}

func (c *screen) leaveAll() {
	for len(c.open) > 0 {
		c.open[len(c.open)-1].close()
	}
	c.cell, c.free = nil, nil
}

// leave closes a bar.
func (c *screen) leave(b *bar) {
	for i, o := range c.open {
		if o == b {
			at := i
			c.open = append(c.open[:i], c.open[i+1:]...)
			c.last(b, at)
			return
		}
	}
}

// place is how many open bars are outside of a bar.
func (c *screen) place(b *bar) int {
	for i, o := range c.open {
		if o == b {
			return i
		}
	}
	return 0
}

// show shows a bar as it is.
func (c *screen) show(b *bar) {
	m := b.meter()
	switch b.where {
	case session.ScreenPage:
		c.onPage(b, m.text(), m.page())
	case session.ScreenLine:
		at := c.place(b)
		c.write(strings.Repeat("\n", at) + c.line(b, m.text()) + strings.Repeat("\x1b[A", at))
	}
}

// onPage replaces the output of a bar, or makes it.
func (c *screen) onPage(b *bar, text, page string) {
	update := b.id != ""
	if last := len(c.free) - 1; !update && last >= 0 {
		b.id, c.free, update = c.free[last], c.free[:last], true
	}
	if !update {
		b.id = fmt.Sprintf("progress-%016x", rand.Uint64())
	}
	c.s.Output().Display(map[string]any{"text/plain": text, "text/html": page}, nil, b.id, update)
}

// last shows a bar for the last time; at is where it stood.
func (c *screen) last(b *bar, at int) {
	m := b.meter()
	switch {
	case b.where == session.ScreenPage && b.leave:
		c.onPage(b, m.text(), m.page())
	case b.where == session.ScreenPage && b.id != "":
		c.onPage(b, "", "")
		c.free, b.id = append(c.free, b.id), ""
	case b.where != session.ScreenLine:
	case b.leave: // above what is open, which is shown again below it
		c.write(c.line(b, m.text()) + "\n")
		for _, o := range c.open {
			c.show(o)
		}
	default:
		c.write(strings.Repeat("\n", at) + c.line(b, "") + strings.Repeat("\x1b[A", at))
	}
}

// line overwrites the line that the cursor is on.
func (c *screen) line(b *bar, text string) string {
	n := utf8.RuneCountInString(text)
	blank := strings.Repeat(" ", max(b.wide-n, 0))
	b.wide = n
	return "\r" + text + blank + "\r"
}

func (c *screen) write(text string) { c.s.Output().Stream("stderr", text) }

// print prints a line of the program's above the bars.
func (c *screen) print(text, stream string) {
	var lines []*bar
	for _, b := range c.open {
		if b.where == session.ScreenLine {
			lines = append(lines, b)
		}
	}
	for i, b := range lines {
		c.write(strings.Repeat("\n", i) + c.line(b, "") + strings.Repeat("\x1b[A", i))
	}
	c.s.Output().Stream(stream, text)
	for _, b := range lines {
		c.show(b)
	}
}
