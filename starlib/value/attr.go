package value

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// methodTables are the methods of Starlark's own types, by what Type returns.
var methodTables = map[string]*Methods{}

// ownMethods are the names of methods that Attr looks up.
var ownMethods = map[string]bool{}

// MethodTables returns the methods of Starlark's own types, by type.
func MethodTables() map[string]*Methods { return methodTables }

// IsOwnMethod reports whether attributes of the name are to be looked up by Attr.
func IsOwnMethod(name string) bool {
	return ownMethods[name] || dunders[name] != nil || ofTypes[name] || texts[name] != nil || name == "__class__" || isRich(name) || Specials.Is(name)
}

// Specials are the special methods of the language's own values, [1].__len__. Package specials sets
// them when the program starts.
var Specials = struct {
	// Is reports whether a method of the name is one.
	Is func(name string) bool
	// Of is that of a value, OfType that of a type; nil if there is none.
	Of     func(x starlark.Value, name string) starlark.Value
	OfType func(typ *Builtin, name string) starlark.Value
	// OfTypeNames are those that the values of a type have.
	OfTypeNames func(typ string) []string
}{
	Is:          func(string) bool { return false },
	Of:          func(starlark.Value, string) starlark.Value { return nil },
	OfType:      func(*Builtin, string) starlark.Value { return nil },
	OfTypeNames: func(string) []string { return nil },
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

// ofTypes are the members that types have as bases of classes, and as functions not.
var ofTypes = map[string]bool{"__init__": true, "__getitem__": true, "__setitem__": true, "__delitem__": true, "__contains__": true, "__len__": true,
	"__iter__": true, "fromkeys": true, "maketrans": true, "__new__": true, "__subclasses__": true, "mro": true}

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
	if isRich(name) {
		if m := RichMethod(x, name); m != nil {
			return m, nil
		}
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
	if c, ok := x.(Callable); ok && c.isTypeItself() {
		if v, ok := MemberOfType("type", name); ok {
			return v, nil
		}
	}
	if c, ok := x.(Callable); ok && c.Types != nil {
		if m := methodTables[c.Types[0]]; m != nil && m.Rows[name] != nil {
			if m.Rows[name].OfType {
				return m.Rows[name].Value(), nil
			}
			return unbound(c.Builtin.Name, c.Types[0], m.Rows[name]), nil
		}
		if v, ok := MemberOfType(c.Types[0], name); ok {
			return v, nil
		}
		if v := Specials.OfType(c.Builtin, name); v != nil {
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
		if v == nil {
			if m := specialMethod(x, name); m != nil {
				return m, nil
			}
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
	if v := specialMethod(x, name); v != nil {
		return v, nil
	}
	if msg == "" {
		msg = fmt.Sprintf("%s has no .%s field or method", x.Type(), name)
	}
	if n := config.Closest(name, AttrNames(x)); n != "" {
		msg += fmt.Sprintf(" (did you mean .%s?)", n)
	}
	return nil, fmt.Errorf("%s", msg)
}

// specialMethod is a special method, or the documentation of the type, of what is no instance of a
// class of the user's, nil if it has none of the name.
func specialMethod(x starlark.Value, name string) starlark.Value {
	_, isInstance := x.(Instance)
	if m, isModule := x.(*Module); isModule {
		switch name {
		case "__name__":
			return starlark.String(m.Name())
		case "__doc__":
			return starlark.String(m.Doc())
		}
	}
	if name == "__doc__" && !isInstance {
		doc, _ := dunder(x, name)
		return doc
	}
	if isInstance || !Specials.Is(name) {
		return nil
	}
	if fn, isFunction := x.(fields); isFunction {
		x = fn.Callable
	}
	return Specials.Of(x, name)
}

// SpecialNames are the names of the special methods that a value of a type of the language's has,
// or that the values of such a type have.
func SpecialNames(x starlark.Value) []string {
	var names []string
	if c, ok := x.(Callable); ok && c.Types != nil {
		names = Specials.OfTypeNames(c.Types[0])
	} else if _, isInstance := x.(Instance); !isInstance && x.Type() != "module" && x.Type() != "struct" {
		names = Specials.OfTypeNames(x.Type())
	}
	if names == nil {
		return nil
	}
	return append(slices.Clone(names), "__class__", "__doc__", "__repr__", "__str__")
}

// RichMethod is a method by which a value in Go shows itself to front ends, such as _repr_html_, or
// nil if it has none of the name. Package display sets it when the program starts.
var RichMethod = func(x starlark.Value, name string) starlark.Value { return nil }

func isRich(name string) bool { return strings.HasPrefix(name, "_repr_") }

// unbound is a method as an attribute of its type, str.lower: the value is its first argument, of
// which Type is want.
func unbound(typ, want string, method *Builtin) starlark.Value {
	b := *method
	b.Name, b.Asks = typ+"."+method.Name, nil
	b.Fn = func(thread *starlark.Thread, _ *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 0 {
			return nil, fmt.Errorf("%s.%s: got 0 arguments, want a %s first", typ, method.Name, typ)
		}
		if got := args[0].Type(); typeNames[got] != typ {
			return nil, fmt.Errorf("%s.%s: got %s, want %s", typ, method.Name, got, want)
		}
		return Call(thread, method.Method(args[0]), args[1:], kwargs)
	}
	return b.Value()
}

// AttrNames returns the names of the attributes of x, sorted; nil if it has none.
func AttrNames(x starlark.Value) []string {
	if c, ok := x.(Callable); ok && c.Types != nil && methodTables[c.Types[0]] != nil {
		return methodTables[c.Types[0]].Names()
	}
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

// MemberOfBase returns a method of the class that stands for a Base, theano.Op.__init__. Package
// object sets it when the program starts.
var MemberOfBase = func(b *Builtin, name string) (starlark.Value, bool) { return nil, false }

// MemberOfType returns a member of the class that stands for a type function as a base of classes,
// dict.__getitem__. Package object sets it when the program starts.
var MemberOfType = func(typ, name string) (starlark.Value, bool) { return nil, false }

// renamed are the names of what functions have of themselves, and that can be assigned: what
// functools.wraps does.
var renamed = map[string]bool{"__name__": true, "__qualname__": true, "__doc__": true, "__module__": true, "__wrapped__": true}

// pythonName is the name of a function, of which Python writes that of a lambda otherwise.
func pythonName(name string) string {
	if name == "lambda" {
		return "<lambda>"
	}
	return name
}

// docsOfTypes are what the functions of types say of themselves.
var docsOfTypes = map[string]string{}

// dunders are the attributes that every value, or every function, has.
var dunders = map[string]func(x starlark.Value) (starlark.Value, bool){
	"__call__": func(x starlark.Value) (starlark.Value, bool) {
		_, ok := x.(starlark.Callable)
		return x, ok
	},
	"__name__": func(x starlark.Value) (starlark.Value, bool) {
		f, ok := x.(starlark.Callable)
		if !ok {
			return nil, false
		}
		name := f.Name()
		return starlark.String(pythonName(name[strings.LastIndexByte(name, '.')+1:])), true
	},
	"__qualname__": func(x starlark.Value) (starlark.Value, bool) {
		if fn, ok := x.(Def); ok {
			parts := strings.Split(fn.Qualified(), ".")
			for i, part := range parts {
				parts[i] = pythonName(part)
			}
			return starlark.String(strings.Join(parts, ".")), true
		}
		return nil, false
	},
	"__wrapped__": func(starlark.Value) (starlark.Value, bool) { return nil, false }, // what functools.wraps has given a function
	"__dict__": func(x starlark.Value) (starlark.Value, bool) {
		fn, ok := x.(Def)
		if !ok {
			return nil, false
		}
		d := slot.NewDict(0)
		attrs := fn.Attrs()
		attrs.mu.Lock()
		defer attrs.mu.Unlock()
		for _, name := range attrs.values.Keys() {
			if !renamed[name] {
				d.SetKey(starlark.String(name), attrs.values[name])
			}
		}
		return d, true
	},
	"__defaults__": func(x starlark.Value) (starlark.Value, bool) {
		fn, ok := x.(Def)
		if !ok {
			return nil, false
		}
		_, values := NamedParams(fn, 0)
		values = slices.DeleteFunc(values[:len(values)-fn.NumKwonlyParams()], func(v starlark.Value) bool { return v == nil })
		if len(values) == 0 {
			return starlark.None, true
		}
		return starlark.Tuple(values), true
	},
	"__annotations__": func(x starlark.Value) (starlark.Value, bool) {
		_, ok := x.(Def)
		return slot.NewDict(0), ok // they are read and ignored
	},
	"__code__": func(x starlark.Value) (starlark.Value, bool) {
		fn, ok := x.(Def)
		if !ok {
			return nil, false
		}
		var names starlark.Tuple
		for i := range fn.NumParams() {
			name, _ := fn.Param(i)
			names = append(names, starlark.String(name))
		}
		named, _ := NamedParams(fn, 0)
		return starlarkstruct.FromStringDict(starlark.String("code"), starlark.StringDict{
			"co_name": starlark.String(fn.Name()), "co_filename": starlark.String(fn.Position().Filename()),
			"co_firstlineno": starlark.MakeInt(int(fn.Position().Line)), "co_varnames": names,
			"co_argcount":       starlark.MakeInt(len(named) - fn.NumKwonlyParams()),
			"co_kwonlyargcount": starlark.MakeInt(fn.NumKwonlyParams())}), true
	},
	"__doc__": func(x starlark.Value) (starlark.Value, bool) {
		switch x := x.(type) {
		case Def:
			if x.Doc() != "" {
				return starlark.String(x.Doc()), true
			}
			return starlark.None, true
		case Callable:
			return starlark.String(x.Doc), true
		}
		name := typeNames[x.Type()]
		if doc := docsOfTypes[name]; doc != "" {
			return starlark.String(doc), true
		}
		return starlark.None, name != ""
	},
}

// dunder returns such an attribute.
func dunder(x starlark.Value, name string) (starlark.Value, bool) {
	f := dunders[name]
	if f == nil {
		return nil, false
	}
	return f(x)
}
