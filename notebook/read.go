package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Read reads the text of a notebook. Of nbformat 3 it makes 4.
func Read(data []byte) (*Notebook, error) {
	nb, err := read(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	return nb, nil
}

func read(data []byte) (*Notebook, error) {
	if err := checkText(data); err != nil {
		return nil, err
	}
	var top Object
	if err := json.Unmarshal(data, &top); err != nil {
		return nil, notJSON(data, err)
	}
	major, err := top.takeVersion("nbformat")
	if err != nil {
		return nil, err
	}
	minor, err := top.takeVersion("nbformat_minor")
	if err != nil {
		return nil, err
	}
	switch major {
	case 4:
	case 3:
		if top, err = upgrade(top); err != nil {
			return nil, err
		}
		minor = 5
	case 1, 2:
		return nil, fmt.Errorf("got nbformat %d, want 4 or 3: open and save it in Jupyter, which makes 4 of it", major)
	default:
		return nil, fmt.Errorf("got nbformat %d.%d, want 4: this version of Arignote does not know it", major, minor)
	}
	nb := &Notebook{Minor: minor}
	if nb.Metadata, err = top.takeObject("metadata", "metadata"); err != nil {
		return nil, err
	}
	cells, err := top.takeList("cells", "cells")
	if err != nil {
		return nil, err
	}
	for i, raw := range cells {
		c, err := readCell(raw, fmt.Sprintf("cells[%d]", i))
		if err != nil {
			return nil, err
		}
		nb.Cells = append(nb.Cells, c)
	}
	nb.identify()
	nb.Extra = top
	return nb, nil
}

// identify gives ids to cells that have none, or another's, if the format wants them.
func (nb *Notebook) identify() {
	if nb.Minor < 5 {
		return
	}
	seen := make(map[string]bool)
	for i, id := range derivedIDs(nb.Cells) {
		c := nb.Cells[i]
		if c.ID == "" || seen[c.ID] {
			c.ID = nb.freeID(id)
		}
		seen[c.ID] = true
	}
}

// freeID returns an id like the one given that no cell has.
func (nb *Notebook) freeID(id string) string {
	taken := make(map[string]bool)
	for _, c := range nb.Cells {
		taken[c.ID] = true
	}
	free := id
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	return free
}

// checkText says what else a file is that is no JSON text at all.
func checkText(data []byte) error {
	text := bytes.TrimSpace(data)
	switch {
	case len(text) == 0:
		return errors.New("got an empty file, want JSON")
	case !utf8.Valid(data):
		return errors.New("got bytes that are no UTF-8, want JSON")
	case text[0] != '{' && text[0] != '[':
		line, _, _ := strings.Cut(string(text), "\n")
		if len(line) > 40 {
			line = line[:40] + "..."
		}
		return fmt.Errorf("got a file that begins with %q, want JSON, which begins with {", line)
	}
	return nil
}

// notJSON says where a text stops being JSON.
func notJSON(data []byte, err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the JSON ends too early, after %d bytes in line %d: is the file cut off?", len(data), 1+bytes.Count(data, []byte("\n")))
	case errors.As(err, &syntax):
		before := data[:min(max(int(syntax.Offset)-1, 0), len(data))]
		line := 1 + bytes.Count(before, []byte("\n"))
		column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
		return fmt.Errorf("no JSON in line %d, column %d: %v", line, column, syntax)
	case errors.As(err, &wrong):
		return fmt.Errorf("got %s, want an object with cells", kindOf(bytes.TrimSpace(data)))
	}
	return err
}

func readCell(raw json.RawMessage, place string) (*Cell, error) {
	fields, err := objectOf(raw, place)
	if err != nil {
		return nil, err
	}
	kind, err := fields.takeText("cell_type", place)
	if err != nil {
		return nil, err
	}
	c := &Cell{Kind: Kind(kind)}
	switch c.Kind {
	case Code, Markdown, Raw:
	default:
		return nil, fmt.Errorf("%s.cell_type: got %q, want code, markdown or raw", place, kind)
	}
	if _, there := fields["id"]; there {
		if c.ID, err = fields.takeText("id", place); err != nil {
			return nil, err
		}
	}
	if c.Source, err = fields.takeText("source", place); err != nil {
		return nil, err
	}
	if c.Metadata, err = fields.takeObject("metadata", place+".metadata"); err != nil {
		return nil, err
	}
	if c.Kind == Code {
		if c.Count, err = fields.takeCount(place); err != nil {
			return nil, err
		}
		outputs, err := fields.takeList("outputs", place+".outputs")
		if err != nil {
			return nil, err
		}
		for i, raw := range outputs {
			o, err := readOutput(raw, fmt.Sprintf("%s.outputs[%d]", place, i))
			if err != nil {
				return nil, err
			}
			c.Outputs = append(c.Outputs, o)
		}
	}
	c.Extra = fields
	return c, nil
}

func readOutput(raw json.RawMessage, place string) (*Output, error) {
	fields, err := objectOf(raw, place)
	if err != nil {
		return nil, err
	}
	o := &Output{}
	text := func(to *string, key string) {
		if err == nil {
			*to, err = fields.takeText(key, place)
		}
	}
	text(&o.Type, "output_type")
	switch o.Type {
	case "stream":
		text(&o.Name, "name")
		text(&o.Text, "text")
	case "execute_result", "display_data":
		if o.Data, err = fields.takeObject("data", place+".data"); err == nil {
			o.Metadata, err = fields.takeObject("metadata", place+".metadata")
		}
		if err == nil && o.Type == "execute_result" {
			o.Count, err = fields.takeCount(place)
		}
	case "error":
		text(&o.Class, "ename")
		text(&o.Message, "evalue")
		if err == nil {
			o.Traceback, err = fields.takeTexts("traceback", place)
		}
	default:
		if err == nil {
			err = fmt.Errorf("%s.output_type: got %q, want stream, display_data, execute_result or error", place, o.Type)
		}
	}
	o.Extra = fields
	return o, err
}

// The take functions return a field and remove it: what remains is what the format does not name.

func (o Object) takeVersion(key string) (int, error) {
	raw, there := o[key]
	delete(o, key)
	if !there && key == "nbformat_minor" {
		return 0, nil
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0, fmt.Errorf("%s: got %s, want a whole number: is this a notebook?", key, kindOf(raw))
	}
	return n, nil
}

func (o Object) takeCount(place string) (string, error) {
	raw := o["execution_count"]
	delete(o, "execution_count")
	switch kind := kindOf(raw); kind {
	case "nothing", "null":
		return "", nil
	case "a number":
		return string(raw), nil
	default:
		return "", fmt.Errorf("%s.execution_count: got %s, want a number or null", place, kind)
	}
}

func (o Object) takeText(key, place string) (string, error) {
	raw := o[key]
	delete(o, key)
	return textOf(raw, place+"."+key)
}

func (o Object) takeTexts(key, place string) ([]string, error) {
	list, err := o.takeList(key, place+"."+key)
	var texts []string
	for i, raw := range list {
		text, err := textOf(raw, fmt.Sprintf("%s.%s[%d]", place, key, i))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, err
}

// takeObject returns an object of its own, empty if there is none.
func (o Object) takeObject(key, place string) (Object, error) {
	raw, there := o[key]
	delete(o, key)
	if !there {
		return Object{}, nil
	}
	return objectOf(raw, place)
}

func (o Object) takeList(key, place string) ([]json.RawMessage, error) {
	raw := o[key]
	delete(o, key)
	if kind := kindOf(raw); kind != "a list" {
		return nil, fmt.Errorf("%s: got %s, want a list", place, kind)
	}
	var list []json.RawMessage
	err := json.Unmarshal(raw, &list)
	return list, err
}

func objectOf(raw json.RawMessage, place string) (Object, error) {
	if kind := kindOf(raw); kind != "an object" {
		return nil, fmt.Errorf("%s: got %s, want an object", place, kind)
	}
	o := Object{}
	err := json.Unmarshal(raw, &o)
	return o, err
}

// textOf is text, which the format keeps as a list of lines or as one string.
func textOf(raw json.RawMessage, place string) (string, error) {
	var text string
	var lines []string
	var err error
	switch kind := kindOf(raw); kind {
	case "text":
		err = json.Unmarshal(raw, &text)
		return text, err
	case "a list":
		var parts []json.RawMessage
		err = json.Unmarshal(raw, &parts)
		for i, part := range parts {
			if kind := kindOf(part); kind != "text" {
				return "", fmt.Errorf("%s[%d]: got %s, want text", place, i, kind)
			}
		}
		if err == nil {
			err = json.Unmarshal(raw, &lines)
		}
		return strings.Join(lines, ""), err
	default:
		return "", fmt.Errorf("%s: got %s, want text or a list of lines", place, kind)
	}
}

// kindOf names the kind of a JSON value.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 'n':
		return "null"
	case 't', 'f':
		return "a bool"
	}
	return "a number"
}

// Clone returns a copy that shares no map with the object.
func (o Object) Clone() Object {
	if o == nil {
		return Object{}
	}
	return maps.Clone(o)
}
