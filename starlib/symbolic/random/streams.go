package random

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	nprandom "github.com/arignote/arignote/starlib/np/random"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A randomStreams is what makes random variables, each with a generator of its own: Theano's
// RandomStreams, which seeds RandomStates, or PyTensor's RandomStream, which spawns Generators.
// Each generator is a shared variable, whose update every function that draws takes by default.
type randomStreams struct {
	s       *symbolic.Session
	kind    graph.StateKind
	seed    starlark.Value
	states  *random.RandomState  // seeds RandomStates
	seeds   *random.SeedSequence // seeds Generators
	updates []streamUpdate
}

// A streamUpdate is a shared variable with a state, and the state after a draw.
type streamUpdate struct{ state, next *graph.Variable }

func (r *randomStreams) String() string        { return "<" + r.Type() + ">" }
func (r *randomStreams) Freeze()               {}
func (r *randomStreams) Truth() starlark.Bool  { return true }
func (r *randomStreams) Hash() (uint32, error) { return 0, errors.New("unhashable type: " + r.Type()) }
func (r *randomStreams) AttrNames() []string   { return r.Table().Names() }

func (r *randomStreams) Attr(name string) (starlark.Value, error) { return r.Table().Attr(r, name) }

func (r *randomStreams) Type() string {
	if r.kind == graph.RandomState {
		return "RandomStreams"
	}
	return "RandomStream"
}

func (r *randomStreams) Table() *value.Methods {
	if r.kind == graph.RandomState {
		return StreamsMethods
	}
	return StreamMethods
}

var (
	_ value.Tabled       = (*randomStreams)(nil)
	_ starlark.HasSetKey = (*randomStreams)(nil)
)

// Get is streams[v]: the generator of a shared variable with a state.
func (r *randomStreams) Get(key starlark.Value) (starlark.Value, bool, error) {
	x, err := r.state(key)
	if err != nil {
		return nil, false, err
	}
	v, err := nprandom.FromState(x.V.Shared.Get())
	return v, err == nil, err
}

// SetKey is streams[v] = generator.
func (r *randomStreams) SetKey(key, v starlark.Value) error {
	x, err := r.state(key)
	if err != nil {
		return err
	}
	words, err := symbolic.StateValue(x.V.Type, v)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Type(), err)
	}
	x.V.Shared.Set(words)
	return nil
}

func (r *randomStreams) state(key starlark.Value) (symbolic.Symbol, error) {
	x, ok := key.(symbolic.Symbol)
	if !ok || x.V.Shared == nil || x.V.Type.State == graph.NoState {
		return x, tensor.TypeErrorf("%s: got %s in brackets, want a shared variable with a state, such as u.rng of what it drew", r.Type(), key.Type())
	}
	return x, nil
}

// reseed seeds the generator of seeds.
func (r *randomStreams) reseed(seed starlark.Value) (err error) {
	if r.kind == graph.RandomState {
		r.states, err = nprandom.SeedOf(seed)
	} else {
		r.seeds, err = nprandom.SeedSequenceOf(seed)
	}
	return err
}

// fresh is the state of a new generator. Theano's streams draw its seed below 2**30.
func (r *randomStreams) fresh() (*graph.Variable, error) {
	t := graph.StateType(r.kind)
	origin := r.s.NodeOrigin(nil)
	if r.kind != graph.RandomState {
		return r.s.NewState("", nprandom.WordsOf(random.NewGeneratorOf(r.seeds.Spawn(1)[0])), t, origin).V, nil
	}
	seed, err := r.draw()
	if err != nil {
		return nil, err
	}
	return r.s.NewState("", nprandom.WordsOf(random.NewRandomState(seed)), t, origin).V, nil
}

// draw is a seed.
func (r *randomStreams) draw() (uint32, error) {
	seed := make([]int64, 1)
	err := random.NewRanges[int64](r.states).Fill(seed, 0, 1<<30-1)
	return uint32(seed[0]), err
}

// begin is a draw of a new generator.
func (r *randomStreams) begin(thread *starlark.Thread) (*drawing, error) {
	state, err := r.fresh()
	return &drawing{s: r.s, b: r.s.Builder(thread), state: state}, err
}

// keep notes the update of what was drawn, which functions take by default.
func (r *randomStreams) keep(d *drawing) {
	d.state.Shared.Default = d.next
	r.updates = append(r.updates, streamUpdate{d.state, d.next})
}

// stateUpdates is the list of the updates, as pairs.
func (r *randomStreams) stateUpdates() *slot.List {
	list := make([]starlark.Value, len(r.updates))
	for i, u := range r.updates {
		list[i] = starlark.Tuple{symbolic.Symbol{S: r.s, V: u.state}, symbolic.Symbol{S: r.s, V: u.next}}
	}
	return slot.NewList(list)
}

const (
	streamsExample = "T.shared_randomstreams.RandomStreams(1)"
	streamExample  = "T.random.utils.RandomStream(1)"
)

// StreamsMethods and StreamMethods are the attributes of the two.
var (
	StreamsMethods = value.NewMethods("RandomStreams", slices.Concat(streamMethods(), streamsTable(streamsExample))).With(streamsFields(streamsExample)...)
	StreamMethods  = value.NewMethods("RandomStream", slices.Concat(generatorMethods(), streamsTable(streamExample))).With(streamsFields(streamExample)...)
)

func finishStream(b *value.Builtin, d *drawing, x *graph.Variable) starlark.Value {
	b.Receiver().(*randomStreams).keep(d)
	return symbolic.Symbol{S: d.s, V: x}
}

// streamMethods are Theano's distributions.
func streamMethods() []value.Builtin {
	begin := func(thread *starlark.Thread, b *value.Builtin, _ []starlark.Value) (*drawing, error) {
		return b.Receiver().(*randomStreams).begin(thread)
	}
	var table []value.Builtin
	for _, row := range streamRows {
		b := row.streamBuiltin(nil, begin, finishStream)
		b.Example = streamsExample + "." + row.name + "((2, 3)).ndim # " + map[bool]string{true: "3", false: "2"}[row.name == "permutation" || row.name == "multinomial"]
		table = append(table, b)
	}
	return append(table, value.Builtin{Name: "shuffle_row_elements", Params: []value.Param{{Name: "input", Doc: "a variable of at least one dimension"}},
		Doc: "A variable with each vector along its last axis in a random order of its own.", Example: streamsExample + ".shuffle_row_elements(T.vector(\"x\")).ndim # 1",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			d, err := b.Receiver().(*randomStreams).begin(thread)
			if err != nil {
				return nil, err
			}
			x, err := d.param("input", v[0])
			if err != nil {
				return nil, named(b.Name, err)
			}
			if err := symbolic.Catch(func() { x, err = d.permutedRows(x) }); err != nil {
				return nil, d.s.Locate(err)
			}
			if err != nil {
				return nil, d.s.Locate(named(b.Name, err))
			}
			return finishStream(b, d, x), nil
		}})
}

// generatorMethods are PyTensor's distributions.
func generatorMethods() []value.Builtin {
	begin := func(thread *starlark.Thread, b *value.Builtin, _ starlark.Value) (*drawing, error) {
		return b.Receiver().(*randomStreams).begin(thread)
	}
	var keywords []value.Param
	for _, p := range afterSize {
		if p.Name != "rng" && p.Name != "return_next_rng" {
			keywords = append(keywords, p)
		}
	}
	var table []value.Builtin
	for _, row := range generatorRows {
		b := row.generatorBuiltin(keywords, begin, func(b *value.Builtin, d *drawing, x *graph.Variable, _ bool) starlark.Value {
			return finishStream(b, d, x)
		})
		b.Example = streamExample + "." + row.name + "(" + row.args + ").dtype # " + row.typeOfExample()
		table = append(table, b)
	}
	return table
}

// streamsTable is the methods that both have.
func streamsTable(example string) []value.Builtin {
	return []value.Builtin{
		{Name: "seed", Params: []value.Param{{Name: "seed", Default: "None", Doc: "an int; the one that the streams were made with if not given"}},
			Doc: "Starts all generators anew, from seeds that one seed makes.", Example: example + ".seed(2) == None # True",
			Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				v, err := b.Bind(args, kwargs)
				if err != nil {
					return nil, err
				}
				r := b.Receiver().(*randomStreams)
				again := &randomStreams{s: r.s, kind: r.kind}
				if err := again.reseed(orElse(v[0], r.seed)); err != nil {
					return nil, fmt.Errorf("seed: %w", err)
				}
				for _, u := range r.updates {
					fresh, err := again.fresh()
					if err != nil {
						return nil, err
					}
					u.state.Shared.Set(fresh.Shared.Get())
					r.s.Observing.Changed("seed changes", symbolic.InputName(u.state, 0))
				}
				if r.kind != graph.RandomState { // PyTensor's goes on from there, Theano's seeds of its own
					r.seeds = again.seeds
				}
				return starlark.None, nil
			}},
		{Name: "updates", Doc: "A list of the updates, pairs of a shared variable and the state after a draw.", Example: example + ".updates() # []",
			Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				if _, err := b.Bind(args, kwargs); err != nil {
					return nil, err
				}
				return b.Receiver().(*randomStreams).stateUpdates(), nil
			}},
		{Name: "gen", Params: []value.Param{{Name: "op", Doc: "a function that draws: of T.raw_random, or of T.random"}, {Name: "*args", Doc: "its arguments, without the state"}, {Name: "**kwargs", Doc: "those by keyword"}},
			Doc: "What a function draws from a new generator.", Example: map[bool]string{true: example + ".gen(T.raw_random.uniform, (2,)).ndim # 1", false: example + ".gen(T.random.normal, size=(2,)).ndim # 1"}[example == streamsExample],
			Fn: streamsGen},
	}
}

// streamsGen calls a function with a new generator: first, as those of raw_random take it, or as
// rng.
func streamsGen(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	r := b.Receiver().(*randomStreams)
	if len(args) == 0 {
		return nil, errors.New("gen: want a function that draws, such as T.random.normal")
	}
	state, err := r.fresh()
	if err != nil {
		return nil, err
	}
	rng := symbolic.Symbol{S: r.s, V: state}
	rest := args[1:]
	if r.kind == graph.RandomState {
		rest = append(starlark.Tuple{rng}, rest...)
	} else {
		kwargs = append(slices.Clone(kwargs), starlark.Tuple{starlark.String("rng"), rng}, starlark.Tuple{starlark.String("return_next_rng"), starlark.True})
	}
	out, err := value.Call(thread, args[0], rest, kwargs)
	if err != nil {
		return nil, err
	}
	pair, ok := out.(starlark.Tuple)
	if ok && len(pair) == 2 {
		next, isState := pair[0].(symbolic.Symbol)
		x, isDrawn := pair[1].(symbolic.Symbol)
		if isState && isDrawn && next.V.Type == state.Type {
			r.keep(&drawing{s: r.s, state: state, next: next.V})
			return x, nil
		}
	}
	return nil, fmt.Errorf("gen: got %s from the function, want a pair of the state after the draw and what was drawn", out.Type())
}

// streamsFields are the attributes that both have.
func streamsFields(example string) []value.Field {
	return []value.Field{
		value.FieldOf("state_updates", "A list of the updates, pairs of a shared variable and the state after a draw.", example+".state_updates # []",
			func(r *randomStreams) starlark.Value { return r.stateUpdates() }),
		value.FieldOf("default_instance_seed", "The seed that it was made with.", example+".default_instance_seed # 1", func(r *randomStreams) starlark.Value { return r.seed }),
	}
}

// typeOfExample is the element type of what a row draws, as its example shows it.
func (r drawRow) typeOfExample() string {
	counts := []string{"bernoulli", "betabinom", "binomial", "categorical", "choice", "geometric", "hypergeometric", "integers", "multinomial", "nbinom", "negative_binomial", "permutation", "poisson"}
	if slices.Contains(counts, r.name) {
		return `"int64"`
	}
	return `"float64"`
}

// newStreams is the row of a function that makes streams.
func newStreams(name string, kind graph.StateKind, doc, example string) value.Builtin {
	params := []value.Param{{Name: "seed", Default: "None", Doc: "an int, or several; from the operating system if not given"}}
	if kind == graph.GeneratorState {
		params = append(params, value.Param{Name: "namespace", Default: "None", Doc: "refused: the distributions are those of T.random"})
	}
	return value.Builtin{Name: name, Types: []string{name}, Params: params, Doc: doc, Example: example,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			if len(v) > 1 && !symbolic.Absent(v[1]) {
				return nil, fmt.Errorf("%s: namespace: the distributions are those of T.random", name)
			}
			r := &randomStreams{s: symbolic.SessionOf(thread), kind: kind, seed: orElse(v[0], starlark.None)}
			if err := r.reseed(r.seed); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return r, nil
		}}
}
