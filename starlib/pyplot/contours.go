package pyplot

import (
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/plot/ticks"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type contourArgs struct {
	Args   starlark.Tuple `arg:"*args: a matrix, or x, y and a matrix; after it how many levels, or a list of them"`
	_      struct{}       `arg:"*:"`
	Levels starlark.Value `arg:"levels=None: how many, or which"`
	Map    starlark.Value `arg:"cmap=None: the name of a colour map"`
	Colors starlark.Value `arg:"colors=None: a colour, or one for each level"`
	Norm   starlark.Value `arg:"norm=None: 'log' or 'linear'"`
	Lo     *float64       `arg:"vmin=None: what has the first colour"`
	Hi     *float64       `arg:"vmax=None: what has the last"`
	Alpha  *float64       `arg:"alpha=None: from 0 to 1"`
	Width  starlark.Value `arg:"linewidths=None: points, of contour's lines"`
	Dash   starlark.Value `arg:"linestyles=None: of contour's lines"`
	Extend *string        `arg:"extend=None: 'neither' or 'both', 'min', 'max': fills beyond the levels"`
	Origin starlark.Value `arg:"origin=None: accepted"`
	Extent starlark.Value `arg:"extent=None: (left, right, bottom, top) where x and y are not given"`
	Z      *float64       `arg:"zorder=None: what has more lies above"`
}

func (c *call) contour(a *contourArgs, filled bool) (starlark.Value, error) {
	what := "contour"
	if filled {
		what = "contourf"
	}
	args := a.Args
	if len(args) == 2 || len(args) == 4 {
		if a.Levels == nil {
			a.Levels = args[len(args)-1]
		}
		args = args[:len(args)-1]
	}
	x, y, d, err := c.mesh(what, args)
	if err != nil {
		return nil, err
	}
	rows, columns := d.Shape()[0], d.Shape()[1]
	if rows < 2 || columns < 2 {
		return nil, typeError("Input z must be at least a (2, 2) shaped array, but has shape %s", tensor.ShapeString(d.Shape()))
	}
	if x == nil {
		x, y = counting(columns), counting(rows)
		if a.Extent != nil {
			e, err := c.numbers("extent", a.Extent, nil)
			if err != nil || len(e) != 4 {
				return nil, valueError("extent must be (left, right, bottom, top), got %s", value.Repr(a.Extent))
			}
			for i := range x {
				x[i] = e[0] + (e[1]-e[0])*float64(i)/float64(columns-1)
			}
			for i := range y {
				y[i] = e[2] + (e[3]-e[2])*float64(i)/float64(rows-1)
			}
		}
	}
	if len(x) != columns || len(y) != rows {
		return nil, typeError("Length of x (%d) must match number of columns in z (%d), and length of y (%d) the number of rows (%d)", len(x), columns, len(y), rows)
	}
	field := &plot.Field{X: x, Y: y, Z: floats(d)}
	scale, err := c.scale(a.Map, a.Norm, field.Z, nil, nil)
	if err != nil {
		return nil, err
	}
	levels, err := c.levels(a.Levels, scale, filled)
	if err != nil {
		return nil, err
	}
	if a.Colors != nil {
		if scale.Colors, err = colorsOf(a.Colors); err != nil {
			return nil, err
		}
	}
	return c.drawContour(a, field, scale, levels, filled)
}

func (c *call) drawContour(a *contourArgs, field *plot.Field, scale *plot.Scale, levels []float64, filled bool) (starlark.Value, error) {
	base := plot.Base{Alpha: 1, Z: 2, Scale: scale}
	if a.Alpha != nil {
		base.Alpha = *a.Alpha
	}
	lo, hi := levels[0], levels[len(levels)-1]
	set := func() {
		scale.Lo, scale.Hi = lo, hi
		if a.Lo != nil {
			scale.Lo = *a.Lo
		}
		if a.Hi != nil {
			scale.Hi = *a.Hi
		}
	}
	stickyX, stickyY := []float64{field.X[0], field.X[len(field.X)-1]}, []float64{field.Y[0], field.Y[len(field.Y)-1]}
	if filled {
		base.Z = 1
		if a.Z != nil {
			base.Z = *a.Z
		}
		scale.Levels = levels
		set()
		g := &plot.Polygons{Base: base, Seamless: true, StickyX: stickyX, StickyY: stickyY}
		bounds := levels
		if a.Extend != nil {
			if err := oneOf("extend", *a.Extend, "neither", "both", "min", "max"); err != nil {
				return nil, err
			}
			bounds = slices.Clone(levels)
			if *a.Extend == "both" || *a.Extend == "min" {
				bounds = append([]float64{math.Inf(-1)}, bounds...)
			}
			if *a.Extend == "both" || *a.Extend == "max" {
				bounds = append(bounds, math.Inf(1))
			}
		}
		for k := range len(bounds) - 1 {
			from, to := bounds[k], bounds[k+1]
			color := scale.Color((max(from, levels[0]-1e300) + min(to, 1e300)) / 2)
			if scale.Colors != nil {
				color = scale.Colors[k%len(scale.Colors)]
			}
			if rings := field.Band(from, to); rings != nil {
				g.Shapes = append(g.Shapes, plot.Shape{Rings: rings, Face: color, Edge: plot.Pen{None: true}})
			}
		}
		corners := plot.Shape{Rings: [][]plot.Point{{{X: stickyX[0], Y: stickyY[0]}, {X: stickyX[1], Y: stickyY[1]}}}, Edge: plot.Pen{None: true}}
		g.Shapes = append(g.Shapes, corners) // the limits are the grid's
		c.ax.a.Add(g)
		c.ax.fig.mappable(g)
		return &artist{typ: "QuadContourSet", art: g, ax: c.ax}, nil
	}
	set()
	return c.contourLines(a, field, scale, levels, base, stickyX, stickyY)
}

// contourLines draws the lines of levels.
func (c *call) contourLines(a *contourArgs, field *plot.Field, scale *plot.Scale, levels []float64, base plot.Base, stickyX, stickyY []float64) (starlark.Value, error) {
	if a.Z != nil {
		base.Z = *a.Z
	}
	scale.Lines = levels
	s := &plot.Segments{Base: base, StickyX: stickyX, StickyY: stickyY}
	widths := []float64{c.ax.a.Figure.Style.LineWidth}
	if a.Width != nil {
		var err error
		if widths, err = c.numbers("linewidths", a.Width, nil); err != nil || len(widths) == 0 {
			return nil, typeError("linewidths: got %s, want a number or a list of them", value.Repr(a.Width))
		}
	}
	var pens []plot.Pen
	for k, l := range levels {
		pen := plot.Pen{Color: palette.Faded(scale.Map.At(scale.Fraction(l)), 1), Width: widths[k%len(widths)]}
		if scale.Colors != nil {
			pen.Color = scale.Colors[k%len(scale.Colors)]
			if l < 0 && len(scale.Colors) == 1 && a.Dash == nil {
				pen.Dash, _, _ = plot.DashOf("--")
			}
		}
		if err := setDash(&pen, a.Dash); err != nil {
			return nil, err
		}
		for _, line := range field.Contour(l) {
			s.Lines, pens = append(s.Lines, line), append(pens, pen)
			s.Texts = append(s.Texts, "")
			s.Heights = append(s.Heights, l)
		}
	}
	if pens == nil {
		pens = []plot.Pen{{}}
	}
	s.Pens = pens
	s.Room = &plot.Rect{X0: stickyX[0], X1: stickyX[1], Y0: stickyY[0], Y1: stickyY[1]}
	c.ax.a.Add(s)
	c.ax.fig.mappable(s)
	return &artist{typ: "QuadContourSet", art: s, ax: c.ax}, nil
}

// levels are the heights of contours: those given, or about a number of round ones.
func (c *call) levels(v starlark.Value, scale *plot.Scale, filled bool) ([]float64, error) {
	n := 7
	if v != nil {
		if k, err := value.Int(v); err == nil {
			n = k
		} else {
			list, err := c.numbers("levels", v, nil)
			if err != nil {
				return nil, err
			}
			if len(list) == 0 || filled && len(list) < 2 {
				return nil, valueError("Filled contours require at least 2 levels.")
			}
			for i := 1; i < len(list); i++ {
				if !(list[i] > list[i-1]) {
					return nil, valueError("Contour levels must be increasing")
				}
			}
			return list, nil
		}
	}
	if n < 1 || n > 1000 {
		return nil, valueError("levels must be from 1 to 1000, got %d", n)
	}
	if scale.Log {
		major, _ := ticks.Log(scale.Lo, scale.Hi, 20)
		return slices.DeleteFunc(major, func(x float64) bool { return x < scale.Lo/10 || x > scale.Hi*10 }), nil
	}
	lo, hi := plot.Apart(scale.Lo, scale.Hi)
	list := ticks.Rule{Most: n + 1, Least: 1, Steps: ticks.Fine}.Linear(lo, hi)
	// One level more on each side, as matplotlib has them for the colours.
	first, last := 0, len(list)
	for i, l := range list {
		if l < scale.Lo {
			first = i
		}
	}
	for i, l := range slices.Backward(list) {
		if l > scale.Hi {
			last = i + 1
		}
	}
	if last-first < 3 {
		return list, nil
	}
	return list[first:last], nil
}

type clabelArgs struct {
	CS     *artist        `arg:"CS: what contour returned"`
	Levels starlark.Value `arg:"levels=None: accepted"`
	_      struct{}       `arg:"*:"`
	Size   starlark.Value `arg:"fontsize|size=None: points"`
	Inline starlark.Value `arg:"inline=True: accepted"`
	Fmt    *string        `arg:"fmt=None: how heights are written, as '%.2f'"`
	Colors paint          `arg:"colors=None: a colour"`
}

func clabel(c *call, a *clabelArgs) (starlark.Value, error) {
	s, ok := a.CS.art.(*plot.Segments)
	if !ok || s.Heights == nil {
		return nil, typeError("clabel: got %s, want what contour returned", a.CS.typ)
	}
	s.TextSize = 10
	if a.Size != nil {
		var err error
		if s.TextSize, err = sizeOf(a.Size); err != nil {
			return nil, err
		}
	}
	labels, _ := ticks.Labels(s.Scale.Lines, s.Scale.Lo, s.Scale.Hi, ticks.Options{Plain: true, NoOffset: true})
	for i, h := range s.Heights {
		if a.Fmt != nil {
			s.Texts[i] = c.percent(*a.Fmt, h)
			continue
		}
		for k, l := range s.Scale.Lines {
			if l == h {
				s.Texts[i] = labels[k]
			}
		}
	}
	return slot.NewList(nil), nil
}
