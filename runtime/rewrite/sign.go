package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// signDepth bounds how far sign looks.
const signDepth = 8

// sign is what can be proved of v by looking at how it is computed.
func (c *Context) sign(v *graph.Variable) op.Sign { return c.signTo(v, signDepth) }

func (c *Context) signTo(v *graph.Variable, depth int) op.Sign {
	if v.IsConstant() {
		return c.inspect(v).sign
	}
	if d := v.Type.DType; !d.IsFloat() {
		if !d.IsSigned() {
			return op.Nonnegative
		}
		return op.AnySign
	}
	if v.Owner == nil || depth == 0 {
		return op.AnySign
	}
	in := func() []op.Sign {
		list := make([]op.Sign, len(v.Owner.Inputs))
		for i, u := range v.Owner.Inputs {
			list[i] = c.signTo(u, depth-1)
		}
		return list
	}
	switch o := v.Owner.Op.(type) {
	case op.Elemwise:
		if f := o.Row().Sign; f != nil {
			return f(in())
		}
	case op.Signed:
		return o.SignOf(in())
	case op.Structural:
		if o.Traits().Has(op.Moves) {
			return c.sourceSign(v, depth-1)
		}
	}
	return op.AnySign
}

// sourceSign is the sign of a result whose elements are elements of the operands of its type.
func (c *Context) sourceSign(v *graph.Variable, depth int) op.Sign {
	s := op.Positive
	for _, u := range v.Owner.Inputs {
		if u.Type.DType == v.Type.DType {
			s = min(s, c.signTo(u, depth))
		}
	}
	return s
}
