package debugmode_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A particular operation is wrong in one way of running only: as Go or C, on operands that lie in a
// certain way, in memory that held certain values.
type particular struct {
	planted
	runs *int // so far
}

func (p particular) Link(_ *graph.Apply, sets kernels.Sets) (op.Thunk, string, error) {
	name := "Go"
	if len(sets) > 1 {
		name = "C"
	}
	return func(c *op.Call, in, out []*tensor.Dense) error {
		x := in[0]
		z := c.Alloc(0, x.DType(), x.Shape())
		*p.runs++
		steps := make([]int, x.Rank())
		for axis, s := range tensor.CStrides(x.Shape(), 8) {
			steps[axis] = x.Strides()[axis] / s
		}
		old, wrong := z.Floats()[0], false
		switch p.planted {
		case "in_go":
			wrong = name == "Go"
		case "in_c":
			wrong = name == "C"
		case "again": // every run is right the first time
			wrong = *p.runs == 2 && z.Offset() != 0 // within guards
		case "over_previous":
			wrong = old == x.Floats()[0]
		case "over_another":
			wrong = old == 1
		case "f_order":
			wrong = !x.IsContiguous() && x.Transpose().IsContiguous()
		case "c_order":
			wrong = x.IsContiguous()
		case "steps_of_rows":
			wrong = steps[0] == -1 && steps[1] == 1
		}
		tensor.CopyTo(z, x)
		out[0] = z
		switch {
		case p.planted == "slightly" && name == "C":
			tensor.CopyTo(z, tensor.From([]float64{2.000001, 3, 4, 5, 6, 7}, 2, 3))
		case p.planted == "other_strides" && name == "C":
			out[0] = z.Transpose().Copy().Transpose()
		case wrong:
			z.Fill(-1)
		}
		return nil
	}, name, nil
}

// TestEachOption: each option decides whether a fault is found that no other finds.
func TestEachOption(t *testing.T) {
	pattern := func(p debugmode.Pattern) func(*debugmode.Options) {
		return func(o *debugmode.Options) { o.Preallocated = append(o.Preallocated, p) }
	}
	both := func(*debugmode.Options) {}
	for _, c := range []struct {
		name     string
		fault    planted
		off, on  func(*debugmode.Options) // not found with off, and with on
		kind     debugmode.Kind
		text     string
		inverted bool // operands in F order
	}{
		{"check_c_code", "in_c", func(o *debugmode.Options) { o.CheckC = false }, both, debugmode.BadThunkOutput, "the Go implementation and the C implementation of in_c give different results", false},
		{"check_py_code", "in_go", func(o *debugmode.Options) { o.CheckGo = false }, both, debugmode.BadThunkOutput, "the Go implementation and the C implementation of in_go give different results", false},
		{"initial", "again", func(o *debugmode.Options) { o.CheckC = false }, func(o *debugmode.Options) { o.CheckC, o.Preallocated = false, []debugmode.Pattern{debugmode.Initial} },
			debugmode.BadThunkOutput, "the Go implementation and the Go implementation of again give different results", false},
		{"previous", "over_previous", both, pattern(debugmode.Previous), debugmode.BadThunkOutput, "writing over results of a run before, of over_previous", false},
		{"wrong_size", "over_another", both, pattern(debugmode.WrongSize), debugmode.BadThunkOutput, "writing into memory of another value, of over_another", false},
		{"c_contiguous", "c_order", both, pattern(debugmode.CContiguous), debugmode.BadThunkOutput, "on operands in C order of c_order", true},
		{"f_contiguous", "f_order", both, pattern(debugmode.FContiguous), debugmode.BadThunkOutput, "on operands in F order of f_order", false},
		{"strided", "steps_of_rows", both, pattern(debugmode.Strided), debugmode.BadThunkOutput, "on operands with steps [-1 1] of steps_of_rows", false},
		{"check_preallocated_output_ndim", "steps_of_rows", func(o *debugmode.Options) { o.Preallocated, o.Ndim = debugmode.Patterns, 1 },
			func(o *debugmode.Options) { o.Preallocated, o.Ndim = debugmode.Patterns, 2 }, debugmode.BadThunkOutput, "with steps [-1 1]", false},
		{"require_matching_strides", "other_strides", func(o *debugmode.Options) { o.Strides = 1 }, func(o *debugmode.Options) { o.Strides = 2 },
			debugmode.BadThunkOutput, "results of other_strides lie differently in memory: strides [24 8] by the Go implementation, [8 16] by the C implementation", false},
		{"tolerance", "slightly", func(o *debugmode.Options) { o.Tolerance = map[kernels.DType]float64{kernels.Float64: 1e-3} }, both,
			debugmode.BadThunkOutput, "most by 1e-06", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := tensor.From([]float64{2, 3, 4, 5, 6, 7}, 2, 3)
			if c.inverted {
				x = x.Transpose().Copy().Transpose()
			}
			find := func(change func(*debugmode.Options)) *debugmode.Error {
				o := debugmode.Default()
				change(&o)
				v := graph.NewInput("x", graph.AnyShape(kernels.Float64, 2), nil)
				b := &graph.Builder{}
				_, err := call(t, compile.Spec{Inputs: []*graph.Variable{v}, Outputs: []*graph.Variable{b.Apply(particular{c.fault, new(int)}, v)}}, o, x)
				return err
			}
			if err := find(c.off); err != nil {
				t.Errorf("without: %v", err)
			}
			if err := find(c.on); err == nil || err.Kind != c.kind || !strings.Contains(err.Error(), c.text) {
				t.Errorf("got %v, want %s: %s", err, c.kind, c.text)
			}
		})
	}
}

// TestStridesWarning: with 1 results that lie differently are warned of, with 0 nothing is said.
func TestStridesWarning(t *testing.T) {
	for level, want := range []string{"", "DebugMode: results of other_strides lie differently in memory"} {
		o := debugmode.Default()
		o.Strides = level
		v := graph.NewInput("x", graph.AnyShape(kernels.Float64, 2), nil)
		b := &graph.Builder{}
		warned, err := call(t, compile.Spec{Inputs: []*graph.Variable{v}, Outputs: []*graph.Variable{b.Apply(particular{"other_strides", new(int)}, v)}}, o,
			tensor.From([]float64{2, 3, 4, 5, 6, 7}, 2, 3))
		if err != nil || !strings.HasPrefix(warned, want) || want == "" && warned != "" {
			t.Errorf("%d: got %q, %v; want %q", level, warned, err, want)
		}
	}
}

// TestPatience: what the rewriting does differently the fifth time is found by five repetitions and
// not by four.
func TestPatience(t *testing.T) {
	for patience, want := range map[int]bool{4: false, 5: true} {
		o := debugmode.Default()
		o.Patience = patience
		x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		b := &graph.Builder{}
		_, err := call(t, compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(op.Abs, b.Apply(liar{"wavers_later", new(int)}, x))},
			Mode: compile.Mode{Optimizer: "fast_run"}}, o, tensor.From([]float64{1, 2, 3}, 3))
		if found := err != nil && err.Kind == debugmode.StochasticOrder; found != want {
			t.Errorf("%d: got %v", patience, err)
		}
	}
}

// TestCheckFinite and the gradient's check are switched off by their options.
func TestChecksOff(t *testing.T) {
	o := debugmode.Default()
	o.CheckFinite = false
	if _, err := check(t, planted("infinite"), o); err != nil {
		t.Errorf("check_isfinite=False: %v", err)
	}
	o = debugmode.Default()
	o.CheckGradient = false
	if err := plantedGradient(t, "wrong_gradient", o); err != nil {
		t.Errorf("check_gradient=False: %v", err)
	}
}

// TestPlantedConstant: a function must leave its constants as they are, too.
func TestPlantedConstant(t *testing.T) {
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	b := &graph.Builder{}
	c := b.Constant(tensor.From([]float64{1, 2, 3}, 3))
	kept := &[]*tensor.Dense{c.Data}
	_, err := call(t, compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(op.Add, b.Apply(spy{"destroys_in_run", kept}, x), c)}},
		debugmode.Default(), tensor.From([]float64{1, 2, 3}, 3))
	if err == nil || err.Kind != debugmode.BadDestroyMap || !strings.Contains(err.Error(), "the function overwrites the constant float64[3](1 2 3)") {
		t.Errorf("got %v", err)
	}
}
