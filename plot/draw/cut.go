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
	x0, y0, x1, y1 := p.X, p.Y, q.X, q.Y
	if !finite(x0) || !finite(y0) || !finite(x1) || !finite(y1) {
		return p, q, false
	}
	if b.has(p) && b.has(q) {
		return p, q, true
	}
	t0, t1 := 0.0, 1.0
	dx, dy := x1-x0, y1-y0
	for _, e := range [4][2]float64{{-dx, x0 - b.x0}, {dx, b.x1 - x0}, {-dy, y0 - b.y0}, {dy, b.y1 - y0}} {
		switch {
		case e[0] == 0 && e[1] < 0:
			return p, q, false
		case e[0] < 0:
			t0 = max(t0, e[1]/e[0])
		case e[0] > 0:
			t1 = min(t1, e[1]/e[0])
		}
	}
	if !(t0 <= t1) {
		return p, q, false
	}
	from, to = p, q
	if t0 > 0 {
		from = at(x0+t0*dx, y0+t0*dy)
	}
	if t1 < 1 {
		to = at(x0+t1*dx, y0+t1*dy)
	}
	return from, to, true
}

// cutRing cuts the area within a ring to a box.
func cutRing(ring []pt, b box) []pt {
	inside := true
	for _, p := range ring {
		if !finite(p.X) || !finite(p.Y) {
			return nil
		}
		inside = inside && b.has(p)
	}
	if inside {
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
