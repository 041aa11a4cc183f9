package pyplot

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/ticks"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A writer writes the number at a tick, which is the i-th.
type writer func(thread *starlark.Thread, x float64, i int) (string, error)

// A formatterValue is a formatter of matplotlib.ticker; its writer is nil if it is the usual one.
type formatterValue struct {
	identity
	name  string
	write writer
}

func (f *formatterValue) Type() string          { return f.name }
func (f *formatterValue) String() string        { return "<" + f.name + ">" }
func (f *formatterValue) Hash() (uint32, error) { return unhashable(f.name) }

// A locatorValue is a locator of matplotlib.ticker.
type locatorValue struct {
	identity
	name  string
	rule  ticks.Rule
	step  float64
	at    []float64 // where they stand; not nil: nowhere else
	minor bool      // between the long ticks
}

func (l *locatorValue) Type() string          { return l.name }
func (l *locatorValue) String() string        { return "<" + l.name + ">" }
func (l *locatorValue) Hash() (uint32, error) { return unhashable(l.name) }

func locatorOf(v starlark.Value) (*locatorValue, error) {
	if l, ok := v.(*locatorValue); ok {
		return l, nil
	}
	return nil, typeError("got %s, want a locator of matplotlib.ticker", v.Type())
}

// write has the numbers at the ticks of an axis written by write. An error of write is one of the
// function that shows or saves the figure.
func (a *axes) write(x *plot.Axis, write writer) {
	x.Names, x.NamesSet, x.Format = nil, false, nil
	if write == nil {
		return
	}
	x.Format = func(n float64, i int) string {
		text, err := write(a.fig.st.thread(), n, i)
		if err != nil && a.fig.failed == nil {
			a.fig.failed = err
		}
		return text
	}
}

// writerOf is the writer of a formatter, a format or a function.
func (c *call) writerOf(v starlark.Value) (writer, error) {
	switch f := v.(type) {
	case *formatterValue:
		return f.write, nil
	case starlark.String:
		return c.braces(string(f))
	case starlark.Callable:
		return called(f), nil
	}
	return nil, typeError("got %s, want a format such as '{x:.2f}', a function or a formatter of matplotlib.ticker", v.Type())
}

// called is a program's function of a number and its place. It is called once for each of them: a
// figure is drawn in several forms.
func called(f starlark.Callable) writer {
	type tick struct {
		x float64
		i int
	}
	written := map[tick]string{}
	return func(thread *starlark.Thread, x float64, i int) (string, error) {
		if t, ok := written[tick{x, i}]; ok || thread == nil {
			return t, nil
		}
		got, err := value.Call(thread, f, starlark.Tuple{starlark.Float(x), starlark.MakeInt(i)}, nil)
		if err != nil {
			return "", err
		}
		written[tick{x, i}] = text(got)
		return text(got), nil
	}
}

// braces is a format with {x} and {pos}.
func (c *call) braces(format string) (writer, error) {
	write := func(thread *starlark.Thread, x float64, i int) (string, error) {
		return value.FormatBraces(thread, format, nil, []starlark.Tuple{{starlark.String("x"), starlark.Float(x)}, {starlark.String("pos"), starlark.MakeInt(i)}})
	}
	if _, err := write(c.thread, 1, 0); err != nil {
		return nil, valueError("format: %v", err)
	}
	return write, nil
}

// tickerModule is matplotlib.ticker.
var tickerModule = value.NewLazyModule("matplotlib.ticker", "Where ticks stand and how their numbers are written.", func() []value.Member {
	var rows []value.Builtin
	add := func(p pair, example string) {
		b := p.function
		b.Module, b.Example = "matplotlib.ticker", "import matplotlib.ticker as mticker; mticker."+example
		rows = append(rows, b)
	}
	locator := func(name, doc, example string, l locatorValue) {
		l.name = name
		add(free(name, doc, "", func(*call, *none) (starlark.Value, error) { return &l, nil }), example)
	}
	locator("AutoLocator", "Ticks at round numbers, as many as have room.", "AutoLocator()", locatorValue{})
	locator("NullLocator", "No ticks.", "NullLocator()", locatorValue{at: []float64{}})
	add(free("AutoMinorLocator", "Short ticks that part the intervals of the long ones.", "", func(*call, *struct {
		N starlark.Value `arg:"n=None: accepted"`
	}) (starlark.Value, error) {
		return &locatorValue{name: "AutoMinorLocator", minor: true}, nil
	}), "AutoMinorLocator()")
	add(free("MaxNLocator", "Ticks at round numbers, at most nbins intervals.", "", maxNLocator), "MaxNLocator(integer=True)")
	add(free("MultipleLocator", "Ticks at the multiples of a number.", "", func(_ *call, a *struct {
		Base float64 `arg:"base=1: the distance"`
	}) (starlark.Value, error) {
		if !(a.Base > 0) || math.IsInf(a.Base, 0) {
			return nil, valueError("'base' must be positive, got %g", a.Base)
		}
		return &locatorValue{name: "MultipleLocator", step: a.Base}, nil
	}), "MultipleLocator(0.5)")
	add(free("FixedLocator", "Ticks at some numbers.", "", func(c *call, a *struct {
		At starlark.Value `arg:"locs: numbers"`
	}) (starlark.Value, error) {
		at, err := c.numbers("locs", a.At, nil)
		return &locatorValue{name: "FixedLocator", at: append([]float64{}, at...)}, err
	}), "FixedLocator([0, 1, 4])")
	formatter := func(name, doc, example string, write writer) {
		f := &formatterValue{name: name, write: write}
		add(free(name, doc, "", func(*call, *none) (starlark.Value, error) { return f, nil }), example)
	}
	formatter("NullFormatter", "Writes nothing at ticks.", "NullFormatter()", func(*starlark.Thread, float64, int) (string, error) { return "", nil })
	formatter("ScalarFormatter", "Writes numbers as usual.", "ScalarFormatter()", nil)
	add(free("FuncFormatter", "Writes what a function of the number and its place returns.", "", func(_ *call, a *struct {
		F starlark.Value `arg:"func: a function of a number and its place"`
	}) (starlark.Value, error) {
		f, ok := a.F.(starlark.Callable)
		if !ok {
			return nil, typeError("func: got %s, want a function of a number and its place", a.F.Type())
		}
		return &formatterValue{name: "FuncFormatter", write: called(f)}, nil
	}), "FuncFormatter(lambda x, pos: '%d km' % x)")
	add(free("StrMethodFormatter", "Writes numbers by a format with {x}.", "", func(c *call, a *struct {
		Format string `arg:"fmt: such as '{x:.2f}'"`
	}) (starlark.Value, error) {
		write, err := c.braces(a.Format)
		return &formatterValue{name: "StrMethodFormatter", write: write}, err
	}), "StrMethodFormatter('{x:.1f} s')")
	add(free("FormatStrFormatter", "Writes numbers by a format with %.", "", func(c *call, a *struct {
		Format string `arg:"fmt: such as '%.2f'"`
	}) (starlark.Value, error) {
		return &formatterValue{name: "FormatStrFormatter", write: func(_ *starlark.Thread, x float64, _ int) (string, error) { return c.percent(a.Format, x), nil }}, nil
	}), "FormatStrFormatter('%.1f s')")
	add(free("PercentFormatter", "Writes numbers as percentages.", "", func(_ *call, a *struct {
		Max      float64 `arg:"xmax=100: what is 100 percent"`
		Decimals *int    `arg:"decimals=None: digits after the point; as needed if not given"`
		Symbol   string  `arg:"symbol=\"%\": what is written behind"`
	}) (starlark.Value, error) {
		return &formatterValue{name: "PercentFormatter", write: func(_ *starlark.Thread, x float64, _ int) (string, error) {
			if a.Decimals != nil {
				return fmt.Sprintf("%.*f%s", min(max(*a.Decimals, 0), 20), 100*x/a.Max, a.Symbol), nil
			}
			return fmt.Sprintf("%.10g%s", math.Round(1e8*100*x/a.Max)/1e8, a.Symbol), nil
		}}, nil
	}), "PercentFormatter(1.0)")
	return value.Builtins(rows)
})

type maxNArgs struct {
	Bins  starlark.Value `arg:"nbins=10: intervals at most, or 'auto'"`
	Whole bool           `arg:"integer=False: whole numbers only"`
	Steps starlark.Value `arg:"steps=None: what the distance may begin with, from 1 to 10"`
	Least int            `arg:"min_n_ticks=2: ticks at least"`
	Prune starlark.Value `arg:"prune=None: accepted"`
}

func maxNLocator(c *call, a *maxNArgs) (starlark.Value, error) {
	l := &locatorValue{name: "MaxNLocator", rule: ticks.Rule{Most: 10, Least: max(a.Least, 1), Whole: a.Whole, Steps: ticks.Fine}}
	if s, ok := starlark.AsString(a.Bins); ok && s == "auto" {
		l.rule.Most = 0
	} else if a.Bins != nil {
		n, err := value.Int(a.Bins)
		if err != nil || n < 1 || n > 1000 {
			return nil, valueError("nbins must be from 1 to 1000 or 'auto', got %s", value.Repr(a.Bins))
		}
		l.rule.Most = n
	}
	if a.Steps != nil {
		steps, err := c.numbers("steps", a.Steps, nil)
		if err != nil {
			return nil, err
		}
		for i, s := range steps {
			if !(s >= 1 && s <= 10) || i > 0 && s <= steps[i-1] {
				return nil, valueError("steps must be increasing, from 1 to 10, got %s", value.Repr(a.Steps))
			}
		}
		if len(steps) == 0 || steps[0] != 1 {
			steps = append([]float64{1}, steps...)
		}
		if steps[len(steps)-1] != 10 {
			steps = append(steps, 10)
		}
		l.rule.Steps = steps
	}
	return l, nil
}
