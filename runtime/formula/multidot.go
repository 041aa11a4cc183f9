package formula

import (
	"fmt"

	"github.com/arignote/arignote/runtime/tensor"
)

// MultiDot is the product of at least two matrices, of which the first and the last may be vectors,
// in the order that takes the fewest multiplications: dynamic programming over the parts of the
// chain finds it.
func MultiDot(m *Algebra, list []Array) (Array, error) {
	lengths, err := chain(m, list)
	if err != nil {
		return nil, err
	}
	split := splits(lengths)
	var multiply func(i, j int) (Array, error)
	multiply = func(i, j int) (Array, error) {
		if i == j {
			return list[i], nil
		}
		a, err := multiply(i, split[i][j])
		if err != nil {
			return nil, err
		}
		b, err := multiply(split[i][j]+1, j)
		if err != nil {
			return nil, err
		}
		return Dot(m, a, b)
	}
	return multiply(0, len(list)-1)
}

// chain is the lengths of the axes of a chain of matrices: those of matrix i are lengths[i] and
// lengths[i+1].
func chain(m *Algebra, list []Array) ([]int, error) {
	var lengths []int
	for i, d := range list {
		rank := 2
		if (i == 0 || i == len(list)-1) && d.Rank() == 1 {
			rank = 1
		}
		if d.Rank() != rank {
			return nil, fmt.Errorf("for parameter arrays: got %s at %d, want a matrix", m.Mention(d), i)
		}
		switch {
		case i == 0 && rank == 1:
			lengths = append(lengths, 1, d.Dim(0))
		case i == 0:
			lengths = append(lengths, d.Dim(0), d.Dim(1))
		case d.Dim(0) != lengths[i]:
			return nil, fmt.Errorf("for parameter arrays: got shapes %s at %d, want axes that fit", tensor.ShapesOf(Values(list[i-1:i+1])...), i-1)
		case rank == 1:
			lengths = append(lengths, 1)
		default:
			lengths = append(lengths, d.Dim(1))
		}
	}
	return lengths, nil
}

// splits says where the product of the matrices from i to j of a chain is to be split: after
// matrix split[i][j].
func splits(lengths []int) (split [][]int) {
	n := len(lengths) - 1
	cost := make([][]float64, n)
	for i := range n {
		cost[i] = make([]float64, n)
		split = append(split, make([]int, n))
	}
	for span := 1; span < n; span++ {
		for i := 0; i+span < n; i++ {
			j := i + span
			for k := i; k < j; k++ {
				total := cost[i][k] + cost[k+1][j] + float64(lengths[i])*float64(lengths[k+1])*float64(lengths[j+1])
				if k == i || total < cost[i][j] {
					cost[i][j], split[i][j] = total, k
				}
			}
		}
	}
	return split
}
