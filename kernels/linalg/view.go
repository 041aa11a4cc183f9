package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// A View is a part of a matrix, or of its transpose: element (i, j) is Data[i*Row+j*Col].
type View struct {
	Rows, Cols, Row, Col int
	Data                 []float64
	Symmetric            bool // the upper half says it all, and what is below is not read
}

// A Product computes c = alpha a b + beta c, for a: [m,k], b: [k,n] and c: [m,n], which shares no
// memory with a or b. The columns of c are 1 apart, and one of the strides of a and b is 1. Where
// beta is 0, c is not read. A symmetric a is multiplied with one column b, with beta = 0; columns
// of all of them are 1 apart, and the elements of b and c too.
//
// It is the one thing on which the speed of large decompositions depends: they are written so that
// nearly all of their work is products (L. S. Blackford et al., "An updated set of basic linear
// algebra subprograms", ACM Trans. Math. Softw. 28(2), 2002; S. Toledo, "Locality of reference in
// LU decomposition with partial pivoting", SIAM J. Matrix Anal. Appl. 18(4), 1997).
type Product func(alpha float64, a, b View, beta float64, c View)

// goProduct is Gonum's, for matrices that do not bring one.
func goProduct(alpha float64, a, b View, beta float64, c View) {
	if a.Symmetric {
		MultiplySymmetric(alpha, a, b, c)
		return
	}
	ta, x := a.operand()
	if c.Cols == 1 { // it takes no time for products with vectors
		blas64.Gemv(ta, alpha, x, b.vector(), beta, c.vector())
		return
	}
	tb, y := b.operand()
	blas64.Gemm(ta, tb, alpha, x, y, beta, blas64.General{Rows: c.Rows, Cols: c.Cols, Stride: max(c.Row, c.Cols), Data: c.Data})
}

// MultiplySymmetric is what a Product does for a symmetric a, without a kernel for it. Of a row
// both products are computed while it is in a near cache.
func MultiplySymmetric(alpha float64, a, b, c View) {
	x, y := b.Data[:a.Rows], c.Data[:a.Rows]
	clear(y)
	for i, v := range x {
		row := a.row(i)
		y[i] += alpha * dot(row[i:], x[i:])
		axpy(alpha*v, row[i+1:], y[i+1:])
	}
}

// vector describes a v of one column to BLAS.
func (v View) vector() blas64.Vector {
	return blas64.Vector{N: v.Rows, Inc: max(v.Row, 1), Data: v.Data}
}

// operand describes v to BLAS.
func (v View) operand() (blas.Transpose, blas64.General) {
	if v.Col == 1 {
		return blas.NoTrans, blas64.General{Rows: v.Rows, Cols: v.Cols, Stride: max(v.Row, v.Cols), Data: v.Data}
	}
	return blas.Trans, blas64.General{Rows: v.Cols, Cols: v.Rows, Stride: max(v.Col, v.Rows), Data: v.Data}
}

// add computes c += alpha a b, for a c whose rows or columns are 1 apart.
func (p Product) add(alpha float64, a, b, c View) {
	if c.Rows == 0 || c.Cols == 0 || a.Cols == 0 {
		return
	}
	if c.Col != 1 {
		a, b, c = b.T(), a.T(), c.T()
	}
	p(alpha, a, b, 1, c)
}

// of returns a b.
func (p Product) of(a, b View) Matrix {
	c := undefined(a.Rows, b.Cols)
	switch {
	case a.Cols == 0:
		clear(c.Data)
	case len(c.Data) > 0:
		p(1, a, b, 0, c.view())
	}
	return c
}

// product is how products with m are computed.
func (m Matrix) product() Product {
	if m.Product == nil {
		return goProduct
	}
	return m.Product
}

func (m Matrix) view() View { return View{m.Rows, m.Cols, max(m.Cols, 1), 1, m.Data, false} }

// column is the matrix of one column whose elements are beside each other.
func column(x []float64) View { return View{Rows: len(x), Cols: 1, Row: 1, Col: 1, Data: x} }

// T is the transpose, in the same memory.
func (v View) T() View { return View{v.Cols, v.Rows, v.Col, v.Row, v.Data, false} }

// at is where element (i, j) lies in Data.
func (v View) at(i, j int) int { return i*v.Row + j*v.Col }

// part is the matrix of rows by cols elements that begins at (i, j).
func (v View) part(i, j, rows, cols int) View {
	p := View{Rows: rows, Cols: cols, Row: v.Row, Col: v.Col}
	if rows > 0 && cols > 0 {
		p.Data = v.Data[v.at(i, j):]
	}
	return p
}

// row is row i of a view whose columns are 1 apart.
func (v View) row(i int) []float64 { return v.Data[i*v.Row:][:v.Cols] }

// columns writes the columns of a view into space, one after the other, and returns as much of it.
func (v View) columns(space []float64) []float64 {
	for i := range v.Rows {
		at := i
		for _, x := range v.row(i) {
			space[at] = x
			at += v.Rows
		}
	}
	return space[:v.Rows*v.Cols]
}

// setColumns undoes columns.
func (v View) setColumns(columns []float64) {
	for i := range v.Rows {
		row, at := v.row(i), i
		for j := range row {
			row[j] = columns[at]
			at += v.Rows
		}
	}
}

// halfOf is about the half of n, which is more than unblocked.
func halfOf(n int) int { return (n/2 + unblocked - 1) / unblocked * unblocked }

// axpy adds alpha x to y. BLAS takes nothing for the product of 0 with what is not finite.
func axpy(alpha float64, x, y []float64) {
	if len(x) < 16 || alpha == 0 {
		y = y[:len(x)]
		for i, v := range x {
			y[i] += alpha * v
		}
		return
	}
	gonum.Implementation{}.Daxpy(len(x), alpha, x, 1, y, 1)
}

func dot(x, y []float64) float64 {
	if len(x) < 8 {
		s := 0.0
		y = y[:len(x)]
		for i, v := range x {
			s += v * y[i]
		}
		return s
	}
	return gonum.Implementation{}.Ddot(len(x), x, 1, y, 1)
}

func scaleBy(alpha float64, x []float64) {
	for i := range x {
		x[i] *= alpha
	}
}
