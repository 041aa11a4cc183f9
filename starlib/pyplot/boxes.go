package pyplot

import (
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

type boxplotArgs struct {
	X         starlark.Value `arg:"x: values, or a list of several sets"`
	Notch     *bool          `arg:"notch=None: only False"`
	Sym       *string        `arg:"sym=None: the format of points beyond; '' draws none"`
	Vert      *bool          `arg:"vert=None: False lays the boxes"`
	Whis      float64        `arg:"whis=1.5: how far whiskers reach, in heights of the box"`
	Positions starlark.Value `arg:"positions=None: where; 1, 2, ... if not given"`
	Widths    starlark.Value `arg:"widths=None: how wide"`
	Patch     bool           `arg:"patch_artist=False: the boxes are filled"`
	Labels    starlark.Value `arg:"labels|tick_labels=None: what is written below the boxes"`
	Means     bool           `arg:"showmeans=False: a triangle at the mean"`
	Fliers    *bool          `arg:"showfliers=None: False leaves out the points beyond"`
	Caps      *bool          `arg:"showcaps=None: False leaves out the caps"`
	Z         *float64       `arg:"zorder=None: what has more lies above"`
	Box       *slot.Dict     `arg:"boxprops=None: a dict: each calls the method set_ of its name of the boxes"`
	Whisker   *slot.Dict     `arg:"whiskerprops=None: of the whiskers"`
	Cap       *slot.Dict     `arg:"capprops=None: of the caps"`
	Median    *slot.Dict     `arg:"medianprops=None: of the medians"`
	Flier     *slot.Dict     `arg:"flierprops=None: of the points beyond"`
	Mean      *slot.Dict     `arg:"meanprops=None: of the means"`
}

func boxplot(c *call, a *boxplotArgs) (starlark.Value, error) {
	if a.Notch != nil && *a.Notch {
		return nil, valueError("boxplot: notches are not in Arignote: notch=False")
	}
	sets, err := c.sets("x", a.X, nil)
	if err != nil {
		return nil, err
	}
	n := len(sets)
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(i + 1)
	}
	if a.Positions != nil {
		if at, err = c.numbers("positions", a.Positions, nil); err != nil {
			return nil, err
		}
		if len(at) != n {
			return nil, valueError("List of boxplot statistics and `positions` values must have same the length, got %d and %d", n, len(at))
		}
	}
	widths, err := c.boxWidths(a.Widths, at, 0.15)
	if err != nil {
		return nil, err
	}
	vertical := a.Vert == nil || *a.Vert
	d := &boxDrawing{c: c, a: a, vertical: vertical, parts: map[string][]starlark.Value{}}
	for i, set := range sets {
		d.box(plot.BoxOf(set, a.Whis), at[i], widths[i])
	}
	axis := c.ax.a.X
	if !vertical {
		axis = c.ax.a.Y
	}
	if n > 0 { // half a unit is free on each side
		lo, hi := slices.Min(at)-0.5, slices.Max(at)+0.5
		room := &plot.Segments{Base: plot.Base{FracY: vertical, FracX: !vertical}}
		if vertical {
			room.Lines, room.StickyX = [][]plot.Point{{{X: lo}, {X: hi}}}, []float64{lo, hi}
		} else {
			room.Lines, room.StickyY = [][]plot.Point{{{Y: lo}, {Y: hi}}}, []float64{lo, hi}
		}
		c.ax.a.Add(room)
	}
	labels := make([]string, n)
	for i, p := range at {
		labels[i] = c.percent("%g", p)
	}
	if a.Labels != nil {
		if labels, err = texts(a.Labels); err != nil {
			return nil, err
		}
		if len(labels) != n {
			return nil, valueError("Dimensions of labels and X must be compatible, got %d and %d", len(labels), n)
		}
	}
	axis.At, axis.AtSet = append(slices.Clone(axis.At), at...), true
	axis.Names, axis.NamesSet = append(slices.Clone(axis.Names), labels...), true
	out := slot.NewDict(8)
	looks := map[string]*slot.Dict{"whiskers": a.Whisker, "caps": a.Cap, "boxes": a.Box, "medians": a.Median, "fliers": a.Flier, "means": a.Mean}
	for _, key := range []string{"whiskers", "caps", "boxes", "medians", "fliers", "means"} {
		for _, part := range d.parts[key] {
			if err := set(c, part.(*artist), looks[key]); err != nil {
				return nil, err
			}
		}
		out.SetKey(starlark.String(key), slot.NewList(d.parts[key]))
	}
	return out, nil
}

// boxWidths are the widths of boxes and violins.
func (c *call) boxWidths(v starlark.Value, at []float64, part float64) ([]float64, error) {
	if v != nil {
		w, err := c.numbers("widths", v, nil)
		if err != nil {
			return nil, err
		}
		return repeat("widths", w, len(at))
	}
	spread := 0.0
	if len(at) > 0 {
		spread = slices.Max(at) - slices.Min(at)
	}
	w := []float64{min(max(part*spread, 0.15), 0.5)}
	return repeat("widths", w, len(at))
}

// boxDrawing draws the boxes of a box plot.
type boxDrawing struct {
	c        *call
	a        *boxplotArgs
	vertical bool
	parts    map[string][]starlark.Value
}

func (d *boxDrawing) base() plot.Base {
	b := plot.Base{Z: 2, Alpha: 1}
	if d.a.Z != nil {
		b.Z = *d.a.Z
	}
	return b
}

func (d *boxDrawing) line(key string, color plot.Color, xy ...float64) {
	l := &plot.Line{Base: d.base(), Pen: plot.Pen{Color: color, Width: 1}}
	for i := 0; i < len(xy); i += 2 {
		l.X, l.Y = append(l.X, xy[i]), append(l.Y, xy[i+1])
	}
	if !d.vertical {
		l.X, l.Y = l.Y, l.X
	}
	d.c.ax.a.Add(l)
	d.parts[key] = append(d.parts[key], &artist{typ: "Line2D", art: l, ax: d.c.ax})
}

func (d *boxDrawing) box(b plot.Box, at, width float64) {
	black, h := palette.Black, width/2
	if d.c.ax.a.Figure.Style.Text != black {
		black = d.c.ax.a.Figure.Style.Text
	}
	if d.a.Patch {
		r := plot.Rectangle(at-h, b.Q1, at+h, b.Q3, palette.Cycle[0], plot.Pen{Color: black, Width: 1})
		if !d.vertical {
			r = plot.Rectangle(b.Q1, at-h, b.Q3, at+h, palette.Cycle[0], plot.Pen{Color: black, Width: 1})
		}
		base := d.base()
		base.Z = 1
		g := &plot.Polygons{Base: base, Shapes: []plot.Shape{r}}
		d.c.ax.a.Add(g)
		d.parts["boxes"] = append(d.parts["boxes"], &artist{typ: "PathPatch", art: g, ax: d.c.ax})
	} else {
		d.line("boxes", black, at-h, b.Q1, at+h, b.Q1, at+h, b.Q3, at-h, b.Q3, at-h, b.Q1)
	}
	d.line("whiskers", black, at, b.Q1, at, b.Low)
	d.line("whiskers", black, at, b.Q3, at, b.High)
	if d.a.Caps == nil || *d.a.Caps {
		d.line("caps", black, at-h/2, b.Low, at+h/2, b.Low)
		d.line("caps", black, at-h/2, b.High, at+h/2, b.High)
	}
	d.line("medians", palette.Cycle[1], at-h, b.Median, at+h, b.Median)
	marks := func(key string, y []float64, m plot.Marker) {
		x := make([]float64, len(y))
		for i := range x {
			x[i] = at
		}
		l := &plot.Line{Base: d.base(), X: x, Y: y, Pen: plot.Pen{None: true, Color: m.Edge}, Marker: m}
		if !d.vertical {
			l.X, l.Y = l.Y, l.X
		}
		d.c.ax.a.Add(l)
		d.parts[key] = append(d.parts[key], &artist{typ: "Line2D", art: l, ax: d.c.ax})
	}
	if d.a.Means {
		marks("means", []float64{b.Mean}, plot.Marker{Shape: "^", Size: 6, Face: palette.Cycle[2], Edge: palette.Cycle[2], EdgeWidth: 1})
	}
	if (d.a.Fliers == nil || *d.a.Fliers) && (d.a.Sym == nil || *d.a.Sym != "") {
		m := plot.Marker{Shape: "o", Size: 6, Edge: black, EdgeWidth: 1}
		if d.a.Sym != nil {
			if f, err := parseFormat(*d.a.Sym); err == nil {
				if f.marked {
					m.Shape = f.marker
				}
				m.Edge = f.color.or(black)
			}
		}
		marks("fliers", b.Beyond, m)
	}
}

type violinArgs struct {
	Data      starlark.Value `arg:"dataset: values, or a list of several sets"`
	Positions starlark.Value `arg:"positions=None: where; 1, 2, ... if not given"`
	Vert      *bool          `arg:"vert=None: False lays them"`
	Widths    starlark.Value `arg:"widths=0.5: how wide"`
	Means     bool           `arg:"showmeans=False: a line at the mean"`
	Extrema   *bool          `arg:"showextrema=None: False leaves out the lines at the ends"`
	Medians   bool           `arg:"showmedians=False: a line at the median"`
	Points    int            `arg:"points=100: where the density is computed"`
}

func violinplot(c *call, a *violinArgs) (starlark.Value, error) {
	sets, err := c.sets("dataset", a.Data, nil)
	if err != nil {
		return nil, err
	}
	at := make([]float64, len(sets))
	for i := range at {
		at[i] = float64(i + 1)
	}
	if a.Positions != nil {
		if at, err = c.numbers("positions", a.Positions, nil); err != nil {
			return nil, err
		}
		if len(at) != len(sets) {
			return nil, valueError("List of violinplot statistics and `positions` values must have the same length, got %d and %d", len(sets), len(at))
		}
	}
	if a.Points < 2 || a.Points > 10000 {
		return nil, valueError("points must be from 2 to 10000, got %d", a.Points)
	}
	widths := []float64{0.5}
	if a.Widths != nil {
		if widths, err = c.numbers("widths", a.Widths, nil); err != nil {
			return nil, err
		}
	}
	if widths, err = repeat("widths", widths, len(sets)); err != nil {
		return nil, err
	}
	vertical := a.Vert == nil || *a.Vert
	point := func(x, y float64) plot.Point {
		if vertical {
			return plot.Point{X: x, Y: y}
		}
		return plot.Point{X: y, Y: x}
	}
	color := c.ax.a.NextColor()
	bodies := &plot.Polygons{Base: plot.Base{Z: 1, Alpha: 0.3}}
	bars := &plot.Segments{Base: plot.Base{Z: 2, Alpha: 1}, Pens: []plot.Pen{{Color: color, Width: 1.5}}}
	for i, set := range sets {
		y, density := plot.Density(set, a.Points)
		if len(y) == 0 {
			return nil, valueError("violinplot: set %d has no finite values", i)
		}
		top := slices.Max(density)
		var right, left []plot.Point
		for k := range y {
			w := 0.5 * widths[i] * density[k] / top
			right = append(right, point(at[i]+w, y[k]))
			left = append(left, point(at[i]-w, y[k]))
		}
		bodies.Shapes = append(bodies.Shapes, plot.Shape{Rings: [][]plot.Point{append(right, reversed(left)...)}, Face: color, Edge: plot.Pen{None: true}})
		b := plot.BoxOf(set, math.Inf(1))
		h := widths[i] / 4
		cross := func(v float64) { bars.Lines = append(bars.Lines, []plot.Point{point(at[i]-h, v), point(at[i]+h, v)}) }
		if a.Extrema == nil || *a.Extrema {
			cross(b.Low)
			cross(b.High)
			bars.Lines = append(bars.Lines, []plot.Point{point(at[i], b.Low), point(at[i], b.High)})
		}
		if a.Means {
			cross(b.Mean)
		}
		if a.Medians {
			cross(b.Median)
		}
	}
	c.ax.a.Add(bodies)
	c.ax.a.Add(bars)
	out := slot.NewDict(2)
	out.SetKey(starlark.String("bodies"), slot.NewList([]starlark.Value{&artist{typ: "PolyCollection", art: bodies, ax: c.ax}}))
	out.SetKey(starlark.String("cbars"), &artist{typ: "LineCollection", art: bars, ax: c.ax})
	return out, nil
}
