package array

import (
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// An array of complex numbers is one of floats here, with a last axis of 2: the real part and the
// imaginary one, formatted apart, the imaginary ones with a sign each.

// ReprComplex is Repr of complex numbers.
func (o *Printer) ReprComplex(pairs *tensor.Dense) string {
	const prefix = "array("
	shape := pairs.Shape()[:pairs.Rank()-1]
	plain := pairs.DType() == kernels.Float64 && pairs.Size() > 0
	suffix := ","
	if plain {
		suffix = ")"
	}
	body := "[], shape=" + tensor.ShapeString(shape)
	if pairs.Size() > 0 || len(shape) == 1 {
		body = o.complexBody(pairs, ", ", prefix, suffix)
	}
	if plain {
		return prefix + body + suffix
	}
	return o.withType(prefix+body+suffix, len(prefix), ComplexName(pairs.DType()))
}

// ComplexName is the name of the type of complex numbers whose parts are of a float type.
func ComplexName(part kernels.DType) string {
	if part == kernels.Float32 {
		return "complex64"
	}
	return "complex128"
}

// StrComplex is Str of complex numbers of an axis at least.
func (o *Printer) StrComplex(pairs *tensor.Dense) string { return o.complexBody(pairs, " ", "", "") }

func (o *Printer) complexBody(pairs *tensor.Dense, separator, prefix, suffix string) string {
	parts := func(d *tensor.Dense) (re, im *tensor.Dense) { return Part(d, 0), Part(d, 1) }
	return o.body(pairs, 1, separator, prefix, suffix, func(shown *tensor.Dense) func(*tensor.Dense) string {
		signed := *o
		signed.Sign = "+"
		re, im := parts(shown)
		realFormat, imagFormat := newFloatFormat(o, re), newFloatFormat(&signed, im)
		return func(e *tensor.Dense) string {
			re, im := parts(e)
			text := imagFormat.format(im)
			bare := strings.TrimRight(text, " ")
			return realFormat.format(re) + bare + "j" + text[len(bare):]
		}
	})
}

// Part is the view of the real parts of pairs, 0, or of the imaginary ones, 1.
func Part(pairs *tensor.Dense, part int) *tensor.Dense {
	rank := pairs.Rank() - 1
	return pairs.View(pairs.DType(), pairs.Shape()[:rank], pairs.Strides()[:rank], pairs.Offset()+part*pairs.Strides()[rank])
}

// FormatComplexFloat writes the part of a complex number, a float of 32 or 64 bits, without the
// ".0" of a whole one.
func FormatComplexFloat(x float64, bits int) string {
	return strings.TrimSuffix(formatFloat(x, bits), ".0")
}
