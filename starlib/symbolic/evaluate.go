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
		value.Builtin{Name: "eval",
			Params:  []value.Param{{Name: "inputs_to_values", Default: "None", Doc: "dict from the variables it depends on to values"}},
			Doc:     "Compiles the variable and computes it. The compiled function is not kept: for more than a look, use function().",
			Example: "(T.constant(2.0) * 3).eval() # 6.0", Fn: evalSymbol})
	_ = AddSparseMethods(
		sparseMethod("eval", "Compiles the matrix and computes it, from values of the variables that it depends on.", `eval({x: x.type}) if False else 0 # 0`, func(v *SparseVariable, _ *graph.Builder, a *struct {
			Given *slot.Dict `arg:"inputs_to_values=None: dict from the variables it depends on to values"`
		}) (starlark.Value, error) {
			return v.S.evaluate(v, a.Given)
		}))
)

func evalSymbol(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var given *slot.Dict
	if err := b.Unpack(args, kwargs, &given); err != nil {
		return nil, err
	}
	x := b.Receiver().(Symbol)
	spec := FunctionSpec{Outputs: x, Name: "eval", Profile: starlark.False}
	var values starlark.Tuple
	if given != nil {
		for _, kv := range given.Items() {
			v, err := x.inputFor(kv[0])
			if err != nil {
				return nil, fmt.Errorf("eval: %w", err)
			}
			spec.Inputs = append(spec.Inputs, inputSpec{V: v})
			values = append(values, kv[1])
		}
	}
	f, err := x.S.CompileFunction(thread, spec)
	if err != nil {
		return nil, err
	}
	return f.CallInternal(thread, values, nil)
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

// inputFor is the variable that a key of eval's dict stands for: itself, or the input of x of that
// name.
func (x Symbol) inputFor(key starlark.Value) (*graph.Variable, error) {
	if v, ok := key.(Symbol); ok {
		return v.V, nil
	}
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, tensor.TypeErrorf("got a key of type %s, want a symbolic variable or the name of one", key.Type())
	}
	var found []*graph.Variable
	var known []string
	for v := range (&graph.FunctionGraph{Outputs: []*graph.Variable{x.V}}).Roots() {
		if !v.IsInput() {
			continue
		}
		if known = append(known, v.Name); v.Name == name {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("%s is made of no input named %q: there are %q", x, name, known)
	}
	return nil, fmt.Errorf("%s is made of %d inputs named %q: take the variable itself as the key", x, len(found), name)
}

// evaluate is v.eval(...).
func (s *Session) evaluate(v starlark.Value, given *slot.Dict) (starlark.Value, error) {
	thread := s.Current()
	spec := FunctionSpec{Outputs: v, Name: "eval", Profile: starlark.False}
	var values starlark.Tuple
	if given != nil {
		for _, kv := range given.Items() {
			in, err := s.readOne(thread, kv[0])
			if err != nil {
				return nil, err
			}
			spec.Inputs, values = append(spec.Inputs, in), append(values, kv[1])
		}
	}
	f, err := s.CompileFunction(thread, spec)
	if err != nil {
		return nil, err
	}
	return f.CallInternal(thread, values, nil)
}
