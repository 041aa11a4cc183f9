package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/value"
	starlarkjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
)

// JSON is Starlark's library, and dumps and loads as Python has them.
var JSON = value.NewModule("json", "JSON text.", value.Builtins([]value.Builtin{
	library(starlarkjson.Module, "decode", "decode", "The value of JSON text.", `json.decode("[1, 2]") # [1, 2]`, "x: text",
		"default=None: instead of an error"),
	{Name: "dump", Doc: "Writes the JSON text of a value to an open file.", Example: `f = open("a", "w"); json.dump([1], f); f.close(); open("a").read() # "[1]"`,
		Params: slices.Insert(slices.Clone(dumpsRow.Params), 1, value.ParseParam("fp: a file that is open for text")),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			text, err := dumps(thread, "dump", slices.Delete(slices.Clone(v), 1, 2))
			if err != nil {
				return nil, err
			}
			write, err := value.Attr(v[1], "write")
			if err == nil {
				_, err = value.Call(thread, write, starlark.Tuple{text}, nil)
			}
			return starlark.None, err
		}},
	dumpsRow,
	value.BoundOn("encode", "JSON text of a value, without spaces, keys sorted.", `json.encode({"a": 1}) # "{\"a\":1}"`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			return encoded(thread, "json.encode", v[0])
		}, "x: a value"),
	value.BoundOn("encode_indent", "JSON text of a value, laid out in lines.", `json.encode_indent([], indent=" ") # "[]"`,
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
	value.BoundOn("load", "The value of the JSON text of an open file.", `f = open("a", "w"); n = f.write("[1, null]"); f.close(); json.load(open("a")) # [1, None]`,
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			read, err := value.Attr(v[0], "read")
			if err != nil {
				return nil, err
			}
			text, err := value.Call(thread, read, nil, nil)
			if err != nil {
				return nil, err
			}
			if data, ok := text.(starlark.Bytes); ok {
				text = starlark.String(data)
			}
			return loads.Fn(thread, &loads, starlark.Tuple{text}, nil)
		}, "fp: an open file"),
	loads,
})...)

var loads = library(starlarkjson.Module, "decode", "loads", "The value of JSON text.", `json.loads("{\"a\": null}") # {"a": None}`, "x: text")

var indent = library(starlarkjson.Module, "indent", "indent", "JSON text laid out in lines.", `json.indent("[]") # "[]"`, "s: JSON text",
	"*:", `prefix="": of every line`, `indent="\t": of a level`)

// encoded is the text of json.encode.
func encoded(thread *starlark.Thread, fn string, x starlark.Value) (starlark.Value, error) {
	separators := starlark.Tuple{starlark.String(","), starlark.String(":")}
	return dumps(thread, fn, []starlark.Value{x, nil, nil, starlark.True, separators, starlark.False})
}

// dumpsRow is the row of dumps; dump has its parameters.
var dumpsRow = value.BoundOn("dumps",
	"JSON text of a value: of None, bools, numbers, text, lists, tuples, dicts with keys of text or numbers, structs and arrays.",
	`json.dumps({"a": [1, 2.5, None]}) # "{\"a\": [1, 2.5, null]}"`,
	func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
		return dumps(thread, "dumps", v)
	}, "x: a value", "*:",
	"indent=None: spaces of a level, or its text; None writes one line", "sort_keys=False: write dicts in the order of their keys",
	"separators=None: a pair of text between elements, and between key and value",
	"ensure_ascii=True: write other characters as \\u escapes")

// An encoder writes JSON.
type encoder struct {
	ask        func(work int) // see tensor.Poll
	b          strings.Builder
	indent     string
	lines      bool
	sort       bool
	item, pair string // separators
	ascii      bool
}

// dumps is the text of v[0], by the other arguments of dumps; fn is the function that errors name.
func dumps(thread *starlark.Thread, fn string, v []starlark.Value) (starlark.Value, error) {
	poll := value.PollOf(thread)
	e := encoder{ask: poll.Ask, item: ", ", pair: ": ", ascii: v[5] == nil || bool(v[5].Truth()), sort: v[3] != nil && bool(v[3].Truth())}
	switch x := v[2].(type) {
	case nil, starlark.NoneType:
	case starlark.String:
		e.indent, e.lines, e.item = string(x), true, ","
	default:
		n, err := starlark.AsInt32(x)
		if err != nil || n < 0 || n > 100 {
			return nil, fmt.Errorf("%s: for parameter indent: got %s, want text or an int from 0 to 100", fn, value.Repr(x))
		}
		e.indent, e.lines, e.item = strings.Repeat(" ", n), true, ","
	}
	if v[4] != nil && v[4] != starlark.None {
		pair, ok := v[4].(starlark.Indexable)
		if !ok || pair.Len() != 2 || pair.Index(0).Type() != "string" || pair.Index(1).Type() != "string" {
			return nil, fmt.Errorf(`%s: for parameter separators: got %s, want a pair such as (",", ":")`, fn, value.Repr(v[4]))
		}
		e.item, _ = starlark.AsString(pair.Index(0))
		e.pair, _ = starlark.AsString(pair.Index(1))
	}
	if err := e.value(v[0], 0); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return starlark.String(e.b.String()), nil
}

// jsonDepth is how deep JSON may nest: what is deeper contains itself.
const jsonDepth = 1000

func (e *encoder) value(v starlark.Value, depth int) error {
	e.ask(value.PerElement)
	if depth > jsonDepth {
		return fmt.Errorf("got more than %d levels: a value may contain itself", jsonDepth)
	}
	v = value.ScalarOf(v)
	switch x := v.(type) {
	case starlark.NoneType:
		e.b.WriteString("null")
	case starlark.Bool:
		fmt.Fprint(&e.b, bool(x))
	case starlark.Int:
		e.b.WriteString(x.String())
	case starlark.Float:
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			return fmt.Errorf("got %s, which JSON does not have: use None or text", value.Repr(x))
		}
		e.b.WriteString(value.FormatFloat(float64(x)))
	case starlark.String:
		e.text(string(x))
	case starlark.IterableMapping:
		return e.object(x.Items(), depth)
	case starlark.Bytes, *starlark.Set:
		return fmt.Errorf("got %s, want a value that JSON has: use x.decode() or list(x)", v.Type())
	case starlark.Iterable:
		if err := value.CheckEnd(x); err != nil {
			return err
		}
		var items []starlark.Value
		for y := range starlark.Elements(x) {
			e.ask(value.PerElement)
			items = append(items, y)
		}
		return e.list("[]", len(items), depth, func(i int) error { return e.value(items[i], depth+1) })
	case starlark.Callable:
		return fmt.Errorf("got %s, want a value that JSON has", v.Type())
	case starlark.HasAttrs:
		if x.Type() != "struct" {
			return fmt.Errorf("got %s, want a value that JSON has", v.Type())
		}
		var items []starlark.Tuple
		for _, name := range x.AttrNames() {
			field, err := x.Attr(name)
			if err != nil {
				return err
			}
			items = append(items, starlark.Tuple{starlark.String(name), field})
		}
		return e.object(items, depth)
	default:
		return fmt.Errorf("got %s, want a value that JSON has", v.Type())
	}
	return nil
}

func (e *encoder) object(items []starlark.Tuple, depth int) error {
	keys := make([]string, len(items))
	for i, kv := range items {
		e.ask(value.PerElement)
		switch k := kv[0].(type) {
		case starlark.String:
			keys[i] = string(k)
		case starlark.Int, starlark.Float:
			keys[i] = value.Str(k)
		case starlark.Bool:
			keys[i] = fmt.Sprint(bool(k))
		case starlark.NoneType:
			keys[i] = "null"
		default:
			return fmt.Errorf("got a key of type %s, want text or a number", k.Type())
		}
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	if e.sort {
		slices.SortStableFunc(order, func(a, b int) int {
			e.ask(value.PerElement)
			return strings.Compare(keys[a], keys[b])
		})
	}
	return e.list("{}", len(items), depth, func(i int) error {
		e.text(keys[order[i]])
		e.b.WriteString(e.pair)
		return e.value(items[order[i]][1], depth+1)
	})
}

// list writes n elements between brackets.
func (e *encoder) list(brackets string, n, depth int, element func(i int) error) error {
	newline := func(depth int) {
		if e.lines {
			e.b.WriteString("\n" + strings.Repeat(e.indent, depth))
		}
	}
	e.b.WriteByte(brackets[0])
	for i := range n {
		if i > 0 {
			e.b.WriteString(e.item)
		}
		newline(depth + 1)
		if err := element(i); err != nil {
			return err
		}
	}
	if n > 0 {
		newline(depth)
	}
	e.b.WriteByte(brackets[1])
	return nil
}

func (e *encoder) text(s string) {
	var quoted strings.Builder
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(errors.Join(errors.New("BUG: text that JSON cannot write"), err))
	}
	for _, r := range strings.TrimSuffix(quoted.String(), "\n") {
		switch {
		case r < utf8.RuneSelf || !e.ascii:
			e.b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&e.b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&e.b, `\u%04x`, r)
		}
	}
}
