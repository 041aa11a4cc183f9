package starlib

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// isConstructor reports whether a member of T makes variables of one type.
func isConstructor(name string) bool {
	return slices.ContainsFunc(constructors(), func(b value.Builtin) bool { return b.Name == name && name != "TensorType" })
}

var magicsOnce = sync.OnceValue(func() *Table { return NewTable(Rows(), Magics(), ProfileMagics()) })

func (s *Session) magics() *Table { return s.contents().Magics }

type contentsKey struct{}

func (s *Session) contents() Contents { return s.Local(contentsKey{}, nil).(Contents) }

func makeContents() Contents {
	types := []Type{{Methods: symbolMethods}, {sharedMethods, symbolMethods, "Shared variables have the attributes of TensorVariable, and these."},
		{Methods: tensorTypeFields}, {Methods: functionMethods}, {Methods: graphPictureMethods},
		{Methods: modeMethods}, {Methods: profileModeMethods}, {Methods: profileMethods}, {Methods: symbolicModuleMethods},
		{Methods: configMethods}}
	for _, k := range rowKinds {
		types = append(types, Type{Methods: k.methods})
	}
	return Contents{magicsOnce(), compilerTable, types, isConstructor}
}

// NewSession returns a session in which only the predeclared names exist.
func NewSession(opts Options) *Session {
	s := newSession(opts, Rooms{
		Names: func(s *Session) starlark.StringDict {
			names := s.tensors()
			names["help"] = helpBuiltin().Value()
			return names
		},
		Read: func(s *Session, cell *Cell) (Plan, error) {
			if name, detail, ok := question(cell.Code); ok {
				return Plan{Instead: func() { s.page(name, detail) }}, nil
			}
			return s.magics().read(s, cell)
		},
		Explain: (*Session).runtimeHint,
	})
	s.Local(contentsKey{}, func() any { return makeContents() })
	s.profiling().live, s.profiling().machine = opts.Live, opts.Machine
	return s
}
