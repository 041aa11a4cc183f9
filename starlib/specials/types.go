package specials

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Methods that several types have.
const (
	ofObject = "__delattr__ __dir__ __eq__ __format__ __ge__ __getattribute__ __gt__ __hash__ __init__ __le__ __lt__ __ne__ __setattr__"
	ofReal   = "__abs__ __add__ __bool__ __divmod__ __float__ __floordiv__ __int__ __mod__ __mul__ __neg__ __pos__ __pow__ __radd__ " +
		"__rdivmod__ __rfloordiv__ __rmod__ __rmul__ __rpow__ __rsub__ __rtruediv__ __sub__ __truediv__"
	ofBits     = " __and__ __invert__ __lshift__ __or__ __rand__ __rlshift__ __ror__ __rrshift__ __rshift__ __rxor__ __xor__"
	ofInt      = ofReal + ofBits + " __ceil__ __floor__ __index__ __round__ __trunc__"
	ofSequence = "__add__ __contains__ __getitem__ __iter__ __len__ __mul__ __rmul__"
	ofList     = ofSequence + " __delitem__ __iadd__ __imul__ __reversed__ __setitem__"
	ofText     = ofSequence + " __mod__ __rmod__"
	ofDict     = "__contains__ __delitem__ __getitem__ __ior__ __iter__ __len__ __or__ __reversed__ __ror__ __setitem__"
	ofSet      = "__and__ __contains__ __iter__ __len__ __or__ __rand__ __ror__ __rsub__ __rxor__ __sub__ __xor__"
	ofScalar   = ofReal + ofBits + " __copy__ __deepcopy__"
	ofArray    = ofScalar + " __complex__ __contains__ __delitem__ __getitem__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __index__ " +
		"__ior__ __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __len__ __matmul__ __rmatmul__ __setitem__"
	ofVariable = "__abs__ __add__ __and__ __divmod__ __floordiv__ __getitem__ __invert__ __iter__ __mod__ __mul__ __neg__ __or__ __pow__ __radd__ __rand__ " +
		"__rdivmod__ __rfloordiv__ __rmod__ __rmul__ __ror__ __rpow__ __rsub__ __rtruediv__ __rxor__ __sub__ __truediv__ __xor__"
)

// types are the methods of each type besides those of object, by what Type returns. A type that is
// not here has those that its values act by: see acts.
var types = map[string][]string{}

func init() {
	for names, methods := range map[string]string{
		"int bool": ofInt, "float": ofReal + " __ceil__ __floor__ __round__ __trunc__",
		"complex": "__abs__ __add__ __bool__ __complex__ __mul__ __neg__ __pos__ __pow__ __radd__ __rmul__ __rpow__ __rsub__ __rtruediv__ __sub__ __truediv__",
		"string":  ofText, "bytes": ofText, "list": ofList, "tuple": ofSequence, "deque": ofList + " __copy__",
		"dict defaultdict OrderedDict Counter": ofDict, "set": ofSet + " __iand__ __ior__ __isub__ __ixor__", "frozenset": ofSet,
		"range": "__bool__ __contains__ __getitem__ __iter__ __len__ __reversed__", "NoneType": "__bool__",
		"generator iterator": "__iter__ __next__", "function": "__get__", "slice ellipsis module builtin_function_or_method method NotImplementedType": "",
		"ndarray": ofArray, "float64": ofScalar + " __ceil__ __floor__ __round__ __trunc__", "float32": ofScalar + " __round__",
		"int8 int16 int32 int64 uint8 uint16 uint32 uint64": ofScalar + " __index__ __round__", "bool_": ofScalar + " __index__",
		"complex64 complex128": ofScalar + " __complex__",
		"dtype":                "__bool__ __len__",
		"TensorVariable TensorConstant TensorSharedVariable": ofVariable, "ScalarVariable ScalarConstant ScalarSharedVariable": ofVariable,
		"Method": "",
	} {
		for _, name := range strings.Fields(names) {
			types[name] = slices.Sorted(slices.Values(append(strings.Fields(methods), ofAll...)))
		}
	}
}

// ofAll are the methods of object.
var ofAll = strings.Fields(ofObject)

// methodsOf are the names of the special methods of a value.
func methodsOf(x starlark.Value) []string {
	if names, ok := types[x.Type()]; ok {
		return names
	}
	names := slices.Clone(ofAll)
	for _, a := range acts {
		if a.does(x) {
			names = append(names, a.names...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// acts are the methods by what a value does, of types that have no row.
var acts = []struct {
	names []string
	does  func(starlark.Value) bool
}{
	{[]string{"__iter__"}, is[starlark.Iterable]},
	{[]string{"__len__"}, is[starlark.Sequence]},
	{[]string{"__getitem__", "__contains__"}, is[starlark.Mapping]},
	{[]string{"__getitem__", "__len__"}, is[starlark.Indexable]},
	{[]string{"__setitem__"}, is[starlark.HasSetKey]},
	{[]string{"__setitem__"}, is[starlark.HasSetIndex]},
}

func is[T any](x starlark.Value) bool {
	_, ok := x.(T)
	return ok
}

// sameKinds are the types whose values the operators of a type take as the other operand, where
// that is not any: what else there is has the method return NotImplemented.
var sameKinds = map[string][]string{
	"int": {"int", "bool"}, "bool": {"int", "bool"}, "float": {"int", "bool", "float"}, "complex": {"int", "bool", "float", "complex"},
	"string": {"string"}, "bytes": {"bytes"}, "list": {"list"}, "tuple": {"tuple"}, "range": {"range"}, "slice": {"slice"},
	"dict": dicts, "defaultdict": dicts, "OrderedDict": dicts, "Counter": dicts,
	"set": sets, "frozenset": sets, "deque": {"deque"},
}

var (
	dicts = []string{"dict", "defaultdict", "OrderedDict", "Counter"}
	sets  = []string{"set", "frozenset"}
)

// ordered are the types of these that have an order.
var ordered = map[string]bool{"int": true, "bool": true, "float": true, "string": true, "bytes": true, "list": true, "tuple": true,
	"set": true, "frozenset": true, "deque": true}

// unhashable reports whether values of the type have no hash: their __hash__ is None.
func unhashable(x starlark.Value) bool {
	switch x.(type) {
	case *slot.List, *slot.Dict, *slot.Set:
		return x.Type() != "frozenset"
	}
	return slices.Contains([]string{"ndarray", "deque", "defaultdict"}, x.Type())
}
