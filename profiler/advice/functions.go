package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// functionRules look at the nodes of compiled functions.
var functionRules = []Rule{
	{
		ID: "float64-in-float32", Title: "float64 inside of a float32 graph",
		Doc: "An operation of float32 and float64 is computed in float64, as NumPy does, and all that follows from it: twice the bytes, " +
			"half the numbers in a vector register. Often one shared variable or constant is to blame. `warn_float64=\"raise\"` finds the " +
			"first. Expected: two thirds of the time of these operations, since conversions go too.",
		Slow: "x = T.fmatrix(\"x\")\nc = shared(np.ones(400), name=\"c\")\nf = function([x], T.tanh(T.exp(T.sin(x * c))).sum())\nX = np.ones((500, 400), dtype=\"float32\")\nfor i in range(60):\n    f(X)",
		Fast: "x = T.fmatrix(\"x\")\nc = shared(np.ones(400, dtype=\"float32\"), name=\"c\")\nf = function([x], T.tanh(T.exp(T.sin(x * c))).sum())\nX = np.ones((500, 400), dtype=\"float32\")\nfor i in range(60):\n    f(X)",
		find: widened,
	},
	{
		ID: "both-branches", Title: "switch() computes both branches",
		Doc: "`T.switch` chooses element by element, so that both of its branches are computed. Where one condition decides for the whole " +
			"array, `ifelse` of `theano.ifelse` computes the branch that is taken. Expected: the mean of what only one of the branches needs.",
		Slow: "x, c = T.dmatrix(\"x\"), T.dscalar(\"c\")\nf = function([x, c], T.switch(T.gt(c, 0), T.exp(T.sin(x)), T.tanh(T.cos(x))))\nX = np.ones((500, 400))\nfor i in range(60):\n    f(X, 1.0)",
		Fast: "from theano.ifelse import ifelse\nx, c = T.dmatrix(\"x\"), T.dscalar(\"c\")\nf = function([x, c], ifelse(T.gt(c, 0), T.exp(T.sin(x)), T.tanh(T.cos(x))))\nX = np.ones((500, 400))\nfor i in range(60):\n    f(X, 1.0)",
		find: bothBranches,
	},
	{
		ID: "same-each-call", Title: "The same result in each call",
		Doc: "An operation that reads shared variables only, which the function does not update, gives the same in each call. Compute it " +
			"once, by a function of its own that updates a shared variable. Expected: all of its time but that of one call.",
		Slow: "x = T.dmatrix(\"x\")\nW = shared(np.ones((300, 300)), name=\"W\")\nf = function([x], T.dot(x, T.dot(W, W)).sum())\nX = np.ones((20, 300))\nfor i in range(60):\n    f(X)",
		Fast: "x = T.dmatrix(\"x\")\nW = shared(np.ones((300, 300)), name=\"W\")\nWW = shared(W.get_value() @ W.get_value(), name=\"WW\")\nf = function([x], T.dot(x, WW).sum())\nX = np.ones((20, 300))\nfor i in range(600):\n    f(X)",
		find: sameEachCall,
	},
	{
		ID: "strided-operand", Title: "An operand that is not in order",
		Doc: "Elements that do not lie next to each other, as those of a transposed or sliced array, are fetched a cache line each. Give " +
			"the function an array in C order: `np.ascontiguousarray`. Expected: what the operation takes above 1.25 of the roof of the machine.",
		Slow: "x, y = T.dmatrix(\"x\"), T.dmatrix(\"y\")\nf = function([x, y], x + y)\nX, Y = np.ones((2000, 1500)), np.ones((1500, 2000)).T\nfor i in range(30):\n    f(X, Y)",
		Fast: "x, y = T.dmatrix(\"x\"), T.dmatrix(\"y\")\nf = function([x, y], x + y)\nX, Y = np.ones((2000, 1500)), np.ascontiguousarray(np.ones((1500, 2000)).T)\nfor i in range(30):\n    f(X, Y)",
		find: stridedOperands,
	},
	{
		ID: "not-optimized", Title: "Compiled without optimizations",
		Doc: "With the optimizer `fast_compile` or `None`, elementwise operations are not fused: each reads its operands from memory and " +
			"writes its result there. Expected: of their time, the part that the bytes between two of them are of all bytes.",
		Slow: "x = T.dmatrix(\"x\")\nf = function([x], T.sqrt(x * x + 2.0 * x + 1.0) - x, mode=\"FAST_COMPILE\")\nX = np.ones((1000, 1000))\nfor i in range(20):\n    f(X)",
		Fast: "x = T.dmatrix(\"x\")\nf = function([x], T.sqrt(x * x + 2.0 * x + 1.0) - x)\nX = np.ones((1000, 1000))\nfor i in range(20):\n    f(X)",
		find: notOptimized,
	},
	{
		ID: "one-thread", Title: "One thread of several",
		Doc: "Large operations are divided among `threads` of the processors. Expected: the time of operations of a millisecond and more, " +
			"divided by as many, and three quarters of that.",
		Slow: "config.threads = 1\nW = shared(np.ones((600, 600)), name=\"W\")\nx = T.dmatrix(\"x\")\nf = function([x], T.dot(x, W))\nX = np.ones((600, 600))\nfor i in range(10):\n    f(X)",
		Fast: "config.threads = 0\nW = shared(np.ones((600, 600)), name=\"W\")\nx = T.dmatrix(\"x\")\nf = function([x], T.dot(x, W))\nX = np.ones((600, 600))\nfor i in range(10):\n    f(X)",
		find: oneThread,
	},
	{
		ID: "row-by-row", Title: "A matrix for one row",
		Doc: "The product of a matrix and a vector reads all of the matrix for one row of the result: memory is what it waits for. Many rows at " +
			"once are a product of matrices, which reads it as often as once. Expected: all of the time but that of the operations at the peak.",
		Slow: "W = shared(np.ones((1000, 1000)), name=\"W\")\nx = T.dvector(\"x\")\nf = function([x], T.dot(x, W))\nX = np.ones((300, 1000))\nfor row in X:\n    f(row)",
		Fast: "W = shared(np.ones((1000, 1000)), name=\"W\")\nx = T.dmatrix(\"x\")\nf = function([x], T.dot(x, W))\nX = np.ones((300, 1000))\nfor i in range(5):\n    f(X)",
		find: rowByRow,
	},
	{
		ID: "go-kernels", Title: "Kernels in Go",
		Doc: "The linker `py` computes everything by the kernels in Go, which are there as a reference. The default, `c|go`, takes those in C where " +
			"there are. Expected: what the elementwise operations and products take above twice the roof of the machine.",
		Slow: "x = T.dmatrix(\"x\")\nf = function([x], T.tanh(T.exp(x) + x), mode=theano.Mode(linker=\"py\"))\nX = np.ones((500, 500))\nfor i in range(10):\n    f(X)",
		Fast: "x = T.dmatrix(\"x\")\nf = function([x], T.tanh(T.exp(x) + x))\nX = np.ones((500, 500))\nfor i in range(40):\n    f(X)",
		find: goKernels,
	},
	{
		ID: "small-steps", Title: "Steps that do little",
		Doc: "A step of `theano.scan` takes some hundred nanoseconds beside its nodes, and each node some tens beside what it computes. Give a step " +
			"more rows, as those of many sequences at once, or compute before the loop what needs no earlier step. Expected: what the loop takes " +
			"beside its nodes, and nearly all of what those take that do little more than begin.",
		Slow: "U, x = shared(np.eye(4), name=\"U\"), T.dmatrix(\"x\")\ndef step(x_t, h):\n    return T.tanh(x_t + T.dot(h, U))\nhs, _ = theano.scan(step, sequences=x, outputs_info=T.zeros((4,)))\nf = function([x], hs[-1])\nX = np.ones((2000, 500, 4))\nfor row in X:\n    f(row)",
		Fast: "U, x = shared(np.eye(4), name=\"U\"), T.dtensor3(\"x\")\ndef step(x_t, h):\n    return T.tanh(x_t + T.dot(h, U))\nhs, _ = theano.scan(step, sequences=x, outputs_info=T.zeros((2000, 4)))\nf = function([x], hs[-1])\nX = np.ones((500, 2000, 4))\nfor i in range(3):\n    f(X)",
		find: smallSteps,
	},
}

// smallSteps finds loops that take longer than what their steps compute.
func smallSteps(f *finder) {
	// A step that takes longer beside its nodes moves what it made, which larger ones do too.
	const many, step, part = 1000, 500, 0.95
	for _, r := range f.Loops() {
		if r.Steps < many || len(r.Outer) > 0 {
			continue
		}
		gain := min(r.Overhead, step*float64(r.Steps))
		for _, n := range r.Nodes() {
			if b, ok := f.Bound(n.Node); ok && b.Limit == "overhead" {
				gain += part * n.Time
			}
		}
		at := r.Node.Origin.Frame()
		f.say(at.File, at.Line, gain, fmt.Sprintf("%d steps of %s take %s each, of which the loop itself and what is around the work of its nodes have %s",
			r.Steps, r.Node.Plain(), units.Human(units.Times, r.PerStep), units.Share(units.Ratio(gain, r.Time))), profiler.LargerSteps)
	}
}

// sameEachCall finds nodes that read nothing but shared variables that stay, and constants.
func sameEachCall(f *finder) {
	for _, g := range f.Functions {
		if g.Calls < 2 {
			continue
		}
		w := wire(g)
		same := make(map[int]bool) // the variables that do not change
		for _, v := range append(slices.Clone(g.Shared), g.Constants...) {
			same[v] = !slices.Contains(g.Changed, v)
		}
		for _, n := range g.Nodes { // what overwrites a shared variable updates it
			for _, d := range n.Destroys {
				if d.In < len(n.In) {
					delete(same, w.source(n.In[d.In]))
				}
			}
		}
		if updated(g) {
			continue // which of them changes is not known
		}
		for _, n := range g.Nodes {
			if len(n.In) == 0 || slices.ContainsFunc(n.In, func(v int) bool { return !same[v] }) || len(n.Destroys) > 0 || strings.Contains(n.Class, "andom") {
				continue
			}
			for _, v := range n.Out {
				same[v] = true
			}
			at := n.Origin.Frame()
			f.say(at.File, at.Line, n.Time*float64(g.Calls-1)/float64(g.Calls),
				fmt.Sprintf("%s reads shared variables only, which %s does not change, and gives the same in each of %d calls",
					short(n), units.Short(units.OneLine(g.Title()), 40), g.Calls),
				"compute it once, and keep it in a shared variable")
		}
	}
}

// updated reports whether some node of g is of an update.
func updated(g *profiler.Function) bool {
	return slices.ContainsFunc(g.Nodes, func(n *profiler.Node) bool {
		for p := range n.Shares() {
			if p.Origin.Role == "update" {
				return true
			}
		}
		return n.Origin.Role == "update"
	})
}

// short is the operation of a node as the user knows it.
func short(n *profiler.Node) string {
	name, _, _ := strings.Cut(n.Op, "{")
	return units.Short(units.OneLine(name), 40)
}

// rowByRow finds products of a large shared matrix and a vector.
func rowByRow(f *finder) {
	const many, large = 50, 1 << 18 // calls, bytes
	if f.Machine == nil || f.Machine.Roof == nil {
		return
	}
	for _, g := range f.Functions {
		w := wire(g)
		for _, n := range g.Nodes {
			if n.Calls < many || n.Class != "tensor.basic.Dot" && !strings.HasPrefix(n.Class, "tensor.blas") {
				continue
			}
			matrix, vector := -1, false
			for i, o := range n.Inputs {
				switch {
				case i >= len(n.In) || n.Class != "tensor.basic.Dot" && i == 0: // the summand
				case len(o.Shape) == 2 && size(o)*o.ItemSize >= large && min(o.Shape[0], o.Shape[1]) > 1 && slices.Contains(g.Shared, w.source(n.In[i])):
					matrix = i
				case size(o) > 1 && (len(o.Shape) == 1 || len(o.Shape) == 2 && min(o.Shape[0], o.Shape[1]) == 1):
					vector = true
				}
			}
			if matrix < 0 || !vector || f.sequential(g) {
				continue
			}
			peak := f.Machine.Roof.Flops64
			if n.ItemSize == 4 {
				peak = f.Machine.Roof.Flops32
			}
			at := n.Origin.Frame()
			f.say(at.File, at.Line, n.Time-1e9*units.Ratio(n.Flops, peak), fmt.Sprintf("all of %s (%s) is read for one vector, in each of %d calls",
				w.name(n.In[matrix]), units.Human(units.Bytes, float64(size(n.Inputs[matrix])*n.Inputs[matrix].ItemSize)), n.Calls),
				"pass many rows at once, as a matrix")
		}
	}
}

// sequential reports whether a call of g needs what the call before gave.
func (f *finder) sequential(g *profiler.Function) bool {
	if !f.Cell.Sampled() { // which line calls g is not known
		const most = 1000
		for file, text := range f.Sources {
			for line := range min(strings.Count(text, "\n")+1, most) {
				if strings.HasPrefix(f.code(file, line+1), " ") && f.followsItself(file, line+1) {
					return true
				}
			}
		}
		return false
	}
	return slices.ContainsFunc(f.lines(profiler.CompiledFunctions), func(l line) bool {
		return slices.Contains(l.names, g.Title()) && f.followsItself(l.File, l.Line)
	})
}

// goKernels finds functions whose elementwise operations and products all ran in Go.
func goKernels(f *finder) {
	if f.Machine == nil || f.Machine.ISA == "go" { // there are no others
		return
	}
	for _, g := range f.Functions {
		gain, dearest := 0.0, (*profiler.Node)(nil)
		for _, n := range g.Nodes {
			if n.Class != "tensor.elemwise.Elemwise" && n.Class != "tensor.basic.Dot" && !strings.HasPrefix(n.Class, "tensor.blas") || n.Calls == 0 {
				continue
			}
			if n.Impl != "Go" {
				gain = 0
				break
			}
			if b, ok := f.Bound(n); ok {
				gain += max(n.Time-2*b.Best*float64(n.Calls), 0)
			}
			if dearest == nil || n.Time > dearest.Time {
				dearest = n
			}
		}
		if dearest == nil || gain == 0 {
			continue
		}
		at := dearest.Origin.Frame()
		f.say(at.File, at.Line, gain, units.Short(units.OneLine(g.Title()), 40)+" runs in Go alone",
			"compile it with the linker c|go, which is the default")
	}
}

// oneThread finds large operations that a single thread did.
func oneThread(f *finder) {
	const large = 1e6 // nanoseconds of a call
	m := f.Machine
	if m == nil || m.Threads != 1 || m.Cores < 2 {
		return
	}
	for _, g := range f.Functions {
		for _, n := range g.Nodes {
			if n.Calls == 0 || n.Time/float64(n.Calls) < large || !divided(n) {
				continue
			}
			at := n.Origin.Frame()
			f.say(at.File, at.Line, 0.75*n.Time*(1-1/float64(m.Cores)), fmt.Sprintf("%s takes %s a call on one of %d processors",
				short(n), units.Human(units.Times, n.Time/float64(n.Calls)), m.Cores), "let kernels use all of them: config.threads = 0, or the flag threads=0")
		}
	}
}

// divided reports whether the kernels of a node divide large work among threads.
func divided(n *profiler.Node) bool {
	return n.Impl == "C" && slices.ContainsFunc([]string{"tensor.elemwise.", "tensor.basic.Dot", "tensor.blas.", "tensor.nnet.", "tensor.sort.", "sparse."},
		func(prefix string) bool { return strings.HasPrefix(n.Class, prefix) })
}

// stridedOperands finds elementwise operations that read a large array against its order.
func stridedOperands(f *finder) {
	const large = 1 << 20 // bytes that are in no near cache
	for _, g := range f.Functions {
		w := wire(g)
		for _, n := range g.Nodes {
			b, ok := f.Bound(n)
			if !ok || n.Class != "tensor.elemwise.Elemwise" {
				continue
			}
			for i, o := range n.Inputs {
				if size(o)*o.ItemSize < large || inOrder(o) || i >= len(n.In) || !w.given(n.In[i]) {
					continue
				}
				at := n.Origin.Frame()
				f.say(at.File, at.Line, n.Time-1.25*b.Best*float64(n.Calls), w.name(n.In[i])+" is read against the order of its elements in memory",
					"give it in C order: np.ascontiguousarray(...) before the call, or T.dot and sums that take it as it is")
				break
			}
		}
	}
}

// inOrder reports whether the elements of the last axis lie next to each other.
func inOrder(o profiler.Operand) bool {
	last := len(o.Shape) - 1
	for last >= 0 && o.Shape[last] == 1 {
		last--
	}
	return last < 0 || last >= len(o.Strides) || o.Strides[last] == o.ItemSize || o.Strides[last] == 0
}

// notOptimized finds elementwise operations that would be fused by the default optimizer.
func notOptimized(f *finder) {
	for _, g := range f.Functions {
		if len(g.Rewrites) == 0 && (len(g.Nodes) < 2 || g.Compile.Total == 0) || fused(g) {
			continue // or it is not known how it was compiled
		}
		w := wire(g)
		took, bytes, between, dearest := 0.0, 0.0, 0.0, (*profiler.Node)(nil)
		for _, n := range g.Nodes {
			if n.Class != "tensor.elemwise.Elemwise" {
				continue
			}
			if dearest == nil || n.Time > dearest.Time {
				dearest = n
			}
			for _, v := range n.Out {
				if r := w.readers[v]; len(r) == 1 && r[0].Class == n.Class && !slices.Contains(g.Results, v) {
					between += 2 * n.BytesWritten
				}
			}
			took, bytes = took+n.Time, bytes+n.BytesRead+n.BytesWritten
		}
		if dearest == nil {
			continue
		}
		gain := took * units.Ratio(between, bytes)
		if gain < float64(g.Compile.Total) {
			continue // other rewrites take as long again
		}
		at := dearest.Origin.Frame()
		f.say(at.File, at.Line, gain, units.Short(units.OneLine(g.Title()), 40)+" was compiled without fusing elementwise operations",
			"compile it by the default mode, or mode=\"FAST_RUN\"")
	}
}

// fused reports whether the pass ran that fuses elementwise operations.
func fused(g *profiler.Function) bool {
	for _, p := range g.Rewrites {
		if p.Name == "elemwise_fusion" && p.Skipped == "" {
			return true
		}
	}
	return false
}
