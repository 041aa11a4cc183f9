package np

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// printOptions are NumPy's options of printing. A session's are replaced, not changed.
type printOptions struct {
	precision int     // most digits after the point
	threshold float64 // larger arrays show only the edges
	edge      int     // elements at each end of an axis
	width     int     // columns of a line
	suppress  bool    // small numbers have no exponents
	nan, inf  string
	sign      string // "-", "+" or " ": what stands before numbers that are not negative
	floatMode string // one of floatModes
	formatter *formatter
	given     starlark.Value // the threshold, as it was given
}

var standardPrinting = &printOptions{
	precision: 8, threshold: 1000, edge: 3, width: 75, nan: "nan", inf: "inf", sign: "-", floatMode: "maxprec",
	given: starlark.MakeInt(1000),
}

var floatModes = []string{"fixed", "unique", "maxprec", "maxprec_equal"}

// maxPrecision is more than the digits that any float64 has after the point.
const maxPrecision = 1100

// printingKey is the key of a session's options: an atomic.Pointer[printOptions].
type printingKey struct{}

// printingOf returns where a session has its options. Arrays of no session have the standard ones.
func printingOf(s value.Host) *atomic.Pointer[printOptions] {
	fresh := func() any {
		p := new(atomic.Pointer[printOptions])
		p.Store(standardPrinting)
		return p
	}
	if s == nil {
		return fresh().(*atomic.Pointer[printOptions])
	}
	return s.Local(printingKey{}, fresh).(*atomic.Pointer[printOptions])
}

// printing returns the options that a is printed with.
func (a *Array) printing() *printOptions { return printingOf(a.session).Load() }

// A printOption is one of NumPy's options.
type printOption struct {
	name, doc string
	get       func(o *printOptions) starlark.Value
	set       func(o *printOptions, v starlark.Value) error
}

// optionTable is in the order of set_printoptions' parameters.
var optionTable = []printOption{
	{"precision", "digits after the point, 8 at first", func(o *printOptions) starlark.Value { return starlark.MakeInt(o.precision) },
		func(o *printOptions, v starlark.Value) error { return setInt(&o.precision, v, 0, maxPrecision) }},
	{"threshold", "the number of elements above which the edges are shown only, 1000 at first",
		func(o *printOptions) starlark.Value { return o.given }, setThreshold},
	{"edgeitems", "elements at each end of an axis that are shown then, 3 at first",
		func(o *printOptions) starlark.Value { return starlark.MakeInt(o.edge) },
		func(o *printOptions, v starlark.Value) error { return setInt(&o.edge, v, 0, math.MaxInt32) }},
	{"linewidth", "columns of a line, 75 at first", func(o *printOptions) starlark.Value { return starlark.MakeInt(o.width) },
		func(o *printOptions, v starlark.Value) error { return setInt(&o.width, v, 0, math.MaxInt) }},
	{"suppress", "whether small numbers have no exponents", func(o *printOptions) starlark.Value { return starlark.Bool(o.suppress) },
		func(o *printOptions, v starlark.Value) error { o.suppress = bool(v.Truth()); return nil }},
	{"nanstr", "the text for what is not a number", func(o *printOptions) starlark.Value { return starlark.String(o.nan) },
		func(o *printOptions, v starlark.Value) error { return setString(&o.nan, v) }},
	{"infstr", "the text for infinity", func(o *printOptions) starlark.Value { return starlark.String(o.inf) },
		func(o *printOptions, v starlark.Value) error { return setString(&o.inf, v) }},
	{"formatter", "for np.array2string only", func(*printOptions) starlark.Value { return starlark.None },
		func(*printOptions, starlark.Value) error {
			return errors.New("functions are not kept as options: use np.array2string(a, formatter=...)")
		}},
	{"sign", `what floats that are not negative begin with: "-" for nothing, "+" or " "`,
		func(o *printOptions) starlark.Value { return starlark.String(o.sign) },
		func(o *printOptions, v starlark.Value) error { return setString(&o.sign, v, "-", "+", " ") }},
	{"floatmode", "exactly precision digits (\"fixed\"), as many as numbers need (\"unique\"), " +
		"at most precision of these (\"maxprec\"), " +
		"or so, but equally many for all (\"maxprec_equal\")",
		func(o *printOptions) starlark.Value { return starlark.String(o.floatMode) },
		func(o *printOptions, v starlark.Value) error { return setString(&o.floatMode, v, floatModes...) }},
	{"legacy", "only False: older versions of NumPy are not followed", func(*printOptions) starlark.Value { return starlark.False },
		func(_ *printOptions, v starlark.Value) error {
			if v != starlark.False {
				return fmt.Errorf("got %s, want False: older versions of NumPy are not followed", v)
			}
			return nil
		}},
}

func setInt(to *int, v starlark.Value, low, high int) error {
	n, ok := asInt(v)
	if !ok || n < low || n > high {
		return fmt.Errorf("got %s, want an int from %d to %d", value.Repr(v), low, high)
	}
	*to = n
	return nil
}

func setThreshold(o *printOptions, v starlark.Value) error {
	x, ok := starlark.AsFloat(value.Plain(v))
	if !ok || math.IsNaN(x) {
		return fmt.Errorf("got %s, want a number (for no limit np.inf)", value.Repr(v))
	}
	o.threshold, o.given = x, v
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

// printOptions returns the session's options, changed by the arguments that were given: argument i sets the option names[i], if
// that is not "".
func (c *call) printOptions(names ...string) (*printOptions, error) {
	o := *printingOf(c.session).Load()
	for i, name := range names {
		if c.v[i] == nil || name == "" {
			continue
		}
		row := optionTable[slices.IndexFunc(optionTable, func(p printOption) bool { return p.name == name })]
		if err := row.set(&o, c.v[i]); err != nil {
			return nil, fmt.Errorf("for parameter %s: %w", c.Params[i].Name, err)
		}
	}
	return &o, nil
}

// optionParams are the parameters for all options.
func optionParams() (names, params []string) {
	for _, p := range optionTable {
		names = append(names, p.name)
		params = append(params, p.name+"=None: "+p.doc)
	}
	return names, params
}

func setPrintOptions() value.Builtin {
	names, params := optionParams()
	return numpyRow("np.", "set_printoptions", "Sets how this session prints arrays. Options that are not given stay as they are.",
		"np.set_printoptions(precision=8)\nnp.array([1 / 3]) # array([0.33333333])", func(c *call) (starlark.Value, error) {
			o, err := c.printOptions(names...)
			if err != nil {
				return nil, err
			}
			printingOf(c.session).Store(o)
			return starlark.None, nil
		}, params...)
}

// shownParams are parameters of array_repr and array_str.
var shownParams = []string{"a: an array", "max_line_width=None: columns of a line", "precision=None: digits after the point",
	"suppress_small=None: whether small numbers have no exponents"}

var shownOptions = []string{"", "linewidth", "precision", "suppress"}

// shown is the row of array_repr and array_str.
func shown(name, doc, example string, text func(o *printOptions, a *Array) string) value.Builtin {
	return numpyRow("np.", name, doc, example, func(c *call) (starlark.Value, error) {
		o, err := c.printOptions(shownOptions...)
		if err != nil {
			return nil, err
		}
		d, err := c.array(0)
		if err != nil {
			return nil, err
		}
		return starlark.String(text(o, NewArray(c.session, d))), nil
	}, shownParams...)
}

var printTable = []value.Builtin{
	setPrintOptions(),
	numpyRow("np.", "get_printoptions", "The options of printing, as a dict for np.set_printoptions(**options).",
		"np.get_printoptions()[\"precision\"] # 8", func(c *call) (starlark.Value, error) {
			o := printingOf(c.session).Load()
			dict := starlark.NewDict(len(optionTable))
			for _, p := range optionTable {
				if err := dict.SetKey(starlark.String(p.name), p.get(o)); err != nil {
					return nil, err
				}
			}
			return dict, nil
		}),
	numpyRow("np.", "printoptions", "Only an error: options for one statement need \"with\". Give them to np.array2string.",
		"np.array2string(np.array([1 / 3]), precision=2) # \"[0.33]\"", func(*call) (starlark.Value, error) {
			return nil, errors.New("there is no \"with\": use np.array2string(a, precision=2), or keep old = np.get_printoptions(), " +
				"np.set_printoptions(precision=2), and at the end np.set_printoptions(**old)")
		}, "**options: those of np.set_printoptions"),
	shown("array_repr", "The array as a cell shows it.",
		"np.array_repr(np.array([1 / 3, 0.5]), precision=3) # \"array([0.333, 0.5  ])\"",
		func(o *printOptions, a *Array) string { return o.repr(a.d) }),
	shown("array_str", "The array as print shows it.",
		"np.array_str(np.array([1 / 3, 0.5]), precision=3) # \"[0.333 0.5  ]\"",
		func(o *printOptions, a *Array) string { return o.str(a.d) }),
	numpyRow("np.", "array2string", "The elements of an array as text, with options for this call.",
		"np.array2string(np.array([1 / 3, 0.5]), precision=3, separator=\", \") # \"[0.333, 0.5  ]\"", array2string,
		"a: an array", "max_line_width=None: columns of a line", "precision=None: digits after the point",
		"suppress_small=None: whether small numbers have no exponents", `separator=" ": between elements`,
		`prefix="": what is put before the text; lines after the first are indented by as much`, "style=None: not used",
		`formatter=None: a dict of functions from an element to a string, by "bool", "int", "float" or "all"`,
		"threshold=None: the number of elements above which the edges are shown only",
		"edgeitems=None: elements at each end of an axis that are shown then", `sign=None: "-", "+" or " "`,
		`floatmode=None: "fixed", "unique", "maxprec" or "maxprec_equal"`,
		`suffix="": what is put behind the text; lines are shorter by as much`),
}

func array2string(c *call) (starlark.Value, error) {
	o, err := c.printOptions("", "linewidth", "precision", "suppress", "", "", "", "", "threshold", "edgeitems", "sign", "floatmode")
	if err != nil {
		return nil, err
	}
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	texts := map[int]string{4: " ", 5: "", 12: ""} // separator, prefix, suffix
	for i := range texts {
		if c.v[i] == nil {
			continue
		}
		s, ok := starlark.AsString(c.v[i])
		if !ok {
			return nil, c.wrong(i, "a string")
		}
		texts[i] = s
	}
	if c.v[6] != nil {
		return nil, errors.New("for parameter style: NumPy has not used it since 1.14; leave it out")
	}
	if c.v[7] != nil {
		if o.formatter, err = newFormatter(c.thread, c.v[7]); err != nil {
			return nil, fmt.Errorf("for parameter formatter: %w", err)
		}
	}
	text := o.body(d, texts[4], texts[5], texts[12])
	if o.formatter != nil && o.formatter.err != nil {
		return nil, o.formatter.err
	}
	return starlark.String(text), nil
}
