package notebook

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// MaxSize is how many bytes the file of a notebook may have.
const MaxSize = 256 << 20

// A Notebook is a file of nbformat 4.
type Notebook struct {
	Cells    []*Cell
	Metadata Object
	Minor    int    // nbformat_minor: cells have ids from 5 on
	Extra    Object // what the format does not name
}

// A Kind is what a cell holds.
type Kind string

const (
	Code     Kind = "code"
	Markdown Kind = "markdown"
	Raw      Kind = "raw" // text for a converter
)

// A Cell is one cell. Outputs and Count are of code alone.
type Cell struct {
	Kind     Kind
	ID       string // "" before nbformat 4.5
	Source   string
	Metadata Object
	Outputs  []*Output
	Count    string // execution_count, a number; "" if the cell did not run
	Extra    Object // attachments, and what the format does not name
}

// An Output is what a cell showed.
type Output struct {
	Type       string // "stream", "display_data", "execute_result" or "error"
	Name, Text string // of a stream: "stdout" or "stderr"
	Data       Object // by MIME type, of what was displayed
	Metadata   Object // of Data
	Count      string // of a result, as Cell.Count
	Class      string // of an error, and its message and traceback
	Message    string
	Traceback  []string
	Extra      Object // what the format does not name
}

// An Object is a JSON object, whose values are kept as they are written.
type Object map[string]json.RawMessage

// kernelspec names the kernel that a notebook without one runs in.
const kernelspec = `{"display_name":"Starlark (Arignote)","language":"starlark","name":"arignote"}`

// New returns a notebook without cells, for this kernel.
func New() *Notebook {
	return &Notebook{Metadata: Object{"kernelspec": json.RawMessage(kernelspec)}, Minor: 5}
}

// Complete says in the metadata what ran the notebook: the language, and the kernel if none is
// named.
func (nb *Notebook) Complete(language map[string]any) {
	nb.Metadata["language_info"] = encode(language)
	if _, there := nb.Metadata["kernelspec"]; !there {
		nb.Metadata["kernelspec"] = json.RawMessage(kernelspec)
	}
}

// Tags are the tags of a cell.
func (c *Cell) Tags() []string {
	var tags []string
	_ = json.Unmarshal(c.Metadata["tags"], &tags) // other tools may keep something else there
	return tags
}

// HasTag reports whether a cell has a tag.
func (c *Cell) HasTag(tag string) bool { return slices.Contains(c.Tags(), tag) }

// Runs reports whether the cell has code to run.
func (c *Cell) Runs() bool { return c.Kind == Code && strings.TrimSpace(c.Source) != "" }

// derivedIDs are ids that follow from the cells' text, not their place: a cell that is put in
// between leaves the others' ids alone.
func derivedIDs(cells []*Cell) []string {
	seen := make(map[string]int)
	ids := make([]string, len(cells))
	for i, c := range cells {
		h := fnv.New32a()
		h.Write([]byte(string(c.Kind) + c.Source))
		ids[i] = fmt.Sprintf("%s-%08x", c.Kind, h.Sum32())
		if seen[ids[i]]++; seen[ids[i]] > 1 {
			ids[i] = fmt.Sprintf("%s-%d", ids[i], seen[ids[i]])
		}
	}
	return ids
}

// Text returns what data holds as text under a MIME type; ok is false if it has nothing there, or
// no text.
func (o Object) Text(mime string) (text string, ok bool) {
	raw, there := o[mime]
	if !there {
		return "", false
	}
	text, err := textOf(raw, mime)
	return text, err == nil
}
