package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/arignote/arignote/profiler/export"
)

// Terminal is the Output of a program that runs without a front end: text goes to Out and Err,
// values are shown as text, and questions are asked on In.
type Terminal struct {
	In       io.Reader // nil: there is nobody to ask
	Out, Err io.Writer
	Live     bool // Err is a terminal
	Figures  bool // figures are shown, as text: Out is a terminal

	lines *bufio.Reader
}

var _ Output = (*Terminal)(nil)

func (t *Terminal) Stream(name, text string) {
	w := t.Out
	if name == "stderr" {
		w = t.Err
	}
	io.WriteString(w, text)
}

// ShowsFigures reports whether figures are to be shown: what another program reads has none.
func (t *Terminal) ShowsFigures() bool { return t.Figures }

// Display writes text/plain; a profile goes where profiles go, to Err.
func (t *Terminal) Display(data, _ map[string]any, _ string, _ bool) {
	text, ok := data["text/plain"].(string)
	if !ok {
		return
	}
	w := t.Out
	if _, isProfile := data[export.MIME]; isProfile {
		w, text = t.Err, text+"\n" // the next one stands apart
	}
	fmt.Fprintln(w, text)
}

func (t *Terminal) Clear(bool) {}

// Screen is a line of Err on a terminal.
func (t *Terminal) Screen() Screen {
	if t.Live {
		return ScreenLine
	}
	return ScreenFile
}

func (t *Terminal) Page(data map[string]any) { t.Display(data, nil, "", false) }

// Input asks on the terminal. A password is not hidden: there may be no terminal to hide it on.
func (t *Terminal) Input(prompt string, _ bool) (string, error) {
	if t.In == nil {
		return "", errNoInput
	}
	if t.lines == nil {
		t.lines = bufio.NewReader(t.In)
	}
	io.WriteString(t.Out, prompt)
	line, err := t.lines.ReadString('\n')
	if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
		return "", fmt.Errorf("input: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}
