package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ParamNames are the keywords that a call takes.
func (f *Function) ParamNames() []string {
	var names []string
	for i := range f.Inputs {
		if name := f.keyword(i); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func InputName(v *graph.Variable, i int) string {
	if v.Name != "" {
		return v.Name
	}
	return fmt.Sprintf("input %d", i)
}

// keyword is the name under which a call may give input i, "" if it has none.
func (f *Function) keyword(i int) string {
	if name := f.accepts[i].name; name != "" {
		return name
	}
	return f.Inputs[i].Name
}

// inputName is what errors call input i.
func (f *Function) inputName(i int) string {
	if name := f.keyword(i); name != "" {
		return name
	}
	return InputName(f.Inputs[i], i)
}

// bind matches the arguments with the inputs.
func (f *Function) bind(args starlark.Tuple, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	if len(args) > len(f.Inputs) {
		return nil, fmt.Errorf("%s: got %d arguments, want %d: %s", f.Name(), len(args), len(f.Inputs), f.Signature())
	}
	given := make([]starlark.Value, len(f.Inputs))
	copy(given, args)
	for _, kv := range kwargs {
		name := string(kv[0].(starlark.String))
		at := -1
		var names []string
		for i := range f.Inputs {
			names = append(names, f.keyword(i))
			if names[i] == name {
				at = i
			}
		}
		switch {
		case at < 0:
			if near := config.Closest(name, names); near != "" {
				return nil, fmt.Errorf("%s: no input is named %s (did you mean %s?)", f.Name(), name, near)
			}
			return nil, fmt.Errorf("%s: no input is named %s: %s", f.Name(), name, f.Signature())
		case given[at] != nil:
			return nil, fmt.Errorf("%s: got multiple values for input %s", f.Name(), name)
		}
		given[at] = kv[1]
	}
	for i, x := range given {
		if x == nil && f.accepts[i].otherwise != nil {
			given[i] = f.accepts[i].otherwise
		} else if x == nil {
			return nil,
				fmt.Errorf("%s: missing argument for %s: got %d arguments, want %d: %s", f.Name(), f.inputName(i),
					len(args)+len(kwargs), len(f.Inputs), f.Signature())
		}
	}
	return given, nil
}

// Signature lists the inputs with their types.
func (f *Function) Signature() string {
	text := f.Name() + "("
	for i, v := range f.Inputs {
		if i > 0 {
			text += ", "
		}
		text += f.inputName(i) + ": " + v.Type.String()
		if x := f.accepts[i].otherwise; x != nil {
			text += " = " + value.Repr(x)
		}
	}
	return text + ")"
}
