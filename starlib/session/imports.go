package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// import binds modules and names of them: those that are predeclared, under the names that users of
// NumPy and Theano import them by, those of Python's that are here (Rooms.Modules), and files of
// the user's (importfile.go). Our own names come first. What cannot be imported is an error before
// the cell runs where the import is certain to run; where it stands in a function or below an if,
// when it does.

// An importError is that there is no such module, or no such name in it.
type importError struct {
	msg string
	no  bool // such module
}

func (e *importError) Error() string { return e.msg }
func (e *importError) ErrorName() string {
	if e.no {
		return "ModuleNotFoundError"
	}
	return "ImportError"
}

func noImport(format string, args ...any) error {
	return &importError{msg: fmt.Sprintf(format, args...)}
}

func noModuleError(format string, args ...any) error {
	return &importError{fmt.Sprintf(format, args...), true}
}

// predeclaredModules are those that need no import, by the first part of their names.
var predeclaredModules = []string{"aesara", "json", "math", "numpy", "pytensor", "theano", "time"}

// ours returns the module of a name without dots, nil if it is none of ours.
func (s *Session) ours(root string) starlark.Value {
	if slices.Contains(predeclaredModules, root) {
		return s.base[root]
	}
	if s.rooms.Modules == nil {
		return nil
	}
	return s.rooms.Modules(s)[root]
}

// Importable are the names of the modules that can be imported besides files, sorted.
func (s *Session) Importable() []string {
	names := slices.Clone(predeclaredModules)
	if s.rooms.Modules != nil {
		names = slices.AppendSeq(names, maps.Keys(s.rooms.Modules(s)))
	}
	names = slices.DeleteFunc(append(names, s.libraryNames()...), func(name string) bool {
		return name[0] == '_' && !isSpecialName(name)
	})
	slices.Sort(names)
	return names
}

// imported returns what "from module import name" binds, or with no name "import module". from is
// the file that it stands in, nil for a cell.
func (s *Session) imported(from *FileModule, module, name string) (starlark.Value, error) {
	root, rest, _ := strings.Cut(module, ".")
	v := s.ours(root)
	if v == nil {
		return s.importedFile(from, module, name)
	}
	if part, ok := s.libraryPart(module); ok {
		return s.importedFile(from, part, name)
	}
	itself := func(part string) bool { // from theano import theano; from time import time is the function
		attrs, ok := v.(starlark.HasAttrs)
		return part == root && !(ok && slices.Contains(attrs.AttrNames(), part))
	}
	if before, after, _ := strings.Cut(rest, "."); itself(before) {
		rest = after
	}
	if rest == "" && itself(name) {
		name = ""
	}
	var behind *value.Module // of v, if it is a function
	for part := range strings.FieldsFuncSeq(rest+"."+name, func(r rune) bool { return r == '.' }) {
		attrs, ok := v.(starlark.HasAttrs)
		if behind != nil {
			attrs, ok = behind, true
		}
		if behind = nil; ok {
			if m, isModule := attrs.(*value.Module); isModule {
				behind = m.Member(part).Behind
			}
		}
		if !ok {
			return nil, noImport("%s has no attribute .%s", v.Type(), part)
		}
		var err error
		if v, err = attrs.Attr(part); err != nil {
			return nil, noPart(module, name, part, err)
		}
	}
	if absent, ok := v.(*value.AbsentModule); ok { // which try: import x; except ImportError asks for
		if name == "" {
			return nil, noModuleError("%s", absent.Err())
		}
		return nil, noImport("%s", absent.Err())
	}
	return v, nil
}

// noPart is the error for a part that a module of ours has not: what to use instead of it, if that
// is known.
func noPart(module, name, part string, err error) error {
	full := strings.TrimSuffix(module+"."+name, ".")
	i := strings.Index(full+".", "."+part+".") + 1 + len(part)
	if hint := cmp.Or(habits.OfImport(full[:i]), habits.OfImport(strings.TrimPrefix(full[:i], "six.moves."))); hint != "" {
		return noModuleError("there is no module %s (%s)", full[:i], hint)
	}
	return noImport("%s", err)
}

// Imported returns a module of ours, or with a name what it has of that name. A module of the
// library is an error unless the program has imported it: nothing runs here.
func (s *Session) Imported(module, name string) (starlark.Value, error) {
	if part, ok := s.libraryPart(module); ok {
		module = part
	}
	if _, ok := s.LibraryText(module); ok {
		m := s.imports[importKey{module, Library + "/" + strings.ReplaceAll(module, ".", "/") + ".py"}]
		if m == nil || !m.ran {
			return nil, noImport("%s is not imported", module)
		}
		if name == "" {
			return m, nil
		}
		return m.Attr(name)
	}
	return s.imported(nil, module, name)
}

// ImportedModules is a dict of the files that were imported, and of our own modules, which need no
// import to be there.
func (s *Session) ImportedModules() *slot.Dict {
	d := slot.NewDict(len(s.imports) + len(predeclaredModules))
	for _, name := range predeclaredModules {
		d.SetKey(starlark.String(name), s.base[name])
	}
	if s.rooms.Modules != nil {
		for name, m := range s.rooms.Modules(s) {
			d.SetKey(starlark.String(name), m)
		}
	}
	for key, m := range s.imports {
		if m.ran {
			d.SetKey(starlark.String(key.name), m)
		}
	}
	d.SetKey(starlark.String("__main__"), &FileModule{s: s, name: "__main__", globals: environment{s, s.env}, ran: true})
	return d
}

// Import is what "import module" gives, which runs a file.
func (s *Session) Import(module string) (starlark.Value, error) {
	return s.imported(nil, module, "")
}

// importedFile is imported for the user's own files.
func (s *Session) importedFile(from *FileModule, module, name string) (starlark.Value, error) {
	full, err := absoluteName(from, module)
	if err != nil {
		return nil, err
	}
	if full == "" { // from . import name, outside of a package
		return s.importFile(name)
	}
	m, err := s.importFile(full)
	if err != nil || name == "" {
		return m, err
	}
	if v, ok := m.globals.env.Lookup(name); ok && m.Has(name) {
		return v, nil
	}
	if m.dir != "" {
		if _, _, found := s.findIn([]string{m.dir}, name); found {
			return s.importFile(full + "." + name)
		}
	}
	return nil, m.noName(name)
}

// isTry says whether a statement is what parse makes of a try.
func isTry(x *syntax.IfStmt) bool {
	id, ok := x.Cond.(*syntax.Ident)
	return ok && id.Name == parse.MarkTry
}

// importAllOf binds all names of a file where an import stands, also those of functions of the
// language; of a file of the library these stay what they are.
func (s *Session) importAllOf(from *FileModule, module string) error {
	to := s.running
	if from != nil {
		to = from.globals
	}
	if v := s.ours(strings.SplitN(module, ".", 2)[0]); v != nil {
		return s.importAllOurs(to, module)
	}
	full, err := absoluteName(from, module)
	if err != nil {
		return err
	}
	m, err := s.importFile(full)
	if err != nil {
		return err
	}
	names, err := m.public()
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := s.inLibrary(m.path); ok && s.isBuiltin(name) {
			continue
		}
		to.env.Assign(name, m.globals.env.Get(name))
	}
	return nil
}

// importAllOurs is importAllOf for a module of ours, below an if.
func (s *Session) importAllOurs(to environment, module string) error {
	v, err := s.imported(nil, module, "")
	if err != nil {
		return err
	}
	m, ok := v.(starlark.HasAttrs)
	if !ok {
		return noImport("%s has no names to import", v.Type())
	}
	for _, name := range s.publicNames(m) {
		x, err := m.Attr(name)
		if err != nil {
			return err
		}
		to.env.Assign(name, x)
	}
	return nil
}

// publicNames are the names of a module of ours that are imported by *: sum and max stay
// Starlark's, which arrays answer too.
func (s *Session) publicNames(m starlark.HasAttrs) []string {
	return slices.DeleteFunc(m.AttrNames(), func(name string) bool {
		return strings.HasPrefix(name, "_") || scope.IsConstant(name) || s.isBuiltin(name)
	})
}

// absoluteName is the name of a module without the dots that say in which package it is: that of
// the file which the import stands in. What stands in no package is in one with all that lies
// beside it.
func absoluteName(from *FileModule, module string) (string, error) {
	rest := strings.TrimLeft(module, ".")
	level := len(module) - len(rest)
	if level == 0 {
		return module, nil
	}
	var in []string // the parts of the package's name
	if from != nil {
		in = strings.Split(from.name, ".")
		if from.dir == "" {
			in = in[:len(in)-1]
		}
	}
	if level-1 > len(in) {
		what := "a cell"
		if from != nil {
			what = from.name
		}
		return "", noImport("from %s leads out of the package that %s is in: name the module without dots, and add its folder to config.import_path",
			module, what)
	}
	in = in[:len(in)-(level-1)]
	if rest != "" {
		in = append(in, rest)
	}
	return strings.Join(in, "."), nil
}

// checkImports tries the imports of a tree which are certain to run, and writes out those of all
// names of our own modules at top level. star is another import of all names, if there is one:
// these are known when it has run.
func (s *Session) checkImports(f *syntax.File) (star *syntax.CallExpr, err error) {
	free := false // sys.path, or by a magic the folder or a flag, may change before an import
	var visit func(n syntax.Node, certain bool)
	visit = func(n syntax.Node, certain bool) {
		syntax.Walk(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.IfStmt:
				if isTry(n) { // an import that may fail is for the handlers
					for _, stmt := range n.True {
						syntax.Walk(stmt, func(n syntax.Node) bool {
							if c, ok := n.(*syntax.CallExpr); ok {
								if _, _, all := importCall(c); all {
									star = c
								}
							}
							return true
						})
					}
					for _, stmt := range n.False {
						visit(stmt, false)
					}
					return false
				}
			case *syntax.DotExpr:
				x, ok := n.X.(*syntax.Ident)
				free = free || ok && x.Name == "sys" && n.Name.Name == "path"
			case *syntax.CallExpr:
				fn, ok := n.Fn.(*syntax.Ident)
				free = free || ok && fn.Name == lower.Magic
				module, name, all := importCall(n)
				if module == "" || err != nil {
					return err == nil
				}
				isFile := s.ours(strings.SplitN(module, ".", 2)[0]) == nil
				if all && (isFile || !certain) {
					star = n
				}
				var wrong error
				switch {
				case !isFile && certain:
					_, wrong = s.imported(nil, module, name)
				case certain && !free:
					wrong = s.checkFile(s.fileOf(f.Path), module)
				}
				if wrong != nil {
					kind := "ImportError"
					var named Named
					if errors.As(wrong, &named) {
						kind = named.ErrorName()
					}
					err = ErrorAt(kind, syntax.Start(n), wrong.Error())
				}
			}
			return true
		})
	}
	for _, stmt := range f.Stmts {
		switch stmt.(type) {
		case *syntax.AssignStmt, *syntax.ExprStmt:
			visit(stmt, true)
		default:
			visit(stmt, false)
		}
	}
	if err != nil {
		return nil, err
	}
	f.Stmts, err = s.importAll(f.Stmts)
	return star, err
}

// importCall takes a call of what an import becomes apart.
func importCall(call *syntax.CallExpr) (module, name string, all bool) {
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok || fn.Name != parse.NameImport && fn.Name != parse.NameImportAll {
		return "", "", false
	}
	var args [2]string
	for i, a := range call.Args {
		args[i] = a.(*syntax.Literal).Value.(string)
	}
	return args[0], args[1], fn.Name == parse.NameImportAll
}

// checkFile reports that there is no such file, without running what there is.
func (s *Session) checkFile(from *FileModule, module string) error {
	full, err := absoluteName(from, module)
	if err != nil || full == "" {
		return err
	}
	dirs := s.searched()
	for part := range strings.SplitSeq(full, ".") {
		_, dir, found := s.findIn(dirs, part)
		if !found {
			return s.noModule(full, part, dirs)
		}
		if dirs = nil; dir != "" {
			dirs = []string{dir}
		}
	}
	return nil
}

// noModule is the error for a module of which the part is not in the folders.
func (s *Session) noModule(full, part string, dirs []string) error {
	root, _, dotted := strings.Cut(full, ".")
	if hint := habits.OfImport(full); dirs != nil && hint != "" && strings.HasPrefix(dirs[0], Library) {
		return noModuleError("there is no module %s (%s)", full, hint)
	}
	if dirs == nil {
		return noModuleError("there is no module %s: %s is a file, and no folder of them", full, strings.TrimSuffix(full, "."+part))
	}
	hint := ""
	if hint = habits.OfImport(root); hint != "" && part == root {
		return noModuleError("there is no module %s (%s)", root, hint)
	}
	if n := ClosestName(root, s.Importable()); hint == "" && n != "" && !dotted {
		hint = "did you mean " + n + "?"
	}
	var near []string
	var looked []string
	for _, dir := range dirs {
		if dir == Library {
			continue
		}
		if looked = append(looked, s.shown(dir)); dir == s.dir {
			looked[len(looked)-1] = dir
		}
		entries, err := s.Files().List(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			var at *fs.PathError
			if errors.As(err, &at) {
				err = at.Err
			}
			looked[len(looked)-1] += ": " + err.Error()
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); e.IsDir() || slices.Contains(extensions, ext) {
				near = append(near, strings.TrimSuffix(e.Name(), ext))
			}
		}
	}
	if n := config.Closest(part, near); n != "" {
		hint = "did you mean " + strings.TrimSuffix(full, part) + n + "?"
	}
	if hint == "" {
		hint = "config.import_path names further folders"
	}
	return noModuleError("there is no module %s (%s); looked for %s.py and %s.star in %s", full, hint, part, part, strings.Join(looked, ", "))
}

// importAll replaces each "from module import *" of a module of ours at top level by an import of
// each name.
func (s *Session) importAll(list []syntax.Stmt) ([]syntax.Stmt, error) {
	out := list[:0:0]
	for _, stmt := range list {
		e, ok := stmt.(*syntax.ExprStmt)
		var call *syntax.CallExpr
		if ok {
			call, ok = e.X.(*syntax.CallExpr)
		}
		if ok {
			module, _, all := importCall(call)
			root, _, _ := strings.Cut(module, ".")
			ok = all && s.ours(root) != nil
		}
		if !ok {
			out = append(out, stmt)
			continue
		}
		pos := syntax.Start(call)
		module := call.Args[0].(*syntax.Literal)
		v, err := s.imported(nil, module.Value.(string), "")
		if err != nil {
			return nil, err
		}
		attrs, ok := v.(starlark.HasAttrs)
		if !ok {
			return nil, ErrorAt("ImportError", pos, fmt.Sprintf("%s has no names to import", v.Type()))
		}
		for _, name := range s.publicNames(attrs) {
			out = append(out, &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: &syntax.Ident{NamePos: pos, Name: name},
				RHS: &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: parse.NameImport}, Lparen: pos, Rparen: pos,
					Args: []syntax.Expr{module, &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: `"` + name + `"`, Value: name}}}})
		}
	}
	return out, nil
}

// isBuiltin reports whether a name is a function of the language's own.
func (s *Session) isBuiltin(name string) bool {
	_, ok := Standard()[name].(starlark.Callable)
	return ok || name == "help"
}
