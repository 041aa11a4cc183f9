package array

import (
	"math"
	"math/rand/v2"
	"slices"
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
		err.Error() != "got a polynomial whose roots are not all real: complex roots are not there yet" {
		t.Error(err)
	}
	quotient, rest, err := Polydiv(new(tensor.Poll), []float64{1, 0, -1}, []float64{1, 1})
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
	z, err := Convolve(calc, a, v, "full")
	wantArray(t, "full", z, err, f64, []int{5}, 0, 1, 2.5, 4, 1.5)
	z, err = Convolve(calc, a, v, "same")
	wantArray(t, "same", z, err, f64, []int{3}, 1, 2.5, 4)
	z, err = Correlate(calc, a, v, "valid")
	wantArray(t, "valid", z, err, f64, []int{1}, 3.5)
	z, err = Correlate(calc, tensor.From([]int64{1, 2}, 2), tensor.From([]int64{1, 10, 100}, 3), "full")
	wantArray(t, "a shorter first", z, err, i64, []int{4}, 100, 210, 21, 2)
	z, err = Correlate(calc, tensor.From([]int64{1, 2}, 2), tensor.From([]int64{1, 10, 100}, 3), "same")
	wantArray(t, "same of a shorter first", z, err, i64, []int{3}, 210, 21, 2)
	if _, err := Convolve(calc, tensor.New(f64, 0), v, "full"); err == nil || err.Error() != "got shapes (0,) and (3,), want two vectors with elements" {
		t.Error(err)
	}
}

// TestConvolveOneByOne compares with the sums of their definition, which leave out what is nowhere
// near the other vector: of all types, of vectors so long that they are computed in parts, that lie
// backwards and with gaps, and with elements that are not finite.
func TestConvolveOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vector := func(d kernels.DType, n, step int) *tensor.Dense {
		values := make([]float64, n*max(step, -step))
		for i := range values {
			if values[i] = float64(r.IntN(9) - 4); kernels.Promote(d, kernels.Int8) != d && !d.IsBool() { // has no sign
				values[i] += 4
			}
		}
		return must(tensor.From(values, len(values)).AsType(d).Subscript(tensor.Index{Step: &step}))
	}
	for _, d := range kernels.DTypes() {
		for _, n := range [][2]int{{1, 1}, {2, 1}, {1, 5}, {7, 7}, {130, 9}, {100, 65}, {300, 200}, {70, 400}, {3000, 700}} {
			if n[0] == 3000 && d.Size() < 8 { // enough of them
				continue
			}
			for i, step := range []int{1, -1, 2, -3} {
				a, v := vector(d, n[0], step), vector(d, n[1], 1-2*(i%2))
				if n[1] > 1 && i == 3 && d.IsFloat() {
					tensor.CopyTo(Along(v, 0, 1, 2), tensor.Scalar(d, math.Inf(1)))
					tensor.CopyTo(Along(a, 0, n[0]/2, n[0]/2+1), tensor.Scalar(d, math.NaN()))
				}
				for _, mode := range Modes {
					for _, turned := range []bool{true, false} {
						f := Correlate
						if turned {
							f = Convolve
						}
						got, err := f(calc, a, v, mode)
						if err != nil {
							t.Fatal(err)
						}
						want := oneByOne(a.Floats(), v.Floats(), mode, turned)
						if d.IsBool() {
							for i := range want {
								want[i] = min(want[i], 1)
							}
						}
						if w := tensor.From(want, len(want)).AsType(kernels.Int64).AsType(d); !d.IsFloat() && !tensor.Equal(got, w) ||
							d.IsFloat() && !tensor.Equal(got, tensor.From(want, len(want)).AsType(d)) {
							t.Errorf("%v, %v elements, step %d, %s, turned %v: got %v, want %v", d, n, step, mode, turned, got.Floats(), want)
						}
					}
				}
			}
		}
	}
}

// oneByOne is the sums of a[i+j]*v[j], as NumPy orders them.
func oneByOne(a, v []float64, mode string, turned bool) []float64 {
	swapped := len(v) > len(a)
	if swapped {
		a, v = v, a
	}
	n, k := len(a), len(v)
	z := make([]float64, n+k-1)
	for i := range z {
		for j, y := range v {
			if turned {
				y = v[k-1-j]
			}
			if at := i + j - k + 1; at >= 0 && at < n {
				z[i] += a[at] * y
			}
		}
	}
	if swapped && !turned {
		slices.Reverse(z)
	}
	switch {
	case mode == "valid":
		return z[k-1 : n]
	case mode == "same" && swapped && !turned:
		return z[k/2:][:n]
	case mode == "same":
		return z[(k-1)/2:][:n]
	}
	return z
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
