package np

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// scalarTrims are NumPy's ways to trim: zeros and point kept, zeros cut, zeros cut but one, zeros and point cut.
var scalarTrims = []string{"k", ".", "0", "-"}

var formatFloatTable = []value.Builtin{
	numpyRow("np.", "format_float_positional", "A float as text, without an exponent.",
		"np.format_float_positional(1 / 3, precision=4) # \"0.3333\"", func(c *call) (starlark.Value, error) {
			return formatFloatCall(c, false)
		}, slices.Concat(formatFloatParams, []string{"pad_right=None: columns after the point, filled with blanks"})...),
	numpyRow("np.", "format_float_scientific", "A float as text, with an exponent.",
		"np.format_float_scientific(12345.678, precision=3) # \"1.235e+04\"", func(c *call) (starlark.Value, error) {
			return formatFloatCall(c, true)
		}, slices.Concat(formatFloatParams, []string{"exp_digits=None: the fewest digits of the exponent, up to 5; else 2"})...),
}

var formatFloatParams = []string{
	"x: a number",
	"precision=None: the most digits after the point",
	"unique=True: whether digits end where they tell the number from others of its type",
	`trim="k": what becomes of zeros at the end: "k" they stay, "." go, "0" go but one, "-" go and the point too`,
	"sign=False: whether numbers that are not negative have a sign",
	"pad_left=None: columns before the point, filled with blanks",
	"min_digits=None: the fewest digits after the point",
}

// formatFloatCall is format_float_positional and format_float_scientific.
func formatFloatCall(c *call, exponents bool) (starlark.Value, error) {
	x, err := c.float(0, 0)
	if err != nil {
		return nil, err
	}
	p := digits{bits: 64, least: -1, most: math.MaxInt}
	if a, ok := c.v[0].(*Array); ok && a.d.DType() == kernels.Float32 {
		p.bits = 32
	}
	unique, err := c.bool(2, true)
	if err != nil {
		return nil, err
	}
	if p.plus, err = c.bool(4, false); err != nil {
		return nil, err
	}
	trim := "k"
	if c.v[3] != nil {
		if err := setString(&trim, c.v[3], scalarTrims...); err != nil {
			return nil, fmt.Errorf("for parameter trim: %w", err)
		}
	}
	var columns [2]int // before the point; after it, or of the exponent
	for i, to := range map[int]*int{1: &p.most, 5: &columns[0], 6: &p.least, 7: &columns[1]} {
		if c.v[i] == nil {
			continue
		}
		if err := setInt(to, c.v[i], 0, maxPrecision); err != nil {
			return nil, fmt.Errorf("for parameter %s: %w", c.Params[i].Name, err)
		}
	}
	switch {
	case !unique && c.v[1] == nil:
		return nil, errors.New("for parameter precision: got None, want an int where unique is False")
	case p.least > p.most:
		return nil, fmt.Errorf("for parameter min_digits: got %d, want at most precision %d", p.least, p.most)
	case !unique:
		p.exact, p.least = true, p.most
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		text := value.FormatFloat(x)
		if p.plus && !math.IsNaN(x) && x > 0 {
			text = "+" + text
		}
		return starlark.String(text), nil
	}
	whole, fraction, exponent := p.split(x, exponents)
	if trim == "k" {
		fraction = p.zerosCut(x, exponents, fraction)
	} else {
		fraction = strings.TrimRight(fraction, "0")
	}
	if trim == "0" && fraction == "" {
		fraction = "0"
	}
	text := padLeft(whole, columns[0])
	if trim != "-" || fraction != "" {
		text += "." + fraction
	}
	if exponents {
		if c.v[7] == nil {
			columns[1] = 2
		}
		number := cmp.Or(strings.TrimLeft(exponent[1:], "0"), "0")
		zeros := min(columns[1], 5) - len(number) // NumPy has no more than 5 digits
		return starlark.String(text + "e" + exponent[:1] + strings.Repeat("0", max(zeros, 0)) + number), nil
	}
	if n := len(text) + columns[1] - len(fraction); c.v[7] != nil && columns[1] >= len(fraction) {
		if fraction == "" && trim == "-" {
			n++ // for the point
		}
		text += strings.Repeat(" ", n-len(text))
	}
	return starlark.String(text), nil
}

// zerosCut adds to fraction the zeros at which the digits of x were cut off: split leaves them out, and where rounding made them
// of nines NumPy does so too.
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
