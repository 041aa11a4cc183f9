package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ParamNames are the keywords that a call takes.
func (f *Function) ParamNames() []string {
	var names []string
	for i := range f.Inputs {
		if name := f.Inputs[i].keyword(); name != "" && !f.Inputs[i].implicit {
			names = append(names, name)
		}
	}
	return names
}

// inputName is what errors call input i.
func (f *Function) inputName(i int) string {
	if name := f.Inputs[i].keyword(); name != "" {
		return name
	}
	return InputName(f.Inputs[i].V, i)
}

// named is the number of the input of that keyword.
func (f *Function) named(name string) (int, error) {
	at := -1
	var names []string
	for i := range f.Inputs {
		names = append(names, f.Inputs[i].keyword())
		switch {
		case names[i] != name:
		case at >= 0:
			return 0, fmt.Errorf("%s: inputs %d and %d are both named %s: give them by position, or name them apart with theano.In(x, name=...)", f.Name(), at, i, name)
		default:
			at = i
		}
	}
	if at >= 0 {
		return at, nil
	}
	if near := config.Closest(name, names); near != "" {
		return 0, fmt.Errorf("%s: no input is named %s (did you mean %s?)", f.Name(), name, near)
	}
	return 0, fmt.Errorf("%s: no input is named %s: %s", f.Name(), name, f.Signature())
}

// bind matches the arguments with the inputs; nil stands for one that is not given.
func (f *Function) bind(args starlark.Tuple, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	if len(args) > len(f.Inputs) {
		return nil, fmt.Errorf("%s: got %d arguments, want %d: %s", f.Name(), len(args), len(f.Inputs), f.Signature())
	}
	given := make([]starlark.Value, len(f.Inputs))
	copy(given, args)
	for _, kv := range kwargs {
		at, err := f.named(string(kv[0].(starlark.String)))
		switch {
		case err != nil:
			return nil, err
		case given[at] != nil:
			return nil, fmt.Errorf("%s: got multiple values for input %s", f.Name(), f.inputName(at))
		}
		given[at] = kv[1]
	}
	for i, x := range given {
		if x == nil && f.Inputs[i].required {
			return nil,
				fmt.Errorf("%s: missing argument for %s: got %d arguments, want %d: %s", f.Name(), f.inputName(i),
					len(args)+len(kwargs), len(f.Inputs), f.Signature())
		}
	}
	return given, nil
}

// subset takes output_subset out of the keyword arguments: the numbers of the outputs to return,
// nil for all.
func (f *Function) subset(kwargs []starlark.Tuple) ([]int, []starlark.Tuple, error) {
	const keyword = "output_subset"
	i := slices.IndexFunc(kwargs, func(kv starlark.Tuple) bool { return kv[0] == starlark.String(keyword) })
	if i < 0 || slices.ContainsFunc(f.Inputs, func(in callInput) bool { return in.keyword() == keyword }) {
		return nil, kwargs, nil
	}
	given := kwargs[i][1]
	kwargs = slices.Concat(kwargs[:i], kwargs[i+1:])
	if given == starlark.None {
		return nil, kwargs, nil
	}
	seq, ok := given.(starlark.Iterable)
	if !ok {
		return nil, nil, fmt.Errorf("%s: %s: got %s, want a list of outputs, by number or by key", f.Name(), keyword, given.Type())
	}
	n := len(f.what.Outputs)
	subset := []int{}
	for e := range starlark.Elements(seq) {
		at := slices.IndexFunc(f.keys, func(k starlark.Value) bool { same, err := starlark.Equal(k, e); return err == nil && same })
		if number, isInt := e.(starlark.Int); isInt && f.keys == nil {
			k, ok := number.Int64()
			if ok && k >= 0 && k < int64(n) {
				at = int(k)
			}
		}
		if at < 0 && f.keys != nil {
			return nil, nil, fmt.Errorf("%s: %s: there is no output %s: the keys are %s", f.Name(), keyword, value.Repr(e), value.Repr(slot.NewList(f.keys)))
		} else if at < 0 {
			return nil, nil, fmt.Errorf("%s: %s: got %s, want numbers of outputs, from 0 to %d", f.Name(), keyword, value.Repr(e), n-1)
		}
		subset = append(subset, at)
	}
	return subset, kwargs, nil
}

// Signature lists the inputs with their types.
func (f *Function) Signature() string {
	text := f.Name() + "("
	for i := range f.Inputs {
		if i > 0 {
			text += ", "
		}
		in := &f.Inputs[i]
		text += f.inputName(i) + ": " + in.V.Type.String()
		if in.value != nil {
			text += " = " + value.Repr(in.value)
		}
	}
	return text + ")"
}

// Items are the elements of a list or tuple; anything else but None is the only one.
func Items(v starlark.Value) []starlark.Value {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil
	case *slot.List:
		return slices.Collect(starlark.Elements(v))
	case starlark.Tuple:
		return v
	}
	return []starlark.Value{v}
}
