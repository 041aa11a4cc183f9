package nn

import (
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/symbolic/operations"
)

// pairRow makes the row of a function of two variables of floats, with these parameters.
func pairRow[A any](names, doc, example string, pair func(a *A) (x, y *functions.Operand),
	build func(b *graph.Builder, x, y *graph.Variable) *graph.Variable) functions.Function {
	return operations.TensorRow(names, doc, example, func(g *functions.Graph, a *A) (*graph.Variable, error) {
		x, y := pair(a)
		floats(g, x, y)
		return build(g.Builder, x.V, y.V), nil
	})
}

type (
	betaArgs struct {
		A functions.Operand `arg:"a: variable, number or array"`
		B functions.Operand `arg:"b: variable, number or array"`
	}
	orderArgs struct {
		K functions.Operand `arg:"k: variable, number or array"`
		X functions.Operand `arg:"x: variable, number or array"`
	}
	chi2Args struct {
		X functions.Operand `arg:"x: variable, number or array"`
		K functions.Operand `arg:"k: degrees of freedom"`
	}
	pochArgs struct {
		Z functions.Operand `arg:"z: variable, number or array"`
		M functions.Operand `arg:"m: variable, number or array"`
	}
)

func ofBeta(a *betaArgs) (x, y *functions.Operand)    { return &a.A, &a.B }
func ofOrders(a *orderArgs) (k, x *functions.Operand) { return &a.K, &a.X }
func ofChi2(a *chi2Args) (x, k *functions.Operand)    { return &a.X, &a.K }
func ofPoch(a *pochArgs) (z, m *functions.Operand)    { return &a.Z, &a.M }

// gammaPart is the row of an incomplete gamma function that is not regularized.
func gammaPart(names, doc, example string, part op.Elemwise) functions.Function {
	return pairRow(names, doc, example, ofOrders, func(b *graph.Builder, k, x *graph.Variable) *graph.Variable {
		return formula.GammaPart(b, part, k, x)
	})
}

// specialTable is the special functions that are made of others.
var specialTable = []functions.Function{
	pairRow("T.special.beta T.beta", "The beta function: gamma(a) * gamma(b) / gamma(a + b).", "beta(2.0, 3.0) # 0.08333333333333333", ofBeta, formula.Beta),
	pairRow("T.special.betaln T.betaln", "The logarithm of |beta(a, b)|.", "betaln(1.0, 1.0) # 0.0", ofBeta, op.Betaln),
	pairRow("T.special.poch", "Pochhammer's symbol: gamma(z + m) / gamma(z).", "poch(2.0, 3.0) # 24.0", ofPoch, formula.Poch),
	operations.TensorRow("T.special.factorial", "gamma(x + 1), the factorial of whole numbers.", "factorial(4.0) # 24.0", func(g *functions.Graph, a *struct {
		X functions.Operand `arg:"x|n: variable, number or array"`
	}) (*graph.Variable, error) {
		floats(g, &a.X)
		return formula.Factorial(g.Builder, a.X.V), nil
	}),
	activation("T.special.logit", "log(x / (1 - x)), the inverse of sigmoid.", "logit(0.5) # 0.0", formula.Logit),
	activation("T.xlogx.xlogx", "x * log(x), and 0 where x is 0.", "xlogx(0.0) # 0.0", func(b *graph.Builder, x *graph.Variable) *graph.Variable { return b.Apply(op.Xlogy, x, x) }),
	pairRow("T.chi2sf", "The probability that a chi-squared variable of k degrees of freedom is larger than x.", "chi2sf(1.0, 2.0) # 0.6065306597126334",
		ofChi2, formula.Chi2sf),
	gammaPart("T.gammal", "The lower incomplete gamma function: gammainc(k, x) * gamma(k).", "gammal(1.0, 0.0) # 0.0", op.Gammainc),
	gammaPart("T.gammau", "The upper incomplete gamma function: gammaincc(k, x) * gamma(k).", "gammau(1.0, 0.0) # 1.0", op.Gammaincc),
	operations.TensorRow("T.ceil_intdiv", "x / y rounded up.", "ceil_intdiv(7, 2) # 4", func(g *functions.Graph, a *struct {
		X functions.Operand `arg:"a: variable, number or array"`
		Y functions.Operand `arg:"b: variable, number or array"`
	}) (*graph.Variable, error) {
		return formula.CeilIntDiv(g.Builder, a.X.V, a.Y.V), nil
	}),
}
