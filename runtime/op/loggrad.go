package op

import (
	"math"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Share is a part of the gradient with respect to V.
type Share struct{ V, G V }

// GradPast is the gradient of a node, given that with respect to its result, where one operation at
// a time overflows or underflows on the way: it goes to what exponentials are of, past variables
// that passed lists. That of log(sigmoid(x)) would be s*(1-s)/s, 0/0 where s underflows; it is 1-s.
// That of exp(x)/(1+exp(x)) would be inf/inf; it is that of sigmoid(x). ok is false for other
// nodes, and for logarithms of other operands.
func GradPast(b *graph.Builder, node *graph.Apply, g V) (shares []Share, passed []V, ok bool) {
	e, elementwise := node.Op.(Elemwise)
	if !elementwise || past[e] == nil || node.Inputs[0].Type.DType != node.Outputs[0].Type.DType {
		return nil, nil, false
	}
	l := &logGrad{b: b, out: node.Outputs[0]}
	ok = past[e](l, node.Inputs[0], g)
	return l.shares, l.passed, ok
}

// past has the operations of GradPast, and what is done with their first operand.
var past map[Elemwise]func(l *logGrad, x, g V) bool

func init() { // since what is called refers to the table
	logistic := func(l *logGrad, _, g V) bool { return l.ofLogistic(g) }
	past = map[Elemwise]func(*logGrad, V, V) bool{
		Log:        (*logGrad).of,
		Log1p:      (*logGrad).ofSum,
		Log2:       func(l *logGrad, x, g V) bool { return l.of(x, times(l.b, 1/math.Ln2, g)) },
		Log10:      func(l *logGrad, x, g V) bool { return l.of(x, times(l.b, 1/math.Ln10, g)) },
		TrueDiv:    logistic,
		Reciprocal: logistic,
	}
}

// logGrad collects the shares of the gradient of a logarithm, or of a logistic function.
type logGrad struct {
	b      *graph.Builder
	out    V // the result
	shares []Share
	passed []V
}

// gives adds a share, which has the shape of what the operation was computed in.
func (l *logGrad) gives(v, g V) bool {
	l.shares = append(l.shares, Share{v, sumToType(l.b, g, v.Type)})
	return true
}

// of is the gradient of log(v), given that with respect to it, g.
func (l *logGrad) of(v, g V) bool {
	node := v.Owner
	if node == nil || v.Type.DType != l.out.Type.DType {
		return false
	}
	b, in := l.b, node.Inputs
	l.passed = append(l.passed, v)
	if z, negative := l.logistic(v); z != nil {
		return l.sigmoid(z, negative, g)
	}
	switch o := node.Op.(type) {
	case Elemwise:
		return l.ofElemwise(o, v, in, g)
	case Softmax:
		axes := tensor.AxesOf(v.Type.Rank() - 1)
		total := b.Apply(NewDimShuffle(Restore(axes, v.Type.Rank())), b.Apply(Reduce{Kind: Sum, Axes: axes}, g))
		return !o.Log && l.gives(in[0], Sub.do(b, g, Mul.do(b, total, v)))
	case Reduce:
		e := in[0].Owner
		if o.Kind != Sum || e == nil || e.Op != graph.Op(Exp) || v != l.passed[0] || v.Type != l.out.Type {
			return false
		}
		l.passed = append(l.passed, in[0])
		restore := NewDimShuffle(Restore(o.Axes, in[0].Type.Rank()))
		log := l.out
		if log.Op() != graph.Op(Log) {
			log = Log.do(b, v)
		}
		softmax := Exp.do(b, Sub.do(b, e.Inputs[0], b.Apply(restore, log)))
		return l.gives(e.Inputs[0], Mul.do(b, b.Apply(restore, g), softmax))
	}
	return l.through(v, g, l.of)
}

// through is what to do with an array whose elements are moved to make v.
func (l *logGrad) through(v, g V, then func(v, g V) bool) bool {
	switch v.Op().(type) {
	case Subtensor, Take, AdvancedSubtensor, Reshape, DimShuffle:
		moved := v.Op().(graph.Differentiable).Grad(l.b, v.Owner, []V{g})[0]
		return moved != nil && then(v.Owner.Inputs[0], moved)
	}
	return false
}

func (l *logGrad) ofElemwise(e Elemwise, v V, in []V, g V) bool {
	b := l.b
	switch e {
	case Exp:
		return l.gives(in[0], g)
	case Expm1:
		return l.gives(in[0], l.expm1Above(in[0], g))
	case Cosh:
		return l.gives(in[0], Mul.do(b, g, Tanh.do(b, in[0])))
	case Sinh:
		return l.gives(in[0], TrueDiv.do(b, g, Tanh.do(b, in[0])))
	case Erfc:
		return l.gives(in[0], l.erfc(in[0], g))
	case Sqrt:
		return l.of(in[0], times(b, 0.5, g))
	case Reciprocal:
		return l.of(in[0], Neg.do(b, g))
	case TrueDiv:
		if constant(in[1]) {
			return l.of(in[0], sumToType(b, g, in[0].Type))
		}
		return constant(in[0]) && l.of(in[1], sumToType(b, Neg.do(b, g), in[1].Type))
	case Mul:
		for i, c := range in {
			if constant(c) {
				return l.of(in[1-i], sumToType(b, g, in[1-i].Type))
			}
		}
	case Switch:
		return l.ofChoice(v, in, g)
	case Neg:
		if m := made(in[0], Expm1); m != nil { // 1 - exp(z)
			l.passed = append(l.passed, in[0])
			return l.gives(m[0], l.expm1(m[0], g))
		}
	case Add:
		for i, c := range in {
			if one(c) {
				return l.ofSum(in[1-i], sumToType(b, g, in[1-i].Type))
			}
		}
		x, y := made(in[0], Exp), made(in[1], Exp)
		if x == nil || y == nil {
			return false
		}
		l.passed = append(l.passed, in...)
		d := Sub.do(b, x[0], y[0])
		return l.gives(x[0], Mul.do(b, g, Sigmoid.do(b, d))) && l.gives(y[0], Mul.do(b, g, Sigmoid.do(b, Neg.do(b, d))))
	case Sub:
		if m := made(in[0], Exp); m != nil && one(in[1]) && in[0].Type == v.Type { // expm1(z)
			l.passed = append(l.passed, in[0])
			return l.gives(m[0], l.expm1Above(m[0], g))
		}
		return one(in[0]) && l.ofDifference(in[1], sumToType(b, g, in[1].Type))
	}
	return false
}

// ofChoice is the gradient of log(where(c, x, y)), if there is one for the logarithm of x or y.
func (l *logGrad) ofChoice(v V, in []V, g V) bool {
	b, found := l.b, false
	for i, x := range in[1:] {
		if x.Type.DType != v.Type.DType {
			continue
		}
		parts := []V{b.Like(g, 0), b.Like(g, 0)}
		parts[i] = g
		part, known := Switch.do(b, in[0], parts[0], parts[1]), len(l.shares)
		if l.of(x, sumToType(b, part, x.Type)) {
			found = true
			continue
		}
		l.shares = l.shares[:known]
		parts[i] = TrueDiv.do(b, g, v)
		l.gives(x, Switch.do(b, in[0], parts[0], parts[1]))
	}
	return found
}

// ofSum is the gradient of log(1 + v).
func (l *logGrad) ofSum(v, g V) bool {
	b := l.b
	if m := made(v, Neg); m != nil {
		l.passed = append(l.passed, v)
		return l.ofDifference(m[0], g)
	}
	l.passed = append(l.passed, v)
	if m := made(v, Exp); m != nil {
		return l.gives(m[0], Mul.do(b, g, Sigmoid.do(b, m[0])))
	}
	if m := made(v, Erf); m != nil { // 1 + erf(z) is erfc(-z)
		return l.gives(m[0], Neg.do(b, l.erfc(Neg.do(b, m[0]), g)))
	}
	if m := made(v, Tanh); m != nil { // (1 - t*t)/(1 + t)
		return l.gives(m[0], times(b, 2, l.scaledSigmoid(-2, m[0], g)))
	}
	return l.through(v, g, l.ofSum)
}

// ofDifference is the gradient of log(1 - v).
func (l *logGrad) ofDifference(v, g V) bool {
	b := l.b
	l.passed = append(l.passed, v)
	if z, negative := l.logistic(v); z != nil { // 1 - sigmoid(z) is sigmoid(-z)
		return l.sigmoid(z, !negative, g)
	}
	if m := made(v, Exp); m != nil {
		return l.gives(m[0], l.expm1(m[0], g))
	}
	if m := made(v, Erf); m != nil {
		return l.gives(m[0], l.erfc(m[0], g))
	}
	if m := squared(v); m != nil { // 1 - tanh(z)**2
		if z := made(m, Tanh); z != nil {
			l.passed = append(l.passed, m)
			return l.gives(z[0], times(b, -2, Mul.do(b, g, m)))
		}
	}
	if m := made(v, Tanh); m != nil { // -(1 - t*t)/(1 - t)
		return l.gives(m[0], times(b, -2, l.scaledSigmoid(2, m[0], g)))
	}
	return l.through(v, g, l.ofDifference)
}

// scaledSigmoid is g*sigmoid(c*z).
func (l *logGrad) scaledSigmoid(c float64, z, g V) V {
	return Mul.do(l.b, g, Sigmoid.do(l.b, times(l.b, c, z)))
}

// ofLogistic is the gradient of a logistic function that users write as a quotient.
func (l *logGrad) ofLogistic(g V) bool {
	z, negative := l.logistic(l.out)
	if z == nil || z.Type.DType != l.out.Type.DType {
		return false
	}
	b, x := l.b, z
	if negative {
		x = Neg.do(b, z)
	}
	s := Sigmoid.do(b, x)
	if g = Sigmoid.Grad(b, s.Owner, []V{g})[0]; negative {
		g = Neg.do(b, g)
	}
	return l.gives(z, g)
}

// logistic is z where v is sigmoid(z) or, negative, sigmoid(-z), as users write it: nil if v is
// something else.
func (l *logGrad) logistic(v V) (z V, negative bool) {
	if m := made(v, Sigmoid); m != nil {
		return m[0], false
	}
	over, under := V(nil), V(nil)
	if m := made(v, TrueDiv); m != nil {
		over, under = m[0], m[1]
	} else if m := made(v, Reciprocal); m != nil {
		under = m[0]
	}
	sum := []V{}
	if under != nil {
		sum = made(under, Add)
	}
	for i, c := range sum {
		e := made(sum[1-i], Exp)
		if e == nil || !one(c) || sum[1-i].Type != v.Type {
			continue
		}
		l.passed = append(l.passed, under, sum[1-i])
		switch {
		case over == nil || one(over):
			return e[0], true
		case over == sum[1-i] || made(over, Exp) != nil && made(over, Exp)[0] == e[0]:
			l.passed = append(l.passed, over)
			return e[0], false
		}
	}
	return nil, false
}

// sigmoid adds the share of log(sigmoid(z)) or, negative, of log(sigmoid(-z)).
func (l *logGrad) sigmoid(z V, negative bool, g V) bool {
	b := l.b
	if negative {
		return l.gives(z, Neg.do(b, Mul.do(b, g, Sigmoid.do(b, z))))
	}
	return l.gives(z, Mul.do(b, g, Sigmoid.do(b, Neg.do(b, z))))
}

// erfc is g times the derivative of log(erfc(z)), -2/sqrt(pi)*exp(-z*z)/erfc(z). Above 0, where
// both underflow, that is the reciprocal of erfcx(z). What is not chosen is computed of 0.
func (l *logGrad) erfc(z, g V) V {
	b, zero := l.b, l.b.Like(z, 0)
	below, above := Minimum.do(b, z, zero), Maximum.do(b, z, zero)
	ratio := TrueDiv.do(b, Exp.do(b, Neg.do(b, Sqr.do(b, below))), Switch.do(b, Lt.do(b, z, zero), Erfc.do(b, below), Erfcx.do(b, above)))
	return times(b, -2/math.Sqrt(math.Pi), Mul.do(b, g, ratio))
}

// expm1 is g times the derivative of log(1 - exp(z)), which is a number for z < 0, and expm1Above
// that of log(exp(z) - 1), for z > 0. Both are exp(z)/(exp(z) - 1), without what overflows there.
func (l *logGrad) expm1(z, g V) V {
	return Mul.do(l.b, g, TrueDiv.do(l.b, Exp.do(l.b, z), Expm1.do(l.b, z)))
}

func (l *logGrad) expm1Above(z, g V) V {
	return Neg.do(l.b, TrueDiv.do(l.b, g, Expm1.do(l.b, Neg.do(l.b, z))))
}

// made gives the operands of e if v is its result.
func made(v V, e Elemwise) []V {
	if v.Op() == graph.Op(e) {
		return v.Owner.Inputs
	}
	return nil
}

// squared is x if v is x*x, as sqr, a power or a product.
func squared(v V) V {
	if m := made(v, Sqr); m != nil {
		return m[0]
	}
	if m := made(v, Mul); m != nil && m[0] == m[1] {
		return m[0]
	}
	if m := made(v, Pow); m != nil && every(m[1], func(x float64) bool { return x == 2 }) {
		return m[0]
	}
	return nil
}

// constant reports whether v is a positive constant, perhaps with more axes.
func constant(v V) bool { return every(v, func(x float64) bool { return x > 0 }) }

// one reports whether v is a constant 1, perhaps with more axes.
func one(v V) bool { return every(v, func(x float64) bool { return x == 1 }) }
