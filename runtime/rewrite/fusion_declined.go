package rewrite

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
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
)

// decline says for each elementwise node and each group that reads its result and is another why they are two. That a single
// number is computed apart, once, needs no excuse.
func (f *fuser) decline(p *PassProfile) {
	for _, node := range f.order {
		v := node.Outputs[0]
		if !isElementwise(node) || isSingle(v.Type) {
			continue
		}
		g := f.groups[node]
		var told []*group
		for _, c := range f.clients[v] {
			if c.Node == nil {
				continue
			}
			h := f.groups[c.Node]
			if h == g || contains(told, h) {
				continue
			}
			told = append(told, h)
			if len(p.Declined) == maxDeclined {
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
}

func contains(list []*group, g *group) bool {
	for _, h := range list {
		if h == g {
			return true
		}
	}
	return false
}

// declineReader says why node and its reader, which both could be members of a group, are not in one.
func (f *fuser) declineReader(p *PassProfile, node, reader *graph.Apply) {
	g, h, v := f.groups[node], f.groups[reader], node.Outputs[0]
	why := f.refuses(g, h)
	if !samePattern(v.Type, h.shape) {
		why = otherShape
	}
	d := Declined{Rule: "elemwise_fusion"}
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
		say("fusion.axes", "one is reduced over %d axes and the other over %d", g.axes, h.axes)
	case tooManyInputs:
		say("fusion.inputs", "together they read more than %d arrays; a sum of many is shorter as the sum of a T.stack", maxFusedInputs)
	case tooManyResults:
		say("fusion.outputs", "together they have more than %d results", maxFusedOutputs)
	case path:
		say("fusion.multi_client", "%s is also needed by %s, which has to be finished first", graph.NameOf(v), f.between(v, h))
	}
}

// between names a reader of v outside of the groups of v and h.
func (f *fuser) between(v *graph.Variable, h *group) string {
	for _, node := range f.groups[v.Owner].nodes {
		for _, c := range f.clients[node.Outputs[0]] {
			if c.Node != nil && f.groups[c.Node] != h && f.groups[c.Node] != f.groups[v.Owner] {
				return by(c.Node)
			}
		}
	}
	return "another operation"
}

// declineView says why node and an elementwise reader of a view or a reduction of its result are two.
func (f *fuser) declineView(p *PassProfile, node, view *graph.Apply) {
	d := Declined{Rule: "elemwise_fusion"}
	if r, ok := view.Op.(op.Reduce); ok {
		d.Code = "fusion.reduce"
		p.decline(d, node, func() string {
			return fmt.Sprintf("is stored before %s, which reduces over the axes %v of %d: only reductions over the last axes are computed "+
				"with what they read", by(view), r.Axes.List(), node.Outputs[0].Type.Rank())
		})
		return
	}
	if len(graph.Views(view.Op)) == 0 {
		return
	}
	for _, c := range f.clients[view.Outputs[0]] {
		if c.Node != nil && f.groups[c.Node].joins {
			d.Code = "fusion.op"
			p.decline(d, node, func() string {
				return fmt.Sprintf("is not fused with %s: %s, which is no elementwise operation, stands between", by(c.Node), by(view))
			})
			return
		}
	}
}
