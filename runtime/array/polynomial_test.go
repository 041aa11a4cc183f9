package array

import (
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

func TestPolynomials(t *testing.T) {
	const f64 = kernels.Float64
	fit, err := Polyfit(tensor.From([]float64{0, 1, 2, 3}, 4), tensor.From([]float64{1, 2, 5, 10}, 4), 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 0, 1} {
		if got := fit.Coefficients.Floats()[i]; math.Abs(got-want) > 1e-13 {
			t.Errorf("coefficient %d: got %v, want %v", i, got, want)
		}
	}
	z, err := Roots([]float64{0, 1, -3, 2, 0})
	wantArray(t, "roots", z, err, f64, []int{3}, 2, 1, 0)
	z, err = Roots(nil)
	wantArray(t, "roots of nothing", z, err, f64, []int{0})
	if _, err := Roots([]float64{1, 0, 1}); err == nil ||
		err.Error() != "got a polynomial whose roots are not all real: complex numbers are not in Arignote" {
		t.Error(err)
	}
	quotient, rest, err := Polydiv([]float64{1, 0, -1}, []float64{1, 1})
	wantArray(t, "quotient", quotient, err, f64, []int{2}, 1, -1)
	wantArray(t, "remainder", rest, err, f64, []int{1}, 0)
	if _, err := fit.Covariances(true); err != nil {
		t.Error(err)
	}
	exact, err := Polyfit(tensor.From([]float64{0, 1}, 2), tensor.From([]float64{1, 2}, 2), 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exact.Covariances(false); err == nil {
		t.Error("covariances of a line through two points: got no error")
	}
}

func TestConvolve(t *testing.T) {
	const i64, f64 = kernels.Int64, kernels.Float64
	a, v := tensor.From([]int64{1, 2, 3}, 3), tensor.From([]float64{0, 1, 0.5}, 3)
	z, err := Convolve(a, v, "full")
	wantArray(t, "full", z, err, f64, []int{5}, 0, 1, 2.5, 4, 1.5)
	z, err = Convolve(a, v, "same")
	wantArray(t, "same", z, err, f64, []int{3}, 1, 2.5, 4)
	z, err = Correlate(a, v, "valid")
	wantArray(t, "valid", z, err, f64, []int{1}, 3.5)
	z, err = Correlate(tensor.From([]int64{1, 2}, 2), tensor.From([]int64{1, 10, 100}, 3), "full")
	wantArray(t, "a shorter first", z, err, i64, []int{4}, 100, 210, 21, 2)
	z, err = Correlate(tensor.From([]int64{1, 2}, 2), tensor.From([]int64{1, 10, 100}, 3), "same")
	wantArray(t, "same of a shorter first", z, err, i64, []int{3}, 210, 21, 2)
	if _, err := Convolve(tensor.New(f64, 0), v, "full"); err == nil || err.Error() != "got shapes (0,) and (3,), want two vectors with elements" {
		t.Error(err)
	}
}

func TestBesselI0(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{{0, 1}, {1, 1.2660658777520082}, {-10, 2815.716628466254}, {math.Inf(1), math.Inf(1)}} {
		if got := BesselI0(c.x); got != c.want && math.Abs(got-c.want) > 1e-14*c.want {
			t.Errorf("I0(%v): got %v, want %v", c.x, got, c.want)
		}
	}
	if got := BesselI0(math.NaN()); !math.IsNaN(got) {
		t.Errorf("I0(nan): got %v", got)
	}
}
