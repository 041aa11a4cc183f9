package pyplot

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func init() { figureTable, axesTable, artistTable = figureMethods, axesMethods, artistMethods }

// axesMethods is the table of Axes.
var axesMethods = sync.OnceValue(func() *value.Methods {
	const ax = "import matplotlib.pyplot as plt; fig, ax = plt.subplots(); "
	t := value.NewMethods("Axes", slices.Concat(methodsOf(lineRows()), methodsOf(barRows()), methodsOf(rangeRows()), methodsOf(imageRows()), methodsOf(textRows()), methodsOf(settingRows()), methodsOf(axesRows()))).With(
		value.FieldOf("axes", "The axes themselves.", ax+"ax.axes is ax # True", func(a *axes) starlark.Value { return a }),
		value.FieldOf("figure", "The figure.", ax+"ax.figure is fig # True", func(a *axes) starlark.Value { return a.fig }),
		value.FieldOf("transAxes", "For text: places are fractions of the axes.", ax+"ax.text(0.5, 0.9, 'top', transform=ax.transAxes)", func(*axes) starlark.Value { return &transformValue{kind: "axes"} }),
		value.FieldOf("transData", "For text: places are data.", ax+"ax.text(0.5, 0.9, 'here', transform=ax.transData)", func(*axes) starlark.Value { return &transformValue{kind: "data"} }),
		value.FieldOf("spines", "The sides of the frame: ax.spines['top'].set_visible(False), ax.spines[['top', 'right']].", ax+"ax.spines['top'].set_visible(False)", func(a *axes) starlark.Value { return &spines{ax: a} }),
		value.FieldOf("xaxis", "The x axis.", ax+"ax.xaxis.set_visible(False)", func(a *axes) starlark.Value { return &axisValue{axis: a.a.X, ax: a} }),
		value.FieldOf("yaxis", "The y axis.", ax+"ax.yaxis.set_visible(False)", func(a *axes) starlark.Value { return &axisValue{axis: a.a.Y, ax: a} }),
		value.FieldOf("containers", "The list of bar charts, histograms, error bars and stems.", ax+"ax.containers # []", func(a *axes) starlark.Value {
			list := make([]starlark.Value, len(a.containers))
			for i, c := range a.containers {
				list[i] = c
			}
			return slot.NewList(list)
		}),
		value.FieldOf("title", "The title.", ax+"ax.title.set_fontsize(14)", func(a *axes) starlark.Value { return a.title(&a.a.Title) }),
	)
	for _, k := range kindsDrawn {
		t.With(value.FieldOf(k.name, "The list of "+k.name+" that were drawn.", ax+"ax."+k.name+" # []", func(a *axes) starlark.Value { return a.drawn(k.name) }))
	}
	return t
})

// figureMethods is the table of Figure.
var figureMethods = sync.OnceValue(func() *value.Methods {
	const fig = "import matplotlib.pyplot as plt; fig = plt.figure(); "
	return value.NewMethods("Figure", slices.Concat(methodsOf(figureRows()), methodsOf(mosaicRows()), []value.Builtin{
		method("show", "Shows the figure now, and closes it.", "fig, ax = plt.subplots(); fig.show()", func(c *call, f *figure, _ *none) (starlark.Value, error) {
			rest := slices.DeleteFunc(slices.Clone(c.st.figures), func(g *figure) bool { return g == f })
			c.st.figures = []*figure{f}
			c.st.show(c.s)
			c.st.figures = rest
			return nil, nil
		}),
	})).With(
		value.FieldOf("axes", "The list of all Axes.", fig+"fig.axes # []", func(f *figure) starlark.Value { return f.axesList() }),
		value.FieldOf("canvas", "What has draw(), which has nothing to do: figures are drawn when they are shown.", fig+"fig.canvas.draw()", func(f *figure) starlark.Value { return &canvasValue{} }),
		value.FieldOf("number", "The number of the figure.", fig+"fig.number > 0 # True", func(f *figure) starlark.Value { return starlark.MakeInt(f.num) }),
		value.FieldOf("dpi", "Pixels per inch.", fig+"fig.dpi # 100.0", func(f *figure) starlark.Value { return starlark.Float(f.f.DPI) }),
		value.FieldOf("transFigure", "For text: places are fractions of the figure.", fig+"fig.transFigure", func(*figure) starlark.Value { return &transformValue{kind: "figure"} }),
	)
})

// A canvasValue is fig.canvas, whose methods scripts call though figures are drawn when they are
// shown.
type canvasValue struct{ identity }

var _ value.Tabled = (*canvasValue)(nil)

func (x *canvasValue) Type() string                             { return "Canvas" }
func (x *canvasValue) String() string                           { return "<Canvas>" }
func (x *canvasValue) Hash() (uint32, error)                    { return unhashable("Canvas") }
func (x *canvasValue) Table() *value.Methods                    { return canvasMethods() }
func (x *canvasValue) AttrNames() []string                      { return canvasMethods().Names() }
func (x *canvasValue) Attr(name string) (starlark.Value, error) { return canvasMethods().Attr(x, name) }

// canvasMethods is the table of Canvas.
var canvasMethods = sync.OnceValue(func() *value.Methods {
	var rows []value.Builtin
	for _, name := range []string{"draw", "draw_idle", "flush_events"} {
		rows = append(rows, method(name, "Accepted; figures are drawn when they are shown.", "plt.gcf().canvas."+name+"()",
			func(*call, *canvasValue, *none) (starlark.Value, error) { return nil, nil }))
	}
	return value.NewMethods("Canvas", rows)
})
