package rewrite

import (
	"math"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// A factor that stands above and below the line of a product goes, wherever it stands: the gradient
// of log(1 - s) has the factor (1 - s)/(1 - s), which is 0/0 where s is 1.
var (
	_ = goRule("local_mul_cancel", groupCanonicalize, cancelFactors, op.Mul, op.TrueDiv).unstable(
		"func(x float64[?], y float64[?])\n\tv1 = mul x y\n\tv2 = true_div v1 y\n\treturn v2", "x = 1, y = 0")
	_ = goRule("local_mul_cancel_terms", groupCanonicalize, cancelInTerms, op.Mul, op.TrueDiv).unstable(
		"func(x float64[?], y float64[?], z float64[?])\n\tv1 = true_div x y\n\tv2 = add v1 z\n\tv3 = mul v2 y\n\treturn v3", "x = 1, y = 0, z = 1")
)

const (
	// maxParts bounds how many operations of a product are looked at, nearest to the node first:
	// the work on each node of a long product is the same.
	maxParts = 24
	// maxTerms bounds the terms of a sum that a factor is multiplied into.
	maxTerms = 8
	// maxPower is the largest power that is looked at as so many factors.
	maxPower = 8
)

// A part is a factor, or an operation that makes a product of parts.
type part struct {
	v       *graph.Variable
	inverse bool   // it stands below the line
	gone    bool   // it is left out
	changed bool   // something of it is
	parts   []part // of an operation; of a power as many as it says, all of the base
}

// A product is what multiplications, divisions, negations and powers make of factors.
type product struct {
	c       *Context
	root    *part
	factors []*part
	minus   bool // of what is left out a sign stays

	all  []part // root first, the parts of each one after the other
	ends []int  // where those of each end
}

// products are memory for the next ones: nearly all are looked at in vain.
var products = sync.Pool{New: func() any { return new(product) }}

// productAt takes v apart, breadth first, so that no side of it hides the other. Who is done with
// it says so to forget.
func (c *Context) productAt(v *graph.Variable) *product {
	p := products.Get().(*product)
	all, ends := append(p.all[:0], part{v: v}), p.ends[:0]
	for n := 0; n < len(all); n++ {
		if n < maxParts {
			all = all[n].split(v, all)
		}
		ends = append(ends, len(all))
	}
	*p = product{c: c, root: &all[0], factors: p.factors[:0], all: all, ends: ends}
	begin := 1
	for n, end := range ends {
		if all[n].parts = all[begin:end]; begin == end {
			p.factors = append(p.factors, &all[n])
		}
		begin = end
	}
	return p
}

// forget gives back p, of which nobody asks any more, without the graph that it is about.
func (p *product) forget() {
	clear(p.all)
	*p = product{factors: p.factors[:0], all: p.all[:0], ends: p.ends[:0]}
	products.Put(p)
}

// split appends the parts of p, which is part of a product root, to all; none if it is a factor.
func (p part) split(root *graph.Variable, all []part) []part {
	v := p.v
	if v.Owner == nil || v.Type.DType != root.Type.DType {
		return all
	}
	in := v.Owner.Inputs
	switch v.Owner.Op {
	case op.Mul:
		return append(all, part{v: in[0], inverse: p.inverse}, part{v: in[1], inverse: p.inverse})
	case op.TrueDiv:
		return append(all, part{v: in[0], inverse: p.inverse}, part{v: in[1], inverse: !p.inverse})
	case op.Neg:
		return append(all, part{v: in[0], inverse: p.inverse})
	case op.Reciprocal:
		return append(all, part{v: in[0], inverse: !p.inverse})
	}
	n := power(v)
	for range abs(n) {
		all = append(all, part{v: in[0], inverse: p.inverse != (n < 0)})
	}
	return all
}

// power is n where v is the n-th power of something, for a small n; 0 if it is none.
func power(v *graph.Variable) int {
	switch v.Op() {
	case op.Sqr:
		return 2
	case op.Pow:
		n, ok := v.Owner.Inputs[1].Scalar()
		if ok && v.Owner.Inputs[0].Type.DType == v.Type.DType && math.Abs(n) <= maxPower && n == math.Trunc(n) {
			return int(n)
		}
	}
	return 0
}

func abs(n int) int { return max(n, -n) }

// divides reports whether something in a product is below a line, by a look that makes nothing.
func divides(v *graph.Variable, room *int) bool {
	if *room--; *room < 0 || v.Owner == nil {
		return false
	}
	in := v.Owner.Inputs
	switch v.Owner.Op {
	case op.TrueDiv, op.Reciprocal:
		return true
	case op.Mul:
		return divides(in[0], room) || divides(in[1], room)
	case op.Neg, op.Sqr:
		return divides(in[0], room)
	}
	return power(v) < 0
}

// A likeness says whether two factors are one, or one and its negative.
type likeness int8

const (
	unlike   likeness = 0
	equal    likeness = 1
	opposite likeness = -1
)

// alike compares factors: x - y is the opposite of y - x, and 1 - sigmoid(x) is sigmoid(-x).
func (c *Context) alike(u, v *graph.Variable) likeness {
	switch {
	case c.identical(u, v, 3):
		return equal
	case u.Op() == graph.Op(op.Sub) && v.Op() == graph.Op(op.Sub):
		if a, b := u.Owner.Inputs, v.Owner.Inputs; c.identical(a[0], b[1], 2) && c.identical(a[1], b[0], 2) {
			return opposite
		}
	case c.complement(u, v) || c.complement(v, u):
		return equal
	}
	return unlike
}

// complement reports whether u is 1 - sigmoid(x) and v is sigmoid(-x), or x is -y and v is
// sigmoid(y).
func (c *Context) complement(u, v *graph.Variable) bool {
	if u.Op() != graph.Op(op.Sub) || v.Op() != graph.Op(op.Sigmoid) || u.Type.DType != v.Type.DType {
		return false
	}
	s := u.Owner.Inputs[1]
	if one, ok := c.scalar(u.Owner.Inputs[0]); !ok || one != 1 || s.Op() != graph.Op(op.Sigmoid) {
		return false
	}
	x, y := s.Owner.Inputs[0], v.Owner.Inputs[0]
	negates := func(x, y *graph.Variable) bool {
		return x.Op() == graph.Op(op.Neg) && c.identical(x.Owner.Inputs[0], y, 2)
	}
	return negates(x, y) || negates(y, x)
}

// identical reports whether u and v are one, as far as a few operations tell: what rules made in
// this round is merged only after it.
func (c *Context) identical(u, v *graph.Variable, depth int) bool {
	if c.same(u, v) {
		return true
	}
	if depth == 0 || u.Owner == nil || v.Owner == nil || u.Owner.Op != v.Owner.Op || u.Index != v.Index || !mergeable(u.Owner.Op) || op.ActsOf(u.Owner.Op) {
		return false
	}
	return slices.EqualFunc(u.Owner.Inputs, v.Owner.Inputs, func(x, y *graph.Variable) bool { return c.identical(x, y, depth-1) })
}

// cancels reports whether a factor may go: of numbers constants take care, and a length may be 0
// for a reason.
func (c *Context) cancels(v *graph.Variable) bool { return !v.IsConstant() && !c.ofLengths(v) }

// cancel leaves out pairs of factors above and below the line, and reports whether there are any.
func (p *product) cancel() bool {
	found := false
	for _, below := range p.factors {
		if !below.inverse || !p.c.cancels(below.v) {
			continue
		}
		for _, above := range p.factors {
			if above.inverse || above.gone {
				continue
			}
			if like := p.c.alike(above.v, below.v); like != unlike {
				above.gone, below.gone, found = true, true, true
				p.minus = p.minus != (like == opposite)
				break
			}
		}
	}
	return found
}

// left is what is left of the product; nil for 1.
func (p *product) left() *graph.Variable {
	v := p.c.left(p.root)
	switch {
	case !p.minus:
		return v
	case v == nil:
		return p.c.Like(p.root.v, -1)
	}
	return p.c.Apply(op.Neg, v)
}

// left is what is left of a part, nil for 1: the same operations of what is left of their operands,
// so that what does not change stays one node, whoever reads it.
func (c *Context) left(p *part) *graph.Variable {
	if p.gone {
		return nil
	}
	kept := make([]*graph.Variable, len(p.parts))
	for i := range p.parts {
		kept[i] = c.left(&p.parts[i])
		p.changed = p.changed || kept[i] != p.parts[i].v
	}
	if !p.changed {
		return p.v
	}
	switch p.v.Owner.Op {
	case op.Mul:
		return c.times(kept[0], kept[1])
	case op.TrueDiv:
		return c.over(kept[0], kept[1])
	case op.Neg:
		if kept[0] == nil {
			return c.Like(p.v, -1)
		}
		return c.Apply(op.Neg, kept[0])
	case op.Reciprocal:
		return c.over(nil, kept[0])
	}
	base, n := p.v.Owner.Inputs[0], 0
	var v *graph.Variable
	for _, u := range kept {
		if u == base {
			n++
		} else {
			v = c.times(v, u)
		}
	}
	switch {
	case n == 1:
		v = c.times(v, base)
	case n > 1:
		v = c.times(v, c.Apply(op.Pow, base, c.Like(base, float64(n))))
	}
	if power(p.v) < 0 {
		return c.over(nil, v)
	}
	return v
}

// times is the product of two, nil for 1.
func (c *Context) times(x, y *graph.Variable) *graph.Variable {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return c.Apply(op.Mul, x, y)
}

func (c *Context) over(x, y *graph.Variable) *graph.Variable {
	switch {
	case y == nil:
		return x
	case x == nil:
		x = c.Like(y, 1)
	}
	return c.Apply(op.TrueDiv, x, y)
}

// timesFactor is t*y, of which y is left out if t is divided by it.
func (c *Context) timesFactor(t, y *graph.Variable) *graph.Variable {
	p := c.productAt(t)
	defer p.forget()
	for _, below := range p.factors {
		like := unlike
		if below.inverse {
			like = c.alike(y, below.v)
		}
		if like == unlike {
			continue
		}
		below.gone, p.minus = true, like == opposite
		if v := p.left(); v != nil {
			return v
		}
		return c.Like(t, 1)
	}
	return c.Apply(op.Mul, t, y)
}

// instead makes v, or 1, take the place of the product at node.
func (p *product) instead(node *graph.Apply, v *graph.Variable) *graph.Variable {
	if v == nil {
		v = p.c.Like(node.Outputs[0], 1)
	}
	operands := make([]*graph.Variable, len(p.factors))
	for i, f := range p.factors {
		operands[i] = f.v
	}
	return p.c.conform(node, v, operands)
}

// cancelFactors: x*y/y => x, and so for any factors of a product above and below the line.
func cancelFactors(c *Context, node *graph.Apply) *graph.Variable {
	v, room := node.Outputs[0], maxParts
	if !v.Type.DType.IsFloat() || !divides(v, &room) {
		return nil
	}
	p := c.productAt(v)
	defer p.forget()
	if !p.cancel() {
		return nil
	}
	return p.instead(node, p.left())
}

// cancelInTerms: (x/y + z)*y => x + z*y, and so for a factor of a product that some term of a sum,
// another factor, is divided by. The gradients of cross entropies are such products.
func cancelInTerms(c *Context, node *graph.Apply) *graph.Variable {
	v := node.Outputs[0]
	if !v.Type.DType.IsFloat() {
		return nil
	}
	if !hasSum(v, new(int)) {
		return nil
	}
	p := c.productAt(v)
	defer p.forget()
	for _, f := range p.factors {
		if f.inverse || !isSum(f.v) || c.uses(f.v) > 1 && !p.stabilizes(f) {
			continue
		}
		var few [maxTerms]signed
		terms := addTerms(few[:0], f.v, 1, f.v.Type.DType)
		into := p.dividing(f, terms)
		if len(into) == 0 {
			continue
		}
		var sum *graph.Variable
		for _, u := range terms {
			t := u.v
			for _, y := range into {
				t = c.timesFactor(t, y.v)
			}
			switch {
			case sum == nil && u.sign < 0:
				sum = c.Apply(op.Neg, t)
			case sum == nil:
				sum = t
			case u.sign < 0:
				sum = c.Apply(op.Sub, sum, t)
			default:
				sum = c.Apply(op.Add, sum, t)
			}
		}
		f.gone = true
		for _, y := range into {
			y.gone = true
		}
		return p.instead(node, c.times(p.left(), sum))
	}
	return nil
}

// hasSum reports whether a factor of a product is a sum, by a look that makes nothing.
func hasSum(v *graph.Variable, seen *int) bool {
	if *seen++; *seen > maxParts || v.Owner == nil {
		return false
	}
	switch v.Owner.Op {
	case op.Add, op.Sub:
		return true
	case op.Mul:
		return hasSum(v.Owner.Inputs[0], seen) || hasSum(v.Owner.Inputs[1], seen)
	case op.TrueDiv, op.Neg:
		return hasSum(v.Owner.Inputs[0], seen)
	}
	return false
}

func isSum(v *graph.Variable) bool {
	return v.Op() == graph.Op(op.Add) || v.Op() == graph.Op(op.Sub)
}

// A signed is a term of a sum.
type signed struct {
	v    *graph.Variable
	sign int
}

// addTerms adds to list the terms of a sum of elements of type d.
func addTerms(list []signed, v *graph.Variable, sign int, d kernels.DType) []signed {
	if v.Type.DType == d && len(list) < maxTerms {
		switch v.Op() {
		case op.Add:
			return addTerms(addTerms(list, v.Owner.Inputs[0], sign, d), v.Owner.Inputs[1], sign, d)
		case op.Sub:
			return addTerms(addTerms(list, v.Owner.Inputs[0], sign, d), v.Owner.Inputs[1], -sign, d)
		case op.Neg:
			return addTerms(list, v.Owner.Inputs[0], -sign, d)
		}
	}
	return append(list, signed{v, sign})
}

// dividing lists the factors of p besides sum that a term is divided by.
func (p *product) dividing(sum *part, terms []signed) (list []*part) {
	for _, t := range terms {
		room := maxTerms
		if !divides(t.v, &room) {
			continue
		}
		q := p.c.productAt(t.v)
		for _, below := range q.factors {
			if !below.inverse || !p.c.cancels(below.v) {
				continue
			}
			i := slices.IndexFunc(p.factors, func(f *part) bool {
				return f != sum && !f.inverse && !slices.Contains(list, f) && p.c.alike(f.v, below.v) != unlike
			})
			if i >= 0 {
				list = append(list, p.factors[i])
			}
		}
		q.forget()
	}
	return list
}

// stabilizes reports whether other factors than sum are of functions that are 0 where their
// operands are far from 0, so that what is divided by them is better computed twice than by them.
func (p *product) stabilizes(sum *part) bool {
	return slices.ContainsFunc(p.factors, func(f *part) bool {
		switch f.v.Op() {
		case op.Sigmoid, graph.Op(op.Softmax{}):
			return f != sum
		}
		return false
	})
}
