package profile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib/pyplot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A drawing is one of the kinds of plot.
type drawing struct {
	name, doc string
	high      float64 // inches
	draw      func(s *profiler.Stats, a *plot.Axes) error
}

// drawings are what p.plot() can draw.
var drawings = []drawing{
	{"lines", "the time of the dearest lines", 3.6, plotLines},
	{"roofline", "how near each node comes to what the machine can do", 4.8, plotRoofline},
	{"memory", "what the values of a call take while its nodes run", 3.6, plotMemory},
	{"calls", "how long calls took", 3.6, plotCalls},
}

// plotBuiltin is p.plot().
var plotBuiltin = value.Builtin{Name: "plot", Params: []value.Param{
	{Name: "kind", Default: `"lines"`, Doc: drawingDocs()},
	{Name: "ax", Default: "None", Doc: "the Axes to draw on; a new figure if not given"},
}, Doc: "Draws the profile, and returns the Axes of matplotlib.pyplot that it is drawn on.",
	Example: `ProfileStats("p").plot("calls").get_xlabel() # "time of a call"`, Fn: plotProfile}

func drawingDocs() string {
	parts := make([]string, len(drawings))
	for i, d := range drawings {
		parts[i] = fmt.Sprintf("%q: %s", d.name, d.doc)
	}
	return strings.Join(parts, "; ")
}

func plotProfile(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	kind := "lines"
	var on starlark.Value
	if err := b.Unpack(args, kwargs, &kind, &on); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(drawings, func(d drawing) bool { return d.name == kind })
	if i < 0 {
		return nil, fmt.Errorf("plot: got kind %q, want %s", kind, drawingDocs())
	}
	p := b.Receiver().(*ProfileStats)
	p.measure(p.s.Context(), kind == "roofline")
	a, v, err := pyplot.DrawOn(thread, on, 7, drawings[i].high)
	if err != nil {
		return nil, err
	}
	if a.Title.Text == "" {
		a.Title.Text = strings.ReplaceAll(units.OneLine(p.stats.Title()), "$", `\$`)
	}
	return v, drawings[i].draw(p.stats.Clone().Steady(), a)
}

// maxPlotted is how many lines have a bar.
const maxPlotted = 15

// plotLines draws a bar for the time of each line, the dearest above.
func plotLines(s *profiler.Stats, a *plot.Axes) error {
	rows := s.Lines(false)
	rows = rows[:min(len(rows), maxPlotted)]
	bars := &plot.Polygons{Base: plot.Base{Z: 1, Alpha: 1}, StickyX: []float64{0}}
	a.Y.At, a.Y.AtSet, a.Y.NamesSet = []float64{}, true, true
	for i, r := range rows {
		y := float64(i)
		bars.Shapes = append(bars.Shapes, plot.Rectangle(0, y-0.4, r.Time/1e9, y+0.4, palette.Cycle[0], plot.Pen{None: true}))
		name := "(no line)"
		if r.Line > 0 {
			code := []rune(strings.TrimSpace(r.Source))
			if len(code) > 36 {
				code = append(code[:35], '…')
			}
			name = strings.ReplaceAll(fmt.Sprintf("%s:%d  %s", filepath.Base(r.File), r.Line, string(code)), "$", `\$`)
		}
		a.Y.At, a.Y.Names = append(a.Y.At, y), append(a.Y.Names, name)
		a.Add(&plot.Text{Base: plot.Base{Z: 3, Alpha: 1, Free: true}, X: r.Time / 1e9, Y: y, Text: fmt.Sprintf(" %.0f %%", 100*r.Fraction), Size: 8, Color: a.Figure.Style.Text, H: "left", V: "center"})
	}
	a.Add(bars)
	a.X.Margin = 0.1
	a.Y.Invert()
	inSeconds(a.X, "time")
	return nil
}

// inSeconds writes the numbers of an axis as times.
func inSeconds(x *plot.Axis, name string) {
	x.Label.Text = name
	x.Format = func(v float64, _ int) string { return units.Human(units.Times, v*1e9) }
}

// plotRoofline draws each node by its work for a byte and its speed, below what the machine can do.
func plotRoofline(s *profiler.Stats, a *plot.Axes) error {
	a.X.SetLog(true)
	a.Y.SetLog(true)
	a.X.Label.Text, a.Y.Label.Text = "operations for a byte", "operations a second"
	points := &plot.Points{Base: plot.Base{Z: 2, Alpha: 0.7, Label: "nodes"}, Shape: "o", EdgeWidth: 1, Faces: []plot.Color{palette.Cycle[0]}}
	rows := s.Rows(profiler.ByApply)
	slices.SortStableFunc(rows, func(x, y profiler.Row) int { return cmp.Compare(y.Time, x.Time) })
	low, high := 0.1, 10.0
	for _, r := range rows {
		if !r.Known || r.Flops <= 0 || r.Bytes <= 0 || r.Time <= 0 {
			continue
		}
		x := r.Flops / r.Bytes
		low, high = min(low, x), max(high, x)
		points.X, points.Y = append(points.X, x), append(points.Y, r.Flops/r.Time*1e9)
		points.Areas = append(points.Areas, 20+400*r.Fraction)
	}
	if len(points.X) > 0 {
		a.Add(points)
	}
	if s.Machine == nil || s.Machine.Roof == nil {
		return nil
	}
	roof := s.Machine.Roof
	low, high = low/4, max(high*4, 100)
	for i, level := range roof.Levels {
		line := &plot.Line{Base: plot.Base{Z: 1.8, Alpha: 1, Label: level.Name}, Pen: plot.Pen{Color: palette.Cycle[(i+1)%len(palette.Cycle)], Width: 1.5}}
		corner := roof.Flops64 / level.Bandwidth
		for _, x := range []float64{low, min(max(corner, low), high), high} {
			line.X, line.Y = append(line.X, x), append(line.Y, min(roof.Flops64, x*level.Bandwidth))
		}
		a.Add(line)
	}
	a.Legend = &plot.Legend{Loc: "lower right", Frame: true, Alpha: 0.8}
	return nil
}

// plotMemory draws what the values of the function that takes most need, node by node.
func plotMemory(s *profiler.Stats, a *plot.Axes) error {
	var most *profiler.Timeline
	for _, f := range s.Functions {
		if t, ok := f.Timeline(); ok && (most == nil || t.Peak > most.Peak) {
			most = &t
		}
	}
	a.X.Label.Text, a.Y.Label.Text = "node, in the order in which they run", "memory of a call"
	a.Y.Format = func(v float64, _ int) string { return units.Human(units.Bytes, v) }
	if most == nil {
		return fmt.Errorf("plot: memory was not recorded: profile_memory=True records it")
	}
	area := &plot.Polygons{Base: plot.Base{Z: 1, Alpha: 0.3}, StickyY: []float64{0}}
	ring := []plot.Point{{X: 0, Y: 0}}
	for i, bytes := range most.During {
		ring = append(ring, plot.Point{X: float64(i), Y: float64(bytes)}, plot.Point{X: float64(i + 1), Y: float64(bytes)})
	}
	ring = append(ring, plot.Point{X: float64(len(most.During)), Y: 0})
	area.Shapes = []plot.Shape{{Rings: [][]plot.Point{ring}, Face: palette.Cycle[0], Edge: plot.Pen{Color: palette.Cycle[0], Width: 1}}}
	a.Add(area)
	return nil
}

// plotCalls draws how many calls took how long, by the buckets that a profile counts them in.
func plotCalls(s *profiler.Stats, a *plot.Axes) error {
	a.X.SetLog(true)
	inSeconds(a.X, "time of a call")
	a.Y.Label.Text = "calls"
	for i, f := range s.Functions {
		g := &plot.Polygons{Base: plot.Base{Z: 1, Alpha: 0.6, Label: units.OneLine(f.Name)}, StickyY: []float64{0}}
		f.CallHist.Each(func(from, to float64, n uint32) {
			g.Shapes = append(g.Shapes, plot.Rectangle(from/1e9, 0, to/1e9, float64(n), palette.Cycle[i%len(palette.Cycle)], plot.Pen{None: true}))
		})
		if g.Shapes != nil {
			a.Add(g)
		}
	}
	if len(a.Artists) > 1 {
		a.Legend = &plot.Legend{Loc: "best", Frame: true, Alpha: 0.8}
	}
	return nil
}
