package object

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Classes may derive from dict and list: their instances hold one, to which the methods of these
// classes go. The methods are those of the language's own dicts and lists, and the special ones of
// a table.

// containers are the classes that stand for dict and list as bases, by the names of the functions.
var containers = map[string]*Class{"dict": newContainer("dict", dictSpecials), "list": newContainer("list", listSpecials)}

// A special is a special method of a container: what it does with what the instance holds.
type special func(thread *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

var dictSpecials = map[string]special{
	"__init__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return i.callHeld("update", args, kwargs)
	},
	"__getitem__": func(thread *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		v, found, err := i.data.(*slot.Dict).Get(args[0])
		if err != nil || found {
			return v, err
		}
		if v, ok, err := i.call("__missing__", args[0]); ok {
			return v, err
		}
		return nil, NewError(KeyError, "").(*Raised).with(args[0])
	},
	"__setitem__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, i.data.(*slot.Dict).SetKey(args[0], args[1])
	},
	"__ior__": inPlace(syntax.PIPE),
	"__contains__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		_, found, err := i.data.(*slot.Dict).Get(args[0])
		return starlark.Bool(found), err
	},
}

// inPlace is what a special method of x op= y does with what an instance holds.
func inPlace(op syntax.Token) special {
	return func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		z, err := value.InPlace(op, i.data, value.Held(args[0]))
		if err != nil || z != i.data {
			return z, err
		}
		return i.Value(), nil
	}
}

var listSpecials = map[string]special{
	"__lt__":   compares(syntax.LT),
	"__le__":   compares(syntax.LE),
	"__gt__":   compares(syntax.GT),
	"__ge__":   compares(syntax.GE),
	"__iadd__": inPlace(syntax.PLUS),
	"__imul__": inPlace(syntax.STAR),
	"__init__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args)+len(kwargs) == 0 {
			return starlark.None, nil
		}
		return i.callHeld("extend", args, kwargs)
	},
	"__getitem__": func(thread *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if s, ok := args[0].(*value.Slice); ok {
			return value.SliceOf(thread, i.data, s.Lo, s.Hi, s.Step)
		}
		list := i.data.(*slot.List)
		n, err := place(list, args[0])
		if err != nil {
			return nil, err
		}
		return list.Index(n), nil
	},
	"__setitem__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		list := i.data.(*slot.List)
		if s, ok := args[0].(*value.Slice); ok {
			return starlark.None, value.SlicedList{List: list}.SetKey(s, args[1])
		}
		n, err := place(list, args[0])
		if err != nil {
			return nil, err
		}
		return starlark.None, list.SetIndex(n, args[1])
	},
	"__contains__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.Binary(syntax.IN, args[0], i.data)
	},
	"__add__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.Binary(syntax.PLUS, i.data, value.Held(args[0]))
	},
	"__radd__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.Binary(syntax.PLUS, value.Held(args[0]), i.data)
	},
	"__mul__": times, "__rmul__": times,
}

// times is n times the elements of what an instance holds.
func times(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return starlark.Binary(syntax.STAR, value.Factor(i.data), args[0])
}

// compares is the special method of a comparison of what an instance holds.
func compares(op syntax.Token) special {
	return func(thread *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		other := value.Held(args[0])
		if other.Type() != i.data.Type() {
			return NotImplemented, nil
		}
		return value.CompareIn(thread, op, i.data, other)
	}
}

// specials are those of both.
var specials = map[string]special{
	"__delitem__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, DeleteItem(i.data, args[0])
	},
	"__len__": func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.MakeInt(starlark.Len(i.data)), nil
	},
	"__iter__": func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return i.data, nil
	},
	"__eq__": func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return value.Compare(syntax.EQL, i.data, value.Held(args[0]))
	},
	"__repr__": func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.String(value.Repr(i.data)), nil
	},
}

// arguments are how many arguments special methods take besides the instance.
var arguments = map[string]int{"__getitem__": 1, "__setitem__": 2, "__contains__": 1, "__add__": 1, "__radd__": 1, "__mul__": 1, "__rmul__": 1, "__lt__": 1, "__le__": 1, "__gt__": 1, "__ge__": 1, "__iadd__": 1, "__imul__": 1, "__ior__": 1, "__delitem__": 1,
	"__len__": 0, "__iter__": 0, "__eq__": 1, "__repr__": 0}

func newContainer(name string, own map[string]special) *Class {
	c := &Class{name: name, bases: []*Class{Object}, own: true, special: true, holds: name, serial: serials.Add(1), doc: "A " + name + " as a base of classes."}
	c.mro = []*Class{c, Object}
	add := func(name string, fn special) {
		c.members.set(name, &native{name: name, plain: c.name, fn: func(thread *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if i.Held() == nil || i.data.Type() != c.name {
				return nil, typeError("%s.%s: got %s, want an instance of a class that derives from %s", c.name, name, typeName(i.Value()), c.name)
			}
			if want, fixed := arguments[name]; fixed && len(args)+len(kwargs) != want {
				return nil, typeError("%s.%s: got %d arguments, want %d", c.name, name, len(args)+len(kwargs), want)
			}
			return fn(thread, i, args, kwargs)
		}})
	}
	for _, table := range []map[string]special{specials, own} {
		for name, fn := range table {
			add(name, fn)
		}
	}
	for _, name := range value.MethodTables()[name].Names() {
		add(name, func(_ *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return i.callHeld(name, args, kwargs)
		})
	}
	slices.Sort(c.members.names)
	return c
}

// callHeld calls a method of what the instance holds.
func (i *Instance) callHeld(name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m, err := value.Attr(i.data, name)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(args)
	for j, a := range all {
		all[j] = value.Held(a)
	}
	return value.Call(i.host.Current(), m, all, kwargs)
}

// Held is the dict or list that an instance of a class derived from them holds, nil of others.
func (i *Instance) Held() starlark.Value {
	if i.more == nil {
		return nil
	}
	return i.data
}

// hold makes what an instance of a class that derives from dict or list holds.
func (i *Instance) hold() {
	for _, c := range i.class.mro {
		switch c.holds {
		case "dict":
			i.data = slot.NewDict(0)
		case "list":
			i.data = slot.NewList(nil)
		}
	}
}

// place returns the index k of a list, negative ones from the end.
func place(list *slot.List, k starlark.Value) (int, error) {
	k, err := value.Index(value.Plain(k))
	if err != nil {
		return 0, err
	}
	n, err := value.Near(k)
	if err != nil {
		return 0, typeError("list indices must be integers or slices, not %s", typeName(k))
	}
	if n < -list.Len() || n >= list.Len() {
		return 0, NewError(IndexError, fmt.Sprintf("list index %s out of range: the list has %d elements", k, list.Len()))
	}
	if n < 0 {
		n += list.Len()
	}
	return n, nil
}

// fromKeys is dict.fromkeys.
var fromKeys = value.Bound("fromkeys", "A dict of keys that all have the same value.", `dict.fromkeys([1, 2], 0) # {1: 0, 2: 0}`,
	func(v []starlark.Value) (starlark.Value, error) {
		keys, err := value.Iterable(v[0])
		if err != nil {
			return nil, fmt.Errorf("fromkeys: %w", err)
		}
		if err := value.CheckLen("fromkeys", keys); err != nil {
			return nil, err
		}
		var each starlark.Value = starlark.None
		if v[1] != nil {
			each = v[1]
		}
		d := slot.NewDict(0)
		for k := range starlark.Elements(keys) {
			if err := d.SetKey(value.Plain(k), each); err != nil {
				return nil, err
			}
		}
		return d, nil
	}, "keys: an iterable", "value=None: that of each")

func init() {
	containers["dict"].members.set("fromkeys", &static{wrapped{"staticmethod"}, fromKeys.Value()})
	value.MemberOfType = func(typ, name string) (starlark.Value, bool) {
		c := containers[typ]
		if typ == "type" {
			c = Type
		}
		if c == nil {
			return nil, false
		}
		v := c.members.get(name)
		if s, isStatic := v.(*static); isStatic {
			v = s.fn
		}
		return v, v != nil
	}
}
