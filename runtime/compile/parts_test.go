package compile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
)

// shares writes the lines, roles and operations that a node stands for, with their percentages.
func shares(o *graph.Origin) string {
	if len(o.Parts) == 0 {
		return fmt.Sprint(o.Pos().Line)
	}
	total := 0.0
	for _, p := range o.Parts {
		total += p.Work
	}
	var list []string
	for _, p := range o.Parts {
		role := ""
		if p.Origin.Role != graph.RoleForward {
			role = " " + p.Origin.Role.String()
		}
		list = append(list, fmt.Sprintf("%d%s %s %.4g%%", p.Origin.Pos().Line, role, p.Op, 100*p.Work/total))
	}
	return strings.Join(list, ", ")
}

// TestParts: a node that stands for several knows what each contributed.
func TestParts(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		// exp makes 20 operations an element and reads 8 bytes, which counts as 2; the product stays in registers; the sum is written.
		{"fusion", `func(x float64[?], y float64[?], z float64[?])
	v1 = exp x      # a:1:1
	v2 = mul v1 y   # a:2:1
	v3 = add v2 z   # a:3:1
	return v3
`, "1 exp 73.33%, 2 mul 10%, 3 add 16.67%"},
		{"half the bytes", `func(x float32[?], y float32[?], z float32[?])
	v1 = exp x      # a:1:1
	v2 = mul v1 y   # a:2:1
	v3 = add v2 z   # a:3:1
	return v3
`, "1 exp 80.77%, 2 mul 7.692%, 3 add 11.54%"},
		{"two results", `func(x float64[?], y float64[?])
	v1 = exp x      # a:1:1
	v2 = mul v1 y   # a:2:1
	v3 = add v1 y   # a:3:1
	return v2, v3
`, "1 exp 73.33%, 2 mul 16.67%, 3 add 10%"},
		// 32 and 3 + 1/64: a row is read once for 128 of its length.
		{"a row", `func(x float64[?,?], y float64[1,?])
	v1 = tanh x     # a:1:1
	v2 = mul v1 y   # a:2:1
	return v2
`, "1 tanh 91.39%, 2 mul 8.612%"},
		// 22 and 1 + 1/64.
		{"a reduction", `func(x float64[?,?])
	v1 = exp x      # a:1:1
	v2 = sum{axes=1} v1   # a:2:1
	return v2
`, "1 exp 95.59%, 2 sum{axes=1} 4.413%"},
		{"one line", `func(x float64[?])
	v1 = exp x      # a:1:1
	v2 = tanh v1    # a:1:1
	return v2
`, "1 exp 40.74%, 1 tanh 59.26%"},
		// First log1p, of 25 operations, stands for log and add; then softplus for that and exp.
		{"a rule", `func(x float64[?])
	v1 = exp x      # a:1:1
	v2 = add float64[1](1) v1   # a:2:1
	v3 = log v2     # a:3:1
	return v3
`, "3 log 52.91%, 2 add 2.646%, 1 exp 44.44%"},
		{"computed once for two", `func(x float64[?])
	v1 = exp x      # a:1:1
	v2 = exp x      # a:2:1
	return v1, v2
`, "1 exp 50%, 2 exp 50%"},
		// 22 for both, 1, and 1 and two arrays.
		{"computed once for two, and fused", `func(x float64[?], y float64[?])
	v1 = exp x      # a:1:1
	v2 = exp x      # a:2:1
	v3 = mul v1 v2  # a:3:1
	v4 = add v3 y   # a:4:1
	return v4
`, "1 exp 39.29%, 2 exp 39.29%, 3 sqr 3.571%, 4 add 17.86%"},
		// 2*128 operations an element and two matrices that are read, against 1 and 1, and two that move.
		{"a product", `func(x float64[?,?], w float64[?,?], c float64[?,?])
	v1 = dot x w    # a:1:1
	v2 = mul float64[1,1](0.5) v1  # a:2:1
	v3 = softmax c  # a:3:1
	v4 = add v2 v3  # a:4:1
	return v4
`, "4 add 1.88%, 2 mul 0.376%, 1 dot 97.74%"},
		{"no elements", `func(x float64[0])
	v1 = exp x      # a:1:1
	v2 = tanh v1    # a:2:1
	v3 = sin v2     # a:3:1
	v4 = cos v2     # a:4:1
	return v3, v4
`, "1 exp 25%, 2 tanh 25%, 3 sin 25%, 4 cos 25%"},
		{"a transpose that moves", `func(x float64[?,?], w float64[?,?])
	v1 = dot x w    # a:1:1
	v2 = dimshuffle{pattern=1 0} v1  # a:2:1
	return v2
`, "1"},
		{"an index that moves", `func(x float64[?], y float64[?])
	v1 = tanh x     # a:1:1
	v2 = subtensor{index=:4} v1   # a:2:1
	return v2
`, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fg, _, err := Optimize(parsed(t, test.src), Query{Optimizer: "fast_run"}, true)
			if err != nil {
				t.Fatal(err)
			}
			if got := shares(fg.Outputs[0].Origin); got != test.want {
				t.Errorf("got  %s\nwant %s\n%s", got, test.want, fg)
			}
		})
	}
}

// A long chain is fused in linear time: its parts are counted, not copied from node to node.
func TestPartsAreBounded(t *testing.T) {
	const n = 8000
	var b strings.Builder
	b.WriteString("func(x float64[?])\n\tv0 = exp x\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "\tv%d = %s v%d\t# a:%d:1\n", i, []string{"tanh", "sin", "cosh"}[i%3], i-1, i/2)
	}
	fmt.Fprintf(&b, "\treturn v%d\n", n-1)
	fg, _, err := Optimize(parsed(t, b.String()), Query{Include: []string{"fusion"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	lines, total := make(map[int]bool), 0.0
	for _, p := range fg.Outputs[0].Origin.Parts {
		lines[p.Origin.Pos().Line] = true
		total += p.Work
	}
	// tanh and cosh make 30 operations and sin 25, exp 20, and two arrays move.
	if want := float64(n*85/3) * 128; len(lines) != n/2 || math.Abs(total-want) > want/1000 {
		t.Errorf("got %d lines and %g work, want %d and about %g", len(lines), total, n/2, want)
	}
}
