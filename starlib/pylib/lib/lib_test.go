package lib_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// output is what a program prints.
type output struct {
	starlibtest.Recorder
	text strings.Builder
}

func (o *output) Stream(_, text string) { o.text.WriteString(text) }

// run runs a program as a file of its own.
func run(t *testing.T, path string) (string, error) {
	t.Helper()
	s, out := starlib.NewSession(starlib.Options{Dir: t.TempDir()}), &output{}
	err := s.RunFile(context.Background(), path, out)
	return out.text.String(), err
}

// TestPrograms: programs print what CPython prints. -update asks it.
func TestPrograms(t *testing.T) {
	programs, err := filepath.Glob("testdata/*.py")
	if err != nil || len(programs) == 0 {
		t.Fatal("no programs", err)
	}
	for _, program := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(program), ".py"), func(t *testing.T) {
			golden := strings.TrimSuffix(program, ".py") + ".golden"
			if *profilertest.Update {
				cmd := exec.Command("/usr/bin/python3", program)
				cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1")
				text, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("python3 %s: %v\n%s", program, err, text)
				}
				if err := os.WriteFile(golden, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			got, err := run(t, program)
			if err != nil {
				t.Fatal(got + strings.Join(err.(*starlib.Error).Traceback(), "\n"))
			}
			a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for i := range max(len(a), len(b)) {
				if i >= len(a) || i >= len(b) || a[i] != b[i] {
					t.Fatalf("line %d\ngot  %s\nwant %s", i+1, at(a, i), at(b, i))
				}
			}
		})
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}
