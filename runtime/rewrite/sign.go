package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// sign is what is known of all elements of a variable; nan is never excluded.
type sign uint8

const (
	anySign     sign = iota
	nonnegative      // >= 0
	positive         // > 0, but for results that are too small for the type
)

// signDepth bounds how far sign looks.
const signDepth = 8

// signs gives the sign of a result from its operands'. Results of integer types may wrap and are not asked for.
var signs = map[op.Elemwise]func(in []sign) sign{
	op.Exp:        always(positive),
	op.Exp2:       always(positive),
	op.Sigmoid:    always(positive),
	op.Softplus:   always(positive),
	op.Cosh:       always(positive),
	op.Abs:        atLeast(nonnegative),
	op.Sqr:        atLeast(nonnegative),
	op.Sqrt:       atLeast(nonnegative),
	op.Mul:        least,
	op.TrueDiv:    least,
	op.Minimum:    least,
	op.Reciprocal: least,
	op.Identity:   least,
	op.Add:        sum,
	op.Log1p:      least,
	op.Maximum:    func(in []sign) sign { return max(in[0], in[1]) },
	op.Second:     func(in []sign) sign { return in[1] },
	op.Switch:     func(in []sign) sign { return min(in[1], in[2]) },
	op.Pow:        func(in []sign) sign { return in[0] },
}

func always(s sign) func([]sign) sign  { return func([]sign) sign { return s } }
func atLeast(s sign) func([]sign) sign { return func(in []sign) sign { return max(s, in[0]) } }

func least(in []sign) sign {
	s := positive
	for _, e := range in {
		s = min(s, e)
	}
	return s
}

// sum: one positive term is enough if no other is negative.
func sum(in []sign) sign {
	if min(in[0], in[1]) == anySign {
		return anySign
	}
	return max(in[0], in[1])
}

// sign is what can be proved of v by looking at how it is computed.
func (c *Context) sign(v *graph.Variable) sign { return c.signTo(v, signDepth) }

func (c *Context) signTo(v *graph.Variable, depth int) sign {
	if v.IsConstant() {
		return c.constantSign(v)
	}
	if d := v.Type.DType; !d.IsFloat() {
		if !d.IsSigned() {
			return nonnegative
		}
		return anySign
	}
	if v.Owner == nil || depth == 0 {
		return anySign
	}
	in := func() []sign {
		list := make([]sign, len(v.Owner.Inputs))
		for i, u := range v.Owner.Inputs {
			list[i] = c.signTo(u, depth-1)
		}
		return list
	}
	switch o := v.Owner.Op.(type) {
	case op.Elemwise:
		if f := signs[o]; f != nil {
			return f(in())
		}
		if _, ok := o.IsCast(); ok {
			return in()[0]
		}
	case op.Softmax:
		if !o.Log {
			return positive
		}
	case op.Reduce:
		// A sum of nothing is 0.
		return min(c.signTo(v.Owner.Inputs[0], depth-1), nonnegative)
	case op.Structural:
		if o.Traits().Has(op.Moves) {
			return c.sourceSign(v, depth-1)
		}
	}
	return anySign
}

// sourceSign is the sign of a result whose elements are elements of the operands of its type.
func (c *Context) sourceSign(v *graph.Variable, depth int) sign {
	s := positive
	for _, u := range v.Owner.Inputs {
		if u.Type.DType == v.Type.DType {
			s = min(s, c.signTo(u, depth))
		}
	}
	return s
}

func (c *Context) constantSign(v *graph.Variable) sign {
	if s, ok := c.constants[v]; ok {
		return s.sign
	}
	return c.inspect(v).sign
}
