package kernel

import (
	"sync"
	"time"
)

// A fresh client connects to iopub and to shell at the same time. If its first
// request were answered before its subscription is known, it would miss the
// idle that ends the request, and some clients then wait for ever. A joinGate
// holds the first request of each new client back until the subscriptions that
// are under way have arrived.
//
// Which subscription belongs to which client cannot be known. So a client
// passes when no young connection to iopub is without its subscription, and a
// subscription has come that no other client has claimed; or, for clients that
// subscribe to nothing, after joinGrace.

const (
	joinGrace = 60 * time.Millisecond  // if no subscription is on its way
	joinTime  = 250 * time.Millisecond // at most, and a connection is young for so long
	joinCrowd = 32                     // more connections that have not subscribed are no clients
	joinClaim = 2 * time.Second        // how long a subscription can be claimed
	maxKnown  = 1 << 12                // clients remembered
)

type joinGate struct {
	mu      sync.Mutex
	joining map[*peer]time.Time // connections that have not subscribed yet
	joined  []time.Time         // subscriptions that nobody has claimed
	changed chan struct{}       // closed and replaced at every change
	known   map[string]struct{} // clients that have passed
}

func newJoinGate() *joinGate {
	return &joinGate{
		joining: map[*peer]time.Time{},
		changed: make(chan struct{}),
		known:   map[string]struct{}{},
	}
}

func (g *joinGate) accepted(p *peer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.joining[p] = time.Now()
	g.notify()
}

func (g *joinGate) subscribed(p *peer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, first := g.joining[p]; !first {
		return
	}
	delete(g.joining, p)
	g.joined = append(g.joined, time.Now())
	g.notify()
}

func (g *joinGate) closed(p *peer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.joining, p)
	g.notify()
}

// notify wakes those who wait; g.mu is held.
func (g *joinGate) notify() {
	close(g.changed)
	g.changed = make(chan struct{})
}

// wait returns when the client may be answered.
func (g *joinGate) wait(client string) {
	start := time.Now()
	for {
		g.mu.Lock()
		if _, known := g.known[client]; known || g.open(start) {
			if len(g.known) >= maxKnown {
				clear(g.known) // a client that is asked twice waits for joinGrace
			}
			g.known[client] = struct{}{}
			g.mu.Unlock()
			return
		}
		changed := g.changed
		g.mu.Unlock()

		waited := time.Since(start)
		pause := joinTime - waited
		if waited < joinGrace {
			pause = joinGrace - waited
		}
		select {
		case <-changed:
		case <-time.After(pause):
		}
	}
}

// open reports whether a client that has waited since start may pass; g.mu is
// held.
func (g *joinGate) open(start time.Time) bool {
	waited := time.Since(start)
	if waited >= joinTime {
		return true
	}
	if len(g.joining) <= joinCrowd {
		for _, since := range g.joining {
			if time.Since(since) < joinTime {
				return false
			}
		}
	}
	for len(g.joined) > 0 && time.Since(g.joined[0]) > joinClaim {
		g.joined = g.joined[1:]
	}
	if len(g.joined) > 0 {
		g.joined = g.joined[1:]
		return true
	}
	return waited >= joinGrace
}
