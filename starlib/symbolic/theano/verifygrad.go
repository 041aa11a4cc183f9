package theano

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A verification is a call of verify_grad.
type verification struct {
	s        *symbolic.Session
	thread   *starlark.Thread
	mode     starlark.Value
	at       []*tensor.Dense
	inputs   []*graph.Variable
	output   *graph.Variable
	abs, rel float64
	step     float64
	given    bool // step is the user's, and not scaled
}

// verifyGrad is verify_grad.
var verifyGrad = value.Builtin{Name: "verify_grad", Doc: "Compares the gradient of a function with differences, and fails where they are apart. The function is given variables and returns one; " +
	"the cost is its sum with random weights.",
	Example: "gradient.verify_grad(lambda x: T.exp(x) * x[0], [np.array([0.5, 2.0])]) == None # True",
	Params: []value.Param{
		{Name: "fun", Doc: "a function of variables"}, {Name: "pt", Doc: "list of arrays of floats: where to differentiate"},
		{Name: "n_tests", Default: "2", Doc: "how many times, with other weights"},
		{Name: "rng", Default: "None", Doc: "a np.random.RandomState or Generator for the weights; their own if not given"},
		{Name: "eps", Default: "None", Doc: "the step of differences; if it is not given, 1e-6 for float64, 1e-3 for float32, times the element where that is larger than 1"},
		{Name: "out_type", Default: "None", Doc: "the element type of the result that is expected"},
		{Name: "abs_tol", Default: "None", Doc: "the absolute difference that is allowed; 1e-4, and 1e-2 with float32"},
		{Name: "rel_tol", Default: "None", Doc: "the relative difference that is allowed; 1e-4, and 1e-2 with float32"},
		{Name: "mode", Default: "None", Doc: "how to compile"},
		{Name: "cast_to_output_type", Default: "False", Doc: "for Theano's sake: the cost is float64"},
		{Name: "no_debug_ref", Default: "True", Doc: "for Theano's sake"},
	},
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		c := &verification{s: symbolic.SessionOf(thread), thread: thread, mode: v[8]}
		if err := c.read(v); err != nil {
			return nil, value.Named("", b.Name, err)
		}
		tests := 2
		if v[2] != nil {
			if tests, err = value.Int(v[2]); err != nil {
				return nil, fmt.Errorf("verify_grad: n_tests: %w", err)
			}
		}
		weights := rand.New(rand.NewPCG(4, 2))
		for range tests {
			if err := c.verify(weights, v[3]); err != nil {
				return nil, value.Named("", b.Name, err)
			}
		}
		return starlark.None, nil
	}}

// pointType is the type of an input at a point: its axes of length 1 broadcast, as those of
// constants.
func pointType(d *tensor.Dense) graph.Type {
	dims := slices.Repeat([]int{graph.Unknown}, d.Rank())
	for axis, n := range d.Shape() {
		if n == 1 {
			dims[axis] = 1
		}
	}
	return graph.TypeOf(d.DType(), dims...)
}

// read reads the arguments and calls the function.
func (c *verification) read(v []starlark.Value) error {
	float32s := false
	args := starlark.Tuple{}
	at := c.s.NodeOrigin(c.thread)
	for i, x := range operations.Elements(v[1]) {
		d, err := np.ToDense(x)
		if err != nil {
			return fmt.Errorf("pt[%d]: %w", i, err)
		}
		if !d.DType().IsFloat() {
			return fmt.Errorf("pt[%d]: got %v, want floats", i, d.DType())
		}
		float32s = float32s || d.DType() == kernels.Float32
		c.at = append(c.at, d.Copy())
		c.inputs = append(c.inputs, graph.NewInput(fmt.Sprintf("input %d", i), pointType(d), at))
		args = append(args, symbolic.Symbol{S: c.s, V: c.inputs[i]})
	}
	c.step, c.abs, c.rel = 1e-6, 1e-4, 1e-4
	if float32s {
		c.step, c.abs, c.rel = 1e-3, 1e-2, 1e-2
	}
	for _, p := range []struct {
		name string
		v    starlark.Value
		to   *float64
	}{{"eps", v[4], &c.step}, {"abs_tol", v[6], &c.abs}, {"rel_tol", v[7], &c.rel}} {
		if p.v == nil || p.v == starlark.None {
			continue
		}
		f, ok := starlark.AsFloat(value.Plain(p.v))
		if !ok || !(f > 0) {
			return fmt.Errorf("%s: got %s, want a positive number", p.name, value.Repr(p.v))
		}
		*p.to = f
	}
	c.given = v[4] != nil && v[4] != starlark.None
	out, err := value.Call(c.thread, v[0], args, nil)
	if err != nil {
		return err
	}
	y, ok := out.(symbolic.Symbol)
	if !ok {
		return tensor.TypeErrorf("the function returned %s, want a symbolic variable", out.Type())
	}
	if v[5] != nil && v[5] != starlark.None {
		want, err := np.DtypeArg(v[5])
		if err != nil {
			return fmt.Errorf("out_type: %w", err)
		}
		if want != y.V.Type.DType {
			return fmt.Errorf("the function returned %v, want out_type, %v", y.V.Type, want)
		}
	}
	c.output = y.V
	return nil
}

// run compiles and calls a function of the inputs.
func (c *verification) run(outputs ...*graph.Variable) (func() ([]*tensor.Dense, error), error) {
	list := make([]starlark.Value, len(outputs))
	for i, v := range outputs {
		list[i] = symbolic.Symbol{S: c.s, V: v}
	}
	f, err := c.s.CompileFunction(c.thread, symbolic.FunctionSpec{Inputs: symbolic.InputsOf(c.inputs), Outputs: slot.NewList(list), Name: "verify_grad", Mode: c.mode,
		Profile: starlark.False, Unused: starlark.String("ignore")})
	if err != nil {
		return nil, err
	}
	return func() ([]*tensor.Dense, error) {
		args := make(starlark.Tuple, len(c.at))
		for i, d := range c.at {
			args[i] = np.NewArray(c.s, d)
		}
		return f.Compute(c.thread, args, nil)
	}, nil
}

// verify compares once. rng draws the weights if it is given.
func (c *verification) verify(g *rand.Rand, rng starlark.Value) (err error) {
	defer graph.Catch(&err)
	b := c.s.Builder(c.thread)
	shape, err := c.run(op.ShapeOf(b, c.output))
	if err != nil {
		return err
	}
	dims, err := shape()
	if err != nil {
		return err
	}
	lengths := make([]int, c.output.Type.Rank())
	for i, n := range dims[0].Ints() {
		lengths[i] = int(n)
	}
	weights, err := c.weights(g, rng, lengths)
	if err != nil {
		return err
	}
	terms := b.Apply(op.Mul, formula.Cast(b, c.output, kernels.Float64), b.Constant(weights)) // float32 has too few digits for differences of a sum
	cost := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(terms.Type.Rank())}, terms)
	grads, err := grad.Grad(b, cost, c.inputs, grad.Options{Disconnected: func(*graph.Variable) error { return nil }})
	if err != nil {
		return err
	}
	value, err := c.run(cost)
	if err != nil {
		return err
	}
	slopes, err := c.run(grads...)
	if err != nil {
		return err
	}
	analytic, err := slopes()
	if err != nil {
		return err
	}
	numeric, err := c.differences(func() (float64, error) {
		out, err := value()
		if err != nil {
			return 0, err
		}
		return out[0].Floats()[0], nil
	})
	if err != nil {
		return err
	}
	for i, want := range numeric {
		if err := c.compare(i, analytic[i].Floats(), want); err != nil {
			return err
		}
	}
	return nil
}

// weights are random numbers from 0.5 to 1.5.
func (c *verification) weights(g *rand.Rand, rng starlark.Value, shape []int) (*tensor.Dense, error) {
	d := tensor.New(kernels.Float64, shape...)
	list := tensor.Elements[float64](d)
	if rng == nil || rng == starlark.None {
		for i := range list {
			list[i] = g.Float64()
		}
	} else {
		draw, err := starlark.Value(nil), error(nil)
		if attrs, ok := rng.(starlark.HasAttrs); ok {
			for _, name := range []string{"random_sample", "random"} {
				if draw, err = attrs.Attr(name); err == nil && draw != nil {
					break
				}
			}
		}
		if draw == nil || err != nil {
			return nil, fmt.Errorf("rng: got %s, want a np.random.RandomState or Generator", rng.Type())
		}
		out, err := value.Call(c.thread, draw, starlark.Tuple{starlark.MakeInt(len(list))}, nil)
		if err != nil {
			return nil, err
		}
		drawn, err := np.ToDense(out)
		if err != nil {
			return nil, err
		}
		copy(list, drawn.Floats())
	}
	for i := range list {
		list[i] += 0.5
	}
	return d, nil
}

// differences are the central differences of a cost with respect to each element of c.at, which is
// as it was when it returns.
func (c *verification) differences(cost func() (float64, error)) ([][]float64, error) {
	all := make([][]float64, len(c.at))
	for i, d := range c.at {
		elements := d.Floats()
		all[i] = make([]float64, len(elements))
		shape := d.Shape()
		move := func(k int, to float64) (y, at float64, err error) {
			old := elements[k]
			elements[k] = to
			c.at[i] = tensor.From(elements, shape...).AsType(d.DType())
			elements[k] = old
			y, err = cost()
			return y, c.at[i].Floats()[k], err
		}
		for k, x := range elements {
			h := c.step
			if !c.given {
				h *= max(1, math.Abs(x))
			}
			up, high, err := move(k, x+h)
			if err != nil {
				return nil, err
			}
			down, low, err := move(k, x-h)
			if err != nil {
				return nil, err
			}
			if high > low { // the step as it was rounded
				all[i][k] = (up - down) / (high - low)
			}
		}
		c.at[i] = d
	}
	return all, nil
}

// compare tells of the element where the gradient and the differences are most apart, if they are.
func (c *verification) compare(input int, got, want []float64) error {
	worst, at := 1.0, -1
	for k := range got {
		apart := math.Abs(got[k] - want[k])
		size := max(math.Abs(got[k]), math.Abs(want[k]))
		// Both are allowed to differ: a small number by the absolute tolerance, a large one by the
		// relative one.
		if ratio := min(apart/c.abs, apart/(c.rel*size)); ratio > worst || math.IsNaN(apart) {
			worst, at = ratio, k
		}
	}
	if at < 0 {
		return nil
	}
	return fmt.Errorf("the gradient is not what differences give: of pt[%d] with shape %s, element %d, %.8g by grad and %.8g by differences (abs_tol=%g, rel_tol=%g)", input,
		tensor.ShapeString(c.at[input].Shape()), at, got[at], want[at], c.abs, c.rel)
}

// numericGrad is numeric_grad.
var numericGrad = value.Builtin{Name: "numeric_grad", Doc: "The central differences of a function of arrays, or of a compiled function, whose result is a number: an array for each of pt, or one.",
	Example: "gradient.numeric_grad(lambda x: float(np.sum(x * x)), np.array([3.0])) # array([6.])",
	Params: []value.Param{{Name: "f", Doc: "a function of arrays"}, {Name: "pt", Doc: "an array of floats, or a list of them"},
		{Name: "eps", Default: "None", Doc: "the step; if it is not given, 1e-6 for float64, 1e-3 for float32, times the element where that is larger than 1"}},
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		s := symbolic.SessionOf(thread)
		c := &verification{s: s, thread: thread, step: 1e-6}
		points := []starlark.Value{v[1]}
		_, isList := v[1].(*slot.List)
		if t, ok := v[1].(starlark.Tuple); ok {
			isList, points = true, t
		} else if isList {
			points = operations.Elements(v[1])
		}
		for i, x := range points {
			d, err := np.ToDense(x)
			if err != nil {
				return nil, fmt.Errorf("numeric_grad: pt[%d]: %w", i, err)
			}
			if !d.DType().IsFloat() {
				return nil, fmt.Errorf("numeric_grad: pt[%d]: got %v, want floats", i, d.DType())
			}
			if d.DType() == kernels.Float32 {
				c.step = 1e-3
			}
			c.at = append(c.at, d)
		}
		if v[2] != nil && v[2] != starlark.None {
			f, ok := starlark.AsFloat(value.Plain(v[2]))
			if !ok || !(f > 0) {
				return nil, fmt.Errorf("numeric_grad: eps: got %s, want a positive number", value.Repr(v[2]))
			}
			c.step, c.given = f, true
		}
		slopes, err := c.differences(func() (float64, error) {
			args := make(starlark.Tuple, len(c.at))
			for i, d := range c.at {
				args[i] = np.NewArray(s, d)
			}
			out, err := value.Call(thread, v[0], args, nil)
			if err != nil {
				return 0, err
			}
			f, ok := starlark.AsFloat(value.Plain(value.NumberOf(out)))
			if !ok {
				return 0, fmt.Errorf("numeric_grad: the function returned %s, want a number", out.Type())
			}
			return f, nil
		})
		if err != nil {
			return nil, err
		}
		out := make([]starlark.Value, len(slopes))
		for i, list := range slopes {
			out[i] = np.FromDenseIn(s, tensor.From(list, c.at[i].Shape()...).AsType(c.at[i].DType()))
		}
		if !isList {
			return out[0], nil
		}
		return slot.NewList(out), nil
	}}
