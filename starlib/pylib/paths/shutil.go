package paths

import (
	"io"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type copyArgs struct {
	From value.FilePath `arg:"src: the file"`
	To   value.FilePath `arg:"dst: the new file, or the folder that it comes into"`
	_    struct{}       `arg:"*:"`
	Link bool           `arg:"follow_symlinks=True: without effect: what a link leads to is copied"`
}

// copyFile copies the bytes of a file.
func (w *walker) copyFile(from, to string) error {
	info, err := w.stat(from)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return value.Failure("IsADirectoryError", "%s is a folder: use copytree", from)
	case w.resolved(from) == w.resolved(to):
		return value.Failure("shutil.SameFileError", "%s and %s are the same file", from, to)
	}
	in, err := w.s.Files().Open(w.s.Path(from))
	if err != nil {
		return rows.FileError(from, err)
	}
	defer in.Close()
	out, err := w.s.Files().Create(w.s.Path(to))
	if err != nil {
		return rows.FileError(to, err)
	}
	const part = 1 << 20
	for err == nil {
		w.poll.Ask(part)
		_, err = io.CopyN(out, in, part)
	}
	if err == io.EOF {
		err = nil
	}
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return rows.FileError(to, err)
	}
	return nil
}

// into is the name that a copy gets: that of the file in a folder.
func (w *walker) into(from, to string) string {
	if w.isDir(to) {
		_, base := split(strings.TrimRight(from, "/"))
		return within(to, base)
	}
	return to
}

// copyTree copies a folder with all that it holds; skip names what stays behind.
func (w *walker) copyTree(from, to string, there bool, skip func(dir string, names []string) (map[string]bool, error)) error {
	entries, err := w.list(from)
	if err != nil {
		return err
	}
	if err := w.made(to, true, there); err != nil {
		return err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	left, err := skip(from, names)
	for _, name := range names {
		switch a, b := within(from, name), within(to, name); {
		case err != nil:
			return err
		case left[name]:
		case w.isDir(a):
			err = w.copyTree(a, b, there, skip)
		default:
			err = w.copyFile(a, b)
		}
	}
	return err
}

func copying(name, doc string, folder bool) value.Builtin {
	return value.Function(name, doc, `open("a", "w").write("x"); shutil.`+name+`("a", "b") # "b"`, func(thread *starlark.Thread, a *copyArgs) (starlark.Value, error) {
		w, to := walkerOf(thread), string(a.To)
		if folder {
			to = w.into(string(a.From), to)
		}
		return starlark.String(to), w.copyFile(string(a.From), to)
	})
}

// ignoring asks a function of the user's which names of a folder stay behind.
func ignoring(thread *starlark.Thread, fn starlark.Value) func(dir string, names []string) (map[string]bool, error) {
	return func(dir string, names []string) (map[string]bool, error) {
		if fn == nil {
			return nil, nil
		}
		v, err := value.Call(thread, fn, starlark.Tuple{starlark.String(dir), rows.Texts(names)}, nil)
		if err != nil {
			return nil, err
		}
		items, err := rows.Elements(thread, v)
		left := map[string]bool{}
		for _, x := range items {
			if name, ok := starlark.AsString(x); ok {
				left[name] = true
			}
		}
		return left, err
	}
}

var shutilModule = value.NewLazyModule("shutil", "Copies, moves and removes files and folders.", func() []value.Member {
	return append(rows.Exceptions("shutil", "shutil.Error", "shutil.SameFileError"), rows.Functions("shutil", shutilTable())...)
})

func shutilTable() []value.Builtin {
	return []value.Builtin{
		copying("copy", "Copies a file, into a folder under its name, and returns the new name.", true),
		copying("copy2", "The same as copy.", true),
		copying("copyfile", "Copies a file, and returns the new name.", false),
		value.Function("copytree", "Copies a folder with all that it holds, and returns the new name.", `import os; os.makedirs("a/b"); shutil.copytree("a", "c"); os.listdir("c") # ["b"]`, func(thread *starlark.Thread, a *struct {
			From   value.FilePath `arg:"src: the folder"`
			To     value.FilePath `arg:"dst: the new one"`
			Links  bool           `arg:"symlinks=False: without effect: what links lead to is copied"`
			Ignore starlark.Value `arg:"ignore=None: a function of a folder and its names, of what is left out: see ignore_patterns"`
			Copy   starlark.Value `arg:"copy_function=None: without effect"`
			Loose  bool           `arg:"ignore_dangling_symlinks=False: without effect"`
			There  bool           `arg:"dirs_exist_ok=False: no error if the new folder is there"`
		}) (starlark.Value, error) {
			w, from, to := walkerOf(thread), string(a.From), string(a.To)
			if strings.HasPrefix(w.resolved(to)+"/", w.resolved(from)+"/") {
				return nil, value.Failure("shutil.Error", "cannot copy %s into itself, %s", from, to)
			}
			return starlark.String(to), w.copyTree(from, to, a.There, ignoring(thread, a.Ignore))
		}),
		value.Function("ignore_patterns", "A function for copytree that leaves out names that fit patterns.", `sorted(shutil.ignore_patterns("*.pyc")(".", ["a.py", "a.pyc"])) # ["a.pyc"]`, func(_ *starlark.Thread, a *struct {
			Patterns starlark.Tuple `arg:"*patterns: patterns with *, ? and [...]"`
		}) (starlark.Value, error) {
			return starlark.NewBuiltin("ignore", func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
				if len(args) != 2 {
					return nil, value.Failure("TypeError", "ignore: got %d arguments, want a folder and its names", len(args))
				}
				names, err := rows.Elements(thread, args[1])
				var left []starlark.Value
				for _, n := range names {
					name, _ := starlark.AsString(n)
					for _, pat := range a.Patterns {
						text, _ := starlark.AsString(pat)
						if ok, wrong := fits(text, name); err == nil && ok {
							left = append(left, n)
						} else if wrong != nil {
							err = wrong
						}
					}
				}
				if err != nil {
					return nil, err
				}
				return value.SetOf(thread, starlark.Tuple(left))
			}), nil
		}),
		value.Function("move", "Moves a file or folder, and returns the new name.", `open("a", "w").write("x"); shutil.move("a", "b") # "b"`, func(thread *starlark.Thread, a *struct {
			From value.FilePath `arg:"src: the file or folder"`
			To   value.FilePath `arg:"dst: the new name, or the folder that it comes into"`
			Copy starlark.Value `arg:"copy_function=None: without effect"`
		}) (starlark.Value, error) {
			w, from := walkerOf(thread), string(a.From)
			to := w.into(from, string(a.To))
			if _, err := w.stat(to); err == nil && to != string(a.To) {
				return nil, value.Failure("shutil.Error", "Destination path '%s' already exists", to)
			}
			return starlark.String(to), w.rename(from, to)
		}),
		value.Function("rmtree", "Removes a folder with all that it holds.", `import os; os.makedirs("a/b"); shutil.rmtree("a"); os.listdir() # []`, func(thread *starlark.Thread, a *struct {
			Path   value.FilePath `arg:"path: the folder"`
			Ignore bool           `arg:"ignore_errors=False: what cannot be removed stays"`
			Error  starlark.Value `arg:"onerror=None: without effect"`
		}) (starlark.Value, error) {
			w, name := walkerOf(thread), string(a.Path)
			info, err := w.stat(name)
			switch {
			case err == nil && !info.IsDir():
				err = value.Failure("NotADirectoryError", "%s is a file", name)
			case err == nil && w.isLink(name):
				err = value.Failure("OSError", "Cannot call rmtree on a symbolic link")
			case err == nil:
				err = w.remove(name)
			}
			if a.Ignore {
				err = nil
			}
			return starlark.None, err
		}),
	}
}
