package formula

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An Array is what formulas compute with: a variable of a graph or, at once, a value, a
// *tensor.Dense.
type Array interface {
	DType() kernels.DType
	Rank() int
	Dim(axis int) int // graph.Unknown where it is not known
}

// An Algebra applies operations to arrays: to variables, which makes nodes of a graph, or to
// values, which computes with NumPy's types of results; there results may be views. What goes
// wrong is a panic that graph.Catch turns into an error.
//
// It is no interface, so that a call of it costs no memory: small arrays feel that.
type Algebra struct {
	graph *graph.Builder // nil if it computes
	array.Calculator
}

// Symbolic is the Algebra that makes nodes.
func Symbolic(b *graph.Builder) *Algebra { return &Algebra{graph: b} }

// Symbolic reports whether arrays are variables.
func (m *Algebra) Symbolic() bool { return m.graph != nil }

// A Length is that of an axis: N or, where that is not known, the int64 scalar V.
type Length struct {
	N int
	V V
}

// Rest is the end of an axis, for Part.
const Rest = int(^uint(0) >> 1)

// done is the result of an operation that may have failed.
func done(z *tensor.Dense, err error) Array {
	if err != nil {
		graph.Fail(err)
	}
	return z
}

// Do applies an elementwise function to arrays, ints and float64s, which broadcast. Numbers take
// the type of the arrays that they meet, unless their kind is higher.
func (m *Algebra) Do(e op.Elemwise, operands ...any) Array {
	if m.graph == nil {
		return done(m.Elementwise(e, operands...))
	}
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
			in[i] = m.number(widest, common, float64(x), kernels.Int64)
		case float64:
			in[i] = m.number(widest, common, x, kernels.Float64)
		}
	}
	return m.graph.Apply(e, in...)
}

// number is a constant that broadcasts with v, of the type d or, if that is of a lower kind, of
// the type own.
func (m *Algebra) number(v V, d kernels.DType, value float64, own kernels.DType) V {
	if d.IsBool() || !d.IsFloat() && own.IsFloat() {
		d = own
	}
	t := v.Type
	t.DType = d
	return m.graph.Constant(graph.Filled(t, value))
}

// Reduce combines the elements along axes, which the result lacks.
func (m *Algebra) Reduce(kind op.Reduction, x Array, axes tensor.Axes) Array {
	if m.graph != nil {
		return m.graph.Apply(op.Reduce{Kind: kind, Axes: axes}, x.(V))
	}
	return done(m.Calculator.Reduce(kind, x.(*tensor.Dense), axes))
}

// Dot is the product of vectors and matrices.
func (m *Algebra) Dot(x, y Array) Array {
	if m.graph != nil {
		return m.graph.Apply(op.Dot{}, x.(V), y.(V))
	}
	return done(m.Calculator.Dot(x.(*tensor.Dense), y.(*tensor.Dense)))
}

// Matmul is the products of matrices, the last two axes, for each place of those before.
func (m *Algebra) Matmul(x, y Array) Array {
	if m.graph != nil {
		return m.graph.Apply(op.Matmul{}, x.(V), y.(V))
	}
	return done(m.Calculator.Matmul(x.(*tensor.Dense), y.(*tensor.Dense)))
}

// Cast gives elements a type.
func (m *Algebra) Cast(x Array, d kernels.DType) Array {
	if m.graph != nil {
		return Cast(m.graph, x.(V), d)
	}
	return x.(*tensor.Dense).As(d)
}

// Permute makes axis order[i] of x axis i of the result; tensor.NewAxis adds one of length 1.
func (m *Algebra) Permute(x Array, order ...int) Array {
	if m.graph != nil {
		return Permute(m.graph, x.(V), order)
	}
	return done(x.(*tensor.Dense).DimShuffle(order))
}

// Reshape gives x another shape.
func (m *Algebra) Reshape(x Array, shape ...Length) Array {
	if m.graph != nil {
		return Reshape(m.graph, x.(V), m.scalars(shape))
	}
	var few [tensor.MaxRank]int
	dims, same := few[:0], len(shape) == x.Rank()
	for axis, n := range shape {
		same = same && n.N == x.Dim(axis)
		dims = append(dims, n.N)
	}
	if same {
		return x
	}
	return done(x.(*tensor.Dense).Reshape(dims...))
}

// scalars are lengths as variables.
func (m *Algebra) scalars(list []Length) []V {
	scalars := make([]V, len(list))
	for i, n := range list {
		if scalars[i] = n.V; n.V == nil {
			scalars[i] = Int(m.graph, n.N)
		}
	}
	return scalars
}

// Part is x[start:stop] along an axis; Python's rules hold for numbers below 0 or beyond the end.
func (m *Algebra) Part(x Array, axis, start, stop int) Array {
	if m.graph == nil {
		index := make([]tensor.Index, axis+1)
		index[axis] = tensor.Index{Start: &start, Stop: &stop}
		return done(x.(*tensor.Dense).Subscript(index...))
	}
	bound := func(i, none int) V {
		if i == none {
			return nil
		}
		return Int(m.graph, i)
	}
	return Slice(m.graph, x.(V), axis, bound(start, 0), bound(stop, Rest), nil)
}

// At is x[i] along an axis, which the result lacks.
func (m *Algebra) At(x Array, axis, i int) Array {
	if m.graph != nil {
		return At(m.graph, x.(V), axis, i)
	}
	index := make([]tensor.Index, axis+1)
	index[axis] = tensor.Index{At: &i}
	return done(x.(*tensor.Dense).Subscript(index...))
}

// Drop is x without an axis of length 1.
func (m *Algebra) Drop(x Array, axis int) Array {
	if m.graph != nil {
		return At(m.graph, x.(V), axis, 0)
	}
	var few [tensor.MaxRank]int
	shape := append(few[:0], x.(*tensor.Dense).Shape()...)
	return done(x.(*tensor.Dense).Reshape(slices.Delete(shape, axis, axis+1)...))
}

// Flip is x with the elements along an axis in reverse order.
func (m *Algebra) Flip(x Array, axis int) Array {
	if m.graph != nil {
		return Flip(m.graph, x.(V), tensor.AxesOf(axis))
	}
	index, back := make([]tensor.Index, axis+1), -1
	index[axis].Step = &back
	return done(x.(*tensor.Dense).Subscript(index...))
}

// Join is arrays one after the other along an axis.
func (m *Algebra) Join(axis int, list ...Array) Array {
	if m.graph != nil {
		return m.graph.Apply(op.Join{Axis: axis}, Variables(list)...)
	}
	return done(array.Concatenate(Values(list), axis, m.Stop))
}

// Diagonal is that of two axes, as the last axis. They are as long as each other.
func (m *Algebra) Diagonal(x Array, axis1, axis2 int) Array {
	if m.graph == nil {
		if x.Dim(axis1) != x.Dim(axis2) {
			graph.Fail(errors.New("got axes of different lengths, want a diagonal"))
		}
		return done(tensor.Diagonal(x.(*tensor.Dense), 0, axis1, axis2))
	}
	var order []int
	var shape []V
	lengths := op.Lengths(m.graph, x.(V))
	for axis, n := range lengths {
		if axis != axis1 && axis != axis2 {
			order, shape = append(order, axis), append(shape, n)
		}
	}
	n := lengths[axis1]
	turned := Permute(m.graph, x.(V), append(order, axis1, axis2))
	// Which fails if the lengths differ.
	flat := Reshape(m.graph, turned, append(shape, count(m.graph, op.Mul, n, n)))
	return Slice(m.graph, flat, len(shape), nil, nil, count(m.graph, op.Add, n, Int(m.graph, 1)))
}

// BroadcastTo repeats y to the shape of x.
func (m *Algebra) BroadcastTo(y, x Array) Array {
	if m.graph != nil {
		return m.graph.Apply(op.Second, x.(V), y.(V))
	}
	z, ok := y.(*tensor.Dense).BroadcastTo(x.(*tensor.Dense).Shape())
	if !ok {
		graph.Fail(tensor.ShapeErrorf("shapes %s do not fit", tensor.ShapesOf(y.(*tensor.Dense), x.(*tensor.Dense))))
	}
	return z
}

// Length is that of an axis.
func (m *Algebra) Length(x Array, axis int) Length {
	if n := x.Dim(axis); n != graph.Unknown {
		return Length{N: n}
	}
	return Length{V: m.graph.Apply(op.ShapeI{Axis: axis}, x.(V))}
}

// Times is the product of lengths.
func (m *Algebra) Times(list ...Length) Length {
	if m.graph != nil {
		if p := op.Product(m.graph, m.scalars(list)); !p.IsConstant() {
			return Length{V: p}
		}
	}
	n := 1
	for _, x := range list {
		n *= x.N
	}
	return Length{N: n}
}

// Number is a length as an operand of floats.
func (m *Algebra) Number(n Length) any {
	if n.V != nil {
		return double(m.graph, n.V)
	}
	return float64(n.N)
}

// Item is the element of an array without axes as an operand: a number if it is known.
func (m *Algebra) Item(x Array) any {
	if m.graph != nil {
		return x
	}
	return x.(*tensor.Dense).Floats()[0]
}

// Fit fails unless axis i of x and axis j of y may have one length.
func (m *Algebra) Fit(x, y Array, i, j int) {
	n, l := x.Dim(i), y.Dim(j)
	switch {
	case maySame(n, l):
	case m.graph != nil:
		graph.Fail(fmt.Errorf("axes: axis %d of the first has length %d and axis %d of the second %d", i, n, j, l))
	default:
		graph.Fail(tensor.ShapeErrorf("shapes %s do not fit: axis %d of the first is %d and axis %d of the second is %d",
			tensor.ShapesOf(x.(*tensor.Dense), y.(*tensor.Dense)), i, n, j, l))
	}
}

// maySame reports whether two lengths, of which either may be unknown, may be the same.
func maySame(m, n int) bool { return m == n || m == graph.Unknown || n == graph.Unknown }

// Mention names an array in a text, at least by its shape.
func (m *Algebra) Mention(x Array) string {
	if m.graph != nil {
		return graph.Mention(x.(V))
	}
	return "shape " + tensor.ShapesOf(x.(*tensor.Dense))
}

// Arrays are values as formulas take them.
func Arrays(list []*tensor.Dense) []Array {
	arrays := make([]Array, len(list))
	for i, d := range list {
		arrays[i] = d
	}
	return arrays
}

// Values are arrays that are no variables.
func Values(list []Array) []*tensor.Dense {
	values := make([]*tensor.Dense, len(list))
	for i, x := range list {
		values[i] = x.(*tensor.Dense)
	}
	return values
}

// Variable is the result of a formula that is a variable.
func Variable(x Array, err error) (V, error) {
	if err != nil {
		return nil, err
	}
	return x.(V), nil
}

// Variables are arrays that are variables.
func Variables(list []Array) []V {
	variables := make([]V, len(list))
	for i, x := range list {
		variables[i], _ = x.(V)
	}
	return variables
}

// floats is x as floats: float64 of what is no float.
func floats(m *Algebra, x Array) Array {
	if x.DType().IsFloat() {
		return x
	}
	return m.Cast(x, kernels.Float64)
}

// meanOf is that of the elements along axes, as floats.
func meanOf(m *Algebra, x Array, axes tensor.Axes) Array {
	sum := m.Reduce(op.Sum, floats(m, x), axes)
	return m.Do(op.TrueDiv, sum, countOf(m, x, axes, sum.DType()))
}

// countOf is how many elements lie along axes, to compute with floats of a type.
func countOf(m *Algebra, x Array, axes tensor.Axes, d kernels.DType) any {
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
func restored(m *Algebra, z Array, axes tensor.Axes, rank int) Array {
	if axes.None() {
		return z
	}
	return m.Permute(z, op.Restore(axes, rank)...)
}

// alongAxis is a vector as an array of rank axes that lies along one of them.
func alongAxis(m *Algebra, x Array, axis, rank int) Array {
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
