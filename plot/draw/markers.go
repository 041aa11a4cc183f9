package draw

import (
	"math"
	"sync"

	"github.com/arignote/arignote/plot"
)

// regular is a ring of n corners, the first at an angle in turns.
func regular(n int, start, radius float64) []pt {
	ring := make([]pt, n)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * (start + float64(i)/float64(n)))
		ring[i] = at(radius*cos, radius*sin)
	}
	return ring
}

func ring(xy ...float64) []pt {
	out := make([]pt, len(xy)/2)
	for i := range out {
		out[i] = at(xy[2*i], xy[2*i+1])
	}
	return out
}

func star() []pt {
	out := make([]pt, 10)
	for i := range out {
		r := 0.5
		if i%2 == 1 {
			r = 0.5 * 0.381966
		}
		sin, cos := math.Sincos(2 * math.Pi * (0.25 + float64(i)/10))
		out[i] = at(r*cos, r*sin)
	}
	return out
}

// A sign is the form of a marker of size 1: an area, or lines.
type sign struct {
	round bool
	area  []pt
	lines [][]pt
	scale float64 // of the size; 0: 1
}

func tri(angle float64) sign {
	var s sign
	for k := range 3 {
		sin, cos := math.Sincos(2 * math.Pi * (angle + float64(k)/3))
		s.lines = append(s.lines, ring(0, 0, 0.5*cos, 0.5*sin))
	}
	return s
}

const half = 0.5

// signs are the markers of size 1 around the origin.
var signs = sync.OnceValue(func() map[string]sign {
	return map[string]sign{
		"o": {round: true}, ".": {round: true, scale: 0.5}, ",": {area: ring(-half, -half, half, -half, half, half, -half, half), scale: 0.1},
		"s": {area: ring(-half, -half, half, -half, half, half, -half, half)},
		"v": {area: ring(0, -half, half, half, -half, half)}, "^": {area: ring(0, half, -half, -half, half, -half)},
		"<": {area: ring(-half, 0, half, -half, half, half)}, ">": {area: ring(half, 0, -half, half, -half, -half)},
		"D": {area: ring(0, -0.7071, 0.7071, 0, 0, 0.7071, -0.7071, 0)}, "d": {area: ring(0, -0.7071, 0.4243, 0, 0, 0.7071, -0.4243, 0)},
		"p": {area: regular(5, 0.25, half)}, "h": {area: regular(6, 0.25, half)}, "H": {area: regular(6, 0, half)}, "8": {area: regular(8, 0.0625, half)},
		"*": {area: star()},
		"+": {lines: [][]pt{ring(-half, 0, half, 0), ring(0, -half, 0, half)}},
		"x": {lines: [][]pt{ring(-half, -half, half, half), ring(-half, half, half, -half)}},
		"|": {lines: [][]pt{ring(0, -half, 0, half)}}, "_": {lines: [][]pt{ring(-half, 0, half, 0)}},
		"1": tri(0.75), "2": tri(0.25), "3": tri(0.5), "4": tri(0),
		"P": {area: ring(-1./6, -half, 1./6, -half, 1./6, -1./6, half, -1./6, half, 1./6, 1./6, 1./6, 1./6, half, -1./6, half, -1./6, 1./6, -half, 1./6, -half, -1./6, -1./6, -1./6)},
		"X": {area: ring(-half, -.25, -.25, -half, 0, -.25, .25, -half, half, -.25, .25, 0, half, .25, .25, half, 0, .25, -.25, half, -half, .25, -.25, 0)},
	}
})

// add adds the marker of a size at a point to a path.
func (s sign) add(p trace, x, y, size float64) trace {
	if s.scale != 0 {
		size *= s.scale
	}
	if s.round {
		return append(p, circle(x, y, size/2)...)
	}
	place := func(q pt) pt { return at(x+size*q.X, y+size*q.Y) }
	for i, q := range s.area {
		if i == 0 {
			p.Move(place(q))
		} else {
			p.Line(place(q))
		}
	}
	if s.area != nil {
		p.Close()
	}
	for _, line := range s.lines {
		for i, q := range line {
			if i == 0 {
				p.Move(place(q))
			} else {
				p.Line(place(q))
			}
		}
	}
	return p
}

// reach is how far a marker reaches from its point; among characters it is one dot.
func (p *page) reach(m plot.Marker) float64 {
	if p.dots {
		return 0
	}
	return 0.75*m.Size + m.EdgeWidth/2
}

// mark draws markers that look alike, as far as they lie within limits. Those that hide what is
// below are one path.
func mark(c Canvas, m plot.Marker, alpha float64, points []pt, limits box) {
	s, ok := signs()[m.Shape]
	if !ok || m.Size <= 0 {
		return
	}
	inner := limits.grown(-0.75 * m.Size)
	var areas, edges []trace
	for i, q := range points {
		if i == 0 || alpha < 1 {
			areas, edges = append(areas, nil), append(edges, nil)
		}
		area := s.add(nil, q.X, q.Y, m.Size)
		edge := area
		if !inner.has(q) {
			area, edge = cutPath(area, limits)
		}
		k := len(areas) - 1
		areas[k], edges[k] = append(areas[k], area...), append(edges[k], edge...)
	}
	for k := range areas {
		if areas[k] != nil && m.Face.A > 0 && s.lines == nil {
			c.Fill(areas[k], faded(m.Face, alpha))
		}
		if edges[k] != nil && m.Edge.A > 0 && m.EdgeWidth > 0 && m.Shape != "," {
			c.Stroke(edges[k], stroke{color: faded(m.Edge, alpha), width: m.EdgeWidth, butt: true})
		}
	}
}
