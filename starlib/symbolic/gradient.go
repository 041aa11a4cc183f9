package symbolic

import (
	"fmt"
	"time"

	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// GradBuiltin is grad().
var GradBuiltin = value.Builtin{Name: "grad", Params: []value.Param{
	{Name: "cost", Doc: "a float scalar; None if known_grads says where to begin"},
	{Name: "wrt", Doc: "a variable, or a list of variables"},
	{Name: "consider_constant", Default: "None", Doc: "list of variables through which the gradient does not flow"},
	{Name: "disconnected_inputs", Default: `"raise"`,
		Doc: `"raise", "warn" or "ignore" variables on which the cost does not depend; their gradient is zero`},
	{Name: "known_grads", Default: "None", Doc: "dict from variables to gradients of the cost with respect to them"},
}, Doc: "The gradient of cost with respect to wrt: a variable, or a list if wrt is one.",
	Example: `grad(T.sqr(T.scalar("x")), []) # []`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		s := SessionOf(thread)
		defer func(start time.Time) { s.watching.Differentiated(time.Since(start)) }(time.Now())
		at := s.builder(thread)
		cost, err := s.costVariable(v[0])
		if err != nil {
			return nil, err
		}
		_, one := v[1].(Symbol)
		wrt := []*graph.Variable{}
		if one {
			wrt = append(wrt, v[1].(Symbol).v)
		} else if wrt, err = symbols("wrt", v[1]); err != nil {
			return nil, fmt.Errorf("grad: %w", err)
		}
		opts := grad.Options{}
		if v[2] != nil && v[2] != starlark.None {
			if opts.Constant, err = symbols("consider_constant", v[2]); err != nil {
				return nil, fmt.Errorf("grad: %w", err)
			}
		}
		if opts.Disconnected, err = s.disconnectedPolicy(v[3]); err != nil {
			return nil, err
		}
		if v[4] != nil && v[4] != starlark.None {
			if opts.Known, err = s.givens(at, v[4]); err != nil {
				return nil, fmt.Errorf("grad: known_grads: %w", err)
			}
		}
		grads, err := grad.Grad(at, cost, wrt, opts)
		if err != nil {
			return nil, s.locate(err)
		}
		if one {
			return Symbol{s, grads[0]}, nil
		}
		list := make([]starlark.Value, len(grads))
		for i, g := range grads {
			list[i] = Symbol{s, g}
		}
		return starlark.NewList(list), nil
	}}

func (s *Session) costVariable(v starlark.Value) (*graph.Variable, error) {
	switch v := v.(type) {
	case Symbol:
		return v.v, nil
	case starlark.NoneType:
		return nil, nil
	}
	return nil, fmt.Errorf("grad: cost: got %s, want a symbolic variable", v.Type())
}

func (s *Session) disconnectedPolicy(v starlark.Value) (func(*graph.Variable) error, error) {
	policy := "raise"
	if v != nil {
		text, ok := starlark.AsString(v)
		if !ok || text != "raise" && text != "warn" && text != "ignore" {
			return nil, fmt.Errorf(`grad: disconnected_inputs: got %s, want "raise", "warn" or "ignore"`, v)
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
