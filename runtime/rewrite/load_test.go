package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
)

func TestLoadErrors(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"r: log(1 + exp(x)) => softplu(x)", "bad.rules:1: unknown op softplu (did you mean softplus?)"},
		{"r: qwertz(x) => x", "bad.rules:1: unknown op qwertz"},
		{"r: log(x, y) => x", "bad.rules:1: log takes 1 operands, got 2"},
		{"r: log(x) => y", "bad.rules:1: y is not bound by the pattern"},
		{"r: log(x) => x if positiv(x)", "bad.rules:1: unknown predicate positiv (did you mean positive?)"},
		{"r: log(x) => x if positive(y)", "bad.rules:1: y is not bound by the pattern"},
		{"r: log(x) => x if positive()", "bad.rules:1: positive: want variables of the pattern"},
		{"r: log(x) => x if positive(1)", "bad.rules:1: positive: want variables of the pattern"},
		{"r: log(x) => x if float(x) || bool(x)",
			`bad.rules:1: "float(x) || bool(x)": want predicates, each perhaps with !, joined by && only`},
		{"\n\nr: log(x) =>", `bad.rules:3: "": expected operand, found 'EOF'`},
		{"log(x) => x", "bad.rules:1: want name: pattern => replacement"},
		{"r: log(x)", "bad.rules:1: want name: pattern => replacement"},
		{"R: log(x) => x", `bad.rules:1: got rule name "R", want lower-case letters, digits and underscores`},
		{"r [unstable: log(x) => x", "bad.rules:1: want ] after the tags"},
		{"r: x => x", "bad.rules:1: the pattern must be an operation"},
		{"r: log(X) => 1", "bad.rules:1: got X, want a variable that starts with a lower-case letter"},
		{"r: x << y => x", "bad.rules:1: unknown operator <<"},
		{"r: log(\"x\") => 1", `bad.rules:1: got "x", want a number`},
		{"r: sum(x) => x", "bad.rules:1: op sum cannot be in a rule: it has parameters (write a Go rule; in a program, a node_rewriter)"},
		{"r: x[0] => x", "bad.rules:1: want operators, calls, names and numbers"},
		{"r: " + strings.Repeat("log(", 50) + "x" + strings.Repeat(")", 50) + " => x",
			"bad.rules:1: the expression is nested more than 32 deep"},
	} {
		_, err := Load("bad.rules", "canonicalize", test.line)
		if fmt.Sprint(err) != test.want {
			t.Errorf("%s\ngot  %v\nwant %s", test.line, err, test.want)
		}
	}
}

func TestLoad(t *testing.T) {
	rules, err := Load("good.rules", "canonicalize",
		"# nothing\n\nlocal_a [unstable tag]: x + 0 => x if float(x) && !constant(x) # why\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 1 || rules[0].Name != "local_a" || fmt.Sprint(rules[0].Tags) != "[unstable tag]" || rules[0].Where != "good.rules:3" {
		t.Errorf("got %+v", rules)
	}
}

// applyText applies the rules of a text to a graph.
func applyText(t *testing.T, rules, src string) (*graph.FunctionGraph, *PassProfile) {
	t.Helper()
	list, err := Load("test.rules", "canonicalize", rules)
	if err != nil {
		t.Fatal(err)
	}
	p := &PassProfile{}
	fg, err := FixedPoint(mustParse(t, src), list, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := fg.Check(); err != nil {
		t.Error(err)
	}
	return fg, p
}

func TestMatching(t *testing.T) {
	const xy = "func(x float64[?], y float64[?])\n\t"
	for _, test := range []struct {
		name, rule, node string
		applies          bool
	}{
		{"commutes", "r: x + 0 => x", "v1 = add float64[1](0) x", true},
		{"does not commute", "r: x - 0 => x", "v1 = sub float64[1](0) x", false},
		{"literal of another type", "r: x + 0 => x", "v1 = add x int64[1](0)", true},
		{"literal is an array", "r: x + 0 => x", "v1 = add x float64[2](0 0)", true},
		{"array of different values", "r: x + 0 => x", "v1 = add x float64[2](0 1)", false},
		{"repeated variable", "r: x - x => 0", "v1 = sub x x", true},
		{"repeated variable differs", "r: x - x => 0", "v1 = sub x y", false},
		{"equal constants", "r: where(c, x, x) => x", "v1 = switch x float64[1](2) float64[1](2)", true},
		{"the other order satisfies the predicate", "r: x + c => x if constant(c)", "v1 = add float64[1](3) x", true},
		{"predicate fails", "r: x + y => x if constant(y)", "v1 = add x y", false},
		{"contrary", "r: x + y => x if !constant(x)", "v1 = add x y", true},
		{"replacement of another type", "r: x < y => x", "v1 = lt x y", true},
		{"same again", "r: x + y => y + x", "v1 = add x x", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, p := applyText(t, test.rule, xy+test.node+"\n\treturn v1\n")
			if got := p.Changes > 0; got != test.applies {
				t.Errorf("%s on %s: got applied %v", test.rule, test.node, got)
			}
		})
	}
}

// Rules that undo each other are stopped and named.
func TestRulesThatDoNotSettle(t *testing.T) {
	_, p := applyText(t, "local_there: sin(x) => cos(x)\nlocal_back: cos(x) => sin(x)\nlocal_calm: log(x) => x",
		"func(x float64)\n\tv1 = sin x\n\tv2 = exp v1\n\treturn v2\n")
	if !strings.Contains(p.Warning, "no fixed point after 23 rounds and with 2 nodes: local_back, local_there still apply") {
		t.Errorf("got warning %q", p.Warning)
	}
	// Two that make ever more nodes end too.
	_, p = applyText(t, "local_grow: sin(x) => cos(sin(x)) + cos(sin(x + x))", "func(x float64)\n\tv1 = sin x\n\treturn v1\n")
	if p.Warning == "" {
		t.Error("got no warning")
	}
}

// TestSameAgain: a rule that makes what is there already has nothing to do.
func TestSameAgain(t *testing.T) {
	_, p := applyText(t, "local_same: dot(x, y) => dot(x, x)", "func(x float64[?,?], y float64[?,?])\n\tv1 = dot x y\n\treturn v1\n")
	if p.Warning != "" || p.Changes != 1 {
		t.Errorf("got %d changes, warning %q", p.Changes, p.Warning)
	}
}

func TestProfileCounts(t *testing.T) {
	_, p := applyText(t, "local_a: x + 0 => x\nlocal_b: x * 0 => 0",
		"func(x float64)\n\tv1 = add x 0.0\n\tv2 = add v1 x\n\treturn v2\n")
	if len(p.Rules) != 1 || p.Rules[0].Name != "local_a" || p.Rules[0].Where != "test.rules:1" || p.Rules[0].Fired != 1 || p.Rules[0].Tried < 2 {
		t.Errorf("got %+v", p.Rules)
	}
	if p.Changes != 1 || len(p.Fired()) != 1 {
		t.Errorf("got %+v", p)
	}
}

// A new node has the origin and the name of what it replaces.
func TestOrigins(t *testing.T) {
	fg, _ := applyText(t, "local_log1p: log(1 + x) => log1p(x)",
		"func(x float64)\n\tv1 = add 1.0 x\t# a.star:1:3\n\ty = log v1\t# a.star:2:4\n\treturn y\n")
	if got := fg.Outputs[0]; got.Origin.Pos().String() != "a.star:2:4" || got.Name != "y" {
		t.Errorf("got origin %v, name %q", got.Origin.Pos(), got.Name)
	}
	fg, err := Fuse(mustParse(t, "func(x float64)\n\tv1 = add 1.0 x\t# a.star:1:3\n\ty = log v1\t# a.star:2:4\n\treturn y\n"),
		&PassProfile{})
	if err != nil {
		t.Fatal(err)
	}
	var merged []string
	for _, p := range fg.Outputs[0].Origin.Parts {
		merged = append(merged, p.Origin.Pos().String())
	}
	if got := strings.Join(merged, " "); got != "a.star:1:3 a.star:2:4" || fg.Outputs[0].Origin.Pos().Line != 2 {
		t.Errorf("got merged origins %s of %v", got, fg.Outputs[0].Origin.Pos())
	}
}

func TestRuleNames(t *testing.T) {
	seen := make(map[string]string)
	for _, r := range Rules() {
		if !strings.HasPrefix(r.Name, "local_") && r.Name != groupConstants {
			t.Errorf("rule %v: want a name that starts with local_", r)
		}
		if r.Text == "" && seen[r.Name] != "" {
			t.Errorf("Go rule %v has the name of %s", r, seen[r.Name])
		}
		seen[r.Name] = r.Where
	}
	for name, p := range predicates {
		if p.doc == "" {
			t.Errorf("predicate %s: not described", name)
		}
	}
}

// Equal computations are fused to equal ops whatever their inputs are called.
func TestFusionIsCanonical(t *testing.T) {
	fg, err := Fuse(mustParse(t, `func(x float64[?], y float64[?])
	v1 = exp x
	v2 = add v1 y
	v3 = exp y
	v4 = add v3 x
	return v2, v4
`), &PassProfile{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fg.Outputs[0].Op(), fg.Outputs[1].Op(); a != b {
		t.Errorf("got %s and %s", a.Name(), b.Name())
	}
}

// A group has at most maxFusedInputs operands.
func TestFusionLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString("func(")
	const n = 100
	for i := range n {
		fmt.Fprintf(&b, "x%d float64[?], ", i)
	}
	b.WriteString(")\n\tv0 = add x0 x1\n")
	for i := 2; i < n; i++ {
		fmt.Fprintf(&b, "\tv%d = add v%d x%d\n", i-1, i-2, i)
	}
	fmt.Fprintf(&b, "\treturn v%d\n", n-2)
	fg := mustParse(t, b.String())
	got, err := Fuse(fg, &PassProfile{})
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range got.Toposort() {
		if len(node.Inputs) > maxFusedInputs {
			t.Errorf("got %d inputs", len(node.Inputs))
		}
	}
	if nodes := len(got.Toposort()); nodes != 4 {
		t.Errorf("got %d nodes, want 4", nodes)
	}
	compareGraphs(t, fg, got)
}

func FuzzRules(f *testing.F) {
	for _, r := range Rules() {
		if r.Text != "" {
			f.Add(r.Name + ": " + r.Text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		rules, err := Load("fuzz.rules", "canonicalize", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.rules:") {
				t.Errorf("error without a place: %v", err)
			}
			return
		}
		// Whatever a rule says, the graph stays well-formed.
		fg := mustParse(t,
			"func(x float64[?,?], b float64[1,?], k int64[?,?])\n\tv1 = mul x b\n\tv2 = exp v1\n\tv3 = add v2 k\n\tv4 = sub v3 v3\n\tv5 = lt v4 x\n\tv6 = switch v5 v3 b\n\tv7 = log v6\n\treturn v7\n")
		fg, err = FixedPoint(fg, rules, &PassProfile{})
		if err != nil {
			return
		}
		if err := fg.Check(); err != nil {
			t.Errorf("%s: %v\n%s", text, err, fg)
		}
	})
}
