package debugmode_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

func run(t *testing.T, h *debugmode.History, options debugmode.Options, args ...*tensor.Dense) (string, *debugmode.Error) {
	t.Helper()
	var warned strings.Builder
	c, err := debugmode.NewChecker(options, h, exec.Options{Sets: kernels.Sets{kernels.GoSet, kernels.GoSet}}, func(text string) { warned.WriteString(text + "\n") })
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

// TestPartialChecks: with the checks of the linker c&go an operation in C that differs is found and
// a wrong rule is not; with those of SANITY_CHECK both are. Neither minds what is not finite.
func TestPartialChecks(t *testing.T) {
	x := tensor.From([]float64{0.5, -1, 2, 0, 0.25, 1.5, -0.5, 3, 1, 2, 0.75, 1}, 3, 4)
	b := tensor.From([]float64{1, 2, 3, 4}, 1, 4)
	for _, rewrites := range []bool{false, true} {
		o := debugmode.Options{Patience: 1, CheckC: true, CheckGo: true, CheckRewrites: rewrites}
		if _, err := check(t, planted("wrong_c"), o); err == nil || err.Kind != debugmode.BadThunkOutput {
			t.Errorf("rewrites %v: got %v of a wrong operation in C", rewrites, err)
		}
		if _, err := check(t, planted("infinite"), o); err != nil {
			t.Errorf("rewrites %v: got %v of what is not finite", rewrites, err)
		}
		_, err := run(t, rewritten(t, program, "local_wrong: x * x => x + x"), o, x, b)
		if rewrites != (err != nil && err.Kind == debugmode.BadOptimization) || !rewrites && err != nil {
			t.Errorf("rewrites %v: got %v of a wrong rule", rewrites, err)
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
