package session

import (
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
)

// How much tracebacks show, by the names that IPython has.
const (
	TracebackContext = "Context" // the lines around each place; unless another is chosen
	TracebackPlain   = "Plain"   // each place with its line, as Python shows them
	TracebackVerbose = "Verbose" // the lines around each place, and the variables of each call
	TracebackMinimal = "Minimal" // the message alone
)

// TracebackModes are all of them, in the order in which a choice without a name goes on.
var TracebackModes = []string{TracebackPlain, TracebackContext, TracebackVerbose, TracebackMinimal}

// TracebackMode is how much the tracebacks of the session show.
func (s *Session) TracebackMode() string {
	if s.traceback == "" {
		return TracebackContext
	}
	return s.traceback
}

// SetTracebackMode chooses one of TracebackModes.
func (s *Session) SetTracebackMode(mode string) { s.traceback = mode }

// title is the first lines of a traceback.
func (e *Error) title() []string {
	const told = "Traceback (most recent call last)"
	switch {
	case e.mode == TracebackMinimal:
		return nil
	case e.mode == TracebackPlain && len(e.frames) > 0:
		return []string{told + ":"}
	case e.mode == TracebackPlain:
		return nil
	}
	title := e.name
	if len(e.frames) > 0 {
		title += strings.Repeat(" ", max(1, 42-len(e.name))) + told
	}
	return []string{strings.Repeat("-", 75), title}
}

// shownFrame is a frame as the mode shows it; i is its place.
func (e *Error) shownFrame(i int, f graph.Frame) string {
	switch e.mode {
	case TracebackPlain:
		line := e.lines(f.File).Line(f.Line)
		text := "  " + visible.Text(f.Pos().String())
		if f.Func != "" && f.Func != "<toplevel>" {
			text += ", in " + f.Func
		}
		if line = strings.TrimSpace(line); line != "" {
			short, _ := window(line, 1)
			text += "\n    " + short
		}
		return text
	case TracebackVerbose:
		return e.excerpt(f) + e.variables[i]
	}
	return e.excerpt(f)
}

// keepVariables notes the variables of the calls as they are when the error is made.
func (e *Error) keepVariables() {
	calls := e.Calls()
	e.variables = make(map[int]string)
	for i, f := range e.frames {
		for _, c := range calls {
			if at := c.Call(); at.Pos.Filename() != f.File || int(at.Pos.Line) != f.Line || at.Name != f.Func {
				continue
			}
			text := ""
			for _, v := range c.Locals() {
				line := strings.Join(strings.Fields(value.ReprShort(v.Value, 200)), " ")
				short, _ := window(line, 1)
				text += "\n        " + v.Name + " = " + visible.Text(short)
			}
			e.variables[i] = text
			break
		}
	}
}
