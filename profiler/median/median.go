// Package median is the one place where an interval of a median is computed: it assumes nothing of
// how values are distributed, only that they are drawn alike.
//
//	Of  the median of values, and between which limits that of all values is
//
// It imports golang.org/x/perf/benchmath.
package median

import "golang.org/x/perf/benchmath"

// An Interval holds the median of what values were drawn from, as often as its confidence says. Lo
// and Hi are infinite if there are too few values.
type Interval struct{ Center, Lo, Hi float64 }

// Of is the interval of the median of values, one at least, which stay in their order.
func Of(values []float64, confidence float64) Interval {
	own := append([]float64(nil), values...) // NewSample sorts
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(own, &benchmath.DefaultThresholds), confidence)
	return Interval{s.Center, s.Lo, s.Hi}
}
