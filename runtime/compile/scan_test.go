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
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_        = flag.Int("scans", 60, "random loops that are compared with their unrolled graphs")
	scanSeed = flag.Uint64("scans.seed", 1, "the first loop's seed")
)

// TestScansUnrolled compares random loops with the graphs that their steps make when they are
// written one after the other: values, updates, gradients, and gradients of gradients, in all
// modes.
func TestScansUnrolled(t *testing.T) {
	first, n := long.Drawn("scans", 3)
	for i := range n {
		seed := *scanSeed + uint64(first+i)
		if wrong := tryScan(seed); wrong != "" {
			t.Errorf("-scans.seed %d: %s", seed, wrong)
		}
	}
}

// scanTrial is a random loop, with operands of it.
type scanTrial struct {
	r     *rand.Rand
	b     *graph.Builder
	vars  []*graph.Variable // of the function
	args  []*tensor.Dense
	steps int
	width int

	matrix *graph.Variable // of products
}

func (s *scanTrial) input(rank int, rows int) *graph.Variable {
	shape := []int{rows, s.width}[:rank]
	if rank == 1 {
		shape = []int{s.width}
	}
	values := make([]float64, tensor.Size(shape))
	for i := range values {
		values[i] = 2*s.r.Float64() - 1
	}
	v := graph.NewInput(fmt.Sprint("x", len(s.vars)), graph.AnyShape(kernels.Float64, rank), nil)
	s.vars, s.args = append(s.vars, v), append(s.args, tensor.From(values, shape...))
	return v
}

// expression is a smooth one of some of the variables.
func (s *scanTrial) expression(of []*graph.Variable) *graph.Variable {
	pick := func() *graph.Variable { return of[s.r.IntN(len(of))] }
	v := pick()
	for range 1 + s.r.IntN(4) {
		switch s.r.IntN(9) {
		case 8:
			total := s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, pick())
			v = s.b.Apply(op.IfElse{N: 1}, s.b.Apply(op.Gt, total, s.b.Like(total, 0.1)), s.b.Apply(op.Tanh, v), pick())
		case 0:
			v = s.b.Apply(op.Add, v, pick())
		case 1:
			v = s.b.Apply(op.Mul, v, pick())
		case 2:
			v = s.b.Apply(op.Tanh, v)
		case 3:
			v = s.b.Apply(op.Sin, s.b.Apply(op.Sub, v, pick()))
		case 4:
			v = s.b.Apply(op.Mul, v, s.b.Like(v, 0.7))
		case 5:
			total := s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, pick())
			v = s.b.Apply(op.Add, v, s.b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), total))
		case 6:
			v = s.b.Apply(op.Dot{}, v, s.matrix)
		case 7:
			v = s.b.Apply(op.Dot{}, s.b.Apply(op.NewDimShuffle([]int{1, 0}), s.matrix), s.b.Apply(op.Mul, v, pick()))
		}
	}
	// What the loop goes through has to stay near 1.
	return s.b.Apply(op.Tanh, v)
}

func tryScan(seed uint64) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*graph.Error); ok {
				wrong = "panic: " + e.Error()
				return
			}
			panic(r)
		}
	}()
	s := &scanTrial{r: rand.New(rand.NewPCG(seed, 5)), b: &graph.Builder{}}
	s.steps, s.width = s.r.IntN(6), 1+s.r.IntN(3)
	n := graph.NewInput("n", graph.TypeOf(kernels.Int64), nil)
	s.vars, s.args = append(s.vars, n), append(s.args, tensor.IntScalar(kernels.Int64, int64(s.steps)))
	s.matrix = s.input(2, s.width)
	spec := &formula.Scan{Steps: n}
	var read []*graph.Variable
	row := graph.AnyShape(kernels.Float64, 1)
	for range s.r.IntN(3) {
		all := s.input(2, s.steps+s.r.IntN(2))
		at := graph.NewInput("", row, nil)
		spec.Rows = append(spec.Rows, formula.ScanSequence{At: at, All: all})
		read = append(read, at)
	}
	for range s.r.IntN(3) {
		v := s.input(1, 0)
		read = append(read, v)
	}
	states := s.r.IntN(4)
	for range states {
		r := formula.ScanResult{Taps: []int{-1}}
		if s.r.IntN(2) == 0 {
			r.Initial = s.input(1, 0)
		} else {
			r.Depth = 2 + s.r.IntN(2)
			r.Initial = s.input(2, r.Depth)
			r.Taps = [][]int{{-r.Depth, -1}, {-1, -r.Depth}, {-r.Depth}}[s.r.IntN(3)]
		}
		for range r.Taps {
			at := graph.NewInput("", row, nil)
			r.At, read = append(r.At, at), append(read, at)
		}
		spec.Results = append(spec.Results, r)
	}
	var updated *graph.Variable
	if s.r.IntN(3) == 0 {
		start := make([]float64, s.width)
		for i := range start {
			start[i] = s.r.Float64()
		}
		updated = graph.NewShared("w", row, tensor.From(start, s.width), nil)
		read = append(read, updated)
	}
	if len(read) == 0 {
		read = append(read, s.input(1, 0))
	}
	for i := range spec.Results {
		spec.Results[i].Value = s.expression(read)
	}
	for range s.r.IntN(3) {
		spec.Results = append(spec.Results, formula.ScanResult{Value: s.expression(read)})
	}
	if len(spec.Results) == 0 {
		return ""
	}
	if updated != nil {
		spec.Updates = []graph.Update{{Shared: updated, Value: s.expression(read)}}
	}
	done := s.steps
	if s.r.IntN(4) == 0 && s.steps > 0 {
		sum := s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, spec.Results[0].Value)
		spec.Until = s.b.Apply(op.Gt, sum, s.b.Number(kernels.Float64, 0.3))
		var err error
		if done, err = s.stepsUntil(spec); err != nil {
			return err.Error()
		}
	}
	out, updates, err := spec.Apply(s.b)
	if err != nil {
		return err.Error()
	}
	want, wantUpdates, err := s.unroll(spec, done)
	if err != nil {
		return err.Error()
	}
	if done == 0 { // there are no rows to compare, and nothing depends on what is not computed
		for i := range want {
			want[i] = out[i]
		}
	}
	// What loops are read for: all values, or the last.
	cost, wantCost := s.cost(out, updates, done), s.cost(want, wantUpdates, done)
	wrt := slices.Clone(s.vars[1:])
	results := func(values []*graph.Variable, updates []graph.Update, cost *graph.Variable) ([]*graph.Variable, error) {
		list := slices.Clone(values)
		for _, u := range updates {
			list = append(list, u.Value)
		}
		if cost == nil {
			return list, nil
		}
		ignore := grad.Options{Disconnected: func(*graph.Variable) error { return nil }}
		g, err := grad.Grad(s.b, cost, wrt, ignore)
		if err != nil {
			return nil, err
		}
		list = append(append(list, cost), g...)
		var second *graph.Variable
		for i, v := range g {
			part := s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(v.Type.Rank())}, s.b.Apply(op.Mul, v, wrt[i]))
			if second == nil {
				second = part
			} else {
				second = s.b.Apply(op.Add, second, part)
			}
		}
		if second != nil {
			if g, err = grad.Grad(s.b, second, wrt, ignore); err != nil {
				return nil, err
			}
			list = append(list, g...)
		}
		return list, nil
	}
	got, err := results(out, updates, cost)
	if err != nil {
		return err.Error()
	}
	reference, err := results(want, wantUpdates, wantCost)
	if err != nil {
		return "unrolled: " + err.Error()
	}
	expected, err := s.run(reference, compile.Mode{Optimizer: "None"})
	if err != nil {
		return "unrolled: " + err.Error()
	}
	for _, mode := range []compile.Mode{{Optimizer: "None"}, {Optimizer: "fast_compile"}, {Optimizer: "fast_run"}} {
		values, err := s.run(got, mode)
		if err != nil {
			return fmt.Sprintf("%s: %v", mode.Optimizer, err)
		}
		for i, a := range values {
			if !slices.Equal(a.Shape(), expected[i].Shape()) {
				return fmt.Sprintf("%s: result %d has shape %v, want %v", mode.Optimizer, i, a.Shape(), expected[i].Shape())
			}
			w := expected[i].Floats()
			for k, v := range a.Floats() {
				if !(math.Abs(v-w[k]) <= 1e-9*(1+math.Abs(w[k]))) {
					return fmt.Sprintf("%s: result %d of %d (%d outputs), element %d is %v, want %v", mode.Optimizer, i, len(values), len(out)+len(updates), k, v, w[k])
				}
			}
		}
	}
	return ""
}

// cost is a number that depends on outputs: on all of their values, or the last.
func (s *scanTrial) cost(out []*graph.Variable, updates []graph.Update, done int) *graph.Variable {
	r := rand.New(rand.NewPCG(uint64(len(s.vars)*100+done), 7))
	var total *graph.Variable
	add := func(v *graph.Variable) {
		part := s.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(v.Type.Rank())}, s.b.Apply(op.Sin, v))
		if total == nil {
			total = part
		} else {
			total = s.b.Apply(op.Add, total, part)
		}
	}
	for _, v := range out {
		switch r.IntN(4) {
		case 0, 1:
			add(v)
		case 2:
			if done > 0 {
				add(s.b.Apply(op.Subtensor{Index: "-1"}, v))
			}
		}
	}
	for _, u := range updates {
		if r.IntN(2) == 0 {
			add(u.Value)
		}
	}
	return total
}

// step is what a step makes, in the order of results, updates and condition, of what it gets.
func (s *scanTrial) step(spec *formula.Scan, at int, values [][]*graph.Variable, shared *graph.Variable) ([]*graph.Variable, error) {
	subst := make(map[*graph.Variable]*graph.Variable)
	for _, r := range spec.Rows {
		subst[r.At] = s.b.Apply(op.Subtensor{Index: op.Subscripts(fmt.Sprint(at))}, r.All)
	}
	for i, r := range spec.Results {
		for k, v := range r.At {
			subst[v] = values[i][len(values[i])+r.Taps[k]]
		}
	}
	var all []*graph.Variable
	for _, r := range spec.Results {
		all = append(all, r.Value)
	}
	for _, u := range spec.Updates {
		subst[u.Shared] = shared
		all = append(all, u.Value)
	}
	if spec.Until != nil {
		all = append(all, spec.Until)
	}
	return graph.Replace(all, subst, true)
}

// begin are the values before the first step.
func (s *scanTrial) begin(spec *formula.Scan) (values [][]*graph.Variable) {
	for _, r := range spec.Results {
		var list []*graph.Variable
		switch {
		case r.Initial == nil:
		case r.Depth == 0:
			list = append(list, r.Initial)
		default:
			for k := range r.Depth {
				list = append(list, s.b.Apply(op.Subtensor{Index: op.Subscripts(fmt.Sprint(k))}, r.Initial))
			}
		}
		values = append(values, list)
	}
	return values
}

// unroll writes the steps one after the other.
func (s *scanTrial) unroll(spec *formula.Scan, steps int) (out []*graph.Variable, updates []graph.Update, err error) {
	values := s.begin(spec)
	first := make([]int, len(values))
	for i, list := range values {
		first[i] = len(list)
	}
	var shared *graph.Variable
	for _, u := range spec.Updates {
		shared = u.Shared
	}
	for at := range steps {
		made, err := s.step(spec, at, values, shared)
		if err != nil {
			return nil, nil, err
		}
		for i := range values {
			values[i] = append(values[i], made[i])
		}
		if shared != nil {
			shared = made[len(values)]
		}
	}
	for i, list := range values {
		rows := make([]*graph.Variable, 0, steps)
		for _, v := range list[first[i]:] {
			rows = append(rows, s.b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), v))
		}
		var v *graph.Variable
		if len(rows) > 0 {
			v = s.b.Apply(op.Join{}, rows...)
		}
		out = append(out, v)
	}
	for _, u := range spec.Updates {
		updates = append(updates, graph.Update{Shared: u.Shared, Value: shared})
	}
	return out, updates, nil
}

// stepsUntil is the number of steps that a loop with a condition makes.
func (s *scanTrial) stepsUntil(spec *formula.Scan) (int, error) {
	values := s.begin(spec)
	var shared *graph.Variable
	for _, u := range spec.Updates {
		shared = u.Shared
	}
	for at := range s.steps {
		made, err := s.step(spec, at, values, shared)
		if err != nil {
			return 0, err
		}
		for i := range values {
			values[i] = append(values[i], made[i])
		}
		if shared != nil {
			shared = made[len(values)]
		}
		ends, err := s.run(made[len(made)-1:], compile.Mode{Optimizer: "None"})
		if err != nil {
			return 0, err
		}
		if ends[0].Item().(bool) {
			return at + 1, nil
		}
	}
	return s.steps, nil
}

func (s *scanTrial) run(outputs []*graph.Variable, mode compile.Mode) ([]*tensor.Dense, error) {
	f, err := compile.Compile(compile.Spec{Inputs: s.vars, Outputs: outputs, Mode: mode, Kernels: kernels.Sets{kernels.GoSet}, Check: true})
	if err != nil {
		return nil, err
	}
	return f.Run(nil, s.args, nil)
}
