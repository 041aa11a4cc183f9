package kernels

import "time"

// A Split says what each step of a program took, of all runs that had it as Program.Split, in
// shares of whatever clock there was, net of what its readings take. Runs of few elements, and of
// programs that reduce over first axes, add nothing to it.
type Split struct {
	Ticks []float64 // by step
}

func (s *Split) add(p *Program, instr int, ticks float64) {
	step := instr
	if p.Steps != nil {
		step = p.Steps[instr]
	}
	s.AddStep(step, ticks)
}

// AddStep adds what a step took.
func (s *Split) AddStep(step int, ticks float64) {
	for len(s.Ticks) <= step {
		s.Ticks = append(s.Ticks, 0)
	}
	s.Ticks[step] += max(ticks, 0)
}

// Add adds what instructions that follow each other took, which the clock saw as one: each has of
// it what it is known to take on the instruction set.
func (s *Split) Add(p *Program, isa string, first, n int, ticks float64) {
	total, each := 0.0, make([]float64, n)
	for i := range each {
		in := p.Instrs[first+i]
		each[i] = FusedCosts(in.Op, in.In).On(isa)
		total += each[i]
	}
	for i, w := range each {
		s.add(p, first+i, ticks*w/total)
	}
}

// MadeBy is the instruction that makes a register or, of an input, the first that reads it; 0 where
// none does.
func (p *Program) MadeBy(reg int) int {
	if reg >= len(p.Inputs) {
		return reg - len(p.Inputs)
	}
	for i, in := range p.Instrs {
		for _, r := range in.Args {
			if r == reg {
				return i
			}
		}
	}
	return 0
}

// timed is instrs with a clock.
func (it *Interpreter) timed(n int) {
	regs := it.regs
	then := time.Now()
	for i := range it.steps {
		s := &it.steps[i]
		it.src[0], it.src[1], it.src[2], it.src[3] = regs[s.args[0]], regs[s.args[1]], regs[s.args[2]], regs[s.args[3]]
		s.loop(n, regs[s.dst], &it.src)
		now := time.Now()
		it.ticks[i] += now.Sub(then).Nanoseconds()
		then = now
	}
}

// count makes room for what it counts if somebody asks, and forgets it if not.
func (it *Interpreter) count(on bool) {
	switch {
	case !on:
		it.ticks = nil
	case it.ticks == nil:
		it.ticks = make([]int64, len(it.steps))
	default:
		clear(it.ticks)
	}
}

// tell adds what it counted.
func (it *Interpreter) tell(s *Split) {
	for i, t := range it.ticks {
		s.add(it.program, i, float64(t))
	}
}
