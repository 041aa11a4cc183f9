package compile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Graphs whose lengths nothing compares once they are rewritten: the error is as it was, in every
// mode.
var lostLengths = []struct {
	name, src string
	good, bad [][]int  // shapes of the operands
	want      []string // of the message
}{
	{"fill", "func(y float64[?], z float64[?])\n\tv1 = second y float64[1](0)\n\tv2 = add v1 z\n\treturn v2",
		[][]int{{3}, {3}}, [][]int{{3}, {2}}, []string{"axis 0 is 3 and 2", "y is float64[?] and has"}},
	{"times zero", "func(y float64[?], z float64[?])\n\tv1 = mul y float64[1](0)\n\tv2 = add v1 z\n\treturn v2",
		[][]int{{0}, {0}}, [][]int{{3}, {2}}, []string{"axis 0 is 3 and 2"}},
	{"switch", "func(c float64[?], a float64[?])\n\tv1 = switch c a a\n\treturn v1",
		[][]int{{3}, {3}}, [][]int{{3}, {4}}, []string{"axis 0 is 3 and 4"}},
	{"a dropped sum", "func(a float64[?], b float64[?], z float64[?])\n\tv1 = add a b\n\tv2 = sum{axes=0} v1\n\tv3 = dimshuffle{pattern=x} v2\n" +
		"\tv4 = second v3 z\n\treturn v4", [][]int{{3}, {3}, {5}}, [][]int{{3}, {2}, {5}}, []string{"axis 0 is 3 and 2"}},
	{"one row of each", "func(a float64[?,4], b float64[?,4])\n\tv1 = add a b\n\tv2 = subtensor{index=0} v1\n\treturn v2",
		[][]int{{3, 4}, {3, 4}}, [][]int{{3, 4}, {2, 4}}, []string{"axis 0 is 3 and 2"}},
	{"a length", "func(a float64[?], b float64[?])\n\tv1 = add a b\n\tv2 = shape_i{axis=0} v1\n\treturn v2",
		[][]int{{3}, {3}}, [][]int{{1}, {2}}, []string{"axis 0 is 1 and 2", "an axis broadcasts only where"}},
	{"max of none", "func(a float64[?], z float64[?])\n\tv1 = max{axes=0} a\n\tv2 = dimshuffle{pattern=x} v1\n\tv3 = second v2 z\n\treturn v3",
		[][]int{{1}, {0}}, [][]int{{0}, {2}}, []string{"max of no elements: axis 0 has length 0"}},
	{"an index", "func(a float64[?], z float64[?])\n\tv1 = subtensor{index=-3} a\n\tv2 = dimshuffle{pattern=x} v1\n\tv3 = second v2 z\n\treturn v3",
		[][]int{{3}, {0}}, [][]int{{2}, {2}}, []string{"length 2 on axis 0, want at least 3"}},
	{"reshape", "func(a float64[?], z float64[?])\n\tv1 = reshape{rank=2} a int64[2](2 3)\n\tv2 = sum{axes=0 1} v1\n\tv3 = dimshuffle{pattern=x} v2\n" +
		"\tv4 = second v3 z\n\treturn v4", [][]int{{6}, {2}}, [][]int{{5}, {2}}, []string{"6 and 5 elements"}},
	{"reshape with -1", "func(a float64[?], z float64[?])\n\tv1 = reshape{rank=2} a int64[2](-1 3)\n\tv2 = sum{axes=0 1} v1\n" +
		"\tv3 = dimshuffle{pattern=x} v2\n\tv4 = second v3 z\n\treturn v4", [][]int{{6}, {2}}, [][]int{{5}, {2}}, []string{"elements"}},
	{"reshape of a reshape", "func(a float64[?], z float64[?])\n\tv1 = reshape{rank=2} a int64[2](3 -1)\n\tv2 = reshape{rank=1} v1 int64[1](-1)\n" +
		"\tv3 = reshape{rank=2} v2 int64[2](2 -1)\n\tv4 = sum{axes=0 1} v3\n\tv5 = dimshuffle{pattern=x} v4\n\tv6 = second v5 z\n\treturn v6",
		[][]int{{6}, {2}}, [][]int{{9}, {2}}, []string{"elements"}},
	{"join", "func(a float64[?,?], b float64[?,?])\n\tv1 = join{axis=0} a b\n\tv2 = shape_i{axis=1} v1\n\treturn v2",
		[][]int{{3, 2}, {1, 2}}, [][]int{{3, 2}, {3, 1}}, []string{"axis 1 is 2 and 1"}},
	{"dot", "func(a float64[?,?], b float64[?,?])\n\tv1 = dot a b\n\tv2 = shape_i{axis=1} v1\n\treturn v2",
		[][]int{{3, 2}, {2, 1}}, [][]int{{3, 2}, {3, 1}}, []string{"dot: shapes do not fit: axis 1 is 2 and 3"}},
	{"slices", "func(a float64[?], b float64[?], z float64[?])\n\tv1 = subtensor{index=1:} a\n\tv2 = subtensor{index=:-1} b\n\tv3 = add v1 v2\n" +
		"\tv4 = second v3 float64[1](0)\n\tv5 = add v4 z\n\treturn v5", [][]int{{3}, {3}, {2}}, [][]int{{3}, {4}, {2}}, []string{"axis 0 is 2 and 3"}},
}

func TestLengthsAreNeverLost(t *testing.T) {
	for _, test := range lostLengths {
		t.Run(test.name, func(t *testing.T) {
			fg, err := graph.Parse("test", test.src+"\n", op.Lookup)
			if err != nil {
				t.Fatal(err)
			}
			call := func(optimizer string, shapes [][]int) error {
				f, err := compile.Compile(compile.Spec{Inputs: fg.Inputs, Outputs: fg.Outputs, Check: true, Mode: compile.Mode{Linker: "go", Optimizer: optimizer}})
				if err != nil {
					t.Fatal(err)
				}
				args := make([]*tensor.Dense, len(shapes))
				for i, s := range shapes {
					args[i] = tensor.From(make([]float64, tensor.Size(s)), s...)
				}
				_, err = f.Call(context.Background(), args, nil)
				return err
			}
			for _, optimizer := range compile.OptimizerNames() {
				if err := call(optimizer, test.good); err != nil {
					t.Errorf("%s: %v", optimizer, err)
				}
				err := call(optimizer, test.bad)
				if err == nil {
					t.Errorf("%s: lengths that do not fit give no error", optimizer)
				} else if optimizer == "fast_run" {
					for _, want := range test.want {
						if !strings.Contains(err.Error(), want) {
							t.Errorf("got %v, want %q in it", err, want)
						}
					}
				}
			}
		})
	}
}

// Lengths that are one variable's, and what is compared anyway, need no check.
func TestLengthsAreNotCheckedTwice(t *testing.T) {
	for name, src := range map[string]string{
		"one variable":   "func(x float64[?])\n\tv1 = exp x\n\tv2 = second v1 float64[1](1)\n\tv3 = mul v2 x\n\treturn v3",
		"another node":   "func(x float64[?], y float64[?])\n\tv1 = add x y\n\tv2 = second v1 float64[1](2)\n\tv3 = mul x y\n\tv4 = mul v2 v3\n\treturn v4",
		"the same slice": "func(x float64[?])\n\tv1 = exp x\n\tv2 = subtensor{index=1:} v1\n\tv3 = subtensor{index=1:} x\n\tv4 = mul v2 v3\n\treturn v4",
		"a flat view":    "func(x float64[?,?])\n\tv1 = reshape{rank=1} x int64[1](-1)\n\tv2 = mul v1 float64[1](2)\n\tv3 = exp v2\n\treturn v3",
		"reshaped again": "func(x float64[?])\n\tv1 = reshape{rank=2} x int64[2](3 -1)\n\tv2 = tanh v1\n\tv3 = reshape{rank=1} v2 int64[1](-1)\n" +
			"\tv4 = reshape{rank=2} v3 int64[2](3 -1)\n\tv5 = exp v4\n\treturn v5",
		"transitive":        "func(x float64[?], y float64[?], z float64[?])\n\tv1 = add x y\n\tv2 = second v1 z\n\tv3 = mul v2 y\n\tv4 = mul v3 x\n\treturn v4",
		"sums":              "func(x float64[?], y float64[?])\n\tv1 = join{axis=0} x y x\n\tv2 = join{axis=0} y x x\n\tv3 = mul v1 v2\n\treturn v3",
		"sums of sums":      "func(x float64[?], y float64[?])\n\tv1 = join{axis=0} x y\n\tv2 = join{axis=0} v1 v1\n\tv3 = join{axis=0} y x x y\n\tv4 = mul v2 v3\n\treturn v4",
		"lengths of others": "func(x float64[?,?])\n\tv1 = shape_i{axis=0} x\n\tv2 = alloc float64[1](0) v1\n\tv3 = sum{axes=1} x\n\tv4 = add v2 v3\n\treturn v4",
	} {
		fg, err := graph.Parse("test", src+"\n", op.Lookup)
		if err != nil {
			t.Fatal(name, err)
		}
		res, _, err := compile.Optimize(fg, compile.Query{Optimizer: "fast_run"}, true)
		if err != nil {
			t.Fatal(name, err)
		}
		if strings.Contains(fmt.Sprint(res), "check_lengths") {
			t.Errorf("%s: checked once more:\n%v", name, res)
		}
	}
}

// What checks lengths does not compute an array once more to ask how long it is: flatten(2) asks
// for products of lengths.
func TestChecksMeasureNoArrays(t *testing.T) {
	const src = "func(x float64[?,?,?])\n\tv1 = tanh x\n\tv2 = shape_i{axis=0} v1\n\tv3 = shape_i{axis=1} v1\n\tv4 = shape_i{axis=2} v1\n\tv5 = mul v3 v4\n" +
		"\tv6 = make_vector v2 v5\n\tv7 = reshape{rank=2} v1 v6\n\tv8 = softmax v7\n\tv9 = make_vector v2 v3 v4\n\tv10 = reshape{rank=3} v8 v9\n\treturn v10"
	fg, err := graph.Parse("test", src+"\n", op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	res, _, err := compile.Optimize(fg, compile.Query{Optimizer: "fast_run"}, true)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(fmt.Sprint(res), "tanh"); n != 1 {
		t.Errorf("tanh is computed %d times, want once:\n%v", n, res)
	}
}
