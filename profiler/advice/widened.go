package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// narrower is the part of its time that an operation saves in float32: half of the bytes and twice
// the numbers in a register, shorter polynomials, and no conversions. Planted programs save 0.5 to
// 0.9.
const narrower = 0.65

// widened finds nodes in which float32 meets float64, and charges them with what follows.
func widened(f *finder) {
	for _, g := range f.Functions {
		w := wire(g)
		charged := make(map[*profiler.Node]bool)
		for _, n := range g.Nodes {
			wide, narrow := -1, -1
			for i, o := range n.Inputs {
				switch {
				case o.DType == "float64" && wide < 0:
					wide = i
				case o.DType == "float32" && size(o) > 1:
					narrow = i
				}
			}
			if wide < 0 || narrow < 0 || n.ItemSize != 8 || charged[n] {
				continue
			}
			if f.asksWide(n) {
				charged[n] = true
				continue
			}
			at, share, operations := meeting(n, wide, narrow)
			gain := share * n.Time * narrower
			charged[n] = true
			var stack []*profiler.Node
			for m := n; m != nil; {
				for _, v := range m.Out {
					stack = append(stack, w.readers[v]...)
				}
				for m = nil; m == nil && len(stack) > 0; stack = stack[:len(stack)-1] {
					if next := stack[len(stack)-1]; !charged[next] && next.ItemSize == 8 {
						charged[next], m = true, next
						gain += m.Time * narrower
						operations += max(len(m.Parts), 1)
					}
				}
			}
			name := w.name(n.In[wide])
			f.say(at.File, at.Line, gain, fmt.Sprintf("float32 meets %s (float64) here, and %s %s computed in float64", name, units.Plural(int64(operations), "operation"), map[bool]string{true: "is", false: "are"}[operations == 1]),
				"make "+it(name)+" float32: dtype=\"float32\" where it begins, or T.cast(..., \"float32\")")
		}
	}
}

// asksWide reports whether the program itself casts what n reads, in n: such a cast asks for the
// wider type.
func (f *finder) asksWide(n *profiler.Node) bool {
	for p := range n.Shares() {
		at := p.Origin.Frame()
		if text := f.code(at.File, at.Line); strings.Contains(strings.ToLower(p.Op), "cast") && (strings.Contains(text, "cast(") || strings.Contains(text, "astype(")) {
			return true
		}
	}
	return false
}

// it is the pronoun for operands that have no name.
func it(name string) string {
	if strings.HasPrefix(name, "a ") || strings.HasPrefix(name, "an ") || strings.HasPrefix(name, "the ") {
		return "it"
	}
	return name
}

// meeting is where a float64 operand of a node meets a float32 one, and what follows from the
// former: its share of the node's work and how many operations it is.
func meeting(n *profiler.Node, wide, narrow int) (at graph.Frame, share float64, operations int) {
	follows := map[string]bool{fmt.Sprint("i", wide): true}
	beside := map[string]bool{fmt.Sprint("i", narrow): true} // what follows from the other
	met := ""                                                // the operation
	counts := make(map[string]int)                           // of operations that follow
	for _, s := range stepsOf(n) {
		both := slices.ContainsFunc(s.args, func(a string) bool { return follows[a] })
		other := slices.ContainsFunc(s.args, func(a string) bool { return beside[a] })
		if both && other && met == "" {
			met = s.op
		}
		if beside[s.name] = other; both {
			follows[s.name] = true
			counts[s.op]++
		}
	}
	if met == "" {
		return n.Origin.Frame(), 1, max(len(n.Parts), 1)
	}
	for p := range n.Shares() {
		if counts[p.Op] > 0 {
			share += p.Share
			operations++
		}
		if p.Op == met && at.Line == 0 {
			at = p.Origin.Frame()
		}
	}
	return at, share, operations
}
