package assist

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Imports before the cursor, as text: the cell may not be a program yet.
var (
	// importsName ends where a name of a module is to follow: from a.b import c, (d, and so on.
	importsName = regexp.MustCompile(`(?:^|[\n;])[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\([\s\w,]*?)?(?:[\w \t]+,\s*)*$`)
	// importsModule ends where a module is to follow, or the part of one after a dot.
	importsModule = regexp.MustCompile(`(?:^|[\n;])[ \t]*(?:from|import)[ \t]+(?:[\w. \t]+,[ \t]*)*((?:\w+\.)*)$`)
	// imports is a line that binds a module, or a name of one, perhaps under another name.
	imports = regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?`)
)

// completeImport offers what an import may go on with; ok is false if the text ends in none.
func (s *Session) completeImport(m *matcher, before string) (ok bool) {
	if g := importsName.FindStringSubmatch(before); g != nil {
		s.addMembers(m, g[1], func(starlark.Value) bool { return true })
		return true
	}
	g := importsModule.FindStringSubmatch(before)
	if g == nil {
		return false
	}
	if owner := strings.TrimSuffix(g[1], "."); owner != "" {
		s.addMembers(m, owner, func(v starlark.Value) bool { _, isModule := v.(*value.Module); return isModule })
		return true
	}
	for _, name := range s.Importable() {
		m.add(name, "module", "")
	}
	for _, name := range s.modulesBeside() {
		m.add(name, "module", "")
	}
	return true
}

// modulesBeside are the names of files in the session's folder that can be imported.
func (s *Session) modulesBeside() (names []string) {
	entries, _ := s.Files().List(s.Absolute(""))
	for _, e := range entries {
		name, ext := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), filepath.Ext(e.Name())
		if (ext == ".py" || ext == ".star") && !e.IsDir() && strings.IndexFunc(name, func(r rune) bool { return !parse.IsNameRune(r) }) < 0 {
			names = append(names, name)
		}
	}
	return names
}

// addMembers offers the members of a module; of a file its names, without running it.
func (s *Session) addMembers(m *matcher, module string, accepts func(starlark.Value) bool) {
	if owner := s.module(module); owner != nil {
		for _, name := range value.AttrNames(owner) {
			if v := lookedAt(owner, name); v != nil && accepts(v) {
				m.addValue(name, v)
			} else if v == nil && accepts(starlark.None) {
				m.add(name, "", "")
			}
		}
		return
	}
	if text, ok := s.LibraryText(module); ok {
		for _, name := range parse.NamesAssigned(text) {
			if !strings.HasPrefix(name, "_") {
				m.add(name, "instance", "")
			}
		}
		return
	}
	path := strings.ReplaceAll(strings.TrimLeft(module, "."), ".", "/")
	for _, ext := range []string{".py", ".star", "/__init__.py"} {
		text, err := s.Files().Read(s.Absolute(path+ext), files.MaxText)
		if err != nil {
			continue
		}
		for _, name := range parse.NamesAssigned(string(text)) {
			m.add(name, "instance", "")
		}
		return
	}
}

// module is a module that is no file, nil if there is none of that name.
func (s *Session) module(name string) starlark.Value {
	root, _, _ := strings.Cut(name, ".")
	if !slices.Contains(s.Importable(), root) {
		return nil
	}
	v, err := s.Imported(name, "")
	if err != nil {
		return nil
	}
	return v
}

// boundAbove is the value that a line before the cursor will bind a name to, where that is known
// without running it: an import, or a literal. It is nil otherwise.
func (s *Session) boundAbove(name, before string) starlark.Value {
	for _, g := range slices.Backward(imports.FindAllStringSubmatch(before, -1)) {
		from, what, as := g[1], g[2], g[3]
		if as == "" && from == "" {
			what, _, _ = strings.Cut(what, ".")
		}
		if as == "" {
			as = what
		}
		if as != name {
			continue
		}
		if from == "" {
			return s.module(what)
		}
		if owner := s.module(from); owner != nil {
			return lookedAt(owner, what)
		}
	}
	assigned := regexp.MustCompile(`(?m)^[ \t]*`+regexp.QuoteMeta(name)+`[ \t]*=[ \t]*([^=\s].*)$`).FindAllStringSubmatch(before, -1)
	if len(assigned) == 0 {
		return nil
	}
	return literalBefore([]rune(strings.TrimSpace(assigned[len(assigned)-1][1])))
}

// chainAbove follows a dotted name that begins with one which a line before the cursor binds.
func (s *Session) chainAbove(parts []string, before string) starlark.Value {
	if len(parts) == 0 {
		return nil
	}
	v := s.boundAbove(parts[0], before)
	for _, name := range parts[1:] {
		if v == nil {
			return nil
		}
		v, _ = value.Look(v, name)
	}
	return v
}
