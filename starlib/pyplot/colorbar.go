package pyplot

import (
	"math"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type colorbarArgs struct {
	Mappable starlark.Value `arg:"mappable=None: what imshow, scatter, contour ... returned; the last such if not given"`
	CAx      *axes          `arg:"cax=None: Axes to draw it on"`
	Ax       starlark.Value `arg:"ax=None: Axes that it takes its room of"`
	_        struct{}       `arg:"*:"`
	Turned   *string        `arg:"orientation=None: 'vertical' or 'horizontal'"`
	Label    starlark.Value `arg:"label=None: its name"`
	Ticks    starlark.Value `arg:"ticks=None: where numbers stand"`
	Fraction *float64       `arg:"fraction=None: the part of the room that it takes; 0.15 if not given"`
	Pad      *float64       `arg:"pad=None: the part between; 0.05 if not given"`
	Shrink   float64        `arg:"shrink=1: its length"`
	Aspect   starlark.Value `arg:"aspect=None: accepted"`
	Extend   starlark.Value `arg:"extend=None: accepted"`
	Format   *string        `arg:"format=None: how numbers are written, as '%.2f'"`
	Loc      starlark.Value `arg:"location=None: 'right' or 'bottom'"`
}

func colorbar(c *call, a *colorbarArgs) (starlark.Value, error) {
	var scale *plot.Scale
	var ax *axes
	if m := asArtist(a.Mappable); m != nil {
		scale, ax = m.art.Common().Scale, m.ax
	} else if a.Mappable == nil {
		art := c.fig.lastMapped
		if art == nil {
			return nil, value.Failure("RuntimeError", "No mappable was found to use for colorbar creation. First define a mappable such as an image (with imshow) or a contour set (with contourf).")
		}
		scale, ax = art.Common().Scale, c.fig.axesOf(c.fig.f.Current)
	} else {
		return nil, typeError("colorbar: got %s, want what imshow, scatter, contour or pcolormesh returned", a.Mappable.Type())
	}
	if scale == nil {
		return nil, value.Failure("RuntimeError", "colorbar: this has no numbers that a colour map shows: give scatter c=, or imshow a matrix")
	}
	if x, ok := a.Ax.(*axes); ok {
		ax = x
	} else if g, ok := a.Ax.(*grid); ok && len(g.list) > 0 {
		ax = g.list[len(g.list)-1]
	}
	horizontal := a.Turned != nil && *a.Turned == "horizontal" || a.Loc != nil && text(a.Loc) == "bottom"
	if a.Turned != nil {
		if err := oneOf("orientation", *a.Turned, "vertical", "horizontal"); err != nil {
			return nil, err
		}
	}
	fraction, pad := 0.15, 0.05
	if horizontal {
		pad = 0.15
	}
	if a.Fraction != nil {
		fraction = *a.Fraction
	}
	if a.Pad != nil {
		pad = *a.Pad
	}
	if !(fraction > 0 && fraction < 0.9) || !(pad >= 0 && fraction+pad < 0.95) || !(a.Shrink > 0 && a.Shrink <= 1) {
		return nil, valueError("colorbar: fraction (%g), pad (%g) and shrink (%g) must leave room for the axes", fraction, pad, a.Shrink)
	}
	return c.drawBar(a, scale, ax, horizontal, fraction, pad)
}

// drawBar draws a colour bar for a scale beside the axes ax, or on those that cax names.
func (c *call) drawBar(a *colorbarArgs, scale *plot.Scale, ax *axes, horizontal bool, fraction, pad float64) (starlark.Value, error) {
	fig := ax.fig
	var bar *plot.Axes
	if a.CAx != nil {
		bar = a.CAx.a
		bar.Bar = &plot.Bar{Scale: scale, Horizontal: horizontal}
		bar.X.NoTicks, bar.Y.NoTicks, bar.Y.Far = !horizontal, horizontal, !horizontal
	} else {
		bar = fig.f.NewBar(ax.a, scale, horizontal, fraction, pad, a.Shrink)
	}
	axis := bar.Y
	if horizontal {
		axis = bar.X
	}
	lo, hi := scale.Lo, scale.Hi
	levels := scale.Levels
	if levels == nil {
		levels = scale.Lines
	}
	if levels != nil {
		lo, hi = levels[0], levels[len(levels)-1]
		axis.At, axis.AtSet = someOf(levels, 11), true
	}
	if lo == hi {
		lo, hi = plot.Apart(lo, hi)
	}
	axis.Set(lo, hi)
	axis.Log = scale.Log
	if a.Ticks != nil {
		at, err := c.numbers("ticks", a.Ticks, nil)
		if err != nil {
			return nil, err
		}
		axis.At, axis.AtSet = at, true
	}
	if a.Format != nil {
		format := *a.Format
		if c.percent(format, 1) == "" {
			return nil, valueError("format: %q is no format of a number, such as '%%.2f'", format)
		}
		axis.Format = func(x float64, _ int) string { return c.percent(format, x) }
	}
	if a.Label != nil {
		axis.Label.Text = text(a.Label)
	}
	return &colorbarValue{ax: fig.axesOf(bar), axis: axis}, nil
}

// someOf are sorted numbers with the same number left out between any two: at most a number of
// them, and that which is next to 0.
func someOf(list []float64, most int) []float64 {
	step := max((len(list)+most-2)/(most-1), 1)
	var out []float64
	nearest := math.Inf(1)
	for first := range min(step, len(list)) {
		var part []float64
		near := math.Inf(1)
		for i := first; i < len(list); i += step {
			part = append(part, list[i])
			near = min(near, math.Abs(list[i]))
		}
		if near < nearest {
			out, nearest = part, near
		}
	}
	return out
}

// mappable notes what was drawn last by a colour map.
func (f *figure) mappable(art plot.Artist) {
	if art.Common().Scale != nil {
		f.lastMapped = art
	}
}

// A colorbarValue is the value of a colour bar.
type colorbarValue struct {
	identity
	ax   *axes
	axis *plot.Axis
}

func (b *colorbarValue) Type() string          { return "Colorbar" }
func (b *colorbarValue) String() string        { return "<Colorbar>" }
func (b *colorbarValue) Hash() (uint32, error) { return unhashable("Colorbar") }
func (b *colorbarValue) Table() *value.Methods { return colorbarMethods() }
func (b *colorbarValue) AttrNames() []string   { return colorbarMethods().Names() }
func (b *colorbarValue) Attr(name string) (starlark.Value, error) {
	return colorbarMethods().Attr(b, name)
}

// colorbarMethods is the table of Colorbar.
var colorbarMethods = sync.OnceValue(func() *value.Methods {
	const bar = "b = plt.colorbar(plt.imshow([[0, 1], [2, 3]])); "
	return value.NewMethods("Colorbar", append(tickRows(bar+"b.", func(b *colorbarValue) (*axes, *plot.Axis) { return b.ax, b.axis }), []value.Builtin{
		method("set_label", "Names the colour bar.", bar+"b.set_label('loss')", func(c *call, b *colorbarValue, a *titleArgs) (starlark.Value, error) {
			l, err := a.label(text(a.Text))
			b.axis.Label = l
			return nil, err
		}),
		method("minorticks_on", "Adds short ticks.", bar+"b.minorticks_on()", func(_ *call, b *colorbarValue, _ *none) (starlark.Value, error) {
			b.axis.Minor = true
			return nil, nil
		}),
	}...)).With(value.FieldOf("ax", "The Axes of the colour bar.", "import matplotlib.pyplot as plt; "+bar+"b.ax.set_title('loss')", func(b *colorbarValue) starlark.Value { return b.ax }))
})
