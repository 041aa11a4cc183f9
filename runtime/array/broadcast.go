package array

import (
	"errors"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// BroadcastShapes returns the shape that arrays have together, by NumPy's rule: axes count from the last, and those of length 1 repeat.
// A shape of an array that would be too large is an error.
func BroadcastShapes(in []*tensor.Dense) ([]int, error) {
	rank := 0
	for _, x := range in {
		rank = max(rank, x.Rank())
	}
	shape := slices.Repeat([]int{1}, rank)
	for _, x := range in {
		lead := rank - x.Rank()
		for i, n := range x.Shape() {
			switch {
			case n == 1 || n == shape[lead+i]:
			case shape[lead+i] == 1:
				shape[lead+i] = n
			default:
				return nil, errors.New("operands could not be broadcast together: shapes " + ShapesOf(in))
			}
		}
	}
	return shape, checkShape(shape)
}

// ShapesOf names the shapes of arrays in a message: "(2,), (3,) and ()".
func ShapesOf(in []*tensor.Dense) string {
	parts := make([]string, len(in))
	for i, x := range in {
		parts[i] = tensor.ShapeString(x.Shape())
	}
	if n := len(parts); n > 2 {
		parts = []string{strings.Join(parts[:n-1], ", "), parts[n-1]}
	}
	return strings.Join(parts, " and ")
}
