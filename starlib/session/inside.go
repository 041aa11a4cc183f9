package session

import (
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// What packages above do with a cell from inside of it.

// Redirect has what the running cell shows go to another output until back is called.
func (s *Session) Redirect(out Output) (back func()) {
	outer := s.out
	s.out = out
	return func() { s.out = outer }
}

// SetStream redirects "stdout" or "stderr" to a value with a method write; with nil the front end
// has the stream again.
func (s *Session) SetStream(name string, to starlark.Value) {
	if to == nil {
		delete(s.streams, name)
		return
	}
	if s.streams == nil {
		s.streams = map[string]starlark.Value{}
	}
	s.streams[name] = to
}

// Stream is the value that SetStream redirected a stream to; nil if the front end has it.
func (s *Session) Stream(name string) starlark.Value { return s.streams[name] }

// WriteOut writes to a stream of the front end, whatever the program has set.
func (s *Session) WriteOut(name, text string) { s.out.Stream(name, text) }

// written is an output whose streams go to values of the program's.
type written struct {
	Output
	s *Session
}

// Stream writes text. What the value raises makes the running statement fail.
func (w written) Stream(name, text string) {
	to := w.s.streams[name]
	switch to {
	case nil:
		w.Output.Stream(name, text)
		return
	case starlark.None: // as in Python, nothing is written
		return
	}
	write, err := value.Attr(to, "write")
	if err == nil {
		_, err = value.Call(w.s.Current(), write, starlark.Tuple{starlark.String(text)}, nil)
	}
	if err != nil {
		w.s.Fail(err)
	}
}

// Silence discards output until loud is called.
func (s *Session) Silence() (loud func()) { return s.Redirect(Discard{}) }

// Assign gives a global variable a value, as the cell would.
func (s *Session) Assign(name string, v starlark.Value) {
	value.Pin(v)
	s.running.env.Assign(name, v)
}

// Variables are those that cells have assigned, as they are now.
func (s *Session) Variables() *slot.Dict { return environment{s, s.env}.dict() }

// RunHere runs a cell where a line of the running one says so, and returns its last value, nil if
// it has none. file is what errors call the cell.
func (s *Session) RunHere(file, code string) (starlark.Value, error) {
	defer func(shown starlark.Value) { s.displayed = shown }(s.displayed)
	s.displayed = nil
	count := 0
	if s.cell != nil {
		count = s.cell.Count
	}
	_, _, err := s.run(s.ctx, &Cell{Name: file, Count: count, Code: code, Line: 1, asValue: true}, nil)
	if inner := (*Error)(nil); errors.As(err, &inner) {
		return nil, insideError{inner.cause}
	}
	return s.displayed, err
}

// CompileText turns text that a program evaluates into a program of its own, which looks for its
// global variables when it runs. file is what errors call it. The value of an expression is what
// RunIn returns.
func (s *Session) CompileText(file, text string, isExpr bool) (*Program, error) {
	s.sources[file] = Source{}.with(1, text)
	f, err := ParseText(file, text, 1, 1)
	if err != nil {
		return nil, insideError{err}
	}
	if isExpr {
		if len(f.Stmts) != 1 || !lower.IsExpr(f.Stmts[0]) {
			return nil, Failure("SyntaxError", "eval: got statements, want an expression; exec runs statements")
		}
		lower.Shown(f)
	}
	everything := func(string) bool { return true }
	if _, err := s.check(f, everything, false, s.AllNames); err != nil {
		return nil, insideError{err}
	}
	return s.newProgram(f, true, isLate)
}

// RunIn runs a program with the global variables of env, and returns its last value, nil if it has
// none.
func (s *Session) RunIn(prog *Program, thread *starlark.Thread, env *vm.Globals) (starlark.Value, error) {
	defer func(outer environment, result starlark.Value) { s.running, s.result = outer, result }(s.running, s.result)
	s.result = nil
	if s.running.env != env {
		s.running = environment{s, env}
		env.Set(scope.Env, s.running)
	}
	err := s.init(prog, thread)
	return s.result, err
}

// GlobalsOf are the variables behind globals(), and behind what package scope gives eval; nil for
// another value.
func GlobalsOf(v starlark.Value) *vm.Globals {
	switch v := v.(type) {
	case environment:
		return v.env
	case *globalsDict:
		return v.of.env
	}
	return nil
}

// A Screen is where a front end shows outputs.
type Screen uint8

const (
	ScreenPage Screen = iota // a page, on which a display can be replaced
	ScreenLine               // a terminal, whose last line can be overwritten
	ScreenFile               // a file or another program
)

// Screen says what the running cell is shown on. An Output that is no page has a method Screen.
func (s *Session) Screen() Screen {
	if o, ok := s.out.(interface{ Screen() Screen }); ok {
		return o.Screen()
	}
	return ScreenPage
}

// NextInput gives the front end the text of the next cell, or with replace another text for this
// one. Where there are no cells the text is printed.
func (s *Session) NextInput(text string, replace bool) {
	if o, ok := s.out.(interface{ NextInput(string, bool) }); ok {
		o.NextInput(text, replace)
		return
	}
	s.out.Stream("stdout", strings.TrimSuffix(text, "\n")+"\n")
}

// Failure is an error of a class of Python's.
func Failure(class, msg string) error { return object.NewError(object.ClassNamed(class), msg) }
