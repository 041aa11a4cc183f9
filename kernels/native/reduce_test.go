package native_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
)

// The shapes at which reductions are divided in each way.
var largeDims = [][3]int{
	{1, 300001, 1}, {3, 150001, 1}, {2000, 100, 1}, {20000, 10, 1}, {1, 70000, 3}, {1, 700, 300}, {1, 5, 70001}, {2, 300, 5000},
	{300, 20, 30},
}

// The bits of every kernel's result are the same for any number of threads.
func TestThreadsDoNotMatter(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(3, 4))
		same := func(what string, d kernels.DType, n int, run func(dst unsafe.Pointer)) {
			t.Helper()
			var first guarded
			for _, threads := range []int{1, 2, 7, 64} {
				parallel.SetThreads(threads)
				z := newGuarded(d, n, 0)
				run(z.pointer())
				if err := z.check(); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if threads == 1 {
					first = z
				} else if !bytes.Equal(z.bytes(), first.bytes()) {
					t.Errorf("%s: another result with %d threads", what, threads)
				}
			}
		}
		for _, dim := range largeDims {
			n := dim[0] * dim[1] * dim[2]
			for _, d := range []kernels.DType{kernels.Float32, kernels.Float64, kernels.Int8} {
				x := fill(d, rng, n, true)
				for _, op := range []string{"sum", "max", "argmax", "round_sum"} {
					key := kernels.ReduceKey{Op: op, In: d}
					f, ok := s.Reduce(key)
					if !ok {
						continue // only float32 is added up in a wider type
					}
					same(op, key.Out(), dim[0]*dim[2], func(z unsafe.Pointer) {
						if !f(dim[0], dim[1], dim[2], z, x.pointer(), nil) {
							t.Errorf("%s %v stopped", op, dim)
						}
					})
				}
			}
		}
		for _, dim := range [][2]int{{3000, 10}, {301, 100}, {5, 20000}} {
			d, n := kernels.Float64, dim[0]*dim[1]
			x := fill(d, rng, n, false)
			softmax, _ := s.Rows(kernels.RowsKey{Op: "softmax", In: d})
			same("softmax", d, n, func(z unsafe.Pointer) { softmax(dim[0], dim[1], z, x.pointer(), nil) })
			shape := []int{dim[1], dim[0]}
			transpose, _ := s.Copy(8)
			same("transpose", d, n, func(z unsafe.Pointer) {
				transpose(shape, kernels.Operand{Data: z, Strides: []int{dim[0] * 8, 8}},
					kernels.Operand{Data: x.pointer(), Strides: []int{8, dim[1] * 8}}, nil)
			})
		}
	})
}

// Reductions that are divided agree with the Go set's, NaN and all.
func TestLargeReductions(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	parallel.SetThreads(2)
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(3, 5))
		for _, dim := range largeDims {
			for _, d := range []kernels.DType{kernels.Float64, kernels.Float32, kernels.Int64, kernels.Uint16, kernels.Int8,
				kernels.Bool} {
				x := fill(d, rng, dim[0]*dim[1]*dim[2], true)
				for _, op := range []string{"sum", "max", "min", "argmax", "argmin"} {
					key := kernels.ReduceKey{Op: op, In: d}
					f, _ := s.Reduce(key)
					goFunc, _ := kernels.GoSet.Reduce(key)
					out, n := key.Out(), dim[0]*dim[2]
					got, want := newGuarded(out, n, 1), newGuarded(out, n, 0)
					f(dim[0], dim[1], dim[2], got.pointer(), x.pointer(), nil)
					goFunc(dim[0], dim[1], dim[2], want.pointer(), x.pointer(), nil)
					if err := got.check(); err != nil {
						t.Fatalf("%s of %v %v: %v", op, d, dim, err)
					}
					for i := range n {
						if e := distance(out, got.bytes(), want.bytes(), i); e > 0 && (op != "sum" || e > 16) {
							t.Fatalf("%s of %v %v, element %d: got %s, want %s, %v ulps", op, d, dim, i,
								show(out, got.bytes(), i), show(out, want.bytes(), i), e)
						}
					}
				}
			}
		}
	})
}

// The extremum of a row is found wherever it is, also between infinities, and the first of two that
// are equal.
func TestExtremaAnywhere(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		inf, nan := math.Inf(1), math.NaN()
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			for _, op := range []string{"max", "min", "argmax", "argmin"} {
				key := kernels.ReduceKey{Op: op, In: d}
				f, _ := s.Reduce(key)
				goFunc, _ := kernels.GoSet.Reduce(key)
				for _, n := range []int{1, 3, 7, 8, 9, 16, 31, 33, 63, 64, 65, 100, 131, 300} {
					x := newGuarded(d, n, 1)
					row := kernels.Matrix{Data: x.pointer(), Col: d.Size()}
					for at := range n {
						for _, values := range [][]float64{{nan}, {inf}, {-inf}, {2}, {-2}, {inf, -inf}, {-inf, nan, inf}, {2, -2, 2, -2}} {
							for i := range n {
								set(d, row, 0, i, float64(i%3-1))
							}
							for i, v := range values {
								set(d, row, 0, (at+11*i)%n, v)
							}
							got, want := newGuarded(key.Out(), 1, 1), newGuarded(key.Out(), 1, 0)
							f(1, n, 1, got.pointer(), x.pointer(), nil)
							goFunc(1, n, 1, want.pointer(), x.pointer(), nil)
							if distance(key.Out(), got.bytes(), want.bytes(), 0) > 0 || got.check() != nil {
								t.Fatalf("%s of %d %v with %v from %d on: got %s, want %s, %v", op, n, d, values, at,
									show(key.Out(), got.bytes(), 0), show(key.Out(), want.bytes(), 0), got.check())
							}
						}
					}
				}
			}
		}
	})
}

// Of terms that are far apart, the small ones are subnormal numbers and zeros that are as exact as
// the others.
func TestSoftmaxUnderflows(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			f, _ := s.Rows(kernels.RowsKey{Op: "softmax", In: d})
			least, step := -110.0, 0.37
			if d == kernels.Float64 {
				least, step = -760, 2.3
			}
			for _, cols := range []int{5, 30, 31, 33, 64, 100, 500} {
				const rows = 5
				x := newGuarded(d, rows*cols, 1)
				m := kernels.Matrix{Data: x.pointer(), Col: d.Size(), Row: cols * d.Size()}
				values := make([]float64, rows*cols)
				sums := make([]float64, rows)
				for i := range values {
					v := max(least, -float64((i%cols)*(i/cols+1))*step)
					if i%cols == 2 {
						v = math.Inf(-1)
					}
					set(d, m, i/cols, i%cols, v)
					values[i] = math.Exp(number(d, x.bytes(), i))
					sums[i/cols] += values[i]
				}
				f(rows, cols, x.pointer(), x.pointer(), nil)
				want := newGuarded(d, rows*cols, 0)
				m.Data = want.pointer()
				for i, e := range values {
					set(d, m, i/cols, i%cols, e/sums[i/cols])
				}
				for i := range values {
					if e := distance(d, x.bytes(), want.bytes(), i); e > 4 || x.check() != nil {
						t.Fatalf("%v, %d columns, element %d: got %s, want %s, %v ulps, %v", d, cols, i,
							show(d, x.bytes(), i), show(d, want.bytes(), i), e, x.check())
					}
				}
			}
		}
	})
}

func TestLogSoftmaxAt(t *testing.T) {
	allSets(t, func(t *testing.T, s kernels.Set) {
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			f, _ := s.LogSoftmaxAt(d)
			eps := 0x1p-20
			if d == kernels.Float64 {
				eps = 0x1p-48
			}
			rng := rand.New(rand.NewPCG(5, 6))
			for _, dim := range [][2]int{{0, 3}, {1, 1}, {1, 10}, {3, 10}, {64, 10}, {67, 10}, {130, 32}, {5, 33}, {7, 300},
				{2000, 10}, {40, 1000}} {
				rows, cols := dim[0], dim[1]
				x, g := fill(d, rng, rows*cols, false), fill(d, rng, rows, false)
				logp, z := newGuarded(d, rows, 1), newGuarded(d, rows*cols, 1)
				labels := make([]int64, rows)
				for i := range labels {
					labels[i] = rng.Int64N(int64(cols))
				}
				for _, out := range []kernels.LogSoftmaxOut{{}, {To: z.pointer()}, {To: z.pointer(), By: g.pointer()},
					{To: z.pointer(), By: g.pointer(), Step: d.Size()}} {
					near := func(what string, v []byte, i int, want float64) {
						t.Helper()
						if got := number(d, v, i); !(math.Abs(got-want) <= eps*(1+math.Abs(want))) {
							t.Fatalf("%v %v %v: %s %d: got %v, want %v", d, dim, out, what, i, got, want)
						}
					}
					if bad, done := f(rows, cols, logp.pointer(), x.pointer(), labels, out, nil); bad != -1 || !done {
						t.Fatalf("%v: bad row %d, done %v", dim, bad, done)
					}
					for i, label := range labels {
						sum := 0.0
						for j := range cols {
							sum += math.Exp(number(d, x.bytes(), i*cols+j))
						}
						near("log probability", logp.bytes(), i, number(d, x.bytes(), i*cols+int(label))-math.Log(sum))
						for j := range cols {
							want := math.Exp(number(d, x.bytes(), i*cols+j)) / sum
							if out.By != nil {
								if want = -want; j == int(label) {
									want++
								}
								want *= number(d, g.bytes(), i*out.Step/d.Size())
							}
							if out.To != nil {
								near("result", z.bytes(), i*cols+j, want)
							}
						}
					}
				}
				for _, v := range []guarded{logp, z} {
					if err := v.check(); err != nil {
						t.Fatalf("%v: %v", dim, err)
					}
				}
				for _, label := range []int64{-1, int64(cols), math.MinInt64} {
					if rows < 3 {
						continue
					}
					labels[rows-1], labels[rows-2] = label, label
					if bad, _ := f(rows, cols, logp.pointer(), x.pointer(), labels, kernels.LogSoftmaxOut{}, nil); bad != rows-2 {
						t.Fatalf("%v: label %d: got bad row %d, want %d", dim, label, bad, rows-2)
					}
				}
			}
		}
	})
}
