package compile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// shares writes the lines, roles and operations that a node stands for, with their percentages.
func shares(o *graph.Origin) string {
	if len(o.Parts) == 0 {
		return fmt.Sprint(o.Pos().Line)
	}
	var list []share
	for _, p := range o.Parts {
		role := ""
		if p.Origin.Role != graph.RoleForward {
			role = " " + p.Origin.Role.String()
		}
		list = append(list, share{fmt.Sprintf("%d%s %s", p.Origin.Pos().Line, role, p.Op), p.Work.On("avx2")})
	}
	return percentages(list)
}

// A share is what a line takes, in nanoseconds for an element.
type share struct {
	line string
	work float64
}

func percentages(shares []share) string {
	total := 0.0
	for _, s := range shares {
		total += s.work
	}
	var list []string
	for _, s := range shares {
		list = append(list, fmt.Sprintf("%s %.4g%%", s.line, 100*s.work/total))
	}
	return strings.Join(list, ", ")
}

// TestParts: a node that stands for several knows what each contributed.
func TestParts(t *testing.T) {
	const flop = 0.05                                    // of what has no kernel in the table of costs
	bytes := func(n float64) float64 { return 0.01 * n } // from the second level cache
	cost := func(k string) float64 { return kernels.FusedCosts(k, kernels.Float64).On("avx2") }
	short := func(k string) float64 { return kernels.FusedCosts(k, kernels.Float32).On("avx2") }
	for _, test := range []struct {
		name, src string
		want      []share
	}{
		// Operands are read where they are first used, and the sum is written; what lies between
		// stays in the cache.
		{"fusion", `func(x float64[?], y float64[?], z float64[?])
	v1 = exp x      # a:1:1
	v2 = mul v1 y   # a:2:1
	v3 = add v2 z   # a:3:1
	return v3
`, []share{{"1 exp", cost("exp") + bytes(8)}, {"2 mul", cost("mul") + bytes(8)}, {"3 add", cost("add") + bytes(16)}}},
		{"half the bytes", `func(x float32[?], y float32[?], z float32[?])
	v1 = exp x      # a:1:1
	v2 = mul v1 y   # a:2:1
	v3 = add v2 z   # a:3:1
	return v3
`, []share{{"1 exp", short("exp") + bytes(4)}, {"2 mul", short("mul") + bytes(4)}, {"3 add", short("add") + bytes(8)}}},
		{"two results", `func(x float64[?], y float64[?])
	v1 = exp x      # a:1:1
	v2 = mul v1 y   # a:2:1
	v3 = add v1 y   # a:3:1
	return v2, v3
`, []share{{"1 exp", cost("exp") + bytes(8)}, {"2 mul", cost("mul") + bytes(16)}, {"3 add", cost("add") + bytes(8)}}},
		// A row is read once for 128 of its length.
		{"a row", `func(x float64[?,?], y float64[1,?])
	v1 = tanh x     # a:1:1
	v2 = mul v1 y   # a:2:1
	return v2
`, []share{{"1 tanh", cost("tanh") + bytes(8)}, {"2 mul", cost("mul") + bytes(8+8.0/128)}}},
		{"a reduction", `func(x float64[?,?])
	v1 = exp x      # a:1:1
	v2 = sum{axes=1} v1   # a:2:1
	return v2
`, []share{{"1 exp", cost("exp") + bytes(8)}, {"2 sum{axes=1}", flop + bytes(8.0/128)}}},
		{"one line", `func(x float64[?])
	v1 = exp x      # a:1:1
	v2 = tanh v1    # a:1:1
	return v2
`, []share{{"1 exp", cost("exp") + bytes(8)}, {"1 tanh", cost("tanh") + bytes(8)}}},
		// First log1p stands for log and add; then softplus for that and exp.
		{"a rule", `func(x float64[?])
	v1 = exp x      # a:1:1
	v2 = add float64[1](1) v1   # a:2:1
	v3 = log v2     # a:3:1
	return v3
`, []share{{"3 log", cost("log1p") * cost("log") / (cost("log") + cost("add"))}, {"2 add", cost("log1p") * cost("add") / (cost("log") + cost("add"))}, {"1 exp", cost("exp")}}},
		{"computed once for two", `func(x float64[?])
	v1 = exp x      # a:1:1
	v2 = exp x      # a:2:1
	return v1, v2
`, []share{{"1 exp", 1}, {"2 exp", 1}}},
		{"computed once for two, and fused", `func(x float64[?], y float64[?])
	v1 = exp x      # a:1:1
	v2 = exp x      # a:2:1
	v3 = mul v1 v2  # a:3:1
	v4 = add v3 y   # a:4:1
	return v4
`, []share{{"1 exp", (cost("exp") + bytes(8)) / 2}, {"2 exp", (cost("exp") + bytes(8)) / 2}, {"3 sqr", cost("sqr")}, {"4 add", cost("add") + bytes(16)}}},
		// 2*128 operations an element and two matrices that are read, against one and one, and two
		// that move.
		{"a product", `func(x float64[?,?], w float64[?,?], c float64[?,?])
	v1 = dot x w    # a:1:1
	v2 = mul float64[1,1](0.5) v1  # a:2:1
	v3 = softmax c  # a:3:1
	v4 = add v2 v3  # a:4:1
	return v4
`, []share{{"4 add", cost("add") + bytes(16)}, {"2 mul", cost("mul")}, {"1 dot", 256*0.018 + bytes(16)}}},
		{"no elements", `func(x float64[0])
	v1 = exp x      # a:1:1
	v2 = tanh v1    # a:2:1
	v3 = sin v2     # a:3:1
	v4 = cos v2     # a:4:1
	return v3, v4
`, []share{{"1 exp", 1}, {"2 tanh", 1}, {"3 sin", 1}, {"4 cos", 1}}},
		{"a transpose that moves", `func(x float64[?,?], w float64[?,?])
	v1 = dot x w    # a:1:1
	v2 = dimshuffle{pattern=1 0} v1  # a:2:1
	return v2
`, nil},
		{"an index that moves", `func(x float64[?], y float64[?])
	v1 = tanh x     # a:1:1
	v2 = subtensor{index=:4} v1   # a:2:1
	return v2
`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			fg, _, err := Optimize(parsed(t, test.src), Query{Optimizer: "fast_run"}, true)
			if err != nil {
				t.Fatal(err)
			}
			want := "1" // one line
			if test.want != nil {
				want = percentages(test.want)
			}
			if got := shares(fg.Outputs[0].Origin); got != want {
				t.Errorf("got  %s\nwant %s\n%s", got, want, fg)
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
		total += p.Work.On("avx2")
	}
	work := func(k string) float64 { return kernels.FusedCosts(k, kernels.Float64).On("avx2") }
	if want := n * 128 / 3.0 * (work("tanh") + work("sin") + work("cosh")); len(lines) != n/2 || math.Abs(total-want) > want/1000 {
		t.Errorf("got %d lines and %g work, want %d and about %g", len(lines), total, n/2, want)
	}
}
