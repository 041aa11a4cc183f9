package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// TestValue is the value that v has while the graph is built; nil if it has none.
func TestValue(v *graph.Variable) *tensor.Dense {
	switch {
	case v.Data != nil:
		return v.Data
	case v.Shared != nil:
		return v.Shared.Get()
	}
	if t, ok := v.Tag().(*Tag); ok {
		return t.Test
	}
	return nil
}

// compute gives the results of a node test values, if its operands have some. policy is what
// config.compute_test_value says of one that has none.
func (s *Session) compute(node *graph.Apply, policy string) error {
	in := make([]*tensor.Dense, len(node.Inputs))
	for i, v := range node.Inputs {
		if in[i] = TestValue(v); in[i] != nil {
			continue
		}
		missing := fmt.Sprintf("input %d (%s) of %s has no test value", i, Symbol{s, v}, expressionText(s, node.Outputs[0]))
		switch policy {
		case "raise":
			way := `; set config.compute_test_value = "ignore" to go without it`
			if v.IsInput() {
				way = `; assign x.tag.test_value, or set config.compute_test_value = "ignore"`
			}
			return &graph.Error{Pos: node.Origin().Pos(), Op: "compute_test_value", Msg: missing + way,
				Notes: []graph.Note{{Pos: v.Origin.Pos(), Msg: graph.Describe(v)}}}
		case "warn":
			s.warnAt(node.Origin(), "compute_test_value: "+missing)
		}
		return nil
	}
	linker := "c|go"
	if strings.HasPrefix(s.Config().String("linker"), "go") {
		linker = "go"
	}
	sets, err := exec.Sets(linker)
	if err != nil {
		return err
	}
	out, err := op.Run(node, sets, op.Call{Stop: s.Stop(), Print: s.printed}, in)
	if err != nil {
		return op.Located(node, err, in, ", its test value has shape ")
	}
	for i, v := range node.Outputs {
		a := out[i]
		if len(graph.Views(node.Op)) > 0 { // of a value that may change
			a = a.Copy()
		}
		TagOf(Symbol{s, v}).Test = a
	}
	return nil
}

// warnAt writes a warning with the line that it is about.
func (s *Session) warnAt(o *graph.Origin, text string) {
	if pos := o.Pos(); pos.IsValid() {
		text = pos.String() + ": " + text
	}
	s.Output().Stream("stderr", "warning: "+text+"\n")
}

// making is what the flags want of variables that are made, as they were when they had been edited
// so often. Every operation asks.
type making struct {
	edits    int
	Node     func(*graph.Apply) error // nil if nothing
	float64s string                   // warn_float64
}

// Made is what the flags want now.
func (s *Session) Made() *making {
	if edits := s.Config().Edits() + 1; s.making.edits != edits {
		s.making = making{edits, s.watchMade(), s.Config().String("warn_float64")}
	}
	return &s.making
}

// watchMade is what the flags want to know of each node that is made; nil if nothing.
func (s *Session) watchMade() func(*graph.Apply) error {
	policy, float64s := s.Config().String("compute_test_value"), s.Config().String("warn_float64")
	if policy == "off" && float64s == "ignore" {
		return nil
	}
	return func(node *graph.Apply) error {
		if float64s != "ignore" && !anyFloat64(node.Inputs) { // else it was told before
			for _, v := range node.Outputs {
				if err := s.float64Made(v); err != nil {
					return err
				}
			}
		}
		if policy == "off" {
			return nil
		}
		return s.compute(node, policy)
	}
}

func anyFloat64(vs []*graph.Variable) bool {
	for _, v := range vs {
		if v.Type.DType == kernels.Float64 {
			return true
		}
	}
	return false
}

// leaf is the symbol of a variable that nothing computes.
func (s *Session) leaf(v *graph.Variable) (starlark.Value, error) {
	if err := s.float64Made(v); err != nil {
		return nil, err
	}
	return Symbol{s, v}, nil
}

// float64Made does what config.warn_float64 says of a new variable that is not computed of a
// float64.
func (s *Session) float64Made(v *graph.Variable) error {
	policy := s.Made().float64s
	if v.Type.DType != kernels.Float64 || policy == "ignore" {
		return nil
	}
	text := "a float64 variable: " + graph.NameOf(v) + `; give it a dtype, or set config.floatX = "float32"`
	if policy == "warn" {
		s.warnAt(v.Origin, "warn_float64: "+text)
		return nil
	}
	return &graph.Error{Pos: v.Origin.Pos(), Op: "warn_float64", Msg: "got " + text}
}

type testValueArgs struct {
	V starlark.Value `arg:"v: a symbolic variable; anything else becomes a constant"`
}

// TestValueTable is the functions of test values.
var TestValueTable = []value.Builtin{
	value.Function("get_test_value", "The value that a variable has while the graph is built: its tag's test_value, or that of a constant or a shared variable.",
		`theano.gof.op.get_test_value(shared(1.5)) # 1.5`,
		func(thread *starlark.Thread, a *testValueArgs) (starlark.Value, error) {
			s := SessionOf(thread)
			v, err := s.Variable(s.Builder(thread), a.V, nil)
			if err != nil {
				return nil, fmt.Errorf("get_test_value: %w", err)
			}
			if x := TestValue(v); x != nil {
				return np.FromDenseIn(s, x.Copy()), nil
			}
			return nil, fmt.Errorf("get_test_value: %s has no test value; assign one: x.tag.test_value = v", graph.Mention(v))
		}),
}
