package starlib_test

import (
	"context"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A program is one as users of tensors write them: a file of testdata/programs, or the main.py of a
// folder there, which imports others of the folder.
type program struct {
	name, dir, main string // dir "" if the file is all of it
}

func programs(t *testing.T) (found []program) {
	t.Helper()
	top := filepath.Join("..", "testdata", "programs")
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(top, e.Name())
		if e.IsDir() {
			found = append(found, program{e.Name(), path, "main.py"})
		} else if name, ok := strings.CutSuffix(e.Name(), ".py"); ok {
			found = append(found, program{name, "", e.Name()})
		}
	}
	if len(found) < 30 {
		t.Fatalf("got %d programs, want 30", len(found))
	}
	return found
}

// golden is what the program prints.
func (p program) golden() string {
	return filepath.Join("..", "testdata", "programs", p.name+".golden")
}

// at is a folder of the test's own that has the program, since programs write files.
func (p program) at(t *testing.T) (dir, code string) {
	t.Helper()
	dir = t.TempDir()
	if p.dir != "" {
		if err := os.CopyFS(dir, os.DirFS(p.dir)); err != nil {
			t.Fatal(err)
		}
	} else if text, err := os.ReadFile(filepath.Join("..", "testdata", "programs", p.main)); err != nil {
		t.Fatal(err)
	} else if err := os.WriteFile(filepath.Join(dir, p.main), text, 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, p.main))
	if err != nil {
		t.Fatal(err)
	}
	return dir, string(text)
}

// TestProgramsAsScripts runs each program as arignote run does. With -update it writes what they
// print, which CPython confirms of those that it can run.
func TestProgramsAsScripts(t *testing.T) {
	for i, p := range programs(t) {
		if !long.Turn(i, 1) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir, _ := p.at(t)
			var stdout, stderr strings.Builder
			path := filepath.Join(dir, p.main)
			s := starlib.NewSession(starlib.Options{Dir: dir})
			s.SetArguments([]string{path})
			if err := s.RunFile(t.Context(), path, &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			if strings.Contains(stderr.String(), "BUG") { // of a pass that was left out
				t.Error(stderr.String())
			}
			if flag.Lookup("update").Value.String() == "true" {
				if err := os.WriteFile(p.golden(), []byte(stdout.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p.compare(t, stdout.String())
		})
	}
}

// cellEnd is where a program is cut into cells: two empty lines, as they stand between what is at
// top level.
var cellEnd = regexp.MustCompile(`\n\n\n+([^\s#])`)

// TestProgramsAsNotebooks runs each program in cells, in the folder of its files.
func TestProgramsAsNotebooks(t *testing.T) {
	for i, p := range programs(t) {
		if !long.Turn(i+2, 1) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir, code := p.at(t)
			s := starlib.NewSession(starlib.Options{Dir: dir})
			var stdout strings.Builder
			for i, cell := range strings.Split(cellEnd.ReplaceAllString(code, "\n\x00$1"), "\x00") {
				out := &starlibtest.Recorder{}
				if _, _, err := s.Execute(context.Background(), i+1, cell, out); err != nil {
					t.Fatal(strings.Join(err.(*starlib.Error).Traceback(), "\n"))
				}
				for _, entry := range out.Log {
					if text, ok := strings.CutPrefix(entry, "stdout: "); ok {
						stdout.WriteString(text)
					}
				}
			}
			p.compare(t, stdout.String())
		})
	}
}

// TestProgramsOracle: those that are NumPy's and Python's alone print in CPython what they print
// here.
func TestProgramsOracle(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("NumPy is not there: install Debian's python3-numpy")
	}
	count := 0
	for _, p := range programs(t) {
		dir, code := p.at(t)
		if strings.Contains(code, "import theano") {
			continue
		}
		count++
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(code, "import scipy") && exec.Command(python, "-c", "import scipy").Run() != nil {
				t.Skip("SciPy is not there: install Debian's python3-scipy")
			}
			cmd := exec.Command(python, p.main)
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			p.compare(t, string(out))
		})
	}
	if count < 10 {
		t.Errorf("%d programs have an oracle, want 10", count)
	}
}

// compare compares what was printed with the golden file, word by word: numbers may differ in what
// kernels of other machines round.
func (p program) compare(t *testing.T, printed string) {
	t.Helper()
	text, err := os.ReadFile(p.golden())
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Fields(printed), strings.Fields(string(text))
	if len(want) < 5 {
		t.Fatalf("%s has %d words", p.golden(), len(want))
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) {
			t.Fatalf("got %d words, want %d:\n%s", len(got), len(want), printed)
		}
		g, gerr := strconv.ParseFloat(strings.Trim(got[i], "(),%;"), 64)
		w, werr := strconv.ParseFloat(strings.Trim(want[i], "(),%;"), 64)
		if near := gerr == nil && werr == nil && math.Abs(g-w) <= 2e-6*max(1, math.Abs(w)); got[i] != want[i] && !near {
			t.Fatalf("word %d: got %q, want %q:\n%s", i, got[i], want[i], printed)
		}
	}
}
