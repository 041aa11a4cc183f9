package onnx

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "Constant", Since: []int{1, 9, 11, 12, 13, 19, 21, 23}, Least: 0, Most: 0, Doc: "a value",
		Attrs: "value:tensor value_float:float value_floats:floats value_int:int value_ints:ints", build: constant},
	Operator{Name: "ConstantOfShape", Since: []int{9, 20, 21, 23}, Least: 1, Most: 1, Attrs: "value:tensor", Doc: "an array of one value, 0 by default", build: constantOfShape},
	Operator{Name: "Shape", Since: []int{1, 13, 15, 19, 21, 23}, Least: 1, Most: 1, Attrs: "start:int=0 end:int", Doc: "the lengths of the axes", build: func(c *call) []V {
		rank := c.x(0).Rank()
		start, end := c.int("start"), rank
		if c.hasAttr("end") {
			end = c.int("end")
		}
		start, end = within(start, rank), within(end, rank)
		return []V{vector(c.b, c.dims(c.x(0))[start:max(start, end)])}
	}},
	Operator{Name: "Size", Since: []int{1, 13, 19, 21, 23}, Least: 1, Most: 1, Doc: "the number of elements", build: func(c *call) []V {
		return []V{op.Product(c.b, c.dims(c.x(0)))}
	}},
	Operator{Name: "Reshape", Since: []int{1, 5, 13, 14, 19, 21, 23}, Least: 1, Most: 2, Attrs: "shape:ints allowzero:int=0 consumed_inputs:ints", Doc: "x in another shape; 0 is the length that x has there, -1 what is left", build: reshape},
	Operator{Name: "Flatten", Since: []int{1, 9, 11, 13, 21, 23}, Least: 1, Most: 1, Attrs: "axis:int=1", Doc: "x as a matrix: the axes before axis are one, and those from it on", build: func(c *call) []V {
		x := c.x(0)
		axis := c.int("axis")
		if axis < -x.Rank() || axis > x.Rank() {
			c.fail("attribute axis: got %d, want -%d to %[2]d", axis, x.Rank())
		}
		if axis < 0 {
			axis += x.Rank()
		}
		return []V{c.flatten(x, axis)}
	}},
	Operator{Name: "Transpose", Since: []int{1, 13, 21, 23}, Least: 1, Most: 1, Attrs: "perm:ints", Doc: "x with its axes in another order, reversed by default", build: func(c *call) []V {
		return []V{got(formula.ReorderAxes(c.b, c.x(0), c.ints("perm")))}
	}},
	Operator{Name: "Squeeze", Since: []int{1, 11, 13, 21, 23}, Least: 1, Most: 2, Attrs: "axes:ints", Doc: "x without axes of length 1", build: squeeze},
	Operator{Name: "Unsqueeze", Since: []int{1, 11, 13, 21, 23}, Least: 1, Most: 2, Attrs: "axes:ints", Doc: "x with new axes of length 1", build: unsqueeze},
	Operator{Name: "Expand", Since: []int{8, 13}, Least: 2, Most: 2, Doc: "x broadcast with a shape", build: expand},
	Operator{Name: "Tile", Since: []int{1, 6, 13}, Least: 2, Most: 3, Doc: "x repeated along its axes", build: func(c *call) []V {
		if c.version < 6 {
			c.fail("got version %d, want at least 6", c.version)
		}
		return []V{formula.Tile(c.b, c.x(0), c.lengths(1))}
	}},
	Operator{Name: "Concat", Since: []int{1, 4, 11, 13}, Least: 1, Most: -1, Attrs: "axis:int=1", Doc: "the inputs one behind the other along an axis", build: concat},
	Operator{Name: "Split", Since: []int{1, 2, 11, 13, 18}, Least: 1, Most: 2, Attrs: "axis:int=0 split:ints num_outputs:int", Doc: "parts of x along an axis", build: split},
	Operator{Name: "Slice", Since: []int{1, 10, 11, 13}, Least: 1, Most: 5, Attrs: "axes:ints starts:ints ends:ints", Doc: "x[start:end:step] along axes", build: sliceOf},
	Operator{Name: "Pad", Since: []int{1, 2, 11, 13, 18, 19, 21, 23}, Least: 1, Most: 4, Attrs: "mode:string=constant pads:ints paddings:ints value:float=0", Doc: "x with more elements around it: constant, reflect, edge or wrap", build: pad},
	Operator{Name: "Range", Since: []int{11}, Least: 3, Most: 3, Doc: "start, start + step, ... below a limit", build: func(c *call) []V {
		x := []V{c.scalar(0), c.scalar(1), c.scalar(2)}
		return []V{formula.ARange(c.b, x[0], x[1], x[2], x[0].DType())}
	}},
	Operator{Name: "EyeLike", Since: []int{9, 22}, Least: 1, Most: 1, Attrs: "dtype:int k:int=0", Doc: "1 on a diagonal, else 0, in the shape of a matrix", build: func(c *call) []V {
		x := c.x(0)
		if x.Rank() != 2 {
			c.fail("%s: got %v, want a matrix", c.name(0), x.Type)
		}
		d := x.DType()
		if c.hasAttr("dtype") {
			d = c.dtype("dtype")
		}
		n := c.dims(x)
		return []V{got(formula.Eye(c.b, n[0], n[1], c.num(c.int("k")), d))}
	}},
	Operator{Name: "Trilu", Since: []int{14}, Least: 1, Most: 2, Attrs: "upper:int=1", Doc: "x with 0 below, or above, a diagonal", build: trilu},
	Operator{Name: "DepthToSpace", Since: []int{1, 11, 13}, Least: 1, Most: 1, Attrs: "blocksize:int mode:string=DCR", Doc: "blocks of channels as blocks of places", build: depthToSpace},
	Operator{Name: "SpaceToDepth", Since: []int{1, 13}, Least: 1, Most: 1, Attrs: "blocksize:int", Doc: "blocks of places as blocks of channels", build: func(c *call) []V {
		x, n := c.x(0), c.int("blocksize")
		d := c.images(x)
		c.positive("blocksize", n)
		y := c.reshape(x, d[0], d[1], c.over(d[2], n), c.num(n), c.over(d[3], n), c.num(n))
		return []V{c.reshape(c.permute(y, 0, 3, 5, 1, 2, 4), d[0], c.times(d[1], n*n), c.over(d[2], n), c.over(d[3], n))}
	}},
	Operator{Name: "ReverseSequence", Since: []int{10}, Least: 2, Most: 2, Attrs: "batch_axis:int=1 time_axis:int=0", Doc: "the first elements of each sequence of a batch in reverse", build: reverseSequence},
	Operator{Name: "CenterCropPad", Since: []int{18}, Least: 2, Most: 2, Attrs: "axes:ints", Doc: "the middle of x, or x in the middle of zeros", build: centerCropPad},
)

// within is a bound of a range of n elements.
func within(i, n int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, 0), n)
}

func (c *call) positive(name string, n int) {
	if n < 1 {
		c.fail("attribute %s: got %d, want at least 1", name, n)
	}
}

// images are the lengths of a batch of images.
func (c *call) images(x V) []V {
	if x.Rank() != 4 {
		c.fail("%s: got %v, want 4 axes: images, channels, rows, columns", c.name(0), x.Type)
	}
	return c.dims(x)
}

func constant(c *call) []V {
	for name, f := range map[string]func(a *proto.Attribute) *tensor.Dense{
		"value":        func(a *proto.Attribute) *tensor.Dense { return got(a.Tensor.Dense(c.scope.m.external)) },
		"value_float":  func(a *proto.Attribute) *tensor.Dense { return tensor.From([]float32{a.Float}) },
		"value_int":    func(a *proto.Attribute) *tensor.Dense { return tensor.IntScalar(kernels.Int64, a.Int) },
		"value_floats": func(a *proto.Attribute) *tensor.Dense { return tensor.From(a.Floats, len(a.Floats)) },
		"value_ints":   func(a *proto.Attribute) *tensor.Dense { return tensor.From(a.Ints, len(a.Ints)) },
	} {
		a := c.attribute(name)
		switch {
		case a == nil:
		case name == "value" && c.outer == nil && c.depth == 0: // some files have weights here
			several := slices.ContainsFunc(a.Tensor.Dims, func(n int64) bool { return n > 1 })
			return []V{got(c.scope.m.parameter(a.Tensor, c.node.Outputs[0], several))}
		default:
			return []V{c.b.Constant(f(a))}
		}
	}
	c.fail("got no value of a type that is there")
	return nil
}

func constantOfShape(c *call) []V {
	value := tensor.New(kernels.Float32, 1)
	if a := c.attribute("value"); a != nil {
		value = got(a.Tensor.Dense(c.scope.m.external))
	}
	if value.Size() != 1 {
		c.fail("attribute value: got %d elements, want 1", value.Size())
	}
	lengths := c.lengths(0)
	c.fits(value.DType(), lengths)
	one := c.reshape(c.b.Constant(value))
	if len(lengths) == 0 {
		return []V{one}
	}
	full := formula.BroadcastTo(c.b, one, lengths)
	if v, ok := repeated(c.b, one, lengths); ok { // of a shape that is not known
		return []V{v}
	}
	return []V{full}
}

// repeated is a vector of n times a scalar, as the elements of a shape.
func repeated(b *graph.Builder, one V, lengths []V) (V, bool) {
	if len(lengths) != 1 || !one.IsConstant() || one.DType() != kernels.Int64 {
		return nil, false
	}
	n, ok := op.KnownLength(lengths[0])
	if !ok || n > tensor.MaxRank {
		return nil, false
	}
	return vector(b, slices.Repeat([]V{one}, n)), true
}

// fits refuses a shape that is known and that no array can have.
func (c *call) fits(d kernels.DType, lengths []V) {
	shape := make([]int, len(lengths))
	for i, v := range lengths {
		if n, ok := op.KnownLength(v); ok {
			shape[i] = n
		} else {
			shape[i] = 1
		}
	}
	c.must(tensor.CheckSize(d.Size(), shape))
}

func reshape(c *call) []V {
	x := c.x(0)
	var lengths []V
	if c.version < 5 {
		for _, n := range c.ints("shape") {
			lengths = append(lengths, c.num(n))
		}
	} else {
		lengths = slices.Clone(c.lengths(1))
	}
	have := c.dims(x)
	rest := -1
	for i, v := range lengths {
		n, ok := op.KnownLength(v)
		switch {
		case !ok && !c.flag("allowzero") && i < len(have) && v.Op() != nil && !isLength(v):
			// It may be 0.
			lengths[i] = c.do(op.Switch, c.do(op.Eq, v, 0), have[i], v)
		case !ok:
		case n == 0 && !c.flag("allowzero"):
			if i >= len(have) {
				c.fail("%s: got 0 for axis %d, which x has not", c.name(1), i)
			}
			lengths[i] = have[i]
		case n == -1 && rest >= 0:
			c.fail("%s: got -1 twice", c.name(1))
		case n == -1:
			rest = i
		case n < 0:
			c.fail("%s: got %d for axis %d, want at least 0, or -1 for what is left", c.name(1), n, i)
		}
	}
	if v := x; known(v) || v.Rank() <= 1 && len(lengths) <= 1 && v.DType() == kernels.Int64 {
		if list, ok := elements(c.b, v); ok && (len(lengths) == 1 || len(list) == 1) {
			switch len(lengths) {
			case 0:
				return []V{list[0]}
			case 1:
				return []V{vector(c.b, list)}
			}
		}
	}
	if rest >= 0 { // lengths that both shapes have leave the last one known
		if v := left(c, have, lengths, rest); v != nil {
			lengths[rest] = v
		}
	}
	if len(lengths) > tensor.MaxRank {
		c.fail("got %d axes, want at most %d", len(lengths), tensor.MaxRank)
	}
	return []V{c.reshape(x, lengths...)}
}

// left is the length that -1 stands for, if each other length that is not known is one of x's; nil
// if that cannot be said.
func left(c *call, have, lengths []V, rest int) V {
	total, wanted := 1, 1
	var unknown []V
	for _, v := range have {
		if n, ok := op.KnownLength(v); ok {
			total *= n
		} else {
			unknown = append(unknown, v)
		}
	}
	for i, v := range lengths {
		if i == rest {
			continue
		}
		if n, ok := op.KnownLength(v); ok {
			wanted *= n
			continue
		}
		at := slices.IndexFunc(unknown, func(u V) bool { return alike(u, v) })
		if at < 0 {
			return nil
		}
		unknown = slices.Delete(unknown, at, at+1)
	}
	if len(unknown) > 0 || wanted == 0 || total%wanted != 0 {
		return nil
	}
	return c.num(total / wanted)
}

// isLength reports whether v is computed of lengths: such a 0 is one, and stands for no other.
func isLength(v V) bool { return !readsElements(v) }

// readsElements reports whether v is computed of elements of arrays, and not only of their lengths.
func readsElements(v V) bool {
	if v.Owner == nil {
		return !v.IsConstant()
	}
	if _, ok := v.Op().(op.ShapeI); ok {
		return false
	}
	return slices.ContainsFunc(v.Owner.Inputs, readsElements)
}

// alike reports whether two lengths are that of the same axis.
func alike(u, v V) bool {
	return u == v || u.Owner != nil && v.Owner != nil && u.Op() == v.Op() && slices.Equal(u.Owner.Inputs, v.Owner.Inputs)
}

func squeeze(c *call) []V {
	x := c.x(0)
	list := c.attrOrInput("axes", 1)
	if known(x) && x.Dim(0) == 1 {
		return []V{x.Owner.Inputs[0]}
	}
	return []V{c.squeezed(x, c.axes(list, x.Rank()), list != nil)}
}

// squeezed is x without axes of length 1, which is checked where it is not known before the model
// runs; without any that is known to have length 1 if none is given.
func (c *call) squeezed(x V, axes tensor.Axes, given bool) V {
	dims, open := x.Type.Dims(), false
	for _, axis := range axes.List() {
		if given && dims[axis] == graph.Unknown {
			dims[axis], open = 1, true
		}
	}
	if open {
		x = c.b.Apply(op.SpecifyShape{Dims: op.DimsOf(graph.TypeOf(x.DType(), dims...))}, x)
	}
	return formula.Squeeze(c.b, x, axes, given)
}

func unsqueeze(c *call) []V {
	x := c.x(0)
	list := c.attrOrInput("axes", 1)
	if x.Rank() == 0 && x.DType() == kernels.Int64 && len(list) == 1 && !x.IsConstant() {
		return []V{vector(c.b, []V{x})}
	}
	return []V{got(formula.ExpandDims(c.m, x, list)).(V)}
}

func expand(c *call) []V {
	x, shape := c.x(0), slices.Clone(c.lengths(1))
	if n := len(shape) - x.Rank(); n > 0 {
		x = formula.Pad(c.b, x, n, true)
	}
	for len(shape) < x.Rank() {
		shape = append([]V{c.num(1)}, shape...)
	}
	have := c.dims(x)
	for axis, v := range shape {
		n, ok := op.KnownLength(v)
		switch {
		case x.Dim(axis) == 1: // x repeats
		case ok && n == 1: // or the shape does
			shape[axis] = have[axis]
		case x.Dim(axis) != graph.Unknown && !ok:
			shape[axis] = have[axis] // which the shape has to be, if it is not 1
		}
	}
	c.fits(x.DType(), shape)
	return []V{c.broadcast(x, shape)}
}

func concat(c *call) []V {
	var list []V
	shapes := true
	for i := range c.in {
		v := c.x(i)
		if _, ok := elements(c.b, v); !ok || v.Rank() != 1 {
			shapes = false
		}
		list = append(list, v)
	}
	if shapes && slices.ContainsFunc(list, known) {
		var all []V
		for _, v := range list {
			few, _ := elements(c.b, v)
			all = append(all, few...)
		}
		return []V{vector(c.b, all)}
	}
	if c.version >= 4 && !c.hasAttr("axis") {
		c.fail("attribute axis is missing")
	}
	return []V{c.join(c.axis(c.int("axis"), list[0].Rank()), list...)}
}

func split(c *call) []V {
	x := c.x(0)
	axis := c.axis(c.int("axis"), x.Rank())
	n := len(c.node.Outputs)
	if c.hasAttr("num_outputs") {
		if n = c.int("num_outputs"); n != len(c.node.Outputs) {
			c.fail("attribute num_outputs: got %d, the node has %d outputs", n, len(c.node.Outputs))
		}
	}
	var lengths []V
	if list := c.ints("split"); list != nil {
		for _, k := range list {
			lengths = append(lengths, c.num(k))
		}
	} else if c.has(1) {
		lengths = c.lengths(1)
	} else {
		total := c.length(x, axis)
		part := (total + n - 1) / n // the last one may be shorter
		for i := range n {
			lengths = append(lengths, c.num(max(min(part, total-i*part), 0)))
		}
	}
	if len(lengths) != n {
		c.fail("got lengths of %d parts, the node has %d outputs", len(lengths), n)
	}
	return got(formula.Split(c.b, x, axis, lengths))
}

// sliceOf is Slice: bounds that are computed are allowed, steps have to be known.
func sliceOf(c *call) []V {
	x := c.x(0)
	var starts, ends []V
	var axes, steps []int
	if c.version < 10 {
		for _, n := range c.ints("starts") {
			starts = append(starts, c.num(n))
		}
		for _, n := range c.ints("ends") {
			ends = append(ends, c.num(n))
		}
		axes = c.ints("axes")
	} else {
		starts, ends = c.lengths(1), c.lengths(2)
		if c.has(3) {
			axes = c.staticInts(3)
		}
		if c.has(4) {
			steps = c.staticInts(4)
		}
	}
	if len(starts) != len(ends) || axes != nil && len(axes) != len(starts) || steps != nil && len(steps) != len(starts) {
		c.fail("got %d starts, %d ends, %d axes and %d steps, want as many", len(starts), len(ends), len(axes), len(steps))
	}
	if len(starts) > x.Rank() {
		c.fail("got %d starts, x has %d axes", len(starts), x.Rank())
	}
	if known(x) && len(starts) == 1 {
		first, ok := op.KnownLength(starts[0])
		last, fits := op.KnownLength(ends[0])
		if ok && fits && (steps == nil || steps[0] == 1) {
			list := x.Owner.Inputs
			from := within(first, len(list))
			return []V{vector(c.b, list[from:max(within(last, len(list)), from)])}
		}
	}
	for i := range starts {
		axis, step := i, 1
		if axes != nil {
			axis = c.axis(axes[i], x.Rank())
		}
		if steps != nil {
			step = steps[i]
		}
		if step == 0 {
			c.fail("%s: got a step of 0", c.name(4))
		}
		x = c.slice(x, axis, c.bound(starts[i], step), c.bound(ends[i], step), c.stepOf(step))
	}
	return []V{x}
}

// stepOf is a step as formula.Slice has it.
func (c *call) stepOf(step int) V {
	if step == 1 {
		return nil
	}
	return c.num(step)
}

// bound is a start or an end. Those that are beyond all axes in the direction against the step
// stand for no bound.
func (c *call) bound(v V, step int) V {
	n, ok := op.KnownLength(v)
	switch {
	case !ok:
		return v
	case n >= math.MaxInt32 && step > 0, n <= math.MinInt32 && step < 0:
		return nil
	case n <= math.MinInt32:
		return c.num(0)
	case n >= math.MaxInt32:
		return nil
	}
	return c.num(n)
}

func trilu(c *call) []V {
	x := c.x(0)
	if x.Rank() < 2 {
		c.fail("%s: got %v, want at least 2 axes", c.name(0), x.Type)
	}
	k := c.num(0)
	if c.has(1) {
		k = c.scalar(1)
	}
	d := c.dims(x)[x.Rank()-2:]
	rows := c.permute(formula.UpTo(c.b, d[0]), 0, -1)
	columns := c.permute(formula.UpTo(c.b, d[1]), -1, 0)
	distance := c.do(op.Sub, columns, rows)
	e := op.Le
	if c.flag("upper") {
		e = op.Ge
	}
	return []V{c.do(op.Switch, c.do(e, distance, k), x, c.zero(x))}
}

func depthToSpace(c *call) []V {
	x, n := c.x(0), c.int("blocksize")
	d := c.images(x)
	c.positive("blocksize", n)
	depth := c.over(d[1], n*n)
	var y V
	switch c.text("mode") {
	case "DCR":
		y = c.permute(c.reshape(x, d[0], c.num(n), c.num(n), depth, d[2], d[3]), 0, 3, 4, 1, 5, 2)
	case "CRD":
		y = c.permute(c.reshape(x, d[0], depth, c.num(n), c.num(n), d[2], d[3]), 0, 1, 4, 2, 5, 3)
	default:
		c.fail("attribute mode: got %q, want DCR or CRD", c.text("mode"))
	}
	return []V{c.reshape(y, d[0], depth, c.times(d[2], n), c.times(d[3], n))}
}

func reverseSequence(c *call) []V {
	x := c.x(0)
	batch, time := c.axis(c.int("batch_axis"), x.Rank()), c.axis(c.int("time_axis"), x.Rank())
	n := c.dims(x)[time]
	i := c.spread(formula.UpTo(c.b, n), time, x.Rank())
	lengths := c.spread(c.cast(c.x(1), kernels.Int64), batch, x.Rank())
	at := c.do(op.Switch, c.do(op.Lt, i, lengths), c.do(op.Sub, c.do(op.Sub, lengths, i), 1), i)
	return []V{got(formula.TakeAlongAxis(c.b, x, at, &time))}
}

func centerCropPad(c *call) []V {
	x, want := c.x(0), c.staticInts(1)
	axes := c.ints("axes")
	if axes == nil {
		for axis := range x.Rank() {
			axes = append(axes, axis)
		}
	}
	if len(axes) != len(want) {
		c.fail("got a shape of %d lengths for %d axes", len(want), len(axes))
	}
	for i, a := range axes {
		axis := c.axis(a, x.Rank())
		have := c.length(x, axis)
		switch n := want[i]; {
		case n < have:
			start := (have - n) / 2
			x = c.part(x, axis, start, start+n)
		case n > have:
			before := (n - have) / 2
			x = c.around(x, axis, c.num(before), c.num(n-have-before), c.zero(x))
		}
	}
	return []V{x}
}

// around is x with elements of a value before and after it along an axis.
func (c *call) around(x V, axis int, before, after, value V) V {
	lengths := c.dims(x)
	block := func(n V) V {
		shape := slices.Clone(lengths)
		shape[axis] = n
		return formula.BroadcastTo(c.b, value, shape)
	}
	list := []V{x}
	if n, ok := op.KnownLength(before); !ok || n > 0 {
		list = append([]V{block(before)}, list...)
	}
	if n, ok := op.KnownLength(after); !ok || n > 0 {
		list = append(list, block(after))
	}
	return c.join(axis, list...)
}

func pad(c *call) []V {
	x := c.x(0)
	var widths []V
	value := c.zero(x)
	if c.version < 11 {
		list := c.ints("pads")
		if list == nil {
			list = c.ints("paddings")
		}
		for _, n := range list {
			widths = append(widths, c.num(n))
		}
		value = c.float(x, c.number("value"))
	} else {
		widths = c.lengths(1)
		if c.has(2) {
			value = c.scalar(2)
		}
	}
	var axes []int
	if c.has(3) {
		axes = c.staticInts(3)
	} else {
		for axis := range x.Rank() {
			axes = append(axes, axis)
		}
	}
	if len(widths) != 2*len(axes) {
		c.fail("got %d widths, want %d: before and after each axis", len(widths), 2*len(axes))
	}
	mode := c.text("mode")
	for i, a := range axes {
		axis := c.axis(a, x.Rank())
		before, after := widths[i], widths[len(axes)+i]
		b, ok := op.KnownLength(before)
		e, fits := op.KnownLength(after)
		if ok && fits && b == 0 && e == 0 {
			continue
		}
		if ok && b < 0 {
			x, before = c.slice(x, axis, c.num(-b), nil, nil), c.num(0)
		}
		if fits && e < 0 {
			x, after = c.slice(x, axis, nil, c.num(e), nil), c.num(0)
		}
		switch mode {
		case "constant":
			x = c.around(x, axis, before, after, value)
		case "reflect", "edge", "wrap":
			n := c.dims(x)[axis]
			total := c.do(op.Add, c.do(op.Add, before, n), after)
			at := c.do(op.Sub, formula.UpTo(c.b, total), before)
			x = c.b.Apply(op.Take{Axis: axis}, x, c.mirrored(at, n, mode))
		default:
			c.fail("attribute mode: got %q, want constant, reflect, edge or wrap", mode)
		}
	}
	return []V{x}
}

// mirrored are positions in n elements for positions before and behind them.
func (c *call) mirrored(at, n V, mode string) V {
	last := c.plus(n, -1)
	switch mode {
	case "edge":
		return c.do(op.Minimum, c.do(op.Maximum, at, 0), last)
	case "wrap":
		return c.do(op.Mod, at, n)
	}
	period := c.b.Apply(op.Maximum, c.times(last, 2), c.num(1))
	at = c.do(op.Mod, at, period)
	return c.do(op.Minimum, at, c.do(op.Sub, period, at))
}
