package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestStructural tries every structural operation on its cases, and asks every method of its
// interface.
func TestStructural(t *testing.T) {
	for _, o := range op.Structurals() {
		t.Run(graph.BaseName(o), func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 12))
			list := optest.Cases(o)
			if len(list) == 0 {
				t.Fatal("no cases")
			}
			if _, ok := o.(graph.Differentiable); !ok && !o.Traits().Has(op.Late) {
				t.Error("got no Grad, want one, or the trait Late")
			}
			for _, c := range list {
				if graph.BaseName(c.Op) != graph.BaseName(o) {
					t.Errorf("case of %s", c.Op.Name())
				}
				if c.Op.Label() == "" || c.Op.Class() == "" {
					t.Errorf("%s has no label for the profile", c.Op.Name())
				}
				if got, err := op.Lookup(c.Op.Name()); err != nil || got != graph.Op(c.Op) {
					t.Errorf("Lookup(%q) = %#v, %v", c.Op.Name(), got, err)
				}
				tryCase(t, r, c)
				checkCaseGradient(t, r, c)
				if i, ok := c.Op.(op.Increment); ok {
					if o, ok := i.InPlace(); ok {
						c.Op = o
						tryCase(t, r, c)
					}
				}
			}
		})
	}
}

// tryCase runs c as it is and with axes of other lengths, which some operations refuse.
func tryCase(t *testing.T, r *rand.Rand, c optest.Case) {
	t.Helper()
	tried := newTrial(r, c, 0, 0)
	tried.check(t, true)
	if c.Op.Traits().Has(op.Moves) {
		tried.strange().check(t, true)
	}
	for _, n := range tried.lengths() {
		for _, m := range []int{0, 1, 5} {
			newTrial(r, c, n, m).check(t, false)
		}
	}
}

// A trial is a case with values for all operands.
type trial struct {
	optest.Case
	values []*tensor.Dense
}

// newTrial draws the values that c leaves open, with axes of length m instead of n.
func newTrial(r *rand.Rand, c optest.Case, n, m int) *trial {
	x := &trial{Case: c}
	for _, o := range c.In {
		v := o.Value
		if v == nil {
			shape := o.Type.Dims()
			for axis, d := range shape {
				if d == n && n > 1 {
					shape[axis] = m
				}
			}
			v = o.Sample(r, shape...)
		}
		x.values = append(x.values, v)
	}
	return x
}

// text writes the types and elements of the operands.
func (x *trial) text() string {
	var words []string
	for _, a := range x.values {
		words = append(words, fmt.Sprint(graph.TypeOfValue(a), a.Floats()))
	}
	return strings.Join(words, ", ")
}

// strange has floats among the open operands that are no numbers, or compare equal to others that
// have other bits.
func (x *trial) strange() *trial {
	z := &trial{Case: x.Case, values: slices.Clone(x.values)}
	special := []float64{math.NaN(), 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)}
	for i, a := range z.values {
		if x.In[i].Value != nil || !a.DType().IsFloat() {
			continue
		}
		list := a.Floats()
		for k := range list {
			if k%2 == 0 {
				list[k] = special[(k/2+i)%len(special)]
			}
		}
		z.values[i] = tensor.From(list, a.Shape()...).AsType(a.DType())
	}
	return z
}

// lengths are those of open operands that newTrial may replace.
func (x *trial) lengths() []int {
	var list []int
	for _, o := range x.In {
		if o.Value == nil {
			list = append(list, o.Type.Dims()...)
		}
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(n int) bool { return n < 2 })
}

// vars makes operands: unknown leaves lengths other than 1 open, fixed makes constants of the
// operands whose values the case gives.
func (x *trial) vars(unknown, fixed bool) []*graph.Variable {
	in := make([]*graph.Variable, len(x.values))
	for i, a := range x.values {
		dims := slices.Clone(a.Shape())
		for axis := range dims {
			if unknown && dims[axis] != 1 {
				dims[axis] = graph.Unknown
			}
		}
		if in[i] = graph.NewInput(fmt.Sprint("x", i), graph.TypeOf(a.DType(), dims...), nil); fixed && x.In[i].Value != nil {
			in[i] = graph.NewConstant(a, nil)
		}
	}
	return in
}

// run computes the results of a node for the values, which an operation that overwrites gets copies
// of.
func (x *trial) run(node *graph.Apply, values []*tensor.Dense, sets kernels.Sets) ([]*tensor.Dense, error) {
	thunk, _, err := node.Op.(op.Linker).Link(node, sets)
	if err != nil {
		return nil, err
	}
	in := slices.Clone(values)
	for _, d := range graph.Destroys(node.Op) {
		in[d.In] = in[d.In].Copy()
	}
	out := make([]*tensor.Dense, len(node.Outputs))
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense {
		a := tensor.New(d, shape...)
		if d.IsFloat() {
			a.Fill(math.NaN())
		}
		return a
	}}
	if err := thunk(call, in, out); err != nil {
		return nil, err
	}
	for i, a := range out {
		out[i] = a.Copy()
	}
	return out, nil
}

// check compares what the operation says with what it does. Only if must, it has to do it.
func (x *trial) check(t *testing.T, must bool) {
	t.Helper()
	b := &graph.Builder{}
	what := fmt.Sprintf("%s of %s", x.Op.Name(), x.text())
	var want []*tensor.Dense
	for _, known := range []struct{ unknown, fixed bool }{{false, true}, {true, true}, {true, false}, {false, false}} {
		outs, err := b.Make(x.Op, x.vars(known.unknown, known.fixed)...)
		if err != nil {
			if must {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		node := outs[0].Owner
		got, err := x.run(node, x.coerced(t, node), kernels.Sets{kernels.GoSet})
		if err != nil {
			if must || want != nil {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		for i, a := range got {
			if v := outs[i]; v.Type.DType != a.DType() || !v.Type.AcceptsShape(a.Shape()) {
				t.Errorf("%s: result %d: Infer said %v, got %v", what, i, v.Type, graph.TypeOfValue(a))
				return
			}
		}
		if want == nil {
			want = got
			x.checkCost(t, node, got)
			x.checkText(t, node)
			x.checkMoves(t, node, got)
			continue
		}
		compare(t, what+", less known", got, want, 0)
		x.checkLengths(t, node, got)
	}
	x.checkLayouts(t, want)
}

// coerced are the values of node's operands, which Coerce may have converted.
func (x *trial) coerced(t *testing.T, node *graph.Apply) []*tensor.Dense {
	t.Helper()
	byName := make(map[*graph.Variable]*tensor.Dense)
	for _, v := range graph.Toposort(node.Inputs) {
		for _, u := range v.Inputs {
			x.bind(byName, u)
		}
	}
	in := make([]*tensor.Dense, len(node.Inputs))
	for i, v := range node.Inputs {
		x.bind(byName, v)
		in[i] = eval(t, v, byName)
	}
	return in
}

// bind gives an input of vars its value.
func (x *trial) bind(values map[*graph.Variable]*tensor.Dense, v *graph.Variable) {
	var i int
	if !v.IsInput() {
		return
	}
	if _, err := fmt.Sscanf(v.Name, "x%d", &i); err == nil {
		values[v] = x.values[i]
	}
}

func (x *trial) checkCost(t *testing.T, node *graph.Apply, out []*tensor.Dense) {
	t.Helper()
	arrays := func(list []*tensor.Dense) []graph.Array {
		all := make([]graph.Array, len(list))
		for i, a := range list {
			all[i] = graph.Array{ItemSize: a.DType().Size(), Shape: a.Shape(), Strides: a.Strides()}
		}
		return all
	}
	in := x.coerced(t, node)
	cost := x.Op.Cost(arrays(in), arrays(out))
	if len(cost.Read) != len(node.Inputs) || len(cost.Written) != len(out) {
		t.Errorf("%s: got costs of %d operands and %d results, want %d and %d", x, len(cost.Read), len(cost.Written), len(node.Inputs), len(out))
	}
	moved := 0.0
	for _, n := range slices.Concat([]float64{cost.Flops}, cost.Read, cost.Written) {
		if n < 0 || math.IsInf(n, 0) || n != n {
			t.Errorf("%s: got cost %v, want a finite number", x, cost)
		}
		moved += n
	}
	// No element is read or written twice, or an operation says more than the memory's traffic.
	// What is no view writes its results, if not a part of what it overwrites.
	_, increments := x.Op.(op.Increment)
	partly := increments && len(graph.Destroys(x.Op)) > 0
	for i, n := range cost.Read {
		if size := float64(in[i].DType().Size() * in[i].Size()); n > size {
			t.Errorf("%s: says that it reads %v bytes of operand %d, which has %v", x, n, i, size)
		}
	}
	for i, n := range cost.Written {
		size := float64(out[i].DType().Size() * out[i].Size())
		if n != size && (n != 0 || len(graph.Views(x.Op)) == 0) && !(partly && n < size) {
			t.Errorf("%s: says that it writes %v bytes of result %d, which has %v", x, n, i, size)
		}
	}
	if moved == 0 && len(graph.Views(x.Op)) == 0 && out[0].Size() > 0 && !partly {
		t.Errorf("%s: costs nothing, and is no view", x)
	}
}

// checkText: the text form reads back.
func (x *trial) checkText(t *testing.T, node *graph.Apply) {
	t.Helper()
	var in []*graph.Variable
	for _, n := range graph.Toposort(node.Outputs) {
		for _, v := range n.Inputs {
			if v.IsInput() && !slices.Contains(in, v) {
				in = append(in, v)
			}
		}
	}
	fg := &graph.FunctionGraph{Inputs: in, Outputs: node.Outputs}
	again, err := graph.Parse("case", fg.String(), op.Lookup)
	if err != nil || again.String() != fg.String() {
		t.Errorf("%s: got\n%v%v\nwant\n%v", x, again, err, fg)
	}
}

// checkMoves: the elements of what moves are elements of operands.
func (x *trial) checkMoves(t *testing.T, node *graph.Apply, out []*tensor.Dense) {
	t.Helper()
	if !x.Op.Traits().Has(op.Moves) {
		return
	}
	for i, z := range out {
		known := make(map[string]bool)
		for _, a := range x.coerced(t, node) {
			if a.DType() == z.DType() {
				for _, e := range elementsOf(a) {
					known[e] = true
				}
			}
		}
		for _, e := range elementsOf(z) {
			if !known[e] {
				t.Errorf("%s: result %d has %s, which no operand has, and the trait Moves", x, i, e)
			}
		}
	}
}

// elementsOf writes each element, bit for bit but that a nan is a nan.
func elementsOf(a *tensor.Dense) []string {
	var list []string
	if a.DType().IsFloat() {
		for _, v := range a.Floats() {
			if v != v {
				v = math.NaN()
			}
			list = append(list, fmt.Sprintf("%x", math.Float64bits(v)))
		}
		return list
	}
	for _, v := range a.Copy().Ints() {
		list = append(list, fmt.Sprint(v))
	}
	return list
}

// checkLengths compares what Length says with the results.
func (x *trial) checkLengths(t *testing.T, node *graph.Apply, out []*tensor.Dense) {
	t.Helper()
	b := &graph.Builder{}
	values := make(map[*graph.Variable]*tensor.Dense)
	for i, v := range node.Outputs {
		for axis := range v.Type.Rank() {
			if v.Type.Dim(axis) != graph.Unknown {
				continue
			}
			n := x.Op.Length(b, v, axis)
			if n == nil {
				continue
			}
			for _, node := range graph.Toposort([]*graph.Variable{n}) {
				for _, u := range node.Inputs {
					x.bind(values, u)
				}
			}
			x.bind(values, n)
			if n.Type != graph.TypeOf(kernels.Int64) {
				t.Errorf("%s: Length of axis %d is %v, want an int64 scalar", x, axis, n.Type)
			} else if got := eval(t, n, values).Ints()[0]; int(got) != out[i].Dim(axis) {
				t.Errorf("%s of %s: Length of axis %d is %d, want %d", x.Op.Name(), x.text(), axis, got, out[i].Dim(axis))
			}
		}
	}
}

// checkLayouts: C kernels compute the same, of operands however they lie in memory.
func (x *trial) checkLayouts(t *testing.T, want []*tensor.Dense) {
	t.Helper()
	b := &graph.Builder{}
	outs, err := b.Make(x.Op, x.vars(true, true)...)
	if err != nil {
		t.Fatal(err)
	}
	node := outs[0].Owner
	values := x.coerced(t, node)
	for _, layout := range []struct {
		name string
		of   func(*tensor.Dense) *tensor.Dense
	}{{"contiguous", func(a *tensor.Dense) *tensor.Dense { return a }}, {"transposed", transposed}, {"backwards", backwards}} {
		in := make([]*tensor.Dense, len(values))
		for i, a := range values {
			in[i] = layout.of(a)
		}
		for name, sets := range implementations() {
			got, err := x.run(node, in, sets)
			if err != nil {
				t.Errorf("%s, %s operands, %s: %v", x, layout.name, name, err)
				continue
			}
			compare(t, fmt.Sprintf("%s, %s operands, %s", x, layout.name, name), got, want, tolerance(x.Op, want))
		}
	}
	// A stride of 0 repeats: the same as the elements written out.
	wide, full := slices.Clone(values), slices.Clone(values)
	for i, a := range values {
		if i >= len(x.In) || x.In[i].Value != nil || a.Rank() == 0 || a.Size() == 0 {
			continue
		}
		row, err := a.Subscript(tensor.Index{Stop: new(1)})
		if err != nil {
			t.Fatal(err)
		}
		wide[i], _ = row.BroadcastTo(a.Shape())
		full[i] = wide[i].Copy()
	}
	repeated, err := x.run(node, full, kernels.Sets{kernels.GoSet})
	if err != nil {
		return // the elements are not what the operation wants
	}
	for name, sets := range implementations() {
		got, err := x.run(node, wide, sets)
		if err != nil {
			t.Errorf("%s, operands of stride 0, %s: %v", x, name, err)
			continue
		}
		compare(t, fmt.Sprintf("%s, operands of stride 0, %s", x, name), got, repeated, tolerance(x.Op, want))
	}
}

// implementations are the kernels in Go, and those in C for each instruction set that the processor
// has.
func implementations() map[string]kernels.Sets {
	all := map[string]kernels.Sets{"Go": {kernels.GoSet}}
	for _, s := range native.Sets() {
		all["C for "+s.ISA()] = kernels.Sets{s, kernels.GoSet}
	}
	return all
}

// tolerance is 0 where an operation only moves.
func tolerance(o op.Structural, out []*tensor.Dense) float64 {
	switch {
	case o.Traits().Has(op.Moves):
		return 0
	case slices.ContainsFunc(out, func(a *tensor.Dense) bool { return a.DType() == kernels.Float32 }):
		return 1e-5
	}
	return 1e-13
}

// transposed lies in memory with the axes in reverse.
func transposed(a *tensor.Dense) *tensor.Dense {
	axes := make([]int, a.Rank())
	for i := range axes {
		axes[i] = a.Rank() - 1 - i
	}
	turned, err := a.DimShuffle(axes)
	if err != nil {
		panic(err)
	}
	if turned, err = turned.Copy().DimShuffle(axes); err != nil {
		panic(err)
	}
	return turned
}

// backwards lies in memory from the last element to the first, in every second place.
func backwards(a *tensor.Dense) *tensor.Dense {
	if a.Rank() == 0 || a.Size() == 0 {
		return a
	}
	shape := slices.Clone(a.Shape())
	shape[len(shape)-1] *= 2
	back := make([]tensor.Index, len(shape))
	for axis := range back {
		back[axis].Step = new(-1)
	}
	back[len(back)-1].Step = new(-2)
	z, err := tensor.New(a.DType(), shape...).Subscript(back...)
	if err != nil {
		panic(err)
	}
	tensor.CopyTo(z, a)
	return z
}

// compare wants equal types and shapes, and elements that differ by no more than tol of their size;
// with 0 the same bits.
func compare(t *testing.T, what string, got, want []*tensor.Dense, tol float64) {
	t.Helper()
	for i := range want {
		if graph.TypeOfValue(got[i]) != graph.TypeOfValue(want[i]) {
			t.Errorf("%s: result %d: got %v, want %v", what, i, graph.TypeOfValue(got[i]), graph.TypeOfValue(want[i]))
			continue
		}
		if g, w := elementsOf(got[i]), elementsOf(want[i]); slices.Equal(g, w) {
			continue
		}
		if tol == 0 || !want[i].DType().IsFloat() {
			t.Errorf("%s: result %d: got %v, want %v", what, i, got[i].Floats(), want[i].Floats())
			continue
		}
		g, w := got[i].Floats(), want[i].Floats()
		for k := range g {
			if math.Abs(g[k]-w[k]) > tol*(1+math.Abs(w[k])) || (g[k] != g[k]) != (w[k] != w[k]) {
				t.Errorf("%s: result %d, element %d: got %v, want %v", what, i, k, g[k], w[k])
			}
		}
	}
}

// checkCaseGradient compares the gradient with respect to the open operands, and how results move
// in a direction, with central differences: lengths known and not, and of axes of other lengths,
// which some operations refuse.
func checkCaseGradient(t *testing.T, r *rand.Rand, c optest.Case) {
	t.Helper()
	if c.Op.Traits()&(op.Late|op.Bends) != 0 {
		return
	}
	var open []optest.Operand
	for _, o := range c.In {
		switch {
		case o.Value != nil:
		case o.Type.DType != kernels.Float64:
			return
		default:
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		return
	}
	build := func(open ...*graph.Variable) []*graph.Variable {
		b := &graph.Builder{}
		in := make([]*graph.Variable, len(c.In))
		for i, o := range c.In {
			if o.Value != nil {
				in[i] = b.Constant(o.Value)
				continue
			}
			in[i], open = open[0], open[1:]
		}
		out, _ := b.Make(c.Op, in...)
		return out
	}
	check := func(unknown bool, n, m int) {
		tried := newTrial(r, c, n, m)
		outs, err := (&graph.Builder{}).Make(c.Op, tried.vars(false, true)...)
		if err == nil {
			_, err = tried.run(outs[0].Owner, tried.coerced(t, outs[0].Owner), kernels.Sets{kernels.GoSet})
		}
		if err != nil {
			if n == 0 {
				t.Errorf("%s: %v", c, err)
			}
			return
		}
		var values []*tensor.Dense
		for i, o := range c.In {
			if o.Value == nil {
				values = append(values, tried.values[i])
			}
		}
		checkGradient(t, r, values, build, unknown)
		checkPushforward(t, r, values, build, unknown)
	}
	check(false, 0, 0)
	check(true, 0, 0)
	for _, n := range newTrial(r, c, 0, 0).lengths() {
		for _, m := range []int{0, 1, 5} {
			check(m != 1, n, m)
		}
	}
}

// checkPushforward compares grad.Rop with how the results change along random directions.
func checkPushforward(t *testing.T, r *rand.Rand, operands []*tensor.Dense, build func(in ...*graph.Variable) []*graph.Variable, unknown bool) {
	t.Helper()
	b := &graph.Builder{}
	in, values := inputs(operands, unknown)
	along := make([]*graph.Variable, len(in))
	for i, v := range in {
		along[i] = graph.NewInput(fmt.Sprint("v", i), v.Type, nil)
		values[along[i]] = sample(r, kernels.Float64, -1, 1, operands[i].Shape()...)
	}
	at := func(h float64) map[*graph.Variable]*tensor.Dense {
		moved := make(map[*graph.Variable]*tensor.Dense)
		for i, v := range in {
			list := values[v].Floats()
			for k, d := range values[along[i]].Floats() {
				list[k] += h * d
			}
			moved[v] = tensor.From(list, values[v].Shape()...)
		}
		return moved
	}
	for i, y := range build(in...) {
		if !y.Type.DType.IsFloat() {
			continue
		}
		slopes, err := grad.Rop(b, []*graph.Variable{y}, in, along, grad.Options{Disconnected: func(*graph.Variable) error { return nil }})
		if refusesGradient(err) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", y.Owner.Op.Name(), err)
			continue
		}
		const h = 1e-6
		got, up, down := eval(t, slopes[0], values).Floats(), eval(t, y, at(h)).Floats(), eval(t, y, at(-h)).Floats()
		if len(got) != len(up) {
			t.Errorf("%s, result %d: got %d slopes, want %d", y.Owner.Op.Name(), i, len(got), len(up))
			continue
		}
		for k := range got {
			want := (up[k] - down[k]) / (2 * h)
			if math.IsInf(up[k], 0) || math.IsNaN(up[k]) && math.IsNaN(got[k]) || jumped(y.Owner.Op, want) {
				continue
			}
			if !(math.Abs(got[k]-want) <= 1e-4*(1+math.Abs(want))) {
				t.Errorf("%s, result %d, element %d of operands %v: it moves by %v, want %v", y.Owner.Op.Name(), i, k, typesOf(operands), got[k], want)
			}
		}
	}
}

func typesOf(list []*tensor.Dense) []graph.Type {
	types := make([]graph.Type, len(list))
	for i, a := range list {
		types[i] = graph.TypeOfValue(a)
	}
	return types
}

// TestCaseText: what stands in Cases.
func TestCaseText(t *testing.T) {
	var lines []string
	for _, c := range optest.Cases(op.Alloc{}) {
		lines = append(lines, c.String())
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{"alloc bool[1,3] int64 int64", "alloc float32[1,1,3] int64 int64 int64", "alloc uint8"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %s", text, want)
		}
	}
}
