package formula

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// VectorNorm is the norm of the vectors along an axis, by NumPy's orders: ±inf, 0 and other
// numbers.
func VectorNorm(b *graph.Builder, x V, order float64, axis int) V {
	x = floating(b, x)
	along := tensor.AxesOf(axis)
	size := b.Apply(op.Abs, x)
	sum := func(v V) V { return b.Apply(op.Reduce{Kind: op.Sum, Axes: along}, v) }
	switch {
	case math.IsInf(order, 1):
		return b.Apply(op.Reduce{Kind: op.Max, Axes: along}, size)
	case math.IsInf(order, -1):
		return b.Apply(op.Reduce{Kind: op.Min, Axes: along}, size)
	case order == 0:
		return sum(Cast(b, b.Apply(op.Neq, x, b.Like(x, 0)), x.Type.DType))
	case order == 1:
		return sum(size)
	case order == 2:
		return b.Apply(op.Sqrt, sum(b.Apply(op.Sqr, x)))
	}
	powers := sum(b.Apply(op.Pow, size, b.Like(x, order)))
	return b.Apply(op.Pow, powers, b.Like(powers, 1/order))
}

// Frobenius is the root of the sum of the squares of the elements along axes.
func Frobenius(b *graph.Builder, x V, along tensor.Axes) V {
	return b.Apply(op.Sqrt, b.Apply(op.Reduce{Kind: op.Sum, Axes: along}, b.Apply(op.Sqr, floating(b, x))))
}

// MatrixNorm is the norm of matrices whose rows and columns are numbered along two axes, by NumPy's
// orders: "fro", "nuc", "1", "-1", "2", "-2", "inf" and "-inf".
func MatrixNorm(b *graph.Builder, x V, order string, rows, columns int) (V, error) {
	x = floating(b, x)
	rank := x.Type.Rank()
	kind := op.Max
	if order != "" && order[0] == '-' {
		kind, order = op.Min, order[1:]
	}
	switch order {
	case "fro":
		return Frobenius(b, x, tensor.AxesOf(rows, columns)), nil
	case "1", "inf":
		over, then := rows, columns
		if order == "inf" {
			over, then = columns, rows
		}
		sums := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(over)}, b.Apply(op.Abs, x))
		if then > over {
			then--
		}
		return b.Apply(op.Reduce{Kind: kind, Axes: tensor.AxesOf(then)}, sums), nil
	case "2", "nuc":
		turned, err := Variable(MoveAxis(Symbolic(b), x, []int{rows, columns}, []int{rank - 2, rank - 1}))
		if err != nil {
			return nil, err
		}
		values := b.Apply(op.SVD{Values: true}, turned)
		if order == "nuc" {
			kind = op.Sum
		}
		return b.Apply(op.Reduce{Kind: kind, Axes: tensor.AxesOf(rank - 2)}, values), nil
	}
	return nil, fmt.Errorf("got order %s, want 1, -1, 2, -2, inf, -inf, fro or nuc for a matrix", order)
}
