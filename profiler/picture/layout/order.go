package layout

import (
	"cmp"
	"slices"
)

// order looks for an order of the vertices in the layers in which few edges cross, and keeps the
// best that it has seen.
func (s *layered) order() {
	best, fewest := s.copyLayers(), s.crossings()
	key := make([]float64, len(s.vertices))
	for i := range sweeps(len(s.vertices)) {
		if fewest == 0 {
			break
		}
		if i%2 == 0 {
			for l := 1; l < len(s.layers); l++ {
				s.sortLayer(l, true, key)
			}
		} else {
			for l := len(s.layers) - 2; l >= 0; l-- {
				s.sortLayer(l, false, key)
			}
		}
		s.exchange()
		if n := s.crossings(); n < fewest {
			best, fewest = s.copyLayers(), n
		}
	}
	s.layers = best
	s.number()
}

func (s *layered) copyLayers() [][]int {
	c := make([][]int, len(s.layers))
	for i, layer := range s.layers {
		c[i] = slices.Clone(layer)
	}
	return c
}

// end is where piece k ends above or below, in places from the left: that of the vertex, and where
// on it.
func (s *layered) end(k int, above bool) float64 {
	v, port := &s.vertices[s.pieces[k].to], s.pieces[k].in
	if above {
		v, port = &s.vertices[s.pieces[k].from], s.pieces[k].out
	}
	if v.w == 0 {
		return float64(v.pos)
	}
	const inside = 0.9 // of a place, so that neighbours stay apart
	// The conversion keeps processors that can from fusing: the order is the same on all.
	return float64(v.pos) + float64(inside*max(-0.5, min(port/v.w, 0.5)))
}

// side returns the pieces of v to the layer above or below.
func (v *vertex) side(above bool) []int {
	if above {
		return v.up
	}
	return v.down
}

// sortLayer sorts layer l by the mean of its vertices' neighbours above or below. Vertices without
// such neighbours keep their places.
func (s *layered) sortLayer(l int, above bool, key []float64) {
	layer := s.layers[l]
	var places, movable []int
	for pos, v := range layer {
		side := s.vertices[v].side(above)
		if len(side) == 0 {
			continue
		}
		sum := 0.0
		for _, k := range side {
			sum += s.end(k, above)
		}
		key[v] = sum / float64(len(side))
		places, movable = append(places, pos), append(movable, v)
	}
	slices.SortStableFunc(movable, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
	for i, v := range movable {
		layer[places[i]] = v
		s.vertices[v].pos = places[i]
	}
}

// exchange swaps neighbours in a layer as long as that saves crossings.
func (s *layered) exchange() {
	for improved, round := true, 0; improved && round < 4; round++ {
		improved = false
		for _, layer := range s.layers {
			for i := range len(layer) - 1 {
				v, w := layer[i], layer[i+1]
				now, then := s.between(v, w)
				if then < now {
					layer[i], layer[i+1] = w, v
					s.vertices[v].pos, s.vertices[w].pos = i+1, i
					improved = true
				}
			}
		}
	}
}

// between counts the crossings of the pieces of v with those of w, which stands right of it, and
// those if it stood left.
func (s *layered) between(v, w int) (now, then int) {
	for _, above := range [...]bool{true, false} {
		for _, a := range s.vertices[v].side(above) {
			x := s.end(a, above)
			for _, b := range s.vertices[w].side(above) {
				switch y := s.end(b, above); {
				case x > y:
					now++
				case x < y:
					then++
				}
			}
		}
	}
	return now, then
}
