package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
)

// convolutions are geometries; Ho and Wo follow from the image, its border and the filters.
var convolutions = []struct {
	kernels.Convolution
	bottom, right int
}{
	{kernels.Convolution{N: 3, Groups: 1, C: 1, F: 20, H: 28, W: 28, Kh: 5, Kw: 5}, 0, 0},
	{kernels.Convolution{N: 5, Groups: 1, C: 20, F: 50, H: 12, W: 12, Kh: 5, Kw: 5, Flip: true}, 0, 0},
	{kernels.Convolution{N: 2, Groups: 1, C: 64, F: 64, H: 14, W: 13, Kh: 3, Kw: 3, Top: 1, Left: 1}, 1, 1},
	{kernels.Convolution{N: 40, Groups: 1, C: 2, F: 3, H: 4, W: 5, Kh: 2, Kw: 3}, 0, 0},
	{kernels.Convolution{N: 2, Groups: 3, C: 2, F: 5, H: 9, W: 8, Kh: 3, Kw: 2, Stride: [2]int{2, 3}, Top: 2, Left: 1}, 1, 0},
	{kernels.Convolution{N: 1, Groups: 1, C: 300, F: 9, H: 4, W: 4, Kh: 1, Kw: 1}, 0, 0},
	{kernels.Convolution{N: 2, Groups: 1, C: 7, F: 17, H: 9, W: 9, Kh: 1, Kw: 1, Stride: [2]int{2, 2}}, 0, 0},
	{kernels.Convolution{N: 1, Groups: 1, C: 3, F: 4, H: 20, W: 18, Kh: 3, Kw: 3, Dilation: [2]int{2, 3}, Stride: [2]int{4, 2}, Top: 4, Left: 6,
		Flip: true}, 4, 6},
	{kernels.Convolution{N: 2, Groups: 1, C: 1, F: 1, H: 1, W: 1, Kh: 1, Kw: 1}, 0, 0},
	{kernels.Convolution{N: 1, Groups: 2, C: 1, F: 1, H: 70, W: 3, Kh: 9, Kw: 1, Stride: [2]int{5, 1}}, 0, 0},
}

// convolved is a geometry with all its lengths.
func convolved(i int) *kernels.Convolution {
	c := convolutions[i]
	g := c.Convolution
	for axis := range 2 {
		g.Stride[axis], g.Dilation[axis] = max(1, g.Stride[axis]), max(1, g.Dilation[axis])
	}
	g.Ho = (g.H+g.Top+c.bottom-(g.Kh-1)*g.Dilation[0]-1)/g.Stride[0] + 1
	g.Wo = (g.W+g.Left+c.right-(g.Kw-1)*g.Dilation[1]-1)/g.Stride[1] + 1
	return &g
}

// arrays of a convolution, of small whole numbers, so that all sums are exact.
func arrays[T float32 | float64](g *kernels.Convolution, seed uint64) (all [3][]T) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for i, n := range []int{g.N * g.Groups * g.C * g.H * g.W, g.Groups * g.F * g.C * g.Kh * g.Kw, g.N * g.Groups * g.F * g.Ho * g.Wo} {
		all[i] = make([]T, n)
		for k := range all[i] {
			all[i][k] = T(rng.IntN(9) - 4)
		}
	}
	return all
}

func runConvolution[T float32 | float64](t *testing.T, set kernels.Set, d kernels.DType, part kernels.ConvolutionPart, g *kernels.Convolution,
	all [3][]T, stop kernels.Stop) ([]T, bool) {
	t.Helper()
	run, ok := set.Convolve(kernels.ConvolveKey{Part: part, In: d})
	if !ok {
		t.Fatalf("%s has no convolution of %v", set.ISA(), d)
	}
	at := [...]int{kernels.ConvolutionOutput: 2, kernels.ConvolutionInput: 0, kernels.ConvolutionFilters: 1}[part]
	all[at] = make([]T, len(all[at]))
	for i := range all[at] {
		all[at][i] = T(math.NaN())
	}
	done := run(g, unsafe.Pointer(&all[0][0]), unsafe.Pointer(&all[1][0]), unsafe.Pointer(&all[2][0]), stop)
	return all[at], done
}

func sameConvolution[T float32 | float64](t *testing.T, d kernels.DType) {
	for i := range convolutions {
		g := convolved(i)
		all := arrays[T](g, uint64(i))
		for part := range kernels.ConvolutionPart(3) {
			want, _ := runConvolution(t, kernels.GoSet, d, part, g, all, nil)
			for _, set := range native.Sets() {
				t.Run(fmt.Sprint(set.ISA(), " ", d, " ", i, " ", part), func(t *testing.T) {
					for _, threads := range []int{1, 3} {
						old := parallel.Threads()
						parallel.SetThreads(threads)
						got, done := runConvolution(t, set, d, part, g, all, nil)
						parallel.SetThreads(old)
						if !done {
							t.Fatal("it stopped")
						}
						for k := range got {
							if got[k] != want[k] {
								t.Fatalf("%d threads: element %d of %+v: got %v, want %v", threads, k, *g, got[k], want[k])
							}
						}
					}
				})
			}
		}
	}
}

// TestConvolve compares all parts in C with Go, whatever the number of threads.
func TestConvolve(t *testing.T) {
	sameConvolution[float32](t, kernels.Float32)
	sameConvolution[float64](t, kernels.Float64)
}

// TestConvolveThreads wants the same bits from every number of threads where sums round.
func TestConvolveThreads(t *testing.T) {
	for i := range convolutions {
		g := convolved(i)
		all := arrays[float32](g, uint64(i))
		rng := rand.New(rand.NewPCG(9, 9))
		for _, a := range all {
			for k := range a {
				a[k] = rng.Float32() - 0.3
			}
		}
		for _, set := range native.Sets() {
			for part := range kernels.ConvolutionPart(3) {
				var want []float32
				for _, threads := range []int{1, 2, 5} {
					old := parallel.Threads()
					parallel.SetThreads(threads)
					got, _ := runConvolution(t, set, kernels.Float32, part, g, all, nil)
					parallel.SetThreads(old)
					if want == nil {
						want = got
					}
					for k := range got {
						if math.Float32bits(got[k]) != math.Float32bits(want[k]) {
							t.Fatalf("%s, geometry %d, part %d: element %d is %v with %d threads and %v with one", set.ISA(), i, part, k, got[k], threads, want[k])
						}
					}
				}
			}
		}
	}
}

// TestConvolveStops: a convolution that is told to stop ends early.
func TestConvolveStops(t *testing.T) {
	stop := uint32(1)
	g := convolved(1)
	all := arrays[float64](g, 1)
	for _, set := range append(native.Sets(), kernels.GoSet) {
		for part := range kernels.ConvolutionPart(3) {
			if _, done := runConvolution(t, set, kernels.Float64, part, g, all, &stop); done {
				t.Errorf("%s: part %d ran to its end", set.ISA(), part)
			}
		}
	}
}

// TestPool compares all parts in C with Go, where windows lie side by side, fill the image or not,
// overlap, and leave it: of small whole numbers, and of the values whose order is no matter of
// size.
func TestPool(t *testing.T) {
	pairs := func(images, h, w, ho, wo int) kernels.Pooling {
		return kernels.Pooling{Images: images, H: h, W: w, Ho: ho, Wo: wo, Window: [2]int{2, 2}, Stride: [2]int{2, 2}}
	}
	for _, g := range []kernels.Pooling{
		pairs(3, 24, 24, 12, 12), pairs(2, 5, 7, 2, 3), pairs(2, 5, 7, 3, 4), pairs(2, 6, 2, 3, 1), pairs(1, 300, 46, 150, 23), pairs(1, 4, 2048, 2, 1024),
		pairs(1, 4, 2050, 2, 1025), pairs(2, 4, 0, 2, 0), pairs(2, 0, 4, 0, 2),
		{Images: 40, H: 60, W: 60, Ho: 30, Wo: 61, Window: [2]int{3, 2}, Stride: [2]int{2, 1}, Pad: [2]int{1, 1}},
	} {
		poolAsGo[float32](t, g, kernels.Float32, 1e-6)
		poolAsGo[float64](t, g, kernels.Float64, 1e-14)
	}
}

func poolAsGo[T float32 | float64](t *testing.T, g kernels.Pooling, d kernels.DType, tolerance float64) {
	special := []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), T(math.Copysign(0, -1)), 0, 1}
	run := func(set kernels.Set, part kernels.PoolPart, n int, a, b, c []T) []T {
		dst := make([]T, n+1) // so that what has no elements has an address
		f, ok := set.Pool(kernels.PoolKey{Part: part, In: d})
		if !ok || !f(&g, unsafe.Pointer(&dst[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&c[0]), nil) {
			t.Fatalf("%s does not do part %d", set.ISA(), part)
		}
		return dst
	}
	rng := rand.New(rand.NewPCG(5, 6))
	inside, places := g.Images*g.H*g.W, g.Images*g.Ho*g.Wo
	for _, ordered := range []bool{true, false} {
		draw := func(n int) []T {
			a := make([]T, n+1)
			for k := range a {
				if a[k] = T(rng.IntN(5)); !ordered {
					a[k] = special[rng.IntN(len(special))]
				}
			}
			return a
		}
		x, v, u := draw(inside), draw(places), draw(inside)
		for count := range kernels.PoolCount(3) {
			g.Count = count
			y := run(kernels.GoSet, kernels.PoolMax, places, x, x, x)
			for part, in := range map[kernels.PoolPart][3][]T{
				kernels.PoolMax: {x, x, x}, kernels.PoolAdd: {x, x, x}, kernels.PoolSpread: {v, v, v}, kernels.PoolMaxGrad: {x, y, v}, kernels.PoolMaxGather: {x, y, u},
			} {
				n := places
				if part == kernels.PoolSpread || part == kernels.PoolMaxGrad {
					n = inside
				}
				want := run(kernels.GoSet, part, n, in[0], in[1], in[2])
				for _, set := range native.Sets() {
					got := run(set, part, n, in[0], in[1], in[2])
					for k := range got {
						got, want := float64(got[k]), float64(want[k])
						same := got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tolerance*math.Abs(want)
						if !same || part == kernels.PoolMax && got == 0 && math.Signbit(got) != math.Signbit(want) {
							t.Fatalf("%s: part %d of %+v, %v: element %d: got %v, want %v", set.ISA(), part, g, d, k, got, want)
						}
					}
				}
			}
		}
	}
}
