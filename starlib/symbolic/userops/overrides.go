package userops

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Overrides of an OpFromGraph: functions that say what its derivatives are. They are called once,
// with variables that stand for inputs, outputs and the gradients or changes of these; what they
// return becomes a part of the operation.

// An overriding asks the overrides of one kind.
type overriding struct {
	f      *graphOp
	thread *starlark.Thread
	b      *graph.Builder
	what   string
	of     []*graph.Variable // a derivative of each
	call   []starlark.Value  // what functions get: lists of variables
	flat   []*graph.Variable // the same, for an OpFromGraph
	kinds  []op.RuleKind
	given  []*graph.Variable
}

// override replaces the overrides of one kind. If it fails, nothing has changed.
func (f *graphOp) override(thread *starlark.Thread, what string, v starlark.Value) error {
	old := f.spec
	err := f.asked(thread, what, v)
	if err == nil {
		err = f.remake()
	}
	if err != nil {
		f.spec = old
	}
	return err
}

func (f *graphOp) asked(thread *starlark.Thread, what string, v starlark.Value) error {
	w := &overriding{f: f, thread: thread, b: f.s.Builder(thread), what: what}
	spec := &f.spec
	like := func(vars []*graph.Variable, name string) (list []*graph.Variable) {
		for _, x := range vars {
			list = append(list, graph.NewInput(name+x.Name, x.Type, w.b.Origin))
		}
		return list
	}
	if what == "rop_overrides" {
		spec.Changes, spec.Directions, spec.Forth = nil, nil, nil
		if isDefault(v) {
			return nil
		}
		w.of = spec.Outputs
		directions := like(spec.Inputs, "change of ")
		w.takes(spec.Inputs, directions)
		if err := w.ask(v); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if spec.Changes, spec.Forth = w.kinds, w.given; len(w.given) > 0 {
			spec.Directions = directions
		}
		return nil
	}
	spec.Grads, spec.Known, spec.Seeds, spec.Back = nil, nil, nil, nil
	if isDefault(v) {
		return nil
	}
	w.of = spec.Inputs
	known, seeds := like(spec.Outputs, ""), like(spec.Outputs, "gradient of ")
	if what == "lop_overrides" {
		w.takes(spec.Inputs, known, seeds)
	} else {
		w.takes(spec.Inputs, seeds)
	}
	if err := w.ask(v); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if spec.Grads, spec.Back = w.kinds, w.given; len(w.given) > 0 {
		spec.Known, spec.Seeds = known, seeds
	}
	return nil
}

// takes says what functions get.
func (w *overriding) takes(lists ...[]*graph.Variable) {
	for _, vars := range lists {
		w.call = append(w.call, symbolic.SymbolList(w.f.s, vars))
		w.flat = append(w.flat, vars...)
	}
}

// ask reads the overrides, and asks them.
func (w *overriding) ask(v starlark.Value) error {
	if list, ok := inList(v); ok {
		if len(list) != len(w.of) {
			return fmt.Errorf("got a list of %d, want one for each of %d %s", len(list), len(w.of), w.kind())
		}
		for i, one := range list {
			if err := w.one(i, one); err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
		}
		return nil
	}
	if special, ok := v.(symbolic.NoGradient); ok {
		for i := range w.of {
			if err := w.take(i, special); err != nil {
				return err
			}
		}
		return nil
	}
	returned, err := w.called(v)
	if err != nil {
		return err
	}
	list, ok := inList(returned)
	switch _, isOp := v.(*graphOp); {
	case !ok && isOp:
		list = []starlark.Value{returned}
	case !ok:
		return fmt.Errorf("%s returned %s, want a list of one for each of %d %s", symbolic.OperationName(v), symbolic.DescribeValue(returned), len(w.of), w.kind())
	}
	if len(list) != len(w.of) {
		return fmt.Errorf("%s returned a list of %d, want one for each of %d %s", symbolic.OperationName(v), len(list), len(w.of), w.kind())
	}
	for i, one := range list {
		if err := w.take(i, one); err != nil {
			return fmt.Errorf("what %s returned for %s %d: %w", symbolic.OperationName(v), w.kind()[:len(w.kind())-1], i, err)
		}
	}
	return nil
}

func (w *overriding) kind() string {
	if w.what == "rop_overrides" {
		return "outputs"
	}
	return "inputs"
}

// inList are the elements of a list or tuple.
func inList(v starlark.Value) ([]starlark.Value, bool) {
	switch v.(type) {
	case *slot.List, starlark.Tuple:
		return symbolic.Items(v), true
	}
	return nil, false
}

// one asks the override of one input or output.
func (w *overriding) one(i int, v starlark.Value) error {
	if isDefault(v) {
		w.kinds = append(w.kinds, op.Derived)
		return nil
	}
	if special, ok := v.(symbolic.NoGradient); ok {
		return w.take(i, special)
	}
	returned, err := w.called(v)
	if err != nil {
		return err
	}
	if _, isList := inList(returned); isList {
		return fmt.Errorf("%s returned a list, want one variable: in a list each function is for one of the %s", symbolic.OperationName(v), w.kind())
	}
	if err := w.take(i, returned); err != nil {
		return fmt.Errorf("what %s returned: %w", symbolic.OperationName(v), err)
	}
	return nil
}

// called calls an override.
func (w *overriding) called(v starlark.Value) (starlark.Value, error) {
	args := starlark.Tuple(w.call)
	fn, ok := v.(starlark.Callable)
	if i, isInstance := v.(value.Instance); isInstance {
		ok = i.CanCall()
	}
	if _, isSymbol := v.(symbolic.Symbol); !ok || isSymbol {
		return nil, fmt.Errorf(`got %s, want a function, an OpFromGraph, "default", DisconnectedType()() or NullType()()`, symbolic.DescribeValue(v))
	}
	if g, isGraph := v.(*graphOp); isGraph {
		if len(g.spec.Inputs) != len(w.flat) {
			return nil, fmt.Errorf("%s takes %d inputs, want %d", g.Name(), len(g.spec.Inputs), len(w.flat))
		}
		args = nil
		for _, x := range w.flat {
			args = append(args, symbolic.Symbol{S: w.f.s, V: x})
		}
	}
	return value.Call(w.thread, fn, args, nil)
}

// take takes what stands for the derivative of one.
func (w *overriding) take(i int, v starlark.Value) error {
	kind, g, _, err := w.f.s.GradientFor(w.b, w.of[i], v)
	if err != nil {
		return err
	}
	if kind == op.Given {
		w.given = append(w.given, g)
	}
	w.kinds = append(w.kinds, kind)
	return nil
}
