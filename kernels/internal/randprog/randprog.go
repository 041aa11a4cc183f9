// Package randprog makes random elementwise programs and operands for the tests of package kernels
// and of its C implementation, and evaluates them the slow and obvious way.
// It is not for use outside tests.
//
//	Case    a program, a shape and operands of every kind of layout
//	Array   the memory of one operand, all of it comparable
package randprog

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Case is one run: In and Out are parallel to the program's inputs and outputs. Share[k] is the
// input whose memory output k uses, or -1.
type Case struct {
	Program *kernels.Program
	Shape   []int
	In, Out []Array
	Share   []int

	bounds map[int][]float64 // of the reductions of floats: how far each may be from what Naive gives
}

// Array is memory and the operand in it. Bytes around the operand's elements must stay untouched.
type Array struct {
	DType   kernels.DType
	Memory  []byte // 8-aligned
	First   int    // offset of the first element
	Strides []int
}

// Operand points into the array.
func (a *Array) Operand() kernels.Operand {
	return kernels.Operand{Data: unsafe.Pointer(&a.Memory[a.First]), Strides: a.Strides}
}

// Clone copies the memory.
func (a *Array) Clone() Array {
	c := *a
	c.Memory = alloc(len(a.Memory))
	copy(c.Memory, a.Memory)
	return c
}

func alloc(n int) []byte {
	words := make([]uint64, n/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// exact are the kernels whose results are exactly defined, so that implementations agree to the
// bit.
var exact = func() (rows []*kernels.Kernel) {
	for i := range kernels.Table {
		if k := &kernels.Table[i]; k.Exact() {
			rows = append(rows, k)
		}
	}
	return rows
}()

// New makes a case. dtypes are those of its inputs and casts.
func New(rng *rand.Rand, dtypes []kernels.DType) *Case {
	c := &Case{Program: &kernels.Program{}, Shape: shape(rng)}
	p := c.Program
	for range 1 + rng.IntN(4) {
		d := dtypes[rng.IntN(len(dtypes))]
		p.Inputs = append(p.Inputs, d)
		c.In = append(c.In, array(rng, d, c.Shape, true))
	}
	types := append([]kernels.DType(nil), p.Inputs...)
	for range rng.IntN(12) {
		in := instr(rng, types, dtypes)
		// The sign of a NaN that was computed is nobody's promise: what reads signs reads inputs.
		for n := len(p.Inputs); in.In.IsFloat() && (in.Op == "signbit" && in.Args[0] >= n || in.Op == "copysign" && in.Args[1] >= n); {
			in = instr(rng, types, dtypes)
		}
		p.Instrs = append(p.Instrs, in)
		types = append(types, in.Out)
	}
	taken := make([]bool, len(p.Inputs))
	kept := rng.IntN(len(c.Shape) + 1)
	for range 1 + rng.IntN(3) {
		r := len(types) - 1 - rng.IntN(min(len(types), 4))
		if reduce := c.reduction(rng, types[r], kept); reduce != "" {
			p.Outputs = append(p.Outputs, kernels.Output{Reg: r, Reduce: reduce})
			a := array(rng, types[r], c.Shape[:kept], false)
			a.Strides = append(a.Strides, make([]int, len(c.Shape)-kept)...)
			c.Out, c.Share = append(c.Out, a), append(c.Share, -1)
			continue
		}
		p.Outputs = append(p.Outputs, kernels.Output{Reg: r})
		share := -1
		for k := range c.In {
			if !taken[k] && c.In[k].DType == types[r] && !c.broadcasts(k) && rng.IntN(2) == 0 {
				share, taken[k] = k, true
				break
			}
		}
		c.Share = append(c.Share, share)
		if share >= 0 {
			c.Out = append(c.Out, c.In[share])
		} else {
			c.Out = append(c.Out, array(rng, types[r], c.Shape, false))
		}
	}
	return c
}

// reduction chooses one of registers of type d over all axes but the first, or none.
func (c *Case) reduction(rng *rand.Rand, d kernels.DType, kept int) string {
	op := []string{"sum", "prod", "max", "min", "", "", "", "round_sum", "round_prod"}[rng.IntN(9)]
	if !kernels.CanReduce(op, d) {
		return ""
	}
	for _, n := range c.Shape[kept:] {
		if n == 0 && op[0] == 'm' {
			return ""
		}
	}
	return op
}

func (c *Case) broadcasts(k int) bool {
	for axis, s := range c.In[k].Strides {
		if s == 0 && c.Shape[axis] != 1 {
			return true
		}
	}
	return false
}

func shape(rng *rand.Rand) []int {
	lengths := []int{1, 2, 3, 5, 7, 8, 33, 64, 300, 1000}
	s := make([]int, rng.IntN(5))
	total := 1
	for axis := range s {
		s[axis] = lengths[rng.IntN(len(lengths))]
		if total*s[axis] > 6000 {
			s[axis] = 1
		}
		total *= s[axis]
	}
	if len(s) > 0 && rng.IntN(20) == 0 {
		s[rng.IntN(len(s))] = 0
	}
	return s
}

// array lays out an operand: axes in any order in memory, padded, reversed, and broadcast if it may
// be.
func array(rng *rand.Rand, d kernels.DType, shape []int, input bool) Array {
	const guard = 64
	a := Array{DType: d, Strides: make([]int, len(shape)), First: guard}
	plain := rng.IntN(3) == 0
	order := rng.Perm(len(shape))
	if rng.IntN(2) == 0 {
		for i := range order {
			order[i] = len(order) - 1 - i
		}
	}
	if plain {
		input = false
	}
	scalar := input && rng.IntN(4) == 0
	step := d.Size()
	for _, axis := range order {
		if scalar || input && rng.IntN(4) == 0 {
			continue // stride 0
		}
		if !plain && rng.IntN(5) == 0 {
			step *= 2
		}
		a.Strides[axis] = step
		if n := shape[axis]; !plain && n > 0 && rng.IntN(5) == 0 {
			a.First += (n - 1) * step
			a.Strides[axis] = -step
		}
		step *= max(shape[axis], 1)
	}
	a.Memory = alloc(step + 2*guard + d.Size())
	a.fill(rng)
	return a
}

// fill sets all elements, guards too, to random values.
func (a *Array) fill(rng *rand.Rand) {
	for i := 0; i+a.DType.Size() <= len(a.Memory); i += a.DType.Size() {
		p := unsafe.Pointer(&a.Memory[i])
		bits := rng.Uint64()
		if rng.IntN(2) == 0 {
			bits = uint64(rng.IntN(7) - 3)
		}
		v := rng.NormFloat64()
		switch rng.IntN(30) {
		case 0:
			v = math.Inf(rng.IntN(2) - 1)
		case 1:
			v = math.NaN()
		case 2:
			v = math.Copysign(0, v)
		case 3:
			v *= 1e10
		}
		switch {
		case a.DType == kernels.Bool:
			a.Memory[i] = byte(bits & 1)
		case a.DType == kernels.Float32:
			*(*float32)(p) = float32(v)
		case a.DType == kernels.Float64:
			*(*float64)(p) = v
		case a.DType.Size() == 1:
			a.Memory[i] = byte(bits)
		case a.DType.Size() == 2:
			*(*uint16)(p) = uint16(bits)
		case a.DType.Size() == 4:
			*(*uint32)(p) = uint32(bits)
		default:
			*(*uint64)(p) = bits
		}
	}
}

func instr(rng *rand.Rand, types, dtypes []kernels.DType) kernels.Instr {
	last := rng.IntN(len(types))
	d := types[last]
	same := func(d kernels.DType) int { // a register of type d, or -1
		for _, r := range rng.Perm(len(types)) {
			if types[r] == d {
				return r
			}
		}
		return -1
	}
	for range 3 {
		k := exact[rng.IntN(len(exact))]
		in := kernels.Instr{LoopKey: k.Key(d), Go: k.Loops[d]}
		for i := range k.Arity {
			r := last
			if want := k.Operand(i, d); want != d || i > 0 {
				r = same(want)
			}
			in.Args = append(in.Args, r)
		}
		if in.Go != nil && !slices.Contains(in.Args, -1) {
			return in
		}
	}
	to := dtypes[rng.IntN(len(dtypes))]
	return kernels.Instr{LoopKey: kernels.LoopKey{Op: "cast", In: d, Out: to}, Args: []int{last}, Go: kernels.Cast[d][to]}
}

// Run evaluates the case with f on copies of its arrays and returns the outputs' memory.
func (c *Case) Run(f kernels.ElemwiseFunc) []Array {
	in, out, results := c.fresh()
	if !f(c.Shape, out, in, nil) {
		panic("randprog: stopped without reason")
	}
	return results
}

func (c *Case) fresh() (in, out []kernels.Operand, results []Array) {
	copies := make([]Array, len(c.In))
	for k := range c.In {
		copies[k] = c.In[k].Clone()
		in = append(in, copies[k].Operand())
	}
	for k := range c.Out {
		a := c.Out[k].Clone()
		if c.Share[k] >= 0 {
			a = copies[c.Share[k]]
		}
		results = append(results, a)
		out = append(out, a.Operand())
	}
	return in, out, results
}

// Naive evaluates the case element by element.
func (c *Case) Naive(shape []int, out, in []kernels.Operand, _ kernels.Stop) bool {
	p := c.Program
	total := 1
	for _, n := range shape {
		total *= n
	}
	source := make([][]uint64, total) // inputs first: outputs may share their memory
	for i := range total {
		for k, o := range in {
			source[i] = append(source[i], load(o, p.Inputs[k].Size(), offset(shape, o.Strides, i)))
		}
	}
	types := append(append([]kernels.DType(nil), p.Inputs...), outs(p)...)
	folds := make([]map[int]*folded, len(p.Outputs)) // by offset in the output
	for k, o := range p.Outputs {
		folds[k] = map[int]*folded{}
		if total == 0 && o.Reduce != "" {
			each(shape, out[k].Strides, func(at int) { folds[k][at] = newFolded(o.Reduce, types[o.Reg]) })
		}
	}
	for i := range total {
		regs := append(source[i], make([]uint64, len(p.Instrs))...)
		for j, in := range p.Instrs {
			var src [kernels.MaxArgs]unsafe.Pointer
			for k, r := range in.Args {
				src[k] = unsafe.Pointer(&regs[r])
			}
			in.Go(1, unsafe.Pointer(&regs[len(p.Inputs)+j]), &src)
		}
		for k, o := range p.Outputs {
			at, size := offset(shape, out[k].Strides, i), types[o.Reg].Size()
			if o.Reduce == "" {
				store(out[k], size, at, regs[o.Reg])
				continue
			}
			if folds[k][at] == nil {
				folds[k][at] = newFolded(o.Reduce, types[o.Reg])
			}
			folds[k][at].add(regs[o.Reg])
		}
	}
	c.bounds = map[int][]float64{}
	for k := range p.Outputs {
		for at, f := range folds[k] {
			store(out[k], f.dtype.Size(), at, f.value())
			if f.dtype.IsFloat() {
				if c.bounds[k] == nil {
					c.bounds[k] = make([]float64, len(c.Out[k].Memory)/f.dtype.Size())
				}
				c.bounds[k][(c.Out[k].First+at)/f.dtype.Size()] = f.bound()
			}
		}
	}
	return true
}

// each calls f with the offset of every element of the axes of an empty shape that are not reduced.
func each(shape, strides []int, f func(offset int)) {
	kept := append([]int(nil), shape...)
	for axis, s := range strides {
		if s == 0 {
			kept[axis] = 1
		}
	}
	total := 1
	for _, n := range kept {
		total *= n
	}
	for i := range total {
		f(offset(kept, strides, i))
	}
}

func store(o kernels.Operand, size, offset int, v uint64) {
	copy(unsafe.Slice((*byte)(unsafe.Add(o.Data, offset)), size), unsafe.Slice((*byte)(unsafe.Pointer(&v)), size))
}

func outs(p *kernels.Program) (d []kernels.DType) {
	for _, in := range p.Instrs {
		d = append(d, in.Out)
	}
	return d
}

func load(o kernels.Operand, size, offset int) (v uint64) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), size), unsafe.Slice((*byte)(unsafe.Add(o.Data, offset)), size))
	return v
}

func offset(shape, strides []int, i int) (bytes int) {
	for axis := len(shape) - 1; axis >= 0; axis-- {
		bytes += i % shape[axis] * strides[axis]
		i /= shape[axis]
	}
	return bytes
}

// Compare says where two results differ, guards included; "" if nowhere. One NaN is as good as
// another. Reductions of floats may differ as their bounds allow, which Naive leaves; a zero has
// any sign.
func (c *Case) Compare(got, want []Array) string {
	for k := range want {
		g, w := got[k].Clone(), want[k].Clone()
		g.canonical()
		w.canonical()
		for i, bound := range c.bounds[k] {
			if x, y := g.float(i), w.float(i); math.Abs(x-y) <= bound || math.IsInf(bound, 1) {
				g.setFloat(i, y)
			}
		}
		if !bytes.Equal(g.Memory, w.Memory) {
			i := 0
			for g.Memory[i] == w.Memory[i] {
				i++
			}
			return fmt.Sprintf("output %d (%v) differs at byte %d of %d (first element at %d)", k, g.DType, i, len(g.Memory), g.First)
		}
	}
	return ""
}

func (a *Array) canonical() {
	for i := a.First % a.DType.Size(); i+a.DType.Size() <= len(a.Memory); i += a.DType.Size() {
		switch p := unsafe.Pointer(&a.Memory[i]); a.DType {
		case kernels.Float32:
			if f := (*float32)(p); *f != *f {
				*f = float32(math.NaN())
			}
		case kernels.Float64:
			if f := (*float64)(p); *f != *f {
				*f = math.NaN()
			}
		}
	}
}

// String describes the case.
func (c *Case) String() string {
	s := fmt.Sprintf("shape %v", c.Shape)
	for k, a := range c.In {
		s += fmt.Sprintf("; r%d = input %v strides %v", k, a.DType, a.Strides)
	}
	for i, in := range c.Program.Instrs {
		s += fmt.Sprintf("; r%d = %s %v→%v %v", len(c.In)+i, in.Op, in.In, in.Out, in.Args)
	}
	for k, o := range c.Program.Outputs {
		r := o.Reg
		s += fmt.Sprintf("; output %s r%d strides %v shares %d", o.Reduce, r, c.Out[k].Strides, c.Share[k])
	}
	return s
}
