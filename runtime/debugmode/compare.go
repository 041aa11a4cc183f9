package debugmode

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// A tolerance says when two floating point numbers a and b count as equal: |a-b| <=
// relative*max(|a|,|b|) + smallest, where smallest is the least number that has all digits. A fixed
// number in its place would hide what is wrong with values below it: where a sum cancels, its
// spread says so.
type tolerance struct{ relative, smallest float64 }

// toleranceOf is what values of the type may differ by after equivalent computations, unless their
// spread says that it is more.
func (o Options) toleranceOf(d kernels.DType) tolerance {
	t := tolerance{1e-9, 0x1p-1022}
	if d == kernels.Float32 {
		t = tolerance{1e-4, 0x1p-126}
	}
	if r, ok := o.Tolerance[d]; ok {
		t.relative = r
	}
	return t
}

func (t tolerance) equal(a, b, spread float64) bool {
	switch {
	case a == b, math.IsNaN(a) && math.IsNaN(b):
		return true
	case math.IsInf(spread, 0) || math.IsNaN(spread): // the values have no digits that mean something
		return true
	}
	return math.Abs(a-b) <= t.smallest+t.relative*max(math.Abs(a), math.Abs(b))+spread
}

// A difference is where two arrays differ.
type difference struct {
	what    string // why they cannot be compared element by element; "" if they can
	shape   []int
	places  []int // of elements, in C order
	a, b    []float64
	worst   int // of places
	largest float64
	ratio   float64
}

// compare finds the difference of a and b, nil if there is none that matters. spread, which may be
// nil, is what each element is uncertain by.
func (o Options) compare(a, b *tensor.Dense, spread []float64) *difference {
	if d := unlike(a, b); d != nil || tensor.Equal(a, b) {
		return d
	}
	d := &difference{shape: a.Shape()}
	if !a.DType().IsFloat() {
		x, y := a.Ints(), b.Ints()
		for i := range x {
			if x[i] != y[i] && (spread == nil || !math.IsInf(spread[i], 0)) {
				d.add(i, float64(x[i]), float64(y[i]))
			}
		}
		return d.found()
	}
	x, y := a.Floats(), b.Floats()
	t := o.toleranceOf(a.DType())
	for i := range x {
		s := 0.0
		if spread != nil {
			s = spread[i]
		}
		if !t.equal(x[i], y[i], s) {
			d.add(i, x[i], y[i])
		}
	}
	return d.found()
}

// unlike is the difference of arrays that cannot be compared element by element.
func unlike(a, b *tensor.Dense) *difference {
	switch {
	case a.DType() != b.DType():
		return &difference{what: fmt.Sprintf("dtypes %v and %v", a.DType(), b.DType())}
	case !slices.Equal(a.Shape(), b.Shape()):
		return &difference{what: fmt.Sprintf("shapes %s and %s", tensor.ShapeString(a.Shape()), tensor.ShapeString(b.Shape()))}
	}
	return nil
}

func (d *difference) add(i int, a, b float64) {
	abs := math.Abs(a - b)
	if math.IsNaN(abs) {
		abs = math.Inf(1)
	}
	if len(d.places) == 0 || abs > d.largest {
		d.worst, d.largest = len(d.places), abs
		d.ratio = abs / max(math.Abs(a), math.Abs(b))
	}
	d.places, d.a, d.b = append(d.places, i), append(d.a, a), append(d.b, b)
}

func (d *difference) found() *difference {
	if len(d.places) == 0 {
		return nil
	}
	return d
}

// index is the place of an element as users write it.
func (d *difference) index(place int) string {
	if len(d.shape) == 0 {
		return ""
	}
	at := make([]string, len(d.shape))
	for axis := len(d.shape) - 1; axis >= 0; axis-- {
		at[axis] = fmt.Sprint(place % d.shape[axis])
		place /= d.shape[axis]
	}
	return "[" + strings.Join(at, ", ") + "]"
}

// text tells of the difference; the names are those of the two values.
func (d *difference) text(a, b string) string {
	if d.what != "" {
		return fmt.Sprintf("%s against %s: %s", a, b, d.what)
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%d of %d elements differ, most by %.4g (%.2g of the larger): %s%s gives %v, %s %v",
		len(d.places), tensor.Size(d.shape), d.largest, d.ratio, a, d.index(d.places[d.worst]), d.a[d.worst], b, d.b[d.worst])
	const shown = 10
	if len(d.places) > 1 {
		s.WriteString("; first")
		for k := range min(shown, len(d.places)) {
			fmt.Fprintf(&s, " %s %v/%v", d.index(d.places[k]), d.a[k], d.b[k])
		}
	}
	return s.String()
}

// summary describes a value in a few words: its type, shape, extremes, and how much of it is not
// finite.
func summary(a *tensor.Dense) string {
	text := fmt.Sprintf("%v of shape %s", a.DType(), tensor.ShapeString(a.Shape()))
	if a.Size() == 0 {
		return text
	}
	values := a.Floats()
	lo, hi, odd := math.Inf(1), math.Inf(-1), 0
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			odd++
			continue
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	const shown = 8
	if len(values) <= shown {
		return text + ": " + strings.Trim(fmt.Sprint(values), "[]")
	}
	if odd < len(values) {
		text += fmt.Sprintf(", from %v to %v", lo, hi)
	}
	if odd > 0 {
		text += fmt.Sprintf(", %d nan or inf", odd)
	}
	return text
}
