package op

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Convolution is one in two dimensions, or one of its gradients: as x, w and y hang together
// linearly, Part says which of the three is computed from the other two, of one floating type.
//
//	conv2d          x: [N, C, H, W]    w: [F, C/Groups, Kh, Kw]    → y: [N, F, Ho, Wo]
//	conv2d_input    w, y, H, W → the gradient of x
//	conv2d_filters  x, y, Kh, Kw → the gradient of w
//
// Lengths are int64 scalars. With Flip filters are flipped (a convolution), else not (a
// correlation). Unshared filters belong to one place each: w: [F, Ho, Wo, C/Groups, Kh, Kw]. The
// image has a border of zeros, which are multiplied like other elements. The gradients of Part are
// the other two parts, so that all derivatives exist. See kernels.Convolution for the sums.
type Convolution struct {
	Part             kernels.ConvolutionPart
	Border           Border
	Stride, Dilation Pair // of rows and columns; the zero value stands for 1
	Groups           int  // 0 stands for 1
	Flip, Unshared   bool
}

var _ = register(Convolution{}, Convolution{Part: kernels.ConvolutionInput}, Convolution{Part: kernels.ConvolutionFilters})

// NewConvolution makes the operation that others with the same meaning are equal to. The steps and
// groups are at least 1.
func NewConvolution(border Border, stride, dilation Pair, groups int, flip, unshared bool) Convolution {
	c := Convolution{Border: border, Stride: stride.canonical(), Dilation: dilation.canonical(), Flip: flip, Unshared: unshared}
	if groups > 1 {
		c.Groups = groups
	}
	return c
}

// Of is c for another part.
func (c Convolution) Of(part kernels.ConvolutionPart) Convolution {
	c.Part = part
	return c
}

func (c Convolution) groups() int { return max(c.Groups, 1) }

func (c Convolution) Name() string {
	return nameOf([...]string{"conv2d", "conv2d_input", "conv2d_filters"}[c.Part], struct {
		Border           Border
		Stride, Dilation Pair
		Groups           int
		Flip, Unshared   bool
	}{c.Border, c.Stride, c.Dilation, c.Groups, c.Flip, c.Unshared})
}

func (c Convolution) Label() string {
	return fmt.Sprintf("%s{convdim=2, border_mode=%v, subsample=(%d, %d), filter_flip=%s, filter_dilation=(%d, %d), num_groups=%d, unshared=%s}",
		c.kind(), c.Border.python(),
		c.Stride.step(0), c.Stride.step(1), pythonBool(c.Flip), c.Dilation.step(0), c.Dilation.step(1), c.groups(), pythonBool(c.Unshared))
}

func (c Convolution) Class() string { return "tensor.nnet.abstract_conv." + c.kind() }

func (c Convolution) kind() string {
	return [...]string{"AbstractConv2d", "AbstractConv2d_gradInputs", "AbstractConv2d_gradWeights"}[c.Part]
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// Coerce converts the arrays to their common element type, and lengths to int64.
func (c Convolution) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) < 2 {
		return in, nil // Infer says so
	}
	return append(toCommonType(b, in[:2]), lengthsAfter(b, in, 2)[2:]...), nil
}

// lengthsAfter is the operands, those after the first n converted to int64 if they are integers.
func lengthsAfter(b *graph.Builder, in []V, n int) []V {
	out := slices.Clone(in)
	for i := n; i < len(out); i++ {
		if out[i].Type.DType.IsInteger() {
			out[i] = castTo(b, out[i], kernels.Int64)
		}
	}
	return out
}

func (c Convolution) Infer(in []*graph.Variable) ([]graph.Type, error) {
	want := 4
	if c.Part == kernels.ConvolutionOutput {
		want = 2
	}
	if err := arity(in, want); err != nil {
		return nil, err
	}
	shapes := make([][]int, 2)
	for i, what := range c.operands() {
		t := in[i].Type
		rank := 4
		if c.Unshared && what == "filters" {
			rank = 6
		}
		if t.Rank() != rank {
			return nil, fmt.Errorf("%s: got %v, want %d dimensions: %s", what, t, rank, c.axes(what))
		}
		if !t.DType.IsFloat() || t.DType != in[0].Type.DType {
			return nil, fmt.Errorf("%s: got %v, want float32 or float64, the same for both operands", what, t)
		}
		shapes[i] = t.Dims()
	}
	var lengths [2]int
	for i, v := range in[2:] {
		if v.Type != graph.TypeOf(kernels.Int64) {
			return nil, fmt.Errorf("%s: got %v, want an integer scalar", c.lengthName(i), v.Type)
		}
		lengths[i] = graph.Unknown
		if n, ok := KnownLength(v); ok {
			lengths[i] = n
		}
	}
	g, err := c.fit(shapes[0], shapes[1], lengths)
	if err != nil {
		return nil, err
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, g.result(c)...)}, nil
}

// operands are what the two arrays are called.
func (c Convolution) operands() [2]string {
	return [...][2]string{{"input", "filters"}, {"filters", "output_grad"}, {"input", "output_grad"}}[c.Part]
}

func (c Convolution) axes(what string) string {
	switch {
	case what == "input":
		return "images, channels, rows, columns"
	case what == "output_grad":
		return "images, filters, rows, columns"
	case c.Unshared:
		return "filters, rows and columns of the output, channels, rows, columns"
	}
	return "filters, channels, rows, columns"
}

// lengthName is what length 0 or 1 of the result is called in errors.
func (c Convolution) lengthName(i int) string {
	if c.Part == kernels.ConvolutionInput {
		return [...]string{"rows of the input", "columns of the input"}[i]
	}
	return [...]string{"rows of the filters", "columns of the filters"}[i]
}

func (c Convolution) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	run, impl, ok := sets.Convolve(kernels.ConvolveKey{Part: c.Part, In: d, Unshared: c.Unshared})
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", c.Name(), d)
	}
	copy, _, err := linkCopy(d, sets)
	return func(call *Call, in, out []*tensor.Dense) error {
		var lengths [2]int
		for i, v := range in[2:] {
			lengths[i] = int(v.Ints()[0])
		}
		g, err := c.fit(in[0].Shape(), in[1].Shape(), lengths)
		if err != nil {
			return err
		}
		k, err := c.kernel(g, d)
		if err != nil {
			return err
		}
		x, err := copy.contiguous(call, in[0])
		if err != nil {
			return err
		}
		y, err := copy.contiguous(call, in[1])
		if err != nil {
			return err
		}
		out[0] = call.Alloc(0, d, g.result(c))
		z := out[0]
		arrays := [...][3]*tensor.Dense{{x, y, z}, {z, x, y}, {x, z, y}}[c.Part]
		if z.Size() > 0 && !run(&k, arrays[0].Pointer(), arrays[1].Pointer(), arrays[2].Pointer(), call.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, err
}

// kernel is the geometry as kernels have it. A border may make the image too large for memory.
func (c Convolution) kernel(g *convolved, d kernels.DType) (kernels.Convolution, error) {
	before, _ := c.Border.around(g.w[2:], c.Dilation)
	k := kernels.Convolution{
		N: g.x[0], Groups: c.groups(), C: g.w[1], F: g.w[0] / c.groups(), H: g.x[2], W: g.x[3], Kh: g.w[2], Kw: g.w[3], Ho: g.y[2], Wo: g.y[3],
		Stride: c.Stride.steps(), Dilation: c.Dilation.steps(), Top: before[0], Left: before[1], Flip: c.Flip, Unshared: c.Unshared,
	}
	rows, cols := k.Bordered()
	return k, tensor.CheckSize(d.Size(), []int{max(k.C, k.F, 1), rows, cols})
}

// Cost counts a multiplication and an addition for each element of a filter at each place.
func (c Convolution) Cost(in, out []graph.Array) graph.Cost {
	y, w := in[1], out[0]
	switch c.Part {
	case kernels.ConvolutionOutput:
		y, w = out[0], in[1]
	case kernels.ConvolutionInput:
		w = in[0]
	}
	flops := 2 * y.Elements()
	for _, n := range w.Shape[len(w.Shape)-3:] {
		flops *= float64(n)
	}
	return graph.Once(flops, in, out)
}

// Grad of a part is the other two.
func (c Convolution) Grad(b *graph.Builder, node *graph.Apply, gs []*graph.Variable) []*graph.Variable {
	first, second, g := node.Inputs[0], node.Inputs[1], gs[0]
	lengths := func(v V) []V { l := Lengths(b, v); return l[len(l)-2:] }
	input := func(w, y, x V) V { return b.Apply(c.Of(kernels.ConvolutionInput), append([]V{w, y}, lengths(x)...)...) }
	filters := func(x, y, w V) V {
		return b.Apply(c.Of(kernels.ConvolutionFilters), append([]V{x, y}, lengths(w)...)...)
	}
	output := func(x, w V) V { return b.Apply(c.Of(kernels.ConvolutionOutput), x, w) }
	switch c.Part {
	case kernels.ConvolutionInput:
		return []V{filters(g, second, first), output(g, first), nil, nil}
	case kernels.ConvolutionFilters:
		return []V{input(g, second, first), output(first, g), nil, nil}
	}
	return []V{input(second, g, first), filters(first, g, second)}
}

func (c Convolution) Traits() Traits { return 0 }

func (c Convolution) Cases() []Case {
	explicit := func(top, bottom, left, right int) Border { return Border{Pad: [2]Pair{{top, bottom}, {left, right}}} }
	shared := []struct {
		op   Convolution
		x, w string
		y    string // the shape of the output, which the gradients read
		tail string // lengths that the gradients read
	}{
		{Convolution{}, "[2,3,5,7]", "[4,3,2,3]", "[2,4,4,5]", "5 7 2 3"},
		{Convolution{Flip: true}, "[2,3,5,7]", "[4,3,2,3]", "[2,4,4,5]", "5 7 2 3"},
		{Convolution{Border: Border{Mode: Half}}, "[1,2,4,5]", "[3,2,3,3]", "[1,3,4,5]", "4 5 3 3"},
		{Convolution{Border: Border{Mode: Full}, Flip: true}, "[1,1,3,4]", "[2,1,2,3]", "[1,2,4,6]", "3 4 2 3"},
		{Convolution{Border: explicit(1, 0, 2, 1), Stride: Pair{2, 3}}, "[2,2,6,7]", "[3,2,2,3]", "[2,3,3,3]", "6 7 2 3"},
		{Convolution{Stride: Pair{3, 2}, Flip: true}, "[1,1,7,6]", "[2,1,2,2]", "[1,2,2,3]", "7 6 2 2"},
		{Convolution{Dilation: Pair{2, 3}, Border: explicit(1, 1, 1, 1)}, "[1,2,6,8]", "[2,2,3,2]", "[1,2,4,7]", "6 8 3 2"},
		{Convolution{Dilation: Pair{2, 1}, Stride: Pair{2, 2}, Border: Border{Mode: Full}}, "[1,1,5,4]", "[2,1,2,3]", "[1,2,4,3]", "5 4 2 3"},
		{Convolution{Groups: 2}, "[2,4,4,4]", "[6,2,3,1]", "[2,6,2,4]", "4 4 3 1"},
		{Convolution{}, "[2,3,1,1]", "[4,3,1,1]", "[2,4,1,1]", "1 1 1 1"},
		{Convolution{}, "[0,3,5,7]", "[4,3,2,3]", "[0,4,4,5]", "5 7 2 3"},
		{Convolution{}, "[2,0,5,7]", "[4,0,2,3]", "[2,4,4,5]", "5 7 2 3"},
		{Convolution{Unshared: true, Flip: true}, "[2,2,4,3]", "[3,3,2,2,2,2]", "[2,3,3,2]", "4 3 2 2"},
		{Convolution{Unshared: true, Groups: 2, Border: Border{Mode: Half}, Stride: Pair{2, 1}}, "[1,4,3,4]", "[2,2,4,2,3,3]", "[1,2,2,4]", "3 4 3 3"},
	}
	var all []Case
	for _, s := range shared {
		o := s.op.Of(c.Part)
		first, second := s.tail[:len("0 0")], s.tail[len("0 0 "):]
		switch c.Part {
		case kernels.ConvolutionOutput:
			all = append(all, cases("floats"+s.x+" floats"+s.w, o)...)
		case kernels.ConvolutionInput:
			all = append(all, cases("floats"+s.w+" floats"+s.y+" "+first, o)...)
		case kernels.ConvolutionFilters:
			all = append(all, cases("floats"+s.x+" floats"+s.y+" "+second, o)...)
		}
	}
	return all
}

// A Pair is numbers for rows and columns. Where they are steps the zero value stands for 1 and 1.
type Pair [2]int

// canonical is p as steps.
func (p Pair) canonical() Pair {
	if p == (Pair{1, 1}) {
		return Pair{}
	}
	return p
}

func (p Pair) step(axis int) int { return max(p[axis], 1) }
func (p Pair) steps() [2]int     { return [2]int{p.step(0), p.step(1)} }

// MarshalText writes "2x3".
func (p Pair) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%dx%d", p[0], p[1]), nil }

func (p *Pair) UnmarshalText(text []byte) error {
	if n, err := fmt.Sscanf(string(text), "%dx%d", &p[0], &p[1]); n != 2 || err != nil || p[0] < 0 || p[1] < 0 {
		return fmt.Errorf("got %q, want two numbers such as 2x3", text)
	}
	return nil
}

// A Border is how many rows and columns of zeros surround an image.
type Border struct {
	Mode BorderMode
	Pad  [2]Pair // of Explicit: rows before and after, columns before and after
}

// A BorderMode is what decides how wide a border is.
type BorderMode uint8

const (
	Explicit BorderMode = iota
	Half                // half a filter, rounded down, on each side
	Full                // a filter less 1 on each side
)

var borderNames = [...]string{Half: "half", Full: "full"}

// around is how much a border adds before and after the axes, for filters of these lengths,
// graph.Unknown where they are not known.
func (b Border) around(filter []int, dilation Pair) (before, after [2]int) {
	for axis, n := range filter {
		switch reach := (n - 1) * dilation.step(axis); {
		case b.Mode == Explicit:
			before[axis], after[axis] = b.Pad[axis][0], b.Pad[axis][1]
			continue
		case n == graph.Unknown:
			before[axis] = graph.Unknown
		case b.Mode == Half:
			before[axis] = (reach + 1) / 2
		default:
			before[axis] = reach
		}
		after[axis] = before[axis]
	}
	return before, after
}

// MarshalText writes "half", "full" or the widths, "1:0x2:2".
func (b Border) MarshalText() ([]byte, error) {
	if b.Mode != Explicit {
		return []byte(borderNames[b.Mode]), nil
	}
	return fmt.Appendf(nil, "%d:%dx%d:%d", b.Pad[0][0], b.Pad[0][1], b.Pad[1][0], b.Pad[1][1]), nil
}

func (b *Border) UnmarshalText(text []byte) error {
	if i := slices.Index(borderNames[1:], string(text)); i >= 0 {
		b.Mode = BorderMode(i + 1)
		return nil
	}
	p := &b.Pad
	n, err := fmt.Sscanf(string(text), "%d:%dx%d:%d", &p[0][0], &p[0][1], &p[1][0], &p[1][1])
	if n != 4 || err != nil || min(p[0][0], p[0][1], p[1][0], p[1][1]) < 0 {
		return fmt.Errorf("got %q, want half, full or widths such as 1:0x2:2", text)
	}
	return nil
}

// python is how Theano writes the border.
func (b Border) python() string {
	if b.Mode != Explicit {
		return "'" + borderNames[b.Mode] + "'"
	}
	if b == (Border{}) {
		return "'valid'"
	}
	var sides [2]string
	for axis, p := range b.Pad {
		sides[axis] = strconv.Itoa(p[0])
		if p[0] != p[1] {
			sides[axis] = fmt.Sprintf("(%d, %d)", p[0], p[1])
		}
	}
	return "(" + sides[0] + ", " + sides[1] + ")"
}
