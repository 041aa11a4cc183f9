package starlib

import (
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An entry is the documentation of one thing that a user writes.
type entry struct {
	name      string // as it is asked for: np.sum, ndarray.shape, %timeit, config.floatX, x ** y
	signature string // how it is written, after the name's module or type
	doc       string
	params    []value.Param
	example   string // "code # result"
	words     string // what else help() finds it by
}

// A section is the documentation of a module, of the attributes of a type, or of what else belongs together.
type section struct {
	title   string
	doc     string
	entries []entry
	missing []string // names that only the libraries have, or that are designed and not built
	brief   bool     // its entries are much alike: the reference gives each a line
}

// documentation is everything that is documented: the one list that reference.md, help("name") and the tests go through. It is
// made from the tables and the modules of the session, so that what is added to them is in it.
func (s *Session) documentation() []section {
	d := documents{titles: map[string]bool{}, modules: map[*value.Module]bool{}}
	d.add(section{title: "Functions of the language", doc: "Predeclared in every cell and file.", entries: s.languageEntries()})
	d.add(section{title: "Syntax", entries: syntaxEntries(), doc: "Starlark is Python without classes, exceptions and with. " +
		"Cells and files may use what follows; `# arignote: syntax=portable` as the first line of one turns the rest off."})
	tables := value.MethodTables()
	for _, typ := range slices.Sorted(maps.Keys(tables)) {
		d.addType(tables[typ])
	}
	for _, m := range []*value.Module{library.Math, library.JSON, library.Time} {
		d.addModule(m.Name(), m)
	}
	d.addType(library.TimeFields)
	d.addType(library.DurationFields)
	d.addNamed(s.base, "np")
	for _, m := range np.Types() {
		d.addType(m)
	}
	for prefix, table := range sortedTables(np.Tables()) {
		if name := strings.TrimSuffix(prefix, "."); !d.titles[name] && !d.titles[strings.TrimPrefix(name, "np.")] {
			d.add(section{title: name, entries: builtinEntries(prefix, table)})
		}
	}
	d.add(section{title: "Compiling", doc: "The tensor compiler. theano, aesara and pytensor are one module that has these functions too.",
		entries: builtinEntries("", compilerTable)})
	d.addNamed(s.base, "T")
	for _, m := range []*value.Methods{symbolMethods, sharedMethods, tensorTypeFields, functionMethods, graphPictureMethods,
		modeMethods, profileModeMethods, profileMethods, symbolicModuleMethods,
		configMethods} {
		d.addType(m)
	}
	for _, k := range rowKinds {
		d.addType(k.methods)
	}
	d.add(section{title: "Magics", doc: "Lines and cells that are not Starlark.", entries: magicEntries()})
	d.add(section{title: "Flags of config", entries: flagEntries(), brief: true,
		doc: "For the session; `%%flags name=value` sets one for a cell, `ARIGNOTE_FLAGS=name=value` for a program."})
	d.addNamed(s.base, "theano")
	for _, name := range slices.Sorted(maps.Keys(s.base)) {
		d.addNamed(s.base, name)
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
	sections []section
	titles   map[string]bool
	modules  map[*value.Module]bool // that have a section: T is also tensor
}

func (d *documents) add(s section) {
	d.titles[s.title] = true
	d.sections = append(d.sections, s)
}

// addType documents the attributes of a type.
func (d *documents) addType(m *value.Methods) {
	s := section{title: m.Typ, missing: m.Missing()}
	for _, name := range m.Names() {
		if f := m.Field(name); f != nil {
			s.entries = append(s.entries, entry{m.Typ + "." + name, name, f.Doc, nil, f.Example, ""})
		} else {
			s.entries = append(s.entries, builtinEntry(m.Typ+".", m.Rows[name]))
		}
	}
	if m == sharedMethods {
		s.doc = "Shared variables have the attributes of TensorVariable, and these."
		s.entries = slices.DeleteFunc(s.entries, func(e entry) bool {
			name := strings.TrimPrefix(e.name, m.Typ+".")
			return symbolMethods.Rows[name] != nil || symbolMethods.Field(name) != nil
		})
		s.missing = nil
	}
	d.add(s)
}

// addNamed documents the module of that name, if it is one.
func (d *documents) addNamed(env starlark.StringDict, name string) {
	if hidden(name) {
		return
	}
	switch m := env[name].(type) {
	case *value.Module:
		d.addModule(name, m)
	}
}

// addModule documents the members of a module, in the order of their names, and then the modules in it.
func (d *documents) addModule(name string, m *value.Module) {
	if d.modules[m] {
		return
	}
	d.modules[m] = true
	s := section{title: name, doc: m.Doc(), missing: m.Missing()}
	makers := section{title: name + ": variables", brief: true,
		doc: "Constructors: a letter for the element type, and a word for the number of axes."}
	inner := starlark.StringDict{}
	for _, mem := range m.Members() {
		e := memberEntry(name+".", mem)
		switch {
		case name == "T" && isConstructor(mem.Name):
			makers.entries = append(makers.entries, e)
			continue
		case !d.documented(e):
			s.entries = append(s.entries, e)
		}
		inner[name+"."+mem.Name] = mem.Value
	}
	if len(s.entries) > 0 {
		d.add(s)
	}
	if len(makers.entries) > 0 {
		d.add(makers)
	}
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		d.addNamed(inner, name)
	}
}

// documented reports whether the same function is documented under another name.
func (d *documents) documented(e entry) bool {
	return slices.ContainsFunc(d.sections, func(s section) bool {
		return slices.ContainsFunc(s.entries, func(o entry) bool { return o.same(e) })
	})
}

// same reports whether two entries are about one function: NumPy's and T's differ in the text.
func (e entry) same(o entry) bool {
	return e.signature == o.signature && e.doc == o.doc && e.example == o.example
}

func isConstructor(name string) bool {
	return slices.ContainsFunc(constructors(), func(b value.Builtin) bool { return b.Name == name && name != "TensorType" })
}

// memberEntry documents a member of a module; the example of a value is the value.
func memberEntry(prefix string, m value.Member) entry {
	if b := value.AsBuiltin(m.Value); b != nil {
		return builtinEntry(prefix, b)
	}
	e := entry{name: prefix + m.Name, signature: m.Name, doc: m.Doc, example: m.Example}
	if e.example == "" {
		e.example = e.name + " # " + value.Repr(m.Value)
	}
	return e
}

func builtinEntry(prefix string, b *value.Builtin) entry {
	return entry{prefix + b.Name, b.Signature(), b.Doc, b.Params, b.Example, ""}
}

func builtinEntries(prefix string, table []value.Builtin) []entry {
	entries := make([]entry, len(table))
	for i := range table {
		entries[i] = builtinEntry(prefix, &table[i])
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return entries
}

// otherNames documents the predeclared names that are neither functions nor modules.
var otherNames = []entry{
	{name: "Ellipsis", doc: "The value of ...: in a subscript, all axes that are not mentioned.", example: "Ellipsis # Ellipsis"},
	{name: "In", doc: "The sources of the notebook's cells, by number.", example: "len(In) # 2"},
	{name: "Out", example: "len(Out) # 0",
		doc: "The results of the notebook's cells, by number; so are _ (the last), __, ___ and _3. Out.clear() frees their memory."},
	{name: "config", example: `config.floatX # "float64"`,
		doc: "The flags: attributes to read and to set. print(config) lists them, config(\"mem\") those that mention mem."},
	{name: "ix", doc: "Makes a subscript a value: a[ix[1:, 0]] is a[1:, 0].", example: "np.arange(4)[ix[1:3]] # array([1, 2])"},
	{name: "newaxis", doc: "In a subscript, a new axis of length 1.", example: "np.arange(2)[newaxis].shape # (1, 2)"},
}

// languageEntries are the predeclared functions and names that belong to no module.
func (s *Session) languageEntries() []entry {
	entries := slices.Clone(otherNames)
	for i := range entries {
		entries[i].signature = entries[i].name
	}
	for name, v := range s.base {
		b := value.AsBuiltin(v)
		if b == nil || hidden(name) || slices.ContainsFunc(compilerTable, func(c value.Builtin) bool { return c.Name == name }) {
			continue
		}
		entries = append(entries, builtinEntry("", b))
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return entries
}

func magicEntries() []entry {
	var entries []entry
	for _, r := range magicRows() {
		mark := "%"
		if r.line == nil {
			mark = "%%"
		}
		e := entry{name: mark + r.name, signature: r.signature(), doc: r.doc, params: r.params, example: r.example}
		if r.name == "profile" {
			for _, f := range profileFlags {
				e.params = append(slices.Clip(e.params), value.Param{Name: f.name, Default: f.value, Doc: f.doc})
			}
		}
		entries = append(entries, e)
	}
	return entries
}

func flagEntries() []entry {
	var entries []entry
	for _, f := range config.Table() {
		entries = append(entries, entry{name: "config." + f.Name, signature: f.Name, doc: flagDoc(f)})
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

// syntaxEntries are the rows of syntaxTable, and those of the extended syntax with their portable spelling.
func syntaxEntries() []entry {
	var entries []entry
	for _, row := range standardSyntax {
		entries = append(entries, entry{name: row.form, signature: row.form, doc: row.doc, example: row.example, words: row.words})
	}
	for c := parse.Power; c <= parse.Assert; c++ {
		row := extendedSyntax[c]
		entries = append(entries, entry{name: c.String(), signature: c.String(), example: row.example, words: row.words,
			doc: row.doc + " In standard Starlark: " + c.Portable() + "."})
	}
	return entries
}
