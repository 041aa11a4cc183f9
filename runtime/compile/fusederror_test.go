package compile_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestFusedErrors: an error of a fused node is one of an operation that the user wrote, by its name
// and at its line.
func TestFusedErrors(t *testing.T) {
	for _, c := range []struct {
		name, src string
		shapes    [][]int
		text      string
		line      int
	}{
		{"reduction", `func(x float64[?,?], y float64[?,?])
	v1 = mul x y                # a.star:1:1
	v2 = exp v1                 # a.star:2:1
	v3 = sum{axes=1} v2         # a.star:3:1
	v4 = max{axes=1} v2         # a.star:4:1
	return v3, v4
`, [][]int{{3, 0}, {3, 0}}, "max: max of no elements: axis 1 of shape (3, 0) has length 0\n", 4},
		{"overwritten", `func(x float64[?,?], y float64[?,?])
	v1 = dot x y                # a.star:1:1
	v2 = exp v1                 # a.star:2:1
	v3 = min{axes=1} v2         # a.star:3:1
	return v2, v3
`, [][]int{{3, 2}, {2, 0}}, "min: min of no elements", 3},
		{"second of two", `func(x float64[?,?], y float64[?,?], z float64[?,?])
	v1 = add x y                # a.star:1:1
	v2 = exp v1                 # a.star:2:1
	v3 = add v2 z               # a.star:3:1
	v4 = tanh v3                # a.star:4:1
	return v4
`, [][]int{{2, 3}, {2, 3}, {2, 4}}, "add: shapes (2, 3) and (2, 4) do not fit: axis 1 is 3 and 4", 3},
		{"first of two", `func(x float64[?,?], y float64[?,?], z float64[?,?])
	v1 = add x y                # a.star:1:1
	v2 = exp v1                 # a.star:2:1
	v3 = add v2 z               # a.star:3:1
	return v3
`, [][]int{{2, 3}, {5, 3}, {2, 3}}, "add: shapes (2, 3) and (5, 3) do not fit: axis 0 is 2 and 5", 1},
		{"not fused", `func(x float64[?,?], y float64[?,?])
	v1 = add x y                # a.star:1:1
	return v1
`, [][]int{{2, 3}, {5, 3}}, "add: shapes (2, 3) and (5, 3) do not fit", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			fg, err := graph.Parse("a", c.src, op.Lookup)
			if err != nil {
				t.Fatal(err)
			}
			f, err := compile.Compile(compile.Spec{Inputs: fg.Inputs, Outputs: fg.Outputs, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
			if err != nil {
				t.Fatal(err)
			}
			var args []*tensor.Dense
			for _, shape := range c.shapes {
				args = append(args, tensor.New(kernels.Float64, shape...))
			}
			_, err = f.Call(context.Background(), args, nil)
			var e *graph.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.text) || e.Pos.Line != c.line {
				t.Errorf("got %v at %v, want %s at line %d\n%s", err, e.Pos, c.text, c.line, f.Graph)
			}
		})
	}
}
