package profiler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func TestApplyText(t *testing.T) {
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	unnamed := graph.NewInput("", graph.AnyShape(kernels.Float32, 2), nil)
	made, err := graph.NewApply(op.Exp, []*graph.Variable{x}, nil)
	if err != nil {
		t.Fatal(err)
	}
	named := &graph.Variable{Type: x.Type, Name: "x.T", Owner: made}
	constant := func(a *tensor.Dense) *graph.Variable { return graph.NewConstant(a, nil) }
	many := make([]int64, 100)
	for i := range many {
		many[i] = int64(i)
	}
	for _, c := range []struct {
		in   *graph.Variable
		want string
	}{
		{x, "x"},
		{named, "x.T"},
		{made.Outputs[0], "Elemwise{exp,no_inplace}.0"},
		{unnamed, "<TensorType(float32, matrix)>"},
		{constant(tensor.Scalar(kernels.Float64, 2)), "TensorConstant{2.0}"},
		{constant(tensor.Scalar(kernels.Float32, -0.01)), "TensorConstant{-0.01}"},
		{constant(tensor.Scalar(kernels.Float64, 1e-5)), "TensorConstant{1e-05}"},
		{constant(tensor.IntScalar(kernels.Int64, 7)), "TensorConstant{7}"},
		{constant(tensor.FromBools([]bool{true})), "TensorConstant{True}"},
		{constant(tensor.From([]float64{2}, 1)), "TensorConstant{(1,) of 2.0}"},
		{constant(tensor.From([]float64{1, 2, 3}, 3)), "TensorConstant{[1.0 2.0 3.0]}"},
		{constant(tensor.From([]int64{1, 2, 3, 4}, 2, 2)), "TensorConstant{(2, 2) of [1 2 3 4]}"},
		{constant(tensor.From(many, 100)), "TensorConstant{[0 1 2 ... 97 98 99]}"},
		{constant(tensor.New(kernels.Float32, 1000, 784)), "TensorConstant{(1000, 784) of float32}"},
	} {
		got := profiler.ApplyText(&graph.Apply{Op: op.Exp, Inputs: []*graph.Variable{c.in}})
		if want := "Elemwise{exp,no_inplace}(" + c.want + ")"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestOrigin: nodes know the user's line, what they were made for, and the lines that were fused
// into them.
func TestOrigin(t *testing.T) {
	p := profilertest.Program(t, profilertest.ThreeNodes, "C")
	fused := p.Nodes[2].Apply.Outputs[0]
	fused.Origin = &graph.Origin{Frames: fused.Origin.Frames, Role: graph.RoleGradient,
		Parts: []graph.Part{{Origin: p.Nodes[0].Apply.Origin(), Op: "add", Work: kernels.AnyISA(2)}, {Origin: p.Nodes[1].Apply.Origin(), Op: "add", Work: kernels.AnyISA(1)},
			{Origin: p.Nodes[1].Apply.Origin(), Op: "add", Work: kernels.AnyISA(1)}}}
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	profilertest.Play(s.Add(profiler.FunctionInfo{Program: p}), 70, 10, 20, 30)
	n := s.Functions[0].Nodes[2]
	if n.Origin.String() != "net.star:6:9" || n.Origin.Role != "gradient" {
		t.Errorf("got %+v", n.Origin)
	}
	var parts []string
	for p := range n.Shares() {
		parts = append(parts, fmt.Sprintf("%v %s %g", p.Origin, p.Op, p.Share))
	}
	if got := strings.Join(parts, ", "); got != "net.star:5:9 add 0.5, net.star:5:13 add 0.5" {
		t.Errorf("got shares %s", got)
	}
	lines := s.Clone().Rows(profiler.ByLine)
	if len(lines) != 2 || lines[0].Name != "net.star:5" && lines[0].Name != "net.star:6" || lines[0].Applies+lines[1].Applies != 3 {
		t.Errorf("got %+v, want two lines", lines)
	}
	if h := panel.HTML([]*profiler.Stats{s}, panel.Options{}); !strings.Contains(h, "net.star:6 gradient") {
		t.Error("the panel does not say that a node belongs to the gradient")
	}
	profilertest.RoundTrip(t, s)
}
