package magic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A look is somebody looking at calls that wait, or that an error has left.
type look struct {
	s      *session.Session
	thread *starlark.Thread
	calls  []value.Frame // outermost first
	at     int           // the one that is looked at
	listed int           // the last line that list has shown, 0 if none
	step   *stepper      // nil: the program is over
}

// A lookCommand is one of the commands of %debug and breakpoint, under the names that pdb has.
type lookCommand struct {
	names, takes, doc string
	do                func(l *look, arg string) (text string, err error)
	resumes           bool // the look is over, and a program that waits goes on
	waiting           bool // it is for a program that waits
}

var lookCommands []lookCommand

func init() {
	lookCommands = []lookCommand{
		{names: "where w bt", doc: "the calls, outermost first", do: (*look).where},
		{names: "up u", takes: "[N]", doc: "the call around this one", do: func(l *look, arg string) (string, error) { return l.move(arg, -1) }},
		{names: "down d", takes: "[N]", doc: "the call inside this one", do: func(l *look, arg string) (string, error) { return l.move(arg, 1) }},
		{names: "p", takes: "EXPR", doc: "the value of an expression", do: (*look).print},
		{names: "pp", takes: "EXPR", doc: "the same, elements on lines of their own", do: (*look).pretty},
		{names: "whatis", takes: "EXPR", doc: "the type of a value", do: (*look).whatis},
		{names: "args a", doc: "the arguments of the call", do: func(l *look, _ string) (string, error) { return l.variables(true), nil }},
		{names: "locals", doc: "its variables", do: func(l *look, _ string) (string, error) { return l.variables(false), nil }},
		{names: "list l", takes: "[FIRST[, LAST]]", doc: "lines of the program: around this one, or further ones", do: (*look).list},
		{names: "help h ?", doc: "this list", do: (*look).help},
		{names: "next n", doc: "runs up to the next line of this call", do: (*look).next, resumes: true, waiting: true},
		{names: "step s", doc: "runs up to the next line, of whichever call", do: (*look).stepIn, resumes: true, waiting: true},
		{names: "return r", doc: "runs up to the end of this call", do: (*look).finish, resumes: true, waiting: true},
		{names: "break b", takes: "[[FILE:]LINE]", doc: "stops at a line from now on; without one, lists those", do: (*look).breakAt, waiting: true},
		{names: "clear cl", takes: "[[FILE:]LINE]", doc: "stops there no more; without one, nowhere", do: (*look).clear, waiting: true},
		{names: "continue cont c", doc: "runs on", do: (*look).goOn, resumes: true, waiting: true},
		{names: "quit q exit", doc: "ends this", do: (*look).quit, resumes: true},
	}
}

// run runs a line of commands and returns what they show; over says that the look is.
func (l *look) run(line string) (text string, over bool, err error) {
	for part := range strings.SplitSeq(line, ";;") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		one, over, err := l.command(part)
		text += one
		if over || err != nil {
			return text, over, err
		}
	}
	return text, false, nil
}

// command runs a command. What is none is an expression, as in pdb.
func (l *look) command(line string) (text string, over bool, err error) {
	word, arg := line, ""
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		word, arg = line[:i], strings.TrimSpace(line[i:])
	}
	for _, c := range lookCommands {
		if !slices.Contains(strings.Fields(c.names), word) || arg != "" && c.takes == "" {
			continue
		}
		if c.waiting && l.step == nil {
			return "*** " + word + ": the program is over\n", false, nil
		}
		text, err = c.do(l, arg)
		return text, c.resumes, err
	}
	text, err = l.print(strings.TrimPrefix(line, "!"))
	return text, false, err
}

func (l *look) call() value.Frame { return l.calls[l.at] }

// place is a call and its line, as pdb shows them.
func (l *look) place(i int) string {
	at := l.calls[i].Call()
	mark := "  "
	if i == l.at {
		mark = "> "
	}
	name := at.Name
	if name == "<toplevel>" {
		name = "<module>"
	}
	text := fmt.Sprintf("%s%s(%d)%s()\n", mark, at.Pos.Filename(), at.Pos.Line, name)
	if line, ok := l.s.Source(at.Pos.Filename()).Get(int(at.Pos.Line)); ok {
		text += "-> " + strings.TrimSpace(line) + "\n"
	}
	return text
}

func (l *look) where(string) (string, error) {
	text := ""
	for i := range l.calls {
		text += l.place(i)
	}
	return text, nil
}

func (l *look) move(arg string, by int) (string, error) {
	n := 1
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return fmt.Sprintf("*** got %s, want an integer > 0\n", arg), nil
		}
	}
	switch {
	case by < 0 && l.at == 0:
		return "*** Oldest frame\n", nil
	case by > 0 && l.at == len(l.calls)-1:
		return "*** Newest frame\n", nil
	}
	l.at, l.listed = min(max(l.at+by*n, 0), len(l.calls)-1), 0
	return l.place(l.at), nil
}

// evaluate evaluates an expression; what is wrong with it is text.
func (l *look) evaluate(expr string) (v starlark.Value, wrong string) {
	if expr == "" {
		return nil, "*** got nothing, want an expression\n"
	}
	v, err := l.s.EvaluateAt(l.thread, l.call(), expr)
	if err != nil {
		return nil, "*** " + l.s.Describe(err) + "\n"
	}
	return v, ""
}

func (l *look) print(expr string) (string, error) {
	v, wrong := l.evaluate(expr)
	if wrong != "" {
		return wrong, nil
	}
	return value.ReprOn(l.thread, v) + "\n", nil
}

// pretty shows what is longer than a line with an element a line.
func (l *look) pretty(expr string) (string, error) {
	v, wrong := l.evaluate(expr)
	if wrong != "" {
		return wrong, nil
	}
	text := value.ReprOn(l.thread, v)
	if len(text) <= 80 || !strings.ContainsRune("([{", rune(text[0])) || starlark.Len(v) < 1 {
		return text + "\n", nil
	}
	var parts []string
	switch x := v.(type) {
	case starlark.IterableMapping:
		for _, kv := range x.Items() {
			parts = append(parts, value.ReprOn(l.thread, kv[0])+": "+value.ReprOn(l.thread, kv[1]))
		}
	case starlark.Sequence:
		for e := range starlark.Elements(x) {
			parts = append(parts, value.ReprOn(l.thread, e))
		}
	}
	return text[:1] + strings.Join(parts, ",\n ") + text[len(text)-1:] + "\n", nil
}

func (l *look) whatis(expr string) (string, error) {
	v, wrong := l.evaluate(expr)
	if wrong != "" {
		return wrong, nil
	}
	return v.Type() + "\n", nil
}

// variables lists those of the call, or its parameters only.
func (l *look) variables(params bool) string {
	text := ""
	for _, v := range l.call().Locals() {
		if v.IsParam || !params {
			text += v.Name + " = " + summary(v.Value) + "\n"
		}
	}
	return text
}

// shown is how many lines list shows.
const shown = 11

func (l *look) list(arg string) (string, error) {
	at := l.call().Call().Pos
	first := max(int(at.Line)-shown/2, 1)
	if l.listed > 0 {
		first = l.listed + 1
	}
	last := first + shown - 1
	if arg != "" {
		from, to, both := strings.Cut(arg, ",")
		n, err := strconv.Atoi(strings.TrimSpace(from))
		if err != nil || n < 1 {
			return fmt.Sprintf("*** got %s, want the number of a line, or of two\n", arg), nil
		}
		first, last = max(n-shown/2, 1), n+shown/2
		if both {
			m, err := strconv.Atoi(strings.TrimSpace(to))
			if err != nil {
				return fmt.Sprintf("*** got %s, want the number of a line, or of two\n", arg), nil
			}
			if first, last = n, m; m < n {
				last = n + m // a count, as in pdb
			}
		}
	}
	text := ""
	source := l.s.Source(at.Filename())
	for n := max(first, source.First()); n <= last; n++ {
		line, ok := source.Get(n)
		if !ok {
			break
		}
		mark := "  "
		if n == int(at.Line) {
			mark = "->"
		}
		text += strings.TrimRight(fmt.Sprintf("%3d  %s %s", n, mark, line), " ") + "\n"
		l.listed = n
	}
	if text == "" {
		return "[EOF]\n", nil
	}
	return text, nil
}

func (l *look) help(string) (string, error) {
	rows := [][]string{{"Command", "Shows or does"}}
	for _, c := range lookCommands {
		if !c.waiting || l.step != nil {
			rows = append(rows, []string{strings.TrimSpace(strings.ReplaceAll(c.names, " ", ", ") + " " + c.takes), c.doc})
		}
	}
	return Columns(rows) + "Anything else is an expression.\n", nil
}

func (l *look) quit(string) (string, error) {
	if l.step != nil {
		return "", errQuit
	}
	return "", nil
}
