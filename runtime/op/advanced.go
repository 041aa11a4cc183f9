package op

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// AdvancedSubtensor is x[Index] where arrays are among the subscripts: a copy, with NumPy's rules.
// The arrays and the integers among them are broadcast together; the axes that they make stand
// where they stood if they are all neighbours, and come first otherwise. An array of bools is the
// positions of its true elements. Its operands are x and what the subscripts take, in order. Of one
// vector of integers there is Take.
type AdvancedSubtensor struct{ Index Subscripts }

var _ = register(AdvancedSubtensor{}, AdvancedIncSubtensor{})

func (s AdvancedSubtensor) Name() string  { return nameOf("advanced_subtensor", s) }
func (s AdvancedSubtensor) Label() string { return "AdvancedSubtensor" }
func (s AdvancedSubtensor) Class() string { return classSubtensor + s.Label() }

// Coerce refuses constants that are out of bounds.
func (s AdvancedSubtensor) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) == 0 {
		return in, nil
	}
	return in, s.Index.checkConstants(in[0], in[1:])
}

// checkConstants refuses arrays of constants that are out of bounds, and leaves what does not fit
// otherwise to axes.
func (s Subscripts) checkConstants(x V, operands []V) error {
	list, n, err := s.parse()
	if err != nil || n != len(operands) || list.consumed(operands) > x.Type.Rank() {
		return nil
	}
	axis := 0
	for _, sub := range list {
		switch {
		case sub.kind == aNewAxis:
			continue
		case sub.kind == anArray:
			v := operands[0]
			if v.Type.DType.IsBool() {
				axis += v.Type.Rank() - 1
			} else if err := checkPositions(axis, x, v); err != nil {
				return err
			}
		}
		operands = operands[sub.operands():]
		axis++
	}
	return nil
}

func (s AdvancedSubtensor) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands")
	}
	t, err := s.Index.typeOf(in[0], in[1:])
	return []graph.Type{t}, err
}

// adjacent reports whether the subscripts are whole axes around integers and arrays: those are then
// positions in what their axes are together, first the axis where they begin.
func (list subscripts) adjacent() (first int, middle subscripts, ok bool) {
	plain := func(s subscript) bool { return s.kind == aSlice && s.whole() && s.count == 2 }
	for first < len(list) && plain(list[first]) {
		first++
	}
	end := first
	for end < len(list) && (list[end].kind == anArray || list[end].kind == atInteger) {
		end++
	}
	for _, sub := range list[end:] {
		if !plain(sub) {
			return 0, nil, false
		}
	}
	return first, list[first:end], true
}

func (s AdvancedSubtensor) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	list, _, err := s.Index.parse()
	if err != nil {
		return nil, "", err
	}
	d := node.Inputs[0].Type.DType
	if first, middle, ok := list.adjacent(); ok {
		take, impl, err := linkTake(d, sets)
		return func(c *Call, in, out []*tensor.Dense) error {
			if err := list.together(node.Inputs[1:], in[1:]); err != nil {
				return err
			}
			at, shape, err := tensor.Positions(in[0].Shape(), first, middle.items(in[1:])...)
			if err != nil {
				return err
			}
			c.holds(8 * len(at))
			axes := in[0].Rank() - (node.Outputs[0].Type.Rank() - len(shape))
			out[0], err = take(c, in[0], at, first, axes, shape)
			return err
		}, impl, err
	}
	return func(c *Call, in, out []*tensor.Dense) error {
		if err := list.together(node.Inputs[1:], in[1:]); err != nil {
			return err
		}
		sel, err := in[0].Select(list.items(in[1:])...)
		if err != nil {
			return err
		}
		sel.Stop = c.Stop
		out[0] = c.Alloc(0, d, sel.Shape())
		return sel.Read(out[0])
	}, goImpl, nil
}

// Cost reads what is selected, and the subscripts.
func (s AdvancedSubtensor) Cost(in, out []graph.Array) graph.Cost {
	cost := graph.Once(0, in, out)
	cost.Read[0] = min(cost.Read[0], out[0].Bytes())
	return cost
}

func (s AdvancedSubtensor) Length(m Maker, v V, axis int) V {
	return s.Index.lengthOf(m, v.Owner.Inputs[0], v.Owner.Inputs[1:], axis)
}

// Connects: a cost does not depend on subscripts.
func (AdvancedSubtensor) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

// Grad adds g to zeros of x's shape at the same subscripts.
func (s AdvancedSubtensor) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if x := node.Inputs[0]; x.Type.DType.IsFloat() {
		zeros := b.Apply(Second, x, b.Like(x, 0))
		grads[0] = b.Apply(AdvancedIncSubtensor{Index: s.Index}, append([]V{zeros, g[0]}, node.Inputs[1:]...)...)
	}
	return grads
}

func (s AdvancedSubtensor) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.subscripted(s.Index, node.Inputs[0], node.Inputs[1:])
	return r.list
}

func (s AdvancedSubtensor) Traits() Traits { return Moves }

func (s AdvancedSubtensor) Cases() []Case {
	return slices.Concat(
		cases("any[4,3] int64[2,2](2 0 -1 1)", AdvancedSubtensor{"v"}, AdvancedSubtensor{"::-2 v"}),
		cases("any[4,3] int32[5](3 0 -1 0 -4) uint8[5](2 0 1 1 0)", AdvancedSubtensor{"v v"}),
		cases("any[4,3] int64[2,1](3 0) int8[3](2 0 1)", AdvancedSubtensor{"v v"}, AdvancedSubtensor{"v x v"}),
		cases("any[2,4,3] int64[2](3 0) int64[2](2 0)", AdvancedSubtensor{": v v"}),
		cases("any[2,4,3] int64[2](1 0) int64[2](2 0)", AdvancedSubtensor{"v : v"}, AdvancedSubtensor{"v 1:3 v"}),
		cases("any[2,4,3] int64[2](1 0)", AdvancedSubtensor{": v 1"}, AdvancedSubtensor{"0 v"}, AdvancedSubtensor{"0 : v"}),
		cases("any[2,4,3] 1 int64[2](1 0)", AdvancedSubtensor{"i v"}, AdvancedSubtensor{"i: v"}),
		cases("any[4] bool[4](1 0 1 1)", AdvancedSubtensor{"v"}),
		cases("any[2,2,3] bool[2,2](1 0 0 1)", AdvancedSubtensor{"v"}, AdvancedSubtensor{"v -1"}),
		cases("any[3,2,2] bool[2,2](0 0 0 0)", AdvancedSubtensor{": v"}),
		cases("any[0,3] int64[0]() int64[0]()", AdvancedSubtensor{"v v"}),
	)
}

// AdvancedIncSubtensor is a copy of x with y added to x[Index] or, with Set, put in its place; with
// Inplace it is x. Its operands are x, y, which broadcasts to x[Index], and what the subscripts
// take. What meets at one element is added up; of several that are put there the last remains.
type AdvancedIncSubtensor struct {
	Index   Subscripts
	Set     bool
	Inplace bool
}

func (s AdvancedIncSubtensor) Name() string { return nameOf("advanced_inc_subtensor", s) }

func (s AdvancedIncSubtensor) Label() string {
	if s.Set {
		return "AdvancedSetSubtensor"
	}
	return "AdvancedIncSubtensor"
}
func (s AdvancedIncSubtensor) Class() string { return classSubtensor + "AdvancedIncSubtensor" }

// Coerce gives y the element type of x if that holds what y has, and refuses constants that are out
// of bounds.
func (s AdvancedIncSubtensor) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) < 2 {
		return in, nil
	}
	out := slices.Clone(narrowed(b, in))
	if kernels.Promote(in[0].Type.DType, in[1].Type.DType) == in[0].Type.DType {
		out[1] = castTo(b, in[1], in[0].Type.DType)
	}
	return out, s.Index.checkConstants(in[0], in[2:])
}

func (s AdvancedIncSubtensor) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) < 2 {
		return nil, fmt.Errorf("got %d operands, want at least 2", len(in))
	}
	x, y := in[0].Type, in[1].Type
	part, err := s.Index.typeOf(in[0], in[2:])
	if err != nil {
		return nil, err
	}
	if !s.Set && x.DType.IsBool() {
		return nil, fmt.Errorf("cannot add to elements of type %v", x.DType)
	}
	return []graph.Type{x}, fitsPart(y, part)
}

func (s AdvancedIncSubtensor) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	list, _, err := s.Index.parse()
	if err != nil {
		return nil, "", err
	}
	d := node.Inputs[0].Type.DType
	copy, _, err := linkCopy(d, sets)
	if err != nil {
		return nil, "", err
	}
	if first, middle, ok := list.adjacent(); ok {
		put, impl, err := linkPut(d, s.Set, sets)
		to := target{d, s.Inplace, copy}
		return func(c *Call, in, out []*tensor.Dense) error {
			x := in[0]
			if err := list.together(node.Inputs[2:], in[2:]); err != nil {
				return err
			}
			at, shape, err := tensor.Positions(x.Shape(), first, middle.items(in[2:])...)
			if err != nil {
				return err
			}
			c.holds(8 * len(at))
			z, err := to.of(c, x)
			if err != nil {
				return err
			}
			end := first + x.Rank() - (s.rankOf(node) - len(shape))
			y, err := expand(node.Inputs[1], in[1], slices.Concat(x.Shape()[:first], shape, x.Shape()[end:]))
			if err != nil {
				return err
			}
			out[0] = z
			return put(c, z, y, at, first, end-first)
		}, impl, err
	}
	if s.Inplace {
		return nil, "", fmt.Errorf("BUG: %s has no form in place", s.Name())
	}
	return func(c *Call, in, out []*tensor.Dense) error {
		if err := list.together(node.Inputs[2:], in[2:]); err != nil {
			return err
		}
		z := c.Alloc(0, d, in[0].Shape())
		if err := copy(c, z, in[0]); err != nil {
			return err
		}
		sel, err := z.Select(list.items(in[2:])...)
		if err != nil {
			return err
		}
		sel.Stop = c.Stop
		y, err := expand(node.Inputs[1], in[1], sel.Shape())
		if err != nil {
			return err
		}
		if y, err = copy.contiguous(c, y); err != nil {
			return err
		}
		out[0] = z
		if s.Set {
			return sel.Set(y)
		}
		return sel.Add(y)
	}, goImpl, nil
}

// rankOf is the rank of x[Index].
func (s AdvancedIncSubtensor) rankOf(node *graph.Apply) int {
	axes, _ := s.Index.axes(new(fewAxes), node.Inputs[0], node.Inputs[2:]) // Infer has seen to it
	return len(axes)
}

// Cost is that of a copy of x, and of adding, or putting, y. Where y broadcasts, it counts as often
// as the largest array has elements.
func (s AdvancedIncSubtensor) Cost(in, out []graph.Array) graph.Cost {
	n := 1
	for _, a := range in[1:] {
		n = max(n, tensor.Size(a.Shape))
	}
	cost := graph.Once(float64(n), in, out)
	if s.Set {
		cost.Flops = 0
	}
	if s.Inplace {
		cost = placed(cost, in[0], float64(n), s.Set)
	}
	return cost
}

func (s AdvancedIncSubtensor) Length(m Maker, v V, axis int) V {
	return length(m, v.Owner.Inputs[0], axis)
}

// Connects: a cost does not depend on subscripts.
func (AdvancedIncSubtensor) Connects(_ *graph.Apply, in, _ int) bool { return in < 2 }

// Grad: where y was put x does not matter, and of what was put at one element only the last does.
func (s AdvancedIncSubtensor) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	x, y, rest := node.Inputs[0], node.Inputs[1], node.Inputs[2:]
	if !x.Type.DType.IsFloat() {
		return grads
	}
	at := func(x V) V { return b.Apply(AdvancedSubtensor{s.Index}, append([]V{x}, rest...)...) }
	part := at(g[0])
	grads[0] = g[0]
	if s.Set {
		put := func(x, y V) V { return b.Apply(s, append([]V{x, y}, rest...)...) }
		grads[0] = put(g[0], b.Number(x.Type.DType, 0))
		// Each value puts its number, and finds it there or not.
		lengths := Lengths(b, part)
		numbers := b.Apply(Reshape{Rank: len(lengths)}, upTo(b, Product(b, lengths)), ShapeOf(b, part))
		found := at(put(b.Apply(Second, x, b.Constant(tensor.IntScalar(kernels.Int64, 0))), numbers))
		part = Switch.do(b, Eq.do(b, found, numbers), part, b.Like(part, 0))
	}
	if lead := part.Type.Rank() - y.Type.Rank(); lead > 0 {
		part = b.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(lead)}, part)
	}
	grads[1] = sumToType(b, part, y.Type)
	return grads
}

func (s AdvancedIncSubtensor) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, y, rest := node.Inputs[0], node.Inputs[1], node.Inputs[2:]
	r.subscripted(s.Index, x, rest)
	if y.Type.Rank() > 0 {
		r.fits(y, m.Apply(AdvancedSubtensor{s.Index}, append([]V{x}, rest...)...))
	}
	return r.list
}

func (s AdvancedIncSubtensor) Traits() Traits {
	if s.Set {
		return Moves
	}
	return 0
}

func (s AdvancedIncSubtensor) Cases() []Case {
	var list []Case
	for _, set := range []bool{false, true} {
		in := func(operands string) string {
			if set {
				return operands
			}
			return strings.ReplaceAll(operands, "any", "numbers") // bools have no sum
		}
		list = append(list, slices.Concat(
			cases(in("any[4,3] any[2,2,3] int64[2,2](3 0 -1 3)"), AdvancedIncSubtensor{Index: "v", Set: set}),
			cases(in("any[4,3] any[3] int64[3](3 0 -1) int32[3](2 0 2)"), AdvancedIncSubtensor{Index: "v v", Set: set}),
			cases(in("any[4,3] any int64[2,1](3 0) int8[3](2 0 2)"), AdvancedIncSubtensor{Index: "v v", Set: set}),
			cases(in("any[2,4,3] any[2,1] int64[2](3 0)"), AdvancedIncSubtensor{Index: ": v 1", Set: set}, AdvancedIncSubtensor{Index: ":2 v 1", Set: set}),
			cases(in("any[2,4,3] any[4] int64[3](1 0 1) int64[3](2 0 2)"), AdvancedIncSubtensor{Index: "v : v", Set: set}),
			cases(in("any[4] any bool[4](1 0 1 1)"), AdvancedIncSubtensor{Index: "v", Set: set}),
			cases(in("any[2,2,3] any[2,3] bool[2,2](1 0 0 1)"), AdvancedIncSubtensor{Index: "v", Set: set}),
			cases(in("any[0,3] any[0] int64[0]() int64[0]()"), AdvancedIncSubtensor{Index: "v v", Set: set}),
			cases("float64[4] int8[2] int32[2](2 0)", AdvancedIncSubtensor{Index: "v", Set: set}),
		)...)
	}
	return list
}
