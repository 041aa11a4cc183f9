package operations

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A derivative is the arguments of a function that differentiates, read.
type derivative struct {
	*derivation
	value.Builtin
	args []starlark.Value
}

func derivativeRow(name, doc, example string, params []value.Param, wrt, constant, disconnected int, fn func(d *derivative) (starlark.Value, error)) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Example: example, Params: params,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			at := func(i int) starlark.Value {
				if i < 0 {
					return nil
				}
				return v[i]
			}
			d, err := newDerivation(thread, v[wrt], at(constant), at(disconnected))
			if err != nil {
				return nil, value.Named("", name, err)
			}
			defer d.timed()()
			out, err := fn(&derivative{d, *b, v})
			if err != nil {
				if located := d.s.Locate(err); located != err {
					return nil, located
				}
				return nil, value.Named("", name, err)
			}
			return out, nil
		}}
}

var (
	ofParam              = value.Param{Name: "f", Doc: "a variable, or a list of variables"}
	wrtParam             = value.Param{Name: "wrt", Doc: "a variable, or a list of variables"}
	disconnectedOutParam = value.Param{Name: "disconnected_outputs", Default: `"raise"`, Doc: `"raise", "warn" or "ignore" variables of wrt on which f does not depend`}
	returnParam          = value.Param{Name: "return_disconnected", Default: `"zero"`, Doc: `what stands for the result of a variable on which f does not depend: "zero", or "none" for None`}
)

// variables reads one variable, number or array, or as many as there are in like.
func (d *derivative) variables(what string, v starlark.Value, like []*graph.Variable, one bool) ([]*graph.Variable, error) {
	values := []starlark.Value{v}
	if !one {
		values = Elements(v)
	}
	if len(values) != len(like) {
		return nil, fmt.Errorf("%s: got %d, want %d, one for each variable", what, len(values), len(like))
	}
	list := make([]*graph.Variable, len(values))
	for i, x := range values {
		var err error
		if list[i], err = d.s.Variable(d.b, x, like[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
	}
	return list, nil
}

// symbolsOf are variables as users see them.
func (d *derivative) symbolsOf(list []*graph.Variable) []starlark.Value {
	out := make([]starlark.Value, len(list))
	for i, v := range list {
		out[i] = symbolic.Symbol{S: d.s, V: v}
	}
	return out
}

// leftProduct is Lop, whose third argument is called what its row says.
func leftProduct(d *derivative) (starlark.Value, error) {
	f, one, err := symbolic.OneOrMore("f", d.args[0])
	if err != nil {
		return nil, err
	}
	u, err := d.variables(d.Params[2].Name, d.args[2], f, one)
	if err != nil {
		return nil, err
	}
	none, err := d.returnDisconnected(d.args[5])
	if err != nil {
		return nil, err
	}
	out, err := grad.Lop(d.b, f, u, d.wrt, d.opts)
	d.mention(out, slices.Concat(f, u)...)
	return d.result(out, err, none)
}

// rightProduct is Rop, whose third argument is called what its row says.
func rightProduct(d *derivative) (starlark.Value, error) {
	f, one, err := symbolic.OneOrMore("f", d.args[0])
	if err != nil {
		return nil, err
	}
	v, err := d.variables(d.Params[2].Name, d.args[2], d.wrt, d.one)
	if err != nil {
		return nil, err
	}
	out, err := grad.Rop(d.b, f, d.wrt, v, d.opts)
	if err != nil {
		return nil, err
	}
	d.mention(out, slices.Concat(f, v)...)
	return symbolic.AsGiven(d.symbolsOf(out), one, d.args[0]), nil
}

// zeroParam is the parameter of functions whose results are never disconnected.
var zeroParam = value.Param{Name: "return_disconnected", Default: `"zero"`, Doc: "for PyTensor's sake: what does not depend on wrt changes by zero"}

// DerivativeTable is the functions of theano.gradient that are made of grad.
var DerivativeTable = []value.Builtin{
	derivativeRow("Lop", "The vector eval_points times the Jacobian of f with respect to wrt, without the Jacobian: the gradient of T.sum(f*eval_points).",
		`gradient.Lop(T.sqr(shared(3.0)), [], 1.0) # []`, []value.Param{ofParam, wrtParam,
			{Name: "eval_points", Doc: "a vector of f's type, or a list of them"}, constantParam, disconnectedParam, returnParam}, 1, 3, 4, leftProduct),
	derivativeRow("pullback", "PyTensor's name of Lop: the vector cotangents times the Jacobian of f with respect to wrt, without the Jacobian.",
		`x = shared(np.array([1.0, 2.0])); gradient.pullback(x * x, x, [1.0, 10.0]).eval() # array([ 2., 40.])`, []value.Param{ofParam, wrtParam,
			{Name: "cotangents", Doc: "a vector of f's type, or a list of them"}, constantParam, disconnectedParam, returnParam}, 1, 3, 4, leftProduct),
	derivativeRow("Rop", "The Jacobian of f with respect to wrt times the vectors eval_points: how f changes where wrt go in their direction.",
		`x = shared(np.array([1.0, 2.0])); gradient.Rop(x * x, x, [1.0, 10.0]).eval() # array([ 2., 40.])`,
		[]value.Param{ofParam, wrtParam, {Name: "eval_points", Doc: "a vector of wrt's type, or a list of them"}, disconnectedOutParam, zeroParam,
			{Name: "use_op_rop_implementation", Default: "False", Doc: "for PyTensor's sake: there is one way"}}, 1, -1, 3, rightProduct),
	derivativeRow("pushforward", "PyTensor's name of Rop: the Jacobian of f with respect to wrt times the vectors tangents.",
		`x = shared(np.array([1.0, 2.0])); gradient.pushforward(x * x, x, [1.0, 10.0]).eval() # array([ 2., 40.])`,
		[]value.Param{ofParam, wrtParam, {Name: "tangents", Doc: "a vector of wrt's type, or a list of them"}, disconnectedOutParam,
			zeroParam,
			{Name: "use_op_pushforward", Default: "False", Doc: "for PyTensor's sake: there is one way"}}, 1, -1, 3, rightProduct),
	derivativeRow("hessian_vector_product", "The Hessian of cost with respect to wrt times the vectors p, without the Hessian.",
		`x = shared(np.array([1.0, 2.0])); gradient.hessian_vector_product(T.sum(x ** 3), x, [1.0, 1.0]).eval() # array([ 6., 12.])`,
		[]value.Param{{Name: "cost", Doc: "a float scalar"}, wrtParam, {Name: "p", Doc: "a vector of wrt's type, or a list of them"}}, 1, -1, -1,
		func(d *derivative) (starlark.Value, error) {
			cost, err := costVariable(d.s, d.args[0])
			if err != nil {
				return nil, err
			}
			p, err := d.variables("p", d.args[2], d.wrt, d.one)
			if err != nil {
				return nil, err
			}
			out, err := grad.HessianTimes(d.b, cost, d.wrt, p, d.opts)
			if err != nil {
				return nil, err
			}
			d.mention(out, append(p, cost)...)
			return symbolic.AsGiven(d.symbolsOf(out), d.one, d.kind), nil
		}),
	derivativeRow("jacobian", "The derivative of each element of a vector or number with respect to wrt: its axis comes first. All are computed at once, by products of matrices.",
		`x = shared(np.array([1.0, 2.0])); gradient.jacobian(T.stack([x[0] * x[1], x[1]]), x).eval() # array([[2., 1.],`+"\n       [0., 1.]])",
		[]value.Param{{Name: "expression", Doc: "a vector or a scalar"}, wrtParam, constantParam, disconnectedParam,
			{Name: "vectorize", Default: "False", Doc: "for PyTensor's sake: there is no loop in any case"}}, 1, 2, 3,
		func(d *derivative) (starlark.Value, error) {
			y, ok := d.args[0].(symbolic.Symbol)
			if !ok {
				return nil, tensor.TypeErrorf("expression: got %s, want a symbolic variable", d.args[0].Type())
			}
			out, err := d.jacobian(y.V)
			if err != nil {
				return nil, err
			}
			d.mention(out, y.V)
			return symbolic.AsGiven(d.symbolsOf(out), d.one, d.kind), nil
		}),
	derivativeRow("hessian", "The second derivatives of cost with respect to each vector of wrt: a matrix. All are computed at once, by products of matrices.",
		`x = shared(np.array([1.0, 2.0])); gradient.hessian(x[0] ** 2 * x[1], x).eval() # array([[4., 2.],`+"\n       [2., 0.]])",
		[]value.Param{{Name: "cost", Doc: "a float scalar"}, wrtParam, constantParam, disconnectedParam}, 1, 2, 3,
		func(d *derivative) (starlark.Value, error) {
			cost, err := costVariable(d.s, d.args[0])
			if err != nil {
				return nil, err
			}
			out := make([]*graph.Variable, len(d.wrt))
			for i, v := range d.wrt {
				if v.Type.Rank() != 1 {
					return nil, fmt.Errorf("wrt[%d]: got %v, want a vector", i, v.Type)
				}
				first, err := grad.Grad(d.b, cost, []*graph.Variable{v}, d.opts)
				if err != nil {
					return nil, err
				}
				again := *d.derivation
				again.wrt, again.opts.Disconnected = []*graph.Variable{v}, func(*graph.Variable) error { return nil }
				rows, err := (&derivative{&again, d.Builtin, d.args}).jacobian(first[0])
				if err != nil {
					return nil, err
				}
				out[i] = rows[0]
			}
			d.mention(out, cost)
			return symbolic.AsGiven(d.symbolsOf(out), d.one, d.kind), nil
		}),
	derivativeRow("subgraph_grad", "The gradients of a part of a graph, which ends at end: those with respect to wrt, and those with respect to end, from which another part can start.",
		`x = shared(3.0); y = x * x; [g.eval() for g in gradient.subgraph_grad([x], [y], cost=T.exp(0 * y))[1]] # [0.0]`,
		[]value.Param{wrtParam, {Name: "end", Doc: "list of the variables where to stop"},
			{Name: "start", Default: "None", Doc: "dict from variables to gradients of the cost with respect to them"},
			{Name: "cost", Default: "None", Doc: "a float scalar; None if start says where to begin"}}, 0, -1, -1,
		func(d *derivative) (starlark.Value, error) {
			end, _, err := symbolic.OneOrMore("end", d.args[1])
			if err != nil {
				return nil, err
			}
			var cost *graph.Variable
			if d.args[3] != nil && d.args[3] != starlark.None {
				if cost, err = costVariable(d.s, d.args[3]); err != nil {
					return nil, err
				}
			}
			if d.args[2] != nil && d.args[2] != starlark.None {
				if d.opts.Known, err = d.s.Givens(d.b, d.args[2]); err != nil {
					return nil, fmt.Errorf("start: %w", err)
				}
			}
			d.opts.Constant = append(d.opts.Constant, end...)
			d.opts.Disconnected = func(*graph.Variable) error { return nil }
			out, err := grad.Grad(d.b, cost, append(append([]*graph.Variable{}, d.wrt...), end...), d.opts)
			if err != nil {
				return nil, err
			}
			n := len(d.wrt)
			d.mention(out, append(slices.Clone(end), cost)...)
			return starlark.Tuple{slot.NewList(d.symbolsOf(out[:n])), slot.NewList(d.symbolsOf(out[n:]))}, nil
		}),
}

// jacobian is the derivative of y, a vector or a scalar.
func (d *derivative) jacobian(y *graph.Variable) (out []*graph.Variable, err error) {
	switch y.Type.Rank() {
	case 0:
		return grad.Grad(d.b, y, d.wrt, d.opts)
	case 1:
		opts := d.opts
		opts.EachRow = d.eachRow
		return grad.Jacobian(d.b, y, d.wrt, opts)
	}
	return nil, fmt.Errorf("expression: got %v, want a vector or a scalar; flatten it", y.Type)
}

// eachRow is a loop over the rows of a Jacobian.
func (d *derivative) eachRow(n *graph.Variable, row func(i *graph.Variable) ([]*graph.Variable, error)) ([]*graph.Variable, error) {
	i := graph.NewInput("", graph.TypeOf(n.Type.DType), d.b.Origin)
	values, err := row(i)
	if err != nil {
		return nil, err
	}
	number := func(k int64) *graph.Variable { return d.b.Constant(tensor.IntScalar(n.Type.DType, k)) }
	loop := &formula.Scan{Label: "jacobian", Rows: []formula.ScanSequence{{At: i, All: d.b.Apply(op.ARange{}, number(0), n, number(1))}}}
	for _, v := range values {
		loop.Results = append(loop.Results, formula.ScanResult{Value: v})
	}
	rows, _, err := loop.Apply(d.b)
	return rows, err
}

// barrierTable is the functions of theano.gradient that pass a variable on and change what grad
// makes of it.
var barrierTable = []functions.Function{
	barrier("zero_grad", "x, which is a constant to grad: the gradient is zero.", op.ZeroGrad{}),
	barrier("consider_constant", "x, which is a constant to grad: the gradient is zero.", op.ZeroGrad{}),
	barrier("undefined_grad", "x, through which there is no gradient: grad refuses one.", op.UndefinedGrad{}),
	barrier("disconnected_grad", "x, on which the cost does not depend as far as grad is concerned.", op.DisconnectedGrad{}),
	TensorRow("gradient.grad_clip", "x, the gradient through which is cut to a range.", "grad_clip(2.0, -1, 1) # 2.0", func(g *functions.Graph, a *struct {
		VariableArg
		Lower float64 `arg:"lower_bound: the least"`
		Upper float64 `arg:"upper_bound: the greatest"`
	}) (*graph.Variable, error) {
		if !(a.Lower <= a.Upper) {
			return nil, fmt.Errorf("lower_bound: got %v, want at most upper_bound, %v", a.Lower, a.Upper)
		}
		return g.Apply(op.GradClip{Lower: a.Lower, Upper: a.Upper}, a.X.V), nil
	}),
	TensorRow("gradient.grad_scale", "x, the gradient through which is multiplied.", "grad_scale(2.0, -1) # 2.0", func(g *functions.Graph, a *struct {
		VariableArg
		Factor float64 `arg:"multiplier: what to multiply with"`
	}) (*graph.Variable, error) {
		return g.Apply(op.GradScale{Factor: a.Factor}, a.X.V), nil
	}),
}

func barrier(name, doc string, o graph.Op) functions.Function {
	return TensorRow("gradient."+name, doc, name+"(2.0) # 2.0", func(g *functions.Graph, a *VariableArg) (*graph.Variable, error) {
		return g.Apply(o, a.X.V), nil
	})
}
