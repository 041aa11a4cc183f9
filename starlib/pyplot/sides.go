package pyplot

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// spines are the sides of a frame, or some of them.
type spines struct {
	identity
	ax    *axes
	names []string // nil: all
}

var sides = []string{"left", "right", "top", "bottom"}

func (s *spines) list() []string {
	if s.names == nil {
		return sides
	}
	return s.names
}

// Get is spines["top"], spines[["top", "right"]] or spines[:].
func (s *spines) Get(key starlark.Value) (starlark.Value, bool, error) {
	if _, all := key.(*value.Slice); all {
		return s, true, nil
	}
	names, err := texts(key)
	if err != nil {
		return nil, false, err
	}
	for _, n := range names {
		if !slices.Contains(sides, n) {
			return nil, false, value.Failure("KeyError", "'%s': the sides are 'left', 'right', 'top' and 'bottom'", n)
		}
	}
	return &spines{ax: s.ax, names: names}, true, nil
}

// values are what spines.values() gives: each side by itself.
func (s *spines) each() []starlark.Value {
	var list []starlark.Value
	for _, n := range s.list() {
		list = append(list, &spines{ax: s.ax, names: []string{n}})
	}
	return list
}

// spineMethods is the table of Spine.
var spineMethods = sync.OnceValue(func() *value.Methods {
	const top = "s = plt.gca().spines['top']; "
	row := func(name, doc, example string, f func(s *plot.Spine, c *call, v starlark.Value) error) value.Builtin {
		return method(name, doc, top+"s."+example, func(c *call, s *spines, a *oneValue) (starlark.Value, error) {
			for _, n := range s.list() {
				if err := f(s.ax.a.Spines[n], c, a.V); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
	}
	width := func(s *plot.Spine, c *call, v starlark.Value) error {
		w, err := c.one("linewidth", v)
		if err == nil {
			s.Width = min(max(w, 0), 1000)
		}
		return err
	}
	color := func(s *plot.Spine, _ *call, v starlark.Value) error {
		c, err := colorOf(v)
		if err == nil {
			s.Color = c
		}
		return err
	}
	return value.NewMethods("Spine", []value.Builtin{
		row("set_visible", "Shows or hides a side of the frame.", "set_visible(False)", func(s *plot.Spine, _ *call, v starlark.Value) error {
			s.Hidden = !bool(v.Truth())
			return nil
		}),
		row("set_color", "Sets its colour.", "set_color('gray')", color),
		row("set_edgecolor", "Sets its colour.", "set_edgecolor('gray')", color),
		row("set_linewidth", "Sets its width, in points.", "set_linewidth(2)", width),
		row("set_lw", "Sets its width, in points.", "set_lw(2)", width),
		row("set_position", "Moves it: 'zero', 'center', ('data', x), ('axes', part) or ('outward', points).", "set_position('zero')", func(s *plot.Spine, c *call, v starlark.Value) error {
			words := map[starlark.Value]starlark.Tuple{starlark.String("zero"): {starlark.String("data"), starlark.Float(0)}, starlark.String("center"): {starlark.String("axes"), starlark.Float(0.5)}}
			place, ok := v.(starlark.Tuple)
			if !ok {
				place = words[v]
			}
			if len(place) != 2 {
				return valueError("position: got %s, want 'zero', 'center', ('data', x), ('axes', part) or ('outward', points)", value.Repr(v))
			}
			kinds := map[string]plot.SpinePlace{"data": plot.AtData, "axes": plot.AtPart, "outward": plot.AtEdge}
			kind, ok := kinds[text(place[0])]
			if !ok {
				return oneOf("position", text(place[0]), "axes", "data", "outward")
			}
			at, err := c.one("position", place[1])
			if err == nil {
				s.Place, s.At = kind, at
			}
			return err
		}),
		method("values", "Returns the list of sides.", "len(plt.gca().spines.values()) # 4", func(_ *call, s *spines, _ *none) (starlark.Value, error) { return slot.NewList(s.each()), nil }),
		method("keys", "Returns the names of the sides.", "len(plt.gca().spines.keys()) # 4", func(_ *call, s *spines, _ *none) (starlark.Value, error) {
			var list []starlark.Value
			for _, n := range s.list() {
				list = append(list, starlark.String(n))
			}
			return slot.NewList(list), nil
		}),
	})
})

// An axisValue is ax.xaxis or ax.yaxis.
type axisValue struct {
	identity
	axis *plot.Axis
	ax   *axes
}

// tickRows are the methods of what has an axis, and sets where its ticks stand.
func tickRows[T starlark.Value](example string, of func(x T) (*axes, *plot.Axis)) []value.Builtin {
	return []value.Builtin{
		method("set_ticks", "Sets where ticks stand, and what is written there.", example+"set_ticks([0, 1])", func(c *call, x T, a *ticksArgs) (starlark.Value, error) {
			ax, axis := of(x)
			c.ax = ax
			_, err := c.ticks(axis, a)
			return nil, err
		}),
		method("set_ticklabels", "Sets what is written at the ticks.", example+"set_ticks([0, 1]); "+example[strings.LastIndex(example, " ")+1:]+"set_ticklabels(['a', 'b'])", func(c *call, x T, a *tickLabelArgs) (starlark.Value, error) {
			ax, axis := of(x)
			c.ax = ax
			return c.tickLabels(axis, a)
		}),
	}
}

// axisMethods is the table of Axis.
var axisMethods = sync.OnceValue(func() *value.Methods {
	const x = "x = plt.gca().xaxis; "
	return value.NewMethods("Axis", append(tickRows(x+"x.", func(x *axisValue) (*axes, *plot.Axis) { return x.ax, x.axis }), []value.Builtin{
		method("set_visible", "Shows or hides ticks, numbers and name.", x+"x.set_visible(False)", func(_ *call, x *axisValue, a *oneBool) (starlark.Value, error) {
			if x.axis.NoTicks = !a.V; !a.V {
				x.axis.Label.Text = ""
			}
			return nil, nil
		}),
		method("set_label_text", "Names the axis.", x+"x.set_label_text('time')", func(_ *call, x *axisValue, a *oneText) (starlark.Value, error) {
			x.axis.Label.Text = text(a.V)
			return nil, nil
		}),
		method("set_ticks_position", "Sets on which side ticks stand: 'bottom', 'top', 'left', 'right' or 'both'.", x+"x.set_ticks_position('top')", func(_ *call, x *axisValue, a *oneText) (starlark.Value, error) {
			where := text(a.V)
			if err := oneOf("position", where, "bottom", "top", "left", "right", "both", "none", "default"); err != nil {
				return nil, err
			}
			x.axis.Far, x.axis.Both, x.axis.Ticks.NoMarks = where == "top" || where == "right", where == "both", where == "none"
			return nil, nil
		}),
		method("tick_top", "Moves the ticks to the top.", x+"x.tick_top()", func(_ *call, x *axisValue, _ *none) (starlark.Value, error) {
			x.axis.Far = true
			return nil, nil
		}),
		method("tick_right", "Moves the ticks to the right.", "plt.gca().yaxis.tick_right()", func(_ *call, x *axisValue, _ *none) (starlark.Value, error) {
			x.axis.Far = true
			return nil, nil
		}),
		method("get_offset_text", "Returns the text at the end of the axis, beside the numbers.", x+"x.get_offset_text().get_text() # \"\"", func(_ *call, x *axisValue, _ *none) (starlark.Value, error) {
			_, common := draw.TicksOf(x.ax.a, x.axis)
			return tickText(x.axis, []plot.Tick{{Text: common}}, 0), nil
		}),
		method("grid", "Draws lines at the ticks of this axis.", x+"x.grid(True)", func(c *call, x *axisValue, a *gridArgs) (starlark.Value, error) {
			c.ax = x.ax
			if a.Axis = "y"; x.axis.Horizontal {
				a.Axis = "x"
			}
			return gridLines(c, a)
		}),
		method("set_inverted", "Swaps the ends of the axis, or not.", x+"x.set_inverted(True)", func(_ *call, x *axisValue, a *oneBool) (starlark.Value, error) {
			if (x.axis.Lo > x.axis.Hi || x.axis.Inverted) != a.V {
				x.axis.Invert()
			}
			return nil, nil
		}),
		method("set_major_formatter", "Sets how numbers are written: a format such as '{x:.2f}', or a function of the number and its place.", x+"x.set_major_formatter('{x:.1f} s')", func(c *call, x *axisValue, a *oneValue) (starlark.Value, error) {
			write, err := c.writerOf(a.V)
			if err != nil {
				return nil, err
			}
			x.ax.write(x.axis, write)
			return nil, nil
		}),
		method("set_major_locator", "Sets where ticks may stand: a locator of matplotlib.ticker.", x+"from matplotlib.ticker import MaxNLocator; x.set_major_locator(MaxNLocator(integer=True))", func(_ *call, x *axisValue, a *oneValue) (starlark.Value, error) {
			l, err := locatorOf(a.V)
			if err != nil {
				return nil, err
			}
			x.axis.Rule, x.axis.Step, x.axis.At, x.axis.AtSet = l.rule, l.step, l.at, l.at != nil
			x.axis.Names, x.axis.NamesSet = nil, false
			return nil, nil
		}),
		method("set_minor_locator", "Sets where short ticks stand: a locator of matplotlib.ticker.", x+"from matplotlib.ticker import AutoMinorLocator; x.set_minor_locator(AutoMinorLocator())", func(_ *call, x *axisValue, a *oneValue) (starlark.Value, error) {
			l, err := locatorOf(a.V)
			if err != nil {
				return nil, err
			}
			x.axis.Minor, x.axis.MinorStep, x.axis.MinorAt = l.minor, l.step, l.at
			return nil, nil
		}),
	}...)).With(
		value.FieldOf("label", "The name of the axis.", "import matplotlib.pyplot as plt; plt.gca().xaxis.label.set_fontsize(14)", func(x *axisValue) starlark.Value { return x.ax.name(x.axis) }),
	)
})

type tickTextsArgs struct {
	Minor starlark.Value `arg:"minor=None: accepted"`
	Which starlark.Value `arg:"which=None: accepted"`
}

// tickText is the value of the text at a tick. What is set of it is set of all of the axis; it can
// be hidden alone.
func tickText(x *plot.Axis, list []plot.Tick, i int) *textValue {
	t := &x.Ticks
	return &textValue{typ: "Text", textParts: textParts{text: &list[i].Text, size: &t.Size, rotation: &t.Rotation, color: &t.LabelColor, h: &t.Align, show: func(on bool) {
		if !x.NamesSet || len(x.Names) != len(list) { // from now on they are these
			x.At, x.AtSet, x.Names, x.NamesSet = placesOf(list), true, make([]string, len(list)), true
			for k := range list {
				x.Names[k] = list[k].Text
			}
		}
		if x.Names[i] = ""; on {
			x.Names[i] = list[i].Text
		}
	}}}
}

func placesOf(list []plot.Tick) []float64 {
	at := []float64{}
	for _, t := range list {
		at = append(at, t.At)
	}
	return at
}

func (c *call) tickTextsOf(x *plot.Axis) *slot.List {
	ticks := c.tickList(x)
	list := make([]starlark.Value, len(ticks))
	for i := range ticks {
		list[i] = tickText(x, ticks, i)
	}
	return slot.NewList(list)
}

var _ starlark.Mapping = (*spines)(nil)
var _ value.Tabled = (*spines)(nil)

func (s *spines) Type() string          { return "Spine" }
func (s *spines) String() string        { return fmt.Sprintf("<Spines %v>", s.list()) }
func (s *spines) Hash() (uint32, error) { return unhashable("Spine") }
func (s *spines) Table() *value.Methods { return spineMethods() }

// AttrNames leaves out the sides, which spines["top"] names too.
func (s *spines) AttrNames() []string { return spineMethods().Names() }

func (s *spines) Attr(name string) (starlark.Value, error) {
	if slices.Contains(sides, name) {
		return &spines{ax: s.ax, names: []string{name}}, nil
	}
	return spineMethods().Attr(s, name)
}

func (x *axisValue) Type() string                             { return "Axis" }
func (x *axisValue) String() string                           { return "<Axis>" }
func (x *axisValue) Hash() (uint32, error)                    { return unhashable("Axis") }
func (x *axisValue) Table() *value.Methods                    { return axisMethods() }
func (x *axisValue) AttrNames() []string                      { return axisMethods().Names() }
func (x *axisValue) Attr(name string) (starlark.Value, error) { return axisMethods().Attr(x, name) }
