package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Model is a model of an ONNX file as the language sees it.
type Model struct {
	s *symbolic.Session
	m *onnx.Model
	f starlark.Callable // what a call of the model calls; nil before the first
}

var (
	_ starlark.Callable = (*Model)(nil)
	_ value.Tabled      = (*Model)(nil)
	_ value.Documenter  = (*Model)(nil)
	_ value.Signed      = (*Model)(nil)
)

func (m *Model) String() string        { return fmt.Sprintf("<onnx model %s>", m.m.File) }
func (m *Model) Type() string          { return "OnnxModel" }
func (m *Model) Name() string          { return m.m.File }
func (m *Model) Freeze()               {}
func (m *Model) Truth() starlark.Bool  { return true }
func (m *Model) Hash() (uint32, error) { return starlark.String(m.m.File).Hash() }

func (m *Model) Table() *value.Methods                    { return ModelMethods }
func (m *Model) AttrNames() []string                      { return ModelMethods.Names() }
func (m *Model) Attr(name string) (starlark.Value, error) { return ModelMethods.Attr(m, name) }

// ParamNames are the names of a call's arguments.
func (m *Model) ParamNames() []string {
	names := make([]string, len(m.m.Inputs))
	for i, v := range m.m.Inputs {
		names[i] = v.Name
	}
	return names
}

// Signature is what a call looks like.
func (m *Model) Signature() string { return "m(" + strings.Join(m.ParamNames(), ", ") + ")" }

// Doc is what m? shows.
func (m *Model) Doc() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The model of %s", m.m.File)
	if p := m.m.Proto.Producer; p != "" {
		fmt.Fprintf(&b, ", written by %s", strings.TrimSpace(p+" "+m.m.Proto.ProducerVersion))
	}
	fmt.Fprintf(&b, ", operators of version %d.\n\nInputs:", m.m.Opset)
	for _, v := range m.m.Inputs {
		fmt.Fprintf(&b, "\n  %s: %v", v.Name, v.Type)
	}
	b.WriteString("\n\nOutputs:")
	for i, v := range m.m.Outputs {
		fmt.Fprintf(&b, "\n  %s: %v", m.m.Names[i], v.Type)
	}
	size := 0
	for _, p := range m.m.Params {
		size += p.Shared.Get().Size()
	}
	fmt.Fprintf(&b, "\n\n%d nodes, %d parameters of %d numbers.", len(m.m.Lines()), len(m.m.Params), size)
	return b.String()
}

// ModelMethods is the table of attributes of models.
var ModelMethods = value.NewMethods("OnnxModel", []value.Builtin{
	{Name: "function", Params: functionParams, Doc: "A compiled function from m.inputs to m.outputs. m(...) has one of its own; this one is given a mode, a profile or updates.",
		Example: `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").function(name="f")(np.float32([3])) # array([9.], dtype=float32)`, Fn: makeFunction},
	{Name: "apply", Params: []value.Param{{Name: "x", Doc: "an input each: a symbolic variable, an array or a number"}},
		Doc:     "The outputs as expressions of other inputs: one, or a list of them. Shapes that these know are known then. Parameters are those of m.params, with respect to which costs can be differentiated.",
		Example: `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").apply(T.fvector("z")).ndim # 1`, Fn: apply},
	{Name: "graph", Params: []value.Param{{Name: "color", Default: `"op"`, Doc: `"op", or "time" if m was profiled`}},
		Doc:     "A drawing of what m(...) runs, which shows itself in a notebook.",
		Example: `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").graph() # <GraphPicture m.onnx: ` + "1\u00a0node, 1\u00a0input>", Fn: draw},
}).With(
	value.FieldOf("inputs", "The variables of the inputs: a list.", `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").inputs # [x]`, func(m *Model) starlark.Value { return symbolic.SymbolList(m.s, m.m.Inputs) }),
	value.FieldOf("outputs", "The outputs as expressions of the inputs: a list.", `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); len(onnx.load("m.onnx").outputs) # 1`, func(m *Model) starlark.Value { return symbolic.SymbolList(m.s, m.m.Outputs) }),
	value.FieldOf("output_names", "What the file calls the outputs: a list.", `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").output_names # ["y0"]`, func(m *Model) starlark.Value {
		list := make([]starlark.Value, len(m.m.Names))
		for i, n := range m.m.Names {
			list[i] = starlark.String(n)
		}
		return slot.NewList(list)
	}),
	value.FieldOf("params", "The trained floats that outputs depend on: a dict from names to shared variables.", `import onnx; onnx.save(T.fvector("x") * shared(np.float32(2), name="w"), "m.onnx"); onnx.load("m.onnx").params["w"].get_value().item() # 2.0`, func(m *Model) starlark.Value {
		d := slot.NewDict(len(m.m.Params))
		for _, p := range m.m.Params {
			d.SetKey(starlark.String(p.Name), m.s.NewSymbol(p))
		}
		return d
	}),
	value.FieldOf("opset", "The version of ONNX's operators that the model was written for.", `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").opset # 20`, func(m *Model) starlark.Value { return starlark.MakeInt64(m.m.Opset) }),
	value.FieldOf("name", "The name of the file.", `import onnx; onnx.save(T.sqr(T.fvector("x")), "m.onnx"); onnx.load("m.onnx").name # "m.onnx"`, func(m *Model) starlark.Value { return starlark.String(m.m.File) }),
)

// CallInternal runs the model. It is compiled at the first call.
func (m *Model) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, err := m.compiled(thread)
	if err != nil {
		return nil, err
	}
	return value.Call(thread, f, args, kwargs)
}

// compiled is what calls of the model call.
func (m *Model) compiled(thread *starlark.Thread) (f starlark.Callable, err error) {
	if m.f == nil {
		if f, err = m.compile(thread, nil); err != nil {
			return nil, err
		}
		m.f = f
	}
	return m.f, nil
}

// compile makes a function of the model by theano.function.
func (m *Model) compile(thread *starlark.Thread, kwargs []starlark.Tuple) (starlark.Callable, error) {
	var outputs starlark.Value = symbolic.SymbolList(m.s, m.m.Outputs)
	if len(m.m.Outputs) == 1 {
		outputs = m.s.NewSymbol(m.m.Outputs[0])
	}
	named := false
	for _, kw := range kwargs {
		named = named || kw[0] == starlark.String("name")
	}
	if !named {
		kwargs = append(kwargs, starlark.Tuple{starlark.String("name"), starlark.String(m.m.File)})
	}
	kwargs = append(kwargs, starlark.Tuple{starlark.String("on_unused_input"), starlark.String("ignore")})
	f, err := value.Call(thread, symbolic.FunctionBuiltin.Value(), starlark.Tuple{symbolic.SymbolList(m.s, m.m.Inputs), outputs}, kwargs)
	if err != nil {
		return nil, err
	}
	return f.(starlark.Callable), nil
}

// functionParams are the parameters of theano.function that a model leaves open.
var functionParams = []value.Param{
	{Name: "mode", Default: "None", Doc: "a Mode or its name: how to compile"},
	{Name: "profile", Default: "None", Doc: "True, the name of a new profile, or a ProfileStats to add to"},
	{Name: "updates", Default: "None", Doc: "new values of shared variables, such as those of m.params"},
	{Name: "givens", Default: "None", Doc: "replacements of variables"},
	{Name: "name", Default: "None", Doc: "what it is called in errors and profiles; the file if not given"},
	{Name: "allow_input_downcast", Default: "None", Doc: "True lets arguments lose precision, as float64 for a float32 input"},
}

func makeFunction(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	var given []starlark.Tuple
	for i, x := range v {
		if x != nil {
			given = append(given, starlark.Tuple{starlark.String(functionParams[i].Name), x})
		}
	}
	return b.Receiver().(*Model).compile(thread, given)
}

func draw(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, err := b.Receiver().(*Model).compiled(thread)
	if err != nil {
		return nil, err
	}
	method, err := f.(starlark.HasAttrs).Attr("graph")
	if err != nil {
		return nil, err
	}
	return value.Call(thread, method, args, kwargs)
}

// apply takes the inputs by position or by their names.
func apply(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m := b.Receiver().(*Model)
	fail := func(err error) (starlark.Value, error) { return nil, fmt.Errorf("apply: %w", err) }
	in := make([]*graph.Variable, len(m.m.Inputs))
	names := m.ParamNames()
	if len(args) > len(in) {
		return fail(fmt.Errorf("got %d inputs, want %d: %s", len(args), len(in), strings.Join(names, ", ")))
	}
	given := make([]starlark.Value, len(in))
	copy(given, args)
	for _, kw := range kwargs {
		i := slices.Index(names, string(kw[0].(starlark.String)))
		if i < 0 {
			return fail(fmt.Errorf("got %s, want %s", kw[0], strings.Join(names, ", ")))
		}
		if given[i] != nil {
			return fail(fmt.Errorf("got %s twice", names[i]))
		}
		given[i] = kw[1]
	}
	builder := m.s.Builder(thread)
	for i, v := range given {
		if v == nil {
			return fail(fmt.Errorf("the input %s is missing", names[i]))
		}
		x, err := m.s.Variable(builder, v, m.m.Inputs[i])
		if err != nil {
			return fail(fmt.Errorf("%s: %w", names[i], err))
		}
		if want := m.m.Inputs[i].DType(); x.DType() != want && (x.Weak || kernels.Promote(x.DType(), want) == want) {
			x = formula.Cast(builder, x, want)
		}
		in[i] = x
	}
	out, err := m.m.Apply(in, m.s.Origin(thread))
	if err != nil {
		return fail(err)
	}
	if len(out) == 1 {
		return m.s.NewSymbol(out[0]), nil
	}
	return symbolic.SymbolList(m.s, out), nil
}
