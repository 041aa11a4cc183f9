package printing

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// optionArgs are the arguments of set_printoptions: all options, None for one that stays.
type optionArgs struct {
	Precision starlark.Value `arg:"precision=None: digits after the point, 8 at first"`
	Threshold starlark.Value `arg:"threshold=None: the number of elements above which the edges are shown only, 1000 at first"`
	Edge      starlark.Value `arg:"edgeitems=None: elements at each end of an axis that are shown then, 3 at first"`
	Width     starlark.Value `arg:"linewidth=None: columns of a line, 75 at first"`
	Suppress  starlark.Value `arg:"suppress=None: whether small numbers have no exponents"`
	NaN       starlark.Value `arg:"nanstr=None: the text for what is not a number"`
	Inf       starlark.Value `arg:"infstr=None: the text for infinity"`
	Formatter starlark.Value `arg:"formatter=None: for np.array2string only"`
	Sign      starlark.Value `arg:"sign=None: what floats that are not negative begin with: \"-\" for nothing, \"+\" or \" \""`
	FloatMode starlark.Value `arg:"floatmode=None: exactly precision digits (\"fixed\"), as many as numbers need (\"unique\"), at most precision of these (\"maxprec\"), or so, but equally many for all (\"maxprec_equal\")"`
	Legacy    starlark.Value `arg:"legacy=None: only False: older versions of NumPy are not followed"`
}

// A printOption is one of NumPy's options.
type printOption struct {
	name string
	from func(a *optionArgs) starlark.Value
	get  func(o *np.PrintOptions) starlark.Value
	set  func(o *np.PrintOptions, v starlark.Value) error
}

// optionTable is in the order in which np.get_printoptions returns the options.
var optionTable = []printOption{
	{"precision", func(a *optionArgs) starlark.Value { return a.Precision },
		func(o *np.PrintOptions) starlark.Value { return starlark.MakeInt(o.Precision) },
		func(o *np.PrintOptions, v starlark.Value) error {
			return setInt(&o.Precision, v, 0, array.MaxPrecision)
		}},
	{"threshold", func(a *optionArgs) starlark.Value { return a.Threshold },
		func(o *np.PrintOptions) starlark.Value { return o.Given }, setThreshold},
	{"edgeitems", func(a *optionArgs) starlark.Value { return a.Edge },
		func(o *np.PrintOptions) starlark.Value { return starlark.MakeInt(o.Edge) },
		func(o *np.PrintOptions, v starlark.Value) error { return setInt(&o.Edge, v, 0, math.MaxInt32) }},
	{"linewidth", func(a *optionArgs) starlark.Value { return a.Width },
		func(o *np.PrintOptions) starlark.Value { return starlark.MakeInt(o.Width) },
		func(o *np.PrintOptions, v starlark.Value) error { return setInt(&o.Width, v, 0, math.MaxInt) }},
	{"suppress", func(a *optionArgs) starlark.Value { return a.Suppress },
		func(o *np.PrintOptions) starlark.Value { return starlark.Bool(o.Suppress) },
		func(o *np.PrintOptions, v starlark.Value) error { o.Suppress = bool(v.Truth()); return nil }},
	{"nanstr", func(a *optionArgs) starlark.Value { return a.NaN },
		func(o *np.PrintOptions) starlark.Value { return starlark.String(o.NaN) },
		func(o *np.PrintOptions, v starlark.Value) error { return setString(&o.NaN, v) }},
	{"infstr", func(a *optionArgs) starlark.Value { return a.Inf },
		func(o *np.PrintOptions) starlark.Value { return starlark.String(o.Inf) },
		func(o *np.PrintOptions, v starlark.Value) error { return setString(&o.Inf, v) }},
	{"formatter", func(a *optionArgs) starlark.Value { return a.Formatter },
		func(*np.PrintOptions) starlark.Value { return starlark.None },
		func(*np.PrintOptions, starlark.Value) error {
			return errors.New("functions are not kept as options: use np.array2string(a, formatter=...)")
		}},
	{"sign", func(a *optionArgs) starlark.Value { return a.Sign },
		func(o *np.PrintOptions) starlark.Value { return starlark.String(o.Sign) },
		func(o *np.PrintOptions, v starlark.Value) error { return setString(&o.Sign, v, "-", "+", " ") }},
	{"floatmode", func(a *optionArgs) starlark.Value { return a.FloatMode },
		func(o *np.PrintOptions) starlark.Value { return starlark.String(o.FloatMode) },
		func(o *np.PrintOptions, v starlark.Value) error {
			return setString(&o.FloatMode, v, array.FloatModes...)
		}},
	{"legacy", func(a *optionArgs) starlark.Value { return a.Legacy },
		func(*np.PrintOptions) starlark.Value { return starlark.False },
		func(_ *np.PrintOptions, v starlark.Value) error {
			if v != starlark.False {
				return fmt.Errorf("got %s, want False: older versions of NumPy are not followed", v)
			}
			return nil
		}},
}

func setInt(to *int, v starlark.Value, low, high int) error {
	n, ok := np.AsInt(v)
	if !ok || n < low || n > high {
		return fmt.Errorf("got %s, want an int from %d to %d", value.Repr(v), low, high)
	}
	*to = n
	return nil
}

func setThreshold(o *np.PrintOptions, v starlark.Value) error {
	x, ok := starlark.AsFloat(value.Plain(v))
	if !ok || math.IsNaN(x) {
		return fmt.Errorf("got %s, want a number (for no limit np.inf)", value.Repr(v))
	}
	o.Threshold, o.Given = x, v
	return nil
}

// setString takes one of the choices, or any string if there are none.
func setString(to *string, v starlark.Value, choices ...string) error {
	s, ok := starlark.AsString(v)
	switch {
	case !ok && len(choices) == 0:
		return fmt.Errorf("got %s, want a string", v.Type())
	case !ok || len(choices) > 0 && !slices.Contains(choices, s):
		return fmt.Errorf("got %s, want one of %q", value.Repr(v), choices)
	}
	*to = s
	return nil
}

// change changes options by the arguments that were given. An error is of the option that is
// returned.
func (a *optionArgs) change(o *np.PrintOptions) (name string, err error) {
	for _, p := range optionTable {
		if v := p.from(a); v != nil {
			if err := p.set(o, v); err != nil {
				return p.name, err
			}
		}
	}
	return "", nil
}

// printingWith returns the session's options, changed by the arguments that were given; names are
// what the function calls parameters that have other names than the options.
func printingWith(e *np.Eval, a optionArgs, names map[string]string) *np.PrintOptions {
	o := *np.PrintingOf(e.Session).Load()
	o.Stop = np.StopOf(e.Session)
	if name, err := a.change(&o); err != nil {
		e.FailFor(cmp.Or(names[name], name), "%w", err)
	}
	return &o
}

// dict is the options by their names.
func dict(o *np.PrintOptions) *slot.Dict {
	dict := slot.NewDict(len(optionTable))
	for _, p := range optionTable {
		dict.SetKey(starlark.String(p.name), p.get(o)) // it is nobody's yet
	}
	return dict
}

// holding is a setting of the session's options.
func holding(printing *atomic.Pointer[np.PrintOptions], a optionArgs) starlark.Value {
	var before []*np.PrintOptions
	return np.NewSetting("printoptions", func() starlark.Value {
		was := printing.Load()
		o := *was
		a.change(&o) // which were tried
		before = append(before, was)
		printing.Store(&o)
		return dict(&o)
	}, func() {
		if n := len(before) - 1; n >= 0 {
			printing.Store(before[n])
			before = before[:n]
		}
	})
}

// shownNames are the options' names in functions that make texts.
var shownNames = map[string]string{"linewidth": "max_line_width", "suppress": "suppress_small"}

// shownArgs are the arguments of array_repr and array_str, the first ones of array2string.
type shownArgs struct {
	X         *tensor.Dense  `arg:"a: an array"`
	Width     starlark.Value `arg:"max_line_width=None: columns of a line"`
	Precision starlark.Value `arg:"precision=None: digits after the point"`
	Suppress  starlark.Value `arg:"suppress_small=None: whether small numbers have no exponents"`
}

// shown is the row of array_repr and array_str.
func shown(name, doc, example string, text func(o *np.PrintOptions, d *tensor.Dense) string) functions.Function {
	return np.Function(name, doc, example, func(e *np.Eval, a *shownArgs) starlark.Value {
		o := printingWith(e, optionArgs{Width: a.Width, Precision: a.Precision, Suppress: a.Suppress}, shownNames)
		if e.Failed() {
			return nil
		}
		return starlark.String(text(o, a.X))
	})
}

// What np has of functions that write arrays.
var _ = np.Add(np.Addition{Functions: slices.Concat(printTable, formatFloatTable)})

// printTable is the functions of printing.
var printTable = []functions.Function{
	np.Function("np.set_printoptions", "Sets how this session prints arrays. Options that are not given stay as they are.",
		"set_printoptions(precision=8)\nnp.array([1 / 3]) # array([0.33333333])", func(e *np.Eval, a *optionArgs) starlark.Value {
			if o := printingWith(e, *a, nil); !e.Failed() {
				o.Stop = nil // which is the cell's
				np.PrintingOf(e.Session).Store(o)
			}
			return starlark.None
		}),
	np.Function("np.get_printoptions", "The options of printing, as a dict for np.set_printoptions(**options).",
		"get_printoptions()[\"precision\"] # 8", func(e *np.Eval, _ *struct{}) starlark.Value { return dict(np.PrintingOf(e.Session).Load()) }),
	np.Function("np.printoptions", "Options of printing for the block of with, which gives them back what they were.",
		"with np.printoptions(precision=2, suppress=True):\n    text = str(np.array([1 / 3, 1e-9]))\ntext # \"[0.33 0.  ]\"", func(e *np.Eval, a *optionArgs) starlark.Value {
			if printingWith(e, *a, nil); e.Failed() {
				return nil
			}
			return holding(np.PrintingOf(e.Session), *a)
		}),
	shown("np.array_repr", "The array as a cell shows it.",
		"array_repr(np.array([1 / 3, 0.5]), precision=3) # \"array([0.333, 0.5  ])\"",
		func(o *np.PrintOptions, d *tensor.Dense) string { return o.Repr(d) }),
	shown("np.array_str", "The array as print shows it.",
		"array_str(np.array([1 / 3, 0.5]), precision=3) # \"[0.333 0.5  ]\"",
		func(o *np.PrintOptions, d *tensor.Dense) string { return o.Str(d) }),
	np.Function("np.array2string", "The elements of an array as text, with options for this call.",
		"array2string(np.array([1 / 3, 0.5]), precision=3, separator=\", \") # \"[0.333, 0.5  ]\"", array2string),
}

func array2string(e *np.Eval, a *struct {
	shownArgs
	Separator string         `arg:"separator=\" \": between elements"`
	Prefix    string         `arg:"prefix=\"\": what is put before the text; lines after the first are indented by as much"`
	Style     starlark.Value `arg:"style=None: not used"`
	Formatter starlark.Value `arg:"formatter=None: a dict of functions from an element to a string, by \"bool\", \"int\", \"float\" or \"all\""`
	Threshold starlark.Value `arg:"threshold=None: the number of elements above which the edges are shown only"`
	Edge      starlark.Value `arg:"edgeitems=None: elements at each end of an axis that are shown then"`
	Sign      starlark.Value `arg:"sign=None: \"-\", \"+\" or \" \""`
	FloatMode starlark.Value `arg:"floatmode=None: \"fixed\", \"unique\", \"maxprec\" or \"maxprec_equal\""`
	Suffix    string         `arg:"suffix=\"\": what is put behind the text; lines are shorter by as much"`
}) starlark.Value {
	o := printingWith(e, optionArgs{Width: a.Width, Precision: a.Precision, Suppress: a.Suppress, Threshold: a.Threshold, Edge: a.Edge,
		Sign: a.Sign, FloatMode: a.FloatMode}, shownNames)
	if a.Style != nil {
		e.FailFor("style", "NumPy has not used it since 1.14; leave it out")
	}
	f := &formatter{thread: e.Thread}
	if a.Formatter != nil {
		if err := f.read(a.Formatter); err != nil {
			e.FailFor("formatter", "%w", err)
		}
		o.Formatter = f.element
	}
	if e.Failed() {
		return nil
	}
	text := o.Body(a.X, a.Separator, a.Prefix, a.Suffix)
	return np.Keep[starlark.Value](e, starlark.String(text), f.err, nil)
}
