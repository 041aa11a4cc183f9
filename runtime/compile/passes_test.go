package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
)

func parsed(t *testing.T, src string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("test", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	return fg
}

const sumTimesTwo = `func(x float64[?], y float64[?], z float64[?])
	v1 = add x y
	v2 = add v1 z
	v3 = mul v2 float64[1](2)
	return v3
`

func TestOptimize(t *testing.T) {
	for _, test := range []struct {
		name  string
		query Query
		want  string
	}{
		{"None", Query{Optimizer: "None"}, "v1 = add x y; v2 = add v1 z; v3 = mul v2 float64[1](2)"},
		{"without fusion", Query{Optimizer: "fast_run", Exclude: []string{"fusion", "inplace"}},
			"v1 = add x y; v2 = add v1 z; v3 = mul float64[1](2) v2"},
		{"inplace", Query{Optimizer: "fast_run", Exclude: []string{"elemwise_fusion"}},
			"v1 = add x y; v2 = inplace{in=0,op=add} v1 z; v3 = inplace{in=1,op=mul} float64[1](2) v2"},
		{"fast_run", Query{Optimizer: "fast_run"},
			"v1 = composite{code=t0=add(i1,i2);t1=add(t0,i3);t2=mul(i0,t1);t2} float64[1](2) x y z"},
		{"fast_compile", Query{Optimizer: "fast_compile"}, "v1 = add x y; v2 = add v1 z; v3 = mul float64[1](2) v2"},
		{"o2", Query{Optimizer: "o2"},
			"v1 = composite{code=t0=add(i1,i2);t1=add(t0,i3);t2=mul(i0,t1);t2} float64[1](2) x y z"},
		{"fusion alone", Query{Include: []string{"fusion"}},
			"v1 = composite{code=t0=add(i0,i1);t1=add(t0,i2);t2=mul(t1,i3);t2} x y z float64[1](2)"},
		{"a rule less", Query{Optimizer: "fast_compile", Exclude: []string{"local_constant_first"}},
			"v1 = add x y; v2 = add v1 z; v3 = mul v2 float64[1](2)"},
		{"one rule", Query{Include: []string{"local_constant_first"}}, "v1 = add x y; v2 = add v1 z; v3 = mul float64[1](2) v2"},
		{"required", Query{Optimizer: "fast_run", Require: []string{"inplace"}},
			"v1 = add x y; v2 = inplace{in=0,op=add} v1 z; v3 = inplace{in=0,op=mul} v2 float64[1](2)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fg, profile, err := Optimize(parsed(t, sumTimesTwo), test.query, true)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(fg.String(), "\n\t")
			if got := strings.Join(lines[1:len(lines)-1], "; "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			for _, p := range profile {
				if p.Skipped == "" && p.Time <= 0 || p.Before == 0 || p.After == 0 {
					t.Errorf("pass %s is not accounted for: %+v", p.Name, p)
				}
			}
		})
	}
}

func TestExpressionReadsAsTheanos(t *testing.T) {
	fg, _, err := Optimize(parsed(t, sumTimesTwo), Query{Optimizer: "fast_run"}, true)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := graph.Label(fg.Outputs[0].Op()), "Elemwise{Composite{(i0 * ((i1 + i2) + i3))}}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestQueryErrors(t *testing.T) {
	for _, test := range []struct {
		query Query
		want  string
	}{
		{Query{Optimizer: "fast_rum"},
			"unknown optimizer fast_rum (did you mean fast_run?); want None, fast_compile, fast_run, fast_run_stable, merge, o1, o2, o3, o4, stabilize or unsafe"},
		{Query{Require: []string{"zzz"}}, "requiring: unknown rewrite zzz"},
	} {
		_, _, err := Optimize(parsed(t, sumTimesTwo), test.query, false)
		if fmt.Sprint(err) != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if test.query.Check() == nil {
			t.Errorf("Check: got no error, want %s", test.want)
		}
	}
	// Unknown tags may be excluded and included.
	for _, c := range []struct{ kind, tag, want string }{
		{"excluding", "fusoin", "excluding: unknown rewrite fusoin (did you mean fusion?)"},
		{"including", "local_log1", "including: unknown rewrite local_log1 (did you mean local_log1p?)"},
		{"including", "gpuarray", "including: Arignote has no rewrites gpuarray"},
	} {
		if err := CheckTags(c.kind, []string{c.tag}); fmt.Sprint(err) != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	if err := (Query{Optimizer: "fast_run", Exclude: []string{"random_make_inplace", "", "inplace_elemwise_optimizer", "fusoin"}, Include: []string{"gpuarray", "fusoin"}}).Check(); err != nil {
		t.Error(err)
	}
}

func TestAliases(t *testing.T) {
	known := ownTags()
	for alias, name := range aliases {
		if !slices.Contains(known, name) {
			t.Errorf("alias %s of %s, which is not a rewrite", alias, name)
		}
		if slices.Contains(known, alias) {
			t.Errorf("alias %s is a rewrite itself", alias)
		}
	}
	for _, name := range absent {
		if slices.Contains(known, name) || aliases[name] != "" {
			t.Errorf("%s is listed as absent and is not", name)
		}
	}
	for name, o := range optimizers {
		for _, tag := range append(o.include, o.exclude...) {
			if !slices.Contains(known, tag) {
				t.Errorf("optimizer %s has the unknown tag %s", name, tag)
			}
		}
	}
}

func TestOptimizersHavePasses(t *testing.T) {
	names := func(optimizer string) string {
		plan, err := Query{Optimizer: optimizer}.plan()
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, s := range plan {
			if s.skipped == "" {
				list = append(list, s.name)
			}
		}
		return strings.Join(list, " ")
	}
	const forms = "inline_ofg_expansion merge1 useless shape_opt constant_folding canonicalize ifelse "
	for optimizer, want := range map[string]string{
		"None":            "",
		"merge":           "merge1 merge2 merge3 check_lengths",
		"fast_compile":    forms + "scan_forms scan_opt ofg_useless stabilize merge2 scan_bodies ofg_bodies check_lengths",
		"o1":              forms + "scan_forms scan_opt ofg_useless stabilize merge2 scan_bodies ofg_bodies check_lengths",
		"o2":              forms + "scan_forms scan_opt ofg_useless stabilize merge2 elemwise_fusion scan_bodies ofg_bodies check_lengths",
		"o3":              forms + "scan_forms scan_opt ofg_useless stabilize specialize merge2 BlasOpt elemwise_fusion merge3 scan_bodies ofg_bodies check_lengths",
		"o4":              forms + "scan_forms scan_opt ofg_useless stabilize specialize merge2 BlasOpt elemwise_fusion merge3 scan_bodies ofg_bodies check_lengths InplaceBlasOpt local_inplace_setsubtensor inplace_elemwise",
		"fast_run":        forms + "scan_forms scan_opt ofg_useless stabilize specialize merge2 BlasOpt elemwise_fusion merge3 scan_bodies ofg_bodies check_lengths InplaceBlasOpt local_inplace_setsubtensor inplace_elemwise",
		"fast_run_stable": forms + "scan_forms scan_opt ofg_useless stabilize specialize merge2 elemwise_fusion merge3 scan_bodies ofg_bodies check_lengths InplaceBlasOpt local_inplace_setsubtensor inplace_elemwise",
		"stabilize":       forms + "scan_forms scan_opt ofg_useless stabilize merge2 scan_bodies ofg_bodies check_lengths",
		"unsafe":          forms + "scan_forms scan_opt ofg_useless stabilize specialize merge2 BlasOpt elemwise_fusion merge3 scan_bodies ofg_bodies check_lengths",
	} {
		if got := names(optimizer); got != want {
			t.Errorf("%s: got %s\nwant %s", optimizer, got, want)
		}
	}
}

// TestBlasIsSwitched by Theano's names.
func TestBlasIsSwitched(t *testing.T) {
	const src = "func(x float64[?,?], w float64[?,?], c float64[?,?])\n" +
		"\tv1 = softmax c\n\tv2 = dot x w\n\tv3 = add v1 v2\n\treturn v3\n"
	for exclude, want := range map[string]string{
		"": "Gemm{inplace}", "blas": "Elemwise{Add}[(0, 0)]", "BlasOpt": "Elemwise{Add}[(0, 0)]",
		"gemm_optimizer": "Elemwise{Add}[(0, 0)]", "inplace": "Gemm{no_inplace}", "InplaceBlasOpt": "Gemm{no_inplace}", "c_blas_destructive": "Gemm{no_inplace}",
	} {
		fg, _, err := Optimize(parsed(t, src), Query{Optimizer: "fast_run", Exclude: []string{exclude}}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := graph.Label(fg.Outputs[0].Op()); got != want {
			t.Errorf("excluding %q: got %s, want %s", exclude, got, want)
		}
	}
}

func TestUnstableRulesAreLeftOut(t *testing.T) {
	const src = "func(x float64[?])\n\tv1 = mul float64[1](0) x\n\treturn v1\n"
	for optimizer, want := range map[string]bool{"fast_run": false, "fast_run_stable": true} {
		fg, _, err := Optimize(parsed(t, src), Query{Optimizer: optimizer}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(fg.String(), "mul"); got != want {
			t.Errorf("%s: multiplies: %v, want %v", optimizer, got, want)
		}
	}
}

func TestPassOrder(t *testing.T) {
	if err := checkOrder(); err != nil {
		t.Error(err)
	}
	defer func(old []pass) { passes = old }(passes)
	passes = slices.Clone(passes)
	slices.Reverse(passes)
	if err := checkOrder(); err == nil || !strings.Contains(err.Error(), "must come before") {
		t.Errorf("passes in the wrong order: got error %v", err)
	}
	passes = passes[:2]
	if err := checkOrder(); err == nil || !strings.Contains(err.Error(), "no pass") {
		t.Errorf("missing pass: got error %v", err)
	}
}

// The harness names the pass that fails, whatever way it does.
func TestHarness(t *testing.T) {
	type transform = func(*graph.FunctionGraph, *rewrite.PassProfile) (*graph.FunctionGraph, error)
	broken := func(fg *graph.FunctionGraph, _ *rewrite.PassProfile) (*graph.FunctionGraph, error) {
		return &graph.FunctionGraph{Name: fg.Name, Inputs: fg.Inputs[1:], Outputs: fg.Outputs, Updates: fg.Updates}, nil
	}
	for _, test := range []struct {
		name string
		fn   transform
		want string
	}{
		{"error", func(*graph.FunctionGraph, *rewrite.PassProfile) (*graph.FunctionGraph, error) {
			return nil, errors.New("no")
		},
			"pass bad: no"},
		{"panic", func(*graph.FunctionGraph, *rewrite.PassProfile) (*graph.FunctionGraph, error) { panic("BUG: x") },
			"pass bad: panic: BUG: x"},
		{"graph error", func(*graph.FunctionGraph, *rewrite.PassProfile) (*graph.FunctionGraph, error) {
			panic(&graph.Error{Op: "add", Msg: "y"})
		}, "pass bad: add: y"},
		{"broken graph", broken, "pass bad: x (float64[?]) is needed, and is not among the inputs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func(old []pass) { passes = old }(passes)
			passes = []pass{{name: "bad", in: []string{"fast_run"}, fn: test.fn}}
			_, _, err := Optimize(parsed(t, sumTimesTwo), Query{Optimizer: "fast_run"}, true)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if _, _,
				err := Optimize(parsed(t, sumTimesTwo), Query{Optimizer: "fast_run"},
				false); test.name == "broken graph" && err != nil {
				t.Errorf("checked without being asked: %v", err)
			}
		})
	}
}

// A name addresses one thing.
func TestNamesAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range passes {
		if seen[p.name] || p.doc == "" {
			t.Errorf("pass %s: listed twice, or not described", p.name)
		}
		seen[p.name] = true
		if (p.fn == nil) == (p.phase == "") {
			t.Errorf("pass %s: want a function or a group of rules", p.name)
		}
		if p.phase != "" && !slices.ContainsFunc(rewrite.Rules(), func(r *rewrite.Rule) bool { return r.Group == p.phase }) {
			t.Errorf("pass %s: no rules %s", p.name, p.phase)
		}
	}
	for _, r := range rewrite.Rules() {
		if seen[r.Name] && r.Name != r.Group {
			t.Errorf("rule %v has the name of a pass", r)
		}
	}
}

// TestOnError: a pass that fails is left out if whoever compiles says so; an error of the user's,
// which a pass finds, is one in any case.
func TestOnError(t *testing.T) {
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{x}}
	fails := func(what any) []step {
		return []step{{pass: &pass{name: "planted", fn: func(*graph.FunctionGraph, *rewrite.PassProfile) (*graph.FunctionGraph, error) { panic(what) }}}}
	}
	var told []string
	leave := Query{OnError: func(err error) error {
		first, _, _ := strings.Cut(err.Error(), "\n")
		told = append(told, first)
		return nil
	}}
	got, passes, err := leave.optimize(fails("oh"), fg, false)
	if err != nil || got != fg || len(passes) != 1 || passes[0].Warning == "" || !slices.Equal(told, []string{"pass planted: panic: oh"}) {
		t.Errorf("got %v, %v, %v, told %q", got, passes, err, told)
	}
	raise := Query{OnError: func(err error) error { return err }}
	for _, q := range []Query{raise, {}} {
		if _, _, err := q.optimize(fails("oh"), fg, false); err == nil || !strings.HasPrefix(err.Error(), "pass planted: panic: oh") {
			t.Errorf("got %v, want the panic", err)
		}
	}
	told = nil
	if _, _, err := leave.optimize(fails(&graph.Error{Msg: "shapes do not fit"}), fg, false); err == nil || told != nil {
		t.Errorf("got %v, told %q, want the user's error", err, told)
	}
}
