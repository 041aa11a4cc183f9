package np

import (
	"math"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// calculusTable is differences, integrals and polynomials.
var calculusTable = []functions.Function{
	function("np.gradient", "The slope at each element, by differences of its neighbours: of several axes, a list of arrays.",
		"gradient([1.0, 2.0, 4.0, 7.0]) # array([1. , 1.5, 2.5, 3. ])", gradient),
	function("np.trapz", "The integral along axis by the trapezoidal rule.",
		"trapz([1, 2, 3]) # 4.0", func(e *eval, a *struct {
			Y    functions.Operand `arg:"y: an array"`
			X    functions.Operand `arg:"x=None: coordinates"`
			Dx   float64           `arg:"dx=1.0: the distance of the elements if there are none"`
			Axis int               `arg:"axis=-1: the axis"`
		}) starlark.Value {
			axis := e.axisOf(a.Axis, a.Y.D.Rank())
			if e.failed() {
				return nil
			}
			n := a.Y.D.Dim(axis)
			var width any = a.Dx
			if a.X.Given() {
				along := axis
				if a.X.D.Rank() == 1 {
					along = 0
				} else {
					along = e.axisOf(axis, a.X.D.Rank())
				}
				if e.failed() {
					return nil
				}
				steps := e.difference(a.X.D, along)
				if a.X.D.Rank() == 1 {
					steps = e.along(steps, axis, a.Y.D.Rank())
				}
				width = steps
			}
			pair := e.do("add", e.part(a.Y.D, axis, 1, n), e.part(a.Y.D, axis, 0, max(n-1, 0)))
			area := e.do("divide", e.do("multiply", width, pair), 2.0)
			if e.failed() {
				return nil
			}
			return e.value(e.reduce("sum", area, tensor.AxesOf(axis)))
		}),
	function("np.unwrap", "Angles without jumps: multiples of the period are added so that neighbours differ by at most half of it.",
		"unwrap([0.0, 3.0, 7.0]).round(3) # array([0.   , 3.   , 0.717])", unwrapped),
	function("np.ediff1d", "The differences of neighbours among all elements.",
		"ediff1d([1, 4, 9]) # array([3, 5])", func(e *eval, a *struct {
			Ary     functions.Operand `arg:"ary: an array"`
			ToEnd   functions.Operand `arg:"to_end=None: what to append"`
			ToBegin functions.Operand `arg:"to_begin=None: what to put in front"`
		}) starlark.Value {
			x := e.flat(a.Ary.D)
			z := e.part(x, 0, 0, 0)
			if x.Size() > 1 {
				n := x.Size()
				z = e.do("subtract", e.part(x, 0, 1, n), e.part(x, 0, 0, n-1))
			}
			list := []*tensor.Dense{z}
			if a.ToBegin.Given() {
				list = append([]*tensor.Dense{e.flat(a.ToBegin.D).AsType(x.DType())}, list...)
			}
			if a.ToEnd.Given() {
				list = append(list, e.flat(a.ToEnd.D).AsType(x.DType()))
			}
			return e.value(e.concatenate(0, list...))
		}),
	function("np.polyval", "The polynomial with coefficients p, the highest power first, at x.",
		"polyval([3, 0, 1], 5) # 76", func(e *eval, a *struct {
			P *tensor.Dense `arg:"p: coefficients"`
			X *tensor.Dense `arg:"x: a number or array"`
		}) starlark.Value {
			p := e.asVector("p", a.P)
			z := e.do("multiply", a.X, 0)
			for i := 0; !e.failed() && i < p.Size(); i++ {
				z = e.do("add", e.do("multiply", z, a.X), e.at(p, 0, i))
			}
			return e.value(z)
		}),
	function("np.polyadd", "The sum of two polynomials.",
		"polyadd([1, 2], [9, 5, 4]) # array([9, 6, 6])", func(e *eval, a *polynomialsArgs) starlark.Value {
			return e.value(e.sumOfPolynomials("add", a))
		}),
	function("np.polysub", "The difference of two polynomials.",
		"polysub([2, 10, -2], [3, 10, -4]) # array([-1,  0,  2])", func(e *eval, a *polynomialsArgs) starlark.Value {
			return e.value(e.sumOfPolynomials("subtract", a))
		}),
	function("np.polymul", "The product of two polynomials.",
		"polymul([1, 2, 3], [9, 5, 1]) # array([ 9, 23, 38, 17,  3])", func(e *eval, a *polynomialsArgs) starlark.Value {
			return e.value(e.slide(e.trimmed(e.asVector("a1", a.A1)), e.trimmed(e.asVector("a2", a.A2)), "full", true))
		}),
	function("np.polyder", "The derivative of a polynomial.",
		"polyder([1, 1, 1, 1]) # array([3, 2, 1])", func(e *eval, a *struct {
			P *tensor.Dense `arg:"p: coefficients, the highest power first"`
			M int           `arg:"m=1: how often"`
		}) starlark.Value {
			p := e.asVector("p", a.P)
			if a.M < 0 {
				e.failFor("m", "got %d, want at least 0", a.M)
			}
			for ; a.M > 0 && p.Size() > 0 && !e.failed(); a.M-- {
				n := p.Size()
				p = e.do("multiply", e.part(p, 0, 0, n-1), e.part(e.flip(e.counted(n, 0, 1), 0), 0, 0, n-1))
			}
			return e.value(p)
		}),
	function("np.polyint", "The integral of a polynomial.",
		"polyint([6.0, 2.0]) # array([3., 2., 0.])", func(e *eval, a *struct {
			P *tensor.Dense `arg:"p: coefficients, the highest power first"`
			M count         `arg:"m=1: how often"`
			K *tensor.Dense `arg:"k=None: the constants of integration, 0 if not given"`
		}) starlark.Value {
			p := e.asVector("p", a.P)
			m := int(a.M)
			constants := make([]float64, m)
			if a.K != nil {
				given := a.K.Floats()
				for i := range constants {
					switch {
					case len(given) == 1:
						constants[i] = given[0]
					case len(given) < m:
						e.failFor("k", "got %d constants, want %d or one", len(given), m)
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
			return e.value(p)
		}),
	function("np.poly", "The polynomial that has the given roots: its coefficients, the highest power first.",
		"poly([1, 2]) # array([ 1., -3.,  2.])", func(e *eval, a *struct {
			SeqOfZeros *tensor.Dense `arg:"seq_of_zeros: roots"`
		}) starlark.Value {
			z := tensor.From([]float64{1}, 1)
			for _, r := range e.asVector("seq_of_zeros", a.SeqOfZeros).Floats() {
				if e.failed() {
					return nil
				}
				z = e.slide(z, tensor.From([]float64{1, -r}, 2), "full", true)
			}
			return e.value(z)
		}),
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

// polynomialsArgs are the arguments of functions of two polynomials.
type polynomialsArgs struct {
	A1 *tensor.Dense `arg:"a1: coefficients, the highest power first"`
	A2 *tensor.Dense `arg:"a2: coefficients"`
}

// sumOfPolynomials puts zeros in front of the shorter one.
func (e *eval) sumOfPolynomials(name string, a *polynomialsArgs) *tensor.Dense {
	p, q := e.asVector("a1", a.A1), e.asVector("a2", a.A2)
	n := max(p.Size(), q.Size())
	longer := func(p *tensor.Dense) *tensor.Dense {
		return e.concatenate(0, tensor.New(p.DType(), n-p.Size()), p)
	}
	return e.do(name, longer(p), longer(q))
}

// gradientArgs are the arguments of np.gradient.
type gradientArgs struct {
	F         functions.Operand `arg:"f: an array"`
	Varargs   starlark.Tuple    `arg:"*varargs: the distance of the elements, or their coordinates, for all axes or for each"`
	Axis      []int             `arg:"axis=None: the axis or axes; all if not given"`
	EdgeOrder int               `arg:"edge_order=1: 2 to take three elements for the slope at the ends"`
}

func gradient(e *eval, a *gradientArgs) starlark.Value {
	f := asReal(a.F.D)
	if a.F.D.DType().IsBool() {
		e.failFor("f", "got bool, want numbers; use f.astype(%q)", "int64")
	}
	axes := countTo(f.Rank())
	if a.Axis != nil {
		axes = e.eachAxis("axis", a.Axis, f.Rank())
	}
	if a.EdgeOrder != 1 && a.EdgeOrder != 2 {
		e.failFor("edge_order", "got %d, want 1 or 2", a.EdgeOrder)
	}
	steps := a.Varargs
	if len(steps) > 1 && len(steps) != len(axes) {
		e.failFor("varargs", "got %d distances for %d axes, want one for all or one for each", len(steps), len(axes))
	}
	if f.Rank() == 0 {
		e.fail("got a number, want an array")
	}
	var list []*tensor.Dense
	for i, axis := range axes {
		if e.failed() {
			return nil
		}
		if f.Dim(axis) < a.EdgeOrder+1 {
			e.fail("got %d elements along axis %d, want at least %d", f.Dim(axis), axis, a.EdgeOrder+1)
			return nil
		}
		var step starlark.Value = starlark.MakeInt(1)
		if len(steps) > 0 {
			step = steps[min(i, len(steps)-1)]
		}
		list = append(list, e.slope(f, axis, step, a.EdgeOrder).AsType(f.DType()))
	}
	if len(list) == 1 {
		return e.value(list[0])
	}
	return e.views(a.F.Value, list)
}

// slope is the gradient along one axis. step is a distance or the coordinates.
func (e *eval) slope(f *tensor.Dense, axis int, step starlark.Value, order int) *tensor.Dense {
	n := f.Dim(axis)
	d := e.dense(step)
	uneven := d.Rank() > 0
	if uneven && (d.Rank() != 1 || d.Size() != n) {
		e.failFor("varargs", "got shape %s, want a coordinate for each of %d elements", tensor.ShapeString(d.Shape()), n)
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

// unwrappedArgs are the arguments of np.unwrap.
type unwrappedArgs struct {
	P       *tensor.Dense `arg:"p: an array"`
	Discont *float64      `arg:"discont=None: the least jump to take away; half the period if not given or less"`
	Axis    int           `arg:"axis=-1: the axis"`
	_       struct{}      `arg:"*:"`
	Period  float64       `arg:"period=6.283185307179586: the period"`
}

func unwrapped(e *eval, a *unwrappedArgs) starlark.Value {
	axis := e.axisOf(a.Axis, a.P.Rank())
	if a.Period == 2*math.Pi || !a.P.DType().IsInteger() {
		a.P = asReal(a.P)
	}
	half := a.Period / 2
	limit := max(or(a.Discont, half), half)
	if e.failed() {
		return nil
	}
	step := e.got(tensor.Diff(a.P, 1, axis))
	d := e.do("subtract", e.do("remainder", e.do("add", step, half), a.Period), half)
	d = e.do("where", e.do("logical_and", e.do("equal", d, -half), e.do("greater", step, 0)), tensor.Scalar(d.DType(), half), d)
	add := e.do("subtract", d, step)
	add = e.do("where", e.do("less", e.do("absolute", step), limit), tensor.Scalar(add.DType(), 0), add)
	if e.failed() || a.P.Dim(axis) < 2 {
		return e.value(a.P.Copy())
	}
	sums := e.got(tensor.Scan("sum", add, axis, add.DType(), stopOf(e.session)))
	n := a.P.Dim(axis)
	return e.value(e.concatenate(axis, e.part(a.P, axis, 0, 1).AsType(sums.DType()), e.do("add", e.part(a.P, axis, 1, n), sums)))
}
