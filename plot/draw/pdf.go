package draw

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"strconv"
	"strings"

	"github.com/arignote/arignote/plot"
)

// pdf is a canvas that writes one page of PDF. Letters are areas, so that the file needs no font,
// and nothing in it depends on the time.
type pdf struct {
	page      bytes.Buffer
	left, low float64
	alphas    []uint8  // that graphics states were made for
	images    [][]byte // streams of pictures, each after that of its alphas
	sizes     []image.Point
}

func (p *pdf) xy(q pt) string { return number(q.X-p.left) + " " + number(q.Y-p.low) }

// path writes the operators of a path.
func (p *pdf) path(t trace) {
	last := pt{}
	for _, s := range t {
		switch s.kind {
		case moveTo:
			p.page.WriteString(p.xy(s.Pos) + " m\n")
		case lineTo:
			p.page.WriteString(p.xy(s.Pos) + " l\n")
		case curveTo:
			a, b := s.Control[0], s.Control[len(s.Control)-1]
			if len(s.Control) == 1 { // PDF has cubic curves only
				third := func(p, q float64) float64 { return p + (q-p)*2/3 }
				c := a
				a, b = pt{third(last.X, c.X), third(last.Y, c.Y)}, pt{third(s.Pos.X, c.X), third(s.Pos.Y, c.Y)}
			}
			p.page.WriteString(p.xy(a) + " " + p.xy(b) + " " + p.xy(s.Pos) + " c\n")
		case closing:
			p.page.WriteString("h\n")
		}
		last = s.Pos
	}
}

// color sets a colour, of areas by rg and of lines by RG, and its alpha.
func (p *pdf) color(c Color, operator string) {
	level := func(v uint8) string { return strconv.FormatFloat(float64(v)/255, 'f', 3, 64) }
	fmt.Fprintf(&p.page, "/A%d gs %s %s %s %s\n", p.alpha(c.A), level(c.R), level(c.G), level(c.B), operator)
}

func (p *pdf) alpha(a uint8) int {
	for i, b := range p.alphas {
		if a == b {
			return i
		}
	}
	p.alphas = append(p.alphas, a)
	return len(p.alphas) - 1
}

func (p *pdf) Fill(t trace, c Color) {
	p.color(c, "rg")
	p.path(t)
	p.page.WriteString("f\n")
}

func (p *pdf) Stroke(t trace, s stroke) {
	p.color(s.color, "RG")
	cap := 2
	if s.butt || s.dash != nil {
		cap = 0
	}
	parts := make([]string, len(s.dash))
	for i, d := range s.dash {
		parts[i] = number(d)
	}
	fmt.Fprintf(&p.page, "%s w %d J 1 j [%s] 0 d\n", number(s.width), cap, strings.Join(parts, " "))
	p.path(t)
	p.page.WriteString("S\n")
}

func (p *pdf) Text(r run) {
	if t := r.path(); t != nil {
		p.Fill(t, r.color)
	}
}

func (p *pdf) Image(b box, img *image.NRGBA, _ bool) {
	size := img.Bounds().Size()
	colors, alphas := make([]byte, 0, 3*size.X*size.Y), make([]byte, 0, size.X*size.Y)
	for y := range size.Y {
		for x := range size.X {
			c := img.NRGBAAt(x, y)
			colors, alphas = append(colors, c.R, c.G, c.B), append(alphas, c.A)
		}
	}
	n := len(p.images) / 2
	p.images, p.sizes = append(p.images, packed(alphas), packed(colors)), append(p.sizes, size)
	fmt.Fprintf(&p.page, "q /A%d gs %s 0 0 %s %s cm /I%d Do Q\n", p.alpha(255), number(b.width()), number(b.height()), p.xy(pt{b.x0, b.y0}), n)
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b) // a buffer takes all
	w.Close()
	return out.Bytes()
}

// PDF is a figure as one page of PDF.
func PDF(f *plot.Figure, o Output) (file []byte, err error) {
	defer protect(&err)
	Settle(f)
	b := part(f, o.Tight)
	p := &pdf{left: b.x0, low: b.y0}
	if c := o.background(f); c.A > 0 {
		p.Fill(b.path(), c)
	}
	drawOpen(f, p, o)
	return p.bytes(b), nil
}

// bytes puts the objects of the file together: catalogue, pages, page, content, and pictures.
func (p *pdf) bytes(b box) []byte {
	var out bytes.Buffer
	var offsets []int
	out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	object := func(format string, args ...any) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&out, format, args...)
		out.WriteString("\nendobj\n")
	}
	stream := func(dict string, data []byte) {
		object("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
	}
	var states, pictures strings.Builder
	for i, a := range p.alphas {
		v := number(float64(a) / 255)
		fmt.Fprintf(&states, "/A%d << /ca %s /CA %s >> ", i, v, v)
	}
	const first = 5 // the object of the first picture
	for i := range p.sizes {
		fmt.Fprintf(&pictures, "/I%d %d 0 R ", i, first+2*i+1)
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /ExtGState << %s>> /XObject << %s>> >> >>",
		number(b.width()), number(b.height()), states.String(), pictures.String())
	stream("", packed(p.page.Bytes()))
	for i, size := range p.sizes {
		shape := fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8", size.X, size.Y)
		stream(shape+" /ColorSpace /DeviceGray", p.images[2*i])
		stream(fmt.Sprintf("%s /ColorSpace /DeviceRGB /SMask %d 0 R", shape, first+2*i), p.images[2*i+1])
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.Bytes()
}
