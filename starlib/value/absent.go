package value

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/names"
	"go.starlark.net/starlark"
)

// An AbsentModule is a module of Theano, PyTensor or NumPy that Arignote has nothing of. It is a
// value so that T.nlinalg.det is refused by its own name, with what to use instead of it, and not
// by its module's.
type AbsentModule struct {
	name   string
	around *Module // which is there, and may have a function of the same name
}

var _ starlark.HasAttrs = (*AbsentModule)(nil)

func (m *AbsentModule) Type() string          { return "module" }
func (m *AbsentModule) Freeze()               {}
func (m *AbsentModule) Truth() starlark.Bool  { return false }
func (m *AbsentModule) Hash() (uint32, error) { return starlark.String(m.name).Hash() }
func (m *AbsentModule) String() string        { return fmt.Sprintf("<%v>", m.Err()) }
func (m *AbsentModule) AttrNames() []string   { return nil }

// Err is the error for whoever needs the module itself.
func (m *AbsentModule) Err() error {
	advice, _ := names.Advice(m.name)
	return names.NotYet(m.name, advice)
}

// Attr refuses every name. If its row has no advice, the function of the same name in the module
// around is one, and then what is said of the whole module.
func (m *AbsentModule) Attr(name string) (starlark.Value, error) {
	full := m.name + "." + name
	advice, known := names.Advice(full)
	switch _, there := m.around.table().rows[name]; {
	case !known:
		return nil, NoAttr("module "+m.name, name, names.Of(m.name))
	case names.IsModule(full):
		return &AbsentModule{full, m.around}, nil
	case advice == "" && there:
		advice = "use " + m.around.name + "." + name
	case advice == "":
		advice, _ = names.Advice(m.name)
	}
	return nil, names.NotYet(full, advice)
}

// absent answers for a name that the module has not, if a library's module has it.
func (m *Module) absent(name string) (v starlark.Value, known bool, err error) {
	full := m.name + "." + name
	advice, known := names.Advice(full)
	switch {
	case !known:
		return nil, false, nil
	case names.IsModule(full):
		return &AbsentModule{full, m}, true, nil
	case advice == "" && m.of != "":
		advice, _ = names.Advice(m.of + "." + name)
	}
	return nil, true, names.NotYet(full, advice)
}

// Missing returns the names that the libraries have in this module, and Arignote has not.
func (m *Module) Missing() []string {
	rows := m.table().rows
	return slices.DeleteFunc(names.Of(m.name), func(name string) bool {
		_, there := rows[name]
		return there
	})
}

// absent is the error for an attribute that the type has not, if a library's type has it, and nil
// otherwise.
func (m *Methods) absent(name string) error {
	for _, typ := range []string{m.Typ, m.base} {
		if advice, known := names.Advice(typ + "." + name); known {
			return names.NotYet(m.Typ+"."+name, advice)
		}
	}
	return nil
}

// Missing returns the attributes that the libraries' type of this name has, and ours has not.
func (m *Methods) Missing() []string {
	return slices.DeleteFunc(names.Of(m.Typ), func(name string) bool { return slices.Contains(m.names, name) })
}
