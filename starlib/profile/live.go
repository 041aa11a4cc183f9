package profile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/session"
)

// A liveProfile shows the profile of a cell while that runs: at first when it has run for a while,
// and then again and again, under one display id, which the final one replaces.
type liveProfile struct {
	c     *cellProfile
	view  profileView
	title string
	began time.Time
	after time.Duration // the first display
	out   session.Output

	stop, done chan struct{}
	id         string // of the display; "" if there was none. To be read when done is closed
}

// liveShare bounds the time that rendering may take of a running cell's: 1/liveShare of it.
const liveShare = 50

func startLive(c *cellProfile, view profileView, title string, after time.Duration, out session.Output) *liveProfile {
	l := &liveProfile{c: c, view: view, title: title, began: time.Now(), after: after, out: out,
		stop: make(chan struct{}), done: make(chan struct{})}
	go l.run()
	return l
}

func (l *liveProfile) run() {
	defer close(l.done)
	timer := time.NewTimer(l.after)
	defer timer.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-timer.C:
		}
		began := time.Now()
		l.c.s.Guard("live profile", l.show)
		timer.Reset(max(l.after/4, liveShare*time.Since(began)))
	}
}

// show displays what there is by now.
func (l *liveProfile) show() {
	l.c.mu.Lock()
	all := slices.Clone(l.c.stats)
	l.c.mu.Unlock()
	if len(all) == 0 {
		return
	}
	for i := range all {
		all[i] = all[i].Clone()
	}
	all = slices.DeleteFunc(all, func(s *profiler.Stats) bool { return s.Empty() })
	if len(all) == 0 {
		return
	}
	update := l.id != ""
	if !update {
		l.id = fmt.Sprintf("profile-%016x", rand.Uint64())
	}
	view := l.view
	view.panel.Running = time.Since(l.began)
	l.out.Display(view.bundle(all, l.title), nil, l.id, update)
}

// end stops the displays and returns the id of the last; "" if there was none.
func (l *liveProfile) end() string {
	if l == nil {
		return ""
	}
	close(l.stop)
	<-l.done
	return l.id
}
