package pyplot

import (
	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type subplotsArgs struct {
	Rows     int            `arg:"nrows=1: rows"`
	Columns  int            `arg:"ncols=1: columns"`
	_        struct{}       `arg:"*:"`
	ShareX   starlark.Value `arg:"sharex=False: all have the same limits of x; 'col': those of a column"`
	ShareY   starlark.Value `arg:"sharey=False: all have the same limits of y; 'row': those of a row"`
	Squeeze  bool           `arg:"squeeze=True: one Axes is no array, and one row or column has one axis"`
	Widths   starlark.Value `arg:"width_ratios=None: of the columns"`
	Heights  starlark.Value `arg:"height_ratios=None: of the rows"`
	Subplot  starlark.Value `arg:"subplot_kw=None: a dict of what add_subplot takes: facecolor, xlim ..."`
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
			if kw, ok := a.Subplot.(*slot.Dict); ok {
				if err := set(c, x, kw); err != nil {
					return nil, err
				}
			}
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

type addSubplotArgs struct {
	Args   starlark.Tuple `arg:"*args: rows, columns and number, from 1; or the three digits as one number"`
	_      struct{}       `arg:"*:"`
	ShareX *axes          `arg:"sharex=None: Axes with the same limits of x"`
	ShareY *axes          `arg:"sharey=None: Axes with the same limits of y"`
	Proj   starlark.Value `arg:"projection=None: only 'rectilinear'"`
	Polar  bool           `arg:"polar=False: only False"`
	All    *slot.Dict     `arg:"**kwargs: each calls the method set_ of its name: facecolor, xlabel, xlim ..."`
}

func (f *figure) subplot(c *call, a *addSubplotArgs, reuse bool) (starlark.Value, error) {
	if a.Polar || a.Proj != nil && text(a.Proj) != "rectilinear" {
		return nil, valueError("only plane axes with x and y are in Arignote: projection='%s' is not; imshow and contour show heights", text(a.Proj))
	}
	if len(a.Args) == 1 {
		if g, ok := a.Args[0].(*gridSpec); ok {
			return f.subplotAt(c, a, g.cell, reuse)
		}
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
	return f.subplotAt(c, a, cell, reuse)
}

// subplotAt is the axes at a cell, which are those that there are if reuse says so.
func (f *figure) subplotAt(c *call, a *addSubplotArgs, cell plot.Cell, reuse bool) (starlark.Value, error) {
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
	return x, set(c, x, a.All)
}

type addAxesArgs struct {
	Rect starlark.Value `arg:"arg|rect=None: [left, bottom, width, height] in fractions of the figure; all of it with margins if not given"`
	_    struct{}       `arg:"*:"`
	All  *slot.Dict     `arg:"**kwargs: each calls the method set_ of its name: facecolor, xlabel, xlim ..."`
}

func (f *figure) addAxes(c *call, a *addAxesArgs) (starlark.Value, error) {
	if a.Rect == nil {
		x := f.add(1, 1, 0, 0)
		return x, set(c, x, a.All)
	}
	r, err := c.numbers("rect", a.Rect, nil)
	if err != nil || len(r) != 4 || !isFinite(r[0]+r[1]+r[2]+r[3]) || r[2] <= 0 || r[3] <= 0 {
		return nil, valueError("rect must be [left, bottom, width, height], got %s", value.Repr(a.Rect))
	}
	x := f.axesOf(f.f.NewAxes())
	x.a.Place = plot.Rect{X0: r[0], Y0: r[1], X1: r[0] + r[2], Y1: r[1] + r[3]}
	return x, set(c, x, a.All)
}
