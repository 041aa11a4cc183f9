package np

import (
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// iterateTable is what loops over the elements of arrays run on.
var iterateTable = []value.Builtin{
	evalRow("np.", "ndindex", "The indices of all elements of a shape in C order, as a list of tuples.",
		"np.ndindex(2, 2) # [(0, 0), (0, 1), (1, 0), (1, 1)]", func(e *eval) starlark.Value {
			shape, err := shapeArgs(e.call)
			if err == nil {
				err = checkShape(shape)
			}
			if keep(e, shape, err, nil); e.failed() {
				return nil
			}
			return starlark.NewList(indexTuples(shape))
		}, "*shape: the lengths, or one tuple of them"),
	evalRow("np.", "ndenumerate", "The index and the value of each element in C order, as a list of tuples.",
		"np.ndenumerate([[1, 2]]) # [((0, 0), 1), ((0, 1), 2)]", func(e *eval) starlark.Value {
			a := e.array(0)
			flat := e.flat(a)
			if e.failed() {
				return nil
			}
			list := indexTuples(a.Shape())
			for i, index := range list {
				list[i] = starlark.Tuple{index, FromDense(e.at(flat, 0, i))}
			}
			return starlark.NewList(list)
		}, "arr: an array"),
}

// indexTuples are the indices of a shape in C order.
func indexTuples(shape []int) []starlark.Value {
	list := make([]starlark.Value, tensor.Size(shape))
	at := make([]int, len(shape))
	for i := range list {
		list[i] = intTuple(slices.Clone(at))
		for axis := len(at) - 1; axis >= 0; axis-- {
			if at[axis]++; at[axis] < shape[axis] {
				break
			}
			at[axis] = 0
		}
	}
	return list
}
