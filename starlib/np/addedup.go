package np

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// addedUp is Python's sum where an array is what is added up, or what it begins with: start + x[0]
// + x[1] ..., whose type is that of such an addition, as in Python. An int and a number of NumPy's
// make an int64 or a float64, an int and a row keep the row's type.
func addedUp(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var total starlark.Value = starlark.MakeInt(0)
	if len(args) == 2 {
		total = args[1]
	}
	for _, kw := range kwargs {
		total = kw[1] // start, the only one that sum has
	}
	if a, ok := args[0].(*Array); ok && a.D.Rank() == 1 && a.Len() > 0 {
		if start, isInt := total.(starlark.Int); isInt {
			if z := numbersAddedUp(a.D, start); z != nil {
				return FromDenseIn(a.session, z), nil
			}
		}
	}
	x, ok := args[0].(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("sum: for parameter x: got %s, want iterable", args[0].Type())
	}
	if a, ok := x.(*Array); ok && a.D.Rank() == 0 {
		return nil, fmt.Errorf("sum: got an array of no dimensions, want one with some")
	}
	if err := value.CheckLen("sum", x); err != nil {
		return nil, err
	}
	it := x.Iterate()
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		var err error
		if total, err = starlark.Binary(syntax.PLUS, total, e); err != nil {
			return nil, fmt.Errorf("sum: %w", err)
		}
	}
	return total, nil
}

// numbersAddedUp is start and the elements of a vector, one after the other; nil if start is no
// int64.
func numbersAddedUp(x *tensor.Dense, start starlark.Int) *tensor.Dense {
	first, ok := start.Int64()
	if !ok {
		return nil
	}
	if d := x.DType(); d.IsFloat() || d == kernels.Uint64 {
		sum := float64(first)
		for _, v := range x.Floats() {
			sum += v
		}
		return tensor.Scalar(kernels.Float64, sum)
	}
	for _, v := range x.Ints() {
		first += v
	}
	return tensor.IntScalar(kernels.Int64, first)
}
