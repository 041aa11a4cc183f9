package onnx

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "MaxPool", Since: []int{1, 8, 10, 11, 12, 22}, Least: 1, Most: 1, Attrs: windowAttrs + "ceil_mode:int=0 storage_order:int=0", Doc: "the largest element of windows, and where it stands", build: maxPool},
	Operator{Name: "AveragePool", Since: []int{1, 7, 10, 11, 19, 22}, Least: 1, Most: 1, Attrs: windowAttrs + "ceil_mode:int=0 count_include_pad:int=0", Doc: "the mean of windows", build: averagePool},
	Operator{Name: "LpPool", Since: []int{1, 2, 11, 18, 22}, Least: 1, Most: 1, Attrs: windowAttrs + "ceil_mode:int=0 p:int=2", Doc: "the p-norm of windows", build: func(c *call) []V {
		x, p := c.x(0), float64(c.int("p"))
		w, pads, more := c.pooling(x)
		sum := c.windows(c.do(op.Pow, c.do(op.Abs, x), p), w, pads, more, op.Add, 0)
		return []V{c.do(op.Pow, sum, 1/p)}
	}},
	Operator{Name: "MaxUnpool", Since: []int{9, 11, 22}, Least: 2, Most: 3, Attrs: "kernel_shape:ints pads:ints strides:ints", Doc: "elements back at the places that MaxPool found, zeros around", build: maxUnpool},
	Operator{Name: "MaxRoiPool", Since: []int{1, 22}, Least: 2, Most: 2, Attrs: "pooled_shape:ints spatial_scale:float=1", Doc: "the largest elements of parts of regions of images", build: maxRoiPool},
)

// pooling reads the windows of a pool. more is how many elements are missing behind the border
// along each axis for the last window, which ceil_mode lets be cut.
func (c *call) pooling(x V) (w window, pads [][2]int, more []int) {
	axes := x.Rank() - 2
	if axes < 1 {
		c.fail("%s: got %v, want at least 3 axes", c.name(0), x.Type)
	}
	w = c.window(axes, nil)
	pads = slices.Clone(c.borders(w, x))
	more = make([]int, axes)
	if c.flag("ceil_mode") {
		for i := range axes {
			n := c.length(x, 2+i) + pads[i][0] + pads[i][1]
			over := (n - w.reach(i)) % w.stride[i]
			// A window that would begin behind the image and what is before it is left out.
			if over > 0 && (n-w.reach(i))/w.stride[i]*w.stride[i]+w.stride[i] < c.length(x, 2+i)+pads[i][0] {
				more[i] = w.stride[i] - over
			}
		}
	}
	return w, pads, more
}

// plain reports whether the operation for windows of images can be used: two axes at most, the same
// border on both sides and narrower than the window.
func (w window) plain(pads [][2]int, more []int) bool {
	for i := range w.size {
		if w.dilation[i] != 1 || more[i] != 0 || pads[i][0] != pads[i][1] || pads[i][0] >= w.size[i] {
			return false
		}
	}
	return len(w.size) <= 2
}

// pool applies the operation for windows of images.
func (c *call) pool(x V, w window, pads [][2]int, kind op.PoolKind) V {
	size, stride, pad := op.Pair{1, 1}, op.Pair{1, 1}, op.Pair{}
	for i := range w.size {
		k := 2 - len(w.size) + i
		size[k], stride[k], pad[k] = w.size[i], w.stride[i], pads[i][0]
	}
	o := op.Pool{Kind: kind, Pooling: op.NewPooling(size, stride, pad, false)}
	if len(w.size) == 1 {
		return c.permute(c.b.Apply(o, c.permute(x, 0, 1, -1, 2)), 0, 1, 3)
	}
	return c.b.Apply(o, x)
}

// windows combines the elements of windows, one axis after the other, with a border of a value.
func (c *call) windows(x V, w window, pads [][2]int, more []int, e op.Elemwise, border float64) V {
	for i := range w.size {
		c.few("kernel_shape", w.size[i])
		x = c.around(x, 2+i, c.num(pads[i][0]), c.num(pads[i][1]+more[i]), c.lowest(x, border))
		var all V
		for k := range w.size[i] {
			part := c.strided(x, 2+i, k*w.dilation[i], w.reach(i), w.stride[i])
			if all == nil {
				all = part
			} else {
				all = c.do(e, all, part)
			}
		}
		x = all
	}
	return x
}

// lowest is a value in x's element type; -inf is the least one of integers.
func (c *call) lowest(x V, value float64) V {
	if d := x.DType(); math.IsInf(value, -1) && !d.IsFloat() {
		least := int64(0)
		if d.IsSigned() {
			least = math.MinInt64 >> (64 - 8*d.Size())
		}
		return c.b.Constant(tensor.IntScalar(d, least))
	}
	return c.float(x, value)
}

func maxPool(c *call) []V {
	x := c.x(0)
	w, pads, more := c.pooling(x)
	if !c.wants(1) {
		if x.DType().IsFloat() && w.plain(pads, more) {
			return []V{c.pool(x, w, pads, op.PoolMax)}
		}
		return []V{c.windows(x, w, pads, more, op.Maximum, math.Inf(-1))}
	}
	return c.maxPlaces(x, w, pads, more)
}

// maxPlaces is the largest elements and their positions in the flattened x, with the rows of images
// in the order of C or, by storage_order, the columns.
func (c *call) maxPlaces(x V, w window, pads [][2]int, more []int) []V {
	at := c.flatPositions(x)
	border := c.lowest(x, math.Inf(-1))
	parts := 1
	for _, n := range w.size {
		parts *= n
		c.few("kernel_shape", parts)
	}
	wide, places := x, at
	for i := range w.size {
		before, after := c.num(pads[i][0]), c.num(pads[i][1]+more[i])
		wide, places = c.around(wide, 2+i, before, after, border), c.around(places, 2+i, before, after, c.num(0))
	}
	var best, where V
	offset := make([]int, len(w.size))
	for {
		v, p := wide, places
		for i, k := range offset {
			v = c.strided(v, 2+i, k*w.dilation[i], w.reach(i), w.stride[i])
			p = c.strided(p, 2+i, k*w.dilation[i], w.reach(i), w.stride[i])
		}
		if best == nil {
			best, where = v, p
		} else {
			better := c.do(op.Gt, v, best)
			best, where = c.do(op.Switch, better, v, best), c.do(op.Switch, better, p, where)
		}
		i := len(offset) - 1
		for ; i >= 0; i-- {
			if offset[i]++; offset[i] < w.size[i] {
				break
			}
			offset[i] = 0
		}
		if i < 0 {
			return []V{best, where}
		}
	}
}

// flatPositions is, for each element of x, its position in the flattened x; by storage_order 1 with
// the axes of images the other way round.
func (c *call) flatPositions(x V) V {
	d := c.dims(x)
	n := op.Product(c.b, d)
	if !c.flag("storage_order") {
		return c.reshape(formula.UpTo(c.b, n), d...)
	}
	order := []int{0, 1}
	turned := []V{d[0], d[1]}
	for axis := x.Rank() - 1; axis > 1; axis-- {
		order, turned = append(order, axis), append(turned, d[axis])
	}
	return c.permute(c.reshape(formula.UpTo(c.b, n), turned...), order...)
}

func averagePool(c *call) []V {
	x := c.x(0)
	w, pads, more := c.pooling(x)
	padded := c.flag("count_include_pad")
	if w.plain(pads, more) {
		kind := op.PoolInside
		if padded {
			kind = op.PoolPadded
		}
		return []V{c.pool(x, w, pads, kind)}
	}
	// What a window counts is the same sum, of ones: where the border counts, its ones too.
	ones := formula.BroadcastTo(c.b, c.float(x, 1), c.dims(x))
	inside := pads
	if padded {
		inside = make([][2]int, len(pads))
		for i, p := range pads {
			ones = c.around(ones, 2+i, c.num(p[0]), c.num(p[1]), c.float(x, 1))
		}
	}
	sum := c.windows(x, w, pads, more, op.Add, 0)
	return []V{c.do(op.TrueDiv, sum, c.windows(ones, w, inside, more, op.Add, 0))}
}

func maxUnpool(c *call) []V {
	x, at := c.x(0), c.x(1)
	d := c.dims(x)
	axes := x.Rank() - 2
	size, strides, pads := c.ints("kernel_shape"), c.ints("strides"), c.ints("pads")
	if strides == nil {
		strides = slices.Repeat([]int{1}, axes)
	}
	if pads == nil {
		pads = make([]int, 2*axes)
	}
	if axes < 1 || len(size) != axes || len(strides) != axes || len(pads) != 2*axes {
		c.fail("got kernel_shape %v, strides %v and pads %v for %d axes", size, strides, pads, axes)
	}
	own := []V{d[0], d[1]} // the shape to which positions belong
	for i := range axes {
		own = append(own, c.plus(c.times(c.plus(d[2+i], -1), strides[i]), size[i]-pads[i]-pads[axes+i]))
	}
	shape := own
	if c.has(2) {
		shape = c.lengths(2)
	}
	zeros := formula.BroadcastTo(c.b, c.zero(x), []V{op.Product(c.b, shape)})
	flat := formula.Ravel(c.b, c.cast(at, kernels.Int64))
	if c.has(2) { // positions are those in the smaller result
		list := got(formula.UnravelIndex(c.b, flat, own, "C"))
		flat = got(formula.RavelMultiIndex(c.b, list, shape, "raise", "C"))
	}
	y := c.b.Apply(op.AdvancedIncSubtensor{Index: "v", Set: true}, zeros, formula.Ravel(c.b, x), flat)
	return []V{c.reshape(y, shape...)}
}

// maxRoiPool takes, for each region (image, x1, y1, x2, y2) and each of the parts in which pooled
// rows and columns cut it, the largest element; of no elements it is 0.
func maxRoiPool(c *call) []V {
	x, rois := c.x(0), c.x(1)
	shape := c.ints("pooled_shape")
	if len(shape) != 2 {
		c.fail("attribute pooled_shape: got %v, want 2 numbers", shape)
	}
	scale := c.number("spatial_scale")
	d := c.images(x)
	images := c.b.Apply(op.Take{}, x, c.cast(formula.At(c.b, rois, 1, 0), kernels.Int64))
	// bounds are which rows, or columns, belong to which part: [regions, parts, n].
	bounds := func(first, last, parts int, n V) V {
		round := func(k int) V {
			v := c.do(op.Mul, formula.At(c.b, rois, 1, k), scale)
			return c.do(op.Floor, c.do(op.Add, v, 0.5))
		}
		low := round(first)
		span := c.do(op.Maximum, c.do(op.Add, c.do(op.Sub, round(last), low), 1.0), 1.0)
		size := c.permute(c.do(op.TrueDiv, span, float64(parts)), 0, -1)
		i := c.permute(c.cast(formula.UpTo(c.b, c.num(parts)), x.DType()), -1, 0)
		begin := c.do(op.Add, c.do(op.Floor, c.do(op.Mul, size, i)), c.permute(low, 0, -1))
		end := c.do(op.Add, c.do(op.Ceil, c.do(op.Mul, size, c.do(op.Add, i, 1.0))), c.permute(low, 0, -1))
		at := c.permute(c.cast(formula.UpTo(c.b, n), x.DType()), -1, -1, 0)
		return c.do(op.And, c.do(op.Ge, at, c.permute(begin, 0, 1, -1)), c.do(op.Lt, at, c.permute(end, 0, 1, -1)))
	}
	rows, columns := bounds(2, 4, shape[0], d[2]), bounds(1, 3, shape[1], d[3])
	least := c.float(x, math.Inf(-1))
	// By rows first: [regions, channels, parts, rows, columns] is the largest array on the way.
	y := c.do(op.Switch, c.permute(rows, 0, -1, 1, 2, -1), c.permute(images, 0, 1, -1, 2, 3), least)
	y = c.reduce(op.Max, y, tensor.AxesOf(3), false)
	y = c.do(op.Switch, c.permute(columns, 0, -1, -1, 1, 2), c.permute(y, 0, 1, 2, -1, 3), least)
	y = c.reduce(op.Max, y, tensor.AxesOf(4), false)
	return []V{c.do(op.Switch, c.do(op.IsInf, y), c.zero(x), y)}
}
