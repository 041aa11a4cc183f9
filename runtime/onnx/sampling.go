package onnx

import (
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "GridSample", Since: []int{16, 20, 22}, Least: 2, Most: 2, Attrs: "align_corners:int=0 mode:string=linear padding_mode:string=zeros", Doc: "images at coordinates from -1 to 1: nearest, linear or cubic", build: gridSample},
	Operator{Name: "RoiAlign", Since: []int{10, 16, 22}, Least: 3, Most: 3, Attrs: "coordinate_transformation_mode:string mode:string=avg output_height:int=1 output_width:int=1 sampling_ratio:int=0 spatial_scale:float=1", Doc: "regions of images in a fixed number of parts, of linear samples; sampling_ratio 0 is refused", build: roiAlign},
	Operator{Name: "NonMaxSuppression", Since: []int{10, 11}, Least: 2, Most: 5, Attrs: "center_point_box:int=0", Doc: "the boxes with the highest scores that overlap no better one", build: nonMaxSuppression},
)

func gridSample(c *call) []V {
	x, grid := c.x(0), c.x(1)
	axes := x.Rank() - 2
	if axes < 1 || axes > 3 || grid.Rank() != x.Rank() {
		c.fail("got %v and %v, want images of 1 to 3 axes behind the first two, and a grid of as many axes", x.Type, grid.Type)
	}
	g := sampler{c: c, x: x, padding: c.text("padding_mode"), corners: c.flag("align_corners")}
	if !slices.Contains([]string{"zeros", "border", "reflection"}, g.padding) {
		c.fail("attribute padding_mode: got %q, want zeros, border or reflection", g.padding)
	}
	mode := c.text("mode")
	taps := make([][]tap, axes)
	for i := range taps { // the last coordinate is that of the first axis
		at := formula.At(c.b, grid, grid.Rank()-1, axes-1-i)
		n := c.cast(c.dims(x)[2+i], at.DType())
		if g.corners {
			at = c.do(op.Mul, c.do(op.Mul, c.do(op.Add, at, 1.0), 0.5), c.do(op.Sub, n, 1.0))
		} else {
			at = c.do(op.Mul, c.do(op.Sub, c.do(op.Mul, c.do(op.Add, at, 1.0), n), 1.0), 0.5)
		}
		switch mode {
		case "nearest":
			taps[i] = []tap{{at: c.do(op.Round, g.inside(at, n))}}
		case "linear", "bilinear":
			at = g.inside(at, n)
			low := c.do(op.Floor, at)
			part := c.do(op.Sub, at, low)
			taps[i] = []tap{{low, c.do(op.Sub, c.float(part, 1), part)}, {c.do(op.Add, low, 1.0), part}}
		case "cubic", "bicubic":
			low := c.do(op.Floor, at)
			part := c.do(op.Sub, at, low)
			for k := range 4 {
				taps[i] = append(taps[i], tap{c.do(op.Add, low, float64(k-1)), c.cubic(c.do(op.Sub, part, float64(k-1)))})
			}
		default:
			c.fail("attribute mode: got %q, want nearest, linear or cubic", mode)
		}
	}
	return []V{g.sum(taps)}
}

// A tap is an element that a sample is made of along an axis: its position, as a float, and its
// weight, nil for 1.
type tap struct{ at, weight V }

// A sampler reads elements of x: [N, C, ...] at positions of the axes behind the first two.
type sampler struct {
	c       *call
	x       V
	padding string
	corners bool
}

// inside are coordinates along an axis of n elements, moved inside if the padding says so.
func (g sampler) inside(at, n V) V {
	c := g.c
	last := c.do(op.Sub, n, 1.0)
	switch g.padding {
	case "border":
		return c.do(op.Minimum, c.do(op.Maximum, at, 0.0), last)
	case "reflection":
		low, span := c.float(at, -0.5), n
		if g.corners {
			low, span = c.zero(at), last
		}
		period := c.do(op.Mul, span, 2.0)
		t := c.do(op.Mod, c.do(op.Sub, at, low), period)
		return c.do(op.Add, c.do(op.Minimum, t, c.do(op.Sub, period, t)), low)
	}
	return at
}

// sum is the sum over the products of taps of all axes.
func (g sampler) sum(taps [][]tap) V {
	c := g.c
	rank := taps[0][0].at.Rank()
	batch := c.spread(formula.UpTo(c.b, c.dims(g.x)[0]), 0, rank)
	index := op.Subscripts("v : " + strings.Join(slices.Repeat([]string{"v"}, len(taps)), " "))
	var total V
	var visit func(axis int, operands []V, weight, outside V)
	visit = func(axis int, operands []V, weight, outside V) {
		if axis == len(taps) {
			y := c.b.Apply(op.AdvancedSubtensor{Index: index}, operands...) // [N, ..., C]
			wide := append(upTo(rank), tensor.NewAxis)
			if outside != nil {
				y = c.do(op.Switch, c.permute(outside, wide...), c.zero(y), y)
			}
			if weight != nil {
				y = c.do(op.Mul, y, c.permute(c.cast(weight, y.DType()), wide...))
			}
			if total == nil {
				total = y
			} else {
				total = c.do(op.Add, total, y)
			}
			return
		}
		n := c.dims(g.x)[2+axis]
		for _, t := range taps[axis] {
			size := c.cast(n, t.at.DType())
			at := g.inside(t.at, size)
			over := outside
			if g.padding == "zeros" {
				out := c.do(op.Or, c.do(op.Lt, at, 0.0), c.do(op.Ge, at, size))
				if over = out; outside != nil {
					over = c.do(op.Or, outside, out)
				}
			}
			at = c.do(op.Minimum, c.do(op.Maximum, c.do(op.Round, at), 0.0), c.do(op.Sub, size, 1.0))
			w := weight
			if t.weight != nil {
				if w = t.weight; weight != nil {
					w = c.do(op.Mul, weight, t.weight)
				}
			}
			visit(axis+1, append(slices.Clone(operands), c.cast(at, kernels.Int64)), w, over)
		}
	}
	visit(0, []V{g.x, batch}, nil, nil)
	order := append([]int{0, rank}, upTo(rank)[1:]...)
	return c.permute(total, order...)
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// cubic is Keys' weight of an element at a distance, with a = -0.75.
func (c *call) cubic(distance V) V {
	const a = -0.75
	x := c.do(op.Abs, distance)
	near := c.do(op.Add, c.do(op.Mul, c.do(op.Mul, c.do(op.Sub, c.do(op.Mul, x, a+2), a+3), x), x), 1.0)
	far := c.do(op.Sub, c.do(op.Mul, c.do(op.Add, c.do(op.Mul, c.do(op.Sub, c.do(op.Mul, x, a), 5*a), x), 8*a), x), 4*a)
	return c.do(op.Switch, c.do(op.Le, x, 1.0), near, far)
}

// roiAlign samples each part of each region at sampling_ratio places along both axes.
func roiAlign(c *call) []V {
	x, rois := c.x(0), c.x(1)
	d := c.images(x)
	ratio := c.int("sampling_ratio")
	if ratio < 1 {
		c.fail("attribute sampling_ratio: got %d, want at least 1: with 0 the number of samples depends on the regions", ratio)
	}
	half := c.version >= 16
	if c.hasAttr("coordinate_transformation_mode") {
		half = c.text("coordinate_transformation_mode") == "half_pixel"
	}
	type axis struct{ low, high, share, none V } // [regions, samples]
	along := func(first, last, parts int, n V) (a axis) {
		scaled := func(k int) V {
			v := c.do(op.Mul, formula.At(c.b, rois, 1, k), c.number("spatial_scale"))
			if half {
				v = c.do(op.Sub, v, 0.5)
			}
			return v
		}
		begin := scaled(first)
		span := c.do(op.Sub, scaled(last), begin)
		if !half {
			span = c.do(op.Maximum, span, 1.0)
		}
		samples := make([]float64, parts*ratio)
		for i := range samples {
			samples[i] = (float64(i) + 0.5) / float64(parts*ratio)
		}
		at := c.do(op.Add, c.permute(begin, 0, -1), c.do(op.Mul, c.permute(span, 0, -1), c.permute(c.vectorOf(x.DType(), samples), -1, 0)))
		size := c.cast(n, x.DType())
		a.none = c.do(op.Or, c.do(op.Lt, at, -1.0), c.do(op.Gt, at, size))
		end := c.do(op.Sub, size, 1.0)
		at = c.do(op.Minimum, c.do(op.Maximum, at, 0.0), end)
		low := c.do(op.Floor, at)
		a.share = c.do(op.Sub, at, low)
		a.low = c.cast(low, kernels.Int64)
		a.high = c.cast(c.do(op.Minimum, c.do(op.Add, low, 1.0), end), kernels.Int64)
		return a
	}
	height, width := c.int("output_height"), c.int("output_width")
	c.positive("output_height", height)
	c.positive("output_width", width)
	rows, columns := along(1, 3, height, d[2]), along(0, 2, width, d[3])
	image := c.permute(c.cast(c.x(2), kernels.Int64), 0, -1, -1)
	row := func(v V) V { return c.permute(v, 0, 1, -1) }
	column := func(v V) V { return c.permute(v, 0, -1, 1) }
	largest := c.text("mode") == "max"
	var total V
	for _, r := range []struct {
		at    V
		other bool
	}{{rows.low, true}, {rows.high, false}} {
		for _, k := range []struct {
			at    V
			other bool
		}{{columns.low, true}, {columns.high, false}} {
			share := func(v V, other bool) V {
				if other {
					return c.do(op.Sub, c.float(v, 1), v)
				}
				return v
			}
			// [regions, rows, columns, C]
			y := c.b.Apply(op.AdvancedSubtensor{Index: "v : v v"}, x, image, row(r.at), column(k.at))
			w := c.do(op.Mul, row(share(rows.share, r.other)), column(share(columns.share, k.other)))
			y = c.do(op.Mul, y, c.permute(w, 0, 1, 2, -1))
			switch {
			case total == nil:
				total = y
			case largest:
				total = c.do(op.Maximum, total, y)
			default:
				total = c.do(op.Add, total, y)
			}
		}
	}
	none := c.permute(c.do(op.Or, row(rows.none), column(columns.none)), 0, 1, 2, -1)
	total = c.do(op.Switch, none, c.zero(total), total)
	e := c.dims(total)
	total = c.reshape(total, e[0], c.num(height), c.num(ratio), c.num(width), c.num(ratio), e[3])
	axes := tensor.AxesOf(2, 4)
	if largest {
		total = c.reduce(op.Max, total, axes, false)
	} else {
		total = op.Mean(c.b, total, axes)
	}
	return []V{c.permute(total, 0, 3, 1, 2)}
}

// nonMaxSuppression takes, step by step, the best box that is left of each class of each batch, and
// drops those that overlap it.
func nonMaxSuppression(c *call) []V {
	boxes, scores := c.x(0), c.x(1) // [batches, n, 4] and [batches, classes, n]
	if boxes.Rank() != 3 || scores.Rank() != 3 {
		c.fail("got %v and %v, want 3 axes each", boxes.Type, scores.Type)
	}
	at := func(k int) V { return formula.At(c.b, boxes, 2, k) }
	var y1, x1, y2, x2 V
	if c.flag("center_point_box") {
		half := func(k int) V { return c.do(op.Mul, at(k), 0.5) }
		x1, x2 = c.do(op.Sub, at(0), half(2)), c.do(op.Add, at(0), half(2))
		y1, y2 = c.do(op.Sub, at(1), half(3)), c.do(op.Add, at(1), half(3))
	} else {
		y1, y2 = c.do(op.Minimum, at(0), at(2)), c.do(op.Maximum, at(0), at(2))
		x1, x2 = c.do(op.Minimum, at(1), at(3)), c.do(op.Maximum, at(1), at(3))
	}
	d := c.dims(scores)
	most := c.num(0)
	if c.has(2) {
		most = c.cast(c.scalar(2), kernels.Int64)
	}
	limit := c.or(3, boxes, 0)
	if limit.Rank() > 0 {
		limit = c.reshape(limit)
	}
	none := c.float(scores, math.Inf(-1))
	left := scores
	if c.has(4) {
		left = c.do(op.Switch, c.do(op.Gt, scores, c.scalar(4)), scores, none)
	}
	corners := []V{y1, x1, y2, x2}
	for i, v := range corners {
		corners[i] = c.permute(v, 0, -1, 1) // [batches, 1, n]
	}
	y1, x1, y2, x2 = corners[0], corners[1], corners[2], corners[3]
	area := c.do(op.Mul, c.do(op.Sub, y2, y1), c.do(op.Sub, x2, x1))
	numbers := c.spread(formula.UpTo(c.b, d[2]), 2, 3)
	if left.Type.Dim(1) == 1 { // one class: the length must not be taken for one that repeats
		left = c.b.Apply(op.SpecifyShape{Dims: op.DimsOf(scores.Type)}, left)
	}
	_, found := c.run(loop{count: c.b.Apply(op.Minimum, most, d[2]), states: []V{left}, step: func(_, states []V) (V, []V, []V) {
		left := states[0]
		best := formula.KeepAxes(c.b, formula.Extreme(c.b, left, tensor.AxesOf(2), false, false), tensor.AxesOf(2), 3)
		valid := c.do(op.Gt, c.reduce(op.Max, left, tensor.AxesOf(2), true), none)
		its := func(v V) V { // of the best box: [batches, classes, 1]
			return c.reduce(op.Sum, c.do(op.Switch, c.do(op.Eq, numbers, best), v, c.zero(v)), tensor.AxesOf(2), true)
		}
		high := c.do(op.Maximum, c.do(op.Sub, c.do(op.Minimum, y2, its(y2)), c.do(op.Maximum, y1, its(y1))), 0.0)
		wide := c.do(op.Maximum, c.do(op.Sub, c.do(op.Minimum, x2, its(x2)), c.do(op.Maximum, x1, its(x1))), 0.0)
		both := c.do(op.Mul, high, wide)
		union := c.do(op.Sub, c.do(op.Add, area, its(area)), both)
		overlaps := c.do(op.Gt, both, c.do(op.Mul, union, c.cast(limit, union.DType())))
		drop := c.do(op.Or, overlaps, c.do(op.Eq, numbers, best))
		next := c.do(op.Switch, drop, none, left)
		pick := c.do(op.Switch, valid, best, c.num(-1))
		return nil, []V{next}, []V{formula.At(c.b, pick, 2, 0)}
	}})
	picks := c.permute(found[0], 1, 2, 0) // [batches, classes, steps]
	places := c.b.Apply(op.ArgWhere{}, c.do(op.Ge, picks, c.num(0)))
	list := []V{picks, formula.At(c.b, places, 1, 0), formula.At(c.b, places, 1, 1), formula.At(c.b, places, 1, 2)}
	chosen := c.b.Apply(op.AdvancedSubtensor{Index: "v v v"}, list...)
	return []V{got(formula.Stack(c.b, 1, []V{list[1], list[2], chosen}))}
}
