package op

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Repeat repeats each element of x along Axis as often as counts says: an integer for all, or a
// vector with one for each.
type Repeat struct{ Axis int }

var _ = register(Repeat{})

func (r Repeat) Name() string  { return nameOf("repeat", r) }
func (r Repeat) Label() string { return fmt.Sprintf("RepeatOp{axis=%d}", r.Axis) }
func (r Repeat) Class() string { return "tensor.extra_ops.RepeatOp" }

// Coerce makes int64 of counts of another integer type, and refuses constants that are no counts.
func (r Repeat) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	out := positionsLast(b, in)
	_, err := r.known(out)
	return out, err
}

// known is how long Axis becomes, graph.Unknown unless the counts are constants and what is to be
// repeated is as long as they say.
func (r Repeat) known(in []V) (int, error) {
	if len(in) != 2 || knownData(in[1]) == nil || !in[1].Type.DType.IsInteger() || in[1].Type.Rank() > 1 || checkAxis(r.Axis, in[0].Type) != nil ||
		in[0].Type.Dim(r.Axis) == graph.Unknown {
		return graph.Unknown, nil
	}
	return repeated(in[0].Type.DType.Size(), knownData(in[1]), in[0].Type.Dims(), r.Axis)
}

func (r Repeat) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, counts := in[0].Type, in[1].Type
	if err := checkAxis(r.Axis, x); err != nil {
		return nil, err
	}
	if counts.DType != kernels.Int64 || counts.Rank() > 1 {
		return nil, tensor.TypeErrorf("counts: got %v, want an integer or a vector of integers", counts)
	}
	dims := x.Dims()
	n := dims[r.Axis]
	dims[r.Axis] = graph.Unknown
	if counts.Rank() == 1 && counts.Dim(0) != graph.Unknown && n != graph.Unknown && counts.Dim(0) != n {
		return nil, wrongCounts(counts.Dim(0), n)
	}
	if total, err := r.known(in); err == nil { // otherwise the run says why
		dims[r.Axis] = total
	}
	return []graph.Type{graph.TypeOf(x.DType, dims...)}, nil
}

func wrongCounts(have, want int) error {
	return fmt.Errorf("got %d counts, want 1 integer or %d", have, want)
}

// repeated is the length of an axis after counts. shape may have unknown lengths elsewhere.
func repeated(size int, counts *tensor.Dense, shape []int, axis int) (int, error) {
	n, total := shape[axis], 0
	list := counts.Ints()
	if counts.Rank() == 1 && len(list) != n {
		return 0, wrongCounts(len(list), n)
	}
	times := 1
	if counts.Rank() == 0 {
		times = n
	}
	for _, count := range list {
		if count < 0 {
			return 0, fmt.Errorf("got count %d, want at least 0", count)
		}
		hi, add := bits.Mul64(uint64(count), uint64(times))
		if hi != 0 || add > uint64(math.MaxInt-total) {
			total = math.MaxInt // more than there can be
			break
		}
		total += int(add)
	}
	full := slices.Clone(shape)
	for i, d := range full {
		full[i] = max(d, 0)
	}
	full[axis] = total
	if err := tensor.CheckSize(max(size, 8), full); err != nil {
		return 0, err
	}
	return total, nil
}

func (r Repeat) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	take, impl, err := linkTake(node.Inputs[0].Type.DType, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		x, counts := in[0], in[1]
		n, err := repeated(x.DType().Size(), counts, x.Shape(), r.Axis)
		if err != nil {
			return err
		}
		rows := c.temporary(tensor.Empty(kernels.Int64, n))
		index, list := tensor.Elements[int64](rows)[:0], counts.Ints()
		poll := tensor.Poll{Stop: c.Stop}
		for i := range x.Dim(r.Axis) {
			poll.Ask(1)
			for range list[min(i, len(list)-1)] {
				poll.Ask(1)
				index = append(index, int64(i))
			}
		}
		out[0], err = take(c, x, index, r.Axis, 1, []int{len(index)})
		return err
	}, impl, err
}

func (r Repeat) Cost(in, out []graph.Array) graph.Cost { return graph.Once(0, in, out) }

// Length along Axis is the sum of the counts.
func (r Repeat) Length(m Maker, v V, axis int) V {
	x, counts := v.Owner.Inputs[0], v.Owner.Inputs[1]
	switch {
	case axis != r.Axis:
		return length(m, x, axis)
	case counts.Type.Rank() == 0:
		return m.Apply(Mul, length(m, x, axis), counts)
	}
	return m.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(1)}, counts)
}

// Connects: a cost does not depend on how often something is repeated.
func (Repeat) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

// Grad adds up what the repetitions of an element give.
func (r Repeat) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x, counts := node.Inputs[0], node.Inputs[1]
	if !x.Type.DType.IsFloat() {
		return []V{nil, nil}
	}
	from := b.Apply(Repeat{}, upTo(b, Lengths(b, x)[r.Axis]), counts)
	return []V{b.Apply(IncTake{Axis: r.Axis}, b.Apply(Second, x, b.Like(x, 0)), g[0], from), nil}
}

func (r Repeat) Traits() Traits { return Moves }

func (r Repeat) Cases() []Case {
	return slices.Concat(
		cases("any[2,3] 2", Repeat{0}, Repeat{1}), cases("any[2,3] int64[3](2 0 1)", Repeat{1}), cases("any[3,2] int8[3](1 0 4)", Repeat{0}),
		cases("any[2,3,4] 0", Repeat{1}), cases("any[0,3] 5", Repeat{0}), cases("any[0] int64[0]()", Repeat{0}),
	)
}

func (t Repeat) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	if x, counts := node.Inputs[0], node.Inputs[1]; counts.Type.Rank() == 1 {
		r.equal(r.length(x, t.Axis), r.length(counts, 0), t.Axis)
	}
	return r.list
}
