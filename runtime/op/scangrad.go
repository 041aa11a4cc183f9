package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Grad is a loop from the last step to the first (backpropagation through time). Its body is the
// gradient of the body, which is differentiated once, however many steps there are. It has a state
// for each value of a state that a step may read, which is the gradient with respect to it as far
// as it is known, and one for each operand that stays the same, whose gradient is a sum over the
// steps.
func (s Scan) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	w := &scanGrad{Builder: b, inside: &graph.Builder{Origin: b.Origin, Differentiate: b.Differentiate}, Scan: s, node: node, operands: s.Operands(node.Inputs), g: g}
	grads := make([]V, len(node.Inputs))
	if w.findEnds(); len(w.ends) == 0 {
		return grads
	}
	w.differentiate()
	w.readForward()
	w.goBack()
	w.sumUp()
	w.giveRows()
	w.run(grads)
	return grads
}

// Connects: a result depends on the operands of which a step makes it, or a state that it is made
// of in this step or in an earlier one.
func (s Scan) Connects(_ *graph.Apply, in, out int) bool {
	s.flow.Do(func() { s.flows = s.connections() })
	return s.flows[in][out]
}

func (s Scan) connections() [][]bool {
	flows, results := flowsOf(s.Body), len(s.States)+s.Results()
	taps := s.Sequences // of the inputs of the body, the first that is a value of a state
	for more := true; more; {
		more = false
		tap := taps
		for i, st := range s.States {
			for range st.Taps {
				for k := range results {
					for u := range flows {
						if flows[tap][k] && flows[u][i] && !flows[u][k] {
							flows[u][k], more = true, true
						}
					}
				}
				tap++
			}
		}
	}
	all := [][]bool{make([]bool, results)} // how many steps there are
	at := 0
	operand := func(inputs int) {
		row := make([]bool, results)
		for k := range row {
			row[k] = slices.ContainsFunc(flows[at:at+inputs], func(to []bool) bool { return to[k] })
		}
		all, at = append(all, row), at+inputs
	}
	for range s.Sequences {
		operand(1)
	}
	for _, st := range s.States {
		operand(len(st.Taps))
	}
	for range s.FixedInputs() {
		operand(1)
	}
	return all
}

// scanGrad makes the gradient of a Scan.
type scanGrad struct {
	*graph.Builder
	inside *graph.Builder // of bodies
	Scan
	node     *graph.Apply
	operands ScanOperands
	g        []V // of each result, nil of some

	ends  []int // outputs of the body on which the cost depends
	seeds []V   // of each output, what stands for its gradient in a step; nil of others
	back  []V   // the gradients of a step, of each input of the body; nil of some
	steps V     // how many there were

	loop                    Loop    // the new one
	rows, states, fixed     []V     // inputs of its body
	sequences, begin, stays []V     // and the operands that they stand for
	next, results           []V     // outputs of its body
	pending                 [][]int // of each state of the old loop, states of the new one: for its value in this step, in the one before, ...
	sums                    []int   // of each operand that stays the same, a state of the new loop; -1 of some
	given                   []int   // of each old sequence, a result of the new loop; -1 of some
}

// findEnds finds the outputs of the body on which the cost depends, in this step or in a later one.
func (w *scanGrad) findEnds() {
	outputs := w.Body.Outputs[:len(w.States)+w.Results()]
	needed := make([]bool, len(outputs))
	w.seeds = make([]V, len(w.Body.Outputs))
	for i, g := range w.g {
		needed[i] = g != nil && outputs[i].Type.DType.IsFloat()
	}
	for changed := true; changed; {
		changed = false
		var vars []V
		for i, v := range outputs {
			if needed[i] {
				vars = append(vars, v)
			}
		}
		read := inputsOf(vars)
		taps := w.TapInputs()
		for i, st := range w.States {
			for range st.Taps {
				if v := taps[0]; read[v] && !needed[i] && v.Type.DType.IsFloat() {
					needed[i], changed = true, true
				}
				taps = taps[1:]
			}
		}
	}
	for i, v := range outputs {
		if needed[i] {
			w.ends = append(w.ends, i)
			w.seeds[i] = graph.NewInput("", v.Type, v.Origin)
		}
	}
}

// inputsOf is the set of variables without owner that vars are made of.
func inputsOf(vars []V) map[V]bool {
	read := make(map[V]bool)
	for v := range (&graph.FunctionGraph{Outputs: vars}).Roots() {
		read[v] = true
	}
	return read
}

// differentiate makes the gradient of a step.
func (w *scanGrad) differentiate() {
	var cost V
	for _, i := range w.ends {
		v := w.Body.Outputs[i]
		part := w.inside.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(v.Type.Rank())}, w.inside.Apply(Mul, v, w.seeds[i]))
		if cost == nil {
			cost = part
		} else {
			cost = w.inside.Apply(Add, cost, part)
		}
	}
	var wrt []V
	var at []int
	for i, v := range w.Body.Inputs {
		if v.Type.DType.IsFloat() && v.Type.State == graph.NoState {
			wrt, at = append(wrt, v), append(at, i)
		}
	}
	grads, err := w.Differentiate(cost, wrt)
	if err != nil {
		panic(err)
	}
	w.back = make([]V, len(w.Body.Inputs))
	for k, i := range at {
		w.back[i] = grads[k]
	}
}

// present are the variables of a list that are there.
func present(vars []V) []V {
	return slices.DeleteFunc(slices.Clone(vars), func(v V) bool { return v == nil })
}

// replaced are variables, nil of some, with others put into them.
func (w *scanGrad) replaced(vars []V, by map[V]V) []V {
	list, err := graph.Replace(present(vars), by, false)
	if err != nil {
		panic(err)
	}
	out := make([]V, len(vars))
	for i, v := range vars {
		if v != nil {
			out[i], list = list[0], list[1:]
		}
	}
	return out
}

// readForward gives the new loop what its steps read of the old one's, from the last step on. What
// was drawn at random is not drawn again.
func (w *scanGrad) readForward() {
	var drawn []V
	for _, node := range graph.Toposort(present(w.back)) {
		if !slices.ContainsFunc(node.Inputs, func(v V) bool { return v.Type.State != graph.NoState }) {
			continue
		}
		for _, v := range node.Outputs {
			if v.Type.State == graph.NoState {
				drawn = append(drawn, v)
			}
		}
	}
	stands := make(map[V]V)
	for _, v := range drawn {
		stands[v] = graph.NewInput("", v.Type, v.Origin)
	}
	w.back = w.replaced(w.back, stands)
	read := inputsOf(present(w.back))
	states, rows := w.forward(read, drawn)

	for i, v := range w.RowInputs() {
		if read[v] {
			all := w.operands.Rows[i]
			if w.Until {
				all = w.span(all, 0)
			}
			w.row(v, all)
		}
	}
	taps := w.TapInputs()
	for i, st := range w.States {
		for _, tap := range st.Taps {
			if read[taps[0]] {
				w.row(taps[0], w.span(w.history(i, states[i]), st.Depth()+tap))
			}
			taps = taps[1:]
		}
	}
	for i, v := range drawn {
		w.row(stands[v], rows[i])
	}
	for _, i := range w.ends {
		if i >= len(w.States) {
			w.row(w.seeds[i], w.g[i])
		}
	}
}

// forward returns all values of the states that are read, and of what was drawn, and notes how many
// steps there were. If the loop did not keep them, one that does takes its place.
func (w *scanGrad) forward(read map[V]bool, drawn []V) (states, rows []V) {
	kept := slices.Clone(w.States)
	taps := w.TapInputs()
	more := len(drawn) > 0
	counts := -1 // a result with a row for each step
	for i, st := range w.States {
		if !st.Kept && read[taps[0]] || w.Until && !st.Kept && counts < 0 && taps[0].Type.State == graph.NoState {
			kept[i].Kept, more = true, true
		}
		if kept[i].Kept && counts < 0 {
			counts = i
		}
		taps = taps[len(st.Taps):]
	}
	out := w.node.Outputs
	if more {
		last := len(w.States) + w.Results()
		body := &graph.FunctionGraph{Name: w.Body.Name, Inputs: w.Body.Inputs, Outputs: slices.Concat(w.Body.Outputs[:last], drawn, w.Body.Outputs[last:])}
		l := &Loop{Body: body, Sequences: w.Sequences, States: kept, Until: w.Until, Truncate: w.Truncate, Label: w.Loop.Label}
		in := slices.Clone(w.node.Inputs)
		for i, st := range kept {
			if st.Kept && !w.States[i].Kept {
				in[1+w.Sequences+i] = algebra{w.Builder}.inserted(in[1+w.Sequences+i], 0)
			}
		}
		var err error
		if out, err = (&graph.Builder{Origin: w.node.Origin(), Made: w.Made}).Make(NewScan(l), in...); err != nil {
			panic(err)
		}
		rows = out[last:]
	}
	if w.steps = w.operands.Steps; w.Until {
		if counts < 0 {
			counts = len(w.States)
		}
		w.steps = w.Apply(ShapeI{}, out[counts])
	}
	return out[:len(w.States)], rows
}

// history is all values of state i, those that it began with before rows.
func (w *scanGrad) history(i int, rows V) V {
	begin := w.operands.Begin[i]
	if !w.States[i].Kept {
		begin = algebra{w.Builder}.inserted(begin, 0)
	}
	return w.Apply(Join{}, begin, rows)
}

func (w *scanGrad) number(n int) V {
	return w.Constant(tensor.IntScalar(w.operands.Steps.Type.DType, int64(n)))
}

// row gives the new loop a sequence, the rows of one of the old loop's from the last on.
func (w *scanGrad) row(v, all V) {
	w.rows, w.sequences = append(w.rows, v), append(w.sequences, w.Apply(Subtensor{"::-1"}, all))
}

// span is the part of all from a row on, of as many rows as there were steps.
func (w *scanGrad) span(all V, from int) V {
	if from == 0 {
		return w.Apply(Subtensor{":i"}, all, w.steps)
	}
	return w.Apply(Subtensor{Subscripts(fmt.Sprint(from, ":i"))}, all, w.Apply(Add, w.steps, w.number(from)))
}

// zerosLike is an array of zeros of v's type and lengths.
func zerosLike(b *graph.Builder, v V) V { return b.Apply(Second, v, b.Like(v, 0)) }

// conform is v, of whose lengths as much is known as t says.
func conform(b *graph.Builder, v V, t graph.Type) V {
	if t.Accepts(v.Type) {
		return v
	}
	return b.Apply(SpecifyShape{Dims: DimsOf(t)}, v)
}

// state gives the new loop a state.
func (w *scanGrad) state(v, begin V) (at int) {
	w.states, w.begin, w.next = append(w.states, v), append(w.begin, begin), append(w.next, nil)
	w.loop.States = append(w.loop.States, State{Taps: []int{-1}})
	return len(w.states) - 1
}

// goBack gives the new loop the gradients that go from step to step.
func (w *scanGrad) goBack() {
	w.pending = make([][]int, len(w.States))
	total := make(map[V]V)
	first := make([]V, len(w.States)) // of each state, an input of the old body
	for i, taps := 0, w.TapInputs(); i < len(w.States); i++ {
		first[i], taps = taps[0], taps[len(w.States[i].Taps):]
	}
	for _, i := range w.ends {
		if i >= len(w.States) {
			continue
		}
		st, element := w.States[i], w.operands.Begin[i]
		if st.Kept {
			element = w.Apply(Subtensor{"0"}, element)
		}
		for k := range st.Depth() {
			start := zerosLike(w.Builder, element)
			if k == 0 && !st.Kept && w.g[i] != nil {
				start = conform(w.Builder, w.g[i], first[i].Type)
			}
			w.pending[i] = append(w.pending[i], w.state(graph.NewInput("", first[i].Type, w.node.Origin()), start))
		}
		sum := w.states[w.pending[i][0]]
		if st.Kept && w.g[i] != nil { // from outside of the loop
			v := graph.NewInput("", rowType(w.g[i].Type), w.node.Origin())
			w.row(v, w.g[i])
			sum = w.inside.Apply(Add, sum, v)
		}
		total[w.seeds[i]] = conform(w.inside, sum, w.seeds[i].Type)
	}
	w.back = w.replaced(w.back, total)
	tap := w.Sequences
	for i, st := range w.States {
		places := w.pending[i]
		for k := range len(places) - 1 {
			w.next[places[k]] = w.states[places[k+1]]
		}
		for _, t := range st.Taps {
			if share := w.back[tap]; share != nil && places != nil {
				to := &w.next[places[-t-1]]
				if *to != nil {
					share = w.inside.Apply(Add, *to, share)
				}
				*to = conform(w.inside, share, first[i].Type)
			}
			tap++
		}
		for _, at := range places {
			if w.next[at] == nil {
				w.next[at] = zerosLike(w.inside, w.states[at])
			}
		}
	}
}

// sumUp gives the new loop the gradients of what stays the same.
func (w *scanGrad) sumUp() {
	for i, v := range w.FixedInputs() {
		w.sums = append(w.sums, -1)
		if share := w.back[w.Sequences+w.taps()+i]; share != nil {
			sum := graph.NewInput("", v.Type, w.node.Origin())
			w.sums[i] = w.state(sum, zerosLike(w.Builder, w.operands.Fixed[i]))
			w.next[w.sums[i]] = conform(w.inside, w.inside.Apply(Add, sum, share), v.Type)
		}
	}
}

// giveRows gives the new loop the gradients of sequences.
func (w *scanGrad) giveRows() {
	for i, v := range w.RowInputs() {
		w.given = append(w.given, -1)
		if share := w.back[i]; share != nil {
			w.given[i] = len(w.results)
			w.results = append(w.results, conform(w.inside, share, v.Type))
		}
	}
}

// run applies the new loop, and takes the gradients out of its results.
func (w *scanGrad) run(grads []V) {
	outputs := slices.Concat(w.next, w.results)
	if len(outputs) == 0 {
		return
	}
	read := inputsOf(outputs)
	for i, v := range w.FixedInputs() {
		if read[v] {
			w.fixed, w.stays = append(w.fixed, v), append(w.stays, w.operands.Fixed[i])
		}
	}
	n := w.steps
	if w.Truncate > 0 {
		n = w.Apply(Minimum, w.steps, w.number(w.Truncate))
		for i, v := range w.sequences {
			w.sequences[i] = w.Apply(Subtensor{":i"}, v, n)
		}
	}
	w.loop.Body = &graph.FunctionGraph{Name: w.Body.Name, Inputs: slices.Concat(w.rows, w.states, w.fixed), Outputs: outputs}
	w.loop.Sequences, w.loop.Label = len(w.rows), "grad_of_"+w.Loop.Label
	out, err := w.Make(NewScan(&w.loop), slices.Concat([]V{n}, w.sequences, w.begin, w.stays)...)
	if err != nil {
		panic(err)
	}
	results := out[len(w.states):]
	for i, k := range w.given {
		if k >= 0 {
			grads[1+i] = w.allRows(i, w.Apply(Subtensor{"::-1"}, results[k]), n)
		}
	}
	for i, places := range w.pending {
		if places != nil {
			grads[1+w.Sequences+i] = w.ofBegin(i, places, out, n)
		}
	}
	for i, at := range w.sums {
		if at >= 0 {
			grads[1+w.Sequences+len(w.States)+i] = out[at]
		}
	}
}

// allRows is the gradient of sequence i, of which d are the rows of the last n steps: the others do
// not matter.
func (w *scanGrad) allRows(i int, d, n V) V {
	x := w.operands.Rows[i]
	if w.Truncate == 0 && !w.Until {
		return d
	}
	return w.Apply(IncSubtensor{Index: "i:i", Set: true}, zerosLike(w.Builder, x), d, w.Apply(Sub, w.steps, n), w.steps)
}

// ofBegin is the gradient of what state i begins with.
func (w *scanGrad) ofBegin(i int, places []int, out []V, n V) V {
	st := w.States[i]
	var d V
	if !st.Kept {
		d = out[places[0]]
	} else {
		var rows []V
		for _, at := range slices.Backward(places) {
			rows = append(rows, algebra{w.Builder}.inserted(out[at], 0))
		}
		if d = rows[0]; len(rows) > 1 {
			d = w.Apply(Join{}, rows...)
		}
	}
	if w.Truncate > 0 { // steps before the last n count for nothing
		d = w.Apply(Switch, w.Apply(Lt, n, w.steps), w.Like(d, 0), d)
	}
	return conform(w.Builder, d, w.operands.Begin[i].Type)
}
