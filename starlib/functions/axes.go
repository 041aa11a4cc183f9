package functions

import (
	"fmt"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Axes is an argument that names axes: one, several, or all of them if it is not given.
type Axes struct {
	List  []int // as they were written
	Given bool
}

// Of is the set of the axes of an array of the given rank.
func (a Axes) Of(rank int) (tensor.Axes, error) {
	if !a.Given {
		return tensor.AllAxes(rank), nil
	}
	var axes tensor.Axes
	for _, axis := range a.List {
		n, err := tensor.NormalizeAxis(axis, rank)
		if err != nil {
			return tensor.Axes{}, err
		}
		if axes.Has(n) {
			return tensor.Axes{}, fmt.Errorf("axis %d is there twice", n)
		}
		axes = axes.With(tensor.AxesOf(n))
	}
	return axes, nil
}

// Dropped is Of for functions that drop the axes: there a number counts as an array with an axis.
func (a Axes) Dropped(rank int) (tensor.Axes, error) {
	if rank == 0 && a.Given && len(a.List) == 1 && (a.List[0] == 0 || a.List[0] == -1) {
		return tensor.Axes{}, nil
	}
	return a.Of(rank)
}

func readAxes(_ value.Host, v starlark.Value) (Axes, error) {
	list, err := value.Ints(v)
	return Axes{list, true}, err
}
