package value

import (
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
)

// glances are those of a sampler that is at so little work that every cell can have one. Now and
// then it goes to work (SamplerPlace.Look); what begins or ends something in the code next, or the
// loop that asks, charges it all time since the glance before, and has it leave. Where no glance
// is due, code finds no sampler and takes the way that it takes without one.
type glances struct {
	due   atomic.Bool   // it is at work
	last  time.Duration // since the beginning, that was charged
	count int64         // how often it was to look
}

// longTail is the time without a glance, at the end, that nothing is known of.
const longTail = 20 * time.Millisecond

// Of a cell that is glanced at maxSpots are told apart with the innermost calls around them, and
// as many more by line: all others are one.
const (
	maxSpots   = 200
	maxGlanced = 12
)

// OtherLines is the name of the spot that has the time of those that are not told apart.
const OtherLines = "other lines"

// Glance begins to sample a host as Sample does, but at so little cost that it may always be done,
// and to a few milliseconds only. The time while Sample's is at work there is not
// charged here.
func Glance(host Host, thread func() *starlark.Thread) *Sampler {
	s := newSampler(host, thread)
	s.glances = &glances{}
	s.place.glancing.Store(s)
	return s
}

// Look has the sampler glance that Glance began, if there is one. It is to be called every few
// milliseconds while a program runs, from any goroutine; not in step with what the program does.
func (p *SamplerPlace) Look() {
	s := p.glancing.Load()
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch g := s.glances; {
	case p.glancing.Load() != s: // it is over
	case p.sampler.Load() == s: // nothing has begun or ended since
		g.count++
	case s.goToWork():
		g.count++
		g.due.Store(true)
	default: // another one charges what is
		g.due.Store(false)
		g.last = time.Since(s.began)
	}
}

// glance charges what was since the glance before.
func (s *Sampler) glance(kind, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.glances
	if !g.due.Load() { // another goroutine was quicker, or EndGlances has given the spots away
		return
	}
	g.due.Store(false)
	s.leaveWork()
	now := time.Since(s.began)
	s.spots[s.told(kind, name)] += now - g.last
	g.last = now
}

// told is the spot that is charged, while there is room for it.
func (s *Sampler) told(kind, name string) Spot {
	if len(s.spots) < maxSpots {
		return s.spot(kind, name)
	}
	at := LineAt(s.thread())
	spot := Spot{Kind: kind, Name: name, File: at.File, Line: at.Line}
	if _, known := s.spots[spot]; known || len(s.spots) < 2*maxSpots {
		return spot
	}
	return Spot{Kind: "rest", Name: OtherLines}
}

// EndGlances stops a sampler that Glance began. It returns the wall time, what was charged, which
// is the caller's, and by how many glances. What came after the last has the shares of what came
// before, if it is little.
func (s *Sampler) EndGlances() (wall time.Duration, spots map[Spot]time.Duration, count int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.place.glancing.CompareAndSwap(s, nil)
	s.leaveWork()
	g := s.glances
	g.due.Store(false)
	wall = time.Since(s.began)
	if left := wall - g.last; left <= longTail && len(s.spots) > 0 {
		rest, last := wall, Spot{}
		for spot, d := range s.spots {
			s.spots[spot] = d + time.Duration(float64(d)*(float64(left)/float64(g.last)))
			rest, last = rest-s.spots[spot], spot
		}
		if rest.Abs() < time.Microsecond { // what was rounded
			s.spots[last] += rest
		}
	}
	return wall, s.spots, g.count
}
