package array

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/runtime/tensor"
)

// A sample is the numbers that a rule chooses the width of bins for.
type sample struct {
	x         []float64
	n, extent float64
	poll      *tensor.Poll
	err       error // of a quantile: that it was stopped
}

// binRules say how wide bins are to be; 0 is all in one.
var binRules = map[string]func(s *sample) float64{
	"sqrt":    func(s *sample) float64 { return s.extent / math.Sqrt(s.n) },
	"sturges": sturges,
	"rice":    func(s *sample) float64 { return s.extent / (2 * libm.Pow(s.n, 1.0/3)) },
	"scott": func(s *sample) float64 {
		_, deviation := s.deviation()
		return libm.Pow(24*math.Sqrt(math.Pi)/s.n, 1.0/3) * deviation
	},
	"fd": freedmanDiaconis,
	"doane": func(s *sample) float64 {
		mean, deviation := s.deviation()
		if s.n <= 2 || deviation == 0 {
			return 0
		}
		skewness := s.mean(func(v float64) float64 {
			v = (v - mean) / deviation
			return v * v * v
		})
		// The deviation of the skewness of samples of a normal distribution.
		usual := math.Sqrt(6 * (s.n - 2) / ((s.n + 1) * (s.n + 3)))
		return s.extent / (1 + math.Log2(s.n) + math.Log2(1+math.Abs(skewness)/usual))
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
	quartiles, err := Quantile(Calculator{Stop: s.poll.Stop}, tensor.From(s.x, len(s.x)), tensor.From([]float64{0.25, 0.75}, 2), "linear", Lanes{Axes: tensor.AxesOf(0)})
	if err != nil {
		s.err = err
		return 0
	}
	q := quartiles.Floats()
	return 2 * (q[1] - q[0]) * libm.Pow(s.n, -1.0/3)
}

// mean is that of f of the numbers.
func (s *sample) mean(f func(v float64) float64) float64 {
	sum := 0.0
	for _, v := range s.x {
		s.poll.Ask(1)
		sum += f(v)
	}
	return sum / s.n
}

func (s *sample) deviation() (mean, deviation float64) {
	mean = s.mean(func(v float64) float64 { return v })
	return mean, math.Sqrt(s.mean(func(v float64) float64 { return (v - mean) * (v - mean) }))
}

// maxBins is more than a rule may ask for: two values far from the rest make any width small.
const maxBins = 1 << 24

// BinCount is how many bins a rule of NumPy has for x, or for what of it lies from the first to the
// last of ends.
func BinCount(poll *tensor.Poll, x *tensor.Dense, rule string, ends []float64) (int, error) {
	width, ok := binRules[rule]
	if !ok {
		return 0, fmt.Errorf("for parameter bins: got %q, want one of %s, a number or edges", rule, strings.Join(slices.Sorted(maps.Keys(binRules)), ", "))
	}
	s := &sample{x: x.Floats(), poll: poll}
	if ends != nil {
		s.x = slices.DeleteFunc(slices.Clone(s.x), func(v float64) bool { return !(v >= ends[0] && v <= ends[1]) })
	}
	if len(s.x) == 0 {
		return 1, nil
	}
	low, high := s.x[0], s.x[0]
	for _, v := range s.x {
		poll.Ask(1)
		low, high = min(low, v), max(high, v) // nan if one is
	}
	if s.n, s.extent = float64(len(s.x)), high-low; math.IsNaN(s.extent) || math.IsInf(s.extent, 0) {
		return 0, errors.New("for parameter bins: got elements that are not finite; use range=")
	}
	if ends == nil {
		ends = []float64{low, high}
	}
	w := width(s)
	if s.err != nil {
		return 0, s.err
	}
	if !(w > 0) {
		return 1, nil
	}
	n := math.Ceil((ends[1] - ends[0]) / w)
	if !(n <= maxBins) {
		return 0, fmt.Errorf("for parameter bins: the rule %q asks for %.3g bins; use range=", rule, n)
	}
	return max(int(n), 1), nil
}
