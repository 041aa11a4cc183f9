package pyplot

import (
	"math"
	"slices"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type limitArgs struct {
	A    starlark.Value `arg:"left|bottom=None: the first limit, or both as (left, right)"`
	B    *float64       `arg:"right|top=None: the other"`
	_    struct{}       `arg:"*:"`
	Min  *float64       `arg:"xmin|ymin=None: the first limit"`
	Max  *float64       `arg:"xmax|ymax=None: the other"`
	Auto *bool          `arg:"auto=None: True lets the limits follow the data again"`
	Emit starlark.Value `arg:"emit=None: accepted"`
}

type scaleArgs struct {
	Scale      string         `arg:"value: 'linear' or 'log'"`
	Base       *float64       `arg:"base=None: only 10"`
	Nonpositiv starlark.Value `arg:"nonpositive=None: accepted; what is not positive lies below all"`
	Subs       starlark.Value `arg:"subs=None: accepted"`
}

type ticksArgs struct {
	At       starlark.Value `arg:"ticks=None: where; [] is none"`
	Labels   starlark.Value `arg:"labels=None: what is written there"`
	_        struct{}       `arg:"*:"`
	Minor    bool           `arg:"minor=False: the short ticks"`
	Rotation starlark.Value `arg:"rotation=None: degrees, 'horizontal' or 'vertical'"`
	Size     starlark.Value `arg:"fontsize|size=None: points"`
	Ha       *string        `arg:"ha|horizontalalignment=None: 'left', 'center' or 'right'"`
	Color    paint          `arg:"color|c=None: a colour"`
	Va       starlark.Value `arg:"va|verticalalignment=None: accepted"`
	Weight   starlark.Value `arg:"fontweight|weight=None: accepted"`
}

type tickLabelArgs struct {
	Labels   starlark.Value `arg:"labels: what is written at the ticks"`
	_        struct{}       `arg:"*:"`
	Rotation starlark.Value `arg:"rotation=None: degrees, 'horizontal' or 'vertical'"`
	Size     starlark.Value `arg:"fontsize|size=None: points"`
	Ha       *string        `arg:"ha|horizontalalignment=None: 'left', 'center' or 'right'"`
	Color    paint          `arg:"color|c=None: a colour"`
	Va       starlark.Value `arg:"va|verticalalignment=None: accepted"`
	Weight   starlark.Value `arg:"fontweight|weight=None: accepted"`
	Minor    starlark.Value `arg:"minor=None: accepted"`
}

// settingRows set and get limits, scales and ticks.
var settingRows = sync.OnceValue(func() []pair {
	return []pair{
		drawing("xlim set_xlim", "Sets the limits of x, and returns them; without arguments it returns what they are.", "xlim(0, 10) # (0.0, 10.0)",
			func(c *call, a *limitArgs) (starlark.Value, error) { return c.limits(c.ax.a.X, a, "left", "right") }),
		drawing("ylim set_ylim", "Sets the limits of y, and returns them; without arguments it returns what they are.", "ylim(0, 10) # (0.0, 10.0)",
			func(c *call, a *limitArgs) (starlark.Value, error) { return c.limits(c.ax.a.Y, a, "bottom", "top") }),
		drawing("- get_xlim", "Returns the limits of x.", "get_xlim() # (0.0, 1.0)", func(c *call, _ *none) (starlark.Value, error) { return c.limitsOf(c.ax.a.X), nil }),
		drawing("- get_ylim", "Returns the limits of y.", "get_ylim() # (0.0, 1.0)", func(c *call, _ *none) (starlark.Value, error) { return c.limitsOf(c.ax.a.Y), nil }),
		drawing("- get_xbound", "Returns the lower and the upper limit of x.", "get_xbound() # (0.0, 1.0)", func(c *call, _ *none) (starlark.Value, error) { return c.boundsOf(c.ax.a.X), nil }),
		drawing("- get_ybound", "Returns the lower and the upper limit of y.", "get_ybound() # (0.0, 1.0)", func(c *call, _ *none) (starlark.Value, error) { return c.boundsOf(c.ax.a.Y), nil }),
		drawing("- set_xbound", "Sets the limits of x.", "set_xbound(0, 10)", func(c *call, a *limitArgs) (starlark.Value, error) { return c.limits(c.ax.a.X, a, "lower", "upper") }),
		drawing("- set_ybound", "Sets the limits of y.", "set_ybound(0, 10)", func(c *call, a *limitArgs) (starlark.Value, error) { return c.limits(c.ax.a.Y, a, "lower", "upper") }),
		drawing("xscale set_xscale", "Makes the x axis linear or logarithmic.", "xscale('log')", func(c *call, a *scaleArgs) (starlark.Value, error) { return setScale(c.ax.a.X, a) }),
		drawing("yscale set_yscale", "Makes the y axis linear or logarithmic.", "yscale('log')", func(c *call, a *scaleArgs) (starlark.Value, error) { return setScale(c.ax.a.Y, a) }),
		drawing("- get_xscale", "Returns 'linear' or 'log'.", "get_xscale() # \"linear\"", func(c *call, _ *none) (starlark.Value, error) { return scaleName(c.ax.a.X), nil }),
		drawing("- get_yscale", "Returns 'linear' or 'log'.", "get_yscale() # \"linear\"", func(c *call, _ *none) (starlark.Value, error) { return scaleName(c.ax.a.Y), nil }),
		drawing("xticks set_xticks", "Sets where the ticks of x stand, and what is written there.", "xticks([0, 1, 2], ['a', 'b', 'c'])", func(c *call, a *ticksArgs) (starlark.Value, error) {
			return c.ticks(c.ax.a.X, a)
		}),
		drawing("yticks set_yticks", "Sets where the ticks of y stand, and what is written there.", "yticks([0, 1, 2], ['a', 'b', 'c'])", func(c *call, a *ticksArgs) (starlark.Value, error) {
			return c.ticks(c.ax.a.Y, a)
		}),
		drawing("- get_xticks", "Returns where the ticks of x stand.", "get_xticks().shape # (6,)", func(c *call, _ *none) (starlark.Value, error) { return c.vector(c.ticksOf(c.ax.a.X)), nil }),
		drawing("- get_yticks", "Returns where the ticks of y stand.", "get_yticks().shape # (6,)", func(c *call, _ *none) (starlark.Value, error) { return c.vector(c.ticksOf(c.ax.a.Y)), nil }),
		drawing("- set_xticklabels", "Sets what is written at the ticks of x.", "set_xticklabels(['a', 'b'])", func(c *call, a *tickLabelArgs) (starlark.Value, error) { return c.tickLabels(c.ax.a.X, a) }),
		drawing("- set_yticklabels", "Sets what is written at the ticks of y.", "set_yticklabels(['a', 'b'])", func(c *call, a *tickLabelArgs) (starlark.Value, error) { return c.tickLabels(c.ax.a.Y, a) }),
		drawing("tick_params", "Sets how ticks look.", "tick_params(axis='x', rotation=45)", tickParams),
		drawing("ticklabel_format", "Sets how numbers at ticks are written: style 'plain' or 'sci', and from which powers of ten on.", "ticklabel_format(style='plain')", tickFormat),
		drawing("minorticks_on", "Adds short ticks.", "minorticks_on()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.X.Minor, c.ax.a.Y.Minor = true, true
			return nil, nil
		}),
		drawing("minorticks_off", "Takes short ticks away.", "minorticks_off()", func(c *call, _ *none) (starlark.Value, error) {
			c.ax.a.X.Minor, c.ax.a.Y.Minor = false, false
			return nil, nil
		}),
		drawing("locator_params", "Sets how many intervals there are at most between ticks.", "locator_params(nbins=4)", locatorParams),
		drawing("grid", "Draws lines at the ticks.", "grid(True, alpha=0.3)", gridLines),
		drawing("axis", "Sets limits: (xmin, xmax, ymin, ymax), 'off', 'on', 'equal', 'scaled', 'tight', 'auto', 'image' or 'square'; returns the limits.", "axis([0, 1, 0, 2]) # (0.0, 1.0, 0.0, 2.0)", axisOf),
		drawing("margins", "Sets which part of the data's extent is left free on each side.", "margins(0)", margins),
		drawing("autoscale", "Lets limits follow the data again.", "autoscale()", autoscale),
		drawing("cla", "Takes away what was drawn.", "cla()", clearAxes),
		drawing("- clear", "Takes away what was drawn.", "clear()", clearAxes),
		drawing("twinx", "Returns new axes at the same place, with the same x axis and a y axis of its own on the right.", "twinx()", func(c *call, _ *none) (starlark.Value, error) {
			return c.ax.fig.axesOf(c.ax.fig.f.TwinOf(c.ax.a, true)), nil
		}),
		drawing("twiny", "Returns new axes at the same place, with the same y axis and an x axis of its own above.", "twiny()", func(c *call, _ *none) (starlark.Value, error) {
			return c.ax.fig.axesOf(c.ax.fig.f.TwinOf(c.ax.a, false)), nil
		}),
		drawing("box", "Draws the frame, or with False does not.", "box(False)", func(c *call, a *boxArgs) (starlark.Value, error) {
			for _, s := range c.ax.a.Spines {
				s.Hidden = !a.On
			}
			return nil, nil
		}),
	}
})

func clearAxes(c *call, _ *none) (starlark.Value, error) {
	c.ax.a.Clear()
	c.ax.containers = nil
	return nil, nil
}

type boxArgs struct {
	On bool `arg:"on=True: False hides it"`
}

type locatorArgs struct {
	Axis  string         `arg:"axis=\"both\": 'x', 'y' or 'both'"`
	Tight starlark.Value `arg:"tight=None: accepted"`
	Bins  *int           `arg:"nbins=None: intervals at most"`
	Whole *bool          `arg:"integer=None: True has ticks at whole numbers only"`
}

func locatorParams(c *call, a *locatorArgs) (starlark.Value, error) {
	return c.eachAxis(a.Axis, func(x *plot.Axis) error {
		if a.Bins != nil {
			if *a.Bins < 1 {
				return valueError("nbins must be positive, got %d", *a.Bins)
			}
			x.Rule.Most = min(*a.Bins, 1000)
		}
		if a.Whole != nil {
			x.Rule.Whole = *a.Whole
		}
		return nil
	})
}

// limits sets the limits of an axis.
func (c *call) limits(x *plot.Axis, a *limitArgs, first, second string) (starlark.Value, error) {
	if a.Auto != nil && *a.Auto {
		x.Free()
	}
	lo, hi := a.Min, a.Max
	if a.A != nil {
		p, err := c.limitsIn(first, a.A)
		if err != nil {
			return nil, err
		}
		switch {
		case len(p) == 1:
			lo = p[0]
		case len(p) == 2 && a.B == nil:
			lo, hi = p[0], p[1]
		default:
			return nil, typeError("limits: got %s, want %s and %s", value.Repr(a.A), first, second)
		}
	}
	if a.B != nil {
		hi = a.B
	}
	if lo == nil && hi == nil {
		return c.limitsOf(x), nil
	}
	c.ax.a.Autoscale()
	from, to := x.Lo, x.Hi
	if lo != nil {
		from = *lo
	}
	if hi != nil {
		to = *hi
	}
	if !isFinite(from) || !isFinite(to) {
		return nil, valueError("Axis limits cannot be NaN or Inf, got %g and %g", from, to)
	}
	if x.Log && (from <= 0 || to <= 0) {
		return nil, valueError("limits of a logarithmic axis must be positive, got %g and %g", from, to)
	}
	if from == to { // an axis has an extent
		from, to = plot.Apart(from, to)
	}
	x.Set(from, to)
	return c.limitsOf(x), nil
}

func (c *call) limitsOf(x *plot.Axis) starlark.Value {
	c.ax.a.Autoscale()
	return starlark.Tuple{starlark.Float(x.Lo), starlark.Float(x.Hi)}
}

func (c *call) boundsOf(x *plot.Axis) starlark.Value {
	c.ax.a.Autoscale()
	return starlark.Tuple{starlark.Float(min(x.Lo, x.Hi)), starlark.Float(max(x.Lo, x.Hi))}
}

func setScale(x *plot.Axis, a *scaleArgs) (starlark.Value, error) {
	if a.Scale == "symlog" || a.Scale == "logit" || a.Scale == "asinh" {
		return nil, valueError("scale '%s' is not in Arignote: 'linear' and 'log' are", a.Scale)
	}
	if err := oneOf("scale", a.Scale, "linear", "log"); err != nil {
		return nil, err
	}
	if a.Base != nil && *a.Base != 10 {
		return nil, valueError("the base of a logarithmic scale is 10 in Arignote, got %g", *a.Base)
	}
	if log := a.Scale == "log"; log && (x.Lo <= 0 || x.Hi <= 0) {
		x.Free() // limits that were set have no place on it
	}
	x.SetLog(a.Scale == "log")
	return nil, nil
}

func scaleName(x *plot.Axis) starlark.Value {
	if x.Log {
		return starlark.String("log")
	}
	return starlark.String("linear")
}

// tickList are the long ticks of an axis.
func (c *call) tickList(x *plot.Axis) []plot.Tick {
	list, _ := draw.TicksOf(c.ax.a, x)
	return slices.DeleteFunc(list, func(t plot.Tick) bool { return t.Minor })
}

// ticksOf is where they stand.
func (c *call) ticksOf(x *plot.Axis) []float64 { return placesOf(c.tickList(x)) }

func (c *call) ticks(x *plot.Axis, a *ticksArgs) (starlark.Value, error) {
	if a.At != nil {
		at, err := c.numbers("ticks", a.At, x)
		if err != nil {
			return nil, err
		}
		if a.Minor {
			x.MinorAt = at
			return nil, nil
		}
		if x.At, x.AtSet = at, true; x.Names != nil || x.NamesSet {
			x.Names, x.NamesSet = nil, false
		}
		// The limits have all ticks within.
		if len(at) > 0 {
			c.ax.a.Autoscale()
			lo, hi := min(x.Lo, x.Hi), max(x.Lo, x.Hi)
			low, high := lo, hi
			for _, t := range at {
				if isFinite(t) {
					low, high = min(low, t), max(high, t)
				}
			}
			if low < lo || high > hi {
				if x.Lo > x.Hi {
					low, high = high, low
				}
				x.Set(low, high)
			}
		}
	}
	if a.Labels != nil {
		if a.At == nil && !x.AtSet {
			return nil, typeError("xticks(): Parameter 'labels' can't be set without setting 'ticks'")
		}
		list, err := texts(a.Labels)
		if err != nil {
			return nil, err
		}
		if len(list) != len(x.At) && len(list) > 0 {
			return nil, valueError("The number of FixedLocator locations (%d), usually from a call to set_ticks, does not match the number of labels (%d).", len(x.At), len(list))
		}
		x.Names, x.NamesSet = list, true
	}
	if err := tickTexts(x, a.Rotation, a.Size, a.Ha, a.Color); err != nil {
		return nil, err
	}
	return starlark.Tuple{c.vector(c.ticksOf(x)), c.tickTextsOf(x)}, nil
}

func (c *call) tickLabels(x *plot.Axis, a *tickLabelArgs) (starlark.Value, error) {
	list, err := texts(a.Labels)
	if err != nil {
		return nil, err
	}
	if !x.AtSet { // at the ticks that there are
		x.At, x.AtSet = c.ticksOf(x), true
	} else if len(list) != len(x.At) && len(list) > 0 {
		return nil, valueError("The number of FixedLocator locations (%d), usually from a call to set_ticks, does not match the number of ticklabels (%d).", len(x.At), len(list))
	}
	x.Names, x.NamesSet = list, true
	return c.tickTextsOf(x), tickTexts(x, a.Rotation, a.Size, a.Ha, a.Color)
}

func tickTexts(x *plot.Axis, rotation, size starlark.Value, ha *string, color paint) error {
	var err error
	if rotation != nil {
		if x.Ticks.Rotation, err = rotationOf(rotation); err != nil {
			return err
		}
	}
	if size != nil {
		if x.Ticks.Size, err = sizeOf(size); err != nil {
			return err
		}
	}
	if ha != nil {
		if err := oneOf("ha", *ha, "left", "center", "right"); err != nil {
			return err
		}
		x.Ticks.Align = *ha
	}
	if color.given {
		x.Ticks.LabelColor = color.color
	}
	return nil
}

// axesNamed are the axes that 'x', 'y' or 'both' names.
func axesNamed(a *plot.Axes, name string) ([]*plot.Axis, error) {
	switch name {
	case "x":
		return []*plot.Axis{a.X}, nil
	case "y":
		return []*plot.Axis{a.Y}, nil
	}
	return []*plot.Axis{a.X, a.Y}, oneOf("axis", name, "x", "y", "both")
}

// eachAxis calls f for the axes that 'x', 'y' or 'both' names.
func (c *call) eachAxis(name string, f func(x *plot.Axis) error) (starlark.Value, error) {
	list, err := axesNamed(c.ax.a, name)
	for i := 0; i < len(list) && err == nil; i++ {
		err = f(list[i])
	}
	return nil, err
}

type tickParamsArgs struct {
	Axis        string         `arg:"axis=\"both\": 'x', 'y' or 'both'"`
	_           struct{}       `arg:"*:"`
	Which       string         `arg:"which=\"major\": accepted"`
	Rotation    starlark.Value `arg:"labelrotation|rotation=None: degrees"`
	LabelSize   starlark.Value `arg:"labelsize=None: points"`
	LabelColor  paint          `arg:"labelcolor=None: of the numbers"`
	Color       paint          `arg:"color=None: of the ticks"`
	Colors      paint          `arg:"colors=None: of both"`
	Length      *float64       `arg:"length=None: points"`
	Width       *float64       `arg:"width=None: points"`
	Pad         *float64       `arg:"pad=None: points between tick and number"`
	Direction   *string        `arg:"direction=None: 'in', 'out' or 'inout'"`
	Bottom      *bool          `arg:"bottom=None: False draws no ticks below"`
	Top         *bool          `arg:"top=None: True draws ticks above"`
	Left        *bool          `arg:"left=None: False draws no ticks on the left"`
	Right       *bool          `arg:"right=None: True draws ticks on the right"`
	LabelBottom *bool          `arg:"labelbottom=None: False writes no numbers below"`
	LabelTop    *bool          `arg:"labeltop=None: True writes them above"`
	LabelLeft   *bool          `arg:"labelleft=None: False writes no numbers on the left"`
	LabelRight  *bool          `arg:"labelright=None: True writes them on the right"`
}

func tickParams(c *call, a *tickParamsArgs) (starlark.Value, error) {
	return c.eachAxis(a.Axis, func(x *plot.Axis) error {
		t := &x.Ticks
		color, label := a.Color, a.LabelColor
		if a.Colors.given {
			color, label = a.Colors, a.Colors
		}
		if color.given {
			t.Color = color.color
		}
		if err := tickTexts(x, a.Rotation, a.LabelSize, nil, label); err != nil {
			return err
		}
		for _, p := range []struct {
			from *float64
			to   *float64
		}{{a.Length, &t.Length}, {a.Width, &t.Width}, {a.Pad, &t.Pad}} {
			if p.from != nil {
				if !(*p.from >= -100 && *p.from <= 1000) {
					return valueError("tick_params: got %g, want points from -100 to 1000", *p.from)
				}
				*p.to = *p.from
			}
		}
		if a.Direction != nil {
			if err := oneOf("direction", *a.Direction, "in", "out", "inout"); err != nil {
				return err
			}
			t.Direction = *a.Direction
		}
		near, far, nearText, farText := a.Bottom, a.Top, a.LabelBottom, a.LabelTop
		if !x.Horizontal {
			near, far, nearText, farText = a.Left, a.Right, a.LabelLeft, a.LabelRight
		}
		if near != nil && (far == nil || !*far) {
			t.NoMarks = !*near
		}
		if far != nil && *far {
			x.Both = near == nil || *near
			if !x.Both {
				x.Far = true
			}
		}
		if nearText != nil && (farText == nil || !*farText) {
			x.NoNames = !*nearText
		}
		if farText != nil && *farText {
			x.Far = true
		}
		return nil
	})
}

type tickFormatArgs struct {
	Axis   string         `arg:"axis=\"both\": 'x', 'y' or 'both'"`
	_      struct{}       `arg:"*:"`
	Style  *string        `arg:"style=None: 'plain', 'sci' or 'scientific'"`
	Limits starlark.Value `arg:"scilimits=None: (m, n): powers of ten from m to n are written out"`
	Offset *bool          `arg:"useOffset=None: False adds nothing to the numbers"`
	Math   starlark.Value `arg:"useMathText=None: accepted"`
	Locale starlark.Value `arg:"useLocale=None: accepted"`
}

func tickFormat(c *call, a *tickFormatArgs) (starlark.Value, error) {
	return c.eachAxis(a.Axis, func(x *plot.Axis) error {
		if a.Style != nil {
			if err := oneOf("style", *a.Style, "plain", "sci", "scientific"); err != nil {
				return err
			}
			x.Number.Plain = *a.Style == "plain"
		}
		if a.Limits != nil {
			m, n, err := c.twoFloats("scilimits", a.Limits)
			if err != nil {
				return err
			}
			x.Number.PowerLimits = &[2]int{int(m), int(n)}
		}
		if a.Offset != nil {
			x.Number.NoOffset = !*a.Offset
		}
		return nil
	})
}

type gridArgs struct {
	On    *bool    `arg:"visible|b=None: False takes it away"`
	Which string   `arg:"which=\"major\": 'major', 'minor' or 'both'"`
	Axis  string   `arg:"axis=\"both\": 'x', 'y' or 'both'"`
	Alpha *float64 `arg:"alpha=None: from 0 to 1"`
	Z     *float64 `arg:"zorder=None: below 1 it lies below all"`
	penArgs
}

func gridLines(c *call, a *gridArgs) (starlark.Value, error) {
	list, err := axesNamed(c.ax.a, a.Axis)
	if err != nil {
		return nil, err
	}
	if err := oneOf("which", a.Which, "major", "minor", "both"); err != nil {
		return nil, err
	}
	styled := a.Color.given || a.Width != nil || a.Dash != nil || a.Alpha != nil
	for _, x := range list {
		pen, err := a.pen(x.Grid.Pen.Color, x.Grid.Pen.Width)
		if err != nil {
			return nil, err
		}
		if a.Dash == nil {
			pen.Dash = x.Grid.Pen.Dash
		}
		if a.Alpha != nil {
			pen.Color.A = uint8(math.Round(255 * min(max(*a.Alpha, 0), 1)))
		}
		on := a.On == nil && (styled || !x.Grid.On) || a.On != nil && (*a.On || styled)
		x.Grid.On, x.Grid.Pen = on, pen
		x.Grid.Minor = on && a.Which != "major"
	}
	if a.Z != nil && *a.Z < 1 {
		c.ax.a.Below = true
	}
	return nil, nil
}

type axisArgs struct {
	Arg  starlark.Value `arg:"arg=None: limits, or a word"`
	_    struct{}       `arg:"*:"`
	XMin *float64       `arg:"xmin=None: a limit"`
	XMax *float64       `arg:"xmax=None: a limit"`
	YMin *float64       `arg:"ymin=None: a limit"`
	YMax *float64       `arg:"ymax=None: a limit"`
}

func axisOf(c *call, a *axisArgs) (starlark.Value, error) {
	ax := c.ax.a
	switch arg := a.Arg.(type) {
	case nil:
		if a.XMin != nil || a.XMax != nil {
			if _, err := c.limits(ax.X, &limitArgs{Min: a.XMin, Max: a.XMax}, "xmin", "xmax"); err != nil {
				return nil, err
			}
		}
		if a.YMin != nil || a.YMax != nil {
			if _, err := c.limits(ax.Y, &limitArgs{Min: a.YMin, Max: a.YMax}, "ymin", "ymax"); err != nil {
				return nil, err
			}
		}
	case starlark.Bool:
		ax.Frame = bool(arg)
	case starlark.String:
		if err := axisWord(ax, string(arg)); err != nil {
			return nil, err
		}
	default:
		p, err := c.limitsIn("axis", arg)
		if err != nil || len(p) != 4 {
			return nil, typeError("axis: got %s, want (xmin, xmax, ymin, ymax) or a word", value.Repr(arg))
		}
		for i, x := range []*plot.Axis{ax.X, ax.Y} {
			if _, err := c.limits(x, &limitArgs{Min: p[2*i], Max: p[2*i+1]}, "min", "max"); err != nil {
				return nil, err
			}
		}
	}
	ax.Autoscale()
	return starlark.Tuple{starlark.Float(ax.X.Lo), starlark.Float(ax.X.Hi), starlark.Float(ax.Y.Lo), starlark.Float(ax.Y.Hi)}, nil
}

func axisWord(ax *plot.Axes, word string) error {
	switch word {
	case "off":
		ax.Frame = false
	case "on":
		ax.Frame = true
	case "equal":
		ax.Aspect, ax.AspectBox = 1, false
	case "scaled":
		ax.Aspect, ax.AspectBox = 1, true
	case "image":
		ax.Aspect, ax.AspectBox = 1, true
	case "square":
		ax.Aspect, ax.AspectBox = 1, true
		ax.Autoscale()
		wide := max(math.Abs(ax.X.Hi-ax.X.Lo), math.Abs(ax.Y.Hi-ax.Y.Lo))
		ax.X.Set(ax.X.Lo, ax.X.Lo+wide)
		ax.Y.Set(ax.Y.Lo, ax.Y.Lo+wide)
	case "tight":
		ax.X.Free()
		ax.Y.Free()
	case "auto":
		ax.Aspect = 0
		ax.X.Free()
		ax.Y.Free()
	default:
		return oneOf("axis", word, "off", "on", "equal", "scaled", "image", "square", "tight", "auto")
	}
	return nil
}

type marginsArgs struct {
	Args  starlark.Tuple `arg:"*margins: of both axes, or of x and of y"`
	_     struct{}       `arg:"*:"`
	X     *float64       `arg:"x=None: of x"`
	Y     *float64       `arg:"y=None: of y"`
	Tight starlark.Value `arg:"tight=None: accepted"`
}

func margins(c *call, a *marginsArgs) (starlark.Value, error) {
	x, y := a.X, a.Y
	for i, v := range a.Args {
		f, ok := starlark.AsFloat(value.NumberOf(v))
		if !ok || i > 1 {
			return nil, typeError("margins: got %s, want one number or two", value.Repr(a.Args))
		}
		if i == 0 {
			x, y = &f, &f
		} else {
			y = &f
		}
	}
	for _, m := range []struct {
		v    *float64
		axis *plot.Axis
	}{{x, c.ax.a.X}, {y, c.ax.a.Y}} {
		if m.v == nil {
			continue
		}
		if !(*m.v > -0.5) || math.IsInf(*m.v, 0) {
			return nil, valueError("margin must be greater than -0.5, got %g", *m.v)
		}
		m.axis.Margin = *m.v
		m.axis.Free()
	}
	if x == nil && y == nil {
		return starlark.Tuple{starlark.Float(c.ax.a.X.Margin), starlark.Float(c.ax.a.Y.Margin)}, nil
	}
	return nil, nil
}

type autoscaleArgs struct {
	On    bool   `arg:"enable=True: False keeps the limits as they are"`
	Axis  string `arg:"axis=\"both\": 'x', 'y' or 'both'"`
	Tight *bool  `arg:"tight=None: True leaves no margin"`
}

func autoscale(c *call, a *autoscaleArgs) (starlark.Value, error) {
	return c.eachAxis(a.Axis, func(x *plot.Axis) error {
		if !a.On {
			c.ax.a.Autoscale()
			x.Fixed = true
			return nil
		}
		if x.Free(); a.Tight != nil && *a.Tight {
			x.Margin = 0
		}
		return nil
	})
}
