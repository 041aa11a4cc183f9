package plot

import (
	"slices"

	"github.com/arignote/arignote/plot/palette"
)

// Color is a colour with its alpha.
type Color = palette.Color

// A Rect lies in fractions of a figure or an axes, or in data.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Width is how far the rectangle reaches across.
func (r Rect) Width() float64 { return r.X1 - r.X0 }

// Height is how far it reaches up.
func (r Rect) Height() float64 { return r.Y1 - r.Y0 }

// A Figure is a page with axes on it.
type Figure struct {
	// Stop is asked now and then by who draws the figure, and ends that if it says so; nil: never.
	Stop          func() bool
	Width, Height float64 // inches
	DPI           float64 // pixels per inch of files
	Face          Color
	Axes          []*Axes
	Current       *Axes // that functions without an axes draw on

	Title          Label // above all axes
	XLabel, YLabel Label // below and beside all
	Margins        Margins
	Tight          bool // the margins are what the labels need

	Style *Style
	Texts []*Text // in fractions of the figure
	// Legends of the whole figure.
	Legend *Legend
}

// Margins are where the axes of a figure lie, in fractions of it, and how far apart, in fractions
// of the mean width and height of an axes.
type Margins struct{ Left, Right, Bottom, Top, WSpace, HSpace float64 }

// DefaultMargins are those of a figure of which nothing else was said.
var DefaultMargins = Margins{0.125, 0.9, 0.11, 0.88, 0.2, 0.2}

// NewFigure is an empty figure; sizes of 0 are the style's.
func NewFigure(width, height float64, style *Style) *Figure {
	f := &Figure{Width: width, Height: height, DPI: style.DPI, Face: style.FigureFace, Margins: DefaultMargins, Style: style, Tight: style.Tight}
	if width == 0 {
		f.Width = style.Width
	}
	if height == 0 {
		f.Height = style.Height
	}
	return f
}

// A Cell says which part of a grid of rows and columns an axes has: from the first row and column
// to before the last ones.
type Cell struct {
	Rows, Columns          int
	Row, Column            int
	EndRow, EndColumn      int
	WidthRatios, HeightRat []float64
}

// An Axes is a rectangle with an x and a y axis in which artists are drawn.
type Axes struct {
	Figure  *Figure
	Cell    *Cell // nil: the axes lies at Place
	Place   Rect  // in fractions of the figure
	Artists []Artist
	X, Y    *Axis
	Twin    *Axes // whose place it shares; drawn above it

	Title, LeftTitle, RightTitle Label
	Face                         Color
	Frame                        bool // ticks, labels and spines are drawn
	Hidden                       bool
	Spines                       map[string]*Spine
	Below                        bool // the grid lies below all

	Aspect    float64 // height of a unit of y by the width of one of x; 0: what fits
	AspectBox bool    // the rectangle gives way to the aspect, not the limits
	Legend    *Legend

	Colors int   // how many colours of the cycle lines have taken
	Fills  int   // how many areas and scatters have, which count by themselves
	Bar    *Bar  // what the axes explains the colours of; nil: it is none
	Stolen *Axes // of which a colour bar took its room

	shrink []stolen // what colour bars took of the place
}

type stolen struct {
	horizontal           bool
	fraction, pad, place float64
}

// A Spine is one side of the frame.
type Spine struct {
	Hidden bool
	Color  Color
	Width  float64
	Place  SpinePlace
	At     float64 // the number that Place is about
}

// A SpinePlace says where a side of the frame lies.
type SpinePlace int

// The places of spines.
const (
	AtEdge SpinePlace = iota // of the axes, and a number of points outward
	AtData                   // at a number of the other axis
	AtPart                   // at a fraction of the axes
)

// A Label is a text at a fixed place.
type Label struct {
	Text     string
	Size     float64 // points; 0: the default
	Color    Color
	Colored  bool
	Bold     bool
	Italic   bool
	Pad      float64 // points; with Padded
	Padded   bool
	Rotation float64
	Rotated  bool
	X, Y     float64 // of a figure's title, in fractions; 0: the default
	Hidden   bool
}

// A Legend names artists.
type Legend struct {
	Loc     string // "best", "upper right", ...
	Columns int
	Size    float64
	Title   Label
	Frame   bool
	Alpha   float64
	Anchor  *[2]float64 // in fractions of the axes: where the corner that Loc names lies
	Artists []Artist    // nil: all of the axes that have a label
	Names   []Label     // of the artists; those that are missing are the artists' own
}

// An Entry is a line of a legend.
type Entry struct {
	Artist Artist
	Label  Label
}

// Entries are the lines of a legend, of which all are the artists that it may name.
func (l *Legend) Entries(all []Artist) []Entry {
	list := l.Artists
	if list == nil {
		list = Named(all)
	}
	var out []Entry
	for i, a := range list {
		e := Entry{a, Label{Text: a.Common().Label}}
		if i < len(l.Names) {
			e.Label = l.Names[i]
		}
		out = append(out, e)
	}
	return out
}

// Named are the artists that have a label, those that stand for a container last.
func Named(all []Artist) []Artist {
	var list []Artist
	for _, contained := range []bool{false, true} {
		for _, a := range all {
			if b := a.Common(); b.Named() && b.Contained == contained {
				list = append(list, a)
			}
		}
	}
	return list
}

// A Bar is a colour bar's content.
type Bar struct {
	Scale      *Scale
	Horizontal bool
	Label      Label
}

// NewAxes adds an axes to a figure and makes it the current one.
func (f *Figure) NewAxes() *Axes {
	a := &Axes{Figure: f, Face: f.Style.AxesFace, Frame: true, Spines: map[string]*Spine{}, AspectBox: true}
	a.X, a.Y = newAxis(a, true), newAxis(a, false)
	for _, side := range []string{"left", "right", "top", "bottom"} {
		a.Spines[side] = &Spine{Color: f.Style.Edge, Width: f.Style.SpineWidth, Hidden: slices.Contains(f.Style.NoSpines, side)}
	}
	a.X.Grid.On, a.Y.Grid.On = f.Style.Grid, f.Style.Grid
	f.Axes = append(f.Axes, a)
	f.Current = a
	return a
}

// Remove takes an axes off the figure.
func (f *Figure) Remove(a *Axes) {
	f.Axes = slices.DeleteFunc(f.Axes, func(b *Axes) bool { return a == b })
	if f.Current == a {
		f.Current = nil
		if n := len(f.Axes); n > 0 {
			f.Current = f.Axes[n-1]
		}
	}
}

// Clear makes the axes as it was when it was new.
func (a *Axes) Clear() {
	fresh := (&Figure{Style: a.Figure.Style}).NewAxes()
	a.Artists, a.Legend, a.Colors, a.Fills = nil, nil, 0, 0
	a.Title, a.LeftTitle, a.RightTitle = Label{}, Label{}, Label{}
	a.Face, a.Frame, a.Aspect = fresh.Face, true, 0
	shareX, shareY := a.X.shared, a.Y.shared
	a.X, a.Y = newAxis(a, true), newAxis(a, false)
	a.X.Grid.On, a.Y.Grid.On = fresh.X.Grid.On, fresh.Y.Grid.On
	a.X.shared, a.Y.shared = shareX, shareY
}

// Add adds an artist. Limits that are an image's follow the data from the next artist on.
func (a *Axes) Add(x Artist) {
	a.Artists = append(a.Artists, x)
	switch x.(type) {
	case *Image, *Text:
	default:
		for _, axis := range []*Axis{a.X, a.Y} {
			for _, y := range axis.group() {
				y.held = false
			}
		}
	}
}

// NextColor takes the next colour of the cycle for a line.
func (a *Axes) NextColor() Color {
	c := a.Figure.Style.Cycle[a.Colors%len(a.Figure.Style.Cycle)]
	a.Colors++
	return c
}

// NextFill takes the next colour of the cycle for an area or a scatter.
func (a *Axes) NextFill() Color {
	c := a.Figure.Style.Cycle[a.Fills%len(a.Figure.Style.Cycle)]
	a.Fills++
	return c
}

// TwinOf is a new axes at the same place that shares one axis: x of twinx.
func (f *Figure) TwinOf(a *Axes, shareX bool) *Axes {
	t := f.NewAxes()
	t.Twin, t.Cell, t.Place = a, a.Cell, a.Place
	t.Face = palette.None
	t.X.Grid.On, t.Y.Grid.On = false, false
	if shareX {
		t.X.Share(a.X)
		t.X.NoTicks, t.Y.Far = true, true
	} else {
		t.Y.Share(a.Y)
		t.Y.NoTicks, t.X.Far = true, true
	}
	return t
}

// Box is where the axes lies, in fractions of the figure, before its aspect is respected.
func (a *Axes) Box() Rect {
	if a.Twin != nil {
		return a.Twin.Box()
	}
	if a.Stolen != nil {
		return a.Stolen.barBox(a)
	}
	r := a.whole()
	for _, s := range a.shrink {
		if s.horizontal {
			r.Y0 += r.Height() * (s.fraction + s.pad)
		} else {
			r.X1 -= r.Width() * (s.fraction + s.pad)
		}
	}
	return r
}

// whole is the place that the axes shares with its colour bars.
func (a *Axes) whole() Rect {
	if a.Cell == nil {
		return a.Place
	}
	m, c := a.Figure.Margins, a.Cell
	x0, x1 := along(m.Left, m.Right, m.WSpace, c.Columns, c.Column, c.EndColumn, c.WidthRatios)
	// Rows are counted from the top.
	top, bottom := along(1-m.Top, 1-m.Bottom, m.HSpace, c.Rows, c.Row, c.EndRow, c.HeightRat)
	return Rect{x0, 1 - bottom, x1, 1 - top}
}

// along is from where to where cells i to before j of n lie between lo and hi.
func along(lo, hi, space float64, n, i, j int, ratios []float64) (from, to float64) {
	size := (hi - lo) / (float64(n) + space*float64(n-1))
	gap := space * size
	total := 0.0
	for k := range n {
		total += ratio(ratios, k)
	}
	at := lo
	for k := range j {
		if k == i {
			from = at
		}
		at += size * float64(n) * ratio(ratios, k) / total
		to = at
		at += gap
	}
	return from, to
}

func ratio(ratios []float64, k int) float64 {
	if k < len(ratios) {
		return ratios[k]
	}
	return 1
}

// NewBar is a colour bar for the colours of a scale, which takes its room of the axes a.
func (f *Figure) NewBar(a *Axes, scale *Scale, horizontal bool, fraction, pad, shrink float64) *Axes {
	current := f.Current
	b := f.NewAxes()
	f.Current = current
	b.Bar = &Bar{Scale: scale, Horizontal: horizontal}
	b.Stolen = a
	a.shrink = append(a.shrink, stolen{horizontal, fraction, pad, shrink})
	b.X.Grid.On, b.Y.Grid.On = false, false
	if horizontal {
		b.Y.NoTicks = true
		b.X.set(scale.Lo, scale.Hi)
		b.X.Log = scale.Log
	} else {
		b.X.NoTicks, b.Y.Far = true, true
		b.Y.set(scale.Lo, scale.Hi)
		b.Y.Log = scale.Log
	}
	return b
}

// thickest is how many times longer than thick a colour bar is.
const thickest = 20

// barBox is the place of a colour bar b of a.
func (a *Axes) barBox(b *Axes) Rect {
	r := a.whole()
	k := 0
	for _, other := range a.Figure.Axes {
		if other == b {
			break
		}
		if other.Stolen == a {
			k++
		}
	}
	for i, s := range a.shrink {
		if s.horizontal {
			strip := Rect{r.X0, r.Y0, r.X1, r.Y0 + r.Height()*s.fraction}
			r.Y0 += r.Height() * (s.fraction + s.pad)
			if i == k {
				gone := strip.Width() * (1 - s.place) / 2
				strip.X0, strip.X1 = strip.X0+gone, strip.X1-gone
				shape := a.Figure.Width / a.Figure.Height
				if most := strip.Height() / shape * thickest; strip.Width() > most {
					middle := (strip.X0 + strip.X1) / 2
					strip.X0, strip.X1 = middle-most/2, middle+most/2
				}
				strip.Y0 = max(strip.Y0, strip.Y1-strip.Width()*shape/thickest)
				return strip
			}
			continue
		}
		strip := Rect{r.X1 - r.Width()*s.fraction, r.Y0, r.X1, r.Y1}
		r.X1 -= r.Width() * (s.fraction + s.pad)
		if i == k {
			gone := strip.Height() * (1 - s.place) / 2
			strip.Y0, strip.Y1 = strip.Y0+gone, strip.Y1-gone
			strip.X1 = min(strip.X1, strip.X0+strip.Height()*a.Figure.Height/a.Figure.Width/thickest)
			return strip
		}
	}
	return r
}
