package starlibtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/starlib"
)

// Spec runs the files *.star of testdata. A file is chunks separated by lines "---", each
// run in a session of its own; a chunk is cells separated by lines "# %%". A comment
//
//	x = 1 // 0 ### "regexp"
//
// says that the cell fails with a message (kind: text) that matches, and that the line is in the
// traceback; cells after it run still. A cell without one must succeed. Lines are numbered as in
// the file. Sessions are in a copy of testdata, where they may write.
func Spec(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no spec files: %v", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".star"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range runSpec(dir, file, string(text)) {
				t.Error(problem)
			}
		})
	}
}

var expectation = regexp.MustCompile(`### ("(?:[^"\\]|\\.)*")`)

// RunSpec runs the cells of a text, in the folder of the file, and returns what is not as they say.
func RunSpec(file, text string) (problems []string) { return runSpec(filepath.Dir(file), file, text) }

func runSpec(dir, file, text string) (problems []string) {
	line := 1
	for chunk := range strings.SplitSeq(text, "\n---\n") {
		s := starlib.NewSession(starlib.Options{Dir: dir, Predeclared: Assertions})
		for _, cell := range notebook.Split(chunk) {
			if p := runSpecCell(s, file, line+cell.Line-1, cell.Code); p != "" {
				problems = append(problems, p)
			}
		}
		line += strings.Count(chunk, "\n") + 2
	}
	return problems
}

func runSpecCell(s *starlib.Session, file string, line int, code string) string {
	wantLine, want := 0, ""
	for i, l := range strings.Split(code, "\n") {
		if m := expectation.FindStringSubmatch(l); m != nil {
			wantLine = line + i
			want, _ = strconv.Unquote(m[1])
		}
	}
	// The cell is padded, so that its lines have the numbers of the file.
	_, _, err := s.Execute(context.Background(), 1, strings.Repeat("\n", line-1)+code, nil)
	if err == nil {
		if wantLine != 0 {
			return fmt.Sprintf("%s:%d: no error, want match for %q", file, wantLine, want)
		}
		return ""
	}
	e := err.(*starlib.Error)
	message := e.Name() + ": " + e.Error()
	frames := e.Frames()
	at := "?"
	for _, f := range frames {
		if f.File == "In[1]" {
			at = fmt.Sprintf("%d:%d", f.Line, f.Col)
			if f.Line == wantLine {
				break
			}
		}
	}
	switch {
	case wantLine == 0:
		return fmt.Sprintf("%s:%s: unexpected error: %s", file, at, message)
	case !strings.HasPrefix(at, strconv.Itoa(wantLine)+":"):
		return fmt.Sprintf("%s:%d: error is on line %s: %s", file, wantLine, at, message)
	case !regexp.MustCompile(want).MatchString(message):
		return fmt.Sprintf("%s:%s: got %s, want match for %q", file, at, message, want)
	}
	return ""
}
