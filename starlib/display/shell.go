package display

import (
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A shell is what get_ipython() returns: the session, as programs that were written for IPython ask
// it.
type shell struct {
	value.Identity
	name string // of its class
	s    *session.Session
}

type shellKey struct{}

func shellOf(s *session.Session) *shell {
	return s.Local(shellKey{}, func() any {
		name := "TerminalInteractiveShell"
		if s.Screen() == session.ScreenPage {
			name = "ZMQInteractiveShell" // by which programs know a notebook
		}
		return &shell{"InteractiveShell", name, s}
	}).(*shell)
}

func (s *shell) Table() *value.Methods                    { return ShellMethods }
func (s *shell) AttrNames() []string                      { return ShellMethods.Names() }
func (s *shell) Attr(name string) (starlark.Value, error) { return ShellMethods.Attr(s, name) }

// Class has the name by which programs tell a notebook from a terminal.
func (s *shell) Class() starlark.Value { return shellClass{value.Identity(s.name)} }

type shellClass struct{ value.Identity }

var _ starlark.HasAttrs = shellClass{}

func (c shellClass) String() string        { return "<class '" + string(c.Identity) + "'>" }
func (c shellClass) Type() string          { return "type" }
func (c shellClass) AttrNames() []string   { return []string{"__module__", "__name__", "__qualname__"} }
func (c shellClass) Hash() (uint32, error) { return starlark.String(c.Identity).Hash() }
func (c shellClass) Attr(name string) (starlark.Value, error) {
	switch name {
	case "__name__", "__qualname__":
		return starlark.String(c.Identity), nil
	case "__module__":
		return starlark.String("IPython"), nil
	}
	return nil, nil
}

const shellFile = "<get_ipython>"

type lineArgs struct {
	Name  string `arg:"magic_name: the name without %"`
	Line  string `arg:"line=\"\": what follows it"`
	Depth int    `arg:"_stack_depth=1: without effect"`
}

type codeArgs struct {
	Code   string     `arg:"raw_cell: the cell"`
	Kwargs *slot.Dict `arg:"**kwargs: without effect"`
}

// run runs a cell and returns its value.
func (s *shell) run(code string) (starlark.Value, error) {
	v, err := s.s.RunHere(shellFile, code)
	return value.OrNone(v), err
}

func noCommands(what string) error {
	return value.Failure("NotImplementedError", "%s: cells do not run commands of the system: use a terminal", what)
}

// ShellMethods are the attributes of what get_ipython returns.
var ShellMethods = value.NewMethods("InteractiveShell", []value.Builtin{
	value.MethodOf("run_line_magic", "Runs a magic of a line, and returns its value.", `get_ipython().run_line_magic("who_ls", "") # []`,
		func(_ *starlark.Thread, s *shell, a *lineArgs) (starlark.Value, error) {
			return s.run("%" + a.Name + " " + strings.ReplaceAll(a.Line, "\n", " "))
		}),
	value.MethodOf("run_cell_magic", "Runs a magic of a cell, and returns the cell's value.", `get_ipython().run_cell_magic("flags", "floatX=float32", "config.floatX") # "float32"`,
		func(_ *starlark.Thread, s *shell, a *struct {
			Name string `arg:"magic_name: the name without %%"`
			Line string `arg:"line: what follows it on its line"`
			Cell string `arg:"cell: the lines below it"`
		}) (starlark.Value, error) {
			return s.run("%%" + a.Name + " " + strings.ReplaceAll(a.Line, "\n", " ") + "\n" + a.Cell)
		}),
	value.MethodOf("magic", "Runs a line with a magic.", `get_ipython().magic("who_ls") # []`, func(_ *starlark.Thread, s *shell, a *struct {
		Line string `arg:"arg_s: name and what follows it, without %"`
	}) (starlark.Value, error) {
		return s.run("%" + a.Line)
	}),
	value.MethodOf("run_cell", "Runs a cell and shows its value.", `get_ipython().run_cell("print(1 + 1)") # 2`, func(thread *starlark.Thread, s *shell, a *codeArgs) (starlark.Value, error) {
		v, err := s.run(a.Code)
		if err != nil || v == starlark.None {
			return nil, err
		}
		show := shower{fn: "run_cell"}
		return nil, show.show(thread, v)
	}),
	value.MethodOf("ev", "The value of an expression.", `get_ipython().ev("1 + 1") # 2`, func(_ *starlark.Thread, s *shell, a *struct {
		Code string `arg:"expr: the expression"`
	}) (starlark.Value, error) {
		return s.run(a.Code)
	}),
	value.MethodOf("ex", "Runs statements.", `get_ipython().ex("x = 2")`, func(_ *starlark.Thread, s *shell, a *struct {
		Code string `arg:"cmd: the statements"`
	}) (starlark.Value, error) {
		_, err := s.run(a.Code)
		return nil, err
	}),
	value.MethodOf("push", "Assigns global names.", `get_ipython().push({"pushed": 2})`, func(_ *starlark.Thread, s *shell, a *struct {
		Names       *slot.Dict `arg:"variables: values by name"`
		Interactive bool       `arg:"interactive=True: without effect"`
	}) (starlark.Value, error) {
		for _, kv := range a.Names.Items() {
			name, ok := starlark.AsString(kv[0])
			if !ok {
				return nil, value.Failure("TypeError", "push: got a key of type %s, want names", kv[0].Type())
			}
			s.s.Assign(name, kv[1])
		}
		return nil, nil
	}),
	value.MethodOf("set_next_input", "Gives the front end the text of the next cell.", `get_ipython().set_next_input("x = 1")`, func(_ *starlark.Thread, s *shell, a *struct {
		Text    string `arg:"s: the text"`
		Replace bool   `arg:"replace=False: in place of this cell's"`
	}) (starlark.Value, error) {
		s.s.NextInput(a.Text, a.Replace)
		return nil, nil
	}),
	value.MethodOf("system", "Refused: cells do not run commands of the system.", `get_ipython().system("ls")`, func(*starlark.Thread, *shell, *struct {
		Command string `arg:"cmd: a command"`
	}) (starlark.Value, error) {
		return nil, noCommands("system")
	}),
	value.MethodOf("getoutput", "Refused: cells do not run commands of the system.", `get_ipython().getoutput("ls")`, func(*starlark.Thread, *shell, *struct {
		Command string `arg:"cmd: a command"`
	}) (starlark.Value, error) {
		return nil, noCommands("getoutput")
	}),
}).With(
	value.FieldOf("user_ns", "A dict of the names that cells have assigned, as they are now; push assigns.", `sorted(get_ipython().user_ns) # []`,
		func(s *shell) starlark.Value { return s.s.Variables() }),
	value.FieldOf("execution_count", "The number of the cell.", `get_ipython().execution_count > 0 # True`, func(s *shell) starlark.Value {
		if c := s.s.Cell(); c != nil {
			return starlark.MakeInt(c.Count)
		}
		return starlark.MakeInt(0)
	}),
	value.FieldOf("config", "A dict by which programs know a kernel: it has IPKernelApp in one.", `type(get_ipython().config) # <class 'dict'>`, func(s *shell) starlark.Value {
		d := new(slot.Dict)
		if s.s.Screen() == session.ScreenPage {
			d.SetKey(starlark.String("IPKernelApp"), new(slot.Dict))
		}
		return d
	}))

// shellTable is get_ipython, which cells have without an import.
var shellTable = []value.Builtin{
	value.Function("get_ipython", "The session, as programs that were written for IPython ask it: run_line_magic, user_ns, and others.",
		`get_ipython().run_line_magic("who_ls", "") # []`, func(thread *starlark.Thread, _ *none) (starlark.Value, error) {
			return shellOf(session.Of(thread)), nil
		}),
}
