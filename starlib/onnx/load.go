package onnx

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Table is the functions of the module.
var Table = []value.Builtin{
	value.Function("load", "The model of an ONNX file. Its floats that were trained are shared variables, its operators are those of T: it can be called, differentiated and "+
		"profiled, node by node under the names that it has in the file. Operators and element types that are not there are refused, all at once.",
		`import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx")(np.float32([1, 2])) # array([1., 4.], dtype=float32)`, load),
	value.Function("save", "Writes expressions as an ONNX file, which other programs run. Shared variables are its parameters, under their names, and variables keep their names. "+
		"Operations that ONNX has not are refused, all at once, with their lines. What was there before stays until all is written.",
		`import onnx; x = T.fvector("x"); onnx.save({"y": T.tanh(x)}, "m.onnx"); onnx.load("m.onnx").output_names # ["y"]`, save),
}

// Module is the module onnx.
var Module = value.NewModule("onnx", "Models that other programs trained, of ONNX files.", value.Builtins(Table)...)

type loadArgs struct {
	Path   string         `arg:"path: the name of a file of ONNX; tensors that lie in other files are found beside it"`
	Shapes starlark.Value `arg:"shapes=None: a dict from names of inputs to their shapes, where the file does not say them or leaves lengths open, which None does here; kernels and shapes of results are chosen by what is known"`
	Values starlark.Value `arg:"values=None: a dict from names of inputs to their values, which are constants then and no inputs: of those that decide shapes, such as the axes of a sum"`
}

func load(thread *starlark.Thread, a *loadArgs) (starlark.Value, error) {
	s := symbolic.SessionOf(thread)
	fail := func(err error) (starlark.Value, error) { return nil, fmt.Errorf("load: %w", err) }
	o := onnx.Options{Door: s.Files(), Frames: s.Origin(thread)}
	var err error
	if o.Shapes, err = shapes(a.Shapes); err != nil {
		return fail(err)
	}
	if o.Values, err = values(a.Values); err != nil {
		return fail(err)
	}
	o.Name = a.Path
	m, err := onnx.Load(s.Path(a.Path), o)
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == s.Path(a.Path) {
		err = np.FileError(a.Path, err)
	}
	if err != nil {
		return fail(err)
	}
	lines := make(map[int]string)
	for i, line := range m.Lines() {
		lines[i+1] = line
	}
	if len(lines) > 0 {
		s.KeepLines(m.File, lines)
	}
	return &Model{s: s, m: m}, nil
}

// named reads a dict from names of inputs.
func named(param string, v starlark.Value, read func(name string, v starlark.Value) error) error {
	if v == nil || v == starlark.None {
		return nil
	}
	d, ok := v.(starlark.IterableMapping)
	if !ok {
		return tensor.TypeErrorf("%s: got %s, want a dict from names of inputs", param, v.Type())
	}
	for _, item := range d.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok {
			return tensor.TypeErrorf("%s: got a key of type %s, want the name of an input", param, item[0].Type())
		}
		if err := read(name, item[1]); err != nil {
			return fmt.Errorf("%s[%q]: %w", param, name, err)
		}
	}
	return nil
}

// shapes reads tuples of lengths; None stands for one that is not known.
func shapes(v starlark.Value) (map[string][]int, error) {
	all := make(map[string][]int)
	return all, named("shapes", v, func(name string, v starlark.Value) error {
		seq, ok := v.(starlark.Iterable)
		if !ok {
			return tensor.TypeErrorf("got %s, want a tuple of lengths", v.Type())
		}
		list := []int{}
		for e := range starlark.Elements(seq) {
			n := graph.Unknown
			if e != starlark.None {
				var err error
				if n, err = starlark.AsInt32(value.NumberOf(e)); err != nil {
					return tensor.TypeErrorf("got %s, want lengths, or None for one that is not known", e.Type())
				}
				if n < 0 {
					return fmt.Errorf("got length %d, want at least 0, or None for one that is not known", n)
				}
			}
			list = append(list, n)
		}
		all[name] = list
		return nil
	})
}

// values reads arrays.
func values(v starlark.Value) (map[string]*tensor.Dense, error) {
	all := make(map[string]*tensor.Dense)
	return all, named("values", v, func(name string, v starlark.Value) error {
		d, err := np.ToDense(v)
		if err == nil {
			all[name] = d.Copy() // the program may change its array
		}
		return err
	})
}
