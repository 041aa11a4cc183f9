// Package starlibtest is what tests of the rooms below starlib need of a whole session: cells that
// run or fail, an output that is written down, and files of cells that say how they fail.
package starlibtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/session"
)

// A Recorder is an Output that writes down what it is given.
type Recorder struct {
	Log    []string
	Answer func(prompt string, password bool) (string, error)
}

func (r *Recorder) Stream(name, text string) { r.Log = append(r.Log, name+": "+text) }
func (r *Recorder) Display(data, meta map[string]any, id string, update bool) {
	var mimes []string
	for m := range data {
		mimes = append(mimes, fmt.Sprintf("%s=%v", m, data[m]))
	}
	slices.Sort(mimes)
	r.Log = append(r.Log, fmt.Sprintf("display(%s,%q,%v)", strings.Join(mimes, " "), id, update))
}
func (r *Recorder) Clear(wait bool) { r.Log = append(r.Log, fmt.Sprintf("clear(%v)", wait)) }
func (r *Recorder) Page(data map[string]any) {
	r.Log = append(r.Log, "page: "+data["text/plain"].(string))
}
func (r *Recorder) Input(prompt string, password bool) (string, error) {
	return r.Answer(prompt, password)
}
func (r *Recorder) String() string { return strings.Join(r.Log, "|") }

// NewSession returns a session in a directory of the test.
func NewSession(t testing.TB) *starlib.Session {
	return starlib.NewSession(starlib.Options{Dir: t.TempDir(), Predeclared: Assertions})
}

// Run executes a cell, and fails the test if the cell fails.
func Run(t *testing.T, s *starlib.Session, count int, code string) (shown string, out *Recorder) {
	t.Helper()
	out = &Recorder{}
	data, _, err := s.Execute(context.Background(), count, code, out)
	if err != nil {
		t.Fatalf("cell %q: %s", code, strings.Join(err.(*starlib.Error).Traceback(), "\n"))
	}
	if data != nil {
		shown = data["text/plain"].(string)
	}
	return shown, out
}

// Fails executes a cell that is to fail.
func Fails(t *testing.T, s *starlib.Session, count int, code string) *starlib.Error {
	t.Helper()
	data, _, err := s.Execute(context.Background(), count, code, &Recorder{})
	if err == nil {
		t.Fatalf("cell %q: got no error, and %v", code, data)
	}
	return err.(*starlib.Error)
}

// Write makes a file of a directory, and returns its path.
func Write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A Printed collects what a program prints.
type Printed struct {
	session.Discard
	strings.Builder
}

func (p *Printed) Stream(name, text string) {
	if name == "stdout" {
		p.WriteString(text)
	}
}
