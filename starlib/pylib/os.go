package pylib

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type pathArg struct {
	Path value.FilePath `arg:"path: a path"`
}

// textOf is a function of a path that looks at no file.
func textOf(name, doc, example string, fn func(path string) starlark.Value) value.Builtin {
	return value.Function(name, doc, example, func(_ *starlark.Thread, a *pathArg) (starlark.Value, error) { return fn(string(a.Path)), nil })
}

// stat is a function of what a path leads to; info is nil if that is nothing, or cannot be reached.
func stat(name, doc, example string, fn func(info fs.FileInfo, err error) (starlark.Value, error)) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *pathArg) (starlark.Value, error) {
		s := session.Of(thread)
		info, err := s.Files().Stat(s.Path(string(a.Path)))
		if err != nil {
			info, err = nil, noFile(string(a.Path), err)
		}
		return fn(info, err)
	})
}

// noFile is the error of the system for a file, as Python names it.
var noFile = rows.FileError

var pathTable = []value.Builtin{
	absolute("abspath", "The path from the root, without . and .. in it.", `os.path.abspath("/a/../b") # "/b"`),
	textOf("basename", "What follows the last slash.", `os.path.basename("a/b.txt") # "b.txt"`, func(path string) starlark.Value {
		return starlark.String(path[strings.LastIndexByte(path, '/')+1:])
	}),
	textOf("dirname", "What precedes the last slash.", `os.path.dirname("a/b.txt") # "a"`,
		func(path string) starlark.Value { return starlark.String(dirname(path)) }),
	stat("exists", "Whether there is a file or folder.", `os.path.exists("missing") # False`, func(info fs.FileInfo, _ error) (starlark.Value, error) {
		return starlark.Bool(info != nil), nil
	}),
	value.Function("expanduser", "The path with ~ written out; as it is where nobody may know the home directory: with the flag sandbox.",
		`os.path.expanduser("a") # "a"`, func(thread *starlark.Thread, a *pathArg) (starlark.Value, error) {
			path := string(a.Path)
			if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') && !confined(session.Of(thread)) {
				if home, err := os.UserHomeDir(); err == nil {
					path = home + rest
				}
			}
			return starlark.String(path), nil
		}),
	stat("getsize", "The bytes of a file.", `open("a", "w").write("abc"); os.path.getsize("a") # 3`, func(info fs.FileInfo, err error) (starlark.Value, error) {
		if err != nil {
			return nil, err
		}
		return starlark.MakeInt64(info.Size()), nil
	}),
	stat("getmtime", "When a file was changed, in seconds since 1970.", `open("a", "w").write("abc"); os.path.getmtime("a") > 0 # True`,
		func(info fs.FileInfo, err error) (starlark.Value, error) {
			if err != nil {
				return nil, err
			}
			return starlark.Float(float64(info.ModTime().UnixNano()) / 1e9), nil
		}),
	textOf("isabs", "Whether a path begins at the root.", `os.path.isabs("a") # False`, func(path string) starlark.Value {
		return starlark.Bool(strings.HasPrefix(path, "/"))
	}),
	stat("isdir", "Whether there is a folder.", `os.path.isdir(".") # True`, func(info fs.FileInfo, _ error) (starlark.Value, error) {
		return starlark.Bool(info != nil && info.IsDir()), nil
	}),
	stat("isfile", "Whether there is a file.", `os.path.isfile(".") # False`, func(info fs.FileInfo, _ error) (starlark.Value, error) {
		return starlark.Bool(info != nil && info.Mode().IsRegular()), nil
	}),
	value.Function("join", "The paths one after the other, with slashes between; one from the root drops those before it.",
		`os.path.join("a", "b/", "c") # "a/b/c"`,
		func(_ *starlark.Thread, a *struct {
			Path value.FilePath `arg:"path: a path"`
			More starlark.Tuple `arg:"*paths: further ones"`
		}) (starlark.Value, error) {
			path := string(a.Path)
			for _, v := range a.More {
				p, ok := value.PathOf(v)
				switch {
				case !ok:
					return nil, fmt.Errorf("join: got %s, want a path", v.Type())
				case strings.HasPrefix(p, "/"):
					path = p
				case path == "" || strings.HasSuffix(path, "/"):
					path += p
				default:
					path += "/" + p
				}
			}
			return starlark.String(path), nil
		}),
	textOf("normpath", "The path without . and .. in it.", `os.path.normpath("a//./b/..") # "a"`, func(path string) starlark.Value {
		return starlark.String(clean(path))
	}),
	absolute("realpath", "abspath; links stay what they are.", `os.path.realpath("/a/./b") # "/a/b"`),
	textOf("split", "The pair of dirname and basename.", `os.path.split("a/b") # ("a", "b")`, func(path string) starlark.Value {
		return starlark.Tuple{starlark.String(dirname(path)), starlark.String(path[strings.LastIndexByte(path, '/')+1:])}
	}),
	textOf("splitext", "The pair of the path without its extension, and that.", `os.path.splitext("a/b.tar.gz") # ("a/b.tar", ".gz")`,
		func(path string) starlark.Value {
			base := path[strings.LastIndexByte(path, '/')+1:]
			ext := filepath.Ext(strings.TrimLeft(base, "."))
			return starlark.Tuple{starlark.String(strings.TrimSuffix(path, ext)), starlark.String(ext)}
		}),
}

// absolute is the row of a function that gives the path from the root.
func absolute(name, doc, example string) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *pathArg) (starlark.Value, error) {
		// A name with ~ is one as any other, as in Python.
		if path := string(a.Path); strings.HasPrefix(path, "~") {
			return starlark.String(clean(session.Of(thread).Dir() + "/" + path)), nil
		}
		return starlark.String(clean(session.Of(thread).Path(string(a.Path)))), nil
	})
}

// clean is filepath.Clean, which makes one slash of the two that a path of POSIX may begin with.
func clean(path string) string {
	if strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///") {
		return "/" + filepath.Clean(path)
	}
	return filepath.Clean(path)
}

// dirname is Python's: "a//b" is in "a", "/b" in "/".
func dirname(path string) string {
	head := path[:strings.LastIndexByte(path, '/')+1]
	if trimmed := strings.TrimRight(head, "/"); trimmed != "" {
		return trimmed
	}
	return head
}

var osTable = []value.Builtin{
	value.Function("getcwd", "The folder in which relative paths begin: the notebook's or script's, or that of %cd.",
		`os.getcwd() == os.path.abspath(".") # True`,
		func(thread *starlark.Thread, _ *none) (starlark.Value, error) {
			return starlark.String(session.Of(thread).Dir()), nil
		}),
	value.Function("chdir", "Changes the folder in which relative paths begin, as %cd does.", `os.makedirs("a"); os.chdir("a"); os.path.basename(os.getcwd()) # "a"`,
		func(thread *starlark.Thread, a *struct {
			Path value.FilePath `arg:"path: the folder"`
		}) (starlark.Value, error) {
			s := session.Of(thread)
			dir := s.Path(string(a.Path))
			info, err := s.Files().Stat(dir)
			if err != nil {
				return nil, noFile(string(a.Path), err)
			}
			if !info.IsDir() {
				return nil, failure("NotADirectoryError", "chdir: %s is a file", a.Path)
			}
			s.SetDir(dir)
			return starlark.None, nil
		}),
	value.Function("getenv", "A variable of the environment.", `os.getenv("MISSING", "none") # "none"`, func(thread *starlark.Thread, a *envArg) (starlark.Value, error) {
		return environ{s: session.Of(thread)}.get("os.getenv", a)
	}),
	value.Function("listdir", "The names in a folder, sorted.", `open("a", "w").write("abc"); os.listdir() # ["a"]`, func(thread *starlark.Thread, a *struct {
		Path value.FilePath `arg:"path=\".\": the folder"`
	}) (starlark.Value, error) {
		s := session.Of(thread)
		entries, err := s.Files().List(s.Path(string(a.Path)))
		if err != nil {
			return nil, noFile(string(a.Path), err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return list(names), nil
	}),
	value.Function("makedirs", "Makes a folder, and those that it is in.", `os.makedirs("a/b"); os.listdir("a") # ["b"]`,
		func(thread *starlark.Thread, a *struct {
			Path  value.FilePath `arg:"name: the folder"`
			Mode  int            `arg:"mode=511: without effect"`
			Exist bool           `arg:"exist_ok=False: no error if it is there"`
		}) (starlark.Value, error) {
			s := session.Of(thread)
			path := s.Path(string(a.Path))
			if info, err := s.Files().Stat(path); err == nil {
				if a.Exist && info.IsDir() {
					return starlark.None, nil
				}
				return nil, failure("FileExistsError", "makedirs: %s is there", a.Path)
			}
			if err := s.Files().MakeAll(path); err != nil {
				return nil, noFile(string(a.Path), err)
			}
			return starlark.None, nil
		}),
	value.Function("mkdir", "Makes a folder.", `os.mkdir("a"); os.listdir() # ["a"]`, func(thread *starlark.Thread, a *struct {
		Path value.FilePath `arg:"path: the folder"`
		Mode int            `arg:"mode=511: without effect"`
	}) (starlark.Value, error) {
		s := session.Of(thread)
		if err := s.Files().Make(s.Path(string(a.Path))); err != nil {
			return nil, noFile(string(a.Path), err)
		}
		return starlark.None, nil
	}),
	removing("remove", "Removes a file."),
	removing("unlink", "remove."),
	renaming("rename", "Gives a file another name, or puts it into another folder."),
	renaming("replace", "rename: a file of the new name is gone."),
	value.Function("rmdir", "Removes an empty folder.", `os.mkdir("a"); os.rmdir("a"); os.listdir() # []`, func(thread *starlark.Thread, a *pathArg) (starlark.Value, error) {
		s := session.Of(thread)
		path := s.Path(string(a.Path))
		info, err := s.Files().Stat(path)
		if err == nil && !info.IsDir() {
			return nil, failure("NotADirectoryError", "rmdir: %s is a file", a.Path)
		}
		if err == nil {
			err = s.Files().Remove(path)
		}
		if err != nil {
			return nil, noFile(string(a.Path), err)
		}
		return starlark.None, nil
	}),
	stat("_stat", "The mode, the bytes and the time of the last change of a file.", `open("a", "w").write("abc"); os._stat("a")[1] # 3`, func(info fs.FileInfo, err error) (starlark.Value, error) {
		if err != nil {
			return nil, err
		}
		mode := int(info.Mode().Perm()) | 0o100000
		if info.IsDir() {
			mode = mode&0o777 | 0o040000
		}
		return starlark.Tuple{starlark.MakeInt(mode), starlark.MakeInt64(info.Size()), starlark.Float(float64(info.ModTime().UnixNano()) / 1e9)}, nil
	}),
	value.Function("getpid", "The number of the process.", "os.getpid() > 0 # True", func(*starlark.Thread, *none) (starlark.Value, error) {
		return starlark.MakeInt(os.Getpid()), nil
	}),
	value.Function("cpu_count", "How many cores this process may use.", "os.cpu_count() > 0 # True", func(*starlark.Thread, *none) (starlark.Value, error) {
		return starlark.MakeInt(runtime.NumCPU()), nil
	}),
	value.Function("urandom", "Random bytes, fit for keys.", "len(os.urandom(8)) # 8", func(_ *starlark.Thread, a *struct {
		Size int `arg:"size: how many"`
	}) (starlark.Value, error) {
		if a.Size < 0 || a.Size > 1<<20 {
			return nil, failure("ValueError", "urandom: got %d bytes, want 0 to %d", a.Size, 1<<20)
		}
		b := make([]byte, a.Size)
		rand.Read(b)
		return starlark.Bytes(b), nil
	}),
}

// removing is a function that removes a file.
func removing(name, doc string) value.Builtin {
	return value.Function(name, doc, `open("a", "w").write("abc"); os.`+name+`("a"); os.listdir() # []`,
		func(thread *starlark.Thread, a *pathArg) (starlark.Value, error) {
			s := session.Of(thread)
			path := s.Path(string(a.Path))
			info, err := s.Files().Stat(path)
			if err == nil && info.IsDir() {
				return nil, failure("IsADirectoryError", "%s: %s is a folder", name, a.Path)
			}
			if err == nil || !errors.Is(err, fs.ErrNotExist) {
				err = s.Files().Remove(path)
			}
			if err != nil {
				return nil, noFile(string(a.Path), err)
			}
			return starlark.None, nil
		})
}

// renaming is a function that gives a file another name.
func renaming(name, doc string) value.Builtin {
	return value.Function(name, doc, `open("a", "w").write("abc"); os.`+name+`("a", "b"); os.listdir() # ["b"]`, func(thread *starlark.Thread, a *struct {
		From value.FilePath `arg:"src: the file"`
		To   value.FilePath `arg:"dst: its name then"`
	}) (starlark.Value, error) {
		s := session.Of(thread)
		if err := s.Files().Rename(s.Path(string(a.From)), s.Path(string(a.To))); err != nil {
			return nil, noFile(string(a.From), err)
		}
		return starlark.None, nil
	})
}

var pathModule = value.NewModule("os.path", "Paths.", append(value.Builtins(importing("os", pathTable)),
	constant("os.path", "sep", starlark.String("/"), "What separates the parts of a path."),
	constant("os.path", "curdir", starlark.String("."), "The folder in which relative paths begin."),
	constant("os.path", "pardir", starlark.String(".."), "The folder that a folder is in."))...)

// osModule is os of a session.
func osModule(s *session.Session) *value.Module {
	return module("os", "Files and the environment. What programs could do to other programs is left out.", osTable,
		value.Member{Name: "path", Value: Extended(s, pathModule), Doc: "Paths.", Example: `import os; os.path # <module "os.path">`},
		value.Member{Name: "environ", Value: environ{"environ", s}, Doc: "The variables of the environment; what is set here only this program sees; with the flag sandbox only " + strings.Join(harmless, ", ") + ".",
			Example: `import os; "MISSING" in os.environ # False`},
		constant("os", "sep", starlark.String("/"), "What separates the parts of a path."),
		constant("os", "linesep", starlark.String("\n"), "What ends a line."),
		constant("os", "name", starlark.String("posix"), "The kind of the system."),
		constant("os", "curdir", starlark.String("."), "The folder in which relative paths begin."),
		constant("os", "pardir", starlark.String(".."), "The folder that a folder is in."),
		constant("os", "pathsep", starlark.String(":"), "What separates the paths of a list of them."),
		constant("os", "extsep", starlark.String("."), "What begins an extension."),
		constant("os", "devnull", starlark.String("/dev/null"), "The file that holds nothing."),
		constant("os", "F_OK", starlark.MakeInt(0), "For access: whether it is there."),
		constant("os", "R_OK", starlark.MakeInt(4), "For access."),
		constant("os", "W_OK", starlark.MakeInt(2), "For access."),
		constant("os", "X_OK", starlark.MakeInt(1), "For access."))
}

// environ is os.environ of a session. A variable that a program sets there is seen by that program
// alone; the flags were read from the environment when the program began.
type environ struct {
	class
	s *session.Session
}

var _ starlark.Mapping = environ{}

// harmless are the variables that programs may read with the flag sandbox: how to speak and write
// to the user, and how many threads there are to be. Others have passwords, names of accounts and
// paths.
var harmless = []string{"COLUMNS", "LANG", "LC_ALL", "LINES", "MKL_NUM_THREADS", "NO_COLOR", "OMP_NUM_THREADS", "TERM", "TZ"}

func confined(s *session.Session) bool { return s.Config().Bool("sandbox") }

// lookUp reads a variable for what, which asks for it. That another one than harmless is there may
// not be known either.
func (e environ) lookUp(what, name string) (string, bool, error) {
	if own, ok := e.set()[name]; ok {
		text, isSet := own.(string)
		return text, isSet, nil
	}
	if confined(e.s) && !slices.Contains(harmless, name) {
		return "", false, failure("PermissionError", "%s: got %s: the flag sandbox keeps programs from the variables of the environment, but for %s; "+
			"pass it as an argument of the script, or switch sandbox off where you start Arignote", what, name, strings.Join(harmless, ", "))
	}
	v, ok := os.LookupEnv(name)
	return v, ok, nil
}

type envArg struct {
	Name    string         `arg:"key: its name"`
	Default starlark.Value `arg:"default=None: where there is none"`
}

// get is what Python's get and getenv are.
func (e environ) get(what string, a *envArg) (starlark.Value, error) {
	v, ok, err := e.lookUp(what, a.Name)
	switch {
	case err != nil:
		return nil, err
	case ok:
		return starlark.String(v), nil
	}
	return orNone(a.Default), nil
}

func (e environ) Get(k starlark.Value) (starlark.Value, bool, error) {
	name, _ := starlark.AsString(k)
	v, ok, err := e.lookUp("os.environ", name)
	return starlark.String(v), ok, err
}

// SetKey sets a variable for what asks os.environ after it. Flags were read when the program began.
func (e environ) SetKey(k, v starlark.Value) error {
	name, isText := starlark.AsString(k)
	text, bothText := starlark.AsString(v)
	switch {
	case !isText || !bothText:
		return failure("TypeError", "os.environ: got %s = %s, want text", value.Repr(k), value.Repr(v))
	case config.IsFlagsVariable(name):
		return fmt.Errorf("os.environ: %s is read when Arignote starts: set flags by config.floatX = \"float32\", or %s before that", name, name)
	}
	e.set()[name] = text
	return nil
}

// Delete takes a variable out.
func (e environ) Delete(k starlark.Value) (starlark.Value, bool, error) {
	v, found, err := e.Get(k)
	if err == nil && found {
		name, _ := starlark.AsString(k)
		e.set()[name] = nil
	}
	return v, found, err
}

type environKey struct{}

// set is what the program has set: texts, and nil where it has deleted.
func (e environ) set() map[string]any {
	return e.s.Local(environKey{}, func() any { return map[string]any{} }).(map[string]any)
}

func (e environ) Iterate() starlark.Iterator { return list(e.names()).Iterate() }
func (e environ) Items() []starlark.Tuple {
	var items []starlark.Tuple
	for _, name := range e.names() {
		v, _, _ := e.lookUp("os.environ", name)
		items = append(items, starlark.Tuple{starlark.String(name), starlark.String(v)})
	}
	return items
}

// names are the names of the environment's variables, of those that may be read, sorted.
func (e environ) names() []string {
	var names []string
	all := !confined(e.s)
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); all || slices.Contains(harmless, name) {
			if _, set := e.set()[name]; !set {
				names = append(names, name)
			}
		}
	}
	for name, v := range e.set() {
		if v != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

var environMethods = value.NewMethods("environ", []value.Builtin{
	method("get", "A variable.", `import os; os.environ.get("MISSING", "none") # "none"`, func(_ *starlark.Thread, e environ, a *envArg) (starlark.Value, error) {
		return e.get("os.environ", a)
	}),
	method("items", "The pairs of names and values.", `import os; len(os.environ.items()) > 0 # True`,
		func(_ *starlark.Thread, e environ, _ *none) (starlark.Value, error) {
			var pairs []starlark.Value
			for _, kv := range e.Items() {
				pairs = append(pairs, kv)
			}
			return slot.NewList(pairs), nil
		}),
	method("values", "The values.", `import os; len(os.environ.values()) > 0 # True`, func(_ *starlark.Thread, e environ, _ *none) (starlark.Value, error) {
		var values []starlark.Value
		for _, kv := range e.Items() {
			values = append(values, kv[1])
		}
		return slot.NewList(values), nil
	}),
	method("copy", "A dict of the variables.", `import os; "MISSING" in os.environ.copy() # False`, func(_ *starlark.Thread, e environ, _ *none) (starlark.Value, error) {
		d := new(slot.Dict)
		for _, kv := range e.Items() {
			d.SetKey(kv[0], kv[1])
		}
		return d, nil
	}),
	method("setdefault", "A variable, which is set if it is not there.", `import os; os.environ.setdefault("MISSING", "a") # "a"`,
		func(_ *starlark.Thread, e environ, a *struct {
			Name  string `arg:"key: its name"`
			Value string `arg:"value: text"`
		}) (starlark.Value, error) {
			name := starlark.String(a.Name)
			v, found, err := e.Get(name)
			if err == nil && !found {
				v, err = starlark.String(a.Value), e.SetKey(name, starlark.String(a.Value))
			}
			return v, err
		}),
	method("pop", "Takes a variable out, and returns it.", `import os; os.environ.pop("MISSING", "none") # "none"`,
		func(_ *starlark.Thread, e environ, a *struct {
			Name    string         `arg:"key: its name"`
			Default starlark.Value `arg:"default=None: where there is none; without it that is a KeyError"`
		}) (starlark.Value, error) {
			v, found, err := e.Delete(starlark.String(a.Name))
			switch {
			case err != nil || found:
				return v, err
			case a.Default == nil:
				return nil, slot.KeyFault{Key: starlark.String(a.Name), Text: "missing key"}
			}
			return a.Default, nil
		}),
	method("update", "Sets the variables of a dict.", `import os; os.environ.update({"MISSING": "a"}); os.environ["MISSING"] # "a"`,
		func(_ *starlark.Thread, e environ, a *struct {
			Other starlark.Value `arg:"other: a dict of text"`
		}) (starlark.Value, error) {
			other, ok := value.Held(a.Other).(starlark.IterableMapping)
			if !ok {
				return nil, failure("TypeError", "os.environ.update: got %s, want a dict of text", value.TypeName(a.Other))
			}
			for _, kv := range other.Items() {
				if err := e.SetKey(kv[0], kv[1]); err != nil {
					return nil, err
				}
			}
			return starlark.None, nil
		}),
	method("keys", "The names.", `import os; len(os.environ.keys()) > 0 # True`, func(_ *starlark.Thread, e environ, _ *none) (starlark.Value, error) {
		return list(e.names()), nil
	}),
})

func (e environ) Table() *value.Methods                    { return environMethods }
func (e environ) Attr(name string) (starlark.Value, error) { return environMethods.Attr(e, name) }
func (e environ) AttrNames() []string                      { return environMethods.Names() }

// orNone is v, None if there is none.
func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}
