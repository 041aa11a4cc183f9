package object

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"weak"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// members are the attributes of a class, in the order in which they were first assigned. A cell
// stays while its member has values of which instances make nothing else.
type members struct {
	cells map[string]*slot.Slot
	names []string
}

// get returns a member, nil if there is none.
func (m *members) get(name string) starlark.Value {
	if c := m.cells[name]; c != nil {
		return c.Value()
	}
	return nil
}

// set sets a member. It reports whether what instances find under the name is another kind of
// thing.
func (m *members) set(name string, v starlark.Value) (changed bool) {
	if m.cells == nil {
		m.cells = map[string]*slot.Slot{}
	}
	c := m.cells[name]
	if c != nil && !isDescriptor(c.Ref()) && !isDescriptor(v) && !isSpecial(name) {
		*c = slot.Of(v)
		return false
	}
	if c == nil {
		m.names = append(m.names, name)
	}
	s := slot.Of(v)
	m.cells[name] = &s
	return true
}

// isDescriptor says whether instances make something else of a member.
func isDescriptor(v starlark.Value) bool {
	switch v.(type) {
	case value.Def, *native, *static, *classMethod, *property:
		return true
	}
	return descriptor(v) != nil
}

// isSpecial says whether a name is one of those that mean something.
func isSpecial(name string) bool { return strings.HasPrefix(name, "__") }

func (m *members) delete(name string) bool {
	if _, ok := m.cells[name]; !ok {
		return false
	}
	delete(m.cells, name)
	m.names = slices.DeleteFunc(m.names, func(n string) bool { return n == name })
	return true
}

// dict is a dict of the members.
func (m *members) dict() *slot.Dict {
	d := slot.NewDict(len(m.names))
	for _, name := range m.names {
		d.Put(slot.Ref(starlark.String(name)), *m.cells[name])
	}
	return d
}

// A Class is a class. Calling it makes an instance.
type Class struct {
	qual     string // the whole name, with those of functions around
	name     string // with those of the classes that it stands in
	module   string // that it is from, "" of the language's own
	bases    []*Class
	mro      []*Class // itself, then its bases, in the order in which they are searched
	members  members
	doc      string // of the language's own
	own      bool   // the language's own, whose members stay
	special  bool   // the language's own, and special methods of it count as a user's do
	holds    string // of one that stands for dict or list: its name
	serial   uint32
	layout   *slot.Layout // of instances, nil of the language's own classes
	making   making
	specials specialsOf
	only     map[string]bool // the attributes that instances may have: see takeSlots; nil: any
	keeps    bool            // instances are more than attributes: exceptions, dicts and lists
	raises   bool            // exceptions
	derived  []weak.Pointer[Class]

	meta       *Class     // the class of the class, nil for type
	host       value.Host // nil of the language's own
	registered []starlark.Value
}

var (
	_ starlark.Callable    = (*Class)(nil)
	_ starlark.HasSetField = (*Class)(nil)
	_ value.Documenter     = (*Class)(nil)
	_ value.ClassOf        = (*Class)(nil)
)

// serials numbers classes and instances: what their hashes are made of.
var serials atomic.Uint32

// newClass makes a class without members.
func newClass(name string, bases []*Class) (*Class, error) {
	c := &Class{name: name, bases: bases, serial: serials.Add(1), layout: slot.NewLayout()}
	if len(bases) == 0 && Object != nil {
		c.bases = []*Class{Object}
	}
	order, err := linearize(c)
	c.mro = order
	c.keeps = slices.ContainsFunc(order, func(k *Class) bool { return k.keeps || k.holds != "" })
	c.raises = slices.ContainsFunc(order, func(k *Class) bool { return k.raises })
	for _, b := range c.bases {
		if !b.own { // nor do those change
			if len(b.derived) == cap(b.derived) {
				b.derived = slices.DeleteFunc(b.derived, isGone)
			}
			b.derived = append(b.derived, weak.Make(c))
		}
	}
	return c, err
}

func isGone(c weak.Pointer[Class]) bool { return c.Value() == nil }

// changed tells those who remember what they found in the class, or in one that derives from it.
func (c *Class) changed() {
	if c.layout != nil {
		c.layout.Version++
	}
	for _, d := range c.derived {
		if d := d.Value(); d != nil {
			d.changed()
		}
	}
}

// set sets a member.
func (c *Class) set(name string, v starlark.Value) {
	if c.members.set(name, v) {
		c.changed()
	}
}

// delete deletes a member.
func (c *Class) delete(name string) bool {
	defer c.changed()
	return c.members.delete(name)
}

// linearize returns the order in which a class and its bases are searched: a class comes before its
// bases, and these in the order in which they are written, wherever two of them meet (C3).
func linearize(c *Class) ([]*Class, error) {
	var lists [][]*Class
	for i, b := range c.bases {
		if slices.Contains(c.bases[:i], b) {
			return nil, typeError("class %s: base %s is given twice", c.name, b.name)
		}
		lists = append(lists, slices.Clone(b.mro))
	}
	lists = append(lists, slices.Clone(c.bases))
	order := []*Class{c}
	for {
		lists = slices.DeleteFunc(lists, func(l []*Class) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return order, nil
		}
		i := slices.IndexFunc(lists, func(l []*Class) bool {
			return !slices.ContainsFunc(lists, func(other []*Class) bool { return slices.Contains(other[1:], l[0]) })
		})
		if i < 0 {
			return nil, typeError("class %s: no order of its bases has each class before its own bases (%s)", c.name, namesOf(c.bases))
		}
		next := lists[i][0]
		order = append(order, next)
		for j, l := range lists {
			if l[0] == next {
				lists[j] = l[1:]
			}
		}
	}
}

func namesOf(classes []*Class) string {
	text := ""
	for i, c := range classes {
		if i > 0 {
			text += ", "
		}
		text += c.name
	}
	return text
}

// find returns the member that instances of the class have under a name, and the class that it is
// from.
func (c *Class) find(name string) (starlark.Value, *Class) {
	if cell, from := c.findCell(name); cell != nil {
		return cell.Value(), from
	}
	return nil, nil
}

// findCell is find of the cell where the member is.
func (c *Class) findCell(name string) (*slot.Slot, *Class) {
	for _, k := range c.mro {
		if cell := k.members.cells[name]; cell != nil {
			return cell, k
		}
	}
	return nil, nil
}

// IsSubclass says whether c is other, or derives from it.
func (c *Class) IsSubclass(other *Class) bool { return slices.Contains(c.mro, other) }

// short is the name without those of the classes around.
func (c *Class) short() string {
	for i := len(c.name) - 1; i >= 0; i-- {
		if c.name[i] == '.' {
			return c.name[i+1:]
		}
	}
	return c.name
}

// String is repr(c): the name, with the module that the class is from.
func (c *Class) String() string {
	if v, ok, err := c.ask("__repr__"); ok {
		if text, isText := v.(starlark.String); isText && err == nil {
			return string(text)
		}
		c.host.Fail(cmp.Or(err, typeError("__repr__ returned non-string (type %s): %s", v.Type(), c.meta.name)))
	}
	if c.module == "" {
		return "<class '" + c.name + "'>"
	}
	return "<class '" + c.module + "." + c.qualified() + "'>"
}

// locals stands before what a function defines, in a qualified name.
const locals = "<locals>."

func (c *Class) qualified() string { return cmp.Or(c.qual, c.name) }

func (c *Class) Type() string          { return "type" }
func (c *Class) Name() string          { return c.name }
func (c *Class) Freeze()               {}
func (c *Class) Truth() starlark.Bool  { return true }
func (c *Class) Hash() (uint32, error) { return c.serial * 2654435761, nil }

// Doc is the documentation of the class.
func (c *Class) Doc() string {
	if s, ok := c.members.get("__doc__").(starlark.String); ok {
		return string(s)
	}
	return c.doc
}

// Signature is that of making an instance.
func (c *Class) Signature() string {
	if init, _ := c.find("__init__"); init != nil {
		if f, ok := init.(value.Def); ok {
			return value.MethodSignature(c.short(), f)
		}
	}
	return c.short() + "()"
}

// ParamNames are those that making an instance takes by keyword.
func (c *Class) ParamNames() []string {
	init, _ := c.find("__init__")
	if f, ok := init.(value.Def); ok {
		names, _ := value.NamedParams(f, 1)
		return names
	}
	return nil
}

// HasInstance says whether x is an instance of the class, or of one that derives from it.
func (c *Class) HasInstance(x starlark.Value) bool {
	i, ok := InstanceOf(x)
	if c == Object || ok && i.class.IsSubclass(c) {
		return true
	}
	if ok {
		if p, _ := i.class.find("__class__"); p != nil { // a property that names another class
			of, err := i.Attr("__class__")
			k, isClass := of.(*Class)
			return err == nil && isClass && k.IsSubclass(c)
		}
	}
	if k, ok := x.(*Class); ok && k.meta != nil && k.meta.IsSubclass(c) {
		return true
	}
	if c.meta == nil {
		return false
	}
	return c.hasStructure(x) || c.hasRegistered(func(of starlark.Value) bool { return value.IsInstance(x, of) })
}

// structure is the member of a class of which all are instances whose classes have the methods that
// it names, as collections.abc.Iterable.
const structure = "_structure_"

func (c *Class) hasStructure(x starlark.Value) bool {
	names, ok := c.members.get(structure).(starlark.Tuple)
	i, isInstance := InstanceOf(x)
	if !ok || !isInstance {
		return false
	}
	return !slices.ContainsFunc(names, func(name starlark.Value) bool {
		text, _ := starlark.AsString(name)
		return i.has(text) == nil
	})
}

// hasRegistered says whether one of the classes that were registered with c, or with what derives
// from it, is such.
func (c *Class) hasRegistered(is func(starlark.Value) bool) bool {
	if slices.ContainsFunc(c.registered, is) {
		return true
	}
	for _, d := range c.derived {
		if d := d.Value(); d != nil && d.hasRegistered(is) {
			return true
		}
	}
	return false
}

// Binary is the union of the class and another type, C | None.
func (c *Class) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if u := value.UnionOf(op, c, y, side); u != nil {
		return u, nil
	}
	return nil, nil
}

// Attr returns a member of the class: functions as they are, class methods bound to it.
func (c *Class) Attr(name string) (starlark.Value, error) {
	v, _ := c.find(name)
	switch v := v.(type) {
	case nil:
	case *static:
		return v.fn, nil
	case *classMethod:
		return boundMethod{v.fn, c}, nil
	default:
		if d := descriptor(v); d != nil {
			return d.got(starlark.None, c)
		}
		return v, nil
	}
	if v, err := c.ofMeta(name); v != nil || err != nil {
		return v, err
	}
	switch name {
	case "__class__":
		if c.meta != nil {
			return c.meta, nil
		}
	case "__annotations__":
		d := slot.NewDict(0)
		if !c.own {
			c.set(name, d)
		}
		return d, nil
	case "__name__":
		return starlark.String(c.short()), nil
	case "__qualname__":
		return starlark.String(c.qualified()), nil
	case "__doc__":
		if doc := c.Doc(); doc != "" {
			return starlark.String(doc), nil
		}
		return starlark.None, nil
	case "__module__":
		return starlark.String(cmp.Or(c.module, "builtins")), nil
	case "__dict__":
		return c.members.dict(), nil
	case "__bases__":
		return classes(c.bases), nil
	case "__mro__":
		return classes(c.mro), nil
	case "mro":
		return starlark.NewBuiltin("mro", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			return slot.NewList(classes(c.mro)), nil
		}), nil
	}
	if v, ok, err := c.ask("__getattr__", starlark.String(name)); ok {
		return v, err
	}
	return nil, noAttr("type object '"+c.short()+"'", name, c.AttrNames())
}

func classes(list []*Class) starlark.Tuple {
	out := make(starlark.Tuple, len(list))
	for i, c := range list {
		out[i] = c
	}
	return out
}

// AttrNames are the names of all members.
func (c *Class) AttrNames() []string {
	var names []string
	for _, k := range c.mro {
		if !k.own {
			names = append(names, k.members.names...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// SetField is c.name = v.
func (c *Class) SetField(name string, v starlark.Value) error {
	if c.own {
		return typeError("cannot set attribute %s of %s, which is the language's own; derive a class from it", name, c.name)
	}
	if _, ok, err := c.ask("__setattr__", starlark.String(name), v); ok {
		return err
	}
	c.set(name, v)
	return nil
}

// CompareBy makes type(x) == A an answer by identity.
func (c *Class) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if _, asks := y.(*value.Object); asks || op != syntax.EQL && op != syntax.NEQ {
		return nil, nil
	}
	return starlark.Bool((starlark.Value(c) == y) == (op == syntax.EQL)), nil
}

// CallInternal makes an instance, or does what the class of the class says.
func (c *Class) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if c.meta != nil {
		if m, from := c.meta.find("__call__"); from != Type {
			return value.Call(thread, m, append(starlark.Tuple{c}, args...), kwargs)
		}
	}
	return c.construct(thread, args, kwargs)
}

// setUp calls the __init__ of an instance; made says that __new__ took the arguments.
func (c *Class) setUp(thread *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple, made bool) (starlark.Value, error) {
	if !made {
		if err := c.abstract(); err != nil {
			return nil, err
		}
	}
	init, from := c.find("__init__")
	switch from {
	case BaseException:
		if len(kwargs) == 0 { // which has its arguments
			return i.Value(), nil
		}
	case Object:
		if len(args)+len(kwargs) > 0 && !made {
			return nil, typeError("%s() takes no arguments, got %d: class %s has no __init__", c.short(), len(args)+len(kwargs), c.name)
		}
		return i.Value(), nil
	}
	result, err := value.Call(thread, i.bind(init), args, kwargs)
	if err != nil {
		return nil, err
	}
	if result != starlark.None {
		return nil, c.returned(result)
	}
	return i.Value(), nil
}

// A Body is the mapping of the members of a class that is being made: what its statements assign
// to.
type Body struct {
	class    *Class
	bases    starlark.Tuple
	keywords []starlark.Tuple // of the class statement, but metaclass
}

var _ starlark.HasSetKey = (*Body)(nil)

// NewBody begins a class of a module.
func NewBody(thread *starlark.Thread, module, name string, bases starlark.Tuple, kwargs []starlark.Tuple) (*Body, error) {
	var given *Class
	for at, kv := range kwargs {
		if kv[0] != starlark.String("metaclass") {
			continue
		}
		m, err := baseOf(name, kv[1])
		if err != nil || m != Type && !m.IsSubclass(Type) {
			return nil, typeError("class %s: the metaclass is %s, want a class that derives from type", name, value.ReprShort(kv[1], 60))
		}
		given, kwargs = m, slices.Delete(slices.Clone(kwargs), at, at+1)
		break
	}
	bases, err := entries(thread, bases)
	if err != nil {
		return nil, err
	}
	var list []*Class
	for _, b := range bases {
		c, err := baseOf(name, b)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	whole := name
	if at := strings.LastIndex(name, locals); at >= 0 {
		name = name[at+len(locals):]
	}
	c, err := newClass(name, list)
	if err != nil {
		return nil, err
	}
	c.qual = whole
	c.module, c.host = module, value.HostOf(thread)
	c.meta, err = metaOf(name, given, list)
	return &Body{c, bases, kwargs}, err
}

// Members is a dict of what the body has assigned.
func (b *Body) Members() *slot.Dict { return b.class.members.dict() }

func (b *Body) String() string        { return "$members" }
func (b *Body) Type() string          { return "members" }
func (b *Body) Freeze()               {}
func (b *Body) Truth() starlark.Bool  { return true }
func (b *Body) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: members") }

// Get returns what the body has assigned.
func (b *Body) Get(k starlark.Value) (starlark.Value, bool, error) {
	name := string(k.(starlark.String))
	if v := b.class.members.get(name); v != nil {
		return v, true, nil
	}
	return nil, false, NewError(NameError, fmt.Sprintf("name '%s' is not defined in class %s", name, b.class.name))
}

// refused are members that would have no effect.
var refused = map[string]string{
	"__metaclass__":    noMetaclasses,
	"__getattribute__": "there is no __getattribute__; __getattr__ is asked for attributes that are missing",
	"__del__":          "there is no __del__: nobody says when values end; write __exit__ and with",

	"__await__": noAsync, "__aiter__": noAsync, "__anext__": noAsync, "__aenter__": noAsync, "__aexit__": noAsync,
	"__instancecheck__": noChecks, "__subclasscheck__": noChecks,
}

const (
	noAsync       = "there is no async and await; programs run in one thread"
	noMetaclasses = "that is Python 2's; write class A(metaclass=M)"
	noChecks      = "isinstance and issubclass ask no program; register what counts as an instance, with ABCMeta"
)

// SetKey is an assignment in the body.
func (b *Body) SetKey(k, v starlark.Value) error {
	name := string(k.(starlark.String))
	if why := refused[name]; why != "" {
		return typeError("class %s: %s", b.class.name, why)
	}
	if fn, ok := v.(value.Def); ok {
		switch name {
		case "__new__":
			v = &static{wrapped{"staticmethod"}, fn}
		case "__init_subclass__", "__class_getitem__":
			v = &classMethod{wrapped{"classmethod"}, fn}
		}
	}
	b.class.set(name, v)
	return nil
}

// Delete deletes a member.
func (b *Body) Delete(name string) bool { return b.class.delete(name) }
