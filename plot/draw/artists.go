package draw

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
)

// artist draws one of the artists. Where only room is measured, what is cut to a frame takes none.
func (p *page) artist(a plot.Artist, v view) {
	p.poll(0)
	if e, measured := p.canvas.(*extent); measured && v.axes != nil && v.axes.Frame && !a.Common().Free {
		if _, text := a.(*plot.Text); !text {
			e.box = e.box.with(v.rect)
			return
		}
	}
	switch a := a.(type) {
	case *plot.Line:
		p.line(a, v)
	case *plot.Segments:
		p.segments(a, v)
	case *plot.Polygons:
		p.polygons(a, v)
	case *plot.Points:
		p.points(a, v)
	case *plot.Image:
		p.image(a, v)
	case *plot.Text:
		p.text(a, v)
	default:
		panic(fmt.Sprintf("BUG: no way to draw a %T", a))
	}
}

// limits is where an artist is cut.
func (v view) limits(b *plot.Base) box {
	if b.Free {
		return pageOf(v.page.figure).grown(1000)
	}
	return v.rect
}

func (p *page) line(l *plot.Line, v view) {
	limits := v.limits(&l.Base)
	if len(l.X) != len(l.Y) {
		panic(fmt.Sprintf("x and y must have same first dimension, but have shapes (%d,) and (%d,)", len(l.X), len(l.Y)))
	}
	points := make([]pt, len(l.X))
	for i := range l.X {
		p.poll(i)
		points[i] = v.point(&l.Base, l.X[i], l.Y[i])
	}
	if l.Endless && len(points) > 0 {
		points = v.endless(l, limits)
	}
	if shows(l.Pen) {
		p.strokeLine(stepped(points, l.Step), limits, strokeOf(l.Pen, l.Alpha))
	}
	if l.Marker.Shape == "" {
		return
	}
	var marked []pt
	near := limits.grown(p.reach(l.Marker))
	for i := 0; i < len(points); i += max(l.Every, 1) {
		if near.has(points[i]) {
			marked = append(marked, points[i])
		}
	}
	if p.dots {
		p.dotted(marked)
		return
	}
	if len(marked) > maxMarks {
		p.stamps(marked, func(int) look { return lookOf(l.Marker, l.Alpha) }, limits)
		return
	}
	mark(p.canvas, l.Marker, l.Alpha, marked, limits)
}

// endless is the part of an endless line that lies within limits.
func (v view) endless(l *plot.Line, limits box) []pt {
	place := func(x, y float64) pt { // not kept from being far away, which would turn the line
		return at(v.rect.x0+v.axes.X.Fraction(x)*v.rect.width(), v.rect.y0+v.axes.Y.Fraction(y)*v.rect.height())
	}
	from := place(l.X[0], l.Y[0])
	d := at(v.rect.width()/(v.axes.X.Hi-v.axes.X.Lo), l.Slope*v.rect.height()/(v.axes.Y.Hi-v.axes.Y.Lo))
	if math.IsInf(l.Slope, 0) {
		d = at(0, 1)
	}
	if len(l.X) > 1 {
		to := place(l.X[1], l.Y[1])
		d = at(to.X-from.X, to.Y-from.Y)
	}
	t0, t1, ok := limits.along(from, d, math.Inf(-1), math.Inf(1))
	if !ok || !finite(t0) || !finite(t1) {
		return nil
	}
	return []pt{at(from.X+t0*d.X, from.Y+t0*d.Y), at(from.X+t1*d.X, from.Y+t1*d.Y)}
}

// strokeLine draws a line with its gaps, as one path.
func (p *page) strokeLine(points []pt, limits box, s stroke) {
	limits = limits.grown(s.width / 2) // a line along the edge is as wide as others
	var path trace
	for _, run := range runsOf(points) {
		for _, part := range cutLine(thin(run), limits) {
			path = append(path, polyline(part, false)...)
		}
	}
	if path != nil {
		p.canvas.Stroke(path, s)
	}
}

func seen(p pt) bool { return finite(p.X) && finite(p.Y) }

// stepped puts corners between points.
func stepped(points []pt, how string) []pt {
	if how == "" {
		return points
	}
	var out []pt
	for i, q := range points {
		if i > 0 {
			last := points[i-1]
			switch how {
			case "pre":
				out = append(out, pt{X: last.X, Y: q.Y})
			case "post":
				out = append(out, pt{X: q.X, Y: last.Y})
			case "mid":
				x := (last.X + q.X) / 2
				out = append(out, pt{X: x, Y: last.Y}, pt{X: x, Y: q.Y})
			}
		}
		out = append(out, q)
	}
	return out
}

func (p *page) segments(s *plot.Segments, v view) {
	if len(s.Pens) == 0 {
		return
	}
	limits := v.limits(&s.Base)
	paths := make([]trace, len(s.Pens)) // lines of one pen are one path
	for i, line := range s.Lines {
		p.poll(i)
		k := i % len(s.Pens)
		points := make([]pt, len(line))
		for j, q := range line {
			points[j] = v.point(&s.Base, q.X, q.Y)
		}
		for _, part := range cutLine(points, limits.grown(s.Pens[k].Width/2)) {
			paths[k] = append(paths[k], polyline(part, false)...)
		}
	}
	for k, path := range paths {
		if pen := s.Pens[k]; path != nil && shows(pen) {
			st := strokeOf(pen, s.Alpha)
			st.butt = true
			p.canvas.Stroke(path, st)
		}
	}
	for i, text := range s.Texts {
		if i >= len(s.Lines) || len(s.Lines[i]) < 2 || text == "" {
			continue
		}
		line := s.Lines[i]
		q := line[len(line)/2]
		m := v.point(&s.Base, q.X, q.Y)
		if v.rect.has(m) {
			w := words{text: text, size: s.TextSize, color: s.Pens[i%len(s.Pens)].Color, h: "center", v: "center"}
			p.canvas.Fill(w.box(m.X, m.Y).path(), v.axes.Face)
			p.words(w, m.X, m.Y)
		}
	}
}

func (p *page) polygons(g *plot.Polygons, v view) {
	limits := v.limits(&g.Base)
	for i := range g.Shapes {
		p.poll(i)
		s := &g.Shapes[i]
		var area, edge trace
		for j, r := range s.Rings {
			p.poll(j)
			all := make([]pt, len(r))
			for k, q := range r {
				all[k] = v.point(&g.Base, q.X, q.Y)
			}
			runs := runsOf(all) // a point that is nowhere parts a ring
			for _, points := range runs {
				if len(points) > maxPoints {
					points = thinRing(points)
				}
				if cut := cutRing(points, limits); len(cut) > 2 {
					area = append(area, polyline(cut, true)...)
				}
				if shows(s.Edge) {
					edge = append(edge, outline(points, len(runs) == 1 && !s.Open, limits.grown(s.Edge.Width/2))...)
				}
			}
		}
		if area != nil && s.Face.A > 0 {
			c := faded(s.Face, g.Alpha)
			p.canvas.Fill(area, c)
			if g.Seamless && c.A == 255 { // else the page shines through between neighbours
				p.canvas.Stroke(area, stroke{color: c, width: 0.3, butt: true})
			}
		}
		if edge != nil {
			st := strokeOf(s.Edge, g.Alpha)
			st.butt = true
			p.canvas.Stroke(edge, st)
		}
	}
}

func shows(pen plot.Pen) bool { return !pen.None && pen.Width > 0 && pen.Color.A > 0 }

// outline is a line through points, or around them, as far as it lies within limits.
func outline(points []pt, closed bool, limits box) trace {
	if within(points, limits) {
		return polyline(points, closed)
	}
	if closed {
		points = append(points[:len(points):len(points)], points[0])
	}
	var path trace
	for _, part := range cutLine(points, limits) {
		path = append(path, polyline(part, false)...)
	}
	return path
}

// thinRing thins the two sides of a long ring.
func thinRing(ring []pt) []pt {
	h := len(ring) / 2
	return append(thin(ring[:h]), thin(ring[h:])...)
}

func within(points []pt, b box) bool {
	for _, q := range points {
		if !b.has(q) {
			return false
		}
	}
	return true
}

func (p *page) image(m *plot.Image, v view) {
	a := v.point(&m.Base, m.At.X0, m.At.Y0)
	b := v.point(&m.Base, m.At.X1, m.At.Y1)
	if !seen(a) || !seen(b) || m.Rows == 0 || m.Columns == 0 {
		return
	}
	picture := m.Picture(p.poll)
	// The first row lies at a, the last at b; on the page the first one is the upper.
	x0, x1, y0, y1 := a.X, b.X, b.Y, a.Y
	picture = flipped(picture, x0 > x1, y0 > y1)
	all := box{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}
	if all.width() <= 0 || all.height() <= 0 {
		return
	}
	part, picture := cutPicture(picture, all, v.rect)
	if picture == nil {
		return
	}
	const most = 4 // pixels of an inch of a hundredth
	if w, h := int(part.width()*most), int(part.height()*most); picture.Bounds().Dx() > 2*w || picture.Bounds().Dy() > 2*h {
		picture = resized(picture, min(max(w, 1), picture.Bounds().Dx()), min(max(h, 1), picture.Bounds().Dy()), false, p.poll)
	}
	if m.Alpha < 1 {
		picture = seeThrough(picture, m.Alpha)
	}
	p.canvas.Image(part, picture, m.Smooth)
}

func flipped(img *image.NRGBA, x, y bool) *image.NRGBA {
	if !x && !y {
		return img
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	out := image.NewNRGBA(img.Bounds())
	for j := range h {
		for i := range w {
			u, v := i, j
			if x {
				u = w - 1 - i
			}
			if y {
				v = h - 1 - j
			}
			out.SetNRGBA(i, j, img.NRGBAAt(u, v))
		}
	}
	return out
}

// cutPicture cuts a picture that fills a box to what lies within limits, by whole pixels where
// these are small and otherwise by resampling.
func cutPicture(img *image.NRGBA, all, limits box) (box, *image.NRGBA) {
	const slack = 1e-6
	if all.x0 >= limits.x0-slack && all.x1 <= limits.x1+slack && all.y0 >= limits.y0-slack && all.y1 <= limits.y1+slack {
		return all, img
	}
	part := box{max(all.x0, limits.x0), max(all.y0, limits.y0), min(all.x1, limits.x1), min(all.y1, limits.y1)}
	if part.x0 >= part.x1 || part.y0 >= part.y1 {
		return part, nil
	}
	const scale = 200.0 / 72
	w, h := max(int(math.Round(part.width()*scale)), 1), max(int(math.Round(part.height()*scale)), 1)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	for j := range h {
		y := part.y1 - (float64(j)+0.5)/float64(h)*part.height()
		row := min(max(int((all.y1-y)/all.height()*float64(b.Dy())), 0), b.Dy()-1)
		for i := range w {
			x := part.x0 + (float64(i)+0.5)/float64(w)*part.width()
			column := min(max(int((x-all.x0)/all.width()*float64(b.Dx())), 0), b.Dx()-1)
			out.SetNRGBA(i, j, img.NRGBAAt(column, row))
		}
	}
	return part, out
}

func seeThrough(img *image.NRGBA, alpha float64) *image.NRGBA {
	out := image.NewNRGBA(img.Bounds())
	copy(out.Pix, img.Pix)
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = uint8(math.Round(float64(out.Pix[i]) * alpha))
	}
	return out
}

// gradient is the picture of a colour bar.
func gradient(s *plot.Scale, horizontal bool) *image.NRGBA {
	const n = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, n))
	if horizontal {
		img = image.NewNRGBA(image.Rect(0, 0, n, 1))
	}
	for i := range n {
		c := faded(s.Map.At((float64(i)+0.5)/n), s.Alpha)
		if horizontal {
			img.SetNRGBA(i, 0, c)
		} else {
			img.SetNRGBA(0, n-1-i, c)
		}
	}
	return img
}

func (p *page) text(t *plot.Text, v view) {
	q := v.point(&t.Base, t.X, t.Y)
	if !seen(q) || math.Abs(q.X) > 1e5 || math.Abs(q.Y) > 1e5 {
		return
	}
	x, y := q.X+t.Dx, q.Y+t.Dy
	w := words{text: t.Text, size: t.Size, color: faded(t.Color, t.Alpha), bold: t.Bold, italic: t.Italic, h: t.H, v: t.V, angle: t.Rotation, spacing: t.Line}
	if t.Arrow != nil {
		p.arrow(t, w.box(x, y), v)
	}
	if b := t.Back; b != nil && t.Text != "" {
		area := w.box(x, y).grown(b.Pad * t.Size)
		path := area.path()
		if b.Round {
			path = area.rounded(b.Pad * t.Size)
		}
		if b.Face.A > 0 {
			p.canvas.Fill(path, faded(b.Face, t.Alpha))
		}
		if !b.Edge.None && b.Edge.Width > 0 {
			p.canvas.Stroke(path, strokeOf(b.Edge, t.Alpha))
		}
	}
	p.words(w, x, y)
}

// arrow leads from a text to where it points.
func (p *page) arrow(t *plot.Text, text box, v view) {
	tip := v.point(&plot.Base{}, t.Arrow.X, t.Arrow.Y)
	if !seen(tip) {
		return
	}
	x1, y1 := tip.X, tip.Y
	x0, y0 := (text.x0+text.x1)/2, (text.y0+text.y1)/2
	if t.Text == "" {
		q := v.point(&t.Base, t.X, t.Y)
		x0, y0 = q.X, q.Y
	}
	if t.Arrow.Wide != nil {
		p.wide(t.Arrow, text, at(x0, y0), tip, t.Text != "")
		return
	}
	d := math.Hypot(x1-x0, y1-y0)
	if d == 0 || !finite(d) {
		return
	}
	ux, uy := (x1-x0)/d, (y1-y0)/d
	// It begins where it leaves the text.
	leave := 0.0
	if t.Text != "" {
		for _, e := range [2][2]float64{{text.width()/2 + 2, math.Abs(ux)}, {text.height()/2 + 2, math.Abs(uy)}} {
			if e[1] > 1e-9 && (leave == 0 || e[0]/e[1] < leave) {
				leave = e[0] / e[1]
			}
		}
	}
	from := at(x0+ux*leave, y0+uy*leave)
	end := at(x1-ux*t.Arrow.Shrink, y1-uy*t.Arrow.Shrink)
	if leave+t.Arrow.Shrink >= d {
		return
	}
	s := strokeOf(t.Arrow.Pen, 1)
	long := 4 + 2*s.width // of a head
	line := []pt{from, end}
	if t.Arrow.Tail == plot.FilledHead { // the line ends within it
		line[0] = at(from.X+long*ux*0.8, from.Y+long*uy*0.8)
	}
	if t.Arrow.Head == plot.FilledHead {
		line[1] = at(end.X-long*ux*0.8, end.Y-long*uy*0.8)
	}
	p.canvas.Stroke(polyline(line, false), s)
	s.dash = nil
	p.head(t.Arrow.Tail, from, at(-ux, -uy), long, s)
	p.head(t.Arrow.Head, end, at(ux, uy), long, s)
}

// wide draws a filled arrow from a text, or from a point if there is none, to its tip.
func (p *page) wide(a *plot.Arrow, text box, from, tip pt, written bool) {
	if written { // it begins at the corner or the middle of a side that is next to the tip
		nearest := func(lo, hi, to float64) float64 {
			return slices.MinFunc([]float64{lo, (lo + hi) / 2, hi}, func(u, v float64) int { return cmp.Compare(math.Abs(u-to), math.Abs(v-to)) })
		}
		from = at(nearest(text.x0, text.x1, tip.X), nearest(text.y0, text.y1, tip.Y))
	}
	d := math.Hypot(tip.X-from.X, tip.Y-from.Y)
	if d == 0 || !finite(d) {
		return
	}
	u := at((tip.X-from.X)/d, (tip.Y-from.Y)/d)
	first, last := a.Wide.Shrink*d, d-a.Wide.Shrink*d
	if written {
		_, leave, _ := text.grown(2).along(from, u, 0, d)
		first += leave
	}
	if first >= last {
		return
	}
	point := func(along, aside float64) pt { return at(from.X+along*u.X-aside*u.Y, from.Y+along*u.Y+aside*u.X) }
	neck := max(last-a.Wide.HeadLength, first)
	w, h := a.Wide.Width/2, a.Wide.HeadWidth/2
	path := polyline([]pt{point(first, w), point(neck, w), point(neck, h), point(last, 0), point(neck, -h), point(neck, -w), point(first, -w)}, true)
	p.canvas.Fill(path, a.Wide.Face)
	if shows(a.Pen) {
		p.canvas.Stroke(path, strokeOf(a.Pen, 1))
	}
}

// head draws what is at an end of an arrow, where it leads in a direction.
func (p *page) head(h plot.Head, tip, to pt, long float64, s stroke) {
	wing := func(side float64) pt {
		return at(tip.X-long*(to.X-side*0.45*to.Y), tip.Y-long*(to.Y+side*0.45*to.X))
	}
	wings := polyline([]pt{wing(1), tip, wing(-1)}, h == plot.FilledHead)
	switch h {
	case plot.OpenHead:
		p.canvas.Stroke(wings, s)
	case plot.FilledHead:
		p.canvas.Fill(wings, s.color)
	}
}
