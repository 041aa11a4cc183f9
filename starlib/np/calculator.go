package np

import (
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
)

// calculator computes the operations that functions of package array consist of, until the cell is interrupted.
func (e *eval) calculator() array.Calculator {
	return array.Calculator{Evaluator: evaluator(), Stop: stopOf(e.session), Made: &e.made, To: e.to}
}

// compute calls a function of package array, unless there was an error.
func (e *eval) compute(f func(c array.Calculator) (*tensor.Dense, error)) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	return e.got(f(e.calculator()))
}
