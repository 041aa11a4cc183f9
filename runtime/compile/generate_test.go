package compile_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A generator makes random graphs whose results do not depend on rounding beyond a tolerance. It
// computes each value as it goes: what is large, infinite or close to the edge of an operation's
// domain is thrown away. Operations with jumps take only exact operands: those that every correct
// rewriting computes to the last bit.
type generator struct {
	choose func(n int) int // the next choice, in [0, n)
	b      *graph.Builder
	pool   []*entry
	smooth bool // only operations with continuous derivatives
	nans   bool // nan may come up
	rough  bool // what depends on rounding may come up: the results are compared by their spread
	any    bool // every value may come up: nan, inf, what overflows
	wild   bool // so may inf, zeros of both signs, and what overflows or underflows
	faults bool // operations that fail may come up
	failed []*entry
	limit  int // elements that a value may have
	rows   int // the lengths behind unknown axes
	cols   int
}

// An entry is a variable with the value that the reference computes.
type entry struct {
	v     *graph.Variable
	value *tensor.Dense // nil if computing it fails
	exact bool
}

// A problem is a generated graph with what a call of it takes.
type problem struct {
	spec compile.Spec
	args []*tensor.Dense
	wild bool
}

func newGenerator(choose func(n int) int) *generator {
	g := &generator{choose: choose, b: &graph.Builder{}, limit: maxElements}
	size := [][2]int{{3, 4}, {3, 4}, {2, 5}, {1, 1}, {17, 33}, {4, 1}, {0, 3}}[choose(7)]
	g.rows, g.cols = size[0], size[1]
	return g
}

// inputs adds a free variable of each kind.
func (g *generator) inputs() (vars []*graph.Variable, args []*tensor.Dense) {
	r := rand.New(rand.NewPCG(uint64(g.choose(1<<16)), 9))
	kinds := []string{"float64[?,?]", fmt.Sprintf("float64[%d,%d]", g.rows, g.cols), "float64[1,?]", "float64[?,1]", "float64[?]",
		"float64"}
	if !g.smooth {
		kinds = append(kinds, "float32[?,?]", "float32[1,?]", "int64[?,?]", "int64[?]", "bool[?,?]", "uint8[?,?]")
	}
	for i, kind := range kinds {
		t, err := graph.ParseType(kind)
		if err != nil {
			panic(err)
		}
		v := graph.NewInput(fmt.Sprintf("x%d", i), t, nil)
		a := g.sample(r, t)
		vars, args = append(vars, v), append(args, a)
		g.pool = append(g.pool, &entry{v, a, true})
	}
	return vars, args
}

func (g *generator) sample(r *rand.Rand, t graph.Type) *tensor.Dense {
	dims := t.Dims()
	for axis := range dims {
		if dims[axis] == graph.Unknown {
			dims[axis] = []int{g.rows, g.cols}[axis+2-len(dims)]
		}
	}
	values := make([]float64, tensor.Size(dims))
	for i := range values {
		values[i] = 4*r.Float64() - 2
		switch {
		case t.DType.IsBool():
			values[i] = float64(r.IntN(2))
		case t.DType.IsInteger():
			values[i] = float64(r.IntN(11) - 5)
		case g.wild && r.IntN(4) == 0:
			values[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e300, -1e300, 1e-300, 800, -800}[r.IntN(10)]
		case g.nans && r.IntN(8) == 0:
			values[i] = []float64{math.NaN(), 0, 1, -1}[r.IntN(4)]
		}
	}
	a := tensor.From(values, dims...).AsType(t.DType)
	if g.any {
		a = g.odd(r, a)
	}
	return a
}

// pick prefers recent entries, so that graphs get deep.
func (g *generator) pick() *entry {
	n := len(g.pool)
	if g.choose(8) == 0 {
		return g.constant(kernels.Float64)
	}
	return g.pool[n-1-min(g.choose(n), g.choose(n))]
}

func (g *generator) constant(d kernels.DType) *entry {
	v := g.b.Number(d, []float64{0, 1, -1, 2, 0.5, 3}[g.choose(6)])
	return &entry{v, v.Data, true}
}

// grow adds nodes entries.
func (g *generator) grow(nodes int) {
	for tries := 0; nodes > 0 && tries < 1000; tries++ {
		if g.step() {
			nodes--
		}
	}
}

// drawn are the elementwise operations by smoothness and number of operands. The arithmetic that
// rewriting is most about is in its lists several times.
var drawn = func() (lists [op.Discontinuous + 1][kernels.MaxArgs + 1][]op.Elemwise) {
	for e := range op.Rows {
		list := &lists[e.Row().Smoothness][e.Arity()]
		*list = append(*list, e)
	}
	common := &lists[op.Smooth][2]
	for range 3 {
		*common = append(*common, op.Add, op.Sub, op.Mul, op.TrueDiv, op.Second)
	}
	return lists
}()

// elemwise adds an elementwise operation that is so smooth.
func (g *generator) elemwise(s op.Smoothness, arity int, x *entry) bool {
	in := []*entry{x}
	for len(in) < arity {
		in = append(in, g.pick())
	}
	if len(g.failed) > 0 && g.choose(3) == 0 {
		in[g.choose(arity)] = one(g, g.failed)
	}
	e := one(g, drawn[s][arity])
	if g.smooth { // there is no gradient with respect to orders
		for i := range e.Row().Orders {
			in[i] = &entry{g.b.Constant(in[i].value), in[i].value, true}
		}
	}
	return g.apply(e, in...)
}

func one[T any](g *generator, list []T) T { return list[g.choose(len(list))] }

// step tries to add one node and reports whether it did.
func (g *generator) step() bool {
	x := g.pick()
	switch kind := g.choose(21); {
	case kind < 4:
		return g.elemwise(op.Smooth, 1, x)
	case kind < 9 || kind < 12 && g.smooth:
		if g.choose(40) == 0 {
			return g.elemwise(op.Smooth, 3+g.choose(2), x)
		}
		return g.elemwise(op.Smooth, 2, x)
	case kind == 9:
		return g.elemwise(op.Kinked, 1, x)
	case kind == 10:
		return g.elemwise(op.Kinked, 2+g.choose(2), x)
	case kind == 11:
		return g.elemwise(op.Discontinuous, 1+g.choose(2), x)
	default:
		return g.structural(x)
	}
}

// apply adds a node if its operands fit and its value will do.
func (g *generator) apply(o graph.Op, in ...*entry) bool {
	vars := make([]*graph.Variable, len(in))
	values := make(map[*graph.Variable]*tensor.Dense)
	exact, fails := true, false
	for i, e := range in {
		vars[i], values[e.v] = e.v, e.value
		exact, fails = exact && e.exact, fails || e.value == nil
	}
	if !fails && !g.inDomain(o, in, exact) {
		return false
	}
	out, err := g.b.Make(o, vars...)
	if err != nil {
		return false
	}
	if fails {
		g.failed = append(g.failed, &entry{v: out[0]})
		return false
	}
	var made []*entry
	for _, v := range out {
		value, err := compute(v, values)
		if err != nil && g.faults {
			g.failed = append(g.failed, &entry{v: out[0]})
			return false
		}
		if err != nil || !g.acceptable(value) || solves(o) && !finite(value) {
			return false
		}
		made = append(made, &entry{v, value, exact && (!value.DType().IsFloat() || keepsBits(o))})
	}
	g.pool = append(g.pool, made...)
	return true
}

// inDomain keeps operands with rounding errors away from where an operation jumps or is steep.
func (g *generator) inDomain(o graph.Op, in []*entry, exact bool) bool {
	if s, ok := o.(op.Structural); ok {
		if _, ok := o.(op.ARange); g.rough && !ok {
			return !g.any || ordered(s, in)
		}
		return structuralDomain(s, in, exact)
	}
	e := o.(op.Elemwise)
	row := e.Row()
	switch {
	case in[0].value.Size() == 0 && row.Domain != nil:
		// sum(c * x) of no elements is 0, and nan where a rewriting takes c = 0 / 0 out of the sum.
		return false
	case exact || g.rough:
		return true
	case row.Smoothness == op.Discontinuous || e.Kernel().Mask && !in[0].exact:
		return false
	}
	for i, x := range in {
		domain := e.DomainOf(i)
		if x.value.DType().IsFloat() && slices.ContainsFunc(x.value.Floats(), func(v float64) bool { return v == v && !domain.Has(v) }) {
			return false
		}
	}
	return true
}

// keepsBits reports whether floats that o gives are exact if its operands are: it moves, compares
// or chooses.
func keepsBits(o graph.Op) bool {
	switch o := o.(type) {
	case op.Elemwise:
		return o.Row().Laws&op.Unrounded != 0
	case op.Structural:
		return o.Traits().Has(op.Moves)
	}
	return false
}

// acceptable refuses arrays that are large, floats that are infinite or large, and nan unless it is
// wanted.
func (g *generator) acceptable(a *tensor.Dense) bool {
	if a.Size() > g.limit || a.Rank() > 4 {
		return false
	}
	if !a.DType().IsFloat() || g.any {
		return true
	}
	for _, v := range a.Floats() {
		if !g.wild && (v != v && !g.nans || math.Abs(v) > 1e3) {
			return false
		}
	}
	return true
}

// compute evaluates what lies between v and the given values, with the reference kernels and new
// memory for every result.
func compute(v *graph.Variable, values map[*graph.Variable]*tensor.Dense) (*tensor.Dense, error) {
	if a, ok := values[v]; ok {
		return a, nil
	}
	if v.Data != nil {
		return v.Data, nil
	}
	in, out := make([]*tensor.Dense, len(v.Owner.Inputs)), make([]*tensor.Dense, len(v.Owner.Outputs))
	for i, u := range v.Owner.Inputs {
		var err error
		if in[i], err = compute(u, values); err != nil {
			return nil, err
		}
	}
	thunk, _, err := v.Owner.Op.(op.Linker).Link(v.Owner, kernels.Sets{kernels.GoSet})
	if err != nil {
		return nil, err
	}
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.New(d, shape...) }}
	if err := thunk(call, in, out); err != nil {
		return nil, err
	}
	for i, u := range v.Owner.Outputs {
		values[u] = out[i]
	}
	return out[v.Index], nil
}
