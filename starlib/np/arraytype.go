package np

import (
	"errors"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var _ value.Scalar = (*Array)(nil)

// Scalar returns the only element, which int, float and formats take the array for; nil if there
// are others or none.
func (a *Array) Scalar() starlark.Value {
	if a.D.Size() != 1 {
		return nil
	}
	return Number(scalarOf(a.D))
}

// arrayType is np.ndarray, for isinstance.
var arrayType = value.Builtin{Name: "ndarray", Module: "np", Types: []string{"ndarray"},
	Doc:     "The type of arrays, for isinstance. np.array makes one.",
	Example: "isinstance(np.zeros(2), np.ndarray) # True",
	Fn: func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return nil, errors.New("ndarray: arrays are made by np.array, np.zeros or np.empty")
	},
}
