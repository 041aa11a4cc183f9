package draw

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
)

// pad is how far from its edge what is cut out of a page ends, in points.
const pad = 7.2

// maxPixels is more than a file may have.
const maxPixels = 1 << 27

// A page is a figure that is being drawn.
type page struct {
	figure *plot.Figure
	canvas Canvas
	style  *plot.Style
	dots   bool // markers are as small as they can be: their size says nothing in characters
}

func pageOf(f *plot.Figure) box { return box{0, 0, f.Width * 72, f.Height * 72} }

// ErrStopped says that Figure.Stop ended a drawing.
var ErrStopped = errors.New("stopped")

// pollInterval is the number of points after which Figure.Stop is asked.
const pollInterval = 1 << 12

// poll ends the drawing before point i if the figure's Stop says so.
func (p *page) poll(i int) {
	if i%pollInterval == 0 && p.figure.Stop != nil && p.figure.Stop() {
		panic(ErrStopped)
	}
}

// protect turns a panic of a library into an error.
func protect(err *error) {
	switch r := recover(); r {
	case nil:
	case ErrStopped:
		*err = ErrStopped
	default:
		*err = fmt.Errorf("the figure cannot be drawn: %v", r)
	}
}

// Settle puts limits and margins where they will be drawn.
func Settle(f *plot.Figure) {
	for _, a := range f.Axes {
		a.Autoscale()
	}
	for _, a := range f.Axes {
		if a.Aspect > 0 && !a.AspectBox {
			widen(a)
		}
	}
	if f.Tight {
		for range 2 { // the room that labels take depends on the ticks, which depend on the room
			tighten(f)
		}
	}
}

// widen gives an axes whose rectangle is fixed wider limits, until its aspect is as it was asked.
func widen(a *plot.Axes) {
	b := fractions(a.Figure, a.Box())
	if a.X.Log || a.Y.Log || b.width() <= 0 {
		return
	}
	across, up := a.X.Hi-a.X.Lo, a.Y.Hi-a.Y.Lo
	want := b.height() / b.width() * math.Abs(across) / a.Aspect // of y
	if want > math.Abs(up) {
		d := (math.Copysign(want, up) - up) / 2
		a.Y.Lo, a.Y.Hi = a.Y.Lo-d, a.Y.Hi+d
		return
	}
	want = math.Abs(up) * a.Aspect * b.width() / b.height()
	d := (math.Copysign(want, across) - across) / 2
	a.X.Lo, a.X.Hi = a.X.Lo-d, a.X.Hi+d
}

// part is what of a page has something on it, with a margin; all of it if tight is not set.
func part(f *plot.Figure, tight bool) box {
	all := pageOf(f)
	if !tight {
		return all
	}
	e := &extent{nowhere}
	draw(f, e)
	if e.box.x0 > e.box.x1 {
		return all
	}
	b := e.box.grown(pad)
	// What reaches far out, as a text at data that lies nowhere near, makes no page of miles.
	return box{max(b.x0, -all.width()), max(b.y0, -all.height()), min(b.x1, 2*all.x1), min(b.y1, 2*all.y1)}
}

// Output says how a file is made of a figure.
type Output struct {
	DPI         float64 // of PNG; 0: the figure's
	Tight       bool    // only what has something on it
	Transparent bool
	Face        *Color // instead of the figure's
}

func (o Output) background(f *plot.Figure) Color {
	switch {
	case o.Transparent:
		return Color{}
	case o.Face != nil:
		return *o.Face
	}
	return f.Face
}

// SVG is a figure as SVG.
func SVG(f *plot.Figure, o Output) (file []byte, err error) {
	defer protect(&err)
	Settle(f)
	b := part(f, o.Tight)
	s := &svg{left: b.x0, top: b.y1, width: b.width(), height: b.height()}
	if c := o.background(f); c.A > 0 {
		s.Fill(b.path(), c)
	}
	drawOpen(f, s, o)
	return s.bytes(), nil
}

// PNG is a figure as PNG, and how many pixels it has.
func PNG(f *plot.Figure, o Output) (file []byte, width, height int, err error) {
	defer protect(&err)
	Settle(f)
	b := part(f, o.Tight)
	dpi := cmp.Or(o.DPI, f.DPI)
	if n := b.width() * b.height() * dpi * dpi / 72 / 72; !(n <= maxPixels) {
		return nil, 0, 0, fmt.Errorf("the picture would have %.0f million pixels, more than %d million: choose a smaller dpi or figsize", n/1e6, maxPixels/1000000)
	}
	r := newRaster(b, dpi, o.background(f), (&page{figure: f}).poll)
	drawOpen(f, r, o)
	size := r.img.Bounds()
	file, err = r.bytes()
	return file, size.Dx(), size.Dy(), err
}

// drawOpen draws a figure whose axes may be seen through.
func drawOpen(f *plot.Figure, c Canvas, o Output) {
	if o.Transparent {
		defer func(faces []Color) {
			for i, a := range f.Axes {
				a.Face = faces[i]
			}
		}(faces(f))
		for _, a := range f.Axes {
			a.Face = Color{}
		}
	}
	draw(f, c)
}

func faces(f *plot.Figure) []Color {
	list := make([]Color, len(f.Axes))
	for i, a := range f.Axes {
		list[i] = a.Face
	}
	return list
}

// CheckSize says whether a page of a size in inches can be drawn.
func CheckSize(width, height float64) error {
	if !(width > 0 && height > 0) || !finite(width) || !finite(height) {
		return errors.New("the figure's size must be positive and finite")
	}
	if width > 655 || height > 655 {
		return errors.New("the figure's size must be at most 655 inches")
	}
	return nil
}

// draw draws a figure whose limits are settled.
func draw(f *plot.Figure, c Canvas) {
	p := &page{figure: f, canvas: c, style: f.Style}
	for _, a := range f.Axes {
		p.axes(a)
	}
	b := pageOf(f)
	if f.Title.Text != "" {
		p.words(label(f.Title, 1.2*p.style.Size, p.style.Text, "center", "top"), b.x1*cmp.Or(f.Title.X, 0.5), b.y1*cmp.Or(f.Title.Y, 0.98))
	}
	if f.XLabel.Text != "" {
		p.words(label(f.XLabel, 1.2*p.style.Size, p.style.Text, "center", "bottom"), b.width()/2, 0.01*b.y1)
	}
	if f.YLabel.Text != "" {
		w := label(f.YLabel, 1.2*p.style.Size, p.style.Text, "left", "center")
		w.angle = 90
		p.words(w, 0.02*b.x1, b.height()/2)
	}
	for _, t := range f.Texts {
		p.text(t, view{rect: b, page: p})
	}
	if f.Legend != nil {
		var all []plot.Artist
		for _, a := range f.Axes {
			all = append(all, a.Artists...)
		}
		p.legend(f.Legend, all, b, nil)
	}
}

// label is a text of a figure or axes with what it does not say itself.
func label(l plot.Label, size float64, color Color, h, v string) words {
	w := words{text: l.Text, size: cmp.Or(l.Size, size), color: color, bold: l.Bold, italic: l.Italic, h: h, v: v}
	if l.Colored {
		w.color = l.Color
	}
	if l.Hidden {
		w.color = Color{}
	}
	return w
}

func (p *page) words(w words, x, y float64) {
	if w.text == "" || !finite(x) || !finite(y) || w.size <= 0 {
		return
	}
	for _, r := range w.runs(x, y) {
		p.canvas.Text(r)
	}
}

// tighten makes the margins of a figure what labels and titles of its axes need.
func tighten(f *plot.Figure) {
	gap := 1.08 * f.Style.Size
	type overhang struct{ left, right, bottom, top float64 }
	rows, columns := 0, 0
	over := map[*plot.Axes]overhang{}
	for _, a := range f.Axes {
		if a.Cell == nil || a.Twin != nil {
			continue
		}
		rows, columns = max(rows, a.Cell.Rows), max(columns, a.Cell.Columns)
		rect, b := axesBox(a), measured(f, a)
		if whole := cellBox(a); a.Stolen == nil {
			rect = whole
		}
		over[a] = overhang{rect.x0 - b.x0, b.x1 - rect.x1, rect.y0 - b.y0, b.y1 - rect.y1}
	}
	if len(over) == 0 {
		return
	}
	columnGap, rowGap := 0.0, 0.0
	edges := overhang{}
	for a, o := range over {
		c := a.Cell
		if c.Column == 0 {
			edges.left = max(edges.left, o.left)
		}
		if c.EndColumn == c.Columns {
			edges.right = max(edges.right, o.right)
		}
		if c.Row == 0 {
			edges.top = max(edges.top, o.top)
		}
		if c.EndRow == c.Rows {
			edges.bottom = max(edges.bottom, o.bottom)
		}
		for b, n := range over {
			if b.Cell.Column == c.EndColumn && c.EndColumn < c.Columns {
				columnGap = max(columnGap, o.right+n.left+gap)
			}
			if b.Cell.Row == c.EndRow && c.EndRow < c.Rows {
				rowGap = max(rowGap, o.bottom+n.top+gap)
			}
		}
	}
	page := pageOf(f)
	head := 0.0
	if f.Title.Text != "" {
		_, h := label(f.Title, 1.2*f.Style.Size, f.Style.Text, "center", "top").measure()
		head = h + 0.02*page.y1 + gap/2 - gap
	}
	foot, side := 0.0, 0.0
	if f.XLabel.Text != "" {
		foot = 1.6 * f.Style.Size
	}
	if f.YLabel.Text != "" {
		side = 1.6 * f.Style.Size
	}
	m := plot.Margins{Left: (edges.left + gap + side) / page.x1, Right: 1 - (edges.right+gap)/page.x1,
		Bottom: (edges.bottom + gap + foot) / page.y1, Top: 1 - (edges.top+gap+head)/page.y1}
	w := ((m.Right-m.Left)*page.x1 - columnGap*float64(columns-1)) / float64(columns)
	h := ((m.Top-m.Bottom)*page.y1 - rowGap*float64(rows-1)) / float64(rows)
	if w < 10 || h < 10 { // there is no room for all: better some than none
		return
	}
	m.WSpace, m.HSpace = columnGap/w, rowGap/h
	f.Margins = m
}

// measured is the room of an axes with its labels, colour bars and twins.
func measured(f *plot.Figure, a *plot.Axes) box {
	e := &extent{nowhere}
	p := &page{figure: f, canvas: e, style: f.Style}
	for _, b := range f.Axes {
		if b == a || b.Twin == a || b.Stolen == a || b.Twin != nil && b.Twin.Stolen == a {
			p.decorate(b)
		}
	}
	return e.box
}

// cellBox is the room of an axes and its colour bars, without labels.
func cellBox(a *plot.Axes) box {
	b := fractions(a.Figure, a.Box())
	for _, other := range a.Figure.Axes {
		if other.Stolen == a {
			c := fractions(a.Figure, other.Box())
			b = b.with(c)
		}
	}
	return b
}

func fractions(f *plot.Figure, r plot.Rect) box {
	w, h := f.Width*72, f.Height*72
	return box{r.X0 * w, r.Y0 * h, r.X1 * w, r.Y1 * h}
}

// axesBox is where an axes lies once its aspect is respected.
func axesBox(a *plot.Axes) box {
	b := fractions(a.Figure, a.Box())
	from := a
	for from.Twin != nil {
		from = from.Twin
	}
	if from.Aspect <= 0 || !finite(from.Aspect) || !from.AspectBox || from.X.Log || from.Y.Log {
		return b
	}
	across, up := math.Abs(from.X.Hi-from.X.Lo), math.Abs(from.Y.Hi-from.Y.Lo)
	ratio := from.Aspect * up / across // of height to width
	if !finite(ratio) || ratio <= 0 {
		return b
	}
	w, h := b.width(), b.width()*ratio
	if h > b.height() {
		w, h = b.height()/ratio, b.height()
	}
	x, y := (b.x0+b.x1)/2, (b.y0+b.y1)/2
	return box{x - w/2, y - h/2, x + w/2, y + h/2}
}

// ordered are artists from below to above.
func ordered(list []plot.Artist) []plot.Artist {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b plot.Artist) int { return cmp.Compare(a.Common().Z, b.Common().Z) })
	return out
}

// TicksOf are the ticks that an axis of a is drawn with, and what their texts have in common.
func TicksOf(a *plot.Axes, x *plot.Axis) (list []plot.Tick, common string) {
	Settle(a.Figure)
	return x.TicksOf(length(x, axesBox(a)))
}
