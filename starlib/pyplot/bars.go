package pyplot

import (
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// barRows draw bars, distributions and errors.
var barRows = sync.OnceValue(func() []pair {
	return []pair{
		drawing("bar", "Draws a bar for each of x, with a height. Texts as x are names.", "bar(['a', 'b', 'c'], [3, 1, 2])", func(c *call, a *barArgs) (starlark.Value, error) {
			return c.bars(bars{at: a.X, long: a.Height, thick: a.Width, from: a.Bottom, align: a.Align, err: a.YErr, otherErr: a.XErr}, &a.barStyle, false)
		}),
		drawing("barh", "Draws a horizontal bar for each of y, with a width. Texts as y are names.", "barh(['a', 'b', 'c'], [3, 1, 2])", func(c *call, a *barhArgs) (starlark.Value, error) {
			return c.bars(bars{at: a.Y, long: a.Width, thick: a.Height, from: a.Left, align: a.Align, err: a.XErr, otherErr: a.YErr}, &a.barStyle, true)
		}),
		drawing("bar_label", "Writes a number at each bar.", "bar_label(plt.bar([1, 2], [3, 4]))", barLabel),
		drawing("hist", "Draws how many of the values are in each bin, as np.histogram counts them, and returns counts, edges and bars.",
			"hist([1, 2, 2, 3, 3, 3], bins=3)", hist),
		drawing("boxplot", "Draws for each set of values a box from the first to the third quartile, a line at the median, and whiskers.\n\n"+
			"The quartiles are np.percentile's. Whiskers reach to the last value within whis times the box's height; what lies beyond are points.",
			"boxplot([[1, 2, 3, 4, 10], [2, 3, 4]])", boxplot),
		drawing("violinplot", "Draws for each set of values how dense they lie, by a Gaussian kernel of Scott's width.", "violinplot([[1, 2, 3, 4], [2, 3, 4]])", violinplot),
	}
})

type barStyle struct {
	faceArgs
	common
	ErrColor paint          `arg:"ecolor=None: of error bars"`
	CapSize  *float64       `arg:"capsize=None: points, of error bars"`
	ErrorKw  starlark.Value `arg:"error_kw=None: accepted"`
	Log      bool           `arg:"log=False: a logarithmic axis of heights"`
	Ticks    starlark.Value `arg:"tick_label=None: what is written below the bars"`
}

type barArgs struct {
	X      starlark.Value `arg:"x: where, numbers or names"`
	Height starlark.Value `arg:"height: how high"`
	Width  starlark.Value `arg:"width=0.8: how wide, one or one each"`
	Bottom starlark.Value `arg:"bottom=None: where they begin; 0 if not given"`
	_      struct{}       `arg:"*:"`
	Align  string         `arg:"align=\"center\": 'center' or 'edge'"`
	YErr   starlark.Value `arg:"yerr=None: errors of the heights"`
	XErr   starlark.Value `arg:"xerr=None: errors of the places"`
	barStyle
}

type barhArgs struct {
	Y      starlark.Value `arg:"y: where, numbers or names"`
	Width  starlark.Value `arg:"width: how long"`
	Height starlark.Value `arg:"height=0.8: how thick, one or one each"`
	Left   starlark.Value `arg:"left=None: where they begin; 0 if not given"`
	_      struct{}       `arg:"*:"`
	Align  string         `arg:"align=\"center\": 'center' or 'edge'"`
	XErr   starlark.Value `arg:"xerr=None: errors of the lengths"`
	YErr   starlark.Value `arg:"yerr=None: errors of the places"`
	barStyle
}

// bars are the places and sizes of bars, across and along them.
type bars struct {
	at, long, thick, from starlark.Value
	align                 string
	err, otherErr         starlark.Value
}

func (c *call) bars(b bars, style *barStyle, horizontal bool) (starlark.Value, error) {
	across, along := c.ax.a.X, c.ax.a.Y
	if horizontal {
		across, along = along, across
	}
	if err := oneOf("align", b.align, "center", "edge"); err != nil {
		return nil, err
	}
	if b.thick == nil {
		b.thick = starlark.Float(0.8)
	}
	if b.from == nil {
		b.from = starlark.MakeInt(0)
	}
	var list [4][]float64
	n := 0
	for i, v := range []starlark.Value{b.at, b.long, b.thick, b.from} {
		axis := along
		if i == 0 {
			axis = across
		}
		x, err := c.numbers([]string{"x", "height", "width", "bottom"}[i], v, axis)
		if err != nil {
			return nil, err
		}
		list[i] = x
		if len(x) == 0 {
			n = 0
			break
		}
		n = max(n, len(x))
	}
	for i := range list {
		if len(list[i]) != 1 && len(list[i]) != n {
			return nil, valueError("shape mismatch: objects cannot be broadcast to a single shape. Got %d places and %d sizes", len(list[0]), len(list[1]))
		}
		list[i], _ = repeat("", list[i], n)
	}
	if style.Log {
		along.SetLog(true)
	}
	base, err := style.base(1)
	if err != nil {
		return nil, err
	}
	faces, edges, err := style.fill(c.ax.a.NextFill, c.ax.a.Figure.Style.PatchEdge)
	if err != nil {
		return nil, err
	}
	var names []string
	if style.Label != nil {
		if texts, ok := textsOf(style.Label); ok && len(texts) > 1 {
			if names = texts; len(names) != n {
				return nil, valueError("number of labels (%d) does not match number of bars (%d).", len(names), n)
			}
			base.Label = ""
		}
	}
	base.Contained = true
	g := &plot.Polygons{Base: base}
	parts := c.barParts(g, b.align, list, faces, edges, horizontal)
	c.ax.a.Add(g)
	for i, name := range names { // a legend names each bar
		c.ax.a.Add(&plot.Polygons{Base: plot.Base{Label: name, Alpha: base.Alpha, Unscaled: true, Contained: true}, Shapes: []plot.Shape{{Face: faces[i%len(faces)], Edge: edges[i%len(edges)]}}})
	}
	if err := c.barErrors(b, style, list, horizontal); err != nil {
		return nil, err
	}
	if style.Ticks != nil {
		labels, err := texts(style.Ticks)
		if err != nil {
			return nil, err
		}
		across.At, across.AtSet, across.Names, across.NamesSet = list[0], true, labels, true
	}
	return c.ax.contain("BarContainer", g, parts), nil
}

// barParts makes the rectangles of bars, and returns them as values.
func (c *call) barParts(g *plot.Polygons, align string, list [4][]float64, faces []plot.Color, edges []plot.Pen, horizontal bool) (parts []starlark.Value) {
	for i := range list[0] {
		at, long, thick, from := list[0][i], list[1][i], list[2][i], list[3][i]
		if align == "center" {
			at -= thick / 2
		}
		r := bar{at, from, thick, long, i}
		if horizontal {
			r = bar{from, at, long, thick, i}
		}
		g.Shapes = append(g.Shapes, plot.Rectangle(r.x, r.y, r.x+r.width, r.y+r.height, faces[i%len(faces)], edges[i%len(edges)]))
		if horizontal {
			g.StickyX = append(g.StickyX, from)
		} else {
			g.StickyY = append(g.StickyY, from)
		}
		parts = append(parts, &artist{typ: "Rectangle", art: g, ax: c.ax, rect: &r})
	}
	return parts
}

func (c *call) barErrors(b bars, style *barStyle, list [4][]float64, horizontal bool) error {
	if b.err == nil && b.otherErr == nil {
		return nil
	}
	n := len(list[0])
	ends, middles := make([]float64, n), make([]float64, n)
	for i := range n {
		ends[i], middles[i] = list[3][i]+list[1][i], list[0][i]
		if b.align == "edge" {
			middles[i] += list[2][i] / 2
		}
	}
	pen := plot.Pen{Color: style.ErrColor.or(palette.Black), Width: c.ax.a.Figure.Style.LineWidth}
	x, y, ex, ey := middles, ends, b.otherErr, b.err
	if horizontal {
		x, y, ex, ey = ends, middles, b.err, b.otherErr
	}
	_, err := c.errors(x, y, ex, ey, pen, style.CapSize, 1, plot.Base{Z: 2, Alpha: 1})
	return err
}

// errorParts are what error bars are made of, and how they look.
type errorParts struct {
	caps, lines starlark.Tuple
	looks       []plot.ErrorBar
}

// errors draws error bars of x and of y.
func (c *call) errors(x, y []float64, ex, ey starlark.Value, pen plot.Pen, capSize *float64, capThick float64, base plot.Base) (errorParts, error) {
	size := c.ax.a.Figure.Style.CapSize
	if capSize != nil {
		size = *capSize
	}
	base.Label = ""
	parts := errorParts{caps: starlark.Tuple{}, lines: starlark.Tuple{}}
	for k, v := range []starlark.Value{ex, ey} {
		if v == nil {
			continue
		}
		name := []string{"xerr", "yerr"}[k]
		low, high, err := c.errorPair(name, v, len(x))
		if err != nil {
			return parts, err
		}
		s := &plot.Segments{Base: base, Pens: []plot.Pen{pen}}
		end := plot.Marker{Shape: []string{"|", "_"}[k], Size: 2 * size, Face: pen.Color, Edge: pen.Color, EdgeWidth: capThick}
		parts.looks = append(parts.looks, plot.ErrorBar{Vertical: k == 1, Pen: pen, Cap: end})
		var ends [2]*plot.Line // below, above
		for j := range ends {
			ends[j] = &plot.Line{Base: base, Pen: plot.Pen{None: true}, Marker: end}
		}
		for i := range x {
			a, b := plot.Point{X: x[i], Y: y[i] - low[i]}, plot.Point{X: x[i], Y: y[i] + high[i]}
			if k == 0 {
				a, b = plot.Point{X: x[i] - low[i], Y: y[i]}, plot.Point{X: x[i] + high[i], Y: y[i]}
			}
			if isFinite(a.X + a.Y + b.X + b.Y) {
				s.Lines = append(s.Lines, []plot.Point{a, b})
				for j, p := range []plot.Point{a, b} {
					ends[j].X, ends[j].Y = append(ends[j].X, p.X), append(ends[j].Y, p.Y)
				}
			}
		}
		c.ax.a.Add(s)
		parts.lines = append(parts.lines, &artist{typ: "LineCollection", art: s, ax: c.ax})
		for j := 0; j < len(ends) && size > 0; j++ {
			c.ax.a.Add(ends[j])
			parts.caps = append(parts.caps, &artist{typ: "Line2D", art: ends[j], ax: c.ax})
		}
	}
	return parts, nil
}

// errorPair are errors below and above: one for all, one each, or two rows.
func (c *call) errorPair(name string, v starlark.Value, n int) (low, high []float64, err error) {
	d, err := c.array(name, v)
	if err != nil {
		return nil, nil, err
	}
	all := floats(d)
	for _, x := range all {
		if x < 0 {
			return nil, nil, valueError("'%s' must not contain negative values", name)
		}
	}
	if d.Rank() == 2 && d.Shape()[0] == 2 {
		if low, err = repeat(name, all[:d.Shape()[1]], n); err != nil {
			return nil, nil, err
		}
		high, err = repeat(name, all[d.Shape()[1]:], n)
		return low, high, err
	}
	if len(all) != 1 && len(all) != n || d.Rank() > 1 {
		return nil, nil, valueError("'%s' (%d elements) must be one number, %d or a (2, %d) array", name, len(all), n, n)
	}
	low, err = repeat(name, all, n)
	return low, low, err
}

type errorbarArgs struct {
	X        starlark.Value `arg:"x: numbers"`
	Y        starlark.Value `arg:"y: numbers"`
	YErr     starlark.Value `arg:"yerr=None: one for all, one each, or two rows: below and above"`
	XErr     starlark.Value `arg:"xerr=None: the same for x"`
	Fmt      string         `arg:"fmt=\"\": a format as plot's; 'none' draws the bars alone"`
	ErrColor paint          `arg:"ecolor=None: of the bars"`
	ErrWidth *float64       `arg:"elinewidth=None: points, of the bars"`
	CapSize  *float64       `arg:"capsize=None: points, of the caps"`
	CapThick float64        `arg:"capthick=1: points, how thick caps are"`
	Every    starlark.Value `arg:"errorevery=1: accepted"`
	Above    starlark.Value `arg:"barsabove=False: accepted"`
	lineStyle
}

func errorbar(c *call, a *errorbarArgs) (starlark.Value, error) {
	x, y, err := c.points(a.X, a.Y)
	if err != nil {
		return nil, err
	}
	f, alone := format{}, a.Fmt == "none" || a.Fmt == "None"
	if !alone {
		if f, err = parseFormat(a.Fmt); err != nil && a.Fmt != "" {
			return nil, err
		}
	}
	l, err := c.newLine(x, y, f, &a.lineStyle)
	if err != nil {
		return nil, err
	}
	pen := plot.Pen{Color: a.ErrColor.or(l.Pen.Color), Width: l.Pen.Width}
	if a.ErrWidth != nil {
		pen.Width = *a.ErrWidth
	}
	bars := l.Base
	var line starlark.Value = &artist{typ: "Line2D", art: l, ax: c.ax}
	if alone {
		l.Pen.None, l.Marker.Shape, line = true, "", starlark.None
	}
	l.Z, l.Contained = l.Z+0.1, true // above the bars
	c.ax.a.Add(l)
	parts, err := c.errors(x, y, a.XErr, a.YErr, pen, a.CapSize, a.CapThick, bars)
	if err != nil {
		return nil, err
	}
	l.Bars = parts.looks
	return c.ax.contain("ErrorbarContainer", l, []starlark.Value{line, parts.caps, parts.lines}), nil
}

type barLabelArgs struct {
	Bars   starlark.Value `arg:"container: what bar returned"`
	Labels starlark.Value `arg:"labels=None: what to write; the heights if not given"`
	_      struct{}       `arg:"*:"`
	Fmt    string         `arg:"fmt=\"%g\": how heights are written"`
	Type   string         `arg:"label_type=\"edge\": 'edge' or 'center'"`
	Pad    float64        `arg:"padding=0: points between bar and text"`
	Size   starlark.Value `arg:"fontsize|size=None: points"`
	Color  paint          `arg:"color|c=None: a colour"`
}

func barLabel(c *call, a *barLabelArgs) (starlark.Value, error) {
	b := asArtist(a.Bars)
	if b == nil || len(b.parts) == 0 && b.typ != "BarContainer" {
		return nil, typeError("bar_label: got %s, want what bar or barh returned", a.Bars.Type())
	}
	if err := oneOf("label_type", a.Type, "edge", "center"); err != nil {
		return nil, err
	}
	var labels []string
	if a.Labels != nil {
		var err error
		if labels, err = texts(a.Labels); err != nil {
			return nil, err
		}
	}
	size := 10.0
	if a.Size != nil {
		var err error
		if size, err = sizeOf(a.Size); err != nil {
			return nil, err
		}
	}
	g := b.art.(*plot.Polygons)
	horizontal := len(g.StickyX) > 0
	for i, part := range b.parts {
		r := part.(*artist).rect
		if r == nil {
			continue
		}
		v := r.height
		t := &plot.Text{Base: plot.Base{Z: 3, Alpha: 1}, X: r.x + r.width/2, Y: r.y + r.height, Size: size, Color: a.Color.or(c.ax.a.Figure.Style.Text), H: "center", V: "bottom", Dy: 2 + a.Pad}
		if v < 0 {
			t.V, t.Dy = "top", -2-a.Pad
		}
		if horizontal {
			v = r.width
			t.X, t.Y, t.H, t.V, t.Dx, t.Dy = r.x+r.width, r.y+r.height/2, "left", "center", 2+a.Pad, 0
			if v < 0 {
				t.H, t.Dx = "right", -2-a.Pad
			}
		}
		if a.Type == "center" {
			t.X, t.Y, t.H, t.V, t.Dx, t.Dy = r.x+r.width/2, r.y+r.height/2, "center", "center", 0, 0
		}
		if i < len(labels) {
			t.Text = labels[i]
		} else if t.Text = c.percent(a.Fmt, v); t.Text == "" {
			return nil, valueError("fmt: %q is no format of a number, such as '%%.2f'", a.Fmt)
		}
		c.ax.a.Add(t)
	}
	return slot.NewList(nil), nil
}

// percent writes a number by a format such as "%.2f", or "{:.2f}".
func (c *call) percent(format string, v float64) string {
	s, err := value.FormatPercent(c.thread, format, starlark.Float(v))
	if err != nil {
		return ""
	}
	return s
}
