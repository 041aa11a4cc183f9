package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestReducingComposite compares the outputs of (x * y, sum, max of that) with those of single
// operations.
func TestReducingComposite(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	b := &graph.Builder{}
	for _, c := range []struct {
		shapes string
		axes   tensor.Axes
	}{
		{"7,7", tensor.AxesOf(0)}, {"5x3,5x3", tensor.AxesOf(1)}, {"5x3,5x3", tensor.AxesOf(0, 1)}, {"5x3,1x3", tensor.AxesOf(1)}, {"5x3,5x1", tensor.AxesOf(1)},
		{"5x3,1x1", tensor.AxesOf(0, 1)}, {"5x1,1x3", tensor.AxesOf(1)}, {"2x3x4,2x1x4", tensor.AxesOf(1, 2)}, {"5x3,5x3", tensor.AxesOf(0)},
		{"5x3,1x3", tensor.AxesOf(0)}, {"5x1,1x3", tensor.AxesOf(0)}, {"2x3x4,2x1x4", tensor.AxesOf(0, 1)}, {"3x0,3x0", tensor.AxesOf(0)},
		{"3x1000,3x1", tensor.AxesOf(0)}, {"400x130,1x130", tensor.AxesOf(0)}, {"30x50x40,1x50x1", tensor.AxesOf(0, 1)}, {"20x3x1100,1x1x1100", tensor.AxesOf(0)},
		{"2x3x4,1x3x1", tensor.AxesOf(2)}, {"3x1000,3x1000", tensor.AxesOf(1)}, {"1x5,1x5", tensor.AxesOf(1)}, {"0x3,0x3", tensor.AxesOf(1)}, {"5x1,5x1", tensor.AxesOf(1)},
		// Kept ones lie before or between the axes.
		{"2x3x4,2x3x4", tensor.AxesOf(1)}, {"2x3x4,1x3x1", tensor.AxesOf(1)}, {"2x3x4,2x1x4", tensor.AxesOf(0, 2)}, {"30x50x40,30x1x40", tensor.AxesOf(1)},
		{"3x700x1100,1x700x1", tensor.AxesOf(1)}, {"8x5x30x40,1x5x1x1", tensor.AxesOf(0, 2, 3)}, {"3x4x5x6,3x1x5x6", tensor.AxesOf(1, 2)},
		{"3x4x5x6,3x1x5x1", tensor.AxesOf(0, 2)}, {"3x4x5x6,3x4x5x6", tensor.AxesOf(1, 3)}, {"200x7x90,200x7x90", tensor.AxesOf(1)}, {"0x3x4,0x3x4", tensor.AxesOf(1)},
	} {
		for _, d := range []kernels.DType{kernels.Float64, kernels.Float32, kernels.Int64} {
			list := shapes(c.shapes)
			var in []*graph.Variable
			values := make(map[*graph.Variable]*tensor.Dense)
			for _, dims := range list {
				v := graph.NewInput("", graph.TypeOf(d, dims...), nil)
				in, values[v] = append(in, v), sample(r, d, -3, 3, dims...)
			}
			axes := c.axes
			code := graph.NewBodyBuilder(2)
			p := code.Step(op.Mul, 0, 1)
			out, err := b.Make(op.Composite{Body: code.Body(
				code.Step(op.Reduce{Axes: axes}, p), p, code.Step(op.Reduce{Kind: op.Max, Axes: axes}, p))}, in...)
			if err != nil {
				t.Fatal(err)
			}
			product := b.Apply(op.Mul, in...)
			sum, most := b.Apply(op.Reduce{Axes: axes}, product), b.Apply(op.Reduce{Kind: op.Max, Axes: axes}, product)
			for i, want := range []*graph.Variable{sum, product, most} {
				if out[i].Type != want.Type {
					t.Errorf("%s: output %d is %v, want %v", c.shapes, i, out[i].Type, want.Type)
				}
				near(t, fmt.Sprintf("%s over axes %v, output %d", c.shapes, c.axes, i), eval(t, out[i], values), eval(t, want, values))
			}
			want := float64(3 * eval(t, product, values).Size())
			if got := out[0].Owner.Op.(graph.Coster).Cost(arrays(list...), nil).Flops; got != want {
				t.Errorf("%s: got %v flops, want %v", c.shapes, got, want)
			}
		}
	}
}

func TestReducingCompositeErrors(t *testing.T) {
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown, graph.Unknown), nil)
	largest := composite("t0=exp(i0);t1=max{axes=1}(t0);t1")
	_, err := tryEval(b.Apply(largest, x), map[*graph.Variable]*tensor.Dense{x: tensor.New(kernels.Float64, 3, 0)})
	if want := "max: max of no elements: axis 1 of shape (3, 0) has length 0\n    x is float64[?,?] and has shape (3, 0)"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	for code, want := range map[string]string{
		"t0=exp(i0);t1=max{axes=0 1 2}(t0);t1":                   "max{axes=0 1 2}: axes 0 1 2 are out of bounds for 2 dimensions",
		"t0=exp(i0);t1=sum{axes=0}(t0);t2=sum{axes=1}(t0);t1,t2": "sum{axes=1}: got axes 0 of one result and 1 of another, want the same of all",
		"t0=exp(i0);t1=sum(t0);t1":                               "sum: want axes to reduce over",
		"t0=sum{axes=1}(i0);t1=max{axes=0 1}(i0);t0,t1":          "max{axes=0 1}: got axes 1 of one result and 0 1 of another",
		"t0=sum{axes=1}(i0);t1=exp(t0);t0,t1":                    "exp of a reduction: want it to be a result",
		"t0=softmax(i0);t0":                                      "got softmax as a step, want an elementwise operation",
		"t0=add(i0,i1);t0":                                       "got 1 operands, want 2",
		"t0=gt(i0,i0);t1=sum{axes=1}(t0);t1":                     "sum of bool: want int64",
		"t0=exp(i0);t1=any{axes=1}(t0);t1":                       "any of float64: want bool",
		"t0=cast_int8(i0);t1=prod{axes=1}(t0);t1":                "prod of int8: want int64",
		"t0=cast_uint8(i0);t1=prod{axes=1}(t0);t1":               "prod of uint8: want uint64",
	} {
		if _, err := b.Make(composite(code), x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", code, err, want)
		}
	}
	static := graph.NewInput("x", graph.TypeOf(kernels.Float64, 3, 0), nil)
	if _, err := b.Make(largest, static); err == nil || !strings.Contains(err.Error(), "max of no elements: axis 1 of shape (3, 0)") {
		t.Errorf("got error %v", err)
	}
}

// TestCompositeLengths: a result knows of its lengths what its own operands say, and has the shape
// of the others.
func TestCompositeLengths(t *testing.T) {
	b := &graph.Builder{}
	m := func(dims ...int) *graph.Variable {
		return graph.NewInput("", graph.TypeOf(kernels.Float64, dims...), nil)
	}
	const u = graph.Unknown
	out, err := b.Make(composite("t0=exp(i0);t1=add(i0,i1);t2=second(i1,i0);t3=sum{axes=1}(t2);t0,t1,t3"), m(u, u), m(u, 4))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"float64[?,?]", "float64[?,4]", "float64[?]"} {
		if got := out[i].Type.String(); got != want {
			t.Errorf("result %d: got %s, want %s", i, got, want)
		}
	}
	_, err = b.Make(composite("t0=exp(i0);t1=add(i0,i1);t0,t1"), m(1, u), m(u, u))
	if want := "result 0 has length 1 on axis 0, where operands have others"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want %s", err, want)
	}
}
