package starlib

import (
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// universeTable documents the functions that are Starlark's own. Those that this package
// has versions of are in the other tables.
var universeTable = []value.Builtin{
	own("all", "True if every element of x is true.", "all([1, 0]) # False", "x: an iterable"),
	own("any", "True if some element of x is true.", "any([1, 0]) # True", "x: an iterable"),
	own("bool", "The truth of a value.", "bool([]) # False", "x=False: any value"),
	own("bytes", "Bytes from a string or an iterable of small integers.", "bytes([65]) # b\"A\"", "x: string, bytes or iterable"),
	own("chr", "The string of one code point.", `chr(65) # "A"`, "i: a code point"),
	own("dict", "A dictionary of pairs and keyword arguments.", `dict(a=1) # {"a": 1}`, "*pairs: a mapping or an iterable of pairs",
		"**kwargs: further entries"),
	own("dir", "The names of a value's attributes.", `dir(struct(a=1)) # ["a"]`, "x: any value"),
	own("enumerate", "Pairs of index and element.", `enumerate(["a"]) # [(0, "a")]`, "x: an iterable", "start=0: the first index"),
	own("float", "A number from a number, bool or string.", `float("1.5") # 1.5`, "x=0.0: what to convert"),
	own("getattr", "An attribute by name; default if there is none.", `getattr(struct(a=1), "a") # 1`, "x: any value",
		"name: a string", "default=None: instead of an error"),
	own("hasattr", "True if the value has the attribute.", `hasattr([], "append") # True`, "x: any value", "name: a string"),
	own("hash", "An integer that is equal for equal strings.", `hash("") # 0`, "x: string or bytes"),
	own("int", "An integer from a number, bool or string; floats are cut.", `int("ff", 16) # 255`, "x=0: what to convert",
		"base=10: of a string"),
	own("list", "A list of the elements.", "list((1, 2)) # [1, 2]", "x=[]: an iterable"),
	own("ord", "The code point of a string of one.", `ord("A") # 65`, "s: a string"),
	own("range", "The integers from start up to stop, by step.", "list(range(2, 8, 3)) # [2, 5]",
		"*args: stop; or start and stop; or start, stop and step"),
	own("reversed", "A list of the elements, last first.", "reversed([1, 2]) # [2, 1]", "x: an iterable"),
	own("set", "A set of the elements.", "len(set([1, 1])) # 1", "x=[]: an iterable"),
	own("sorted", "A sorted list of the elements.", "sorted([2, 1]) # [1, 2]", "x: an iterable", "*:",
		"key=None: function of an element by which to compare", "reverse=False: largest first"),
	own("tuple", "A tuple of the elements.", "tuple([1]) # (1,)", "x=(): an iterable"),
	own("type", "The name of a value's type.", `type(1) # "int"`, "x: any value"),
	own("zip", "Tuples of the first elements, the second, ..., up to the end of the shortest.",
		`zip([1, 2], "ab".elems()) # [(1, "a"), (2, "b")]`, "*args: iterables"),
}

// own returns the row of a function of Starlark's. Each parameter is written
// "name=default: documentation".
func own(name, doc, example string, params ...string) value.Builtin {
	b := value.Builtin{Name: name, Doc: doc, Example: example}
	for _, p := range params {
		b.Params = append(b.Params, value.ParseParam(p))
	}
	fn := starlark.Universe[name].(*starlark.Builtin)
	b.Fn = func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return fn.CallInternal(thread, args, kwargs)
	}
	return b
}
