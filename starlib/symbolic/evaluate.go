package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What variables have of functions: they are compiled for one look.
var (
	_ = AddMethods(
		value.Builtin{Name: "get_scalar_constant_value", Doc: "The number that it is, if it is made of constants only and has one element.",
			Example: `(T.constant(2.0) * 3).get_scalar_constant_value() # 6.0`, Fn: constantValue},
		value.Builtin{Name: "eval", Params: evalParams,
			Doc:     "Compiles the variable and computes it. The compiled function is not kept: for more than a look, use function().",
			Example: "(T.constant(2.0) * 3).eval() # 6.0", Fn: evalVariable})
	_ = AddSparseMethods(
		value.Builtin{Name: "eval", Params: evalParams, Doc: "Compiles the matrix and computes it, from values of the variables that it depends on.",
			Example: methodSample(`eval({x: x.type}) if False else 0 # 0`), Fn: evalVariable})
)

var evalParams = []value.Param{
	{Name: "inputs_to_values", Default: "None", Doc: "dict from the variables it depends on, or their names, to values"},
	{Name: "**kwargs", Doc: "arguments of function() by name: mode, givens, on_unused_input, ..."},
}

func evalVariable(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var given, how *slot.Dict
	if err := b.Unpack(args, kwargs, &given, &how); err != nil {
		return nil, err
	}
	var inputs []starlark.Value
	var values starlark.Tuple
	if given != nil {
		for _, kv := range given.Items() {
			in := kv[0]
			if name, ok := starlark.AsString(in); ok {
				v, err := inputNamed(SessionOf(thread), b.Receiver(), name)
				if err != nil {
					return nil, fmt.Errorf("eval: %w", err)
				}
				in = v
			} else if _, ok := in.(Symbol); !ok && !IsSparse(in) {
				return nil, tensor.TypeErrorf("eval: got a key of type %s, want a symbolic variable or the name of one", in.Type())
			}
			inputs, values = append(inputs, in), append(values, kv[1])
		}
	}
	said := how.Items()
	for _, kv := range []starlark.Tuple{{starlark.String("name"), starlark.String("eval")}, {starlark.String("profile"), starlark.False}} {
		if _, ok, _ := how.Get(kv[0]); !ok {
			said = append(said, kv)
		}
	}
	f, err := FunctionBuiltin.Fn(thread, &FunctionBuiltin, starlark.Tuple{slot.NewList(inputs), b.Receiver()}, said)
	if err != nil {
		return nil, err
	}
	return f.(*Function).CallInternal(thread, values, nil)
}

// constantValue computes what depends on nothing.
func constantValue(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := b.Unpack(args, kwargs); err != nil {
		return nil, err
	}
	x := b.Receiver().(Symbol)
	for _, v := range Roots([]*graph.Variable{x.V}, nil) {
		if !v.IsConstant() {
			return nil, fmt.Errorf("get_scalar_constant_value: %s depends on %s, which is no constant; x.eval({...}) computes it", x, graph.Mention(v))
		}
	}
	f, err := x.S.CompileFunction(thread, FunctionSpec{Outputs: x, Name: "get_scalar_constant_value", Profile: starlark.False})
	if err != nil {
		return nil, err
	}
	out, err := f.Compute(thread, nil, nil)
	switch {
	case err != nil:
		return nil, err
	case out[0].Size() != 1:
		return nil, fmt.Errorf("get_scalar_constant_value: %s has %d elements, want 1", x, out[0].Size())
	}
	a, err := out[0].Reshape()
	return np.FromDenseIn(x.S, a), err
}

// inputNamed is the input of that name that x is made of.
func inputNamed(s *Session, x starlark.Value, name string) (starlark.Value, error) {
	var of []*graph.Variable
	switch x := x.(type) {
	case Symbol:
		of = []*graph.Variable{x.V}
	case *SparseVariable:
		of = x.X.Parts()
	}
	var found []*graph.Variable
	var known []string
	for v := range (&graph.FunctionGraph{Outputs: of}).Roots() {
		if !v.IsInput() {
			continue
		}
		if known = append(known, v.Name); v.Name == name {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 1:
		return Symbol{s, found[0]}, nil
	case 0:
		return nil, fmt.Errorf("%s is made of no input named %q: there are %q", x, name, known)
	}
	return nil, fmt.Errorf("%s is made of %d inputs named %q: take the variable itself as the key", x, len(found), name)
}
