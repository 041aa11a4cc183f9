package pyplot

import (
	"fmt"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A gridSpec is rows and columns that axes may span: gs[0, :].
type gridSpec struct {
	identity
	cell plot.Cell // the whole of it
}

var _ starlark.Mapping = (*gridSpec)(nil)

func (g *gridSpec) Type() string { return "GridSpec" }
func (g *gridSpec) String() string {
	return fmt.Sprintf("GridSpec(%d, %d)", g.cell.Rows, g.cell.Columns)
}
func (g *gridSpec) Hash() (uint32, error) { return unhashable("GridSpec") }

// Get is a part of it: of a row and a column, or of a number that counts along the rows.
func (g *gridSpec) Get(key starlark.Value) (starlark.Value, bool, error) {
	t, ok := key.(starlark.Tuple)
	if !ok {
		list, _, err := indices(key, g.cell.Rows*g.cell.Columns, 0)
		if err != nil || len(list) == 0 {
			return nil, false, err
		}
		first, last := list[0], list[len(list)-1]
		return g.part(first/g.cell.Columns, last/g.cell.Columns, first%g.cell.Columns, last%g.cell.Columns), true, nil
	}
	if len(t) != 2 {
		return nil, false, valueError("Unrecognized subplot spec: got %s, want gs[row, column]", value.Repr(key))
	}
	rows, _, err := indices(t[0], g.cell.Rows, 0)
	if err != nil {
		return nil, false, err
	}
	columns, _, err := indices(t[1], g.cell.Columns, 1)
	if err != nil {
		return nil, false, err
	}
	if len(rows) == 0 || len(columns) == 0 {
		return nil, false, value.Failure("IndexError", "GridSpec slice would result in no space allocated for subplot")
	}
	return g.part(rows[0], rows[len(rows)-1], columns[0], columns[len(columns)-1]), true, nil
}

func (g *gridSpec) part(row, endRow, column, endColumn int) *gridSpec {
	cell := g.cell
	cell.Row, cell.EndRow, cell.Column, cell.EndColumn = row, endRow+1, min(column, endColumn), max(column, endColumn)+1
	return &gridSpec{cell: cell}
}

type gridSpecArgs struct {
	Rows    int            `arg:"nrows=1: rows"`
	Columns int            `arg:"ncols=1: columns"`
	Figure  starlark.Value `arg:"figure=None: the figure whose margins wspace and the like set"`
	_       struct{}       `arg:"*:"`
	Widths  starlark.Value `arg:"width_ratios=None: of the columns"`
	Heights starlark.Value `arg:"height_ratios=None: of the rows"`
	WSpace  *float64       `arg:"wspace=None: between columns"`
	HSpace  *float64       `arg:"hspace=None: between rows"`
	Left    *float64       `arg:"left=None: where the first column begins"`
	Right   *float64       `arg:"right=None: where the last ends"`
	Bottom  *float64       `arg:"bottom=None: where the lowest row begins"`
	Top     *float64       `arg:"top=None: where the upper one ends"`
}

// newGridSpec makes one for a figure, or, if fig is nil, for that of the arguments or the current
// one.
func (c *call) newGridSpec(a *gridSpecArgs, fig *figure) (starlark.Value, error) {
	if a.Rows < 1 || a.Columns < 1 || a.Rows*a.Columns > 2500 {
		return nil, valueError("Number of rows and columns must be positive and at most 2500 together, not %d and %d", a.Rows, a.Columns)
	}
	if f, ok := a.Figure.(*figure); ok && fig == nil {
		fig = f
	} else if fig == nil {
		fig = c.st.currentFigure(c.s)
	}
	widths, heights, err := c.ratios(fig, &subplotsArgs{Rows: a.Rows, Columns: a.Columns, Widths: a.Widths, Heights: a.Heights})
	if err != nil {
		return nil, err
	}
	c.fig = fig
	if _, err := adjust(c, &adjustArgs{a.Left, a.Bottom, a.Right, a.Top, a.WSpace, a.HSpace}); err != nil {
		return nil, err
	}
	return &gridSpec{cell: plot.Cell{Rows: a.Rows, Columns: a.Columns, EndRow: a.Rows, EndColumn: a.Columns, WidthRatios: widths, HeightRat: heights}}, nil
}

var gridspecModule = value.NewLazyModule("matplotlib.gridspec", "Rows and columns that axes may span.", func() []value.Member {
	return inModule("matplotlib.gridspec", []pair{free("GridSpec", "Rows and columns: fig.add_subplot(gs[0, :]) spans the first row.", "", func(c *call, a *gridSpecArgs) (starlark.Value, error) {
		return c.newGridSpec(a, nil)
	})}, map[string]string{"GridSpec": "(2, 2)"})
})
