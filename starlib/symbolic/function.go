package symbolic

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Function is a compiled function as Starlark sees it.
type Function struct {
	s        *Session
	watching *watching
	Compiled *compile.Function
	spec     FunctionSpec // what it was compiled of
	what     compile.Spec
	how      *how // nil before it is compiled, unless flags and modes have no say any more
	Inputs   []callInput
	outputs  []outputForm
	keys     []starlark.Value // of the dict that a call returns; nil if it returns none
	single   bool             // a call returns the only output, and no list of it
	values   []*tensor.Dense  // the arguments of the running call
	running  bool
	recent   recent
	assigned bool                 // some input has a value for the next call
	trusted  starlark.Bool        // f.trust_input
	Watch    []*profiler.Recorder // of its calls, wherever they are; none if it is not profiled
	Stats    starlark.Value       // the profile that watches it first, or None
	Calls    *profiler.Calls      // of a function without a profile too; nil: none was counted
	own      ownAttrs
	Counted  starlark.Value     // the profile of these, once f.profile was asked for
	LastCell *profiler.Recorder // of the last %%profile cell that called it; nil if none did
}

var (
	_ starlark.Callable    = (*Function)(nil)
	_ value.Tabled         = (*Function)(nil)
	_ value.Documenter     = (*Function)(nil)
	_ value.Signed         = (*Function)(nil)
	_ value.Runner         = (*Function)(nil)
	_ value.NonRetaining   = (*Function)(nil)
	_ starlark.HasSetKey   = (*Function)(nil)
	_ starlark.HasSetField = (*Function)(nil)
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
	for i := range f.Inputs {
		fmt.Fprintf(&b, "\n  %s: %v", f.inputName(i), f.Inputs[i].V.Type)
	}
	b.WriteString("\n\nOutputs:")
	for _, v := range f.Compiled.Graph.Outputs {
		fmt.Fprintf(&b, "\n  %v", v.Type)
	}
	return b.String() + "\n\nGraph:\n" + strings.TrimRight(f.Compiled.Graph.String(), "\n")
}

// FunctionMethods is the table of methods of compiled functions.
var FunctionMethods = value.NewMethods("Function", []value.Builtin{
	functionFree, functionCopy, functionSave, functionShared, functionSync,
}).With(slices.Concat(stateFields, graphFields)...).With(
	value.FieldOf("name", "What it is called in errors and profiles, or None.", `function([], T.constant(2.0), name="two").name # "two"`,
		func(f *Function) starlark.Value {
			if f.Compiled.Name == "" {
				return starlark.None
			}
			return starlark.String(f.Compiled.Name)
		}),
	value.FieldOf("profile", "Its ProfileStats; without profile=True its calls, their times and shapes, and None before the first.",
		`function([], T.constant(2.0), profile="p").profile.message # "p"`, (*Function).Profile),
)

func (f *Function) Table() *value.Methods { return FunctionMethods }
func (f *Function) AttrNames() []string   { return f.own.names(FunctionMethods.Names()) }

// Attr is an attribute of compiled functions, or one that the program gave f.
func (f *Function) Attr(name string) (starlark.Value, error) {
	return f.own.after(name, func(name string) (starlark.Value, error) { return FunctionMethods.Attr(f, name) })
}

// CallInternal runs the function on values, by position or by the inputs' names.
// output_subset=[...] picks outputs, by number or by key.
func (f *Function) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	subset, kwargs, err := f.subset(kwargs)
	if err != nil {
		return nil, err
	}
	out, err := f.Compute(thread, args, kwargs)
	if err != nil {
		return nil, err
	}
	if subset != nil {
		return f.picked(subset, out)
	}
	return f.wrap(out)
}

// Run calls the function for its updates. The results that nobody takes are new and nobody else's,
// so that their memory can be that of the next.
func (f *Function) Run(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error {
	out, err := f.Compute(thread, args, kwargs)
	if err == nil {
		f.Compiled.Recycle(out)
	}
	return err
}

// RetainsNone reports whether a call keeps no argument, and its result is an array that nobody else
// refers to.
func (f *Function) RetainsNone(starlark.Tuple, []starlark.Tuple) bool {
	return f.single && f.forms()[0].sparse == nil && f.Compiled.Private()
}

// Receiver is nil: it is no method.
func (f *Function) Receiver() starlark.Value { return nil }

// Profile is f.profile.
func (f *Function) Profile() starlark.Value {
	if f.Stats != starlark.None || f.Counted == nil && !f.Calls.Called() {
		return f.Stats
	}
	return f.watching.Counted(f)
}

// Compute runs the function and records the call.
func (f *Function) Compute(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) ([]*tensor.Dense, error) {
	recorders := f.watching.Recorders(f)
	measured, traced := profiler.Begin(recorders)
	var all exec.Tracer
	if traced {
		all = tracer(recorders) // which may read more than the clock
	}
	var start int64
	if measured {
		start = recorders[0].Now()
	}
	value.SamplerOf(f.s.Session).Enter()
	calls := f.watching.Counts(f)
	counted := calls.Begin()
	out, err := f.call(thread, args, kwargs, all, counted)
	calls.End(counted, err)
	value.SamplerOf(f.s.Session).Leave("compiled", f.Name())
	profiler.End(recorders, measured, start, err)
	if err != nil {
		return nil, f.s.Locate(err)
	}
	return out, nil
}

func (f *Function) call(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple, tracer exec.Tracer, counted int64) ([]*tensor.Dense,
	error) {
	if f.running { // its values and its memory are taken
		return nil, fmt.Errorf("%s: it is running, and what it runs calls it: a function of MonitorMode, of Print or of an operation; compile another for that", f.Name())
	}
	given := []starlark.Value(args)
	if len(kwargs) > 0 || len(args) != len(f.Inputs) {
		var err error
		if given, err = f.bind(args, kwargs); err != nil {
			return nil, err
		}
	}
	defer f.end()
	kept := false
	for i, x := range given {
		in := &f.Inputs[i]
		if in.sparse != nil {
			parts, err := in.sparseArgument(f, i, x)
			if err != nil {
				return nil, err
			}
			copy(f.values[in.at:], parts)
			continue
		}
		if n, ok := value.Plain(x).(starlark.Float); ok && in.number != nil {
			tensor.Elements[float64](in.number)[0] = float64(n)
			f.values[in.at] = in.number
			continue
		}
		a, err := in.argument(f, i, x)
		switch {
		case err != nil:
			return nil, err
		case in.home != nil:
			in.given, kept = a, kept || a != nil
		default:
			f.values[in.at] = a
		}
	}
	if kept { // all arguments are right: those that last are what the input is from now on
		for i := range f.Inputs {
			if in := &f.Inputs[i]; in.given != nil {
				in.home.Shared.Set(in.given)
			}
		}
	}
	f.recent.remember(f.values, f.s.remembering)
	f.Calls.Given(counted, f.values)
	f.running = true
	out, err := f.Compiled.Run(f.s.Stop(), f.values, tracer)
	if errors.Is(err, op.ErrStopped) {
		err = context.Cause(f.s.Context())
	}
	return out, err
}

// end forgets the arguments of a call, and what was assigned for it.
func (f *Function) end() {
	clear(f.values)
	for i := range f.Inputs {
		f.Inputs[i].given = nil
		if f.assigned {
			f.Inputs[i].next = nil
		}
	}
	f.running, f.assigned = false, false
}

// wrap gives the results the form in which function() was given the outputs.
func (f *Function) wrap(out []*tensor.Dense) (starlark.Value, error) {
	if f.single {
		return f.value(out)
	}
	values := make([]starlark.Value, len(f.forms()))
	for i := range values {
		var err error
		if values[i], err = f.result(i, out); err != nil {
			return nil, err
		}
	}
	switch {
	case f.keys != nil:
		d := slot.NewDict(len(values))
		for i, k := range f.keys {
			d.SetKey(k, values[i])
		}
		return d, nil
	case f.spec.Outputs == starlark.None:
		return starlark.None, nil
	}
	return slot.NewList(values), nil
}

// An outputForm is an output as users have it: one of the compiled graph or, of a sparse matrix,
// its parts from there on.
type outputForm struct {
	at     int
	sparse *SparseVariable
}

// forms are those of the outputs; of a function that was read from a file all are the graph's.
func (f *Function) forms() []outputForm {
	if f.outputs == nil {
		for i := range f.Compiled.Graph.Outputs {
			f.outputs = append(f.outputs, outputForm{at: i})
		}
	}
	return f.outputs
}

// result is output i as a call returns it. A sparse matrix is looked at: what a graph says of its
// parts may be wrong.
func (f *Function) result(i int, out []*tensor.Dense) (starlark.Value, error) {
	form := f.forms()[i]
	if form.sparse != nil {
		m, err := form.sparse.matrix(out[form.at:])
		if err != nil {
			return nil, fmt.Errorf("%s: output %d (%s): %w", f.Name(), i, form.sparse, err)
		}
		return m, nil
	}
	a, t := out[form.at], f.Compiled.Graph.Outputs[form.at].Type
	if f.how.arrays && t.State == graph.NoState {
		return np.NewArray(f.s, a), nil
	}
	return f.s.fromRun(t, a), nil
}

// value is the only result. A number is a value of its own, and its array is used again.
func (f *Function) value(out []*tensor.Dense) (starlark.Value, error) {
	v, err := f.result(0, out)
	if out[0].Rank() == 0 && !f.how.arrays {
		f.Compiled.Recycle(out)
	}
	return v, err
}

// functionArgs are those of Theano's function, in its order, and output_keys of its pfunc.
type functionArgs struct {
	Inputs     starlark.Value `arg:"inputs|params: list of symbolic variables, or In(variable, ...), in the order of the call's arguments (one that is computed from others is not computed any more, but given), or a dict from their keywords to them"`
	Outputs    starlark.Value `arg:"outputs=None: a variable, a list of variables or a dict from strings to variables; calls return values in the same form"`
	Mode       starlark.Value `arg:"mode=None: a Mode or its name: how to compile"`
	Updates    starlark.Value `arg:"updates=None: new values of shared variables: list of pairs (shared, expression) or dict"`
	Givens     starlark.Value `arg:"givens=None: replacements of variables: list of pairs (variable, replacement) or dict"`
	NoDefaults starlark.Value `arg:"no_default_updates=False: True if shared variables with a default_update stay as they are, or a list of those that do"`
	Inplace    bool           `arg:"accept_inplace=False: accepted: nothing that programs write overwrites its operands"`
	Name       starlark.Value `arg:"name=None: what it is called in errors and profiles; the line of the call if not given"`
	Strict     bool           `arg:"rebuild_strict=True: False lets givens have other types than what they replace; the types of what is made of them follow, while numbers keep those that they took when they were written"`
	Downcast   starlark.Value `arg:"allow_input_downcast=None: True lets arguments lose precision, as float64 for a float32 input; None lets only numbers, for inputs of floatX, and False none; not given, config.allow_input_downcast says it"`
	Profile    starlark.Value `arg:"profile=None: True, False, the name of a new profile, or a ProfileStats to add to; None obeys config.profile"`
	Unused     starlark.Value `arg:"on_unused_input=None: \"raise\", \"warn\" or \"ignore\" inputs that nothing needs; None obeys the flag"`
	Keys       starlark.Value `arg:"output_keys=None: list of strings, one for each of a list of outputs: calls return a dict from them"`
	Trust      bool           `arg:"trust_input=False: f.trust_input"`
}

// FunctionBuiltin is function().
var FunctionBuiltin = value.Function("function", "Compiles symbolic expressions into a function that computes outputs from inputs.",
	`function([T.scalar("x")], T.constant(2.0), on_unused_input="ignore")(1) # 2.0`,
	func(thread *starlark.Thread, a *functionArgs) (starlark.Value, error) {
		s := SessionOf(thread)
		spec := FunctionSpec{Outputs: orNone(a.Outputs), Mode: a.Mode, updates: a.Updates, givens: a.Givens, noDefaults: a.NoDefaults, Profile: a.Profile, Unused: a.Unused,
			retype: !a.Strict, outputKeys: a.Keys, trusted: starlark.Bool(a.Trust)}
		var err error
		fail := func(err error) (starlark.Value, error) { return nil, fmt.Errorf("function: %w", err) }
		if spec.downcast, err = downcastArg("allow_input_downcast", a.Downcast); err != nil {
			return fail(err)
		}
		if spec.Inputs, err = s.readInputs(thread, a.Inputs); err != nil {
			return fail(err)
		}
		if spec.Name, err = OptionalString("name", a.Name); err != nil {
			return fail(err)
		}
		return s.CompileFunction(thread, spec)
	})

// FunctionSpec is the arguments of function().
type FunctionSpec struct {
	Inputs          []inputSpec
	Outputs         starlark.Value
	outputKeys      starlark.Value
	Mode            starlark.Value
	updates, givens starlark.Value
	noDefaults      starlark.Value
	retype          bool
	Name            string
	Profile, Unused starlark.Value
	downcast        downcast
	trusted         starlark.Bool
}

// CompileFunction does what function() does.
func (s *Session) CompileFunction(thread *starlark.Thread, spec FunctionSpec) (*Function, error) {
	f := &Function{s: s, watching: s.watching(), spec: spec, trusted: spec.trusted}
	if err := f.resolve(thread); err != nil {
		return nil, fmt.Errorf("function: %w", err)
	}
	return f, f.compile()
}

// resolve reads the arguments of function() into what is to be compiled.
func (f *Function) resolve(thread *starlark.Thread) error {
	s, spec := f.s, f.spec
	b := s.Builder(thread)
	outputs, forms, keys, err := s.outputVariables(b, spec.Outputs)
	if err != nil {
		return err
	}
	f.outputs = forms
	if f.keys = keys; !Absent(spec.outputKeys) {
		if f.keys, err = outputKeys(spec.outputKeys, spec.Outputs, len(forms)); err != nil {
			return err
		}
	}
	if _, many := spec.Outputs.(starlark.Indexable); !many && f.keys == nil {
		f.single = len(forms) == 1
	}
	name := spec.Name
	if name == "" {
		name = placeName(b.Origin)
	}
	f.what = compile.Spec{Outputs: outputs, Name: name, Origin: b.Origin, Retype: spec.retype}
	if f.what.Updates, err = s.Updates(b, spec.updates); err != nil {
		return fmt.Errorf("updates: %w", err)
	}
	if f.what.Givens, err = s.Givens(b, spec.givens); err != nil {
		return fmt.Errorf("givens: %w", err)
	}
	if f.what.NoDefault, err = noDefaults(spec.noDefaults); err != nil {
		return fmt.Errorf("no_default_updates: %w", err)
	}
	return nil
}

// compile compiles f.what for the inputs of f.spec.
func (f *Function) compile() error {
	s, spec := f.s, f.spec
	f.Stats = starlark.None
	wrong := func(err error) error { return fmt.Errorf("function: %w", err) }
	what, err := f.callInputs(f.what)
	if err != nil {
		return wrong(err)
	}
	if f.how == nil {
		if f.how, err = s.howNow(spec.Mode); err != nil {
			return wrong(err)
		}
	}
	watched, _ := f.how.mode.(WatchedMode)
	what.Mode, what.KeepAll = f.how.mode.CompileMode(), f.how.keepAll
	if what.OnUnused, err = s.unusedPolicy(f, spec.Unused); err != nil {
		return wrong(err)
	}
	what.Mode = unguarded(what)
	watch, err := f.watching.Asked(spec.Profile, what.Name, watched != nil)
	if err != nil {
		return wrong(err)
	}
	what.Rules, what.OnRuleError = s.Registered(), s.OnRuleError()
	for _, r := range what.Rules {
		f.how.rules = append(f.how.rules, r.Name)
	}
	what.OnRewrite = s.verbose()
	what.Warn = s.Warn
	what.Interrupted = s.Interrupted
	what.Print, what.Explain = s.printed, s.explain
	if f.Compiled, err = compile.Compile(what); err != nil {
		return s.Locate(err)
	}
	f.watching.Compiled(f.Compiled)
	if what.OnRewrite != nil {
		s.verbosePasses(f.Compiled)
	}
	f.values = make([]*tensor.Dense, len(what.Inputs))
	for _, w := range []Watch{watch, watched} {
		if w != nil {
			w.Begin(f)
		}
	}
	return nil
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
func (s *Session) outputVariables(b *graph.Builder, v starlark.Value) (list []*graph.Variable, forms []outputForm, keys []starlark.Value, err error) {
	var values []starlark.Value
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil, nil, nil
	case *slot.Dict:
		keys = []starlark.Value{}
		for _, kv := range v.Items() {
			if _, ok := kv[0].(starlark.String); !ok {
				return nil, nil, nil, fmt.Errorf("outputs: got a key of type %s, want string", kv[0].Type())
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
		if o, ok := x.(*OutputValue); ok {
			x = o.X
		}
		if IsSparse(x) {
			z, err := s.sparseOperand(b, x)
			if err != nil {
				return nil, nil, nil, fmt.Errorf("outputs[%d]: %w", i, err)
			}
			forms, list = append(forms, outputForm{len(list), s.NewSparse(z)}), append(list, z.Parts()...)
			continue
		}
		out, err := s.Variable(b, x, nil)
		if err != nil {
			return nil, nil, nil, tensor.TypeErrorf("outputs[%d]: got %s, want a symbolic variable", i, x.Type())
		}
		forms, list = append(forms, outputForm{at: len(list)}), append(list, out)
	}
	return list, forms, keys, nil
}

func (s *Session) Updates(b *graph.Builder, v starlark.Value) ([]graph.Update, error) {
	list, err := Pairs(v)
	if err != nil {
		return nil, err
	}
	var updates []graph.Update
	for i, p := range list {
		if m, ok := p[0].(*SparseVariable); ok && m.isShared() {
			to, err := m.replacement(b, p[1])
			if err != nil {
				return nil, fmt.Errorf("item %d: %w", i, err)
			}
			for k, part := range m.X.Parts() {
				updates = append(updates, graph.Update{Shared: part, Value: to[k]})
			}
			continue
		}
		x, ok := p[0].(Symbol)
		if !ok || x.V.Shared == nil {
			return nil, tensor.TypeErrorf("item %d: got %s, want a shared variable", i, p[0].Type())
		}
		value, err := s.Variable(b, p[1], x.V)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		updates = append(updates, graph.Update{Shared: x.V, Value: value})
	}
	return updates, nil
}

// unusedPolicy is what to do about inputs that nothing needs.
func (s *Session) unusedPolicy(f *Function, v starlark.Value) (func(int, *graph.Variable) error, error) {
	policy := s.Config().String("on_unused_input")
	if v != nil && v != starlark.None {
		text, ok := starlark.AsString(v)
		if !ok || text != "raise" && text != "warn" && text != "ignore" {
			return nil, fmt.Errorf(`on_unused_input: got %s, want "raise", "warn" or "ignore"`, v)
		}
		policy = text
	}
	message := func(x *graph.Variable) string {
		i := slices.IndexFunc(f.Inputs, func(in callInput) bool { return in.has(x) })
		return fmt.Sprintf(`input %d (%s) is not needed to compute the outputs; leave it out, or pass on_unused_input="ignore"`, i, f.inputName(i))
	}
	whole := unusedWhole(f)
	switch policy {
	case "ignore":
		return nil, nil
	case "warn":
		return func(i int, x *graph.Variable) error {
			if whole(x) {
				s.Warn("function: " + message(x))
			}
			return nil
		}, nil
	}
	return func(_ int, x *graph.Variable) error {
		if !whole(x) {
			return nil
		}
		return &graph.Error{Msg: message(x), Cause: graph.UnusedInput}
	}, nil
}

// functionFree is f.free().
var functionFree = value.Builtin{Name: "free", Doc: "Gives the memory back that the function keeps for its next call: that of intermediate results, of new values of shared variables, and of inputs for f.what_if().",
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
		f.recent.last = nil
		return starlark.None, nil
	}}
