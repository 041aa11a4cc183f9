// Package paths is the modules of Python that find, copy and remove files: pathlib, glob, shutil
// and tempfile. All of it goes through the session's files.Door, so that the flag sandbox holds.
package paths

import (
	"io/fs"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Open opens a file as the function open does. Package pylib sets it when the program starts.
var Open func(thread *starlark.Thread, name, mode, encoding string) (starlark.Value, error)

// Modules are the modules by name.
var Modules = []*value.Module{pathlibModule, globModule, shutilModule, tempfileModule}

// Types are the tables of the values that the modules make.
func Types() []*value.Methods {
	return []*value.Methods{pureMethods(), pathMethods(), statMethods(), folderMethods(), tempMethods()}
}

// A walker looks at files for a session.
type walker struct {
	s    *session.Session
	poll tensor.Poll
}

func walkerOf(thread *starlark.Thread) *walker {
	return &walker{session.Of(thread), value.PollOf(thread)}
}

// stat describes a file; nil if it is not there, or cannot be reached.
func (w *walker) stat(name string) (fs.FileInfo, error) {
	info, err := w.s.Files().Stat(w.s.Path(name))
	if err != nil {
		return nil, rows.FileError(name, err)
	}
	return info, nil
}

func (w *walker) isDir(name string) bool {
	info, err := w.stat(name)
	return err == nil && info.IsDir()
}

// list lists a folder.
func (w *walker) list(name string) ([]fs.DirEntry, error) {
	w.poll.Ask(1000)
	entries, err := w.s.Files().List(w.s.Path(name))
	if err != nil {
		return nil, rows.FileError(name, err)
	}
	return entries, nil
}

// within is a name in a folder, "" for the one in which relative paths begin.
func within(dir, name string) string {
	if dir == "" || strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// remove removes a file, or a folder with all that it holds.
func (w *walker) remove(name string) error {
	if info, err := w.stat(name); err == nil && info.IsDir() && !w.isLink(name) {
		entries, err := w.list(name)
		for _, e := range entries {
			if err == nil {
				err = w.removeEntry(name, e)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := w.s.Files().Remove(w.s.Path(name)); err != nil {
		return rows.FileError(name, err)
	}
	return nil
}

// removeEntry removes what a folder holds; a link goes, and not the file that it leads to.
func (w *walker) removeEntry(dir string, e fs.DirEntry) error {
	name := within(dir, e.Name())
	if e.IsDir() {
		return w.remove(name)
	}
	if err := w.s.Files().Remove(w.s.Path(name)); err != nil {
		return rows.FileError(name, err)
	}
	return nil
}

// isLink reports whether a name is that of a link, as its folder lists it.
func (w *walker) isLink(name string) bool {
	dir, base := split(strings.TrimRight(name, "/"))
	if dir == "" {
		dir = "."
	}
	entries, err := w.s.Files().List(w.s.Path(dir))
	for _, e := range entries {
		if err == nil && e.Name() == base {
			return e.Type()&fs.ModeSymlink != 0
		}
	}
	return false
}

// split is the folder of a name, without slash behind it, and the last part.
func split(name string) (dir, base string) {
	i := strings.LastIndexByte(name, '/')
	if dir = name[:i+1]; len(dir) > 1 {
		dir = dir[:len(dir)-1]
	}
	return dir, name[i+1:]
}
