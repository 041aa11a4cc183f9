package compile_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A family of random graphs is what their values may be, which decides what can be compared.
type family int

const (
	moderate family = iota // numbers of moderate size
	special                // nan, inf, signed zeros, huge and subnormal floats, the ends of integer types
	failing                // some operations do not fit their operands
	gradient               // a smooth scalar and its gradients
	families
)

func (f family) String() string {
	return [families]string{"moderate", "special", "failing", "gradient"}[f]
}

// manyProblem makes the random graph of a seed.
func manyProblem(seed uint64) (p problem, f family) {
	choose := byChance(seed)
	f = []family{moderate, moderate, moderate, moderate, moderate, special, special, special, failing, gradient}[choose(10)]
	g := newGenerator(choose)
	nodes := 5 + choose(56)
	if choose(40) == 0 { // enough elements for several threads
		g.rows, g.cols, g.limit = 301, 257, 1<<17
		nodes = 5 + choose(10)
	}
	g.rough, g.any, g.faults, g.smooth = f != gradient, f == special, f == failing, f == gradient
	vars, args := g.arguments()
	shared := g.shared(args)
	first := len(g.pool)
	p = problem{spec: compile.Spec{Inputs: vars, Check: true, KeepAll: choose(8) == 0}, args: args}
	if f == gradient {
		g.grow(min(nodes, 20))
		cost, grads := g.gradients(vars)
		p.spec.Outputs = append([]*graph.Variable{cost}, grads...)
		return p, f
	}
	g.grow(nodes)
	recent := func() *graph.Variable { return g.pool[len(g.pool)-1-choose(min(6, len(g.pool)))].v }
	for range 1 + choose(4) {
		p.spec.Outputs = append(p.spec.Outputs, recent())
	}
	if choose(2) == 0 { // what nothing else needs
		used := make(map[*graph.Variable]bool)
		for _, e := range g.pool[first:] {
			if e.v.Owner != nil {
				for _, u := range e.v.Owner.Inputs {
					used[u] = true
				}
			}
		}
		for _, e := range slices.Backward(g.pool[first:]) {
			if !used[e.v] && len(p.spec.Outputs) < 12 {
				p.spec.Outputs = append(p.spec.Outputs, e.v)
			}
		}
	}
	if len(g.failed) > 0 {
		p.spec.Outputs = append(p.spec.Outputs, g.failed[len(g.failed)-1].v)
	}
	if choose(4) == 0 { // a root, perhaps twice
		v := g.pool[choose(first)].v
		p.spec.Outputs = append(p.spec.Outputs, v, one(g, p.spec.Outputs))
	}
	for _, w := range shared {
		if choose(4) == 0 {
			continue
		}
		from := choose(len(g.pool))
		for i := range g.pool {
			e := g.pool[(from+i)%len(g.pool)]
			if e.v != w && w.Type.Accepts(e.v.Type) {
				p.spec.Updates = append(p.spec.Updates, graph.Update{Shared: w, Value: e.v})
				break
			}
		}
	}
	return p, f
}

// arguments adds a free variable of each kind, some of other element types, and gives them values
// that lie in memory in all ways, some in that of another.
func (g *generator) arguments() (vars []*graph.Variable, args []*tensor.Dense) {
	r := rand.New(rand.NewPCG(uint64(g.choose(1<<16)), 9))
	kinds := []string{"float64[?,?]", "float64[?,?]", fmt.Sprintf("float64[%d,%d]", g.rows, g.cols), "float64[1,?]", "float64[?,1]", "float64[?]", "float64"}
	if !g.smooth {
		kinds = append(kinds, "float32[?,?]", "float32[1,?]", "int64[?,?]", "int64[?]", "bool[?,?]")
		for range 3 {
			kinds = append(kinds, fmt.Sprintf("%v[%s", one(g, kernels.DTypes()), one(g, []string{"?,?]", "1,?]", "?]", "?,?]"})))
		}
	}
	if g.faults {
		kinds = append(kinds, "float64[?,?]", "float64[?]", "int64[?,?]")
	}
	for i, kind := range kinds {
		t, err := graph.ParseType(kind)
		if err != nil {
			panic(err)
		}
		rows, cols := g.rows, g.cols
		if g.faults && i >= len(kinds)-3 {
			g.rows, g.cols = g.rows+g.choose(3), g.cols+1
		}
		v := graph.NewInput(fmt.Sprintf("x%d", i), t, nil)
		a := g.layout(g.sample(r, t))
		if i > 0 && g.choose(12) == 0 && args[i-1].DType() == a.DType() && args[i-1].Rank() == a.Rank() && t.AcceptsShape(args[i-1].Shape()) {
			a = args[i-1]
		}
		g.rows, g.cols = rows, cols
		vars, args = append(vars, v), append(args, a)
		g.pool = append(g.pool, &entry{v, a, true})
	}
	return vars, args
}

// shared adds variables that updates may give each other's values, one of which may hold an
// argument.
func (g *generator) shared(args []*tensor.Dense) []*graph.Variable {
	r := rand.New(rand.NewPCG(uint64(g.choose(1<<16)), 10))
	t := graph.AnyShape(kernels.Float64, 2)
	a, b := g.sample(r, t), g.layout(g.sample(r, t))
	if g.choose(4) == 0 {
		a = args[0]
	}
	counter := graph.TypeOf(kernels.Int64)
	list := []*graph.Variable{graph.NewShared("w0", t, a, nil), graph.NewShared("w1", t, b, nil),
		graph.NewShared("w2", counter, tensor.IntScalar(kernels.Int64, int64(g.choose(3))), nil)}
	if g.smooth {
		list = list[:2]
	}
	for _, w := range list {
		g.pool = append(g.pool, &entry{w, w.Shared.Get(), true})
	}
	return list
}

// layout is an array of a's elements, or of some of them, that lies in memory in another way.
func (g *generator) layout(a *tensor.Dense) *tensor.Dense {
	rank := a.Rank()
	if rank == 0 {
		return a
	}
	switch g.choose(8) {
	case 0:
		return a.Transpose().Copy().Transpose()
	case 1, 2: // backwards, and in every second place
		shape, index := append([]int(nil), a.Shape()...), make([]tensor.Index, rank)
		shape[rank-1] *= 2
		for axis := range index {
			index[axis].Step = new([]int{1, -1}[g.choose(2)])
		}
		index[rank-1].Step = new([]int{2, -2}[g.choose(2)])
		z, err := tensor.New(a.DType(), shape...).Subscript(index...)
		if err != nil {
			panic(err)
		}
		tensor.CopyTo(z, a)
		return z
	case 3: // one row for all
		if a.Dim(0) > 0 {
			row, err := a.Subscript(tensor.Index{Stop: new(1)})
			if err != nil {
				panic(err)
			}
			wide, _ := row.BroadcastTo(a.Shape())
			return wide
		}
	}
	return a
}

var (
	oddFloats = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 0.5, 1e-310, -5e-324, 1e308, -1.7e308, 1e-30, 1e30, 709.9, -745.2, 1 << 53}
	oddInts   = []int64{0, 1, -1, 2, 63, 64, 127, -128, 255, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
)

// odd changes some elements of a to what is special in its type.
func (g *generator) odd(r *rand.Rand, a *tensor.Dense) *tensor.Dense {
	d := a.DType()
	if d.IsBool() {
		return a
	}
	often := 2 + g.choose(8)
	if d.IsFloat() {
		values := a.Floats()
		for i := range values {
			if r.IntN(often) == 0 {
				values[i] = oddFloats[r.IntN(len(oddFloats))]
			}
		}
		return tensor.From(values, a.Shape()...).AsType(d)
	}
	values := a.Ints()
	for i := range values {
		if r.IntN(often) == 0 {
			values[i] = oddInts[r.IntN(len(oddInts))]
		}
	}
	return tensor.From(values, a.Shape()...).AsType(d)
}

// TestManyGraphsDraw: every operation comes up in the graphs, and every family, or nothing would be
// known of it.
func TestManyGraphsDraw(t *testing.T) {
	if long.Race {
		t.Skip("the race detector finds nothing in what one goroutine draws")
	}
	missing := make(map[string]bool)
	for _, name := range drawable() {
		missing[name] = true
	}
	seed := uint64(0)
	for ; seed < 6000 && len(missing) > 0; seed++ {
		p, f := manyProblem(seed)
		delete(missing, f.String())
		fg := graph.FunctionGraph{Outputs: p.spec.Outputs, Updates: p.spec.Updates}
		for _, node := range fg.Toposort() {
			delete(missing, graph.BaseName(node.Op))
		}
	}
	t.Logf("all came up in %d graphs", seed)
	for name := range missing {
		t.Errorf("%s never came up", name)
	}
}

// drawable names what has to come up in random graphs.
func drawable() []string {
	var names []string
	for f := range families {
		names = append(names, f.String())
	}
	for _, list := range drawn {
		for _, rows := range list {
			for _, e := range rows {
				names = append(names, e.Name())
			}
		}
	}
	for _, list := range structuralCases() {
		names = append(names, graph.BaseName(list[0].Op))
	}
	return names
}
