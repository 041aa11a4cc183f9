package np

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const orderParam = ": for vectors a number, for matrices 1, -1, 2, -2, np.inf, -np.inf, \"fro\" or \"nuc\""

// linalgNormTable is norms, ranks and products.
var linalgNormTable = []value.Builtin{
	linalgRow("norm", "The norm of vectors or matrices.", "norm([3, 4]) # 5.0", norm, "x: an array",
		"ord=None"+orderParam+"; the root of the sum of squares if not given",
		"axis=None: an axis of vectors, or two of matrices", "keepdims=False: whether the axes stay, with length 1"),
	linalgRow("cond", "The condition number of a matrix: how much it can enlarge relative errors.", "cond([[2, 0], [0, 1]]) # 2.0",
		func(c *call) (starlark.Value, error) {
			s, err := c.stack(0)
			if err != nil {
				return nil, err
			}
			ord, err := c.normOrder(1, "2")
			if err != nil {
				return nil, err
			}
			return c.results(c.each(s, func(i int) ([][]float64, error) {
				z, err := linalg.Cond(s.at(i), ord)
				return [][]float64{{z}}, err
			}, []int{}))
		}, "x: a matrix, or a stack of them", "p=None: the norm, as ord of norm; 2 if not given"),
	linalgRow("matrix_rank", "The rank of a matrix: how many singular values are above tol.", "matrix_rank([[1, 2], [2, 4]]) # 1",
		matrixRank, "A: a matrix, or a stack of them", "tol=None: the largest singular value times the precision if not given"),
	linalgRow("matrix_power", "A matrix to an integer power; of a negative one, powers of the inverse.",
		"matrix_power([[1, 1], [1, 0]], 10) # array([[89, 55],\n       [55, 34]])", matrixPower, squareParam, "n: the power"),
	linalgRow("multi_dot", "The product of several matrices, in the order that takes the fewest multiplications.",
		"multi_dot([[1, 2], [[1, 0], [0, 1]], [3, 4]]) # 11", multiDot,
		"arrays: at least two matrices; the first and the last may be vectors"),
}

// normOrder returns argument i as the norm of matrices.
func (c *call) normOrder(i int, otherwise linalg.NormOrder) (linalg.NormOrder, error) {
	if c.v[i] == nil {
		return otherwise, nil
	}
	if s, ok := starlark.AsString(c.v[i]); ok {
		if s == "f" {
			s = "fro"
		}
		if s == "fro" || s == "nuc" {
			return linalg.NormOrder(s), nil
		}
		return "", fmt.Errorf("for parameter %s: got %q, want \"fro\", \"nuc\" or a number", c.Params[i].Name, s)
	}
	x, err := c.float(i, 0)
	switch {
	case err != nil:
		return "", err
	case math.IsInf(x, 1):
		return "inf", nil
	case math.IsInf(x, -1):
		return "-inf", nil
	}
	return linalg.NormOrder(strconv.FormatFloat(x, 'g', -1, 64)), nil
}

func norm(c *call) (starlark.Value, error) {
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	keep, err := c.bool(3, false)
	if err != nil {
		return nil, err
	}
	dtype := floatType(d.DType())
	var axes []int
	switch {
	case c.v[2] != nil:
		if axes, err = c.shape(2); err != nil {
			return nil, err
		}
		for i, axis := range axes {
			if axes[i], err = tensor.NormalizeAxis(axis, d.Rank()); err != nil {
				return nil, fmt.Errorf("for parameter axis: %w", err)
			}
		}
	case c.v[1] == nil: // of all elements
		z, err := linalg.VectorNorm(d.Floats(), 2)
		shape := []int{}
		if keep {
			shape = slices.Repeat([]int{1}, d.Rank())
		}
		return c.result(tensor.From([]float64{z}, shape...).AsType(dtype), err)
	default:
		axes = upTo(d.Rank())
	}
	if len(axes) < 1 || len(axes) > 2 || len(axes) == 2 && axes[0] == axes[1] {
		return nil, fmt.Errorf("got axes %s of shape %s, want one of vectors or two of matrices", tensor.ShapeString(axes),
			tensor.ShapeString(d.Shape()))
	}
	one, err := c.normOf(len(axes))
	if err != nil {
		return nil, err
	}
	var rest []int
	shape := slices.Clone(d.Shape())
	for axis := range d.Rank() {
		if !slices.Contains(axes, axis) {
			rest = append(rest, axis)
		} else {
			shape[axis] = 1
		}
	}
	moved, err := d.DimShuffle(append(slices.Clone(rest), axes...))
	if err != nil {
		return nil, err
	}
	if len(axes) == 1 {
		if moved, err = moved.DimShuffle(append(upTo(d.Rank()), tensor.NewAxis)); err != nil {
			return nil, err
		}
	}
	s := stackOf(moved)
	z, err := c.each(s, func(i int) ([][]float64, error) {
		z, err := one(s.at(i))
		return [][]float64{{z}}, err
	}, []int{})
	if err == nil && keep {
		z[0], err = z[0].Reshape(shape...)
	}
	return c.results(z, err)
}

// normOf returns the norm that argument ord is, of vectors or of matrices.
func (c *call) normOf(axes int) (func(linalg.Matrix) (float64, error), error) {
	if axes == 2 {
		ord, err := c.normOrder(1, linalg.Frobenius)
		return func(a linalg.Matrix) (float64, error) { return linalg.MatrixNorm(a, ord) }, err
	}
	ord, err := c.float(1, 2)
	return func(a linalg.Matrix) (float64, error) { return linalg.VectorNorm(a.Data, ord) }, err
}

func matrixRank(c *call) (starlark.Value, error) {
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	if d.Rank() < 2 { // of a vector: whether it is not zero
		n, err := tensor.CountNonZero(d)
		return starlark.MakeInt(min(n, 1)), err
	}
	tol, err := c.float(1, -1)
	if err != nil {
		return nil, err
	}
	s := stackOf(d)
	z, err := c.each(s, func(i int) ([][]float64, error) {
		limit := tol
		if limit < 0 && s.dtype == kernels.Float32 {
			values, err := linalg.SVDVals(s.at(i))
			if err != nil {
				return nil, err
			}
			if len(values) > 0 {
				limit = values[0] * float64(max(s.rows, s.cols)) * precision(s.dtype)
			}
		}
		n, err := linalg.MatrixRank(s.at(i), limit)
		return [][]float64{{float64(n)}}, err
	}, []int{})
	if err != nil {
		return nil, err
	}
	return c.result(z[0].AsType(kernels.Int64), nil)
}

// matrixPower multiplies in the matrices' own type, so that integers stay exact.
func matrixPower(c *call) (starlark.Value, error) {
	s, err := c.squares(0)
	if err != nil {
		return nil, err
	}
	n, err := c.int(1, 0)
	if err != nil {
		return nil, err
	}
	d, _ := c.array(0)
	if n < 0 {
		inverse, err := c.each(s, func(i int) ([][]float64, error) {
			z, err := linalg.Inv(s.at(i))
			return [][]float64{z.Data}, err
		}, []int{s.rows, s.rows})
		if err != nil {
			return nil, err
		}
		if d, n = inverse[0], -n; n < 0 {
			return nil, fmt.Errorf("for parameter n: got %d, want one above -2**63", n)
		}
	}
	shape := d.Shape()
	if d, err = d.Reshape(s.len(), s.rows, s.rows); err != nil {
		return nil, err
	}
	z := tensor.Empty(d.DType(), s.len(), s.rows, s.rows)
	for i := range s.len() {
		if err := c.interrupted(); err != nil {
			return nil, err
		}
		part, err := d.Subscript(tensor.Index{At: &i})
		if err != nil {
			return nil, err
		}
		power, err := c.powerOf(part, n)
		if err != nil {
			return nil, err
		}
		to, err := z.Subscript(tensor.Index{At: &i})
		if err != nil {
			return nil, err
		}
		tensor.CopyTo(to, power)
	}
	return c.made(z.Reshape(shape...))
}

// powerOf multiplies squares of a matrix: n is not negative.
func (c *call) powerOf(d *tensor.Dense, n int) (*tensor.Dense, error) {
	var power *tensor.Dense
	square := d
	for ; n > 0; n >>= 1 {
		var err error
		if n&1 != 0 {
			if power == nil {
				power = square
			} else if power, err = c.product(power, square); err != nil {
				return nil, err
			}
		}
		if n > 1 {
			if square, err = c.product(square, square); err != nil {
				return nil, err
			}
		}
	}
	if power == nil {
		z := linalg.Identity(d.Dim(0))
		power = tensor.From(z.Data, z.Rows, z.Cols).AsType(d.DType())
	}
	return power, nil
}

// product is np.dot of arrays.
func (c *call) product(a, b *tensor.Dense) (*tensor.Dense, error) {
	z, err := dotOf(c, NewArray(c.session, a), NewArray(c.session, b))
	if err != nil {
		return nil, err
	}
	return ToDense(z)
}

// multiDot multiplies in the order that dynamic programming finds (Cormen et al., Introduction to Algorithms, 15.2).
func multiDot(c *call) (starlark.Value, error) {
	list, err := c.arrays(0)
	if err != nil {
		return nil, err
	}
	n := len(list)
	if n < 2 {
		return nil, errors.New("for parameter arrays: got 1 array, want at least two")
	}
	lengths := []int{} // of the axes of the chain
	for i, d := range list {
		rank := 2
		if (i == 0 || i == n-1) && d.Rank() == 1 {
			rank = 1
		}
		if d.Rank() != rank {
			return nil, fmt.Errorf("for parameter arrays: got shape %s at %d, want a matrix", tensor.ShapeString(d.Shape()), i)
		}
		switch {
		case i == 0 && rank == 1:
			lengths = append(lengths, 1, d.Dim(0))
		case i == 0:
			lengths = append(lengths, d.Shape()...)
		case d.Dim(0) != lengths[i]:
			return nil, fmt.Errorf("for parameter arrays: got shapes %s at %d, want axes that fit", shapesOf(list[i-1:i+1]), i-1)
		case rank == 1:
			lengths = append(lengths, 1)
		default:
			lengths = append(lengths, d.Dim(1))
		}
	}
	cost, split := make([][]float64, n), make([][]int, n)
	for i := range n {
		cost[i], split[i] = make([]float64, n), make([]int, n)
	}
	for span := 1; span < n; span++ {
		for i := 0; i+span < n; i++ {
			j := i + span
			cost[i][j] = math.Inf(1)
			for k := i; k < j; k++ {
				total := cost[i][k] + cost[k+1][j] + float64(lengths[i])*float64(lengths[k+1])*float64(lengths[j+1])
				if total < cost[i][j] {
					cost[i][j], split[i][j] = total, k
				}
			}
		}
	}
	var multiply func(i, j int) (*tensor.Dense, error)
	multiply = func(i, j int) (*tensor.Dense, error) {
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
		return c.product(a, b)
	}
	return c.result(multiply(0, n-1))
}
