package ticks

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Rule says which round numbers may be ticks.
type Rule struct {
	Most  int       // intervals
	Least int       // ticks within, unless the limits are one
	Whole bool      // only whole numbers
	Steps []float64 // what their distance may begin with, from 1 to 10; nil: Coarse
}

// What the distance of ticks may begin with.
var (
	Coarse = []float64{1, 2, 2.5, 5, 10}
	Fine   = []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}
	Tens   = []float64{1, 2, 5, 10}
)

// steps are the distances that a rule allows, from a tenth of a scale up.
func (r Rule) steps(scale float64) []float64 {
	list := r.Steps
	if list == nil {
		list = Coarse
	}
	var out []float64
	for _, s := range list[:len(list)-1] {
		out = append(out, s/10*scale)
	}
	for _, s := range list {
		out = append(out, s*scale)
	}
	out = append(out, 10*list[1]*scale)
	if r.Whole { // what is less than one becomes one
		out = slices.DeleteFunc(out, func(s float64) bool { return s >= 1 && math.Abs(s-math.Round(s)) >= 1e-3 })
	}
	return out
}

// Linear are round numbers that cover lo to hi, the first not above lo and the last not below hi.
func (r Rule) Linear(lo, hi float64) []float64 {
	if lo > hi {
		lo, hi = hi, lo
	}
	if !finite(lo) || !finite(hi) || lo == hi || math.IsInf(hi-lo, 0) {
		return []float64{lo}
	}
	intervals := max(r.Most, 1)
	middle, offset := (lo+hi)/2, 0.0
	if math.Abs(middle)/(hi-lo) >= 100 {
		offset = math.Copysign(math.Pow(10, math.Floor(math.Log10(math.Abs(middle)))), middle)
	}
	scale := math.Pow(10, math.Floor(math.Log10((hi-lo)/float64(intervals))))
	if scale == 0 || math.IsInf(scale, 0) {
		return []float64{lo, hi}
	}
	lo, hi = lo-offset, hi-offset
	steps, i := r.steps(scale), 0
	for i < len(steps)-1 && steps[i] < (hi-lo)/float64(intervals) {
		i++
	}
	var ticks []float64
	for ; i >= 0; i-- {
		step := steps[i]
		if r.Whole && math.Floor(hi)-math.Ceil(lo) >= float64(r.Least-1) {
			step = max(step, 1)
		}
		first := math.Floor(lo/step) * step
		from, to := edge(lo-first, step, offset, true), edge(hi-first, step, offset, false)
		if to-from > 1000 {
			break
		}
		ticks = ticks[:0]
		n := 0
		for k := from; k <= to; k++ {
			t := k*step + first
			if t >= lo && t <= hi {
				n++
			}
			ticks = append(ticks, t+offset)
		}
		if n >= r.Least {
			break
		}
	}
	return ticks
}

// edge is how many steps lie below x, or up to above it, where what is a step but for rounding is
// one.
func edge(x, step, offset float64, below bool) float64 {
	tolerance := 1e-10
	if offset != 0 {
		tolerance = min(0.4999, max(tolerance, math.Pow(10, math.Log10(math.Abs(offset)/step)-12)))
	}
	n := math.Floor(x / step)
	rest := x/step - n
	switch {
	case below && 1-rest < tolerance:
		return n + 1
	case below || rest < tolerance:
		return n
	}
	return n + 1
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Within are the ticks from lo to hi; what lies outside by rounding alone is within.
func Within(ticks []float64, lo, hi float64) []float64 {
	if lo > hi {
		lo, hi = hi, lo
	}
	slack := (hi - lo) * 1e-10
	return slices.DeleteFunc(slices.Clone(ticks), func(t float64) bool { return t < lo-slack || t > hi+slack })
}

// Labels are the texts for ticks of an axis from lo to hi, and what all have in common: "1e8" that
// they are multiplied by, "+1.2e3" that is added. Scientific forbids or asks for powers of ten:
// nil lets the numbers decide.
func Labels(at []float64, lo, hi float64, o Options) (texts []string, common string) {
	if lo > hi {
		lo, hi = hi, lo
	}
	offset := 0.0
	if !o.NoOffset {
		offset = sharedOffset(Within(at, lo, hi))
	}
	power := 0
	if !o.Plain {
		power = sharedPower(Within(at, lo, hi), lo, hi, offset, o.PowerLimits)
	}
	format := decimals(at, lo, hi, offset, power)
	texts = make([]string, len(at))
	for i, t := range at {
		x := (t - offset) / math.Pow10(power)
		if math.Abs(x) < 1e-8 {
			x = 0
		}
		texts[i] = Minus(strconv.FormatFloat(x, 'f', format, 64))
	}
	if power != 0 {
		common = Minus("1e" + strconv.Itoa(power))
	}
	if offset != 0 {
		text := scientific(offset)
		if offset > 0 {
			text = "+" + text
		}
		common += Minus(text)
	}
	return texts, common
}

// Options of Labels.
type Options struct {
	NoOffset    bool    // nothing is taken out by adding
	Plain       bool    // nothing is taken out by multiplying
	PowerLimits *[2]int // below and above which powers of ten are taken out; nil: -5 and 6
}

// Minus writes minus signs as long as a plus.
func Minus(s string) string { return strings.ReplaceAll(s, "-", "\u2212") }

// sharedOffset is the number that is taken out of all ticks, 0 unless that saves four digits.
func sharedOffset(at []float64) float64 {
	if len(at) == 0 {
		return 0
	}
	lo, hi := slices.Min(at), slices.Max(at)
	if lo == hi || lo <= 0 && hi >= 0 {
		return 0
	}
	sign := math.Copysign(1, lo)
	small, large := min(math.Abs(lo), math.Abs(hi)), max(math.Abs(lo), math.Abs(hi))
	digits := func(x float64, k int) float64 { return whole(x, math.Pow10(k)) }
	top := int(math.Ceil(math.Log10(large)))
	k := top
	for k > -320 && digits(small, k) == digits(large, k) {
		k--
	}
	k++
	if (large-small)/math.Pow10(k) <= 1e-2 { // as 99 and 101, which share no first digit
		for k = top; k > -320 && digits(large, k)-digits(small, k) <= 1; k-- {
		}
		k++
	}
	if digits(large, k) >= 1000 {
		return sign * digits(large, k) * math.Pow10(k)
	}
	return 0
}

// whole is how many times y goes into x, without the rounding of a division.
func whole(x, y float64) float64 {
	n := (x - math.Mod(x, y)) / y
	if f := math.Floor(n); n-f <= 0.5 {
		return f
	}
	return math.Floor(n) + 1
}

func sharedPower(at []float64, lo, hi, offset float64, limits *[2]int) int {
	low, high := -5, 6
	if limits != nil {
		low, high = limits[0], limits[1]
		if low == high && low != 0 {
			return low
		}
	}
	large := 0.0
	for _, t := range at {
		large = max(large, math.Abs(t))
	}
	if offset != 0 {
		large = hi - lo
	}
	if large == 0 {
		return 0
	}
	if k := int(math.Floor(math.Log10(large))); k <= low || k >= high {
		return k
	}
	return 0
}

// decimals is how many tell the ticks apart.
func decimals(at []float64, lo, hi, offset float64, power int) int {
	all := at
	if len(at) < 2 {
		all = append(slices.Clone(at), lo, hi)
	}
	scaled := make([]float64, len(all))
	for i, t := range all {
		scaled[i] = (t - offset) / math.Pow10(power)
	}
	spread := slices.Max(scaled) - slices.Min(scaled)
	if spread == 0 {
		for _, x := range scaled {
			spread = max(spread, math.Abs(x))
		}
	}
	if spread == 0 || !finite(spread) {
		spread = 1
	}
	scaled = scaled[:len(at)]
	k := int(math.Floor(math.Log10(spread)))
	n := max(0, 3-k)
	tolerance := 1e-3 * math.Pow10(k)
	for ; n >= 0; n-- {
		worst := 0.0
		for _, x := range scaled {
			p := math.Pow10(n)
			worst = max(worst, math.Abs(x-math.RoundToEven(x*p)/p))
		}
		if worst >= tolerance {
			break
		}
	}
	return min(n+1, 20)
}

// scientific is x with a power of ten, as short as it is exact to ten digits.
func scientific(x float64) string {
	s := strconv.FormatFloat(x, 'e', 10, 64)
	digits, power, _ := strings.Cut(s, "e")
	digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	k, _ := strconv.Atoi(power)
	if k == 0 {
		return digits
	}
	return digits + "e" + strconv.Itoa(k)
}
