package scope

import (
	"errors"
	"slices"

	"github.com/arignote/arignote/starlib/upstream"
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// An Error is found in a tree before it runs.
type Error struct {
	Pos syntax.Position
	Msg string // without a name: an undefined one
	// Of an undefined name, it and the names near it that are not found outside.
	Name string
	Near []string
}

func (e *Error) Error() string {
	if e.Name != "" {
		return e.Pos.String() + ": undefined: " + e.Name
	}
	return e.Pos.String() + ": " + e.Msg
}

// A Use is a name where it stands in a file.
type Use struct {
	Name *syntax.Ident
	// Scope is what binds the name: equal for uses of one variable, and nil if nothing in the file
	// binds it.
	Scope  any
	Global bool // the variable is the file's, or nothing in the file binds it
	Binds  bool // the name is assigned there
}

// Uses are the names of a file as package parse gives it, each where it stands.
func Uses(f *syntax.File) []Use {
	c := newCollector(f, cellScope)
	var uses []Use
	w := &walk{collector: c}
	w.use = func(id *syntax.Ident, s *scope, binds bool) {
		if id.Name == "" || id.Name[0] == '$' || IsConstant(id.Name) {
			return
		}
		use := Use{Name: id, Global: true, Binds: binds}
		if at := s.resolve(id.Name); at != nil {
			use.Scope, use.Global = at, at == c.root
		} else if c.root.names[id.Name] != nil { // declared global
			use.Scope = c.root
		}
		uses = append(uses, use)
	}
	w.body(f.Stmts, c.root)
	return uses
}

// IsConstant reports whether a name is one of the three that cannot be assigned to.
func IsConstant(name string) bool { return name == "None" || name == "True" || name == "False" }

// Faults are what is refused in a file as package parse gives it, but for names that nothing binds,
// in the order of their places.
func Faults(f *syntax.File) []*Error {
	f = &syntax.File{Path: f.Path, Stmts: Clone(f.Stmts), Options: f.Options}
	faults := newCollector(f, cellScope).faults
	if len(faults) == 0 {
		_, _, err := Prepare(f, false)
		if fault := (*Error)(nil); errors.As(err, &fault) {
			return []*Error{fault}
		}
		faults = Refused(f)
	}
	slices.SortStableFunc(faults, func(a, b *Error) int {
		if a.Pos.Line != b.Pos.Line {
			return int(a.Pos.Line - b.Pos.Line)
		}
		return int(a.Pos.Col - b.Pos.Col)
	})
	return faults
}

// Refused are the statements and calls of a tree that go.starlark.net's resolver refuses: a break
// that is in no loop, parameters and arguments in the wrong order. It binds the names of the tree,
// in its own way.
func Refused(f *syntax.File) (faults []*Error) {
	anything := func(string) bool { return true }
	var list resolve.ErrorList
	if errors.As(resolve.REPLChunk(f, anything, anything, anything), &list) {
		for _, e := range list {
			if !upstream.SliceTarget.Matches(e.Msg) {
				faults = append(faults, &Error{Pos: e.Pos, Msg: e.Msg})
			}
		}
	}
	return faults
}
