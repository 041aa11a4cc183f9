package array

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// PadModes are what Pad puts around an array.
var PadModes = []string{"constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "linear_ramp", "empty"}

// repeats are the modes that repeat elements: each says which element of an axis of length n stands
// at position i, which is outside of it.
var repeats = map[string]func(i, n int) int{
	"edge": func(i, n int) int { return min(max(i, 0), n-1) },
	"wrap": Modulo,
	"symmetric": func(i, n int) int {
		if i = Modulo(i, 2*n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	},
	"reflect": func(i, n int) int {
		if n == 1 {
			return 0
		}
		if i = Modulo(i, 2*n-2); i >= n {
			i = 2*n - 2 - i
		}
		return i
	},
}

// Modulo is the remainder with the sign of n.
func Modulo(i, n int) int { return ((i % n) + n) % n }

// Gather returns the elements at the given positions of an axis.
func Gather(a *tensor.Dense, axis int, positions []int) (*tensor.Dense, error) {
	at := make([]int64, len(positions))
	for i, p := range positions {
		at[i] = int64(p)
	}
	return tensor.Take(a, tensor.From(at, len(at)), axis, tensor.Raise, nil)
}

// PadWidths reads how many elements go before and after each axis: a number, a pair, or a pair for
// each.
func PadWidths(d *tensor.Dense, rank int) ([][2]int, error) {
	if !d.DType().IsInteger() {
		return nil, fmt.Errorf("for parameter pad_width: got %v, want integers", d.DType())
	}
	wide, err := perAxis("pad_width", d, rank)
	if err != nil {
		return nil, err
	}
	list := make([][2]int, rank)
	for k, n := range wide.Ints() {
		list[k/2][k%2] = int(n)
	}
	return list, nil
}

// perAxis broadcasts to a pair for each axis.
func perAxis(parameter string, d *tensor.Dense, rank int) (*tensor.Dense, error) {
	wide, ok := d.BroadcastTo([]int{rank, 2})
	if !ok {
		return nil, fmt.Errorf("for parameter %s: got shape %s, want a number, a pair, or a pair for each of %d axes", parameter,
			tensor.ShapeString(d.Shape()), rank)
	}
	return wide, nil
}

// Pad adds elements at the ends of axes. ends are the constants of mode constant, or the outermost
// elements of linear_ramp: a number, a pair, or a pair for each axis.
func Pad(c Calculator, a *tensor.Dense, mode string, widths [][2]int, ends *tensor.Dense) (*tensor.Dense, error) {
	parameter := "constant_values"
	if mode == "linear_ramp" {
		parameter = "end_values"
	}
	ends, err := perAxis(parameter, ends, a.Rank())
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(a.Shape())
	for axis, w := range widths {
		if shape[axis] += w[0] + w[1]; shape[axis] < 0 {
			return nil, fmt.Errorf("got a width of %d, which needs more memory than there is", max(w[0], w[1]))
		}
	}
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	z := tensor.Empty(a.DType(), shape...)
	inner := func(first int) *tensor.Dense { // z without what is put around its axes from first on
		d := z
		for axis := first; axis < a.Rank(); axis++ {
			d = Along(d, axis, widths[axis][0], widths[axis][0]+a.Dim(axis))
		}
		return d
	}
	poll := tensor.Poll{Stop: c.Stop}
	poll.CopyTo(inner(0), a)
	f := &formula{Calculator: c}
	for axis, w := range widths {
		n := a.Dim(axis)
		if n == 0 && w != [2]int{} && !slices.Contains(fromNothing, mode) {
			f.fail("got an empty axis %d, which mode %s cannot extend", axis, mode)
		}
		for side, first := range [2]int{0, w[0] + n} {
			if f.failed() || w[side] == 0 {
				continue
			}
			end := must(ends.Subscript(tensor.Index{At: &axis}, tensor.Index{At: &side}))
			if fill := f.filler(inner(axis), axis, mode, end, w[side], side == 0); !f.failed() {
				poll.CopyTo(Along(inner(axis+1), axis, first, first+w[side]), fill)
			}
		}
	}
	return z, f.err
}

// fromNothing are the modes that need no elements.
var fromNothing = []string{"constant", "linear_ramp", "empty"}

// filler returns the n elements that a mode puts before an axis, or after it, or what broadcasts to
// them.
func (f *formula) filler(a *tensor.Dense, axis int, mode string, end *tensor.Dense, n int, before bool) *tensor.Dense {
	if at := repeats[mode]; at != nil {
		index, first := make([]int, n), a.Dim(axis)
		if before {
			first = -n
		}
		for i := range index {
			index[i] = at(first+i, a.Dim(axis))
		}
		return f.keep(Gather(a, axis, index))
	}
	axes := tensor.AxesOf(axis)
	keep := op.Restore(axes, a.Rank())
	switch mode {
	case "constant":
		return end
	case "maximum":
		return f.permute(f.reduce(op.Max, a, axes), keep...)
	case "minimum":
		return f.permute(f.reduce(op.Min, a, axes), keep...)
	case "mean":
		mean := f.permute(f.mean(a, axes), keep...)
		if a.DType().IsInteger() {
			mean = f.do(op.Round, mean)
		}
		return mean
	case "linear_ramp":
		return f.ramp(a, axis, end, n, before)
	}
	return tensor.New(a.DType()) // of mode empty
}

// ramp goes in n equal steps from the outermost element end to the edge of a, which is left out.
func (f *formula) ramp(a *tensor.Dense, axis int, end *tensor.Dense, n int, before bool) *tensor.Dense {
	edge, count := 0, make([]float64, n)
	for i := range count {
		count[i] = float64(i)
	}
	if !before {
		edge = a.Dim(axis) - 1
		slices.Reverse(count)
	}
	step := f.do(op.TrueDiv, f.do(op.Sub, f.part(a, axis, edge, edge+1), end), n)
	z := f.do(op.Add, end, f.do(op.Mul, step, tensor.From(count, lyingAlong(n, axis, a.Rank())...)))
	if a.DType().IsInteger() {
		z = f.do(op.Floor, z)
	}
	return z
}
