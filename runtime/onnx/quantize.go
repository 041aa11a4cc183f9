package onnx

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "QuantizeLinear", Since: []int{10, 13, 19, 21, 23}, Least: 2, Most: 3, Attrs: "axis:int=1 block_size:int=0 output_dtype:int=0 precision:int=0 saturate:int=1", Doc: "x / scale + zero point, rounded and bounded, as 8- or 16-bit integers", build: func(c *call) []V {
		x := c.x(0)
		d := kernels.Uint8
		if c.has(2) {
			d = c.x(2).DType()
		} else if c.int("output_dtype") != 0 {
			d = c.dtype("output_dtype")
		}
		zero := V(nil)
		if c.has(2) {
			zero = c.along(2, x)
		}
		return []V{c.quantized(c.cast(x, kernels.Float32), c.along(1, x), zero, d)}
	}},
	Operator{Name: "DequantizeLinear", Since: []int{10, 13, 19, 21, 23}, Least: 2, Most: 3, Attrs: "axis:int=1 block_size:int=0 output_dtype:int=0", Doc: "(x - zero point) * scale", build: func(c *call) []V {
		x := c.x(0)
		scale := c.along(1, x)
		y := c.cast(x, scale.DType())
		if c.has(2) {
			y = c.do(op.Sub, y, c.cast(c.along(2, x), scale.DType()))
		}
		return []V{c.do(op.Mul, y, scale)}
	}},
	Operator{Name: "DynamicQuantizeLinear", Since: []int{11}, Least: 1, Most: 1, Doc: "x as uint8, with a scale and a zero point of its own", build: func(c *call) []V {
		x := c.x(0)
		everything := tensor.AllAxes(x.Rank())
		low := c.do(op.Minimum, c.reduce(op.Min, x, everything, false), 0.0)
		high := c.do(op.Maximum, c.reduce(op.Max, x, everything, false), 0.0)
		scale := c.do(op.TrueDiv, c.do(op.Sub, high, low), 255.0)
		zero := c.do(op.Round, c.bounded(c.do(op.TrueDiv, c.do(op.Neg, low), scale), kernels.Uint8))
		zero = c.cast(zero, kernels.Uint8)
		return []V{c.quantized(x, scale, zero, kernels.Uint8), scale, zero}
	}},
	Operator{Name: "MatMulInteger", Since: []int{10}, Least: 2, Most: 4, Doc: "the product of integers less their zero points, as int32", build: func(c *call) []V {
		return []V{c.cast(c.matmul(c.less(0, 2, 0), c.less(1, 3, 1)), kernels.Int32)}
	}},
	Operator{Name: "QLinearMatMul", Since: []int{10, 21}, Least: 8, Most: 8, Doc: "MatMul of quantized matrices", build: func(c *call) []V {
		y := c.matmul(c.less(0, 2, 0), c.less(3, 5, 1))
		y = c.cast(y, kernels.Float32)
		scale := c.do(op.TrueDiv, c.do(op.Mul, c.rowOr(1, y, 0), c.rowOr(4, y, 1)), c.rowOr(6, y, 0))
		return []V{c.quantized(c.do(op.Mul, y, scale), nil, c.rowOr(7, y, 0), c.x(7).DType())}
	}},
	Operator{Name: "QLinearConv", Since: []int{10}, Least: 8, Most: 9, Attrs: windowAttrs + "group:int=1", Doc: "Conv of quantized images and filters", build: func(c *call) []V {
		y := c.conv(c.shifted(0, 2, 1), c.shifted(3, 5, 0))
		if c.has(8) {
			y = c.do(op.Add, y, c.spread(c.cast(c.x(8), kernels.Float64), 1, y.Rank()))
		}
		channel := func(i int) V {
			v := c.x(i)
			if v.Rank() == 1 && v.Dim(0) != 1 {
				return c.spread(v, 1, y.Rank())
			}
			return c.scalar(i)
		}
		scale := c.do(op.TrueDiv, c.do(op.Mul, channel(1), channel(4)), channel(6))
		y = c.do(op.Mul, c.cast(y, kernels.Float32), scale)
		return []V{c.quantized(y, nil, channel(7), c.x(7).DType())}
	}},
)

// along is input i, a number for all of x or one for each place of the attribute axis, so that it
// broadcasts with x; by blocks of block_size elements it has x's axes.
func (c *call) along(i int, x V) V {
	v := c.x(i)
	switch {
	case v.Rank() == 0:
		return v
	case v.Rank() == x.Rank() && c.int("block_size") > 0:
		axis := c.axis(c.int("axis"), x.Rank())
		wide := got(formula.Repeat(c.b, v, c.num(c.int("block_size")), &axis))
		return c.slice(wide, axis, nil, c.dims(x)[axis], nil)
	case v.Rank() != 1:
		c.fail("%s: got %v, want a number or a vector", c.name(i), v.Type)
	case v.Dim(0) == 1:
		return c.reshape(v)
	}
	return c.spread(v, c.axis(c.int("axis"), x.Rank()), x.Rank())
}

// quantized is x / scale + zero as integers of a type; scale and zero may be nil.
func (c *call) quantized(x, scale, zero V, d kernels.DType) V {
	if scale != nil {
		x = c.do(op.TrueDiv, x, c.cast(scale, x.DType()))
	}
	x = c.do(op.Round, x)
	if zero != nil {
		x = c.do(op.Add, x, c.cast(zero, x.DType()))
	}
	return c.cast(c.bounded(x, d), d)
}

// bounded is x within the range of an integer type.
func (c *call) bounded(x V, d kernels.DType) V {
	if !d.IsInteger() || d.Size() > 4 {
		c.fail("got %v, want integers of at most 32 bits", d)
	}
	low, high := 0.0, float64(uint64(1)<<(8*d.Size())-1)
	if d.IsSigned() {
		low, high = -float64(uint64(1)<<(8*d.Size()-1)), float64(uint64(1)<<(8*d.Size()-1)-1)
	}
	return c.do(op.Minimum, c.do(op.Maximum, x, low), high)
}

// less is input i as float64 less its zero point, input z, a number or one for each row of the left
// operand, side 0, or each column of the right one.
func (c *call) less(i, z, side int) V {
	x := c.cast(c.x(i), kernels.Float64)
	if !c.has(z) {
		return x
	}
	return c.do(op.Sub, x, c.cast(c.rowOr(z, x, side), kernels.Float64))
}

// rowOr is input i, a number or, of side 0, one for each row of x and, of side 1, each column.
func (c *call) rowOr(i int, x V, side int) V {
	v := c.x(i)
	switch {
	case v.Rank() == 0 || v.Rank() > 1:
		return v
	case v.Dim(0) == 1:
		return c.reshape(v)
	case side == 0:
		return c.permute(v, 0, -1)
	}
	return v
}
