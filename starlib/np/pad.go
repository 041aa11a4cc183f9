package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// padTable is np.pad.
var padTable = []functions.Function{
	function("np.pad", "An array with elements added at the ends of its axes.",
		"pad([1, 2, 3], (1, 2), mode=\"edge\") # array([1, 1, 2, 3, 3, 3])", padded),
}

// paddings are the modes that repeat elements: each says which element of an axis of length n stands at position i, which is outside of it.
var paddings = map[string]func(i, n int) int{
	"edge": func(i, n int) int { return min(max(i, 0), n-1) },
	"wrap": modulo,
	"symmetric": func(i, n int) int {
		if i = modulo(i, 2*n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	},
	"reflect": func(i, n int) int {
		if n == 1 {
			return 0
		}
		if i = modulo(i, 2*n-2); i >= n {
			i = 2*n - 2 - i
		}
		return i
	},
}

// modulo is the remainder with the sign of n.
func modulo(i, n int) int { return ((i % n) + n) % n }

// paddedArgs are the arguments of np.pad.
type paddedArgs struct {
	Array          *tensor.Dense     `arg:"array: an array"`
	PadWidth       functions.Operand `arg:"pad_width: how many before and after each axis: a number, a pair, or a pair for each axis"`
	Mode           string            `arg:"mode=\"constant\": constant, edge, reflect, symmetric, wrap, maximum, minimum, mean, linear_ramp or empty"`
	ConstantValues functions.Operand `arg:"constant_values=0: the elements of mode constant, as a number, a pair, or a pair for each axis"`
	EndValues      functions.Operand `arg:"end_values=0: the outermost elements of mode linear_ramp"`
}

func padded(e *eval, a *paddedArgs) starlark.Value {
	widths := e.pairs("pad_width", a.PadWidth.D, a.Array.Rank())
	mode := e.word("mode", a.Mode, "constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "linear_ramp", "empty")
	for _, w := range widths {
		if w[0] < 0 || w[1] < 0 {
			e.failFor("pad_width", "got %s, want no negative number", a.PadWidth.Value)
		}
	}
	ends, parameter := a.ConstantValues, "constant_values"
	if mode == "linear_ramp" {
		ends, parameter = a.EndValues, "end_values"
	}
	values := e.endValues(parameter, ends, a.Array.Rank())
	if e.failed() {
		return nil
	}
	shape := slices.Clone(a.Array.Shape())
	for axis, w := range widths {
		shape[axis] += w[0] + w[1]
		if shape[axis] < 0 {
			e.fail("got a width of %d, which needs more memory than there is", max(w[0], w[1]))
			return nil
		}
	}
	if err := checkShape(shape); err != nil {
		return e.array1(e.got(nil, err), nil)
	}
	at := paddings[mode]
	for axis, w := range widths {
		switch n := a.Array.Dim(axis); {
		case w[0] == 0 && w[1] == 0:
		case n == 0 && (at != nil || mode == "mean" || mode == "maximum" || mode == "minimum"):
			e.fail("got an empty axis %d, which mode %s cannot extend", axis, mode)
		case at != nil:
			index := make([]int, w[0]+n+w[1])
			for i := range index {
				index[i] = at(i-w[0], n)
			}
			a.Array = e.gather(a.Array, axis, index)
		default:
			before, after := e.filler(a.Array, axis, mode, values[axis], w)
			a.Array = e.concatenate(axis, before, a.Array, after)
		}
	}
	return e.array1(a.Array.Copy(), nil)
}

// filler returns what a mode puts before and after an axis, in a's type.
func (e *eval) filler(a *tensor.Dense, axis int, mode string, values [2]*tensor.Dense, w [2]int) (before, after *tensor.Dense) {
	var parts [2]*tensor.Dense
	for side := range parts {
		shape := slices.Clone(a.Shape())
		shape[axis] = w[side]
		parts[side] = tensor.New(a.DType(), shape...)
		if w[side] == 0 {
			continue
		}
		var fill *tensor.Dense
		switch mode {
		case "constant":
			fill = values[side]
		case "maximum", "minimum", "mean":
			name := map[string]string{"maximum": "max", "minimum": "min", "mean": "mean"}[mode]
			fill = e.reduce(name, a, tensor.AxesOf(axis))
			if mode == "mean" && a.DType().IsInteger() {
				fill = e.do("rint", fill)
			}
			fill = e.permute(fill, withNewAxis(fill.Rank(), axis))
		case "linear_ramp":
			fill = e.ramp(a, axis, values[side], w[side], side == 0)
		case "empty":
			continue
		}
		if e.failed() {
			return a, a
		}
		tensor.CopyTo(parts[side], fill)
	}
	return parts[0], parts[1]
}

// ramp goes in n equal steps from the outermost element end to the edge of a, which is left out.
func (e *eval) ramp(a *tensor.Dense, axis int, end *tensor.Dense, n int, before bool) *tensor.Dense {
	edge, count := 0, make([]float64, n)
	for i := range count {
		count[i] = float64(i)
	}
	if !before {
		edge = a.Dim(axis) - 1
		slices.Reverse(count)
	}
	shape := slices.Repeat([]int{1}, a.Rank())
	shape[axis] = n
	step := e.do("divide", e.do("subtract", e.part(a, axis, edge, edge+1), end), n)
	z := e.do("add", end, e.do("multiply", step, tensor.From(count, shape...)))
	if a.DType().IsInteger() {
		z = e.do("floor", z)
	}
	return z
}

// gather returns the elements at the given positions of an axis.
func (e *eval) gather(a *tensor.Dense, axis int, index []int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	shape := slices.Clone(a.Shape())
	shape[axis] = len(index)
	if err := checkShape(shape); err != nil {
		return e.got(nil, err)
	}
	z := tensor.Empty(a.DType(), shape...)
	for i, from := range index {
		tensor.CopyTo(e.part(z, axis, i, i+1), e.part(a, axis, from, from+1))
	}
	return z
}

// pairs reads a number, a pair of them or a pair for each axis.
func (e *eval) pairs(parameter string, d *tensor.Dense, rank int) [][2]int {
	if !d.DType().IsInteger() {
		e.failFor(parameter, "got %v, want integers", d.DType())
	}
	wide := e.perAxis(parameter, d, rank)
	if e.failed() {
		return nil
	}
	list := make([][2]int, rank)
	for k, n := range wide.Ints() {
		list[k/2][k%2] = int(n)
	}
	return list
}

// perAxis broadcasts to a pair for each axis.
func (e *eval) perAxis(parameter string, d *tensor.Dense, rank int) *tensor.Dense {
	wide, ok := d.BroadcastTo([]int{rank, 2})
	if !ok {
		e.failFor(parameter, "got shape %s, want a number, a pair, or a pair for each of %d axes", tensor.ShapeString(d.Shape()), rank)
	}
	return wide
}

// endValues reads numbers as those of pairs; 0 if none are given.
func (e *eval) endValues(parameter string, x functions.Operand, rank int) [][2]*tensor.Dense {
	d := x.D
	if !x.Given() {
		d = tensor.IntScalar(kernels.Int64, 0)
	}
	wide := e.perAxis(parameter, d, rank)
	if e.failed() {
		return nil
	}
	list := make([][2]*tensor.Dense, rank)
	for axis := range list {
		for side := range 2 {
			list[axis][side] = e.at(e.at(wide, 0, axis), 0, side)
		}
	}
	return list
}
