package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// matrix makes [rows, cols] with the given layout, and a view of it as float64 for the oracle.
func matrix[T number](rows, cols int, layout string) (m Matrix, at func(i, j int) *T) {
	size := int(unsafe.Sizeof(T(0)))
	row, col, n := cols, 1, rows*cols
	switch layout {
	case "transposed":
		row, col = 1, rows
	case "padded":
		row, n = cols+3, rows*(cols+3)
	case "strided":
		row, col, n = 2*cols*3, 3, 6*rows*cols
	case "reversed":
		row, col = -cols, -1
	case "row":
		row = 0
	}
	data := make([]T, n+1)
	first := 0
	if layout == "reversed" {
		first = rows*cols - 1
	}
	first = max(first, 0)
	for i := range data {
		data[i] = T(rand.IntN(9) + 1)
		if rand.IntN(2) == 0 {
			data[i] = -data[i]
		}
	}
	at = func(i, j int) *T { return &data[first+i*row+j*col] }
	return Matrix{Data: unsafe.Pointer(&data[first]), Row: row * size, Col: col * size}, at
}

func TestGemm(t *testing.T) {
	sizes := [][3]int{{1, 1, 1}, {2, 3, 4}, {1, 5, 3}, {5, 1, 3}, {300, 1, 300}, {4, 4, 1}, {0, 3, 3}, {3, 0, 3}, {3, 3, 0}, {65, 193, 257}, {70, 3, 300}}
	for _, s := range sizes {
		for _, la := range []string{"plain", "transposed", "padded", "strided", "reversed", "row"} {
			for _, lb := range []string{"plain", "transposed", "strided"} {
				if s[0] > 60 && la != "plain" && lb != "plain" && la != lb {
					continue // the naive oracle is slow
				}
				for _, ab := range [][2]float64{{1, 0}, {1, 1}, {-2, 3}, {0, 2}} {
					t.Run(fmt.Sprint(s, la, lb, ab), func(t *testing.T) {
						gemmCase[float64](t, Float64, s, la, lb, ab)
						gemmCase[float32](t, Float32, s, la, lb, ab)
						if s[0]*s[1]*s[2] < 1000 {
							gemmCase[int32](t, Int32, s, la, lb, ab)
							gemmCase[uint8](t, Uint8, s, la, lb, ab)
						}
					})
				}
			}
		}
	}
}

// gemmCase has small whole numbers, so that every sum is exact.
func gemmCase[T number](t *testing.T, d DType, s [3]int, la, lb string, ab [2]float64) {
	m, n, k := s[0], s[1], s[2]
	a, atA := matrix[T](m, k, la)
	b, atB := matrix[T](k, n, lb)
	lc := "padded"
	if lb == "plain" {
		lc = "plain"
	}
	c, atC := matrix[T](m, n, lc)
	want := make([]T, m*n)
	for i := range m {
		for j := range n {
			var sum T
			for l := range k {
				sum += *atA(i, l) * *atB(l, j)
			}
			want[i*n+j] = scalar[T](ab[0])*sum + scalar[T](ab[1])**atC(i, j)
			if ab[1] == 0 && d.IsFloat() {
				*atC(i, j) = T(math.NaN())
			}
		}
	}
	f, _ := GoSet.Gemm(d)
	f.One(m, n, k, ab[0], a, b, ab[1], c, c, nil)
	for i := range m {
		for j := range n {
			if got := *atC(i, j); got != want[i*n+j] {
				t.Fatalf("%v (%d, %d): got %v, want %v", d, i, j, got, want[i*n+j])
			}
		}
	}
}

// gonum alone would give 0: it skips the zeros of a.
func TestGemmKeepsNaN(t *testing.T) {
	a, b, c := []float64{0, 0}, []float64{math.Inf(1), 1}, []float64{5}
	f, _ := GoSet.Gemm(Float64)
	z := Matrix{unsafe.Pointer(&c[0]), 8, 8}
	f.One(1, 1, 2, 1, Matrix{unsafe.Pointer(&a[0]), 16, 8}, Matrix{unsafe.Pointer(&b[0]), 8, 8}, 0, z, z, nil)
	if c[0] == c[0] {
		t.Errorf("0*Inf + 0*1: got %v, want NaN", c[0])
	}
}

func TestGemmStops(t *testing.T) {
	stop := uint32(1)
	a, _ := matrix[float64](3, 3, "plain")
	c, _ := matrix[float64](3, 3, "plain")
	f, _ := GoSet.Gemm(Float64)
	if f.One(3, 3, 3, 1, a, a, 0, c, c, &stop) {
		t.Error("ran to its end though stopped")
	}
}

func BenchmarkGoGemm(b *testing.B) {
	const n = 256
	x, _ := matrix[float64](n, n, "plain")
	z, _ := matrix[float64](n, n, "plain")
	f, _ := GoSet.Gemm(Float64)
	for b.Loop() {
		f.One(n, n, n, 1, x, x, 0, z, z, nil)
	}
	b.ReportMetric(2*n*n*n*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
}
