package np

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Kinds read the arguments of functions of arrays, beside those of packages value and functions. An
// element type that is not given is kernels.Invalid.
var Kinds = slices.Concat([]value.Kind{
	value.KindOf(ToDenseIn),
	value.KindOf(ReadArrays),
	value.KindOf(ReadDType),
	value.KindOf(ReadShape),
}, fieldKinds, functions.Kinds)

// ReadArrays reads a list of arrays and numbers.
func ReadArrays(host value.Host, v starlark.Value) ([]*tensor.Dense, error) {
	seq, ok := value.Elements(v)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of arrays", v.Type())
	}
	if err := value.CheckEnd(seq); err != nil {
		return nil, err
	}
	list := make([]*tensor.Dense, 0, max(0, starlark.Len(v)))
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		d, err := ToDenseIn(host, x)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	if len(list) == 0 {
		return nil, errors.New("got no arrays, want at least one")
	}
	return list, nil
}

// ReadDType is DtypeArg, whose error names the parameter that most functions have.
func ReadDType(_ value.Host, v starlark.Value) (kernels.DType, error) {
	d, err := DtypeArg(v)
	if err != nil {
		err = errors.New(strings.TrimPrefix(err.Error(), "for parameter dtype: "))
	}
	return d, err
}

// NewShape is the shape of an array to be made: no array of it is too large.
type NewShape []int

func ReadShape(_ value.Host, v starlark.Value) (NewShape, error) {
	shape, err := value.Ints(v)
	if err == nil {
		err = CheckShape(shape)
	}
	return shape, err
}

// AsNumber is the element of an array without axes, for parameters that want a number.
func (a *Array) AsNumber() starlark.Value {
	if a.D.Rank() != 0 {
		return nil
	}
	return Number(a.D)
}

// Function makes a row of the table of functions: see functions.New. fn is the eager half and
// computes with e, which keeps the first error. A row that T has too gets its symbolic half from
// more; its struct then has a name, and variables lie in .V where arrays lie in .D.
func Function[A any](names, doc, example string, fn func(e *Eval, a *A) starlark.Value, more ...functions.Half[A]) functions.Function {
	if _, ok := any(new(A)).(destination); ok {
		compute := fn
		fn = func(e *Eval, a *A) starlark.Value {
			return e.Into(any(a).(destination).array(), func() starlark.Value { return compute(e, a) })
		}
	}
	return functions.New(names, doc, example, Kinds, append(more, functions.Computes(fn))...)
}

// A destination is arguments that may say where the result is to be: those that have an outArg.
// function puts it there.
type destination interface{ array() starlark.Value }

func (a OutArg) array() starlark.Value { return a.Out }

// Into puts what compute returns into the array out, and returns that; if it is nil, what compute
// returns. Products are computed there, see array.Calculator.
func (e *Eval) Into(out starlark.Value, compute func() starlark.Value) starlark.Value {
	if out == nil {
		return compute()
	}
	to, err := e.WritableOut(out)
	if Keep(e, to, err, nil); e.Failed() {
		return nil
	}
	e.to = to.D
	v := compute()
	if e.Failed() {
		return nil
	}
	var z *tensor.Dense
	if a, ok := v.(*Array); ok {
		z = a.Lend()
	} else {
		z = e.Dense(v)
	}
	if !slices.Equal(z.Shape(), to.D.Shape()) {
		e.FailFor("out", "%w", tensor.ShapeErrorf("got shape %s, want %s", tensor.ShapeString(to.D.Shape()), tensor.ShapeString(z.Shape())))
		return nil
	}
	if z.Pointer() == to.D.Pointer() && slices.Equal(z.Strides(), to.D.Strides()) { // it is there
		return to
	}
	return e.Out(to, z, nil)
}

// ArgRow makes a row for what is no function of a module: a method of an array or of another value,
// or a function whose example does not begin with a call of it. prefix is what users see before its
// name.
func ArgRow[A any](prefix, name, doc, example string, fn func(e *Eval, a *A) starlark.Value) value.Builtin {
	return callRow(prefix, name, doc, example, value.NewArguments[A](Kinds...), func(e *Eval, a any) starlark.Value { return fn(e, a.(*A)) })
}

// callRow is argRow for arguments of any type, so that there is no code of it for each.
func callRow(prefix, name, doc, example string, arguments *value.Arguments, fn func(e *Eval, a any) starlark.Value) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Example: example, Params: arguments.Params(),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s := SessionOf(thread, args)
			a, err := arguments.Read(s, b, args, kwargs)
			if err != nil {
				return overloaded(thread, prefix+name, b, args, kwargs, errors.New(prefix+err.Error()))
			}
			e := newEval(b, thread, s)
			v := fn(e, a)
			if e.Err != nil {
				return overloaded(thread, prefix+name, b, args, kwargs, value.Named(prefix, name, e.Err))
			}
			e.end(v, args, kwargs)
			return v, nil
		}}
}

// None is the value of a function without one, or nil after an error.
func (e *Eval) None(err error) starlark.Value {
	return Keep[starlark.Value](e, starlark.None, err, nil)
}

// RowsOf are the functions of a table under their names in a module of np: "np" or "np.linalg".
func RowsOf(module string, table []functions.Function) []value.Builtin {
	var rows []value.Builtin
	for i := range table {
		for _, name := range table[i].In(module) {
			rows = append(rows, RowOf(module, name, &table[i]))
		}
	}
	return rows
}

// RowOf is f under one of its names.
func RowOf(module, name string, f *functions.Function) value.Builtin {
	return value.Builtin{Name: name, Module: module, Doc: f.Doc, Example: f.ExampleOf(module, name), Params: f.EagerParams(),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s := SessionOf(thread, args)
			c, err := f.Read(s, b, args, kwargs)
			if err != nil {
				return overloaded(thread, module+"."+name, b, args, kwargs, errors.New(module+"."+err.Error()))
			}
			e := newEval(b, thread, s)
			v, err := compute(e, f, c)
			if err != nil {
				return overloaded(thread, module+"."+name, b, args, kwargs, value.Named(module+".", name, err))
			}
			e.end(v, args, kwargs)
			return v, nil
		}}
}

func compute(e *Eval, f *functions.Function, c functions.Call) (starlark.Value, error) {
	if err := c.Evaluate(ToDense); err != nil {
		return nil, err
	}
	if f.Eager() {
		v := c.Compute(e)
		return v, e.Err
	}
	return e.build(f, c)
}

// build computes what the symbolic half of f builds, operation by operation.
func (e *Eval) build(f *functions.Function, c functions.Call) (starlark.Value, error) {
	for _, x := range c.Operands() {
		x.V = graph.NewConstant(x.D, nil)
	}
	for _, x := range c.Integers() {
		x.V = graph.NewConstant(x.D, nil)
	}
	for _, x := range c.Lengths() {
		for _, n := range x.N {
			x.V = append(x.V, graph.NewConstant(tensor.IntScalar(kernels.Int64, int64(n)), nil))
		}
	}
	for _, x := range c.Single() {
		x.V = graph.NewConstant(tensor.IntScalar(kernels.Int64, int64(x.N)), nil)
	}
	out, err := c.Build(&functions.Graph{Builder: &graph.Builder{Evaluate: e.evaluate}, FloatX: kernels.Float64})
	if err != nil {
		return nil, plainError(err)
	}
	list := make([]starlark.Value, len(out))
	for i, v := range out {
		list[i] = e.Result(v.Data)
	}
	return f.EagerResult(list), nil
}

// evaluate applies an operation to constants, for a graph.Builder.
func (e *Eval) evaluate(o graph.Op, in []*graph.Variable) ([]*graph.Variable, error) {
	values := make([]*tensor.Dense, len(in))
	for i, v := range in {
		values[i] = v.Data
	}
	results, err := Evaluator().Eval(o, StopOf(e.Session), values...)
	if err != nil {
		return nil, err
	}
	out := make([]*graph.Variable, len(results))
	for i, d := range results {
		out[i] = graph.NewConstant(d, nil)
	}
	return out, nil
}

// Computing is a builder that computes: the operations of a formula are applied at once, and what
// it makes are constants.
func Computing(s value.Host) *graph.Builder {
	e := &Eval{Call: &Call{Session: s}}
	return &graph.Builder{Evaluate: e.evaluate}
}

// Elementwise is an elementwise function of an array, with NumPy's types.
func Elementwise(s value.Host, o op.Elemwise, x *tensor.Dense) (*tensor.Dense, error) {
	e := &Eval{Call: &Call{Session: s}}
	return e.Calculator().Elementwise(o, x)
}

// Unchecked are parameters that functions of SciPy's have, and that change nothing here.
type Unchecked struct {
	OverwriteA starlark.Value `arg:"overwrite_a=False: accepted; nothing is overwritten"`
	OverwriteB starlark.Value `arg:"overwrite_b=False: accepted; nothing is overwritten"`
	Check      starlark.Value `arg:"check_finite=True: accepted; nan gives nan, or an error where it must not be"`
}

// ElementArg is the argument of functions of single elements that T has too.
type ElementArg struct {
	X functions.Operand `arg:"x|a: a number or array"`
}
