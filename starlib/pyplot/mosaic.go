package pyplot

import (
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type mosaicArgs struct {
	Mosaic   starlark.Value `arg:"mosaic: names of axes by rows, as lists of lists or as text: 'AB;CC'"`
	_        struct{}       `arg:"*:"`
	ShareX   bool           `arg:"sharex=False: all have the same limits of x"`
	ShareY   bool           `arg:"sharey=False: all have the same limits of y"`
	Widths   starlark.Value `arg:"width_ratios=None: of the columns"`
	Heights  starlark.Value `arg:"height_ratios=None: of the rows"`
	Empty    starlark.Value `arg:"empty_sentinel=\".\": the name of places without axes"`
	Subplot  starlark.Value `arg:"subplot_kw=None: a dict of what add_subplot takes: facecolor, xlim ..."`
	GridSpec starlark.Value `arg:"gridspec_kw=None: a dict: wspace, hspace, left, right, bottom, top"`
}

type pltMosaicArgs struct {
	mosaicArgs
	figureArgs
}

// names are the rows of a mosaic.
func (a *mosaicArgs) names() (rows [][]starlark.Value, err error) {
	if text, ok := starlark.AsString(a.Mosaic); ok {
		lines := strings.Split(text, ";")
		if strings.Contains(text, "\n") {
			lines = strings.Split(strings.Trim(text, "\n"), "\n")
		}
		for _, line := range lines {
			var row []starlark.Value
			for _, name := range strings.TrimSpace(line) {
				row = append(row, starlark.String(name))
			}
			rows = append(rows, row)
		}
	} else if list, ok := value.Elements(a.Mosaic); ok {
		for line := range starlark.Elements(list) {
			var row []starlark.Value
			elements, ok := value.Elements(line)
			if !ok {
				return nil, typeError("mosaic: got a row of %s, want a list of names", value.TypeName(line))
			}
			for name := range starlark.Elements(elements) {
				row = append(row, name)
			}
			rows = append(rows, row)
		}
	} else {
		return nil, typeError("mosaic: got %s, want lists of names or a text such as 'AB;CC'", value.TypeName(a.Mosaic))
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, valueError("mosaic: got no names")
	}
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, valueError("All of the rows must be the same length, however the first row (%s) has length %d and another one has length %d",
				value.Repr(slot.NewList(rows[0])), len(rows[0]), len(row))
		}
	}
	if len(rows)*len(rows[0]) > 2500 {
		return nil, valueError("mosaic: got %d by %d places, want at most 2500", len(rows), len(rows[0]))
	}
	return rows, nil
}

// mosaic adds the axes of a mosaic, and returns them by their names. Each has to be a rectangle.
func (f *figure) mosaic(c *call, a *mosaicArgs) (starlark.Value, error) {
	rows, err := a.names()
	if err != nil {
		return nil, err
	}
	widths, heights, err := c.ratios(f, &subplotsArgs{Rows: len(rows), Columns: len(rows[0]), Widths: a.Widths, Heights: a.Heights, GridSpec: a.GridSpec})
	if err != nil {
		return nil, err
	}
	empty := a.Empty
	if empty == nil {
		empty = starlark.String(".")
	}
	cells := slot.NewDict(0)
	for i, row := range rows {
		for k, name := range row {
			if same, err := starlark.Equal(name, empty); err != nil || same {
				continue
			}
			v, found, err := cells.Get(name)
			if err != nil {
				return nil, typeError("mosaic: got the name %s: %v", value.Repr(name), err)
			}
			if !found {
				v = &gridSpec{cell: plot.Cell{Rows: len(rows), Columns: len(row), Row: i, Column: k, WidthRatios: widths, HeightRat: heights}}
				if err := cells.SetKey(name, v); err != nil {
					return nil, err
				}
			}
			cell := &v.(*gridSpec).cell
			cell.Column, cell.EndRow, cell.EndColumn = min(cell.Column, k), i+1, max(cell.EndColumn, k+1)
		}
	}
	out := slot.NewDict(0)
	var first *axes
	for _, kv := range cells.Items() {
		cell := kv[1].(*gridSpec).cell
		for i := cell.Row; i < cell.EndRow; i++ {
			for k := cell.Column; k < cell.EndColumn; k++ {
				if same, err := starlark.Equal(rows[i][k], kv[0]); err != nil || !same {
					return nil, valueError("While trying to layout\n%s\nwe found that the label %s specifies a non-rectangular or non-contiguous area.", value.Repr(a.Mosaic), value.Repr(kv[0]))
				}
			}
		}
		x := f.axesOf(f.f.NewAxes())
		x.a.Cell = &cell
		if first == nil {
			first = x
		} else {
			if a.ShareX {
				x.a.X.Share(first.a.X)
			}
			if a.ShareY {
				x.a.Y.Share(first.a.Y)
			}
		}
		if kw, ok := a.Subplot.(*slot.Dict); ok {
			if err := set(c, x, kw); err != nil {
				return nil, err
			}
		}
		if err := out.SetKey(kv[0], x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mosaicRows are subplot_mosaic of plt and of figures.
func mosaicRows() []pair {
	return []pair{
		free("subplot_mosaic", "Opens a figure with axes that may span rows and columns, and returns it and a dict of them by name.",
			"subplot_mosaic('AB;CC')[1].keys() # [\"A\", \"B\", \"C\"]", func(c *call, a *pltMosaicArgs) (starlark.Value, error) {
				f, err := c.newFigure(&a.figureArgs)
				if err != nil {
					return nil, err
				}
				axs, err := f.mosaic(c, &a.mosaicArgs)
				if err != nil {
					c.st.close(func(g *figure) bool { return g == f })
					return nil, err
				}
				return starlark.Tuple{f, axs}, nil
			}),
		onFigure("- subplot_mosaic", "Adds axes that may span rows and columns, and returns a dict of them by name.", "subplot_mosaic([['left', 'right'], ['below', 'below']])",
			func(c *call, a *mosaicArgs) (starlark.Value, error) { return c.fig.mosaic(c, a) }),
	}
}
