package loops

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type scanArgs struct {
	Fn            starlark.Callable `arg:"fn: what a step computes: a function of the rows of sequences, the values of outputs in steps before, and non_sequences, in this order. It returns a variable or a list, a dict of updates, until(condition), or a tuple of these"`
	Sequences     starlark.Value    `arg:"sequences=None: what is gone through along the first axis: a variable, a list, or a dict(input=x, taps=[-1, 0]) for rows before and after the current one"`
	OutputsInfo   starlark.Value    `arg:"outputs_info=None: what each output begins with: a variable that the next step gets, a dict(initial=x, taps=[-2, -1]), whose x has a row for each value, or None for an output that no step reads"`
	NonSequences  starlark.Value    `arg:"non_sequences=None: what fn gets in every step as it is. fn may use other variables without being given them"`
	NSteps        starlark.Value    `arg:"n_steps=None: the number of steps; as many as the shortest sequence has rows"`
	Truncate      int               `arg:"truncate_gradient=-1: of how many of the last steps gradients are made; -1 for all"`
	GoBackwards   bool              `arg:"go_backwards=False: whether to go through the sequences from the end"`
	Mode          starlark.Value    `arg:"mode=None: accepted: steps are compiled in the mode of the function"`
	Name          starlark.Value    `arg:"name=None: the loop's name in profiles"`
	Profile       starlark.Value    `arg:"profile=False: accepted: a profile of the function has the loop"`
	AllowGC       starlark.Value    `arg:"allow_gc=None: accepted: see function"`
	Strict        bool              `arg:"strict=False: whether fn may use no shared variables but those of non_sequences"`
	ReturnList    bool              `arg:"return_list=False: whether one output is a list too"`
	ReturnUpdates bool              `arg:"return_updates=True: False returns the outputs alone, as PyTensor does"`
}

const scanExample = `theano.scan(lambda x, total: total + x, sequences=T.arange(5), outputs_info=T.constant(0, dtype="int64"))[0].eval() # array([ 0,  1,  3,  6, 10])`

// ScanTable is theano.scan, and what is made of it.
var ScanTable = []value.Builtin{
	value.Function("scan", "A loop in the graph: fn is called once, with variables that stand for what a step gets, and what it returns is computed in every step. "+
		"Returns the outputs of all steps, along a new first axis, and a dict of the updates to hand to function().", scanExample,
		func(thread *starlark.Thread, a *scanArgs) (starlark.Value, error) {
			return scan(symbolic.SessionOf(thread), thread, "scan", a)
		}),
	value.Function("map", "What fn makes of each row of the sequences, and the updates: scan without outputs_info.",
		`theano.map(lambda x: x ** 2, T.arange(4))[0].eval() # array([0, 1, 4, 9])`,
		func(thread *starlark.Thread, a *struct {
			Fn            starlark.Callable `arg:"fn: what a step computes of a row of each sequence and of non_sequences"`
			Sequences     starlark.Value    `arg:"sequences: a variable, or a list of them"`
			NonSequences  starlark.Value    `arg:"non_sequences=None: what fn gets in every step as it is"`
			Truncate      int               `arg:"truncate_gradient=-1: of how many of the last steps gradients are made; -1 for all"`
			GoBackwards   bool              `arg:"go_backwards=False: whether to go through the sequences from the end"`
			Mode          starlark.Value    `arg:"mode=None: accepted: steps are compiled in the mode of the function"`
			Name          starlark.Value    `arg:"name=None: the loop's name in profiles"`
			ReturnUpdates bool              `arg:"return_updates=True: False returns the outputs alone, as PyTensor does"`
		}) (starlark.Value, error) {
			return scan(symbolic.SessionOf(thread), thread, "map", &scanArgs{Fn: a.Fn, Sequences: a.Sequences, NonSequences: a.NonSequences, Truncate: a.Truncate,
				GoBackwards: a.GoBackwards, Mode: a.Mode, Name: a.Name, ReturnUpdates: a.ReturnUpdates})
		}),
	fold("reduce", "What is left after fn was called with each row of the sequences and what the call before returned, and the updates: the last outputs of scan.",
		`theano.reduce(lambda x, total: total + x, T.arange(5), T.constant(0, dtype="int64"))[0].eval() # 10`),
	fold("foldl", "What is left after fn was called with each row of the sequences, from the first, and what the call before returned: reduce.",
		`theano.foldl(lambda x, r: r * 2 + x, T.arange(3), T.constant(0, dtype="int64"))[0].eval() # 4`),
	fold("foldr", "What is left after fn was called with each row of the sequences, from the last, and what the call before returned.",
		`theano.foldr(lambda x, r: r * 2 + x, T.arange(3), T.constant(0, dtype="int64"))[0].eval() # 10`),
	value.Function("scan_checkpoints", "scan of which one step in save_every_N is kept, and what a gradient needs of the others is computed again: less memory for a little time. "+
		"Returns what outputs were after each save_every_N steps, and in the end, and the updates.",
		`theano.scan_checkpoints(lambda x, total: total + x, T.arange(5), 0, save_every_N=2)[0].eval() # array([ 1,  6, 10])`,
		func(thread *starlark.Thread, a *checkpointArgs) (starlark.Value, error) {
			return checkpoints(symbolic.SessionOf(thread), thread, a)
		}),
	value.Function("until", "What a step of scan returns to end the loop: it is the last one if the condition is true.",
		`theano.scan(lambda x: (x * 2, theano.scan_module.until(x * 2 > 10)), outputs_info=T.constant(1, dtype="int64"), n_steps=100)[0].eval() # array([ 2,  4,  8, 16])`,
		func(thread *starlark.Thread, a *struct {
			Condition starlark.Value `arg:"condition: a scalar, which is true in the last step"`
		}) (starlark.Value, error) {
			s := symbolic.SessionOf(thread)
			v, err := s.Variable(s.Builder(thread), a.Condition, nil)
			if err != nil {
				return nil, fmt.Errorf("until: %w", err)
			}
			if v.Type.Rank() != 0 {
				return nil, fmt.Errorf("until: got %v, want a scalar: T.all(c) or T.any(c) of its elements", v.Type)
			}
			return untilValue{v}, nil
		}),
}

type foldArgs struct {
	Fn            starlark.Callable `arg:"fn: what a step computes of a row of each sequence, of what the step before has made, and of non_sequences"`
	Sequences     starlark.Value    `arg:"sequences: a variable, or a list of them"`
	OutputsInfo   starlark.Value    `arg:"outputs_info: what the outputs begin with"`
	NonSequences  starlark.Value    `arg:"non_sequences=None: what fn gets in every step as it is"`
	GoBackwards   bool              `arg:"go_backwards=False: whether to go through the sequences from the end"`
	Mode          starlark.Value    `arg:"mode=None: accepted: steps are compiled in the mode of the function"`
	Name          starlark.Value    `arg:"name=None: the loop's name in profiles"`
	ReturnUpdates bool              `arg:"return_updates=True: False returns the outputs alone, as PyTensor does"`
}

// fold is the row of a function that returns what scan's last step makes.
func fold(name, doc, example string) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *foldArgs) (starlark.Value, error) {
		s := symbolic.SessionOf(thread)
		all, err := scan(s, thread, name, &scanArgs{Fn: a.Fn, Sequences: a.Sequences, OutputsInfo: a.OutputsInfo, NonSequences: a.NonSequences, Truncate: -1,
			GoBackwards: a.GoBackwards != (name == "foldr"), Mode: a.Mode, Name: a.Name, ReturnUpdates: a.ReturnUpdates})
		if err != nil {
			return nil, err
		}
		return lastRows(s, s.Builder(thread), all)
	})
}

// lastRows is what scan has returned, of each output the last row.
func lastRows(s *symbolic.Session, b *graph.Builder, returned starlark.Value) (starlark.Value, error) {
	switch v := returned.(type) {
	case starlark.Tuple: // outputs and updates
		ends, err := lastRows(s, b, v[0])
		return starlark.Tuple{ends, v[1]}, err
	case *slot.List:
		ends := make([]starlark.Value, v.Len())
		for i := range ends {
			var err error
			if ends[i], err = lastRows(s, b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return slot.NewList(ends), nil
	case symbolic.Symbol:
		return s.Apply(b, op.Subtensor{Index: "-1"}, v.V)
	}
	return returned, nil // None: there are updates only
}

// untilValue is what until() returns.
type untilValue struct{ v *graph.Variable }

func (u untilValue) String() string        { return "until(" + graph.Mention(u.v) + ")" }
func (u untilValue) Type() string          { return "until" }
func (u untilValue) Freeze()               {}
func (u untilValue) Truth() starlark.Bool  { return true }
func (u untilValue) Hash() (uint32, error) { return 0, errors.New("unhashable type: until") }

// A scanBinding reads the arguments of a loop.
type scanBinding struct {
	s     *symbolic.Session
	b     *graph.Builder
	spec  formula.Scan
	rows  starlark.Tuple // what fn gets, in order
	begin starlark.Tuple
	stays starlark.Tuple
	infos []formula.ScanResult // of each output that outputs_info speaks of
}

// scan calls fn once and makes the loop of what it returns.
func scan(s *symbolic.Session, thread *starlark.Thread, name string, a *scanArgs) (starlark.Value, error) {
	c := &scanBinding{s: s, b: s.Builder(thread)}
	fail := func(err error) (starlark.Value, error) { return nil, s.Locate(fmt.Errorf("%s: %w", name, err)) }
	if !symbolic.Absent(a.Mode) {
		if _, err := s.GetMode(a.Mode); err != nil {
			return fail(err)
		}
	}
	if err := c.read(a); err != nil {
		return fail(err)
	}
	if err := c.takes(a.Fn); err != nil {
		return fail(err)
	}
	returned, err := value.Call(thread, a.Fn, slices.Concat(c.rows, c.begin, c.stays), nil)
	if err != nil {
		return nil, err
	}
	single, err := c.take(returned)
	if err != nil {
		return fail(err)
	}
	out, updates, err := c.spec.Apply(c.b)
	if err != nil {
		return fail(err)
	}
	var outputs starlark.Value = symbolic.SymbolList(s, out)
	switch {
	case len(out) == 0 && !a.ReturnList:
		outputs = starlark.None
	case single && !a.ReturnList:
		outputs = symbolic.Symbol{S: s, V: out[0]}
	}
	if !a.ReturnUpdates {
		if len(updates) > 0 {
			return fail(fmt.Errorf("return_updates=False would lose the update of %s, which fn makes", graph.Mention(updates[0].Shared)))
		}
		return outputs, nil
	}
	dict := slot.NewDict(len(updates))
	for _, u := range updates {
		if u.Shared.Shared.Default != nil { // whoever does not hand the updates on gets numbers that go on all the same
			u.Shared.Shared.Default = u.Value
		}
		if err := dict.SetKey(symbolic.Symbol{S: s, V: u.Shared}, symbolic.Symbol{S: s, V: u.Value}); err != nil {
			return fail(err)
		}
	}
	return starlark.Tuple{outputs, dict}, nil
}

// read makes variables that stand for what a step gets.
func (c *scanBinding) read(a *scanArgs) error {
	if a.Name != nil && a.Name != starlark.None {
		name, ok := starlark.AsString(a.Name)
		if !ok {
			return fmt.Errorf("for parameter name: got %s, want a string", a.Name.Type())
		}
		c.spec.Label = name
	}
	if a.Truncate == 0 || a.Truncate < -1 {
		return fmt.Errorf("for parameter truncate_gradient: got %d, want a number of steps above 0, or -1 for all", a.Truncate)
	}
	c.spec.Truncate = max(a.Truncate, 0)
	if err := c.steps(a.NSteps); err != nil {
		return err
	}
	for i, v := range symbolic.Items(a.Sequences) {
		if err := c.sequence(v, a.GoBackwards); err != nil {
			return fmt.Errorf("for parameter sequences: item %d: %w", i, err)
		}
	}
	if c.spec.Steps == nil && len(c.spec.Rows) == 0 {
		return fmt.Errorf("got neither sequences nor n_steps, which say how many steps there are")
	}
	for i, v := range symbolic.Items(a.OutputsInfo) {
		if err := c.output(v); err != nil {
			return fmt.Errorf("for parameter outputs_info: item %d: %w", i, err)
		}
	}
	for i, v := range symbolic.Items(a.NonSequences) {
		x, err := c.s.Variable(c.b, v, nil)
		if err != nil {
			return fmt.Errorf("for parameter non_sequences: item %d: %w", i, err)
		}
		c.stays, c.spec.NonSequences = append(c.stays, symbolic.Symbol{S: c.s, V: x}), append(c.spec.NonSequences, x)
	}
	c.spec.Strict = a.Strict
	return nil
}

// takes refuses a function of another number of arguments than a step gets, which is most often for
// want of outputs_info.
func (c *scanBinding) takes(fn starlark.Callable) error {
	f, ok := fn.(value.Def)
	if !ok {
		return nil
	}
	least, most := 0, f.NumParams()-f.NumKwonlyParams()
	if f.HasKwargs() {
		most--
	}
	if f.HasVarargs() {
		most--
	}
	for i := range most {
		if f.ParamDefault(i) == nil {
			least++
		}
	}
	got := len(c.rows) + len(c.begin) + len(c.stays)
	if got >= least && (got <= most || f.HasVarargs()) {
		return nil
	}
	takes := fmt.Sprintf("%d arguments", least)
	switch {
	case f.HasVarargs():
		takes = fmt.Sprintf("%d or more arguments", least)
	case most > least:
		takes = fmt.Sprintf("%d to %d arguments", least, most)
	case least == 1:
		takes = "1 argument"
	}
	return fmt.Errorf("fn takes %s, and a step gets %d: %d of sequences, %d of outputs_info and %d of non_sequences, in this order", takes, got, len(c.rows), len(c.begin), len(c.stays))
}

// steps reads how many steps there are at most.
func (c *scanBinding) steps(n starlark.Value) error {
	if symbolic.Absent(n) {
		return nil
	}
	v, err := c.s.Variable(c.b, n, nil)
	if err != nil {
		return fmt.Errorf("for parameter n_steps: %w", err)
	}
	if v.Type.Rank() != 0 || !v.Type.DType.IsInteger() {
		return fmt.Errorf("for parameter n_steps: got %v, want an integer", v.Type)
	}
	if v.IsConstant() && v.Data.Ints()[0] < 0 {
		return fmt.Errorf("for parameter n_steps: got %d, want 0 or more; go_backwards=True goes from the end", v.Data.Ints()[0])
	}
	c.spec.Steps = symbolic.CastTo(c.b, v, kernels.Int64)
	return nil
}

// goneKeys are keys that old versions of Theano took beside taps, and what to do instead.
var goneKeys = map[string]string{
	"return_steps": "take the rows you need of the output, out[-1] or out[-n:], and no others are kept",
	"inplace":      "leave it out, results are made in place wherever that is safe",
	"membuf":       "leave it out, no more values are kept than are read",
}

// options reads dict(input=..., taps=...) or dict(initial=..., taps=...): the value under the name,
// and the taps, nil if there are none.
func (c *scanBinding) options(v starlark.Value, name string) (x starlark.Value, taps []int, err error) {
	d, ok := v.(*slot.Dict)
	if !ok {
		return v, nil, nil
	}
	for _, item := range d.Items() {
		key, _ := starlark.AsString(item[0])
		switch {
		case key == name:
			x = item[1]
		case goneKeys[key] != "":
			return nil, nil, fmt.Errorf("got the key %q, which scan does not have any more: %s", key, goneKeys[key])
		case key != "taps":
			return nil, nil, fmt.Errorf("got the key %s, want %q or \"taps\"", item[0], name)
		case item[1] == starlark.None:
		default:
			for _, t := range symbolic.Items(item[1]) {
				var k int
				if err := starlark.AsInt(t, &k); err != nil {
					return nil, nil, fmt.Errorf("taps: got %s, want integers", t.Type())
				}
				if slices.Contains(taps, k) {
					return nil, nil, fmt.Errorf("taps: %d is there twice", k)
				}
				taps = append(taps, k)
			}
			if taps == nil {
				if name == "input" {
					return nil, nil, fmt.Errorf("taps: got none, want integers, or leave taps out for [0]")
				}
				return nil, nil, fmt.Errorf("taps: got none, want negative numbers, or leave taps out for [-1]")
			}
		}
	}
	return x, taps, nil
}

// sequence reads one of the sequences: a step gets a row for each tap.
func (c *scanBinding) sequence(v starlark.Value, backwards bool) error {
	x, taps, err := c.options(v, "input")
	if err != nil {
		return err
	}
	if x == nil {
		return fmt.Errorf(`want dict(input=x, taps=[...])`)
	}
	all, err := c.s.Variable(c.b, x, nil)
	if err != nil {
		return err
	}
	if all.Type.Rank() == 0 {
		return fmt.Errorf("got %v, which has no axis to go along; non_sequences are handed to fn as they are", all.Type)
	}
	if taps == nil {
		taps = []int{0}
	}
	first, last := min(slices.Min(taps), 0), max(slices.Max(taps), 0)
	for _, t := range taps {
		// Rows for which some tap is before the first or behind the last are no steps.
		part := all
		switch from, until := t-first, t-last; {
		case until < 0:
			part, err = c.cut(all, op.Subscripts(fmt.Sprintf("%d:%d", from, until)))
		case from > 0:
			part, err = c.cut(all, op.Subscripts(fmt.Sprintf("%d:", from)))
		}
		if err == nil && backwards {
			part, err = c.cut(part, "::-1")
		}
		if err != nil {
			return err
		}
		at := graph.NewInput(stepName(all, t), formula.RowOf(part.Type), c.b.Origin)
		if x := symbolic.TestValue(part); x != nil && x.Dim(0) > 0 {
			c.test(at, x.Row(0))
		}
		c.spec.Rows = append(c.spec.Rows, formula.ScanSequence{At: at, All: part})
		c.rows = append(c.rows, symbolic.Symbol{S: c.s, V: at})
	}
	return nil
}

// test gives a variable that stands for what the first step gets its test value.
func (c *scanBinding) test(at *graph.Variable, x *tensor.Dense) {
	if c.s.Config().String("compute_test_value") != "off" {
		symbolic.TagOf(symbolic.Symbol{S: c.s, V: at}).Test = x.Copy()
	}
}

func (c *scanBinding) cut(v *graph.Variable, index op.Subscripts) (*graph.Variable, error) {
	out, err := c.b.Make(op.Subtensor{Index: index}, v)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// stepName is what Theano calls a row of v, or a value that begins as v.
func stepName(v *graph.Variable, tap int) string {
	if v.Name == "" {
		return ""
	}
	if tap == 0 {
		return v.Name + "[t]"
	}
	return fmt.Sprintf("%s[t%+d]", v.Name, tap)
}

// output reads what an output begins with.
func (c *scanBinding) output(v starlark.Value) error {
	x, taps, err := c.options(v, "initial")
	if err != nil {
		return err
	}
	if symbolic.Absent(x) {
		if taps != nil {
			return fmt.Errorf(`got taps without "initial", which has the values that the first step reads`)
		}
		c.infos = append(c.infos, formula.ScanResult{})
		return nil
	}
	if n, ok := x.(starlark.Int); ok { // int8 as everywhere else would overflow in the first steps
		if k, ok := n.Int64(); ok {
			x = symbolic.Symbol{S: c.s, V: c.b.Constant(tensor.IntScalar(kernels.Int64, k))}
		}
	}
	begin, err := c.s.Variable(c.b, x, nil)
	if err != nil {
		return err
	}
	if begin.Type.State != graph.NoState {
		return fmt.Errorf("got the state of a random number generator: draw from a RandomStreams in fn, whose state goes on from step to step")
	}
	r := formula.ScanResult{Initial: begin, Taps: taps}
	t := begin.Type
	switch {
	case taps == nil:
		r.Taps = []int{-1}
	case slices.Max(taps) >= 0:
		return fmt.Errorf("taps: got %d, want negative numbers: a step cannot read what it or a later one makes", slices.Max(taps))
	case slices.Equal(taps, []int{-1}):
	default:
		r.Depth = -slices.Min(taps)
		if t.Rank() == 0 {
			return fmt.Errorf("initial: got %v, want %d rows, as the earliest tap says", t, r.Depth)
		}
		if n := t.Dim(0); n != graph.Unknown && n < r.Depth {
			return fmt.Errorf("initial: got %v, want %d rows, as the earliest tap says", t, r.Depth)
		}
		if r.Initial, err = c.cut(begin, op.Subscripts(fmt.Sprintf(":%d", r.Depth))); err != nil {
			return err
		}
		t = formula.RowOf(t)
	}
	if t.Rank() == tensor.MaxRank {
		return fmt.Errorf("initial: got %v, want at most %d dimensions", t, tensor.MaxRank-1)
	}
	for _, tap := range r.Taps {
		at := graph.NewInput(stepName(begin, tap), t, c.b.Origin)
		switch x := symbolic.TestValue(r.Initial); {
		case x == nil:
		case r.Depth == 0:
			c.test(at, x)
		case x.Dim(0) == r.Depth:
			c.test(at, x.Row(r.Depth+tap))
		}
		r.At = append(r.At, at)
		c.begin = append(c.begin, symbolic.Symbol{S: c.s, V: at})
	}
	c.infos = append(c.infos, r)
	return nil
}

// take reads what fn has returned, and reports whether it was one output, not in a list.
func (c *scanBinding) take(returned starlark.Value) (single bool, err error) {
	var outputs []starlark.Value
	some := false
	kind := func(v starlark.Value) (taken bool, err error) {
		switch v := v.(type) {
		case untilValue:
			if c.spec.Until != nil {
				return true, fmt.Errorf("fn returned two conditions")
			}
			c.spec.Until = symbolic.CastTo(c.b, v.v, kernels.Bool)
			return true, nil
		case *slot.Dict:
			c.spec.Updates, err = c.s.Updates(c.b, v)
			return true, err
		case *slot.List, starlark.Tuple:
			if isEffect(v) {
				c.spec.Updates, err = c.s.Updates(c.b, v)
				return true, err
			}
		}
		return false, nil
	}
	taken, err := kind(returned)
	if err != nil {
		return false, err
	}
	parts, isTuple := returned.(starlark.Tuple)
	if list, ok := returned.(*slot.List); ok && slices.ContainsFunc(symbolic.Items(list), isEffect) {
		parts, isTuple = symbolic.Items(list), true
	}
	switch {
	case taken:
	case returned == starlark.None:
		return false, fmt.Errorf("fn returned None, want a variable, a list of variables, a dict of updates, or a tuple of these")
	case isTuple && slices.ContainsFunc(parts, func(v starlark.Value) bool { return isPart(v) }):
		for _, p := range parts {
			if taken, err = kind(p); err != nil {
				return false, err
			}
			if taken {
				continue
			}
			_, isList := p.(*slot.List)
			_, isTuple := p.(starlark.Tuple)
			if some && (isList || isTuple) {
				return false, fmt.Errorf("fn returned two lists of outputs, want all of them in one; T.stack(list) is one output")
			}
			if some {
				outputs = append(outputs, p)
				continue
			}
			some = true
			outputs = append(outputs, symbolic.Items(p)...)
			single = !isList && !isTuple
		}
	default:
		outputs = symbolic.Items(returned)
		_, isList := returned.(*slot.List)
		single = !isList && !isTuple
	}
	single = single || len(outputs) == 1
	if len(c.infos) == 0 {
		c.infos = make([]formula.ScanResult, len(outputs))
	}
	if len(outputs) != len(c.infos) {
		return false, fmt.Errorf("fn returned %d outputs, and outputs_info speaks of %d: give each output what it begins with, or None", len(outputs), len(c.infos))
	}
	for i, v := range outputs {
		var like *graph.Variable
		if len(c.infos[i].At) > 0 {
			like = c.infos[i].At[0]
		}
		if f := value.AsBuiltin(v); f != nil && f.Name == "until" {
			return false, fmt.Errorf("output %d of fn: got the function until, want until(condition)", i+1)
		}
		x, err := c.s.Variable(c.b, v, like)
		if err != nil {
			return false, fmt.Errorf("output %d of fn: %w", i+1, err)
		}
		if x.Type.State != graph.NoState {
			return false, fmt.Errorf("output %d of fn: got the state of a random number generator, want numbers: its update goes into the dict of updates", i+1)
		}
		r := c.infos[i]
		r.Value = x
		c.spec.Results = append(c.spec.Results, r)
	}
	return single, nil
}

// isPart reports whether v is a part of what fn returns that is not an output: a list of outputs,
// updates or a condition.
func isPart(v starlark.Value) bool {
	switch v.(type) {
	case *slot.List, starlark.Tuple, *slot.Dict, untilValue:
		return true
	}
	return false
}

// isEffect reports whether v is updates or a condition.
func isEffect(v starlark.Value) bool {
	switch v := v.(type) {
	case *slot.Dict, untilValue:
		return true
	case *slot.List, starlark.Tuple:
		list := symbolic.Items(v)
		return len(list) > 0 && !slices.ContainsFunc(list, func(v starlark.Value) bool { return !isPair(v) })
	}
	return false
}

// isPair reports whether v is a pair of a shared variable and its new value.
func isPair(v starlark.Value) bool {
	p, ok := v.(starlark.Tuple)
	if !ok || len(p) != 2 {
		return false
	}
	x, ok := p[0].(symbolic.Symbol)
	return ok && x.V.Shared != nil
}
