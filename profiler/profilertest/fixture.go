// Package profilertest has profiles of known numbers, and golden files, for the tests of package
// profiler and of its views.
//
//	Seed001, Seed004  the profiles that Theano's documents print
//	Training          three calls of a regression, with memory
//	Nested            everything: a loop, fused nodes, gradients, two files, a roof
//	Random            any shape, with hostile names
//	Golden            compares with a file of testdata; -update rewrites it
//	CheckText         reads a text back and checks that its numbers agree
//
// Start at Training.
package profilertest

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Update is the flag -update, for tests that have golden files of their own beside those of Golden.
var Update = flag.Bool("update", false, "rewrite the golden files")

// ThreeNodes is the graph of the classic example: 2 * (x + y + z).
const ThreeNodes = `func f(x float64[?], y float64[?], z float64[?])
	v1 = add x y                     # net.star:5:9
	v2 = add v1 z                    # net.star:5:13
	v3 = mul float64[1](2.0) v2      # net.star:6:9
	return v3`

// Program lists the nodes of a graph in their order, each with the given implementation. It cannot
// run.
func Program(t testing.TB, src, impl string) *exec.Program {
	t.Helper()
	fg, err := graph.Parse("test.graph", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	p := &exec.Program{Graph: fg}
	for _, a := range fg.Toposort() {
		p.Nodes = append(p.Nodes, exec.Node{Apply: a, Impl: impl})
	}
	return p
}

// Linked makes a program that runs with the Go kernels.
func Linked(t testing.TB, src string) *exec.Program {
	t.Helper()
	fg, err := graph.Parse("test.graph", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	p, err := exec.Link(fg, exec.Options{Sets: kernels.Sets{kernels.GoSet}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Still is a clock that stands still and costs nothing.
func Still() *profiler.Clock { return profiler.NewClock(func() int64 { return 0 }) }

// Vectors returns count arrays of n elements.
func Vectors(count, n int) []*tensor.Dense {
	list := make([]*tensor.Dense, count)
	for i := range list {
		list[i] = tensor.New(kernels.Float64, n)
	}
	return list
}

// Play records one call whose nodes took the given times.
func Play(r *profiler.Recorder, call int64, nodes ...int64) {
	r.Run(Trace(nodes...), nil)
	r.Call(call, nil)
}

// Trace is that of a run whose nodes took the given times, one reading of the clock included.
func Trace(nodes ...int64) *exec.Trace {
	t := &exec.Trace{Start: 1000}
	last := t.Start
	for _, ns := range nodes {
		last += ns
		t.Ends = append(t.Ends, last)
	}
	return t
}

// Seconds makes a duration of a number of seconds, to the nanosecond.
func Seconds(s float64) time.Duration { return time.Duration(s*1e9 + 0.5) }

// Seed004 has the numbers of the tutorial's example, which are not whole nanoseconds.
func Seed004(t testing.TB) *profiler.Stats {
	s := profiler.NewStats(profiler.Options{Name: "None", Clock: Still()})
	s.Add(profiler.FunctionInfo{Program: Program(t, ThreeNodes, "C"), Compile: history.Times{
		Total: Seconds(3.642474), Rewrite: Seconds(7.326508e-02), Validate: Seconds(3.712177e-04), Link: Seconds(9.584920e-01),
	}})
	s = s.Clone()
	f := s.Functions[0]
	f.Calls, f.CallTime, f.Runs, f.RunTime = 1, 56982.04, 1, 11920.93
	f.CallMin, f.CallMax = f.CallTime, f.CallTime
	for i, ns := range []float64{3099.4416, 953.6744, 2145.767} {
		n := f.Nodes[i]
		n.Calls, n.Time, n.Min, n.Max = 1, ns, ns, ns
	}
	return s
}

// Seed001 is the function Add of the second seed: one node on scalars, with memory.
func Seed001(t testing.TB) *profiler.Stats {
	s := profiler.NewStats(profiler.Options{Name: "Add", Clock: Still(), Memory: true})
	r := s.Add(profiler.FunctionInfo{Program: Program(t, "func f(x float64, y float64)\n\tv1 = add x y\n\treturn v1", "C"),
		Compile: history.Times{
			Total: Seconds(1.518121e-01), Rewrite: Seconds(4.169512e-02), Link: Seconds(4.143310e-02),
			Thunks: []time.Duration{Seconds(3.2e-05)},
		}})
	scalar := tensor.Scalar(kernels.Float64, 2)
	run := Trace(9060)
	run.Arrays = [][]*tensor.Dense{{scalar, scalar, scalar}}
	r.Run(run, nil)
	r.Call(211954, nil)
	s = s.Clone()
	f := s.Functions[0]
	f.CallTime, f.RunTime = 211954.1, 60796.74
	f.Nodes[0].Time, f.Nodes[0].Min, f.Nodes[0].Max = 9059.906, 9059.906, 9059.906
	return s
}

// Golden compares with testdata/name, which -update writes anew.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (update with -update):\n%s", name, Diff(string(want), got))
	}
}

// Diff shows the first line that differs.
func Diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return "line " + strconv.Itoa(i+1) + ":\n got " + b + "\nwant " + a
		}
	}
	return "equal"
}
