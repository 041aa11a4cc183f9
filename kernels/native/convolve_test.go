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

// TestPool compares all parts in C with Go, where windows lie side by side, overlap, and leave the image.
func TestPool(t *testing.T) {
	for i, g := range []kernels.Pooling{
		{Images: 3, H: 24, W: 24, Ho: 12, Wo: 12, Window: [2]int{2, 2}, Stride: [2]int{2, 2}},
		{Images: 2, H: 5, W: 7, Ho: 2, Wo: 3, Window: [2]int{2, 2}, Stride: [2]int{2, 2}},
		{Images: 2, H: 5, W: 7, Ho: 3, Wo: 4, Window: [2]int{2, 2}, Stride: [2]int{2, 2}},
		{Images: 40, H: 60, W: 60, Ho: 30, Wo: 61, Window: [2]int{3, 2}, Stride: [2]int{2, 1}, Pad: [2]int{1, 1}},
	} {
		rng := rand.New(rand.NewPCG(5, 6))
		x, y, v, u := make([]float64, g.Images*g.H*g.W), make([]float64, g.Images*g.Ho*g.Wo), make([]float64, g.Images*g.Ho*g.Wo), make([]float64, g.Images*g.H*g.W)
		for _, a := range [][]float64{x, v, u} {
			for k := range a {
				a[k] = float64(rng.IntN(5))
			}
		}
		if i == 1 {
			x[3] = math.NaN()
		}
		at := func(a []float64) unsafe.Pointer { return unsafe.Pointer(&a[0]) }
		run := func(set kernels.Set, part kernels.PoolPart, dst, a, b, c []float64) []float64 {
			f, ok := set.Pool(kernels.PoolKey{Part: part, In: kernels.Float64})
			if !ok || !f(&g, at(dst), at(a), at(b), at(c), nil) {
				t.Fatalf("%s does not do part %d", set.ISA(), part)
			}
			return dst
		}
		for count := range kernels.PoolCount(3) {
			g.Count = count
			run(kernels.GoSet, kernels.PoolMax, y, x, x, x)
			for part, in := range map[kernels.PoolPart][3][]float64{
				kernels.PoolMax: {x, x, x}, kernels.PoolAdd: {x, x, x}, kernels.PoolSpread: {v, v, v}, kernels.PoolMaxGrad: {x, y, v}, kernels.PoolMaxGather: {x, y, u},
			} {
				n := len(y)
				if part == kernels.PoolSpread || part == kernels.PoolMaxGrad {
					n = len(x)
				}
				want := run(kernels.GoSet, part, make([]float64, n), in[0], in[1], in[2])
				for _, set := range native.Sets() {
					got := run(set, part, make([]float64, n), in[0], in[1], in[2])
					for k := range got {
						if math.Abs(got[k]-want[k]) > 1e-14*math.Abs(want[k]) || math.IsNaN(got[k]) != math.IsNaN(want[k]) {
							t.Fatalf("%s: part %d of %+v: element %d: got %v, want %v", set.ISA(), part, g, k, got[k], want[k])
						}
					}
				}
			}
		}
	}
}
