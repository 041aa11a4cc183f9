package pyplot

import (
	"slices"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type histArgs struct {
	X          starlark.Value `arg:"x: values, or a list of several sets"`
	Bins       starlark.Value `arg:"bins=None: how many, the edges, or a rule of np.histogram's such as 'auto'; 10 if not given"`
	Range      starlark.Value `arg:"range=None: (low, high), what lies outside is left out"`
	Density    bool           `arg:"density=False: the area is one"`
	Weights    starlark.Value `arg:"weights=None: what each value counts"`
	Cumulative starlark.Value `arg:"cumulative=False: each bin has those before it too"`
	Bottom     starlark.Value `arg:"bottom=None: where the bars begin"`
	Type       string         `arg:"histtype=\"bar\": 'bar', 'barstacked', 'step' or 'stepfilled'"`
	Align      string         `arg:"align=\"mid\": where bars stand: 'mid', or in the middle of the 'left' or 'right' edges"`
	Turned     string         `arg:"orientation=\"vertical\": 'vertical' or 'horizontal'"`
	RWidth     *float64       `arg:"rwidth=None: how wide bars are, in bins"`
	Log        bool           `arg:"log=False: a logarithmic axis of counts"`
	Stacked    bool           `arg:"stacked=False: sets stand on each other"`
	faceArgs
	common
}

func hist(c *call, a *histArgs) (starlark.Value, error) {
	if err := oneOf("histtype", a.Type, "bar", "barstacked", "step", "stepfilled"); err != nil {
		return nil, err
	}
	if err := oneOf("orientation", a.Turned, "vertical", "horizontal"); err != nil {
		return nil, err
	}
	if err := oneOf("align", a.Align, "left", "mid", "right"); err != nil {
		return nil, err
	}
	return c.hist(a)
}

func (c *call) hist(a *histArgs) (starlark.Value, error) {
	values, heights := c.ax.a.X, c.ax.a.Y
	if a.Turned == "horizontal" {
		values, heights = heights, values
	}
	sets, err := c.sets("x", a.X, values)
	if err != nil {
		return nil, err
	}
	counts, edges, err := c.counts(sets, a)
	if err != nil {
		return nil, err
	}
	base, err := a.base(1)
	if err != nil {
		return nil, err
	}
	names := []string{base.Label}
	if a.Label != nil && len(sets) > 1 {
		if list, ok := textsOf(a.Label); ok {
			names = list
		}
	}
	stacked := a.Stacked || a.Type == "barstacked"
	low := make([]float64, len(edges)-1)
	if a.Bottom != nil {
		if low, err = c.numbers("bottom", a.Bottom, nil); err == nil {
			low, err = repeat("bottom", low, len(edges)-1)
		}
		if err != nil {
			return nil, err
		}
	}
	if a.Log {
		heights.SetLog(true)
	}
	var patches []starlark.Value
	var bars []*plot.Polygons
	for k := range sets {
		b := base
		b.Label = ""
		if k < len(names) {
			b.Label = names[k]
		}
		set := *a
		if err := set.colorOf(k, len(sets)); err != nil {
			return nil, err
		}
		g, drawn, err := c.histBars(&set, counts[k], edges, low, k, len(sets), stacked, b)
		if err != nil {
			return nil, err
		}
		bars, patches = append(bars, g), append(patches, drawn)
		if stacked {
			next := make([]float64, len(low))
			for i := range low {
				next[i] = low[i] + counts[k][i]
			}
			low = next
		}
	}
	if a.Type == "step" || a.Type == "stepfilled" { // what stands lower lies above
		slices.Reverse(bars)
	}
	for _, g := range bars {
		c.ax.a.Add(g)
	}
	if len(sets) == 1 {
		return starlark.Tuple{c.vector(counts[0]), c.vector(edges), patches[0]}, nil
	}
	var rows []starlark.Value
	for k, r := range counts {
		if stacked && k > 0 {
			for i := range r {
				r[i] += counts[k-1][i]
			}
		}
		rows = append(rows, c.vector(r))
	}
	return starlark.Tuple{slot.NewList(rows), c.vector(edges), slot.NewList(patches)}, nil
}

// colorOf leaves of a list of colours that of one of n sets.
func (a *histArgs) colorOf(k, n int) error {
	if a.Color == nil || n == 1 {
		return nil
	}
	list, err := colorsOf(a.Color)
	if err != nil {
		return err
	}
	if len(list) != n && len(list) != 1 {
		return valueError("The 'color' keyword argument must have one color per dataset, but %d datasets and %d colors were provided", n, len(list))
	}
	a.Color = starlark.String(palette.Hex(list[k%len(list)]))
	return nil
}

// aside is how far the bars of a histogram are moved, in bins.
var aside = map[string]float64{"left": -0.5, "mid": 0, "right": 0.5}

// histBars are the bars of one of several sets, or its outline.
func (c *call) histBars(a *histArgs, counts, edges, low []float64, k, n int, stacked bool, base plot.Base) (*plot.Polygons, starlark.Value, error) {
	faces, pens, err := a.fill(c.ax.a.NextColor, c.ax.a.Figure.Style.PatchEdge)
	if err != nil {
		return nil, nil, err
	}
	g := &plot.Polygons{Base: base}
	flip := a.Turned == "horizontal"
	if flip {
		g.StickyX = []float64{0}
	} else {
		g.StickyY = []float64{0}
	}
	if a.Type == "step" || a.Type == "stepfilled" {
		s := plot.Shape{Rings: [][]plot.Point{histOutline(counts, edges, low, a, flip)}, Face: faces[0], Edge: pens[0]}
		if a.Type == "step" {
			s.Open, s.Face = true, palette.None
			if g.Z++; a.Z != nil {
				g.Z = *a.Z
			}
			if a.Edge == nil {
				s.Edge.Color, s.Edge.None = faces[0], false
			}
		}
		g.Shapes = []plot.Shape{s}
		return g, slot.NewList([]starlark.Value{&artist{typ: "Polygon", art: g, ax: c.ax}}), nil
	}
	g.Contained = true
	// In parts of a bin: how wide all bars of it are together, and where this one begins.
	share, beside := 1.0, n > 1 && !stacked
	if beside {
		share = 0.8
	}
	if a.RWidth != nil {
		share = min(max(*a.RWidth, 0), 1)
	}
	part, first := share, (1-share)/2+aside[a.Align]
	if beside {
		part = share / float64(n)
		first += part * float64(k)
	}
	var parts []starlark.Value
	for i := range counts {
		wide := edges[i+1] - edges[i]
		r := bar{edges[i] + first*wide, low[i], part * wide, counts[i], i}
		if flip {
			r = bar{r.y, r.x, r.height, r.width, i}
		}
		g.Shapes = append(g.Shapes, plot.Rectangle(r.x, r.y, r.x+r.width, r.y+r.height, faces[i%len(faces)], pens[i%len(pens)]))
		parts = append(parts, &artist{typ: "Rectangle", art: g, ax: c.ax, rect: &r})
	}
	return g, c.ax.contain("BarContainer", g, parts), nil
}

// histOutline leads over the bars from the lower end of the first to that of the last and, of areas
// that are filled, back below them.
func histOutline(counts, edges, low []float64, a *histArgs, flip bool) []plot.Point {
	shift := aside[a.Align] * (edges[1] - edges[0])
	n := len(counts)
	ring := []plot.Point{{X: edges[0], Y: low[0]}}
	for i := range counts {
		ring = append(ring, plot.Point{X: edges[i], Y: low[i] + counts[i]}, plot.Point{X: edges[i+1], Y: low[i] + counts[i]})
	}
	ring = append(ring, plot.Point{X: edges[n], Y: low[n-1]})
	for i := n - 1; i > 0 && a.Type == "stepfilled"; i-- {
		ring = append(ring, plot.Point{X: edges[i], Y: low[i]}, plot.Point{X: edges[i], Y: low[i-1]})
	}
	for i, p := range ring {
		if p.X += shift; flip {
			p.X, p.Y = p.Y, p.X
		}
		ring[i] = p
	}
	return ring
}

// sets are the vectors of a list of vectors, the columns of a matrix, or one vector.
func (c *call) sets(name string, v starlark.Value, axis *plot.Axis) ([][]float64, error) {
	if seq, ok := v.(starlark.Indexable); ok && seq.Len() > 0 {
		if _, isArray := v.(*np.Array); !isArray {
			if _, nested := value.Elements(seq.Index(0)); nested {
				if _, isText := starlark.AsString(seq.Index(0)); !isText {
					list := make([][]float64, seq.Len())
					for i := range list {
						var err error
						if list[i], err = c.numbers(name, seq.Index(i), axis); err != nil {
							return nil, err
						}
					}
					return list, nil
				}
			}
		}
	}
	columns, _, err := c.columns(name, v, axis)
	return columns, err
}

// counts are how many values of each set lie in each bin. All sets have the same bins.
func (c *call) counts(sets [][]float64, a *histArgs) (counts [][]float64, edges []float64, err error) {
	bins := a.Bins
	if bins == nil {
		bins = starlark.MakeInt(c.ax.a.Figure.Style.Bins)
	}
	var all []float64
	for _, s := range sets {
		for _, x := range s {
			if x == x { // nan is in no bin
				all = append(all, x)
			}
		}
	}
	var weights [][]float64
	if a.Weights != nil {
		if rule, ok := starlark.AsString(bins); ok {
			return nil, nil, typeError("bins: got %q: rules do not know weights; give a number", rule)
		}
		if weights, err = c.sets("weights", a.Weights, nil); err != nil {
			return nil, nil, err
		}
	}
	kwargs := []starlark.Tuple{}
	if a.Range != nil {
		kwargs = append(kwargs, starlark.Tuple{starlark.String("range"), a.Range})
	}
	found, err := np.CallFunction(c.thread, "histogram_bin_edges", starlark.Tuple{c.vector(all), bins}, kwargs)
	if err != nil {
		return nil, nil, err
	}
	if edges, err = c.numbers("bins", found, nil); err != nil {
		return nil, nil, err
	}
	for k, s := range sets {
		kw := []starlark.Tuple{}
		if weights != nil {
			if k >= len(weights) || len(weights[k]) != len(s) {
				return nil, nil, valueError("weights should have the same shape as x")
			}
			kw = append(kw, starlark.Tuple{starlark.String("weights"), c.vector(weights[k])})
		} else {
			s = slices.DeleteFunc(slices.Clone(s), func(x float64) bool { return x != x })
		}
		got, err := np.CallFunction(c.thread, "histogram", starlark.Tuple{c.vector(s), c.vector(edges)}, kw)
		if err != nil {
			return nil, nil, err
		}
		n, err := c.numbers("counts", got.(starlark.Tuple)[0], nil)
		if err != nil {
			return nil, nil, err
		}
		counts = append(counts, n)
	}
	total := 0.0
	for k, n := range counts {
		sum := 0.0
		for i := range n {
			sum += n[i]
		}
		total += sum
		if a.Density && !a.Stacked {
			for i := range n {
				counts[k][i] /= sum * (edges[i+1] - edges[i])
			}
		}
	}
	for k, n := range counts {
		if a.Density && a.Stacked {
			for i := range n {
				counts[k][i] /= total * (edges[i+1] - edges[i])
			}
		}
		accumulate(counts[k], edges, a)
	}
	return counts, edges, nil
}

func accumulate(n, edges []float64, a *histArgs) {
	if a.Cumulative == nil || !bool(a.Cumulative.Truth()) {
		return
	}
	if a.Density {
		for i := range n {
			n[i] *= edges[i+1] - edges[i]
		}
	}
	if d, ok := starlark.AsFloat(value.NumberOf(a.Cumulative)); ok && d < 0 {
		for i := len(n) - 2; i >= 0; i-- {
			n[i] += n[i+1]
		}
		return
	}
	for i := 1; i < len(n); i++ {
		n[i] += n[i-1]
	}
}
