package layout

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

var gaps = Options{BoxGap: 10, EdgeGap: 6, LayerGap: 20}

// randomGraph has n boxes of various sizes. An edge goes to a later box, mostly one soon after; hub
// boxes have many.
func randomGraph(rng *rand.Rand, n int) ([]Box, []Edge) {
	boxes := make([]Box, n)
	for i := range boxes {
		boxes[i] = Box{10 + float64(rng.IntN(150)), 10 + float64(rng.IntN(40))}
	}
	var edges []Edge
	for to := 1; to < n; to++ {
		in := rng.IntN(4)
		for k := range in {
			from := max(0, to-1-rng.IntN(8))
			switch rng.IntN(10) {
			case 0:
				from = rng.IntN(to)
			case 1:
				from = 0
			}
			port := (float64(k+1)/float64(in+1) - 0.5) * boxes[to].W
			edges = append(edges, Edge{From: from, To: to, In: port, Out: float64(rng.IntN(2)) * boxes[from].W / 4})
		}
	}
	return boxes, edges
}

// TestDrawing: in drawings of random graphs no boxes overlap or are nearer than asked for, edges go
// from border to border and never up, and over no box; everything is inside.
func TestDrawing(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		boxes, edges := randomGraph(rng, rng.IntN(60))
		d, err := Layered(boxes, edges, gaps)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults(boxes, edges, d) {
			t.Errorf("seed %d, %d boxes: %s", seed, len(boxes), fault)
		}
		if again, _ := Layered(boxes, edges, gaps); !reflect.DeepEqual(d, again) {
			t.Errorf("seed %d: a second drawing differs", seed)
		}
	}
}

// faults lists what is wrong with a drawing.
func faults(boxes []Box, edges []Edge, d *Drawing) []string {
	const eps = 1e-6
	var list []string
	fault := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for i, b := range boxes {
		c := d.Centers[i]
		if c.X-b.W/2 < -eps || c.X+b.W/2 > d.W+eps || c.Y-b.H/2 < -eps || c.Y+b.H/2 > d.H+eps {
			fault("box %d at %v is not inside %g x %g", i, c, d.W, d.H)
		}
		for j := range i {
			o := boxes[j]
			dx, dy := max(c.X-d.Centers[j].X, d.Centers[j].X-c.X)-(b.W+o.W)/2, max(c.Y-d.Centers[j].Y, d.Centers[j].Y-c.Y)-(b.H+o.H)/2
			if d.Layers[i] == d.Layers[j] && dx < gaps.BoxGap-eps || d.Layers[i] != d.Layers[j] && dy < gaps.LayerGap-eps {
				fault("boxes %d and %d are %g and %g apart", i, j, dx, dy)
			}
		}
	}
	for i, e := range edges {
		p := d.Paths[i]
		from, to := d.Centers[e.From], d.Centers[e.To]
		start, end := Point{from.X + e.Out, from.Y + boxes[e.From].H/2}, Point{to.X + e.In, to.Y - boxes[e.To].H/2}
		if p[0] != start || p[len(p)-1] != end {
			fault("edge %d goes from %v to %v, want %v to %v", i, p[0], p[len(p)-1], start, end)
		}
		for k := 1; k < len(p); k++ {
			if p[k].Y < p[k-1].Y-eps || p[k].Y < p[k-1].Y+eps && p[k].X != p[k-1].X {
				fault("edge %d goes up or sideways: %v", i, p)
			}
			for j, b := range boxes {
				c := d.Centers[j]
				// A piece is in the box's rows only where it is vertical: both ends tell whether it
				// is in its columns.
				above, below := c.Y-b.H/2+eps, c.Y+b.H/2-eps
				left, right := c.X-b.W/2+eps, c.X+b.W/2-eps
				if p[k].Y > above && p[k-1].Y < below && max(p[k].X, p[k-1].X) > left && min(p[k].X, p[k-1].X) < right {
					fault("edge %d runs over box %d", i, j)
				}
			}
		}
	}
	return list
}

// TestFaultsCanFail: the checks see a box that was moved onto another, and an edge that was turned.
func TestFaultsCanFail(t *testing.T) {
	boxes := []Box{{20, 20}, {20, 20}, {20, 20}}
	edges := []Edge{{From: 0, To: 1}, {From: 0, To: 2}}
	d, err := Layered(boxes, edges, gaps)
	if err != nil || len(faults(boxes, edges, d)) > 0 {
		t.Fatal(err, faults(boxes, edges, d))
	}
	d.Centers[1] = d.Centers[2]
	d.Paths[1][0], d.Paths[1][1] = d.Paths[1][1], d.Paths[1][0]
	got := strings.Join(faults(boxes, edges, d), "\n")
	for _, want := range []string{"apart", "goes from", "goes up"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want a line with %q", got, want)
		}
	}
}

// TestStraight: a chain is one vertical line, and so is an edge that passes many layers; ports do
// not make a chain lean.
func TestStraight(t *testing.T) {
	var boxes []Box
	var edges []Edge
	for i := range 30 {
		boxes = append(boxes, Box{20 + float64(i*7%50), 20})
		if i > 0 {
			edges = append(edges, Edge{From: i - 1, To: i})
		}
	}
	d, err := Layered(boxes, edges, gaps)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range d.Paths {
		if len(p) != 2 || p[0].X != p[1].X {
			t.Errorf("edge %d of the chain is %v, want a vertical line", i, p)
		}
	}
	for i := range edges {
		edges[i].In = -5
	}
	if d, err = Layered(boxes, edges, gaps); err != nil || d.Centers[0].X != d.Centers[29].X {
		t.Errorf("a chain with ports: the ends are at %v and %v, %v", d.Centers[0], d.Centers[29], err)
	}
	edges = append(edges, Edge{From: 0, To: 29, Out: -9, In: 9})
	if d, err = Layered(boxes, edges, gaps); err != nil {
		t.Fatal(err)
	}
	if long := d.Paths[len(edges)-1]; len(long) > 6 {
		t.Errorf("the edge over all layers is %v, want one vertical line and its ends", long)
	}
}

// TestShared: edges from one place pass a layer at one place.
func TestShared(t *testing.T) {
	boxes := make([]Box, 6)
	edges := []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 4}, {From: 4, To: 5},
		{From: 0, To: 4}, {From: 0, To: 5}}
	s := newLayered(boxes, edges, []int{0, 1, 2, 3, 4, 5})
	if got, want := len(s.vertices)-len(boxes), 4; got != want {
		t.Errorf("got %d dummies, want %d", got, want)
	}
}

// TestCrossings: the count is that of comparing all pairs, and ordering a graph saves more than
// half of the crossings that the naive order has, in which vertices are numbered.
func TestCrossings(t *testing.T) {
	var naive, ordered int
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		boxes, edges := randomGraph(rng, 40)
		layers, err := Layers(len(boxes), edges)
		if err != nil {
			t.Fatal(err)
		}
		s := newLayered(boxes, edges, layers)
		for l := range s.layers {
			s.layers[l] = nil
		}
		for v := range s.vertices {
			l := s.vertices[v].layer
			s.layers[l] = append(s.layers[l], v)
		}
		s.number()
		if got, want := s.crossings(), pairs(s); got != want {
			t.Errorf("seed %d: counted %d crossings, want %d", seed, got, want)
		}
		naive += s.crossings()
		d, err := Layered(boxes, edges, gaps)
		if err != nil {
			t.Fatal(err)
		}
		ordered += d.Crossings
	}
	t.Logf("%d crossings in the naive order, %d in ours", naive, ordered)
	if 2*ordered > naive {
		t.Errorf("got %d crossings, want less than half of the naive order's %d", ordered, naive)
	}
}

// pairs counts crossings by comparing all pairs of pieces.
func pairs(s *layered) int {
	n := 0
	for i, p := range s.pieces {
		for j, q := range s.pieces[:i] {
			if s.vertices[p.from].layer == s.vertices[q.from].layer &&
				(s.end(i, true)-s.end(j, true))*(s.end(i, false)-s.end(j, false)) < 0 {
				n++
			}
		}
	}
	return n
}

// TestNoCrossing: a tree can be drawn without, and is.
func TestNoCrossing(t *testing.T) {
	boxes := make([]Box, 127)
	var edges []Edge
	rng := rand.New(rand.NewPCG(1, 3))
	number := rng.Perm(len(boxes))
	for i := range 63 {
		edges = append(edges, Edge{From: number[2*i+1], To: number[i]}, Edge{From: number[2*i+2], To: number[i]})
	}
	d, err := Layered(boxes, edges, gaps)
	if err != nil || d.Crossings != 0 {
		t.Errorf("got %d crossings of a tree, %v", d.Crossings, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		edges []Edge
		want  string
	}{
		{[]Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 1}}, "layout: got a cycle that leads to box 1, want a graph without"},
		{[]Edge{{From: 1, To: 1}}, "layout: got a cycle that leads to box 1, want a graph without"},
		{[]Edge{{From: 0, To: 3}}, "layout: edge 0: got boxes 0 and 3, want less than 3"},
	} {
		if _, err := Layered(make([]Box, 3), c.edges, gaps); err == nil || err.Error() != c.want {
			t.Errorf("%v: got error %v, want %s", c.edges, err, c.want)
		}
	}
	if d, err := Layered(nil, nil, gaps); err != nil || d.W != 0 || d.H != 0 {
		t.Errorf("the empty graph: got %v, %v", d, err)
	}
}

// BenchmarkLayered draws a random graph, and a deep chain whose values are all used again on the
// way back, as those of a network are in its gradient: half a million dummy vertices.
func BenchmarkLayered(b *testing.B) {
	boxes, edges := randomGraph(rand.New(rand.NewPCG(1, 4)), 2000)
	b.Run("random", func(b *testing.B) {
		for b.Loop() {
			Layered(boxes, edges, gaps)
		}
	})
	const n = 2000
	deep := make([]Box, n)
	var chain []Edge
	for i := range n {
		deep[i] = Box{80, 30}
		if i > 0 {
			chain = append(chain, Edge{From: i - 1, To: i, In: -20})
		}
		if i >= n/2 {
			chain = append(chain, Edge{From: n - 1 - i, To: i, In: 20})
		}
	}
	b.Run("deep", func(b *testing.B) {
		for b.Loop() {
			Layered(deep, chain, gaps)
		}
	})
}
