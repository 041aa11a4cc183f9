package pyplot

import (
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// barRows draw bars, distributions and errors.
var barRows = []pair{
	drawing("bar", "Draws a bar for each of x, with a height. Texts as x are names.", "bar(['a', 'b', 'c'], [3, 1, 2])", func(c *call, a *barArgs) (starlark.Value, error) {
		return c.bars(bars{at: a.X, long: a.Height, thick: a.Width, from: a.Bottom, align: a.Align, err: a.YErr, otherErr: a.XErr}, &a.barStyle, false)
	}),
	drawing("barh", "Draws a horizontal bar for each of y, with a width. Texts as y are names.", "barh(['a', 'b', 'c'], [3, 1, 2])", func(c *call, a *barhArgs) (starlark.Value, error) {
		return c.bars(bars{at: a.Y, long: a.Width, thick: a.Height, from: a.Left, align: a.Align, err: a.XErr, otherErr: a.YErr}, &a.barStyle, true)
	}),
	drawing("bar_label", "Writes a number at each bar.", "bar_label(ax.bar([1, 2], [3, 4]))", barLabel),
	drawing("hist", "Draws how many of the values are in each bin, as np.histogram counts them, and returns counts, edges and bars.",
		"hist([1, 2, 2, 3, 3, 3], bins=3)", hist),
	drawing("boxplot", "Draws for each set of values a box from the first to the third quartile, a line at the median, and whiskers.\n\n"+
		"The quartiles are np.percentile's. Whiskers reach to the last value within whis times the box's height; what lies beyond are points.",
		"boxplot([[1, 2, 3, 4, 10], [2, 3, 4]])", boxplot),
	drawing("violinplot", "Draws for each set of values how dense they lie, by a Gaussian kernel of Scott's width.", "violinplot([[1, 2, 3, 4], [2, 3, 4]])", violinplot),
}

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
	color := plot.Color{}
	if style.Color == nil && style.Face == nil {
		color = c.ax.a.NextFill()
	}
	faces, edges, err := style.looks(color, c.ax.a.Figure.Style.PatchEdge)
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
	g := &plot.Polygons{Base: base}
	var parts []starlark.Value
	for i := range n {
		at, long, thick, from := list[0][i], list[1][i], list[2][i], list[3][i]
		if b.align == "center" {
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
	c.ax.a.Add(g)
	for i, name := range names { // a legend names each bar
		c.ax.a.Add(&plot.Polygons{Base: plot.Base{Label: name, Alpha: base.Alpha, Unscaled: true}, Shapes: []plot.Shape{{Face: faces[i%len(faces)], Edge: edges[i%len(edges)]}}})
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
	return &container{artist{typ: "BarContainer", art: g, ax: c.ax, parts: parts}}, nil
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
	return c.errors(x, y, ex, ey, pen, style.CapSize, plot.Base{Z: 2, Alpha: 1}, nil)
}

// errors draws error bars of x and of y.
func (c *call) errors(x, y []float64, ex, ey starlark.Value, pen plot.Pen, capSize *float64, base plot.Base, limits *[4]bool) error {
	size := c.ax.a.Figure.Style.CapSize
	if capSize != nil {
		size = *capSize
	}
	base.Label = ""
	for k, v := range []starlark.Value{ex, ey} {
		if v == nil {
			continue
		}
		name := []string{"xerr", "yerr"}[k]
		low, high, err := c.errorPair(name, v, len(x))
		if err != nil {
			return err
		}
		s := &plot.Segments{Base: base, Pens: []plot.Pen{pen}}
		var capX, capY []float64
		for i := range x {
			a, b := plot.Point{X: x[i], Y: y[i] - low[i]}, plot.Point{X: x[i], Y: y[i] + high[i]}
			if k == 0 {
				a, b = plot.Point{X: x[i] - low[i], Y: y[i]}, plot.Point{X: x[i] + high[i], Y: y[i]}
			}
			if isFinite(a.X + a.Y + b.X + b.Y) {
				s.Lines = append(s.Lines, []plot.Point{a, b})
				capX, capY = append(capX, a.X, b.X), append(capY, a.Y, b.Y)
			}
		}
		c.ax.a.Add(s)
		if size > 0 {
			shape := []string{"|", "_"}[k]
			c.ax.a.Add(&plot.Line{Base: base, X: capX, Y: capY, Pen: plot.Pen{None: true},
				Marker: plot.Marker{Shape: shape, Size: 2 * size, Face: pen.Color, Edge: pen.Color, EdgeWidth: 1}})
		}
	}
	return nil
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
	CapThick *float64       `arg:"capthick=None: accepted"`
	Every    starlark.Value `arg:"errorevery=1: accepted"`
	lineStyle
}

func errorbar(c *call, a *errorbarArgs) (starlark.Value, error) {
	x, err := c.numbers("x", a.X, c.ax.a.X)
	if err != nil {
		return nil, err
	}
	y, err := c.numbers("y", a.Y, c.ax.a.Y)
	if err != nil {
		return nil, err
	}
	if len(x) != len(y) {
		return nil, valueError("x and y must have same first dimension, but have shapes (%d,) and (%d,)", len(x), len(y))
	}
	f := format{}
	if a.Fmt != "none" && a.Fmt != "None" {
		if f, err = parseFormat(a.Fmt); err != nil && a.Fmt != "" {
			return nil, err
		}
	}
	l, err := c.newLine(x, y, f, &a.lineStyle)
	if err != nil {
		return nil, err
	}
	if a.Fmt == "none" || a.Fmt == "None" {
		l.Pen.None, l.Marker.Shape = true, ""
	}
	pen := plot.Pen{Color: a.ErrColor.or(l.Pen.Color), Width: l.Pen.Width}
	if a.ErrWidth != nil {
		pen.Width = *a.ErrWidth
	}
	c.ax.a.Add(l)
	return &container{artist{typ: "ErrorbarContainer", art: l, ax: c.ax, parts: []starlark.Value{&artist{typ: "Line2D", art: l, ax: c.ax}}}},
		c.errors(x, y, a.XErr, a.YErr, pen, a.CapSize, l.Base, nil)
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

type histArgs struct {
	X          starlark.Value `arg:"x: values, or a list of several sets"`
	Bins       starlark.Value `arg:"bins=None: how many, the edges, or a rule of np.histogram's such as 'auto'; 10 if not given"`
	Range      starlark.Value `arg:"range=None: (low, high), what lies outside is left out"`
	Density    bool           `arg:"density=False: the area is one"`
	Weights    starlark.Value `arg:"weights=None: what each value counts"`
	Cumulative starlark.Value `arg:"cumulative=False: each bin has those before it too"`
	Bottom     starlark.Value `arg:"bottom=None: where the bars begin"`
	Type       string         `arg:"histtype=\"bar\": 'bar', 'barstacked', 'step' or 'stepfilled'"`
	Align      string         `arg:"align=\"mid\": only 'mid'"`
	Turned     string         `arg:"orientation=\"vertical\": 'vertical' or 'horizontal'"`
	RWidth     *float64       `arg:"rwidth=None: how wide bars are, in bins"`
	Log        bool           `arg:"log=False: a logarithmic axis of counts"`
	Stacked    bool           `arg:"stacked=False: sets stand on each other"`
	faceArgs
	common
}

func hist(c *call, a *histArgs) (starlark.Value, error) {
	if err := oneOf("histtype", a.Type, "bar", "barstacked", "step", "stepfilled"); err != nil {
		return nil, err
	}
	if err := oneOf("orientation", a.Turned, "vertical", "horizontal"); err != nil {
		return nil, err
	}
	if err := oneOf("align", a.Align, "mid"); err != nil {
		return nil, err
	}
	sets, err := c.sets("x", a.X)
	if err != nil {
		return nil, err
	}
	counts, edges, err := c.counts(sets, a)
	if err != nil {
		return nil, err
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	names := []string{base.Label}
	if a.Label != nil && len(sets) > 1 {
		if list, ok := textsOf(a.Label); ok {
			names = list
		}
	}
	stacked := a.Stacked || a.Type == "barstacked"
	low := make([]float64, len(edges)-1)
	if a.Bottom != nil {
		if low, err = c.numbers("bottom", a.Bottom, nil); err == nil {
			low, err = repeat("bottom", low, len(edges)-1)
		}
		if err != nil {
			return nil, err
		}
	}
	axis := c.ax.a.Y
	if a.Turned == "horizontal" {
		axis = c.ax.a.X
	}
	if a.Log {
		axis.SetLog(true)
	}
	var patches []starlark.Value
	for k := range sets {
		b := base
		b.Label = ""
		if k < len(names) {
			b.Label = names[k]
		}
		set := *a
		if a.Color != nil && len(sets) > 1 {
			list, err := colorsOf(a.Color)
			if err != nil {
				return nil, err
			}
			if len(list) != len(sets) && len(list) != 1 {
				return nil, valueError("The 'color' keyword argument must have one color per dataset, but %d datasets and %d colors were provided", len(sets), len(list))
			}
			col := list[k%len(list)]
			set.Color = starlark.String(palette.Hex(col))
		}
		g, parts, err := c.histBars(&set, counts[k], edges, low, k, len(sets), stacked, b)
		if err != nil {
			return nil, err
		}
		c.ax.a.Add(g)
		patches = append(patches, &container{artist{typ: "BarContainer", art: g, ax: c.ax, parts: parts}})
		if stacked {
			next := make([]float64, len(low))
			for i := range low {
				next[i] = low[i] + counts[k][i]
			}
			low = next
		}
	}
	if len(sets) == 1 {
		return starlark.Tuple{c.vector(counts[0]), c.vector(edges), patches[0]}, nil
	}
	var rows []starlark.Value
	for k, r := range counts {
		if stacked && k > 0 {
			for i := range r {
				r[i] += counts[k-1][i]
			}
		}
		rows = append(rows, c.vector(r))
	}
	return starlark.Tuple{slot.NewList(rows), c.vector(edges), slot.NewList(patches)}, nil
}

// histBars are the bars of one of several sets.
func (c *call) histBars(a *histArgs, counts, edges, low []float64, k, n int, stacked bool, base plot.Base) (*plot.Polygons, []starlark.Value, error) {
	color := plot.Color{}
	if a.Color == nil && a.Face == nil {
		color = c.ax.a.NextFill()
	}
	faces, pens, err := a.looks(color, c.ax.a.Figure.Style.PatchEdge)
	if err != nil {
		return nil, nil, err
	}
	g := &plot.Polygons{Base: base}
	turn := func(x0, y0, x1, y1 float64) bar { return bar{x0, y0, x1 - x0, y1 - y0, 0} }
	flip := a.Turned == "horizontal"
	if a.Type == "step" || a.Type == "stepfilled" {
		var ring []plot.Point
		for i := range counts {
			ring = append(ring, plot.Point{X: edges[i], Y: low[i] + counts[i]}, plot.Point{X: edges[i+1], Y: low[i] + counts[i]})
		}
		for i := len(counts) - 1; i >= 0; i-- {
			ring = append(ring, plot.Point{X: edges[i+1], Y: low[i]}, plot.Point{X: edges[i], Y: low[i]})
		}
		if flip {
			for i, p := range ring {
				ring[i] = plot.Point{X: p.Y, Y: p.X}
			}
		}
		s := plot.Shape{Rings: [][]plot.Point{ring}, Face: faces[0], Edge: pens[0]}
		if a.Type == "step" {
			s.Face = palette.None
			if a.Edge == nil {
				s.Edge = plot.Pen{Color: faces[0], Width: pens[0].Width}
			}
		}
		g.Shapes = []plot.Shape{s}
	} else {
		for i := range counts {
			wide := edges[i+1] - edges[i]
			part, first := 1.0, 0.0
			if n > 1 && !stacked { // beside each other, with a fifth left free
				part = 0.8 / float64(n)
				first = 0.1 + part*float64(k)
			}
			if a.RWidth != nil {
				share := *a.RWidth
				if n > 1 && !stacked {
					part = share / float64(n)
					first = (1-share)/2 + part*float64(k)
				} else {
					part, first = share, (1-share)/2
				}
			}
			r := turn(edges[i]+first*wide, low[i], edges[i]+(first+part)*wide, low[i]+counts[i])
			if flip {
				r = bar{r.y, r.x, r.height, r.width, 0}
			}
			r.index = i
			g.Shapes = append(g.Shapes, plot.Rectangle(r.x, r.y, r.x+r.width, r.y+r.height, faces[i%len(faces)], pens[i%len(pens)]))
		}
	}
	var parts []starlark.Value
	for i := range counts {
		r := bar{edges[i], low[i], edges[i+1] - edges[i], counts[i], i}
		if flip {
			r = bar{r.y, r.x, r.height, r.width, i}
		}
		parts = append(parts, &artist{typ: "Rectangle", art: g, ax: c.ax, rect: &r})
	}
	if flip {
		g.StickyX = []float64{0}
	} else {
		g.StickyY = []float64{0}
	}
	return g, parts, nil
}

// sets are the vectors of a list of vectors, the columns of a matrix, or one vector.
func (c *call) sets(name string, v starlark.Value) ([][]float64, error) {
	if seq, ok := v.(starlark.Indexable); ok && seq.Len() > 0 {
		if _, isArray := v.(*np.Array); !isArray {
			if _, nested := value.Elements(seq.Index(0)); nested {
				if _, isText := starlark.AsString(seq.Index(0)); !isText {
					list := make([][]float64, seq.Len())
					for i := range list {
						var err error
						if list[i], err = c.numbers(name, seq.Index(i), nil); err != nil {
							return nil, err
						}
					}
					return list, nil
				}
			}
		}
	}
	columns, _, err := c.columns(name, v, nil)
	return columns, err
}

// counts are how many values of each set lie in each bin. All sets have the same bins.
func (c *call) counts(sets [][]float64, a *histArgs) (counts [][]float64, edges []float64, err error) {
	bins := a.Bins
	if bins == nil {
		bins = starlark.MakeInt(c.ax.a.Figure.Style.Bins)
	}
	var all []float64
	for _, s := range sets {
		for _, x := range s {
			if x == x { // nan is in no bin
				all = append(all, x)
			}
		}
	}
	var weights [][]float64
	if a.Weights != nil {
		if weights, err = c.sets("weights", a.Weights); err != nil {
			return nil, nil, err
		}
	}
	kwargs := []starlark.Tuple{}
	if a.Range != nil {
		kwargs = append(kwargs, starlark.Tuple{starlark.String("range"), a.Range})
	}
	found, err := np.CallFunction(c.thread, "histogram_bin_edges", starlark.Tuple{c.vector(all), bins}, kwargs)
	if err != nil {
		return nil, nil, err
	}
	if edges, err = c.numbers("bins", found, nil); err != nil {
		return nil, nil, err
	}
	for k, s := range sets {
		kw := []starlark.Tuple{}
		if weights != nil {
			if k >= len(weights) || len(weights[k]) != len(s) {
				return nil, nil, valueError("weights should have the same shape as x")
			}
			kw = append(kw, starlark.Tuple{starlark.String("weights"), c.vector(weights[k])})
		} else {
			s = slices.DeleteFunc(slices.Clone(s), func(x float64) bool { return x != x })
		}
		got, err := np.CallFunction(c.thread, "histogram", starlark.Tuple{c.vector(s), c.vector(edges)}, kw)
		if err != nil {
			return nil, nil, err
		}
		n, err := c.numbers("counts", got.(starlark.Tuple)[0], nil)
		if err != nil {
			return nil, nil, err
		}
		counts = append(counts, n)
	}
	total := 0.0
	for k, n := range counts {
		sum := 0.0
		for i := range n {
			sum += n[i]
		}
		total += sum
		if a.Density && !a.Stacked {
			for i := range n {
				counts[k][i] /= sum * (edges[i+1] - edges[i])
			}
		}
	}
	for k, n := range counts {
		if a.Density && a.Stacked {
			for i := range n {
				counts[k][i] /= total * (edges[i+1] - edges[i])
			}
		}
		accumulate(counts[k], edges, a)
	}
	return counts, edges, nil
}

func accumulate(n, edges []float64, a *histArgs) {
	if a.Cumulative == nil || !bool(a.Cumulative.Truth()) {
		return
	}
	if a.Density {
		for i := range n {
			n[i] *= edges[i+1] - edges[i]
		}
	}
	if d, ok := starlark.AsFloat(value.NumberOf(a.Cumulative)); ok && d < 0 {
		for i := len(n) - 2; i >= 0; i-- {
			n[i] += n[i+1]
		}
		return
	}
	for i := 1; i < len(n); i++ {
		n[i] += n[i-1]
	}
}

type boxplotArgs struct {
	X         starlark.Value `arg:"x: values, or a list of several sets"`
	Notch     *bool          `arg:"notch=None: only False"`
	Sym       *string        `arg:"sym=None: the format of points beyond; '' draws none"`
	Vert      *bool          `arg:"vert=None: False lays the boxes"`
	Whis      float64        `arg:"whis=1.5: how far whiskers reach, in heights of the box"`
	Positions starlark.Value `arg:"positions=None: where; 1, 2, ... if not given"`
	Widths    starlark.Value `arg:"widths=None: how wide"`
	Patch     bool           `arg:"patch_artist=False: the boxes are filled"`
	Labels    starlark.Value `arg:"labels|tick_labels=None: what is written below the boxes"`
	Means     bool           `arg:"showmeans=False: a triangle at the mean"`
	Fliers    *bool          `arg:"showfliers=None: False leaves out the points beyond"`
	Caps      *bool          `arg:"showcaps=None: False leaves out the caps"`
	Z         *float64       `arg:"zorder=None: what has more lies above"`
}

func boxplot(c *call, a *boxplotArgs) (starlark.Value, error) {
	if a.Notch != nil && *a.Notch {
		return nil, valueError("boxplot: notches are not in Arignote: notch=False")
	}
	sets, err := c.sets("x", a.X)
	if err != nil {
		return nil, err
	}
	n := len(sets)
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(i + 1)
	}
	if a.Positions != nil {
		if at, err = c.numbers("positions", a.Positions, nil); err != nil {
			return nil, err
		}
		if len(at) != n {
			return nil, valueError("List of boxplot statistics and `positions` values must have same the length, got %d and %d", n, len(at))
		}
	}
	widths, err := c.boxWidths(a.Widths, at, 0.15)
	if err != nil {
		return nil, err
	}
	vertical := a.Vert == nil || *a.Vert
	d := &boxDrawing{c: c, a: a, vertical: vertical, parts: map[string][]starlark.Value{}}
	for i, set := range sets {
		d.box(plot.BoxOf(set, a.Whis), at[i], widths[i])
	}
	axis := c.ax.a.X
	if !vertical {
		axis = c.ax.a.Y
	}
	if n > 0 { // half a unit is free on each side
		lo, hi := slices.Min(at)-0.5, slices.Max(at)+0.5
		room := &plot.Segments{Base: plot.Base{FracY: vertical, FracX: !vertical}}
		if vertical {
			room.Lines, room.StickyX = [][]plot.Point{{{X: lo}, {X: hi}}}, []float64{lo, hi}
		} else {
			room.Lines, room.StickyY = [][]plot.Point{{{Y: lo}, {Y: hi}}}, []float64{lo, hi}
		}
		c.ax.a.Add(room)
	}
	labels := make([]string, n)
	for i, p := range at {
		labels[i] = c.percent("%g", p)
	}
	if a.Labels != nil {
		if labels, err = texts(a.Labels); err != nil {
			return nil, err
		}
		if len(labels) != n {
			return nil, valueError("Dimensions of labels and X must be compatible, got %d and %d", len(labels), n)
		}
	}
	axis.At, axis.AtSet = append(slices.Clone(axis.At), at...), true
	axis.Names, axis.NamesSet = append(slices.Clone(axis.Names), labels...), true
	out := slot.NewDict(8)
	for _, key := range []string{"whiskers", "caps", "boxes", "medians", "fliers", "means"} {
		out.SetKey(starlark.String(key), slot.NewList(d.parts[key]))
	}
	return out, nil
}

// boxWidths are the widths of boxes and violins.
func (c *call) boxWidths(v starlark.Value, at []float64, part float64) ([]float64, error) {
	if v != nil {
		w, err := c.numbers("widths", v, nil)
		if err != nil {
			return nil, err
		}
		return repeat("widths", w, len(at))
	}
	spread := 0.0
	if len(at) > 0 {
		spread = slices.Max(at) - slices.Min(at)
	}
	w := []float64{min(max(part*spread, 0.15), 0.5)}
	return repeat("widths", w, len(at))
}

// boxDrawing draws the boxes of a box plot.
type boxDrawing struct {
	c        *call
	a        *boxplotArgs
	vertical bool
	parts    map[string][]starlark.Value
}

func (d *boxDrawing) base() plot.Base {
	b := plot.Base{Z: 2, Alpha: 1}
	if d.a.Z != nil {
		b.Z = *d.a.Z
	}
	return b
}

func (d *boxDrawing) line(key string, color plot.Color, xy ...float64) {
	l := &plot.Line{Base: d.base(), Pen: plot.Pen{Color: color, Width: 1}}
	for i := 0; i < len(xy); i += 2 {
		l.X, l.Y = append(l.X, xy[i]), append(l.Y, xy[i+1])
	}
	if !d.vertical {
		l.X, l.Y = l.Y, l.X
	}
	d.c.ax.a.Add(l)
	d.parts[key] = append(d.parts[key], &artist{typ: "Line2D", art: l, ax: d.c.ax})
}

func (d *boxDrawing) box(b plot.Box, at, width float64) {
	black, h := palette.Black, width/2
	if d.c.ax.a.Figure.Style.Text != black {
		black = d.c.ax.a.Figure.Style.Text
	}
	if d.a.Patch {
		r := plot.Rectangle(at-h, b.Q1, at+h, b.Q3, palette.Cycle[0], plot.Pen{Color: black, Width: 1})
		if !d.vertical {
			r = plot.Rectangle(b.Q1, at-h, b.Q3, at+h, palette.Cycle[0], plot.Pen{Color: black, Width: 1})
		}
		base := d.base()
		base.Z = 1
		g := &plot.Polygons{Base: base, Shapes: []plot.Shape{r}}
		d.c.ax.a.Add(g)
		d.parts["boxes"] = append(d.parts["boxes"], &artist{typ: "PathPatch", art: g, ax: d.c.ax})
	} else {
		d.line("boxes", black, at-h, b.Q1, at+h, b.Q1, at+h, b.Q3, at-h, b.Q3, at-h, b.Q1)
	}
	d.line("whiskers", black, at, b.Q1, at, b.Low)
	d.line("whiskers", black, at, b.Q3, at, b.High)
	if d.a.Caps == nil || *d.a.Caps {
		d.line("caps", black, at-h/2, b.Low, at+h/2, b.Low)
		d.line("caps", black, at-h/2, b.High, at+h/2, b.High)
	}
	d.line("medians", palette.Cycle[1], at-h, b.Median, at+h, b.Median)
	marks := func(key string, y []float64, m plot.Marker) {
		x := make([]float64, len(y))
		for i := range x {
			x[i] = at
		}
		l := &plot.Line{Base: d.base(), X: x, Y: y, Pen: plot.Pen{None: true, Color: m.Edge}, Marker: m}
		if !d.vertical {
			l.X, l.Y = l.Y, l.X
		}
		d.c.ax.a.Add(l)
		d.parts[key] = append(d.parts[key], &artist{typ: "Line2D", art: l, ax: d.c.ax})
	}
	if d.a.Means {
		marks("means", []float64{b.Mean}, plot.Marker{Shape: "^", Size: 6, Face: palette.Cycle[2], Edge: palette.Cycle[2], EdgeWidth: 1})
	}
	if (d.a.Fliers == nil || *d.a.Fliers) && (d.a.Sym == nil || *d.a.Sym != "") {
		m := plot.Marker{Shape: "o", Size: 6, Edge: black, EdgeWidth: 1}
		if d.a.Sym != nil {
			if f, err := parseFormat(*d.a.Sym); err == nil {
				if f.marked {
					m.Shape = f.marker
				}
				m.Edge = f.color.or(black)
			}
		}
		marks("fliers", b.Beyond, m)
	}
}

type violinArgs struct {
	Data      starlark.Value `arg:"dataset: values, or a list of several sets"`
	Positions starlark.Value `arg:"positions=None: where; 1, 2, ... if not given"`
	Vert      *bool          `arg:"vert=None: False lays them"`
	Widths    starlark.Value `arg:"widths=0.5: how wide"`
	Means     bool           `arg:"showmeans=False: a line at the mean"`
	Extrema   *bool          `arg:"showextrema=None: False leaves out the lines at the ends"`
	Medians   bool           `arg:"showmedians=False: a line at the median"`
	Points    int            `arg:"points=100: where the density is computed"`
}

func violinplot(c *call, a *violinArgs) (starlark.Value, error) {
	sets, err := c.sets("dataset", a.Data)
	if err != nil {
		return nil, err
	}
	at := make([]float64, len(sets))
	for i := range at {
		at[i] = float64(i + 1)
	}
	if a.Positions != nil {
		if at, err = c.numbers("positions", a.Positions, nil); err != nil {
			return nil, err
		}
		if len(at) != len(sets) {
			return nil, valueError("List of violinplot statistics and `positions` values must have the same length, got %d and %d", len(sets), len(at))
		}
	}
	if a.Points < 2 || a.Points > 10000 {
		return nil, valueError("points must be from 2 to 10000, got %d", a.Points)
	}
	widths := []float64{0.5}
	if a.Widths != nil {
		if widths, err = c.numbers("widths", a.Widths, nil); err != nil {
			return nil, err
		}
	}
	if widths, err = repeat("widths", widths, len(sets)); err != nil {
		return nil, err
	}
	vertical := a.Vert == nil || *a.Vert
	point := func(x, y float64) plot.Point {
		if vertical {
			return plot.Point{X: x, Y: y}
		}
		return plot.Point{X: y, Y: x}
	}
	color := c.ax.a.NextColor()
	bodies := &plot.Polygons{Base: plot.Base{Z: 1, Alpha: 0.3}}
	bars := &plot.Segments{Base: plot.Base{Z: 2, Alpha: 1}, Pens: []plot.Pen{{Color: color, Width: 1.5}}}
	for i, set := range sets {
		y, density := plot.Density(set, a.Points)
		if len(y) == 0 {
			return nil, valueError("violinplot: set %d has no finite values", i)
		}
		top := slices.Max(density)
		var right, left []plot.Point
		for k := range y {
			w := 0.5 * widths[i] * density[k] / top
			right = append(right, point(at[i]+w, y[k]))
			left = append(left, point(at[i]-w, y[k]))
		}
		bodies.Shapes = append(bodies.Shapes, plot.Shape{Rings: [][]plot.Point{append(right, reversed(left)...)}, Face: color, Edge: plot.Pen{None: true}})
		b := plot.BoxOf(set, math.Inf(1))
		h := widths[i] / 4
		cross := func(v float64) { bars.Lines = append(bars.Lines, []plot.Point{point(at[i]-h, v), point(at[i]+h, v)}) }
		if a.Extrema == nil || *a.Extrema {
			cross(b.Low)
			cross(b.High)
			bars.Lines = append(bars.Lines, []plot.Point{point(at[i], b.Low), point(at[i], b.High)})
		}
		if a.Means {
			cross(b.Mean)
		}
		if a.Medians {
			cross(b.Median)
		}
	}
	c.ax.a.Add(bodies)
	c.ax.a.Add(bars)
	out := slot.NewDict(2)
	out.SetKey(starlark.String("bodies"), slot.NewList([]starlark.Value{&artist{typ: "PolyCollection", art: bodies, ax: c.ax}}))
	out.SetKey(starlark.String("cbars"), &artist{typ: "LineCollection", art: bars, ax: c.ax})
	return out, nil
}
