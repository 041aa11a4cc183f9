package compile_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_          = flag.Int("ifelses", 80, "random graphs with branches that are compared with what chooses element by element")
	ifElseSeed = flag.Uint64("ifelses.seed", 1, "the first graph's seed")
)

// TestIfElses compares random graphs of nested branches, whose parts are shared between branches
// and with what is computed always, with the same graphs in which T.switch chooses: results,
// updates, gradients and gradients of gradients, in all modes. And what ran is what a computation
// on demand needs, no more.
func TestIfElses(t *testing.T) {
	var all ifElseCounts
	first, n := long.Drawn("ifelses", 3)
	for i := range n {
		seed := *ifElseSeed + uint64(first+i)
		if wrong := tryIfElses(seed, &all); wrong != "" {
			t.Errorf("-ifelses.seed %d: %s", seed, wrong)
		}
	}
	t.Logf("%+v", all)
	if all.skipped*10 < all.ran {
		t.Errorf("%d nodes ran and %d did not: too few branches", all.ran, all.skipped)
	}
	if all.early*200 > all.ran { // what no order can ask for in time
		t.Errorf("%d of %d nodes ran that nobody needed", all.early, all.ran)
	}
}

type ifElseCounts struct{ ran, skipped, early int }

// branchTrial is a random graph twice: with branches, and with switches.
type branchTrial struct {
	r          *rand.Rand
	b          *graph.Builder
	lazy, both []*graph.Variable // vectors
	conds      [][2]*graph.Variable
	inputs     []*graph.Variable
	shared     *graph.Variable
	depth      int
}

func (s *branchTrial) add(lazy, both *graph.Variable) {
	s.lazy, s.both = append(s.lazy, lazy), append(s.both, both)
}

func (s *branchTrial) pick() int {
	n := len(s.lazy)
	if s.r.IntN(2) == 0 { // what is new is used more often
		return n - 1 - s.r.IntN(min(n, 4))
	}
	return s.r.IntN(n)
}

func (s *branchTrial) apply(o graph.Op, at ...int) {
	var lazy, both []*graph.Variable
	for _, i := range at {
		lazy, both = append(lazy, s.lazy[i]), append(both, s.both[i])
	}
	s.add(s.b.Apply(o, lazy...), s.b.Apply(o, both...))
}

// grow adds a node.
func (s *branchTrial) grow() {
	switch s.r.IntN(9) {
	case 0:
		s.apply(op.Tanh, s.pick())
	case 1:
		s.apply(op.Sin, s.pick())
	case 2:
		s.apply(op.Mul, s.pick(), s.pick())
	case 3:
		s.apply(op.Sub, s.pick(), s.pick())
	case 4: // no elementwise operation
		s.apply(op.Cumulate{Kind: op.Sum}, s.pick())
		s.apply(op.Tanh, len(s.lazy)-1)
	case 5:
		i := s.pick()
		limit := s.b.Constant(tensor.Scalar(kernels.Float64, s.r.Float64()-0.5))
		test := func(v *graph.Variable) *graph.Variable {
			return s.b.Apply(op.Gt, s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, v), limit)
		}
		c := [2]*graph.Variable{test(s.lazy[i]), test(s.both[i])}
		if s.r.IntN(4) == 0 {
			c = [2]*graph.Variable{s.b.Apply(op.Invert, c[0]), s.b.Apply(op.Invert, c[1])}
		}
		s.conds = append(s.conds, c)
	default:
		if len(s.conds) == 0 {
			return
		}
		c := s.conds[s.r.IntN(len(s.conds))]
		n := 1 + s.r.IntN(2)
		lazy := []*graph.Variable{c[0]}
		var pairs [2][]*graph.Variable
		for side := range pairs {
			for range n {
				i := s.pick()
				lazy, pairs[side] = append(lazy, s.lazy[i]), append(pairs[side], s.both[i])
			}
		}
		out, err := s.b.Make(op.IfElse{N: n}, lazy...)
		if err != nil {
			panic(err)
		}
		for k := range n {
			s.add(out[k], s.b.Apply(op.Switch, s.b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), c[1]), pairs[0][k], pairs[1][k]))
		}
	}
}

func (s *branchTrial) value() *tensor.Dense {
	list := make([]float64, 3)
	for i := range list {
		list[i] = 2*s.r.Float64() - 1
	}
	return tensor.From(list, len(list))
}

// results are some of the vectors, a new value of the shared variable, gradients and gradients of
// gradients, of both graphs.
func (s *branchTrial) results(vectors []*graph.Variable, picked []int) (outputs []*graph.Variable, update *graph.Variable, err error) {
	ignore := grad.Options{Disconnected: func(*graph.Variable) error { return nil }}
	total := func(list []*graph.Variable) (cost *graph.Variable) {
		cost = s.b.Number(kernels.Float64, 0)
		for _, v := range list {
			cost = s.b.Apply(op.Add, cost, s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, s.b.Apply(op.Sin, v)))
		}
		return cost
	}
	for _, i := range picked[1:] {
		outputs = append(outputs, vectors[i])
	}
	update = vectors[picked[0]]
	for range s.depth {
		g, err := grad.Grad(s.b, total(outputs), append(slices.Clone(s.inputs), s.shared), ignore)
		if err != nil {
			return nil, nil, err
		}
		outputs = append(outputs, g...)
	}
	return outputs, update, nil
}

func tryIfElses(seed uint64, all *ifElseCounts) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*graph.Error); ok {
				wrong = "panic: " + e.Error()
				return
			}
			panic(r)
		}
	}()
	s := &branchTrial{r: rand.New(rand.NewPCG(seed, 9)), b: &graph.Builder{}}
	for i := range 3 {
		v := graph.NewInput(fmt.Sprint("x", i), graph.AnyShape(kernels.Float64, 1), nil)
		s.inputs = append(s.inputs, v)
		s.add(v, v)
	}
	begin := s.value()
	s.shared = graph.NewShared("w", graph.AnyShape(kernels.Float64, 1), begin, nil)
	s.add(s.shared, s.shared)
	for range 10 + s.r.IntN(30) {
		s.grow()
	}
	s.depth = s.r.IntN(3)
	picked := []int{s.pick(), s.pick(), s.pick(), s.pick()}
	got, update, err := s.results(s.lazy, picked)
	if err != nil {
		return err.Error()
	}
	reference, updateReference, err := s.results(s.both, picked)
	if err != nil {
		return "switch: " + err.Error()
	}
	var args [][]*tensor.Dense
	for range 4 {
		args = append(args, []*tensor.Dense{s.value(), s.value(), s.value()})
	}
	run := func(outputs []*graph.Variable, update *graph.Variable, mode compile.Mode, look *onDemand) (list [][]float64, err error) {
		s.shared.Shared.Set(begin)
		if look != nil {
			mode.Monitor = look
		}
		spec := compile.Spec{Inputs: s.inputs, Outputs: outputs, Updates: []graph.Update{{Shared: s.shared, Value: update}}, Mode: mode, Check: true}
		f, err := compile.Compile(spec)
		if err != nil {
			return nil, err
		}
		for _, a := range args {
			out, err := f.Run(nil, a, nil)
			if err != nil {
				return nil, err
			}
			if look != nil {
				look.count(all)
			}
			for _, v := range append(out, s.shared.Shared.Get()) {
				list = append(list, v.Floats())
			}
		}
		return list, nil
	}
	want, err := run(reference, updateReference, compile.Mode{Linker: "go", Optimizer: "None"}, nil)
	if err != nil {
		return "switch: " + err.Error()
	}
	modes := []compile.Mode{{Linker: "c|go", Optimizer: "None"}, {Linker: "c|go", Optimizer: "fast_compile"}, {Linker: "c|go", Optimizer: "fast_run"}, {Linker: "c|go", Optimizer: "fast_run"}}
	if seed%8 == 0 {
		o := debugmode.Default()
		modes = append(modes, compile.Mode{Linker: "c|go", Optimizer: "fast_run", Debug: &o})
	}
	for i, mode := range modes {
		var look *onDemand
		if i < 3 {
			look = &onDemand{}
		}
		list, err := run(got, update, mode, look)
		if err != nil {
			return fmt.Sprintf("%s, %v: %v", mode.Optimizer, mode.Debug != nil, err)
		}
		for k, values := range list {
			for j, x := range values {
				if len(values) != len(want[k]) || !(math.Abs(x-want[k][j]) <= 1e-9*(1+math.Abs(want[k][j]))) {
					return fmt.Sprintf("%s, %v: result %d of %d, element %d: got %v, want %v", mode.Optimizer, mode.Debug != nil, k, len(got)+1, j, values, want[k])
				}
			}
		}
	}
	return ""
}

// onDemand notes what a run computes, and computes what it has to.
type onDemand struct {
	p      *exec.Program
	values map[*graph.Variable]*tensor.Dense
	ran    map[*graph.Apply]bool
}

func (o *onDemand) Begin(p *exec.Program, values map[*graph.Variable]*tensor.Dense) error {
	o.p, o.values, o.ran = p, values, make(map[*graph.Apply]bool)
	return nil
}
func (o *onDemand) Before(int, *exec.Node, []*tensor.Dense) error { return nil }
func (o *onDemand) After(i int, n *exec.Node, in, out []*tensor.Dense) error {
	o.ran[n.Apply] = true
	for k, v := range n.Apply.Outputs {
		if out[k].Rank() == 0 { // conditions; the memory of others is used again
			o.values[v] = out[k].Copy()
		}
	}
	return nil
}

func (o *onDemand) count(all *ifElseCounts) {
	needed := make(map[*graph.Apply]bool)
	var visit func(v *graph.Variable)
	visit = func(v *graph.Variable) {
		if v.Owner == nil || needed[v.Owner] {
			return
		}
		needed[v.Owner] = true
		for i, u := range v.Owner.Inputs {
			switch graph.SideOf(v.Owner.Op, i) {
			case graph.Then:
				if !op.Truth(o.values[v.Owner.Inputs[0]]) {
					continue
				}
			case graph.Else:
				if op.Truth(o.values[v.Owner.Inputs[0]]) {
					continue
				}
			}
			visit(u)
		}
	}
	for _, v := range o.p.Graph.Results() {
		visit(v)
	}
	for _, n := range o.p.Nodes {
		switch {
		case !o.ran[n.Apply]:
			all.skipped++
		case needed[n.Apply]:
			all.ran++
		default:
			all.early++
		}
	}
}
