package onnx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "If", Since: []int{1, 11, 13, 16, 19, 21, 23}, Least: 1, Most: 1, Attrs: "then_branch:graph else_branch:graph", Doc: "the results of one of two graphs; the other is not computed", build: branch},
	Operator{Name: "Loop", Since: []int{1, 11, 13, 16, 19, 21, 23}, Least: 2, Most: -1, Attrs: "body:graph", Doc: "a graph that is run again and again; values that it hands on keep their shapes", build: loopOf},
	Operator{Name: "Scan", Since: []int{8, 9, 11, 16, 19, 21, 23}, Least: 1, Most: -1,
		Attrs: "body:graph directions:ints num_scan_inputs:int scan_input_axes:ints scan_input_directions:ints scan_output_axes:ints scan_output_directions:ints",
		Doc:   "a graph that is run for each part of its inputs along an axis", build: scanOf},
)

func branch(c *call) []V {
	cond := c.scalar(0)
	if cond.IsConstant() {
		if op.Truth(cond.Data) {
			return c.deliver(c.subgraph("then_branch", nil))
		}
		return c.deliver(c.subgraph("else_branch", nil))
	}
	then, fine := plain(c.subgraph("then_branch", nil))
	els, also := plain(c.subgraph("else_branch", nil))
	if !fine || !also {
		graph.Fail(&ValueNeeded{What: c.name(0) + ", which decides between sequences or optional values,", Inputs: inputsOf(cond)})
	}
	if len(then) != len(els) {
		c.fail("got branches of %d and %d outputs, want as many", len(then), len(els))
	}
	in := append([]V{cond}, then...)
	for i, v := range els {
		if v.DType() != then[i].DType() || v.Rank() != then[i].Rank() {
			graph.Fail(&ShapeNeeded{What: fmt.Sprintf("output %d: got %v in one branch and %v in the other, want the same type and number of axes where "+
				"the condition is not known when the model is loaded", i, then[i].Type, v.Type), Inputs: inputsOf(cond)})
		}
		in = append(in, v)
	}
	return got(c.b.Make(op.IfElse{N: len(then)}, in...))
}

// A loop runs step for rows of sequences, which changes states. Without rows it runs count times,
// or as long as step says.
type loop struct {
	count  V // an int64 scalar; nil for as many steps as rows has rows
	rows   []V
	states []V
	// step returns whether to go on, nil for always, the new states, and results of which those of
	// all steps are wanted.
	step func(row, states []V) (more V, next, results []V)
}

// run makes the loop: the last states, and the results of all steps along a new first axis.
func (c *call) run(l loop) (states, results []V) {
	s := formula.Scan{Steps: l.count, Label: c.node.Name}
	var row, state []V
	for _, v := range l.rows {
		at := graph.NewInput("", formula.RowOf(v.Type), c.b.Origin)
		row, s.Rows = append(row, at), append(s.Rows, formula.ScanSequence{At: at, All: v})
	}
	for _, v := range l.states {
		state = append(state, graph.NewInput("", v.Type, c.b.Origin))
	}
	more, next, kept := l.step(row, state)
	for i, v := range next {
		if v.DType() != state[i].DType() || v.Rank() != state[i].Rank() {
			graph.Fail(changing{v.Type, state[i].Type})
		}
		for axis := range v.Rank() {
			if n, begin := v.Dim(axis), state[i].Dim(axis); n != graph.Unknown && begin != graph.Unknown && n != begin {
				graph.Fail(changing{v.Type, state[i].Type})
			}
		}
		if t := state[i].Type; !t.Accepts(v.Type) { // checked when the model runs
			v = c.b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, v)
		}
		s.Results = append(s.Results, formula.ScanResult{Value: v, Initial: l.states[i], Taps: []int{-1}, At: []V{state[i]}})
	}
	for _, v := range kept {
		s.Results = append(s.Results, formula.ScanResult{Value: v})
	}
	if more != nil {
		s.Until = c.do(op.Invert, more)
	}
	out, _, err := s.Apply(c.b)
	c.must(err)
	for i, v := range out[:len(next)] {
		begin := l.states[i]
		// After no steps a state has the value with which it began.
		all := c.join(0, formula.Pad(c.b, begin, 1, true), v)
		states = append(states, formula.At(c.b, all, 0, -1))
	}
	return states, out[len(next):]
}

// loopOver applies a step to each row of sequences and a state, and returns the last state.
func (c *call) loopOver(rows []V, state V, step func(row []V, state V) V) V {
	last, _ := c.run(loop{rows: rows, states: []V{state}, step: func(row, states []V) (V, []V, []V) {
		return nil, []V{step(row, states[0])}, nil
	}})
	return last[0]
}

// truth is a bool scalar of input i, nil if it is absent or known to be true.
func (c *call) truth(i int) V {
	if !c.has(i) {
		return nil
	}
	v := c.scalar(i)
	if v.IsConstant() && op.Truth(v.Data) {
		return nil
	}
	return v
}

// endless is the number of steps of a loop that ends by its condition.
const endless = 1 << 40

// changing is the error of a loop whose values change their type.
type changing struct{ now, begin graph.Type }

func (e changing) Error() string {
	return fmt.Sprintf("a step makes %v of a value that begins as %v: a loop whose number of steps is not known has values of one type and shape", e.now, e.begin)
}

// maxUnrolled is the most steps of a loop that are written one after the other.
const maxUnrolled = 256

func loopOf(c *call) []V {
	count := c.num(endless)
	if c.has(0) {
		count = c.cast(c.scalar(0), kernels.Int64)
		count = c.b.Apply(op.Minimum, c.b.Apply(op.Maximum, count, c.num(0)), c.num(endless))
	}
	if begin := c.truth(1); begin != nil {
		count = c.b.Apply(op.Switch, begin, count, c.num(0))
	}
	begin := c.valuesFrom(2)
	steps, known := op.KnownLength(count)
	if values, ok := plain(begin); ok {
		out, err := c.rolled(count, values)
		var change changing
		if err == nil || !errors.As(err, &change) || !known || steps > maxUnrolled {
			c.must(err)
			return out
		}
	}
	if !known || steps > maxUnrolled {
		if !known {
			graph.Fail(&ValueNeeded{What: "the number of steps of a loop with sequences or optional values", Inputs: inputsOf(count)})
		}
		c.fail("got a loop of %d steps with sequences or optional values, want at most %d", steps, maxUnrolled)
	}
	return c.unrolled(steps, begin)
}

// rolled is a loop of tensors that keep their types.
func (c *call) rolled(count V, values []V) (out []V, err error) {
	defer graph.Catch(&err)
	n := len(values)
	states, results := c.run(loop{count: count, states: append([]V{c.num(0)}, values...), step: func(_, states []V) (V, []V, []V) {
		more, next, results := c.step(states[0], tensors(states[1:]), n)
		list, ok := plain(next)
		rows, fine := plain(results)
		if !ok || !fine {
			c.fail("attribute body: got sequences as outputs for inputs that are tensors")
		}
		return more, append([]V{c.plus(states[0], 1)}, list...), rows
	}})
	return append(states[1:], results...), nil
}

// step applies the body of a Loop. more is nil if it is known that the loop goes on.
func (c *call) step(i V, states []result, n int) (more V, next, results []result) {
	in := append([]result{{v: i}, {v: c.b.Constant(tensor.FromBools([]bool{true}))}}, states...)
	out := c.subgraph("body", in)
	if len(out) < n+1 {
		c.fail("attribute body: got a graph of %d outputs, want at least %d", len(out), n+1)
	}
	more = out[0].tensor(c)
	if more.Rank() > 0 {
		more = c.reshape(more)
	}
	if more.IsConstant() && op.Truth(more.Data) {
		more = nil
	}
	return more, out[1 : n+1], out[n+1:]
}

// unrolled is a loop written step by step, whose values may be sequences or change their shape.
func (c *call) unrolled(steps int, states []result) []V {
	var rows [][]V
	for i := range steps {
		more, next, results := c.step(c.num(i), states, len(states))
		states = next
		for k, r := range results {
			if k == len(rows) {
				rows = append(rows, nil)
			}
			rows[k] = append(rows[k], r.tensor(c))
		}
		if more != nil && !more.IsConstant() {
			c.fail("a loop with values that change their type ends by a condition that is computed when the model runs, which is not supported")
		}
		if more != nil {
			break
		}
	}
	out := slices.Clone(states)
	for _, list := range rows {
		out = append(out, result{v: got(formula.Stack(c.b, 0, list))})
	}
	return c.deliver(out)
}

func scanOf(c *call) []V {
	if c.version < 9 {
		return c.scanBatches()
	}
	k := c.int("num_scan_inputs")
	n := len(c.in) - k
	if k < 1 || n < 0 {
		c.fail("attribute num_scan_inputs: got %d of %d inputs", k, len(c.in))
	}
	option := func(name string, i int) int {
		if list := c.ints(name); i < len(list) {
			return list[i]
		}
		return 0
	}
	l := loop{}
	for i := range c.in {
		v := c.x(i)
		if i < n {
			l.states = append(l.states, v)
			continue
		}
		axis := c.axis(option("scan_input_axes", i-n), v.Rank())
		v = got(formula.MoveAxis(c.m, v, []int{axis}, []int{0})).(V)
		if option("scan_input_directions", i-n) == 1 {
			v = formula.Flip(c.b, v, tensor.AxesOf(0))
		}
		l.rows = append(l.rows, v)
	}
	l.step = func(row, states []V) (V, []V, []V) {
		return c.scanStep(states, row)
	}
	states, results := c.run(l)
	for i, v := range results {
		if option("scan_output_directions", i) == 1 {
			v = formula.Flip(c.b, v, tensor.AxesOf(0))
		}
		axis := c.axis(option("scan_output_axes", i), v.Rank())
		results[i] = got(formula.MoveAxis(c.m, v, []int{0}, []int{axis})).(V)
	}
	return append(states, results...)
}

// scanStep applies the body of a Scan.
func (c *call) scanStep(states, row []V) (more V, next, results []V) {
	out, ok := plain(c.subgraph("body", tensors(slices.Concat(states, row))))
	if n := len(states); !ok || len(out) < n {
		c.fail("attribute body: got a graph of %d outputs, want at least %d, all tensors", len(out), n)
	}
	return nil, out[:len(states)], out[len(states):]
}

// scanBatches is Scan of version 8: a loop for each element of a batch, the first axis of all
// inputs behind the first one.
func (c *call) scanBatches() []V {
	if c.has(0) {
		c.fail("%s: lengths of sequences are not supported", c.name(0))
	}
	n := len(c.in) - 1 - c.int("num_scan_inputs")
	if n < 0 || len(c.in) < 2 {
		c.fail("attribute num_scan_inputs: got %d of %d inputs", c.int("num_scan_inputs"), len(c.in)-1)
	}
	for _, d := range c.ints("directions") {
		if d != 0 {
			c.fail("attribute directions: got %d, want 0", d)
		}
	}
	var all [][]V
	c.few("the batch", c.length(c.x(1), 0))
	for i := range c.length(c.x(1), 0) {
		l := loop{step: func(row, states []V) (V, []V, []V) { return c.scanStep(states, row) }}
		for k := 1; k < len(c.in); k++ {
			v := formula.At(c.b, c.x(k), 0, i)
			if k <= n {
				l.states = append(l.states, v)
			} else {
				l.rows = append(l.rows, v)
			}
		}
		states, results := c.run(l)
		for k, v := range append(states, results...) {
			if k == len(all) {
				all = append(all, nil)
			}
			all[k] = append(all[k], v)
		}
	}
	out := make([]V, len(all))
	for i, list := range all {
		out[i] = got(formula.Stack(c.b, 0, list))
	}
	return out
}
