package draw

import "math"

// words is text to be placed.
type words struct {
	text         string
	size         float64
	color        Color
	bold, italic bool
	h, v         string  // which point of it stands at the place
	angle        float64 // degrees
	spacing      float64 // of lines, in sizes; 0: the default
}

// measure is how wide and high the words are before they are turned.
func (w words) measure() (width, height float64) {
	lines := layout(w.text, w.bold)
	for _, l := range lines {
		width = max(width, l.width)
	}
	return width * w.size, w.height(lines)
}

func (w words) step() float64 {
	if w.spacing != 0 {
		return w.spacing * w.size
	}
	return lineHeight * w.size
}

func (w words) height(lines []textLine) float64 {
	return w.step()*float64(len(lines)-1) + (lines[0].high+descent)*w.size
}

// runs are the words at a place. A turned text is placed by the rectangle that has all of it.
func (w words) runs(x, y float64) []run {
	lines := layout(w.text, w.bold)
	width, _ := w.measure()
	height := w.height(lines)
	rad := w.angle * math.Pi / 180
	sin, cos := math.Sincos(rad)
	turn := func(u, v float64) (float64, float64) { return u*cos - v*sin, u*sin + v*cos }
	// Before it is turned the text lies from 0 to its width, and from -height to 0.
	around := nowhere
	for _, c := range [][2]float64{{0, 0}, {width, 0}, {0, -height}, {width, -height}} {
		u, v := turn(c[0], c[1])
		around = around.with(box{u, v, u, v})
	}
	baseline := -height + descent*w.size // of the last line
	_, base := turn(0, baseline)
	dx := map[string]float64{"left": around.x0, "right": around.x1}[w.h]
	if w.h == "center" {
		dx = (around.x0 + around.x1) / 2
	}
	dy := base
	switch w.v {
	case "top":
		dy = around.y1
	case "bottom":
		dy = around.y0
	case "center":
		dy = (around.y0 + around.y1) / 2
	case "center_baseline":
		dy = (around.y0 + around.y1 + descent*w.size*cos) / 2
	}
	var out []run
	top := -lines[0].high * w.size
	for i, l := range lines {
		free := width - l.width*w.size
		start := 0.0
		switch w.h {
		case "center":
			start = free / 2
		case "right":
			start = free
		}
		for _, p := range l.pieces {
			u, v := turn(start+p.x*w.size, top-float64(i)*w.step()+p.y*w.size)
			out = append(out, run{x: x - dx + u, y: y - dy + v, angle: rad, size: w.size * p.scale, width: advance(p.text, w.bold) * w.size * p.scale,
				text: p.text, color: w.color, bold: w.bold, italic: w.italic || p.italic})
		}
	}
	return out
}

// box is the room that the words take at a place.
func (w words) box(x, y float64) box {
	e := &extent{nowhere}
	for _, r := range w.runs(x, y) {
		e.Text(r)
	}
	return e.box
}
