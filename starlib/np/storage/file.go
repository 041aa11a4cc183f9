package storage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/npy"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type (
	fileArg struct {
		File starlark.Value `arg:"file: its name"`
	}
	pickleArg struct {
		Pickle starlark.Value `arg:"allow_pickle=False: without effect, since objects are neither written nor read"`
	}
)

// refuse is an error for an argument whose parameter is there to be refused by name.
func refuse(e *np.Eval, param string, v starlark.Value) {
	if v != nil && v != starlark.False {
		e.FailFor(param, "not in Arignote")
	}
}

// fileTable is the files of arrays in NumPy's formats and without any.
var fileTable = []functions.Function{
	np.Function("np.save", "Writes an array to a file of NumPy's format .npy, which is added to a name without it.",
		"save(\"a\", [1, 2]); np.load(\"a.npy\") # array([1, 2])", func(e *np.Eval, a *struct {
			fileArg
			X starlark.Value `arg:"arr: an array"`
			pickleArg
		}) starlark.Value {
			x, err := valuesOf(e, a.X)
			if err != nil {
				e.FailFor("arr", "%w", err)
				return nil
			}
			return e.None(save(e, "file", a.File, ".npy", func(w io.Writer) error { return npy.WriteValues(w, x) }))
		}),
	np.Function("np.savez", "Writes arrays to a file of NumPy's format .npz, which is added to a name without it.",
		"savez(\"a\", [0], x=[1, 2]); np.load(\"a.npz\")[\"x\"] # array([1, 2])",
		func(e *np.Eval, a *zipArgs) starlark.Value { return e.None(saveZip(e, a, false)) }),
	np.Function("np.savez_compressed", "Writes arrays to a compressed file of NumPy's format .npz.",
		"savez_compressed(\"a\", x=[1, 2]); np.load(\"a.npz\").files # [\"x\"]",
		func(e *np.Eval, a *zipArgs) starlark.Value { return e.None(saveZip(e, a, true)) }),
}

// readTable is the functions that read them, whose examples begin with those that write.
var readTable = []value.Builtin{
	np.ArgRow("np.", "load", "The array of a .npy file, or the arrays of a .npz file by name.",
		"np.save(\"a.npy\", [1, 2]); np.load(\"a.npy\") # array([1, 2])", load),
	np.ArgRow("np.", "fromfile", "The bytes of a file as a vector.",
		"np.array([1, 2]).tofile(\"a.bin\"); np.fromfile(\"a.bin\", dtype=\"int64\") # array([1, 2])", fromFile),
}

// fileMethods is the methods of arrays that write files.
var fileMethods = []value.Builtin{
	np.ArgRow("ndarray.", "tofile", "Writes the bytes of the elements, in C order, to a file.",
		"np.array([1, 2]).tofile(\"a.bin\"); np.fromfile(\"a.bin\", dtype=int) # array([1, 2])", func(e *np.Eval, a *struct {
			File      starlark.Value `arg:"fid: the name of the file"`
			Separator starlark.Value `arg:"sep=\"\": no text; see savetxt"`
		}) starlark.Value {
			refuseText(e, a.Separator)
			return e.None(save(e, "fid", a.File, "", func(w io.Writer) error {
				return npy.WriteElements(w, e.Self().D)
			}))
		}),
}

// bytesOf is the memory of a C-contiguous array.
func bytesOf(d *tensor.Dense) []byte {
	return tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset()))
}

// file is an argument that is the name of a file, and its path.
func fileOf(e *np.Eval, param string, v starlark.Value) (name, path string) {
	name, ok := value.PathOf(v)
	switch {
	case !ok:
		e.FailFor(param, "got %s, want the name of a file", v.Type())
	case name == "":
		e.FailFor(param, "got \"\", want the name of a file")
	}
	return name, e.Path(name)
}

// save writes the file that an argument names, with the suffix unless it is there.
func save(e *np.Eval, param string, file starlark.Value, suffix string, write func(w io.Writer) error) error {
	name, _ := fileOf(e, param, file)
	if e.Failed() {
		return e.Err
	}
	if !strings.HasSuffix(name, suffix) {
		name += suffix
	}
	err := e.Door().Replace(e.Path(name), func(w io.Writer) error { return write(files.HeardWriter{Context: e.Context(), To: w}) })
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no directory for %s", name)
	}
	return np.FileError(name, err)
}

// zipArgs are the arguments of savez.
type zipArgs struct {
	fileArg
	List  starlark.Tuple `arg:"*args: arrays that are to be called arr_0, arr_1, ..."`
	Named *slot.Dict     `arg:"**kwds: arrays by name"`
}

// valuesOf is an array, or what np.array makes one of, as files have it.
func valuesOf(e *np.Eval, v starlark.Value) (npy.Values, error) {
	if p, ok := v.(np.Paired); ok {
		return npy.Values{Dense: p.Pairs(), Complex: true}, nil
	}
	d, err := np.ToDenseIn(e.Session, v)
	if err != nil {
		if z, _ := np.CallFunction(e.Thread, "array", starlark.Tuple{v}, nil); z != nil {
			if p, ok := z.(np.Paired); ok {
				return npy.Values{Dense: p.Pairs(), Complex: true}, nil
			}
		}
	}
	return npy.Values{Dense: d}, err
}

// arrayOf is the array of what a file has.
func arrayOf(s value.Host, v npy.Values) starlark.Value {
	if v.Complex {
		return np.ArrayOfPairs(s, v.Dense)
	}
	return np.NewArray(s, v.Dense)
}

func saveZip(e *np.Eval, a *zipArgs, compress bool) error {
	var names []string
	var arrays []npy.Values
	add := func(name string, v starlark.Value) error {
		d, err := valuesOf(e, v)
		if err != nil {
			return fmt.Errorf("for %s: %w", name, err)
		}
		if slices.Contains(names, name) {
			return fmt.Errorf("got two arrays of the name %s, want another keyword", name)
		}
		names, arrays = append(names, name), append(arrays, d)
		return nil
	}
	for i, v := range a.List {
		if err := add(fmt.Sprintf("arr_%d", i), v); err != nil {
			return err
		}
	}
	for _, item := range a.Named.Items() {
		if err := add(string(item[0].(starlark.String)), item[1]); err != nil {
			return err
		}
	}
	return save(e, "file", a.File, ".npz", func(w io.Writer) error { return npy.WriteZipValues(w, names, arrays, compress) })
}

func load(e *np.Eval, a *struct {
	fileArg
	Map starlark.Value `arg:"mmap_mode=None: not in Arignote"`
	pickleArg
}) starlark.Value {
	refuse(e, "mmap_mode", a.Map)
	name, path := fileOf(e, "file", a.File)
	if e.Failed() {
		return nil
	}
	v, err := open(e, name, path)
	return np.Keep(e, v, err, nil)
}

// open reads the array of a file, or the names of the arrays that it has.
func open(e *np.Eval, name, path string) (starlark.Value, error) {
	f, err := e.Door().Open(path)
	if err != nil {
		return nil, np.FileError(name, err)
	}
	defer f.Close()
	defer files.Listen(e.Context(), f)()
	start := make([]byte, 2)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, np.FileError(name, err)
	}
	if bytes.Equal(start[:n], []byte("PK")) {
		return newArchive(e.Session, name, path)
	}
	d, err := npy.ReadValues(files.HeardReader{Context: e.Context(), From: f})
	if err != nil {
		return nil, np.FileError(name, err)
	}
	return arrayOf(e.Session, d), nil
}

// refuseText is an error for a separator: text where bytes are meant.
func refuseText(e *np.Eval, separator starlark.Value) {
	if separator != nil && separator != starlark.String("") {
		e.FailFor("sep", "got %s, want \"\": for text use np.loadtxt and np.savetxt", value.Repr(separator))
	}
}

func fromFile(e *np.Eval, a *struct {
	fileArg
	DType     kernels.DType  `arg:"dtype=None: the elements' type, such as \"float32\" or np.float32"`
	Count     int            `arg:"count=-1: how many elements; -1 for all"`
	Separator starlark.Value `arg:"sep=\"\": no text; see loadtxt"`
	Offset    int            `arg:"offset=0: how many bytes to leave out first"`
}) starlark.Value {
	name, path := fileOf(e, "file", a.File)
	refuseText(e, a.Separator)
	if a.Count < -1 || a.Offset < 0 {
		e.Fail("got count %d and offset %d, want numbers that are not negative, or -1 for count", a.Count, a.Offset)
	}
	if e.Failed() {
		return nil
	}
	z, err := elements(e, path, cmp.Or(a.DType, kernels.Float64), a.Count, a.Offset)
	return e.Array1(z, np.FileError(name, err))
}

// elements reads elements from the bytes of a file, behind the first offset; all of them if count
// is negative.
func elements(e *np.Eval, path string, dtype kernels.DType, count, offset int) (*tensor.Dense, error) {
	f, err := e.Door().Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	most := int(max(0, info.Size()-int64(offset))) / dtype.Size()
	if count < 0 || count > most {
		count = most
	}
	if err := tensor.CheckSize(dtype.Size(), []int{count}); err != nil {
		return nil, err
	}
	z := tensor.Empty(dtype, count)
	_, err = io.ReadFull(io.NewSectionReader(files.HeardReader{Context: e.Context(), From: f}, int64(offset), int64(z.NBytes())), bytesOf(z))
	if dtype.IsBool() { // bytes may be others than 0 and 1
		z = z.View(kernels.Uint8, z.Shape(), z.Strides(), z.Offset()).AsType(kernels.Bool)
	}
	return z, err
}

var _ = np.Add(np.Addition{
	Functions: slices.Concat(fileTable, textTable), Builtins: readTable, Methods: fileMethods,
	Types: func() []*value.Methods { return []*value.Methods{archiveMethods()} },
})
