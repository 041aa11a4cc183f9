package value

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/names"
	"go.starlark.net/starlark"
)

// A Member is one row of a Module's table.
type Member struct {
	Name  string
	Value starlark.Value
	Doc   string // one line; for a Builtin the first line of its own documentation is used
	// Behind is the module that an import finds under the name of a function: from
	// theano.scan.utils import until.
	Behind *Module

	Example string // "code # result"; without it, the example is the value
}

// A Module is a named table of values: math, T, np.linalg. Its attributes are sorted,
// documented and fixed, and a name that is not there is answered with the nearest.
type Module struct {
	name, doc string
	of        string              // the module whose members it has, "" if it has its own
	table     func() *memberTable // made once
	parts     map[string]func() (starlark.Value, error)
	variables map[string]Variable
}

// A Variable is an attribute of a module that programs set: sys.stdout. Set may refuse.
type Variable struct {
	Get func() starlark.Value
	Set func(v starlark.Value) error
}

type memberTable struct {
	rows  map[string]Member
	names []string // sorted
}

var _ starlark.HasAttrs = (*Module)(nil)

// NewModule returns a module of the given members. It panics if a name is there twice.
func NewModule(name, doc string, members ...Member) *Module {
	table := newMemberTable(name, members)
	return &Module{name: name, doc: doc, table: func() *memberTable { return table }}
}

// NewLazyModule returns a module whose members are made when it is first asked for one: a program
// should not wait for hundreds of functions that it has no use for. It panics then if a name is
// there twice.
func NewLazyModule(name, doc string, members func() []Member) *Module {
	return &Module{name: name, doc: doc, table: sync.OnceValue(func() *memberTable { return newMemberTable(name, members()) })}
}

func newMemberTable(module string, members []Member) *memberTable {
	t := &memberTable{rows: make(map[string]Member, len(members)), names: make([]string, 0, len(members))}
	for _, mem := range members {
		if _, ok := t.rows[mem.Name]; ok {
			panic(fmt.Sprintf("BUG: module %s has two members %s", module, mem.Name))
		}
		if mem.Doc == "" {
			if b := AsBuiltin(mem.Value); b != nil {
				mem.Doc, _, _ = strings.Cut(b.Doc, "\n")
			}
		}
		t.rows[mem.Name] = mem
		t.names = append(t.names, mem.Name)
	}
	slices.Sort(t.names)
	return t
}

// NewMirror returns a module that has those members of another one that a library has under its
// name: T.math.exp is T.exp. What is said of a name that the other has not is said of the mirror's.
func NewMirror(name, of, doc string, members []Member) *Module {
	m := NewLazyModule(name, doc, func() []Member {
		known := make(map[string]bool)
		for _, own := range names.Of(name) {
			known[own] = true
		}
		return slices.DeleteFunc(slices.Clone(members), func(mem Member) bool { return !known[mem.Name] })
	})
	m.of = of
	return m
}

// Part has an attribute of the module be what get gives, which is asked when a program names it: a
// module of the session's that is a file.
func (m *Module) Part(name string, get func() (starlark.Value, error)) {
	if m.parts == nil {
		m.parts = map[string]func() (starlark.Value, error){}
	}
	m.parts[name] = get
}

// IsPart is whether an attribute is a part: asking for its value runs a file, which only the
// goroutine of the cell may do.
func (m *Module) IsPart(name string) bool { return m.parts[name] != nil }

// Copy is another module of the same members, with parts of its own.
func (m *Module) Copy() *Module {
	return &Module{name: m.name, doc: m.doc, of: m.of, table: m.table, parts: maps.Clone(m.parts), variables: maps.Clone(m.variables)}
}

// Vary makes a member of the module one that programs set. The row of its table has the value that
// it begins with. The module is a session's own.
func (m *Module) Vary(name string, v Variable) {
	if m.variables == nil {
		m.variables = map[string]Variable{}
	}
	m.variables[name] = v
}

// Constant is the value of a member that no program sets, nil if there is none.
func (m *Module) Constant(name string) starlark.Value {
	if _, varies := m.variables[name]; varies {
		return nil
	}
	return m.Member(name).Value
}

// Builtins returns the members for a table of functions.
func Builtins(table []Builtin) []Member {
	members := make([]Member, len(table))
	for i := range table {
		members[i] = Member{Name: table[i].Name, Value: table[i].Value()}
	}
	return members
}

// Name returns the module's name.
func (m *Module) Name() string { return m.name }

// Doc returns the module's documentation.
func (m *Module) Doc() string { return m.doc }

// Members returns the rows of the table, sorted by name.
func (m *Module) Members() []Member {
	t := m.table()
	rows := make([]Member, len(t.names))
	for i, name := range t.names {
		rows[i] = t.rows[name]
	}
	return rows
}

// Member returns the row of a name; it is zero if there is none.
func (m *Module) Member(name string) Member { return m.table().rows[name] }

func (m *Module) Type() string          { return "module" }
func (m *Module) Freeze()               {}
func (m *Module) Truth() starlark.Bool  { return true }
func (m *Module) Hash() (uint32, error) { return starlark.String(m.name).Hash() }
func (m *Module) String() string        { return fmt.Sprintf("<module %q>", m.name) }

// AttrNames are the names of the table, and those of parts.
func (m *Module) AttrNames() []string {
	names := slices.AppendSeq(slices.Clone(m.table().names), maps.Keys(m.parts))
	slices.Sort(names)
	return slices.Compact(names)
}

func (m *Module) Attr(name string) (starlark.Value, error) {
	if v, ok := m.variables[name]; ok {
		return v.Get(), nil
	}
	t := m.table()
	if mem, ok := t.rows[name]; ok {
		return mem.Value, nil
	}
	if get := m.parts[name]; get != nil {
		return get()
	}
	if v, known, err := m.absent(name); known {
		return v, err
	}
	return nil, NoAttr("module "+m.name, name, t.names)
}

// SetField refuses all but variables: modules are shared by every cell and file.
func (m *Module) SetField(name string, x starlark.Value) error {
	if v, ok := m.variables[name]; ok {
		return v.Set(x)
	}
	return fmt.Errorf("module %s: cannot assign to .%s; modules do not change", m.name, name)
}

// NoAttr returns the error for an attribute that what does not have, with the nearest
// name that it has. (A running program adds a hint of its own only to errors it makes.)
func NoAttr(what, name string, names []string) error {
	if n := config.Closest(name, names); n != "" {
		return fmt.Errorf("%s has no attribute .%s (did you mean .%s?)", what, name, n)
	}
	return fmt.Errorf("%s has no attribute .%s", what, name)
}

// Methods is the table of attributes of a type of Starlark values: what the type's own Attr
// and AttrNames are made of.
type Methods struct {
	Typ    string
	Rows   map[string]*Builtin
	Fields []Field // the attributes that are no methods
	names  []string
	base   string // another type whose names users look for
}

// A Field is one attribute of a type that is no method.
type Field struct {
	Name    string
	Doc     string // a sentence: what it is
	Example string // as that of a Builtin

	Get func(recv starlark.Value) (starlark.Value, error) // nil: the type has the attribute of itself
}

// FieldOf is the row of an attribute, which cannot fail, of values of the Go type T.
func FieldOf[T starlark.Value](name, doc, example string, get func(x T) starlark.Value) Field {
	return Field{name, doc, example, func(recv starlark.Value) (starlark.Value, error) { return get(recv.(T)), nil }}
}

// Tabled is implemented by values whose attributes have a table.
type Tabled interface {
	starlark.HasAttrs
	Table() *Methods
}

// NewMethods returns the table of methods of the type that users know as typ.
func NewMethods(typ string, table []Builtin) *Methods {
	m := &Methods{Typ: typ, Rows: make(map[string]*Builtin, len(table))}
	if _, ok := typeNames[typ]; !ok {
		typeNames[typ] = typ
	}
	return m.Adding(table...)
}

// Adding adds methods, which a package above may have, and returns m.
func (m *Methods) Adding(table ...Builtin) *Methods {
	for i := range table {
		b := &table[i]
		if m.Rows[b.Name] != nil {
			panic(fmt.Sprintf("BUG: %s has two methods %s", m.Typ, b.Name))
		}
		m.Rows[b.Name] = b
		m.names = append(m.names, b.Name)
	}
	slices.Sort(m.names)
	return m
}

// NameTypes says that there are types of these names. NewMethods says it of its own, but tables
// that are made after the program's start, by which time several goroutines may read the names,
// have to be announced.
func NameTypes(names ...string) {
	for _, typ := range names {
		typeNames[typ] = typ
	}
}

// With adds attributes that are no methods, and returns m.
func (m *Methods) With(fields ...Field) *Methods {
	for _, f := range fields {
		if m.Rows[f.Name] != nil || m.Field(f.Name) != nil {
			panic(fmt.Sprintf("BUG: %s has two attributes %s", m.Typ, f.Name))
		}
		m.Fields = append(m.Fields, f)
		m.names = append(m.names, f.Name)
	}
	slices.Sort(m.names)
	return m
}

// Extending says that users look for the attributes of another type too, and returns m.
func (m *Methods) Extending(typ string) *Methods {
	m.base = typ
	return m
}

// Field returns the row of an attribute that is no method; nil if there is none.
func (m *Methods) Field(name string) *Field {
	for i := range m.Fields {
		if m.Fields[i].Name == name {
			return &m.Fields[i]
		}
	}
	return nil
}

// Attr returns the attribute of recv of the given name: a field, or a method bound to recv.
func (m *Methods) Attr(recv starlark.Value, name string) (starlark.Value, error) {
	if b := m.Rows[name]; b != nil {
		return b.Method(recv), nil
	}
	if f := m.Field(name); f != nil {
		return f.Get(recv)
	}
	if err := m.absent(name); err != nil {
		return nil, err
	}
	return nil, NoAttr(m.Typ, name, m.names)
}

// Names returns the names of the attributes, and more, sorted.
func (m *Methods) Names(more ...string) []string {
	names := append(slices.Clone(m.names), more...)
	slices.Sort(names)
	return names
}

// typeNames are the names of types as Python has them, by what type returns.
var typeNames = map[string]string{"string": "str", "NoneType": "NoneType", "function": "function", "module": "module",
	"builtin_function_or_method": "builtin_function_or_method", "method": "method", "generator": "generator", "type": "type"}
