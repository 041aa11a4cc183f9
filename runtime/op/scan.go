package op

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/graph/intern"
	"github.com/arignote/arignote/runtime/tensor"
)

// Scan runs the body of a Loop for a number of steps. Its operands are that number (an int64
// scalar), the sequences, of as many rows as there are steps, what each state begins with, and what
// stays the same in all steps. Its results are the states, and the rows of the other results.
//
// A state that is kept begins with as many rows as its earliest tap says, and its result has a row
// for each step; one that is not kept is what it was after the last step. With Until the loop ends
// after the first step whose condition is true, and results have fewer rows.
type Scan struct{ *Loop }

// A Loop is what a Scan does. It is never changed, and there is one Loop for all that are written
// the same by the same lines, so that a Scan is comparable and its body says whose lines it is made
// of. Those of other lines compute the same if their names are equal.
type Loop struct {
	// Body computes a step. Its inputs are a row of each sequence, each state at each of its taps,
	// and what stays the same; its outputs are the new value of each state, a row of each of the
	// other results and, with Until, a bool. It has no shared variables: who makes a loop of a
	// graph that has passes their values in.
	Body      *graph.FunctionGraph
	Sequences int
	States    []State
	Until     bool
	Truncate  int    // of how many of the last steps gradients are made; 0 for all
	Label     string // the user's name for the loop

	text  string
	flow  sync.Once
	flows [][]bool // of each operand and result, whether a gradient goes from this to that
}

// A State is a value that a step computes of its values in steps before.
type State struct {
	Taps []int // how many steps back, as negative numbers: -2 -1. A state that is not kept has -1 alone
	Kept bool  // all values are wanted, not only the last
}

// Depth is the number of values that a state begins with.
func (s State) Depth() int { return -slices.Min(s.Taps) }

func (s State) String() string {
	words := make([]string, len(s.Taps))
	for i, t := range s.Taps {
		words[i] = strconv.Itoa(t)
	}
	text := strings.Join(words, ":")
	if !s.Kept {
		text += "!"
	}
	return text
}

func parseState(text string) (s State, err error) {
	taps, last := strings.CutSuffix(text, "!")
	s.Kept = !last
	for _, word := range strings.Split(taps, ":") {
		t, err := strconv.Atoi(word)
		if err != nil || t >= 0 {
			return s, fmt.Errorf("got tap %q, want a negative integer", word)
		}
		s.Taps = append(s.Taps, t)
	}
	return s, nil
}

// taps is the number of inputs of the body that are values of states.
func (l *Loop) taps() (n int) {
	for _, s := range l.States {
		n += len(s.Taps)
	}
	return n
}

// Results is the number of results that are no states.
func (l *Loop) Results() int {
	n := len(l.Body.Outputs) - len(l.States)
	if l.Until {
		n--
	}
	return n
}

// RowInputs, TapInputs and FixedInputs are the inputs of the body by what they stand for; those of
// taps are in the order of states, and of taps in each.
func (l *Loop) RowInputs() []V { return l.Body.Inputs[:l.Sequences] }

// TapInputs are the inputs of the body that are values of states in steps before.
func (l *Loop) TapInputs() []V { return l.Body.Inputs[l.Sequences:][:l.taps()] }

// FixedInputs are the inputs of the body that are the same in each step.
func (l *Loop) FixedInputs() []V { return l.Body.Inputs[l.Sequences+l.taps():] }

var loops intern.Table[innerKey, Loop]

// NewScan returns the Scan of a loop, which the caller gives away.
func NewScan(l *Loop) Scan {
	var err error
	if l.text, err = l.params(writeGraph); err != nil {
		panic("BUG: " + err.Error())
	}
	if key, ok := keyOfInner(l.text, l.Body); ok {
		l = loops.One(key, l)
	}
	return Scan{l}
}

// params writes l, with what write says of its body.
func (l *Loop) params(write func(*graph.FunctionGraph) (string, error)) (string, error) {
	states := make([]string, len(l.States))
	for i, s := range l.States {
		states[i] = s.String()
	}
	text, err := write(l.Body)
	if err != nil {
		return "", err
	}
	body, err := Text(text).MarshalText()
	if err != nil {
		return "", err
	}
	label, err := Text(l.Label).MarshalText()
	return fmt.Sprintf("sequences=%d,states=%s,until=%t,truncate=%d,label=%s,body=%s", l.Sequences, strings.Join(states, " "), l.Until, l.Truncate, label, body), err
}

// NameBy is graph.Nesting's.
func (s Scan) NameBy(write func(*graph.FunctionGraph) (string, error)) (string, error) {
	text, err := s.params(write)
	return "scan{" + text + "}", err
}

// Over returns the Scan that computes its steps by another body.
func (l *Loop) Over(body *graph.FunctionGraph) Scan {
	return NewScan(&Loop{Body: body, Sequences: l.Sequences, States: l.States, Until: l.Until, Truncate: l.Truncate, Label: l.Label})
}

var _ = register(Scan{})

func (s Scan) Name() string {
	if s.Loop == nil { // the operation without its parameters
		return "scan"
	}
	return "scan{" + s.text + "}"
}

func (s Scan) parse(params string) (graph.Op, error) { return s.parseBy(params, readGraph) }

func (Scan) parseBy(params string, read func(text string) (*graph.FunctionGraph, error)) (graph.Op, error) {
	l := new(Loop)
	for _, param := range strings.Split(params, ",") {
		key, value, _ := strings.Cut(param, "=")
		var err error
		var text Text
		switch key {
		case "sequences":
			l.Sequences, err = strconv.Atoi(value)
		case "states":
			for _, word := range strings.Fields(value) {
				var st State
				if st, err = parseState(word); err != nil {
					break
				}
				l.States = append(l.States, st)
			}
		case "until":
			l.Until, err = strconv.ParseBool(value)
		case "truncate":
			l.Truncate, err = strconv.Atoi(value)
		case "label":
			err = text.UnmarshalText([]byte(value))
			l.Label = string(text)
		case "body":
			if err = text.UnmarshalText([]byte(value)); err == nil {
				l.Body, err = read(string(text))
			}
		default:
			err = fmt.Errorf("no parameter %q", key)
		}
		if err != nil {
			return nil, fmt.Errorf("op scan: parameter %s: %w", key, err)
		}
	}
	if l.Body == nil {
		return nil, fmt.Errorf("op scan: got no body")
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("op scan: %w", err)
	}
	return NewScan(l), nil
}

// check is for loops that were read.
func (l *Loop) check() error {
	switch {
	case l.Sequences < 0 || l.Sequences+l.taps() > len(l.Body.Inputs):
		return fmt.Errorf("the body has %d inputs, want %d rows and %d taps", len(l.Body.Inputs), l.Sequences, l.taps())
	case l.Results() < 0:
		return fmt.Errorf("the body has %d outputs, want those of %d states", len(l.Body.Outputs), len(l.States))
	case len(l.Body.SharedVariables()) > 0:
		return fmt.Errorf("the body has shared variables")
	case l.Truncate < 0:
		return fmt.Errorf("got %d steps to differentiate", l.Truncate)
	}
	for _, s := range l.States {
		if !s.Kept && !slices.Equal(s.Taps, []int{-1}) {
			return fmt.Errorf("a state that is not kept has taps %v, want -1", s.Taps)
		}
	}
	return nil
}

func (s Scan) TakesStates() {}

// ScanOperands are the operands of a Scan by what they stand for.
type ScanOperands struct {
	Steps              V
	Rows, Begin, Fixed []V
}

// Operands are a node's operands by what they stand for: the number of steps, sequences, what
// states begin with, and what stays the same.
func (l *Loop) Operands(in []V) (o ScanOperands) {
	rest := in[1:]
	o.Steps = in[0]
	o.Rows, rest = rest[:l.Sequences], rest[l.Sequences:]
	o.Begin, o.Fixed = rest[:len(l.States)], rest[len(l.States):]
	return o
}

func (s Scan) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if want := 1 + s.Sequences + len(s.States) + len(s.FixedInputs()); len(in) != want {
		return nil, fmt.Errorf("got %d operands, want %d", len(in), want)
	}
	o := s.Operands(in)
	if o.Steps.Type != graph.TypeOf(kernels.Int64) {
		return nil, fmt.Errorf("n_steps: got %v, want an int64 scalar", o.Steps.Type)
	}
	steps := graph.Unknown
	if o.Steps.IsConstant() && !s.Until {
		if steps = int(o.Steps.Data.Ints()[0]); steps < 0 {
			return nil, fmt.Errorf("n_steps: got %d, want 0 or more", steps)
		}
	}
	for i, v := range o.Rows {
		if err := accepts(s.RowInputs()[i].Type, rowType(v.Type)); v.Type.Rank() == 0 || err != nil {
			return nil, fmt.Errorf("sequence %d: got %v, want rows of %v", i+1, v.Type, s.RowInputs()[i].Type)
		}
	}
	types := make([]graph.Type, 0, len(s.Body.Outputs))
	taps := s.TapInputs()
	for i, st := range s.States {
		begin, want := o.Begin[i].Type, taps[0].Type
		taps = taps[len(st.Taps):]
		element := begin
		if st.Kept {
			if begin.Rank() == 0 || begin.Dim(0) != graph.Unknown && begin.Dim(0) != st.Depth() {
				return nil, fmt.Errorf("state %d: got %v to begin with, want %d rows of %v", i+1, begin, st.Depth(), want)
			}
			element = rowType(begin)
		}
		if err := accepts(want, element); err != nil {
			return nil, fmt.Errorf("state %d: got %v to begin with, want %v", i+1, element, want)
		}
		if err := accepts(want, s.Body.Outputs[i].Type); err != nil {
			return nil, fmt.Errorf("state %d: a step makes %v of %v", i+1, s.Body.Outputs[i].Type, want)
		}
		if want.State != graph.NoState {
			types = append(types, want)
			continue
		}
		dims := element.Dims() // which no step changes
		if st.Kept {
			dims = append([]int{steps}, dims...)
		}
		types = append(types, graph.TypeOf(want.DType, dims...))
	}
	for i, v := range o.Fixed {
		if err := accepts(s.FixedInputs()[i].Type, v.Type); err != nil {
			return nil, fmt.Errorf("operand %d: %w", 1+s.Sequences+len(s.States)+i, err)
		}
	}
	for _, v := range s.Body.Outputs[len(s.States):][:s.Results()] {
		if v.Type.Rank() == tensor.MaxRank {
			return nil, fmt.Errorf("a step makes %v, want at most %d dimensions", v.Type, tensor.MaxRank-1)
		}
		types = append(types, graph.TypeOf(v.Type.DType, append([]int{steps}, v.Type.Dims()...)...))
	}
	if s.Until {
		if c := s.Body.Outputs[len(s.Body.Outputs)-1].Type; c != graph.TypeOf(kernels.Bool) {
			return nil, fmt.Errorf("the condition to stop: got %v, want a bool", c)
		}
	}
	return types, nil
}

func accepts(t, u graph.Type) error {
	if !t.Accepts(u) {
		return fmt.Errorf("got %v, want %v", u, t)
	}
	return nil
}

// rowType is the type of a row of a value of type t.
func rowType(t graph.Type) graph.Type {
	if t.Rank() == 0 {
		return t
	}
	return graph.TypeOf(t.DType, t.Dims()[1:]...)
}

func (s Scan) Label() string {
	kind := "for"
	if s.Loop == nil {
		return "for"
	}
	if s.Until {
		kind = "do_whileall"
	}
	return kind + "{cpu," + s.name() + "}"
}

// name is the user's for the loop, or Theano's for any.
func (l *Loop) name() string { return cmp.Or(l.Label, "scan_fn") }

func (Scan) Class() string { return "scan_module.scan_op.Scan" }

// maxRows is how many rows v has at most, and has one of if that is not 0, where v has a row for
// each step of a loop that a condition ends; nil of others.
func (s Scan) maxRows(v V) V {
	if !s.Until || v.Index < len(s.States) && !s.States[v.Index].Kept {
		return nil
	}
	return s.Operands(v.Owner.Inputs).Steps
}

// Traits are those of what the body is made of.
func (s Scan) Traits() (all Traits) {
	if s.Loop == nil {
		return 0
	}
	for _, node := range s.Body.Toposort() {
		if o, ok := node.Op.(Structural); ok {
			all |= o.Traits() & (Jumps | Kinks | Bends | Acts | NearOne)
		}
	}
	return all
}

// Cost is what the nodes of the body do in all steps, each with operands of the lengths that it has
// here. What a step reads and writes between is not counted: small arrays stay in the cache.
func (s Scan) Cost(in, out []graph.Array) graph.Cost {
	steps := 0.0
	switch {
	case s.Results() > 0:
		steps = float64(out[len(s.States)].Shape[0])
	case slices.ContainsFunc(s.States, func(st State) bool { return st.Kept }):
		steps = float64(out[slices.IndexFunc(s.States, func(st State) bool { return st.Kept })].Shape[0])
	case s.Sequences > 0:
		steps = float64(in[1].Shape[0])
	}
	return graph.Once(steps*s.stepFlops(in), in, out)
}

// stepFlops is the work of one step for operands like these, as far as types tell.
func (s Scan) stepFlops(in []graph.Array) float64 {
	shapes := make([][]int, len(in))
	for i, a := range in {
		shapes[i] = a.Shape
	}
	return flopsOf(s.outputsAt(shapes))
}

// outputsAt are the outputs of the body for operands of these shapes: their types know the lengths
// that follow.
func (s Scan) outputsAt(shapes [][]int) []V {
	known := make(map[V]V)
	set := func(v V, shape []int) {
		if v.Type.State == graph.NoState {
			known[v] = graph.NewInput(v.Name, graph.TypeOf(v.Type.DType, shape...), nil)
		}
	}
	o := s.operandShapes(shapes)
	for i, v := range s.RowInputs() {
		set(v, o.rows[i][1:])
	}
	taps := s.TapInputs()
	for i, st := range s.States {
		shape := o.begin[i]
		if st.Kept {
			shape = shape[1:]
		}
		for range st.Taps {
			set(taps[0], shape)
			taps = taps[1:]
		}
	}
	for i, v := range s.FixedInputs() {
		set(v, o.fixed[i])
	}
	if results, err := graph.Replace(s.Body.Outputs, known, true); err == nil {
		return results
	}
	return s.Body.Outputs // a step will say what does not fit
}

// scanShapes are the shapes of a node's operands by what they stand for.
type scanShapes struct{ rows, begin, fixed [][]int }

func (s Scan) operandShapes(shapes [][]int) scanShapes {
	rest := shapes[1:]
	begin, fixed := rest[s.Sequences:][:len(s.States)], rest[s.Sequences+len(s.States):]
	return scanShapes{rest[:s.Sequences], begin, fixed}
}

func (s Scan) Cases() []Case {
	loop := func(sequences int, until bool, text string, states ...State) Scan {
		body, err := graph.Parse("case", text, Lookup)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		return NewScan(&Loop{Body: body, Sequences: sequences, States: states, Until: until})
	}
	kept, last := State{[]int{-1}, true}, State{[]int{-1}, false}
	recurrence := loop(1, false, "func(x float64[?], h float64[?], w float64[?])\n a = mul h w\n b = add a x\n c = tanh b\n return c", kept)
	taps := loop(0, false, "func(a float64[?], b float64[?])\n c = mul a b\n d = sin c\n return d, c", State{[]int{-3, -1}, true})
	sum := loop(1, false, "func(x float64[?], h float64[?])\n c = add h x\n return c", last)
	mapped := loop(2, false, "func(x float64[?], y float64[?])\n c = mul x y\n return c")
	stops := loop(1, true, "func(x float64[?], n int64, h float64[?])\n c = add h x\n m = add n 1\n s = ge m 2\n return m, c, s", last, kept)
	return slices.Concat(
		cases("4 float64[4,3] float64[1,3] float64[3]", recurrence),
		cases("5 float64[3,2]", taps),
		cases("3 float64[3,4] float64[4]", sum),
		cases("2 float64[2,3] float64[2,3]", mapped),
		cases("4 float64[4,3] 0 float64[1,3]", stops))
}

// Requires: a sequence has a row for each step, a state begins with as many values as its taps say,
// and what a step requires of lengths holds in the first one, after which states have the lengths
// that they had.
func (s Scan) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	o := s.Operands(node.Inputs)
	step := make(map[V]V) // what the first step gets
	rows := make(map[V]V) // what these are the first row of
	first := func(v, all V) bool {
		if all.Type.Dim(0) == 0 {
			return false
		}
		step[v] = m.Apply(Subtensor{"0"}, all)
		rows[step[v]] = all
		return true
	}
	some := true
	for i, v := range o.Rows {
		r.equal(o.Steps, r.length(v, 0), 0)
		some = first(s.RowInputs()[i], v) && some
	}
	taps := s.TapInputs()
	for i, st := range s.States {
		if st.Kept {
			r.equal(r.number(st.Depth()), r.length(o.Begin[i], 0), 0)
		}
		for range st.Taps {
			if !st.Kept {
				step[taps[0]] = o.Begin[i]
			} else {
				some = first(taps[0], o.Begin[i]) && some
			}
			taps = taps[1:]
		}
	}
	for i, v := range s.FixedInputs() {
		step[v] = o.Fixed[i]
	}
	if !some || o.Steps.IsConstant() && o.Steps.Data.Ints()[0] == 0 {
		return r.list
	}
	inFirst := graph.Replacing(step, true)
	outputs := make([]V, len(s.Body.Outputs))
	for i, v := range s.Body.Outputs {
		var err error
		if outputs[i], err = inFirst(v); err != nil {
			return r.list // a step will say what does not fit
		}
	}
	needs := graph.FindNeeds(s.Body.Outputs) // outputs are made of all that operands are made of
	for _, n := range needs.Order {
		if q, ok := n.Op.(Requirer); ok && needs.Of(n) == graph.Always {
			if v, _ := inFirst(n.Outputs[0]); v.Owner != nil {
				r.list = append(r.list, q.Requires(m, v.Owner)...)
			}
		}
	}
	for i, st := range s.States {
		if o.Begin[i].Type.State != graph.NoState {
			continue
		}
		lead := 0
		if st.Kept {
			lead = 1
		}
		for axis := range outputs[i].Type.Rank() {
			r.equal(r.length(o.Begin[i], lead+axis), r.length(outputs[i], axis), -1)
		}
	}
	// The lengths of a first row are those of all rows. Lengths that its elements decide are not
	// asked for: there may be no row.
	sides := func() (all []V) {
		for _, q := range r.list {
			all = append(all, q.A, q.B)
		}
		return all
	}
	by := make(map[V]V)
	for _, n := range graph.Toposort(sides()) {
		if l, ok := n.Op.(ShapeI); ok && rows[n.Inputs[0]] != nil {
			by[n.Outputs[0]] = r.length(rows[n.Inputs[0]], l.Axis+1)
		}
	}
	replace := graph.Replacing(by, true)
	for i := range r.list {
		q := &r.list[i]
		a, err1 := replace(q.A)
		b, err2 := replace(q.B)
		if err1 == nil && err2 == nil {
			q.A, q.B = a, b
		}
	}
	reads := readsRow(sides())
	return slices.DeleteFunc(r.list, func(q Requirement) bool { return reads[q.A.Owner] || reads[q.B.Owner] })
}

// readsRow is what vars are computed with that is computed of the first row of something that may
// have none.
func readsRow(vars []V) map[*graph.Apply]bool {
	reads := make(map[*graph.Apply]bool)
	for _, n := range graph.Toposort(vars) {
		reads[n] = n.Op == graph.Op(Subtensor{"0"}) && n.Inputs[0].Type.Dim(0) == graph.Unknown ||
			slices.ContainsFunc(n.Inputs, func(u V) bool { return u.Owner != nil && reads[u.Owner] })
	}
	return reads
}
