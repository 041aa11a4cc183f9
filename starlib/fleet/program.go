package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/graphfile"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/saving"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Runner runs compiled functions in a session of its own.
type Runner struct{ Session *session.Session }

// Open compiles a function.
func (r Runner) Open(ctx context.Context, _, hash string, text []byte) (cluster.Program, error) {
	p := &program{s: r.Session, name: hash[:12] + graphfile.Suffix}
	err := r.Session.Protect(ctx, "open", func(*starlark.Thread) error {
		v, err := saving.Decode(symbolic.In(r.Session), p.name, text)
		if err != nil {
			return err
		}
		f, ok := v.(*symbolic.Function)
		if !ok {
			return fmt.Errorf("got %s, want a compiled function", v.Type())
		}
		p.f = f
		for _, u := range f.Changes() {
			if !isRandom(u) {
				return changes(f, graph.Mention(u.Shared))
			}
			p.states = append(p.states, state{u.Shared, u.Shared.Shared.Get().Copy()})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot compile the function: %s", err)
	}
	return p, nil
}

// A program is a function that is ready.
type program struct {
	s      *session.Session
	f      *symbolic.Function
	name   string
	states []state
}

// A state is where a function draws random numbers from, with the value that it was sent with.
type state struct {
	v     *graph.Variable
	first *tensor.Dense
}

// Run calls the function for each item of a task.
func (p *program) Run(ctx context.Context, n int, input []byte) (output []byte, err error) {
	item, shown := 0, ""
	err = p.s.Protect(ctx, "task", func(thread *starlark.Thread) error {
		s := symbolic.In(p.s)
		v, err := saving.Decode(s, "input", input)
		if err != nil {
			return err
		}
		in, ok := v.(starlark.Tuple)
		if !ok || len(in) != 2 {
			return fmt.Errorf("task: got %s, want a pair of the first item's number and the items", v.Type())
		}
		first, err := starlark.AsInt32(in[0])
		items, isList := in[1].(*slot.List)
		if err != nil || !isList {
			return fmt.Errorf("task: got (%s, %s), want a number and a list", in[0].Type(), in[1].Type())
		}
		results := make([]starlark.Value, 0, items.Len())
		for i := range items.Len() {
			item, shown = first+i, ""
			for _, st := range p.states {
				st.v.Shared.Set(seeded(st.first, st.v.Type.State, first+i))
			}
			args, isTuple := items.Index(i).(starlark.Tuple)
			if !isTuple {
				args = starlark.Tuple{items.Index(i)}
			}
			r, err := value.Call(thread, p.f, args, nil)
			if err != nil {
				shown = briefly(items.Index(i))
				return err
			}
			results = append(results, r)
		}
		output, err = saving.Encode(s, slot.NewList(results))
		return err
	})
	if err == nil {
		return output, nil
	}
	return nil, p.failure(err, item, shown)
}

// failure is an error as the caller gets it.
func (p *program) failure(err error, item int, input string) *cluster.Failure {
	f := &cluster.Failure{Class: "Error", Message: err.Error()}
	var told *session.Error
	if errors.As(err, &told) {
		f.Class, f.Message = told.Name(), told.Error()
		var annotated session.Annotated
		if errors.As(told.Unwrap(), &annotated) {
			f.Notes = slices.Clone(annotated.ErrorNotes())
		}
	}
	f.Message = strings.ReplaceAll(f.Message, p.name+"/", "")
	for i := range f.Notes {
		f.Notes[i] = strings.ReplaceAll(f.Notes[i], p.name+"/", "")
	}
	if input != "" {
		f.Notes = append(f.Notes, fmt.Sprintf("item %d: %s was called with %s", item, p.f.Name(), input))
	}
	return f
}

// briefly is a value as text of a line.
func briefly(v starlark.Value) string {
	const most = 200
	text := strings.Join(strings.Fields(value.Repr(v)), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// changes refuses a function that changes something.
func changes(f *symbolic.Function, what string) error {
	return fmt.Errorf("%s changes %s, and a task leaves nothing behind: each would begin with the value that the function was sent with, and what it changed would be lost. "+
		"Return the new value as an output of a function without updates, or pass f.copy(delete_updates=True)", f.Name(), what)
}
