package rewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// Blas makes one op.Gemm of a product and what scales it or is added to it: W - lr*dot(x.T, d),
// dot(x, W) + b, dot(x, U) + dot(h, V). The sums and products by numbers around it are then done
// while the product is written. It counts them in p.Changes.
//
// Outer products stay elementwise: fused with what else reads them they are one pass over memory.
//
// A sum is looked at as a whole, from its root: as terms with a factor each. Sums, differences and
// products by numbers that are read elsewhere too are terms, as is what has another shape.
func Blas(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	order := fg.Toposort()
	if !slices.ContainsFunc(order, func(node *graph.Apply) bool { return node.Op == graph.Op(op.Dot{}) }) {
		return fg, nil
	}
	clients := fg.Clients()
	sums := make(map[*graph.Apply]*linear)
	inner := make(map[*graph.Apply]bool) // part of a sum that became one
	known := make(outlooks)
	for _, node := range order {
		if isLinear(node) {
			known.add(node, clients)
		}
	}
	for _, node := range slices.Backward(order) {
		if err := p.interrupted(); err != nil {
			return nil, err
		}
		if inner[node] || !known[node].promises() {
			continue
		}
		s := &linear{root: node, clients: clients}
		s.add(node.Outputs[0], factor{number: 1})
		if s.worthwhile() {
			sums[node] = s
			for _, n := range s.nodes {
				inner[n] = true
			}
		}
	}
	for _, node := range order {
		if !inner[node] {
			declineProduct(p, node, clients)
		}
	}
	if len(sums) == 0 {
		return fg, nil
	}
	subst := make(map[*graph.Variable]*graph.Variable)
	return p.transform(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		for i, v := range node.Inputs {
			subst[v] = in[i]
		}
		s := sums[node]
		if s == nil {
			return remake(node, node.Op, in)
		}
		n, v, err := s.build(subst)
		if err != nil || !fits(node.Outputs[0].Type, v.Type) {
			return remake(node, node.Op, in) // what is known of the shapes now is not what the types said
		}
		p.Changes += n
		return []*graph.Variable{v}, nil
	})
}

// Factors are multiplied out, so that the pass is tagged unstable: the example of what that may
// change.
const (
	blasExample = "func(k float64[1], c float64[?], a float64[?,?], b float64[?])\n\tv1 = dot a b\n\tv2 = add c v1\n\tv3 = mul k v2\n\treturn v3"
	blasDiffers = "k = 1e300, c = 1e10, a = -1e10, b = 1"
)

// isLinear reports whether node may be the root of a sum that has a product in it.
func isLinear(node *graph.Apply) bool {
	switch node.Op {
	case op.Add, op.Sub, op.Neg, op.Mul, op.TrueDiv:
		t := node.Outputs[0].Type
		return t.DType.IsFloat() && (t.Rank() == 1 || t.Rank() == 2)
	}
	return false
}

// A linear is a sum of terms: what root computes.
type linear struct {
	root    *graph.Apply
	clients *graph.Clients
	nodes   []*graph.Apply // what becomes part of the sum, root included, and the products
	addends []*addend
	at      map[*graph.Variable]*addend
	rest    int // how many addends are no products. With a second there will be no product made, and the others are not looked for
}

// An addend is a variable times the sum of some factors.
type addend struct {
	v       *graph.Variable
	factors []factor
	product bool // v is a Dot that nobody else reads
}

// A factor is a number times variables of one element each, divided by others.
type factor struct {
	number     float64
	times, per []*graph.Variable
}

func (f factor) isNumber() bool { return len(f.times)+len(f.per) == 0 }

// scaled is f times v, or divided by v.
func (f factor) scaled(v *graph.Variable, per bool) factor {
	c, ok := v.Scalar()
	switch {
	case ok && per:
		f.number /= c
	case ok:
		f.number *= c
	case per:
		f.per = append(slices.Clip(f.per), v)
	default:
		f.times = append(slices.Clip(f.times), v)
	}
	return f
}

// add adds f*v.
func (s *linear) add(v *graph.Variable, f factor) {
	if s.rest > 1 {
		return
	}
	if v == s.root.Outputs[0] || s.isInner(v) {
		in := v.Owner.Inputs
		minus := f
		minus.number = -f.number
		s.nodes = append(s.nodes, v.Owner)
		switch o := v.Owner.Op; {
		case o == op.Add:
			s.add(in[0], f)
			s.add(in[1], f)
			return
		case o == op.Sub:
			s.add(in[0], f)
			s.add(in[1], minus)
			return
		case o == op.Neg:
			s.add(in[0], minus)
			return
		case o == op.Mul && isSingle(in[0].Type):
			if g := f.scaled(in[0], false); s.admits(f, g, in[1]) {
				s.add(in[1], g)
				return
			}
		case (o == op.Mul || o == op.TrueDiv) && isSingle(in[1].Type):
			if g := f.scaled(in[1], o == op.TrueDiv); s.admits(f, g, in[0]) {
				s.add(in[0], g)
				return
			}
		}
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	if a := s.at[v]; a != nil {
		a.factors = append(a.factors, f)
		return
	}
	a := &addend{v: v, factors: []factor{f}, product: s.isProduct(v)}
	if a.product {
		s.nodes = append(s.nodes, v.Owner)
	} else {
		s.rest++
	}
	if s.at == nil {
		s.at = make(map[*graph.Variable]*addend)
	}
	s.addends, s.at[v] = append(s.addends, a), a
}

// admits reports whether v may be multiplied by g, which is f and one factor more, instead of one
// after the other: numbers are gathered, and multiplied out of sums, while nothing over- or
// underflows by it. A single number of a product may be any.
func (s *linear) admits(f, g factor, v *graph.Variable) bool {
	if g.number == f.number || math.Abs(f.number) == 1 && s.isProduct(v) {
		return true
	}
	return isModerate(s.root.Outputs[0].Type.DType, g.number)
}

// An outlook is what can be said of the sum that has its root at a node before it is looked at as a
// whole, which takes a walk over all of it. Of a long sum each partial sum is a node.
type outlook struct {
	products bool            // there are some
	rest     *graph.Variable // the addend that is no product
	many     bool            // there are several, or one that a product is not added to
}

func (o outlook) promises() bool { return o.products && !o.many }

// outlooks are those of the linear nodes met so far, inputs first.
type outlooks map[*graph.Apply]outlook

func (known outlooks) add(node *graph.Apply, clients *graph.Clients) {
	s := &linear{root: node, clients: clients}
	var o outlook
	for _, v := range addends(node) {
		switch below, summed := known[v.Owner]; {
		case summed && s.isInner(v) && len(addends(v.Owner)) > 0:
			o.products = o.products || below.products
			o.many = o.many || below.many || below.rest != nil && o.rest != nil && below.rest != o.rest
			o.rest = cmp.Or(o.rest, below.rest)
		case s.isProduct(v):
			o.products = true
		default:
			o.many = o.many || o.rest != nil && o.rest != v || s.refuses(v)
			o.rest = v
		}
	}
	known[node] = o
}

// addends are the operands of a linear node that it adds up, none of one that multiplies arrays.
func addends(node *graph.Apply) []*graph.Variable {
	in := node.Inputs
	switch o := node.Op; {
	case o == op.Mul && isSingle(in[0].Type):
		return in[1:]
	case (o == op.Mul || o == op.TrueDiv) && isSingle(in[1].Type):
		return in[:1]
	case o == op.Mul || o == op.TrueDiv:
		return nil
	}
	return in
}

// isInner reports whether v is a sum or a multiple that only this sum reads.
func (s *linear) isInner(v *graph.Variable) bool {
	return v.Owner != nil && isLinear(v.Owner) && s.owns(v)
}

// owns reports whether v is of the sum's type and read by it alone.
func (s *linear) owns(v *graph.Variable) bool {
	t := s.root.Outputs[0].Type
	return len(s.clients.Get(v)) == 1 && v.Type.DType == t.DType && samePattern(v.Type, t)
}

func (s *linear) isProduct(v *graph.Variable) bool {
	if v.Op() != graph.Op(op.Dot{}) || !s.owns(v) {
		return false
	}
	in := v.Owner.Inputs
	return in[0].Type.DType == v.Type.DType && in[1].Type.DType == v.Type.DType
}

// refuses reports whether no product is added to v, an addend: if it is computed elementwise for
// this sum alone, it is computed together with the sum when they are fused; before the product it
// would need memory of its own.
func (s *linear) refuses(v *graph.Variable) bool {
	_, elementwise := v.Op().(op.Elemwise)
	return elementwise && s.owns(v) || v.Type.DType != s.root.Outputs[0].Type.DType
}

// worthwhile: there are products and at most one other addend, to which products are added. A
// factor of 0 would lose nan.
func (s *linear) worthwhile() bool {
	if s.rest > 1 {
		return false
	}
	for _, a := range s.addends {
		if !a.product && s.refuses(a.v) {
			return false
		}
		if n, ok := a.number(); ok && n == 0 {
			return false
		}
	}
	return len(s.addends) > s.rest && (len(s.addends) > 1 || s.first() < 0)
}

// number adds up factors that are numbers.
func (a *addend) number() (sum float64, ok bool) {
	for _, f := range a.factors {
		if !f.isNumber() {
			return 0, false
		}
		sum += f.number
	}
	return sum, true
}

// build makes the products, each on top of the one before, and counts them. subst maps what the old
// nodes read.
func (s *linear) build(subst map[*graph.Variable]*graph.Variable) (count int, v *graph.Variable, err error) {
	defer graph.Catch(&err)
	old := s.root.Outputs[0]
	d, rank := old.Type.DType, old.Type.Rank()
	b := &graph.Builder{Origin: s.root.Origin()}
	first := s.first()
	var beta *graph.Variable
	if first < 0 {
		v, beta = b.Like(old, 0), b.Number(d, 0) // what is multiplied by 0 is not read
	} else {
		a := s.addends[first]
		v, beta = subst[a.v], a.build(b, d, subst)
	}
	for i, a := range s.addends {
		if i == first {
			continue
		}
		in := a.v.Owner.Inputs
		at := &graph.Builder{Origin: s.origin(a.v.Owner)}
		v = at.Apply(op.Gemm{Vector: rank == 1}, v, a.build(b, d, subst), subst[in[0]], subst[in[1]], beta)
		beta = b.Number(d, 1)
		count++
	}
	v.Name = old.Name
	return count, v, nil
}

// origin is that of a product with what is done with it. Where there are several products, each has
// its part of the sum.
func (s *linear) origin(product *graph.Apply) *graph.Origin {
	products := 0
	for i, a := range s.addends {
		if a.product && i != s.first() {
			products++
		}
	}
	inner := make(map[*graph.Variable]bool)
	for _, n := range s.nodes {
		inner[n.Outputs[0]] = true
	}
	moves := func(v *graph.Variable) bool { return !inner[v] || v.Owner == s.root }
	var w whole
	for _, n := range s.nodes {
		switch {
		case n == product:
			w.add(n.Origin(), n.Op.Name(), work(n, moves))
		case n.Op != graph.Op(op.Dot{}):
			w.add(n.Origin(), n.Op.Name(), kernels.Costs{}.Plus(1/float64(products), work(n, moves)))
		}
	}
	return w.origin(s.root.Origin())
}

// first is what the products are added to: the addend that is no product, or a product as it is; -1
// if there is neither.
func (s *linear) first() int {
	if i := slices.IndexFunc(s.addends, func(a *addend) bool { return !a.product }); i >= 0 {
		return i
	}
	return slices.IndexFunc(s.addends, func(a *addend) bool { n, ok := a.number(); return ok && n == 1 })
}

// build makes the sum of the factors, as a number of type d.
func (a *addend) build(b *graph.Builder, d kernels.DType, subst map[*graph.Variable]*graph.Variable) *graph.Variable {
	var sum *graph.Variable
	number := 0.0
	for _, f := range a.factors {
		if f.isNumber() {
			number += f.number
			continue
		}
		v := f.build(b, d, subst)
		if sum != nil {
			v = b.Apply(op.Add, sum, v)
		}
		sum = v
	}
	switch {
	case sum == nil:
		return b.Number(d, number)
	case number != 0:
		return b.Apply(op.Add, b.Number(d, number), sum)
	}
	return sum
}

func (f factor) build(b *graph.Builder, d kernels.DType, subst map[*graph.Variable]*graph.Variable) *graph.Variable {
	var v *graph.Variable
	if f.number != 1 || len(f.times) == 0 {
		v = b.Number(d, f.number)
	}
	for _, s := range f.times {
		if w := single(b, s, d, subst); v == nil {
			v = w
		} else {
			v = b.Apply(op.Mul, v, w)
		}
	}
	for _, s := range f.per {
		v = b.Apply(op.TrueDiv, v, single(b, s, d, subst))
	}
	return v
}

// single is what v holds, without axes.
func single(b *graph.Builder, v *graph.Variable, d kernels.DType, subst map[*graph.Variable]*graph.Variable) *graph.Variable {
	var w *graph.Variable
	if _, shuffled := v.Op().(op.DimShuffle); shuffled && v.Owner.Inputs[0].Type.Rank() == 0 {
		w = subst[v.Owner.Inputs[0]]
	} else {
		w = b.Apply(op.NewDimShuffle(nil), subst[v])
	}
	if w.Type.DType != d {
		w = b.Apply(op.Cast(d), w)
	}
	return w
}

// InplaceBlas lets each op.Gemm write over what it adds to, as Inplace does for elementwise
// operations.
func InplaceBlas(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	clients := fg.Clients()
	return p.again(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o := node.Op
		if g, ok := o.(op.Gemm); ok && !g.Inplace {
			code, why := keeps(node, 0, 0, clients)
			switch {
			case code == "":
				g.Inplace = true
				o = g
				p.Changes++
			case samePattern(node.Inputs[0].Type, node.Outputs[0].Type): // a bias is smaller
				p.decline(history.Declined{Code: code, Rule: "InplaceBlasOpt"}, node,
					func() string { return "takes memory of its own: " + why() })
			}
		}
		return remake(node, o, in)
	})
}
