package headless

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernel"
	"github.com/arignote/arignote/notebook"
)

// An output is what a running cell writes to. Its methods may be called from any goroutine, also
// after the cell has ended.
type output struct {
	*run
	cell *notebook.Cell

	// With run.mu:
	text  strings.Builder // of the last output, a stream, beyond what it has
	clear bool            // the next output is the first
	spent int             // bytes of output so far
	ended bool
}

var _ kernel.Output = (*output)(nil)

func (o *output) Stream(name, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text == "" || !o.spend(len(text)) {
		return
	}
	if name != "stderr" {
		name = "stdout"
	}
	o.stream(name, text)
}

// stream adds text, to the last output if it is the same stream; o.mu is held.
func (o *output) stream(name, text string) {
	o.begin()
	if n := len(o.cell.Outputs); n == 0 || o.cell.Outputs[n-1].Type != "stream" || o.cell.Outputs[n-1].Name != name {
		o.flush()
		o.cell.Outputs = append(o.cell.Outputs, &notebook.Output{Type: "stream", Name: name})
	}
	o.text.WriteString(text)
	if o.ended {
		o.flush()
	}
}

// flush gives the last output the text that waits; o.mu is held.
func (o *output) flush() {
	if o.text.Len() > 0 {
		o.cell.Outputs[len(o.cell.Outputs)-1].Text += o.text.String()
		o.text.Reset()
	}
}

// begin is called before anything is shown; o.mu is held.
func (o *output) begin() {
	if o.clear {
		o.clear = false
		o.empty()
	}
}

// empty removes the cell's outputs; o.mu is held.
func (o *output) empty() {
	o.text.Reset()
	o.cell.Outputs = nil
	for id, list := range o.displays {
		o.displays[id] = slices.DeleteFunc(list, func(s shown) bool { return s.cell == o.cell })
	}
}

func (o *output) Display(data, metadata map[string]any, displayID string, update bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	size := 0
	for _, v := range data {
		switch v := v.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	if !o.spend(size) {
		return
	}
	var shownNow *notebook.Output
	if !update || displayID == "" {
		shownNow = o.add(&notebook.Output{Type: "display_data"}, data, metadata)
	}
	if displayID == "" {
		return
	}
	for _, s := range o.displays[displayID] {
		fill(s.output, data, metadata)
	}
	if shownNow != nil {
		o.displays[displayID] = append(o.displays[displayID], shown{o.cell, shownNow})
	}
}

// add shows a bundle; o.mu is held.
func (o *output) add(out *notebook.Output, data, metadata map[string]any) *notebook.Output {
	o.begin()
	o.flush()
	fill(out, data, metadata)
	o.cell.Outputs = append(o.cell.Outputs, out)
	return out
}

// fill gives an output what it shows.
func fill(out *notebook.Output, data, metadata map[string]any) {
	data, metadata = kernel.Bundle(data, metadata, func(string, error) {})
	out.Data, out.Metadata = notebook.Object{}, notebook.Object{}
	for mime, v := range data {
		out.Data[mime] = encoded(v)
	}
	for key, v := range metadata {
		out.Metadata[key] = encoded(v)
	}
}

// fail shows the error of the cell; o.mu is held.
func (o *output) fail(err error) {
	o.begin()
	o.flush()
	content := kernel.ErrorContent(err)
	out := &notebook.Output{Type: "error"}
	out.Class, _ = content["ename"].(string)
	out.Message, _ = content["evalue"].(string)
	out.Traceback, _ = content["traceback"].([]string)
	o.cell.Outputs = append(o.cell.Outputs, out)
}

func (o *output) Clear(wait bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.clear = wait; !wait && !o.over {
		o.empty()
	}
}

// spend accounts for output and reports whether it may be shown; o.mu is held.
func (o *output) spend(bytes int) bool {
	if o.over || o.spent > kernel.MaxOutput {
		return false
	}
	if o.spent += bytes; o.spent <= kernel.MaxOutput {
		return true
	}
	o.stream("stderr", kernel.CutNotice())
	return false
}

// Page is for the pager of a front end: files have none.
func (o *output) Page(map[string]any) {}

// NextInput is for the cell that a front end would show next.
func (o *output) NextInput(string, bool) {}

// Input fails: there is no one to ask.
func (o *output) Input(string, bool) (string, error) { return "", kernel.ErrNoInput }
