package formula

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// repeats are the modes that repeat elements: each says which element of an axis of length n stands
// at position i, which is outside of it.
var repeats = map[string]func(i, n int) int{
	"edge": func(i, n int) int { return min(max(i, 0), n-1) },
	"wrap": array.Modulo,
	"symmetric": func(i, n int) int {
		if i = array.Modulo(i, 2*n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	},
	"reflect": func(i, n int) int {
		if n == 1 {
			return 0
		}
		if i = array.Modulo(i, 2*n-2); i >= n {
			i = 2*n - 2 - i
		}
		return i
	},
}

// PadWidths reads how many elements go before and after each axis: a number, a pair, or a pair for
// each.
func PadWidths(d *tensor.Dense, rank int) ([][2]int, error) {
	if !d.DType().IsInteger() {
		return nil, fmt.Errorf("for parameter pad_width: got %v, want integers", d.DType())
	}
	wide, err := eachAxis("pad_width", d, rank)
	if err != nil {
		return nil, err
	}
	list := make([][2]int, rank)
	for k, n := range wide.Ints() {
		list[k/2][k%2] = int(n)
	}
	return list, nil
}

// eachAxis broadcasts to a pair for each axis.
func eachAxis(parameter string, d *tensor.Dense, rank int) (*tensor.Dense, error) {
	wide, ok := d.BroadcastTo([]int{rank, 2})
	if !ok {
		return nil, fmt.Errorf("for parameter %s: got shape %s, want a number, a pair, or a pair for each of %d axes", parameter,
			tensor.ShapeString(d.Shape()), rank)
	}
	return wide, nil
}

// FilledPad is Padded of a value, in an array that is filled once; Padded copies it for each axis.
// ends are the constants of mode constant, or the outermost elements of linear_ramp: a number, a
// pair, or a pair for each axis.
func FilledPad(m *Algebra, a *tensor.Dense, mode string, widths [][2]int, ends *tensor.Dense) (Array, error) {
	parameter := "constant_values"
	if mode == "linear_ramp" {
		parameter = "end_values"
	}
	ends, err := eachAxis(parameter, ends, a.Rank())
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(a.Shape())
	for axis, w := range widths {
		if shape[axis] += w[0] + w[1]; shape[axis] < 0 {
			return nil, fmt.Errorf("got a width of %d, which needs more memory than there is", max(w[0], w[1]))
		}
	}
	if err := tensor.CheckSize(8, shape); err != nil {
		return nil, err
	}
	z := tensor.Empty(a.DType(), shape...)
	inner := func(first int) *tensor.Dense { // z without what is put around its axes from first on
		d := z
		for axis := first; axis < a.Rank(); axis++ {
			d = array.Along(d, axis, widths[axis][0], widths[axis][0]+a.Dim(axis))
		}
		return d
	}
	poll := tensor.Poll{Stop: m.Stop}
	poll.CopyTo(inner(0), a)
	for axis, w := range widths {
		n := a.Dim(axis)
		if n == 0 && w != [2]int{} && !slices.Contains(fromNothing, mode) {
			return nil, fmt.Errorf("got an empty axis %d, which mode %s cannot extend", axis, mode)
		}
		for side, first := range [2]int{0, w[0] + n} {
			if w[side] > 0 {
				end := ends.View(ends.DType(), nil, nil, ends.Offset()+axis*ends.Strides()[0]+side*ends.Strides()[1])
				fill := fillerOf(m, inner(axis), axis, mode, end, w[side], side == 0)
				poll.CopyTo(array.Along(inner(axis+1), axis, first, first+w[side]), fill.(*tensor.Dense))
			}
		}
	}
	return z, nil
}

// fromNothing are the modes that need no elements.
var fromNothing = []string{"constant", "linear_ramp", "empty"}

// fillerOf is the n elements that a mode puts before an axis, or after it, or what broadcasts to
// them.
func fillerOf(m *Algebra, a *tensor.Dense, axis int, mode string, end *tensor.Dense, n int, before bool) Array {
	if at := repeats[mode]; at != nil {
		index, first := make([]int, n), a.Dim(axis)
		if before {
			first = -n
		}
		for i := range index {
			index[i] = at(first+i, a.Dim(axis))
		}
		return done(array.Gather(a, axis, index))
	}
	axes := tensor.AxesOf(axis)
	switch mode {
	case "constant":
		return end
	case "maximum":
		return restored(m, m.Reduce(op.Max, a, axes), axes, a.Rank())
	case "minimum":
		return restored(m, m.Reduce(op.Min, a, axes), axes, a.Rank())
	case "mean":
		mean := restored(m, meanOf(m, a, axes), axes, a.Rank())
		if a.DType().IsInteger() {
			mean = m.Do(op.Round, mean)
		}
		return mean
	case "linear_ramp":
		return rampOf(m, a, axis, end, n, before)
	}
	return tensor.New(a.DType()) // of mode empty
}

// rampOf goes in n equal steps from the outermost element end to the edge of a, which is left out.
func rampOf(m *Algebra, a *tensor.Dense, axis int, end *tensor.Dense, n int, before bool) Array {
	edge, count := 0, make([]float64, n)
	for i := range count {
		count[i] = float64(i)
	}
	if !before {
		edge = a.Dim(axis) - 1
		slices.Reverse(count)
	}
	step := m.Do(op.TrueDiv, m.Do(op.Sub, m.Part(a, axis, edge, edge+1), end), n)
	z := m.Do(op.Add, end, m.Do(op.Mul, step, alongAxis(m, tensor.From(count, n), axis, a.Rank())))
	if a.DType().IsInteger() {
		z = m.Do(op.Floor, z)
	}
	return z
}
