package array

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// A sample is what the rules for the width of bins know of numbers.
type sample struct {
	sorted               []float64
	n, extent, deviation float64
	skewness             float64
}

// binRules say how wide bins are to be; 0 is all in one.
var binRules = map[string]func(s *sample) float64{
	"sqrt":    func(s *sample) float64 { return s.extent / math.Sqrt(s.n) },
	"sturges": sturges,
	"rice":    func(s *sample) float64 { return s.extent / (2 * math.Cbrt(s.n)) },
	"scott":   func(s *sample) float64 { return math.Cbrt(24*math.Sqrt(math.Pi)/s.n) * s.deviation },
	"fd":      freedmanDiaconis,
	"doane": func(s *sample) float64 {
		if s.n <= 2 || s.deviation == 0 {
			return 0
		}
		// The deviation of the skewness of samples of a normal distribution.
		usual := math.Sqrt(6 * (s.n - 2) / ((s.n + 1) * (s.n + 3)))
		return s.extent / (1 + math.Log2(s.n) + math.Log2(1+math.Abs(s.skewness)/usual))
	},
	"auto": func(s *sample) float64 {
		if w := freedmanDiaconis(s); w > 0 {
			return min(w, sturges(s))
		}
		return sturges(s)
	},
}

func sturges(s *sample) float64 { return s.extent / (math.Log2(s.n) + 1) }

func freedmanDiaconis(s *sample) float64 {
	return 2 * (s.quantile(0.75) - s.quantile(0.25)) / math.Cbrt(s.n)
}

// quantile is what a part of the sample is below, between neighbours on a line.
func (s *sample) quantile(q float64) float64 {
	at := q * (s.n - 1)
	i := int(at)
	return s.sorted[i] + (at-float64(i))*(s.sorted[min(i+1, len(s.sorted)-1)]-s.sorted[i])
}

// maxBins is more than a rule may ask for: two values far from the rest make any width small.
const maxBins = 1 << 24

// BinCount is how many bins a rule of NumPy has for x, or for what of it lies from the first to the
// last of ends.
func BinCount(poll *tensor.Poll, x *tensor.Dense, rule string, ends []float64) (int, error) {
	width, ok := binRules[rule]
	if !ok {
		return 0, fmt.Errorf("got %q, want one of %s, a number or edges", rule, strings.Join(slices.Sorted(maps.Keys(binRules)), ", "))
	}
	s := &sample{sorted: slices.Clone(x.Floats())}
	if ends != nil {
		s.sorted = slices.DeleteFunc(s.sorted, func(v float64) bool { return !(v >= ends[0] && v <= ends[1]) })
	}
	if len(s.sorted) == 0 {
		return 1, nil
	}
	poll.Ask(len(s.sorted))
	slices.Sort(s.sorted)
	low, high := s.sorted[0], s.sorted[len(s.sorted)-1]
	if s.n, s.extent = float64(len(s.sorted)), high-low; math.IsNaN(s.extent) || math.IsInf(s.extent, 0) {
		return 0, errors.New("got elements that are not finite; use range=")
	}
	if ends == nil {
		ends = []float64{low, high}
	}
	mean := 0.0
	for _, v := range s.sorted {
		mean += v / s.n
	}
	for _, v := range s.sorted {
		s.deviation += (v - mean) * (v - mean) / s.n
	}
	s.deviation = math.Sqrt(s.deviation)
	for _, v := range s.sorted {
		s.skewness += math.Pow((v-mean)/s.deviation, 3) / s.n
	}
	w := width(s)
	if !(w > 0) {
		return 1, nil
	}
	n := math.Ceil((ends[1] - ends[0]) / w)
	if !(n <= maxBins) {
		return 0, fmt.Errorf("the rule %q asks for %.3g bins; use range=", rule, n)
	}
	return max(int(n), 1), nil
}
