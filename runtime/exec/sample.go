package exec

import "github.com/arignote/arignote/runtime/tensor"

// A Sample chooses the runs that are traced. A trace costs more than a small step: of those that
// take long every one is traced; of others so few that it costs about a part in Share. Which these
// are is left to chance, lest a loop that does something every so many steps is always met at the
// same.
type Sample struct {
	First int64 // runs at the start that are all traced
	Share int64 // a trace may cost one part in so many of the time that it stands for

	left   int64  // runs until the next trace
	gap    int64  // that left began with
	random uint64 // state of a generator of Marsaglia's xorshift family
	traces int64
	cost   int64 // the mean of what the last traces took beyond their runs
	took   int64 // and of the runs
}

// longestGap is how many runs a trace stands for at most, on average.
const longestGap = 512

// Due reports whether the coming run is to be traced.
func (s *Sample) Due() bool {
	s.left--
	return s.left <= 0
}

// Next reports whether Due will be true, without counting a run.
func (s *Sample) Next() bool { return s.left <= 1 }

// Weight is how many runs a trace stands for that is due: those since the one before.
func (s *Sample) Weight() int64 { return max(s.gap, 1) }

// Traced notes what a traced run took, and its trace beyond that, in the same unit, and decides
// when the next will be.
func (s *Sample) Traced(run, trace int64) {
	s.traces++
	if s.traces == 1 {
		s.took, s.cost, s.random = run, trace, 0x9e3779b97f4a7c15
	}
	s.took += (run - s.took) / 4
	s.cost += (min(trace, 2*s.cost) - s.cost) / 4 // one may have been interrupted
	s.gap = 1
	if mean := s.cost * s.Share / max(s.took, 1); s.traces >= s.First && mean > 1 {
		mean = min(mean, longestGap)
		s.random ^= s.random << 13
		s.random ^= s.random >> 7
		s.random ^= s.random << 17
		s.gap = 1 + int64(s.random%uint64(2*mean-1))
	}
	s.left = s.gap
}

// Hurry makes the coming run due.
func (s *Sample) Hurry() { s.left = 0 }

// Restart forgets the runs so far.
func (s *Sample) Restart() {
	s.gap, s.traces = 0, 0
	s.Hurry()
}

// Shapeless reports whether no input and no shared variable has an axis, so that no run begins with
// other shapes than the one before.
func (p *Program) Shapeless() bool {
	for _, v := range p.Graph.Inputs {
		if v.Type.Rank() > 0 {
			return false
		}
	}
	for _, s := range p.shared {
		if s.v.Type.Rank() > 0 {
			return false
		}
	}
	return true
}

// alike reports whether the inputs and shared variables have the shapes and strides that they had
// when it was asked before.
func (p *Program) alike(inputs []*tensor.Dense) bool {
	at, same := 0, true
	for _, a := range inputs {
		same = p.beginsWith(a, &at) && same
	}
	for _, s := range p.shared {
		same = p.beginsWith(p.slots[s.slot], &at) && same
	}
	return same
}

// beginsWith is alike for one array, whose lengths begin at a place of p.began.
func (p *Program) beginsWith(a *tensor.Dense, at *int) bool {
	shape, strides, same := a.Shape(), a.Strides(), true
	for axis, n := range shape {
		if *at == len(p.began) {
			p.began = append(p.began, -1, 0)
		}
		is := p.began[*at : *at+2]
		if is[0] != n || is[1] != strides[axis] {
			is[0], is[1], same = n, strides[axis], false
		}
		*at += 2
	}
	return same
}
