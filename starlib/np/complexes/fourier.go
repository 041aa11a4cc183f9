package complexes

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/complexes"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	nParam     = "n=None: how many numbers are transformed: others are cut off, or zeros added"
	axisParam  = "axis=-1: the axis"
	normParam  = "norm=None: what is divided by the length: the inverse transform (backward), the other one (forward), or both by its root (ortho)"
	sParam     = "s=None: the lengths along the axes"
	axesParam  = "axes=None: the axes; the last ones if there are lengths, or else all"
	twoAxes    = "axes=(-2, -1): the axes"
	arrayParam = "a: an array"
)

// A transform is one of np.fft's: of complex or real numbers to complex or real ones.
type transform struct {
	inverse, fromReal, toReal bool
}

// scale is the factor of the results of a transform of n numbers.
func (t transform) scale(norm starlark.Value, n int) (float64, error) {
	name, _ := starlark.AsString(orNone(norm))
	switch {
	case norm == nil || name == "backward":
		if t.inverse {
			return 1 / float64(n), nil
		}
		return 1, nil
	case name == "ortho":
		return 1 / math.Sqrt(float64(n)), nil
	case name == "forward":
		if t.inverse {
			return 1, nil
		}
		return 1 / float64(n), nil
	}
	return 0, value.Failure("ValueError", "Invalid norm value %s; should be \"backward\", \"ortho\" or \"forward\".", value.Str(norm))
}

// along transforms pairs of float64 along an axis: n numbers, or as many as there are if n is -1.
func (t transform) along(host value.Host, d *tensor.Dense, axis, n int, norm starlark.Value) (*tensor.Dense, error) {
	axis, err := tensor.NormalizeAxis(axis, d.Rank()-1)
	if err != nil {
		return nil, err
	}
	have := d.Dim(axis)
	if n == unset {
		if n = have; t.toReal {
			n = 2 * (have - 1)
		}
	}
	if n < 1 {
		return nil, value.Failure("ValueError", "Invalid number of FFT data points (%d) specified.", n)
	}
	shape := slices.Clone(d.Shape()[:d.Rank()-1])
	shape[axis] = n
	if err := tensor.CheckSize(16, shape); err != nil {
		return nil, err
	}
	scale, err := t.scale(norm, n)
	if err != nil {
		return nil, err
	}
	m := n
	if t.fromReal {
		m = n/2 + 1
	}
	var plan *complexes.Transformer
	stop := np.StopOf(host)
	if err := beside(stop, n, func() { plan = complexes.NewTransformer(n) }); err != nil {
		return nil, err
	}
	work := make([]complex128, n)
	return alongAxis(host, d, axis, m, func(z, run []complex128) {
		clear(work)
		if t.toReal { // the other half is the conjugate of this one
			half := min(n/2+1, len(run))
			copy(work, run[:half])
			for i := 1; i < half && n-i > i; i++ {
				work[n-i] = complexes.Conj(work[i])
			}
			work[0] = complex(real(work[0]), 0)
			if n%2 == 0 {
				work[n/2] = complex(real(work[n/2]), 0)
			}
		} else {
			copy(work, run)
		}
		if err := beside(stop, n, func() { plan.Transform(work, work, t.inverse) }); err != nil {
			panic(err) // as a Poll does
		}
		for i := range z {
			z[i] = complex(real(work[i])*scale, imag(work[i])*scale)
		}
	})
}

// besideFrom is the length of vectors whose transforms take longer than the time in which an
// interrupt is to be heard.
const besideFrom = 1 << 17

// beside computes with vectors of n numbers that nothing else refers to. A transform does not ask:
// an interrupt leaves a long one behind, which ends by itself.
func beside(stop kernels.Stop, n int, f func()) error {
	if n < besideFrom {
		f()
		return nil
	}
	return tensor.Beside(stop, func() error {
		f()
		return nil
	})
}

const unset = math.MinInt

// fourierCall reads what the transforms have in common.
func fourierCall(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (c *call, x operand, err error) {
	list, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, x, err
	}
	c = &call{b: b, thread: thread, host: value.HostOf(thread), v: map[string]starlark.Value{}}
	for i, p := range b.Params {
		if list[i] != nil && list[i] != starlark.None {
			c.v[p.Name] = list[i]
		}
	}
	x, err = operandOf(orNone(list[0]))
	return c, x, err
}

// finished is a transform as the value of a call.
func (t transform) finished(c *call, d *tensor.Dense) starlark.Value {
	if t.toReal {
		return c.array(array.Part(d, 0).Copy())
	}
	return fromPairs(c.host, d)
}

func (t transform) check(x operand) error {
	if t.fromReal && !x.isReal {
		return value.Failure("TypeError", "got complex numbers, want real ones: take .real, or np.fft.fft of all")
	}
	return nil
}

// fourierRow is a row of np.fft.
func fourierRow(name, doc, example string, fn func(c *call, x operand) (starlark.Value, error), params ...string) value.Builtin {
	b := value.Row(name, doc, example, func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c, x, err := fourierCall(thread, b, args, kwargs)
		if err == nil {
			var z starlark.Value
			if z, err = fn(c, x); err == nil {
				return z, nil
			}
		}
		return nil, value.Named("np.fft.", name, err)
	}, params...)
	b.Module = "np.fft"
	return b
}

// oneAxis is a row of a transform along an axis.
func (t transform) oneAxis(name, doc, example string) value.Builtin {
	return fourierRow(name, doc, example, func(c *call, x operand) (starlark.Value, error) {
		if err := t.check(x); err != nil {
			return nil, err
		}
		n, err := c.int("n", unset)
		if err != nil {
			return nil, err
		}
		axis, err := c.int("axis", -1)
		if err != nil {
			return nil, err
		}
		d, err := t.along(c.host, x.as(kernels.Float64), axis, n, c.v["norm"])
		if err != nil {
			return nil, err
		}
		return t.finished(c, d), nil
	}, arrayParam, nParam, axisParam, normParam)
}

// manyAxes is a row of a transform along several axes, the last of which is the one with a real
// side.
func (t transform) manyAxes(name, doc, example, axes string) value.Builtin {
	return fourierRow(name, doc, example, func(c *call, x operand) (starlark.Value, error) {
		if err := t.check(x); err != nil {
			return nil, err
		}
		rank := len(x.shape())
		var lengths, list []int
		var err error
		if v := c.v["s"]; v != nil {
			if lengths, err = np.IntsOf(v); err != nil {
				return nil, err
			}
		}
		switch v := c.v["axes"]; {
		case v != nil:
			list, err = np.IntsOf(v)
		case axes == twoAxes:
			list = []int{-2, -1}
		case lengths != nil:
			for i := range lengths {
				list = append(list, i-len(lengths))
			}
		default:
			for i := range rank {
				list = append(list, i)
			}
		}
		if err != nil {
			return nil, err
		}
		if lengths != nil && len(lengths) != len(list) {
			return nil, value.Failure("ValueError", "Shape and axes have different lengths.")
		}
		d := x.as(kernels.Float64)
		at := func(d *tensor.Dense, i int, one transform) (*tensor.Dense, error) {
			n := unset
			if lengths != nil {
				n = lengths[i]
			}
			return one.along(c.host, d, list[i], n, c.v["norm"])
		}
		last := len(list) - 1
		plain := transform{inverse: t.inverse}
		if last < 0 {
			if t.fromReal || t.toReal {
				return nil, value.Failure("IndexError", "got no axes, want one at least")
			}
			return fromPairs(c.host, d.Copy()), nil
		}
		if !t.toReal {
			if d, err = at(d, last, t); err != nil {
				return nil, err
			}
		}
		for i := last - 1; i >= 0; i-- {
			if d, err = at(d, i, plain); err != nil {
				return nil, err
			}
		}
		if t.toReal {
			if d, err = at(d, last, t); err != nil {
				return nil, err
			}
		}
		return t.finished(c, d), nil
	}, arrayParam, sParam, axes, normParam)
}

var (
	forward, inverse   = transform{}, transform{inverse: true}
	fromReal, backReal = transform{fromReal: true}, transform{inverse: true, toReal: true}
)

// shifted is a row of a function that moves the zero frequency.
func shifted(name, doc, example string, by func(n int) int) value.Builtin {
	return fourierRow(name, doc, example, func(c *call, x operand) (starlark.Value, error) {
		rank := len(x.shape())
		axes := make([]int, rank)
		for i := range axes {
			axes[i] = i
		}
		if v := c.v["axes"]; v != nil {
			var err error
			if axes, err = np.IntsOf(v); err != nil {
				return nil, err
			}
		}
		var z starlark.Value = np.NewArray(c.host, x.d)
		if !x.isReal {
			z = newArray(c.host, x.d)
		}
		for _, axis := range axes {
			at, err := tensor.NormalizeAxis(axis, rank)
			if err != nil {
				return nil, err
			}
			if z, err = np.CallFunction(c.thread, "roll", starlark.Tuple{z, starlark.MakeInt(by(x.shape()[at])), starlark.MakeInt(at)}, nil); err != nil {
				return nil, err
			}
		}
		return z, nil
	}, "x: an array", "axes=None: the axes; all if not given")
}

// frequencies is a row of the frequencies of a transform.
func frequencies(name, doc, example string, at func(n, i int) int, count func(n int) int) value.Builtin {
	b := value.Row(name, doc, example, func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		n, ok := np.AsInt(v[0])
		if !ok {
			return nil, value.Failure("ValueError", "np.fft.%s: n should be an integer", name)
		}
		d := 1.0
		if v[1] != nil {
			if d, err = np.ReadNumber("d", v[1]); err != nil {
				return nil, value.Named("np.fft.", name, err)
			}
		}
		if float64(n)*d == 0 {
			return nil, value.Failure("ZeroDivisionError", "np.fft.%s: got n=%d and d=%v, of which the product is 0", name, n, d)
		}
		if n < 0 {
			return nil, value.Failure("ValueError", "np.fft.%s: got n=%d, want a length", name, n)
		}
		if err := np.CheckShape([]int{n}); err != nil {
			return nil, value.Named("np.fft.", name, err)
		}
		step := 1 / (float64(n) * d)
		z := make([]float64, count(n))
		for i := range z {
			z[i] = float64(at(n, i)) * step
		}
		return np.NewArray(value.HostOf(thread), tensor.From(z, len(z))), nil
	}, "n: the length of the transform", "d=1.0: the time between two numbers")
	b.Module = "np.fft"
	return b
}

// fourierTable is the functions of np.fft.
var fourierTable = []value.Builtin{
	forward.oneAxis("fft", "The discrete Fourier transform along an axis.", "np.fft.fft([1, 2, 3, 4]) # array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])"),
	inverse.oneAxis("ifft", "The inverse of fft.", "np.fft.ifft([10, -2+2j, -2, -2-2j]).real # array([1., 2., 3., 4.])"),
	fromReal.oneAxis("rfft", "The first half, and one more, of the transform of real numbers: the others are conjugates of these.",
		"np.fft.rfft([1, 2, 3, 4]) # array([10.+0.j, -2.+2.j, -2.+0.j])"),
	backReal.oneAxis("irfft", "The inverse of rfft; n=2 * (m - 1) numbers of m, unless n is given.", "np.fft.irfft([10, -2+2j, -2]) # array([1., 2., 3., 4.])"),
	forward.manyAxes("fft2", "The transform along two axes.", "np.fft.fft2(np.eye(2)) # array([[2.+0.j, 0.+0.j],\n       [0.+0.j, 2.+0.j]])", twoAxes),
	inverse.manyAxes("ifft2", "The inverse of fft2.", "np.fft.ifft2([[2, 0], [0, 2]]).real # array([[1., 0.],\n       [0., 1.]])", twoAxes),
	fromReal.manyAxes("rfft2", "rfft along the last of two axes, fft along the other.", "np.fft.rfft2(np.eye(2)).shape # (2, 2)", twoAxes),
	backReal.manyAxes("irfft2", "The inverse of rfft2.", "np.fft.irfft2(np.fft.rfft2(np.eye(2))) # array([[1., 0.],\n       [0., 1.]])", twoAxes),
	forward.manyAxes("fftn", "The transform along several axes.", "np.fft.fftn(np.ones((2, 2)))[0, 0] # (4+0j)", axesParam),
	inverse.manyAxes("ifftn", "The inverse of fftn.", "np.fft.ifftn(np.ones((2, 2)))[0, 0] # (1+0j)", axesParam),
	fromReal.manyAxes("rfftn", "rfft along the last axis, fft along the others.", "np.fft.rfftn(np.ones((2, 4))).shape # (2, 3)", axesParam),
	backReal.manyAxes("irfftn", "The inverse of rfftn.", "np.fft.irfftn(np.fft.rfftn(np.ones((2, 4)))).shape # (2, 4)", axesParam),
	shifted("fftshift", "The zero frequency moved to the middle.", "np.fft.fftshift([0, 1, 2, -2, -1]) # array([-2, -1,  0,  1,  2])", func(n int) int { return n / 2 }),
	shifted("ifftshift", "The inverse of fftshift.", "np.fft.ifftshift([-2, -1, 0, 1, 2]) # array([ 0,  1,  2, -2, -1])", func(n int) int { return -(n / 2) }),
	frequencies("fftfreq", "The frequencies that the numbers of fft belong to.", "np.fft.fftfreq(4, 0.5) # array([ 0. ,  0.5, -1. , -0.5])", func(n, i int) int {
		if i < (n-1)/2+1 {
			return i
		}
		return i - n
	}, func(n int) int { return n }),
	frequencies("rfftfreq", "The frequencies that the numbers of rfft belong to.", "np.fft.rfftfreq(4, 0.5) # array([0. , 0.5, 1. ])",
		func(_, i int) int { return i }, func(n int) int { return n/2 + 1 }),
}

// functionTable is the functions of np that are about complex numbers.
var functionTable = []value.Builtin{
	np.ArgRow("np.", "iscomplexobj", "Whether x is a complex number or an array of such.", "np.iscomplexobj([1j]) # True",
		func(_ *np.Eval, a *objectArg) starlark.Value { return starlark.Bool(typeName(a.X) != "") }),
	np.ArgRow("np.", "isrealobj", "Whether x is no complex number and no array of such.", "np.isrealobj([1.0]) # True",
		func(_ *np.Eval, a *objectArg) starlark.Value { return starlark.Bool(typeName(a.X) == "") }),
	np.ArgRow("np.", "real_if_close", "The real parts, if all imaginary ones are nearly 0; or else a itself.",
		"np.real_if_close([2 + 1e-15j]) # array([2.])", func(_ *np.Eval, a *struct {
			A   *tensor.Dense `arg:"a: an array"`
			Tol float64       `arg:"tol=100.0: how near, in units of the type's precision; a number up to 1 is the distance itself"`
		}) starlark.Value {
			return np.FromDense(a.A)
		}),
}

type objectArg struct {
	X starlark.Value `arg:"x: any value"`
}

var _ = np.Add(np.Addition{
	Builtins: functionTable,
	Methods: []value.Builtin{np.ArgRow("ndarray.", "conjugate", "The complex conjugate: of real numbers, themselves.",
		"np.eye(1).conjugate() # array([[1.]])", func(e *np.Eval, _ *struct{}) starlark.Value {
			a := e.Receiver().(*np.Array)
			return a.View(a.D)
		})},
	Members: func() []value.Member {
		module := value.NewModule("np.fft", "Discrete Fourier transforms.", value.Builtins(fourierTable)...)
		members := []value.Member{{Name: "fft", Value: module, Doc: module.Doc()}}
		for name, t := range types {
			if len(name) > 3 && name != "complex" {
				members = append(members, value.Member{Name: name, Value: t, Doc: t.Doc()})
			}
		}
		for _, b := range value.TypeTable {
			if b.Name == "complex" {
				members = append(members, value.Member{Name: b.Name, Value: b.Value(), Doc: "Python's complex, as a dtype complex128.",
					Example: "np.zeros(1, dtype=np.complex).dtype # \"complex128\""})
			}
		}
		return members
	},
	Tables: func() map[string][]value.Builtin { return map[string][]value.Builtin{"np.fft.": fourierTable} },
	Types:  func() []*value.Methods { return []*value.Methods{typeFields} },
})
