package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/names"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Error is why a cell failed, ready to be shown.
type Error struct {
	name   string
	msg    string
	frames []graph.Frame // outermost first
	notes  []string
	cause  error
	lines  func(file string) Source

	mode      string         // how much the traceback shows
	variables map[int]string // of the frames, for TracebackVerbose
}

// A Named error chooses the name it is shown under, such as "ShapeError".
type Named interface {
	error
	ErrorName() string
}

// An Annotated error has more to say than its message: where its operands were made,
// what would help. The notes follow the message in the traceback.
type Annotated interface {
	error
	ErrorNotes() []string
}

// Error returns the message alone; positions are in Traceback.
func (e *Error) Error() string { return e.msg }

// Name returns the kind of error: SyntaxError, NameError, KeyboardInterrupt, ...; Error
// is the kind of all that have no other.
func (e *Error) Name() string { return e.name }

// Frames returns the user's code the error passed through, outermost first.
func (e *Error) Frames() []graph.Frame { return e.frames }

func (e *Error) Unwrap() error { return e.cause }

// NewError makes the error of a cell from whatever ended it. Errors nest: a failing
// load() has a stack of its own, which continues the stack of the cell.
func (s *Session) NewError(ctx context.Context, err error) *Error {
	var done *Error
	if errors.As(err, &done) {
		return done
	}
	return s.explained(ctx, s.unfail(nil, err))
}

// explained is NewError of what unfail returns.
func (s *Session) explained(ctx context.Context, err error) *Error {
	e := &Error{name: "Error", msg: err.Error(), cause: err, lines: s.Source, mode: s.traceback}
	missing := "" // the name that is not defined
	undefinedName := func(name string) {
		e.name, e.msg, missing = "NameError", undefined(name, s.namesNear(name)), name
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		switch x := cause.(type) {
		case *value.Traced:
			e.msg = x.Error()
			e.addStack(x.Calls())
		case *stopped:
			if at := value.TraceOf(x.at); at != nil {
				e.addStack(at.Calls())
			}
			e.msg = x.Error()
		case *value.InternalError:
			e.name, e.msg = "InternalError", x.Error()
			s.log.Error("panic in a cell", "panic", x.Value, "stack", string(x.Stack))
		case *staticError:
			e.name, e.msg, missing = x.name, x.msg, x.missing
			e.addFrame(x.pos)
		case *parse.Error:
			e.name, e.msg = "SyntaxError", x.Error()
			e.addFrame(x.Start)
			if x.Modern != "" {
				e.notes = append(e.notes, inPython3+x.Modern)
			}
		case *scope.Error:
			e.name, e.msg = "SyntaxError", x.Msg
			e.addFrame(x.Pos)
		case *lineError:
			if n := len(e.frames); n > 0 {
				e.frames[n-1].Col = x.col
			}
		case *vm.NameError:
			undefinedName(x.Name)
		}
		if x, ok := cause.(Named); ok {
			e.name = x.ErrorName()
		}
		if x, ok := cause.(Annotated); ok {
			e.notes = append(e.notes, x.ErrorNotes()...)
		}
	}
	if reason, ok := upstream.Cancelled.Cut(e.msg); ok {
		e.msg = reason
	}
	exhausted, isMemory := outOfMemory(ctx)
	switch {
	case isMemory:
		e.name, e.msg = exhausted.ErrorName(), exhausted.Error()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.name, e.msg = "TimeoutError", "the time allowed for the cell is over"
	case ctx.Err() != nil:
		e.name, e.msg = "KeyboardInterrupt", "interrupted"
	case e.msg == tooDeep:
		e.name, e.msg = "RecursionError", tooDeep
	}
	e.dropCallee()
	class := upstream.Class(e.msg)
	switch {
	case e.name == "NameError" && missing != "":
		_, later := names.Advice(missing)
		known := habits.OfName(missing) != "" || later
		if h := cmp.Or(s.resultHint(missing), s.memberHint(missing)); h != "" && !known {
			e.msg = "name '" + missing + "' is not defined" + h
		}
	case e.name == "Error" && s.rooms.Explain != nil:
		e.msg += s.rooms.Explain(s, e)
	}
	if e.name == "Error" && class != "" {
		e.name = class
	}
	e.modernize(missing)
	e.msg = visible.Text(shorten(e.msg))
	for i, note := range e.notes {
		e.notes[i] = visible.Text(shorten(note))
	}
	e.keepLines()
	if e.mode == TracebackVerbose {
		e.keepVariables()
	}
	return e
}

// inPython3 begins the note that shows a line of Python 2 anew.
const inPython3 = "In Python 3 the line is: "

// modernize adds the line in Python 3, if the error is about a name that only Python 2 has:
// missing, or an attribute.
func (e *Error) modernize(missing string) {
	if len(e.frames) == 0 {
		return
	}
	name := missing
	if groups, ok := upstream.NoAttribute.Match(e.msg); ok {
		name = groups[0]
	}
	if !parse.IsPython2(name, missing == "") {
		return
	}
	at := e.frames[len(e.frames)-1]
	line, _ := e.lines(at.File).Get(at.Line)
	if text, words := parse.Modern(line); slices.Contains(words, name) {
		e.notes = append(e.notes, inPython3+text)
	}
}

// addStack adds the frames of a call stack. That of what a builtin called, or of what was to be
// done before the error went on, is the thread's from its beginning: it has the frames that are
// there, of which the last may be at another line.
func (e *Error) addStack(stack starlark.CallStack) {
	frames := UserFrames(stack)
	last := len(e.frames) - 1
	if last >= 0 && last < len(frames) && slices.Equal(frames[:last], e.frames[:last]) &&
		frames[last].File == e.frames[last].File && frames[last].Func == e.frames[last].Func {
		e.frames = nil
	}
	e.frames = append(e.frames, frames...)
}

// dropCallee removes the frame of a function that was called with wrong arguments: the
// mistake is in the call, and no line of the function has run.
func (e *Error) dropCallee() {
	n := len(e.frames) - 1
	if n < 1 {
		return
	}
	if fn, ok := upstream.BadCall.Cut(e.msg); ok && strings.ReplaceAll(fn, "<lambda>", "lambda") == e.frames[n].Func {
		e.frames = e.frames[:n]
	}
}

// addFrame adds the place of an error that was found before anything ran. The code of a
// line magic stands on the line of its call, whose frame it replaces.
func (e *Error) addFrame(pos syntax.Position) {
	if n := len(e.frames) - 1; n >= 0 && e.frames[n].File == pos.Filename() && e.frames[n].Line == int(pos.Line) {
		e.frames = e.frames[:n]
	}
	e.frames = append(e.frames, graph.Frame{File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col)})
}

// keepLines takes a copy of the sources involved: by the time the error is shown, a
// file may have been loaded anew.
func (e *Error) keepLines() {
	files := map[string]Source{}
	for _, f := range e.frames {
		if _, ok := files[f.File]; !ok {
			files[f.File] = e.lines(f.File)
		}
	}
	e.lines = func(file string) Source { return files[file] }
}

// framesShown is how many frames a traceback shows at either end.
const framesShown = 10

// Traceback returns the error as IPython shows one: a line that names it, the frames
// with their source and a caret, and the message. Elements may have several lines.
func (e *Error) Traceback() []string {
	out := e.title()
	if e.mode == TracebackMinimal {
		return append(out, e.name+": "+e.msg)
	}
	for i, f := range e.frames {
		left := len(e.frames) - 2*framesShown
		if left > 1 && i >= framesShown && i < framesShown+left {
			if i == framesShown {
				out = append(out, e.leftOut(left))
			}
			continue
		}
		out = append(out, e.shownFrame(i, f))
	}
	out = append(out, e.name+": "+e.msg)
	return append(out, e.notes...)
}

// leftOut stands for the frames in the middle of a traceback. Those of a recursion repeat what is
// shown above them.
func (e *Error) leftOut(n int) string {
	shown := e.frames[:framesShown]
	for _, f := range e.frames[framesShown : framesShown+n] {
		if !slices.Contains(shown, f) {
			return fmt.Sprintf("... %d frames left out ...", n)
		}
	}
	return fmt.Sprintf("... %d frames like these left out ...", n)
}

// excerpt shows a frame: its position, two lines before, the line, and a caret.
func (e *Error) excerpt(f graph.Frame) string {
	var b strings.Builder
	b.WriteString(visible.Text(f.Pos().String()))
	if f.Func != "" && f.Func != "<toplevel>" {
		b.WriteString(" in " + f.Func)
	}
	src := e.lines(f.File)
	for n := f.Line - 2; n < f.Line; n++ {
		if text, ok := src.Get(n); ok {
			text, _ = window(text, 1)
			fmt.Fprintf(&b, "\n%7d %s", n, text)
		}
	}
	text, ok := src.Get(f.Line)
	if !ok {
		return b.String()
	}
	text, under := window(text, f.Col)
	fmt.Fprintf(&b, "\n--> %3d %s\n        %s^", f.Line, text, under)
	return b.String()
}

// Source is the text of a cell or file, by line.
type Source struct {
	first int
	lines []string
	kept  bool
}

// Kept reports whether it is what KeepLines noted: of a program whose file the user may not have.
func (s Source) Kept() bool { return s.kept }

// with returns the source with a further piece of it, which begins at line first; a
// piece that begins at line 1 takes the place of all.
func (s Source) with(first int, text string) Source {
	lines := strings.Split(text, "\n")
	if first <= 1 || s.lines == nil {
		return Source{max(first, 1), lines, false}
	}
	all := append([]string{}, s.lines[:min(first-s.first, len(s.lines))]...)
	for len(all) < first-s.first {
		all = append(all, "")
	}
	return Source{s.first, append(all, lines...), s.kept}
}

// First is the number of the first line.
func (s Source) First() int { return s.first }

// Get is a line by its number, if there is one.
func (s Source) Get(n int) (string, bool) {
	if i := n - s.first; i >= 0 && i < len(s.lines) {
		return strings.TrimSuffix(s.lines[i], "\r"), true
	}
	return "", false
}

func (s Source) Line(n int) string {
	text, _ := s.Get(n)
	return text
}

// Text is the source as it was; ok is false if nothing is known of the file.
func (s Source) Text() (text string, ok bool) {
	return strings.Repeat("\n", max(s.first-1, 0)) + strings.Join(s.lines, "\n"), s.lines != nil
}
