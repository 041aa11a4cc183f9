package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A Keeper is where a function that is saved puts its variables and arrays. It gives back the names
// under which they are found again.
type Keeper interface {
	Variable(v *graph.Variable) (string, error)
	Array(name string, data *tensor.Dense) string
	Origin(o *graph.Origin) int
}

// A Finder finds what a Keeper kept.
type Finder interface {
	Variable(name string) (*graph.Variable, error)
	Array(name string) (*tensor.Dense, error)
	Origin(n int) (*graph.Origin, error)
}

// A FunctionRecord is what a file says of a function: what it was compiled of, and what its inputs
// hold. Variables and arrays have the names that a Keeper gave them.
type FunctionRecord struct {
	Name    string        `json:"name,omitempty"`
	Origin  int           `json:"origin"` // of the call of function()
	Inputs  []inputRecord `json:"inputs"`
	Outputs []string      `json:"outputs"`
	Form    string        `json:"form"` // of what a call returns
	Keys    []string      `json:"keys,omitempty"`
	Updates [][2]string   `json:"updates,omitempty"` // default updates are among them
	Givens  [][2]string   `json:"givens,omitempty"`
	Swap    [][2]string   `json:"swap,omitempty"`
	Retype  bool          `json:"retype,omitempty"` // rebuild_strict=False
	Mode    modeRecord    `json:"mode"`
	KeepAll bool          `json:"keep_all,omitempty"` // allow_gc=False
	Arrays  bool          `json:"arrays,omitempty"`   // scalar_output="array"
	Trusted bool          `json:"trusted,omitempty"`
}

// The forms of what a call returns.
const (
	formNone = "none"
	formOne  = "one"
	formList = "list"
	formDict = "dict"
)

type inputRecord struct {
	Variable string   `json:"variable"`
	Name     string   `json:"name,omitempty"`
	Value    string   `json:"value,omitempty"`  // the array for a call that gives none
	Home     string   `json:"home,omitempty"`   // the user's shared variable
	Update   string   `json:"update,omitempty"` // a variable
	State    string   `json:"state,omitempty"`  // what an input that keeps its value has now
	Next     string   `json:"next,omitempty"`   // what was assigned for the next call
	Implicit bool     `json:"implicit,omitempty"`
	Mutable  bool     `json:"mutable,omitempty"`
	Borrow   bool     `json:"borrow,omitempty"`
	Strict   bool     `json:"strict,omitempty"`
	Downcast downcast `json:"downcast"`
}

// modeRecord is a mode with what flags said of it.
type modeRecord struct {
	Linker    string       `json:"linker"`
	Optimizer string       `json:"optimizer"`
	Include   []string     `json:"include,omitempty"`
	Exclude   []string     `json:"exclude,omitempty"`
	Require   []string     `json:"require,omitempty"`
	Debug     *debugRecord `json:"debug,omitempty"`
	Guard     *guardRecord `json:"guard,omitempty"`
}

// guardRecord is what NanGuardMode looks for. Whether it warns is the flag's to say.
type guardRecord struct{ Nan, Inf, Big bool }

// debugRecord is the options of DebugMode, with the names of types in the tolerance.
type debugRecord struct {
	debugmode.Options
	Tolerance map[string]float64
}

// Record puts what f was compiled of into to. What a file cannot hold is an error that says where
// it was written.
func (f *Function) Record(to Keeper) (*FunctionRecord, error) {
	r := &FunctionRecord{Name: f.what.Name, Origin: to.Origin(f.what.Origin), Inputs: []inputRecord{}, Outputs: []string{}, Retype: f.what.Retype, KeepAll: f.how.keepAll,
		Arrays: f.how.arrays, Trusted: bool(f.trusted)}
	var err error
	if r.Mode, err = f.recordMode(); err != nil {
		return nil, err
	}
	for _, v := range f.what.Outputs {
		name, err := to.Variable(v)
		if err != nil {
			return nil, err
		}
		r.Outputs = append(r.Outputs, name)
	}
	switch {
	case f.keys != nil:
		r.Form = formDict
		for _, k := range f.keys {
			r.Keys = append(r.Keys, string(k.(starlark.String)))
		}
	case f.spec.Outputs == starlark.None:
		r.Form = formNone
	case f.single:
		r.Form = formOne
	default:
		r.Form = formList
	}
	for i := range f.Inputs {
		in, err := f.recordInput(to, i)
		if err != nil {
			return nil, fmt.Errorf("input %d (%s): %w", i, f.inputName(i), err)
		}
		r.Inputs = append(r.Inputs, in)
	}
	pair := func(list *[][2]string, a, b *graph.Variable) (err error) {
		var p [2]string
		if p[0], err = to.Variable(a); err == nil {
			p[1], err = to.Variable(b)
		}
		*list = append(*list, p)
		return err
	}
	for _, u := range slices.Concat(f.what.Updates, f.Compiled.Defaults) {
		if err := pair(&r.Updates, u.Shared, u.Value); err != nil {
			return nil, err
		}
	}
	givens, err := Pairs(f.spec.givens) // in the order in which they were given
	if err != nil {
		return nil, err
	}
	for _, p := range givens {
		old := p[0].(Symbol).V
		if err := pair(&r.Givens, old, f.what.Givens[old]); err != nil {
			return nil, err
		}
	}
	for _, old := range inOrder(f.what.Swap) {
		if err := pair(&r.Swap, old, f.what.Swap[old]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// inOrder are the shared variables that are keys of m, in the order in which they were made.
func inOrder(m map[*graph.Variable]*graph.Variable) []*graph.Variable {
	of := make(map[*graph.Container]*graph.Variable)
	var all []*graph.Container
	for v := range m {
		of[v.Shared] = v
		all = append(all, v.Shared)
	}
	graph.SortContainers(all)
	list := make([]*graph.Variable, len(all))
	for i, c := range all {
		list[i] = of[c]
	}
	return list
}

func (f *Function) recordInput(to Keeper, i int) (r inputRecord, err error) {
	in, said := &f.Inputs[i], &f.spec.Inputs[i]
	r = inputRecord{Name: in.name, Implicit: in.implicit, Mutable: in.mutable, Borrow: in.borrow, Strict: in.strict, Downcast: in.downcast}
	if r.Variable, err = to.Variable(in.V); err != nil {
		return r, err
	}
	array := func(what string, d *tensor.Dense) string { return to.Array(f.inputName(i)+" "+what, d) }
	switch {
	case said.home != nil:
		if r.Home, err = to.Variable(said.home); err != nil {
			return r, err
		}
	case in.value != nil:
		first := in.otherwise
		if first == nil {
			if first, err = in.accept(f.s, in.value); err != nil {
				return r, err
			}
		}
		r.Value = array("value", first)
	}
	if in.home != nil && said.home == nil {
		r.State = array("state", in.home.Shared.Get())
	}
	if in.next != nil {
		r.Next = array("next", in.next)
	}
	if in.update != nil {
		r.Update, err = to.Variable(in.update)
	}
	return r, err
}

// recordMode is the mode that f was compiled with. What calls functions of the user's is refused.
func (f *Function) recordMode() (r modeRecord, err error) {
	m := f.how.mode.CompileMode()
	r = modeRecord{Linker: m.Linker, Optimizer: m.Optimizer, Include: f.known(m.Include), Exclude: f.known(m.Exclude), Require: m.Require}
	refuse := func(format string, args ...any) error {
		return &graph.Error{Pos: f.what.Origin.Pos(), Op: f.Name(), Msg: fmt.Sprintf(format, args...)}
	}
	switch watch := m.Monitor.(type) {
	case nil:
	case *debugmode.NanGuard:
		r.Guard = &guardRecord{watch.Nan, watch.Inf, watch.Big}
	default:
		return r, refuse("its mode calls functions of the program, which no file can hold: compile one to save without MonitorMode")
	}
	if len(m.Rules) > 0 {
		return r, refuse("its mode has the rewrite rule %s of the program, which no file can hold: compile one to save without it, as Mode().excluding(\"user\") does", m.Rules[0].Name)
	}
	for _, p := range f.Compiled.Rewrites {
		for _, rule := range p.Fired() {
			if slices.Contains(f.how.rules, rule.Name) {
				return r, refuse("the rewrite rule %s of the program (%s) had a part in it, which no file can hold: compile one to save with mode=Mode().excluding(%q)", rule.Name, rule.Where, rule.Name)
			}
		}
	}
	if m.Debug != nil {
		r.Debug = &debugRecord{Options: *m.Debug}
		for d, t := range m.Debug.Tolerance {
			if r.Debug.Tolerance == nil {
				r.Debug.Tolerance = make(map[string]float64)
			}
			r.Debug.Tolerance[d.String()] = t
		}
		r.Debug.Options.Tolerance = nil
	}
	return r, nil
}

// known are the tags that mean something without the rules of the session.
func (f *Function) known(tags []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return slices.Contains(f.how.rules, t) })
}

// mode is the mode of a record.
func (r *modeRecord) mode(s *Session) (Compiling, error) {
	m := compile.Mode{Linker: r.Linker, Optimizer: r.Optimizer, Include: r.Include, Exclude: r.Exclude, Require: r.Require}
	if !slices.Contains(compile.LinkerNames(), m.Linker) || !slices.Contains(compile.OptimizerNames(), m.Optimizer) {
		return nil, fmt.Errorf("mode: got linker %q and optimizer %q, want ones that there are", m.Linker, m.Optimizer)
	}
	for _, list := range []struct {
		kind string
		tags []string
	}{{"including", m.Include}, {"excluding", m.Exclude}, {"requiring", m.Require}} {
		if err := s.checkTags(list.kind, list.tags); err != nil {
			return nil, fmt.Errorf("mode: %w", err)
		}
	}
	switch {
	case r.Debug != nil:
		o := r.Debug.Options
		for name, t := range r.Debug.Tolerance {
			d, err := kernels.ParseDType(name)
			if err != nil {
				return nil, fmt.Errorf("mode: tolerance: %w", err)
			}
			if o.Tolerance == nil {
				o.Tolerance = make(map[kernels.DType]float64)
			}
			o.Tolerance[d] = t
		}
		if err := o.Check(); err != nil {
			return nil, fmt.Errorf("mode: %w", err)
		}
		m.Debug = &o
		return DebugMode{m}, nil
	case r.Guard != nil:
		return s.nanGuardMode(m, r.Guard.Nan, r.Guard.Inf, r.Guard.Big)
	}
	return Mode{m}, nil
}

// FromRecord compiles the function of a record.
func (s *Session) FromRecord(r *FunctionRecord, from Finder) (*Function, error) {
	f := &Function{s: s, watching: s.watching(), trusted: starlark.Bool(r.Trusted), how: &how{keepAll: r.KeepAll, arrays: r.Arrays}}
	f.spec = FunctionSpec{Name: r.Name, Unused: starlark.String("ignore"), retype: r.Retype}
	f.what = compile.Spec{Name: r.Name, Retype: r.Retype, NoDefault: func(*graph.Variable) bool { return true }}
	var err error
	if f.how.mode, err = r.Mode.mode(s); err != nil {
		return nil, err
	}
	f.spec.Mode = f.how.mode
	if f.what.Origin, err = from.Origin(r.Origin); err != nil {
		return nil, err
	}
	var outputs []starlark.Value
	for _, name := range r.Outputs {
		v, err := from.Variable(name)
		if err != nil {
			return nil, err
		}
		f.what.Outputs = append(f.what.Outputs, v)
		outputs = append(outputs, Symbol{s, v})
	}
	if err := f.giveForm(r, outputs); err != nil {
		return nil, err
	}
	each := func(list [][2]string, shared bool, do func(a, b *graph.Variable)) error {
		for _, p := range list {
			a, err := from.Variable(p[0])
			if err != nil {
				return err
			}
			b, err := from.Variable(p[1])
			if err != nil {
				return err
			}
			if shared && (a.Shared == nil || b.Shared == nil) {
				return fmt.Errorf("swap: got %s and %s, want shared variables", graph.Mention(a), graph.Mention(b))
			}
			do(a, b)
		}
		return nil
	}
	var givens []starlark.Value
	put := func(m *map[*graph.Variable]*graph.Variable, a, b *graph.Variable) {
		if *m == nil {
			*m = make(map[*graph.Variable]*graph.Variable)
		}
		(*m)[a] = b
	}
	err = each(r.Updates, false, func(a, b *graph.Variable) { f.what.Updates = append(f.what.Updates, graph.Update{Shared: a, Value: b}) })
	if err == nil {
		err = each(r.Givens, false, func(a, b *graph.Variable) {
			put(&f.what.Givens, a, b)
			givens = append(givens, starlark.Tuple{Symbol{s, a}, Symbol{s, b}})
		})
	}
	if err == nil {
		err = each(r.Swap, true, func(a, b *graph.Variable) { put(&f.what.Swap, a, b) })
	}
	if err != nil {
		return nil, err
	}
	f.spec.givens = slot.NewList(givens)
	for i := range r.Inputs {
		in, err := s.inputOf(&r.Inputs[i], from)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		f.spec.Inputs = append(f.spec.Inputs, in)
	}
	if err := f.compile(); err != nil {
		return nil, err
	}
	return f, f.restore(r, from)
}

// giveForm says in which form calls return their results.
func (f *Function) giveForm(r *FunctionRecord, outputs []starlark.Value) error {
	f.spec.Outputs = slot.NewList(outputs)
	switch {
	case r.Form == formNone && len(outputs) == 0:
		f.spec.Outputs = starlark.None
	case r.Form == formOne && len(outputs) == 1:
		f.spec.Outputs, f.single = outputs[0], true
	case r.Form == formList:
	case r.Form == formDict && len(r.Keys) == len(outputs):
		f.keys = []starlark.Value{}
		for _, k := range r.Keys {
			f.keys = append(f.keys, starlark.String(k))
		}
	default:
		return fmt.Errorf("outputs: got the form %q and %d keys for %d outputs", r.Form, len(r.Keys), len(outputs))
	}
	return nil
}

// inputOf is what a record says of an input.
func (s *Session) inputOf(r *inputRecord, from Finder) (in inputSpec, err error) {
	in = inputSpec{name: r.Name, implicit: r.Implicit, mutable: r.Mutable, borrow: r.Borrow, accepting: accepting{r.Strict, r.Downcast}}
	if r.Downcast > downcastAlways {
		return in, fmt.Errorf("downcast: got %d, want at most %d", r.Downcast, downcastAlways)
	}
	if in.V, err = from.Variable(r.Variable); err != nil {
		return in, err
	}
	switch {
	case r.Home != "":
		home, err := from.Variable(r.Home)
		if err != nil {
			return in, err
		}
		if err := in.takeValue(Symbol{s, home}); err != nil {
			return in, err
		}
	case r.Value != "":
		first, err := from.Array(r.Value)
		if err == nil {
			in.value, err = s.valueOf(in.V.Type, first)
		}
		if err != nil {
			return in, err
		}
	}
	if r.Update == "" {
		return in, nil
	}
	if in.update, err = from.Variable(r.Update); err != nil {
		return in, err
	}
	return in, TypeFits(in.update.Type, in.V.Type)
}

// valueOf is fromRun for an array of a file, which may have nothing of a generator.
func (s *Session) valueOf(t graph.Type, a *tensor.Dense) (starlark.Value, error) {
	if err := CheckValue(t, a); err != nil {
		return nil, err
	}
	return s.fromRun(t, a), nil
}

// CheckValue says why an array of a file is no value of type t.
func CheckValue(t graph.Type, a *tensor.Dense) error {
	if a.DType() != t.DType || !t.AcceptsShape(a.Shape()) {
		return fmt.Errorf("got an array of type %v, want %v", graph.TypeOfValue(a), t)
	}
	if t.State != graph.NoState {
		return checkState(t, a)
	}
	return nil
}

// restore gives inputs the values that they had.
func (f *Function) restore(r *FunctionRecord, from Finder) error {
	for i := range f.Inputs {
		in, said := &f.Inputs[i], &r.Inputs[i]
		for _, part := range []struct {
			name string
			take func(*tensor.Dense)
		}{{said.State, func(d *tensor.Dense) {
			if in.home != nil {
				in.home.Shared.Set(d)
			}
		}}, {said.Next, func(d *tensor.Dense) { in.next, f.assigned = d, true }}} {
			if part.name == "" {
				continue
			}
			d, err := from.Array(part.name)
			if err == nil {
				err = CheckValue(in.V.Type, d)
			}
			if err != nil {
				return fmt.Errorf("input %d: %w", i, err)
			}
			part.take(d)
		}
	}
	return nil
}

// how is what flags and modes say of compiling a function.
type how struct {
	mode            Compiling
	keepAll, arrays bool
	rules           []string // of the session, by name
}

// howNow is how a function is compiled now that is given a mode.
func (s *Session) howNow(mode starlark.Value) (*how, error) {
	m, err := s.GetMode(mode)
	if err != nil {
		return nil, err
	}
	return &how{mode: m, keepAll: !s.Config().Bool("allow_gc"), arrays: s.Config().String("scalar_output") == "array"}, nil
}

// Changes are the shared variables that a call gives new values, with what those are, default
// updates among them.
func (f *Function) Changes() []graph.Update {
	return slices.Concat(f.what.Updates, f.Compiled.Defaults)
}

// Keeps is the name of an input that has its value from one call to the next, "" if none has.
func (f *Function) Keeps() string {
	for i := range f.Inputs {
		if f.Inputs[i].home != nil || f.Inputs[i].update != nil {
			return f.inputName(i)
		}
	}
	return ""
}
