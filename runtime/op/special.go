package op

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// What gradients of special functions have in common.

// orderOf is the order, the first operand, in the result's type: a small integer might wrap.
func orderOf(b *graph.Builder, x []V, y V) V { return castTo(b, x[0], y.Type.DType) }

// neighbours is the Bessel function e of the orders below and above that of y = e(x[0], x[1]),
// which make up its derivative.
func neighbours(b *graph.Builder, e Elemwise, x []V, y V) (below, above V) {
	v := orderOf(b, x, y)
	return e.do(b, Sub.do(b, v, b.Like(v, 1)), x[1]), e.do(b, onePlus(b, v), x[1])
}

// gammaDensity is x**(k-1) * exp(-x) / gamma(k), the derivative of gammainc(k, x).
func gammaDensity(b *graph.Builder, in []V, y V) V {
	return Exp.do(b, logGammaDensity(b, orderOf(b, in, y), castTo(b, in[1], y.Type.DType)))
}

// gammaSpread is the derivative of y = gammaincinv(k, p): 1 / gammaDensity(k, y).
func gammaSpread(b *graph.Builder, in []V, y V) V {
	return Exp.do(b, Neg.do(b, logGammaDensity(b, orderOf(b, in, y), y)))
}

func logGammaDensity(b *graph.Builder, k, x V) V {
	return Sub.do(b, Sub.do(b, Xlogy.do(b, Sub.do(b, k, b.Like(k, 1)), x), x), Gammaln.do(b, k))
}

// betaDensity is x**(a-1) * (1-x)**(b-1) / beta(a, b), the derivative of betainc(a, b, x).
func betaDensity(b *graph.Builder, in []V, y V) V {
	return Exp.do(b, logBetaDensity(b, in, castTo(b, in[2], y.Type.DType), y))
}

// betaSpread is the derivative of y = betaincinv(a, b, p): 1 / betaDensity(a, b, y).
func betaSpread(b *graph.Builder, in []V, y V) V {
	return Exp.do(b, Neg.do(b, logBetaDensity(b, in, y, y)))
}

// logBetaDensity is the logarithm of betaDensity at x, of the parameters in, in the type of y.
func logBetaDensity(b *graph.Builder, in []V, x, y V) V {
	p, q := castTo(b, in[0], y.Type.DType), castTo(b, in[1], y.Type.DType)
	powers := Add.do(b, Xlogy.do(b, Sub.do(b, p, b.Like(p, 1)), x), Xlog1py.do(b, Sub.do(b, q, b.Like(q, 1)), Neg.do(b, x)))
	return Sub.do(b, powers, Betaln(b, p, q))
}

// nextHyper is a function of the hypergeometric family with every parameter larger by 1: that of
// hyp2f1's is, times a*b/c, its derivative.
func nextHyper(b *graph.Builder, e Elemwise, x []V, y V) V {
	up := func(i int) V { return onePlus(b, castTo(b, x[i], y.Type.DType)) }
	return e.do(b, up(0), up(1), up(2), x[3])
}

// overThird is p*q/c in the type of y.
func overThird(b *graph.Builder, c, p, q, y V) V {
	return TrueDiv.do(b, Mul.do(b, castTo(b, p, y.Type.DType), castTo(b, q, y.Type.DType)), c)
}

// Betaln is the logarithm of |beta(x, y)|.
func Betaln(b *graph.Builder, x, y V) V {
	return Sub.do(b, Add.do(b, Gammaln.do(b, x), Gammaln.do(b, y)), Gammaln.do(b, Add.do(b, x, y)))
}

var _ = []graph.Parametric{Elemwise(0)}

// NoGradient says why there is no gradient with respect to operand i, and the way out; "" if there
// is one.
func (e Elemwise) NoGradient(i int) string {
	if i >= e.Row().Orders {
		return ""
	}
	name := strings.Split(e.Row().Args, ", ")[i]
	return fmt.Sprintf("the order %s has no gradient: there is no closed form of it; pass %s in consider_constant", name, name)
}
