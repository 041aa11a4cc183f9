package whatif

import (
	"math"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// Confidence is in how many of all measurements the interval of a gain holds the true one.
const Confidence = 0.95

// Floor is the part of the time below which a gain is none, however narrow its interval: where
// arrays happen to lie in memory makes as much.
const Floor = 0.03

// LeastPairs is how many pairs of times an interval is made of at least: fewer have none. mostPairs
// are enough for any budget.
const (
	LeastPairs = 8
	mostPairs  = 200
)

// A Run calls a function that many times, and says how long it took.
type Run func(calls int) (time.Duration, error)

// Times are those of two functions, by turns.
type Times struct {
	Before, After []float64 // nanoseconds a call, pair by pair
	Calls         int       // of each time
}

// Measure runs two functions by turns for about that long, and at least LeastPairs times each; the
// first of a pair is the one and the other in turn. Neither may be in its first call.
func Measure(before, after Run, budget time.Duration) (t Times, err error) {
	began := time.Now()
	t.Calls, err = enough(before, after, min(max(budget/200, 200*time.Microsecond), 5*time.Millisecond))
	if err != nil {
		return t, err
	}
	sides := [2]Run{before, after}
	for pairs := 0; pairs < LeastPairs || pairs < mostPairs && time.Since(began) < budget; pairs++ {
		var took [2]float64
		for k := range sides {
			side := (k + pairs) % 2
			d, err := sides[side](t.Calls)
			if err != nil {
				return t, err
			}
			took[side] = float64(d) / float64(t.Calls)
		}
		t.Before, t.After = append(t.Before, took[0]), append(t.After, took[1])
	}
	return t, nil
}

// enough is for how many calls either takes so long that the clock and what is around a call do not
// matter.
func enough(before, after Run, long time.Duration) (calls int, err error) {
	const most = 1 << 20
	for calls = 1; calls < most; {
		shorter := time.Duration(math.MaxInt64)
		for _, run := range []Run{before, after} {
			d, err := run(calls)
			if err != nil {
				return 0, err
			}
			shorter = min(shorter, d)
		}
		if shorter >= long {
			break
		}
		more := float64(long) / float64(max(shorter, time.Microsecond))
		calls = min(most, int(math.Ceil(float64(calls)*min(max(more, 1.2), 100))))
	}
	return calls, nil
}

// A Gain is the part of the time of a call that is saved, and the interval that it lies in. It is
// less than 0 if the call takes longer.
type Gain struct {
	Part float64 `json:"part"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Gain is what the function after saves.
func (t Times) Gain() Gain {
	var saved []float64
	for i := range min(len(t.Before), len(t.After)) {
		if t.Before[i] > 0 { // the clock may have stood still
			saved = append(saved, 1-t.After[i]/t.Before[i])
		}
	}
	if len(saved) == 0 {
		return Gain{Low: math.Inf(-1), High: 1}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(saved, &benchmath.DefaultThresholds), Confidence)
	return Gain{s.Center, s.Lo, min(s.Hi, 1)}
}

// IsNoise reports whether the gain may be none.
func (g Gain) IsNoise() bool { return g.Low <= 0 && g.High >= 0 || math.Abs(g.Part) < Floor }

// Median is that of times; 0 of none.
func Median(times []float64) float64 {
	if len(times) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(times))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
