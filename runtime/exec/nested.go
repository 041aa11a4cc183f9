package exec

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

func init() {
	op.LinkGraph = func(fg *graph.FunctionGraph, sets kernels.Sets) (op.Thunk, error) {
		p, err := Link(fg, Options{Sets: sets}, nil)
		if err != nil {
			return nil, err
		}
		return p.Thunk(), nil
	}
}
