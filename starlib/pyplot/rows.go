package pyplot

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func valueError(format string, args ...any) error {
	return value.Failure("ValueError", format, args...)
}

func typeError(format string, args ...any) error {
	return value.Failure("TypeError", format, args...)
}

// A call is a call of a row.
type call struct {
	thread *starlark.Thread
	s      *session.Session
	st     *state
	ax     *axes   // of rows that draw on one
	fig    *figure // of rows of figures
	recv   starlark.Value
}

// A pair is a row: a function of plt, and a method. Either may have no name.
type pair struct{ function, method value.Builtin }

// names are "title set_title", the function's and the method's, or "plot" for both; "-" is none.
func namesOf(names string) (function, method string) {
	function, method, two := strings.Cut(names, " ")
	if !two {
		method = function
	}
	return function, method
}

// A finder says on what a call draws: recv is the receiver of a method, nil of a function.
type finder func(c *call, recv starlark.Value)

// rowOf makes a row. It has no type parameter since there are hundreds of rows, and code for each
// would be megabytes.
func rowOf(names, doc, example string, arguments *value.Arguments, find finder, fn func(c *call, a any) (starlark.Value, error)) pair {
	function, method := namesOf(names)
	build := func(name, example string) value.Builtin {
		return value.Builtin{Name: name, Doc: doc, Example: example, Params: arguments.Params(),
			Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				s := session.Of(thread)
				args, kwargs, err := fromData(b.Name, args, kwargs)
				if err != nil {
					return nil, err
				}
				a, err := arguments.Read(s, b, args, kwargs)
				if err != nil {
					return nil, err
				}
				c := &call{thread: thread, s: s, st: stateOf(s)}
				find(c, b.Receiver())
				v, err := fn(c, a)
				if err == nil && v == nil {
					v = starlark.None
				}
				return v, err
			}}
	}
	p := pair{}
	if function != "-" {
		p.function = build(function, "import matplotlib.pyplot as plt; plt."+example)
		p.function.Module = "plt"
	}
	if method != "-" {
		p.method = build(method, methodExample(example, function, method))
	}
	return p
}

// typed is fn for arguments of any type.
func typed[A any](fn func(c *call, a *A) (starlark.Value, error)) func(c *call, a any) (starlark.Value, error) {
	return func(c *call, a any) (starlark.Value, error) { return fn(c, a.(*A)) }
}

// methodExample is the example of a function as one of the method.
func methodExample(example, function, method string) string {
	if function != "-" {
		example = method + strings.TrimPrefix(example, function)
	}
	return "import matplotlib.pyplot as plt; fig, ax = plt.subplots(); ax." + example
}

// drawing is the row of what draws on axes.
func drawing[A any](names, doc, example string, fn func(c *call, a *A) (starlark.Value, error)) pair {
	return rowOf(names, doc, example, value.NewArguments[A](kinds...), onAxes, typed(fn))
}

func onAxes(c *call, recv starlark.Value) {
	if ax, ok := recv.(*axes); ok {
		c.ax = ax
	} else {
		c.ax = c.st.currentAxes(c.s)
	}
}

// onFigure is the row of what is done to a figure.
func onFigure[A any](names, doc, example string, fn func(c *call, a *A) (starlark.Value, error)) pair {
	p := rowOf(names, doc, example, value.NewArguments[A](kinds...), onItsFigure, typed(fn))
	p.method.Example = strings.Replace(p.method.Example, "; ax.", "; fig.", 1)
	return p
}

func onItsFigure(c *call, recv starlark.Value) {
	if fig, ok := recv.(*figure); ok {
		c.fig = fig
	} else {
		c.fig = c.st.currentFigure(c.s)
	}
}

// free is the row of a function of plt alone.
func free[A any](name, doc, example string, fn func(c *call, a *A) (starlark.Value, error)) pair {
	return rowOf(name+" -", doc, example, value.NewArguments[A](kinds...), func(*call, starlark.Value) {}, typed(fn))
}

func functionsOf(rows []pair) []value.Builtin {
	var out []value.Builtin
	for _, p := range rows {
		if p.function.Name != "" {
			out = append(out, p.function)
		}
	}
	return out
}

func methodsOf(rows []pair) []value.Builtin {
	var out []value.Builtin
	for _, p := range rows {
		if p.method.Name != "" {
			out = append(out, p.method)
		}
	}
	return out
}

// method is the row of a method of T.
func method[T starlark.Value, A any](name, doc, example string, fn func(c *call, x T, a *A) (starlark.Value, error)) value.Builtin {
	b := rowOf("- "+name, doc, example, value.NewArguments[A](kinds...), func(c *call, recv starlark.Value) { c.recv = recv },
		func(c *call, a any) (starlark.Value, error) { return fn(c, c.recv.(T), a.(*A)) }).method
	b.Example = "import matplotlib.pyplot as plt; " + example
	return b
}

type none struct{}

type oneColor struct {
	C paint `arg:"color: a colour"`
}

type oneNumber struct {
	V float64 `arg:"value: a number"`
}

type oneText struct {
	V starlark.Value `arg:"value: a text"`
}

type oneBool struct {
	V bool `arg:"value: a bool"`
}

type oneValue struct {
	V starlark.Value `arg:"value: a value"`
}

// state is what pyplot keeps of a session.
type state struct {
	figures []*figure // open ones, the current one last
	style   *plot.Style
	thread  func() *starlark.Thread // that runs now
	cell    *session.Cell           // whose end shows what is open
	format  func() string           // config.figure_format
}

type stateKey struct{}

func stateOf(s *session.Session) *state {
	return s.Local(stateKey{}, func() any {
		return &state{style: plot.DefaultStyle(), thread: s.Current, format: func() string { return s.Config().String("figure_format") }}
	}).(*state)
}

// open makes a new figure the current one.
func (st *state) open(s *session.Session, num int, name string, width, height float64) *figure {
	if num == 0 {
		num = 1
		for _, f := range st.figures {
			num = max(num, f.num+1)
		}
	}
	f := &figure{f: plot.NewFigure(width, height, st.style.Cloned()), num: num, name: name, st: st}
	f.f.Stop = func() bool { return tensor.Stopped(np.StopOf(s)) }
	st.figures = append(st.figures, f)
	st.showAtEnd(s)
	return f
}

func (st *state) currentFigure(s *session.Session) *figure {
	if n := len(st.figures); n > 0 {
		st.showAtEnd(s)
		return st.figures[n-1]
	}
	return st.open(s, 0, "", 0, 0)
}

func (st *state) currentAxes(s *session.Session) *axes {
	f := st.currentFigure(s)
	if f.f.Current == nil {
		return f.add(1, 1, 0, 0)
	}
	return f.axesOf(f.f.Current)
}

// raise makes a figure the current one.
func (st *state) raise(f *figure) {
	if i := slices.Index(st.figures, f); i >= 0 {
		st.figures = append(slices.Delete(st.figures, i, i+1), f)
	}
}

// close forgets figures.
func (st *state) close(which func(f *figure) bool) { st.figures = slices.DeleteFunc(st.figures, which) }

type setArgs struct {
	All *slot.Dict `arg:"**kwargs: each calls the method set_ of its name"`
}

// set calls the methods set_ that keywords name.
func set(c *call, x starlark.HasAttrs, all *slot.Dict) error {
	if all == nil {
		return nil
	}
	for _, kv := range all.Items() {
		name, _ := starlark.AsString(kv[0])
		if !slices.Contains(x.AttrNames(), "set_"+name) {
			return value.Failure("AttributeError", "%s.set() got an unexpected keyword argument %s", x.Type(), value.Repr(kv[0]))
		}
		f, err := x.Attr("set_" + name)
		if err != nil {
			return err
		}
		args := starlark.Tuple{kv[1]}
		if t, ok := kv[1].(starlark.Tuple); ok && len(t) == 2 && (name == "data" || name == "xlim" || name == "ylim") {
			args = t
		}
		if _, err := value.Call(c.thread, f, args, nil); err != nil {
			return err
		}
	}
	return nil
}
