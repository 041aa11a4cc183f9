package plot

import (
	"math"
)

// A Field is numbers over a grid, by rows of y and columns of x.
type Field struct {
	X, Y []float64
	Z    []float64
}

func (f *Field) at(row, column int) float64 { return f.Z[row*len(f.X)+column] }

// Contour are the lines along which the field has a level: closed ones end where they begin. Cells
// with a corner that is no number have none.
func (f *Field) Contour(level float64) [][]Point {
	// A line goes from edge to edge of cells; edges have numbers, those along x first.
	w, h := len(f.X), len(f.Y)
	across := func(r, c int) int { return r*w + c }   // from (r, c) to (r, c+1)
	up := func(r, c int) int { return w*h + r*w + c } // from (r, c) to (r+1, c)
	cut := func(e int) Point {
		r, c, dr, dc := e/w, e%w, 0, 1
		if e >= w*h {
			r, c, dr, dc = (e-w*h)/w, (e-w*h)%w, 1, 0
		}
		a, b := f.at(r, c), f.at(r+dr, c+dc)
		t := (level - a) / (b - a)
		return Point{f.X[c] + t*(f.X[c+dc]-f.X[c]), f.Y[r] + t*(f.Y[r+dr]-f.Y[r])}
	}
	next := map[int][]int{} // the edges that an edge is joined with
	var order []int
	join := func(a, b int) {
		for _, p := range [2][2]int{{a, b}, {b, a}} {
			if next[p[0]] == nil {
				order = append(order, p[0])
			}
			next[p[0]] = append(next[p[0]], p[1])
		}
	}
	for r := 0; r+1 < h; r++ {
		for c := 0; c+1 < w; c++ {
			edges := [4]int{across(r, c), up(r, c+1), across(r+1, c), up(r, c)}
			for _, p := range crossings([4]float64{f.at(r, c), f.at(r, c+1), f.at(r+1, c+1), f.at(r+1, c)}, level) {
				join(edges[p[0]], edges[p[1]])
			}
		}
	}
	used := map[int]bool{}
	follow := func(start int) []Point {
		line := []Point{cut(start)}
		used[start] = true
		for e := start; ; {
			found := -1
			for _, n := range next[e] {
				if !used[n] {
					found = n
					break
				}
			}
			if found < 0 {
				if len(line) > 2 && len(next[e]) == 2 && len(next[start]) == 2 && (next[e][0] == start || next[e][1] == start) {
					line = append(line, line[0])
				}
				return line
			}
			e = found
			used[e] = true
			line = append(line, cut(e))
		}
	}
	var lines [][]Point
	for _, ends := range []bool{true, false} { // open lines first, from their ends
		for _, e := range order {
			if !used[e] && (len(next[e]) == 1) == ends {
				if line := follow(e); len(line) > 1 {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

// crossed are the edges of a cell, from the bottom against the clock, that a line joins, by which
// corners lie above its level. Of two opposite corners there are two lines.
var crossed = [16][][2]int{1: {{3, 0}}, 14: {{3, 0}}, 2: {{0, 1}}, 13: {{0, 1}}, 4: {{1, 2}}, 11: {{1, 2}}, 8: {{2, 3}}, 7: {{2, 3}},
	3: {{3, 1}}, 12: {{3, 1}}, 6: {{0, 2}}, 9: {{0, 2}}, 5: {{3, 2}, {0, 1}}, 10: {{3, 0}, {1, 2}}}

// crossings are the pairs of edges of a cell that lines of a level join.
func crossings(corners [4]float64, level float64) [][2]int {
	k, sum := 0, 0.0
	for i, x := range corners {
		if x-x != 0 {
			return nil
		}
		if sum += x; x > level {
			k |= 1 << i
		}
	}
	if (k == 5 || k == 10) && sum/4 <= level { // the middle says which corners belong together
		k = 15 - k
	}
	return crossed[k]
}

// Band is where the field lies from lo to below hi, as areas of its cells' triangles joined by rows
// of equal cells.
func (f *Field) Band(lo, hi float64) [][]Point {
	var areas [][]Point
	for r := 0; r+1 < len(f.Y); r++ {
		var run *[2]int // first and last column of whole cells
		flush := func() {
			if run != nil {
				areas = append(areas, []Point{{f.X[run[0]], f.Y[r]}, {f.X[run[1]], f.Y[r]}, {f.X[run[1]], f.Y[r+1]}, {f.X[run[0]], f.Y[r+1]}})
			}
			run = nil
		}
		for c := 0; c+1 < len(f.X); c++ {
			corners := [4]vertex{{f.X[c], f.Y[r], f.at(r, c)}, {f.X[c+1], f.Y[r], f.at(r, c+1)}, {f.X[c+1], f.Y[r+1], f.at(r+1, c+1)}, {f.X[c], f.Y[r+1], f.at(r+1, c)}}
			inside, bad := 0, false
			for _, v := range corners {
				bad = bad || v.z-v.z != 0
				if v.z >= lo && v.z <= hi {
					inside++
				}
			}
			if !bad && inside == 4 {
				if run == nil {
					run = &[2]int{c, c}
				}
				run[1] = c + 1
				continue
			}
			flush()
			if bad {
				continue
			}
			m := vertex{}
			for _, v := range corners {
				m.x, m.y, m.z = m.x+v.x/4, m.y+v.y/4, m.z+v.z/4
			}
			for i := range corners {
				if area := slab([]vertex{corners[i], corners[(i+1)%4], m}, lo, hi); len(area) > 2 {
					areas = append(areas, area)
				}
			}
		}
		flush()
	}
	return areas
}

// A vertex is a point of a field.
type vertex struct{ x, y, z float64 }

// slab is the part of a triangle whose values are from lo to hi.
func slab(corners []vertex, lo, hi float64) []Point {
	for _, side := range [2]struct {
		level float64
		sign  float64
	}{{lo, 1}, {hi, -1}} {
		if math.IsInf(side.level, 0) {
			continue
		}
		var out []vertex
		for i, p := range corners {
			q := corners[(i+1)%len(corners)]
			in, next := side.sign*(p.z-side.level) >= 0, side.sign*(q.z-side.level) >= 0
			if in {
				out = append(out, p)
			}
			if in != next {
				t := (side.level - p.z) / (q.z - p.z)
				out = append(out, vertex{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y), side.level})
			}
		}
		corners = out
	}
	points := make([]Point, len(corners))
	for i, v := range corners {
		points[i] = Point{v.x, v.y}
	}
	return points
}
