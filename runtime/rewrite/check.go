package rewrite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// How a rule as text is checked. Its pattern is made into graphs, of variables of all combinations
// of element types, of shapes that broadcast and of arrays without elements; where the rule
// applies, both sides are computed. Elements differ if they do by more than rounding explains,
// which is measured: both sides are computed again with every operand and intermediate result off
// by a few units in the last place. A difference is excused, and the rule has to be tagged unstable
// or stabilizing, if a side meets nan, infinity, a negative zero or numbers at the ends of a type's
// range; else the rule is wrong.
//
// It does not prove anything: what is right for all samples may be wrong for numbers that are not
// among them.

// A Finding is operands for which a rule changes the result.
type Finding struct {
	Rule          *Rule
	Operands      string // "x = nan (float64), y = 1 (int8)"
	Before, After string // the results
	rank          int    // the smaller the simpler
}

func (f *Finding) String() string {
	left, right, _ := strings.Cut(f.Rule.Text, "=>")
	right, _, _ = strings.Cut(right, " if ")
	operands := ""
	if f.Operands != "" {
		operands = "for " + f.Operands + ", "
	}
	return operands + fmt.Sprintf("%s gives %s and %s gives %s", strings.TrimSpace(left), f.Before, strings.TrimSpace(right), f.After)
}

// Variables are the names of what the pattern matches.
func (r *Rule) Variables() []string {
	if r.text == nil {
		return nil
	}
	return r.text.names
}

// A Report is what Check found.
type Report struct {
	Never    *Rule    // a pattern that applied to no sample
	Wrong    *Finding // with ordinary numbers
	Unstable *Finding // where nan, inf, -0.0 or the ends of a range are met
	Loses    *Finding // as Unstable, and it is more than what rules may do that stabilize
	Endless  string   // what applying the rule again and again makes, if it does not end
}

// Check tries the patterns of a rule as text on samples. When stop, which may be nil, is raised it
// ends with op.ErrStopped.
func Check(rules []*Rule, stop kernels.Stop) (*Report, error) {
	report := &Report{}
	var begun []*specimen
	for _, r := range rules {
		c := &checking{rule: r, report: report, stop: stop, random: rand.New(rand.NewPCG(1, uint64(len(r.Text))))}
		if err := c.types(); err != nil || report.Wrong != nil {
			return report, err
		}
		if c.first == nil {
			report.Never = r
			return report, nil
		}
		if err := c.shapes(); err != nil || report.Wrong != nil {
			return report, err
		}
		begun = append(begun, c.first)
	}
	for _, r := range Rules() {
		if r.Group == groupConstants { // what a rule makes of constants is one, and not for the rule to meet again
			rules = append([]*Rule{r}, rules...)
		}
	}
	for _, s := range begun {
		p := &PassProfile{}
		fg := &graph.FunctionGraph{Outputs: []*graph.Variable{s.old}}
		if _, err := FixedPoint(fg, rules, p); err != nil || p.Warning == "" {
			continue
		}
		report.Endless = s.old.Owner.String()
		for v, n := s.old, 0; v != nil && v.Owner != nil && n < 2; n++ {
			if v = anyOf(rules, v); v != nil && v.Owner != nil {
				report.Endless += " => " + v.Owner.String()
			}
		}
		report.Endless += " => ..."
	}
	return report, nil
}

// anyOf applies the first of rules that applies to v's node.
func anyOf(rules []*Rule, v *graph.Variable) *graph.Variable {
	for _, r := range rules {
		if w := r.applyTo(v); w != nil {
			return w
		}
	}
	return nil
}

type checking struct {
	rule   *Rule
	report *Report
	stop   kernels.Stop
	random *rand.Rand
	first  *specimen // on which the rule applied
	trial  int       // which combination of types it is
}

const (
	fullGrid  = 4096 // elements of samples whose variables have one type
	mixedGrid = 64   // elements of others
	// mixedTurns is how many values uniform variables of different types have.
	mixedTurns = 4
	// fullTypes is how many combinations of types are all tried; of more, those that differ from
	// one type in one variable, and a random few.
	fullTypes   = 1500
	randomTypes = 200
)

// combinations are the element types of the variables and, last, of the numbers. Those of one type
// come first.
func (c *checking) combinations() [][]kernels.DType {
	n := c.rule.text.vars
	if c.rule.text.literals() {
		n++
	}
	all := kernels.DTypes()
	slices.Reverse(all) // float64 is what most users see
	var list [][]kernels.DType
	for _, d := range all {
		list = append(list, slices.Repeat([]kernels.DType{d}, n))
	}
	if math.Pow(float64(len(all)), float64(n)) <= fullTypes {
		for _, tuple := range grid(c.random, slices.Repeat([]int{len(all)}, n), nil, fullTypes) {
			types := make([]kernels.DType, n)
			for i, k := range tuple {
				types[i] = all[k]
			}
			if !oneType(types) {
				list = append(list, types)
			}
		}
		return list
	}
	for i := range n {
		for _, d := range all {
			for _, e := range all {
				if d != e {
					types := slices.Repeat([]kernels.DType{d}, n)
					types[i] = e
					list = append(list, types)
				}
			}
		}
	}
	for range randomTypes {
		types := make([]kernels.DType, n)
		for i := range types {
			types[i] = all[c.random.IntN(len(all))]
		}
		list = append(list, types)
	}
	return list
}

func oneType(types []kernels.DType) bool {
	return len(types) == 0 || !slices.ContainsFunc(types, func(d kernels.DType) bool { return d != types[0] })
}

// types tries all combinations of types.
func (c *checking) types() error {
	for i, types := range c.combinations() {
		c.trial = i
		if err := c.interrupted(); err != nil {
			return err
		}
		var err error
		if c.rule.text.pointwise() {
			err = c.points(types)
		} else {
			err = c.arrays(types)
		}
		if err != nil || c.report.Wrong != nil {
			return err
		}
	}
	return nil
}

// newSpecimen has the types of variables, and of numbers, if there are any.
func (c *checking) newSpecimen(types []kernels.DType) *specimen {
	t := c.rule.text
	s := &specimen{rule: t, number: kernels.Float64, types: make([]graph.Type, t.vars), data: make([]*tensor.Dense, t.vars)}
	if t.literals() {
		s.number = types[t.vars]
	}
	return s
}

// points tries values in vectors with an element for each combination. Variables that are to be
// uniform get their values in turn.
func (c *checking) points(types []kernels.DType) error {
	t := c.rule.text
	counts, ordinary := make([]int, t.vars), make([]int, t.vars)
	turns := 1
	for slot := range t.vars {
		p := t.pool(slot, types[slot])
		counts[slot], ordinary[slot] = p.size(), p.ordinary
		if t.made(slot).uniform {
			turns = max(turns, p.size())
			counts[slot], ordinary[slot] = 1, 1
		}
	}
	var tuples [][]int
	if oneType(types) {
		tuples = grid(c.random, counts, ordinary, fullGrid)
	} else {
		tuples = draw(c.random, counts, ordinary, mixedGrid)
	}
	first := 0
	if !oneType(types) {
		first, turns = c.trial, min(turns, mixedTurns)
	}
	for turn := first; turn < first+turns; turn++ {
		s := c.newSpecimen(types)
		for slot := range t.vars {
			p := t.pool(slot, types[slot])
			if t.made(slot).uniform {
				s.types[slot] = graph.TypeOf(p.dtype, 1)
				s.data[slot] = p.pick([]int{turn % p.size()}, 1)
				continue
			}
			at := make([]int, len(tuples))
			for i, tuple := range tuples {
				at[i] = tuple[slot]
			}
			s.types[slot] = graph.TypeOf(p.dtype, len(tuples))
			s.data[slot] = p.pick(at, len(at))
		}
		if err := c.try(s, func(i int) int {
			rank := turn
			for _, k := range tuples[i%len(tuples)] {
				rank += k
			}
			return rank
		}); err != nil {
			return err
		}
	}
	return nil
}

// arrays tries values in vectors and square matrices, small ones first, half of them with special
// values, and without elements.
func (c *checking) arrays(types []kernels.DType) error {
	lengths, trials := []int{1, 2, 3, 0}, 8
	if !oneType(types) {
		lengths, trials = []int{2}, 2
	}
	for rank := 1; rank <= 2; rank++ {
		for _, n := range lengths {
			for trial := range trials {
				s := c.newSpecimen(types)
				for slot := range s.data {
					c.fill(s, slot, types[slot], slices.Repeat([]int{graph.Unknown}, rank), slices.Repeat([]int{n}, rank), trial%2 == 1)
				}
				if err := c.try(s, func(int) int { return 100 * (rank + n) }); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// patterns are shapes that operands may have together.
var patterns = [][]int{{graph.Unknown, graph.Unknown}, {2, 3}, {1, graph.Unknown}, {graph.Unknown, 1}, {1, 1}}

const maxPatterns = 125

// shapes tries operands that broadcast, and that have no elements.
func (c *checking) shapes() error {
	t := c.rule.text
	if !t.pointwise() {
		return nil // arrays did
	}
	c.trial = 0
	types := make([]kernels.DType, t.vars, t.vars+1)
	for slot, typ := range c.first.types {
		types[slot] = typ.DType
	}
	types = append(types, c.first.number)
	for _, rows := range []int{2, 0} {
		counts := slices.Repeat([]int{len(patterns)}, t.vars)
		for _, tuple := range grid(c.random, counts, counts, maxPatterns) {
			if err := c.interrupted(); err != nil {
				return err
			}
			s := c.newSpecimen(types)
			for slot, k := range tuple {
				shape := slices.Clone(patterns[k])
				for axis, n := range []int{rows, 3} {
					if shape[axis] == graph.Unknown {
						shape[axis] = n
					}
				}
				c.fill(s, slot, types[slot], patterns[k], shape, false)
			}
			if err := c.try(s, func(i int) int { return 100 + i }); err != nil || c.report.Wrong != nil {
				return err
			}
		}
	}
	return nil
}

// simplest is how many of the ordinary values arrays are made of that show no special ones.
const simplest = 8

// fill gives a variable a type and random values.
func (c *checking) fill(s *specimen, slot int, d kernels.DType, dims, shape []int, special bool) {
	p := s.rule.pool(slot, d)
	if s.rule.made(slot).uniform {
		dims = slices.Repeat([]int{1}, len(dims))
		shape = dims
	}
	at := make([]int, tensor.Size(shape))
	for i := range at {
		if at[i] = c.random.IntN(min(p.ordinary, simplest)); special && c.random.IntN(3) == 0 {
			at[i] = c.random.IntN(p.size())
		}
	}
	s.types[slot] = graph.TypeOf(d, dims...)
	s.data[slot] = p.pick(at, shape...)
}

// interrupted returns op.ErrStopped if stop was raised.
func (c *checking) interrupted() error {
	if kernels.Stopped(c.stop) {
		return op.ErrStopped
	}
	return nil
}
