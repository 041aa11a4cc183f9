package onnx

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

type saveArgs struct {
	Outputs starlark.Value `arg:"outputs: a symbolic variable, a list of them, a dict from names to them, or a model that was loaded"`
	Path    string         `arg:"path: the file's name"`
	Inputs  starlark.Value `arg:"inputs=None: the variables that are inputs, in their order; None for all that outputs need"`
}

func save(thread *starlark.Thread, a *saveArgs) (starlark.Value, error) {
	s := symbolic.SessionOf(thread)
	fail := func(err error) (starlark.Value, error) { return nil, fmt.Errorf("save: %w", err) }
	var outputs, inputs []*graph.Variable
	var names []string
	var err error
	if m, ok := a.Outputs.(*Model); ok {
		outputs, inputs, names = m.m.Outputs, m.m.Inputs, m.m.Names
	} else if outputs, names, err = variables("outputs", a.Outputs); err != nil {
		return fail(err)
	}
	if a.Inputs != nil && a.Inputs != starlark.None {
		if inputs, _, err = variables("inputs", a.Inputs); err != nil {
			return fail(err)
		}
	} else if inputs == nil {
		inputs = onnx.InputsOf(outputs)
	}
	data, err := onnx.Save(inputs, outputs, names)
	if err != nil {
		return nil, err
	}
	err = s.Files().Replace(s.Path(a.Path), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fail(np.FileError(a.Path, err))
	}
	return starlark.None, nil
}

// variables reads a variable, a list of them, or a dict from names.
func variables(param string, v starlark.Value) (list []*graph.Variable, names []string, err error) {
	one := func(name string, e starlark.Value) error {
		x, ok := e.(symbolic.Symbol)
		if !ok {
			return tensor.TypeErrorf("%s: got %s, want symbolic variables; of a compiled function, those that it was compiled of", param, e.Type())
		}
		list, names = append(list, x.Variable()), append(names, name)
		return nil
	}
	switch v := v.(type) {
	case starlark.IterableMapping:
		for _, item := range v.Items() {
			name, ok := starlark.AsString(item[0])
			if !ok || strings.TrimSpace(name) == "" {
				return nil, nil, tensor.TypeErrorf("%s: got the key %s, want a name", param, item[0])
			}
			if err := one(name, item[1]); err != nil {
				return nil, nil, err
			}
		}
	case symbolic.Symbol:
		err = one("", v)
	case starlark.Iterable:
		for e := range starlark.Elements(v) {
			if err := one("", e); err != nil {
				return nil, nil, err
			}
		}
	default:
		err = one("", v)
	}
	if err == nil && list == nil && param == "outputs" {
		err = errors.New("outputs: got none, want at least 1")
	}
	return list, names, err
}
