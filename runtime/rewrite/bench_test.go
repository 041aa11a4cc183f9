package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
)

// BenchmarkFixedPoint rewrites layers of a network and random elementwise graphs of 1000 nodes with
// all rules.
func BenchmarkFixedPoint(b *testing.B) {
	var net strings.Builder
	net.WriteString("func(x float64[?,?], w float64[?,?], c float64[1,?])\n\tv0 = neg x\n")
	n := 0
	for range 100 {
		for _, line := range []string{"dot %s w", "add %s c", "neg %s", "exp %s", "add %s float64[1,1](1)",
			"true_div float64[1,1](1) %s"} {
			n++
			fmt.Fprintf(&net, "\tv%d = %s\n", n, fmt.Sprintf(line, fmt.Sprintf("v%d", n-1)))
		}
	}
	fmt.Fprintf(&net, "\treturn v%d\n", n)
	graphs := map[string]*graph.FunctionGraph{"net": mustParse(b, net.String())}
	for seed := uint64(1); len(graphs) < 3; seed++ {
		fg, _ := randomGraph(rand.New(rand.NewPCG(seed, 1)), 1000)
		fg.Outputs = append(fg.Outputs, fg.Toposort()[len(fg.Toposort())-1].Outputs[0])
		// Of some graphs rewriting finds that lengths do not fit, which only values say before.
		if _, err := rewritten(fg); err == nil {
			graphs[fmt.Sprintf("random%d", seed)] = fg
		}
	}
	for name, fg := range graphs {
		b.Run(name, func(b *testing.B) {
			nodes := 0
			for b.Loop() {
				var err error
				if nodes, err = rewritten(fg); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}

// rewritten is how many nodes are left of a graph.
func rewritten(fg *graph.FunctionGraph) (int, error) {
	fg, _, err := allPasses(fg, func(*Rule) bool { return true }, true)
	if err != nil {
		return 0, err
	}
	return len(fg.Toposort()), nil
}
