package symbolic

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	nprandom "github.com/arignote/arignote/starlib/np/random"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// The types of variables that are states of generators, as users see them.
var stateTypes = map[graph.StateKind]struct{ variable, shared string }{
	graph.RandomState:    {"RandomStateVariable", "RandomStateSharedVariable"},
	graph.GeneratorState: {"RandomGeneratorVariable", "RandomGeneratorSharedVariable"},
}

// NewState is a shared variable whose value is the state of a generator.
func (s *Session) NewState(name string, words *tensor.Dense, t graph.Type, origin *graph.Origin) Symbol {
	return Symbol{s, graph.NewShared(name, t, words, origin)}
}

// StateValue reads a value for a variable of a type of states: a generator, or the words of its
// state as a file keeps them.
func StateValue(want graph.Type, x starlark.Value) (*tensor.Dense, error) {
	if a, ok := x.(*np.Array); ok && a.Dense().DType() == want.DType && want.AcceptsShape(a.Dense().Shape()) {
		words := a.Dense().Copy()
		_, err := nprandom.FromState(words)
		return words, err
	}
	words, t, ok := nprandom.StateOf(x)
	switch {
	case !ok && want.State == graph.GeneratorState:
		return nil, fmt.Errorf("got %s, want a Generator: np.random.default_rng(seed)", x.Type())
	case !ok:
		return nil, fmt.Errorf("got %s, want a RandomState: np.random.RandomState(seed)", x.Type())
	case t != want:
		return nil, fmt.Errorf("got the state of a %v, want that of a %v", t, want)
	}
	return words, nil
}

// Seeded is the state of a new generator of a kind.
func Seeded(kind graph.StateKind, seed starlark.Value) (*tensor.Dense, error) {
	if kind == graph.RandomState {
		r, err := nprandom.SeedOf(seed)
		if err != nil {
			return nil, err
		}
		return nprandom.WordsOf(r), nil
	}
	seeds, err := nprandom.SeedSequenceOf(seed)
	if err != nil {
		return nil, err
	}
	return nprandom.WordsOf(random.NewGeneratorOf(seeds)), nil
}

// checkState says why words are no state of a generator of type t.
func checkState(t graph.Type, words *tensor.Dense) error {
	v, err := nprandom.FromState(words)
	if err != nil {
		return err
	}
	_, err = StateValue(t, v)
	return err
}

// fromRun is what users get of an array that is a result of a function: one of a state is a
// generator.
func (s *Session) fromRun(t graph.Type, a *tensor.Dense) starlark.Value {
	if t.State != graph.NoState {
		v, err := nprandom.FromState(a)
		if err != nil {
			panic(err)
		}
		return v
	}
	return np.FromDenseIn(s, a)
}

// stateMethods are the methods of shared variables that hold states.
var stateMethods = []value.Builtin{
	{Name: "get_value", Params: []value.Param{{Name: "borrow", Default: "False", Doc: "for Theano's sake: the generator is a copy in any case"}},
		Doc:     "A RandomState or a Generator in the state that the variable holds. To change the variable, give it back with set_value.",
		Example: "shared(np.random.RandomState(0)).get_value().randint(10) # 5",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if _, err := b.Bind(args, kwargs); err != nil {
				return nil, err
			}
			return nprandom.FromState(b.Receiver().(Symbol).V.Shared.Get())
		}},
	{Name: "set_value", Params: []value.Param{{Name: "new_value", Default: "None", Doc: "a RandomState or a Generator, as the variable holds"},
		{Name: "borrow", Default: "False", Doc: "for Theano's sake: the state is copied in any case"},
		{Name: "seed", Default: "None", Doc: "instead of a value: a seed of a new one"}},
		Doc: "Replaces the state.", Example: "shared(np.random.RandomState(0)).set_value(np.random.RandomState(1)) == None # True",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			given, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			x := b.Receiver().(Symbol)
			if Absent(given[0]) == Absent(given[2]) {
				return nil, fmt.Errorf("set_value: want a new value, or seed=: one of them")
			}
			var words *tensor.Dense
			if Absent(given[0]) {
				words, err = Seeded(x.V.Type.State, given[2])
			} else {
				words, err = StateValue(x.V.Type, given[0])
			}
			if err != nil {
				return nil, fmt.Errorf("set_value: %w", err)
			}
			x.V.Shared.Set(words)
			x.S.Observing.Changed("set_value changes", InputName(x.V, 0))
			return starlark.None, nil
		}},
}

// generatorFields are the attributes of all variables that those of states have too.
var generatorFields = func() []value.Field {
	fields := slices.DeleteFunc(slices.Clone(symbolFields), func(f value.Field) bool {
		return !slices.Contains([]string{"owner", "index", "name", "tag", "origin", "default_update"}, f.Name)
	})
	return append(fields, value.FieldOf("type", "Its type: which generator it is of.", `shared(np.random.default_rng(0)).type # RandomGeneratorType`,
		func(x Symbol) starlark.Value { return TensorType{T: x.V.Type} }))
}()

// drawingMethods are the methods of states that draw from them, which a room above has.
var drawingMethods func() []value.Builtin

// DrawBy gives states the methods that draw from them, when the program starts.
func DrawBy(methods func() []value.Builtin) bool {
	drawingMethods = methods
	return true
}

// The attributes of variables that are states: those that functions compute, and shared ones.
var (
	StateMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods("RandomGeneratorVariable", drawingMethods()).With(generatorFields...)
	})
	SharedStateMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods("RandomGeneratorSharedVariable", slices.Concat(drawingMethods(), stateMethods)).With(generatorFields...).
			Extending("RandomGeneratorVariable")
	})
)

// DrawnMethods are the attributes of numbers that are drawn.
var DrawnMethods = sync.OnceValue(func() *value.Methods {
	return value.NewMethods("DrawnVariable", symbolTable()).With(append(slices.Concat(symbolFields, addedFields),
		value.FieldOf("rng", "Of numbers that are drawn, the variable with the state that they are drawn from.", `T.shared_randomstreams.RandomStreams(1).uniform((2,)).rng.get_value().randint(10) # 2`,
			func(x Symbol) starlark.Value { return Symbol{x.S, x.V.Owner.Inputs[0]} }),
		value.FieldOf("rstate", "Of numbers that are drawn, the variable with the state that they are drawn from, under the name that MRG_RandomStreams has for it.",
			`theano.sandbox.rng_mrg.MRG_RandomStreams(1).uniform((2,)).owner == None # False`, func(x Symbol) starlark.Value { return Symbol{x.S, x.V.Owner.Inputs[0]} }),
		value.FieldOf("update", "Of numbers that are drawn, the update of the state: a pair of the variable that holds it and the state after the draw.",
			`len(T.shared_randomstreams.RandomStreams(1).uniform((2,)).update) # 2`, func(x Symbol) starlark.Value {
				return starlark.Tuple{Symbol{x.S, x.V.Owner.Inputs[0]}, Symbol{x.S, x.V.Owner.Outputs[0]}}
			}))...).Extending("TensorVariable")
})
