package profilertest

import (
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/tensor"
)

// LogReg has a view, inplace nodes, two classes of reductions and an update.
const LogReg = `func train(x float64[?,?], y float64[?]; w float64[?])
	v1 = dimshuffle{pattern=1 0} x                         # net.star:3:14
	v2 = dot x w                                           # net.star:4:9
	v3 = sigmoid v2                                        # net.star:4:20
	v4 = inplace{in=0,op=sub} v3 y                         # net.star:5:7
	v5 = dot v1 v4                                         # net.star:6:7
	v6 = mul float64[1](0.125) v5                          # net.star:7:7
	v7 = inplace{in=1,op=sub} w v6                         # net.star:7:3
	v8 = sum{axes=0} v3                                            # net.star:8:2
	update w = v7
	return v8`

// Training is a profile of three calls with invented times and real operands.
func Training(t testing.TB, memory bool) *profiler.Stats {
	p := Program(t, LogReg, "C")
	for i := range p.Nodes {
		if i%3 == 2 {
			p.Nodes[i].Impl = "Go"
		}
	}
	s := profiler.NewStats(profiler.Options{Memory: memory, Clock: Still(), Globals: func() profiler.Globals {
		return profiler.Globals{Grad: 13 * time.Millisecond, Since: 4110 * time.Millisecond}
	}})
	r := s.Add(profiler.FunctionInfo{Name: "train", Program: p, Compile: history.Times{
		Total: 30 * time.Millisecond, Rewrite: 20 * time.Millisecond, Validate: time.Millisecond, Link: 9 * time.Millisecond,
		Thunks: []time.Duration{1e6, 2e6, 3e6, 4e5, 5e5, 6e5, 7e5, 8e5},
	}, Rewrites: []history.Pass{
		{Name: "canonicalize", Time: 12e6, Before: 14, After: 10,
			Rules: []history.Rule{{Name: "mul_one", Tried: 20, Fired: 2, Time: 1e6},
				{Name: "fold", Tried: 9, Fired: 1, Time: 3e6}}},
		{Name: "inplace", Time: 2e6, Before: 10, After: 8, Rules: []history.Rule{{Name: "fold", Tried: 1, Time: 1e3}}},
	}})
	for call := range int64(3) {
		PlayOperands(r, p, 2_100_000, 900_000, 70_000, 30_000+call, 400, 8_000, 800_000, 1_200, 1_100)
	}
	s.Functions[0].RunTime = 6_003_000 // a little more than its nodes, so that a report cannot mistake one for the other
	return s
}

// PlayOperands records a call with operands of the right shapes for x: [60, 20].
func PlayOperands(r *profiler.Recorder, p *exec.Program, call int64, ns ...int64) {
	run := Trace(ns...)
	shape := map[string][]int{"x": {60, 20}, "w": {20}, "y": {60}}
	outs := [][]int{{60}, {60}, {}, {20, 60}, {60}, {20}, {20}, {20}}
	values := map[any]*tensor.Dense{}
	for i, n := range p.Nodes {
		var in []*tensor.Dense
		for _, v := range n.Apply.Inputs {
			a, ok := values[v]
			switch {
			case ok:
			case v.Data != nil:
				a = v.Data
			default:
				a = tensor.New(kernels.Float64, shape[v.Name]...)
				values[v] = a
			}
			in = append(in, a)
		}
		o := n.Apply.Outputs[0]
		if i == 3 {
			values[o] = in[0].Transpose()
		} else {
			values[o] = tensor.New(kernels.Float64, outs[i]...)
		}
		run.Arrays = append(run.Arrays, append(in, values[o]))
	}
	r.Run(run, nil)
	r.Call(call, nil)
}
