package advice

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// bothBranches finds switches whose condition is one number.
func bothBranches(f *finder) {
	for _, g := range f.Functions {
		w := wire(g)
		for _, n := range g.Nodes {
			all := stepsOf(n)
			if len(all) == 0 && len(n.In) == 3 && (n.Key == "switch" || strings.HasSuffix(n.Key, "op=switch}")) {
				all = []step{{"t0", "switch", []string{"i0", "i1", "i2"}}}
			}
			of := make(map[string]step)
			for _, s := range all {
				of[s.name] = s
			}
			for _, s := range all {
				if s.op != "switch" || len(s.args) != 3 {
					continue
				}
				if !single(n, of, s.args[0]) || w.isGiven(n, s.args[1]) || w.isGiven(n, s.args[2]) {
					continue
				}
				b, ok := f.Bound(n)
				gain := w.only(n, of, all, s.args[1], s.args[2], ok && b.Limit != "compute")
				at := n.Origin.Frame()
				for p := range n.Shares() {
					if p.Op == "switch" {
						at = p.Origin.Frame()
					}
				}
				f.say(at.File, at.Line, gain, "switch() computes both branches, though its condition is a single number",
					"write ifelse(...) of theano.ifelse, which computes the one that is taken")
			}
		}
	}
}

// only is the mean time of the work for one of two operands of a switch alone, in n and before it.
// A node that waits for memory does its operations meanwhile, and ifelse writes its result once
// more.
func (w wiring) only(n *profiler.Node, of map[string]step, all []step, a, b string, waits bool) float64 {
	left, right := needs(of, a), needs(of, b)
	sum := 0.0
	share := make(map[string]float64) // of the operations of n
	count := make(map[string]float64)
	for p := range n.Shares() {
		share[p.Op] += p.Share
	}
	for _, s := range all {
		count[s.op]++
	}
	for _, s := range all {
		if left[s.name] != right[s.name] && s.op != "switch" && !waits {
			sum += n.Time * share[s.op] / count[s.op]
		}
	}
	for k, v := range n.In {
		x := fmt.Sprint("i", k)
		if left[x] == right[x] {
			continue
		}
		sum += w.alone(v, n)
	}
	return sum / 2
}
