package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/starlib/session"
)

// A taskError is the failure of a task as the program meets it: an exception of the class that it
// had in the worker.
type taskError struct {
	task int
	f    *cluster.Failure
}

var (
	_ session.Named     = (*taskError)(nil)
	_ session.Annotated = (*taskError)(nil)
)

func (e *taskError) Error() string     { return e.f.Message }
func (e *taskError) ErrorName() string { return e.f.Class }

// ErrorNotes are those of the worker, and where the error was.
func (e *taskError) ErrorNotes() []string {
	notes := slices.Clone(e.f.Notes)
	if n := len(e.f.Traceback); n > 0 {
		notes = append(notes, "in the worker:\n"+strings.Join(e.f.Traceback, "\n"))
	}
	return append(notes, fmt.Sprintf("task %d, on worker %s", e.task, e.f.Worker))
}
