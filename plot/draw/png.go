package draw

import (
	"bytes"
	"image"
	stddraw "image/draw"
	"image/png"
	"math"

	"github.com/arignote/arignote/plot/palette"
	"golang.org/x/image/vector"
)

// raster is a canvas of pixels. Areas are filled by the sum of their edges' coverage, and a line is
// the sum of the areas of its segments and corners, which all turn the same way: so the time is
// that of the pixels that edges cross, however often a line crosses itself.
type raster struct {
	img       *image.RGBA
	left, low float64 // what of the canvas is the lower left corner
	scale     float64 // pixels per point
	fill      vector.Rasterizer
	poll      func(i int) // asks now and then whether to go on, and panics if not
}

// newRaster is an empty canvas of a part of the page.
func newRaster(part box, dpi float64, background Color, poll func(i int)) *raster {
	scale := dpi / 72
	w, h := int(math.Round(part.width()*scale)), int(math.Round(part.height()*scale))
	r := &raster{left: part.x0, low: part.y0, scale: scale, poll: poll, img: image.NewRGBA(image.Rect(0, 0, max(w, 1), max(h, 1)))}
	stddraw.Draw(r.img, r.img.Bounds(), image.NewUniform(background), image.Point{}, stddraw.Src)
	return r
}

// pixel is where a point lies, from the upper left corner.
func (r *raster) pixel(p pt) pt {
	return pt{(p.X - r.left) * r.scale, float64(r.img.Rect.Dy()) - (p.Y-r.low)*r.scale}
}

// flat are the parts of a path, with curves as short lines; place is where a point lies in pixels.
func flat(t trace, place func(pt) pt) (rings [][]pt, closed []bool) {
	var now []pt
	end := func(c bool) {
		if len(now) > 0 {
			rings, closed = append(rings, now), append(closed, c)
		}
		now = nil
	}
	for _, s := range t {
		switch s.kind {
		case moveTo:
			end(false)
			now = append(now, place(s.Pos))
		case lineTo:
			now = append(now, place(s.Pos))
		case curveTo:
			now = flattened(now, place(s.Control[0]), place(s.Control[len(s.Control)-1]), place(s.Pos), len(s.Control) == 1)
		case closing:
			end(true)
		}
	}
	end(false)
	return rings, closed
}

// flattened adds a curve from the last point as lines.
func flattened(to []pt, a, b, end pt, quadratic bool) []pt {
	from := to[len(to)-1]
	if quadratic {
		third := func(p, q float64) float64 { return p + (q-p)*2/3 }
		a, b = pt{third(from.X, a.X), third(from.Y, a.Y)}, pt{third(end.X, b.X), third(end.Y, b.Y)}
	}
	long := math.Hypot(a.X-from.X, a.Y-from.Y) + math.Hypot(b.X-a.X, b.Y-a.Y) + math.Hypot(end.X-b.X, end.Y-b.Y)
	n := min(max(int(math.Sqrt(long)*1.5), 2), 64)
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		u := 1 - t
		k, l, m, o := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		to = append(to, pt{k*from.X + l*a.X + m*b.X + o*end.X, k*from.Y + l*a.Y + m*b.Y + o*end.Y})
	}
	return to
}

// cover fills areas, whose overlaps count once if they turn the same way, with a colour.
func (r *raster) cover(rings [][]pt, c Color) {
	around := nowhere
	for _, ring := range rings {
		for _, p := range ring {
			around = around.with(box{p.X, p.Y, p.X, p.Y})
		}
	}
	area := image.Rect(int(math.Floor(max(around.x0, -1))), int(math.Floor(max(around.y0, -1))),
		int(math.Ceil(min(around.x1, float64(r.img.Rect.Dx()+1))))+1, int(math.Ceil(min(around.y1, float64(r.img.Rect.Dy()+1))))+1).Intersect(r.img.Rect)
	if area.Empty() || around.x0 > around.x1 {
		return
	}
	r.fill.Reset(area.Dx(), area.Dy())
	dx, dy := float64(area.Min.X), float64(area.Min.Y)
	for k, ring := range rings {
		r.poll(k)
		for i, p := range ring {
			if i == 0 {
				r.fill.MoveTo(float32(p.X-dx), float32(p.Y-dy))
			} else {
				r.fill.LineTo(float32(p.X-dx), float32(p.Y-dy))
			}
		}
		r.fill.ClosePath()
	}
	r.fill.Draw(r.img, area, image.NewUniform(c), image.Point{})
}

func (r *raster) Fill(p trace, c Color) {
	rings, _ := flat(p, r.pixel)
	if upright(p) { // rectangles side by side leave no seam
		for _, ring := range rings {
			for i := range ring {
				ring[i].X, ring[i].Y = math.Round(ring[i].X), math.Round(ring[i].Y)
			}
		}
	}
	r.cover(rings, c)
}

func (r *raster) Stroke(p trace, s stroke) {
	rings, closed := flat(p, r.pixel)
	width := s.width * r.scale
	if s.dash == nil && straight(rings) { // lines along the axes cover whole pixels
		snap(rings, width)
	}
	color := s.color
	if width < 1 { // a thinner line is a paler one
		color, width = faded(color, width), 1
	}
	var areas [][]pt
	for i, ring := range rings {
		if closed[i] && len(ring) > 1 {
			ring = append(ring, ring[0])
		}
		r.poll(i)
		if s.dash != nil {
			for k, dash := range r.dashes(ring, s.dash) {
				r.poll(k)
				areas = thicken(areas, dash, width, false, true)
			}
			continue
		}
		areas = thicken(areas, ring, width, closed[i], s.butt)
	}
	r.cover(areas, color)
}

// thicken adds the areas of a line: a rectangle for each segment and a disc, or what is seen of it,
// at each corner.
func thicken(areas [][]pt, line []pt, width float64, closed, butt bool) [][]pt {
	h := width / 2
	if len(line) == 1 && !butt {
		p := line[0]
		return append(areas, []pt{{p.X - h, p.Y - h}, {p.X + h, p.Y - h}, {p.X + h, p.Y + h}, {p.X - h, p.Y + h}})
	}
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		d := math.Hypot(b.X-a.X, b.Y-a.Y)
		if d == 0 {
			continue
		}
		ux, uy := (b.X-a.X)/d*h, (b.Y-a.Y)/d*h
		p, q := a, b
		if !butt && !closed { // the ends reach half a width further
			if i == 1 {
				p = pt{a.X - ux, a.Y - uy}
			}
			if i == len(line)-1 {
				q = pt{b.X + ux, b.Y + uy}
			}
		}
		areas = append(areas, []pt{{p.X + uy, p.Y - ux}, {q.X + uy, q.Y - ux}, {q.X - uy, q.Y + ux}, {p.X - uy, p.Y + ux}})
		next := pt{}
		switch {
		case i+1 < len(line):
			next = line[i+1]
		case closed:
			next = line[1]
		default:
			continue
		}
		vx, vy := next.X-b.X, next.Y-b.Y
		e := math.Hypot(vx, vy)
		if e == 0 {
			continue
		}
		vx, vy = vx/e*h, vy/e*h
		// The wedge on the outer side of the corner.
		side := 1.0
		if ux*vy-uy*vx > 0 {
			side = -1
		}
		n1, n2 := pt{-uy * side, ux * side}, pt{-vy * side, vx * side}
		if math.Abs(n1.X-n2.X)+math.Abs(n1.Y-n2.Y) < 0.05 {
			continue
		}
		areas = append(areas, oriented(wedge(b, n1, n2, h)))
	}
	return areas
}

// wedge is the part of a disc around b between two directions.
func wedge(b, n1, n2 pt, h float64) []pt {
	from, to := math.Atan2(n1.Y, n1.X), math.Atan2(n2.Y, n2.X)
	turn := math.Remainder(to-from, 2*math.Pi)
	n := max(int(math.Abs(turn)*math.Sqrt(h)*1.5), 1)
	out := []pt{b}
	for i := range n + 1 {
		sin, cos := math.Sincos(from + turn*float64(i)/float64(n))
		out = append(out, pt{b.X + h*cos, b.Y + h*sin})
	}
	return out
}

// oriented is a ring that turns as the rectangles of segments do.
func oriented(ring []pt) []pt {
	area := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		area += p.X*q.Y - q.X*p.Y
	}
	if area < 0 {
		for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
			ring[i], ring[j] = ring[j], ring[i]
		}
	}
	return ring
}

// dashes are the parts of a line that dashes cover. Lengths are points.
func (r *raster) dashes(line []pt, lengths []float64) [][]pt {
	var out [][]pt
	k, left, on := 0, lengths[0]*r.scale, true
	var now []pt
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		d := math.Hypot(b.X-a.X, b.Y-a.Y)
		for done := 0.0; done < d; {
			if on && now == nil {
				now = []pt{{a.X + (b.X-a.X)*done/d, a.Y + (b.Y-a.Y)*done/d}}
			}
			step := min(left, d-done)
			done, left = done+step, left-step
			if on {
				now = append(now, pt{a.X + (b.X-a.X)*done/d, a.Y + (b.Y-a.Y)*done/d})
			}
			if left <= 1e-9 {
				if on {
					out, now = append(out, now), nil
				}
				k, on = (k+1)%len(lengths), !on
				left = max(lengths[k]*r.scale, 1e-3)
				r.poll(len(out))
			}
		}
	}
	if now != nil {
		out = append(out, now)
	}
	return out
}

// straight reports whether all lines are along the axes, and few.
func straight(rings [][]pt) bool {
	n := 0
	for _, ring := range rings {
		if n += len(ring); n > 10 {
			return false
		}
		for i := 1; i < len(ring); i++ {
			if ring[i].X != ring[i-1].X && ring[i].Y != ring[i-1].Y {
				return false
			}
		}
	}
	return true
}

// snap puts lines where they cover whole pixels.
func snap(rings [][]pt, width float64) {
	shift := 0.0
	if int(math.Round(max(width, 1)))%2 == 1 {
		shift = 0.5
	}
	for _, ring := range rings {
		for i := range ring {
			ring[i].X, ring[i].Y = math.Floor(ring[i].X-shift+0.5)+shift, math.Floor(ring[i].Y-shift+0.5)+shift
		}
	}
}

func (r *raster) Text(t run) {
	if p := t.path(); p != nil {
		r.Fill(p, t.color)
	}
}

func (r *raster) Image(b box, img *image.NRGBA, smooth bool) {
	to := r.img
	high := float64(to.Bounds().Dy())
	x0, x1 := (b.x0-r.left)*r.scale, (b.x1-r.left)*r.scale
	y0, y1 := high-(b.y1-r.low)*r.scale, high-(b.y0-r.low)*r.scale
	rect := image.Rect(int(math.Round(x0)), int(math.Round(y0)), int(math.Round(x1)), int(math.Round(y1)))
	stddraw.Draw(to, rect, resized(img, rect.Dx(), rect.Dy(), smooth, r.poll), image.Point{}, stddraw.Over)
}

// resized is a picture of w by h pixels. Where it has fewer than the original each is the mean of
// those that it stands for.
func resized(img *image.NRGBA, w, h int, smooth bool, poll func(i int)) *image.NRGBA {
	from := img.Bounds()
	if w == from.Dx() && h == from.Dy() || w <= 0 || h <= 0 || from.Empty() {
		return img
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	sx, sy := float64(from.Dx())/float64(w), float64(from.Dy())/float64(h)
	for y := range h {
		poll(0)
		for x := range w {
			var c Color
			switch {
			case smooth && sx < 1 && sy < 1:
				c = bilinear(img, (float64(x)+0.5)*sx-0.5, (float64(y)+0.5)*sy-0.5)
			case sx > 1 || sy > 1:
				c = mean(img, float64(x)*sx, float64(y)*sy, float64(x+1)*sx, float64(y+1)*sy)
			default:
				c = img.NRGBAAt(int((float64(x)+0.5)*sx), int((float64(y)+0.5)*sy))
			}
			out.SetNRGBA(x, y, c)
		}
	}
	return out
}

func bilinear(img *image.NRGBA, x, y float64) Color {
	b := img.Bounds()
	x, y = min(max(x, 0), float64(b.Dx()-1)), min(max(y, 0), float64(b.Dy()-1))
	i, j := int(x), int(y)
	i1, j1 := min(i+1, b.Dx()-1), min(j+1, b.Dy()-1)
	return blend(blend(img.NRGBAAt(i, j), img.NRGBAAt(i1, j), x-float64(i)), blend(img.NRGBAAt(i, j1), img.NRGBAAt(i1, j1), x-float64(i)), y-float64(j))
}

func blend(a, b Color, t float64) Color {
	mix := func(x, y uint8) float64 { return (float64(x) + t*(float64(y)-float64(x))) / 255 }
	return palette.Of(mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A))
}

func mean(img *image.NRGBA, x0, y0, x1, y1 float64) Color {
	var r, g, b, a, n float64
	for y := int(y0); y < max(int(math.Ceil(y1)), int(y0)+1) && y < img.Bounds().Dy(); y++ {
		for x := int(x0); x < max(int(math.Ceil(x1)), int(x0)+1) && x < img.Bounds().Dx(); x++ {
			c := img.NRGBAAt(x, y)
			w := float64(c.A)
			r, g, b, a, n = r+w*float64(c.R), g+w*float64(c.G), b+w*float64(c.B), a+w, n+1
		}
	}
	if a == 0 {
		return palette.None
	}
	return palette.Of(r/a/255, g/a/255, b/a/255, a/n/255)
}

func (r *raster) bytes() ([]byte, error) {
	out := asking{poll: r.poll}
	err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&out, r.img)
	return out.Bytes(), err
}

// asking is a buffer that asks before each write whether to go on.
type asking struct {
	bytes.Buffer
	poll func(i int)
}

func (a *asking) Write(b []byte) (int, error) {
	a.poll(0)
	return a.Buffer.Write(b)
}
