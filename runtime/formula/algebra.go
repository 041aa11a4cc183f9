package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An Array is what formulas compute with: a variable of a graph or, at once, a value.
type Array interface {
	DType() kernels.DType
	Rank() int
	Dim(axis int) int // graph.Unknown where it is not known
}

// An Algebra applies operations to arrays. Symbolic makes nodes of a graph of variables, and Eager
// computes values. What goes wrong is a panic that graph.Catch turns into an error.
type Algebra interface {
	// Do applies an elementwise function to arrays, ints and float64s, which broadcast. Numbers
	// take the type of the arrays that they meet, unless their kind is higher.
	Do(e op.Elemwise, operands ...any) Array
	// Reduce combines the elements along axes, which the result lacks.
	Reduce(kind op.Reduction, x Array, axes tensor.Axes) Array
	// Dot is the product of vectors and matrices.
	Dot(x, y Array) Array
	// Matmul is the products of matrices, the last two axes, for each place of those before.
	Matmul(x, y Array) Array
	// Cast gives elements a type.
	Cast(x Array, d kernels.DType) Array
	// Permute makes axis order[i] of x axis i of the result; tensor.NewAxis adds one of length 1.
	Permute(x Array, order ...int) Array
	// Reshape gives x another shape.
	Reshape(x Array, shape ...Length) Array
	// Part is x[start:stop] along an axis; Python's rules hold for numbers below 0 or beyond the
	// end.
	Part(x Array, axis, start, stop int) Array
	// At is x[i] along an axis, which the result lacks.
	At(x Array, axis, i int) Array
	// Join is arrays one after the other along an axis.
	Join(axis int, list ...Array) Array
	// Diagonal is that of two axes, as the last axis. They are as long as each other.
	Diagonal(x Array, axis1, axis2 int) Array
	// BroadcastTo repeats y to the shape of x.
	BroadcastTo(y, x Array) Array
	// Length is that of an axis.
	Length(x Array, axis int) Length
	// Times is the product of lengths.
	Times(list ...Length) Length
	// Number is a length as an operand of floats.
	Number(n Length) any
	// Fit fails unless axis i of x and axis j of y may have one length.
	Fit(x, y Array, i, j int)
	// Mention names an array in a text, at least by its shape.
	Mention(x Array) string
	// Item is the element of an array without axes, as an operand: a number if it is known.
	Item(x Array) any
}

// A Length is that of an axis: N or, where that is not known, the int64 scalar V.
type Length struct {
	N int
	V V
}

// Rest is the end of an axis, for Part.
const Rest = int(^uint(0) >> 1)

// Symbolic is the Algebra that makes nodes of graphs.
type Symbolic struct{ *graph.Builder }

// Do makes constants of numbers.
func (m Symbolic) Do(e op.Elemwise, operands ...any) Array {
	in := make([]V, len(operands))
	var widest V // of the arrays
	common := kernels.Bool
	for i, x := range operands {
		if v, ok := x.(V); ok {
			in[i], common = v, kernels.Promote(common, v.Type.DType)
			if widest == nil || v.Type.Rank() > widest.Type.Rank() {
				widest = v
			}
		}
	}
	for i, x := range operands {
		switch x := x.(type) {
		case int:
			in[i] = m.like(widest, common, float64(x), kernels.Int64)
		case float64:
			in[i] = m.like(widest, common, x, kernels.Float64)
		}
	}
	return m.Apply(e, in...)
}

// like is a constant that broadcasts with v, of the type d or, if that is of a lower kind than
// number, of number.
func (m Symbolic) like(v V, d kernels.DType, value float64, number kernels.DType) V {
	if d.IsBool() || !d.IsFloat() && number.IsFloat() {
		d = number
	}
	ones := make([]int, v.Type.Rank())
	for i := range ones {
		ones[i] = 1
	}
	a := tensor.New(d, ones...)
	a.Fill(value)
	return m.Constant(a)
}

func (m Symbolic) Reduce(kind op.Reduction, x Array, axes tensor.Axes) Array {
	return m.Apply(op.Reduce{Kind: kind, Axes: axes}, x.(V))
}

func (m Symbolic) Dot(x, y Array) Array { return m.Apply(op.Dot{}, x.(V), y.(V)) }

func (m Symbolic) Matmul(x, y Array) Array { return m.Apply(op.Matmul{}, x.(V), y.(V)) }

func (m Symbolic) Cast(x Array, d kernels.DType) Array { return Cast(m.Builder, x.(V), d) }

func (m Symbolic) Permute(x Array, order ...int) Array { return Permute(m.Builder, x.(V), order) }

func (m Symbolic) Reshape(x Array, shape ...Length) Array {
	lengths := make([]V, len(shape))
	for i, n := range shape {
		lengths[i] = m.scalar(n)
	}
	return Reshape(m.Builder, x.(V), lengths)
}

func (m Symbolic) scalar(n Length) V {
	if n.V == nil {
		return Int(m.Builder, n.N)
	}
	return n.V
}

func (m Symbolic) Part(x Array, axis, start, stop int) Array {
	bound := func(i, none int) V {
		if i == none {
			return nil
		}
		return Int(m.Builder, i)
	}
	return Slice(m.Builder, x.(V), axis, bound(start, 0), bound(stop, Rest), nil)
}

func (m Symbolic) At(x Array, axis, i int) Array { return At(m.Builder, x.(V), axis, i) }

func (m Symbolic) Join(axis int, list ...Array) Array {
	return m.Apply(op.Join{Axis: axis}, Variables(list)...)
}

// Diagonal reshapes, which fails where the axes are not as long as each other.
func (m Symbolic) Diagonal(x Array, axis1, axis2 int) Array {
	var order []int
	var shape []V
	lengths := op.Lengths(m.Builder, x.(V))
	for axis, n := range lengths {
		if axis != axis1 && axis != axis2 {
			order, shape = append(order, axis), append(shape, n)
		}
	}
	n := lengths[axis1]
	flat := Reshape(m.Builder, Permute(m.Builder, x.(V), append(order, axis1, axis2)), append(shape, count(m.Builder, op.Mul, n, n)))
	return Slice(m.Builder, flat, len(shape), nil, nil, count(m.Builder, op.Add, n, Int(m.Builder, 1)))
}

func (m Symbolic) BroadcastTo(y, x Array) Array { return m.Apply(op.Second, x.(V), y.(V)) }

func (m Symbolic) Length(x Array, axis int) Length {
	v := x.(V)
	if n := v.Type.Dim(axis); n != graph.Unknown {
		return Length{N: n}
	}
	return Length{V: m.Apply(op.ShapeI{Axis: axis}, v)}
}

func (m Symbolic) Times(list ...Length) Length {
	lengths := make([]V, len(list))
	for i, n := range list {
		lengths[i] = m.scalar(n)
	}
	p := op.Product(m.Builder, lengths)
	if p.IsConstant() {
		return Length{N: int(p.Data.Ints()[0])}
	}
	return Length{V: p}
}

func (m Symbolic) Number(n Length) any {
	if n.V == nil {
		return float64(n.N)
	}
	return double(m.Builder, n.V)
}

func (m Symbolic) Fit(x, y Array, i, j int) {
	if n, l := x.Dim(i), y.Dim(j); !maySame(n, l) {
		graph.Fail(fmt.Errorf("axes: axis %d of the first has length %d and axis %d of the second %d", i, n, j, l))
	}
}

func (m Symbolic) Mention(x Array) string { return graph.Mention(x.(V)) }

func (m Symbolic) Item(x Array) any { return x }

// Variables are arrays of Symbolic's, nil those that are none.
func Variables(list []Array) []V {
	variables := make([]V, len(list))
	for i, x := range list {
		variables[i], _ = x.(V)
	}
	return variables
}

// floats is x as floats: float64 of what is no float.
func floats(m Algebra, x Array) Array {
	if x.DType().IsFloat() {
		return x
	}
	return m.Cast(x, kernels.Float64)
}

// meanOf is that of the elements along axes, as floats.
func meanOf(m Algebra, x Array, axes tensor.Axes) Array {
	sum := m.Reduce(op.Sum, floats(m, x), axes)
	return m.Do(op.TrueDiv, sum, countOf(m, x, axes, sum.DType()))
}

// countOf is how many elements lie along axes, to compute with floats of a type.
func countOf(m Algebra, x Array, axes tensor.Axes, d kernels.DType) any {
	lengths := make([]Length, 0, tensor.MaxRank)
	for axis := range x.Rank() {
		if axes.Has(axis) {
			lengths = append(lengths, m.Length(x, axis))
		}
	}
	n := m.Number(m.Times(lengths...))
	if v, ok := n.(V); ok {
		return m.Cast(v, d)
	}
	return n
}

// restored gives a reduction's result the axes back that an array of a rank had, with length 1.
func restored(m Algebra, z Array, axes tensor.Axes, rank int) Array {
	if axes.None() {
		return z
	}
	return m.Permute(z, op.Restore(axes, rank)...)
}

// alongAxis is a vector as an array of rank axes that lies along one of them.
func alongAxis(m Algebra, x Array, axis, rank int) Array {
	if rank == 1 {
		return x
	}
	order := make([]int, rank)
	for i := range order {
		order[i] = tensor.NewAxis
	}
	order[axis] = 0
	return m.Permute(x, order...)
}
