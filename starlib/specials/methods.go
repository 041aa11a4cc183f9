package specials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A method is a special method, by the function that is called with the value first.
type method struct {
	of      string // "len" of the language, "operator.add" of a module
	params  []string
	turned  bool // the value is the second argument: __radd__
	strict  bool // it takes other values of some kinds: sameKinds
	ordered bool // and orders them
}

// methods are the special methods by name.
var methods = map[string]method{
	"__dir__": {of: "dir"}, "__hash__": {of: "hash"}, "__format__": {of: "format", params: []string{"format_spec"}},
	"__setattr__": {of: "setattr", params: []string{"name", "value"}}, "__getattribute__": {of: "getattr", params: []string{"name"}},
	"__delattr__": {of: "delattr", params: []string{"name"}}, "__init__": {params: []string{"*args", "**kwargs"}},
	"__len__": {of: "len"}, "__iter__": {of: "iter"}, "__next__": {of: "next"}, "__reversed__": {of: "reversed"},
	"__contains__": {of: "operator.contains", params: []string{"key"}}, "__getitem__": {of: "operator.getitem", params: []string{"key"}},
	"__setitem__": {of: "operator.setitem", params: []string{"key", "value"}}, "__delitem__": {of: "operator.delitem", params: []string{"key"}},
	"__bool__": {of: "bool"}, "__int__": {of: "int"}, "__float__": {of: "float"}, "__complex__": {of: "complex"}, "__index__": {of: "int"},
	"__round__": {of: "round", params: []string{"ndigits=None"}}, "__trunc__": {of: "math.trunc"}, "__floor__": {of: "math.floor"}, "__ceil__": {of: "math.ceil"},
	"__abs__": {of: "abs"}, "__neg__": {of: "operator.neg"}, "__pos__": {of: "operator.pos"}, "__invert__": {of: "operator.invert"},
	"__copy__": {of: "copy.copy"}, "__deepcopy__": {of: "copy.deepcopy", params: []string{"memo=None"}},
	"__pow__": {of: "pow", params: []string{"value", "mod=None"}, strict: true}, "__get__": {params: []string{"instance", "owner=None"}},
}

func init() {
	for name, of := range map[string]string{"add": "operator.add", "sub": "operator.sub", "mul": "operator.mul", "matmul": "operator.matmul", "truediv": "operator.truediv",
		"floordiv": "operator.floordiv", "mod": "operator.mod", "divmod": "divmod", "pow": "pow", "lshift": "operator.lshift", "rshift": "operator.rshift",
		"and": "operator.and_", "or": "operator.or_", "xor": "operator.xor"} {
		plain := method{of: of, params: []string{"value"}, strict: true}
		if name != "pow" {
			methods["__"+name+"__"] = plain
		}
		plain.turned = true
		methods["__r"+name+"__"] = plain
		if name != "divmod" {
			methods["__i"+name+"__"] = method{of: "operator.i" + strings.TrimPrefix(strings.TrimSuffix(of, "_"), "operator."), params: []string{"value"}, strict: true}
		}
	}
	for _, name := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		methods["__"+name+"__"] = method{of: "operator." + name, params: []string{"value"}, strict: true, ordered: name != "eq" && name != "ne"}
	}
	value.Specials.Is = func(name string) bool { _, is := methods[name]; return is }
	value.Specials.Of = methodOf
	value.Specials.OfType = methodOfType
	value.Specials.OfTypeNames = func(typ string) []string { return types[typ] }
}

// has reports whether the values of a type have the method.
func has(x starlark.Value, name string) bool {
	if _, is := methods[name]; !is {
		return false
	}
	_, found := slices.BinarySearch(methodsOf(x), name)
	return found
}

// methodOf is the special method of a value, nil if it has none of the name.
func methodOf(x starlark.Value, name string) starlark.Value {
	if !has(x, name) {
		return nil
	}
	if name == "__hash__" && unhashable(x) {
		return starlark.None
	}
	b := builtin(name)
	b.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return methods[name].call(thread, b, args, kwargs)
	}
	return b.Method(x)
}

// methodOfType is the special method of a type as its attribute, int.__add__: the value is its
// first argument.
func methodOfType(typ *value.Builtin, name string) starlark.Value {
	names, known := types[typ.Types[0]]
	if _, is := methods[name]; !is || !known {
		return nil
	}
	if _, found := slices.BinarySearch(names, name); !found {
		return nil
	}
	b := value.Builtin{Name: typ.Name + "." + name, Params: []value.Param{{Name: "self"}, {Name: "*args"}, {Name: "**kwargs"}}}
	b.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 0 {
			return nil, fmt.Errorf("%s: got 0 arguments, want a %s first", b.Name, typ.Name)
		}
		self := value.Held(args[0])
		if !slices.Contains(typ.Types, self.Type()) {
			return nil, fmt.Errorf("%s: got %s, want a %s first", b.Name, self.Type(), typ.Name)
		}
		m := methodOf(self, name)
		if m == nil || m == starlark.None {
			return nil, fmt.Errorf("%s: got %s, which has no %s", b.Name, self.Type(), name)
		}
		return value.Call(thread, m, args[1:], kwargs)
	}
	return b.Value()
}

// builtin is the function of a method, without what it does.
func builtin(name string) value.Builtin {
	m := methods[name]
	b := value.Builtin{Name: name, Doc: "What " + m.says() + "."}
	for _, p := range m.params {
		b.Params = append(b.Params, value.ParseParam(p))
	}
	return b
}

// says describes the method by its function.
func (m method) says() string {
	if m.of == "" {
		return "the language calls by itself"
	}
	return m.of + " does with the value"
}

// call calls the function for the receiver.
func (m method) call(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	x := b.Receiver()
	switch b.Name {
	case "__init__":
		return begin(thread, x, args, kwargs)
	case "__eq__", "__ne__":
		if _, known := sameKinds[x.Type()]; !known && len(args) == 1 && !is[value.Comparer](x) {
			return same(x, args[0], b.Name == "__eq__"), nil
		}
	}
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	if b.Name == "__get__" {
		if v[0] == starlark.None {
			return x, nil
		}
		return value.Objects.Bind(x, v[0]), nil
	}
	if m.strict && m.declines(b.Name, x, v[0]) {
		return value.Objects.NotImplemented, nil
	}
	all := starlark.Tuple{x}
	for _, a := range v {
		if a != nil {
			all = append(all, a)
		}
	}
	if m.turned {
		all[0], all[1] = all[1], all[0]
	}
	fn, err := function(thread, m.of)
	if err != nil {
		return nil, err
	}
	z, err := value.Call(thread, fn, all, nil)
	if err != nil || b.Name != "__reversed__" {
		return z, err
	}
	return methods["__iter__"].call(thread, iterating(z), nil, nil)
}

// iterating is the method __iter__ of a value.
func iterating(x starlark.Value) *value.Builtin {
	b := builtin("__iter__")
	return value.AsBuiltin(b.Method(x))
}

// declines reports whether the method leaves the operation to the other operand.
func (m method) declines(name string, x, y starlark.Value) bool {
	kinds, known := sameKinds[x.Type()]
	if !known {
		_, operates := x.(starlark.HasBinary)
		return !operates
	}
	switch x.(type) {
	case starlark.String, starlark.Bytes, starlark.Tuple, starlark.Indexable:
		switch name {
		case "__add__", "__mul__", "__rmul__", "__mod__", "__iadd__", "__imul__":
			return false // they say themselves what they cannot take
		}
	}
	return m.ordered && !ordered[x.Type()] || !slices.Contains(kinds, value.Held(y).Type())
}

// same is x == y of what is equal to itself alone, and NotImplemented of others.
func same(x, y starlark.Value, equal bool) starlark.Value {
	if is, err := starlark.Equal(x, y); err == nil && is {
		return starlark.Bool(equal)
	}
	return value.Objects.NotImplemented
}

// begin is x.__init__(...): what list, dict and set fill their values with anew.
func begin(thread *starlark.Thread, x starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	fill := map[string]string{"list": "extend", "dict": "update", "set": "update"}[x.Type()]
	if fill == "" {
		return starlark.None, nil
	}
	for _, name := range []string{"clear", fill} {
		if name == fill && len(args)+len(kwargs) == 0 {
			break
		}
		if name == "clear" && x.Type() == "dict" {
			continue
		}
		fn, err := value.Attr(x, name)
		if err != nil {
			return nil, err
		}
		with, named := args, kwargs
		if name == "clear" {
			with, named = nil, nil
		}
		if _, err := value.Call(thread, fn, with, named); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// function is a function of the language, or of a module that is imported.
func function(thread *starlark.Thread, name string) (starlark.Value, error) {
	s := session.Of(thread)
	module, member, dotted := strings.Cut(name, ".")
	if !dotted {
		return s.Predeclared()[name], nil
	}
	return importMember(s, module, member)
}

// importMember returns a member of a module.
func importMember(s *session.Session, module, name string) (starlark.Value, error) {
	m, err := s.Import(module)
	if err != nil {
		return nil, err
	}
	return value.Attr(m, name)
}
