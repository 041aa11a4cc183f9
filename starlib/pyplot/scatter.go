package pyplot

import (
	"math"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"go.starlark.net/starlark"
)

type scatterArgs struct {
	X     starlark.Value `arg:"x: numbers"`
	Y     starlark.Value `arg:"y: numbers"`
	S     starlark.Value `arg:"s=None: areas in square points, one or one each; 36 if not given"`
	C     starlark.Value `arg:"c=None: a colour, a list of them, or numbers for the colour map"`
	Sign  *string        `arg:"marker=None: the sign"`
	Map   starlark.Value `arg:"cmap=None: the name of a colour map"`
	Norm  starlark.Value `arg:"norm=None: 'log' or 'linear'"`
	Lo    *float64       `arg:"vmin=None: what has the first colour"`
	Hi    *float64       `arg:"vmax=None: what has the last"`
	Color starlark.Value `arg:"color=None: as c"`
	Width *float64       `arg:"linewidths|linewidth|lw=None: points, of the edges"`
	Edge  starlark.Value `arg:"edgecolors|edgecolor|ec=None: 'face', 'none', or colours"`
	Face  starlark.Value `arg:"facecolors|facecolor|fc=None: colours, or 'none'"`
	common
}

func scatter(c *call, a *scatterArgs) (starlark.Value, error) {
	x, y, err := c.vectors(a.X, a.Y)
	if err != nil {
		return nil, err
	}
	if len(x) != len(y) {
		return nil, valueError("x and y must be the same size, but have %d and %d elements", len(x), len(y))
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	style := c.ax.a.Figure.Style
	p := &plot.Points{Base: base, X: x, Y: y, Areas: []float64{style.MarkerSize * style.MarkerSize}, Shape: "o", EdgeWidth: 1}
	if a.Sign != nil {
		if p.Shape, err = checkMarker(*a.Sign); err != nil {
			return nil, err
		}
	}
	if plot.Unfilled(p.Shape) {
		p.EdgeWidth = style.LineWidth
	}
	if a.S != nil {
		if p.Areas, err = c.numbers("s", a.S, nil); err != nil {
			return nil, err
		}
		if len(p.Areas) != 1 && len(p.Areas) != len(x) {
			return nil, valueError("s must be a scalar, or float array-like with the same size as x and y, got %d for %d points", len(p.Areas), len(x))
		}
	}
	if err := c.scatterColors(p, a); err != nil {
		return nil, err
	}
	if a.Width != nil {
		p.EdgeWidth = *a.Width
	}
	switch s, _ := starlark.AsString(a.Edge); {
	case a.Edge == nil, s == "face":
	case s == "none":
		p.EdgeWidth = 0
	default:
		if p.Edges, err = colorsOf(a.Edge); err != nil {
			return nil, err
		}
	}
	c.ax.a.Add(p)
	return &artist{typ: "PathCollection", art: p, ax: c.ax}, nil
}

func (c *call) scatterColors(p *plot.Points, a *scatterArgs) error {
	v := a.C
	for _, other := range []starlark.Value{a.Color, a.Face} {
		if v == nil {
			v = other
		}
	}
	if v == nil {
		p.Faces = []plot.Color{c.ax.a.NextFill()}
		return nil
	}
	n := len(p.X)
	if d, err := c.array("c", v); err == nil && d.Rank() >= 1 && !(d.Rank() == 2 && (d.Shape()[1] == 3 || d.Shape()[1] == 4)) && !(n != d.Size() && d.Rank() == 1 && (d.Size() == 3 || d.Size() == 4)) {
		values := floats(d)
		if len(values) != n {
			return valueError("'c' argument has %d elements, which is inconsistent with 'x' and 'y' with size %d.", len(values), n)
		}
		p.Values = values
		p.Scale, err = c.scale(a.Map, a.Norm, values, a.Lo, a.Hi)
		c.ax.fig.lastMapped = p
		return err
	}
	if s, ok := starlark.AsString(a.Face); ok && s == "none" && a.Face == v {
		p.Faces = []plot.Color{palette.None}
		if a.Edge == nil {
			p.Edges = []plot.Color{c.ax.a.NextFill()}
		}
		return nil
	}
	list, err := colorsOf(v)
	if err != nil {
		return err
	}
	if len(list) != 1 && len(list) != n {
		return valueError("'c' argument has %d elements, which is inconsistent with 'x' and 'y' with size %d.", len(list), n)
	}
	p.Faces = list
	return nil
}

// scale is the scale of numbers that are shown in colours.
func (c *call) scale(name, norm starlark.Value, values []float64, lo, hi *float64) (*plot.Scale, error) {
	m, err := c.mapOf(name)
	if err != nil {
		return nil, err
	}
	log := false
	if s, ok := starlark.AsString(norm); ok {
		if err := oneOf("norm", s, "linear", "log"); err != nil {
			return nil, err
		}
		log = s == "log"
	} else if n, ok := norm.(*normValue); ok {
		log = n.log
		if lo == nil {
			lo = n.lo
		}
		if hi == nil {
			hi = n.hi
		}
	} else if norm != nil && norm != starlark.None {
		return nil, typeError("norm: got %s, want 'linear', 'log', LogNorm() or Normalize()", norm.Type())
	}
	s := plot.NewScale(m, values, lo, hi, log)
	if !(s.Lo <= s.Hi) || math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return nil, valueError("vmin must be less or equal to vmax, got %g and %g", s.Lo, s.Hi)
	}
	if log && s.Lo <= 0 {
		return nil, valueError("vmin of a logarithmic norm must be positive, got %g", s.Lo)
	}
	return s, nil
}
