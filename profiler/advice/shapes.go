package advice

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// perNewByte is what a byte of memory takes that was not there in the call before, in nanoseconds:
// the system clears it page by page, and what was there is collected. A cell whose calls had 80 kB
// to 2.3 MB of it took 0.6 to 1.9 more for each (benchmarks/planted/ragged_batches.py).
const perNewByte = 1.5

// shapeRules look at what changes from call to call.
var shapeRules = []Rule{
	{
		ID: "changing-shapes", Title: "Shapes that change from call to call",
		Doc: "A function keeps the memory of its results between the nodes from call to call, as long as their shapes stay. With each new shape " +
			"it is new, and the system clears it page by page. Fill batches up to one length, or call the function with all of one " +
			"length after another. Expected: 1.5 ns for each byte that was new.",
		Slow: "x = T.dmatrix(\"x\")\nW = shared(np.ones((100, 100)), name=\"W\")\nf = function([x], T.tanh(T.dot(T.exp(x), W) + 1).sum(axis=0))\nfor i in range(60):\n    f(np.ones((2000 + i * 37 % 1000, 100)))",
		Fast: "x = T.dmatrix(\"x\")\nW = shared(np.ones((100, 100)), name=\"W\")\nf = function([x], T.tanh(T.dot(T.exp(x), W) + 1).sum(axis=0))\nfor i in range(60):\n    f(np.ones((3000, 100)))",
		find: changingShapes,
	},
	{
		ID: "go-for-type", Title: "A kernel in Go for a short type",
		Doc: "Sorting has kernels in C for int32, int64, float32 and float64; the shorter integers and bool are sorted in Go. " +
			"Cast them to int32 before, and back after it. Expected: four fifths of its time.",
		Slow: "x = T.vector(\"x\", dtype=\"int16\")\nf = function([x], T.sort(x))\nX = np.random.RandomState(1).randint(-9999, 9999, 200000).astype(\"int16\")\nfor i in range(10):\n    f(X)",
		Fast: "x = T.vector(\"x\", dtype=\"int16\")\nf = function([x], T.cast(T.sort(T.cast(x, \"int32\")), \"int16\"))\nX = np.random.RandomState(1).randint(-9999, 9999, 200000).astype(\"int16\")\nfor i in range(10):\n    f(X)",
		find: goForType,
	},
}

// changingShapes finds functions whose memory is new in most calls, since other shapes had other.
func changingShapes(f *finder) {
	const several = 3
	for _, g := range f.Functions {
		if len(g.Shapes) < several {
			continue
		}
		fresh, dearest := 0.0, (*profiler.Node)(nil)
		for _, n := range g.Nodes {
			fresh += n.Allocated
			for i, v := range n.Out { // what the caller gets is new in any case
				if i < len(n.Outputs) && slices.Contains(g.Results, v) {
					fresh -= float64(size(n.Outputs[i])*n.Outputs[i].ItemSize) * float64(n.Calls)
				}
			}
			if dearest == nil || n.Time > dearest.Time {
				dearest = n
			}
		}
		if dearest == nil || fresh <= 0 {
			continue
		}
		file, line := dearest.Origin.Frame().File, dearest.Origin.Frame().Line
		for _, l := range f.lines(profiler.CompiledFunctions) {
			if slices.Contains(l.names, g.Title()) {
				file, line = l.File, l.Line
				break
			}
		}
		f.say(file, line, perNewByte*fresh, fmt.Sprintf("the shapes of %s change from call to call, and %s of its memory were new in %d calls",
			units.Short(units.OneLine(g.Title()), 40), units.Human(units.Bytes, fresh), g.Calls),
			"give it few shapes: fill batches up to one length, or take those of one length together")
	}
}

// goForType finds what runs in Go for the type of its operand alone.
func goForType(f *finder) {
	if f.Machine == nil || f.Machine.ISA == "go" { // there are no others
		return
	}
	const part, short = 0.8, 4
	for _, g := range f.Functions {
		for _, n := range g.Nodes {
			if n.Class != "tensor.sort.SortOp" || n.Impl != "Go" || len(n.Inputs) == 0 || n.Inputs[0].ItemSize >= short {
				continue
			}
			at := n.Origin.Frame()
			f.say(at.File, at.Line, part*n.Time, "sorting "+n.Inputs[0].DType+" runs in Go: the kernels in C are for int32, int64, float32 and float64",
				"sort T.cast(..., \"int32\"), and cast the result back")
		}
	}
}
