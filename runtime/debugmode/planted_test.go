package debugmode_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A planted operation does to its operands what it does not say. Its name tells the fault.
type planted string

func (p planted) Name() string { return string(p) }

func (p planted) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return []graph.Type{in[0].Type}, nil
}

func (p planted) ViewMap() []graph.Alias {
	if p == "says_view" {
		return []graph.Alias{{Out: 0, In: 0}}
	}
	return nil
}

func (p planted) DestroyMap() []graph.Alias {
	if p == "says_inplace" {
		return []graph.Alias{{Out: 0, In: 0}}
	}
	return nil
}

// Link gives the thunk of twice the operand, with the fault. sets without C are asked for the
// reference.
func (p planted) Link(_ *graph.Apply, sets kernels.Sets) (op.Thunk, string, error) {
	name := "Go"
	if len(sets) > 1 {
		name = "C"
	}
	return func(c *op.Call, in, out []*tensor.Dense) error {
		x := in[0]
		if p == "destroys" {
			tensor.CopyTo(x, twice(x, 1))
		}
		if p == "views" {
			out[0] = x
			return nil
		}
		z := c.Alloc(0, x.DType(), x.Shape())
		factor := 2.0
		switch {
		case p == "wrong_c" && name == "C":
			factor = 2.5
		case p == "wrong_strided" && !x.IsContiguous():
			factor = 3
		case p == "wrong_dtype":
			out[0] = z.AsType(kernels.Int64)
			return nil
		case p == "wrong_shape":
			out[0] = tensor.New(x.DType(), append([]int{2}, x.Shape()...)...)
			return nil
		case p == "nothing":
			return nil
		case p == "infinite":
			tensor.CopyTo(z, tensor.Scalar(x.DType(), 1e308))
			x = z
			factor = 1e10
		}
		old := z.Copy()
		tensor.CopyTo(z, twice(x, factor))
		switch p {
		case "adds_up": // to what is in its memory, nan excepted: it looks right the first time
			if f := old.Floats(); len(f) > 0 && f[0] == f[0] {
				tensor.CopyTo(z, old)
				z.Fill(7)
			}
		case "unwritten":
			tensor.CopyTo(z.View(z.DType(), []int{1}, z.Strides(), z.Offset()), old.View(z.DType(), []int{1}, z.Strides(), old.Offset()))
		case "outside":
			beyond := z.View(z.DType(), []int{1}, z.Strides(), z.Offset()+z.NBytes())
			beyond.Fill(1)
		case "outside_a_byte": // of no character: a comparison as text would not see it
			beyond := z.View(kernels.Uint8, []int{1}, []int{1}, z.Offset()+z.NBytes())
			beyond.Fill(0xfe)
		}
		out[0] = z
		return nil
	}, name, nil
}

func twice(x *tensor.Dense, factor float64) *tensor.Dense {
	values := x.Floats()
	for i := range values {
		values[i] *= factor
		if factor == 1 {
			values[i]++
		}
	}
	return tensor.From(values, x.Shape()...)
}

// check calls the function of o(x) for a vector x in DebugMode.
func check(t *testing.T, o graph.Op, options debugmode.Options) (string, *debugmode.Error) {
	t.Helper()
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), graph.At(graph.Pos{File: "In[1]", Line: 2, Col: 5}))
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: 3, Col: 7})}
	operand := x
	if len(graph.Destroys(o)) > 0 { // which is not the caller's
		operand = b.Apply(op.DeepCopy{}, x)
	}
	return call(t, compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(o, operand)}}, options, tensor.From([]float64{1, 2, 3}, 3))
}

// call compiles and calls a function under options, with a set of kernels that stands for C's. It
// returns what was warned of.
func call(t *testing.T, spec compile.Spec, options debugmode.Options, args ...*tensor.Dense) (string, *debugmode.Error) {
	t.Helper()
	var warned strings.Builder
	spec.Warn = func(text string) { warned.WriteString(text + "\n") }
	if spec.Kernels == nil {
		spec.Kernels = kernels.Sets{kernels.GoSet, kernels.GoSet}
	}
	spec.Mode.Debug = &options
	f, err := compile.Compile(spec)
	if err == nil {
		_, err = f.Call(context.Background(), args, nil)
	}
	var found *debugmode.Error
	if err != nil && !errors.As(err, &found) {
		t.Fatalf("not an error of DebugMode: %v", err)
	}
	return warned.String(), found
}

func TestPlantedOperations(t *testing.T) {
	options := debugmode.Default()
	options.Preallocated = debugmode.Patterns
	for _, c := range []struct {
		fault planted
		kind  debugmode.Kind
		text  string
	}{
		{"right", "", ""},
		{"wrong_c", debugmode.BadThunkOutput, "the Go implementation and the C implementation of wrong_c give different results: 3 of 3 elements differ, most by 1.5"},
		{"wrong_strided", debugmode.BadThunkOutput, "on operands with steps [2]"},
		{"wrong_dtype", debugmode.InvalidValueError, "gives int64 of shape (3,): 0 0 0, want float64[?]"},
		{"wrong_shape", debugmode.InvalidValueError, "gives shape (2, 3), want float64[?]"},
		{"nothing", debugmode.BadThunkOutput, "gives no value for result 0"},
		{"infinite", debugmode.InvalidValueError, "gives +Inf at [0]"},
		{"destroys", debugmode.BadDestroyMap, "overwrites operand 0, x (float64[?]), which it does not say"},
		{"views", debugmode.BadViewMap, "shares memory with operand 0, x (float64[?])"},
		{"adds_up", debugmode.BadThunkOutput, "writing over results of a run before"},
		{"unwritten", debugmode.InvalidValueError, "gives NaN at [0]"},
		{"outside_a_byte", debugmode.BadThunkOutput, "writes outside of its result of shape (3,)"},
		{"outside", debugmode.BadThunkOutput, "writes outside of its result of shape (3,)"},
	} {
		_, err := check(t, c.fault, options)
		switch {
		case err == nil:
			if c.kind != "" {
				t.Errorf("%s: nothing was found", c.fault)
			}
		case err.Kind != c.kind || !strings.Contains(err.Error(), c.text):
			t.Errorf("%s: got %s: %v, want %s: ... %s", c.fault, err.Kind, err, c.kind, c.text)
		case err.At.Pos.Line != 3:
			t.Errorf("%s: at %v, want the line that made it", c.fault, err.At.Pos)
		}
	}
}

// TestNotReused: an operation that says that it overwrites its operand, and takes new memory, is
// warned of once.
func TestNotReused(t *testing.T) {
	options := debugmode.Default()
	warned, err := check(t, planted("says_inplace"), options)
	if err != nil || strings.Count(warned, "is said to be overwritten") == 0 {
		t.Errorf("got %q, %v", warned, err)
	}
	options.WarnNotReused = false
	if warned, _ = check(t, planted("says_inplace"), options); warned != "" {
		t.Errorf("got %q without the option", warned)
	}
}

// Grad of the fault wrong_gradient is off by a half; that of others is right.
func (p planted) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	factor := 2.0
	if p == "wrong_gradient" {
		factor = 3
	}
	return []*graph.Variable{b.Apply(op.Mul, g[0], b.Like(g[0], factor))}
}

// A spy overwrites, when a function runs as a whole, memory that is not its own, or keeps some that
// is not: what checks of single operations cannot see, since there all results lie within guards.
type spy struct {
	planted
	keeps *[]*tensor.Dense // the operands of the one that is called keeps
}

func (s spy) Link(node *graph.Apply, sets kernels.Sets) (op.Thunk, string, error) {
	return func(c *op.Call, in, out []*tensor.Dense) error {
		whole := c.Scratch != nil // of a program
		switch {
		case s.planted == "views_in_run" && whole:
			out[0] = in[0]
			return nil
		case s.planted == "keeps":
			*s.keeps = append(*s.keeps, in[0])
		case s.planted == "destroys_in_run" && whole:
			(*s.keeps)[len(*s.keeps)-1].Fill(-1)
		}
		out[0] = c.Alloc(0, in[0].DType(), in[0].Shape())
		tensor.CopyTo(out[0], in[0])
		return nil
	}, "Go", nil
}

// TestPlantedSharing: memory that is shared wrongly in the whole run only is found by its bits, and
// whoever did it is named.
func TestPlantedSharing(t *testing.T) {
	line := func(n int) *graph.Builder {
		return &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: n, Col: 1})}
	}
	for _, c := range []struct {
		build func(x *graph.Variable) *graph.Variable
		kind  debugmode.Kind
		text  string
		line  int
	}{
		{func(x *graph.Variable) *graph.Variable {
			z := line(3).Apply(spy{planted: "views_in_run"}, line(2).Apply(op.Exp, x))
			return line(5).Apply(op.Add, z, line(4).Apply(op.Neg, x))
		}, debugmode.BadViewMap, "the result of views_in_run shares memory with its operand the result of exp (float64[?]) when the whole function runs, which it does not say " +
			"(its view map is [], its destroy map []): neg overwrites it while it is still read, and so output 0 is wrong", 3},
		{func(x *graph.Variable) *graph.Variable {
			kept := new([]*tensor.Dense)
			y := line(2).Apply(op.Exp, x)
			z := line(4).Apply(spy{"destroys_in_run", kept}, line(3).Apply(spy{"keeps", kept}, y))
			return line(5).Apply(op.Add, z, y)
		}, debugmode.BadDestroyMap, "the result of exp (float64[?]) has another value when the whole function runs: destroys_in_run overwrites it while it is still read, " +
			"which it does not say (its destroy map is []), and so output 0 is wrong", 2},
	} {
		x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		_, err := call(t, compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{c.build(x)}}, debugmode.Default(), tensor.From([]float64{1, -2, 3}, 3))
		switch {
		case err == nil:
			t.Errorf("nothing was found, want %s", c.text)
		case err.Kind != c.kind || !strings.Contains(err.Error(), c.text) || err.At.Pos.Line != c.line:
			t.Errorf("got %v: %v, want %s: %s at line %d", err.At.Pos, err, c.kind, c.text, c.line)
		}
	}
}

// wrongKernels stand for C's, and add up one too many.
type wrongKernels struct{ kernels.Set }

func (w wrongKernels) Name() string                       { return "C" }
func (w wrongKernels) With(a kernels.Account) kernels.Set { return wrongKernels{w.Set.With(a)} }
func (w wrongKernels) Reduce(k kernels.ReduceKey) (kernels.ReduceFunc, bool) {
	right, ok := w.Set.Reduce(k)
	if k.Op != "sum" || k.In != kernels.Float64 {
		return right, ok
	}
	return func(outer, n, inner int, z, x unsafe.Pointer, stop kernels.Stop) bool {
		done := right(outer, n, inner, z, x, stop)
		for i, v := range unsafe.Slice((*float64)(z), outer*inner) {
			unsafe.Slice((*float64)(z), outer*inner)[i] = v + 1
		}
		return done
	}, ok
}

// TestPlantedKernel: a kernel that computes something else than Go's is found, and only where it
// runs.
func TestPlantedKernel(t *testing.T) {
	for _, c := range []struct {
		kind op.Reduction
		text string
	}{{op.Max, ""}, {op.Sum, "BadThunkOutput: the Go implementation and the C implementation of sum{axes=0} give different results: 1 of 1 elements differ, most by 1 (0.14 of the larger): the first gives 6, the second 7"}} {
		x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		b := &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: 6, Col: 1})}
		spec := compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(op.Reduce{Kind: c.kind, Axes: tensor.AllAxes(1)}, x)},
			Kernels: kernels.Sets{wrongKernels{kernels.GoSet}, kernels.GoSet}}
		_, err := call(t, spec, debugmode.Default(), tensor.From([]float64{1, 2, 3}, 3))
		switch {
		case c.text == "" && err != nil:
			t.Error(err)
		case c.text != "" && (err == nil || !strings.HasPrefix(err.Error(), c.text) || err.At.Pos.Line != 6):
			t.Errorf("got %v, want %s", err, c.text)
		}
	}
}

// A liar tells rewrites what is not so: that its results are not negative, once or always, or that
// they are longer than they are.
type liar struct {
	planted
	asked *int
}

func (l liar) SignOf([]op.Sign) op.Sign {
	if *l.asked++; l.planted == "wavers" && *l.asked > 1 || l.planted == "wavers_later" && *l.asked > 4 {
		return op.AnySign
	}
	return op.Nonnegative
}

// TestPlantedLies: what an operation says of its results decides rewrites. What is not so makes one
// wrong, and what changes, their order.
func TestPlantedLies(t *testing.T) {
	for _, c := range []struct {
		fault planted
		kind  debugmode.Kind
		text  string
	}{
		{"nonnegative", debugmode.BadOptimization, "local_abs_nonnegative (canonicalize.rules:114) replaced abs(nonnegative) by nonnegative(x), whose value is another: 1 of 3 elements differ, most by 8"},
		{"wavers", debugmode.StochasticOrder, "rewriting the same graph twice did"},
	} {
		x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		b := &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: 3, Col: 7})}
		spec := compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(op.Abs, b.Apply(liar{c.fault, new(int)}, x))},
			Mode: compile.Mode{Optimizer: "fast_run"}}
		_, err := call(t, spec, debugmode.Default(), tensor.From([]float64{1, -2, 3}, 3))
		if err == nil || err.Kind != c.kind || !strings.Contains(err.Error(), c.text) || err.At.Pos.Line != 3 {
			t.Errorf("%s: got %v, want %s: %s", c.fault, err, c.kind, c.text)
		}
	}
}

func TestPlantedGradient(t *testing.T) {
	if err := plantedGradient(t, "right", debugmode.Default()); err != nil {
		t.Error(err)
	}
	want := "the gradient of the cost with respect to x (float64[?]) is not what differences of the cost give"
	err := plantedGradient(t, "wrong_gradient", debugmode.Default())
	if err == nil || err.Kind != debugmode.BadGradient || !strings.Contains(err.Error(), want) || err.At.Pos.Line != 4 {
		t.Errorf("got %v, want %s", err, want)
	}
}

// plantedGradient calls the function of a gradient through an operation.
func plantedGradient(t *testing.T, fault planted, o debugmode.Options) *debugmode.Error {
	t.Helper()
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: 4, Col: 5})}
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	cost := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, b.Apply(op.Sqr, b.Apply(fault, x)))
	grads, err := grad.Grad(b, cost, []*graph.Variable{x}, grad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, found := call(t, compile.Spec{Inputs: []*graph.Variable{x}, Outputs: grads}, o, tensor.From([]float64{1, -2, 3}, 3))
	return found
}

// A vandal changes a variable of the user's while rewriting asks it for its sign.
type vandal struct {
	planted
	victim *graph.Variable
}

func (v vandal) SignOf([]op.Sign) op.Sign {
	v.victim.Name = "renamed"
	return op.AnySign
}

// TestPlantedVandal: rewriting that changes the graph which it was given is found when the function
// is compiled.
func TestPlantedVandal(t *testing.T) {
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "In[1]", Line: 3, Col: 7})}
	spec := compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(op.Abs, b.Apply(vandal{"vandal", x}, x))},
		Mode: compile.Mode{Optimizer: "fast_run"}}
	_, err := call(t, spec, debugmode.Default(), tensor.From([]float64{1, -2, 3}, 3))
	want := "BadOptimization: rewriting changed the graph that it was given, which others may hold\n    before\n        func(x float64[?])"
	if err == nil || err.Kind != debugmode.BadOptimization || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "func(renamed float64[?])") || err.At.Pos.Line != 3 {
		t.Errorf("got %v, want %s", err, want)
	}
}
