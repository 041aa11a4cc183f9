package inside

import (
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var runModule = value.NewModule("_run", "Functions whose errors are explained.", value.Builtins([]value.Builtin{
	{Name: "call", Doc: "Calls a function: (None, its result), or the exception and a dict that explains it.", Params: []value.Param{
		{Name: "function", Doc: "a function"}, {Name: "*args", Doc: "its arguments"}, {Name: "**kwargs", Doc: "its arguments by name"}},
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(args) == 0 {
				return nil, value.Failure("TypeError", "call: missing the function")
			}
			s := session.Of(thread)
			v, exception, told, err := s.Apart(args[0], args[1:], kwargs)
			switch {
			case err != nil:
				return nil, err
			case exception == nil:
				return starlark.Tuple{starlark.None, v}, nil
			}
			return starlark.Tuple{exception, explained(s, thread, told)}, nil
		}},
	value.Function("globals", "The global variables of the program.", "",
		func(thread *starlark.Thread, _ *nothing) (starlark.Value, error) {
			d := new(slot.Dict)
			env := session.Of(thread).Globals()
			for _, name := range env.Assigned() {
				if v := env.Get(name); v != nil && !session.Hidden(name) {
					d.SetKey(starlark.String(name), v)
				}
			}
			return d, nil
		}),
	value.Function("load", "Imports a module by its name, as an import does.", "",
		func(thread *starlark.Thread, a *struct {
			Name string `arg:"name: its dotted name"`
		}) (starlark.Value, error) {
			return session.Of(thread).Import(a.Name)
		}),
})...)

// explained describes an error by a dict: its name and text, the calls that it has left in
// the user's code, and of an assert that failed the values of its sides.
func explained(s *session.Session, thread *starlark.Thread, e *session.Error) starlark.Value {
	d := new(slot.Dict)
	set := func(name string, v starlark.Value) { d.SetKey(starlark.String(name), v) }
	set("name", starlark.String(e.Name()))
	set("message", starlark.String(e.Error()))
	var frames []graph.Frame
	for _, f := range e.Frames() {
		if !strings.HasPrefix(f.File, session.Library) {
			frames = append(frames, f)
		}
	}
	set("frames", shown(s, frames))
	if e.Name() == "AssertionError" {
		set("sides", sides(s, thread, e))
	}
	return d
}

// maxAssert is how many lines of an assert are read.
const maxAssert = 40

// sides are the parts of an assert that failed, with their values as they are now: the operator and
// both sides of a comparison, or the expression alone. It is empty where they are not known.
func sides(s *session.Session, thread *starlark.Thread, e *session.Error) starlark.Tuple {
	calls := e.Calls()
	if len(calls) == 0 {
		return starlark.Tuple{}
	}
	at := calls[len(calls)-1]
	pos := at.Call().Pos
	src := s.Source(pos.Filename())
	text, ok := strings.CutPrefix(strings.TrimSpace(src.Line(int(pos.Line))), "assert")
	if !ok || strings.HasPrefix(pos.Filename(), session.Library) {
		return starlark.Tuple{}
	}
	text = strings.TrimLeft(text, " ")
	for n := range maxAssert {
		x, err := parse.Expr("assert", text, parse.Options{})
		if err != nil {
			text += "\n" + src.Line(int(pos.Line)+n+1)
			continue
		}
		if t, isTuple := x.(*syntax.TupleExpr); isTuple && !t.Lparen.IsValid() && len(t.List) == 2 {
			x = t.List[0]
		}
		return evaluated(s, thread, at, x, text)
	}
	return starlark.Tuple{}
}

// evaluated are the values of an expression's sides where an error was.
func evaluated(s *session.Session, thread *starlark.Thread, at value.Frame, x syntax.Expr, text string) starlark.Tuple {
	part := func(x syntax.Expr) starlark.Value {
		source := sourceOf(x, text)
		v, err := s.EvaluateAt(thread, at, source)
		if err != nil {
			println("EVAL", err.Error())
			return starlark.Tuple{starlark.String(source), starlark.None}
		}
		return starlark.Tuple{starlark.String(source), starlark.String(value.ReprShort(v, maxShown))}
	}
	x = parse.Unparen(x)
	if b, ok := x.(*syntax.BinaryExpr); ok {
		switch b.Op {
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.IN, syntax.NOT_IN:
			return starlark.Tuple{starlark.String(b.Op.String()), part(b.X), part(b.Y)}
		}
	}
	return starlark.Tuple{starlark.String(""), part(x)}
}

// maxShown is how many characters of a value are shown.
const maxShown = 400

// sourceOf is the text of a part of an expression.
func sourceOf(x syntax.Expr, text string) string {
	start, end := x.Span()
	from, to := offset(text, start), offset(text, end)
	if from < 0 || to < from || to > len(text) {
		return text
	}
	return strings.Join(strings.Fields(text[from:to]), " ")
}

// offset is where a position is in a text.
func offset(text string, pos syntax.Position) int {
	at := 0
	for line := int32(1); line < pos.Line; line++ {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	for range pos.Col - 1 {
		if at >= len(text) {
			return len(text)
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
