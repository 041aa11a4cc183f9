package operations

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
)

// joinedTable is the functions that put variables together and take them apart.
var joinedTable = []functions.Function{
	TensorRow("T.join", "Variables joined along an axis that they have.", "join(0, [1, 2], [3]) # array([1, 2, 3])",
		func(g *functions.Graph, a *struct {
			Axis   int                 `arg:"axis: the axis"`
			Arrays []functions.Operand `arg:"*tensors_list: variables, numbers or arrays"`
		}) (*graph.Variable, error) {
			list := make([]*graph.Variable, len(a.Arrays))
			for i, x := range a.Arrays {
				list[i] = x.V
			}
			return formula.Join(g.Builder, a.Axis, list)
		}),
	// np.split is a row of its own: it cuts into equal parts, or at places.
	functions.New("T.split", "x cut along an axis into n_splits parts of the given lengths: a list.",
		"split([1, 2, 3], [1, 2], 2) # [array([1]), array([2, 3])]", np.Kinds,
		functions.BuildsList(func(g *functions.Graph, a *struct {
			VariableArg
			Sizes functions.Lengths `arg:"splits_size: the lengths of the parts, which may be symbolic"`
			N     functions.Count   `arg:"n_splits: how many parts"`
			Axis  int               `arg:"axis=0: the axis"`
		}) ([]*graph.Variable, error) {
			if len(a.Sizes.V) != a.N.N {
				return nil, fmt.Errorf("splits_size: got %d lengths, want n_splits, %d", len(a.Sizes.V), a.N.N)
			}
			return formula.Split(g.Builder, a.X.V, a.Axis, a.Sizes.V)
		})),
}

// movedTable is the functions that change axes, not elements.
var movedTable = []functions.Function{
	padRow("shape_padleft", "on the left", "shape_padleft([1, 2]) # array([[1, 2]])", true),
	padRow("shape_padright", "on the right", "shape_padright([1, 2]) # array([[1],\n       [2]])", false),
	TensorRow("T.shape_padaxis", "x with a new axis of length 1.", "shape_padaxis([1, 2], 0) # array([[1, 2]])",
		func(g *functions.Graph, a *struct {
			VariableArg
			Axis int `arg:"axis: where the new axis is to be"`
		}) (*graph.Variable, error) {
			return formula.Variable(formula.ExpandDims(formula.Symbolic(g.Builder), a.X.V, []int{a.Axis}))
		}),
}

func padRow(name, where, example string, left bool) functions.Function {
	return TensorRow("T."+name, "x with new axes of length 1 "+where+".", example, func(g *functions.Graph, a *struct {
		VariableArg
		N int `arg:"n_ones=1: how many"`
	}) (*graph.Variable, error) {
		if most := tensor.MaxRank - a.X.V.Type.Rank(); a.N < 0 || a.N > most {
			return nil, fmt.Errorf("n_ones: got %d, want a number from 0 to %d", a.N, most)
		}
		return formula.Pad(g.Builder, a.X.V, a.N, left), nil
	})
}

// diagonalTable is the functions of diagonals.
var diagonalTable = []functions.Function{
	// np.fill_diagonal is a row of its own: it writes to its array.
	TensorRow("T.fill_diagonal", "A matrix with a number on its main diagonal.",
		"fill_diagonal([[1, 2], [3, 4]], 0) # array([[0, 2],\n       [3, 0]])", func(g *functions.Graph, a *struct {
			VariableArg
			Value functions.Operand `arg:"val: a number or a scalar variable"`
		}) (*graph.Variable, error) {
			return formula.FillDiagonal(g.Builder, a.X.V, a.Value.V, 0)
		}),
	TensorRow("T.fill_diagonal_offset", "A matrix with a number on a diagonal.",
		"fill_diagonal_offset([[1, 2], [3, 4]], 0, 1) # array([[1, 0],\n       [3, 4]])", func(g *functions.Graph, a *struct {
			VariableArg
			Value  functions.Operand `arg:"val: a number or a scalar variable"`
			Offset int               `arg:"offset: the diagonal; above the main one if positive"`
		}) (*graph.Variable, error) {
			return formula.FillDiagonal(g.Builder, a.X.V, a.Value.V, a.Offset)
		}),
}
