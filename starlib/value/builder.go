package value

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// maxText is the most bytes that the text of a value may have: a value that holds itself in many
// places has a text without end, and while it is written nobody can interrupt.
const maxText = 1 << 28

// A builder is a strings.Builder that asks for memory, and from which on an error nothing is
// written.
type builder struct {
	strings.Builder
	poll  tensor.Poll
	op    string
	most  int // bytes; 0: as many as there is memory for
	asked int // bytes
	err   error
}

var errCut = errors.New("the text was cut")

// room reports whether n bytes may be written.
func (b *builder) room(n int) bool {
	if b.err != nil {
		return false
	}
	b.poll.Ask(PerElement + n)
	size := b.Len() + n
	if b.most > 0 && size > b.most {
		b.err = errCut
		return false
	}
	if size > smallGrowth && size > b.asked {
		b.asked = 2 * size // as the builder grows
		b.err = Ask(b.op, describe("string", 0), int64(b.asked))
	}
	return b.err == nil
}

func (b *builder) WriteString(s string) {
	if b.room(len(s)) {
		b.Builder.WriteString(s)
	}
}

func (b *builder) WriteByte(c byte) error {
	if b.room(1) {
		b.Builder.WriteByte(c)
	}
	return nil
}

// A textError is why a value has no text. Text is asked for where there is no way to say so, so it
// goes as a panic to where a builtin is called.
type textError struct{ err error }

func (e *textError) Error() string { return e.err.Error() }
func (e *textError) Unwrap() error { return e.err }

// text returns what was written. It panics with a *textError.
func (b *builder) text() string {
	switch {
	case b.err == errCut:
		panic(&textError{fmt.Errorf("%s: the text of the value has more than %d bytes", b.op, b.most)})
	case b.err != nil:
		panic(&textError{b.err})
	}
	return b.String()
}
