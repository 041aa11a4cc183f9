package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A growingText is text that + made, to which a program perhaps adds more and more, as loops do.
// The second time it has memory for more behind it, where what is added is written: nobody sees
// that in the text before. So a loop takes time in proportion to the text.
type growingText struct {
	text string
	with *strings.Builder // that has made it; nil at first
}

const (
	leastGrowing = 128 // bytes, below which text is copied
	mostGrowing  = 4   // texts that grow in turn
)

// add is x + y of texts.
func (m *Machine) add(x, y, z *slot.Slot, flags int32) (ok bool, err error) {
	a, ok := x.Ref().(starlark.String)
	if !ok {
		return false, nil
	}
	b, ok := y.Ref().(starlark.String)
	if !ok {
		return false, nil
	}
	if len(a)+len(b) < leastGrowing {
		z.SetRef(a + b)
		return true, nil
	}
	text, err := m.grow(string(a), string(b), flags)
	if err == nil {
		z.SetRef(starlark.String(text))
	}
	return true, err
}

func (m *Machine) grow(x, y string, flags int32) (string, error) {
	n := len(x) + len(y)
	at := m.growsAt
	for i := range m.growing {
		if m.growing[i].text == x {
			at = i
		}
	}
	g := &m.growing[at]
	if g.with == nil || g.with.Cap() < n {
		op := "+"
		if flags&code.Changes != 0 {
			op = "+="
		}
		if err := value.Ask(op, "a string", int64(n)); err != nil {
			return "", err
		}
	}
	switch {
	case g.text != x || x == "":
		*g = growingText{text: x + y}
		m.growsAt = (at + 1) % mostGrowing
		return g.text, nil
	case g.with == nil:
		g.with = new(strings.Builder)
		g.with.Grow(2 * n)
		g.with.WriteString(x)
	}
	g.with.WriteString(y)
	g.text = g.with.String()
	return g.text, nil
}
