package session

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
	"go.starlark.net/starlark"
)

// maxShown is how many bytes of a value's text are shown at most. print shows all.
const maxShown = 1 << 20

// Bundle returns what a front end shows for v. There is always text/plain.
func Bundle(v starlark.Value) (data, metadata map[string]any) {
	data = map[string]any{}
	if m, ok := v.(value.MimeBundler); ok {
		for key, x := range m.MimeBundle() {
			if mime, ok := strings.CutPrefix(key, "metadata:"); ok {
				if metadata == nil {
					metadata = map[string]any{}
				}
				metadata[mime] = x
				continue
			}
			data[key] = x
		}
	}
	if _, ok := data["text/plain"]; !ok {
		data["text/plain"] = visible.Text(value.ReprShort(v, maxShown))
	}
	return data, metadata
}

// rich is a value made only to be displayed: HTML("<b>x</b>").
type rich struct {
	kind, mime string
	content    string
	meta       map[string]any
}

var _ value.MimeBundler = (*rich)(nil)

func (r *rich) Type() string          { return r.kind }
func (r *rich) Freeze()               {}
func (r *rich) Truth() starlark.Bool  { return true }
func (r *rich) Hash() (uint32, error) { return starlark.String(r.content).Hash() }
func (r *rich) String() string        { return fmt.Sprintf("<%s: %d bytes>", r.kind, len(r.content)) }

func (r *rich) MimeBundle() map[string]any {
	b := map[string]any{}
	switch {
	case r.kind == "Markdown":
		b["text/plain"] = r.content
		b[r.mime] = r.content
	case r.kind == "Image" && r.mime != "image/svg+xml":
		b[r.mime] = base64.StdEncoding.EncodeToString([]byte(r.content))
	default:
		b[r.mime] = r.content
	}
	if r.meta != nil {
		b["metadata:"+r.mime] = r.meta
	}
	return b
}

// displayTable is what a cell can show besides printing.
var displayTable = []value.Builtin{
	{Name: "display", Params: []value.Param{
		{Name: "*values", Doc: "values to show; each in the richest form it has"},
		{Name: "display_id", Default: "None", Doc: "name by which update_display finds the output again"},
		{Name: "metadata", Default: "None", Doc: "dict for the front end, by MIME type"},
		{Name: "raw", Default: "False", Doc: "values are dicts from MIME type to content"},
	}, Doc: "Shows values as outputs of the cell.", Example: `display(HTML("<b>done</b>"))`, Fn: display},
	{Name: "update_display", Params: []value.Param{
		{Name: "value", Doc: "what to show now"},
		{Name: "display_id", Doc: "name given to display"},
	}, Doc: "Replaces an output that display(..., display_id=...) made.",
		Example: `update_display("half done", "progress")`, Fn: updateDisplay},
	{Name: "clear_output", Params: []value.Param{
		{Name: "wait", Default: "False", Doc: "keep the old outputs until there is a new one"},
	}, Doc: "Removes the outputs of the cell.", Example: "clear_output(wait=True)", Fn: clearOutput},
	richBuiltin("HTML", "text/html", "HTML text, shown as a page shows it.", `HTML("<b>done</b>") # <HTML: 11 bytes>`),
	richBuiltin("Markdown", "text/markdown", "Markdown text, shown formatted.", `Markdown("**done**") # **done**`),
	richBuiltin("SVG", "image/svg+xml", "A drawing in SVG.", `SVG("<svg></svg>") # <SVG: 11 bytes>`),
	{Name: "Image", Params: []value.Param{
		{Name: "data", Doc: "path of a file, or its content as bytes"},
		{Name: "format", Default: "None", Doc: "png, jpeg, gif, webp or svg; found from the content if not given"},
		{Name: "width", Default: "None", Doc: "pixels"},
		{Name: "height", Default: "None", Doc: "pixels"},
	}, Doc: "A picture.", Example: `Image(b"<svg></svg>", format="svg") # <Image: 11 bytes>`, Fn: image},
}

func richBuiltin(kind, mime, doc, example string) value.Builtin {
	return value.Builtin{Name: kind, Params: []value.Param{{Name: "data", Doc: "the text"}}, Doc: doc, Example: example,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var data string
			if err := b.Unpack(args, kwargs, &data); err != nil {
				return nil, err
			}
			return &rich{kind: kind, mime: mime, content: data}, nil
		}}
}

func display(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var values starlark.Tuple
	var id string
	var meta *slot.Dict
	var raw bool
	if err := b.Unpack(args, kwargs, &values, &id, &meta, &raw); err != nil {
		return nil, err
	}
	for _, v := range values {
		data, metadata, err := bundleOf(b, v, raw)
		if err != nil {
			return nil, err
		}
		if meta != nil {
			if metadata, err = goMap(meta); err != nil {
				return nil, fmt.Errorf("display: metadata: %w", err)
			}
		}
		Of(thread).out.Display(data, metadata, id, false)
	}
	return starlark.None, nil
}

func bundleOf(b *value.Builtin, v starlark.Value, raw bool) (data, metadata map[string]any, err error) {
	if !raw {
		data, metadata = Bundle(v)
		return data, metadata, nil
	}
	d, ok := v.(*slot.Dict)
	if !ok {
		return nil, nil, fmt.Errorf("%s: raw: got %s, want dict", b.Name, v.Type())
	}
	data, err = goMap(d)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: raw: %w", b.Name, err)
	}
	return data, nil, nil
}

func updateDisplay(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	var id string
	if err := b.Unpack(args, kwargs, &v, &id); err != nil {
		return nil, err
	}
	data, metadata := Bundle(v)
	Of(thread).out.Display(data, metadata, id, true)
	return starlark.None, nil
}

func clearOutput(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var wait bool
	if err := b.Unpack(args, kwargs, &wait); err != nil {
		return nil, err
	}
	Of(thread).out.Clear(wait)
	return starlark.None, nil
}

// mostImage is more than a cell may show.
const mostImage = 1 << 28

func image(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var data starlark.Value
	var format string
	var width, height int
	if err := b.Unpack(args, kwargs, &data, &format, &width, &height); err != nil {
		return nil, err
	}
	r := &rich{kind: "Image"}
	switch data := data.(type) {
	case starlark.Bytes:
		r.content = string(data)
	case starlark.String:
		s := Of(thread)
		path := s.Path(string(data))
		content, err := s.Files().Read(path, mostImage)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		r.content = string(content)
		if format == "" {
			format = strings.TrimPrefix(filepath.Ext(path), ".")
		}
	default:
		return nil, fmt.Errorf("%s: for parameter data: got %s, want string or bytes", b.Name, data.Type())
	}
	switch format {
	case "svg":
		r.mime = "image/svg+xml"
	case "jpg":
		r.mime = "image/jpeg"
	case "":
		r.mime = kindOf(r.content)
	default:
		r.mime = "image/" + format
	}
	if !strings.HasPrefix(r.mime, "image/") {
		return nil, fmt.Errorf("%s: got data of type %s, want a picture", b.Name, r.mime)
	}
	if width > 0 || height > 0 {
		r.meta = map[string]any{}
		if width > 0 {
			r.meta["width"] = width
		}
		if height > 0 {
			r.meta["height"] = height
		}
	}
	return r, nil
}

// goMap turns a dict with string keys into what encoding/json takes.
func goMap(d *slot.Dict) (map[string]any, error) {
	m := make(map[string]any, d.Len())
	for _, kv := range d.Items() {
		key, ok := starlark.AsString(kv[0])
		if !ok {
			return nil, fmt.Errorf("got key %s, want string", kv[0].Type())
		}
		v, err := goValue(kv[1])
		if err != nil {
			return nil, err
		}
		m[key] = v
	}
	return m, nil
}

func goValue(v starlark.Value) (any, error) {
	switch v := value.Plain(v).(type) {
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
		return goMap(v)
	case starlark.Indexable:
		list := make([]any, v.Len())
		for i := range list {
			x, err := goValue(v.Index(i))
			if err != nil {
				return nil, err
			}
			list[i] = x
		}
		return list, nil
	}
	return nil, fmt.Errorf("got %s, want what JSON can hold", v.Type())
}

// pictureKinds are the pictures that are known by how their files begin; a dot stands for any byte.
var pictureKinds = []struct{ begins, mime string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"RIFF....WEBPVP", "image/webp"},
	{"BM", "image/bmp"},
	{"\x00\x00\x01\x00", "image/x-icon"},
}

// kindOf says of what kind a file is, for front ends: a picture, or text, or bytes.
func kindOf(content string) string {
	for _, k := range pictureKinds {
		n := len(k.begins)
		if len(content) < n {
			continue
		}
		same := true
		for i := range n {
			same = same && (k.begins[i] == '.' || content[i] == k.begins[i])
		}
		if same {
			return k.mime
		}
	}
	if utf8.ValidString(content) {
		return "text/plain"
	}
	return "application/octet-stream"
}
