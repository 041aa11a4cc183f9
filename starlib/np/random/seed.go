package random

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type (
	seedArg struct {
		Seed starlark.Value `arg:"seed=None: an int or a list of ints below 2**32; from the operating system if not given"`
	}
	newSeedArg struct {
		Seed starlark.Value `arg:"seed=None: an int of any size, a list of them, or a SeedSequence; from the operating system if not given"`
	}
)

// seedTable is the functions of np.random that make sources.
var seedTable = []functions.Function{
	np.Function("np.random.RandomState", "A source of random numbers that will never be others.",
		"RandomState(0).randint(10) # 5", func(e *np.Eval, a *seedArg) starlark.Value {
			s := new(random.RandomState)
			return np.Keep[starlark.Value](e, &Random{kind: stateKind, source: s}, seedState(s, a.Seed), nil)
		}),
	np.Function("np.random.default_rng", "A Generator: a source of random numbers of the newer, faster kind.",
		"default_rng(0).integers(10) # 8", func(e *np.Eval, a *struct {
			Seed starlark.Value `arg:"seed=None: an int of any size, a list of them, a SeedSequence or PCG64, or a Generator, which is returned; from the operating system if not given"`
		}) starlark.Value {
			switch v := a.Seed.(type) {
			case *bitGenerator:
				return v.r
			case *Random:
				if v.kind == newKind {
					return v
				}
			}
			return newGenerator(e, a.Seed)
		}),
	np.Function("np.random.Generator", "A Generator over a PCG64, which it changes.",
		"Generator(np.random.PCG64(0)).integers(10) # 8", func(e *np.Eval, a *struct {
			Bits starlark.Value `arg:"bit_generator: a PCG64"`
		}) starlark.Value {
			if b, ok := a.Bits.(*bitGenerator); ok {
				return b.r
			}
			e.FailFor("bit_generator", "got %s, want np.random.PCG64(seed)", a.Bits.Type())
			return nil
		}),
	np.Function("np.random.PCG64", "The state of a Generator.", "PCG64(0).state[\"has_uint32\"] # 0",
		func(e *np.Eval, a *newSeedArg) starlark.Value { return &bitGenerator{newGenerator(e, a.Seed)} }),
	np.Function("np.random.SeedSequence", "Makes good states of sources from a seed, and seeds of independent sources.",
		"SeedSequence(42).entropy # 42", func(e *np.Eval, a *struct {
			Entropy starlark.Value `arg:"entropy=None: an int of any size, or a list of them; from the operating system if not given"`
		}) starlark.Value {
			s := &seedSequence{s: random.NewSeedSequence(seedWords(e, "entropy", a.Entropy)...), entropy: a.Entropy}
			if s.entropy == nil {
				n := new(big.Int)
				for i, word := range s.s.Entropy() {
					n.Or(n, new(big.Int).Lsh(big.NewInt(int64(word)), uint(32*i)))
				}
				s.entropy = starlark.MakeBigInt(n)
			}
			s.entropy.Freeze()
			return s
		}),
}

// seedState sets the state of a RandomState by a seed.
func seedState(s *random.RandomState, v starlark.Value) error {
	if v == nil {
		s.SeedEntropy()
		return nil
	}
	ints, err := np.IntsOf(v)
	if err != nil {
		return fmt.Errorf("for parameter seed: %w", err)
	}
	numbers := make([]uint32, len(ints))
	for i, n := range ints {
		if n < 0 || n > math.MaxUint32 {
			return fmt.Errorf("for parameter seed: got %d, want a number from 0 to 2**32 - 1", n)
		}
		numbers[i] = uint32(n)
	}
	_, single := np.AsInt(v)
	switch {
	case single:
		s.Seed(numbers[0])
	case len(numbers) == 0:
		return errors.New("for parameter seed: got no numbers, want at least one")
	default:
		s.SeedArray(numbers)
	}
	return nil
}

// newGenerator makes a Generator of a seed.
func newGenerator(e *np.Eval, seed starlark.Value) *Random {
	if s, ok := seed.(*seedSequence); ok {
		return &Random{kind: newKind, source: random.NewGeneratorOf(s.s)}
	}
	return &Random{kind: newKind, source: random.NewGenerator(seedWords(e, "seed", seed)...)}
}

// seedWords returns the words of a seed, an int or several; none if it was not given.
func seedWords(e *np.Eval, param string, seed starlark.Value) []uint32 {
	if seed == nil {
		return nil
	}
	list := starlark.Tuple{seed}
	if seq, ok := seed.(starlark.Sequence); ok {
		list = nil
		it := seq.Iterate()
		defer it.Done()
		for x := starlark.Value(nil); it.Next(&x); {
			list = append(list, x)
		}
		if len(list) == 0 {
			e.FailFor(param, "got no numbers, want at least one")
		}
	}
	var seeds []*big.Int
	for _, x := range list {
		n, ok := value.Plain(x).(starlark.Int)
		if !ok {
			e.FailFor(param, "got %s, want an int or a list of ints", x.Type())
			return nil
		}
		seeds = append(seeds, n.BigInt())
	}
	words, err := random.SeedWords(seeds...)
	if err != nil {
		e.FailFor(param, "%w", withoutName(err, "seed"))
	}
	return words
}

// A seedSequence is the value np.random.SeedSequence(seed).
type seedSequence struct {
	s       *random.SeedSequence
	entropy starlark.Value
}

var seedSequenceTable = []value.Builtin{
	np.ArgRow("SeedSequence.", "generate_state", "Words of state, of 32 or 64 bits.",
		"np.random.SeedSequence(42).generate_state(2) # array([3444837047, 2669555309], dtype=uint32)", func(e *np.Eval, a *struct {
			N     int           `arg:"n_words: how many"`
			DType kernels.DType `arg:"dtype=None: uint32 or uint64, uint32 if not given"`
		}) starlark.Value {
			many(e, "n_words", a.N)
			s := e.Receiver().(*seedSequence).s
			switch {
			case e.Failed():
				return nil
			case a.DType == kernels.Uint32 || a.DType == kernels.Invalid:
				return e.Array1(tensor.From(s.Uint32s(a.N), a.N), nil)
			case a.DType == kernels.Uint64:
				return e.Array1(tensor.From(s.Uint64s(a.N), a.N), nil)
			}
			e.FailFor("dtype", "got %v, want uint32 or uint64", a.DType)
			return nil
		}),
	np.ArgRow("SeedSequence.", "spawn", "A list of sequences that are independent of one another and of this one.",
		"len(np.random.SeedSequence(42).spawn(3)) # 3", func(e *np.Eval, a *childrenArg) starlark.Value {
			if many(e, "n_children", a.N); e.Failed() {
				return nil
			}
			s := e.Receiver().(*seedSequence)
			var list []starlark.Value
			for _, child := range s.s.Spawn(a.N) {
				list = append(list, &seedSequence{child, s.entropy})
			}
			return slot.NewList(list)
		}),
}

var seedSequenceMethods = sync.OnceValue(func() *value.Methods {
	return value.NewMethods("SeedSequence", seedSequenceTable).With(
		value.FieldOf("entropy", "The seed.", "np.random.SeedSequence(42).entropy # 42",
			func(s *seedSequence) starlark.Value { return s.entropy }))
})

func (s *seedSequence) Type() string          { return "SeedSequence" }
func (s *seedSequence) String() string        { return "SeedSequence(entropy=" + value.Repr(s.entropy) + ")" }
func (s *seedSequence) Freeze()               {}
func (s *seedSequence) Truth() starlark.Bool  { return true }
func (s *seedSequence) Hash() (uint32, error) { return 0, errors.New("unhashable type: SeedSequence") }
func (s *seedSequence) Table() *value.Methods { return seedSequenceMethods() }
func (s *seedSequence) AttrNames() []string   { return seedSequenceMethods().Names() }

func (s *seedSequence) Attr(name string) (starlark.Value, error) {
	return seedSequenceMethods().Attr(s, name)
}

// A bitGenerator is the value np.random.PCG64(seed): the state of a Generator.
type bitGenerator struct{ r *Random }

var (
	_ value.Tabled         = (*seedSequence)(nil)
	_ starlark.HasSetField = (*bitGenerator)(nil)
)

func (b *bitGenerator) Type() string          { return "PCG64" }
func (b *bitGenerator) String() string        { return "PCG64" }
func (b *bitGenerator) Freeze()               {}
func (b *bitGenerator) Truth() starlark.Bool  { return true }
func (b *bitGenerator) Hash() (uint32, error) { return 0, errors.New("unhashable type: PCG64") }
func (b *bitGenerator) Table() *value.Methods { return bitGeneratorFields }
func (b *bitGenerator) AttrNames() []string   { return bitGeneratorFields.Names() }

func (b *bitGenerator) Attr(name string) (starlark.Value, error) {
	return bitGeneratorFields.Attr(b, name)
}

// bitGeneratorFields are the attributes of a PCG64.
var bitGeneratorFields = value.NewMethods("PCG64", []value.Builtin{
	{Name: "advance", Params: []value.Param{{Name: "delta", Doc: "how many words of 64 bits, an int; a negative one goes back"}},
		Doc:     "Changes the state as drawing so many words would, in the time of a few, and returns the PCG64.",
		Example: "np.random.Generator(np.random.PCG64(0).advance(2)).random() == np.random.default_rng(0).random(3)[2] # True", Fn: advance},
}).With(
	value.FieldOf("state", "The state as a dict, which can be kept and assigned.",
		"np.random.PCG64(0).state[\"bit_generator\"] # \"PCG64\"", func(b *bitGenerator) starlark.Value { return b.state() }))

func advance(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	delta, ok := value.Plain(v[0]).(starlark.Int)
	if !ok {
		return nil, fmt.Errorf("advance: delta: got %s, want int", v[0].Type())
	}
	words := new(big.Int).Mod(delta.BigInt(), new(big.Int).Lsh(big.NewInt(1), 128)) // of a negative number too, what is left is not
	low := new(big.Int).And(words, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	g := b.Receiver().(*bitGenerator)
	g.r.mu.Lock()
	defer g.r.mu.Unlock()
	g.r.source.(*random.Generator).Advance([2]uint64{words.Rsh(words, 64).Uint64(), low})
	return g, nil
}

// state is the state as NumPy's dict.
func (b *bitGenerator) state() starlark.Value {
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	state := b.r.source.(*random.Generator).State()
	has := 0
	if state.HasUint32 {
		has = 1
	}
	return dictOf("bit_generator", starlark.String("PCG64"),
		"state", dictOf("state", wide(state.State), "inc", wide(state.Inc)),
		"has_uint32", starlark.MakeInt(has), "uinteger", starlark.MakeUint64(uint64(state.Uint32)))
}

// wide is a number of 128 bits.
func wide(words [2]uint64) starlark.Int {
	n := new(big.Int).SetUint64(words[0])
	return starlark.MakeBigInt(n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[1])))
}

func dictOf(pairs ...any) *slot.Dict {
	d := slot.NewDict(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		d.SetKey(starlark.String(pairs[i].(string)), pairs[i+1].(starlark.Value))
	}
	return d
}

// SetField sets .state to a dict that .state was.
func (b *bitGenerator) SetField(name string, v starlark.Value) error {
	if name != "state" {
		return value.NoAttr("PCG64", name, b.AttrNames())
	}
	var numbers [4]*big.Int
	for i, path := range [][]string{{"state", "state"}, {"state", "inc"}, {"has_uint32"}, {"uinteger"}} {
		x := v
		for _, key := range path {
			d, ok := x.(*slot.Dict)
			if !ok {
				return fmt.Errorf("PCG64.state: got %s, want a dict as .state is", x.Type())
			}
			if x, ok, _ = d.Get(starlark.String(key)); !ok {
				return fmt.Errorf("PCG64.state: got a dict without %q, want one as .state is", key)
			}
		}
		n, ok := x.(starlark.Int)
		if !ok || n.Sign() < 0 || n.BigInt().BitLen() > 128 {
			return fmt.Errorf("PCG64.state: got %s for %q, want an int from 0 to 2**128 - 1", value.Repr(x), path[len(path)-1])
		}
		numbers[i] = n.BigInt()
	}
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	b.r.source.(*random.Generator).SetState(random.PCG64State{State: split(numbers[0]), Inc: split(numbers[1]),
		HasUint32: numbers[2].Sign() > 0, Uint32: uint32(split(numbers[3])[1])})
	return nil
}

// split is wide's inverse.
func split(n *big.Int) [2]uint64 {
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return [2]uint64{new(big.Int).Rsh(n, 64).Uint64(), low.Uint64()}
}
