package starlib_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib"
)

// notBuilt is what a cell of the examples may fail for: an operation, a loop or a tool that
// Arignote has not yet.
var notBuilt = regexp.MustCompile(`is not in Arignote yet|is not in Arignote: `)

// TestExamples runs the code of the documents that the project was created from, and of the
// programs that it is to run, cell by cell, in an empty folder. What does not run yet is in the
// golden file, each cell with the missing name; cells that use what such a cell was to make are
// counted with it.
func TestExamples(t *testing.T) {
	var report strings.Builder
	cells, ran := 0, 0
	for _, pattern := range []string{"testdata/examples/*.star", "testdata/seeds/*.star"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			n, failed := runExample(t, file)
			cells, ran = cells+n, ran+n-len(failed)
			for _, f := range failed {
				fmt.Fprintf(&report, "%s\n", f)
			}
		}
	}
	fmt.Fprintf(&report, "%d of %d cells run\n", ran, cells)
	t.Logf("%d of %d cells run", ran, cells)
	profilertest.Golden(t, "examples/missing.txt", report.String())
}

var (
	unknownName = regexp.MustCompile(`^name '(\w+)' is not defined`)
	assigned    = regexp.MustCompile(`(?m)^(?:>>> )?([\w, ]+?) = |^load\("[^"]*"((?:, "\w+")*)\)`)
)

// runExample returns the number of a file's cells and what fails, a line for each.
func runExample(t *testing.T, file string) (cells int, failed []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, other := range []string{"nn.star"} {
		if data, err := os.ReadFile(filepath.Join(filepath.Dir(file), other)); err == nil {
			os.WriteFile(filepath.Join(dir, other), data, 0o666)
		}
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	base := filepath.Base(file)
	late := map[string]string{} // names that cells which failed were to assign, with what those missed
	for _, cell := range notebook.Split(string(text)) {
		if cell.Kind != notebook.Code {
			continue
		}
		cells++
		_, _, err := s.Execute(context.Background(), 1, cell.Code, nil)
		if err == nil {
			continue
		}
		why := err.Error()
		if m := unknownName.FindStringSubmatch(why); m != nil && late[m[1]] != "" {
			why = fmt.Sprintf("%s, for which %s", m[1], late[m[1]])
		} else if late["%%profile"] != "" && strings.Contains(why, "needs a profile") {
			why = "a profile, for which " + late["%%profile"]
		} else if !notBuilt.MatchString(why) {
			t.Errorf("%s:%d: %s", base, cell.Line, why)
		}
		if strings.Contains(cell.Code, "%%profile") {
			late["%%profile"] = why
		}
		for _, m := range assigned.FindAllStringSubmatch(cell.Code, -1) {
			for name := range strings.FieldsFuncSeq(m[1]+m[2], func(r rune) bool { return strings.ContainsRune(`", `, r) }) {
				if _, ok := s.Lookup(name); !ok {
					late[name] = why
				}
			}
		}
		failed = append(failed, fmt.Sprintf("%s:%d: %s", base, cell.Line, why))
	}
	return cells, failed
}
