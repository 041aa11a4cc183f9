package layout

import "math/bits"

// crossings counts pairs of pieces between the same layers that cross.
func (s *layered) crossings() int {
	n := 0
	rank := make([]int, len(s.pieces)) // of a piece's lower end, from the left
	for l := range len(s.layers) - 1 {
		n += s.crossingsBelow(l, rank)
	}
	return n
}

// crossingsBelow counts those between layers l and l+1: the pairs that are in one order above and
// in another below. Pieces that share an end do not cross.
func (s *layered) crossingsBelow(l int, rank []int) int {
	ranks := 0
	for _, v := range s.layers[l+1] {
		up := s.vertices[v].up
		for i, k := range up {
			if i == 0 || s.pieces[k].in != s.pieces[up[i-1]].in {
				ranks++
			}
			rank[k] = ranks - 1
		}
	}
	// tree[i] is how many of the pieces so far arrive in a stretch that ends at rank i: a Fenwick
	// tree.
	tree := make([]int, ranks+1)
	n, placed := 0, 0
	for _, v := range s.layers[l] {
		down := s.vertices[v].down
		for from := 0; from < len(down); {
			to := from + 1
			for to < len(down) && s.pieces[down[to]].out == s.pieces[down[from]].out {
				to++
			}
			for _, k := range down[from:to] {
				n += placed
				for i := rank[k] + 1; i > 0; i &= i - 1 {
					n -= tree[i]
				}
			}
			for _, k := range down[from:to] {
				for i := rank[k] + 1; i <= ranks; i += i & -i {
					tree[i]++
				}
			}
			placed += to - from
			from = to
		}
	}
	return n
}

// sweeps is how often order goes over a graph of n vertices: less often, the longer it takes.
func sweeps(n int) int { return max(4, 40-3*bits.Len(uint(n))) }
