package array

import (
	"errors"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestErrors: what the functions refuse.
func TestErrors(t *testing.T) {
	const f64 = kernels.Float64
	v, m := count(f64, 3), count(f64, 2, 3)
	zero := tensor.IntScalar(kernels.Int64, 0)
	for _, c := range []struct {
		err  error
		want string
	}{
		{third(Quantile(calc, v, tensor.Scalar(f64, 2), "linear", Lanes{Axes: tensor.AxesOf(0)})), "for parameter q: got the quantile 2, want 0 to 1, or percentages from 0 to 100"},
		{third(Quantile(calc, v, zero, "best", Lanes{Axes: tensor.AxesOf(0)})),
			"for parameter method: got \"best\", want linear, lower, higher, midpoint, nearest, or a method by its name in NumPy"},
		{third(Concatenate([]*tensor.Dense{m, v}, 0, nil)), "array 1 of shape (3,) does not fit array 0 of shape (2, 3) along axis 0"},
		{third(Histogram(nil, v, []float64{0, 1}, m, false)), "for parameter weights: got shape (2, 3), want that of a, (3,)"},
		{third(calc.Elementwise(op.Add, v, count(f64, 2))), "operands could not be broadcast together: shapes (3,) and (2,)"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

// TestStops: an interrupt ends what computes.
func TestStops(t *testing.T) {
	stop := uint32(1)
	c := Calculator{Evaluator: calc.Evaluator, Stop: &stop}
	x := count(kernels.Float64, 1000, 1000)
	for name, err := range map[string]error{
		"median":    third(Median(c, x, Lanes{Axes: tensor.AxesOf(1)})),
		"convolve":  third(Convolve(c, count(kernels.Float64, 1000), count(kernels.Float64, 9), "full")),
		"correlate": third(Correlate(c, count(kernels.Int64, 1000), count(kernels.Int64, 9), "valid")),
	} {
		if !errors.Is(err, op.ErrStopped) {
			t.Errorf("%s: got %v, want %v", name, err, op.ErrStopped)
		}
	}
}
