package storage

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"math"
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
	// textArgs are the first arguments of functions that read text.
	textArgs struct {
		Text      starlark.Value `arg:"fname: the name of a file, or a list of lines"`
		DType     kernels.DType  `arg:"dtype=float: the elements' type"`
		Comments  starlark.Value `arg:"comments=\"#\": what begins a comment, a string or several"`
		Delimiter string         `arg:"delimiter=None: what stands between fields; any whitespace if not given"`
	}
	encodingArg struct {
		Encoding starlark.Value `arg:"encoding=None: without effect: text is UTF-8"`
	}
	likeArg struct {
		Like starlark.Value `arg:"like=None: not in Arignote"`
	}
)

// textTable is files of numbers as text.
var textTable = []functions.Function{
	np.Function("np.loadtxt", "The numbers in a text, row by row.",
		"loadtxt([\"1 2\", \"3 4\"]) # array([[1., 2.],\n       [3., 4.]])", func(e *np.Eval, a *struct {
			textArgs
			Converters starlark.Value `arg:"converters=None: not in Arignote"`
			Skip       int            `arg:"skiprows=0: lines to leave out first"`
			Columns    []int          `arg:"usecols=None: the columns to read, an int or several"`
			Unpack     bool           `arg:"unpack=False: whether columns become rows, for x, y = ..."`
			Minimum    int            `arg:"ndmin=0: the least number of dimensions, up to 2"`
			encodingArg
			Rows  *int           `arg:"max_rows=None: how many rows to read at most"`
			_     struct{}       `arg:"*:"`
			Quote starlark.Value `arg:"quotechar=None: not in Arignote"`
			likeArg
		}) starlark.Value {
			refuse(e, "converters", a.Converters)
			refuse(e, "quotechar", a.Quote)
			refuse(e, "like", a.Like)
			o := textOptions(e, &a.textArgs)
			o.SkipRows = atLeast(e, "skiprows", a.Skip, 0)
			o.UseCols = a.Columns
			o.NDMin = dimensions(e, a.Minimum)
			o.MaxRows = maxRows(e, a.Rows)
			return readText(e, a.Text, o, a.Unpack)
		}),
	np.Function("np.genfromtxt", "The numbers in a text, row by row, some of which may be missing.",
		"genfromtxt([\"1,2\", \"3,\"], delimiter=\",\") # array([[ 1.,  2.],\n       [ 3., nan]])", func(e *np.Eval, a *struct {
			textArgs
			Skip       int            `arg:"skip_header=0: lines to leave out first"`
			Footer     int            `arg:"skip_footer=0: rows to leave out last"`
			Converters starlark.Value `arg:"converters=None: not in Arignote"`
			Missing    starlark.Value `arg:"missing_values=None: without effect: what is no number is missing"`
			Filling    starlark.Value `arg:"filling_values=None: what missing numbers become: a number, a list for the columns, or a dict"`
			Columns    []int          `arg:"usecols=None: the columns to read, an int or several"`
			Names      starlark.Value `arg:"names=None: not in Arignote"`
			Strip      starlark.Value `arg:"autostrip=False: without effect"`
			Unpack     bool           `arg:"unpack=False: whether columns become rows, for x, y = ..."`
			Mask       starlark.Value `arg:"usemask=None: not in Arignote"`
			Raise      bool           `arg:"invalid_raise=True: whether rows of another length than the first are an error; they are left out otherwise"`
			Rows       *int           `arg:"max_rows=None: how many rows to read at most"`
			encodingArg
			_       struct{} `arg:"*:"`
			Minimum int      `arg:"ndmin=0: the least number of dimensions, up to 2"`
			likeArg
		}) starlark.Value {
			refuse(e, "converters", a.Converters)
			refuse(e, "names", a.Names)
			refuse(e, "usemask", a.Mask)
			refuse(e, "like", a.Like)
			o := textOptions(e, &a.textArgs)
			o.Missing, o.SkipRagged = true, !a.Raise
			o.SkipRows, o.SkipFooter = atLeast(e, "skip_header", a.Skip, 0), atLeast(e, "skip_footer", a.Footer, 0)
			o.UseCols = a.Columns
			o.NDMin = dimensions(e, a.Minimum)
			o.MaxRows = maxRows(e, a.Rows)
			o.Filling = filling(e, a.Filling, o.DType)
			return readText(e, a.Text, o, a.Unpack)
		}),
	np.Function("np.savetxt", "Writes a vector or matrix as text, row by row.",
		"savetxt(\"a.txt\", [1, 2], fmt=\"%d\"); np.loadtxt(\"a.txt\", dtype=int) # array([1, 2])", saveText),
}

// strings is an argument that is a string or several.
func stringsOf(e *np.Eval, param string, v starlark.Value) []string {
	switch v := v.(type) {
	case starlark.String:
		return []string{string(v)}
	case starlark.Sequence:
		if _, ok := value.Elements(v); !ok {
			break
		}
		list := make([]string, 0, max(v.Len(), 0))
		it := v.Iterate()
		defer it.Done()
		for x := starlark.Value(nil); it.Next(&x); {
			s, ok := starlark.AsString(x)
			if !ok {
				e.FailFor(param, "got %s in a %s, want string", x.Type(), v.Type())
			}
			list = append(list, s)
		}
		return list
	}
	e.FailFor(param, "got %s, want a string or a list of strings", v.Type())
	return nil
}

// atLeast is an argument that is a number of things.
func atLeast(e *np.Eval, param string, n, least int) int {
	if n < least {
		e.FailFor(param, "got %d, want at least %d", n, least)
	}
	return n
}

func maxRows(e *np.Eval, n *int) int {
	if n == nil {
		return 0
	}
	return atLeast(e, "max_rows", *n, 1)
}

func dimensions(e *np.Eval, n int) int {
	if n < 0 || n > 2 {
		e.FailFor("ndmin", "got %d, want at least 0 and at most 2", n)
	}
	return n
}

// textOptions is what functions that read text have in common.
func textOptions(e *np.Eval, a *textArgs) npy.TextOptions {
	o := npy.TextOptions{DType: cmp.Or(a.DType, kernels.Float64), Delimiter: a.Delimiter,
		Ask: func(n int64) error { return value.Ask("read", "a text", n) }}
	switch a.Comments {
	case nil:
		o.Comments = []string{"#"}
	case starlark.None:
	default:
		o.Comments = stringsOf(e, "comments", a.Comments)
	}
	return o
}

// readText reads the file that an argument names, or the lines that it has.
func readText(e *np.Eval, text starlark.Value, o npy.TextOptions, unpack bool) starlark.Value {
	if e.Failed() {
		return nil
	}
	d, err := textFrom(e, text, o)
	if err == nil && unpack {
		d = d.Transpose()
	}
	return e.Array1(d, err)
}

func textFrom(e *np.Eval, text starlark.Value, o npy.TextOptions) (*tensor.Dense, error) {
	if _, isName := text.(starlark.String); !isName {
		lines := &np.Eval{Call: e.Call}
		if list := stringsOf(lines, "fname", text); !lines.Failed() {
			return npy.ReadText(files.HeardReader{Context: e.Context(), From: strings.NewReader(strings.Join(list, "\n"))}, o)
		}
		return nil, fmt.Errorf("for parameter fname: got %s, want the name of a file or a list of strings", text.Type())
	}
	name, path := fileOf(e, "fname", text)
	if e.Failed() {
		return nil, e.Err
	}
	f, err := e.Door().Open(path)
	if err != nil {
		return nil, np.FileError(name, err)
	}
	defer f.Close()
	defer files.Listen(e.Context(), f)()
	r := files.HeardReader{Context: e.Context(), From: f}
	if o.Lines, err = lines(r, f); err != nil {
		return nil, np.FileError(name, err)
	}
	d, err := npy.ReadText(r, o)
	return d, np.FileError(name, err)
}

// lines counts the lines of a file that can be read twice; others have 0. That takes a twentieth of
// the time of the numbers in them.
func lines(r io.ReadSeeker, f fs.File) (int, error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, err
	}
	n, last, block := 0, byte('\n'), make([]byte, 1<<16)
	for {
		size, err := r.Read(block)
		if size > 0 {
			n, last = n+bytes.Count(block[:size], []byte("\n")), block[size-1]
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	if last != '\n' {
		n++
	}
	_, err = r.Seek(0, io.SeekStart)
	return n, err
}

// filling is what missing numbers become: a number, one for each column, or a dict of columns.
func filling(e *np.Eval, v starlark.Value, dtype kernels.DType) func(column int) float64 {
	otherwise := map[string]float64{"f": math.NaN(), "i": -1}[np.KindOf(dtype)]
	switch v := v.(type) {
	case nil:
		return nil
	case *slot.Dict:
		byColumn := map[int]float64{}
		for _, item := range v.Items() {
			column, ok1 := np.AsInt(item[0])
			x, ok2 := starlark.AsFloat(value.Plain(item[1]))
			if !ok1 || !ok2 {
				e.FailFor("filling_values", "got dict, want numbers, or a dict of columns, which are ints, and numbers")
				return nil
			}
			byColumn[column] = x
		}
		return func(column int) float64 {
			if x, ok := byColumn[column]; ok {
				return x
			}
			return otherwise
		}
	}
	d, err := np.ToDense(v)
	if err != nil {
		e.FailFor("filling_values", "%w", err)
		return nil
	}
	list := d.Floats()
	return func(column int) float64 {
		switch {
		case d.Rank() == 0:
			return list[0]
		case column < len(list):
			return list[column]
		}
		return otherwise
	}
}

func saveText(e *np.Eval, a *struct {
	File      starlark.Value `arg:"fname: the name of the file"`
	X         *tensor.Dense  `arg:"X: a vector or matrix"`
	Format    starlark.Value `arg:"fmt=\"%.18e\": the format of a number, of a row, or a list for the columns"`
	Delimiter string         `arg:"delimiter=\" \": what stands between fields"`
	Newline   string         `arg:"newline=\"\\n\": what stands after a row"`
	Header    string         `arg:"header=\"\": the first line"`
	Footer    string         `arg:"footer=\"\": the last line"`
	Comments  string         `arg:"comments=\"# \": what stands before header and footer"`
	encodingArg
}) starlark.Value {
	if a.X.Rank() == 0 {
		e.FailFor("X", "got a number, want a vector or matrix")
	}
	f := npy.TextFormat{Formats: []string{"%.18e"}, Delimiter: a.Delimiter, Newline: a.Newline, Header: a.Header, Footer: a.Footer,
		Comments: a.Comments}
	if a.Format != nil {
		f.Formats = stringsOf(e, "fmt", a.Format)
	}
	return e.None(save(e, "fname", a.File, "", func(w io.Writer) error { return npy.WriteText(w, a.X, f) }))
}
