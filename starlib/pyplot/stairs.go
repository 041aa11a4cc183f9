package pyplot

import (
	"math"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// rangeRows draw what lies over ranges of an axis: steps, bars that are broken, events.
func rangeRows() []pair {
	return []pair{
		drawing("stairs", "Draws a level for each range between edges, one of values more: what np.histogram returns.", "stairs([1, 3, 2], [0, 1, 2, 4], fill=True)", stairs),
		drawing("broken_barh", "Draws horizontal bars: (xmin, width) each, over the range (ymin, height).", "broken_barh([(1, 2), (5, 1)], (0, 1))", brokenBars),
		drawing("eventplot", "Draws a short line at each position, and a row of them for each list.", "eventplot([[1, 2, 4], [3, 5]])", eventplot),
	}
}

type stairsArgs struct {
	Values starlark.Value `arg:"values: the levels"`
	Edges  starlark.Value `arg:"edges=None: where they begin and end, one more; 0, 1, 2 ... if not given"`
	_      struct{}       `arg:"*:"`
	Turned string         `arg:"orientation=\"vertical\": 'vertical' or 'horizontal'"`
	From   starlark.Value `arg:"baseline=0: where the ends reach to, and the area begins; None for no ends"`
	faceArgs
	common
}

func stairs(c *call, a *stairsArgs) (starlark.Value, error) {
	if err := oneOf("orientation", a.Turned, "vertical", "horizontal"); err != nil {
		return nil, err
	}
	along, across := c.ax.a.X, c.ax.a.Y
	if a.Turned == "horizontal" {
		along, across = across, along
	}
	levels, err := c.numbers("values", a.Values, across)
	if err != nil {
		return nil, err
	}
	edges := make([]float64, len(levels)+1)
	for i := range edges {
		edges[i] = float64(i)
	}
	if a.Edges != nil {
		if edges, err = c.numbers("edges", a.Edges, along); err != nil {
			return nil, err
		}
	}
	if len(levels) == 0 || len(edges) != len(levels)+1 {
		return nil, valueError("Size mismatch between \"values\" and \"edges\". Expected `len(values) + 1 == len(edges)`, but `len(values) = %d` and `len(edges) = %d`.", len(levels), len(edges))
	}
	from := []float64{0}
	open := a.From == starlark.None
	if a.From != nil && !open {
		if from, err = c.numbers("baseline", a.From, across); err != nil {
			return nil, err
		}
	}
	if from, err = repeat("baseline", from, len(levels)); err != nil {
		return nil, err
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	filled := a.Fill != nil && *a.Fill
	a.Fill = nil
	faces, pens, err := a.fill(c.ax.a.NextColor, nil)
	if err != nil {
		return nil, err
	}
	s := plot.Shape{Face: faces[0], Edge: pens[0]}
	if !filled {
		s.Open, s.Face = true, palette.None
		if a.Edge == nil {
			s.Edge.Color = faces[0]
		}
		if s.Edge.None = false; a.Width == nil {
			s.Edge.Width = c.ax.a.Figure.Style.LineWidth
		}
		if base.Z = 2; a.Z != nil {
			base.Z = *a.Z
		}
	}
	ring := []plot.Point{{X: edges[0], Y: from[0]}}
	if open {
		ring = nil
	}
	for i, level := range levels {
		ring = append(ring, plot.Point{X: edges[i], Y: level}, plot.Point{X: edges[i+1], Y: level})
	}
	if !open {
		ring = append(ring, plot.Point{X: edges[len(levels)], Y: from[len(levels)-1]})
	}
	for i := len(levels) - 1; i > 0 && filled; i-- {
		ring = append(ring, plot.Point{X: edges[i], Y: from[i]}, plot.Point{X: edges[i], Y: from[i-1]})
	}
	g := &plot.Polygons{Base: base}
	rings := [][]plot.Point{ring}
	if open { // the limits reach to 0 all the same
		rings = append(rings, []plot.Point{{X: edges[0]}})
	}
	if a.Turned == "horizontal" {
		for i, p := range ring {
			ring[i] = plot.Point{X: p.Y, Y: p.X}
		}
		g.StickyX = from
	} else {
		g.StickyY = from
	}
	s.Rings = rings
	g.Shapes = []plot.Shape{s}
	c.ax.a.Add(g)
	return &artist{typ: "StepPatch", art: g, ax: c.ax}, nil
}

type brokenArgs struct {
	XRanges starlark.Value `arg:"xranges: (xmin, width) of each bar"`
	YRange  starlark.Value `arg:"yrange: (ymin, height) of all"`
	_       struct{}       `arg:"*:"`
	Faces   starlark.Value `arg:"facecolors=None: a colour, or one each"`
	Edges   starlark.Value `arg:"edgecolors=None: of the edges"`
	faceArgs
	common
}

func brokenBars(c *call, a *brokenArgs) (starlark.Value, error) {
	y, err := c.numbers("yrange", a.YRange, c.ax.a.Y)
	if err != nil || len(y) != 2 {
		return nil, valueError("yrange: got %s, want (ymin, height)", value.Repr(a.YRange))
	}
	if a.Faces != nil {
		a.Face = a.Faces
	}
	if a.Edges != nil {
		a.Edge = a.Edges
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	faces, pens, err := a.both(c.ax.a.NextFill, nil)
	if err != nil {
		return nil, err
	}
	ranges, ok := value.Elements(a.XRanges)
	if !ok {
		return nil, typeError("xranges: got %s, want a list of (xmin, width)", value.TypeName(a.XRanges))
	}
	g := &plot.Polygons{Base: base}
	for v := range starlark.Elements(ranges) {
		x, err := c.numbers("xranges", v, c.ax.a.X)
		if err != nil || len(x) != 2 {
			return nil, valueError("each range in xrange must be a sequence with two elements (i.e. xrange must be an (N, 2) sequence): got %s", value.Repr(v))
		}
		i := len(g.Shapes)
		g.Shapes = append(g.Shapes, plot.Rectangle(x[0], y[0], x[0]+x[1], y[0]+y[1], faces[i%len(faces)], pens[i%len(pens)]))
	}
	c.ax.a.Add(g)
	return &artist{typ: "PolyCollection", art: g, ax: c.ax}, nil
}

type eventArgs struct {
	Positions starlark.Value `arg:"positions: where, or a list of places for each row"`
	Turned    string         `arg:"orientation=\"horizontal\": 'horizontal', of events along x, or 'vertical'"`
	Offsets   starlark.Value `arg:"lineoffsets=1: the middle of the lines, or one a row, which are 1 apart"`
	Lengths   starlark.Value `arg:"linelengths=1: their lengths, or one a row"`
	Width     *float64       `arg:"linewidths|linewidth|lw=None: points"`
	Colors    starlark.Value `arg:"colors|color=None: a colour, or one a row"`
	Dash      starlark.Value `arg:"linestyles|linestyle|ls=None: '-', '--', '-.' or ':'"`
	_         struct{}       `arg:"*:"`
	common
}

func eventplot(c *call, a *eventArgs) (starlark.Value, error) {
	if err := oneOf("orientation", a.Turned, "horizontal", "vertical"); err != nil {
		return nil, err
	}
	along, across := c.ax.a.X, c.ax.a.Y
	if a.Turned == "vertical" {
		along, across = across, along
	}
	rows, err := c.sets("positions", a.Positions, along)
	if err != nil {
		return nil, err
	}
	each := func(name string, v starlark.Value, axis *plot.Axis) ([]float64, error) {
		if v == nil {
			v = starlark.MakeInt(1)
		}
		list, err := c.numbers(name, v, axis)
		if err == nil && len(list) != 1 && len(list) != len(rows) {
			err = valueError("%s and positions are unequal sized sequences", name)
		}
		return list, err
	}
	offsets, err := each("lineoffsets", a.Offsets, across)
	if err != nil {
		return nil, err
	}
	if len(offsets) == 1 && len(rows) > 1 { // rows lie above each other
		first := offsets[0]
		offsets = nil
		for i := range rows {
			offsets = append(offsets, first*float64(i))
		}
	}
	lengths, err := each("linelengths", a.Lengths, nil)
	if err != nil {
		return nil, err
	}
	colors := []plot.Color{palette.Cycle[0]}
	if a.Colors != nil {
		if colors, err = colorsOf(a.Colors); err != nil {
			return nil, err
		}
	}
	var out []starlark.Value
	for i, row := range rows {
		base, err := a.base(2)
		if err != nil {
			return nil, err
		}
		pen := plot.Pen{Color: colors[i%len(colors)], Width: c.ax.a.Figure.Style.LineWidth}
		if a.Width != nil {
			pen.Width = *a.Width
		}
		if err := setDash(&pen, a.Dash); err != nil {
			return nil, err
		}
		s := &plot.Segments{Base: base, Pens: []plot.Pen{pen}}
		middle, half := offsets[i%len(offsets)], lengths[i%len(lengths)]/2
		room := plot.Rect{X0: math.Inf(1), X1: math.Inf(-1), Y0: middle - 2*half, Y1: middle + 2*half}
		for _, x := range row {
			room.X0, room.X1 = min(room.X0, x), max(room.X1, x)
			line := []plot.Point{{X: x, Y: middle - half}, {X: x, Y: middle + half}}
			if a.Turned == "vertical" {
				line = []plot.Point{{X: middle - half, Y: x}, {X: middle + half, Y: x}}
			}
			s.Lines = append(s.Lines, line)
		}
		if s.Room = &room; a.Turned == "vertical" {
			room = plot.Rect{X0: room.Y0, X1: room.Y1, Y0: room.X0, Y1: room.X1}
		}
		c.ax.a.Add(s)
		out = append(out, &artist{typ: "EventCollection", art: s, ax: c.ax})
	}
	return slot.NewList(out), nil
}
