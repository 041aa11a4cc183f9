package native_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/internal/randprog"
)

func TestPrograms(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for seed := range uint64(400) {
			c := randprog.New(rand.New(rand.NewPCG(seed, 2)), kernels.DTypes())
			goFunc, _ := kernels.GoSet.Elemwise(c.Program)
			f, ok := s.Elemwise(c.Program)
			if !ok {
				t.Fatalf("seed %d: not compiled: %v", seed, c)
			}
			want := c.Run(c.Naive)
			if diff := c.Compare(c.Run(goFunc), want); diff != "" {
				t.Fatalf("seed %d in Go: %s\n%v", seed, diff, c)
			}
			for round := range 2 {
				if diff := c.Compare(c.Run(f), want); diff != "" {
					t.Fatalf("seed %d round %d: %s\n%v", seed, round, diff, c)
				}
			}
		}
	})
}

// Shapes at which the interpreter takes its short cuts: repeated rows, columns, scalars,
// transposes.
func TestBroadcasts(t *testing.T) {
	const d = kernels.Float64
	add := kernels.Instr{LoopKey: kernels.LoopKey{Op: "add", In: d, Out: d}, Args: []int{0, 1}, Go: kernels.Lookup("add").Loops[d]}
	p := &kernels.Program{Inputs: []kernels.DType{d, d}, Instrs: []kernels.Instr{add}, Outputs: []kernels.Output{{Reg: 2}}}
	eachSet(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Elemwise(p)
		for _, shape := range [][]int{{1, 1}, {3, 5}, {1000, 3}, {3, 1000}, {255, 2}, {10, 256}, {10, 257}, {200, 128}, {2, 3, 400}} {
			for _, order := range []string{"row", "column", "scalar", "transposed", "full"} {
				total, x := 1, kernels.Operand{Strides: make([]int, len(shape))}
				for axis := len(shape) - 1; axis >= 0; axis-- {
					x.Strides[axis] = 8 * total
					total *= shape[axis]
				}
				data, z, want := make([]float64, total), make([]float64, total), make([]float64, total)
				for i := range data {
					data[i] = rand.Float64()
				}
				x.Data = unsafe.Pointer(&data[0])
				y := kernels.Operand{Data: x.Data, Strides: append([]int(nil), x.Strides...)}
				switch order {
				case "row":
					y.Strides[0] = 0
				case "column":
					y.Strides[len(shape)-1] = 0
				case "scalar":
					clear(y.Strides)
				case "transposed":
					step := 8
					for axis, n := range shape {
						y.Strides[axis] = step
						step *= n
					}
				}
				for i := range want {
					rest, at := i, 0
					for axis := len(shape) - 1; axis >= 0; axis-- {
						at += rest % shape[axis] * y.Strides[axis] / 8
						rest /= shape[axis]
					}
					want[i] = data[i] + data[at]
				}
				f(shape, []kernels.Operand{{Data: unsafe.Pointer(&z[0]), Strides: x.Strides}}, []kernels.Operand{x, y}, nil)
				for i := range want {
					if z[i] != want[i] {
						t.Fatalf("%v %s: element %d: got %v, want %v", shape, order, i, z[i], want[i])
					}
				}
			}
		}
	})
}

func TestMissingKernel(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		key := kernels.LoopKey{Op: "frobnicate", In: kernels.Float64, Out: kernels.Float64}
		p := &kernels.Program{Inputs: []kernels.DType{kernels.Float64}, Instrs: []kernels.Instr{{LoopKey: key, Args: []int{0}, Go: kernels.Lookup("exp").Loops[kernels.Float64]}}, Outputs: []kernels.Output{{Reg: 1}}}
		if _, ok := s.Elemwise(p); ok {
			t.Error("a program with an unknown operation was compiled")
		}
		sets := kernels.Sets{s, kernels.GoSet}
		if _, name, ok := sets.Elemwise(p); !ok || name != "Go" {
			t.Errorf("the fallback: got %q %v, want Go", name, ok)
		}
	})
}

func TestStop(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		stop := uint32(1)
		x := make([]float64, 1<<18)
		p := unsafe.Pointer(&x[0])
		sum, _ := s.Reduce(kernels.ReduceKey{Op: "sum", In: kernels.Float64})
		argmax, _ := s.Reduce(kernels.ReduceKey{Op: "argmax", In: kernels.Float64})
		transpose, _ := s.Copy(8)
		take, _ := s.Take(8)
		index := make([]int64, len(x))
		softmax, _ := s.Rows(kernels.RowsKey{Op: "softmax", In: kernels.Float64})
		gemm, _ := s.Gemm(kernels.Float64)
		m := kernels.Matrix{Data: p, Row: 512 * 8, Col: 8}
		z := make([]float64, 512*512)
		const d = kernels.Float64
		exp, _ := s.Elemwise(&kernels.Program{Inputs: []kernels.DType{d}, Outputs: []kernels.Output{{Reg: 1}},
			Instrs: []kernels.Instr{{LoopKey: kernels.LoopKey{Op: "exp", In: d, Out: d}, Args: []int{0}, Go: kernels.Lookup("exp").Loops[d]}}})
		o := []kernels.Operand{{Data: p, Strides: []int{8}}}
		for name, f := range map[string]func(kernels.Stop) bool{
			"row sum":    func(stop kernels.Stop) bool { return sum(1, len(x), 1, unsafe.Pointer(&z[0]), p, stop) },
			"column sum": func(stop kernels.Stop) bool { return sum(1, len(x)/512, 512, unsafe.Pointer(&z[0]), p, stop) },
			"softmax":    func(stop kernels.Stop) bool { return softmax(512, 512, p, p, stop) },
			"argmax":     func(stop kernels.Stop) bool { return argmax(1, len(x), 1, unsafe.Pointer(&z[0]), p, stop) },
			"transpose": func(stop kernels.Stop) bool {
				return transpose([]int{512, 512}, kernels.Operand{Data: unsafe.Pointer(&z[0]), Strides: []int{4096, 8}},
					kernels.Operand{Data: p, Strides: []int{8, 4096}}, stop)
			},
			"take": func(stop kernels.Stop) bool {
				_, done := take(1, len(x), 1, unsafe.Pointer(&z[0]), p, index, stop)
				return done
			},
			"elemwise": func(stop kernels.Stop) bool { return exp([]int{len(x)}, o, o, stop) },
			"gemm": func(stop kernels.Stop) bool {
				c := kernels.Matrix{Data: unsafe.Pointer(&z[0]), Row: 512 * 8, Col: 8}
				return gemm.One(512, 512, 512, 1, m, m, 0, c, c, stop)
			},
		} {
			if f(&stop) {
				t.Errorf("%s ran to its end though stopped", name)
			}
			if !f(nil) {
				t.Errorf("%s stopped without reason", name)
			}
		}
	})
}

// fill makes n elements between guards; floats lie between 0.5 and 1.5, and with nans a few are
// NaN.
func fill(d kernels.DType, rng *rand.Rand, n int, nans bool) guarded {
	g := newGuarded(d, n, rng.IntN(4))
	for i := range n {
		p := unsafe.Pointer(&g.memory[g.start+i*d.Size()])
		switch {
		case d == kernels.Float32:
			*(*float32)(p) = float32(rng.Float64() + 0.5)
			if nans && rng.IntN(3*n) == 0 {
				*(*float32)(p) = float32(math.NaN())
			}
		case d == kernels.Float64:
			*(*float64)(p) = rng.Float64() + 0.5
			if nans && rng.IntN(3*n) == 0 {
				*(*float64)(p) = math.NaN()
			}
		default:
			element(p, d, rng, -1)
		}
	}
	return g
}

func TestReductions(t *testing.T) {
	dims := [][3]int{{1, 0, 1}, {2, 0, 3}, {0, 3, 3}, {2, 5000, 1}, {1, 150000, 1}, {3, 33, 5}, {2, 100, 70}, {1, 70, 513}, {1, 3, 2100}, {2, 64, 2}}
	for n := 1; n <= maxLen; n++ {
		dims = append(dims, [3]int{1 + n%3, n, 1}, [3]int{1, 1 + n%7, n})
	}
	for n := 60; n < 3000; n = n*3/2 + 1 {
		dims = append(dims, [3]int{1, n, 1})
	}
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, op := range []string{"sum", "prod", "max", "min", "argmax", "argmin"} {
			for _, d := range kernels.DTypes() {
				key := kernels.ReduceKey{Op: op, In: d}
				f, ok := s.Reduce(key)
				if !ok {
					t.Fatalf("no %s of %v", op, d)
				}
				goFunc, _ := kernels.GoSet.Reduce(key)
				out := key.Out()
				rng := rand.New(rand.NewPCG(3, 4))
				for _, dim := range dims {
					if dim[1] == 0 && op != "sum" && op != "prod" {
						continue
					}
					x := fill(d, rng, dim[0]*dim[1]*dim[2], op[0] != 's' && op[0] != 'p')
					got, want := newGuarded(out, dim[0]*dim[2], 1), newGuarded(out, dim[0]*dim[2], 0)
					f(dim[0], dim[1], dim[2], got.pointer(), x.pointer(), nil)
					goFunc(dim[0], dim[1], dim[2], want.pointer(), x.pointer(), nil)
					if err := got.check(); err != nil {
						t.Fatalf("%s of %v %v: %v", op, d, dim, err)
					}
					limit := 0.0
					if d.IsFloat() && (op == "sum" || op == "prod") {
						limit = 8
						if op == "prod" {
							limit = 4 * math.Sqrt(float64(dim[1]+4)) // the factors' errors add up
						}
					}
					for i := range dim[0] * dim[2] {
						if e := distance(out, got.bytes(), want.bytes(), i); e > limit {
							t.Fatalf("%s of %v %v, element %d: got %s, want %s, %v ulps", op, d, dim, i,
								show(out, got.bytes(), i), show(out, want.bytes(), i), e)
						}
					}
				}
			}
		}
	})
}

func TestRows(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, op := range []string{"softmax", "logsoftmax"} {
			for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
				key := kernels.RowsKey{Op: op, In: d}
				f, _ := s.Rows(key)
				goFunc, _ := kernels.GoSet.Rows(key)
				rng := rand.New(rand.NewPCG(5, 6))
				for cols := 0; cols < 3000; cols = max(cols+1, cols*5/4) {
					x := fill(d, rng, 3*cols, false)
					want := newGuarded(d, 3*cols, 0)
					goFunc(3, cols, want.pointer(), x.pointer(), nil)
					f(3, cols, x.pointer(), x.pointer(), nil) // in place
					if err := x.check(); err != nil {
						t.Fatalf("%s of %v, %d columns: %v", op, d, cols, err)
					}
					for i := range 3 * cols {
						if e := distance(d, x.bytes(), want.bytes(), i); e > 8 {
							t.Fatalf("%s of %v, %d columns, element %d: got %s, want %s, %v ulps", op, d, cols, i, show(d, x.bytes(), i), show(d, want.bytes(), i), e)
						}
					}
				}
			}
		}
	})
}
