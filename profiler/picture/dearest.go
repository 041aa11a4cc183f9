package picture

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// A Part is the picture of the dearest nodes of a function, of which only the profile is needed.
type Part struct {
	SVG           string
	Width, Height float64
	Nodes         int     // that are shown
	Fraction      float64 // of the time of all nodes, that they have
}

// Dearest draws the nodes of f that took the most time, at most that many, coloured by time, and
// what joins them: an arrow leads from a node to one that uses its result, maybe through nodes that
// are not shown, unless there is a longer way over nodes that are. Boxes have the numbers of nodes,
// of which that of the first is from, and their lines. ok is false if no node took any time.
func Dearest(f *profiler.Function, most, from int) (part Part, ok bool) {
	whole := f.ThunkTime()
	order := make([]int, 0, len(f.Nodes))
	for i, n := range f.Nodes {
		if n.Time > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.Nodes[b].Time, f.Nodes[a].Time) })
	order = order[:min(len(order), most)]
	if whole == 0 || len(order) == 0 {
		return Part{}, false
	}
	slices.Sort(order) // nodes run after those whose results they use
	d := &drawing{}
	for _, i := range order {
		n := f.Nodes[i]
		it := item{look: lookOther, title: n.Plain(), number: "#" + strconv.Itoa(from+i), detail: lineOf(n), impl: n.Impl, types: []string{""},
			time: n.Time, share: units.Ratio(n.Time, whole), scope: n.Origin.Scope}
		d.items, d.most = append(d.items, it), max(d.most, it.share)
		part.Fraction += it.share
	}
	for to, list := range joins(f, order) {
		d.items[to].inputs = len(list)
		for in, from := range list {
			d.links = append(d.links, link{from: from, to: to, in: in})
		}
	}
	p := &Picture{opts: Options{Color: ByTime, Profile: f}}
	pl, err := p.plan(d)
	if err != nil { // a profile from a file, whose nodes use each other in a circle
		return Part{}, false
	}
	part.Nodes = len(order)
	part.SVG, part.Width, part.Height = p.part(d, pl)
	return part, true
}

// lineOf is the line of the user's that made a node.
func lineOf(n *profiler.Node) string {
	at := n.Origin.Frame()
	if at.Line <= 0 {
		return ""
	}
	return units.Tail(units.OneLine(path.Base(at.File)), detailLetters-8) + ":" + strconv.Itoa(at.Line)
}

// joins are, of each of some nodes of f, those among them whose results it uses, as places in
// shown: directly, or through others alone if no other way leads there.
func joins(f *profiler.Function, shown []int) [][]int {
	type set map[int]bool
	place := make(map[int]int, len(shown))
	for k, i := range shown {
		place[i] = k
	}
	makes := make(map[int]int) // the node that makes a variable
	for i, n := range f.Nodes {
		for _, v := range n.Out {
			makes[v] = i
		}
	}
	through := make([]set, len(f.Nodes)) // the shown nodes behind a node that is not
	above := make([]set, len(shown))     // all shown nodes that lead to one
	all := make([][]int, len(shown))
	for i, n := range f.Nodes {
		near, direct := set{}, set{}
		for _, v := range n.In {
			j, made := makes[v]
			if !made || j >= i {
				continue
			}
			if k, ok := place[j]; ok {
				near[k], direct[k] = true, true
				continue
			}
			for k := range through[j] {
				near[k] = true
			}
		}
		through[i] = near
		k, ok := place[i]
		if !ok {
			continue
		}
		above[k] = set{}
		for a := range near {
			above[k][a] = true
			for b := range above[a] {
				above[k][b] = true
			}
		}
		for a := range near {
			longer := slices.ContainsFunc(keys(near), func(b int) bool { return above[b][a] })
			if direct[a] || !longer {
				all[k] = append(all[k], a)
			}
		}
		slices.Sort(all[k])
	}
	return all
}

func keys(set map[int]bool) (list []int) {
	for k := range set {
		list = append(list, k)
	}
	return list
}

// part writes a drawing without a graph: boxes, arrows and the legend.
func (p *Picture) part(d *drawing, pl *plan) (text string, w, h float64) {
	s, legend := &svg{usual: usually}, p.legend(d)
	wide := max(pl.places.W, legendWidth(legend, pl.places.W))
	bottom := margin + pl.places.H + margin
	w, h = wide+2*margin, bottom+legendHeight(legend, wide)+margin
	s.open(usually, w, h)
	s.ground(w, h)
	shift := margin + (wide-pl.places.W)/2
	s.boxes(p, d, pl, shift, margin)
	s.legend(legend, margin, bottom, wide)
	s.f("</svg>")
	return s.String(), w, h
}
