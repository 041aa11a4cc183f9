package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkFixedPoint rewrites layers of a network and random elementwise graphs of 1000 nodes with all rules.
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
	graphs := map[string]func() int{
		"net": func() int { return rewriteAll(b, net.String()) },
	}
	for _, seed := range []uint64{1, 2} {
		rng := rand.New(rand.NewPCG(seed, 1))
		fg, _ := randomGraph(rng, 1000)
		fg.Outputs = append(fg.Outputs, fg.Toposort()[len(fg.Toposort())-1].Outputs[0])
		src := fg.String()
		graphs[fmt.Sprintf("random%d", seed)] = func() int { return rewriteAll(b, src) }
	}
	for name, run := range graphs {
		b.Run(name, func(b *testing.B) {
			nodes := 0
			for b.Loop() {
				nodes = run()
			}
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}

func rewriteAll(b *testing.B, src string) int {
	fg, _, err := allPasses(mustParse(b, src), func(*Rule) bool { return true }, true)
	if err != nil {
		b.Fatal(err)
	}
	return len(fg.Toposort())
}
