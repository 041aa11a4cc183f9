package op_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestRows walks the table: a new row is tested without a new test.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for e := range op.Rows {
		row := e.Row()
		t.Run(row.Name, func(t *testing.T) {
			if row.Name == "" || row.Doc == "" || row.Args == "" || row.Grad == nil {
				t.Fatalf("op %d: want Name, Args, Doc and Grad, got %+v", e, row)
			}
			if _, isCast := e.IsCast(); !isCast && row.Example == "" {
				t.Errorf("op %s has no example", row.Name)
			}
			if _, isCast := e.IsCast(); !isCast && (e.Kernel().Name != row.Name || e.Kernel().Arity != e.Arity() || row.Takes == 0 || row.Names == "") {
				t.Errorf("op %s: want its kernel, of %d operands, Takes and Names, got %+v", row.Name, e.Arity(), row)
			}
			if got, err := op.Lookup(row.Name); err != nil || got != graph.Op(e) {
				t.Errorf("Lookup(%q) = %v, %v", row.Name, got, err)
			}
			for _, d := range kernels.DTypes() {
				in := make([]*graph.Variable, e.Arity())
				values := make(map[*graph.Variable]*tensor.Dense)
				for i := range in {
					in[i] = graph.NewInput("x", graph.TypeOf(d, 2, 3), nil)
					lo, hi := e.DomainOf(i).Range()
					values[in[i]] = sample(r, d, lo, hi, 2, 3)
				}
				b := &graph.Builder{}
				out, err := b.Make(e, in...)
				if err != nil {
					if d.IsFloat() && strings.Contains(err.Error(), "integer") {
						continue
					}
					t.Fatalf("%s of %v: %v", row.Name, d, err)
				}
				eval(t, out[0], values) // checks that Infer told the truth
			}
		})
	}
}

// cases are variables made by each structural op from float64 inputs, all differentiable.
func cases(b *graph.Builder) map[string]func(in ...*graph.Variable) *graph.Variable {
	one := func(o graph.Op) func(in ...*graph.Variable) *graph.Variable {
		return func(in ...*graph.Variable) *graph.Variable { return b.Apply(o, in...) }
	}
	return map[string]func(in ...*graph.Variable) *graph.Variable{
		"2x3: dimshuffle{1,x,0}":     one(op.NewDimShuffle([]int{1, tensor.NewAxis, 0})),
		"1x3: dimshuffle drop":       one(op.NewDimShuffle([]int{1})),
		"2x3: sum":                   one(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(2)}),
		"2x3: sum 0":                 one(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}),
		"2x3x4: sum 0 2":             one(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0, 2)}),
		"2x3x4: sum 1":               one(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(1)}),
		"2x3: prod 1":                one(op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(1)}),
		"2x3: max 1":                 one(op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(1)}),
		"2x3: min 0":                 one(op.Reduce{Kind: op.Min, Axes: tensor.AxesOf(0)}),
		"2x3: mean 1":                func(in ...*graph.Variable) *graph.Variable { return op.Mean(b, in[0], tensor.AxesOf(1)) },
		"3,3: dot":                   one(op.Dot{}),
		"2x3,3: dot":                 one(op.Dot{}),
		"2,2x3: dot":                 one(op.Dot{}),
		"2x3,3x4: dot":               one(op.Dot{}),
		"2x3: softmax":               one(op.Softmax{}),
		"3: softmax":                 one(op.Softmax{}),
		"2x3: logsoftmax":            one(op.Softmax{Log: true}),
		"4x3: subtensor 1":           one(op.Subtensor{Index: "1"}),
		"4x3: subtensor 1:4:2 ::-1":  one(op.Subtensor{Index: "1:4:2 ::-1"}),
		"4x3: subtensor -1 1:":       one(op.Subtensor{Index: "-1 1:"}),
		"4x3,2x3: inc_subtensor":     one(op.IncSubtensor{Index: "1:3"}),
		"4x3,3: inc_subtensor bcast": one(op.IncSubtensor{Index: "1:3"}),
		"4x3,2x3: set_subtensor":     one(op.IncSubtensor{Index: "1:3", Set: true}),
		"2x3: deep_copy":             one(op.DeepCopy{}),
		"2x3: specify_shape":         one(op.SpecifyShape{Dims: "2 ?"}),
		"2x3: composite":             one(op.Sqr),
		"2x3: reshape": func(in ...*graph.Variable) *graph.Variable {
			return b.Apply(op.Reshape{Rank: 1}, in[0], b.Constant(tensor.From([]int64{-1}, 1)))
		},
		"1x3: alloc": func(in ...*graph.Variable) *graph.Variable {
			n := func(v int64) *graph.Variable { return b.Constant(tensor.IntScalar(kernels.Int64, v)) }
			return b.Apply(op.Alloc{}, in[0], n(2), n(4), n(3))
		},
		",,: make_vector":         one(op.MakeVector{}),
		"2x3,1x3: add broadcasts": one(op.Add),
		"2x3,3: mul pads":         one(op.Mul),
		"2x3,: sub scalar":        one(op.Sub),
		"2x1,1x3: arctan2":        one(op.Arctan2),
	}
}

func shapes(name string) [][]int {
	spec, _, _ := strings.Cut(name, ":")
	var list [][]int
	for _, s := range strings.Split(spec, ",") {
		var shape []int
		if s != "" {
			for _, d := range strings.Split(s, "x") {
				var n int
				fmt.Sscan(d, &n)
				shape = append(shape, n)
			}
		}
		list = append(list, shape)
	}
	return list
}

// TestGradients compares every gradient with central differences.
func TestGradients(t *testing.T) {
	b := &graph.Builder{}
	r := rand.New(rand.NewPCG(3, 4))
	for name, build := range cases(b) {
		t.Run(name, func(t *testing.T) {
			// Unknown lengths must not change the gradient; lengths of 1 stay known, since they
			// broadcast.
			for _, unknown := range []bool{false, true} {
				values := make([]*tensor.Dense, len(shapes(name)))
				for i, shape := range shapes(name) {
					values[i] = sample(r, kernels.Float64, -2, 2, shape...)
				}
				checkGradient(t, r, values, one(build), unknown)
			}
		})
	}
	for e := range op.Rows {
		row := e.Row()
		if to, isCast := e.IsCast(); isCast && !to.IsFloat() || isCast && to == kernels.Float32 {
			continue
		}
		if _, err := b.Make(e, floatInputs(e.Arity())...); err != nil {
			continue // defined for integers only
		}
		t.Run(row.Name, func(t *testing.T) {
			var orders []*graph.Variable // whole numbers, which all orders may be
			for i := range row.Orders {
				orders = append(orders, b.Constant(tensor.From([]float64{1, 2, 3, float64(2 + i), 3, 1}, 2, 3)))
			}
			values := make([]*tensor.Dense, e.Arity()-row.Orders)
			for i := range values {
				lo, hi := e.DomainOf(row.Orders + i).Range()
				values[i] = sample(r, kernels.Float64, lo, hi, 2, 3)
			}
			checkGradient(t, r, values, one(func(in ...*graph.Variable) *graph.Variable {
				return b.Apply(e, append(slices.Clip(orders), in...)...)
			}), false)
		})
	}
}

// one makes several results of one.
func one(build func(in ...*graph.Variable) *graph.Variable) func(in ...*graph.Variable) []*graph.Variable {
	return func(in ...*graph.Variable) []*graph.Variable { return []*graph.Variable{build(in...)} }
}

func floatInputs(n int) []*graph.Variable {
	in := make([]*graph.Variable, n)
	for i := range in {
		in[i] = graph.NewInput("x", graph.TypeOf(kernels.Float64, 2, 3), nil)
	}
	return in
}

// checkGradient differentiates sum(weights * f(x)), over all results that are floats, and compares
// with (f(x+h) - f(x-h)) / 2h. With unknown only lengths of 1 are known.
func checkGradient(t *testing.T, r *rand.Rand, operands []*tensor.Dense, build func(in ...*graph.Variable) []*graph.Variable, unknown bool) {
	t.Helper()
	b := &graph.Builder{}
	in, values := inputs(operands, unknown)
	out := build(in...)
	for i := range out { // each result by itself, and all together
		checkGradientOf(t, r, b, in, values, out[i:i+1])
	}
	if len(out) > 1 {
		checkGradientOf(t, r, b, in, values, out)
	}
}

// inputs are variables for operands. With unknown only lengths of 1 are known.
func inputs(operands []*tensor.Dense, unknown bool) (in []*graph.Variable, values map[*graph.Variable]*tensor.Dense) {
	in, values = make([]*graph.Variable, len(operands)), make(map[*graph.Variable]*tensor.Dense)
	for i, a := range operands {
		dims := slices.Clone(a.Shape())
		for j := range dims {
			if unknown && dims[j] != 1 {
				dims[j] = graph.Unknown
			}
		}
		in[i] = graph.NewInput(fmt.Sprint("x", i), graph.TypeOf(kernels.Float64, dims...), nil)
		values[in[i]] = a
	}
	return in, values
}

// refusesGradient: TestRefusedGradients knows which.
func refusesGradient(err error) bool {
	refused := new(graph.Error)
	return errors.As(err, &refused) && (strings.Contains(refused.Msg, "no gradient") || strings.Contains(refused.Msg, "only those"))
}

func checkGradientOf(t *testing.T, r *rand.Rand, b *graph.Builder, in []*graph.Variable, values map[*graph.Variable]*tensor.Dense, out []*graph.Variable) {
	t.Helper()
	var cost *graph.Variable
	for _, y := range out {
		if !y.Type.DType.IsFloat() {
			continue
		}
		weights := b.Constant(sample(r, kernels.Float64, 0.5, 1.5, eval(t, y, values).Shape()...))
		weighted := b.Apply(op.Mul, weights, y)
		part := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(weighted.Type.Rank())}, weighted)
		if cost == nil {
			cost = part
		} else {
			cost = b.Apply(op.Add, cost, part)
		}
	}
	if cost == nil {
		return
	}
	grads, err := grad.Grad(b, cost, in, grad.Options{Disconnected: func(*graph.Variable) error { return nil }})
	if refusesGradient(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range in {
		g := eval(t, grads[i], values)
		x := tensor.Elements[float64](values[v])
		for j, got := range g.Floats() {
			const h = 1e-6
			old := x[j]
			x[j] = old + h
			up := eval(t, cost, values).Floats()[0]
			x[j] = old - h
			down := eval(t, cost, values).Floats()[0]
			x[j] = old
			want := (up - down) / (2 * h)
			if jumped(out[0].Owner.Op, want) {
				continue
			}
			if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) || got != got {
				t.Errorf("%s: gradient %d, element %d at %v: got %v, want %v", out[0].Owner.Op.Name(), i, j, old, got, want)
			}
		}
	}
}

// jumped reports whether a slope is a jump between x-h and x+h, as that of the sign of an
// eigenvector.
func jumped(o graph.Op, slope float64) bool {
	s, ok := o.(op.Structural)
	return ok && s.Traits().Has(op.Jumps) && math.Abs(slope) > 1e4
}

// composite is a body's text.
func composite(code string) op.Composite {
	body, err := graph.ParseBody(code, op.Lookup)
	if err != nil {
		panic(err)
	}
	return op.Composite{Body: body}
}

// TestNames: an op is comparable, and its name reads back. (TestStructural asks the others.)
func TestNames(t *testing.T) {
	for _, o := range []graph.Op{
		op.Add, op.Cast(kernels.Int8), op.NewInplace(op.Add, 1),
		composite("t0=add(i0,i1);t1=exp(t0);t1"),
		op.NewInplace(composite("t0=add(i0,i1);t0"), 0),
		composite("t0=add(i0,i1);t1=exp(t0);t2=sum{axes=0 1}(t1);t3=max{axes=0 1}(i0);t2,t0,t3"),
		op.NewInplace(composite("t0=add(i0,i1);t0,i0"), tensor.NewAxis, 1),
		op.NewDimShuffle(nil), op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(0, 2)}, op.Argmax{Axis: 2, Min: true},
		op.Subtensor{Index: "i:i 0 ::-1"}, op.IncSubtensor{Index: "1: 0", Set: true},
	} {
		if !reflect.TypeOf(o).Comparable() {
			t.Errorf("%T is not comparable", o)
		}
		got, err := op.Lookup(o.Name())
		if err != nil || got != o {
			t.Errorf("Lookup(%q) = %#v, %v; want %#v", o.Name(), got, err, o)
		}
	}
	for _, bad := range []string{"adds", "sum{axis=0}", "sum{axes=9}", "inplace{in=0,op=dot}",
		"inplace{in=0,op=inplace{in=0,op=add}}", "reshape{rank=x}"} {
		if got, err := op.Lookup(bad); err == nil {
			t.Errorf("Lookup(%q) = %v, want an error", bad, got)
		}
	}
}

func TestInferErrors(t *testing.T) {
	m := func(dims ...int) *graph.Variable {
		return graph.NewInput("", graph.TypeOf(kernels.Float64, dims...), nil)
	}
	for _, c := range []struct {
		op   graph.Op
		in   []*graph.Variable
		want string
	}{
		{op.Add, []*graph.Variable{m(3, 4), m(5, 4)}, "add: shapes (3, 4) and (5, 4) do not broadcast: axis 0 is 3 and 5"},
		{op.Dot{}, []*graph.Variable{m(3, 4), m(5, 4)},
			"dot: shapes (3, 4) and (5, 4) do not fit: axis 1 of the first is 4 and axis 0 of the second is 5"},
		{op.Dot{}, []*graph.Variable{m(), m(5)}, "operand 0: got 0 dimensions, want a vector or a matrix"},
		{op.And, []*graph.Variable{m(), m()}, "and: got float64 and float64, want bool or an integer"},
		{op.NewDimShuffle([]int{1}), []*graph.Variable{m(3, 4)}, "cannot drop axis 0: its length is not known to be 1"},
		{op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(2)}, []*graph.Variable{m(3, 4)}, "axes 2 are out of bounds for 2 dimensions"},
		{op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(0)}, []*graph.Variable{m(0, 4)}, "max of no elements is not defined"},
		{op.Subtensor{Index: "5"}, []*graph.Variable{m(3)}, "index 5 is out of bounds for axis 0 of length 3"},
		{op.Subtensor{Index: "0 0"}, []*graph.Variable{m(3)}, "too many indices: got 2, want at most 1"},
		{op.Softmax{}, []*graph.Variable{m()}, "want floats of at least 1 dimension"},
	} {
		_, err := (&graph.Builder{}).Make(c.op, c.in...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.op.Name(), err, c.want)
		}
	}
}

// TestRunErrors: what only the run can find, with the way out.
func TestRunErrors(t *testing.T) {
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 2), graph.At(graph.Pos{File: "net.star", Line: 2, Col: 5}))
	y := graph.NewInput("y", graph.AnyShape(kernels.Float64, 2), nil)
	sum := b.Apply(op.Add, x, y)
	_, err := tryEval(sum,
		map[*graph.Variable]*tensor.Dense{x: tensor.New(kernels.Float64, 1, 3), y: tensor.New(kernels.Float64, 4, 3)})
	for _, want := range []string{
		"add: shapes (1, 3) and (4, 3) do not fit: axis 0 is 1 and 4",
		"net.star:2:5: x is float64[?,?] and has shape (1, 3)",
		"declare the variable with T.row, T.col",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// TestCompositeExpression: the text that the profile shows.
func TestCompositeExpression(t *testing.T) {
	for _, c := range []struct {
		code, want string
	}{
		{"t0=add(i1,i2);t1=mul(i0,t0);t1", "(i0 * (i1 + i2))"},
		{"t0=exp(i0);t1=add(t0,i1);t2=true_div(t0,t1);t2", "((t0 = exp(i0)) / (t0 + i1))"},
		{"t0=cast_float32(i0);t1=neg(t0);t1", "(-Cast{float32}(i0))"},
		{"t0=mul(i0,i1);t1=sum{axes=0}(t0);t0,t1", "(t0 = (i0 * i1)), sum(t0, axis=[0])"},
		{"t0=sqr(i0);t1=max{axes=1 2}(t0);t1", "max(sqr(i0), axis=[1, 2])"},
	} {
		if got := composite(c.code).Expression(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.code, got, c.want)
		}
	}
}
