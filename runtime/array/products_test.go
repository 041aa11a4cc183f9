package array

import (
	"math"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// calc computes with the loops in Go.
var calc = Calculator{Evaluator: op.NewEvaluator(kernels.Sets{kernels.GoSet})}

// count is an array of 0, 1, 2, ...
func count(dtype kernels.DType, shape ...int) *tensor.Dense {
	values := make([]float64, tensor.Size(shape))
	for i := range values {
		values[i] = float64(i)
	}
	return tensor.From(values, shape...).AsType(dtype)
}

func noStop() error { return nil }

// wantArray compares with what NumPy gives.
func wantArray(t *testing.T, name string, got *tensor.Dense, err error, dtype kernels.DType, shape []int, want ...float64) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	near := func(x, y float64) bool {
		return x == y || math.Abs(x-y) <= 1e-12*math.Abs(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	if got.DType() != dtype || !slices.Equal(got.Shape(), shape) || !slices.EqualFunc(got.Floats(), want, near) {
		t.Errorf("%s: got %v %v %v, want %v %v %v", name, got.DType(), got.Shape(), got.Floats(), dtype, shape, want)
	}
}

func TestProducts(t *testing.T) {
	const i64, f64 = kernels.Int64, kernels.Float64
	a, b, v := count(i64, 2, 3), count(i64, 3, 2), count(i64, 3)
	z, err := Dot(calc, count(i64, 2, 2, 3), v)
	wantArray(t, "dot of 3 axes", z, err, i64, []int{2, 2}, 5, 14, 23, 32)
	z, err = Dot(calc, v, count(f64, 2, 3, 1))
	wantArray(t, "dot over the last but one", z, err, f64, []int{2, 1}, 5, 14)
	z, err = TensorDot(calc, a, b, []int{0, 1}, []int{1, 0})
	wantArray(t, "tensordot of all axes", z, err, i64, []int{}, 50)
	z, err = TensorDot(calc, v, v, nil, nil)
	wantArray(t, "tensordot of no axes", z, err, i64, []int{3, 3}, 0, 0, 0, 0, 1, 2, 0, 2, 4)
	z, err = TensorDot(calc, a.Transpose(), b.Transpose(), []int{0}, []int{1})
	wantArray(t, "tensordot of views", z, err, i64, []int{2, 2}, 10, 13, 28, 40)
	z, err = MatMul(calc, count(i64, 2, 1, 3), b)
	wantArray(t, "matmul broadcast", z, err, i64, []int{2, 1, 2}, 10, 13, 28, 40)
	z, err = MatMul(calc, v, count(i64, 2, 3, 1))
	wantArray(t, "matmul of a row", z, err, i64, []int{2, 1}, 5, 14)
	z, err = MatMul(calc, tensor.New(f64, 0, 2, 3), b)
	wantArray(t, "matmul of none", z, err, f64, []int{0, 2, 2})
	z, err = MatrixPowers(calc, noStop, tensor.From([]int64{1, 1, 1, 0}, 2, 2), 10)
	wantArray(t, "a power", z, err, i64, []int{2, 2}, 89, 55, 55, 34)
	z, err = MatrixPowers(calc, noStop, count(i64, 1, 2, 2), 0)
	wantArray(t, "the power 0", z, err, i64, []int{1, 2, 2}, 1, 0, 0, 1)
	z, err = MultiDot(calc, []*tensor.Dense{v, b, a, v})
	wantArray(t, "a chain", z, err, i64, []int{}, 232)
	if split := cheapest([]int{10, 100, 5, 50}); split[0][2] != 1 {
		t.Errorf("the chain 10x100x5x50 is split after matrix %d, want 1", split[0][2])
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{third(Dot(calc, a, a)), "shapes (2, 3) and (2, 3) do not fit: axis 1 of the first is 3 and axis 0 of the second is 2"},
		{third(TensorDot(calc, a, b, []int{0}, []int{0, 1})), "got 1 axes of a and 2 of b, want as many"},
		{third(MatMul(calc, count(i64, 2, 2, 3), count(i64, 3, 3, 1))), "operands could not be broadcast together: shapes (2,) and (3,)"},
		{third(MultiDot(calc, []*tensor.Dense{v, v, v})), "for parameter arrays: got shape (3,) at 1, want a matrix"},
		{third(MultiDot(calc, []*tensor.Dense{a, a})), "for parameter arrays: got shapes (2, 3) and (2, 3) at 0, want axes that fit"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

func third(_ *tensor.Dense, err error) error { return err }

func TestEinsum(t *testing.T) {
	const i64 = kernels.Int64
	a, b, v := count(i64, 2, 3), count(i64, 3, 2), count(i64, 3)
	square := count(i64, 3, 3)
	for _, c := range []struct {
		subscripts string
		in         []*tensor.Dense
		shape      []int
		want       []float64
	}{
		{"ij,jk->ik", []*tensor.Dense{a, b}, []int{2, 2}, []float64{10, 13, 28, 40}},
		{"ij,jk", []*tensor.Dense{a, b}, []int{2, 2}, []float64{10, 13, 28, 40}},
		{"ij->ji", []*tensor.Dense{a}, []int{3, 2}, []float64{0, 3, 1, 4, 2, 5}},
		{"ii", []*tensor.Dense{square}, []int{}, []float64{12}},
		{"ii->i", []*tensor.Dense{square}, []int{3}, []float64{0, 4, 8}},
		{"ij->", []*tensor.Dense{a}, []int{}, []float64{15}},
		{"i,j", []*tensor.Dense{v, v}, []int{3, 3}, []float64{0, 0, 0, 0, 1, 2, 0, 2, 4}},
		{"...j,j", []*tensor.Dense{count(i64, 2, 1, 3), v}, []int{2, 1}, []float64{5, 14}},
		{"ij, j , jk -> k", []*tensor.Dense{a, v, b}, []int{2}, []float64{66, 85}},
		{"bij,bjk->bik", []*tensor.Dense{count(i64, 2, 1, 2), count(i64, 2, 2, 1)}, []int{2, 1, 1}, []float64{1, 13}},
		{"ij,j->i", []*tensor.Dense{tensor.New(i64, 0, 3), v}, []int{0}, nil},
	} {
		s, err := ReadSubscripts(c.subscripts, len(c.in))
		if err != nil {
			t.Fatal(err)
		}
		z, err := Einsum(calc, s, c.in)
		wantArray(t, c.subscripts, z, err, i64, c.shape, c.want...)
	}
	for _, c := range []struct {
		subscripts string
		in         []*tensor.Dense
		want       string
	}{
		{"ij,jk", []*tensor.Dense{a}, "for parameter subscripts: got subscripts for 2 operands and 1 operands"},
		{"ij->k", []*tensor.Dense{a}, "for parameter subscripts: got \"k\" after ->, which no operand has"},
		{"ij->ii", []*tensor.Dense{a}, "for parameter subscripts: got \"i\" twice after ->"},
		{"i1", []*tensor.Dense{a}, "for parameter subscripts: got \"1\" in \"i1\", want letters, commas, ... and ->"},
		{"i", []*tensor.Dense{a}, "for parameter subscripts: got 1 letters in \"i\" for an operand of 2 dimensions"},
		{"ij,ij", []*tensor.Dense{a, b}, "operand 1: axis 0, \"i\", has length 3, want 2 as before"},
	} {
		s, err := ReadSubscripts(c.subscripts, len(c.in))
		if err == nil {
			_, err = Einsum(calc, s, c.in)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.subscripts, err, c.want)
		}
	}
}

func TestMatrices(t *testing.T) {
	const f64, f32 = kernels.Float64, kernels.Float32
	two := func(m linalg.Matrix) (float64, error) { return linalg.VectorNorm(m.Data, 2, nil) }
	z, err := Norm(calc, tensor.From([]float64{3, 4, 6, 8}, 2, 2), []int{1}, two, false, false)
	wantArray(t, "norm", z, err, f64, []int{2}, 5, 10)
	z, err = Norm(calc, tensor.From([]float32{3, 4}, 1, 2), nil, nil, false, true)
	wantArray(t, "norm of all", z, err, f32, []int{1, 1}, 5)
	z, err = Norm(calc, tensor.New(f64, 0, 2), []int{1}, two, false, false)
	wantArray(t, "norm of none", z, err, f64, []int{0})
	z, err = MatrixRank(calc, tensor.From([]float64{1, 2, 2, 4, 1, 0, 0, 1}, 2, 2, 2), -1, nil)
	wantArray(t, "rank", z, err, kernels.Int64, []int{2}, 1, 2)
	z, err = MatrixRank(calc, tensor.From([]float64{0, 1}, 2), -1, nil)
	wantArray(t, "rank of a vector", z, err, kernels.Int64, []int{}, 1)
}
