package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Stacker is an operation that can be computed for many operands at once: a stack has them as its
// rows, along an axis before the others. So a loop over the rows of a Jacobian is one product
// (grad.Jacobian).
type Stacker interface {
	graph.Op
	// Stack returns the stack of node's results for operands of which some are stacks, s.Is, and
	// the others the same for all rows. It is nil where it cannot.
	Stack(s *Stack, node *graph.Apply, in []V) V
}

// A Stack is how many rows there are, and which operands of the node in question have them.
type Stack struct {
	*graph.Builder
	Rows V // int64
	Is   []bool
}

// Node adds the stack of node's result to stacks if there is one of an operand; the lengths of an
// operand's axes are the same for all rows. It reports false of a node that cannot be stacked.
func (s *Stack) Node(node *graph.Apply, stacks map[V]V) bool {
	if _, ok := node.Op.(ShapeI); ok {
		return true
	}
	in, any := make([]V, len(node.Inputs)), false
	at := Stack{Builder: &graph.Builder{Origin: node.Origin(), Made: s.Made}, Rows: s.Rows, Is: make([]bool, len(node.Inputs))}
	for i, v := range node.Inputs {
		in[i] = v
		if stack := stacks[v]; stack != nil {
			in[i], at.Is[i], any = stack, true, true
		}
	}
	if !any {
		return true
	}
	o, ok := node.Op.(Stacker)
	if !ok || len(node.Outputs) != 1 {
		return false
	}
	out := node.Outputs[0]
	z := o.Stack(&at, node, in)
	if z == nil {
		return false
	}
	for axis := range out.Type.Rank() { // what is known to have length 1 broadcasts
		if out.Type.Broadcasts(axis) && !z.Type.Broadcasts(axis+1) {
			z = at.Apply(SpecifyShape{Dims: "? " + DimsOf(out.Type)}, z)
			break
		}
	}
	stacks[out] = z
	return true
}

// of returns operand i with the axis of rows and then as many axes as rank: those that it lacks
// have length 1. Operands that are no stacks are left as they are.
func (s *Stack) of(in []V, i, rank int) V {
	v := in[i]
	if !s.Is[i] || v.Type.Rank() == rank+1 {
		return v
	}
	pattern := make([]int, rank+1)
	for axis := range pattern {
		switch own := axis - (rank + 1 - v.Type.Rank()); {
		case axis == 0:
			pattern[axis] = 0
		case own < 1:
			pattern[axis] = tensor.NewAxis
		default:
			pattern[axis] = own
		}
	}
	return s.Apply(NewDimShuffle(pattern), v)
}

// full returns operand i as a stack, repeated if it is none.
func (s *Stack) full(in []V, i int) V {
	if s.Is[i] {
		return in[i]
	}
	return s.Repeated(in[i])
}

// Repeated is a stack of which each row is v.
func (s *Stack) Repeated(v V) V {
	return s.Apply(Alloc{}, slices.Concat([]V{v, s.Rows}, Lengths(s.Builder, v))...)
}

// only reports whether the operand of that number is the only stack.
func (s *Stack) only(i int) bool {
	return s.Is[i] && !slices.Contains(s.Is[:i], true) && !slices.Contains(s.Is[i+1:], true)
}

// with applies o to the operands in, of which the first one is to be the only stack.
func (s *Stack) with(o graph.Op, in []V) V {
	if !s.only(0) {
		return nil
	}
	return s.Apply(o, in...)
}

// together applies o to operands that broadcast.
func (s *Stack) together(o graph.Op, node *graph.Apply, in []V, axes func(i int) int) V {
	rank := 0
	for i, v := range node.Inputs {
		rank = max(rank, v.Type.Rank()-axes(i))
	}
	all := make([]V, len(in))
	for i := range in {
		all[i] = s.of(in, i, rank+axes(i))
	}
	return s.Apply(o, all...)
}

func (e Elemwise) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.together(e, node, in, func(int) int { return 0 })
}

func (r Reduce) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.with(r.Over(r.Axes.Behind()), in)
}

func (c Cumulate) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.with(Cumulate{Kind: c.Kind, Axis: c.Axis + 1}, in)
}

func (r Repeat) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.with(Repeat{Axis: r.Axis + 1}, in)
}

func (o Softmax) Stack(s *Stack, node *graph.Apply, in []V) V { return s.with(o, in) }

func (d DimShuffle) Stack(s *Stack, node *graph.Apply, in []V) V {
	axes, _ := d.Pattern.Axes()
	for i, a := range axes {
		if a != tensor.NewAxis {
			axes[i] = a + 1
		}
	}
	return s.with(NewDimShuffle(append([]int{0}, axes...)), in)
}

func (o SpecifyShape) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.with(SpecifyShape{Dims: "? " + o.Dims}, in)
}

// Stack of a reshape takes the lengths from the result: a -1 among those that were asked for could
// be anything if there are no rows.
func (r Reshape) Stack(s *Stack, node *graph.Apply, in []V) V {
	if !s.only(0) {
		return nil
	}
	lengths := append([]V{s.Rows}, Lengths(s.Builder, node.Outputs[0])...)
	return s.Apply(Reshape{Rank: r.Rank + 1}, in[0], s.Apply(MakeVector{}, lengths...))
}

func (a Alloc) Stack(s *Stack, node *graph.Apply, in []V) V {
	if !s.only(0) {
		return nil
	}
	return s.Apply(a, slices.Concat([]V{s.of(in, 0, len(in)-1), s.Rows}, in[1:])...)
}

func (j Join) Stack(s *Stack, node *graph.Apply, in []V) V {
	all := make([]V, len(in))
	for i := range in {
		all[i] = s.full(in, i)
	}
	return s.Apply(Join{Axis: j.Axis + 1}, all...)
}

// Stack of a product with vectors or a matrix that is the same for all rows is one product of
// matrices.
func (d Dot) Stack(s *Stack, node *graph.Apply, in []V) V {
	x, y := in[0], in[1]
	xRank, yRank := node.Inputs[0].Type.Rank(), node.Inputs[1].Type.Rank()
	switch {
	case s.only(0) && xRank == 1:
		return s.Apply(d, x, y)
	case s.only(1) && yRank == 1 && xRank == 1:
		return s.Apply(d, y, x)
	case s.only(1) && yRank == 1:
		return s.Apply(d, y, Transpose(s.Builder, x))
	}
	if s.only(0) { // all rows of all matrices are those of one
		lengths := Lengths(s.Builder, x)
		rows := s.Apply(Reshape{Rank: 2}, x, s.Apply(MakeVector{}, Product(s.Builder, lengths[:2]), lengths[2]))
		z := s.Apply(d, rows, y)
		return s.Apply(Reshape{Rank: 1 + yRank}, z, s.Apply(MakeVector{}, append(lengths[:2:2], Lengths(s.Builder, y)[1:]...)...))
	}
	// A vector is a matrix of one row or of one column.
	matrix := func(i, rank int, vector ...int) V {
		v := in[i]
		switch {
		case rank == 2:
			return v
		case s.Is[i]:
			for k, axis := range vector {
				if axis != tensor.NewAxis {
					vector[k]++
				}
			}
			vector = append([]int{0}, vector...)
		}
		return s.Apply(NewDimShuffle(vector), v)
	}
	z := s.Apply(Matmul{}, matrix(0, xRank, tensor.NewAxis, 0), matrix(1, yRank, 0, tensor.NewAxis))
	keep := []int{0}
	if xRank == 2 {
		keep = append(keep, 1)
	}
	if yRank == 2 {
		keep = append(keep, 2)
	}
	return s.Apply(NewDimShuffle(keep), z)
}

func (o Matmul) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.together(o, node, in, func(int) int { return 2 })
}

// stackBlockwise: the rows are one more axis along which matrices broadcast.
func stackBlockwise(o blockwise, s *Stack, node *graph.Apply, in []V) V {
	letters, _ := o.core().axes()
	return s.together(o, node, in, func(i int) int { return len(letters[i]) })
}

func (o Solve) Stack(s *Stack, node *graph.Apply, in []V) V { return stackBlockwise(o, s, node, in) }
func (o SolveTriangular) Stack(s *Stack, node *graph.Apply, in []V) V {
	return stackBlockwise(o, s, node, in)
}
func (o Inv) Stack(s *Stack, node *graph.Apply, in []V) V      { return stackBlockwise(o, s, node, in) }
func (o Cholesky) Stack(s *Stack, node *graph.Apply, in []V) V { return stackBlockwise(o, s, node, in) }

// behind are the subscripts of a stack: all rows, and then those of each.
func (s Subscripts) behind() Subscripts { return ": " + s }

func (o Subtensor) Stack(s *Stack, node *graph.Apply, in []V) V {
	return s.with(Subtensor{o.Index.behind()}, in)
}

func (t Take) Stack(s *Stack, node *graph.Apply, in []V) V { return s.with(Take{t.Axis + 1}, in) }

func (o AdvancedSubtensor) Stack(s *Stack, node *graph.Apply, in []V) V {
	z := s.with(AdvancedSubtensor{o.Index.behind()}, in)
	if first := o.Index.firstAxes(node.Inputs[1:]); z != nil && first > 0 {
		z = s.Apply(NewDimShuffle(moved(z.Type.Rank(), first, 0)), z)
	}
	return z
}

// into are the operands of an operation that adds to a part of x, whose rank is part's, or
// overwrites it: a stack of x, and one of y with all axes of the part, unless y is the same for all
// rows.
func (s *Stack) into(in []V, part int) []V {
	if slices.Contains(s.Is[2:], true) {
		return nil
	}
	return slices.Concat([]V{s.full(in, 0), s.of(in, 1, part)}, in[2:])
}

func (o IncSubtensor) Stack(s *Stack, node *graph.Apply, in []V) V {
	t, err := o.Index.typeOf(node.Inputs[0], node.Inputs[2:])
	if all := s.into(in, t.Rank()); err == nil && all != nil {
		return s.Apply(IncSubtensor{Index: o.Index.behind(), Set: o.Set}, all...)
	}
	return nil
}

func (t IncTake) Stack(s *Stack, node *graph.Apply, in []V) V {
	if all := s.into(in, node.Inputs[0].Type.Rank()); all != nil {
		return s.Apply(IncTake{Axis: t.Axis + 1, Set: t.Set}, all...)
	}
	return nil
}

func (o AdvancedIncSubtensor) Stack(s *Stack, node *graph.Apply, in []V) V {
	t, err := o.Index.typeOf(node.Inputs[0], node.Inputs[2:])
	all := s.into(in, t.Rank())
	if err != nil || all == nil {
		return nil
	}
	if first := o.Index.firstAxes(node.Inputs[2:]); s.Is[1] && first > 0 {
		all[1] = s.Apply(NewDimShuffle(moved(t.Rank()+1, 0, first)), all[1])
	}
	return s.Apply(AdvancedIncSubtensor{Index: o.Index.behind(), Set: o.Set}, all...)
}

// firstAxes is how many axes of the result come before all others because the arrays among the
// subscripts are not all neighbours; 0 where they are.
func (s Subscripts) firstAxes(operands []V) int {
	list, _, err := s.parse()
	if err != nil {
		return 0
	}
	first, last, count, rank := -1, -1, 0, 0
	for i, sub := range list {
		taken := operands[:sub.operands()]
		operands = operands[len(taken):]
		if sub.kind != anArray && sub.kind != atInteger {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		count++
		if sub.kind == anArray {
			axes := taken[0].Type.Rank()
			if taken[0].Type.DType == kernels.Bool {
				axes = 1
			}
			rank = max(rank, axes)
		}
	}
	if last-first+1 == count {
		return 0
	}
	return rank
}

// Stack of a convolution is one convolution, in which the rows are further images, channels or
// filters. Where there are groups, channels and filters belong to them, and there are no further
// ones.
func (c Convolution) Stack(s *Stack, node *graph.Apply, in []V) V {
	const images, channels, filters = 0, 1, 2
	is := map[string]map[int]int{"input": {images: 0, channels: 1}, "output_grad": {images: 0, filters: 1}, "filters": {filters: 0, channels: 1}}
	if c.Unshared {
		is["filters"][channels] = 3
	}
	result := [...]string{"output_grad", "input", "filters"}[c.Part] // the output has the axes of its gradient
	for i, what := range c.operands() {
		if !s.only(i) {
			continue
		}
		for kind := range 3 { // images before the others
			from, has := is[what][kind]
			to, gives := is[result][kind]
			if has && gives && (kind == images || c.groups() == 1) {
				all := slices.Clone(in)
				all[i] = s.folded(node.Inputs[i], in[i], from)
				lengths := slices.Insert(Lengths(s.Builder, node.Outputs[0]), to, s.Rows)
				z := s.Apply(Reshape{Rank: len(lengths)}, s.Apply(c, all...), s.Apply(MakeVector{}, lengths...))
				return s.Apply(NewDimShuffle(moved(len(lengths), to, 0)), z)
			}
		}
	}
	return nil
}

// folded is a stack of v whose rows lie one behind another along an axis of v.
func (s *Stack) folded(v, stack V, axis int) V {
	lengths := Lengths(s.Builder, v)
	lengths[axis] = s.Apply(Mul, s.Rows, lengths[axis])
	return s.Apply(Reshape{Rank: len(lengths)}, s.Apply(NewDimShuffle(moved(len(lengths)+1, 0, axis)), stack), s.Apply(MakeVector{}, lengths...))
}

// moved are the axes of an array of that rank with the one at from moved to the place to.
func moved(rank, from, to int) []int {
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	return slices.Insert(slices.Delete(axes, from, from+1), to, from)
}
