package array

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// unique is the different elements of what was computed, in ascending order.
func (c Calculator) unique(a *tensor.Dense, err error) (*tensor.Dense, error) {
	if err != nil {
		return nil, err
	}
	u, err := tensor.Distinct(a, c.Stop)
	if err != nil {
		return nil, err
	}
	return u.Values, nil
}

// In reports which elements of a are among those of b or, if invert, are not. Nan is among none. It
// asks: see tensor.Poll.
func In(a, b *tensor.Dense, invert bool, stop kernels.Stop) *tensor.Dense {
	z := tensor.New(kernels.Bool, a.Shape()...)
	if to := kernels.Promote(a.DType(), b.DType()); to.IsFloat() {
		mark(z, a.As(to).Floats(), b.As(to).Floats(), invert, stop)
	} else { // of uint64, the bits
		mark(z, a.As(to).Ints(), b.As(to).Ints(), invert, stop)
	}
	return z
}

// perLookup is the work of looking a number up, in elements that are moved.
const perLookup = 32

func mark[E int64 | float64](z *tensor.Dense, a, b []E, invert bool, stop kernels.Stop) {
	poll := tensor.Poll{Stop: stop}
	set := make(map[E]bool, len(b)) // which does not find nan
	for _, x := range b {
		poll.Ask(perLookup)
		set[x] = true
	}
	bits := tensor.Elements[uint8](z)
	for i, x := range a {
		poll.Ask(perLookup)
		if set[x] != invert {
			bits[i] = 1
		}
	}
}

// Filter returns the elements of a vector where a mask is true.
func (c Calculator) Filter(a, mask *tensor.Dense) (*tensor.Dense, error) {
	if z, err := a.Pick(mask, c.Stop); z != nil || err != nil {
		return z, err
	}
	at, err := tensor.NonZero(mask)
	if err != nil {
		return nil, err
	}
	return tensor.Take(a, at[0], 0, tensor.Raise, c.Stop)
}

// Union is the different elements of two vectors, in ascending order.
func (c Calculator) Union(a, b *tensor.Dense) (*tensor.Dense, error) {
	return c.unique(Concatenate([]*tensor.Dense{a, b}, 0, c.Stop))
}

// Intersect is the different elements that two vectors have, in ascending order and in a's type.
func (c Calculator) Intersect(a, b *tensor.Dense) (*tensor.Dense, error) {
	return c.unique(c.Filter(a, In(a, b, false, c.Stop)))
}

// Difference is the different elements of a vector that another has not, in ascending order.
func (c Calculator) Difference(a, b *tensor.Dense) (*tensor.Dense, error) {
	return c.unique(c.Filter(a, In(a, b, true, c.Stop)))
}

// SymmetricDifference is the different elements that only one of two vectors has, in ascending
// order.
func (c Calculator) SymmetricDifference(a, b *tensor.Dense) (*tensor.Dense, error) {
	x, err := c.Difference(a, b)
	if err != nil {
		return nil, err
	}
	y, err := c.Difference(b, a)
	if err != nil {
		return nil, err
	}
	return c.Union(x, y)
}

// FirstOf returns the first position in a of each element of common, which all are there.
func (c Calculator) FirstOf(common, a *tensor.Dense) (*tensor.Dense, error) {
	u, err := tensor.Unique(a, c.Stop)
	if err != nil {
		return nil, err
	}
	at, err := tensor.SearchSorted(u.Values, common, false, nil, c.Stop)
	if err != nil {
		return nil, err
	}
	return tensor.Take(u.First, at, 0, tensor.Raise, c.Stop)
}
