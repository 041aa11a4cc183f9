package array

import "github.com/arignote/arignote/runtime/tensor"

// Modulo is the remainder with the sign of n.
func Modulo(i, n int) int { return ((i % n) + n) % n }

// Gather returns the elements at the given positions of an axis.
func Gather(a *tensor.Dense, axis int, positions []int) (*tensor.Dense, error) {
	at := make([]int64, len(positions))
	for i, p := range positions {
		at[i] = int64(p)
	}
	return tensor.Take(a, tensor.From(at, len(at)), axis, tensor.Raise, nil)
}
