package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// Table is the functions.
var Table = []value.Builtin{
	importRow,
	value.Function("compile", "Text as code that eval or exec runs, compiled once.\n\nA mistake in the text is a SyntaxError here.",
		`eval(compile("x * 2", "formula", "eval"), {"x": 3}) # 6`,
		func(thread *starlark.Thread, a *struct {
			Source   starlark.Value `arg:"source: text"`
			Filename string         `arg:"filename: what errors call it"`
			Mode     string         `arg:"mode: \"eval\" for an expression, \"exec\" for statements, or \"single\""`
		}) (starlark.Value, error) {
			text, err := textOf("compile", a.Source)
			if err != nil {
				return nil, err
			}
			switch a.Mode {
			case "eval", "exec":
			case "single":
				a.Mode = "exec"
			default:
				return nil, value.Failure("ValueError", `compile: mode: got %q, want "eval", "exec" or "single"`, a.Mode)
			}
			return compiled(thread, text, a.Filename, a.Mode == "eval")
		}),
	value.Function("eval", "The value of an expression that is given as text.\n\n"+
		"It finds the variables where the call stands, or those of a dict. What comes from outside the program is better read by json.loads: "+
		"an expression can do whatever the program can.",
		`eval("x * 2", {"x": 3}) # 6`,
		func(thread *starlark.Thread, a *arguments) (starlark.Value, error) { return a.run(thread, "eval") }),
	value.Function("exec", "Runs statements that are given as text.\n\n"+
		"At top level they assign the variables of the program; in a function what they assign is lost, as in Python, unless a dict gets it.",
		"names = {}\nexec(\"x = 1\\ny = x + 1\", names)\nnames[\"y\"] # 2",
		func(thread *starlark.Thread, a *arguments) (starlark.Value, error) { return a.run(thread, "exec") }),
}

// importRow is what an import statement calls in Python.
var importRow = value.Function("__import__", "The module that \"import name\" binds, the first part of its name; with a list of names, the one that \"from name import\" reads.",
	`__import__("math").floor(2.5) # 2`,
	func(thread *starlark.Thread, a *struct {
		Name     string         `arg:"name: its dotted name"`
		Globals  starlark.Value `arg:"globals=None: is not used"`
		Locals   starlark.Value `arg:"locals=None: is not used"`
		Fromlist starlark.Value `arg:"fromlist=(): names that are to be imported from it"`
		Level    int            `arg:"level=0: 0, for a name that is not relative"`
	}) (starlark.Value, error) {
		s := session.Of(thread)
		m, err := s.Import(a.Name)
		if root, _, dotted := strings.Cut(a.Name, "."); err == nil && dotted && (a.Fromlist == nil || !bool(a.Fromlist.Truth())) {
			return s.Import(root)
		}
		return m, err
	})

// arguments are those of eval and exec.
type arguments struct {
	Source  starlark.Value `arg:"source: text, or what compile made of it"`
	Globals starlark.Value `arg:"globals=None: a dict of the global variables; None is those where the call stands"`
	Locals  starlark.Value `arg:"locals=None: a dict of variables that come before these, and gets what is assigned"`
}

// A code is what compile returns.
type code struct {
	program *session.Program
	name    string
	isExpr  bool
}

func (c *code) String() string        { return fmt.Sprintf("<code object %s>", c.name) }
func (c *code) Type() string          { return "code" }
func (c *code) Freeze()               {}
func (c *code) Truth() starlark.Bool  { return true }
func (c *code) Hash() (uint32, error) { return starlark.String(c.name).Hash() }

// textOf is the text of a program.
func textOf(fn string, v starlark.Value) (string, error) {
	switch v := v.(type) {
	case starlark.String:
		return string(v), nil
	case starlark.Bytes:
		return string(v), nil
	}
	return "", value.Failure("TypeError", "%s: source: got %s, want text or what compile returned", fn, value.TypeName(v))
}

// run evaluates the source, or runs it.
func (a *arguments) run(thread *starlark.Thread, fn string) (starlark.Value, error) {
	c, ok := a.Source.(*code)
	if !ok {
		text, err := textOf(fn, a.Source)
		if err != nil {
			return nil, err
		}
		if c, err = compiled(thread, text, "", fn == "eval"); err != nil {
			return nil, err
		}
	}
	names, err := a.names(fn)
	if err != nil {
		return nil, err
	}
	s := session.Of(thread)
	env := names.shared
	if env == nil {
		env = names.collect(s, c.program.Names())
	}
	v, err := s.RunIn(c.program, thread, env)
	if names.shared == nil {
		if e := names.give(env); err == nil {
			err = e
		}
	}
	if err != nil || fn == "exec" || !c.isExpr || v == nil {
		return starlark.None, err
	}
	return v, nil
}

// names are the variables that a program finds.
type names struct {
	shared *vm.Globals // all of them, if there are no others

	locals  mapping // nil: none
	outer   *vm.Globals
	globals mapping // nil: outer
	to      mapping // gets the assigned variables; nil: they are lost
}

// A mapping is a dict, or what acts as one.
type mapping interface {
	starlark.HasSetKey
}

func (a *arguments) names(fn string) (names, error) {
	var n names
	var err error
	if n.outer = session.GlobalsOf(a.Globals); n.outer == nil {
		if n.globals, err = asMapping(fn, "globals", a.Globals); err != nil {
			return n, err
		}
	}
	if n.locals, err = asMapping(fn, "locals", a.Locals); err == nil && n.locals == nil {
		n.shared = n.outer
	}
	if n.to = n.locals; n.to == nil {
		n.to = n.globals
	}
	return n, err
}

// asMapping is an argument that holds variables; nil if it was not given.
func asMapping(fn, param string, v starlark.Value) (mapping, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	if m, ok := value.Held(v).(mapping); ok {
		return m, nil
	}
	return nil, value.Failure("TypeError", "%s: %s: got %s, want a dict of variables", fn, param, value.TypeName(v))
}

// collect makes variables of those that a program names.
func (n *names) collect(s *session.Session, wanted []string) *vm.Globals {
	env := &vm.Globals{}
	// A program that asks for its globals names them all.
	if m, ok := n.to.(starlark.IterableMapping); ok && slices.Contains(wanted, scope.Env) {
		for _, kv := range m.Items() {
			if name, ok := starlark.AsString(kv[0]); ok {
				env.Assign(name, kv[1])
			}
		}
	}
	for _, name := range wanted {
		key := starlark.String(name)
		for _, from := range []mapping{n.locals, n.globals} {
			if from == nil || env.Has(name) {
				continue
			}
			if v, found, err := from.Get(key); found && err == nil {
				env.Set(name, v)
			}
		}
		if env.Has(name) {
			continue
		}
		if n.outer != nil {
			env.Set(name, n.outer.Get(name))
		} else {
			env.Set(name, s.Predeclared()[name])
		}
	}
	return env
}

// give has the dict of the caller's hold what the program has assigned.
func (n *names) give(env *vm.Globals) error {
	if n.to == nil {
		return nil
	}
	for _, name := range env.Assigned() {
		if v := env.Get(name); v != nil && !session.Hidden(name) {
			if err := n.to.SetKey(starlark.String(name), v); err != nil {
				return err
			}
		}
	}
	return nil
}

// kept are the programs of texts.
type kept struct {
	programs map[source]*code
	made     int
}

type keptKey struct{}

type source struct {
	text, name string
	isExpr     bool
}

// Bounds of kept programs, and of the names that errors call their texts by: a session keeps the
// lines of each name.
const (
	maxPrograms = 256
	maxNames    = 1000
)

// compiled is the program of a text. name "" is one of our own.
func compiled(thread *starlark.Thread, text, name string, isExpr bool) (*code, error) {
	s := session.Of(thread)
	k := s.Local(keptKey{}, func() any { return &kept{programs: map[source]*code{}} }).(*kept)
	key := source{text, name, isExpr}
	if c := k.programs[key]; c != nil {
		return c, nil
	}
	if len(k.programs) >= maxPrograms {
		clear(k.programs)
	}
	if name == "" {
		name = "<string>"
		if k.made++; k.made > 1 {
			name = fmt.Sprintf("<string %d>", (k.made-1)%maxNames+1)
		}
	}
	if isExpr {
		text = strings.TrimLeft(text, " \t")
	}
	p, err := s.CompileText(name, text, isExpr)
	if err != nil {
		return nil, err
	}
	c := &code{p, name, isExpr}
	k.programs[key] = c
	return c, nil
}
