package kernel

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// A cell that fails stops the cells that its client sent with it. Those that
// wait in the queue are no question. But a browser sends the cells of a "run
// all" one by one, and a quick kernel fails before the last of them is made.
//
// No request may be aborted that was made by somebody who saw the error. So
// the error is held back for as long as its client's requests keep coming
// (settle): whatever came until then was made by somebody who could not know
// of it. What was made before that moment and comes later was too, by the date
// in its header (clients).
//
// Wrong ways: to abort what comes within some time after the reply also aborts
// what a program sends that has read it; and to compare dates with our clock
// would take all clients to have it.

// Limits of what is believed of clients.
const (
	settleTime = time.Second     // an error is held back for no longer
	maxLate    = 2 * time.Second // a request that is later by its date has a clock that was set
	maxClients = 1 << 12         // sessions remembered
)

// DefaultStopOnErrorTimeout is what [Options.StopOnErrorTimeout] is for people:
// the cells of a browser come some milliseconds apart, and an error that shows
// a tenth of a second after its cell was run is at once.
const DefaultStopOnErrorTimeout = 100 * time.Millisecond

// clients knows what the sessions that send requests have sent.
type clients struct {
	mu    sync.Mutex
	known map[string]clientState
}

// A clientState is of one session. Its clock differs from ours by no more than
// the least of what its messages seemed to take, which is the difference and
// the quickest way: a date and that are when a message was made, or a little
// later, never earlier.
type clientState struct {
	date  time.Time     // of its last message, by its clock
	late  time.Duration // the least of arrival - date
	cells time.Time     // the last execute_request's arrival

	failed  time.Time // when it could see that a cell had failed
	through uint64    // the place in the queue of what had come then
}

// update changes what is known of a message's client.
func (c *clients) update(m *Message, change func(*clientState)) {
	key := m.client()
	c.mu.Lock()
	defer c.mu.Unlock()
	state, known := c.known[key]
	if !known && len(c.known) >= maxClients || c.known == nil {
		c.known = map[string]clientState{} // who was forgotten is new
	}
	change(&state)
	c.known[key] = state
}

func (c *clients) state(m *Message) clientState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[m.client()]
}

// arrived notes a message that came at a time of ours, and when it was made.
func (c *clients) arrived(m *Message, at time.Time) {
	c.update(m, func(s *clientState) {
		if m.Header.Type == "execute_request" {
			s.cells = at
		}
		date, digit, ok := parseDate(m.Header.Date)
		if !ok {
			return
		}
		if late := at.Sub(date); s.date.IsZero() || late < s.late || date.Before(s.date) { // the last: it was set back
			s.late = late
		}
		s.date = date
		if made := date.Add(s.late + digit); at.Sub(made) <= maxLate {
			m.made = made
		}
	})
}

// aborts reports whether m was made before its client could see that a cell
// had failed.
func (c *clients) aborts(m *Message) bool {
	s := c.state(m)
	return m.seq <= s.through || !m.made.IsZero() && m.made.Before(s.failed)
}

// client is who sent a message: a page of a browser, a console.
func (m *Message) client() string {
	if m.Header.Session != "" || len(m.Idents) == 0 {
		return m.Header.Session
	}
	return string(m.Idents[0])
}

// parseDate reads a date of a header, and what its last digit stands for: a
// message was made that much later at most.
func parseDate(raw json.RawMessage) (date time.Time, digit time.Duration, ok bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return date, 0, false
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"} {
		date, err := time.Parse(layout, text) // which takes a fraction of a second too
		if err != nil {
			continue
		}
		digit := time.Second
		_, fraction, _ := strings.Cut(text, ".")
		for i := 0; i < len(fraction) && fraction[i] >= '0' && fraction[i] <= '9'; i++ {
			digit /= 10
		}
		return date, digit, true
	}
	return date, 0, false
}

// abortQueue aborts the cells that wait.
func (s *Server) abortQueue() {
	newest := s.queue.newest()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abortThrough = newest
}

// stopOnError aborts what waits when the cell m has failed and what its client
// made with it. It returns when the error may be shown.
func (s *Server) stopOnError(ctx context.Context, m *Message) {
	s.abortQueue()
	s.settle(ctx, m)
	s.clients.update(m, func(c *clientState) { c.through, c.failed = s.queue.newest(), time.Now() })
}

// settle waits until the client of m has sent no cell for a while. A cell that
// ran longer than that waits for nothing.
func (s *Server) settle(ctx context.Context, m *Message) {
	for end := time.Now().Add(settleTime); time.Now().Before(end); {
		pause := s.opts.StopOnErrorTimeout - time.Since(s.clients.state(m).cells)
		if pause <= 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-s.stopped:
			return
		case <-time.After(pause):
		}
	}
}
