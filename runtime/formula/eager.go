package formula

import (
	"errors"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Eager is the Algebra that computes values, *tensor.Dense, with NumPy's types of results. Where
// it can, it gives views.
type Eager struct{ array.Calculator }

// done is the result of an operation that may have failed.
func done(z *tensor.Dense, err error) Array {
	if err != nil {
		graph.Fail(err)
	}
	return z
}

func (m *Eager) Do(e op.Elemwise, operands ...any) Array { return done(m.Elementwise(e, operands...)) }

func (m *Eager) Reduce(kind op.Reduction, x Array, axes tensor.Axes) Array {
	return done(m.Calculator.Reduce(kind, x.(*tensor.Dense), axes))
}

func (m *Eager) Dot(x, y Array) Array {
	return done(m.Calculator.Dot(x.(*tensor.Dense), y.(*tensor.Dense)))
}

func (m *Eager) Matmul(x, y Array) Array {
	return done(m.Calculator.Matmul(x.(*tensor.Dense), y.(*tensor.Dense)))
}

func (m *Eager) Cast(x Array, d kernels.DType) Array { return x.(*tensor.Dense).As(d) }

func (m *Eager) Permute(x Array, order ...int) Array { return done(x.(*tensor.Dense).DimShuffle(order)) }

func (m *Eager) Reshape(x Array, shape ...Length) Array {
	var few [tensor.MaxRank]int
	dims := few[:0]
	for _, n := range shape {
		dims = append(dims, n.N)
	}
	return done(x.(*tensor.Dense).Reshape(dims...))
}

func (m *Eager) Part(x Array, axis, start, stop int) Array {
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{Start: &start, Stop: &stop}
	return done(x.(*tensor.Dense).Subscript(index...))
}

func (m *Eager) At(x Array, axis, i int) Array {
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{At: &i}
	return done(x.(*tensor.Dense).Subscript(index...))
}

func (m *Eager) Join(axis int, list ...Array) Array {
	return done(array.Concatenate(Values(list), axis, m.Stop))
}

// Diagonal is a view.
func (m *Eager) Diagonal(x Array, axis1, axis2 int) Array {
	d := x.(*tensor.Dense)
	if d.Dim(axis1) != d.Dim(axis2) {
		graph.Fail(errors.New("got axes of different lengths, want a diagonal"))
	}
	return done(tensor.Diagonal(d, 0, axis1, axis2))
}

func (m *Eager) BroadcastTo(y, x Array) Array {
	z, ok := y.(*tensor.Dense).BroadcastTo(x.(*tensor.Dense).Shape())
	if !ok {
		graph.Fail(tensor.ShapeErrorf("shapes %s do not fit", tensor.ShapesOf(y.(*tensor.Dense), x.(*tensor.Dense))))
	}
	return z
}

func (m *Eager) Length(x Array, axis int) Length { return Length{N: x.Dim(axis)} }

func (m *Eager) Times(list ...Length) Length {
	n := 1
	for _, x := range list {
		n *= x.N
	}
	return Length{N: n}
}

func (m *Eager) Number(n Length) any { return float64(n.N) }

func (m *Eager) Fit(x, y Array, i, j int) {
	if n, l := x.Dim(i), y.Dim(j); n != l {
		graph.Fail(tensor.ShapeErrorf("shapes %s do not fit: axis %d of the first is %d and axis %d of the second is %d",
			tensor.ShapesOf(x.(*tensor.Dense), y.(*tensor.Dense)), i, n, j, l))
	}
}

func (m *Eager) Mention(x Array) string { return "shape " + tensor.ShapesOf(x.(*tensor.Dense)) }

func (m *Eager) Item(x Array) any { return x.(*tensor.Dense).Floats()[0] }

// Arrays are values as formulas take them.
func Arrays(list []*tensor.Dense) []Array {
	arrays := make([]Array, len(list))
	for i, d := range list {
		arrays[i] = d
	}
	return arrays
}

// Values are arrays of Eager's.
func Values(list []Array) []*tensor.Dense {
	values := make([]*tensor.Dense, len(list))
	for i, x := range list {
		values[i] = x.(*tensor.Dense)
	}
	return values
}
