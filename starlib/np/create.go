package np

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	shapeParam = "shape: an int or a tuple of ints"
	dtypeParam = "dtype=None: the elements' type, such as \"float32\" or np.float32"
)

// createTable is the functions that make arrays.
var createTable = []value.Builtin{
	numpyRow("np.", "array", "A new array of the elements of x: a number, nested lists of them, or an array.",
		"np.array([[1, 2], [3, 4.5]]) # array([[1. , 2. ],\n       [3. , 4.5]])", func(c *call) (starlark.Value, error) {
			copied, err := c.bool(2, true)
			if err != nil {
				return nil, err
			}
			least, err := c.int(3, 0)
			if err != nil {
				return nil, err
			}
			return arrayOf(c, copied, least)
		}, "x: what to convert", dtypeParam, "copy=True: False to return an array as it is where that can be",
		"ndmin=0: the least number of dimensions"),
	numpyRow("np.", "asarray", "x as an array: itself if it is one of that type.",
		"np.asarray([1, 2], dtype=\"float32\") # array([1., 2.], dtype=float32)", func(c *call) (starlark.Value, error) {
			return arrayOf(c, false, 0)
		}, "x: what to convert", dtypeParam),
	numpyRow("np.", "zeros", "An array of zeros.", "np.zeros((2, 2)) # array([[0., 0.],\n       [0., 0.]])", filled(0), shapeParam,
		dtypeParam),
	numpyRow("np.", "ones", "An array of ones.", "np.ones(3, dtype=\"int64\") # array([1, 1, 1])", filled(1), shapeParam,
		dtypeParam),
	numpyRow("np.", "empty", "An array whose elements are to be assigned; they are zeros until then.", "np.empty(2).shape # (2,)",
		filled(0), shapeParam, dtypeParam),
	numpyRow("np.", "full", "An array of copies of a value, which broadcasts.", "np.full(3, 7) # array([7, 7, 7])",
		func(c *call) (starlark.Value, error) {
			shape, err := c.newShape(0)
			if err != nil {
				return nil, err
			}
			return fullOf(c, shape, c.v[1], 2, kernels.Invalid)
		}, shapeParam, "fill_value: the value", dtypeParam),
	numpyRow("np.", "zeros_like", "An array of zeros with the shape and type of a.", "np.zeros_like([1, 2]) # array([0, 0])",
		filledLike(0), "a: an array", dtypeParam),
	numpyRow("np.", "ones_like", "An array of ones with the shape and type of a.", "np.ones_like([1.5, 2]) # array([1., 1.])",
		filledLike(1), "a: an array", dtypeParam),
	numpyRow("np.", "empty_like", "An array with the shape and type of a whose elements are to be assigned.",
		"np.empty_like([1, 2]).dtype # \"int64\"", filledLike(0), "a: an array", dtypeParam),
	numpyRow("np.", "full_like", "An array with the shape and type of a, of copies of a value.",
		"np.full_like([1.5, 2], 7) # array([7., 7.])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			return fullOf(c, a.Shape(), c.v[1], 2, a.DType())
		}, "a: an array", "fill_value: the value", dtypeParam),
	numpyRow("np.", "arange", "The numbers from start up to stop, by step.", "np.arange(2, 8, 3) # array([2, 5])", arange,
		"start: the first number, or stop if it is the only argument", "stop=None: the end, which is left out",
		"step=None: the distance, 1 if not given", dtypeParam),
	numpyRow("np.", "linspace", "num numbers at equal distances from start to stop.",
		"np.linspace(0, 1, 5) # array([0.  , 0.25, 0.5 , 0.75, 1.  ])", linspace,
		"start: the first number", "stop: the last number", "num=50: how many", "endpoint=True: False to leave stop out",
		dtypeParam),
	numpyRow("np.", "eye", "The matrix with ones on a diagonal and zeros elsewhere.",
		"np.eye(2, dtype=\"int64\") # array([[1, 0],\n       [0, 1]])", func(c *call) (starlark.Value, error) {
			n, err := c.int(0, 0)
			if err != nil {
				return nil, err
			}
			m, err := c.int(1, n)
			if err != nil {
				return nil, err
			}
			k, err := c.int(2, 0)
			if err != nil {
				return nil, err
			}
			return eye(c, n, m, k, 3)
		}, "N: the number of rows", "M=None: the number of columns, N if not given",
		"k=0: the diagonal; above the main one if positive", dtypeParam),
	numpyRow("np.", "identity", "The square matrix with ones on the diagonal and zeros elsewhere.",
		"np.identity(2) # array([[1., 0.],\n       [0., 1.]])", func(c *call) (starlark.Value, error) {
			n, err := c.int(0, 0)
			if err != nil {
				return nil, err
			}
			return eye(c, n, n, 0, 1)
		}, "n: the number of rows", dtypeParam),
}

// arrayOf is np.array and np.asarray.
func arrayOf(c *call, copied bool, least int) (starlark.Value, error) {
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	dtype, err := c.dtype(1, d.DType())
	if err != nil {
		return nil, err
	}
	a, isArray := c.v[0].(*Array)
	switch {
	case dtype != d.DType():
		if d, err = ToDenseAs(c.v[0], dtype); err != nil {
			return nil, err
		}
	case isArray && !copied && d.Rank() >= least:
		return a, nil
	case isArray && copied:
		d = d.Copy()
	}
	if least > tensor.MaxRank {
		return nil, fmt.Errorf("for parameter ndmin: got %d, want at most %d", least, tensor.MaxRank)
	}
	for d.Rank() < least {
		if d, err = d.Reshape(append([]int{1}, d.Shape()...)...); err != nil {
			return nil, err
		}
	}
	return c.viewOf(0, d, nil)
}

type npFunc = func(c *call) (starlark.Value, error)

func filled(value float64) npFunc {
	return func(c *call) (starlark.Value, error) {
		shape, err := c.newShape(0)
		if err != nil {
			return nil, err
		}
		dtype, err := c.dtype(1, kernels.Float64)
		if err != nil {
			return nil, err
		}
		return c.made(constant(dtype, shape, value), nil)
	}
}

func filledLike(value float64) npFunc {
	return func(c *call) (starlark.Value, error) {
		a, err := c.array(0)
		if err != nil {
			return nil, err
		}
		dtype, err := c.dtype(1, a.DType())
		if err != nil {
			return nil, err
		}
		return c.made(constant(dtype, a.Shape(), value), nil)
	}
}

func constant(dtype kernels.DType, shape []int, value float64) *tensor.Dense {
	d := tensor.New(dtype, shape...)
	if value != 0 {
		d.Fill(value)
	}
	return d
}

// fullOf makes an array of copies of v. The type is that of parameter i, otherwise, or
// the value's own.
func fullOf(c *call, shape []int, v starlark.Value, i int, otherwise kernels.DType) (starlark.Value, error) {
	src, err := ToDense(v)
	if err != nil {
		return nil, fmt.Errorf("for parameter fill_value: %w", err)
	}
	if otherwise == kernels.Invalid {
		otherwise = src.DType()
	}
	dtype, err := c.dtype(i, otherwise)
	if err != nil {
		return nil, err
	}
	if src, err = ToDenseAs(v, dtype); err != nil {
		return nil, err
	}
	if src, err = fitShape(src, shape); err != nil {
		return nil, err
	}
	z := tensor.New(dtype, shape...)
	tensor.CopyTo(z, src)
	return c.made(z, nil)
}

// arange counts in integers where start, stop and step are integers, and in floats with
// NumPy's formula otherwise: the distance is that of the first two numbers, as stored.
func arange(c *call) (starlark.Value, error) {
	if c.v[1] == nil {
		c.v[0], c.v[1] = starlark.MakeInt(0), c.v[0]
	}
	if c.v[2] == nil {
		c.v[2] = starlark.MakeInt(1)
	}
	start, ok1 := asInt(c.v[0])
	stop, ok2 := asInt(c.v[1])
	step, ok3 := asInt(c.v[2])
	whole := ok1 && ok2 && ok3
	dtype, err := c.dtype(3, map[bool]kernels.DType{true: kernels.Int64, false: kernels.Float64}[whole])
	if err != nil {
		return nil, err
	}
	var ends [3]float64
	for i := range ends {
		if ends[i], err = c.float(i, 0); err != nil {
			return nil, err
		}
	}
	count := math.Ceil((ends[1] - ends[0]) / ends[2])
	switch {
	case ends[2] == 0:
		return nil, fmt.Errorf("for parameter step: got 0, want another number")
	case math.IsNaN(count) || count > float64(tensor.MaxBytes()/8):
		return nil, fmt.Errorf("got %s numbers from %s to %s, which need more memory than there is",
			value.FormatFloat(count), value.FormatFloat(ends[0]), value.FormatFloat(ends[1]))
	}
	n := int(max(count, 0))
	if whole {
		n = max(0, (stop-start+step-sign(step))/step)
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(start + i*step)
		}
		return c.made(tensor.From(values, n).AsType(dtype), nil)
	}
	second := ends[0] + ends[2]
	switch {
	case dtype == kernels.Float32:
		return c.made(progression(n, float32(ends[0]), float32(second)), nil)
	case dtype.IsInteger(): // the first two are cut to integers, and set the distance
		return c.made(progression(n, int64(ends[0]), int64(second)).AsType(dtype), nil)
	}
	return c.made(progression(n, ends[0], second).AsType(dtype), nil)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// progression returns n numbers, of which the first two are given.
func progression[E float32 | float64 | int64](n int, first, second E) *tensor.Dense {
	values := make([]E, n)
	distance := second - first
	for i := range values {
		switch i {
		case 0:
			values[i] = first
		case 1:
			values[i] = second
		default:
			values[i] = first + E(E(i)*distance) // the conversion keeps it from being fused
		}
	}
	return tensor.From(values, n)
}

func linspace(c *call) (starlark.Value, error) {
	start, err := c.float(0, 0)
	if err != nil {
		return nil, err
	}
	stop, err := c.float(1, 0)
	if err != nil {
		return nil, err
	}
	num, err := c.int(2, 50)
	if err != nil {
		return nil, err
	}
	endpoint, err := c.bool(3, true)
	if err != nil {
		return nil, err
	}
	dtype, err := c.dtype(4, kernels.Float64)
	if err != nil {
		return nil, err
	}
	if err := checkShape([]int{num}); err != nil {
		return nil, fmt.Errorf("for parameter num: %w", err)
	}
	parts := float64(num)
	if endpoint {
		parts--
	}
	delta := stop - start
	step := delta / parts
	values := make([]float64, num)
	for i := range values {
		x := float64(i)
		switch {
		case parts > 0 && step != 0:
			x = float64(x * step)
		case parts > 0: // delta is so small that it vanished
			x = float64(x / parts * delta)
		default:
			x = float64(x * delta)
		}
		values[i] = x + start
	}
	if endpoint && num > 1 {
		values[num-1] = stop
	}
	if dtype.IsInteger() {
		for i, x := range values {
			values[i] = math.Floor(x)
		}
	}
	return c.made(tensor.From(values, num).AsType(dtype), nil)
}

func eye(c *call, n, m, k, dtypeAt int) (starlark.Value, error) {
	dtype, err := c.dtype(dtypeAt, kernels.Float64)
	if err != nil {
		return nil, err
	}
	if err := checkShape([]int{n, m}); err != nil {
		return nil, err
	}
	values := make([]uint8, n*m)
	for i := range n {
		if j := i + k; j >= 0 && j < m {
			values[i*m+j] = 1
		}
	}
	return c.made(tensor.From(values, n, m).AsType(dtype), nil)
}
