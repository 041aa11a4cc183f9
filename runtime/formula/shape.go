package formula

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Int is an int64 scalar constant.
func Int(b *graph.Builder, n int) V { return b.Constant(tensor.IntScalar(kernels.Int64, int64(n))) }

// ShapeVector makes the int64 vector that op.Reshape takes of scalars.
func ShapeVector(b *graph.Builder, lengths []V) V {
	known := make([]int64, len(lengths))
	for i, v := range lengths {
		if !v.IsConstant() {
			return b.Apply(op.MakeVector{}, lengths...)
		}
		known[i] = v.Data.Ints()[0]
	}
	return b.Constant(tensor.From(known, len(known)))
}

// Reshape is x in the shape of the given lengths, one of which may be -1.
func Reshape(b *graph.Builder, x V, lengths []V) V {
	return b.Apply(op.Reshape{Rank: len(lengths)}, x, ShapeVector(b, lengths))
}

// Ravel is the elements of x as a vector.
func Ravel(b *graph.Builder, x V) V { return Reshape(b, x, []V{Int(b, -1)}) }

// Flatten is x with its axes from ndim-1 on flattened into one.
func Flatten(b *graph.Builder, x V, ndim int) (V, error) {
	if most := max(x.Type.Rank(), 1); ndim < 1 || ndim > most {
		return nil, fmt.Errorf("ndim: got %d, want a number from 1 to %d", ndim, most)
	}
	lengths := op.Lengths(b, x)
	switch {
	case ndim == 1:
		return Reshape(b, x, []V{Int(b, -1)}), nil
	case ndim == len(lengths):
		return x, nil
	}
	last := lengths[ndim-1] // -1 would be anything where a length is 0
	for _, n := range lengths[ndim:] {
		last = b.Apply(op.Mul, last, n)
	}
	return Reshape(b, x, append(lengths[:ndim-1:ndim-1], last)), nil
}

// Permute is x with its axis order[i] as axis i; tensor.NewAxis makes one of length 1.
func Permute(b *graph.Builder, x V, order []int) V { return b.Apply(op.NewDimShuffle(order), x) }

// Renewed is x as another variable, which can have a name of its own; rewriting drops it.
func Renewed(b *graph.Builder, x V) V { return Permute(b, x, axes(x.Type.Rank())) }

// axes is 0, 1, ..., n-1.
func axes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// ReorderAxes is x with all its axes in the given order, reversed if there is none.
func ReorderAxes(b *graph.Builder, x V, order []int) (V, error) {
	rank := x.Type.Rank()
	if order == nil {
		return op.Transpose(b, x), nil
	}
	if len(order) != rank {
		return nil, fmt.Errorf("axes: got %d axes, want all %d", len(order), rank)
	}
	normal := make([]int, rank)
	for i, axis := range order {
		var err error
		if normal[i], err = tensor.NormalizeAxis(axis, rank); err != nil {
			return nil, fmt.Errorf("axes: %w", err)
		}
	}
	return Permute(b, x, normal), nil
}

// SwapAxes is x with two axes in each other's place.
func SwapAxes(m *Algebra, x Array, i, j int) (Array, error) {
	order := axes(x.Rank())
	i, err := tensor.NormalizeAxis(i, len(order))
	if err != nil {
		return nil, err
	}
	if j, err = tensor.NormalizeAxis(j, len(order)); err != nil {
		return nil, err
	}
	order[i], order[j] = order[j], order[i]
	return m.Permute(x, order...), nil
}

// MoveAxis is x with the axes source at the places destination, the others in their order.
func MoveAxis(m *Algebra, x Array, source, destination []int) (Array, error) {
	rank := x.Rank()
	if len(source) != len(destination) {
		return nil, fmt.Errorf("got %d axes and %d places, want as many", len(source), len(destination))
	}
	order := axes(rank)
	for i := range order {
		order[i] = -1
	}
	var moved tensor.Axes
	for k := range source {
		from, err := tensor.NormalizeAxis(source[k], rank)
		if err != nil {
			return nil, fmt.Errorf("source: %w", err)
		}
		to, err := tensor.NormalizeAxis(destination[k], rank)
		if err != nil {
			return nil, fmt.Errorf("destination: %w", err)
		}
		if moved.Has(from) {
			return nil, fmt.Errorf("source: axis %d is there twice", from)
		}
		if order[to] >= 0 {
			return nil, fmt.Errorf("destination: axis %d is there twice", to)
		}
		order[to], moved = from, moved.With(tensor.AxesOf(from))
	}
	next := 0
	for to := range order {
		if order[to] >= 0 {
			continue
		}
		for moved.Has(next) {
			next++
		}
		order[to] = next
		next++
	}
	return m.Permute(x, order...), nil
}

// Squeeze is x without the given axes, which have length 1; without any that is known to have
// length 1 if none is given.
func Squeeze(b *graph.Builder, x V, drop tensor.Axes, given bool) V {
	var order []int
	for axis := range x.Type.Rank() {
		if given && !drop.Has(axis) || !given && !x.Type.Broadcasts(axis) {
			order = append(order, axis)
		}
	}
	return Permute(b, x, order)
}

// ExpandDims is x with new axes of length 1, at places of the result.
func ExpandDims(m *Algebra, x Array, places []int) (Array, error) {
	rank := x.Rank() + len(places)
	if rank > tensor.MaxRank {
		return nil, fmt.Errorf("got %d dimensions, want at most %d", rank, tensor.MaxRank)
	}
	var added tensor.Axes
	for _, axis := range places {
		n, err := tensor.NormalizeAxis(axis, rank)
		if err != nil {
			return nil, err
		}
		if added.Has(n) {
			return nil, fmt.Errorf("axis %d is there twice", n)
		}
		added = added.With(tensor.AxesOf(n))
	}
	return m.Permute(x, op.Restore(added, rank)...), nil
}

// Pad is x with new axes of length 1 on the left, on the right if not.
func Pad(b *graph.Builder, x V, n int, left bool) V {
	order := axes(x.Type.Rank())
	added := slices.Repeat([]int{tensor.NewAxis}, n)
	if left {
		return Permute(b, x, append(added, order...))
	}
	return Permute(b, x, append(order, added...))
}

// AtLeast is x with at least as many axes, as NumPy's atleast_1d, 2d and 3d place new ones.
func AtLeast(m *Algebra, x Array, rank int) Array {
	switch have := x.Rank(); {
	case have >= rank:
		return x
	case rank == 3 && have == 2:
		return m.Permute(x, 0, 1, tensor.NewAxis)
	case rank == 3 && have == 1:
		return m.Permute(x, tensor.NewAxis, 0, tensor.NewAxis)
	}
	return led(m, x, rank)
}

// A Bound is the start, stop or step of a Slice: nil, a constant or an int64 scalar.
type Bound = V

// subscripts writes a slice along an axis, with the operands that it takes.
func subscripts(axis int, start, stop, step Bound) (index op.Subscripts, operands []V) {
	words := slices.Repeat([]string{":"}, axis+1)
	word := func(v V) string {
		switch {
		case v == nil:
			return ""
		case v.IsConstant():
			return strconv.FormatInt(v.Data.Ints()[0], 10)
		}
		operands = append(operands, v)
		return "i"
	}
	words[axis] = word(start) + ":" + word(stop)
	if step != nil {
		words[axis] += ":" + word(step)
	}
	return op.Subscripts(strings.Join(words, " ")), operands
}

// Slice is x[start:stop:step] along an axis.
func Slice(b *graph.Builder, x V, axis int, start, stop, step Bound) V {
	index, operands := subscripts(axis, start, stop, step)
	return b.Apply(op.Subtensor{Index: index}, append([]V{x}, operands...)...)
}

// SetSlice is x with y in the place of x[start:stop:step] along an axis.
func SetSlice(b *graph.Builder, x, y V, axis int, start, stop, step Bound) V {
	index, operands := subscripts(axis, start, stop, step)
	return b.Apply(op.IncSubtensor{Index: index, Set: true}, append([]V{x, y}, operands...)...)
}

// Part is x[start:stop] along an axis.
func Part(b *graph.Builder, x V, axis, start, stop int) V {
	return Slice(b, x, axis, Int(b, start), Int(b, stop), nil)
}

// At is x[i] along an axis, which the result lacks.
func At(b *graph.Builder, x V, axis, i int) V {
	words := slices.Repeat([]string{":"}, axis+1)
	words[axis] = strconv.Itoa(i)
	return b.Apply(op.Subtensor{Index: op.Subscripts(strings.Join(words, " "))}, x)
}

// Flip is x with the elements in reverse order along axes.
func Flip(b *graph.Builder, x V, along tensor.Axes) V {
	for _, axis := range along.List() {
		x = Slice(b, x, axis, nil, nil, Int(b, -1))
	}
	return x
}

// BroadcastTo is x repeated to the shape of the given lengths.
func BroadcastTo(b *graph.Builder, x V, lengths []V) V {
	return b.Apply(op.Alloc{}, append([]V{x}, lengths...)...)
}

// Join is arrays one after the other along an axis that they have.
func Join(b *graph.Builder, axis int, list []V) (V, error) {
	axis, err := tensor.NormalizeAxis(axis, list[0].Type.Rank())
	if err != nil {
		return nil, err
	}
	return b.Apply(op.Join{Axis: axis}, list...), nil
}

// Stack is arrays of one shape along a new axis.
func Stack(b *graph.Builder, axis int, list []V) (V, error) {
	rank := list[0].Type.Rank() + 1
	axis, err := tensor.NormalizeAxis(axis, rank)
	if err != nil {
		return nil, err
	}
	wide := make([]V, len(list))
	for i, v := range list {
		if v.Type.Rank() != rank-1 {
			return nil, fmt.Errorf("got arrays of %d and %d dimensions, want the same", rank-1, v.Type.Rank())
		}
		wide[i] = Permute(b, v, op.Restore(tensor.AxesOf(axis), rank))
	}
	return b.Apply(op.Join{Axis: axis}, wide...), nil
}

// JoinAtLeast is Join of arrays that get at least as many axes.
func JoinAtLeast(b *graph.Builder, rank, axis int, list []V) (V, error) {
	wide := make([]V, len(list))
	for i, v := range list {
		wide[i] = AtLeast(Symbolic(b), v, rank).(V)
	}
	return Join(b, axis, wide)
}

// ColumnStack is vectors as the columns of a matrix; matrices are put beside them.
func ColumnStack(b *graph.Builder, list []V) (V, error) {
	wide := make([]V, len(list))
	for i, v := range list {
		if wide[i] = v; v.Type.Rank() < 2 {
			wide[i] = Reshape(b, v, []V{Int(b, -1), Int(b, 1)})
		}
	}
	return Join(b, 1, wide)
}

// Split is x cut along an axis into parts of the given lengths, which are int64 scalars.
func Split(b *graph.Builder, x V, axis int, lengths []V) ([]V, error) {
	axis, err := tensor.NormalizeAxis(axis, x.Type.Rank())
	if err != nil {
		return nil, err
	}
	if x, err = checkParts(b, x, axis, lengths); err != nil {
		return nil, err
	}
	parts := make([]V, len(lengths))
	start := Int(b, 0)
	for i, n := range lengths {
		stop := count(b, op.Add, start, n)
		parts[i] = Slice(b, x, axis, start, stop, nil)
		start = stop
	}
	return parts, nil
}

// checkParts is x, once it is known that the lengths of its parts add up to that of the axis: now,
// or where x is computed if one of them is known only then.
func checkParts(b *graph.Builder, x V, axis int, lengths []V) (V, error) {
	total := 0
	for i, v := range lengths {
		n, ok := op.KnownLength(v)
		if !ok {
			sum, least := Int(b, 0), Int(b, 0)
			for _, n := range lengths {
				sum, least = count(b, op.Add, sum, n), count(b, op.Minimum, least, n)
			}
			fits := b.Apply(op.And, b.Apply(op.Eq, sum, op.Lengths(b, x)[axis]), b.Apply(op.Eq, least, Int(b, 0)))
			return checked(b, x, fits, "ValueError", fmt.Sprintf("split: the lengths of the parts have to be at least 0, and to add up to that of axis %d", axis)), nil
		}
		if n < 0 {
			return nil, fmt.Errorf("length of part %d: got %d, want at least 0", i, n)
		}
		total += n
	}
	switch n := x.Type.Dim(axis); n {
	case total:
		return x, nil
	case graph.Unknown:
		dims := x.Type.Dims()
		dims[axis] = total
		return b.Apply(op.SpecifyShape{Dims: op.DimsOf(graph.TypeOf(x.Type.DType, dims...))}, x), nil
	default:
		return nil, fmt.Errorf("got parts of %d elements together, want %d, the length of axis %d", total, n, axis)
	}
}

// Tile is x repeated as a whole along each axis. New axes come on the left if there are more counts
// than axes.
func Tile(b *graph.Builder, x V, counts []V) V {
	if n := len(counts) - x.Type.Rank(); n > 0 {
		x = Pad(b, x, n, true)
	}
	rank := x.Type.Rank()
	for len(counts) < rank {
		counts = append([]V{Int(b, 1)}, counts...)
	}
	lengths := op.Lengths(b, x)
	var order []int
	var twice, result []V
	for axis := range rank {
		order = append(order, tensor.NewAxis, axis)
		twice = append(twice, counts[axis], lengths[axis])
		result = append(result, count(b, op.Mul, counts[axis], lengths[axis]))
	}
	return Reshape(b, BroadcastTo(b, Permute(b, x, order), twice), result)
}

// Repeat is each element of x repeated as often as counts says, an integer or one for each; of the
// flattened x if axis is nil.
func Repeat(b *graph.Builder, x, counts V, axis *int) (V, error) {
	if axis == nil {
		return b.Apply(op.Repeat{}, Ravel(b, x), counts), nil
	}
	n, err := tensor.NormalizeAxis(*axis, x.Type.Rank())
	if err != nil {
		return nil, err
	}
	return b.Apply(op.Repeat{Axis: n}, x, counts), nil
}

// Roll is x with its elements moved along an axis by shift; those that leave at one end come in at
// the other. Without an axis the elements move as a vector.
func Roll(b *graph.Builder, x, shift V, axis *int) (V, error) {
	if axis == nil {
		flat, err := Roll(b, Ravel(b, x), shift, new(int))
		if err != nil {
			return nil, err
		}
		return Reshape(b, flat, op.Lengths(b, x)), nil
	}
	n, err := tensor.NormalizeAxis(*axis, x.Type.Rank())
	if err != nil {
		return nil, err
	}
	if shift, err = AsInt(b, shift, "shift"); err != nil {
		return nil, err
	}
	length := op.Lengths(b, x)[n]
	at := b.Apply(op.Sub, length, b.Apply(op.Mod, shift, length))
	return b.Apply(op.Join{Axis: n}, Slice(b, x, n, at, nil, nil), Slice(b, x, n, nil, at, nil)), nil
}
