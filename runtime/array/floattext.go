package array

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxPrecision is more than the digits that any float64 has after the point.
const MaxPrecision = 1100

// FloatText says how one float is written. Of the numbers, those that are nil are not given.
type FloatText struct {
	Bits      int    // 32 or 64: of the number's type
	Exponent  bool   // whether there is one
	Unique    bool   // digits end where they tell the number from others of its type
	Trim      string // one of Trims
	Plus      bool   // numbers that are not negative have a sign
	Precision *int   // the most digits after the point
	MinDigits *int   // the fewest
	PadLeft   int    // columns before the point
	PadRight  *int   // columns after the point, without an exponent
	ExpDigits *int   // the fewest digits of the exponent, up to 5; else 2
}

// Trims are NumPy's ways to trim: zeros and point kept, zeros cut, zeros cut but one, zeros and
// point cut.
var Trims = []string{"k", ".", "0", "-"}

// Format writes x.
func (f FloatText) Format(x float64) (string, error) {
	p := digits{bits: f.Bits, least: -1, most: math.MaxInt, plus: f.Plus}
	if f.Precision != nil {
		p.most = *f.Precision
	}
	if f.MinDigits != nil {
		p.least = *f.MinDigits
	}
	switch {
	case !f.Unique && f.Precision == nil:
		return "", errors.New("for parameter precision: got None, want an int where unique is False")
	case p.least > p.most:
		return "", fmt.Errorf("for parameter min_digits: got %d, want at most precision %d", p.least, p.most)
	case !f.Unique:
		p.exact, p.least = true, p.most
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		text := infinite(x)
		if p.plus && x > 0 {
			text = "+" + text
		}
		return text, nil
	}
	whole, fraction, exponent := p.split(x, f.Exponent)
	if f.Trim == "k" {
		fraction = p.zerosCut(x, f.Exponent, fraction)
	} else {
		fraction = strings.TrimRight(fraction, "0")
	}
	if f.Trim == "0" && fraction == "" {
		fraction = "0"
	}
	text := padLeft(whole, f.PadLeft)
	if f.Trim != "-" || fraction != "" {
		text += "." + fraction
	}
	if f.Exponent {
		least := 2
		if f.ExpDigits != nil {
			least = min(*f.ExpDigits, 5) // NumPy has no more
		}
		number := cmp.Or(strings.TrimLeft(exponent[1:], "0"), "0")
		return text + "e" + exponent[:1] + strings.Repeat("0", max(least-len(number), 0)) + number, nil
	}
	if f.PadRight == nil || *f.PadRight < len(fraction) {
		return text, nil
	}
	n := *f.PadRight - len(fraction)
	if fraction == "" && f.Trim == "-" {
		n++ // for the point
	}
	return text + strings.Repeat(" ", n), nil
}

// zerosCut adds to fraction the zeros at which the digits of x were cut off: split leaves them out,
// and where rounding made them of nines NumPy does so too.
func (p digits) zerosCut(x float64, exponents bool, fraction string) string {
	if p.exact || p.most == math.MaxInt || len(fraction) >= p.most {
		return fraction
	}
	form := byte('f')
	if exponents {
		form = 'e'
	}
	_, full, _ := cutFloat(shortest(x, form, p.bits))
	_, rounded, _ := cutFloat(strconv.FormatFloat(x, form, p.most, 64))
	if len(full) > p.most && strings.HasPrefix(full, rounded) {
		return rounded
	}
	return fraction
}
