package onnx

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
)

const windowAttrs = "auto_pad:string=NOTSET dilations:ints kernel_shape:ints pads:ints strides:ints "

var _ = add(
	Operator{Name: "Conv", Since: []int{1, 11, 22}, Least: 2, Most: 3, Attrs: windowAttrs + "group:int=1", Doc: "the correlation of images of 1 to 3 axes with filters", build: func(c *call) []V {
		return []V{c.biased(c.conv(c.x(0), c.x(1)), 2)}
	}},
	Operator{Name: "ConvTranspose", Since: []int{1, 11, 22}, Least: 2, Most: 3, Attrs: windowAttrs + "group:int=1 output_padding:ints output_shape:ints", Doc: "what Conv's gradient does: each element spreads by a filter", build: convTranspose},
	Operator{Name: "ConvInteger", Since: []int{10}, Least: 2, Most: 4, Attrs: windowAttrs + "group:int=1", Doc: "Conv of integers less their zero points, as int32", build: func(c *call) []V {
		x, w := c.shifted(0, 2, 1), c.shifted(1, 3, 0)
		return []V{c.cast(c.conv(x, w), kernels.Int32)}
	}},
)

// A window is what a node says of filters or windows over the axes behind the first two.
type window struct {
	size, stride, dilation []int
	pads                   [][2]int // nil where auto_pad says them
	auto                   string
}

// window reads the attributes for a number of axes. size is that of the filters, nil if the
// attribute says it.
func (c *call) window(axes int, size []int) window {
	one := slices.Repeat([]int{1}, axes)
	read := func(name string, otherwise []int, least int) []int {
		list := c.ints(name)
		if list == nil {
			return otherwise
		}
		if len(list) != len(otherwise) && otherwise != nil {
			c.fail("attribute %s: got %d numbers, want %d", name, len(list), len(otherwise))
		}
		for _, n := range list {
			if n < least || n > 1<<24 {
				c.fail("attribute %s: got %v, want numbers of at least %d", name, list, least)
			}
		}
		return list
	}
	w := window{stride: read("strides", one, 1), dilation: one}
	if _, ok := c.row.attrs["dilations"]; ok {
		w.dilation = read("dilations", one, 1)
	}
	if w.size = read("kernel_shape", size, 1); len(w.size) != axes {
		c.fail("attribute kernel_shape: got %d numbers, want %d", len(w.size), axes)
	}
	if size != nil && !slices.Equal(size, w.size) {
		c.fail("attribute kernel_shape: got %v, the filters are %v", w.size, size)
	}
	switch w.auto = c.text("auto_pad"); w.auto {
	case "NOTSET", "VALID", "":
		pads := slices.Repeat([]int{0}, 2*axes)
		if w.auto != "VALID" {
			pads = read("pads", pads, 0)
		}
		for i := range axes {
			w.pads = append(w.pads, [2]int{pads[i], pads[axes+i]})
		}
	case "SAME_UPPER", "SAME_LOWER":
	default:
		c.fail("attribute auto_pad: got %q, want NOTSET, VALID, SAME_UPPER or SAME_LOWER", w.auto)
	}
	return w
}

// reach is how many elements a window spans along an axis.
func (w window) reach(axis int) int { return (w.size[axis]-1)*w.dilation[axis] + 1 }

// borders are the widths of the border of x, whose axes behind the first two the windows go over.
func (c *call) borders(w window, x V) [][2]int {
	if w.pads != nil {
		return w.pads
	}
	var pads [][2]int
	for axis := range w.size {
		total := w.reach(axis) - 1
		if w.stride[axis] > 1 {
			n := c.length(x, 2+axis)
			places := (n + w.stride[axis] - 1) / w.stride[axis]
			total = max((places-1)*w.stride[axis]+w.reach(axis)-n, 0)
		}
		if w.auto == "SAME_UPPER" {
			pads = append(pads, [2]int{total / 2, total - total/2})
		} else {
			pads = append(pads, [2]int{total - total/2, total / 2})
		}
	}
	return pads
}

// conv is the correlation of x: [N, C, ...] with w: [F, C/group, ...] along up to 3 axes.
func (c *call) conv(x, w V) V {
	axes := x.Rank() - 2
	if axes < 1 || axes > 3 || w.Rank() != x.Rank() {
		c.fail("got %v and %v, want images and filters of 1 to 3 axes behind the first two", x.Type, w.Type)
	}
	group := c.int("group")
	c.positive("group", group)
	size := make([]int, axes)
	for i := range size {
		size[i] = c.length(w, 2+i)
	}
	win := c.window(axes, size)
	return c.correlate(x, w, win, c.borders(win, x), group)
}

// correlate is conv with the numbers that it has found.
func (c *call) correlate(x, w V, win window, pads [][2]int, group int) V {
	switch len(win.size) {
	case 1: // an image of one row
		y := c.conv2d(c.permute(x, 0, 1, -1, 2), c.permute(w, 0, 1, -1, 2), [][2]int{{}, pads[0]}, []int{1, win.stride[0]}, []int{1, win.dilation[0]}, group)
		return c.permute(y, 0, 1, 3)
	case 2:
		return c.conv2d(x, w, pads, win.stride, win.dilation, group)
	}
	// The sum over the depth of the filter of convolutions of slices, which are images of a batch.
	x = c.around(x, 2, c.num(pads[0][0]), c.num(pads[0][1]), c.zero(x))
	var sum V
	for k := range win.size[0] {
		part := c.strided(x, 2, k*win.dilation[0], win.reach(0), win.stride[0])
		d := c.dims(part)
		images := c.reshape(c.permute(part, 0, 2, 1, 3, 4), c.do(op.Mul, d[0], d[2]), d[1], d[3], d[4])
		y := c.conv2d(images, formula.At(c.b, w, 2, k), pads[1:], win.stride[1:], win.dilation[1:], group)
		e := c.dims(y)
		y = c.permute(c.reshape(y, d[0], d[2], e[1], e[2], e[3]), 0, 2, 1, 3, 4)
		if sum == nil {
			sum = y
		} else {
			sum = c.do(op.Add, sum, y)
		}
	}
	return sum
}

// strided is every step-th element of x along an axis from the first one on, as many as windows of
// that reach have places.
func (c *call) strided(x V, axis, first, reach, step int) V {
	n := c.dims(x)[axis]
	stop := c.plus(n, first-reach+1)
	return c.slice(x, axis, c.num(first), stop, c.stepOf(step))
}

func (c *call) conv2d(x, w V, pads [][2]int, stride, dilation []int, group int) V {
	border := op.Border{Pad: [2]op.Pair{op.Pair(pads[0]), op.Pair(pads[1])}}
	return c.b.Apply(op.NewConvolution(border, op.Pair(stride), op.Pair(dilation), group, false, false), x, w)
}

// biased is y with a number for each channel added, input i, if there is one.
func (c *call) biased(y V, i int) V {
	if !c.has(i) {
		return y
	}
	return c.do(op.Add, y, c.spread(c.x(i), 1, y.Rank()))
}

// convTranspose is the gradient of a convolution with respect to its images.
func convTranspose(c *call) []V {
	x, w := c.x(0), c.x(1)
	axes := x.Rank() - 2
	if axes < 1 || axes > 3 || w.Rank() != x.Rank() {
		c.fail("got %v and %v, want images and filters of 1 to 3 axes behind the first two", x.Type, w.Type)
	}
	group := c.int("group")
	c.positive("group", group)
	size := make([]int, axes)
	for i := range size {
		size[i] = c.length(w, 2+i)
	}
	win := c.window(axes, size)
	extra := c.ints("output_padding")
	if extra == nil {
		extra = make([]int, axes)
	}
	want := c.ints("output_shape")
	if len(want) == axes+2 {
		want = want[2:]
	}
	if len(extra) != axes || want != nil && len(want) != axes {
		c.fail("got output_padding %v and output_shape %v, want %d numbers", extra, want, axes)
	}
	pads := win.pads
	if want != nil || pads == nil { // the border is what the length of the result leaves
		pads = nil
		for i := range axes {
			n := c.length(x, 2+i)
			total := win.stride[i]*(n-1) + extra[i] + win.reach(i)
			length := n * win.stride[i]
			if want != nil {
				length = want[i]
			}
			total -= length
			if total < 0 { // more is wanted than there is: zeros at the end
				extra[i] -= total
				total = 0
			}
			if win.auto == "SAME_UPPER" {
				pads = append(pads, [2]int{total / 2, total - total/2})
			} else {
				pads = append(pads, [2]int{total - total/2, total / 2})
			}
		}
	}
	return []V{c.biased(c.spreadOut(x, w, win, pads, extra, group), 2)}
}

// spreadOut is the transposed convolution of x: [N, C, ...] with w: [C, F/group, ...]. Along the
// rows and columns it is the gradient operation; along depth, the elements of x are put apart.
func (c *call) spreadOut(x, w V, win window, pads [][2]int, extra []int, group int) V {
	switch len(win.size) {
	case 1:
		one := window{size: []int{1, win.size[0]}, stride: []int{1, win.stride[0]}, dilation: []int{1, win.dilation[0]}}
		y := c.spreadOut(c.permute(x, 0, 1, -1, 2), c.permute(w, 0, 1, -1, 2), one, [][2]int{{}, pads[0]}, []int{0, extra[0]}, group)
		return c.permute(y, 0, 1, 3)
	case 3:
		return c.spreadDepth(x, w, win, pads, extra, group)
	}
	var lengths []V
	for i := range 2 {
		n := c.times(c.plus(c.dims(x)[2+i], -1), win.stride[i])
		lengths = append(lengths, c.plus(n, win.reach(i)+extra[i]-pads[i][0]-pads[i][1]))
	}
	border := op.Border{Pad: [2]op.Pair{op.Pair(pads[0]), op.Pair(pads[1])}}
	o := op.NewConvolution(border, op.Pair(win.stride), op.Pair(win.dilation), group, false, false).Of(kernels.ConvolutionInput)
	return c.b.Apply(o, w, x, lengths[0], lengths[1])
}

// spreadDepth is the sum, over the depth of the filter, of transposed convolutions of slices, each
// moved by its place.
func (c *call) spreadDepth(x, w V, win window, pads [][2]int, extra []int, group int) V {
	d := c.dims(x)
	flat := window{size: win.size[1:], stride: win.stride[1:], dilation: win.dilation[1:]}
	images := c.reshape(c.permute(x, 0, 2, 1, 3, 4), c.do(op.Mul, d[0], d[2]), d[1], d[3], d[4])
	n := c.plus(c.times(c.plus(d[2], -1), win.stride[0]), win.reach(0)+extra[0])
	var sum V
	for k := range win.size[0] {
		y := c.spreadOut(images, formula.At(c.b, w, 2, k), flat, pads[1:], extra[1:], group)
		e := c.dims(y)
		y = c.permute(c.reshape(y, d[0], d[2], e[1], e[2], e[3]), 0, 2, 1, 3, 4)
		if sum == nil {
			sum = formula.BroadcastTo(c.b, c.zero(x), []V{d[0], e[1], n, e[2], e[3]})
		}
		first := k * win.dilation[0]
		stop := c.plus(c.times(c.plus(d[2], -1), win.stride[0]), first+1)
		index, operands := op.Subscripts(": : i:i:i"), []V{sum, y, c.num(first), stop, c.num(win.stride[0])}
		sum = c.b.Apply(op.IncSubtensor{Index: index}, operands...)
	}
	stop := c.plus(n, -pads[0][1])
	return c.slice(sum, 2, c.num(pads[0][0]), stop, nil)
}

// shifted is input i as float64 less its zero point, input z, which is a number or one for each
// element along an axis.
func (c *call) shifted(i, z, axis int) V {
	x := c.cast(c.x(i), kernels.Float64)
	if !c.has(z) {
		return x
	}
	zero := c.cast(c.x(z), kernels.Float64)
	if zero.Rank() == 1 && zero.Dim(0) != 1 {
		zero = c.spread(zero, axis, x.Rank())
	} else if zero.Rank() == 1 {
		zero = c.reshape(zero)
	}
	return c.do(op.Sub, x, zero)
}
