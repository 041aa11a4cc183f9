package object

import (
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A boundMethod is a function with its first argument: an instance, or of a class method the class.
type boundMethod struct {
	fn   starlark.Value
	self starlark.Value
}

var (
	_ value.Signed     = boundMethod{}
	_ value.Documenter = boundMethod{}
)

// Doc is the documentation of the function.
func (m boundMethod) Doc() string { return docOf(m.fn) }

// Signature is the function's without what it is bound to.
func (m boundMethod) Signature() string {
	if f, ok := m.fn.(value.Def); ok {
		return value.MethodSignature(f.Name(), f)
	}
	return m.Name() + "()"
}

// ParamNames are those of the function but the first.
func (m boundMethod) ParamNames() []string {
	if f, ok := m.fn.(value.Def); ok {
		names, _ := value.NamedParams(f, 1)
		return names
	}
	return nil
}

func docOf(fn starlark.Value) string {
	if fn, ok := fn.(value.Documenter); ok {
		return fn.Doc()
	}
	return ""
}

func (m boundMethod) Name() string {
	if c, ok := m.fn.(starlark.Callable); ok {
		return c.Name()
	}
	return "method"
}
func (m boundMethod) String() string        { return "<bound method " + m.Name() + ">" }
func (m boundMethod) Type() string          { return "method" }
func (m boundMethod) Freeze()               {}
func (m boundMethod) Truth() starlark.Bool  { return true }
func (m boundMethod) Hash() (uint32, error) { return starlark.String(m.Name()).Hash() } // equal ones have equal names

// Bound is the function and the first argument.
func (m boundMethod) Bound() (fn, self starlark.Value) { return m.fn, m.self }

// CallInternal calls the function.
func (m boundMethod) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	all := make(starlark.Tuple, 0, 1+len(args))
	return value.Call(thread, m.fn, append(append(all, m.self), args...), kwargs)
}

// Attr is m.__self__, m.__name__ and the like.
func (m boundMethod) Attr(name string) (starlark.Value, error) {
	switch name {
	case "__self__":
		return m.self, nil
	case "__func__":
		return m.fn, nil
	case "__name__", "__doc__":
		return value.Attr(m.fn, name)
	}
	if f, ok := m.fn.(value.Def); ok { // what the program gave it
		if x, ok := value.FieldsOf(f).(starlark.HasAttrs); ok && slices.Contains(x.AttrNames(), name) {
			return x.Attr(name)
		}
	}
	return nil, nil
}

// AttrNames are these.
func (m boundMethod) AttrNames() []string {
	return []string{"__doc__", "__func__", "__name__", "__self__"}
}

// A native is a method of a class of the language's own.
type native struct {
	name  string
	fn    func(*starlark.Thread, *Instance, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)
	quick value.Quick // of the instance and the arguments; nil of most
	plain string      // the type of values in Go that have the method too, or ""
}

var (
	_ starlark.Callable = (*native)(nil)
	_ value.QuickCaller = (*native)(nil)
)

// QuickCall returns the quick form of the method, nil of most.
func (n *native) QuickCall() value.Quick { return n.quick }

func (n *native) Name() string          { return n.name }
func (n *native) String() string        { return "<method " + n.name + ">" }
func (n *native) Type() string          { return "builtin_function_or_method" }
func (n *native) Freeze()               {}
func (n *native) Truth() starlark.Bool  { return true }
func (n *native) Hash() (uint32, error) { return starlark.String(n.name).Hash() }

// CallInternal calls it; the instance is the first argument.
func (n *native) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, typeError("%s: missing the instance", n.name)
	}
	i, ok := InstanceOf(args[0])
	if !ok && n.plain != "" && args[0].Type() == n.plain {
		m, err := value.Attr(args[0], n.name)
		if err != nil {
			return nil, err
		}
		return value.Call(thread, m, args[1:], kwargs)
	}
	if !ok {
		return nil, typeError("%s: got %s, want an instance", n.name, typeName(args[0]))
	}
	return n.fn(thread, i, args[1:], kwargs)
}

// wrapped is what static, classMethod and property have in common: they are values of no use by
// themselves.
type wrapped struct{ typ string }

func (w wrapped) String() string        { return "<" + w.typ + ">" }
func (w wrapped) Type() string          { return w.typ }
func (w wrapped) Freeze()               {}
func (w wrapped) Truth() starlark.Bool  { return true }
func (w wrapped) Hash() (uint32, error) { return starlark.String(w.typ).Hash() }

type static struct {
	wrapped
	fn starlark.Value
}

type classMethod struct {
	wrapped
	fn starlark.Value
}

// Attr is that of the function, and __func__ the function itself.
func (s *static) Attr(name string) (starlark.Value, error) { return attrOf(s.fn, name) }

// Attr is that of the function, and __func__ the function itself.
func (c *classMethod) Attr(name string) (starlark.Value, error) { return attrOf(c.fn, name) }

// AttrNames are these.
func (*static) AttrNames() []string { return []string{"__func__"} }

// AttrNames are these.
func (*classMethod) AttrNames() []string { return []string{"__func__"} }

func attrOf(fn starlark.Value, name string) (starlark.Value, error) {
	if name == "__func__" || name == "__wrapped__" {
		return fn, nil
	}
	return value.Attr(fn, name)
}

// A property is a member that is computed.
type property struct {
	wrapped
	get, set, del starlark.Value
	doc           starlark.Value // nil: that of get
}

var (
	_ starlark.HasAttrs = (*property)(nil)
	_ value.Documenter  = (*property)(nil)
)

// Doc is what property() was given, or the documentation of the getter.
func (p *property) Doc() string {
	if text, ok := p.doc.(starlark.String); ok {
		return string(text)
	}
	return docOf(p.get)
}

// Attr is p.setter and the like: decorators.
func (p *property) Attr(name string) (starlark.Value, error) {
	more := func(with func(*property, starlark.Value)) starlark.Value {
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var fn starlark.Value
			if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &fn); err != nil {
				return nil, err
			}
			again := *p
			with(&again, fn)
			return &again, nil
		})
	}
	switch name {
	case "getter":
		return more(func(p *property, fn starlark.Value) { p.get = fn }), nil
	case "setter":
		return more(func(p *property, fn starlark.Value) { p.set = fn }), nil
	case "deleter":
		return more(func(p *property, fn starlark.Value) { p.del = fn }), nil
	case "fget":
		return orNone(p.get), nil
	case "fset":
		return orNone(p.set), nil
	case "fdel":
		return orNone(p.del), nil
	case "__doc__":
		if p.doc == nil && p.get != nil {
			return value.Attr(p.get, name)
		}
		return orNone(p.doc), nil
	}
	return nil, nil
}

func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}

// AttrNames are these.
func (p *property) AttrNames() []string {
	return []string{"deleter", "fdel", "fget", "fset", "getter", "setter"}
}

// A super finds the members of the classes after one.
type super struct {
	wrapped
	after *Class
	self  starlark.Value // an instance, or of a class method the class
}

var _ starlark.HasAttrs = (*super)(nil)

// Super is super() in a method of a class.
func Super(after, self starlark.Value) (starlark.Value, error) {
	if b, ok := after.(*Body); ok {
		after = b.class
	}
	c, ok := after.(*Class)
	if !ok {
		return nil, typeError("super: got %s, want a class", typeName(after))
	}
	of, ok := self.(*Class)
	if ok && !of.IsSubclass(c) && of.meta != nil {
		of = of.meta // self is an instance of the class of classes
	}
	if i, isInstance := InstanceOf(self); isInstance {
		of, ok = i.class, true
	}
	if !ok || !of.IsSubclass(c) {
		return nil, typeError("super(type, obj): obj must be an instance or subtype of type: got %s, want an instance of %s", typeName(self), c.name)
	}
	return &super{wrapped{"super"}, c, self}, nil
}

// of is the class whose order is searched.
func (s *super) of() *Class {
	if i, ok := InstanceOf(s.self); ok {
		return i.class
	}
	c := s.self.(*Class)
	if !c.IsSubclass(s.after) {
		return c.meta
	}
	return c
}

// Attr returns the member that the classes after the one have.
func (s *super) Attr(name string) (starlark.Value, error) {
	i, isInstance := InstanceOf(s.self)
	of := s.of()
	found := false
	for _, c := range of.mro {
		if v := c.members.get(name); v != nil && found {
			switch v := v.(type) {
			case *property:
				if isInstance && v.get != nil {
					return value.Call(i.host.Current(), v.get, starlark.Tuple{i.Value()}, nil)
				}
			case *classMethod:
				return boundMethod{v.fn, of}, nil
			case *static:
				return v.fn, nil
			}
			if isInstance {
				if d := descriptor(v); d != nil {
					return d.got(i.Value(), of)
				}
				return i.bind(v), nil
			}
			if of != s.self { // a class, of which this is a method
				return boundMethod{v, s.self}, nil
			}
			return v, nil
		}
		found = found || c == s.after
	}
	return nil, noAttr("'super' object", name, s.AttrNames())
}

// FindMethod is Attr of what is a function of the program's.
func (s *super) FindMethod(name string) (fn value.Def, self starlark.Value) {
	of := s.of()
	for _, c := range of.mro[slices.Index(of.mro, s.after)+1:] {
		if cell := c.members.cells[name]; cell != nil {
			switch f := cell.Ref().(type) {
			case value.Def:
				if of != s.self {
					self = s.self
				}
				return f, self
			case *classMethod:
				fn, _ = f.fn.(value.Def)
				return fn, of
			}
			return nil, nil
		}
	}
	return nil, nil
}

// FindMethod is Attr of what is a function of the program's.
func (c *Class) FindMethod(name string) (fn value.Def, self starlark.Value) {
	cell, _ := c.findCell(name)
	if cell == nil {
		return nil, nil
	}
	switch f := cell.Ref().(type) {
	case value.Def:
		return f, nil
	case *static:
		fn, _ = f.fn.(value.Def)
		return fn, nil
	case *classMethod:
		fn, _ = f.fn.(value.Def)
		return fn, c
	}
	return nil, nil
}

// QuickSuper is super of a class and an instance.
func QuickSuper(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	s, err := Super(args[0].Ref(), args[1].Ref())
	return slot.Ref(s), err == nil
}

// AttrNames are the names of these members.
func (s *super) AttrNames() []string {
	if i, ok := InstanceOf(s.self); ok {
		return i.class.AttrNames()
	}
	return s.self.(*Class).AttrNames()
}

// Table is the functions about classes. Some are types too: isinstance(A.x, property).
var Table = withTypes([]value.Builtin{
	value.Bound("classmethod", "A decorator: a method that gets the class as its first argument.",
		"class A:\n    @classmethod\n    def name(cls):\n        return cls.__name__\nA.name() # \"A\"",
		func(v []starlark.Value) (starlark.Value, error) {
			return &classMethod{wrapped{"classmethod"}, v[0]}, nil
		}, "function: the method"),
	value.Bound("delattr", "Deletes an attribute: delattr(x, \"a\") is del x.a.",
		"class A:\n    pass\nx = A()\nx.a = 1\ndelattr(x, \"a\")\nhasattr(x, \"a\") # False",
		func(v []starlark.Value) (starlark.Value, error) {
			name, err := attrName("delattr", v[1])
			if err != nil {
				return nil, err
			}
			return starlark.None, DeleteAttr(v[0], name)
		}, "x: an instance or a class", "name: a string"),
	value.Bound("issubclass", "True if a class is another, or derives from it.", "issubclass(KeyError, LookupError) # True",
		func(v []starlark.Value) (starlark.Value, error) {
			return isSubclass(v[0], v[1])
		}, "c: a class", "classes: a class or a tuple of classes"),
	value.Bound("locals", "A dict of the variables of the function that it stands in, which have a value now. What is put into the "+
		"dict changes no variable. At top level it is globals().", "def f(a):\n    b = 2\n    return \"%(a)d and %(b)d\" % locals()\nf(1) # \"1 and 2\"",
		func([]starlark.Value) (starlark.Value, error) {
			return nil, NewError(RuntimeError, "locals: got a call by another name; write locals() in the function whose variables it is to give")
		}),
	value.Bound("globals", "The global variables of the program, or of the imported file that it stands in, as a dict. What is put into it or taken out changes them.",
		"globals()[\"a\"] = 1\na + 1 # 2",
		func([]starlark.Value) (starlark.Value, error) {
			return nil, NewError(RuntimeError, "globals: got a call by another name, or in a file that load reads; write globals() in the program whose variables it is to give")
		}),
	value.Bound("property", "A decorator: an attribute that a method computes. @name.setter is one for the method that sets it.",
		"class A:\n    @property\n    def one(self):\n        return 1\nA().one # 1",
		func(v []starlark.Value) (starlark.Value, error) {
			for i, f := range v {
				if f == starlark.None {
					v[i] = nil
				}
			}
			return &property{wrapped{"property"}, v[0], v[1], v[2], v[3]}, nil
		}, "get=None: the method that computes it", "set=None: that which sets it", "delete=None: that which deletes it", "doc=None: its documentation, instead of that of get"),
	value.Bound("setattr", "Sets an attribute: setattr(x, \"a\", 1) is x.a = 1.", "class A:\n    pass\nx = A()\nsetattr(x, \"a\", 1)\nx.a # 1",
		func(v []starlark.Value) (starlark.Value, error) {
			name, err := attrName("setattr", v[1])
			if err != nil {
				return nil, err
			}
			x, ok := value.FieldsOf(v[0]).(starlark.HasSetField)
			if !ok {
				return nil, attributeError("setattr: '%s' object has no attribute '%s' that can be set", typeName(v[0]), name)
			}
			return starlark.None, x.SetField(name, v[2])
		}, "x: an instance or a class", "name: a string", "value: what it is to be").Quickly(value.QuickSetAttr),
	value.Bound("staticmethod", "A decorator: a member that is a function and no method.",
		"class A:\n    @staticmethod\n    def twice(x):\n        return 2 * x\nA().twice(2) # 4",
		func(v []starlark.Value) (starlark.Value, error) { return &static{wrapped{"staticmethod"}, v[0]}, nil }, "function: the function"),
	value.Bound("super", "The members of the classes that come after a class: super() in a method is super(C, self), where C is the class that it stands in.",
		"class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n        return super().f() + 1\nB().f() # 2",
		func(v []starlark.Value) (starlark.Value, error) {
			if v[0] == nil || v[1] == nil {
				return nil, NewError(RuntimeError, "super(): no arguments, and no method of a class around it; write super(C, x), where C is a class and x an instance")
			}
			return Super(v[0], v[1])
		}, "c=None: a class; in a method, the one that it stands in", "self=None: an instance of it, or a class that derives from it; in a method, its first parameter").Quickly(QuickSuper),
	value.Bound("vars", "The dict of the attributes of an instance, or one of the members of a class. Without x it is locals().", "class A:\n    pass\nx = A()\nx.a = 1\nvars(x) # {\"a\": 1}",
		func(v []starlark.Value) (starlark.Value, error) {
			switch x := v[0].(type) {
			case nil:
				return nil, NewError(RuntimeError, "vars: got a call without arguments by another name; write vars() in the function whose variables it is to give")
			case *value.Object:
				if i := x.Being.(*Instance); i.class.takes("__dict__") {
					return i.dict(), nil
				}
			case *Class:
				return x.members.dict(), nil
			}
			if d, err := value.Attr(v[0], "__dict__"); err == nil {
				return d, nil
			}
			return nil, typeError("vars() argument must have __dict__ attribute: got %s", typeName(v[0]))
		}, "x=None: an instance or a class"),
}, "classmethod", "property", "staticmethod", "super")

func init() { value.NameTypes("classmethod", "property", "staticmethod") }

// withTypes gives the rows of these names the type that their values have.
func withTypes(table []value.Builtin, names ...string) []value.Builtin {
	for i := range table {
		if slices.Contains(names, table[i].Name) {
			table[i].Types = []string{table[i].Name}
		}
	}
	return table
}

func attrName(fn string, v starlark.Value) (string, error) {
	name, ok := starlark.AsString(v)
	if !ok {
		return "", typeError("%s: attribute name must be string, not '%s'", fn, typeName(v))
	}
	return name, nil
}

// isSubclass is issubclass(c, of), where either may be a type of the language's, such as int.
func isSubclass(c, of starlark.Value) (starlark.Value, error) {
	class, isClass := c.(*Class)
	typ, names := value.AsBuiltin(c), value.NamesOfTypes(c)
	if !isClass && names == nil && (typ == nil || typ.Base == nil) {
		return nil, typeError("issubclass() arg 1 must be a class: got %s", typeName(c))
	}
	if u, ok := of.(*value.Union); ok {
		of = u.Types
	}
	if tuple, ok := of.(starlark.Tuple); ok {
		for _, one := range tuple {
			if is, err := isSubclass(c, one); err != nil || bool(is.Truth()) {
				return is, err
			}
		}
		return starlark.False, nil
	}
	if other, ok := of.(*Class); ok {
		if isClass && class.IsSubclass(other) || other == Object {
			return starlark.True, nil
		}
		return starlark.Bool(other.meta != nil && other.hasRegistered(func(of starlark.Value) bool {
			is, err := isSubclass(c, of)
			return err == nil && bool(is.Truth())
		})), nil
	}
	other, otherNames := value.AsBuiltin(of), value.NamesOfTypes(of)
	switch {
	case otherNames == nil && (other == nil || other.Base == nil):
		return nil, typeError("issubclass() arg 2 must be a class or a tuple of classes: got %s", typeName(of))
	case isClass && other != nil && other.Base != nil:
		return starlark.Bool(class.IsSubclass(classOf(other))), nil
	case isClass:
		holds := containers[otherNames[0]]
		return starlark.Bool(holds != nil && class.IsSubclass(holds)), nil
	}
	within := names != nil && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(otherNames, name) })
	return starlark.Bool(within || other != nil && other == typ), nil
}

// DeleteAttr is del x.name.
func DeleteAttr(x starlark.Value, name string) error {
	switch x := x.(type) {
	case *value.Object:
		return x.Delete(name)
	case *Class:
		if !x.own && x.delete(name) {
			return nil
		}
		return noAttr("type object '"+x.short()+"'", name, x.members.names)
	case value.Def:
		return value.DeleteFunctionAttr(x, name)
	case interface{ DeleteField(name string) error }:
		return x.DeleteField(name)
	}
	return attributeError("a %s has no attributes that can be deleted", typeName(x))
}

// DeleteItem is del x[k].
func DeleteItem(x, k starlark.Value) error {
	k = value.Plain(k)
	switch x := x.(type) {
	case *value.Object:
		return x.DeleteKey(k)
	case interface { // a dict, or what counts or has defaults and is one otherwise
		Delete(starlark.Value) (starlark.Value, bool, error)
	}:
		_, found, err := x.Delete(k)
		if err == nil && !found {
			err = NewError(KeyError, "").(*Raised).with(k)
		}
		return err
	case *slot.List:
		if s, ok := k.(*value.Slice); ok {
			return value.SlicedList{List: x}.Delete(s)
		}
		n, err := place(x, k)
		if err != nil {
			return err
		}
		return value.SlicedList{List: x}.Delete(&value.Slice{Lo: starlark.MakeInt(n), Hi: starlark.MakeInt(n + 1), Step: starlark.None})
	}
	return typeError("'%s' object doesn't support item deletion", typeName(x))
}

// with gives an exception its argument.
func (r *Raised) with(arg starlark.Value) *Raised {
	r.Exception.args = starlark.Tuple{arg}
	return r
}
