package rewrite

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

const (
	// nominalLength stands for a length that is known only when the function runs.
	nominalLength = 128
	// perByte is how many nanoseconds a byte takes from the second level cache.
	perByte = 0.01
	// maxRuleParts bounds the parts of what a rule makes: constants that wander through a long
	// expression would otherwise gather all of its lines, at every step. What is fused has no such
	// bound: each node is fused once.
	maxRuleParts = 16
)

// work estimates how many nanoseconds node takes, by instruction set: what it computes, and what
// moves to and from memory. moves says which operands and results do; nil means none. Only the
// proportion of nodes that become one matters.
func work(node *graph.Apply, moves func(v *graph.Variable) bool) kernels.Costs {
	n := nominals.Get().(*nominal)
	defer nominals.Put(n)
	n.arrays, n.lengths = n.arrays[:0], n.lengths[:0]
	n.add(node.Inputs)
	n.add(node.Outputs)
	in, out := n.arrays[:len(node.Inputs)], n.arrays[len(node.Inputs):]
	moved := 0.0
	for i, v := range node.Outputs {
		if moves != nil && moves(v) {
			moved += out[i].Bytes()
		}
	}
	for i, v := range node.Inputs {
		if moves != nil && moves(v) && !slices.Contains(node.Inputs[:i], v) {
			moved += in[i].Bytes()
		}
	}
	all := op.Work(node, in, out)
	for i, w := range all {
		all[i] = max(w+perByte*moved, perByte) // an array without elements has a line too
	}
	return all
}

// nominal is memory for operands and results of the lengths that work takes them to have.
type nominal struct {
	arrays  []graph.Array
	lengths []int
}

var nominals = sync.Pool{New: func() any { return new(nominal) }}

func (n *nominal) add(vs []*graph.Variable) {
	for _, v := range vs {
		begin := len(n.lengths)
		for axis := range v.Type.Rank() {
			d := v.Type.Dim(axis)
			if d == graph.Unknown {
				d = nominalLength
			}
			n.lengths = append(n.lengths, d)
		}
		n.arrays = append(n.arrays, graph.Array{ItemSize: v.Type.DType.Size(), Shape: slices.Clip(n.lengths[begin:])})
	}
}

// A whole gathers the parts of a node that takes the place of several. Parts of one place, role,
// operation and step are one part.
type whole struct {
	parts []graph.Part
	at    map[partKey][]int // of more than fewParts parts
}

// fewParts are looked at one by one.
const fewParts = 8

type partKey struct {
	pos  graph.Pos
	role graph.Role
	op   string
	step int
}

// add adds what took work and comes from o. If that is a whole itself, its parts share the work.
func (w *whole) add(o *graph.Origin, op string, work kernels.Costs) { w.addSteps(o, op, work, nil, 0) }

// addSteps is add of what becomes steps of a body with so many inputs: the values of its own steps,
// in their order.
func (w *whole) addSteps(o *graph.Origin, op string, work kernels.Costs, values []int, inputs int) {
	step := func(own int) int { // the body's, of the whole's own, both from 1, 0 if there is none
		switch {
		case own >= 1 && own <= len(values):
			return max(values[own-1]-inputs+1, 0)
		case len(values) == 1:
			return max(values[0]-inputs+1, 0)
		}
		return 0
	}
	if o == nil || len(o.Parts) == 0 {
		w.addPart(graph.Part{Origin: o, Op: op, Work: work, Step: step(len(values))})
		return
	}
	var total kernels.Costs
	for _, p := range o.Parts {
		total = total.Plus(1, p.Work)
	}
	for _, p := range o.Parts {
		for i := range p.Work {
			p.Work[i] *= work[i] / total[i]
		}
		p.Step = step(p.Step)
		w.addPart(p)
	}
}

func keyOfPart(p *graph.Part) partKey {
	key := partKey{pos: p.Origin.Pos(), op: p.Op, step: p.Step}
	if p.Origin != nil {
		key.role = p.Origin.Role
	}
	return key
}

func (w *whole) addPart(p graph.Part) {
	if q := w.like(&p); q != nil {
		q.Work = q.Work.Plus(1, p.Work)
		return
	}
	w.parts = append(w.parts, p)
	if len(w.parts) <= fewParts {
		return
	}
	from := len(w.parts) - 1
	if w.at == nil {
		w.at, from = make(map[partKey][]int), 0
	}
	for i := from; i < len(w.parts); i++ {
		key := keyOfPart(&w.parts[i])
		w.at[key] = append(w.at[key], i)
	}
}

// like is the part that p is one with, nil if there is none.
func (w *whole) like(p *graph.Part) *graph.Part {
	same := func(q *graph.Part) bool {
		o, r := q.Origin, p.Origin
		return o == r || o != nil && r != nil && o.Scope == r.Scope && slices.Equal(o.Frames, r.Frames)
	}
	key := keyOfPart(p)
	if w.at == nil {
		for i := range w.parts {
			if q := &w.parts[i]; keyOfPart(q) == key && same(q) {
				return q
			}
		}
		return nil
	}
	for _, i := range w.at[key] {
		if same(&w.parts[i]) {
			return &w.parts[i]
		}
	}
	return nil
}

// origin is root's place and role with the parts gathered.
func (w *whole) origin(root *graph.Origin) *graph.Origin {
	if len(w.parts) == 0 {
		return root
	}
	if root == nil {
		root = w.parts[len(w.parts)-1].Origin
	}
	if root == nil || len(w.parts) == 1 && w.parts[0].Origin == root {
		return root
	}
	o := *root
	o.Parts = w.parts
	return &o
}

// absorb is root's origin where a rule computes at once what root and the nodes in all, which
// nothing else needs, computed.
func absorb(root *graph.Apply, all ...*graph.Apply) *graph.Origin {
	o := root.Origin()
	if !slices.ContainsFunc(all, func(n *graph.Apply) bool { return !samePlace(n.Origin(), o) }) {
		return o
	}
	var w whole
	w.add(o, root.Op.Name(), work(root, nil))
	for _, n := range all {
		w.add(n.Origin(), n.Op.Name(), work(n, nil))
	}
	if len(w.parts) > maxRuleParts {
		return o
	}
	return w.origin(o)
}

func samePlace(o, p *graph.Origin) bool {
	if o == nil || p == nil || o == p {
		return o == p
	}
	return len(o.Parts)+len(p.Parts) == 0 && o.Role == p.Role && o.Scope == p.Scope && slices.Equal(o.Frames, p.Frames)
}
