package picture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/picture/layout"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// How much an SVG holds. With more boxes than crowded, arrows over more than longest layers are
// cut: what they come from is named where they go to. With more than maxItems, constants and views
// are left out, and operations over maxNodes.
const (
	crowded, longest = 80, 8
	maxItems         = 300
	maxNodes         = 1500
)

// An item is what is drawn as a box.
type item struct {
	look   int
	title  string
	number string // of an operation, its place in the order
	detail string // of a fused operation, what it computes
	tip    string // everything, in lines
	impl   string // "C", "Go" or unknown
	share  float64
	time   float64
	types  []string // of the outputs
	inputs int
	side   int    // of branchSides
	scope  string // of named_scope
}

// A link is an arrow: a use of output number out of an item as input number in of another.
type link struct {
	from, out, to, in int
	label             string
}

// A drawing is what a picture shows, without places.
type drawing struct {
	items []item
	links []link
	most  float64 // the greatest share of the time
	left  string  // what was left out
}

// drawn chooses what an SVG shows.
func (p *Picture) drawn() *drawing {
	d := p.draw(p.all(), false)
	if len(d.items) <= maxItems {
		return d
	}
	return p.draw(p.nearest(maxNodes), true)
}

// all nodes.
func (p *Picture) all() map[*graph.Apply]bool {
	keep := make(map[*graph.Apply]bool, len(p.nodes))
	for _, n := range p.nodes {
		keep[n] = true
	}
	return keep
}

// nearest are the n nodes with the fewest steps to a result.
func (p *Picture) nearest(n int) map[*graph.Apply]bool {
	keep := make(map[*graph.Apply]bool)
	queue := p.graph.Results()
	for len(queue) > 0 && len(keep) < n {
		v := queue[0]
		queue = queue[1:]
		if v.Owner != nil && !keep[v.Owner] {
			keep[v.Owner] = true
			queue = append(queue, v.Owner.Inputs...)
		}
	}
	return keep
}

// draw lists the items and links of the nodes in keep. brief leaves out constants, and views, whose
// users are linked with what is viewed.
func (p *Picture) draw(keep map[*graph.Apply]bool, brief bool) *drawing {
	d := &drawing{}
	constants, views := 0, 0
	at := make(map[*graph.Variable]int) // the items of variables
	add := func(it item, vs ...*graph.Variable) int {
		d.items = append(d.items, it)
		for _, v := range vs {
			at[v] = len(d.items) - 1
		}
		return len(d.items) - 1
	}
	for _, v := range p.graph.Inputs {
		add(rootItem(v, lookInput), v)
	}
	connect := func(v *graph.Variable, to, in int) {
		for brief && v.Owner != nil && isView(v.Owner.Op) {
			v = v.Owner.Inputs[graph.Views(v.Owner.Op)[0].In]
		}
		from, ok := at[v]
		switch {
		case ok:
		case v.IsConstant() && brief:
			constants++
			return
		case v.IsConstant(): // one for each use: arrows to a common 1.0 would cross everything
			from = add(rootItem(v, lookConstant))
		case v.Shared != nil:
			from = add(rootItem(v, lookShared), v)
		case v.Owner != nil:
			from = add(p.nodeItem(p.place[v.Owner]).elsewhere(v.Index), v)
		default:
			from = add(rootItem(v, lookInput), v)
		}
		out := v.Index
		if d.items[from].look == lookStub {
			out = 0
		}
		if d.items[from].look == lookVariable {
			out = 0
		}
		label := v.Type.String()
		if p.opts.Untyped && v.Name != "" {
			label = ""
		}
		d.links = append(d.links, link{from, out, to, in, label})
	}
	for i, n := range p.nodes {
		p.asks()
		if !keep[n] {
			continue
		}
		if brief && isView(n.Op) {
			views++
			continue
		}
		to := add(p.nodeItem(i), n.Outputs...)
		d.most = max(d.most, d.items[to].share)
		for k, v := range n.Inputs {
			connect(v, to, k)
		}
		if !p.opts.Variables {
			continue
		}
		for _, v := range n.Outputs {
			at := add(variableItem(v), v)
			d.links = append(d.links, link{to, v.Index, at, 0, ""})
		}
	}
	for i, v := range p.graph.Outputs {
		name := v.Name
		if name == "" {
			name = fmt.Sprintf("output %d", i)
		}
		connect(v, add(item{look: lookOutput, title: name, tip: fmt.Sprintf("output %d: %v", i, v.Type), inputs: 1}), 0)
	}
	for _, u := range p.graph.Updates {
		name := nameOf(u.Shared)
		tip := fmt.Sprintf("new value of %s: %v", name, u.Value.Type)
		connect(u.Value, add(item{look: lookUpdate, title: name, tip: tip, inputs: 1}), 0)
	}
	var left []string
	for _, l := range []struct {
		n    int
		what string
	}{{constants, "constant"}, {views, "view"}, {len(p.nodes) - len(keep), "node"}} {
		if l.n > 0 {
			left = append(left, units.Plural(int64(l.n), l.what))
		}
	}
	d.left = strings.Join(left, ", ")
	return d
}

// nameOf a variable without owner.
func nameOf(v *graph.Variable) string {
	switch {
	case v.Name != "":
		return units.OneLine(v.Name)
	case v.IsConstant():
		return strings.TrimSuffix(strings.TrimPrefix(profiler.OperandText(v), "TensorConstant{"), "}")
	}
	return "(no name)"
}

// elsewhere stands for output number out of it, where an arrow from it would be too long or cannot
// be.
func (it item) elsewhere(out int) item {
	if it.look > lookOther {
		return it // there may be several of an input
	}
	return item{look: lookStub, title: it.number + " " + it.title, tip: it.tip, types: it.types[out : out+1]}
}

// cut shortens the arrows of a crowded drawing.
func (d *drawing) cut() error {
	if len(d.items) <= crowded {
		return nil
	}
	var edges []layout.Edge
	for _, l := range d.links {
		edges = append(edges, layout.Edge{From: l.from, To: l.to})
	}
	layers, err := layout.Layers(len(d.items), edges)
	if err != nil {
		return err
	}
	for i := range d.links {
		l := &d.links[i]
		if layers[l.to]-layers[l.from] <= longest {
			continue
		}
		d.items = append(d.items, d.items[l.from].elsewhere(l.out))
		l.from = len(d.items) - 1
		if d.items[l.from].look == lookStub {
			l.out = 0
		}
	}
	return nil
}

func rootItem(v *graph.Variable, look int) item {
	name := nameOf(v)
	tip := looks[look].name + " " + name + ": " + v.Type.String()
	if pos := v.Origin.Pos(); pos.IsValid() {
		tip += "\n" + pos.String()
	}
	return item{look: look, title: name, tip: tip, types: []string{v.Type.String()}}
}

// variableItem is that of a result.
func variableItem(v *graph.Variable) item {
	it := rootItem(v, lookVariable)
	if v.Name == "" {
		it.title = v.Type.String()
	}
	it.inputs = 1
	return it
}

// nodeItem is that of node i.
func (p *Picture) nodeItem(i int) item {
	n := p.nodes[i]
	it := item{look: lookOf(n.Op), title: graph.Label(n.Op), number: "#" + strconv.Itoa(i), inputs: len(n.Inputs), side: p.sides[n]}
	var in []string
	for _, v := range n.Inputs {
		in = append(in, v.Type.String())
	}
	for _, v := range n.Outputs {
		it.types = append(it.types, v.Type.String())
	}
	tip := []string{it.number + " " + profiler.ApplyText(n), strings.Join(in, ", ") + " → " + strings.Join(it.types, ", ")}
	if o := n.Origin(); o.Pos().IsValid() {
		tip = append(tip, o.Pos().String()+" ("+o.Role.String()+")")
	}
	if o := n.Origin(); o != nil && o.Scope != "" {
		it.scope = o.Scope
		tip = append(tip, "in the scope "+it.scope)
	}
	if o := n.Origin(); o != nil && len(o.Parts) > 0 {
		tip = append(tip, "made of "+partsText(o.Parts))
	}
	if it.side > 0 {
		tip = append(tip, "for the "+branchSides[it.side].name)
	}
	if i < len(p.opts.Impl) {
		it.impl = p.opts.Impl[i]
		tip = append(tip, "runs in "+it.impl)
	}
	if f := p.opts.Profile; f != nil && f.Nodes[i].Calls > 0 {
		it.time = f.Nodes[i].Time
		it.share = units.Ratio(it.time, f.ThunkTime())
		tip = append(tip, fmt.Sprintf("%s, %s of the time of all nodes, %s", units.Human(units.Times, it.time), units.Share(it.share),
			units.Plural(f.Nodes[i].Calls, "call")))
	}
	it.tip = strings.Join(tip, "\n")
	it.title, it.detail = fused(it.title)
	return it
}

// fused divides the name of a fused operation into a short one and what it computes, "" of others.
func fused(name string) (short, computes string) {
	if rest, ok := strings.CutPrefix(name, "Elemwise{Composite{"); ok {
		if end := strings.LastIndex(rest, "}}"); end >= 0 {
			return "Elemwise{Composite}" + rest[end+2:], rest[:end]
		}
	}
	return name, ""
}

// partsText lists what a fused node replaced, with the user's lines.
func partsText(parts []graph.Part) string {
	const most = 12
	var list []string
	for _, part := range parts {
		if text := strings.TrimSpace(part.Op + " " + part.Origin.Pos().String()); !slices.Contains(list, text) { // steps of one line are one
			list = append(list, text)
		}
	}
	if left := len(list) - most; left > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", left))
	}
	return strings.Join(list, ", ")
}

// contents counts what there is.
func (p *Picture) contents() string {
	inputs := len(p.graph.Inputs)
	for v := range p.graph.Roots() {
		if v.IsInput() && !slices.Contains(p.graph.Inputs, v) { // of a graph that is not compiled
			inputs++
		}
	}
	parts := []string{units.Plural(int64(len(p.nodes)), "node"), units.Plural(int64(inputs), "input")}
	if n := len(p.graph.SharedVariables()); n > 0 {
		parts = append(parts, units.Plural(int64(n), "shared variable"))
	}
	return strings.Join(parts, ", ")
}
