package notebooks

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

const tutorial = "tutorial/profiling.star"

// TestTutorialOutputs reads what the tutorial's cells showed when they ran: all of them did, in order, and what the text claims of
// them is so.
func TestTutorialOutputs(t *testing.T) {
	nb, _ := read(t, notebookOf(tutorial))
	count := 0
	panels := 0
	var stdout strings.Builder
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		count++
		if c.Count == nil || *c.Count != count {
			t.Errorf("cell %s: execution count is not %d", c.ID, count)
		}
		for _, o := range c.Outputs {
			if o.Type == "error" || o.Name == "stderr" {
				t.Errorf("cell %s: got %s %s", c.ID, o.Error, o.Text)
			}
			if o.Name == "stdout" {
				stdout.WriteString(string(o.Text))
			}
			if o.Data[profileMIME] != nil {
				panels++
			}
		}
	}
	if panels < 6 {
		t.Errorf("got %d panels, want 6", panels)
	}
	checkTutorial(t, stdout.String())
}

// checkTutorial finds in what the tutorial prints that products are the worst in both models, as in the peers' columns, and that the
// rate of a product agrees with a stopwatch to 5 %.
func checkTutorial(t *testing.T, stdout string) {
	t.Helper()
	for _, title := range []string{"softmax regression, %", "perceptron, %"} {
		at := strings.Index(stdout, title)
		if at < 0 {
			t.Errorf("no table of %q", title)
			continue
		}
		rows := strings.Split(stdout[at:], "\n")[1:6]
		most := strings.Fields(strings.TrimPrefix(rows[0], "products"))
		for _, row := range rows {
			cells := strings.Fields(row[26:])
			for i, cell := range cells {
				v, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					t.Fatal(err)
				}
				if best, _ := strconv.ParseFloat(most[i], 64); v > best {
					t.Errorf("%s: got %s, more than products with %s", title, row, most[i])
				}
			}
		}
	}
	m := regexp.MustCompile(`stopwatch .* profile .*: ([+-][0-9.]+)%`).FindStringSubmatch(stdout)
	if m == nil {
		t.Fatal("no stopwatch")
	}
	if d, err := strconv.ParseFloat(m[1], 64); err != nil || d > 5 || d < -5 {
		t.Errorf("the profile's rate differs from the stopwatch by %s %%, want at most 5", m[1])
	}
}

// TestTutorialRuns runs the script without a front end.
func TestTutorialRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	dir := t.TempDir()
	copyScripts(t, dir, filepath.Dir(tutorial))
	var stdout, stderr bytes.Buffer
	s := starlib.NewSession(starlib.Options{Dir: dir})
	if err := s.RunFile(t.Context(), filepath.Join(dir, filepath.Base(tutorial)), &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for _, file := range []string{"steps.anprof", "steps.pb.gz", "steps.trace.json", "steps.csv", "steps.html"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written: %v", file, err)
		}
	}
	for _, want := range []string{"Memory Profile", "Timing Info", "ProfileMode.print_summary()", "softmax regression, %"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in what it prints", want)
		}
	}
}

// TestDebuggingOutputs: the tutorial on debugging says what happens.
func TestDebuggingOutputs(t *testing.T) {
	checkShown(t, "tutorial/debugging.star",
		"dot: shapes (3,) and (4,) do not fit", "Storage map footprint:\n     - x, Input, Shape: (3,), ElemSize: 8 Byte(s), TotalSize: 24 Byte(s)\n",
		"its test value has shape (40, 3)", "input 0 (other) of dot(other, W1) has no test value",
		"half of v __str__ = [1. 2. 3.]\nsquares shape = (3,)\nsquares sum = 14.0\n", "v * v is up to 16.0\n",
		"0 Elemwise{mul,no_inplace}(TensorConstant{5.0}, s) input(s) value(s): [5.0, 3.0] output(s) value(s): [15.0]\n",
		"*** NaN detected ***\nElemwise{mul,no_inplace} [id A]", "Inputs : [-inf, 0.0]\nOutputs: [nan]\n", "of which true_div gives it first",
		"AssertionError: rates must be positive", "ValueError: at most 3 rates",
	)
}

// TestNansOutputs: so does that on nan.
func TestNansOutputs(t *testing.T) {
	checkShown(t, "tutorial/nans.star",
		"nan after 2", "fused: 1 of 1 elements are above 1e+10; the first is 1.0139", "as it is rewritten [[    0. -1000. -2000.]]\nas it is written   [[ nan -inf -inf]]\n",
		"*** NaN detected ***\nnode 4: Elemwise{true_div,no_inplace}", "by default      [0.25 0.  ]\nfast_run_stable [0.25  nan]\n[0.25 0.  ]\n",
		"NanGuardMode: argument 1, v (float64[?]): 1 of 3 elements are nan", "AssertionError: the data has holes", "\n10.0\n",
	)
}

// checkShown: what the cells of a tutorial showed when they ran, the script prints too, and it is what the text says. None of them failed: those
// that are there to fail say so.
func checkShown(t *testing.T, script string, wants ...string) {
	t.Helper()
	dir := t.TempDir()
	copyScripts(t, dir, filepath.Dir(script))
	var stdout, stderr bytes.Buffer
	s := starlib.NewSession(starlib.Options{Dir: dir})
	if err := s.RunFile(t.Context(), filepath.Join(dir, filepath.Base(script)), &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if stderr.Len() > 0 {
		t.Errorf("got the warnings %s", stderr.String())
	}
	nb, _ := read(t, notebookOf(script))
	shown := "\n"
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Type == "error" || o.Name == "stderr" {
				t.Errorf("cell %s: got %s %s", c.ID, o.Error, o.Text)
			}
			shown += string(o.Text)
		}
	}
	for _, want := range wants {
		if !strings.Contains(stdout.String(), want) || !strings.Contains(shown, want) {
			t.Errorf("got no %q in what the script prints, %v, or in what the notebook shows, %v", want, strings.Contains(stdout.String(), want),
				strings.Contains(shown, want))
		}
	}
}
