package pyplot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A paint is a colour that may be given.
type paint struct {
	given bool
	color plot.Color
}

// or is the colour, or another one if there is none.
func (p paint) or(c plot.Color) plot.Color {
	if p.given {
		return p.color
	}
	return c
}

var kinds = []value.Kind{
	value.KindOf(func(_ value.Host, v starlark.Value) (paint, error) {
		c, err := colorOf(v)
		return paint{true, c}, err
	}),
	value.KindOf(func(_ value.Host, v starlark.Value) (*artist, error) {
		if a := asArtist(v); a != nil {
			return a, nil
		}
		return nil, typeError("got %s, want what a function of plt has drawn", v.Type())
	}),
	value.KindOf(func(_ value.Host, v starlark.Value) (*axes, error) {
		if a, ok := v.(*axes); ok {
			return a, nil
		}
		return nil, typeError("got %s, want Axes", v.Type())
	}),
}

// colorOf reads a colour: a name, "C0", "#1f77b4", a grey "0.5", (r, g, b) or (r, g, b, a) from 0
// to 1, or (colour, alpha).
func colorOf(v starlark.Value) (plot.Color, error) {
	if s, ok := starlark.AsString(v); ok {
		c, err := palette.Parse(s)
		if err == nil {
			return c, nil
		}
		near := ""
		if n := config.Closest(s, palette.Names()); n != "" {
			near = fmt.Sprintf(" (did you mean %q?)", n)
		}
		return c, valueError("%q is not a valid color value%s: write a name, \"C0\" to \"C9\", \"#rrggbb\", a grey \"0.5\", or (r, g, b) from 0 to 1", s, near)
	}
	if t, ok := v.(starlark.Tuple); ok && len(t) == 2 {
		if c, err := colorOf(t[0]); err == nil {
			if a, ok := starlark.AsFloat(value.NumberOf(t[1])); ok {
				c.A = 255
				return palette.Faded(c, a), nil
			}
		}
	}
	d, err := np.ToDense(v)
	if err != nil || d.Rank() != 1 {
		return colorOfLevels(nil, v)
	}
	return colorOfLevels(floats(d), v)
}

// colorOfLevels is the colour of red, green, blue and perhaps alpha, which are v or a row of it.
func colorOfLevels(x []float64, v starlark.Value) (plot.Color, error) {
	if len(x) < 3 || len(x) > 4 {
		return palette.None, valueError("%s is not a valid color value: write a name, \"C0\" to \"C9\", \"#rrggbb\", a grey \"0.5\", or (r, g, b) from 0 to 1", value.Repr(v))
	}
	x = append(x[:len(x):len(x)], 1)
	for _, level := range x {
		if !(level >= 0 && level <= 1) {
			return palette.None, valueError("RGBA values should be within 0-1 range, got %s", value.Repr(v))
		}
	}
	return palette.Of(x[0], x[1], x[2], x[3]), nil
}

// colorsOf reads one colour or a list of them.
func colorsOf(v starlark.Value) ([]plot.Color, error) {
	if c, err := colorOf(v); err == nil {
		return []plot.Color{c}, nil
	} else if _, text := starlark.AsString(v); text {
		return nil, err
	}
	if d, err := np.ToDense(v); err == nil && d.Rank() == 2 && d.Size() > 0 { // a row is one
		n, x := d.Shape()[1], floats(d)
		list := make([]plot.Color, d.Shape()[0])
		for i := range list {
			if list[i], err = colorOfLevels(x[i*n:(i+1)*n], v); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	seq, ok := value.Indexed(v)
	if !ok || seq.Len() == 0 {
		_, err := colorOf(v)
		return nil, err
	}
	list := make([]plot.Color, seq.Len())
	for i := range list {
		var err error
		if list[i], err = colorOf(seq.Index(i)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// textsOf are the texts of a list of them, or a single one; ok is false of anything else.
func textsOf(v starlark.Value) ([]string, bool) {
	if s, ok := starlark.AsString(v); ok {
		return []string{s}, true
	}
	seq, ok := value.Indexed(v)
	if !ok || seq.Len() == 0 {
		return nil, false
	}
	if _, first := starlark.AsString(seq.Index(0)); !first {
		return nil, false
	}
	list := make([]string, seq.Len())
	for i := range list {
		s, ok := starlark.AsString(seq.Index(i))
		if !ok {
			return nil, false
		}
		list[i] = s
	}
	return list, true
}

// texts are the texts of some values.
func texts(v starlark.Value) ([]string, error) {
	if s, ok := starlark.AsString(v); ok {
		return []string{s}, nil
	}
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil, typeError("got %s, want a list of strings", v.Type())
	}
	if err := value.CheckEnd(it); err != nil {
		return nil, err
	}
	var list []string
	for x := range starlark.Elements(it) {
		list = append(list, text(x))
	}
	return list, nil
}

// text is the text of a value.
func text(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	if v == starlark.None {
		return ""
	}
	return value.Repr(value.Plain(v))
}

// repeat is what a list has for n elements: one value stands for all.
func repeat(name string, list []float64, n int) ([]float64, error) {
	if len(list) == n {
		return list, nil
	}
	if len(list) == 1 {
		out := make([]float64, n)
		for i := range out {
			out[i] = list[0]
		}
		return out, nil
	}
	return nil, valueError("shape mismatch: %s has %d elements, want %d or one", name, len(list), n)
}

// oneOf refuses a word that is none of those known.
func oneOf(name, word string, known ...string) error {
	if slices.Contains(known, word) {
		return nil
	}
	near := ""
	if n := config.Closest(word, known); n != "" {
		near = fmt.Sprintf(" (did you mean %q?)", n)
	}
	quoted := make([]string, len(known))
	for i, k := range known {
		quoted[i] = "'" + k + "'"
	}
	return valueError("'%s' is not a valid value for %s; supported values are %s%s", word, name, strings.Join(quoted, ", "), near)
}

// common are the arguments that all artists have.
type common struct {
	Alpha   *float64       `arg:"alpha=None: from 0, which is not seen, to 1"`
	Label   starlark.Value `arg:"label=None: what the legend calls it"`
	Z       *float64       `arg:"zorder=None: what has more lies above"`
	Visible *bool          `arg:"visible=None: False hides it"`
	Clip    *bool          `arg:"clip_on=None: False draws beyond the axes too"`
	Data    starlark.Value `arg:"data=None: a dict: arguments that are keys of it stand for its values"`
}

// base is what artists of the arguments have in common.
func (a *common) base(z float64) (plot.Base, error) {
	b := plot.Base{Z: z, Alpha: 1}
	if a.Alpha != nil {
		if !(*a.Alpha >= 0 && *a.Alpha <= 1) {
			return b, valueError("alpha (%g) is outside 0-1 range", *a.Alpha)
		}
		b.Alpha = *a.Alpha
	}
	if a.Label != nil {
		b.Label = text(a.Label)
	}
	if a.Z != nil {
		b.Z = *a.Z
	}
	if a.Visible != nil {
		b.Hidden = !*a.Visible
	}
	b.Free = a.Clip != nil && !*a.Clip
	return b, nil
}

// penArgs are the arguments of lines.
type penArgs struct {
	Color paint          `arg:"color|c=None: a colour"`
	Width *float64       `arg:"linewidth|lw=None: points"`
	Dash  starlark.Value `arg:"linestyle|ls=None: '-', '--', '-.', ':' or ''"`
}

// pen is a pen of a colour and a width that arguments may change.
func (a *penArgs) pen(color plot.Color, width float64) (plot.Pen, error) {
	p := plot.Pen{Color: a.Color.or(color), Width: width}
	if a.Width != nil {
		if !(*a.Width >= 0) || math.IsInf(*a.Width, 0) {
			return p, valueError("linewidth must be finite and not negative, got %g", *a.Width)
		}
		p.Width = *a.Width
	}
	return p, setDash(&p, a.Dash)
}

// setDash reads a line style.
func setDash(p *plot.Pen, v starlark.Value) error {
	if v == nil {
		return nil
	}
	if s, ok := starlark.AsString(v); ok {
		dash, none, ok := plot.DashOf(s)
		if !ok {
			return oneOf("ls", s, "-", "--", "-.", ":", "solid", "dashed", "dashdot", "dotted", "None", "")
		}
		p.Dash, p.None = dash, none
		return nil
	}
	t, ok := v.(starlark.Tuple)
	if !ok || len(t) != 2 {
		return valueError("linestyle must be a string or (offset, (on, off, ...)), got %s", value.Repr(v))
	}
	d, err := np.ToDense(t[1])
	if err != nil || d.Size() == 0 {
		return valueError("linestyle must be a string or (offset, (on, off, ...)), got %s", value.Repr(v))
	}
	p.Dash = floats(d)
	sum := 0.0
	for _, x := range p.Dash {
		if !(x >= 0) || math.IsInf(x, 0) {
			return valueError("all dashes must be finite and not negative, got %s", value.Repr(t[1]))
		}
		sum += x
	}
	if sum <= 0 {
		return valueError("at least one dash must be positive, got %s", value.Repr(t[1]))
	}
	if len(p.Dash)%2 == 1 {
		p.Dash = append(p.Dash, p.Dash...)
	}
	return nil
}

// markerArgs are the arguments of marked lines.
type markerArgs struct {
	Marker    *string  `arg:"marker=None: the sign at each point: 'o', 's', '^', 'x', '+', '.', '*', 'D' ..."`
	Size      *float64 `arg:"markersize|ms=None: points"`
	Face      paint    `arg:"markerfacecolor|mfc=None: what markers are filled with"`
	Edge      paint    `arg:"markeredgecolor|mec=None: their edges"`
	EdgeWidth *float64 `arg:"markeredgewidth|mew=None: points"`
	Fill      *string  `arg:"fillstyle=None: 'full' or 'none'"`
	Every     *int     `arg:"markevery=None: every how many points one"`
}

// checkMarker says whether there is such a marker; none is "".
func checkMarker(s string) (string, error) {
	switch s {
	case "", " ", "None", "none":
		return "", nil
	}
	if _, ok := plot.Shapes[s]; !ok {
		known := make([]string, 0, len(plot.Shapes))
		for k := range plot.Shapes {
			known = append(known, k)
		}
		slices.Sort(known)
		return "", valueError("Unrecognized marker style %q; there are %s", s, strings.Join(known, " "))
	}
	return s, nil
}

func (a *markerArgs) marker(shape string, color plot.Color, size float64) (plot.Marker, error) {
	if a.Marker != nil {
		shape = *a.Marker
	}
	shape, err := checkMarker(shape)
	m := plot.Marker{Shape: shape, Size: size, Face: a.Face.or(color), Edge: a.Edge.or(color), EdgeWidth: 1}
	if a.Size != nil {
		m.Size = *a.Size
	}
	if !(m.Size >= 0) || m.Size > 1e4 {
		return m, valueError("markersize must be from 0 to 10000, got %g", m.Size)
	}
	if a.EdgeWidth != nil {
		m.EdgeWidth = *a.EdgeWidth
	}
	if a.Fill != nil {
		if err := oneOf("fillstyle", *a.Fill, "full", "none"); err != nil {
			return m, err
		}
		if *a.Fill == "none" {
			m.Face = palette.None
		}
	}
	return m, err
}

// faceArgs are the arguments of areas.
type faceArgs struct {
	Color starlark.Value `arg:"color=None: a colour, or one each"`
	Face  starlark.Value `arg:"facecolor|fc=None: what it is filled with"`
	Edge  starlark.Value `arg:"edgecolor|ec=None: the edges"`
	Width *float64       `arg:"linewidth|lw=None: points, of the edges"`
	Dash  starlark.Value `arg:"linestyle|ls=None: of the edges"`
	Hatch starlark.Value `arg:"hatch=None: not drawn; areas have one colour"`
	Fill  *bool          `arg:"fill=None: False leaves the areas empty"`
}

// looks are the faces and edges of areas of which one without arguments has this colour and width.
func (a *faceArgs) looks(color plot.Color, edge *plot.Pen) (faces []plot.Color, edges []plot.Pen, err error) {
	faces = []plot.Color{color}
	for _, v := range []starlark.Value{a.Color, a.Face} {
		if v != nil {
			if faces, err = colorsOf(v); err != nil {
				return nil, nil, err
			}
		}
	}
	pen := plot.Pen{None: true, Width: 1, Color: palette.Black}
	if edge != nil {
		pen = *edge
	}
	edges = []plot.Pen{pen}
	colors := []plot.Color(nil)
	empty := a.Fill != nil && !*a.Fill
	if empty {
		faces = []plot.Color{palette.None}
		colors = []plot.Color{palette.Black}
		if a.Color != nil {
			colors, err = colorsOf(a.Color)
		}
	}
	if a.Edge != nil && err == nil {
		if s, ok := starlark.AsString(a.Edge); ok && s == "face" {
			colors = faces
		} else {
			colors, err = colorsOf(a.Edge)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if colors != nil {
		edges = edges[:0]
		for _, c := range colors {
			edges = append(edges, plot.Pen{Color: c, Width: pen.Width, None: c.A == 0})
		}
	}
	for i := range edges {
		if a.Width != nil {
			edges[i].Width = *a.Width
		}
		if !(edges[i].Width >= 0) || math.IsInf(edges[i].Width, 0) {
			return nil, nil, valueError("linewidth must be finite and not negative, got %g", edges[i].Width)
		}
		none := edges[i].None
		if err := setDash(&edges[i], a.Dash); err != nil {
			return nil, nil, err
		}
		edges[i].None = edges[i].None || none
	}
	return faces, edges, nil
}

// fill is looks with a colour of next's where no argument gives one.
func (a *faceArgs) fill(next func() plot.Color, edge *plot.Pen) (faces []plot.Color, edges []plot.Pen, err error) {
	color := plot.Color{}
	if a.Color == nil && a.Face == nil {
		color = next()
	}
	return a.looks(color, edge)
}

// both is fill of what has edges of the colour that color= gives.
func (a *faceArgs) both(next func() plot.Color, edge *plot.Pen) (faces []plot.Color, edges []plot.Pen, err error) {
	faces, edges, err = a.fill(next, edge)
	if err == nil && a.Color != nil && a.Edge == nil && (a.Fill == nil || *a.Fill) {
		for i := range edges {
			edges[i].Color, edges[i].None = faces[i%len(faces)], false
		}
	}
	return faces, edges, err
}

// labelArgs are the arguments of texts that have a fixed place.
type labelArgs struct {
	Size     starlark.Value `arg:"fontsize|size=None: points, or 'small', 'medium', 'large' ..."`
	Color    paint          `arg:"color|c=None: a colour"`
	Weight   starlark.Value `arg:"fontweight|weight=None: 'bold' or 'normal'"`
	Style    *string        `arg:"fontstyle|style=None: 'italic' or 'normal'"`
	Rotation starlark.Value `arg:"rotation=None: degrees, 'horizontal' or 'vertical'"`
	Pad      *float64       `arg:"labelpad|pad=None: points between it and the axes"`
	Family   starlark.Value `arg:"fontfamily|family|fontname=None: accepted; there is one font"`
	Dict     starlark.Value `arg:"fontdict=None: a dict of these arguments"`
	Ha       *string        `arg:"ha|horizontalalignment=None: 'left', 'center' or 'right'"`
	Va       *string        `arg:"va|verticalalignment=None: 'top', 'center', 'bottom' or 'baseline'"`
}

func (a *labelArgs) label(text string) (plot.Label, error) {
	l := plot.Label{Text: text}
	if err := a.unfold(); err != nil {
		return l, err
	}
	if a.Size != nil {
		size, err := sizeOf(a.Size)
		if err != nil {
			return l, err
		}
		l.Size = size
	}
	l.Color, l.Colored = a.Color.color, a.Color.given
	l.Bold = isBold(a.Weight)
	l.Italic = a.Style != nil && *a.Style != "normal"
	if a.Pad != nil {
		l.Pad, l.Padded = *a.Pad, true
	}
	if a.Rotation != nil {
		r, err := rotationOf(a.Rotation)
		if err != nil {
			return l, err
		}
		l.Rotation, l.Rotated = r, true
	}
	return l, nil
}

// unfold takes what fontdict says for what no argument does.
func (a *labelArgs) unfold() error {
	if a.Dict == nil {
		return nil
	}
	m, ok := a.Dict.(starlark.IterableMapping)
	if !ok {
		return typeError("fontdict: got %s, want dict", a.Dict.Type())
	}
	for _, kv := range m.Items() {
		key, _ := starlark.AsString(kv[0])
		switch key {
		case "fontsize", "size":
			if a.Size == nil {
				a.Size = kv[1]
			}
		case "fontweight", "weight":
			if a.Weight == nil {
				a.Weight = kv[1]
			}
		case "color":
			if !a.Color.given {
				c, err := colorOf(kv[1])
				if err != nil {
					return err
				}
				a.Color = paint{true, c}
			}
		}
	}
	return nil
}

func isBold(v starlark.Value) bool {
	if s, ok := starlark.AsString(v); ok {
		return slices.Contains([]string{"bold", "heavy", "semibold", "demibold", "extra bold", "black"}, s)
	}
	if v == nil {
		return false
	}
	n, ok := starlark.AsFloat(value.NumberOf(v))
	return ok && n >= 600
}

// sizes are the names of text sizes, in the default one.
var sizes = map[string]float64{"xx-small": 0.579, "x-small": 0.694, "small": 0.833, "medium": 1, "large": 1.2, "x-large": 1.44, "xx-large": 1.728,
	"smaller": 0.833, "larger": 1.2}

func sizeOf(v starlark.Value) (float64, error) {
	if s, ok := starlark.AsString(v); ok {
		if k, ok := sizes[s]; ok {
			return 10 * k, nil
		}
		return 0, oneOf("fontsize", s, "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large")
	}
	n, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok || !(n > 0 && n <= 1000) {
		return 0, valueError("fontsize must be a number of points up to 1000 or a word like 'large', got %s", value.Repr(v))
	}
	return n, nil
}

func rotationOf(v starlark.Value) (float64, error) {
	if s, ok := starlark.AsString(v); ok {
		switch s {
		case "horizontal":
			return 0, nil
		case "vertical":
			return 90, nil
		}
		return 0, oneOf("rotation", s, "horizontal", "vertical")
	}
	n, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, valueError("rotation must be a number of degrees, 'horizontal' or 'vertical', got %s", value.Repr(v))
	}
	return math.Mod(n, 360), nil
}
