package array

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestEuclidean compares the norms by kernels with those of package linalg, which scale.
func TestEuclidean(t *testing.T) {
	two := func(m linalg.Matrix) (float64, error) { return linalg.VectorNorm(m.Data, 2, nil) }
	for name, f := range map[string]func(i int) float64{
		"plain": func(i int) float64 { return math.Sin(float64(i)) }, "zero": func(int) float64 { return 0 }, "one zero row": func(i int) float64 { return float64(i / 7) },
		"huge": func(i int) float64 { return 1e200 * float64(i) }, "tiny": func(i int) float64 { return 1e-200 * float64(i+1) }, "both": func(i int) float64 { return math.Pow(10, float64(i%300-150)) },
		"nan": func(i int) float64 { return []float64{1, math.NaN(), 2}[i%3] }, "inf": func(i int) float64 { return []float64{1, math.Inf(-1), 2}[i%3] },
	} {
		for _, d := range []kernels.DType{kernels.Float64, kernels.Float32, kernels.Int64, kernels.Bool} {
			for _, shape := range [][]int{{5, 7}, {1, 300}, {300, 1}, {0, 3}, {3, 0}, {2, 3, 4}, {1000}, {}} {
				values := make([]float64, tensor.Size(shape))
				for i := range values {
					if values[i] = f(i); !d.IsFloat() {
						values[i] = math.Trunc(3 * math.Sin(float64(i)))
					}
				}
				x := tensor.From(values, shape...).AsType(d)
				for axis := -1; axis < len(shape); axis++ {
					var axes []int
					if axis >= 0 {
						axes = []int{axis}
					}
					for _, keep := range []bool{false, true} {
						got, err := Euclidean(calc, x, axes, keep)
						want, errWant := Norm(calc, x, axes, two, false, keep)
						if err != nil || errWant != nil {
							t.Fatalf("%s, %v%v, axes %v: got %v, want %v", name, d, shape, axes, err, errWant)
						}
						if got.DType() != want.DType() || tensor.ShapeString(got.Shape()) != tensor.ShapeString(want.Shape()) {
							t.Fatalf("%s, %v%v, axes %v: got %v%v, want %v%v", name, d, shape, axes, got.DType(), got.Shape(), want.DType(), want.Shape())
						}
						precision := 8 * Precision(got.DType())
						for i, w := range want.Floats() {
							if g := got.Floats()[i]; !(math.Abs(g-w) <= precision*w || g == w || math.IsNaN(g) && math.IsNaN(w)) {
								t.Errorf("%s, %v%v, axes %v, element %d: got %v, want %v", name, d, shape, axes, i, g, w)
							}
						}
					}
				}
			}
		}
	}
}

// TestMatricesStop: what decomposes a large matrix ends when the user interrupts.
func TestMatricesStop(t *testing.T) {
	const n = 500
	x := tensor.New(kernels.Float64, n, n)
	for i, data := 0, tensor.Elements[float64](x); i < len(data); i++ {
		data[i] = math.Sin(float64(i * i))
	}
	m, err := MatricesOf(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(c Calculator) (*tensor.Dense, error){
		"cond": func(c Calculator) (*tensor.Dense, error) { return Cond(c, m, "2") },
		"rank": func(c Calculator) (*tensor.Dense, error) { return MatrixRank(c, x, -1, nil) },
		"norm": func(c Calculator) (*tensor.Dense, error) {
			nuclear := func(a linalg.Matrix) (float64, error) { return linalg.MatrixNorm(a, linalg.Nuclear) }
			return Norm(c, x, []int{0, 1}, nuclear, true, false)
		},
	} {
		var stop uint32
		time.AfterFunc(10*time.Millisecond, func() { atomic.StoreUint32(&stop, 1) })
		if _, err := f(Calculator{Evaluator: calc.Evaluator, Stop: &stop}); err != op.ErrStopped {
			t.Errorf("%s: got %v, want %v", name, err, op.ErrStopped)
		}
	}
}
