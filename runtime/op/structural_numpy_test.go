package op_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// numpyResults are nodes in the text form of graphs, and what NumPy 1.24 computes.
var numpyResults = []struct{ node, want string }{
	{"join{axis=1} float64[2,2](1 2 3 4) float64[2,3](10 20 30 40 50 60)",
		"float64[2,5](1 2 10 20 30 3 4 40 50 60)"},
	{"join float64[2,2](1 2 3 4) float64[3,2](10 40 20 50 30 60)",
		"float64[5,2](1 2 3 4 10 40 20 50 30 60)"},
	{"take float64[2,3](10 20 30 40 50 60) int64[3](1 -1 0)",
		"float64[3,3](40 50 60 40 50 60 10 20 30)"},
	{"take{axis=1} float64[2,3](10 20 30 40 50 60) int64[2](2 -3)",
		"float64[2,2](30 10 60 40)"},
	{"inc_take{axis=1} float64[2,3](0 0 0 0 0 0) float64[2,3](10 20 30 40 50 60) int64[3](1 1 -1)",
		"float64[2,3](0 30 30 0 90 60)"},
	{"inc_take{axis=1,set=true} float64[2,3](0 0 0 0 0 0) float64[2,3](10 20 30 40 50 60) int64[3](1 1 -1)",
		"float64[2,3](0 20 30 0 50 60)"},
	{"cumsum int8[2,3](100 100 3 -1 0 2)",
		"int64[2,3](100 100 3 99 100 5)"},
	{"cumprod int8[2,3](100 100 3 -1 0 2)",
		"int64[2,3](100 100 3 -100 0 6)"},
	{"cumsum{axis=1} int8[2,3](100 100 3 -1 0 2)",
		"int64[2,3](100 200 203 -1 -1 1)"},
	{"cumprod{axis=1} int8[2,3](100 100 3 -1 0 2)",
		"int64[2,3](100 10000 30000 -1 0 0)"},
	{"cumsum uint8[2,3](100 100 3 255 0 2)",
		"uint64[2,3](100 100 3 355 100 5)"},
	{"cumprod uint8[2,3](100 100 3 255 0 2)",
		"uint64[2,3](100 100 3 25500 0 6)"},
	{"cumsum{axis=1} uint8[2,3](100 100 3 255 0 2)",
		"uint64[2,3](100 200 203 255 255 257)"},
	{"cumprod{axis=1} uint8[2,3](100 100 3 255 0 2)",
		"uint64[2,3](100 10000 30000 255 0 0)"},
	{"cumsum bool[2,3](1 0 1 1 1 1)",
		"int64[2,3](1 0 1 2 1 2)"},
	{"cumprod bool[2,3](1 0 1 1 1 1)",
		"int64[2,3](1 0 1 1 0 1)"},
	{"cumsum{axis=1} bool[2,3](1 0 1 1 1 1)",
		"int64[2,3](1 1 2 1 2 3)"},
	{"cumprod{axis=1} bool[2,3](1 0 1 1 1 1)",
		"int64[2,3](1 0 0 1 1 1)"},
	{"cumsum float32[2,3](10 20 30 40 50 60)",
		"float32[2,3](10 20 30 50 70 90)"},
	{"cumprod float32[2,3](10 20 30 40 50 60)",
		"float32[2,3](10 20 30 400 1000 1800)"},
	{"cumsum{axis=1} float32[2,3](10 20 30 40 50 60)",
		"float32[2,3](10 30 60 40 90 150)"},
	{"cumprod{axis=1} float32[2,3](10 20 30 40 50 60)",
		"float32[2,3](10 200 6000 40 2000 120000)"},
	{"cumsum float64[2,3](NaN 1 2 +Inf -Inf 1)",
		"float64[2,3](NaN 1 2 NaN -Inf 3)"},
	{"cumprod float64[2,3](NaN 1 2 +Inf -Inf 1)",
		"float64[2,3](NaN 1 2 NaN -Inf 2)"},
	{"cumsum{axis=1} float64[2,3](NaN 1 2 +Inf -Inf 1)",
		"float64[2,3](NaN NaN NaN +Inf NaN NaN)"},
	{"cumprod{axis=1} float64[2,3](NaN 1 2 +Inf -Inf 1)",
		"float64[2,3](NaN NaN NaN +Inf -Inf -Inf)"},
	{"arange int64(0) int64(5) int64(1)",
		"int64[5](0 1 2 3 4)"},
	{"arange int8(0) int8(5) int8(1)",
		"int8[5](0 1 2 3 4)"},
	{"arange float64(0) float64(5) float64(1)",
		"float64[5](0 1 2 3 4)"},
	{"arange float32(0) float32(5) float32(1)",
		"float32[5](0 1 2 3 4)"},
	{"arange int64(2) int64(9) int64(3)",
		"int64[3](2 5 8)"},
	{"arange int8(2) int8(9) int8(3)",
		"int8[3](2 5 8)"},
	{"arange float64(2) float64(9) float64(3)",
		"float64[3](2 5 8)"},
	{"arange float32(2) float32(9) float32(3)",
		"float32[3](2 5 8)"},
	{"arange int64(9) int64(2) int64(-3)",
		"int64[3](9 6 3)"},
	{"arange int8(9) int8(2) int8(-3)",
		"int8[3](9 6 3)"},
	{"arange float64(9) float64(2) float64(-3)",
		"float64[3](9 6 3)"},
	{"arange float32(9) float32(2) float32(-3)",
		"float32[3](9 6 3)"},
	{"arange int64(5) int64(2) int64(1)",
		"int64[0]()"},
	{"arange int8(5) int8(2) int8(1)",
		"int8[0]()"},
	{"arange float64(5) float64(2) float64(1)",
		"float64[0]()"},
	{"arange float32(5) float32(2) float32(1)",
		"float32[0]()"},
	{"arange int64(-3) int64(3) int64(2)",
		"int64[3](-3 -1 1)"},
	{"arange int8(-3) int8(3) int8(2)",
		"int8[3](-3 -1 1)"},
	{"arange float64(-3) float64(3) float64(2)",
		"float64[3](-3 -1 1)"},
	{"arange float32(-3) float32(3) float32(2)",
		"float32[3](-3 -1 1)"},
	{"arange float64(0.1) float64(1) float64(0.1)",
		"float64[9](0.1 0.2 0.30000000000000004 0.4 0.5 0.6 0.7000000000000001 0.8 0.9)"},
	{"arange float32(0.10000000149011612) float32(1) float32(0.10000000149011612)",
		"float32[9](0.10000000149011612 0.20000000298023224 0.30000001192092896 0.4000000059604645 0.5 0.6000000238418579 0.7000000476837158 0.800000011920929 0.9000000357627869)"},
	{"arange float64(1) float64(0) float64(-0.3)",
		"float64[4](1 0.7 0.3999999999999999 0.09999999999999987)"},
	{"arange float32(1) float32(0) float32(-0.30000001192092896)",
		"float32[4](1 0.699999988079071 0.3999999761581421 0.09999996423721313)"},
	{"arange float64(0) float64(1) float64(0.7)",
		"float64[2](0 0.7)"},
	{"arange float32(0) float32(1) float32(0.699999988079071)",
		"float32[2](0 0.699999988079071)"},
	{"arange float64(-1.5) float64(1.5) float64(1)",
		"float64[3](-1.5 -0.5 0.5)"},
	{"arange float32(-1.5) float32(1.5) float32(1)",
		"float32[3](-1.5 -0.5 0.5)"},
	{"sort float64[2,5](3 NaN -1 -0 +Inf 0 -Inf 2 2 -5)",
		"float64[2,5](0 -Inf -1 -0 -5 3 NaN 2 2 +Inf)"},
	{"argsort float64[2,5](3 NaN -1 -0 +Inf 0 -Inf 2 2 -5)",
		"int64[2,5](1 1 0 0 1 0 0 1 1 0)"},
	{"sort int8[2,3](100 100 3 -1 0 2)",
		"int8[2,3](-1 0 2 100 100 3)"},
	{"argsort uint8[2,3](100 100 3 255 0 2)",
		"int64[2,3](0 1 1 1 0 0)"},
	{"sort{axis=1} float64[2,5](3 NaN -1 -0 +Inf 0 -Inf 2 2 -5)",
		"float64[2,5](-1 -0 3 +Inf NaN -Inf -5 0 2 2)"},
	{"argsort{axis=1} float64[2,5](3 NaN -1 -0 +Inf 0 -Inf 2 2 -5)",
		"int64[2,5](2 3 0 4 1 1 4 0 2 3)"},
	{"sort{axis=1} int8[2,3](100 100 3 -1 0 2)",
		"int8[2,3](3 100 100 -1 0 2)"},
	{"argsort{axis=1} uint8[2,3](100 100 3 255 0 2)",
		"int64[2,3](2 0 1 1 2 0)"},
	{"searchsorted float64[5](1 2 2 5 NaN) float64[2,3](0 2 NaN 5 +Inf -Inf)",
		"int64[2,3](0 1 4 3 4 0)"},
	{"searchsorted{right=true} float64[5](1 2 2 5 NaN) float64[2,3](0 2 NaN 5 +Inf -Inf)",
		"int64[2,3](0 3 5 4 4 0)"},
	{"searchsorted int64[0]() int64[2](1 2)",
		"int64[2](0 0)"},
	{"matmul float64[2,2,3](1 2 3 4 5 6 7 8 9 10 11 12) float64[2,3,1](1 2 3 4 5 6)",
		"float64[2,2,1](14 32 122 167)"},
	{"matmul float64[2,2,3](1 2 3 4 5 6 7 8 9 10 11 12) float64[1,3,1](1 2 3)",
		"float64[2,2,1](14 32 50 68)"},
	{"matmul int8[2,2,3](1 2 3 4 5 6 7 8 9 10 11 12) int8[2,3,1](1 2 3 4 5 6)",
		"int8[2,2,1](14 32 122 -89)"},
	{"repeat{axis=1} float64[2,3](10 20 30 40 50 60) int64[3](2 0 1)",
		"float64[2,3](10 10 30 40 40 60)"},
	{"repeat float64[2,3](10 20 30 40 50 60) int64(2)",
		"float64[4,3](10 20 30 10 20 30 40 50 60 40 50 60)"},
	{"repeat bool[2,3](1 0 1 1 1 1) int64[2](0 3)",
		"bool[3,3](1 1 1 1 1 1 1 1 1)"},
}

func TestNumPy(t *testing.T) {
	for _, c := range numpyResults {
		fg, err := graph.Parse("numpy", "func(x float64)\n\tv1 = "+c.node+"\n\tv2 = deep_copy "+c.want+"\n\treturn v1, v2", op.Lookup)
		if err != nil {
			t.Errorf("%s: %v", c.node, err)
			continue
		}
		got, want := eval(t, fg.Outputs[0], nil), eval(t, fg.Outputs[1], nil)
		if graph.TypeOfValue(got) != graph.TypeOfValue(want) {
			t.Errorf("%s: got %v, want %v", c.node, graph.TypeOfValue(got), graph.TypeOfValue(want))
		} else if g, w := strings.Join(elementsOf(got), " "), strings.Join(elementsOf(want), " "); g != w {
			t.Errorf("%s: got %v, want %v", c.node, got.Floats(), want.Floats())
		}
	}
}

// TestStructuralErrors: what does not fit, as soon as it is known.
func TestStructuralErrors(t *testing.T) {
	for _, c := range []struct{ node, want string }{
		{"join float64[2,3] float64[2,4]", "join: shapes (2, 3) and (2, 4) do not fit: axis 1 is 3 and 4"},
		{"join float64[?,3] float64[4]", "join: operand 1: got float64[4], want float64 of 2 dimensions, as operand 0"},
		{"join float64", "join: axis 0 is out of bounds for 0 dimensions"},
		{"take{axis=1} float64[2,3] int64[1](3)", "take: index 3 is out of bounds for axis 1 of length 3"},
		{"take float64[2,3] float64[1](0)", "take: positions: got float64[1], want a vector of integers"},
		{"inc_take float64[2,3] float64[2] int64[1](0)", "inc_take: a value of shape (2,) does not fit into (1, 3)"},
		{"inc_subtensor{index=:} bool[2] bool[2]", "inc_subtensor: cannot add to elements of type bool"},
		{"inc_take bool[2] bool[1] int64[1](0)", "inc_take: cannot add to elements of type bool"},
		{"inc_take int8[2] float64[1] int64[1](0)", "inc_take: got a value of type float64, want one that fits into int8"},
		{"cumsum{axis=2} float64[2,3]", "cumsum: axis 2 is out of bounds for 2 dimensions"},
		{"arange 0 5 0", "arange: got start 0, stop 5 and step 0, want a step that is not 0"},
		{"arange 0.0 float64(nan) 1.0", "arange: got start 0, stop NaN and step 1, want numbers and a step that is not 0"},
		{"arange 0.0 1e300 1.0", "arange: got 1e+300 numbers, which is more than there can be"},
		{"arange 0 9000000000000000000 1", "arange: got 9e+18 numbers, which is more than there can be"},
		{"arange int64[3] 1 1", "arange: operand 0: got int64[3], want a number of the type of all three"},
		{"sort float64", "sort: axis 0 is out of bounds for 0 dimensions"},
		{"argsort{axis=1} float64[2]", "argsort: axis 1 is out of bounds for 1 dimensions"},
		{"searchsorted float64[2,3] 1.0", "searchsorted: got float64[2,3] to search, want a vector of float64"},
		{"matmul float64[2,3] float64[4,5]", "matmul: shapes (2, 3) and (4, 5) do not fit: axis 1 of the first is 3 and axis 0 of the second is 4"},
		{"matmul float64[2,2,3] float64[3,3,5]", "matmul: shapes (2,) and (3,) do not broadcast: axis 0 is 2 and 3"},
		{"matmul float64[3] float64[3]", "matmul: operand 0: got 1 dimensions, want at least 2"},
		{"repeat float64[3] int64[2]", "repeat: got 2 counts, want 1 integer or 3"},
		{"repeat float64[3] -1", "repeat: got count -1, want at least 0"},
		{"repeat float64[3] 1.5", "repeat: counts: got float64, want an integer or a vector of integers"},
		{"inv float64[2,3]", "inv: got shape (2, 3), want square matrices"},
		{"inv float64[4,2,3]", "inv: got shape (4, 2, 3), want square matrices"},
		{"det float64[3]", "det: operand 0: got 1 dimensions, want at least 2"},
		{"solve float64[3,3] float64[2,1]", "solve: shapes (3, 3) and (2, 1) do not fit: axis 0 of the first is 3 and axis 0 of the second is 2"},
		{"solve float64[5,3,3] float64[4,3,1]", "solve: shapes (5,) and (4,) do not broadcast: axis 0 is 5 and 4"},
		{"solve_triangular float64[3,3]", "solve_triangular: got 1 operands, want 2"},
		{"lstsq float64[3,2] float64[4] 1.0", "lstsq: shapes (3, 2) and (4,) do not fit: axis 0 of the first is 3 and axis 0 of the second is 4"},
		{"lstsq float64[3,2,1] float64[3] 1.0", "lstsq: got 3, 1 and 0 dimensions, want a matrix, a vector or a matrix, and a number"},
		{"pivot_permutation int64", "pivot_permutation: operand 0: got 0 dimensions, want at least 1"},
	} {
		if err := makeNode(c.node); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %s", c.node, err, c.want)
		}
	}
}

// TestRefusedGradients: of what is not determined there is none, and the error says what to use.
func TestRefusedGradients(t *testing.T) {
	for _, c := range []struct {
		node   string
		result int
		want   string
	}{
		{"svd{full=true} float64[3,2]", 0, "svd: the vectors that complete u and v are not determined, and have no gradient; use full_matrices=False"},
		{"svd{full=true} float64[3,2]", 2, "svd: the vectors that complete u and v are not determined"},
		{"svd{full=true} float64[3,2]", 1, ""},
		{"qr{mode=complete} float64[3,2]", 0, `qr: got shape (3, 2) and mode "complete": the columns that complete q are not determined, and have no gradient; use mode="reduced"`},
		{"qr{mode=complete} float64[?,?]", 1, `qr: got shape (?, ?) and mode "complete"`},
		{"qr{mode=complete} float64[2,3]", 0, ""},
		{"lu_factor float64[3,2]", 0, "lu_factor: got shape (3, 2): only those of square matrices have a gradient"},
		{"lstsq float64[3,2] float64[3] 1.0", 1, "lstsq: the residuals have no gradient, since there may be none"},
		{"lstsq float64[3,2] float64[3] 1.0", 3, "lstsq: the singular values have no gradient here; use svd"},
		{"lstsq float64[3,2] float64[3] 1.0", 0, ""},
	} {
		b := &graph.Builder{}
		out, err := tryNode(c.node)
		if err != nil {
			t.Fatal(err)
		}
		y := out[c.result]
		cost := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(y.Type.Rank())}, y)
		_, err = grad.Grad(b, cost, y.Owner.Inputs[:1], grad.Options{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, result %d: got error %v, want %s", c.node, c.result, err, c.want)
		}
	}
}

// makeNode applies an op, in the text form, to variables of types and to constants.
func makeNode(text string) error {
	_, err := tryNode(text)
	return err
}

func tryNode(text string) ([]*graph.Variable, error) {
	words := strings.Fields(text)
	o, err := op.Lookup(words[0])
	if err != nil {
		return nil, err
	}
	var in []*graph.Variable
	for _, w := range words[1:] {
		if typ, err := graph.ParseType(w); err == nil {
			in = append(in, graph.NewInput("", typ, nil))
			continue
		}
		fg, err := graph.Parse("operand", fmt.Sprintf("func()\n\treturn %s", w), op.Lookup)
		if err != nil {
			return nil, err
		}
		in = append(in, fg.Outputs[0])
	}
	return (&graph.Builder{}).Make(o, in...)
}

// TestStructuralRunErrors: what only the run can find.
func TestStructuralRunErrors(t *testing.T) {
	matrix := func(rows, cols int) *tensor.Dense { return tensor.New(kernels.Float64, rows, cols) }
	ints := func(values ...int64) *tensor.Dense { return tensor.From(values, len(values)) }
	number := func(v int64) *tensor.Dense { return tensor.IntScalar(kernels.Int64, v) }
	for _, c := range []struct {
		op   string
		in   []*tensor.Dense
		want string
	}{
		{"join", []*tensor.Dense{matrix(2, 3), matrix(2, 4)}, "shapes (2, 3) and (2, 4) do not fit: axis 1 is 3 and 4"},
		{"take{axis=1}", []*tensor.Dense{matrix(2, 3), ints(0, -4)}, "index -4 is out of bounds for axis 1 of length 3"},
		{"take", []*tensor.Dense{matrix(0, 3), ints(0)}, "index 0 is out of bounds for axis 0 of length 0"},
		{"inc_take", []*tensor.Dense{matrix(2, 3), matrix(2, 3), ints(1, 2)}, "index 2 is out of bounds for axis 0 of length 2"},
		{"inc_take{set=true}", []*tensor.Dense{matrix(2, 3), matrix(2, 2), ints(1, 0)}, "shape (2, 2) does not fit into (2, 3): axis 1 is 2, want 3"},
		{"arange", []*tensor.Dense{number(0), number(3), number(0)}, "got start 0, stop 3 and step 0, want a step that is not 0"},
		{"arange", []*tensor.Dense{number(0), number(1 << 62), number(1)}, "got 4.61e+18 numbers, which is more than there can be"},
		{"matmul", []*tensor.Dense{matrix(2, 3), matrix(2, 3)}, "shapes (2, 3) and (2, 3) do not fit: axis 1 of the first is 3 and axis 0 of the second is 2"},
		{"matmul", []*tensor.Dense{tensor.New(kernels.Float64, 4, 2, 2), tensor.New(kernels.Float64, 3, 2, 2)},
			"shapes (4, 2, 2) and (3, 2, 2) do not fit: axis 0 is 4 and 3"},
		{"repeat", []*tensor.Dense{matrix(2, 3), ints(1, 2, 3)}, "got 3 counts, want 1 integer or 2"},
		{"repeat", []*tensor.Dense{matrix(2, 3), number(-1)}, "got count -1, want at least 0"},
		{"repeat", []*tensor.Dense{matrix(2, 3), number(1 << 61)}, "which needs more memory than there is"},
		{"repeat{axis=1}", []*tensor.Dense{matrix(2, 3), ints(1<<61, 1<<61, 0)}, "which needs more memory than there is"},
		{"inv", []*tensor.Dense{matrix(2, 3)}, "got shape (2, 3), want square matrices"},
		{"inv", []*tensor.Dense{matrix(2, 2)}, "singular matrix"},
		{"inv", []*tensor.Dense{tensor.New(kernels.Float64, 2, 3, 1, 1)}, "matrix (0, 0): singular matrix"},
		{"solve", []*tensor.Dense{matrix(2, 2), matrix(3, 1)}, "shapes (2, 2) and (3, 1) do not fit: axis 0 of the first is 2 and axis 0 of the second is 3"},
		{"solve", []*tensor.Dense{tensor.New(kernels.Float64, 2, 1, 1), tensor.New(kernels.Float64, 3, 1, 1)},
			"shapes (2, 1, 1) and (3, 1, 1) do not fit: axis 0 is 2 and 3"},
		{"solve_triangular", []*tensor.Dense{matrix(2, 2), matrix(2, 1)}, "singular matrix: element 0 of the diagonal is 0"},
		{"cholesky", []*tensor.Dense{matrix(2, 2)}, "matrix is not positive definite"},
		{"svd{full=true}", []*tensor.Dense{matrix(1<<22, 1)}, "which needs more memory than there is"},
		{"pivot_permutation", []*tensor.Dense{ints(0, 2)}, "got pivot 2, want a row from 0 to 1"},
	} {
		o, err := op.Lookup(c.op)
		if err != nil {
			t.Fatal(err)
		}
		in, values := make([]*graph.Variable, len(c.in)), make(map[*graph.Variable]*tensor.Dense)
		for i, a := range c.in {
			in[i] = graph.NewInput("", graph.AnyShape(a.DType(), a.Rank()), nil)
			values[in[i]] = a
		}
		if _, err := tryEval((&graph.Builder{}).Apply(o, in...), values); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %s", c.op, err, c.want)
		}
	}
}
