package grad

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Jacobian returns the derivatives of y, [n], with respect to each variable of wrt: [n, ...], with
// the axes of that variable behind y's.
//
// Lop gives one row for a vector u. All rows come of all unit vectors at once: each node on the way
// from u is computed for the rows of an identity matrix (op.Stacker). If a node of a kind that
// cannot is on the way, each element of y is differentiated by itself, in a loop if there are many
// of them or n is not known. The u that is left in shapes is replaced by y, as in Rop.
func Jacobian(b *graph.Builder, y V, wrt []V, opts Options) (rows []V, err error) {
	defer graph.Catch(&err)
	u := graph.NewInput("", y.Type, y.Origin)
	back, err := Lop(b, []V{y}, []V{u}, wrt, opts)
	if err != nil {
		return nil, err
	}
	if back, err = op.Expand(back, anyGraph); err != nil {
		return nil, err
	}
	s := &op.Stack{Builder: b, Rows: op.Lengths(b, y)[0]}
	stacks := map[V]V{u: identity(b, y, s.Rows)}
	for _, node := range graph.Toposort(back) {
		if !s.Node(node, stacks) {
			return oneByOne(b, y, wrt, opts, node)
		}
	}
	for _, v := range back {
		stack := stacks[v]
		if stack == nil {
			stack = s.Repeated(v)
		}
		rows = append(rows, stack)
	}
	fg := &graph.FunctionGraph{Outputs: rows}
	if fg, err = fg.Substitute(map[V]V{u: y}); err != nil {
		return nil, err
	}
	return fg.Outputs, nil
}

// anyGraph is for op.Expand: the nodes of inner graphs are stacked one by one.
func anyGraph(op.FromGraph) bool { return true }

// identity is the matrix of n rows of y's type with ones on the diagonal.
func identity(b *graph.Builder, y, n V) V {
	zero, one := b.Constant(tensor.IntScalar(n.Type.DType, 0)), b.Constant(tensor.IntScalar(n.Type.DType, 1))
	at := b.Apply(op.ARange{}, zero, n, one)
	same := b.Apply(op.Eq, b.Apply(op.DimShuffle{Pattern: "0 x"}, at), b.Apply(op.DimShuffle{Pattern: "x 0"}, at))
	return b.Apply(op.Cast(y.Type.DType), same)
}

// unrolled is up to how many elements are differentiated without a loop.
const unrolled = 8

// oneByOne is Jacobian by as many gradients as y has elements.
func oneByOne(b *graph.Builder, y V, wrt []V, opts Options, stopped *graph.Apply) ([]V, error) {
	n := y.Type.Dim(0)
	if opts.EachRow != nil && (n == graph.Unknown || n > unrolled) {
		return opts.EachRow(op.Lengths(b, y)[0], func(i V) ([]V, error) {
			return Grad(b, b.Apply(op.Subtensor{Index: "i"}, y, i), wrt, opts)
		})
	}
	if n == graph.Unknown {
		return nil, &graph.Error{Pos: b.Origin.Pos(), Op: "jacobian",
			Msg: fmt.Sprintf("the rows for %s go through %s, which is computed for one at a time, and how many there are is not known "+
				"before the function runs; say the length with T.specify_shape, or compute products with the Jacobian by Rop and Lop",
				graph.Describe(y), graph.BaseName(stopped.Op)),
			Notes: []graph.Note{{Pos: stopped.Origin().Pos(), Msg: graph.Describe(stopped.Outputs[0])}}}
	}
	if n == 0 {
		return nil, fmt.Errorf("expression: got no elements")
	}
	parts := make([][]V, len(wrt))
	for i := range n {
		element := b.Apply(op.Subtensor{Index: op.Subscripts(fmt.Sprint(i))}, y)
		g, err := Grad(b, element, wrt, opts)
		if err != nil {
			return nil, err
		}
		for k, v := range g {
			axes := []int{tensor.NewAxis}
			for axis := range v.Type.Rank() {
				axes = append(axes, axis)
			}
			parts[k] = append(parts[k], b.Apply(op.NewDimShuffle(axes), v))
		}
	}
	rows := make([]V, len(wrt))
	for k, list := range parts {
		rows[k] = b.Apply(op.Join{}, list...)
	}
	return rows, nil
}
