package session

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// environment is the value behind $env: the globals of the cells, or of an imported file, for del
// and locals().
type environment struct {
	s   *Session
	env *vm.Globals // with what is predeclared
}

func (environment) String() string        { return scope.Env }
func (environment) Type() string          { return "environment" }
func (environment) Freeze()               {}
func (environment) Truth() starlark.Bool  { return true }
func (environment) Hash() (uint32, error) { return 0, errors.New("unhashable type: environment") }

// Delete deletes a global variable; of a name that was there before the first cell, what it has
// been since.
func (e environment) Delete(name string) bool {
	if !e.env.IsAssigned(name) {
		return false
	}
	e.env.Delete(name)
	if x, ok := e.s.base[name]; ok {
		e.env.Set(name, x)
	}
	return true
}

// dict is a dict of the variables.
func (e environment) dict() *slot.Dict {
	names := e.names()
	d := slot.NewDict(len(names))
	for _, name := range names {
		d.SetKey(starlark.String(name), e.env.Get(name))
	}
	return d
}

// names are those that were assigned, sorted, without those that begin with $.
func (e environment) names() []string {
	return slices.DeleteFunc(e.env.Assigned(), Hidden)
}

// A globalsDict is globals(), and locals() outside of functions: the variables as they were at that
// call. Keys that a program sets or deletes in it are set and deleted as variables too.
type globalsDict struct {
	*slot.Dict
	of environment
}

func (*globalsDict) Type() string { return "globals" }

// CompareSameType is g op y of the dicts.
func (g *globalsDict) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return g.Dict.CompareSameType(op, y.(*globalsDict).Dict, depth)
}

// SetKey assigns a variable.
func (g *globalsDict) SetKey(k, v starlark.Value) error {
	if err := g.Dict.SetKey(k, v); err != nil {
		return err
	}
	return g.publish()
}

// Delete deletes a variable.
func (g *globalsDict) Delete(k starlark.Value) (starlark.Value, bool, error) {
	v, found, err := g.Dict.Delete(k)
	if err == nil {
		err = g.publish()
	}
	return v, found, err
}

// Attr is a method of dicts.
func (g *globalsDict) Attr(name string) (starlark.Value, error) {
	method, err := value.Attr(g.Dict, name)
	if err != nil {
		return nil, err
	}
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := value.Call(thread, method, args, kwargs)
		if err == nil {
			err = g.publish()
		}
		return v, err
	}), nil
}

// publish makes the variables what the dict holds.
func (g *globalsDict) publish() error {
	for _, name := range g.of.names() {
		if _, found, _ := g.Dict.Get(starlark.String(name)); !found {
			g.of.Delete(name)
		}
	}
	for k, v := range g.Entries() {
		name, ok := starlark.AsString(k)
		if !ok {
			return object.NewError(object.TypeError, "globals: got the key "+value.Repr(k)+", want the name of a variable")
		}
		if g.of.env.Get(name) != v {
			value.Pin(v)
			g.of.env.Assign(name, v)
		}
	}
	return nil
}

// AllNames returns the names in scope in a cell, sorted.
func (s *Session) AllNames() []string {
	names := s.namesInScope()
	slices.Sort(names)
	return names
}

func (s *Session) namesInScope() []string {
	names := append(make([]string, 0, len(s.base)+3), "None", "True", "False")
	for name := range s.inScope() {
		names = append(names, name)
	}
	return names
}

// inScope are the variables that users know of.
func (s *Session) inScope() iter.Seq2[string, starlark.Value] {
	return func(yield func(string, starlark.Value) bool) {
		for name, v := range s.env.All() {
			ours := name[0] == '_' && !s.env.IsAssigned(name) // results of cells
			if !strings.HasPrefix(name, "$") && !ours && !yield(name, v) {
				return
			}
		}
	}
}

// namesNear returns the names that an undefined one may have been meant for: those of
// the session, and the local ones of the functions that mention it.
func (s *Session) namesNear(name string) []string {
	names := append(s.AllNames(), s.late[name]...)
	slices.Sort(names)
	return slices.Compact(names)
}

// ClosestName is config.Closest, but for the short names of variables it asks for more:
// one letter of two may differ only by case or order, or every x would be offered for y.
func ClosestName(name string, known []string) string {
	if len(name) < 2 {
		return ""
	}
	n := config.Closest(name, known)
	if len(name) <= 3 && n != "" && !strings.EqualFold(n, name) && !sameLetters(n, name) && len(n) <= len(name) {
		return ""
	}
	return n
}

func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

// UserNames returns the names that cells have assigned, sorted, without those that begin with _.
func (s *Session) UserNames() []string {
	return slices.DeleteFunc(s.env.Assigned(), func(name string) bool { return name[0] == '_' || name[0] == '$' })
}

// ResetNames removes what cells have assigned; names that were there before them are what they
// were.
func (s *Session) ResetNames() {
	for _, name := range s.env.Assigned() {
		environment{s, s.env}.Delete(name)
	}
	clear(s.late)
	if s.history.remembers {
		s.publishHistory()
	}
}

// memberHint returns the modules, and the flags, that have the name of a global variable that does
// not exist.
func (s *Session) memberHint(name string) string {
	var found []string
	for _, module := range []string{"np", "T", "math", "random", "time", "json"} {
		if m, ok := s.base[module].(starlark.HasAttrs); ok && slices.Contains(m.AttrNames(), name) {
			found = append(found, module+"."+name)
		}
	}
	if f, ok := config.Lookup(name); ok {
		found = append(found, "config."+f.Name)
	}
	if len(found) == 0 {
		return ""
	}
	return " (did you mean " + strings.Join(found, " or ") + "?)"
}
