package arith

import (
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Texts is what is remembered of long texts that a program uses again and again.
type Texts struct {
	growing [maxGrowing]growing
	growsAt int                // the one that makes room for a new one
	ascii   [2]starlark.String // in ASCII, of which a character was asked for last
	asciiAt int
}

// A growing text is one that + made, to which a program perhaps adds more and more, as loops do.
// The second time it has memory for more behind it, where the added text is written: the text
// before does not change. So a loop takes time in proportion to the text.
type growing struct {
	text string
	with *strings.Builder // that has made it; nil at first
}

const (
	minGrowing = 128 // bytes, below which text is copied
	maxGrowing = 4   // texts that grow in turn
	shortASCII = 32  // bytes, up to which a text is looked through again each time
)

// Forget lets go of the texts, which the program perhaps has no more.
func (t *Texts) Forget() {
	clear(t.growing[:])
	clear(t.ascii[:])
}

// add is x + y of texts.
func (t *Texts) add(x, y, z *slot.Slot, flags int32) (ok bool, err error) {
	a, ok := x.Ref().(starlark.String)
	if !ok {
		return false, nil
	}
	b, ok := y.Ref().(starlark.String)
	if !ok {
		return false, nil
	}
	text, err := t.Join(a, b, flags)
	if err == nil {
		z.SetRef(text)
	}
	return true, err
}

// Join is x + y.
func (t *Texts) Join(x, y starlark.String, flags int32) (starlark.String, error) {
	if len(x)+len(y) < minGrowing {
		return x + y, nil
	}
	return t.grow(string(x), string(y), flags)
}

func (t *Texts) grow(x, y string, flags int32) (starlark.String, error) {
	n := len(x) + len(y)
	at := t.growsAt
	for i := range t.growing {
		if t.growing[i].text == x {
			at = i
		}
	}
	g := &t.growing[at]
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
		*g = growing{text: x + y}
		t.growsAt = (at + 1) % maxGrowing
		return starlark.String(g.text), nil
	case g.with == nil:
		g.with = new(strings.Builder)
		g.with.Grow(2 * n)
		g.with.WriteString(x)
	}
	g.with.WriteString(y)
	g.text = g.with.String()
	return starlark.String(g.text), nil
}

// IsASCII reports whether a text is ASCII. A long one that was is known for a while.
func (t *Texts) IsASCII(x starlark.String) bool {
	if len(x) <= shortASCII {
		return value.IsASCII(x)
	}
	for i := range t.ascii {
		known := t.ascii[i]
		if known == x {
			return true
		}
		if 0 < len(known) && len(known) < len(x) && x[:len(known)] == known { // it has grown by +=
			if !value.IsASCII(x[len(known):]) {
				return false
			}
			t.ascii[i] = x
			return true
		}
	}
	if !value.IsASCII(x) {
		return false
	}
	t.asciiAt = (t.asciiAt + 1) % len(t.ascii)
	t.ascii[t.asciiAt] = x
	return true
}
