package vm

import (
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A point is a call, and where it is.
type point struct {
	code     *code.Func        // nil of a builtin
	callable starlark.Callable // that builtin
	ip       int
}

func (fr *frame) point() point {
	if fr.fn != nil {
		return point{code: fr.fn.code, ip: fr.ip}
	}
	return point{callable: fr.callable}
}

var builtinFile = "<builtin>"

// call is what a point shows.
func (p *point) call() starlark.CallFrame {
	if p.code != nil {
		return starlark.CallFrame{Name: p.code.Name, Pos: p.code.PosOf(p.ip)}
	}
	pos := syntax.MakePosition(&builtinFile, 0, 0)
	if c, ok := p.callable.(interface{ Position() syntax.Position }); ok {
		pos = c.Position()
	}
	return starlark.CallFrame{Name: p.callable.Name(), Pos: pos}
}

// A trail is where an error was: the call that failed, and those around it.
type trail struct {
	at     point
	around *calls // nil where there was no call

	caught handled // what the first handler gets
}

// calls are the calls around one. As long as that one is on the machine they wait, and are found
// there; when it ends, the one around it is noted.
type calls struct {
	of     *frame // nil when it has ended
	at     point  // the call around it
	around *calls // of that one
}

// around are the calls around a frame.
func (fr *frame) around() *calls {
	if fr.calls == nil {
		fr.calls = &calls{of: fr}
	}
	return fr.calls
}

// left notes the calls around a frame that leaves the machine.
func (fr *frame) left() {
	c := fr.calls
	if c.of, fr.calls = nil, nil; fr.outer.depth > 0 {
		c.at, c.around = fr.outer.point(), fr.outer.around()
	}
}

// failure is an error where the machine is.
func (m *Machine) failure(err error) *value.Traced {
	t := &struct {
		value.Traced
		trail
	}{}
	m.serial++
	t.Cause, t.Serial, t.Where = err, m.serial, &t.trail
	if m.fr.depth > 0 {
		t.at, t.around = m.fr.point(), m.fr.around()
	}
	return &t.Traced
}

// Calls are the calls, outermost first.
func (t *trail) Calls() starlark.CallStack {
	if t.around == nil {
		return starlark.CallStack{}
	}
	stack := starlark.CallStack{t.at.call()}
	c := t.around
	for ; c.of == nil && c.around != nil; c = c.around {
		stack = append(stack, c.at.call())
	}
	if c.of != nil {
		for fr := c.of.outer; fr.depth > 0; fr = fr.outer {
			at := fr.point()
			stack = append(stack, at.call())
		}
	}
	slices.Reverse(stack)
	return stack
}
