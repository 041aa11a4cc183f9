package native_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
)

var productTypes = []kernels.DType{
	kernels.Int8, kernels.Int16, kernels.Int32, kernels.Int64, kernels.Uint8, kernels.Uint16, kernels.Uint32, kernels.Uint64,
	kernels.Float32, kernels.Float64,
}

// layouts of a matrix [rows, cols]: strides in elements, and where element (0, 0) is in how much
// memory.
var layouts = []struct {
	name   string
	places func(rows, cols int) (row, col, first, size int)
}{
	{"plain", func(rows, cols int) (int, int, int, int) { return cols, 1, 0, rows * cols }},
	{"transposed", func(rows, cols int) (int, int, int, int) { return 1, rows, 0, rows * cols }},
	{"padded", func(rows, cols int) (int, int, int, int) { return cols + 3, 1, 0, rows * (cols + 3) }},
	{"strided", func(rows, cols int) (int, int, int, int) { return 6 * cols, 3, 0, 6 * rows * cols }},
	{"reversed", func(rows, cols int) (int, int, int, int) {
		return -cols, -1, max(0, rows*cols-1), rows * cols
	}},
	{"repeated row", func(rows, cols int) (int, int, int, int) { return 0, 1, 0, cols }},
	{"repeated column", func(rows, cols int) (int, int, int, int) { return 1, 0, 0, rows }},
	{"one element", func(rows, cols int) (int, int, int, int) { return 0, 0, 0, 1 }},
}

// operand is a matrix between guards, of small whole numbers so that all sums are exact, or of
// floats between 0.5 and 1.5.
type operand struct {
	guarded
	kernels.Matrix
}

func newOperand(d kernels.DType, rng *rand.Rand, layout, rows, cols int, whole bool) operand {
	row, col, first, n := layouts[layout].places(rows, cols)
	o := operand{guarded: fill(d, rng, n+1, false)}
	if whole {
		for i := range n {
			p := unsafe.Add(o.pointer(), i*d.Size())
			x := rng.IntN(9) - 4
			switch d {
			case kernels.Float32:
				*(*float32)(p) = float32(x)
			case kernels.Float64:
				*(*float64)(p) = float64(x)
			default: // little endian: the low bytes are the number of every width
				v := uint64(x)
				copy(unsafe.Slice((*byte)(p), d.Size()), (*[8]byte)(unsafe.Pointer(&v))[:])
			}
		}
	}
	o.Matrix = kernels.Matrix{Data: unsafe.Add(o.pointer(), first*d.Size()), Row: row * d.Size(), Col: col * d.Size()}
	return o
}

// at reads a whole number; those of integer types are right modulo 2 to their width.
func at(d kernels.DType, m kernels.Matrix, i, j int) int64 {
	p := unsafe.Add(m.Data, i*m.Row+j*m.Col)
	switch d {
	case kernels.Float32:
		return int64(*(*float32)(p))
	case kernels.Float64:
		return int64(*(*float64)(p))
	}
	var v int64
	copy((*[8]byte)(unsafe.Pointer(&v))[:d.Size()], unsafe.Slice((*byte)(p), d.Size()))
	return v
}

// view is the contiguous [rows, n+2] matrix in g; its last two columns are padding.
func view(d kernels.DType, g guarded, n int) kernels.Matrix {
	return kernels.Matrix{Data: g.pointer(), Row: (n + 2) * d.Size(), Col: d.Size()}
}

// edges are sizes m, n, k around the borders of tiles, panels and blocks, and of every path.
func edges() (sizes [][3]int) {
	sizes = [][3]int{{0, 3, 3}, {3, 0, 3}, {3, 3, 0}, {97, 129, 300}, {130, 97, 257}, {20, 1500, 40}, {40, 1200, 30}, {1, 700, 700}, {700, 1, 700},
		{1, 5000, 3}, {3, 1, 9000}, {40, 700, 2}, {1, 1, 5000}, {2, 3, 1300}, {33, 70, 1}, {100, 260, 1}, {300, 5, 5}}
	for n := 1; n <= maxLen; n++ {
		sizes = append(sizes, [3]int{1 + n*7%19, n, 1 + n*5%23}, [3]int{n, 1 + n*11%50, 3}, [3]int{1, n, 9}, [3]int{n, 1, 9}, [3]int{n, 7, 1})
	}
	return sizes
}

func TestGemm(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, d := range productTypes {
			f, ok := s.Gemm(d)
			if !ok {
				t.Fatalf("%v: no product", d)
			}
			rng := rand.New(rand.NewPCG(7, 8))
			for _, size := range edges() {
				if d.Size() < 4 && size[0]*size[1]*size[2] > 100000 {
					continue
				}
				for _, ab := range [][2]int{{1, 0}, {1, 1}, {-2, 3}, {0, 2}, {3, 0}} {
					la, lb, lc := rng.IntN(len(layouts)), rng.IntN(len(layouts)), rng.IntN(len(layouts)+3)
					if rng.IntN(2) == 0 {
						la, lb = rng.IntN(2), rng.IntN(2)
					}
					exactCase(t, f, d, rng, size, la, lb, lc, ab)
				}
			}
		}
	})
}

// exactCase compares a product of whole numbers with the definition. c is d where lc is not one of
// layouts.
func exactCase(t *testing.T, f kernels.GemmFunc, d kernels.DType, rng *rand.Rand, size [3]int, la, lb, lc int, ab [2]int) {
	t.Helper()
	m, n, k := size[0], size[1], size[2]
	a, b := newOperand(d, rng, la, m, k, true), newOperand(d, rng, lb, k, n, true)
	got := newOperand(d, rng, 0, m, n+2, true)
	z := view(d, got.guarded, n)
	c, name := z, "d"
	if lc < len(layouts) {
		c, name = newOperand(d, rng, lc, m, n, true).Matrix, layouts[lc].name
	}
	what := fmt.Sprintf("%v %v, a %s, b %s, c %s, alpha, beta %v", d, size, layouts[la].name, layouts[lb].name, name, ab)
	want := make([]int64, m*n)
	columns := make([][]int64, n)
	for j := range columns {
		columns[j] = make([]int64, k)
		for l := range k {
			columns[j][l] = at(d, b.Matrix, l, j)
		}
	}
	row := make([]int64, k)
	for i := range m {
		for l := range k {
			row[l] = at(d, a.Matrix, i, l)
		}
		for j := range n {
			var sum int64
			for l, x := range row {
				sum += x * columns[j][l]
			}
			want[i*n+j] = int64(ab[0])*sum + int64(ab[1])*at(d, c, i, j)
		}
	}
	for i := range m * (n + 2) { // beta = 0 does not read c, and padding is not written
		if x := got.bytes()[i*d.Size():][:d.Size()]; i%(n+2) >= n || ab[1] == 0 && name == "d" {
			copy(x, []byte{255, 255, 255, 255, 255, 255, 255, 255})
		}
	}
	if !f.One(m, n, k, float64(ab[0]), a.Matrix, b.Matrix, float64(ab[1]), c, z, nil) {
		t.Fatalf("%s: stopped", what)
	}
	if err := got.check(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	mask := int64(-1)
	if !d.IsFloat() && d.Size() < 8 {
		mask = 1<<(8*d.Size()) - 1
	}
	for i := range m {
		for j := range n {
			if x, y := at(d, z, i, j)&mask, want[i*n+j]&mask; x != y {
				t.Fatalf("%s: row %d, column %d: got %d, want %d", what, i, j, x, y)
			}
		}
		for _, x := range got.bytes()[(i*(n+2)+n)*d.Size():][:2*d.Size()] {
			if x != 255 {
				t.Fatalf("%s: padding of row %d was written", what, i)
			}
		}
	}
}

// TestGemmRounds compares with the Go kernels where sums round.
func TestGemmRounds(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			f, _ := s.Gemm(d)
			twin, _ := kernels.GoSet.Gemm(d)
			eps := 0x1p-23
			if d == kernels.Float64 {
				eps = 0x1p-52
			}
			rng := rand.New(rand.NewPCG(9, 10))
			for _, size := range edges() {
				m, n, k := size[0], size[1], size[2]
				a, b := newOperand(d, rng, rng.IntN(4), m, k, false), newOperand(d, rng, rng.IntN(4), k, n, false)
				got := newOperand(d, rng, 0, m, n+2, false)
				want := newGuarded(d, m*(n+2), 0)
				copy(want.bytes(), got.bytes())
				x, y := view(d, got.guarded, n), view(d, want, n)
				f.One(m, n, k, -0.7, a.Matrix, b.Matrix, 1.3, x, x, nil)
				twin.One(m, n, k, -0.7, a.Matrix, b.Matrix, 1.3, y, y, nil)
				for i := range m * (n + 2) {
					x, y := number(d, got.bytes(), i), number(d, want.bytes(), i)
					// All terms of a sum have one sign: its error is relative to it, and to what
					// beta takes away.
					if !(math.Abs(x-y) <= eps*(16+math.Sqrt(float64(k)))*(math.Abs(y)+4)) {
						t.Fatalf("%v %v: row %d, column %d: got %v, want %v", d, size, i/(n+2), i%(n+2), x, y)
					}
				}
			}
		}
	})
}

// onThreads runs f with each number of threads.
func onThreads(t *testing.T, f func(threads int)) {
	was := parallel.Threads()
	t.Cleanup(func() { parallel.SetThreads(was) })
	for _, n := range []int{1, 2, 7, 64} {
		parallel.SetThreads(n)
		f(n)
	}
}

// TestGemmAddsOnce: a product that is added to what is there is added once, on any number of
// threads.
func TestGemmAddsOnce(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(13, 14))
		for _, d := range []kernels.DType{kernels.Int16, kernels.Int64, kernels.Float32, kernels.Float64} {
			f, _ := s.Gemm(d)
			for _, size := range [][3]int{{2100, 528, 1}, {40, 250, 70}, {40, 250, 1100}, {35, 400, 2}} {
				m, n, k := size[0], size[1], size[2]
				a, b, c := newOperand(d, rng, 0, m, k, false), newOperand(d, rng, 0, k, n, false), newOperand(d, rng, 0, m, n, false)
				row := n * d.Size()
				start := slices.Clone(unsafe.Slice((*byte)(c.Matrix.Data), m*row))
				var want []byte
				onThreads(t, func(threads int) {
					got := slices.Clone(start)
					z := kernels.Matrix{Data: unsafe.Pointer(&got[0]), Row: row, Col: d.Size()}
					f.One(m, n, k, 1, a.Matrix, b.Matrix, 1, z, z, nil)
					if want == nil {
						want = got
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%v %v: %d threads give other bits", d, size, threads)
					}
				})
			}
		}
	})
}

// TestGemmThreads wants the same bits from every number of threads, on every path.
func TestGemmThreads(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(11, 12))
		sizes := [][3]int{{2000, 1, 500}, {1, 2000, 500}, {20, 1300, 70}, {20, 961, 200}, {129, 130, 131}, {300, 400, 1}, {150, 1100, 60}, {90, 70, 1100}, {1000, 2, 300}, {2, 1000, 300},
			{20, 20, 2000}, {40, 250, 1100}}
		fixed := len(sizes) // these of plain operands
		for range 10 {
			sizes = append(sizes, [3]int{1 + rng.IntN(200), 1 + rng.IntN(400), 1 + rng.IntN(600)})
		}
		for _, d := range []kernels.DType{kernels.Int16, kernels.Float32, kernels.Float64} {
			f, _ := s.Gemm(d)
			for i, size := range sizes {
				m, n, k := size[0], size[1], size[2]
				la, lb := 0, 0
				if i >= fixed {
					la, lb = rng.IntN(4), rng.IntN(4)
				}
				a, b, c := newOperand(d, rng, la, m, k, false), newOperand(d, rng, lb, k, n, false), newOperand(d, rng, rng.IntN(len(layouts)), m, n, false)
				var want []byte
				onThreads(t, func(threads int) {
					got := newGuarded(d, m*(n+2), 1)
					if !f.One(m, n, k, 0.3, a.Matrix, b.Matrix, 1.7, c.Matrix, view(d, got, n), nil) {
						t.Fatal("stopped without reason")
					}
					if err := got.check(); err != nil {
						t.Fatalf("%v %v: %v", d, size, err)
					}
					if threads == 1 {
						want = slices.Clone(got.bytes())
					} else if !bytes.Equal(got.bytes(), want) {
						t.Errorf("%v %v, a %s, b %s: %d threads give other bits", d, size, layouts[la].name, layouts[lb].name, threads)
					}
				})
			}
		}
	})
}

// TestGemmTiles wants the same bits of an element whatever the tile that computes it, packed or
// not.
func TestGemmTiles(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(13, 14))
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			f, _ := s.Gemm(d)
			const m, n = 120, 130
			for _, k := range []int{1, 2, 300} {
				a, b, c := newOperand(d, rng, 0, m, k, false), newOperand(d, rng, 0, k, n, false), newOperand(d, rng, 0, m, n, false)
				whole := newGuarded(d, m*(n+2), 0)
				f.One(m, n, k, 0.3, a.Matrix, b.Matrix, 1.7, c.Matrix, view(d, whole, n), nil)
				for range 100 {
					rows, cols := 2+rng.IntN(20), 2+rng.IntN(60)
					i, j := rng.IntN(m-rows), rng.IntN(n-cols)
					part := newGuarded(d, rows*(cols+2), 0)
					pa, pb, pc := a.Matrix, b.Matrix, c.Matrix
					pa.Data = unsafe.Add(pa.Data, i*pa.Row)
					pb.Data = unsafe.Add(pb.Data, j*pb.Col)
					pc.Data = unsafe.Add(pc.Data, i*pc.Row+j*pc.Col)
					f.One(rows, cols, k, 0.3, pa, pb, 1.7, pc, view(d, part, cols), nil)
					for r := range rows {
						got := part.bytes()[r*(cols+2)*d.Size():][:cols*d.Size()]
						if want := whole.bytes()[((i+r)*(n+2)+j)*d.Size():][:cols*d.Size()]; !bytes.Equal(got, want) {
							t.Fatalf("%v, k %d: rows %d+%d, columns %d+%d: row %d has other bits than in the whole product", d, k, i, rows, j, cols, r)
						}
					}
				}
			}
		}
	})
}

// A zero of a does not hide an infinity of b, nor the other way round; and a NaN stays in its row
// and column.
func TestGemmKeepsNaN(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(15, 16))
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			f, _ := s.Gemm(d)
			for _, size := range [][3]int{{1, 1, 2}, {1, 40, 30}, {40, 1, 30}, {9, 11, 1}, {9, 11, 5}, {150, 110, 70}} {
				m, n, k := size[0], size[1], size[2]
				for lb := range 2 {
					a, b, z := newOperand(d, rng, 0, m, k, true), newOperand(d, rng, lb, k, n, true), newOperand(d, rng, 0, m, n+2, true)
					j, l := n-1, k-1
					for i := range m {
						set(d, a.Matrix, i, l, 0)
					}
					set(d, b.Matrix, l, j, math.Inf(1))
					f.One(m, n, k, 1, a.Matrix, b.Matrix, 0, view(d, z.guarded, n), view(d, z.guarded, n), nil)
					for i := range m {
						for c := range n {
							if x := number(d, z.bytes(), i*(n+2)+c); math.IsNaN(x) != (c == j) {
								t.Fatalf("%v %v, b %s: 0*Inf in column %d: row %d, column %d is %v", d, size, layouts[lb].name, j, i, c, x)
							}
						}
					}
				}
			}
		}
	})
}

func set(d kernels.DType, m kernels.Matrix, i, j int, x float64) {
	p := unsafe.Add(m.Data, i*m.Row+j*m.Col)
	if d == kernels.Float32 {
		*(*float32)(p) = float32(x)
	} else {
		*(*float64)(p) = x
	}
}

// Products that would take long, on one element of memory each; they must end because they are
// stopped.
func TestGemmStops(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		onThreads(t, func(threads int) {
			for _, size := range [][3]int{{100, 100, 1 << 30}, {1000, 1100, 1 << 26}, {20, 1100, 1 << 28}, {1, 1100, 1 << 30}, {2, 1, 1 << 36}} {
				for _, d := range []kernels.DType{kernels.Int32, kernels.Float32} {
					if d == kernels.Int32 && size[1] == 1 {
						continue // polls after each row
					}
					f, _ := s.Gemm(d)
					m, n, k := size[0], size[1], size[2]
					z := newGuarded(d, m*(n+2), 0)
					one := newGuarded(d, 1, 0)
					a := kernels.Matrix{Data: one.pointer()}
					var stop uint32
					timer := time.AfterFunc(2*time.Millisecond, func() { atomic.StoreUint32(&stop, 1) })
					if f.One(m, n, k, 1, a, a, 0, view(d, z, n), view(d, z, n), &stop) {
						t.Errorf("%v %v on %d threads ran to its end though stopped", d, size, threads)
					}
					timer.Stop()
				}
			}
		})
	})
}

// BenchmarkGemm is [m,k]·[k,n] on one thread and on all.
func BenchmarkGemm(b *testing.B) {
	all := parallel.Threads()
	defer parallel.SetThreads(all)
	sizes := [][3]int{{8, 8, 8}, {16, 16, 16}, {64, 64, 64}, {100, 100, 100}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024},
		{400, 1, 784}, {1, 400, 784}, {1000, 1000, 1}, {128, 10, 784}, {128, 512, 784}, {784, 512, 128}}
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32, kernels.Int32} {
		for _, size := range sizes {
			for _, threads := range slices.Compact([]int{1, all}) {
				m, n, k := size[0], size[1], size[2]
				b.Run(fmt.Sprintf("%v/%dx%dx%d/threads=%d", d, m, n, k, threads), func(b *testing.B) {
					parallel.SetThreads(threads)
					benchSets(b, func(b *testing.B, s kernels.Set) {
						f, _ := s.Gemm(d)
						rng := rand.New(rand.NewPCG(17, 18))
						x, y, z := newOperand(d, rng, 0, m, k, true), newOperand(d, rng, 0, k, n, true), newOperand(d, rng, 0, m, n, true)
						for b.Loop() {
							f.One(m, n, k, 1, x.Matrix, y.Matrix, 0, z.Matrix, z.Matrix, nil)
						}
						b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
					})
				})
			}
		}
	}
}

// TestBatches: many products at once are those one by one, and one matrix may serve them all;
// nothing else is written, and a stop is heard.
func TestBatches(t *testing.T) {
	eachSet(t, func(t *testing.T, set kernels.Set) {
		for _, d := range productTypes {
			f, _ := set.Gemm(d)
			for _, s := range [][4]int{{0, 3, 3, 3}, {1, 8, 8, 8}, {5, 3, 4, 2}, {7, 1, 9, 5}, {7, 9, 1, 5}, {6, 4, 4, 1}, {6, 4, 4, 0}, {2, 70, 65, 300}, {1500, 8, 8, 8}, {300, 3, 5, 0}, {40, 24, 20, 30}, {5, 90, 64, 64}, {17, 100, 70, 64}} {
				count, m, n, k := s[0], s[1], s[2], s[3]
				for _, oneRight := range []bool{false, true} {
					a, b, c := batchOf(d, 1, count, m, k), batchOf(d, 2, count, k, n), batchOf(d, 3, count, m, n)
					got, want := batchOf(d, 4, count+1, m, n), batchOf(d, 4, count+1, m, n)
					if oneRight {
						b.Step = 0
					}
					var done bool
					withThreads(t, 3, func() { done = f(count, m, n, k, 2, a, b, 3, c, got, nil) })
					if !done {
						t.Fatalf("%s %v: %v did not run to its end", set.ISA(), d, s)
					}
					at := func(b kernels.Batch, i int) kernels.Matrix {
						return kernels.Matrix{Data: unsafe.Add(b.Data, i*b.Step), Row: b.Row, Col: b.Col}
					}
					for i := range count {
						f.One(m, n, k, 2, at(a, i), at(b, i), 3, at(c, i), at(want, i), nil)
					}
					if size := (count + 1) * m * n * d.Size(); !bytes.Equal(unsafe.Slice((*byte)(got.Data), size), unsafe.Slice((*byte)(want.Data), size)) {
						t.Errorf("%s %v: %v differs from its products one by one", set.ISA(), d, s)
					}
					raised := uint32(1)
					if count > 1 && f(count, m, n, k, 2, a, b, 3, c, got, &raised) {
						t.Errorf("%s %v: %v ran though stopped", set.ISA(), d, s)
					}
				}
			}
		}
	})
}

// batchOf is matrices of small whole numbers, which products of all types have exactly.
func batchOf(d kernels.DType, seed uint64, count, m, n int) kernels.Batch {
	data := make([]byte, (count*m*n+1)*d.Size())
	r := rand.New(rand.NewPCG(seed, 5))
	for i := range count * m * n {
		p, v := unsafe.Pointer(&data[i*d.Size()]), r.IntN(4)
		switch {
		case d == kernels.Float64:
			*(*float64)(p) = float64(v)
		case d == kernels.Float32:
			*(*float32)(p) = float32(v)
		default:
			*(*byte)(p) = byte(v) // the rest is 0
		}
	}
	return kernels.Batch{Matrix: kernels.Matrix{Data: unsafe.Pointer(&data[0]), Row: n * d.Size(), Col: d.Size()}, Step: m * n * d.Size()}
}
