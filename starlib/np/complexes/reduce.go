package complexes

import (
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/complexes"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linear is a function that is computed of the real and of the imaginary parts by itself.
func (c *call) linear() (starlark.Value, error) { return c.linearOf(c.first()) }

// linearOf is linear for operands at parameters.
func (c *call) linearOf(params ...string) (starlark.Value, error) {
	var err error
	parts := [2]starlark.Value{}
	for i := range parts {
		parts[i], err = c.again(func(v starlark.Value) starlark.Value {
			x, bad := operandOf(v)
			if bad != nil {
				err = bad
				return v
			}
			d := x.real()
			if i == 1 {
				d = x.imag()
			}
			return np.NewArray(c.host, d.As(kernels.Promote(d.DType(), kernels.Float32)).Copy())
		}, params...)
		if err != nil {
			return nil, err
		}
	}
	z, err := c.joined(parts[0], parts[1])
	if err != nil {
		return nil, err
	}
	return c.typed(z)
}

// typed is z in the type of the argument dtype.
func (c *call) typed(z starlark.Value) (starlark.Value, error) {
	if c.v["dtype"] == nil {
		return z, nil
	}
	x, err := operandOf(z)
	if err != nil {
		return nil, err
	}
	return c.result(x.as(partType(x)))
}

// joined is the complex numbers of real and imaginary parts, also of lists of arrays.
func (c *call) joined(re, im starlark.Value) (starlark.Value, error) {
	switch list := re.(type) {
	case *slot.List:
		z := make([]starlark.Value, list.Len())
		for i := range z {
			var err error
			if z[i], err = c.joined(list.Index(i), im.(*slot.List).Index(i)); err != nil {
				return nil, err
			}
		}
		return slot.NewList(z), nil
	case starlark.Tuple:
		z := make(starlark.Tuple, len(list))
		for i := range z {
			var err error
			if z[i], err = c.joined(list[i], im.(starlark.Tuple)[i]); err != nil {
				return nil, err
			}
		}
		return z, nil
	}
	p, err := np.ToDense(re)
	if err != nil {
		return nil, err
	}
	q, err := np.ToDense(im)
	if err != nil {
		return nil, err
	}
	return fromPairs(c.host, joinedParts(p, q)), nil
}

// runs calls f for the numbers along the axes of each place that is left, and returns the shape of
// these.
func (c *call) runs(x operand, f func(i int, run []complex128)) (left []int, err error) {
	rank := len(x.shape())
	axes, err := c.axes(rank)
	if err != nil {
		return nil, err
	}
	d := x.as(partType(x))
	var order []int
	keep := c.v["keepdims"] == starlark.True
	places, n := 1, 1
	for axis, length := range x.shape() {
		if slices.Contains(axes, axis) {
			n *= length
			if keep {
				left = append(left, 1)
			}
			continue
		}
		order, left, places = append(order, axis), append(left, length), places*length
	}
	slices.Sort(axes)
	order = append(append(order, axes...), rank)
	if d, err = d.DimShuffle(order); err != nil {
		return nil, err
	}
	all := values(d)
	poll := c.poll()
	for i := range places {
		poll.Ask(16 * (n + 1))
		f(i, all[i*n:(i+1)*n])
	}
	return left, nil
}

// reduction is a row of a function that makes a complex number of the numbers along axes.
func reduction(names string, f func(run []complex128) (complex128, error)) row {
	return row{names, "axis keepdims dtype out", func(c *call) (starlark.Value, error) {
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		var z []complex128
		left, err := c.runs(x, func(_ int, run []complex128) {
			v, bad := f(run)
			if bad != nil && err == nil {
				err = bad
			}
			z = append(z, v)
		})
		if err != nil {
			return nil, err
		}
		v, err := c.result(pairsOf(partType(x), left, z))
		if err != nil {
			return nil, err
		}
		return c.out(v)
	}}
}

func empties(name string) error {
	return value.Failure("ValueError", "zero-size array to reduction operation %s which has no identity", name)
}

func extremeOf(least bool) func([]complex128) (complex128, error) {
	return func(run []complex128) (complex128, error) {
		if len(run) == 0 {
			return 0, empties(map[bool]string{true: "minimum", false: "maximum"}[least])
		}
		z := run[0]
		for _, v := range run[1:] {
			z = extreme(z, v, least)
		}
		return z, nil
	}
}

// variance is the mean of the squared distances from the mean.
func variance(run []complex128, ddof float64) float64 {
	var sum complex128
	for _, v := range run {
		sum += v
	}
	n := float64(len(run))
	mean, total := complex(real(sum)/n, imag(sum)/n), 0.0
	for _, v := range run {
		d := v - mean
		total += real(d)*real(d) + imag(d)*imag(d)
	}
	return total / math.Max(n-ddof, 0)
}

// reduceRows are the functions that combine elements.
func reduceRows() []row {
	const likeSum = "axis dtype keepdims out"
	return []row{
		{"np.mean ndarray.mean", likeSum, mean},
		{"np.sum np.cumsum ndarray.sum ndarray.cumsum np.nansum np.nanmean", likeSum, func(c *call) (starlark.Value, error) {
			x, err := c.operand()
			if err != nil {
				return nil, err
			}
			if strings.Contains(c.name, ".nan") {
				if slices.ContainsFunc(values(x.as(partType(x))), isNaN) {
					return nil, absent(c.b.Name, partType(x))
				}
			}
			out := c.v["out"]
			if out != nil {
				c.without("out")
			}
			z, err := c.linear()
			if err != nil || out == nil {
				return z, err
			}
			return c.out(z)
		}},
		reduction("np.prod np.product ndarray.prod", func(run []complex128) (complex128, error) {
			if len(run) == 0 {
				return 1, nil
			}
			z := run[0]
			for _, v := range run[1:] {
				z = complexes.Mul(z, v)
			}
			return z, nil
		}),
		reduction("np.max np.amax ndarray.max", extremeOf(false)),
		reduction("np.min np.amin ndarray.min", extremeOf(true)),
		{"np.cumprod np.cumproduct ndarray.cumprod", "axis dtype", func(c *call) (starlark.Value, error) {
			x, err := c.operand()
			if err != nil {
				return nil, err
			}
			if c.v["axis"] == nil {
				d, err := reshaped(x.as(partType(x)), []int{-1})
				if err != nil {
					return nil, err
				}
				x.d, x.isReal = d, false
				c.v["axis"] = starlark.MakeInt(0)
			}
			return c.along(x, func(z, run []complex128) {
				copy(z, run)
				for i := 1; i < len(z); i++ {
					z[i] = complexes.Mul(z[i-1], z[i])
				}
			})
		}},
		{"np.var np.std ndarray.var ndarray.std", "axis ddof keepdims", func(c *call) (starlark.Value, error) {
			x, err := c.operand()
			if err != nil {
				return nil, err
			}
			ddof := 0.0
			if v := c.v["ddof"]; v != nil {
				if ddof, err = np.ReadNumber("ddof", v); err != nil {
					return nil, err
				}
			}
			var z []float64
			left, err := c.runs(x, func(_ int, run []complex128) {
				v := variance(run, ddof)
				if c.b.Name == "std" {
					v = math.Sqrt(v)
				}
				z = append(z, v)
			})
			if err != nil {
				return nil, err
			}
			return c.array(tensor.From(z, left...).As(partType(x))), nil
		}},
		{"np.any np.all ndarray.any ndarray.all", "axis keepdims", func(c *call) (starlark.Value, error) {
			x, err := c.operand()
			if err != nil {
				return nil, err
			}
			var z []bool
			isAll := c.b.Name == "all"
			left, err := c.runs(x, func(_ int, run []complex128) {
				z = append(z, slices.ContainsFunc(run, func(v complex128) bool { return (v != 0) != isAll }) != isAll)
			})
			if err != nil {
				return nil, err
			}
			return c.array(tensor.FromBools(z, left...)), nil
		}},
		{"np.argmax np.argmin ndarray.argmax ndarray.argmin", "axis keepdims", func(c *call) (starlark.Value, error) {
			x, err := c.operand()
			if err != nil {
				return nil, err
			}
			var z []int64
			least := c.b.Name == "argmin"
			left, err := c.runs(x, func(_ int, run []complex128) {
				at := 0
				for i := range run {
					if !isNaN(run[at]) && (isNaN(run[i]) || least && less(run[i], run[at]) || !least && less(run[at], run[i])) {
						at = i
					}
				}
				if len(run) == 0 {
					at = -1
				}
				z = append(z, int64(at))
			})
			if err != nil {
				return nil, err
			}
			if slices.Contains(z, -1) {
				return nil, value.Failure("ValueError", "attempt to get %s of an empty sequence", c.b.Name)
			}
			return c.array(tensor.From(z, left...)), nil
		}},
		{"np.count_nonzero", "axis keepdims", func(c *call) (starlark.Value, error) {
			x, err := c.operand()
			if err != nil {
				return nil, err
			}
			var z []int64
			left, err := c.runs(x, func(_ int, run []complex128) {
				n := 0
				for _, v := range run {
					if v != 0 {
						n++
					}
				}
				z = append(z, int64(n))
			})
			if err != nil {
				return nil, err
			}
			return c.array(tensor.From(z, left...)), nil
		}},
		{"np.trace ndarray.trace", "offset axis1 axis2 dtype", (*call).linear},
		{"np.diff", "n axis", (*call).linear},
		{"np.ediff1d np.gradient", "axis", (*call).linear},
		{"np.average", "axis weights keepdims", (*call).linear},
		{"np.interp", "xp fp left right", func(c *call) (starlark.Value, error) { return c.linearOf("fp") }},
	}
}

// mean is the sum divided by a complex number of elements, as NumPy divides.
func mean(c *call) (starlark.Value, error) {
	x, err := c.operand()
	if err != nil {
		return nil, err
	}
	var kwargs []starlark.Tuple
	for _, name := range []string{"axis", "keepdims"} {
		if v := c.v[name]; v != nil {
			kwargs = append(kwargs, starlark.Tuple{text(name), v})
		}
	}
	var self starlark.Value = newArray(c.host, x.as(partType(x)))
	sum, err := np.CallFunction(c.thread, "sum", starlark.Tuple{self}, kwargs)
	if err != nil {
		return nil, err
	}
	total, err := operandOf(sum)
	if err != nil {
		return nil, err
	}
	n := 0
	if m := tensor.Size(total.shape()); m > 0 {
		n = tensor.Size(x.shape()) / m
	}
	z := slices.Clone(values(total.d))
	for i, v := range z {
		z[i] = complexes.Div(v, complex(float64(n), 0))
	}
	v, err := c.result(pairsOf(partType(x), total.shape(), z))
	if err != nil {
		return nil, err
	}
	return c.out(v)
}

// without forgets an argument.
func (c *call) without(name string) {
	var kwargs []starlark.Tuple
	for _, kv := range c.kwargs {
		if kv[0] != starlark.String(name) {
			kwargs = append(kwargs, kv)
		}
	}
	c.kwargs = kwargs
}

// along computes the numbers along the axis of the call from those that are there.
func (c *call) along(x operand, f func(z, run []complex128)) (starlark.Value, error) {
	axis, err := c.int("axis", -1)
	if err != nil {
		return nil, err
	}
	if axis, err = tensor.NormalizeAxis(axis, len(x.shape())); err != nil {
		return nil, err
	}
	z, err := alongAxis(c.host, x.as(partType(x)), axis, x.shape()[axis], f)
	if err != nil {
		return nil, err
	}
	return c.result(z.As(partType(x)))
}

// alongAxis computes m numbers of those along an axis, for each place of the others, as complex128.
func alongAxis(host value.Host, d *tensor.Dense, axis, m int, f func(z, run []complex128)) (*tensor.Dense, error) {
	rank := d.Rank() - 1
	var order []int
	for i := range rank {
		if i != axis {
			order = append(order, i)
		}
	}
	n := d.Dim(axis)
	moved, err := d.DimShuffle(append(order, axis, rank))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(moved.Shape()[:rank])
	shape[rank-1] = m
	z := empty(kernels.Float64, shape)
	in, out := values(moved), values(z)
	poll := tensor.Poll{Stop: np.StopOf(host)}
	for i := range tensor.Size(shape[:rank-1]) {
		poll.Ask(64 * (m + n + 1))
		f(out[i*m:(i+1)*m], in[i*n:(i+1)*n])
	}
	back := make([]int, rank+1)
	for i, at := range append(order, axis, rank) {
		back[at] = i
	}
	return z.DimShuffle(back)
}
