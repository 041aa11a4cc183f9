package starlib

import (
	"sync"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/profile"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

var magicsOnce = sync.OnceValue(func() *magic.Table { return magic.New(magic.Rows(), Magics(), profile.Magics()) })

func makeContents() Contents {
	types := []Type{{Methods: symbolic.SymbolMethods}, {symbolic.SharedMethods, symbolic.SymbolMethods, "Shared variables have the attributes of TensorVariable, and these."},
		{Methods: symbolic.TensorTypeFields}, {Methods: symbolic.FunctionMethods}, {Methods: symbolic.GraphPictureMethods},
		{Methods: symbolic.ModeMethods}, {Methods: profile.ProfileModeMethods}, {Methods: profile.ProfileMethods}, {Methods: symbolic.SymbolicModuleMethods},
		{Methods: session.ConfigMethods}}
	for _, k := range profile.RowKinds {
		types = append(types, Type{Methods: k.Methods})
	}
	return Contents{magicsOnce(), compilerTable, types, symbolic.IsConstructor}
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
	profile.New(s, profile.Options{Live: opts.Live, Machine: opts.Machine})
	return all
}
