package plot

import (
	"image"
	"math"
	"slices"

	"github.com/arignote/arignote/plot/palette"
)

// A Pen is how a line is drawn.
type Pen struct {
	Color Color
	Width float64   // points
	Dash  []float64 // lengths of dashes and gaps, in widths; nil: none
	None  bool      // nothing is drawn
}

// A Marker is a sign at a point.
type Marker struct {
	Shape     string // one of Shapes; "" is none
	Size      float64
	Face      Color
	Edge      Color
	EdgeWidth float64
}

// An Artist is something that is drawn on axes.
type Artist interface {
	Common() *Base
	// Extent is the room that it takes on axes that are logarithmic or not.
	Extent(logX, logY bool) Extent
}

// Base is what artists have in common.
type Base struct {
	Label    string // in the legend; "" and what begins with _ is in none
	Z        float64
	Hidden   bool
	Alpha    float64 // 0 to 1
	Unscaled bool    // the limits do not follow it
	// FracX and FracY say that coordinates are fractions of the axes, and none of data.
	FracX, FracY bool
	Free         bool // it is drawn beyond the axes too
	Contained    bool // it stands for a container, which legends name after all else
	Scale        *Scale
}

func (b *Base) Common() *Base { return b }

// Named says whether the artist stands in a legend.
func (b *Base) Named() bool { return b.Label != "" && b.Label[0] != '_' && !b.Hidden }

// A Line joins points, and marks them.
type Line struct {
	Base
	X, Y   []float64
	Pen    Pen
	Marker Marker
	Step   string     // "", "pre", "post", "mid"
	Every  int        // of the marked points
	Bars   []ErrorBar // that legends show it with
	// Endless lines lead through two points, or through one with a slope, from edge to edge.
	Endless bool
	Slope   float64
}

// An ErrorBar is how error bars along an axis look.
type ErrorBar struct {
	Vertical bool
	Pen      Pen
	Cap      Marker
}

func (l *Line) Extent(logX, logY bool) Extent {
	e := Extent{X: empty, Y: empty}
	for i := range min(len(l.X), len(l.Y)) {
		x, y := l.X[i], l.Y[i]
		if !l.FracX && (l.FracY || y-y == 0) { // a point that is nowhere takes no room
			e.X = e.X.with(logX, x)
		}
		if !l.FracY && (l.FracX || x-x == 0) {
			e.Y = e.Y.with(logY, y)
		}
	}
	return e
}

// A Point lies in data or in fractions of the axes.
type Point struct{ X, Y float64 }

// Segments are lines of which each may have a pen of its own: those of stems and error bars, and
// contours.
type Segments struct {
	Base
	Lines [][]Point
	Pens  []Pen // taken in turn
	// Texts stand in the middle of lines, by their number: those of contours.
	Texts            []string
	TextSize         float64
	Heights          []float64 // of contours' lines
	Room             *Rect     // that they have even if they do not fill it
	StickyX, StickyY []float64
}

func (s *Segments) Extent(logX, logY bool) Extent {
	e := Extent{X: empty, Y: empty, StickyX: s.StickyX, StickyY: s.StickyY}
	for _, line := range s.Lines {
		for _, p := range line {
			e.take(&s.Base, p, logX, logY)
		}
	}
	if r := s.Room; r != nil {
		e.take(&s.Base, Point{r.X0, r.Y0}, logX, logY)
		e.take(&s.Base, Point{r.X1, r.Y1}, logX, logY)
	}
	return e
}

func (e *Extent) take(b *Base, p Point, logX, logY bool) {
	if !b.FracX {
		e.X = e.X.with(logX, p.X)
	}
	if !b.FracY {
		e.Y = e.Y.with(logY, p.Y)
	}
}

// A Shape is a filled area with an edge. Further rings are holes where they lie inside.
type Shape struct {
	Rings [][]Point
	Face  Color
	Edge  Pen
	Open  bool // the edge has no side from the last point to the first
}

// Polygons are shapes under one name: the bars of a histogram.
type Polygons struct {
	Base
	Shapes           []Shape
	StickyX, StickyY []float64
	Seamless         bool // neighbours touch without a line between them
}

func (p *Polygons) Extent(logX, logY bool) Extent {
	e := Extent{X: empty, Y: empty, StickyX: p.StickyX, StickyY: p.StickyY}
	for i := range p.Shapes {
		for _, ring := range p.Shapes[i].Rings {
			for _, at := range ring {
				e.take(&p.Base, at, logX, logY)
			}
		}
	}
	return e
}

// Rectangle is the shape between two corners.
func Rectangle(x0, y0, x1, y1 float64, face Color, edge Pen) Shape {
	return Shape{Rings: [][]Point{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}, Face: face, Edge: edge}
}

// Points are marks with sizes and colours of their own.
type Points struct {
	Base
	X, Y      []float64
	Areas     []float64 // square points, taken in turn
	Faces     []Color   // taken in turn
	Edges     []Color   // none: those of the faces
	EdgeWidth float64
	Shape     string
	Values    []float64 // which Scale gives colours to; nil: Faces
}

func (p *Points) Extent(logX, logY bool) Extent {
	e := Extent{X: empty, Y: empty}
	for i := range p.X {
		x, y := p.X[i], p.Y[i]
		if x-x == 0 && y-y == 0 && !(logX && x <= 0) && !(logY && y <= 0) {
			e.take(&p.Base, Point{x, y}, logX, logY)
		}
	}
	return e
}

// An Image is a picture of rows and columns.
type Image struct {
	Base
	Rows, Columns int
	Values        []float64    // by rows, which Scale gives colours to
	Pixels        *image.NRGBA // instead of Values
	At            Rect         // the edges of the first and last columns and rows; row 0 lies at Y0
	Smooth        bool
}

func (m *Image) Extent(logX, logY bool) Extent {
	r := m.At
	e := Extent{X: empty.with(logX, r.X0, r.X1), Y: empty.with(logY, r.Y0, r.Y1)}
	e.StickyX, e.StickyY = []float64{r.X0, r.X1}, []float64{r.Y0, r.Y1}
	return e
}

// Picture is the image in colours. It calls poll, which may panic, for each pixel.
func (m *Image) Picture(poll func(i int)) *image.NRGBA {
	if m.Pixels != nil || m.Columns == 0 {
		return m.Pixels
	}
	out := image.NewNRGBA(image.Rect(0, 0, m.Columns, m.Rows))
	for i, v := range m.Values {
		poll(i)
		out.SetNRGBA(i%m.Columns, i/m.Columns, m.Scale.Color(v))
	}
	return out
}

// A Text stands at a point.
type Text struct {
	Base
	X, Y     float64
	Text     string
	Size     float64
	Color    Color
	H, V     string // "left", "center", "right"; "baseline", "bottom", "center", "top"
	Rotation float64
	Bold     bool
	Italic   bool
	Dx, Dy   float64 // points that it is moved by
	Arrow    *Arrow
	Back     *Back
	Line     float64 // distance of lines, in sizes
}

// An Arrow leads from a text to a point of the data.
type Arrow struct {
	X, Y   float64
	Tail   Head // at the text
	Head   Head // at the point
	Pen    Pen
	Shrink float64
	Wide   *WideArrow // instead of a line with heads
}

// A WideArrow is an arrow that is filled. Lengths are points.
type WideArrow struct {
	Width, HeadWidth, HeadLength float64
	Face                         Color
	Shrink                       float64 // part of the length that is left free at both ends
}

// A Head is what is at an end of an arrow.
type Head int

// The heads of arrows.
const (
	NoHead Head = iota
	OpenHead
	FilledHead
)

// A Back is a box behind a text.
type Back struct {
	Face  Color
	Edge  Pen
	Pad   float64
	Round bool
}

func (t *Text) Extent(bool, bool) Extent { return Extent{X: empty, Y: empty} }

// A Scale gives colours to numbers.
type Scale struct {
	Map    *palette.Map
	Lo, Hi float64
	Log    bool
	Levels []float64 // of filled contours: one colour between neighbours
	Lines  []float64 // of contours: only these have colours
	Colors []Color   // instead of the map's, of Levels or Lines
	Alpha  float64
}

// NewScale is a scale from lo to hi; where those are nil it covers the values.
func NewScale(m *palette.Map, values []float64, lo, hi *float64, log bool) *Scale {
	r := empty.with(log, values...)
	s := &Scale{Map: m, Lo: r.Lo, Hi: r.Hi, Log: log, Alpha: 1}
	if r.Empty() {
		s.Lo, s.Hi = 0, 1
		if log {
			s.Lo = 0.1
		}
	}
	if lo != nil {
		s.Lo = *lo
	}
	if hi != nil {
		s.Hi = *hi
	}
	return s
}

// Fraction is where a number lies between Lo and Hi.
func (s *Scale) Fraction(v float64) float64 {
	lo, hi := s.Lo, s.Hi
	if s.Log {
		v, lo, hi = math.Log10(v), math.Log10(lo), math.Log10(hi)
	}
	switch {
	case math.IsNaN(v):
		return math.NaN()
	case hi == lo:
		return 0
	}
	return (v - lo) / (hi - lo)
}

// Color is that of a number.
func (s *Scale) Color(v float64) Color {
	if s.Levels != nil && s.Colors == nil {
		for k := range len(s.Levels) - 1 {
			if v >= s.Levels[k] && v < s.Levels[k+1] {
				v = (s.Levels[k] + s.Levels[k+1]) / 2
				break
			}
		}
	}
	if s.Colors != nil {
		for k := len(s.Levels) - 1; k >= 0; k-- {
			if v >= s.Levels[k] {
				return s.Colors[k%len(s.Colors)]
			}
		}
	}
	return palette.Faded(s.Map.At(s.Fraction(v)), s.Alpha)
}

// dashes are the line styles, as lengths in line widths.
var dashes = map[string][]float64{"-": nil, "--": {3.7, 1.6}, "-.": {6.4, 1.6, 1, 1.6}, ":": {1, 1.65},
	"solid": nil, "dashed": {3.7, 1.6}, "dashdot": {6.4, 1.6, 1, 1.6}, "dotted": {1, 1.65}}

// DashOf are the dashes of a style; none says that nothing is drawn, ok that there is such a style.
func DashOf(style string) (dash []float64, none, ok bool) {
	switch style {
	case "", " ", "none", "None":
		return nil, true, true
	}
	dash, ok = dashes[style]
	return dash, false, ok
}

// StyleOf is the style that DashOf has the dashes of a pen for; "--" of any other dashes.
func StyleOf(p *Pen) string {
	if p.None {
		return "None"
	}
	for _, style := range []string{"-", "-.", ":"} {
		if slices.Equal(dashes[style], p.Dash) {
			return style
		}
	}
	return "--"
}

// Shapes are the markers, with what they are.
var Shapes = map[string]string{".": "point", ",": "pixel", "o": "circle", "v": "triangle down", "^": "triangle up", "<": "triangle left",
	">": "triangle right", "1": "tri down", "2": "tri up", "3": "tri left", "4": "tri right", "8": "octagon", "s": "square", "p": "pentagon",
	"P": "plus (filled)", "*": "star", "h": "hexagon1", "H": "hexagon2", "+": "plus", "x": "x", "X": "x (filled)", "D": "diamond",
	"d": "thin diamond", "|": "vertical line", "_": "horizontal line"}

// Unfilled reports whether a marker has edges only.
func Unfilled(shape string) bool {
	switch shape {
	case "1", "2", "3", "4", "+", "x", "|", "_":
		return true
	}
	return false
}
