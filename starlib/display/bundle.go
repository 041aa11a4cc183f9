package display

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
	"go.starlark.net/starlark"
)

const plainText = "text/plain"

// A repr is a method by which instances of users' classes show themselves.
type repr struct {
	method, mime string
	want         string // what it returns, for the message that it did not
	read         func(starlark.Value) (any, bool)
}

// reprs are these methods, but for _repr_mimebundle_ and _repr_pretty_.
var reprs = []repr{
	{"_repr_html_", "text/html", "str", readText},
	{"_repr_markdown_", "text/markdown", "str", readText},
	{"_repr_svg_", "image/svg+xml", "str", readText},
	{"_repr_png_", "image/png", "bytes or str in base64", readBytes},
	{"_repr_jpeg_", "image/jpeg", "bytes or str in base64", readBytes},
	{"_repr_pdf_", "application/pdf", "bytes or str in base64", readBytes},
	{"_repr_latex_", "text/latex", "str", readText},
	{"_repr_json_", "application/json", "dict or list", readJSON},
	{"_repr_javascript_", "application/javascript", "str", readText},
}

func readText(v starlark.Value) (any, bool) {
	s, ok := starlark.AsString(v)
	return s, ok
}

func readBytes(v starlark.Value) (any, bool) {
	if b, ok := v.(starlark.Bytes); ok {
		return base64.StdEncoding.EncodeToString([]byte(b)), true
	}
	return readText(v)
}

func readJSON(v starlark.Value) (any, bool) {
	switch value.Held(v).(type) {
	case *slot.Dict, *slot.List, starlark.Tuple:
		x, err := goValue(v)
		return x, err == nil
	}
	return nil, false
}

// A choice of MIME types is that of display(x, include=..., exclude=...).
type choice struct{ include, exclude []string }

func (c choice) has(mime string) bool {
	return (len(c.include) == 0 || slices.Contains(c.include, mime)) && !slices.Contains(c.exclude, mime)
}

// A bundle is what a front end gets of a value.
type bundle struct{ data, metadata map[string]any }

// add notes what there is of a type; metadata may be nil.
func (b *bundle) add(mime string, data, metadata any) {
	b.data[mime] = data
	if m, ok := metadata.(map[string]any); ok {
		if b.metadata == nil {
			b.metadata = map[string]any{}
		}
		b.metadata[mime] = m
	}
}

// take adds what a value in Go shows of itself.
func (b *bundle) take(m value.MimeBundler, c choice) {
	data, metadata := value.Bundle(m)
	for mime, x := range data {
		if c.has(mime) {
			b.add(mime, x, metadata[mime])
		}
	}
}

// Bundle returns what a front end shows for v. There is always text/plain; data is nil if v has
// shown itself. The error is an interrupt, or the end of the program: other errors of methods of
// the user's are shown, and the rest of the bundle is kept.
func Bundle(thread *starlark.Thread, v starlark.Value) (data, metadata map[string]any, err error) {
	return bundleOf(thread, v, choice{})
}

func bundleOf(thread *starlark.Thread, v starlark.Value, c choice) (data, metadata map[string]any, err error) {
	f := former{thread: thread, s: session.Of(thread), choice: c}
	if shown, err := f.showsItself(v); shown || err != nil {
		return nil, nil, err
	}
	out := bundle{data: map[string]any{}}
	if m, ok := v.(value.MimeBundler); ok {
		out.take(m, c)
	}
	if err := f.ofInstance(v, &out); err != nil {
		return nil, nil, err
	}
	if _, ok := out.data[plainText]; !ok && c.has(plainText) {
		text, err := f.text(v)
		if err != nil {
			return nil, nil, err
		}
		out.data[plainText] = text
	}
	return out.data, out.metadata, nil
}

// A former forms the bundle of one value.
type former struct {
	thread *starlark.Thread
	s      *session.Session
	choice
}

// methodOf is a method of an instance of a class of the user's, nil if there is none. Looking runs
// no code of the user's, so that a class that answers every name has no such methods.
func methodOf(v starlark.Value, name string) starlark.Value {
	o, ok := v.(*value.Object)
	if !ok {
		return nil
	}
	if m, ok := o.Look(name).(starlark.Callable); ok {
		return m
	}
	return nil
}

// call calls a method. The result is nil if it has none, raises NotImplementedError, or fails,
// which is shown.
func (f *former) call(v starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m := methodOf(v, name)
	if m == nil {
		return nil, nil
	}
	for _, a := range args {
		value.Pin(a)
	}
	x, err := value.Call(f.thread, m, args, kwargs)
	if err != nil {
		return nil, f.failed(err)
	}
	value.Pin(x)
	return x, nil
}

// failed shows the error of a method, and returns it if it is to end the cell.
func (f *former) failed(err error) error {
	if exit := (interface{ ExitStatus() int })(nil); f.s.Context().Err() != nil || errors.As(err, &exit) {
		return err
	}
	told := f.s.Caught(f.thread, err)
	if !object.IsError(err, object.ClassNamed("NotImplementedError")) {
		f.s.Print("stderr", strings.Join(told.Traceback(), "\n")+"\n")
	}
	return nil
}

// showsItself calls _ipython_display_.
func (f *former) showsItself(v starlark.Value) (shown bool, err error) {
	x, err := f.call(v, "_ipython_display_", nil, nil)
	return x != nil, err
}

// ofInstance adds what the methods of an instance return. A terminal shows text alone.
func (f *former) ofInstance(v starlark.Value, out *bundle) error {
	if _, ok := v.(*value.Object); !ok {
		return nil
	}
	if err := f.mimeBundle(v, out); err != nil {
		return err
	}
	evaluates := f.s.Cell() == nil // a front end asks for an expression
	asked := f.include != nil || f.s.Screen() == session.ScreenPage || evaluates
	for _, r := range reprs {
		if _, have := out.data[r.mime]; have || !asked || !f.has(r.mime) {
			continue
		}
		x, err := f.call(v, r.method, nil, nil)
		if err != nil {
			return err
		}
		x, meta := withMetadata(x)
		if x == nil || x == starlark.None {
			continue
		}
		data, ok := r.read(x)
		if !ok {
			f.s.Warn(fmt.Sprintf("%s of %s: got %s, want %s", r.method, v.Type(), value.TypeName(x), r.want))
			continue
		}
		out.add(r.mime, data, meta)
	}
	return nil
}

// mimeBundle adds what _repr_mimebundle_ returns, which comes before what the other methods do.
func (f *former) mimeBundle(v starlark.Value, out *bundle) error {
	x, err := f.call(v, mimeBundleMethod, nil, []starlark.Tuple{
		{starlark.String("include"), texts(f.include)}, {starlark.String("exclude"), texts(f.exclude)}})
	if x == nil || x == starlark.None || err != nil {
		return err
	}
	x, meta := withMetadata(x)
	d, ok := value.Held(x).(*slot.Dict)
	if !ok {
		f.s.Warn(fmt.Sprintf("_repr_mimebundle_ of %s: got %s, want dict", v.Type(), value.TypeName(x)))
		return nil
	}
	about, _ := meta.(map[string]any)
	for _, kv := range d.Items() {
		mime, isText := starlark.AsString(kv[0])
		data, err := goValue(kv[1])
		switch {
		case !isText:
			f.s.Warn(fmt.Sprintf("_repr_mimebundle_ of %s: got a key of type %s, want a MIME type", v.Type(), kv[0].Type()))
		case err != nil:
			f.s.Warn(fmt.Sprintf("_repr_mimebundle_ of %s: %s: %v", v.Type(), mime, err))
		case f.has(mime):
			out.add(mime, data, about[mime])
		}
	}
	return nil
}

// withMetadata takes what a method returns apart: data, or a tuple of data and metadata.
func withMetadata(x starlark.Value) (data starlark.Value, metadata any) {
	pair, ok := x.(starlark.Tuple)
	if !ok || len(pair) != 2 {
		return x, nil
	}
	d, ok := value.Held(pair[1]).(*slot.Dict)
	if !ok {
		return pair[0], nil
	}
	m, err := goMap(d)
	if err != nil {
		return pair[0], nil
	}
	return pair[0], m
}

// text is text/plain.
func (f *former) text(v starlark.Value) (string, error) {
	text, err := prettyText(f, v)
	if err != nil {
		return "", err
	}
	if failure := f.s.TakeFailure(f.thread); failure != nil { // of a __repr__
		if err := f.failed(failure); err != nil {
			return "", err
		}
	}
	return visible.Text(text), nil
}

// texts is a list of texts, None for nil.
func texts(list []string) starlark.Value {
	if list == nil {
		return starlark.None
	}
	out := make([]starlark.Value, len(list))
	for i, t := range list {
		out[i] = starlark.String(t)
	}
	return slot.NewList(out)
}

// goMap turns a dict into what encoding/json takes.
func goMap(d *slot.Dict) (map[string]any, error) {
	v, err := goValue(d)
	m, _ := v.(map[string]any)
	return m, err
}

// deepest is how deep what a front end gets may be nested.
const deepest = 500

func goValue(v starlark.Value) (any, error) { return goNested(v, deepest) }

func goNested(v starlark.Value, depth int) (any, error) {
	if depth == 0 {
		return nil, fmt.Errorf("got values nested deeper than %d, want what JSON can hold", deepest)
	}
	switch v := value.Held(value.NumberOf(v)).(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return n, nil
		}
		return float64(v.Float()), nil
	case starlark.Float:
		return float64(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Bytes:
		return base64.StdEncoding.EncodeToString([]byte(v)), nil
	case *slot.Dict:
		m := make(map[string]any, v.Len())
		for _, kv := range v.Items() {
			key, ok := starlark.AsString(kv[0])
			if _, isInt := kv[0].(starlark.Int); isInt { // as Python's json
				key, ok = kv[0].String(), true
			}
			if !ok {
				return nil, fmt.Errorf("got key %s, want string", kv[0].Type())
			}
			x, err := goNested(kv[1], depth-1)
			if err != nil {
				return nil, err
			}
			m[key] = x
		}
		return m, nil
	case starlark.Indexable:
		if v.Len() < 0 { // an instance that has none
			break
		}
		list := make([]any, v.Len())
		for i := range list {
			x, err := goNested(v.Index(i), depth-1)
			if err != nil {
				return nil, err
			}
			list[i] = x
		}
		return list, nil
	}
	return nil, fmt.Errorf("got %s, want what JSON can hold", v.Type())
}
