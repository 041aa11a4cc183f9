package magic

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// BreakpointBuiltin is breakpoint().
var BreakpointBuiltin = value.Builtin{Name: "breakpoint",
	Doc: "Stops, and asks for commands as %debug does: n and s run on by a line, c runs on. A front end that cannot be asked shows where the program is, " +
		"and its variables, and it goes on.", Fn: breakpoint}

// A quitError ends a program that somebody has looked at.
type quitError struct{}

var errQuit error = quitError{}

func (quitError) Error() string     { return "the program was left by q" }
func (quitError) ErrorName() string { return "BdbQuit" }

// A stop is a line where a program stops.
type stop struct {
	file string
	line int
}

// A stepper stops a cell at lines.
type stepper struct {
	s      *session.Session
	thread *starlark.Thread
	stops  map[stop]bool
	line   func(depth int) bool // whether to stop at a line of a call at a depth; nil: only at stops
	looks  bool                 // somebody looks at the program, which waits
	end    func()               // ends the watch; nil: lines are not watched
}

// stepperKey is where a session has the stepper of its running cell.
type stepperKey struct{}

func breakpoint(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := b.Unpack(args, kwargs); err != nil {
		return nil, err
	}
	s := session.Of(thread)
	if s == nil || s.Cell() == nil { // nobody waits for what an expression of the front end's shows
		return starlark.None, nil
	}
	at := s.Local(stepperKey{}, func() any { return new(*stepper) }).(**stepper)
	if *at == nil || (*at).thread != thread {
		p := &stepper{s: s, thread: thread, stops: map[stop]bool{}}
		*at = p
		s.Cell().AtEnd(func() {
			p.unwatch()
			*at = nil
		})
	}
	return starlark.None, (*at).stopped()
}

// stopped looks at the program where it is.
func (p *stepper) stopped() error {
	calls := session.UserCalls(session.CallsOf(p.thread))
	switch {
	case value.Stopped(p.s):
		return tensor.ErrStopped
	case len(calls) == 0:
		return nil
	}
	l := &look{s: p.s, thread: p.thread, calls: calls, at: len(calls) - 1, step: p}
	p.line, p.looks = nil, true
	p.s.Print("stdout", l.place(l.at))
	err := l.ask()
	p.looks = false
	if err != nil && err != errQuit && p.s.Context().Err() == nil {
		p.s.Print("stdout", l.variables(false)+"This front end cannot be asked for commands: the program goes on.\n")
		p.stops, p.line, err = map[stop]bool{}, nil, nil
	}
	if err == nil {
		p.watch()
	}
	return err
}

// watch has lines be watched while somebody waits for one.
func (p *stepper) watch() {
	switch wants := p.line != nil || len(p.stops) > 0; {
	case !wants:
		p.unwatch()
	case p.end == nil:
		end := p.s.WatchLines()
		session.OnLine(p.thread, p.atLine)
		p.end = func() {
			session.OnLine(p.thread, nil)
			end()
		}
	}
}

func (p *stepper) unwatch() {
	if p.end != nil {
		p.end()
		p.end = nil
	}
}

// atLine is called where a line begins.
func (p *stepper) atLine() error {
	at := value.FrameOf(p.thread, 0)
	if p.looks || session.Hidden(at.Name) { // what is asked for does not stop
		return nil
	}
	if p.line != nil && p.line(value.DepthOf(p.thread)) || p.stops[stop{at.Pos.Filename(), int(at.Pos.Line)}] {
		return p.stopped()
	}
	return nil
}

// depth is that of the program where it waits: of the innermost call of the user's.
func (l *look) depth() int {
	depth := value.DepthOf(l.thread)
	for i := 0; i < depth; i++ {
		if at := value.FrameOf(l.thread, i); at.Pos.Line > 0 && at.Pos.Filename() != "<builtin>" {
			return depth - i
		}
	}
	return depth
}

func (l *look) next(string) (string, error) {
	here := l.depth()
	l.step.line = func(depth int) bool { return depth <= here }
	return "", nil
}

func (l *look) stepIn(string) (string, error) {
	l.step.line = func(int) bool { return true }
	return "", nil
}

func (l *look) finish(string) (string, error) {
	here := l.depth()
	l.step.line = func(depth int) bool { return depth < here }
	return "", nil
}

func (l *look) goOn(string) (string, error) { return "", nil }

// stopOf reads FILE:LINE, or LINE of the file that is looked at.
func (l *look) stopOf(arg string) (at stop, wrong string) {
	at.file = l.call().Call().Pos.Filename()
	line := arg
	if i := strings.LastIndex(arg, ":"); i >= 0 {
		at.file, line = arg[:i], arg[i+1:]
	}
	n, err := strconv.Atoi(line)
	if err != nil || n < 1 {
		return at, fmt.Sprintf("*** got %s, want the number of a line\n", arg)
	}
	at.line = n
	return at, ""
}

func (l *look) breakAt(arg string) (string, error) {
	if arg == "" {
		text := ""
		for _, at := range slices.SortedFunc(maps.Keys(l.step.stops), func(a, b stop) int {
			return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line)
		}) {
			text += fmt.Sprintf("%s:%d\n", at.file, at.line)
		}
		return text, nil
	}
	at, wrong := l.stopOf(arg)
	if wrong != "" {
		return wrong, nil
	}
	l.step.stops[at] = true
	return fmt.Sprintf("Breakpoint at %s:%d\n", at.file, at.line), nil
}

func (l *look) clear(arg string) (string, error) {
	if arg == "" {
		clear(l.step.stops)
		return "", nil
	}
	at, wrong := l.stopOf(arg)
	if wrong == "" && !l.step.stops[at] {
		wrong = "*** There is no breakpoint at " + at.file + ":" + strconv.Itoa(at.line) + "\n"
	}
	delete(l.step.stops, at)
	return wrong, nil
}
