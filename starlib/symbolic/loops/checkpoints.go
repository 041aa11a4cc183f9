package loops

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

type checkpointArgs struct {
	Fn            starlark.Callable `arg:"fn: what a step computes: see scan"`
	Sequences     starlark.Value    `arg:"sequences=None: what is gone through along the first axis: a variable, or a list of variables of the same length"`
	OutputsInfo   starlark.Value    `arg:"outputs_info=None: what each output begins with, or None for an output that no step reads"`
	NonSequences  starlark.Value    `arg:"non_sequences=None: what fn gets in every step as it is"`
	Name          string            `arg:"name=\"checkpointscan_fn\": the loops' name in profiles, to which _outer and _inner are added"`
	NSteps        starlark.Value    `arg:"n_steps=None: the number of steps; as many as the shortest sequence has rows"`
	Every         int               `arg:"save_every_N=10: of how many steps one is kept"`
	Padding       bool              `arg:"padding=True: whether to fill up sequences whose length is no multiple of save_every_N; False spares a copy of them"`
	ReturnUpdates bool              `arg:"return_updates=True: False returns the outputs alone, as PyTensor does"`
}

// checkpoints makes a loop whose steps are loops of a.Every steps. Of the inner ones nothing is
// kept but the end, so that a gradient computes their values again.
func checkpoints(s *symbolic.Session, thread *starlark.Thread, a *checkpointArgs) (starlark.Value, error) {
	const name = "scan_checkpoints"
	fail := func(err error) (starlark.Value, error) { return nil, s.Locate(fmt.Errorf("%s: %w", name, err)) }
	if a.Every < 1 {
		return fail(fmt.Errorf("for parameter save_every_N: got %d, want a number of steps above 0", a.Every))
	}
	b := s.Builder(thread)
	c := &scanBinding{s: s, b: b}
	infos := symbolic.Items(a.OutputsInfo)
	for i, v := range infos {
		begin, taps, err := c.options(v, "initial")
		if err == nil && taps != nil && !slices.Equal(taps, []int{-1}) {
			err = fmt.Errorf("got taps, which reach over the steps that are not kept: make the earlier values states of their own")
		}
		if err != nil {
			return fail(fmt.Errorf("for parameter outputs_info: item %d: %w", i, err))
		}
		if infos[i] = begin; symbolic.Absent(begin) {
			infos[i] = starlark.None
		}
	}
	chunks, err := c.chunks(a)
	if err != nil {
		return fail(err)
	}
	infos, others := slices.Clone(infos), symbolic.Items(a.NonSequences)
	label := func(what string) starlark.Value { return starlark.String(a.Name + what) }
	outer := starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		rows, rest := args[1:len(chunks)], args[len(chunks):]
		inner := slices.Clone(infos)
		for i, v := range inner {
			if v != starlark.None {
				inner[i], rest = rest[0], rest[1:]
			}
		}
		all, err := scan(s, thread, name, &scanArgs{Fn: a.Fn, Sequences: rows, OutputsInfo: slot.NewList(inner), NonSequences: rest, NSteps: args[0],
			Truncate: -1, Name: label("_inner"), ReturnUpdates: true})
		if err != nil {
			return nil, err
		}
		ends, err := lastRows(s, s.Builder(thread), all)
		if err != nil {
			return nil, err
		}
		if pair := ends.(starlark.Tuple); pair[0] == starlark.None {
			return pair[1], nil
		}
		return ends, nil
	})
	return scan(s, thread, name, &scanArgs{Fn: outer, Sequences: slot.NewList(chunks), OutputsInfo: slot.NewList(infos), NonSequences: slot.NewList(others),
		Truncate: -1, Name: label("_outer"), ReturnUpdates: a.ReturnUpdates})
}

// chunks are the sequences of the outer loop: how many steps an inner one makes, which are fewer in
// the last, and the rows that it goes through.
func (c *scanBinding) chunks(a *checkpointArgs) (list []starlark.Value, err error) {
	defer graph.Catch(&err)
	b := c.b
	number := func(n int) *graph.Variable { return b.Constant(tensor.IntScalar(kernels.Int64, int64(n))) }
	if err := c.steps(a.NSteps); err != nil {
		return nil, err
	}
	steps := c.spec.Steps
	var sequences []*graph.Variable
	for i, v := range symbolic.Items(a.Sequences) {
		x, taps, err := c.options(v, "input")
		if err == nil && taps != nil && !slices.Equal(taps, []int{0}) {
			err = fmt.Errorf("got taps, which reach over the steps that are not kept: pass x[1:] and x[:-1] as two sequences")
		}
		if err == nil && symbolic.Absent(x) {
			err = fmt.Errorf("want dict(input=x)")
		}
		var all *graph.Variable
		if err == nil {
			all, err = c.s.Variable(b, x, nil)
		}
		if err == nil && all.Type.Rank() == 0 {
			err = fmt.Errorf("got %v, which has no axis to go along; non_sequences are handed to fn as they are", all.Type)
		}
		if err == nil && all.Type.Rank() == tensor.MaxRank {
			err = fmt.Errorf("got %v, want at most %d dimensions", all.Type, tensor.MaxRank-1)
		}
		if err != nil {
			return nil, fmt.Errorf("for parameter sequences: item %d: %w", i, err)
		}
		sequences = append(sequences, all)
		if a.NSteps == nil || a.NSteps == starlark.None {
			if n := op.Lengths(b, all)[0]; steps == nil {
				steps = n
			} else {
				steps = b.Apply(op.Minimum, steps, n)
			}
		}
	}
	if steps == nil {
		return nil, fmt.Errorf("got neither sequences nor n_steps, which say how many steps there are")
	}
	every := number(a.Every)
	count := b.Apply(op.IntDiv, b.Apply(op.Add, steps, number(a.Every-1)), every)
	begins := b.Apply(op.ARange{}, number(0), b.Apply(op.Mul, count, every), every)
	list = append(list, symbolic.Symbol{S: c.s, V: b.Apply(op.Minimum, every, b.Apply(op.Sub, steps, begins))})
	for _, x := range sequences {
		x = b.Apply(op.Subtensor{Index: ":i"}, x, steps)
		if a.Padding {
			lengths := op.Lengths(b, x)
			lengths[0] = b.Apply(op.Sub, b.Apply(op.Mul, count, every), steps)
			fill := b.Apply(op.Alloc{}, append([]*graph.Variable{b.Like(x, 0)}, lengths...)...)
			x = b.Apply(op.Join{}, x, fill)
		}
		lengths := op.Lengths(b, x)
		x = formula.Reshape(b, x, append([]*graph.Variable{count, every}, lengths[1:]...))
		list = append(list, symbolic.Symbol{S: c.s, V: x})
	}
	return list, nil
}
