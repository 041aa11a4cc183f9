package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A containerValue is where a value is kept between calls: that of an input of a function, or of a
// shared variable. It does not change; what it holds does.
type ContainerValue struct {
	Function *Function // nil for a shared variable that is taken by itself
	Index    int       // the input, -1 for a shared variable
	X        Symbol    // the input's variable, or the shared variable
}

var (
	_ value.Tabled         = (*ContainerValue)(nil)
	_ starlark.HasSetField = (*ContainerValue)(nil)
)

func (c *ContainerValue) String() string {
	return "<" + value.Repr(c.Get()) + ">" // as Theano's
}
func (c *ContainerValue) Type() string          { return "Container" }
func (c *ContainerValue) Freeze()               {}
func (c *ContainerValue) Truth() starlark.Bool  { return true }
func (c *ContainerValue) Hash() (uint32, error) { return hashOf(c.X.V), nil }
func (c *ContainerValue) Table() *value.Methods { return ContainerFields }
func (c *ContainerValue) AttrNames() []string   { return ContainerFields.Names() }

func (c *ContainerValue) Attr(name string) (starlark.Value, error) {
	return ContainerFields.Attr(c, name)
}

// shared is the shared variable whose value it is, nil if it is that of an input with a value of
// its own.
func (c *ContainerValue) shared() *graph.Variable {
	if c.Index < 0 {
		return c.X.V
	}
	return c.Function.spec.Inputs[c.Index].home
}

// Get is a copy of the value, which is frozen, since changing it would change nothing; None if
// there is none.
func (c *ContainerValue) Get() starlark.Value {
	var a *tensor.Dense
	if c.Index < 0 {
		a = c.X.V.Shared.Copy(c.X.S.Poll())
	} else if a = c.Function.Inputs[c.Index].current(); a == nil {
		return starlark.None
	} else {
		a = c.X.S.Poll().Copy(a)
	}
	v := np.FromDenseIn(c.X.S, a)
	v.Freeze()
	return v
}

func (c *ContainerValue) set(v starlark.Value) error {
	if c.Index >= 0 {
		return c.Function.Inputs[c.Index].assign(c.Function, c.Index, v)
	}
	a, err := sharedValue(c.X.S, c.X.V, v, false)
	if err != nil {
		return fmt.Errorf("%s: %w", InputName(c.X.V, 0), err)
	}
	c.X.V.Shared.Set(a)
	c.X.S.Observing.Changed("an assignment changes", InputName(c.X.V, 0))
	return nil
}

func (c *ContainerValue) SetField(name string, v starlark.Value) error {
	if name == "value" || name == "data" {
		return c.set(v)
	}
	return fmt.Errorf("cannot assign to .%s of a Container; only .value can be set", name)
}

const containerExample = `shared(1.5, name="w").container`

// ContainerFields are the attributes of containers.
var ContainerFields = value.NewMethods("Container", nil).With(
	value.FieldOf("value", "What it holds: a copy, or None. It can be set.", containerExample+".value # 1.5", (*ContainerValue).Get),
	value.FieldOf("data", "value, under its other name.", containerExample+".data # 1.5", (*ContainerValue).Get),
	value.FieldOf("storage", "A list of its value.", containerExample+".storage # [1.5]", func(c *ContainerValue) starlark.Value {
		list := slot.NewList([]starlark.Value{c.Get()})
		list.Freeze()
		return list
	}),
	value.FieldOf("name", "The name of its variable, or None.", containerExample+`.name # "w"`, func(c *ContainerValue) starlark.Value {
		if c.Index >= 0 {
			return NameOrNone(c.Function.Inputs[c.Index].keyword())
		}
		return NameOrNone(c.X.V.Name)
	}),
	value.FieldOf("type", "The type of its values.", containerExample+".type # TensorType(float64, scalar)", func(c *ContainerValue) starlark.Value {
		return TensorType{T: c.X.V.Type}
	}),
	value.FieldOf("required", "Whether calls have to give it.", containerExample+".required # False", func(c *ContainerValue) starlark.Value {
		return starlark.Bool(c.Index >= 0 && c.Function.Inputs[c.Index].required)
	}),
	value.FieldOf("implicit", "Whether calls may not give it.", containerExample+".implicit # True", func(c *ContainerValue) starlark.Value {
		return starlark.Bool(c.Index < 0 || c.Function.Inputs[c.Index].implicit)
	}),
	value.FieldOf("strict", "Whether only arrays of its element type may be assigned.", containerExample+".strict # False", func(c *ContainerValue) starlark.Value {
		if c.Index < 0 {
			return starlark.Bool(c.X.V.Shared.Strict)
		}
		return starlark.Bool(c.Function.Inputs[c.Index].strict)
	}),
)

// container finds what a key stands for: an input or a shared variable, by its name or the variable
// itself, or an input by its number. It is nil for a key that is none.
func (f *Function) container(key starlark.Value) (*ContainerValue, error) {
	input := func(i int) *ContainerValue { return &ContainerValue{f, i, Symbol{f.s, f.Inputs[i].V}} }
	var found []*ContainerValue
	switch key := key.(type) {
	case starlark.Int:
		if i, ok := key.Int64(); ok && i >= 0 && i < int64(len(f.Inputs)) {
			return input(int(i)), nil
		}
	case Symbol:
		if i := slices.IndexFunc(f.Inputs, func(in callInput) bool { return in.V == key.V }); i >= 0 {
			return input(i), nil
		}
		if slices.Contains(f.shared(), key.V) {
			return &ContainerValue{f, -1, key}, nil
		}
	case starlark.String:
		for i := range f.Inputs {
			if f.Inputs[i].keyword() == string(key) {
				found = append(found, input(i))
			}
		}
		for _, v := range f.shared() {
			if v.Name == string(key) {
				found = append(found, &ContainerValue{f, -1, Symbol{f.s, v}})
			}
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("%s: %d inputs and shared variables are named %s: take the variable itself as the key, f[x]", f.Name(), len(found), string(key))
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found[0], nil
}

// mustContainer is container with an error for a key that is none.
func (f *Function) mustContainer(key starlark.Value) (*ContainerValue, error) {
	c, err := f.container(key)
	if c != nil || err != nil {
		return c, err
	}
	var names []string
	for i := range f.Inputs {
		names = append(names, f.Inputs[i].keyword())
	}
	for _, v := range f.shared() {
		names = append(names, v.Name)
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	what := value.Repr(key)
	if name, ok := starlark.AsString(key); ok {
		if near := config.Closest(name, names); near != "" {
			return nil, fmt.Errorf("%s has no input or shared variable %s (did you mean %s?)", f.Name(), what, near)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no input or shared variable %s: none has a name; take the variable itself as the key, f[x]", f.Name(), what)
	}
	return nil, fmt.Errorf("%s has no input or shared variable %s: there are %v", f.Name(), what, names)
}

// shared lists the shared variables that the function reads or updates, in order of first use,
// without those that inputs keep their values in.
func (f *Function) shared() []*graph.Variable {
	return slices.DeleteFunc(slices.Clone(f.Compiled.Shared), func(v *graph.Variable) bool {
		return slices.ContainsFunc(f.Inputs, func(in callInput) bool { return in.home == v && f.owns(in) })
	})
}

// owns reports whether in keeps its value where nobody else does.
func (f *Function) owns(in callInput) bool {
	return !slices.ContainsFunc(f.spec.Inputs, func(spec inputSpec) bool { return spec.V == in.V && spec.home != nil })
}

// Get is f[x], the value of an input or of a shared variable.
func (f *Function) Get(key starlark.Value) (starlark.Value, bool, error) {
	c, err := f.mustContainer(key)
	if err != nil {
		return nil, false, err
	}
	return c.Get(), true, nil
}

// SetKey is f[x] = v.
func (f *Function) SetKey(key, v starlark.Value) error {
	if f.running {
		return fmt.Errorf("%s is running: its values change when it is done", f.Name())
	}
	c, err := f.mustContainer(key)
	if err != nil {
		return err
	}
	return c.set(v)
}

// Binary answers x in f.
func (f *Function) Binary(op syntaxToken, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	return contained(f, op, x, side)
}

// A values is f.value, and containers is f.container: the function's values and containers by key.
type (
	functionValues     struct{ f *Function }
	functionContainers struct{ f *Function }
)

var (
	_ starlark.HasSetKey = functionValues{}
	_ starlark.Mapping   = functionContainers{}
)

func (m functionValues) String() string        { return "<values of " + m.f.Name() + ">" }
func (m functionValues) Type() string          { return "ValueAttribute" }
func (m functionValues) Freeze()               {}
func (m functionValues) Truth() starlark.Bool  { return true }
func (m functionValues) Hash() (uint32, error) { return m.f.Hash() }
func (m functionValues) Get(key starlark.Value) (starlark.Value, bool, error) {
	return m.f.Get(key)
}
func (m functionValues) SetKey(key, v starlark.Value) error { return m.f.SetKey(key, v) }
func (m functionValues) Binary(op syntaxToken, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	return contained(m.f, op, x, side)
}

func (m functionContainers) String() string        { return "<containers of " + m.f.Name() + ">" }
func (m functionContainers) Type() string          { return "ContainerAttribute" }
func (m functionContainers) Freeze()               {}
func (m functionContainers) Truth() starlark.Bool  { return true }
func (m functionContainers) Hash() (uint32, error) { return m.f.Hash() }
func (m functionContainers) Get(key starlark.Value) (starlark.Value, bool, error) {
	c, err := m.f.mustContainer(key)
	return c, err == nil, err
}
func (m functionContainers) SetKey(key, v starlark.Value) error {
	return fmt.Errorf("a container cannot be replaced; set what it holds: f.container[%s].value = v", value.Repr(key))
}
func (m functionContainers) Binary(op syntaxToken, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	return contained(m.f, op, x, side)
}
