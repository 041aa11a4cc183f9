package library

import (
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	starlarkjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
)

// JSON is Starlark's library, and dumps and loads as Python has them.
var JSON = value.NewModule("json", "JSON text.", append(value.Builtins([]value.Builtin{
	value.BoundOn("decode", "The value of JSON text.", `json.decode("[1, 2]") # [1, 2]`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			x, err := loads(thread, v[0])
			if err != nil && v[1] != nil {
				return v[1], nil
			}
			return x, err
		}, "x: text", "default=None: instead of an error"),
	value.Function("dump", "Writes the JSON text of a value to an open file.",
		`f = open("a", "w"); json.dump([1], f); f.close(); open("a").read() # "[1]"`,
		func(thread *starlark.Thread, a *struct {
			Obj starlark.Value `arg:"obj|x: a value"`
			FP  starlark.Value `arg:"fp: a file that is open for text"`
			dumpsOptions
		}) (starlark.Value, error) {
			text, err := a.text(thread, "dump", a.Obj)
			if err != nil {
				return nil, err
			}
			write, err := value.Attr(a.FP, "write")
			if err == nil {
				_, err = value.Call(thread, write, starlark.Tuple{text}, nil)
			}
			return starlark.None, err
		}),
	value.Function("dumps", "JSON text of a value: of None, bools, numbers, text, lists, tuples, "+
		"dicts with keys of text or numbers, structs and arrays.",
		`json.dumps({"a": [1, 2.5, None]}) # "{\"a\": [1, 2.5, null]}"`,
		func(thread *starlark.Thread, a *struct {
			Obj starlark.Value `arg:"obj|x: a value"`
			dumpsOptions
		}) (starlark.Value, error) {
			return a.text(thread, "dumps", a.Obj)
		}),
	value.BoundOn("encode", "JSON text of a value, without spaces, keys sorted.",
		`json.encode({"a": 1}) # "{\"a\":1}"`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			return encoded(thread, "json.encode", v[0])
		}, "x: a value"),
	value.BoundOn("encode_indent", "JSON text of a value, laid out in lines.",
		`json.encode_indent([], indent=" ") # "[]"`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			text, err := encoded(thread, "json.encode_indent", v[0])
			if err != nil {
				return nil, err
			}
			var layout []starlark.Tuple
			for i, name := range []starlark.String{"prefix", "indent"} {
				if v[2+i] != nil {
					layout = append(layout, starlark.Tuple{name, v[2+i]})
				}
			}
			return indent.Fn(thread, &indent, starlark.Tuple{text}, layout)
		}, "x: a value", "*:", `prefix="": of every line`, `indent="\t": of a level`),
	indent,
	value.Function("load", "The value of the JSON text of an open file.",
		`f = open("a", "w"); n = f.write("[1, null]"); f.close(); json.load(open("a")) # [1, None]`,
		func(thread *starlark.Thread, a *struct {
			File starlark.Value `arg:"fp: an open file"`
			loadsOptions
		}) (starlark.Value, error) {
			read, err := value.Attr(a.File, "read")
			if err != nil {
				return nil, err
			}
			text, err := value.Call(thread, read, nil, nil)
			if err != nil {
				return nil, err
			}
			return a.value(thread, text)
		}),
	value.Function("loads", "The value of JSON text.", `json.loads("{\"a\": null}") # {"a": None}`,
		func(thread *starlark.Thread, a *struct {
			Text starlark.Value `arg:"s|x: text or bytes"`
			loadsOptions
		}) (starlark.Value, error) {
			return a.value(thread, a.Text)
		}),
}), value.Member{Name: "JSONDecodeError", Value: jsonDecodeError,
	Doc:     "The class of errors of text that is no JSON: with msg, doc, pos, lineno and colno.",
	Example: `issubclass(json.JSONDecodeError, ValueError) # True`})...)

var jsonDecodeError = object.ClassNamed("JSONDecodeError")

var indent = library(starlarkjson.Module, "indent", "indent", "JSON text laid out in lines.",
	`json.indent("[]") # "[]"`, "s: JSON text", "*:", `prefix="": of every line`,
	`indent="\t": of a level`)

// loadsOptions are the parameters that load and loads have.
type loadsOptions struct {
	_     struct{}       `arg:"*:"`
	Class starlark.Value `arg:"cls=None: a class that derives from JSONDecoder"`
	Hook  starlark.Value `arg:"object_hook=None: a function of each dict, to what stands for it"`
	Pairs starlark.Value `arg:"object_pairs_hook=None: a function of the pairs of each dict, to what stands for it"`
}

// value is the value of a text.
func (o *loadsOptions) value(thread *starlark.Thread, text starlark.Value) (starlark.Value, error) {
	if o.Class != nil && o.Class != starlark.None {
		return through(thread, o.Class, "decode", text, []starlark.Tuple{
			{starlark.String("object_hook"), given(o.Hook)}, {starlark.String("object_pairs_hook"), given(o.Pairs)}})
	}
	v, err := loads(thread, text)
	if err != nil || given(o.Hook) == starlark.None && given(o.Pairs) == starlark.None {
		return v, err
	}
	return o.hooked(thread, v)
}

// given is an argument, None if it was not.
func given(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}

// through makes an instance of a class with options, and has a method of it do the work.
func through(thread *starlark.Thread, class starlark.Value, method string, x starlark.Value, options []starlark.Tuple) (starlark.Value, error) {
	instance, err := value.Call(thread, class, nil, options)
	if err != nil {
		return nil, err
	}
	do, err := value.Attr(instance, method)
	if err != nil {
		return nil, err
	}
	return value.Call(thread, do, starlark.Tuple{x}, nil)
}

// hooked is a value with what the hooks make of its dicts, the inner ones first.
func (o *loadsOptions) hooked(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case *slot.List:
		for i := range v.Len() {
			x, err := o.hooked(thread, v.Index(i))
			if err != nil {
				return nil, err
			}
			if err := v.SetIndex(i, x); err != nil {
				return nil, err
			}
		}
	case *slot.Dict:
		var pairs []starlark.Value
		for _, kv := range v.Items() {
			x, err := o.hooked(thread, kv[1])
			if err != nil {
				return nil, err
			}
			if err := v.SetKey(kv[0], x); err != nil {
				return nil, err
			}
			pairs = append(pairs, starlark.Tuple{kv[0], x})
		}
		if given(o.Pairs) != starlark.None {
			return value.Call(thread, o.Pairs, starlark.Tuple{slot.NewList(pairs)}, nil)
		}
		return value.Call(thread, o.Hook, starlark.Tuple{v}, nil)
	}
	return v, nil
}

// dumpsOptions are the parameters that dump and dumps have.
type dumpsOptions struct {
	_          struct{}       `arg:"*:"`
	SkipKeys   starlark.Value `arg:"skipkeys=False: leave out keys that JSON cannot have"`
	ASCII      starlark.Value `arg:"ensure_ascii=True: write other characters as \\u escapes"`
	NaN        starlark.Value `arg:"allow_nan=True: write NaN and Infinity, which JSON does not have"`
	Indent     starlark.Value `arg:"indent=None: spaces of a level, or its text; None writes one line"`
	Separators starlark.Value `arg:"separators=None: text between elements, and after keys"`
	Default    starlark.Value `arg:"default=None: a function to what is written for other values"`
	Class      starlark.Value `arg:"cls=None: a class that derives from JSONEncoder"`
	SortKeys   starlark.Value `arg:"sort_keys=False: write dicts in the order of their keys"`
}
