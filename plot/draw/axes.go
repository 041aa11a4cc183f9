package draw

import (
	"cmp"
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
)

// A view maps what is drawn on an axes to the page.
type view struct {
	page *page
	axes *plot.Axes
	rect box
}

// far is how far outside a point may be on the page, in points.
const far = 1e7

// point is where coordinates lie. Those that are not finite stay so.
func (v view) point(b *plot.Base, x, y float64) pt {
	if !b.FracX && v.axes != nil {
		x = v.axes.X.Fraction(x)
	}
	if !b.FracY && v.axes != nil {
		y = v.axes.Y.Fraction(y)
	}
	return at(v.rect.x0+near0(x)*v.rect.width(), v.rect.y0+near0(y)*v.rect.height())
}

// near0 keeps a fraction from being larger than a page can be. Nothing and less on a logarithmic
// axis lies below all.
func near0(f float64) float64 {
	switch {
	case f < -far:
		return -far
	case f > far && !math.IsInf(f, 1):
		return far
	}
	return f
}

// axes draws an axes with all that is on it.
func (p *page) axes(a *plot.Axes) {
	rect := axesBox(a)
	if rect.width() <= 0 || rect.height() <= 0 || a.Hidden {
		return
	}
	v := view{p, a, rect}
	if a.Frame && a.Face.A > 0 && a.Twin == nil {
		p.canvas.Fill(rect.path(), a.Face)
	}
	if a.Bar != nil {
		p.bar(a, rect)
	}
	grid := 1.5
	if a.Below || p.style.AxesBelow {
		grid = 0.5
	}
	drawn := !a.Frame || a.Bar != nil
	for _, artist := range ordered(a.Artists) {
		if b := artist.Common(); !b.Hidden {
			if !drawn && b.Z > grid {
				p.grid(a, rect)
				drawn = true
			}
			p.artist(artist, v)
		}
	}
	if !drawn {
		p.grid(a, rect)
	}
	p.decorate(a)
	if a.Legend != nil {
		p.legend(a.Legend, a.Artists, rect, &v)
	}
}

// grid draws the lines of the grid.
func (p *page) grid(a *plot.Axes, rect box) {
	for _, x := range []*plot.Axis{a.X, a.Y} {
		if !x.Grid.On {
			continue
		}
		ticks, _ := x.TicksOf(length(x, rect))
		if x.NoTicks {
			ticks, _ = bare(x, rect)
		}
		for _, t := range ticks {
			if t.Minor && !x.Grid.Minor {
				continue
			}
			q := place(x, rect, t.At)
			line := ring(rect.x0, q, rect.x1, q)
			if x.Horizontal {
				line = ring(q, rect.y0, q, rect.y1)
			}
			p.canvas.Stroke(polyline(line, false), strokeOf(x.Grid.Pen, 1))
		}
	}
}

// bare are the ticks of an axis that shows none.
func bare(x *plot.Axis, rect box) ([]plot.Tick, string) {
	y := *x
	y.NoTicks = false
	return y.TicksOf(length(x, rect))
}

func length(x *plot.Axis, rect box) float64 {
	if x.Horizontal {
		return rect.width()
	}
	return rect.height()
}

// place is where a number lies along an axis.
func place(x *plot.Axis, rect box, v float64) float64 {
	if x.Horizontal {
		return rect.x0 + x.Fraction(v)*rect.width()
	}
	return rect.y0 + x.Fraction(v)*rect.height()
}

// decorate draws spines, ticks, labels and titles.
func (p *page) decorate(a *plot.Axes) {
	rect := axesBox(a)
	around := rect
	if a.Frame {
		frame := framed(a, rect)
		p.spines(a, rect, frame)
		across, up := rect, rect // the ticks of an axis stand at its spines
		across.y0, across.y1, up.x0, up.x1 = frame.y0, frame.y1, frame.x0, frame.x1
		around = around.with(p.ticks(a.X, across)).with(p.ticks(a.Y, up))
	}
	for _, t := range []struct {
		l plot.Label
		h string
		x float64
	}{{a.Title, "center", (rect.x0 + rect.x1) / 2}, {a.LeftTitle, "left", rect.x0}, {a.RightTitle, "right", rect.x1}} {
		if t.l.Text == "" {
			continue
		}
		gap := 6.0
		if t.l.Padded {
			gap = t.l.Pad
		}
		w := label(t.l, cmp.Or(p.style.TitleSize, 1.2*p.style.Size), p.style.Text, t.h, "baseline")
		w.bold = w.bold || p.style.TitleBold
		y := rect.y1
		if a.X.Far || a.X.Both { // above the numbers there
			y = around.y1
		}
		p.words(w, t.x, y+gap)
	}
}

// framed is where the sides of the frame lie.
func framed(a *plot.Axes, r box) box {
	f := r
	for _, s := range []struct {
		name    string
		to      *float64
		across  *plot.Axis // that the side lies on a number of
		outward float64
		lo, hi  float64
	}{{"left", &f.x0, a.X, -1, r.x0, r.x1}, {"right", &f.x1, a.X, 1, r.x0, r.x1}, {"bottom", &f.y0, a.Y, -1, r.y0, r.y1}, {"top", &f.y1, a.Y, 1, r.y0, r.y1}} {
		switch spine := a.Spines[s.name]; {
		case spine == nil:
		case spine.Place == plot.AtEdge:
			*s.to += s.outward * spine.At
		case spine.Place == plot.AtPart:
			*s.to = s.lo + spine.At*(s.hi-s.lo)
		default:
			if part := s.across.Fraction(spine.At); finite(part) {
				*s.to = s.lo + part*(s.hi-s.lo)
			}
		}
	}
	return f
}

// spines draws the frame.
func (p *page) spines(a *plot.Axes, r, f box) {
	if a.Twin != nil {
		return
	}
	left, right, top, bottom := a.Spines["left"], a.Spines["right"], a.Spines["top"], a.Spines["bottom"]
	if *left == *right && *top == *bottom && *left == *top && f == r {
		if !left.Hidden && left.Width > 0 {
			p.canvas.Stroke(r.path(), stroke{color: left.Color, width: left.Width, butt: true})
		}
		return
	}
	for _, s := range []struct {
		*plot.Spine
		line []pt
	}{{left, ring(f.x0, r.y0, f.x0, r.y1)}, {right, ring(f.x1, r.y0, f.x1, r.y1)}, {bottom, ring(r.x0, f.y0, r.x1, f.y0)}, {top, ring(r.x0, f.y1, r.x1, f.y1)}} {
		if !s.Hidden && s.Width > 0 {
			p.canvas.Stroke(polyline(s.line, false), stroke{color: s.Color, width: s.Width})
		}
	}
}

// ticks draws the ticks of an axis with their numbers, what these have in common, and the axis's
// name, and returns the room that was taken.
func (p *page) ticks(x *plot.Axis, r box) box {
	taken := r
	list, common := x.TicksOf(length(x, r))
	style := x.Ticks
	for _, t := range list {
		q := place(x, r, t.At)
		long, width := style.Length, style.Width
		if t.Minor {
			long, width = long*2/3.5, width*0.75
		}
		if style.NoMarks {
			long = 0
		}
		near, out := !x.Far || x.Both, x.Far || x.Both
		for _, upper := range []bool{false, true} {
			if upper && out || !upper && near {
				if long > 0 {
					p.mark(x, r, q, long, width, upper)
				}
			}
		}
		if t.Text != "" {
			taken = taken.with(p.number(x, r, q, t))
		}
	}
	reach := 0.0
	if len(list) > 0 && !style.NoMarks && style.Direction != "in" {
		reach = style.Length
	}
	taken = taken.with(map[bool]map[bool]box{
		true:  {false: {r.x0, r.y0 - reach, r.x1, r.y1}, true: {r.x0, r.y0, r.x1, r.y1 + reach}},
		false: {false: {r.x0 - reach, r.y0, r.x1, r.y1}, true: {r.x0, r.y0, r.x1 + reach, r.y1}},
	}[x.Horizontal][x.Far])
	p.common(x, r, taken, common)
	p.name(x, r, taken)
	return taken
}

// mark draws one tick.
func (p *page) mark(x *plot.Axis, r box, q, long, width float64, upper bool) {
	from, to := 0.0, -long
	switch x.Ticks.Direction {
	case "in":
		to = long
	case "inout":
		from, to = long/2, -long/2
	}
	base := r.y0
	if !x.Horizontal {
		base = r.x0
	}
	if upper {
		from, to = -from, -to
		if base = r.y1; !x.Horizontal {
			base = r.x1
		}
	}
	line := ring(base+from, q, base+to, q)
	if x.Horizontal {
		line = ring(q, base+from, q, base+to)
	}
	p.canvas.Stroke(polyline(line, false), stroke{color: x.Ticks.Color, width: width, butt: true})
}

// number writes the text of a tick, and returns the room it takes.
func (p *page) number(x *plot.Axis, r box, q float64, t plot.Tick) box {
	s := x.Ticks
	gap := s.Pad
	if s.Direction != "in" && !s.NoMarks {
		gap += s.Length
		if t.Minor {
			gap -= s.Length * 1.5 / 3.5
		}
	}
	w := words{text: t.Text, size: s.Size, color: s.LabelColor, h: "center", v: "top", angle: s.Rotation}
	px, py := q, r.y0-gap
	switch {
	case x.Horizontal && x.Far:
		w.v, py = "bottom", r.y1+gap
	case !x.Horizontal && x.Far:
		w.h, w.v, px, py = "left", "center_baseline", r.x1+gap, q
	case !x.Horizontal:
		w.h, w.v, px, py = "right", "center_baseline", r.x0-gap, q
	}
	if s.Align != "" {
		w.h = s.Align
	}
	p.words(w, px, py)
	return w.box(px, py)
}

// common writes what the numbers of an axis have in common.
func (p *page) common(x *plot.Axis, r, taken box, text string) {
	if text == "" {
		return
	}
	w := words{text: text, size: x.Ticks.Size, color: x.Ticks.LabelColor, h: "right", v: "top"}
	px, py := r.x1, taken.y0-3
	switch {
	case x.Horizontal && x.Far:
		w.v, py = "bottom", taken.y1+3
	case !x.Horizontal:
		w.h, w.v, px, py = "left", "baseline", r.x0, r.y1+3
		if x.Far {
			w.h, px = "right", r.x1
		}
	}
	if text[0] == '$' || len(text) > 2 && text[0] == '1' {
		w.text = text
	}
	p.words(w, px, py)
}

// name writes the axis's label.
func (p *page) name(x *plot.Axis, r, taken box) {
	if x.Label.Text == "" {
		return
	}
	gap := 4.0
	if x.Label.Padded {
		gap = x.Label.Pad
	}
	w := label(x.Label, cmp.Or(p.style.LabelSize, p.style.Size), p.style.Text, "center", "top")
	px, py := (r.x0+r.x1)/2, taken.y0-gap
	switch {
	case x.Horizontal && x.Far:
		w.v, py = "bottom", taken.y1+gap
	case !x.Horizontal:
		w.angle, w.h, w.v, px, py = 90, "right", "center", taken.x0-gap, (r.y0+r.y1)/2
		if x.Far {
			w.h, px = "left", taken.x1+gap
		}
	}
	if x.Label.Rotated {
		w.angle = x.Label.Rotation
	}
	p.words(w, px, py)
}

// bar draws the colours of a colour bar.
func (p *page) bar(a *plot.Axes, r box) {
	s := a.Bar.Scale
	axis := a.Y
	if a.Bar.Horizontal {
		axis = a.X
	}
	strip := func(from, to float64) box {
		if a.Bar.Horizontal {
			return box{r.x0 + from*r.width(), r.y0, r.x0 + to*r.width(), r.y1}
		}
		return box{r.x0, r.y0 + from*r.height(), r.x1, r.y0 + to*r.height()}
	}
	switch {
	case s.Lines != nil:
		for i, l := range s.Lines {
			b := strip(axis.Fraction(l), axis.Fraction(l))
			c := s.Color(l)
			if len(s.Colors) > 0 {
				c = s.Colors[i%len(s.Colors)]
			}
			p.canvas.Stroke(polyline(ring(b.x0, b.y0, b.x1, b.y1), false), stroke{color: c, width: p.style.LineWidth, butt: true})
		}
	case s.Levels != nil:
		for k := range len(s.Levels) - 1 {
			c := s.Color((s.Levels[k] + s.Levels[k+1]) / 2)
			p.canvas.Fill(strip(axis.Fraction(s.Levels[k]), axis.Fraction(s.Levels[k+1])).path(), c)
		}
	default:
		p.canvas.Image(r, gradient(s, a.Bar.Horizontal), false)
	}
}

// strokeOf is a pen with an alpha.
func strokeOf(pen plot.Pen, alpha float64) stroke {
	s := stroke{color: faded(pen.Color, alpha), width: pen.Width}
	if pen.Dash != nil {
		s.dash = slices.Clone(pen.Dash)
		for i := range s.dash {
			s.dash[i] = max(s.dash[i]*pen.Width, 0.05)
		}
	}
	return s
}
