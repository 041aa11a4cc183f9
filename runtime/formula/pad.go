package formula

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// repeated are the modes of padding that repeat elements: which element of an axis of length n
// stands at position i, which may be outside of it.
var repeated = map[string]func(b *graph.Builder, i, n V) V{
	"edge": limited,
	"wrap": func(b *graph.Builder, i, n V) V { return b.Apply(op.Mod, i, n) },
	"symmetric": func(b *graph.Builder, i, n V) V {
		twice := b.Apply(op.Mul, n, Int(b, 2))
		return bounced(b, b.Apply(op.Mod, i, twice), n, b.Apply(op.Sub, twice, Int(b, 1)))
	},
	"reflect": func(b *graph.Builder, i, n V) V {
		period := b.Apply(op.Maximum, b.Apply(op.Sub, b.Apply(op.Mul, n, Int(b, 2)), Int(b, 2)), Int(b, 1))
		return bounced(b, b.Apply(op.Mod, i, period), n, period)
	},
}

// bounced is i, or back - i from n on.
func bounced(b *graph.Builder, i, n, back V) V {
	return b.Apply(op.Switch, b.Apply(op.Ge, i, n), b.Apply(op.Sub, back, i), i)
}

// reducedPads are the modes that put a number made of the elements along the axis.
var reducedPads = map[string]Reducer{"maximum": Reduce(op.Max), "minimum": Reduce(op.Min), "mean": op.Mean}

// PadModes are what Padded puts around an array.
var PadModes = []string{"constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "linear_ramp", "empty"}

// Padded is x with elements added before and after each axis. width, and ends, which are the
// constants of mode constant and the outermost elements of linear_ramp, are a number, a pair, or a
// pair for each axis.
func Padded(b *graph.Builder, x, width, ends V, mode string) (V, error) {
	if !slices.Contains(PadModes, mode) {
		return nil, fmt.Errorf("for parameter mode: got %q, want one of %v", mode, PadModes)
	}
	if !width.Type.DType.IsInteger() {
		return nil, fmt.Errorf("for parameter pad_width: got %v, want integers", width.Type.DType)
	}
	rank := x.Type.Rank()
	if width.IsConstant() {
		width = b.Constant(width.Data.AsType(kernels.Int64))
	}
	widths, err := perAxis(b, "pad_width", Cast(b, width, kernels.Int64), rank)
	if err != nil {
		return nil, err
	}
	values, err := perAxis(b, map[bool]string{false: "constant_values", true: "end_values"}[mode == "linear_ramp"], ends, rank)
	if err != nil {
		return nil, err
	}
	for axis := range rank {
		before, after := widths[2*axis], widths[2*axis+1]
		for _, w := range []V{before, after} {
			if n, ok := op.KnownLength(w); ok && n < 0 {
				return nil, fmt.Errorf("for parameter pad_width: axis %d: got %d, want no negative number", axis, n)
			}
		}
		if none(before) && none(after) {
			continue
		}
		if at := repeated[mode]; at != nil {
			n := op.Lengths(b, x)[axis]
			i := b.Apply(op.ARange{}, b.Apply(op.Neg, before), b.Apply(op.Add, n, after), Int(b, 1))
			places := at(b, i, n)
			if x.Type.Dim(axis) == graph.Unknown || x.Type.Dim(axis) == 0 {
				places = checked(b, places, b.Apply(op.Gt, n, Int(b, 0)), "ValueError", fmt.Sprintf("pad: got an empty axis %d, which mode %s cannot extend", axis, mode))
			}
			x = b.Apply(op.Take{Axis: axis}, x, places)
			continue
		}
		list := []V{x}
		if !none(before) {
			list = append([]V{filler(b, x, axis, mode, values[2*axis], before, true)}, x)
		}
		if !none(after) {
			list = append(list, filler(b, x, axis, mode, values[2*axis+1], after, false))
		}
		x = b.Apply(op.Join{Axis: axis}, list...)
	}
	return x, nil
}

// none reports whether a width is known to be 0.
func none(w V) bool {
	n, ok := op.KnownLength(w)
	return ok && n == 0
}

// perAxis is the scalars of v, which is a number, a pair or a pair for each axis: two for each
// axis.
func perAxis(b *graph.Builder, parameter string, v V, rank int) ([]V, error) {
	wrong := func() ([]V, error) {
		return nil, fmt.Errorf("for parameter %s: got %v, want a number, a pair, or a pair for each of %d axes", parameter, v.Type, rank)
	}
	if v.Type.Rank() > 2 {
		return wrong()
	}
	list := make([]V, 2*rank)
	for k := range list {
		at, part := []int{k / 2, k % 2}[2-v.Type.Rank():], v
		for axis, i := range at {
			switch n := v.Type.Dim(axis); {
			case n == 1:
				at[axis] = 0
			case n != graph.Unknown && n != []int{rank, 2}[2-len(at)+axis]:
				return wrong()
			default:
				at[axis] = i
			}
		}
		for _, i := range at {
			part = At(b, part, 0, i)
		}
		if v.IsConstant() {
			part = b.Constant(constantAt(v.Data, at))
		}
		list[k] = part
	}
	return list, nil
}

// constantAt is an element of an array, as a scalar.
func constantAt(d *tensor.Dense, at []int) *tensor.Dense {
	index := make([]tensor.Index, len(at))
	for axis := range at {
		index[axis].At = &at[axis]
	}
	z, err := d.Subscript(index...)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return z.Copy()
}

// filler is what a mode puts before an axis of x, or after it: n elements, in x's type.
func filler(b *graph.Builder, x V, axis int, mode string, end, n V, before bool) V {
	lengths := op.Lengths(b, x)
	lengths[axis] = n
	axes := tensor.AxesOf(axis)
	rank := x.Type.Rank()
	fill, d := Cast(b, end, x.Type.DType), x.Type.DType
	switch reduce := reducedPads[mode]; {
	case mode == "empty":
		fill = b.Like(x, 0)
	case mode == "linear_ramp":
		return ramp(b, x, axis, end, n, before)
	case reduce != nil:
		fill = KeepAxes(b, reduce(b, x, axes), axes, rank)
		if mode == "mean" && d.IsInteger() {
			fill = b.Apply(op.Round, fill)
		}
		fill = Cast(b, fill, d)
	}
	return BroadcastTo(b, fill, lengths)
}

// ramp goes in n equal steps from the outermost element end to the edge of x, which is left out.
func ramp(b *graph.Builder, x V, axis int, end, n V, before bool) V {
	edge, steps := Part(b, x, axis, 0, 1), UpTo(b, n)
	if !before {
		edge, steps = Slice(b, x, axis, Int(b, -1), nil, nil), Flip(b, steps, tensor.AxesOf(0))
	}
	d := x.Type.DType
	if !d.IsFloat() {
		d = kernels.Float64
	}
	pattern := slices.Repeat([]int{tensor.NewAxis}, x.Type.Rank())
	pattern[axis] = 0
	one := b.Apply(op.SpecifyShape{Dims: op.DimsOf(ofLengthOne(edge.Type, axis))}, edge)
	end = Cast(b, end, d)
	step := b.Apply(op.TrueDiv, b.Apply(op.Sub, Cast(b, one, d), end), Cast(b, n, d))
	z := b.Apply(op.Add, end, b.Apply(op.Mul, step, Permute(b, Cast(b, steps, d), pattern)))
	if x.Type.DType.IsInteger() {
		z = b.Apply(op.Floor, z)
	}
	return Cast(b, z, x.Type.DType)
}

// ofLengthOne is a type whose axis is known to have length 1.
func ofLengthOne(t graph.Type, axis int) graph.Type {
	dims := t.Dims()
	dims[axis] = 1
	return graph.TypeOf(t.DType, dims...)
}
