package np

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np/npy"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	fileParam   = "file: its name"
	pickleParam = "allow_pickle=False: without effect, since objects are neither written nor read"
)

// fileTable is the files of arrays in NumPy's formats and without any.
var fileTable = []value.Builtin{
	numpyRow("np.", "save", "Writes an array to a file of NumPy's format .npy, which is added to a name without it.",
		"np.save(\"a\", [1, 2]); np.load(\"a.npy\") # array([1, 2])", func(c *call) (starlark.Value, error) {
			d, err := c.array(1)
			if err != nil {
				return nil, err
			}
			return starlark.None, c.save(0, ".npy", func(w io.Writer) error { return npy.Write(w, d) })
		}, fileParam, "arr: an array", pickleParam),
	numpyRow("np.", "savez", "Writes arrays to a file of NumPy's format .npz, which is added to a name without it.",
		"np.savez(\"a\", [0], x=[1, 2]); np.load(\"a.npz\")[\"x\"] # array([1, 2])",
		func(c *call) (starlark.Value, error) { return saveZip(c, false) }, fileParam,
		"*args: arrays that are to be called arr_0, arr_1, ...", "**kwds: arrays by name"),
	numpyRow("np.", "savez_compressed", "Writes arrays to a compressed file of NumPy's format .npz.",
		"np.savez_compressed(\"a\", x=[1, 2]); np.load(\"a.npz\").files # [\"x\"]",
		func(c *call) (starlark.Value, error) { return saveZip(c, true) }, fileParam,
		"*args: arrays that are to be called arr_0, arr_1, ...", "**kwds: arrays by name"),
	numpyRow("np.", "load", "The array of a .npy file, or the arrays of a .npz file by name.",
		"np.save(\"a.npy\", [1, 2]); np.load(\"a.npy\") # array([1, 2])", load, fileParam,
		"mmap_mode"+refused, pickleParam),
	numpyRow("np.", "fromfile", "The bytes of a file as a vector.",
		"np.array([1, 2]).tofile(\"a.bin\"); np.fromfile(\"a.bin\", dtype=\"int64\") # array([1, 2])", fromFile,
		fileParam, dtypeParam, "count=-1: how many elements; -1 for all", "sep=\"\": no text; see loadtxt",
		"offset=0: how many bytes to leave out first"),
}

// fileMethods is the methods of arrays that write files.
var fileMethods = []value.Builtin{
	method("tofile", "Writes the bytes of the elements, in C order, to a file.",
		"np.array([1, 2]).tofile(\"a.bin\"); np.fromfile(\"a.bin\", dtype=int) # array([1, 2])",
		func(c *call) (starlark.Value, error) {
			if err := c.noSeparator(1); err != nil {
				return nil, err
			}
			return starlark.None, c.save(0, "", func(w io.Writer) error {
				_, err := w.Write(bytesOf(c.self().d))
				return err
			})
		}, "fid: the name of the file", "sep=\"\": no text; see savetxt"),
}

// bytesOf is the memory of the elements in C order.
func bytesOf(d *tensor.Dense) []byte {
	if !d.IsContiguous() {
		d = d.Copy()
	}
	return tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset()))
}

// file returns argument i as the name of a file, and its path.
func (c *call) file(i int) (name, path string, err error) {
	name, ok := starlark.AsString(c.v[i])
	switch {
	case !ok:
		return "", "", c.wrong(i, "the name of a file")
	case name == "":
		return "", "", fmt.Errorf("for parameter %s: got \"\", want the name of a file", c.Params[i].Name)
	}
	return name, c.path(name), nil
}

func (c *call) path(name string) string {
	if c.session == nil {
		return name
	}
	return c.session.Path(name)
}

// fileError says which file err is about, as the user named it.
func fileError(name string, err error) error {
	var p *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no file %s", name)
	case errors.As(err, &p):
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// save writes the file that argument i names, with the suffix unless it is there.
func (c *call) save(i int, suffix string, write func(w io.Writer) error) error {
	name, _, err := c.file(i)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(name, suffix) {
		name += suffix
	}
	err = npy.Save(c.path(name), func(w io.Writer) error { return write(heardWriter{c, w}) })
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no directory for %s", name)
	}
	return fileError(name, err)
}

// heardWriter and heardReader end when the cell does.
type (
	heardWriter struct {
		c *call
		w io.Writer
	}
	heardReader struct {
		c *call
		r io.Reader
	}
)

func (h heardWriter) Write(p []byte) (int, error) {
	if err := h.c.interrupted(); err != nil {
		return 0, err
	}
	return h.w.Write(p)
}

func (h heardReader) Read(p []byte) (int, error) {
	if err := h.c.interrupted(); err != nil {
		return 0, err
	}
	return h.r.Read(p)
}

func saveZip(c *call, compress bool) (starlark.Value, error) {
	var names []string
	var arrays []*tensor.Dense
	add := func(name string, v starlark.Value) error {
		d, err := ToDense(v)
		if err != nil {
			return fmt.Errorf("for %s: %w", name, err)
		}
		if slices.Contains(names, name) {
			return fmt.Errorf("got two arrays of the name %s, want another keyword", name)
		}
		names, arrays = append(names, name), append(arrays, d)
		return nil
	}
	for i, v := range c.v[1].(starlark.Tuple) {
		if err := add(fmt.Sprintf("arr_%d", i), v); err != nil {
			return nil, err
		}
	}
	for _, item := range c.v[2].(*starlark.Dict).Items() {
		if err := add(string(item[0].(starlark.String)), item[1]); err != nil {
			return nil, err
		}
	}
	return starlark.None, c.save(0, ".npz", func(w io.Writer) error { return npy.WriteZip(w, names, arrays, compress) })
}

func load(c *call) (starlark.Value, error) {
	if err := c.refuse(); err != nil {
		return nil, err
	}
	name, path, err := c.file(0)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	start := make([]byte, 2)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, fileError(name, err)
	}
	if bytes.Equal(start[:n], []byte("PK")) {
		return newArchive(c.session, name, path)
	}
	d, err := npy.Read(f)
	return c.made(d, fileError(name, err))
}

// noSeparator refuses text where bytes are meant.
func (c *call) noSeparator(i int) error {
	if c.v[i] != nil && c.v[i] != starlark.String("") {
		return fmt.Errorf("for parameter sep: got %s, want \"\": for text use np.loadtxt and np.savetxt", value.Repr(c.v[i]))
	}
	return nil
}

func fromFile(c *call) (starlark.Value, error) {
	name, path, err := c.file(0)
	if err != nil {
		return nil, err
	}
	dtype, err := c.dtype(1, kernels.Float64)
	if err != nil {
		return nil, err
	}
	count, err := c.int(2, -1)
	if err != nil {
		return nil, err
	}
	if err := c.noSeparator(3); err != nil {
		return nil, err
	}
	offset, err := c.int(4, 0)
	if err != nil {
		return nil, err
	}
	if count < -1 || offset < 0 {
		return nil, fmt.Errorf("got count %d and offset %d, want numbers that are not negative, or -1 for count", count, offset)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fileError(name, err)
	}
	most := int(max(0, info.Size()-int64(offset))) / dtype.Size()
	if count < 0 || count > most {
		count = most
	}
	if err := tensor.CheckSize(dtype.Size(), []int{count}); err != nil {
		return nil, fileError(name, err)
	}
	z := tensor.Empty(dtype, count)
	_, err = io.ReadFull(heardReader{c, io.NewSectionReader(f, int64(offset), int64(z.NBytes()))}, bytesOf(z))
	if dtype.IsBool() { // bytes may be others than 0 and 1
		z = z.View(kernels.Uint8, z.Shape(), z.Strides(), z.Offset()).AsType(kernels.Bool)
	}
	return c.made(z, fileError(name, err))
}
