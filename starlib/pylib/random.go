package pylib

import (
	"crypto/sha512"
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A generator gives the numbers of Python's random: those of the Mersenne Twister, put together as
// CPython does, so that a seed gives the same here and there.
type generator struct {
	class
	mt   random.MT19937
	next *float64 // the second of a pair that gauss made
}

func newGenerator() *generator {
	g := &generator{class: "Random"}
	g.mt.SeedEntropy()
	return g
}

type generatorKey struct{}

// shared is the session's generator, which the functions of the module draw from.
func shared(thread *starlark.Thread) *generator {
	return session.Of(thread).Local(generatorKey{}, func() any { return newGenerator() }).(*generator)
}

func (g *generator) Table() *value.Methods                    { return randomMethods }
func (g *generator) AttrNames() []string                      { return randomMethods.Names() }
func (g *generator) Attr(name string) (starlark.Value, error) { return randomMethods.Attr(g, name) }

// seed starts anew: from the size of an int, from text, or, without a seed, from the system's
// randomness.
func (g *generator) seed(v starlark.Value) error {
	g.next = nil
	n := new(big.Int)
	switch x := value.NumberOf(v).(type) {
	case starlark.NoneType:
		g.mt.SeedEntropy()
		return nil
	case starlark.Bool:
		if x {
			n.SetInt64(1)
		}
	case starlark.Int:
		n.Abs(x.BigInt())
	case starlark.String, starlark.Bytes:
		b, _ := rawBytes(starlark.Bytes(text(x)))
		sum := sha512.Sum512(b)
		n.SetBytes(append(b, sum[:]...))
	default:
		return failure("TypeError", "seed: got %s, want None, an int or text", v.Type())
	}
	var words []uint32
	for mask := big.NewInt(math.MaxUint32); n.Sign() > 0; n.Rsh(n, 32) {
		words = append(words, uint32(new(big.Int).And(n, mask).Uint64()))
	}
	g.mt.SeedArray(words)
	return nil
}

func text(v starlark.Value) string {
	if b, ok := v.(starlark.Bytes); ok {
		return string(b)
	}
	s, _ := starlark.AsString(v)
	return s
}

// float is a number from 0 up to 1, of 53 bits.
func (g *generator) float() float64 {
	a, b := g.mt.Uint32()>>5, g.mt.Uint32()>>6
	return (float64(a)*67108864 + float64(b)) / 9007199254740992
}

// bits is an integer of k bits, whose lower words come first.
func (g *generator) bits(k int) *big.Int {
	b := make([]byte, (k+31)/32*4) // the first word is the lowest
	for at := len(b); at > 0; k -= 32 {
		w := g.mt.Uint32()
		if k < 32 {
			w >>= 32 - k
		}
		at -= 4
		binary.BigEndian.PutUint32(b[at:], w)
	}
	return new(big.Int).SetBytes(b)
}

// bigBelow is an integer from 0 up to n, which is positive.
func (g *generator) bigBelow(n *big.Int) *big.Int {
	k := n.BitLen()
	r := g.bits(k)
	for r.Cmp(n) >= 0 {
		r = g.bits(k)
	}
	return r
}

func (g *generator) below(n int) int { return int(g.bigBelow(big.NewInt(int64(n))).Int64()) }

// gauss makes two normal numbers of two uniform ones (Box and Muller), and keeps the second.
func (g *generator) gauss() float64 {
	if z := g.next; z != nil {
		g.next = nil
		return *z
	}
	angle, radius := g.float()*2*math.Pi, math.Sqrt(-2*libm.Log(1-g.float()))
	sin, cos := libm.SinCos(angle)
	second := sin * radius
	g.next = &second
	return cos * radius
}

// normal is by the ratio of uniform numbers (Kinderman and Monahan).
func (g *generator) normal() float64 {
	factor := 4 * libm.Exp(-0.5) / math.Sqrt(2)
	for {
		u, v := g.float(), 1-g.float()
		z := factor * (u - 0.5) / v
		if z*z/4 <= -libm.Log(v) {
			return z
		}
	}
}

// drawn is the row of a function of the module, and of the method of Random.
type drawn struct{ function, method value.Builtin }

func draw[A any](name, doc, example string,
	fn func(thread *starlark.Thread, g *generator, a *A) (starlark.Value, error)) drawn {
	with := func(thread *starlark.Thread, g *generator, a *A) (starlark.Value, error) {
		v, err := fn(thread, g, a)
		if v == nil {
			v = starlark.None
		}
		if err != nil {
			return nil, value.Named("", name, err)
		}
		return v, nil
	}
	return drawn{
		value.Function(name, doc, shownExample("random.seed(1); ", "random."+example),
			func(thread *starlark.Thread, a *A) (starlark.Value, error) {
				return with(thread, shared(thread), a)
			}),
		method(name, doc, shownExample("import random; ", "random.Random(1)."+example),
			func(thread *starlark.Thread, g *generator, a *A) (starlark.Value, error) {
				return with(thread, g, a)
			}),
	}
}

// shownExample is an example, printed where there is no value to show.
func shownExample(before, code string) string {
	if call, ok := strings.CutSuffix(code, " # None"); ok {
		code = "print(" + call + ") # None"
	}
	return before + code
}

type lohi struct {
	A float64 `arg:"a: a number"`
	B float64 `arg:"b: a number"`
}

type muSigma struct {
	Mu    float64 `arg:"mu=0.0: the mean"`
	Sigma float64 `arg:"sigma=1.0: the standard deviation"`
}

// sequence is an argument that has a length and elements by place.
func sequence(thread *starlark.Thread, v starlark.Value) ([]starlark.Value, error) {
	if _, ok := v.(starlark.Sequence); !ok {
		if _, isText := v.(starlark.String); !isText {
			return nil, failure("TypeError", "got %s, want a list or another sequence", v.Type())
		}
	}
	if v.Type() == "set" || v.Type() == "dict" {
		return nil, failure("TypeError", "got %s, which has no order: use list(x)", v.Type())
	}
	return elements(thread, v)
}

var draws = []drawn{
	draw("choice", "An element.", `choice("abc") # "a"`, func(thread *starlark.Thread, g *generator, a *struct {
		X starlark.Value `arg:"seq: a list or another sequence"`
	}) (starlark.Value, error) {
		items, err := sequence(thread, a.X)
		if err == nil && len(items) == 0 {
			err = failure("IndexError", "got no elements")
		}
		if err != nil {
			return nil, err
		}
		return items[g.below(len(items))], nil
	}),
	draw("choices", "Elements, each drawn from all.", `choices("abc", k=2) # ["a", "c"]`,
		func(thread *starlark.Thread, g *generator, a *struct {
			X          starlark.Value `arg:"population: a list or another sequence"`
			Weights    starlark.Value `arg:"weights=None: how likely each is, in relation to the others"`
			_          struct{}       `arg:"*:"`
			Cumulative starlark.Value `arg:"cum_weights=None: the sums of the first weights, instead of them"`
			K          int            `arg:"k=1: how many"`
		}) (starlark.Value, error) {
			items, err := sequence(thread, a.X)
			if err != nil {
				return nil, err
			}
			sums, err := cumulative(thread, len(items), notNone(orNone(a.Weights)), notNone(orNone(a.Cumulative)))
			if err != nil {
				return nil, err
			}
			if len(items) == 0 && a.K > 0 {
				return nil, failure("IndexError", "got no elements")
			}
			out := make([]starlark.Value, max(a.K, 0))
			for i := range value.Heard(thread, out) {
				if sums == nil {
					out[i] = items[int(math.Floor(g.float()*float64(len(items))))]
					continue
				}
				x := g.float() * sums[len(sums)-1]
				at, _ := slices.BinarySearchFunc(sums[:len(sums)-1], x, func(s, x float64) int {
					if s <= x {
						return -1
					}
					return 1
				})
				out[i] = items[at]
			}
			return slot.NewList(out), nil
		}),
	draw("expovariate", "A number of the exponential distribution.",
		`expovariate(2) # 0.0721455320547546`,
		func(thread *starlark.Thread, g *generator, a *struct {
			Lambda float64 `arg:"lambd=1.0: 1 over the mean"`
		}) (starlark.Value, error) {
			return starlark.Float(-libm.Log(1-g.float()) / a.Lambda), nil
		}),
	draw("gauss", "A number of the normal distribution.", `gauss(0, 1) # 1.2881847531554629`,
		func(thread *starlark.Thread, g *generator, a *muSigma) (starlark.Value, error) {
			return starlark.Float(a.Mu + g.gauss()*a.Sigma), nil
		}),
	draw("getrandbits", "An integer of k random bits.", `getrandbits(8) # 34`,
		func(thread *starlark.Thread, g *generator, a *struct {
			K int `arg:"k: how many"`
		}) (starlark.Value, error) {
			if a.K < 0 || a.K > 1<<20 {
				return nil, failure("ValueError", "got %d bits, want 0 to %d", a.K, 1<<20)
			}
			return starlark.MakeBigInt(g.bits(a.K)), nil
		}),
	draw("normalvariate", "A number of the normal distribution, by another method than gauss.",
		`normalvariate(0, 1) # 0.6074558576437062`,
		func(thread *starlark.Thread, g *generator, a *muSigma) (starlark.Value, error) {
			return starlark.Float(a.Mu + g.normal()*a.Sigma), nil
		}),
	draw("randint", "An integer from a to b, both included.", `randint(1, 6) # 2`,
		func(thread *starlark.Thread, g *generator, a *struct {
			A int `arg:"a: the least"`
			B int `arg:"b: the largest"`
		}) (starlark.Value, error) {
			if a.B < a.A {
				return nil, failure("ValueError", "got %d and %d, want a least number and a largest", a.A, a.B)
			}
			return between(g, a.A, a.B), nil
		}),
	draw("random", "A number from 0 up to 1.", `random() # 0.13436424411240122`,
		func(thread *starlark.Thread, g *generator, _ *none) (starlark.Value, error) {
			return starlark.Float(g.float()), nil
		}),
	draw("randrange", "A number of range(start, stop, step).", `randrange(10) # 2`,
		func(thread *starlark.Thread, g *generator, a *struct {
			Start int  `arg:"start: the first, or without stop the end"`
			Stop  *int `arg:"stop=None: the end, which is not drawn"`
			Step  int  `arg:"step=1: from one to the next"`
		}) (starlark.Value, error) {
			from, to := 0, a.Start
			if a.Stop != nil {
				from, to = a.Start, *a.Stop
			}
			n := 0
			switch {
			case a.Step > 0:
				n = (to - from + a.Step - 1) / a.Step
			case a.Step < 0:
				n = (to - from + a.Step + 1) / a.Step
			}
			if n <= 0 {
				return nil, failure("ValueError", "range(%d, %d, %d) is empty", from, to, a.Step)
			}
			return starlark.MakeInt(from + a.Step*g.below(n)), nil
		}),
	draw("sample", "Elements, each drawn once at most.", `sample(range(10), 3) # [2, 1, 4]`,
		func(thread *starlark.Thread, g *generator, a *struct {
			X starlark.Value `arg:"population: a list or another sequence"`
			K int            `arg:"k: how many"`
		}) (starlark.Value, error) {
			items, err := sequence(thread, a.X)
			if err != nil {
				return nil, err
			}
			n := len(items)
			if a.K < 0 || a.K > n {
				return nil, failure("ValueError", "got k=%d, want 0 to %d, the length", a.K, n)
			}
			out := make([]starlark.Value, a.K)
			// Few of many are drawn until they differ, as CPython does: which it does depends on
			// the size of its sets.
			table := 21
			if a.K > 5 {
				table += 1 << (2 * int(math.Ceil(math.Log(float64(a.K*3))/math.Log(4))))
			}
			if n <= table {
				pool := slices.Clone(items)
				for i := range value.Heard(thread, out) {
					j := g.below(n - i)
					out[i] = pool[j]
					pool[j] = pool[n-i-1]
				}
				return slot.NewList(out), nil
			}
			seen := map[int]bool{}
			for i := range value.Heard(thread, out) {
				j := g.below(n)
				for seen[j] {
					j = g.below(n)
				}
				seen[j] = true
				out[i] = items[j]
			}
			return slot.NewList(out), nil
		}),
	draw("seed",
		"Starts anew, from a seed or from the system's randomness. A seed gives the numbers that "+
			"it gives in Python.", `seed(3) # None`,
		func(thread *starlark.Thread, g *generator, a *struct {
			A       starlark.Value `arg:"a=None: an int, or text"`
			Version int            `arg:"version=2: without effect"`
		}) (starlark.Value, error) {
			return nil, g.seed(orNone(a.A))
		}),
	draw("shuffle", "Puts a list in another order.", `shuffle([1, 2]) # None`,
		func(thread *starlark.Thread, g *generator, a *struct {
			X starlark.Value `arg:"x: a list or an array"`
		}) (starlark.Value, error) {
			type swapper interface {
				starlark.Indexable
				SetIndex(int, starlark.Value) error
			}
			x, ok := a.X.(swapper)
			if !ok {
				return nil, failure("TypeError", "got %s, want a list; np.random.shuffle does arrays", a.X.Type())
			}
			poll := value.PollOf(thread)
			for i := x.Len() - 1; i > 0; i-- {
				poll.Ask(value.PerElement)
				j := g.below(i + 1)
				p, q := x.Index(i), x.Index(j)
				if err := x.SetIndex(i, q); err != nil {
					return nil, err
				}
				if err := x.SetIndex(j, p); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
	draw("triangular", "A number of the triangular distribution.",
		`triangular(0, 1, 0.5) # 0.2591951428098154`,
		func(thread *starlark.Thread, g *generator, a *struct {
			Low  float64  `arg:"low=0.0: the least"`
			High float64  `arg:"high=1.0: the largest"`
			Mode *float64 `arg:"mode=None: the likeliest; in the middle without it"`
		}) (starlark.Value, error) {
			u, c, low, high := g.float(), 0.5, a.Low, a.High
			if high == low {
				return starlark.Float(low), nil
			}
			if a.Mode != nil {
				c = (*a.Mode - low) / (high - low)
			}
			if u > c {
				u, c, low, high = 1-u, 1-c, high, low
			}
			return starlark.Float(low + (high-low)*math.Sqrt(u*c)), nil
		}),
	draw("uniform", "A number from a to b.", `uniform(1, 2) # 1.134364244112401`,
		func(thread *starlark.Thread, g *generator, a *lohi) (starlark.Value, error) {
			return starlark.Float(a.A + (a.B-a.A)*g.float()), nil
		}),
}

// between is an integer from low to high.
func between(g *generator, low, high int) starlark.Value {
	n := new(big.Int).Sub(big.NewInt(int64(high)), big.NewInt(int64(low)))
	n.Add(n, big.NewInt(1))
	return starlark.MakeBigInt(n.Add(g.bigBelow(n), big.NewInt(int64(low))))
}

// cumulative is the sums of n weights, nil if there are none.
func cumulative(thread *starlark.Thread, n int, weights, sums starlark.Value) ([]float64, error) {
	given := weights
	if given == nil {
		given = sums
	}
	if given == nil {
		return nil, nil
	}
	items, err := elements(thread, given)
	if err != nil {
		return nil, err
	}
	if len(items) != n || n == 0 {
		return nil, failure("ValueError", "got %d weights for %d elements", len(items), n)
	}
	out, total := make([]float64, n), 0.0
	for i, w := range value.Heard(thread, items) {
		x, ok := starlark.AsFloat(value.Plain(w))
		if !ok {
			return nil, failure("TypeError", "got a weight of type %s, want numbers", w.Type())
		}
		if total += x; weights == nil {
			total = x
		}
		out[i] = total
	}
	if !(out[n-1] > 0) || math.IsInf(out[n-1], 1) {
		return nil, failure("ValueError", "got weights whose sum is %v, want a finite number above 0", out[n-1])
	}
	return out, nil
}

var randomMethods = func() *value.Methods {
	var rows []value.Builtin
	for _, d := range slices.Concat(draws, distributions) {
		rows = append(rows, d.method)
	}
	return value.NewMethods("Random", rows)
}()

var randomModule = func() *value.Module {
	rows := []value.Builtin{value.Function("Random", "A generator of its own.",
		`random.Random(1).random() # 0.13436424411240122`,
		func(_ *starlark.Thread, a *struct {
			Seed starlark.Value `arg:"x=None: its seed"`
		}) (starlark.Value, error) {
			g := newGenerator()
			return g, g.seed(orNone(a.Seed))
		}),
		value.Function("SystemRandom", "A generator that is seeded from the system's randomness, whatever seed it is given.",
			`0 <= random.SystemRandom().random() < 1 # True`,
			func(_ *starlark.Thread, _ *struct {
				Seed starlark.Value `arg:"x=None: without effect"`
			}) (starlark.Value, error) {
				return newGenerator(), nil
			})}
	for _, d := range slices.Concat(draws, distributions) {
		rows = append(rows, d.function)
	}
	return module("random", "Random numbers: for a seed those of Python's module. For arrays use np.random.", rows)
}()
