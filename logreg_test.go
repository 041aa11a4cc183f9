package main

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// numbers reads one a line.
func numbers(t *testing.T, text string) []float64 {
	t.Helper()
	var list []float64
	for _, f := range strings.Fields(text) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// apart is the largest relative difference of two lists of the same length.
func apart(t *testing.T, got, want []float64) float64 {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("got %d numbers, want %d", len(got), len(want))
	}
	worst := 0.0
	for i := range got {
		worst = max(worst, math.Abs(got[i]-want[i])/math.Abs(want[i]))
	}
	return worst
}

// TestLogisticRegression trains 100 steps on 400 x 784 and compares the costs with NumPy's, for
// every way to link and rewrite.
func TestLogisticRegression(t *testing.T) {
	oracle, err := os.ReadFile("testdata/logreg/costs.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := numbers(t, string(oracle))
	for _, flags := range []string{"linker=go", "linker=c|go", "optimizer=None", "optimizer=None,linker=go", "optimizer=fast_compile"} {
		t.Run(flags, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if status := arignote([]string{"run", "--flags", flags, "testdata/logreg/train.star"}, nil, &stdout, &stderr); status != 0 {
				t.Fatalf("status %d: %s", status, &stderr)
			}
			got := numbers(t, stdout.String())
			worst := apart(t, got, want)
			t.Logf("largest relative difference: %.2g", worst)
			if worst > 1e-10 {
				t.Errorf("got costs that differ by %g of NumPy's, want at most 1e-10", worst)
			}
			if got[len(got)-1] > 0.5*got[0] {
				t.Errorf("the cost went from %g to %g: it does not learn", got[0], got[len(got)-1])
			}
		})
	}
}

// TestLogisticRegressionOracle: the committed costs are what NumPy computes.
func TestLogisticRegressionOracle(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("NumPy is not there: install Debian's python3-numpy")
	}
	out, err := exec.Command(python, "testdata/logreg/train.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := os.ReadFile("testdata/logreg/costs.txt")
	if err != nil {
		t.Fatal(err)
	}
	if worst := apart(t, numbers(t, string(oracle)), numbers(t, string(out))); worst > 1e-12 {
		t.Errorf("testdata/logreg/costs.txt differs by %g from what NumPy computes now", worst)
	}
}
