package vm

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Generator is what a call of a generator function gives: a frame that waits. Its body runs up to
// the next yield whenever an element is asked for. A loop closes the generator that was made for it
// when the loop is left; any other one that nobody asks any more stays where it waits, without
// running what its body has after that.
type Generator struct {
	fn     *Function
	regs   *[code.Registers]slot.Slot // its own, from when it begins until it ends
	params []slot.Slot                // before it begins
	cells  []*cell
	ip     int // of the yield at which it waits; -1 before the first
	thread *starlark.Thread
	result starlark.Value // what the body returned, for who asked then
	made   place          // by which call

	sent    slot.Slot // what the yield gives, unset: None
	thrown  error     // what it fails with
	running bool
	ended   bool
	yielded bool // the last run ended with a yield
}

// A place is an instruction of a program.
type place struct {
	code *code.Func
	ip   int
}

var (
	_ starlark.Iterable  = (*Generator)(nil)
	_ value.Nexter       = (*Generator)(nil)
	_ starlark.HasBinary = (*Generator)(nil)
)

// generator makes a generator of a frame whose arguments are bound, and takes the frame away.
func (m *Machine) generator() *Generator {
	fr := m.top()
	g := &Generator{fn: fr.fn, ip: -1, cells: fr.cells, thread: m.thread}
	g.params = slices.Clone(fr.regs[:len(fr.fn.code.Params)])
	holdAll(g.params)
	m.pop()
	if by := m.fr; by.fn != nil {
		g.made = place{by.fn.code, by.ip}
	}
	return g
}

// maxWindows is how many windows of generators that have ended a machine keeps.
const maxWindows = 64

// window is registers for a generator, all empty.
func (m *Machine) window() *[code.Registers]slot.Slot {
	n := len(m.windows)
	if n == 0 {
		return new([code.Registers]slot.Slot)
	}
	w := m.windows[n-1]
	m.windows = m.windows[:n-1]
	return w
}

// begin puts the generator's frame on the machine. It fails where the generator cannot go on.
func (g *Generator) begin(m *Machine, sent slot.Slot, thrown error) error {
	switch {
	case g.running:
		return object.NewError(object.ValueError, "generator already executing: "+g.name())
	case g.ip < 0 && sent.IsSet() && sent.Ref() != starlark.None:
		return object.NewError(object.TypeError,
			"can't send non-None value to a just-started generator: "+g.name()+"; next(g) starts it")
	}
	if err := m.enough(); err != nil {
		return err
	}
	if g.regs == nil {
		g.regs = m.window()
		copy(g.regs[:], g.params)
		g.params = nil
	}
	fr := m.frame()
	fr.fn, fr.regs, fr.cells, fr.gen, fr.ip = g.fn, g.regs, g.cells, g, g.ip
	g.running, g.yielded = true, false
	if thrown == nil && g.ip >= 0 {
		switch in := g.fn.code.At(g.ip); in.Op {
		case code.Yield:
			if !sent.IsSet() {
				sent = slot.None
			}
			fr.regs[in.A] = sent
		default: // YieldFrom goes on, and passes on what it is sent
			g.sent = sent
			fr.ip--
		}
	} else if thrown != nil && g.ip >= 0 && g.fn.code.At(g.ip).Op == code.YieldFrom {
		g.thrown = thrown
		fr.ip--
	}
	return nil
}

// resumes puts the frame of a generator that waits at a yield on the machine: the common case of
// begin for a loop. It reports false of other cases.
func (m *Machine) resumes(g *Generator) bool {
	if g.running || g.ended || g.ip < 0 {
		return false
	}
	in := g.fn.code.At(g.ip)
	to := m.fr.inner
	if in.Op != code.Yield || to == nil || m.deepest > 0 && m.fr.depth >= m.deepest {
		return false
	}
	g.regs[in.A] = slot.None
	to.fn, to.regs, to.cells, to.gen, to.ip = g.fn, g.regs, g.cells, g, g.ip
	to.free, to.chunk = m.fr.free, m.fr.chunk
	g.running, g.yielded = true, false
	m.fr = to
	return true
}

// suspend takes the frame of a generator that waits off the machine, and reports
// whether Go asked for the element.
func (m *Machine) suspend() (entry bool) {
	fr := m.top()
	g := fr.gen
	g.ip, g.running, g.yielded = fr.ip, false, true
	entry = fr.entry
	if m.hasOwned {
		holdAll(fr.used())
	}
	if fr.calls != nil {
		fr.left()
	}
	fr.fn, fr.gen, fr.cells, fr.entry, fr.kind, fr.owner = nil, nil, nil, false, 0, 0
	m.fr = fr.outer
	return entry
}

// generates is what a generator does that gives an element, or ends: found if Go asked for it,
// which gets m.given.
func (m *Machine) generates() (what int) {
	fr := m.fr
	switch in := fr.fn.code.At(fr.ip); in.Op {
	case code.Yield:
		m.given = fr.regs[in.B].Escape()
	case code.YieldFrom:
		if from, ok := fr.regs[in.B].Ref().(*Generator); ok && m.passesOn(from) {
			return entered
		}
		if what := m.delegate(in.A, in.B); what != found {
			return what
		}
	default:
		g := fr.gen
		entry := m.finish(fr.regs[in.A])
		if m.given = (slot.Slot{}); entry {
			return found
		}
		by := m.fr
		switch in := by.fn.code.At(by.ip); in.Op {
		case code.YieldFrom:
			by.regs[in.A] = slot.None
			if g.result != nil {
				by.regs[in.A] = slot.Of(g.result)
			}
		case code.CallOp: // of next
			err := g.Stopped()
			if err == nil {
				err = value.ErrEnded
			}
			m.fail(err, by.ip)
			return failed
		}
		return ended
	}
	for {
		if m.suspend() {
			return found
		}
		if by := m.fr; by.fn.code.At(by.ip).Op != code.YieldFrom { // which gives it on
			break
		}
	}
	m.take()
	return ended
}

// passesOn puts the frame of a generator on the machine, the elements of which the innermost frame
// gives on. It reports false, and nothing has happened, where delegate has to see to it.
func (m *Machine) passesOn(from *Generator) bool {
	g := m.fr.gen
	if from.ended || g.sent.IsSet() && g.sent.Ref() != starlark.Value(starlark.None) || g.thrown != nil {
		return false
	}
	if from.begin(m, slot.Slot{}, nil) != nil {
		return false
	}
	g.sent = slot.Slot{}
	return true
}

// take gives the loop of the innermost frame, or its call of next, the element.
func (m *Machine) take() {
	fr := m.fr
	next := fr.fn.code.At(fr.ip)
	if next.Op == code.CallOp {
		fr.regs[next.A] = m.given
		return
	}
	fr.regs[next.B] = m.given
	fr.ip += int(next.D) - 1
}

// finish ends a generator whose body returns v, and reports whether Go asked for an element.
func (m *Machine) finish(v slot.Slot) (entry bool) {
	fr := m.top()
	fr.gen.result = v.Value()
	entry = fr.entry
	m.pop()
	return entry
}

// abandoned ends a generator; its registers are empty if m keeps them for another one.
func (g *Generator) abandoned(m *Machine) {
	if m != nil && g.regs != nil && len(m.windows) < maxWindows {
		m.windows = append(m.windows, g.regs)
	}
	g.running, g.ended = false, true
	g.regs, g.cells, g.params = nil, nil, nil
}

// failed is the error of a body: a StopIteration of its own is none of who asks it.
func (g *Generator) failed(err error) error {
	if object.IsError(err, object.StopIteration) {
		return object.Because(err, object.RuntimeError, "generator raised StopIteration: "+g.name())
	}
	return err
}

// delegate is yield from: what it finds is in m.given, and what the other one returned is stored in
// the end. What is sent or thrown is passed on to a generator.
func (m *Machine) delegate(a, b uint8) (what int) {
	fr := m.top()
	ip := fr.ip
	g := fr.gen
	sent, thrown := g.sent, g.thrown
	g.sent, g.thrown = slot.Slot{}, nil
	var v starlark.Value
	var more bool
	var err error
	result := starlark.Value(starlark.None)
	ok := true
	func() {
		defer m.guard(m.fr.depth, ip, &ok)
		switch from := fr.regs[b].Ref().(type) {
		case *Generator:
			if thrown != nil && object.IsError(thrown, object.GeneratorExit) {
				if err = from.close(m); err == nil {
					err = thrown
				}
				break
			}
			v, more, err = from.resume(m, sent, thrown)
			if err == nil && !more && from.result != nil {
				result = from.result
			}
		case *iterator:
			switch {
			case thrown != nil:
				err = thrown
			case sent.IsSet() && sent.Ref() != starlark.None:
				err = object.NewError(object.AttributeError,
					"what yield from takes elements of has no attribute 'send': send(None)")
			default:
				more = from.elements.Next(&v)
			}
		}
		if err == nil {
			err = m.stopped()
		}
	}()
	switch {
	case !ok:
		return failed
	case err != nil:
		if thrown != nil {
			fr.during(err)
		}
		m.fail(err, ip)
		return failed
	case more:
		m.given = slot.Of(v)
		return found
	}
	m.top().regs[a] = slot.Of(result)
	return ended
}

// delegated is what yield from takes elements of.
func (m *Machine) delegated(x starlark.Value) (slot.Slot, error) {
	if g, ok := x.(*Generator); ok {
		return slot.Ref(g), nil
	}
	xs, err := value.Iterable(x)
	if err != nil {
		return slot.Slot{}, err
	}
	return slot.Ref(&iterator{kind: iterAny, elements: xs.Iterate()}), nil
}

// resume lets the body go on from its yield, which gives sent, or fails with thrown.
func (g *Generator) resume(m *Machine, sent slot.Slot, thrown error) (v starlark.Value, ok bool, err error) {
	if g.ended { // its result was given before
		g.result = nil
		return nil, false, thrown
	}
	if thrown != nil && g.ip < 0 {
		g.abandoned(nil)
		return nil, false, g.failed(thrown)
	}
	depth := m.fr.depth
	defer func() {
		if m.fr.depth > depth { // it panicked
			m.unwind(depth)
		}
	}()
	if err := g.begin(m, sent, thrown); err != nil {
		return nil, false, err
	}
	fr := m.top()
	fr.entry = true
	if thrown != nil && g.thrown == nil {
		fr.during(thrown)
		m.fail(thrown, fr.ip)
	}
	s, err := m.run()
	if err != nil || !g.yielded {
		return nil, false, err
	}
	return s.Value(), true, nil
}

// machine is that which runs now, or the one that made the generator.
func (g *Generator) machine() *Machine {
	if host := value.HostOf(g.thread); host != nil && host.Current() != nil {
		return MachineOf(host.Current())
	}
	return MachineOf(g.thread)
}

// close ends a generator that waits: its yield raises GeneratorExit.
func (g *Generator) close(m *Machine) error {
	if g.ip < 0 || g.ended {
		if !g.running {
			g.abandoned(nil)
		}
		return nil
	}
	_, ok, err := g.resume(m, slot.Slot{}, object.NewError(object.GeneratorExit, ""))
	g.result = nil
	switch {
	case ok:
		return object.NewError(object.RuntimeError,
			"generator ignored GeneratorExit: "+g.name()+" has a yield that close() meets")
	case err != nil && !object.IsError(err, object.GeneratorExit):
		return err
	}
	return nil
}

// step is resume for methods: the end of the body is StopIteration, with what it returned.
func (g *Generator) step(sent slot.Slot, thrown error) (starlark.Value, error) {
	v, ok, err := g.resume(g.machine(), sent, thrown)
	if err != nil || ok {
		return v, err
	}
	return nil, g.stopped()
}

// stopped is the StopIteration of the end of the body, with what it returned, once.
func (g *Generator) stopped() error {
	result := g.result
	g.result = nil
	return object.Stop(result)
}

// Stopped is the StopIteration of the end of a body that returned something, nil of others.
func (g *Generator) Stopped() error {
	if g.result == nil || g.result == starlark.None {
		return nil
	}
	return g.stopped()
}

// NextValue is next(g).
func (g *Generator) NextValue() (v starlark.Value, ok bool, err error) {
	return g.resume(g.machine(), slot.Slot{}, nil)
}

func (g *Generator) name() string { return g.fn.code.Name }

func (g *Generator) Attr(name string) (starlark.Value, error) { return GeneratorMethods.Attr(g, name) }
func (g *Generator) AttrNames() []string                      { return GeneratorMethods.Names() }
func (g *Generator) Table() *value.Methods                    { return GeneratorMethods }

func (g *Generator) String() string        { return "<generator object " + g.name() + ">" }
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
		if host := value.HostOf(g.thread); host != nil {
			host.Fail(err)
		}
	}
	if ok {
		*p = v
	}
	return ok
}

// GeneratorMethods are the methods of generators.
var GeneratorMethods = value.NewMethods("generator", []value.Builtin{
	ofGenerator("__next__", "The next element.", "def f():\n    yield 1\nf().__next__() # 1",
		func(g *Generator, _ []starlark.Value) (starlark.Value, error) { return g.step(slot.Slot{}, nil) }),
	ofGenerator("close", "Ends the generator: its yield raises GeneratorExit.",
		"def f():\n    yield 1\n    yield 2\ng = f()\nnext(g)\ng.close()\nlist(g) # []",
		func(g *Generator, _ []starlark.Value) (starlark.Value, error) {
			return starlark.None, g.close(g.machine())
		}),
	ofGenerator("send", "The next element; the yield at which the generator waits gives value.",
		"def f():\n    x = yield 1\n    yield x\ng = f()\nnext(g)\ng.send(5) # 5",
		func(g *Generator, v []starlark.Value) (starlark.Value, error) { return g.step(slot.Of(v[0]), nil) },
		"value: what yield gives"),
	ofGenerator("throw", "The next element; the yield at which the generator waits raises an exception.",
		"def f():\n    try:\n        yield 1\n    except ValueError:\n        yield 2\ng = f()\nnext(g)\ng.throw(ValueError) # 2",
		func(g *Generator, v []starlark.Value) (starlark.Value, error) {
			return g.step(slot.Slot{}, g.machine().raised(v[0], nil, nil))
		}, "exception: an exception, or a class of exceptions"),
})

// ofGenerator is the row of a method of generators.
func ofGenerator(name, doc, example string, fn func(*Generator, []starlark.Value) (starlark.Value, error),
	params ...string) value.Builtin {
	return value.Row(name, doc, example, func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		return fn(b.Receiver().(*Generator), v)
	}, params...)
}
