package layout

import (
	"cmp"
	"fmt"
	"slices"
)

// Layers is the first step of Layered: the layers of n boxes, of which 0 is the top. It fails if
// edges form a cycle.
//
// Each box is one layer below the lowest that leads to it. A box that leads to more than leads to
// it then goes down as far as it can, which makes edges shorter: an input stands above its first
// use, and not at the top.
func Layers(n int, edges []Edge) ([]int, error) {
	in, out := make([]int, n), make([][]int, n)
	for _, e := range edges {
		in[e.To]++
		out[e.From] = append(out[e.From], e.To)
	}
	waits := slices.Clone(in)
	var order []int
	for i, k := range waits {
		if k == 0 {
			order = append(order, i)
		}
	}
	layers := make([]int, n)
	for i := 0; i < len(order); i++ {
		v := order[i]
		for _, w := range out[v] {
			layers[w] = max(layers[w], layers[v]+1)
			if waits[w]--; waits[w] == 0 {
				order = append(order, w)
			}
		}
	}
	if len(order) < n {
		i := slices.IndexFunc(waits, func(k int) bool { return k > 0 })
		return nil, fmt.Errorf("layout: got a cycle that leads to box %d, want a graph without", i)
	}
	for _, v := range slices.Backward(order) {
		if len(out[v]) > in[v] {
			lowest := layers[out[v][0]]
			for _, w := range out[v] {
				lowest = min(lowest, layers[w])
			}
			layers[v] = lowest - 1
		}
	}
	if n > 0 {
		top := slices.Min(layers)
		for v := range layers {
			layers[v] -= top
		}
	}
	return layers, nil
}

// A layered is a graph in which every edge is made of pieces from one layer to the next. Its first
// vertices are the boxes, the others dummy vertices.
type layered struct {
	vertices []vertex
	pieces   []piece
	layers   [][]int // vertices, from the left
	ways     [][]int // of each edge, its dummy vertices
	boxes    int
}

type vertex struct {
	layer, pos int
	w, h       float64
	up, down   []int // pieces, by their ports
}

// A piece leaves from at out to the right of its centre, and arrives so at in.
type piece struct {
	from, to int
	out, in  float64
}

func newLayered(boxes []Box, edges []Edge, layers []int) *layered {
	s := &layered{boxes: len(boxes), ways: make([][]int, len(edges))}
	for i, b := range boxes {
		s.vertices = append(s.vertices, vertex{layer: layers[i], w: b.W, h: b.H})
	}
	type trunk struct {
		from int
		out  float64
	}
	trunks := make(map[trunk][]int) // the dummy vertices that edges from one place share
	for i, e := range edges {
		key := trunk{e.From, e.Out}
		dummies, last, out := trunks[key], e.From, e.Out
		for k := 0; k < layers[e.To]-layers[e.From]-1; k++ {
			if k == len(dummies) {
				b := len(s.vertices)
				s.vertices = append(s.vertices, vertex{layer: layers[e.From] + 1 + k})
				s.pieces = append(s.pieces, piece{from: last, to: b, out: out})
				dummies = append(dummies, b)
			}
			last, out = dummies[k], 0
			s.ways[i] = append(s.ways[i], last)
		}
		trunks[key] = dummies
		s.pieces = append(s.pieces, piece{from: last, to: e.To, out: out, in: e.In})
	}
	s.link()
	for _, v := range s.vertices {
		slices.SortStableFunc(v.down, func(a, b int) int { return cmp.Compare(s.pieces[a].out, s.pieces[b].out) })
		slices.SortStableFunc(v.up, func(a, b int) int { return cmp.Compare(s.pieces[a].in, s.pieces[b].in) })
	}
	s.firstOrder()
	return s
}

// link lists the pieces at the vertices, in memory that these share: there may be many more dummy
// vertices than boxes.
func (s *layered) link() {
	up, down := make([]int, len(s.vertices)), make([]int, len(s.vertices))
	for _, p := range s.pieces {
		down[p.from]++
		up[p.to]++
	}
	all := make([]int, 2*len(s.pieces))
	for i := range s.vertices {
		v := &s.vertices[i]
		v.up, v.down = all[:0:up[i]], all[up[i]:up[i]:up[i]+down[i]]
		all = all[up[i]+down[i]:]
	}
	for k, p := range s.pieces {
		s.vertices[p.from].down = append(s.vertices[p.from].down, k)
		s.vertices[p.to].up = append(s.vertices[p.to].up, k)
	}
}

// isDummy reports whether vertex v is a dummy vertex.
func (s *layered) isDummy(v int) bool { return v >= s.boxes }

// firstOrder fills the layers depth first, so that what belongs together begins together.
func (s *layered) firstOrder() {
	seen := make([]bool, len(s.vertices))
	var stack []int
	for i := range s.vertices {
		if seen[i] || len(s.vertices[i].up) > 0 {
			continue
		}
		stack = append(stack[:0], i)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			l := s.vertices[v].layer
			for l >= len(s.layers) {
				s.layers = append(s.layers, nil)
			}
			s.layers[l] = append(s.layers[l], v)
			for _, k := range slices.Backward(s.vertices[v].down) {
				stack = append(stack, s.pieces[k].to)
			}
		}
	}
	s.number()
}

// number writes the places in the layers to the vertices.
func (s *layered) number() {
	for _, layer := range s.layers {
		for pos, v := range layer {
			s.vertices[v].pos = pos
		}
	}
}
