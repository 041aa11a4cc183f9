package op

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Take is x at the positions of a vector along Axis: [..., n, ...] and [k] → [..., k, ...].
// Negative positions count from the end.
type Take struct{ Axis int }

var _ = register(Take{}, IncTake{})

const classSubtensor = "tensor.subtensor."

func (t Take) Name() string  { return nameOf("take", t) }
func (t Take) Label() string { return "AdvancedSubtensor1" }
func (t Take) Class() string { return classSubtensor + t.Label() }

// Coerce makes int64 of positions of another integer type.
func (t Take) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) == 2 {
		if err := checkPositions(t.Axis, in[0], in[1]); err != nil {
			return nil, err
		}
	}
	return positionsLast(b, in), nil
}

// positionsLast converts the last operand to int64 if it is of another integer type.
func positionsLast(b *graph.Builder, in []V) []V {
	out := slices.Clone(in)
	if last := len(in) - 1; last >= 0 && in[last].Type.DType.IsInteger() {
		out[last] = castTo(b, in[last], kernels.Int64)
	}
	return out
}

func (t Take) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	part, err := takenType(t.Axis, in[0].Type, in[1])
	return []graph.Type{part}, err
}

// takenType is the type of x at the positions index along axis.
func takenType(axis int, x graph.Type, index V) (graph.Type, error) {
	if err := checkAxis(axis, x); err != nil {
		return graph.Type{}, err
	}
	if index.Type.DType != kernels.Int64 || index.Type.Rank() != 1 {
		return graph.Type{}, fmt.Errorf("positions: got %v, want a vector of integers", index.Type)
	}
	dims := x.Dims()
	dims[axis] = index.Type.Dim(0)
	return graph.TypeOf(x.DType, dims...), nil
}

// checkPositions refuses constants that are out of bounds, and leaves what does not fit otherwise
// to Infer.
func checkPositions(axis int, x, index V) error {
	if checkAxis(axis, x.Type) != nil || x.Type.Dim(axis) == graph.Unknown || index.Data == nil || !index.Type.DType.IsInteger() {
		return nil
	}
	n := x.Type.Dim(axis)
	for _, at := range index.Data.Ints() {
		if at >= int64(n) || at < -int64(n) {
			return outOfBounds(at, axis, n)
		}
	}
	return nil
}

func outOfBounds(at int64, axis, n int) error {
	return fmt.Errorf("index %d is out of bounds for axis %d of length %d", at, axis, n)
}

func (t Take) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	take, impl, err := linkTake(node.Inputs[0].Type.DType, sets)
	return func(c *Call, in, out []*tensor.Dense) (err error) {
		index := positions(c, in[1])
		out[0], err = take(c, in[0], index, t.Axis, 1, []int{len(index)})
		return err
	}, impl, err
}

// A taker returns, as the first result of its node, the elements of x at positions in what some
// axes from first on are together. In the result an array of the given shape, which has as many
// elements as there are positions, takes their place.
type taker func(c *Call, x *tensor.Dense, index []int64, first, axes int, shape []int) (*tensor.Dense, error)

// linkTake makes the taker of a type, and says which implementation it is.
func linkTake(d kernels.DType, sets kernels.Sets) (taker, string, error) {
	run, impl, ok := sets.Take(d.Size())
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel takes %v", d)
	}
	copy, _, err := linkCopy(d, sets)
	return func(c *Call, x *tensor.Dense, index []int64, first, axes int, shape []int) (*tensor.Dense, error) {
		x, err := copy.contiguous(c, x)
		if err != nil {
			return nil, err
		}
		have := x.Shape()
		z := c.Alloc(0, d, slices.Concat(have[:first], shape, have[first+axes:]))
		outer, n, inner := tensor.Size(have[:first]), tensor.Size(have[first:first+axes]), tensor.Size(have[first+axes:])
		bad, done := run(outer, n, inner, z.Pointer(), x.Pointer(), index, c.Stop)
		if outer*inner == 0 {
			bad = outside(index, n)
		}
		return z, taken(bad, done, index, first, n)
	}, impl, err
}

// outside is the first position that an axis of length n has not, -1 if there is none. Kernels that
// have nothing to take do not look.
func outside(index []int64, n int) int {
	return slices.IndexFunc(index, func(at int64) bool { return at >= int64(n) || at < -int64(n) })
}

// taken turns what a kernel answers into an error.
func taken(bad int, done bool, index []int64, axis, n int) error {
	switch {
	case !done:
		return ErrStopped
	case bad >= 0:
		return outOfBounds(index[bad], axis, n)
	}
	return nil
}

// positions reads a vector of int64.
func positions(c *Call, index *tensor.Dense) []int64 {
	if !index.IsContiguous() {
		index = c.temporary(index.Copy())
	}
	return tensor.Elements[int64](index)
}

// Cost reads what is taken.
func (t Take) Cost(in, out []graph.Array) graph.Cost {
	cost := graph.Once(0, in, out)
	cost.Read[0] = min(cost.Read[0], out[0].Bytes())
	return cost
}

func (t Take) Length(m Maker, v V, axis int) V {
	if axis == t.Axis {
		return length(m, v.Owner.Inputs[1], 0)
	}
	return length(m, v.Owner.Inputs[0], axis)
}

// Connects: a cost does not depend on positions.
func (Take) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

// Grad adds g to zeros of x's shape, at the same positions.
func (t Take) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x, index := node.Inputs[0], node.Inputs[1]
	if !x.Type.DType.IsFloat() {
		return []V{nil, nil}
	}
	zeros := b.Apply(Second, x, b.Like(x, 0))
	return []V{b.Apply(IncTake{Axis: t.Axis}, zeros, g[0], index), nil}
}

func (t Take) Traits() Traits { return Moves }

func (t Take) Cases() []Case {
	return slices.Concat(
		cases("any[4,3] int64[5](3 0 -1 0 -4)", Take{0}),
		cases("any[2,3,4] int64[2](2 1)", Take{1}),
		cases("any[2,3] int64[0]()", Take{1}),
		cases("any[0,3] int64[2](0 2)", Take{1}),
		cases("any[3] uint8[2](2 0)", Take{0}),
	)
}

// IncTake is a copy of x with y added at the positions of a vector along Axis or, with Set, put
// there; with Inplace it is x. Its operands are x, y, which broadcasts to x at the positions, and
// the positions. What meets at one position is added up; of several that are put there the last
// remains.
type IncTake struct {
	Axis    int
	Set     bool
	Inplace bool
}

func (t IncTake) Name() string { return nameOf("inc_take", t) }

func (t IncTake) Label() string {
	kind := "inc"
	if t.Set {
		kind = "set"
	}
	if t.Inplace {
		return "AdvancedIncSubtensor1{inplace," + kind + "}"
	}
	return "AdvancedIncSubtensor1{no_inplace," + kind + "}"
}
func (t IncTake) Class() string { return classSubtensor + "AdvancedIncSubtensor1" }

// Coerce makes int64 of positions of another integer type, and gives y the element type of x if
// that holds what y has.
func (t IncTake) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	out := positionsLast(b, narrowed(b, in))
	if len(in) != 3 {
		return out, nil
	}
	if kernels.Promote(in[0].Type.DType, in[1].Type.DType) == in[0].Type.DType {
		out[1] = castTo(b, in[1], in[0].Type.DType)
	}
	return out, checkPositions(t.Axis, in[0], in[2])
}

func (t IncTake) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	x, y := in[0].Type, in[1].Type
	part, err := takenType(t.Axis, x, in[2])
	if err != nil {
		return nil, err
	}
	if !t.Set && x.DType.IsBool() {
		return nil, fmt.Errorf("cannot add to elements of type %v", x.DType)
	}
	return []graph.Type{x}, fitsPart(y, part)
}

// fitsPart reports why a value of type y cannot be added to a part of an array, or take its place.
func fitsPart(y, part graph.Type) error {
	if y.Rank() > part.Rank() {
		return tensor.TypeErrorf("got a value of %d dimensions, want at most %d", y.Rank(), part.Rank())
	}
	lead := part.Rank() - y.Rank()
	for axis := range y.Rank() {
		have, want := y.Dim(axis), part.Dim(lead+axis)
		if have != 1 && have != want && have != graph.Unknown && want != graph.Unknown {
			return tensor.ShapeErrorf("a value of shape %s does not fit into %s", staticShape(y), staticShape(part))
		}
	}
	if kernels.Promote(part.DType, y.DType) != part.DType {
		return tensor.TypeErrorf("got a value of type %v, want one that fits into %v: convert it with T.cast(y, \"%[2]v\")", y.DType, part.DType)
	}
	return nil
}

// narrowed is in with the value to be put into x, its second operand, in x's type, where that holds
// numbers of its kind, as an assignment of NumPy's converts them.
func narrowed(b *graph.Builder, in []V) []V {
	if len(in) < 2 {
		return in
	}
	x, y := in[0].Type.DType, in[1].Type.DType
	if kernels.Promote(x, y) == x || !(x.IsFloat() && y.IsFloat() || x.IsInteger() && y.IsInteger()) {
		return in
	}
	in = slices.Clone(in)
	in[1] = b.Apply(Cast(x), in[1])
	return in
}

func (t IncTake) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	put, impl, err := linkPut(d, t.Set, sets)
	if err != nil {
		return nil, "", err
	}
	copy, _, err := linkCopy(d, sets)
	to := target{d, t.Inplace, copy}
	return func(c *Call, in, out []*tensor.Dense) error {
		z, err := to.of(c, in[0])
		if err != nil {
			return err
		}
		index := positions(c, in[2])
		shape := slices.Clone(z.Shape())
		shape[t.Axis] = len(index)
		y, err := expand(node.Inputs[1], in[1], shape)
		if err != nil {
			return err
		}
		out[0] = z
		return put(c, z, y, index, t.Axis, 1)
	}, impl, err
}

// A putter adds y to the elements of z at positions in what some axes from first on are together,
// or puts it there. y has the shape of what a taker would return.
type putter func(c *Call, z, y *tensor.Dense, index []int64, first, axes int) error

// linkPut makes the putter of a type, and says which implementation it is.
func linkPut(d kernels.DType, set bool, sets kernels.Sets) (putter, string, error) {
	key := kernels.PutKey{Op: "add", In: d}
	if set {
		key.Op = "set"
	}
	run, impl, ok := sets.Put(key)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", key.Op, d)
	}
	restore, _, restores := sets.Put(kernels.PutKey{Op: "set", In: d})
	take, _, takes := sets.Take(d.Size())
	if !restores || !takes {
		return nil, "", fmt.Errorf("BUG: no kernels keep %v", d)
	}
	copy, _, err := linkCopy(d, sets)
	kept := new(room)
	return func(c *Call, z, y *tensor.Dense, index []int64, first, axes int) error {
		y, err := copy.contiguous(c, y)
		if err != nil {
			return err
		}
		have := z.Shape()
		outer, n, inner := tensor.Size(have[:first]), tensor.Size(have[first:first+axes]), tensor.Size(have[first+axes:])
		if c.Undo != nil && outer*inner > 0 {
			old, at := kept.of(c, d, []int{outer, len(index), inner}), slices.Clone(index)
			bad, done := take(outer, n, inner, old.Pointer(), z.Pointer(), index, c.Stop)
			if err := taken(bad, done, index, first, n); err != nil {
				return err
			}
			*c.Undo = func(x *tensor.Dense) { restore(outer, n, inner, x.Pointer(), old.Pointer(), at, nil) }
		}
		bad, done := run(outer, n, inner, z.Pointer(), y.Pointer(), index, c.Stop)
		if outer*inner == 0 {
			bad = outside(index, n)
		}
		return taken(bad, done, index, first, n)
	}, impl, err
}

// Cost is that of a copy of x, and of adding, or putting, an element for each that x has at the
// positions.
func (t IncTake) Cost(in, out []graph.Array) graph.Cost {
	n := float64(in[2].Shape[0])
	for axis, d := range in[0].Shape {
		if axis != t.Axis {
			n *= float64(d)
		}
	}
	cost := graph.Once(n, in, out)
	if t.Set {
		cost.Flops = 0
	}
	if t.Inplace {
		cost = placed(cost, in[0], n, t.Set)
	}
	return cost
}

func (t IncTake) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

// Connects: a cost does not depend on positions.
func (IncTake) Connects(_ *graph.Apply, in, _ int) bool { return in < 2 }

// Grad: where y was put x does not matter, and of what was put at one position only the last does.
func (t IncTake) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x, y, index := node.Inputs[0], node.Inputs[1], node.Inputs[2]
	if !x.Type.DType.IsFloat() {
		return make([]V, 3)
	}
	gx := g[0]
	if t.Set {
		gx = b.Apply(t, g[0], b.Number(x.Type.DType, 0), index)
	}
	part := b.Apply(Take{t.Axis}, g[0], index)
	if t.Set {
		rank := x.Type.Rank()
		last := b.Apply(NewDimShuffle(Restore(tensor.AllAxes(rank).Without(tensor.AxesOf(t.Axis)), rank)), t.lasting(b, x, index))
		part = Switch.do(b, last, part, b.Like(part, 0))
	}
	if lead := part.Type.Rank() - y.Type.Rank(); lead > 0 {
		part = b.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(lead)}, part)
	}
	return []V{gx, sumToType(b, part, y.Type), nil}
}

// lasting tells for each position whether what is put there remains: each puts its number, and
// finds it there or not.
func (t IncTake) lasting(b *graph.Builder, x, index V) V {
	numbers := upTo(b, Lengths(b, index)[0])
	none := b.Apply(Alloc{}, b.Constant(tensor.IntScalar(kernels.Int64, 0)), Lengths(b, x)[t.Axis])
	found := b.Apply(Take{}, b.Apply(IncTake{Set: true}, none, numbers, index), index)
	return Eq.do(b, found, numbers)
}

func (t IncTake) Traits() Traits {
	if t.Set {
		return Moves
	}
	return 0
}

func (t IncTake) Cases() []Case {
	var list []Case
	for _, set := range []bool{false, true} {
		in := func(operands string) string {
			if set {
				return operands
			}
			return strings.ReplaceAll(operands, "any", "numbers") // bools have no sum
		}
		list = append(list, slices.Concat(
			cases(in("any[4,3] any[3,3] int64[3](3 0 -1)"), IncTake{Axis: 0, Set: set}),
			cases(in("any[2,4] any[2,3] int64[3](1 1 -3)"), IncTake{Axis: 1, Set: set}),
			cases(in("any[4,3] any[3] int64[2](2 -4)"), IncTake{Axis: 0, Set: set}),
			cases(in("any[4,3] any int64[2](2 0)"), IncTake{Axis: 1, Set: set}),
			cases(in("any[4,3] any[0,3] int64[0]()"), IncTake{Axis: 0, Set: set}),
			cases("float64[4] int8[2] int32[2](2 0)", IncTake{Axis: 0, Set: set}),
		)...)
	}
	return list
}

// taken: the positions are those of the axis, as far as they are known.
func (r *requirements) taken(x, index V, axis int) {
	if e, ok := index.Op().(Elemwise); ok && index.Owner.Inputs[0].Data != nil {
		if _, ok := e.IsCast(); ok { // to int64, which has them all
			index = index.Owner.Inputs[0]
		}
	}
	if index.Data == nil || index.Data.Size() == 0 {
		return
	}
	list := index.Data.Ints()
	r.holds(x, axis, slices.Max(list))
	r.holds(x, axis, slices.Min(list))
}

func (t Take) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.taken(node.Inputs[0], node.Inputs[1], t.Axis)
	return r.list
}

func (t IncTake) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, y, index := node.Inputs[0], node.Inputs[1], node.Inputs[2]
	r.taken(x, index, t.Axis)
	lead := x.Type.Rank() - y.Type.Rank()
	for axis := range y.Type.Rank() {
		if y.Type.Broadcasts(axis) {
			continue
		}
		n := r.length(index, 0)
		if lead+axis != t.Axis {
			n = r.length(x, lead+axis)
		}
		r.alike(n, r.length(y, axis), axis)
	}
	return r.list
}
