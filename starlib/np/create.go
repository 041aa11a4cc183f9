package np

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	shapeParam     = "shape: an int or a tuple of ints"
	likeShapeParam = "shape=None: another shape than that of a"

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
			return inOrder(c, 5)(arrayOf(c, copied, least))
		}, "x: what to convert", dtypeParam, "copy=True: False to return an array as it is where that can be",
		"ndmin=0: the least number of dimensions", "*:", memoryParam),
	numpyRow("np.", "asarray", "x as an array: itself if it is one of that type.",
		"np.asarray([1, 2], dtype=\"float32\") # array([1., 2.], dtype=float32)", func(c *call) (starlark.Value, error) {
			return inOrder(c, 2)(arrayOf(c, false, 0))
		}, "x: what to convert", dtypeParam, memoryParam),
	numpyRow("np.", "asanyarray", "x as an array: itself if it is one of that type.",
		"np.asanyarray([1, 2]) # array([1, 2])", func(c *call) (starlark.Value, error) {
			return inOrder(c, 2)(arrayOf(c, false, 0))
		}, "x: what to convert", dtypeParam, memoryParam),
	numpyRow("np.", "ascontiguousarray", "x as an array of at least 1 dimension whose elements lie in C order: itself if they do.",
		"np.ascontiguousarray(np.eye(2).T).strides # (16, 8)", func(c *call) (starlark.Value, error) {
			v, err := arrayOf(c, false, 1)
			if a, ok := v.(*Array); ok && !a.d.IsContiguous() {
				return NewArray(c.session, a.d.Copy()), nil
			}
			return v, err
		}, "x: what to convert", dtypeParam),
	evalRow("np.", "asfarray", "x as an array of floats: float64 for integers and bools.",
		"np.asfarray([1, 2]) # array([1., 2.])", func(e *eval) starlark.Value {
			x := asReal(e.array(0))
			if d := e.dtype(1, x.DType()); d.IsFloat() && d != x.DType() {
				x = x.AsType(d)
			}
			return e.view(0, x)
		}, "a: what to convert", "dtype=float: the elements' type"),
	evalRow("np.", "copyto", "Writes the elements of src, which broadcasts, into dst; those only where a mask is true.",
		"np.copyto(np.zeros(2), [1, 2])", func(e *eval) starlark.Value {
			src := e.array(1)
			if _, ok := e.v[0].(*Array); !ok {
				e.err = e.wrong(0, "ndarray")
			}
			if e.failed() {
				return nil
			}
			where := e.v[3]
			if where == starlark.True {
				where = nil
			}
			if e.text(2, "same_kind", "no", "equiv", "safe", "same_kind", "unsafe") == "unsafe" {
				src = src.AsType(e.array(0).DType())
			} else if _, isArray := e.v[1].(*Array); !isArray && src.Rank() == 0 && !src.DType().IsFloat() {
				src = e.got(ToDenseAs(e.v[1], e.array(0).DType()))
			}
			_, err := e.store(0, src, where)
			e.got(src, err)
			return starlark.None
		}, "dst: the array to write to", "src: an array or number", "casting=\"same_kind\": unsafe to convert floats to integers",
		"where=True: bools: which elements to write"),
	numpyRow("np.", "zeros", "An array of zeros.", "np.zeros((2, 2)) # array([[0., 0.],\n       [0., 0.]])", filled(0), shapeParam,
		dtypeParam, memoryParam),
	numpyRow("np.", "ones", "An array of ones.", "np.ones(3, dtype=\"int64\") # array([1, 1, 1])", filled(1), shapeParam,
		dtypeParam, memoryParam),
	numpyRow("np.", "empty", "An array whose elements are to be assigned; they are zeros until then.", "np.empty(2).shape # (2,)",
		filled(0), shapeParam, dtypeParam, memoryParam),
	numpyRow("np.", "full", "An array of copies of a value, which broadcasts.", "np.full(3, 7) # array([7, 7, 7])",
		func(c *call) (starlark.Value, error) {
			shape, err := c.newShape(0)
			if err != nil {
				return nil, err
			}
			return inOrder(c, 3)(fullOf(c, shape, c.v[1], 2, kernels.Invalid))
		}, shapeParam, "fill_value: the value", dtypeParam, memoryParam),
	numpyRow("np.", "zeros_like", "An array of zeros with the shape and type of a.", "np.zeros_like([1, 2]) # array([0, 0])",
		filledLike(0), "a: an array", dtypeParam, likeShapeParam, "*:", memoryParam),
	numpyRow("np.", "ones_like", "An array of ones with the shape and type of a.", "np.ones_like([1.5, 2]) # array([1., 1.])",
		filledLike(1), "a: an array", dtypeParam, likeShapeParam, "*:", memoryParam),
	numpyRow("np.", "empty_like", "An array with the shape and type of a whose elements are to be assigned.",
		"np.empty_like([1, 2]).dtype # \"int64\"", filledLike(0), "a: an array", dtypeParam, likeShapeParam, "*:", memoryParam),
	numpyRow("np.", "full_like", "An array with the shape and type of a, of copies of a value.",
		"np.full_like([1.5, 2], 7) # array([7., 7.])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			shape, err := likeShape(c, 3, a)
			if err != nil {
				return nil, err
			}
			return inOrder(c, 5)(fullOf(c, shape, c.v[1], 2, a.DType()))
		}, "a: an array", "fill_value: the value", dtypeParam, likeShapeParam, "*:", memoryParam),
	numpyRow("np.", "arange", "The numbers from start up to stop, by step.", "np.arange(2, 8, 3) # array([2, 5])", arange,
		"start: the first number, or stop if it is the only argument", "stop=None: the end, which is left out",
		"step=None: the distance, 1 if not given", dtypeParam),
	evalRow("np.", "linspace", "num numbers at equal distances from start to stop.",
		"np.linspace(0, 1, 5) # array([0.  , 0.25, 0.5 , 0.75, 1.  ])", linspace,
		"start: the first number, or an array of them", "stop: the last number, or an array", "num=50: how many",
		"endpoint=True: False to leave stop out", "retstep=False: return the distance too", dtypeParam,
		"axis=0: of arrays, the axis that the numbers lie along"),
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
			return inOrder(c, 4)(eye(c, n, m, k, 3))
		}, "N: the number of rows", "M=None: the number of columns, N if not given",
		"k=0: the diagonal; above the main one if positive", dtypeParam, memoryParam),
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

// inOrder gives the array that a function returns the order in memory that argument i asks for.
func inOrder(c *call, i int) func(v starlark.Value, err error) (starlark.Value, error) {
	return func(v starlark.Value, err error) (starlark.Value, error) {
		a, ok := v.(*Array)
		if err != nil || !ok || c.v[i] == nil {
			return v, err
		}
		s, _ := starlark.AsString(c.v[i])
		fortran, err := c.fortran(i, a.d)
		switch {
		case err != nil:
			return nil, err
		case s == "A" || s == "K", fortran && a.d.Transpose().IsContiguous(), !fortran && a.d.IsContiguous():
			return a, nil
		}
		return NewArray(c.session, copyIn(a.d, fortran)), nil
	}
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
		return inOrder(c, 2)(c.made(constant(dtype, shape, value), nil))
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
		shape, err := likeShape(c, 2, a)
		if err != nil {
			return nil, err
		}
		return inOrder(c, 4)(c.made(constant(dtype, shape, value), nil))
	}
}

// likeShape is the shape of a, or the one that argument i gives instead.
func likeShape(c *call, i int, a *tensor.Dense) ([]int, error) {
	if c.v[i] == nil {
		return a.Shape(), nil
	}
	return c.newShape(i)
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
