package paths

import (
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// on is the row of a method that looks at files.
func on[A any](name, doc, example string, fn func(w *walker, thread *starlark.Thread, p path, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import pathlib; "+example, func(thread *starlark.Thread, p path, a *A) (starlark.Value, error) {
		return fn(walkerOf(thread), thread, p, a)
	})
}

// checked is the row of a method that asks what a path leads to.
func checked(name, doc, example string, is func(info fs.FileInfo) bool) value.Builtin {
	return on(name, doc, example, func(w *walker, _ *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
		info, err := w.stat(p.Str())
		return starlark.Bool(err == nil && is(info)), nil
	})
}

type openArgs struct {
	Mode     string         `arg:"mode=\"r\": r to read, w to write, a to append; b for bytes"`
	Buffer   int            `arg:"buffering=-1: without effect"`
	Encoding string         `arg:"encoding=\"utf-8\": utf-8, ascii or latin1"`
	Errors   starlark.Value `arg:"errors=None: without effect: what is no text is an error"`
	Newline  starlark.Value `arg:"newline=None: without effect: \\r\\n is read as \\n"`
}

type textArgs struct {
	Encoding string         `arg:"encoding=\"utf-8\": utf-8, ascii or latin1"`
	Errors   starlark.Value `arg:"errors=None: without effect: what is no text is an error"`
}

// opened calls a method of a file that is opened for it.
func opened(thread *starlark.Thread, name, mode, encoding, method string, args ...starlark.Value) (starlark.Value, error) {
	f, err := Open(thread, name, mode, encoding)
	if err != nil {
		return nil, err
	}
	call := func(name string, args ...starlark.Value) (starlark.Value, error) {
		fn, err := value.Attr(f, name)
		if err != nil {
			return nil, err
		}
		return value.Call(thread, fn, args, nil)
	}
	v, err := call(method, args...)
	if _, closing := call("close"); err == nil {
		err = closing
	}
	return v, err
}

type globArg struct {
	Pattern string `arg:"pattern: a pattern with *, ?, [...] and **"`
}

// matches are the paths below p that fit a pattern.
func (w *walker) matches(p path, pattern string) ([]starlark.Value, error) {
	if pattern == "" {
		return nil, value.Failure("ValueError", "Unacceptable pattern: ''")
	}
	if strings.HasPrefix(pattern, "/") {
		return nil, value.Failure("NotImplementedError", "Non-relative patterns are unsupported")
	}
	s := &search{walker: w, root: p.text, hidden: true, deep: true, folders: true}
	end := ""
	if strings.HasSuffix(pattern, "/") {
		end = "/" // folders alone
	}
	found, err := s.find(clean(pattern) + end)
	var all []starlark.Value
	for _, name := range found {
		all = append(all, p.with(within(p.text, name)))
	}
	return all, err
}

func globbing(name, doc, example, before string) value.Builtin {
	return on(name, doc, example, func(w *walker, thread *starlark.Thread, p path, a *globArg) (starlark.Value, error) {
		pattern := a.Pattern
		if pattern != "" {
			pattern = before + pattern
		}
		all, err := w.matches(p, pattern)
		if err != nil {
			return nil, err
		}
		return iterator(thread, all), nil
	})
}

type missingArg struct {
	Missing bool `arg:"missing_ok=False: no error if it is not there"`
}

type targetArg struct {
	Target value.FilePath `arg:"target: the new name"`
}

func (w *walker) rename(from, to string) error {
	if err := w.s.Files().Rename(w.s.Path(from), w.s.Path(to)); err != nil {
		return rows.FileError(from, err)
	}
	return nil
}

// made makes a folder, as Path.mkdir says.
func (w *walker) made(name string, parents, there bool) error {
	make := w.s.Files().Make
	if parents {
		if info, err := w.stat(name); err != nil {
			make = w.s.Files().MakeAll
		} else if !there || !info.IsDir() {
			return rows.FileError(name, fs.ErrExist)
		} else {
			return nil
		}
	}
	err := make(w.s.Path(name))
	if err != nil && there && w.isDir(name) {
		return nil
	}
	if err != nil {
		return rows.FileError(name, err)
	}
	return nil
}

// ofPath is the row of a function of the class.
func ofPath[A any](name, doc, example string, fn func(w *walker, a *A) (starlark.Value, error)) value.Builtin {
	b := value.Function(name, doc, "import pathlib; "+example, func(thread *starlark.Thread, a *A) (starlark.Value, error) { return fn(walkerOf(thread), a) })
	b.OfType = true
	return b
}

// home is ~ written out; with the flag sandbox programs may not know it.
func (w *walker) home() (path, error) {
	if dir, err := os.UserHomeDir(); err == nil && !w.s.Config().Bool("sandbox") {
		return path{text: clean(dir)}, nil
	}
	return path{}, value.Failure("RuntimeError", "Could not determine home directory.")
}

var pathMethods = rows.Lazily("pathlib.PosixPath", func() []value.Builtin { return slices.Concat(pureRows("Path"), lookRows(), changeRows()) }, pathFields("Path")...)

// lookRows are the methods that look at files.
func lookRows() []value.Builtin {
	return []value.Builtin{
		on("absolute", "The path from the root.", `pathlib.Path("a").absolute().is_absolute() # True`, func(w *walker, _ *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			return p.with(w.absolute(p.Str())), nil
		}),
		ofPath("cwd", "The folder in which relative paths begin.", `pathlib.Path.cwd() == pathlib.Path(".").absolute() # True`, func(w *walker, _ *rows.None) (starlark.Value, error) {
			return path{text: clean(w.s.Dir())}, nil
		}),
		checked("exists", "Whether there is a file or folder.", `pathlib.Path("missing").exists() # False`, func(fs.FileInfo) bool { return true }),
		on("expanduser", "The path with ~ written out.", `pathlib.Path("a").expanduser() # PosixPath("a")`, func(w *walker, _ *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			rest, ok := strings.CutPrefix(p.text, "~")
			if !ok || rest != "" && rest[0] != '/' {
				return p, nil
			}
			home, err := w.home()
			return p.with(home.text + rest), err
		}),
		globbing("glob", "An iterator over the paths below that fit a pattern.", `open("a.py", "w"); [p.name for p in pathlib.Path(".").glob("*.py")] # ["a.py"]`, ""),
		ofPath("home", "The user's folder.", `hasattr(pathlib.Path, "home") # True`, func(w *walker, _ *rows.None) (starlark.Value, error) { return w.home() }),
		checked("is_dir", "Whether there is a folder.", `pathlib.Path(".").is_dir() # True`, fs.FileInfo.IsDir),
		checked("is_file", "Whether there is a file.", `pathlib.Path(".").is_file() # False`, func(info fs.FileInfo) bool { return info.Mode().IsRegular() }),
		on("is_symlink", "Whether it is a link.", `pathlib.Path(".").is_symlink() # False`, func(w *walker, _ *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			return starlark.Bool(w.isLink(p.Str())), nil
		}),
		on("iterdir", "An iterator over what a folder holds.", `open("a", "w"); [p.name for p in pathlib.Path(".").iterdir()] # ["a"]`, func(w *walker, thread *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			entries, err := w.list(p.Str())
			if err != nil {
				return nil, err
			}
			all := make([]starlark.Value, len(entries))
			for i, e := range entries {
				all[i] = p.with(within(p.text, e.Name()))
			}
			return iterator(thread, all), nil
		}),
		on("open", "Opens the file.", `pathlib.Path("a").open("w").write("abc") # 3`, func(_ *walker, thread *starlark.Thread, p path, a *openArgs) (starlark.Value, error) {
			return Open(thread, p.Str(), a.Mode, a.Encoding)
		}),
		on("read_bytes", "The bytes of the file.", `pathlib.Path("a").write_bytes(b"ab"); pathlib.Path("a").read_bytes() # b"ab"`, func(_ *walker, thread *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			return opened(thread, p.Str(), "rb", "utf-8", "read")
		}),
		on("read_text", "The text of the file.", `pathlib.Path("a").write_text("ab"); pathlib.Path("a").read_text() # "ab"`, func(_ *walker, thread *starlark.Thread, p path, a *textArgs) (starlark.Value, error) {
			return opened(thread, p.Str(), "r", a.Encoding, "read")
		}),
		on("resolve", "The path from the root, without .. in it; links stay what they are.", `pathlib.Path("a/..").resolve() == pathlib.Path.cwd() # True`,
			func(w *walker, _ *starlark.Thread, p path, a *struct {
				Strict bool `arg:"strict=False: an error if it is not there"`
			}) (starlark.Value, error) {
				if _, err := w.stat(p.Str()); a.Strict && err != nil {
					return nil, err
				}
				return p.with(w.resolved(p.Str())), nil
			}),
		globbing("rglob", "An iterator over the paths in all folders below that fit a pattern.", `open("a.py", "w"); len(list(pathlib.Path(".").rglob("*.py"))) # 1`, "**/"),
		on("samefile", "Whether two paths lead to the same file.", `pathlib.Path(".").samefile("a/..") # True`, func(w *walker, _ *starlark.Thread, p path, a *struct {
			Other value.FilePath `arg:"other_path: a path"`
		}) (starlark.Value, error) {
			x, err := w.stat(p.Str())
			if err != nil {
				return nil, err
			}
			y, err := w.stat(w.resolved(string(a.Other)))
			return starlark.Bool(err == nil && os.SameFile(x, y)), err
		}),
		on("stat", "What the system knows of the file.", `pathlib.Path("a").write_text("abc"); pathlib.Path("a").stat().st_size # 3`, func(w *walker, _ *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			info, err := w.stat(p.Str())
			if err != nil {
				return nil, err
			}
			return &stat{"os.stat_result", info}, nil
		}),
	}
}

// changeRows are the methods that change files.
func changeRows() []value.Builtin {
	return []value.Builtin{
		on("mkdir", "Makes a folder.", `pathlib.Path("a/b").mkdir(parents=True); pathlib.Path("a/b").is_dir() # True`, func(w *walker, _ *starlark.Thread, p path, a *struct {
			Mode    int  `arg:"mode=511: without effect"`
			Parents bool `arg:"parents=False: those that it is in are made too"`
			There   bool `arg:"exist_ok=False: no error if it is there"`
		}) (starlark.Value, error) {
			return nil, w.made(p.Str(), a.Parents, a.There)
		}),
		on("rename", "Gives a file another name, and returns that.", `pathlib.Path("a").write_text("x"); pathlib.Path("a").rename("b") # PosixPath("b")`, func(w *walker, _ *starlark.Thread, p path, a *targetArg) (starlark.Value, error) {
			return p.with(string(a.Target)), w.rename(p.Str(), string(a.Target))
		}),
		on("replace", "The same as rename.", `pathlib.Path("a").write_text("x"); pathlib.Path("a").replace("b") # PosixPath("b")`, func(w *walker, _ *starlark.Thread, p path, a *targetArg) (starlark.Value, error) {
			return p.with(string(a.Target)), w.rename(p.Str(), string(a.Target))
		}),
		on("rmdir", "Removes an empty folder.", `p = pathlib.Path("a"); p.mkdir(); p.rmdir(); p.exists() # False`, func(w *walker, _ *starlark.Thread, p path, _ *rows.None) (starlark.Value, error) {
			if info, err := w.stat(p.Str()); err != nil {
				return nil, err
			} else if !info.IsDir() {
				return nil, value.Failure("NotADirectoryError", "%s is a file", p.Str())
			}
			if err := w.s.Files().Remove(w.s.Path(p.Str())); err != nil {
				return nil, rows.FileError(p.Str(), err)
			}
			return nil, nil
		}),
		on("touch", "Makes an empty file, unless it is there.", `pathlib.Path("a").touch(); pathlib.Path("a").is_file() # True`, func(w *walker, thread *starlark.Thread, p path, a *struct {
			Mode  int  `arg:"mode=438: without effect"`
			There bool `arg:"exist_ok=True: no error if it is there"`
		}) (starlark.Value, error) {
			if _, err := w.stat(p.Str()); err == nil {
				if !a.There {
					return nil, rows.FileError(p.Str(), fs.ErrExist)
				}
				return nil, nil
			}
			_, err := opened(thread, p.Str(), "w", "utf-8", "flush")
			return nil, err
		}),
		on("unlink", "Removes a file.", `p = pathlib.Path("a"); p.touch(); p.unlink(); p.exists() # False`, func(w *walker, _ *starlark.Thread, p path, a *missingArg) (starlark.Value, error) {
			if info, err := w.stat(p.Str()); err == nil && info.IsDir() && !w.isLink(p.Str()) {
				return nil, value.Failure("IsADirectoryError", "%s is a folder: use rmdir", p.Str())
			} else if err != nil && a.Missing {
				return nil, nil
			}
			if err := w.s.Files().Remove(w.s.Path(p.Str())); err != nil {
				return nil, rows.FileError(p.Str(), err)
			}
			return nil, nil
		}),
		on("write_bytes", "Writes a file of bytes, and returns how many.", `pathlib.Path("a").write_bytes(b"abc") # 3`, func(_ *walker, thread *starlark.Thread, p path, a *struct {
			Data starlark.Value `arg:"data: bytes"`
		}) (starlark.Value, error) {
			return opened(thread, p.Str(), "wb", "utf-8", "write", a.Data)
		}),
		on("write_text", "Writes a file of text, and returns how many characters.", `pathlib.Path("a").write_text("abc") # 3`, func(_ *walker, thread *starlark.Thread, p path, a *struct {
			Data starlark.Value `arg:"data: text"`
			textArgs
			Newline starlark.Value `arg:"newline=None: without effect"`
		}) (starlark.Value, error) {
			if _, ok := a.Data.(starlark.String); !ok {
				return nil, value.Failure("TypeError", "data must be str, not %s", value.TypeName(a.Data))
			}
			return opened(thread, p.Str(), "w", a.Encoding, "write", a.Data)
		}),
	}
}

// A stat is what Path.stat returns.
type stat struct {
	value.Identity
	info fs.FileInfo
}

func (s *stat) Table() *value.Methods                    { return statMethods() }
func (s *stat) Attr(name string) (starlark.Value, error) { return statMethods().Attr(s, name) }
func (s *stat) AttrNames() []string                      { return statMethods().Names() }

var statMethods = rows.Lazily("os.stat_result", func() []value.Builtin { return nil },
	value.FieldOf("st_mode", "The kind of file and who may do what, in bits.", `import pathlib; pathlib.Path(".").stat().st_mode > 0 # True`, func(s *stat) starlark.Value {
		kind := 0o100000
		if s.info.IsDir() {
			kind = 0o040000
		}
		return starlark.MakeInt(kind | int(s.info.Mode().Perm()))
	}),
	value.FieldOf("st_mtime", "When it was changed, in seconds since 1970.", `import pathlib; pathlib.Path(".").stat().st_mtime > 0 # True`,
		func(s *stat) starlark.Value { return starlark.Float(float64(s.info.ModTime().UnixNano()) / 1e9) }),
	value.FieldOf("st_size", "The bytes.", `import pathlib; pathlib.Path("a").write_text("abc"); pathlib.Path("a").stat().st_size # 3`,
		func(s *stat) starlark.Value { return starlark.MakeInt64(s.info.Size()) }),
)
