package symbolic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler/whatif"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Change says what to compile in another way.
type Change struct {
	text    []string
	flags   map[string]any // in force while it is compiled and while it runs
	narrow  bool           // float32 instead of float64
	ordered bool           // inputs are in C order
	replace map[*graph.Variable]*graph.Variable
	modes   []func(s *Session, m *compile.Mode) error // in their order
}

// String is the change as it is written.
func (c *Change) String() string { return strings.Join(c.text, ", ") }

// changes are the keywords that say of themselves what changes. All others are flags.
var changes = map[string]func(s *Session, f *Function, c *Change, v starlark.Value) error{
	"floatX":    toFloat32,
	"dtype":     toFloat32,
	"fusion":    switched("fusion"),
	"inplace":   switched("inplace"),
	"including": tagged("including", func(m *compile.Mode, tags []string) { *m = m.Including(tags...) }),
	"excluding": tagged("excluding", func(m *compile.Mode, tags []string) { *m = m.Excluding(tags...) }),
	"mode": func(s *Session, f *Function, c *Change, v starlark.Value) error {
		m, err := s.GetMode(v)
		if err == nil {
			c.mode(func(_ *Session, to *compile.Mode) error { *to = m.CompileMode(); return nil })
		}
		return err
	},
	"linker": func(s *Session, f *Function, c *Change, v starlark.Value) error {
		linker, err := s.readLinker(v)
		c.mode(func(_ *Session, m *compile.Mode) error { m.Linker = linker; return nil })
		return err
	},
	"optimizer": func(s *Session, f *Function, c *Change, v starlark.Value) error {
		c.mode(func(s *Session, m *compile.Mode) error { return s.readOptimizer(m, v) })
		return s.readOptimizer(new(compile.Mode), v)
	},
	"contiguous": func(s *Session, f *Function, c *Change, v starlark.Value) error {
		if v != starlark.True {
			return tensor.TypeErrorf("got %s, want True: inputs are in C order then", value.Repr(v))
		}
		c.ordered = true
		return nil
	},
	"replace": func(s *Session, f *Function, c *Change, v starlark.Value) (err error) {
		c.replace, err = f.replacements(v)
		return err
	},
}

// Changes are the keywords of changes that are no flags.
func Changes() []string { return slices.Sorted(maps.Keys(changes)) }

func (c *Change) mode(set func(s *Session, m *compile.Mode) error) { c.modes = append(c.modes, set) }

// toFloat32 is floatX="float32".
func toFloat32(_ *Session, _ *Function, c *Change, v starlark.Value) error {
	switch name, ok := starlark.AsString(v); {
	case !ok:
		return tensor.TypeErrorf("got %s, want the string \"float32\"", v.Type())
	case name != "float32":
		return fmt.Errorf("got %s, want \"float32\": a graph of float32 is written anew for another type", v)
	}
	c.narrow = true
	return nil
}

// switched is a group of rewrites, on or off.
func switched(group string) func(s *Session, f *Function, c *Change, v starlark.Value) error {
	return func(_ *Session, _ *Function, c *Change, v starlark.Value) error {
		on, ok := v.(starlark.Bool)
		if !ok {
			return tensor.TypeErrorf("got %s, want True or False", v.Type())
		}
		c.mode(func(_ *Session, m *compile.Mode) error {
			if !on {
				*m = m.Excluding(group)
				return nil
			}
			*m = m.Including(group)
			m.Exclude = slices.DeleteFunc(slices.Clone(m.Exclude), func(tag string) bool { return tag == group })
			return nil
		})
		return nil
	}
}

// tagged is names of rewrites.
func tagged(kind string, with func(m *compile.Mode, tags []string)) func(s *Session, f *Function, c *Change, v starlark.Value) error {
	return func(s *Session, _ *Function, c *Change, v starlark.Value) error {
		var tags []string
		for _, x := range Items(v) {
			name, ok := starlark.AsString(x)
			if !ok {
				return tensor.TypeErrorf("got %s, want the name of a rewrite, or a list of names", x.Type())
			}
			tags = append(tags, strings.Split(name, ":")...)
		}
		c.mode(func(s *Session, m *compile.Mode) error { with(m, tags); return nil })
		return compile.CheckTags(kind, tags, s.Registered()...)
	}
}

// replacements reads replace={old: new}.
func (f *Function) replacements(v starlark.Value) (map[*graph.Variable]*graph.Variable, error) {
	list, err := Pairs(v)
	if err != nil || len(list) == 0 {
		return nil, tensor.TypeErrorf("got %s, want a dict from variables of the graph to expressions", DescribeValue(v))
	}
	b := new(graph.Builder)
	replace := make(map[*graph.Variable]*graph.Variable)
	within := f.written()
	for _, p := range list {
		old, ok := p[0].(Symbol)
		if !ok {
			return nil, tensor.TypeErrorf("got %s, want a symbolic variable to replace", DescribeValue(p[0]))
		}
		if !within[old.V] {
			return nil, fmt.Errorf("%s is no part of what %s computes: want a variable that its outputs or updates are made of", graph.Mention(old.V), f.Name())
		}
		to, err := f.s.Variable(b, p[1], old.V)
		if err != nil {
			return nil, tensor.TypeErrorf("the replacement of %s: %w", graph.Mention(old.V), err)
		}
		if to.Type.Rank() != old.V.Type.Rank() {
			return nil, tensor.TypeErrorf("got %v for %s, want the same number of dimensions", to.Type, graph.Mention(old.V))
		}
		for _, v := range graph.Inputs(nil, to) {
			if !slices.ContainsFunc(f.spec.Inputs, func(in inputSpec) bool { return in.has(v) }) {
				return nil, fmt.Errorf("the replacement of %s is made of %s, which is no input of %s: want inputs, shared variables and constants", graph.Mention(old.V), graph.Mention(v), f.Name())
			}
		}
		if to.Type.DType != old.V.Type.DType {
			to = b.Apply(op.Cast(old.V.Type.DType), to)
		}
		replace[old.V] = to
	}
	return replace, nil
}

// written are the variables of the graph as the user wrote it.
func (f *Function) written() map[*graph.Variable]bool {
	fg := graph.FunctionGraph{Outputs: slices.Clone(f.what.Outputs)}
	for _, u := range slices.Concat(f.what.Updates, f.Compiled.Defaults) {
		fg.Outputs = append(fg.Outputs, u.Value)
	}
	for _, v := range f.what.Givens {
		fg.Outputs = append(fg.Outputs, v)
	}
	within := make(map[*graph.Variable]bool)
	for v := range fg.Roots() {
		within[v] = true
	}
	for _, node := range fg.Toposort() {
		for _, v := range node.Outputs {
			within[v] = true
		}
	}
	return within
}

// ReadChange reads keywords that say what changes. flag reads the value of a flag.
func (f *Function) ReadChange(keywords []starlark.Tuple, flag func(starlark.Value) (any, error)) (*Change, error) {
	c := &Change{flags: make(map[string]any)}
	for _, kv := range keywords {
		name := value.Str(kv[0])
		read := changes[name]
		if read == nil {
			read = func(s *Session, _ *Function, c *Change, v starlark.Value) (err error) {
				if near := config.Closest(name, Changes()); near != "" {
					return fmt.Errorf("no change and no flag has this name (did you mean %s?)", near)
				}
				c.flags[strings.ReplaceAll(name, "__", ".")], err = flag(v)
				return err
			}
		}
		if err := read(f.s, f, c, kv[1]); err != nil {
			if !strings.HasPrefix(err.Error(), name+": ") {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return nil, err
		}
		c.text = append(c.text, name+"="+changedTo(kv[1]))
	}
	pop, err := f.s.Config().Push(c.flags, "") // so that a wrong one is told before anything runs
	if err != nil {
		return nil, err
	}
	pop()
	return c, nil
}

// changedTo is a value as it is written. Expressions have names, and may be large.
func changedTo(v starlark.Value) string {
	d, ok := v.(*slot.Dict)
	if !ok {
		return value.Repr(v)
	}
	var parts []string
	for _, kv := range d.Items() {
		parts = append(parts, nameOf(kv[0])+": "+nameOf(kv[1]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// nameOf is the name of a variable, or what it is.
func nameOf(v starlark.Value) string {
	x, ok := v.(Symbol)
	if !ok {
		return value.Repr(v)
	}
	return cmp.Or(x.V.Name, "<"+graph.NameOf(x.V)+">")
}

// RememberAll has functions remember inputs of any size, until end is called, which forgets those
// that are large.
func (s *Session) RememberAll() (end func()) {
	was := s.remembering
	all := new(remembering)
	s.remembering = all
	return func() {
		all.end()
		s.remembering = was
	}
}

// A Variant is a function compiled once more, with updates of its own: whatever it does, the
// session's shared variables stay as they are.
type Variant struct {
	s        *Session
	Compiled *compile.Function
	change   *Change
	linker   string
	inputs   []*tensor.Dense
	names    []string // of what it updates
	state    []*graph.Variable
	first    []*tensor.Dense // what they begin with
}

// Variants are the function as it is, and with a change, on the same inputs: those of a call before
// if given is nil. from says which they are.
func (f *Function) Variants(c *Change, given starlark.Value) (before, after *Variant, from string, err error) {
	if f.running {
		return nil, nil, "", fmt.Errorf("%s is running: wait until it is done", f.Name())
	}
	inputs, homes, from, err := f.takenInputs(given)
	if err != nil {
		return nil, nil, "", err
	}
	if before, err = f.variant(&Change{}, inputs, homes); err != nil {
		return nil, nil, "", err
	}
	after, err = f.variant(c, inputs, homes)
	return before, after, from, err
}

// takenInputs are the inputs of the compiled graph, and what those have that keep their values.
func (f *Function) takenInputs(given starlark.Value) (inputs, homes []*tensor.Dense, from string, err error) {
	homes = make([]*tensor.Dense, len(f.Inputs))
	for i := range f.Inputs {
		if h := f.Inputs[i].home; h != nil {
			homes[i] = h.Shared.Copy(f.s.Poll())
		}
	}
	if Absent(given) {
		if len(f.values) > 0 {
			inputs, from, err = f.recent.inputs(f.Name())
		}
		return inputs, homes, from, err
	}
	var args starlark.Tuple
	var kwargs []starlark.Tuple
	switch v := given.(type) {
	case *slot.Dict:
		kwargs = v.Items()
		for _, kv := range kwargs {
			if _, ok := kv[0].(starlark.String); !ok {
				return nil, nil, "", tensor.TypeErrorf("inputs: got a key of type %s, want the name of an input", kv[0].Type())
			}
		}
	case *slot.List, starlark.Tuple:
		args = Items(v)
	default:
		return nil, nil, "", tensor.TypeErrorf("inputs: got %s, want a list with one value for each argument of a call, or a dict by their names", given.Type())
	}
	values, err := f.bind(args, kwargs)
	if err != nil {
		return nil, nil, "", tensor.TypeErrorf("inputs: %w", err)
	}
	inputs = make([]*tensor.Dense, len(f.values))
	for i, x := range values {
		in := &f.Inputs[i]
		if in.sparse != nil {
			parts, err := in.sparseArgument(f, i, x)
			if err != nil {
				return nil, nil, "", err
			}
			copy(inputs[in.at:], parts)
			continue
		}
		a, err := in.argument(f, i, x)
		switch {
		case err != nil:
			return nil, nil, "", err
		case in.home == nil:
			inputs[in.at] = a
		case a != nil:
			homes[i] = a
		}
	}
	return inputs, homes, "those that were given", nil
}

// variant compiles f with a change.
func (f *Function) variant(c *Change, inputs, homes []*tensor.Dense) (v *Variant, err error) {
	s := f.s
	pop, err := s.Config().Push(c.flags, "")
	if err != nil {
		return nil, err
	}
	defer pop()
	v = &Variant{s: s, change: c, inputs: slices.Clone(inputs)}
	what := f.what
	what.Updates, what.NoDefault = slices.Concat(f.what.Updates, f.Compiled.Defaults), func(*graph.Variable) bool { return true }
	if what, err = c.replaced(what); err != nil {
		return nil, err
	}
	if what.Mode, what.KeepAll, err = f.howChanged(c); err != nil {
		return nil, err
	}
	v.linker = what.Mode.Linker
	what.Swap = v.ownState(f, what, homes)
	g := &Function{s: s, watching: f.watching, spec: f.spec}
	if what, err = g.callInputs(what); err != nil {
		return nil, err
	}
	v.ownHomes(g, homes)
	what.Rules, what.OnRuleError, what.Interrupted, what.Explain = s.Registered(), s.OnRuleError(), s.Interrupted, s.explain
	what.OnUnused = nil
	for i, a := range v.inputs {
		if c.ordered && !a.IsContiguous() {
			v.inputs[i] = s.Poll().Copy(a)
		}
	}
	if c.narrow {
		what.Narrow = v.narrowShared
		for i, a := range v.inputs {
			v.inputs[i] = narrowValue(a)
		}
	}
	if v.Compiled, err = compile.Compile(what); err != nil {
		return nil, s.Locate(err)
	}
	return v, nil
}

// replaced is what with the replacements made, all at once: y may become an expression of y.
func (c *Change) replaced(what compile.Spec) (compile.Spec, error) {
	if len(c.replace) == 0 {
		return what, nil
	}
	get := graph.Replacing(c.replace, false)
	var err error
	of := func(v *graph.Variable) *graph.Variable {
		w, e := get(v)
		err = cmp.Or(err, e)
		return w
	}
	what.Outputs, what.Updates = slices.Clone(what.Outputs), slices.Clone(what.Updates)
	for i, v := range what.Outputs {
		what.Outputs[i] = of(v)
	}
	for i, u := range what.Updates {
		what.Updates[i].Value = of(u.Value)
	}
	givens := make(map[*graph.Variable]*graph.Variable, len(what.Givens))
	for old, v := range what.Givens {
		givens[old] = of(v)
	}
	what.Givens = givens
	return what, err
}

// howChanged is how f is compiled with a change. What looks at each node as it runs, looks not.
func (f *Function) howChanged(c *Change) (m compile.Mode, keepAll bool, err error) {
	was := f.how
	if len(c.flags) > 0 { // of which the mode may be made
		if was, err = f.s.howNow(f.spec.Mode); err != nil {
			return m, false, err
		}
	}
	m = was.mode.CompileMode()
	for _, set := range c.modes {
		if err := set(f.s, &m); err != nil {
			return m, false, err
		}
	}
	m.Monitor = nil
	return m, was.keepAll, nil
}

// ownState makes variables of the variant's own that take the place of shared ones that it updates,
// or to which its inputs are assigned.
func (v *Variant) ownState(f *Function, what compile.Spec, homes []*tensor.Dense) map[*graph.Variable]*graph.Variable {
	swap := maps.Clone(f.what.Swap)
	if swap == nil {
		swap = make(map[*graph.Variable]*graph.Variable)
	}
	own := make(map[*graph.Variable]*graph.Variable)
	add := func(written *graph.Variable, x *tensor.Dense) {
		old := written
		if to, ok := f.what.Swap[written]; ok {
			old = to
		}
		if own[old] == nil {
			if x == nil {
				x = old.Shared.Copy(v.s.Poll())
			}
			own[old] = graph.NewShared(old.Name, old.Type, x, old.Origin)
			v.keep(own[old])
		}
		swap[written] = own[old]
	}
	for i, in := range f.spec.Inputs {
		if in.home != nil {
			add(in.home, homes[i])
		}
	}
	for _, u := range what.Updates {
		add(u.Shared, nil)
	}
	for old, to := range swap {
		if w := own[to]; w != nil {
			swap[old] = w
		}
	}
	return swap
}

// ownHomes gives inputs that keep their values the variant's own.
func (v *Variant) ownHomes(g *Function, homes []*tensor.Dense) {
	for i := range g.Inputs {
		if h := g.Inputs[i].home; h != nil && g.owns(g.Inputs[i]) {
			h.Shared.Give(homes[i].Copy())
			v.keep(h)
		}
	}
}

func (v *Variant) keep(w *graph.Variable) {
	v.state, v.first = append(v.state, w), append(v.first, w.Shared.Get())
	v.names = append(v.names, InputName(w, len(v.names)))
}

// narrowShared is a variable of float32 that takes the place of one of float64.
func (v *Variant) narrowShared(old *graph.Variable) *graph.Variable {
	w := graph.NewShared(old.Name, old.Type.WithDType(kernels.Float32), narrowValue(old.Shared.Get()), old.Origin)
	if i := slices.Index(v.state, old); i >= 0 {
		v.state[i], v.first[i] = w, w.Shared.Get()
	}
	return w
}

func narrowValue(a *tensor.Dense) *tensor.Dense {
	if a.DType() == kernels.Float64 {
		return a.AsType(kernels.Float32)
	}
	return a
}

// begin makes what the variant updates what it was in the beginning.
func (v *Variant) begin() {
	for i, w := range v.state {
		w.Shared.Give(v.s.Poll().Copy(v.first[i]))
	}
}

// Run calls the variant that many times, and says how long it took. It begins where it began
// before, so that what a call finds does not depend on how many there were.
func (v *Variant) Run(calls int) (took time.Duration, err error) {
	pop, err := v.inForce()
	if err != nil {
		return 0, err
	}
	defer pop()
	v.begin()
	stop := v.s.Stop()
	began := time.Now()
	for range calls {
		out, err := v.Compiled.Run(stop, v.inputs, nil)
		if err != nil {
			return 0, v.failed(err)
		}
		v.Compiled.Recycle(out)
	}
	return time.Since(began), nil
}

// inForce puts the flags of the change in force.
func (v *Variant) inForce() (pop func(), err error) {
	if len(v.change.flags) == 0 {
		return func() {}, nil
	}
	return v.s.Config().Push(v.change.flags, "")
}

func (v *Variant) failed(err error) error {
	if errors.Is(err, op.ErrStopped) {
		return context.Cause(v.s.Context())
	}
	return v.s.Locate(err)
}

// results are what a call computes: outputs, and what it updates.
func (v *Variant) results() ([]*tensor.Dense, error) {
	pop, err := v.inForce()
	if err != nil {
		return nil, err
	}
	defer pop()
	v.begin()
	out, err := v.Compiled.Run(v.s.Stop(), v.inputs, nil)
	if err != nil {
		return nil, v.failed(err)
	}
	for _, w := range v.state {
		out = append(out, w.Shared.Get())
	}
	return out, nil
}

// Apart is how far the results of a call of after are from those of v.
func (v *Variant) Apart(after *Variant) (e whatif.Error, err error) {
	was, err := v.results()
	if err != nil {
		return e, err
	}
	is, err := after.results()
	if err != nil {
		return e, err
	}
	for i := range was {
		name := fmt.Sprintf("output %d", i)
		if k := i - len(v.Compiled.Graph.Outputs); k >= 0 {
			name = v.names[k]
		}
		e.Include(name, was[i], is[i])
	}
	return e, nil
}

// Free gives the memory back that a variant keeps for its next call.
func (v *Variant) Free() {
	if v != nil && v.Compiled != nil {
		v.Compiled.Free()
	}
}

// Same reports whether both are compiled to the same.
func (v *Variant) Same(after *Variant) bool {
	return len(after.change.flags) == 0 && !after.change.ordered && v.linker == after.linker && v.Compiled.Graph.String() == after.Compiled.Graph.String()
}
