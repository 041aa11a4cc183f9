package np

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
)

// Arrays print as NumPy prints them. The elements of one array are formatted together: those of floats as printfloat.go says,
// integers to the width of the widest. What is formatted is what is shown: widths do not depend on elements that a summary omits.

// repr returns "array(...)", with the element type where the elements do not show it.
func (o *printOptions) repr(d *tensor.Dense) string {
	const prefix = "array("
	plain := isDefault(d.DType()) && d.Size() > 0
	suffix := ","
	if plain {
		suffix = ")"
	}
	body := "[], shape=" + tensor.ShapeString(d.Shape())
	if d.Size() > 0 || d.Rank() == 1 {
		body = o.body(d, ", ", prefix, suffix)
	}
	text := prefix + body + suffix
	if plain {
		return text
	}
	dtype := "dtype=" + d.DType().String() + ")"
	if lastLine := text[strings.LastIndexByte(text, '\n')+1:]; columns(lastLine)+len(dtype)+1 > o.width {
		return text + "\n" + strings.Repeat(" ", len(prefix)) + dtype
	}
	return text + " " + dtype
}

// str returns the elements without "array(" around them; those of an array without dimensions as a number.
func (o *printOptions) str(d *tensor.Dense) string {
	if d.Rank() == 0 {
		return formatNumber(d)
	}
	return o.body(d, " ", "", "")
}

// formatNumber is str of an array without dimensions, which no option changes.
func formatNumber(d *tensor.Dense) string {
	switch d.DType() {
	case kernels.Float32:
		x := floatOf(d)
		a := math.Abs(x)
		if math.IsNaN(x) || a == 0 || math.IsInf(x, 0) {
			return value.FormatFloat(x)
		}
		exponents := a < 1e-4 || a >= 1e16
		whole, fraction, exponent := digits{bits: 32, least: -1, most: math.MaxInt}.split(x, exponents)
		switch {
		case !exponents:
			return whole + "." + cmp.Or(fraction, "0")
		case fraction == "":
			return whole + "e" + exponent
		}
		return whole + "." + fraction + "e" + exponent
	case kernels.Float64:
		return value.FormatFloat(floatOf(d))
	}
	return standardPrinting.elementFormat(d)(d)
}

// body returns the bracketed elements, laid out for prefix before and suffix behind them.
func (o *printOptions) body(d *tensor.Dense, separator, prefix, suffix string) string {
	if d.Size() == 0 {
		return "[]"
	}
	shown, summary := d, float64(d.Size()) > o.threshold
	if summary {
		shown = o.edges(d)
	}
	b := bodyPrinter{
		format: o.elementFormat(shown), separator: separator, between: strings.TrimRightFunc(separator, unicode.IsSpace),
		edge: o.edge, summary: summary,
	}
	return b.axis(d, strings.Repeat(" ", 1+columns(prefix)), o.width-columns(suffix))
}

// columns is the width of a text.
func columns(s string) int { return utf8.RuneCountInString(s) }

// edges returns the first and last elements along each axis: those that a summary shows. Without edges it is all of them, as in
// NumPy, though only the last is shown.
func (o *printOptions) edges(d *tensor.Dense) *tensor.Dense {
	for axis := range d.Rank() {
		n := d.Dim(axis)
		if o.edge == 0 || n <= 2*o.edge {
			continue
		}
		shape := slices.Clone(d.Shape())
		shape[axis] = 2 * o.edge
		z := tensor.New(d.DType(), shape...)
		copyPart(z, axis, 0, along(d, axis, 0, o.edge))
		copyPart(z, axis, o.edge, along(d, axis, n-o.edge, n))
		d = z
	}
	return d
}

// along returns the view of the elements of d from first up to end on an axis.
func along(d *tensor.Dense, axis, first, end int) *tensor.Dense {
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{Start: &first, Stop: &end}
	v, err := d.Subscript(index...)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return v
}

// copyPart writes src into dst from position first of an axis on.
func copyPart(dst *tensor.Dense, axis, first int, src *tensor.Dense) {
	tensor.CopyTo(along(dst, axis, first, first+src.Dim(axis)), src)
}

// bodyPrinter writes nested brackets.
type bodyPrinter struct {
	format             func(*tensor.Dense) string
	separator, between string // elements; without the blanks at the end, lines
	edge               int
	summary            bool
}

// axis writes d, whose lines are indented by indent and at most width wide.
func (b *bodyPrinter) axis(d *tensor.Dense, indent string, width int) string {
	if d.Rank() == 0 {
		return b.format(d)
	}
	n := d.Dim(0)
	leading, trailing := 0, n
	summarized := b.summary && n > 2*b.edge
	if summarized {
		leading, trailing = b.edge, max(b.edge, 1)
	}
	var words []string
	item := func(i int) {
		e, err := d.Subscript(tensor.Index{At: &i})
		if err != nil {
			panic("BUG: " + err.Error())
		}
		words = append(words, b.axis(e, indent+" ", width-1))
	}
	for i := range leading {
		item(i)
	}
	if summarized {
		words = append(words, "...")
	}
	for i := n - trailing; i < n; i++ {
		item(i)
	}
	if d.Rank() > 1 {
		return "[" + strings.Join(words, b.between+strings.Repeat("\n", d.Rank()-1)+indent) + "]"
	}
	return "[" + b.lines(words, indent, width-max(columns(b.between), 1))[len(indent):] + "]"
}

// lines joins words to lines of at most width columns, unless a word alone is wider.
func (b *bodyPrinter) lines(words []string, indent string, width int) string {
	var s strings.Builder
	line, used := indent, len(indent)
	for i, w := range words {
		if i > 0 {
			line += b.separator
			used += columns(b.separator)
		}
		if n := columns(w); used+n > width && used > len(indent) {
			s.WriteString(strings.TrimRightFunc(line, unicode.IsSpace) + "\n")
			line, used = indent, len(indent)
		}
		line += w
		used += columns(w)
	}
	return s.String() + line
}

// elementFormat returns the function that formats the elements of d, each an array
// without dimensions, to equal width.
func (o *printOptions) elementFormat(d *tensor.Dense) func(*tensor.Dense) string {
	t := d.DType()
	if o.formatter != nil {
		if format := o.formatter.element(t); format != nil {
			return format
		}
	}
	switch {
	case t.IsFloat():
		return newFloatFormat(o, d).format
	case t.IsBool():
		pad := ""
		if d.Rank() > 0 {
			pad = " "
		}
		return func(e *tensor.Dense) string {
			if first[uint8](e) != 0 {
				return pad + "True"
			}
			return "False"
		}
	}
	width := 0
	if t == kernels.Uint64 {
		for _, u := range tensor.Elements[uint64](d.Copy()) {
			width = max(width, len(strconv.FormatUint(u, 10)))
		}
	} else {
		for _, i := range d.Ints() {
			width = max(width, len(strconv.FormatInt(i, 10)))
		}
	}
	return func(e *tensor.Dense) string {
		if t == kernels.Uint64 {
			return padLeft(strconv.FormatUint(first[uint64](e), 10), width)
		}
		return padLeft(strconv.FormatInt(intOf(e), 10), width)
	}
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-columns(s))) + s
}
