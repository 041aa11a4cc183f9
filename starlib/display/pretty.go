package display

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const prettyMethod = "_repr_pretty_"

// prettyText is the text of a value: by _repr_pretty_ if it has that, or holds a value that does,
// and else its repr.
func prettyText(f *former, v starlark.Value) (string, error) {
	format := floatFormat(f.s)
	if !asksPrinter(v, format != "", 4) {
		return value.ReprShort(v, session.MaxShown), nil
	}
	p := &printer{Identity: "RepresentationPrinter", layout: newLayout(), f: f, floats: format}
	if err := p.pretty(v); err != nil {
		return value.ReprShort(v, session.MaxShown), f.failed(err)
	}
	return p.layout.text(), nil
}

// asksPrinter reports whether a printer writes a value otherwise than repr does. It looks at the
// beginning of containers only.
func asksPrinter(v starlark.Value, floats bool, depth int) bool {
	const most = 1000
	asks := func(v starlark.Value) bool { return depth > 0 && asksPrinter(v, floats, depth-1) }
	switch v := v.(type) {
	case starlark.Float, np.Scalar:
		_, isFloat := floatOf(v)
		return floats && isFloat
	case *value.Object:
		return methodOf(v, prettyMethod) != nil
	case *slot.List:
		for i := range min(v.Len(), most) {
			if asks(v.Index(i)) {
				return true
			}
		}
	case starlark.Tuple:
		return slices.ContainsFunc(v[:min(len(v), most)], asks)
	case *slot.Set:
		n := 0
		for x := range v.Elements() {
			if asks(x) {
				return true
			}
			if n++; n == most {
				break
			}
		}
	case *slot.Dict:
		n := 0
		for k, x := range v.Entries() {
			if asks(k) || asks(x) {
				return true
			}
			if n++; n == most {
				break
			}
		}
	}
	return false
}

// floatOf is v if it is a float of Python's: a float64 of NumPy's is one, and a float32 is none.
func floatOf(v starlark.Value) (starlark.Float, bool) {
	if x, ok := v.(np.Scalar); ok && x.DType() == kernels.Float64 {
		v = x.Plain()
	}
	f, ok := v.(starlark.Float)
	return f, ok
}

// A printer is the p of _repr_pretty_(self, p, cycle).
type printer struct {
	value.Identity
	layout *layout
	f      *former
	floats string           // how floats are written, "" for repr
	within []starlark.Value // what is being written, outermost first
}

func (p *printer) Table() *value.Methods                    { return PrinterMethods }
func (p *printer) AttrNames() []string                      { return PrinterMethods.Names() }
func (p *printer) Attr(name string) (starlark.Value, error) { return PrinterMethods.Attr(p, name) }

// pretty writes a value.
func (p *printer) pretty(v starlark.Value) error {
	const deepest = 200
	if len(p.within) >= deepest || p.layout.out.Len() > session.MaxShown {
		p.layout.write("...")
		return nil
	}
	cycle := slices.ContainsFunc(p.within, func(x starlark.Value) bool { return isSame(x, v) })
	p.within = append(p.within, v)
	p.layout.begin(0, "")
	defer func() {
		p.within = p.within[:len(p.within)-1]
		p.layout.close(0, "")
	}()
	switch v := v.(type) {
	case *value.Object:
		if m := methodOf(v, prettyMethod); m != nil {
			_, err := value.Call(p.f.thread, m, starlark.Tuple{p, starlark.Bool(cycle)}, nil)
			return err
		}
	case *slot.List:
		return p.sequence("[", "]", v.Len(), v.Index, cycle)
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		return p.sequence("(", end, len(v), v.Index, cycle)
	case *slot.Dict:
		items := v.Items()
		return p.each("{", "}", len(items), cycle, func(i int) error {
			if err := p.pretty(items[i][0]); err != nil {
				return err
			}
			p.layout.write(": ")
			return p.pretty(items[i][1])
		})
	case *slot.Set:
		items := slices.Collect(v.Elements())
		return p.sequence(v.Type()+"([", "])", len(items), func(i int) starlark.Value { return items[i] }, cycle)
	case starlark.Float, np.Scalar:
		if f, ok := floatOf(v); ok && p.floats != "" {
			text, err := value.FormatPercent(p.f.thread, p.floats, f)
			p.layout.write(text)
			return err
		}
	}
	for i, line := range strings.Split(value.ReprShort(v, session.MaxShown), "\n") {
		if i > 0 {
			p.layout.end()
		}
		p.layout.write(line)
	}
	return nil
}

// isSame reports whether two values are one: containers and instances.
func isSame(x, y starlark.Value) bool {
	switch x.(type) {
	case *slot.List, *slot.Dict, *value.Object:
		return x == y
	}
	return false
}

func (p *printer) sequence(open, end string, n int, at func(int) starlark.Value, cycle bool) error {
	return p.each(open, end, n, cycle, func(i int) error { return p.pretty(at(i)) })
}

// maxElements is how many elements of a container are written.
const maxElements = 1000

func (p *printer) each(open, end string, n int, cycle bool, write func(i int) error) error {
	if cycle {
		p.layout.write(open + "..." + end)
		return nil
	}
	p.layout.begin(len(open), open)
	for i := range n {
		if i > 0 {
			p.layout.write(",")
			p.layout.breakable(" ")
		}
		if i == maxElements {
			p.layout.write("...")
			break
		}
		if err := write(i); err != nil {
			return err
		}
	}
	p.layout.close(len(open), end)
	return nil
}

type none struct{}

type groupArgs struct {
	Indent int    `arg:"indent=0: how much deeper its lines begin"`
	Open   string `arg:"open=\"\": text before it"`
}

// example is a class that writes itself by what stands in its method.
func prettyExample(body, shown string) string {
	return "class P:\n    def _repr_pretty_(self, p, cycle):\n        " + body + "\ndisplay(P()) # " + shown
}

// PrinterMethods are those of a printer.
var PrinterMethods = value.NewMethods("RepresentationPrinter", []value.Builtin{
	value.MethodOf("text", "Writes text.", prettyExample(`p.text("P()")`, "P()"), func(_ *starlark.Thread, p *printer, a *struct {
		Text string `arg:"obj: the text"`
	}) (starlark.Value, error) {
		p.layout.write(a.Text)
		return nil, nil
	}),
	value.MethodOf("breakable", "A place where the line may end.", prettyExample(`p.text("a,"); p.breakable(); p.text("b")`, "a, b"),
		func(_ *starlark.Thread, p *printer, a *struct {
			Sep string `arg:"sep=\" \": what stands there if it does not"`
		}) (starlark.Value, error) {
			p.layout.breakable(a.Sep)
			return nil, nil
		}),
	value.MethodOf("break_", "Ends the line.", prettyExample(`p.text("a"); p.break_(); p.text("b")`, "a\nb"),
		func(_ *starlark.Thread, p *printer, _ *none) (starlark.Value, error) {
			p.layout.end()
			return nil, nil
		}),
	value.MethodOf("pretty", "Writes a value.", prettyExample(`p.pretty([1, 2])`, "[1, 2]"), func(_ *starlark.Thread, p *printer, a *struct {
		X starlark.Value `arg:"obj: the value"`
	}) (starlark.Value, error) {
		return nil, p.pretty(a.X)
	}),
	value.MethodOf("begin_group", "Begins a group: either all its places end lines, or none does.",
		prettyExample(`p.begin_group(1, "<"); p.text("a"); p.end_group(1, ">")`, "<a>"),
		func(_ *starlark.Thread, p *printer, a *groupArgs) (starlark.Value, error) {
			p.layout.begin(a.Indent, a.Open)
			return nil, nil
		}),
	value.MethodOf("end_group", "Ends a group.", prettyExample(`p.begin_group(1, "<"); p.text("a"); p.end_group(1, ">")`, "<a>"),
		func(_ *starlark.Thread, p *printer, a *struct {
			Dedent int    `arg:"dedent=0: the indent that it began with"`
			Close  string `arg:"close=\"\": text after it"`
		}) (starlark.Value, error) {
			p.layout.close(a.Dedent, a.Close)
			return nil, nil
		}),
	value.MethodOf("group", "A group, for with.", prettyExample(`with p.group(1, "<", ">"): p.text("a")`, "<a>"),
		func(_ *starlark.Thread, p *printer, a *struct {
			groupArgs
			Close string `arg:"close=\"\": text after it"`
		}) (starlark.Value, error) {
			return &within{Identity: isWithin, enter: func() starlark.Value {
				p.layout.begin(a.Indent, a.Open)
				return starlark.None
			}, exit: func() { p.layout.close(a.Indent, a.Close) }}, nil
		}),
	value.MethodOf("indent", "Lines begin deeper, for with.", prettyExample(`p.text("a:"); w = p.indent(2); w.__enter__(); p.break_(); p.text("b"); w.__exit__()`, "a:\n  b"),
		func(_ *starlark.Thread, p *printer, a *struct {
			N int `arg:"indent: by how much"`
		}) (starlark.Value, error) {
			return &within{Identity: isWithin, enter: func() starlark.Value {
				p.layout.indent += a.N
				return starlark.None
			}, exit: func() { p.layout.indent -= a.N }}, nil
		}),
	value.MethodOf("flush", "Writes what waits for the end of its line.", prettyExample(`p.text("a"); p.flush()`, "a"),
		func(_ *starlark.Thread, p *printer, _ *none) (starlark.Value, error) {
			p.layout.flush()
			return nil, nil
		}),
})

// A within is a value for with.
type within struct {
	value.Identity
	enter func() starlark.Value
	exit  func()
}

func (w *within) Table() *value.Methods                    { return WithinMethods }
func (w *within) AttrNames() []string                      { return WithinMethods.Names() }
func (w *within) Attr(name string) (starlark.Value, error) { return WithinMethods.Attr(w, name) }

const withinExample = "from IPython.utils.capture import capture_output; c = capture_output(); "

const isWithin value.Identity = "context"

// WithinMethods are those of a value for with.
var WithinMethods = value.NewMethods("context", []value.Builtin{
	value.MethodOf("__enter__", "Begins: with calls it.", withinExample+`x = c.__enter__(); print(c.__exit__()) # None`, func(_ *starlark.Thread, w *within, _ *none) (starlark.Value, error) {
		return w.enter(), nil
	}),
	value.MethodOf("__exit__", "Ends: with calls it.", withinExample+`x = c.__enter__(); print(c.__exit__()) # None`, func(_ *starlark.Thread, w *within, _ *struct {
		Error starlark.Tuple `arg:"*error: what the block failed with"`
	}) (starlark.Value, error) {
		w.exit()
		return nil, nil
	}),
})
