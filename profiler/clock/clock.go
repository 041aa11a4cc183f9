package clock

import (
	"math"
	"sync"
	"time"
)

var (
	counter = steady()   // whether the counter is the clock
	start   = time.Now() // of the system's clock; its value has no meaning
)

// Now is a number of ticks since some moment.
func Now() int64 {
	if counter {
		return ticks()
	}
	return system()
}

// system reads the system's monotonic clock.
func system() int64 { return int64(time.Since(start)) }

// What is known of the counter.
var rate struct {
	sync.Mutex
	tick float64 // nanoseconds; 0 if it has not been measured
	last point   // where it was last compared with the system's clock
}

// Tick is how long a tick is, in nanoseconds. The first call measures it, for a millisecond. A
// later one compares the counter with the system's clock, which takes about a microsecond, and
// measures again if they have come apart since the call before, as they do when a virtual machine
// moves.
func Tick() float64 {
	if !counter {
		return 1
	}
	rate.Lock()
	defer rate.Unlock()
	p := read()
	if !agrees(rate.tick, rate.last, p) {
		time.Sleep(time.Millisecond)
		q := read()
		rate.tick, p = float64(q.ns-p.ns)/float64(q.ticks-p.ticks), q
	}
	rate.last = p
	return rate.tick
}

// agrees reports whether tick is right for the time from a to b, to a thousandth and a microsecond.
func agrees(tick float64, a, b point) bool {
	elapsed := float64(b.ns - a.ns)
	return tick > 0 && math.Abs(tick*float64(b.ticks-a.ticks)-elapsed) <= 1e-3*elapsed+1e3
}

// A point is a reading of both clocks at one moment.
type point struct{ ticks, ns int64 }

// read takes the best of some readings of both clocks: the one during which the least time went by,
// and so no interrupt.
func read() point {
	const attempts = 10
	var best point
	least := int64(math.MaxInt64)
	for range attempts {
		before := ticks()
		ns := system()
		if took := ticks() - before; took < least {
			least, best = took, point{before + took/2, ns}
		}
	}
	return best
}
