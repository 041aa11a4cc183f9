package assist

import (
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An Entry is the documentation of one thing that a user writes.
type Entry struct {
	Name      string // as it is asked for: np.sum, ndarray.shape, %timeit, config.floatX, x ** y
	Signature string // how it is written, after the name's module or type
	Doc       string
	Params    []value.Param
	Example   string // "code # result"
	words     string // what else help() finds it by
}

// A Section is the documentation of a module, of the attributes of a type, or of what else belongs
// together.
type Section struct {
	Title   string
	Doc     string
	Entries []Entry
	Missing []string // names that only the libraries have, or that are designed and not built
	Brief   bool     // its entries are much alike: the reference gives each a line
}

// Contents is what the other rooms have that is to be documented.
type Contents struct {
	Magics    *magic.Table
	Functions []value.Builtin                            // of the compiler
	Modules   func(*session.Session) starlark.StringDict // that are imported
	Types     func() []Type                              // of the compiler
	IsMaker   func(name string) bool                     // whether the member of T is a constructor, of which there are many
}

// A Type is the attributes of a type. Those that a type of Base has too are documented there.
type Type struct {
	*value.Methods
	Base *value.Methods
	Doc  string
}

// Magics is the table of all magics.
func (s *Session) Magics() *magic.Table { return s.contents.Magics }

// Documentation is everything that is documented: the one list that docs/reference, help("name")
// and the tests go through. It is made from the tables and the modules of the session, so that what
// is added to them is in it.
func (s *Session) Documentation() []Section {
	d := documents{contents: s.contents, titles: map[string]bool{}, modules: map[*value.Module]bool{}}
	d.add(Section{Title: "Functions of the language", Doc: "Predeclared in every cell and file.", Entries: s.languageEntries()})
	d.add(Section{Title: "Syntax", Entries: syntaxEntries(), Doc: "Starlark is a simple Python without classes, exceptions and with. " +
		"Cells and files may use what follows, these too."})
	tables := value.MethodTables()
	for _, typ := range slices.Sorted(maps.Keys(tables)) {
		d.addType(tables[typ])
	}
	d.addType(value.SliceAttributes)
	for _, m := range []*value.Module{library.Math, library.JSON, library.Time} {
		d.addModule(m.Name(), m)
	}
	d.addType(library.TimeFields)
	d.addType(library.DurationFields)
	d.addNamed(s.Predeclared(), "np")
	for _, m := range np.Types() {
		d.addType(m)
	}
	for prefix, table := range sortedTables(np.Tables()) {
		if name := strings.TrimSuffix(prefix, "."); !d.titles[name] && !d.titles[strings.TrimPrefix(name, "np.")] {
			d.add(Section{Title: name, Entries: builtinEntries(prefix, table)})
		}
	}
	d.add(Section{Title: "Compiling", Doc: "The tensor compiler. theano, aesara and pytensor are one module that has these functions too.",
		Entries: builtinEntries("", s.contents.Functions)})
	d.addNamed(s.Predeclared(), "T")
	for _, t := range s.contents.Types() {
		d.addTypeOf(t)
	}
	imported := s.contents.Modules(s.Session)
	for _, name := range slices.Sorted(maps.Keys(imported)) {
		m := imported[name].(*value.Module)
		if m.Name() == name && name[0] != '_' { // cPickle is pickle
			d.addModule(name, m)
		}
	}
	d.add(Section{Title: "Magics", Doc: "Lines and cells that are not Starlark.", Entries: s.magicEntries()})
	d.add(Section{Title: "Flags of config", Entries: flagEntries(), Brief: true,
		Doc: "For the session; `%%flags name=value` sets one for a cell, `ARIGNOTE_FLAGS=name=value` for a program."})
	d.addNamed(s.Predeclared(), "theano")
	for _, name := range slices.Sorted(maps.Keys(s.Predeclared())) {
		d.addNamed(s.Predeclared(), name)
	}
	return d.sections
}

func sortedTables(tables map[string][]value.Builtin) func(yield func(string, []value.Builtin) bool) {
	return func(yield func(string, []value.Builtin) bool) {
		for _, prefix := range slices.Sorted(maps.Keys(tables)) {
			if !yield(prefix, tables[prefix]) {
				return
			}
		}
	}
}

// documents collects the sections.
type documents struct {
	contents Contents
	sections []Section
	titles   map[string]bool
	modules  map[*value.Module]bool // that have a section: T is also tensor
}

func (d *documents) add(s Section) {
	d.titles[s.Title] = true
	d.sections = append(d.sections, s)
}

// addType documents the attributes of a type.
func (d *documents) addType(m *value.Methods) { d.addTypeOf(Type{Methods: m}) }

func (d *documents) addTypeOf(m Type) {
	s := Section{Title: m.Typ, Doc: m.Doc, Missing: m.Missing()}
	for _, name := range m.Names() {
		if f := m.Field(name); f != nil {
			s.Entries = append(s.Entries, Entry{m.Typ + "." + name, name, f.Doc, nil, f.Example, ""})
		} else {
			s.Entries = append(s.Entries, builtinEntry(m.Typ+".", m.Rows[name]))
		}
	}
	if m.Base != nil {
		s.Entries = slices.DeleteFunc(s.Entries, func(e Entry) bool {
			name := strings.TrimPrefix(e.Name, m.Typ+".")
			return m.Base.Rows[name] != nil || m.Base.Field(name) != nil
		})
		s.Missing = nil
	}
	d.add(s)
}

// addNamed documents the module of that name, if it is one.
func (d *documents) addNamed(env starlark.StringDict, name string) {
	if session.Hidden(name) {
		return
	}
	if m, ok := env[name].(*value.Module); ok {
		d.addModule(name, m)
	}
}

// addModule documents the members of a module, in the order of their names, and then the modules in
// it.
func (d *documents) addModule(name string, m *value.Module) {
	if d.modules[m] {
		return
	}
	d.modules[m] = true
	s := Section{Title: name, Doc: m.Doc(), Missing: m.Missing()}
	if value.MethodTables()[name] != nil { // string is a type too
		s.Title = "module " + name
	}
	makers := Section{Title: name + ": variables", Brief: true,
		Doc: "Constructors: a letter for the element type, and a word for the number of axes."}
	inner := starlark.StringDict{}
	for _, mem := range m.Members() {
		e := memberEntry(name+".", mem)
		switch {
		case name == "T" && d.contents.IsMaker(mem.Name):
			makers.Entries = append(makers.Entries, e)
			continue
		case !d.documented(e):
			s.Entries = append(s.Entries, e)
		}
		inner[name+"."+mem.Name] = mem.Value
	}
	if len(s.Entries) > 0 {
		d.add(s)
	}
	if len(makers.Entries) > 0 {
		d.add(makers)
	}
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		d.addNamed(inner, name)
	}
}

// documented reports whether the same function is documented under another name.
func (d *documents) documented(e Entry) bool {
	return slices.ContainsFunc(d.sections, func(s Section) bool {
		return slices.ContainsFunc(s.Entries, func(o Entry) bool { return o.same(e) })
	})
}

// same reports whether two entries are about one function: NumPy's and T's differ in the text.
func (e Entry) same(o Entry) bool {
	return e.Signature == o.Signature && e.Doc == o.Doc && e.Example == o.Example
}

// memberEntry documents a member of a module; the example of a value is the value.
func memberEntry(prefix string, m value.Member) Entry {
	if b := value.AsBuiltin(m.Value); b != nil {
		return builtinEntry(prefix, b)
	}
	e := Entry{Name: prefix + m.Name, Signature: m.Name, Doc: m.Doc, Example: m.Example}
	if e.Example == "" {
		e.Example = e.Name + " # " + value.Repr(m.Value)
	}
	return e
}

func builtinEntry(prefix string, b *value.Builtin) Entry {
	return Entry{prefix + b.Name, b.Signature(), b.Doc, b.Params, b.Example, ""}
}

func builtinEntries(prefix string, table []value.Builtin) []Entry {
	entries := make([]Entry, len(table))
	for i := range table {
		entries[i] = builtinEntry(prefix, &table[i])
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries
}

// otherNames documents the predeclared names that are neither functions nor modules.
var otherNames = []Entry{
	{Name: "Ellipsis", Doc: "The value of ...: in a subscript, all axes that are not mentioned.", Example: "Ellipsis # Ellipsis"},
	{Name: "In", Doc: "The sources of the notebook's cells, by number.", Example: "len(In) # 2"},
	{Name: "Out", Example: "len(Out) # 0",
		Doc: "The results of the notebook's cells, by number; so are _ (the last), __, ___ and _3. Out.clear() frees their memory."},
	{Name: "config", Example: `config.floatX # "float64"`,
		Doc: "The flags: attributes to read and to set. print(config) lists them, config(\"mem\") those that mention mem."},
	{Name: "ix", Doc: "Makes a subscript a value: a[ix[1:, 0]] is a[1:, 0].", Example: "np.arange(4)[ix[1:3]] # array([1, 2])"},
	{Name: "NotImplemented", Doc: "What a special method of a class returns that leaves the operation to the other operand.",
		Example: "NotImplemented # NotImplemented"},
	{Name: "newaxis", Doc: "In a subscript, a new axis of length 1.", Example: "np.arange(2)[newaxis].shape # (1, 2)"},
}

// languageEntries are the predeclared functions and names that belong to no module.
func (s *Session) languageEntries() []Entry {
	entries := slices.Clone(otherNames)
	for i := range entries {
		entries[i].Signature = entries[i].Name
	}
	for name, v := range s.Predeclared() {
		if c, ok := v.(value.ClassOf); ok {
			entries = append(entries, Entry{Name: name, Signature: name, Doc: c.Doc(), Example: "issubclass(" + name + ", object) # True"})
			continue
		}
		b := value.AsBuiltin(v)
		if b == nil || session.Hidden(name) || slices.ContainsFunc(s.contents.Functions, func(c value.Builtin) bool { return c.Name == name }) {
			continue
		}
		entries = append(entries, builtinEntry("", b))
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries
}

func (s *Session) magicEntries() []Entry {
	var entries []Entry
	for _, r := range s.Magics().Rows {
		mark := "%"
		if r.Line == nil {
			mark = "%%"
		}
		e := Entry{Name: mark + r.Name, Signature: r.Signature(), Doc: r.Doc, Params: r.Params, Example: r.Example}
		for _, f := range r.Own {
			e.Params = append(slices.Clip(e.Params), value.Param{Name: f.Name, Default: f.Value, Doc: f.Doc})
		}
		entries = append(entries, e)
	}
	return entries
}

func flagEntries() []Entry {
	var entries []Entry
	for _, f := range config.Table() {
		entries = append(entries, Entry{Name: "config." + f.Name, Signature: f.Name, Doc: flagDoc(f)})
	}
	return entries
}

// flagDoc says what a flag does and which values it takes.
func flagDoc(f config.Flag) string {
	values := f.Kind.String()
	if f.Kind == config.Choice {
		values = strings.Join(f.Choices, ", ")
	}
	return strings.ToUpper(f.Doc[:1]) + f.Doc[1:] + " (" + values + ")."
}

// syntaxEntries are the rows of standardSyntax, and those of the extended syntax.
func syntaxEntries() []Entry {
	var entries []Entry
	for _, row := range standardSyntax {
		entries = append(entries, Entry{Name: row.form, Signature: row.form, Doc: row.doc, Example: row.example, words: row.words})
	}
	for _, c := range parse.Constructs() {
		row := extendedSyntax[c]
		entries = append(entries, Entry{Name: c.String(), Signature: c.String(), Example: row.example, words: row.words,
			Doc: row.doc})
	}
	return entries
}
