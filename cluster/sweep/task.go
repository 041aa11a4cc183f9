package sweep

import (
	"encoding/json"
	"fmt"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/notebook"
)

// A File is what all runs of a sweep run.
type File struct {
	Name  string   `json:"name"` // with .star, .py or .ipynb
	Text  []byte   `json:"text"`
	Flags []string `json:"flags,omitempty"`
}

// An Output is what a run found.
type Output struct {
	Results  json.RawMessage  `json:"results,omitempty"` // the dict results of the program, as an object
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
