package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// arraysArg is the first parameter of functions that put arrays together.
type arraysArg struct {
	Arrays []*tensor.Dense `arg:"arrays: a list of arrays"`
}

// joinTable is the functions that put arrays together.
var joinTable = []functions.Function{
	function("np.concatenate", "Arrays joined along an axis that they have.",
		"concatenate([[1, 2], [3]]) # array([1, 2, 3])", func(e *eval, a *struct {
			arraysArg
			Axis  *int           `arg:"axis=0: the axis; None joins the elements of all arrays"`
			Out   starlark.Value `arg:"out=None: an array for the result"`
			_     struct{}       `arg:"*:"`
			DType kernels.DType  `arg:"dtype=None: the elements' type"`
		}) starlark.Value {
			if a.Axis == nil {
				a.Axis = new(int)
				for i, d := range a.Arrays {
					a.Arrays[i] = e.flat(d)
				}
			}
			z := e.as(a.DType, e.concatenate(*a.Axis, a.Arrays...))
			if a.Out != nil {
				return e.out(a.Out, z, nil)
			}
			return e.array1(z, nil)
		}),
	function("np.stack", "Arrays of one shape joined along a new axis.",
		"stack([[1, 2], [3, 4]], axis=1) # array([[1, 3],\n       [2, 4]])", func(e *eval, a *struct {
			arraysArg
			Axis int `arg:"axis=0: where the new axis is to be"`
		}) starlark.Value {
			first := a.Arrays[0]
			axis := e.axisOf(a.Axis, first.Rank()+1)
			for _, d := range a.Arrays {
				if !slices.Equal(d.Shape(), first.Shape()) {
					e.fail("got shapes %s, want all the same", tensor.ShapesOf(first, d))
				}
			}
			return e.array1(e.stack(axis, a.Arrays...), nil)
		}),
	function("np.vstack", "Arrays joined row upon row; a vector is a row.",
		"vstack([[1, 2], [3, 4]]) # array([[1, 2],\n       [3, 4]])", func(e *eval, a *arraysArg) starlark.Value {
			for i, d := range a.Arrays {
				if d.Rank() < 2 {
					a.Arrays[i] = e.reshape(d, 1, d.Size())
				}
			}
			return e.array1(e.concatenate(0, a.Arrays...), nil)
		}),
	function("np.hstack", "Arrays joined side by side: vectors along their only axis, others along axis 1.",
		"hstack([[1, 2], [3]]) # array([1, 2, 3])", func(e *eval, a *arraysArg) starlark.Value {
			for i, d := range a.Arrays {
				if d.Rank() == 0 {
					a.Arrays[i] = e.reshape(d, 1)
				}
			}
			return e.array1(e.concatenate(min(1, a.Arrays[0].Rank()-1), a.Arrays...), nil)
		}),
}
