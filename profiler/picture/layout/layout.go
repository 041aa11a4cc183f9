package layout

import (
	"fmt"
	"slices"
)

// A Box is the size of a node.
type Box struct{ W, H float64 }

// An Edge goes from the bottom of box From, Out to the right of its centre, to the top of box To,
// In to the right of its centre.
type Edge struct {
	From, To int
	Out, In  float64
}

// A Point has its X to the right and its Y down.
type Point struct{ X, Y float64 }

// Options are the least distances between neighbours.
type Options struct {
	BoxGap   float64 // between boxes of one layer
	EdgeGap  float64 // between an edge that passes a layer and what is beside it
	LayerGap float64 // between layers; up to three times as much where edges go far to the side
}

// A Drawing lies between (0, 0) and (W, H).
type Drawing struct {
	W, H    float64
	Centers []Point // of the boxes
	Layers  []int   // of the boxes; 0 is the top
	// Paths are the ways of the edges, from the border of one box to that of the other, and never
	// up. Pieces inside of a layer are vertical, so that no edge runs over a box.
	Paths     [][]Point
	Crossings int // of edges, as far as the order within the layers decides
}

// Layered draws a graph. It fails if an edge names no box, or if edges form a cycle.
func Layered(boxes []Box, edges []Edge, opts Options) (*Drawing, error) {
	for i, e := range edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(boxes) {
			return nil, fmt.Errorf("layout: edge %d: got boxes %d and %d, want less than %d", i, e.From, e.To, len(boxes))
		}
	}
	layers, err := Layers(len(boxes), edges)
	if err != nil {
		return nil, err
	}
	s := newLayered(boxes, edges, layers)
	s.order()
	d := &Drawing{Centers: make([]Point, len(boxes)), Layers: layers, Crossings: s.crossings()}
	x := s.coordinates(opts)
	var left, right float64
	for i, v := range s.vertices {
		if i == 0 {
			left, right = x[i]-v.w/2, x[i]+v.w/2
		}
		left, right = min(left, x[i]-v.w/2), max(right, x[i]+v.w/2)
	}
	for i := range x {
		x[i] -= left
	}
	d.W = right - left
	top, bottom := s.heights(x, opts.LayerGap)
	if len(bottom) > 0 {
		d.H = bottom[len(bottom)-1]
	}
	for i := range boxes {
		l := layers[i]
		d.Centers[i] = Point{x[i], (top[l] + bottom[l]) / 2}
	}
	for i, e := range edges {
		d.Paths = append(d.Paths, s.path(d, e, s.ways[i], x, top, bottom))
	}
	return d, nil
}

// heights places the layers below each other.
func (s *layered) heights(x []float64, gap float64) (top, bottom []float64) {
	const slope = 8 // how far to the side edges go for one down, before layers move apart
	top, bottom = make([]float64, len(s.layers)), make([]float64, len(s.layers))
	y := 0.0
	for l, layer := range s.layers {
		height, far := 0.0, 0.0
		for _, v := range layer {
			height = max(height, s.vertices[v].h)
			for _, k := range s.vertices[v].down {
				p := s.pieces[k]
				dx := x[p.from] + p.out - x[p.to] - p.in
				far = max(far, dx, -dx)
			}
		}
		top[l], bottom[l] = y, y+height
		y = bottom[l] + min(max(gap, far/slope), 3*gap)
	}
	return top, bottom
}

// path is the way of an edge over its dummy vertices.
func (s *layered) path(d *Drawing, e Edge, dummies []int, x, top, bottom []float64) []Point {
	from, to := d.Centers[e.From], d.Centers[e.To]
	start, end := from.X+e.Out, to.X+e.In
	points := []Point{{start, from.Y + s.vertices[e.From].h/2}, {start, bottom[d.Layers[e.From]]}}
	for _, b := range dummies {
		l := s.vertices[b].layer
		points = append(points, Point{x[b], top[l]}, Point{x[b], bottom[l]})
	}
	points = append(points, Point{end, top[d.Layers[e.To]]}, Point{end, to.Y - s.vertices[e.To].h/2})
	// Points that repeat, or lie on a vertical between others, say nothing.
	kept := points[:1]
	for i := 1; i < len(points); i++ {
		last := kept[len(kept)-1]
		straight := i+1 < len(points) && points[i].X == last.X && points[i+1].X == last.X
		if points[i] != last && !straight {
			kept = append(kept, points[i])
		}
	}
	return slices.Clip(kept)
}
