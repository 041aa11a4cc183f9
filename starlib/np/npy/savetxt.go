package npy

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// TextFormat says how WriteText writes. Nothing has a default; np.savetxt's are "%.18e", " ", "\n",
// "", "" and "# ".
type TextFormat struct {
	// Formats are Python's % formats: a single one with one directive, which serves all columns, or
	// with one for each column, so that there is no delimiter; or one format for each column. %%
	// writes a %, wherever it stands. (NumPy counts it as two directives.)
	Formats   []string
	Delimiter string // between columns
	Newline   string // after each row
	Header    string // written first, unless empty
	Footer    string // written last, unless empty
	Comments  string // before each line of header and footer
}

// WriteText writes an array of shape (n,), as a column, or (n, m) as np.savetxt does, byte for
// byte.
func WriteText(w io.Writer, d *tensor.Dense, f TextFormat) error {
	rows, cols := 0, 1
	switch d.Rank() {
	case 1:
		rows = d.Dim(0)
	case 2:
		rows, cols = d.Dim(0), d.Dim(1)
	default:
		return fmt.Errorf("got an array of shape %s, want one or two axes", tensor.ShapeString(d.Shape()))
	}
	before, directives, err := f.row(cols)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	f.remark(b, f.Header)
	at := elements(d)
	for i := range rows {
		b.WriteString(before)
		for j, directive := range directives {
			text, err := directive.format(at(i*cols + j))
			if err != nil {
				return fmt.Errorf("row %d, column %d: %w", i, j, err)
			}
			b.WriteString(text)
			b.WriteString(directive.after)
		}
		if _, err := b.WriteString(f.Newline); err != nil {
			return err
		}
	}
	f.remark(b, f.Footer)
	return b.Flush()
}

// remark writes a header or footer.
func (f TextFormat) remark(b *bufio.Writer, text string) {
	if text != "" {
		b.WriteString(f.Comments + strings.ReplaceAll(text, "\n", "\n"+f.Comments) + f.Newline)
	}
}

// row is the format of a row: the text before the first column, and a directive for each.
func (f TextFormat) row(cols int) (before string, directives []directive, err error) {
	formats := f.Formats
	if len(formats) == 1 {
		before, directives, err = parseFormat(formats[0])
		if err != nil || len(directives) == cols && cols > 0 {
			return before, directives, err
		}
		if len(directives) != 1 {
			return "", nil, fmt.Errorf("got format %q with %d directives, want 1 or, as the columns, %d",
				clip(formats[0]), len(directives), cols)
		}
		formats = make([]string, cols)
		for i := range formats {
			formats[i] = f.Formats[0]
		}
	}
	if len(formats) != cols {
		return "", nil, fmt.Errorf("got %d formats, want 1 or, as the columns, %d", len(formats), cols)
	}
	before, directives, err = parseFormat(strings.Join(formats, strings.ReplaceAll(f.Delimiter, "%", "%%")))
	if err == nil && len(directives) != cols {
		err = fmt.Errorf("got %d directives in the formats %q, want one in each", len(directives), formats)
	}
	return before, directives, err
}

// elements returns a function of the position of an element in C order.
func elements(d *tensor.Dense) func(i int) element {
	floats := d.Floats()
	switch dtype := d.DType(); {
	case dtype.IsFloat():
		return func(i int) element { return element{value: floats[i], bits: 8 * dtype.Size()} }
	case dtype.IsBool():
		return func(i int) element { return element{floats[i], []string{"False", "True"}[int(floats[i])], 0} }
	case dtype == kernels.Uint64:
		exact := tensor.Elements[uint64](d.Copy())
		return func(i int) element { return element{floats[i], strconv.FormatUint(exact[i], 10), 0} }
	}
	exact := d.Ints()
	return func(i int) element { return element{floats[i], strconv.FormatInt(exact[i], 10), 0} }
}
