package numeric

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// trapzArgs are the arguments of np.trapz, ediffArgs those of np.ediff1d, and polyvalArgs those of
// np.polyval.
type trapzArgs struct {
	Y    functions.Operand `arg:"y: an array"`
	X    functions.Operand `arg:"x=None: coordinates"`
	Dx   float64           `arg:"dx=1.0: the distance of the elements if there are none"`
	Axis int               `arg:"axis=-1: the axis"`
}

type ediffArgs struct {
	Ary     functions.Operand `arg:"ary: an array"`
	ToEnd   functions.Operand `arg:"to_end=None: what to append"`
	ToBegin functions.Operand `arg:"to_begin=None: what to put in front"`
}

type polyvalArgs struct {
	P functions.Operand `arg:"p: coefficients"`
	X functions.Operand `arg:"x: a number or array"`
}

// calculusTable is differences, integrals and polynomials.
var calculusTable = []functions.Function{
	np.Function("np.gradient", "The slope at each element, by differences of its neighbours: of several axes, a list of arrays.",
		"gradient([1.0, 2.0, 4.0, 7.0]) # array([1. , 1.5, 2.5, 3. ])", gradient),
	np.Formula("np.trapz T.trapz", "The integral along axis by the trapezoidal rule.",
		"trapz([1, 2, 3]) # 4.0", func(m *formula.Algebra, a *trapzArgs) (formula.Array, error) {
			return formula.Trapezoid(m, a.Y.Array(), a.X.Array(), a.Dx, a.Axis)
		}, (*np.Eval).Result),
	np.Function("np.unwrap", "Angles without jumps: multiples of the period are added so that neighbours differ by at most half of it.",
		"unwrap([0.0, 3.0, 7.0]).round(3) # array([0.   , 3.   , 0.717])", unwrapped),
	np.Formula("np.ediff1d T.ediff1d", "The differences of neighbours among all elements.",
		"ediff1d([1, 4, 9]) # array([3, 5])", func(m *formula.Algebra, a *ediffArgs) (formula.Array, error) {
			d := kernels.Invalid // of variables it is that of all that is joined
			if a.Ary.D != nil {
				d = a.Ary.D.DType()
			}
			for _, x := range []functions.Operand{a.ToBegin, a.ToEnd} {
				if x.D != nil && !np.SameKind(x.D, d) {
					return nil, value.Failure("TypeError", "for parameter %s: got %v, want what %v holds: numbers of its kind", x.Param, x.D.DType(), d)
				}
			}
			return formula.Differences(m, a.Ary.Array(), a.ToBegin.Array(), a.ToEnd.Array(), d), nil
		}, (*np.Eval).Result),
	np.Function("np.polyval T.polyval", "The polynomial with coefficients p, the highest power first, at x.",
		// Horner's rule takes as many steps as there are coefficients, which a graph does not know.
		"polyval([3, 0, 1], 5) # 76", func(e *np.Eval, a *polyvalArgs) starlark.Value {
			p := e.AsVector("p", a.P.D)
			z := e.Do("multiply", a.X.D, 0)
			for i := 0; !e.Failed() && i < p.Size(); i++ {
				z = e.Do("add", e.Do("multiply", z, a.X.D), e.At(p, 0, i))
			}
			return e.Result(z)
		}, functions.Builds(func(g *functions.Graph, a *polyvalArgs) (functions.V, error) {
			return formula.Polynomial(g.Builder, a.P.V, a.X.V)
		})),
	np.Function("np.polyadd", "The sum of two polynomials.",
		"polyadd([1, 2], [9, 5, 4]) # array([9, 6, 6])", func(e *np.Eval, a *polynomialsArgs) starlark.Value {
			return e.Result(sumOfPolynomials(e, "add", a))
		}),
	np.Function("np.polysub", "The difference of two polynomials.",
		"polysub([2, 10, -2], [3, 10, -4]) # array([-1,  0,  2])", func(e *np.Eval, a *polynomialsArgs) starlark.Value {
			return e.Result(sumOfPolynomials(e, "subtract", a))
		}),
	np.Function("np.polymul", "The product of two polynomials.",
		"polymul([1, 2, 3], [9, 5, 1]) # array([ 9, 23, 38, 17,  3])", func(e *np.Eval, a *polynomialsArgs) starlark.Value {
			return e.Result(slide(e, trimmed(e, e.AsVector("a1", a.A1)), trimmed(e, e.AsVector("a2", a.A2)), "full", true))
		}),
	np.Function("np.polyder", "The derivative of a polynomial.",
		"polyder([1, 1, 1, 1]) # array([3, 2, 1])", func(e *np.Eval, a *struct {
			P *tensor.Dense `arg:"p: coefficients, the highest power first"`
			M int           `arg:"m=1: how often"`
		}) starlark.Value {
			p := e.AsVector("p", a.P)
			if a.M < 0 {
				e.FailFor("m", "got %d, want at least 0", a.M)
			}
			for ; a.M > 0 && p.Size() > 0 && !e.Failed(); a.M-- {
				n := p.Size()
				p = e.Do("multiply", e.Part(p, 0, 0, n-1), e.Part(e.Flip(e.Counted(n, 0, 1), 0), 0, 0, n-1))
			}
			return e.Result(p)
		}),
	np.Function("np.polyint", "The integral of a polynomial.",
		"polyint([6.0, 2.0]) # array([3., 2., 0.])", func(e *np.Eval, a *struct {
			P *tensor.Dense `arg:"p: coefficients, the highest power first"`
			M np.Count      `arg:"m=1: how often"`
			K *tensor.Dense `arg:"k=None: the constants of integration, 0 if not given"`
		}) starlark.Value {
			p := e.AsVector("p", a.P)
			m := int(a.M)
			constants := make([]float64, m)
			if a.K != nil {
				given := a.K.Floats()
				for i := range constants {
					switch {
					case len(given) == 1:
						constants[i] = given[0]
					case len(given) < m:
						e.FailFor("k", "got %d constants, want %d or one", len(given), m)
						return nil
					default:
						constants[i] = given[i]
					}
				}
			}
			for i := 0; i < m && !e.Failed(); i++ {
				n := p.Size()
				down := e.Do("add", e.Flip(e.Counted(n, 0, 1), 0), 1)
				p = e.Concatenate(0, e.Do("divide", p, down), tensor.From(constants[i:i+1], 1))
			}
			return e.Result(p)
		}),
	np.Function("np.poly", "The polynomial that has the given roots: its coefficients, the highest power first.",
		"poly([1, 2]) # array([ 1., -3.,  2.])", func(e *np.Eval, a *struct {
			SeqOfZeros *tensor.Dense `arg:"seq_of_zeros: roots"`
		}) starlark.Value {
			z, poll := tensor.From([]float64{1}, 1), e.Poll()
			for _, r := range e.AsVector("seq_of_zeros", a.SeqOfZeros).Floats() {
				if e.Failed() {
					return nil
				}
				poll.Ask(z.Size())
				z = slide(e, z, tensor.From([]float64{1, -r}, 2), "full", true)
			}
			return e.Result(z)
		}),
}

// trimmed takes leading zeros off a polynomial.
func trimmed(e *np.Eval, p *tensor.Dense) *tensor.Dense {
	if e.Failed() {
		return p
	}
	n := 0
	for x := p.Floats(); n < len(x)-1 && x[n] == 0; {
		n++
	}
	return e.Part(p, 0, n, p.Size())
}

// polynomialsArgs are the arguments of functions of two polynomials.
type polynomialsArgs struct {
	A1 *tensor.Dense `arg:"a1: coefficients, the highest power first"`
	A2 *tensor.Dense `arg:"a2: coefficients"`
}

// sumOfPolynomials puts zeros in front of the shorter one.
func sumOfPolynomials(e *np.Eval, name string, a *polynomialsArgs) *tensor.Dense {
	p, q := e.AsVector("a1", a.A1), e.AsVector("a2", a.A2)
	n := max(p.Size(), q.Size())
	longer := func(p *tensor.Dense) *tensor.Dense {
		return e.Concatenate(0, tensor.New(p.DType(), n-p.Size()), p)
	}
	return e.Do(name, longer(p), longer(q))
}

// gradientArgs are the arguments of np.gradient.
type gradientArgs struct {
	F         functions.Operand `arg:"f: an array"`
	Varargs   starlark.Tuple    `arg:"*varargs: the distance of the elements, or their coordinates, for all axes or for each"`
	Axis      []int             `arg:"axis=None: the axis or axes; all if not given"`
	EdgeOrder int               `arg:"edge_order=1: 2 to take three elements for the slope at the ends"`
}

func gradient(e *np.Eval, a *gradientArgs) starlark.Value {
	axes := np.CountTo(a.F.D.Rank())
	if a.Axis != nil {
		axes = e.EachAxis("axis", a.Axis, a.F.D.Rank())
	}
	steps := e.Denses(a.Varargs)
	var list []*tensor.Dense
	e.Apply(func(m *formula.Algebra) (formula.Array, error) {
		slopes, err := formula.Gradient(m, a.F.D, formula.Arrays(steps), axes, a.EdgeOrder)
		list = formula.Values(slopes)
		return a.F.D, err
	})
	switch {
	case e.Failed():
		return nil
	case len(list) == 1:
		return e.Result(list[0])
	}
	return e.Views(a.F.Value, list)
}

// unwrappedArgs are the arguments of np.unwrap.
type unwrappedArgs struct {
	P       functions.Operand `arg:"p: an array"`
	Discont *float64          `arg:"discont=None: the least jump to take away; half the period if not given or less"`
	Axis    int               `arg:"axis=-1: the axis"`
	_       struct{}          `arg:"*:"`
	Period  functions.Operand `arg:"period=6.283185307179586: the period; integers with an integer stay integers"`
}

func unwrapped(e *np.Eval, a *unwrappedArgs) starlark.Value {
	axis := e.AxisOf(a.Axis, a.P.D.Rank())
	if a.Period.D == nil {
		a.Period.Value, a.Period.D = starlark.Float(2*math.Pi), tensor.Scalar(kernels.Float64, 2*math.Pi)
	}
	if a.Period.D.Rank() > 0 {
		e.FailFor("period", "got shape %s, want a number", tensor.ShapeString(a.Period.D.Shape()))
	}
	return e.Result(e.Apply(func(m *formula.Algebra) (formula.Array, error) {
		period := a.Period.D.Floats()[0]
		return formula.Unwrap(m, a.P.D, np.ResultType(a.P, a.Period), np.OrElse(a.Discont, period/2), period, axis)
	}))
}
