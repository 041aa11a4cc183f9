package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A SymbolicModule is Theano's Module: variables and methods by name, of which make() compiles
// instances. An instance has a shared variable for each member that its methods need, and a
// compiled function for each method; no two instances share state.
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
func (m *SymbolicModule) Table() *value.Methods { return SymbolicModuleMethods }
func (m *SymbolicModule) AttrNames() []string   { return SymbolicModuleMethods.Names(m.names...) }

func (m *SymbolicModule) Attr(name string) (starlark.Value, error) {
	if v, ok := m.values[name]; ok {
		return v, nil
	}
	if SymbolicModuleMethods.Rows[name] != nil {
		return SymbolicModuleMethods.Attr(m, name)
	}
	return nil, value.NoAttr("Module", name, m.AttrNames())
}

func (m *SymbolicModule) SetField(name string, v starlark.Value) error {
	switch inner, isModule := v.(*SymbolicModule); {
	case m.closed != "":
		return fmt.Errorf("%s: cannot assign .%s: %s", m.Type(), name, m.closed)
	case SymbolicModuleMethods.Rows[name] != nil:
		return fmt.Errorf("%s: cannot assign .%s: it is a method of modules", m.Type(), name)
	case isModule && inner.contains(m):
		return fmt.Errorf("%s: cannot assign .%s: a module cannot contain itself", m.Type(), name)
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

// Attr returns a function, an instance inside this one, or the value of a member: a copy, which is
// frozen, since changing it would change nothing.
func (m *ModuleInstance) Attr(name string) (starlark.Value, error) {
	v, ok := m.values[name]
	if !ok {
		return nil, value.NoAttr("ModuleInstance", name, m.AttrNames())
	}
	x, isState := v.(Symbol)
	if !isState {
		return v, nil
	}
	a := np.FromDenseIn(x.S, x.V.Shared.Copy(x.S.Poll()))
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
		return fmt.Errorf("%s: cannot assign .%s: it is a %s, not a member", m.Type(), name, old.Type())
	}
	a, err := sharedValue(x.S, x.V, v, false)
	if err != nil {
		return fmt.Errorf("ModuleInstance: %s: %w", name, err)
	}
	x.V.Shared.Give(a)
	return nil
}

// ModuleTable is the functions that modules are made with.
var ModuleTable = []value.Builtin{
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
				f.inputs = []*graph.Variable{one.V}
			} else if f.inputs, err = Symbols("inputs", v[0]); err != nil {
				return nil, fmt.Errorf("%s: %w", "Method", err)
			}
			if _, err := Pairs(f.updates); err != nil {
				return nil, fmt.Errorf("%s: updates: %w", "Method", err)
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
			if x, ok := v[0].(Symbol); !ok || x.V.Owner != nil || x.V.IsConstant() {
				return nil, fmt.Errorf("%s: got %s, want a free or a shared variable", b.Name, v[0].Type())
			}
			return v[0], nil
		}},
}

var SymbolicModuleMethods = value.NewMethods("Module", []value.Builtin{
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
			inst, err := SessionOf(thread).makeModule(thread, b.Receiver().(*SymbolicModule), v[0], v[1].(*slot.Dict))
			if err != nil {
				return nil, fmt.Errorf("make: %w", err)
			}
			return inst, nil
		}},
})
