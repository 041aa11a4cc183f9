package paths

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// tempDir is the folder of temporary files: with the flag sandbox the one that programs may use.
func (w *walker) tempDir() string {
	if w.s.Config().Bool("sandbox") {
		return w.s.Dir()
	}
	return os.TempDir()
}

// letters are those of the names of temporary files.
const letters = "abcdefghijklmnopqrstuvwxyz0123456789_"

type tempArgs struct {
	Suffix string         `arg:"suffix=\"\": how its name ends"`
	Prefix string         `arg:"prefix=\"tmp\": how its name begins"`
	Dir    value.FilePath `arg:"dir=None: the folder that it comes into"`
}

// fresh makes what has a name that nothing has.
func (w *walker) fresh(a *tempArgs, make func(name string) error) (string, error) {
	dir := string(a.Dir)
	if dir == "" {
		dir = w.tempDir()
	}
	dir = w.absolute(dir)
	var err error
	for range 100 {
		name := []byte(a.Prefix)
		for range 8 {
			name = append(name, letters[rand.IntN(len(letters))])
		}
		path := within(dir, string(name)+a.Suffix)
		if err = make(path); !errors.Is(err, fs.ErrExist) {
			if err != nil {
				err = rows.FileError(path, err)
			}
			return path, err
		}
	}
	return "", rows.FileError(dir, err)
}

func (w *walker) freshDir(a *tempArgs) (string, error) { return w.fresh(a, w.s.Files().Private().Make) }

// A folder is a TemporaryDirectory.
type folder struct {
	value.Identity
	name string
	gone bool
	keep bool
}

func (f *folder) Table() *value.Methods                    { return folderMethods() }
func (f *folder) Attr(name string) (starlark.Value, error) { return folderMethods().Attr(f, name) }
func (f *folder) AttrNames() []string                      { return folderMethods().Names() }
func (f *folder) String() string {
	return "<TemporaryDirectory " + value.Repr(starlark.String(f.name)) + ">"
}

func (f *folder) cleanup(thread *starlark.Thread) error {
	if f.gone {
		return nil
	}
	f.gone = true
	err := walkerOf(thread).remove(f.name)
	if named, ok := err.(*value.KindError); ok && (f.keep || named.Kind == "FileNotFoundError") {
		return nil
	}
	return err
}

type exitArgs struct {
	Args starlark.Tuple `arg:"*args: the error that ends the block, or None"`
}

func ofTemp[T starlark.Value, A any](name, doc, example string, fn func(thread *starlark.Thread, x T, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import tempfile; "+example, fn)
}

var folderMethods = rows.Lazily("tempfile.TemporaryDirectory", func() []value.Builtin {
	return []value.Builtin{
		ofTemp("__enter__", "The name of the folder: with calls it.", `t = tempfile.TemporaryDirectory(dir="."); t.__enter__() == t.name # True`, func(_ *starlark.Thread, f *folder, _ *rows.None) (starlark.Value, error) {
			return starlark.String(f.name), nil
		}),
		ofTemp("__exit__", "Removes the folder: with calls it.", `t = tempfile.TemporaryDirectory(dir="."); t.__exit__(None, None, None); import os; os.listdir() # []`, func(thread *starlark.Thread, f *folder, _ *exitArgs) (starlark.Value, error) {
			return nil, f.cleanup(thread)
		}),
		ofTemp("cleanup", "Removes the folder with all that it holds.", `t = tempfile.TemporaryDirectory(dir="."); t.cleanup(); import os; os.listdir() # []`, func(thread *starlark.Thread, f *folder, _ *rows.None) (starlark.Value, error) {
			return nil, f.cleanup(thread)
		}),
	}
}, value.FieldOf("name", "The folder.", `import tempfile; len(tempfile.TemporaryDirectory(dir=".").name) > 0 # True`, func(f *folder) starlark.Value { return starlark.String(f.name) }))

// A temp is a NamedTemporaryFile: an open file that is removed when it is closed.
type temp struct {
	value.Identity
	file starlark.Value
	name string
	keep bool
	gone bool
}

var _ starlark.Iterable = (*temp)(nil)

func (t *temp) Table() *value.Methods { return tempMethods() }
func (t *temp) AttrNames() []string {
	return append(tempMethods().Names(), value.AttrNames(t.file)...)
}
func (t *temp) Attr(name string) (starlark.Value, error) {
	if m := tempMethods(); m.Rows[name] != nil || m.Field(name) != nil {
		return m.Attr(t, name)
	}
	return value.Attr(t.file, name)
}

// Iterate goes through the lines of the file.
func (t *temp) Iterate() starlark.Iterator { return t.file.(starlark.Iterable).Iterate() }

func (t *temp) close(thread *starlark.Thread) error {
	if t.gone {
		return nil
	}
	t.gone = true
	fn, err := value.Attr(t.file, "close")
	if err == nil {
		_, err = value.Call(thread, fn, nil, nil)
	}
	if !t.keep && err == nil {
		err = walkerOf(thread).remove(t.name)
		if named, ok := err.(*value.KindError); ok && named.Kind == "FileNotFoundError" {
			err = nil
		}
	}
	return err
}

var tempMethods = rows.Lazily("tempfile.NamedTemporaryFile", func() []value.Builtin {
	return []value.Builtin{
		ofTemp("__enter__", "The file: with calls it.", `tempfile.NamedTemporaryFile("w", dir=".").__enter__().write("a") # 1`, func(_ *starlark.Thread, t *temp, _ *rows.None) (starlark.Value, error) { return t, nil }),
		ofTemp("__exit__", "Closes and removes the file: with calls it.", `t = tempfile.NamedTemporaryFile(dir="."); t.__exit__(None, None, None); import os; os.listdir() # []`, func(thread *starlark.Thread, t *temp, _ *exitArgs) (starlark.Value, error) {
			return nil, t.close(thread)
		}),
		ofTemp("close", "Closes and removes the file.", `t = tempfile.NamedTemporaryFile(dir="."); t.close(); import os; os.listdir() # []`, func(thread *starlark.Thread, t *temp, _ *rows.None) (starlark.Value, error) {
			return nil, t.close(thread)
		}),
	}
}, value.FieldOf("name", "Its name.", `import tempfile; tempfile.NamedTemporaryFile(dir=".", suffix=".x").name.endswith(".x") # True`, func(t *temp) starlark.Value { return starlark.String(t.name) }))

// tempFile makes an open file.
func tempFile(name, doc, example string) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *struct {
		Mode     string         `arg:"mode=\"w+b\": as that of open"`
		Buffer   int            `arg:"buffering=-1: without effect"`
		Encoding string         `arg:"encoding=\"utf-8\": utf-8, ascii or latin1"`
		Newline  starlark.Value `arg:"newline=None: without effect"`
		tempArgs
		Delete bool `arg:"delete=True: the file is removed when it is closed"`
	}) (starlark.Value, error) {
		w := walkerOf(thread)
		path, err := w.fresh(&a.tempArgs, func(name string) error {
			f, err := w.s.Files().Private().CreateNew(name)
			if err == nil {
				err = f.Close()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		file, err := Open(thread, path, a.Mode, a.Encoding)
		if err != nil {
			w.remove(path)
			return nil, err
		}
		return &temp{Identity: "tempfile.NamedTemporaryFile", file: file, name: path, keep: !a.Delete}, nil
	})
}

var tempfileModule = value.NewLazyModule("tempfile", "Files and folders for a while.", func() []value.Member {
	return rows.Functions("tempfile", []value.Builtin{
		tempFile("NamedTemporaryFile", "An open file that is removed when it is closed.", `f = tempfile.NamedTemporaryFile("w", dir="."); f.write("abc") # 3`),
		value.Function("TemporaryDirectory", "A folder that with removes at its end.", `t = tempfile.TemporaryDirectory(dir="."); t.cleanup(); import os; os.path.exists(t.name) # False`, func(thread *starlark.Thread, a *struct {
			tempArgs
			Ignore bool `arg:"ignore_cleanup_errors=False: what cannot be removed stays"`
		}) (starlark.Value, error) {
			name, err := walkerOf(thread).freshDir(&a.tempArgs)
			return &folder{Identity: "tempfile.TemporaryDirectory", name: name, keep: a.Ignore}, err
		}),
		tempFile("TemporaryFile", "An open file that is removed when it is closed.", `f = tempfile.TemporaryFile(dir="."); f.write(b"abc") # 3`),
		value.Function("gettempdir", "The folder of temporary files; with the flag sandbox the one in which relative paths begin.", `len(tempfile.gettempdir()) > 0 # True`, func(thread *starlark.Thread, _ *rows.None) (starlark.Value, error) {
			return starlark.String(walkerOf(thread).tempDir()), nil
		}),
		value.Function("mkdtemp", "Makes a folder, which stays, and returns its name.", `import os; os.path.isdir(tempfile.mkdtemp(dir=".")) # True`, func(thread *starlark.Thread, a *tempArgs) (starlark.Value, error) {
			name, err := walkerOf(thread).freshDir(a)
			return starlark.String(name), err
		}),
		value.Function("mkstemp", "Is refused: there are no numbers of files. NamedTemporaryFile opens one.", `hasattr(tempfile, "mkstemp") # True`, func(*starlark.Thread, *tempArgs) (starlark.Value, error) {
			return nil, value.Failure("NotImplementedError", "tempfile.mkstemp returns the number of a file, which nothing here takes: use tempfile.NamedTemporaryFile(delete=False)")
		}),
	})
})
