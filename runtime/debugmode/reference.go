package debugmode

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// reference are the kernels that others are compared with.
var reference = kernels.Sets{kernels.GoSet}

// A Reference is what variables are worth as they are written: computed one operation at a time by
// Go's kernels. It knows how many digits of that mean something.
type Reference struct {
	options Options
	vars    []*graph.Variable
	values  values
	exact   *spread
	loose   *spread
}

// NewReference computes vars, given the values of what they are computed from. The error is that of
// the first operation that fails.
func NewReference(o Options, vars []*graph.Variable, from map[*graph.Variable]*tensor.Dense) (*Reference, error) {
	r := &Reference{options: o, vars: vars, values: make(values)}
	known := make(values, len(from))
	for v, x := range from {
		r.values[v], known[v] = x, x
	}
	e := newEvaluator(reference)
	if err := e.all(vars, r.values, nil); err != nil {
		return nil, err
	}
	r.exact, r.loose = e.newSpread(vars, known, false, false), e.newSpread(vars, known, false, true)
	return r, nil
}

// Value is that of variable i.
func (r *Reference) Value(i int) *tensor.Dense { return r.values[r.vars[i]] }

// Uncertain reports whether rounding decides lengths, or whether the computation fails: of correct
// ones, some may fail.
func (r *Reference) Uncertain() bool {
	for i := range r.vars {
		if r.loose.of(i, manyRuns) == nil {
			return true
		}
	}
	return false
}

// Differs says how a value that something else computed of variable i differs by more than rounding
// explains, "" if it does not. For a loose computation it is open too what sign a zero has, and
// whether what is about to overflow or underflow does.
func (r *Reference) Differs(i int, got *tensor.Dense, loose bool) string {
	s := r.exact
	if loose {
		s = r.loose
	}
	want := r.Value(i)
	d := r.options.compare(want, got, nil)
	for _, runs := range []int{fewRuns, manyRuns} {
		if d == nil || d.what != "" {
			break
		}
		list := s.of(i, runs)
		if list == nil { // lengths or errors depend on rounding
			return ""
		}
		d = r.options.compare(want, got, list)
	}
	if d == nil || d.what != "" && r.Uncertain() {
		return ""
	}
	return d.text("as written", "got")
}
