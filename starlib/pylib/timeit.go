package pylib

import (
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var began = time.Now()

// timed calls a function so many times, and returns how long that took, in seconds.
func timed(thread *starlark.Thread, stmt, setup, globals starlark.Value, number int) (starlark.Value, error) {
	if text, isText := starlark.AsString(stmt); isText {
		return timedText(thread, text, setup, globals, number)
	}
	f, ok := stmt.(starlark.Callable)
	if !ok {
		return nil, failure("TypeError", "timeit: got %s, want text, or a function without arguments: timeit.timeit(lambda: f(x)); %%timeit times a line", stmt.Type())
	}
	if setup != nil && setup != starlark.None && setup != starlark.String("pass") {
		if _, err := value.Call(thread, setup, nil, nil); err != nil {
			return nil, err
		}
	}
	poll := value.PollOf(thread)
	start := time.Now()
	for range number {
		poll.Ask(value.PerElement)
		if _, err := value.Call(thread, f, nil, nil); err != nil {
			return nil, err
		}
	}
	return starlark.Float(time.Since(start).Seconds()), nil
}

// timedText is timed of statements as text, which run in a function. Without a dict of globals they
// find what setup assigns.
func timedText(thread *starlark.Thread, stmt string, setup, globals starlark.Value, number int) (starlark.Value, error) {
	if globals == nil || globals == starlark.None {
		globals = new(slot.Dict)
	}
	exec, _ := session.Of(thread).Lookup("exec")
	if before, ok := starlark.AsString(orNone(setup)); ok {
		if _, err := value.Call(thread, exec, starlark.Tuple{starlark.String(before), globals}, nil); err != nil {
			return nil, err
		}
	}
	const name = "_timed"
	text := "def " + name + "():\n  " + strings.ReplaceAll(stmt, "\n", "\n  ") + "\n"
	if _, err := value.Call(thread, exec, starlark.Tuple{starlark.String(text), globals}, nil); err != nil {
		return nil, err
	}
	eval, _ := session.Of(thread).Lookup("eval")
	fn, err := value.Call(thread, eval, starlark.Tuple{starlark.String(name), globals}, nil)
	if err != nil {
		return nil, err
	}
	return timed(thread, fn, nil, nil, number)
}

var timeitModule = module("timeit", "How long something takes; %timeit is another way.", []value.Builtin{
	value.Function("default_timer", "Seconds since some moment.", `timeit.default_timer() > 0 # True`, func(*starlark.Thread, *none) (starlark.Value, error) {
		return starlark.Float(time.Since(began).Seconds()), nil
	}),
	value.Function("repeat", "What timeit gives, several times.", `len(timeit.repeat(lambda: 1, repeat=3, number=2)) # 3`,
		func(thread *starlark.Thread, a *struct {
			Stmt    starlark.Value `arg:"stmt: text, or a function without arguments"`
			Setup   starlark.Value `arg:"setup=None: what runs before"`
			Timer   starlark.Value `arg:"timer=None: without effect"`
			Repeat  int            `arg:"repeat=5: how often"`
			Number  int            `arg:"number=1000000: calls each time"`
			Globals starlark.Value `arg:"globals=None: a dict of what text finds"`
		}) (starlark.Value, error) {
			var all []starlark.Value
			poll := value.PollOf(thread)
			for range a.Repeat {
				poll.Ask(value.PerElement)
				v, err := timed(thread, a.Stmt, a.Setup, a.Globals, a.Number)
				if err != nil {
					return nil, err
				}
				all = append(all, v)
			}
			return slot.NewList(all), nil
		}),
	value.Function("timeit", "Seconds that a number of calls takes.", `timeit.timeit(lambda: 1, number=10) > 0 # True`,
		func(thread *starlark.Thread, a *struct {
			Stmt    starlark.Value `arg:"stmt: text, or a function without arguments"`
			Setup   starlark.Value `arg:"setup=None: what runs before"`
			Timer   starlark.Value `arg:"timer=None: without effect"`
			Number  int            `arg:"number=1000000: how many"`
			Globals starlark.Value `arg:"globals=None: a dict of what text finds"`
		}) (starlark.Value, error) {
			return timed(thread, a.Stmt, a.Setup, a.Globals, a.Number)
		}),
})

type filterArgs struct {
	Action   string         `arg:"action: ignore, error or another: without effect"`
	More     starlark.Tuple `arg:"*args: without effect"`
	Message  string         `arg:"message=\"\": without effect"`
	Category starlark.Value `arg:"category=None: without effect"`
	Module   string         `arg:"module=\"\": without effect"`
}

var warningsModule = module("warnings", "Warnings, which are printed.", []value.Builtin{
	value.Function("warn", "Prints a warning.", `warnings.warn("slow") # warning: slow`, func(thread *starlark.Thread, a *struct {
		Message  starlark.Value `arg:"message: text"`
		Category starlark.Value `arg:"category=None: without effect"`
		Level    int            `arg:"stacklevel=1: without effect"`
	}) (starlark.Value, error) {
		session.Of(thread).Warn(value.Str(a.Message))
		return starlark.None, nil
	}),
	value.Function("filterwarnings", "Does nothing: each warning is printed.", `print(warnings.filterwarnings("ignore")) # None`,
		func(*starlark.Thread, *filterArgs) (starlark.Value, error) { return starlark.None, nil }),
	value.Function("simplefilter", "Does nothing: each warning is printed.", `print(warnings.simplefilter("ignore")) # None`,
		func(*starlark.Thread, *filterArgs) (starlark.Value, error) { return starlark.None, nil }),
	value.Function("catch_warnings", "A value for with, which does nothing.", `warnings.catch_warnings() # <catch_warnings>`,
		func(_ *starlark.Thread, a *struct {
			_      struct{} `arg:"*:"`
			Record bool     `arg:"record=False: without effect"`
		}) (starlark.Value, error) {
			return &catcher{"catch_warnings"}, nil
		}),
})

// A catcher is what with warnings.catch_warnings() has.
type catcher struct{ class }

func (c *catcher) Table() *value.Methods                    { return catcherMethods }
func (c *catcher) AttrNames() []string                      { return catcherMethods.Names() }
func (c *catcher) Attr(name string) (starlark.Value, error) { return catcherMethods.Attr(c, name) }

var catcherMethods = value.NewMethods("catch_warnings", []value.Builtin{
	method("__enter__", "An empty list: with calls it.", `import warnings; warnings.catch_warnings().__enter__() # []`,
		func(*starlark.Thread, *catcher, *none) (starlark.Value, error) {
			return new(slot.List), nil
		}),
	method("__exit__", "Does nothing: with calls it.", `import warnings; print(warnings.catch_warnings().__exit__(None, None, None)) # None`,
		func(*starlark.Thread, *catcher, *exitArgs) (starlark.Value, error) { return nil, nil }),
})
