package array

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

const (
	copiedBetween = 1 << 20 // elements
	perPart       = 256     // the work of a part, in elements
)

// Concatenate joins arrays along axis. It asks: see tensor.Poll.
func Concatenate(list []*tensor.Dense, axis int, stop kernels.Stop) (*tensor.Dense, error) {
	first := list[0]
	if first.Rank() == 0 {
		return nil, fmt.Errorf("got an array of no dimensions, want at least 1")
	}
	axis, err := tensor.NormalizeAxis(axis, first.Rank())
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(first.Shape())
	dtype := kernels.Bool
	total := 0
	for i, d := range list {
		fits := d.Rank() == first.Rank()
		for a := 0; fits && a < d.Rank(); a++ {
			fits = a == axis || d.Dim(a) == shape[a]
		}
		if !fits {
			return nil, tensor.ShapeErrorf("array %d of shape %s does not fit array 0 of shape %s along axis %d",
				i, tensor.ShapeString(d.Shape()), tensor.ShapeString(first.Shape()), axis)
		}
		dtype = kernels.Promote(dtype, d.DType())
		total += d.Dim(axis)
	}
	shape[axis] = total
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	z := tensor.Empty(dtype, shape...)
	at, poll := 0, tensor.Poll{Stop: stop}
	for _, d := range list {
		n := d.Dim(axis)
		copyHeard(Along(z, axis, at, at+n), d, &poll)
		at += n
	}
	return z, nil
}

// copyHeard copies src along its longest axis in parts, and asks before each.
func copyHeard(dst, src *tensor.Dense, poll *tensor.Poll) {
	longest := 0
	for axis := range src.Rank() {
		if src.Dim(axis) > src.Dim(longest) {
			longest = axis
		}
	}
	n := src.Dim(longest)
	poll.Ask(perPart + min(src.Size(), copiedBetween))
	if src.Size() <= copiedBetween {
		tensor.CopyTo(dst, src)
		return
	}
	per := max(1, copiedBetween/(src.Size()/n))
	for first := 0; first < n; first += per {
		end := min(first+per, n)
		poll.Ask(copiedBetween)
		tensor.CopyTo(Along(dst, longest, first, end), Along(src, longest, first, end))
	}
}
