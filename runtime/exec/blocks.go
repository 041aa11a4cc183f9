package exec

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// A block is a part of the steps that run together or not at all. A program without branches is one
// block.
type block struct {
	from, to int
	when     *test // nil: always
}

// A test is a graph.Guard of slots.
type test struct {
	slot        int
	then, else_ *test // always or never at the ends
}

var always, never = &test{slot: -1}, &test{slot: -1}

// cut makes the blocks.
func (p *Program) cut(slot *graph.Table[int]) {
	made := map[*graph.Guard]*test{graph.Always: always, graph.Never: never}
	var testOf func(g *graph.Guard) *test
	testOf = func(g *graph.Guard) *test {
		t := made[g]
		if t == nil {
			t = &test{slot.Get(g.Cond) - 1, testOf(g.Then), testOf(g.Else)}
			made[g] = t
		}
		return t
	}
	for i, n := range p.Nodes {
		if i > 0 && n.When == p.Nodes[i-1].When {
			p.blocks[len(p.blocks)-1].to++
			continue
		}
		b := block{from: i, to: i + 1}
		if n.When != graph.Always {
			b.when = testOf(n.When)
		}
		p.blocks = append(p.blocks, b)
	}
}

// holds asks the conditions of the current run. One that was not computed does not decide about
// what is asked.
func (p *Program) holds(t *test) bool {
	for t.slot >= 0 {
		if a := p.slots[t.slot]; a != nil && op.Truth(a) {
			t = t.then
		} else {
			t = t.else_
		}
	}
	return t == always
}

// skip notes in a trace that a block did not run.
func (t *Trace) skip(b block) {
	end := t.Start
	if len(t.Ends) > 0 {
		end = t.Ends[len(t.Ends)-1]
	}
	for i := b.from; i < b.to; i++ {
		t.Skipped[i] = true
		t.Ends = append(t.Ends, end)
	}
}
