package library

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An encoder writes JSON: as Python does, or as Starlark, which refuses nan, sorts keys by their
// text and writes whatever has elements.
type encoder struct {
	thread     *starlark.Thread
	ask        func(work int) // see tensor.Poll
	b          strings.Builder
	isStarlark bool

	indent     string
	lines      bool
	item, pair string // separators
	ascii      bool
	nan        bool
	skipKeys   bool
	sort       bool
	depth      int               // brackets that are open
	other      starlark.Callable // what makes a value that JSON has of another; nil if nothing does

	path []starlark.Value // what is being written
}

// encoded is the text of json.encode.
func encoded(thread *starlark.Thread, fn string, x starlark.Value) (starlark.Value, error) {
	poll := value.PollOf(thread)
	e := encoder{thread: thread, ask: poll.Ask, isStarlark: true, item: ",", pair: ":"}
	if err := e.value(x); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return starlark.String(e.b.String()), nil
}

// text is the JSON text of x; fn is the function that errors of options name.
func (o *dumpsOptions) text(
	thread *starlark.Thread, fn string, x starlark.Value,
) (starlark.Value, error) {
	if o.Class != nil && o.Class != starlark.None {
		var options []starlark.Tuple
		for name, v := range map[starlark.String]starlark.Value{"skipkeys": o.SkipKeys, "ensure_ascii": o.ASCII, "allow_nan": o.NaN, "indent": o.Indent,
			"separators": o.Separators, "default": o.Default, "sort_keys": o.SortKeys} {
			if v != nil {
				options = append(options, starlark.Tuple{name, v})
			}
		}
		return through(thread, o.Class, "encode", x, options)
	}
	poll := value.PollOf(thread)
	e := encoder{thread: thread, ask: poll.Ask, item: ", ", pair: ": ", ascii: truth(o.ASCII, true),
		nan: truth(o.NaN, true), skipKeys: truth(o.SkipKeys, false), sort: truth(o.SortKeys, false)}
	switch x := o.Indent.(type) {
	case nil, starlark.NoneType:
	case starlark.String:
		e.indent, e.lines, e.item = string(x), true, ","
	default:
		n, err := starlark.AsInt32(x)
		if err != nil || n < 0 || n > 100 {
			return nil, fmt.Errorf("%s: for parameter indent: got %s, want text or an int from 0 to 100",
				fn, value.Repr(x))
		}
		e.indent, e.lines, e.item = strings.Repeat(" ", n), true, ","
	}
	if o.Separators != nil && o.Separators != starlark.None {
		pair, ok := o.Separators.(starlark.Indexable)
		if !ok || pair.Len() != 2 || pair.Index(0).Type() != "string" ||
			pair.Index(1).Type() != "string" {
			return nil, fmt.Errorf(`%s: for parameter separators: got %s, want a pair such as (",", ":")`,
				fn, value.Repr(o.Separators))
		}
		e.item, _ = starlark.AsString(pair.Index(0))
		e.pair, _ = starlark.AsString(pair.Index(1))
	}
	if o.Default != nil && o.Default != starlark.None {
		var ok bool
		if e.other, ok = o.Default.(starlark.Callable); !ok {
			return nil, fmt.Errorf("%s: for parameter default: got %s, want callable", fn, o.Default.Type())
		}
	}
	if err := e.value(x); err != nil {
		return nil, err
	}
	return starlark.String(e.b.String()), nil
}

// truth is that of an option, or what it is if it is not given.
func truth(v starlark.Value, otherwise bool) bool {
	if v == nil {
		return otherwise
	}
	return bool(v.Truth())
}

// jsonDepth is how deep JSON may nest.
const jsonDepth = 1000

func (e *encoder) value(v starlark.Value) error {
	e.ask(value.PerElement)
	v = value.Held(value.ScalarOf(v))
	switch x := v.(type) {
	case starlark.NoneType:
		e.b.WriteString("null")
		return nil
	case starlark.Bool:
		fmt.Fprint(&e.b, bool(x))
		return nil
	case starlark.Int:
		e.b.WriteString(x.String())
		return nil
	case starlark.Float:
		return e.float(float64(x))
	case starlark.String:
		e.text(string(x))
		return nil
	}
	if len(e.path) >= jsonDepth {
		return object.NewError(object.RecursionError,
			fmt.Sprintf("maximum recursion depth exceeded: JSON of more than %d levels", jsonDepth))
	}
	if reflect.ValueOf(v).Comparable() && slices.Contains(e.path, v) {
		return object.NewError(object.ValueError, "Circular reference detected")
	}
	e.path = append(e.path, v)
	err := e.container(v)
	e.path = e.path[:len(e.path)-1]
	return err
}

func (e *encoder) float(x float64) error {
	name := ""
	switch {
	case math.IsNaN(x):
		name = "NaN"
	case math.IsInf(x, 0):
		name = "Infinity"
	}
	switch {
	case name == "":
		e.b.WriteString(value.FormatFloat(x))
	case e.nan:
		if x < 0 {
			e.b.WriteByte('-')
		}
		e.b.WriteString(name)
	case e.isStarlark:
		return fmt.Errorf("got %s, which JSON does not have: use None or text", value.FormatFloat(x))
	default:
		return object.NewError(object.ValueError, "Out of range float values are not JSON compliant")
	}
	return nil
}

// container writes what has elements or fields, or what JSON does not have.
func (e *encoder) container(v starlark.Value) error {
	switch x := v.(type) {
	case *slot.List, starlark.Tuple, value.Tupled:
		return e.elements(x.(starlark.Iterable))
	case starlark.IterableMapping:
		return e.object(x.Items())
	}
	if v.Type() == "struct" {
		return e.fields(v.(starlark.HasAttrs))
	}
	if e.other != nil {
		z, err := value.Call(e.thread, e.other, starlark.Tuple{v}, nil)
		if err != nil {
			return err
		}
		return e.value(z)
	}
	if x, ok := v.(starlark.Iterable); ok && (e.isStarlark || isArray(v)) {
		if _, isSet := v.(*slot.Set); !isSet {
			if err := value.CheckEnd(x); err != nil {
				return err
			}
			return e.elements(x)
		}
	}
	return object.NewError(object.TypeError, "Object of type "+v.Type()+" is not JSON serializable")
}

// isArray reports whether a value is an array: NumPy's have no JSON in Python, where tolist makes
// one that does.
func isArray(v starlark.Value) bool {
	if _, isInstance := v.(value.Instance); isInstance {
		return false
	}
	_, err := value.Attr(v, "tolist")
	return err == nil
}

func (e *encoder) elements(x starlark.Iterable) error {
	items := value.ElementsHeard(e.thread, x)
	return e.list("[]", len(items), func(i int) error { return e.value(items[i]) })
}

func (e *encoder) fields(x starlark.HasAttrs) error {
	var items []starlark.Tuple
	for _, name := range x.AttrNames() {
		field, err := x.Attr(name)
		if err != nil {
			return err
		}
		items = append(items, starlark.Tuple{starlark.String(name), field})
	}
	return e.object(items)
}

func (e *encoder) object(items []starlark.Tuple) error {
	if e.sort {
		var err error
		if items, err = value.SortItems(e.thread, items); err != nil {
			return err
		}
	}
	type field struct {
		key string
		v   starlark.Value
	}
	fields := make([]field, 0, len(items))
	for _, kv := range items {
		e.ask(value.PerElement)
		key, ok, err := e.key(kv[0])
		switch {
		case err != nil:
			return err
		case ok:
			fields = append(fields, field{key, kv[1]})
		case !e.skipKeys:
			return object.NewError(object.TypeError,
				"keys must be str, int, float, bool or None, not "+kv[0].Type())
		}
	}
	if e.isStarlark {
		slices.SortStableFunc(fields, func(x, y field) int {
			e.ask(value.PerElement)
			return cmp.Compare(x.key, y.key)
		})
	}
	return e.list("{}", len(fields), func(i int) error {
		e.text(fields[i].key)
		e.b.WriteString(e.pair)
		return e.value(fields[i].v)
	})
}

// key is the text of a key, and whether it has one.
func (e *encoder) key(k starlark.Value) (text string, ok bool, err error) {
	switch k := value.ScalarOf(k).(type) {
	case starlark.String:
		return string(k), true, nil
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float:
		part := encoder{ask: e.ask, nan: e.nan, isStarlark: e.isStarlark}
		err := part.value(k)
		return part.b.String(), true, err
	}
	return "", false, nil
}

// list writes n elements between brackets.
func (e *encoder) list(brackets string, n int, element func(i int) error) error {
	newline := func() {
		if e.lines {
			e.b.WriteString("\n" + strings.Repeat(e.indent, e.depth))
		}
	}
	e.b.WriteByte(brackets[0])
	e.depth++
	for i := range n {
		if i > 0 {
			e.b.WriteString(e.item)
		}
		newline()
		if err := element(i); err != nil {
			return err
		}
	}
	e.depth--
	if n > 0 {
		newline()
	}
	e.b.WriteByte(brackets[1])
	return nil
}

// letters are the characters that are written as a backslash and a letter.
var letters = map[rune]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

func (e *encoder) text(s string) {
	e.b.WriteByte('"')
	for _, r := range s {
		e.ask(1)
		switch {
		case r >= ' ' && (r <= '~' || !e.ascii) && r != '"' && r != '\\':
			e.b.WriteRune(r)
		case letters[r] != 0:
			e.b.WriteByte('\\')
			e.b.WriteByte(letters[r])
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&e.b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&e.b, `\u%04x`, r)
		}
	}
	e.b.WriteByte('"')
}
