package starlib

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
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

	randomMethods = sync.OnceValue(func() *Methods { return NewMethods("RandomState", randomTable("RandomState.", nil)) })
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
	if err := absent("RandomState.", name, missingRandom); err != nil {
		return nil, err
	}
	return randomMethods().Attr(r, name)
}

// randomModule is np.random, with a generator of its own.
func randomModule() starlark.Value {
	members := Builtins(randomTable("np.random.", newRandomState()))
	state := numpyRow("np.random.", "RandomState", "A generator of random numbers that depend only on the seed, the same as NumPy's.",
		"np.random.RandomState(0).randint(10) # 5", func(c *npCall) (starlark.Value, error) {
			r := &RandomState{}
			return r, r.seed(c.v[0])
		}, "seed=None: an int or a list of ints below 2**32; from the operating system if not given")
	members = append(members, Member{Name: "RandomState", Value: state.Value()})
	return &partModule{Module: NewModule("np.random", "Random numbers, those of NumPy's RandomState.", members...), missing: missingRandom}
}

const sizeParam = "size=None: a shape; one number if not given"

// randomTable is the methods of RandomState or, with a state, functions that use it.
func randomTable(prefix string, state *RandomState) []Builtin {
	row := func(name, doc, example string, fn func(c *npCall, t *twister) (starlark.Value, error), params ...string) Builtin {
		if state == nil {
			example = "np.random.RandomState(0)." + example
		} else {
			// The numbers are other ones every time.
			example = "np.random." + cutResult(example)
		}
		return numpyRow(prefix, name, doc, example, func(c *npCall) (starlark.Value, error) {
			r := state
			if r == nil {
				r = c.Receiver().(*RandomState)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			return fn(c, &r.t)
		}, params...)
	}
	uniform := (*twister).float64
	return []Builtin{
		row("seed", "Starts the numbers of a seed anew.", "seed(0)", func(c *npCall, t *twister) (starlark.Value, error) {
			return starlark.None, seedTwister(t, c.v[0])
		}, "seed=None: an int or a list of ints below 2**32; from the operating system if not given"),
		row("rand", "Numbers uniform in [0, 1), in an array of the given lengths.", "rand() # 0.5488135039273248",
			drawArgs(uniform), "*lengths: of the axes"),
		row("randn", "Numbers from the standard normal distribution, in an array of the given lengths.", "randn() # 1.764052345967664",
			drawArgs((*twister).normal), "*lengths: of the axes"),
		row("random", "Numbers uniform in [0, 1).", "random(2) # array([0.5488135 , 0.71518937])", drawSize(0, uniform), sizeParam),
		row("random_sample", "Numbers uniform in [0, 1).", "random_sample() # 0.5488135039273248", drawSize(0, uniform), sizeParam),
		row("standard_normal", "Numbers from the standard normal distribution.", "standard_normal() # 1.764052345967664", drawSize(0, (*twister).normal), sizeParam),
		row("uniform", "Numbers uniform in [low, high).", "uniform(-1, 1) # 0.0976270078546495", func(c *npCall, t *twister) (starlark.Value, error) {
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
				return nil, fmt.Errorf("got the range from %v to %v, want a finite one", FormatFloat(low), FormatFloat(high))
			}
			return drawSize(2, func(t *twister) float64 { return low + float64(width*t.float64()) })(c, t)
		}, "low=0.0: the least number", "high=1.0: the end, which is left out", sizeParam),
		row("normal", "Numbers from a normal distribution.", "normal(10, 0.5) # 10.882026172983831", func(c *npCall, t *twister) (starlark.Value, error) {
			loc, err := c.float(0, 0)
			if err != nil {
				return nil, err
			}
			scale, err := c.float(1, 1)
			if err != nil {
				return nil, err
			}
			if scale < 0 || math.Signbit(scale) {
				return nil, fmt.Errorf("for parameter scale: got %v, want a number that is not negative", FormatFloat(scale))
			}
			return drawSize(2, func(t *twister) float64 { return loc + float64(scale*t.normal()) })(c, t)
		}, "loc=0.0: the mean", "scale=1.0: the standard deviation", sizeParam),
		row("randint", "Integers uniform from low up to high, which is left out.", "randint(1, 7, size=4) # array([5, 6, 1, 4])", randint,
			"low: the least number, or high if it is the only argument", "high=None: the end", sizeParam, "dtype=None: an integer type, int64 if not given"),
		row("shuffle", "Changes the order of a list, or of an array along axis 0, in place.", "shuffle([1, 2, 3])", shuffle, "x: a list or an array"),
		row("permutation", "The integers below x, or a copy of an array along axis 0, in random order.", "permutation(4) # array([2, 3, 1, 0])", permutation, "x: an int or an array"),
		row("choice", "Elements of a vector, or integers below a.", "choice([2, 3, 5, 7]) # 2", choice,
			"a: a vector, or an int", sizeParam, "replace=True: whether an element may come twice", "p=None: the probabilities of the elements"),
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
		t.seed(numbers[0])
	case len(numbers) == 0:
		return errors.New("for parameter seed: got no numbers, want at least one")
	default:
		t.seedBy(numbers)
	}
	return nil
}

// drawArgs returns a function of lengths that are given one by one.
func drawArgs(draw func(*twister) float64) func(*npCall, *twister) (starlark.Value, error) {
	return func(c *npCall, t *twister) (starlark.Value, error) {
		if c.v[0].(starlark.Tuple).Len() == 0 {
			return starlark.Float(draw(t)), nil
		}
		return drawSize(0, draw)(c, t)
	}
}

// drawSize returns a function of a shape, parameter i.
func drawSize(i int, draw func(*twister) float64) func(*npCall, *twister) (starlark.Value, error) {
	return func(c *npCall, t *twister) (starlark.Value, error) {
		if c.v[i] == nil {
			return starlark.Float(draw(t)), nil
		}
		shape, err := c.newShape(i)
		if err != nil {
			return nil, err
		}
		z := tensor.New(kernels.Float64, shape...)
		values := tensor.Elements[float64](z)
		for i := range values {
			values[i] = draw(t)
		}
		return c.made(z, nil)
	}
}

func randint(c *npCall, t *twister) (starlark.Value, error) {
	if c.v[1] == nil {
		c.v[0], c.v[1] = starlark.MakeInt(0), c.v[0]
	}
	dtype, err := c.dtype(3, kernels.Int64)
	if err != nil {
		return nil, err
	}
	if dtype.IsFloat() {
		return nil, fmt.Errorf("for parameter dtype: got %v, want an integer type", dtype)
	}
	low, ok1 := c.v[0].(starlark.Int)
	high, ok2 := c.v[1].(starlark.Int)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("got limits %s and %s, want int", c.v[0].Type(), c.v[1].Type())
	}
	least, most := starlark.MakeInt(0), starlark.MakeInt(2) // of bools
	if !dtype.IsBool() {
		a, b := integerRange(dtype)
		least, most = starlark.MakeInt64(a), starlark.MakeUint64(b).Add(starlark.MakeInt(1))
	}
	switch {
	case low.Sub(least).Sign() < 0 || most.Sub(high).Sign() < 0:
		return nil, fmt.Errorf("the range from %v up to %v does not fit %v", low, high, dtype)
	case high.Sub(low).Sign() <= 0:
		return nil, fmt.Errorf("got low %v and high %v, want low < high", low, high)
	}
	width, _ := high.Sub(low).Sub(starlark.MakeInt(1)).Uint64()
	offset, ok := low.Int64()
	if !ok { // beyond int64: uint64, whose sums wrap alike
		u, _ := low.Uint64()
		offset = int64(u)
	}
	draw := t.interval
	if width == 0 {
		draw = func(uint64) uint64 { return 0 }
	} else if dtype.IsBool() || dtype.Size() <= 2 {
		n := 8 * dtype.Size()
		if dtype.IsBool() {
			n = 1
		}
		draw = (&narrowSource{t: t, bits: n}).interval
	}
	var shape []int
	if c.v[2] != nil {
		if shape, err = c.newShape(2); err != nil {
			return nil, err
		}
	}
	values := make([]int64, tensor.Size(shape))
	for i := range values {
		values[i] = offset + int64(draw(width))
	}
	z := tensor.From(values, shape...).AsType(dtype)
	if c.v[2] == nil {
		return c.result(z, nil)
	}
	return c.made(z, nil)
}

// swapOrder shuffles n things by calls of swap.
func swapOrder(t *twister, n int, swap func(i, j int) error) error {
	for i := n - 1; i > 0; i-- {
		if j := int(t.interval(uint64(i))); j != i {
			if err := swap(i, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// order is a random order of the integers below n.
func (t *twister) order(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	swapOrder(t, n, func(i, j int) error {
		order[i], order[j] = order[j], order[i]
		return nil
	})
	return order
}

func shuffle(c *npCall, t *twister) (starlark.Value, error) {
	switch x := c.v[0].(type) {
	case *Array:
		if err := x.writable(); err != nil {
			return nil, err
		}
		if x.d.Rank() == 0 {
			return nil, errors.New("for parameter x: got an array of no dimensions")
		}
		tensor.CopyTo(x.d, gathered(x.d, t.order(x.Len())))
		return starlark.None, nil
	case *starlark.List:
		return starlark.None, swapOrder(t, x.Len(), func(i, j int) error {
			a, b := x.Index(i), x.Index(j)
			if err := x.SetIndex(i, b); err != nil {
				return err
			}
			return x.SetIndex(j, a)
		})
	}
	return nil, c.wrong(0, "a list or an array")
}

// gathered copies the elements of axis 0 in the given order.
func gathered(d *tensor.Dense, order []int) *tensor.Dense {
	shape := append([]int{len(order)}, d.Shape()[1:]...)
	z := tensor.New(d.DType(), shape...)
	for i, from := range order {
		copyPart(z, 0, i, along(d, 0, from, from+1))
	}
	return z
}

func permutation(c *npCall, t *twister) (starlark.Value, error) {
	if n, ok := asInt(c.v[0]); ok {
		if err := checkShape([]int{n}); err != nil {
			return nil, fmt.Errorf("for parameter x: %w", err)
		}
		return c.made(positions(t.order(n)), nil)
	}
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	if d.Rank() == 0 {
		return nil, c.wrong(0, "an int or an array of at least one dimension")
	}
	return c.made(gathered(d, t.order(d.Dim(0))), nil)
}

func positions(list []int) *tensor.Dense {
	values := make([]int64, len(list))
	for i, v := range list {
		values[i] = int64(v)
	}
	return tensor.From(values, len(values))
}

// choice draws positions, as NumPy does, and looks them up.
func choice(c *npCall, t *twister) (starlark.Value, error) {
	var from *tensor.Dense
	n, ok := asInt(c.v[0])
	if !ok {
		d, err := c.array(0)
		if err != nil {
			return nil, err
		}
		if d.Rank() != 1 {
			return nil, fmt.Errorf("for parameter a: got %d dimensions, want a vector or an int", d.Rank())
		}
		from, n = d, d.Dim(0)
	}
	if n <= 0 {
		return nil, errors.New("for parameter a: got nothing to choose from")
	}
	var shape []int
	if c.v[1] != nil {
		var err error
		if shape, err = c.newShape(1); err != nil {
			return nil, err
		}
	}
	replace, err := c.bool(2, true)
	if err != nil {
		return nil, err
	}
	count := tensor.Size(shape)
	chosen := make([]int, count)
	switch {
	case c.v[3] != nil && !replace:
		return nil, errors.New("choosing with p but without replacement is not in Arignote yet")
	case c.v[3] != nil:
		if err := chooseBy(c, t, n, chosen); err != nil {
			return nil, err
		}
	case replace:
		for i := range chosen {
			chosen[i] = int(t.interval(uint64(n - 1)))
		}
	case count > n:
		return nil, fmt.Errorf("got size %d of %d elements, want at most as many without replacement", count, n)
	default:
		copy(chosen, t.order(n))
	}
	z := positions(chosen)
	if from != nil {
		z = gathered(from, chosen)
	}
	if z, err = z.Reshape(shape...); err != nil {
		return nil, err
	}
	return c.result(z, nil)
}

// chooseBy draws positions with the probabilities of argument p.
func chooseBy(c *npCall, t *twister, n int, chosen []int) error {
	p, err := c.array(3)
	if err != nil {
		return err
	}
	if p.Rank() != 1 || p.Dim(0) != n {
		return fmt.Errorf("for parameter p: got shape %s, want (%d,)", tensor.ShapeString(p.Shape()), n)
	}
	sums := p.Floats()
	total := 0.0
	for i, x := range sums {
		if !(x >= 0) {
			return fmt.Errorf("for parameter p: got %v, want numbers that are not negative", FormatFloat(x))
		}
		total += x
		sums[i] = total
	}
	if math.Abs(total-1) > 1e-8 {
		return fmt.Errorf("for parameter p: the sum is %v, want 1", FormatFloat(total))
	}
	for i := range sums {
		sums[i] /= total
	}
	for i := range chosen {
		u := t.float64()
		chosen[i] = min(sort.Search(n, func(k int) bool { return sums[k] > u }), n-1)
	}
	return nil
}
