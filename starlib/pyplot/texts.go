package pyplot

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type titleArgs struct {
	Text starlark.Value `arg:"label: the text; $...$ holds a formula"`
	Loc  string         `arg:"loc=\"center\": 'left', 'center' or 'right'"`
	Y    starlark.Value `arg:"y=None: accepted"`
	labelArgs
}

type axisLabelArgs struct {
	Text starlark.Value `arg:"label|xlabel|ylabel: the text; $...$ holds a formula"`
	Loc  starlark.Value `arg:"loc=None: only the middle"`
	labelArgs
}

// textRows write.
var textRows = sync.OnceValue(func() []pair {
	return []pair{
		drawing("title set_title", "Writes a title above the axes.", "title('Loss')", func(c *call, a *titleArgs) (starlark.Value, error) {
			to, err := c.titleAt(a.Loc)
			if err != nil {
				return nil, err
			}
			l, err := a.label(text(a.Text))
			if err != nil {
				return nil, err
			}
			*to = l
			return c.ax.title(to), nil
		}),
		drawing("xlabel set_xlabel", "Names the x axis.", "xlabel('epoch')", func(c *call, a *axisLabelArgs) (starlark.Value, error) {
			return c.axisLabel(c.ax.a.X, a)
		}),
		drawing("ylabel set_ylabel", "Names the y axis.", "ylabel('loss')", func(c *call, a *axisLabelArgs) (starlark.Value, error) {
			return c.axisLabel(c.ax.a.Y, a)
		}),
		drawing("text", "Writes at a point of the data, or with transform=ax.transAxes at a fraction of the axes.", "text(0.5, 0.5, 'here', ha='center')", writeText),
		drawing("annotate", "Writes a text, and with arrowprops leads an arrow from it to the point xy.", "annotate('best', xy=(1, 2), xytext=(2, 3), arrowprops=dict(arrowstyle='->'))", annotate),
		drawing("arrow", "Draws an arrow from x, y to x + dx, y + dy.", "arrow(0, 0, 1, 1)", arrow),
		drawing("legend", "Names what was drawn with a label.\n\nHandles and labels may be given: legend(['a', 'b']), legend([line], ['a']), legend(handles=[line]).",
			"legend(loc='upper left')", legend),
	}
})

// titleAt is one of the titles of the axes.
func (c *call) titleAt(loc string) (*plot.Label, error) {
	titles := map[string]*plot.Label{"left": &c.ax.a.LeftTitle, "center": &c.ax.a.Title, "right": &c.ax.a.RightTitle}
	return titles[loc], oneOf("loc", loc, "left", "center", "right")
}

// title is the value of a title.
func (a *axes) title(l *plot.Label) *textValue {
	style := a.a.Figure.Style
	return labelOf(l, cmp.Or(style.TitleSize, 1.2*style.Size), style.Text)
}

// name is the value of the name of an axis.
func (a *axes) name(x *plot.Axis) *textValue {
	style := a.a.Figure.Style
	return labelOf(&x.Label, cmp.Or(style.LabelSize, style.Size), style.Text)
}

func (c *call) axisLabel(x *plot.Axis, a *axisLabelArgs) (starlark.Value, error) {
	l, err := a.label(text(a.Text))
	if err != nil {
		return nil, err
	}
	x.Label = l
	return c.ax.name(x), nil
}

type textArgs struct {
	X         starlark.Value `arg:"x: where"`
	Y         starlark.Value `arg:"y: where"`
	Text      starlark.Value `arg:"s: the text; $...$ holds a formula"`
	Transform starlark.Value `arg:"transform=None: ax.transAxes counts in fractions of the axes"`
	Box       starlark.Value `arg:"bbox=None: a dict: facecolor, edgecolor, alpha, boxstyle, pad"`
	Alpha     *float64       `arg:"alpha=None: from 0 to 1"`
	Z         *float64       `arg:"zorder=None: what has more lies above"`
	Clip      starlark.Value `arg:"clip_on=None: accepted"`
	Spacing   float64        `arg:"linespacing=0: of lines, in sizes"`
	labelArgs
}

// newText is a text with the arguments that all have.
func (c *call) newText(s starlark.Value, a *labelArgs) (*plot.Text, error) {
	l, err := a.label(text(s))
	if err != nil {
		return nil, err
	}
	t := &plot.Text{Base: plot.Base{Z: 3, Alpha: 1, Free: true}, Text: l.Text, Size: l.Size, Color: c.st.style.Text, H: "left", V: "baseline", Bold: l.Bold, Italic: l.Italic, Rotation: l.Rotation}
	if t.Size == 0 {
		t.Size = c.st.style.Size
	}
	if l.Colored {
		t.Color = l.Color
	}
	if a.Ha != nil {
		if err := oneOf("horizontalalignment", *a.Ha, "left", "center", "right"); err != nil {
			return nil, err
		}
		t.H = *a.Ha
	}
	if a.Va != nil {
		if err := oneOf("verticalalignment", *a.Va, "top", "center", "bottom", "baseline", "center_baseline"); err != nil {
			return nil, err
		}
		t.V = *a.Va
	}
	return t, nil
}

// back reads the box behind a text.
func back(v starlark.Value) (*plot.Back, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	m, ok := v.(starlark.IterableMapping)
	if !ok {
		return nil, typeError("bbox: got %s, want dict", v.Type())
	}
	b := &plot.Back{Face: palette.Cycle[0], Edge: plot.Pen{Color: palette.Black, Width: 1}, Pad: 0.4}
	alpha := 1.0
	for _, kv := range m.Items() {
		key, _ := starlark.AsString(kv[0])
		var err error
		switch key {
		case "facecolor", "fc":
			b.Face, err = colorOf(kv[1])
		case "edgecolor", "ec":
			b.Edge.Color, err = colorOf(kv[1])
			b.Edge.None = b.Edge.Color.A == 0
		case "color":
			b.Face, err = colorOf(kv[1])
			b.Edge.Color = b.Face
		case "alpha":
			alpha, _ = starlark.AsFloat(value.NumberOf(kv[1]))
		case "lw", "linewidth":
			b.Edge.Width, _ = starlark.AsFloat(value.NumberOf(kv[1]))
		case "pad":
			if p, ok := starlark.AsFloat(value.NumberOf(kv[1])); ok {
				b.Pad = min(max(p/10, 0), 10)
			}
		case "boxstyle":
			s, _ := starlark.AsString(kv[1])
			b.Round = len(s) >= 5 && s[:5] == "round"
		}
		if err != nil {
			return nil, err
		}
	}
	b.Face = palette.Faded(b.Face, alpha)
	b.Edge.Color = palette.Faded(b.Edge.Color, alpha)
	return b, nil
}

func writeText(c *call, a *textArgs) (starlark.Value, error) {
	t, err := c.newText(a.Text, &a.labelArgs)
	if err != nil {
		return nil, err
	}
	if err := c.place(t, a.X, a.Y, a.Transform); err != nil {
		return nil, err
	}
	if a.Alpha != nil {
		t.Alpha = *a.Alpha
	}
	if a.Z != nil {
		t.Z = *a.Z
	}
	t.Line = a.Spacing
	if t.Back, err = back(a.Box); err != nil {
		return nil, err
	}
	c.ax.a.Add(t)
	return writing("Text", t, c.ax, nil), nil
}

// place puts a text where x and y say.
func (c *call) place(t *plot.Text, x, y, transform starlark.Value) error {
	fraction := false
	if tr, ok := transform.(*transformValue); ok {
		fraction = tr.kind == "axes"
		if tr.kind == "figure" {
			return valueError("text: transform=fig.transFigure is not in Arignote: use fig.text(x, y, s)")
		}
	} else if transform != nil {
		return typeError("transform: got %s, want ax.transAxes or ax.transData", transform.Type())
	}
	t.FracX, t.FracY = fraction, fraction
	for i, v := range []starlark.Value{x, y} {
		axis := []*plot.Axis{c.ax.a.X, c.ax.a.Y}[i]
		if fraction {
			axis = nil
		}
		p, err := c.numbers([]string{"x", "y"}[i], v, axis)
		if err != nil {
			return err
		}
		if len(p) != 1 {
			return typeError("%s: got %d numbers, want one", []string{"x", "y"}[i], len(p))
		}
		if i == 0 {
			t.X = p[0]
		} else {
			t.Y = p[0]
		}
	}
	return nil
}

// A transformValue says in what a text's place counts.
type transformValue struct {
	identity
	kind string // "data", "axes", "figure"
}

func (t *transformValue) Type() string          { return "Transform" }
func (t *transformValue) String() string        { return "<Transform " + t.kind + ">" }
func (t *transformValue) Hash() (uint32, error) { return unhashable("Transform") }

type annotateArgs struct {
	Text       starlark.Value `arg:"text: the text"`
	XY         starlark.Value `arg:"xy: the point (x, y) that it is about"`
	XYText     starlark.Value `arg:"xytext=None: where the text stands; at xy if not given"`
	Coords     starlark.Value `arg:"xycoords=\"data\": 'data' or 'axes fraction'"`
	TextCoords *string        `arg:"textcoords=None: 'data', 'axes fraction' or 'offset points'"`
	Arrow      starlark.Value `arg:"arrowprops=None: a dict: arrowstyle, color, lw; {} is an arrow"`
	Clip       starlark.Value `arg:"annotation_clip=None: accepted"`
	Box        starlark.Value `arg:"bbox=None: a dict as text's"`
	Alpha      *float64       `arg:"alpha=None: from 0 to 1"`
	Z          *float64       `arg:"zorder=None: what has more lies above"`
	labelArgs
}

func annotate(c *call, a *annotateArgs) (starlark.Value, error) {
	t, err := c.newText(a.Text, &a.labelArgs)
	if err != nil {
		return nil, err
	}
	x, y, err := c.pair("xy", a.XY)
	if err != nil {
		return nil, err
	}
	coords, _ := starlark.AsString(a.Coords)
	if a.Coords == nil {
		coords = "data"
	}
	if err := oneOf("xycoords", coords, "data", "axes fraction"); err != nil {
		return nil, err
	}
	t.X, t.Y = x, y
	t.FracX, t.FracY = coords != "data", coords != "data"
	if a.XYText != nil {
		u, v, err := c.pair("xytext", a.XYText)
		if err != nil {
			return nil, err
		}
		how := coords
		if a.TextCoords != nil {
			how = *a.TextCoords
		}
		if err := oneOf("textcoords", how, "data", "axes fraction", "offset points", "offset pixels"); err != nil {
			return nil, err
		}
		switch how {
		case "data", "axes fraction":
			t.X, t.Y = u, v
			t.FracX, t.FracY = how != "data", how != "data"
		default:
			t.Dx, t.Dy = u, v
		}
	}
	if a.Alpha != nil {
		t.Alpha = *a.Alpha
	}
	if a.Z != nil {
		t.Z = *a.Z
	}
	if t.Back, err = back(a.Box); err != nil {
		return nil, err
	}
	if a.Arrow != nil {
		if t.Arrow, err = arrowOf(a.Arrow); err != nil {
			return nil, err
		}
		t.Arrow.X, t.Arrow.Y = x, y
	}
	c.ax.a.Add(t)
	return writing("Annotation", t, c.ax, nil), nil
}

// arrowStyles are what is at the text's end of an arrow, and at the point's.
var arrowStyles = map[string][2]plot.Head{
	"-": {}, "->": {plot.NoHead, plot.OpenHead}, "<-": {plot.OpenHead, plot.NoHead}, "<->": {plot.OpenHead, plot.OpenHead},
	"-|>": {plot.NoHead, plot.FilledHead}, "<|-": {plot.FilledHead, plot.NoHead}, "<|-|>": {plot.FilledHead, plot.FilledHead},
	"simple": {plot.NoHead, plot.FilledHead}, "fancy": {plot.NoHead, plot.FilledHead}, "wedge": {plot.NoHead, plot.FilledHead},
}

// arrowOf reads arrowprops. Without arrowstyle the arrow is wide and filled.
func arrowOf(v starlark.Value) (*plot.Arrow, error) {
	m, ok := v.(starlark.IterableMapping)
	if !ok {
		return nil, typeError("arrowprops: got %s, want dict", v.Type())
	}
	a := &plot.Arrow{Head: plot.FilledHead, Pen: plot.Pen{Color: palette.Black, Width: 1}, Shrink: 2}
	wide := &plot.WideArrow{Width: 4, HeadWidth: 12, HeadLength: 12, Face: palette.Cycle[0]}
	style, found, err := m.Get(starlark.String("arrowstyle"))
	if err != nil {
		return nil, err
	}
	if a.Wide = wide; found {
		a.Wide = nil
		name, _, _ := strings.Cut(text(style), ",") // what follows are measures
		heads, ok := arrowStyles[name]
		if !ok {
			return nil, oneOf("arrowstyle", name, slices.Sorted(maps.Keys(arrowStyles))...)
		}
		a.Tail, a.Head = heads[0], heads[1]
	}
	points := map[string]*float64{"lw": &a.Pen.Width, "linewidth": &a.Pen.Width, "width": &wide.Width, "headwidth": &wide.HeadWidth, "headlength": &wide.HeadLength, "shrink": &wide.Shrink}
	colors := map[string][]*plot.Color{"color": {&a.Pen.Color, &wide.Face}, "edgecolor": {&a.Pen.Color}, "ec": {&a.Pen.Color}, "facecolor": {&wide.Face}, "fc": {&wide.Face}}
	for _, kv := range m.Items() {
		key := text(kv[0])
		if to := points[key]; to != nil {
			n, ok := starlark.AsFloat(value.NumberOf(kv[1]))
			if !ok || !(n >= 0 && n <= 1000) {
				return nil, valueError("arrowprops: %s must be a number from 0 to 1000, got %s", key, value.Repr(kv[1]))
			}
			*to = n
		}
		for _, to := range colors[key] {
			if *to, err = colorOf(kv[1]); err != nil {
				return nil, err
			}
		}
		if key == "ls" || key == "linestyle" {
			if err := setDash(&a.Pen, kv[1]); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

type arrowArgs struct {
	X      float64  `arg:"x: where it begins"`
	Y      float64  `arg:"y: where it begins"`
	Dx     float64  `arg:"dx: how far it leads"`
	Dy     float64  `arg:"dy: how far it leads"`
	Width  float64  `arg:"width=0.001: accepted; lw is the width in points"`
	Head   *float64 `arg:"head_width=None: accepted"`
	Length *float64 `arg:"head_length=None: accepted"`
	Whole  *bool    `arg:"length_includes_head=None: accepted"`
	Face   paint    `arg:"facecolor|fc|color=None: a colour"`
	Edge   paint    `arg:"edgecolor|ec=None: a colour"`
	Line   float64  `arg:"linewidth|lw=1: points"`
	Alpha  *float64 `arg:"alpha=None: from 0 to 1"`
}

func arrow(c *call, a *arrowArgs) (starlark.Value, error) {
	t := &plot.Text{Base: plot.Base{Z: 1, Alpha: 1}, X: a.X, Y: a.Y, Size: 10, Color: palette.Black, H: "left", V: "baseline",
		Arrow: &plot.Arrow{X: a.X + a.Dx, Y: a.Y + a.Dy, Head: plot.FilledHead, Pen: plot.Pen{Color: a.Face.or(a.Edge.or(palette.Black)), Width: a.Line}}}
	if a.Alpha != nil {
		t.Arrow.Pen.Color = palette.Faded(t.Arrow.Pen.Color, *a.Alpha)
	}
	c.ax.a.Add(t)
	return &artist{typ: "FancyArrow", art: t, ax: c.ax}, nil
}

type legendArgs struct {
	Args    starlark.Tuple `arg:"*args: labels, or handles and labels"`
	_       struct{}       `arg:"*:"`
	Handles starlark.Value `arg:"handles=None: what is named"`
	Labels  starlark.Value `arg:"labels=None: how"`
	Loc     starlark.Value `arg:"loc=None: 'best', 'upper right', 'lower left', 'center' ..., or 0 to 10"`
	Anchor  starlark.Value `arg:"bbox_to_anchor=None: (x, y) in fractions of the axes, where the corner lies that loc names"`
	Columns int            `arg:"ncol|ncols=1: columns"`
	Size    starlark.Value `arg:"fontsize=None: points, or 'small' ..."`
	Title   starlark.Value `arg:"title=None: a text above"`
	Frame   *bool          `arg:"frameon=None: False draws no box"`
	Alpha   *float64       `arg:"framealpha=None: of the box"`
	Prop    starlark.Value `arg:"prop=None: a dict with size"`
	Fancy   starlark.Value `arg:"fancybox=None: accepted"`
	Shadow  starlark.Value `arg:"shadow=None: accepted"`
	Pad     starlark.Value `arg:"borderaxespad=None: accepted"`
	Gap     starlark.Value `arg:"labelspacing=None: accepted"`
	Handle  starlark.Value `arg:"handlelength=None: accepted"`
	Mode    starlark.Value `arg:"mode=None: accepted"`
	Scatter starlark.Value `arg:"scatterpoints|numpoints|markerscale=None: accepted"`
	TitleF  starlark.Value `arg:"title_fontsize=None: points, or 'small' ..."`
	Column  starlark.Value `arg:"columnspacing=None: accepted"`
	Border  starlark.Value `arg:"borderpad=None: accepted"`
	Edge    starlark.Value `arg:"edgecolor|facecolor=None: accepted"`
}

func (c *call) newLegend(a *legendArgs) (*plot.Legend, error) {
	l := &plot.Legend{Loc: "best", Columns: a.Columns, Frame: c.st.style.LegendFrame, Alpha: 0.8}
	handles, labels := a.Handles, a.Labels
	switch len(a.Args) {
	case 0:
	case 1:
		labels = a.Args[0]
	case 2:
		handles, labels = a.Args[0], a.Args[1]
	default:
		return nil, typeError("Invalid arguments to legend.")
	}
	if handles != nil {
		it, ok := handles.(starlark.Iterable)
		if !ok {
			return nil, typeError("handles: got %s, want a list of what was drawn", handles.Type())
		}
		l.Artists = []plot.Artist{}
		for v := range starlark.Elements(it) {
			h := asArtist(v)
			if h == nil {
				return nil, typeError("handles: got %s, want what a function of plt has drawn", v.Type())
			}
			l.Artists = append(l.Artists, h.art)
		}
	}
	if labels != nil {
		list, err := texts(labels)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			l.Names = append(l.Names, plot.Label{Text: s})
		}
	}
	if err := c.legendPlace(l, a); err != nil {
		return nil, err
	}
	if a.Size != nil {
		size, err := sizeOf(a.Size)
		if err != nil {
			return nil, err
		}
		l.Size = size
	}
	if m, ok := a.Prop.(starlark.Mapping); ok {
		if v, found, _ := m.Get(starlark.String("size")); found {
			size, err := sizeOf(v)
			if err != nil {
				return nil, err
			}
			l.Size = size
		}
	}
	if a.Title != nil {
		l.Title.Text = text(a.Title)
	}
	if a.TitleF != nil {
		size, err := sizeOf(a.TitleF)
		if err != nil {
			return nil, err
		}
		l.Title.Size = size
	}
	if a.Frame != nil {
		l.Frame = *a.Frame
	}
	if a.Alpha != nil {
		l.Alpha = *a.Alpha
	}
	return l, nil
}

// legendPlace reads where a legend stands.
func (c *call) legendPlace(l *plot.Legend, a *legendArgs) error {
	switch loc := a.Loc.(type) {
	case nil:
	case starlark.String:
		l.Loc = string(loc)
		if err := oneOf("loc", l.Loc, draw.LegendPlaces()...); err != nil {
			return err
		}
	case starlark.Tuple:
		x, y, err := c.twoFloats("loc", loc)
		if err != nil {
			return err
		}
		l.Loc, l.Anchor = "lower left", &[2]float64{x, y}
	default:
		n, err := value.Int(loc)
		if err != nil || n < 0 || n >= len(draw.LegendPlaces()) {
			return valueError("loc: got %s, want a place such as 'upper right' or a number from 0 to 10", value.Repr(loc))
		}
		l.Loc = draw.LegendPlaces()[n]
	}
	if a.Anchor != nil {
		x, y, err := c.twoFloats("bbox_to_anchor", a.Anchor)
		if err != nil {
			return err
		}
		l.Anchor = &[2]float64{x, y}
	}
	return nil
}

func legend(c *call, a *legendArgs) (starlark.Value, error) {
	l, err := c.newLegend(a)
	if err != nil {
		return nil, err
	}
	if l.Names != nil && l.Artists == nil { // names for what was drawn, in order
		for _, x := range c.ax.a.Artists {
			_, text := x.(*plot.Text)
			_, image := x.(*plot.Image)
			if b := x.Common(); !b.Hidden && !text && !image && b.Label != "_nolegend_" {
				l.Artists = append(l.Artists, x)
			}
		}
		l.Artists = l.Artists[:min(len(l.Artists), len(l.Names))]
	} else if l.Artists != nil && l.Names != nil {
		n := min(len(l.Artists), len(l.Names))
		l.Artists, l.Names = l.Artists[:n], l.Names[:n]
	}
	c.ax.a.Legend = l
	return &legendValue{l: l, ax: c.ax}, nil
}

// A legendValue is the value of a legend.
type legendValue struct {
	identity
	l  *plot.Legend
	ax *axes
}

// label is the value of one of its texts.
func (l *legendValue) label(t *plot.Label) *textValue {
	style := l.ax.a.Figure.Style
	return labelOf(t, cmp.Or(l.l.Size, style.LegendSize, style.Size), style.Text)
}

// all is what the legend may name.
func (l *legendValue) all() []plot.Artist { return l.ax.a.Artists }

func (l *legendValue) Type() string                             { return "Legend" }
func (l *legendValue) String() string                           { return "<Legend>" }
func (l *legendValue) Hash() (uint32, error)                    { return unhashable("Legend") }
func (l *legendValue) Table() *value.Methods                    { return legendMethods() }
func (l *legendValue) AttrNames() []string                      { return legendMethods().Names() }
func (l *legendValue) Attr(name string) (starlark.Value, error) { return legendMethods().Attr(l, name) }

// legendMethods is the table of Legend.
var legendMethods = sync.OnceValue(func() *value.Methods {
	const l = "plt.plot([1, 2], label='a'); l = plt.legend(); "
	return value.NewMethods("Legend", []value.Builtin{
		method("remove", "Takes the legend away.", l+"l.remove()", func(_ *call, l *legendValue, _ *none) (starlark.Value, error) {
			l.ax.a.Legend = nil
			return nil, nil
		}),
		method("set_title", "Sets the text above.", l+"l.set_title('which')", func(_ *call, l *legendValue, a *oneText) (starlark.Value, error) {
			l.l.Title.Text = text(a.V)
			return nil, nil
		}),
		method("get_title", "Returns the text above.", l+"l.get_title().get_text() # \"\"", func(_ *call, l *legendValue, _ *none) (starlark.Value, error) {
			return l.label(&l.l.Title), nil
		}),
		method("get_texts", "Returns the list of its texts.", l+"l.get_texts()[0].get_text() # \"a\"", func(_ *call, l *legendValue, _ *none) (starlark.Value, error) {
			// From now on its lines are those that there are.
			entries := l.l.Entries(l.all())
			l.l.Artists, l.l.Names = []plot.Artist{}, make([]plot.Label, len(entries))
			list := make([]starlark.Value, len(entries))
			for i, e := range entries {
				l.l.Artists, l.l.Names[i] = append(l.l.Artists, e.Artist), e.Label
				list[i] = l.label(&l.l.Names[i])
			}
			return slot.NewList(list), nil
		}),
		method("set_visible", "Shows or hides it.", l+"l.set_visible(False)", func(_ *call, l *legendValue, a *oneBool) (starlark.Value, error) {
			if l.ax.a.Legend = l.l; !a.V {
				l.ax.a.Legend = nil
			}
			return nil, nil
		}),
	})
})
