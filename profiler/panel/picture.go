package panel

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	graphs "github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/profiler/units"
)

// A picture is an image in the page itself. Front ends drop inline <svg>, and keep an image of it.
type picture struct {
	Src           template.URL
	Width, Height int
	Alt           string
}

// A curve is a step function: the value y[i] from x[i] to x[i+1].
type curve struct {
	x      []float64 // one more than y
	y      []float64
	colour string
	fill   bool
}

// A chart has one or more curves over the same axes, from 0 up.
type chart struct {
	alt    string
	curves []curve
	x, y   string // the end of the x axis, and what is drawn over it
	marks  []mark
	// A dashed line across, and what it is; none at 0.
	level     float64
	levelText string
}

// A mark names a point.
type mark struct {
	x, y float64
	text string
}

// maxSteps keeps a picture small: of more steps, the highest of each run of neighbours is drawn.
const maxSteps = 240

func (c curve) thinned() curve {
	n := (len(c.y) + maxSteps - 1) / maxSteps
	if n <= 1 {
		return c
	}
	t := curve{colour: c.colour, fill: c.fill}
	for i := 0; i < len(c.y); i += n {
		end := min(i+n, len(c.y))
		top := c.y[i]
		for _, v := range c.y[i:end] {
			top = max(top, v)
		}
		t.x, t.y = append(t.x, c.x[i]), append(t.y, top)
	}
	t.x = append(t.x, c.x[len(c.x)-1])
	return t
}

// draw makes an image that reads on light and on dark pages: its colours are halfway, and its
// ground is clear.
func (c chart) draw() *picture {
	const width, height, left, right, top, bottom = 640, 150, 8, 8, 18, 18
	var xMax, yMax float64
	for _, k := range c.curves {
		xMax = max(xMax, k.x[len(k.x)-1])
		for _, v := range k.y {
			yMax = max(yMax, v)
		}
	}
	yMax = max(yMax, c.level)
	px := func(x float64) float64 { return left + units.Ratio(x, xMax)*(width-left-right) }
	py := func(y float64) float64 { return height - bottom - units.Ratio(y, yMax)*(height-top-bottom) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11" fill="#888">`,
		width, height, width, height)
	fmt.Fprintf(&b, `<path d="M%d %dH%d" stroke="#888" stroke-opacity=".6"/>`, left, height-bottom, width-right)
	for _, k := range c.curves {
		k := k.thinned()
		var path strings.Builder
		fmt.Fprintf(&path, "M%.1f %.1f", px(k.x[0]), py(0))
		for i, v := range k.y {
			fmt.Fprintf(&path, "H%.1fV%.1f", px(k.x[i]), py(v))
		}
		fmt.Fprintf(&path, "H%.1fV%.1f", px(k.x[len(k.x)-1]), py(0))
		fill := "none"
		if k.fill {
			fill = "rgba(" + k.colour + ",.3)"
		}
		fmt.Fprintf(&b, `<path d="%s" fill="%s" stroke="rgb(%s)" stroke-width="1.3"/>`, path.String(), fill, k.colour)
	}
	if c.level > 0 {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="rgb(%s)" stroke-dasharray="4 3"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`, left,
			py(c.level), width-right, orange, width-right, max(py(c.level)-4, 11), template.HTMLEscapeString(c.levelText))
	}
	for _, m := range c.marks {
		x, anchor := px(m.x), "middle"
		switch {
		case x < 110:
			x, anchor = max(x, left), "start"
		case x > width-110:
			x, anchor = min(x, width-right), "end"
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="rgb(%s)"/><text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, px(m.x), py(m.y), red, x,
			max(py(m.y)-6, 11), anchor, template.HTMLEscapeString(m.text))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text><text x="%d" y="%d" text-anchor="end">%s</text></svg>`, left, height-5,
		template.HTMLEscapeString(c.y), width-right, height-5, template.HTMLEscapeString(c.x))
	return &picture{imageOf(b.String()), width, height, c.alt}
}

// imageOf is an SVG as the address of an image.
func imageOf(svg string) template.URL {
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg)))
}

// The picture of a graph has at most maxDrawn nodes, and is scaled to be no wider than widest
// pixels: more could not be read on the page of a notebook.
const (
	maxDrawn = 15
	widest   = 860
)

// graph draws the dearest nodes of the dearest function, and what joins them.
func (v *view) graph() (fold, bool) {
	if !v.pictures || v.nodes == 0 || !v.opts.Shows(profiler.ByApply) {
		return fold{}, false
	}
	dear := slices.MaxFunc(v.Functions, func(a, b *profiler.Function) int { return cmp.Compare(a.ThunkTime(), b.ThunkTime()) })
	part, ok := graphs.Dearest(dear, maxDrawn, v.ids[dear.Nodes[0]])
	if !ok || part.Nodes < 2 {
		return fold{}, false
	}
	what := "all " + units.Plural(int64(part.Nodes), "node")
	if all := len(dear.Nodes); part.Nodes < all {
		what = fmt.Sprintf("the dearest %d of %s, %s of their time", part.Nodes, units.Plural(int64(all), "node"), units.Share(part.Fraction))
	}
	if len(v.Functions) > 1 {
		what += ", of " + units.Short(units.OneLine(dear.Title()), 40)
	}
	scale := min(1, widest/part.Width)
	return fold{Title: "Graph", Facts: what, Picture: &picture{imageOf(part.SVG), int(scale * part.Width), int(scale * part.Height), "The graph: " + what + ", and what joins them."},
		Caption: "The redder, the more time. An arrow goes to what needs a result, maybe through nodes that are not shown."}, true
}
