package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Alloc broadcasts a value to the shape given by int64 scalars, one an axis, in memory of its own.
type Alloc struct{}

func (a Alloc) Name() string { return "alloc" }

// Coerce gives the value as many axes as the result has, and refuses lengths that are known and
// negative.
func (a Alloc) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	out := append([]V(nil), in...)
	for i, v := range in[min(1, len(in)):] {
		if v.Type.DType.IsInteger() {
			out[i+1] = castTo(b, v, kernels.Int64)
		}
		if n, ok := KnownLength(v); ok && v.Type.DType.IsInteger() && n < 0 {
			return nil, fmt.Errorf("length of axis %d: got %d, want at least 0", i, n)
		}
	}
	if len(in) > 0 && in[0].Type.Rank() < len(in)-1 {
		shape := graph.NewInput("", graph.AnyShape(in[0].Type.DType, len(in)-1), nil)
		out[0] = padLeft(b, []V{in[0], shape})[0]
	}
	return out, nil
}

func (a Alloc) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 || in[0].Type.Rank() != len(in)-1 {
		return nil, fmt.Errorf("got %d lengths, want as many as the value has axes", len(in)-1)
	}
	dims := make([]int, len(in)-1)
	for i, v := range in[1:] {
		if v.Type.Rank() != 0 || v.Type.DType != kernels.Int64 {
			return nil, fmt.Errorf("length of axis %d: got %v, want an int64 scalar", i, v.Type)
		}
		dims[i] = graph.Unknown
		if d, ok := KnownLength(v); ok {
			dims[i] = d
		}
		if have := in[0].Type.Dim(i); have != 1 && have != graph.Unknown {
			if dims[i] != graph.Unknown && dims[i] != have {
				return nil, fmt.Errorf("a value of type %v does not broadcast to length %d on axis %d", in[0].Type, dims[i], i)
			}
			dims[i] = have
		}
		if dims[i] < graph.Unknown {
			return nil, fmt.Errorf("length of axis %d: got %d, want at least 0", i, dims[i])
		}
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, dims...)}, nil
}

// maxBytes is more than the memory of any machine.
const maxBytes = 1 << 46

func (a Alloc) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	fill, impl, err := linkCopy(node.Inputs[0].Type.DType, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		shape := make([]int, len(in)-1)
		for i, v := range in[1:] {
			shape[i] = int(v.Ints()[0])
			if shape[i] < 0 {
				return fmt.Errorf("length of axis %d: got %d, want at least 0", i, shape[i])
			}
		}
		value, err := expand(node.Inputs[0], in[0], shape)
		if err != nil {
			return err
		}
		bytes := float64(in[0].DType().Size())
		for _, d := range shape {
			bytes *= float64(d)
		}
		if bytes > maxBytes { // the product of integers would wrap, or Go panic
			return fmt.Errorf("an array of shape %s takes %.3g bytes, which is more than there can be", tensor.ShapeString(shape),
				bytes)
		}
		out[0] = c.Alloc(0, in[0].DType(), shape)
		return fill(c, out[0], value)
	}, impl, err
}

// Cost reads the value once, whatever it is repeated to.
func (a Alloc) Cost(in, out []graph.Array) graph.Cost { return graph.Once(0, in, out) }

// Connects: a cost does not depend on lengths.
func (Alloc) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

func (a Alloc) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if t := node.Inputs[0].Type; t.DType.IsFloat() {
		grads[0] = sumToType(b, g[0], t)
	}
	return grads
}

// DeepCopy copies a value, so that what a function returns is the caller's alone.
type DeepCopy struct{}

func (DeepCopy) Name() string { return "deep_copy" }

func (DeepCopy) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, nil
}

func (DeepCopy) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	run, impl, err := linkCopy(node.Inputs[0].Type.DType, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, in[0].DType(), in[0].Shape())
		return run(c, out[0], in[0])
	}, impl, err
}

func (DeepCopy) Cost(in, out []graph.Array) graph.Cost { return graph.Once(0, in, out) }

func (DeepCopy) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

func (a Alloc) Label() string { return "Alloc" }
func (a Alloc) Class() string { return classBasic + "Alloc" }

func (a Alloc) Length(_ Maker, v V, axis int) V { return v.Owner.Inputs[1+axis] }
func (a Alloc) Traits() Traits                  { return Moves }

func (DeepCopy) Label() string { return "DeepCopyOp" }
func (DeepCopy) Class() string { return "compile.ops.DeepCopyOp" }

func (DeepCopy) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }
func (DeepCopy) Traits() Traits                  { return Moves }
func (DeepCopy) TakesStates()                    {}

var _ = register(Alloc{}, DeepCopy{})

func (a Alloc) Cases() []Case {
	return slices.Concat(cases("any[1,3] 2 3", a), cases("any[1,1,3] 2 0 3", a), cases("any", a), cases("any[1] 5", a), cases("any[1] 0", a))
}

func (c DeepCopy) Cases() []Case {
	return slices.Concat(cases("any[2,3]", c), cases("any", c), cases("any[2,0]", c))
}

func (a Alloc) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	value := node.Inputs[0]
	for axis, n := range node.Inputs[1:] {
		r.atMost(r.number(0), n, axis)
		if !value.Type.Broadcasts(axis) {
			r.alike(n, r.length(value, axis), axis)
		}
	}
	return r.list
}
