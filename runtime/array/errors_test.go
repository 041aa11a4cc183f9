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
	v, m, none := count(f64, 3), count(f64, 2, 3), tensor.New(f64, 0)
	zero := tensor.IntScalar(kernels.Int64, 0)
	widths := func(d *tensor.Dense) error { _, err := PadWidths(d, 2); return err }
	average := func(x, w *tensor.Dense) error {
		_, _, err := Average(calc, x, w, tensor.AllAxes(x.Rank()), false)
		return err
	}
	gradient := func(x *tensor.Dense, edge int, steps ...*tensor.Dense) error {
		_, err := Gradient(calc, x, steps, upTo(x.Rank()), edge)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{third(Quantile(calc, v, tensor.Scalar(f64, 2), "linear", Lanes{Axes: tensor.AxesOf(0)})), "for parameter q: got the quantile 2, want 0 to 1, or percentages from 0 to 100"},
		{third(Quantile(calc, v, zero, "best", Lanes{Axes: tensor.AxesOf(0)})),
			"for parameter method: got \"best\", want linear, lower, higher, midpoint, nearest, or a method by its name in NumPy"},
		{widths(v), "for parameter pad_width: got float64, want integers"},
		{widths(count(kernels.Int64, 3)), "for parameter pad_width: got shape (3,), want a number, a pair, or a pair for each of 2 axes"},
		{third(Pad(calc, none, "edge", [][2]int{{1, 0}}, zero)), "got an empty axis 0, which mode edge cannot extend"},
		{third(Concatenate([]*tensor.Dense{m, v}, 0, nil)), "array 1 of shape (3,) does not fit array 0 of shape (2, 3) along axis 0"},
		{average(m, v), "for parameter weights: got shape (3,), want that of a, (2, 3), or a vector along axis"},
		{average(v, tensor.New(f64, 3)), "got weights whose sum is 0"},
		{third(Covariance(calc, m, 1, Weights{Frequencies: none})), "for parameter fweights: got shape (0,), want a weight for each of 3 observations"},
		{third(Histogram(nil, v, []float64{0, 1}, m, false)), "for parameter weights: got shape (2, 3), want that of a, (3,)"},
		{gradient(v, 3), "for parameter edge_order: got 3, want 1 or 2"},
		{gradient(m, 2), "got 2 elements along axis 0, want at least 3"},
		{gradient(v, 1, count(f64, 2)), "for parameter varargs: got shape (2,), want a coordinate for each of 3 elements"},
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
		"trapezoid": third(Trapezoid(c, x, nil, 1, 0)),
		"convolve":  third(Convolve(c, count(kernels.Float64, 1000), count(kernels.Float64, 9), "full")),
		"correlate": third(Correlate(c, count(kernels.Int64, 1000), count(kernels.Int64, 9), "valid")),
	} {
		if !errors.Is(err, op.ErrStopped) {
			t.Errorf("%s: got %v, want %v", name, err, op.ErrStopped)
		}
	}
}
