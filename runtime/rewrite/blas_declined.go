package rewrite

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// declineProduct says why the product node, which is part of no sum that became one, stays as it
// is. A product of which nothing is made but a product is what it should be.
func declineProduct(p *PassProfile, node *graph.Apply, clients *graph.Clients) {
	if node.Op != graph.Op(op.Dot{}) {
		return
	}
	x, y, z := node.Inputs[0], node.Inputs[1], node.Outputs[0]
	say := func(code, format string, args ...any) {
		p.decline(history.Declined{Code: code, Rule: "BlasOpt"}, node, func() string { return fmt.Sprintf(format, args...) })
	}
	switch {
	case x.Type.DType != y.Type.DType:
		say("dot.dtype_mixed", "%s is %v and %s is %v: one is converted in every call; make them of one type",
			at(x), x.Type.DType, at(y), y.Type.DType)
	case !z.Type.DType.IsFloat():
		say("dot.not_gemm", "a product of %v has no fast kernel; with floats it would have", z.Type.DType)
	}
	for _, c := range clients.Get(z) {
		if c.Node == nil || !isLinear(c.Node) {
			continue
		}
		if len(p.reasons) == maxDeclined {
			p.Untold++ // of a long sum, looking at it takes time
			return
		}
		s := &linear{root: c.Node, clients: clients}
		s.add(c.Node.Outputs[0], factor{number: 1})
		if code, why := s.hinders(z); code != "" {
			say(code, "is not computed together with %s: %s", by(c.Node), why)
			return
		}
	}
}

// hinders says why the product z, which the sum s reads, stays apart from it.
func (s *linear) hinders(z *graph.Variable) (code, why string) {
	t := s.root.Outputs[0].Type
	switch {
	case len(s.clients.Get(z)) > 1:
		return "dot.multi_client", fmt.Sprintf("%s is read by %s too", at(z), reader(z, s.root, s.clients))
	case z.Type.DType != t.DType:
		return "dot.dtype_mixed", fmt.Sprintf("the product is %v and the sum %v; make them of one type", z.Type.DType, t.DType)
	case !samePattern(z.Type, t):
		return "dot.broadcast", fmt.Sprintf("the product is %v and is broadcast there to %v", z.Type, t)
	}
	rest := 0
	for _, a := range s.addends {
		if !a.product {
			rest++
		}
		if n, ok := a.number(); ok && n == 0 {
			return "dot.zero", fmt.Sprintf("the factor of %s is 0, which would lose nan", at(a.v))
		}
		if _, elementwise := a.v.Op().(op.Elemwise); !a.product && elementwise && s.owns(a.v) {
			return "dot.elementwise", fmt.Sprintf("%s is computed elementwise for this sum alone, and is fused with it instead", at(a.v))
		}
		if !a.product && a.v.Type.DType != t.DType {
			return "dot.dtype_mixed", fmt.Sprintf("%s is %v and the sum %v; make them of one type", at(a.v), a.v.Type.DType, t.DType)
		}
	}
	if rest > 1 {
		return "dot.addends", fmt.Sprintf("a product is added to one array, and there are %d; they are added together by what is fused", rest)
	}
	return "", ""
}
