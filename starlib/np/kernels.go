package np

import (
	"errors"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
)

// npSets are the kernels that np runs on: those of compiled functions.
var npSets = sync.OnceValue(func() kernels.Sets {
	sets, err := exec.Sets("c|go")
	if err != nil {
		return kernels.Sets{kernels.GoSet}
	}
	return sets
})

// Evaluator computes operations of arrays at once, with the kernels that compiled functions run.
var Evaluator = sync.OnceValue(func() *op.Evaluator { return op.NewEvaluator(npSets()) })

// Product is what decompositions of arrays multiply with.
var Product = sync.OnceValue(func() linalg.Product {
	product, _, err := op.LinkProduct(npSets())
	if err != nil {
		return nil
	}
	return product
})

// StopOf is what an interrupt of the cell raises, nil without a session.
func StopOf(s value.Host) kernels.Stop {
	if s == nil {
		return nil
	}
	return s.Stop()
}

// RunOp computes an operation with one result.
func RunOp(s value.Host, o graph.Op, in ...*tensor.Dense) (*tensor.Dense, error) {
	return Evaluator().Eval1(o, StopOf(s), in...)
}

// plainError takes the position and notes of the graph off an error: eager calls have none.
func plainError(err error) error {
	var e *graph.Error
	if errors.As(err, &e) {
		return errors.New(e.Msg)
	}
	return err
}
