package formula

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Scan is a loop as its user writes it: what a step computes of variables that stand for what it
// gets, and of any others, which stay the same in all steps.
type Scan struct {
	Steps    V // an int64 scalar; nil for as many as the sequences have rows
	Rows     []ScanSequence
	Results  []ScanResult
	Updates  []graph.Update // of shared variables, by each step
	Until    V              // a bool after which the loop ends; nil for none
	Truncate int            // of how many of the last steps gradients are made; 0 for all
	Label    string
	// NonSequences are variables that are the same in all steps whatever they are computed of: what
	// is drawn at random for them is drawn once, before the loop.
	NonSequences []V
	Strict       bool // a step reads no shared variable but those of NonSequences
}

// A ScanSequence is a sequence: At stands for a row of All.
type ScanSequence struct{ At, All V }

// A ScanResult is what a step computes of a value that is kept.
type ScanResult struct {
	Value V
	// Initial is what the value begins with if steps read it: with Depth above 0, so many rows. At
	// stands for the value so many steps back as Taps says.
	Initial V
	Depth   int
	Taps    []int
	At      []V
}

// RowOf is the type of a value, and of a row of several.
func RowOf(t graph.Type) graph.Type {
	return graph.TypeOf(t.DType, t.Dims()[1:]...)
}

// Apply makes the loop. out are the values of all steps, without those that it began with, and
// after the updates that steps make; shared variables with a default update that a step reads are
// updated too.
func (s *Scan) Apply(b *graph.Builder) (out []V, updates []graph.Update, err error) {
	defer graph.Catch(&err)
	m := &scanMaker{Builder: b, inner: make(map[V]bool), subst: make(map[V]V), held: make(map[V]V)}
	if s, err = m.hold(s); err != nil {
		return nil, nil, err
	}
	m.spec = s
	for _, r := range s.Rows {
		m.inputs, m.inner[r.At] = append(m.inputs, r.At), true
	}
	var loop op.Loop
	loop.Sequences, loop.Truncate, loop.Label = len(s.Rows), s.Truncate, s.Label
	var begin, values, others []V
	for _, r := range s.Results {
		if r.Initial == nil {
			others = append(others, r.Value)
			continue
		}
		for _, v := range r.At {
			m.inputs, m.inner[v] = append(m.inputs, v), true
		}
		start := r.Initial
		if r.Depth == 0 {
			start = leading(b, start)
		}
		value, err := fitState(b, r.At[0].Type, r.Value)
		if err != nil {
			return nil, nil, err
		}
		loop.States = append(loop.States, op.State{Taps: r.Taps, Kept: true})
		begin, values = append(begin, start), append(values, value)
	}
	shared, err := m.shared(slices.Concat(values, others, only(s.Until)))
	if err != nil {
		return nil, nil, err
	}
	for _, u := range shared {
		value, err := fitState(b, u.Shared.Type, u.Value)
		if err != nil {
			return nil, nil, fmt.Errorf("the update of %s: %w", graph.Mention(u.Shared), err)
		}
		loop.States = append(loop.States, op.State{Taps: []int{-1}})
		begin, values = append(begin, u.Shared), append(values, value)
	}
	outputs := slices.Concat(values, others, only(s.Until))
	stays, err := m.outside(outputs)
	if err != nil {
		return nil, nil, err
	}
	body, err := graph.Replace(outputs, m.subst, false)
	if err != nil {
		return nil, nil, err
	}
	loop.Until = s.Until != nil
	loop.Body = &graph.FunctionGraph{Inputs: m.inputs, Outputs: body}
	steps, rows := m.rows()
	made, err := b.Make(op.NewScan(&loop), slices.Concat([]V{steps}, rows, begin, stays)...)
	if err != nil {
		return nil, nil, err
	}
	states, results := made[:len(loop.States)], made[len(loop.States):]
	for _, r := range s.Results {
		if r.Initial == nil {
			out, results = append(out, results[0]), results[1:]
			continue
		}
		out, states = append(out, states[0]), states[1:]
	}
	for i, u := range shared {
		updates = append(updates, graph.Update{Shared: u.Shared, Value: states[i]})
	}
	return out, updates, nil
}

func only(v V) []V {
	if v == nil {
		return nil
	}
	return []V{v}
}

// leading is v with an axis of length 1 before its own.
func leading(b *graph.Builder, v V) V {
	order := []int{tensor.NewAxis}
	for axis := range v.Type.Rank() {
		order = append(order, axis)
	}
	return b.Apply(op.NewDimShuffle(order), v)
}

// fitState is a value of a state of type t as the next step reads it.
func fitState(b *graph.Builder, t graph.Type, v V) (V, error) {
	if v.Type.DType != t.DType {
		if kernels.Promote(v.Type.DType, t.DType) != t.DType {
			return nil, fmt.Errorf("a step makes %v of a value that begins as %v: begin with %v, as T.cast(initial, %[1]q) does, or cast what the step makes", v.Type.DType, t.DType, v.Type.DType)
		}
		v = b.Apply(op.Cast(t.DType), v)
	}
	if v.Type.Rank() != t.Rank() {
		return nil, fmt.Errorf("a step makes %v of a value that begins as %v: want the same number of dimensions", v.Type, t)
	}
	if t.Accepts(v.Type) {
		return v, nil
	}
	for axis := range t.Rank() {
		if t.Dim(axis) == 1 && v.Type.Dim(axis) != 1 {
			return nil, fmt.Errorf("a step makes %v of a value that begins as %v: T.unbroadcast(initial, %d) says that the length of axis %[3]d need not be 1", v.Type, t, axis)
		}
	}
	return b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, v), nil
}

// scanMaker takes the body of a loop out of the graph that a user's step has made.
type scanMaker struct {
	*graph.Builder
	spec   *Scan
	inputs []V
	inner  map[V]bool // what changes from step to step
	subst  map[V]V    // what stands in the body for what is outside
	held   map[V]V    // the one of spec.NonSequences that a variable of steps stands for
}

// hold is s in which variables stand for those of s.NonSequences that each step would compute anew,
// since they are made of random numbers or of shared variables that steps change.
func (m *scanMaker) hold(s *Scan) (*Scan, error) {
	updated := make(map[V]bool)
	for _, u := range s.Updates {
		updated[u.Shared] = true
	}
	subst := make(map[V]V)
	for _, v := range s.NonSequences {
		if v.Owner == nil || subst[v] != nil {
			continue
		}
		fg := &graph.FunctionGraph{Outputs: []V{v}}
		if slices.ContainsFunc(fg.Toposort(), func(n *graph.Apply) bool { return op.ActsOf(n.Op) }) ||
			slices.ContainsFunc(fg.SharedVariables(), func(x V) bool { return x.Shared.Default != nil || updated[x] }) {
			at := graph.NewInput(v.Name, v.Type, v.Origin)
			subst[v], m.held[at] = at, v
		}
	}
	if len(subst) == 0 {
		return s, nil
	}
	var values []V
	for _, r := range s.Results {
		values = append(values, r.Value)
	}
	for _, u := range s.Updates {
		values = append(values, u.Value)
	}
	values, err := graph.Replace(append(values, only(s.Until)...), subst, false)
	if err != nil {
		return nil, err
	}
	t := *s
	t.Results, t.Updates = slices.Clone(s.Results), slices.Clone(s.Updates)
	for i := range t.Results {
		t.Results[i].Value, values = values[0], values[1:]
	}
	for i := range t.Updates {
		t.Updates[i].Value, values = values[0], values[1:]
	}
	if s.Until != nil {
		t.Until = values[0]
	}
	return &t, nil
}

// strictly refuses v if it is computed of a shared variable that is not given to the loop.
func (m *scanMaker) strictly(v V) error {
	seen := make(map[V]bool)
	var check func(v V) error
	check = func(v V) error {
		if seen[v] || v.IsConstant() || m.held[v] != nil || slices.Contains(m.spec.NonSequences, v) {
			return nil
		}
		seen[v] = true
		if v.Owner == nil && v.Shared == nil {
			return nil
		}
		if v.Owner == nil {
			return fmt.Errorf("fn uses the shared variable %s, which is not among non_sequences: list it there, or pass strict=False", graph.Mention(v))
		}
		for _, in := range v.Owner.Inputs {
			if err := check(in); err != nil {
				return err
			}
		}
		return nil
	}
	return check(v)
}

// shared finds the shared variables that steps change: those that the user says, and those with a
// default update that a step reads. Each becomes an input.
func (m *scanMaker) shared(outputs []V) (list []graph.Update, err error) {
	known := make(map[V]bool)
	add := func(u graph.Update) {
		v := graph.NewInput(u.Shared.Name, u.Shared.Type, u.Shared.Origin)
		m.inner[u.Shared], m.subst[u.Shared], known[u.Shared] = true, v, true
		m.inputs, list = append(m.inputs, v), append(list, u)
		outputs = append(slices.Clone(outputs), u.Value)
	}
	for _, u := range m.spec.Updates {
		if known[u.Shared] {
			return nil, fmt.Errorf("%s is updated twice; its last value is one expression", graph.Mention(u.Shared))
		}
		add(u)
	}
	for more := true; more; {
		more = false
		for _, v := range (&graph.FunctionGraph{Outputs: outputs}).SharedVariables() {
			if d := v.Shared.Default; d != nil && !known[v] {
				add(graph.Update{Shared: v, Value: d})
				more = true
			}
		}
	}
	return list, nil
}

// outside finds what the body reads that is computed outside of the loop, and gives it inputs. A
// few numbers that are known stay in the body: single ones, and shapes, by which lengths are known.
func (m *scanMaker) outside(outputs []V) (stays []V, err error) {
	changes := func(v V) bool {
		if v.Owner == nil {
			return m.inner[v]
		}
		return m.inner[v.Owner.Outputs[0]]
	}
	for _, node := range graph.Toposort(outputs) {
		if slices.ContainsFunc(node.Inputs, changes) || op.ActsOf(node.Op) {
			m.inner[node.Outputs[0]] = true
		}
	}
	seen := make(map[V]bool)
	visit := func(v V) error {
		if changes(v) || seen[v] || isFew(v) {
			return nil
		}
		seen[v] = true
		if m.spec.Strict {
			if err := m.strictly(v); err != nil {
				return err
			}
		}
		in := graph.NewInput(v.Name, v.Type, v.Origin)
		m.subst[v], m.inputs, stays = in, append(m.inputs, in), append(stays, v)
		return nil
	}
	for _, node := range graph.Toposort(outputs) {
		if !m.inner[node.Outputs[0]] {
			continue
		}
		for _, v := range node.Inputs {
			if err := visit(v); err != nil {
				return nil, err
			}
		}
	}
	for _, v := range outputs {
		if err := visit(v); err != nil {
			return nil, err
		}
	}
	if len(m.held) > 0 {
		return graph.Replace(stays, m.held, false)
	}
	return stays, nil
}

// isFew reports whether v is a constant of few numbers, or computed of such.
func isFew(v V) bool {
	if v.IsConstant() {
		return v.Data.Size() <= tensor.MaxRank
	}
	if v.Owner == nil || op.ActsOf(v.Owner.Op) || v.Type.Rank() > 1 || v.Type.Rank() == 1 && (v.Type.Dim(0) == graph.Unknown || v.Type.Dim(0) > tensor.MaxRank) {
		return false
	}
	return !slices.ContainsFunc(v.Owner.Inputs, func(in V) bool { return !isFew(in) })
}

// rows are the number of steps, and the sequences cut to it.
func (m *scanMaker) rows() (steps V, all []V) {
	steps = m.spec.Steps
	if steps == nil {
		for _, r := range m.spec.Rows {
			n := op.Lengths(m.Builder, r.All)[0]
			switch {
			case steps == nil:
				steps = n
			case steps.IsConstant() && n.IsConstant():
				if n.Data.Ints()[0] < steps.Data.Ints()[0] {
					steps = n
				}
			default:
				steps = m.Apply(op.Minimum, steps, n)
			}
		}
	}
	for _, r := range m.spec.Rows {
		v := r.All
		known := steps.IsConstant() && v.Type.Dim(0) == int(steps.Data.Ints()[0])
		if !known && (m.spec.Steps != nil || len(m.spec.Rows) > 1) {
			v = m.Apply(op.Subtensor{Index: ":i"}, v, steps)
		}
		all = append(all, v)
	}
	return steps, all
}
