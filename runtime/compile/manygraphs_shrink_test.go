package compile_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// patience is how long a failing trial is made smaller: what fails slowly is shown as far as that
// got.
const patience = 30 * time.Second

// shrunk is the smallest trial that is found to be wrong in the mode, as this one is.
func (x trial) shrunk(m variant) trial {
	end := time.Now().Add(patience)
	first, _ := x.run(m, x.verdict())
	sort, _, _ := strings.Cut(first, " ")
	wrong := func(y trial) bool {
		text, _ := y.run(m, y.verdict())
		return text != "" && strings.HasPrefix(text, sort)
	}
	for smaller := true; smaller; {
		smaller = false
		for _, y := range x.smaller() {
			if time.Now().After(end) {
				return x
			}
			if wrong(y) {
				x, smaller = y, true
				break
			}
		}
	}
	return x
}

// smaller lists trials that are simpler than x, the simplest first.
func (x trial) smaller() []trial {
	var list []trial
	with := func(fg *graph.FunctionGraph) trial {
		return trial{fg: fg, from: x.from, family: x.family, keep: x.keep}
	}
	fg := x.fg
	if len(fg.Updates) > 0 {
		list = append(list, with(&graph.FunctionGraph{Inputs: fg.Inputs, Outputs: fg.Outputs}))
	}
	for i := range fg.Updates {
		if len(fg.Updates) > 1 {
			list = append(list, with(&graph.FunctionGraph{Inputs: fg.Inputs, Outputs: fg.Outputs, Updates: slices.Delete(slices.Clone(fg.Updates), i, i+1)}))
		}
	}
	for i := range fg.Outputs {
		if len(fg.Outputs)+len(fg.Updates) > 1 {
			list = append(list, with(&graph.FunctionGraph{Inputs: fg.Inputs, Outputs: slices.Delete(slices.Clone(fg.Outputs), i, i+1), Updates: fg.Updates}))
		}
	}
	nodes := fg.Toposort()
	if len(fg.Outputs) == 1 && len(fg.Updates) == 0 { // a part alone
		for _, node := range nodes {
			for _, v := range node.Outputs {
				if v != fg.Outputs[0] {
					list = append(list, with(&graph.FunctionGraph{Inputs: fg.Inputs, Outputs: []*graph.Variable{v}}))
				}
			}
		}
	}
	known := maps.Clone(x.from)
	for k, node := range slices.Backward(nodes) { // a value for what computes it
		for _, v := range node.Outputs {
			value, err := compute(v, known)
			if err != nil || slices.Contains(fg.Outputs, v) {
				continue
			}
			w := graph.NewInput(fmt.Sprintf("y%d", k), v.Type, nil)
			if res, err := fg.Substitute(map[*graph.Variable]*graph.Variable{v: w}); err == nil {
				res.Inputs = append(slices.Clone(res.Inputs), w)
				y := with(res)
				y.from = maps.Clone(x.from)
				y.from[w] = value
				list = append(list, y)
			}
			for _, u := range node.Inputs { // an operand for the result
				if v.Type.Accepts(u.Type) {
					if res, err := fg.Substitute(map[*graph.Variable]*graph.Variable{v: u}); err == nil {
						list = append(list, with(res))
					}
				}
			}
		}
	}
	used := make(map[*graph.Variable]bool)
	for v := range fg.Roots() {
		used[v] = true
	}
	if inputs := slices.DeleteFunc(slices.Clone(fg.Inputs), func(v *graph.Variable) bool { return !used[v] }); len(inputs) < len(fg.Inputs) {
		list = append([]trial{with(&graph.FunctionGraph{Inputs: inputs, Outputs: fg.Outputs, Updates: fg.Updates})}, list...)
	}
	for _, n := range x.lengths() {
		for _, part := range [][2]int{{0, n / 2}, {n / 2, n}, {0, n - 1}, {1, n}} {
			if y := with(fg); part[1]-part[0] < n {
				y.from = x.cut(n, part[0], part[1])
				list = append(list, y)
			}
		}
	}
	return list
}

// lengths are those of axes that may be shorter, the longest first.
func (x trial) lengths() []int {
	var list []int
	for v, a := range x.from {
		for axis, n := range a.Shape() {
			if n > 0 && v.Type.Dim(axis) == graph.Unknown && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// cut takes a part of all axes of length n.
func (x trial) cut(n, first, last int) map[*graph.Variable]*tensor.Dense {
	from := make(map[*graph.Variable]*tensor.Dense)
	for v, a := range x.from {
		index := make([]tensor.Index, a.Rank())
		for axis := range index {
			if a.Dim(axis) == n && v.Type.Dim(axis) == graph.Unknown {
				index[axis] = tensor.Index{Start: &first, Stop: &last}
			}
		}
		part, err := a.Subscript(index...)
		if err != nil {
			panic(err)
		}
		from[v] = part
	}
	return from
}

// report writes the graph before and after, the values that it was called with, and what is wrong.
func (x trial) report(m variant) string {
	wrong, after := x.run(m, x.verdict())
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: %s\n%s", m.name, x.family, wrong, x)
	if after != "" {
		b.WriteString("compiled\n" + after)
	}
	return b.String()
}

// String is the trial in the form that parseTrial reads: the graph, and a graph of constants that
// are its operands.
func (x trial) String() string {
	values := &graph.FunctionGraph{}
	note := ""
	for _, v := range append(slices.Clone(x.fg.Inputs), x.fg.SharedVariables()...) {
		a := x.from[v]
		values.Outputs = append(values.Outputs, graph.NewConstant(a, nil))
		if !a.IsContiguous() {
			note += fmt.Sprintf("# %s has strides %v\n", v.Name, a.Strides())
		}
	}
	return x.fg.String() + note + values.String()
}

// parseTrial reads what String writes.
func parseTrial(file, text string) (x trial, err error) {
	graphText, valueText, ok := strings.Cut(text, "\nfunc()\n")
	if !ok {
		return x, fmt.Errorf("%s: want the graph, and then func() and its operands", file)
	}
	if x.fg, err = graph.Parse(file, graphText+"\n", op.Lookup); err != nil {
		return x, err
	}
	values, err := graph.Parse(file, "func()\n"+valueText, op.Lookup)
	if err != nil {
		return x, err
	}
	vars := append(slices.Clone(x.fg.Inputs), x.fg.SharedVariables()...)
	if len(vars) != len(values.Outputs) {
		return x, fmt.Errorf("%s: got %d operands, want %d", file, len(values.Outputs), len(vars))
	}
	x.from = make(map[*graph.Variable]*tensor.Dense)
	for i, v := range vars {
		a := values.Outputs[i].Data
		if x.from[v] = a; a.DType().IsFloat() && slices.ContainsFunc(a.Floats(), func(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }) {
			x.family = special
		}
	}
	return x, nil
}

// TestFoundGraphs runs what random graphs have found wrong, in all modes, and under DebugMode with
// the full patience.
func TestFoundGraphs(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no graphs: %v", err)
	}
	patient := debugged
	o := *patient.mode.Debug
	o.Patience = 10
	patient.mode.Debug = &o
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			x, err := parseTrial(file, string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range append(slices.Clone(manyModes), patient) {
				if wrong, after := x.run(m, x.verdict()); wrong != "" {
					t.Errorf("%s: %s\n%s", m.name, wrong, after)
				}
			}
		})
	}
}
