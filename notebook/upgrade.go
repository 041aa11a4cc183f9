package notebook

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// upgrade makes nbformat 4 of 3, whose cells lie in worksheets.
func upgrade(top Object) (Object, error) {
	sheets, err := top.takeList("worksheets", "worksheets")
	if err != nil {
		return nil, err
	}
	cells := []json.RawMessage{}
	for i, raw := range sheets {
		place := fmt.Sprintf("worksheets[%d]", i)
		sheet, err := objectOf(raw, place)
		if err != nil {
			return nil, err
		}
		list, err := sheet.takeList("cells", place+".cells")
		if err != nil {
			return nil, err
		}
		for j, raw := range list {
			cell, err := objectOf(raw, fmt.Sprintf("%s.cells[%d]", place, j))
			if err == nil {
				err = cell.upgradeCell(fmt.Sprintf("%s.cells[%d]", place, j))
			}
			if err != nil {
				return nil, err
			}
			cells = append(cells, encode(cell))
		}
	}
	top["cells"] = encode(cells)
	metadata, err := top.takeObject("metadata", "metadata")
	if err != nil {
		return nil, err
	}
	delete(metadata, "name") // the file's, and no longer kept
	delete(metadata, "signature")
	delete(top, "orig_nbformat")
	delete(top, "orig_nbformat_minor")
	top["metadata"] = encode(metadata)
	return top, nil
}

func (o Object) rename(from, to string) {
	if raw, there := o[from]; there {
		o[to] = raw
		delete(o, from)
	}
}

// rejoin makes one text of lines, which some programs wrote without their ends.
func (o Object) rejoin(key string) {
	var lines []string
	if json.Unmarshal(o[key], &lines) != nil || len(lines) == 0 {
		return
	}
	between := "\n"
	if strings.HasSuffix(lines[0], "\n") || strings.HasSuffix(lines[0], "\r") {
		between = ""
	}
	o[key] = Quote(strings.Join(lines, between))
}

func (o Object) upgradeCell(place string) error {
	o.rejoin("source")
	o.rejoin("input")
	kind, err := textOf(o["cell_type"], place+".cell_type")
	if err != nil {
		return err
	}
	switch kind {
	case "html":
		o["cell_type"] = Quote("markdown")
	case "heading":
		return o.upgradeHeading(place)
	case "code":
		delete(o, "language")
		o.rename("input", "source")
		if _, there := o["source"]; !there {
			o["source"] = Quote("")
		}
		o.rename("prompt_number", "execution_count")
		if collapsed, there := o["collapsed"]; there {
			metadata, err := o.takeObject("metadata", place+".metadata")
			if err != nil {
				return err
			}
			metadata["collapsed"] = collapsed
			o["metadata"] = encode(metadata)
			delete(o, "collapsed")
		}
		if _, there := o["outputs"]; !there {
			o["outputs"] = json.RawMessage("[]")
		}
		outputs, err := o.takeList("outputs", place+".outputs")
		if err != nil {
			return err
		}
		for i, raw := range outputs {
			output, err := objectOf(raw, fmt.Sprintf("%s.outputs[%d]", place, i))
			if err == nil {
				err = output.upgradeOutput(fmt.Sprintf("%s.outputs[%d]", place, i))
			}
			if err != nil {
				return err
			}
			outputs[i] = encode(output)
		}
		o["outputs"] = encode(append([]json.RawMessage{}, outputs...))
	}
	return nil
}

// upgradeHeading makes markdown of a heading.
func (o Object) upgradeHeading(place string) error {
	level := 1
	if raw, there := o["level"]; there {
		var err error
		if level, err = strconv.Atoi(string(raw)); err != nil || level < 1 || level > 6 {
			return fmt.Errorf("%s.level: got %s, want 1 to 6", place, raw)
		}
		delete(o, "level")
	}
	text, err := textOf(o["source"], place+".source")
	o["cell_type"] = Quote("markdown")
	o["source"] = Quote(strings.Repeat("#", level) + " " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", " "))
	return err
}

// mimeTypes are those of the keys that outputs had.
var mimeTypes = map[string]string{
	"text": "text/plain", "html": "text/html", "svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg",
	"latex": "text/latex", "json": "application/json", "javascript": "application/javascript",
}

func (o Object) upgradeOutput(place string) error {
	kind, err := textOf(o["output_type"], place+".output_type")
	if err != nil {
		return err
	}
	switch kind {
	case "stream":
		o.rejoin("text")
		o.rename("stream", "name")
		if _, there := o["name"]; !there {
			o["name"] = Quote("stdout")
		}
	case "pyerr":
		o["output_type"] = Quote("error")
	case "pyout", "display_data":
		if kind == "pyout" {
			o["output_type"] = Quote("execute_result")
			o.rename("prompt_number", "execution_count")
		}
		data := Object{}
		for key, raw := range o {
			if key == "output_type" || key == "execution_count" || key == "metadata" {
				continue
			}
			o.rejoin(key)
			if raw = o[key]; key == "json" { // JSON in a text
				text, err := textOf(raw, place+".json")
				if err != nil {
					return err
				}
				if json.Valid([]byte(text)) {
					raw = json.RawMessage(text)
				} else {
					raw = Quote(text)
				}
			}
			mime := mimeTypes[key]
			if mime == "" {
				mime = key
			}
			data[mime] = raw
			delete(o, key)
		}
		o["data"] = encode(data)
	}
	return nil
}
