package array

import (
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// floatFormat formats floats to one width: left columns before the point (the sign included) and
// right after it, the exponent included. All have exponents if their magnitudes are far apart.
type floatFormat struct {
	o         *Printer
	digits    digits
	exponents bool
	// Columns of parts; those of the exponent without its sign.
	left, right, exponent int
}

// newFloatFormat goes through the elements of d twice: for their magnitudes, and for their widths.
func newFloatFormat(o *Printer, d *tensor.Dense) *floatFormat {
	f := &floatFormat{o: o, digits: digits{bits: 8 * d.DType().Size(), most: o.Precision, plus: o.Sign == "+"}}
	all := d.Floats()
	finite := all[:0:0]
	minusInf, minus := false, false
	least, most := math.Inf(1), 0.0
	for _, x := range all {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			minusInf = minusInf || x < 0
			continue
		}
		finite = append(finite, x)
		minus = minus || math.Signbit(x)
		if a := math.Abs(x); a != 0 {
			least, most = min(least, a), max(most, a)
		}
	}
	f.exponents = most > 0 && (most >= 1e8 || !o.Suppress && farApart(least, most, d.DType()))
	switch o.FloatMode {
	case "fixed":
		f.digits.least = o.Precision
		f.digits.exact = true
	case "unique":
		f.digits.most = math.MaxInt
	}
	digitsWide := 0
	poll := tensor.Poll{Stop: o.Stop}
	for _, x := range finite {
		poll.Ask(perText)
		whole, fraction, exponent := f.digits.split(x, f.exponents)
		f.left = max(f.left, len(whole))
		digitsWide = max(digitsWide, len(fraction))
		f.exponent = max(f.exponent, len(exponent)-1)
	}
	f.right = digitsWide
	if f.exponents {
		f.right += len("e+") + f.exponent
	}
	// Those that need fewer digits are filled up not with zeros but with the digits that the binary
	// number has: float32 2e-9 prints as 1.9999999e-09 beside a number of seven digits.
	if f.exponents || o.FloatMode == "maxprec_equal" {
		f.digits.least, f.digits.most = digitsWide, digitsWide
	}
	if o.Sign == " " && !minus {
		f.left++
	}
	if len(finite) < len(all) {
		inf := columns(o.Inf)
		if minusInf || o.Sign != "-" {
			inf++
		}
		f.left = max(f.left, columns(o.NaN)-f.right-1, inf-f.right-1)
	}
	return f
}

// farApart is why numbers below 1e8 have exponents. It is computed in the array's type, as NumPy 2
// does.
func farApart(least, most float64, t kernels.DType) bool {
	if t == kernels.Float32 {
		return float32(least) < 1e-4 || float32(most)/float32(least) > 1000
	}
	return least < 1e-4 || most/least > 1000
}

func (f *floatFormat) format(e *tensor.Dense) string {
	x := e.Floats()[0]
	if math.IsNaN(x) || math.IsInf(x, 0) {
		sign, text := "", f.o.Inf
		if math.IsNaN(x) {
			text = f.o.NaN
		}
		switch {
		case x < 0:
			sign = "-"
		case f.o.Sign == "+":
			sign = "+"
		}
		return padLeft(sign+text, f.left+1+f.right)
	}
	whole, fraction, exponent := f.digits.split(x, f.exponents)
	text := padLeft(whole, f.left) + "." + fraction
	if f.exponents {
		return text + "e" + exponent[:1] + strings.Repeat("0", f.exponent-len(exponent)+1) + exponent[1:]
	}
	return text + strings.Repeat(" ", f.right-len(fraction))
}

// digits says how many digits numbers have after the point: as many as it takes to read the number
// back, but at least and at most so many, and without zeros at the end beyond the least. Without
// exponents all digits before the point are those of the binary number, unless the least is -1:
// float32 107741184 would be read back from 107741180 too.
type digits struct {
	bits        int // 32 or 64: of the type to be read back
	least, most int
	exact       bool // always least
	plus        bool // numbers that are not negative have a sign too
}

// split returns the parts of x, with an exponent or without one: "-1", "5" and "+10" of -1.5e+10.
func (p digits) split(x float64, exponents bool) (whole, fraction, exponent string) {
	form := byte('f')
	if exponents {
		form = 'e'
	}
	n := p.least
	if !p.exact {
		whole, fraction, exponent = cutFloat(shortest(x, form, p.bits))
		n = min(max(len(fraction), p.least), p.most)
	}
	if p.exact || n != len(fraction) || p.least == 0 && n == 0 && !exponents { // rounding is that of the binary number
		whole, fraction, exponent = cutFloat(strconv.FormatFloat(x, form, n, 64))
		for len(fraction) > p.least && strings.HasSuffix(fraction, "0") {
			fraction = fraction[:len(fraction)-1]
		}
	}
	if p.plus && !math.Signbit(x) {
		whole = "+" + whole
	}
	return whole, fraction, exponent
}

// shortest is the number nearest to x of those with the fewest digits that read back as x, the even
// one of two: where strconv.FormatFloat takes the odd one, as for float32 2⁻¹², rounding finds the
// other.
func shortest(x float64, form byte, bits int) string {
	s := strconv.FormatFloat(x, form, -1, bits)
	_, fraction, _ := cutFloat(s)
	if fraction == "" {
		return s
	}
	even := strconv.FormatFloat(x, form, len(fraction), 64)
	if y, err := strconv.ParseFloat(even, bits); even != s && err == nil && y == x {
		return even
	}
	return s
}

// cutFloat returns the parts of -1.5e+10: "-1", "5" and "+10".
func cutFloat(s string) (whole, fraction, exponent string) {
	mantissa, exponent, _ := strings.Cut(s, "e")
	whole, fraction, _ = strings.Cut(mantissa, ".")
	return whole, fraction, exponent
}
