package magic

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// prompt is how commands are asked for.
const prompt = "(debug) "

// lookKey is where a session has the look at its last error.
type lookKey struct{}

// lastLook is a look at an error that may go on in another cell.
type lastLook struct {
	of *session.Error
	at int
}

// magicDebug is %debug.
func magicDebug(c *Call) (_ starlark.Value, err error) {
	if c.Rest == "help" {
		text, _ := (&look{}).help("")
		c.Print(text)
		return nil, nil
	}
	defer func() {
		if err != nil || c.S.Context().Err() != nil {
			c.S.Cell().KeepLastError()
		}
	}()
	failed := c.S.LastError()
	if failed == nil {
		return nil, errors.New("%debug: no error to look at: no cell has failed, or one has run since")
	}
	calls := failed.Calls()
	if len(calls) == 0 {
		return nil, fmt.Errorf("%%debug: no calls to look at: %s: %s", failed.Name(), failed.Error())
	}
	last := c.S.Local(lookKey{}, func() any { return &lastLook{} }).(*lastLook)
	if last.of != failed {
		*last = lastLook{failed, len(calls) - 1}
	}
	l := &look{s: c.S, thread: c.thread, calls: calls, at: last.at}
	defer func() { last.at = l.at }()
	if text, ok := c.options["-f"]; ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= len(calls) {
			c.Print(fmt.Sprintf("*** -f: got %s, want an integer from 0 to %d\n", text, len(calls)-1)) // an error would be the last one
			return nil, nil
		}
		l.at = len(calls) - 1 - n
	}
	if c.Rest != "" {
		text, _, _ := l.run(c.Rest)
		c.Print(text)
		return nil, nil
	}
	c.Print(l.place(l.at))
	if err := l.ask(); err != nil {
		text, _ := l.where("")
		c.Print(text + "This front end cannot be asked for commands: write them after %debug, as in %debug up ;; locals. " +
			"%debug help lists them.\n")
	}
	return nil, nil
}

// ask asks for commands until the look is over. An error of the front end's is one of the first
// question.
func (l *look) ask() error {
	for asked := false; ; asked = true {
		line, err := session.AskLine(l.s.Output(), l.s.Context(), prompt, false)
		if err != nil {
			if asked && l.s.Context().Err() == nil {
				return nil // the input ends
			}
			return err
		}
		text, over, err := l.run(line)
		l.s.Print("stdout", text)
		if over || err != nil {
			return err
		}
	}
}
