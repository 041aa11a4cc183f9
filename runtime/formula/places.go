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

// inside is v, int64, whose elements are from 0 to n-1: an error of the given message if they are
// not, when they are computed.
func inside(b *graph.Builder, v, n V, msg string) V {
	return checked(b, v, b.Apply(op.And, b.Apply(op.Ge, v, Int(b, 0)), b.Apply(op.Lt, v, n)), "IndexError", msg)
}

// checked is v: an error when it is computed unless all elements of a condition hold.
func checked(b *graph.Builder, v, holds V, exc, msg string) V {
	if rank := holds.Type.Rank(); rank > 0 {
		holds = b.Apply(op.Reduce{Kind: op.All, Axes: tensor.AllAxes(rank)}, holds)
	}
	return b.Apply(op.Assert{Exc: op.Text(exc), Msg: op.Text(msg)}, v, holds)
}

// strides is, for the axes of an array of the given lengths, how many elements lie between
// neighbours, in C order or, if fortran, in F order; and last how many there are.
func strides(b *graph.Builder, lengths []V, fortran bool) []V {
	list := make([]V, len(lengths)+1)
	n := Int(b, 1)
	for i := range lengths {
		axis := i
		if !fortran {
			axis = len(lengths) - 1 - i
		}
		list[axis] = n
		n = count(b, op.Mul, n, lengths[axis])
	}
	list[len(lengths)] = n
	return list
}

// fortranOrder reads an order of elements: C or F.
func fortranOrder(order string) (bool, error) {
	switch strings.ToUpper(order) {
	case "", "C":
		return false, nil
	case "F":
		return true, nil
	}
	return false, fmt.Errorf("for parameter order: got %q, want C or F", order)
}

// UnravelIndex is positions among the elements of an array of the given lengths as indices along
// its axes, one array for each.
func UnravelIndex(b *graph.Builder, positions V, lengths []V, order string) ([]V, error) {
	fortran, err := fortranOrder(order)
	if err != nil {
		return nil, err
	}
	if !positions.Type.DType.IsInteger() {
		return nil, fmt.Errorf("for parameter indices: got %s, want integers", graph.Mention(positions))
	}
	steps := strides(b, lengths, fortran)
	positions = Cast(b, positions, kernels.Int64)
	positions = inside(b, positions, steps[len(lengths)], "unravel_index: got a position that is not from 0 to the number of elements less 1")
	list := make([]V, len(lengths))
	for axis, n := range lengths {
		// A length of 0 leaves no position; dividing by it is none either.
		list[axis] = b.Apply(op.Mod, b.Apply(op.IntDiv, positions, count(b, op.Maximum, steps[axis], Int(b, 1))), n)
	}
	return list, nil
}

// RavelMultiIndex is indices along the axes of an array of the given lengths as positions among its
// elements. mode says what becomes of indices beyond: "raise", "wrap" or "clip".
func RavelMultiIndex(b *graph.Builder, indices, lengths []V, mode, order string) (V, error) {
	fortran, err := fortranOrder(order)
	if err != nil {
		return nil, err
	}
	if len(indices) != len(lengths) {
		return nil, fmt.Errorf("got %d indices, want one for each of %d axes", len(indices), len(lengths))
	}
	var z V
	steps := strides(b, lengths, fortran)
	for axis, v := range indices {
		if !v.Type.DType.IsInteger() {
			return nil, fmt.Errorf("for parameter multi_index: axis %d: got %s, want integers", axis, graph.Mention(v))
		}
		v, n := Cast(b, v, kernels.Int64), lengths[axis]
		switch mode {
		case "raise":
			v = inside(b, v, n, fmt.Sprintf("ravel_multi_index: got an index that is not from 0 to the length of axis %d less 1; mode says what else to do", axis))
		case "wrap":
			v = b.Apply(op.Mod, v, n)
		case "clip":
			v = limited(b, v, n)
		default:
			return nil, fmt.Errorf("for parameter mode: got %q, want raise, wrap or clip", mode)
		}
		if v = b.Apply(op.Mul, v, steps[axis]); axis > 0 {
			v = b.Apply(op.Add, z, v)
		}
		z = v
	}
	return z, nil
}

// OneHot is, for each label of a vector, a row of n with 1 at the label's place and 0 elsewhere. A
// label that is no place is an error when it is computed.
func OneHot(b *graph.Builder, labels, n V, d kernels.DType) (V, error) {
	if labels.Type.Rank() != 1 || !labels.Type.DType.IsInteger() {
		return nil, fmt.Errorf("for parameter y: got %s, want a vector of integers", graph.Mention(labels))
	}
	rows := op.Lengths(b, labels)[0]
	zeros := BroadcastTo(b, b.Number(d, 0), []V{rows, n})
	into := op.AdvancedSubtensor{Index: "v v"}.Into(true)
	return b.Apply(into, zeros, b.Number(d, 1), UpTo(b, rows), Cast(b, labels, kernels.Int64)), nil
}

// PermuteRows is each row of x, along its last axis, in the order of a row of integers: z[..., j] =
// x[..., order[..., j]] or, if inverse, z[..., order[..., j]] = x[..., j]. The other axes broadcast
// where they are known to have length 1.
func PermuteRows(b *graph.Builder, x, order V, inverse bool) (V, error) {
	if x.Type.Rank() == 0 || order.Type.Rank() == 0 || !order.Type.DType.IsInteger() {
		return nil, fmt.Errorf("got %s and %s, want an array and rows of integers", graph.Mention(x), graph.Mention(order))
	}
	rank := max(x.Type.Rank(), order.Type.Rank())
	x, order = Pad(b, x, rank-x.Type.Rank(), true), Pad(b, order, rank-order.Type.Rank(), true)
	last := rank - 1
	if inverse {
		order = b.Apply(op.ArgSort{Axis: last}, order)
	}
	wide, err := Spread(b, []V{x, order})
	if err != nil {
		return nil, err
	}
	return TakeAlongAxis(b, wide[0], wide[1], &last)
}

// InversePermutation is, of each row of x along its last axis, which holds the numbers from 0 up
// once, the place of each number.
func InversePermutation(b *graph.Builder, x V) (V, error) {
	if x.Type.Rank() == 0 || !x.Type.DType.IsInteger() {
		return nil, fmt.Errorf("got %s, want rows of integers", graph.Mention(x))
	}
	return Cast(b, b.Apply(op.ArgSort{Axis: x.Type.Rank() - 1}, x), x.Type.DType), nil
}

// CommonLengths are the lengths that arrays broadcast to together, along axes that are known to
// have length 1 or that are missing.
func CommonLengths(b *graph.Builder, list []V) []V {
	var shape V // of the common shape, elements of no interest
	for _, v := range list {
		zero := b.Apply(op.Second, v, Int(b, 0))
		if shape != nil {
			zero = b.Apply(op.Second, zero, shape)
		}
		shape = zero
	}
	return op.Lengths(b, shape)
}

// Spread is arrays broadcast to their common shape, in their types.
func Spread(b *graph.Builder, list []V) ([]V, error) {
	if len(list) == 0 {
		return nil, nil
	}
	lengths := CommonLengths(b, list)
	if len(lengths) > tensor.MaxRank {
		return nil, fmt.Errorf("got %d dimensions, want at most %d", len(lengths), tensor.MaxRank)
	}
	wide := make([]V, len(list))
	for i, v := range list {
		wide[i] = BroadcastTo(b, v, lengths)
	}
	return wide, nil
}

// TriangleIndices are the indices of the elements of an n by m matrix at and below diagonal k, at
// and above it if upper.
func TriangleIndices(b *graph.Builder, n, m, k V, upper bool) ([]V, error) {
	rows, columns, err := grid(b, n, m, k)
	if err != nil {
		return nil, err
	}
	o := op.Ge
	if upper {
		o = op.Le
	}
	return NonZero(b, b.Apply(o, rows, columns))
}

// Rot90 is x turned by 90 degrees k times, from the first of two axes to the second.
func Rot90(m *Algebra, x Array, k int, list []int) (Array, error) {
	rank := x.Rank()
	if len(list) != 2 || rank < 2 {
		return nil, fmt.Errorf("got %d dimensions and %d axes, want at least 2 and 2", rank, len(list))
	}
	var at [2]int
	for i, axis := range list {
		var err error
		if at[i], err = tensor.NormalizeAxis(axis, rank); err != nil {
			return nil, err
		}
	}
	if at[0] == at[1] {
		return nil, fmt.Errorf("axis %d is there twice", at[0])
	}
	order := axes(rank)
	order[at[0]], order[at[1]] = at[1], at[0]
	switch k & 3 {
	case 1:
		return m.Permute(m.Flip(x, at[1]), order...), nil
	case 2:
		return m.Flip(m.Flip(x, at[0]), at[1]), nil
	case 3:
		return m.Flip(m.Permute(x, order...), at[1]), nil
	}
	return m.Permute(x, axes(rank)...), nil
}

// JoinDims is x with n of its axes, from start on, made one; of none a new axis of length 1.
func JoinDims(b *graph.Builder, x V, start, n int) (V, error) {
	rank := x.Type.Rank()
	if start < 0 {
		start += rank
	}
	if n < 0 || start < 0 || start+n > rank {
		return nil, fmt.Errorf("got %d axes from axis %d on, want axes of %s", n, start, graph.Mention(x))
	}
	lengths := op.Lengths(b, x)
	one := Int(b, 1)
	for _, v := range lengths[start : start+n] {
		one = count(b, op.Mul, one, v)
	}
	return Reshape(b, x, slices.Concat(lengths[:start], []V{one}, lengths[start+n:])), nil
}

// SplitDims is x with an axis made several, of the given lengths, one of which may be -1; of no
// lengths an axis of length 1 goes.
func SplitDims(b *graph.Builder, x V, axis int, shape []V) (V, error) {
	axis, err := tensor.NormalizeAxis(axis, x.Type.Rank())
	if err != nil {
		return nil, err
	}
	lengths := op.Lengths(b, x)
	return Reshape(b, x, slices.Concat(lengths[:axis], shape, lengths[axis+1:])), nil
}
