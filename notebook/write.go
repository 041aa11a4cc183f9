package notebook

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Encode returns the text of the file, as nbformat writes it: keys sorted, indented by one space,
// texts as lists of lines.
func (nb *Notebook) Encode() []byte {
	top := nb.Extra.Clone()
	cells := make([]json.RawMessage, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = c.encode(nb.Minor >= 5)
	}
	top["cells"] = encode(cells)
	top["metadata"] = encode(nb.Metadata.Clone())
	top["nbformat"] = json.RawMessage("4")
	top["nbformat_minor"] = json.RawMessage(strconv.Itoa(nb.Minor))
	return append(indent(encode(top)), '\n')
}

func (c *Cell) encode(identified bool) json.RawMessage {
	fields := c.Extra.Clone()
	fields["cell_type"] = Quote(string(c.Kind))
	fields["metadata"] = encode(c.Metadata.Clone())
	fields["source"] = lines(c.Source)
	if identified || c.ID != "" {
		fields["id"] = Quote(c.ID)
	}
	if c.Kind == Code {
		outputs := make([]json.RawMessage, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.encode()
		}
		fields["outputs"] = encode(outputs)
		fields["execution_count"] = count(c.Count)
	}
	return encode(fields)
}

func (o *Output) encode() json.RawMessage {
	fields := o.Extra.Clone()
	fields["output_type"] = Quote(o.Type)
	switch o.Type {
	case "stream":
		fields["name"], fields["text"] = Quote(o.Name), lines(o.Text)
	case "error":
		fields["ename"], fields["evalue"] = Quote(o.Class), Quote(o.Message)
		fields["traceback"] = encode(append([]string{}, o.Traceback...))
	default:
		data := make(Object, len(o.Data))
		for mime, raw := range o.Data {
			data[mime] = inBundle(mime, raw)
		}
		fields["data"], fields["metadata"] = encode(data), encode(o.Metadata.Clone())
		if o.Type == "execute_result" {
			fields["execution_count"] = count(o.Count)
		}
	}
	return encode(fields)
}

func count(n string) json.RawMessage {
	if n == "" {
		return json.RawMessage("null")
	}
	return json.RawMessage(n)
}

// inBundle is a value of a bundle as files keep it: texts as lists of lines, all else that is text
// as one string, and JSON as it is.
func inBundle(mime string, raw json.RawMessage) json.RawMessage {
	if mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json") {
		return raw
	}
	text, err := textOf(raw, mime)
	switch {
	case err != nil:
		return raw
	case strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml":
		return lines(text)
	}
	return Quote(text)
}

// lineEnds are what Python's splitlines takes for the end of a line, and so does nbformat.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// lines is a text as a list of its lines, with their ends.
func lines(text string) json.RawMessage {
	list := []string{}
	for text != "" {
		end := strings.IndexAny(text, lineEnds)
		if end < 0 {
			list = append(list, text)
			break
		}
		switch {
		case strings.HasPrefix(text[end:], "\r\n"), text[end] == 0xc2: // U+0085
			end += 2
		case text[end] == 0xe2: // U+2028, U+2029
			end += 3
		default:
			end++
		}
		list, text = append(list, text[:end]), text[end:]
	}
	return encode(list)
}

// Quote is a text as JSON.
func Quote(text string) json.RawMessage { return encode(text) }

// encode is JSON of what always has one, with < and & as they are.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // raw values were read as JSON, or made here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// indent lays out valid JSON with sorted keys, indented by one space.
func indent(raw []byte) []byte {
	l := layout{in: raw}
	l.value(0)
	return l.out
}

// A layout writes one JSON value anew.
type layout struct {
	in, out []byte
	at      int // in in
}

// value writes the value that comes next.
func (l *layout) value(depth int) {
	l.space()
	switch l.in[l.at] {
	case '{':
		l.object(depth)
	case '[':
		l.list(depth)
	default:
		start := l.at
		l.skip()
		l.out = append(l.out, l.in[start:l.at]...)
	}
}

func (l *layout) object(depth int) {
	members := map[string][2]int{} // by key: where its text and its value begin
	l.each(func() {
		start := l.at
		l.skip()
		var key string
		_ = json.Unmarshal(l.in[start:l.at], &key)
		l.space()
		l.at++ // the colon
		members[key] = [2]int{start, l.at}
		l.skip()
	})
	end := l.at
	l.out = append(l.out, '{')
	for i, key := range slices.Sorted(maps.Keys(members)) {
		l.line(i, depth+1)
		l.at = members[key][0]
		l.value(0)
		l.out = append(l.out, ": "...)
		l.at = members[key][1]
		l.value(depth + 1)
	}
	l.close(len(members), depth, '}')
	l.at = end
}

func (l *layout) list(depth int) {
	l.out = append(l.out, '[')
	n := 0
	l.each(func() {
		l.line(n, depth+1)
		n++
		l.value(depth + 1)
	})
	l.close(n, depth, ']')
}

// line begins the line of member i.
func (l *layout) line(i, depth int) {
	if i > 0 {
		l.out = append(l.out, ',')
	}
	l.out = append(l.out, '\n')
	l.out = append(l.out, strings.Repeat(" ", depth)...)
}

func (l *layout) close(n, depth int, mark byte) {
	if n > 0 {
		l.line(0, depth)
	}
	l.out = append(l.out, mark)
}

// each calls f at each member of the object or list that begins here, and goes behind its end.
func (l *layout) each(f func()) {
	l.at++
	for l.space(); l.in[l.at] != '}' && l.in[l.at] != ']'; l.space() {
		if l.in[l.at] == ',' {
			l.at++
			l.space()
		}
		f()
	}
	l.at++
}

// skip goes behind the value that comes next.
func (l *layout) skip() {
	l.space()
	switch l.in[l.at] {
	case '{', '[':
		for depth := 0; ; {
			switch l.in[l.at] {
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			case '"':
				l.skip()
				continue
			}
			if l.at++; depth == 0 {
				return
			}
		}
	case '"':
		for l.at++; l.in[l.at] != '"'; l.at++ {
			if l.in[l.at] == '\\' {
				l.at++
			}
		}
		l.at++
	default:
		for l.at < len(l.in) && !strings.ContainsRune(",:]} \t\r\n", rune(l.in[l.at])) {
			l.at++
		}
	}
}

func (l *layout) space() {
	for l.at < len(l.in) && strings.IndexByte(" \t\r\n", l.in[l.at]) >= 0 {
		l.at++
	}
}
