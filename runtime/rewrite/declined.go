package rewrite

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// maxDeclined bounds the reasons that a pass tells; what is beyond is counted.
const maxDeclined = 48

// A reason is a history.Declined whose texts are not written yet: of most nobody will ask.
type reason struct {
	history.Declined
	node *graph.Apply
	why  func() string
}

// decline keeps a reason if there is room. p may be nil.
func (p *PassProfile) decline(d history.Declined, node *graph.Apply, why func() string) {
	switch {
	case p == nil:
	case len(p.reasons) == maxDeclined:
		p.Untold++
	default:
		p.reasons = append(p.reasons, reason{d, node, why})
	}
}

// Tell writes the reasons that wanted accepts into Declined, and forgets the graph that they are
// about.
func (p *PassProfile) Tell(wanted func(d history.Declined) bool) {
	at := make(map[history.Declined]int)
	for _, r := range p.reasons {
		if !wanted(r.Declined) {
			continue
		}
		d := r.Declined
		d.Node, d.Place, d.Why = r.node.String(), r.node.Origin().Pos().String(), r.why()
		i, ok := at[d]
		if !ok {
			i = len(p.Declined)
			at[d] = i
			p.Declined = append(p.Declined, d)
		}
		p.Declined[i].Count++
	}
	p.reasons = nil
}

// at names v and the line that made it, as in "h (line 3)".
func at(v *graph.Variable) string { return graph.NameOf(v) + lineOf(v.Origin) }

// by names a node and its line.
func by(node *graph.Apply) string { return node.String() + lineOf(node.Origin()) }

func lineOf(o *graph.Origin) string {
	pos := o.Pos()
	if !pos.IsValid() {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", pos.File, pos.Line)
}

// reader names the first client of v other than node.
func reader(v *graph.Variable, node *graph.Apply, clients *graph.Clients) string {
	for _, c := range clients.Get(v) {
		if c.Node != node {
			return clientName(c)
		}
	}
	return by(node) + " itself a second time"
}

func clientName(c graph.Client) string {
	if c.Node == nil {
		return "the function, whose result it is,"
	}
	return by(c.Node)
}

// keeps says why node may not overwrite its operand v, "" if it may, in words only if somebody asks
// for them. It states what overwritable and op.CanOverwrite ask.
func keeps(node *graph.Apply, out, in int, clients *graph.Clients) (code string, why func() string) {
	v := node.Inputs[in]
	switch {
	case v.IsConstant():
		return "inplace.constant", func() string { return fmt.Sprintf("%s is a constant, which every call reads", at(v)) }
	case v.Shared != nil:
		return "inplace.shared", func() string {
			return fmt.Sprintf("%s is a shared variable: its old value stays until the call has succeeded", at(v))
		}
	case v.Owner == nil:
		return "inplace.input", func() string { return fmt.Sprintf("%s is an argument, which belongs to the caller", at(v)) }
	case len(graph.Views(v.Owner.Op)) > 0:
		return "inplace.view", func() string {
			return fmt.Sprintf("%s is a view of %s", at(v), at(v.Owner.Inputs[graph.Views(v.Owner.Op)[0].In]))
		}
	case len(clients.Get(v)) > 1:
		return "inplace.multi_client", func() string { return fmt.Sprintf("%s is read by %s too", at(v), reader(v, node, clients)) }
	case v.Type.DType != node.Outputs[out].Type.DType:
		return "inplace.dtype", func() string {
			return fmt.Sprintf("%s is %v and the result is %v", at(v), v.Type.DType, node.Outputs[out].Type.DType)
		}
	case !op.CanOverwrite(node, out, in):
		return "inplace.shape", func() string {
			return fmt.Sprintf("%s has the type %v and the result %v", at(v), v.Type, node.Outputs[out].Type)
		}
	}
	return "", nil
}
