package random

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/np/random"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// beginAt is a draw from a state that the user gives.
func beginAt(s *symbolic.Session, thread *starlark.Thread, param string, rng starlark.Value) (*drawing, error) {
	d := &drawing{s: s, b: s.Builder(thread)}
	x, ok := rng.(symbolic.Symbol)
	switch _, _, isValue := random.StateOf(rng); {
	case isValue:
		return nil, fmt.Errorf("for parameter %s: got a %s, whose numbers would be the same in each call: make it a shared variable, rng = shared(np.random.%s(seed))", param, rng.Type(), makerOf(rng))
	case !ok || x.V.Type.State == graph.NoState:
		return nil, fmt.Errorf("for parameter %s: got %s, want the state of a generator: rng = shared(np.random.default_rng(seed))", param, symbolic.DescribeValue(rng))
	}
	if before, drawn := s.Drawn[x.V]; drawn {
		s.Warn(fmt.Sprintf("%s: the state was drawn from before, at %s: the same state makes the same numbers; draw from the state that the first draw left, as in next_rng, x = T.random.normal(rng=rng, return_next_rng=True)", graph.Mention(x.V), before))
	} else {
		if s.Drawn == nil {
			s.Drawn = make(map[*graph.Variable]graph.Pos)
		}
		s.Drawn[x.V] = d.b.Origin.Pos()
	}
	d.state = x.V
	return d, nil
}

// drawnPair is the state after a draw, and what was drawn.
func drawnPair(d *drawing, x *graph.Variable) starlark.Value {
	return starlark.Tuple{symbolic.Symbol{S: d.s, V: d.next}, symbolic.Symbol{S: d.s, V: x}}
}

var _ = symbolic.DrawBy(nextTable)

// nextTable is the distributions as methods of states: rng.normal(size=3) is the next state and the
// numbers.
func nextTable() []value.Builtin {
	begin := func(thread *starlark.Thread, b *value.Builtin, _ starlark.Value) (*drawing, error) {
		return beginAt(symbolic.SessionOf(thread), thread, "rng", b.Receiver())
	}
	var keywords []value.Param
	for _, p := range afterSize {
		if p.Name != "rng" && p.Name != "return_next_rng" {
			keywords = append(keywords, p)
		}
	}
	var table []value.Builtin
	for _, row := range generatorRows {
		b := row.generatorBuiltin(keywords, begin, func(_ *value.Builtin, d *drawing, x *graph.Variable, _ bool) starlark.Value { return drawnPair(d, x) })
		b.Doc = "The state after a draw, and what is drawn. " + row.doc
		b.Example = "shared(np.random.default_rng(1))." + row.name + "(" + row.args + ")[1].dtype # " + row.typeOfExample()
		table = append(table, b)
	}
	return table
}

// randomTable is the functions of T.random. Without a state each draws from a new one, which
// functions update by default.
func randomTable() []value.Builtin {
	begin := func(thread *starlark.Thread, b *value.Builtin, rng starlark.Value) (*drawing, error) {
		s := symbolic.SessionOf(thread)
		if !symbolic.Absent(rng) {
			return beginAt(s, thread, "rng", rng)
		}
		words, err := symbolic.Seeded(graph.GeneratorState, nil)
		if err != nil {
			return nil, err
		}
		d := &drawing{s: s, b: s.Builder(thread)}
		d.state = s.NewState("", words, graph.StateType(graph.GeneratorState), d.b.Origin).V
		return d, nil
	}
	finish := func(given bool) func(b *value.Builtin, d *drawing, x *graph.Variable, pair bool) starlark.Value {
		return func(_ *value.Builtin, d *drawing, x *graph.Variable, pair bool) starlark.Value {
			if _, explicit := d.s.Drawn[d.state]; !explicit {
				d.state.Shared.Default = d.next
			}
			if pair {
				return drawnPair(d, x)
			}
			return symbolic.Symbol{S: d.s, V: x}
		}
	}
	var table []value.Builtin
	for _, row := range generatorRows {
		b := row.generatorBuiltin(afterSize, begin, finish(true))
		b.Example = "T.random." + row.name + "(" + row.args + ").dtype # " + row.typeOfExample()
		table = append(table, b)
	}
	return append(table,
		value.Builtin{Name: "rng", Params: []value.Param{{Name: "name", Default: "None", Doc: "what it is called"}}, Doc: "A free variable for the state of a Generator, which calls of a function give.",
			Example: `T.random.rng("rng").type # RandomGeneratorType`, Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				v, err := b.Bind(args, kwargs)
				if err != nil {
					return nil, err
				}
				return symbolic.MakeVariable(thread, b.Name, graph.StateType(graph.GeneratorState), v[0], nil)
			}},
		value.Builtin{Name: "shared_rng", Params: []value.Param{{Name: "value", Default: "None", Doc: "a Generator"}, {Name: "name", Default: "None", Doc: "what it is called"},
			{Name: "borrow", Default: "False", Doc: "for PyTensor's sake: the state is a copy in any case"}, {Name: "*"}, {Name: "seed", Default: "None", Doc: "instead of a value: the seed of a new Generator"}},
			Doc: "A shared variable with the state of a Generator.", Example: "T.random.shared_rng(seed=1).type # RandomGeneratorType", Fn: sharedRNG})
}

func sharedRNG(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	name, err := symbolic.OptionalString("name", v[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	s := symbolic.SessionOf(thread)
	if !symbolic.Absent(v[0]) && !symbolic.Absent(v[4]) {
		return nil, fmt.Errorf("%s: got a value and seed=, want one of them", b.Name)
	}
	if symbolic.Absent(v[0]) {
		words, err := symbolic.Seeded(graph.GeneratorState, v[4])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		return s.NewState(name, words, graph.StateType(graph.GeneratorState), s.NodeOrigin(thread)), nil
	}
	words, t, ok := random.StateOf(v[0])
	if !ok || t.State != graph.GeneratorState {
		return nil, fmt.Errorf("%s: got %s, want a Generator: np.random.default_rng(seed)", b.Name, v[0].Type())
	}
	return s.NewState(name, words, t, s.NodeOrigin(thread)), nil
}

// rawTable is the functions of T.raw_random, which take the state first and return the next and
// what is drawn.
func rawTable() []value.Builtin {
	first := []value.Param{{Name: "random_state", Doc: "the state to draw from: shared(np.random.RandomState(seed)), or one that a draw has left"}}
	var table []value.Builtin
	for _, row := range streamRows {
		b := row.streamBuiltin(first, func(thread *starlark.Thread, _ *value.Builtin, v []starlark.Value) (*drawing, error) {
			return beginAt(symbolic.SessionOf(thread), thread, "random_state", v[0])
		}, func(_ *value.Builtin, d *drawing, x *graph.Variable) starlark.Value { return drawnPair(d, x) })
		b.Doc = "The state after a draw, and what is drawn. " + row.doc
		b.Example = "len(T.raw_random." + row.name + "(shared(np.random.RandomState(1)), (2,))) # 2"
		table = append(table, b)
	}
	return table
}

// randomStreamsBuiltin and randomStreamBuiltin make streams.
var (
	randomStreamsBuiltin = newStreams("RandomStreams", graph.RandomState, "Random variables as Theano makes them: each draws from a RandomState of its own, which functions update by default, the numbers that NumPy draws. "+
		"streams.uniform((2, 3)) and its like draw; streams.seed(n) starts all anew.", streamsExample+".uniform((2, 3)).ndim # 2")
	randomStreamBuiltin = newStreams("RandomStream", graph.GeneratorState, "Random variables as PyTensor makes them: each draws from a Generator of its own, spawned of one seed, which functions update by default. "+
		"stream.normal(0, 1, size=(2, 3)) and its like draw; stream.seed(n) starts all anew.", streamExample+".normal(size=(2, 3)).ndim # 2")
)

// Modules are the modules of T that draw.
func Modules() []value.Member {
	rng := value.NewLazyModule("T.random", "Random variables as PyTensor has them: numbers of NumPy's Generator.", func() []value.Member {
		utils := value.NewModule("T.random.utils", "Generators for random variables.", value.Builtins([]value.Builtin{randomStreamBuiltin})...)
		basic := value.NewModule("T.random.basic", "Functions of T.random, under the name of the file where PyTensor has them.", value.Builtins(slices.Concat(randomTable()))...)
		again := randomStreamBuiltin
		return append(value.Builtins(append(randomTable(), again)), operations.MemberOf(utils), operations.MemberOf(basic))
	})
	streams := value.NewModule("T.shared_randomstreams", "Random variables as Theano has them: numbers of NumPy's RandomState.", value.Builtins([]value.Builtin{randomStreamsBuiltin})...)
	raw := value.NewLazyModule("T.raw_random", "Draws from explicit states, as Theano has them.", func() []value.Member { return value.Builtins(rawTable()) })
	return []value.Member{operations.MemberOf(rng), operations.MemberOf(streams), operations.MemberOf(raw)}
}

// makerOf is the function of np.random that makes values such as v.
func makerOf(v starlark.Value) string {
	if v.Type() == "RandomState" {
		return "RandomState"
	}
	return "default_rng"
}
