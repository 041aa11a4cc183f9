package repl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// historySize is how many cells the file keeps. It grows to twice as many before it is shortened.
const historySize = 2000

// maxHistory is how many bytes of it are read.
const maxHistory = 64 << 20

// history is the cells of this and earlier sessions, oldest first. The file has one cell a line, as
// a JSON string, so that a cell of several lines is one entry; what is no such line is skipped.
type history struct {
	path   string // "": only this session's
	cells  []string
	hidden bool // while a question is asked, whose answers are no cells
}

// readHistory reads the file, or as much of it as is read: it may be a device.
func readHistory(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxHistory))
}

// newHistory reads the file, makes its folder if there is none, and shortens the file if it has
// grown too long. There is a history beside an error too.
func newHistory(path string) (*history, error) {
	h := &history{path: path}
	if path == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return h, fmt.Errorf("history: %w", err)
	}
	text, err := readHistory(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("history: %w", err)
	}
	for line := range bytes.Lines(text) {
		var cell string
		if json.Unmarshal(line, &cell) == nil && cell != "" {
			h.cells = append(h.cells, cell)
		}
	}
	if len(h.cells) > 2*historySize {
		h.cells = h.cells[len(h.cells)-historySize:]
		return h, h.rewrite()
	}
	return h, nil
}

// rewrite replaces the file by one with the cells there are, at once, for another session may be
// reading it.
func (h *history) rewrite() error {
	f, err := os.CreateTemp(filepath.Dir(h.path), ".history-*") // of mode 0600
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer os.Remove(f.Name())
	for _, cell := range h.cells {
		f.Write(entry(cell)) // Close reports what went wrong
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	if err := os.Rename(f.Name(), h.path); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

func entry(cell string) []byte {
	text, _ := json.Marshal(cell) // a string can always be
	return append(text, '\n')
}

// add appends a cell, unless it is empty or the last one once more.
func (h *history) add(cell string) error {
	cell = strings.TrimRight(cell, " \t\n")
	if strings.TrimSpace(cell) == "" || len(h.cells) > 0 && h.cells[len(h.cells)-1] == cell {
		return nil
	}
	h.cells = append(h.cells, cell)
	if h.path == "" {
		return nil
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	_, err = f.Write(entry(cell))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// The rest is what the line editor asks of a history.

// Write adds nothing: the editor would write answers and cells that were given up too, and nothing
// once a size that the user has set for shells is reached.
func (h *history) Write(string) (int, error) { return h.Len(), nil }

func (h *history) Len() int {
	if h.hidden {
		return 0
	}
	return len(h.cells)
}

func (h *history) GetLine(i int) (string, error) {
	if i < 0 || i >= h.Len() {
		return "", fmt.Errorf("history: got entry %d, want 0 to %d", i, h.Len()-1)
	}
	return h.cells[i], nil
}

func (h *history) Dump() any { return h.cells }

// DefaultHistory is where the cells of sessions are kept: $XDG_STATE_HOME/arignote/history, by
// default below ~/.local/state; "" if there is no home.
func DefaultHistory() string {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "arignote", "history")
}
