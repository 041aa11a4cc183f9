package object

import (
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func init() {
	value.Objects.Make = func(v starlark.Value, host value.Host, args []slot.Slot) (
		*value.Object, starlark.Value) {
		if c, ok := v.(*Class); ok {
			return c.make(host, args)
		}
		return nil, nil
	}
	value.Objects.Returned = func(instance, result starlark.Value) error {
		i, _ := InstanceOf(instance)
		return i.class.returned(result)
	}
	value.Objects.Unfit = func(name string, instance, result starlark.Value) error {
		i, _ := InstanceOf(instance)
		return i.unfit(name, result)
	}
	value.Objects.NotImplemented = NotImplemented
	value.Objects.Declined = func(op syntax.Token, x *value.Object, y starlark.Value) (
		starlark.Value, error) {
		i, _ := InstanceOf(x)
		return i.declined(op, y)
	}
	value.Objects.MakeClass = func(thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		return MakeClass(thread, nil, args, nil)
	}
	value.Objects.Bind = func(method, instance starlark.Value) starlark.Value {
		return boundMethod{method, instance}
	}
}

// A making is how a class makes instances, which is so for a version of its layout.
type making struct {
	version uint64
	init    starlark.Value // its __init__, if that is a function
	whole   value.Def      // its __new__, if that is of a named tuple and all that is to be called
	bare    bool           // there is none to call
	anew    bool           // __new__, or the class of the class, is to be asked
}

// make makes an instance for __init__ to set up, if that is a function or there is none to call.
func (c *Class) make(host value.Host, args []slot.Slot) (*value.Object, starlark.Value) {
	if c.layout == nil {
		if !c.raises {
			return nil, nil
		}
		return c.exception(host, args), nil
	}
	if c.making.version != c.layout.Version {
		cell, from := c.findCell("__init__")
		c.making = making{version: c.layout.Version, bare: from == Object || from == BaseException}
		if f, ok := cell.Ref().(value.Def); ok {
			c.making.init = f
		}
		_, made := c.find("__new__")
		c.making.anew = made != Object || c.meta != nil || c.IsSubclass(Type)
		c.making.whole = c.whole(from)
	}
	if c.making.whole != nil {
		return nil, c.making.whole
	}
	switch {
	case c.making.anew:
	case c.making.init == nil && !c.making.bare || c.keeps && !c.raises:
	case c.raises:
		return c.exception(host, args), c.making.init
	case c.making.init != nil || len(args) == 0:
		return c.instance(host).Value(), c.making.init
	}
	return nil, nil
}

// NamedTupleFile begins the names of the texts that named tuples are made of.
const NamedTupleFile = "<namedtuple "

// whole returns the __new__ of a named tuple if no __init__ follows it; init is the class that has
// the __init__. Another __new__ may make an instance of a derived class that has one.
func (c *Class) whole(init *Class) value.Def {
	made, _ := c.find("__new__")
	s, isStatic := made.(*static)
	if init != Object || c.meta != nil || c.raises || c.IsSubclass(Type) || !isStatic {
		return nil
	}
	f, ok := s.fn.(value.Def)
	if !ok || !strings.HasPrefix(f.Position().Filename(), NamedTupleFile) {
		return nil
	}
	return f
}

// exception makes one of arguments.
func (c *Class) exception(host value.Host, args []slot.Slot) *value.Object {
	i := c.instance(host)
	if len(args) == 1 {
		i.one[0] = args[0].Value()
		i.args = i.one[:]
		return i.Value()
	}
	i.args = make(starlark.Tuple, len(args))
	for at := range args {
		i.args[at] = args[at].Value()
	}
	return i.Value()
}

// returned is the error of an __init__ that returned something.
func (c *Class) returned(result starlark.Value) error {
	return typeError("__init__() should return None, not '%s': %s.__init__", result.Type(), c.name)
}

// Finds is what i.name is, if all instances of its shape have it alike. Special names are asked for
// seldom, and some of them are no members.
func (i *Instance) Finds(name string) value.Finding {
	if i.self.Record.Shape == nil || isSpecial(name) {
		return i.findsClass(name)
	}
	cell, _ := i.class.findCell(name)
	var member starlark.Value
	if cell != nil {
		member = cell.Ref()
	}
	if p, ok := member.(*property); ok {
		if p.get == nil || i.has("__getattr__") != nil {
			return value.Finding{}
		}
		return value.Finding{Kind: value.FindsGetter, Method: p.get}
	}
	d := descriptor(member)
	if at := i.self.Record.Shape.Index(name); at >= 0 && !d.isData() {
		return value.Finding{Kind: value.FindsSlot, Index: at}
	}
	if d != nil {
		return value.Finding{}
	}
	switch m := member.(type) {
	case nil:
		if !i.class.keeps && i.has("__getattr__") == nil {
			return value.Finding{Kind: value.FindsNone}
		}
	case *native, *classMethod:
	case value.Def:
		return value.Finding{Kind: value.FindsMethod, Method: m}
	case *static:
		s := slot.Of(m.fn)
		return value.Finding{Kind: value.FindsConstant, Cell: &s}
	default:
		return value.Finding{Kind: value.FindsConstant, Cell: cell}
	}
	return value.Finding{}
}

// findsClass is Finds of __class__.
func (i *Instance) findsClass(name string) value.Finding {
	if name != "__class__" || i.self.Record.Shape == nil || i.self.Record.Shape.Index(name) >= 0 {
		return value.Finding{}
	}
	if member, _ := i.class.findCell(name); member != nil {
		return value.Finding{}
	}
	class := slot.Ref(i.class)
	return value.Finding{Kind: value.FindsConstant, Cell: &class}
}

// Stores is where i.name = v stores the value, if all instances of its shape do alike.
func (i *Instance) Stores(name string) value.Storing {
	if i.has("__setattr__") != nil {
		return value.Storing{Index: -1}
	}
	return i.keeps(name)
}

// keeps is Stores unless the class has a __setattr__ of its own.
func (i *Instance) keeps(name string) value.Storing {
	elsewhere := value.Storing{Index: -1}
	shape := i.self.Record.Shape
	if shape == nil || isSpecial(name) || name == "args" {
		return elsewhere
	}
	if member, _ := i.class.findCell(name); member != nil {
		if p, ok := member.Ref().(*property); ok {
			elsewhere.Setter = p.set
			return elsewhere
		}
		if descriptor(member.Ref()).isData() {
			return elsewhere
		}
	}
	if at := shape.Index(name); at >= 0 {
		return value.Storing{Index: at}
	}
	if !i.class.takes(name) {
		return elsewhere
	}
	if next := shape.With(name); next != nil {
		return value.Storing{Index: len(shape.Names()), Shape: next}
	}
	return elsewhere
}

// quickSetAttr is object.__setattr__ of an attribute that is in a slot.
func quickSetAttr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 {
		return slot.Slot{}, false
	}
	o, isObject := args[0].Ref().(*value.Object)
	name, isText := args[1].Ref().(starlark.String)
	if !isObject || !isText {
		return slot.Slot{}, false
	}
	return slot.None, o.Store(o.Being.(*Instance).keeps(string(name)), &args[2])
}

// specialsOf are the special methods that were asked for, which are so for a version of a layout.
type specialsOf struct {
	version uint64
	found   map[string]value.Def
}

// Function is a special method that is a function of the program's.
func (i *Instance) Function(name string) value.Def {
	c := i.class
	if c.layout == nil {
		return nil
	}
	if c.specials.version != c.layout.Version {
		c.specials = specialsOf{c.layout.Version, map[string]value.Def{}}
	}
	f, known := c.specials.found[name]
	if !known {
		f, _ = i.has(name).(value.Def)
		c.specials.found[name] = f
	}
	return f
}
