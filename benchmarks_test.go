package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchmark runs benchmarks/run.py, or a copy of it, as its README says, and returns what it wrote.
func benchmark(t *testing.T, script string, args ...string) (string, error) {
	t.Helper()
	args = append([]string{script, "--rounds", "1", "--quick", "--peers", "numpy"}, args...)
	out, err := exec.CommandContext(t.Context(), python, args...).CombinedOutput()
	return string(out), err
}

// TestBenchmarks: the benchmark runs, both sides know every workload of its table and compute the
// same. It says nothing about time.
func TestBenchmarks(t *testing.T) {
	needPython(t, "numpy", "python3-numpy")
	dir := t.TempDir()
	binary, answer := filepath.Join(dir, "arignote"), filepath.Join(dir, "answer.json")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if out, err := benchmark(t, "benchmarks/run.py", "--only", "scalar_add|e1", "--binary", binary, "--json", answer); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(answer)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Rows []struct {
			Workload string             `json:"workload"`
			Ratio    map[string]float64 `json:"ratio"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range got.Rows {
		names = append(names, r.Workload)
		if r.Ratio["numpy"] <= 0 || r.Ratio["best"] != r.Ratio["numpy"] {
			t.Errorf("%s: got ratios %v, want those of numpy and of the best, which is numpy", r.Workload, r.Ratio)
		}
	}
	if want := "scalar_add e1 e1_taken e1_eager e1_f32"; strings.Join(names, " ") != want {
		t.Errorf("got rows %v, want %s", names, want)
	}

	// How compiling grows can be measured.
	grown, err := exec.CommandContext(t.Context(), binary, "run", "benchmarks/compiling.star", "--", "100").CombinedOutput()
	if err != nil || strings.Count(string(grown), "\n") != 16 || !strings.Contains(string(grown), "\nnetwork ") {
		t.Errorf("got %v and\n%s", err, grown)
	}

	// Runs of the programs of benchmarks/robust.star can be compared.
	out, err := exec.CommandContext(t.Context(), python, "benchmarks/robust.py", "--runs", "1", "--busy", "1", "--binary", binary).CombinedOutput()
	for _, name := range []string{"network ", "elementwise ", "loop ", "regression ", "statistics ", " of 10 profiles name the three worst lines of their program"} {
		if !strings.Contains(string(out), name) {
			t.Errorf("robust.py: %v: want a line with %q in\n%s", err, name, out)
		}
	}

	// It fails where the sides differ: in what they compute, and in what they know.
	for _, c := range []struct{ old, new, want string }{
		{"2 * (x + y) + z", "2 * (x + y) - z", "e1 n=1000: results differ"},
		{`"e1": e1, `, "", "arignote and the table differ in workloads: e1"},
	} {
		changed := t.TempDir()
		if err := os.CopyFS(changed, os.DirFS("benchmarks")); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(changed, "elementwise.star")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := benchmark(t, filepath.Join(changed, "run.py"), "--only", "^e1 ", "--binary", binary)
		if err == nil || !strings.Contains(out, c.want) {
			t.Errorf("with %q for %q: got %v, want a failure that says %q:\n%s", c.new, c.old, err, c.want, out)
		}
	}
}
