package pyplot

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type figureArgs struct {
	Num    starlark.Value `arg:"num=None: a number or a name; of a figure that is open, it becomes the current one"`
	Size   starlark.Value `arg:"figsize=None: (width, height) in inches; (6.4, 4.8) if not given"`
	DPI    *float64       `arg:"dpi=None: pixels per inch; 100 if not given"`
	Face   paint          `arg:"facecolor=None: of the page"`
	Edge   starlark.Value `arg:"edgecolor=None: accepted"`
	Frame  starlark.Value `arg:"frameon=None: accepted"`
	Clear  bool           `arg:"clear=False: an open figure is emptied"`
	Layout starlark.Value `arg:"layout=None: 'tight' or 'constrained': margins are what labels need"`
	Tight  *bool          `arg:"tight_layout=None: margins are what labels need"`
	Constr *bool          `arg:"constrained_layout=None: margins are what labels need"`
}

func (c *call) newFigure(a *figureArgs) (*figure, error) {
	num, name := 0, ""
	switch v := a.Num.(type) {
	case nil:
	case starlark.String:
		name = string(v)
		for _, f := range c.st.figures {
			if f.name == name {
				num = f.num
			}
		}
	default:
		n, err := value.Int(v)
		if err != nil || n < 0 {
			return nil, typeError("num: got %s, want a number or a name", value.Repr(v))
		}
		num = n
	}
	if num > 0 {
		for _, f := range c.st.figures {
			if f.num == num {
				c.st.raise(f)
				c.st.showAtEnd(c.s)
				if a.Clear {
					f.clear()
				}
				return f, nil
			}
		}
	}
	w, h := 0.0, 0.0
	if a.Size != nil {
		var err error
		if w, h, err = c.twoFloats("figsize", a.Size); err != nil {
			return nil, err
		}
		if err := draw.CheckSize(w, h); err != nil {
			return nil, valueError("figure size must be positive finite and at most 655 inches, not (%g, %g)", w, h)
		}
	}
	if len(c.st.figures) >= mostFigures {
		return nil, &kindError{"RuntimeError", fmt.Sprintf("%d figures are open: plt.close() those that are not needed any more", mostFigures)}
	}
	f := c.st.open(c.s, num, name, w, h)
	if a.DPI != nil {
		if !(*a.DPI > 0 && *a.DPI <= 10000) {
			c.st.close(func(g *figure) bool { return g == f })
			return nil, valueError("dpi must be positive and at most 10000, got %g", *a.DPI)
		}
		f.f.DPI = *a.DPI
	}
	if a.Face.given {
		f.f.Face = a.Face.color
	}
	f.f.Tight = f.f.Tight || a.Layout != nil && a.Layout != starlark.None || a.Tight != nil && *a.Tight || a.Constr != nil && *a.Constr
	return f, nil
}

// mostFigures is how many may be open at a time.
const mostFigures = 200

func (f *figure) clear() {
	f.f.Axes, f.f.Current, f.f.Texts, f.f.Legend, f.axes = nil, nil, nil, nil, nil
	f.f.Title, f.f.XLabel, f.f.YLabel = plot.Label{}, plot.Label{}, plot.Label{}
}

type subplotsArgs struct {
	Rows     int            `arg:"nrows=1: rows"`
	Columns  int            `arg:"ncols=1: columns"`
	_        struct{}       `arg:"*:"`
	ShareX   starlark.Value `arg:"sharex=False: all have the same limits of x; 'col': those of a column"`
	ShareY   starlark.Value `arg:"sharey=False: all have the same limits of y; 'row': those of a row"`
	Squeeze  bool           `arg:"squeeze=True: one Axes is no array, and one row or column has one axis"`
	Widths   starlark.Value `arg:"width_ratios=None: of the columns"`
	Heights  starlark.Value `arg:"height_ratios=None: of the rows"`
	Subplot  starlark.Value `arg:"subplot_kw=None: accepted"`
	GridSpec starlark.Value `arg:"gridspec_kw=None: a dict: width_ratios, height_ratios, wspace, hspace, left, right, bottom, top"`
}

type pltSubplotsArgs struct {
	subplotsArgs
	figureArgs
}

// shares says of rows and columns whether axes share limits: "none", "all", "row" or "col".
func shares(name string, v starlark.Value) (string, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return "none", nil
	case starlark.Bool:
		if v {
			return "all", nil
		}
		return "none", nil
	}
	s, ok := starlark.AsString(v)
	if !ok {
		return "", typeError("%s: got %s, want bool, 'all', 'row', 'col' or 'none'", name, v.Type())
	}
	return s, oneOf(name, s, "all", "row", "col", "none")
}

func (f *figure) subplots(c *call, a *subplotsArgs) (starlark.Value, error) {
	if a.Rows < 1 || a.Columns < 1 || a.Rows*a.Columns > 2500 {
		return nil, valueError("Number of rows and columns must be positive and at most 2500 together, not %d and %d", a.Rows, a.Columns)
	}
	shareX, err := shares("sharex", a.ShareX)
	if err != nil {
		return nil, err
	}
	shareY, err := shares("sharey", a.ShareY)
	if err != nil {
		return nil, err
	}
	widths, heights, err := c.ratios(f, a)
	if err != nil {
		return nil, err
	}
	g := &grid{rows: a.Rows, columns: a.Columns}
	for i := range a.Rows {
		for k := range a.Columns {
			x := f.add(a.Rows, a.Columns, i, k)
			x.a.Cell.WidthRatios, x.a.Cell.HeightRat = widths, heights
			g.list = append(g.list, x)
		}
	}
	for i := range a.Rows {
		for k := range a.Columns {
			x := g.list[i*a.Columns+k].a
			with := func(how string) *plot.Axes {
				switch how {
				case "all":
					return g.list[0].a
				case "row":
					return g.list[i*a.Columns].a
				case "col":
					return g.list[k].a
				}
				return x
			}
			if o := with(shareX); o != x {
				x.X.Share(o.X)
			}
			if o := with(shareY); o != x {
				x.Y.Share(o.Y)
			}
			x.X.NoNames = (shareX == "all" || shareX == "col") && i < a.Rows-1
			x.Y.NoNames = (shareY == "all" || shareY == "row") && k > 0
		}
	}
	f.f.Current = g.list[len(g.list)-1].a
	switch {
	case !a.Squeeze:
		return g, nil
	case len(g.list) == 1:
		return g.list[0], nil
	case a.Rows == 1 || a.Columns == 1:
		return &grid{rows: len(g.list), list: g.list}, nil
	}
	return g, nil
}

// ratios reads the ratios of widths and heights, and what gridspec_kw says of margins.
func (c *call) ratios(f *figure, a *subplotsArgs) (widths, heights []float64, err error) {
	given := map[string]starlark.Value{"width_ratios": a.Widths, "height_ratios": a.Heights}
	if a.GridSpec != nil {
		m, ok := a.GridSpec.(starlark.IterableMapping)
		if !ok {
			return nil, nil, typeError("gridspec_kw: got %s, want dict", a.GridSpec.Type())
		}
		for _, kv := range m.Items() {
			key, _ := starlark.AsString(kv[0])
			if p := marginOf(&f.f.Margins, key); p != nil {
				if *p, err = c.one(key, kv[1]); err != nil {
					return nil, nil, err
				}
				continue
			}
			if given[key] == nil {
				given[key] = kv[1]
			}
		}
	}
	read := func(name string, n int) ([]float64, error) {
		v := given[name]
		if v == nil || v == starlark.None {
			return nil, nil
		}
		list, err := c.numbers(name, v, nil)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if !(x > 0) || !isFinite(x) {
				return nil, valueError("%s must be positive, got %g", name, x)
			}
		}
		if len(list) != n {
			return nil, valueError("Expected the given number of %s to match the number of rows or columns of the grid: got %d, want %d", name, len(list), n)
		}
		return list, nil
	}
	if widths, err = read("width_ratios", a.Columns); err == nil {
		heights, err = read("height_ratios", a.Rows)
	}
	return widths, heights, err
}

func marginOf(m *plot.Margins, name string) *float64 {
	return map[string]*float64{"left": &m.Left, "right": &m.Right, "bottom": &m.Bottom, "top": &m.Top, "wspace": &m.WSpace, "hspace": &m.HSpace}[name]
}

// one reads one finite number.
func (c *call) one(name string, v starlark.Value) (float64, error) {
	x, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok || !isFinite(x) {
		return 0, typeError("%s: got %s, want a number", name, value.Repr(v))
	}
	return x, nil
}

type addSubplotArgs struct {
	Args   starlark.Tuple `arg:"*args: rows, columns and number, from 1; or the three digits as one number"`
	_      struct{}       `arg:"*:"`
	ShareX *axes          `arg:"sharex=None: Axes with the same limits of x"`
	ShareY *axes          `arg:"sharey=None: Axes with the same limits of y"`
	Proj   starlark.Value `arg:"projection=None: only 'rectilinear'"`
	Polar  bool           `arg:"polar=False: only False"`
	Title  starlark.Value `arg:"title=None: the title"`
	XLabel starlark.Value `arg:"xlabel=None: the name of x"`
	YLabel starlark.Value `arg:"ylabel=None: the name of y"`
}

func (f *figure) subplot(c *call, a *addSubplotArgs, reuse bool) (starlark.Value, error) {
	if a.Polar || a.Proj != nil && text(a.Proj) != "rectilinear" {
		return nil, valueError("only plane axes with x and y are in Arignote: projection='%s' is not; imshow and contour show heights", text(a.Proj))
	}
	rows, columns, from, to := 1, 1, 1, 1
	switch args := a.Args; len(args) {
	case 0:
	case 1:
		n, err := value.Int(args[0])
		if err != nil || n < 111 || n > 999 {
			return nil, valueError("Integer subplot specification must be a three-digit number, not %s", value.Repr(args[0]))
		}
		rows, columns, from = n/100, n/10%10, n%10
		to = from
	case 3:
		var err error
		if rows, err = value.Int(args[0]); err == nil {
			columns, err = value.Int(args[1])
		}
		if err != nil {
			return nil, typeError("subplot: %v", err)
		}
		list, err := value.Ints(args[2])
		if err != nil || len(list) < 1 || len(list) > 2 {
			return nil, typeError("subplot: got %s, want a number or (first, last)", value.Repr(args[2]))
		}
		from, to = list[0], list[len(list)-1]
	default:
		return nil, typeError("subplot() takes 1 or 3 positional arguments but %d were given", len(args))
	}
	if rows < 1 || columns < 1 || rows*columns > 2500 {
		return nil, valueError("Number of rows and columns must be positive, not %d and %d", rows, columns)
	}
	if from < 1 || to < from || to > rows*columns {
		return nil, valueError("num must be an integer with 1 <= num <= %d, not %d", rows*columns, from)
	}
	cell := plot.Cell{Rows: rows, Columns: columns, Row: (from - 1) / columns, Column: (from - 1) % columns, EndRow: (to-1)/columns + 1, EndColumn: (to-1)%columns + 1}
	if cell.EndColumn <= cell.Column {
		cell.Column, cell.EndColumn = 0, columns
	}
	if reuse {
		for _, x := range f.f.Axes {
			if x.Cell != nil && x.Twin == nil && x.Cell.Rows == cell.Rows && x.Cell.Columns == cell.Columns && x.Cell.Row == cell.Row && x.Cell.Column == cell.Column && x.Cell.EndRow == cell.EndRow && x.Cell.EndColumn == cell.EndColumn {
				f.f.Current = x
				return f.axesOf(x), nil
			}
		}
	}
	x := f.axesOf(f.f.NewAxes())
	x.a.Cell = &cell
	if a.ShareX != nil {
		x.a.X.Share(a.ShareX.a.X)
	}
	if a.ShareY != nil {
		x.a.Y.Share(a.ShareY.a.Y)
	}
	for _, t := range []struct {
		v  starlark.Value
		to *plot.Label
	}{{a.Title, &x.a.Title}, {a.XLabel, &x.a.X.Label}, {a.YLabel, &x.a.Y.Label}} {
		if t.v != nil {
			t.to.Text = text(t.v)
		}
	}
	return x, nil
}

type addAxesArgs struct {
	Rect starlark.Value `arg:"rect: [left, bottom, width, height] in fractions of the figure"`
}

func (f *figure) addAxes(c *call, a *addAxesArgs) (starlark.Value, error) {
	r, err := c.numbers("rect", a.Rect, nil)
	if err != nil || len(r) != 4 || !isFinite(r[0]+r[1]+r[2]+r[3]) || r[2] <= 0 || r[3] <= 0 {
		return nil, valueError("rect must be [left, bottom, width, height], got %s", value.Repr(a.Rect))
	}
	x := f.axesOf(f.f.NewAxes())
	x.a.Place = plot.Rect{X0: r[0], Y0: r[1], X1: r[0] + r[2], Y1: r[1] + r[3]}
	return x, nil
}

type suptitleArgs struct {
	Text starlark.Value `arg:"t: the text"`
	X    starlark.Value `arg:"x=None: accepted; it stands in the middle"`
	Y    *float64       `arg:"y=None: in fractions of the figure; 0.98 if not given"`
	labelArgs
}

type savefigArgs struct {
	Path   starlark.Value `arg:"fname: the file; its ending says what it is: .png, .svg or .pdf"`
	_      struct{}       `arg:"*:"`
	DPI    starlark.Value `arg:"dpi=None: pixels per inch of PNG; the figure's if not given"`
	Format *string        `arg:"format=None: 'png', 'svg' or 'pdf'"`
	Box    starlark.Value `arg:"bbox_inches=None: 'tight' cuts to what has something on it"`
	Pad    starlark.Value `arg:"pad_inches=None: accepted"`
	Face   starlark.Value `arg:"facecolor=None: of the page"`
	Edge   starlark.Value `arg:"edgecolor=None: accepted"`
	Open   bool           `arg:"transparent=False: without the page"`
	Orient starlark.Value `arg:"orientation|metadata|papertype=None: accepted"`
}

func savefig(c *call, a *savefigArgs) (starlark.Value, error) {
	path, ok := starlark.AsString(a.Path)
	if !ok {
		return nil, typeError("savefig: got %s, want the name of a file", a.Path.Type())
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if a.Format != nil {
		format = strings.ToLower(*a.Format)
	}
	if format == "" {
		format = "png"
		path += ".png"
	}
	o := draw.Output{Transparent: a.Open}
	if s, ok := starlark.AsString(a.Box); ok {
		if err := oneOf("bbox_inches", s, "tight"); err != nil {
			return nil, err
		}
		o.Tight = true
	}
	if a.DPI != nil {
		if s, isText := starlark.AsString(a.DPI); !isText || s != "figure" {
			dpi, err := c.one("dpi", a.DPI)
			if err != nil || !(dpi > 0 && dpi <= 10000) {
				return nil, valueError("dpi must be positive and at most 10000, got %s", value.Repr(a.DPI))
			}
			o.DPI = dpi
		}
	}
	if a.Face != nil {
		if s, isText := starlark.AsString(a.Face); !isText || s != "auto" {
			col, err := colorOf(a.Face)
			if err != nil {
				return nil, err
			}
			o.Face = &col
		}
	}
	var file []byte
	var err error
	switch format {
	case "png":
		file, _, _, err = draw.PNG(c.fig.f, o)
	case "svg":
		file, err = draw.SVG(c.fig.f, o)
	case "pdf":
		file, err = draw.PDF(c.fig.f, o)
	default:
		return nil, valueError("Format '%s' is not supported (supported formats: pdf, png, svg)", format)
	}
	if err != nil {
		return nil, valueError("savefig: %v", err)
	}
	return nil, c.write(path, file)
}

type colorbarArgs struct {
	Mappable starlark.Value `arg:"mappable=None: what imshow, scatter, contour ... returned; the last such if not given"`
	CAx      *axes          `arg:"cax=None: Axes to draw it on"`
	Ax       starlark.Value `arg:"ax=None: Axes that it takes its room of"`
	_        struct{}       `arg:"*:"`
	Turned   *string        `arg:"orientation=None: 'vertical' or 'horizontal'"`
	Label    starlark.Value `arg:"label=None: its name"`
	Ticks    starlark.Value `arg:"ticks=None: where numbers stand"`
	Fraction *float64       `arg:"fraction=None: the part of the room that it takes; 0.15 if not given"`
	Pad      *float64       `arg:"pad=None: the part between; 0.05 if not given"`
	Shrink   float64        `arg:"shrink=1: its length"`
	Aspect   starlark.Value `arg:"aspect=None: accepted"`
	Extend   starlark.Value `arg:"extend=None: accepted"`
	Format   *string        `arg:"format=None: how numbers are written, as '%.2f'"`
	Loc      starlark.Value `arg:"location=None: 'right' or 'bottom'"`
}

func colorbar(c *call, a *colorbarArgs) (starlark.Value, error) {
	var scale *plot.Scale
	var ax *axes
	if m := asArtist(a.Mappable); m != nil {
		scale, ax = m.art.Common().Scale, m.ax
	} else if a.Mappable == nil {
		art := c.fig.lastMapped
		if art == nil {
			return nil, &kindError{"RuntimeError", "No mappable was found to use for colorbar creation. First define a mappable such as an image (with imshow) or a contour set (with contourf)."}
		}
		scale, ax = art.Common().Scale, c.fig.axesOf(c.fig.f.Current)
	} else {
		return nil, typeError("colorbar: got %s, want what imshow, scatter, contour or pcolormesh returned", a.Mappable.Type())
	}
	if scale == nil {
		return nil, &kindError{"RuntimeError", "colorbar: this has no numbers that a colour map shows: give scatter c=, or imshow a matrix"}
	}
	if x, ok := a.Ax.(*axes); ok {
		ax = x
	} else if g, ok := a.Ax.(*grid); ok && len(g.list) > 0 {
		ax = g.list[len(g.list)-1]
	}
	horizontal := a.Turned != nil && *a.Turned == "horizontal" || a.Loc != nil && text(a.Loc) == "bottom"
	if a.Turned != nil {
		if err := oneOf("orientation", *a.Turned, "vertical", "horizontal"); err != nil {
			return nil, err
		}
	}
	fraction, pad := 0.15, 0.05
	if horizontal {
		pad = 0.15
	}
	if a.Fraction != nil {
		fraction = *a.Fraction
	}
	if a.Pad != nil {
		pad = *a.Pad
	}
	if !(fraction > 0 && fraction < 0.9) || !(pad >= 0 && fraction+pad < 0.95) || !(a.Shrink > 0 && a.Shrink <= 1) {
		return nil, valueError("colorbar: fraction (%g), pad (%g) and shrink (%g) must leave room for the axes", fraction, pad, a.Shrink)
	}
	fig := ax.fig
	var bar *plot.Axes
	if a.CAx != nil {
		bar = a.CAx.a
		bar.Bar = &plot.Bar{Scale: scale, Horizontal: horizontal}
		bar.X.NoTicks, bar.Y.NoTicks, bar.Y.Far = !horizontal, horizontal, !horizontal
	} else {
		bar = fig.f.NewBar(ax.a, scale, horizontal, fraction, pad, a.Shrink)
	}
	axis := bar.Y
	if horizontal {
		axis = bar.X
	}
	lo, hi := scale.Lo, scale.Hi
	levels := scale.Levels
	if levels == nil {
		levels = scale.Lines
	}
	if levels != nil {
		lo, hi = levels[0], levels[len(levels)-1]
		axis.At, axis.AtSet = levels, true
		if n := len(levels); n > 12 {
			axis.At = nil
			for i := 0; i < n; i += n/8 + 1 {
				axis.At = append(axis.At, levels[i])
			}
		}
	}
	if lo == hi {
		lo, hi = plot.Apart(lo, hi)
	}
	axis.Set(lo, hi)
	axis.Log = scale.Log
	if a.Ticks != nil {
		at, err := c.numbers("ticks", a.Ticks, nil)
		if err != nil {
			return nil, err
		}
		axis.At, axis.AtSet = at, true
	}
	if a.Format != nil {
		format := *a.Format
		if c.percent(format, 1) == "" {
			return nil, valueError("format: %q is no format of a number, such as '%%.2f'", format)
		}
		axis.Format = func(x float64) string { return c.percent(format, x) }
	}
	if a.Label != nil {
		axis.Label.Text = text(a.Label)
	}
	return &colorbarValue{ax: fig.axesOf(bar), axis: axis}, nil
}

// mappable notes what was drawn last by a colour map.
func (f *figure) mappable(art plot.Artist) {
	if art.Common().Scale != nil {
		f.lastMapped = art
	}
}

// A colorbarValue is the value of a colour bar.
type colorbarValue struct {
	identity
	ax   *axes
	axis *plot.Axis
}

func (b *colorbarValue) Type() string          { return "Colorbar" }
func (b *colorbarValue) String() string        { return "<Colorbar>" }
func (b *colorbarValue) Hash() (uint32, error) { return unhashable("Colorbar") }
func (b *colorbarValue) Table() *value.Methods { return colorbarMethods() }
func (b *colorbarValue) AttrNames() []string   { return colorbarMethods().Names() }
func (b *colorbarValue) Attr(name string) (starlark.Value, error) {
	return colorbarMethods().Attr(b, name)
}

type closeArgs struct {
	Which starlark.Value `arg:"fig=None: a figure, its number or name, or 'all'; the current one if not given"`
}

type gcaArgs struct{}

// figureRows are functions of figures, and their methods.
var figureRows = []pair{
	free("figure", "Opens a figure, which becomes the current one.", "figure(figsize=(8, 3))", func(c *call, a *figureArgs) (starlark.Value, error) { return orNil(c.newFigure(a)) }),
	free("subplots", "Opens a figure with rows and columns of axes, and returns it and them: one Axes, or an array of them.", "subplots(1, 2, figsize=(8, 3))", func(c *call, a *pltSubplotsArgs) (starlark.Value, error) {
		f, err := c.newFigure(&a.figureArgs)
		if err != nil {
			return nil, err
		}
		axs, err := f.subplots(c, &a.subplotsArgs)
		if err != nil {
			c.st.close(func(g *figure) bool { return g == f })
			return nil, err
		}
		return starlark.Tuple{f, axs}, nil
	}),
	onFigure("- subplots", "Adds rows and columns of axes, and returns them.", "subplots(1, 2).shape # (2,)", func(c *call, a *subplotsArgs) (starlark.Value, error) { return c.fig.subplots(c, a) }),
	onFigure("subplot -", "Makes the axes at a place of rows and columns the current one; it is new if there is none.", "subplot(2, 1, 1)", func(c *call, a *addSubplotArgs) (starlark.Value, error) {
		return c.fig.subplot(c, a, true)
	}),
	onFigure("subplot2grid -", "Adds an axes at (row, column) of a grid of (rows, columns), which may span several.", "subplot2grid((2, 2), (0, 0), colspan=2)", func(c *call, a *struct {
		Shape   starlark.Value `arg:"shape: (rows, columns)"`
		Loc     starlark.Value `arg:"loc: (row, column), from 0"`
		RowSpan int            `arg:"rowspan=1: how many rows"`
		ColSpan int            `arg:"colspan=1: how many columns"`
	}) (starlark.Value, error) {
		shape, err := value.Ints(a.Shape)
		if err != nil || len(shape) != 2 {
			return nil, typeError("shape: got %s, want (rows, columns)", value.Repr(a.Shape))
		}
		loc, err := value.Ints(a.Loc)
		if err != nil || len(loc) != 2 {
			return nil, typeError("loc: got %s, want (row, column)", value.Repr(a.Loc))
		}
		cell := plot.Cell{Rows: shape[0], Columns: shape[1], Row: loc[0], Column: loc[1], EndRow: loc[0] + a.RowSpan, EndColumn: loc[1] + a.ColSpan}
		if cell.Rows < 1 || cell.Columns < 1 || cell.Rows*cell.Columns > 2500 || cell.Row < 0 || cell.Column < 0 || a.RowSpan < 1 || a.ColSpan < 1 || cell.EndRow > cell.Rows || cell.EndColumn > cell.Columns {
			return nil, &kindError{"IndexError", fmt.Sprintf("GridSpec slice would result in no space allocated for subplot: (%d, %d) of %d by %d rows and columns", loc[0], loc[1], shape[0], shape[1])}
		}
		x := c.fig.axesOf(c.fig.f.NewAxes())
		x.a.Cell = &cell
		return x, nil
	}),
	onFigure("- clf", "Empties the figure.", "clf()", func(c *call, _ *none) (starlark.Value, error) {
		c.fig.clear()
		return nil, nil
	}),
	onFigure("- add_subplot", "Adds an axes at a place of rows and columns.", "add_subplot(2, 1, 1)", func(c *call, a *addSubplotArgs) (starlark.Value, error) {
		return c.fig.subplot(c, a, false)
	}),
	onFigure("axes add_axes", "Adds an axes at [left, bottom, width, height], in fractions of the figure.", "axes([0.1, 0.1, 0.8, 0.8])", func(c *call, a *addAxesArgs) (starlark.Value, error) { return c.fig.addAxes(c, a) }),
	onFigure("gca", "Returns the current axes.", "gca()", func(c *call, _ *none) (starlark.Value, error) {
		if c.fig.f.Current == nil {
			return c.fig.add(1, 1, 0, 0), nil
		}
		return c.fig.axesOf(c.fig.f.Current), nil
	}),
	free("gcf", "Returns the current figure.", "gcf()", func(c *call, _ *none) (starlark.Value, error) { return c.st.currentFigure(c.s), nil }),
	free("sca", "Makes an axes the current one.", "sca(plt.gca())", func(c *call, a *struct {
		Ax *axes `arg:"ax: Axes"`
	}) (starlark.Value, error) {
		a.Ax.fig.f.Current = a.Ax.a
		c.st.raise(a.Ax.fig)
		return nil, nil
	}),
	free("close", "Closes a figure, which is not shown then.", "close('all')", closeFigures),
	onFigure("clf clear", "Empties the figure.", "clf()", func(c *call, _ *none) (starlark.Value, error) {
		c.fig.clear()
		return nil, nil
	}),
	onFigure("suptitle", "Writes a title above all axes.", "suptitle('Results')", func(c *call, a *suptitleArgs) (starlark.Value, error) {
		l, err := a.label(text(a.Text))
		if a.Y != nil {
			l.Y = *a.Y
		}
		c.fig.f.Title = l
		return nil, err
	}),
	onFigure("- supxlabel", "Writes a text below all axes.", "supxlabel('time')", func(c *call, a *suptitleArgs) (starlark.Value, error) {
		l, err := a.label(text(a.Text))
		c.fig.f.XLabel = l
		return nil, err
	}),
	onFigure("- supylabel", "Writes a text beside all axes.", "supylabel('loss')", func(c *call, a *suptitleArgs) (starlark.Value, error) {
		l, err := a.label(text(a.Text))
		c.fig.f.YLabel = l
		return nil, err
	}),
	onFigure("figtext text", "Writes at a fraction of the figure.", "figtext(0.5, 0.01, 'source', ha='center')", func(c *call, a *textArgs) (starlark.Value, error) {
		t, err := c.newText(a.Text, &a.labelArgs)
		if err != nil {
			return nil, err
		}
		if t.X, err = c.one("x", a.X); err == nil {
			t.Y, err = c.one("y", a.Y)
		}
		if err != nil {
			return nil, err
		}
		t.FracX, t.FracY = true, true
		c.fig.f.Texts = append(c.fig.f.Texts, t)
		return nil, nil
	}),
	onFigure("figlegend legend", "Names what was drawn on all axes.", "figlegend()", func(c *call, a *legendArgs) (starlark.Value, error) {
		l, err := c.newLegend(a)
		if err != nil {
			return nil, err
		}
		if l.Loc == "best" {
			l.Loc = "upper right"
		}
		c.fig.f.Legend = l
		return nil, nil
	}),
	onFigure("tight_layout", "Makes the margins what labels and titles need.", "tight_layout()", func(c *call, _ *layoutArgs) (starlark.Value, error) {
		c.fig.f.Tight = true
		return nil, nil
	}),
	onFigure("subplots_adjust", "Sets the margins of the figure, in fractions of it, and the room between axes, in fractions of theirs.", "subplots_adjust(hspace=0.4)", adjust),
	onFigure("savefig", "Writes the figure to a file: PNG, SVG or PDF.", "savefig('loss.png', dpi=150)", savefig),
	onFigure("colorbar", "Explains the colours of an image, a scatter or a contour beside its axes.", "colorbar(plt.imshow([[0, 1], [2, 3]]))", colorbar),
	onFigure("- get_axes", "Returns the list of all axes.", "get_axes()", func(c *call, _ *none) (starlark.Value, error) { return c.fig.axesList(), nil }),
	onFigure("delaxes delaxes", "Takes an axes off the figure.", "delaxes()", func(c *call, a *struct {
		Ax *axes `arg:"ax=None: Axes; the current one if not given"`
	}) (starlark.Value, error) {
		if a.Ax != nil {
			a.Ax.fig.f.Remove(a.Ax.a)
		} else if c.fig.f.Current != nil {
			c.fig.f.Remove(c.fig.f.Current)
		}
		return nil, nil
	}),
	onFigure("- set_size_inches", "Sets the size in inches.", "set_size_inches(8, 3)", func(c *call, a *sizeArgs) (starlark.Value, error) {
		p, err := c.numbers("size", a.W, nil)
		if err != nil {
			return nil, err
		}
		if a.H != nil {
			p = append(p[:1:1], *a.H)
		}
		if len(p) != 2 || draw.CheckSize(p[0], p[1]) != nil {
			return nil, valueError("figure size must be positive finite and at most 655 inches, not %v", p)
		}
		c.fig.f.Width, c.fig.f.Height = p[0], p[1]
		return nil, nil
	}),
	onFigure("- get_size_inches", "Returns width and height in inches.", "get_size_inches() # array([6.4, 4.8])", func(c *call, _ *none) (starlark.Value, error) {
		return c.vector([]float64{c.fig.f.Width, c.fig.f.Height}), nil
	}),
	onFigure("- set_dpi", "Sets how many pixels an inch has.", "set_dpi(150)", func(c *call, a *struct {
		V float64 `arg:"val: pixels per inch"`
	}) (starlark.Value, error) {
		if !(a.V > 0 && a.V <= 10000) {
			return nil, valueError("dpi must be positive and at most 10000, got %g", a.V)
		}
		c.fig.f.DPI = a.V
		return nil, nil
	}),
	onFigure("- set_facecolor", "Sets the colour of the page.", "set_facecolor('lightgray')", func(c *call, a *struct {
		C paint `arg:"color: a colour"`
	}) (starlark.Value, error) {
		c.fig.f.Face = a.C.color
		return nil, nil
	}),
	onFigure("- autofmt_xdate", "Turns the numbers of x by 30 degrees.", "autofmt_xdate()", func(c *call, _ *none) (starlark.Value, error) {
		for _, x := range c.fig.f.Axes {
			x.X.Ticks.Rotation, x.X.Ticks.Align = 30, "right"
		}
		return nil, nil
	}),
	free("fignum_exists", "Says whether a figure of a number is open.", "fignum_exists(99) # False", func(c *call, a *struct {
		N int `arg:"num: a number"`
	}) (starlark.Value, error) {
		return starlark.Bool(slices.ContainsFunc(c.st.figures, func(f *figure) bool { return f.num == a.N })), nil
	}),
	free("get_fignums", "Returns the numbers of the open figures.", "close('all'); plt.get_fignums() # []", func(c *call, _ *none) (starlark.Value, error) {
		var list []starlark.Value
		for _, f := range c.st.figures {
			list = append(list, starlark.MakeInt(f.num))
		}
		return slot.NewList(list), nil
	}),
	free("show", "Shows the open figures now, and closes them.", "show()", func(c *call, _ *showArgs) (starlark.Value, error) {
		c.st.show(c.s)
		return nil, nil
	}),
}

type showArgs struct {
	Block starlark.Value `arg:"block=None: accepted; nothing waits"`
}

type layoutArgs struct {
	Pad  starlark.Value `arg:"pad=None: accepted"`
	H    starlark.Value `arg:"h_pad=None: accepted"`
	W    starlark.Value `arg:"w_pad=None: accepted"`
	Rect starlark.Value `arg:"rect=None: accepted"`
}

type sizeArgs struct {
	W starlark.Value `arg:"w: the width, or (width, height)"`
	H *float64       `arg:"h=None: the height"`
	F starlark.Value `arg:"forward=None: accepted"`
}

type adjustArgs struct {
	Left   *float64 `arg:"left=None: where the first axes begins"`
	Bottom *float64 `arg:"bottom=None: where the lowest begins"`
	Right  *float64 `arg:"right=None: where the last ends"`
	Top    *float64 `arg:"top=None: where the upper one ends"`
	WSpace *float64 `arg:"wspace=None: between columns"`
	HSpace *float64 `arg:"hspace=None: between rows"`
}

func adjust(c *call, a *adjustArgs) (starlark.Value, error) {
	m := c.fig.f.Margins
	for name, v := range map[string]*float64{"left": a.Left, "bottom": a.Bottom, "right": a.Right, "top": a.Top, "wspace": a.WSpace, "hspace": a.HSpace} {
		if v != nil {
			if !isFinite(*v) {
				return nil, valueError("%s must be finite", name)
			}
			*marginOf(&m, name) = *v
		}
	}
	if m.Left >= m.Right {
		return nil, valueError("left cannot be >= right, got %g and %g", m.Left, m.Right)
	}
	if m.Bottom >= m.Top {
		return nil, valueError("bottom cannot be >= top, got %g and %g", m.Bottom, m.Top)
	}
	c.fig.f.Margins, c.fig.f.Tight = m, false
	return nil, nil
}

func orNil(f *figure, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func closeFigures(c *call, a *closeArgs) (starlark.Value, error) {
	switch v := a.Which.(type) {
	case nil:
		if n := len(c.st.figures); n > 0 {
			c.st.figures = c.st.figures[:n-1]
		}
	case *figure:
		c.st.close(func(f *figure) bool { return f == v })
	case starlark.String:
		c.st.close(func(f *figure) bool { return v == "all" || f.name == string(v) })
	default:
		n, err := value.Int(v)
		if err != nil {
			return nil, typeError("close() argument must be a Figure, an int, string, or None, not %s", v.Type())
		}
		c.st.close(func(f *figure) bool { return f.num == n })
	}
	return nil, nil
}

func (f *figure) axesList() starlark.Value {
	var list []starlark.Value
	for _, x := range f.f.Axes {
		list = append(list, f.axesOf(x))
	}
	return slot.NewList(list)
}
