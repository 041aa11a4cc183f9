package np

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
)

// Arrays print as NumPy prints them with its standard options. The elements of one array
// are formatted together: as many digits as the one that needs most, but at most eight
// after the point, and all with exponents if their magnitudes are far apart.

// Printing options, NumPy's standard ones.
const (
	printPrecision = 8
	printThreshold = 1000 // larger arrays show only the edges
	printEdge      = 3
	printWidth     = 75
)

type arrayStyle struct {
	separator, prefix string
	repr              bool
}

var (
	reprStyle = arrayStyle{", ", "array(", true}
	strStyle  = arrayStyle{" ", "", false} // what NumPy's str gives
)

// formatArray returns d as NumPy's repr or str does.
func formatArray(d *tensor.Dense, style arrayStyle) string {
	if !style.repr {
		if d.Rank() == 0 {
			return formatElement(d)
		}
		return formatBody(d, style, 0)
	}
	plain := isDefault(d.DType()) && d.Size() > 0
	suffix := ","
	if plain {
		suffix = ")"
	}
	body := "[], shape=" + tensor.ShapeString(d.Shape())
	if d.Size() > 0 || d.Rank() == 1 {
		body = formatBody(d, style, len(suffix))
	}
	text := style.prefix + body + suffix
	if plain {
		return text
	}
	dtype := "dtype=" + d.DType().String() + ")"
	if last := len(text) - (strings.LastIndexByte(text, '\n') + 1); last+len(dtype)+1 > printWidth {
		return text + "\n" + strings.Repeat(" ", len(style.prefix)) + dtype
	}
	return text + " " + dtype
}

// formatElement is str of an array without dimensions: that of a number.
func formatElement(d *tensor.Dense) string {
	switch d.DType() {
	case kernels.Float32:
		x := floatOf(d)
		if a := math.Abs(x); a != 0 && !math.IsInf(x, 0) && (a < 1e-4 || a >= 1e16) {
			return strconv.FormatFloat(x, 'e', -1, 32)
		}
		if x == math.Trunc(x) || math.IsNaN(x) {
			return value.FormatFloat(x)
		}
		return strconv.FormatFloat(x, 'f', -1, 32)
	case kernels.Float64:
		return value.FormatFloat(floatOf(d))
	}
	return strings.TrimSpace(elementFormat(d)(d))
}

// formatBody returns the bracketed elements.
func formatBody(d *tensor.Dense, style arrayStyle, suffix int) string {
	if d.Size() == 0 {
		return "[]"
	}
	shown, summary := d, d.Size() > printThreshold
	if summary {
		shown = edges(d)
	}
	b := bodyPrinter{d: d, format: elementFormat(shown), separator: style.separator, summary: summary}
	return b.axis(d, strings.Repeat(" ", 1+len(style.prefix)), printWidth-suffix)
}

// edges returns the first and last elements along each axis: those that a summary shows.
func edges(d *tensor.Dense) *tensor.Dense {
	for axis := range d.Rank() {
		n := d.Dim(axis)
		if n <= 2*printEdge {
			continue
		}
		shape := slices.Clone(d.Shape())
		shape[axis] = 2 * printEdge
		z := tensor.New(d.DType(), shape...)
		copyPart(z, axis, 0, along(d, axis, 0, printEdge))
		copyPart(z, axis, printEdge, along(d, axis, n-printEdge, n))
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
	d         *tensor.Dense
	format    func(*tensor.Dense) string
	separator string
	summary   bool
}

// axis writes d, whose lines are indented by indent and at most width wide.
func (b *bodyPrinter) axis(d *tensor.Dense, indent string, width int) string {
	if d.Rank() == 0 {
		return b.format(d)
	}
	n := d.Dim(0)
	leading, trailing := 0, n
	summarized := b.summary && n > 2*printEdge
	if summarized {
		leading, trailing = printEdge, printEdge
	}
	item := func(i int) string {
		e, err := d.Subscript(tensor.Index{At: &i})
		if err != nil {
			panic("BUG: " + err.Error())
		}
		return b.axis(e, indent+" ", width-1)
	}
	var s strings.Builder
	if d.Rank() == 1 {
		line := indent
		most := width - max(len(strings.TrimRight(b.separator, " ")), 1)
		word := func(w string, last bool) {
			if len(line)+len(w) > most && len(line) > len(indent) {
				s.WriteString(strings.TrimRight(line, " ") + "\n")
				line = indent
			}
			line += w
			if !last {
				line += b.separator
			}
		}
		for i := range leading {
			word(item(i), false)
		}
		if summarized {
			word("...", false)
		}
		for i := n - trailing; i < n; i++ {
			word(item(i), i == n-1)
		}
		s.WriteString(line)
	} else {
		end := strings.TrimRight(b.separator, " ") + strings.Repeat("\n", d.Rank()-1)
		for i := range leading {
			s.WriteString(indent + item(i) + end)
		}
		if summarized {
			s.WriteString(indent + "..." + end)
		}
		for i := n - trailing; i < n; i++ {
			s.WriteString(indent + item(i))
			if i < n-1 {
				s.WriteString(end)
			}
		}
	}
	return "[" + s.String()[len(indent):] + "]"
}

// elementFormat returns the function that formats the elements of d, each an array
// without dimensions, to equal width.
func elementFormat(d *tensor.Dense) func(*tensor.Dense) string {
	switch t := d.DType(); {
	case t.IsFloat():
		return newFloatFormat(d).format
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
	text := func(e *tensor.Dense) string {
		if e.DType() == kernels.Uint64 {
			return strconv.FormatUint(first[uint64](e), 10)
		}
		return strconv.FormatInt(intOf(e), 10)
	}
	width := 0
	if d.DType() == kernels.Uint64 {
		for _, u := range tensor.Elements[uint64](d.Copy()) {
			width = max(width, len(strconv.FormatUint(u, 10)))
		}
	} else {
		for _, i := range d.Ints() {
			width = max(width, len(strconv.FormatInt(i, 10)))
		}
	}
	return func(e *tensor.Dense) string { return padLeft(text(e), width) }
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-len(s))) + s
}

// floatFormat formats floats to one width: left columns before the point (the sign
// included) and right after it, the exponent included.
type floatFormat struct {
	bits           int
	exponents      bool
	digits         int // after the point, with exponents
	exponentDigits int
	left, right    int
}

func newFloatFormat(d *tensor.Dense) *floatFormat {
	f := &floatFormat{bits: 8 * d.DType().Size()}
	all := d.Floats()
	finite := all[:0:0]
	negative := false // is there -inf
	least, most := math.Inf(1), 0.0
	for _, x := range all {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			negative = negative || x < 0
			continue
		}
		finite = append(finite, x)
		if a := math.Abs(x); a != 0 {
			least, most = min(least, a), max(most, a)
		}
	}
	f.exponents = most > 0 && (most >= 1e8 || least < 1e-4 || most/least > 1000)
	for _, x := range finite {
		if f.exponents {
			whole, fraction, exponent := f.scientific(x)
			f.left = max(f.left, len(whole))
			f.digits = max(f.digits, len(fraction))
			f.exponentDigits = max(f.exponentDigits, len(exponent)-1)
			continue
		}
		whole, fraction, _ := strings.Cut(f.positional(x), ".")
		f.left = max(f.left, len(whole))
		f.right = max(f.right, len(fraction))
	}
	if f.exponents {
		f.right = f.exponentDigits + 2 + f.digits
	}
	if len(finite) < len(all) {
		inf := len("inf")
		if negative {
			inf++
		}
		f.left = max(f.left, len("nan")-f.right-1, inf-f.right-1)
	}
	return f
}

// positional writes x with the fewest digits that read back as x, or rounded to
// printPrecision digits after the point where that is less.
func (f *floatFormat) positional(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, f.bits)
	point := strings.IndexByte(s, '.')
	switch {
	case point < 0:
		return s + "."
	case len(s)-point-1 > printPrecision:
		s = strings.TrimRight(strconv.FormatFloat(x, 'f', printPrecision, 64), "0")
	}
	return s
}

// scientific is positional with an exponent.
func (f *floatFormat) scientific(x float64) (whole, fraction, exponent string) {
	whole, fraction, exponent = cutFloat(strconv.FormatFloat(x, 'e', -1, f.bits))
	if len(fraction) > printPrecision {
		whole, fraction, exponent = cutFloat(strconv.FormatFloat(x, 'e', printPrecision, 64))
		fraction = strings.TrimRight(fraction, "0")
	}
	return whole, fraction, exponent
}

// cutFloat returns the parts of 1.5e+10: "1", "5" and "+10".
func cutFloat(s string) (whole, fraction, exponent string) {
	mantissa, exponent, _ := strings.Cut(s, "e")
	whole, fraction, _ = strings.Cut(mantissa, ".")
	return whole, fraction, exponent
}

func (f *floatFormat) format(e *tensor.Dense) string {
	x := floatOf(e)
	switch {
	case math.IsNaN(x):
		return padLeft("nan", f.left+1+f.right)
	case math.IsInf(x, 0):
		return padLeft(value.FormatFloat(x), f.left+1+f.right)
	case f.exponents:
		whole, fraction, exponent := f.scientific(x)
		if len(fraction) < f.digits {
			// NumPy fills up not with zeros but with the digits that the binary number
			// has: float32 2e-9 prints as 1.9999999e-09 beside a number of seven digits.
			whole, fraction, exponent = cutFloat(strconv.FormatFloat(x, 'e', f.digits, 64))
		}
		sign, exponent := exponent[:1], exponent[1:]
		exponent = strings.Repeat("0", f.exponentDigits-len(exponent)) + exponent
		return padLeft(whole, f.left) + "." + fraction + "e" + sign + exponent
	}
	whole, fraction, _ := strings.Cut(f.positional(x), ".")
	return padLeft(whole, f.left) + "." + fraction + strings.Repeat(" ", f.right-len(fraction))
}
