package rewrite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// The patterns of all rules as text are instantiated with variables of all kinds, element types and
// broadcast shapes; where the rule applies, both sides must give the same values.

// A sample is a pattern made into a graph.
type sample struct {
	rng    *rand.Rand
	rule   *textRule
	dtypes []kernels.DType
	shapes []string
	kinds  []string // input, constant, exp, abs
	number kernels.DType
	vars   []*graph.Variable
	values map[*graph.Variable]*tensor.Dense
	domain [][2]float64
	exp    bool // the pattern has an exponential, which 8 bits of integer overflow
	wild   bool // values include nan, inf, zeros of both signs, and what overflows or underflows

	cancels bool // the pattern has a sum
}

var sampleTypes = []kernels.DType{kernels.Float64, kernels.Float32, kernels.Int64, kernels.Int8, kernels.Uint8, kernels.Bool}

func newSample(rng *rand.Rand, rule *textRule, trial int) *sample {
	s := &sample{rng: rng, rule: rule, values: make(map[*graph.Variable]*tensor.Dense)}
	d := sampleTypes[trial%len(sampleTypes)]
	s.number = d
	mixed, broadcast := trial%4 == 3, trial%3 == 2
	if mixed {
		s.number = sampleTypes[rng.IntN(len(sampleTypes))]
	}
	for slot := range rule.vars {
		e, shape := d, "? ?"
		if mixed {
			e = sampleTypes[rng.IntN(len(sampleTypes))]
		}
		if broadcast {
			shape = []string{"? ?", "3 4", "1 ?", "? 1", "1 1"}[rng.IntN(5)]
		}
		if rule.asks("scalar", slot) {
			shape = "1 1"
		}
		s.dtypes, s.shapes = append(s.dtypes, e), append(s.shapes, shape)
		s.kinds = append(s.kinds, s.kind(slot))
		s.domain = append(s.domain, [2]float64{math.Inf(-1), math.Inf(1)})
	}
	s.vars = make([]*graph.Variable, rule.vars)
	s.restrict(rule.pattern)
	rule.pattern.walk(func(t *term) {
		switch t.op {
		case op.Exp, op.Expm1, op.Sigmoid, op.Softplus, op.Cosh:
			s.exp = true
		case op.Add, op.Sub:
			s.cancels = true
		}
	})
	return s
}

// kind chooses, most of the time, what the rule asks for.
func (s *sample) kind(slot int) string {
	if s.rng.IntN(8) == 0 {
		return []string{"input", "constant", "abs"}[s.rng.IntN(3)]
	}
	for _, k := range []struct{ predicate, kind string }{
		{"invertible", "power"}, {"constant", "constant"}, {"moderate", "constant"}, {"positive", "exp"}, {"nonnegative", "abs"},
	} {
		if s.rule.asks(k.predicate, slot) {
			return k.kind
		}
	}
	return "input"
}

// asks reports whether the rule has the predicate for the variable.
func (t *textRule) asks(predicate string, slot int) bool {
	for _, c := range t.conditions {
		if c.doc == predicates[predicate].doc && !c.negate && slices.Contains(c.slots, slot) {
			return true
		}
	}
	return false
}

// restrict narrows the variables' domains to those of the ops that read them.
func (s *sample) restrict(t *term) {
	e, _ := t.op.(op.Elemwise)
	for i, a := range t.args {
		if domain := e.DomainOf(i); e != 0 && a.kind == variable && domain != (op.Domain{}) {
			d := &s.domain[a.slot]
			lo, hi := domain.Range()
			d[0], d[1] = max(d[0], lo), min(d[1], hi)
		}
		s.restrict(a)
	}
}

func (s *sample) build(b *graph.Builder, t *term) (*graph.Variable, error) {
	switch t.kind {
	case literal:
		d := s.number
		if !d.IsFloat() && !representable(t.value, d) {
			d = kernels.Float64
		}
		one := tensor.New(d, 1, 1)
		one.Fill(t.value)
		return b.Constant(one), nil
	case variable:
		if s.vars[t.slot] == nil {
			s.vars[t.slot] = s.variable(b, t.slot)
		}
		return s.vars[t.slot], nil
	}
	in := make([]*graph.Variable, len(t.args))
	for i, a := range t.args {
		var err error
		if in[i], err = s.build(b, a); err != nil {
			return nil, err
		}
	}
	out, err := b.Make(t.op, in...)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

func (s *sample) variable(b *graph.Builder, slot int) *graph.Variable {
	d := s.dtypes[slot]
	typ, err := graph.ParseType(d.String() + "[" + strings.ReplaceAll(s.shapes[slot], " ", ",") + "]")
	if err != nil {
		panic(err)
	}
	dims := typ.Dims()
	for i, n := range []int{3, 4} {
		if dims[i] == graph.Unknown {
			dims[i] = n
		}
	}
	a := tensor.New(kernels.Float64, dims...)
	list := tensor.Elements[float64](a)
	for i := range list {
		list[i] = s.number1(slot, d)
	}
	switch s.kinds[slot] {
	case "power":
		a.Fill([]float64{2, 4, 0.5, -2}[s.rng.IntN(4)])
	case "constant":
		if s.rng.IntN(2) == 0 {
			a.Fill(list[0])
		}
	}
	data := a.AsType(d)
	if k := s.kinds[slot]; k == "constant" || k == "power" {
		return b.Constant(data)
	}
	v := graph.NewInput(fmt.Sprintf("x%d", slot), typ, nil)
	s.values[v] = data
	switch s.kinds[slot] {
	case "exp":
		v = b.Apply(op.Exp, v)
	case "abs":
		v = b.Apply(op.Abs, v)
	}
	return v
}

// number1 samples a value. Integers of 8 bits take all values, so that they overflow.
func (s *sample) number1(slot int, d kernels.DType) float64 {
	lo, hi := s.domain[slot][0], s.domain[slot][1]
	if math.IsInf(lo, 0) {
		lo, hi = -3, 3
		if d.Size() == 1 && !d.IsFloat() && !s.exp {
			lo, hi = -128, 127
		}
	}
	if lo > 0 && d.Size() == 1 && !d.IsFloat() && !s.exp && s.kinds[slot] != "exp" {
		hi = 127
	}
	if s.wild && d.IsFloat() && s.rng.IntN(2) == 0 {
		return special[s.rng.IntN(len(special))]
	}
	x := lo + s.rng.Float64()*(hi-lo)
	switch {
	case d.IsBool() && lo > 0:
		return 1
	case d.IsBool():
		return float64(s.rng.IntN(2))
	case d.IsFloat():
		return x
	case !d.IsSigned() && lo < 0 && s.exp:
		return float64(s.rng.IntN(4))
	case !d.IsSigned() && lo < 0:
		return float64(s.rng.IntN(256))
	}
	return math.Max(math.Round(x), math.Ceil(lo))
}

// special are floats that rules go wrong for, and of which sums and products of others are made.
var special = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, -1, 1e300, -1e300, 1e-300, 1e160, 1e-160, 1e-310, 720, -720,
	800, -800, 1e30, 1e-30, 1e-42}

// applyRule applies a rule on its own to v's node; nil if it does not apply.
func applyRule(r *Rule, v *graph.Variable) *graph.Variable {
	f := alone()
	return r.apply(f.c, v.Owner)
}

// checkRule tries a rule on trials samples and returns how often it applied, and where it went
// wrong.
func checkRule(r *Rule, rule *textRule, trials int, wild bool) (fired int, fault string) {
	rng := rand.New(rand.NewPCG(1, uint64(len(r.Text))))
	for trial := range trials {
		s := newSample(rng, rule, trial)
		s.wild = wild
		b := &graph.Builder{}
		old, err := s.build(b, rule.pattern)
		if err != nil {
			continue // the ops refuse these types or shapes
		}
		v := applyRule(r, old)
		if v == nil {
			continue
		}
		fired++
		if !old.Type.Accepts(v.Type) {
			return fired, fmt.Sprintf("%v: %s: replaced type %v by %v", r, r.Text, old.Type, v.Type)
		}
		values, err := evaluate([]*graph.Variable{old, v}, s.values)
		if err != nil {
			return fired, fmt.Sprintf("%v: %s: %v", r, r.Text, err)
		}
		if diff := s.compare(r, values[1], values[0], tolerance(old, v)); diff != "" {
			fault := fmt.Sprintf("%v: %s\n%v numbers %v, %v, %v: %s", r, r.Text, s.dtypes, s.number, s.shapes, s.kinds, diff)
			for in, val := range s.values {
				fault += fmt.Sprintf("\n%s = %v", in.Name, val.Floats())
			}
			return fired, fault
		}
	}
	return fired, ""
}

// compare is difference. On wild values it compares what the rule says it keeps: see the head of
// rules/canonicalize.rules.
func (s *sample) compare(r *Rule, got, want *tensor.Dense, tol float64) string {
	if !s.wild || got.DType() != want.DType() || !want.DType().IsFloat() || !slices.Equal(got.Shape(), want.Shape()) {
		return difference(got, want, tol)
	}
	touched := s.nans(want.Shape())
	x, y := got.Floats(), want.Floats()
	for i := range x {
		switch {
		case exactly(x[i], y[i], tol, s.cancels):
		case r.Stabilizes() && x[i] == x[i] && !touched[i] && (y[i] != y[i] || math.IsInf(y[i], 0) || math.Abs(y[i]) < 1e-37):
		case r.Stabilizes() && closeTo(x[i], y[i], tol): // without the sign of a zero
		default:
			return fmt.Sprintf("element %d: got %v, want %v", i, x[i], y[i])
		}
	}
	return ""
}

// exactly reports whether x is y but for rounding: they are nan, inf and 0 together, with one sign.
// Where terms cancel, rounding may leave 0 or not.
func exactly(x, y, tol float64, cancels bool) bool {
	switch {
	case x != x || y != y:
		return x != x && y != y
	case x == 0 && y == 0:
		return math.Signbit(x) == math.Signbit(y)
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return x == y
	case cancels:
		return closeTo(x, y, tol)
	}
	const subnormal = 1e-307 // and a little more: there are less digits
	return math.Abs(x-y) <= tol*math.Abs(y) || math.Abs(y) < subnormal && math.Abs(x-y) <= 1e-3*math.Abs(y) ||
		tol > 1e-6 && math.Abs(y) < 1e-37 && math.Abs(x-y) <= 1e-2*math.Abs(y)+1e-44
}

// nans tells which elements of a result of this shape depend on an operand that is nan.
func (s *sample) nans(shape []int) []bool {
	touched := make([]bool, tensor.Size(shape))
	mark := func(a *tensor.Dense) {
		if !a.DType().IsFloat() {
			return
		}
		wide, ok := a.BroadcastTo(shape)
		if !ok {
			return
		}
		for i, e := range wide.Copy().Floats() {
			touched[i] = touched[i] || e != e
		}
	}
	for _, v := range s.vars {
		switch {
		case v == nil:
		case v.Data != nil:
			mark(v.Data)
		case s.values[v] != nil:
			mark(s.values[v])
		default: // abs or exp of an input
			mark(s.values[v.Owner.Inputs[0]])
		}
	}
	return touched
}

// textRules are the rules as text with their terms.
func textRules(t *testing.T) map[*Rule]*textRule {
	all := make(map[*Rule]*textRule)
	for _, r := range Rules() {
		if r.Text == "" {
			continue
		}
		parsed, err := parseText(span{r.Text, 0})
		if err != nil {
			t.Fatal(err)
		}
		all[r] = parsed
	}
	return all
}

func TestRulesNumerically(t *testing.T) {
	for r, rule := range textRules(t) {
		t.Run(r.Name, func(t *testing.T) {
			switch fired, fault := checkRule(r, rule, 240, false); {
			case fault != "":
				t.Error(fault)
			case fired == 0:
				t.Errorf("%v: %s: no sample made it apply", r, r.Text)
			}
		})
	}
}

// Rules keep what their tags say.
func TestRulesOnSpecialValues(t *testing.T) {
	for r, rule := range textRules(t) {
		if r.IsUnstable() {
			continue
		}
		if _, fault := checkRule(r, rule, 240, true); fault != "" {
			t.Error(fault)
		}
	}
}

// The tests above find rules that are wrong for some types, shapes or values only.
func TestWrongRulesAreFound(t *testing.T) {
	for _, test := range []struct {
		line string
		wild bool
	}{
		{"local_wrong: log(1 + x) => log(x)", false},
		{"local_small_error: exp(x) => exp(x) * 1.00001", false},
		{"local_overflow: sqrt(sqr(x)) => abs(x)", false},
		{"local_mixed_types: x + -y => x - y", false},
		{"local_unsigned: abs(-x) => abs(x)", false},
		{"local_rounding: pow(x, 2) => sqr(x)", false},
		{"local_sign: exp(log(x)) => abs(x)", true},
		{"local_nan: x * 0 => 0", true},
		{"local_nan: x == x => true", true},
		{"local_inf: x - x => 0", true},
		{"local_zero: 0 - x => -x", true},
		{"local_zero: x + 0 => x", true},
		{"local_zero: -(x - y) => y - x if samedtype(x, y)", true},
		{"local_zero: abs(maximum(0, x)) => maximum(0, x)", true},
		{"local_zero: maximum(x, y) => maximum(y, x) if constant(y)", true},
		{"local_zero: pow(x, 0.5) => sqrt(x) if float(x) && samedtype(x)", true},
		{"local_quotient: 0 / x => 0", true},
		{"local_quotient: x * (y / y) => x if float(x, y) && samedtype(x, y)", true},
		{"local_quotient: pow(x, 3) / sqr(x) => x if float(x)", true},
		{"local_overflow: (c * x) * y => c * (x * y) if constant(c) && samedtype(c, x, y)", true},
		{"local_overflow: pow(x, -2) => reciprocal(sqr(x)) if float(x) && samedtype(x)", true},
		{"local_overflow: c * (d * x) => c * d * x if constant(c, d) && samedtype(c, d, x) && covers(x)", true},
		{"local_overflow: x / (y / z) => x * z / y if samedtype(x, y, z) && constant(x, y)", true},
	} {
		rules, err := Load("wrong.rules", groupCanonicalize, test.line)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := parseText(span{rules[0].Text, 0})
		if err != nil {
			t.Fatal(err)
		}
		if _, fault := checkRule(rules[0], rule, 2000, test.wild); fault == "" {
			t.Errorf("%s: not found to be wrong", test.line)
		}
	}
}
