package pyplot

import (
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// lineStyle are the arguments of lines by keyword.
type lineStyle struct {
	penArgs
	markerArgs
	common
	Step *string        `arg:"drawstyle|ds=None: 'default', 'steps-pre', 'steps-mid' or 'steps-post'"`
	Caps starlark.Value `arg:"solid_capstyle|dash_capstyle|solid_joinstyle|dash_joinstyle|antialiased|aa|rasterized=None: accepted"`
}

type plotArgs struct {
	Args starlark.Tuple `arg:"*args: y, or x and y, and after them a format such as 'ro--'; several such lines may follow"`
	_    struct{}       `arg:"*:"`
	lineStyle
	ScaleX starlark.Value `arg:"scalex=None: accepted"`
	ScaleY starlark.Value `arg:"scaley=None: accepted"`
}

// lineRows draw lines and points.
var lineRows = sync.OnceValue(func() []pair {
	return []pair{
		drawing("plot", "Draws lines through points, or marks them, and returns the list of lines.\n\n"+
			"A format has a colour, a marker and a line style in any order: 'r--', 'ko', 'C1.-'. The columns of a matrix are a line each. nan is a gap.",
			"plot([1, 2, 3], [1, 4, 9], 'o-', label='squares')", func(c *call, a *plotArgs) (starlark.Value, error) { return c.plot(a, "") }),
		drawing("semilogx", "Draws as plot does, with a logarithmic x axis.", "semilogx([1, 10, 100], [1, 2, 3])", logPlot(true, false)),
		drawing("semilogy", "Draws as plot does, with a logarithmic y axis.", "semilogy([1, 2, 3], [1, 10, 100])", logPlot(false, true)),
		drawing("loglog", "Draws as plot does, with both axes logarithmic.", "loglog([1, 10, 100], [1, 100, 10000])", logPlot(true, true)),
		drawing("step", "Draws steps: where='pre' has y[i] from x[i-1] to x[i], 'post' from x[i] to x[i+1], 'mid' between the middles.",
			"step([1, 2, 3], [1, 4, 9], where='mid')", func(c *call, a *stepArgs) (starlark.Value, error) {
				if err := oneOf("where", a.Where, "pre", "post", "mid"); err != nil {
					return nil, err
				}
				return c.plot(&a.plotArgs, a.Where)
			}),
		drawing("scatter", "Draws a mark at each point, with sizes and colours of their own.\n\nNumbers as c are shown by the colour map cmap.",
			"scatter([1, 2, 3], [3, 1, 2], c=[0.1, 0.5, 0.9], s=80)", scatter),
		drawing("errorbar", "Draws points with bars for their errors.", "errorbar([1, 2], [3, 4], yerr=[0.5, 0.2], fmt='o', capsize=3)", errorbar),
		drawing("fill_between", "Fills the area between two curves.", "fill_between([1, 2, 3], [1, 4, 9], 0, alpha=0.3)", func(c *call, a *fillArgs) (starlark.Value, error) {
			return c.fill(a, false)
		}),
		drawing("fill_betweenx", "Fills the area between two curves over y.", "fill_betweenx([1, 2, 3], [1, 4, 9], 0)", func(c *call, a *fillArgs) (starlark.Value, error) {
			return c.fill(a, true)
		}),
		drawing("fill", "Fills the area within points.", "fill([0, 1, 1], [0, 0, 1], color='C2')", fillPolygon),
		drawing("stackplot", "Fills the areas of curves that stand on each other.", "stackplot([1, 2, 3], [1, 1, 2], [2, 1, 1])", stackplot),
		drawing("stem", "Draws a line from the base to each point.", "stem([1, 2, 3], [3, 1, 2])", stem),
		drawing("axhline", "Draws a line across the axes.", "axhline(0.5, color='gray', ls='--')", func(c *call, a *axhlineArgs) (starlark.Value, error) {
			return c.across(a.Y, a.XMin, a.XMax, &a.lineStyle, true)
		}),
		drawing("axvline", "Draws a line up the axes.", "axvline(0.5, color='gray', ls='--')", func(c *call, a *axvlineArgs) (starlark.Value, error) {
			return c.across(a.X, a.YMin, a.YMax, &a.lineStyle, false)
		}),
		drawing("axline", "Draws a line without ends through two points, or through one with a slope.", "axline((0, 0), slope=1)", axline),
		drawing("hlines", "Draws horizontal lines from xmin to xmax.", "hlines([1, 2], 0, 5)", func(c *call, a *hlinesArgs) (starlark.Value, error) {
			return c.lines(a.Y, a.XMin, a.XMax, &a.linesStyle, true)
		}),
		drawing("vlines", "Draws vertical lines from ymin to ymax.", "vlines([1, 2], 0, 5)", func(c *call, a *vlinesArgs) (starlark.Value, error) {
			return c.lines(a.X, a.YMin, a.YMax, &a.linesStyle, false)
		}),
		drawing("axhspan", "Fills a stripe across the axes.", "axhspan(1, 2, alpha=0.3)", func(c *call, a *axhspanArgs) (starlark.Value, error) {
			return c.span(a.Lo, a.Hi, &a.faceArgs, &a.common, true)
		}),
		drawing("axvspan", "Fills a stripe up the axes.", "axvspan(1, 2, alpha=0.3)", func(c *call, a *axvspanArgs) (starlark.Value, error) {
			return c.span(a.Lo, a.Hi, &a.faceArgs, &a.common, false)
		}),
	}
})

type stepArgs struct {
	plotArgs
	Where string `arg:"where=\"pre\": 'pre', 'post' or 'mid'"`
}

func logPlot(x, y bool) func(c *call, a *plotArgs) (starlark.Value, error) {
	return func(c *call, a *plotArgs) (starlark.Value, error) {
		if x {
			c.ax.a.X.SetLog(true)
		}
		if y {
			c.ax.a.Y.SetLog(true)
		}
		return c.plot(a, "")
	}
}

// A format is what a text such as "ro--" says.
type format struct {
	color        paint
	marker, dash string
	marked       bool
	dashed       bool
}

func parseFormat(s string) (format, error) {
	f := format{}
	if c, err := palette.Parse(s); err == nil && !isMarker(s) {
		f.color = paint{true, c}
		return f, nil
	}
	for rest := s; rest != ""; {
		n := 1
		switch {
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "-."):
			n = 2
			fallthrough
		case rest[0] == '-', rest[0] == ':', rest[0] == ' ':
			if f.dashed {
				return f, valueError("Illegal format string %q; two linestyle symbols", s)
			}
			f.dash, f.dashed = rest[:n], true
		case rest[0] == 'C' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			n = 2
			c, _ := palette.Parse(rest[:n])
			f.color = paint{true, c}
		case strings.IndexByte("bgrcmykw", rest[0]) >= 0:
			if f.color.given {
				return f, valueError("Illegal format string %q; two color symbols", s)
			}
			c, _ := palette.Parse(rest[:1])
			f.color = paint{true, c}
		case isMarker(rest[:1]):
			if f.marked {
				return f, valueError("Illegal format string %q; two marker symbols", s)
			}
			f.marker, f.marked = rest[:1], true
		default:
			return f, valueError("Unrecognized character %s in format string %q: it has a colour (rgbcmykw or C0 to C9), a marker and a line style", rest[:1], s)
		}
		rest = rest[n:]
	}
	return f, nil
}

func isMarker(s string) bool {
	_, ok := plot.Shapes[s]
	return ok
}

// plot draws the lines of plot's arguments.
func (c *call) plot(a *plotArgs, step string) (starlark.Value, error) {
	args := a.Args
	if len(args) == 0 {
		return slot.NewList(nil), nil
	}
	if a.Step != nil {
		steps := map[string]string{"default": "", "steps": "pre", "steps-pre": "pre", "steps-mid": "mid", "steps-post": "post"}
		s, ok := steps[*a.Step]
		if !ok {
			return nil, oneOf("drawstyle", *a.Step, "default", "steps", "steps-pre", "steps-mid", "steps-post")
		}
		step = s
	}
	var out []starlark.Value
	for len(args) > 0 {
		n := 1
		if len(args) > 1 {
			if _, isText := starlark.AsString(args[1]); !isText {
				n = 2
			}
		}
		data := args[:n]
		args = args[n:]
		f := format{}
		if len(args) > 0 {
			if s, isText := starlark.AsString(args[0]); isText {
				var err error
				if f, err = parseFormat(s); err != nil {
					return nil, err
				}
				args = args[1:]
			}
		}
		lines, err := c.plotOne(data, f, &a.lineStyle, step)
		if err != nil {
			return nil, err
		}
		out = append(out, lines...)
	}
	return slot.NewList(out), nil
}

// plotOne draws one x and y, a line for each column.
func (c *call) plotOne(data starlark.Tuple, f format, style *lineStyle, step string) ([]starlark.Value, error) {
	for _, v := range data {
		if s, isText := starlark.AsString(v); isText {
			return nil, valueError("plot: %q stands where numbers are wanted; data= is not in Arignote: give the arrays", s)
		}
	}
	y, yShape, err := c.columns("y", data[len(data)-1], c.ax.a.Y)
	if err != nil {
		return nil, err
	}
	x := [][]float64{counting(yShape[0])}
	if len(data) == 2 {
		var xShape []int
		if x, xShape, err = c.columns("x", data[0], c.ax.a.X); err != nil {
			return nil, err
		}
		if xShape[0] != yShape[0] {
			return nil, valueError("x and y must have same first dimension, but have shapes %s and %s", tensor.ShapeString(xShape), tensor.ShapeString(yShape))
		}
		if len(x) != len(y) && len(x) != 1 && len(y) != 1 {
			return nil, valueError("x has %d columns but y has %d columns", len(x), len(y))
		}
	}
	var names []string
	if style.Label != nil {
		if list, ok := textsOf(style.Label); ok && len(list) > 1 {
			if n := max(len(x), len(y)); len(list) != n {
				return nil, valueError("label must be scalar or have the same length as the input data, but found %d for %d datasets.", len(list), n)
			}
			names = list
		}
	}
	var out []starlark.Value
	for k := range max(len(x), len(y)) {
		l, err := c.newLine(x[min(k, len(x)-1)], y[min(k, len(y)-1)], f, style)
		if err != nil {
			return nil, err
		}
		l.Step = step
		if names != nil {
			l.Label = names[k]
		}
		c.ax.a.Add(l)
		out = append(out, &artist{typ: "Line2D", art: l, ax: c.ax})
	}
	return out, nil
}

// newLine is a line in the next colour of the cycle, unless one is given.
func (c *call) newLine(x, y []float64, f format, style *lineStyle) (*plot.Line, error) {
	base, err := style.base(2)
	if err != nil {
		return nil, err
	}
	color := f.color.or(style.Color.color)
	if style.Color.given {
		color = style.Color.color
	} else if !f.color.given {
		color = c.ax.a.NextColor()
	}
	defaults := c.ax.a.Figure.Style
	pen, err := style.pen(color, defaults.LineWidth)
	if err != nil {
		return nil, err
	}
	if style.Dash == nil {
		switch {
		case f.dashed:
			pen.Dash, pen.None, _ = plot.DashOf(f.dash)
		case f.marked:
			pen.None = true
		default:
			pen.Dash, pen.None, _ = plot.DashOf(defaults.LineStyle)
		}
	}
	shape := f.marker
	if !f.marked {
		shape = defaults.Marker
	}
	marker, err := style.marker(shape, color, defaults.MarkerSize)
	if err != nil {
		return nil, err
	}
	l := &plot.Line{Base: base, X: x, Y: y, Pen: pen, Marker: marker}
	if style.Every != nil {
		l.Every = *style.Every
	}
	return l, nil
}

// columns are the columns of a matrix, or a vector as one.
func (c *call) columns(name string, v starlark.Value, axis *plot.Axis) ([][]float64, []int, error) {
	if list, ok := textsOf(v); ok {
		x, err := c.numbers(name, v, axis)
		return [][]float64{x}, []int{len(list)}, err
	}
	d, err := c.array(name, v)
	if err != nil {
		return nil, nil, err
	}
	all := floats(d)
	switch d.Rank() {
	case 0:
		return [][]float64{all}, []int{1}, nil
	case 1:
		return [][]float64{all}, d.Shape(), nil
	case 2:
		rows, columns := d.Shape()[0], d.Shape()[1]
		out := make([][]float64, columns)
		for k := range out {
			out[k] = make([]float64, rows)
			for i := range rows {
				out[k][i] = all[i*columns+k]
			}
		}
		return out, d.Shape(), nil
	}
	return nil, nil, valueError("%s can be no greater than 2D, but has shape %s", name, tensor.ShapeString(d.Shape()))
}

func counting(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	return x
}

type stemArgs struct {
	Args     starlark.Tuple `arg:"*args: heights, or places and heights"`
	_        struct{}       `arg:"*:"`
	Line     *string        `arg:"linefmt=None: the format of the lines, as 'C1--'"`
	Marker   *string        `arg:"markerfmt=None: the format of the heads"`
	Base     *string        `arg:"basefmt=None: the format of the base line"`
	Bottom   float64        `arg:"bottom=0: where the lines begin"`
	Label    starlark.Value `arg:"label=None: what the legend calls it"`
	Turned   *string        `arg:"orientation=None: only 'vertical'"`
	UseLines starlark.Value `arg:"use_line_collection=None: accepted"`
}

func stem(c *call, a *stemArgs) (starlark.Value, error) {
	if len(a.Args) == 0 || len(a.Args) > 3 {
		return nil, typeError("stem: got %d arguments, want heights, or places and heights", len(a.Args))
	}
	if a.Turned != nil {
		if err := oneOf("orientation", *a.Turned, "vertical"); err != nil {
			return nil, err
		}
	}
	args := a.Args
	if s, ok := starlark.AsString(args[len(args)-1]); ok && len(args) > 1 {
		a.Line, args = &s, args[:len(args)-1]
	}
	y, err := c.numbers("heads", args[len(args)-1], c.ax.a.Y)
	if err != nil {
		return nil, err
	}
	x := counting(len(y))
	if len(args) > 1 {
		if x, err = c.numbers("locs", args[0], c.ax.a.X); err != nil {
			return nil, err
		}
	}
	if err := sameLength(x, y); err != nil {
		return nil, err
	}
	read := func(s *string, otherwise string) (format, error) {
		if s == nil {
			return parseFormat(otherwise)
		}
		return parseFormat(*s)
	}
	line, err := read(a.Line, "C0-")
	if err != nil {
		return nil, err
	}
	head, err := read(a.Marker, "o")
	if err != nil {
		return nil, err
	}
	if !head.color.given {
		head.color = line.color
	}
	if !head.marked {
		head.marker, head.marked = "o", true
	}
	foot, err := read(a.Base, "C3-")
	if err != nil {
		return nil, err
	}
	style := c.ax.a.Figure.Style
	pen := plot.Pen{Color: line.color.or(palette.Cycle[0]), Width: style.LineWidth}
	pen.Dash, _, _ = plot.DashOf(line.dash)
	stems := &plot.Segments{Base: plot.Base{Z: 2, Alpha: 1}, Pens: []plot.Pen{pen}}
	for i := range x {
		stems.Lines = append(stems.Lines, []plot.Point{{X: x[i], Y: a.Bottom}, {X: x[i], Y: y[i]}})
	}
	heads := &plot.Line{Base: plot.Base{Z: 2, Alpha: 1, Contained: true}, X: x, Y: y, Pen: plot.Pen{None: true},
		Marker: plot.Marker{Shape: head.marker, Size: style.MarkerSize, Face: head.color.color, Edge: head.color.color, EdgeWidth: 1}}
	if a.Label != nil {
		heads.Label = text(a.Label)
	}
	c.ax.a.Add(stems)
	c.ax.a.Add(heads)
	ground := &plot.Line{Base: plot.Base{Z: 2, Alpha: 1},
		Pen: plot.Pen{Color: foot.color.or(palette.Cycle[3]), Width: style.LineWidth, None: foot.dashed && foot.dash == " "}}
	if len(x) > 0 {
		ground.X, ground.Y = []float64{slices.Min(x), slices.Max(x)}, []float64{a.Bottom, a.Bottom}
	}
	c.ax.a.Add(ground)
	return c.ax.contain("StemContainer", heads, []starlark.Value{
		&artist{typ: "Line2D", art: heads, ax: c.ax}, &artist{typ: "LineCollection", art: stems, ax: c.ax}, &artist{typ: "Line2D", art: ground, ax: c.ax}}), nil
}

type axhlineArgs struct {
	Y    float64 `arg:"y=0: where"`
	XMin float64 `arg:"xmin=0: where it begins, in fractions of the axes"`
	XMax float64 `arg:"xmax=1: where it ends"`
	lineStyle
}

type axvlineArgs struct {
	X    float64 `arg:"x=0: where"`
	YMin float64 `arg:"ymin=0: where it begins, in fractions of the axes"`
	YMax float64 `arg:"ymax=1: where it ends"`
	lineStyle
}

// across draws a line at a place, from a fraction of the axes to another.
func (c *call) across(at, from, to float64, style *lineStyle, horizontal bool) (starlark.Value, error) {
	l, err := c.newLine([]float64{from, to}, []float64{at, at}, format{color: paint{!style.Color.given, c.ax.a.Figure.Style.LineColor()}}, style)
	if err != nil {
		return nil, err
	}
	if horizontal {
		l.FracX = true
	} else {
		l.X, l.Y = l.Y, l.X
		l.FracY = true
	}
	c.ax.a.Add(l)
	return &artist{typ: "Line2D", art: l, ax: c.ax}, nil
}

type axlineArgs struct {
	A     starlark.Value `arg:"xy1: a point (x, y)"`
	B     starlark.Value `arg:"xy2=None: another point"`
	_     struct{}       `arg:"*:"`
	Slope *float64       `arg:"slope=None: instead of xy2"`
	lineStyle
}

func axline(c *call, a *axlineArgs) (starlark.Value, error) {
	if (a.B == nil) == (a.Slope == nil) {
		return nil, typeError("Exactly one of 'xy2' and 'slope' must be given")
	}
	if a.Slope != nil && (c.ax.a.X.Log || c.ax.a.Y.Log) {
		return nil, typeError("'slope' cannot be used with non-linear scales")
	}
	x, y, err := c.pair("xy1", a.A)
	if err != nil {
		return nil, err
	}
	xs, ys := []float64{x}, []float64{y}
	if a.B != nil {
		u, v, err := c.pair("xy2", a.B)
		if err != nil {
			return nil, err
		}
		if x == u && y == v {
			return nil, valueError("Cannot draw a line through two identical points (x=%g, y=%g)", x, y)
		}
		xs, ys = append(xs, u), append(ys, v)
	}
	l, err := c.newLine(xs, ys, format{color: paint{!a.Color.given, c.ax.a.Figure.Style.LineColor()}}, &a.lineStyle)
	if err != nil {
		return nil, err
	}
	if l.Endless = true; a.Slope != nil {
		l.Slope = *a.Slope
	}
	c.ax.a.Add(l)
	return &artist{typ: "Line2D", art: l, ax: c.ax}, nil
}

type linesStyle struct {
	Colors starlark.Value `arg:"colors|color|c=None: a colour, or one each"`
	Dash   starlark.Value `arg:"linestyles|linestyle|ls=None: '-', '--', '-.' or ':'"`
	Width  *float64       `arg:"linewidths|linewidth|lw=None: points"`
	common
}

type hlinesArgs struct {
	Y    starlark.Value `arg:"y: where"`
	XMin starlark.Value `arg:"xmin: where they begin"`
	XMax starlark.Value `arg:"xmax: where they end"`
	linesStyle
}

type vlinesArgs struct {
	X    starlark.Value `arg:"x: where"`
	YMin starlark.Value `arg:"ymin: where they begin"`
	YMax starlark.Value `arg:"ymax: where they end"`
	linesStyle
}

func (c *call) lines(at, from, to starlark.Value, style *linesStyle, horizontal bool) (starlark.Value, error) {
	along, across := c.ax.a.X, c.ax.a.Y
	if !horizontal {
		along, across = across, along
	}
	place, err := c.numbers("x", at, across)
	if err != nil {
		return nil, err
	}
	var ends [2][]float64
	n := len(place)
	for i, v := range []starlark.Value{from, to} {
		if ends[i], err = c.numbers([]string{"min", "max"}[i], v, along); err != nil {
			return nil, err
		}
		n = max(n, len(ends[i]))
	}
	if len(place) == 0 {
		n = 0
		ends[0], ends[1] = nil, nil
	}
	if place, err = repeat("the places", place, n); err != nil {
		return nil, err
	}
	for i := range ends {
		if ends[i], err = repeat("the ends", ends[i], n); err != nil {
			return nil, err
		}
	}
	base, err := style.base(2)
	if err != nil {
		return nil, err
	}
	colors := []plot.Color{palette.Cycle[0]}
	if style.Colors != nil {
		if colors, err = colorsOf(style.Colors); err != nil {
			return nil, err
		}
	}
	s := &plot.Segments{Base: base}
	for _, color := range colors {
		p := plot.Pen{Color: color, Width: c.ax.a.Figure.Style.LineWidth}
		if style.Width != nil {
			p.Width = *style.Width
		}
		if err := setDash(&p, style.Dash); err != nil {
			return nil, err
		}
		s.Pens = append(s.Pens, p)
	}
	for i, v := range place {
		if horizontal {
			s.Lines = append(s.Lines, []plot.Point{{X: ends[0][i], Y: v}, {X: ends[1][i], Y: v}})
		} else {
			s.Lines = append(s.Lines, []plot.Point{{X: v, Y: ends[0][i]}, {X: v, Y: ends[1][i]}})
		}
	}
	c.ax.a.Add(s)
	return &artist{typ: "LineCollection", art: s, ax: c.ax}, nil
}
