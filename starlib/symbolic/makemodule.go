package symbolic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

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

// makeModule does what make() does.
func (s *Session) makeModule(thread *starlark.Thread, m *SymbolicModule, mode starlark.Value,
	initial *slot.Dict) (*ModuleInstance, error) {
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
	inst, err := k.build(m, "")
	if err == nil {
		m.close()
	}
	return inst, err
}

// close refuses assignments from now on, in the modules inside too.
func (m *SymbolicModule) close() {
	m.closed = "instances were made of it, which would not have it; make a new module"
	for _, v := range m.values {
		if inner, ok := v.(*SymbolicModule); ok {
			inner.close()
		}
	}
}

// findNeeded walks the methods of m and of the modules inside.
func (k *moduleMaker) findNeeded(m *SymbolicModule, path string) error {
	b := k.s.Builder(k.thread)
	for _, name := range m.names {
		switch v := m.values[name].(type) {
		case *SymbolicModule:
			if err := k.findNeeded(v, path+name+"."); err != nil {
				return err
			}
		case *moduleMethod:
			outputs, _, _, err := k.s.outputVariables(b, v.outputs)
			if err != nil {
				return fmt.Errorf("method %s: %w", path+name, err)
			}
			fg := &graph.FunctionGraph{Outputs: outputs}
			updates, _ := Pairs(v.updates)
			for _, p := range updates {
				for _, x := range p {
					if x, ok := x.(Symbol); ok {
						fg.Outputs = append(fg.Outputs, x.V)
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
func (k *moduleMaker) allocate(m *SymbolicModule, path string, initial *slot.Dict) error {
	known := make(map[string]bool) // names that may have an initial value
	for _, name := range m.names {
		given, found, _ := initial.Get(starlark.String(name))
		if !found {
			given = nil
		}
		switch v := m.values[name].(type) {
		case *SymbolicModule:
			known[name] = true
			inner, ok := given.(*slot.Dict)
			if given != nil && !ok {
				return fmt.Errorf("%s is a module: got %s, want a dict of the first values of its members", path+name, given.Type())
			}
			if inner == nil {
				inner = new(slot.Dict)
			}
			if err := k.allocate(v, path+name+".", inner); err != nil {
				return err
			}
		case Symbol:
			if v.V.Shared == nil && !v.V.IsInput() {
				continue
			}
			known[name] = true
			if err := k.member(v.V, path+name, given); err != nil {
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

// member makes the shared variable for x, unless it is there: a variable may have two names. given
// is nil if no first value was.
func (k *moduleMaker) member(x *graph.Variable, name string, given starlark.Value) error {
	var first starlark.Value = given
	state, exists := k.states[x]
	if first == nil && (exists || x.Shared == nil) {
		return nil
	}
	if first == nil {
		first = np.NewArray(k.s, x.Shared.Get())
	}
	a, err := sharedValue(k.s, x, first, false)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case exists:
		state.V.Shared.Set(a)
		return nil
	}
	k.states[x] = Symbol{k.s, graph.NewShared(cmp.Or(x.Name, name), x.Type, a, k.s.NodeOrigin(k.thread))}
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
	return fmt.Errorf("no initial value of %s: pass %s=... to make()", strings.Join(missing, ", "), strings.Join(missing, "=..., "))
}

// pathOf is the first name of a variable in the module or those inside, "" if it has none.
func (m *SymbolicModule) pathOf(x *graph.Variable) string {
	for _, name := range m.names {
		switch v := m.values[name].(type) {
		case Symbol:
			if v.V == x {
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
			state, ok := k.states[v.V]
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
	return inst, nil
}

// compile compiles a method, with the instance's shared variables in the place of the members.
func (k *moduleMaker) compile(f *moduleMethod, name string) (*Function, error) {
	givens := slot.NewDict(len(k.states))
	for x, state := range k.states {
		if !slices.Contains(f.inputs, x) {
			givens.SetKey(Symbol{k.s, x}, state)
		}
	}
	var updates []starlark.Value
	list, _ := Pairs(f.updates)
	for _, p := range list {
		key := p[0]
		if x, ok := key.(Symbol); ok {
			if state, ok := k.states[x.V]; ok {
				key = state
			} else if x.V.Shared == nil {
				return nil, fmt.Errorf("method %s: updates: %s is no member of the module", name, graph.Mention(x.V))
			}
		}
		updates = append(updates, starlark.Tuple{key, p[1]})
	}
	mode := f.mode
	if mode == starlark.None {
		mode = k.mode
	}
	fn, err := k.s.CompileFunction(k.thread, FunctionSpec{Inputs: InputsOf(f.inputs), Outputs: f.outputs, Mode: mode, Name: name,
		updates: slot.NewList(updates), givens: givens})
	if err != nil {
		return nil, fmt.Errorf("method %s: %w", name, err)
	}
	return fn, nil
}
