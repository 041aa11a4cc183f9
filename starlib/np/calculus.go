package np

import (
	"math"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// calculusTable is differences, integrals and polynomials.
var calculusTable = []value.Builtin{
	evalRow("np.", "gradient", "The slope at each element, by differences of its neighbours: of several axes, a list of arrays.",
		"np.gradient([1.0, 2.0, 4.0, 7.0]) # array([1. , 1.5, 2.5, 3. ])", gradient, "f: an array",
		"*varargs: the distance of the elements, or their coordinates, for all axes or for each",
		"axis=None: the axis or axes; all if not given", "edge_order=1: 2 to take three elements for the slope at the ends"),
	npRow("trapz", "The integral along axis by the trapezoidal rule.", "np.trapz([1, 2, 3]) # 4.0", func(e *eval) *tensor.Dense {
		y := e.array(0)
		axis := e.axis(3, -1, y.Rank())
		if e.failed() {
			return nil
		}
		n := y.Dim(axis)
		var width any = e.float(2, 1)
		if e.given(1) {
			x := e.array(1)
			along := axis
			if x.Rank() == 1 {
				along = 0
			} else {
				along = e.axisOf(axis, x.Rank())
			}
			if e.failed() {
				return nil
			}
			steps := e.difference(x, along)
			if x.Rank() == 1 {
				steps = e.along(steps, axis, y.Rank())
			}
			width = steps
		}
		pair := e.do("add", e.part(y, axis, 1, n), e.part(y, axis, 0, max(n-1, 0)))
		area := e.do("divide", e.do("multiply", width, pair), 2.0)
		if e.failed() {
			return nil
		}
		return e.reduce("sum", area, tensor.AxesOf(axis))
	}, "y: an array", "x=None: coordinates", "dx=1.0: the distance of the elements if there are none", "axis=-1: the axis"),
	npRow("unwrap", "Angles without jumps: multiples of the period are added so that neighbours differ by at most half of it.",
		"np.unwrap([0.0, 3.0, 7.0]).round(3) # array([0.   , 3.   , 0.717])", unwrapped, "p: an array",
		"discont=None: the least jump to take away; half the period if not given or less", "axis=-1: the axis", "*:",
		"period=6.283185307179586: the period"),
	npRow("ediff1d", "The differences of neighbours among all elements.", "np.ediff1d([1, 4, 9]) # array([3, 5])",
		func(e *eval) *tensor.Dense {
			a := e.flat(e.array(0))
			z := e.part(a, 0, 0, 0)
			if a.Size() > 1 {
				n := a.Size()
				z = e.do("subtract", e.part(a, 0, 1, n), e.part(a, 0, 0, n-1))
			}
			list := []*tensor.Dense{z}
			if e.given(2) {
				list = append([]*tensor.Dense{e.flat(e.array(2)).AsType(a.DType())}, list...)
			}
			if e.given(1) {
				list = append(list, e.flat(e.array(1)).AsType(a.DType()))
			}
			return e.concatenate(0, list...)
		}, "ary: an array", "to_end=None: what to append", "to_begin=None: what to put in front"),
	npRow("polyval", "The polynomial with coefficients p, the highest power first, at x.", "np.polyval([3, 0, 1], 5) # 76",
		func(e *eval) *tensor.Dense {
			p, x := e.vector(0), e.array(1)
			z := e.do("multiply", x, 0)
			for i := 0; !e.failed() && i < p.Size(); i++ {
				z = e.do("add", e.do("multiply", z, x), e.at(p, 0, i))
			}
			return z
		}, "p: coefficients", "x: a number or array"),
	npRow("polyadd", "The sum of two polynomials.", "np.polyadd([1, 2], [9, 5, 4]) # array([9, 6, 6])",
		func(e *eval) *tensor.Dense { return e.sumOfPolynomials("add") }, "a1: coefficients, the highest power first",
		"a2: coefficients"),
	npRow("polysub", "The difference of two polynomials.", "np.polysub([2, 10, -2], [3, 10, -4]) # array([-1,  0,  2])",
		func(e *eval) *tensor.Dense { return e.sumOfPolynomials("subtract") }, "a1: coefficients, the highest power first",
		"a2: coefficients"),
	npRow("polymul", "The product of two polynomials.", "np.polymul([1, 2, 3], [9, 5, 1]) # array([ 9, 23, 38, 17,  3])",
		func(e *eval) *tensor.Dense {
			return e.slide(e.trimmed(e.vector(0)), e.trimmed(e.vector(1)), "full", true)
		},
		"a1: coefficients, the highest power first", "a2: coefficients"),
	npRow("polyder", "The derivative of a polynomial.", "np.polyder([1, 1, 1, 1]) # array([3, 2, 1])", func(e *eval) *tensor.Dense {
		p := e.vector(0)
		m := e.int(1, 1)
		if m < 0 {
			e.failAt(1, "got %d, want at least 0", m)
		}
		for ; m > 0 && p.Size() > 0 && !e.failed(); m-- {
			n := p.Size()
			p = e.do("multiply", e.part(p, 0, 0, n-1), e.part(e.flip(e.counted(n, 0, 1), 0), 0, 0, n-1))
		}
		return p
	}, "p: coefficients, the highest power first", "m=1: how often"),
	npRow("polyint", "The integral of a polynomial.", "np.polyint([6.0, 2.0]) # array([3., 2., 0.])", func(e *eval) *tensor.Dense {
		p := e.vector(0)
		m := e.count(1, 1)
		constants := make([]float64, m)
		if e.given(2) {
			given := e.floats(2)
			for i := range constants {
				switch {
				case len(given) == 1:
					constants[i] = given[0]
				case len(given) < m:
					e.failAt(2, "got %d constants, want %d or one", len(given), m)
					return nil
				default:
					constants[i] = given[i]
				}
			}
		}
		for i := 0; i < m && !e.failed(); i++ {
			n := p.Size()
			down := e.do("add", e.flip(e.counted(n, 0, 1), 0), 1)
			p = e.concatenate(0, e.do("divide", p, down), tensor.From(constants[i:i+1], 1))
		}
		return p
	}, "p: coefficients, the highest power first", "m=1: how often", "k=None: the constants of integration, 0 if not given"),
	npRow("poly", "The polynomial that has the given roots: its coefficients, the highest power first.",
		"np.poly([1, 2]) # array([ 1., -3.,  2.])", func(e *eval) *tensor.Dense {
			z := tensor.From([]float64{1}, 1)
			for _, r := range e.vector(0).Floats() {
				if e.failed() {
					return nil
				}
				z = e.slide(z, tensor.From([]float64{1, -r}, 2), "full", true)
			}
			return z
		}, "seq_of_zeros: roots"),
}

// vector returns argument i, a number or a vector, as a vector.
func (e *eval) vector(i int) *tensor.Dense {
	d := e.leadTo(e.array(i), 1)
	if d.Rank() != 1 {
		e.failAt(i, "got %d dimensions, want a vector", d.Rank())
		return tensor.New(d.DType(), 0)
	}
	return d
}

// difference of neighbours along an axis.
func (e *eval) difference(x *tensor.Dense, axis int) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	n := x.Dim(axis)
	name := "subtract"
	if x.DType().IsBool() {
		name = "not_equal"
	}
	return e.do(name, e.part(x, axis, min(1, n), n), e.part(x, axis, 0, max(n-1, 0)))
}

// along turns a vector into an array of rank axes that lies along one of them.
func (e *eval) along(x *tensor.Dense, axis, rank int) *tensor.Dense {
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = 1
	}
	shape[axis] = x.Size()
	return e.reshape(x, shape...)
}

// trimmed takes leading zeros off a polynomial.
func (e *eval) trimmed(p *tensor.Dense) *tensor.Dense {
	if e.failed() {
		return p
	}
	n := 0
	for x := p.Floats(); n < len(x)-1 && x[n] == 0; {
		n++
	}
	return e.part(p, 0, n, p.Size())
}

// sumOfPolynomials puts zeros in front of the shorter one.
func (e *eval) sumOfPolynomials(name string) *tensor.Dense {
	a, b := e.vector(0), e.vector(1)
	n := max(a.Size(), b.Size())
	longer := func(p *tensor.Dense) *tensor.Dense {
		return e.concatenate(0, tensor.New(p.DType(), n-p.Size()), p)
	}
	return e.do(name, longer(a), longer(b))
}

func gradient(e *eval) starlark.Value {
	f := e.real(0)
	if e.array(0).DType().IsBool() {
		e.failAt(0, "got bool, want numbers; use f.astype(%q)", "int64")
	}
	axes := countTo(f.Rank())
	if e.given(2) {
		axes = e.axisList(2, f.Rank())
	}
	order := e.int(3, 1)
	if order != 1 && order != 2 {
		e.failAt(3, "got %d, want 1 or 2", order)
	}
	steps := e.v[1].(starlark.Tuple)
	if len(steps) > 1 && len(steps) != len(axes) {
		e.failAt(1, "got %d distances for %d axes, want one for all or one for each", len(steps), len(axes))
	}
	if f.Rank() == 0 {
		e.fail("got a number, want an array")
	}
	var list []*tensor.Dense
	for i, axis := range axes {
		if e.failed() {
			return nil
		}
		if f.Dim(axis) < order+1 {
			e.fail("got %d elements along axis %d, want at least %d", f.Dim(axis), axis, order+1)
			return nil
		}
		var step starlark.Value = starlark.MakeInt(1)
		if len(steps) > 0 {
			step = steps[min(i, len(steps)-1)]
		}
		list = append(list, e.slope(f, axis, step, order).AsType(f.DType()))
	}
	if len(list) == 1 {
		return e.value(list[0])
	}
	return e.list(0, list)
}

// slope is the gradient along one axis. step is a distance or the coordinates.
func (e *eval) slope(f *tensor.Dense, axis int, step starlark.Value, order int) *tensor.Dense {
	n := f.Dim(axis)
	d, err := ToDense(step)
	d = e.got(d, err)
	uneven := d.Rank() > 0
	if uneven && (d.Rank() != 1 || d.Size() != n) {
		e.failAt(1, "got shape %s, want a coordinate for each of %d elements", tensor.ShapeString(d.Shape()), n)
	}
	if e.failed() {
		return meaningless()
	}
	at := func(i int) *tensor.Dense { return e.part(f, axis, i, i+1) }
	sum := func(weights []any, parts []*tensor.Dense) *tensor.Dense {
		z := e.do("multiply", weights[0], parts[0])
		for i := 1; i < len(parts); i++ {
			z = e.do("add", z, e.do("multiply", weights[i], parts[i]))
		}
		return z
	}
	before, middle, after := e.part(f, axis, 0, n-2), e.part(f, axis, 1, n-1), e.part(f, axis, 2, n)
	h := asReal(d)
	first, last := h, h
	var inner *tensor.Dense
	if uneven {
		widths := e.difference(d, 0)
		if n > 2 {
			h1 := e.along(asReal(e.part(widths, 0, 0, n-2)), axis, f.Rank())
			h2 := e.along(asReal(e.part(widths, 0, 1, n-1)), axis, f.Rank())
			both := e.do("add", h1, h2)
			a := e.do("divide", e.do("negative", h2), e.do("multiply", h1, both))
			b := e.do("divide", e.do("subtract", h2, h1), e.do("multiply", h1, h2))
			c := e.do("divide", h1, e.do("multiply", h2, both))
			inner = sum([]any{a, b, c}, []*tensor.Dense{before, middle, after})
		} else {
			inner = before
		}
		first, last = asReal(e.at(widths, 0, 0)), asReal(e.at(widths, 0, n-2))
		if order == 2 {
			start := e.endWeights(first, asReal(e.at(widths, 0, 1)))
			end := e.endWeights(last, asReal(e.at(widths, 0, n-3)))
			head := sum([]any{start[0], start[1], start[2]}, []*tensor.Dense{at(0), at(1), at(2)})
			tail := e.do("negative", sum([]any{end[2], end[1], end[0]}, []*tensor.Dense{at(n - 3), at(n - 2), at(n - 1)}))
			return e.concatenate(axis, head, inner, tail)
		}
	} else {
		inner = e.do("divide", e.do("subtract", after, before), e.do("multiply", 2.0, h))
		if order == 2 {
			weights := func(a, b, c float64) []any {
				return []any{e.do("divide", a, h), e.do("divide", b, h), e.do("divide", c, h)}
			}
			head := sum(weights(-1.5, 2, -0.5), []*tensor.Dense{at(0), at(1), at(2)})
			tail := sum(weights(0.5, -2, 1.5), []*tensor.Dense{at(n - 3), at(n - 2), at(n - 1)})
			return e.concatenate(axis, head, inner, tail)
		}
	}
	head := e.do("divide", e.do("subtract", at(1), at(0)), first)
	tail := e.do("divide", e.do("subtract", at(n-1), at(n-2)), last)
	return e.concatenate(axis, head, inner, tail)
}

// endWeights are those of three elements for the slope at an end, from which the distances are h1 and then h2.
func (e *eval) endWeights(h1, h2 *tensor.Dense) [3]*tensor.Dense {
	both := e.do("add", h1, h2)
	twice := e.do("add", e.do("multiply", 2.0, h1), h2)
	return [3]*tensor.Dense{
		e.do("divide", e.do("negative", twice), e.do("multiply", h1, both)),
		e.do("divide", both, e.do("multiply", h1, h2)),
		e.do("divide", e.do("negative", h1), e.do("multiply", h2, both)),
	}
}

func unwrapped(e *eval) *tensor.Dense {
	p := e.array(0)
	axis, period := e.axis(2, -1, p.Rank()), e.float(4, 2*math.Pi)
	if period == 2*math.Pi || !p.DType().IsInteger() {
		p = asReal(p)
	}
	half := period / 2
	limit := max(e.float(1, half), half)
	if e.failed() {
		return nil
	}
	step := e.got(tensor.Diff(p, 1, axis))
	d := e.do("subtract", e.do("remainder", e.do("add", step, half), period), half)
	d = e.do("where", e.do("logical_and", e.do("equal", d, -half), e.do("greater", step, 0)), tensor.Scalar(d.DType(), half), d)
	add := e.do("subtract", d, step)
	add = e.do("where", e.do("less", e.do("absolute", step), limit), tensor.Scalar(add.DType(), 0), add)
	if e.failed() || p.Dim(axis) < 2 {
		return p.Copy()
	}
	sums := e.got(tensor.Scan("sum", add, axis, add.DType()))
	n := p.Dim(axis)
	return e.concatenate(axis, e.part(p, axis, 0, 1).AsType(sums.DType()), e.do("add", e.part(p, axis, 1, n), sums))
}
