package op

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Subtensor is x[Index]: integers drop their axis and slices are views. Its operands are x and the
// symbolic subscripts, int64 scalars.
type Subtensor struct{ Index Subscripts }

func (s Subtensor) Name() string { return nameOf("subtensor", s) }

func (s Subtensor) Infer(in []*graph.Variable) ([]graph.Type, error) { return listed(s.InferOne(in)) }

// InfersFromTypes: see graph.FromTypes.
func (Subtensor) InfersFromTypes() {}

// InferOne is Infer without a list.
func (s Subtensor) InferOne(in []*graph.Variable) (t graph.Type, err error) {
	if len(in) == 0 {
		return t, fmt.Errorf("got no operands")
	}
	if err := s.Index.checkBasic(); err != nil {
		return t, err
	}
	return s.Index.typeOf(in[0], in[1:])
}

func (s Subtensor) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (s Subtensor) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	list, operands, err := s.Index.parse()
	var index []tensor.Index // if no call changes it
	if err == nil && operands == 0 {
		index = list.values(nil)
	}
	own := new(tensor.View)
	return func(c *Call, in, out []*tensor.Dense) (err error) {
		at := index
		if operands > 0 {
			at = list.values(in[1:])
		}
		out[0], err = c.view(own).Subscript(in[0], at...)
		return err
	}, goImpl, err
}

// Cost: the result is a view, whatever it selects.
func (s Subtensor) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

// Connects: a cost does not depend on subscripts.
func (Subtensor) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

// Grad adds g to zeros of x's shape at the same subscripts.
func (s Subtensor) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if x := node.Inputs[0]; x.Type.DType.IsFloat() {
		zeros := b.Apply(Second, x, b.Like(x, 0))
		grads[0] = b.Apply(IncSubtensor{Index: s.Index}, append([]V{zeros, g[0]}, node.Inputs[1:]...)...)
	}
	return grads
}

// IncSubtensor is a copy of x with y added to x[Index] or, with Set, put in its place; with Inplace
// it is x. Its operands are x, y, which broadcasts to x[Index], and the symbolic subscripts.
type IncSubtensor struct {
	Index   Subscripts
	Set     bool
	Inplace bool
}

func (s IncSubtensor) Name() string { return nameOf("inc_subtensor", s) }

func (s IncSubtensor) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return listed(s.InferOne(in))
}

// InferOne is Infer without a list.
func (s IncSubtensor) InferOne(in []*graph.Variable) (t graph.Type, err error) {
	if len(in) < 2 {
		return t, fmt.Errorf("got %d operands, want at least 2", len(in))
	}
	x, y := in[0].Type, in[1].Type
	if err := s.Index.checkBasic(); err != nil {
		return t, err
	}
	part, err := s.Index.typeOf(in[0], in[2:])
	if err != nil {
		return t, err
	}
	if !s.Set && x.DType.IsBool() {
		return t, fmt.Errorf("cannot add to elements of type %v", x.DType)
	}
	return x, fitsPart(y, part)
}

// Coerce converts the value to x's type.
func (s IncSubtensor) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return narrowed(b, in), nil
}

func (s IncSubtensor) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	list, _, err := s.Index.parse()
	if err != nil {
		return nil, "", err
	}
	d := node.Inputs[0].Type.DType
	copy, impl, err := linkCopy(d, sets)
	if err != nil {
		return nil, "", err
	}
	sum, err := Add.program([]kernels.DType{d, node.Inputs[1].Type.DType})
	if d.IsBool() || err != nil {
		sum = nil
	}
	var add kernels.ElemwiseFunc
	if sum != nil && !s.Set {
		add, impl, _ = sets.Elemwise(sum)
	}
	to, kept := target{d, s.Inplace, copy}, new(room)
	return func(c *Call, in, out []*tensor.Dense) error {
		z, err := to.of(c, in[0])
		if err != nil {
			return err
		}
		index := list.values(in[2:])
		at, err := z.Subscript(index...)
		if err != nil {
			return err
		}
		y, err := expand(node.Inputs[1], in[1], at.Shape())
		if err != nil {
			return err
		}
		out[0] = z
		if c.Undo != nil {
			old := kept.of(c, d, at.Shape())
			if err := copy(c, old, at); err != nil {
				return err
			}
			*c.Undo = func(x *tensor.Dense) {
				if at, err := x.Subscript(index...); err == nil { // as it was before
					tensor.CopyTo(at, old)
				}
			}
		}
		switch {
		case at.Size() == 0:
		case s.Set:
			if y.DType() != d {
				y = c.temporary(y.AsType(d))
			}
			return copy(c, at, y)
		case !add(at.Shape(), []kernels.Operand{at.Operand()}, []kernels.Operand{at.Operand(), y.Operand()}, c.Stop):
			return ErrStopped
		}
		return nil
	}, impl, nil
}

// Cost is that of a copy with an addition for each element of x[Index] or, with Set, that takes
// x[Index] from y.
func (s IncSubtensor) Cost(in, out []graph.Array) graph.Cost {
	part := s.Index.elements(in[0].Shape, in[1].Shape)
	cost := graph.Once(part, in, out)
	if s.Set {
		cost.Flops = 0
	}
	if s.Inplace {
		return placed(cost, in[0], part, s.Set)
	}
	if !s.Set {
		return cost
	}
	cost.Read[0] = max(cost.Read[0]-part*float64(in[0].ItemSize), 0)
	return cost
}

// Connects: a cost does not depend on subscripts.
func (IncSubtensor) Connects(_ *graph.Apply, in, _ int) bool { return in < 2 }

// Mixes: values are converted as they are put in.
func (IncSubtensor) Mixes(i int) bool { return i == 1 }

// Grad: where y was set, x no longer matters.
func (s IncSubtensor) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	x, y, rest := node.Inputs[0], node.Inputs[1], node.Inputs[2:]
	if !x.Type.DType.IsFloat() {
		return grads
	}
	grads[0] = g[0]
	if s.Set {
		none := b.Number(x.Type.DType, 0)
		grads[0] = b.Apply(s, append([]V{g[0], none}, rest...)...)
	}
	if y.Type.DType.IsFloat() {
		part := b.Apply(Subtensor{Index: s.Index}, append([]V{g[0]}, rest...)...)
		if lead := part.Type.Rank() - y.Type.Rank(); lead > 0 {
			part = b.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(lead)}, part)
		}
		grads[1] = sumToType(b, part, y.Type)
	}
	return grads
}

func (s Subtensor) Label() string    { return "Subtensor{" + s.Index.label() + "}" }
func (s Subtensor) Class() string    { return "tensor.subtensor.Subtensor" }
func (s IncSubtensor) Class() string { return "tensor.subtensor.IncSubtensor" }
func (s IncSubtensor) Label() string {
	kind := "Inc"
	if s.Set {
		kind = "Set"
	}
	if s.Inplace {
		kind = "Inplace" + kind
	}
	return "IncSubtensor{" + kind + ";" + s.Index.label() + "}"
}

func (s Subtensor) Length(m Maker, v V, axis int) V {
	return s.Index.lengthOf(m, v.Owner.Inputs[0], v.Owner.Inputs[1:], axis)
}

func (s IncSubtensor) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

func (s Subtensor) Traits() Traits { return Moves }

func (s IncSubtensor) Traits() Traits { return 0 } // what is put into x may be of another type

var _ = register(Subtensor{}, IncSubtensor{})

func (s Subtensor) Cases() []Case {
	return slices.Concat(
		cases("any[4,3]", Subtensor{":"}, Subtensor{"1"}, Subtensor{"1:4:2 ::-1"}, Subtensor{"-1 1:"}, Subtensor{": 0"}, Subtensor{"1 2"}, Subtensor{"7:"},
			Subtensor{"0:1"}),
		cases("any[4,3] -2", Subtensor{"i"}, Subtensor{":i"}),
		cases("any[4,3] 1 3", Subtensor{"i:i ::-1"}, Subtensor{"i :i"}),
		cases("any[0,3]", Subtensor{"1:"}),
	)
}

func (s IncSubtensor) Cases() []Case {
	var list []Case
	for _, set := range []bool{false, true} {
		in := func(operands string) string {
			if set {
				return operands
			}
			return strings.ReplaceAll(operands, "any", "numbers") // bools have no sum
		}
		list = append(list, slices.Concat(
			cases(in("any[4,3] any[2,3]"), IncSubtensor{Index: "1:3", Set: set}),
			cases(in("any[4,3] any[3]"), IncSubtensor{Index: "1:3", Set: set}, IncSubtensor{Index: "-1", Set: set}),
			cases(in("any[4,3] any"), IncSubtensor{Index: "::-2 0", Set: set}, IncSubtensor{Index: "1 2", Set: set}, IncSubtensor{Index: "7:", Set: set}),
			cases(in("any[4,3] any[3] -2"), IncSubtensor{Index: "i", Set: set}),
			cases(in("any[0,3] any"), IncSubtensor{Index: ":", Set: set}),
		)...)
	}
	return list
}

// subscripted: the positions of s are those of axes of x, masks are as long as their axes, and
// arrays of positions as long as each other. operands are what the subscripts take.
func (r *requirements) subscripted(s Subscripts, x V, operands []V) {
	list, _, err := s.parse()
	if err != nil {
		return
	}
	axis := 0
	var arrays []V
	for _, sub := range list {
		taken := operands[:sub.operands()]
		operands = operands[len(taken):]
		switch {
		case sub.kind == aNewAxis:
			continue
		case sub.kind == anArray && taken[0].Type.DType.IsBool():
			for k := range taken[0].Type.Rank() {
				r.equal(r.length(taken[0], k), r.length(x, axis), axis)
				axis++
			}
			continue
		case sub.kind == anArray:
			r.taken(x, taken[0], axis)
			arrays = append(arrays, taken[0])
		case sub.kind == aSlice:
		case len(taken) == 0:
			r.holds(x, axis, int64(sub.parts[0].value))
		default:
			n := r.length(x, axis)
			r.atMost(r.m.Apply(Add, taken[0], r.number(1)), n, axis)
			r.atMost(r.m.Apply(Neg, taken[0]), n, axis)
		}
		axis++
	}
	for back := 1; back <= tensor.MaxRank; back++ {
		first := V(nil)
		for _, v := range arrays {
			switch at := v.Type.Rank() - back; {
			case at < 0 || v.Type.Broadcasts(at):
			case first == nil:
				first = v
			default:
				r.alike(r.length(first, first.Type.Rank()-back), r.length(v, at), at)
			}
		}
	}
}

func (s Subtensor) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.subscripted(s.Index, node.Inputs[0], node.Inputs[1:])
	return r.list
}

func (s IncSubtensor) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, y, rest := node.Inputs[0], node.Inputs[1], node.Inputs[2:]
	r.subscripted(s.Index, x, rest)
	if y.Type.Rank() > 0 {
		r.fits(y, m.Apply(Subtensor{Index: s.Index}, append([]V{x}, rest...)...))
	}
	return r.list
}
