package native_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/internal/randprog"
	"github.com/arignote/arignote/kernels/native"
)

// recurrence is a random program that is run for some steps: its inputs are rows, what an earlier
// step has written to an output, or the same in all steps.
type recurrence struct {
	program *kernels.Program
	shape   []int
	steps   int
	inputs  [][]byte // the memory of inputs that no step writes
	reads   []int    // of each input: the output that it reads, or -1
	lags    []int    // how many steps back
	kinds   []string // of each input: row, back, still, one
	turns   []bool   // of each output: it is kept for a step alone
	types   []kernels.DType
	first   [][]byte // of each output: the memory before the first step
	ends    int      // the output after which the steps end, or -1
}

func (r *recurrence) String() string {
	return fmt.Sprintf("shape %v, %d steps, inputs %v read %v %v back, turns %v, ends %d: %v", r.shape, r.steps, r.kinds, r.reads, r.lags, r.turns, r.ends, r.program)
}

const maxLag = 3

func newRecurrence(rng *rand.Rand) *recurrence {
	c := randprog.New(rng, kernels.DTypes())
	shapes := [][]int{{}, {}, {1}, {3}, {10}, {100}, {1000}, {3, 5}, {0}, {9000}}
	r := &recurrence{program: c.Program, shape: shapes[rng.IntN(len(shapes))], steps: rng.IntN(9), ends: -1}
	for k := range c.Program.Outputs {
		c.Program.Outputs[k].Reduce = ""
	}
	types := slices.Clone(c.Program.Inputs)
	for _, in := range c.Program.Instrs {
		types = append(types, in.Out)
	}
	size := 1
	for _, n := range r.shape {
		size *= n
	}
	random := func(d kernels.DType, elements int) []byte {
		words := make([]uint64, d.Size()*max(elements, 1)/8+1)
		b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
		for i := 0; i+d.Size() <= len(b); i += d.Size() {
			element(unsafe.Pointer(&b[i]), d, rng, rng.IntN(100))
		}
		return b
	}
	for k, o := range c.Program.Outputs {
		d := types[o.Reg]
		r.types = append(r.types, d)
		r.turns = append(r.turns, rng.IntN(2) == 0)
		r.first = append(r.first, random(d, (maxLag+r.steps)*size))
		if d == kernels.Bool && size == 1 && r.ends < 0 {
			r.ends, r.turns[k] = k, false
		}
	}
	for _, d := range c.Program.Inputs {
		kind, from, lag := []string{"row", "still", "one"}[rng.IntN(3)], -1, 1
		for k, t := range r.types {
			if t == d && k != r.ends && rng.IntN(3) > 0 {
				kind, from = "back", k
				if !r.turns[k] {
					lag = 1 + rng.IntN(maxLag)
				}
			}
		}
		r.kinds, r.reads, r.lags = append(r.kinds, kind), append(r.reads, from), append(r.lags, lag)
		r.inputs = append(r.inputs, random(d, r.steps*size))
	}
	return r
}

// run runs it, and returns the memory of the outputs.
func (r *recurrence) run(f kernels.StepsFunc) (results [][]byte, done int) {
	size := 1
	for _, n := range r.shape {
		size *= n
	}
	strides := func(d kernels.DType) []int {
		list, step := make([]int, len(r.shape)), d.Size()
		for axis := len(r.shape) - 1; axis >= 0; axis-- {
			list[axis], step = step, step*r.shape[axis]
		}
		return list
	}
	var out, in []kernels.Moving
	var ends *uint8
	for k, d := range r.types {
		b := unsafe.Slice((*byte)(unsafe.Pointer(&make([]uint64, len(r.first[k])/8)[0])), len(r.first[k]))
		copy(b, r.first[k])
		results = append(results, b)
		row := d.Size() * size
		m := kernels.Moving{Operand: kernels.Operand{Strides: strides(d)}, Step: row}
		switch {
		case size == 0:
		case k == r.ends:
			m.Data, m.Step, ends = unsafe.Pointer(&b[0]), 0, &b[0]
		case r.turns[k]:
			m.Data, m.Turn = unsafe.Pointer(&b[row]), unsafe.Pointer(&b[0])
		default:
			m.Data = unsafe.Pointer(&b[maxLag*row])
		}
		out = append(out, m)
	}
	for k, d := range r.program.Inputs {
		row := d.Size() * size
		m := kernels.Moving{Operand: kernels.Operand{Data: unsafe.Pointer(&r.inputs[k][0]), Strides: strides(d)}}
		switch from := r.reads[k]; {
		case size == 0:
			m.Data = nil
		case from >= 0 && r.turns[from]:
			m.Data, m.Turn = out[from].Turn, out[from].Data
		case from >= 0:
			m.Data, m.Step = unsafe.Pointer(&results[from][(maxLag-r.lags[k])*row]), row
		case r.kinds[k] == "row":
			m.Step = row
		case r.kinds[k] == "one":
			m.Strides = make([]int, len(r.shape))
			m.Step = d.Size()
		}
		in = append(in, m)
	}
	done, whole := f(r.steps, r.shape, nil, out, in, ends, nil)
	if !whole {
		panic("stopped without reason")
	}
	return results, done
}

// TestSteps compares all steps in one call with one call for each: C, of the same kernels, to the
// bit, and Go's interpreter, of operations that are exact.
func TestSteps(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for seed := range uint64(2000) {
			r := newRecurrence(rand.New(rand.NewPCG(seed, 11)))
			f, ok := s.Steps(r.program)
			if !ok {
				t.Fatalf("seed %d: not compiled: %v", seed, r)
			}
			step, _ := kernels.GoSet.Steps(r.program)
			want, done := r.run(step)
			for round := range 2 { // a compiled function may be used again
				got, n := r.run(f)
				if n != done {
					t.Fatalf("seed %d round %d: %d steps, want %d: %v", seed, round, n, done, r)
				}
				for k, d := range r.types {
					if i := differs(d, got[k], want[k]); i >= 0 {
						t.Fatalf("seed %d round %d: output %d (%v) differs at element %d: %v", seed, round, k, d, i, r)
					}
				}
			}
		}
	})
}

// differs is where two vectors do, -1 if nowhere; one NaN is as good as another.
func differs(d kernels.DType, x, y []byte) int {
	for i := 0; i+d.Size() <= len(x); i += d.Size() {
		if bytes.Equal(x[i:i+d.Size()], y[i:i+d.Size()]) {
			continue
		}
		switch p, q := unsafe.Pointer(&x[i]), unsafe.Pointer(&y[i]); {
		case d == kernels.Float64 && math.IsNaN(*(*float64)(p)) && math.IsNaN(*(*float64)(q)):
		case d == kernels.Float32 && math.IsNaN(float64(*(*float32)(p))) && math.IsNaN(float64(*(*float32)(q))):
		default:
			return i / d.Size()
		}
	}
	return -1
}

// linear is s = s*a + x, and its steps over n elements.
func linear(s kernels.Set, n, steps int) func(stop kernels.Stop) (int, bool) {
	const d = kernels.Float64
	instr := func(op string, args ...int) kernels.Instr {
		return kernels.Instr{LoopKey: kernels.LoopKey{Op: op, In: d, Out: d}, Args: args, Go: kernels.Lookup(op).Loops[d]}
	}
	f, _ := s.Steps(&kernels.Program{Inputs: []kernels.DType{d, d, d}, Instrs: []kernels.Instr{instr("mul", 0, 1), instr("add", 3, 2)}, Outputs: []kernels.Output{{Reg: 4}}})
	pair, a, x := make([]float64, 2*n), make([]float64, n), make([]float64, n)
	strides := []int{8}
	state := kernels.Moving{Operand: kernels.Operand{Data: unsafe.Pointer(&pair[0]), Strides: strides}, Turn: unsafe.Pointer(&pair[n])}
	in := []kernels.Moving{{Operand: kernels.Operand{Data: state.Turn, Strides: strides}, Turn: state.Data},
		{Operand: kernels.Operand{Data: unsafe.Pointer(&a[0]), Strides: strides}}, {Operand: kernels.Operand{Data: unsafe.Pointer(&x[0]), Strides: strides}}}
	shape, out := []int{n}, []kernels.Moving{state}
	return func(stop kernels.Stop) (int, bool) { return f(steps, shape, nil, out, in, nil, stop) }
}

func TestStepsAllocateNothing(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, n := range []int{1, 10, 5000} {
			run := linear(s, n, 100)
			run(nil)
			if k := testing.AllocsPerRun(10, func() { run(nil) }); k != 0 {
				t.Errorf("100 steps over %d elements allocate %v times, want 0", n, k)
			}
		}
	})
}

func TestStepsStop(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for _, n := range []int{1, 10, 5000} {
			stop := uint32(1)
			if done, whole := linear(s, n, 100)(&stop); whole || done > 1 {
				t.Errorf("%d elements: %d steps though stopped, whole %t", n, done, whole)
			}
		}
	})
}

func BenchmarkSteps(b *testing.B) {
	for _, s := range append([]kernels.Set{kernels.GoSet}, native.Sets()...) {
		for _, n := range []int{1, 10, 100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", s.ISA(), n), func(b *testing.B) { linear(s, n, b.N)(nil) })
		}
	}
}

// TestStepsOfProducts compares steps of products and an elementwise program in one call with one
// call for each product and program, of the same kernels, to the bit: with states that are kept,
// and that take turns.
func TestStepsOfProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	eachSet(t, func(t *testing.T, s kernels.Set) {
		for range 60 {
			d := []kernels.DType{kernels.Float64, kernels.Float32}[rng.IntN(2)]
			m, n, steps := 1+rng.IntN(4), 1+rng.IntN(40), 1+rng.IntN(6)
			if rng.IntN(8) == 0 {
				n = 1100 // of which C needs memory for packed operands
			}
			turns, size := rng.IntN(2) == 0, d.Size()
			instr := func(op string, args ...int) kernels.Instr {
				return kernels.Instr{LoopKey: kernels.LoopKey{Op: op, In: d, Out: d}, Args: args, Go: kernels.Lookup(op).Loops[d]}
			}
			program := &kernels.Program{Inputs: []kernels.DType{d, d}, Instrs: []kernels.Instr{instr("tanh", 0), instr("add", 2, 1)}, Outputs: []kernels.Output{{Reg: 3}}}
			values := func(count int) []byte {
				b := unsafe.Slice((*byte)(unsafe.Pointer(&make([]uint64, count)[0])), count*8)
				for i := range count {
					if x := rng.Float64() - 0.5; d == kernels.Float64 {
						*(*float64)(unsafe.Pointer(&b[8*i])) = x
					} else {
						*(*float32)(unsafe.Pointer(&b[4*i])) = float32(x)
					}
				}
				return b
			}
			row := m * n * size
			weights, rows, begin := values(n*n), values(steps*m*n), values((steps+1)*m*n)
			run := func(f kernels.StepsFunc) []byte {
				states, z := append([]byte(nil), begin...), values(m*n)
				matrix := func(b []byte, step int) kernels.Moving {
					return kernels.Moving{Operand: kernels.Operand{Data: unsafe.Pointer(&b[0]), Strides: []int{n * size, size}}, Step: step}
				}
				before, after := matrix(states, row), matrix(states[row:], row)
				if turns {
					before.Step, after.Step = 0, 0
					before.Turn, after.Turn = after.Data, before.Data
				}
				p := kernels.Product{DType: d, M: m, N: n, K: n, Alpha: 1, Beta: 1, A: before, B: matrix(weights, 0), C: matrix(rows, row),
					D: kernels.Matrix{Data: unsafe.Pointer(&z[0]), Row: n * size, Col: size}}
				if done, whole := f(steps, []int{m, n}, []kernels.Product{p}, []kernels.Moving{after}, []kernels.Moving{matrix(z, 0), before}, nil, nil); done != steps || !whole {
					t.Fatalf("got %d steps, %t", done, whole)
				}
				return states
			}
			f, _ := s.Steps(program)
			step, _ := s.Elemwise(program)
			if got, want := run(f), run(kernels.StepByStep(step, s.Gemm)); !bytes.Equal(got, want) {
				t.Errorf("%v, %d x %d, %d steps, turns %t: the steps in one call give something else", d, m, n, steps, turns)
			}
		}
	})
}
