package pylib

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// gamma is a number of the gamma distribution with a shape alpha and a scale of 1: by rejection
// from the log-logistic distribution for alpha > 1 (R. C. H. Cheng, The generation of gamma
// variables with non-integral shape parameter, 1977), by rejection from two pieces below (J. H.
// Ahrens and U. Dieter, Computer methods for sampling from gamma, beta, Poisson and binomial
// distributions, 1974).
func (g *generator) gamma(poll func(), alpha float64) float64 {
	switch {
	case alpha == 1:
		return -libm.Log(1 - g.float())
	case alpha > 1:
		root := math.Sqrt(2*alpha - 1)
		for ; ; poll() {
			u := g.float()
			if !(1e-7 < u && u < 0.9999999) {
				continue
			}
			w := 1 - g.float()
			v := libm.Log(u/(1-u)) / root
			x := alpha * libm.Exp(v)
			z := u * u * w
			r := alpha - math.Log(4) + (alpha+root)*v - x
			if r+(1+math.Log(4.5))-4.5*z >= 0 || r >= libm.Log(z) {
				return x
			}
		}
	}
	for ; ; poll() {
		b := (math.E + alpha) / math.E
		p := b * g.float()
		if p > 1 {
			x := -libm.Log((b - p) / alpha)
			if g.float() <= libm.Pow(x, alpha-1) {
				return x
			}
			continue
		}
		x := libm.Pow(p, 1/alpha)
		if g.float() <= libm.Exp(-x) {
			return x
		}
	}
}

// vonMises is an angle around mu (D. J. Best and N. I. Fisher, Efficient simulation of the von
// Mises distribution, 1979).
func (g *generator) vonMises(poll func(), mu, kappa float64) float64 {
	if kappa <= 1e-6 {
		return 2 * math.Pi * g.float()
	}
	s := 0.5 / kappa
	r := s + math.Sqrt(1+s*s)
	var z float64
	for ; ; poll() {
		z = libm.Cos(math.Pi * g.float())
		d := z / (r + z)
		if u := g.float(); u < 1-d*d || u <= (1-d)*libm.Exp(d) {
			break
		}
	}
	q := 1 / r
	angle := libm.Acos((q + z) / (1 + q*z))
	if g.float() <= 0.5 {
		angle = -angle
	}
	turn := math.Mod(mu+angle, 2*math.Pi)
	if turn < 0 {
		turn += 2 * math.Pi
	}
	return turn
}

// pollOf asks the cell whether it is to stop, between attempts.
func pollOf(thread *starlark.Thread) func() {
	poll := value.PollOf(thread)
	return func() { poll.Ask(value.PerElement) }
}

// stateVersion is the version of Python's state that is written and read.
const stateVersion = 3

// state is Python's: a tuple of 625 ints, the words and the place of the next, between the version
// and the number that gauss has kept.
func (g *generator) state() starlark.Value {
	key, pos := g.mt.State()
	words := make(starlark.Tuple, len(key), len(key)+1)
	for i, w := range key {
		words[i] = starlark.MakeUint64(uint64(w))
	}
	next := starlark.Value(starlark.None)
	if g.next != nil {
		next = starlark.Float(*g.next)
	}
	return starlark.Tuple{starlark.MakeInt(stateVersion), append(words, starlark.MakeInt(pos)), next}
}

func (g *generator) setState(thread *starlark.Thread, v starlark.Value) error {
	parts, err := elements(thread, v)
	if err != nil {
		return err
	}
	if len(parts) != 3 || parts[0] != starlark.Value(starlark.MakeInt(stateVersion)) {
		return failure("ValueError", "got %s, want what getstate() returned: (3, a tuple of 625 ints, None or a float)", value.Repr(v))
	}
	words, err := elements(thread, parts[1])
	if err != nil {
		return err
	}
	key := make([]uint32, len(words))
	for i, w := range words {
		n, ok := value.NumberOf(w).(starlark.Int)
		if u, fits := n.Uint64(); ok && fits && u <= math.MaxUint32 {
			key[i] = uint32(u)
		} else {
			return failure("ValueError", "got %s as a word of the state, want an int of 32 bits", value.Repr(w))
		}
	}
	var next *float64
	if parts[2] != starlark.None {
		x, ok := starlark.AsFloat(parts[2])
		if !ok {
			return failure("ValueError", "got %s as the number that gauss keeps, want None or a float", value.Repr(parts[2]))
		}
		next = &x
	}
	if len(key) == 0 || !g.mt.SetState(key[:len(key)-1], int(key[len(key)-1])) {
		return failure("ValueError", "got a state of %d words, want 624 and the place of the next", len(key))
	}
	g.next = next
	return nil
}

type alphaBeta struct {
	Alpha float64 `arg:"alpha: the shape"`
	Beta  float64 `arg:"beta: the scale"`
}

// distributions are the rows of random that few programs draw from, and of its state.
var distributions = []drawn{
	draw("betavariate", "A number of the beta distribution, from 0 to 1.", `betavariate(2, 3) # 0.11859366316861172`,
		func(thread *starlark.Thread, g *generator, a *struct {
			Alpha float64 `arg:"alpha: the first shape"`
			Beta  float64 `arg:"beta: the second shape"`
		}) (starlark.Value, error) {
			if !(a.Alpha > 0) || !(a.Beta > 0) {
				return nil, failure("ValueError", "got alpha %v and beta %v, want both above 0", a.Alpha, a.Beta)
			}
			y := g.gamma(pollOf(thread), a.Alpha)
			if y != 0 {
				y /= y + g.gamma(pollOf(thread), a.Beta)
			}
			return starlark.Float(y), nil
		}),
	draw("gammavariate", "A number of the gamma distribution, whose mean is alpha*beta.", `gammavariate(2, 3) # 2.04665746661945`,
		func(thread *starlark.Thread, g *generator, a *alphaBeta) (starlark.Value, error) {
			if !(a.Alpha > 0) || !(a.Beta > 0) {
				return nil, failure("ValueError", "got alpha %v and beta %v, want both above 0", a.Alpha, a.Beta)
			}
			return starlark.Float(g.gamma(pollOf(thread), a.Alpha) * a.Beta), nil
		}),
	draw("getstate", "Where the generator stands, for setstate: a tuple, Python's.", `getstate()[0] # 3`,
		func(_ *starlark.Thread, g *generator, _ *none) (starlark.Value, error) { return g.state(), nil }),
	draw("lognormvariate", "A number whose logarithm has the normal distribution.", `lognormvariate(0, 1) # 1.8357550305018295`,
		func(_ *starlark.Thread, g *generator, a *muSigma) (starlark.Value, error) {
			return starlark.Float(libm.Exp(a.Mu + g.normal()*a.Sigma)), nil
		}),
	draw("paretovariate", "A number of the Pareto distribution, from 1 upwards.", `paretovariate(3) # 1.0492724522368004`,
		func(_ *starlark.Thread, g *generator, a *struct {
			Alpha float64 `arg:"alpha: the shape"`
		}) (starlark.Value, error) {
			if a.Alpha == 0 {
				return nil, failure("ZeroDivisionError", "got alpha 0, want another number")
			}
			return starlark.Float(libm.Pow(1-g.float(), -1/a.Alpha)), nil
		}),
	draw("randbytes", "Random bytes.", `randbytes(2).hex() # "6522"`,
		func(_ *starlark.Thread, g *generator, a *struct {
			N int `arg:"n: how many"`
		}) (starlark.Value, error) {
			if a.N < 0 || a.N > 1<<26 {
				return nil, failure("ValueError", "got %d bytes, want 0 to %d", a.N, 1<<26)
			}
			b := make([]byte, a.N)
			g.bits(8 * a.N).FillBytes(b)
			slices.Reverse(b)
			return starlark.Bytes(b), nil
		}),
	draw("setstate", "Goes on from where a generator stood that getstate() was asked of.", `setstate(random.getstate()) # None`,
		func(thread *starlark.Thread, g *generator, a *struct {
			State starlark.Value `arg:"state: what getstate() returned"`
		}) (starlark.Value, error) {
			return nil, g.setState(thread, a.State)
		}),
	draw("vonmisesvariate", "An angle around mu, from 0 to 2 pi.", `vonmisesvariate(0, 4) # 0.10681534351771789`,
		func(thread *starlark.Thread, g *generator, a *struct {
			Mu    float64 `arg:"mu: the mean angle, in radians"`
			Kappa float64 `arg:"kappa: how near to it; 0 for all angles alike"`
		}) (starlark.Value, error) {
			return starlark.Float(g.vonMises(pollOf(thread), a.Mu, a.Kappa)), nil
		}),
	draw("weibullvariate", "A number of the Weibull distribution.", `weibullvariate(1, 1.5) # 0.27510149942280665`,
		func(_ *starlark.Thread, g *generator, a *struct {
			Alpha float64 `arg:"alpha: the scale"`
			Beta  float64 `arg:"beta: the shape"`
		}) (starlark.Value, error) {
			if a.Beta == 0 {
				return nil, failure("ZeroDivisionError", "got beta 0, want another number")
			}
			return starlark.Float(a.Alpha * libm.Pow(-libm.Log(1-g.float()), 1/a.Beta)), nil
		}),
}
