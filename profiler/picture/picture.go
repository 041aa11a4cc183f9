package picture

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// Color says what the colours of operations mean.
type Color uint8

const (
	ByOp   Color = iota // the kind of operation
	ByTime              // the share of the function's time, from white to red
)

// Options of a Picture.
type Options struct {
	Color   Color
	Profile *profiler.Function // of the graph, as compiled; nil if there is none
	// Impl says of each node, in the order of RunOrder, whether it runs in C or Go; nil if the
	// graph is not compiled.
	Impl []string
	// Variables draws results of operations as boxes of their own; else only arrows stand for them.
	Variables bool
	// Outlines colours the borders of boxes, and not what is in them.
	Outlines bool
	// Untyped leaves the types out of arrows from variables with a name.
	Untyped bool
	// Unnumbered leaves out the places of operations in their order.
	Unnumbered bool
	// MostLetters is where DOT cuts labels; 0 cuts none.
	MostLetters int
	// Inner draws the graphs that nodes run too, as a loop its step (scan_graphs): below an SVG,
	// and in a cluster of a DOT.
	Inner bool
	// If is an ifelse whose branches are told apart by the borders of what they need; nil for none.
	If *graph.Apply
	// Colors are those of operations whose label has a text in it, the first that fits; they stand
	// before those that Color says.
	Colors []LabelColor

	ask func(work int) // see TreeOptions; nil for nobody
}

// A LabelColor is a colour, as SVG and Graphviz write it, of the operations whose label contains
// Label.
type LabelColor struct{ Label, Color string }

// A Picture is a graph to be drawn.
type Picture struct {
	graph *graph.FunctionGraph
	opts  Options
	nodes []*graph.Apply
	place map[*graph.Apply]int // in nodes
	sides map[*graph.Apply]int // of If: indices of branchSides
}

// New makes a picture. It fails if the profile is of another graph, or has no times that colours
// could show.
func New(fg *graph.FunctionGraph, opts Options) (*Picture, error) {
	p := &Picture{graph: fg, opts: opts, nodes: fg.RunOrder(), place: make(map[*graph.Apply]int)}
	for i, n := range p.nodes {
		p.place[n] = i
	}
	p.sides = sidesOf(opts.If)
	if err := fits(len(p.nodes), opts.Profile); err != nil {
		return nil, err
	}
	if opts.Color == ByTime && (opts.Profile == nil || opts.Profile.ThunkTime() == 0) {
		return nil, errors.New("picture: got no times of nodes to colour by, want the profile of a function that was called")
	}
	return p, nil
}

// Asking is the picture as it is drawn for somebody who may end that: see TreeOptions.Ask.
func (p *Picture) Asking(ask func(work int)) *Picture {
	q := *p
	q.opts.ask = ask
	return &q
}

// asks tells whom the picture is drawn for of an item.
func (p *Picture) asks() {
	if p.opts.ask != nil {
		p.opts.ask(lineWork)
	}
}

// A nested picture is that of a graph that a node runs.
type nested struct {
	*Picture
	node int
}

// inner are the pictures of the graphs that nodes run, if they are to be drawn.
func (p *Picture) inner() (list []nested, err error) {
	if !p.opts.Inner {
		return nil, nil
	}
	for i, n := range p.nodes {
		for k, g := range graph.Inner(n.Op) {
			opts := p.opts
			opts.Profile, opts.Impl = nil, nil
			if f := p.opts.Profile; f != nil && k < len(f.Nodes[i].Inner) {
				opts.Profile = f.Nodes[i].Inner[k]
				for _, m := range opts.Profile.Nodes {
					opts.Impl = append(opts.Impl, m.Impl)
				}
			}
			if opts.Color == ByTime && (opts.Profile == nil || opts.Profile.ThunkTime() == 0) {
				opts.Color = ByOp // it did not run
			}
			q, err := New(g.Graph.Named(fmt.Sprintf("inside #%d %s", i, graph.Label(n.Op))), opts)
			if err != nil {
				return nil, err
			}
			list = append(list, nested{q, i})
		}
	}
	return list, nil
}

// fill is the colour of an item.
func (p *Picture) fill(it item, most float64) string {
	fill := looks[it.look].fill
	if it.look > lookOther {
		return fill
	}
	for _, c := range p.opts.Colors {
		if strings.Contains(it.title, c.Label) {
			return c.Color
		}
	}
	if p.opts.Color == ByTime {
		return heat(it.share, most)
	}
	return fill
}

// colors are the fill of an item and the colour of its border.
func (p *Picture) colors(it item, most float64) (fill, stroke string) {
	fill, stroke = p.fill(it, most), looks[it.look].stroke
	if p.opts.Outlines && fill == looks[it.look].fill { // too light for a line
		fill = "#ffffff"
	} else if p.opts.Outlines {
		fill, stroke = "#ffffff", fill
	}
	if it.side > 0 {
		stroke = branchSides[it.side].stroke
	}
	return fill, stroke
}

// fits checks that a profile is one of n nodes.
func fits(n int, f *profiler.Function) error {
	if f != nil && len(f.Nodes) != n {
		return fmt.Errorf("picture: got the profile of a graph of %d nodes, want one of %d", len(f.Nodes), n)
	}
	return nil
}

// Title says what is drawn, in a line.
func (p *Picture) Title() string {
	name := p.graph.Name
	if name == "" {
		name = "graph"
	}
	return name + ": " + p.contents()
}
