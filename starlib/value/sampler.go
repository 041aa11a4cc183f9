package value

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
)

// A Sampler finds where the time of a host's running code goes. A clock beside the code counts
// milliseconds; whoever begins or ends something in the code looks at it, and if it has moved on
// charges the time since the last charge to what was going on. What takes less than a millisecond
// is met in proportion.
//
// Looking costs a nanosecond, and two where there is no sampler. One that only glances (Glance) is
// at work for a moment every few milliseconds.
type Sampler struct {
	place  *SamplerPlace // of the host
	busy   func() bool
	thread func() *starlark.Thread
	began  time.Time
	now    atomic.Int64 // milliseconds since then
	last   atomic.Int64 // that were charged
	late   atomic.Int64 // up to there the clock beside is not to be relied on
	ended  chan struct{}

	mu      sync.Mutex
	spots   map[Spot]time.Duration
	lines   map[Line]time.Duration // nil: nobody asks
	calls   map[CallSite]*CallSite // each once, so that equal stacks are one
	charged func(to Spot, from, until time.Duration)
	glances *glances // nil: it always looks
}

// A Line is a line of a program.
type Line struct {
	File string
	Line int
}

// ByLines has time be charged to all lines of the user's that are running, too: to that of each
// call.
func (s *Sampler) ByLines() { s.lines = map[Line]time.Duration{} }

// Lines are the lines and their time, when the sampler has ended.
func (s *Sampler) Lines() map[Line]time.Duration { return s.lines }

// A Spot says where time goes: to something of that kind and name, "" and "" for Starlark
// itself, the line of the user's that is running and its function, and the calls around it.
type Spot struct {
	Kind, Name, File string
	Line             int
	Func             string
	Outer            *CallSite // nil: none
}

// A CallSite is a line of the user's, in a function, that calls another, and the call around that.
type CallSite struct {
	Line
	Func  string
	Outer *CallSite // nil: none
}

// Watch has charged be told of what is charged, and of the time since the beginning that it is
// charged for. Calls of it do not overlap.
func (s *Sampler) Watch(charged func(to Spot, from, until time.Duration)) { s.charged = charged }

// NumpySpot is the kind of what np does where a program writes no function's name: its name is what
// is written, like x[k].
const NumpySpot = "np"

// A SamplerPlace is where code finds the sampler of its host. The zero value has none.
type SamplerPlace struct {
	sampler  atomic.Pointer[Sampler]
	glancing atomic.Pointer[Sampler] // goes to work there now and then; nil: none does
}

// atWork is how many samplers have a place, of all hosts.
var atWork atomic.Int32

// Sample begins to sample a host, whose current thread thread returns. It returns nil while another
// sampler is at work there.
func Sample(host Host, thread func() *starlark.Thread) *Sampler {
	s := newSampler(host, thread)
	s.late.Store(lateFor)
	if !s.goToWork() {
		return nil
	}
	go s.count()
	return s
}

func newSampler(host Host, thread func() *starlark.Thread) *Sampler {
	return &Sampler{place: host.SamplerPlace(), busy: host.Busy, thread: thread, began: time.Now(), ended: make(chan struct{}),
		spots: make(map[Spot]time.Duration), calls: make(map[CallSite]*CallSite)}
}

// goToWork has code find s. It is false while another sampler is at work; one that glances makes
// way.
func (s *Sampler) goToWork() bool {
	for {
		other := s.place.sampler.Load()
		if other != nil && (other.glances == nil || s.glances != nil) {
			return false
		}
		if s.place.sampler.CompareAndSwap(other, s) {
			if other == nil {
				atWork.Add(1)
			}
			return true
		}
	}
}

// leaveWork has code find s no more.
func (s *Sampler) leaveWork() {
	if s.place.sampler.CompareAndSwap(s, nil) {
		atWork.Add(-1)
	}
}

// The clock is relied on when it has been right for some time: it may miss milliseconds while other
// programs have the processors.
const (
	lateFrom = 3   // milliseconds that it has missed
	lateFor  = 250 // for which it is not relied on
)

func (s *Sampler) count() {
	t := time.NewTicker(time.Millisecond)
	defer t.Stop()
	for last := int64(0); ; {
		select {
		case <-s.ended:
			return
		case <-t.C:
			s.read()
			now := s.now.Load()
			if now-last >= lateFrom {
				s.late.Store(now + lateFor)
			}
			last = now
		}
	}
}

// read sets the clock right. It costs some 30 ns.
func (s *Sampler) read() { s.now.Store(time.Since(s.began).Milliseconds()) }

// End stops the sampler. It returns the wall time, and what was charged.
func (s *Sampler) End() (time.Duration, map[Spot]time.Duration) {
	close(s.ended)
	s.leaveWork()
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.began), s.spots
}

// Spots is a copy of what was charged so far, after all that was before is.
func (s *Sampler) Spots() map[Spot]time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.spots)
}

// SamplerOf is the sampler of a host that samples, nil if there is none.
func SamplerOf(h Host) *Sampler {
	if atWork.Load() == 0 {
		return nil
	}
	return samplerIn(h)
}

// samplerIn is apart so that SamplerOf is compiled into its callers.
//
//go:noinline
func samplerIn(h Host) *Sampler {
	if h == nil {
		return nil
	}
	return h.SamplerPlace().sampler.Load()
}

// samplerOf is SamplerOf for a thread's host.
func samplerOf(thread *starlark.Thread) *Sampler {
	if atWork.Load() == 0 {
		return nil
	}
	return samplerIn(HostOf(thread))
}

// Lasts reports whether it stays at work, as one that only glances does not. s may be nil.
func (s *Sampler) Lasts() bool { return s != nil && s.glances == nil }

// Clock reads the clock: it returns the time since the beginning, and when there is more to charge
// to a sampler that lasts, of which others ask nothing. s may be nil.
func (s *Sampler) Clock() (now, due time.Duration) {
	if !s.Lasts() {
		return 0, time.Hour
	}
	now = time.Since(s.began)
	s.now.Store(now.Milliseconds())
	return now, time.Duration(s.last.Load()+1) * time.Millisecond
}

// Moved reports whether there is something to charge. While all processors compute, for this
// program or for others, nobody moves the clock: then it is read. s may be nil.
func (s *Sampler) Moved() bool { return s != nil && s.moved() }

func (s *Sampler) moved() bool {
	if s.glances != nil {
		return s.glances.due.Load()
	}
	if s.busy() || s.now.Load() < s.late.Load() {
		s.read()
	}
	return s.now.Load() > s.last.Load()
}

// Enter charges what was before to Starlark. s may be nil.
func (s *Sampler) Enter() { s.Leave("", "") }

// Leave charges what was before to something of that kind and name. s may be nil.
func (s *Sampler) Leave(kind, name string) {
	if s != nil {
		s.leave(kind, name)
	}
}

func (s *Sampler) leave(kind, name string) {
	if s.moved() {
		s.charge(kind, name)
	}
}

// Cut is Leave to the present millisecond: for bounds that are drawn seldom.
func (s *Sampler) Cut(kind, name string) {
	if s != nil {
		s.read()
		s.charge(kind, name)
	}
}

func (s *Sampler) charge(kind, name string) {
	if s.glances != nil {
		s.glance(kind, name)
		return
	}
	now, last := s.now.Load(), s.last.Load()
	if now <= last || !s.last.CompareAndSwap(last, now) { // another goroutine has charged it: nothing is charged twice
		return
	}
	s.mu.Lock()
	spot := s.spot(kind, name)
	spent := time.Duration(now-last) * time.Millisecond
	s.spots[spot] += spent
	if s.charged != nil {
		s.charged(spot, time.Duration(last)*time.Millisecond, time.Duration(now)*time.Millisecond)
	}
	if s.lines != nil {
		for line := range linesOf(s.thread()) {
			s.lines[line] += spent
		}
	}
	s.mu.Unlock()
}

// linesOf are the lines of the calls of a thread, each once.
func linesOf(thread *starlark.Thread) map[Line]bool {
	lines := map[Line]bool{}
	if thread == nil {
		return lines
	}
	for depth := range DepthOf(thread) {
		if at, ok := siteAt(thread, depth); ok {
			lines[at.Line] = true
		}
	}
	return lines
}

// LineAt is the innermost line of a thread that is the user's; the zero Line if there is none.
func LineAt(thread *starlark.Thread) Line {
	if thread == nil {
		return Line{}
	}
	for depth := range DepthOf(thread) {
		if at, ok := siteAt(thread, depth); ok {
			return at.Line
		}
	}
	return Line{}
}

// siteAt is a call of a thread, without those around it, if it is at a line of the user's.
func siteAt(thread *starlark.Thread, depth int) (CallSite, bool) {
	f := FrameOf(thread, depth)
	if !f.Pos.IsValid() || f.Pos.Line <= 0 {
		return CallSite{}, false
	}
	return CallSite{Line: Line{f.Pos.Filename(), int(f.Pos.Line)}, Func: f.Name}, true
}

// A stack that is deeper than both together lacks what lies between: walking it takes time.
const (
	maxInner = 60
	maxOuter = 4
)

// spot is where the thread is. A line that has called itself stands once among the calls, so that
// recursion of any depth makes few stacks.
func (s *Sampler) spot(kind, name string) Spot {
	spot := Spot{Kind: kind, Name: name}
	thread := s.thread()
	if thread == nil {
		return spot
	}
	var stack []CallSite // innermost first
	deepest, inner := DepthOf(thread), maxInner
	if s.glances != nil {
		inner = maxGlanced
	}
	for depth := 0; depth < deepest; depth++ {
		if depth == inner {
			depth = max(depth, deepest-maxOuter)
		}
		if at, ok := siteAt(thread, depth); ok {
			stack = append(stack, at)
		}
	}
	if len(stack) == 0 {
		return spot
	}
	spot.File, spot.Line, spot.Func = stack[0].File, stack[0].Line.Line, stack[0].Func
	seen := map[Line]bool{stack[0].Line: true}
	for i := len(stack) - 1; i > 0; i-- {
		if c := stack[i]; !seen[c.Line] {
			seen[c.Line] = true
			spot.Outer = s.within(c, spot.Outer)
		}
	}
	return spot
}

// within is the call c around which is outer.
func (s *Sampler) within(c CallSite, outer *CallSite) *CallSite {
	c.Outer = outer
	if s.calls[c] == nil {
		s.calls[c] = &c
	}
	return s.calls[c]
}
