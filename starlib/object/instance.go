package object

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An Instance is an instance of a class.
type Instance struct {
	self   value.Object // the instance as a value, with its attributes unless they are in a dict
	class  *Class
	attrs  *slot.Dict // its attributes where self has no shape; nil while there are none
	host   value.Host
	serial uint32 // what its hash is made of; 0: not asked for
	*more         // nil unless the class keeps more than attributes
}

// more is what instances of some classes keep besides attributes.
type more struct {
	data   starlark.Value // of a class that derives from dict or list: what it holds
	args   starlark.Tuple // of an exception: what it was made of
	one    [1]starlark.Value
	err    error         // of an exception: what it was first raised as
	cause  error         // of an exception: raise ... from
	while  *Instance     // of an exception: what was being handled when it was raised
	told   bool          // of an exception: the language's own message is its argument
	tell   func() string // of an exception: that message, until somebody has asked for the arguments
	raised Raised        // of an exception: the first of it
}

// instance makes an instance without attributes.
func (c *Class) instance(host value.Host) *Instance {
	var i *Instance
	if c.keeps {
		both := new(struct {
			Instance
			more
		})
		i = &both.Instance
		i.more = &both.more
		i.self.Record = c.record()
	} else {
		i = c.withSlots()
	}
	i.class, i.host, i.self.Being = c, host, i
	return i
}

// withSlots is an instance with memory for the attributes that others of the class have.
func (c *Class) withSlots() *Instance {
	if c.layout == nil {
		return new(Instance)
	}
	var i *Instance
	var slots []slot.Slot
	switch n := c.layout.Most(); {
	case n == 0:
		i = new(Instance)
	case n <= 2:
		both := new(struct {
			Instance
			slots [2]slot.Slot
		})
		i, slots = &both.Instance, both.slots[:0]
	case n <= 4:
		both := new(struct {
			Instance
			slots [4]slot.Slot
		})
		i, slots = &both.Instance, both.slots[:0]
	case n <= 8:
		both := new(struct {
			Instance
			slots [8]slot.Slot
		})
		i, slots = &both.Instance, both.slots[:0]
	default:
		i, slots = new(Instance), make([]slot.Slot, 0, n)
	}
	i.self.Record = slot.Record{Shape: c.layout.Root(), Slots: slots}
	return i
}

// Value is the instance as a value.
func (i *Instance) Value() *value.Object { return &i.self }

// InstanceOf returns the instance that a value is, if it is one.
func InstanceOf(v starlark.Value) (*Instance, bool) {
	if o, ok := v.(*value.Object); ok {
		return o.Being.(*Instance), true
	}
	return nil, false
}

// record is that of an instance without attributes.
func (c *Class) record() slot.Record {
	if c.layout == nil {
		return slot.Record{}
	}
	return slot.NewRecord(c.layout)
}

// Class returns the class.
func (i *Instance) Class() starlark.Value { return i.class }

func (i *Instance) Type() string { return i.class.short() }

// bind returns a member of the class as the instance has it.
func (i *Instance) bind(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case value.Def:
		return boundMethod{v, i.Value()}
	case *native:
		return boundMethod{v, i.Value()}
	case *static:
		return v.fn
	case *classMethod:
		return boundMethod{v.fn, i.class}
	}
	return v
}

// Attr returns i.name: of a property what it computes, then an attribute, then a member of the
// class.
func (i *Instance) Attr(name string) (starlark.Value, error) {
	member, _ := i.class.find(name)
	if p, ok := member.(*property); ok {
		if p.get == nil {
			return nil, attributeError("property %s of %s has no getter", name, i.class.name)
		}
		v, err := value.Call(i.host.Current(), p.get, starlark.Tuple{i.Value()}, nil)
		if err != nil && IsError(err, AttributeError) {
			if v, ok, err := i.call("__getattr__", starlark.String(name)); ok {
				return v, err
			}
		}
		return v, err
	}
	d := descriptor(member)
	if d.isData() {
		return d.got(i.Value(), i.class)
	}
	if v := i.own(name); v != nil {
		return v, nil
	}
	if d != nil {
		return d.got(i.Value(), i.class)
	}
	if member != nil {
		return i.bind(member), nil
	}
	switch name {
	case "__class__":
		return i.class, nil
	case "__dict__":
		if i.class.takes(name) {
			return i.dict(), nil
		}
	case "__doc__", "__module__", "__annotations__":
		return i.class.Attr(name)
	}
	if v := i.raisedAttr(name); v != nil {
		return v, nil
	}
	if v, ok, err := i.call("__getattr__", starlark.String(name)); ok {
		return v, err
	}
	return nil, noAttr("'"+i.class.short()+"' object", name, i.AttrNames())
}

// Look is Attr where no code of the user's may run: of a property it is the property.
func (i *Instance) Look(name string) starlark.Value {
	member, _ := i.class.find(name)
	if p, ok := member.(*property); ok {
		return p
	}
	if v := i.own(name); v != nil {
		return v
	}
	if member != nil {
		return i.bind(member)
	}
	if name == "__class__" {
		return i.class
	}
	return nil
}

// Doc is the documentation of the class.
func (i *Instance) Doc() string { return i.class.Doc() }

// own returns an attribute of the instance itself, nil if it has none of that name.
func (i *Instance) own(name string) starlark.Value {
	if v, found := i.self.Record.Get(name); found {
		return v.Value()
	}
	if i.attrs == nil {
		return nil
	}
	if v, found, _ := i.attrs.Get(starlark.String(name)); found {
		return v
	}
	return nil
}

// dict is i.__dict__: the attributes themselves, which change with it. From then on they are in it.
func (i *Instance) dict() *slot.Dict {
	if i.attrs == nil {
		i.attrs, i.self.Record = i.self.Record.Dict(), slot.Record{}
	}
	return i.attrs
}

// ownNames are the names of attributes of the instance itself.
func (i *Instance) ownNames() []string {
	if i.self.Record.Shape != nil {
		return slices.Clone(i.self.Record.Shape.Names())
	}
	var names []string
	if i.attrs != nil {
		for _, k := range i.attrs.Keys() {
			if name, ok := starlark.AsString(k); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// noAttr says that there is no such attribute.
func noAttr(what, name string, names []string) error {
	hint := ""
	if n := config.Closest(name, names); n != "" {
		hint = fmt.Sprintf(" (did you mean .%s?)", n)
	}
	return attributeError("%s has no attribute '%s'%s", what, name, hint)
}

// OwnValues are the values of the attributes, without those of the class.
func (i *Instance) OwnValues() (list []starlark.Value) {
	for _, name := range i.ownNames() {
		if v := i.own(name); v != nil {
			list = append(list, v)
		}
	}
	return list
}

// AttrNames are the names of attributes and members.
func (i *Instance) AttrNames() []string {
	names := append(i.ownNames(), i.class.AttrNames()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// SetField is i.name = v.
func (i *Instance) SetField(name string, v starlark.Value) error {
	if _, ok, err := i.call("__setattr__", starlark.String(name), v); ok {
		return err
	}
	return i.set(name, v)
}

// set is SetField unless the class has a __setattr__ of its own.
func (i *Instance) set(name string, v starlark.Value) error {
	member, _ := i.class.find(name)
	if p, ok := member.(*property); ok {
		if p.set == nil {
			return attributeError("property %s of %s has no setter; write @%s.setter before a def %s(self, value)", name, i.class.name, name, name)
		}
		_, err := value.Call(i.host.Current(), p.set, starlark.Tuple{i.Value(), v}, nil)
		return err
	}
	if d := descriptor(member); d.isData() {
		_, ok, err := d.call("__set__", i.Value(), v)
		if !ok {
			return attributeError("%s of %s cannot be set: its descriptor has no __set__", name, i.class.name)
		}
		return err
	}
	switch {
	case name == "__dict__" && i.class.takes(name):
		d, ok := value.Held(v).(*slot.Dict)
		if !ok {
			return typeError("__dict__ must be set to a dictionary, not a '%s'", typeName(v))
		}
		i.attrs, i.self.Record = d, slot.Record{}
		return nil
	case name == "args" && i.class.raises:
		return i.setArgs(v)
	case name == "__cause__" && i.class.IsSubclass(BaseException):
		return i.setCause(v)
	}
	return i.put(name, v)
}

// put sets an attribute of the instance itself.
func (i *Instance) put(name string, v starlark.Value) error {
	if !i.class.takes(name) {
		return i.refuses(name)
	}
	if i.self.Record.Set(name, slot.Of(v)) {
		return nil
	}
	return i.dict().SetKey(starlark.String(name), v)
}

// setArgs is e.args = v of an exception.
func (i *Instance) setArgs(v starlark.Value) error {
	xs, err := value.Iterable(v)
	if err != nil {
		return typeError("args: %s", err)
	}
	i.args, i.tell = slices.Collect(starlark.Elements(xs)), nil
	return nil
}

// Delete is del i.name.
func (i *Instance) Delete(name string) error {
	if _, ok, err := i.call("__delattr__", starlark.String(name)); ok {
		return err
	}
	return i.delete(name)
}

// delete is Delete unless the class has a __delattr__ of its own.
func (i *Instance) delete(name string) error {
	member, _ := i.class.find(name)
	if p, ok := member.(*property); ok {
		if p.del == nil {
			return attributeError("property %s of %s has no deleter; write @%s.deleter before a def %s(self)", name, i.class.name, name, name)
		}
		_, err := value.Call(i.host.Current(), p.del, starlark.Tuple{i.Value()}, nil)
		return err
	}
	if d := descriptor(member); d != nil && d.has("__delete__") != nil {
		_, _, err := d.call("__delete__", i.Value())
		return err
	}
	if i.self.Record.Shape != nil && i.self.Record.Shape.Index(name) >= 0 && i.self.Record.Delete(name) {
		return nil
	}
	_, found, err := i.dict().Delete(starlark.String(name))
	if err == nil && !found {
		err = noAttr("'"+i.class.short()+"' object", name, i.ownNames())
	}
	return err
}

// Copied is a copy of the instance, whose attributes part makes; began is told of it before they
// are made. A class says with __copy__ and __deepcopy__ what copies of its instances are.
func (i *Instance) Copied(deep bool, part func(starlark.Value) (starlark.Value, error), began func(starlark.Value)) (starlark.Value, error) {
	name, args := "__copy__", []starlark.Value(nil)
	if deep {
		name, args = "__deepcopy__", []starlark.Value{slot.NewDict(0)}
	}
	if v, ok, err := i.call(name, args...); ok {
		return v, err
	}
	out := *i
	out.self.Being = &out
	if i.more != nil {
		kept := *i.more
		kept.raised = Raised{}
		out.more = &kept
	}
	out.serial, out.attrs, out.self.Record = 0, nil, i.class.record()
	began(out.Value())
	switch {
	case i.attrs != nil:
		attrs, err := part(i.attrs)
		if err != nil {
			return nil, err
		}
		out.attrs, out.self.Record = attrs.(*slot.Dict), slot.Record{}
	case !deep:
		out.self.Record = slot.Record{Shape: i.self.Record.Shape, Slots: slices.Clone(i.self.Record.Slots)}
	default:
		if err := i.copyParts(&out, part); err != nil {
			return nil, err
		}
	}
	if i.Held() != nil {
		data, err := part(i.data)
		if err != nil {
			return nil, err
		}
		out.data = data
	}
	return out.Value(), nil
}

// copyParts gives another instance copies of the attributes. What makes them may change either.
func (i *Instance) copyParts(to *Instance, part func(starlark.Value) (starlark.Value, error)) error {
	for _, name := range i.ownNames() {
		of := i.own(name)
		if of == nil { // it was deleted meanwhile
			continue
		}
		v, err := part(of)
		if err != nil {
			return err
		}
		if err := to.put(name, v); err != nil {
			return err
		}
	}
	return nil
}

// has returns the special method of that name which a class of the user's has, nil if none has.
func (i *Instance) has(name string) starlark.Value {
	v, from := i.class.find(name)
	if from == nil || from.own && !from.special || v == starlark.None {
		return nil
	}
	return v
}

// maxSpecialDepth is how deep calls may be from which special methods are called. Each of them is a
// call of Go inside of the interpreter's, and the frames of an error are gathered anew at each: a
// recursion of them ends before that takes seconds.
const maxSpecialDepth = 5000

// call calls a special method; ok is false if there is none.
func (i *Instance) call(name string, args ...starlark.Value) (v starlark.Value, ok bool, err error) {
	m := i.has(name)
	if m == nil {
		return nil, false, nil
	}
	thread := i.host.Current()
	if thread == nil { // help and completion look while no cell runs
		return nil, false, nil
	}
	if value.DepthOf(thread) > maxSpecialDepth {
		return nil, true, NewError(RecursionError, fmt.Sprintf("recursion deeper than %d calls, in %s of %s", maxSpecialDepth, name, i.class.name))
	}
	for _, a := range args { // the method may keep them
		value.Pin(a)
	}
	v, err = value.Call(thread, i.bind(m), args, nil)
	value.Pin(v) // or what it returns
	return v, true, err
}

// Special calls a special method of a class of the user's; nil if there is none.
func (i *Instance) Special(name string, args ...starlark.Value) (starlark.Value, error) {
	v, err := i.try(name, args...)
	return v, err
}

// fail makes the running statement fail: for what can give no error.
func (i *Instance) fail(err error) {
	if i.host != nil {
		i.host.Fail(err)
	}
}

// unfit is the error of what a special method has returned.
func (i *Instance) unfit(name string, result starlark.Value) error {
	class := i.class.name
	switch name {
	case "__bool__":
		return typeError("__bool__ should return bool, returned %s: %s.__bool__", typeName(result), class)
	case "__len__":
		n, err := starlark.AsInt32(result)
		if err != nil {
			return err
		}
		return valueError("__len__() should return >= 0, got %d: %s.__len__", n, class)
	case "__iter__":
		return typeError("iter() returned non-iterator of type '%s': %s.__iter__", result.Type(), class)
	}
	return typeError("%s returned non-string (type %s): %s.%s", name, result.Type(), class, name)
}

// text calls a special method that returns text.
func (i *Instance) text(name string) (text string, ok bool) {
	v, ok, err := i.call(name)
	if !ok {
		return "", false
	}
	s, isText := v.(starlark.String)
	if err == nil && !isText {
		err = i.unfit(name, v)
	}
	if err != nil {
		i.fail(err)
		return "<" + i.class.short() + " object>", true
	}
	return string(s), true
}

// String is repr(i).
func (i *Instance) String() string {
	if text, ok := i.text("__repr__"); ok {
		return text
	}
	return i.plain()
}

// plain is repr(i) where the class has no __repr__ of its own.
func (i *Instance) plain() string {
	if _, ok := i.exceptionArgs(); ok {
		args := i.shownArgs()
		text := value.Repr(args)
		if len(args) == 1 {
			text = "(" + value.Repr(args[0]) + ")"
		}
		return i.class.short() + text
	}
	return "<" + i.class.name + " object>"
}

// Str is str(i).
func (i *Instance) Str() string {
	if text, ok := i.text("__str__"); ok {
		return text
	}
	if args, ok := i.exceptionArgs(); ok {
		return i.message(args)
	}
	return i.String()
}

// message is the text of an exception.
func (i *Instance) message(args starlark.Tuple) string {
	switch {
	case len(args) == 0:
		return ""
	case i.class.IsSubclass(OSError) && (len(args) == 2 || len(args) == 3):
		text := "[Errno " + value.Str(args[0]) + "] " + value.Str(args[1])
		if len(args) == 3 {
			text += ": " + value.Repr(args[2])
		}
		return text
	case len(args) > 1:
		return value.Repr(args)
	case i.class.IsSubclass(KeyError) && !i.told:
		return value.Repr(args[0])
	}
	return value.Str(args[0])
}

func (i *Instance) exceptionArgs() (starlark.Tuple, bool) {
	if !i.class.raises {
		return nil, false
	}
	return i.arguments(), true
}

// arguments are those of an exception.
func (i *Instance) arguments() starlark.Tuple {
	if i.tell != nil {
		tell := i.tell
		i.tell = nil
		i.args = starlark.Tuple{starlark.String(tell())}
	}
	return i.args
}

// Truth is bool(i).
func (i *Instance) Truth() starlark.Bool {
	for _, name := range []string{"__bool__", "__len__"} {
		if v, ok, err := i.call(name); ok {
			if err != nil {
				i.fail(err)
				return false
			}
			if _, isBool := v.(starlark.Bool); !isBool && name == "__bool__" {
				i.fail(i.unfit(name, v))
				return false
			}
			return v.Truth()
		}
	}
	return true
}

// forgetsHash says whether the class has an __eq__ that knows nothing of the __hash__ which it
// inherits.
func (c *Class) forgetsHash() bool {
	_, eq := c.find("__eq__")
	_, hash := c.find("__hash__")
	return eq != hash && slices.Index(c.mro, eq) < slices.Index(c.mro, hash)
}

// Hash is what Starlark has of hash(i).
func (i *Instance) Hash() (uint32, error) {
	h, err := i.KeyHash()
	return uint32(h) ^ uint32(h>>32), err
}

// KeyHash is hash(i).
func (i *Instance) KeyHash() (int64, error) {
	if v := i.hashed(); v != nil {
		return slot.Hash(slot.Of(v))
	}
	if v, ok, err := i.call("__hash__"); ok && !i.class.forgetsHash() {
		if err != nil {
			return 0, err
		}
		return i.hashOf(v)
	}
	if i.Held() != nil {
		return 0, typeError("unhashable type: '%s'", i.class.short())
	}
	if i.has("__eq__") != nil {
		return 0, typeError("unhashable type: '%s': class %s has __eq__, and no __hash__", i.class.short(), i.class.name)
	}
	if m, _ := i.class.find("__hash__"); m == starlark.None {
		return 0, typeError("unhashable type: '%s': class %s has no __hash__", i.class.short(), i.class.name)
	}
	return int64(i.id()), nil
}

// hashOf is what __hash__ returned as a hash: an int of 64 bits that is not -1, which stands for an
// error in CPython.
func (i *Instance) hashOf(v starlark.Value) (int64, error) {
	s := slot.Of(v)
	switch v.(type) {
	case starlark.Bool, starlark.Int:
	default:
		return 0, typeError("__hash__ method should return an integer, got %s: %s.__hash__", v.Type(), i.class.name)
	}
	if s.IsInt() && s.Int() != -1 {
		return s.Int(), nil
	}
	return slot.Hash(s)
}

// ID is the same for the instance as long as it lives, and another for others.
func (i *Instance) ID() uint32 { return i.id() }

func (i *Instance) id() uint32 {
	if i.serial == 0 {
		i.serial = serials.Add(1)
	}
	return i.serial
}

// Name is what frames call the instance.
func (i *Instance) Name() string { return i.class.short() }

// CanCall says whether the class has __call__.
func (i *Instance) CanCall() bool { return i.has("__call__") != nil }

// CallInternal is i(...).
func (i *Instance) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m := i.has("__call__")
	if m == nil {
		return nil, typeError("'%s' object is not callable: class %s has no __call__", i.class.short(), i.class.name)
	}
	return value.Call(thread, i.bind(m), args, kwargs)
}
