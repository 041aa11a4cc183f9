package notebooks

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const modes = "tutorial/modes.star"

// TestModesOutputs reads what the cells of the tutorial of modes showed when they ran.
func TestModesOutputs(t *testing.T) {
	nb, _ := read(t, notebookOf(modes))
	var stdout strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Name == "stdout" {
				stdout.WriteString(string(o.Text))
			}
		}
	}
	checkModes(t, stdout.String())
}

// checkModes: logistic regression has no nan in any mode, and with every optimizer but those that
// compute what was written; all modes train alike; and free() gives memory back.
func checkModes(t *testing.T, stdout string) {
	t.Helper()
	rows := regexp.MustCompile(`(?m)^(\w+) +\d+[\s\x{a0}]nodes, +(\d+) nan(, (\d+) of 400 right)?$`).FindAllStringSubmatch(stdout, -1)
	right := make(map[string]bool)
	for _, row := range rows {
		if written := row[1] == "None" || row[1] == "merge"; written != (row[2] != "0") {
			t.Errorf("%s: %s nan", row[1], row[2])
		}
		if row[4] != "" {
			right[row[4]] = true
		}
	}
	if len(rows) != 8+9 || len(right) != 1 {
		t.Errorf("got %d modes and optimizers, want 17, which get %v right, want one number", len(rows), right)
	}
	held := regexp.MustCompile(`(?m)^go(?:_nogc)? +(\d+) MiB while it may be called again, (\d+) MiB after free\(\)$`).FindAllStringSubmatch(stdout, -1)
	var kept []int // and freed, of both linkers
	for _, row := range held {
		for _, cell := range row[1:] {
			n, _ := strconv.Atoi(cell)
			kept = append(kept, n)
		}
	}
	if len(kept) != 4 || kept[0] >= kept[2] || kept[1] >= kept[0] || kept[3] >= kept[2] {
		t.Errorf("got the memory %v, want less with go than with go_nogc, and less after free()", kept)
	}
	for _, want := range []string{`Mode(linker="c|go", optimizer="fast_run", excluding=fusion:inplace)`, "[50.] [0.] [70.]", "ProfileMode.print_summary()", "float32 float64"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in what it prints:\n%s", want, stdout)
		}
	}
}

// TestModesRuns runs the script without a front end.
func TestModesRuns(t *testing.T) {
	s, _ := run(t, modes)
	checkModes(t, s.stdout.String())
}
