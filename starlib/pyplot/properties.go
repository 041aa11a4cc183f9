package pyplot

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// artistGetters are the methods that return a property of what was drawn. Of what has it not get
// returns nil.
var artistGetters = []struct {
	names, doc, example string
	get                 func(c *call, x *artist) starlark.Value
}{
	{"get_zorder", "Returns what set_zorder sets.", aLine + "get_zorder() # 2.0", func(_ *call, x *artist) starlark.Value { return starlark.Float(x.art.Common().Z) }},
	{"get_alpha", "Returns how opaque it is; None if it is wholly.", aLine + "get_alpha() == None # True", func(_ *call, x *artist) starlark.Value {
		if a := x.art.Common().Alpha; a != 1 {
			return starlark.Float(a)
		}
		return starlark.None
	}},
	{"get_visible", "Says whether it is shown.", aLine + "get_visible() # True", func(_ *call, x *artist) starlark.Value { return starlark.Bool(!x.art.Common().Hidden) }},
	{"get_linewidth get_lw", "Returns the width of its lines, in points.", aLine + "get_linewidth() # 1.5", func(_ *call, x *artist) starlark.Value {
		return x.ofPen(func(p *plot.Pen) starlark.Value { return starlark.Float(p.Width) })
	}},
	{"get_linestyle get_ls", "Returns its line style.", aLine + "get_linestyle() # \"-\"", func(_ *call, x *artist) starlark.Value {
		return x.ofPen(func(p *plot.Pen) starlark.Value { return starlark.String(plot.StyleOf(p)) })
	}},
	{"get_edgecolor get_ec", "Returns red, green, blue and alpha of its edges, from 0 to 1.", aBar + "get_edgecolor() # (0.0, 0.0, 0.0, 0.0)", func(_ *call, x *artist) starlark.Value {
		if s, ok := x.art.(*plot.Points); ok && len(s.Edges) > 0 {
			return rgba(s.Edges[0])
		}
		return x.ofPen(func(p *plot.Pen) starlark.Value {
			if p.None {
				return rgba(palette.None)
			}
			return rgba(p.Color)
		})
	}},
	{"get_marker", "Returns its marker; 'None' if it has none.", aLine + "get_marker() # \"None\"", ofLine(func(_ *call, l *plot.Line) starlark.Value {
		if l.Marker.Shape == "" {
			return starlark.String("None")
		}
		return starlark.String(l.Marker.Shape)
	})},
	{"get_markersize get_ms", "Returns the size of its markers, in points.", aLine + "get_markersize() # 6.0", ofLine(func(_ *call, l *plot.Line) starlark.Value { return starlark.Float(l.Marker.Size) })},
	{"get_markerfacecolor get_mfc", "Returns what its markers are filled with.", aLine + "get_markerfacecolor() # \"#1f77b4\"", ofLine(func(_ *call, l *plot.Line) starlark.Value { return starlark.String(palette.Hex(l.Marker.Face)) })},
	{"get_xdata", "Returns x of a line.", aLine + "get_xdata() # array([1., 2., 3.])", ofLine(func(c *call, l *plot.Line) starlark.Value { return c.vector(slices.Clone(l.X)) })},
	{"get_ydata", "Returns y of a line.", aLine + "get_ydata() # array([1., 4., 9.])", ofLine(func(c *call, l *plot.Line) starlark.Value { return c.vector(slices.Clone(l.Y)) })},
	{"get_data", "Returns x and y of a line.", aLine + "get_data() # (array([1., 2., 3.]), array([1., 4., 9.]))", ofLine(func(c *call, l *plot.Line) starlark.Value {
		return starlark.Tuple{c.vector(slices.Clone(l.X)), c.vector(slices.Clone(l.Y))}
	})},
	{"get_offsets", "Returns the points of a scatter, one a row.", "plt.scatter([1, 2], [3, 4]).get_offsets().shape # (2, 2)", func(c *call, x *artist) starlark.Value {
		s, ok := x.art.(*plot.Points)
		if !ok {
			return nil
		}
		out := make([]float64, 0, 2*len(s.X))
		for i := range s.X {
			out = append(out, s.X[i], s.Y[i])
		}
		return np.FromDenseIn(c.s, tensor.From(out, len(s.X), 2))
	}},
	{"get_array", "Returns the numbers that a colour map gives colours to.", "plt.scatter([1, 2], [3, 4], c=[5, 6]).get_array() # array([5., 6.])", func(c *call, x *artist) starlark.Value {
		switch a := x.art.(type) {
		case *plot.Points:
			if a.Values != nil {
				return c.vector(slices.Clone(a.Values))
			}
			return starlark.None
		case *plot.Image:
			if a.Values != nil {
				return np.FromDenseIn(c.s, tensor.From(slices.Clone(a.Values), a.Rows, a.Columns))
			}
		}
		return nil
	}},
	{"get_clim", "Returns the numbers that have the first and the last colour.", "plt.imshow([[0, 1]]).get_clim() # (0.0, 1.0)", func(_ *call, x *artist) starlark.Value {
		if s := x.art.Common().Scale; s != nil {
			return starlark.Tuple{starlark.Float(s.Lo), starlark.Float(s.Hi)}
		}
		return nil
	}},
	{"get_children", "Returns the list of what a container holds.", "plt.bar([1, 2], [3, 4]).get_children()[1].get_height() # 4.0", func(_ *call, x *artist) starlark.Value { return slot.NewList(slices.Clone(x.parts)) }},
	{"get_x", "Returns where a bar begins.", aBar + "get_x() # 0.6", ofBar(func(b *bar) starlark.Value { return starlark.Float(b.x) })},
	{"get_y", "Returns where a bar begins, up.", aBar + "get_y() # 0.0", ofBar(func(b *bar) starlark.Value { return starlark.Float(b.y) })},
	{"get_xy", "Returns where a bar begins.", aBar + "get_xy() # (0.6, 0.0)", ofBar(func(b *bar) starlark.Value { return starlark.Tuple{starlark.Float(b.x), starlark.Float(b.y)} })},
	{"get_width", "Returns the width of a bar.", aBar + "get_width() # 0.8", ofBar(func(b *bar) starlark.Value { return starlark.Float(b.width) })},
	{"get_height", "Returns the height of a bar.", aBar + "get_height() # 5.0", ofBar(func(b *bar) starlark.Value { return starlark.Float(b.height) })},
}

// artistSetters are the methods that set one property of what was drawn.
var artistSetters = []struct {
	names, doc, example string
	set                 func(c *call, name string, x *artist, v starlark.Value) error
}{
	{"set_color set_c", "Sets its colour.", aLine + "set_color('red')", recolor(true, false)},
	{"set_facecolor set_fc", "Sets what it is filled with.", aBar + "set_facecolor('red')", recolor(true, false)},
	{"set_edgecolor set_ec", "Sets the colour of its edges.", aBar + "set_edgecolor('black')", recolor(false, true)},
	{"set_linewidth set_lw", "Sets the width of its lines, in points.", aLine + "set_linewidth(3)", func(c *call, name string, x *artist, v starlark.Value) error {
		w, err := c.length(name, v)
		if err == nil {
			x.eachPen(func(p *plot.Pen) { p.Width = w })
		}
		return err
	}},
	{"set_linestyle set_ls", "Sets its line style.", aLine + "set_linestyle('--')", func(_ *call, _ string, x *artist, v starlark.Value) error {
		pen := plot.Pen{}
		if err := setDash(&pen, v); err != nil {
			return err
		}
		x.eachPen(func(p *plot.Pen) { p.Dash, p.None = pen.Dash, pen.None })
		return nil
	}},
	{"set_marker", "Sets its markers.", aLine + "set_marker('o')", aLineAs(func(_ *call, _ string, l *plot.Line, v starlark.Value) (err error) {
		l.Marker.Shape, err = checkMarker(text(v))
		return err
	})},
	{"set_markersize set_ms", "Sets the size of its markers, in points.", aLine + "set_markersize(3)", aLineAs(func(c *call, name string, l *plot.Line, v starlark.Value) (err error) {
		l.Marker.Size, err = c.length(name, v)
		return err
	})},
	{"set_markeredgewidth set_mew", "Sets how thick the edges of its markers are, in points.", aLine + "set_markeredgewidth(2)", aLineAs(func(c *call, name string, l *plot.Line, v starlark.Value) (err error) {
		l.Marker.EdgeWidth, err = c.length(name, v)
		return err
	})},
	{"set_markerfacecolor set_mfc", "Sets what its markers are filled with.", aLine + "set_markerfacecolor('w')", aLineAs(func(_ *call, _ string, l *plot.Line, v starlark.Value) (err error) {
		l.Marker.Face, err = colorOf(v)
		return err
	})},
	{"set_markeredgecolor set_mec", "Sets the colour of the edges of its markers.", aLine + "set_markeredgecolor('k')", aLineAs(func(_ *call, _ string, l *plot.Line, v starlark.Value) (err error) {
		l.Marker.Edge, err = colorOf(v)
		return err
	})},
	{"set_hatch", "Accepted; areas have one colour.", aBar + "set_hatch('/')", func(*call, string, *artist, starlark.Value) error { return nil }},
	{"set_offsets", "Sets the points of a scatter, one a row.", aScatter + "set_offsets([[0, 0], [1, 1]])", aScatterAs(func(c *call, name string, s *plot.Points, v starlark.Value) error {
		d, err := c.array(name, v)
		if err != nil || d.Rank() != 2 || d.Shape()[1] != 2 {
			return valueError("%s: got %s, want points (x, y), one a row", name, value.Repr(v))
		}
		x := floats(d)
		s.X, s.Y = nil, nil
		for i := 0; i < len(x); i += 2 {
			s.X, s.Y = append(s.X, x[i]), append(s.Y, x[i+1])
		}
		return nil
	})},
	{"set_sizes", "Sets the sizes of a scatter, in square points.", aScatter + "set_sizes([10, 40])", aScatterAs(func(c *call, name string, s *plot.Points, v starlark.Value) error {
		sizes, err := c.numbers(name, v, nil)
		if err == nil && len(sizes) > 0 {
			s.Areas = sizes
		}
		return err
	})},
	{"set_xdata", "Sets x of a line; it has to have as many numbers as y when the line is drawn.", aLine + "set_xdata([3, 4, 5])", func(c *call, name string, x *artist, v starlark.Value) error {
		return c.setSide(name, x, v, true)
	}},
	{"set_ydata", "Sets y of a line; it has to have as many numbers as x when the line is drawn.", aLine + "set_ydata([0, 1, 0])", func(c *call, name string, x *artist, v starlark.Value) error {
		return c.setSide(name, x, v, false)
	}},
}

func recolor(face, edge bool) func(c *call, name string, x *artist, v starlark.Value) error {
	return func(_ *call, _ string, x *artist, v starlark.Value) error {
		color, err := colorOf(v)
		if err == nil {
			x.recolor(color, face, edge)
		}
		return err
	}
}

func aLineAs(set func(c *call, name string, l *plot.Line, v starlark.Value) error) func(c *call, name string, x *artist, v starlark.Value) error {
	return func(c *call, name string, x *artist, v starlark.Value) error {
		l, ok := x.art.(*plot.Line)
		if !ok {
			return typeError("%s: only lines have it, %s has not; draw it anew", name, x.typ)
		}
		return set(c, name, l, v)
	}
}

func aScatterAs(set func(c *call, name string, s *plot.Points, v starlark.Value) error) func(c *call, name string, x *artist, v starlark.Value) error {
	return func(c *call, name string, x *artist, v starlark.Value) error {
		s, ok := x.art.(*plot.Points)
		if !ok {
			return typeError("%s: only scatters have it, %s has not", name, x.typ)
		}
		return set(c, name, s, v)
	}
}

// setSide sets x or y of a line.
func (c *call) setSide(name string, x *artist, v starlark.Value, horizontal bool) error {
	return aLineAs(func(c *call, name string, l *plot.Line, v starlark.Value) error {
		to, axis := &l.Y, x.ax.a.Y
		if horizontal {
			to, axis = &l.X, x.ax.a.X
		}
		data, err := c.numbers(name, v, axis)
		if err == nil {
			*to = data
		}
		return err
	})(c, name, x, v)
}

// length is a number of points.
func (c *call) length(name string, v starlark.Value) (float64, error) {
	n, err := c.one(name, v)
	if err == nil && (n < 0 || n > 1e4) {
		err = valueError("%s: got %g, want points from 0 to 10000", name, n)
	}
	return n, err
}

const (
	aScatter = "plt.scatter([1, 2], [3, 4])."
	aLine    = "line, = plt.plot([1, 2, 3], [1, 4, 9]); line."
	aBar     = "b = plt.bar([1], [5])[0]; b."
)

func ofLine(get func(c *call, l *plot.Line) starlark.Value) func(c *call, x *artist) starlark.Value {
	return func(c *call, x *artist) starlark.Value {
		if l, ok := x.art.(*plot.Line); ok {
			return get(c, l)
		}
		return nil
	}
}

func ofBar(get func(b *bar) starlark.Value) func(c *call, x *artist) starlark.Value {
	return func(_ *call, x *artist) starlark.Value {
		if x.rect != nil {
			return get(x.rect)
		}
		return nil
	}
}

// ofPen is a property of its first pen.
func (x *artist) ofPen(get func(p *plot.Pen) starlark.Value) (v starlark.Value) {
	x.eachPen(func(p *plot.Pen) {
		if v == nil {
			v = get(p)
		}
	})
	return v
}

// propertyRows are the methods of artistGetters and artistSetters.
func propertyRows() []value.Builtin {
	var rows []value.Builtin
	for _, g := range artistGetters {
		for _, name := range strings.Fields(g.names) {
			example := strings.Replace(g.example, strings.Fields(g.names)[0]+"(", name+"(", 1)
			rows = append(rows, method(name, g.doc, example, func(c *call, x *artist, _ *none) (starlark.Value, error) {
				if v := g.get(c, x); v != nil {
					return v, nil
				}
				return nil, typeError("%s: %s has it not", name, x.typ)
			}))
		}
	}
	for _, s := range artistSetters {
		for _, name := range strings.Fields(s.names) {
			example := strings.Replace(s.example, strings.Fields(s.names)[0]+"(", name+"(", 1)
			rows = append(rows, method(name, s.doc, example, func(c *call, x *artist, a *oneValue) (starlark.Value, error) {
				return nil, s.set(c, name, x, a.V)
			}))
		}
	}
	return rows
}
