package debugmode_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// strict is DebugMode with all layouts of memory, in steps along the last ndim axes. Values need
// not be finite: special ones are among the operands.
func strict(ndim int) *debugmode.Options {
	o := debugmode.Default()
	o.Preallocated, o.CheckFinite, o.Patience, o.Ndim = debugmode.Patterns, false, 1, ndim
	return &o
}

// An exercise is an operation with operands for it.
type exercise struct {
	op    graph.Op
	in    []*tensor.Dense
	fixed []bool // which are constants
	must  bool   // the operation takes them
	// rewritten asks for fast_run too, in which rules meet the operation.
	rewritten bool
}

// TestBatteryStructural calls every structural operation on its cases in DebugMode: as they are,
// empty, with axes of length 1, with special values, and with operands that lie in memory in all
// ways.
func TestBatteryStructural(t *testing.T) {
	for _, o := range op.Structurals() {
		t.Run(graph.BaseName(o), func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			calls := 0
			seen := make(map[string]bool) // operations with operands of some lengths: those of other types run the same code
			for _, c := range optest.Cases(o) {
				key := c.Op.Name()
				for _, operand := range c.In {
					key += " " + operand.Type.WithDType(kernels.Bool).String()
				}
				for _, e := range exercisesOf(r, c, !seen[key]) {
					if e.try(t) {
						calls++
					}
				}
				seen[key] = true
			}
			if calls == 0 {
				t.Error("never ran")
			}
		})
	}
}

// exercisesOf are those of a case, with other lengths too if it is the first of its kind.
func exercisesOf(r *rand.Rand, c optest.Case, first bool) []exercise {
	var lengths []int
	fixed := make([]bool, len(c.In))
	for i, o := range c.In {
		if fixed[i] = o.Value != nil; !fixed[i] {
			lengths = append(lengths, o.Type.Dims()...)
		}
	}
	slices.Sort(lengths)
	lengths = slices.DeleteFunc(slices.Compact(lengths), func(n int) bool { return n < 2 })
	draw := func(n, m int, special bool) exercise {
		e := exercise{op: c.Op, fixed: fixed, must: n == 0 && !special}
		for _, o := range c.In {
			a := o.Value
			if a == nil {
				shape := o.Type.Dims()
				for axis := range shape {
					if shape[axis] == n {
						shape[axis] = m
					}
				}
				if a = o.Sample(r, shape...); special && o.Kind != optest.Finite {
					a = sprinkled(r, a, oddFloats[:5])
				}
			}
			e.in = append(e.in, a)
		}
		return e
	}
	list := []exercise{draw(0, 0, false), draw(0, 0, true)}
	if !first {
		return list
	}
	list[0].rewritten = true
	for _, n := range lengths {
		list = append(list, draw(n, 0, false), draw(n, 1, false))
	}
	return list
}

// TestBatteryElementwise calls every row of the table in DebugMode, for each type that it takes:
// operands that broadcast, empty ones, and special values.
func TestBatteryElementwise(t *testing.T) {
	for e := range op.Rows {
		t.Run(e.Name(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 8))
			calls := 0
			for k, d := range kernels.DTypes() {
				for _, last := range []kernels.DType{d, kernels.DTypes()[(k+3)%len(kernels.DTypes())]} { // of the last operand
					for _, shapes := range [][2][]int{{{3, 4}, {3, 4}}, {{3, 4}, {1, 4}}, {{0, 4}, {1, 4}}, {{}, {}}} {
						if last != d && len(shapes[1]) > 0 && shapes[1][0] == 1 {
							continue
						}
						x := exercise{op: e, fixed: make([]bool, e.Arity()), rewritten: len(shapes[0]) == 2 && shapes[1][0] == 1}
						for i := range e.Arity() {
							dtype := d
							if i > 0 && i == e.Arity()-1 {
								dtype = last
							}
							a := optest.Sample(r, dtype, shapes[i%2]...)
							if len(shapes[1]) > 0 && shapes[1][0] == 3 {
								a = sprinkled(r, a, oddFloats)
							}
							x.in = append(x.in, a)
						}
						if x.try(t) {
							calls++
						}
					}
				}
			}
			if calls == 0 {
				t.Error("never ran")
			}
		})
	}
}

// oddFloats are special. Of sums and products only those in any order give the same that come
// first.
var oddFloats = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-310, 1e308, -1e38, 1e-40}

// sprinkled has some of the floats, or ends of the integers, among its elements.
func sprinkled(r *rand.Rand, a *tensor.Dense, floats []float64) *tensor.Dense {
	d := a.DType()
	if d.IsFloat() {
		values := a.Floats()
		for i := range values {
			if r.IntN(2) == 0 {
				values[i] = floats[r.IntN(len(floats))]
			}
		}
		return tensor.From(values, a.Shape()...).AsType(d)
	}
	if d.IsBool() {
		return a
	}
	values := a.Ints()
	for i := range values {
		if r.IntN(3) == 0 {
			values[i] = []int64{0, -1, math.MaxInt64, math.MinInt64, 127, -128, 255, 63}[r.IntN(8)]
		}
	}
	return tensor.From(values, a.Shape()...).AsType(d)
}

// try calls the function of an exercise, and of its gradient where there is one. It reports whether
// the operation took the operands.
func (e exercise) try(t *testing.T) bool {
	t.Helper()
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "case", Line: 1, Col: 1})}
	var inputs, vars []*graph.Variable
	var args []*tensor.Dense
	for i, a := range e.in {
		if e.fixed[i] {
			vars = append(vars, b.Constant(a))
			continue
		}
		dims := slices.Clone(a.Shape())
		for axis := range dims {
			if dims[axis] != 1 {
				dims[axis] = graph.Unknown
			}
		}
		v := graph.NewInput(fmt.Sprintf("x%d", i), graph.TypeOf(a.DType(), dims...), nil)
		inputs, args, vars = append(inputs, v), append(args, strided(a, i)), append(vars, v)
	}
	for _, a := range graph.Destroys(e.op) { // which must not be the caller's
		vars[a.In] = b.Apply(op.DeepCopy{}, vars[a.In])
	}
	what := fmt.Sprintf("%s of %s", e.op.Name(), tensor.ShapesOf(e.in...))
	outputs, err := b.Make(e.op, vars...)
	if err != nil {
		if e.must {
			t.Errorf("%s: %v", what, err)
		}
		return false
	}
	outputs = append(slices.Clone(outputs), e.gradients(b, outputs[0], inputs)...)
	ran, ndim := false, 1
	if e.in[0].DType() == kernels.Float64 && !testing.Short() { // other types are laid out by the same code
		ndim = 2
	}
	for _, optimizer := range []string{"None", "fast_run"} {
		if optimizer == "fast_run" && !e.rewritten {
			continue
		}
		spec := compile.Spec{Inputs: inputs, Outputs: outputs, Mode: compile.Mode{Linker: "c|go", Optimizer: optimizer, Debug: strict(ndim)},
			Warn: func(text string) { t.Errorf("%s: %s", what, text) }}
		f, err := compile.Compile(spec)
		if err == nil {
			_, err = f.Call(context.Background(), args, nil)
		}
		var found *debugmode.Error
		if errors.As(err, &found) || err != nil && e.must {
			t.Errorf("%s, %s: %v", what, optimizer, err)
		}
		ran = ran || err == nil
	}
	return ran
}

// gradients are those of the sum of v, if the operands are float64 that it is smooth in.
func (e exercise) gradients(b *graph.Builder, v *graph.Variable, inputs []*graph.Variable) []*graph.Variable {
	if s, ok := e.op.(op.Structural); ok && s.Traits()&(op.Late|op.Jumps) != 0 || v.Type.DType != kernels.Float64 {
		return nil
	}
	for i, a := range e.in {
		if !e.fixed[i] && (a.DType() != kernels.Float64 || slices.ContainsFunc(a.Floats(), func(x float64) bool { return x != x || math.Abs(x) > 1e3 })) {
			return nil
		}
	}
	if p, ok := e.op.(graph.Parametric); ok && p.NoGradient(len(inputs)-1) != "" {
		return nil
	}
	if row, ok := e.op.(op.Elemwise); ok {
		if row.Row().Grad == nil {
			return nil
		}
		inputs = inputs[row.Row().Orders:]
	}
	cost := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(v.Type.Rank())}, b.Apply(op.Sin, v))
	grads, err := grad.Grad(b, cost, inputs, grad.Options{Disconnected: func(*graph.Variable) error { return nil }})
	if err != nil { // lengths that do not fit are found here, or when the function is called
		return nil
	}
	return grads
}

// strided is a in one of several layouts, by number.
func strided(a *tensor.Dense, i int) *tensor.Dense {
	if a.Rank() == 0 {
		return a
	}
	switch i % 3 {
	case 0:
		return a.Transpose().Copy().Transpose()
	case 1:
		shape := slices.Clone(a.Shape())
		shape[len(shape)-1] *= 2
		index := make([]tensor.Index, len(shape))
		index[len(index)-1].Step = new(-2)
		z, err := tensor.New(a.DType(), shape...).Subscript(index...)
		if err != nil {
			panic(err)
		}
		tensor.CopyTo(z, a)
		return z
	}
	return a
}
