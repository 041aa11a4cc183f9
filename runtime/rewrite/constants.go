package rewrite

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// constantFacts are properties of the elements of a constant.
type constantFacts struct {
	known    bool
	value    float64
	equal    bool // all elements are value
	moderate bool // see the predicate
	slight   bool // likewise
	sign     op.Sign
}

// scalar is the value that all elements of v, a constant, have.
func (c *Context) scalar(v *graph.Variable) (float64, bool) {
	if !v.IsConstant() {
		return 0, false
	}
	f := c.inspect(v)
	return f.value, f.equal
}

// inspect looks at the elements of a constant once. After an interrupt it knows nothing of them.
func (c *Context) inspect(v *graph.Variable) constantFacts {
	if f := c.constants.Get(v); f.known {
		return f
	}
	f := constantFacts{known: true, sign: op.Positive, moderate: true, slight: true}
	f.value, f.equal = v.Scalar()
	values := v.Data.Values()
	const block = 1 << 16
	for first := 0; first < len(values); first += block {
		if first > 0 && c.fixed != nil && c.fixed.profile.interrupted() != nil {
			return constantFacts{sign: op.AnySign}
		}
		f.note(v.Type.DType, values[first:min(first+block, len(values))])
		if f.sign == op.AnySign && !f.equal && !f.moderate && !f.slight {
			break
		}
	}
	c.constants.Set(v, f)
	return f
}

// note takes some elements into account.
func (f *constantFacts) note(d kernels.DType, values []float64) {
	moderate, slight := moderateLimit(d), math.Ldexp(1, 32)
	if d == kernels.Float32 {
		slight = math.Ldexp(1, 10)
	}
	minModerate, minSlight, isFloat := 1/moderate, 1/slight, d.IsFloat()
	for _, e := range values {
		a := math.Abs(e)
		switch {
		case e > 0 || a != a:
		case sameNumber(e, 0):
			f.sign = min(f.sign, op.Nonnegative)
		default:
			f.sign = op.AnySign
		}
		f.equal = f.equal && sameNumber(e, f.value)
		if isFloat {
			f.moderate = f.moderate && (a >= minModerate && a <= moderate || sameNumber(e, 0))
			f.slight = f.slight && a >= minSlight && a <= slight
		}
	}
}

// isModerate reports whether a number, not 0, is of such a size that products of a few of them
// neither overflow nor underflow.
func isModerate(d kernels.DType, v float64) bool {
	limit := moderateLimit(d)
	a := math.Abs(v)
	return a >= 1/limit && a <= limit
}

// moderateLimit is the size of the largest moderate number; that of the smallest is 1 by it.
func moderateLimit(d kernels.DType) float64 {
	if d == kernels.Float32 {
		return math.Ldexp(1, 30)
	}
	return math.Ldexp(1, 100)
}

// sameNumber tells 0 from -0.
func sameNumber(x, y float64) bool { return x == y && math.Signbit(x) == math.Signbit(y) }

// isZeros reports whether all elements of v are 0.
func (c *Context) isZeros(v *graph.Variable) bool {
	switch v.Op() {
	case graph.Op(op.Alloc{}):
		v = v.Owner.Inputs[0]
	case graph.Op(op.Second):
		v = v.Owner.Inputs[1]
	}
	value, ok := c.scalar(v)
	return ok && sameNumber(value, 0)
}
