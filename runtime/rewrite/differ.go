package rewrite

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// apply applies a rule by itself to v's node; nil if it does not apply.
func (r *Rule) applyTo(v *graph.Variable) *graph.Variable {
	f := alone()
	return f.attempt(r, v.Owner)
}

// alone is where a rule is applied by itself.
func alone() *fixedPoint {
	f := &fixedPoint{
		fires: maxFires,
		room:  maxSteps,
		index: NewIndex(nil),
		c:     newContext(),
	}
	f.c.fixed, f.settled = f, &f.c.census.settled
	f.pass = f.settled.begin(f.index)
	return f
}

// compute fills known with vars and all that they are made of. jitter, if not nil, may change what
// a node gave before others read it.
func compute(vars []*graph.Variable, known values, stop kernels.Stop, jitter func(node *graph.Apply, in []*tensor.Dense, out *tensor.Dense) *tensor.Dense) error {
	call := &op.Call{Stop: stop, Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.New(d, shape...) }}
	for _, node := range graph.Toposort(vars) {
		if known[node.Outputs[0]] != nil {
			continue
		}
		thunk, _, err := node.Op.(op.Linker).Link(node, kernels.Sets{kernels.GoSet})
		if err != nil {
			return err
		}
		in, out := make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))
		for i, v := range node.Inputs {
			if known[v] == nil && v.Data != nil {
				known[v] = v.Data
			}
			in[i] = known[v]
		}
		if err := thunk(call, in, out); err != nil {
			return err
		}
		for i, v := range node.Outputs {
			if known[v] = out[i]; jitter != nil && !slices.Contains(vars, v) {
				known[v] = jitter(node, in, out[i])
			}
		}
	}
	for _, v := range vars {
		if known[v] == nil {
			known[v] = v.Data
		}
	}
	return nil
}

// A comparison is of both sides of a rule on one sample.
type comparison struct {
	c          *checking
	s          *specimen
	new        *graph.Variable
	known      values
	want, got  *tensor.Dense
	floats     map[*graph.Variable][]float64
	rank       func(i int) int
	relative   float64 // by how much floats may differ
	tiny, huge float64 // the ends of the range
}

// try compares both sides on a sample, if the rule applies to it. rank says how simple the operands
// of an element are.
func (c *checking) try(s *specimen, rank func(i int) int) error {
	if s.build() != nil {
		return nil // the operations refuse these types
	}
	if s.old.Owner == nil {
		return nil
	}
	replaced := c.rule.applyTo(s.old)
	if replaced == nil {
		return nil
	}
	if c.first == nil {
		c.first = s
	}
	k := &comparison{c: c, s: s, new: replaced, known: maps.Clone(s.inputs), floats: make(map[*graph.Variable][]float64),
		rank: rank, relative: 1e-10, tiny: 1e-290, huge: 1e290}
	for _, node := range graph.Toposort([]*graph.Variable{s.old, replaced}) {
		for _, v := range slices.Concat(node.Inputs, node.Outputs) {
			if v.Type.DType == kernels.Float32 {
				k.relative, k.tiny, k.huge = 1e-5, 1e-35, 1e35
			}
		}
	}
	if err := compute([]*graph.Variable{s.old}, k.known, c.stop, nil); err != nil {
		return c.interrupted() // the pattern does not fit these lengths
	}
	if err := compute([]*graph.Variable{replaced}, k.known, c.stop, nil); err != nil {
		if stopped := c.interrupted(); stopped != nil {
			return stopped
		}
		c.report.Wrong = k.finding(-1, arrayText(k.known[s.old]), "the error "+err.Error())
		return nil
	}
	k.want, k.got = k.known[s.old], k.known[replaced]
	return k.compare()
}

func (k *comparison) compare() error {
	report := k.c.report
	if k.want.DType() != k.got.DType() || !slices.Equal(k.want.Shape(), k.got.Shape()) {
		describe := func(d *tensor.Dense) string {
			return fmt.Sprintf("%v of shape %s", d.DType(), tensor.ShapeString(d.Shape()))
		}
		report.Wrong = k.finding(-1, describe(k.want), describe(k.got))
		return nil
	}
	differing := k.differing(nil)
	if len(differing) == 0 {
		return nil
	}
	spread := k.spread()
	if err := k.c.interrupted(); err != nil {
		return err
	}
	for _, i := range k.differing(spread) {
		rank := k.rank(i) + 10000*k.c.trial
		if x := k.element(k.s.old, i); x == 0 && x == k.element(k.new, i) {
			rank += 5000 // the sign of a zero is shown if there is nothing else to show
		}
		keep := func(to **Finding) {
			if *to != nil && (*to).rank <= rank {
				return
			}
			before, after := k.results(i)
			*to = k.finding(i, before, after)
			(*to).rank = rank
		}
		if !k.special(i) {
			keep(&report.Wrong)
			continue
		}
		keep(&report.Unstable)
		if !k.saves(i) {
			keep(&report.Loses)
		}
	}
	return nil
}

// differing are the elements that differ by more than the tolerance and the spread, which may be
// nil. Zeros of different signs do.
func (k *comparison) differing(spread []float64) []int {
	var list []int
	if !k.want.DType().IsFloat() {
		x, y := k.want.Ints(), k.got.Ints()
		for i := range x {
			if x[i] != y[i] && (spread == nil || spread[i] == 0) {
				list = append(list, i)
			}
		}
		return list
	}
	x, y := k.want.Floats(), k.got.Floats()
	for i := range x {
		switch a, b := x[i], y[i]; {
		case math.IsNaN(a) && math.IsNaN(b), a == b && math.Signbit(a) == math.Signbit(b):
		case spread != nil && math.IsInf(spread[i], 0):
		case a == b:
			list = append(list, i)
		default:
			allowed := k.relative * max(math.Abs(a), math.Abs(b))
			if spread != nil {
				allowed += spread[i]
			}
			if !(math.Abs(a-b) <= allowed) || math.IsInf(allowed, 0) {
				list = append(list, i)
			}
		}
	}
	return list
}

// How the spread is found: J. Vignes, A stochastic arithmetic for reliable scientific computation,
// 1993.
const (
	jitterRuns   = 6 // the first all up, the second all down, the others at random
	jitterUnits  = 4
	jitterFactor = 8
)

// spread is by how much each element may differ because intermediate results are rounded: infinite,
// if that decides what it is.
func (k *comparison) spread() []float64 {
	spread := make([]float64, k.want.Size())
	random := rand.New(rand.NewPCG(1, 2))
	for run := range jitterRuns {
		near := maps.Clone(k.s.inputs)
		if compute([]*graph.Variable{k.s.old, k.new}, near, k.c.stop, func(node *graph.Apply, in []*tensor.Dense, out *tensor.Dense) *tensor.Dense {
			return jittered(random, run, node, in, out)
		}) != nil {
			return nil
		}
		for _, v := range []*graph.Variable{k.s.old, k.new} {
			exact, moved := k.known[v].Floats(), near[v].Floats()
			for i, x := range exact {
				y := moved[i]
				switch {
				case x == y || math.IsNaN(x) && math.IsNaN(y):
				case !v.Type.DType.IsFloat() || math.IsNaN(x-y) || math.IsInf(x-y, 0):
					spread[i] = math.Inf(1)
				default:
					spread[i] += jitterFactor * math.Abs(x-y)
				}
			}
		}
	}
	return spread
}

// jittered is out with each element off by up to a few units in the last place, but for those that
// are exact: sums, products and their like of short numbers that are short.
func jittered(random *rand.Rand, run int, node *graph.Apply, in []*tensor.Dense, out *tensor.Dense) *tensor.Dense {
	if !out.DType().IsFloat() {
		return out
	}
	unit, least := 0x1p-52, math.SmallestNonzeroFloat64
	if out.DType() == kernels.Float32 {
		unit, least = 0x1p-23, math.SmallestNonzeroFloat32
	}
	list := out.Floats()
	operands := make([][]float64, len(in))
	for i, x := range in {
		operands[i] = x.Floats()
	}
	for i, x := range list {
		exact := plain(node.Op) && short(x)
		for _, o := range operands {
			switch len(o) {
			case len(list):
				exact = exact && short(o[i])
			case 1:
				exact = exact && short(o[0])
			default:
				exact = false
			}
		}
		if exact {
			continue
		}
		k := float64(1 + random.IntN(jitterUnits))
		if run == 1 || run > 1 && random.IntN(2) == 0 {
			k = -k
		}
		list[i] = x*(1+k*unit) + k*least
	}
	return tensor.From(list, out.Shape()...).AsType(out.DType())
}

// plain reports whether an operation is a sum, a product or their like.
func plain(o graph.Op) bool {
	e, ok := o.(op.Elemwise)
	return ok && e.Row().Flops <= 4
}

// short reports whether a number has few digits, in base 2: what is computed of few of them fits
// into any type of floats.
func short(x float64) bool { return math.Abs(x) < 1<<10 && math.Trunc(16*x) == 16*x }

// vanishing are operations whose result is 0 only where it is too small for its type (true), or for
// an operand that is 0 (false).
var vanishing = map[graph.Op]bool{op.Exp: true, op.Exp2: true, op.Sigmoid: true, op.Softplus: true, op.Erfc: true,
	op.Mul: false, op.TrueDiv: false, op.Pow: false, op.Sqr: false, op.Reciprocal: false}

// special reports whether an element is computed, on either side, of what excuses a difference:
// nan, infinity, a negative zero, or what lies at the ends of a type's range.
func (k *comparison) special(i int) bool {
	if x := k.element(k.s.old, i); x == k.element(k.new, i) && x == 0 {
		return true // zeros of different signs
	}
	end := func(x float64) bool {
		return math.IsInf(x, 0) || math.Abs(x) > k.huge || x == 0 && math.Signbit(x) || x != 0 && math.Abs(x) < k.tiny
	}
	for _, side := range []*graph.Variable{k.s.old, k.new} {
		vars := []*graph.Variable{side}
		for _, node := range graph.Toposort([]*graph.Variable{side}) {
			vars = append(vars, node.Inputs...)
			never, vanishes := vanishing[node.Op]
			if !vanishes || !node.Outputs[0].Type.DType.IsFloat() || k.element(node.Outputs[0], i) != 0 {
				continue
			}
			if never || !slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return k.element(v, i) == 0 }) {
				return true // it is too small
			}
		}
		for _, v := range vars {
			if !v.Type.DType.IsFloat() {
				continue
			}
			// nan that the replacement makes of numbers is no excuse.
			if x := k.element(v, i); end(x) || math.IsNaN(x) && side == k.s.old {
				return true
			}
		}
	}
	return false
}

// saves reports whether the replacement gives a number where the pattern gives none, one that
// underflows, or a zero whose sign was rounded away, of operands that are not nan: what rules may
// do that stabilize.
func (k *comparison) saves(i int) bool {
	if !k.want.DType().IsFloat() {
		return false
	}
	a, b := k.want.Floats()[i], k.got.Floats()[i]
	if math.IsNaN(a) && slices.ContainsFunc(k.s.vars, func(v *graph.Variable) bool { return v.Type.DType.IsFloat() && math.IsNaN(k.element(v, i)) }) {
		return false
	}
	if a == b { // zeros of different signs: log(exp(-0)) is 0, since exp(-0) is rounded to 1
		return slices.ContainsFunc(graph.Toposort([]*graph.Variable{k.s.old}), func(node *graph.Apply) bool { return !plain(node.Op) })
	}
	return !math.IsNaN(b) && (math.IsNaN(a) || math.IsInf(a, 0) || math.Abs(a) < k.tiny)
}

// element is the value that takes part in element i of the result; of arrays, the first that is not
// a finite number, if there is one.
func (k *comparison) element(v *graph.Variable, i int) float64 {
	list, ok := k.floats[v]
	if !ok {
		list = k.known[v].Floats()
		k.floats[v] = list
	}
	switch {
	case len(list) == 1:
		return list[0]
	case k.s.rule.pointwise() && len(list) == k.want.Size():
		return list[i]
	}
	for _, x := range list {
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 && math.Signbit(x) || math.Abs(x) > k.huge || x != 0 && math.Abs(x) < k.tiny {
			return x
		}
	}
	if len(list) == 0 {
		return 1
	}
	return list[0]
}

// single reports whether element i may be shown alone: the operands are vectors, and one element of
// each takes part.
func (k *comparison) single(i int) bool {
	return i >= 0 && k.s.rule.pointwise() && k.want.Rank() == 1
}

func (k *comparison) results(i int) (before, after string) {
	if k.single(i) {
		return elementText(k.want, i), elementText(k.got, i)
	}
	return arrayText(k.want), arrayText(k.got)
}

// finding describes the operands; i is the element, -1 for all.
func (k *comparison) finding(i int, before, after string) *Finding {
	var list []string
	for slot, name := range k.s.rule.names {
		d, typ := k.known[k.s.vars[slot]], k.s.types[slot]
		if k.s.vars[slot].Data != nil {
			d = k.s.vars[slot].Data
		}
		switch {
		case k.single(i):
			at := i
			if d.Size() == 1 {
				at = 0
			}
			list = append(list, fmt.Sprintf("%s = %s (%v)", name, elementText(d, at), typ.DType))
		case d.Size() == 0:
			list = append(list, fmt.Sprintf("%s of shape %s (%v)", name, tensor.ShapeString(d.Shape()), typ))
		default:
			list = append(list, fmt.Sprintf("%s = %s (%v)", name, arrayText(d), typ))
		}
	}
	return &Finding{Rule: k.c.rule, Operands: strings.Join(list, ", "), Before: before, After: after}
}
