package onnx

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

const reduceAttrs = "axes:ints keepdims:int=1 noop_with_empty_axes:int=0"

// reduction is the row of a function that reduces x along axes, which are an attribute or, from
// some version on, an input. since are the versions; from inputs on the axes are an input.
func reduction(name, doc string, inputs int, f func(c *call, x V, axes tensor.Axes) V, since ...int) Operator {
	return Operator{Name: name, Since: since, Least: 1, Most: 2, Attrs: reduceAttrs, Doc: doc, build: func(c *call) []V {
		x := c.x(0)
		if c.version < inputs && len(c.in) > 1 {
			c.fail("got 2 inputs, want 1")
		}
		list := c.attrOrInput("axes", 1)
		axes := c.axes(list, x.Rank())
		if len(list) == 0 {
			if c.flag("noop_with_empty_axes") {
				return []V{x}
			}
			axes = tensor.AllAxes(x.Rank())
		}
		return []V{c.like(0, c.kept(f(c, x, axes), axes, x.Rank(), c.flag("keepdims")))}
	}}
}

func reduceBy(kind op.Reduction) func(c *call, x V, axes tensor.Axes) V {
	return func(c *call, x V, axes tensor.Axes) V {
		if x.DType().IsBool() { // the greatest of bools is whether any is true
			kind := map[op.Reduction]op.Reduction{op.Max: op.Any, op.Min: op.All}[kind]
			return c.reduce(kind, x, axes, false)
		}
		return c.reduce(kind, x, axes, false)
	}
}

// extreme is the row of ArgMax or ArgMin.
func extreme(least bool) func(c *call) []V {
	return func(c *call) []V {
		x := c.x(0)
		axis := c.axis(c.int("axis"), x.Rank())
		axes := tensor.AxesOf(axis)
		of := x
		if c.flag("select_last_index") {
			of = formula.Flip(c.b, x, axes)
		}
		at := formula.Extreme(c.b, of, axes, least, false)
		if c.flag("select_last_index") {
			at = c.b.Apply(op.Sub, c.plus(c.dims(x)[axis], -1), at)
		}
		return []V{c.kept(at, axes, x.Rank(), c.flag("keepdims"))}
	}
}

const extremeAttrs = "axis:int=0 keepdims:int=1 select_last_index:int=0"

// global is the row of a reduction of all axes but the first two.
func global(f func(c *call, x V, axes tensor.Axes) V) func(c *call) []V {
	return func(c *call) []V {
		x := c.x(0)
		if x.Rank() < 3 {
			c.fail("%s: got %v, want at least 3 axes", c.name(0), x.Type)
		}
		axes := tensor.AllAxes(x.Rank()).Without(tensor.AxesOf(0, 1))
		return []V{c.like(0, c.kept(f(c, x, axes), axes, x.Rank(), true))}
	}
}

// norm is the p-th root of the sum of |x|**p.
func norm(c *call, x V, p int, axes tensor.Axes) V {
	return got(formula.Norm(c.b, x, float64(p), axes))
}

var _ = add(
	reduction("ReduceMax", "the largest element", 18, reduceBy(op.Max), 1, 11, 12, 13, 18, 20),
	reduction("ReduceMin", "the smallest element", 18, reduceBy(op.Min), 1, 11, 12, 13, 18, 20),
	reduction("ReduceSum", "the sum", 13, reduceBy(op.Sum), 1, 11, 13),
	reduction("ReduceProd", "the product", 18, reduceBy(op.Prod), 1, 11, 13, 18),
	reduction("ReduceMean", "the mean", 18, func(c *call, x V, axes tensor.Axes) V {
		if !x.DType().IsFloat() { // of integers without the fraction
			return c.cast(op.Mean(c.b, c.cast(x, kernels.Float64), axes), x.DType())
		}
		return op.Mean(c.b, x, axes)
	}, 1, 11, 13, 18),
	reduction("ReduceL1", "the sum of absolute values", 18, func(c *call, x V, axes tensor.Axes) V { return norm(c, x, 1, axes) }, 1, 11, 13, 18),
	reduction("ReduceL2", "the root of the sum of squares", 18, func(c *call, x V, axes tensor.Axes) V { return norm(c, x, 2, axes) }, 1, 11, 13, 18),
	reduction("ReduceSumSquare", "the sum of squares", 18, func(c *call, x V, axes tensor.Axes) V {
		return c.reduce(op.Sum, c.do(op.Sqr, x), axes, false)
	}, 1, 11, 13, 18),
	reduction("ReduceLogSum", "the logarithm of the sum", 18, func(c *call, x V, axes tensor.Axes) V {
		return c.do(op.Log, c.reduce(op.Sum, x, axes, false))
	}, 1, 11, 13, 18),
	reduction("ReduceLogSumExp", "the logarithm of the sum of exp(x)", 18, func(c *call, x V, axes tensor.Axes) V {
		return formula.LogSumExp(c.b, x, axes)
	}, 1, 11, 13, 18),
	Operator{Name: "ArgMax", Since: []int{1, 11, 12, 13}, Least: 1, Most: 1, Attrs: extremeAttrs, Doc: "the position of the largest element along an axis", build: extreme(false)},
	Operator{Name: "ArgMin", Since: []int{1, 11, 12, 13}, Least: 1, Most: 1, Attrs: extremeAttrs, Doc: "the position of the smallest element along an axis", build: extreme(true)},
	Operator{Name: "GlobalAveragePool", Since: []int{1, 22}, Least: 1, Most: 1, Doc: "the mean of each channel", build: global(func(c *call, x V, axes tensor.Axes) V {
		return op.Mean(c.b, x, axes)
	})},
	Operator{Name: "GlobalMaxPool", Since: []int{1, 22}, Least: 1, Most: 1, Doc: "the largest element of each channel", build: global(reduceBy(op.Max))},
	Operator{Name: "GlobalLpPool", Since: []int{1, 2, 22}, Least: 1, Most: 1, Attrs: "p:int=2", Doc: "the p-norm of each channel", build: global(func(c *call, x V, axes tensor.Axes) V {
		return norm(c, x, c.int("p"), axes)
	})},
	Operator{Name: "CumSum", Since: []int{11, 14}, Least: 2, Most: 2, Attrs: "exclusive:int=0 reverse:int=0", Doc: "the sums of the elements up to each along an axis", build: cumSum},
	Operator{Name: "LpNormalization", Since: []int{1, 22}, Least: 1, Most: 1, Attrs: "axis:int=-1 p:int=2", Doc: "x over its p-norm along an axis", build: func(c *call) []V {
		x := c.x(0)
		axes := tensor.AxesOf(c.axis(c.int("axis"), x.Rank()))
		return []V{c.do(op.TrueDiv, x, formula.KeepAxes(c.b, norm(c, x, c.int("p"), axes), axes, x.Rank()))}
	}},
)

func cumSum(c *call) []V {
	x := c.x(0)
	axis := c.axis(c.staticInt(1), x.Rank())
	along := tensor.AxesOf(axis)
	if c.flag("reverse") {
		x = formula.Flip(c.b, x, along)
	}
	sums := c.like(0, c.b.Apply(op.Cumulate{Kind: op.Sum, Axis: axis}, x))
	if c.flag("exclusive") {
		sums = c.do(op.Sub, sums, x)
	}
	if c.flag("reverse") {
		sums = formula.Flip(c.b, sums, along)
	}
	return []V{sums}
}
