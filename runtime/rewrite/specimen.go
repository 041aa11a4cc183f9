package rewrite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A specimen is a pattern made into a graph: types of its variables, and values for them.
type specimen struct {
	rule   *textRule
	types  []graph.Type    // by slot
	number kernels.DType   // of the literals
	data   []*tensor.Dense // by slot; what a variable is made of is given them
	vars   []*graph.Variable
	inputs values
	old    *graph.Variable
}

// values are those of variables that are known.
type values map[*graph.Variable]*tensor.Dense

// A makes is how a variable is made of which a predicate asks something. Without one it is an
// input.
type makes struct {
	constant bool
	uniform  bool // all elements are one value
	moderate bool // none is near the ends of the range
	from     op.Elemwise
}

// witnesses are the predicates that hold for few variables, and which they hold for.
var witnesses = map[string]makes{
	"constant":    {constant: true},
	"invertible":  {constant: true, uniform: true},
	"moderate":    {constant: true, moderate: true},
	"slight":      {constant: true, moderate: true},
	"scalar":      {uniform: true},
	"positive":    {from: op.Exp},
	"nonnegative": {from: op.Abs},
}

// made says how the variable of a slot is made, so that the predicates of it hold.
func (t *textRule) made(slot int) makes {
	var m makes
	for _, c := range t.conditions {
		w, ok := witnesses[c.name]
		if !ok || c.negate || !slices.Contains(c.slots, slot) {
			continue
		}
		m.constant, m.uniform, m.moderate = m.constant || w.constant, m.uniform || w.uniform, m.moderate || w.moderate
		m.from = max(m.from, w.from)
	}
	if m.constant {
		m.from = 0
	}
	return m
}

// pointwise reports whether every element of the result is computed of one element of each operand.
func (t *textRule) pointwise() bool {
	yes := true
	for _, side := range []*term{t.pattern, t.replacement} {
		side.walk(func(t *term) {
			_, elementwise := t.op.(op.Elemwise)
			yes = yes && (elementwise || t.kind != operation)
		})
	}
	return yes
}

// literals reports whether there is a number in the pattern, which may then be of any type.
func (t *textRule) literals() bool {
	found := false
	t.pattern.walk(func(t *term) { found = found || t.kind == literal })
	return found
}

// build makes the graph; the error says that the operations refuse these types.
func (s *specimen) build() (err error) {
	defer graph.Catch(&err)
	s.vars, s.inputs = make([]*graph.Variable, s.rule.vars), make(values)
	s.old = s.term(&graph.Builder{}, s.rule.pattern)
	return nil
}

func (s *specimen) term(b *graph.Builder, t *term) *graph.Variable {
	switch t.kind {
	case literal:
		d := s.number
		if !d.IsFloat() && !representable(t.value, d) {
			d = kernels.Float64
		}
		var ones []int
		if len(s.types) > 0 {
			ones = slices.Repeat([]int{1}, s.types[0].Rank())
		}
		one := tensor.New(d, ones...)
		one.Fill(t.value)
		return b.Constant(one)
	case variable:
		if s.vars[t.slot] == nil {
			s.vars[t.slot] = s.variable(b, t)
		}
		return s.vars[t.slot]
	}
	in := make([]*graph.Variable, len(t.args))
	for i, a := range t.args {
		in[i] = s.term(b, a)
	}
	return b.Apply(t.op, in...)
}

func (s *specimen) variable(b *graph.Builder, t *term) *graph.Variable {
	m := s.rule.made(t.slot)
	if m.constant {
		return b.Constant(s.data[t.slot])
	}
	v := graph.NewInput(t.name, s.types[t.slot], nil)
	s.inputs[v] = s.data[t.slot]
	if m.from != 0 {
		v = b.Apply(m.from, v)
	}
	return v
}

// The values that rules are tried on, simple ones first: what is wrong is shown with the first of
// them that shows it.
var (
	ordinaryFloats = []float64{1, 2, 0, -1, 3, 0.5, -2, -0.5, 1.5, -3, 0.25, 10, -10, 0.001, 7, 40, -40, 1000, -1000}
	specialFloats  = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}
	extremes64     = []float64{1e300, -1e300, 1e-300, 5e-324, -720, 1e20} // exp(-720) has few digits, and its reciprocal is inf
	extremes32     = []float64{1e38, -1e38, 1e-38, 1e-45, -95}
	large64        = []float64{1e30, -1e-30} // and moderate: see the predicate
	large32        = []float64{1e9, -1e-9}
	sampleInts     = []int64{1, 2, 0, -1, 3, -2, 5, 7, -3, 10, 100, -100, 64}
	powersOfTwo    = []float64{2, 4, 0.5, -2, 1, 1024, 0x1p-60}
)

// A pool is the values of a type that rules are tried on.
type pool struct {
	dtype    kernels.DType
	floats   []float64 // of a floating point type
	ints     []int64   // of others
	ordinary int       // the first so many are no special ones
}

func (p *pool) size() int { return len(p.floats) + len(p.ints) }

// pools are those of all types, powers those of constants that are to be powers of 2, and moderates
// those of constants that are to be moderate.
var pools, powers, moderates = func() (all, powers, moderates [kernels.NumDTypes]*pool) {
	for _, d := range kernels.DTypes() {
		p := &pool{dtype: d}
		large := large64
		switch {
		case d == kernels.Float64:
			p.floats = slices.Concat(ordinaryFloats, specialFloats, extremes64)
		case d == kernels.Float32:
			p.floats, large = slices.Concat(ordinaryFloats, specialFloats, extremes32), large32
		case d.IsBool():
			p.ints = []int64{1, 0}
		default:
			p.ints = intsOf(d)
		}
		p.ordinary = len(p.ints)
		powers[d], moderates[d] = p, p
		if d.IsFloat() {
			p.ordinary = len(ordinaryFloats)
			powers[d] = &pool{dtype: d, floats: powersOfTwo, ordinary: len(powersOfTwo)}
			moderates[d] = &pool{dtype: d, floats: slices.Concat(ordinaryFloats, large), ordinary: len(ordinaryFloats)}
		}
		all[d] = p
	}
	return all, powers, moderates
}()

func intsOf(d kernels.DType) (list []int64) {
	bits := 8 * d.Size()
	lo, hi := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	if !d.IsSigned() {
		lo, hi = 0, math.MaxInt64
		if bits < 64 {
			hi = 1<<bits - 1
		}
	}
	for _, x := range append(slices.Clone(sampleInts), hi, lo, hi-1) {
		if lo <= x && x <= hi && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// pick makes an array of values of a pool.
func (p *pool) pick(at []int, shape ...int) *tensor.Dense {
	if p.dtype.IsFloat() {
		list := make([]float64, len(at))
		for i, k := range at {
			list[i] = p.floats[k]
		}
		return tensor.From(list, shape...).AsType(p.dtype)
	}
	list := make([]int64, len(at))
	for i, k := range at {
		list[i] = p.ints[k]
	}
	return tensor.From(list, shape...).AsType(p.dtype)
}

// pool is what the values of a slot are taken from.
func (t *textRule) pool(slot int, d kernels.DType) *pool {
	switch m := t.made(slot); {
	case m.constant && m.uniform:
		return powers[d]
	case m.moderate:
		return moderates[d]
	}
	return pools[d]
}

// grid chooses tuples of candidates, given how many there are for each slot, and how many of these
// are ordinary: all if that are few; else all of each pair of slots with ordinary ones in the
// others; at most most.
func grid(random *rand.Rand, counts, ordinary []int, most int) [][]int {
	all := 1
	for _, n := range counts {
		all = min(all*n, most+1)
	}
	tuple := make([]int, len(counts))
	var tuples [][]int
	if all <= most {
		for range all {
			tuples = append(tuples, slices.Clone(tuple))
			for i := range tuple {
				if tuple[i]++; tuple[i] < counts[i] {
					break
				}
				tuple[i] = 0
			}
		}
		return tuples
	}
	for i := range counts {
		for j := range i {
			for a := range counts[i] {
				for b := range counts[j] {
					for k := range tuple {
						tuple[k] = random.IntN(ordinary[k])
					}
					tuple[i], tuple[j] = a, b
					tuples = append(tuples, slices.Clone(tuple))
				}
			}
		}
	}
	if len(tuples) > most {
		random.Shuffle(len(tuples), func(i, j int) { tuples[i], tuples[j] = tuples[j], tuples[i] })
		tuples = tuples[:most]
	}
	return tuples
}

// draw chooses n tuples at random, every other of them of ordinary candidates.
func draw(random *rand.Rand, counts, ordinary []int, n int) [][]int {
	tuples := make([][]int, n)
	for i := range tuples {
		tuples[i] = make([]int, len(counts))
		for k := range counts {
			tuples[i][k] = random.IntN(counts[k])
			if i%2 == 0 {
				tuples[i][k] = random.IntN(ordinary[k])
			}
		}
	}
	return tuples
}

// elementText writes one element as programs do: 1.0, nan, 7, True.
func elementText(d *tensor.Dense, i int) string {
	switch {
	case d.DType().IsBool():
		return map[int64]string{0: "False", 1: "True"}[d.Ints()[i]]
	case d.DType() == kernels.Uint64:
		return strconv.FormatUint(uint64(d.Ints()[i]), 10)
	case !d.DType().IsFloat():
		return strconv.FormatInt(d.Ints()[i], 10)
	}
	x, bits := d.Floats()[i], 8*d.DType().Size()
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strings.ToLower(fmt.Sprint(x)), "+")
	}
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, bits)
	}
	text := strconv.FormatFloat(x, 'f', -1, bits)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// arrayText writes an array as nested lists.
func arrayText(d *tensor.Dense) string {
	var write func(axis, first int) (string, int)
	write = func(axis, first int) (string, int) {
		if axis == d.Rank() {
			return elementText(d, first), first + 1
		}
		parts := make([]string, d.Shape()[axis])
		for i := range parts {
			parts[i], first = write(axis+1, first)
		}
		return "[" + strings.Join(parts, ", ") + "]", first
	}
	text, _ := write(0, 0)
	return text
}
