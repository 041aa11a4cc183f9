package value

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
)

// glances are those of a sampler that is at so little work that every cell can have one. A timer
// has it go to work now and then; what begins or ends something in the code next, or the loop that
// asks, charges it all time since the glance before, and has it leave. Where no glance is due,
// code finds no sampler and takes the way that it takes without one.
type glances struct {
	due   atomic.Bool // s is at work
	timer *time.Timer
	last  time.Duration // since the beginning, that was charged
	count int64
	over  bool
}

// Glances come more seldom the longer a cell runs: what is long is met often enough.
const (
	firstGlance   = 2 * time.Millisecond
	shortestPause = 2 * time.Millisecond
	longestPause  = 10 * time.Millisecond
	pauseShare    = 100 // of the time since the beginning
)

// At most so many spots of a cell that is glanced at are told apart with the calls around them,
// which are the innermost of them, and as many more by line: all others are one.
const (
	mostSpots   = 200
	mostGlanced = 12
)

// OtherLines is the name of the spot that has the time of those that are not told apart.
const OtherLines = "other lines"

// Glance begins to sample a host as Sample does, but at so little cost that it may always be done,
// and to a few milliseconds only. While Sample's is at work there its time is charged to nobody
// here.
func Glance(host Host, thread func() *starlark.Thread) *Sampler {
	s := newSampler(host, thread)
	g := &glances{}
	s.glances = g
	s.mu.Lock()
	g.timer = time.AfterFunc(firstGlance, s.look)
	s.mu.Unlock()
	return s
}

// look has s be at work, and is called again after a pause that chance decides, lest a loop is
// always met at the same place.
func (s *Sampler) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.glances
	if g.over {
		return
	}
	since := time.Since(s.began)
	switch {
	case s.place.sampler.Load() == s: // nothing has begun or ended since
	case s.goToWork():
		g.due.Store(true)
	default: // another one charges what is
		g.due.Store(false)
		g.last = since
	}
	pause := pauseAt(since)
	g.timer.Reset(pause/2 + rand.N(pause))
}

func pauseAt(since time.Duration) time.Duration {
	return min(max(since/pauseShare, shortestPause), longestPause)
}

// glance charges what was since the glance before.
func (s *Sampler) glance(kind, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.glances
	if !g.due.CompareAndSwap(true, false) || g.over { // another goroutine was quicker
		return
	}
	s.leaveWork()
	now := time.Since(s.began)
	s.spots[s.told(kind, name)] += now - g.last
	g.last = now
	g.count++
}

// told is the spot that is charged, while there is room for it.
func (s *Sampler) told(kind, name string) Spot {
	if len(s.spots) < mostSpots {
		return s.spot(kind, name)
	}
	at := LineAt(s.thread())
	spot := Spot{Kind: kind, Name: name, File: at.File, Line: at.Line}
	if _, known := s.spots[spot]; known || len(s.spots) < 2*mostSpots {
		return spot
	}
	return Spot{Kind: "rest", Name: OtherLines}
}

// EndGlances stops a sampler that Glance began. It returns the wall time, what was charged, which
// is the caller's, and by how many glances. What came after the last has the shares of what came
// before, if no glance had to be by then.
func (s *Sampler) EndGlances() (wall time.Duration, spots map[Spot]time.Duration, count int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.glances
	g.over = true
	g.timer.Stop()
	s.leaveWork()
	wall = time.Since(s.began)
	if left := wall - g.last; left <= 2*pauseAt(g.last) && g.last > 0 {
		for spot, d := range s.spots {
			s.spots[spot] = d + time.Duration(float64(d)*(float64(left)/float64(g.last)))
		}
	}
	return wall, s.spots, g.count
}
