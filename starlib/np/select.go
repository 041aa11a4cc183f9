package np

import (
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// whereRow is np.where: the elementwise function, and the positions of what is true if it is given
// nothing to choose from.
func whereRow(doc, example string, params []string) value.Builtin {
	doc += " Given the condition alone, np.where is np.nonzero."
	for i := 1; i < len(params); i++ {
		name, about := params[i][:1], params[i][1:]
		params[i] = name + "=None" + about
	}
	return EvalRow("np.", "where", doc, example, func(e *Eval) starlark.Value {
		switch {
		case e.given(1) && e.given(2):
			return e.Elementwise("where", e.V...)
		case e.given(1) || e.given(2):
			e.Fail("got one of x and y, want both or neither")
			return nil
		}
		return e.Positions(e.array(0))
	}, params...)
}

// Positions is np.nonzero.
func (e *Eval) Positions(x *tensor.Dense) starlark.Value {
	if x.Rank() == 0 {
		e.Fail("got a number, want an array")
	}
	if e.Failed() {
		return nil
	}
	tuple := make(starlark.Tuple, x.Rank())
	for axis, d := range e.NonZero(x) {
		tuple[axis] = NewArray(e.Session, d)
	}
	return tuple
}

// NonZero is tensor.NonZero of what has elements to look at.
func (e *Eval) NonZero(x *tensor.Dense) []*tensor.Dense {
	poll := e.Poll()
	list, err := poll.NonZero(x)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return list
}
