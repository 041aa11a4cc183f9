package profiler

import (
	"fmt"
	"sync/atomic"
	"time"
)

// A Usage is what the processors did in a time. Where the system does not say what they did,
// Capacity is 0.
type Usage struct {
	Wall     time.Duration `json:"wall_ns"`
	CPU      time.Duration `json:"cpu_ns"`      // of this program, all its threads together
	Capacity time.Duration `json:"capacity_ns"` // of all processors
	Idle     time.Duration `json:"idle_ns"`     // of them
}

// Minus is the usage from one reading to another.
func (u Usage) Minus(from Usage) Usage {
	return Usage{u.Wall - from.Wall, u.CPU - from.CPU, u.Capacity - from.Capacity, u.Idle - from.Idle}
}

// Others is what the processors did for other programs.
func (u Usage) Others() time.Duration { return max(0, u.Capacity-u.Idle-u.CPU) }

// From when on a machine is busy. Systems count processors' time in hundredths of a second, of
// which a short time has too few.
const (
	maxOthers = 0.1
	minUsage  = 200 * time.Millisecond
)

// Busy says that other programs took much of the processors, "" if they did not or if nobody knows.
func (u Usage) Busy() string {
	if u.Capacity < minUsage {
		return ""
	}
	if share := float64(u.Others()) / float64(u.Capacity); share > maxOthers {
		return fmt.Sprintf("other programs took %.0f %% of the processors", 100*share)
	}
	return ""
}

// A meter reads the usage from the first call of a profile to the last. Reading takes some ten
// microseconds: it reads every tenth of a second of calls, and when somebody looks soon after a
// call.
type meter struct {
	read  func() Usage
	begin Usage
	begun atomic.Bool
	every int64 // ticks of meterInterval: asking a clock how long they are takes a while
	last  int64 // when it was read, in ticks
	call  int64 // when the last call ended, or one shortly before it
	calls int64 // ticks of the calls since then
}

const (
	meterInterval = 100 * time.Millisecond
	readingShare  = 100 // of meterInterval
)

// start is called before the first call.
func (s *Stats) start() {
	m := &s.meter
	if m.read == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !m.begun.Load() {
		m.begin, m.last = m.read(), s.clock.Now()
		m.call, m.every = m.last, int64(float64(meterInterval)/s.clock.tick())
		m.begun.Store(true)
	}
}

// called is told of a call that has ended, and how long it took. The clock is read again only if
// the calls since took some time.
func (s *Stats) called(ticks int64) {
	m := &s.meter
	if !m.begun.Load() {
		return
	}
	m.calls += ticks
	if m.call > m.last && m.calls < m.every/readingShare {
		return
	}
	m.call, m.calls = s.clock.Now(), 0
	if m.call-m.last > m.every {
		s.meet()
	}
}

// meet reads the meter.
func (s *Stats) meet() {
	u := s.meter.read().Minus(s.meter.begin)
	s.Usage, s.meter.last = &u, s.meter.call
}

// Meter reads the usage up to the last call, if that has just ended, and notes that calls were
// recorded until now. Clone does so too.
func (s *Stats) Meter() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.metered()
	for _, f := range s.Functions {
		if f.recorder != nil {
			f.recorder.share()
			f.noteCalls()
		}
	}
}

// metered is the usage up to now, if the last call has just ended.
func (s *Stats) metered() *Usage {
	m := &s.meter
	if m.begun.Load() && m.call > m.last && s.clock.Now()-m.call < m.every {
		s.meet()
	}
	if s.Usage == nil {
		return nil
	}
	u := *s.Usage
	return &u
}

// check refuses a usage that no machine has.
func (u *Usage) check() error {
	if u != nil && min(u.Wall, u.CPU, u.Capacity, u.Idle) < 0 {
		return fmt.Errorf("got a negative usage of the processors")
	}
	return nil
}
