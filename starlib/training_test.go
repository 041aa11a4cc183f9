package starlib_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// trainings are programs as tutorials have them: <name>.star trains on data that it makes and
// prints numbers, <name>.py computes the same in NumPy, and <name>.golden is what that prints:
// python3 testdata/training/<name>.py > testdata/training/<name>.golden
func trainings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/training/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ".star")
	}
	return files
}

// TestTraining runs each program, with and without rewrites, and compares what it prints with
// NumPy's.
func TestTraining(t *testing.T) {
	for _, name := range trainings(t) {
		program, err := os.ReadFile(name + ".star")
		if err != nil {
			t.Fatal(err)
		}
		for i, flags := range []string{"", "linker=go", "optimizer=None,linker=go", "optimizer=fast_compile", "optimizer=fast_run_stable"} {
			if !long.Turn(i, 1) {
				continue
			}
			t.Run(filepath.Base(name)+" "+flags, func(t *testing.T) {
				c := config.New()
				if err := c.SetAll(flags, "test"); err != nil {
					t.Fatal(err)
				}
				out := &starlibtest.Recorder{}
				if _, _, err := starlib.NewSession(starlib.Options{Config: c, Dir: t.TempDir()}).Execute(context.Background(), 1, string(program), out); err != nil {
					t.Fatal(strings.Join(err.(*starlib.Error).Traceback(), "\n"))
				}
				var printed strings.Builder
				for _, entry := range out.Log {
					printed.WriteString(strings.TrimPrefix(entry, "stdout: "))
				}
				sameNumbers(t, printed.String(), name+".golden", 1e-8)
			})
		}
	}
}

// TestTrainingOracle: the committed numbers are what NumPy computes.
func TestTrainingOracle(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("NumPy is not there: install Debian's python3-numpy")
	}
	for _, name := range trainings(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			out, err := exec.Command(python, name+".py").Output()
			if err != nil {
				t.Fatal(err)
			}
			sameNumbers(t, string(out), name+".golden", 1e-8)
		})
	}
}

// sameNumbers compares what was printed with a file, number by number, the small ones with the
// largest.
func sameNumbers(t *testing.T, printed, file string, most float64) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Fields(printed), strings.Fields(string(text))
	if len(got) != len(want) || len(got) < 20 {
		t.Fatalf("%s: got %d numbers, want %d, of 20 steps at least:\n%s", file, len(got), len(want), printed)
	}
	worst := 0.0
	for i := range got {
		g, err := strconv.ParseFloat(got[i], 64)
		w, werr := strconv.ParseFloat(want[i], 64)
		if err != nil || werr != nil {
			t.Fatalf("%s: number %d: got %q, want %q", file, i, got[i], want[i])
		}
		apart := math.Abs(g-w) / max(math.Abs(w), 1e-3)
		if worst = max(worst, apart); !(apart <= most) {
			t.Errorf("%s: number %d: got %v, want %v", file, i, g, w)
			break
		}
	}
	t.Logf("largest relative difference: %.2g", worst)
}
