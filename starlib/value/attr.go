package value

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/starlark"
)

// Starlark's own types have fewer methods than Python's. The tables methods_*.go document all
// methods of both; those that Starlark has not, or has without what cells need, have an
// implementation here. Attributes by their names are looked up by Attr.

// methodTables are the methods of Starlark's own types, by what Type returns.
var methodTables = map[string]*Methods{}

// ownMethods are the names of methods that Attr looks up.
var ownMethods = map[string]bool{}

func init() {
	for typ, table := range map[string][]Builtin{
		"string": stringTable, "bytes": bytesTable, "list": listTable, "tuple": tupleTable, "dict": dictTable, "set": setTable,
		"int": intTable, "bool": slices.Clone(intTable), "float": floatTable,
	} {
		for i := range table {
			b := &table[i]
			if b.Fn != nil || b.Asks != nil {
				ownMethods[b.Name] = true
			}
			if b.Fn == nil {
				b.Fn = callOwner
			}
		}
		methodTables[typ] = NewMethods(typ, table)
	}
	for typ, fields := range map[string][]Field{"int": intFields, "bool": intFields, "float": floatFields} {
		methodTables[typ].With(fields...)
		for _, f := range fields {
			ownMethods[f.Name] = true
		}
	}
}

// callOwner calls the method that the receiver's own type has, with NumPy's scalars among indexes
// and keys as numbers.
func callOwner(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := len(args)
	if first, ok := kept[b.Name]; ok {
		n = min(n, first)
	}
	taken := Plain(args[:n]).(starlark.Tuple)
	return b.callOwn(thread, append(taken[:n:n], args[n:]...), kwargs)
}

// callThrough calls such a method that goes through the elements of its arguments, and asks at
// each. callOwner's get what they are given: a key or an element may be an iterable too.
func callThrough(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return b.callOwn(thread, heard(thread, args), kwargs)
}

func (b *Builtin) callOwn(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m, err := b.recv.(starlark.HasAttrs).Attr(b.Name)
	if err != nil {
		return nil, err
	}
	return ofStarlark(m.(*starlark.Builtin), thread, args, kwargs)
}

// kept are the methods of which the argument at a place, and those after it, are values that a
// container keeps, or that are returned: they are what they are. The others are indexes, keys,
// texts, and iterables.
var kept = map[string]int{"append": 0, "insert": 1, "setdefault": 1, "get": 1, "pop": 1}

// MethodTables returns the methods of Starlark's own types, by type.
func MethodTables() map[string]*Methods { return methodTables }

// IsOwnMethod reports whether attributes of the name are to be looked up by Attr.
func IsOwnMethod(name string) bool {
	return ownMethods[name] || dunders[name] != nil || ofTypes[name] || texts[name] != nil || name == "__class__"
}

// texts are the methods that every value has: what repr(x) and str(x) return.
var texts = map[string]func(x starlark.Value) string{"__repr__": Repr, "__str__": Str}

// textMethod is one of them, of x.
func textMethod(x starlark.Value, name string, text func(starlark.Value) string) starlark.Value {
	b := Builtin{Name: name, Fn: func(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := b.Unpack(args, kwargs); err != nil {
			return nil, err
		}
		return starlark.String(text(x)), nil
	}}
	return b.Method(x)
}

// ofTypes are the members that dict and list have as bases of classes, and as functions not.
var ofTypes = map[string]bool{"__init__": true, "__getitem__": true, "__setitem__": true, "__delitem__": true, "__contains__": true, "__len__": true,
	"__iter__": true, "fromkeys": true}

// A Looker is a value whose attributes may be what code of the user's computes.
type Looker interface {
	// Look returns an attribute without running such code: of a property the property itself. It
	// returns nil if only running tells.
	Look(name string) starlark.Value
}

// Look is Attr for those who only look, as completion does: no code of the user's runs.
func Look(x starlark.Value, name string) (starlark.Value, error) {
	if l, ok := x.(Looker); ok {
		return l.Look(name), nil
	}
	return Attr(x, name)
}

// Attr returns the attribute of x, with Starlark's messages.
func Attr(x starlark.Value, name string) (starlark.Value, error) {
	if name == "__class__" {
		return TypeOf(x), nil
	}
	if m := methodTables[x.Type()]; m != nil {
		if b := m.Rows[name]; b != nil && b.OfType {
			return b.Value(), nil
		} else if b != nil {
			return b.Method(x), nil
		}
		if f := m.Field(name); f != nil {
			return f.Get(x)
		}
	}
	if c, ok := x.(Callable); ok && c.Base != nil {
		if v, ok := MemberOfBase(c.Builtin, name); ok {
			return v, nil
		}
	}
	if c, ok := x.(Callable); ok && c.Types != nil {
		if m := methodTables[c.Types[0]]; m != nil && m.Rows[name] != nil {
			if m.Rows[name].OfType {
				return m.Rows[name].Value(), nil
			}
			return unbound(c.Builtin.Name, m.Rows[name]), nil
		}
		if v, ok := MemberOfType(c.Types[0], name); ok {
			return v, nil
		}
	}
	if fn, ok := x.(Def); ok {
		x = fields{fn}
	}
	if _, has := x.(starlark.HasAttrs); !has || x.Type() == "string" {
		if v, ok := dunder(x, name); ok {
			return v, nil
		}
	}
	msg := ""
	if a, ok := x.(starlark.HasAttrs); ok {
		v, err := a.Attr(name)
		if text := texts[name]; text != nil && v == nil {
			return textMethod(x, name, text), nil
		}
		if nsa, ok := err.(starlark.NoSuchAttrError); ok {
			msg = string(nsa)
		} else if _, isFunction := x.(fields); isFunction && err != nil {
			msg = err.Error()
		} else if v != nil || err != nil {
			return v, err
		}
	}
	if text := texts[name]; text != nil {
		return textMethod(x, name, text), nil
	}
	if msg == "" {
		msg = fmt.Sprintf("%s has no .%s field or method", x.Type(), name)
	}
	if n := config.Closest(name, AttrNames(x)); n != "" {
		msg += fmt.Sprintf(" (did you mean .%s?)", n)
	}
	return nil, fmt.Errorf("%s", msg)
}

// unbound is a method as an attribute of its type, str.lower: the value is its first argument.
func unbound(typ string, method *Builtin) starlark.Value {
	b := *method
	b.Name, b.Asks = typ+"."+method.Name, nil
	b.Fn = func(thread *starlark.Thread, _ *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 0 {
			return nil, fmt.Errorf("%s.%s: got 0 arguments, want a %s first", typ, method.Name, typ)
		}
		if got := args[0].Type(); typeNames[got] != typ {
			return nil, fmt.Errorf("%s.%s: got %s, want %s", typ, method.Name, got, typeFuncs[typ].types[0])
		}
		return Call(thread, method.Method(args[0]), args[1:], kwargs)
	}
	return b.Value()
}

// AttrNames returns the names of the attributes of x, sorted; nil if it has none.
func AttrNames(x starlark.Value) []string {
	if m := methodTables[x.Type()]; m != nil {
		return m.Names()
	}
	if fn, ok := x.(Def); ok {
		x = fields{fn}
	}
	a, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil
	}
	names := slices.Clone(a.AttrNames())
	slices.Sort(names)
	return names
}

// theirs is the row of a method that the type has of itself. Parameters are written "name=default:
// documentation".
func theirs(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example, nil, params...)
}

func row(name, doc, example string, fn builtinFunc, params ...string) Builtin {
	b := Builtin{Name: name, Doc: doc, Example: example, Fn: fn}
	for _, p := range params {
		b.Params = append(b.Params, ParseParam(p))
	}
	return b
}
