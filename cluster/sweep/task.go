package sweep

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/notebook"
)

// A File is what all runs of a sweep run.
type File struct {
	Name  string   `json:"name"` // with .star, .py or .ipynb
	Text  []byte   `json:"text"`
	Flags []string `json:"flags,omitempty"`
}

// Cells are the file as a notebook.
func (f *File) Cells() (*notebook.Notebook, error) {
	var nb *notebook.Notebook
	var err error
	if filepath.Ext(f.Name) == ".ipynb" {
		nb, err = notebook.Read(f.Text)
	} else {
		nb, err = notebook.FromScript(string(f.Text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return nb, nil
}

// Check refuses a file that is no notebook, and parameters that the file overwrites: without a
// tagged cell they stand before all others.
func (s *Sweep) Check() error {
	nb, err := s.File.Cells()
	if err != nil {
		return err
	}
	if len(s.Runs) == 0 || slices.ContainsFunc(nb.Cells, func(c *notebook.Cell) bool { return c.Kind == notebook.Code && c.HasTag(notebook.TagParameters) }) {
		return nil
	}
	for _, p := range s.Runs[0] {
		assigned := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(p.Name) + `\s*=($|[^=])`)
		for _, c := range nb.Cells {
			if c.Kind == notebook.Code && assigned.MatchString(c.Source) {
				return fmt.Errorf("parameter %s: the file assigns it, and no cell is tagged \"parameters\", behind which it would stand: "+
					"in a script, write # %%%% tags=[\"parameters\"] above the lines that assign it, and # %%%% below them", p.Name)
			}
		}
	}
	return nil
}

// An Output is what a run found.
type Output struct {
	Results  json.RawMessage  `json:"results,omitempty"` // the dict of that name, as an object
	Text     string           `json:"text,omitempty"`    // what it printed
	Notebook []byte           `json:"notebook,omitempty"`
	Seconds  float64          `json:"seconds"`
	Failure  *cluster.Failure `json:"failure,omitempty"`
}

// DecodeFile reads what a worker is sent.
func DecodeFile(program []byte) (*File, error) {
	f := new(File)
	if err := json.Unmarshal(program, f); err != nil {
		return nil, fmt.Errorf("file: %w", err)
	}
	return f, nil
}

// DecodeParameters reads the input of a task.
func DecodeParameters(input []byte) ([]notebook.Parameter, error) {
	var list []notebook.Parameter
	if err := json.Unmarshal(input, &list); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	return list, nil
}

// Encode is the output as it travels.
func (o *Output) Encode() ([]byte, error) { return json.Marshal(o) }
