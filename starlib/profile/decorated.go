package profile

import (
	"strings"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A profiledDef is a function below @profile: the lines of its calls are counted and timed, and are
// printed when the cell is over.
type profiledDef struct {
	value.Def
	s *Session
}

// CallInternal begins to count with the first call in a cell.
func (f profiledDef) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f.s.countLines(f.Def)
	return value.Call(thread, f.Def, args, kwargs)
}

// decoratedLines are the functions below @profile that a cell has called.
type decoratedLines struct {
	cell *session.Cell
	defs []value.Def
}

// countLines counts lines until the cell is over, and shows those of f.
func (s *Session) countLines(f value.Def) {
	d := &s.profiling.decorated
	if d.cell != s.Cell() {
		*d = decoratedLines{cell: s.Cell()}
		report := magic.CountLines(s.Session.Session)
		d.cell.AtEnd(func() {
			s.Print("stdout", report(d.defs))
			*d = decoratedLines{}
		})
	}
	for _, g := range d.defs {
		if g == f {
			return
		}
	}
	d.defs = append(d.defs, f)
}

// isDecorator reports whether a builtin is called by its name behind an @, above a def.
func isDecorator(thread *starlark.Thread) bool {
	const caller = 1
	at := value.FrameOf(thread, caller).Pos
	if at.Line <= 0 {
		return false
	}
	text, ok := SessionOf(thread).Source(at.Filename()).Get(int(at.Line))
	col := int(at.Col) - 1
	return ok && col >= 0 && col < len(text) && strings.TrimSpace(text[:col]) == "" && text[col] == '@'
}
