package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Subscripts describes basic subscripts of leading axes, separated by blanks: "3" is an integer, "1:10:2" a slice, and "i"
// stands for an int64 scalar operand, in order, wherever a number may. ":" is the whole axis, and x[a:b, 0] with symbolic a
// and b is "i:i 0".
type Subscripts string

// part is one number of a subscript: absent, a constant, or the next operand.
type part struct {
	present, operand bool
	value            int
}

type subscript struct {
	slice bool
	parts []part // one for an integer; start, stop, step for a slice
}

func (s Subscripts) parse() (list []subscript, operands int, err error) {
	for _, word := range strings.Fields(string(s)) {
		words := strings.Split(word, ":")
		if len(words) > 3 {
			return nil, 0, fmt.Errorf("got subscript %q, want start:stop:step", word)
		}
		sub := subscript{slice: len(words) > 1}
		for _, w := range words {
			p := part{present: w != "", operand: w == "i"}
			if p.operand {
				operands++
			} else if p.present {
				if p.value, err = strconv.Atoi(w); err != nil {
					return nil, 0, fmt.Errorf("got subscript %q, want integers", word)
				}
			}
			sub.parts = append(sub.parts, p)
		}
		if !sub.slice && !sub.parts[0].present {
			return nil, 0, fmt.Errorf("got an empty subscript")
		}
		if len(sub.parts) == 3 && sub.parts[2].present && !sub.parts[2].operand && sub.parts[2].value == 0 {
			return nil, 0, fmt.Errorf("slice step cannot be 0")
		}
		list = append(list, sub)
	}
	return list, operands, nil
}

// values turns the subscripts into indices for given operands.
func (list subscripts) values(operands []*tensor.Dense) []tensor.Index {
	next := 0
	get := func(p part) *int {
		v := p.value
		switch {
		case !p.present:
			return nil
		case p.operand:
			v = int(operands[next].Ints()[0])
			next++
		}
		return &v
	}
	index := make([]tensor.Index, len(list))
	for i, sub := range list {
		if !sub.slice {
			index[i].At = get(sub.parts[0])
			continue
		}
		index[i].Start, index[i].Stop = get(sub.parts[0]), get(sub.parts[1])
		if len(sub.parts) == 3 {
			index[i].Step = get(sub.parts[2])
		}
	}
	return index
}

type subscripts []subscript

// infer types x[Index] given the operands that the subscripts take.
func (s Subscripts) infer(x graph.Type, operands []*graph.Variable) (graph.Type, error) {
	list, n, err := s.parse()
	if err != nil {
		return graph.Type{}, err
	}
	if len(list) > x.Rank() {
		return graph.Type{}, fmt.Errorf("too many indices: got %d, want at most %d for %v", len(list), x.Rank(), x)
	}
	if n != len(operands) {
		return graph.Type{}, fmt.Errorf("got %d symbolic subscripts, want %d", len(operands), n)
	}
	for i, v := range operands {
		if v.Type != graph.TypeOf(kernels.Int64) {
			return graph.Type{}, fmt.Errorf("symbolic subscript %d: got %v, want an int64 scalar", i, v.Type)
		}
	}
	var dims []int
	for axis, sub := range list {
		length, symbolic := x.Dim(axis), sub.symbolic()
		switch {
		case !sub.slice:
			if at := sub.parts[0].value; length != graph.Unknown && !symbolic && (at >= length || at < -length) {
				return graph.Type{}, fmt.Errorf("index %d is out of bounds for axis %d of length %d", at, axis, length)
			}
		case sub.whole():
			dims = append(dims, length)
		case symbolic || length == graph.Unknown:
			dims = append(dims, graph.Unknown)
		default:
			ix := subscripts{sub}.values(nil)[0]
			_, count, _ := tensor.SliceBounds(length, ix.Start, ix.Stop, ix.Step)
			dims = append(dims, count)
		}
	}
	return graph.TypeOf(x.DType, append(dims, x.Dims()[len(list):]...)...), nil
}

// symbolic reports whether an operand is one of the numbers.
func (s subscript) symbolic() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.operand })
}

// whole reports whether the slice takes all of its axis, perhaps backwards.
func (s subscript) whole() bool {
	return !s.parts[0].present && !s.parts[1].present &&
		(len(s.parts) == 2 || !s.parts[2].present || !s.parts[2].operand && (s.parts[2].value == 1 || s.parts[2].value == -1))
}

// Subtensor is x[Index]: integers drop their axis and slices are views. Its operands are x and the symbolic subscripts,
// int64 scalars.
type Subtensor struct{ Index Subscripts }

func (s Subtensor) Name() string { return nameOf("subtensor", s) }

func (s Subtensor) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands")
	}
	t, err := s.Index.infer(in[0].Type, in[1:])
	return []graph.Type{t}, err
}

func (s Subtensor) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (s Subtensor) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	list, _, err := s.Index.parse()
	return func(_ *Call, in, out []*tensor.Dense) (err error) {
		out[0], err = in[0].Subscript(subscripts(list).values(in[1:])...)
		return err
	}, goImpl, err
}

// Cost: the result is a view, whatever it selects.
func (s Subtensor) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

// Grad adds g to zeros of x's shape at the same subscripts.
func (s Subtensor) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if x := node.Inputs[0]; x.Type.DType.IsFloat() {
		zeros := b.Apply(Second, x, b.Like(x, 0))
		grads[0] = b.Apply(IncSubtensor{Index: s.Index}, append([]V{zeros, g[0]}, node.Inputs[1:]...)...)
	}
	return grads
}

// IncSubtensor is a copy of x with y added to x[Index] or, with Set, put in its place. Its operands are x, y, which
// broadcasts to x[Index], and the symbolic subscripts.
type IncSubtensor struct {
	Index Subscripts
	Set   bool
}

func (s IncSubtensor) Name() string { return nameOf("inc_subtensor", s) }

func (s IncSubtensor) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) < 2 {
		return nil, fmt.Errorf("got %d operands, want at least 2", len(in))
	}
	x, y := in[0].Type, in[1].Type
	part, err := s.Index.infer(x, in[2:])
	if err != nil {
		return nil, err
	}
	if y.Rank() > part.Rank() {
		return nil, fmt.Errorf("got a value of %d dimensions, want at most %d", y.Rank(), part.Rank())
	}
	lead := part.Rank() - y.Rank()
	for axis := range y.Rank() {
		have, want := y.Dim(axis), part.Dim(lead+axis)
		if have != 1 && have != want && have != graph.Unknown && want != graph.Unknown {
			return nil, fmt.Errorf("a value of shape %s does not fit into %s", staticShape(y), staticShape(part))
		}
	}
	if kernels.Promote(x.DType, y.DType) != x.DType {
		return nil, fmt.Errorf("got a value of type %v, want one that fits into %v", y.DType, x.DType)
	}
	return []graph.Type{x}, nil
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
	if add == nil && !s.Set {
		return nil, "", fmt.Errorf("cannot add to elements of type %v", d)
	}
	return func(c *Call, in, out []*tensor.Dense) error {
		z := c.Alloc(0, d, in[0].Shape())
		if err := copy(c, z, in[0]); err != nil {
			return err
		}
		at, err := z.Subscript(subscripts(list).values(in[2:])...)
		if err != nil {
			return err
		}
		y, err := expand(node.Inputs[1], in[1], at.Shape())
		if err != nil {
			return err
		}
		out[0] = z
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

// Cost is that of a copy with an addition for each element of x[Index] or, with Set, that takes x[Index] from y.
func (s IncSubtensor) Cost(in, out []graph.Array) graph.Cost {
	part := s.Index.elements(in[0].Shape, in[1].Shape)
	if !s.Set {
		return graph.Once(part, in, out)
	}
	cost := graph.Once(0, in, out)
	cost.Read[0] = max(cost.Read[0]-part*float64(in[0].ItemSize), 0)
	return cost
}

// elements is the size of x[s]. A slice with symbolic bounds has the length of y, a value that broadcasts to x[s]; where y has
// none it counts as 1.
func (s Subscripts) elements(x, y []int) float64 {
	parsed, _, err := s.parse()
	if err != nil {
		return 0
	}
	list, rank := subscripts(parsed), len(x)
	for _, sub := range list {
		if !sub.slice {
			rank--
		}
	}
	n, axis := 1, len(y)-rank // of y
	for i, length := range x {
		switch {
		case i >= len(list):
		case !list[i].slice:
			continue
		case list[i].symbolic():
			length = 1
			if axis >= 0 {
				length = y[axis]
			}
		default:
			ix := list[i : i+1].values(nil)[0]
			_, length, _ = tensor.SliceBounds(length, ix.Start, ix.Stop, ix.Step)
		}
		n *= length
		axis++
	}
	return float64(n)
}

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
	return "IncSubtensor{" + kind + ";" + s.Index.label() + "}"
}

// label writes the subscripts as Theano does, with the operands' type for i: "int64:int64:, 0".
func (s Subscripts) label() string {
	return strings.ReplaceAll(strings.Join(strings.Fields(string(s)), ", "), "i", "int64")
}

// Length is known of whole axes.
func (s Subtensor) Length(m Maker, v V, axis int) V {
	list, _, err := s.Index.parse()
	if err != nil {
		return nil
	}
	for i := range v.Owner.Inputs[0].Type.Rank() {
		switch {
		case i < len(list) && !list[i].slice:
		case axis > 0:
			axis--
		case i < len(list) && !list[i].whole():
			return nil
		default:
			return length(m, v.Owner.Inputs[0], i)
		}
	}
	return nil
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
			cases(in("any[4,3] any[2,3]"), IncSubtensor{"1:3", set}),
			cases(in("any[4,3] any[3]"), IncSubtensor{"1:3", set}, IncSubtensor{"-1", set}),
			cases(in("any[4,3] any"), IncSubtensor{"::-2 0", set}, IncSubtensor{"1 2", set}, IncSubtensor{"7:", set}),
			cases(in("any[4,3] any[3] -2"), IncSubtensor{"i", set}),
			cases(in("any[0,3] any"), IncSubtensor{":", set}),
		)...)
	}
	return list
}

func (r *requirements) subscripted(s Subscripts, x V, operands []V) {
	list, _, err := s.parse()
	if err != nil {
		return
	}
	for axis, sub := range list {
		var at V
		for _, p := range sub.parts {
			if p.operand {
				at, operands = operands[0], operands[1:]
			}
		}
		switch {
		case sub.slice:
		case at == nil:
			r.holds(x, axis, int64(sub.parts[0].value))
		default:
			n := r.length(x, axis)
			r.atMost(r.m.Apply(Add, at, r.number(1)), n, axis)
			r.atMost(r.m.Apply(Neg, at), n, axis)
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
