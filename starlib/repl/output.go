package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/arignote/arignote/starlib"
)

// output shows what the running cell shows, as text.
type output struct {
	starlib.Terminal
	column *column // of stdout and stderr, which are taken to be one screen
	reader reader

	ctx       context.Context // of the running cell
	interrupt func()          // ends it
	givenUp   atomic.Bool     // it ended at a question
}

// column knows whether the last line that was written has ended.
type column struct{ open bool }

type columnWriter struct {
	io.Writer
	column *column
}

func (w columnWriter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		w.column.open = p[len(p)-1] != '\n'
	}
	return w.Writer.Write(p)
}

func newOutput(stdout, stderr io.Writer) *output {
	c := &column{}
	return &output{
		Terminal: starlib.Terminal{Out: columnWriter{stdout, c}, Err: columnWriter{stderr, c},
			Live: isTerminal(stderr), Figures: isTerminal(stdout)},
		column: c,
	}
}

// freshLine ends a line that a cell has left open, or a prompt would overwrite it.
func (o *output) freshLine() {
	if o.column.open {
		io.WriteString(o.Out, "\n")
	}
}

// result shows the value of a cell behind its label; a value of several lines begins below it, so
// that its columns stand.
func (o *output) result(label string, data map[string]any) {
	o.freshLine()
	text, _ := data["text/plain"].(string)
	between := " "
	if strings.Contains(text, "\n") {
		between = "\n"
	}
	fmt.Fprint(o.Out, label, between, text, "\n")
}

// Input puts a cell's question. Ctrl-C instead of an answer ends the cell: the editor gets it as a
// key, not as a signal.
func (o *output) Input(prompt string, password bool) (string, error) {
	ctx, interrupt := o.ctx, o.interrupt
	answer, err := o.reader.ask(ctx, prompt, password)
	if errors.Is(err, errGivenUp) {
		o.givenUp.Store(true)
		interrupt()
	}
	return answer, err
}
