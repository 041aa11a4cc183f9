package pylib

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	value.Function("remove", "Removes a file.", `open("a", "w").write("abc"); os.remove("a"); os.listdir() # []`,
		func(thread *starlark.Thread, a *pathArg) (starlark.Value, error) {
			s := session.Of(thread)
			path := s.Path(string(a.Path))
			info, err := s.Files().Stat(path)
			if err == nil && info.IsDir() {
				return nil, failure("IsADirectoryError", "remove: %s is a folder", a.Path)
			}
			if err == nil || !errors.Is(err, fs.ErrNotExist) {
				err = s.Files().Remove(path)
			}
			if err != nil {
				return nil, noFile(string(a.Path), err)
			}
			return starlark.None, nil
		}),
	value.Function("rename", "Gives a file another name, or puts it into another folder.",
		`open("a", "w").write("abc"); os.rename("a", "b"); os.listdir() # ["b"]`, func(thread *starlark.Thread, a *struct {
			From value.FilePath `arg:"src: the file"`
			To   value.FilePath `arg:"dst: its name then"`
		}) (starlark.Value, error) {
			s := session.Of(thread)
			if err := s.Files().Rename(s.Path(string(a.From)), s.Path(string(a.To))); err != nil {
				return nil, noFile(string(a.From), err)
			}
			return starlark.None, nil
		}),
}

var pathModule = value.NewModule("os.path", "Paths.", value.Builtins(importing("os", pathTable))...)

// osModule is os of a session.
func osModule(s *session.Session) *value.Module {
	return module("os", "Files and the environment. What programs could do to other programs is left out.", osTable,
		value.Member{Name: "path", Value: pathModule, Doc: "Paths.", Example: `import os; os.path # <module "os.path">`},
		value.Member{Name: "environ", Value: environ{"environ", s}, Doc: "The variables of the environment, to read; with the flag sandbox only " + strings.Join(harmless, ", ") + ".",
			Example: `import os; "MISSING" in os.environ # False`},
		constant("os", "sep", starlark.String("/"), "What separates the parts of a path."),
		constant("os", "linesep", starlark.String("\n"), "What ends a line."),
		constant("os", "name", starlark.String("posix"), "The kind of the system."),
		constant("os", "curdir", starlark.String("."), "The folder in which relative paths begin."))
}

// environ is os.environ of a session. It cannot be changed: what reads the environment, such as the
// flags, has read it when the program began.
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

func (environ) SetKey(k, v starlark.Value) error {
	return fmt.Errorf("os.environ is read only: flags are set by config.floatX = \"float32\" or THEANO_FLAGS before the program starts")
}

func (e environ) Iterate() starlark.Iterator { return list(e.names()).Iterate() }
func (e environ) Items() []starlark.Tuple {
	var items []starlark.Tuple
	for _, name := range e.names() {
		items = append(items, starlark.Tuple{starlark.String(name), starlark.String(os.Getenv(name))})
	}
	return items
}

// names are the names of the environment's variables, of those that may be read, sorted.
func (e environ) names() []string {
	var names []string
	all := !confined(e.s)
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); all || slices.Contains(harmless, name) {
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
