package profiler

import (
	"slices"
	"sync"
	"time"
)

// A Clock reads time in nanoseconds and knows what a reading costs. The zero Clock is the process's monotonic clock.
type Clock struct {
	now  func() int64 // nil: the monotonic clock
	once sync.Once
	cost float64
}

// processClock is what Stats without a clock of their own use, so that it is calibrated once.
var processClock Clock

// processStart makes readings small; its value has no meaning.
var processStart = time.Now()

// NewClock returns a clock that calls now, for tests.
func NewClock(now func() int64) *Clock { return &Clock{now: now} }

// Now reads the clock.
func (c *Clock) Now() int64 {
	if c.now != nil {
		return c.now()
	}
	return int64(time.Since(processStart))
}

// Cost is what one reading takes, in nanoseconds. It is measured at the first call, which takes about 0.2 ms.
func (c *Clock) Cost() float64 {
	c.once.Do(c.calibrate)
	return c.cost
}

// calibrate takes the median over batches of back-to-back readings. A batch resolves fractions of a nanosecond; the median
// is deaf to the batches that an interrupt fell into.
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
	c.cost = max(costs[batches/2], 0)
}
