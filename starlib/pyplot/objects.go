package pyplot

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// recolor gives an artist, or one of its bars, a colour.
func (x *artist) recolor(c plot.Color, face, edge bool) {
	switch a := x.art.(type) {
	case *plot.Line:
		if face {
			a.Pen.Color, a.Marker.Face = c, c
		}
		a.Marker.Edge = c
	case *plot.Segments:
		for i := range a.Pens {
			a.Pens[i].Color = c
		}
	case *plot.Polygons:
		for i := range a.Shapes {
			if x.rect != nil && i != x.rect.index {
				continue
			}
			if face {
				a.Shapes[i].Face = c
			}
			if edge {
				a.Shapes[i].Edge = plot.Pen{Color: c, Width: max(a.Shapes[i].Edge.Width, 1)}
			}
		}
	case *plot.Points:
		if face {
			a.Faces, a.Values = []plot.Color{c}, nil
		}
		if edge {
			a.Edges = []plot.Color{c}
		}
	case *plot.Text:
		a.Color = c
	}
}

// color is the main colour of an artist.
func (x *artist) color() plot.Color {
	switch a := x.art.(type) {
	case *plot.Line:
		return a.Pen.Color
	case *plot.Segments:
		if len(a.Pens) > 0 {
			return a.Pens[0].Color
		}
	case *plot.Polygons:
		if i := 0; len(a.Shapes) > 0 {
			if x.rect != nil {
				i = x.rect.index
			}
			return a.Shapes[i].Face
		}
	case *plot.Points:
		if len(a.Faces) > 0 {
			return a.Faces[0]
		}
	case *plot.Text:
		return a.Color
	}
	return plot.Color{}
}

// artistMethods is the table of what was drawn.
var artistMethods = sync.OnceValue(func() *value.Methods {
	const line = "line, = plt.plot([1, 2, 3], [1, 4, 9]); "
	const bars = "b = plt.bar([1], [5])[0]; "
	number := func(name, doc string, get func(b *bar) float64) value.Builtin {
		return method(name, doc, bars+"b."+name+"()", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			if x.rect == nil {
				return nil, typeError("%s: only bars have it, %s has not", name, x.typ)
			}
			return starlark.Float(get(x.rect)), nil
		})
	}
	data := func(x *artist) (*plot.Line, error) {
		l, ok := x.art.(*plot.Line)
		if !ok {
			return nil, typeError("only lines have data that is set: %s has not; draw it anew", x.typ)
		}
		return l, nil
	}
	return value.NewMethods("Artist", []value.Builtin{
		method("set_label", "Sets what the legend calls it.", line+"line.set_label('squares')", func(_ *call, x *artist, a *oneText) (starlark.Value, error) {
			x.art.Common().Label = text(a.V)
			return nil, nil
		}),
		method("get_label", "Returns what the legend calls it.", line+"line.get_label() # \"\"", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			return starlark.String(x.art.Common().Label), nil
		}),
		method("set_alpha", "Sets how opaque it is, from 0 to 1.", line+"line.set_alpha(0.5)", func(_ *call, x *artist, a *oneNumber) (starlark.Value, error) {
			if !(a.V >= 0 && a.V <= 1) {
				return nil, valueError("alpha (%g) is outside 0-1 range", a.V)
			}
			x.art.Common().Alpha = a.V
			return nil, nil
		}),
		method("set_visible", "Shows or hides it.", line+"line.set_visible(False)", func(_ *call, x *artist, a *oneBool) (starlark.Value, error) {
			x.art.Common().Hidden = !a.V
			return nil, nil
		}),
		method("set_zorder", "What has more lies above.", line+"line.set_zorder(5)", func(_ *call, x *artist, a *oneNumber) (starlark.Value, error) {
			x.art.Common().Z = a.V
			return nil, nil
		}),
		method("set_color", "Sets its colour.", line+"line.set_color('red')", func(_ *call, x *artist, a *oneColor) (starlark.Value, error) {
			x.recolor(a.C.color, true, false)
			return nil, nil
		}),
		method("set_facecolor", "Sets what it is filled with.", bars+"b.set_facecolor('red')", func(_ *call, x *artist, a *oneColor) (starlark.Value, error) {
			x.recolor(a.C.color, true, false)
			return nil, nil
		}),
		method("set_edgecolor", "Sets the colour of its edges.", bars+"b.set_edgecolor('black')", func(_ *call, x *artist, a *oneColor) (starlark.Value, error) {
			x.recolor(a.C.color, false, true)
			return nil, nil
		}),
		method("get_color", "Returns its colour.", line+"line.get_color() # \"#1f77b4\"", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			return starlark.String(palette.Hex(x.color())), nil
		}),
		method("get_facecolor", "Returns red, green, blue and alpha of what it is filled with, from 0 to 1.", bars+"len(b.get_facecolor()) # 4", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			return rgba(x.color()), nil
		}),
		method("set_linewidth", "Sets the width of its lines, in points.", line+"line.set_linewidth(3)", setWidth),
		method("set_lw", "Sets the width of its lines, in points.", line+"line.set_lw(3)", setWidth),
		method("set_linestyle", "Sets its line style.", line+"line.set_linestyle('--')", setStyle),
		method("set_ls", "Sets its line style.", line+"line.set_ls('--')", setStyle),
		method("set_marker", "Sets its markers.", line+"line.set_marker('o')", func(c *call, x *artist, a *oneText) (starlark.Value, error) {
			l, err := data(x)
			if err != nil {
				return nil, err
			}
			shape, err := checkMarker(text(a.V))
			l.Marker.Shape = shape
			return nil, err
		}),
		method("set_markersize", "Sets the size of its markers, in points.", line+"line.set_markersize(3)", func(_ *call, x *artist, a *oneNumber) (starlark.Value, error) {
			l, err := data(x)
			if err != nil {
				return nil, err
			}
			l.Marker.Size = min(max(a.V, 0), 1e4)
			return nil, nil
		}),
		method("set_data", "Sets x and y of a line.", line+"line.set_data([0, 1], [1, 0])", func(c *call, x *artist, a *struct {
			X starlark.Value `arg:"x: numbers"`
			Y starlark.Value `arg:"y: numbers"`
		}) (starlark.Value, error) {
			l, err := data(x)
			if err != nil {
				return nil, err
			}
			u, err := c.numbers("x", a.X, x.ax.a.X)
			if err != nil {
				return nil, err
			}
			v, err := c.numbers("y", a.Y, x.ax.a.Y)
			if err != nil {
				return nil, err
			}
			if len(u) != len(v) {
				return nil, valueError("x and y must have same first dimension, but have shapes (%d,) and (%d,)", len(u), len(v))
			}
			l.X, l.Y = u, v
			return nil, nil
		}),
		method("set_ydata", "Sets y of a line.", line+"line.set_ydata([0, 1, 0])", func(c *call, x *artist, a *struct {
			Y starlark.Value `arg:"y: numbers"`
		}) (starlark.Value, error) {
			l, err := data(x)
			if err != nil {
				return nil, err
			}
			v, err := c.numbers("y", a.Y, x.ax.a.Y)
			if err != nil {
				return nil, err
			}
			if len(v) != len(l.X) {
				return nil, valueError("x and y must have same first dimension, but have shapes (%d,) and (%d,)", len(l.X), len(v))
			}
			l.Y = v
			return nil, nil
		}),
		method("get_xdata", "Returns x of a line.", line+"line.get_xdata() # array([1., 2., 3.])", func(c *call, x *artist, _ *none) (starlark.Value, error) {
			l, err := data(x)
			if err != nil {
				return nil, err
			}
			return c.vector(slices.Clone(l.X)), nil
		}),
		method("get_ydata", "Returns y of a line.", line+"line.get_ydata() # array([1., 4., 9.])", func(c *call, x *artist, _ *none) (starlark.Value, error) {
			l, err := data(x)
			if err != nil {
				return nil, err
			}
			return c.vector(slices.Clone(l.Y)), nil
		}),
		number("get_x", "Returns where a bar begins.", func(b *bar) float64 { return b.x }),
		number("get_y", "Returns where a bar begins, up.", func(b *bar) float64 { return b.y }),
		number("get_width", "Returns the width of a bar.", func(b *bar) float64 { return b.width }),
		number("get_height", "Returns the height of a bar.", func(b *bar) float64 { return b.height }),
		method("set_text", "Sets what a text says.", "t = plt.text(0, 0, 'a'); t.set_text('b')", func(_ *call, x *artist, a *oneText) (starlark.Value, error) {
			t, ok := x.art.(*plot.Text)
			if !ok {
				return nil, typeError("set_text: only texts have it, %s has not", x.typ)
			}
			t.Text = text(a.V)
			return nil, nil
		}),
		method("set_clim", "Sets which numbers have the first and the last colour.", "plt.imshow([[0, 1]]).set_clim(0, 2)", func(_ *call, x *artist, a *struct {
			Lo *float64 `arg:"vmin=None: what has the first colour"`
			Hi *float64 `arg:"vmax=None: what has the last"`
		}) (starlark.Value, error) {
			im, ok := x.art.(*plot.Image)
			if !ok || im.Scale == nil {
				return nil, typeError("set_clim: only images of numbers have it, %s has not", x.typ)
			}
			if a.Lo != nil {
				im.Scale.Lo = *a.Lo
			}
			if a.Hi != nil {
				im.Scale.Hi = *a.Hi
			}
			return nil, nil
		}),
		method("set_cmap", "Sets the colour map.", "plt.imshow([[0, 1]]).set_cmap('gray')", func(c *call, x *artist, a *oneValue) (starlark.Value, error) {
			im, ok := x.art.(*plot.Image)
			if !ok || im.Scale == nil {
				return nil, typeError("set_cmap: only images of numbers have it, %s has not", x.typ)
			}
			m, err := c.mapOf(a.V)
			if err == nil {
				im.Scale.Map = m
			}
			return nil, err
		}),
		method("set", "Sets several properties by keyword.", line+"line.set(color='red', lw=2)", func(c *call, x *artist, a *setArgs) (starlark.Value, error) {
			return nil, set(c, x, a.All)
		}),
		method("remove", "Takes it off the axes.", line+"line.remove()", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			a := x.ax.a
			a.Artists = slices.DeleteFunc(a.Artists, func(y plot.Artist) bool { return y == x.art })
			return nil, nil
		}),
	})
})

func setWidth(_ *call, x *artist, a *oneNumber) (starlark.Value, error) {
	if !(a.V >= 0 && isFinite(a.V)) {
		return nil, valueError("linewidth must be finite and not negative, got %g", a.V)
	}
	x.eachPen(func(p *plot.Pen) { p.Width = a.V })
	return nil, nil
}

func setStyle(_ *call, x *artist, a *oneValue) (starlark.Value, error) {
	pen := plot.Pen{}
	if err := setDash(&pen, a.V); err != nil {
		return nil, err
	}
	x.eachPen(func(p *plot.Pen) { p.Dash, p.None = pen.Dash, pen.None })
	return nil, nil
}

// eachPen goes through the pens of an artist.
func (x *artist) eachPen(f func(p *plot.Pen)) {
	switch a := x.art.(type) {
	case *plot.Line:
		f(&a.Pen)
	case *plot.Segments:
		for i := range a.Pens {
			f(&a.Pens[i])
		}
	case *plot.Polygons:
		for i := range a.Shapes {
			if x.rect == nil || x.rect.index == i {
				f(&a.Shapes[i].Edge)
			}
		}
	}
}

// axesRows are methods of Axes alone.
var axesRows = sync.OnceValue(func() []pair {
	return []pair{
		drawing("- set", "Sets several properties by keyword: ax.set(xlabel='x', ylabel='y', title='t', xlim=(0, 1)).", "set(xlabel='x', title='t')", func(c *call, a *setArgs) (starlark.Value, error) {
			return nil, set(c, c.ax, a.All)
		}),
		drawing("- set_aspect", "Sets the height of a unit of y by the width of one of x: 'equal', 'auto' or a number.", "set_aspect('equal')", func(c *call, a *struct {
			V   starlark.Value `arg:"aspect: 'equal', 'auto' or a number"`
			Adj *string        `arg:"adjustable=None: 'box' or 'datalim', which gives way"`
			Anc starlark.Value `arg:"anchor=None: accepted"`
		}) (starlark.Value, error) {
			if a.Adj != nil {
				if err := oneOf("adjustable", *a.Adj, "box", "datalim"); err != nil {
					return nil, err
				}
				c.ax.a.AspectBox = *a.Adj == "box"
			}
			return nil, setAspect(c.ax.a, a.V)
		}),
		drawing("- set_facecolor", "Sets the colour of the axes.", "set_facecolor('whitesmoke')", func(c *call, a *oneColor) (starlark.Value, error) {
			c.ax.a.Face = a.C.color
			return nil, nil
		}),
		drawing("- set_axis_off", "Draws neither frame nor ticks.", "set_axis_off()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.Frame = false
			return nil, nil
		}),
		drawing("- set_axis_on", "Draws frame and ticks.", "set_axis_on()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.Frame = true
			return nil, nil
		}),
		drawing("- set_axisbelow", "Draws the grid below all, or with False not.", "set_axisbelow(True)", func(c *call, a *oneValue) (starlark.Value, error) {
			c.ax.a.Below = bool(a.V.Truth())
			return nil, nil
		}),
		drawing("- invert_xaxis", "Swaps the ends of x.", "invert_xaxis()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.X.Invert()
			return nil, nil
		}),
		drawing("- invert_yaxis", "Swaps the ends of y.", "invert_yaxis()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.Y.Invert()
			return nil, nil
		}),
		drawing("- get_title", "Returns the title.", "get_title() # \"\"", func(c *call, _ *none) (starlark.Value, error) { return starlark.String(c.ax.a.Title.Text), nil }),
		drawing("- get_xlabel", "Returns the name of x.", "get_xlabel() # \"\"", func(c *call, _ *none) (starlark.Value, error) { return starlark.String(c.ax.a.X.Label.Text), nil }),
		drawing("- get_ylabel", "Returns the name of y.", "get_ylabel() # \"\"", func(c *call, _ *none) (starlark.Value, error) { return starlark.String(c.ax.a.Y.Label.Text), nil }),
		drawing("- get_figure", "Returns the figure.", "get_figure()", func(c *call, _ *none) (starlark.Value, error) { return c.ax.fig, nil }),
		drawing("- get_lines", "Returns the list of lines.", "get_lines() # []", func(c *call, _ *none) (starlark.Value, error) { return c.ax.linesList(), nil }),
		drawing("- get_legend_handles_labels", "Returns what has a label, and the labels.", "get_legend_handles_labels() # ([], [])", func(c *call, _ *none) (starlark.Value, error) {
			var handles, labels []starlark.Value
			for _, x := range c.ax.a.Artists {
				if x.Common().Named() {
					handles = append(handles, &artist{typ: "Artist", art: x, ax: c.ax})
					labels = append(labels, starlark.String(x.Common().Label))
				}
			}
			return starlark.Tuple{slot.NewList(handles), slot.NewList(labels)}, nil
		}),
		drawing("- remove", "Takes the axes off the figure.", "remove()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.Figure.Remove(c.ax.a)
			return nil, nil
		}),
		drawing("- set_visible", "Shows or hides the axes.", "set_visible(False)", func(c *call, a *oneBool) (starlark.Value, error) {
			c.ax.a.Hidden = !a.V
			return nil, nil
		}),
		drawing("- get_xticklabels", "Returns the texts at the ticks of x, whose set_rotation and the like change all of them.", "get_xticklabels()[0].set_rotation(45)", func(c *call, _ *tickTextsArgs) (starlark.Value, error) {
			return c.tickTextsOf(c.ax.a.X), nil
		}),
		drawing("- get_yticklabels", "Returns the texts at the ticks of y, whose set_rotation and the like change all of them.", "get_yticklabels()[0].set_fontsize(8)", func(c *call, _ *tickTextsArgs) (starlark.Value, error) {
			return c.tickTextsOf(c.ax.a.Y), nil
		}),
		drawing("- get_legend", "Returns the legend, None if there is none.", "get_legend() == None # True", func(c *call, _ *none) (starlark.Value, error) {
			if l := c.ax.a.Legend; l != nil {
				return &legendValue{l: l, ax: c.ax}, nil
			}
			return nil, nil
		}),
		drawing("- set_position", "Sets where the axes lies: [left, bottom, width, height], in fractions of the figure.", "set_position([0.1, 0.1, 0.5, 0.5])", func(c *call, a *addAxesArgs) (starlark.Value, error) {
			r, err := c.numbers("pos", a.Rect, nil)
			if err != nil || len(r) != 4 || !isFinite(r[0]+r[1]+r[2]+r[3]) || r[2] <= 0 || r[3] <= 0 {
				return nil, valueError("pos must be [left, bottom, width, height], got %s", value.Repr(a.Rect))
			}
			c.ax.a.Cell, c.ax.a.Place = nil, plot.Rect{X0: r[0], Y0: r[1], X1: r[0] + r[2], Y1: r[1] + r[3]}
			return nil, nil
		}),
		drawing("- relim", "Accepted; limits follow the data without it.", "relim()", func(*call, *none) (starlark.Value, error) { return nil, nil }),
		drawing("- autoscale_view", "Accepted; limits follow the data without it.", "autoscale_view()", func(*call, *none) (starlark.Value, error) { return nil, nil }),
		drawing("- cla", "Takes away what was drawn.", "cla()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.Clear()
			return nil, nil
		}),
		drawing("- label_outer", "Leaves numbers and names at the outer axes of the figure only.", "label_outer()", func(c *call, _ *none) (starlark.Value, error) {
			if cell := c.ax.a.Cell; cell != nil {
				if cell.EndRow < cell.Rows {
					c.ax.a.X.NoNames, c.ax.a.X.Label.Text = true, ""
				}
				if cell.Column > 0 {
					c.ax.a.Y.NoNames, c.ax.a.Y.Label.Text = true, ""
				}
			}
			return nil, nil
		}),
	}
})

func (a *axes) linesList() starlark.Value {
	var list []starlark.Value
	for _, x := range a.a.Artists {
		if l, ok := x.(*plot.Line); ok {
			list = append(list, &artist{typ: "Line2D", art: l, ax: a})
		}
	}
	return slot.NewList(list)
}
