package native_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// A function remembers how it met its last operands. What it remembers must not be taken for
// others: of another shape or other strides, or where an output has taken the memory of an input
// that is still read.
func TestOperandsChange(t *testing.T) {
	const d = kernels.Float64
	p := &kernels.Program{ // x + y, and (x + y)*x of the old x
		Inputs:  []kernels.DType{d, d},
		Instrs:  []kernels.Instr{instr("add", d, 0, 1), instr("mul", d, 2, 0)},
		Outputs: []kernels.Output{{Reg: 2}, {Reg: 3}},
	}
	withGo(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Elemwise(p)
		for round := range 40 {
			n := []int{1, 5, 20, 64, 1000, 5000}[round*7%6]
			step, shared := []int{1, 0, 2}[round%3], round/2%2 == 1
			if n == 1 && round%4 == 0 {
				step = 1
			}
			x, y, z, w := make([]float64, n), make([]float64, 2*n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[2*i], y[2*i+1] = float64(i+round), float64(i+2), float64(i*3)
			}
			old := append([]float64(nil), x...)
			if shared {
				z = x
			}
			shape, unit := []int{n}, []int{1}
			if n == 1 && round%4 == 0 {
				shape, unit = nil, nil
			}
			ystrides := append([]int(nil), unit...)
			for i := range ystrides {
				ystrides[i] = step
			}
			f(shape, []kernels.Operand{floats(z, append([]int(nil), unit...)...), floats(w, append([]int(nil), unit...)...)},
				[]kernels.Operand{floats(x, append([]int(nil), unit...)...), floats(y, ystrides...)}, nil)
			for i := range n {
				sum := old[i] + y[i*step]
				if z[i] != sum || w[i] != sum*old[i] {
					t.Fatalf("round %d, %d elements, step %d, shared %v: element %d: got %v and %v, want %v and %v",
						round, n, step, shared, i, z[i], w[i], sum, sum*old[i])
				}
			}
		}
	})
}

func TestRunsDoNotAllocate(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		reduce := []string{"", "sum"}
		if s.Name() == "Go" {
			reduce[1] = "" // its sums of long rows do
		}
		f, _ := s.Elemwise(products(kernels.Float64, reduce...))
		for _, n := range []int{1, 10, 1000, 200_000} {
			x, z, sum := make([]float64, n), make([]float64, n), make([]float64, 1)
			shape, out, in := []int{n}, []kernels.Operand{floats(z, 1), floats(sum, 0)}, []kernels.Operand{floats(x, 1), floats(x, 1)}
			if reduce[1] == "" {
				out[1] = floats(make([]float64, n), 1)
			}
			f(shape, out, in, nil)
			// Go's runtime allocates now and then for itself, so that the least of some tries is
			// what a run does.
			least := math.Inf(1)
			for try := 0; try < 5 && least > 0; try++ {
				least = min(least, testing.AllocsPerRun(5, func() { f(shape, out, in, nil) }))
			}
			if least != 0 {
				t.Errorf("%d elements: a run allocates %v times, want 0", n, least)
			}
		}
	})
}
