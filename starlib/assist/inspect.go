package assist

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

// documented is what is known about a value: the parts of help(x) and of x?.
type documented struct {
	signature string // of a function
	typ       string
	value     string // short text of a value that is not a function
	doc       string
	origin    string // file:line of a function of the user's
	source    string
}

func (s *Session) describe(v starlark.Value) documented {
	d := documented{typ: v.Type()}
	if b := value.AsBuiltin(v); b != nil { // also what embeds one, such as np.add
		d.signature, d.doc = b.Signature(), b.Details()
		return d
	}
	switch v := v.(type) {
	case value.Def:
		d.signature, d.doc = value.FunctionSignature(v), dedent(v.Doc())
		d.origin = v.Position().String()
	case *value.Module:
		d.doc, d.value = v.Doc()+"\n"+s.membersByKind(v), v.String()
	case value.Documenter:
		d.doc, d.value = v.Doc(), clip(value.Repr(v))
		if f, ok := v.(value.Signed); ok {
			d.signature = f.Signature()
		}
	case value.Signed:
		d.signature, d.value = v.Signature(), clip(value.Repr(v))
	default:
		d.value = clip(value.Repr(v))
		if names := value.AttrNames(v); len(names) > 0 && !session.IsNumber(v) {
			d.doc = "Attributes: " + strings.Join(names, ", ")
		}
	}
	return d
}

// membersByKind lists a module's modules, functions and other members. Constructors of T are named
// only.
func (s *Session) membersByKind(m *value.Module) string {
	var modules, functions, makers, others []string
	for _, mem := range m.Members() {
		line := fmt.Sprintf("\n  %-16s %s", mem.Name, mem.Doc)
		_, isModule := mem.Value.(*value.Module)
		switch {
		case isModule:
			modules = append(modules, line)
		case m.Name() == "T" && s.contents.IsMaker(mem.Name):
			makers = append(makers, mem.Name)
		case value.AsBuiltin(mem.Value) != nil:
			functions = append(functions, line)
		default:
			others = append(others, line)
		}
	}
	var text string
	for _, group := range []struct {
		title string
		lines []string
	}{{"Modules", modules}, {"Functions", functions}, {"Values", others}} {
		if len(group.lines) > 0 {
			text += "\n" + group.title + ":" + strings.Join(group.lines, "") + "\n"
		}
	}
	if len(makers) > 0 {
		text += "\nConstructors of variables:\n  " + strings.Join(makers, " ") + "\n"
	}
	return strings.TrimRight(text, "\n")
}

// tableOf returns the table of the attributes of a value; nil if it has none.
func tableOf(v starlark.Value) *value.Methods {
	switch v := v.(type) {
	case value.Tabled:
		return v.Table()
	case starlarktime.Time:
		return library.TimeFields
	case starlarktime.Duration:
		return library.DurationFields
	}
	return value.MethodTables()[v.Type()]
}

// attrDoc returns the documentation of an attribute that is no function: "" if it has none.
func attrDoc(v starlark.Value, name string) string {
	switch m := v.(type) {
	case *value.Module:
		return m.Member(name).Doc
	case *session.ConfigValue:
		if f, source, ok := m.Flag(name); ok {
			return fmt.Sprintf("%s\n\nDefault: %v. In force: from %s.", flagDoc(f), f.Default, source)
		}
	}
	if m := tableOf(v); m != nil {
		if f := m.Field(name); f != nil {
			return f.Doc
		}
	}
	return ""
}

// clip shortens the text of a value for a tooltip.
func clip(text string) string {
	const most = 500
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + " ..."
	}
	return text
}

func (d documented) text() string {
	var parts []string
	if d.signature != "" {
		parts = append(parts, d.signature)
	}
	if d.value != "" {
		parts = append(parts, d.typ+": "+d.value)
	}
	if d.doc != "" {
		parts = append(parts, d.doc)
	}
	if d.origin != "" {
		parts = append(parts, "Defined at "+d.origin)
	}
	if d.source != "" {
		parts = append(parts, "Source:\n"+d.source)
	}
	return strings.Join(parts, "\n\n")
}

func (d documented) markdown() string {
	var parts []string
	fence := func(s string) string { return "```python\n" + s + "\n```" }
	if d.signature != "" {
		parts = append(parts, fence(d.signature))
	}
	if d.value != "" {
		parts = append(parts, "`"+d.typ+"`", fence(d.value))
	}
	if d.doc != "" {
		parts = append(parts, "```text\n"+d.doc+"\n```")
	}
	if d.origin != "" {
		parts = append(parts, "Defined at `"+d.origin+"`")
	}
	if d.source != "" {
		parts = append(parts, fence(d.source))
	}
	return strings.Join(parts, "\n\n")
}

func (d documented) bundle() map[string]any {
	return map[string]any{"text/plain": d.text(), "text/markdown": d.markdown()}
}

// dedent removes from a docstring the indentation that its lines after the first share.
func dedent(doc string) string {
	lines := strings.Split(strings.TrimSpace(doc), "\n")
	indent := -1
	for _, l := range lines[1:] {
		if t := strings.TrimLeft(l, " \t"); t != "" && (indent < 0 || len(l)-len(t) < indent) {
			indent = len(l) - len(t)
		}
	}
	for i, l := range lines[1:] {
		lines[i+1] = strings.TrimRight(l[min(max(indent, 0), len(l)):], " \t")
	}
	return strings.Join(lines, "\n")
}

// Inspect returns documentation for the name at the cursor, or for the function whose
// call the cursor is inside of, by MIME type; nil if nothing is known. cursor counts
// code points; detail 1 adds the source. Nothing is executed. While a cell runs, see Complete.
func (s *Session) Inspect(code string, cursor, detail int) (bundle map[string]any) {
	if !s.Visit(func() { bundle = s.inspect(code, cursor, detail) }) {
		known, _ := s.meanwhile()
		bundle = known.inspect(code, cursor, detail)
	}
	return bundle
}

func (s *Session) inspect(code string, cursor, detail int) map[string]any {
	runes := []rune(code)
	cursor = min(max(cursor, 0), len(runes))
	end := cursor
	for end < len(runes) && parse.IsNameRune(runes[end]) {
		end++
	}
	if r := s.magicAt(runes[:end]); r != nil {
		return describeMagic(r).bundle()
	}
	if openString(runes[:cursor]) < 0 {
		if d, ok := s.describeChain(s.chainAt(runes[:end]), detail); ok {
			return d.bundle()
		}
	}
	for open := cursor; ; {
		if open = enclosingCall(runes[:open]); open < 0 {
			return nil
		}
		if d, ok := s.describeChain(s.chainAt(runes[:open]), detail); ok {
			return d.bundle()
		}
	}
}

// A chain is a dotted name: what stands before the first dot, if that is no name, and the names.
type chain struct {
	first starlark.Value
	names []string
}

// chainAt returns the dotted name that text ends in. It may begin with a literal: "a".upper,
// [].append.
func (s *Session) chainAt(text []rune) chain {
	if names := chainBefore(text); names != nil {
		return chain{nil, names}
	}
	i := len(text)
	for i > 0 && parse.IsNameRune(text[i-1]) {
		i--
	}
	if i > 0 && i < len(text) && text[i-1] == '.' {
		if v := literalBefore(text[:i-1]); v != nil {
			return chain{v, []string{string(text[i:])}}
		}
	}
	return chain{}
}

// describeChain documents what a dotted name is the name of.
func (s *Session) describeChain(c chain, detail int) (documented, bool) {
	last := len(c.names) - 1
	if last < 0 {
		return documented{}, false
	}
	owner := c.first
	if owner == nil {
		if last == 0 {
			v := s.Globals().Get(c.names[0])
			if v == nil {
				return documented{}, false
			}
			return s.inspected(v, detail), true
		}
		if owner = s.lookupChain(c.names[:last]); owner == nil || s.seen != nil && !session.IsStill(owner) {
			return documented{}, false
		}
	}
	v, err := value.Look(owner, c.names[last])
	if err != nil || v == nil {
		return documented{}, false
	}
	d := s.inspected(v, detail)
	if doc := attrDoc(owner, c.names[last]); doc != "" && !strings.HasPrefix(d.doc, doc) {
		if strings.HasPrefix(d.doc, "Attributes: ") {
			d.doc = ""
		}
		d.doc = strings.TrimSpace(doc + "\n\n" + d.doc)
	}
	return d, true
}

// magicAt returns the magic whose name the text ends in, at the beginning of a line; nil if there
// is none.
func (s *Session) magicAt(text []rune) *magic.Row {
	line := strings.TrimLeft(string(text[lineStart(text):]), "# \t")
	return s.Magics().Named(line)
}

func (s *Session) inspected(v starlark.Value, detail int) documented {
	d := s.describe(v)
	if f, ok := v.(value.Def); ok && detail > 0 {
		d.source = s.functionSource(f)
	}
	return d
}

// functionSource returns the lines of a function: from its def to the line before the
// next that is indented no deeper.
func (s *Session) functionSource(f value.Def) string {
	pos := f.Position()
	src := s.Source(pos.Filename())
	first, ok := src.Get(int(pos.Line))
	if !ok {
		return ""
	}
	indent := len(first) - len(strings.TrimLeft(first, " \t"))
	lines := []string{first}
	for n := int(pos.Line) + 1; ; n++ {
		line, ok := src.Get(n)
		t := strings.TrimLeft(line, " \t")
		if !ok || t != "" && t[0] != ')' && t[0] != '#' && len(line)-len(t) <= indent {
			break
		}
		lines = append(lines, line)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}

// Question reports whether a cell asks for documentation: name?, name??, ?name or %name?.
func Question(code string) (name string, detail int, ok bool) {
	text := strings.TrimSpace(code)
	name = strings.TrimRight(text, "?")
	if name == text {
		name = strings.TrimLeft(text, "?")
	}
	marks := len(text) - len(name)
	if marks == 0 || marks > 2 || name == "" {
		return "", 0, false
	}
	for _, r := range strings.TrimLeft(name, "%") {
		if r != '.' && !parse.IsNameRune(r) {
			return "", 0, false
		}
	}
	return name, marks - 1, true
}

// closest is the name that an unknown one may have been meant for, "" if there is none: of a dotted
// name another attribute of the same value.
func (s *Session) closest(name string) string {
	before, last, dotted := cutLast(name, ".")
	if !dotted {
		return session.ClosestName(name, s.AllNames())
	}
	owner := s.lookupChain(strings.Split(before, "."))
	if owner == nil {
		return ""
	}
	var names []string
	for _, n := range value.AttrNames(owner) {
		if strings.HasPrefix(n, last) {
			return before + "." + n
		}
		names = append(names, n)
	}
	if n := session.ClosestName(last, names); n != "" {
		return before + "." + n
	}
	return ""
}

// Page answers a question with the front end's pager.
func (s *Session) Page(name string, detail int) {
	d, ok := s.describeNamed(name, detail)
	if !ok {
		hint := ""
		if n := s.closest(name); n != "" {
			hint = fmt.Sprintf(" (did you mean %s?)", n)
		}
		s.Print("stdout", fmt.Sprintf("name '%s' is not defined%s\n", name, hint))
		return
	}
	s.Output().Page(d.bundle())
}
