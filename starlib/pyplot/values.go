package pyplot

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// identity is what the values have in common: they change, and are compared by identity.
type identity struct{}

func (identity) Freeze()              {}
func (identity) Truth() starlark.Bool { return true }

func unhashable(typ string) (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", typ) }

// The tables of the values have a row for all that draws on them, which stands above.
var figureTable, axesTable, artistTable func() *value.Methods

// A figure is the value Figure.
type figure struct {
	identity
	f      *plot.Figure
	num    int
	name   string
	st     *state
	axes   []*axes
	shown  bool  // as the value of an expression, in this cell
	failed error // of a program's function that wrote numbers at ticks
	// lastMapped is what was drawn last by a colour map.
	lastMapped plot.Artist
}

var _ value.Tabled = (*figure)(nil)
var _ value.MimeBundler = (*figure)(nil)

func (f *figure) Type() string          { return "Figure" }
func (f *figure) Hash() (uint32, error) { return uint32(f.num) * 7919, nil }
func (f *figure) Table() *value.Methods { return figureTable() }
func (f *figure) AttrNames() []string   { return figureTable().Names() }
func (f *figure) Attr(name string) (starlark.Value, error) {
	return figureTable().Attr(f, name)
}

func (f *figure) String() string {
	return fmt.Sprintf("<Figure size %gx%g with %d Axes>", f.f.Width*f.f.DPI, f.f.Height*f.f.DPI, len(f.f.Axes))
}

// axesOf is the value of an axes of the figure.
func (f *figure) axesOf(a *plot.Axes) *axes {
	for _, x := range f.axes {
		if x.a == a {
			return x
		}
	}
	x := &axes{a: a, fig: f}
	f.axes = append(f.axes, x)
	return x
}

// add adds an axes at a cell of a grid.
func (f *figure) add(rows, columns, row, column int) *axes {
	a := f.f.NewAxes()
	a.Cell = &plot.Cell{Rows: rows, Columns: columns, Row: row, Column: column, EndRow: row + 1, EndColumn: column + 1}
	return f.axesOf(a)
}

// An axes is the value Axes.
type axes struct {
	identity
	a          *plot.Axes
	fig        *figure
	containers []*container
}

var _ value.Tabled = (*axes)(nil)

func (a *axes) Type() string                             { return "Axes" }
func (a *axes) Hash() (uint32, error)                    { return a.fig.Hash() }
func (a *axes) Table() *value.Methods                    { return axesTable() }
func (a *axes) AttrNames() []string                      { return axesTable().Names() }
func (a *axes) Attr(name string) (starlark.Value, error) { return axesTable().Attr(a, name) }

func (a *axes) String() string {
	t := a.a.Title.Text
	if t != "" {
		t = fmt.Sprintf(" title=%q", t)
	}
	return "<Axes:" + t + ">"
}

// An artist is the value of what was drawn: Line2D, BarContainer, ...
type artist struct {
	identity
	typ string
	art plot.Artist
	ax  *axes
	fig *figure // whose text it is, if it is on no axes
	// parts are what it can be iterated for: the bars of a BarContainer.
	parts []starlark.Value
	rect  *bar
}

// A bar is one rectangle of a bar chart, in data.
type bar struct {
	x, y, width, height float64
	index               int // of its shape
}

var _ value.Tabled = (*artist)(nil)
var _ starlark.Indexable = (*container)(nil)

func (x *artist) Type() string                             { return x.typ }
func (x *artist) Hash() (uint32, error)                    { return unhashable(x.typ) }
func (x *artist) Table() *value.Methods                    { return artistTable() }
func (x *artist) AttrNames() []string                      { return artistTable().Names() }
func (x *artist) Attr(name string) (starlark.Value, error) { return artistTable().Attr(x, name) }
func (x *artist) String() string {
	if l := x.art.Common().Label; l != "" {
		return fmt.Sprintf("<%s %s>", x.typ, l)
	}
	return "<" + x.typ + ">"
}

// A container is an artist of several parts.
type container struct{ artist }

func (c *container) Len() int                   { return len(c.parts) }
func (c *container) Index(i int) starlark.Value { return c.parts[i] }
func (c *container) Iterate() starlark.Iterator { return slot.NewList(slices.Clone(c.parts)).Iterate() }
func (c *container) Table() *value.Methods      { return artistTable() }
func (c *container) AttrNames() []string        { return artistTable().Names() }
func (c *container) String() string {
	return fmt.Sprintf("<%s object of %d artists>", c.typ, len(c.parts))
}
func (c *container) Truth() starlark.Bool { return len(c.parts) > 0 }
func (c *container) Attr(name string) (starlark.Value, error) {
	if c.typ == "BarContainer" && name == "patches" {
		return slot.NewList(slices.Clone(c.parts)), nil
	}
	if i := slices.Index(partNames[c.typ], name); i >= 0 {
		return c.parts[i], nil
	}
	return artistTable().Attr(&c.artist, name)
}

// partNames are the attributes of containers that are their parts.
var partNames = map[string][]string{"StemContainer": {"markerline", "stemlines", "baseline"}}

// contain is the container of what one call drew, which the axes lists.
func (a *axes) contain(typ string, art plot.Artist, parts []starlark.Value) *container {
	c := &container{artist{typ: typ, art: art, ax: a, parts: parts}}
	a.containers = append(a.containers, c)
	return c
}

// asArtist is the artist of a value, nil if it is none.
func asArtist(v starlark.Value) *artist {
	switch v := v.(type) {
	case *artist:
		return v
	case *container:
		return &v.artist
	case *textValue:
		return v.on
	}
	return nil
}

// A grid is the array of Axes that plt.subplots returns.
type grid struct {
	identity
	rows, columns int // columns is 0 of an array with one axis
	list          []*axes
}

var _ starlark.Indexable = (*grid)(nil)
var _ starlark.Mapping = (*grid)(nil)
var _ value.Tabled = (*grid)(nil)

func (g *grid) Type() string                             { return "AxesArray" }
func (g *grid) Hash() (uint32, error)                    { return unhashable("AxesArray") }
func (g *grid) Table() *value.Methods                    { return gridMethods() }
func (g *grid) AttrNames() []string                      { return gridMethods().Names() }
func (g *grid) Attr(name string) (starlark.Value, error) { return gridMethods().Attr(g, name) }
func (g *grid) Len() int {
	if g.columns == 0 {
		return len(g.list)
	}
	return g.rows
}

func (g *grid) String() string {
	if g.columns == 0 {
		return fmt.Sprintf("<array of %d Axes>", len(g.list))
	}
	return fmt.Sprintf("<array of %d x %d Axes>", g.rows, g.columns)
}

func (g *grid) Index(i int) starlark.Value {
	if g.columns == 0 {
		return g.list[i]
	}
	return &grid{rows: g.columns, list: g.list[i*g.columns : (i+1)*g.columns]}
}

func (g *grid) Iterate() starlark.Iterator {
	items := make([]starlark.Value, g.Len())
	for i := range items {
		items[i] = g.Index(i)
	}
	return slot.NewList(items).Iterate()
}

// Get is what a subscript asks: [1], [0, 1], [:, 0], [-1].
func (g *grid) Get(key starlark.Value) (starlark.Value, bool, error) {
	index := []starlark.Value{key}
	if t, ok := key.(starlark.Tuple); ok {
		index = t
	}
	shape := []int{g.rows, g.columns}
	if g.columns == 0 {
		shape = []int{len(g.list)}
	}
	if len(index) > len(shape) {
		return nil, false, value.Failure("IndexError", "too many indices for array: array is %d-dimensional, but %d were indexed", len(shape), len(index))
	}
	var chosen [2][]int
	var single [2]bool
	for k := range shape {
		if k >= len(index) {
			chosen[k] = countTo(shape[k])
			continue
		}
		var err error
		if chosen[k], single[k], err = indices(index[k], shape[k], k); err != nil {
			return nil, false, err
		}
	}
	if g.columns == 0 {
		if single[0] {
			return g.list[chosen[0][0]], true, nil
		}
		return &grid{rows: len(chosen[0]), list: g.pick(chosen[0], []int{0}, 1)}, true, nil
	}
	list := g.pick(chosen[0], chosen[1], g.columns)
	switch {
	case single[0] && single[1]:
		return list[0], true, nil
	case single[0] || single[1]:
		return &grid{rows: len(list), list: list}, true, nil
	}
	return &grid{rows: len(chosen[0]), columns: len(chosen[1]), list: list}, true, nil
}

func (g *grid) pick(rows, columns []int, width int) []*axes {
	var list []*axes
	for _, r := range rows {
		for _, c := range columns {
			list = append(list, g.list[r*width+c])
		}
	}
	return list
}

// indices are those of an axis of n that an index or a slice chooses.
func indices(v starlark.Value, n, axis int) (list []int, single bool, err error) {
	if s, ok := v.(*value.Slice); ok {
		list, err := sliced(s, n)
		return list, false, err
	}
	i, err := value.Int(v)
	if err != nil {
		return nil, false, typeError("indices must be integers or slices, not %s", v.Type())
	}
	if i < -n || i >= n {
		return nil, false, value.Failure("IndexError", "index %d is out of bounds for axis %d with size %d", i, axis, n)
	}
	if i < 0 {
		i += n
	}
	return []int{i}, true, nil
}

// sliced are the indices of an axis of n that a slice chooses.
func sliced(s *value.Slice, n int) ([]int, error) {
	step := 1
	for _, b := range []starlark.Value{s.Lo, s.Hi, s.Step} {
		if b != starlark.None {
			if _, err := value.Int(b); err != nil {
				return nil, typeError("slice indices must be integers or None, not %s", b.Type())
			}
		}
	}
	if s.Step != starlark.None {
		if step, _ = value.Int(s.Step); step == 0 {
			return nil, valueError("slice step cannot be zero")
		}
	}
	bound := func(v starlark.Value, otherwise, least, most int) int {
		if v == starlark.None {
			return otherwise
		}
		i, _ := value.Int(v)
		if i < 0 {
			i += n
		}
		return min(max(i, least), most)
	}
	var list []int
	if step > 0 {
		for i, to := bound(s.Lo, 0, 0, n), bound(s.Hi, n, 0, n); i < to; i += step {
			list = append(list, i)
		}
		return list, nil
	}
	for i, to := bound(s.Lo, n-1, -1, n-1), bound(s.Hi, -1, -1, n-1); i > to; i += step {
		list = append(list, i)
	}
	return list, nil
}

// Slice is axs[start:end:step].
func (g *grid) Slice(start, end, step int) starlark.Value {
	var rows []int
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		rows = append(rows, i)
	}
	if g.columns == 0 {
		return &grid{rows: len(rows), list: g.pick(rows, []int{0}, 1)}
	}
	return &grid{rows: len(rows), columns: g.columns, list: g.pick(rows, countTo(g.columns), g.columns)}
}

func countTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func (g *grid) flat() starlark.Value { return &grid{rows: len(g.list), list: slices.Clone(g.list)} }

// gridMethods is the table of AxesArray.
var gridMethods = sync.OnceValue(func() *value.Methods {
	const make = "_, axs = plt.subplots(2, 2); "
	flat := func(_ *call, g *grid, _ *none) (starlark.Value, error) { return g.flat(), nil }
	return value.NewMethods("AxesArray", []value.Builtin{
		method("ravel", "Returns all Axes in one row.", make+"len(axs.ravel()) # 4", flat),
		method("flatten", "Returns all Axes in one row.", make+"len(axs.flatten()) # 4", flat),
		method("tolist", "Returns the Axes as lists.", make+"len(axs.tolist()) # 2", func(_ *call, g *grid, _ *none) (starlark.Value, error) {
			var rows []starlark.Value
			for i := range g.Len() {
				if part, ok := g.Index(i).(*grid); ok {
					var row []starlark.Value
					for _, a := range part.list {
						row = append(row, a)
					}
					rows = append(rows, slot.NewList(row))
				} else {
					rows = append(rows, g.Index(i))
				}
			}
			return slot.NewList(rows), nil
		}),
	}).With(
		value.FieldOf("flat", "All Axes in one row.", "import matplotlib.pyplot as plt; "+make+"len(axs.flat) # 4", func(g *grid) starlark.Value { return g.flat() }),
		value.FieldOf("shape", "How many rows and columns.", "import matplotlib.pyplot as plt; "+make+"axs.shape # (2, 2)", func(g *grid) starlark.Value {
			if g.columns == 0 {
				return starlark.Tuple{starlark.MakeInt(len(g.list))}
			}
			return starlark.Tuple{starlark.MakeInt(g.rows), starlark.MakeInt(g.columns)}
		}),
		value.FieldOf("size", "How many.", "import matplotlib.pyplot as plt; "+make+"axs.size # 4", func(g *grid) starlark.Value { return starlark.MakeInt(len(g.list)) }),
		value.FieldOf("ndim", "How many dimensions the array has.", "import matplotlib.pyplot as plt; "+make+"axs.ndim # 2", func(g *grid) starlark.Value {
			if g.columns == 0 {
				return starlark.MakeInt(1)
			}
			return starlark.MakeInt(2)
		}),
		value.FieldOf("T", "The array with its axes swapped.", "import matplotlib.pyplot as plt; "+make+"axs.T.shape # (2, 2)", func(g *grid) starlark.Value {
			if g.columns == 0 {
				return g
			}
			t := &grid{rows: g.columns, columns: g.rows}
			for c := range g.columns {
				for r := range g.rows {
					t.list = append(t.list, g.list[r*g.columns+c])
				}
			}
			return t
		}),
	)
})

func init() {
	value.NameTypes("Figure", "Axes", "AxesArray", "Line2D", "Artist", "BarContainer", "Axis", "Spine", "Colorbar", "rcParams", "Legend", "Text", "Colormap", "Normalize", "Canvas", "style_context")
}
