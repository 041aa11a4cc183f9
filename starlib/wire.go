package starlib

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// isConstructor reports whether a member of T makes variables of one type.
func isConstructor(name string) bool {
	return slices.ContainsFunc(constructors(), func(b value.Builtin) bool { return b.Name == name && name != "TensorType" })
}

var magicsOnce = sync.OnceValue(func() *magic.Table { return magic.New(magic.Rows(), Magics(), ProfileMagics()) })

func (s *Session) magics() *magic.Table { return s.contents.Magics }

func makeContents() Contents {
	types := []Type{{Methods: symbolMethods}, {sharedMethods, symbolMethods, "Shared variables have the attributes of TensorVariable, and these."},
		{Methods: tensorTypeFields}, {Methods: functionMethods}, {Methods: graphPictureMethods},
		{Methods: modeMethods}, {Methods: profileModeMethods}, {Methods: profileMethods}, {Methods: symbolicModuleMethods},
		{Methods: session.ConfigMethods}}
	for _, k := range rowKinds {
		types = append(types, Type{Methods: k.methods})
	}
	return Contents{magicsOnce(), compilerTable, types, isConstructor}
}

// NewSession returns a session in which only the predeclared names exist.
func NewSession(opts Options) *Session {
	s := session.New(session.Options{Config: opts.Config, Predeclared: opts.Predeclared, Dir: opts.Dir, Log: opts.Log,
		Threads: opts.Threads, Bound: opts.Bound}, session.Rooms{
		Names: func(s *session.Session) starlark.StringDict {
			names := of(s).tensors()
			names["help"] = helpBuiltin().Value()
			return names
		},
		Read: func(s *session.Session, cell *session.Cell) (session.Plan, error) {
			if name, detail, ok := question(cell.Code); ok {
				return session.Plan{Instead: func() { of(s).page(name, detail) }}, nil
			}
			return of(s).magics().Read(s, cell)
		},
		Explain: func(s *session.Session, e *session.Error) string { return of(s).runtimeHint(e) },
	})
	all := of(s)
	all.contents = makeContents()
	all.profiling().live, all.profiling().machine = opts.Live, opts.Machine
	return all
}
