package np

import (
	"errors"
	"fmt"
	"io"
	"math"
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
	textParam      = "fname: the name of a file, or a list of lines"
	textTypeParam  = "dtype=float: the elements' type"
	commentsParam  = "comments=\"#\": what begins a comment, a string or several"
	delimiterParam = "delimiter=None: what stands between fields; any whitespace if not given"
	colsParam      = "usecols=None: the columns to read, an int or several"
	unpackParam    = "unpack=False: whether columns become rows, for x, y = ..."
	minimumParam   = "ndmin=0: the least number of dimensions, up to 2"
	encodingParam  = "encoding=None: without effect: text is UTF-8"
	rowsParam      = "max_rows=None: how many rows to read at most"
	absent         = "not in Arignote"
	refused        = "=None: " + absent // refuse
)

// textTable is files of numbers as text.
var textTable = []value.Builtin{
	numpyRow("np.", "loadtxt", "The numbers in a text, row by row.",
		"np.loadtxt([\"1 2\", \"3 4\"]) # array([[1., 2.],\n       [3., 4.]])", func(c *call) (starlark.Value, error) {
			return readText(c, "skiprows", false)
		}, textParam, textTypeParam, commentsParam, delimiterParam, "converters"+refused,
		"skiprows=0: lines to leave out first", colsParam, unpackParam, minimumParam, encodingParam, rowsParam, "*",
		"quotechar"+refused, "like"+refused),
	numpyRow("np.", "genfromtxt", "The numbers in a text, row by row, some of which may be missing.",
		"np.genfromtxt([\"1,2\", \"3,\"], delimiter=\",\") # array([[ 1.,  2.],\n       [ 3., nan]])",
		func(c *call) (starlark.Value, error) {
			return readText(c, "skip_header", true)
		}, textParam, textTypeParam, commentsParam, delimiterParam, "skip_header=0: lines to leave out first",
		"skip_footer=0: rows to leave out last", "converters"+refused,
		"missing_values=None: without effect: what is no number is missing",
		"filling_values=None: what missing numbers become: a number, a list for the columns, or a dict",
		colsParam, "names"+refused, "autostrip=False: without effect", unpackParam, "usemask"+refused,
		"invalid_raise=True: whether rows of another length than the first are an error; they are left out otherwise",
		rowsParam, encodingParam, "*", minimumParam, "like"+refused),
	numpyRow("np.", "savetxt", "Writes a vector or matrix as text, row by row.",
		"np.savetxt(\"a.txt\", [1, 2], fmt=\"%d\"); np.loadtxt(\"a.txt\", dtype=int) # array([1, 2])", saveText,
		"fname: the name of the file", "X: a vector or matrix",
		"fmt=\"%.18e\": the format of a number, of a row, or a list for the columns",
		"delimiter=\" \": what stands between fields", "newline=\"\\\\n\": what stands after a row", "header=\"\": the first line",
		"footer=\"\": the last line", "comments=\"# \": what stands before header and footer", encodingParam),
}

// at is the index of a parameter, which the function has.
func (c *call) at(name string) int {
	return slices.IndexFunc(c.Params, func(p value.Param) bool { return p.Name == name })
}

// refuse is an error for an argument whose parameter is there to be refused by name.
func (c *call) refuse() error {
	for i, p := range c.Params {
		if p.Doc == absent && c.v[i] != nil && c.v[i] != starlark.False {
			return fmt.Errorf("for parameter %s: not in Arignote", p.Name)
		}
	}
	return nil
}

// string returns argument i, or otherwise if it was not given.
func (c *call) string(i int, otherwise string) (string, error) {
	if c.v[i] == nil {
		return otherwise, nil
	}
	s, ok := starlark.AsString(c.v[i])
	if !ok {
		return "", c.wrong(i, "string")
	}
	return s, nil
}

// strings returns argument i, a string or several; none for None.
func (c *call) strings(i int, otherwise ...string) ([]string, error) {
	switch v := c.v[i].(type) {
	case nil:
		return otherwise, nil
	case starlark.NoneType:
		return nil, nil
	case starlark.String:
		return []string{string(v)}, nil
	case starlark.Sequence:
		list := make([]string, 0, v.Len())
		it := v.Iterate()
		defer it.Done()
		for x := starlark.Value(nil); it.Next(&x); {
			s, ok := starlark.AsString(x)
			if !ok {
				return nil, fmt.Errorf("for parameter %s: got %s in a %s, want string", c.Params[i].Name, x.Type(), v.Type())
			}
			list = append(list, s)
		}
		return list, nil
	}
	return nil, c.wrong(i, "a string or a list of strings")
}

// readText is loadtxt, or genfromtxt, where numbers may be missing; skip is what each calls the parameter of the lines left out.
func readText(c *call, skip string, missing bool) (starlark.Value, error) {
	if err := c.refuse(); err != nil {
		return nil, err
	}
	o, err := c.textOptions(skip, missing)
	if err != nil {
		return nil, err
	}
	unpack, err := c.bool(c.at("unpack"), false)
	if err != nil {
		return nil, err
	}
	d, err := c.textFrom(o)
	if err == nil && unpack {
		d = d.Transpose()
	}
	return c.made(d, err)
}

// textFrom reads the file that the first argument names, or the lines that it has.
func (c *call) textFrom(o npy.TextOptions) (*tensor.Dense, error) {
	if _, isName := c.v[0].(starlark.String); !isName {
		lines, err := c.strings(0)
		if err != nil || lines == nil {
			return nil, c.wrong(0, "the name of a file or a list of strings")
		}
		return npy.ReadText(heardReader{c, strings.NewReader(strings.Join(lines, "\n"))}, o)
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
	d, err := npy.ReadText(heardReader{c, f}, o)
	return d, fileError(name, err)
}

// textOptions reads the arguments of loadtxt and genfromtxt but for those that are not about reading.
func (c *call) textOptions(skip string, missing bool) (o npy.TextOptions, err error) {
	o.Missing = missing
	if o.DType, err = c.dtype(1, kernels.Float64); err != nil {
		return o, err
	}
	if o.Comments, err = c.strings(2, "#"); err != nil {
		return o, err
	}
	if o.Delimiter, err = c.string(3, ""); err != nil {
		return o, err
	}
	for _, p := range []struct {
		name  string
		least int
		dst   *int
	}{{skip, 0, &o.SkipRows}, {"skip_footer", 0, &o.SkipFooter}, {"max_rows", 1, &o.MaxRows}, {"ndmin", 0, &o.NDMin}} {
		i := c.at(p.name)
		if i < 0 || c.v[i] == nil {
			continue
		}
		if *p.dst, err = c.int(i, 0); err != nil {
			return o, err
		}
		if *p.dst < p.least || p.name == "ndmin" && *p.dst > 2 {
			return o, fmt.Errorf("for parameter %s: got %d, want at least %d%s", p.name, *p.dst, p.least,
				map[bool]string{true: " and at most 2"}[p.name == "ndmin"])
		}
	}
	if i := c.at("usecols"); c.v[i] != nil {
		if o.UseCols, err = c.shape(i); err != nil {
			return o, err
		}
	}
	if !missing {
		return o, nil
	}
	raise, err := c.bool(c.at("invalid_raise"), true)
	if err != nil {
		return o, err
	}
	o.SkipRagged = !raise
	o.Filling, err = c.filling(c.at("filling_values"), o.DType)
	return o, err
}

// filling reads argument i: a number, one for each column, or a dict of columns.
func (c *call) filling(i int, dtype kernels.DType) (func(column int) float64, error) {
	otherwise := map[string]float64{"f": math.NaN(), "i": -1}[kindOf(dtype)]
	switch v := c.v[i].(type) {
	case nil:
		return nil, nil
	case *starlark.Dict:
		byColumn := map[int]float64{}
		for _, item := range v.Items() {
			column, ok1 := asInt(item[0])
			x, ok2 := starlark.AsFloat(value.Plain(item[1]))
			if !ok1 || !ok2 {
				return nil, c.wrong(i, "numbers, or a dict of columns, which are ints, and numbers")
			}
			byColumn[column] = x
		}
		return func(column int) float64 {
			if x, ok := byColumn[column]; ok {
				return x
			}
			return otherwise
		}, nil
	}
	d, err := c.array(i)
	if err != nil {
		return nil, err
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
	}, nil
}

func saveText(c *call) (starlark.Value, error) {
	d, err := c.array(1)
	if err != nil {
		return nil, err
	}
	if d.Rank() == 0 {
		return nil, errors.New("for parameter X: got a number, want a vector or matrix")
	}
	var f npy.TextFormat
	if f.Formats, err = c.strings(2, "%.18e"); err != nil {
		return nil, err
	}
	for i, p := range []struct {
		otherwise string
		dst       *string
	}{{" ", &f.Delimiter}, {"\n", &f.Newline}, {"", &f.Header}, {"", &f.Footer}, {"# ", &f.Comments}} {
		if *p.dst, err = c.string(3+i, p.otherwise); err != nil {
			return nil, err
		}
	}
	return starlark.None, c.save(0, "", func(w io.Writer) error { return npy.WriteText(w, d, f) })
}
