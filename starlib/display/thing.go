package display

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A thing is a value made only to be displayed: HTML("<b>x</b>").
type thing struct {
	value.Identity
	kind     string
	data     starlark.Value // text, bytes, or what JSON can hold
	filename string
	mime     string
	shown    any            // what the front end gets of mime; nil: only plain is shown
	plain    string         // text/plain; "" for how large the object is
	metadata map[string]any // for the front end, about mime
}

const isThing value.Identity = "DisplayObject"

var _ value.MimeBundler = (*thing)(nil)

func (o *thing) Table() *value.Methods                    { return ObjectMethods }
func (o *thing) AttrNames() []string                      { return ObjectMethods.Names() }
func (o *thing) Attr(name string) (starlark.Value, error) { return ObjectMethods.Attr(o, name) }

func (o *thing) String() string {
	if o.plain != "" {
		return o.plain
	}
	size := len(value.Str(o.data))
	if b, ok := o.data.(starlark.Bytes); ok {
		size = len(b)
	}
	return fmt.Sprintf("<%s: %d bytes>", o.kind, size)
}

func (o *thing) MimeBundle() map[string]any {
	b := map[string]any{plainText: o.String()}
	if o.shown != nil {
		b[o.mime] = o.shown
	}
	if o.metadata != nil {
		b["metadata:"+o.mime] = o.metadata
	}
	return b
}

// ObjectMethods are the attributes of what HTML and its like return.
var ObjectMethods = value.NewMethods("DisplayObject", nil).With(
	value.FieldOf("data", "What it was made of: text, bytes, or what JSON can hold.", `HTML("<b>done</b>").data # "<b>done</b>"`,
		func(o *thing) starlark.Value { return value.OrNone(o.data) }),
	value.FieldOf("filename", "The file that it was read from, None if there is none.", `print(HTML("<b>done</b>").filename) # None`, func(o *thing) starlark.Value {
		if o.filename == "" {
			return starlark.None
		}
		return starlark.String(o.filename)
	}),
	value.FieldOf("metadata", "What the front end is told of it, None if it is told nothing.", `Image(b"<svg></svg>", format="svg", width=90).metadata # {"width": 90}`,
		func(o *thing) starlark.Value { return fromGo(o.metadata) }),
)

// fromGo is a value of the language of what goValue returns.
func fromGo(x any) starlark.Value {
	switch x := x.(type) {
	case map[string]any:
		if x == nil {
			return starlark.None
		}
		d := slot.NewDict(len(x))
		for _, k := range slices.Sorted(maps.Keys(x)) {
			d.SetKey(starlark.String(k), fromGo(x[k]))
		}
		return d
	case []any:
		list := make([]starlark.Value, len(x))
		for i, v := range x {
			list[i] = fromGo(v)
		}
		return slot.NewList(list)
	case string:
		return starlark.String(x)
	case []byte:
		return starlark.Bytes(x)
	case bool:
		return starlark.Bool(x)
	case int:
		return starlark.MakeInt(x)
	case int64:
		return starlark.MakeInt64(x)
	case float64:
		return starlark.Float(x)
	case nil:
		return starlark.None
	}
	return starlark.String(fmt.Sprint(x))
}

// A kind is a row of the objects whose data is text.
type kind struct {
	name, mime string
	doc        string
	example    string
	form       func(text string) string // of the data, what the front end gets; nil: the data
	plain      func(text string) string // text/plain; nil: how large the object is
}

func same(text string) string { return text }

var kinds = []kind{
	{name: "HTML", mime: "text/html", doc: "HTML text, shown as a page shows it.", example: `HTML("<b>done</b>") # <HTML: 11 bytes>`},
	{name: "Markdown", mime: "text/markdown", doc: "Markdown text, shown formatted.", example: `Markdown("**done**") # **done**`, plain: same},
	{name: "Latex", mime: "text/latex", doc: "LaTeX text.", example: `Latex("$x^2$") # $x^2$`, plain: same},
	{name: "Math", mime: "text/latex", doc: "A formula in LaTeX, without the $.", example: `Math("x^2") # $\displaystyle x^2$`, form: formula, plain: formula},
	{name: "SVG", mime: "image/svg+xml", doc: "A drawing in SVG.", example: `SVG("<svg></svg>") # <SVG: 11 bytes>`, form: onlySVG},
	{name: "Javascript", mime: "application/javascript", doc: "A program of the page. Front ends run it only in notebooks that they trust, and some never.",
		example: `Javascript("1 + 1") # <Javascript: 5 bytes>`},
	{name: "Pretty", doc: "Text, shown as it is.", example: `Pretty("done") # done`, plain: same},
	{name: "Code", mime: "text/html", doc: "Code, shown in the letters of code.", example: `Code("x = 1") # x = 1`, plain: same,
		form: func(text string) string { return "<pre><code>" + html.EscapeString(text) + "</code></pre>" }},
}

func formula(text string) string {
	return `$\displaystyle ` + strings.Trim(text, "$") + "$"
}

// onlySVG cuts what stands around the drawing in a file.
func onlySVG(text string) string {
	from, to := strings.Index(text, "<svg"), strings.LastIndex(text, "</svg>")
	if from < 0 || to < from {
		return text
	}
	return text[from : to+len("</svg>")]
}

type objectArgs struct {
	Data     starlark.Value `arg:"data=None: the text, or the path of a file that has it"`
	URL      *string        `arg:"url=None: refused: programs reach no network"`
	Filename *string        `arg:"filename=None: the path of a file that has it"`
}

// builtin is the function that makes an object of the kind.
func (k kind) builtin() value.Builtin {
	return value.Function(k.name, k.doc, k.example, func(thread *starlark.Thread, a *struct {
		objectArgs
		Metadata *slot.Dict     `arg:"metadata=None: what the front end is told"`
		Language starlark.Value `arg:"language=None: without effect"`
	}) (starlark.Value, error) {
		text, name, err := a.text(thread, k.name)
		if err != nil {
			return nil, err
		}
		o := &thing{Identity: isThing, kind: k.name, data: starlark.String(text), filename: name, mime: k.mime}
		if k.mime != "" {
			o.shown = text
		}
		if k.form != nil {
			o.shown = k.form(text)
		}
		if k.plain != nil {
			o.plain = k.plain(text)
		}
		if a.Metadata != nil {
			if o.metadata, err = goMap(a.Metadata); err != nil {
				return nil, fmt.Errorf("%s: metadata: %w", k.name, err)
			}
		}
		return o, nil
	})
}

// text is the text of an object.
func (a *objectArgs) text(thread *starlark.Thread, fn string) (text, filename string, err error) {
	data, name, err := a.read(thread, fn)
	if err != nil {
		return "", "", err
	}
	switch data := data.(type) {
	case nil:
		return "", "", value.Failure("TypeError", "%s: got no data, want text or a filename: %s(text)", fn, fn)
	case starlark.String:
		return string(data), name, nil
	case starlark.Bytes:
		return string(data), name, nil
	}
	return "", "", value.Failure("TypeError", "%s: for parameter data: got %s, want text", fn, data.Type())
}

// read is the data, or that of the file which it names.
func (a *objectArgs) read(thread *starlark.Thread, fn string) (data starlark.Value, filename string, err error) {
	path := ""
	text, isText := a.Data.(starlark.String)
	isPage := func(text string) bool {
		return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
	}
	switch {
	case a.URL != nil || isText && isPage(string(text)):
		return nil, "", value.Failure("ValueError", "%s: got a url: programs reach no network; IFrame(url, width, height) and Image(url=...) have the front end fetch it", fn)
	case a.Filename != nil:
		path = *a.Filename
	case isText && isFile(session.Of(thread), string(text)):
		path = string(text)
	default:
		return a.Data, "", nil
	}
	content, err := readFile(session.Of(thread), fn, path)
	return starlark.Bytes(content), path, err
}

// longestPath is more characters than the path of a file has.
const longestPath = 1024

func isFile(s *session.Session, text string) bool {
	if text == "" || len(text) > longestPath || strings.ContainsAny(text, "<\n") {
		return false
	}
	info, err := s.Files().Stat(s.Path(text))
	return err == nil && info.Mode().IsRegular()
}

// maxContent is more than a cell may show.
const maxContent = 1 << 28

func readFile(s *session.Session, fn, path string) ([]byte, error) {
	content, err := s.Files().Read(s.Path(path), maxContent)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, namedPath(err, path))
	}
	return content, nil
}

// namedPath has an error say the path that the user wrote.
func namedPath(err error, path string) error {
	if at, ok := err.(*fs.PathError); ok {
		return &fs.PathError{Op: at.Op, Path: path, Err: at.Err}
	}
	return err
}

// jsonBuiltin is JSON, whose data is no text.
var jsonBuiltin = value.Function("JSON", "What JSON can hold, shown as a tree that folds.", `JSON({"a": 1}) # {"a": 1}`, func(thread *starlark.Thread, a *struct {
	objectArgs
	Expanded bool       `arg:"expanded=False: whether the tree is open at first"`
	Metadata *slot.Dict `arg:"metadata=None: what else the front end is told"`
	Root     string     `arg:"root=\"root\": the name of the tree"`
}) (starlark.Value, error) {
	data, name, err := a.read(thread, "JSON")
	if err != nil {
		return nil, err
	}
	o := &thing{Identity: isThing, kind: "JSON", data: data, filename: name, mime: "application/json"}
	text, isText := data.(starlark.String)
	if b, ok := data.(starlark.Bytes); ok {
		text, isText = starlark.String(b), true
	}
	switch {
	case data == nil:
		return nil, value.Failure("TypeError", "JSON: got no data, want a dict, a list or a filename")
	case isText:
		if err := json.Unmarshal([]byte(text), &o.shown); err != nil {
			return nil, value.Failure("ValueError", "JSON: for parameter data: %v: the text is not JSON", err)
		}
	default:
		if o.shown, err = goValue(data); err != nil {
			return nil, value.Failure("TypeError", "JSON: for parameter data: %v", err)
		}
	}
	switch o.shown.(type) {
	case map[string]any, []any:
	default:
		return nil, value.Failure("TypeError", "JSON: for parameter data: got %s, want a dict or a list", data.Type())
	}
	if o.plain = value.ReprShort(data, session.MaxShown); isText {
		o.plain = strings.TrimSpace(string(text))
	}
	o.metadata = map[string]any{"expanded": a.Expanded, "root": a.Root}
	if a.Metadata != nil {
		more, err := goMap(a.Metadata)
		if err != nil {
			return nil, fmt.Errorf("JSON: metadata: %w", err)
		}
		maps.Copy(o.metadata, more)
	}
	return o, nil
})

func encoded(data []byte) string { return base64.StdEncoding.EncodeToString(data) }
