package progress

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// least is the shortest time between two lines of a bar: a page takes no more.
const least = 100 * time.Millisecond

// A bar is one loop.
type bar struct {
	screen *screen
	args   *args
	over   starlark.Iterable // what the loop goes through; nil if update counts
	steps  starlark.Iterator // of next; nil before the first

	n, total    float64
	desc        string
	postfix     string
	leave       bool
	off         bool // it shows nothing
	open        bool
	where       session.Screen
	id          string // of the output on a page; "" before the first
	wide        int    // characters of its line on a terminal
	interval    time.Duration
	began, told time.Time
	toldAt      float64 // n when it was told
	mean, span  float64 // moving means of steps and of their seconds, for the rate
	due         atomic.Bool
	timer       *time.Timer
}

var (
	_ starlark.Iterable    = (*bar)(nil)
	_ value.Nexter         = (*bar)(nil)
	_ value.Watched        = (*bar)(nil)
	_ starlark.HasSetField = (*bar)(nil)
)

func (b *bar) Type() string                             { return "tqdm" }
func (b *bar) Freeze()                                  {}
func (b *bar) Hash() (uint32, error)                    { return 0, fmt.Errorf("unhashable type: tqdm") }
func (b *bar) Table() *value.Methods                    { return BarMethods }
func (b *bar) AttrNames() []string                      { return BarMethods.Names() }
func (b *bar) Attr(name string) (starlark.Value, error) { return BarMethods.Attr(b, name) }
func (b *bar) String() string                           { m := b.meter(); return m.text() }

// Truth is whether there are steps; where their number is unknown, that of what it is over.
func (b *bar) Truth() starlark.Bool {
	if math.IsNaN(b.total) && b.over != nil {
		return b.over.Truth()
	}
	return b.total > 0
}

// SetField is b.n = x and b.total = x, which programs write before b.refresh().
func (b *bar) SetField(name string, v starlark.Value) error {
	switch name {
	case "n", "total":
		if name == "total" && v == starlark.None {
			b.total = math.NaN()
			return nil
		}
		x, ok := starlark.AsFloat(value.NumberOf(v))
		if !ok {
			return fmt.Errorf("tqdm: for .%s: got %s, want a number", name, v.Type())
		}
		if name == "n" {
			b.n = x
		} else {
			b.total = x
		}
		return nil
	case "desc", "unit":
		text, ok := starlark.AsString(v)
		if !ok {
			return fmt.Errorf("tqdm: for .%s: got %s, want text", name, v.Type())
		}
		if name == "desc" {
			b.desc = text
		} else {
			b.args.Unit = text
		}
		return nil
	case "leave":
		b.leave = bool(v.Truth())
		return nil
	}
	return fmt.Errorf("tqdm has no attribute .%s to assign to: n, total, desc, unit and leave are", name)
}

// begin shows the bar for the first time, or again if it was closed.
func (b *bar) begin() {
	if b.open || b.off {
		return
	}
	b.open, b.told, b.toldAt = true, time.Now(), b.n
	if b.began.IsZero() {
		b.began = b.told
	}
	b.screen.enter(b)
	if b.where == session.ScreenFile {
		return
	}
	if b.args.Delay <= 0 {
		b.screen.show(b)
	}
	b.arm()
}

// arm has the timer say when the line is due again.
func (b *bar) arm() {
	b.due.Store(false)
	wait := b.interval
	if b.id == "" && b.wide == 0 && b.args.Delay > 0 {
		wait = max(wait, time.Duration(b.args.Delay*float64(time.Second)))
	}
	if b.timer == nil {
		b.timer = time.AfterFunc(wait, func() { b.due.Store(true) })
		return
	}
	b.timer.Reset(wait)
}

// refresh shows the bar as it is.
func (b *bar) refresh() {
	if !b.open {
		return
	}
	b.measure()
	if b.where != session.ScreenFile {
		b.screen.show(b)
		b.arm()
	}
}

// refreshSoon is refresh if the time between two lines is over; the next step tries again.
func (b *bar) refreshSoon() {
	if b.due.Load() {
		b.refresh()
	}
}

// measure takes what came since it was told last into the rate.
func (b *bar) measure() {
	now := time.Now()
	steps, seconds := b.n-b.toldAt, now.Sub(b.told).Seconds()
	if a := b.args.Smoothing; a > 0 && steps > 0 && seconds > 0 {
		if b.span == 0 {
			b.mean, b.span = steps, seconds
		} else {
			b.mean, b.span = a*steps+(1-a)*b.mean, a*seconds+(1-a)*b.span
		}
	}
	b.told, b.toldAt = now, b.n
}

// close shows the bar for the last time.
func (b *bar) close() {
	if !b.open {
		return
	}
	if b.timer != nil {
		b.timer.Stop()
	}
	b.open = false
	b.told = time.Now()
	b.span = 0 // the rate is that of all
	b.screen.leave(b)
}

// add counts steps.
func (b *bar) add(n float64) {
	b.begin()
	b.n += n
	b.refreshSoon()
}

func (b *bar) elapsed() float64 {
	switch {
	case b.began.IsZero():
		return 0
	case b.open:
		return time.Since(b.began).Seconds()
	}
	return b.told.Sub(b.began).Seconds()
}

func (b *bar) meter() *meter {
	m := &meter{n: b.n, total: b.total, elapsed: b.elapsed(), desc: b.desc, unit: b.args.Unit, divisor: float64(b.args.Divisor),
		rate: math.NaN(), initial: b.args.Initial, postfix: b.postfix, ascii: b.args.plain(), width: barWidth}
	if b.span > 0 {
		m.rate = b.mean / b.span
	}
	m.scaleBy(b.args.UnitScale)
	return m
}

// Iterate goes through what the bar is over.
func (b *bar) Iterate() starlark.Iterator {
	if b.over == nil {
		return starlark.Tuple{}.Iterate()
	}
	inner := b.over.Iterate()
	if b.off || inner == nil {
		return inner
	}
	b.begin()
	return &loop{b: b, inner: inner}
}

// NextValue takes the next step, for enumerate and zip.
func (b *bar) NextValue() (v starlark.Value, ok bool, err error) {
	if b.steps == nil {
		b.steps = b.Iterate()
	}
	if ok = b.steps.Next(&v); !ok {
		b.steps.Done()
	}
	return v, ok, nil
}

// A loop is going through a bar.
type loop struct {
	b     *bar
	inner starlark.Iterator
	in    bool // a step
}

// Round counts the step that ends with it.
func (l *loop) Round() {
	if l.in {
		l.b.n++
	}
	l.in = true
	if l.b.due.Load() {
		l.b.refresh()
	}
}

// End closes the bar.
func (l *loop) End() { l.b.close() }

// Next closes the bar with the last element, too: who goes through an iterator over the bar, which
// enumerate and zip return, need not say that it is done. A loop over that iterator may have ended
// before, and closed the bar; the next step opens it again.
func (l *loop) Next(p *starlark.Value) bool {
	if l.in {
		l.b.begin()
	}
	l.Round()
	if l.in = l.inner.Next(p); !l.in {
		l.End()
	}
	return l.in
}

func (l *loop) Done() {
	l.inner.Done()
	l.End()
}

// Watched has the machine go through what the bar is over, as quickly as without a bar.
func (b *bar) Watched() (over starlark.Value, watch value.Watch) {
	if b.over == nil || b.off {
		return b.over, nil
	}
	b.begin()
	return b.over, &loop{b: b}
}

// sized is a bar over what has a length.
type sized struct{ *bar }

var _ starlark.Sequence = sized{}

// Len is the length of what it is over.
func (s sized) Len() int { return starlark.Len(s.over) }

// value is the bar as programs have it.
func (b *bar) value() starlark.Value {
	if starlark.Len(b.over) >= 0 && b.over != nil {
		return sized{b}
	}
	return b
}
