package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An Along makes an operation that works along an axis.
type Along func(axis int) graph.Op

// AlongAxis applies an operation along an axis of x; to the flattened x if axis is nil.
func AlongAxis(b *graph.Builder, x V, axis *int, along Along) (V, error) {
	n := 0
	if axis == nil {
		x = Ravel(b, x)
	} else {
		var err error
		if n, err = tensor.NormalizeAxis(*axis, x.Type.Rank()); err != nil {
			return nil, err
		}
	}
	return b.Apply(along(n), x), nil
}

// Cumulate is the running sum or product along an axis.
func Cumulate(b *graph.Builder, x V, kind op.Reduction, axis *int) (V, error) {
	return AlongAxis(b, x, axis, func(n int) graph.Op { return op.Cumulate{Kind: kind, Axis: n} })
}

// Sort is x in ascending order along an axis, nan last.
func Sort(b *graph.Builder, x V, axis *int) (V, error) {
	return AlongAxis(b, x, axis, func(n int) graph.Op { return op.Sort{Axis: n} })
}

// ArgSort is the positions that sort x along an axis.
func ArgSort(b *graph.Builder, x V, axis *int) (V, error) {
	return AlongAxis(b, x, axis, func(n int) graph.Op { return op.ArgSort{Axis: n} })
}

// Diff is the differences of neighbours along an axis, n times.
func Diff(b *graph.Builder, x V, n, axis int) (V, error) {
	if n < 0 {
		return nil, fmt.Errorf("n: got %d, want a number that is not negative", n)
	}
	axis, err := tensor.NormalizeAxis(axis, x.Type.Rank())
	if err != nil {
		return nil, err
	}
	o := op.Sub
	if x.Type.DType.IsBool() {
		o = op.Neq
	}
	for range n {
		x = b.Apply(o, Slice(b, x, axis, Int(b, 1), nil, nil), Slice(b, x, axis, nil, Int(b, -1), nil))
	}
	return x, nil
}

// Take is the elements of x at positions, of any rank, along an axis; of the flattened x if axis is
// nil. Negative ones count from the end. mode says what becomes of positions beyond: "raise",
// "wrap" or "clip".
func Take(b *graph.Builder, x, positions V, axis *int, mode string) (V, error) {
	if positions.Type.DType.IsBool() || !positions.Type.DType.IsInteger() {
		return nil, fmt.Errorf("indices: got %v, want integers", positions.Type)
	}
	at := 0
	if axis == nil {
		x = Ravel(b, x)
	} else {
		var err error
		if at, err = tensor.NormalizeAxis(*axis, x.Type.Rank()); err != nil {
			return nil, err
		}
	}
	lengths := op.Lengths(b, x)
	positions = Cast(b, positions, kernels.Int64)
	switch mode {
	case "raise":
	case "wrap":
		positions = b.Apply(op.Mod, positions, lengths[at])
	case "clip":
		last := b.Apply(op.Sub, lengths[at], Int(b, 1))
		positions = b.Apply(op.Minimum, b.Apply(op.Maximum, positions, Int(b, 0)), last)
	default:
		return nil, fmt.Errorf("mode: got %q, want raise, wrap or clip", mode)
	}
	if positions.Type.Rank() == 1 {
		return b.Apply(op.Take{Axis: at}, x, positions), nil
	}
	shape := append(append(append([]V(nil), lengths[:at]...), op.Lengths(b, positions)...), lengths[at+1:]...)
	return Reshape(b, b.Apply(op.Take{Axis: at}, x, Ravel(b, positions)), shape), nil
}

// SearchSorted is where values belong in a vector that ascends, or does in the order of sorter.
func SearchSorted(b *graph.Builder, x, values, sorter V, side string) (V, error) {
	if side != "left" && side != "right" {
		return nil, fmt.Errorf("side: got %q, want left or right", side)
	}
	if x.Type.Rank() != 1 {
		return nil, fmt.Errorf("got %v, want a vector", x.Type)
	}
	if sorter != nil {
		x = b.Apply(op.Take{}, x, sorter)
	}
	return b.Apply(op.SearchSorted{Right: side == "right"}, x, values), nil
}

// BinCount is how often each number from 0 to the largest is in a vector of integers, or the sum of
// its weights.
func BinCount(b *graph.Builder, x, weights V, least int) (V, error) {
	if x.Type.Rank() != 1 || !x.Type.DType.IsInteger() {
		return nil, fmt.Errorf("got %v, want a vector of integers", x.Type)
	}
	if least < 0 {
		return nil, fmt.Errorf("minlength: got %d, want a number that is not negative", least)
	}
	x = Cast(b, x, kernels.Int64)
	if x.Type.DType.IsSigned() {
		none := b.Apply(op.Lt, x, Int(b, 0))
		some := b.Apply(op.Reduce{Kind: op.Any, Axes: tensor.AxesOf(0)}, none)
		x = checked(b, x, b.Apply(op.Invert, some), "ValueError", "bincount: got a negative number, want numbers from 0 up")
	}
	// A length of 0 has no largest element: one more, which is -1, stands for it.
	padded := b.Apply(op.Join{Axis: 0}, x, b.Constant(tensor.From([]int64{-1}, 1)))
	n := b.Apply(op.Add, b.Apply(op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(0)}, padded), Int(b, 1))
	n = b.Apply(op.Maximum, n, Int(b, least))
	d, one := kernels.Int64, V(Int(b, 1))
	if weights != nil {
		if weights.Type.Rank() != 1 {
			return nil, fmt.Errorf("weights: got %v, want a vector", weights.Type)
		}
		d, one = kernels.Float64, Cast(b, weights, kernels.Float64)
	}
	zeros := BroadcastTo(b, b.Number(d, 0), []V{n})
	return b.Apply(op.IncTake{}, zeros, one, x), nil
}

// Digitize is which bin each element of x lies in, between edges that ascend or descend: the number
// of edges that it lies beyond. With right, bins have their right edge instead of the left.
func Digitize(b *graph.Builder, x, edges V, right bool) (V, error) {
	if edges.Type.Rank() != 1 {
		return nil, fmt.Errorf("for parameter bins: got %s, want a vector", graph.Mention(edges))
	}
	before, after := Slice(b, edges, 0, nil, Int(b, -1), nil), Slice(b, edges, 0, Int(b, 1), nil, nil)
	all := func(o op.Elemwise) V {
		return b.Apply(op.Reduce{Kind: op.All, Axes: tensor.AxesOf(0)}, b.Apply(o, before, after))
	}
	up, down := all(op.Le), all(op.Ge)
	edges = checked(b, edges, b.Apply(op.Or, up, down), "ValueError", "digitize: bins must be monotonically increasing or decreasing")
	search := op.SearchSorted{Right: !right}
	n := op.Lengths(b, edges)[0]
	return b.Apply(op.Switch, up, b.Apply(search, edges, x), b.Apply(op.Sub, n, b.Apply(search, Flip(b, edges, tensor.AxesOf(0)), x))), nil
}

// In is whether each element of x is one of those of y or, if invert, none of them. nan is none.
func In(b *graph.Builder, x, y V, invert bool) V {
	d := kernels.Promote(x.Type.DType, y.Type.DType)
	x, y = Cast(b, x, d), b.Apply(op.Sort{}, Ravel(b, Cast(b, y, d)))
	z := b.Apply(op.Gt, b.Apply(op.SearchSorted{Right: true}, y, x), b.Apply(op.SearchSorted{}, y, x))
	if d.IsFloat() {
		z = b.Apply(op.And, z, b.Apply(op.Eq, x, x))
	}
	if invert {
		z = b.Apply(op.Invert, z)
	}
	return z
}
