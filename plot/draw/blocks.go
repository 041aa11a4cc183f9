package draw

import (
	"image"
	"math"
	"strings"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
)

// Blocks is a figure as text of a number of columns: each axes with a frame, the numbers at it,
// its names, and what is drawn as quarters of characters.
func Blocks(f *plot.Figure, columns int) (text string, err error) {
	defer protect(&err)
	Settle(f)
	var out []string
	if f.Title.Text != "" {
		out = append(out, centered(plain(f.Title.Text), columns))
	}
	// Axes that lie beside each other stand beside each other.
	type row struct {
		top  float64
		list []*plot.Axes
	}
	var rows []row
	for _, a := range f.Axes {
		if a.Twin != nil || a.Bar != nil {
			continue
		}
		b := a.Box()
		placed := false
		for i := range rows {
			if math.Abs(rows[i].top-b.Y1) < 0.02 {
				rows[i].list, placed = append(rows[i].list, a), true
			}
		}
		if !placed {
			rows = append(rows, row{b.Y1, []*plot.Axes{a}})
		}
	}
	for _, r := range rows {
		wide := columns / len(r.list)
		var beside [][]string
		high := 0
		for _, a := range r.list {
			b := fractions(f, a.Box())
			lines := blocksOf(f, a, max(wide-1, 16), b)
			beside, high = append(beside, lines), max(high, len(lines))
		}
		for i := range high {
			line := ""
			for k, lines := range beside {
				part := ""
				if i < len(lines) {
					part = lines[i]
				}
				if k+1 < len(beside) {
					part += strings.Repeat(" ", max(wide-len([]rune(part)), 0))
				}
				line += part
			}
			out = append(out, strings.TrimRight(line, " "))
		}
	}
	return strings.Join(out, "\n"), nil
}

// plain is a text without formulas' signs, on one line.
func plain(s string) string {
	var b strings.Builder
	for i, l := range layout(s, false) {
		if i > 0 {
			b.WriteString(" ")
		}
		for _, p := range l.pieces {
			if p.y > 0.2 {
				b.WriteString("^")
			}
			b.WriteString(strings.ReplaceAll(p.text, "\u2009", " "))
		}
	}
	return printable(b.String())
}

func centered(s string, columns int) string {
	n := len([]rune(s))
	return strings.Repeat(" ", max((columns-n)/2, 0)) + s
}

func cutText(s string, n int) string {
	r := []rune(s)
	if len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	}
	return s
}

// blocksOf is one axes as lines of text.
func blocksOf(f *plot.Figure, a *plot.Axes, columns int, b box) []string {
	side := 0
	low, _ := a.Y.TicksOf(b.height())
	numbers := map[int]string{}
	high := min(max(int(float64(columns-8)*b.height()/b.width()/2), 5), 18)
	rowOf := func(v float64) int { return int(math.Round((1 - a.Y.Fraction(v)) * float64(high-1))) }
	for _, t := range low {
		if r := rowOf(t.At); t.Text != "" && r >= 0 && r < high && numbers[r] == "" && a.Frame {
			numbers[r] = cutText(plain(t.Text), 10)
			side = max(side, len([]rune(numbers[r])))
		}
	}
	inner := max(columns-side-3, 8)
	g := &cells{columns: inner, rows: high, dots: make([]bool, inner*2*high*2), shades: make([]float64, inner*high)}
	p := &page{figure: f, canvas: g, style: f.Style, dots: true}
	g.poll = p.poll
	for _, axes := range f.Axes {
		if axes != a && axes.Twin != a {
			continue
		}
		v := view{p, axes, box{0, 0, float64(inner), float64(high) * 2}}
		g.face = axes.Face
		for _, artist := range ordered(axes.Artists) {
			areas, ok := artist.(*plot.Polygons)
			g.shading = ok && areas.Seamless
			if _, text := artist.(*plot.Text); !artist.Common().Hidden && !text {
				p.artist(artist, v)
			}
		}
	}
	var out []string
	if t := plain(a.Title.Text); t != "" {
		out = append(out, centered(cutText(t, columns), columns+side))
	}
	if t := plain(a.Y.Label.Text); t != "" {
		out = append(out, cutText(t, columns))
	}
	pad := strings.Repeat(" ", side)
	out = append(out, pad+" ┌"+strings.Repeat("─", inner)+"┐")
	for r := range high {
		n, tick := numbers[r], "│"
		if n != "" {
			tick = "┤"
		}
		out = append(out, strings.Repeat(" ", side-len([]rune(n)))+n+" "+tick+g.line(r)+"│")
	}
	out = append(out, pad+" └"+strings.Repeat("─", inner)+"┘", pad+"  "+below(a.X, inner, b.width()))
	if t := plain(a.X.Label.Text); t != "" {
		out = append(out, pad+"  "+centered(cutText(t, inner), inner))
	}
	var named []string
	for _, artist := range a.Artists {
		if c := artist.Common(); a.Legend != nil && c.Named() {
			named = append(named, plain(c.Label))
		}
	}
	if named != nil {
		out = append(out, pad+"  "+cutText(strings.Join(named, ", "), inner))
	}
	return out
}

// below is the line of numbers below an axes.
func below(x *plot.Axis, columns int, length float64) string {
	line := []rune(strings.Repeat(" ", columns))
	ticks, _ := x.TicksOf(length)
	free := 0
	for _, t := range ticks {
		s := []rune(plain(t.Text))
		from := int(math.Round(x.Fraction(t.At)*float64(columns-1))) - len(s)/2
		from = max(min(from, columns-len(s)), 0)
		if len(s) == 0 || from < free || from+len(s) > columns {
			continue
		}
		copy(line[from:], s)
		free = from + len(s) + 1
	}
	return strings.TrimRight(string(line), " ")
}

// cells is a canvas of characters, of which each has four dots, or a shade. A column is one wide,
// and a row two high.
type cells struct {
	columns, rows int
	dots          []bool
	shades        []float64
	face          Color // of the axes
	shading       bool  // areas differ by their colours
	poll          func(i int)
}

func (c *cells) dot(x, y int) {
	if x >= 0 && y >= 0 && x < 2*c.columns && y < 2*c.rows {
		c.dots[y*2*c.columns+x] = true
	}
}

// pixel is where a point lies among the dots.
func (c *cells) pixel(p pt) pt { return pt{p.X * 2, float64(c.rows)*2 - p.Y} }

func (c *cells) Stroke(t trace, s stroke) {
	if faint(s.color) {
		return
	}
	rings, closed := flat(t, c.pixel)
	for i, ring := range rings {
		if closed[i] {
			ring = append(ring, ring[0])
		}
		for k := range ring {
			p := ring[k]
			if k == 0 {
				if len(ring) == 1 {
					c.dot(int(p.X), int(p.Y))
				}
				continue
			}
			q := ring[k-1]
			n := int(min(max(math.Abs(p.X-q.X), math.Abs(p.Y-q.Y)), 1e4)) + 1
			for i := range n + 1 {
				u := float64(i) / float64(n)
				c.dot(int(math.Floor(q.X+u*(p.X-q.X)-1e-9)), int(math.Floor(q.Y+u*(p.Y-q.Y)-1e-9)))
			}
		}
	}
}

// faint says that what has a colour is not seen.
func faint(c Color) bool { return c.A < 20 }

func (c *cells) Fill(t trace, color Color) {
	if faint(color) || color == c.face {
		return
	}
	r := newRaster(box{0, 0, float64(2 * c.columns), float64(2 * c.rows)}, 72, Color{}, c.poll)
	moved := make(trace, len(t))
	for i, s := range t {
		double := func(p pt) pt { return pt{p.X * 2, p.Y} }
		control := make([]pt, len(s.Control))
		for k, q := range s.Control {
			control[k] = double(q)
		}
		moved[i] = step{s.kind, double(s.Pos), control}
	}
	r.Fill(moved, palette.Black)
	if c.shading {
		for i := range c.shades {
			x, y := i%c.columns*2, i/c.columns*2
			if r.img.Pix[y*r.img.Stride+4*x+3] > 110 {
				c.shades[i] = shadeOf(color)
			}
		}
		return
	}
	any := false
	for y := range 2 * c.rows {
		for x := range 2 * c.columns {
			if r.img.Pix[y*r.img.Stride+4*x+3] > 110 {
				c.dot(x, y)
				any = true
			}
		}
	}
	if !any { // a marker is a dot at least
		e := &extent{nowhere}
		e.take(moved, 0)
		c.dot(int((e.box.x0+e.box.x1)/2), int(float64(2*c.rows)-(e.box.y0+e.box.y1)/2))
	}
}

func (c *cells) Text(run) {}

// Image shades characters by how dark a picture is; one with holes is of dots.
func (c *cells) Image(b box, img *image.NRGBA, _ bool) {
	dots := img.Bounds().Dx() > 8*c.columns/3 && seenThrough(img)
	for y := range 2 * c.rows {
		for x := range 2 * c.columns {
			px, py := (float64(x)+0.5)/2, float64(c.rows)*2-float64(y)-0.5
			if px < b.x0 || px >= b.x1 || py < b.y0 || py >= b.y1 {
				continue
			}
			w, h := float64(img.Bounds().Dx()), float64(img.Bounds().Dy())
			at := mean(img, (px-b.x0)/b.width()*w, (b.y1-py)/b.height()*h, (px-b.x0)/b.width()*w, (b.y1-py)/b.height()*h)
			if dots {
				if at.A > 100 {
					c.dot(x, y)
				}
				continue
			}
			if x%2 == 0 && y%2 == 0 {
				c.shades[y/2*c.columns+x/2] = shadeOf(at)
			}
		}
	}
}

// shadeOf is how dark a colour is, and more than nothing.
func shadeOf(c Color) float64 { return 0.02 + (1-palette.Luminance(c))*float64(c.A)/255 }

func seenThrough(img *image.NRGBA) bool {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] == 0 {
			return true
		}
	}
	return false
}

const quarters = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
const shadesOf = " ░▒▓█"

// line is one row of characters.
func (c *cells) line(row int) string {
	signs, shades := []rune(quarters), []rune(shadesOf)
	out := make([]rune, c.columns)
	for x := range out {
		k := 0
		for i := range 4 {
			if c.dots[(2*row+i/2)*2*c.columns+2*x+i%2] {
				k |= 1 << i
			}
		}
		out[x] = signs[k]
		if s := c.shades[row*c.columns+x]; k == 0 && s > 0 {
			out[x] = shades[min(int(s*5), 4)]
		}
	}
	return string(out)
}
