package array

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
)

// Arrays print as NumPy prints them. The elements of one array are formatted together: those of
// floats as printfloat.go says, integers to the width of the widest. What is formatted is what is
// shown: widths do not depend on elements that a summary omits.

// A Printer is NumPy's options of printing.
type Printer struct {
	Precision int     // most digits after the point
	Threshold float64 // larger arrays show only the edges
	Edge      int     // elements at each end of an axis
	Width     int     // columns of a line
	Suppress  bool    // small numbers have no exponents
	NaN, Inf  string
	Sign      string // "-", "+" or " ": what stands before numbers that are not negative
	FloatMode string // one of FloatModes
	// Formatter, if it is set, returns what writes elements of a type, or nil for the Printer's own
	// way. Elements are arrays without dimensions.
	Formatter func(kernels.DType) func(*tensor.Dense) string
	Stop      kernels.Stop // asked by what writes many elements: see tensor.Poll
}

// perText is the work of writing an element, in elements that are moved.
const perText = 256

// FloatModes say how many digits floats have after the point: Precision ("fixed"), as many as
// numbers need ("unique"), at most Precision of these ("maxprec"), or so, but equally many for all
// ("maxprec_equal").
var FloatModes = []string{"fixed", "unique", "maxprec", "maxprec_equal"}

// Standard is the options of a new session.
func Standard() *Printer {
	return &Printer{Precision: 8, Threshold: 1000, Edge: 3, Width: 75, NaN: "nan", Inf: "inf", Sign: "-", FloatMode: "maxprec"}
}

// Repr returns "array(...)", with the element type where the elements do not show it.
func (o *Printer) Repr(d *tensor.Dense) string {
	const prefix = "array("
	plain := isDefault(d.DType()) && d.Size() > 0
	suffix := ","
	if plain {
		suffix = ")"
	}
	body := "[], shape=" + tensor.ShapeString(d.Shape())
	if d.Size() > 0 || d.Rank() == 1 {
		body = o.Body(d, ", ", prefix, suffix)
	}
	text := prefix + body + suffix
	if plain {
		return text
	}
	return o.withType(text, len(prefix), d.DType().String())
}

// withType ends the text of an array with its element type, on a line of its own if there is no
// room.
func (o *Printer) withType(text string, indent int, name string) string {
	dtype := "dtype=" + name + ")"
	if lastLine := text[strings.LastIndexByte(text, '\n')+1:]; columns(lastLine)+len(dtype)+1 > o.Width {
		return text + "\n" + strings.Repeat(" ", indent) + dtype
	}
	return text + " " + dtype
}

// isDefault reports whether the elements of an array show its type.
func isDefault(d kernels.DType) bool {
	return d == kernels.Float64 || d == kernels.Int64 || d.IsBool()
}

// Str returns the elements without "array(" around them; those of an array without dimensions as a
// number.
func (o *Printer) Str(d *tensor.Dense) string {
	if d.Rank() == 0 {
		return FormatNumber(d)
	}
	return o.Body(d, " ", "", "")
}

// FormatNumber is Str of an array without dimensions, which no option changes.
func FormatNumber(d *tensor.Dense) string {
	if d.DType().IsFloat() {
		return formatFloat(d.Floats()[0], 8*d.DType().Size())
	}
	return Standard().Element(d)(d)
}

// formatFloat writes a float of so many bits as Python's repr does.
func formatFloat(x float64, bits int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return infinite(x)
	}
	a := math.Abs(x)
	exponents := a != 0 && (a < 1e-4 || a >= 1e16)
	whole, fraction, exponent := digits{bits: bits, least: -1, most: math.MaxInt}.split(x, exponents)
	switch {
	case !exponents:
		return whole + "." + cmp.Or(fraction, "0")
	case fraction == "":
		return whole + "e" + exponent
	}
	return whole + "." + fraction + "e" + exponent
}

// infinite writes what is no number.
func infinite(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case x < 0:
		return "-inf"
	}
	return "inf"
}

// Body returns the bracketed elements, laid out for prefix before and suffix behind them.
func (o *Printer) Body(d *tensor.Dense, separator, prefix, suffix string) string {
	return o.body(d, 0, separator, prefix, suffix, o.Element)
}

// body is Body of elements with so many axes of their own, which element formats.
func (o *Printer) body(d *tensor.Dense, own int, separator, prefix, suffix string, element func(shown *tensor.Dense) func(*tensor.Dense) string) string {
	if d.Size() == 0 {
		return "[]"
	}
	shown, summary := d, float64(tensor.Size(d.Shape()[:d.Rank()-own])) > o.Threshold
	if summary {
		shown = o.edges(d)
	}
	format, poll := element(shown), tensor.Poll{Stop: o.Stop}
	b := bodyPrinter{
		format: func(e *tensor.Dense) string {
			poll.Ask(perText)
			return format(e)
		},
		separator: separator, between: strings.TrimRightFunc(separator, unicode.IsSpace),
		edge: o.Edge, summary: summary, poll: poll, own: own,
	}
	return b.axis(d, strings.Repeat(" ", 1+columns(prefix)), o.Width-columns(suffix))
}

// columns is the width of a text.
func columns(s string) int { return utf8.RuneCountInString(s) }

// edges returns the first and last elements along each axis: those that a summary shows. Without
// edges it is all of them, as in NumPy, though only the last is shown.
func (o *Printer) edges(d *tensor.Dense) *tensor.Dense {
	for axis := range d.Rank() {
		n := d.Dim(axis)
		if o.Edge == 0 || n <= 2*o.Edge {
			continue
		}
		shape := slices.Clone(d.Shape())
		shape[axis] = 2 * o.Edge
		z := tensor.New(d.DType(), shape...)
		CopyPart(z, axis, 0, Along(d, axis, 0, o.Edge))
		CopyPart(z, axis, o.Edge, Along(d, axis, n-o.Edge, n))
		d = z
	}
	return d
}

// Along returns the view of the elements of d from first up to end on an axis.
func Along(d *tensor.Dense, axis, first, end int) *tensor.Dense {
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{Start: &first, Stop: &end}
	return must(d.Subscript(index...))
}

// CopyPart writes src into dst from position first of an axis on.
func CopyPart(dst *tensor.Dense, axis, first int, src *tensor.Dense) {
	tensor.CopyTo(Along(dst, axis, first, first+src.Dim(axis)), src)
}

// bodyPrinter writes nested brackets.
type bodyPrinter struct {
	format             func(*tensor.Dense) string
	separator, between string // elements; without the blanks at the end, lines
	edge               int
	summary            bool
	own                int // axes of an element
	poll               tensor.Poll
}

// axis writes d, whose lines are indented by indent and at most width wide.
func (b *bodyPrinter) axis(d *tensor.Dense, indent string, width int) string {
	if d.Rank() == b.own {
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
	if rank := d.Rank() - b.own; rank > 1 {
		return "[" + strings.Join(words, b.between+strings.Repeat("\n", rank-1)+indent) + "]"
	}
	return "[" + b.lines(words, indent, width-max(columns(b.between), 1))[len(indent):] + "]"
}

// lines joins words to lines of at most width columns, unless a word alone is wider.
func (b *bodyPrinter) lines(words []string, indent string, width int) string {
	var s strings.Builder
	line, used := indent, len(indent)
	for i, w := range words {
		b.poll.Ask(perText)
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

// Element returns the function that formats the elements of d, each an array without dimensions, to
// equal width.
func (o *Printer) Element(d *tensor.Dense) func(*tensor.Dense) string {
	t := d.DType()
	if o.Formatter != nil {
		if format := o.Formatter(t); format != nil {
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
			if tensor.Elements[uint8](e)[0] != 0 {
				return pad + "True"
			}
			return "False"
		}
	case t == kernels.Uint64:
		return widest(tensor.Poll{Stop: o.Stop}, tensor.Elements[uint64](d.Copy()), func(u uint64) string { return strconv.FormatUint(u, 10) },
			func(e *tensor.Dense) uint64 { return tensor.Elements[uint64](e)[0] })
	}
	return widest(tensor.Poll{Stop: o.Stop}, d.Ints(), func(i int64) string { return strconv.FormatInt(i, 10) },
		func(e *tensor.Dense) int64 { return e.Ints()[0] })
}

// widest formats integers to the width of the widest of all.
func widest[E int64 | uint64](poll tensor.Poll, all []E, format func(E) string, element func(*tensor.Dense) E) func(*tensor.Dense) string {
	width := 0
	for _, x := range all {
		poll.Ask(perText)
		width = max(width, len(format(x)))
	}
	return func(e *tensor.Dense) string { return padLeft(format(element(e)), width) }
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-columns(s))) + s
}
