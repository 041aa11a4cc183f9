package pyplot

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

type fillArgs struct {
	X           starlark.Value `arg:"x: where"`
	Y1          starlark.Value `arg:"y1: one curve"`
	Y2          starlark.Value `arg:"y2=0: the other curve, or a number"`
	Where       starlark.Value `arg:"where=None: bools; what is False is left out"`
	Interpolate starlark.Value `arg:"interpolate=False: accepted"`
	Step        *string        `arg:"step=None: 'pre', 'post' or 'mid'"`
	faceArgs
	common
}

func (c *call) fill(a *fillArgs, turned bool) (starlark.Value, error) {
	along, across := c.ax.a.X, c.ax.a.Y
	if turned {
		along, across = across, along
	}
	x, err := c.numbers("x", a.X, along)
	if err != nil {
		return nil, err
	}
	var sides [2][]float64
	for i, v := range []starlark.Value{a.Y1, a.Y2} {
		if v == nil {
			v = starlark.MakeInt(0)
		}
		if sides[i], err = c.numbers(fmt.Sprintf("y%d", i+1), v, across); err != nil {
			return nil, err
		}
		if len(sides[i]) != len(x) && len(sides[i]) != 1 {
			return nil, valueError("operands could not be broadcast together with shapes (%d,) and (%d,)", len(x), len(sides[i]))
		}
		if sides[i], err = repeat("y", sides[i], len(x)); err != nil {
			return nil, err
		}
	}
	shown := always
	if a.Where != nil {
		w, err := c.numbers("where", a.Where, nil)
		if err != nil {
			return nil, err
		}
		if len(w) != len(x) {
			return nil, valueError("where size (%d) does not match 'x' size (%d)", len(w), len(x))
		}
		shown = func(i int) bool { return w[i] != 0 }
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	faces, edges, err := a.both(c.ax.a.NextFill, nil)
	if err != nil {
		return nil, err
	}
	g := &plot.Polygons{Base: base}
	if a.Step != nil {
		if err := oneOf("step", *a.Step, "pre", "post", "mid"); err != nil {
			return nil, err
		}
	}
	for _, ring := range between(x, sides[0], sides[1], a.Step, shown) {
		if turned {
			for k, p := range ring {
				ring[k] = plot.Point{X: p.Y, Y: p.X}
			}
		}
		g.Shapes = append(g.Shapes, plot.Shape{Rings: [][]plot.Point{ring}, Face: faces[0], Edge: edges[0]})
	}
	c.ax.a.Add(g)
	return &artist{typ: "PolyCollection", art: g, ax: c.ax}, nil
}

// between are the areas between two curves over x, where they are finite and shown.
func between(x, y1, y2 []float64, step *string, shown func(i int) bool) [][]plot.Point {
	var rings [][]plot.Point
	for i := 0; i < len(x); {
		j := i
		for j < len(x) && shown(j) && isFinite(x[j]) && isFinite(y1[j]) && isFinite(y2[j]) {
			j++
		}
		if j > i {
			rings = append(rings, append(steps(x[i:j], y1[i:j], step), reversed(steps(x[i:j], y2[i:j], step))...))
		}
		i = j + 1
	}
	return rings
}

func always(int) bool { return true }

// steps are points with the corners of steps between them.
func steps(x, y []float64, how *string) []plot.Point {
	var out []plot.Point
	for i := range x {
		if i > 0 && how != nil {
			switch *how {
			case "pre":
				out = append(out, plot.Point{X: x[i-1], Y: y[i]})
			case "post":
				out = append(out, plot.Point{X: x[i], Y: y[i-1]})
			case "mid":
				m := (x[i-1] + x[i]) / 2
				out = append(out, plot.Point{X: m, Y: y[i-1]}, plot.Point{X: m, Y: y[i]})
			}
		}
		out = append(out, plot.Point{X: x[i], Y: y[i]})
	}
	return out
}

func reversed(p []plot.Point) []plot.Point {
	slices.Reverse(p)
	return p
}

type fillPolygonArgs struct {
	Args starlark.Tuple `arg:"*args: x and y of the corners, and a colour"`
	_    struct{}       `arg:"*:"`
	faceArgs
	common
}

func fillPolygon(c *call, a *fillPolygonArgs) (starlark.Value, error) {
	if len(a.Args) < 2 || len(a.Args) > 3 {
		return nil, typeError("fill: got %d arguments, want x, y and perhaps a colour", len(a.Args))
	}
	x, y, err := c.points(a.Args[0], a.Args[1])
	if err != nil {
		return nil, err
	}
	if len(a.Args) == 3 && a.Color == nil {
		a.Color = a.Args[2]
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	faces, edges, err := a.fill(c.ax.a.NextFill, nil)
	if err != nil {
		return nil, err
	}
	g := &plot.Polygons{Base: base, Shapes: []plot.Shape{{Rings: [][]plot.Point{steps(x, y, nil)}, Face: faces[0], Edge: edges[0]}}}
	c.ax.a.Add(g)
	return slot.NewList([]starlark.Value{&artist{typ: "Polygon", art: g, ax: c.ax}}), nil
}

type stackplotArgs struct {
	X      starlark.Value `arg:"x: where"`
	Args   starlark.Tuple `arg:"*args: the heights of each area, or one matrix with a row each"`
	_      struct{}       `arg:"*:"`
	Labels starlark.Value `arg:"labels=None: a name each"`
	Colors starlark.Value `arg:"colors=None: a colour each"`
	Base   string         `arg:"baseline=\"zero\": only 'zero'"`
	common
}

func stackplot(c *call, a *stackplotArgs) (starlark.Value, error) {
	x, err := c.numbers("x", a.X, c.ax.a.X)
	if err != nil {
		return nil, err
	}
	if err := oneOf("baseline", a.Base, "zero"); err != nil {
		return nil, err
	}
	var rows [][]float64
	for _, v := range a.Args {
		columns, shape, err := c.columns("y", v, nil)
		if err != nil {
			return nil, err
		}
		if len(shape) == 2 {
			for i := range shape[0] {
				var row []float64
				for k := range columns {
					row = append(row, columns[k][i])
				}
				rows = append(rows, row)
			}
		} else {
			rows = append(rows, columns[0])
		}
	}
	var names []string
	if a.Labels != nil {
		if names, err = texts(a.Labels); err != nil {
			return nil, err
		}
	}
	var colors []plot.Color
	if a.Colors != nil {
		if colors, err = colorsOf(a.Colors); err != nil {
			return nil, err
		}
	}
	low := make([]float64, len(x))
	var out []starlark.Value
	for k, row := range rows {
		if len(row) != len(x) {
			return nil, valueError("operands could not be broadcast together with shapes (%d,) and (%d,)", len(x), len(row))
		}
		base, err := a.base(1)
		if err != nil {
			return nil, err
		}
		if k < len(names) {
			base.Label = names[k]
		}
		color := plot.Color{}
		if len(colors) > 0 {
			color = colors[k%len(colors)]
		} else {
			color = c.ax.a.NextColor()
		}
		high := make([]float64, len(x))
		for i := range x {
			high[i] = low[i] + row[i]
		}
		g := &plot.Polygons{Base: base, StickyY: []float64{0}}
		for _, ring := range between(x, high, low, nil, always) {
			g.Shapes = append(g.Shapes, plot.Shape{Rings: [][]plot.Point{ring}, Face: color, Edge: plot.Pen{None: true}})
		}
		c.ax.a.Add(g)
		out = append(out, &artist{typ: "PolyCollection", art: g, ax: c.ax})
		low = high
	}
	return slot.NewList(out), nil
}

type axhspanArgs struct {
	Lo float64 `arg:"ymin: where it begins"`
	Hi float64 `arg:"ymax: where it ends"`
	faceArgs
	common
}

type axvspanArgs struct {
	Lo float64 `arg:"xmin: where it begins"`
	Hi float64 `arg:"xmax: where it ends"`
	faceArgs
	common
}

func (c *call) span(lo, hi float64, face *faceArgs, more *common, horizontal bool) (starlark.Value, error) {
	base, err := more.base(1)
	if err != nil {
		return nil, err
	}
	faces, edges, err := face.both(func() plot.Color { return palette.Cycle[0] }, nil)
	if err != nil {
		return nil, err
	}
	g := &plot.Polygons{Base: base}
	if horizontal {
		g.FracX = true
		g.Shapes = []plot.Shape{plot.Rectangle(0, lo, 1, hi, faces[0], edges[0])}
	} else {
		g.FracY = true
		g.Shapes = []plot.Shape{plot.Rectangle(lo, 0, hi, 1, faces[0], edges[0])}
	}
	c.ax.a.Add(g)
	return &artist{typ: "Polygon", art: g, ax: c.ax}, nil
}
