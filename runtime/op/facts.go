package op

import "math"

// Sign is what is known of all elements of a variable; nan is never excluded. -0 is negative.
type Sign uint8

const (
	AnySign     Sign = iota
	Nonnegative      // >= 0
	Positive         // > 0, but for results that are too small for the type
)

// The rules for signs that several operations share. Results of integer types may wrap and are not
// asked for.

func always(s Sign) func([]Sign) Sign  { return func([]Sign) Sign { return s } }
func atLeast(s Sign) func([]Sign) Sign { return func(in []Sign) Sign { return max(s, in[0]) } }
func signOf(i int) func([]Sign) Sign   { return func(in []Sign) Sign { return in[i] } }

func least(in []Sign) Sign {
	s := Positive
	for _, e := range in {
		s = min(s, e)
	}
	return s
}

// greatest: where the operands of maximum are equal it gives the second, which may be -0.
func greatest(in []Sign) Sign { return in[1] }

// signOfSum: one positive term is enough if no other is negative.
func signOfSum(in []Sign) Sign {
	if min(in[0], in[1]) == AnySign {
		return AnySign
	}
	return max(in[0], in[1])
}

// Smoothness says where an operation on floats may go wrong when its operands have rounding errors.
type Smoothness uint8

const (
	Smooth        Smoothness = iota // it has continuous derivatives in its domain
	Kinked                          // it is continuous
	Discontinuous                   // it has jumps, or is not of floats
)

// A Domain is where an operand may lie with a rounding error: away from where the operation is
// steep or not defined. The zero Domain is everywhere.
type Domain struct {
	Lo, Hi float64
	Either bool // of either sign
}

// apart is not close to 0.
var apart = Domain{0.05, math.Inf(1), true}

func above(lo float64) Domain  { return Domain{Lo: lo, Hi: math.Inf(1)} }
func within(hi float64) Domain { return Domain{Lo: -hi, Hi: hi} }

// Has reports whether x lies in d.
func (d Domain) Has(x float64) bool {
	if d.Either {
		x = math.Abs(x)
	}
	return d == Domain{} || d.Lo <= x && x <= d.Hi
}

// Range is a moderate part of d, from which tests take operands.
func (d Domain) Range() (lo, hi float64) {
	if d == (Domain{}) {
		return -3, 3
	}
	return max(d.Lo, -3), min(d.Hi, 3)
}

// DomainOf is where operand i of e may lie.
func (e Elemwise) DomainOf(i int) Domain {
	if list := e.Row().Domain; i < len(list) {
		return list[i]
	}
	return Domain{}
}
