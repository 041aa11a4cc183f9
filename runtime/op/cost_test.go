package op_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// arrays are of float64.
func arrays(shapes ...[]int) []graph.Array {
	all := make([]graph.Array, len(shapes))
	for i, s := range shapes {
		all[i] = graph.Array{ItemSize: 8, Shape: s}
	}
	return all
}

// arraysOf have the types' sizes and lengths.
func arraysOf(vs []*graph.Variable) []graph.Array {
	all := make([]graph.Array, len(vs))
	for i, v := range vs {
		all[i] = graph.Array{ItemSize: v.Type.DType.Size(), Shape: v.Type.Dims()}
	}
	return all
}

// operands makes inputs of these shapes.
func operands(d kernels.DType, shapes ...[]int) []*graph.Variable {
	in := make([]*graph.Variable, len(shapes))
	for i, s := range shapes {
		in[i] = graph.NewInput("", graph.TypeOf(d, s...), nil)
	}
	return in
}

// work is a cost that was counted by hand: operations, and elements read and written.
type work struct{ flops, read, written int }

// counted are the costs of nodes of structural ops, by m, k and n. An op without a line here has
// TestStructural check its costs: against the bytes of the operands and results of its cases.
var counted = []struct {
	op    graph.Op
	count func(m, k, n int) (in [][]int, w work)
}{
	{op.Dot{}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, k}, {k, n}}, work{2 * m * n * k, m*k + k*n, m * n}
	}},
	{op.Dot{}, func(m, k, n int) ([][]int, work) { return [][]int{{m, k}, {k}}, work{2 * m * k, m*k + k, m} }},
	{op.Dot{}, func(m, k, n int) ([][]int, work) { return [][]int{{k}, {k, n}}, work{2 * k * n, k + k*n, n} }},
	{op.Dot{}, func(m, k, n int) ([][]int, work) { return [][]int{{k}, {k}}, work{2 * k, 2 * k, 1} }},
	{op.Gemm{}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}, {}, {m, k}, {k, n}, {}}, work{2*m*n*k + 2*m*n, m*n + m*k + k*n + 2, m * n}
	}},
	{op.Gemm{}, func(m, k, n int) ([][]int, work) { // c is a row
		return [][]int{{1, n}, {}, {m, k}, {k, n}, {}}, work{2*m*n*k + 2*m*n, n + m*k + k*n + 2, m * n}
	}},
	{op.Gemm{Inplace: true}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}, {}, {m, k}, {k, n}, {}}, work{2*m*n*k + 2*m*n, m*n + m*k + k*n + 2, m * n}
	}},
	{op.Gemm{Vector: true}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m}, {}, {m, k}, {k}, {}}, work{2*m*k + 2*m, m + m*k + k + 2, m}
	}},
	{op.Reduce{Axes: tensor.AxesOf(0)}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}}, work{m * n, m * n, n}
	}},
	{op.Reduce{Axes: tensor.AllAxes(2)}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}}, work{m * n, m * n, 1}
	}},
	{op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(1)}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m} }},
	{op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(1)}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m} }},
	{op.Reduce{Kind: op.Min, Axes: tensor.AxesOf(1)}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m} }},
	{op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(0)}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, n} }},
	{op.Argmax{Axis: 1}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m} }},
	{op.Argmax{Axis: 1, Min: true}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m} }},
	{op.Softmax{}, func(m, k, n int) ([][]int, work) { // max, -, exp, +, /
		return [][]int{{m, n}}, work{(1 + 1 + 20 + 1 + 1) * m * n, m * n, m * n}
	}},
	{op.Softmax{Log: true}, func(m, k, n int) ([][]int, work) { // max, -, exp, +, - and for each row a log
		return [][]int{{m, n}}, work{(1+1+20+1+1)*m*n + 20*m, m * n, m * n}
	}},
	{composite("t0=add(i0,i1);t1=exp(t0);t1"), func(m, k, n int) ([][]int, work) { // add, exp
		return [][]int{{m, n}, {m, n}}, work{(1 + 20) * m * n, 2 * m * n, m * n}
	}},
	{composite("t0=add(i0,i1);t1=exp(t0);t2=sum{axes=1}(t1);t2,t0"), func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}, {m, 1}}, work{(1 + 20 + 1) * m * n, m*n + m, m + m*n} // add, exp, sum; a column
	}},
	{composite("t0=second(i0,i1);t1=add(t0,i2);t1"), func(m, k, n int) ([][]int, work) { // i0 gives a shape
		return [][]int{{m, n}, {1, 1}, {m, n}}, work{m * n, 1 + m*n, m * n}
	}},
	{op.NewInplace(op.Add, 0), func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}, {1, n}}, work{m * n, m*n + n, m * n}
	}},
	{op.NewInplace(composite("t0=add(i0,i1);t1=exp(t0);t1"), 1), func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}, {m, n}}, work{21 * m * n, 2 * m * n, m * n}
	}},
	{op.Join{Axis: 1}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}, {m, k}}, work{0, m*n + m*k, m*n + m*k} }},
	{op.Cumulate{Axis: 1}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m * n} }},
	{op.Cumulate{Kind: op.Prod}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{m * n, m * n, m * n} }},
	{op.Sort{Axis: 0}, func(m, k, n int) ([][]int, work) {
		return [][]int{{k, n}}, work{map[int]int{4: 2, 8: 3}[k] * k * n, k * n, k * n}
	}},
	{op.ArgSort{Axis: 1}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, k}}, work{map[int]int{4: 2, 8: 3}[k] * m * k, m * k, m * k}
	}},
	{op.SearchSorted{}, func(m, k, n int) ([][]int, work) {
		return [][]int{{k - 1}, {m, n}}, work{map[int]int{4: 2, 8: 3}[k] * m * n, k - 1 + m*n, m * n}
	}},
	{op.Matmul{}, func(m, k, n int) ([][]int, work) {
		return [][]int{{6, m, k}, {1, k, n}}, work{12 * m * n * k, 6*m*k + k*n, 6 * m * n}
	}},
	{op.DeepCopy{}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{0, m * n, m * n} }},
	{op.MakeVector{}, func(m, k, n int) ([][]int, work) { return slices.Repeat([][]int{{}}, m), work{0, m, m} }},
	{op.ShapeI{Axis: 1}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{0, 0, 1} }},
	{op.NewDimShuffle([]int{1, tensor.NewAxis, 0}), func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{} }},
	{op.Print{Message: "x"}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{} }},
	{op.Assert{}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}, {k}}, work{0, k, 0} }},
	{op.SpecifyShape{Dims: "? ?"}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{} }},
	{op.Subtensor{Index: "1 ::2"}, func(m, k, n int) ([][]int, work) { return [][]int{{m, n}}, work{} }},
	{op.IncSubtensor{Index: "1: 0"}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, k, n}, {m - 1, n}}, work{(m - 1) * n, m*k*n + (m-1)*n, m * k * n}
	}},
	{op.IncSubtensor{Index: "::2"}, func(m, k, n int) ([][]int, work) {
		return [][]int{{2 * m, n}, {n}}, work{m * n, 2*m*n + n, 2 * m * n}
	}},
	{op.IncSubtensor{Index: "0", Set: true}, func(m, k, n int) ([][]int, work) {
		return [][]int{{m, n}, {}}, work{0, m*n - n + 1, m * n}
	}},
}

// typed are the costs of nodes with operands of several types, in bytes.
var typed = []struct {
	op      graph.Op
	in      []*graph.Variable
	flops   float64
	read    float64
	written float64
	strides []int // of the first operand, if not in C order
}{
	{op: op.Cast(kernels.Int8), in: operands(kernels.Float32, []int{5, 7}), read: 4 * 35, written: 35},
	{op: op.Lt, in: operands(kernels.Float64, []int{5, 7}, []int{1, 7}), flops: 35, read: 8 * (35 + 7), written: 35},
	{op: op.Sqr, in: operands(kernels.Float64, []int{5, 7}), strides: []int{0, 8}, flops: 35, read: 8 * 7, written: 8 * 35},
	{op: op.Alloc{}, in: append(operands(kernels.Float32, []int{1, 1}), operands(kernels.Int64, nil, nil)...),
		read: 4 + 16, written: 4},
	{op: op.Reshape{Rank: 1}, in: append(operands(kernels.Float32, []int{5, 7}), operands(kernels.Int64, []int{1})...)},
	{op: op.Reshape{Rank: 2}, in: append(operands(kernels.Float32, []int{5, 7}), constant(5, 7)), strides: []int{4, 20},
		read: 4 * 35, written: 4 * 35},
	{op: op.Reduce{Kind: op.Any, Axes: tensor.AxesOf(0)}, in: operands(kernels.Bool, []int{5, 7}), flops: 35, read: 35, written: 7},
	{op: op.Reduce{Kind: op.All, Axes: tensor.AxesOf(1)}, in: operands(kernels.Bool, []int{5, 7}), flops: 35, read: 35, written: 5},
	{op: op.Take{}, in: append(operands(kernels.Float32, []int{5, 7}), constant(1, 1)), read: 4*2*7 + 16, written: 4 * 2 * 7},
	{op: op.Take{}, in: append(operands(kernels.Float32, []int{2, 7}), constant(1, 1, 1)), read: 4*2*7 + 24, written: 4 * 3 * 7},
	{op: op.IncTake{}, in: append(operands(kernels.Float32, []int{5, 7}, []int{2, 7}), constant(1, 1)), flops: 2 * 7,
		read: 4*(5*7+2*7) + 16, written: 4 * 5 * 7},
	{op: op.IncTake{Set: true}, in: append(operands(kernels.Float32, []int{5, 7}, []int{2, 7}), constant(1, 1)),
		read: 4*(5*7+2*7) + 16, written: 4 * 5 * 7},
	{op: op.Repeat{}, in: append(operands(kernels.Float32, []int{5, 7}), scalar(3)), read: 4*5*7 + 8, written: 4 * 15 * 7},
	{op: op.ARange{}, in: []*graph.Variable{scalar(2), scalar(9), scalar(3)}, flops: 2 * 3, read: 24, written: 24},
	{op: op.IncSubtensor{Index: "i:i", Set: true}, in: append(operands(kernels.Float32, []int{9, 7}, []int{3, 7}),
		operands(kernels.Int64, nil, nil)...), read: 4*(6*7+3*7) + 16, written: 4 * 9 * 7},
}

func constant(values ...int64) *graph.Variable {
	return graph.NewConstant(tensor.From(values, len(values)), nil)
}

func scalar(v int64) *graph.Variable {
	return graph.NewConstant(tensor.IntScalar(kernels.Int64, v), nil)
}

func sum(list []float64) float64 {
	s := 0.0
	for _, v := range list {
		s += v
	}
	return s
}

// TestCosts compares costs with counts: of all rows of the table, by their flops, and of structural
// ops, by hand, at two sizes.
func TestCosts(t *testing.T) {
	check := func(o graph.Op, in, out []graph.Array, flops, read, written float64) {
		t.Helper()
		c, ok := o.(graph.Coster)
		if !ok {
			t.Errorf("%s does not know its cost", o.Name())
			return
		}
		got := c.Cost(in, out)
		if len(got.Read) != len(in) || len(got.Written) != len(out) {
			t.Errorf("%s: got costs of %d operands and %d results, want %d and %d", o.Name(), len(got.Read), len(got.Written),
				len(in), len(out))
		}
		if r, w := sum(got.Read), sum(got.Written); got.Flops != flops || r != read || w != written {
			t.Errorf("%s of %v: got %v flops, %v bytes read and %v written, want %v, %v and %v", o.Name(), in, got.Flops, r, w, flops,
				read, written)
		}
	}
	for _, dims := range [][3]int{{3, 4, 5}, {30, 8, 50}} {
		for _, c := range counted {
			shapes, w := c.count(dims[0], dims[1], dims[2])
			in := operands(kernels.Float64, shapes...)
			out, err := (&graph.Builder{}).Make(c.op, in...)
			if err != nil {
				t.Fatal(err)
			}
			written := w.written
			for _, v := range out {
				if v.Type.DType.Size() != 8 {
					t.Fatalf("%s makes %v: it belongs to another table", c.op.Name(), v.Type)
				}
			}
			check(c.op, arraysOf(in), arraysOf(out), float64(w.flops), float64(8*w.read), float64(8*written))
		}
		m, n := dims[0], dims[2]
		for e := range op.Rows {
			for _, d := range kernels.DTypes() {
				in := operands(d, slices.Repeat([][]int{{m, n}}, e.Arity())...)
				in[len(in)-1] = operands(d, []int{m, 1})[0]
				out, err := (&graph.Builder{}).Make(e, in...)
				if err != nil {
					continue // and TestRows says whether that may be
				}
				read := (len(in)-1)*m*n + m
				shape := [][]int{{m, n}}
				switch {
				case e == op.Second:
					read = m
				case len(in) == 1:
					shape = [][]int{{m, 1}}
				}
				check(e, arraysOf(in), arraysOf(out), e.Row().Flops*arrays(shape...)[0].Elements(), float64(read*d.Size()),
					float64(out[0].Type.DType.Size())*arrays(shape...)[0].Elements())
			}
		}
	}
	for _, c := range typed {
		out, err := (&graph.Builder{}).Make(c.op, c.in...)
		if err != nil {
			t.Fatal(err)
		}
		in, results := arraysOf(c.in), arraysOf(out)
		in[0].Strides = c.strides
		for i, a := range results { // what only the run knows
			if slices.Contains(a.Shape, graph.Unknown) {
				results[i].Shape = slices.Repeat([]int{1}, len(a.Shape))
			}
		}
		check(c.op, in, results, c.flops, c.read, c.written)
	}
}

// TestRowFlops: a row without flops only moves.
func TestRowFlops(t *testing.T) {
	moves := []op.Elemwise{op.Identity, op.Second}
	for e := range op.Rows {
		_, cast := e.IsCast()
		if want := cast || slices.Contains(moves, e); (e.Row().Flops == 0) != want {
			t.Errorf("%s has %v flops", e.Name(), e.Row().Flops)
		}
	}
	for _, name := range strings.Fields("add sub mul true_div neg maximum lt switch and floor") {
		if o, err := op.Lookup(name); err != nil || o.(op.Elemwise).Row().Flops != 1 {
			t.Errorf("%s: got %v and %v, want 1 flop", name, o, err)
		}
	}
}

// TestCostOfNothing: arrays without elements cost nothing, and large ones do not wrap.
func TestCostOfNothing(t *testing.T) {
	for _, c := range []struct {
		op   graph.Op
		in   [][]int
		out  []int
		want float64
	}{
		{op.Softmax{Log: true}, [][]int{{3, 0}}, []int{3, 0}, 0},
		{op.Dot{}, [][]int{{3, 0}, {0, 4}}, []int{3, 4}, 0},
		{op.Dot{}, [][]int{{1 << 40, 1 << 20}, {1 << 20, 1 << 40}}, []int{1 << 40, 1 << 40}, 0x1p101},
		{op.Add, [][]int{{1 << 40, 1}, {1, 1 << 40}}, []int{1 << 40, 1 << 40}, 0x1p80},
	} {
		if got := c.op.(graph.Coster).Cost(arrays(c.in...), arrays(c.out)).Flops; got != c.want {
			t.Errorf("%s of %v: got %v flops, want %v", c.op.Name(), c.in, got, c.want)
		}
	}
}
