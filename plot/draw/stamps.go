package draw

import (
	"image"
	"image/color"
	"math"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"golang.org/x/image/vector"
)

// maxMarks is up to how many markers are drawn one by one. More are stamped onto one picture.
const maxMarks = 3000

// stampScale is how many pixels of that picture a point has.
const stampScale = 200.0 / 72

// A look is how a marker appears: comparable, so that stamps are made once.
type look struct {
	shape      string
	size       float64
	face, edge Color
	edgeWidth  float64
}

func lookOf(m plot.Marker, alpha float64) look {
	return look{m.Shape, m.Size, faded(m.Face, alpha), faded(m.Edge, alpha), m.EdgeWidth}
}

// points draws a scatter.
func (p *page) points(s *plot.Points, v view) {
	limits := v.limits(&s.Base)
	largest := 0.0
	for _, a := range s.Areas {
		if a > largest { // nan is not
			largest = a
		}
	}
	near := limits.grown(p.reach(plot.Marker{Size: math.Sqrt(largest), EdgeWidth: s.EdgeWidth}))
	var where []pt
	var index []int
	for i := range s.X {
		p.poll(i)
		if q := v.point(&s.Base, s.X[i], s.Y[i]); near.has(q) {
			where, index = append(where, q), append(index, i)
		}
	}
	if p.dots {
		p.dotted(where)
		return
	}
	style := func(k int) plot.Marker {
		i := index[k]
		m := plot.Marker{Shape: s.Shape, EdgeWidth: s.EdgeWidth}
		m.Size = math.Sqrt(max(s.Areas[i%len(s.Areas)], 0))
		switch {
		case len(s.Values) > 0:
			m.Face = s.Scale.Color(s.Values[i%len(s.Values)])
		case len(s.Faces) > 0:
			m.Face = s.Faces[i%len(s.Faces)]
		}
		m.Edge = m.Face
		if len(s.Edges) > 0 && !plot.Unfilled(s.Shape) {
			m.Edge = s.Edges[i%len(s.Edges)]
		}
		return m
	}
	if len(where) > maxMarks {
		p.stamps(where, func(k int) look { return lookOf(style(k), s.Alpha) }, limits)
		return
	}
	for k := 0; k < len(where); { // neighbours that look alike are one path
		m := style(k)
		j := k + 1
		for j < len(where) && style(j) == m {
			j++
		}
		mark(p.canvas, m, s.Alpha, where[k:j], limits)
		k = j
	}
}

// dotted draws points as short as a line can be.
func (p *page) dotted(points []pt) {
	for _, q := range points {
		p.canvas.Stroke(polyline([]pt{q}, false), stroke{color: palette.Black})
	}
}

// stamps draws many markers as one picture of what lies within limits, and on the page.
func (p *page) stamps(where []pt, style func(k int) look, limits box) {
	area := limits.and(pageOf(p.figure))
	w, h := int(math.Ceil(area.width()*stampScale)), int(math.Ceil(area.height()*stampScale))
	if w <= 0 || h <= 0 || w*h > maxPixels {
		return
	}
	across, up := float64(w)/area.width(), float64(h)/area.height()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	cache := map[stampKey]*image.Alpha{}
	// From the last, which lies above, to the first: what is hidden already costs nothing.
	for k := len(where) - 1; k >= 0; k-- {
		p.poll(k)
		q, l := where[k], style(k)
		x, y := int(math.Floor((q.X-area.x0)*across)), int(math.Floor((area.y1-q.Y)*up))
		if plot.Unfilled(l.shape) {
			under(img, stamp(cache, l.shape, l.size, l.edgeWidth), x, y, l.face)
			continue
		}
		size := l.size
		edged := l.edge.A > 0 && l.edgeWidth > 0
		switch {
		case edged && l.edge == l.face:
			size += l.edgeWidth
		case edged:
			size = max(size-l.edgeWidth, 0)
		}
		if l.face.A > 0 {
			under(img, stamp(cache, l.shape, size, 0), x, y, l.face)
		}
		if edged && l.edge != l.face {
			under(img, stamp(cache, l.shape, l.size+l.edgeWidth, 0), x, y, l.edge)
		}
	}
	out := image.NewNRGBA(img.Bounds())
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i+3] != 0 {
			c := color.NRGBAModel.Convert(color.RGBA{R: img.Pix[i], G: img.Pix[i+1], B: img.Pix[i+2], A: img.Pix[i+3]}).(color.NRGBA)
			out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = c.R, c.G, c.B, c.A
		}
	}
	p.canvas.Image(area, out, true)
}

type stampKey struct {
	shape      string
	size, edge int // quarters of pixels
}

// stamp is the mask of a marker, whose middle is the middle of the picture.
func stamp(cache map[stampKey]*image.Alpha, shape string, size, edge float64) *image.Alpha {
	key := stampKey{shape, int(math.Round(size * stampScale * 4)), int(math.Round(edge * stampScale * 4))}
	if m, ok := cache[key]; ok {
		return m
	}
	s := signs()[shape]
	big := min(float64(key.size)/4, 1<<11)
	n := int(math.Ceil(big*1.5+float64(key.edge)/4)) + 2
	n |= 1
	mask := image.NewAlpha(image.Rect(0, 0, n, n))
	r := vector.NewRasterizer(n, n)
	middle := float64(n) / 2
	path := s.add(nil, middle, middle, big)
	if s.lines != nil {
		path = thick(s, middle, big, max(float64(key.edge)/4, 1))
	}
	for _, c := range path {
		x, y := float32(c.Pos.X), float32(float64(n)-c.Pos.Y)
		switch c.kind {
		case moveTo:
			r.MoveTo(x, y)
		case lineTo:
			r.LineTo(x, y)
		case curveTo:
			a, b := c.Control[0], c.Control[len(c.Control)-1]
			r.CubeTo(float32(a.X), float32(float64(n)-a.Y), float32(b.X), float32(float64(n)-b.Y), x, y)
		case closing:
			r.ClosePath()
		}
	}
	r.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	cache[key] = mask
	return mask
}

// thick are the lines of a marker as areas.
func thick(s sign, middle, size, width float64) trace {
	var p trace
	for _, line := range s.lines {
		a, b := line[0], line[1]
		x0, y0, x1, y1 := middle+size*a.X, middle+size*a.Y, middle+size*b.X, middle+size*b.Y
		d := math.Hypot(x1-x0, y1-y0)
		nx, ny := -(y1-y0)/d*width/2, (x1-x0)/d*width/2
		p = append(p, polyline(ring(x0+nx, y0+ny, x1+nx, y1+ny, x1-nx, y1-ny, x0-nx, y0-ny), true)...)
	}
	return p
}

// opaque is from which alpha on nothing is seen of what lies below, and what is laid there, of an
// alpha itself, adds nothing.
func opaque(alpha uint8) uint8 { return 254 - 127/max(alpha, 1) }

// under lays a colour through a mask below what a picture has, which need not be done where that
// hides it.
func under(img *image.RGBA, mask *image.Alpha, x, y int, c Color) {
	n := mask.Bounds().Dx()
	enough := opaque(c.A)
	if c.A == 0 || hidden9(img, x, y, n/2, enough) {
		return
	}
	x, y = x-n/2, y-n/2
	r, g, b, a := uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A)
	for j := max(0, -y); j < n && y+j < img.Rect.Max.Y; j++ {
		row := mask.Pix[j*mask.Stride : j*mask.Stride+n]
		for i := max(0, -x); i < n && x+i < img.Rect.Max.X; i++ {
			d := img.Pix[(y+j)*img.Stride+4*(x+i):]
			if row[i] == 0 || d[3] >= enough {
				continue
			}
			cover := (uint32(row[i])*a*uint32(255-d[3]) + 32512) / 65025
			d[0] += uint8((r*cover + 127) / 255)
			d[1] += uint8((g*cover + 127) / 255)
			d[2] += uint8((b*cover + 127) / 255)
			d[3] += uint8(cover)
		}
	}
}

// hidden9 looks at nine points of a square around x, y.
func hidden9(img *image.RGBA, x, y, r int, enough uint8) bool {
	for j := -1; j <= 1; j++ {
		for i := -1; i <= 1; i++ {
			u, v := x+i*r*2/3, y+j*r*2/3
			if u >= 0 && v >= 0 && u < img.Rect.Max.X && v < img.Rect.Max.Y && img.Pix[v*img.Stride+4*u+3] < enough {
				return false
			}
		}
	}
	return true
}
