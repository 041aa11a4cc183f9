package formula

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// numbered is an array of 0, 1, 2, ...
func numbered(dtype kernels.DType, shape ...int) *tensor.Dense {
	values := make([]float64, tensor.Size(shape))
	for i := range values {
		values[i] = float64(i)
	}
	return tensor.From(values, shape...).AsType(dtype)
}

// wantArray compares with what NumPy gives.
func wantArray(t *testing.T, name string, f func() (Array, error), dtype kernels.DType, shape []int, want ...float64) {
	t.Helper()
	z, err := computed(func() ([]Array, error) { return list(f()) })
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	near := func(x, y float64) bool {
		return x == y || math.Abs(x-y) <= 1e-12*math.Abs(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	if got := z[0]; got.DType() != dtype || !slices.Equal(got.Shape(), shape) || !slices.EqualFunc(got.Floats(), want, near) {
		t.Errorf("%s: got %v %v %v, want %v %v %v", name, got.DType(), got.Shape(), got.Floats(), dtype, shape, want)
	}
}

func wantError(t *testing.T, f func() (Array, error), want string) {
	t.Helper()
	if _, err := computed(func() ([]Array, error) { return list(f()) }); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestProducts(t *testing.T) {
	const i64, f64 = kernels.Int64, kernels.Float64
	a, b, v := numbered(i64, 2, 3), numbered(i64, 3, 2), numbered(i64, 3)
	wantArray(t, "dot of 3 axes", func() (Array, error) { return Dot(calc, numbered(i64, 2, 2, 3), v) }, i64, []int{2, 2}, 5, 14, 23, 32)
	wantArray(t, "dot over the last but one", func() (Array, error) { return Dot(calc, v, numbered(f64, 2, 3, 1)) }, f64, []int{2, 1}, 5, 14)
	wantArray(t, "tensordot of all axes", func() (Array, error) { return TensorDot(calc, a, b, []int{0, 1}, []int{1, 0}) }, i64, []int{}, 50)
	wantArray(t, "tensordot of no axes", func() (Array, error) { return TensorDot(calc, v, v, nil, nil) }, i64, []int{3, 3}, 0, 0, 0, 0, 1, 2, 0, 2, 4)
	wantArray(t, "tensordot of views", func() (Array, error) { return TensorDot(calc, a.Transpose(), b.Transpose(), []int{0}, []int{1}) }, i64, []int{2, 2}, 10, 13, 28, 40)
	wantArray(t, "matmul broadcast", func() (Array, error) { return Matmul(calc, numbered(i64, 2, 1, 3), b) }, i64, []int{2, 1, 2}, 10, 13, 28, 40)
	wantArray(t, "matmul of a row", func() (Array, error) { return Matmul(calc, v, numbered(i64, 2, 3, 1)) }, i64, []int{2, 1}, 5, 14)
	wantArray(t, "matmul of none", func() (Array, error) { return Matmul(calc, tensor.New(f64, 0, 2, 3), b) }, f64, []int{0, 2, 2})
	wantArray(t, "a chain", func() (Array, error) { return MultiDot(calc, []Array{v, b, a, v}) }, i64, []int{}, 232)
	if split := splits([]int{10, 100, 5, 50}); split[0][2] != 1 {
		t.Errorf("the chain 10x100x5x50 is split after matrix %d, want 1", split[0][2])
	}
	for _, c := range []struct {
		f    func() (Array, error)
		want string
	}{
		{func() (Array, error) { return Dot(calc, a, a) }, "shapes (2, 3) and (2, 3) do not fit: axis 1 of the first is 3 and axis 0 of the second is 2"},
		{func() (Array, error) { return TensorDot(calc, a, b, []int{0}, []int{0, 1}) }, "axes: got 1 of the first and 2 of the second, want as many"},
		{func() (Array, error) { return Matmul(calc, numbered(i64, 2, 2, 3), numbered(i64, 3, 3, 1)) }, "operands could not be broadcast together: shapes (2,) and (3,)"},
		{func() (Array, error) { return MultiDot(calc, []Array{v, v, v}) }, "for parameter arrays: got shape (3,) at 1, want a matrix"},
		{func() (Array, error) { return MultiDot(calc, []Array{a, a}) }, "for parameter arrays: got shapes (2, 3) and (2, 3) at 0, want axes that fit"},
	} {
		wantError(t, c.f, c.want)
	}
}

// einsum reads subscripts and computes.
func einsum(subscripts string, in []Array) (Array, error) {
	s, err := array.ReadSubscripts(subscripts, len(in))
	if err != nil {
		return nil, err
	}
	ranks := make([]int, len(in))
	for i, x := range in {
		ranks[i] = x.Rank()
	}
	letters, result, err := s.Letters(ranks)
	if err != nil {
		return nil, err
	}
	return Einsum(calc, in, letters, result)
}

func TestEinsum(t *testing.T) {
	const i64 = kernels.Int64
	a, b, v := numbered(i64, 2, 3), numbered(i64, 3, 2), numbered(i64, 3)
	square := numbered(i64, 3, 3)
	for _, c := range []struct {
		subscripts string
		in         []Array
		shape      []int
		want       []float64
	}{
		{"ij,jk->ik", []Array{a, b}, []int{2, 2}, []float64{10, 13, 28, 40}},
		{"ij,jk", []Array{a, b}, []int{2, 2}, []float64{10, 13, 28, 40}},
		{"ij->ji", []Array{a}, []int{3, 2}, []float64{0, 3, 1, 4, 2, 5}},
		{"ii", []Array{square}, []int{}, []float64{12}},
		{"ii->i", []Array{square}, []int{3}, []float64{0, 4, 8}},
		{"ij->", []Array{a}, []int{}, []float64{15}},
		{"i,j", []Array{v, v}, []int{3, 3}, []float64{0, 0, 0, 0, 1, 2, 0, 2, 4}},
		{"...j,j", []Array{numbered(i64, 2, 1, 3), v}, []int{2, 1}, []float64{5, 14}},
		{"ij, j , jk -> k", []Array{a, v, b}, []int{2}, []float64{66, 85}},
		{"bij,bjk->bik", []Array{numbered(i64, 2, 1, 2), numbered(i64, 2, 2, 1)}, []int{2, 1, 1}, []float64{1, 13}},
		{"ij,j->i", []Array{tensor.New(i64, 0, 3), v}, []int{0}, nil},
	} {
		wantArray(t, c.subscripts, func() (Array, error) { return einsum(c.subscripts, c.in) }, i64, c.shape, c.want...)
	}
	for _, c := range []struct {
		subscripts string
		in         []Array
		want       string
	}{
		{"ij,jk", []Array{a}, "for parameter subscripts: got subscripts for 2 operands and 1 operands"},
		{"ij->k", []Array{a}, "for parameter subscripts: got \"k\" after ->, which no operand has"},
		{"ij->ii", []Array{a}, "for parameter subscripts: got \"i\" twice after ->"},
		{"i1", []Array{a}, "for parameter subscripts: got \"1\" in \"i1\", want letters, commas, ... and ->"},
		{"i", []Array{a}, "for parameter subscripts: got 1 letters in \"i\" for an operand of 2 dimensions"},
		{"ij,ij", []Array{a, b}, "operand 1: axis 0, \"i\", has length 3, want 2 as before"},
	} {
		wantError(t, func() (Array, error) { return einsum(c.subscripts, c.in) }, c.want)
	}
}

// TestErrors: what formulas refuse.
func TestErrors(t *testing.T) {
	const f64 = kernels.Float64
	v, m, none := numbered(f64, 3), numbered(f64, 2, 3), tensor.New(f64, 0)
	zero := tensor.IntScalar(kernels.Int64, 0)
	widths := func(d *tensor.Dense) func() (Array, error) {
		return func() (Array, error) { _, err := PadWidths(d, 2); return v, err }
	}
	gradient := func(x *tensor.Dense, edge int, steps ...Array) func() (Array, error) {
		return func() (Array, error) {
			_, err := Gradient(calc, x, steps, upTo(x.Rank()), edge)
			return x, err
		}
	}
	for _, c := range []struct {
		f    func() (Array, error)
		want string
	}{
		{widths(v), "for parameter pad_width: got float64, want integers"},
		{widths(numbered(kernels.Int64, 3)), "for parameter pad_width: got shape (3,), want a number, a pair, or a pair for each of 2 axes"},
		{func() (Array, error) { return FilledPad(calc, none, "edge", [][2]int{{1, 0}}, zero) }, "got an empty axis 0, which mode edge cannot extend"},
		{func() (Array, error) {
			mean, _, err := Average(calc, m, v, tensor.AllAxes(2), false)
			return mean, err
		}, "for parameter weights: got shape (3,), want that of a, (2, 3), or a vector along axis"},
		{func() (Array, error) { return Covariance(calc, m, 1, Weights{Frequencies: none}) },
			"for parameter fweights: got shape (0,), want a weight for each of 3 observations"},
		{gradient(v, 3), "for parameter edge_order: got 3, want 1 or 2"},
		{gradient(m, 2), "got 2 elements along axis 0, want at least 3"},
		{gradient(v, 1, numbered(f64, 2)), "for parameter varargs: got shape (2,), want a coordinate for each of 3 elements"},
		{func() (Array, error) { return calc.Do(op.Add, v, numbered(f64, 2)), nil }, "operands could not be broadcast together: shapes (3,) and (2,)"},
	} {
		wantError(t, c.f, c.want)
	}
}

// TestStops: an interrupt ends what computes.
func TestStops(t *testing.T) {
	stop := uint32(1)
	m := &Algebra{Calculator: array.Calculator{Evaluator: calc.Evaluator, Stop: &stop}}
	x := numbered(kernels.Float64, 1000, 1000)
	if _, err := computed(func() ([]Array, error) { return list(Trapezoid(m, x, nil, 1, 0)) }); !errors.Is(err, op.ErrStopped) {
		t.Errorf("got %v, want %v", err, op.ErrStopped)
	}
}
