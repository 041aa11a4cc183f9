package compile_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
)

var graphsDump = flag.String("graphs.dump", "", "a file to which TestDumpGraphs writes graphs as they are rewritten")

// TestDumpGraphs: compiling a graph again gives the same graph, by the same way. With -graphs.dump
// it writes what becomes of the growing programs and of random graphs: their text, the origin of
// each node with its parts, and what each pass did. A change that only makes compiling
// faster leaves the file as it was:
//
//	go test ./runtime/compile -run DumpGraphs -graphs 8000 -graphs.dump /tmp/after
func TestDumpGraphs(t *testing.T) {
	if *graphsDump == "" {
		var first, second strings.Builder
		dumpGraphs(t, &first, []int{2}, 20)
		dumpGraphs(t, &second, []int{2}, 20)
		if got, want := second.String(), first.String(); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("compiled again: got %.300q, want %.300q", got[at:], want[at:])
		}
		return
	}
	file, err := os.Create(*graphsDump)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	defer w.Flush()
	dumpGraphs(t, w, []int{1, 2, 3, 7, 12, 40}, flag.Lookup("graphs").Value.(flag.Getter).Get().(int))
}

// dumpGraphs writes the growing programs of these numbers of steps, and n random graphs.
func dumpGraphs(t *testing.T, w io.Writer, steps []int, n int) {
	optimizers := []string{"fast_run", "fast_compile", "fast_run_stable"}
	turn := 0
	dump := func(label string, spec compile.Spec) {
		turn++
		spec.Mode = compile.Mode{Linker: "c|go", Optimizer: optimizers[turn%3]}
		dumpGraph(w, fmt.Sprint(label, ", ", spec.Mode.Optimizer), spec)
		spec.Mode.Optimizer = "fast_run"
		dumpGraph(w, label+", with places", placed(spec))
	}
	grow := func(label string, d kernels.DType, body func(g *growing, a V, i int) V, n int) {
		for h, how := range []string{"value", "gradient", "gradient of a loop"} {
			spec, err := program(d, body, n, h > 0, h > 1)
			if err != nil {
				t.Fatal(err)
			}
			dump(fmt.Sprintf("%s of %d steps of %s", how, n, label), spec)
		}
	}
	for i, p := range bodies {
		for k, n := range steps {
			grow(p.name, []kernels.DType{kernels.Float64, kernels.Float32}[(i+k)%2], p.body, n)
		}
	}
	for seed := range uint64(n / 40) {
		name, body := mixed(rand.New(rand.NewPCG(seed, 33)))
		grow(name, kernels.Float64, body, 30)
	}
	for seed := range uint64(n) {
		p, f := manyProblem(seed)
		dump(fmt.Sprintf("seed %d, %v", seed, f), p.spec)
	}
}

func dumpGraph(w io.Writer, label string, spec compile.Spec) {
	fmt.Fprintf(w, "\n== %s\n", label)
	f, err := compile.Compile(spec)
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	fmt.Fprintln(w, f.Graph)
	for i, node := range f.Graph.Toposort() {
		fmt.Fprintf(w, "node %d is %s\n", i, originText(node.Origin()))
		for _, v := range node.Outputs {
			fmt.Fprintf(w, "\t%q %v\n", v.Name, v.Type)
		}
	}
	for _, p := range f.Rewrites {
		fmt.Fprintf(w, "%s: %d nodes, then %d, %d rounds, %d changes %s\n", p.Name, p.Before, p.After, p.Rounds, p.Changes, p.Warning)
		for _, r := range p.Fired() {
			fmt.Fprintf(w, "\t%s (%s) %d times, %d made, %d removed\n", r.Name, r.Where, r.Fired, r.Made, r.Removed)
		}
		for _, d := range p.Declined {
			fmt.Fprintf(w, "\tdeclined %v\n", d)
		}
		fmt.Fprintf(w, "\tand %d more\n", p.Untold)
	}
}

func originText(o *graph.Origin) string {
	if o == nil {
		return "nowhere"
	}
	s := fmt.Sprintf("at %v, %v", o.Pos(), o.Role)
	for _, p := range o.Parts {
		s += fmt.Sprintf("; %s (step %d, %v) %s", p.Op, p.Step, p.Work, originText(p.Origin))
	}
	return s
}

// placed gives the nodes lines of a file, a few of which are one.
func placed(spec compile.Spec) compile.Spec {
	fg := &graph.FunctionGraph{Inputs: spec.Inputs, Outputs: spec.Outputs, Updates: spec.Updates}
	line := 0
	res, err := fg.Transform(func(node *graph.Apply, in []V) ([]V, error) {
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		line++
		return n.Moved(&graph.Origin{Frames: []graph.Frame{{File: "f", Line: line%37 + 1, Col: 1}}}).Outputs, nil
	})
	if err == nil { // else Compile says it
		spec.Outputs, spec.Updates = res.Outputs, res.Updates
	}
	return spec
}
