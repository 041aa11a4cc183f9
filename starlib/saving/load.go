package saving

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/graphfile"
	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/npy"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func load(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	s := symbolic.SessionOf(thread)
	name, err := fileName(v[0])
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	var into []named
	filling := v[1] != nil && v[1] != starlark.None
	if filling { // before the file is read
		if into, err = readTargets(v[1]); err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
	}
	var loaded starlark.Value = starlark.None
	err = open(s, name, func(names []string, read func(string) (*tensor.Dense, error), program *safetensors.File) error {
		switch {
		case program != nil && filling:
			return fmt.Errorf("into: %s holds functions and graphs, which are loaded whole: theano.load(%q)", name, name)
		case program != nil:
			loaded, err = readProgram(s, calledHere(s, name, graphfile.Checksum(program)), program, stopOf(s))
			return wrapped(name, err)
		}
		arrays, err := readAll(s, name, names, read)
		switch {
		case err != nil:
			return err
		case filling:
			return fill(into, name, names, arrays)
		}
		d := slot.NewDict(len(names))
		loaded = d
		for i, n := range names {
			if err := d.SetKey(starlark.String(n), np.NewArray(s, arrays[i])); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	return loaded, nil
}

func loadMetadata(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	d := new(slot.Dict)
	name, err := fileName(v[0])
	if err == nil {
		err = openFile(symbolic.SessionOf(thread), name, func(file io.ReaderAt, size int64, start []byte) error {
			if isZip(start) || isArray(start) {
				return fmt.Errorf("%s: got a file of NumPy's, which has no metadata; a .safetensors or .arignote file has", name)
			}
			f, err := safetensors.Open(file, size)
			if err != nil {
				return wrapped(name, err)
			}
			metadata := graphfile.Own(f.Metadata())
			for _, key := range slices.Sorted(maps.Keys(metadata)) {
				if err := d.SetKey(starlark.String(key), starlark.String(metadata[key])); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("load_metadata: %w", err)
	}
	return d, nil
}

func wrapped(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readTargets reads what is to be filled: shared variables, each once.
func readTargets(v starlark.Value) ([]named, error) {
	into, err := readNamed("into", v)
	if err != nil {
		return nil, err
	}
	seen := make(map[any]string)
	for _, n := range into {
		x, ok := sharedOf(n.v)
		if !ok {
			return nil, tensor.TypeErrorf("into[%q]: got %s, want a shared variable", n.name, n.v.Type())
		}
		if other, twice := seen[x]; twice {
			return nil, fmt.Errorf("into: %q and %q are the same shared variable", other, n.name)
		}
		seen[x] = n.name
	}
	return into, nil
}

func isZip(start []byte) bool   { return bytes.HasPrefix(start, []byte("PK")) }
func isArray(start []byte) bool { return bytes.HasPrefix(start, []byte("\x93NUMPY")) }

// openFile calls f with a file, and with how it begins.
func openFile(s *symbolic.Session, name string, f func(file io.ReaderAt, size int64, start []byte) error) error {
	file, err := s.Files().Open(s.Path(name))
	if err != nil {
		return np.FileError(name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return np.FileError(name, err)
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a directory, want a file", name)
	}
	start := make([]byte, 6)
	n, err := file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return np.FileError(name, err)
	}
	return f(files.HeardReader{Context: s.Context(), From: file}, info.Size(), start[:n])
}

// open opens a file, whatever its suffix: use is given the names of its arrays and what reads one,
// or a file of functions and graphs.
func open(s *symbolic.Session, name string, use func(names []string, read func(string) (*tensor.Dense, error), program *safetensors.File) error) error {
	return openFile(s, name, func(file io.ReaderAt, size int64, start []byte) error {
		switch {
		case isZip(start):
			z, err := npy.ReadZip(file, size)
			if err != nil {
				return wrapped(name, err)
			}
			if twice := z.Twice(); twice != "" {
				return fmt.Errorf("%s: two arrays are called %q: np.load(%q) takes the last of them", name, twice, name)
			}
			return use(z.Names(), z.Array, nil)
		case isArray(start):
			return fmt.Errorf("%s: got a single array without a name: np.load(%q) reads it", name, name)
		}
		f, err := safetensors.Open(file, size)
		if err != nil {
			return fmt.Errorf("%s: no .npz, no .safetensors and no .arignote: %w", name, err)
		}
		if graphfile.IsGraphs(f) {
			return use(nil, nil, f)
		}
		var names []string
		for _, a := range f.Arrays() {
			names = append(names, a.Name)
		}
		return use(names, f.Array, nil)
	})
}

// readAll reads the arrays of a file.
func readAll(s *symbolic.Session, name string, names []string, read func(name string) (*tensor.Dense, error)) (arrays []*tensor.Dense, err error) {
	for _, n := range names {
		if err := stopOf(s)(); err != nil {
			return nil, err
		}
		d, err := read(n)
		if err != nil {
			return nil, wrapped(name, err)
		}
		arrays = append(arrays, d)
	}
	return arrays, nil
}

// fill sets shared variables to the arrays of their names. It says all that does not fit, and then
// sets none.
func fill(into []named, file string, names []string, arrays []*tensor.Dense) error {
	found := make(map[string]*tensor.Dense, len(names))
	for i, n := range names {
		found[n] = arrays[i]
	}
	var missing, extra, wrong []string
	wanted := make(map[string]bool, len(into))
	for _, n := range into {
		wanted[n.name] = true
		x, _ := sharedOf(n.v)
		now, d := x.Shared.Get(), found[n.name]
		switch {
		case d == nil:
			missing = append(missing, n.name)
		case d.DType() != x.Type.DType || tensor.ShapeString(d.Shape()) != tensor.ShapeString(now.Shape()):
			wrong = append(wrong, fmt.Sprintf("%s is %v of shape %s there and %v of shape %s here", n.name, d.DType(), tensor.ShapeString(d.Shape()),
				x.Type.DType, tensor.ShapeString(now.Shape())))
		}
	}
	for _, n := range names {
		if !wanted[n] {
			extra = append(extra, n)
		}
	}
	var faults []string
	for _, f := range []struct {
		what string
		list []string
	}{{"it has no ", missing}, {"into has no ", extra}, {"", wrong}} {
		if len(f.list) > 0 {
			faults = append(faults, f.what+strings.Join(f.list, ", "))
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s does not fit, and nothing is changed: %s; theano.load(%q) without into gives its arrays", file, strings.Join(faults, "; "), file)
	}
	for _, n := range into {
		n.v.(symbolic.Symbol).SetShared("load changes", found[n.name], true)
	}
	return nil
}
