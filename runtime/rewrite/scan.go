package rewrite

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// HasScan reports whether there is a loop in a graph.
func HasScan(fg *graph.FunctionGraph) bool {
	return slices.ContainsFunc(fg.Toposort(), func(n *graph.Apply) bool { _, ok := n.Op.(op.Scan); return ok })
}

// Scans makes loops compute no more than is read of them, and what two compute in one of them:
// results that nobody reads go, and what is only computed for them, and steps after the last that
// is read; a state of which the last value alone is read keeps that alone; and what every step
// would compute again, because it depends on nothing that changes, is computed before the loop.
func Scans(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	for {
		p.reasons = nil // those of the last walk count
		one, merged, err := mergeScans(fg, p)
		if err != nil {
			return nil, err
		}
		if merged {
			fg = one
			continue
		}
		s := &scans{profile: p, clients: fg.Clients(), last: make(map[*graph.Apply]lastValue), made: make(map[*graph.Apply][]*graph.Variable)}
		for _, node := range fg.Toposort() {
			if o, ok := node.Op.(op.Scan); ok {
				s.readers(node, o)
			}
		}
		res, err := p.transform(fg, s.node)
		if err != nil {
			return nil, err
		}
		p.Changes += s.changes
		if s.changes == 0 {
			return fg, nil
		}
		fg = res
	}
}

// scans is one walk over a graph.
type scans struct {
	profile *PassProfile
	clients *graph.Clients
	last    map[*graph.Apply]lastValue         // nodes that take the last value of a state that is kept for them alone
	made    map[*graph.Apply][]*graph.Variable // of a loop, what takes the place of results; of a state that is not kept any more, its last value
	changes int
}

type lastValue struct {
	scan  *graph.Apply
	state int
}

// readers finds the states of which the last value alone is read.
func (s *scans) readers(node *graph.Apply, o op.Scan) {
	for i, st := range o.States {
		v := node.Outputs[i]
		if !st.Kept || v.Type.State != graph.NoState {
			continue
		}
		list := s.clients.Get(v)
		other := func(c graph.Client) bool {
			return c.Node == nil || c.Index != 0 || c.Node.Op != graph.Op(op.Subtensor{Index: "-1"})
		}
		if at := slices.IndexFunc(list, other); len(list) == 0 || at >= 0 {
			if slices.ContainsFunc(list, func(c graph.Client) bool { return !other(c) }) {
				s.profile.decline(history.Declined{Code: "scan.kept", Rule: "scan_opt"}, node, func() string {
					who := "the function, whose result it is,"
					if list[at].Node != nil {
						who = by(list[at].Node)
					}
					return fmt.Sprintf("keeps all values of %s, of which the last alone would take no memory a step: %s reads others", graph.Mention(v), who)
				})
			}
			continue
		}
		for _, c := range list {
			s.last[c.Node] = lastValue{node, i}
		}
	}
}

func (s *scans) node(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
	if l, ok := s.last[node]; ok {
		return []*graph.Variable{s.made[l.scan][l.state]}, nil
	}
	if o, ok := node.Op.(op.Scan); ok {
		return s.loop(node, o, in)
	}
	n, err := node.Remake(in)
	if err != nil {
		return nil, err
	}
	return n.Outputs, nil
}

// loop makes a loop that computes what is read of node.
func (s *scans) loop(node *graph.Apply, o op.Scan, in []*graph.Variable) ([]*graph.Variable, error) {
	w := newLoopMaker(node, o, in)
	for i := range node.Outputs {
		w.wanted[i] = len(s.clients.Get(node.Outputs[i])) > 0
	}
	for _, l := range s.last {
		if l.scan == node {
			w.saved[l.state] = true
		}
	}
	w.choose()
	w.shorten(s.clients)
	w.hoist()
	if !o.Traits().Has(op.Acts) {
		w.before(s.profile)
		w.behind(s.profile)
	}
	if !w.changed {
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	}
	s.changes++
	out, last, err := w.make()
	s.made[node] = last
	return out, err
}

// A loopMaker makes a loop in the place of another.
type loopMaker struct {
	op.Scan
	node     *graph.Apply
	operands op.ScanOperands
	wanted   []bool // of each result
	saved    []bool // of each state: its last value alone is read
	needed   []bool // of each output of the body

	rows, sequences []*graph.Variable // inputs of the body, and the operands that they stand for
	fixed, stays    []*graph.Variable
	outputs         []*graph.Variable

	apart   map[int]*graph.Variable // results that are computed without the loop
	later   []laterResult           // that are computed after it
	extra   []*graph.Variable       // what steps compute and leave for these
	changed bool
	shorter bool // shorten has left out steps
}

func newLoopMaker(node *graph.Apply, o op.Scan, in []*graph.Variable) *loopMaker {
	operands := o.Operands(in)
	return &loopMaker{Scan: o, node: node, operands: operands, wanted: make([]bool, len(node.Outputs)), saved: make([]bool, len(o.States)),
		rows: slices.Clone(o.RowInputs()), sequences: slices.Clone(operands.Rows), fixed: slices.Clone(o.FixedInputs()), stays: slices.Clone(operands.Fixed),
		outputs: o.Body.Outputs, apart: make(map[int]*graph.Variable)}
}

// choose finds the outputs of the body that are needed: those that are read, those that act, and
// the states that these are made of.
func (w *loopMaker) choose() {
	w.needed = make([]bool, len(w.outputs))
	copy(w.needed, w.wanted)
	if w.Until {
		w.needed[len(w.needed)-1] = true
	}
	for i := range w.saved {
		w.needed[i] = w.needed[i] || w.saved[i]
	}
	if w.Traits().Has(op.Acts) {
		for i := range w.needed {
			w.needed[i] = true
		}
	}
	for more := true; more; {
		more = false
		var vars []*graph.Variable
		for i, v := range w.outputs {
			if w.needed[i] {
				vars = append(vars, v)
			}
		}
		read := rootsOf(vars)
		taps := w.TapInputs()
		for i, st := range w.States {
			if slices.ContainsFunc(taps[:len(st.Taps)], func(v *graph.Variable) bool { return read[v] }) && !w.needed[i] {
				w.needed[i], more = true, true
			}
			taps = taps[len(st.Taps):]
		}
	}
	// A loop without any result is no loop: whoever reads none of it has dropped it.
	if slices.Contains(w.needed, false) && slices.Contains(w.needed, true) || slices.Contains(w.saved, true) {
		w.changed = true
	}
}

// shorten takes no more steps than rows are read, where all who read results say by numbers which:
// h[:3], h[7].
func (w *loopMaker) shorten(clients *graph.Clients) {
	if w.Traits().Has(op.Acts) || slices.Contains(w.saved, true) || !slices.Contains(w.wanted, true) {
		return
	}
	most := 0
	for i, v := range w.node.Outputs {
		if w.wanted[i] && i < len(w.States) && !w.States[i].Kept {
			return
		}
		for _, c := range clients.Get(v) {
			if c.Node == nil || c.Index != 0 {
				return
			}
			part, ok := c.Node.Op.(op.Subtensor)
			if !ok {
				return
			}
			_, to, ok := subscriptsOf(part.Index, c.Node.Inputs[1:], v.Type.Rank())[0].within(graph.Unknown)
			if !ok || to == math.MaxInt {
				return
			}
			most = max(most, to)
		}
	}
	steps := w.operands.Steps
	limits := []*graph.Variable{steps}
	if steps.Op() == graph.Op(op.Minimum) {
		limits = steps.Owner.Inputs
	}
	for _, v := range limits {
		if n, ok := v.Scalar(); ok && n <= float64(most) {
			return
		}
	}
	b := &graph.Builder{Origin: w.node.Origin()}
	bound := b.Number(kernels.Int64, float64(most))
	if steps.IsConstant() {
		w.operands.Steps = bound
	} else {
		w.operands.Steps = b.Apply(op.Minimum, steps, bound)
	}
	for i, v := range w.sequences {
		w.sequences[i] = b.Apply(op.Subtensor{Index: op.Subscripts(fmt.Sprint(":", most))}, v)
	}
	w.changed, w.shorter = true, true
}

// resultType is that of result i, which has fewer rows if the loop takes fewer steps.
func (w *loopMaker) resultType(i int) graph.Type {
	t := w.node.Outputs[i].Type
	if !w.shorter {
		return t
	}
	dims := t.Dims()
	dims[0] = graph.Unknown
	return graph.TypeOf(t.DType, dims...)
}

func rootsOf(vars []*graph.Variable) map[*graph.Variable]bool {
	read := make(map[*graph.Variable]bool)
	for v := range (&graph.FunctionGraph{Outputs: vars}).Roots() {
		read[v] = true
	}
	return read
}

// hoist computes before the loop what is made of nothing that changes from step to step. What only
// a branch needs stays: no step may take it.
func (w *loopMaker) hoist() {
	moves := make(map[*graph.Variable]bool)
	outside := make(map[*graph.Variable]*graph.Variable) // of what stays the same, the operand
	for i, v := range w.fixed {
		moves[v], outside[v] = true, w.stays[i]
	}
	still := func(v *graph.Variable) bool { return v.IsConstant() || moves[v] }
	needs := graph.FindNeeds(w.outputs)
	order := needs.Order
	for _, node := range order {
		if op.ActsOf(node.Op) || needs.Of(node) != graph.Always || !slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return moves[v] }) || slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return !still(v) }) {
			continue
		}
		for _, v := range node.Outputs {
			moves[v] = true
		}
	}
	subst := make(map[*graph.Variable]*graph.Variable)
	move := func(v *graph.Variable) {
		if v.Owner == nil || !moves[v] || subst[v] != nil {
			return
		}
		out, err := graph.Replace([]*graph.Variable{v}, outside, false)
		if err != nil {
			return
		}
		at := graph.NewInput(v.Name, v.Type, v.Origin)
		subst[v] = at
		w.fixed, w.stays = append(w.fixed, at), append(w.stays, out[0])
	}
	for _, node := range order {
		if moves[node.Outputs[0]] {
			continue
		}
		for _, v := range node.Inputs {
			move(v)
		}
	}
	for _, v := range w.outputs {
		move(v)
	}
	if len(subst) == 0 {
		return
	}
	outputs, err := graph.Replace(w.outputs, subst, false)
	if err != nil {
		return
	}
	w.outputs, w.changed = outputs, true
}

// make applies the loop. out are what takes the place of node's results, nil for those that nobody
// reads; last are the last values of the states that are not kept any more.
func (w *loopMaker) make() (out, last []*graph.Variable, err error) {
	loop := &op.Loop{Until: w.Until, Truncate: w.Truncate, Label: w.Loop.Label}
	b := &graph.Builder{Origin: w.node.Origin()}
	vars := slices.Clone(w.extra)
	for i, v := range w.outputs {
		if w.needed[i] {
			vars = append(vars, v)
		}
	}
	read := rootsOf(vars)
	var rows, states, fixed, sequences, begin, stays, next, results []*graph.Variable
	for i, v := range w.rows {
		if read[v] {
			rows, sequences = append(rows, v), append(sequences, w.sequences[i])
		}
	}
	if len(rows) == 0 && len(w.rows) > 0 { // the number of rows is compared with that of steps
		rows, sequences = append(rows, w.rows[0]), append(sequences, w.sequences[0])
	}
	at := make([]int, len(w.node.Outputs)) // where a result is now
	taps := w.TapInputs()
	for i, st := range w.States {
		mine := taps[:len(st.Taps)]
		taps = taps[len(st.Taps):]
		at[i] = -1
		switch {
		case !w.needed[i]:
		case !w.saved[i]:
			at[i] = len(loop.States)
			loop.States = append(loop.States, st)
			states, begin, next = append(states, mine...), append(begin, w.operands.Begin[i]), append(next, w.outputs[i])
		default:
			// A value for each step back, which becomes the one before.
			at[i] = len(loop.States)
			depth := st.Depth()
			before := make([]*graph.Variable, depth)
			for k, t := range st.Taps {
				before[-t-1] = mine[k]
			}
			for k := range before {
				if before[k] == nil {
					before[k] = graph.NewInput("", mine[0].Type, w.node.Origin())
				}
				start, err := b.Make(op.Subtensor{Index: op.Subscripts(strconv.Itoa(depth - 1 - k))}, w.operands.Begin[i])
				if err != nil {
					return nil, nil, err
				}
				loop.States = append(loop.States, op.State{Taps: []int{-1}})
				states, begin = append(states, before[k]), append(begin, start[0])
				if k == 0 {
					next = append(next, w.outputs[i])
				} else {
					next = append(next, before[k-1])
				}
			}
		}
	}
	for i, v := range w.fixed {
		if read[v] {
			fixed, stays = append(fixed, v), append(stays, w.stays[i])
		}
	}
	count := 0
	for i := range w.Results() {
		if k := len(w.States) + i; w.needed[k] {
			at[k] = len(loop.States) + count
			results = append(results, w.outputs[k])
			count++
		} else {
			at[k] = -1
		}
	}
	loop.Sequences = len(rows)
	first := len(loop.States) + count // of what is left for later
	results = append(results, w.extra...)
	outputs := slices.Concat(next, results)
	if w.Until {
		outputs = append(outputs, w.outputs[len(w.outputs)-1])
	}
	loop.Body = &graph.FunctionGraph{Name: w.Body.Name, Inputs: slices.Concat(rows, states, fixed), Outputs: outputs}
	var made []*graph.Variable
	if len(next)+len(results) > 0 {
		if made, err = b.Make(op.NewScan(loop), slices.Concat([]*graph.Variable{w.operands.Steps}, sequences, begin, stays)...); err != nil {
			return nil, nil, err
		}
	}
	out, last = make([]*graph.Variable, len(at)), make([]*graph.Variable, len(w.States))
	for i, k := range at {
		switch {
		case k < 0:
		case i < len(w.States) && w.saved[i]:
			last[i] = made[k]
		default:
			out[i] = made[k]
			made[k].Name = w.node.Outputs[i].Name
		}
	}
	for i, v := range w.apart {
		out[i] = v
	}
	return out, last, w.makeLater(b, made, at, first, out, last)
}

// ScanBodies rewrites the bodies of loops by p.Inner.
func ScanBodies(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	return p.transform(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o, ok := node.Op.(op.Scan)
		if ok {
			body, err := p.Inner(o.Inner()[0].Name, o.Body)
			if err != nil {
				return nil, err
			}
			made := o.Loop.Over(body)
			if why := made.StepsApart(); why != "" && p.Name == "scan_bodies" {
				p.decline(history.Declined{Code: "scan.steps", Rule: p.Name}, node, func() string { return "runs its steps one by one: " + why })
			}
			if made.Name() != o.Name() { // the same of other lines is no change
				p.Changes++
				out, err := (&graph.Builder{Origin: node.Origin()}).Make(made, in...)
				for i, v := range out {
					v.Name = node.Outputs[i].Name
				}
				return out, err
			}
		}
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	})
}
