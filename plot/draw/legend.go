package draw

import (
	"cmp"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
)

// A legend's measures, in sizes of its text.
const (
	handleLength = 2.0
	handleGap    = 0.8
	entryGap     = 0.5
	borderPad    = 0.4
	borderGap    = 0.5
	columnGap    = 2.0
	handleHigh   = 0.7
)

// An entry is a line of a legend, and its size.
type entry struct {
	artist plot.Artist
	words  words
	w, h   float64
}

// legend draws a legend in a rectangle. Its place is where it hides least of what v shows.
func (p *page) legend(l *plot.Legend, all []plot.Artist, rect box, v *view) {
	size := cmp.Or(l.Size, p.style.LegendSize, p.style.Size)
	var list []entry
	for _, e := range l.Entries(all) {
		list = append(list, entry{artist: e.Artist, words: label(e.Label, size, p.style.Text, "left", "top")})
	}
	if len(list) == 0 {
		return
	}
	columns := min(max(l.Columns, 1), len(list))
	rows := (len(list) + columns - 1) / columns
	widths, heights := make([]float64, columns), make([]float64, columns)
	for i := range list {
		e := &list[i]
		e.w, e.h = e.words.measure()
		e.h = max(e.h, handleHigh*size)
		widths[i/rows] = max(widths[i/rows], e.w)
		heights[i/rows] += e.h + entryGap*size
	}
	w, h := 2*borderPad*size+columnGap*size*float64(columns-1), 0.0
	for c := range columns {
		w += widths[c] + (handleLength+handleGap)*size
		h = max(h, heights[c]-entryGap*size)
	}
	titleHigh, title := 0.0, label(l.Title, size, p.style.Text, "center", "top")
	if title.text != "" {
		tw, th := title.measure()
		titleHigh = th + entryGap*size
		w = max(w, tw+2*borderPad*size)
	}
	h += 2*borderPad*size + titleHigh
	b := p.placeLegend(l, w, h, borderGap*size, rect, v)
	if l.Frame {
		path := b.rounded(0.2 * size)
		p.canvas.Fill(path, faded(legendFace(p, v), l.Alpha))
		p.canvas.Stroke(path, stroke{color: faded(palette.Of(0.8, 0.8, 0.8, 1), l.Alpha), width: 1, butt: true})
	}
	p.words(title, (b.x0+b.x1)/2, b.y1-borderPad*size)
	x, y := b.x0+borderPad*size, b.y1-borderPad*size-titleHigh
	for i, e := range list {
		if i%rows == 0 && i > 0 {
			x += widths[i/rows-1] + (handleLength+handleGap+columnGap)*size
			y = b.y1 - borderPad*size - titleHigh
		}
		base := y - e.h + descent*size
		if strings.Contains(e.words.text, "\n") {
			base = y - ascent*size
		}
		p.handle(e.artist, box{x, base, x + handleLength*size, base + handleHigh*size})
		p.words(e.words, x+(handleLength+handleGap)*size, y)
		y -= e.h + entryGap*size
	}
}

func legendFace(p *page, v *view) Color {
	if v != nil && v.axes.Face.A > 0 {
		return v.axes.Face
	}
	if p.style.AxesFace.A > 0 {
		return p.style.AxesFace
	}
	return palette.White
}

// places are where a legend may stand, in the order in which they are tried.
var places = []struct {
	name string
	x, y float64 // 0: at the left or bottom
}{{"upper right", 1, 1}, {"upper left", 0, 1}, {"lower left", 0, 0}, {"lower right", 1, 0}, {"right", 1, 0.5}, {"center left", 0, 0.5},
	{"center right", 1, 0.5}, {"lower center", 0.5, 0}, {"upper center", 0.5, 1}, {"center", 0.5, 0.5}}

// LegendPlaces are the names of places of a legend.
func LegendPlaces() []string {
	out := []string{"best"}
	for _, p := range places {
		out = append(out, p.name)
	}
	return out
}

func (p *page) placeLegend(l *plot.Legend, w, h, gap float64, rect box, v *view) box {
	put := func(x, y float64, in box) box {
		left, low := in.x0+gap+x*(in.width()-2*gap-w), in.y0+gap+y*(in.height()-2*gap-h)
		return box{left, low, left + w, low + h}
	}
	loc := l.Loc
	if l.Anchor != nil { // the corner that is named lies there, as far away as from an edge
		ax, ay := rect.x0+l.Anchor[0]*rect.width(), rect.y0+l.Anchor[1]*rect.height()
		if loc == "best" {
			loc = "upper right"
		}
		return put(placeOf(loc).x, placeOf(loc).y, box{ax, ay, ax, ay})
	}
	if loc == "best" && v != nil {
		best, least := box{}, -1
		for _, pl := range places {
			b := put(pl.x, pl.y, rect)
			if n := hidden(b, v, least); least < 0 || n < least {
				best, least = b, n
			}
			if least == 0 {
				break
			}
		}
		return best
	}
	if loc == "best" {
		loc = "upper right"
	}
	return put(placeOf(loc).x, placeOf(loc).y, rect)
}

func placeOf(name string) (p struct{ x, y float64 }) {
	for _, q := range places {
		if q.name == name {
			return struct{ x, y float64 }{q.x, q.y}
		}
	}
	return struct{ x, y float64 }{1, 1}
}

// hidden is how much of what is drawn a box covers; it stops counting at enough, unless that is
// negative. Of long lines few points are asked.
func hidden(b box, v *view, enough int) int {
	n := 0
	points := func(c *plot.Base, xs, ys []float64, line bool) {
		step := max(len(xs)/5000, 1)
		var last pt
		for i := 0; i < len(xs) && (enough < 0 || n <= enough); i += step {
			q := v.point(c, xs[i], ys[i])
			if b.has(q) {
				n++
			} else if line && i > 0 {
				if _, _, cut := cutSegment(last, q, b); cut {
					n++
				}
			}
			last = q
		}
	}
	for _, a := range v.axes.Artists {
		c := a.Common()
		if c.Hidden {
			continue
		}
		switch a := a.(type) {
		case *plot.Line:
			points(c, a.X, a.Y, !a.Pen.None)
		case *plot.Points:
			points(c, a.X, a.Y, false)
		case *plot.Polygons:
			for i := range a.Shapes {
				around := nowhere
				for _, r := range a.Shapes[i].Rings {
					for _, q := range r {
						at := v.point(c, q.X, q.Y)
						around = around.with(box{at.X, at.Y, at.X, at.Y})
					}
				}
				if around.overlaps(b) {
					n++
				}
			}
		case *plot.Segments:
			for _, line := range a.Lines {
				for i := 1; i < len(line); i++ {
					if _, _, cut := cutSegment(v.point(c, line[i-1].X, line[i-1].Y), v.point(c, line[i].X, line[i].Y), b); cut {
						n++
					}
				}
			}
		}
	}
	return n
}

// handle draws what an artist looks like.
func (p *page) handle(a plot.Artist, b box) {
	middle := (b.y0 + b.y1) / 2
	line := polyline(ring(b.x0, middle, b.x1, middle), false)
	center := []pt{at((b.x0+b.x1)/2, middle)}
	switch a := a.(type) {
	case *plot.Line:
		for _, e := range a.Bars {
			d := at((b.y1-b.y0)/handleHigh/2, 0)
			if e.Vertical {
				d = at(0, d.X)
			}
			ends := []pt{at(center[0].X-d.X, center[0].Y-d.Y), at(center[0].X+d.X, center[0].Y+d.Y)}
			p.canvas.Stroke(polyline(ends, false), strokeOf(e.Pen, a.Alpha))
			mark(p.canvas, e.Cap, a.Alpha, ends, everywhere)
		}
		if !a.Pen.None && a.Pen.Width > 0 {
			p.canvas.Stroke(line, strokeOf(a.Pen, a.Alpha))
		}
		mark(p.canvas, a.Marker, a.Alpha, center, everywhere)
	case *plot.Segments:
		if len(a.Pens) > 0 {
			p.canvas.Stroke(line, strokeOf(a.Pens[0], a.Alpha))
		}
	case *plot.Polygons:
		if len(a.Shapes) == 0 {
			return
		}
		s := a.Shapes[0]
		if s.Face.A > 0 {
			p.canvas.Fill(b.path(), faded(s.Face, a.Alpha))
		}
		if shows(s.Edge) {
			p.canvas.Stroke(b.path(), strokeOf(s.Edge, a.Alpha))
		}
	case *plot.Points:
		m := plot.Marker{Shape: a.Shape, EdgeWidth: a.EdgeWidth, Size: p.style.MarkerSize}
		if len(a.Faces) > 0 {
			m.Face = a.Faces[0]
		} else if a.Scale != nil {
			m.Face = a.Scale.Map.At(0.5)
		}
		if m.Edge = m.Face; len(a.Edges) > 0 {
			m.Edge = a.Edges[0]
		}
		mark(p.canvas, m, a.Alpha, center, everywhere)
	}
}
