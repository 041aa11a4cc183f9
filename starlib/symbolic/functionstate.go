package symbolic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

type syntaxToken = syntax.Token

// contained is the answer of x in f, nil for other operators.
func contained(f *Function, op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	if (op != syntax.IN && op != syntax.NOT_IN) || side != starlark.Right {
		return nil, nil
	}
	c, err := f.container(x)
	return starlark.Bool((c != nil || err != nil) == (op == syntax.IN)), nil
}

const stateExample = `function([theano.In(T.scalar("x"), value=2.0)], T.constant(1.0), on_unused_input="ignore")`

// stateFields are the attributes of functions that are about the values of inputs and shared
// variables.
var stateFields = []value.Field{
	value.FieldOf("value", "The values of inputs and shared variables by name, variable or number: f.value[x] is f[x], and f.value[x] = v sets it. What is set for an input with a value is for "+
		"the next call, or lasts if the input has an update.", stateExample+`.value["x"] # 2.0`, func(f *Function) starlark.Value { return functionValues{f} }),
	value.FieldOf("container", "The containers of these values: f.container[x].value is f[x].", stateExample+`.container["x"].value # 2.0`,
		func(f *Function) starlark.Value { return functionContainers{f} }),
	value.FieldOf("input_storage", "The containers of the inputs: a list.", `len(`+stateExample+`.input_storage) # 1`, func(f *Function) starlark.Value {
		list := make([]starlark.Value, len(f.Inputs))
		for i := range f.Inputs {
			list[i] = &ContainerValue{f, i, Symbol{f.s, f.Inputs[i].V}}
		}
		return slot.NewList(list)
	}),
	value.FieldOf("defaults", "For each input whether calls have to give it, whether it has its value again after each call, and the value.", stateExample+`.defaults # [(False, True, 2.0)]`,
		func(f *Function) starlark.Value {
			list := make([]starlark.Value, len(f.Inputs))
			for i := range f.Inputs {
				in := &f.Inputs[i]
				list[i] = starlark.Tuple{starlark.Bool(in.required), starlark.Bool(!in.required && in.home == nil), orNone(in.value)}
			}
			return slot.NewList(list)
		}),
	value.FieldOf("output_keys", "The keys of the dict that a call returns, or None.", `function([], {"a": T.constant(1.0)}).output_keys # ["a"]`, func(f *Function) starlark.Value {
		if f.keys == nil {
			return starlark.None
		}
		return slot.NewList(slices.Clone(f.keys))
	}),
	value.FieldOf("trust_input", "Whether arguments need no check. It can be set, for Theano's sake: arguments are always checked, which takes nanoseconds.", stateExample+`.trust_input # False`,
		func(f *Function) starlark.Value { return f.trusted }),
	value.FieldOf("unpack_single", "Whether a call returns the only output and no list of it.", stateExample+`.unpack_single # True`,
		func(f *Function) starlark.Value { return starlark.Bool(f.single) }),
	value.FieldOf("return_none", "Whether there are no outputs, so that a call returns None.", stateExample+`.return_none # False`,
		func(f *Function) starlark.Value { return starlark.Bool(f.spec.Outputs == starlark.None) }),
}

// SetField sets trust_input, the only attribute of all functions that changes, or one of the
// program's own.
func (f *Function) SetField(name string, v starlark.Value) error {
	trusted, ok := v.(starlark.Bool)
	switch {
	case name != "trust_input" && slices.Contains(f.Table().Names(), name):
		return fmt.Errorf("Function: cannot assign to .%s; only .trust_input can be set, and f[x] for the value of an input or a shared variable", name)
	case name != "trust_input":
		f.own.set(name, v)
		return nil
	case !ok:
		return fmt.Errorf("trust_input of a Function: got %s, want True or False", v.Type())
	}
	f.trusted = trusted
	return nil
}

// functionShared is f.get_shared().
var functionShared = value.Builtin{Name: "get_shared", Doc: "The shared variables that the function reads or updates: a list, in the order of their first use.",
	Example: `function([], shared(1.5, name="w") * 2).get_shared() # [w]`,
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := b.Unpack(args, kwargs); err != nil {
			return nil, err
		}
		f := b.Receiver().(*Function)
		return SymbolList(f.s, f.shared()), nil
	}}

// functionSync is f.sync_shared().
var functionSync = value.Builtin{Name: "sync_shared", Doc: "Nothing, for Theano's sake: when a call returns, its updates are made.",
	Example: `function([], T.constant(2.0)).sync_shared() == None # True`,
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, b.Unpack(args, kwargs)
	}}

// functionSave is f.save(path).
var functionSave = value.Builtin{Name: "save", Params: []value.Param{{Name: "path", Doc: "the file's name, which ends in .arignote"}},
	Doc:     "Writes the function to a file, from which theano.load makes it anew where its source is not: theano.save(path, f).",
	Example: `function([], T.constant(2.0)).save("two.arignote"); theano.load("two.arignote")() # 2.0`,
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		f := b.Receiver().(*Function)
		if err := f.s.saving(f.s, v[0], f); err != nil {
			return nil, fmt.Errorf("save: %w", err)
		}
		return starlark.None, nil
	}}

// functionCopy is f.copy(...).
var functionCopy = value.Builtin{Name: "copy", Params: []value.Param{
	{Name: "share_memory", Default: "False", Doc: "accepted: no function ever writes where another, or its caller, reads"},
	{Name: "swap", Default: "None", Doc: "dict from shared variables of the function to those that the copy reads and updates instead, of the same types"},
	{Name: "delete_updates", Default: "False", Doc: "whether the copy changes nothing: neither shared variables nor inputs with an update"},
	{Name: "name", Default: "None", Doc: "what the copy is called; the function's name and \" copy\" if not given"},
	{Name: "profile", Default: "None", Doc: "as for function()"},
}, Doc: "The function once more, compiled anew. Shared variables are those of the function; inputs that keep a value begin with their first one.",
	Example: `w = shared(1.5); function([], w * 2).copy(swap={w: shared(4.0)})() # 8.0`, Fn: copyFunction}

func copyFunction(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	f := b.Receiver().(*Function)
	g := &Function{s: f.s, watching: f.watching, spec: f.spec, what: f.what, keys: f.keys, outputs: f.outputs, single: f.single, trusted: f.trusted}
	g.spec.Unused, g.spec.Profile = starlark.String("ignore"), v[4]
	g.what.Origin = f.s.NodeOrigin(thread)
	if g.spec.Name, err = OptionalString("name", v[3]); err != nil {
		return nil, fmt.Errorf("copy: %w", err)
	}
	if g.what.Name = g.spec.Name; g.what.Name == "" {
		g.what.Name = f.Name() + " copy"
	}
	swap, err := f.swaps(v[1])
	if err != nil {
		return nil, fmt.Errorf("copy: swap: %w", err)
	}
	g.what.Swap = swap
	// The default updates are those of now, whatever the variables have since.
	g.what.Updates = slices.Concat(f.what.Updates, f.Compiled.Defaults)
	g.what.NoDefault = func(*graph.Variable) bool { return true }
	if !Absent(v[2]) && bool(v[2].Truth()) {
		g.what.Updates = nil
		g.spec.Inputs = slices.Clone(f.spec.Inputs)
		for i := range g.spec.Inputs {
			g.spec.Inputs[i].update = nil
		}
	}
	return g, g.compile()
}

// swaps reads the argument swap, and puts it behind the swaps that f was made with.
func (f *Function) swaps(v starlark.Value) (map[*graph.Variable]*graph.Variable, error) {
	list, err := Pairs(v)
	if err != nil || len(list) == 0 {
		return f.what.Swap, err
	}
	swap := make(map[*graph.Variable]*graph.Variable)
	for _, p := range list {
		var x [2]*graph.Variable
		for i, e := range p {
			s, ok := e.(Symbol)
			if !ok || s.V.Shared == nil {
				return nil, tensor.TypeErrorf("got %s, want a shared variable", DescribeValue(e))
			}
			x[i] = s.V
		}
		switch {
		case !slices.Contains(f.shared(), x[0]):
			return nil, fmt.Errorf("%s has no shared variable %s: f.get_shared() lists those that it has", f.Name(), graph.Mention(x[0]))
		case x[0].Type != x[1].Type:
			return nil, tensor.TypeErrorf("got %s for %s, want a shared variable of the same type", graph.Mention(x[1]), graph.Mention(x[0]))
		}
		swap[x[0]] = x[1]
	}
	all := maps.Clone(swap)
	for old, v := range f.what.Swap {
		if all[old] = v; swap[v] != nil {
			all[old] = swap[v]
		}
	}
	return all, nil
}

// w.container, an attribute of shared variables.
var _ = AddSharedFields(value.FieldOf("container", "What holds its value: w.container.value is w.get_value().", `shared(1.5).container.value # 1.5`,
	func(x Symbol) starlark.Value { return &ContainerValue{nil, -1, x} }))
