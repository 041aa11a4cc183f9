package cluster

import (
	"encoding/json"
	"fmt"
)

// A Failure is why a task has no result.
type Failure struct {
	Class     string   `json:"class"` // of the exception
	Message   string   `json:"message"`
	Notes     []string `json:"notes,omitempty"`     // what follows the message
	Traceback []string `json:"traceback,omitempty"` // of the file, if the task runs one
	Worker    string   `json:"worker,omitempty"`
}

func (f *Failure) Error() string { return f.Message }

// The classes of failures that are no program's own.
const (
	classLost    = "RuntimeError"
	classTimeout = "TimeoutError"
)

func (f *Failure) encode() []byte {
	text, err := json.Marshal(f)
	if err != nil {
		panic(fmt.Sprintf("BUG: cluster: %v", err))
	}
	return text
}
