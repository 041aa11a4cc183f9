package whatif

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/arignote/arignote/profiler/median"
)

// Confidence is in how many of all measurements the interval of a gain holds the true one.
const Confidence = 0.95

// Floor is the part of the time below which a gain is none, however narrow its interval: clocks and
// layouts of memory make as much.
const Floor = 0.03

// LeastPairs is how many pairs of times an interval is made of at least: fewer have none. maxPairs
// are enough for any budget.
const (
	LeastPairs = 8
	maxPairs   = 200
)

// A Run calls a function that many times, and says how long it took.
type Run func(calls int) (time.Duration, error)

// Times are those of two functions, by turns.
type Times struct {
	Before, After []float64 // nanoseconds a call, pair by pair
	Calls         int       // of each time
}

// layouts is how often both functions are made anew within a measurement: where their arrays lie in
// memory makes some percent, which more calls would not average away.
const layouts = 3

// Measure runs two functions by turns for about that long, and at least LeastPairs times each.
// sides makes both, after their first calls, and is asked for others if it does not take too long.
func Measure(sides func() (before, after Run, err error), budget time.Duration) (t Times, err error) {
	began := time.Now()
	pairs := 0
	for k := range layouts {
		making := time.Now()
		before, after, err := sides()
		if err != nil {
			return t, err
		}
		made := time.Since(making)
		if k == 0 {
			t.Calls, err = enough(before, after, max(budget/200, 200*time.Microsecond))
			if err != nil {
				return t, err
			}
		}
		part := k + 1
		if 10*made > budget { // another would take what is to be measured
			part = layouts
		}
		end := began.Add(budget * time.Duration(part) / layouts)
		for least := (LeastPairs*part + layouts - 1) / layouts; pairs < least || pairs < maxPairs*part/layouts && time.Now().Before(end); pairs++ {
			if err := t.pair(before, after); err != nil {
				return t, err
			}
		}
		if part == layouts {
			break
		}
	}
	return t, nil
}

// pair runs both, in an order by chance: what else the machine does may have a rhythm.
func (t *Times) pair(before, after Run) error {
	var took [2]float64
	first := rand.IntN(2)
	for k := range took {
		side := (first + k) % 2
		d, err := []Run{before, after}[side](t.Calls)
		if err != nil {
			return err
		}
		took[side] = float64(d) / float64(t.Calls)
	}
	t.Before, t.After = append(t.Before, took[0]), append(t.After, took[1])
	return nil
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
	s := median.Of(saved, Confidence)
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
