package object

import (
	"fmt"
	"iter"
	"runtime"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Threads makes threads for generators: what a generator function has run so far stays on a thread of its own while it waits.
type Threads interface {
	value.Host
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
	depth   int            // of generators that wait for this one, and itself, while it runs
	running bool
	begun   bool
	ended   bool
	sent    starlark.Value // what yield is to be, nil: None
	thrown  error          // what yield is to fail with
}

var (
	_ starlark.Iterable  = (*Generator)(nil)
	_ value.Nexter       = (*Generator)(nil)
	_ starlark.HasBinary = (*Generator)(nil)
)

const generatorKey = "arignote.generator"

// maxGenerators is how many generators may ask each other for elements, one inside the other: each has a stack of its own.
const maxGenerators = 2000

// NewGenerator returns the iterator of a generator function whose body is fn.
func NewGenerator(host Threads, fn starlark.Callable, name string) *Generator {
	c := &coroutine{name: name, host: host, thread: host.NewThread(name)}
	c.thread.SetLocal(generatorKey, c)
	next, stop := iter.Pull(func(yield func(starlark.Value) bool) {
		c.yield = yield
		if c.err = c.thrown; c.err == nil {
			c.result, c.err = value.Call(c.thread, fn, nil, nil)
		}
	})
	c.next = next
	g := &Generator{c}
	runtime.AddCleanup(g, func(stop func()) { go stop() }, stop)
	return g
}

// Yield is yield x on a generator's thread: what send was given, or the error of throw.
func Yield(thread *starlark.Thread, x starlark.Value) (starlark.Value, error) {
	c, ok := thread.Local(generatorKey).(*coroutine)
	if !ok {
		return nil, NewError(RuntimeError, "yield where no generator runs")
	}
	if !c.yield(x) {
		runtime.Goexit()
	}
	sent, err := c.sent, c.thrown
	c.sent, c.thrown = nil, nil
	if sent == nil {
		sent = starlark.None
	}
	return sent, err
}

// YieldFrom is yield from xs on a generator's thread; it returns what a generator's body returned. What is sent to the generator, or thrown, is
// passed on to one that xs is.
func YieldFrom(thread *starlark.Thread, xs starlark.Iterable) (starlark.Value, error) {
	g, ok := xs.(*Generator)
	if !ok {
		for x := range starlark.Elements(xs) {
			if _, err := Yield(thread, x); err != nil {
				return nil, err
			}
		}
		return starlark.None, nil
	}
	var sent starlark.Value
	var thrown error
	for {
		x, ok, err := g.resume(sent, thrown)
		if err != nil || !ok {
			if g.result != nil && err == nil {
				return g.result, nil
			}
			return starlark.None, err
		}
		sent, thrown = Yield(thread, x)
	}
}

// NextValue is next(g).
func (g *Generator) NextValue() (v starlark.Value, ok bool, err error) { return g.resume(nil, nil) }

// resume lets the body go on from its yield, which gives sent, or fails with thrown.
func (g *Generator) resume(sent starlark.Value, thrown error) (v starlark.Value, ok bool, err error) {
	switch {
	case g.running:
		return nil, false, valueError("generator already executing: %s", g.name)
	case g.ended:
		return nil, false, thrown
	case !g.begun && sent != nil && sent != starlark.None:
		return nil, false, typeError("can't send non-None value to a just-started generator: %s; next(g) starts it", g.name)
	}
	g.depth = 1
	if outer := g.host.Current(); outer != nil {
		if c, ok := outer.Local(generatorKey).(*coroutine); ok {
			g.depth += c.depth
		}
	}
	if g.depth > maxGenerators {
		return nil, false, NewError(RecursionError, fmt.Sprintf("recursion deeper than %d generators: %s asks others for its elements", maxGenerators, g.name))
	}
	if value.Stopped(g.host) { // the interrupt may have come while no generator ran, whose thread it would have ended
		g.thread.Cancel("interrupted")
	}
	g.running, g.begun = true, true
	g.sent, g.thrown = sent, thrown
	g.host.Inside(g.thread, func() { v, ok = g.next() })
	g.running, g.ended = false, !ok
	if err, g.err = g.err, nil; err != nil && IsError(err, StopIteration) {
		err = NewError(RuntimeError, "generator raised StopIteration: "+g.name)
	}
	return v, ok, err
}

// GeneratorMethods are the methods of generators.
var GeneratorMethods = value.NewMethods("generator", []value.Builtin{
	ofGenerator("__next__", "The next element.", "def f():\n    yield 1\nf().__next__() # 1", func(g *Generator, _ []starlark.Value) (starlark.Value, error) { return g.step(nil, nil) }),
	ofGenerator("close", "Ends the generator: its yield raises GeneratorExit.",
		"def f():\n    yield 1\n    yield 2\ng = f()\nnext(g)\ng.close()\nlist(g) # []", func(g *Generator, _ []starlark.Value) (starlark.Value, error) {
			if !g.begun {
				g.ended = true
				return starlark.None, nil
			}
			_, ok, err := g.resume(nil, NewError(GeneratorExit, ""))
			switch {
			case ok:
				return nil, NewError(RuntimeError, "generator ignored GeneratorExit: "+g.name+" has a yield that close() meets")
			case err != nil && !raisedAs(err, GeneratorExit):
				return nil, err
			}
			return starlark.None, nil
		}),
	ofGenerator("send", "The next element; the yield at which the generator waits gives value.",
		"def f():\n    x = yield 1\n    yield x\ng = f()\nnext(g)\ng.send(5) # 5",
		func(g *Generator, v []starlark.Value) (starlark.Value, error) { return g.step(v[0], nil) }, "value: what yield gives"),
	ofGenerator("throw", "The next element; the yield at which the generator waits raises an exception.",
		"def f():\n    try:\n        yield 1\n    except ValueError:\n        yield 2\ng = f()\nnext(g)\ng.throw(ValueError) # 2",
		func(g *Generator, v []starlark.Value) (starlark.Value, error) {
			return g.step(nil, Raise(g.host.Current(), v[0], nil, nil))
		}, "exception: an exception, or a class of exceptions"),
})

// ofGenerator is the row of a method of generators.
func ofGenerator(name, doc, example string, fn func(*Generator, []starlark.Value) (starlark.Value, error), params ...string) value.Builtin {
	return value.Row(name, doc, example, func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		return fn(b.Receiver().(*Generator), v)
	}, params...)
}

// step is resume for methods: the end of the body is StopIteration, with what it returned.
func (g *Generator) step(sent starlark.Value, thrown error) (starlark.Value, error) {
	v, ok, err := g.resume(sent, thrown)
	if err != nil || ok {
		return v, err
	}
	return nil, g.stopped()
}

// Stopped is the StopIteration of the end of a body that returned something, nil of others.
func (g *Generator) Stopped() error {
	if g.result == nil || g.result == starlark.None {
		return nil
	}
	return g.stopped()
}

// stopped is the StopIteration of the end of the body, with what it returned, once.
func (g *Generator) stopped() error {
	stop := NewError(StopIteration, "").(*Raised)
	stop.Exception.args = starlark.Tuple{}
	if g.result != nil && g.result != starlark.None {
		stop.with(g.result)
		g.result = nil
	}
	return stop
}

func (g *Generator) Attr(name string) (starlark.Value, error) { return GeneratorMethods.Attr(g, name) }
func (g *Generator) AttrNames() []string                      { return GeneratorMethods.Names() }
func (g *Generator) Table() *value.Methods                    { return GeneratorMethods }

func (g *Generator) String() string        { return "<generator object " + g.name + ">" }
func (g *Generator) Type() string          { return "generator" }
func (g *Generator) Freeze()               {}
func (g *Generator) Truth() starlark.Bool  { return true }
func (g *Generator) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: generator") }

// Binary is x in g.
func (g *Generator) Binary(op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	return value.Search(g, op, x, side)
}

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
