package object

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Classes may derive from int, float, str and tuple too: their instances hold one, which __new__
// makes of what the class is called with, and nothing changes. Operators and methods are those of
// what they hold, so that x + 1 of an instance is an int.

func init() {
	for name, of := range map[string]string{"int": "int", "float": "float", "str": "string", "tuple": "tuple"} {
		c := own(name, Object, "A "+name+" as a base of classes.")
		c.special, c.holds = true, of
		holder(c, value.TypeRow(name))
		containers[of] = c
	}
	containers["string"].members.set("maketrans", &static{wrapped{"staticmethod"}, makeTrans.Value()})
}

// makeTrans is str.maketrans.
var makeTrans = value.Bound("maketrans", "The dict that str.translate takes: of a dict of characters, or of two texts of one length, and a third whose characters go.",
	`"abc".translate(str.maketrans("ab", "xy", "c")) # "xy"`,
	func(v []starlark.Value) (starlark.Value, error) {
		d := slot.NewDict(0)
		if v[1] == nil {
			from, ok := v[0].(starlark.IterableMapping)
			if !ok {
				return nil, typeError("maketrans: got %s, want a dict, or two texts of one length", typeName(v[0]))
			}
			for _, kv := range from.Items() {
				key := kv[0]
				if text, ok := starlark.AsString(key); ok {
					r := []rune(text)
					if len(r) != 1 {
						return nil, NewError(ValueError, "maketrans: got the key "+value.Repr(key)+", want one character")
					}
					key = starlark.MakeInt(int(r[0]))
				}
				if err := d.SetKey(key, kv[1]); err != nil {
					return nil, err
				}
			}
			return d, nil
		}
		var texts [3][]rune
		for i, x := range v {
			if x == nil {
				continue
			}
			text, ok := starlark.AsString(x)
			if !ok {
				return nil, typeError("maketrans: got %s, want text", typeName(x))
			}
			texts[i] = []rune(text)
		}
		if len(texts[0]) != len(texts[1]) {
			return nil, NewError(ValueError, fmt.Sprintf("maketrans: got texts of %d and %d characters, want as many", len(texts[0]), len(texts[1])))
		}
		for i, r := range texts[0] {
			d.SetKey(starlark.MakeInt(int(r)), starlark.MakeInt(int(texts[1][i])))
		}
		for _, r := range texts[2] {
			d.SetKey(starlark.MakeInt(int(r)), starlark.None)
		}
		return d, nil
	}, "x: a dict, or text", "y=None: what stands for its characters", "z=None: characters that go")

// hashed returns the value that an instance holds where both have one hash, nil for others.
func (i *Instance) hashed() starlark.Value {
	if i.more == nil || i.data == nil {
		return nil
	}
	m, from := i.class.find("__hash__")
	if _, ok := m.(*native); !ok || from.holds == "" || i.class.forgetsHash() {
		return nil
	}
	return i.data
}

// held makes the value of an instance. A tuple is its own copy.
func held(thread *starlark.Thread, c *Class, maker *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 && c.holds == "tuple" {
		if t, ok := args[0].(starlark.Tuple); ok {
			return t, nil
		}
	}
	return value.Call(thread, maker.Value(), args, kwargs)
}

// HeldBy returns the list, tuple or dict of an instance whose class derives from one, if the
// language's own special method of that name serves its elements; nil of others.
func HeldBy(x *value.Object, name string) starlark.Value {
	i := x.Being.(*Instance)
	if i.more == nil || i.data == nil {
		return nil
	}
	m, from := i.class.find(name)
	if _, ours := m.(*native); !ours || from.holds == "" {
		return nil
	}
	return i.data
}

// holder gives a class its methods; maker is the function that makes what instances hold.
func holder(c *Class, maker *value.Builtin) {
	add := func(name string, fn special) {
		c.members.set(name, &native{name: name, plain: maker.Types[0], fn: func(thread *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if i.Held() == nil {
				return nil, typeError("%s.%s: got %s, want an instance of a class that derives from %s", c.name, name, typeName(i.Value()), c.name)
			}
			return fn(thread, i, args, kwargs)
		}})
	}
	c.members.set("__new__", &static{wrapped{"staticmethod"}, &classMethodOf{wrapped{"builtin_function_or_method"}, "__new__",
		func(thread *starlark.Thread, k *Class, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := k.abstract(); err != nil {
				return nil, err
			}
			v, err := held(thread, c, maker, args, kwargs)
			if err != nil {
				return nil, err
			}
			i := k.begin(thread, nil)
			i.data = v
			return i.Value(), nil
		}}})
	for op, names := range methodsOf {
		if op == MatMul || op == syntax.STARSTAR {
			continue
		}
		add(names[0], one(func(i *Instance, y starlark.Value) (starlark.Value, error) {
			return declines(starlark.Binary(op, value.Factor(i.data), value.Held(y)))
		}))
		add(names[1], one(func(i *Instance, y starlark.Value) (starlark.Value, error) {
			return declines(starlark.Binary(op, value.Factor(value.Held(y)), i.data))
		}))
	}
	for op, names := range comparisons {
		add(names[0], one(func(i *Instance, y starlark.Value) (starlark.Value, error) {
			v, err := value.Compare(op, i.data, value.Held(y))
			if err != nil {
				return NotImplemented, nil
			}
			return v, nil
		}))
	}
	for name, fn := range map[string]func(v starlark.Value) (starlark.Value, error){
		"__hash__": Hash,
		"__bool__": func(v starlark.Value) (starlark.Value, error) { return v.Truth(), nil },
		"__repr__": func(v starlark.Value) (starlark.Value, error) { return starlark.String(value.Repr(v)), nil },
	} {
		add(name, none(fn))
	}
	add("__format__", func(thread *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		spec := ""
		if len(args) > 0 {
			spec, _ = starlark.AsString(args[0])
		}
		text, err := value.FormatValue(thread, i.data, spec)
		return starlark.String(text), err
	})
	if c.name == "str" { // of the others it is __repr__
		add("__str__", none(func(v starlark.Value) (starlark.Value, error) { return v, nil }))
	}
	switch c.name {
	case "int", "float":
		numbers(c, add)
	default:
		sequences(add)
	}
	for _, name := range value.MethodTables()[c.holds].Names() {
		if c.members.get(name) == nil {
			add(name, func(_ *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				return i.callHeld(name, args, kwargs)
			})
		}
	}
}

// numbers are the methods of int and float alone.
func numbers(c *Class, add func(string, special)) {
	for op, name := range map[syntax.Token]string{syntax.MINUS: "__neg__", syntax.PLUS: "__pos__", syntax.TILDE: "__invert__"} {
		add(name, none(func(v starlark.Value) (starlark.Value, error) { return starlark.Unary(op, v) }))
	}
	same := func(v starlark.Value) (starlark.Value, error) { return v, nil }
	if c.name == "int" {
		add("__index__", none(same))
		add("__int__", none(same))
		return
	}
	add("__float__", none(same))
}

// sequences are the methods of str and tuple alone.
func sequences(add func(string, special)) {
	add("__len__", none(func(v starlark.Value) (starlark.Value, error) { return starlark.MakeInt(places(nil, v).Len()), nil }))
	add("__iter__", none(func(v starlark.Value) (starlark.Value, error) {
		return value.Iterable(v)
	}))
	add("__contains__", one(func(i *Instance, y starlark.Value) (starlark.Value, error) {
		return starlark.Binary(syntax.IN, value.Held(y), i.data)
	}))
	add("__getitem__", func(thread *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 {
			return nil, typeError("__getitem__: got %d arguments, want 1", len(args))
		}
		if s, ok := args[0].(*value.Slice); ok {
			return value.SliceOf(thread, i.data, s.Lo, s.Hi, s.Step)
		}
		xs := places(thread, i.data)
		n, err := value.ElementAt(xs, args[0])
		if err != nil {
			return nil, err
		}
		return xs.Index(n), nil
	})
}

// places is what instances hold as what indexes count: of text its characters.
func places(thread *starlark.Thread, v starlark.Value) starlark.Indexable {
	if text, ok := v.(starlark.String); ok {
		v = value.CharsOf(thread, text)
	}
	return v.(starlark.Indexable)
}

// one is a method of one argument, none one of no argument, of what the instance holds.
func one(fn func(i *Instance, y starlark.Value) (starlark.Value, error)) special {
	return func(_ *starlark.Thread, i *Instance, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 {
			return nil, typeError("got %d arguments, want 1", len(args))
		}
		return fn(i, args[0])
	}
}

func none(fn func(v starlark.Value) (starlark.Value, error)) special {
	return func(_ *starlark.Thread, i *Instance, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return fn(i.data)
	}
}

// declines is what an operation gives that the types of its operands may not have.
func declines(v starlark.Value, err error) (starlark.Value, error) {
	if err != nil && strings.HasPrefix(err.Error(), "unknown binary op") {
		return NotImplemented, nil
	}
	return v, err
}
