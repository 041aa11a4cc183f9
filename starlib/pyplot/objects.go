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
	return value.NewMethods("Artist", append(propertyRows(), []value.Builtin{
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
		method("get_color", "Returns its colour.", line+"line.get_color() # \"#1f77b4\"", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			return starlark.String(palette.Hex(x.color())), nil
		}),
		method("get_facecolor", "Returns red, green, blue and alpha of what it is filled with, from 0 to 1.", bars+"len(b.get_facecolor()) # 4", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			return rgba(x.color()), nil
		}),
		method("set_data", "Sets x and y of a line, or the numbers or colours of an image.", line+"line.set_data([0, 1], [1, 0])", func(c *call, x *artist, a *struct {
			X starlark.Value `arg:"x: numbers; of an image its array"`
			Y starlark.Value `arg:"y=None: numbers"`
		}) (starlark.Value, error) {
			if im, ok := x.art.(*plot.Image); ok && a.Y == nil {
				err := c.setImage(im, a.X)
				if err == nil && im.Pixels == nil && im.Scale == nil { // it had colours before
					im.Scale, err = c.scale(nil, nil, im.Values, nil, nil)
				}
				return nil, err
			}
			l, ok := x.art.(*plot.Line)
			if !ok || a.Y == nil {
				return nil, typeError("set_data: want x and y of a line or the array of an image, got %s", x.typ)
			}
			c.ax = x.ax
			u, v, err := c.points(a.X, a.Y)
			if err == nil {
				l.X, l.Y = u, v
			}
			return nil, err
		}),
		method("legend_elements", "Returns marks for a legend of a scatter, and their labels: plt.legend(*s.legend_elements()).", "s = plt.scatter([1, 2], [1, 2], c=[0, 1]); plt.legend(*s.legend_elements())", legendElements),
		method("set_clim", "Sets which numbers have the first and the last colour.", "plt.imshow([[0, 1]]).set_clim(0, 2)", func(_ *call, x *artist, a *struct {
			Lo *float64 `arg:"vmin=None: what has the first colour"`
			Hi *float64 `arg:"vmax=None: what has the last"`
		}) (starlark.Value, error) {
			s, err := x.scale("set_clim")
			if err == nil && a.Lo != nil {
				s.Lo = *a.Lo
			}
			if err == nil && a.Hi != nil {
				s.Hi = *a.Hi
			}
			return nil, err
		}),
		method("set_cmap", "Sets the colour map.", "plt.imshow([[0, 1]]).set_cmap('gray')", func(c *call, x *artist, a *oneValue) (starlark.Value, error) {
			s, err := x.scale("set_cmap")
			if err != nil {
				return nil, err
			}
			m, err := c.mapOf(a.V)
			if err == nil {
				s.Map = m
			}
			return nil, err
		}),
		method("set", "Sets several properties by keyword.", line+"line.set(color='red', lw=2)", func(c *call, x *artist, a *setArgs) (starlark.Value, error) {
			return nil, set(c, x, a.All)
		}),
		method("remove", "Takes it off the axes.", line+"line.remove()", func(_ *call, x *artist, _ *none) (starlark.Value, error) {
			if x.ax == nil {
				x.fig.f.Texts = slices.DeleteFunc(x.fig.f.Texts, func(y *plot.Text) bool { return y == x.art })
				return nil, nil
			}
			a := x.ax.a
			a.Artists = slices.DeleteFunc(a.Artists, func(y plot.Artist) bool { return y == x.art })
			return nil, nil
		}),
	}...))
})

// scale is what gives an artist its colours.
func (x *artist) scale(name string) (*plot.Scale, error) {
	if s := x.art.Common().Scale; s != nil {
		return s, nil
	}
	return nil, typeError("%s: only what has its colours from numbers has it, this %s has not", name, x.typ)
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
		drawing("- set_frame_on", "Draws the frame, or with False does not.", "set_frame_on(False)", func(c *call, a *oneBool) (starlark.Value, error) {
			for _, s := range c.ax.a.Spines {
				s.Hidden = !a.V
			}
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
		drawing("- get_title", "Returns the title.", "get_title() # \"\"", func(c *call, a *struct {
			Loc string `arg:"loc=\"center\": 'left', 'center' or 'right'"`
		}) (starlark.Value, error) {
			l, err := c.titleAt(a.Loc)
			if err != nil {
				return nil, err
			}
			return starlark.String(l.Text), nil
		}),
		drawing("- get_xlabel", "Returns the name of x.", "get_xlabel() # \"\"", func(c *call, _ *none) (starlark.Value, error) { return starlark.String(c.ax.a.X.Label.Text), nil }),
		drawing("- get_ylabel", "Returns the name of y.", "get_ylabel() # \"\"", func(c *call, _ *none) (starlark.Value, error) { return starlark.String(c.ax.a.Y.Label.Text), nil }),
		drawing("- get_figure", "Returns the figure.", "get_figure()", func(c *call, _ *none) (starlark.Value, error) { return c.ax.fig, nil }),
		drawing("- get_lines", "Returns the list of lines.", "get_lines() # []", func(c *call, _ *none) (starlark.Value, error) { return c.ax.drawn("lines"), nil }),
		drawing("- get_images", "Returns the list of images.", "get_images() # []", func(c *call, _ *none) (starlark.Value, error) { return c.ax.drawn("images"), nil }),
		drawing("- get_xaxis", "Returns the x axis.", "get_xaxis()", func(c *call, _ *none) (starlark.Value, error) { return &axisValue{axis: c.ax.a.X, ax: c.ax}, nil }),
		drawing("- get_yaxis", "Returns the y axis.", "get_yaxis()", func(c *call, _ *none) (starlark.Value, error) { return &axisValue{axis: c.ax.a.Y, ax: c.ax}, nil }),
		drawing("- get_facecolor", "Returns red, green, blue and alpha of the axes, from 0 to 1.", "get_facecolor() # (1.0, 1.0, 1.0, 1.0)", func(c *call, _ *none) (starlark.Value, error) { return rgba(c.ax.a.Face), nil }),
		drawing("- get_aspect", "Returns the height of a unit of y by the width of one of x, or 'auto'.", "get_aspect() # \"auto\"", func(c *call, _ *none) (starlark.Value, error) {
			if c.ax.a.Aspect == 0 {
				return starlark.String("auto"), nil
			}
			return starlark.Float(c.ax.a.Aspect), nil
		}),
		drawing("- get_legend_handles_labels", "Returns what has a label, and the labels.", "get_legend_handles_labels() # ([], [])", func(c *call, _ *none) (starlark.Value, error) {
			var handles, labels []starlark.Value
			for _, x := range plot.Named(c.ax.a.Artists) {
				handles = append(handles, &artist{typ: "Artist", art: x, ax: c.ax})
				labels = append(labels, starlark.String(x.Common().Label))
			}
			return starlark.Tuple{slot.NewList(handles), slot.NewList(labels)}, nil
		}),
		drawing("- add_patch", "Adds a shape of matplotlib.patches.", "add_patch(plt.Rectangle((0, 0), 0.5, 0.5))", adopt),
		drawing("- add_line", "Adds a line of matplotlib.lines.", "add_line(plt.Line2D([0, 1], [0, 1]))", adopt),
		drawing("- add_artist", "Adds a shape or a line.", "add_artist(plt.Circle((0.5, 0.5), 0.2))", adopt),
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
		drawing("- set_position", "Sets where the axes lies: [left, bottom, width, height], in fractions of the figure.", "set_position([0.1, 0.1, 0.5, 0.5])", func(c *call, a *struct {
			Rect starlark.Value `arg:"pos: [left, bottom, width, height]"`
		}) (starlark.Value, error) {
			r, err := c.numbers("pos", a.Rect, nil)
			if err != nil || len(r) != 4 || !isFinite(r[0]+r[1]+r[2]+r[3]) || r[2] <= 0 || r[3] <= 0 {
				return nil, valueError("pos must be [left, bottom, width, height], got %s", value.Repr(a.Rect))
			}
			c.ax.a.Cell, c.ax.a.Place = nil, plot.Rect{X0: r[0], Y0: r[1], X1: r[0] + r[2], Y1: r[1] + r[3]}
			return nil, nil
		}),
		drawing("- relim", "Accepted; limits follow the data without it.", "relim()", func(*call, *none) (starlark.Value, error) { return nil, nil }),
		drawing("- autoscale_view", "Accepted; limits follow the data without it.", "autoscale_view()", func(*call, *none) (starlark.Value, error) { return nil, nil }),
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

// kindsDrawn are the attributes of Axes that list what was drawn: of which type it is, and by what
// Go type it is told from the rest.
var kindsDrawn = []struct {
	name, typ string
	is        func(x plot.Artist) bool
}{
	{"lines", "Line2D", isA[*plot.Line]},
	{"patches", "Rectangle", isA[*plot.Polygons]},
	{"collections", "Collection", func(x plot.Artist) bool { return isA[*plot.Points](x) || isA[*plot.Segments](x) }},
	{"images", "AxesImage", isA[*plot.Image]},
	{"texts", "Text", isA[*plot.Text]},
}

func isA[T plot.Artist](x plot.Artist) bool {
	_, ok := x.(T)
	return ok
}

// drawn is the list of a kind of what was drawn.
func (a *axes) drawn(name string) starlark.Value {
	list := []starlark.Value{}
	for _, k := range kindsDrawn {
		for _, x := range a.a.Artists {
			t, isText := x.(*plot.Text)
			i := slices.IndexFunc(a.containers, func(c *container) bool { return c.typ == "BarContainer" && c.art == x })
			switch {
			case k.name != name || !k.is(x):
			case isText:
				list = append(list, writing(k.typ, t, a, nil))
			case i >= 0: // each bar is a patch
				list = append(list, a.containers[i].parts...)
			default:
				list = append(list, &artist{typ: k.typ, art: x, ax: a})
			}
		}
	}
	return slot.NewList(list)
}
