package picture

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler/picture/layout"
	"github.com/arignote/arignote/profiler/units"
)

// Sizes, in pixels. Letters of a monospaced font are 0.6 of its size wide; a little more is
// reckoned with. With these numbers most places are exact in binary, and so the same on every
// machine.
const (
	fontSize, lineHeight = 12.0, 15.0
	letter               = 0.625 * fontSize
	smallSize, smallLine = 10.0, 13.0
	smallLetter          = 0.625 * smallSize
	padding              = 8.0
	margin               = 16.0
	arrow                = 7.0
	portGap              = 22.0 // between arrows that arrive at a box

	titleLetters  = 44 // of a box's first line
	detailLetters = 40 // of a line of what a fused operation computes
	detailLines   = 4
	typeLetters   = 28
)

// A box is an item with its text cut to what is shown.
type box struct {
	item
	lines []string
	small string
	tags  []string  // types, below the box, for each output that is used
	ports []float64 // of outputs, right of the centre
	w, h  float64   // of the box, without tags
}

// A plan is a drawing with the places of its boxes.
type plan struct {
	boxes  []box
	sizes  []layout.Box
	places *layout.Drawing
}

func (p *Picture) plan(d *drawing) (*plan, error) {
	used := make([]map[int]bool, len(d.items))
	for _, l := range d.links {
		if used[l.from] == nil {
			used[l.from] = make(map[int]bool)
		}
		used[l.from][l.out] = true
	}
	pl := &plan{}
	for i, it := range d.items {
		b := p.measure(it, used[i])
		size := layout.Box{W: b.w, H: b.h}
		if len(b.tags) > 0 {
			size.H += smallLine
		}
		pl.boxes, pl.sizes = append(pl.boxes, b), append(pl.sizes, size)
	}
	var edges []layout.Edge
	for _, l := range d.links {
		from, to := pl.boxes[l.from], pl.boxes[l.to]
		edges = append(edges, layout.Edge{From: l.from, To: l.to, Out: from.ports[l.out],
			In: float64(2*l.in+1-to.inputs) * min(portGap, (to.w-2*padding)/float64(to.inputs)) / 2})
	}
	var err error
	if pl.places, err = layout.Layered(pl.sizes, edges, layout.Options{BoxGap: 18, EdgeGap: 12, LayerGap: 26}); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return pl, nil
}

// SVG draws the picture.
func (p *Picture) SVG() (string, error) {
	text, _, _, err := p.svg("")
	return text, err
}

// svg is SVG, with attributes of its own for the element, and its width and height.
func (p *Picture) svg(attributes string) (text string, w, h float64, err error) {
	fail := func(err error) (string, float64, float64, error) { return "", 0, 0, err }
	d := p.drawn()
	if err := d.cut(); err != nil {
		return fail(fmt.Errorf("picture: %w", err))
	}
	pl, err := p.plan(d)
	if err != nil {
		return fail(err)
	}
	places := pl.places
	s := &svg{}
	legend := p.legend(d)
	title := p.graph.Name
	if title == "" {
		title = "graph"
	}
	head := units.Cut(units.OneLine(title), titleLetters)
	wide := max(places.W, legendWidth(legend, places.W), float64(len(p.contents()))*smallLetter, width(head, letter))
	top := margin + lineHeight + smallLine + padding
	bottom := top + places.H + margin
	height := bottom + legendHeight(legend, wide) + margin
	inner, err := p.inner()
	if err != nil {
		return fail(err)
	}
	var below strings.Builder // the graphs that nodes run, one under the other
	for _, q := range inner {
		_, w, _, err := q.svg("")
		if err != nil {
			return fail(err)
		}
		wide = max(wide, w)
	}
	for _, q := range inner {
		text, _, h, err := q.svg(fmt.Sprintf(` x="%s" y="%s"`, n(margin), n(height)))
		if err != nil {
			return fail(err)
		}
		below.WriteString(text)
		height += h + margin
	}
	s.open(attributes, wide+2*margin, height)
	s.f(`<title>%s</title>`, esc(p.Title()))
	s.ground(wide+2*margin, height)
	s.text(margin, margin+fontSize, fontSize, "start", ink, ` font-weight="bold"`, head)
	s.text(margin, margin+lineHeight+smallSize, smallSize, "start", faint, "", p.contents())
	s.boxes(p, d, pl, margin+(wide-places.W)/2, top)
	s.legend(legend, margin, bottom, wide)
	s.f("%s</svg>", below.String())
	return s.String(), wide + 2*margin, height, nil
}

// measure cuts the text of an item, and says how large its box is.
func (p *Picture) measure(it item, used map[int]bool) box {
	b := box{item: it, lines: []string{shorten(it.title, titleLetters)}}
	b.lines = append(b.lines, wrap(it.detail, detailLetters, detailLines)...)
	if it.scope != "" {
		b.lines = append(b.lines, shorten("in "+it.scope, detailLetters))
	}
	for _, l := range b.lines {
		b.w = max(b.w, width(l, letter))
	}
	b.h = float64(len(b.lines)) * lineHeight
	b.small = p.small(it)
	if b.small != "" {
		b.w = max(b.w, width(b.small, smallLetter))
		b.h += smallLine
	}
	b.w, b.h = max(b.w+2*padding, 36), b.h+padding
	// Each type that is used has a place of its own below the box.
	var span []float64
	var sum float64
	for i, t := range it.types {
		w := 0.0
		if used[i] {
			t = shorten(t, typeLetters)
			w = width(t, smallLetter) + padding
		} else {
			t = ""
		}
		b.tags, span, sum = append(b.tags, t), append(span, w), sum+w
	}
	if len(used) == 0 {
		b.tags = nil
	}
	b.w = max(b.w, sum)
	x := -sum / 2
	for _, w := range span {
		b.ports = append(b.ports, x+w/2)
		x += w
	}
	return b
}

const ink, faint, edgeInk = "#1c1e21", "#5c636a", "#868e96"

// An svg is a drawing that is being written.
type svg struct {
	strings.Builder
	usual string // attributes of texts that they inherit; "" if they have none in common
}

// usually are the attributes of the texts of boxes. They go where a picture has to be small.
const usually = ` text-anchor="middle" fill="` + ink + `"`

func (s *svg) f(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// open begins an image of a size, with attributes of its own.
func (s *svg) open(attributes string, w, h float64) {
	s.f(`<svg%s xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[2]s" height="%[3]s" role="img" `+
		`font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace">`, attributes, n(w), n(h))
}

// ground is the background of all of it.
func (s *svg) ground(w, h float64) {
	s.f(`<rect x="0.5" y="0.5" width="%s" height="%s" rx="6" fill="#ffffff" stroke="#ced4da"/>`, n(w-1), n(h-1))
}

// boxes draws what a plan has, its upper left corner at (x, y).
func (s *svg) boxes(p *Picture, d *drawing, pl *plan, x, y float64) {
	for _, path := range pl.places.Paths {
		s.edge(path, x, y)
	}
	for i, b := range pl.boxes {
		c := pl.places.Centers[i]
		s.box(p, b, c.X+x, c.Y+y-pl.sizes[i].H/2, d.most)
	}
}

func (s *svg) text(x, y, size float64, anchor, fill, more, text string) {
	look := fmt.Sprintf(` text-anchor="%s" fill="%s"`, anchor, fill)
	if s.usual != "" {
		look = strings.TrimPrefix(look, s.usual)
	} else {
		more += ` xml:space="preserve"`
	}
	s.f(`<text x="%s" y="%s" font-size="%s"%s%s>%s</text>`, n(x), n(y), n(size), look, more, esc(text))
}

// edge draws a way: straight where it is vertical, else from vertical to vertical.
func (s *svg) edge(path []layout.Point, dx, dy float64) {
	var b strings.Builder
	last := path[0]
	fmt.Fprintf(&b, "M%s %s", n(last.X+dx), n(last.Y+dy))
	for i, pt := range path[1:] {
		end := pt.Y + dy
		if i == len(path)-2 {
			end -= arrow // the line ends where its point begins
		}
		if pt.X == last.X {
			fmt.Fprintf(&b, "V%s", n(end))
		} else {
			mid := (last.Y + pt.Y) / 2
			fmt.Fprintf(&b, "C%s %s %s %s %s %s", n(last.X+dx), n(mid+dy), n(pt.X+dx), n(mid+dy), n(pt.X+dx), n(end))
		}
		last = pt
	}
	x, y := last.X+dx, last.Y+dy
	s.f(`<path d="%s" fill="none" stroke="%s" stroke-width="1.2"/>`, b.String(), edgeInk)
	s.f(`<path d="M%s %sL%s %sL%s %sZ" fill="%s"/>`, n(x), n(y), n(x-arrow/2), n(y-arrow), n(x+arrow/2), n(y-arrow), edgeInk)
}

// box draws b, with the middle of its upper side at (x, y).
func (s *svg) box(p *Picture, b box, x, y, most float64) {
	fill, stroke := p.colors(b.item, most)
	title := ""
	if b.tip != "" {
		title = "<title>" + esc(b.tip) + "</title>"
	}
	s.f(`<g>%s`, title)
	s.shape(b.look, x-b.w/2, y, b.w, b.h, fill, stroke, b.impl == "Go")
	at := y + padding/2 + fontSize - 1
	for _, line := range b.lines {
		s.text(x, at, fontSize, "middle", ink, "", line)
		at += lineHeight
	}
	if b.small != "" {
		s.text(x, at-2, smallSize, "middle", ink, "", b.small)
	}
	for i, t := range b.tags {
		if t != "" {
			s.text(x+b.ports[i], y+b.h+smallSize, smallSize, "middle", faint, "", t)
		}
	}
	s.f(`</g>`)
}

// shape draws what tells the looks apart without colours: inputs and outputs are round, shared
// variables have a lid and their updates two, constants have corners, what was left out has no
// border, and the border of what ran in Go is dashed.
func (s *svg) shape(look int, x, y, w, h float64, fill, stroke string, dashed bool) {
	radius, thick, more := 4.0, 1.2, ""
	switch look {
	case lookInput:
		radius = h / 2
	case lookOutput:
		radius, thick = h/2, 2.4
	case lookConstant:
		radius = 0
	case lookStub:
		stroke = "none"
	}
	if dashed {
		more = ` stroke-dasharray="5 3"`
		thick = 1.8
	}
	s.f(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s" stroke="%s" stroke-width="%s"%s/>`,
		n(x), n(y), n(w), n(h), n(radius), fill, stroke, n(thick), more)
	lids := map[int]int{lookShared: 1, lookUpdate: 2}[look]
	for i := range lids {
		at := y + 2.5*float64(i+1)
		s.f(`<path d="M%s %sH%s" stroke="%s"/>`, n(x+2), n(at), n(x+w-2), stroke)
	}
}

// n writes a number with at most one digit behind the point.
func n(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// esc escapes text for XML; what XML cannot hold becomes U+FFFD.
func esc(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s))
	return b.String()
}
