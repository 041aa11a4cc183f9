package starlib

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A SymbolicModule is Theano's Module: variables and methods by name, of which make() compiles instances. An instance has a shared
// variable for each member that its methods need, and a compiled function for each method; no two instances share state.
//
// What is assigned to a module is
//
//	a free variable    a member: state, if some method needs it that does not list it as an input
//	a shared variable  a member whose value at make() is the initial one
//	another variable   computed from those: kept under its name, and no state
//	a Method           compiled by make()
//	a Module           an instance inside the instance
//	anything else      kept under its name
type SymbolicModule struct {
	names  []string // as they were assigned first
	values map[string]starlark.Value
	closed string // why nothing can be assigned any more
}

// A moduleMethod is Method(): what a function of instances computes.
type moduleMethod struct {
	inputs                 []*graph.Variable
	outputs, updates, mode starlark.Value
}

// A ModuleInstance is what make() returns.
type ModuleInstance struct {
	names  []string
	values map[string]starlark.Value // a Symbol, which is shared, a *Function or a *ModuleInstance
}

var (
	_ value.Tabled         = (*SymbolicModule)(nil)
	_ starlark.HasSetField = (*SymbolicModule)(nil)
	_ starlark.Callable    = (*moduleMethod)(nil)
	_ starlark.HasSetField = (*ModuleInstance)(nil)
)

func (m *SymbolicModule) String() string        { return "<Module " + strings.Join(m.names, ", ") + ">" }
func (m *SymbolicModule) Type() string          { return "Module" }
func (m *SymbolicModule) Freeze()               { m.closed = "it is frozen" }
func (m *SymbolicModule) Truth() starlark.Bool  { return true }
func (m *SymbolicModule) Hash() (uint32, error) { return 0x30d, nil }
func (m *SymbolicModule) Table() *value.Methods { return symbolicModuleMethods }
func (m *SymbolicModule) AttrNames() []string   { return symbolicModuleMethods.Names(m.names...) }

func (m *SymbolicModule) Attr(name string) (starlark.Value, error) {
	if v, ok := m.values[name]; ok {
		return v, nil
	}
	if symbolicModuleMethods.Rows[name] != nil {
		return symbolicModuleMethods.Attr(m, name)
	}
	return nil, value.NoAttr("Module", name, m.AttrNames())
}

func (m *SymbolicModule) SetField(name string, v starlark.Value) error {
	switch inner, isModule := v.(*SymbolicModule); {
	case m.closed != "":
		return fmt.Errorf("Module: cannot assign .%s: %s", name, m.closed)
	case symbolicModuleMethods.Rows[name] != nil:
		return fmt.Errorf("Module: cannot assign .%s: it is a method of modules", name)
	case isModule && inner.contains(m):
		return fmt.Errorf("Module: cannot assign .%s: a module cannot contain itself", name)
	}
	if _, ok := m.values[name]; !ok {
		m.names = append(m.names, name)
	}
	m.values[name] = v
	return nil
}

func (m *SymbolicModule) contains(other *SymbolicModule) bool {
	return m == other || slices.ContainsFunc(m.names, func(name string) bool {
		inner, ok := m.values[name].(*SymbolicModule)
		return ok && inner.contains(other)
	})
}

func (f *moduleMethod) String() string        { return "<Method>" }
func (f *moduleMethod) Name() string          { return "Method" }
func (f *moduleMethod) Type() string          { return "Method" }
func (f *moduleMethod) Freeze()               {}
func (f *moduleMethod) Truth() starlark.Bool  { return true }
func (f *moduleMethod) Hash() (uint32, error) { return 0x3e7, nil }

func (f *moduleMethod) CallInternal(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return nil, fmt.Errorf("a Method is no function yet: call that of an instance, which the module's make() compiles")
}

func (m *ModuleInstance) String() string {
	return "<ModuleInstance " + strings.Join(m.names, ", ") + ">"
}
func (m *ModuleInstance) Type() string          { return "ModuleInstance" }
func (m *ModuleInstance) Freeze()               {}
func (m *ModuleInstance) Truth() starlark.Bool  { return true }
func (m *ModuleInstance) Hash() (uint32, error) { return 0x31d, nil }
func (m *ModuleInstance) AttrNames() []string   { return slices.Sorted(slices.Values(m.names)) }

// Attr returns a function, an instance inside this one, or the value of a member: a copy, which is frozen, since changing it would change
// nothing.
func (m *ModuleInstance) Attr(name string) (starlark.Value, error) {
	v, ok := m.values[name]
	if !ok {
		return nil, value.NoAttr("ModuleInstance", name, m.AttrNames())
	}
	x, isState := v.(Symbol)
	if !isState {
		return v, nil
	}
	a := np.FromDenseIn(x.s, x.v.Shared.Get().Copy())
	a.Freeze()
	return a, nil
}

// SetField gives a member a new value.
func (m *ModuleInstance) SetField(name string, v starlark.Value) error {
	old, ok := m.values[name]
	if !ok {
		return value.NoAttr("ModuleInstance", name, m.AttrNames())
	}
	x, ok := old.(Symbol)
	if !ok {
		return fmt.Errorf("ModuleInstance: cannot assign .%s: it is a %s, not a member", name, old.Type())
	}
	a, err := sharedValue(x.v, v, false)
	if err != nil {
		return fmt.Errorf("ModuleInstance: %s: %w", name, err)
	}
	x.v.Shared.Set(a)
	return nil
}

// moduleTable is the functions that modules are made with.
var moduleTable = []value.Builtin{
	{Name: "Module", Doc: "Variables and methods under names: m.w = T.dmatrix() makes a member, m.f = theano.Method(x, y) a method. " +
		"m.make(w=...) compiles an instance, whose methods share its members.", Example: `theano.Module() # <Module >`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return &SymbolicModule{values: make(map[string]starlark.Value)}, nil
		}},
	{Name: "Method", Params: []value.Param{
		{Name: "inputs", Doc: "a variable or a list of variables: the arguments of a call"},
		{Name: "outputs", Default: "None", Doc: "as function() takes them"},
		{Name: "updates", Default: "None", Doc: "new values of members: list of pairs (member, expression) or dict"},
		{Name: "mode", Default: "None", Doc: "how to compile this method; None is as make() is told"},
	}, Doc: "What a method of a module's instances computes, from arguments and from members, and how it changes these.",
		Example: `theano.Method([], T.constant(2.0)) # <Method>`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			for i, x := range v {
				if x == nil {
					v[i] = starlark.None
				}
			}
			f := &moduleMethod{outputs: v[1], updates: v[2], mode: v[3]}
			if one, ok := v[0].(Symbol); ok {
				f.inputs = []*graph.Variable{one.v}
			} else if f.inputs, err = symbols("inputs", v[0]); err != nil {
				return nil, fmt.Errorf("Method: %w", err)
			}
			if _, err := pairs(f.updates); err != nil {
				return nil, fmt.Errorf("Method: updates: %w", err)
			}
			return f, nil
		}},
	{Name: "Member", Params: []value.Param{{Name: "x", Doc: "a free or shared variable"}},
		Doc:     "The variable itself, which is a member of the module that it is assigned to anyway.",
		Example: `theano.Member(T.scalar("w")) # w`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			if x, ok := v[0].(Symbol); !ok || x.v.Owner != nil || x.v.IsConstant() {
				return nil, fmt.Errorf("Member: got %s, want a free or a shared variable", v[0].Type())
			}
			return v[0], nil
		}},
}

var symbolicModuleMethods = value.NewMethods("Module", []value.Builtin{
	{Name: "make", Params: []value.Param{
		{Name: "mode", Default: "None", Doc: "a Mode, a ProfileMode or a name: how to compile the methods"},
		{Name: "**initial", Doc: "first values of the members; of a module inside, a dict of those of its members"},
	}, Doc: "Compiles an instance: inst.f(...) calls a method, inst.w is a copy of a member's value, inst.w = v replaces it.",
		Example: `theano.Module().make() # <ModuleInstance >`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			inst, err := SessionOf(thread).makeModule(thread, b.Receiver().(*SymbolicModule), v[0], v[1].(*starlark.Dict))
			if err != nil {
				return nil, fmt.Errorf("make: %w", err)
			}
			return inst, nil
		}},
})

// A need is a free variable that a method needs and does not list among its inputs.
type need struct {
	x      *graph.Variable
	method string
}

// A moduleMaker makes one instance.
type moduleMaker struct {
	s      *Session
	thread *starlark.Thread
	mode   starlark.Value
	needed []need
	states map[*graph.Variable]Symbol // the shared variables of the instance, by the members that they are for
}

func (s *Session) makeModule(thread *starlark.Thread, m *SymbolicModule, mode starlark.Value, initial *starlark.Dict) (*ModuleInstance,
	error) {
	k := &moduleMaker{s: s, thread: thread, mode: mode, states: make(map[*graph.Variable]Symbol)}
	if err := k.findNeeded(m, ""); err != nil {
		return nil, err
	}
	if err := k.allocate(m, "", initial); err != nil {
		return nil, err
	}
	if err := k.checkNeeded(m); err != nil {
		return nil, err
	}
	return k.build(m, "")
}

// findNeeded walks the methods of m and of the modules inside.
func (k *moduleMaker) findNeeded(m *SymbolicModule, path string) error {
	b := k.s.builder(k.thread)
	for _, name := range m.names {
		switch v := m.values[name].(type) {
		case *SymbolicModule:
			if err := k.findNeeded(v, path+name+"."); err != nil {
				return err
			}
		case *moduleMethod:
			outputs, _, err := k.s.outputVariables(b, v.outputs)
			if err != nil {
				return fmt.Errorf("method %s: %w", path+name, err)
			}
			fg := &graph.FunctionGraph{Outputs: outputs}
			updates, _ := pairs(v.updates)
			for _, p := range updates {
				for _, x := range p {
					if x, ok := x.(Symbol); ok {
						fg.Outputs = append(fg.Outputs, x.v)
					}
				}
			}
			for x := range fg.Roots() {
				if x.IsInput() && !slices.Contains(v.inputs, x) {
					k.needed = append(k.needed, need{x, path + name})
				}
			}
		}
	}
	return nil
}

// allocate makes the state of m and of the modules inside.
func (k *moduleMaker) allocate(m *SymbolicModule, path string, initial *starlark.Dict) error {
	known := make(map[string]bool) // names that may have an initial value
	for _, name := range m.names {
		given, found, _ := initial.Get(starlark.String(name))
		if !found {
			given = nil
		}
		switch v := m.values[name].(type) {
		case *SymbolicModule:
			known[name] = true
			inner, ok := given.(*starlark.Dict)
			if given != nil && !ok {
				return fmt.Errorf("%s is a module: got %s, want a dict of the first values of its members", path+name, given.Type())
			}
			if inner == nil {
				inner = new(starlark.Dict)
			}
			if err := k.allocate(v, path+name+".", inner); err != nil {
				return err
			}
		case Symbol:
			if v.v.Shared == nil && !v.v.IsInput() {
				continue
			}
			known[name] = true
			if err := k.member(v.v, path+name, given); err != nil {
				return err
			}
		}
	}
	for _, key := range initial.Keys() {
		name, _ := starlark.AsString(key)
		if known[name] {
			continue
		}
		if near := config.Closest(name, m.names); known[near] {
			return fmt.Errorf("the module has no member %s (did you mean %s?)", path+name, path+near)
		}
		return fmt.Errorf("the module has no member %s", path+name)
	}
	return nil
}

// member makes the shared variable for x, unless it is there: a variable may have two names. given is nil if no first value was.
func (k *moduleMaker) member(x *graph.Variable, name string, given starlark.Value) error {
	var first starlark.Value = given
	state, exists := k.states[x]
	if first == nil && (exists || x.Shared == nil) {
		return nil
	}
	if first == nil {
		first = np.NewArray(k.s, x.Shared.Get())
	}
	a, err := sharedValue(x, first, false)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case exists:
		state.v.Shared.Set(a)
		return nil
	}
	k.states[x] = Symbol{k.s, graph.NewShared(cmp.Or(x.Name, name), x.Type, a, k.s.origin(k.thread))}
	return nil
}

// checkNeeded reports needed variables that have no value.
func (k *moduleMaker) checkNeeded(m *SymbolicModule) error {
	var missing []string
	for _, n := range k.needed {
		if _, ok := k.states[n.x]; ok {
			continue
		}
		path := m.pathOf(n.x)
		if path == "" {
			return fmt.Errorf("method %s needs %s, which is neither among its inputs nor a member of the module: m.%s = ... makes it one",
				n.method, graph.Mention(n.x), cmp.Or(n.x.Name, "name"))
		}
		if !slices.Contains(missing, path) {
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return fmt.Errorf("no initial value of %s: pass %s=...", strings.Join(missing, ", "), strings.Join(missing, "=..., "))
}

// pathOf is the first name of a variable in the module or those inside, "" if it has none.
func (m *SymbolicModule) pathOf(x *graph.Variable) string {
	for _, name := range m.names {
		switch v := m.values[name].(type) {
		case Symbol:
			if v.v == x {
				return name
			}
		case *SymbolicModule:
			if path := v.pathOf(x); path != "" {
				return name + "." + path
			}
		}
	}
	return ""
}

// build compiles the methods.
func (k *moduleMaker) build(m *SymbolicModule, path string) (*ModuleInstance, error) {
	inst := &ModuleInstance{values: make(map[string]starlark.Value)}
	for _, name := range m.names {
		var made starlark.Value
		var err error
		switch v := m.values[name].(type) {
		case *SymbolicModule:
			made, err = k.build(v, path+name+".")
		case *moduleMethod:
			made, err = k.compile(v, path+name)
		case Symbol:
			state, ok := k.states[v.v]
			if !ok {
				continue
			}
			made = state
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		inst.names, inst.values[name] = append(inst.names, name), made
	}
	m.closed = "instances were made of it, which would not have it; make a new module"
	return inst, nil
}

// compile compiles a method, with the instance's shared variables in the place of the members.
func (k *moduleMaker) compile(f *moduleMethod, name string) (*Function, error) {
	givens := starlark.NewDict(len(k.states))
	for x, state := range k.states {
		if !slices.Contains(f.inputs, x) {
			givens.SetKey(Symbol{k.s, x}, state)
		}
	}
	var updates []starlark.Value
	list, _ := pairs(f.updates)
	for _, p := range list {
		key := p[0]
		if x, ok := key.(Symbol); ok {
			if state, ok := k.states[x.v]; ok {
				key = state
			} else if x.v.Shared == nil {
				return nil, fmt.Errorf("method %s: updates: %s is no member of the module", name, graph.Mention(x.v))
			}
		}
		updates = append(updates, starlark.Tuple{key, p[1]})
	}
	mode := f.mode
	if mode == starlark.None {
		mode = k.mode
	}
	fn, err := k.s.compileFunction(k.thread, functionSpec{inputs: f.inputs, outputs: f.outputs, mode: mode, name: name,
		updates: starlark.NewList(updates), givens: givens, downcast: k.s.config.String("allow_input_downcast") == "True"})
	if err != nil {
		return nil, fmt.Errorf("method %s: %w", name, err)
	}
	return fn, nil
}
