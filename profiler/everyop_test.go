package profiler_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// operandsOf draws values for a case, those that it leaves open.
func operandsOf(r *rand.Rand, c optest.Case) []*tensor.Dense {
	var list []*tensor.Dense
	for _, o := range c.In {
		v := o.Value
		if v == nil {
			v = o.Sample(r, o.Type.Dims()...)
		}
		list = append(list, v)
	}
	return list
}

// TestEveryOperation profiles calls of each operation that there is: none is without its work, its
// place under the roof, and its line in the price per line. Only views, and what has no elements,
// have nothing to do.
func TestEveryOperation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, o := range op.Structurals() {
		ran := 0
		for _, c := range optest.Cases(o) {
			if profiled(t, c.String(), c.Op, operandsOf(r, c)) {
				ran++
			}
		}
		if ran == 0 {
			t.Errorf("%s: no case of it ran", graph.BaseName(o))
		}
	}
	for e := range op.Rows {
		ran := 0
		for _, d := range kernels.DTypes() {
			values := make([]*tensor.Dense, len(strings.Split(e.Row().Args, ", ")))
			for i := range values {
				values[i] = optest.Sample(r, d, 3, 4)
			}
			if profiled(t, e.Name()+" of "+d.String(), e, values) {
				ran++
			}
		}
		if ran == 0 {
			t.Errorf("%s: takes no element type", e.Name())
		}
	}
}

// profiled calls o, which one line made, and checks what the profile tells of it. It reports
// whether o takes these operands.
func profiled(t *testing.T, name string, o graph.Op, values []*tensor.Dense) bool {
	t.Helper()
	const file, line = "f.star", 7
	in, empty := make([]*graph.Variable, len(values)), false
	for i, v := range values {
		in[i] = graph.NewInput(fmt.Sprint("x", i), graph.TypeOfValue(v), nil)
		empty = empty || v.Size() == 0
	}
	b := &graph.Builder{Origin: &graph.Origin{Frames: []graph.Frame{{File: file, Line: line, Col: 1}}}}
	out, err := b.Make(o, in...)
	if err != nil {
		return false
	}
	p, err := exec.Link(&graph.FunctionGraph{Name: "f", Inputs: in, Outputs: out}, exec.Options{Sets: kernels.Sets{kernels.GoSet}}, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	s := profiler.NewStats(profiler.Options{Name: "every"})
	s.SetMachine(profilertest.Nested().Machine)
	recorder := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	start := s.Now()
	results, err := p.Run(values, nil, recorder.Tracer())
	recorder.Call(s.Now()-start, err)
	if err != nil { // what some cases are there for
		return false
	}
	for _, z := range results {
		empty = empty || z.Size() == 0
	}
	s = s.Clone() // with what the recorder holds
	for _, n := range s.Functions[0].Nodes {
		if n.Counted != 1 {
			t.Errorf("%s: %s: its work is not known", name, n.Text)
			continue
		}
		_, ok := s.Bound(n)
		if moves := n.BytesRead+n.BytesWritten > 0; !empty && (!ok && len(n.Views) == 0 || ok && !moves) {
			t.Errorf("%s: %s: got %g flops, %g bytes read and %g written, want its place under the roof", name, n.Text, n.Flops, n.BytesRead, n.BytesWritten)
		}
	}
	found := false
	for _, row := range s.Lines(false) {
		found = found || row.File == file && row.Line == line
	}
	if !found {
		t.Errorf("%s: its line is not in the price per line", name)
	}
	return true
}
