package np

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sequenceTable is the functions that make sequences of numbers, windows among them.
var sequenceTable = []value.Builtin{
	npRow("logspace", "num numbers whose logarithms are at equal distances: base**start to base**stop.",
		"np.logspace(0, 2, 3) # array([  1.,  10., 100.])", func(e *eval) *tensor.Dense {
			x, _ := e.linspaced(e.count(2, 50), e.bool(3, true))
			z := e.do("power", e.float(4, 10), x)
			axis := e.axis(6, 0, z.Rank())
			return e.permute(z.AsType(e.dtype(5, z.DType())), slices.Insert(countTo(z.Rank())[1:], axis, 0))
		}, "start: the exponent of the first number, or an array", "stop: the exponent of the last, or an array", "num=50: how many",
		"endpoint=True: False to leave the last out", "base=10.0: the base", dtypeParam,
		"axis=0: of arrays, the axis that the numbers lie along"),
	npRow("geomspace", "num numbers from start to stop, each the same multiple of the one before.",
		"np.geomspace(1, 8, 4) # array([1., 2., 4., 8.])", geomspace,
		"start: the first number", "stop: the last number", "num=50: how many", "endpoint=True: False to leave stop out", dtypeParam),
	windowRow("bartlett", "The triangle that is 0 at both ends.", "np.bartlett(5) # array([0. , 0.5, 1. , 0.5, 0. ])",
		func(x float64) float64 { return 1 - math.Abs(x) }),
	windowRow("hanning", "The raised cosine 0.5 + 0.5 cos(pi x).", "np.hanning(3) # array([0., 1., 0.])",
		func(x float64) float64 { return 0.5 + 0.5*math.Cos(math.Pi*x) }),
	windowRow("hamming", "The raised cosine 0.54 + 0.46 cos(pi x).", "np.hamming(3) # array([0.08, 1.  , 0.08])",
		func(x float64) float64 { return 0.54 + 0.46*math.Cos(math.Pi*x) }),
	windowRow("blackman", "The sum of cosines 0.42 + 0.5 cos(pi x) + 0.08 cos(2 pi x).",
		"np.blackman(3).round(3) # array([-0.,  1., -0.])",
		func(x float64) float64 { return 0.42 + 0.5*math.Cos(math.Pi*x) + 0.08*math.Cos(2*math.Pi*x) }),
	npRow("kaiser", "The window I0(beta sqrt(1 - x*x)) / I0(beta), for x from -1 to 1.",
		"np.kaiser(3, 0.0) # array([1., 1., 1.])", func(e *eval) *tensor.Dense {
			m, beta := e.windowLength(0), e.float(1, 0)
			values := make([]float64, m)
			alpha := float64(m-1) / 2
			for i := range values {
				if x := (float64(i) - alpha) / alpha; m > 1 {
					values[i] = besselI0(beta*math.Sqrt(1-x*x)) / besselI0(beta)
				} else {
					values[i] = 1
				}
			}
			return tensor.From(values, m)
		}, "M: how many numbers", "beta: the shape: 0 for a rectangle"),
	npRow("vander", "The matrix of the powers of x: those of each element are a row, from N-1 down to 0.",
		"np.vander([2, 3], 3) # array([[4, 2, 1],\n       [9, 3, 1]])", func(e *eval) *tensor.Dense {
			x := e.array(0)
			if x.Rank() != 1 {
				e.failAt(0, "got %d dimensions, want a vector", x.Rank())
			}
			n, increasing := e.count(1, x.Size()), e.bool(2, false)
			if err := checkShape([]int{x.Size(), n}); err != nil {
				return e.got(nil, err)
			}
			if !x.DType().IsFloat() {
				x = x.AsType(kernels.Promote(x.DType(), kernels.Int64))
			}
			column := e.reshape(x, x.Size(), 1)
			z := tensor.New(x.DType(), x.Size(), n)
			for k := 0; k < n && !e.failed(); k++ {
				power := constant(x.DType(), []int{x.Size(), 1}, 1)
				at := n - 1 - k
				if increasing {
					at = k
				}
				if k > 0 {
					last := at + 1
					if increasing {
						last = at - 1
					}
					power = e.do("multiply", e.part(z, 1, last, last+1), column)
				}
				tensor.CopyTo(e.part(z, 1, at, at+1), power)
			}
			return z
		}, "x: a vector", "N=None: the number of columns; as many as elements if not given",
		"increasing=False: the powers from 0 up"),
	evalRow("np.", "fromfunction", "The array of a shape that a function gives for its arrays of indices.",
		"np.fromfunction(lambda i, j: i + 10 * j, (2, 2), dtype=int) # array([[ 0, 10],\n       [ 1, 11]])",
		func(e *eval) starlark.Value {
			fn, shape, dtype := e.function(0), e.shape(1), e.dtype(2, kernels.Float64)
			args := make(starlark.Tuple, len(shape))
			for axis, n := range shape {
				d, ok := e.counted(n, axis, len(shape)).AsType(dtype).BroadcastTo(shape)
				if e.failed() || !ok {
					return nil
				}
				args[axis] = NewArray(e.session, d.Copy())
			}
			return e.callback(fn, args)
		}, "function: a function of as many arrays as there are axes", "shape: a shape", "dtype=float: the type of the indices"),
	npRow("fromiter", "The vector of the numbers of an iterable.", "np.fromiter(range(3), float) # array([0., 1., 2.])",
		func(e *eval) *tensor.Dense {
			seq, ok := e.v[0].(starlark.Iterable)
			dtype, most := e.dtype(1, kernels.Float64), e.int(2, -1)
			if !ok {
				e.err = e.wrong(0, "an iterable")
				return nil
			}
			var list []starlark.Value
			it := seq.Iterate()
			defer it.Done()
			var v starlark.Value
			for (most < 0 || len(list) < most) && it.Next(&v) {
				list = append(list, v)
			}
			if len(list) < most {
				e.fail("got %d numbers, want %d", len(list), most)
			}
			d, err := ToDenseAs(starlark.NewList(list), dtype)
			if d = e.got(d, err); d.Rank() != 1 {
				e.fail("got elements that are no numbers")
			}
			return d
		}, "iter: an iterable of numbers", "dtype: the elements' type", "count=-1: how many to read; all if negative"),
}

// windowRow is a window of M numbers: f of x from -1 to 1.
func windowRow(name, doc, example string, f func(x float64) float64) value.Builtin {
	return npRow(name, "A window for sequences. "+doc+" x goes from -1 to 1.", example, func(e *eval) *tensor.Dense {
		m := e.windowLength(0)
		values := make([]float64, m)
		for i := range values {
			if values[i] = 1; m > 1 {
				values[i] = f(float64(2*i+1-m) / float64(m-1))
			}
		}
		return tensor.From(values, m)
	}, "M: how many numbers")
}

func (e *eval) windowLength(i int) int {
	n := max(e.int(i, 0), 0)
	if err := checkShape([]int{n}); err != nil {
		e.failAt(i, "%w", err)
		return 0
	}
	return n
}

// geomspace divides both ends by the first number, so that integers come out as such where they can.
func geomspace(e *eval) *tensor.Dense {
	start, stop, num, endpoint := e.float(0, 0), e.float(1, 0), e.count(2, 50), e.bool(3, true)
	if start == 0 || stop == 0 {
		e.fail("got %v to %v, want no 0", start, stop)
	}
	if start*stop < 0 {
		e.fail("got %v to %v, want numbers of one sign", start, stop)
	}
	if e.failed() {
		return nil
	}
	sign := math.Copysign(1, start)
	exponents, _ := spaced(math.Log10(start*sign), math.Log10(stop*sign), num, endpoint)
	values := slices.Clone(tensor.Elements[float64](e.do("power", 10.0, tensor.From(exponents, num))))
	if num > 0 {
		values[0] = start * sign
		if endpoint && num > 1 {
			values[num-1] = stop * sign
		}
	}
	for i := range values {
		values[i] *= sign
	}
	return tensor.From(values, num).AsType(e.dtype(4, kernels.Float64))
}

// function returns argument i, something to call.
func (e *eval) function(i int) starlark.Callable {
	fn, ok := e.v[i].(starlark.Callable)
	if !ok && e.err == nil {
		e.err = e.wrong(i, "a function")
	}
	return fn
}

// callback calls a function of the user's.
func (e *eval) callback(fn starlark.Callable, args starlark.Tuple) starlark.Value {
	if e.failed() {
		return nil
	}
	v, err := starlark.Call(e.thread, fn, args, nil)
	return keep(e, v, err, nil)
}
