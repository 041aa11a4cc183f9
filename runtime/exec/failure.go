package exec

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Failure is a step that failed, as Options.Explain sees it: while the values of the run are
// still there.
type Failure struct {
	Program *Program
	Index   int             // of the node in Program.Nodes
	In      []*tensor.Dense // its operands; nil where there is a bug
}

// Stored is a value that a run holds.
type Stored struct {
	V     *graph.Variable
	Value *tensor.Dense
}

// Storage lists the values that the run holds, each once: inputs, shared variables, and then
// constants and results in the order of the nodes.
func (f *Failure) Storage() []Stored {
	p := f.Program
	var list []Stored
	seen := make(map[int]bool)
	add := func(slot int, v *graph.Variable) {
		if a := p.slots[slot]; a != nil && !seen[slot] {
			seen[slot] = true
			list = append(list, Stored{v, a})
		}
	}
	for i, v := range p.Graph.Inputs {
		add(p.inputs[i], v)
	}
	for _, s := range p.shared {
		add(s.slot, s.v)
	}
	for _, n := range p.Nodes {
		for i, v := range n.Apply.Inputs {
			add(n.in[i], v)
		}
	}
	for i, v := range p.Graph.Results() {
		add(p.results[i], v)
	}
	return list
}

// describe adds the node's place and operands to an error, and what Options.Explain has to say.
func (p *Program) describe(n *Node, err error, in []*tensor.Dense) error {
	located := op.Located(n.Apply, err, in, " and has shape ")
	if e, ok := located.(*graph.Error); ok && located != err && p.explain != nil {
		e.More = p.explain(&Failure{Program: p, Index: p.at, In: in})
	}
	return located
}
