package rewrite

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// A refusal is why two groups stay apart; 0 if they may become one.
type refusal uint8

const (
	_ refusal = iota
	otherShape
	otherLengths
	notElementwise
	otherAxes
	tooManyInputs
	tooManyResults
	path
	otherBranch
)

// decline says for each elementwise node and each group that reads its result and is another why
// they are two. That a single number is computed apart, once, needs no excuse.
func (f *fuser) decline(p *PassProfile) error {
	for _, node := range f.order {
		if err := p.interrupted(); err != nil {
			return err
		}
		v := node.Outputs[0]
		if !isElementwise(node) || isSingle(v.Type) {
			continue
		}
		g := f.groupOf(node)
		var told []*group
		for _, c := range f.clients.Get(v) {
			if c.Node == nil {
				continue
			}
			h := f.groupOf(c.Node)
			if h == g || slices.Contains(told, h) {
				continue
			}
			told = append(told, h)
			if len(p.reasons) == maxDeclined {
				p.Untold++ // looking for paths takes time
				continue
			}
			if h.joins {
				f.declineReader(p, node, c.Node)
			} else {
				f.declineView(p, node, c.Node)
			}
		}
	}
	return nil
}

// declineReader says why node and its reader, which both could be members of a group, are not in
// one.
func (f *fuser) declineReader(p *PassProfile, node, reader *graph.Apply) {
	g, h, v := f.groupOf(node), f.groupOf(reader), node.Outputs[0]
	why := f.refuses(g, h)
	if !samePattern(v.Type, h.shape) {
		why = otherShape
	}
	d := history.Declined{Rule: "elemwise_fusion"}
	say := func(code, format string, args ...any) {
		d.Code = code
		p.decline(d, node, func() string { return "is not fused with " + by(reader) + ": " + fmt.Sprintf(format, args...) })
	}
	switch why {
	case otherShape:
		say("fusion.broadcast", "it is %v and is broadcast there to %v, inside of which it would be computed again for each element",
			v.Type, h.shape)
	case otherLengths:
		say("fusion.lengths", "the shapes %v and %v do not fit", g.shape, h.shape)
	case otherAxes:
		say("fusion.axes", "one is reduced over the axes %v and the other over %v", g.axes.List(), h.axes.List())
	case tooManyInputs:
		say("fusion.inputs", "together they read more than %d arrays; a sum of many is shorter as the sum of a T.stack", maxFusedInputs)
	case tooManyResults:
		say("fusion.outputs", "together they have more than %d results", maxFusedOutputs)
	case otherBranch:
		say("fusion.branch", "an ifelse decides whether one of them is computed")
	case path:
		say("fusion.multi_client", "%s", f.between(g, h))
	}
}

// between describes the path that keeps two groups apart by its last operation, views aside.
func (f *fuser) between(g, h *group) string {
	if node := f.last(g, h); node != nil {
		return fmt.Sprintf("that also reads %s, which is computed from the first", by(node))
	}
	if node := f.last(h, g); node != nil {
		return fmt.Sprintf("it is computed together with what reads %s, which is computed from the second", by(node))
	}
	return "one may need the other to be finished; the graph is too large to find out"
}

// last finds a path from g to h through nodes of neither, and returns its last node that is no
// view; nil if there is none.
func (f *fuser) last(g, h *group) *graph.Apply {
	const most = 1 << 12
	from := make(map[*graph.Apply]*graph.Apply)
	queue := slices.Clone(g.nodes)
	for i := 0; i < len(queue) && i < most; i++ {
		node := queue[i]
		for _, v := range node.Outputs {
			for _, c := range f.clients.Get(v) {
				switch {
				case c.Node == nil || f.groupOf(c.Node) == g || from[c.Node] != nil:
				case f.groupOf(c.Node) == h:
					if f.groupOf(node) == g {
						continue // directly
					}
					for len(graph.Views(node.Op)) > 0 && f.groupOf(from[node]) != g {
						node = from[node]
					}
					return node
				default:
					from[c.Node] = node
					queue = append(queue, c.Node)
				}
			}
		}
	}
	return nil
}

// declineView says why node and an elementwise reader of a view of its result are two.
func (f *fuser) declineView(p *PassProfile, node, view *graph.Apply) {
	d := history.Declined{Rule: "elemwise_fusion"}
	if len(graph.Views(view.Op)) == 0 {
		return
	}
	for _, c := range f.clients.Get(view.Outputs[0]) {
		if c.Node != nil && f.groupOf(c.Node).joins {
			d.Code = "fusion.op"
			p.decline(d, node, func() string {
				return fmt.Sprintf("is not fused with %s: %s, which is no elementwise operation, stands between", by(c.Node), by(view))
			})
			return
		}
	}
}

// Excluded is what a profile tells of a pass that a tag kept from running.
func Excluded(name, tag string, fg *graph.FunctionGraph) *PassProfile {
	order := fg.Toposort()
	p := &PassProfile{Pass: history.Pass{Name: name, Before: len(order), After: len(order), Skipped: "excluded by the tag " + tag}}
	if name != "elemwise_fusion" {
		return p
	}
	elementwise := 0
	var last *graph.Apply
	for _, node := range order {
		if isElementwise(node) {
			elementwise, last = elementwise+1, node
		}
	}
	if elementwise > 1 {
		p.decline(history.Declined{Code: "fusion.excluded", Rule: name}, last, func() string {
			return fmt.Sprintf("%d elementwise operations stay apart, since the tag %s excludes their fusion; do without it",
				elementwise, tag)
		})
	}
	p.Tell(func(history.Declined) bool { return true })
	return p
}
