package saving

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/graph"
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

// A format is how a file is written.
type format struct {
	suffix string
	write  func(s *symbolic.Session, values starlark.Value, metadata map[string]string) (func(w io.Writer) error, error)
}

// formats are the files that save writes, by their suffix.
var formats = []format{
	{".npz", ofArrays(func(w io.Writer, names []string, arrays []*tensor.Dense, _ map[string]string) error {
		return npy.WriteZip(w, names, arrays, false)
	}, func(_ []string, _ []*tensor.Dense, metadata map[string]string) error {
		if len(metadata) > 0 {
			return fmt.Errorf("metadata: an .npz has no place for it: the suffix .safetensors has")
		}
		return nil
	})},
	{".safetensors", ofArrays(safetensors.Write, safetensors.Check)},
	{graphfile.Suffix, ofProgram},
}

// formatOf is the format of a name's suffix.
func formatOf(name string) (format, error) {
	for _, f := range formats {
		if strings.HasSuffix(strings.ToLower(name), f.suffix) {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("path: got the suffix %q, want .npz or .safetensors for arrays, or .arignote for functions and graphs", filepath.Ext(name))
}

// ofArrays is the write of a format of arrays under names.
func ofArrays(write func(w io.Writer, names []string, arrays []*tensor.Dense, metadata map[string]string) error,
	check func(names []string, arrays []*tensor.Dense, metadata map[string]string) error) func(*symbolic.Session, starlark.Value, map[string]string) (func(io.Writer) error, error) {
	return func(_ *symbolic.Session, values starlark.Value, metadata map[string]string) (func(io.Writer) error, error) {
		names, arrays, err := readArrayValues(values)
		if err != nil {
			return nil, err
		}
		if err := check(names, arrays, metadata); err != nil {
			return nil, err
		}
		return func(w io.Writer) error { return write(w, names, arrays, metadata) }, nil
	}
}

// Table is what the module theano has of this package.
var Table = []value.Builtin{
	{Name: "save", Params: []value.Param{
		{Name: "path", Doc: "the file's name, which says its format: .npz or .safetensors for arrays, .arignote for functions and graphs"},
		{Name: "values", Doc: "for arrays a dict from names to shared variables, arrays or numbers, or a list of shared variables, under their names; in .arignote a function, " +
			"a symbolic variable, or a list, tuple or dict of them, of arrays, numbers and text, which load gives back in the same form"},
		{Name: "metadata", Default: "None", Doc: "a dict from strings to strings that describes them, for .safetensors and .arignote; load_metadata gives it back"},
	}, Doc: "Writes values to a file. What was there before stays until all is written. Functions are written with the values of their shared variables, which those that are saved together " +
		"share again, and with the text of the lines that made them: another machine compiles and runs them without the source.",
		Example: `theano.save("w.safetensors", {"W": shared(np.ones(2), name="W")}); theano.load("w.safetensors") # {"W": array([1., 1.])}`, Fn: save},
	{Name: "load", Params: []value.Param{
		{Name: "path", Doc: "the name of a file that save, np.savez or another writer of .npz or .safetensors made"},
		{Name: "into", Default: "None", Doc: "what to fill: a dict from names to shared variables, or a list of shared variables, by their names. " +
			"The file must have their names, shapes and element types and no others; if not, none is changed"},
	}, Doc: "The arrays of a file as a dict, in the file's order; None if they fill shared variables. F16 and BF16 become float32. Of a file of functions and graphs what was saved: " +
		"functions are compiled anew, and go on where they were, random numbers too.",
		Example: `theano.save("w.npz", {"b": [1.0, 2.0]}); b = shared(np.zeros(2), name="b"); theano.load("w.npz", into=[b]); b.get_value() # array([1., 2.])`, Fn: load},
	{Name: "load_metadata", Params: []value.Param{{Name: "path", Doc: "the name of a .safetensors or .arignote file"}},
		Doc:     "What save was given as metadata: a dict. No array is read.",
		Example: `theano.save("w.safetensors", {"b": [1.0]}, metadata={"epoch": "3"}); theano.load_metadata("w.safetensors") # {"epoch": "3"}`, Fn: loadMetadata},
}

// named is a value with the name that it has in the file.
type named struct {
	name string
	v    starlark.Value
}

// readNamed reads a dict by name, or a list of shared variables, which have names.
func readNamed(param string, v starlark.Value) (list []named, err error) {
	switch v := v.(type) {
	case starlark.IterableMapping:
		for _, item := range v.Items() {
			name, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("%s: got a key of type %s, want string", param, item[0].Type())
			}
			list = append(list, named{name, item[1]})
		}
	case symbolic.Symbol, starlark.String, *np.Array:
		return nil, fmt.Errorf("%s: got %s, want a dict from names to values, or a list of shared variables", param, v.Type())
	case starlark.Iterable:
		i := 0
		for e := range starlark.Elements(v) {
			x, ok := sharedOf(e)
			switch {
			case !ok:
				return nil, tensor.TypeErrorf("%s[%d]: got %s, want a shared variable; for values without names pass a dict", param, i, e.Type())
			case x.Name == "":
				return nil, fmt.Errorf("%s[%d]: the shared variable has no name: shared(value, name=\"W\"), or pass a dict", param, i)
			}
			for j, other := range list {
				if other.name == x.Name {
					return nil, fmt.Errorf("%s: items %d and %d are both called %s: pass a dict with names that differ", param, j, i, x.Name)
				}
			}
			list = append(list, named{x.Name, e})
			i++
		}
	default:
		return nil, fmt.Errorf("%s: got %s, want a dict from names to values, or a list of shared variables", param, v.Type())
	}
	return list, nil
}

// sharedOf is the shared variable that v is.
func sharedOf(v starlark.Value) (*graph.Variable, bool) {
	x, ok := v.(symbolic.Symbol)
	if !ok || x.Variable().Shared == nil {
		return nil, false
	}
	return x.Variable(), true
}

func save(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	metadata, err := readMetadata(v[2])
	if err == nil {
		err = saveFile(symbolic.SessionOf(thread), v[0], v[1], metadata)
	}
	if err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	return starlark.None, nil
}

// Function is f.save(path).
func Function(s *symbolic.Session, path, f starlark.Value) error { return saveFile(s, path, f, nil) }

// readMetadata reads a dict from strings to strings.
func readMetadata(v starlark.Value) (map[string]string, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	d, ok := v.(*slot.Dict)
	if !ok {
		return nil, fmt.Errorf("metadata: got %s, want a dict from strings to strings", v.Type())
	}
	metadata := make(map[string]string)
	for _, pair := range d.Items() {
		key, isText := starlark.AsString(pair[0])
		text, ok := starlark.AsString(pair[1])
		switch {
		case !isText:
			return nil, fmt.Errorf("metadata: got a key of type %s, want string", pair[0].Type())
		case !ok:
			return nil, fmt.Errorf("metadata[%q]: got %s, want a string: str(x) makes one", key, pair[1].Type())
		case !utf8.ValidString(key) || !utf8.ValidString(text):
			return nil, fmt.Errorf("metadata[%q]: got a text that is no UTF-8", key)
		}
		metadata[key] = text
	}
	return metadata, nil
}

// fileName reads an argument that is the name of a file.
func fileName(v starlark.Value) (string, error) {
	name, ok := value.PathOf(v)
	if !ok {
		return "", fmt.Errorf("path: got %s, want the name of a file", v.Type())
	}
	if name == "" {
		return "", fmt.Errorf("path: got \"\", want the name of a file")
	}
	return name, nil
}

// saveFile writes values in the format of the name's suffix.
func saveFile(s *symbolic.Session, path, values starlark.Value, metadata map[string]string) error {
	name, err := fileName(path)
	if err != nil {
		return err
	}
	f, err := formatOf(name)
	if err != nil {
		return err
	}
	write, err := f.write(s, values, metadata)
	if err != nil {
		return err
	}
	err = s.Files().Replace(s.Path(name), func(w io.Writer) error { return write(files.HeardWriter{Context: s.Context(), To: w}) })
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no directory for %s", name)
	}
	return np.FileError(name, err)
}

// readArrayValues reads what a file of arrays is to hold.
func readArrayValues(values starlark.Value) (names []string, arrays []*tensor.Dense, err error) {
	if f, ok := values.(*symbolic.Function); ok {
		return nil, nil, fmt.Errorf("values: %s is a compiled function, and such a file holds arrays: a path that ends in %s holds functions", f.Name(), graphfile.Suffix)
	}
	list, err := readNamed("values", values)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range list {
		d, err := arrayOf(n.v)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("%q: %w", n.name, err)
		case n.name == "":
			return nil, nil, fmt.Errorf("values: got the name \"\", want one that says what the value is")
		}
		names, arrays = append(names, n.name), append(arrays, d)
	}
	return names, arrays, nil
}

// arrayOf is the value of a shared variable, or an array.
func arrayOf(v starlark.Value) (*tensor.Dense, error) {
	if x, ok := v.(symbolic.Symbol); ok {
		switch u := x.Variable(); {
		case u.Shared != nil:
			return u.Shared.Get(), nil
		case u.IsConstant():
			return u.Data, nil
		default:
			return nil, fmt.Errorf("%s has no value: save shared variables, or what a function computed; a path that ends in %s holds graphs", graph.Mention(u), graphfile.Suffix)
		}
	}
	if f, ok := v.(*symbolic.Function); ok {
		return nil, fmt.Errorf("%s is a compiled function, and such a file holds arrays: a path that ends in %s holds functions", f.Name(), graphfile.Suffix)
	}
	return np.ToDense(v)
}
