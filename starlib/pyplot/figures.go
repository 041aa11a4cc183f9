package pyplot

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/runtime/tensor"
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
	if len(c.st.figures) >= maxFigures {
		return nil, value.Failure("RuntimeError", "%d figures are open: plt.close() those that are not needed any more", maxFigures)
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

func (f *figure) resize(width, height float64) error {
	if draw.CheckSize(width, height) != nil {
		return valueError("figure size must be positive finite and at most 655 inches, not [%v %v]", width, height)
	}
	f.f.Width, f.f.Height = width, height
	return nil
}

// maxFigures is how many may be open at a time.
const maxFigures = 200

func (f *figure) clear() {
	f.f.Axes, f.f.Current, f.f.Texts, f.f.Legend, f.axes = nil, nil, nil, nil, nil
	f.f.Title, f.f.XLabel, f.f.YLabel = plot.Label{}, plot.Label{}, plot.Label{}
}

type suptitleArgs struct {
	Text starlark.Value `arg:"t: the text"`
	X    *float64       `arg:"x=None: of a title, in fractions of the figure; 0.5 if not given"`
	Y    *float64       `arg:"y=None: of a title, in fractions of the figure; 0.98 if not given"`
	labelArgs
}

// write makes the text one of a figure's.
func (a *suptitleArgs) write(f *plot.Figure, to *plot.Label) (starlark.Value, error) {
	l, err := a.label(text(a.Text))
	if err != nil {
		return nil, err
	}
	if a.X != nil {
		l.X = *a.X
	}
	if a.Y != nil {
		l.Y = *a.Y
	}
	*to = l
	return labelOf(to, 1.2*f.Style.Size, f.Style.Text), nil
}

type savefigArgs struct {
	Path   starlark.Value `arg:"fname: the file, whose ending says what it is: .png, .svg or .pdf; or a file that is open for bytes, as io.BytesIO()"`
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
	path, isPath := starlark.AsString(a.Path)
	var write starlark.Value // of a file that is open
	if !isPath {
		if write, _ = value.Attr(a.Path, "write"); write == nil {
			return nil, typeError("savefig: got %s, want the name of a file, or a file for bytes such as io.BytesIO()", value.TypeName(a.Path))
		}
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if a.Format != nil {
		format = strings.ToLower(*a.Format)
	}
	if format == "" {
		format = "png"
		path += ".png" // of a name
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
	c.fig.failed = nil
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
	switch {
	case errors.Is(err, draw.ErrStopped):
		return nil, tensor.ErrStopped
	case c.fig.failed != nil:
		return nil, c.fig.failed
	case err != nil:
		return nil, valueError("savefig: %v", err)
	}
	if write != nil {
		_, err := value.Call(c.thread, write, starlark.Tuple{starlark.Bytes(file)}, nil)
		return nil, err
	}
	return nil, c.write(path, file)
}

type closeArgs struct {
	Which starlark.Value `arg:"fig=None: a figure, its number or name, or 'all'; the current one if not given"`
}

// figureRows are functions of figures, and their methods.
var figureRows = sync.OnceValue(func() []pair {
	return []pair{
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
				return nil, value.Failure("IndexError", "GridSpec slice would result in no space allocated for subplot: (%d, %d) of %d by %d rows and columns", loc[0], loc[1], shape[0], shape[1])
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
		onFigure("- add_gridspec", "Rows and columns: fig.add_subplot(gs[0, :]) spans the first row.", "add_gridspec(2, 2)", func(c *call, a *gridSpecArgs) (starlark.Value, error) {
			return c.newGridSpec(a, c.fig)
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
			return a.write(c.fig.f, &c.fig.f.Title)
		}),
		onFigure("- supxlabel", "Writes a text below all axes.", "supxlabel('time')", func(c *call, a *suptitleArgs) (starlark.Value, error) {
			return a.write(c.fig.f, &c.fig.f.XLabel)
		}),
		onFigure("- supylabel", "Writes a text beside all axes.", "supylabel('loss')", func(c *call, a *suptitleArgs) (starlark.Value, error) {
			return a.write(c.fig.f, &c.fig.f.YLabel)
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
			return writing("Text", t, nil, c.fig), nil
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
			if len(p) != 2 {
				return nil, valueError("figure size must be positive finite and at most 655 inches, not %v", p)
			}
			return nil, c.fig.resize(p[0], p[1])
		}),
		onFigure("- set_figwidth", "Sets the width in inches.", "set_figwidth(8)", func(c *call, a *oneNumber) (starlark.Value, error) {
			return nil, c.fig.resize(a.V, c.fig.f.Height)
		}),
		onFigure("- set_figheight", "Sets the height in inches.", "set_figheight(3)", func(c *call, a *oneNumber) (starlark.Value, error) {
			return nil, c.fig.resize(c.fig.f.Width, a.V)
		}),
		onFigure("- get_figwidth", "Returns the width in inches.", "get_figwidth() # 6.4", func(c *call, _ *none) (starlark.Value, error) { return starlark.Float(c.fig.f.Width), nil }),
		onFigure("- get_figheight", "Returns the height in inches.", "get_figheight() # 4.8", func(c *call, _ *none) (starlark.Value, error) { return starlark.Float(c.fig.f.Height), nil }),
		onFigure("- get_dpi", "Returns how many pixels an inch has.", "get_dpi() # 100.0", func(c *call, _ *none) (starlark.Value, error) { return starlark.Float(c.fig.f.DPI), nil }),
		onFigure("- get_facecolor", "Returns red, green, blue and alpha of the page, from 0 to 1.", "get_facecolor() # (1.0, 1.0, 1.0, 1.0)", func(c *call, _ *none) (starlark.Value, error) { return rgba(c.fig.f.Face), nil }),
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
})

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
