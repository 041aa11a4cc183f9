package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// gemmCases are shapes of c, a and b. A trailing T says that the operand lies in memory the other
// way round.
var gemmCases = []string{
	"5x3 5x4 4x3", "5x3 5x4T 4x3", "5x3T 5x4 4x3T", "1x3 5x4 4x3", "5x1 5x4 4x3T", "1x1 5x4 4x3", "1x3 1x4 4x3", "5x1 5x4 4x1",
	"5x3 5x0 0x3", "0x3 0x4 4x3", "5 5x4 4", "1 5x4T 4", "3 4 4x3", "1 4 4x3T", "3 1 1x3",
}

// TestGemm compares with a product and elementwise operations, for constants and with the factors
// that leave terms out.
func TestGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	b := &graph.Builder{}
	for _, shapes := range gemmCases {
		for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
			var in []*graph.Variable
			values := make(map[*graph.Variable]*tensor.Dense)
			for _, text := range strings.Fields(shapes) {
				v, value := operand(r, d, text)
				in, values[v] = append(in, v), value
			}
			c, x, y := in[0], in[1], in[2]
			for _, f := range [][2]float64{{1, 1}, {-0.5, 1}, {2, -3}, {1, 0}, {0, 2}} {
				alpha, beta := b.Number(d, f[0]), b.Number(d, f[1])
				product := b.Apply(op.Dot{}, x, y)
				got := b.Apply(op.Gemm{Vector: product.Type.Rank() == 1}, c, alpha, x, y, beta)
				want := b.Apply(op.Add, b.Apply(op.Mul, b.Like(product, f[0]), product), b.Apply(op.Mul, b.Like(c, f[1]), c))
				label := fmt.Sprintf("%s %v: %v*a·b + %v*c", shapes, d, f[0], f[1])
				before := values[c].Copy()
				near(t, label, eval(t, got, values), eval(t, want, values))
				if !tensor.Equal(before, values[c]) {
					t.Fatalf("%s: c was overwritten", label)
				}
				if f[1] == 0 { // then c may hold anything
					wild := map[*graph.Variable]*tensor.Dense{c: values[c].Copy(), x: values[x], y: values[y]}
					wild[c].Fill(math.NaN())
					near(t, label+" without c", eval(t, got, wild), eval(t, want, values))
				}
				if got.Type.Dims()[0] != c.Type.Dims()[0] || len(c.Type.Dims()) == 2 && got.Type.Dim(1) != c.Type.Dim(1) {
					continue
				}
				over := b.Apply(op.Gemm{Vector: product.Type.Rank() == 1, Inplace: true}, c, alpha, x, y, beta)
				copied := map[*graph.Variable]*tensor.Dense{c: values[c].Copy(), x: values[x], y: values[y]}
				result := eval(t, over, copied)
				near(t, label+" in place", result, eval(t, want, values))
				if !tensor.SharesMemory(result, copied[c]) {
					t.Fatalf("%s in place: the result has memory of its own", label)
				}
			}
		}
	}
}

// operand makes a variable of static shape "5x4", and a value for it; T after the shape transposes
// the value's memory.
func operand(r *rand.Rand, d kernels.DType, text string) (*graph.Variable, *tensor.Dense) {
	text, turned := strings.CutSuffix(text, "T")
	dims := shapes(text)[0]
	v := graph.NewInput("", graph.TypeOf(d, dims...), nil)
	if !turned {
		return v, sample(r, d, -2, 2, dims...)
	}
	a, err := sample(r, d, -2, 2, dims[1], dims[0]).DimShuffle([]int{1, 0})
	if err != nil {
		panic(err)
	}
	return v, a
}

func near(t *testing.T, label string, got, want *tensor.Dense) {
	t.Helper()
	tol := 1e-14
	if want.DType() == kernels.Float32 {
		tol = 1e-5
	}
	if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		t.Fatalf("%s: got %v %v, want %v %v", label, got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	x, y := got.Floats(), want.Floats()
	for i := range x {
		if !(math.Abs(x[i]-y[i]) <= tol*(10+math.Abs(y[i]))) {
			t.Fatalf("%s: element %d: got %v, want %v", label, i, x[i], y[i])
		}
	}
}

func TestGemmErrors(t *testing.T) {
	m := func(d kernels.DType, dims ...int) *graph.Variable {
		return graph.NewInput("", graph.TypeOf(d, dims...), nil)
	}
	const f, g, i, u = kernels.Float64, kernels.Float32, kernels.Int64, graph.Unknown
	one := m(f)
	for _, c := range []struct {
		op   graph.Op
		in   []*graph.Variable
		want string
	}{
		{op.Gemm{}, []*graph.Variable{one}, "got 1 operands, want 5"},
		{op.Gemm{}, []*graph.Variable{m(f, 5, 3), one, m(f, 5, 4), m(f, 5, 3), one}, "shapes (5, 4) and (5, 3) do not fit: axis 1"},
		{op.Gemm{}, []*graph.Variable{m(g, 5, 3), one, m(f, 5, 4), m(f, 4, 3), one},
			"operand 0: got float32, want floats of one type"},
		{op.Gemm{}, []*graph.Variable{m(i, 5, 3), m(i), m(i, 5, 4), m(i, 4, 3), m(i)}, "operand 0: got int64, want floats"},
		{op.Gemm{}, []*graph.Variable{m(f, 5), one, m(f, 5, 4), m(f, 4), one}, "got a product of 1 dimensions, want 2"},
		{op.Gemm{Vector: true}, []*graph.Variable{m(f, 5, 3), one, m(f, 5, 4), m(f, 4, 3), one},
			"got a product of 2 dimensions, want 1"},
		{op.Gemm{}, []*graph.Variable{m(f, 5, 3), m(f, 1), m(f, 5, 4), m(f, 4, 3), one},
			"got factors float64[1] and float64, want numbers"},
		{op.Gemm{}, []*graph.Variable{m(f, 6, 3), one, m(f, 5, 4), m(f, 4, 3), one}, "do not broadcast: axis 0 is 5 and 6"},
		{op.Gemm{}, []*graph.Variable{m(f, 5, 3), one, m(f, 1, 4), m(f, 4, 3), one}, "the result has another shape"},
		{op.Gemm{Inplace: true}, []*graph.Variable{m(f, 1, 3), one, m(f, 5, 4), m(f, 4, 3), one}, "the result has another shape"},
	} {
		_, err := (&graph.Builder{}).Make(c.op, c.in...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.op.Name(), err, c.want)
		}
	}
	// What only the run can find.
	in := []*graph.Variable{m(f, u, 3), one, m(f, u, 4), m(f, 4, 3), one}
	v := (&graph.Builder{}).Apply(op.Gemm{}, in...)
	values := map[*graph.Variable]*tensor.Dense{one: tensor.Scalar(f, 1), in[0]: tensor.New(f, 6, 3), in[2]: tensor.New(f, 5, 4),
		in[3]: tensor.New(f, 4, 3)}
	const want = "shapes (6, 3) and (5, 3) do not fit: axis 0 is 6 and 5"
	if _, err := tryEval(v, values); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}
