package random

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Random is a source of random numbers: the value np.random.RandomState(seed), or a Generator of
// np.random.default_rng(seed). The functions of np.random are the methods of a RandomState that
// belongs to the session.
type Random struct {
	kind   *randomKind
	mu     sync.Mutex
	source random.Source
}

// A randomKind is one of the two types of a Random, or the module.
type randomKind struct {
	name    string // of the type
	prefix  string // of functions, in errors
	letter  string // in randomRow.where
	example string // an expression whose attributes are the functions
}

var (
	stateKind          = &randomKind{name: "RandomState", prefix: "RandomState.", letter: "s", example: "np.random.RandomState(0)"}
	newKind            = &randomKind{name: "Generator", prefix: "Generator.", letter: "g", example: "np.random.default_rng(0)"}
	randomKindOfModule = &randomKind{name: "np.random", prefix: "np.random.", letter: "m", example: "np.random"}
)

// randomMethods are the methods of both types.
var randomMethods = sync.OnceValue(func() map[*randomKind]*value.Methods {
	m := map[*randomKind]*value.Methods{}
	for _, k := range []*randomKind{stateKind, newKind} {
		m[k] = value.NewMethods(k.name, k.table(nil))
	}
	m[newKind].With(value.FieldOf("bit_generator", "The state that it draws from: a PCG64.",
		"np.random.default_rng(0).bit_generator # PCG64", func(r *Random) starlark.Value { return &bitGenerator{r} }))
	return m
})

var (
	_ value.Tabled = (*Random)(nil)
	_ value.Tabled = (*bitGenerator)(nil)
)

func newRandomState() *Random {
	s := new(random.RandomState)
	s.SeedEntropy()
	return &Random{kind: stateKind, source: s}
}

func (r *Random) Type() string          { return r.kind.name }
func (r *Random) Freeze()               {} // drawing numbers is no change that a user would look for
func (r *Random) Truth() starlark.Bool  { return true }
func (r *Random) Hash() (uint32, error) { return 0, errors.New("unhashable type: " + r.kind.name) }

func (r *Random) String() string {
	if r.kind == newKind {
		return "Generator(PCG64)"
	}
	return "RandomState(MT19937)"
}

func (r *Random) Table() *value.Methods { return randomMethods()[r.kind] }
func (r *Random) AttrNames() []string   { return r.Table().Names() }

func (r *Random) Attr(name string) (starlark.Value, error) { return r.Table().Attr(r, name) }

// randomModule is np.random, with a RandomState of its own.
func randomModule() starlark.Value {
	sources := np.RowsOf("np.random", seedTable)
	for i, b := range sources {
		if b.Name == stateKind.name || b.Name == newKind.name {
			sources[i].Types = []string{b.Name} // isinstance asks
		}
	}
	members := append(value.Builtins(randomKindOfModule.table(newRandomState())), value.Builtins(sources)...)
	return value.NewModule("np.random", "Random numbers, NumPy's from the same seeds.", members...)
}

// A randomRow is a function of np.random (m), and a method of RandomState (s) and Generator (g).
type randomRow struct {
	where   string // letters
	example string // {} stands for what has the function
	results [2]string
	// builtin makes the function; source is nil for a method.
	builtin func(prefix, example string, source *Random) value.Builtin
}

// draws makes a row. fn draws from a source that no one else uses meanwhile.
func draws[A any](where, name, doc, example string, results [2]string,
	fn func(e *np.Eval, s random.Source, a *A) starlark.Value) randomRow {
	return randomRow{where, example, results, func(prefix, example string, source *Random) value.Builtin {
		return np.ArgRow(prefix, name, doc, example, func(e *np.Eval, a *A) starlark.Value {
			z := drawFrom(e, source, func(s random.Source) starlark.Value { return fn(e, s, a) })
			e.Err = withoutName(e.Err, name)
			return z
		})
	}}
}

// drawFrom calls f with a source, or that of the receiver if it is nil.
func drawFrom(e *np.Eval, source *Random, f func(s random.Source) starlark.Value) starlark.Value {
	if source == nil {
		source = e.Receiver().(*Random)
	}
	source.mu.Lock()
	defer source.mu.Unlock()
	return f(source.source)
}

// randomRows is what np.random and the two types can do.
var randomRows = sync.OnceValue(func() (rows []randomRow) {
	rows = append(rows, continuousRows...)
	for _, d := range distributionDocs {
		rows = append(rows, d.row())
	}
	rows = append(rows, integerRows...)
	rows = append(rows, orderRows...)
	rows = append(rows, vectorRows...)
	return append(rows, stateRows...)
})

// table is the functions of a kind. They are methods, or with r functions that use it.
func (k *randomKind) table(r *Random) []value.Builtin {
	var table []value.Builtin
	for _, row := range randomRows() {
		if !strings.Contains(row.where, k.letter) {
			continue
		}
		example := strings.ReplaceAll(row.example, "{}", k.example)
		switch result := row.results[0]; {
		case k == randomKindOfModule: // whose numbers are other ones every time
		case k == newKind:
			example += " # " + row.results[1]
		case result != "":
			example += " # " + result
		}
		b := row.builtin(k.prefix, example, r)
		if k == randomKindOfModule {
			b.Module = "np.random"
		}
		table = append(table, b)
	}
	return np.NonRetaining(table)
}

// withoutName takes the name of a function off an error of package random, since users see it
// anyway.
func withoutName(err error, name string) error {
	if err != nil {
		if text, ok := strings.CutPrefix(err.Error(), name+": "); ok {
			return errors.New(text)
		}
	}
	return err
}

// Source is what draws for a function that takes a random_state: a RandomState or a Generator
// itself, a RandomState of a seed, or the session's np.random for None.
func Source(s value.Host, v starlark.Value) (starlark.HasAttrs, error) {
	if r, ok := v.(*Random); ok {
		return r, nil
	}
	if v == nil || v == starlark.None {
		m, err := np.ModuleOf(s).(starlark.HasAttrs).Attr("random")
		return m.(starlark.HasAttrs), err
	}
	state, err := SeedOf(v)
	if err != nil {
		return nil, fmt.Errorf("random_state: %w", err)
	}
	return &Random{kind: stateKind, source: state}, nil
}

var _ = np.Add(np.Addition{
	Members: func() []value.Member {
		return []value.Member{{Name: "random", Value: randomModule(), Doc: "Random numbers."}}
	},
	Tables: func() map[string][]value.Builtin {
		return map[string][]value.Builtin{
			"np.random.":       slices.Concat(randomKindOfModule.table(newRandomState()), np.RowsOf("np.random", seedTable)),
			"np.RandomState.":  stateKind.table(nil),
			"np.Generator.":    newKind.table(nil),
			"np.SeedSequence.": seedSequenceTable,
		}
	},
	Types: func() []*value.Methods {
		return []*value.Methods{randomMethods()[stateKind], randomMethods()[newKind], seedSequenceMethods(), bitGeneratorFields}
	},
})
