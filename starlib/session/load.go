package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// A module is a loaded file. Its globals are its own, and frozen once it has run.
type module struct {
	version
	globals starlark.StringDict
}

// A version is that of a file which was read.
type version struct {
	path    string    // absolute
	changed time.Time // modification time
	size    int64
	runs    int   // how often it was read
	uses    []use // files that it loaded or imported
}

// A use is of a file as it was read that time.
type use struct {
	file loaded
	runs int
}

// A loaded file is one that load or import has read.
type loaded interface{ read() *version }

func (v *version) read() *version { return v }

// begin makes v that of a file which is about to run.
func (s *Session) begin(v *version, path string) {
	*v = version{path: path, runs: v.runs + 1}
	if info, err := s.stat(path); err == nil {
		v.changed, v.size = info.ModTime(), info.Size()
	}
}

// uses notes that the file which is being loaded needs another.
func (s *Session) uses(f loaded) {
	if n := len(s.loading); n > 0 {
		v := s.loading[n-1].read()
		v.uses = append(v.uses, use{f, f.read().runs})
	}
}

// load is the thread's answer to load("file.star", ...). A file is read once, and again
// when it, or a file it loads, has changed on disk.
func (s *Session) load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	path := s.resolve(name)
	if i := slices.IndexFunc(s.loading, func(f loaded) bool { return f.read().path == path }); i >= 0 {
		return nil, fmt.Errorf("files load each other in a cycle: %s", s.cycle(i, path))
	}
	if m := s.modules[path]; m != nil && m.globals != nil {
		if s.current(m, map[loaded]bool{}) {
			s.uses(m)
			return m.globals, nil
		}
		s.Print("stderr", fmt.Sprintf("load: %s has changed; objects made from the old version keep it\n", s.shown(path)))
	}
	text, err := readCode(s.Files().Read, path)
	if err != nil {
		return nil, s.NoFile("file", s.shown(path), path, err)
	}
	m := &module{}
	s.begin(&m.version, path)
	s.modules[path] = m
	s.uses(m)
	s.loading = append(s.loading, m)
	defer func() { s.loading = s.loading[:len(s.loading)-1] }()
	globals, err := s.runModule(path, text)
	if err != nil {
		delete(s.modules, path)
		return nil, err
	}
	m.globals = globals
	return globals, nil
}

// cycle shows how the files from the i-th of those being loaded lead to the file at a path.
func (s *Session) cycle(i int, path string) string {
	var files []string
	for _, f := range s.loading[i:] {
		files = append(files, s.shown(f.read().path))
	}
	return strings.Join(append(files, s.shown(path)), " -> ")
}

// runModule runs a file on a thread of its own: a module must not see, nor be seen in,
// the stack of the cell that happened to load it first.
func (s *Session) runModule(path, text string) (starlark.StringDict, error) {
	file := s.shown(path)
	s.sources[file] = Source{}.with(1, text)
	f, err := ParseText(file, text, 1, 1)
	if err != nil {
		return nil, err
	}
	if _, err := s.check(f, s.fileFinds, true, s.base.Keys); err != nil {
		return nil, err
	}
	found := vm.NewGlobals(s.base)
	found.Set("__name__", starlark.String(stem(path)))
	found.Set("__file__", starlark.String(path))
	prog, err := s.newProgram(f, false, found.Has)
	if err != nil {
		return nil, err
	}
	thread, leave := s.enter(file)
	defer leave()
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	globals, err := prog.run(thread, found)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(globals, func(name string, _ starlark.Value) bool { return Hidden(name) })
	globals.Freeze()
	return globals, nil
}

// resolve returns the absolute path of a file named in load(), relative to the
// directory of the file that load stands in; of a cell, to the session's directory.
func (s *Session) resolve(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	dir := s.dir
	if n := len(s.loading); n > 0 {
		dir = filepath.Dir(s.loading[n-1].read().path)
	}
	return filepath.Join(dir, name)
}

// shown returns a path as messages show it: relative if below the session's directory.
func (s *Session) shown(path string) string {
	if rel, err := filepath.Rel(s.dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

// current reports whether a loaded file and all it loaded are as they were read.
func (s *Session) current(f loaded, seen map[loaded]bool) bool {
	if seen[f] {
		return true
	}
	seen[f] = true
	v := f.read()
	if v.path != "" {
		info, err := s.stat(v.path)
		if err != nil || !info.ModTime().Equal(v.changed) || info.Size() != v.size {
			return false
		}
	}
	for _, u := range v.uses {
		if u.file.read().runs != u.runs || !s.current(u.file, seen) {
			return false
		}
	}
	return true
}

// Absolute returns a path that is relative to the session's directory.
func (s *Session) Absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.dir, path)
}

// NoFile is the error for a file or directory, as the user names it, that cannot be looked at; for
// one that is not there, with the nearest name.
func (s *Session) NoFile(kind, name, abs string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no %s %s%s", kind, name, s.NearFile(abs))
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// NearFile is the hint for a file that is not there: the one beside it whose name is most like its
// name.
func (s *Session) NearFile(abs string) string {
	entries, _ := s.Files().List(filepath.Dir(abs))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if n := config.Closest(filepath.Base(abs), names); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// Files is the door through which programs reach files: with the flag sandbox, that to the
// session's first directory.
func (s *Session) Files() *files.Door {
	if !s.config.Bool("sandbox") {
		return files.Open()
	}
	return s.confined()
}

// ForgetFiles makes the next load and import of each file read it again.
func (s *Session) ForgetFiles() {
	clear(s.modules)
	for _, m := range s.imports {
		m.size = -1
	}
}

// Dir is the session's directory.
func (s *Session) Dir() string { return s.dir }

func (s *Session) SetDir(dir string) { s.dir = dir }

// Heard is what reads until the running cell is to end.
func (s *Session) Heard(from io.Reader) io.Reader { return files.Heard{Context: s.ctx, From: from} }

// Listen makes reads of a file that wait end with the running cell, until stop is called.
func (s *Session) Listen(f *os.File) (stop func() bool) { return files.Listen(s.ctx, f) }
