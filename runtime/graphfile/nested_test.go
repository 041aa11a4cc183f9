package graphfile_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// nested is a file with an operation that runs a graph, which runs another and has a constant that
// the plain text form cuts short.
func nested(t testing.TB) []byte {
	b := &graph.Builder{Origin: &graph.Origin{Frames: []graph.Frame{{File: "a.star", Line: 7, Col: 1}}}}
	vector := graph.TypeOf(kernels.Float64, graph.Unknown)
	in := func(name string) *graph.Variable { return graph.NewInput(name, vector, b.Origin) }
	inner, outer, x := in("p"), in("q"), in("x")
	large := b.Constant(tensor.New(kernels.Float64, 70))
	exp := op.NewFromGraph(&op.Enclosed{Body: &graph.FunctionGraph{Inputs: []*graph.Variable{inner}, Outputs: []*graph.Variable{b.Apply(op.Exp, inner)}}, Label: "inner"})
	sum := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, large)
	twice := b.Apply(op.Mul, b.Apply(exp, outer), b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), sum))
	return save(t, b.Apply(op.NewFromGraph(&op.Enclosed{Body: &graph.FunctionGraph{Inputs: []*graph.Variable{outer}, Outputs: []*graph.Variable{twice}}}), x))
}

func TestBadGraphs(t *testing.T) {
	data := nested(t)
	if _, _, err := read(data); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, old, new, want string }{
		{"arignote.format", "2", "3", "got a file of format 3, want at most 2"},
		{"arignote.graph", `"#0"`, `"#7"`, `got "#7", want # and the number of a graph, of which there are 2`},
		{"arignote.graph", `"#0"`, `"#-1"`, `got "#-1", want # and the number of a graph`},
		{"arignote.graph", `"#0"`, `"0"`, `got "0", want # and the number of a graph`},
		{"arignote.graph", `"#0"`, `"#1"`, "graph 1: got the output "},
		{"arignote.graph", `body="#0"`, `inline=false`, "got no body"},
		{"arignote.tables", `"inputs":["p"]`, `"inputs":["nobody"]`, `graph 0: got the input "nobody", want each a free variable, once`},
		{"arignote.tables", `"inputs":["p"]`, `"inputs":["p","p"]`, `graph 0: got the input "p", want each a free variable, once`},
		{"arignote.tables", `"inputs":["p"]`, `"inputs":["x"]`, "graph 0: p is none of its inputs"},
		{"arignote.tables", `"inputs":["p"]`, `"inputs":[]`, "graph 0: p is none of its inputs"},
		{"arignote.tables", `"outputs":["`, `"outputs":["no`, "graph 0: got the output "},
		{"arignote.tables", `"graphs":[`, `"graphs":[7,`, "arignote.tables: "},
	} {
		_, _, err := read(changed(t, data, func(meta map[string]string) {
			if !strings.Contains(meta[c.key], c.old) {
				t.Errorf("%s has no %q: %s", c.key, c.old, meta[c.key])
			}
			meta[c.key] = strings.Replace(meta[c.key], c.old, c.new, 1)
		}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// TestChangedGraphs: where a name, a number or a word stands in the place of another, the file is
// read or refused, and what is read can be written.
func TestChangedGraphs(t *testing.T) {
	data := nested(t)
	token := regexp.MustCompile(`#?\w+`)
	rng := rand.New(rand.NewPCG(1, 2))
	count := 0
	for i := range 3000 {
		_, vars, err := read(changed(t, data, func(meta map[string]string) {
			key := []string{"arignote.graph", "arignote.tables"}[i%2]
			all := append(token.FindAllStringIndex(meta["arignote.graph"], -1), token.FindAllStringIndex(meta["arignote.tables"], -1)...)
			places := token.FindAllStringIndex(meta[key], -1)
			at := places[rng.IntN(len(places))]
			from := all[rng.IntN(len(all))]
			source := meta[[]string{"arignote.graph", "arignote.tables"}[rng.IntN(2)]]
			if from[1] > len(source) {
				from = []int{0, 1}
			}
			meta[key] = meta[key][:at[0]] + source[from[0]:from[1]] + meta[key][at[1]:]
		}))
		if err != nil {
			continue
		}
		count++
		for _, v := range vars {
			if v.Owner != nil {
				_ = v.Owner.Op.Name()
			}
		}
	}
	if count < 20 {
		t.Errorf("got %d files that can be read, want 20", count)
	}
}
