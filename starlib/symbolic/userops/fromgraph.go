package userops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A graphOp is OpFromGraph(...): an operation that a program makes of a graph, and applies to
// variables as a function.
type graphOp struct {
	s     *symbolic.Session
	spec  formula.FromGraph
	o     op.FromGraph
	stays []*graph.Variable // operands behind those of a call
}

var (
	_ starlark.Callable = (*graphOp)(nil)
	_ value.Tabled      = (*graphOp)(nil)
	_ value.Signed      = (*graphOp)(nil)
)

func (f *graphOp) Name() string          { return f.o.NameIn() }
func (f *graphOp) String() string        { return f.o.Label() }
func (f *graphOp) Type() string          { return "OpFromGraph" }
func (f *graphOp) Freeze()               {}
func (f *graphOp) Truth() starlark.Bool  { return true }
func (f *graphOp) Hash() (uint32, error) { return starlark.String(f.String()).Hash() }
func (f *graphOp) Table() *value.Methods { return GraphOpMethods }
func (f *graphOp) AttrNames() []string   { return GraphOpMethods.Names() }

func (f *graphOp) Attr(name string) (starlark.Value, error) { return GraphOpMethods.Attr(f, name) }

func (f *graphOp) ParamNames() []string { return nil }
func (f *graphOp) Signature() string {
	names := make([]string, len(f.spec.Inputs))
	for i, v := range f.spec.Inputs {
		if names[i] = v.Name; v.Name == "" {
			names[i] = fmt.Sprint("x", i)
		}
	}
	return f.Name() + "(" + strings.Join(names, ", ") + ")"
}

// CallInternal applies the operation: one result is returned as it is, several as a list.
func (f *graphOp) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	args, asList, name, err := callOptions(f.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	out, err := f.apply(thread, args)
	if err != nil {
		return nil, err
	}
	return results(f.s, out, asList, name), nil
}

// callOptions takes the keywords of a call of an operation: return_list, and the name of the
// result.
func callOptions(fn string, args starlark.Tuple, kwargs []starlark.Tuple) (in starlark.Tuple, asList bool, name string, err error) {
	for _, kv := range kwargs {
		switch key := string(kv[0].(starlark.String)); key {
		case "return_list":
			asList = bool(kv[1].Truth())
		case "name":
			if name, err = symbolic.OptionalString("name", kv[1]); err != nil {
				return nil, false, "", fmt.Errorf("%s: for parameter %w", fn, err)
			}
		default:
			return nil, false, "", fmt.Errorf("%s: unexpected keyword argument %s; operands come by position", fn, key)
		}
	}
	return args, asList, name, nil
}

// results are what a call of an operation returns.
func results(s *symbolic.Session, out []*graph.Variable, asList bool, name string) starlark.Value {
	if name != "" && len(out) == 1 {
		out[0].Name = name
	}
	if len(out) == 1 && !asList {
		return symbolic.Symbol{S: s, V: out[0]}
	}
	return symbolic.SymbolList(s, out)
}

func (f *graphOp) apply(thread *starlark.Thread, args starlark.Tuple) ([]*graph.Variable, error) {
	if len(args) != len(f.spec.Inputs) {
		return nil, fmt.Errorf("%s: got %d operands, want %d: %s", f.Name(), len(args), len(f.spec.Inputs), f.Signature())
	}
	b := f.s.Builder(thread)
	in := make([]*graph.Variable, len(args))
	for i, x := range args {
		var err error
		if in[i], err = f.s.OperandFor(b, x, f.spec.Inputs[i].Type, f.spec.Inputs[i]); err != nil {
			return nil, f.s.Locate(fmt.Errorf("%s: operand %d: %w", f.Name(), i, err))
		}
	}
	out, err := b.Make(f.o, append(in, f.stays...)...)
	if err != nil {
		return nil, f.s.Locate(err)
	}
	return out, nil
}

// remake makes the operation anew, after what it is made of has changed. Nodes of the old one stay
// as they are.
func (f *graphOp) remake() error {
	o, stays, err := f.spec.Make()
	if err != nil {
		return err
	}
	f.o, f.stays = o, stays
	return nil
}

type fromGraphArgs struct {
	Inputs     starlark.Value `arg:"inputs: list of variables: what the operation is applied to. Shared variables are found by themselves"`
	Outputs    starlark.Value `arg:"outputs: list of variables that are made of the inputs"`
	Inline     bool           `arg:"inline=False: whether the compiler puts the graph in the operation's place; otherwise it stays one node, whose graph is compiled by itself"`
	Lop        starlark.Value `arg:"lop_overrides=\"default\": where gradients come from: a function f(inputs, outputs, output_gradients) that returns a list of a gradient for each input; an OpFromGraph of all of these; DisconnectedType()() or NullType()(); or a list of one for each input, whose functions return one gradient. \"default\" and None derive them from the graph"`
	Grad       starlark.Value `arg:"grad_overrides=\"default\": the same, of functions f(inputs, output_gradients)"`
	Rop        starlark.Value `arg:"rop_overrides=\"default\": where Rop finds how results change: a function f(inputs, changes) that returns a list of a change for each output, or a list of one for each output"`
	Connection starlark.Value `arg:"connection_pattern=None: a list for each input, with whether each output depends on it as far as gradients are concerned; what the graph says if not given"`
	Name       starlark.Value `arg:"name=None: what the operation is called in profiles and errors"`
	Strict     bool           `arg:"strict=False: whether shared variables have to be among the inputs"`
	Destroy    starlark.Value `arg:"destroy_map=None: for PyTensor's sake: operands are never overwritten"`
	Kwargs     *slot.Dict     `arg:"**kwargs: on_unused_input, mode and others that function() takes, which are accepted: what is inside is compiled as the function around it"`
}

// FromGraphTable is OpFromGraph.
var FromGraphTable = []value.Builtin{func() value.Builtin {
	b := value.Function("OpFromGraph", "An operation made of a graph: called with variables it computes outputs for them in the place of inputs. It is one line of profiles, is differentiated by itself, and may say "+
		"what its gradient is. Overrides are called once, now.",
		`x, y = T.scalars("x", "y"); f = theano.OpFromGraph([x, y], [x * y]); f(2.0, 3.0).eval() # 6.0`,
		func(thread *starlark.Thread, a *fromGraphArgs) (starlark.Value, error) {
			f, err := opFromGraph(symbolic.SessionOf(thread), thread, a)
			if err != nil {
				return nil, symbolic.SessionOf(thread).Locate(fmt.Errorf("OpFromGraph: %w", err))
			}
			return f, nil
		})
	b.Types = []string{"OpFromGraph"}
	return b
}()}

// acceptedByFunction are keywords of function() that OpFromGraph passes on in Theano.
var acceptedByFunction = []string{"on_unused_input", "mode", "profile", "accept_inplace", "rebuild_strict", "allow_input_downcast", "inplace"}

func opFromGraph(s *symbolic.Session, thread *starlark.Thread, a *fromGraphArgs) (*graphOp, error) {
	f := &graphOp{s: s}
	for _, kv := range a.Kwargs.Items() {
		switch key, _ := starlark.AsString(kv[0]); {
		case key == "updates" || key == "givens":
			return nil, fmt.Errorf("got %s, which belong to function(): an operation has no state, and its graph is written with what is to stand in it", key)
		case !slices.Contains(acceptedByFunction, key):
			return nil, fmt.Errorf("unexpected keyword argument %s", key)
		}
	}
	var err error
	if f.spec.Inputs, err = symbolic.Symbols("inputs", a.Inputs); err != nil {
		return nil, err
	}
	for i, v := range f.spec.Inputs {
		if v.IsConstant() {
			return nil, fmt.Errorf("inputs[%d]: got %s, want a variable", i, graph.NameOf(v))
		}
	}
	if f.spec.Outputs, err = symbolic.Symbols("outputs", a.Outputs); err != nil {
		return nil, err
	}
	if len(f.spec.Outputs) == 0 {
		return nil, fmt.Errorf("outputs: the list is empty, want a variable")
	}
	f.spec.Inline, f.spec.Strict = a.Inline, a.Strict
	if f.spec.Label, err = symbolic.OptionalString("name", a.Name); err != nil {
		return nil, fmt.Errorf("for parameter %w", err)
	}
	if f.spec.Connected, err = f.connections(a.Connection); err != nil {
		return nil, fmt.Errorf("connection_pattern: %w", err)
	}
	if err := f.remake(); err != nil { // before overrides are asked, which may say less
		return nil, err
	}
	what, overrides := "grad_overrides", a.Grad
	if !isDefault(a.Lop) {
		if !isDefault(a.Grad) {
			return nil, fmt.Errorf("got lop_overrides and grad_overrides, want one of them")
		}
		what, overrides = "lop_overrides", a.Lop
	}
	for _, given := range []struct {
		what string
		by   starlark.Value
	}{{what, overrides}, {"rop_overrides", a.Rop}} {
		if isDefault(given.by) {
			continue
		}
		if err := f.override(thread, given.what, given.by); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// connections reads a connection_pattern.
func (f *graphOp) connections(v starlark.Value) ([][]bool, error) {
	if symbolic.Absent(v) {
		return nil, nil
	}
	return connectionPattern(v, len(f.spec.Inputs), len(f.spec.Outputs))
}

// connectionPattern reads for each input a list with whether each output depends on it.
func connectionPattern(v starlark.Value, inputs, outputs int) ([][]bool, error) {
	rows := symbolic.Items(v)
	if len(rows) != inputs {
		return nil, fmt.Errorf("got %d lists, want one for each of %d inputs", len(rows), inputs)
	}
	list := make([][]bool, len(rows))
	for i, row := range rows {
		cells := symbolic.Items(row)
		if len(cells) != outputs {
			return nil, fmt.Errorf("input %d: got %d values, want one for each of %d outputs", i, len(cells), outputs)
		}
		for _, c := range cells {
			list[i] = append(list[i], bool(c.Truth()))
		}
	}
	return list, nil
}

// isDefault reports whether an override leaves the derivative to the graph.
func isDefault(v starlark.Value) bool {
	text, isText := starlark.AsString(v)
	return symbolic.Absent(v) || isText && text == "default"
}

// overrideSetter is a method that replaces the overrides of the name after set_.
func overrideSetter(what, doc, example string) value.Builtin {
	return value.Builtin{Name: "set_" + what, Params: []value.Param{{Name: what, Doc: "as OpFromGraph takes them"}}, Doc: doc, Example: example,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			f := b.Receiver().(*graphOp)
			if err := f.override(thread, what, v[0]); err != nil {
				return nil, f.s.Locate(fmt.Errorf("%s: %w", b.Name, err))
			}
			return starlark.None, nil
		}}
}

const graphOpExample = `theano.OpFromGraph([T.scalar("x")], [T.exp(shared(1.5, name="w"))], name="f")`

// GraphOpMethods are the attributes of operations that are made of graphs.
var GraphOpMethods = value.NewMethods("OpFromGraph", []value.Builtin{
	overrideSetter("lop_overrides", "Replaces where gradients come from, in what is written from now on. The functions may apply the operation itself.", graphOpExample+`.set_lop_overrides("default")`),
	overrideSetter("grad_overrides", "Replaces where gradients come from, in what is written from now on. The functions may apply the operation itself.", graphOpExample+`.set_grad_overrides("default")`),
	overrideSetter("rop_overrides", "Replaces where Rop finds how results change, in what is written from now on.", graphOpExample+`.set_rop_overrides("default")`),
}).With(slices.Concat(
	graphOpVariables("inputs", "The inputs.", func(f *graphOp) []*graph.Variable { return f.spec.Inputs }, "local_inputs", "inner_inputs"),
	graphOpVariables("outputs", "What is made of them.", func(f *graphOp) []*graph.Variable { return f.spec.Outputs }, "local_outputs", "inner_outputs"),
	graphOpVariables("shared_inputs", "The shared variables that are found in the graph.", func(f *graphOp) []*graph.Variable {
		return slices.DeleteFunc(slices.Clone(f.stays), func(v *graph.Variable) bool { return v.Shared == nil })
	}),
	[]value.Field{
		value.FieldOf("name", "What it is called, or None.", graphOpExample+`.name # "f"`, func(f *graphOp) starlark.Value { return symbolic.NameOrNone(f.spec.Label) }),
		value.FieldOf("is_inline", "Whether the compiler puts the graph in its place.", graphOpExample+`.is_inline # False`,
			func(f *graphOp) starlark.Value { return starlark.Bool(f.spec.Inline) }),
		value.FieldOf("fgraph", "The graph.", graphOpExample+`.fgraph.outputs[0].owner.op == T.exp # True`, func(f *graphOp) starlark.Value {
			return &symbolic.GraphView{S: f.s, Graph: f.o.Body, Function: nil}
		}),
	})...)

// graphOpVariables are the fields, under several names, that list variables.
func graphOpVariables(name, doc string, list func(f *graphOp) []*graph.Variable, others ...string) (fields []value.Field) {
	for _, n := range append([]string{name}, others...) {
		fields = append(fields, value.FieldOf(n, doc, `len(`+graphOpExample+`.`+n+`) # 1`, func(f *graphOp) starlark.Value { return symbolic.SymbolList(f.s, list(f)) }))
	}
	return fields
}
