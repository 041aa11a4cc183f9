package clock

import (
	"math"
	"sync"
	"testing"
	"time"
)

// both runs a test with the clock of this machine and with that of a machine without a good
// counter.
func both(t *testing.T, test func(t *testing.T)) {
	t.Run("own", test)
	t.Run("system", func(t *testing.T) {
		defer func(c bool) { counter = c }(counter)
		counter = false
		test(t)
	})
}

func TestNeverGoesBack(t *testing.T) {
	both(t, func(t *testing.T) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for last, i := Now(), 0; i < 100_000; i++ {
					now := Now()
					if now < last {
						t.Errorf("got %d after %d", now, last)
						return
					}
					last = now
				}
			})
		}
		wg.Wait()
	})
}

// TestTick compares with package time: 50 ms are the same to a thousandth. A thread may be held up
// between the readings of the two clocks, so that the best of some attempts counts.
func TestTick(t *testing.T) {
	both(t, func(t *testing.T) {
		tick := Tick()
		best := math.Inf(1)
		for range 5 {
			began, first := time.Now(), Now()
			time.Sleep(50 * time.Millisecond)
			got, want := float64(Now()-first)*tick, float64(time.Since(began))
			if best = min(best, math.Abs(got/want-1)); best < 1e-3 {
				return
			}
		}
		t.Errorf("ticks of %g ns: off by %.2g, want less than a thousandth", tick, best)
	})
}

// TestSystem: without a good counter a tick is a nanosecond of the system's clock.
func TestSystem(t *testing.T) {
	defer func(c bool) { counter = c }(counter)
	counter = false
	before, now, after := system(), Now(), system()
	if now < before || now > after || Tick() != 1 {
		t.Errorf("got %d between %d and %d, ticks of %g ns", now, before, after, Tick())
	}
}

// TestMeasuredAgain: a counter whose rate has changed, or that has begun anew, is measured again;
// one that goes as it did is not.
func TestMeasuredAgain(t *testing.T) {
	if !counter {
		t.Skip("no counter")
	}
	tick := Tick()
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"rate", func() { rate.tick *= 1.5; time.Sleep(time.Millisecond) }},
		{"start", func() { rate.last.ticks += 1 << 40 }},
	} {
		c.change()
		if got := Tick(); math.Abs(got/tick-1) > 1e-2 {
			t.Errorf("%s: got ticks of %g ns, want %g", c.name, got, tick)
		}
	}
	tick = Tick()
	if a, b := Tick(), Tick(); a != tick && b != tick {
		t.Errorf("got ticks of %g and %g ns after %g: they are measured each time", a, b, tick)
	}
}

func BenchmarkNow(b *testing.B) {
	for range b.N {
		Now()
	}
}
