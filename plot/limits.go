package plot

import (
	"math"
)

// A Range is the least and the greatest of some numbers. It is empty where Lo > Hi.
type Range struct{ Lo, Hi float64 }

var empty = Range{math.Inf(1), math.Inf(-1)}

// Empty reports whether there was no number.
func (r Range) Empty() bool { return r.Lo > r.Hi }

// with is r with further numbers. nan and infinities are left out, and with only set those that are
// not positive.
func (r Range) with(only bool, numbers ...float64) Range {
	for _, v := range numbers {
		if v-v != 0 || only && v <= 0 { // nan and infinities
			continue
		}
		r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
	}
	return r
}

// Extent is what an artist says of the room it takes: numbers on both axes, and edges that a
// margin does not go beyond.
type Extent struct {
	X, Y             Range
	StickyX, StickyY []float64
}

// Autoscale makes limits that are not set follow the data. It is called before the axes is drawn,
// and when its limits are asked for.
func (a *Axes) Autoscale() {
	if a.Bar != nil {
		return
	}
	a.X.follow()
	a.Y.follow()
}

// follow makes the limits those of the data, for all axes that share them.
func (x *Axis) follow() {
	if x.Fixed || x.held {
		return
	}
	all, sticky, any := empty, []float64(nil), false
	for _, y := range x.group() {
		for _, art := range y.axes.Artists {
			common := art.Common()
			if _, text := art.(*Text); text || common.Unscaled || y.Horizontal && common.FracX || !y.Horizontal && common.FracY {
				continue
			}
			any = true
			e := art.Extent(y.axes.X.Log, y.axes.Y.Log)
			r, edges := e.X, e.StickyX
			if !y.Horizontal {
				r, edges = e.Y, e.StickyY
			}
			if !r.Empty() {
				all = all.with(x.Log, r.Lo, r.Hi)
			}
			sticky = append(sticky, edges...)
		}
	}
	if !any {
		lo, hi := 0.0, 1.0
		if x.Log {
			lo, hi = 1, 10
		}
		x.put(lo, hi)
		return
	}
	if x.Log {
		x.put(logLimits(all, x.Margin, sticky))
		return
	}
	lo, hi := Apart(all.Lo, all.Hi)
	delta := (hi - lo) * x.Margin
	if math.IsInf(delta, 0) {
		delta = 0
	}
	low, high := lo-delta, hi+delta
	slack := (hi - lo) * 1e-8
	for _, s := range sticky {
		if s <= lo+slack {
			low = max(low, s)
		}
		if s >= hi-slack {
			high = min(high, s)
		}
	}
	x.put(low, high)
}

func (x *Axis) put(lo, hi float64) {
	for _, y := range x.group() {
		y.Lo, y.Hi = lo, hi
		if y.Inverted {
			y.Lo, y.Hi = hi, lo
		}
	}
}

// Apart are limits around two numbers that are too near each other to be an axis, else themselves.
func Apart(lo, hi float64) (float64, float64) {
	const expand, tiny = 0.05, 1e-15
	if lo > hi || !finite(lo) || !finite(hi) {
		return -expand, expand
	}
	large := max(math.Abs(lo), math.Abs(hi))
	switch {
	case large < 1e6/tiny*math.SmallestNonzeroFloat64 || large == 0:
		return -expand, expand
	case hi-lo <= large*tiny:
		if lo == 0 && hi == 0 {
			return -expand, expand
		}
		return lo - expand*math.Abs(lo), hi + expand*math.Abs(hi)
	}
	return lo, hi
}

func logLimits(all Range, margin float64, sticky []float64) (lo, hi float64) {
	if all.Empty() {
		return 1, 10
	}
	lo, hi = all.Lo, all.Hi
	if lo == hi {
		lo, hi = math.Pow(10, math.Floor(math.Log10(lo))), math.Pow(10, math.Ceil(math.Log10(hi)))
		if lo == all.Lo {
			lo /= 10
		}
		if hi == all.Hi {
			hi *= 10
		}
	}
	d := (math.Log10(hi) - math.Log10(lo)) * margin
	low, high := math.Pow(10, math.Log10(lo)-d), math.Pow(10, math.Log10(hi)+d)
	for _, s := range sticky {
		if s > 0 && s <= lo {
			low = max(low, s)
		}
		if s >= hi {
			high = min(high, s)
		}
	}
	return low, high
}

func finite(x float64) bool { return x-x == 0 }
