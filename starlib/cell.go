package starlib

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/lower"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Cell is one piece of a notebook or script on its way through the session. Hooks
// are given it before and after it runs.
type Cell struct {
	Name  string // "In[3]", or the path of a script
	Count int    // 3, or the number of the cell in the script
	Code  string // as the user wrote it, magics included
	Line  int    // line of the file that Code begins on; 1 in notebooks
	Magic Magic  // its Name is "" if the cell has none

	Started time.Time
	Elapsed time.Duration // set when After is called
	Err     error         // set when After is called; nil if the cell succeeded
}

// A staticError is an error found in a cell before it ran.
type staticError struct {
	name string // "SyntaxError" or "NameError"
	pos  syntax.Position
	msg  string
}

func (e *staticError) Error() string { return e.msg }

// laterNames are designed to be predeclared, and not built: whoever types one has not mistyped it.
var laterNames = []string{"DebugMode", "In", "Lop", "MonitorMode", "NanGuardMode", "Out", "ProfileMode", "Rop", "check",
	"debugprint",
	"hessian", "ifelse", "jacobian", "plot", "profile", "progress", "random", "scan", "sweep", "table", "until", "with_config"}

// undefined is the message for a name that does not exist.
func undefined(name string, known []string) string {
	if slices.Contains(laterNames, name) {
		return config.NotYet(name).Error()
	}
	if n := closestName(name, known); n != "" {
		return fmt.Sprintf("name '%s' is not defined (did you mean %s?)", name, n)
	}
	return fmt.Sprintf("name '%s' is not defined", name)
}

// compile turns a cell into a program. Its globals are the session's: see package lower.
func (s *Session) compile(file, text string, firstLine int) (*starlark.Program, error) {
	build := func() (*syntax.File, error) { return parse(file, text, firstLine) }
	f, checked, err := s.checked(build, cellScope{s, s.lineMagics()}, s.allNames)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.late, checked.Late)
	lower.Cell(f, checked, !endsInSemicolon(f, text, firstLine))
	return starlark.FileProgram(f, isLate)
}

// checked returns the tree of a cell or file, not resolved, with what was found out about it. build makes the tree, the same
// one each time. names are those that an undefined one may have been meant for.
func (s *Session) checked(build func() (*syntax.File, error), scope lower.Scope, names func() []string) (
	*syntax.File, *lower.Checked, error) {
	f, err := build()
	if err != nil {
		return nil, nil, err
	}
	_, isModule := scope.(moduleScope)
	checked, err := lower.Check(f, scope, isModule)
	var static *lower.Error
	if errors.As(err, &static) {
		if static.Name == "" {
			return nil, nil, &staticError{"SyntaxError", static.Pos, static.Msg}
		}
		known := append(names(), static.Near...)
		slices.Sort(known)
		return nil, nil, &staticError{"NameError", static.Pos, undefined(static.Name, known)}
	}
	if err != nil {
		return nil, nil, err
	}
	f, err = build() // a tree that no bindings are tied to
	return f, checked, err
}

// cellScope is the names that a cell finds, or that its line magics assign while it runs.
type cellScope struct {
	s      *Session
	magics []lineMagic
}

func (c cellScope) Has(name string) bool { return c.s.env.Has(name) || mayAssign(c.magics, name) }
func (c cellScope) Standard(name string) bool {
	return c.s.base.Has(name) && !c.s.user[name] && !mayAssign(c.magics, name)
}
func (c cellScope) Kind(name string) lower.Kind {
	if mayAssign(c.magics, name) {
		return lower.Any
	}
	return lowerKind(c.s.env[name])
}

// moduleScope is the names that a loaded file finds.
type moduleScope struct{ s *Session }

func (m moduleScope) Has(name string) bool        { return m.s.base.Has(name) }
func (m moduleScope) Standard(name string) bool   { return m.s.base.Has(name) }
func (m moduleScope) Kind(name string) lower.Kind { return lowerKind(m.s.base[name]) }

// lowerKind says what a value is as lower needs it.
func lowerKind(v starlark.Value) lower.Kind {
	switch v.(type) {
	case starlark.Int, starlark.Float:
		return lower.Number
	case starlark.Bool, starlark.String, starlark.Bytes, starlark.NoneType:
		return lower.Plain
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		return lower.Simple
	}
	return lower.Any
}

// isLate reports whether a global name is looked up in the session's map each time it
// is used: all but the constants are, so that functions see what later cells define.
func isLate(name string) bool { return !lower.IsConstant(name) }

// endsInSemicolon reports whether the last statement is followed by a semicolon, which
// asks that its value not be shown.
func endsInSemicolon(f *syntax.File, text string, firstLine int) bool {
	if len(f.Stmts) == 0 {
		return false
	}
	end := syntax.End(f.Stmts[len(f.Stmts)-1])
	lines := strings.Split(text, "\n")
	i := int(end.Line) - firstLine
	if i < 0 || i >= len(lines) {
		return false
	}
	rest := []rune(lines[i])
	rest = rest[min(max(int(end.Col)-1, 0), len(rest)):]
	tail, _, _ := strings.Cut(string(rest), "#")
	return strings.Contains(tail, ";")
}
