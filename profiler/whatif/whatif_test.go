package whatif_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler/whatif"
	"github.com/arignote/arignote/runtime/tensor"
)

// pretended are two functions of which the clock is invented: a call takes so long, more or less,
// and now and then all is slower for a while, on both sides.
func pretended(seed uint64, before, after time.Duration) (a, b whatif.Run) {
	r := rand.New(rand.NewPCG(seed, 5))
	busy := 1.0
	of := func(d time.Duration) whatif.Run {
		return func(calls int) (time.Duration, error) {
			if r.IntN(20) == 0 {
				busy = 1 + 2*r.Float64()*float64(r.IntN(2))
			}
			spread := math.Exp(0.1 * r.NormFloat64())
			if r.IntN(15) == 0 { // an interruption
				spread *= 1 + 3*r.Float64()
			}
			return time.Duration(float64(d) * busy * spread * float64(calls)), nil
		}
	}
	return of(before), of(after)
}

func both(a, b whatif.Run) func() (whatif.Run, whatif.Run, error) {
	return func() (whatif.Run, whatif.Run, error) { return a, b, nil }
}

// TestGain: of functions that take the same, chance makes a gain in fewer than one of twenty, and
// one of a tenth is found in nearly all, within its interval in 19 of 20.
func TestGain(t *testing.T) {
	const trials = 300
	alarms, found, covered := 0, 0, 0
	for seed := range uint64(trials) {
		for _, after := range []time.Duration{300 * time.Microsecond, 270 * time.Microsecond} {
			a, b := pretended(seed, 300*time.Microsecond, after)
			times, err := whatif.Measure(both(a, b), 30*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			g := times.Gain()
			switch {
			case after == 300*time.Microsecond && !g.IsNoise():
				alarms++
			case after < 300*time.Microsecond:
				if !g.IsNoise() && g.Part > 0 {
					found++
				}
				if g.Low <= 0.1 && 0.1 <= g.High {
					covered++
				}
			}
		}
	}
	t.Logf("%d of %d without a difference were told as one; %d of a tenth were found, %d within the interval", alarms, trials, found, covered)
	if alarms > trials*8/100 || found < trials*98/100 || covered < trials*90/100 {
		t.Errorf("got %d alarms, found %d, covered %d of %d", alarms, found, covered, trials)
	}
}

// TestLayouts: a function that happens to lie badly, in one of three, is no slower for it.
func TestLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	of := func(d time.Duration) whatif.Run {
		return func(calls int) (time.Duration, error) {
			return time.Duration(float64(d) * (1 + 0.01*r.NormFloat64()) * float64(calls)), nil
		}
	}
	for bad := range 3 {
		made := 0
		times, err := whatif.Measure(func() (a, b whatif.Run, err error) {
			a, b = of(300*time.Microsecond), of(300*time.Microsecond)
			if made == bad {
				b = of(345 * time.Microsecond)
			}
			made++
			return a, b, nil
		}, 30*time.Millisecond)
		if err != nil || made != 3 || !times.Gain().IsNoise() {
			t.Errorf("made %d, bad one %d: got %+v, %v", made, bad, times.Gain(), err)
		}
	}
	made := 0
	if _, err := whatif.Measure(func() (a, b whatif.Run, err error) {
		made++
		time.Sleep(time.Millisecond)
		return of(time.Second), of(time.Second), nil
	}, time.Millisecond); err != nil || made != 1 {
		t.Errorf("made %d of what takes long to make, %v", made, err)
	}
}

// TestFewPairs: however short the time, there are pairs for an interval, and an error ends it.
func TestFewPairs(t *testing.T) {
	runs := 0
	long := func(calls int) (time.Duration, error) { runs++; return time.Second * time.Duration(calls), nil }
	times, err := whatif.Measure(both(long, long), 0)
	if err != nil || len(times.Before) != whatif.LeastPairs || len(times.After) != whatif.LeastPairs || times.Calls != 1 {
		t.Errorf("got %+v, %v", times, err)
	}
	if g := times.Gain(); math.IsInf(g.Low, 0) || math.IsInf(g.High, 0) || !g.IsNoise() {
		t.Errorf("got %+v of what takes the same", g)
	}
	stop := errors.New("stop")
	for after := range 20 {
		n := 0
		fails := func(calls int) (time.Duration, error) {
			if n++; n > after {
				return 0, stop
			}
			return time.Second, nil
		}
		if _, err := whatif.Measure(both(fails, fails), time.Second); after < 2*whatif.LeastPairs && err != stop {
			t.Errorf("after %d runs: got %v", after, err)
		}
	}
}

// TestError: the error is that of the worst element, against the largest of its array.
func TestError(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	from := func(x ...float64) *tensor.Dense { return tensor.From(x, len(x)) }
	for _, tt := range []struct {
		before, after *tensor.Dense
		absolute      float64
		relative      float64
		agrees        bool
	}{
		{from(1, -200, 3), from(1, -200, 3), 0, 0, true},
		{from(1, -200, 3), from(1.5, -200, 3), 0.5, 0.5 / 200, false},
		{from(1, nan, inf), from(1, nan, inf), 0, 0, true},
		{from(1, nan), from(1, 2), inf, inf, false},
		{from(1, inf), from(1, -inf), inf, inf, false},
		{from(0, 0), from(0, 1e-9), 1e-9, 1e-9, true},
		{from(1e6), from(1e6 + 0.5), 0.5, 0.5e-6, true},
		{from(1, 2), from(1, 2, 3), inf, inf, false},
		{from(), from(), 0, 0, true},
		{from(1), tensor.From([]float32{1.0005}, 1), float64(float32(1.0005)) - 1, float64(float32(1.0005)) - 1, true},
		{tensor.From([]int64{3}, 1), tensor.From([]int64{4}, 1), 1, 1. / 3, false},
	} {
		var e whatif.Error
		e.Include("output 0", tt.before, tt.after)
		if math.Abs(e.Absolute-tt.absolute) > 1e-15 || math.Abs(e.Relative-tt.relative) > 1e-15 || e.Agrees() != tt.agrees || e.Where != "output 0" {
			t.Errorf("%v and %v: got %+v, agrees %t, want %v, %v, %t", tt.before, tt.after, e, e.Agrees(), tt.absolute, tt.relative, tt.agrees)
		}
	}
	var e whatif.Error
	e.Include("a", from(1), from(1))
	e.Include("b", from(1), from(2))
	e.Include("c", from(1), from(1.5))
	if e.Where != "b" || e.Absolute != 1 {
		t.Errorf("got %+v", e)
	}
}

// TestSentences: each verdict has its sentence, on lines that no name breaks.
func TestSentences(t *testing.T) {
	good := whatif.Gain{Part: 0.4, Low: 0.38, High: 0.44}
	for want, r := range map[string]whatif.Result{
		"40.0 % less time, 38.0 to 44.0. A call takes 1.20 ms, was 2.00 ms: medians of 9 pairs by turns.": {Gain: good},
		"30.0 % more time, 20.0 to 50.0.": {Gain: whatif.Gain{Part: -0.3, Low: -0.5, High: -0.2}},
		"no difference that the noise of this machine lets see (1.0 % less time, -2.0 to 3.0).": {Gain: whatif.Gain{Part: 0.01, Low: -0.02, High: 0.03}},
		"not measured: no room.":                                                 {Failed: "no room"},
		"the results are others, so that its":                                    {Gain: good, Error: whatif.Error{Relative: 0.1, Absolute: 2, Where: "W"}},
		"by 0.1 of the largest element (W), more than rounding explains (1e-06)": {Gain: good, Error: whatif.Error{Relative: 0.1, Absolute: 2, Where: "W"}},
		"the same to the last bit":                                               {Gain: good, Error: whatif.Error{Where: "W"}},
	} {
		r.Function, r.Change, r.Before, r.After, r.Pairs = "f\x1b[2J\n\u202e", "fusion=False", 2e6, 1.2e6, 9
		got := r.String()
		if !strings.Contains(got, want) || strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, "with fusion=False: ") {
			t.Errorf("no %q in %q", want, got)
		}
	}
}
