package operations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// GradBuiltin is grad().
var GradBuiltin = value.Builtin{Name: "grad", Params: []value.Param{
	{Name: "cost", Doc: "a scalar; None if known_grads says where to begin"},
	{Name: "wrt", Doc: "a variable, or a list of variables"},
	constantParam, disconnectedParam,
	{Name: "add_names", Default: "True", Doc: "for Theano's sake: gradients are told by the lines that they come from"},
	{Name: "known_grads", Default: "None", Doc: "dict from variables to gradients of the cost with respect to them"},
	{Name: "return_disconnected", Default: `"zero"`, Doc: `what stands for the gradient of a variable on which the cost does not depend: "zero", or "none" for None`},
	{Name: "null_gradients", Default: `"raise"`, Doc: "for Theano's sake: no operation has a gradient that is undefined"},
}, Doc: "The gradient of cost with respect to wrt: a variable, or a list if wrt is one.\n\nThat of integers and bools is of floats: as if they were floats where floats are computed of them, zero where integers are, and none " +
	"where they are subscripts or lengths.",
	Example: `grad(T.sqr(T.scalar("x")), []) # []`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		d, err := newDerivation(thread, v[1], v[2], v[3])
		if err != nil {
			return nil, value.Named("", b.Name, err)
		}
		defer d.timed()()
		cost, err := costVariable(d.s, v[0])
		if err != nil {
			return nil, value.Named("", b.Name, err)
		}
		none, err := d.returnDisconnected(v[6])
		if err != nil {
			return nil, value.Named("", b.Name, err)
		}
		if v[5] != nil && v[5] != starlark.None {
			if d.opts.Known, err = d.s.Givens(d.b, v[5]); err != nil {
				return nil, fmt.Errorf("grad: known_grads: %w", err)
			}
		}
		grads, err := d.gradients(cost)
		d.mention(grads, cost)
		return d.result(grads, err, none)
	}}

var (
	constantParam     = value.Param{Name: "consider_constant", Default: "None", Doc: "list of variables through which the gradient does not flow"}
	disconnectedParam = value.Param{Name: "disconnected_inputs", Default: `"raise"`,
		Doc: `"raise", "warn" or "ignore" variables on which the cost does not depend; their gradient is zero`}
)

// A derivation is a call that differentiates.
type derivation struct {
	s    *symbolic.Session
	b    *graph.Builder
	wrt  []*graph.Variable
	one  bool           // wrt is one variable and no list
	kind starlark.Value // what wrt was: a list, a tuple
	opts grad.Options
	off  map[*graph.Variable]bool             // variables on which the cost does not depend
	of   []starlark.Value                     // what wrt were
	sums map[*graph.Variable]symbolic.ASparse // gradients with respect to sparse matrices that have other places than these, by their data
}

// newDerivation reads the arguments wrt, consider_constant and disconnected_inputs.
func newDerivation(thread *starlark.Thread, wrt, constant, disconnected starlark.Value) (*derivation, error) {
	s := symbolic.SessionOf(thread)
	d := &derivation{s: s, b: s.Builder(thread), kind: wrt, off: make(map[*graph.Variable]bool), sums: make(map[*graph.Variable]symbolic.ASparse)}
	d.opts.Interrupted, d.opts.Float = s.Interrupted, s.FloatX()
	var err error
	if d.wrt, d.one, d.of, err = withRespectTo(wrt); err != nil {
		return nil, err
	}
	if constant != nil && constant != starlark.None {
		if d.opts.Constant, _, err = symbolic.OneOrMore("consider_constant", constant); err != nil {
			return nil, err
		}
	}
	policy, err := disconnectedPolicy(s, disconnected)
	if policy != nil {
		d.opts.Disconnected = func(v *graph.Variable) error {
			d.off[v] = true
			return policy(v)
		}
	}
	return d, err
}

// withRespectTo reads wrt. For a sparse matrix its data stand: the gradient has its structure, but
// for regular functions (see gradients).
func withRespectTo(v starlark.Value) (list []*graph.Variable, one bool, of []starlark.Value, err error) {
	if m, ok := v.(*symbolic.SparseVariable); ok {
		return []*graph.Variable{m.X.Data}, true, []starlark.Value{m}, nil
	}
	if _, unordered := v.(*slot.Set); unordered {
		return nil, false, nil, tensor.TypeErrorf("wrt: got a set, which has no order that gradients could have; pass a list")
	}
	seq, ok := value.Indexed(v)
	if _, single := v.(symbolic.Symbol); ok && !single {
		dense := make([]starlark.Value, seq.Len())
		for i := range dense {
			dense[i] = seq.Index(i)
			of = append(of, dense[i])
			if m, ok := dense[i].(*symbolic.SparseVariable); ok {
				dense[i] = symbolic.Symbol{S: m.S, V: m.X.Data}
			}
		}
		v = slot.NewList(dense)
	}
	list, one, err = symbolic.OneOrMore("wrt", v)
	for len(of) < len(list) {
		of = append(of, starlark.None)
	}
	return list, one, of, err
}

// timed tells how long it took when what it returns is called.
func (d *derivation) timed() func() {
	start := time.Now()
	return func() { d.s.Observing.Differentiated(time.Since(start)) }
}

// returnDisconnected reads the argument of this name: whether None is to stand for the gradients of
// what the cost does not depend on.
func (d *derivation) returnDisconnected(v starlark.Value) (none bool, err error) {
	switch text, _ := starlark.AsString(v); {
	case v == nil || text == "zero":
		return false, nil
	case strings.EqualFold(text, "none"):
		return true, nil
	case strings.EqualFold(text, "disconnected"):
		return false, fmt.Errorf(`return_disconnected: there is no type of what is disconnected; use "none"`)
	}
	return false, fmt.Errorf(`return_disconnected: got %s, want "zero" or "none"`, value.Repr(v))
}

// mention notes at gradients what they were written of, which their graphs may do without.
func (d *derivation) mention(grads []*graph.Variable, of ...*graph.Variable) {
	all := slices.Concat(d.wrt, slices.DeleteFunc(of, func(v *graph.Variable) bool { return v == nil }))
	for v, g := range d.opts.Known {
		all = append(all, v, g)
	}
	d.b.Mention(grads, graph.Inputs(nil, all...))
}

// result is what users get of gradients: as wrt was, one or a list. none says that None stands for
// those of what is disconnected.
func (d *derivation) result(grads []*graph.Variable, err error, none bool) (starlark.Value, error) {
	if err != nil {
		return nil, d.s.Locate(err)
	}
	list := make([]starlark.Value, len(grads))
	for i, g := range grads {
		list[i] = symbolic.Symbol{S: d.s, V: g}
		if m, ok := d.of[i].(*symbolic.SparseVariable); ok {
			x, other := d.sums[g]
			if !other {
				x = m.X.With(g)
			}
			list[i] = d.s.NewSparse(x)
		}
		if none && d.off[d.wrt[i]] {
			list[i] = starlark.None
		}
	}
	return symbolic.AsGiven(list, d.one, d.kind), nil
}

func costVariable(s *symbolic.Session, v starlark.Value) (*graph.Variable, error) {
	switch v := v.(type) {
	case symbolic.Symbol:
		return v.V, nil
	case starlark.NoneType:
		return nil, nil
	case *symbolic.SparseVariable:
		return nil, tensor.TypeErrorf("cost: got the sparse matrix %s, want a scalar; sparse.sp_sum(x) adds its elements up", v.Mention())
	}
	return nil, tensor.TypeErrorf("cost: got %s, want a symbolic variable", v.Type())
}

func disconnectedPolicy(s *symbolic.Session, v starlark.Value) (func(*graph.Variable) error, error) {
	policy := "raise"
	if v != nil {
		text, ok := starlark.AsString(v)
		if !ok || text != "raise" && text != "warn" && text != "ignore" {
			return nil, fmt.Errorf(`disconnected_inputs: got %s, want "raise", "warn" or "ignore"`, v)
		}
		policy = text
	}
	switch policy {
	case "ignore":
		return func(*graph.Variable) error { return nil }, nil
	case "warn":
		return func(x *graph.Variable) error {
			s.Warn("grad: the cost does not depend on " + graph.Mention(x))
			return nil
		}, nil
	}
	return nil, nil
}

// Pullback is the gradient of a sum of f, with the weights u, with respect to x.
func Pullback(b *graph.Builder, f, u, x *graph.Variable) (*graph.Variable, error) {
	g, err := grad.Lop(b, []*graph.Variable{f}, []*graph.Variable{u}, []*graph.Variable{x}, grad.Options{})
	if err != nil {
		return nil, err
	}
	return g[0], nil
}
