package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// arraysArg is the first parameter of functions that put variables together.
type arraysArg struct {
	Arrays []functions.Operand `arg:"arrays|tensor_list|tensors: a list of variables, numbers or arrays"`
}

// all are the variables of the list.
func (a arraysArg) all() []*graph.Variable {
	list := make([]*graph.Variable, len(a.Arrays))
	for i, x := range a.Arrays {
		list[i] = x.V
	}
	return list
}

// joinedTable is the functions that put variables together and take them apart.
var joinedTable = []functions.Function{
	tensorRow("T.concatenate", "Variables joined along an axis that they have.", "concatenate([[1, 2], [3]]) # array([1, 2, 3])",
		func(g *functions.Graph, a *struct {
			arraysArg
			Axis int `arg:"axis=0: the axis"`
		}) (*graph.Variable, error) {
			return formula.Join(g.Builder, a.Axis, a.all())
		}),
	tensorRow("T.join", "Variables joined along an axis that they have.", "join(0, [1, 2], [3]) # array([1, 2, 3])",
		func(g *functions.Graph, a *struct {
			Axis   int                 `arg:"axis: the axis"`
			Arrays []functions.Operand `arg:"*tensors_list: variables, numbers or arrays"`
		}) (*graph.Variable, error) {
			return formula.Join(g.Builder, a.Axis, arraysArg{a.Arrays}.all())
		}),
	tensorRow("T.stack", "Variables of one shape joined along a new axis.",
		"stack([[1, 2], [3, 4]], axis=1) # array([[1, 3],\n       [2, 4]])", func(g *functions.Graph, a *struct {
			arraysArg
			Axis int `arg:"axis=0: where the new axis is to be"`
		}) (*graph.Variable, error) {
			return formula.Stack(g.Builder, a.Axis, a.all())
		}),
	atLeast("T.vstack T.vertical_stack T.row_stack", "Variables joined row upon row; a vector is a row.",
		"vstack([[1, 2], [3, 4]]) # array([[1, 2],\n       [3, 4]])", 2, 0),
	tensorRow("T.hstack T.horizontal_stack", "Variables joined side by side: vectors along their only axis, others along axis 1.",
		"hstack([[1, 2], [3]]) # array([1, 2, 3])", func(g *functions.Graph, a *arraysArg) (*graph.Variable, error) {
			rank := a.Arrays[0].V.Type.Rank()
			return formula.JoinAtLeast(g.Builder, 1, min(1, max(rank, 1)-1), a.all())
		}),
	atLeast("T.dstack", "Variables joined along their third axis, which vectors and matrices get.",
		"dstack([[1, 2], [3, 4]]) # array([[[1, 3],\n        [2, 4]]])", 3, 2),
	functions.New("T.split", "x cut along an axis into n_splits parts of the given lengths: a list.",
		"split([1, 2, 3], [1, 2], 2) # [array([1]), array([2, 3])]", np.Kinds,
		functions.BuildsList(func(g *functions.Graph, a *struct {
			variableArg
			Sizes functions.Lengths `arg:"splits_size: the lengths of the parts, which may be symbolic"`
			N     int               `arg:"n_splits: how many parts"`
			Axis  int               `arg:"axis=0: the axis"`
		}) ([]*graph.Variable, error) {
			if len(a.Sizes.V) != a.N {
				return nil, fmt.Errorf("splits_size: got %d lengths, want n_splits, %d", len(a.Sizes.V), a.N)
			}
			return formula.Split(g.Builder, a.X.V, a.Axis, a.Sizes.V)
		})),
	tensorRow("T.tile", "The whole variable repeated along each axis.", "tile([1, 2], 2) # array([1, 2, 1, 2])",
		func(g *functions.Graph, a *struct {
			variableArg
			Reps functions.Lengths `arg:"reps: how often along each axis, which may be symbolic"`
			Ndim starlark.Value    `arg:"ndim=None: number of axes of the result, for Theano's sake"`
		}) (*graph.Variable, error) {
			return formula.Tile(g.Builder, a.X.V, a.Reps.V), nil
		}),
	tensorRow("T.repeat", "Each element repeated along an axis; of the flattened variable without one.",
		"repeat([1, 2], 2) # array([1, 1, 2, 2])", func(g *functions.Graph, a *struct {
			variableArg
			Repeats functions.Integers `arg:"repeats: how often: an integer, or one for each place of the axis"`
			Axis    *int               `arg:"axis=None: the axis"`
		}) (*graph.Variable, error) {
			return formula.Repeat(g.Builder, a.X.V, a.Repeats.V, a.Axis)
		}),
	tensorRow("T.roll", "The elements moved along an axis; those that leave at one end come in at the other.",
		"roll([1, 2, 3], 1) # array([3, 1, 2])", func(g *functions.Graph, a *struct {
			variableArg
			Shift functions.Integers `arg:"shift: by how much"`
			Axis  *int               `arg:"axis=None: the axis; all elements as a vector if not given"`
		}) (*graph.Variable, error) {
			return formula.Roll(g.Builder, a.X.V, a.Shift.V, a.Axis)
		}),
}

// atLeast makes the row of a stack of variables that get at least rank axes.
func atLeast(names, doc, example string, rank, axis int) functions.Function {
	return tensorRow(names, doc, example, func(g *functions.Graph, a *arraysArg) (*graph.Variable, error) {
		return formula.JoinAtLeast(g.Builder, rank, axis, a.all())
	})
}

// movedTable is the functions that change axes, not elements.
var movedTable = []functions.Function{
	tensorRow("T.ravel", "The elements as a vector.", "ravel([[1, 2], [3, 4]]) # array([1, 2, 3, 4])",
		func(g *functions.Graph, a *variableArg) (*graph.Variable, error) {
			return formula.Ravel(g.Builder, a.X.V), nil
		}),
	tensorRow("T.squeeze", "x without axes of length 1: the given ones, or all that are known to have it.",
		"squeeze([[[1, 2]]]) # array([1, 2])", func(g *functions.Graph, a *struct {
			variableArg
			Axis functions.Axes `arg:"axis=None: an axis or several"`
		}) (*graph.Variable, error) {
			axes, err := a.Axis.Of(a.X.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.Squeeze(g.Builder, a.X.V, axes, a.Axis.Given), nil
		}),
	tensorRow("T.expand_dims", "x with new axes of length 1.", "expand_dims([1, 2], 1) # array([[1],\n       [2]])",
		func(g *functions.Graph, a *struct {
			variableArg
			Axis functions.Axes `arg:"axis: where the new axis is to be, or several"`
		}) (*graph.Variable, error) {
			return formula.ExpandDims(g.Builder, a.X.V, a.Axis.List)
		}),
	tensorRow("T.swapaxes", "x with two axes in each other's place.", "swapaxes([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])",
		func(g *functions.Graph, a *struct {
			variableArg
			First  int `arg:"axis1: an axis"`
			Second int `arg:"axis2: another"`
		}) (*graph.Variable, error) {
			return formula.SwapAxes(g.Builder, a.X.V, a.First, a.Second)
		}),
	tensorRow("T.moveaxis", "x with axes at other places, the others in their order.",
		"moveaxis([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])", func(g *functions.Graph, a *struct {
			variableArg
			Source      []int `arg:"source: an axis or several"`
			Destination []int `arg:"destination: where they are to be"`
		}) (*graph.Variable, error) {
			return formula.MoveAxis(g.Builder, a.X.V, a.Source, a.Destination)
		}),
	rankRow(1, "atleast_1d(5.0) # array([5.])"),
	rankRow(2, "atleast_2d([1, 2]) # array([[1, 2]])"),
	rankRow(3, "atleast_3d([1, 2]).shape # array([1, 2, 1])"),
	padRow("shape_padleft", "on the left", "shape_padleft([1, 2]) # array([[1, 2]])", true),
	padRow("shape_padright", "on the right", "shape_padright([1, 2]) # array([[1],\n       [2]])", false),
	tensorRow("T.shape_padaxis", "x with a new axis of length 1.", "shape_padaxis([1, 2], 0) # array([[1, 2]])",
		func(g *functions.Graph, a *struct {
			variableArg
			Axis int `arg:"axis: where the new axis is to be"`
		}) (*graph.Variable, error) {
			return formula.ExpandDims(g.Builder, a.X.V, []int{a.Axis})
		}),
	tensorRow("T.broadcast_to", "x repeated to a shape, as NumPy's rule allows.", "broadcast_to([1, 2], (2, 2)) # array([[1, 2],\n       [1, 2]])",
		func(g *functions.Graph, a *struct {
			variableArg
			Shape functions.Lengths `arg:"shape: a length or a tuple of lengths, which may be symbolic"`
		}) (*graph.Variable, error) {
			return formula.BroadcastTo(g.Builder, a.X.V, a.Shape.V), nil
		}),
	tensorRow("T.flip", "x with the elements in reverse order along axes.", "flip([1, 2, 3]) # array([3, 2, 1])",
		func(g *functions.Graph, a *struct {
			variableArg
			Axis functions.Axes `arg:"axis=None: the axis or axes; all if not given"`
		}) (*graph.Variable, error) {
			axes, err := a.Axis.Of(a.X.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.Flip(g.Builder, a.X.V, axes), nil
		}),
}

func rankRow(rank int, example string) functions.Function {
	return tensorRow(fmt.Sprintf("T.atleast_%dd", rank), fmt.Sprintf("x with at least %d axes: new ones have length 1.", rank), example,
		func(g *functions.Graph, a *variableArg) (*graph.Variable, error) {
			return formula.AtLeast(g.Builder, a.X.V, rank), nil
		})
}

func padRow(name, where, example string, left bool) functions.Function {
	return tensorRow("T."+name, "x with new axes of length 1 "+where+".", example, func(g *functions.Graph, a *struct {
		variableArg
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
	tensorRow("T.diag", "The matrix with a vector on a diagonal, or a matrix's diagonal.", "diag([1, 2]) # array([[1, 0],\n       [0, 2]])",
		func(g *functions.Graph, a *struct {
			variableArg
			K int `arg:"k=0: the diagonal; above the main one if positive"`
		}) (*graph.Variable, error) {
			return formula.Diag(g.Builder, a.X.V, a.K)
		}),
	tensorRow("T.diagonal", "A diagonal of two axes, as the last axis.", "diagonal([[1, 2], [3, 4]]) # array([1, 4])",
		func(g *functions.Graph, a *diagonalArgs) (*graph.Variable, error) {
			return formula.Diagonal(g.Builder, a.X.V, a.Offset, a.First, a.Second)
		}),
	tensorRow("T.trace", "The sum of a diagonal of two axes.", "trace([[1, 2], [3, 4]]) # 5",
		func(g *functions.Graph, a *diagonalArgs) (*graph.Variable, error) {
			d, err := formula.Diagonal(g.Builder, a.X.V, a.Offset, a.First, a.Second)
			if err != nil {
				return nil, err
			}
			return g.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(d.Type.Rank() - 1)}, d), nil
		}),
	tensorRow("T.fill_diagonal", "A matrix with a number on its main diagonal.",
		"fill_diagonal([[1, 2], [3, 4]], 0) # array([[0, 2],\n       [3, 0]])", func(g *functions.Graph, a *struct {
			variableArg
			Value functions.Operand `arg:"val: a number or a scalar variable"`
		}) (*graph.Variable, error) {
			return formula.FillDiagonal(g.Builder, a.X.V, a.Value.V, 0)
		}),
	tensorRow("T.fill_diagonal_offset", "A matrix with a number on a diagonal.",
		"fill_diagonal_offset([[1, 2], [3, 4]], 0, 1) # array([[1, 0],\n       [3, 4]])", func(g *functions.Graph, a *struct {
			variableArg
			Value  functions.Operand `arg:"val: a number or a scalar variable"`
			Offset int               `arg:"offset: the diagonal; above the main one if positive"`
		}) (*graph.Variable, error) {
			return formula.FillDiagonal(g.Builder, a.X.V, a.Value.V, a.Offset)
		}),
}

// diagonalArgs say which diagonal of which axes.
type diagonalArgs struct {
	variableArg
	Offset int `arg:"offset=0: the diagonal; above the main one if positive"`
	First  int `arg:"axis1=0: the axis of the rows"`
	Second int `arg:"axis2=1: the axis of the columns"`
}
