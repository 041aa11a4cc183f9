package pyplot

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func rgba(c plot.Color) starlark.Tuple {
	return starlark.Tuple{starlark.Float(c.R) / 255, starlark.Float(c.G) / 255, starlark.Float(c.B) / 255, starlark.Float(c.A) / 255}
}

func textList(list []string) starlark.Value {
	out := make([]starlark.Value, len(list))
	for i, s := range list {
		out[i] = starlark.String(s)
	}
	return slot.NewList(out)
}

// A normValue is LogNorm() or Normalize().
type normValue struct {
	identity
	log    bool
	lo, hi *float64
}

var _ starlark.Callable = (*normValue)(nil)
var _ value.Tabled = (*normValue)(nil)

func (n *normValue) Type() string                             { return "Normalize" }
func (n *normValue) Name() string                             { return "Normalize" }
func (n *normValue) String() string                           { return "<Normalize>" }
func (n *normValue) Hash() (uint32, error)                    { return unhashable("Normalize") }
func (n *normValue) Table() *value.Methods                    { return normMethods() }
func (n *normValue) AttrNames() []string                      { return normMethods().Names() }
func (n *normValue) Attr(name string) (starlark.Value, error) { return normMethods().Attr(n, name) }

// normMethods is the table of Normalize.
var normMethods = sync.OnceValue(func() *value.Methods {
	const norm = "import matplotlib.colors as mcolors; mcolors.Normalize(0, 10)."
	limit := func(x *float64) starlark.Value {
		if x == nil {
			return starlark.None
		}
		return starlark.Float(*x)
	}
	return value.NewMethods("Normalize", nil).With(
		value.FieldOf("vmin", "What becomes 0.", norm+"vmin # 0.0", func(n *normValue) starlark.Value { return limit(n.lo) }),
		value.FieldOf("vmax", "What becomes 1.", norm+"vmax # 10.0", func(n *normValue) starlark.Value { return limit(n.hi) }),
	)
})

type normCallArgs struct {
	X starlark.Value `arg:"value: a number or an array"`
}

var normCall = sync.OnceValue(func() *value.Arguments { return value.NewArguments[normCallArgs]() })

// CallInternal is where numbers lie between vmin and vmax, which are the least and the greatest of
// them from then on if they were not given.
func (n *normValue) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := &call{thread: thread, s: session.Of(thread)}
	read, err := normCall().Read(c.s, &value.Builtin{Name: "Normalize", Params: normCall().Params()}, args, kwargs)
	if err != nil {
		return nil, err
	}
	d, err := c.array("value", read.(*normCallArgs).X)
	if err != nil {
		return nil, err
	}
	x := floats(d)
	s := plot.NewScale(nil, x, n.lo, n.hi, n.log)
	n.lo, n.hi = &s.Lo, &s.Hi
	for i := range x {
		x[i] = s.Fraction(x[i])
	}
	if d.Rank() == 0 {
		return starlark.Float(x[0]), nil
	}
	return np.FromDenseIn(c.s, tensor.From(x, d.Shape()...)), nil
}

// A mapValue is a colour map that can be called.
type mapValue struct {
	identity
	m *palette.Map
}

var _ starlark.Callable = (*mapValue)(nil)
var _ value.Tabled = (*mapValue)(nil)

func (m *mapValue) Type() string                             { return "Colormap" }
func (m *mapValue) Name() string                             { return m.m.Name }
func (m *mapValue) String() string                           { return "<Colormap " + m.m.Name + ">" }
func (m *mapValue) Hash() (uint32, error)                    { return unhashable("Colormap") }
func (m *mapValue) Table() *value.Methods                    { return mapMethods() }
func (m *mapValue) AttrNames() []string                      { return mapMethods().Names() }
func (m *mapValue) Attr(name string) (starlark.Value, error) { return mapMethods().Attr(m, name) }

// mapMethods is the table of Colormap.
var mapMethods = sync.OnceValue(func() *value.Methods {
	const gray = "plt.get_cmap('gray')."
	return value.NewMethods("Colormap", []value.Builtin{
		method("reversed", "Returns the map from its last colour to its first.", gray+"reversed()(0.0) # (1.0, 1.0, 1.0, 1.0)", func(_ *call, m *mapValue, _ *none) (starlark.Value, error) {
			return &mapValue{m: m.m.Reversed()}, nil
		}),
		method("resampled", "Returns the map in a number of colours.", gray+"resampled(4).N # 4", func(_ *call, m *mapValue, a *struct {
			N int `arg:"lutsize: of how many colours"`
		}) (starlark.Value, error) {
			return resampled(m.m, a.N)
		}),
	}).With(
		value.FieldOf("name", "Its name.", "import matplotlib.pyplot as plt; "+gray+"name # \"gray\"", func(m *mapValue) starlark.Value { return starlark.String(m.m.Name) }),
		value.FieldOf("N", "How many colours it has.", "import matplotlib.pyplot as plt; "+gray+"N # 256", func(m *mapValue) starlark.Value { return starlark.MakeInt(m.m.N()) }),
	)
})

// resampled is a map in n colours.
func resampled(m *palette.Map, n int) (starlark.Value, error) {
	if n < 1 || n > 1<<16 {
		return nil, valueError("the number of colours must be from 1 to 65536, got %d", n)
	}
	return &mapValue{m: m.Resampled(n)}, nil
}

type mapCallArgs struct {
	X     starlark.Value `arg:"X: numbers from 0 to 1, or ints that count the colours"`
	Alpha *float64       `arg:"alpha=None: from 0 to 1"`
}

var mapCall = sync.OnceValue(func() *value.Arguments { return value.NewArguments[mapCallArgs]() })

// CallInternal is (r, g, b, a) of a number from 0 to 1, or of an int the colour of that number; of
// an array one with another axis, of these four.
func (m *mapValue) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := &call{thread: thread, s: session.Of(thread)}
	read, err := mapCall().Read(c.s, &value.Builtin{Name: m.m.Name, Params: mapCall().Params()}, args, kwargs)
	if err != nil {
		return nil, err
	}
	a := read.(*mapCallArgs)
	d, err := c.array("X", a.X)
	if err != nil {
		return nil, err
	}
	x, counted := floats(d), d.DType().IsInteger()
	out := make([]float64, 0, 4*len(x))
	for _, v := range x {
		var color plot.Color
		if counted {
			color = m.m.Color(int(v))
		} else {
			color = m.m.At(v)
		}
		alpha := float64(color.A) / 255
		if a.Alpha != nil {
			alpha = min(max(*a.Alpha, 0), 1)
		}
		out = append(out, float64(color.R)/255, float64(color.G)/255, float64(color.B)/255, alpha)
	}
	if d.Rank() == 0 {
		return starlark.Tuple{starlark.Float(out[0]), starlark.Float(out[1]), starlark.Float(out[2]), starlark.Float(out[3])}, nil
	}
	return np.FromDenseIn(c.s, tensor.From(out, append(slices.Clone(d.Shape()), 4)...)), nil
}
