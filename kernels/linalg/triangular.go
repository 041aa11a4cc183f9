package linalg

import "fmt"

// A Structure says what a matrix is known to be, and so which of its elements are read.
type Structure uint8

const (
	General   Structure = iota
	Symmetric           // one half is read
	Positive            // symmetric and positive definite
)

// fits returns why b has not the rows of a.
func (m Matrix) fits(b Matrix) error {
	if b.Rows != m.Rows {
		return fmt.Errorf("got a right hand side of %d rows, want %d, as the matrix has", b.Rows, m.Rows)
	}
	return nil
}

// SolveBy is Solve for a matrix of a structure, of which only the given half is read if that is
// symmetric.
func SolveBy(a, b Matrix, s Structure, half Triangle) (Matrix, error) {
	switch s {
	case Symmetric:
		if err := a.square(); err != nil {
			return Matrix{}, err
		}
		return Solve(a.mirrored(half), b)
	case Positive:
		return solvePositive(a, b, half)
	}
	return Solve(a, b)
}

// mirrored is the symmetric matrix of which m has one half.
func (m Matrix) mirrored(half Triangle) Matrix {
	z := m.own()
	for i := range m.Rows {
		for j := range i {
			low, up := i*m.Cols+j, j*m.Cols+i
			if half == Lower {
				z.Data[up] = z.Data[low]
			} else {
				z.Data[low] = z.Data[up]
			}
		}
	}
	return z
}

func solvePositive(a, b Matrix, half Triangle) (Matrix, error) {
	if err := a.square(); err != nil {
		return Matrix{}, err
	}
	if err := a.fits(b); err != nil {
		return Matrix{}, err
	}
	x := b.clone()
	if a.empty() {
		return x, nil
	}
	copied := a.clone
	if half == Upper {
		copied = a.T
	}
	l := copied().view()
	if !a.product().factorCholesky(l) {
		return Matrix{}, ErrNotPositiveDefinite
	}
	a.product().solve(l, Lower, false, x.view())
	a.product().solve(l.T(), Upper, false, x.view())
	return x, nil
}

// SolveTriangular returns x with a x = b, or aᵀ x = b if trans, for a triangular a: [n,n], of which
// only the given half is read, and without its diagonal if that is known to be all ones (unit). It
// gives ErrSingular where an element of the diagonal is zero.
func SolveTriangular(a, b Matrix, half Triangle, trans, unit bool) (Matrix, error) {
	if err := a.square(); err != nil {
		return Matrix{}, err
	}
	if err := a.fits(b); err != nil {
		return Matrix{}, err
	}
	for i := 0; i < a.Rows && !unit; i++ {
		if a.At(i, i) == 0 {
			return Matrix{}, fmt.Errorf("%w: element %d of the diagonal is 0", ErrSingular, i)
		}
	}
	x := b.clone()
	if a.empty() || b.empty() {
		return x, nil
	}
	t := a.view()
	if trans {
		t, half = t.T(), Lower+Upper-half
	}
	a.product().solve(t, half, unit, x.view())
	return x, nil
}

// LUFactor returns the factors of a: [m,n] in one matrix, l without its diagonal of ones below u,
// and the pivots: row i was exchanged with row pivots[i]. A singular matrix has them too.
func LUFactor(a Matrix) (f Matrix, pivots []int) {
	f, pivots = a.clone(), make([]int, min(a.Rows, a.Cols))
	if !a.empty() {
		a.product().factorLU(f.view(), pivots)
	}
	return f, pivots
}

// Permutation is the order of n rows that exchanges make of theirs: see LUFactor.
func Permutation(pivots []int, n int) ([]int, error) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i, p := range pivots {
		if p < 0 || p >= n {
			return nil, fmt.Errorf("got pivot %d, want a row from 0 to %d", p, n-1)
		}
		order[i], order[p] = order[p], order[i]
	}
	return order, nil
}
