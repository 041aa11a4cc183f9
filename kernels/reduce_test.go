package kernels

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// dims are [outer, n, inner] of reductions, with lengths on both sides of every block size.
var dims = [][3]int{
	{1, 1, 1}, {3, 5, 1}, {1, 127, 1}, {2, 128, 1}, {2, 129, 1}, {1, 1000, 1}, {1, 70000, 1},
	{1, 2, 3}, {2, 31, 4}, {2, 33, 5}, {1, 65, 255}, {1, 66, 257}, {3, 1, 600}, {2, 200, 70},
}

func reduceFloats(t *testing.T, op string, d [3]int, x []float64) (f64, f32 []float64) {
	t.Helper()
	f64 = make([]float64, d[0]*d[2])
	run(t, op, Float64, d, f64, x)
	x32, z32 := make([]float32, len(x)), make([]float32, d[0]*d[2])
	for i, v := range x {
		x32[i] = float32(v)
	}
	run(t, op, Float32, d, z32, x32)
	for _, v := range z32 {
		f32 = append(f32, float64(v))
	}
	return f64, f32
}

func run[Z, X any](t *testing.T, op string, in DType, d [3]int, z []Z, x []X) {
	t.Helper()
	f, ok := GoSet.Reduce(ReduceKey{op, in})
	if !ok {
		t.Fatalf("no %s of %v", op, in)
	}
	if !f(d[0], d[1], d[2], unsafe.Pointer(unsafe.SliceData(z)), unsafe.Pointer(unsafe.SliceData(x)), nil) {
		t.Fatalf("%s of %v stopped", op, in)
	}
}

func TestSums(t *testing.T) {
	for _, d := range dims {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			x := make([]float64, d[0]*d[1]*d[2])
			for i := range x {
				x[i] = float64(float32(1 + rand.Float64()/8))
			}
			sums, sums32 := reduceFloats(t, "sum", d, x)
			prods, _ := reduceFloats(t, "prod", d, x)
			for i := range sums {
				o, j := i/d[2], i%d[2]
				sum, logs := new(big.Float).SetPrec(200), 0.0
				for k := range d[1] {
					v := x[(o*d[1]+k)*d[2]+j]
					sum.Add(sum, big.NewFloat(v))
					logs += math.Log(v)
				}
				want, _ := sum.Float64()
				if e := math.Abs(sums[i]-want) / want; e > 5e-16*math.Log2(float64(d[1]+2)) {
					t.Errorf("element %d: got %v, want %v, relative error %v", i, sums[i], want, e)
				}
				// One accumulator would lose 1e-3 of 70000 elements.
				if e := math.Abs(sums32[i]-want) / want; e > 1e-6 {
					t.Errorf("element %d of float32: got %v, want %v, relative error %v", i, sums32[i], want, e)
				}
				if want := math.Exp(logs); d[1] < 1000 && math.Abs(prods[i]-want) > 1e-10*want {
					t.Errorf("product %d: got %v, want %v", i, prods[i], want)
				}
			}
		})
	}
	if z := []int64{7}; true {
		run(t, "sum", Int64, [3]int{1, 0, 1}, z, []int64{})
		if z[0] != 0 {
			t.Errorf("the empty sum is %d", z[0])
		}
		run(t, "prod", Int64, [3]int{1, 0, 1}, z, []int64{})
		if z[0] != 1 {
			t.Errorf("the empty product is %d", z[0])
		}
	}
	z := []float32{7, 7}
	run(t, "prod", Float32, [3]int{1, 0, 2}, z, []float32{})
	if z[0] != 1 || z[1] != 1 {
		t.Errorf("the empty products are %v", z)
	}
}

func TestExtrema(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x                        []float64
		max, min, argmax, argmin float64
	}{
		{[]float64{3}, 3, 3, 0, 0},
		{[]float64{3, 1, 4, 1, 4}, 4, 1, 2, 1},
		{[]float64{3, nan, 4, nan}, nan, nan, 1, 1},
		{[]float64{nan, 1}, nan, nan, 0, 0},
		{[]float64{math.Inf(-1), math.Inf(1)}, math.Inf(1), math.Inf(-1), 1, 0},
	} {
		for _, inner := range []int{1, 2} {
			x := make([]float64, 0, len(c.x)*inner)
			for _, v := range c.x {
				for range inner {
					x = append(x, v)
				}
			}
			d := [3]int{1, len(c.x), inner}
			for op, want := range map[string]float64{"max": c.max, "min": c.min} {
				f64, f32 := reduceFloats(t, op, d, x)
				for _, got := range append(f64, f32...) {
					if got != want && want == want || want != want && got == got {
						t.Errorf("%s of %v: got %v, want %v", op, c.x, got, want)
					}
				}
			}
			for op, want := range map[string]float64{"argmax": c.argmax, "argmin": c.argmin} {
				z := make([]int64, inner)
				run(t, op, Float64, d, z, x)
				for _, got := range z {
					if float64(got) != want {
						t.Errorf("%s of %v: got %v, want %v", op, c.x, got, want)
					}
				}
			}
		}
	}
	z := []uint8{9}
	run(t, "max", Bool, [3]int{1, 3, 1}, z, []uint8{0, 1, 0})
	if z[0] != 1 {
		t.Errorf("max of bools: got %d", z[0])
	}
}

func TestReductionsExist(t *testing.T) {
	for _, d := range DTypes() {
		for _, op := range []string{"sum", "prod", "max", "min", "argmax", "argmin"} {
			if _, ok := GoSet.Reduce(ReduceKey{op, d}); !ok {
				t.Errorf("no %s of %v", op, d)
			}
		}
	}
	for _, op := range []string{"sum", "prod"} {
		for _, k := range []ReduceKey{{"wide_" + op, Float32}, {"round_" + op, Float32}, {"round_" + op, Float64}} {
			if _, ok := k.Folding(GoSet.Reduce); !ok {
				t.Errorf("no %s of %v, or of its parts", k.Op, k.In)
			}
		}
	}
	if _, ok := GoSet.Reduce(ReduceKey{"median", Float64}); ok {
		t.Error("there is a median")
	}
}

func TestRows(t *testing.T) {
	for _, cols := range []int{0, 1, 2, 10, 127, 128, 129, 1000} {
		x, z := make([]float64, 3*cols), make([]float64, 3*cols)
		for i := range x {
			x[i] = 800 * (rand.Float64() - 0.5)
		}
		for _, op := range []string{"softmax", "logsoftmax"} {
			f, _ := GoSet.Rows(RowsKey{op, Float64})
			copy(z, x)
			p := unsafe.Pointer(unsafe.SliceData(z))
			f(3, cols, p, p, nil)
			for r := range 3 {
				sum := new(big.Float)
				m := math.Inf(-1)
				for _, v := range x[r*cols : (r+1)*cols] {
					m = max(m, v)
				}
				for _, v := range x[r*cols : (r+1)*cols] {
					sum.Add(sum, big.NewFloat(math.Exp(v-m)))
				}
				s, _ := sum.Float64()
				for i := r * cols; i < (r+1)*cols; i++ {
					want, most := math.Exp(x[i]-m)/s, 1e-300
					if op == "logsoftmax" {
						want, most = x[i]-m-math.Log(s), 1e-14 // the error of the sum stays where the logarithm is near 0
					}
					if math.Abs(z[i]-want) > 1e-14*math.Abs(want)+most {
						t.Errorf("%s, %d columns, element %d: got %v, want %v", op, cols, i, z[i], want)
					}
				}
			}
		}
	}
}
