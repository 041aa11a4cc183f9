package tensor

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
)

// A subtraction is a linked kernel with what a call of it needs. One goroutine at a time has it.
type subtraction struct {
	run kernels.ElemwiseFunc
	out [1]kernels.Operand
	in  [2]kernels.Operand
}

// subtractions are those of each type that do not run now.
var subtractions [kernels.NumDTypes]sync.Pool

func newSubtraction(d kernels.DType) *subtraction {
	name := "sub"
	if d.IsBool() { // bools differ where they are not equal
		name = "xor"
	}
	instr := kernels.Instr{LoopKey: kernels.LoopKey{Op: name, In: d, Out: d}, Args: []int{0, 1}, Go: kernels.Lookup(name).Loops[d]}
	run, ok := Movement.Elemwise(&kernels.Program{Inputs: []kernels.DType{d, d}, Instrs: []kernels.Instr{instr}, Outputs: []kernels.Output{{Reg: 2}}})
	if !ok {
		panic(fmt.Sprintf("BUG: no kernel subtracts %v", d))
	}
	return &subtraction{run: run}
}

// subtract writes x - y to z. All are of one type and shape, and of x, y and z only x and y may
// share memory.
func subtract(z, x, y *Dense) {
	pool := &subtractions[z.dtype]
	s, ok := pool.Get().(*subtraction)
	if !ok {
		s = newSubtraction(z.dtype)
	}
	s.out[0], s.in[0], s.in[1] = z.Operand(), x.Operand(), y.Operand()
	s.run(z.shape, s.out[:], s.in[:], nil)
	clear(s.out[:]) // what is kept must not hold the caller's memory
	clear(s.in[:])
	pool.Put(s)
}

// Diff returns the n-th difference along axis, in a's type: each time the axis becomes one shorter.
// Bools differ where they are not equal.
func Diff(a *Dense, n, axis int) (*Dense, error) { return new(Poll).Diff(a, n, axis) }

// Diff is Diff, and asks as it goes on.
func (p *Poll) Diff(a *Dense, n, axis int) (*Dense, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("diff: got order %d, want at least 0", n)
	}
	if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	n = min(n, a.shape[axis])
	if n == 0 {
		return p.Copy(a), nil
	}
	z := a
	for range n {
		x, length := z, z.shape[axis]
		shape := slices.Clone(x.shape)
		shape[axis]--
		z = Empty(x.dtype, shape...)
		p.subtract(z, x.part(axis, 1, length), x.part(axis, 0, length-1))
	}
	return z, nil
}

// subtract sets z to x - y, some rows at a time.
func (p *Poll) subtract(z, x, y *Dense) {
	if z.Size() == 0 {
		return
	}
	rows := z.shape[0]
	step := max(1, pollEvery/(z.Size()/rows))
	for first := 0; first < rows; first += step {
		end := min(first+step, rows)
		part := z.part(0, first, end)
		p.Ask(part.Size())
		subtract(part, x.part(0, first, end), y.part(0, first, end))
	}
}
