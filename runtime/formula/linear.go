package formula

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// matrix refuses what has fewer axes than a matrix.
func matrix(param string, x V) error {
	if x.Type.Rank() < 2 {
		return fmt.Errorf("for parameter %s: got shape %s, want a matrix", param, shapeText(x))
	}
	return nil
}

// shapeText writes the shape of x, with ? for lengths that are not known.
func shapeText(x V) string { return strings.ReplaceAll(tensor.ShapeString(x.Type.Dims()), "-1", "?") }

// OfMatrix applies an operation to a matrix or a stack of them, and returns all results.
func OfMatrix(b *graph.Builder, o graph.Op, x V) ([]V, error) {
	if err := matrix("a", x); err != nil {
		return nil, err
	}
	return b.Make(o, x)
}

// Transposed is x with its last two axes exchanged.
func Transposed(b *graph.Builder, x V) V {
	rank := x.Type.Rank()
	order := axes(rank)
	order[rank-2], order[rank-1] = rank-1, rank-2
	return Permute(b, x, order)
}

// floating is x as floats: float64 if it is none.
func floating(b *graph.Builder, x V) V {
	if x.Type.DType.IsFloat() {
		return x
	}
	return Cast(b, x, kernels.Float64)
}

// Pinv is the Moore-Penrose inverse; singular values of at most rcond times the largest count as 0.
func Pinv(b *graph.Builder, x V, rcond float64) (V, error) {
	if err := matrix("a", x); err != nil {
		return nil, err
	}
	x = floating(b, x)
	return b.Apply(op.Pinv{}, x, b.Number(x.Type.DType, rcond)), nil
}

// Cholesky is the lower triangular factor of x, of which the lower half is read, or both the upper
// ones.
func Cholesky(b *graph.Builder, x V, lower, nan bool) (V, error) {
	if err := matrix("a", x); err != nil {
		return nil, err
	}
	if lower {
		return b.Apply(op.Cholesky{NaN: nan}, x), nil
	}
	return Transposed(b, b.Apply(op.Cholesky{NaN: nan}, Transposed(b, x))), nil
}

// Solve applies an operation of a matrix a and columns y, such as op.Solve. y has vectors if ndim
// is 1, or if it is 0 and y has one axis less than a, or one axis alone.
func Solve(b *graph.Builder, o graph.Op, a, y V, ndim int) (V, error) {
	if err := matrix("a", a); err != nil {
		return nil, err
	}
	return withColumns(b, a, y, ndim, func(y V) V { return b.Apply(o, a, y) })
}

// withColumns is what solve makes of the columns y, which may be vectors: see Solve.
func withColumns(b *graph.Builder, a, y V, ndim int, solve func(y V) V) (V, error) {
	rank := y.Type.Rank()
	vector := ndim == 1 || ndim == 0 && (rank == 1 || rank == a.Type.Rank()-1)
	switch {
	case ndim < 0 || ndim > 2:
		return nil, fmt.Errorf("for parameter b_ndim: got %d, want 1 for vectors or 2 for matrices", ndim)
	case rank == 0 || rank == 1 && !vector:
		return nil, fmt.Errorf("for parameter b: got shape %s, want a vector or matrix", shapeText(y))
	}
	at := rank - 2
	if vector {
		at = rank - 1
	}
	n, rows := a.Type.Dim(a.Type.Rank()-1), y.Type.Dim(at)
	if n != graph.Unknown && rows != graph.Unknown && n != rows && n == a.Type.Dim(a.Type.Rank()-2) {
		return nil, fmt.Errorf("for parameter b: got shape %s, want %d rows as a has", shapeText(y), n)
	}
	if !vector {
		return solve(y), nil
	}
	z := solve(Permute(b, y, append(axes(rank), tensor.NewAxis)))
	return drop(b, z, z.Type.Rank()-1), nil
}

// ChoSolve is the solution of a·x = y for the factor c of a.
func ChoSolve(b *graph.Builder, c, y V, lower bool, ndim int) (V, error) {
	if err := matrix("c", c); err != nil {
		return nil, err
	}
	first, second := op.SolveTriangular{}, op.SolveTriangular{Trans: true}
	if !lower {
		first, second = op.SolveTriangular{Upper: true, Trans: true}, op.SolveTriangular{Upper: true}
	}
	return withColumns(b, c, y, ndim, func(y V) V { return b.Apply(second, c, b.Apply(first, c, y)) })
}

// LU is the factors l and u of x, and the matrix p of the exchanges of rows: p·l·u. With indices p
// is the order that puts the rows of l·u in their places; with together l is p·l, and p is left
// out.
func LU(b *graph.Builder, x V, together, indices bool) ([]V, error) {
	out, err := OfMatrix(b, op.LUFactor{}, x)
	if err != nil {
		return nil, err
	}
	f, order := out[0], out[2]
	places := b.Apply(op.ArgSort{Axis: order.Type.Rank() - 1}, order)
	rank := f.Type.Rank()
	lengths := op.Lengths(b, f)
	k := count(b, op.Minimum, lengths[rank-2], lengths[rank-1])
	l, err := Triangle(b, Slice(b, f, rank-1, nil, k, nil), Int(b, -1), false)
	if err != nil {
		return nil, err
	}
	u, err := Triangle(b, Slice(b, f, rank-2, nil, k, nil), Int(b, 0), true)
	if err != nil {
		return nil, err
	}
	eye, err := Eye(b, lengths[rank-2], k, Int(b, 0), f.Type.DType)
	if err != nil {
		return nil, err
	}
	l = b.Apply(op.Add, l, eye)
	if indices {
		return []V{places, l, u}, nil
	}
	// Row i of p has its one in column places[i].
	column := Permute(b, places, append(axes(rank-1), tensor.NewAxis))
	p := Cast(b, b.Apply(op.Eq, column, UpTo(b, lengths[rank-2])), f.Type.DType)
	if together {
		return []V{b.Apply(op.Matmul{}, p, l), u}, nil
	}
	return []V{p, l, u}, nil
}

// LUSolve is the solution of a·x = y, or aᵀ·x = y with trans, for the factors and pivots of a: see
// op.LUFactor.
func LUSolve(b *graph.Builder, f, pivots, y V, trans bool, ndim int) (V, error) {
	if err := matrix("lu", f); err != nil {
		return nil, err
	}
	order := b.Apply(op.PivotPermutation{}, pivots)
	return withColumns(b, f, y, ndim, func(y V) V {
		if trans {
			z := b.Apply(op.SolveTriangular{Upper: true, Trans: true}, f, y)
			z = b.Apply(op.SolveTriangular{Trans: true, Unit: true}, f, z)
			return reordered(b, z, b.Apply(op.ArgSort{Axis: order.Type.Rank() - 1}, order))
		}
		z := b.Apply(op.SolveTriangular{Unit: true}, f, reordered(b, y, order))
		return b.Apply(op.SolveTriangular{Upper: true}, f, z)
	})
}

// reordered is the rows of y in an order, of which there is one for each matrix.
func reordered(b *graph.Builder, y, order V) V {
	if order.Type.Rank() == 1 {
		return b.Apply(op.Take{Axis: y.Type.Rank() - 2}, y, order)
	}
	lengths := op.Lengths(b, order)
	column := Permute(b, order, append(axes(order.Type.Rank()), tensor.NewAxis))
	p := b.Apply(op.Eq, column, UpTo(b, lengths[len(lengths)-1]))
	return b.Apply(op.Matmul{}, Cast(b, p, floating(b, y).Type.DType), y)
}

// EigvalshOf is the eigenvalues w of a·v = w·b·v for a symmetric x and a symmetric and positive
// definite y.
func EigvalshOf(b *graph.Builder, x, y V, lower bool) (V, error) {
	for i, v := range []V{x, y} {
		if err := matrix([]string{"a", "b"}[i], v); err != nil {
			return nil, err
		}
	}
	l, err := Cholesky(b, y, lower, false)
	if err != nil {
		return nil, err
	}
	if !lower {
		l = Transposed(b, l)
	}
	full, err := mirrored(b, x, lower)
	if err != nil {
		return nil, err
	}
	half := b.Apply(op.SolveTriangular{}, l, full)
	return b.Apply(op.Eigvalsh{}, b.Apply(op.SolveTriangular{}, l, Transposed(b, half))), nil
}

// mirrored is the symmetric matrix that has the lower half of x, or the upper one.
func mirrored(b *graph.Builder, x V, lower bool) (V, error) {
	read, err := Triangle(b, x, Int(b, 0), !lower)
	if err != nil {
		return nil, err
	}
	beyond, err := Triangle(b, x, Int(b, map[bool]int{true: -1, false: 1}[lower]), !lower)
	if err != nil {
		return nil, err
	}
	return b.Apply(op.Add, read, Transposed(b, beyond)), nil
}

// MatrixPower is x to an integer power, by squaring; of a negative one, powers of the inverse.
func MatrixPower(b *graph.Builder, x V, n int) (V, error) {
	if err := matrix("a", x); err != nil {
		return nil, err
	}
	rank := x.Type.Rank()
	if p, q := x.Type.Dim(rank-2), x.Type.Dim(rank-1); p != q && p != graph.Unknown && q != graph.Unknown {
		return nil, fmt.Errorf("got shape %s, want square matrices", shapeText(x))
	}
	if n < 0 {
		x, n = b.Apply(op.Inv{}, x), -n
	}
	if n == 0 {
		lengths := op.Lengths(b, x)
		eye, err := Eye(b, lengths[rank-2], lengths[rank-2], Int(b, 0), x.Type.DType)
		if err != nil {
			return nil, err
		}
		return b.Apply(op.Second, x, eye), nil
	}
	var z V
	for ; ; x = product(b, x, x) {
		if n&1 == 1 && z == nil {
			z = x
		} else if n&1 == 1 {
			z = product(b, z, x)
		}
		if n >>= 1; n == 0 {
			return z, nil
		}
	}
}

// product is that of matrices or stacks of as many axes.
func product(b *graph.Builder, x, y V) V {
	if x.Type.Rank() == 2 {
		return b.Apply(op.Dot{}, x, y)
	}
	return b.Apply(op.Matmul{}, x, y)
}

// MatrixDot is the product of matrices, from the left.
func MatrixDot(b *graph.Builder, list []V) (V, error) {
	z := list[0]
	for _, x := range list[1:] {
		var err error
		if z, err = Pairing(Dot).Of(b, z, x); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// TensorInv is the inverse of x as a map from its last axes to the first ind ones.
func TensorInv(b *graph.Builder, x V, ind int) (V, error) {
	if ind <= 0 || ind > x.Type.Rank() {
		return nil, fmt.Errorf("for parameter ind: got %d, want 1 to %d, the number of axes", ind, x.Type.Rank())
	}
	lengths := op.Lengths(b, x)
	first, last := lengths[:ind], lengths[ind:]
	z := b.Apply(op.Inv{}, Reshape(b, x, []V{op.Product(b, first), op.Product(b, last)}))
	return Reshape(b, z, append(append([]V(nil), last...), first...)), nil
}

// TensorSolve is the x for which the sums of products of a's last axes with all of x's are y. order
// are axes of a that are moved to its end first.
func TensorSolve(b *graph.Builder, a, y V, order []int) (V, error) {
	rank := a.Type.Rank()
	var last tensor.Axes
	for _, axis := range order {
		n, err := tensor.NormalizeAxis(axis, rank)
		if err != nil {
			return nil, fmt.Errorf("for parameter axes: %w", err)
		}
		last = last.With(tensor.AxesOf(n))
	}
	var kept []int
	for axis := range rank {
		if !last.Has(axis) {
			kept = append(kept, axis)
		}
	}
	moved := append([]int(nil), kept...)
	for _, axis := range order {
		n, _ := tensor.NormalizeAxis(axis, rank)
		moved = append(moved, n)
	}
	if len(moved) != rank {
		return nil, fmt.Errorf("for parameter axes: got an axis twice, want different ones")
	}
	a = Permute(b, a, moved)
	if y.Type.Rank() > rank {
		return nil, fmt.Errorf("got %d and %d dimensions, want a with no fewer than b", rank, y.Type.Rank())
	}
	lengths := op.Lengths(b, a)
	first, rest := lengths[:y.Type.Rank()], lengths[y.Type.Rank():]
	flat := Reshape(b, a, []V{op.Product(b, first), op.Product(b, rest)})
	z, err := Solve(b, op.Solve{}, flat, Ravel(b, y), 1)
	if err != nil {
		return nil, err
	}
	return Reshape(b, z, rest), nil
}

// BlockDiag is the matrices along the diagonal of one, with zeros elsewhere.
func BlockDiag(b *graph.Builder, list []V) (V, error) {
	d, rank := kernels.Bool, 0
	for i, x := range list {
		d = kernels.Promote(d, x.Type.DType)
		if i == 0 {
			rank = x.Type.Rank()
		}
		if x.Type.Rank() < 2 || x.Type.Rank() != rank {
			return nil, fmt.Errorf("matrix %d: got %d dimensions, want at least 2, and as many as the first", i, x.Type.Rank())
		}
	}
	rows := make([]V, len(list))
	for i, x := range list {
		row := make([]V, len(list))
		for k, y := range list {
			if row[k] = Cast(b, x, d); k != i {
				lengths := append([]V(nil), op.Lengths(b, x)...)
				lengths[rank-1] = op.Lengths(b, y)[rank-1]
				row[k] = BroadcastTo(b, b.Number(d, 0), lengths)
			}
		}
		var err error
		if rows[i], err = Join(b, rank-1, row); err != nil {
			return nil, err
		}
	}
	return Join(b, rank-2, rows)
}

// AllocDiag is the square matrices whose diagonals k are the vectors along the last axis of v, with
// zeros elsewhere; they lie along the axes i and j.
func AllocDiag(b *graph.Builder, v V, k, i, j int) (V, error) {
	rank := v.Type.Rank()
	if rank == 0 {
		return nil, fmt.Errorf("got a scalar, want vectors")
	}
	at := [2]int{i, j}
	for n, axis := range at {
		var err error
		if at[n], err = tensor.NormalizeAxis(axis, rank+1); err != nil {
			return nil, err
		}
	}
	if at[0] == at[1] {
		return nil, fmt.Errorf("got axis %d twice, want two axes", at[0])
	}
	lead := op.Lengths(b, v)[:rank-1]
	n := count(b, op.Add, op.Lengths(b, v)[rank-1], Int(b, max(k, -k)))
	start, stop, step := span(b, n, n, k)
	flat := BroadcastTo(b, b.Number(v.Type.DType, 0), append(append([]V(nil), lead...), count(b, op.Mul, n, n)))
	z := Reshape(b, SetSlice(b, flat, v, rank-1, start, stop, step), append(append([]V(nil), lead...), n, n))
	return Variable(MoveAxis(Symbolic(b), z, []int{rank - 1, rank}, at[:]))
}
