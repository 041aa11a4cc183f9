package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestInterpFromTheLast compares values, whatever was looked for before, with those of a search
// through all points.
func TestInterpFromTheLast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, 9, 100} {
		for kind := range 4 {
			xp, fp := make([]float64, n), make([]float64, n)
			for i := range xp {
				xp[i], fp[i] = float64(r.IntN(2*n))/4, r.NormFloat64() // some twice
			}
			slices.Sort(xp)
			switch kind {
			case 1:
				xp[0], xp[n-1] = math.Inf(-1), math.Inf(1)
			case 2:
				xp[n-1] = math.NaN()
			case 3:
				fp[n/2], fp[0] = math.Inf(1), math.NaN()
			}
			x := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}
			for range 400 {
				x = append(x, r.Float64()*float64(n)-float64(n)/4)
			}
			x = append(x, xp...)
			for _, order := range []func([]float64){func([]float64) {}, slices.Sort[[]float64], slices.Reverse[[]float64]} {
				order(x)
				got, err := Interp(From(x, len(x)), From(xp, n), From(fp, n), nil, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i, z := range Elements[float64](got) {
					if want := slowInterp(x[i], xp, fp); math.Float64bits(z) != math.Float64bits(want) && (z == z || want == want) {
						t.Fatalf("%d points of kind %d: got %v at %v, want %v", n, kind, z, x[i], want)
					}
				}
			}
		}
	}
	stop := uint32(1)
	if _, err := Interp(Scalar(kernels.Float64, 1), From([]float64{1}, 1), From([]float64{1}, 1), nil, nil, &stop); err != ErrStopped {
		t.Errorf("got %v, want %v", err, ErrStopped)
	}
}

func slowInterp(x float64, xp, fp []float64) float64 {
	j := -1
	for i, p := range xp {
		if p <= x {
			j = i
		}
	}
	switch n := len(xp); {
	case x != x:
		return x
	case j < 0:
		return fp[0]
	case j == n-1 || x > xp[n-1]:
		return fp[n-1]
	case xp[j] == x:
		return fp[j]
	}
	slope := (fp[j+1] - fp[j]) / (xp[j+1] - xp[j])
	y := float64(slope*(x-xp[j])) + fp[j]
	if y != y {
		if y = float64(slope*(x-xp[j+1])) + fp[j+1]; y != y && fp[j] == fp[j+1] {
			y = fp[j]
		}
	}
	return y
}

// TestTileIsModulo compares with elements that are looked up one by one: of arrays that are copied
// at once and in parts, and of views.
func TestTileIsModulo(t *testing.T) {
	for _, d := range []kernels.DType{kernels.Int8, kernels.Int16, kernels.Float32, kernels.Float64} {
		for _, c := range []struct{ shape, reps []int }{
			{[]int{3}, []int{50000}}, {[]int{1000}, []int{30, 1}}, {[]int{1000}, []int{7, 9}}, {[]int{30, 30}, []int{10, 10}},
			{[]int{3, 100, 100}, []int{2, 3, 4}}, {[]int{2, 3, 1}, []int{5, 1, 700}}, {[]int{2, 20000}, []int{3, 3}}, {[]int{}, []int{3, 4}}, {[]int{4, 5}, []int{1}},
		} {
			a := New(d, c.shape...)
			for i := range a.Size() {
				CopyTo(a.view(nil, nil, i*d.Size()), Scalar(d, float64(i%100)))
			}
			if a.Rank() == 2 {
				a, _ = a.DimShuffle([]int{1, 0})
			}
			z, err := Tile(a, c.reps...)
			if err != nil {
				t.Fatal(err)
			}
			flat, _ := a.Reshape(a.Size())
			values, in := flat.Floats(), slices.Concat(slices.Repeat([]int{1}, z.Rank()-a.Rank()), a.Shape())
			for i, got := range z.Floats() {
				place, rest, step := 0, i, 1
				for axis, n := range slices.Backward(z.Shape()) {
					place += rest % n % in[axis] * step
					rest /= n
					step *= in[axis]
				}
				if got != values[place] {
					t.Fatalf("%v, shape %v, reps %v: got %v at %d, want %v", d, a.Shape(), c.reps, got, i, values[place])
				}
			}
		}
	}
}
