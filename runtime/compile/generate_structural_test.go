package compile_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxElements bounds what a generated graph computes: operations that repeat would make it grow.
const maxElements = 1 << 12

// structuralCases are the structural operations that graphs are made of before they are rewritten,
// with their cases. Of operations that programs define there is nothing to find: no rewrite knows
// them.
var structuralCases = sync.OnceValue(func() [][]optest.Case {
	var all [][]optest.Case
	for _, o := range op.Structurals() {
		if _, foreign := o.(op.Foreign); !foreign && !o.Traits().Has(op.Late) {
			all = append(all, optest.Cases(o))
		}
	}
	return all
})

// structural adds a node of a structural operation: one of a case, or one of those that a case
// cannot describe.
func (g *generator) structural(x *entry) bool {
	switch g.choose(9) {
	case 0:
		return g.reduce(x)
	case 1:
		return g.linear(x)
	case 2:
		return g.subscript(x)
	case 3:
		return g.shaped(x)
	}
	c := one(g, one(g, structuralCases()))
	if g.smooth && c.Op.Traits()&(op.Kinks|op.Jumps|op.Bends) != 0 {
		return false
	}
	in := make([]*entry, len(c.In))
	for i, o := range c.In {
		switch {
		case o.Value == nil:
			if in[i] = g.ranked(o.Type.Rank()); o.Type.Rank() > 2 && in[i].v.Type.Rank() != o.Type.Rank() { // of images there are few
				a := o.Sample(rand.New(rand.NewPCG(uint64(g.choose(1<<16)), 11)), o.Type.Dims()...)
				in[i] = &entry{g.b.Constant(a), a, false}
			}
		case o.Type == graph.TypeOf(kernels.Int64):
			in[i] = g.integer(o.Value.Ints()[0])
		default:
			in[i] = &entry{g.b.Constant(o.Value), o.Value, true}
		}
	}
	return g.apply(c.Op, in...)
}

// ranked prefers entries of so many dimensions.
func (g *generator) ranked(rank int) *entry {
	e := g.pick()
	for range 4 {
		if e.v.Type.Rank() == rank {
			break
		}
		e = g.pick()
	}
	return e
}

// structuralDomain keeps operands with rounding errors away from where positions and lengths jump,
// and vectors short.
func structuralDomain(o op.Structural, in []*entry, exact bool) bool {
	if _, ok := o.(op.ARange); ok {
		if len(in) != 3 || in[0].value.Size()*in[1].value.Size()*in[2].value.Size() == 0 {
			return false
		}
		start, stop, step := in[0].value.Floats()[0], in[1].value.Floats()[0], in[2].value.Floats()[0]
		return exact && math.Abs(stop-start) < maxElements*math.Abs(step)
	}
	return exact || !o.Traits().Has(op.Jumps)
}

// solves reports whether o is one of linear algebra: the order in which elements are eliminated
// decides which overflow or become nan.
func solves(o graph.Op) bool {
	s, ok := o.(op.Structural)
	return ok && strings.Contains(s.Class(), "linalg")
}

func finite(a *tensor.Dense) bool {
	return !a.DType().IsFloat() || !slices.ContainsFunc(a.Floats(), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// ordered reports whether the order in which o combines elements cannot decide between a number and
// inf or 0: there is none that is so large or so small.
func ordered(o op.Structural, in []*entry) bool {
	if o.Traits().Has(op.Moves) {
		return true
	}
	product := strings.Contains(o.Name(), "prod")
	for _, x := range in {
		if !x.value.DType().IsFloat() {
			continue
		}
		if solves(o) && !finite(x.value) {
			return false
		}
		large, small, digits := 1e100, 1e-100, 300.0
		if x.value.DType() == kernels.Float32 {
			large, small, digits = 1e12, 1e-12, 35
		}
		if product {
			for _, v := range x.value.Floats() {
				if size := math.Abs(math.Log10(math.Abs(v))); !math.IsInf(size, 0) && !math.IsNaN(size) {
					digits -= size
				}
			}
			if digits < 0 {
				return false
			}
		}
		if slices.ContainsFunc(x.value.Floats(), func(v float64) bool {
			return math.Abs(v) > large && !math.IsInf(v, 0) || math.Abs(v) < small && v != 0
		}) {
			return false
		}
	}
	return true
}

// integer is the number n, a constant or not.
func (g *generator) integer(n int64) *entry {
	c := g.b.Constant(tensor.IntScalar(kernels.Int64, n))
	if g.choose(2) == 0 {
		return &entry{c, c.Data, true}
	}
	length := g.b.Apply(op.ShapeI{Axis: 0}, g.pool[0].v) // which is rows
	v := g.b.Apply(op.Sub, length, g.b.Constant(tensor.IntScalar(kernels.Int64, int64(g.rows)-n)))
	return &entry{v, c.Data, true}
}

// index makes a subscript that is in bounds of n, where it can be.
func (g *generator) index(n int) *entry { return g.integer(int64(g.choose(max(n, 1)))) }

// linear adds a product, and sums and multiples of it.
func (g *generator) linear(x *entry) bool {
	n := len(g.pool)
	if x.v.Type.Rank() != 2 || !g.apply(op.NewDimShuffle([]int{1, 0}), g.pick()) {
		return false
	}
	y := g.pool[n]
	if g.choose(3) == 0 {
		x, y = y, x
	}
	if !g.apply(op.Dot{}, x, y) {
		return false
	}
	for range 1 + g.choose(4) {
		p := g.pool[len(g.pool)-1]
		switch g.choose(5) {
		case 0:
			g.apply(op.Mul, one(g, []*entry{g.constant(kernels.Float64), g.pick()}), p)
		case 1:
			g.apply(op.Neg, p)
		case 2:
			g.apply(op.Dot{}, p, g.pick())
		default:
			g.apply(one(g, []op.Elemwise{op.Add, op.Sub}), g.pick(), p)
		}
	}
	return true
}

// reduce adds a reduction, perhaps with the axes kept.
func (g *generator) reduce(x *entry) bool {
	rank := x.v.Type.Rank()
	axes := optest.AxesOf(2)[g.choose(4)].Within(tensor.AllAxes(rank))
	n := len(g.pool)
	if !g.smooth && g.choose(4) == 0 && rank > 0 {
		return g.apply(op.Argmax{Axis: g.choose(rank), Min: g.choose(2) == 0}, x)
	}
	kind := op.Sum
	if !g.smooth {
		kind = one(g, []op.Reduction{op.Sum, op.Sum, op.Max, op.Min, op.Prod})
	}
	if !g.apply(op.Reduce{Kind: kind, Axes: axes}, x) {
		return false
	}
	if g.choose(2) == 0 { // with the axes kept
		g.apply(op.NewDimShuffle(op.Restore(axes, rank)), g.pool[n])
	}
	return true
}

// subscript adds a part of x, or x with a part changed.
func (g *generator) subscript(x *entry) bool {
	n := g.rows
	if x.v.Type.Rank() > 0 {
		n = x.value.Dim(0)
	}
	switch g.choose(4) {
	case 0:
		return g.apply(op.Subtensor{Index: "i"}, x, g.index(n))
	case 1:
		return g.apply(op.Subtensor{Index: "i: ::-1"}, x, g.index(n))
	case 2:
		index := one(g, []op.Subscripts{"0", "::2", ":-1", "-1"})
		part := len(g.pool)
		if !g.apply(op.Subtensor{Index: index}, x) {
			return false
		}
		y := g.pool[part]
		if g.choose(2) == 0 {
			y = g.constant(x.v.Type.DType)
		}
		return g.apply(op.IncSubtensor{Index: index, Set: g.choose(2) == 0}, x, y)
	}
	return g.apply(op.Subtensor{Index: one(g, []op.Subscripts{":", "0", "1:", "-1", "::-1", "::2", ": 0", ": 1:", "0:1", "5:"})}, x)
}

// shaped adds what takes the lengths of x: an array broadcast to them, x reshaped, or x with its
// shape known.
func (g *generator) shaped(x *entry) bool {
	lengths := op.Lengths(g.b, x.v)
	number := func(axis int) *entry {
		return &entry{lengths[axis], tensor.IntScalar(kernels.Int64, int64(x.value.Dim(axis))), true}
	}
	switch {
	case g.choose(3) == 0:
		return g.apply(op.SpecifyShape{Dims: op.DimsOf(graph.TypeOfValue(x.value))}, x)
	case len(lengths) != 2:
		shape := g.b.Constant(tensor.From([]int64{-1}, 1))
		return g.apply(op.Reshape{Rank: 1}, x, &entry{shape, shape.Data, true})
	case g.choose(2) == 0:
		return g.apply(op.Alloc{}, g.pick(), number(0), number(1))
	}
	shape := g.b.Apply(op.MakeVector{}, lengths[1], lengths[0])
	return g.apply(op.Reshape{Rank: 2}, x,
		&entry{shape, tensor.From([]int64{int64(x.value.Dim(1)), int64(x.value.Dim(0))}, 2), true})
}

// TestGeneratorDraws: every operation comes up in random graphs, or nothing would be known of how
// it is rewritten.
func TestGeneratorDraws(t *testing.T) {
	met := make(map[string]int)
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := newGenerator(r.IntN)
		g.inputs()
		g.grow(20)
		for _, e := range g.pool {
			if e.v.Owner != nil {
				met[graph.BaseName(e.v.Op())]++
			}
		}
	}
	want := func(o graph.Op) {
		t.Run(graph.BaseName(o), func(t *testing.T) {
			if met[graph.BaseName(o)] == 0 {
				t.Error("never came up")
			}
		})
	}
	for e := range op.Rows {
		want(e)
	}
	for _, list := range structuralCases() {
		want(list[0].Op)
	}
}
