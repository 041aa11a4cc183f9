package debugmode

import (
	"maps"
	"math"
	"math/rand/v2"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// How the spread of a value is found: it is computed again with every intermediate result that is
// rounded off by a few units in the last place at random (J. Vignes, A stochastic arithmetic for
// reliable scientific computation, 1993). By how much the results then differ is by how much those
// of two correct computations may. What adds up many elements does so in an order of its own, so
// that its operands are blurred too: where they cancel, the order decides. So are those of
// elementwise kernels that are not exact: logaddexp may cancel within.
//
// A few runs say how many digits there are. Whether a comparison of two numbers may turn out the
// other way, a few runs may miss, which is why what still differs is asked for in many.
const (
	fewRuns      = 4
	manyRuns     = 48
	jitterUnits  = 4
	jitterFactor = 8
)

// A noise blurs values.
type noise struct {
	random *rand.Rand
	edges  bool // of the range of floats too: see edge
}

// operands are those of o, blurred if o combines many of them, or computes more than one rounding
// may spoil.
func (n *noise) operands(o graph.Op, in []*tensor.Dense) []*tensor.Dense {
	if keepsBits(o) {
		return in
	}
	if e, ok := plain(o).(op.Elemwise); ok && e.Kernel().ULP == 0 {
		return in
	}
	near := make([]*tensor.Dense, len(in))
	for i, x := range in {
		near[i] = n.blur(x)
	}
	return near
}

// result is that of o, blurred if it was rounded.
func (n *noise) result(o graph.Op, x *tensor.Dense) *tensor.Dense {
	if !keepsBits(o) {
		x = n.blur(x)
	}
	if s, ok := plain(o).(op.Structural); ok && s.Traits().Has(op.NearOne) {
		x = n.shift(x)
	}
	switch x.DType() {
	case kernels.Float64:
		return edged(n, x, 1e250)
	case kernels.Float32:
		return edged(n, x, float32(1e30))
	}
	return x
}

// edged leaves open what two computations need not agree on: the sign of a nan, which processors
// give as they like; and, if edges are asked for, the sign of a zero, and whether what is about to
// overflow or underflow does, which decide rewrites that are not exact.
func edged[T float32 | float64](n *noise, x *tensor.Dense, large T) *tensor.Dense {
	list, changed := tensor.Elements[T](x.Copy()), false
	common := n.random.IntN(3) // most often all signs are alike: positive, negative, or each as it comes
	sign := func() float64 {
		if common < 2 {
			return float64(1 - 2*common)
		}
		return float64(1 - 2*n.random.IntN(2))
	}
	for i, f := range list {
		g := f
		switch abs := T(math.Abs(float64(f))); {
		case f != f:
			g = T(math.Copysign(math.NaN(), sign()))
		case !n.edges:
			continue
		case f == 0 || abs < 1/large:
			if g = f; n.random.IntN(2) == 0 {
				g = T(math.Copysign(0, sign()))
			}
		case abs > large:
			g = T(math.Copysign([]float64{float64(abs), math.Inf(1), float64(large) * 1e7}[n.random.IntN(3)], float64(f)))
		default:
			continue
		}
		list[i], changed = g, true
	}
	if !changed {
		return x
	}
	return with(x, list)
}

// keepsBits reports whether floats that o gives are exact if its operands are: it moves, compares
// or chooses.
func keepsBits(o graph.Op) bool {
	switch o := plain(o).(type) {
	case op.Elemwise:
		return o.Row().Laws&op.Unrounded != 0
	case op.Structural:
		return o.Traits().Has(op.Moves)
	}
	return false
}

// plain is the operation that o does in place.
func plain(o graph.Op) graph.Op {
	if p, ok := o.(op.Inplace); ok {
		return p.Op
	}
	return o
}

// blur is a copy of x with each element off by up to a few units in the last place. Other types
// than floats stay as they are.
func (n *noise) blur(x *tensor.Dense) *tensor.Dense {
	switch x.DType() {
	case kernels.Float64:
		return blurred(n.random, x, 0x1p-52)
	case kernels.Float32:
		return blurred(n.random, x, float32(0x1p-23))
	}
	return x
}

// shift is a copy of x with each element off by up to a few units in the last place of 1.
func (n *noise) shift(x *tensor.Dense) *tensor.Dense {
	switch x.DType() {
	case kernels.Float64:
		return shifted(n.random, x, 0x1p-52)
	case kernels.Float32:
		return shifted(n.random, x, float32(0x1p-23))
	}
	return x
}

func shifted[T float32 | float64](random *rand.Rand, x *tensor.Dense, unit T) *tensor.Dense {
	list := tensor.Elements[T](x.Copy())
	for i, f := range list {
		list[i] += T(random.IntN(2*jitterUnits+1)-jitterUnits) * unit
		if T(math.Abs(float64(f))) <= unit && random.IntN(2) == 0 { // whether it is 0 is open
			list[i] = 0
		}
	}
	return with(x, list)
}

func blurred[T float32 | float64](random *rand.Rand, x *tensor.Dense, unit T) *tensor.Dense {
	list := tensor.Elements[T](x.Copy())
	for i, f := range list {
		list[i] = f * (1 + T(random.IntN(2*jitterUnits+1)-jitterUnits)*unit)
	}
	return with(x, list)
}

// with has other elements than x, and lies in memory as x does: what is wrong with one layout must
// not look like what is uncertain.
func with[T tensor.Number](x *tensor.Dense, elements []T) *tensor.Dense {
	y := duplicate(x)
	tensor.CopyTo(y, tensor.From(elements, x.Shape()...))
	return y
}

// A spread is what each element of some variables is uncertain by: infinite where it may be
// anything. It is found run by run.
type spread struct {
	eval   *evaluator
	vars   []*graph.Variable
	from   values
	exact  values
	blur   bool // from too
	noise  *noise
	list   [][]float64
	runs   int
	failed bool // a computation that is off by little fails, or gives other lengths
}

// newSpread prepares to find that of vars, given values of what they are computed from, which are
// uncertain themselves if blur.
func (e *evaluator) newSpread(vars []*graph.Variable, from values, blur, edges bool) *spread {
	s := &spread{eval: e, vars: vars, from: from, exact: maps.Clone(from), blur: blur, noise: &noise{rand.New(rand.NewPCG(1, 2)), edges}, list: make([][]float64, len(vars))}
	if s.failed = e.all(vars, s.exact, nil) != nil; s.failed {
		return s
	}
	for i, v := range vars {
		s.list[i] = make([]float64, s.exact[v].Size())
	}
	return s
}

// of is what the elements of variable i are uncertain by, as far as so many runs say; nil if that
// cannot be found.
func (s *spread) of(i, runs int) []float64 {
	for ; s.runs < runs && !s.failed; s.runs++ {
		s.run()
	}
	if s.failed {
		return nil
	}
	return s.list[i]
}

func (s *spread) run() {
	near := make(values, len(s.from))
	for v, x := range s.from {
		if near[v] = x; s.blur && v.Data == nil {
			near[v] = s.noise.blur(x)
		}
	}
	if s.eval.all(s.vars, near, s.noise) != nil {
		s.failed = true
		return
	}
	for i, v := range s.vars {
		x, y := s.exact[v].Floats(), near[v].Floats()
		if len(x) != len(y) {
			s.failed = true
			return
		}
		float := v.Type.DType.IsFloat()
		for k := range x {
			switch {
			case x[k] == y[k] || math.IsNaN(x[k]) && math.IsNaN(y[k]):
			case !float || math.IsNaN(x[k]) || math.IsNaN(y[k]) || math.IsInf(x[k], 0) || math.IsInf(y[k], 0):
				s.list[i][k] = math.Inf(1)
			default:
				s.list[i][k] = max(s.list[i][k], jitterFactor*math.Abs(x[k]-y[k]))
			}
		}
	}
}

// sumOf adds up the spreads of the first variables of each, nil if one is not known or of another
// length than n.
func sumOf(n, runs int, all ...*spread) []float64 {
	sum := make([]float64, n)
	for _, s := range all {
		list := s.of(0, runs)
		if len(list) != n {
			return nil
		}
		for i, x := range list {
			sum[i] += x
		}
	}
	return sum
}
