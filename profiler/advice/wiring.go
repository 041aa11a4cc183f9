package advice

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// A wiring says which node of a function makes a variable, and which read it.
type wiring struct {
	*profiler.Function
	maker   map[int]*profiler.Node
	readers map[int][]*profiler.Node
}

func wire(g *profiler.Function) wiring {
	w := wiring{g, make(map[int]*profiler.Node), make(map[int][]*profiler.Node)}
	for _, n := range g.Nodes {
		for _, v := range n.Out {
			w.maker[v] = n
		}
		for _, v := range n.In {
			if !slices.Contains(w.readers[v], n) {
				w.readers[v] = append(w.readers[v], n)
			}
		}
	}
	return w
}

// source is the variable of which v is a view.
func (w wiring) source(v int) int {
	for n := w.maker[v]; n != nil && len(n.Views) == 1 && n.Views[0].In < len(n.In); n = w.maker[v] {
		v = n.In[n.Views[0].In]
	}
	return v
}

// name is the user's name of a variable, or a description.
func (w wiring) name(v int) string {
	v = w.source(v)
	switch name := w.Names[v]; {
	case name != "":
		return units.Short(units.OneLine(name), 40)
	case slices.Contains(w.Constants, v):
		return "a constant"
	case slices.Contains(w.Shared, v):
		return "a shared variable"
	case w.maker[v] != nil:
		if p := w.maker[v].Origin.Frame(); p.Line > 0 {
			return fmt.Sprintf("the result of line %d", p.Line)
		}
	}
	return "an operand"
}

func size(o profiler.Operand) int {
	n := 1
	for _, d := range o.Shape {
		n *= d
	}
	return n
}

// given reports whether v is, in the order in which the function got it, an input or a shared
// variable: what the graph itself transposes no other array that it is given puts in order.
func (w wiring) given(v int) bool {
	for n := w.maker[v]; n != nil && len(n.Views) == 1 && n.Views[0].In < len(n.In); n = w.maker[v] {
		if k := n.Views[0].In; k >= len(n.Inputs) || inOrder(n.Inputs[k]) {
			return false
		} else {
			v = n.In[k]
		}
	}
	return w.maker[v] == nil
}

// isGiven reports whether a step or input of n is an array that the function was given: as a
// branch, ifelse has to copy it.
func (w wiring) isGiven(n *profiler.Node, x string) bool {
	var k int
	if c, err := fmt.Sscanf(x, "i%d", &k); c != 1 || err != nil || k >= min(len(n.In), len(n.Inputs)) {
		return false
	}
	return w.maker[w.source(n.In[k])] == nil && size(n.Inputs[k]) > 1
}

// alone is the time of the nodes that are there for one reader of v only.
func (w wiring) alone(v int, reader *profiler.Node) (sum float64) {
	needed := map[*profiler.Node]bool{reader: true}
	stack := []int{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := w.maker[v]
		if n == nil || needed[n] || slices.ContainsFunc(n.Out, func(o int) bool {
			return slices.Contains(w.Results, o) || slices.ContainsFunc(w.readers[o], func(r *profiler.Node) bool { return !needed[r] })
		}) {
			continue
		}
		needed[n] = true
		sum += n.Time
		stack = append(stack, n.In...)
	}
	return sum
}
