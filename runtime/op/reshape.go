package op

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Reshape gives x the shape of the int64 vector shape, which has Rank elements; one of them may be
// -1. The result is a view where x is contiguous.
type Reshape struct{ Rank int }

func (r Reshape) Name() string { return nameOf("reshape", r) }

func (r Reshape) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, s := in[0].Type, in[1].Type
	if s.DType != kernels.Int64 || s.Rank() != 1 || s.Dim(0) != graph.Unknown && s.Dim(0) != r.Rank {
		return nil, fmt.Errorf("got a shape of type %v, want int64[%d]", s, r.Rank)
	}
	if r.Rank < 0 || r.Rank > tensor.MaxRank {
		return nil, fmt.Errorf("got %d axes, want at most %d", r.Rank, tensor.MaxRank)
	}
	dims := vectorValues(in[1], r.Rank)
	if x.IsStatic() && resolves(dims) {
		full, err := tensor.ResolveShape(x.Dims(), dims)
		if err != nil {
			return nil, err
		}
		dims = full
	}
	for i, d := range dims {
		if d < graph.Unknown {
			return nil, fmt.Errorf("got length %d on axis %d, want -1 or a length", d, i)
		}
	}
	return []graph.Type{graph.TypeOf(x.DType, dims...)}, nil
}

// resolves reports whether the number of elements decides all of dims. A -1 may stand for what is
// left, or be Unknown: if it is the only one, both come to the same, unless another length is 0.
func resolves(dims []int) bool {
	open := 0
	for _, d := range dims {
		if d == -1 {
			open++
		}
	}
	return open == 0 || open == 1 && !slices.Contains(dims, 0)
}

func (r Reshape) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (r Reshape) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	copy, _, err := linkCopy(node.Inputs[0].Type.DType, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		x := in[0]
		if !x.IsContiguous() { // what should be a view takes memory that lives as long as the result
			x = c.Alloc(0, x.DType(), x.Shape())
			if err := copy(c, x, in[0]); err != nil {
				return err
			}
		}
		shape := make([]int, r.Rank)
		for i, d := range in[1].Ints() {
			shape[i] = int(d)
		}
		var err error
		out[0], err = x.Reshape(shape...)
		return err
	}, goImpl, err
}

// Cost is that of the copy that x needs where it is not contiguous. Of shape it counts nothing.
func (r Reshape) Cost(in, out []graph.Array) graph.Cost {
	cost := graph.Nothing(in, out)
	if !in[0].Contiguous() {
		cost.Read[0], cost.Written[0] = in[0].Bytes(), out[0].Bytes()
	}
	return cost
}

// Connects: a cost does not depend on lengths.
func (Reshape) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

func (r Reshape) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x := node.Inputs[0]
	back := b.Apply(Reshape{Rank: x.Type.Rank()}, g[0], ShapeOf(b, x))
	return []V{back, nil}
}

func (r Reshape) Label() string { return "Reshape{" + strconv.Itoa(r.Rank) + "}" }
func (r Reshape) Class() string { return classBasic + "Reshape" }

// Length is the one asked for, or what is left for a -1. A scalar that only the run knows may be -1
// too, unless lengths make it.
func (r Reshape) Length(m Maker, v V, axis int) V {
	x, shape := v.Owner.Inputs[0], v.Owner.Inputs[1]
	if shape.Data != nil {
		list := shape.Data.Ints()
		others := int64(1)
		for i, n := range list {
			if i != axis {
				others *= n
			}
		}
		switch {
		case list[axis] >= 0:
			return m.Constant(tensor.IntScalar(kernels.Int64, list[axis]))
		case others <= 0:
			return nil
		}
		size := make([]V, x.Type.Rank())
		for i := range size {
			size[i] = length(m, x, i)
		}
		return quotient(m, size, others)
	}
	if shape.Op() != graph.Op(MakeVector{}) {
		return nil
	}
	n := shape.Owner.Inputs[axis]
	if !madeOfLengths(n) {
		return nil
	}
	return n
}

// quotient is a product of lengths, which is how many elements an array has, by a number. If it
// divides a factor there is nothing to divide: an array that is reshaped again and again would have
// a quotient of a product of a quotient for a length.
func quotient(m Maker, lengths []V, by int64) V {
	number, product := int64(1), V(nil)
	for _, v := range lengths {
		n, rest := scaled(v)
		if n%by == 0 {
			n, by = n/by, 1
		}
		number *= n
		switch {
		case rest == nil:
		case product == nil:
			product = rest
		default:
			product = m.Apply(Mul, product, rest)
		}
	}
	constant := func(n int64) V { return m.Constant(tensor.IntScalar(kernels.Int64, n)) }
	switch {
	case product == nil:
		product = constant(number)
	case number != 1:
		product = m.Apply(Mul, constant(number), product)
	}
	if by == 1 {
		return product
	}
	return m.Apply(IntDiv, product, constant(by))
}

// scaled takes the number out of a length that is a multiple of another; rest is nil if it is no
// more than a number.
func scaled(v V) (number int64, rest V) {
	if v.Data != nil {
		return v.Data.Ints()[0], nil
	}
	if v.Op() == graph.Op(Mul) {
		for i, u := range v.Owner.Inputs {
			if u.Data != nil {
				return u.Data.Ints()[0], v.Owner.Inputs[1-i]
			}
		}
	}
	return 1, v
}

// madeOfLengths reports whether n is a length, a constant that may be one, or a sum or a product of
// such: it is at least 0.
func madeOfLengths(n V) bool {
	if n.Type.DType != kernels.Int64 {
		return false
	}
	if n.Data != nil {
		return n.Data.Ints()[0] >= 0
	}
	switch n.Op() {
	case Mul, Add:
		return madeOfLengths(n.Owner.Inputs[0]) && madeOfLengths(n.Owner.Inputs[1])
	}
	_, measured := n.Op().(ShapeI)
	return measured
}

func (r Reshape) Traits() Traits { return Moves }

var _ = register(Reshape{})

func (r Reshape) Cases() []Case {
	return []Case{
		{Reshape{Rank: 1}, "any[2,3] int64[1](-1)"},
		{Reshape{Rank: 2}, "any[2,3] int64[2](3 2)"},
		{Reshape{Rank: 3}, "any[2,6] int64[3](2 -1 2)"},
		{Reshape{Rank: 2}, "any[0,3] int64[2](5 0)"},
		{Reshape{Rank: 0}, "any[1,1] int64[0]()"},
	}
}

func (t Reshape) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, shape := node.Inputs[0], node.Inputs[1]
	var lengths []V
	switch {
	case shape.Data != nil:
		for _, d := range shape.Data.Ints() {
			lengths = append(lengths, r.number(int(d)))
		}
	case shape.Op() == graph.Op(MakeVector{}) && shape.Type.DType == kernels.Int64:
		lengths = shape.Owner.Inputs
	default:
		return nil
	}
	size, wanted := r.number(1), r.number(1)
	for axis := range x.Type.Rank() {
		size = m.Apply(Mul, size, r.length(x, axis))
	}
	for _, n := range lengths {
		wanted = m.Apply(Mul, wanted, n)
	}
	rest := m.Apply(Neg, wanted)
	whole := m.Apply(Sub, size, m.Apply(Mod, size, rest))
	r.equal(m.Apply(Switch, m.Apply(Lt, wanted, r.number(0)), whole, wanted), size, -1)
	return r.list
}
