package tensor

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Axes is a set of axes, comparable so that operations that hold one are. It is a struct so that
// the number of an axis, where a set is wanted, does not compile.
type Axes struct{ bits uint16 }

// AxesOf returns the set of the given axes, each in [0, MaxRank).
func AxesOf(axes ...int) Axes {
	var s Axes
	for _, a := range axes {
		s.bits |= 1 << a
	}
	return s
}

// AllAxes returns the axes 0 to rank-1.
func AllAxes(rank int) Axes { return Axes{1<<rank - 1} }

// Has reports whether an axis is in the set.
func (s Axes) Has(axis int) bool { return s.bits>>axis&1 != 0 }

// Len is how many axes the set has.
func (s Axes) Len() int { return bits.OnesCount16(s.bits) }

// None reports whether the set is empty.
func (s Axes) None() bool { return s.bits == 0 }

// With returns the axes that are in either set.
func (s Axes) With(t Axes) Axes { return Axes{s.bits | t.bits} }

// Behind returns the axes that these are where another axis stands before all.
func (s Axes) Behind() Axes { return Axes{s.bits << 1} }

// Within returns the axes that are in both sets.
func (s Axes) Within(t Axes) Axes { return Axes{s.bits & t.bits} }

// Without returns the axes that are not in t.
func (s Axes) Without(t Axes) Axes { return Axes{s.bits &^ t.bits} }

// List returns the axes in ascending order.
func (s Axes) List() []int {
	list := make([]int, 0, s.Len())
	for a := 0; s.bits>>a != 0; a++ {
		if s.Has(a) {
			list = append(list, a)
		}
	}
	return list
}

// String writes the set as "0 2".
func (s Axes) String() string {
	parts := make([]string, 0, s.Len())
	for _, a := range s.List() {
		parts = append(parts, strconv.Itoa(a))
	}
	return strings.Join(parts, " ")
}

// MarshalText writes the set as String does.
func (s Axes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Axes) UnmarshalText(text []byte) error {
	*s = Axes{}
	for _, f := range strings.Fields(string(text)) {
		a, err := strconv.Atoi(f)
		if err != nil || a < 0 || a >= MaxRank {
			return fmt.Errorf("bad axis %q: want a number from 0 to %d", f, MaxRank-1)
		}
		s.bits |= 1 << a
	}
	return nil
}

// AxisError is the error for an axis that an array of the given rank does not have.
func AxisError(axis, rank int) error {
	if rank == 0 {
		return fmt.Errorf("axis %d is out of bounds for 0 dimensions: a scalar has no axes", axis)
	}
	return fmt.Errorf("axis %d is out of bounds for %d dimensions, want %d to %d", axis, rank, -rank, rank-1)
}

// NormalizeAxis turns a possibly negative axis of an array of the given rank into one from 0.
func NormalizeAxis(axis, rank int) (int, error) {
	if axis < -rank || axis >= rank {
		return 0, AxisError(axis, rank)
	}
	if axis < 0 {
		axis += rank
	}
	return axis, nil
}
