package progress

import "go.starlark.net/starlark"

// A Bar is a bar that a function in Go moves. Its methods are called on the session's goroutine.
type Bar struct{ b *bar }

// Open shows a bar of total steps; nan if their number is unknown.
func Open(thread *starlark.Thread, desc string, total float64) (*Bar, error) {
	b, err := newBar(thread, desc, nil, &args{Desc: &desc, Total: &total, Interval: least.Seconds(), Unit: "task", Smoothing: 0.3, Divisor: 1000})
	if err != nil {
		return nil, err
	}
	return &Bar{b}, nil
}

// Set says how many steps are done.
func (b *Bar) Set(n float64) { b.b.add(n - b.b.n) }

// Close shows the bar for the last time.
func (b *Bar) Close() { b.b.close() }
