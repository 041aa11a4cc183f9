package symbolic

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Function is a compiled function as Starlark sees it.
type Function struct {
	s        *Session
	Compiled *compile.Function
	Inputs   []*graph.Variable
	outputs  starlark.Value // as function() was given them: None, one, a list or tuple, or a dict
	keys     []starlark.Value
	single   bool
	accepts  []accepting     // what each input takes
	values   []*tensor.Dense // the arguments of the running call
	running  bool
	numbers  []*tensor.Dense      // where a number for an input goes, if that is a float64 without dimensions; else nil
	Watch    []*profiler.Recorder // of its calls, wherever they are; none if it is not profiled
	Stats    starlark.Value       // f.profile: the first that watches it, or None
	LastCell *profiler.Recorder   // of the last %%profile cell that called it; nil if none did
}

var (
	_ starlark.Callable = (*Function)(nil)
	_ value.Tabled      = (*Function)(nil)
	_ value.Documenter  = (*Function)(nil)
	_ value.Signed      = (*Function)(nil)
	_ value.Runner      = (*Function)(nil)
)

func (f *Function) Name() string {
	if f.Compiled.Name != "" {
		return f.Compiled.Name
	}
	return "function"
}
func (f *Function) String() string        { return "<arignote function " + units.OneLine(f.Name()) + ">" }
func (f *Function) Type() string          { return "Function" }
func (f *Function) Freeze()               {}
func (f *Function) Truth() starlark.Bool  { return true }
func (f *Function) Hash() (uint32, error) { return starlark.String(f.Name()).Hash() }

// Doc is what f? shows.
func (f *Function) Doc() string {
	var b strings.Builder
	b.WriteString("A compiled function.\n\nInputs:")
	for i, v := range f.Inputs {
		fmt.Fprintf(&b, "\n  %s: %v", InputName(v, i), v.Type)
	}
	b.WriteString("\n\nOutputs:")
	for _, v := range f.Compiled.Graph.Outputs {
		fmt.Fprintf(&b, "\n  %v", v.Type)
	}
	return b.String() + "\n\nGraph:\n" + strings.TrimRight(f.Compiled.Graph.String(), "\n")
}

// FunctionMethods is the table of methods of compiled functions.
var FunctionMethods = value.NewMethods("Function", []value.Builtin{
	functionDebugprint, functionGraph, functionFree,
}).With(
	value.FieldOf("name", "What it is called in errors and profiles, or None.", `function([], T.constant(2.0), name="two").name # "two"`,
		func(f *Function) starlark.Value {
			if f.Compiled.Name == "" {
				return starlark.None
			}
			return starlark.String(f.Compiled.Name)
		}),
	value.FieldOf("profile", "Its ProfileStats; None if it is not profiled.",
		`function([], T.constant(2.0), profile="p").profile.message # "p"`, func(f *Function) starlark.Value { return f.Stats }),
)

func (f *Function) Table() *value.Methods { return FunctionMethods }
func (f *Function) AttrNames() []string   { return FunctionMethods.Names() }

func (f *Function) Attr(name string) (starlark.Value, error) { return FunctionMethods.Attr(f, name) }

// CallInternal runs the function on values, by position or by the inputs' names.
func (f *Function) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	out, err := f.run(thread, args, kwargs)
	if err != nil {
		return nil, err
	}
	return f.wrap(out), nil
}

// Run calls the function for its updates. The results that nobody takes are new and nobody else's, so that their memory can be that of
// the next.
func (f *Function) Run(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error {
	out, err := f.run(thread, args, kwargs)
	if err == nil {
		f.Compiled.Recycle(out)
	}
	return err
}

// run runs the function and records the call.
func (f *Function) run(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) ([]*tensor.Dense, error) {
	recorders := f.s.watching.Recorders(f)
	var start int64
	if len(recorders) > 0 {
		start = recorders[0].Now()
	}
	out, err := f.call(thread, args, kwargs, tracer(recorders))
	for _, r := range recorders {
		r.Call(r.Now()-start, err)
	}
	if err != nil {
		return nil, f.s.locate(err)
	}
	return out, nil
}

func (f *Function) call(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple, tracer exec.Tracer) ([]*tensor.Dense,
	error) {
	if f.running { // its values and its memory are taken
		return nil, fmt.Errorf("%s: it is running: a function of MonitorMode calls the function that it watches; compile another for it", f.Name())
	}
	given := []starlark.Value(args)
	if len(kwargs) > 0 || len(args) != len(f.Inputs) {
		var err error
		if given, err = f.bind(args, kwargs); err != nil {
			return nil, err
		}
	}
	defer f.end()
	for i, x := range given {
		if n, ok := value.Plain(x).(starlark.Float); ok && f.numbers[i] != nil {
			tensor.Elements[float64](f.numbers[i])[0] = float64(n)
			f.values[i] = f.numbers[i]
			continue
		}
		var err error
		if f.values[i], err = f.accepts[i].value(f.s, x, f.Inputs[i].Type); err != nil {
			return nil, fmt.Errorf("%s: argument %d (%s): %w", f.Name(), i+1, f.inputName(i), err)
		}
	}
	f.running = true
	out, err := f.Compiled.Run(f.s.Stop(), f.values, tracer)
	if errors.Is(err, op.ErrStopped) {
		err = context.Cause(f.s.Context())
	}
	return out, err
}

// end forgets the arguments of a call.
func (f *Function) end() {
	clear(f.values)
	f.running = false
}

// wrap gives the results the form in which function() was given the outputs.
func (f *Function) wrap(out []*tensor.Dense) starlark.Value {
	if f.single {
		return f.value(out)
	}
	values := make([]starlark.Value, len(out))
	for i, a := range out {
		values[i] = np.FromDenseIn(f.s, a)
	}
	switch {
	case f.keys != nil:
		d := starlark.NewDict(len(values))
		for i, k := range f.keys {
			d.SetKey(k, values[i])
		}
		return d
	case f.outputs == starlark.None:
		return starlark.None
	}
	return starlark.NewList(values)
}

// value is the only result. A number is a value of its own, and its array is used again.
func (f *Function) value(out []*tensor.Dense) starlark.Value {
	v := np.FromDenseIn(f.s, out[0])
	if out[0].Rank() == 0 {
		f.Compiled.Recycle(out)
	}
	return v
}

// FunctionBuiltin is function().
var FunctionBuiltin = value.Builtin{Name: "function", Params: []value.Param{
	{Name: "inputs", Doc: "list of symbolic variables, or In(variable, ...), in the order of the call's arguments"},
	{Name: "outputs", Default: "None",
		Doc: "a variable, a list of variables or a dict from strings to variables; calls return values in the same form"},
	{Name: "mode", Default: "None", Doc: "a Mode or its name: how to compile"},
	{Name: "updates", Default: "None", Doc: "new values of shared variables: list of pairs (shared, expression) or dict"},
	{Name: "givens", Default: "None", Doc: "replacements of variables: list of pairs (variable, replacement) or dict"},
	{Name: "name", Default: "None", Doc: "what it is called in errors and profiles; the line of the call if not given"},
	{Name: "profile", Default: "None",
		Doc: "True, False, the name of a new profile, or a ProfileStats to add to; None obeys config.profile"},
	{Name: "on_unused_input", Default: "None", Doc: `"raise", "warn" or "ignore" inputs that nothing needs; None obeys the flag`},
	{Name: "allow_input_downcast", Default: "None", Doc: "True lets arguments lose precision, as float64 for a float32 input; None lets only numbers, for inputs of floatX, " +
		"and False none; not given, config.allow_input_downcast says it"},
}, Doc: "Compiles symbolic expressions into a function that computes outputs from inputs.",
	Example: `function([T.scalar("x")], T.constant(2.0), on_unused_input="ignore")(1) # 2.0`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		for i, x := range v {
			if x == nil {
				v[i] = starlark.None
			}
		}
		s := SessionOf(thread)
		spec := functionSpec{outputs: v[1], mode: v[2], updates: v[3], givens: v[4], profile: v[6], unused: v[7]}
		if spec.downcast, err = downcastArg("allow_input_downcast", v[8]); err != nil {
			return nil, fmt.Errorf("function: %w", err)
		}
		if spec.inputs, spec.accepts, err = s.readInputs(v[0]); err != nil {
			return nil, fmt.Errorf("function: %w", err)
		}
		if spec.name, err = optionalString("name", v[5]); err != nil {
			return nil, fmt.Errorf("function: %w", err)
		}
		return s.compileFunction(thread, spec)
	}}

// functionSpec is the arguments of function().
type functionSpec struct {
	inputs          []*graph.Variable
	outputs         starlark.Value
	mode            starlark.Value
	updates, givens starlark.Value
	name            string
	profile, unused starlark.Value
	accepts         []accepting // what each input takes; nil is what downcast says
	downcast        downcast
}

// compileFunction does what function() does.
func (s *Session) compileFunction(thread *starlark.Thread, spec functionSpec) (*Function, error) {
	f := &Function{s: s, Inputs: spec.inputs, outputs: spec.outputs, Stats: starlark.None, accepts: s.accepting(spec)}
	b := s.builder(thread)
	outputs, keys, err := s.outputVariables(b, spec.outputs)
	if err != nil {
		return nil, fmt.Errorf("function: %w", err)
	}
	f.keys = keys
	if _, many := spec.outputs.(starlark.Indexable); !many && keys == nil {
		f.single = len(outputs) == 1
	}
	mode, watched, err := s.mode(spec.mode)
	if err != nil {
		return nil, fmt.Errorf("function: %w", err)
	}
	name := spec.name
	if name == "" {
		name = placeName(b.Origin)
	}
	unused, err := s.unusedPolicy(spec.unused)
	if err != nil {
		return nil, fmt.Errorf("function: %w", err)
	}
	what := compile.Spec{
		Inputs: spec.inputs, Outputs: outputs, Name: name, Mode: mode, Origin: b.Origin,
		KeepAll: !s.Config().Bool("allow_gc"), OnUnused: unused,
	}
	for _, a := range f.accepts {
		what.AllowDowncast = append(what.AllowDowncast, a.downcast == downcastAlways)
	}
	if what.Updates, err = s.updates(b, spec.updates); err != nil {
		return nil, fmt.Errorf("function: updates: %w", err)
	}
	if what.Givens, err = s.givens(b, spec.givens); err != nil {
		return nil, fmt.Errorf("function: givens: %w", err)
	}
	what.Mode = unguarded(what)
	watch, err := s.watching.Asked(spec.profile, name, watched != nil)
	if err != nil {
		return nil, fmt.Errorf("function: %w", err)
	}
	what.Rules, what.OnRuleError = s.Registered(), s.onRuleError()
	what.OnRewrite = s.verbose()
	what.Warn = s.Warn
	what.Print, what.Explain = s.printed, s.explain
	if f.Compiled, err = compile.Compile(what); err != nil {
		return nil, s.locate(err)
	}
	s.watching.Compiled(f.Compiled)
	if what.OnRewrite != nil {
		s.verbosePasses(f.Compiled)
	}
	f.values, f.numbers = make([]*tensor.Dense, len(f.Inputs)), make([]*tensor.Dense, len(f.Inputs))
	for i, v := range f.Inputs {
		if v.Type.Rank() == 0 && v.Type.DType == kernels.Float64 && !f.accepts[i].strict {
			f.numbers[i] = tensor.New(kernels.Float64)
		}
	}
	for _, w := range []Watch{watch, watched} {
		if w != nil {
			w.Begin(f)
		}
	}
	return f, nil
}

// placeName is the name of a function that was given none: the file and line of the call.
func placeName(o *graph.Origin) string {
	pos := o.Pos()
	if !pos.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(pos.File), pos.Line)
}

// outputVariables reads the outputs argument.
func (s *Session) outputVariables(b *graph.Builder, v starlark.Value) (list []*graph.Variable, keys []starlark.Value, err error) {
	var values []starlark.Value
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil, nil
	case *starlark.Dict:
		keys = []starlark.Value{}
		for _, kv := range v.Items() {
			if _, ok := kv[0].(starlark.String); !ok {
				return nil, nil, fmt.Errorf("outputs: got a key of type %s, want string", kv[0].Type())
			}
			keys, values = append(keys, kv[0]), append(values, kv[1])
		}
	case Symbol:
		values = []starlark.Value{v}
	case starlark.Indexable:
		for i := range v.Len() {
			values = append(values, v.Index(i))
		}
	default:
		values = []starlark.Value{v}
	}
	for i, x := range values {
		out, err := s.variable(b, x, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("outputs[%d]: got %s, want a symbolic variable", i, x.Type())
		}
		list = append(list, out)
	}
	return list, keys, nil
}

// symbols reads a list of symbolic variables.
func symbols(what string, v starlark.Value) ([]*graph.Variable, error) {
	seq, ok := v.(starlark.Iterable)
	if _, one := v.(Symbol); !ok || one {
		return nil, fmt.Errorf("%s: got %s, want a list of symbolic variables", what, v.Type())
	}
	var list []*graph.Variable
	it := seq.Iterate()
	defer it.Done()
	var e starlark.Value
	for i := 0; it.Next(&e); i++ {
		x, ok := e.(Symbol)
		if !ok {
			return nil, fmt.Errorf("%s[%d]: got %s, want a symbolic variable", what, i, e.Type())
		}
		list = append(list, x.v)
	}
	return list, nil
}

func optionalString(what string, v starlark.Value) (string, error) {
	if v == nil || v == starlark.None {
		return "", nil
	}
	text, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("%s: got %s, want string", what, v.Type())
	}
	return text, nil
}

// pairs reads a dict, or a list of pairs.
func pairs(v starlark.Value) ([]starlark.Tuple, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *starlark.Dict:
		return v.Items(), nil
	case starlark.Indexable:
		var list []starlark.Tuple
		for i := range v.Len() {
			pair, ok := v.Index(i).(starlark.Indexable)
			if !ok || pair.Len() != 2 {
				return nil, fmt.Errorf("item %d: got %s, want a pair", i, v.Index(i).Type())
			}
			list = append(list, starlark.Tuple{pair.Index(0), pair.Index(1)})
		}
		return list, nil
	}
	return nil, fmt.Errorf("got %s, want a list of pairs or a dict", v.Type())
}

func (s *Session) updates(b *graph.Builder, v starlark.Value) ([]graph.Update, error) {
	list, err := pairs(v)
	if err != nil {
		return nil, err
	}
	var updates []graph.Update
	for i, p := range list {
		x, ok := p[0].(Symbol)
		if !ok || x.v.Shared == nil {
			return nil, fmt.Errorf("item %d: got %s, want a shared variable", i, p[0].Type())
		}
		value, err := s.variable(b, p[1], x.v)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		updates = append(updates, graph.Update{Shared: x.v, Value: value})
	}
	return updates, nil
}

func (s *Session) givens(b *graph.Builder, v starlark.Value) (map[*graph.Variable]*graph.Variable, error) {
	list, err := pairs(v)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	givens := make(map[*graph.Variable]*graph.Variable, len(list))
	for i, p := range list {
		x, ok := p[0].(Symbol)
		if !ok {
			return nil, fmt.Errorf("item %d: got %s, want a symbolic variable", i, p[0].Type())
		}
		if givens[x.v], err = s.variable(b, p[1], x.v); err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
	}
	return givens, nil
}

// unusedPolicy is what to do about inputs that nothing needs.
func (s *Session) unusedPolicy(v starlark.Value) (func(int, *graph.Variable) error, error) {
	policy := s.Config().String("on_unused_input")
	if v != nil && v != starlark.None {
		text, ok := starlark.AsString(v)
		if !ok || text != "raise" && text != "warn" && text != "ignore" {
			return nil, fmt.Errorf(`on_unused_input: got %s, want "raise", "warn" or "ignore"`, v)
		}
		policy = text
	}
	message := func(i int, x *graph.Variable) string {
		return fmt.Sprintf(`input %d (%s) is not needed to compute the outputs; leave it out, or pass on_unused_input="ignore"`, i,
			InputName(x, i))
	}
	switch policy {
	case "ignore":
		return nil, nil
	case "warn":
		return func(i int, x *graph.Variable) error {
			s.Warn("function: " + message(i, x))
			return nil
		}, nil
	}
	return func(i int, x *graph.Variable) error { return fmt.Errorf("%s", message(i, x)) }, nil
}

// functionFree is f.free().
var functionFree = value.Builtin{Name: "free", Doc: "Gives the memory back that the function keeps for its next call: that of intermediate results, and of new values of shared variables.",
	Example: `function([], T.constant(2.0)).free() == None # True`,
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := b.Unpack(args, kwargs); err != nil {
			return nil, err
		}
		f := b.Receiver().(*Function)
		if f.running {
			return nil, fmt.Errorf("free: %s is running", f.Name())
		}
		f.Compiled.Free()
		return starlark.None, nil
	}}
