package pyplot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// rcParams is plt.rcParams, a mapping of the defaults that there are.
type rcParams struct {
	identity
	s  *session.Session
	st *state
}

var _ starlark.HasSetKey = (*rcParams)(nil)
var _ value.Tabled = (*rcParams)(nil)

// A parameter is a row of plt.rcParams.
type parameter struct {
	get func(s *plot.Style) starlark.Value
	set func(s *plot.Style, c *call, v starlark.Value) error
}

func numberParameter(of func(s *plot.Style) *float64) parameter {
	return parameter{
		get: func(s *plot.Style) starlark.Value { return starlark.Float(*of(s)) },
		set: func(s *plot.Style, _ *call, v starlark.Value) error {
			if size, err := sizeOf(v); err == nil {
				*of(s) = size
				return nil
			}
			x, ok := starlark.AsFloat(value.NumberOf(v))
			if !ok || !(x >= 0 && x <= 1e4) {
				return valueError("got %s, want a number", value.Repr(v))
			}
			*of(s) = x
			return nil
		}}
}

func boolParameter(of func(s *plot.Style) *bool) parameter {
	return parameter{
		get: func(s *plot.Style) starlark.Value { return starlark.Bool(*of(s)) },
		set: func(s *plot.Style, _ *call, v starlark.Value) error {
			*of(s) = bool(v.Truth())
			return nil
		}}
}

func colorParameter(of func(s *plot.Style) *plot.Color) parameter {
	return parameter{
		get: func(s *plot.Style) starlark.Value { return starlark.String(palette.Hex(*of(s))) },
		set: func(s *plot.Style, _ *call, v starlark.Value) error {
			c, err := colorOf(v)
			if err == nil {
				*of(s) = c
			}
			return err
		}}
}

func wordParameter(of func(s *plot.Style) *string, check func(word string) error) parameter {
	return parameter{
		get: func(s *plot.Style) starlark.Value { return starlark.String(*of(s)) },
		set: func(s *plot.Style, _ *call, v starlark.Value) error {
			word := text(v)
			if err := check(word); err != nil {
				return err
			}
			*of(s) = word
			return nil
		}}
}

// ignored is a parameter that is accepted and changes nothing.
func ignored(v starlark.Value) parameter {
	return parameter{get: func(*plot.Style) starlark.Value { return v }, set: func(*plot.Style, *call, starlark.Value) error { return nil }}
}

// parameters are the rows of plt.rcParams.
var parameters = sync.OnceValue(func() map[string]parameter {
	return map[string]parameter{
		"figure.figsize": {
			get: func(s *plot.Style) starlark.Value {
				return slot.NewList([]starlark.Value{starlark.Float(s.Width), starlark.Float(s.Height)})
			},
			set: func(s *plot.Style, c *call, v starlark.Value) error {
				w, h, err := c.twoFloats("figure.figsize", v)
				if err != nil {
					return err
				}
				if !(w > 0 && h > 0 && w <= 655 && h <= 655) {
					return valueError("figure size must be positive and at most 655 inches, not (%g, %g)", w, h)
				}
				s.Width, s.Height = w, h
				return nil
			}},
		"figure.dpi":                    numberParameter(func(s *plot.Style) *float64 { return &s.DPI }),
		"savefig.dpi":                   ignored(starlark.String("figure")),
		"figure.autolayout":             boolParameter(func(s *plot.Style) *bool { return &s.Tight }),
		"figure.constrained_layout.use": boolParameter(func(s *plot.Style) *bool { return &s.Tight }),
		"figure.facecolor":              colorParameter(func(s *plot.Style) *plot.Color { return &s.FigureFace }),
		"savefig.facecolor":             ignored(starlark.String("auto")),
		"savefig.bbox":                  ignored(starlark.None),
		"figure.max_open_warning":       ignored(starlark.MakeInt(20)),
		"axes.facecolor":                colorParameter(func(s *plot.Style) *plot.Color { return &s.AxesFace }),
		"axes.edgecolor":                colorParameter(func(s *plot.Style) *plot.Color { return &s.Edge }),
		"axes.labelcolor":               colorParameter(func(s *plot.Style) *plot.Color { return &s.Text }),
		"text.color":                    colorParameter(func(s *plot.Style) *plot.Color { return &s.Text }),
		"axes.linewidth":                numberParameter(func(s *plot.Style) *float64 { return &s.SpineWidth }),
		"axes.grid":                     boolParameter(func(s *plot.Style) *bool { return &s.Grid }),
		"axes.axisbelow":                boolParameter(func(s *plot.Style) *bool { return &s.AxesBelow }),
		"axes.titlesize":                numberParameter(func(s *plot.Style) *float64 { return &s.TitleSize }),
		"axes.labelsize":                numberParameter(func(s *plot.Style) *float64 { return &s.LabelSize }),
		"axes.xmargin":                  numberParameter(func(s *plot.Style) *float64 { return &s.Margin }),
		"axes.ymargin":                  numberParameter(func(s *plot.Style) *float64 { return &s.Margin }),
		"axes.titleweight": {
			get: func(s *plot.Style) starlark.Value {
				if s.TitleBold {
					return starlark.String("bold")
				}
				return starlark.String("normal")
			},
			set: func(s *plot.Style, _ *call, v starlark.Value) error {
				s.TitleBold = isBold(v)
				return nil
			}},
		"axes.spines.top":       spineParameter("top"),
		"axes.spines.right":     spineParameter("right"),
		"axes.spines.left":      spineParameter("left"),
		"axes.spines.bottom":    spineParameter("bottom"),
		"axes.unicode_minus":    ignored(starlark.True),
		"axes.formatter.limits": ignored(starlark.None),
		"axes.prop_cycle":       {get: func(*plot.Style) starlark.Value { return cycleValue{} }, set: setCycle},
		"font.size":             numberParameter(func(s *plot.Style) *float64 { return &s.Size }),
		"font.family":           ignored(starlark.String("sans-serif")),
		"font.sans-serif":       ignored(starlark.String("Liberation Sans")),
		"font.serif":            ignored(starlark.String("Liberation Sans")),
		"font.weight":           ignored(starlark.String("normal")),
		"text.usetex":           ignored(starlark.False),
		"mathtext.fontset":      ignored(starlark.String("dejavusans")),
		"legend.fontsize":       numberParameter(func(s *plot.Style) *float64 { return &s.LegendSize }),
		"legend.frameon":        boolParameter(func(s *plot.Style) *bool { return &s.LegendFrame }),
		"legend.loc":            ignored(starlark.String("best")),
		"lines.linewidth":       numberParameter(func(s *plot.Style) *float64 { return &s.LineWidth }),
		"lines.markersize":      numberParameter(func(s *plot.Style) *float64 { return &s.MarkerSize }),
		"lines.linestyle": wordParameter(func(s *plot.Style) *string { return &s.LineStyle }, func(w string) error {
			if _, _, ok := plot.DashOf(w); !ok {
				return oneOf("lines.linestyle", w, "-", "--", "-.", ":", "None")
			}
			return nil
		}),
		"lines.marker": wordParameter(func(s *plot.Style) *string { return &s.Marker }, func(w string) error {
			_, err := checkMarker(w)
			return err
		}),
		"xtick.labelsize":     numberParameter(func(s *plot.Style) *float64 { return &s.TickSize }),
		"ytick.labelsize":     numberParameter(func(s *plot.Style) *float64 { return &s.TickSize }),
		"xtick.color":         colorParameter(func(s *plot.Style) *plot.Color { return &s.TickColor }),
		"ytick.color":         colorParameter(func(s *plot.Style) *plot.Color { return &s.TickColor }),
		"xtick.direction":     wordParameter(func(s *plot.Style) *string { return &s.TickDirection }, direction),
		"ytick.direction":     wordParameter(func(s *plot.Style) *string { return &s.TickDirection }, direction),
		"xtick.minor.visible": boolParameter(func(s *plot.Style) *bool { return &s.MinorTicks }),
		"ytick.minor.visible": boolParameter(func(s *plot.Style) *bool { return &s.MinorTicks }),
		"grid.color":          colorParameter(func(s *plot.Style) *plot.Color { return &s.GridPen.Color }),
		"grid.linewidth":      numberParameter(func(s *plot.Style) *float64 { return &s.GridPen.Width }),
		"grid.alpha": {
			get: func(s *plot.Style) starlark.Value { return starlark.Float(s.GridPen.Color.A) / 255 },
			set: func(s *plot.Style, c *call, v starlark.Value) error {
				a, err := c.one("grid.alpha", v)
				if err == nil {
					s.GridPen.Color.A = 255
					s.GridPen.Color = palette.Faded(s.GridPen.Color, a)
				}
				return err
			}},
		"grid.linestyle": {
			get: func(s *plot.Style) starlark.Value { return starlark.String("-") },
			set: func(s *plot.Style, _ *call, v starlark.Value) error { return setDash(&s.GridPen, v) }},
		"image.cmap": wordParameter(func(s *plot.Style) *string { return &s.Map }, func(w string) error {
			if palette.MapOf(w) == nil {
				return valueError("%q is not a known colormap name", w)
			}
			return nil
		}),
		"image.interpolation": {
			get: func(s *plot.Style) starlark.Value { return starlark.String("nearest") },
			set: func(s *plot.Style, _ *call, v starlark.Value) error {
				s.Smooth = smoothings[text(v)]
				return nil
			}},
		"image.origin": {
			get: func(s *plot.Style) starlark.Value {
				if s.OriginBelow {
					return starlark.String("lower")
				}
				return starlark.String("upper")
			},
			set: func(s *plot.Style, _ *call, v starlark.Value) error {
				s.OriginBelow = text(v) == "lower"
				return oneOf("image.origin", text(v), "upper", "lower")
			}},
		"hist.bins": {
			get: func(s *plot.Style) starlark.Value { return starlark.MakeInt(s.Bins) },
			set: func(s *plot.Style, _ *call, v starlark.Value) error {
				n, err := value.Int(v)
				if err != nil || n < 1 {
					return valueError("hist.bins: got %s, want a positive int", value.Repr(v))
				}
				s.Bins = n
				return nil
			}},
		"errorbar.capsize": numberParameter(func(s *plot.Style) *float64 { return &s.CapSize }),
	}
})

func direction(w string) error { return oneOf("direction", w, "in", "out", "inout") }

func spineParameter(side string) parameter {
	return parameter{
		get: func(s *plot.Style) starlark.Value { return starlark.Bool(!slices.Contains(s.NoSpines, side)) },
		set: func(s *plot.Style, _ *call, v starlark.Value) error {
			s.NoSpines = slices.DeleteFunc(slices.Clone(s.NoSpines), func(n string) bool { return n == side })
			if !bool(v.Truth()) {
				s.NoSpines = append(s.NoSpines, side)
			}
			return nil
		}}
}

// cycleValue is plt.rcParams['axes.prop_cycle'].
type cycleValue struct{ identity }

func (cycleValue) Type() string          { return "Cycler" }
func (cycleValue) String() string        { return "cycler('color', ...)" }
func (cycleValue) Hash() (uint32, error) { return unhashable("Cycler") }
func (cycleValue) AttrNames() []string   { return []string{"by_key"} }
func (cycleValue) Attr(name string) (starlark.Value, error) {
	if name != "by_key" {
		return nil, value.NoAttr("Cycler", name, []string{"by_key"})
	}
	b := value.Row("by_key", "", "", func(thread *starlark.Thread, _ *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		var list []string
		for _, c := range stateOf(session.Of(thread)).style.Cycle {
			list = append(list, palette.Hex(c))
		}
		d := slot.NewDict(1)
		return d, d.SetKey(starlark.String("color"), textList(list))
	})
	return b.Value(), nil
}

// setCycle reads the colours that lines take: a list of them.
func setCycle(s *plot.Style, _ *call, v starlark.Value) error {
	if _, same := v.(cycleValue); same {
		return nil
	}
	list, err := colorsOf(v)
	if err != nil {
		return valueError("axes.prop_cycle: got %s, want a list of colours", value.Repr(v))
	}
	s.Cycle = list
	return nil
}

func (*rcParams) Type() string          { return "rcParams" }
func (*rcParams) String() string        { return fmt.Sprintf("<rcParams: %d of them>", len(parameters())) }
func (*rcParams) Hash() (uint32, error) { return unhashable("rcParams") }
func (*rcParams) Table() *value.Methods { return rcMethods() }
func (*rcParams) AttrNames() []string   { return rcMethods().Names() }
func (p *rcParams) Attr(name string) (starlark.Value, error) {
	return rcMethods().Attr(p, name)
}

// Get is the value of a parameter.
func (p *rcParams) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, _ := starlark.AsString(key)
	row, err := parameterOf(name)
	if err != nil {
		return nil, false, err
	}
	return row.get(p.st.style), true, nil
}

// SetKey sets a parameter.
func (p *rcParams) SetKey(key, v starlark.Value) error {
	name, _ := starlark.AsString(key)
	row, err := parameterOf(name)
	if err != nil {
		return err
	}
	if err := row.set(p.st.style, &call{s: p.s, st: p.st}, v); err != nil {
		return valueError("Key %s: %v", name, err)
	}
	return nil
}

type updateArgs struct {
	Other starlark.Value `arg:"other=None: a dict"`
	All   *slot.Dict     `arg:"**kwargs: by keyword"`
}

// rcMethods is the table of rcParams.
var rcMethods = sync.OnceValue(func() *value.Methods {
	return value.NewMethods("rcParams", []value.Builtin{
		method("update", "Sets several defaults.", "plt.rcParams.update({'font.size': 12})", func(_ *call, p *rcParams, a *updateArgs) (starlark.Value, error) {
			items := a.All.Items()
			if m, ok := a.Other.(starlark.IterableMapping); ok {
				items = append(m.Items(), items...)
			} else if a.Other != nil {
				return nil, typeError("update: got %s, want dict", a.Other.Type())
			}
			for _, kv := range items {
				if err := p.SetKey(kv[0], kv[1]); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
		method("keys", "Returns the names of the defaults.", "'lines.linewidth' in plt.rcParams.keys() # True", func(*call, *rcParams, *none) (starlark.Value, error) {
			return textList(slices.Sorted(maps.Keys(parameters()))), nil
		}),
	})
})

// parameterOf refuses what is no parameter.
func parameterOf(key string) (parameter, error) {
	p, ok := parameters()[key]
	if ok {
		return p, nil
	}
	near := ""
	if n := config.Closest(key, slices.Collect(maps.Keys(parameters()))); n != "" {
		near = fmt.Sprintf(" (did you mean %s?)", n)
	}
	return p, value.Failure("KeyError", "%s is not a valid rc parameter in Arignote%s", key, near)
}

// setRC is plt.rc(group, name=value).
func setRC(c *call, a *struct {
	Group string     `arg:"group: the first part of the names: 'lines', 'axes', 'font' ..."`
	All   *slot.Dict `arg:"**kwargs: the rest of the names, with values"`
}) (starlark.Value, error) {
	short := map[string]string{"lw": "linewidth", "ls": "linestyle", "c": "color", "fc": "facecolor", "ec": "edgecolor"}
	for _, kv := range a.All.Items() {
		name, _ := starlark.AsString(kv[0])
		if long, ok := short[name]; ok {
			name = long
		}
		for group := range strings.SplitSeq(a.Group, ",") {
			key := strings.TrimSpace(group) + "." + name
			p, err := parameterOf(key)
			if err != nil {
				return nil, err
			}
			if err := p.set(c.st.style, c, kv[1]); err != nil {
				return nil, valueError("%s: %v", key, err)
			}
		}
	}
	return nil, nil
}
