package storage

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/npy"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An Archive is the value NpzFile: the arrays of a .npz file by name. The file is opened for each
// array that is asked for, and not kept open: what holds no file need not be closed.
type Archive struct {
	session    value.Host
	name, path string // of the file, as the user named it and as it is opened
	names      []string
}

var (
	_ starlark.HasAttrs        = (*Archive)(nil)
	_ starlark.IterableMapping = (*Archive)(nil)
	_ starlark.Sequence        = (*Archive)(nil)
)

func newArchive(s value.Host, name, path string) (starlark.Value, error) {
	a := &Archive{session: s, name: name, path: path}
	return a, a.open(func(f *npy.Archive) error {
		a.names = f.Names()
		return nil
	})
}

// open calls f with the file.
func (a *Archive) open(f func(*npy.Archive) error) error {
	door := files.Open()
	if a.session != nil {
		door = a.session.Files()
	}
	file, err := door.Open(a.path)
	if err != nil {
		return np.FileError(a.name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return np.FileError(a.name, err)
	}
	z, err := npy.ReadZip(files.HeardReader{Context: np.ContextOf(a.session), From: file}, info.Size())
	if err == nil {
		err = f(z)
	}
	return np.FileError(a.name, err)
}

func (a *Archive) Type() string          { return "NpzFile" }
func (a *Archive) String() string        { return fmt.Sprintf("NpzFile(%q, %q)", a.name, a.names) }
func (a *Archive) Freeze()               {}
func (a *Archive) Truth() starlark.Bool  { return true }
func (a *Archive) Hash() (uint32, error) { return 0, errors.New("unhashable type: NpzFile") }

// Get reads an array.
func (a *Archive) Get(k starlark.Value) (v starlark.Value, found bool, err error) {
	name, ok := starlark.AsString(k)
	if !ok {
		return nil, false, fmt.Errorf("NpzFile: got a key of type %s, want string", k.Type())
	}
	if !slices.Contains(a.names, name) {
		return nil, false, nil
	}
	var d npy.Values
	err = a.open(func(f *npy.Archive) (err error) {
		d, err = f.Values(name)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return arrayOf(a.session, d), true, nil
}

// Len is how many arrays there are.
func (a *Archive) Len() int { return len(a.names) }

// Iterate yields the names.
func (a *Archive) Iterate() starlark.Iterator { return a.list().Iterate() }

func (a *Archive) list() *slot.List {
	var list []starlark.Value
	for _, name := range a.names {
		list = append(list, starlark.String(name))
	}
	return slot.NewList(list)
}

// Items reads all arrays. It is for Starlark's dict and such, which have no way to hear of an
// error: an array that cannot be read makes the statement fail.
func (a *Archive) Items() []starlark.Tuple {
	items, err := a.items()
	if err != nil {
		if a.session == nil {
			panic(err.Error())
		}
		a.session.CancelTruth(err.Error())
	}
	return items
}

func (a *Archive) items() ([]starlark.Tuple, error) {
	var items []starlark.Tuple
	for _, name := range a.names {
		v, _, err := a.Get(starlark.String(name))
		if err != nil {
			return nil, err
		}
		items = append(items, starlark.Tuple{starlark.String(name), v})
	}
	return items, nil
}

// archiveExample is what examples begin with.
const archiveExample = "np.savez(\"a.npz\", x=[1, 2]); np.load(\"a.npz\")."

func archiveRow(name, doc, result string, fn func(a *Archive) (starlark.Value, error)) value.Builtin {
	return np.ArgRow("NpzFile.", name, doc, archiveExample+name+"()"+result, func(e *np.Eval, _ *struct{}) starlark.Value {
		v, err := fn(e.Receiver().(*Archive))
		return np.Keep(e, v, err, nil)
	})
}

var archiveMethods = sync.OnceValue(func() *value.Methods {
	return value.NewMethods("NpzFile", []value.Builtin{
		archiveRow("keys", "The names of the arrays.", " # [\"x\"]", func(a *Archive) (starlark.Value, error) { return a.list(), nil }),
		archiveRow("close", "Does nothing: the file is not kept open.", "",
			func(*Archive) (starlark.Value, error) { return starlark.None, nil }),
		archiveRow("values", "The arrays, read one after the other.", " # [array([1, 2])]", func(a *Archive) (starlark.Value, error) {
			items, err := a.items()
			var list []starlark.Value
			for _, item := range items {
				list = append(list, item[1])
			}
			return slot.NewList(list), err
		}),
		archiveRow("items", "The names and arrays, as tuples.", " # [(\"x\", array([1, 2]))]", func(a *Archive) (starlark.Value, error) {
			items, err := a.items()
			var list []starlark.Value
			for _, item := range items {
				list = append(list, item)
			}
			return slot.NewList(list), err
		}),
	}).With(value.FieldOf("files", "The names of the arrays.", archiveExample+"files # [\"x\"]",
		func(a *Archive) starlark.Value { return a.list() }))
})

func (a *Archive) Table() *value.Methods { return archiveMethods() }
func (a *Archive) AttrNames() []string   { return archiveMethods().Names() }

func (a *Archive) Attr(name string) (starlark.Value, error) { return archiveMethods().Attr(a, name) }
