package np

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// whereRow is np.where: the elementwise function, and the positions of what is true if it is given nothing to choose from.
func whereRow(doc, example string, params []string) value.Builtin {
	doc += " Given the condition alone, np.where is np.nonzero."
	for i := 1; i < len(params); i++ {
		name, about := params[i][:1], params[i][1:]
		params[i] = name + "=None" + about
	}
	return evalRow("np.", "where", doc, example, func(e *eval) starlark.Value {
		switch {
		case e.given(1) && e.given(2):
			v, err := ufuncs["where"].call(e.session, e.v)
			return keep(e, v, err, nil)
		case e.given(1) || e.given(2):
			e.fail("got one of x and y, want both or neither")
			return nil
		}
		return e.positions(e.array(0))
	}, params...)
}

// positions is np.nonzero.
func (e *eval) positions(x *tensor.Dense) starlark.Value {
	if x.Rank() == 0 {
		e.fail("got a number, want an array")
	}
	if e.failed() {
		return nil
	}
	tuple := make(starlark.Tuple, x.Rank())
	for axis, d := range nonZero(x) {
		tuple[axis] = NewArray(e.session, d)
	}
	return tuple
}

// nonZero returns the indices, along each axis, of the elements that are not 0, in C order.
func nonZero(x *tensor.Dense) []*tensor.Dense {
	lists := make([][]int64, x.Rank())
	for i, v := range tensor.Elements[uint8](x.AsType(kernels.Bool)) {
		if v == 0 {
			continue
		}
		for axis := x.Rank() - 1; axis >= 0; axis-- {
			lists[axis] = append(lists[axis], int64(i%x.Dim(axis)))
			i /= x.Dim(axis)
		}
	}
	arrays := make([]*tensor.Dense, len(lists))
	for axis, list := range lists {
		arrays[axis] = tensor.From(list, len(list))
	}
	return arrays
}
