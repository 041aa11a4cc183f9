package profilertest

import (
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// Recurrence is the source of Nested: a file and what it loads.
var recurrence = map[string]string{
	"main.star": `load("cells.star", "step", "loss")

c = T.scalar("c")
h0 = T.scalar("h0")
h = scan(step, outputs_info=[h0], non_sequences=[a, c], n_steps=1000)
f = function([h0, c], loss(h[-1]), updates=[(a, a - 0.1 * grad(loss(h[-1]), a))])
`,
	"cells.star": `def step(prev, a, c):
	z = a * prev + c
	return T.tanh(z)

def loss(last):
	return last ** 2  # the square of the last one
`,
}

// Nested is a profile with everything: a loop whose step has a profile of its own, fused nodes,
// gradients and updates, two files, a machine with a roof, flags, and a failed call. The numbers of
// the loop are those that Theano printed for one.
func Nested() *profiler.Stats {
	main := func(line int) graph.Frame {
		return graph.Frame{File: "main.star", Line: line, Func: "<toplevel>"}
	}
	cells := func(line int, fn string) graph.Frame {
		return graph.Frame{File: "cells.star", Line: line, Func: fn}
	}
	origin := func(role string, frames ...graph.Frame) profiler.Origin {
		return profiler.Origin{Frames: frames, Role: role}
	}
	node := func(id int, op, class, text, impl string, calls int64, ns float64, o profiler.Origin) *profiler.Node {
		each := ns / float64(calls)
		return &profiler.Node{ID: id, Op: op, Key: op, Class: class, Text: op + text, Impl: impl, Origin: o, Out: []int{id},
			Calls: calls,
			Time:  ns, Min: each / 2, Max: 2 * each}
	}
	step := node(0, "Elemwise{Composite{tanh(((i0 * i1) + i2))}}", "tensor.elemwise.Elemwise", "(a_copy, h0[t-1], c_copy)", "C",
		20000,
		3_720_000, origin("forward", main(5), cells(3, "step")))
	step.Parts = []profiler.Part{
		{Origin: origin("forward", main(5), cells(2, "step")), Op: "mul", Share: 0.125},
		{Origin: origin("forward", main(5), cells(2, "step")), Op: "add", Share: 0.125},
		{Origin: origin("forward", main(5), cells(3, "step")), Op: "tanh", Share: 0.75},
	}
	step.Counted, step.Flops, step.BytesRead, step.BytesWritten = 20000, 20000*24, 20000*24, 20000*8
	scan := node(1, "for{rec}", "scan.op.Scan", "(TensorConstant{1000}, IncSubtensor{InplaceSet;:int64:}.0, a, c)", "Go", 20,
		57_740_000,
		origin("forward", main(5)))
	scan.Inner = []*profiler.Function{{Name: "rec", Calls: 20000, Runs: 20000, CallTime: 8_775_473, CallMin: 380, CallMax: 9000,
		RunTime: 8_775_473, Nodes: []*profiler.Node{step}, Variables: 1}}
	nodes := []*profiler.Node{
		node(0, "InplaceDimShuffle{x,0}", "tensor.elemwise.DimShuffle", "(h0)", "C", 20, 20_600, origin("forward", main(5))),
		scan,
		node(2, "Subtensor{int64}", "tensor.subtensor.Subtensor", "(for{rec}.0, Constant{1})", "C", 20, 21_200, origin("forward",
			main(6))),
		node(3, "Elemwise{sqr,no_inplace}", "tensor.elemwise.Elemwise", "(Subtensor{int64}.0)", "C", 20, 15_000,
			origin("forward", main(6), cells(6, "loss"))),
		node(4, "Elemwise{mul,no_inplace}", "tensor.elemwise.Elemwise", "(TensorConstant{2.0}, Subtensor{int64}.0)", "C", 20, 14_260,
			origin("gradient", main(6), cells(6, "loss"))),
		node(5, "Elemwise{Composite{(i0 - (i1 * i2))}}[(0, 0)]", "tensor.elemwise.Elemwise",
			"(a, TensorConstant{0.1}, Elemwise{mul,no_inplace}.0)",
			"C", 20, 42_400, origin("update", main(6))),
	}
	for _, n := range nodes[2:] {
		n.Counted, n.Flops, n.BytesRead, n.BytesWritten = 20, 20, 20*16, 20*8
	}
	nodes[3].Counted = 19
	roof := profiler.Roof{Flops32: 117e9, Flops64: 58.7e9, Overhead: 20, Levels: []profiler.MemoryLevel{
		{Name: "L1", Size: 32 << 10, Bandwidth: 200e9}, {Name: "DRAM", Bandwidth: 29.7e9},
	}}
	return &profiler.Stats{
		Name: "scanfn", ClockCost: 9.5, Sources: recurrence, Flags: []string{"floatX=float64", "profile=True"},
		Globals: &profiler.Globals{Grad: 3 * time.Millisecond, Since: 20232 * time.Millisecond},
		Machine: &profiler.Machine{CPU: "Imaginary 9000", ISA: "avx2", Cores: 2, Threads: 2, Roof: &roof},
		Functions: []*profiler.Function{{
			Name: "f", Calls: 20, CallTime: 58_211_090, CallMin: 2_700_000, CallMax: 3_500_000, Runs: 20, RunTime: 57_936_910,
			FirstCall: 3_500_000, Failed: 1, FailedTime: 12_000, Nodes: nodes, Variables: len(nodes),
			Real: &profiler.RealMemory{Peak: 64_000, PeakNode: 1, Held: 16_000, Results: 8, Workspace: 512},
			Compile: history.Times{
				Total: 19 * time.Millisecond, Rewrite: 6 * time.Millisecond, Validate: 200 * time.Microsecond, Link: 11 * time.Millisecond,
			},
			Rewrites: []history.Pass{
				{Name: "canonicalize", Time: 5e6, Before: 12, After: 9}, {Name: "inplace", Time: 1e6, Before: 9, After: 6},
			},
		}},
	}
}
