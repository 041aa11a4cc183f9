package onnx

import (
	"slices"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "BatchNormalization", Since: []int{1, 6, 7, 9, 14, 15}, Least: 5, Most: 5, Attrs: "epsilon:float=1e-5 momentum:float=0.9 spatial:int=1 training_mode:int=0 is_test:int=0 consumed_inputs:ints", Doc: "each channel less its mean over its deviation, scaled and moved", build: batchNormalization},
	Operator{Name: "InstanceNormalization", Since: []int{1, 6, 22}, Least: 3, Most: 3, Attrs: "epsilon:float=1e-5 consumed_inputs:ints", Doc: "each channel of each image less its mean over its deviation", build: func(c *call) []V {
		x := c.x(0)
		axes := tensor.AllAxes(x.Rank()).Without(tensor.AxesOf(0, 1))
		y, _, _ := c.standardized(x, axes, c.number("epsilon"))
		return []V{c.do(op.Add, c.do(op.Mul, y, c.spread(c.x(1), 1, x.Rank())), c.spread(c.x(2), 1, x.Rank()))}
	}},
	Operator{Name: "LayerNormalization", Since: []int{17}, Least: 2, Most: 3, Attrs: "axis:int=-1 epsilon:float=1e-5 stash_type:int=1", Doc: "x less its mean over its deviation along the axes from axis on, scaled and moved", build: func(c *call) []V {
		x := c.x(0)
		axes := from(c.axis(c.int("axis"), x.Rank()), x.Rank())
		y, mean, inverse := c.standardized(x, axes, c.number("epsilon"))
		y = c.do(op.Mul, y, c.x(1))
		if c.has(2) {
			y = c.do(op.Add, y, c.x(2))
		}
		return []V{y, mean, inverse}
	}},
	Operator{Name: "RMSNormalization", Since: []int{23}, Least: 2, Most: 2, Attrs: "axis:int=-1 epsilon:float=1e-5 stash_type:int=1", Doc: "x over the root of its mean square along the axes from axis on, scaled", build: func(c *call) []V {
		x := c.x(0)
		axes := from(c.axis(c.int("axis"), x.Rank()), x.Rank())
		square := c.kept(op.Mean(c.b, c.do(op.Sqr, x), axes), axes, x.Rank(), true)
		y := c.do(op.TrueDiv, x, c.do(op.Sqrt, c.do(op.Add, square, c.number("epsilon"))))
		return []V{c.do(op.Mul, y, c.x(1))}
	}},
	Operator{Name: "GroupNormalization", Since: []int{18, 21}, Least: 3, Most: 3, Attrs: "epsilon:float=1e-5 num_groups:int stash_type:int=1", Doc: "groups of channels less their mean over their deviation, scaled and moved", build: groupNormalization},
	Operator{Name: "MeanVarianceNormalization", Since: []int{9, 13}, Least: 1, Most: 1, Attrs: "axes:ints", Doc: "x less its mean over its deviation along axes", build: func(c *call) []V {
		x := c.x(0)
		list := c.ints("axes")
		if list == nil {
			list = []int{0, 2, 3}
		}
		axes := c.axes(list, x.Rank())
		distance := formula.Deviation(c.b, x, axes)
		variance := c.kept(formula.Variance(c.b, x, axes, 0), axes, x.Rank(), true)
		return []V{c.do(op.TrueDiv, distance, c.do(op.Add, c.do(op.Sqrt, variance), 1e-9))}
	}},
	Operator{Name: "LRN", Since: []int{1, 13}, Least: 1, Most: 1, Attrs: "alpha:float=0.0001 beta:float=0.75 bias:float=1 size:int", Doc: "x over a power of the squares of channels around", build: lrn},
	Operator{Name: "Dropout", Since: []int{1, 6, 7, 10, 12, 13, 22}, Least: 1, Most: 3, Attrs: "ratio:float=0.5 is_test:int=0 seed:int consumed_inputs:ints", Doc: "x as it is, and a mask; that of training is refused unless the ratio is 0", build: dropout},
)

// from are the axes from one on.
func from(axis, rank int) (axes tensor.Axes) {
	for ; axis < rank; axis++ {
		axes = axes.With(tensor.AxesOf(axis))
	}
	return axes
}

// standardized is x less its mean over its deviation along axes, the mean and one over the
// deviation, which keep the axes with length 1.
func (c *call) standardized(x V, axes tensor.Axes, epsilon float64) (y, mean, inverse V) {
	mean = c.kept(op.Mean(c.b, x, axes), axes, x.Rank(), true)
	variance := c.kept(formula.Variance(c.b, x, axes, 0), axes, x.Rank(), true)
	inverse = c.do(op.Reciprocal, c.do(op.Sqrt, c.do(op.Add, variance, epsilon)))
	return c.do(op.Mul, c.do(op.Sub, x, mean), inverse), mean, inverse
}

func batchNormalization(c *call) []V {
	x := c.x(0)
	if x.Rank() < 2 {
		x = c.permute(x, 0, -1)
	}
	rank := x.Rank()
	axes := tensor.AllAxes(rank).Without(tensor.AxesOf(1))
	d := x.DType()
	channel := func(v V) V { return c.spread(c.cast(v, d), 1, rank) }
	mean, variance := c.x(3), c.x(4)
	out := []V{nil, c.x(3), c.x(4)}
	training := c.flag("training_mode")
	if c.version < 7 {
		training = !c.flag("is_test") && c.wants(1)
	}
	if !c.flagged("spatial", true) {
		c.fail("attribute spatial: got 0, want 1")
	}
	if training {
		mean, variance = op.Mean(c.b, x, axes), formula.Variance(c.b, x, axes, 0)
		momentum := c.number("momentum")
		running := func(old, now V) V {
			return c.cast(c.do(op.Add, c.do(op.Mul, old, momentum), c.do(op.Mul, c.cast(now, old.DType()), 1-momentum)), old.DType())
		}
		out[1], out[2] = running(c.x(3), mean), running(c.x(4), variance)
	}
	// A number for each channel is computed apart: of the elements there are many more.
	std := c.do(op.Sqrt, c.do(op.Add, variance, c.number("epsilon")))
	factor := c.do(op.TrueDiv, c.cast(c.x(1), std.DType()), std)
	shift := c.do(op.Sub, c.cast(c.x(2), std.DType()), c.do(op.Mul, mean, factor))
	y := c.do(op.Add, c.do(op.Mul, x, channel(factor)), channel(shift))
	out[0] = c.reshape(y, c.dims(c.x(0))...)
	return out
}

// flagged is a flag that older versions have.
func (c *call) flagged(name string, otherwise bool) bool {
	if a := c.attribute(name); a != nil {
		return a.Int != 0
	}
	return otherwise
}

func groupNormalization(c *call) []V {
	x, n := c.x(0), c.int("num_groups")
	c.positive("num_groups", n)
	d := c.dims(x)
	channels := c.length(x, 1)
	if channels%n != 0 {
		c.fail("attribute num_groups: got %d for %d channels", n, channels)
	}
	lengths := append([]V{d[0], c.num(n), c.num(channels / n)}, d[2:]...)
	y, _, _ := c.standardized(c.reshape(x, lengths...), from(2, x.Rank()+1), c.number("epsilon"))
	scale := func(v V) V {
		if c.version < 21 { // one for each group
			v = formula.Ravel(c.b, c.broadcast(c.permute(v, 0, -1), []V{c.num(n), c.num(channels / n)}))
		}
		return c.spread(v, 1, x.Rank())
	}
	return []V{c.do(op.Add, c.do(op.Mul, c.reshape(y, d...), scale(c.x(1))), scale(c.x(2)))}
}

func lrn(c *call) []V {
	x, size := c.x(0), c.int("size")
	c.positive("size", size)
	c.few("size", size)
	before := (size - 1) / 2
	squares := c.around(c.do(op.Sqr, x), 1, c.num(before), c.num(size-1-before), c.zero(x))
	var sum V
	for k := range size {
		part := c.strided(squares, 1, k, size, 1)
		if sum == nil {
			sum = part
		} else {
			sum = c.do(op.Add, sum, part)
		}
	}
	base := c.do(op.Add, c.do(op.Mul, sum, c.number("alpha")/float64(size)), c.number("bias"))
	return []V{c.do(op.TrueDiv, x, c.do(op.Pow, base, c.number("beta")))}
}

func dropout(c *call) []V {
	x := c.x(0)
	if c.version >= 12 && c.has(2) && op.Truth(c.static(2)) {
		if ratio := 0.5; !c.has(1) || c.staticFloat(1) != 0 {
			if c.has(1) {
				ratio = c.staticFloat(1)
			}
			if ratio != 0 {
				c.fail("training with a ratio of %v draws random numbers, which ONNX does not define", ratio)
			}
		}
	}
	mask := formula.BroadcastTo(c.b, c.b.Constant(tensor.FromBools([]bool{true})), slices.Clone(c.dims(x)))
	if c.version < 10 {
		mask = c.cast(mask, x.DType())
	}
	return []V{x, mask}
}
