package random

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An mrgStreams is Theano's MRG_RandomStreams: random variables that draw from streams of MRG31k3p.
// Each has a shared matrix of states, a stream a row, which functions update by default.
type mrgStreams struct {
	s       *symbolic.Session
	seed    starlark.Value
	state   random.MRG31k3p // where the streams of the next variable begin
	updates []mrgUpdate
}

// An mrgUpdate is the states of a variable, and what they were made for.
type mrgUpdate struct {
	states, next *graph.Variable
	size         starlark.Value
	streams      starlark.Value // as they were asked for
	count        int
}

const mrgType = "MRG_RandomStreams"

func (r *mrgStreams) String() string        { return "<" + mrgType + ">" }
func (r *mrgStreams) Type() string          { return mrgType }
func (r *mrgStreams) Freeze()               {}
func (r *mrgStreams) Truth() starlark.Bool  { return true }
func (r *mrgStreams) Hash() (uint32, error) { return 0, errors.New("unhashable type: " + mrgType) }
func (r *mrgStreams) AttrNames() []string   { return MRGMethods.Names() }
func (r *mrgStreams) Table() *value.Methods { return MRGMethods }

func (r *mrgStreams) Attr(name string) (starlark.Value, error) { return MRGMethods.Attr(r, name) }

var (
	_ value.Tabled         = (*mrgStreams)(nil)
	_ starlark.HasSetField = (*mrgStreams)(nil)
)

// SetField sets .rstate, where the streams of the next variable begin.
func (r *mrgStreams) SetField(name string, v starlark.Value) error {
	if name != "rstate" {
		return fmt.Errorf("%s: cannot assign to .%s; only .rstate can be set", mrgType, name)
	}
	state, err := mrgSeed(v)
	if err != nil {
		return fmt.Errorf("%s.rstate: %w", mrgType, err)
	}
	r.state = state
	return nil
}

// mrgSeed reads a seed: an int, or six.
func mrgSeed(v starlark.Value) (g random.MRG31k3p, err error) {
	if n, ok := isInt(v); ok {
		if !n.IsInt64() {
			return g, fmt.Errorf("for parameter seed: got %v, want a number from 1 to 2147462578", n)
		}
		if g, err = random.NewMRG31k3p(n.Int64()); err != nil {
			return g, fmt.Errorf("for parameter %w", err)
		}
		return g, nil
	}
	list, err := value.Ints(v)
	if err != nil || len(list) != len(g) {
		return g, fmt.Errorf("for parameter seed: got %s, want an int or six of them", value.Repr(v))
	}
	for i, n := range list {
		if n < 0 || n > math.MaxInt32 {
			return g, fmt.Errorf("for parameter seed: got %d as number %d, want one from 0 to 2147483646", n, i+1)
		}
		g[i] = int32(n)
	}
	if err := g.Check(); err != nil {
		return g, fmt.Errorf("for parameter %w", err)
	}
	return g, nil
}

// maxStreams is how many streams are made for a size that is not known, or large: Theano's choice
// for graphics processors.
const maxStreams = 60 * 256

// guessStreams is how many streams Theano makes for a size: a sixth of the numbers of one that is
// known.
func guessStreams(size starlark.Value) int {
	list, ok := size.(starlark.Indexable)
	if _, text := size.(starlark.String); !ok || text {
		return maxStreams
	}
	if _, isArray := size.(*np.Array); isArray {
		return maxStreams
	}
	n := 1
	for i := range list.Len() {
		k, ok := isInt(list.Index(i))
		if !ok || !k.IsInt64() {
			return maxStreams
		}
		if n *= int(k.Int64()); n > 6*maxStreams {
			n = 6 * maxStreams
		}
	}
	if n > 6 {
		n /= 6
	}
	return min(n, maxStreams)
}

// substreams is a matrix of states 2**72 numbers apart, from the state on. skip goes on to the next
// stream, 2**134 numbers later.
func (r *mrgStreams) substreams(n int, skip bool) *tensor.Dense {
	states := tensor.New(kernels.Int32, n, len(r.state))
	rows := tensor.Elements[int32](states)
	g := r.state
	for i := range n {
		copy(rows[i*len(g):], g[:])
		g = g.Substream()
	}
	if skip {
		r.state = r.state.Stream()
	}
	return states
}

// An mrgDraw is one call of a method.
type mrgDraw struct {
	r       *mrgStreams
	b       *graph.Builder
	dtype   starlark.Value
	streams starlark.Value
}

// uniform draws in (0, 1): what Theano's op gives, of so many numbers along each axis. given is the
// size as the user or the caller wrote it, which decides how many streams there are.
func (d *mrgDraw) uniform(size *graph.Variable, rank int, given starlark.Value, t kernels.DType) (*graph.Variable, error) {
	count := guessStreams(given)
	if !symbolic.Absent(d.streams) {
		n, err := value.Int(d.streams)
		if err != nil || n < 1 || n > 1<<24 {
			return nil, fmt.Errorf("for parameter nstreams: got %s, want an int from 1 to 2**24", value.Repr(d.streams))
		}
		count = n
	}
	states := graph.NewShared("", graph.AnyShape(kernels.Int32, 2), d.r.substreams(count, true), d.b.Origin)
	out, err := d.b.Make(op.MRGUniform{Rank: rank, DType: op.Element(t)}, states, size)
	if err != nil {
		return nil, err
	}
	states.Shared.Default = out[0]
	d.r.updates = append(d.r.updates, mrgUpdate{states, out[0], given, orElse(d.streams, starlark.None), count})
	return out[1], nil
}

// positive refuses lengths that are not.
func positive(size starlark.Value) error {
	for i, n := range operations.Elements(size) {
		if k, ok := isInt(n); ok && k.Sign() <= 0 {
			return fmt.Errorf("for parameter size: got length %v on axis %d, want at least 1", k, i)
		}
	}
	return nil
}

// sizeOf reads a size that the user gave.
func (d *mrgDraw) sizeOf(v, ndim starlark.Value) (*graph.Variable, int, error) {
	if symbolic.Absent(v) {
		return nil, 0, fmt.Errorf("for parameter size: got None, want a tuple of lengths, which may be symbolic")
	}
	if err := positive(v); err != nil {
		return nil, 0, err
	}
	want, err := optionalInt("ndim", ndim)
	if err != nil {
		return nil, 0, err
	}
	return sizeVector(d.r.s, d.b, v, want)
}

// typeOf is the type that is asked for, or one that holds floatX and the types of the parameters.
func (d *mrgDraw) typeOf(in []*graph.Variable) (kernels.DType, error) {
	if symbolic.Absent(d.dtype) {
		return widest(d.r.s, in), nil
	}
	t, err := d.r.s.DtypeArg(d.dtype)
	if err != nil {
		return t, fmt.Errorf("for parameter dtype: %w", err)
	}
	if !t.IsFloat() {
		return t, fmt.Errorf("for parameter dtype: got %v, want float32 or float64", t)
	}
	return t, nil
}

// param is a parameter of a distribution, through which there is no gradient.
func (d *mrgDraw) param(name string, v starlark.Value) (*graph.Variable, error) {
	return (&drawing{s: d.r.s, b: d.b}).param(name, v)
}

// fixed is a parameter in the type of what is drawn; grad refuses to go through it.
func (d *mrgDraw) fixed(v *graph.Variable, t kernels.DType) *graph.Variable {
	v = symbolic.CastTo(d.b, v, t)
	if v.IsConstant() {
		return v
	}
	return d.b.Apply(op.UndefinedGrad{}, v)
}

// located is x * scale + loc, which must not be larger than x.
func (d *mrgDraw) located(x, loc, scale *graph.Variable) (*graph.Variable, error) {
	for _, p := range []*graph.Variable{loc, scale} {
		if p.Type.Rank() > x.Type.Rank() {
			return nil, fmt.Errorf("for parameter size: got %d lengths, want at least %d, the dimensions of the parameters", x.Type.Rank(), p.Type.Rank())
		}
		for axis := range p.Type.Rank() {
			at := x.Type.Rank() - p.Type.Rank() + axis
			if x.Type.Broadcasts(at) && !p.Type.Broadcasts(axis) {
				return nil, fmt.Errorf("for parameter size: got length 1 on axis %d, want that of the parameters, which does not broadcast", at)
			}
		}
	}
	return d.b.Apply(op.Add, d.b.Apply(op.Mul, x, scale), loc), nil
}

// mrgMethod is a row of MRGMethods: build draws with the values of params, those before ndim, dtype
// and nstreams.
func mrgMethod(name, params, doc, example string, build func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error)) value.Builtin {
	return mrgMethodAnd(name, params, "", doc, example, build)
}

// mrgMethodAnd is mrgMethod with more parameters after those that all have; build is given them
// after its own.
func mrgMethodAnd(name, params, more, doc, example string, build func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error)) value.Builtin {
	first, last := own(params), own(more)
	list := slices.Concat(first, ndimAndType, []value.Param{{Name: "nstreams", Default: "None", Doc: "how many streams take turns; from the size if not given"}}, last)
	return value.Builtin{Name: name, Params: list, Doc: doc, Example: mrgExample + "." + example,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			r := b.Receiver().(*mrgStreams)
			n := len(first)
			d := &mrgDraw{r: r, b: r.s.Builder(thread), dtype: v[n+1], streams: v[n+2]}
			var x *graph.Variable
			if caught := symbolic.Catch(func() { x, err = build(d, slices.Concat(v[:n], v[n+3:]), v[n]) }); caught != nil {
				err = caught
			}
			if err != nil {
				return nil, r.s.Locate(named(name, err))
			}
			return symbolic.Symbol{S: r.s, V: x}, nil
		}}
}

const mrgExample = "theano.sandbox.rng_mrg.MRG_RandomStreams(1)"

// mrgNormal draws normal numbers, beyond 2 standard deviations none if truncate.
func mrgNormal(d *mrgDraw, size, avg, std, ndim starlark.Value, truncate bool, factor float64) (*graph.Variable, error) {
	if n, isNumber := isInt(size); isNumber {
		size = starlark.Tuple{starlark.MakeBigInt(n)}
	}
	vector, rank, err := d.sizeOf(size, ndim)
	if err != nil {
		return nil, err
	}
	mean, err := d.param("avg", orElse(avg, starlark.Float(0)))
	if err != nil {
		return nil, err
	}
	width, err := d.param("std", orElse(std, starlark.Float(1)))
	if err != nil {
		return nil, err
	}
	t, err := d.typeOf([]*graph.Variable{mean, width})
	if err != nil {
		return nil, err
	}
	if factor != 1 {
		width = d.b.Apply(op.TrueDiv, symbolic.CastTo(d.b, width, t), d.b.Number(t, factor))
	}
	mean, width = d.fixed(mean, t), d.fixed(width, t)
	if vector.IsConstant() { // whose product may be too large for an integer
		elements := 1.0
		for _, n := range vector.Data.Ints() {
			elements *= float64(n)
		}
		if elements > math.MaxInt32 {
			return nil, fmt.Errorf("for parameter size: got %.0f numbers, want at most 2**31 - 1 in a call", elements)
		}
	}
	lengths := make([]*graph.Variable, rank)
	for axis := range lengths {
		if vector.IsConstant() {
			lengths[axis] = formula.Int(d.b, int(vector.Data.Ints()[axis]))
		} else if vector.Op() == graph.Op(op.MakeVector{}) {
			lengths[axis] = symbolic.CastTo(d.b, vector.Owner.Inputs[axis], kernels.Int64)
		} else {
			lengths[axis] = symbolic.CastTo(d.b, formula.At(d.b, vector, 0, axis), kernels.Int64)
		}
	}
	n := formula.Product(d.b, lengths)
	even := d.b.Apply(op.Add, n, d.b.Apply(op.Mod, n, formula.Int(d.b, 2)))
	vectorOf := func(n *graph.Variable) *graph.Variable { return formula.ShapeVector(d.b, []*graph.Variable{n}) }
	u, err := d.uniform(vectorOf(even), 1, starlark.None, t)
	if err != nil {
		return nil, err
	}
	var resample func(n *graph.Variable) (*graph.Variable, error)
	if truncate {
		resample = func(n *graph.Variable) (*graph.Variable, error) {
			u, err := d.uniform(vectorOf(n), 1, starlark.None, t)
			if err != nil {
				return nil, err
			}
			low := symbolic.CastTo(d.b, d.b.Number(kernels.Float64, 1/(math.E*math.E)), t)
			return d.b.Apply(op.Add, d.b.Apply(op.Mul, u, d.b.Apply(op.Sub, d.b.Number(t, 1), low)), low), nil
		}
	}
	z, err := formula.BoxMuller(d.b, u, n, resample)
	if err != nil {
		return nil, err
	}
	return d.located(formula.Reshape(d.b, z, lengths), mean, width)
}

// rowUniform draws as many uniform numbers as there are rows of probabilities, times n.
func (d *mrgDraw) rowUniform(p *graph.Variable, n *graph.Variable) (*graph.Variable, error) {
	size := formula.ShapeVector(d.b, []*graph.Variable{d.b.Apply(op.Mul, d.b.Apply(op.ShapeI{}, p), n)})
	t := d.r.s.FloatX()
	return d.uniform(size, 1, starlark.None, t)
}

// probabilities reads a matrix of them.
func (d *mrgDraw) probabilities(name string, v starlark.Value) (*graph.Variable, error) {
	if symbolic.Absent(v) {
		return nil, fmt.Errorf("for parameter %s: got None, want a matrix of probabilities, a distribution a row", name)
	}
	p, err := d.param(name, v)
	if err != nil {
		return nil, err
	}
	if p.Type.Rank() != 2 {
		return nil, fmt.Errorf("for parameter %s: got %v, want a matrix of probabilities, a distribution a row", name, p.Type)
	}
	if !p.Type.DType.IsFloat() {
		p = symbolic.CastTo(d.b, p, d.r.s.FloatX())
	}
	return d.fixed(p, p.Type.DType), nil
}

// drawnRows is what FromUniform draws for rows of probabilities.
func (d *mrgDraw) drawnRows(p *graph.Variable, n starlark.Value, counts bool) (*graph.Variable, error) {
	t := kernels.Int64
	if !symbolic.Absent(d.dtype) {
		var err error
		if t, err = d.r.s.DtypeArg(d.dtype); err != nil {
			return nil, fmt.Errorf("for parameter dtype: %w", err)
		}
	}
	times, err := operations.Lengths(d.r.s, d.b, n, functions.Count{})
	if err != nil || len(times) != 1 {
		return nil, fmt.Errorf("got %s draws, want an int or a symbolic integer", value.Repr(n))
	}
	u, err := d.rowUniform(p, times[0])
	if err != nil {
		return nil, err
	}
	return d.b.Apply(op.FromUniform{Counts: counts, DType: op.Element(t)}, p, u, times[0]), nil
}

func mrgChoice(d *mrgDraw, size, a, replace, p starlark.Value) (*graph.Variable, error) {
	switch {
	case !symbolic.Absent(a):
		return nil, errors.New("for parameter a: got a value, want None: the places of outcomes are drawn, from 0 to p.shape[1] - 1")
	case replace != nil && bool(replace.Truth()):
		return nil, errors.New("for parameter replace: want replace=False; draws with replacement are those of multinomial")
	}
	m, err := d.probabilities("p", p)
	if err != nil {
		return nil, err
	}
	return d.drawnRows(m, size, false)
}

// MRGMethods are the attributes of MRG_RandomStreams.
var MRGMethods = value.NewMethods(mrgType, []value.Builtin{
	mrgMethod("uniform", "size: "+sizeDoc+"; low=0.0: the least; high=1.0: the greatest", "Numbers that are all as likely; neither end comes.", "uniform((2, 3)).ndim # 2",
		func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			size, rank, err := d.sizeOf(v[0], ndim)
			if err != nil {
				return nil, err
			}
			low, err := d.param("low", orElse(v[1], starlark.Float(0)))
			if err != nil {
				return nil, err
			}
			high, err := d.param("high", orElse(v[2], starlark.Float(1)))
			if err != nil {
				return nil, err
			}
			t, err := d.typeOf([]*graph.Variable{low, high})
			if err != nil {
				return nil, err
			}
			plain := symbolic.Absent(v[1]) && symbolic.Absent(v[2])
			low, high = d.fixed(low, t), d.fixed(high, t)
			u, err := d.uniform(size, rank, v[0], t)
			if err != nil || plain { // times 1, plus 0
				return u, err
			}
			return d.located(u, low, d.b.Apply(op.Sub, high, low))
		}),
	mrgMethodAnd("normal", "size: "+sizeDoc+"; avg=0.0: the mean; std=1.0: the standard deviation", "truncate=False: leave out what is beyond two standard deviations",
		"Numbers of a normal distribution.", "normal((2, 3)).ndim # 2",
		func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			return mrgNormal(d, v[0], v[1], v[2], ndim, !symbolic.Absent(v[3]) && bool(v[3].Truth()), 1)
		}),
	mrgMethod("truncated_normal", "size: "+sizeDoc+"; avg=0.0: the mean; std=1.0: the standard deviation of what is left", "Numbers of a normal distribution without those beyond two standard deviations of it.", "truncated_normal((2, 3)).ndim # 2",
		func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			return mrgNormal(d, v[0], v[1], v[2], ndim, true, truncatedDeviation)
		}),
	mrgMethod("binomial", "size=None: "+sizeDoc+"; n=1: 1, the only number of trials; p=0.5: the probability of success", "1 with the probability p, otherwise 0.", "binomial((2, 3)).ndim # 2",
		func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			if n, ok := isInt(orElse(v[1], starlark.MakeInt(1))); !ok || !n.IsInt64() || n.Int64() != 1 {
				return nil, fmt.Errorf("for parameter n: got %s, want 1; T.shared_randomstreams.RandomStreams draws binomial numbers of more trials", value.Repr(v[1]))
			}
			size, rank, err := d.sizeOf(v[0], ndim)
			if err != nil {
				return nil, err
			}
			p, err := d.param("p", orElse(v[2], starlark.Float(0.5)))
			if err != nil {
				return nil, err
			}
			u, err := d.uniform(size, rank, v[0], d.r.s.FloatX())
			if err != nil {
				return nil, err
			}
			t := kernels.Int64
			if !symbolic.Absent(d.dtype) {
				if t, err = d.r.s.DtypeArg(d.dtype); err != nil {
					return nil, fmt.Errorf("for parameter dtype: %w", err)
				}
			}
			return symbolic.CastTo(d.b, d.b.Apply(op.Lt, u, symbolic.Agreed(d.b, p, u)), t), nil
		}),
	mrgMethod("multinomial", "size=None: refused: the rows of pvals say it; n=1: how many trials; pvals=None: a matrix of probabilities, a distribution a row", "How often each outcome comes about in n trials, for each row of pvals.",
		"multinomial(pvals=[[0.5, 0.5]]).ndim # 2", func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			if !symbolic.Absent(v[0]) || !symbolic.Absent(ndim) {
				return nil, errors.New("for parameter size: got a value, want None: the rows of pvals say how many there are")
			}
			p, err := d.probabilities("pvals", v[2])
			if err != nil {
				return nil, err
			}
			return d.drawnRows(p, orElse(v[1], starlark.MakeInt(1)), true)
		}),
	mrgMethod("choice", "size=1: how many are chosen, without replacement; a=None: refused; replace=True: False; p=None: a matrix of probabilities, a distribution a row", "The places of outcomes that are drawn without replacement, for each row of p.",
		"choice(size=2, replace=False, p=[[0.5, 0.5]]).ndim # 2", func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			return mrgChoice(d, orElse(v[0], starlark.MakeInt(1)), v[1], orElse(v[2], starlark.True), v[3])
		}),
	mrgMethod("multinomial_wo_replacement", "size=None: refused; n=1: how many are chosen; pvals=None: a matrix of probabilities, a distribution a row", "choice with replace=False, under its older name.",
		"multinomial_wo_replacement(n=2, pvals=[[0.5, 0.5]]).ndim # 2", func(d *mrgDraw, v []starlark.Value, ndim starlark.Value) (*graph.Variable, error) {
			if !symbolic.Absent(v[0]) {
				return nil, errors.New("for parameter size: got a value, want None: n says how many are chosen")
			}
			return mrgChoice(d, orElse(v[1], starlark.MakeInt(1)), nil, starlark.False, v[2])
		}),
	{Name: "seed", Params: []value.Param{{Name: "seed", Default: "None", Doc: "an int, or six; the one that the streams were made with if not given"}},
		Doc: "Starts all streams anew.", Example: mrgExample + ".seed(2) == None # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			r := b.Receiver().(*mrgStreams)
			if r.state, err = mrgSeed(orElse(v[0], r.seed)); err != nil {
				return nil, fmt.Errorf("seed: %w", err)
			}
			for _, u := range r.updates {
				u.states.Shared.Set(r.substreams(u.count, true))
				r.s.Observing.Changed("seed changes", symbolic.InputName(u.states, 0))
			}
			return starlark.None, nil
		}},
	{Name: "set_rstate", Params: []value.Param{{Name: "seed", Doc: "an int, or six"}}, Doc: "Says where the streams of the next variable begin.", Example: mrgExample + ".set_rstate(2) == None # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			r := b.Receiver().(*mrgStreams)
			state, err := mrgSeed(v[0])
			if err != nil {
				return nil, fmt.Errorf("set_rstate: %w", err)
			}
			r.state = state
			return starlark.None, nil
		}},
	{Name: "inc_rstate", Doc: "Goes on to the next stream, 2**134 numbers later.", Example: mrgExample + ".inc_rstate() == None # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if _, err := b.Bind(args, kwargs); err != nil {
				return nil, err
			}
			r := b.Receiver().(*mrgStreams)
			r.state = r.state.Stream()
			return starlark.None, nil
		}},
	{Name: "n_streams", Params: []value.Param{{Name: "size", Doc: "a size"}}, Doc: "How many streams are made for a size.", Example: mrgExample + ".n_streams((60, 10)) # 100",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return starlark.MakeInt(guessStreams(v[0])), nil
		}},
	{Name: "get_substream_rstates", Params: []value.Param{{Name: "n_streams", Doc: "how many"}, {Name: "dtype", Default: "None", Doc: "for Theano's sake: states are of int32"},
		{Name: "inc_rstate", Default: "True", Doc: "go on to the next stream"}}, Doc: "A matrix of states 2**72 numbers apart, one a row.", Example: mrgExample + ".get_substream_rstates(2).shape # (2, 6)",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			n, err := value.Int(v[0])
			if err != nil || n < 1 || n > 1<<24 {
				return nil, fmt.Errorf("get_substream_rstates: n_streams: got %s, want an int from 1 to 2**24", value.Repr(v[0]))
			}
			r := b.Receiver().(*mrgStreams)
			return np.FromDenseIn(r.s, r.substreams(n, v[2] == nil || bool(v[2].Truth()))), nil
		}},
	{Name: "updates", Doc: "The list state_updates.", Example: mrgExample + ".updates() # []",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if _, err := b.Bind(args, kwargs); err != nil {
				return nil, err
			}
			return b.Receiver().(*mrgStreams).stateUpdates(), nil
		}},
}).With(
	value.FieldOf("state_updates", "A list of tuples: a shared matrix of states, the states after a draw, the size, and the number of streams that was asked for.", mrgExample+".state_updates # []",
		func(r *mrgStreams) starlark.Value { return r.stateUpdates() }),
	value.FieldOf("rstate", "Where the streams of the next variable begin.", mrgExample+".rstate # array([1, 1, 1, 1, 1, 1], dtype=int32)",
		func(r *mrgStreams) starlark.Value {
			return np.FromDenseIn(r.s, tensor.From(slices.Clone(r.state[:]), len(r.state)))
		}),
	value.FieldOf("default_instance_seed", "The seed that it was made with.", mrgExample+".default_instance_seed # 1", func(r *mrgStreams) starlark.Value { return r.seed }),
)

// truncatedDeviation is the standard deviation of standard normal numbers without those beyond 2:
// sqrt(1 - 4 phi(2) / (2 Phi(2) - 1)).
const truncatedDeviation = .87962566103423978

func (r *mrgStreams) stateUpdates() *slot.List {
	list := make([]starlark.Value, len(r.updates))
	for i, u := range r.updates {
		list[i] = starlark.Tuple{symbolic.Symbol{S: r.s, V: u.states}, symbolic.Symbol{S: r.s, V: u.next}, orElse(u.size, starlark.None), u.streams}
	}
	return slot.NewList(list)
}

// mrgTable is the functions of theano.sandbox.rng_mrg.
var mrgTable = []value.Builtin{
	{Name: mrgType, Types: []string{mrgType}, Params: []value.Param{{Name: "seed", Default: "12345", Doc: "an int from 1 to 2147462578, or six"}},
		Doc: "Random variables that draw from streams of the generator MRG31k3p, the same numbers as Theano's: streams.uniform((2, 3)) and its like draw; streams.seed(n) starts all anew.", Example: mrgExample + ".uniform((2, 3)).ndim # 2",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			r := &mrgStreams{s: symbolic.SessionOf(thread), seed: v[0]}
			if v[0] == nil {
				r.seed = starlark.MakeInt(12345)
			}
			if r.state, err = mrgSeed(r.seed); err != nil {
				return nil, fmt.Errorf("%s: %w", mrgType, err)
			}
			return r, nil
		}},
	{Name: "guess_n_streams", Params: []value.Param{{Name: "size", Doc: "a size"}, {Name: "warn", Default: "False", Doc: "for Theano's sake"}},
		Doc: "How many streams are made for a size.", Example: "theano.sandbox.rng_mrg.guess_n_streams((60, 10)) # 100",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return starlark.MakeInt(guessStreams(v[0])), nil
		}},
}

// SandboxModule is theano.sandbox.
var SandboxModule = value.NewModule("theano.sandbox", "Theano's newer generator of random numbers.",
	operations.MemberOf(value.NewModule("theano.sandbox.rng_mrg", "Random variables of the generator MRG31k3p.", value.Builtins(mrgTable)...)))
