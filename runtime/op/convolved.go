package op

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// convolved is the shapes of the arrays of a convolution, graph.Unknown where a length is not
// known: x: [N, C, H, W], w: [F, C of a group, Kh, Kw] without the places of unshared filters, y:
// [N, F, Ho, Wo].
type convolved struct{ x, w, y [4]int }

// result is the shape of the array that c computes.
func (g *convolved) result(c Convolution) []int {
	switch {
	case c.Part == kernels.ConvolutionOutput:
		return g.y[:]
	case c.Part == kernels.ConvolutionInput:
		return g.x[:]
	case c.Unshared:
		return []int{g.w[0], g.y[2], g.y[3], g.w[1], g.w[2], g.w[3]}
	}
	return g.w[:]
}

// fit checks the shapes of c's two operands and, of the gradients, the lengths of the result, and
// finds the other lengths.
func (c Convolution) fit(first, second []int, lengths [2]int) (*convolved, error) {
	g := &convolved{}
	unknown := [4]int{graph.Unknown, graph.Unknown, graph.Unknown, graph.Unknown}
	g.x, g.w, g.y = unknown, unknown, unknown
	places := [2]int{graph.Unknown, graph.Unknown}
	filters := func(w []int) {
		if c.Unshared {
			places = [2]int(w[1:3])
			w = []int{w[0], w[3], w[4], w[5]}
		}
		g.w = [4]int(w)
	}
	switch c.Part {
	case kernels.ConvolutionOutput:
		g.x = [4]int(first)
		filters(second)
		g.y[0], g.y[1] = g.x[0], g.w[0]
	case kernels.ConvolutionInput:
		filters(first)
		g.y = [4]int(second)
		g.x = [4]int{g.y[0], c.times(g.w[1]), lengths[0], lengths[1]}
	case kernels.ConvolutionFilters:
		g.x, g.y = [4]int(first), [4]int(second)
		g.w = [4]int{g.y[1], graph.Unknown, lengths[0], lengths[1]}
		if n := g.x[1]; n != graph.Unknown && n%c.groups() == 0 {
			g.w[1] = n / c.groups()
		}
	}
	if err := c.channels(g); err != nil {
		return nil, err
	}
	before, after := c.Border.around(g.w[2:], c.Dilation)
	for axis := range 2 {
		n, k := g.x[2+axis], g.w[2+axis]
		what := [...]string{"rows", "columns"}[axis]
		for _, l := range []struct {
			n    int
			of   string
			want int
		}{{k, "filters", 1}, {n, "input", 0}} {
			if l.n != graph.Unknown && l.n < l.want {
				return nil, fmt.Errorf("%s of the %s: got %d, want at least %d", what, l.of, l.n, l.want)
			}
		}
		if n == graph.Unknown || k == graph.Unknown {
			if y := &g.y[2+axis]; *y == graph.Unknown {
				*y = places[axis]
			}
			continue
		}
		reach := (k-1)*c.Dilation.step(axis) + 1
		room := n + before[axis] + after[axis] - reach
		if room < 0 {
			return nil, tensor.ShapeErrorf("filters of %d %s%s do not fit into an input of %d%s: got shapes %s and %s; use a larger border_mode or smaller filters",
				k, what, c.dilated(axis, reach), n, bordered(before[axis], after[axis]), tensorShape(g.x[:]), tensorShape(g.w[:]))
		}
		y := room/c.Stride.step(axis) + 1
		if have := g.y[2+axis]; have != graph.Unknown && have != y {
			return nil, fmt.Errorf("output_grad of shape %s has %d %s, want %d: what filters of %d%s with a stride of %d give of an input of %d%s",
				tensorShape(g.y[:]), have, what, y, k, c.dilated(axis, reach), c.Stride.step(axis), n, bordered(before[axis], after[axis]))
		}
		g.y[2+axis] = y
	}
	for axis, n := range places {
		if y := g.y[2+axis]; n != graph.Unknown && y != graph.Unknown && n != y {
			return nil, fmt.Errorf("unshared filters are for %d %s of the output, which has %d: axis %d of the filters", n,
				[...]string{"rows", "columns"}[axis], y, 1+axis)
		}
	}
	return g, nil
}

// channels checks what the arrays have to have in common beside rows and columns.
func (c Convolution) channels(g *convolved) error {
	clash := func(a, b int) bool { return a != graph.Unknown && b != graph.Unknown && a != b }
	groups := c.groups()
	if n := g.w[0]; n != graph.Unknown && n%groups != 0 {
		return fmt.Errorf("got %d filters, want a multiple of num_groups = %d", n, groups)
	}
	if n := g.x[1]; n != graph.Unknown && n%groups != 0 {
		return fmt.Errorf("got an input of %d channels, want a multiple of num_groups = %d", n, groups)
	}
	if clash(g.x[1], c.times(g.w[1])) {
		text := ""
		if groups > 1 {
			text = fmt.Sprintf(" in each of %d groups", groups)
		}
		return fmt.Errorf("an input of shape %s has %d channels and filters of shape %s take %d%s: axis 1 of both", tensorShape(g.x[:]), g.x[1],
			tensorShape(g.w[:]), g.w[1], text)
	}
	if clash(g.y[1], g.w[0]) {
		return fmt.Errorf("output_grad of shape %s has %d channels, want one for each of %d filters: axis 1", tensorShape(g.y[:]), g.y[1], g.w[0])
	}
	if clash(g.y[0], g.x[0]) {
		return fmt.Errorf("output_grad of shape %s is of %d images and the input of %d: axis 0 of both", tensorShape(g.y[:]), g.y[0], g.x[0])
	}
	return nil
}

// times is how many channels all groups have.
func (c Convolution) times(n int) int {
	if n == graph.Unknown {
		return n
	}
	return n * c.groups()
}

func (c Convolution) dilated(axis, reach int) string {
	if d := c.Dilation.step(axis); d > 1 {
		return fmt.Sprintf(" (%d with dilation %d)", reach, d)
	}
	return ""
}

func bordered(before, after int) string {
	if before == 0 && after == 0 {
		return ""
	}
	return fmt.Sprintf(" with a border of %d and %d", before, after)
}

func tensorShape(dims []int) string { return staticShape(graph.TypeOf(kernels.Float64, dims...)) }

// A lengths computes with int64 scalars.
type lengths struct{ m Maker }

func (l lengths) number(n int) V { return l.m.Constant(tensor.IntScalar(kernels.Int64, int64(n))) }

// plus is v + n.
func (l lengths) plus(v V, n int) V {
	if n == 0 {
		return v
	}
	return l.m.Apply(Add, v, l.number(n))
}

// times is v * n.
func (l lengths) times(v V, n int) V {
	if n == 1 {
		return v
	}
	return l.m.Apply(Mul, v, l.number(n))
}

// over is v // n.
func (l lengths) over(v V, n int) V {
	if n == 1 {
		return v
	}
	return l.m.Apply(IntDiv, v, l.number(n))
}

// reach is how many elements of an image a filter of length k covers along an axis, and room how
// many there are.
func (c Convolution) reach(m Maker, n, k V, axis int) (reach, room V) {
	l := lengths{m}
	reach = k
	if d := c.Dilation.step(axis); d > 1 {
		reach = l.plus(l.times(k, d), 1-d)
	}
	switch c.Border.Mode {
	case Half:
		return reach, m.Apply(Add, n, l.times(l.over(reach, 2), 2))
	case Full:
		return reach, m.Apply(Add, n, l.plus(l.times(reach, 2), -2))
	}
	return reach, l.plus(n, c.Border.Pad[axis][0]+c.Border.Pad[axis][1])
}

// arrays are the lengths of the axes of x and w in terms of node's operands, rows and columns last;
// channels is axis 1 of w.
func (c Convolution) lengthsOf(m Maker, in []V) (n, filters, channels V, x, w [2]V) {
	of := func(v V) [2]V {
		rank := v.Type.Rank()
		return [2]V{length(m, v, rank-2), length(m, v, rank-1)}
	}
	perGroup := func(v V) V { return length(m, v, v.Type.Rank()-3) }
	switch c.Part {
	case kernels.ConvolutionOutput:
		return length(m, in[0], 0), length(m, in[1], 0), perGroup(in[1]), of(in[0]), of(in[1])
	case kernels.ConvolutionInput:
		return length(m, in[1], 0), length(m, in[0], 0), perGroup(in[0]), [2]V{in[2], in[3]}, of(in[0])
	}
	return length(m, in[0], 0), length(m, in[1], 1), lengths{m}.over(length(m, in[0], 1), c.groups()), of(in[0]), [2]V{in[2], in[3]}
}

func (c Convolution) Length(m Maker, v V, axis int) V {
	n, filters, channels, x, w := c.lengthsOf(m, v.Owner.Inputs)
	place := func(axis int) V {
		reach, room := c.reach(m, x[axis], w[axis], axis)
		l := lengths{m}
		return l.plus(l.over(m.Apply(Sub, room, reach), c.Stride.step(axis)), 1)
	}
	switch c.Part {
	case kernels.ConvolutionOutput:
		switch axis {
		case 0:
			return n
		case 1:
			return filters
		}
		return place(axis - 2)
	case kernels.ConvolutionInput:
		return [...]V{n, lengths{m}.times(channels, c.groups()), x[0], x[1]}[axis]
	}
	if c.Unshared {
		y := v.Owner.Inputs[1]
		return [...]V{filters, length(m, y, 2), length(m, y, 3), channels, w[0], w[1]}[axis]
	}
	return [...]V{filters, channels, w[0], w[1]}[axis]
}

func (c Convolution) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	l := lengths{m}
	in := node.Inputs
	n, filters, channels, x, w := c.lengthsOf(m, in)
	whole := func(v V) {
		if c.Groups > 0 {
			r.equal(l.times(l.over(v, c.Groups), c.Groups), v, 1)
		}
	}
	whole(filters)
	var y [4]V
	switch c.Part {
	case kernels.ConvolutionOutput:
		r.equal(l.times(channels, c.groups()), r.length(in[0], 1), 1)
	default:
		for axis := range y {
			y[axis] = r.length(in[1], axis)
		}
		if c.Part == kernels.ConvolutionInput {
			r.equal(filters, y[1], 1)
		} else {
			r.equal(n, y[0], 0)
			whole(r.length(in[0], 1))
		}
	}
	for axis := range 2 {
		reach, room := c.reach(m, x[axis], w[axis], axis)
		r.atMost(r.number(1), w[axis], 2+axis)
		r.atMost(r.number(0), x[axis], 2+axis)
		r.atMost(reach, room, 2+axis)
		place := l.plus(l.over(m.Apply(Sub, room, reach), c.Stride.step(axis)), 1)
		if y[2+axis] != nil {
			r.equal(place, y[2+axis], 2+axis)
		}
		if c.Unshared && c.Part != kernels.ConvolutionFilters {
			r.equal(place, r.length(in[[...]int{1, 0}[c.Part]], 1+axis), 1+axis)
		}
	}
	return r.list
}
