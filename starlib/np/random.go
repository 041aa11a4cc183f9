package np

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A RandomState is the value np.random.RandomState(seed). Its numbers are those of
// NumPy's class of that name, bit for bit. The functions of np.random are the methods of
// one that belongs to the session.
type RandomState struct {
	mu sync.Mutex
	t  twister
}

var (
	_ starlark.HasAttrs = (*RandomState)(nil)

	randomMethods = sync.OnceValue(func() *value.Methods { return value.NewMethods("RandomState", randomTable("RandomState.", nil)) })
)

func newRandomState() *RandomState {
	r := &RandomState{}
	r.t.seedAnew()
	return r
}

func (r *RandomState) Type() string          { return "RandomState" }
func (r *RandomState) String() string        { return "RandomState(MT19937)" }
func (r *RandomState) Freeze()               {} // drawing numbers is no change that a user would look for
func (r *RandomState) Truth() starlark.Bool  { return true }
func (r *RandomState) Hash() (uint32, error) { return 0, errors.New("unhashable type: RandomState") }
func (r *RandomState) AttrNames() []string   { return randomMethods().Names() }
func (r *RandomState) Attr(name string) (starlark.Value, error) {
	if err := value.Absent("RandomState.", name, missingRandom); err != nil {
		return nil, err
	}
	return randomMethods().Attr(r, name)
}

// randomModule is np.random, with a generator of its own.
func randomModule() starlark.Value {
	members := value.Builtins(randomTable("np.random.", newRandomState()))
	state := numpyRow("np.random.", "RandomState",
		"A generator of random numbers that depend only on the seed, the same as NumPy's.",
		"np.random.RandomState(0).randint(10) # 5", func(c *call) (starlark.Value, error) {
			r := &RandomState{}
			return r, r.seed(c.v[0])
		}, "seed=None: an int or a list of ints below 2**32; from the operating system if not given")
	members = append(members, value.Member{Name: "RandomState", Value: state.Value()})
	return &value.PartModule{Module: value.NewModule("np.random", "Random numbers, those of NumPy's RandomState.", members...),
		Missing: missingRandom}
}

const sizeParam = "size=None: a shape; one number if not given"

// randomTable is the methods of RandomState or, with a state, functions that use it.
func randomTable(prefix string, state *RandomState) []value.Builtin {
	row := func(name, doc, example string, fn func(c *call, t *twister) (starlark.Value, error), params ...string) value.Builtin {
		if state == nil {
			example = "np.random.RandomState(0)." + example
		} else {
			// The numbers are other ones every time.
			example = "np.random." + value.CutResult(example)
		}
		return numpyRow(prefix, name, doc, example, func(c *call) (starlark.Value, error) {
			r := state
			if r == nil {
				r = c.Receiver().(*RandomState)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			return fn(c, &r.t)
		}, params...)
	}
	uniform := (*twister).Float64
	return []value.Builtin{
		row("seed", "Starts the numbers of a seed anew.", "seed(0)", func(c *call, t *twister) (starlark.Value, error) {
			return starlark.None, seedTwister(t, c.v[0])
		}, "seed=None: an int or a list of ints below 2**32; from the operating system if not given"),
		row("rand", "Numbers uniform in [0, 1), in an array of the given lengths.", "rand() # 0.5488135039273248",
			drawArgs(uniform), "*lengths: of the axes"),
		row("randn", "Numbers from the standard normal distribution, in an array of the given lengths.",
			"randn() # 1.764052345967664",
			drawArgs((*twister).normal), "*lengths: of the axes"),
		row("random", "Numbers uniform in [0, 1).", "random(2) # array([0.5488135 , 0.71518937])", drawSize(0, uniform), sizeParam),
		row("random_sample", "Numbers uniform in [0, 1).", "random_sample() # 0.5488135039273248", drawSize(0, uniform), sizeParam),
		row("standard_normal", "Numbers from the standard normal distribution.", "standard_normal() # 1.764052345967664",
			drawSize(0, (*twister).normal), sizeParam),
		row("uniform", "Numbers uniform in [low, high).", "uniform(-1, 1) # 0.0976270078546495",
			func(c *call, t *twister) (starlark.Value, error) {
				low, err := c.float(0, 0)
				if err != nil {
					return nil, err
				}
				high, err := c.float(1, 1)
				if err != nil {
					return nil, err
				}
				width := high - low
				if math.IsInf(width, 0) || math.IsNaN(width) {
					return nil, fmt.Errorf("got the range from %v to %v, want a finite one", value.FormatFloat(low), value.FormatFloat(high))
				}
				return drawSize(2, func(t *twister) float64 { return low + float64(width*t.Float64()) })(c, t)
			}, "low=0.0: the least number", "high=1.0: the end, which is left out", sizeParam),
		row("normal", "Numbers from a normal distribution.", "normal(10, 0.5) # 10.882026172983831",
			func(c *call, t *twister) (starlark.Value, error) {
				loc, err := c.float(0, 0)
				if err != nil {
					return nil, err
				}
				scale, err := c.float(1, 1)
				if err != nil {
					return nil, err
				}
				if scale < 0 || math.Signbit(scale) {
					return nil, fmt.Errorf("for parameter scale: got %v, want a number that is not negative", value.FormatFloat(scale))
				}
				return drawSize(2, func(t *twister) float64 { return loc + float64(scale*t.normal()) })(c, t)
			}, "loc=0.0: the mean", "scale=1.0: the standard deviation", sizeParam),
		row("randint", "Integers uniform from low up to high, which is left out.", "randint(1, 7, size=4) # array([5, 6, 1, 4])",
			randint,
			"low: the least number, or high if it is the only argument", "high=None: the end", sizeParam,
			"dtype=None: an integer type, int64 if not given"),
		row("shuffle", "Changes the order of a list, or of an array along axis 0, in place.", "shuffle([1, 2, 3])", shuffle,
			"x: a list or an array"),
		row("permutation", "The integers below x, or a copy of an array along axis 0, in random order.",
			"permutation(4) # array([2, 3, 1, 0])", permutation, "x: an int or an array"),
		row("choice", "Elements of a vector, or integers below a.", "choice([2, 3, 5, 7]) # 2", choice,
			"a: a vector, or an int", sizeParam, "replace=True: whether an element may come twice",
			"p=None: the probabilities of the elements"),
	}
}

// seed sets the state: see twister.
func (r *RandomState) seed(v starlark.Value) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return seedTwister(&r.t, v)
}

func seedTwister(t *twister, v starlark.Value) error {
	if v == nil {
		t.seedAnew()
		return nil
	}
	ints, err := intsOf(v)
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
	_, single := asInt(v)
	switch {
	case single:
		t.Seed(numbers[0])
	case len(numbers) == 0:
		return errors.New("for parameter seed: got no numbers, want at least one")
	default:
		t.seedBy(numbers)
	}
	return nil
}
