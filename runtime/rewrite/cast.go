package rewrite

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var _ = goRule("local_cast_cast", groupUseless, castCast, elementwise).onlyOf(func(e op.Elemwise) bool {
	_, ok := e.IsCast()
	return ok
})

// castCast drops a conversion to the type that x has, and one in the middle that keeps all values.
func castCast(c *Context, node *graph.Apply) *graph.Variable {
	to, ok := node.Op.(op.Elemwise).IsCast()
	if !ok {
		return nil
	}
	x := node.Inputs[0]
	if x.Type.DType == to {
		return x
	}
	if x.Owner == nil || !isCast(x.Owner.Op) {
		return nil
	}
	first := x.Owner.Inputs[0]
	if !keepsValues(first.Type.DType, x.Type.DType, to) {
		return nil
	}
	return c.Cast(first, to)
}

// keepsValues reports whether a conversion from a to c may leave out b on its way.
func keepsValues(a, b, c kernels.DType) bool {
	if !lossless(a, b) {
		return false
	}
	// A float that an integer type cannot hold has no defined conversion, where integers wrap.
	return !b.IsFloat() || a.IsFloat() || c.IsFloat() || lossless(a, c)
}

// lossless reports whether b has every value of a. Promote calls float64 wide enough for int64,
// which it is not.
func lossless(a, b kernels.DType) bool {
	return kernels.Promote(a, b) == b && !(b.IsFloat() && a.IsInteger() && a.Size() == 8)
}
