package onnx

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// unary is the row of an elementwise operation of one operand.
func unary(e op.Elemwise) func(c *call) []V {
	return func(c *call) []V { return []V{c.like(0, c.do(e, c.x(0)))} }
}

// like is v with the element type of input i, which ONNX's results keep.
func (c *call) like(i int, v V) V { return c.cast(v, c.x(i).DType()) }

// binary is the row of an elementwise operation of two operands of one type.
func binary(e op.Elemwise) func(c *call) []V {
	return func(c *call) []V {
		x, y := c.operands()
		if v := c.byElements([]V{x, y}, func(in []V) V { return c.do(e, in[0], in[1]) }); v != nil {
			return []V{v}
		}
		return []V{c.like(0, c.do(e, x, y))}
	}
}

// logical is binary whose result is of bools.
func logical(e op.Elemwise) func(c *call) []V {
	return func(c *call) []V {
		x, y := c.operands()
		return []V{c.do(e, x, y)}
	}
}

// operands are two that broadcast. Before version 7 they did only if the node said so, and the
// second stood at an axis of the first.
func (c *call) operands() (x, y V) {
	x, y = c.x(0), c.x(1)
	if a := c.attribute("axis"); a != nil && c.opsets[""] < 7 && y.Rank() > 0 {
		if n := x.Rank() - c.axis(int(a.Int), x.Rank()) - y.Rank(); n > 0 {
			y = formula.Pad(c.b, y, n, false)
		}
	}
	return x, y
}

// byElements computes an operator of shapes element by element, where an operand is a shape of
// which some lengths are not known; nil if there is none.
func (c *call) byElements(in []V, f func(in []V) V) V {
	if !partly(in) {
		return nil
	}
	n := 1
	for _, v := range in {
		if v.Rank() == 1 && v.Dim(0) != 1 {
			n = v.Dim(0)
		}
	}
	list := make([]V, n)
	for i := range list {
		one := make([]V, len(in))
		for k, v := range in {
			switch {
			case v.Rank() == 0:
				one[k] = v
			case v.Op() == op.MakeVector{}:
				one[k] = v.Owner.Inputs[min(i, v.Dim(0)-1)]
			default:
				one[k] = formula.At(c.b, v, 0, min(i, v.Dim(0)-1))
			}
		}
		list[i] = f(one)
	}
	return c.b.Apply(op.MakeVector{}, list...)
}

// fold applies an operation to any number of operands.
func fold(e op.Elemwise) func(c *call) []V {
	return func(c *call) []V {
		v := c.x(0)
		for i := 1; i < len(c.in); i++ {
			v = c.do(e, v, c.x(i))
		}
		return []V{v}
	}
}

// activation is the row of a function of one operand and its attributes, of floats.
func activation(f func(c *call, x V) V) func(c *call) []V {
	return func(c *call) []V { return []V{c.like(0, f(c, c.x(0)))} }
}

const legacy = "axis:int broadcast:int consumed_inputs:ints"

var _ = add(
	Operator{Name: "Abs", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "|x|", build: unary(op.Abs)},
	Operator{Name: "Acos", Since: []int{7, 22}, Least: 1, Most: 1, Doc: "the angle whose cosine is x", build: unary(op.Arccos)},
	Operator{Name: "Acosh", Since: []int{9, 22}, Least: 1, Most: 1, Doc: "the inverse of cosh", build: unary(op.Arccosh)},
	Operator{Name: "Asin", Since: []int{7, 22}, Least: 1, Most: 1, Doc: "the angle whose sine is x", build: unary(op.Arcsin)},
	Operator{Name: "Asinh", Since: []int{9, 22}, Least: 1, Most: 1, Doc: "the inverse of sinh", build: unary(op.Arcsinh)},
	Operator{Name: "Atan", Since: []int{7, 22}, Least: 1, Most: 1, Doc: "the angle whose tangent is x", build: unary(op.Arctan)},
	Operator{Name: "Atanh", Since: []int{9, 22}, Least: 1, Most: 1, Doc: "the inverse of tanh", build: unary(op.Arctanh)},
	Operator{Name: "Ceil", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "the least integer that is at least x", build: unary(op.Ceil)},
	Operator{Name: "Cos", Since: []int{7, 22}, Least: 1, Most: 1, Doc: "the cosine", build: unary(op.Cos)},
	Operator{Name: "Cosh", Since: []int{9, 22}, Least: 1, Most: 1, Doc: "the hyperbolic cosine", build: unary(op.Cosh)},
	Operator{Name: "Erf", Since: []int{9, 13}, Least: 1, Most: 1, Doc: "the error function", build: unary(op.Erf)},
	Operator{Name: "Exp", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "e to the power of x", build: unary(op.Exp)},
	Operator{Name: "Floor", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "the greatest integer that is at most x", build: unary(op.Floor)},
	Operator{Name: "Identity", Since: []int{1, 13, 14, 16, 19, 21, 23}, Least: 1, Most: 1, Doc: "x, which may be a sequence", build: identity},
	Operator{Name: "IsNaN", Since: []int{9, 13, 20}, Least: 1, Most: 1, Doc: "whether x is not a number", build: func(c *call) []V { return []V{c.do(op.IsNaN, c.x(0))} }},
	Operator{Name: "Log", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "the natural logarithm", build: unary(op.Log)},
	Operator{Name: "Neg", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "-x", build: unary(op.Neg)},
	Operator{Name: "Not", Since: []int{1}, Least: 1, Most: 1, Doc: "whether x is false", build: unary(op.Invert)},
	Operator{Name: "Reciprocal", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "1 / x", build: unary(op.Reciprocal)},
	Operator{Name: "Round", Since: []int{11, 22}, Least: 1, Most: 1, Doc: "the nearest integer, halves to the even one", build: unary(op.Round)},
	Operator{Name: "Sigmoid", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "1 / (1 + exp(-x))", build: unary(op.Sigmoid)},
	Operator{Name: "Sign", Since: []int{9, 13}, Least: 1, Most: 1, Doc: "-1, 0 or 1", build: unary(op.Sgn)},
	Operator{Name: "Sin", Since: []int{7, 22}, Least: 1, Most: 1, Doc: "the sine", build: unary(op.Sin)},
	Operator{Name: "Sinh", Since: []int{9, 22}, Least: 1, Most: 1, Doc: "the hyperbolic sine", build: unary(op.Sinh)},
	Operator{Name: "Softplus", Since: []int{1, 22}, Least: 1, Most: 1, Doc: "log(1 + exp(x))", build: unary(op.Softplus)},
	Operator{Name: "Softsign", Since: []int{1, 22}, Least: 1, Most: 1, Doc: "x / (1 + |x|)", build: unary(op.Softsign)},
	Operator{Name: "Sqrt", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "the square root", build: unary(op.Sqrt)},
	Operator{Name: "Tan", Since: []int{7, 22}, Least: 1, Most: 1, Doc: "the tangent", build: unary(op.Tan)},
	Operator{Name: "Tanh", Since: []int{1, 6, 13}, Least: 1, Most: 1, Attrs: legacy, Doc: "the hyperbolic tangent", build: unary(op.Tanh)},

	Operator{Name: "Add", Since: []int{1, 6, 7, 13, 14}, Least: 2, Most: 2, Attrs: legacy, Doc: "x + y", build: binary(op.Add)},
	Operator{Name: "Sub", Since: []int{1, 6, 7, 13, 14}, Least: 2, Most: 2, Attrs: legacy, Doc: "x - y", build: binary(op.Sub)},
	Operator{Name: "Mul", Since: []int{1, 6, 7, 13, 14}, Least: 2, Most: 2, Attrs: legacy, Doc: "x * y", build: binary(op.Mul)},
	Operator{Name: "Div", Since: []int{1, 6, 7, 13, 14}, Least: 2, Most: 2, Attrs: legacy, Doc: "x / y; of integers without the fraction", build: divide},
	Operator{Name: "Pow", Since: []int{1, 7, 12, 13, 15}, Least: 2, Most: 2, Attrs: legacy, Doc: "x to the power of y, of x's element type", build: power},
	Operator{Name: "Mod", Since: []int{10, 13}, Least: 2, Most: 2, Attrs: "fmod:int=0", Doc: "the remainder, of y's sign, or of x's with fmod=1", build: modulo},
	Operator{Name: "PRelu", Since: []int{1, 6, 7, 9, 16}, Least: 2, Most: 2, Attrs: "consumed_inputs:ints", Doc: "x, times a slope where it is negative", build: prelu},
	Operator{Name: "BitShift", Since: []int{11}, Least: 2, Most: 2, Attrs: "direction:string", Doc: "the bits of x moved by y places to the LEFT or RIGHT", build: shift},
	Operator{Name: "BitwiseAnd", Since: []int{18}, Least: 2, Most: 2, Attrs: legacy, Doc: "x & y", build: binary(op.And)},
	Operator{Name: "BitwiseOr", Since: []int{18}, Least: 2, Most: 2, Attrs: legacy, Doc: "x | y", build: binary(op.Or)},
	Operator{Name: "BitwiseXor", Since: []int{18}, Least: 2, Most: 2, Attrs: legacy, Doc: "x ^ y", build: binary(op.Xor)},
	Operator{Name: "BitwiseNot", Since: []int{18}, Least: 1, Most: 1, Doc: "~x", build: unary(op.Invert)},
	Operator{Name: "And", Since: []int{1, 7}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x and y are true", build: logical(op.And)},
	Operator{Name: "Or", Since: []int{1, 7}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x or y is true", build: logical(op.Or)},
	Operator{Name: "Xor", Since: []int{1, 7}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether one of x and y is true", build: logical(op.Xor)},
	Operator{Name: "Equal", Since: []int{1, 7, 11, 13, 19}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x is y", build: logical(op.Eq)},
	Operator{Name: "Greater", Since: []int{1, 7, 9, 13}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x is more than y", build: logical(op.Gt)},
	Operator{Name: "GreaterOrEqual", Since: []int{12, 16}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x is at least y", build: logical(op.Ge)},
	Operator{Name: "Less", Since: []int{1, 7, 9, 13}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x is less than y", build: logical(op.Lt)},
	Operator{Name: "LessOrEqual", Since: []int{12, 16}, Least: 2, Most: 2, Attrs: legacy, Doc: "whether x is at most y", build: logical(op.Le)},

	Operator{Name: "Max", Since: []int{1, 6, 8, 12, 13}, Least: 1, Most: -1, Attrs: "consumed_inputs:ints", Doc: "the largest of the inputs, element by element", build: fold(op.Maximum)},
	Operator{Name: "Min", Since: []int{1, 6, 8, 12, 13}, Least: 1, Most: -1, Attrs: "consumed_inputs:ints", Doc: "the smallest of the inputs, element by element", build: fold(op.Minimum)},
	Operator{Name: "Sum", Since: []int{1, 6, 8, 13}, Least: 1, Most: -1, Attrs: "consumed_inputs:ints", Doc: "the sum of the inputs", build: fold(op.Add)},
	Operator{Name: "Mean", Since: []int{1, 6, 8, 13}, Least: 1, Most: -1, Attrs: "consumed_inputs:ints", Doc: "the mean of the inputs", build: func(c *call) []V {
		sum := fold(op.Add)(c)[0]
		return []V{c.do(op.TrueDiv, sum, float64(len(c.in)))}
	}},
	Operator{Name: "Where", Since: []int{9, 16}, Least: 3, Most: 3, Doc: "the second input where the first is true, else the third", build: func(c *call) []V {
		in := []V{c.x(0), c.x(1), c.x(2)}
		choose := func(in []V) V { return c.b.Apply(op.Switch, in...) }
		if v := c.byElements(in, choose); v != nil {
			return []V{v}
		}
		return []V{choose(in)}
	}},
	Operator{Name: "Cast", Since: []int{1, 6, 9, 13, 19, 21, 23}, Least: 1, Most: 1, Attrs: "to:int saturate:int=1", Doc: "x with elements of another type", build: func(c *call) []V {
		d := c.dtype("to")
		if v := c.x(0); known(v) && d == kernels.Int64 {
			return []V{v}
		}
		return []V{c.cast(c.x(0), d)}
	}},
	Operator{Name: "CastLike", Since: []int{15, 19, 21, 23}, Least: 2, Most: 2, Attrs: "saturate:int=1", Doc: "x with elements of y's type", build: func(c *call) []V {
		return []V{c.cast(c.x(0), c.x(1).DType())}
	}},
	Operator{Name: "Clip", Since: []int{1, 6, 11, 12, 13}, Least: 1, Most: 3, Attrs: "min:float max:float consumed_inputs:ints", Doc: "x, but at least min and at most max", build: clip},
	Operator{Name: "IsInf", Since: []int{10, 20}, Least: 1, Most: 1, Attrs: "detect_negative:int=1 detect_positive:int=1", Doc: "whether x is infinite", build: func(c *call) []V {
		x := c.x(0)
		is := c.do(op.IsInf, x)
		if !c.flag("detect_negative") {
			is = c.do(op.And, is, c.do(op.Gt, x, 0.0))
		}
		if !c.flag("detect_positive") {
			is = c.do(op.And, is, c.do(op.Lt, x, 0.0))
		}
		return []V{is}
	}},

	Operator{Name: "Relu", Since: []int{1, 6, 13, 14}, Least: 1, Most: 1, Attrs: "consumed_inputs:ints", Doc: "max(x, 0)", build: activation(relu)},
	Operator{Name: "Elu", Since: []int{1, 6, 22}, Least: 1, Most: 1, Attrs: "alpha:float=1 consumed_inputs:ints", Doc: "x where it is positive, else alpha * (exp(x) - 1)", build: activation(func(c *call, x V) V {
		return c.do(op.Switch, c.do(op.Gt, x, 0.0), x, c.do(op.Mul, c.do(op.Expm1, x), c.number("alpha")))
	})},
	Operator{Name: "Selu", Since: []int{1, 6, 22}, Least: 1, Most: 1, Attrs: "alpha:float=1.67326319217681884765625 gamma:float=1.05070102214813232421875 consumed_inputs:ints", Doc: "gamma * x where x is positive, else gamma * alpha * (exp(x) - 1)", build: activation(func(c *call, x V) V {
		below := c.do(op.Mul, c.do(op.Expm1, x), c.number("alpha"))
		return c.do(op.Mul, c.do(op.Switch, c.do(op.Gt, x, 0.0), x, below), c.number("gamma"))
	})},
	Operator{Name: "Celu", Since: []int{12}, Least: 1, Most: 1, Attrs: "alpha:float=1", Doc: "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))", build: activation(func(c *call, x V) V {
		alpha := c.number("alpha")
		below := c.do(op.Mul, c.do(op.Expm1, c.do(op.TrueDiv, x, alpha)), alpha)
		return c.do(op.Add, c.do(op.Maximum, x, 0.0), c.do(op.Minimum, below, 0.0))
	})},
	Operator{Name: "LeakyRelu", Since: []int{1, 6, 16}, Least: 1, Most: 1, Attrs: "alpha:float=0.01 consumed_inputs:ints", Doc: "x, times alpha where it is negative", build: activation(func(c *call, x V) V {
		return c.do(op.Switch, c.do(op.Lt, x, 0.0), c.do(op.Mul, x, c.number("alpha")), x)
	})},
	Operator{Name: "ThresholdedRelu", Since: []int{10, 22}, Least: 1, Most: 1, Attrs: "alpha:float=1", Doc: "x where it is more than alpha, else 0", build: activation(func(c *call, x V) V {
		return c.do(op.Switch, c.do(op.Gt, x, c.number("alpha")), x, 0.0)
	})},
	Operator{Name: "HardSigmoid", Since: []int{1, 6, 22}, Least: 1, Most: 1, Attrs: "alpha:float=0.2 beta:float=0.5 consumed_inputs:ints", Doc: "alpha * x + beta, but at least 0 and at most 1", build: activation(func(c *call, x V) V {
		return hardSigmoid(c, x, c.number("alpha"), c.number("beta"))
	})},
	Operator{Name: "HardSwish", Since: []int{14, 22}, Least: 1, Most: 1, Doc: "x * HardSigmoid(x) with alpha = 1/6 and beta = 0.5", build: activation(func(c *call, x V) V {
		return c.do(op.Mul, x, hardSigmoid(c, x, 1.0/6, 0.5))
	})},
	Operator{Name: "Shrink", Since: []int{9}, Least: 1, Most: 1, Attrs: "bias:float=0 lambd:float=0.5", Doc: "x + bias below -lambd, x - bias above lambd, 0 between", build: activation(func(c *call, x V) V {
		bias, lambd := c.number("bias"), c.number("lambd")
		high := c.do(op.Switch, c.do(op.Gt, x, lambd), c.do(op.Sub, x, bias), 0.0)
		return c.do(op.Switch, c.do(op.Lt, x, -lambd), c.do(op.Add, x, bias), high)
	})},
	Operator{Name: "Gelu", Since: []int{20}, Least: 1, Most: 1, Attrs: "approximate:string=none", Doc: "x times the normal distribution of x, or its approximation by tanh", build: activation(func(c *call, x V) V {
		return formula.Gelu(c.b, x, c.text("approximate") == "tanh")
	})},
	Operator{Name: "Mish", Since: []int{18, 22}, Least: 1, Most: 1, Doc: "x * tanh(log(1 + exp(x)))", build: activation(func(c *call, x V) V {
		return c.do(op.Mul, x, c.do(op.Tanh, c.do(op.Softplus, x)))
	})},
	Operator{Name: "Hardmax", Since: []int{1, 11, 13}, Least: 1, Most: 1, Attrs: "axis:int", Doc: "1 at the first of the largest elements along an axis, else 0", build: alongAxis(func(c *call, x V, axis int) V {
		n := c.dims(x)[axis]
		first := formula.KeepAxes(c.b, formula.Extreme(c.b, x, tensor.AxesOf(axis), false, false), tensor.AxesOf(axis), x.Rank())
		at := c.spread(formula.UpTo(c.b, n), axis, x.Rank())
		return c.like(0, c.do(op.Eq, first, at))
	})},
	Operator{Name: "Softmax", Since: []int{1, 11, 13}, Least: 1, Most: 1, Attrs: "axis:int", Doc: "exp(x) over its sum along an axis; before version 13 along all axes from axis on", build: alongAxis(func(c *call, x V, axis int) V {
		return got(formula.Softmax(c.b, x, &axis, false))
	})},
	Operator{Name: "LogSoftmax", Since: []int{1, 11, 13}, Least: 1, Most: 1, Attrs: "axis:int", Doc: "the logarithm of Softmax", build: alongAxis(func(c *call, x V, axis int) V {
		return got(formula.Softmax(c.b, x, &axis, true))
	})},
)

func identity(c *call) []V { return c.deliver(c.valuesFrom(0)) }

func relu(c *call, x V) V { return c.b.Apply(op.Maximum, x, c.b.Number(x.DType(), 0)) }

func hardSigmoid(c *call, x V, alpha, beta float64) V {
	y := c.do(op.Add, c.do(op.Mul, x, alpha), beta)
	return c.do(op.Minimum, c.do(op.Maximum, y, 0.0), 1.0)
}

func divide(c *call) []V {
	x, y := c.operands()
	if x.DType().IsFloat() {
		return []V{c.do(op.TrueDiv, x, y)}
	}
	if v := c.byElements([]V{x, y}, func(in []V) V { return c.do(op.IntDiv, in[0], in[1]) }); v != nil {
		return []V{v} // lengths are not negative
	}
	if !x.DType().IsSigned() {
		return []V{c.do(op.IntDiv, x, y)}
	}
	// The quotient of C, which goes to 0, is that of what fmod leaves.
	return []V{c.like(0, c.do(op.IntDiv, c.do(op.Sub, x, c.do(op.Fmod, x, y)), y))}
}

func power(c *call) []V {
	x, y := c.operands()
	d := x.DType()
	if y.DType() != d {
		if !d.IsFloat() && y.DType().IsFloat() { // computed as floats, and cut
			return []V{c.cast(c.do(op.Pow, c.cast(x, kernels.Float64), c.cast(y, kernels.Float64)), d)}
		}
		y = c.cast(y, d)
	}
	return []V{c.like(0, c.do(op.Pow, x, y))}
}

func modulo(c *call) []V {
	e := op.Mod
	if c.flag("fmod") {
		e = op.Fmod
	}
	return []V{c.like(0, c.do(e, c.x(0), c.x(1)))}
}

func prelu(c *call) []V {
	x, slope := c.x(0), c.x(1)
	if c.version < 7 && slope.Rank() == 1 && x.Rank() > 1 { // a slope for each channel
		slope = formula.Pad(c.b, slope, x.Rank()-2, false)
	}
	return []V{c.like(0, c.do(op.Switch, c.do(op.Lt, x, c.zero(x)), c.do(op.Mul, x, slope), x))}
}

// zero is the scalar 0 of x's element type.
func (c *call) zero(x V) V { return c.b.Number(x.DType(), 0) }

func shift(c *call) []V {
	e := op.LeftShift
	switch c.text("direction") {
	case "LEFT":
	case "RIGHT":
		e = op.RightShift
	default:
		c.fail("attribute direction: got %q, want LEFT or RIGHT", c.text("direction"))
	}
	return []V{c.like(0, c.do(e, c.x(0), c.x(1)))}
}

func clip(c *call) []V {
	x := c.x(0)
	low, high := V(nil), V(nil)
	if c.version < 11 {
		if c.hasAttr("min") {
			low = c.float(x, c.number("min"))
		}
		if c.hasAttr("max") {
			high = c.float(x, c.number("max"))
		}
	} else {
		if c.has(1) {
			low = c.scalar(1)
		}
		if c.has(2) {
			high = c.scalar(2)
		}
	}
	y := x
	if low != nil {
		y = c.do(op.Maximum, y, low)
	}
	if high != nil {
		y = c.do(op.Minimum, y, high)
	}
	return []V{y}
}

// scalar is input i, an array of one element, as a scalar.
func (c *call) scalar(i int) V {
	v := c.x(i)
	if v.Rank() == 0 {
		return v
	}
	if n := v.Type; n.IsStatic() && tensor.Size(n.Dims()) != 1 {
		c.fail("%s: got %v, want one element", c.name(i), n)
	}
	return c.reshape(v)
}

// alongAxis is the row of a function along an axis. Before version 13 all axes from axis on, 1 by
// default, were one; since then the default is the last axis.
func alongAxis(f func(c *call, x V, axis int) V) func(c *call) []V {
	return func(c *call) []V {
		x := c.x(0)
		if c.version >= 13 {
			axis := -1
			if c.hasAttr("axis") {
				axis = c.int("axis")
			}
			return []V{f(c, x, c.axis(axis, x.Rank()))}
		}
		axis := 1
		if c.hasAttr("axis") {
			axis = c.int("axis")
		}
		if axis != x.Rank() {
			axis = c.axis(axis, x.Rank())
		}
		return []V{c.reshape(f(c, c.flatten(x, axis), 1), c.dims(x)...)}
	}
}

// flatten is x as a matrix: the axes before axis are one, and those from it on.
func (c *call) flatten(x V, axis int) V {
	lengths := c.dims(x)
	rows := formula.Product(c.b, slices.Clone(lengths[:axis]))
	columns := formula.Product(c.b, slices.Clone(lengths[axis:]))
	return c.reshape(x, rows, columns)
}
