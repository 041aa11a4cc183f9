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

func third(_ *tensor.Dense, err error) error { return err }

func TestPowers(t *testing.T) {
	const i64 = kernels.Int64
	z, err := MatrixPowers(calc, noStop, tensor.From([]int64{1, 1, 1, 0}, 2, 2), 10)
	wantArray(t, "a power", z, err, i64, []int{2, 2}, 89, 55, 55, 34)
	z, err = MatrixPowers(calc, noStop, count(i64, 1, 2, 2), 0)
	wantArray(t, "the power 0", z, err, i64, []int{1, 2, 2}, 1, 0, 0, 1)
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
