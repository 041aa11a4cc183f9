package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// NonZero is the indices of the elements that are not 0, a vector for each axis of x.
func NonZero(b *graph.Builder, x V) ([]V, error) {
	rank := x.Type.Rank()
	if rank == 0 {
		return nil, fmt.Errorf("got a number, want an array")
	}
	at := b.Apply(op.ArgWhere{}, x)
	list := make([]V, rank)
	for axis := range list {
		list[axis] = At(b, at, 1, axis)
	}
	return list, nil
}

// FlatNonZero is the positions, in C order, of the elements that are not 0.
func FlatNonZero(b *graph.Builder, x V) V {
	if x.Type.Rank() != 1 {
		x = Ravel(b, x)
	}
	return At(b, b.Apply(op.ArgWhere{}, x), 1, 0)
}

// Compress is the slices of x along an axis for which a condition holds, which may be shorter than
// the axis; of the flattened x if axis is nil.
func Compress(b *graph.Builder, condition, x V, axis *int) (V, error) {
	if condition.Type.Rank() != 1 {
		return nil, fmt.Errorf("condition: got %v, want a vector", condition.Type)
	}
	return Take(b, x, FlatNonZero(b, condition), axis, "raise")
}

// Extract is the elements of x where a condition of as many elements holds, as a vector.
func Extract(b *graph.Builder, condition, x V) V {
	return b.Apply(op.Take{}, Ravel(b, x), FlatNonZero(b, condition))
}

// TakeAlongAxis is z[i, ..., j, ...] = x[i, ..., indices[i, ..., j, ...], ...]: indices has x's
// rank, and the other axes broadcast.
func TakeAlongAxis(b *graph.Builder, x, indices V, axis *int) (V, error) {
	if !indices.Type.DType.IsInteger() {
		return nil, fmt.Errorf("indices: got %v, want integers", indices.Type)
	}
	along := 0
	if axis == nil {
		x = Ravel(b, x)
	} else {
		var err error
		if along, err = tensor.NormalizeAxis(*axis, x.Type.Rank()); err != nil {
			return nil, err
		}
	}
	rank := x.Type.Rank()
	if indices.Type.Rank() != rank {
		return nil, fmt.Errorf("indices: got %v, want %d dimensions", indices.Type, rank)
	}
	operands := []V{x}
	for i, n := range op.Lengths(b, x) {
		if i == along {
			operands = append(operands, indices)
			continue
		}
		order := slices.Repeat([]int{tensor.NewAxis}, rank)
		order[i] = 0
		operands = append(operands, Permute(b, UpTo(b, n), order))
	}
	words := slices.Repeat([]string{"v"}, rank)
	return b.Apply(op.AdvancedSubtensor{Index: op.Subscripts(strings.Join(words, " "))}, operands...), nil
}

// Choose is, for each element of a, the element of the choice of that number. All broadcast, along
// axes that are known to have length 1. mode says what becomes of numbers beyond the choices:
// "raise", "wrap" or "clip".
func Choose(b *graph.Builder, a V, choices []V, mode string) (V, error) {
	if !a.Type.DType.IsInteger() && !a.Type.DType.IsBool() {
		return nil, fmt.Errorf("a: got %v, want integers", a.Type)
	}
	if len(choices) == 0 {
		return nil, fmt.Errorf("choices: got none, want at least 1")
	}
	a = Cast(b, a, kernels.Int64)
	shape, rank := a, a.Type.Rank() // of the shape of all
	to := choices[0].Type.DType
	for _, v := range choices {
		to = kernels.Promote(to, v.Type.DType)
		shape = b.Apply(op.Second, v, b.Apply(op.Second, shape, Int(b, 0)))
		rank = max(rank, v.Type.Rank())
	}
	lengths := op.Lengths(b, shape)
	wide := make([]V, len(choices))
	for i, v := range choices {
		v = Cast(b, v, to)
		wide[i] = Permute(b, BroadcastTo(b, v, lengths), op.Restore(tensor.AxesOf(0), rank+1))
	}
	x, err := Join(b, 0, wide)
	if err != nil {
		return nil, err
	}
	n := len(choices)
	switch mode {
	case "raise":
		a = b.Apply(op.Switch, b.Apply(op.Lt, a, Int(b, 0)), Int(b, n), a) // negative numbers do not count from the end
	case "wrap":
		a = b.Apply(op.Mod, a, Int(b, n))
	case "clip":
		a = b.Apply(op.Minimum, b.Apply(op.Maximum, a, Int(b, 0)), Int(b, n-1))
	default:
		return nil, fmt.Errorf("mode: got %q, want raise, wrap or clip", mode)
	}
	if rank == 0 {
		return b.Apply(op.Subtensor{Index: "i"}, x, a), nil
	}
	at := Permute(b, BroadcastTo(b, a, lengths), op.Restore(tensor.AxesOf(0), rank+1))
	z, err := TakeAlongAxis(b, x, at, new(int))
	if err != nil {
		return nil, err
	}
	return At(b, z, 0, 0), nil
}

// Select is, for each element, the choice of the first condition that holds there, and otherwise
// where none does: 0 if it is nil.
func Select(b *graph.Builder, conditions, choices []V, otherwise V) (V, error) {
	if len(conditions) != len(choices) || len(choices) == 0 {
		return nil, fmt.Errorf("got %d conditions and %d choices, want as many, and at least 1", len(conditions), len(choices))
	}
	z := otherwise
	if z == nil {
		z = b.Like(choices[len(choices)-1], 0)
	}
	for i := len(choices) - 1; i >= 0; i-- {
		z = b.Apply(op.Switch, Truth(b, conditions[i]), choices[i], z)
	}
	return z, nil
}
