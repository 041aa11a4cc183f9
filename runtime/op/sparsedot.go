package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// SparseDot is the product of a sparse matrix A and a dense matrix or vector b: data, indices,
// indptr, minor and b → A·b, where A is the CSR matrix of [major, minor]; with Transposed Aᵀ·b,
// which is the product of a CSC matrix. b: [minor, n] → [major, n] or, with Transposed, [major, n]
// → [minor, n]; of a vector without n. data and b have one element type. With Whole a sixth operand
// is what A was made of, dense, [major, minor]: it is not read, and has the gradient instead of
// data, as it is where all of A counts and not what is stored alone.
type SparseDot struct{ Transposed, Whole bool }

// operands is how many there are.
func (o SparseDot) operands() int {
	if o.Whole {
		return 6
	}
	return 5
}

// SampledDot is x·yᵀ at the places of a sparse matrix: x of [major, n], y of [minor, n], indices
// and indptr → data. Vectors stand for n = 1.
type SampledDot struct{}

var _ = register(SparseDot{}, SampledDot{})

func (o SparseDot) Name() string { return nameOf("sparse_dot", o) }

func (o SparseDot) Label() string {
	if o.Transposed {
		return "StructuredDotCSC"
	}
	return "StructuredDotCSR"
}
func (o SparseDot) Class() string { return "sparse.opt." + o.Label() }

// Coerce converts data and b to their common element type.
func (o SparseDot) Coerce(b *graph.Builder, in []V) ([]V, error) {
	if len(in) != o.operands() {
		return in, nil
	}
	out := slices.Clone(toMinor(b, in, 3))
	both := toCommonType(b, []V{in[0], in[4]})
	out[0], out[4] = both[0], both[1]
	return out, nil
}

// ends are the lengths of the axis of b that is summed over and of the first axis of the result, of
// major and minor.
func (o SparseDot) ends(major, minor int) (summed, kept int) {
	if o.Transposed {
		return major, minor
	}
	return minor, major
}

func (o SparseDot) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, o.operands()); err != nil {
		return nil, err
	}
	if err := checkSparse(in[0], in[1], in[2], in[3]); err != nil {
		return nil, err
	}
	if o.Whole && (in[5].Type.Rank() != 2 || !in[5].Type.DType.IsFloat()) {
		return nil, fmt.Errorf("got %v for the whole matrix, want a matrix of floats", in[5].Type)
	}
	t := in[4].Type
	if t.Rank() != 1 && t.Rank() != 2 || t.DType != in[0].Type.DType {
		return nil, fmt.Errorf("got %v, want a vector or a matrix of %v", t, in[0].Type.DType)
	}
	summed, kept := o.ends(majorLength(in[2]), minorLength(in[3]))
	if n := t.Dim(0); n != graph.Unknown && summed != graph.Unknown && n != summed {
		return nil, o.refusal(in[4].Type.Dims(), summed)
	}
	dims := t.Dims()
	dims[0] = kept
	return []graph.Type{graph.TypeOf(t.DType, dims...)}, nil
}

func (o SparseDot) refusal(shape []int, summed int) error {
	return fmt.Errorf("got a dense operand of shape %s for a sparse one with %d columns, want as many rows", tensor.ShapeString(shape), summed)
}

func (o SparseDot) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	loops := sparseTable[d]
	return func(c *Call, in, out []*tensor.Dense) error {
		p, err := patternOf(c, in[1], in[2], int(in[3].Ints()[0]))
		if err == nil {
			err = sameElements(in[0], p)
		}
		if err != nil {
			return err
		}
		summed, kept := o.ends(p.Major(), p.Minor)
		shape := slices.Clone(in[4].Shape())
		if shape[0] != summed {
			return o.refusal(shape, summed)
		}
		n := tensor.Size(shape[1:])
		if shape[0] = kept; tensor.CheckSize(d.Size(), shape) != nil {
			return tensor.CheckSize(d.Size(), shape)
		}
		out[0] = c.Alloc(0, d, shape)
		data, b := flatten(c, in[0]), flatten(c, in[4])
		run := loops.dot
		if o.Transposed {
			c.poll().Fill(out[0], 0)
			run = loops.dotT
		}
		return inBounds(p, func() error {
			flops := 2 * float64(len(p.Indices)) * float64(n)
			if !sparse.ByRows(p.Major(), flops, !o.Transposed, c.Stop, func(first, end int) { run(out[0], data, p, b, n, first, end) }) {
				return ErrStopped
			}
			return nil
		})
	}, goImpl, nil
}

// Cost counts a multiplication and an addition for each stored element and column.
func (o SparseDot) Cost(in, out []graph.Array) graph.Cost {
	columns := 1.0
	if len(in[4].Shape) > 1 {
		columns = float64(in[4].Shape[1])
	}
	cost := graph.Once(2*in[0].Elements()*columns, in, out)
	if o.Whole {
		cost.Read[5] = 0
	}
	return cost
}

func (o SparseDot) Length(m Maker, v V, axis int) V {
	in := v.Owner.Inputs
	switch {
	case axis > 0:
		return length(m, in[4], axis)
	case o.Transposed:
		return in[3]
	}
	return majorOf(m, in[2])
}

func (o SparseDot) Requires(m Maker, node *graph.Apply) []Requirement {
	r, in := requirements{m: m}, node.Inputs
	r.alikeElements(in[0], in[1])
	r.columns(in[1], in[3], -1)
	if o.Transposed {
		r.equal(majorOf(m, in[2]), r.length(in[4], 0), 0)
	} else {
		r.equal(in[3], r.length(in[4], 0), 0)
	}
	return r.list
}

// Grad: with respect to data it is g·bᵀ at the stored places, or all of it with respect to the
// whole, and with respect to b Aᵀ·g.
func (o SparseDot) Grad(b *graph.Builder, node *graph.Apply, g []V) []V {
	in := node.Inputs
	grads := make([]V, len(in))
	if !in[0].Type.DType.IsFloat() {
		return grads
	}
	x, y := g[0], in[4]
	if o.Transposed {
		x, y = y, x
	}
	back := slices.Clone(in)
	back[4] = g[0]
	grads[4] = b.Apply(SparseDot{!o.Transposed, o.Whole}, back...)
	if !o.Whole {
		grads[0] = b.Apply(SampledDot{}, x, y, in[1], in[2])
		return grads
	}
	if x.Type.Rank() == 1 {
		grads[5] = Mul.do(b, b.Apply(NewDimShuffle([]int{0, tensor.NewAxis}), x), b.Apply(NewDimShuffle([]int{tensor.NewAxis, 0}), y))
	} else {
		grads[5] = b.Apply(Dot{}, x, b.Apply(NewDimShuffle([]int{1, 0}), y))
	}
	grads[5] = castTo(b, grads[5], in[5].Type.DType)
	return grads
}

func (o SparseDot) Traits() Traits { return 0 }

func (o SparseDot) Cases() []Case {
	const minor = minorOfPatterns + " "
	return slices.Concat(
		cases("numbers[5] "+somePattern+minor+"numbers[4,6]", SparseDot{}), cases("numbers[5] "+somePattern+minor+"numbers[3,6]", SparseDot{Transposed: true}),
		cases("floats[5] "+oddPattern+minor+"floats[4]", SparseDot{}), cases("floats[5] "+oddPattern+minor+"floats[3]", SparseDot{Transposed: true}),
		cases("floats[0] "+emptyPattern+minor+"floats[4,2]", SparseDot{}), cases("floats[0] "+emptyPattern+minor+"floats[3,2]", SparseDot{Transposed: true}),
		cases("floats[0] "+noPattern+" 2 floats[2,6]", SparseDot{}), cases("floats[0] "+noPattern+" 2 floats[0,6]", SparseDot{Transposed: true}),
		cases("float64[11] int32[11](0 1 2 3 4 5 6 7 8 1 0) int32[3](0 9 11) 9 float64[9,5]", SparseDot{}),
		cases("float32[5] "+somePattern+minor+"float64[4,1]", SparseDot{}),
		cases("float64[5](1 2 3 4 5) "+somePattern+minor+"float64[4,2] float64[3,4](1 0 0 2 0 0 0 0 4 3 5 0)", SparseDot{Whole: true}),
		cases("float64[5](1 2 3 4 5) "+somePattern+minor+"float64[3] float64[3,4](1 0 0 2 0 0 0 0 4 3 5 0)", SparseDot{Transposed: true, Whole: true}),
	)
}

func (o SampledDot) Name() string  { return "sampled_dot" }
func (o SampledDot) Label() string { return "SamplingDotCSR" }
func (o SampledDot) Class() string { return "sparse.opt.SamplingDotCSR" }

// Coerce converts x and y to their common element type.
func (o SampledDot) Coerce(b *graph.Builder, in []V) ([]V, error) {
	if len(in) != 4 {
		return in, nil
	}
	both := toCommonType(b, in[:2])
	return []V{both[0], both[1], in[2], in[3]}, nil
}

func (o SampledDot) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 4); err != nil {
		return nil, err
	}
	if err := checkSparse(nil, in[2], in[3], nil); err != nil {
		return nil, err
	}
	x, y := in[0].Type, in[1].Type
	if x.Rank() != y.Rank() || x.Rank() != 1 && x.Rank() != 2 || x.DType != y.DType || x.DType.IsBool() {
		return nil, fmt.Errorf("got %v and %v, want two matrices, or two vectors, of numbers of one type", x, y)
	}
	rows := majorLength(in[3])
	if n := x.Dim(0); n != graph.Unknown && rows != graph.Unknown && n != rows {
		return nil, o.refusal(x.Dims(), y.Dims(), rows)
	}
	if x.Rank() == 2 && x.Dim(1) != y.Dim(1) && x.Dim(1) != graph.Unknown && y.Dim(1) != graph.Unknown {
		return nil, o.refusal(x.Dims(), y.Dims(), rows)
	}
	return []graph.Type{graph.TypeOf(x.DType, in[2].Type.Dim(0))}, nil
}

func (o SampledDot) refusal(x, y []int, rows int) error {
	return fmt.Errorf("got shapes %s and %s for %d rows of places, want as many rows of the first and as many columns of both", tensor.ShapeString(x), tensor.ShapeString(y), rows)
}

func (o SampledDot) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	loops := sparseTable[d]
	return func(c *Call, in, out []*tensor.Dense) error {
		p, err := patternOf(c, in[2], in[3], in[1].Dim(0))
		if err != nil {
			return err
		}
		if in[0].Dim(0) != p.Major() || !slices.Equal(in[0].Shape()[1:], in[1].Shape()[1:]) {
			return o.refusal(in[0].Shape(), in[1].Shape(), p.Major())
		}
		n := tensor.Size(in[0].Shape()[1:])
		out[0] = c.Alloc(0, d, []int{len(p.Indices)})
		x, y := flatten(c, in[0]), flatten(c, in[1])
		if n == 0 { // nothing is read, so that no access is out of bounds
			c.poll().Fill(out[0], 0)
			return p.Check()
		}
		return inBounds(p, func() error {
			flops := 2 * float64(len(p.Indices)) * float64(n)
			if !sparse.ByRows(p.Major(), flops, true, c.Stop, func(first, end int) { loops.sampled(out[0], p, x, y, n, first, end) }) {
				return ErrStopped
			}
			return nil
		})
	}, goImpl, nil
}

// Cost counts a multiplication and an addition for each place and column; of y, rows without a
// place are not read.
func (o SampledDot) Cost(in, out []graph.Array) graph.Cost {
	columns := 1.0
	if len(in[0].Shape) > 1 {
		columns = float64(in[0].Shape[1])
	}
	cost := graph.Once(2*out[0].Elements()*columns, in, out)
	cost.Read[1] = min(cost.Read[1], out[0].Bytes()*columns)
	return cost
}

func (o SampledDot) Length(m Maker, v V, _ int) V { return length(m, v.Owner.Inputs[2], 0) }

func (o SampledDot) Requires(m Maker, node *graph.Apply) []Requirement {
	r, in := requirements{m: m}, node.Inputs
	r.equal(majorOf(m, in[3]), r.length(in[0], 0), 0)
	r.columns(in[2], r.length(in[1], 0), 0)
	if in[0].Type.Rank() == 2 {
		r.equal(r.length(in[0], 1), r.length(in[1], 1), 1)
	}
	return r.list
}

// Grad: with respect to x it is G·y and with respect to y Gᵀ·x, for the sparse matrix G of g.
func (o SampledDot) Grad(b *graph.Builder, node *graph.Apply, g []V) []V {
	x, y, indices, indptr := node.Inputs[0], node.Inputs[1], node.Inputs[2], node.Inputs[3]
	if !x.Type.DType.IsFloat() {
		return make([]V, 4)
	}
	minor := length(b, y, 0)
	return []V{b.Apply(SparseDot{}, g[0], indices, indptr, minor, y), b.Apply(SparseDot{Transposed: true}, g[0], indices, indptr, minor, x), nil, nil}
}

func (o SampledDot) Traits() Traits { return 0 }

func (o SampledDot) Cases() []Case {
	return slices.Concat(
		cases("numbers[3,6] numbers[4,6] "+somePattern, o), cases("floats[3] floats[4] "+somePattern, o), cases("floats[3,2] floats[4,2] "+oddPattern, o),
		cases("floats[3,2] floats[4,2] "+emptyPattern, o), cases("floats[0,2] floats[4,2] "+noPattern, o), cases("floats[3,0] floats[4,0] "+somePattern, o),
		cases("float32[3,1] float64[4,1] "+somePattern, o),
	)
}
