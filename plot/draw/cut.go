package draw

import (
	"math"
)

// finite says whether a number can be drawn.
func finite(x float64) bool { return x-x == 0 }

// cutLine cuts a line through points to a box: what remains are lines within it. A point that is
// not finite is a gap.
func cutLine(points []pt, b box) [][]pt {
	var out [][]pt
	var now []pt
	end := func() {
		if len(now) > 0 {
			out = append(out, now)
		}
		now = nil
	}
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		a, c, ok := cutSegment(p, q, b)
		if !ok {
			end()
			continue
		}
		if len(now) == 0 || now[len(now)-1] != a {
			end()
			now = append(now, a)
		}
		now = append(now, c)
		if c != q {
			end()
		}
	}
	end()
	return out
}

// cutSegment is the part of a segment that lies in a box.
func cutSegment(p, q pt, b box) (from, to pt, ok bool) {
	if !seen(p) || !seen(q) {
		return p, q, false
	}
	if b.has(p) && b.has(q) {
		return p, q, true
	}
	d := at(q.X-p.X, q.Y-p.Y)
	t0, t1, ok := b.along(p, d, 0, 1)
	if !ok {
		return p, q, false
	}
	from, to = p, q
	if t0 > 0 {
		from = at(p.X+t0*d.X, p.Y+t0*d.Y)
	}
	if t1 < 1 {
		to = at(p.X+t1*d.X, p.Y+t1*d.Y)
	}
	return from, to, true
}

// along is from where to where, of t0 to t1, the points p + t d lie in the box.
func (b box) along(p, d pt, t0, t1 float64) (from, to float64, ok bool) {
	for _, e := range [4][2]float64{{-d.X, p.X - b.x0}, {d.X, b.x1 - p.X}, {-d.Y, p.Y - b.y0}, {d.Y, b.y1 - p.Y}} {
		switch {
		case e[0] == 0 && e[1] < 0:
			return t0, t1, false
		case e[0] < 0:
			t0 = max(t0, e[1]/e[0])
		case e[0] > 0:
			t1 = min(t1, e[1]/e[0])
		}
	}
	return t0, t1, t0 <= t1
}

// runsOf are the runs of points between those that are nowhere.
func runsOf(points []pt) [][]pt {
	var runs [][]pt
	for i := 0; i < len(points); {
		j := i
		for j < len(points) && seen(points[j]) {
			j++
		}
		if j > i {
			runs = append(runs, points[i:j:j])
		}
		i = j + 1
	}
	return runs
}

// cutRing cuts the area within a ring to a box.
func cutRing(ring []pt, b box) []pt {
	if within(ring, b) {
		return ring
	}
	sides := []struct {
		in    func(p pt) bool
		cross func(p, q pt) pt
	}{
		{func(p pt) bool { return p.X >= b.x0 }, crossX(b.x0)},
		{func(p pt) bool { return p.X <= b.x1 }, crossX(b.x1)},
		{func(p pt) bool { return p.Y >= b.y0 }, crossY(b.y0)},
		{func(p pt) bool { return p.Y <= b.y1 }, crossY(b.y1)},
	}
	for _, side := range sides {
		var out []pt
		for i, p := range ring {
			q := ring[(i+1)%len(ring)]
			switch in, next := side.in(p), side.in(q); {
			case in && next:
				out = append(out, q)
			case in:
				out = append(out, side.cross(p, q))
			case next:
				out = append(out, side.cross(p, q), q)
			}
		}
		ring = out
	}
	return ring
}

// cutPath is the area within a path, and its line, as far as they lie within a box.
func cutPath(t trace, b box) (area, line trace) {
	const fine = 4 // pixels of a point, for curves
	rings, closed := flat(t, func(p pt) pt { return at(p.X*fine, p.Y*fine) })
	for i, ring := range rings {
		for k, p := range ring {
			ring[k] = at(p.X/fine, p.Y/fine)
		}
		if cut := cutRing(ring, b); len(cut) > 2 {
			area = append(area, polyline(cut, true)...)
		}
		line = append(line, outline(ring, closed[i], b)...)
	}
	return area, line
}

func crossX(x float64) func(p, q pt) pt {
	return func(p, q pt) pt {
		t := (x - p.X) / (q.X - p.X)
		return at(x, p.Y+t*(q.Y-p.Y))
	}
}

func crossY(y float64) func(p, q pt) pt {
	return func(p, q pt) pt {
		t := (y - p.Y) / (q.Y - p.Y)
		return at(p.X+t*(q.X-p.X), y)
	}
}

// maxPoints is from how many points on a line is thinned.
const maxPoints = 4000

// thin leaves of the points between that lie in one column, a third of a point wide, the first,
// the lowest, the highest and the last: what one sees stays the same.
func thin(points []pt) []pt {
	if len(points) <= maxPoints {
		return points
	}
	const column = 1.0 / 3
	out := make([]pt, 0, maxPoints)
	for i := 0; i < len(points); {
		c := math.Floor(points[i].X / column)
		lo, hi, j := i, i, i+1
		for ; j < len(points) && math.Floor(points[j].X/column) == c; j++ {
			if points[j].Y < points[lo].Y {
				lo = j
			}
			if points[j].Y > points[hi].Y {
				hi = j
			}
		}
		last := -1
		for _, k := range []int{i, min(lo, hi), max(lo, hi), j - 1} {
			if k > last {
				out = append(out, points[k])
				last = k
			}
		}
		i = j
	}
	if len(out) > 4*maxPoints { // it goes to and fro: points that lie on each other are one
		return near(out, 0.25)
	}
	return out
}

// near leaves out points that lie within d of the last one that stayed.
func near(points []pt, d float64) []pt {
	out := points[:1]
	for _, p := range points[1:] {
		q := out[len(out)-1]
		if math.Abs((p.X-q.X)) >= d || math.Abs((p.Y-q.Y)) >= d {
			out = append(out, p)
		}
	}
	return out
}
