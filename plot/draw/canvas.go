package draw

import (
	"image"
	"math"

	"github.com/arignote/arignote/plot"
)

// A Color is a colour with its alpha.
type Color = plot.Color

// A stroke is how a path is drawn: widths and dashes are points.
type stroke struct {
	color Color
	width float64
	dash  []float64
	butt  bool // lines end at their last point, not half a width behind it
}

// A run is text on one line in one size.
type run struct {
	x, y   float64 // where its baseline begins
	angle  float64 // radians, against the clock
	size   float64
	width  float64 // that it was measured to have
	text   string
	color  Color
	bold   bool
	italic bool
}

// A Canvas takes what a renderer draws. Coordinates are points from the lower left corner.
type Canvas interface {
	Fill(p trace, c Color)
	Stroke(p trace, s stroke)
	Text(r run)
	// Image draws a picture, whose first row is the upper one, into a rectangle.
	Image(r box, img *image.NRGBA, smooth bool)
}

// A box is a rectangle on the canvas.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) width() float64  { return b.x1 - b.x0 }
func (b box) height() float64 { return b.y1 - b.y0 }

// with is the box that has b and c in it.
func (b box) with(c box) box {
	return box{min(b.x0, c.x0), min(b.y0, c.y0), max(b.x1, c.x1), max(b.y1, c.y1)}
}

// and is what b and c share.
func (b box) and(c box) box {
	return box{max(b.x0, c.x0), max(b.y0, c.y0), min(b.x1, c.x1), min(b.y1, c.y1)}
}

func (b box) grown(d float64) box { return box{b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d} }

func (b box) has(p pt) bool {
	x, y := p.X, p.Y
	return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1
}

func (b box) overlaps(c box) bool {
	return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1
}

var nowhere = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
var everywhere = box{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}

// A pt is a point on the canvas.
type pt struct{ X, Y float64 }

// A trace is a path: lines and curves, in parts that each begin with a move.
type trace []step

// A step of a path leads to Pos; a curve has one control or two.
type step struct {
	kind    int
	Pos     pt
	Control []pt
}

const (
	moveTo = iota
	lineTo
	curveTo
	closing
)

func (t *trace) Move(p pt)         { *t = append(*t, step{kind: moveTo, Pos: p}) }
func (t *trace) Line(p pt)         { *t = append(*t, step{kind: lineTo, Pos: p}) }
func (t *trace) QuadTo(c, p pt)    { *t = append(*t, step{curveTo, p, []pt{c}}) }
func (t *trace) CubeTo(c, d, p pt) { *t = append(*t, step{curveTo, p, []pt{c, d}}) }
func (t *trace) Close()            { *t = append(*t, step{kind: closing}) }

func at(x, y float64) pt { return pt{x, y} }

// polyline is a path through points.
func polyline(points []pt, closed bool) trace {
	var p trace
	for i, q := range points {
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	if closed && len(points) > 0 {
		p.Close()
	}
	return p
}

func (b box) path() trace {
	return polyline([]pt{at(b.x0, b.y0), at(b.x1, b.y0), at(b.x1, b.y1), at(b.x0, b.y1)}, true)
}

// upright reports whether a path is one rectangle along the axes.
func upright(t trace) bool {
	if len(t) != 5 || t[4].kind != closing {
		return false
	}
	for i := range 4 {
		a, b := t[i].Pos, t[(i+1)%4].Pos
		if t[i].kind == curveTo || a.X != b.X && a.Y != b.Y {
			return false
		}
	}
	return true
}

// rounded is the path of a rectangle with round corners.
func (b box) rounded(r float64) trace {
	r = min(r, b.width()/2, b.height()/2)
	const k = 0.44771525 // of the corner, where a curve's controls stand
	var p trace
	p.Move(at(b.x0+r, b.y0))
	p.Line(at(b.x1-r, b.y0))
	p.CubeTo(at(b.x1-r*k, b.y0), at(b.x1, b.y0+r*k), at(b.x1, b.y0+r))
	p.Line(at(b.x1, b.y1-r))
	p.CubeTo(at(b.x1, b.y1-r*k), at(b.x1-r*k, b.y1), at(b.x1-r, b.y1))
	p.Line(at(b.x0+r, b.y1))
	p.CubeTo(at(b.x0+r*k, b.y1), at(b.x0, b.y1-r*k), at(b.x0, b.y1-r))
	p.Line(at(b.x0, b.y0+r))
	p.CubeTo(at(b.x0, b.y0+r*k), at(b.x0+r*k, b.y0), at(b.x0+r, b.y0))
	p.Close()
	return p
}

// circle is a path of four curves.
func circle(x, y, r float64) trace {
	return box{x - r, y - r, x + r, y + r}.rounded(r)
}

// extent is a canvas that only finds what room is taken.
type extent struct{ box box }

func (e *extent) take(p trace, grow float64) {
	for _, c := range p {
		if c.kind != closing {
			x, y := c.Pos.X, c.Pos.Y
			e.box = e.box.with(box{x, y, x, y}.grown(grow))
		}
	}
}

func (e *extent) Fill(p trace, _ Color)    { e.take(p, 0) }
func (e *extent) Stroke(p trace, s stroke) { e.take(p, s.width/2) }
func (e *extent) Image(r box, _ *image.NRGBA, _ bool) {
	e.box = e.box.with(r)
}

func (e *extent) Text(r run) {
	sin, cos := math.Sincos(r.angle)
	for _, c := range [][2]float64{{0, -0.21 * r.size}, {r.width, -0.21 * r.size}, {0, 0.73 * r.size}, {r.width, 0.73 * r.size}} {
		x, y := r.x+c[0]*cos-c[1]*sin, r.y+c[0]*sin+c[1]*cos
		e.box = e.box.with(box{x, y, x, y})
	}
}
