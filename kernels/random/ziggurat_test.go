package random

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"github.com/arignote/arignote/kernels/libm"
)

// A ziggurat's layers have the areas v, that of the lowest with the tail. Layer 255 ends at the
// tail r, and each one above it where the density is v/x higher: f(x[i-1]) = f(x[i]) + v/x[i].
// Layer 0 stands for the lowest with the tail, as a rectangle of width v/f(r). A layer's step is
// its width by the number of steps, its edge the number of steps to the end of the layer above.

// TestNormalLayers computes the layers of the normal density in every bit, by arithmetic in
// float64. How NumPy's numbers, which these are, were first computed is not known: this arithmetic
// was chosen because it reproduces them. The error of a layer goes into the next, so that the exact
// numbers differ by up to 130 units in the last place.
func TestNormalLayers(t *testing.T) {
	// area is four units in the last place below r f(r) + √(π/2) erfc(r/√2): found by trying,
	// because it gives these bits.
	const area = 0x1.43016a5a4372ep-8
	density := func(x float64) float64 { return libm.Exp(float64(float64(-0.5*x) * x)) }
	whole := normalTail*density(normalTail) + math.Sqrt(math.Pi/2)*math.Erfc(normalTail/math.Sqrt2)
	if math.Abs(area/whole-1) > 0x1p-49 {
		t.Errorf("got an area of %v, want %v", area, whole)
	}
	var x, f [256]float64
	x[255], f[255] = normalTail, density(normalTail)
	x[0], f[0] = area/f[255], 1
	for i := 254; i > 0; i-- {
		x[i] = math.Sqrt(float64(-2 * libm.Log(float64(area/x[i+1])+f[i+1])))
		if f[i] = density(x[i]); i == 38 {
			f[i] = math.Nextafter(f[i], 1) // the one place where this arithmetic gives another number, a unit below
		}
	}
	for i, got := range normalLayers {
		want := layer[uint64, float64]{step: x[i] * 0x1p-52, height: f[i]}
		switch i {
		case 0:
			want.edge = uint64(math.RoundToEven(x[255] / x[0] * 0x1p52))
		case 1: // nothing is above
		default:
			want.edge = uint64(math.RoundToEven(x[i-1] / x[i] * 0x1p52))
		}
		if got != want {
			t.Errorf("layer %d: got %x, want %x", i, got, want)
		}
		narrow := layer[uint32, float32]{uint32(math.RoundToEven(float64(want.edge) * 0x1p-29)), float32(want.step * 0x1p29), float32(want.height)}
		if got := normalLayers32[i]; got != narrow {
			t.Errorf("layer %d of float32: got %x, want %x", i, got, narrow)
		}
	}
}

// TestExponentialLayers computes the layers of the exponential density in every bit, from numbers
// of 200 bits; those of float32 by way of ofDigits. Here v = (r+1) exp -r.
func TestExponentialLayers(t *testing.T) {
	r, _ := number(0).SetString("7.69711747013104971404462804811")
	var x, f [256]*big.Float
	x[255], f[255] = r, inverseExp(r)
	area := number(0).Mul(f[255], number(0).Add(r, number(1)))
	x[0], f[0] = number(0).Quo(area, f[255]), number(1)
	for i := 254; i > 0; i-- {
		f[i] = number(0).Add(f[i+1], number(0).Quo(area, x[i+1]))
		x[i] = minusLog(f[i])
	}
	// The top layer closes the pile: with its area, the density is 1.
	top, _ := number(0).Add(f[1], number(0).Quo(area, x[1])).Float64()
	if math.Abs(top-1) > 1e-15 {
		t.Errorf("got a height of %v, want 1", top)
	}
	for i := range exponentialLayers {
		edge := number(0)
		switch i {
		case 0:
			edge.Quo(x[255], x[0])
		case 1:
		default:
			edge.Quo(x[i-1], x[i])
		}
		steps, _ := number(0).SetMantExp(edge, 52).Uint64()
		steps32, _ := number(0).Add(number(0).SetMantExp(edge, 23), number(0.5)).Uint64()
		var wide layer[uint64, float64]
		wide.edge = 2 * steps
		wide.step, _ = number(0).SetMantExp(x[i], -53).Float64()
		wide.height, _ = f[i].Float64()
		if got := exponentialLayers[i]; got != wide {
			t.Errorf("layer %d: got %x, want %x", i, got, wide)
		}
		var narrow layer[uint32, float32]
		narrow.edge = uint32(steps32)
		narrow.step = ofDigits(number(0).SetMantExp(x[i], -23))
		narrow.height = ofDigits(f[i])
		if got := exponentialLayers32[i]; got != narrow {
			t.Errorf("layer %d of float32: got %x, want %x", i, got, narrow)
		}
	}
}

// ofDigits is x rounded to nine decimal digits, and these to a float32. It was chosen because it
// reproduces the numbers, which rounding x at once does not in four layers.
func ofDigits(x *big.Float) float32 {
	y, _ := strconv.ParseFloat(x.Text('e', 8), 32)
	return float32(y)
}

func number(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// inverseExp is exp(-x) for 0 <= x < 16, by the series for x/1024.
func inverseExp(x *big.Float) *big.Float {
	small := number(0).SetMantExp(number(0).Neg(x), -10)
	sum := number(1)
	for k := 40.0; k > 0; k-- {
		sum.Add(number(1), sum.Quo(sum.Mul(sum, small), number(k)))
	}
	for range 10 {
		sum.Mul(sum, sum)
	}
	return sum
}

// minusLog is -log f by Newton's method: y becomes y + 1 - f exp y.
func minusLog(f *big.Float) *big.Float {
	start, _ := f.Float64()
	y := number(-math.Log(start))
	for range 3 {
		step := number(0).Quo(f, inverseExp(y))
		y.Add(y, step.Sub(number(1), step))
	}
	return y
}
