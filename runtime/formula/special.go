package formula

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// Beta is the beta function, the integral of t**(x-1) * (1-t)**(y-1) from 0 to 1. Of large operands
// it is the exponential of its logarithm, since gamma overflows; each form is given operands for
// which its gradient is finite.
func Beta(b *graph.Builder, x, y V) V {
	large := b.Apply(op.Gt, b.Apply(op.Maximum, b.Apply(op.Maximum, x, y), b.Apply(op.Add, x, y)), b.Like(x, 150))
	choose := func(x, y V) V { return b.Apply(op.Switch, large, x, y) }
	one := b.Like(x, 1)
	u, v := choose(one, x), choose(one, y)
	gammas := b.Apply(op.Mul, b.Apply(op.Gamma, u), b.Apply(op.Gamma, v))
	return choose(b.Apply(op.Exp, op.Betaln(b, choose(x, one), choose(y, one))),
		b.Apply(op.TrueDiv, gammas, b.Apply(op.Gamma, b.Apply(op.Add, u, v))))
}

// Logit is log(p / (1 - p)), the inverse of sigmoid.
func Logit(b *graph.Builder, p V) V {
	return b.Apply(op.Sub, b.Apply(op.Log, p), b.Apply(op.Log1p, b.Apply(op.Neg, p)))
}

// Poch is gamma(z + m) / gamma(z), Pochhammer's symbol.
func Poch(b *graph.Builder, z, m V) V {
	return b.Apply(op.TrueDiv, b.Apply(op.Gamma, b.Apply(op.Add, z, m)), b.Apply(op.Gamma, z))
}

// Factorial is gamma(n + 1).
func Factorial(b *graph.Builder, n V) V { return b.Apply(op.Gamma, b.Apply(op.Add, n, b.Like(n, 1))) }

// Chi2sf is the probability that a chi-squared variable of k degrees of freedom is larger than x.
func Chi2sf(b *graph.Builder, x, k V) V {
	return b.Apply(op.Gammaincc, scaled(b, 0.5, k), scaled(b, 0.5, x))
}

// GammaPart is the lower incomplete gamma function, or the upper one, which is not divided by
// gamma(k).
func GammaPart(b *graph.Builder, part op.Elemwise, k, x V) V {
	return b.Apply(op.Mul, b.Apply(part, k, x), b.Apply(op.Gamma, k))
}

// Sinc is sin(pi x) / (pi x), and 1 at 0, where its gradient is 0.
func Sinc(b *graph.Builder, x V) V {
	zero := b.Apply(op.Eq, x, b.Like(x, 0))
	y := scaled(b, math.Pi, b.Apply(op.Switch, zero, b.Like(x, 1), x))
	return b.Apply(op.Switch, zero, b.Like(x, 1), b.Apply(op.TrueDiv, b.Apply(op.Sin, y), y))
}

// Ldexp is x * 2**n of floats and integers: by three powers of 2, none of which overflows, since x
// may be as small as 2**n is large.
func Ldexp(b *graph.Builder, x, n V) V {
	most := 2200
	if x.Type.DType == kernels.Float32 {
		most = 300
	}
	n = Cast(b, n, kernels.Int64)
	n = b.Apply(op.Maximum, b.Apply(op.Minimum, n, Int(b, most)), Int(b, -most))
	first := b.Apply(op.IntDiv, n, Int(b, 3))
	second := b.Apply(op.IntDiv, b.Apply(op.Sub, n, first), Int(b, 2))
	for _, k := range []V{first, second, b.Apply(op.Sub, b.Apply(op.Sub, n, first), second)} {
		x = b.Apply(op.Mul, x, b.Apply(op.Exp2, Cast(b, k, x.Type.DType)))
	}
	return x
}

// CeilIntDiv is x / y rounded up: what is left of the quotient rounded down counts as one.
func CeilIntDiv(b *graph.Builder, x, y V) V {
	quotient := b.Apply(op.IntDiv, x, y)
	rest := b.Apply(op.Neq, b.Apply(op.Mod, x, y), b.Like(quotient, 0))
	return b.Apply(op.Add, quotient, b.Apply(op.Cast(quotient.Type.DType), rest))
}

// IsFinite is whether x is a number and not infinite: all integers are.
func IsFinite(b *graph.Builder, x V) V {
	if !x.Type.DType.IsFloat() {
		return b.Apply(op.Eq, x, x)
	}
	return b.Apply(op.Lt, b.Apply(op.Abs, x), b.Like(x, math.Inf(1)))
}

// IsInfinity is whether x is the infinity of a sign: no integer is.
func IsInfinity(m *Algebra, x Array, sign int) Array {
	if !x.DType().IsFloat() {
		return m.Do(op.Neq, x, x)
	}
	return m.Do(op.Eq, x, math.Inf(sign))
}

// IsClose is whether |x-y| <= atol + rtol*|y|; infinities are close to themselves, and nan to nan
// if that is said. Integers are compared as float64.
func IsClose(b *graph.Builder, x, y V, rtol, atol float64, equalNaN bool) V {
	d := kernels.Promote(x.Type.DType, y.Type.DType)
	if !d.IsFloat() {
		d = kernels.Float64
	}
	x, y = Cast(b, x, d), Cast(b, y, d)
	away := b.Apply(op.Abs, b.Apply(op.Sub, x, y))
	near := b.Apply(op.Le, away, b.Apply(op.Add, b.Like(y, atol), scaled(b, rtol, b.Apply(op.Abs, y))))
	near = b.Apply(op.Switch, b.Apply(op.And, IsFinite(b, x), IsFinite(b, y)), near, b.Apply(op.Eq, x, y))
	if equalNaN {
		near = b.Apply(op.Or, near, b.Apply(op.And, b.Apply(op.IsNaN, x), b.Apply(op.IsNaN, y)))
	}
	return near
}

// NaNToNum is x, floats, with other numbers for nan and the infinities: without one for an
// infinity, the largest or the least of the type.
func NaNToNum(m *Algebra, x Array, nan float64, high, low *float64) Array {
	most := math.MaxFloat64
	if x.DType() == kernels.Float32 {
		most = math.MaxFloat32
	}
	least := -most
	if high != nil {
		most = *high
	}
	if low != nil {
		least = *low
	}
	z := m.Do(op.Switch, m.Do(op.IsNaN, x), nan, x)
	z = m.Do(op.Switch, IsInfinity(m, x, 1), most, z)
	return m.Do(op.Switch, IsInfinity(m, x, -1), least, z)
}
