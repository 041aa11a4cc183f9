package profiler

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/profiler/clock"
)

// A Clock counts time in ticks, and knows how long one is and what a reading costs.
type Clock struct {
	now  func() int64
	tick func() float64 // nanoseconds
	once sync.Once
	cost float64
}

// processClock is what Stats without a clock of their own use, so that it is calibrated once.
var processClock = Clock{now: clock.Now, tick: clock.Tick}

// NewClock returns a clock that calls now, which counts nanoseconds, for tests.
func NewClock(now func() int64) *Clock {
	return &Clock{now: now, tick: func() float64 { return 1 }}
}

// Now reads the clock.
func (c *Clock) Now() int64 { return c.now() }

// Cost is what one reading takes, in nanoseconds. It is measured at the first call, which takes
// about 0.1 ms.
func (c *Clock) Cost() float64 {
	c.once.Do(c.calibrate)
	return c.cost
}

// calibrate takes the median over batches of back-to-back readings. A batch resolves fractions of a
// tick; the median is deaf to the batches that an interrupt fell into.
func (c *Clock) calibrate() {
	const batches, readings = 41, 100
	costs := make([]float64, batches)
	for i := range costs {
		first := c.Now()
		last := first
		for range readings {
			last = c.Now()
		}
		costs[i] = float64(last-first) / readings
	}
	slices.Sort(costs)
	c.cost = max(costs[batches/2], 0) * c.tick()
}
