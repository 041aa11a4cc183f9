package op

import (
	"math"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Sort puts the elements along Axis into ascending order, nan last; zeros of both signs keep their
// order.
type Sort struct{ Axis int }

// ArgSort is the positions, int64, that sort along Axis: nan last, and of equal elements the first
// one first.
type ArgSort struct{ Axis int }

var _ = register(Sort{}, ArgSort{})

func (s Sort) Name() string     { return nameOf("sort", s) }
func (s Sort) Label() string    { return "SortOp{stable, " + strconv.Itoa(s.Axis) + "}" }
func (s Sort) Class() string    { return "tensor.sort.SortOp" }
func (s ArgSort) Name() string  { return nameOf("argsort", s) }
func (s ArgSort) Label() string { return "ArgSortOp{stable, " + strconv.Itoa(s.Axis) + "}" }
func (s ArgSort) Class() string { return "tensor.sort.ArgSortOp" }

func (s Sort) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, checkAxis(s.Axis, in[0].Type)
}

func (s ArgSort) Infer(in []*graph.Variable) ([]graph.Type, error) {
	types, err := Sort(s).Infer(in)
	if err != nil {
		return nil, err
	}
	return []graph.Type{types[0].WithDType(kernels.Int64)}, nil
}

func (s Sort) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	copy, _, err := linkCopy(d, sets)
	run, impl := linkSort(kernels.SortKey{In: d}, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, d, in[0].Shape())
		if err := copy(c, out[0], in[0]); err != nil {
			return err
		}
		return out[0].SortBy(run, s.Axis, c.Stop)
	}, impl, err
}

// linkSort finds a kernel, nil if there is none, and what sorts then.
func linkSort(k kernels.SortKey, sets kernels.Sets) (kernels.SortFunc, string) {
	run, impl, ok := sets.Sort(k)
	if !ok {
		return nil, goImpl
	}
	return run, impl
}

func (s ArgSort) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	run, impl := linkSort(tensor.PlacesKey, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, kernels.Int64, in[0].Shape())
		return tensor.ArgSortBy(run, out[0], in[0], s.Axis, c.Stop)
	}, impl, nil
}

// Cost counts log2(n) comparisons for each element of a line of n.
func (s Sort) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[0].Elements()*logLength(in[0].Shape[s.Axis]), in, out)
}

func (s ArgSort) Cost(in, out []graph.Array) graph.Cost { return Sort(s).Cost(in, out) }

// logLength is how often n can be halved.
func logLength(n int) float64 { return math.Ceil(math.Log2(float64(max(n, 1)))) }

func (s Sort) Length(m Maker, v V, axis int) V    { return length(m, v.Owner.Inputs[0], axis) }
func (s ArgSort) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

// Grad puts g back where the elements came from. For that the axis becomes the last, and all lines
// one.
func (s Sort) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x := node.Inputs[0]
	if !x.Type.DType.IsFloat() {
		return []V{nil}
	}
	rank := x.Type.Rank()
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	axes = append(slices.Delete(axes, s.Axis, s.Axis+1), s.Axis)
	last := NewDimShuffle(axes)
	flat := b.Constant(tensor.From([]int64{-1}, 1))
	line := func(v V) V { return b.Apply(Reshape{Rank: 1}, b.Apply(last, v), flat) }
	shape := ShapeOf(b, b.Apply(last, x))
	places := line(b.Apply(ArgSort(s), x))
	if n := Lengths(b, x)[s.Axis]; rank > 1 { // each line begins where the one before ends
		count := upTo(b, Lengths(b, places)[0])
		length := Maximum.do(b, n, b.Constant(tensor.IntScalar(kernels.Int64, 1)))
		places = Add.do(b, places, Sub.do(b, count, b.Apply(Mod, count, length)))
	}
	sorted := line(g[0])
	put := b.Apply(IncTake{Set: true}, b.Apply(Second, sorted, b.Like(sorted, 0)), sorted, places)
	back := make([]int, rank)
	for i, axis := range axes {
		back[axis] = i
	}
	return []V{b.Apply(NewDimShuffle(back), b.Apply(Reshape{Rank: rank}, put, shape))}
}

// Grad: positions do not change with the values.
func (s ArgSort) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (s Sort) Traits() Traits    { return Moves | Kinks }
func (s ArgSort) Traits() Traits { return Jumps }

func (s Sort) Cases() []Case {
	return slices.Concat(
		cases("any[5]", Sort{}), cases("any[4,3]", Sort{0}, Sort{1}), cases("any[2,3,4]", Sort{1}), cases("any[0,3]", Sort{0}, Sort{1}),
		cases("float64[7](nan 1 -0.0 inf 0 -inf nan)", Sort{}), cases("float32[70]", Sort{}),
	)
}

func (s ArgSort) Cases() []Case {
	list := s.likeSort()
	return append(list, cases("int8[200]", ArgSort{})...)
}

// likeSort are the cases of Sort.
func (s ArgSort) likeSort() []Case {
	var list []Case
	for _, c := range (Sort{}).Cases() {
		list = append(list, Case{ArgSort(c.Op.(Sort)), c.In})
	}
	return list
}
