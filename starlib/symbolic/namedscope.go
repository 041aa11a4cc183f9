package symbolic

import (
	"errors"
	"fmt"
	"weak"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An openScope is the scope that a program has opened and not left. It ends with its cell.
type openScope struct {
	name string
	cell weak.Pointer[starlark.Thread]
}

// Scope is that of nodes which are made now, "" outside of any named_scope.
func (s *Session) Scope() string {
	if s.scope.name == "" || s.scope.cell.Value() != s.Outermost() {
		return ""
	}
	return s.scope.name
}

// begin opens a scope within the one that is open, until end is called.
func (s *Session) begin(name string) (end func()) {
	before := s.scope
	s.scope = openScope{graph.JoinScopes(s.Scope(), name), weak.Make(s.Outermost())}
	return func() { s.scope = before }
}

// A namedScope is what named_scope returns: for with, and a decorator.
type namedScope struct {
	s    *Session
	name string
	ends []func() // of each block that it is entered by and has not left
}

var _ interface {
	value.Tabled
	starlark.Callable
} = (*namedScope)(nil)

func (n *namedScope) Name() string          { return "named_scope" }
func (n *namedScope) Type() string          { return "named_scope" }
func (n *namedScope) String() string        { return fmt.Sprintf("<named_scope %s>", n.name) }
func (n *namedScope) Freeze()               {}
func (n *namedScope) Truth() starlark.Bool  { return true }
func (n *namedScope) Hash() (uint32, error) { return 0, errors.New("unhashable type: named_scope") }
func (n *namedScope) Table() *value.Methods { return NamedScopeMethods }
func (n *namedScope) AttrNames() []string   { return NamedScopeMethods.Names() }
func (n *namedScope) Attr(name string) (starlark.Value, error) {
	return NamedScopeMethods.Attr(n, name)
}

// CallInternal decorates a function: each of its calls is in the scope.
func (n *namedScope) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 {
		return nil, tensor.TypeErrorf("named_scope: a decorator takes one function: @named_scope(\"encoder\") above a def")
	}
	switch f := args[0].(type) {
	case value.Def:
		return scopedDef{f, scoped{f, n}}, nil
	case starlark.Callable:
		return scoped{f, n}, nil
	}
	return nil, tensor.TypeErrorf("named_scope: a decorator takes a function, got %s", args[0].Type())
}

// A scoped function is called in a scope.
type scoped struct {
	starlark.Callable
	in *namedScope
}

func (f scoped) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	defer f.in.s.begin(f.in.name)()
	return value.Call(thread, f.Callable, args, kwargs)
}

// A scopedDef is a scoped function of the program's. It has the parameters of that function, and
// instances bind it as a method.
type scopedDef struct {
	value.Def
	scoped scoped
}

func (f scopedDef) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return f.scoped.CallInternal(thread, args, kwargs)
}

// NamedScopeMethods are what with calls.
var NamedScopeMethods = value.NewMethods("named_scope", []value.Builtin{
	{Name: "__enter__", Doc: "Opens the scope, and returns its whole name: with calls it.", Example: `named_scope("encoder").__enter__() # "encoder"`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			n := b.Receiver().(*namedScope)
			n.ends = append(n.ends, n.s.begin(n.name))
			return starlark.String(n.s.Scope()), nil
		}},
	{Name: "__exit__", Doc: "Closes the scope: with calls it.", Params: []value.Param{{Name: "*error", Doc: "what ended the block"}},
		Example: "scope = named_scope(\"encoder\")\nname = scope.__enter__()\nprint(scope.__exit__(None, None, None)) # None",
		Fn: func(_ *starlark.Thread, b *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			n := b.Receiver().(*namedScope)
			last := len(n.ends) - 1
			if last < 0 {
				return nil, errors.New("named_scope: __exit__ without __enter__")
			}
			n.ends[last]()
			n.ends = n.ends[:last]
			return starlark.None, nil
		}},
})

// NamedScopeBuiltin is named_scope().
var NamedScopeBuiltin = value.Builtin{Name: "named_scope", Params: []value.Param{{Name: "name", Doc: "a name, as \"encoder\"; \"encoder/dense\" are two, one in the other"}},
	Doc: "A name for what is made in the block of with, or by the function below @named_scope(name): profiles, pictures and exports group nodes by it. " +
		"Scopes in each other are joined by /. The gradients of what is made there belong to it too.",
	Example: "with named_scope(\"encoder\"):\n    with named_scope(\"dense\") as name:\n        y = T.tanh(T.vector(\"x\"))\nname # \"encoder/dense\"",
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var name starlark.Value
		if err := b.Unpack(args, kwargs, &name); err != nil {
			return nil, err
		}
		text, ok := name.(starlark.String)
		if !ok {
			return nil, tensor.TypeErrorf("named_scope: name: got %s, want a string: named_scope(\"encoder\")", name.Type())
		}
		if err := graph.CheckScope(string(text)); err != nil {
			return nil, fmt.Errorf("named_scope: name: %w", err)
		}
		return &namedScope{s: SessionOf(thread), name: string(text)}, nil
	}}
