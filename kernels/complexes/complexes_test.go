package complexes_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels/complexes"
)

// The transform of every length, of powers, products and primes, is the sum that defines it.
func TestTransform(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 260; n++ {
		x, want := make([]complex128, n), make([]complex128, n)
		for i := range x {
			x[i] = complex(rng.Float64()-0.5, rng.Float64()-0.5)
		}
		for k := range want {
			for j, v := range x {
				sin, cos := math.Sincos(2 * math.Pi * float64(j*k%n) / float64(n))
				want[k] += v * complex(cos, -sin)
			}
		}
		plan, got := complexes.NewTransformer(n), make([]complex128, n)
		plan.Transform(got, x, false)
		for k := range got {
			if cmplx.Abs(got[k]-want[k]) > 1e-13*float64(n) {
				t.Fatalf("length %d: z[%d] is %v, want %v", n, k, got[k], want[k])
			}
		}
		plan.Transform(got, got, true)
		for j := range got {
			if cmplx.Abs(got[j]/complex(float64(n), 0)-x[j]) > 1e-14*float64(n) {
				t.Fatalf("length %d: the inverse has x[%d] = %v, want %v", n, j, got[j]/complex(float64(n), 0), x[j])
			}
		}
	}
}

// What functions are the inverse of gives the number back.
func TestInverses(t *testing.T) {
	type function = func(complex128) complex128
	rng := rand.New(rand.NewPCG(3, 4))
	for _, pair := range [][2]function{{complexes.Asin, complexes.Sin}, {complexes.Acos, complexes.Cos}, {complexes.Atan, complexes.Tan},
		{complexes.Asinh, complexes.Sinh}, {complexes.Acosh, complexes.Cosh}, {complexes.Atanh, complexes.Tanh}, {complexes.Log, complexes.Exp},
		{complexes.Sqrt, complexes.Square}, {complexes.Log1p, complexes.Expm1}} {
		for range 1000 {
			x := complex(6*rng.Float64()-3, 6*rng.Float64()-3)
			if y := pair[1](pair[0](x)); cmplx.Abs(y-x) > 1e-12*(1+cmplx.Abs(x)) {
				t.Errorf("%v comes back as %v", x, y)
			}
		}
	}
}

// Near the unit circle the logarithm has all its digits.
func TestLogNearOne(t *testing.T) {
	const e = 0x1p-30
	if got, want := real(complexes.Log(complex(1, e))), e*e/2*(1-e*e/2); math.Abs(got-want) > 1e-15*want {
		t.Errorf("log(1 + %gj) has the real part %g, want %g", e, got, want)
	}
}
