package advice

import (
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/history"
)

// declinedRules repeat what a rewrite said of why it was not made, where the program can change
// that.
var declinedRules = []Rule{
	{
		ID: "kept-apart", Title: "Operations that could be one loop",
		Doc: "Elementwise operations that follow each other become one loop, which reads its operands once and writes its result once. Where " +
			"a transposition or the like stands between two of them, the first writes an array that the second reads, against its order. " +
			"Expected: what the first takes for writing and the second for reading.",
		Slow: "x = T.dmatrix(\"x\")\nf = function([x], T.sqrt(T.sqr(x).T + 1.0))\nX = np.ones((1500, 1000))\nfor i in range(20):\n    f(X)",
		Fast: "x = T.dmatrix(\"x\")\nf = function([x], T.sqrt(T.sqr(x) + 1.0).T)\nX = np.ones((1500, 1000))\nfor i in range(20):\n    f(X)",
		find: keptApart,
	},
	{
		ID: "copied-update", Title: "A copy for a few new rows",
		Doc: "`T.set_subtensor` and `T.inc_subtensor` copy their operand, but where it is a shared variable that the function updates by " +
			"the result, and that nothing reads afterwards. Read it in a function of its own, or read the new value. Expected: the time of " +
			"the operation but for the part of its rows.",
		Slow: "E, i = shared(np.zeros((20000, 100)), name=\"E\"), T.lvector(\"i\")\nf = function([i], E[i].sum(), updates=[(E, T.inc_subtensor(E[i], 1.0))])\nfor k in range(60):\n    f(np.arange(k, k + 20))",
		Fast: "E, i = shared(np.zeros((20000, 100)), name=\"E\"), T.lvector(\"i\")\nread = function([i], E[i].sum())\nf = function([i], [], updates=[(E, T.inc_subtensor(E[i], 1.0))])\nfor k in range(6000):\n    read(np.arange(k, k + 20))\n    f(np.arange(k, k + 20))",
		find: copiedUpdates,
	},
}

// declinedAt are the nodes of g of which a rewrite told the reason of a code.
func declinedAt(g *profiler.Function, codes string, rule string, each func(d history.Declined, n *profiler.Node)) {
	said := make(map[*profiler.Node]bool)
	for _, d := range profiler.AllDeclined(g.Rewrites) {
		if d.Rule != rule || !strings.Contains(codes, d.Code) {
			continue
		}
		for _, n := range g.Nodes {
			for p := range n.Shares() {
				if p.Origin.String() == d.Place && !said[n] {
					said[n] = true
					each(d, n)
				}
			}
		}
	}
}

// because is what a rewrite said of a node.
func because(d history.Declined) string {
	return units.Short(units.OneLine(strings.TrimPrefix(d.Node+" "+d.Why, " ")), 200)
}

// keptApart finds elementwise operations between which a view stands.
func keptApart(f *finder) {
	for _, g := range f.Functions {
		w := wire(g)
		declinedAt(g, "fusion.op", "elemwise_fusion", func(d history.Declined, n *profiler.Node) {
			if n.Class != "tensor.elemwise.Elemwise" {
				return
			}
			gain := n.Time * units.Ratio(n.BytesWritten, n.BytesRead+n.BytesWritten)
			found := false
			for _, v := range n.Out {
				for _, view := range w.readers[v] {
					if len(view.Views) == 0 || len(view.Out) == 0 {
						continue
					}
					for _, r := range w.readers[view.Out[0]] {
						if r.Class == n.Class {
							found = true
							gain += r.Time * units.Ratio(n.BytesWritten, r.BytesRead+r.BytesWritten)
						}
					}
				}
			}
			if found {
				at := n.Origin.Frame()
				f.say(at.File, at.Line, gain, because(d), "do what stands between them before both or after both")
			}
		})
	}
}

// copiedUpdates finds arrays that are copied to change some of their rows.
func copiedUpdates(f *finder) {
	for _, g := range f.Functions {
		declinedAt(g, "inplace.shared inplace.input", "local_inplace_setsubtensor", func(d history.Declined, n *profiler.Node) {
			changed, ok := touched(n)
			if !ok || len(n.Destroys) > 0 {
				return
			}
			write := "read it by a function of its own before, or read the new value"
			if d.Code == "inplace.input" {
				write = "keep it in a shared variable, which the function updates"
			}
			at := n.Origin.Frame()
			f.say(at.File, at.Line, n.Time*(1-changed), because(d), write)
		})
	}
}

// touched is the part of its operand that n changes: as much as what it puts there, or as many rows
// as it has places.
func touched(n *profiler.Node) (part float64, ok bool) {
	switch {
	case len(n.Inputs) < 2 || len(n.Inputs[0].Shape) == 0:
		return 0, false
	case size(n.Inputs[1]) > 1:
		return units.Ratio(float64(size(n.Inputs[1])), float64(size(n.Inputs[0]))), true
	case len(n.Inputs) == 3 && len(n.Inputs[2].Shape) == 1:
		return units.Ratio(float64(size(n.Inputs[2])), float64(n.Inputs[0].Shape[0])), true
	}
	return 0, false
}
