package library

import (
	"github.com/arignote/arignote/starlib/object"
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
	value.BoundOn("load", "The value of the JSON text of an open file.",
		`f = open("a", "w"); n = f.write("[1, null]"); f.close(); json.load(open("a")) # [1, None]`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			read, err := value.Attr(v[0], "read")
			if err != nil {
				return nil, err
			}
			text, err := value.Call(thread, read, nil, nil)
			if err != nil {
				return nil, err
			}
			return loads(thread, text)
		}, "fp: an open file"),
	value.BoundOn("loads", "The value of JSON text.", `json.loads("{\"a\": null}") # {"a": None}`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			return loads(thread, v[0])
		}, "s|x: text or bytes"),
}), value.Member{Name: "JSONDecodeError", Value: jsonDecodeError,
	Doc:     "The class of errors of text that is no JSON: with msg, doc, pos, lineno and colno.",
	Example: `issubclass(json.JSONDecodeError, ValueError) # True`})...)

var jsonDecodeError = object.ClassNamed("JSONDecodeError")

var indent = library(starlarkjson.Module, "indent", "indent", "JSON text laid out in lines.",
	`json.indent("[]") # "[]"`, "s: JSON text", "*:", `prefix="": of every line`,
	`indent="\t": of a level`)

// dumpsOptions are the parameters that dump and dumps have.
type dumpsOptions struct {
	_          struct{}       `arg:"*:"`
	SkipKeys   starlark.Value `arg:"skipkeys=False: leave out keys that JSON cannot have"`
	ASCII      starlark.Value `arg:"ensure_ascii=True: write other characters as \\u escapes"`
	NaN        starlark.Value `arg:"allow_nan=True: write NaN and Infinity, which JSON does not have"`
	Indent     starlark.Value `arg:"indent=None: spaces of a level, or its text; None writes one line"`
	Separators starlark.Value `arg:"separators=None: text between elements, and after keys"`
	Default    starlark.Value `arg:"default=None: a function to what is written for other values"`
	SortKeys   starlark.Value `arg:"sort_keys=False: write dicts in the order of their keys"`
}
