package operations

import (
	"cmp"
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
)

// extraTable is what Theano has in extra_ops and beside it, and NumPy has not.
var extraTable = []functions.Function{
	TensorRow("T.topk", "The kth largest elements along an axis, the largest first, or the -kth smallest, the smallest first. nan is larger than all numbers.",
		"topk([3, 1, 5, 4], 2) # array([5, 4])", func(g *functions.Graph, a *topKArgs) (*graph.Variable, error) {
			return formula.TopK(g.Builder, a.X.V, a.Kth.V, a.Axis)
		}),
	TensorRow("T.argtopk", "The positions of the kth largest elements along an axis, of the largest first, or of the -kth smallest.",
		"argtopk([3, 1, 5, 4], -2) # array([1, 0])", func(g *functions.Graph, a *topKArgs) (*graph.Variable, error) {
			return formula.ArgTopK(g.Builder, a.X.V, a.Kth.V, a.Axis, cmp.Or(a.IdxDType, kernels.Int64))
		}),
	functions.New("T.topk_and_argtopk", "What topk and argtopk give: a list of both.", "topk_and_argtopk([3, 1, 5, 4], 1) # [array([5]), array([2])]", np.Kinds,
		functions.BuildsList(func(g *functions.Graph, a *topKArgs) ([]*graph.Variable, error) {
			at, err := formula.ArgTopK(g.Builder, a.X.V, a.Kth.V, a.Axis, cmp.Or(a.IdxDType, kernels.Int64))
			if err != nil {
				return nil, err
			}
			largest, err := formula.TopK(g.Builder, a.X.V, a.Kth.V, a.Axis)
			return []*graph.Variable{largest, at}, err
		})),
	TensorRow("T.to_one_hot", "For each label of a vector a row of nb_class, with 1 at the label's place and 0 elsewhere.",
		"to_one_hot([1, 0], 3, dtype=\"int64\") # array([[0, 1, 0],\n       [1, 0, 0]])", func(g *functions.Graph, a *struct {
			Y       functions.Integers `arg:"y: a vector of integers from 0 to nb_class - 1"`
			Classes functions.Integer  `arg:"nb_class: the length of the rows, which may be symbolic"`
			DType   kernels.DType      `arg:"dtype=None: the elements' type; floatX if not given"`
		}) (*graph.Variable, error) {
			return formula.OneHot(g.Builder, a.Y.V, a.Classes.V, cmp.Or(a.DType, g.FloatX))
		}),
	TensorRow("T.permute_row_elements", "Each row of x in the order of a row of y: its places in x, or with inverse those in the result.",
		"permute_row_elements([5, 6, 7], [2, 0, 1]) # array([7, 5, 6])", func(g *functions.Graph, a *struct {
			VariableArg
			Y       functions.Integers `arg:"y: permutations in the rows along the last axis, which broadcast"`
			Inverse bool               `arg:"inverse=False: undo the permutation"`
		}) (*graph.Variable, error) {
			return formula.PermuteRows(g.Builder, a.X.V, a.Y.V, a.Inverse)
		}),
	TensorRow("T.inverse_permutation", "The permutation that undoes one; of each row of a matrix.", "inverse_permutation([2, 0, 1]) # array([1, 2, 0])",
		func(g *functions.Graph, a *struct {
			Perm functions.Integers `arg:"perm: numbers from 0 up, each once, along the last axis"`
		}) (*graph.Variable, error) {
			return formula.InversePermutation(g.Builder, a.Perm.V)
		}),
	TensorRow("T.atleast_Nd", "At least n dimensions, new ones of length 1.", "atleast_Nd([1, 2], n=2) # array([[1, 2]])", func(g *functions.Graph, a *struct {
		VariableArg
		N    int  `arg:"n=1: how many dimensions"`
		Left bool `arg:"left=True: False to put the new ones on the right"`
	}) (*graph.Variable, error) {
		if a.N < 0 || a.N > tensor.MaxRank {
			return nil, fmt.Errorf("for parameter n: got %d, want a number from 0 to %d", a.N, tensor.MaxRank)
		}
		return formula.Pad(g.Builder, a.X.V, max(0, a.N-a.X.V.Type.Rank()), a.Left), nil
	}),
	functions.New("T.broadcast_shape", "The lengths that variables broadcast to together: a tuple of integer scalars.",
		"broadcast_shape([[1], [2]], [3, 4, 5]) # (2, 3)", np.Kinds, functions.BuildsTuple(func(g *functions.Graph, a *struct {
			Arrays []functions.Operand `arg:"*arrays: variables, numbers or arrays"`
		}) ([]*graph.Variable, error) {
			return formula.CommonLengths(g.Builder, variables(a.Arrays)), nil
		})),
	fromIndices("tril_indices_from", "tril_indices_from([[1, 2], [3, 4]]) # (array([0, 1, 1]), array([0, 0, 1]))", "at and below", false),
	fromIndices("triu_indices_from", "triu_indices_from([[1, 2], [3, 4]]) # (array([0, 0, 1]), array([0, 1, 1]))", "at and above", true),
	TensorRow("T.join_dims", "x with n of its axes made one.", "join_dims([[1, 2], [3, 4]], 0, 2) # array([1, 2, 3, 4])", func(g *functions.Graph, a *struct {
		VariableArg
		Start int  `arg:"start_axis=0: the first of the axes"`
		N     *int `arg:"n_axes=None: how many; all from the first on if not given"`
	}) (*graph.Variable, error) {
		rank, start := a.X.V.Type.Rank(), a.Start
		if start < 0 {
			start += rank
		}
		n := rank - start
		if a.N != nil {
			n = *a.N
		}
		return formula.JoinDims(g.Builder, a.X.V, a.Start, n)
	}),
	TensorRow("T.split_dims", "x with one of its axes made several, of the given lengths.",
		"split_dims([1, 2, 3, 4], (2, -1)) # array([[1, 2],\n       [3, 4]])", func(g *functions.Graph, a *struct {
			VariableArg
			Shape functions.Lengths `arg:"shape: the lengths, one of which may be -1, or symbolic"`
			Axis  int               `arg:"axis=0: the axis"`
		}) (*graph.Variable, error) {
			return formula.SplitDims(g.Builder, a.X.V, a.Axis, a.Shape.V)
		}),
}

// topKArgs are the arguments of topk and its like.
type topKArgs struct {
	VariableArg
	Kth      functions.Integer `arg:"kth: how many of the largest, or of the smallest if negative; it may be symbolic"`
	Axis     *int              `arg:"axis=-1: the axis, or None for the flattened variable"`
	Sorted   bool              `arg:"sorted=True: accepted: the elements are always in order"`
	IdxDType kernels.DType     `arg:"idx_dtype=\"int64\": the type of positions"`
}

// fromIndices is the row of T.tril_indices_from and its like.
func fromIndices(name, example, where string, upper bool) functions.Function {
	return functions.New("T."+name, "The indices of the elements "+where+" a diagonal of a matrix: a tuple.", example, np.Kinds,
		functions.BuildsTuple(func(g *functions.Graph, a *struct {
			VariableArg
			K functions.Integer `arg:"k=0: the diagonal; above the main one if positive"`
		}) ([]*graph.Variable, error) {
			if a.X.V.Type.Rank() != 2 {
				return nil, fmt.Errorf("got %s, want a matrix", graph.Mention(a.X.V))
			}
			n := op.Lengths(g.Builder, a.X.V)
			return formula.TriangleIndices(g.Builder, n[0], n[1], a.K.VOr(g, 0), upper)
		}))
}

// variables are those of operands.
func variables(operands []functions.Operand) []*graph.Variable {
	list := make([]*graph.Variable, len(operands))
	for i, x := range operands {
		list[i] = x.V
	}
	return list
}
