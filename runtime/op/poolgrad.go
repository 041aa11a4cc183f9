package op

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// PoolSpread gives each element of a window what the window has, divided by what Pool divides by:
// g, H, W → [..., H, W]. It is the gradient of a sum or an average.
type PoolSpread Pool

// PoolMaxGrad gives each largest element of a window what the window has: x, y = max, g → gradient
// of x.
type PoolMaxGrad struct{ Pooling }

// PoolMaxGather adds up for each window what its largest elements have: x, y = max, v → [..., Ho,
// Wo]. It is the gradient of PoolMaxGrad, which is linear in g; as x changes its gradient is 0 but
// where elements are equal.
type PoolMaxGather struct{ Pooling }

func (p PoolSpread) Name() string    { return poolName("poolspread", p.Kind, p.Pooling) }
func (p PoolSpread) Label() string   { return poolLabel("AveragePoolGrad", p.Kind, p.Pooling) }
func (p PoolSpread) Class() string   { return classPool + "AveragePoolGrad" }
func (p PoolMaxGrad) Name() string   { return poolName("poolmaxgrad", 0, p.Pooling) }
func (p PoolMaxGrad) Label() string  { return poolLabel("MaxPoolGrad", PoolMax, p.Pooling) }
func (p PoolMaxGrad) Class() string  { return classPool + "MaxPoolGrad" }
func (p PoolMaxGather) Name() string { return poolName("poolmaxgather", 0, p.Pooling) }
func (p PoolMaxGather) Label() string {
	return poolLabel("DownsampleFactorMaxGradGrad", PoolMax, p.Pooling)
}
func (p PoolMaxGather) Class() string { return classPool + "DownsampleFactorMaxGradGrad" }

func (p Pool) parse(params string) (graph.Op, error) {
	return parsePool(params, func(q Pool) graph.Op { return q })
}
func (p PoolSpread) parse(params string) (graph.Op, error) {
	return parsePool(params, func(q Pool) graph.Op { return PoolSpread(q) })
}
func (p PoolMaxGrad) parse(params string) (graph.Op, error) {
	return parsePool(params, func(q Pool) graph.Op { return PoolMaxGrad{q.Pooling} })
}
func (p PoolMaxGather) parse(params string) (graph.Op, error) {
	return parsePool(params, func(q Pool) graph.Op { return PoolMaxGather{q.Pooling} })
}

// parsePool reads what poolName writes.
func parsePool(params string, of func(Pool) graph.Op) (graph.Op, error) {
	var p Pool
	fields := map[string]interface{ UnmarshalText([]byte) error }{"kind": &p.Kind, "window": &p.Window, "stride": &p.Stride, "pad": &p.Pad}
	for _, param := range strings.FieldsFunc(params, func(r rune) bool { return r == ',' }) {
		key, text, _ := strings.Cut(param, "=")
		switch field := fields[key]; {
		case key == "partial":
			p.Partial = text == "true"
		case field == nil:
			return nil, fmt.Errorf("no parameter %q", key)
		default:
			if err := field.UnmarshalText([]byte(text)); err != nil {
				return nil, fmt.Errorf("parameter %s: %w", key, err)
			}
		}
	}
	return of(p), nil
}

// Coerce makes int64 of lengths.
func (p PoolSpread) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return lengthsAfter(b, in, 1), nil
}

// image is the shape of the result: that of g, the last axes as long as the lengths say.
func (p PoolSpread) image(g []int, lengths [2]int) ([]int, error) {
	x := append([]int(nil), g...)
	for i, n := range lengths {
		if n < 0 && n != graph.Unknown {
			return nil, fmt.Errorf("length %d: got %d, want at least 0", i, n)
		}
		x[len(x)-2+i] = n
	}
	return x, p.alike("output_grad", g, x)
}

func (p PoolSpread) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	if err := p.images(in[:1]); err != nil {
		return nil, err
	}
	var known [2]int
	for i, v := range in[1:] {
		if v.Type != graph.TypeOf(kernels.Int64) {
			return nil, fmt.Errorf("length %d: got %v, want an integer scalar", i, v.Type)
		}
		known[i] = graph.Unknown
		if n, ok := KnownLength(v); ok {
			known[i] = n
		}
	}
	x, err := p.image(in[0].Type.Dims(), known)
	if err != nil {
		return nil, err
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, x...)}, nil
}

func (p PoolSpread) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return p.link(node, sets, kernels.PoolSpread, 1, p.Kind.count(), func(in []*tensor.Dense) (x, z []int, err error) {
		var lengths [2]int
		for i := range lengths {
			lengths[i] = int(in[1+i].Ints()[0])
			if lengths[i] < 0 {
				return nil, nil, fmt.Errorf("length %d: got %d, want at least 0", i, lengths[i])
			}
		}
		x, err = p.image(in[0].Shape(), lengths)
		return x, x, err
	})
}

func (p PoolSpread) Cost(in, out []graph.Array) graph.Cost { return graph.Once(p.work(in[0]), in, out) }

func (p PoolSpread) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{b.Apply(Pool(p), g[0]), nil, nil}
}

func (p PoolSpread) Length(m Maker, v V, axis int) V {
	g := v.Owner.Inputs[0]
	if i := axis - (g.Type.Rank() - 2); i >= 0 {
		return v.Owner.Inputs[1+i]
	}
	return length(m, g, axis)
}

func (p PoolSpread) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	g := node.Inputs[0]
	for i, n := range node.Inputs[1:] {
		axis := g.Type.Rank() - 2 + i
		r.atMost(r.number(0), n, axis)
		r.equal(p.placesOf(m, n, i), r.length(g, axis), axis)
	}
	return r.list
}

func (p PoolSpread) Traits() Traits { return 0 }

func (p PoolSpread) Cases() []Case {
	var all []Case
	for _, c := range poolCases {
		lengths := strings.Split(strings.Trim(c.x, "[]"), ",")
		tail := strings.Join(lengths[len(lengths)-2:], " ")
		for k := range PoolModes[1:] {
			all = append(all, cases("floats"+c.y+" "+tail, PoolSpread{PoolKind(1 + k), c.Pooling})...)
		}
	}
	return all
}

// three checks x, y and the third operand, which has the shape of x or of y.
func (p Pooling) three(in []*graph.Variable, third string, ofImage bool) error {
	if err := arity(in, 3); err != nil {
		return err
	}
	if err := p.images(in); err != nil {
		return err
	}
	return p.shapes(in[0].Type.Dims(), in[1].Type.Dims(), in[2].Type.Dims(), third, ofImage)
}

func (p Pooling) shapes(x, y, v []int, third string, ofImage bool) error {
	if err := p.alike("maximum", y, x); err != nil {
		return err
	}
	if !ofImage {
		return p.alike(third, v, x)
	}
	for axis := range x {
		if len(v) != len(x) || v[axis] != x[axis] && v[axis] != graph.Unknown && x[axis] != graph.Unknown {
			return fmt.Errorf("%s has shape %s, want that of the input, %s", third, tensorShape(v), tensorShape(x))
		}
	}
	return nil
}

// require is what three requires.
func (p Pooling) require(m Maker, node *graph.Apply, ofImage bool) []Requirement {
	r := requirements{m: m}
	x, y, v := node.Inputs[0], node.Inputs[1], node.Inputs[2]
	for axis := range x.Type.Rank() {
		r.equal(p.windows(m, x, axis), r.length(y, axis), axis)
		if ofImage {
			r.equal(r.length(x, axis), r.length(v, axis), axis)
		} else {
			r.equal(p.windows(m, x, axis), r.length(v, axis), axis)
		}
	}
	return r.list
}

func (p PoolMaxGrad) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := p.three(in, "output_grad", false); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, nil
}

func (p PoolMaxGrad) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return p.link(node, sets, kernels.PoolMaxGrad, 3, 0, func(in []*tensor.Dense) (x, z []int, err error) {
		x = in[0].Shape()
		return x, x, p.shapes(x, in[1].Shape(), in[2].Shape(), "output_grad", false)
	})
}

func (p PoolMaxGrad) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(2*p.work(in[1]), in, out)
}

func (p PoolMaxGrad) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil, nil, b.Apply(PoolMaxGather(p), node.Inputs[0], node.Inputs[1], g[0])}
}

func (p PoolMaxGrad) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }
func (p PoolMaxGrad) Traits() Traits                  { return Jumps }
func (p PoolMaxGrad) Requires(m Maker, node *graph.Apply) []Requirement {
	return p.require(m, node, false)
}

func (p PoolMaxGrad) Cases() []Case {
	var all []Case
	for _, c := range poolCases {
		all = append(all, cases("floats"+c.x+" floats"+c.y+" floats"+c.y, PoolMaxGrad{c.Pooling})...)
	}
	ties := "float64[4,4](1 2 2 1 2 2 0 1 5 4 1 0 4 5 1 1) float64[2,2](2 2 5 1) float64[2,2](1 10 100 1000)"
	return append(all, cases(ties, PoolMaxGrad{Pooling{Window: Pair{2, 2}}})...)
}

func (p PoolMaxGather) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := p.three(in, "direction", true); err != nil {
		return nil, err
	}
	return []graph.Type{in[1].Type}, nil
}

func (p PoolMaxGather) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return p.link(node, sets, kernels.PoolMaxGather, 3, 0, func(in []*tensor.Dense) (x, z []int, err error) {
		x = in[0].Shape()
		return x, in[1].Shape(), p.shapes(x, in[1].Shape(), in[2].Shape(), "direction", true)
	})
}

func (p PoolMaxGather) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(2*p.work(out[0]), in, out)
}

func (p PoolMaxGather) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil, nil, b.Apply(PoolMaxGrad(p), node.Inputs[0], node.Inputs[1], g[0])}
}

func (p PoolMaxGather) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[1], axis) }
func (p PoolMaxGather) Traits() Traits                  { return Jumps }
func (p PoolMaxGather) Requires(m Maker, node *graph.Apply) []Requirement {
	return p.require(m, node, true)
}

func (p PoolMaxGather) Cases() []Case {
	var all []Case
	for _, c := range poolCases {
		all = append(all, cases("floats"+c.x+" floats"+c.y+" floats"+c.x, PoolMaxGather{c.Pooling})...)
	}
	ties := "float64[4,4](1 2 2 1 2 2 0 1 5 4 1 0 4 5 1 1) float64[2,2](2 2 5 1) float64[4,4](0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)"
	return append(all, cases(ties, PoolMaxGather{Pooling{Window: Pair{2, 2}}})...)
}
