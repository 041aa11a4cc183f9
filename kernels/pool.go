package kernels

import (
	"math"
	"unsafe"
)

// A Pooling is the geometry of one: windows of the C-contiguous x[Images, H, W], one for each
// element of y[Images, Ho, Wo]. Window (i, j) has the rows from i*Stride[0] - Pad[0] on, Window[0]
// of them, and the columns likewise, as far as they are in the image.
type Pooling struct {
	Images, H, W, Ho, Wo int
	Window, Stride, Pad  [2]int
	Count                PoolCount
}

// PoolCount is what sums are divided by.
type PoolCount uint8

const (
	PoolSum    PoolCount = iota // nothing
	PoolPadded                  // the elements of a window in the image and its border of Pad
	PoolInside                  // those in the image
)

// A PoolPart is what a kernel computes.
type PoolPart uint8

const (
	PoolMax       PoolPart = iota // dst[y] = the largest a[x] of the window: NaN if there is one, -Inf if it has no elements
	PoolAdd                       // dst[y] = the sum of a[x] in the window, divided by Count
	PoolSpread                    // dst[x] = the sum of a[y] over the windows that x is in, each divided by Count: the gradient of PoolAdd
	PoolMaxGrad                   // dst[x] = the sum of c[y] over the windows that x is in where a[x] == b[y]: the gradient of PoolMax
	PoolMaxGather                 // dst[y] = the sum of c[x] in the window where a[x] == b[y]: the gradient of PoolMaxGrad
	poolParts
)

// PoolKey names a kernel, for float32 and float64.
type PoolKey struct {
	Part PoolPart
	In   DType
}

// A PoolFunc computes dst from a, and for the parts that say so b and c. x and y stand for indexes
// of arrays of the shapes of Pooling. dst overlaps no operand.
type PoolFunc func(g *Pooling, dst, a, b, c unsafe.Pointer, stop Stop) bool

var pools = [poolParts][NumDTypes]PoolFunc{
	PoolMax:       {Float32: pooling[float32](PoolMax), Float64: pooling[float64](PoolMax)},
	PoolAdd:       {Float32: pooling[float32](PoolAdd), Float64: pooling[float64](PoolAdd)},
	PoolSpread:    {Float32: pooling[float32](PoolSpread), Float64: pooling[float64](PoolSpread)},
	PoolMaxGrad:   {Float32: pooling[float32](PoolMaxGrad), Float64: pooling[float64](PoolMaxGrad)},
	PoolMaxGather: {Float32: pooling[float32](PoolMaxGather), Float64: pooling[float64](PoolMaxGather)},
}

// span is where place i of an axis of length n has its window, and what it counts for.
func (g *Pooling) span(axis, i, n int) (first, last, count int) {
	first = i*g.Stride[axis] - g.Pad[axis]
	end := min(first+g.Window[axis], n+g.Pad[axis])
	last = min(end, n)
	count = end - first
	first = max(first, 0)
	if g.Count == PoolInside {
		count = last - first
	}
	return first, max(first, last), count
}

func pooling[T float](part PoolPart) PoolFunc {
	return func(g *Pooling, dst, a, b, c unsafe.Pointer, stop Stop) bool {
		inside, places := g.H*g.W, g.Ho*g.Wo
		toImage := part == PoolSpread || part == PoolMaxGrad
		for image := range g.Images {
			at := func(p unsafe.Pointer, size int) []T {
				return vec[T](unsafe.Add(p, image*size*int(unsafe.Sizeof(T(0)))), size)
			}
			w := poolWindows[T]{Pooling: g}
			if toImage {
				w.dst = at(dst, inside)
				clear(w.dst)
			} else {
				w.dst = at(dst, places)
			}
			switch part {
			case PoolMax:
				w.a = at(a, inside)
				w.max()
			case PoolAdd:
				w.a = at(a, inside)
				w.sums(func(place int, e int, scale T) { w.dst[place] += w.a[e] }, true)
			case PoolSpread:
				w.a = at(a, places)
				w.sums(func(place int, e int, scale T) { w.dst[e] += w.a[place] / scale }, false)
			case PoolMaxGrad:
				x, y, v := at(a, inside), at(b, places), at(c, places)
				w.sums(func(place int, e int, _ T) {
					if x[e] == y[place] {
						w.dst[e] += v[place]
					}
				}, false)
			case PoolMaxGather:
				x, y, v := at(a, inside), at(b, places), at(c, inside)
				clear(w.dst)
				w.sums(func(place int, e int, _ T) {
					if x[e] == y[place] {
						w.dst[place] += v[e]
					}
				}, false)
			}
			if Stopped(stop) {
				return false
			}
		}
		return true
	}
}

// poolWindows is the arrays of one image.
type poolWindows[T float] struct {
	*Pooling
	dst, a []T
}

// each calls f for the window of each place.
func (w *poolWindows[T]) each(f func(place, top, bottom, left, right, count int)) {
	for i := range w.Ho {
		top, bottom, rows := w.span(0, i, w.H)
		for j := range w.Wo {
			left, right, cols := w.span(1, j, w.W)
			f(i*w.Wo+j, top, bottom, left, right, rows*cols)
		}
	}
}

func (w *poolWindows[T]) max() {
	w.each(func(place, top, bottom, left, right, _ int) {
		m := T(math.Inf(-1))
		for h := top; h < bottom; h++ {
			for _, v := range w.a[h*w.W:][left:right] {
				if v > m || v != v {
					m = v
				}
			}
		}
		w.dst[place] = m
	})
}

// sums calls add for each element e of each window; scale is what the window's sum is divided by.
// With averages dst has sums, which are divided.
func (w *poolWindows[T]) sums(add func(place, e int, scale T), averages bool) {
	w.each(func(place, top, bottom, left, right, count int) {
		scale := T(count)
		if w.Count == PoolSum {
			scale = 1
		}
		if averages {
			w.dst[place] = 0
		}
		for h := top; h < bottom; h++ {
			for v := left; v < right; v++ {
				add(place, h*w.W+v, scale)
			}
		}
		if averages {
			w.dst[place] /= scale
		}
	})
}
