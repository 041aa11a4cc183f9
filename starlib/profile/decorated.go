package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/object"
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
	if !slices.Contains(d.defs, f) {
		d.defs = append(d.defs, f)
	}
}

// decorate returns the decorated function where profile stands behind an @, and nil where it is
// called.
func decorate(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	const caller = 1
	at := value.FrameOf(thread, caller).Pos
	text, ok := SessionOf(thread).Source(at.Filename()).Get(int(at.Line))
	col := int(at.Col) - 1 // of the @ where a def is given to it, of the ( where it is called first
	if !ok || col < 0 || col >= len(text) {
		return nil, nil
	}
	refused := func(why string) (starlark.Value, error) {
		return nil, object.NewError(object.TypeError, fmt.Sprintf("@profile, %s:%d: %s", at.Filename(), at.Line, why))
	}
	switch before := strings.TrimSpace(text[:col]); {
	case before == "" && text[col] == '@' && len(args) == 1 && len(kwargs) == 0:
		if f, isDef := args[0].(value.Def); isDef {
			return profiledDef{f, SessionOf(thread)}, nil
		}
		return refused("got " + value.TypeName(args[0]) + " below it, want a def, whose lines it counts: write it directly above a def, of a class above its methods")
	case strings.HasPrefix(before, "@") && !strings.ContainsAny(before, "( ") && text[col] == '(' && len(args) == 0:
		return refused("got a call, want its name alone: write @profile, or %%profile memory=True on the first line of the cell for its memory")
	}
	return nil, nil
}
