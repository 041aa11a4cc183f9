package numeric

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/manipulation"
	"go.starlark.net/starlark"
)

// arraysArg is the first parameter of functions that put arrays together.
type arraysArg struct {
	Arrays []functions.Operand `arg:"arrays|tup|tensor_list|tensors: a list of arrays"`
}

// concatenateArgs are the arguments of np.concatenate.
type concatenateArgs struct {
	arraysArg
	Axis *int `arg:"axis=0: the axis; None joins the elements of all arrays"`
	np.OutArg
	_     struct{}      `arg:"*:"`
	DType kernels.DType `arg:"dtype=None: the elements' type"`
}

// stackArgs are the arguments of np.stack.
type stackArgs struct {
	arraysArg
	Axis int `arg:"axis=0: where the new axis is to be"`
	np.OutArg
}

// joinTable is the functions that put arrays together.
var joinTable = []functions.Function{
	np.Function("np.concatenate T.concatenate", "Arrays joined along an axis that they have.",
		"concatenate([[1, 2], [3]]) # array([1, 2, 3])", func(e *np.Eval, a *concatenateArgs) starlark.Value {
			list, axis := np.DensesOf(a.Arrays), np.OrElse(a.Axis, 0)
			if a.Axis == nil {
				for i, d := range list {
					list[i] = e.Flat(d)
				}
			}
			return e.Array1(e.As(a.DType, e.Concatenate(axis, list...)), nil)
		}, functions.Builds(func(g *functions.Graph, a *concatenateArgs) (functions.V, error) {
			list, axis := np.VariablesOf(a.Arrays), np.OrElse(a.Axis, 0)
			if a.Axis == nil {
				for i, v := range list {
					list[i] = formula.Ravel(g.Builder, v)
				}
			}
			z, err := formula.Join(g.Builder, axis, list)
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, z, a.DType), nil
		})),
	np.Function("np.stack T.stack", "Arrays of one shape joined along a new axis.",
		"stack([[1, 2], [3, 4]], axis=1) # array([[1, 3],\n       [2, 4]])", func(e *np.Eval, a *stackArgs) starlark.Value {
			list := np.DensesOf(a.Arrays)
			first := list[0]
			axis := e.AxisOf(a.Axis, first.Rank()+1)
			for _, d := range list {
				if !slices.Equal(d.Shape(), first.Shape()) {
					e.Fail("got shapes %s, want all the same", tensor.ShapesOf(first, d))
				}
			}
			return e.Array1(e.Stack(axis, list...), nil)
		}, functions.Builds(func(g *functions.Graph, a *stackArgs) (functions.V, error) {
			return formula.Stack(g.Builder, a.Axis, np.VariablesOf(a.Arrays))
		})),
	np.Function("np.vstack np.row_stack T.vstack T.row_stack", "Arrays joined row upon row; a vector is a row.",
		"vstack([[1, 2], [3, 4]]) # array([[1, 2],\n       [3, 4]])", func(e *np.Eval, a *arraysArg) starlark.Value {
			list := np.DensesOf(a.Arrays)
			for i, d := range list {
				list[i] = e.LeadTo(d, 2)
			}
			return e.Array1(e.Concatenate(0, list...), nil)
		}, joinsAtLeast(2, 0)),
	np.Function("np.hstack T.hstack", "Arrays joined side by side: vectors along their only axis, others along axis 1.",
		"hstack([[1, 2], [3]]) # array([1, 2, 3])", func(e *np.Eval, a *arraysArg) starlark.Value {
			list := np.DensesOf(a.Arrays)
			for i, d := range list {
				list[i] = e.LeadTo(d, 1)
			}
			return e.Array1(e.Concatenate(min(1, list[0].Rank()-1), list...), nil)
		}, functions.Builds(func(g *functions.Graph, a *arraysArg) (functions.V, error) {
			list := np.VariablesOf(a.Arrays)
			return formula.JoinAtLeast(g.Builder, 1, min(1, max(list[0].Type.Rank(), 1)-1), list)
		})),
	np.Function("np.dstack T.dstack", "Arrays joined along axis 2; vectors and matrices get that axis.",
		"dstack([[1, 2], [3, 4]]) # array([[[1, 3],\n        [2, 4]]])", func(e *np.Eval, a *arraysArg) starlark.Value {
			list := np.DensesOf(a.Arrays)
			for i, d := range list {
				list[i] = manipulation.AtLeast3(e, d)
			}
			return e.Result(e.Concatenate(2, list...))
		}, joinsAtLeast(3, 2)),
}

// joinsAtLeast joins variables that get at least rank axes.
func joinsAtLeast(rank, axis int) functions.Half[arraysArg] {
	return functions.Builds(func(g *functions.Graph, a *arraysArg) (functions.V, error) {
		return formula.JoinAtLeast(g.Builder, rank, axis, np.VariablesOf(a.Arrays))
	})
}
