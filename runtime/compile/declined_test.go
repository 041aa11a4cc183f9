package compile

import (
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/runtime/history"
)

// TestDeclined: what looked possible and was not done is told with the operation, its line, and
// what keeps it.
func TestDeclined(t *testing.T) {
	for _, test := range []struct{ name, src, code, want string }{
		{"a row", `func(x float64[?,?], b float64[1,?])
	v1 = exp b     # a:1:1
	v2 = mul x v1  # a:2:1
	return v2
`, "fusion.broadcast", "a:1:1 exp(b) is not fused with mul(x, exp(...)) (a:2): it is float64[1,?] and is broadcast there to float64[?,?]"},
		{"a path", `func(x float64[?,?], w float64[?,?])
	h = tanh x      # a:1:1
	v2 = dot h w    # a:2:1
	v3 = mul h v2   # a:3:1
	return v3
`, "fusion.multi_client", "a:1:1 tanh(x) is not fused with mul(h, dot(...)) (a:3): that also reads dot(h, w) (a:2), which is computed from the first"},
		{"a view", `func(x float64[?,?], y float64[?,?])
	v1 = exp x                       # a:1:1
	v2 = dimshuffle{pattern=1 0} v1  # a:2:1
	v3 = mul v2 y                    # a:3:1
	return v3
`, "fusion.op", "a:1:1 exp(x) is not fused with mul(dimshuffle(...), y) (a:3): dimshuffle(exp(...)) (a:2), which is no elementwise"},
		{"an argument", `func(x float64[?])
	v1 = exp x   # a:1:1
	return v1
`, "inplace.input", "a:1:1 exp(x) takes memory of its own: x is an argument, which belongs to the caller"},
		{"a shared variable", `func(; w float64[?])
	v1 = exp w   # a:1:1
	return v1
`, "inplace.shared", "w is a shared variable: its old value stays until the call has succeeded"},
		{"a result", `func(x float64[?,?])
	v0 = softmax x   # a:1:1
	v1 = exp v0      # a:2:1
	return v1, v0
`, "inplace.multi_client", "is read by the function, whose result it is, too"},
		{"two readers", `func(x float64[?,?], w float64[?,?])
	h = softmax x   # a:1:1
	v1 = exp h      # a:2:1
	v2 = dot h w    # a:3:1
	return v1, v2
`, "inplace.multi_client", "a:2:1 exp(h) takes memory of its own: h (a:1) is read by dot(h, w) (a:3) too"},
		{"another type", `func(x float64[?,?])
	v0 = softmax x   # a:1:1
	v1 = isnan v0    # a:2:1
	return v1
`, "inplace.dtype", "the result of softmax (a:1) is float64 and the result is bool"},
		{"a view's memory", `func(x float64[?,?], w float64[?,?])
	v0 = dot x w                     # a:1:1
	v1 = dimshuffle{pattern=1 0} x   # a:2:1
	v2 = exp v1                      # a:3:1
	return v2, v0
`, "inplace.view", "a:3:1 exp(dimshuffle(...)) takes memory of its own: the result of dimshuffle (a:2) is a view of x"},
		{"a product read twice", `func(x float64[?,?], w float64[?,?], c float64[?,?])
	z = dot x w      # a:1:1
	v2 = add z c     # a:2:1
	v3 = softmax z   # a:3:1
	return v2, v3
`, "dot.multi_client", "a:1:1 dot(x, w) is not computed together with add(z, c) (a:2): z (a:1) is read by softmax(z) (a:3) too"},
		{"integers", `func(x int64[?,?], w int64[?,?])
	z = dot x w      # a:1:1
	return z
`, "dot.not_gemm", "a product of int64 has no fast kernel"},
		{"mixed types", `func(x float32[?,?], w float64[?,?])
	z = dot x w      # a:1:1
	return z
`, "dot.dtype_mixed", "x is float32 and w is float64: one is converted in every call"},
		{"a sum that is fused", `func(x float64[?,?], w float64[?,?], c float64[?,?], d float64[?,?])
	z = dot x w      # a:1:1
	v2 = add c d     # a:2:1
	v3 = add z v2    # a:3:1
	v4 = softmax v3  # a:4:1
	return v4
`, "dot.addends", "a:1:1 dot(x, w) is not computed together with add(z, add(...)) (a:3): a product is added to one array, and there are 2"},
		{"a sum with a function", `func(x float64[?,?], w float64[?,?], c float64[?,?])
	z = dot x w      # a:1:1
	v2 = exp c       # a:2:1
	v3 = add z v2    # a:3:1
	return v3
`, "dot.elementwise", "a:1:1 dot(x, w) is not computed together with add(z, exp(...)) (a:3): the result of exp (a:2) is computed elementwise"},
		{"a rule's condition", `func(x float64[?], y float64[?])
	v1 = sub x y   # a:1:1
	v2 = neg v1    # a:2:1
	return v1, v2
`, "rule.singleuse", "a:2:1 neg(sub(...)) singleuse of the result of sub (a:1) does not hold: computed for the pattern alone"},
		{"a rule in Go", `func(x float64[?,?], w float64[?,?])
	z = dot x w                      # a:1:1
	v2 = dimshuffle{pattern=1 0} z   # a:2:1
	v3 = exp z                       # a:3:1
	return v2, v3
`, "rule.multi_client", "a:2:1 dimshuffle(z) z (a:1) is read by others too: dimshuffle(z) (a:2), exp(z) (a:3)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := declined(t, test.src, Query{Optimizer: "fast_run"})
			for _, line := range all {
				if strings.HasPrefix(line, test.code+" ") && strings.Contains(line, test.want) {
					return
				}
			}
			t.Errorf("got\n%s\nwant %s ... %s", strings.Join(all, "\n"), test.code, test.want)
		})
	}
}

// declined lists the reasons of all passes, each as code, place, operation and why.
func declined(t *testing.T, src string, q Query) []string {
	t.Helper()
	_, profile, err := Optimize(parsed(t, src), q, true)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range profile {
		for _, d := range p.Declined {
			if d.Count < 1 || d.Rule == "" {
				t.Errorf("got %+v", d)
			}
			all = append(all, d.Code+" "+d.Place+" "+d.Node+" "+d.Why)
		}
	}
	return all
}

// What was done, or cannot be better, is no matter for reasons.
func TestNothingDeclined(t *testing.T) {
	for name, src := range map[string]string{
		"all fused":    "func(x float64[?], y float64[?])\n\tv1 = exp x\n\tv2 = add v1 y\n\tv3 = tanh v2\n\tv4 = sum{axes=0} v3\n\treturn v4\n",
		"a number":     "func(x float64[?], k float64)\n\tv1 = exp k\n\tv2 = dimshuffle{pattern=x} v1\n\tv3 = sum{axes=0} x\n\treturn v3, v1\n",
		"a product":    "func(x float64[?,?], w float64[?,?])\n\tv1 = dot x w\n\treturn v1\n",
		"a rule fired": "func(x float64[?,?], y float64[?,?])\n\tv1 = sub x y\n\tv2 = neg v1\n\tv3 = sum{axes=1} v2\n\treturn v3\n",
	} {
		if all := declined(t, src, Query{Optimizer: "fast_run"}); len(all) > 0 {
			t.Errorf("%s: got %s", name, strings.Join(all, "\n"))
		}
	}
}

// A pass that a tag excludes is in the profile, with what it would have had to do.
func TestSkipped(t *testing.T) {
	fg, profile, err := Optimize(parsed(t, sumTimesTwo), Query{Optimizer: "fast_run", Exclude: []string{"fusion", "inplace"}}, true)
	if err != nil {
		t.Fatal(err)
	}
	skipped := make(map[string]history.Pass)
	for _, p := range profile {
		if p.Skipped != "" {
			skipped[p.Name] = p
		}
	}
	p := skipped["elemwise_fusion"]
	if p.Name == "" || skipped["inplace_elemwise"].Name == "" || len(skipped) != 3 || p.Before != len(fg.Toposort()) {
		t.Fatalf("got %v", skipped)
	}
	if p.Skipped != "excluded by the tag fusion" || len(p.Declined) != 1 || p.Declined[0].Code != "fusion.excluded" ||
		!strings.Contains(p.Declined[0].Why, "3 elementwise operations stay apart") {
		t.Errorf("got %q, %+v", p.Skipped, p.Declined)
	}
}

// Reasons are bounded: what is beyond is counted.
func TestDeclinedIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("func(x float64[?,?], w float64[?,?])\n\tv0 = tanh x\n")
	last := "v0"
	for i := range 200 {
		n := string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		b.WriteString("\td" + n + " = dot " + last + " w\n\tm" + n + " = mul " + last + " d" + n + "\n")
		last = "m" + n
	}
	b.WriteString("\treturn " + last + "\n")
	_, profile, err := Optimize(parsed(t, b.String()), Query{Optimizer: "fast_run"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range profile {
		if p.Name != "elemwise_fusion" {
			continue
		}
		if len(p.Declined) == 0 || len(p.Declined) > 64 || len(p.Declined)+p.Untold < 190 {
			t.Errorf("got %d reasons and %d untold", len(p.Declined), p.Untold)
		}
	}
}

// TestCounts: what each rule was tried on, did, made and removed, and what running constants took.
func TestCounts(t *testing.T) {
	_, profile, err := Optimize(parsed(t, `func(x float64[?], y float64[?])
	v1 = exp float64[1](0.5)
	v2 = add v1 x
	v3 = mul v2 float64[1](1)
	v4 = add float64[1](1) y
	v5 = log v4
	v6 = mul v3 v5
	return v6
`), Query{Optimizer: "fast_run"}, true)
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ fired, made, removed int }
	got := make(map[string]count)
	for _, p := range profile {
		rules, removed, made := 0, 0, 0
		for _, r := range p.Rules {
			c := got[r.Name]
			got[r.Name] = count{c.fired + r.Fired, c.made + r.Made, c.removed + r.Removed}
			if r.Tried < r.Fired || r.Where == "" {
				t.Errorf("%s: got %+v", p.Name, r)
			}
			rules, made, removed = rules+r.Fired, made+r.Made, removed+r.Removed
		}
		if p.Rules != nil && (p.Before+made-removed != p.After || p.Changes != rules || p.Rounds < 1) {
			t.Errorf("%s: got %d nodes before, %d made, %d removed, %d after, %d changes of %d", p.Name, p.Before, made, removed, p.After,
				p.Changes, rules)
		}
		if p.Kernels < 0 || p.Kernels > p.Time {
			t.Errorf("%s: got %v for constants of %v", p.Name, p.Kernels, p.Time)
		}
	}
	for name, want := range map[string]count{
		"constant_folding": {1, 0, 1}, // exp(0.5)
		"local_mul_one":    {1, 0, 1}, // v2 * 1
		"local_log1p":      {1, 1, 2}, // log(1 + y)
	} {
		if got[name] != want {
			t.Errorf("%s: got %+v, want %+v", name, got[name], want)
		}
	}
	var kernels, all time.Duration
	for _, p := range profile {
		kernels, all = kernels+p.Kernels, all+p.Time
	}
	if kernels <= 0 || kernels >= all {
		t.Errorf("got %v for constants of %v", kernels, all)
	}
}
