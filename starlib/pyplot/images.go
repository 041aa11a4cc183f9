package pyplot

import (
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/plot/ticks"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// imageRows draw matrices.
var imageRows = sync.OnceValue(func() []pair {
	return []pair{
		drawing("imshow", "Draws a matrix as an image, by a colour map, or an image of red, green, blue (and alpha) in its last axis.\n\n"+
			"Row 0 is the upper one, unless origin='lower'.", "imshow([[0, 1], [2, 3]], cmap='gray')", imshow),
		drawing("matshow", "Draws a matrix as imshow does, with the columns' numbers above.", "matshow([[0, 1], [2, 3]])", matshow),
		drawing("pcolormesh", "Draws a matrix as cells, whose edges or middles are x and y. Row 0 is the lower one.", "pcolormesh([[0, 1], [2, 3]])", pcolormesh),
		drawing("pcolor", "Draws a matrix as pcolormesh does.", "pcolor([[0, 1], [2, 3]])", pcolormesh),
		drawing("contour", "Draws lines of equal height of a matrix.", "contour([[0, 1, 2], [1, 2, 3], [2, 3, 5]], levels=4)", func(c *call, a *contourArgs) (starlark.Value, error) {
			return c.contour(a, false)
		}),
		drawing("contourf", "Fills between lines of equal height of a matrix.", "contourf([[0, 1, 2], [1, 2, 3], [2, 3, 5]])", func(c *call, a *contourArgs) (starlark.Value, error) {
			return c.contour(a, true)
		}),
		drawing("clabel", "Writes the heights at the lines that contour drew.", "clabel(plt.contour([[0, 1], [1, 3]]))", clabel),
		drawing("hist2d", "Draws how many points are in each cell, and returns counts, edges of x, edges of y and the image.",
			"hist2d([1, 2, 2], [1, 2, 2], bins=2)", hist2d),
		drawing("spy", "Draws where a matrix is not zero.", "spy([[1, 0], [0, 2]])", spy),
	}
})

// mapOf is the colour map of a name, or the style's.
func (c *call) mapOf(v starlark.Value) (*palette.Map, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return palette.MapOf(c.st.style.Map), nil
	case *mapValue:
		return v.m, nil
	}
	s, ok := starlark.AsString(v)
	if !ok {
		return nil, typeError("cmap: got %s, want the name of a colour map", v.Type())
	}
	if m := palette.MapOf(s); m != nil {
		return m, nil
	}
	near := "; plt.colormaps() lists them"
	if n := config.Closest(s, palette.MapNames()); n != "" {
		near = fmt.Sprintf(" (did you mean %q?)", n)
	}
	return nil, valueError("%q is not a known colormap name%s", s, near)
}

type imshowArgs struct {
	X      starlark.Value `arg:"X: a matrix, or an array [rows, columns, 3 or 4]"`
	Map    starlark.Value `arg:"cmap=None: the name of a colour map: 'viridis', 'gray', 'coolwarm' ..."`
	Norm   starlark.Value `arg:"norm=None: 'log' or 'linear'"`
	Aspect starlark.Value `arg:"aspect=None: 'equal', 'auto', or the height of a unit by its width"`
	Smooth *string        `arg:"interpolation=None: 'nearest' or 'bilinear'"`
	Alpha  starlark.Value `arg:"alpha=None: from 0, which is not seen, to 1"`
	Lo     *float64       `arg:"vmin=None: what has the first colour"`
	Hi     *float64       `arg:"vmax=None: what has the last"`
	Origin *string        `arg:"origin=None: 'upper' or 'lower', where row 0 is"`
	Extent starlark.Value `arg:"extent=None: (left, right, bottom, top) in data"`
	Label  starlark.Value `arg:"label=None: what the legend calls it"`
	Z      *float64       `arg:"zorder=None: what has more lies above"`
	Clip   starlark.Value `arg:"clip_on=None: accepted"`
	Stage  starlark.Value `arg:"interpolation_stage=None: accepted"`
	Raster starlark.Value `arg:"rasterized=None: accepted"`
}

// smoothings are the interpolations of images; what is smooth is bilinear.
var smoothings = map[string]bool{"nearest": false, "none": false, "None": false, "antialiased": false, "auto": false, "bilinear": true, "bicubic": true,
	"lanczos": true, "gaussian": true, "hanning": true, "spline16": true, "spline36": true}

func imshow(c *call, a *imshowArgs) (starlark.Value, error) {
	im := &plot.Image{Base: plot.Base{Alpha: 1}}
	err := c.setImage(im, a.X)
	if err != nil {
		return nil, err
	}
	if a.Alpha != nil {
		if alpha, ok := starlark.AsFloat(value.NumberOf(a.Alpha)); ok {
			im.Alpha = min(max(alpha, 0), 1)
		} else {
			return nil, typeError("alpha: got %s, want a number from 0 to 1", a.Alpha.Type())
		}
	}
	if a.Z != nil {
		im.Z = *a.Z
	}
	if im.Pixels == nil {
		if im.Scale, err = c.scale(a.Map, a.Norm, im.Values, a.Lo, a.Hi); err != nil {
			return nil, err
		}
	}
	style := c.ax.a.Figure.Style
	im.Smooth = style.Smooth
	if a.Smooth != nil {
		smooth, ok := smoothings[*a.Smooth]
		if !ok {
			return nil, oneOf("interpolation", *a.Smooth, "nearest", "bilinear", "antialiased", "none", "bicubic")
		}
		im.Smooth = smooth
	}
	upper := !style.OriginBelow
	if a.Origin != nil {
		if err := oneOf("origin", *a.Origin, "upper", "lower"); err != nil {
			return nil, err
		}
		upper = *a.Origin == "upper"
	}
	return c.placeImage(a, im, upper)
}

// setImage makes the numbers or the colours of an image those of an array.
func (c *call) setImage(im *plot.Image, v starlark.Value) error {
	d, err := c.array("X", v)
	if err != nil {
		return err
	}
	shape := d.Shape()
	if d.Rank() == 3 && shape[2] == 1 {
		shape = shape[:2]
	}
	switch {
	case len(shape) == 2:
		im.Pixels, im.Values = nil, floats(d)
	case len(shape) == 3 && (shape[2] == 3 || shape[2] == 4):
		p, err := pixels(d)
		if err != nil {
			return err
		}
		im.Pixels, im.Values = p, nil
	default:
		return typeError("Invalid shape %s for image data: want (rows, columns), or (rows, columns, 3 or 4)", tensor.ShapeString(d.Shape()))
	}
	im.Rows, im.Columns = shape[0], shape[1]
	return nil
}

// placeImage puts an image where it lies in data, and the limits around it.
func (c *call) placeImage(a *imshowArgs, im *plot.Image, upper bool) (starlark.Value, error) {
	rows, columns := float64(im.Rows), float64(im.Columns)
	left, right, bottom, top := -0.5, columns-0.5, -0.5, rows-0.5
	if upper {
		bottom, top = top, bottom
	}
	if a.Extent != nil {
		e, err := c.numbers("extent", a.Extent, nil)
		if err != nil || len(e) != 4 || !isFinite(e[0]+e[1]+e[2]+e[3]) {
			return nil, valueError("extent must be (left, right, bottom, top), got %s", value.Repr(a.Extent))
		}
		left, right, bottom, top = e[0], e[1], e[2], e[3]
	}
	im.At = plot.Rect{X0: left, X1: right, Y0: top, Y1: bottom}
	if !upper {
		im.At.Y0, im.At.Y1 = bottom, top
	}
	c.ax.a.Add(im)
	if rows > 0 && columns > 0 {
		c.ax.a.X.Hold(left, right)
		c.ax.a.Y.Hold(bottom, top)
	}
	aspect := a.Aspect
	if aspect == nil {
		aspect = starlark.String("equal")
	}
	if err := setAspect(c.ax.a, aspect); err != nil {
		return nil, err
	}
	c.ax.fig.mappable(im)
	return &artist{typ: "AxesImage", art: im, ax: c.ax}, nil
}

// setAspect sets the height of a unit of y by the width of one of x.
func setAspect(a *plot.Axes, v starlark.Value) error {
	if s, ok := starlark.AsString(v); ok {
		switch s {
		case "equal":
			a.Aspect = 1
		case "auto":
			a.Aspect = 0
		default:
			return oneOf("aspect", s, "equal", "auto")
		}
		return nil
	}
	n, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok || !(n > 0) || math.IsInf(n, 0) {
		return valueError("aspect must be 'equal', 'auto' or a positive number, got %s", value.Repr(v))
	}
	a.Aspect = n
	return nil
}

// pixels is an image of an array of colours: floats from 0 to 1, or integers from 0 to 255.
func pixels(d *tensor.Dense) (*image.NRGBA, error) {
	shape, v := d.Shape(), floats(d)
	scale := 255.0
	if d.DType().IsInteger() {
		scale = 1
	}
	n := shape[2]
	img := image.NewNRGBA(image.Rect(0, 0, shape[1], shape[0]))
	for i := range shape[0] * shape[1] {
		img.Pix[4*i+3] = 255
		for k := range n {
			x := v[i*n+k] * scale
			if x != x {
				x = 0
			}
			img.Pix[4*i+k] = uint8(math.Round(min(max(x, 0), 255)))
		}
	}
	return img, nil
}

func matshow(c *call, a *imshowArgs) (starlark.Value, error) {
	v, err := imshow(c, a)
	if err != nil {
		return nil, err
	}
	asMatrix(c.ax.a)
	return v, nil
}

// asMatrix makes the ticks of axes those of rows and columns, which are counted from above.
func asMatrix(a *plot.Axes) {
	a.X.Far, a.X.Both = true, true
	for _, x := range []*plot.Axis{a.X, a.Y} {
		x.Rule = ticks.Rule{Most: 9, Whole: true, Steps: ticks.Tens}
	}
}

type pcolormeshArgs struct {
	Args    starlark.Tuple `arg:"*args: a matrix, or x, y and a matrix"`
	_       struct{}       `arg:"*:"`
	Map     starlark.Value `arg:"cmap=None: the name of a colour map"`
	Norm    starlark.Value `arg:"norm=None: 'log' or 'linear'"`
	Lo      *float64       `arg:"vmin=None: what has the first colour"`
	Hi      *float64       `arg:"vmax=None: what has the last"`
	Alpha   *float64       `arg:"alpha=None: from 0 to 1"`
	Shading *string        `arg:"shading=None: 'auto', 'flat', 'nearest' or 'gouraud'"`
	Edge    starlark.Value `arg:"edgecolors|edgecolor|ec=None: of the cells"`
	Width   *float64       `arg:"linewidths|linewidth|lw=None: points, of the edges"`
	Raster  starlark.Value `arg:"rasterized=None: accepted"`
	Z       *float64       `arg:"zorder=None: what has more lies above"`
}

// mesh reads the matrix of a mesh or a contour, and its grid.
func (c *call) mesh(what string, args starlark.Tuple) (x, y []float64, d *tensor.Dense, err error) {
	if len(args) != 1 && len(args) != 3 {
		return nil, nil, nil, typeError("%s: got %d arguments, want a matrix, or x, y and a matrix", what, len(args))
	}
	if d, err = c.array("Z", args[len(args)-1]); err != nil {
		return nil, nil, nil, err
	}
	if d.Rank() != 2 {
		return nil, nil, nil, typeError("Input z must be 2D, not %dD", d.Rank())
	}
	if len(args) == 1 {
		return nil, nil, d, nil
	}
	for i, v := range args[:2] {
		g, err := c.array([]string{"x", "y"}[i], v)
		if err != nil {
			return nil, nil, nil, err
		}
		line := floats(g)
		if g.Rank() == 2 { // of np.meshgrid: rows or columns are all the same
			if line, err = gridLine(g, i); err != nil {
				return nil, nil, nil, err
			}
		}
		if i == 0 {
			x = line
		} else {
			y = line
		}
	}
	return x, y, d, nil
}

func gridLine(g *tensor.Dense, axis int) ([]float64, error) {
	all, rows, columns := floats(g), g.Shape()[0], g.Shape()[1]
	var line []float64
	for i := range rows {
		for k := range columns {
			v := all[i*columns+k]
			switch {
			case axis == 0 && i == 0, axis == 1 && k == 0:
				line = append(line, v)
			case axis == 0 && math.Abs(v-line[k]) > 1e-9*(1+math.Abs(v)), axis == 1 && math.Abs(v-line[i]) > 1e-9*(1+math.Abs(v)):
				return nil, valueError("%s is no grid of np.meshgrid: its %s differ; a bent grid is not in Arignote", []string{"x", "y"}[axis], []string{"rows", "columns"}[axis])
			}
		}
	}
	return line, nil
}

func pcolormesh(c *call, a *pcolormeshArgs) (starlark.Value, error) {
	x, y, d, err := c.mesh("pcolormesh", a.Args)
	if err != nil {
		return nil, err
	}
	if a.Shading != nil {
		if err := oneOf("shading", *a.Shading, "auto", "flat", "nearest", "gouraud"); err != nil {
			return nil, err
		}
	}
	rows, columns := d.Shape()[0], d.Shape()[1]
	if x == nil {
		x, y = counting(columns+1), counting(rows+1)
	}
	if x, err = edgesOf("X", x, columns); err != nil {
		return nil, err
	}
	if y, err = edgesOf("Y", y, rows); err != nil {
		return nil, err
	}
	values := floats(d)
	scale, err := c.scale(a.Map, a.Norm, values, a.Lo, a.Hi)
	if err != nil {
		return nil, err
	}
	base := plot.Base{Alpha: 1, Scale: scale}
	if a.Alpha != nil {
		base.Alpha = *a.Alpha
	}
	if a.Z != nil {
		base.Z = *a.Z
	}
	if evenly(x) && evenly(y) && a.Edge == nil && !c.ax.a.X.Log && !c.ax.a.Y.Log {
		im := &plot.Image{Base: base, Rows: rows, Columns: columns, Values: values, At: plot.Rect{X0: x[0], X1: x[columns], Y0: y[0], Y1: y[rows]}}
		im.Smooth = a.Shading != nil && *a.Shading == "gouraud"
		c.ax.a.Add(im)
		c.ax.fig.mappable(im)
		return &artist{typ: "QuadMesh", art: im, ax: c.ax}, nil
	}
	g := &plot.Polygons{Base: base, Seamless: a.Edge == nil, StickyX: []float64{x[0], x[columns]}, StickyY: []float64{y[0], y[rows]}}
	edge := plot.Pen{None: true}
	if a.Edge != nil {
		list, err := colorsOf(a.Edge)
		if err != nil {
			return nil, err
		}
		edge = plot.Pen{Color: list[0], Width: 1}
		if a.Width != nil {
			edge.Width = *a.Width
		}
	}
	for i := range rows {
		for k := range columns {
			g.Shapes = append(g.Shapes, plot.Rectangle(x[k], y[i], x[k+1], y[i+1], scale.Color(values[i*columns+k]), edge))
		}
	}
	c.ax.a.Add(g)
	c.ax.fig.mappable(g)
	return &artist{typ: "QuadMesh", art: g, ax: c.ax}, nil
}

// edgesOf are the edges of n cells, of which the edges or the middles are given.
func edgesOf(name string, x []float64, n int) ([]float64, error) {
	if len(x) == n+1 {
		return x, nil
	}
	if len(x) != n || n == 0 {
		return nil, typeError("Dimensions of C and %s are incompatible: %d cells have %d edges or %d middles, got %d", name, n, n+1, n, len(x))
	}
	if n == 1 {
		return []float64{x[0] - 0.5, x[0] + 0.5}, nil
	}
	out := make([]float64, n+1)
	for i := 1; i < n; i++ {
		out[i] = (x[i-1] + x[i]) / 2
	}
	out[0], out[n] = x[0]-(x[1]-x[0])/2, x[n-1]+(x[n-1]-x[n-2])/2
	return out, nil
}

func evenly(x []float64) bool {
	d := (x[len(x)-1] - x[0]) / float64(len(x)-1)
	for i := 1; i < len(x); i++ {
		if math.Abs(x[i]-x[i-1]-d) > 1e-6*math.Abs(d) {
			return false
		}
	}
	return isFinite(d) && d != 0
}

type hist2dArgs struct {
	X       starlark.Value `arg:"x: numbers"`
	Y       starlark.Value `arg:"y: numbers"`
	Bins    starlark.Value `arg:"bins=10: how many on each axis, edges, or a pair of these"`
	Range   starlark.Value `arg:"range=None: ((xmin, xmax), (ymin, ymax))"`
	Density bool           `arg:"density=False: the volume is one"`
	Weights starlark.Value `arg:"weights=None: what each point counts"`
	CMin    *float64       `arg:"cmin=None: what has less is not drawn"`
	CMax    *float64       `arg:"cmax=None: what has more is not drawn"`
	_       struct{}       `arg:"*:"`
	Map     starlark.Value `arg:"cmap=None: the name of a colour map"`
	Norm    starlark.Value `arg:"norm=None: 'log' or 'linear'"`
	Lo      *float64       `arg:"vmin=None: what has the first colour"`
	Hi      *float64       `arg:"vmax=None: what has the last"`
}

func hist2d(c *call, a *hist2dArgs) (starlark.Value, error) {
	bins := a.Bins
	if bins == nil {
		bins = starlark.MakeInt(10)
	}
	kwargs := []starlark.Tuple{{starlark.String("bins"), bins}, {starlark.String("density"), starlark.Bool(a.Density)}}
	if a.Range != nil {
		kwargs = append(kwargs, starlark.Tuple{starlark.String("range"), a.Range})
	}
	if a.Weights != nil {
		kwargs = append(kwargs, starlark.Tuple{starlark.String("weights"), a.Weights})
	}
	got, err := np.CallFunction(c.thread, "histogram2d", starlark.Tuple{a.X, a.Y}, kwargs)
	if err != nil {
		return nil, err
	}
	parts := got.(starlark.Tuple)
	counts, err := c.array("counts", parts[0])
	if err != nil {
		return nil, err
	}
	v, rows, columns := floats(counts), counts.Shape()[1], counts.Shape()[0]
	turned := make([]float64, len(v))
	for i := range rows {
		for k := range columns {
			x := v[k*rows+i]
			if a.CMin != nil && x < *a.CMin || a.CMax != nil && x > *a.CMax {
				x = math.NaN()
			}
			turned[i*columns+k] = x
		}
	}
	im, err := pcolormesh(c, &pcolormeshArgs{Args: starlark.Tuple{parts[1], parts[2], np.FromDenseIn(c.s, tensor.From(turned, rows, columns))},
		Map: a.Map, Norm: a.Norm, Lo: a.Lo, Hi: a.Hi})
	if err != nil {
		return nil, err
	}
	return append(slices.Clone(parts), im), nil
}

type spyArgs struct {
	Z         starlark.Value `arg:"Z: a matrix"`
	Precision float64        `arg:"precision=0: what is nearer to 0 counts as 0"`
	Marker    starlark.Value `arg:"marker=None: accepted; cells are filled"`
	Size      starlark.Value `arg:"markersize=None: accepted"`
	Aspect    starlark.Value `arg:"aspect=None: 'equal' or 'auto'"`
}

func spy(c *call, a *spyArgs) (starlark.Value, error) {
	z := a.Z
	if attrs, ok := z.(starlark.HasAttrs); ok && slices.Contains(attrs.AttrNames(), "toarray") {
		f, err := attrs.Attr("toarray")
		if err != nil {
			return nil, err
		}
		if z, err = value.Call(c.thread, f, nil, nil); err != nil {
			return nil, err
		}
	}
	d, err := c.array("Z", z)
	if err != nil {
		return nil, err
	}
	if d.Rank() != 2 {
		return nil, typeError("Z must be 2D, not %dD", d.Rank())
	}
	v := floats(d)
	for i, x := range v {
		v[i] = 0
		if math.Abs(x) > a.Precision {
			v[i] = 1
		}
	}
	zero, one := 0.0, 1.0
	im, err := imshow(c, &imshowArgs{X: np.FromDenseIn(c.s, tensor.From(v, d.Shape()...)), Map: starlark.String("binary"), Lo: &zero, Hi: &one, Aspect: a.Aspect})
	if err != nil {
		return nil, err
	}
	asMatrix(c.ax.a)
	return im, nil
}
