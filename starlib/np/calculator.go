package np

import (
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// Calculator computes the operations that functions of package array consist of, until the cell is
// interrupted.
func (e *Eval) Calculator() array.Calculator {
	return array.Calculator{Evaluator: Evaluator(), Stop: StopOf(e.Session), Made: &e.made, To: e.to}
}

// Compute calls a function of package array, unless there was an error.
func (e *Eval) Compute(f func(c array.Calculator) (*tensor.Dense, error)) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	return e.Got(f(e.Calculator()))
}

// Apply computes a formula, unless there was an error.
func (e *Eval) Apply(f func(m *formula.Algebra) (formula.Array, error)) *tensor.Dense {
	if e.Failed() {
		return Meaningless()
	}
	m := &e.algebra
	if m.Evaluator == nil {
		m.Evaluator, m.Made = Evaluator(), &e.made
	}
	m.Stop, m.To = StopOf(e.Session), e.to
	return e.Got(applied(m, f))
}

func applied(m *formula.Algebra, f func(m *formula.Algebra) (formula.Array, error)) (z *tensor.Dense, err error) {
	defer graph.Catch(&err)
	x, err := f(m)
	if err != nil {
		return nil, err
	}
	return x.(*tensor.Dense), nil
}

// Formula makes a row whose halves are one formula. value makes the result of its array.
func Formula[A any](names, doc, example string, f func(m *formula.Algebra, a *A) (formula.Array, error), value func(e *Eval, z *tensor.Dense) starlark.Value) functions.Function {
	return Function(names, doc, example, func(e *Eval, a *A) starlark.Value {
		return value(e, e.Apply(func(m *formula.Algebra) (formula.Array, error) { return f(m, a) }))
	}, functions.BuildsFormula(f))
}

// AsArray is the array of a result even if it has no axes, for Formula. Else that is Eval.Result.
func AsArray(e *Eval, z *tensor.Dense) starlark.Value { return e.Array1(z, nil) }

// View is Formula for results that may lie in the memory of an argument: of says in which, and
// value is Eval.Viewed, ViewOf or Itself.
func View[A any](names, doc, example string, of func(a *A) functions.Operand, f func(m *formula.Algebra, a *A) (formula.Array, error),
	value func(e *Eval, v starlark.Value, z *tensor.Dense) starlark.Value) functions.Function {
	return Function(names, doc, example, func(e *Eval, a *A) starlark.Value {
		return value(e, of(a).Value, e.Apply(func(m *formula.Algebra) (formula.Array, error) { return f(m, a) }))
	}, functions.BuildsFormula(f))
}
