package rewrite

import (
	"errors"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

const twoLogs = "func(x float64[?])\n\tv1 = exp x\t# a.star:1:3\n\tv2 = log v1\t# a.star:2:4\n\tv3 = log v2\t# a.star:3:5\n\treturn v3\n"

// TestProgramRule: what a function makes has the place of what it replaces, and the other rules are
// applied to it.
func TestProgramRule(t *testing.T) {
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "rule.star", Line: 9, Col: 1})}
	rule := NewRule("by_program", "rule.star:8", []graph.Op{op.Log}, nil, func(_ *Context, node *graph.Apply) (*graph.Variable, error) {
		if x := node.Inputs[0]; x.Owner != nil && x.Owner.Op == op.Exp {
			return b.Apply(op.Abs, b.Apply(op.Abs, x.Owner.Inputs[0])), nil
		}
		return nil, nil
	})
	text, err := ParseRule("idempotent: abs(abs(x)) => abs(x)", "")
	if err != nil {
		t.Fatal(err)
	}
	p := &PassProfile{}
	fg, err := FixedPoint(mustParse(t, twoLogs), append(text, rule), p)
	if err != nil {
		t.Fatal(err)
	}
	want := "func(x float64[?])\n\tv1 = abs x\t# a.star:2:4\n\tv2 = log v1\t# a.star:3:5\n\treturn v2\n"
	if got := fg.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNamedRoots: a rule may ask for operations by name, whatever their parameters.
func TestNamedRoots(t *testing.T) {
	for names, want := range map[string]int{"sum": 1, "": 3, "prod": 0} {
		asked := make(map[*graph.Apply]bool)
		rule := NewRule("r", "", nil, strings.Fields(names), func(_ *Context, node *graph.Apply) (*graph.Variable, error) {
			asked[node] = true
			return nil, nil
		})
		fg := mustParse(t, "func(x float64[?,?])\n\tv1 = exp x\n\tv2 = sum{axes=0} v1\n\tv3 = log v2\n\treturn v3\n")
		if _, err := FixedPoint(fg, []*Rule{rule}, &PassProfile{}); err != nil || len(asked) != want {
			t.Errorf("%q: asked of %d nodes, %v, want %d", names, len(asked), err, want)
		}
	}
}

// TestProgramRuleErrors: replacements that do not fit, and errors of the function, end the pass, or
// are told of once.
func TestProgramRuleErrors(t *testing.T) {
	b := &graph.Builder{}
	stranger := graph.NewInput("y", graph.AnyShape(kernels.Float64, 1), nil)
	for want, replace := range map[string]func(_ *Context, node *graph.Apply) (*graph.Variable, error){
		"r (In[1]:2) on log(exp(...)) (a.star:2): out of ideas": func(*Context, *graph.Apply) (*graph.Variable, error) { return nil, errors.New("out of ideas") },
		`the replacement of the result of log (float64[?]) is the result of cast_float32 (float32[?]), want the element type float64; convert it with .astype("float64")`: func(_ *Context, n *graph.Apply) (*graph.Variable, error) {
			return b.Apply(op.Cast(kernels.Float32), n.Inputs[0]), nil
		},
		"which has another shape": func(_ *Context, n *graph.Apply) (*graph.Variable, error) {
			return b.Like(n.Inputs[0], 1), nil
		},
		"is computed from it": func(_ *Context, n *graph.Apply) (*graph.Variable, error) {
			return b.Apply(op.Abs, n.Outputs[0]), nil
		},
		"the replacement of the result of log (float64[?]) is y (float64[?]), which is no input of the function": func(*Context, *graph.Apply) (*graph.Variable, error) {
			return stranger, nil
		},
		"is computed from y (float64[?]), which is no input of the function": func(*Context, *graph.Apply) (*graph.Variable, error) {
			return b.Apply(op.Abs, stranger), nil
		},
	} {
		rule := NewRule("r", "In[1]:2", []graph.Op{op.Log}, nil, replace)
		_, err := FixedPoint(mustParse(t, twoLogs), []*Rule{rule}, &PassProfile{})
		var found *RuleError
		if !errors.As(err, &found) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		told := 0
		p := &PassProfile{OnError: func(error) error { told++; return nil }}
		if fg, err := FixedPoint(mustParse(t, twoLogs), []*Rule{rule}, p); err != nil || told != 1 || len(fg.Toposort()) != 3 {
			t.Errorf("%s: told %d times, %v", want, told, err)
		}
	}
}

// TestConstrain: a part of a pattern has to fulfil what a function says.
func TestConstrain(t *testing.T) {
	for part, want := range []string{"log(exp(...))", "exp(x)", "x"} {
		rules, err := ParseRule("r: log(exp(x)) => x", "")
		if err != nil {
			t.Fatal(err)
		}
		var asked string
		rules[0].Constrain(part, func(v *graph.Variable) (bool, error) {
			if asked = graph.NameOf(v); v.Owner != nil {
				asked = v.Owner.String()
			}
			return false, nil
		})
		p := &PassProfile{}
		if _, err := FixedPoint(mustParse(t, twoLogs), rules, p); err != nil || p.Changes > 0 || asked == "" {
			t.Errorf("part %d: %v, %d changes, asked of %s, want %s", part, err, p.Changes, asked, want)
		}
		if asked != want {
			t.Errorf("part %d: asked of %s, want %s", part, asked, want)
		}
	}
}
