package roofline

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// nodeProbe counts the nodes that run in a second if they do next to nothing: each changes the sign
// of a number.
func nodeProbe(set kernels.Set) (*probe, error) {
	const nodes = 64
	var b graph.Builder
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	y := x
	for range nodes {
		y = b.Apply(op.Neg, y)
	}
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{y}}
	p, err := exec.Link(fg, exec.Options{Sets: kernels.Sets{set, kernels.GoSet}}, nil)
	if err != nil {
		return nil, err
	}
	in := []*tensor.Dense{tensor.Scalar(kernels.Float64, 1)}
	run := func(_, rounds int) float64 {
		for range rounds {
			if _, err := p.Run(in, nil, nil); err != nil {
				panic("BUG: " + err.Error())
			}
		}
		return nodes * float64(rounds)
	}
	return &probe{threads: 1, run: run, best: new(float64), rounds: 1}, nil
}
