package onnx

import (
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var _ = add(
	Operator{Name: "Resize", Since: []int{10, 11, 13, 18, 19}, Least: 1, Most: 4,
		Attrs: "antialias:int=0 axes:ints coordinate_transformation_mode:string=half_pixel cubic_coeff_a:float=-0.75 exclude_outside:int=0 " +
			"extrapolation_value:float=0 keep_aspect_ratio_policy:string=stretch mode:string=nearest nearest_mode:string=round_prefer_floor",
		Doc: "x with more or less elements along axes: nearest, linear or cubic", build: resize},
	Operator{Name: "Upsample", Since: []int{7, 9, 10}, Least: 1, Most: 2, Attrs: "mode:string=nearest scales:floats", Doc: "Resize under its older name, asymmetric", build: func(c *call) []V {
		x := c.x(0)
		scales := c.floats("scales")
		if c.has(1) {
			scales = c.staticFloats(1)
		}
		r := resizing{mode: c.text("mode"), coordinates: "asymmetric", nearest: "floor", cubic: -0.75}
		for axis := range x.Rank() {
			if axis < len(scales) && scales[axis] != 1 {
				n := c.length(x, axis)
				x = c.resized(x, axis, r, n, int(math.Floor(float64(n)*scales[axis])), scales[axis], [2]float64{0, 1})
			}
		}
		return []V{x}
	}},
)

// resizing is what a node says of how elements between others are found.
type resizing struct {
	mode, coordinates, nearest string
	cubic                      float64
	outside, antialias         bool // of exclude_outside
	extrapolation              float64
}

func resize(c *call) []V {
	x := c.x(0)
	r := resizing{mode: c.text("mode"), coordinates: c.text("coordinate_transformation_mode"), nearest: c.text("nearest_mode"),
		cubic: c.number("cubic_coeff_a"), outside: c.flag("exclude_outside"), antialias: c.flag("antialias"), extrapolation: c.number("extrapolation_value")}
	scaleAt, roi := 2, []float64(nil)
	if c.version < 11 {
		scaleAt, r.coordinates, r.nearest = 1, "asymmetric", "floor"
	} else if c.has(1) && r.coordinates == "tf_crop_and_resize" {
		roi = c.staticFloats(1)
	}
	axes := c.ints("axes")
	if axes == nil {
		for axis := range x.Rank() {
			axes = append(axes, axis)
		}
	}
	var scales []float64
	var sizes []int
	if c.has(scaleAt) {
		scales = c.staticFloats(scaleAt)
	}
	if c.version >= 11 && c.has(3) {
		sizes = c.staticInts(3)
	}
	if len(scales) == 0 && len(sizes) == 0 || len(scales) > 0 && len(scales) != len(axes) || len(sizes) > 0 && len(sizes) != len(axes) {
		c.fail("got %d scales and %d sizes, want %d of either", len(scales), len(sizes), len(axes))
	}
	if roi != nil && len(roi) != 2*len(axes) {
		c.fail("%s: got %d numbers, want %d", c.name(1), len(roi), 2*len(axes))
	}
	if policy := c.text("keep_aspect_ratio_policy"); len(sizes) > 0 && policy != "stretch" {
		scales, sizes = c.keptAspect(x, axes, sizes, policy)
	}
	for i, a := range axes {
		axis := c.axis(a, x.Rank())
		if len(sizes) == 0 && roi == nil {
			if scales[i] == 1 {
				continue
			}
			if x.Dim(axis) == graph.Unknown && r.repeats(scales[i]) {
				x = got(formula.Repeat(c.b, x, c.num(int(scales[i])), &axis))
				continue
			}
		}
		n := c.length(x, axis)
		span := [2]float64{0, 1}
		if roi != nil {
			span = [2]float64{roi[i], roi[len(axes)+i]}
		}
		var scale float64
		var length int
		switch {
		case len(scales) > 0 && len(sizes) > 0:
			scale, length = scales[i], sizes[i]
		case len(scales) > 0:
			scale = scales[i]
			if !(scale > 0) || scale > 1<<20 {
				c.fail("%s: got a scale of %v, want a positive number", c.name(scaleAt), scale)
			}
			length = int(math.Floor(float64(n) * (span[1] - span[0]) * scale))
		default:
			if length = sizes[i]; length < 0 {
				c.fail("%s: got %d, want a length", c.name(3), length)
			}
			scale = float64(length) / float64(n)
		}
		if length == n && scale == 1 && roi == nil {
			continue
		}
		if length > maxTable {
			c.fail("got a length of %d, want at most %d", length, maxTable)
		}
		x = c.resized(x, axis, r, n, length, scale, span)
	}
	return []V{x}
}

// repeats reports whether the result is each element scale times, whatever the length.
func (r resizing) repeats(scale float64) bool {
	if r.mode != "nearest" || scale != math.Floor(scale) || scale < 1 || scale > maxParts {
		return false
	}
	return r.coordinates == "asymmetric" && r.nearest == "floor" || r.coordinates == "half_pixel" && strings.HasPrefix(r.nearest, "round")
}

// keptAspect are the scales and sizes of axes that are to be scaled alike.
func (c *call) keptAspect(x V, axes, sizes []int, policy string) (scales []float64, lengths []int) {
	scale := math.NaN()
	for i, a := range axes {
		s := float64(sizes[i]) / float64(c.length(x, c.axis(a, x.Rank())))
		switch {
		case math.IsNaN(scale):
			scale = s
		case policy == "not_larger":
			scale = min(scale, s)
		case policy == "not_smaller":
			scale = max(scale, s)
		default:
			c.fail("attribute keep_aspect_ratio_policy: got %q, want stretch, not_larger or not_smaller", policy)
		}
	}
	for _, a := range axes {
		n := c.length(x, c.axis(a, x.Rank()))
		scales, lengths = append(scales, scale), append(lengths, int(math.Floor(scale*float64(n)+0.5)))
	}
	return scales, lengths
}

// resized is x with length elements along an axis of n: a sum of elements at positions, times
// weights that depend on the place alone.
func (c *call) resized(x V, axis int, r resizing, n, length int, scale float64, span [2]float64) V {
	if n == 0 || length == 0 {
		return c.broadcast(c.part(x, axis, 0, 0), c.dims(x))
	}
	taps, weights, outside := r.taps(c, n, length, scale, span)
	var sum V
	for k := range taps {
		part := c.take(x, c.positions(taps[k]), axis)
		if weights != nil {
			part = c.do(op.Mul, part, c.spread(c.vectorOf(x.DType(), weights[k]), axis, x.Rank()))
		}
		if sum == nil {
			sum = part
		} else {
			sum = c.do(op.Add, sum, part)
		}
	}
	if slices.Contains(outside, 1) {
		mask := c.cast(c.spread(c.vectorOf(x.DType(), outside), axis, x.Rank()), kernels.Bool)
		sum = c.do(op.Switch, mask, c.lowest(x, r.extrapolation), sum)
	}
	return sum
}

// original is where place i of the result lies in x.
func (r resizing) original(c *call, i, n, length int, scale float64, span [2]float64) float64 {
	at := float64(i)
	wide := float64(n) * scale // the length before it was rounded
	switch r.coordinates {
	case "half_pixel":
		return (at+0.5)/scale - 0.5
	case "half_pixel_symmetric": // around the middle, whatever rounding the length did
		adjustment := float64(length) / wide
		middle := float64(n) / 2
		return middle*(1-adjustment) + (at+0.5)/scale - 0.5
	case "pytorch_half_pixel":
		if length == 1 {
			return 0
		}
		return (at+0.5)/scale - 0.5
	case "align_corners":
		if length == 1 {
			return 0
		}
		return at * float64(n-1) / (wide - 1)
	case "asymmetric":
		return at / scale
	case "tf_half_pixel_for_nn":
		return (at + 0.5) / scale
	case "tf_crop_and_resize":
		last := float64(n - 1)
		if length == 1 {
			return 0.5 * (span[0] + span[1]) * last
		}
		return span[0]*last + at*(span[1]-span[0])*last/float64(length-1)
	}
	c.fail("attribute coordinate_transformation_mode: got %q, which is not known", r.coordinates)
	return 0
}

// taps are, for each place of the result, the positions in x that it is made of and their weights,
// nil if they are 1, and whether it lies outside of x.
func (r resizing) taps(c *call, n, length int, scale float64, span [2]float64) (taps [][]int, weights [][]float64, outside []float64) {
	outside = make([]float64, length)
	places := make([]float64, length)
	for i := range places {
		places[i] = r.original(c, i, n, length, scale, span)
		if r.coordinates == "tf_crop_and_resize" && (places[i] < 0 || places[i] > float64(n-1)) {
			outside[i] = 1
		}
	}
	if r.mode == "nearest" {
		taps = [][]int{make([]int, length)}
		for i, x := range places {
			taps[0][i] = within(r.round(c, x), n-1+1)
			taps[0][i] = min(taps[0][i], n-1)
		}
		return taps, nil, outside
	}
	reach, stretch := 1.0, 1.0
	switch r.mode {
	case "linear", "bilinear":
	case "cubic", "bicubic":
		reach = 2
	default:
		c.fail("attribute mode: got %q, want nearest, linear or cubic", r.mode)
	}
	if r.antialias && scale < 1 {
		stretch = scale
	}
	count := 2 * int(math.Ceil(reach/stretch))
	taps, weights = make([][]int, count), make([][]float64, count)
	for k := range taps {
		taps[k], weights[k] = make([]int, length), make([]float64, length)
	}
	for i, x := range places {
		first := int(math.Floor(x)) - count/2 + 1
		total := 0.0
		for k := range taps {
			at := first + k
			w := r.weight((x - float64(at)) * stretch)
			if r.outside && (at < 0 || at >= n) {
				w = 0
			}
			taps[k][i], weights[k][i] = min(max(at, 0), n-1), w
			total += w
		}
		if r.outside || stretch != 1 {
			for k := range taps {
				weights[k][i] /= total
			}
		}
	}
	return taps, weights, outside
}

// weight is that of an element at a distance. The cubic one is by R. Keys, Cubic convolution
// interpolation for digital image processing, 1981.
func (r resizing) weight(distance float64) float64 {
	x, a := math.Abs(distance), r.cubic
	switch {
	case r.mode == "linear" || r.mode == "bilinear":
		return max(1-x, 0)
	case x <= 1:
		return ((a+2)*x-(a+3))*x*x + 1
	case x < 2:
		return ((a*x-5*a)*x+8*a)*x - 4*a
	}
	return 0
}

// round is the position nearest to x, as nearest_mode says.
func (r resizing) round(c *call, x float64) int {
	var at float64
	switch r.nearest {
	case "round_prefer_floor":
		at = math.Ceil(x - 0.5)
	case "round_prefer_ceil":
		at = math.Floor(x + 0.5)
	case "floor":
		at = math.Floor(x)
	case "ceil":
		at = math.Ceil(x)
	default:
		c.fail("attribute nearest_mode: got %q, which is not known", r.nearest)
	}
	return int(max(at, 0))
}
