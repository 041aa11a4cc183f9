package vm

import (
	"math/rand/v2"
	"time"
)

// Where the time of a program goes is found by a sampler (value.Sampler): each millisecond is
// charged to the line on which it is found to be over. While a sampler is at work, a
// machine looks behind the instructions that may take long, as calls of Go's functions do, and
// between rounds of loops: what one line takes would else be charged to the next that calls np.
//
// A look reads a clock, which takes as long as a short instruction. So those behind instructions
// that were short each time are left out until the millisecond may be over, and of rounds there are
// as many between two looks as take a part of the time that is left.
const (
	short     = time.Microsecond
	surely    = 4   // times that an instruction was short
	maxSkips  = 256 // short instructions between two looks
	lookPart  = 16
	minRounds = 16 // and calls, between two looks
	maxRounds = 512
)

// looks are those of a machine.
type looks struct {
	on     bool          // a sampler is at work
	trap   bool          // the instruction has laid a trap, for what it would find itself
	skip   int           // short instructions behind which it does not look
	behind time.Duration // when it looked behind the instruction before; 0: it did not
	paused time.Duration // when it looked between rounds
	rounds int           // the budget after that
	round  time.Duration // what a round took, of late
}

// pace has the next tick be so many calls and rounds of loops from now.
func (m *Machine) pace(calls int) {
	if m.looks.on = m.sampler != nil && m.sampler.AtWork(); m.looks.on {
		m.later = calls
	} else {
		m.budget, m.later = calls, 0
	}
}

// look looks behind the instruction at ip of the innermost frame.
func (m *Machine) look(ip int) {
	l, fr := &m.looks, m.fr
	if l.trap {
		l.trap = false
		return
	}
	times := fr.fn.code.Short(ip)
	if l.skip > 0 && *times >= surely {
		l.skip--
		l.behind = 0
		return
	}
	now, over := m.sampler.Clock()
	switch {
	case l.behind == 0:
	case now-l.behind >= short:
		*times = 0
	case *times < surely:
		*times++
	}
	l.behind = now
	if l.skip = int(min((over-now)/short, maxSkips)); *times < surely {
		l.skip = 0 // the one behind the next says what that takes, of which this may be one again
	}
	if over <= now {
		next := fr.ip
		fr.ip = ip
		m.sampler.Sample()
		fr.ip = next
	}
}

// lookBetween looks between rounds of a loop, or where a call begins. What was found there is of a
// line of the loop, as often as it runs.
func (m *Machine) lookBetween(ip int) {
	if m.sampler == nil || m.looks.on && !m.over() || !m.looks.on && !m.sampler.Samples() {
		return
	}
	fn := m.fr.fn.code
	if in := fn.Code[ip]; in.IsBack() {
		fn.Trap(ip + int(in.D) + rand.IntN(1-int(in.D)))
		m.looks.trap = m.looks.on
	} else {
		m.sampler.Sample()
	}
}

// over reports whether the millisecond is over, and decides after how many rounds to look again.
func (m *Machine) over() bool {
	l := &m.looks
	now, over := m.sampler.Clock()
	l.round = max((now-l.paused)/time.Duration(l.rounds+1), l.round/2, 1)
	n := int((over - now) / (lookPart * l.round))
	m.budget = min(max(n, minRounds), maxRounds, m.later)
	m.later -= m.budget
	l.paused, l.rounds = now, m.budget
	return over <= now
}
