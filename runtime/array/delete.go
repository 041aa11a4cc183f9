package array

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxPieces is how many pieces of an axis are copied one by one: a view of one takes as long as
// some hundred elements.
const maxPieces = 16

// Delete is a without some positions of an axis, which may be there twice, in any order.
func Delete(a *tensor.Dense, axis int, gone []int, stop kernels.Stop) (*tensor.Dense, error) {
	n := a.Dim(axis)
	if len(gone) < maxPieces {
		gone = slices.Clone(gone)
		slices.Sort(gone)
		pieces, first := make([]*tensor.Dense, 0, maxPieces), 0
		for _, at := range append(slices.Compact(gone), n) {
			if first < at {
				pieces = append(pieces, Along(a, axis, first, at))
			}
			first = at + 1
		}
		if len(pieces) == 0 {
			pieces = append(pieces, Along(a, axis, 0, 0))
		}
		return Concatenate(pieces, axis, stop)
	}
	drop, poll := make([]bool, n), tensor.Poll{Stop: stop}
	for _, at := range gone {
		poll.Ask(1)
		drop[at] = true
	}
	left := make([]int64, 0, n)
	for at, dropped := range drop {
		if poll.Ask(1); !dropped {
			left = append(left, int64(at))
		}
	}
	return tensor.Take(a, tensor.From(left, len(left)), axis, tensor.Raise, stop)
}
