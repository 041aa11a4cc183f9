package draw

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/plot/palette"
)

// svg is a canvas that writes SVG. It has neither identifiers nor references, so that several can
// stand on one page, and its texts keep their widths in whatever font they are shown.
type svg struct {
	body          bytes.Buffer
	left, top     float64 // what of the canvas is the upper left corner
	width, height float64
}

// number writes a coordinate with two decimals.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}

func (s *svg) xy(p pt) (string, string) {
	return number(p.X - s.left), number(s.top - p.Y)
}

// data is a path in SVG's letters.
func (s *svg) data(p trace) string {
	var b strings.Builder
	for _, c := range p {
		x, y := s.xy(c.Pos)
		switch c.kind {
		case moveTo:
			b.WriteString("M" + x + " " + y)
		case lineTo:
			b.WriteString("L" + x + " " + y)
		case closing:
			b.WriteString("Z")
		case curveTo:
			b.WriteString([]string{"", "Q", "C"}[len(c.Control)])
			for _, q := range c.Control {
				u, v := s.xy(q)
				b.WriteString(u + " " + v + " ")
			}
			b.WriteString(x + " " + y)
		}
	}
	return b.String()
}

// paint is the attributes of a colour.
func paint(kind string, c Color) string {
	solid := c
	solid.A = 255
	out := kind + `="` + palette.Hex(solid) + `"`
	if c.A < 255 {
		out += " " + kind + `-opacity="` + strconv.FormatFloat(math.Round(float64(c.A)/255*1000)/1000, 'f', -1, 64) + `"`
	}
	return out
}

func (s *svg) Fill(p trace, c Color) {
	crisp := ""
	if upright(p) { // rectangles side by side leave no seam
		crisp = ` shape-rendering="crispEdges"`
	}
	fmt.Fprintf(&s.body, `<path d="%s" %s%s/>`+"\n", s.data(p), paint("fill", c), crisp)
}

func (s *svg) Stroke(p trace, k stroke) {
	cap := ` stroke-linecap="square"`
	if k.butt || k.dash != nil {
		cap = ""
	}
	dash := ""
	if k.dash != nil {
		parts := make([]string, len(k.dash))
		for i, d := range k.dash {
			parts[i] = number(d)
		}
		dash = ` stroke-dasharray="` + strings.Join(parts, " ") + `"`
	}
	fmt.Fprintf(&s.body, `<path d="%s" fill="none" %s stroke-width="%s" stroke-linejoin="round"%s%s/>`+"\n", s.data(p), paint("stroke", k.color),
		number(k.width), cap, dash)
}

func (s *svg) Text(r run) {
	x, y := s.xy(at(r.x, r.y))
	more := ""
	if r.angle != 0 {
		more += fmt.Sprintf(` transform="rotate(%s %s %s)"`, number(-r.angle*180/math.Pi), x, y)
	}
	if r.bold {
		more += ` font-weight="bold"`
	}
	if r.italic {
		more += ` font-style="italic"`
	}
	if strings.TrimSpace(r.text) != "" && r.width > 0 && len(r.text) > 1 {
		more += ` textLength="` + number(r.width) + `"`
		if !r.bold {
			more += ` lengthAdjust="spacingAndGlyphs"`
		}
	}
	fmt.Fprintf(&s.body, `<text x="%s" y="%s" font-size="%s" %s xml:space="preserve"%s>`, x, y, number(r.size), paint("fill", r.color), more)
	xml.EscapeText(&s.body, []byte(printable(r.text)))
	s.body.WriteString("</text>\n")
}

// printable is text without what XML cannot hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}

func (s *svg) Image(r box, img *image.NRGBA, smooth bool) {
	var buf bytes.Buffer
	png.Encode(&buf, img) // a buffer takes all
	x, y := s.xy(at(r.x0, r.y1))
	how := ` style="image-rendering:pixelated"`
	if smooth {
		how = ""
	}
	fmt.Fprintf(&s.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none"%s href="data:image/png;base64,%s"/>`+"\n",
		x, y, number(r.width()), number(r.height()), how, base64.StdEncoding.EncodeToString(buf.Bytes()))
}

// pixelsPerPoint is how large points are on the screen: an inch has 100 pixels, as matplotlib's.
const pixelsPerPoint = 100.0 / 72

func (s *svg) bytes() []byte {
	var out bytes.Buffer
	w, h := s.width, s.height
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" `+
		`font-family="'Liberation Sans', Arial, Helvetica, sans-serif">`+"\n", number(math.Round(w*pixelsPerPoint)), number(math.Round(h*pixelsPerPoint)), number(w), number(h))
	out.Write(s.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}
