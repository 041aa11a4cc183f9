package starlib

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/value"
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

// Signed is implemented by callable values that are neither Builtins nor functions of
// the user's, such as compiled functions: their parameters are then completed and shown.
type Signed interface {
	starlark.Callable
	Signature() string
	ParamNames() []string
}

func describe(v starlark.Value) documented {
	d := documented{typ: v.Type()}
	switch v := v.(type) {
	case value.Callable:
		d.signature, d.doc = v.Signature(), strings.TrimPrefix(v.Help(), v.Signature())
		d.doc = strings.TrimLeft(d.doc, "\n")
	case *starlark.Function:
		d.signature, d.doc = functionSignature(v), dedent(v.Doc())
		d.origin = v.Position().String()
	case *value.Module:
		var b strings.Builder
		b.WriteString(v.Doc() + "\n")
		for _, m := range v.Members() {
			fmt.Fprintf(&b, "\n  %-16s %s", m.Name, m.Doc)
		}
		d.doc, d.value = b.String(), v.String()
	case value.Documenter:
		d.doc, d.value = v.Doc(), clip(value.Repr(v))
		if f, ok := v.(Signed); ok {
			d.signature = f.Signature()
		}
	case Signed:
		d.signature, d.value = v.Signature(), clip(value.Repr(v))
	default:
		d.value = clip(value.Repr(v))
		if names := value.AttrNames(v); len(names) > 0 && !isNumber(v) {
			d.doc = "Attributes: " + strings.Join(names, ", ")
		}
	}
	return d
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

// functionSignature returns a Starlark function's first line without def and colon.
func functionSignature(f *starlark.Function) string {
	var parts []string
	n := f.NumParams()
	trailing := 0
	if f.HasVarargs() {
		trailing++
	}
	if f.HasKwargs() {
		trailing++
	}
	plain := n - trailing
	for i := range plain {
		if i == plain-f.NumKwonlyParams() && f.NumKwonlyParams() > 0 {
			if f.HasVarargs() {
				name, _ := f.Param(plain)
				parts = append(parts, "*"+name)
			} else {
				parts = append(parts, "*")
			}
		}
		name, _ := f.Param(i)
		if v := f.ParamDefault(i); v != nil {
			name += "=" + value.Repr(v)
		}
		parts = append(parts, name)
	}
	next := plain
	if f.HasVarargs() {
		if f.NumKwonlyParams() == 0 {
			name, _ := f.Param(next)
			parts = append(parts, "*"+name)
		}
		next++
	}
	if f.HasKwargs() {
		name, _ := f.Param(next)
		parts = append(parts, "**"+name)
	}
	return f.Name() + "(" + strings.Join(parts, ", ") + ")"
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
// code points; detail 1 adds the source. Nothing is executed.
func (s *Session) Inspect(code string, cursor, detail int) map[string]any {
	if !s.mu.TryLock() {
		return nil // a cell runs, and owns the values
	}
	defer s.mu.Unlock()
	runes := []rune(code)
	cursor = min(max(cursor, 0), len(runes))
	end := cursor
	for end < len(runes) && isNameRune(runes[end]) {
		end++
	}
	if r := magicAt(runes[:end]); r != nil {
		return r.describe().bundle()
	}
	if v := s.lookupChain(chainBefore(runes[:end])); v != nil {
		return s.inspected(v, detail).bundle()
	}
	if open := enclosingCall(runes[:cursor]); open >= 0 {
		if v := s.lookupChain(chainBefore(runes[:open])); v != nil {
			return s.inspected(v, detail).bundle()
		}
	}
	return nil
}

// magicAt returns the magic whose name the text ends in, at the beginning of a line; nil if there is none.
func magicAt(text []rune) *magicRow {
	line := strings.TrimLeft(string(text[lineStart(text):]), "# \t")
	return magicNamed(line)
}

func (s *Session) inspected(v starlark.Value, detail int) documented {
	d := describe(v)
	if f, ok := v.(*starlark.Function); ok && detail > 0 {
		d.source = s.functionSource(f)
	}
	return d
}

// functionSource returns the lines of a function: from its def to the line before the
// next that is indented no deeper.
func (s *Session) functionSource(f *starlark.Function) string {
	pos := f.Position()
	src := s.sources[pos.Filename()]
	first, ok := src.get(int(pos.Line))
	if !ok {
		return ""
	}
	indent := len(first) - len(strings.TrimLeft(first, " \t"))
	lines := []string{first}
	for n := int(pos.Line) + 1; ; n++ {
		line, ok := src.get(n)
		t := strings.TrimLeft(line, " \t")
		if !ok || t != "" && t[0] != ')' && t[0] != '#' && len(line)-len(t) <= indent {
			break
		}
		lines = append(lines, line)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}

// question reports whether a cell asks for documentation: name?, name??, ?name or %name?.
func question(code string) (name string, detail int, ok bool) {
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
		if r != '.' && !isNameRune(r) {
			return "", 0, false
		}
	}
	return name, marks - 1, true
}

// page answers a question with the front end's pager.
func (s *Session) page(name string, detail int) {
	if r := magicNamed(name); r != nil {
		s.out.Page(r.describe().bundle())
		return
	}
	v := s.lookupChain(strings.Split(name, "."))
	if v == nil {
		hint := ""
		if n := closestName(name, s.allNames()); n != "" {
			hint = fmt.Sprintf(" (did you mean %s?)", n)
		}
		s.out.Stream("stdout", fmt.Sprintf("name '%s' is not defined%s\n", name, hint))
		return
	}
	s.out.Page(s.inspected(v, detail).bundle())
}
