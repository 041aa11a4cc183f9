package profiler

import (
	"cmp"
	"iter"
	"strconv"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// place is file:line; empty if the line is unknown.
func place(f graph.Frame) string {
	if f.Line <= 0 {
		return ""
	}
	return f.File + ":" + strconv.Itoa(f.Line)
}

// An Origin is where the user's code made a node.
type Origin struct {
	Frames []graph.Frame `json:"frames,omitempty"` // innermost last
	Scope  string        `json:"scope,omitempty"`  // of named_scope, as "encoder/dense"
	Role   string        `json:"role,omitempty"`   // "forward", "gradient" or "update"
}

// Frame is the innermost one: the line itself.
func (o Origin) Frame() graph.Frame {
	if len(o.Frames) == 0 {
		return graph.Frame{}
	}
	return o.Frames[len(o.Frames)-1]
}

// String writes file:line:col, or nothing if the line is unknown.
func (o Origin) String() string {
	f := o.Frame()
	s := place(f)
	if s != "" && f.Col > 0 {
		s += ":" + strconv.Itoa(f.Col)
	}
	return s
}

// Place is file:line.
func (o Origin) Place() string { return place(o.Frame()) }

// A Part is the share of a node's work that one of the nodes had which it stands for: a fused node
// has a part for each that it replaced.
type Part struct {
	Origin Origin  `json:"origin"`
	Op     string  `json:"op,omitempty"`
	Share  float64 `json:"share"` // of the node's work; those of a node add up to 1
}

// Shares are n's parts; a node that stands for itself is its only part.
func (n *Node) Shares() iter.Seq[Part] {
	return func(yield func(Part) bool) {
		if len(n.Parts) == 0 {
			yield(Part{Origin: n.Origin, Op: n.Key, Share: 1})
			return
		}
		for _, p := range n.Parts {
			if !yield(p) {
				return
			}
		}
	}
}

// Plain is what the node does in few characters, in the words of the program: "tanh(x@W + b)",
// "gradient of tanh", "scan: step". Op and Text have the classic names.
func (n *Node) Plain() string { return cmp.Or(n.plain, units.OneLine(n.Op)) }
