package whatif

import (
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// String says what came out, in sentences.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s with %s: ", units.OneLine(r.Function), units.OneLine(r.Change))
	if r.Failed != "" {
		fmt.Fprintf(&b, "not measured: %s.", units.OneLine(r.Failed))
		return b.String()
	}
	switch r.Verdict() {
	case Differs:
		fmt.Fprintf(&b, "the results are others, so that its time does not count (%s).", r.Saved())
	case Noise:
		fmt.Fprintf(&b, "no difference that the noise of this machine lets see (%s).", r.Saved())
	default:
		b.WriteString(r.Saved() + ".")
	}
	fmt.Fprintf(&b, " A call takes %s, was %s: medians of %s by turns.\n", human(r.After), human(r.Before), units.Plural(int64(r.Pairs), "pair"))
	b.WriteString(r.Error.String())
	if r.Same {
		b.WriteString(" Both are compiled to the same graph.")
	}
	if r.Inputs != "" {
		fmt.Fprintf(&b, "\nInputs: %s.", r.Inputs)
	}
	return units.Plain(b.String())
}

func human(ns float64) string { return units.Human(units.Times, ns) }

// Saved is the gain with its interval: "41.2 % less time, 38.0 to 44.1".
func (r *Result) Saved() string {
	g := r.Gain
	if g.Part >= 0 {
		return fmt.Sprintf("%.1f %% less time, %s", units.Percent(g.Part), interval(g.Low, g.High))
	}
	return fmt.Sprintf("%.1f %% more time, %s", units.Percent(-g.Part), interval(-g.High, -g.Low))
}

func interval(low, high float64) string {
	return fmt.Sprintf("%.1f to %.1f", units.Percent(low), units.Percent(high))
}

// String says how far the results are, and whether rounding explains that.
func (e Error) String() string {
	switch {
	case e.Where == "":
		return "It has no results to compare."
	case e.Absolute == 0:
		return "The results are the same to the last bit."
	case math.IsInf(e.Relative, 1):
		return fmt.Sprintf("The results are others: %s has another shape, or nan or inf where the other has none.", e.Where)
	}
	how := "as rounding explains"
	if !e.Agrees() {
		how = fmt.Sprintf("more than rounding explains (%.0e)", e.tolerance())
	}
	return fmt.Sprintf("The results differ by %.2g at most, and by %.2g of the largest element (%s), %s.", e.Absolute, e.Relative, units.OneLine(e.Where), how)
}
