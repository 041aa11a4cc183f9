package manipulation

import (
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// iterateTable is what loops over the elements of arrays run on.
var iterateTable = []functions.Function{
	np.Function("np.ndindex", "The indices of all elements of a shape in C order, as a list of tuples.",
		"ndindex(2, 2) # [(0, 0), (0, 1), (1, 0), (1, 1)]", func(e *np.Eval, a *struct {
			Shape starlark.Tuple `arg:"*shape: the lengths, or one tuple of them"`
		}) starlark.Value {
			shape, err := np.IntsArgs(a.Shape)
			if err == nil {
				err = np.CheckShape(shape)
			}
			if np.Keep(e, shape, err, nil); e.Failed() {
				return nil
			}
			return slot.NewList(indexTuples(shape, e.Poll()))
		}),
	np.Function("np.ndenumerate", "The index and the value of each element in C order, as a list of tuples.",
		"ndenumerate([[1, 2]]) # [((0, 0), 1), ((0, 1), 2)]", func(e *np.Eval, a *struct {
			Arr *tensor.Dense `arg:"arr: an array"`
		}) starlark.Value {
			flat := e.Flat(a.Arr)
			if e.Failed() {
				return nil
			}
			list, poll := indexTuples(a.Arr.Shape(), e.Poll()), e.Poll()
			for i, index := range list {
				poll.Ask(value.PerElement)
				list[i] = starlark.Tuple{index, np.FromDense(e.At(flat, 0, i))}
			}
			return slot.NewList(list)
		}),
	nditerFunction,
}

// indexTuples are the indices of a shape in C order.
func indexTuples(shape []int, poll tensor.Poll) []starlark.Value {
	list := make([]starlark.Value, tensor.Size(shape))
	at := make([]int, len(shape))
	for i := range list {
		poll.Ask(value.PerElement)
		list[i] = np.IntTuple(slices.Clone(at))
		for axis := len(at) - 1; axis >= 0; axis-- {
			if at[axis]++; at[axis] < shape[axis] {
				break
			}
			at[axis] = 0
		}
	}
	return list
}
