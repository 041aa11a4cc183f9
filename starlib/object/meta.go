package object

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Classes of classes. A class that derives from type is one: its instances are classes, which have
// its methods, and its __new__, __init__ and __call__ say how a class is made and what calling it
// does.

// Type is the class that type stands for as a base.
var Type = own("type", Object, "A class, as a base of classes whose instances are classes.")

// A classMethodOf is a method of Type: its first argument is a class.
type classMethodOf struct {
	wrapped
	name string
	fn   func(*starlark.Thread, *Class, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)
}

var _ starlark.Callable = (*classMethodOf)(nil)

func (m *classMethodOf) Name() string   { return m.name }
func (m *classMethodOf) String() string { return "<method " + m.name + ">" }

// CallInternal calls it.
func (m *classMethodOf) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, typeError("%s: missing the class", m.name)
	}
	c, ok := args[0].(*Class)
	if !ok {
		return nil, typeError("%s: got %s, want a class", m.name, typeName(args[0]))
	}
	return m.fn(thread, c, args[1:], kwargs)
}

func init() {
	c := Type
	add := func(name string, fn func(*starlark.Thread, *Class, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)) {
		m := &classMethodOf{wrapped{"builtin_function_or_method"}, name, fn}
		if name == "__new__" {
			c.members.set(name, &static{wrapped{"staticmethod"}, m})
			return
		}
		c.members.set(name, m)
	}
	add("__new__", func(thread *starlark.Thread, meta *Class, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return MakeClass(thread, meta, args, kwargs)
	})
	add("__init__", func(*starlark.Thread, *Class, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, nil
	})
	add("__call__", func(thread *starlark.Thread, c *Class, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return c.construct(thread, args, kwargs)
	})
	add("mro", func(_ *starlark.Thread, c *Class, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return slot.NewList(classes(c.mro)), nil
	})
	add("__subclasses__", func(_ *starlark.Thread, c *Class, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return slot.NewList(c.subclasses()), nil
	})
	add("register", func(_ *starlark.Thread, c *Class, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 {
			return nil, typeError("register: got %d arguments, want a class", len(args))
		}
		c.registered = append(c.registered, args[0])
		return args[0], nil
	})
}

// subclasses are the classes that derive from c at once.
func (c *Class) subclasses() (list []starlark.Value) {
	for _, d := range c.derived {
		if d := d.Value(); d != nil {
			list = append(list, d)
		}
	}
	return list
}

// namespaceKey is under which a namespace has the body that it is of, as CPython's has a cell.
const namespaceKey = "__classcell__"

// MakeClass is type(name, bases, members): meta is the class of the class, nil for type itself. Of
// the members of a class statement it makes the class that the statement began.
func MakeClass(thread *starlark.Thread, meta *Class, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 3 {
		return nil, typeError("type.__new__() takes a name, bases and members, got %d arguments", len(args))
	}
	name, isText := args[0].(starlark.String)
	bases, isTuple := args[1].(starlark.Tuple)
	members, isDict := value.Held(args[2]).(*slot.Dict)
	switch {
	case !isText:
		return nil, typeError("type.__new__() argument 1 must be str, not %s", typeName(args[0]))
	case !isTuple:
		return nil, typeError("type.__new__() argument 2 must be tuple, not %s", typeName(args[1]))
	case !isDict:
		return nil, typeError("type.__new__() argument 3 must be dict, not %s", typeName(args[2]))
	}
	var c *Class
	if v, found, _ := members.Get(starlark.String(namespaceKey)); found {
		if b, ok := v.(*Body); ok {
			c = b.class
			for _, name := range slices.Clone(c.members.names) {
				c.members.delete(name)
			}
		}
	}
	if c == nil {
		module := "__main__"
		if v, found, _ := members.Get(starlark.String("__module__")); found {
			module = value.Str(v)
		}
		b, err := NewBody(thread, module, string(name), bases, nil)
		if err != nil {
			return nil, err
		}
		c = b.class
	}
	if meta != nil && meta != Type {
		c.meta = meta
	}
	b := &Body{class: c}
	for _, kv := range members.Items() {
		k, ok := kv[0].(starlark.String)
		if !ok || k == namespaceKey {
			continue
		}
		if err := b.SetKey(k, kv[1]); err != nil {
			return nil, err
		}
	}
	return c, c.complete(thread, kwargs)
}

// complete tells descriptors of their names, and the bases of the class that derives from them.
func (c *Class) complete(thread *starlark.Thread, kwargs []starlark.Tuple) error {
	if err := c.takeSlots(); err != nil {
		return err
	}
	for _, name := range slices.Clone(c.members.names) {
		o, ok := c.members.get(name).(*value.Object)
		if !ok {
			continue
		}
		i := o.Being.(*Instance)
		if m := i.has("__set_name__"); m != nil {
			if _, err := value.Call(thread, i.bind(m), starlark.Tuple{c, starlark.String(name)}, nil); err != nil {
				return err
			}
		}
	}
	for _, k := range c.mro[1:] {
		if k.own {
			continue
		}
		if m, ok := k.members.get("__init_subclass__").(*classMethod); ok {
			_, err := value.Call(thread, m.fn, starlark.Tuple{c}, kwargs)
			return err
		}
	}
	if len(kwargs) > 0 {
		return typeError("%s.__init_subclass__() takes no keyword arguments: got %s", c.short(), string(kwargs[0][0].(starlark.String)))
	}
	return nil
}

// Finish ends a class statement: what the class of the class makes of it.
func (b *Body) Finish(thread *starlark.Thread) (starlark.Value, error) {
	c := b.class
	meta := c.meta
	if meta == nil || meta == Type {
		return c, c.complete(thread, b.keywords)
	}
	members := c.members.dict()
	if err := members.SetKey(starlark.String(namespaceKey), b); err != nil {
		return nil, err
	}
	return value.Call(thread, meta, starlark.Tuple{starlark.String(c.short()), b.bases, members}, b.keywords)
}

// makeClass calls a class of classes: it makes a class by __new__, which __init__ is told of.
func (c *Class) makeClass(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 && c == Type {
		return value.TypeOf(args[0]), nil
	}
	fn, _ := c.find("__new__")
	made, err := value.Call(thread, fn.(*static).fn, append(starlark.Tuple{c}, args...), kwargs)
	if err != nil {
		return nil, err
	}
	k, ok := made.(*Class)
	if !ok || !c.HasInstance(made) {
		return made, nil
	}
	if init, from := c.find("__init__"); from != Type {
		if _, err := value.Call(thread, init, append(starlark.Tuple{k}, args...), kwargs); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// construct makes an instance by __new__, which __init__ sets up.
func (c *Class) construct(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if c == Type || c.IsSubclass(Type) {
		return c.makeClass(thread, args, kwargs)
	}
	made, from := c.find("__new__")
	if from == Object {
		return c.setUp(thread, c.begin(thread, args), args, kwargs, false)
	}
	fn := made
	if s, ok := made.(*static); ok {
		fn = s.fn
	}
	v, err := value.Call(thread, fn, append(starlark.Tuple{c}, args...), kwargs)
	if err != nil {
		return nil, err
	}
	i, ok := InstanceOf(v)
	if !ok || !i.class.IsSubclass(c) {
		return v, nil
	}
	return i.class.setUp(thread, i, args, kwargs, true)
}

// begin makes an instance that no __init__ has set up.
func (c *Class) begin(thread *starlark.Thread, args starlark.Tuple) *Instance {
	i := c.instance(value.HostOf(thread))
	if c.raises {
		i.args = slices.Clone(args)
	}
	i.hold()
	return i
}

// newObject is object.__new__.
func newObject(thread *starlark.Thread, c *Class, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if err := c.abstract(); err != nil {
		return nil, err
	}
	return c.begin(thread, args).Value(), nil
}

// abstract is the error of making an instance of a class of which methods are missing.
func (c *Class) abstract() error {
	cell, _ := c.findCell("__abstractmethods__")
	if cell == nil {
		return nil
	}
	xs, ok := cell.Value().(starlark.Iterable)
	if !ok {
		return nil
	}
	var names []string
	for v := range starlark.Elements(xs) {
		names = append(names, value.Str(v))
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	word := "method"
	if len(names) > 1 {
		word = "methods"
	}
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += n
	}
	return typeError("Can't instantiate abstract class %s with abstract %s %s", c.short(), word, text)
}

// ofMeta is a member of the class of the class, as the class has it; nil if there is none.
func (c *Class) ofMeta(name string) (starlark.Value, error) {
	if c.meta == nil {
		if name == "__subclasses__" && !c.own {
			return boundMethod{Type.members.get(name), c}, nil
		}
		return nil, nil
	}
	v, _ := c.meta.find(name)
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *property:
		if v.get == nil {
			return nil, nil
		}
		return value.Call(c.current(), v.get, starlark.Tuple{c}, nil)
	case value.Def, *classMethodOf:
		return boundMethod{v, c}, nil
	case *classMethod:
		return boundMethod{v.fn, c.meta}, nil
	case *static:
		return v.fn, nil
	default:
		return v, nil
	}
}

// current is the thread that runs, nil if none does.
func (c *Class) current() *starlark.Thread {
	if c.host == nil {
		return nil
	}
	return c.host.Current()
}

// ask calls a special method that the class of the class has; ok is false if it has none.
func (c *Class) ask(name string, args ...starlark.Value) (v starlark.Value, ok bool, err error) {
	if c.meta == nil || c.current() == nil {
		return nil, false, nil
	}
	m, from := c.meta.find(name)
	if m == nil || from.own {
		return nil, false, nil
	}
	v, err = value.Call(c.current(), m, append(starlark.Tuple{c}, args...), nil)
	return v, true, err
}

// Len is len(c), negative if it has none.
func (c *Class) Len() int {
	v, ok, err := c.ask("__len__")
	if !ok {
		return -1
	}
	n := 0
	if err == nil {
		n, err = starlark.AsInt32(v)
	}
	if err != nil {
		c.host.Fail(err)
	}
	return n
}

// CheckIterate says why a class has no elements to go through.
func (c *Class) CheckIterate() error {
	if c.meta != nil {
		if _, from := c.meta.find("__iter__"); from != nil {
			return nil
		}
	}
	return typeError("'%s' object is not iterable: %s is a class", cmp.Or(c.metaName(), "type"), c.name)
}

func (c *Class) metaName() string {
	if c.meta == nil {
		return ""
	}
	return c.meta.short()
}

// Iterate is iter(c).
func (c *Class) Iterate() starlark.Iterator {
	v, ok, err := c.ask("__iter__")
	if !ok {
		err = c.CheckIterate()
	}
	if err == nil {
		if xs, isIterable := value.Live(c.host, v).(starlark.Iterable); isIterable {
			return xs.Iterate()
		}
		err = typeError("iter() returned non-iterator of type '%s': __iter__ of %s", v.Type(), c.meta.name)
	}
	if c.host != nil {
		c.host.Fail(err)
	}
	return starlark.Tuple{}.Iterate()
}

// Has is x in c.
func (c *Class) Has(x starlark.Value) (bool, error) {
	v, ok, err := c.ask("__contains__", x)
	switch {
	case err != nil:
		return false, err
	case ok:
		return bool(v.Truth()), nil
	}
	if err := c.CheckIterate(); err != nil {
		return false, typeError("argument of type '%s' is not iterable", cmp.Or(c.metaName(), "type"))
	}
	for e := range starlark.Elements(c) {
		if same, err := value.Compare(syntax.EQL, e, x); err != nil || bool(same.Truth()) {
			return err == nil, err
		}
	}
	return false, nil
}

// Get is c[k].
func (c *Class) Get(k starlark.Value) (starlark.Value, bool, error) {
	if v, ok, err := c.ask("__getitem__", k); ok {
		return v, err == nil, err
	}
	if m, _ := c.find("__class_getitem__"); m != nil {
		if fn, ok := m.(*classMethod); ok && c.current() != nil {
			v, err := value.Call(c.current(), fn.fn, starlark.Tuple{c, k}, nil)
			return v, err == nil, err
		}
	}
	return nil, false, typeError("type '%s' is not subscriptable: class %s has no __class_getitem__", c.short(), c.name)
}

// Class is type(c).
func (c *Class) Class() starlark.Value {
	if c.meta != nil {
		return c.meta
	}
	return value.TypeRow("type").Value()
}

// metaOf is the class of a class that derives from others: the one given, or the one of the bases'
// that derives from all.
func metaOf(name string, given *Class, bases []*Class) (*Class, error) {
	meta := given
	for _, b := range bases {
		switch {
		case b.meta == nil || meta != nil && meta.IsSubclass(b.meta):
		case meta == nil || b.meta.IsSubclass(meta):
			meta = b.meta
		default:
			return nil, typeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases: class %s has %s and %s",
				name, meta.name, b.meta.name)
		}
	}
	return meta, nil
}

// baseOf is a base of a class: one that is written, a type of the language's that can be one, or
// what these stand for.
func baseOf(name string, b starlark.Value) (*Class, error) {
	if c, ok := b.(*Class); ok {
		return c, nil
	}
	fn := value.AsBuiltin(b)
	switch {
	case fn == nil:
	case fn.Types != nil && containers[fn.Types[0]] != nil:
		return containers[fn.Types[0]], nil
	case fn.Base != nil:
		return classOf(fn), nil
	case fn.Name == "type" && fn.Types == nil:
		return Type, nil
	}
	return nil, typeError("class %s: base %s is a %s, want a class; what is not one is kept in an attribute", name, value.ReprShort(b, 60), b.Type())
}

// A Derivable is no class itself, and has one that classes can derive from.
type Derivable interface {
	// DerivedFrom is the class, on the thread of the class statement.
	DerivedFrom(thread *starlark.Thread) (starlark.Value, error)
}

// entries are what stands for bases that are no classes themselves: those say it by
// __mro_entries__, and Derivables.
func entries(thread *starlark.Thread, bases starlark.Tuple) (starlark.Tuple, error) {
	out := make(starlark.Tuple, 0, len(bases))
	for _, b := range bases {
		if d, ok := b.(Derivable); ok {
			class, err := d.DerivedFrom(thread)
			if err != nil {
				return nil, err
			}
			out = append(out, class)
			continue
		}
		i, ok := InstanceOf(b)
		if !ok || i.has("__mro_entries__") == nil {
			out = append(out, b)
			continue
		}
		v, _, err := i.call("__mro_entries__", bases)
		if err != nil {
			return nil, err
		}
		more, ok := v.(starlark.Tuple)
		if !ok {
			return nil, typeError("__mro_entries__ must return a tuple, got %s", typeName(v))
		}
		out = append(out, more...)
	}
	return out, nil
}

// descriptor is a member of a class that computes what its instances have, as an instance; nil if
// it is none.
func descriptor(v starlark.Value) *Instance {
	if o, ok := v.(*value.Object); ok {
		if i, ok := o.Being.(*Instance); ok && (i.has("__get__") != nil || i.has("__set__") != nil || i.has("__delete__") != nil) {
			return i
		}
	}
	return nil
}

// isData says whether a descriptor comes before the attributes of an instance.
func (i *Instance) isData() bool {
	return i != nil && (i.has("__set__") != nil || i.has("__delete__") != nil)
}

// got is what a descriptor gives for an instance, None for its class.
func (i *Instance) got(of, class starlark.Value) (starlark.Value, error) {
	v, ok, err := i.call("__get__", of, class)
	if !ok {
		return i.Value(), nil
	}
	return v, err
}
