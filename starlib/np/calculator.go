package np

import (
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
)

// Calculator computes the operations that functions of package array consist of, until the cell is
// interrupted.
func (e *Eval) Calculator() array.Calculator {
	return array.Calculator{Evaluator: Evaluator(), Stop: StopOf(e.Session), Made: &e.made, To: e.to}
}

// Compute calls a function of package array, unless there was an error.
func (e *Eval) Compute(f func(c array.Calculator) (*tensor.Dense, error)) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	return e.Got(f(e.Calculator()))
}
