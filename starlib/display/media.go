package display

import (
	"encoding/binary"
	"fmt"
	"html"
	"maps"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

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

// formats are the MIME types of pictures by what users call the formats.
var formats = map[string]string{"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
	"svg": "image/svg+xml", "bmp": "image/bmp"}

type imageArgs struct {
	Data       starlark.Value `arg:"data=None: path of a file, or its content as bytes"`
	URL        *string        `arg:"url=None: of a picture that the front end fetches"`
	Filename   *string        `arg:"filename=None: path of a file"`
	Format     string         `arg:"format=None: png, jpeg, gif, webp or svg; found from the content if not given"`
	Embed      starlark.Value `arg:"embed=None: without effect: what is no url is embedded"`
	Width      *int           `arg:"width=None: pixels"`
	Height     *int           `arg:"height=None: pixels"`
	Retina     bool           `arg:"retina=False: a picture is shown half as large as it is"`
	Unconfined bool           `arg:"unconfined=False: it may be wider than the page"`
	Metadata   *slot.Dict     `arg:"metadata=None: what else the front end is told"`
	Alt        *string        `arg:"alt=None: text instead of the picture"`
}

// image is the function Image.
var imageBuiltin = value.Function("Image", "A picture.", `Image(b"<svg></svg>", format="svg") # <Image: 11 bytes>`,
	func(thread *starlark.Thread, a *imageArgs) (starlark.Value, error) {
		if s, ok := a.Data.(starlark.String); ok && a.URL == nil && isURL(string(s)) {
			text := string(s)
			a.URL = &text
		}
		if a.URL != nil {
			return a.fetched(), nil
		}
		content, path, err := a.content(thread, "Image")
		if err != nil {
			return nil, err
		}
		o := &thing{Identity: isThing, kind: "Image", data: starlark.Bytes(content), filename: path}
		format := strings.ToLower(a.Format)
		if format == "" {
			format = strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
		}
		if known := formats[format]; known != "" {
			o.mime = known
		} else if a.Format != "" {
			return nil, value.Failure("ValueError", "Image: for parameter format: got %q, want png, jpeg, gif, webp or svg", a.Format)
		} else if o.mime = kindOf(content); !strings.HasPrefix(o.mime, "image/") {
			return nil, value.Failure("ValueError", "Image: got data of type %s, want a picture", o.mime)
		}
		if o.shown = encoded([]byte(content)); o.mime == formats["svg"] {
			o.shown = content
		}
		if o.metadata, err = a.about(content); err != nil {
			return nil, err
		}
		return o, nil
	})

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "data:")
}

// content is that of the file, or the data.
func (a *imageArgs) content(thread *starlark.Thread, fn string) (content, path string, err error) {
	switch data := a.Data.(type) {
	case starlark.Bytes:
		return string(data), "", nil
	case starlark.String:
		path = string(data)
	case nil:
		if a.Filename == nil {
			return "", "", value.Failure("ValueError", "%s: got no picture, want data, filename or url", fn)
		}
		path = *a.Filename
	default:
		return "", "", fmt.Errorf("%s: for parameter data: got %s, want string or bytes", fn, data.Type())
	}
	text, err := readFile(session.Of(thread), fn, path)
	return string(text), path, err
}

// about is the metadata of the picture, nil for none.
func (a *imageArgs) about(content string) (map[string]any, error) {
	m := map[string]any{}
	if width, height, ok := pixels(content); ok && a.Retina {
		m["width"], m["height"] = width/2, height/2
	}
	if a.Width != nil {
		m["width"] = *a.Width
	}
	if a.Height != nil {
		m["height"] = *a.Height
	}
	if a.Unconfined {
		m["unconfined"] = true
	}
	if a.Alt != nil {
		m["alt"] = *a.Alt
	}
	if a.Metadata != nil {
		more, err := goMap(a.Metadata)
		if err != nil {
			return nil, fmt.Errorf("metadata: %w", err)
		}
		maps.Copy(m, more)
	}
	if len(m) == 0 {
		return nil, nil
	}
	return m, nil
}

// pixels is the size of a PNG picture.
func pixels(content string) (width, height int, ok bool) {
	if len(content) < 24 || kindOf(content) != "image/png" {
		return 0, 0, false
	}
	return int(binary.BigEndian.Uint32([]byte(content[16:20]))), int(binary.BigEndian.Uint32([]byte(content[20:24]))), true
}

// fetched is a picture that the front end fetches.
func (a *imageArgs) fetched() *thing {
	attrs := attribute("src", *a.URL)
	if a.Width != nil {
		attrs += attribute("width", *a.Width)
	}
	if a.Height != nil {
		attrs += attribute("height", *a.Height)
	}
	if a.Unconfined {
		attrs += attribute("class", "unconfined")
	}
	if a.Alt != nil {
		attrs += attribute("alt", *a.Alt)
	}
	return page("Image", "<img"+attrs+"/>", *a.URL)
}

// attribute is an attribute of HTML.
func attribute(name string, v any) string {
	return fmt.Sprintf(` %s="%s"`, name, html.EscapeString(fmt.Sprint(v)))
}

// page is an object that is a piece of HTML about what a text names.
func page(kind, content, about string) *thing {
	return &thing{Identity: isThing, kind: kind, data: starlark.String(about), mime: "text/html", shown: content, plain: fmt.Sprintf("<%s: %s>", kind, about)}
}

type playedArgs struct {
	Data     starlark.Value `arg:"data=None: a path or url, the content of a file as bytes; for Audio also samples"`
	Filename *string        `arg:"filename=None: path of a file"`
	URL      *string        `arg:"url=None: of what the front end fetches"`
}

// source is the address of what is played: the url, or the file in it.
func (a *playedArgs) source(thread *starlark.Thread, fn, mime string) (src, name string, err error) {
	path := ""
	switch data := a.Data.(type) {
	case starlark.Bytes:
		return "data:" + mime + ";base64," + encoded([]byte(data)), fmt.Sprintf("%d bytes", len(data)), nil
	case starlark.String:
		path = string(data)
	case nil:
	default:
		return "", "", value.Failure("TypeError", "%s: for parameter data: got %s, want a path, a url or bytes", fn, data.Type())
	}
	switch {
	case a.URL != nil:
		return *a.URL, *a.URL, nil
	case a.Filename != nil:
		path = *a.Filename
	case path == "":
		return "", "", value.Failure("ValueError", "%s: got nothing to play, want data, filename or url", fn)
	case isURL(path):
		return path, path, nil
	}
	content, err := readFile(session.Of(thread), fn, path)
	if err != nil {
		return "", "", err
	}
	if known := playedKinds[strings.ToLower(filepath.Ext(path))]; known != "" {
		mime = known
	}
	return "data:" + mime + ";base64," + encoded(content), path, nil
}

// playedKinds are the MIME types of sound and films by the ends of their files' names.
var playedKinds = map[string]string{".wav": "audio/wav", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".flac": "audio/flac",
	".m4a": "audio/mp4", ".mp4": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime"}

var audioBuiltin = value.Function("Audio", "Sound with buttons to play it.", `Audio([0.0, 0.5, 0.0], rate=8000) # <Audio: 3 samples at 8000 Hz>`,
	func(thread *starlark.Thread, a *struct {
		playedArgs
		Embed     starlark.Value `arg:"embed=None: without effect: what is no url is embedded"`
		Rate      *int           `arg:"rate=None: samples a second"`
		Autoplay  bool           `arg:"autoplay=False: whether it plays at once"`
		Normalize bool           `arg:"normalize=True: whether samples are scaled to the largest"`
	}) (starlark.Value, error) {
		src, name := "", ""
		var err error
		if samples, isSound, bad := samplesOf(thread, a.Data); bad != nil {
			return nil, bad
		} else if isSound {
			if a.Rate == nil || *a.Rate <= 0 {
				return nil, value.Failure("ValueError", "Audio: got no rate for samples, want how many there are in a second: Audio(data, rate=8000)")
			}
			wav, err := wave(samples, *a.Rate, a.Normalize)
			if err != nil {
				return nil, err
			}
			src, name = "data:audio/wav;base64,"+encoded(wav), fmt.Sprintf("%d samples at %d Hz", samples.Dim(samples.Rank()-1), *a.Rate)
		} else if src, name, err = a.source(thread, "Audio", "audio/wav"); err != nil {
			return nil, err
		}
		auto := ""
		if a.Autoplay {
			auto = ` autoplay="autoplay"`
		}
		return page("Audio", `<audio controls="controls"`+auto+attribute("src", src)+`>This front end plays no sound.</audio>`, name), nil
	})

// samplesOf are the numbers of a list or an array, a row for each channel.
func samplesOf(thread *starlark.Thread, v starlark.Value) (samples *tensor.Dense, ok bool, err error) {
	switch v.(type) {
	case nil, starlark.String, starlark.Bytes:
		return nil, false, nil
	}
	d, err := np.ToDenseAsIn(value.HostOf(thread), v, kernels.Float64)
	if err != nil {
		return nil, false, value.Failure("TypeError", "Audio: for parameter data: got %s, want samples, a path, a url or bytes", v.Type())
	}
	if d.Rank() < 1 || d.Rank() > 2 || d.Size() == 0 {
		return nil, false, value.Failure("ValueError", "Audio: for parameter data: got shape %s, want samples, or a row of them for each channel", tensor.ShapeString(d.Shape()))
	}
	return d, true, nil
}

// wave is a file with samples of 16 bits.
func wave(samples *tensor.Dense, rate int, normalize bool) ([]byte, error) {
	x := samples.Floats()
	channels := 1
	if samples.Rank() == 2 {
		channels = samples.Dim(0)
	}
	frames := len(x) / channels
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	switch {
	case math.IsNaN(most) || math.IsInf(most, 0):
		return nil, value.Failure("ValueError", "Audio: for parameter data: got nan or inf, want numbers")
	case !normalize && most > 1:
		return nil, value.Failure("ValueError", "Audio: for parameter data: got %v, want numbers from -1 to 1 where normalize is False", most)
	case !normalize || most == 0:
		most = 1
	}
	size := 2 * len(x)
	out := make([]byte, 0, 44+size)
	out = append(out, "RIFF"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(36+size))
	out = append(out, "WAVEfmt "...)
	for _, n := range []uint32{16, 1 | uint32(channels)<<16, uint32(rate), uint32(2 * rate * channels), uint32(2*channels) | 16<<16} {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	out = append(out, "data"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(size))
	for i := range frames {
		for c := range channels {
			out = binary.LittleEndian.AppendUint16(out, uint16(int16(x[c*frames+i]/most*math.MaxInt16)))
		}
	}
	return out, nil
}

var videoBuiltin = value.Function("Video", "A film with buttons to play it.", `Video(url="https://example.org/a.mp4") # <Video: https://example.org/a.mp4>`,
	func(thread *starlark.Thread, a *struct {
		playedArgs
		Embed      starlark.Value `arg:"embed=False: without effect: what is no url is embedded"`
		Mimetype   *string        `arg:"mimetype=None: its kind, video/mp4 if nothing else tells"`
		Width      *int           `arg:"width=None: pixels"`
		Height     *int           `arg:"height=None: pixels"`
		Attributes string         `arg:"html_attributes=\"controls\": of the tag video"`
	}) (starlark.Value, error) {
		mime := "video/mp4"
		if a.Mimetype != nil {
			mime = *a.Mimetype
		}
		src, name, err := a.source(thread, "Video", mime)
		if err != nil {
			return nil, err
		}
		attrs := attribute("src", src) + " " + html.EscapeString(a.Attributes)
		if a.Width != nil {
			attrs += attribute("width", *a.Width)
		}
		if a.Height != nil {
			attrs += attribute("height", *a.Height)
		}
		return page("Video", "<video"+attrs+">This front end plays no films.</video>", name), nil
	})

type frameArgs struct {
	Width  starlark.Value `arg:"width=400: pixels, or \"100%\""`
	Height starlark.Value `arg:"height=300: pixels"`
	Extras starlark.Value `arg:"extras=None: texts with more attributes of the tag iframe"`
	Query  *slot.Dict     `arg:"**kwargs: parameters of the address"`
}

// frame is a page within the page.
func (a *frameArgs) frame(thread *starlark.Thread, kind, src string) (starlark.Value, error) {
	if a.Query != nil && a.Query.Len() > 0 {
		q := url.Values{}
		for _, kv := range a.Query.Items() {
			q.Set(value.Str(kv[0]), value.Str(kv[1]))
		}
		src += "?" + q.Encode()
	}
	attrs := attribute("width", value.Str(orDefault(a.Width, 400))) + attribute("height", value.Str(orDefault(a.Height, 300))) + attribute("src", src)
	if a.Extras != nil {
		it, err := value.Iterable(a.Extras)
		if err != nil {
			return nil, fmt.Errorf("%s: for parameter extras: %w", kind, err)
		}
		for _, v := range value.ElementsHeard(thread, it) {
			attrs += " " + value.Str(v)
		}
	}
	return page(kind, "<iframe"+attrs+` frameborder="0" allowfullscreen></iframe>`, src), nil
}

func orDefault(v starlark.Value, n int) starlark.Value {
	if v == nil {
		return starlark.MakeInt(n)
	}
	return v
}

var frameTable = []value.Builtin{
	value.Function("IFrame", "A page within the page, which the front end fetches.", `IFrame("https://example.org", 400, 300) # <IFrame: https://example.org>`,
		func(thread *starlark.Thread, a *struct {
			Src string `arg:"src: its address"`
			frameArgs
		}) (starlark.Value, error) {
			return a.frame(thread, "IFrame", a.Src)
		}),
	value.Function("YouTubeVideo", "A film of YouTube, which the front end fetches.", `YouTubeVideo("M7lc1UVf-VE") # <YouTubeVideo: https://www.youtube.com/embed/M7lc1UVf-VE>`,
		func(thread *starlark.Thread, a *struct {
			ID string `arg:"id: what its address ends in"`
			frameArgs
		}) (starlark.Value, error) {
			return a.frame(thread, "YouTubeVideo", "https://www.youtube.com/embed/"+url.PathEscape(a.ID))
		}),
	value.Function("FileLink", "A link to a file.", `FileLink("a.csv") # <FileLink: a.csv>`, func(_ *starlark.Thread, a *struct {
		Path   string `arg:"path: the path of the file"`
		URL    string `arg:"url_prefix=\"\": what stands before it in the address"`
		Before string `arg:"result_html_prefix=\"\": HTML before the link"`
		After  string `arg:"result_html_suffix=\"<br>\": HTML after it"`
	}) (starlark.Value, error) {
		link := "<a" + attribute("href", a.URL+(&url.URL{Path: a.Path}).EscapedPath()) + attribute("target", "_blank") + ">" + html.EscapeString(a.Path) + "</a>"
		return page("FileLink", a.Before+link+a.After, a.Path), nil
	}),
}
