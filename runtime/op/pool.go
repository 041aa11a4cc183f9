package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Pooling is what the windows of images are, rows and columns the last two axes of x: one window
// every Stride rows and columns, from Pad before the image to as much after it. Partial windows at
// the end count too, or the image is cut to whole ones.
type Pooling struct {
	Window  Pair
	Stride  Pair // the zero value stands for Window
	Pad     Pair
	Partial bool
}

// NewPooling makes the windows that others with the same meaning are equal to.
func NewPooling(window, stride, pad Pair, partial bool) Pooling {
	if stride == window {
		stride = Pair{}
	}
	return Pooling{window, stride, pad, partial}
}

func (p Pooling) stride() Pair {
	if p.Stride == (Pair{}) {
		return p.Window
	}
	return p.Stride
}

// Pool is the largest element, the sum or an average of each window of x: [..., H, W], of floats, →
// [..., Ho, Wo]. The border has no elements: it matters to averages alone, of which one counts it.
type Pool struct {
	Kind PoolKind
	Pooling
}

// A PoolKind is what is made of a window.
type PoolKind uint8

const (
	PoolMax PoolKind = iota
	PoolSum
	PoolPadded // the average that counts the border: average_inc_pad
	PoolInside // the average that does not: average_exc_pad
)

// PoolModes are the kinds as users name them.
var PoolModes = [...]string{PoolMax: "max", PoolSum: "sum", PoolPadded: "average_inc_pad", PoolInside: "average_exc_pad"}

// MarshalText writes "average_inc_pad".
func (k PoolKind) MarshalText() ([]byte, error) { return []byte(PoolModes[k]), nil }

func (k *PoolKind) UnmarshalText(text []byte) error {
	i := slices.Index(PoolModes[:], string(text))
	if i < 0 {
		return fmt.Errorf("got %q, want one of %q", text, PoolModes)
	}
	*k = PoolKind(i)
	return nil
}

// part is the kernel, and count what it divides by.
func (k PoolKind) part() kernels.PoolPart {
	if k == PoolMax {
		return kernels.PoolMax
	}
	return kernels.PoolAdd
}

func (k PoolKind) count() kernels.PoolCount {
	return [...]kernels.PoolCount{PoolPadded: kernels.PoolPadded, PoolInside: kernels.PoolInside}[k]
}

var _ = register(Pool{}, PoolSpread{}, PoolMaxGrad{}, PoolMaxGather{})

// parameters are the fields of an operation with windows; names have them without the struct that
// they are in.
type parameters struct {
	Kind                PoolKind
	Window, Stride, Pad Pair
	Partial             bool
}

func poolName(base string, k PoolKind, p Pooling) string {
	return nameOf(base, parameters{k, p.Window, p.Stride, p.Pad, p.Partial})
}

func poolLabel(class string, k PoolKind, p Pooling) string {
	return fmt.Sprintf("%s{ignore_border=%s, mode='%s', ndim=2}", class, pythonBool(!p.Partial), PoolModes[k])
}

const classPool = "tensor.signal.pool."

func (p Pool) Name() string  { return poolName("pool", p.Kind, p.Pooling) }
func (p Pool) Label() string { return poolLabel("Pool", p.Kind, p.Pooling) }
func (p Pool) Class() string { return classPool + "Pool" }

// places is how many windows an axis of length n has.
func (p Pooling) places(axis, n int) int {
	window, step := p.Window[axis], p.stride()[axis]
	room := n + 2*p.Pad[axis] - window
	switch {
	case n == graph.Unknown:
		return n
	case !p.Partial:
		return max(room+step, 0) / step
	case step >= window:
		return (n + step - 1) / step
	}
	return (max(room, 0)+step-1)/step + 1
}

// check says what is wrong with the windows.
func (p Pooling) check() error {
	for axis, what := range [...]string{"rows", "columns"} {
		switch window := p.Window[axis]; {
		case window < 1:
			return fmt.Errorf("ws: got windows of %d %s, want at least 1", window, what)
		case p.stride()[axis] < 1:
			return fmt.Errorf("stride: got %d for %s, want at least 1", p.stride()[axis], what)
		case p.Pad[axis] < 0 || p.Pad[axis] >= window:
			return fmt.Errorf("pad: got a border of %d %s, want at least 0 and less than the %d of a window", p.Pad[axis], what, window)
		}
	}
	if p.Partial && p.Pad != (Pair{}) {
		return fmt.Errorf("pad: got (%d, %d) with ignore_border=False, want (0, 0), or ignore_border=True", p.Pad[0], p.Pad[1])
	}
	return nil
}

// output is the shape of what windows of a shape give.
func (p Pooling) output(shape []int) []int {
	shape = slices.Clone(shape)
	last := len(shape) - 2
	for axis := range 2 {
		shape[last+axis] = p.places(axis, shape[last+axis])
	}
	return shape
}

// images checks that operands are floats of one type with rows and columns.
func (p Pooling) images(in []*graph.Variable) error {
	for i, v := range in {
		if t := v.Type; t.Rank() < 2 || !t.DType.IsFloat() || t.DType != in[0].Type.DType {
			return fmt.Errorf("operand %d: got %v, want floats of at least 2 dimensions, the last of which are rows and columns", i+1, t)
		}
	}
	return p.check()
}

// alike checks that a has the shape that windows of an image of shape x give.
func (p Pooling) alike(what string, a, x []int) error {
	want := p.output(x)
	if len(a) != len(want) {
		return fmt.Errorf("%s has shape %s, want %s: one element for each window of shape %s", what, tensorShape(a), tensorShape(want), tensorShape(x))
	}
	for axis := range a {
		if a[axis] != want[axis] && a[axis] != graph.Unknown && want[axis] != graph.Unknown {
			return fmt.Errorf("%s has shape %s, want %s: one element for each window of shape %s", what, tensorShape(a), tensorShape(want), tensorShape(x))
		}
	}
	return nil
}

func (p Pool) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	if err := p.images(in); err != nil {
		return nil, err
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, p.output(in[0].Type.Dims())...)}, nil
}

// kernel is the geometry for images of shape x.
func (p Pooling) kernel(x []int, count kernels.PoolCount) *kernels.Pooling {
	last := len(x) - 2
	return &kernels.Pooling{Images: tensor.Size(x[:last]), H: x[last], W: x[last+1], Ho: p.places(0, x[last]), Wo: p.places(1, x[last+1]),
		Window: p.Window, Stride: p.stride(), Pad: p.Pad, Count: count}
}

// link makes the thunk of a kernel of n arrays; shapes are those of the images and of the result.
func (p Pooling) link(node *graph.Apply, sets kernels.Sets, part kernels.PoolPart, n int, count kernels.PoolCount,
	shapes func(in []*tensor.Dense) (x, z []int, err error)) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	run, impl, ok := sets.Pool(kernels.PoolKey{Part: part, In: d})
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", node.Op.Name(), d)
	}
	copy, _, err := linkCopy(d, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		x, z, err := shapes(in)
		if err != nil {
			return err
		}
		a := [3]*tensor.Dense{}
		for i := range a {
			if a[i], err = copy.contiguous(c, in[min(i, n-1)]); err != nil {
				return err
			}
		}
		out[0] = c.Alloc(0, d, z)
		if out[0].Size() > 0 && !run(p.kernel(x, count), out[0].Pointer(), a[0].Pointer(), a[1].Pointer(), a[2].Pointer(), c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, err
}

func (p Pool) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return p.link(node, sets, p.Kind.part(), 1, p.Kind.count(), func(in []*tensor.Dense) (x, z []int, err error) {
		return in[0].Shape(), p.output(in[0].Shape()), nil
	})
}

// work is an operation for each element of each window of places.
func (p Pooling) work(places graph.Array) float64 {
	return places.Elements() * float64(p.Window[0]) * float64(p.Window[1])
}

func (p Pool) Cost(in, out []graph.Array) graph.Cost { return graph.Once(p.work(out[0]), in, out) }

// Grad of the maximum goes to each element that attains it, as Theano's does.
func (p Pool) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x := node.Inputs[0]
	if p.Kind == PoolMax {
		return []V{b.Apply(PoolMaxGrad{p.Pooling}, x, node.Outputs[0], g[0])}
	}
	return []V{b.Apply(PoolSpread(p), append([]V{g[0]}, lastTwo(b, x)...)...)}
}

// lastTwo are the lengths of v's last two axes.
func lastTwo(b *graph.Builder, v V) []V { return Lengths(b, v)[v.Type.Rank()-2:] }

// placesOf is places of a length that a graph computes.
func (p Pooling) placesOf(m Maker, n V, axis int) V {
	l := lengths{m}
	window, step := p.Window[axis], p.stride()[axis]
	least := func(v V) V { return m.Apply(Maximum, v, l.number(0)) }
	switch {
	case !p.Partial:
		return l.over(least(l.plus(n, 2*p.Pad[axis]-window+step)), step)
	case step >= window:
		return l.over(l.plus(n, step-1), step)
	}
	return l.plus(l.over(l.plus(least(l.plus(n, -window)), step-1), step), 1)
}

// windows is the length of an axis of what windows of x give.
func (p Pooling) windows(m Maker, x V, axis int) V {
	n := length(m, x, axis)
	if i := axis - (x.Type.Rank() - 2); i >= 0 {
		return p.placesOf(m, n, i)
	}
	return n
}

func (p Pool) Length(m Maker, v V, axis int) V { return p.windows(m, v.Owner.Inputs[0], axis) }

func (p Pool) Traits() Traits {
	if p.Kind == PoolMax {
		return Kinks
	}
	return 0
}

// SignOf: a window without elements has a largest one of -inf.
func (p Pool) SignOf(in []Sign) Sign {
	if p.Kind == PoolMax {
		return AnySign
	}
	return min(in[0], Nonnegative)
}

// poolCases are windows, with an image, and what they give of it.
var poolCases = []struct {
	Pooling
	x, y string
}{
	{Pooling{Window: Pair{2, 2}}, "[2,3,4,6]", "[2,3,2,3]"},
	{Pooling{Window: Pair{2, 2}}, "[3,5]", "[1,2]"},
	{Pooling{Window: Pair{2, 2}, Partial: true}, "[2,3,5]", "[2,2,3]"},
	{Pooling{Window: Pair{3, 2}, Stride: Pair{1, 2}, Partial: true}, "[2,5,3]", "[2,3,2]"},
	{Pooling{Window: Pair{3, 3}, Stride: Pair{2, 1}, Pad: Pair{1, 2}}, "[2,5,4]", "[2,3,6]"},
	{Pooling{Window: Pair{2, 1}, Stride: Pair{3, 2}, Partial: true}, "[7,5]", "[3,3]"},
	{Pooling{Window: Pair{2, 2}}, "[0,4,6]", "[0,2,3]"},
	{Pooling{Window: Pair{3, 3}}, "[2,2,5]", "[2,0,1]"},
}

func (p Pool) Cases() []Case {
	var all []Case
	for _, c := range poolCases {
		for k := range PoolModes {
			all = append(all, cases("floats"+c.x, Pool{PoolKind(k), c.Pooling})...)
		}
	}
	return all
}
