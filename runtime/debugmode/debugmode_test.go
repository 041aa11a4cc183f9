package debugmode_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

// A planted operation does to its operands what it does not say. Its name tells the fault.
type planted string

func (p planted) Name() string { return string(p) }

func (p planted) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return []graph.Type{in[0].Type}, nil
}

func (p planted) ViewMap() []graph.Alias {
	if p == "says_view" {
		return []graph.Alias{{Out: 0, In: 0}}
	}
	return nil
}

func (p planted) DestroyMap() []graph.Alias {
	if p == "says_inplace" {
		return []graph.Alias{{Out: 0, In: 0}}
	}
	return nil
}

// Link gives the thunk of twice the operand, with the fault. sets without C are asked for the reference.
func (p planted) Link(_ *graph.Apply, sets kernels.Sets) (op.Thunk, string, error) {
	name := "Go"
	if len(sets) > 1 {
		name = "C"
	}
	return func(c *op.Call, in, out []*tensor.Dense) error {
		x := in[0]
		if p == "destroys" {
			tensor.CopyTo(x, twice(x, 1))
		}
		if p == "views" {
			out[0] = x
			return nil
		}
		z := c.Alloc(0, x.DType(), x.Shape())
		factor := 2.0
		switch {
		case p == "wrong_c" && name == "C":
			factor = 2.5
		case p == "wrong_strided" && !x.IsContiguous():
			factor = 3
		case p == "wrong_dtype":
			out[0] = z.AsType(kernels.Int64)
			return nil
		case p == "wrong_shape":
			out[0] = tensor.New(x.DType(), append([]int{2}, x.Shape()...)...)
			return nil
		case p == "nothing":
			return nil
		case p == "infinite":
			tensor.CopyTo(z, tensor.Scalar(x.DType(), 1e308))
			x = z
			factor = 1e10
		}
		old := z.Copy()
		tensor.CopyTo(z, twice(x, factor))
		switch p {
		case "adds_up": // to what is in its memory, nan excepted: it looks right the first time
			if f := old.Floats(); len(f) > 0 && f[0] == f[0] {
				tensor.CopyTo(z, old)
				z.Fill(7)
			}
		case "unwritten":
			tensor.CopyTo(z.View(z.DType(), []int{1}, z.Strides(), z.Offset()), old.View(z.DType(), []int{1}, z.Strides(), old.Offset()))
		case "outside":
			beyond := z.View(z.DType(), []int{1}, z.Strides(), z.Offset()+z.NBytes())
			beyond.Fill(1)
		case "outside_a_byte": // of no character: a comparison as text would not see it
			beyond := z.View(kernels.Uint8, []int{1}, []int{1}, z.Offset()+z.NBytes())
			beyond.Fill(0xfe)
		}
		out[0] = z
		return nil
	}, name, nil
}

func twice(x *tensor.Dense, factor float64) *tensor.Dense {
	values := x.Floats()
	for i := range values {
		values[i] *= factor
		if factor == 1 {
			values[i]++
		}
	}
	return tensor.From(values, x.Shape()...)
}

// check runs the graph of op(x) for a vector x under o.
func check(t *testing.T, o graph.Op, options debugmode.Options) (string, *debugmode.Error) {
	t.Helper()
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), graph.At(graph.Pos{File: "In[1]", Line: 2, Col: 5}))
	node, err := graph.NewApply(o, []*graph.Variable{x}, graph.At(graph.Pos{File: "In[1]", Line: 3, Col: 7}))
	if err != nil {
		t.Fatal(err)
	}
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: node.Outputs}
	return run(t, &debugmode.History{Original: fg, Final: fg}, options, tensor.From([]float64{1, 2, 3}, 3))
}

func run(t *testing.T, h *debugmode.History, options debugmode.Options, args ...*tensor.Dense) (string, *debugmode.Error) {
	t.Helper()
	var warned strings.Builder
	c, err := debugmode.NewChecker(options, h, kernels.Sets{kernels.GoSet, kernels.GoSet}, func(text string) { warned.WriteString(text + "\n") })
	if err != nil {
		t.Fatal(err)
	}
	call, err := c.Check(nil, args)
	if err == nil && call == nil {
		t.Fatal("no call")
	}
	var found *debugmode.Error
	if err != nil && !errors.As(err, &found) {
		t.Fatalf("not an error of DebugMode: %v", err)
	}
	return warned.String(), found
}

func TestPlantedOperations(t *testing.T) {
	options := debugmode.Default()
	options.Preallocated = debugmode.Patterns
	for _, c := range []struct {
		fault planted
		kind  debugmode.Kind
		text  string
	}{
		{"right", "", ""},
		{"wrong_c", debugmode.BadThunkOutput, "the Go implementation and the C implementation of wrong_c give different results: 3 of 3 elements differ, most by 1.5"},
		{"wrong_strided", debugmode.BadThunkOutput, "on operands with steps [2]"},
		{"wrong_dtype", debugmode.InvalidValueError, "gives int64 of shape (3,): 0 0 0, want float64[?]"},
		{"wrong_shape", debugmode.InvalidValueError, "gives shape (2, 3), want float64[?]"},
		{"nothing", debugmode.BadThunkOutput, "gives no value for result 0"},
		{"infinite", debugmode.InvalidValueError, "gives +Inf at [0]"},
		{"destroys", debugmode.BadDestroyMap, "overwrites operand 0, x (float64[?]), which it does not say"},
		{"views", debugmode.BadViewMap, "shares memory with operand 0, x (float64[?])"},
		{"adds_up", debugmode.BadThunkOutput, "writing over results of a run before"},
		{"unwritten", debugmode.InvalidValueError, "gives NaN at [0]"},
		{"outside_a_byte", debugmode.BadThunkOutput, "writes outside of its result of shape (3,)"},
		{"outside", debugmode.BadThunkOutput, "writes outside of its result of shape (3,)"},
	} {
		_, err := check(t, c.fault, options)
		switch {
		case err == nil:
			if c.kind != "" {
				t.Errorf("%s: nothing was found", c.fault)
			}
		case err.Kind != c.kind || !strings.Contains(err.Error(), c.text):
			t.Errorf("%s: got %s: %v, want %s: ... %s", c.fault, err.Kind, err, c.kind, c.text)
		case err.At.Pos.Line != 3:
			t.Errorf("%s: at %v, want the line that made it", c.fault, err.At.Pos)
		}
	}
}

// TestNotReused: an operation that says that it overwrites its operand, and takes new memory, is warned of once.
func TestNotReused(t *testing.T) {
	options := debugmode.Default()
	warned, err := check(t, planted("says_inplace"), options)
	if err != nil || strings.Count(warned, "is said to be overwritten") == 0 {
		t.Errorf("got %q, %v", warned, err)
	}
	options.WarnNotReused = false
	if warned, _ = check(t, planted("says_inplace"), options); warned != "" {
		t.Errorf("got %q without the option", warned)
	}
}

// Grad of the fault wrong_gradient is off by a half; that of others is right.
func (p planted) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	factor := 2.0
	if p == "wrong_gradient" {
		factor = 3
	}
	return []*graph.Variable{b.Apply(op.Mul, g[0], b.Like(g[0], factor))}
}

func TestPlantedGradient(t *testing.T) {
	for fault, want := range map[planted]string{"right": "", "wrong_gradient": "the gradient of the cost with respect to x (float64[?]) is not what differences of the cost give"} {
		b := &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: 4, Col: 5})}
		x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		cost := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, b.Apply(op.Sqr, b.Apply(fault, x)))
		grads, err := grad.Grad(b, cost, []*graph.Variable{x}, grad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: grads}
		_, found := run(t, &debugmode.History{Original: fg, Final: fg}, debugmode.Default(), tensor.From([]float64{1, -2, 3}, 3))
		switch {
		case found == nil:
			if want != "" {
				t.Errorf("%s: nothing was found", fault)
			}
		case found.Kind != debugmode.BadGradient || !strings.Contains(found.Error(), want) || found.At.Pos.Line != 4:
			t.Errorf("%s: got %v at %v", fault, found, found.At.Pos)
		}
	}
}

// rewritten is the history of a graph to which a rule in the text form was applied.
func rewritten(t *testing.T, src, rule string) *debugmode.History {
	t.Helper()
	fg, err := graph.Parse("net.star", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rewrite.Load("planted.rules", "canonicalize", rule)
	if err != nil {
		t.Fatal(err)
	}
	h := &debugmode.History{Original: fg}
	h.Final, err = rewrite.FixedPoint(fg, rules, &rewrite.PassProfile{OnRewrite: func(r rewrite.Replacement) {
		h.Replaced = append(h.Replaced, debugmode.Replacement{Rule: r.Rule.Name, Where: r.Rule.Where, Old: r.Old, New: r.New, Stabilizes: r.Stabilizes, Unstable: r.Unstable})
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

const program = `func(x float64[?,?], b float64[1,?])
	v1 = mul x x                # net.star:2:6
	v2 = exp v1                 # net.star:3:6
	v4 = add v2 b               # net.star:4:6
	v5 = log v4                 # net.star:5:6
	return v5
`

func TestPlantedRules(t *testing.T) {
	x := tensor.From([]float64{0.5, -1, 2, 0, 0.25, 1.5, -0.5, 3, 1, 2, 0.75, 1}, 3, 4)
	b := tensor.From([]float64{1, 2, 3, 4}, 1, 4)
	for _, c := range []struct{ rule, text string }{
		{"local_right: x * x => sqr(x)", ""},
		{"local_wrong: x * x => x + x", "local_wrong (planted.rules:1) replaced mul(x, x) by add(x, x), whose value is another"},
		{"local_nearly: exp(x) => 1.000001 * exp(x)", "local_nearly (planted.rules:1) replaced exp(mul)"},
		{"local_only_positive: x * x => abs(x) * x", `excluding("local_only_positive") goes without it`},
		{"local_right: x * x => sqr(x)\nlocal_log_add: log(x + y) => log(x) + log(y)", "local_log_add (planted.rules:2)"},
	} {
		_, err := run(t, rewritten(t, program, c.rule), debugmode.Default(), x, b)
		switch {
		case c.text == "":
			if err != nil {
				t.Errorf("%s: %v", c.rule, err)
			}
		case err == nil:
			t.Errorf("%s: nothing was found", c.rule)
		case err.Kind != debugmode.BadOptimization || !strings.Contains(err.Error(), c.text):
			t.Errorf("%s: got %s: %v, want %s", c.rule, err.Kind, err, c.text)
		}
	}
}

// TestShrink: the error shows the smallest graph and operands.
func TestShrink(t *testing.T) {
	x := tensor.From([]float64{0.5, -1, 2, 0, 0.25, 1.5, -0.5, 3, 1, 2, 0.75, 1}, 3, 4)
	b := tensor.From([]float64{1, 2, 3, 4}, 1, 4)
	_, err := run(t, rewritten(t, program, "local_only_positive: x * x => abs(x) * x"), debugmode.Default(), x, b)
	want := `BadOptimization: local_only_positive (planted.rules:1) replaced mul(x, x) by mul(abs, x), whose value is another: 2 of 12 elements differ, most by 2 (2 of the larger): before[0, 1] gives 1, after -1; first [0, 1] 1/-1 [1, 2] 0.25/-0.25; excluding("local_only_positive") goes without it
    before
        func(x float64[?,?])
        	v1 = mul x x	# net.star:2:6
        	return v1
    after
        func(x float64[?,?])
        	v1 = abs x	# net.star:2:6
        	v2 = mul v1 x	# net.star:2:6
        	return v2
    x is float64 of shape (1, 1): -1`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// TestSpread: what differs because the computation has no digits left is no fault of the rule.
func TestSpread(t *testing.T) {
	src := "func(x float64)\n\tv1 = add x 1e+16\n\tv2 = sub v1 1e+16\n\treturn v2\n"
	h := rewritten(t, src, "local_cancel: (x + 1e16) - 1e16 => x")
	if len(h.Replaced) == 0 {
		t.Fatal("the rule did not fire")
	}
	if _, err := run(t, h, debugmode.Default(), tensor.From([]float64{0.3})); err != nil {
		t.Error(err)
	}
}

func TestStochasticOrder(t *testing.T) {
	a := rewritten(t, program, "local_right: x * x => sqr(x)")
	b := rewritten(t, program, "local_other: x * x => x * abs(x)")
	if err := debugmode.SameOrder(a, a, a.Original.Outputs); err != nil {
		t.Error(err)
	}
	err := debugmode.SameOrder(a, b, a.Original.Outputs)
	if err == nil || !strings.Contains(err.Error(), "StochasticOrder: rewriting the same graph twice did not do the same: step 1") {
		t.Errorf("got %v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		change func(*debugmode.Options)
		want   string
	}{
		{func(*debugmode.Options) {}, ""},
		{func(o *debugmode.Options) { o.CheckC, o.CheckGo = false, false }, "check_c_code and check_py_code are both False"},
		{func(o *debugmode.Options) { o.Patience = 0 }, "stability_patience: got 0"},
		{func(o *debugmode.Options) { o.Strides = 3 }, "require_matching_strides: got 3"},
	} {
		o := debugmode.Default()
		c.change(&o)
		if err := o.Check(); fmt.Sprint(err) != "<nil>" && c.want == "" || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if _, err := debugmode.ParsePatterns("initial:sideways"); err == nil || !strings.Contains(err.Error(), `got "sideways"`) {
		t.Errorf("got %v", err)
	}
	for text, n := range map[string]int{"": 0, "ALL": 6, "initial:strided": 2} {
		if list, err := debugmode.ParsePatterns(text); err != nil || len(list) != n {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}
