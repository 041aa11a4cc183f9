package pyplot

import (
	"math"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// detached are axes of no figure, for an artist before it is added to some.
func (c *call) detached() *axes {
	return (&figure{f: plot.NewFigure(0, 0, c.st.style.Cloned()), st: c.st}).add(1, 1, 0, 0)
}

// patchStyle is how a patch looks.
type patchStyle struct {
	_ struct{} `arg:"*:"`
	faceArgs
	common
}

// patch is the value of a shape that is on no axes yet.
func (c *call) patch(typ string, style *patchStyle, ring []plot.Point) (starlark.Value, error) {
	base, err := style.base(1)
	if err != nil {
		return nil, err
	}
	faces, edges, err := style.both(func() plot.Color { return palette.Cycle[0] }, c.st.style.PatchEdge)
	if err != nil {
		return nil, err
	}
	g := &plot.Polygons{Base: base, Shapes: []plot.Shape{{Face: faces[0], Edge: edges[0]}}}
	if ring != nil {
		g.Shapes[0].Rings = [][]plot.Point{ring}
	}
	return &artist{typ: typ, art: g, ax: c.detached()}, nil
}

// ellipse is a ring around a point, turned by degrees.
func ellipse(x, y, width, height, angle float64) []plot.Point {
	const n = 128
	sin, cos := math.Sincos(angle * math.Pi / 180)
	ring := make([]plot.Point, n)
	for i := range ring {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		u, v := c*width/2, s*height/2
		ring[i] = plot.Point{X: x + u*cos - v*sin, Y: y + u*sin + v*cos}
	}
	return ring
}

// shapeRows make what add_patch and add_line add to axes, and what stands for it in a legend. They
// are functions of plt, of matplotlib.patches and of matplotlib.lines.
func shapeRows() (patches, lines []pair) {
	patches = []pair{
		free("Rectangle", "A rectangle at the corner xy, for ax.add_patch.", "gca().add_patch(plt.Rectangle((0, 0), 0.5, 0.2, color='red'))", func(c *call, a *struct {
			XY     starlark.Value `arg:"xy: the lower left corner"`
			Width  float64        `arg:"width: its width"`
			Height float64        `arg:"height: its height"`
			Angle  float64        `arg:"angle=0: degrees that it is turned by, around xy"`
			patchStyle
		}) (starlark.Value, error) {
			x, y, err := c.twoFloats("xy", a.XY)
			if err != nil {
				return nil, err
			}
			sin, cos := math.Sincos(a.Angle * math.Pi / 180)
			var ring []plot.Point
			for _, p := range [][2]float64{{0, 0}, {a.Width, 0}, {a.Width, a.Height}, {0, a.Height}} {
				ring = append(ring, plot.Point{X: x + p[0]*cos - p[1]*sin, Y: y + p[0]*sin + p[1]*cos})
			}
			return c.patch("Rectangle", &a.patchStyle, ring)
		}),
		free("Circle", "A circle around xy, for ax.add_patch.", "gca().add_patch(plt.Circle((0.5, 0.5), 0.2, fill=False))", func(c *call, a *struct {
			XY     starlark.Value `arg:"xy: its middle"`
			Radius float64        `arg:"radius=5: its radius"`
			patchStyle
		}) (starlark.Value, error) {
			x, y, err := c.twoFloats("xy", a.XY)
			if err != nil {
				return nil, err
			}
			return c.patch("Circle", &a.patchStyle, ellipse(x, y, 2*a.Radius, 2*a.Radius, 0))
		}),
		free("Polygon", "A polygon, for ax.add_patch.", "gca().add_patch(plt.Polygon([(0, 0), (1, 0), (0.5, 1)]))", func(c *call, a *struct {
			XY     starlark.Value `arg:"xy: its corners, one a row"`
			Closed starlark.Value `arg:"closed=True: accepted"`
			patchStyle
		}) (starlark.Value, error) {
			d, err := c.array("xy", a.XY)
			if err != nil || d.Rank() != 2 || d.Shape()[1] != 2 {
				return nil, valueError("xy must have shape (N, 2), got %s", value.Repr(a.XY))
			}
			ring := []plot.Point{}
			for x := floats(d); len(x) > 1; x = x[2:] {
				ring = append(ring, plot.Point{X: x[0], Y: x[1]})
			}
			return c.patch("Polygon", &a.patchStyle, ring)
		}),
		free("Ellipse", "An ellipse around xy, for ax.add_patch.", "", func(c *call, a *struct {
			XY     starlark.Value `arg:"xy: its middle"`
			Width  float64        `arg:"width: its width"`
			Height float64        `arg:"height: its height"`
			Angle  float64        `arg:"angle=0: degrees that it is turned by"`
			patchStyle
		}) (starlark.Value, error) {
			x, y, err := c.twoFloats("xy", a.XY)
			if err != nil {
				return nil, err
			}
			return c.patch("Ellipse", &a.patchStyle, ellipse(x, y, a.Width, a.Height, a.Angle))
		}),
		free("Patch", "A colour with a label, for a legend.", "", func(c *call, a *patchStyle) (starlark.Value, error) { return c.patch("Patch", a, nil) }),
	}
	lines = []pair{free("Line2D", "A line through points, for ax.add_line or a legend.", "legend(handles=[plt.Line2D([0], [0], color='red', label='a')])", func(c *call, a *struct {
		X starlark.Value `arg:"xdata: x of its points"`
		Y starlark.Value `arg:"ydata: y of its points"`
		lineStyle
	}) (starlark.Value, error) {
		c.ax = c.detached()
		x, y, err := c.points(a.X, a.Y)
		if err != nil {
			return nil, err
		}
		l, err := c.newLine(x, y, format{}, &a.lineStyle)
		if err != nil {
			return nil, err
		}
		return &artist{typ: "Line2D", art: l, ax: c.ax}, nil
	})}
	return patches, lines
}

// adopt adds to axes what was made without them. The limits of an image stay.
func adopt(c *call, a *struct {
	X *artist `arg:"artist: a shape or a line"`
}) (starlark.Value, error) {
	a.X.ax = c.ax
	c.ax.a.Artists = append(c.ax.a.Artists, a.X.art)
	return a.X, nil
}

var patchesModule = value.NewLazyModule("matplotlib.patches", "Shapes for ax.add_patch and for legends.", func() []value.Member {
	patches, _ := shapeRows()
	return inModule("matplotlib.patches", patches, map[string]string{"Rectangle": "((0, 0), 1, 2)", "Circle": "((0, 0), 1)", "Polygon": "([(0, 0), (1, 0), (0, 1)])", "Ellipse": "((0, 0), 2, 1)", "Patch": "(color='red', label='a')"})
})

var linesModule = value.NewLazyModule("matplotlib.lines", "Lines for ax.add_line and for legends.", func() []value.Member {
	_, lines := shapeRows()
	return inModule("matplotlib.lines", lines, map[string]string{"Line2D": "([0, 1], [0, 1], color='red')"})
})

// inModule are rows as functions of a module, with what they are called with in an example.
func inModule(module string, rows []pair, examples map[string]string) []value.Member {
	var list []value.Builtin
	for _, p := range rows {
		b := p.function
		b.Module, b.Example = module, "import "+module+"; "+module+"."+b.Name+examples[b.Name]
		list = append(list, b)
	}
	return value.Builtins(list)
}

// plainShapes are the rows that are functions of plt too.
func plainShapes() []pair {
	patches, lines := shapeRows()
	return append(patches[:3:3], lines...)
}
