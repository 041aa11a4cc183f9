package layout

import (
	"math"
	"slices"
)

// coordinates are the centres of the vertices, without overlaps and with long edges straight
// (Brandes and Köpf, Fast and Simple Horizontal Coordinate Assignment, 2001). Each vertex is put
// below or above the middle one of its neighbours, in four ways: from above or below, and
// preferring left or right. The result is the mean of the middle two of the four places.
//
// Two places differ from the paper. Vertices that are aligned are compacted as a graph of blocks,
// since the paper's classes of blocks can overlap; and the port at which a long edge arrives shifts
// the box in its block, so that it is the edge which is straight. Boxes below each other have their
// centres in line: a chain of boxes with ports on one side would lean to it.
func (s *layered) coordinates(opts Options) []float64 {
	conflict := s.conflicts()
	var four [4][]float64
	widths := [4]float64{}
	smallest := 0
	var low, high [4]float64
	for i := range four {
		above, left := i < 2, i%2 == 0
		a := s.align(conflict, above, left)
		four[i] = s.compact(a, left, opts)
		low[i], high[i] = math.Inf(1), math.Inf(-1)
		for v, x := range four[i] {
			low[i], high[i] = min(low[i], x-s.vertices[v].w/2), max(high[i], x+s.vertices[v].w/2)
		}
		if widths[i] = high[i] - low[i]; widths[i] < widths[smallest] {
			smallest = i
		}
	}
	x := make([]float64, len(s.vertices))
	for v := range x {
		var at [4]float64
		for i := range four {
			// Those that prefer the left share the narrowest drawing's left border, the others its
			// right one.
			shift := low[smallest] - low[i]
			if i%2 == 1 {
				shift = high[smallest] - high[i]
			}
			at[i] = four[i][v] + shift
		}
		slices.Sort(at[:])
		x[v] = (at[1] + at[2]) / 2
	}
	return x
}

// conflicts marks pieces that cross one between dummy vertices: those give way, so that long edges
// are straight.
func (s *layered) conflicts() []bool {
	marked := make([]bool, len(s.pieces))
	inner := func(k int) bool { return s.isDummy(s.pieces[k].from) && s.isDummy(s.pieces[k].to) }
	for l := 1; l < len(s.layers); l++ {
		layer := s.layers[l]
		from, scanned := 0, 0 // where the last piece between dummy vertices is above; up to where this layer is done
		for i, v := range layer {
			to, found := len(s.layers[l-1]), false
			if up := s.vertices[v].up; len(up) == 1 && inner(up[0]) {
				to, found = s.vertices[s.pieces[up[0]].from].pos, true
			}
			if !found && i < len(layer)-1 {
				continue
			}
			for _, u := range layer[scanned : i+1] {
				for _, k := range s.vertices[u].up {
					if pos := s.vertices[s.pieces[k].from].pos; (pos < from || pos > to) && !inner(k) {
						marked[k] = true
					}
				}
			}
			from, scanned = to, i+1
		}
	}
	return marked
}

// blocks are vertices below each other, one a layer: root names the block of each vertex, shift
// says how far right of the root it is.
type blocks struct {
	root  []int
	shift []float64
}

// align puts each vertex into the block of the middle one of its neighbours, if no other is
// between.
func (s *layered) align(conflict []bool, above, left bool) blocks {
	n := len(s.vertices)
	b := blocks{make([]int, n), make([]float64, n)}
	for v := range n {
		b.root[v] = v
	}
	var ends []int
	for i := range s.layers {
		layer := s.layers[i]
		if !above {
			layer = s.layers[len(s.layers)-1-i]
		}
		last := -1 // the place that the one before was aligned with, counted from the preferred side
		for j := range layer {
			v := layer[j]
			if !left {
				v = layer[len(layer)-1-j]
			}
			ends = append(ends[:0], s.vertices[v].side(above)...)
			slices.SortStableFunc(ends, func(p, q int) int { return compare(s.end(p, above), s.end(q, above), left) })
			for m := (len(ends) - 1) / 2; len(ends) > 0 && m <= len(ends)/2; m++ {
				k := ends[m]
				p := s.pieces[k]
				w, shift := p.to, p.in-p.out
				if above {
					w, shift = p.from, -shift
				}
				if !s.isDummy(v) && !s.isDummy(w) {
					shift = 0
				}
				pos := s.vertices[w].pos
				if !left {
					pos = n - pos
				}
				if conflict[k] || pos <= last {
					continue
				}
				b.root[v], b.shift[v], last = b.root[w], b.shift[w]+shift, pos
				break
			}
		}
	}
	return b
}

func compare(a, b float64, left bool) int {
	switch {
	case a == b:
		return 0
	case a < b == left:
		return -1
	}
	return 1
}

// compact puts blocks as far to the preferred side as those beside them allow, and then those back
// that need not be so far.
func (s *layered) compact(b blocks, left bool, opts Options) []float64 {
	n := len(s.vertices)
	type limit struct {
		block int
		gap   float64
	}
	after, before := make([][]limit, n), make([][]limit, n) // of roots
	waits := make([]int, n)
	sign := 1.0
	if !left {
		sign = -1
	}
	for _, layer := range s.layers {
		for i := range len(layer) - 1 {
			v, w := layer[i], layer[i+1]
			gap := (s.vertices[v].w+s.vertices[w].w)/2 + opts.gap(s.isDummy(v), s.isDummy(w))
			if !left {
				v, w = w, v
			}
			gap += sign * (b.shift[v] - b.shift[w])
			from, to := b.root[v], b.root[w]
			after[from] = append(after[from], limit{to, gap})
			before[to] = append(before[to], limit{from, gap})
			waits[to]++
		}
	}
	var order []int
	for v := range n {
		if b.root[v] == v && waits[v] == 0 {
			order = append(order, v)
		}
	}
	at := make([]float64, n)
	for i := 0; i < len(order); i++ {
		r := order[i]
		for j, l := range before[r] {
			if x := at[l.block] + l.gap; j == 0 || x > at[r] {
				at[r] = x
			}
		}
		for _, l := range after[r] {
			if waits[l.block]--; waits[l.block] == 0 {
				order = append(order, l.block)
			}
		}
	}
	for _, r := range slices.Backward(order) {
		room := math.Inf(1)
		for _, l := range after[r] {
			room = min(room, at[l.block]-l.gap)
		}
		if !math.IsInf(room, 1) {
			at[r] = max(at[r], room)
		}
	}
	x := make([]float64, n)
	for v := range n {
		x[v] = sign*at[b.root[v]] + b.shift[v]
	}
	return x
}

// gap is the least distance of neighbours.
func (o Options) gap(bend1, bend2 bool) float64 {
	if bend1 || bend2 {
		return o.EdgeGap
	}
	return o.BoxGap
}
