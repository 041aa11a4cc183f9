package random

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// A RandomState is numpy.random.RandomState, whose numbers are promised never to change: published
// results that name a seed can be repeated. Its zero value must be seeded. A copy of it is another
// one in the same state.
type RandomState struct {
	MT19937
	gauss    float64 // normal numbers come in pairs: the second
	hasGauss bool
}

// A State is all that determines what a RandomState makes: get_state().
type State struct {
	Key      [twisterWords]uint32
	Pos      int // of the next word of Key: 0 to 624
	HasGauss bool
	Gauss    float64 // the next normal number, if HasGauss
}

// NewRandomState is RandomState(seed).
func NewRandomState(seed uint32) *RandomState {
	s := new(RandomState)
	s.Seed(seed)
	return s
}

// Seed sets the state as seed(n) does.
func (s *RandomState) Seed(n uint32) {
	s.MT19937.Seed(n)
	s.gauss, s.hasGauss = 0, false
}

// SeedArray sets the state as seed([numbers...]) does. NumPy refuses to be seeded by no numbers;
// here they are as one zero.
func (s *RandomState) SeedArray(numbers []uint32) {
	s.MT19937.SeedArray(numbers)
	s.gauss, s.hasGauss = 0, false
}

// SeedEntropy sets the state from the operating system's randomness: seed().
func (s *RandomState) SeedEntropy() {
	s.MT19937.SeedEntropy()
	s.gauss, s.hasGauss = 0, false
}

// State is the state.
func (s *RandomState) State() State { return State{s.key, s.pos, s.hasGauss, s.gauss} }

// SetState sets the state. It is an error if Pos is not between 0 and 624.
func (s *RandomState) SetState(state State) error {
	if state.Pos < 0 || state.Pos > twisterWords {
		return fmt.Errorf("set_state: got position %d, want one from 0 to %d", state.Pos, twisterWords)
	}
	*s = RandomState{MT19937{state.Key, state.Pos}, state.Gauss, state.HasGauss}
	return nil
}

func (s *RandomState) legacy() bool { return true }

// StandardNormal is a number of the standard normal distribution, by Marsaglia's polar method,
// which makes two at a time.
func (s *RandomState) StandardNormal() float64 {
	if s.hasGauss {
		x := s.gauss
		s.gauss, s.hasGauss = 0, false
		return x
	}
	first, second := s.pair()
	s.gauss, s.hasGauss = second, true
	return first
}

func (s *RandomState) pair() (first, second float64) {
	for {
		x, y := 2*s.Float64()-1, 2*s.Float64()-1
		r := float64(x*x) + float64(y*y)
		if r >= 1 || r == 0 {
			continue
		}
		f := math.Sqrt(-2 * libm.Log(r) / r)
		return f * y, f * x
	}
}

// StandardExponential is a number of the exponential distribution of mean 1, by inversion.
func (s *RandomState) StandardExponential() float64 { return -libm.Log(1 - s.Float64()) }

// FillUniform fills dst with uniform numbers: random_sample.
func (s *RandomState) FillUniform(dst []float64) {
	for i := range dst {
		dst[i] = s.Float64()
	}
}

// FillNormal fills dst with standard normal numbers: standard_normal and randn.
func (s *RandomState) FillNormal(dst []float64) {
	if len(dst) > 0 && s.hasGauss {
		dst[0] = s.StandardNormal()
		dst = dst[1:]
	}
	for ; len(dst) > 1; dst = dst[2:] {
		dst[0], dst[1] = s.pair()
	}
	if len(dst) > 0 {
		dst[0] = s.StandardNormal()
	}
}

// FillExponential fills dst with exponential numbers of mean 1: standard_exponential.
func (s *RandomState) FillExponential(dst []float64) {
	for i := range dst {
		dst[i] = s.StandardExponential()
	}
}
