package op

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// MRGUniform draws numbers uniform in (0, 1) from streams of the generator MRG31k3p: of a matrix of
// int32, one state of six numbers a row, and an int64 vector of Rank lengths, it makes the states
// after it, and the numbers. Number i, in C order, is of stream i modulo the number of streams. So
// it is Theano's mrg_uniform, bit for bit.
type MRGUniform struct {
	Rank  int
	DType Element // float32 or float64
}

var _ = register(MRGUniform{DType: Element(kernels.Float64)})

func (u MRGUniform) Name() string { return nameOf("mrg_uniform", u) }
func (u MRGUniform) Label() string {
	return fmt.Sprintf("mrg_uniform{%v,%dd}", kernels.DType(u.DType), u.Rank)
}
func (u MRGUniform) Class() string { return "sandbox.rng_mrg.mrg_uniform" }

// Coerce converts the lengths to int64.
func (u MRGUniform) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	out := slices.Clone(in)
	if len(in) == 2 && in[1].Type.DType.IsInteger() {
		out[1] = castTo(b, in[1], kernels.Int64)
	}
	return out, nil
}

func (u MRGUniform) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	states, size := in[0].Type, in[1].Type
	switch n := size.Dim(0); {
	case states.DType != kernels.Int32 || states.Rank() != 2 || states.Dim(1) != 6 && states.Dim(1) != graph.Unknown:
		return nil, fmt.Errorf("got states of type %v, want int32[?,6]", states)
	case size.DType != kernels.Int64 || size.Rank() != 1 || n != graph.Unknown && n != u.Rank:
		return nil, fmt.Errorf("got a size of type %v, want int64[%d]", size, u.Rank)
	case u.Rank < 0 || u.Rank > tensor.MaxRank:
		return nil, fmt.Errorf("got %d axes, want at most %d", u.Rank, tensor.MaxRank)
	case !kernels.DType(u.DType).IsFloat():
		return nil, fmt.Errorf("got element type %v, want float32 or float64", kernels.DType(u.DType))
	}
	dims := vectorValues(in[1], u.Rank)
	for i, n := range dims {
		if n < graph.Unknown {
			return nil, fmt.Errorf("size: got length %d on axis %d, want at least 0", n, i)
		}
	}
	return []graph.Type{states, graph.TypeOf(kernels.DType(u.DType), dims...)}, nil
}

func (u MRGUniform) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		shape := make([]int, u.Rank)
		elements := 1.0
		for i, n := range in[1].Ints() {
			if n < 0 {
				return fmt.Errorf("size: got length %d on axis %d, want at least 0", n, i)
			}
			shape[i], elements = int(n), elements*float64(n)
		}
		if elements > math.MaxInt32 {
			return fmt.Errorf("size: got %.0f numbers, want at most 2**31 - 1 in a call", elements)
		}
		streams := in[0].Dim(0)
		if streams == 0 || in[0].Dim(1) != 6 {
			return fmt.Errorf("got states of shape %s, want one of 6 numbers a row", tensor.ShapeString(in[0].Shape()))
		}
		out[0], out[1] = c.Alloc(0, kernels.Int32, in[0].Shape()), c.Alloc(1, kernels.DType(u.DType), shape)
		tensor.CopyTo(out[0], in[0])
		states := tensor.Elements[int32](out[0])
		for row := range streams {
			if err := (*random.MRG31k3p)(states[6*row:]).Check(); err != nil {
				return fmt.Errorf("the state of stream %d: %w", row, err)
			}
		}
		if u.DType == Element(kernels.Float32) {
			return drawMRG(c, states, tensor.Elements[float32](out[1]), (*random.MRG31k3p).Float32)
		}
		return drawMRG(c, states, tensor.Elements[float64](out[1]), (*random.MRG31k3p).Float64)
	}, goImpl, nil
}

// drawMRG fills dst from streams that take turns.
func drawMRG[E tensor.Number](c *Call, states []int32, dst []E, next func(*random.MRG31k3p) E) error {
	at := 0
	for i := range dst {
		if i%drawChunk == 0 && kernels.Stopped(c.Stop) {
			return ErrStopped
		}
		dst[i] = next((*random.MRG31k3p)(states[at:]))
		if at += 6; at == len(states) {
			at = 0
		}
	}
	return nil
}

// mrgFlops is the arithmetic of one number: shifts, sums and remainders of both halves, their
// difference and its product.
const mrgFlops = 20

func (u MRGUniform) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(mrgFlops*out[1].Elements(), in, out)
}

// Grad: neither states nor lengths have gradients.
func (u MRGUniform) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil, nil}
}

func (u MRGUniform) Length(m Maker, v V, axis int) V {
	in := v.Owner.Inputs
	switch {
	case v.Index == 0:
		return length(m, in[0], axis)
	case in[1].Data != nil:
		return m.Constant(tensor.IntScalar(kernels.Int64, in[1].Data.Ints()[axis]))
	case in[1].Op() == graph.Op(MakeVector{}) && in[1].Owner.Inputs[axis].Type.DType == kernels.Int64:
		return in[1].Owner.Inputs[axis]
	}
	return nil
}

func (u MRGUniform) Traits() Traits { return Jumps }

func (u MRGUniform) Cases() []Case {
	const states = "int32[2,6](1 2 3 4 5 6 12345 12345 12345 12345 12345 12345) "
	of := func(rank int) []Structural {
		return []Structural{MRGUniform{rank, Element(kernels.Float64)}, MRGUniform{rank, Element(kernels.Float32)}}
	}
	return slices.Concat(cases(states+"int64[2](2 3)", of(2)...), cases(states+"int64[1](1)", of(1)...), cases(states+"int64[0]()", of(0)...),
		cases(states+"int64[2](2 0)", of(2)...), cases("int32[1,6](1 1 1 1 1 1) int64[1](5)", of(1)...))
}
