package kernels

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
	"unsafe"
)

// fusedLen is the number of elements on which programs are measured: all of their operands stay in
// the L1 cache.
const fusedLen = 512

// Sound reports whether t can have been measured.
func (t FusedTable) Sound() bool {
	for name, row := range t {
		for _, ns := range row {
			if byName[name] == nil || !(ns >= 0 && ns < 1e6) {
				return false
			}
		}
	}
	return true
}

// MeasureFused measures the kernels of s several times over, which takes about 0.15 s a pass for a
// set in C; the least counts. It fails if ctx is done.
func MeasureFused(ctx context.Context, s Set, passes int) (FusedTable, error) {
	all := make([][len(costClasses)]*measurement, len(Table))
	for i := range Table {
		for class, d := range costClasses {
			all[i][class] = newMeasurement(s, &Table[i], d)
		}
	}
	table := FusedTable{}
	for range passes {
		for i, k := range Table {
			var row [len(costClasses)]float32
			for class, m := range all[i] {
				if m != nil {
					m.run(100 * time.Microsecond)
					row[class] = m.nanoseconds()
				}
			}
			table[k.Name] = row
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	return table, nil
}

// A measurement finds out what a kernel adds to a program that does more: the difference between
// maximum(k(x...), w) and maximum(y, w). So what is read and written anyway does not count, and a
// kernel that becomes a link of a chain costs as little as it does there.
type measurement struct {
	with, without ElemwiseFunc
	in, base, out []Operand
	operands      uint64 // how many there are
	minWith       time.Duration
	minWithout    time.Duration
}

// newMeasurement prepares to measure k for operands of type d; nil if s has no kernel for them.
func newMeasurement(s Set, k *Kernel, d DType) *measurement {
	key, loop := k.CostKey(d)
	if loop == nil {
		return nil
	}
	m := &measurement{}
	with, args := &Program{}, []int{}
	for i := range k.Arity {
		t := k.Operand(i, d)
		with.Inputs, args = append(with.Inputs, t), append(args, i)
		m.in = append(m.in, m.operand(t))
	}
	larger := Lookup("maximum")
	join := func(p *Program, x, w int) {
		p.Instrs = append(p.Instrs, Instr{LoopKey: larger.Key(key.Out), Args: []int{x, w}, Go: larger.Loops[key.Out]})
		p.Outputs = []Output{{Reg: len(p.Inputs) + len(p.Instrs) - 1}}
	}
	w := m.operand(key.Out)
	with.Inputs, m.in = append(with.Inputs, key.Out), append(m.in, w)
	with.Instrs = []Instr{{LoopKey: key, Args: args, Go: loop}}
	join(with, k.Arity+1, k.Arity)
	without := &Program{Inputs: []DType{key.Out, key.Out}}
	m.base = []Operand{m.operand(key.Out), w}
	join(without, 0, 1)
	m.out = []Operand{m.operand(key.Out)}
	var ok bool
	if m.with, ok = s.Elemwise(with); !ok {
		return nil
	}
	if m.without, ok = s.Elemwise(without); !ok {
		return nil
	}
	m.minWith, m.minWithout = time.Hour, time.Hour
	return m
}

// CostKey is the kernel of which the cost stands for all of k on operands of type d.
func (k *Kernel) CostKey(d DType) (LoopKey, Loop) {
	if k.Name != "cast" {
		return k.Key(d), k.Loops[d]
	}
	to := Float64
	if d == to {
		to = Float32
	}
	return LoopKey{Op: "cast", In: d, Out: to}, Cast[d][to]
}

func (m *measurement) operand(d DType) Operand {
	m.operands++
	return Operand{Data: Typical(d, fusedLen, m.operands), Strides: []int{d.Size()}}
}

// Typical are n elements of type d of which every kernel takes the way that it takes most often:
// from 0.1 to 0.9, integers from 1 to 7, true and false, in an order that no processor foresees.
// Another seed gives others.
func Typical(d DType, n int, seed uint64) unsafe.Pointer {
	p := unsafe.Pointer(unsafe.SliceData(make([]uint64, n)))
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		x := 0.1 + 0.8*r.Float64()
		switch {
		case d.IsBool():
			x = float64(r.IntN(2))
		case !d.IsFloat():
			x = float64(1 + r.IntN(7))
		}
		Cast[Float64][d](1, unsafe.Add(p, i*d.Size()), &[MaxArgs]unsafe.Pointer{unsafe.Pointer(&x)})
	}
	return p
}

// run measures for about as long. More runs, at other times, make the result better.
func (m *measurement) run(long time.Duration) {
	for start, n := time.Now(), 0; n < 3 || time.Since(start) < long; n++ {
		m.minWith = min(m.minWith, m.time(m.with, m.in))
		m.minWithout = min(m.minWithout, m.time(m.without, m.base))
	}
}

// trials are the runs that the clock measures together, which is coarse.
const trials = 4

func (m *measurement) time(f ElemwiseFunc, in []Operand) time.Duration {
	shape := []int{fusedLen}
	begun := time.Now()
	for range trials {
		f(shape, m.out, in, nil)
	}
	return time.Since(begun)
}

// nanoseconds is what an element takes, at least a hundredth, to two digits.
func (m *measurement) nanoseconds() float32 {
	ns := max(float64(m.minWith-m.minWithout)/(trials*fusedLen), 0.01)
	digit := math.Pow(10, math.Floor(math.Log10(ns))-1)
	return float32(math.Round(ns/digit) * digit)
}
