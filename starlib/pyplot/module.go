package pyplot

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are matplotlib and what it has, of a session: defaults are the session's.
func Modules(s *session.Session) *value.Module {
	return s.Local(moduleKey{}, func() any {
		rc := &rcParams{s: s, st: stateOf(s)}
		return matplotlib(pyplot(rc), rc)
	}).(*value.Module)
}

type moduleKey struct{}

// pyplot is matplotlib.pyplot, under the name that programs give it.
func pyplot(rc *rcParams) *value.Module {
	return value.NewLazyModule("plt", "Plots: matplotlib.pyplot's functions.", func() []value.Member {
		tables := slices.Concat(functionsOf(lineRows()), functionsOf(barRows()), functionsOf(rangeRows()), functionsOf(imageRows()), functionsOf(textRows()), functionsOf(settingRows()), functionsOf(figureRows()), functionsOf(mosaicRows()), functionsOf(mapRows()), functionsOf(styleRows()), functionsOf(plainShapes()))
		return append(value.Builtins(tables),
			value.Member{Name: "rcParams", Value: rc, Doc: "Defaults of new figures: plt.rcParams['figure.figsize'] = (8, 3).", Example: "import matplotlib.pyplot as plt; plt.rcParams['lines.linewidth'] # 1.5"},
			value.Member{Name: "style", Value: styleModule, Doc: styleModule.Doc(), Example: "import matplotlib.pyplot as plt; plt.style.use('ggplot')"},
			value.Member{Name: "cm", Value: colormapNames{}, Doc: "The colour maps: plt.cm.viridis(0.5).", Example: "import matplotlib.pyplot as plt; len(plt.cm.viridis(0.0)) # 4"},
		)
	})
}

// matplotlib is the package around it.
func matplotlib(plt *value.Module, rc *rcParams) *value.Module {
	return value.NewLazyModule("matplotlib", "Plots; matplotlib.pyplot has the functions.", func() []value.Member {
		return append(value.Builtins([]value.Builtin{
			inMatplotlib(free("use", "Accepts the name of a backend: figures are shown by the front end.", "use('Agg')", func(*call, *struct {
				Backend starlark.Value `arg:"backend: a name"`
				Force   starlark.Value `arg:"force=True: accepted"`
			}) (starlark.Value, error) {
				return nil, nil
			})),
			inMatplotlib(free("rc", "Sets defaults of new figures by group: rc('lines', linewidth=2).", "rc('lines', linewidth=2)", setRC)),
			inMatplotlib(free("get_backend", "Returns the name of the backend.", "get_backend() # \"inline\"", func(*call, *none) (starlark.Value, error) { return starlark.String("inline"), nil })),
		}),
			value.Member{Name: "pyplot", Value: plt, Doc: plt.Doc(), Example: "import matplotlib; matplotlib.pyplot.plot([1, 2])"},
			value.Member{Name: "rcParams", Value: rc, Doc: "Defaults of new figures.", Example: "import matplotlib; matplotlib.rcParams['lines.linewidth'] # 1.5"},
			value.Member{Name: "style", Value: styleModule, Doc: styleModule.Doc(), Example: "import matplotlib; matplotlib.style.use('ggplot')"},
			value.Member{Name: "cm", Value: colormapNames{}, Doc: "The colour maps: plt.cm.viridis(0.5).", Example: "import matplotlib; matplotlib.cm.viridis(0.0)"},
			value.Member{Name: "colors", Value: colorsModule, Doc: colorsModule.Doc(), Example: "from matplotlib.colors import LogNorm"},
			value.Member{Name: "ticker", Value: tickerModule, Doc: tickerModule.Doc(), Example: "from matplotlib.ticker import MaxNLocator"},
			value.Member{Name: "patches", Value: patchesModule, Doc: patchesModule.Doc(), Example: "import matplotlib.patches as mpatches"},
			value.Member{Name: "lines", Value: linesModule, Doc: linesModule.Doc(), Example: "from matplotlib.lines import Line2D"},
			value.Member{Name: "gridspec", Value: gridspecModule, Doc: gridspecModule.Doc(), Example: "from matplotlib.gridspec import GridSpec"},
			value.Member{Name: "colormaps", Value: colormaps{}, Doc: "The colour maps by their names.", Example: "import matplotlib; matplotlib.colormaps['gray'](0.0) # (0.0, 0.0, 0.0, 1.0)"},
			value.Member{Name: "__version__", Value: starlark.String("3.8.0"), Doc: "The version of matplotlib whose names these are.", Example: "import matplotlib; matplotlib.__version__ # \"3.8.0\""},
		)
	})
}

func inMatplotlib(p pair) value.Builtin {
	b := p.function
	b.Module = "matplotlib"
	b.Example = "import matplotlib; matplotlib." + b.Example[len("import matplotlib.pyplot as plt; plt."):]
	return b
}

// Types are the tables of the values.
func Types() []*value.Methods {
	return []*value.Methods{figureMethods(), axesMethods(), gridMethods(), artistMethods(), axisMethods(), spineMethods(), colorbarMethods(), rcMethods(), legendMethods(), textMethods(), mapMethods(), normMethods(), canvasMethods(), contextMethods()}
}

type useArgs struct {
	Name starlark.Value `arg:"style: a name, or a list of them"`
}

// use changes the defaults of new figures.
func use(c *call, a *useArgs) (starlark.Value, error) {
	names, err := texts(a.Name)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if !c.st.style.Use(n) {
			near := ""
			if k := config.Closest(n, plot.StyleNames()); k != "" {
				near = " (did you mean '" + k + "'?)"
			}
			return nil, value.Failure("OSError", "%s", "'"+n+"' is not a valid package style or name in the style library (plt.style.available lists them)"+near)
		}
	}
	return nil, nil
}

// styleRows are functions of defaults and colour maps.
var styleRows = sync.OnceValue(func() []pair {
	return []pair{
		free("rc", "Sets defaults of new figures by group: rc('lines', linewidth=2).", "rc('lines', linewidth=2)", setRC),
		free("rc_context", "For with: in its block the defaults of new figures are others.", "rc_context({'lines.linewidth': 3})", rcContext),
		free("rcdefaults", "Sets the defaults back.", "rcdefaults()", func(c *call, _ *none) (starlark.Value, error) {
			*c.st.style = *plot.DefaultStyle()
			return nil, nil
		}),
		free("get_cmap", "Returns a colour map, a function from numbers of 0 to 1 to (r, g, b, a).", "get_cmap('gray')(0.0) # (0.0, 0.0, 0.0, 1.0)", getCmap),
		free("set_cmap", "Makes a colour map the default.", "set_cmap('gray')", func(c *call, a *oneText) (starlark.Value, error) {
			m, err := c.mapOf(a.V)
			if err == nil {
				c.st.style.Map = m.Name
			}
			return nil, err
		}),
		free("colormaps", "Returns the names of the colour maps.", "colormaps()[0] # \"Accent\"", func(*call, *none) (starlark.Value, error) { return textList(palette.MapNames()), nil }),
		free("ion", "Accepted; figures are shown when a cell ends.", "ion()", nothing),
		free("ioff", "Accepted; figures are shown when a cell ends.", "ioff()", nothing),
		free("isinteractive", "Returns whether figures are shown as they are drawn.", "isinteractive() # False", func(*call, *none) (starlark.Value, error) { return starlark.False, nil }),
		free("pause", "Accepted; nothing waits.", "pause(0.1)", func(*call, *oneNumber) (starlark.Value, error) { return nil, nil }),
		free("draw", "Accepted; figures are drawn when they are shown.", "draw()", nothing),
		free("getp", "Returns a property of what was drawn: getp(line, 'color').", "getp(plt.plot([1, 2])[0], 'color')", func(c *call, a *struct {
			X starlark.Value `arg:"obj: what was drawn"`
			P starlark.Value `arg:"property: its name"`
		}) (starlark.Value, error) {
			x, ok := a.X.(starlark.HasAttrs)
			if !ok {
				return nil, typeError("getp: got %s, want what was drawn", a.X.Type())
			}
			f, err := x.Attr("get_" + text(a.P))
			if err == nil && f == nil {
				err = value.NoAttr(x.Type(), "get_"+text(a.P), x.AttrNames())
			}
			if err != nil {
				return nil, err
			}
			return value.Call(c.thread, f, nil, nil)
		}),
		free("setp", "Sets properties of what was drawn: setp(line, color='red').", "setp(plt.plot([1, 2]), color='red')", func(c *call, a *struct {
			X     starlark.Value `arg:"obj: what was drawn, or a list of it"`
			Pairs starlark.Tuple `arg:"*args: names and values in turn, as keywords"`
			All   *slot.Dict     `arg:"**kwargs: each calls the method set_ of its name"`
		}) (starlark.Value, error) {
			if len(a.Pairs)%2 != 0 {
				return nil, valueError("The set args must be string, value pairs")
			}
			for i := 0; i < len(a.Pairs); i += 2 {
				a.All.SetKey(starlark.String(text(a.Pairs[i])), a.Pairs[i+1])
			}
			list := []starlark.Value{a.X}
			if it, ok := a.X.(*slot.List); ok {
				list = slices.Collect(starlark.Elements(it))
			}
			for _, v := range list {
				x, ok := v.(starlark.HasAttrs)
				if !ok {
					return nil, typeError("setp: got %s, want what was drawn", v.Type())
				}
				if err := set(c, x, a.All); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
	}
})

// mapRows are the functions that make a colour map the default: plt.gray().
func mapRows() []pair {
	var rows []pair
	for _, name := range []string{"autumn", "bone", "cool", "copper", "flag", "gray", "hot", "hsv", "inferno", "jet", "magma", "nipy_spectral", "pink",
		"plasma", "prism", "spring", "summer", "viridis", "winter"} {
		if palette.MapOf(name) == nil {
			continue
		}
		rows = append(rows, free(name, "Makes the colour map "+name+" the default.", name+"()", func(c *call, _ *none) (starlark.Value, error) {
			c.st.style.Map = name
			return nil, nil
		}))
	}
	return rows
}

func nothing(*call, *none) (starlark.Value, error) { return nil, nil }

// styleModule is plt.style.
var styleModule = value.NewLazyModule("plt.style", "Styles of figures.", func() []value.Member {
	row := free("use", "Makes a style the default of new figures.", "style.use('ggplot')", use).function
	row.Module = "plt.style"
	context := free("context", "For with: in its block a style is the default of new figures.", "style.context('ggplot')", func(c *call, a *useArgs) (starlark.Value, error) {
		return &styleContext{st: c.st, change: func() error {
			_, err := use(c, a)
			return err
		}}, nil
	}).function
	context.Module = "plt.style"
	return append(value.Builtins([]value.Builtin{row, context}),
		value.Member{Name: "available", Value: textList(plot.StyleNames()), Doc: "The names of the styles.", Example: "import matplotlib.pyplot as plt; 'ggplot' in plt.style.available # True"})
})

type getCmapArgs struct {
	Name starlark.Value `arg:"name=None: the name"`
	N    *int           `arg:"lut=None: of how many colours"`
}

func getCmap(c *call, a *getCmapArgs) (starlark.Value, error) {
	m, err := c.mapOf(a.Name)
	if err != nil {
		return nil, err
	}
	if a.N != nil {
		return resampled(m, *a.N)
	}
	return &mapValue{m: m}, nil
}

// colormapNames is plt.cm: the colour maps are its attributes.
type colormapNames struct{ identity }

var _ starlark.HasAttrs = colormapNames{}

func (colormapNames) Type() string          { return "module" }
func (colormapNames) String() string        { return "<module plt.cm>" }
func (colormapNames) Hash() (uint32, error) { return unhashable("module") }
func (colormapNames) AttrNames() []string   { return append(palette.MapNames(), "get_cmap") }

// Attr is a colour map, or the function that finds one.
func (colormapNames) Attr(name string) (starlark.Value, error) {
	if m := palette.MapOf(name); m != nil {
		return &mapValue{m: m}, nil
	}
	if name == "get_cmap" {
		b := free("get_cmap", "Returns a colour map by its name.", "get_cmap('gray')", getCmap).function
		return b.Value(), nil
	}
	return nil, value.NoAttr("module plt.cm", name, append(palette.MapNames(), "get_cmap"))
}

// colorsModule is matplotlib.colors.
var colorsModule = value.NewLazyModule("matplotlib.colors", "Norms, colour maps of one's own, and what colours mean.", func() []value.Member {
	norm := func(name, doc string, log bool) value.Builtin {
		return colorsRow(free(name, doc, "Normalize(0, 1)", func(c *call, a *struct {
			Lo   *float64       `arg:"vmin=None: what has the first colour"`
			Hi   *float64       `arg:"vmax=None: what has the last"`
			Clip starlark.Value `arg:"clip=None: accepted"`
		}) (starlark.Value, error) {
			return &normValue{log: log, lo: a.Lo, hi: a.Hi}, nil
		}), name+"(1, 10)")
	}
	list := func(name, doc string, single bool) value.Builtin {
		return colorsRow(free(name, doc, "", func(c *call, a *struct {
			Colors starlark.Value `arg:"colors: a list of colours"`
			Name   starlark.Value `arg:"name=None: accepted"`
			N      *int           `arg:"N=None: accepted"`
		}) (starlark.Value, error) {
			colors, err := colorsOf(a.Colors)
			if err != nil {
				return nil, err
			}
			return &mapValue{m: palette.NewMap(name, colors, single)}, nil
		}), name+"(['red', 'blue'])(0.0) # (1.0, 0.0, 0.0, 1.0)")
	}
	return value.Builtins([]value.Builtin{
		norm("Normalize", "Colours in proportion to the numbers.", false),
		norm("LogNorm", "Colours by the logarithms of the numbers.", true),
		list("ListedColormap", "A colour map of single colours.", true),
		colorsRow(free("to_rgba", "Returns (r, g, b, a) of a colour.", "", func(_ *call, a *oneColor) (starlark.Value, error) { return rgba(a.C.color), nil }), "to_rgba('red') # (1.0, 0.0, 0.0, 1.0)"),
		colorsRow(free("to_rgb", "Returns (r, g, b) of a colour.", "", func(_ *call, a *oneColor) (starlark.Value, error) { return rgba(a.C.color)[:3], nil }), "to_rgb('red') # (1.0, 0.0, 0.0)"),
		colorsRow(free("to_hex", "Returns '#rrggbb' of a colour.", "", func(_ *call, a *oneColor) (starlark.Value, error) {
			return starlark.String(palette.Hex(a.C.color)), nil
		}), "to_hex('red') # \"#ff0000\""),
	})
})

func colorsRow(p pair, example string) value.Builtin {
	b := p.function
	b.Module = "matplotlib.colors"
	b.Example = "import matplotlib.colors as mcolors; mcolors." + example
	return b
}

// colormaps is matplotlib.colormaps.
type colormaps struct{ identity }

var _ starlark.Mapping = colormaps{}

func (colormaps) Type() string          { return "ColormapRegistry" }
func (colormaps) String() string        { return "<ColormapRegistry>" }
func (colormaps) Hash() (uint32, error) { return unhashable("ColormapRegistry") }
func (colormaps) Get(key starlark.Value) (starlark.Value, bool, error) {
	s, ok := starlark.AsString(key)
	if !ok {
		return nil, false, typeError("got %s, want the name of a colour map", key.Type())
	}
	m := palette.MapOf(s)
	if m == nil {
		return nil, false, nil
	}
	return &mapValue{m: m}, true, nil
}
