package grad

import (
	"fmt"
	"maps"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Batch is a variable and one that takes its place, with further axes before its own.
type Batch struct{ Old, New V }

// Vectorize returns vars computed for each place of the further axes of what takes the place of
// some variables (PyTensor's vectorize_graph): for x: [n] and a new one [k, n], what was [m] is [k,
// m]. Axes of several batches are the same from the right. What is made of none of them stays as it
// is.
//
// The axes are added one by one, the last first, each as the rows of a Jacobian are (op.Stacker).
// It fails if a node of a kind that cannot is on the way, or if a new variable is of another
// element type or of fewer axes.
func Vectorize(b *graph.Builder, vars []V, batches []Batch) (out []V, err error) {
	defer graph.Catch(&err)
	now := make([]V, len(batches)) // what stands for each batch
	first := make(map[V]V, len(batches))
	depth := 0
	for i, c := range batches {
		more := c.New.Type.Rank() - c.Old.Type.Rank()
		if more < 0 || c.New.Type.DType != c.Old.Type.DType {
			return nil, fmt.Errorf("got %s for %s, want a variable of %v with as many axes or more", graph.Describe(c.New), graph.Mention(c.Old), c.Old.Type.DType)
		}
		if now[i] = c.New; more > 0 {
			now[i] = graph.NewInput(c.Old.Name, c.Old.Type, c.Old.Origin)
		}
		first[c.Old], depth = now[i], max(depth, more)
	}
	if vars, err = op.Expand(vars, anyGraph); err != nil {
		return nil, err
	}
	if out, err = graph.Replace(vars, first, false); err != nil {
		return nil, err
	}
	for level := 1; level <= depth; level++ {
		stacks := make(map[V]V)
		s := &op.Stack{Builder: b}
		for i, c := range batches {
			core, rank := c.Old.Type.Rank(), c.New.Type.Rank()
			if rank-core < level {
				continue
			}
			next := c.New
			if rank-core > level {
				dims := c.New.Type.Dims()
				next = graph.NewInput(c.Old.Name, graph.TypeOf(c.New.Type.DType, dims[rank-core-level:]...), c.Old.Origin)
			}
			if s.Rows == nil || !next.Type.Broadcasts(0) {
				s.Rows = op.Lengths(b, next)[0]
			}
			stacks[now[i]], now[i] = next, next
		}
		if out, err = stacked(s, out, stacks); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// stacked is vars with an axis before the others where they are made of what stacks has.
func stacked(s *op.Stack, vars []V, stacks map[V]V) ([]V, error) {
	given := maps.Clone(stacks)
	for _, node := range graph.Toposort(vars) {
		if !s.Node(node, stacks) {
			return nil, &graph.Error{Pos: s.Origin.Pos(),
				Msg: fmt.Sprintf("%s is computed for one value at a time; write the expression with the further axis, or call a compiled function in a loop",
					graph.BaseName(node.Op)),
				Notes: []graph.Note{{Pos: node.Origin().Pos(), Msg: graph.Describe(node.Outputs[0])}}}
		}
	}
	out := make([]V, len(vars))
	for i, v := range vars {
		if out[i] = v; stacks[v] != nil {
			out[i] = stacks[v]
		}
	}
	// What is left of the old variables is asked for lengths only, which are those of any place: of
	// zeros.
	any := make(map[V]V)
	for old, v := range given {
		zero := s.Number(v.Type.DType, 0)
		if v.Type.DType.IsBool() {
			zero = s.Constant(tensor.FromBools([]bool{false}))
		}
		lengths := op.Lengths(s.Builder, v)[1:]
		if any[old] = zero; len(lengths) > 0 {
			any[old] = s.Apply(op.Alloc{}, append([]V{zero}, lengths...)...)
		}
	}
	return graph.Replace(out, any, false)
}
