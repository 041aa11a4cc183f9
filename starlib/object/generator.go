package object

import (
	"fmt"
	"iter"
	"runtime"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Threads makes threads for generators: what a generator function has run so far stays on a thread of its own while it waits.
type Threads interface {
	Host
	NewThread(name string) *starlark.Thread
	// Inside calls f while the thread is the current one.
	Inside(thread *starlark.Thread, f func())
}

// A Generator is what a generator function returns: its body runs up to the next yield whenever an element is asked for. One that nobody can
// ask any more ends where it waits, without running what its body has after that; CPython runs its finally.
type Generator struct{ *coroutine }

// A coroutine is a body that waits. It does not know its Generator, so that the collector finds out when nobody else does.
type coroutine struct {
	name    string
	host    Threads
	thread  *starlark.Thread
	next    func() (starlark.Value, bool)
	yield   func(starlark.Value) bool
	err     error
	result  starlark.Value // what the body returned
	running bool
}

var (
	_ starlark.Iterable = (*Generator)(nil)
	_ value.Nexter      = (*Generator)(nil)
)

const generatorKey = "arignote.generator"

// NewGenerator returns the iterator of a generator function whose body is fn.
func NewGenerator(host Threads, fn starlark.Callable, name string) *Generator {
	c := &coroutine{name: name, host: host, thread: host.NewThread(name)}
	c.thread.SetLocal(generatorKey, c)
	next, stop := iter.Pull(func(yield func(starlark.Value) bool) {
		c.yield = yield
		c.result, c.err = starlark.Call(c.thread, fn, nil, nil)
	})
	c.next = next
	g := &Generator{c}
	runtime.AddCleanup(g, func(stop func()) { go stop() }, stop)
	return g
}

// Yield is yield x on a generator's thread.
func Yield(thread *starlark.Thread, x starlark.Value) error {
	c, ok := thread.Local(generatorKey).(*coroutine)
	if !ok {
		return NewError(RuntimeError, "yield where no generator runs")
	}
	if !c.yield(x) {
		runtime.Goexit()
	}
	return nil
}

// YieldFrom is yield from xs on a generator's thread; it returns what a generator's body returned.
func YieldFrom(thread *starlark.Thread, xs starlark.Iterable) (starlark.Value, error) {
	for x := range starlark.Elements(xs) {
		if err := Yield(thread, x); err != nil {
			return nil, err
		}
	}
	if g, ok := xs.(*Generator); ok && g.result != nil {
		return g.result, nil
	}
	return starlark.None, nil
}

// NextValue is next(g).
func (g *Generator) NextValue() (v starlark.Value, ok bool, err error) {
	if g.running {
		return nil, false, valueError("generator already executing: %s", g.name)
	}
	g.running = true
	g.host.Inside(g.thread, func() { v, ok = g.next() })
	g.running = false
	if err, g.err = g.err, nil; err != nil && raisedAs(err, StopIteration) {
		err = NewError(RuntimeError, "generator raised StopIteration: "+g.name)
	}
	return v, ok, err
}

func (g *Generator) String() string        { return "<generator object " + g.name + ">" }
func (g *Generator) Type() string          { return "generator" }
func (g *Generator) Freeze()               {}
func (g *Generator) Truth() starlark.Bool  { return true }
func (g *Generator) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: generator") }

// Iterate is iter(g).
func (g *Generator) Iterate() starlark.Iterator { return generated{g} }

type generated struct{ *Generator }

func (generated) Done() {}
func (g generated) Next(p *starlark.Value) bool {
	v, ok, err := g.NextValue()
	if err != nil {
		g.host.Fail(err)
	}
	if ok {
		*p = v
	}
	return ok
}
