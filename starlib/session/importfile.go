package session

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// extensions are those of files that are imported, in the order in which they are looked for.
var extensions = []string{".star", ".py"}

// initFile is the name of the file, without its extension, that makes a folder a package.
const initFile = "__init__"

// A FileModule is an imported file, or a folder of them, as a value. Its globals are its own;
// unlike those of a file that load reads they are not frozen, and functions of the file see what
// others assign to the module's attributes.
type FileModule struct {
	version
	s       *Session
	name    string // with those of the packages that it is in, "src.utils"
	dir     string // where the modules of a package are; "" of a file
	globals environment
	ran     bool // to its end
}

// importKey says which file is meant: one may be imported under several names, and a name may mean
// another file later.
type importKey struct{ name, path string }

var (
	_ starlark.HasSetField = (*FileModule)(nil)
	_ value.Documenter     = (*FileModule)(nil)
)

func (m *FileModule) Type() string          { return "module" }
func (m *FileModule) Freeze()               {}
func (m *FileModule) Truth() starlark.Bool  { return true }
func (m *FileModule) Hash() (uint32, error) { return starlark.String(m.name).Hash() }
func (m *FileModule) AttrNames() []string   { return m.globals.names() }
func (m *FileModule) Has(name string) bool  { return m.globals.env.IsAssigned(name) }
func (m *FileModule) String() string {
	return fmt.Sprintf("<module %q from %q>", m.name, m.s.shown(m.where()))
}

// where is the file, or the folder that has none of its own.
func (m *FileModule) where() string {
	if m.path == "" {
		return m.dir
	}
	return m.path
}

func (m *FileModule) Attr(name string) (starlark.Value, error) {
	if v, ok := m.globals.env.Lookup(name); ok && m.Has(name) {
		return v, nil
	}
	if m.dir != "" {
		if _, _, found := m.s.findIn([]string{m.dir}, name); found {
			return nil, fmt.Errorf("module %s has no attribute .%s: its file %s is imported by import %s.%s", m.name, name, name, m.name, name)
		}
	}
	return nil, value.NoAttr("module "+m.name, name, m.globals.names())
}

// SetField changes a global variable of the file.
func (m *FileModule) SetField(name string, v starlark.Value) error {
	m.globals.env.Assign(name, v)
	return nil
}

// DeleteField deletes a global variable of the file.
func (m *FileModule) DeleteField(name string) error {
	if !m.globals.Delete(name) {
		return value.NoAttr("module "+m.name, name, m.globals.names())
	}
	return nil
}

// Doc is the text that the file begins with.
func (m *FileModule) Doc() string {
	text, _ := m.globals.env.Get("__doc__").(starlark.String)
	return string(text)
}

// noName is the error for a name that the file has not, or not yet.
func (m *FileModule) noName(name string) error {
	if !m.ran {
		i := slices.IndexFunc(m.s.loading, func(f loaded) bool { return f == m })
		return noImport("%s has no %s yet: files import each other in a cycle: %s; import the module %s instead of names of it, or move the import into a function",
			m.name, name, m.s.cycle(max(i, 0), m.where()), m.name)
	}
	return noImport("%s", value.NoAttr("module "+m.name, name, m.globals.names()).Error())
}

// public are the names that are imported by *: those of __all__ if there is such a list.
func (m *FileModule) public() ([]string, error) {
	all, ok := m.globals.env.Get("__all__").(starlark.Iterable)
	if !ok || !m.Has("__all__") {
		return slices.DeleteFunc(m.globals.names(), func(name string) bool { return name[0] == '_' }), nil
	}
	var names []string
	for v := range starlark.Elements(all) {
		name, ok := starlark.AsString(v)
		if !ok {
			return nil, noImport("%s.__all__ has a %s, want the names of what is imported by *", m.name, v.Type())
		}
		if !m.Has(name) {
			return nil, m.noName(name)
		}
		names = append(names, name)
	}
	return names, nil
}

// SearchPath is sys.path: folders where import looks, "" for the session's.
func (s *Session) SearchPath() *slot.List { return s.path }

// Library is the folder of the modules that are in the program, as errors write it (Rooms.Library).
// No file of the user's is there.
const Library = "<python>"

// inLibrary is a path below the folder of the library; ok is false for other paths.
func (s *Session) inLibrary(path string) (within string, ok bool) {
	within, ok = strings.CutPrefix(path, Library+"/")
	return within, ok && s.rooms.Library != nil
}

// stat tells of a file of the user's or of the library.
func (s *Session) stat(path string) (fs.FileInfo, error) {
	if within, ok := s.inLibrary(path); ok {
		return fs.Stat(s.rooms.Library, within)
	}
	return s.Files().Stat(path)
}

// LibraryText is the text of a module of the library by its dotted name; ok is false if the library
// has no module of that name.
func (s *Session) LibraryText(module string) (text string, ok bool) {
	if s.rooms.Library == nil {
		return "", false
	}
	base := strings.ReplaceAll(module, ".", "/")
	for _, name := range []string{base + ".py", base + "/" + initFile + ".py"} {
		if data, err := fs.ReadFile(s.rooms.Library, name); err == nil {
			return string(data), true
		}
	}
	return "", false
}

// libraryPart is the file of the library that is a part of one of our modules: collections.abc is
// _collections_abc.
func (s *Session) libraryPart(module string) (file string, ok bool) {
	if !strings.Contains(module, ".") {
		return "", false
	}
	file = "_" + strings.ReplaceAll(module, ".", "_")
	_, ok = s.LibraryText(file)
	return file, ok
}

// libraryNames are the modules of the library that are in no package.
func (s *Session) libraryNames() (names []string) {
	if s.rooms.Library == nil {
		return nil
	}
	entries, _ := fs.ReadDir(s.rooms.Library, ".")
	for _, e := range entries {
		names = append(names, stem(e.Name()))
	}
	return names
}

func isSpecialName(name string) bool {
	return strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// readText reads a file of code, of the user's or of the library.
func (s *Session) readText(path string) (string, error) {
	if within, ok := s.inLibrary(path); ok {
		data, err := fs.ReadFile(s.rooms.Library, within)
		return string(data), err
	}
	return readCode(s.Files().Read, path)
}

// searched are the folders where import looks: those of sys.path, those of the flag, and the
// library.
func (s *Session) searched() []string {
	var dirs []string
	add := func(dir string) {
		if dir = s.Absolute(dir); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for v := range starlark.Elements(s.path) {
		if dir, ok := starlark.AsString(v); ok {
			add(dir)
		}
	}
	for dir := range strings.FieldsFuncSeq(s.config.String("import_path"), func(r rune) bool { return r == filepath.ListSeparator }) {
		add(dir)
	}
	if s.rooms.Library != nil {
		dirs = append(dirs, Library)
	}
	return dirs
}

// findIn looks for a module in folders. path is its file, dir is the folder if it is one of
// modules.
func (s *Session) findIn(dirs []string, name string) (path, dir string, found bool) {
	isFile := func(base string) bool {
		for _, ext := range extensions {
			if info, err := s.stat(base + ext); err == nil && info.Mode().IsRegular() {
				path = base + ext
				return true
			}
		}
		return false
	}
	folder := ""
	for _, d := range dirs {
		base := filepath.Join(d, name)
		if isFile(filepath.Join(base, initFile)) {
			return path, base, true
		}
		if isFile(base) {
			return path, "", true
		}
		if info, err := s.stat(base); err == nil && info.Mode()&fs.ModeDir != 0 && folder == "" {
			folder = base
		}
	}
	return "", folder, folder != ""
}

// importFile returns the module of a name, and runs its file, and those of the packages that it is
// in, if that was not done yet or they have changed.
func (s *Session) importFile(full string) (*FileModule, error) {
	dirs := s.searched()
	var outer *FileModule
	name := ""
	for part := range strings.SplitSeq(full, ".") {
		path, dir, found := s.findIn(dirs, part)
		if !found {
			return nil, s.noModule(full, part, dirs)
		}
		name = strings.TrimPrefix(name+"."+part, ".")
		key := importKey{name, path + dir}
		m := s.imports[key]
		if m == nil {
			m = &FileModule{s: s, name: name, dir: dir, globals: environment{s, &vm.Globals{}}}
			s.imports[key] = m
		}
		if err := s.refresh(m, path); err != nil {
			if !m.ran {
				delete(s.imports, key)
			}
			return nil, err
		}
		if outer != nil {
			outer.SetField(part, m)
		}
		outer, dirs = m, nil
		if dir != "" {
			dirs = []string{dir}
		}
	}
	return outer, nil
}

// refresh runs the file of a module unless it has run as it is, or runs.
func (s *Session) refresh(m *FileModule, path string) error {
	running := slices.ContainsFunc(s.loading, func(f loaded) bool { return f == m })
	if running || m.ran && s.current(m, map[loaded]bool{}) {
		s.uses(m)
		return nil
	}
	if i := slices.IndexFunc(s.loading, func(f loaded) bool { return path != "" && f.read().path == path }); i >= 0 {
		return noImport("files load and import each other in a cycle: %s", s.cycle(i, path))
	}
	if m.ran {
		s.Print("stderr", fmt.Sprintf("import: %s has changed; objects made from the old version keep it\n", s.shown(path)))
	}
	before, globals := m.version, m.globals
	s.begin(&m.version, path)
	m.globals = environment{s, vm.NewGlobals(s.base)}
	if err := s.runImport(m); err != nil {
		if m.ran { // the module stays what it was, and is tried again at the next import
			m.globals, before.size = globals, -1
		}
		m.version = before
		return insideError{err}
	}
	for name, v := range globals.env.All() { // the modules of a package are attributes that no statement of its file assigned
		if sub, ok := v.(*FileModule); ok && m.dir != "" && sub.name == m.name+"."+name && !m.Has(name) {
			m.SetField(name, v)
		}
	}
	m.ran = true
	s.uses(m)
	return nil
}

// runImport runs the file of a module as a cell whose globals are the module's, on a thread of its
// own, as that of load.
func (s *Session) runImport(m *FileModule) error {
	env := m.globals
	env.env.Set(scope.Env, env)
	env.env.Assign("__name__", starlark.String(m.name))
	if m.path == "" {
		return nil
	}
	env.env.Assign("__file__", starlark.String(m.path))
	env.env.Assign("__doc__", starlark.None)
	text, err := s.readText(m.path)
	if err != nil {
		return s.NoFile("file", s.shown(m.path), m.path, err)
	}
	file := s.shown(m.path)
	s.sources[file] = Source{}.with(1, text)
	f, err := ParseText(file, text, 1, 1)
	if err != nil {
		return err
	}
	env.env.Set("__doc__", docString(f))
	s.loading = append(s.loading, m)
	defer func() { s.loading = s.loading[:len(s.loading)-1] }()
	if _, err := s.check(f, s.fileFinds, false, s.base.Keys); err != nil {
		return err
	}
	prog, err := s.newProgram(f, true, isLate)
	if err != nil {
		return err
	}
	thread, leave := s.enter(file)
	defer leave()
	if err := s.ctx.Err(); err != nil {
		return err
	}
	defer func(outer environment) { s.running = outer }(s.running)
	s.running = env
	return s.init(prog, thread)
}

// docString is the text that a file begins with.
func docString(f *syntax.File) starlark.Value {
	if len(f.Stmts) > 0 {
		if e, ok := f.Stmts[0].(*syntax.ExprStmt); ok {
			if lit, ok := e.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
				return starlark.String(lit.Value.(string))
			}
		}
	}
	return starlark.None
}

// importer is the file that the import which runs stands in, nil for a cell.
func importer(thread *starlark.Thread) *FileModule {
	if frame := value.FrameOf(thread, 1); frame.Pos.IsValid() {
		return Of(thread).fileOf(frame.Pos.Filename())
	}
	return nil
}

// fileOf is the module of a file by what errors call it, nil if it is none, or a cell.
func (s *Session) fileOf(file string) *FileModule {
	for i := len(s.loading) - 1; i >= 0; i-- { // one that runs, if the same file has several names
		if m, ok := s.loading[i].(*FileModule); ok && s.shown(m.path) == file {
			return m
		}
	}
	for _, m := range s.imports {
		if m.path != "" && s.shown(m.path) == file {
			return m
		}
	}
	return nil
}

// SetAutoReload says whether imported files that have changed are read again before each cell.
func (s *Session) SetAutoReload(on bool) { s.auto = on }

// ReloadChanged does so once.
func (s *Session) ReloadChanged() { s.reloadChanged(s.ctx) }

// reloadChanged reads the imported files again that have changed, and binds names of cells that
// were imported from them to what the files have under these names by now.
func (s *Session) reloadChanged(ctx context.Context) {
	changed := slices.DeleteFunc(slices.Collect(maps.Values(s.imports)), func(m *FileModule) bool {
		return !m.ran || s.current(m, map[loaded]bool{})
	})
	slices.SortFunc(changed, func(a, b *FileModule) int { return strings.Compare(a.name, b.name) })
	for _, m := range changed {
		old := m.globals.env
		err := s.Protect(ctx, m.name, func(*starlark.Thread) error { return s.refresh(m, m.path) })
		if err != nil {
			s.Print("stderr", fmt.Sprintf("autoreload: %s keeps its old version: %v\n", m.name, err))
			continue
		}
		for _, name := range s.env.Assigned() {
			if v, ok := m.globals.env.Lookup(name); ok && m.Has(name) && isSame(old.Get(name), s.env.Get(name)) {
				s.env.Set(name, v)
			}
		}
	}
}

// isSame reports whether two values are one object, such as a function. Equal numbers may be
// anybody's.
func isSame(x, y starlark.Value) bool {
	return x != nil && y != nil && reflect.TypeOf(x).Kind() == reflect.Pointer && x == y
}

// stem is the name of a file without folder and extension.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
